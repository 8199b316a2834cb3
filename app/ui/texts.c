/* Looks texts of the panels up by language. */
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
