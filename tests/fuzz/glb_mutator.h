/* Mutates GLB and JSON, for libFuzzer's custom mutators. */
#ifndef ODORI_GLB_MUTATOR_H
#define ODORI_GLB_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Mutates a file in place. GLB: values of the JSON chunk, bytes of the binary chunk or of the whole file, and
 * sometimes the lengths in the header and chunks, which become wrong. Others: json_mutate. Returns its new
 * size, at most capacity. */
size_t glb_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed);

#endif
