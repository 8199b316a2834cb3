/* libFuzzer target for what follows the reading of glTF, GLB and Ragdoll files: simulating them, and writing
 * them in every format with the document that they carry. It is a hundred times as slow as fuzz_gltf,
 * fuzz_glb and fuzz_ragdoll, whose corpora it can be given, too. */
#include "exchange_use.h"
#include "fuzz_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    exchange_use(data, size, EXCHANGE_CONVERT);
    return 0;
}
