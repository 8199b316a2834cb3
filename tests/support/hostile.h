/* Damaged copies of a file, each given to a reader: every one must end in a result that can be used or in a
 * clear error. */
#ifndef ODORI_HOSTILE_H
#define ODORI_HOSTILE_H

#include "mmd/format.h"

typedef struct hostile_totals {
    size_t files, inputs, read, errors;
} hostile_totals;

/* Reads, tries what it read, and frees it. */
typedef mmd_status hostile_reading(const uint8_t *data, size_t size, const hostile_totals *totals,
                                   mmd_error *error);

/*
 * Gives every copy that damage_each makes to the reader. Errors must say what and where, and no memory may
 * be left behind.
 */
void hostile_bytes(const uint8_t *data, size_t size, hostile_reading *read, hostile_totals *totals);

/* The same for each of the shared files whose name ends so, with a third of the copies of small ones. */
void hostile_shared(const char *suffix, hostile_reading *read, hostile_totals *totals);

/* Whether to make the costly checks of this copy: of every one of a small file, now and then of a large
 * one's. */
bool hostile_now(size_t size, const hostile_totals *totals);

/* Prints the totals; both results and errors must have come about. */
void hostile_report(const char *what, const hostile_totals *totals);

typedef mmd_status model_reading(const void *data, size_t size, mmd_model **result, mmd_error *error);

/*
 * The body of a hostile_reading for models: one must keep to its memory and can be written; what was written
 * reads and writes to the same bytes again.
 */
mmd_status hostile_model(const uint8_t *data, size_t size, model_reading *read, const hostile_totals *totals,
                         mmd_error *error);

#endif
