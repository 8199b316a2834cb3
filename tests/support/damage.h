/* Damaged copies of a file, the same on every machine. */
#ifndef ODORI_DAMAGE_H
#define ODORI_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

enum { DAMAGE_SMALL_FILE = 4096 };

typedef void damage_visit(const uint8_t *data, size_t size, void *user);

/*
 * Up to 4 KB: every truncation, and every byte set to 0, 1, 127, 128 and 255. Larger: 2,000 seeded cases, of more than 64 KB 300, a
 * quarter of them truncations. Each copy lies in a block of exactly its size, so that a sanitizer sees the
 * first byte too far. Returns the number of copies.
 */
size_t damage_each(const uint8_t *data, size_t size, damage_visit *visit, void *user);

#endif
