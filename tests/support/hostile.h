/* Feeds damaged copies of a file to a reader. Every copy must give a usable result or a clear error. */
#ifndef ODORI_HOSTILE_H
#define ODORI_HOSTILE_H

#include "mmd/format.h"

typedef struct hostile_totals {
    size_t files, inputs, read, errors;
} hostile_totals;

/* Reads the data, uses the result and frees it. */
typedef mmd_status hostile_reading(const uint8_t *data, size_t size, const hostile_totals *totals,
                                   mmd_error *error);

/* Gives every copy that damage_each makes to the reader. Errors must have a message and a section, and no
 * memory may leak. */
void hostile_bytes(const uint8_t *data, size_t size, hostile_reading *read, hostile_totals *totals);

/* Does the same for each shared file whose name ends in suffix, with a third of the copies of small files. */
void hostile_shared(const char *suffix, hostile_reading *read, hostile_totals *totals);

/* Returns whether to run the expensive checks on this copy: always for a small file, occasionally for a large
 * one. */
bool hostile_now(size_t size, const hostile_totals *totals);

/* Prints the totals. Requires that both results and errors occurred. */
void hostile_report(const char *what, const hostile_totals *totals);

typedef mmd_status model_reading(const void *data, size_t size, mmd_model **result, mmd_error *error);

/* Does the work of a hostile_reading for models. A model that was read must not exceed its memory budget and
 * must be writable, and the written file must read and write to the same bytes again. */
mmd_status hostile_model(const uint8_t *data, size_t size, model_reading *read, const hostile_totals *totals,
                         mmd_error *error);

#endif
