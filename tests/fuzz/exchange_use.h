/* The body of the fuzzers of interchange files. */
#ifndef ODORI_EXCHANGE_USE_H
#define ODORI_EXCHANGE_USE_H

#include "mmd/exchange.h"

/* Reads the data, checks the result against the contract of mmd/exchange.h, simulates small scenes, and frees
 * everything. Aborts on a violation, a number that is not finite, or a leaked block. */
void exchange_use(const uint8_t *data, size_t size);

#endif
