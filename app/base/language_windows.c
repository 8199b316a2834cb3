#include <windows.h>

#include <stdlib.h>
#include <string.h>

#include "language.h"

bool language_is_japanese(void)
{
    /* Shells such as those of MSYS2 set variables as on Linux. */
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strncmp(value, "ja", 2) == 0;
    }
    return PRIMARYLANGID(GetUserDefaultUILanguage()) == LANG_JAPANESE;
}
