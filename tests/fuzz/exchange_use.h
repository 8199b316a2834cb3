/* The body of the fuzzers of interchange files. */
#ifndef ODORI_EXCHANGE_USE_H
#define ODORI_EXCHANGE_USE_H

#include "mmd/exchange.h"

typedef enum exchange_depth {
    EXCHANGE_READ,   /* only reads, for thousands of executions per second */
    EXCHANGE_CONVERT /* also simulates small scenes and writes every format */
} exchange_depth;

/* Reads the data, which may name the file "b.bin", checks the result against the contract of mmd/exchange.h,
 * uses it as depth says, and frees everything. Aborts on a violation, a number that is not finite, or a
 * leaked block. */
void exchange_use(const uint8_t *data, size_t size, exchange_depth depth);

#endif
