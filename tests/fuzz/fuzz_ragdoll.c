/* libFuzzer target for Ragdoll dumps. */
#include "exchange_use.h"
#include "fuzz_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    exchange_use(data, size, EXCHANGE_READ);
    return 0;
}
