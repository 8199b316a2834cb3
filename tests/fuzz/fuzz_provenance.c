/* libFuzzer target for the text that odori keeps in its pictures, mutated value by value. */
#include "fuzz_provenance.h"

#include "fuzz_folder.h"
#include "fuzz_json.h"

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
