/* libFuzzer: any bytes read as a Ragdoll dump, changed value by value. */
#include "fuzz_json.h"
