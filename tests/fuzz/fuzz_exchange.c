/* libFuzzer target for what follows the reading of glTF, GLB and Ragdoll files: simulating them, and writing
 * them in every format with the document that they carry. It is a hundred times as slow as fuzz_gltf,
 * fuzz_glb and fuzz_ragdoll, whose corpora it can be given, too. */
#include <string.h>

#include "exchange_use.h"
#include "fuzz.h"
#include "glb_mutator.h"
#include "json_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    exchange_use(data, size, EXCHANGE_CONVERT);
    return 0;
}

static bool is_glb(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, "glTF", 4) == 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return is_glb(data, size) ? glb_mutate(data, size, capacity, seed)
                              : json_mutate(data, size, capacity, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t capacity, unsigned seed)
{
    return json_cross(first, first_size, second, second_size, out, capacity, seed);
}
