/* libFuzzer target for Ragdoll dumps, mutated value by value. */
#include "fuzz_json.h"
