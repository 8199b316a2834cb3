/* The body of fuzz_gltf and fuzz_ragdoll: JSON documents, mutated value by value and used like any other
 * document. Each of the two programs includes this once. */
#ifndef ODORI_FUZZ_JSON_H
#define ODORI_FUZZ_JSON_H

#include "exchange_use.h"
#include "fuzz.h"
#include "json_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    exchange_use(data, size, EXCHANGE_READ);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return json_mutate(data, size, capacity, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t capacity, unsigned seed)
{
    return json_cross(first, first_size, second, second_size, out, capacity, seed);
}

#endif
