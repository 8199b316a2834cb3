/* libFuzzer target for accessories. */
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Compressed files need more memory than their size, so they have a memory limit of their own, and are not
 * written. */
static void fuzz_compressed(const uint8_t *data, size_t size)
{
    mmd_model *model = NULL;
    mmd_error error;
    if (mmd_x_read(data, size, &model, &error) != MMD_OK)
        return;
    if (model->arena.used > MMD_MODEL_MEMORY_FACTOR * MMD_X_TEXT_RATIO * size + MMD_MODEL_MEMORY_EXTRA)
        abort();
    mmd_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 11 && data[9] == 'z')
        fuzz_compressed(data, size);
    else
        fuzz_model(data, size, mmd_x_read);
    return 0;
}
