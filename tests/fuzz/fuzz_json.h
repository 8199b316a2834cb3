/* The mutators of targets of JSON and GLB, value by value. Each of these programs includes this once. */
#ifndef ODORI_FUZZ_JSON_H
#define ODORI_FUZZ_JSON_H

#include "fuzz.h"
#include "glb_mutator.h"
#include "json_mutator.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return glb_mutate(data, size, capacity, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t capacity, unsigned seed)
{
    return json_cross(first, first_size, second, second_size, out, capacity, seed);
}

#endif
