/* libFuzzer: any bytes read as a glTF of text, changed value by value. */
#include "fuzz_json.h"
