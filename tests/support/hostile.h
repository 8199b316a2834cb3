/* Damaged copies of a file, each given to a reader: every one must end in a model or in a clear error. */
#ifndef ODORI_HOSTILE_H
#define ODORI_HOSTILE_H

#include "mmd/format.h"

typedef mmd_status model_reading(const void *data, size_t size, mmd_model **result, mmd_error *error);

typedef struct hostile_totals {
    size_t inputs, models, errors, files;
} hostile_totals;

/*
 * Up to 4 KB: every truncation, and every byte set to 0, 1, 127, 128 and 255. Larger: 2,000 seeded cases.
 * A model must keep to its memory and can be written; what was written reads and writes to the same bytes
 * again.
 */
void hostile_model(const uint8_t *data, size_t size, model_reading *read, hostile_totals *totals);

#endif
