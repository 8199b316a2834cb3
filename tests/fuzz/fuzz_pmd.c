/* libFuzzer: any bytes read as PMD; what can be read is written as PMX, which reads and writes to the same
 * bytes. */
#include "mmd/format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mmd_model *first = NULL, *second = NULL;
    mmd_error error;
    if (mmd_pmd_read(data, size, &first, &error) != MMD_OK)
        return 0;
    mmd_buffer once = {0}, twice = {0};
    bool same = first->arena.used <= MMD_MODEL_MEMORY_FACTOR * size + MMD_MODEL_MEMORY_EXTRA &&
                mmd_pmx_write(first, &once, &error) == MMD_OK &&
                mmd_pmx_read(once.data, once.size, &second, &error) == MMD_OK &&
                mmd_pmx_write(second, &twice, &error) == MMD_OK && once.size == twice.size &&
                memcmp(once.data, twice.data, once.size) == 0;
    if (!same)
        abort();
    mmd_buffer_finish(&once);
    mmd_buffer_finish(&twice);
    mmd_model_destroy(first);
    mmd_model_destroy(second);
    return 0;
}
