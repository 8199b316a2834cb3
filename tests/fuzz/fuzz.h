/* What every fuzz target needs. */
#ifndef ODORI_FUZZ_H
#define ODORI_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t capacity, unsigned seed);

/* libFuzzer's default mutator. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/* Ends the program if a condition does not hold, which counts as a crash. */
#define REQUIRE(condition)                                                                                   \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "broken: %s (%s:%d)\n", #condition, __FILE__, __LINE__);                         \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
