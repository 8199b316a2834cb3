/* libFuzzer target for PMD. */
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model(data, size, mmd_pmd_read);
    return 0;
}
