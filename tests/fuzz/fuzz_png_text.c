/* libFuzzer target for the text chunks of pictures, and for what odori reads from its own chunk. */
#include <string.h>

#include "files/png_text.h"
#include "fuzz.h"
#include "fuzz_folder.h"
#include "fuzz_provenance.h"
#include "png_mutator.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_folder();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    char *text = png_text_read(data, size, PROVENANCE_KEY);
    REQUIRE(!text || png_is(data, size));
    if (text)
        fuzz_provenance(text);
    mmd_free(text);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return png_mutate(data, size, capacity, seed);
}
