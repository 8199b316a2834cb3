/* The body of fuzz_pmx and fuzz_pmd. */
#ifndef ODORI_FUZZ_MODEL_H
#define ODORI_FUZZ_MODEL_H

#include "mmd/format.h"

#include <stdlib.h>
#include <string.h>

typedef mmd_status model_reading(const void *data, size_t size, mmd_model **result, mmd_error *error);

/* A model that can be read must not exceed its memory budget and can be written as PMX, which reads and
 * writes to the same bytes again. */
static inline void fuzz_model(const uint8_t *data, size_t size, model_reading *read)
{
    mmd_model *first = NULL, *second = NULL;
    mmd_error error;
    if (read(data, size, &first, &error) != MMD_OK)
        return;
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
}

#endif
