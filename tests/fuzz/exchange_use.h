/* What the fuzzers of interchange files do with their bytes. */
#ifndef ODORI_EXCHANGE_USE_H
#define ODORI_EXCHANGE_USE_H

#include "mmd/exchange.h"

/* Reads, checks all that was read against what mmd/exchange.h promises, simulates what is small, and frees.
 * A broken promise, a number that is none and a block left behind end the program. */
void exchange_use(const uint8_t *data, size_t size);

#endif
