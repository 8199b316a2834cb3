/* libFuzzer target for the text that odori keeps in its pictures, mutated value by value. */
#include "fuzz_provenance.h"

#include "fuzz_folder.h"
#include "json_mutator.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_folder_write("folder/model.pmx", "", 0);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    char *text = malloc(size + 1);
    REQUIRE(text);
    memcpy(text, data, size);
    text[size] = '\0';
    fuzz_provenance(text);
    free(text);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return json_mutate(data, size, capacity, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t capacity, unsigned seed)
{
    return json_cross(first, first_size, second, second_size, out, capacity, seed);
}
