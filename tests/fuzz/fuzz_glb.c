/* libFuzzer target for GLB. */
#include "exchange_use.h"
#include "fuzz.h"
#include "glb_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    exchange_use(data, size, EXCHANGE_READ);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return glb_mutate(data, size, capacity, seed);
}
