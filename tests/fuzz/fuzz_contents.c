/* libFuzzer target for packed contents of models and motions, as pictures list them: two of them without
 * compression, which are compared. The first two bytes are the size of the first one. */
#include <string.h>

#include "fuzz.h"
#include "mmd/memory.h"
#include "recipe/contents_internal.h"
#include "recipe/provenance_compare.h"

static void tell(void *user, unsigned aspects, const char *sentence)
{
    (void)user, (void)aspects;
    REQUIRE(*sentence && strlen(sentence) < PROVENANCE_SENTENCE_MAX && !strchr(sentence, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint64_t blocks = mmd_heap_blocks_in_use();
    if (size < 2)
        return 0;
    const size_t all = size - 2, wanted = (size_t)data[0] << 8 | data[1], first = wanted < all ? wanted : all;
    contents a, b = {0};
    if (contents_read(&a, data + 2, first) && contents_read(&b, data + 2 + first, all - first)) {
        contents_compare(&a, &b, tell, NULL, NULL);
        REQUIRE(contents_compare(&a, &a, tell, NULL, NULL) == 0);
    }
    contents_finish(&a);
    contents_finish(&b);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
