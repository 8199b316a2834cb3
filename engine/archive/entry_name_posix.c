#include "entry_name.h"

#include <locale.h>
#include <string.h>

const char entry_name_charset[] = "ISO-8859-1";

entry_locale *entry_locale_create(void)
{
    return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

void entry_locale_destroy(entry_locale *locale)
{
    if (locale)
        freelocale(locale);
}

entry_locale *entry_locale_enter(entry_locale *locale)
{
    return locale ? uselocale(locale) : NULL;
}

void entry_locale_leave(entry_locale *before)
{
    if (before)
        uselocale(before);
}

const char *entry_name_read(struct archive_entry *entry, bool is_unicode, char room[ENTRY_NAME_MAX + 1])
{
    const char *name = archive_entry_pathname(entry);
    (void)is_unicode, (void)room;
    name = name ? name : archive_entry_pathname_utf8(entry);
    return name && strlen(name) <= ENTRY_NAME_MAX ? name : NULL;
}
