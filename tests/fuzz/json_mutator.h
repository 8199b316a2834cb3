/* Mutates JSON documents and keeps them valid JSON, for libFuzzer's custom mutators. Random changes of bytes
 * rarely get past the parser. */
#ifndef ODORI_JSON_MUTATOR_H
#define ODORI_JSON_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Mutates a text in place: usually values, sometimes bytes, and always bytes if the text is not valid JSON.
 * Returns its new size, at most capacity. */
size_t json_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed);

/* Puts a value of the second text into the first. Returns the size, or 0 if that is impossible or does not
 * fit. */
size_t json_cross(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size,
                  uint8_t *out, size_t capacity, unsigned seed);

#endif
