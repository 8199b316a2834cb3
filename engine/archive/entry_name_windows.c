/*
 * Names of entries on Windows. The thread's locale is C, which has no encoding, so libarchive (3.6.2) keeps
 * names of known encoding in UTF-16, and makes the others' bytes the first 256 characters. A name that has
 * only such characters can be either.
 */
#include "entry_name.h"

#include <string.h>
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

/*
 * Undoes what libarchive does to names without '/' from archivers of Windows: it takes every '\\' for a
 * separator, also the second byte of characters of CP932 such as that of "表". No such character has '/' for
 * its second byte. In other encodings the two mean the same here.
 */
static void restore_characters(char *name)
{
    for (unsigned char *at = (unsigned char *)name; at[0] && at[1];) {
        const bool is_lead = (at[0] >= 0x81 && at[0] <= 0x9f) || (at[0] >= 0xe0 && at[0] <= 0xfc);
        if (is_lead && at[1] == '/')
            at[1] = '\\';
        at += is_lead ? 2 : 1;
    }
}

const char *entry_name_read(struct archive_entry *entry, bool is_unicode, char room[ENTRY_NAME_MAX + 1])
{
    const wchar_t *wide = archive_entry_pathname_w(entry);
    size_t length = 0;
    if (!wide) { /* RAR 5 has only UTF-8 */
        const char *name = archive_entry_pathname_utf8(entry);
        return name && strlen(name) <= ENTRY_NAME_MAX ? name : NULL;
    }
    bool is_bytes = !is_unicode;
    for (; wide[length]; length++)
        is_bytes = is_bytes && wide[length] <= 0xff;
    if (is_bytes && length > ENTRY_NAME_MAX)
        return NULL;
    if (!is_bytes)
        return WideCharToMultiByte(CP_UTF8, 0, wide, -1, room, ENTRY_NAME_MAX + 1, NULL, NULL) ? room : NULL;
    for (size_t i = 0; i <= length; i++)
        room[i] = (char)wide[i];
    restore_characters(room);
    return room;
}
