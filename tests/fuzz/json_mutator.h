/*
 * Changes of JSON documents that leave them JSON documents, for libFuzzer's custom mutators: bytes changed at
 * random rarely get past the parser.
 */
#ifndef ODORI_JSON_MUTATOR_H
#define ODORI_JSON_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own way of changing bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/* Changes a text in place, values or now and then bytes; returns its new size, at most capacity. What does
 * not parse has its bytes changed. */
size_t json_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed);

/* Puts a value of the second text into the first; 0 where that cannot be or has no room. */
size_t json_cross(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size,
                  uint8_t *out, size_t capacity, unsigned seed);

#endif
