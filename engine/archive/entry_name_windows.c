/*
 * Names of entries on Windows. The thread's locale is C, which has no encoding, so libarchive (3.6.2) keeps
 * names of known encoding in UTF-16, and makes the others' bytes the first 256 characters. A name that has
 * only such characters can be either.
 */
#include "entry_name.h"

#include <windows.h>

/* Unlike in Latin-1, no byte from 0x80 on stands for the character of the same number. */
const char entry_name_charset[] = "CP437";

entry_locale *entry_locale_create(void)
{
    return NULL;
}

void entry_locale_destroy(entry_locale *locale)
{
    (void)locale;
}

entry_locale *entry_locale_enter(entry_locale *locale)
{
    return locale;
}

void entry_locale_leave(entry_locale *before)
{
    (void)before;
}

const char *entry_name_read(struct archive_entry *entry, bool is_unicode, char room[ENTRY_NAME_MAX + 1])
{
    const wchar_t *wide = archive_entry_pathname_w(entry);
    if (!wide)
        return NULL;
    size_t length = 0;
    bool is_bytes = !is_unicode;
    for (; wide[length]; length++)
        is_bytes = is_bytes && wide[length] <= 0xff;
    if (is_bytes && length > ENTRY_NAME_MAX)
        return NULL;
    for (size_t i = 0; is_bytes && i <= length; i++)
        room[i] = (char)wide[i];
    return is_bytes || WideCharToMultiByte(CP_UTF8, 0, wide, -1, room, ENTRY_NAME_MAX + 1, NULL, NULL) ? room
                                                                                                       : NULL;
}
