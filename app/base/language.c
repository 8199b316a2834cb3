#include "language.h"

#include <stdlib.h>
#include <string.h>

#include "system.h"

bool language_is_japanese(void)
{
    /* On Windows, shells such as those of MSYS2 set them too. */
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strncmp(value, "ja", 2) == 0;
    }
    return system_is_japanese();
}
