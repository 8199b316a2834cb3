#include "archive_names.h"

#include <locale.h>

void *archive_names_begin(void)
{
    return uselocale(newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0));
}

void archive_names_end(void *before)
{
    freelocale(uselocale(before));
}

void archive_names_prepare(struct archive *writer)
{
    (void)writer;
}

void archive_names_set(struct archive *writer, struct archive_entry *entry, const char *name)
{
    (void)writer;
    archive_entry_set_pathname(entry, name);
}
