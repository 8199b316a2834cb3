/* libFuzzer target for the user's file of keys. */
#include <string.h>

#include "document/bindings.h"
#include "fuzz.h"

/* Checks that every key is bound once, and that the list is as long as its length says. This takes
 * longer than reading. */
static void check_list(const key_bindings *keys)
{
    static char list[16384];
    for (size_t i = 0; i < keys->count; i++)
        for (size_t k = 0; k < i; k++)
            REQUIRE(strcmp(keys->entries[k].key, keys->entries[i].key) != 0);
    size_t length = bindings_text(keys, list, sizeof list);
    REQUIRE(length >= sizeof list || strlen(list) == length || keys->count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static key_bindings keys, defaults;
    char why[128] = "";
    if (!defaults.count)
        bindings_init(&defaults);
    keys = defaults;
    size_t bad = bindings_read(&keys, (const char *)data, size, why, sizeof why);
    REQUIRE((bad != 0) == (why[0] != '\0') && keys.count <= BINDINGS_MAX);
    for (size_t i = 0; i < keys.count; i++) {
        const char *key = keys.entries[i].key, *plus = strrchr(key, '+');
        /* "Ctrl++" is the key + with a modifier. */
        const char *name = !plus || plus == key ? key : plus[1] ? plus + 1 : plus;
        REQUIRE(keys.entries[i].command[0] && binding_known_name(name));
    }
    if (size % 16 == 0)
        check_list(&keys);
    return 0;
}
