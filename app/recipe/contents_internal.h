/* What the files of contents share. */
#ifndef ODORI_CONTENTS_INTERNAL_H
#define ODORI_CONTENTS_INTERNAL_H

#include "contents.h"

/* Mixes 32 bits into a hash of 64. It is the same on every machine, and not meant to resist collisions that
 * somebody looks for. */
static inline uint64_t contents_mix(uint64_t hash, uint32_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9fb21c651e98df25);
    return hash ^ hash >> 35;
}

/* Ends a hash, so that sums of such hashes depend on all of their bits. */
static inline uint64_t contents_mixed(uint64_t hash)
{
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static inline uint64_t contents_mix_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = contents_mix(hash, (unsigned char)*text);
    return contents_mix(hash, 256);
}

/* Adds a table of so many rows, whose cells are 0 and whose columns are known. Returns false if out of
 * memory. */
bool contents_add_table(contents *c, contents_id table, uint32_t count);

/* Sets the name of a row: valid UTF-8 without line breaks. prefix: a letter before it, or 0. Returns false if
 * out of memory. */
bool contents_set_name(contents *c, contents_id table, uint32_t row, char prefix, const char *name);

/* Returns the name of a row, or "". */
const char *contents_name(const contents *c, contents_id table, uint32_t row);

/* Returns whether a column, or the hash of a row, is known. */
bool contents_has(const contents *c, contents_id table, uint32_t column);
bool contents_has_row_hash(const contents *c, contents_id table);

/* Returns the hash of a row, of the names of its items instead of their numbers; 16 bits. */
uint32_t contents_row_hash(const contents *c, contents_id table, uint32_t row);

/* Returns the hash of a table with names and rows. */
uint32_t contents_table_hash(const contents *c, contents_id table);

/* Appends contents without compression, and reads them again. Reading takes memory in proportion to the size.
 */
void contents_write(const contents *c, contents_detail detail, mmd_buffer *out);
bool contents_read(contents *c, const void *data, size_t size);

#endif
