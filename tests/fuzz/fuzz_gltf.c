/* libFuzzer target for glTF as text, mutated value by value. */
#include "fuzz_json.h"
