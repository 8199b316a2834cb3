/* Mutates PNG chunk by chunk and keeps their checksums right, for libFuzzer's custom mutators. Random changes
 * of bytes rarely get past the checksums of libpng. */
#ifndef ODORI_PNG_MUTATOR_H
#define ODORI_PNG_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Mutates a picture in place: the header, decompressed pixels and texts (JSON by json_mutate), the order of
 * chunks, and sometimes bytes of the file; always bytes of the file if it is no PNG. Returns its new size, at
 * most capacity. */
size_t png_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed);

#endif
