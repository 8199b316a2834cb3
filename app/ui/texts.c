/* Texts of the panels by language. */
#include "texts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *ui_text_of(ui_text text, int japanese)
{
#define BOTH(name, english, other) {english, other},
    static const char *const texts[UI_TEXT_COUNT][2] = {UI_TEXTS(BOTH)};
#undef BOTH
    return texts[text][japanese != 0];
}

int ui_environment_is_japanese(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strncmp(value, "ja", 2) == 0;
    }
    return 0;
}
