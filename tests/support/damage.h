/* Generates damaged copies of a file, the same ones on every machine. */
#ifndef ODORI_DAMAGE_H
#define ODORI_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

enum { DAMAGE_SMALL_FILE = 4096 };

typedef void damage_visit(const uint8_t *data, size_t size, void *user);

/*
 * Calls visit for damaged copies of a file. Files of up to 4 KB: every truncation, and every byte set to 0,
 * 1, 127, 128 and 255. Larger files: 2,000 seeded cases (300 for files of more than 64 KB), a quarter of them
 * truncations. Each copy lies in a block of exactly its size, so that a sanitizer detects a read beyond its
 * end. Returns the number of copies.
 */
size_t damage_each(const uint8_t *data, size_t size, damage_visit *visit, void *user);

#endif
