#include "refusals.h"
#include "base/language.h"

#include <stdio.h>


static bool is_japanese(const odori_session *s)
{
    return s->panels.language == PANEL_JAPANESE ||
           (s->panels.language == PANEL_LANGUAGE_AUTO && language_is_japanese());
}

void refusal_say(const odori_session *s, const char *why, char *out, size_t size)
{
    const mmd_edit *edit = s->history.edit;
    bool is_its = edit && why == mmd_edit_refusal(edit);
    const char *text = is_its && is_japanese(s) ? refusal_in_japanese(mmd_edit_refusal_code(edit)) : NULL;
    if (text)
        mmd_edit_refusal_in(edit, text, out, size);
    else
        snprintf(out, size, "%s", why);
}
