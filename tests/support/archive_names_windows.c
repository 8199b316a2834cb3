#include "archive_names.h"

#include <windows.h>

void *archive_names_begin(void)
{
    return NULL;
}

void archive_names_end(void *before)
{
    (void)before;
}

void archive_names_prepare(struct archive *writer)
{
    archive_write_set_format_option(writer, "zip", "hdrcharset", "UTF-8");
    archive_write_set_format_option(writer, "pax", "hdrcharset", "BINARY");
}

void archive_names_set(struct archive *writer, struct archive_entry *entry, const char *name)
{
    wchar_t wide[4096] = L"";
    if ((archive_format(writer) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR) {
        archive_entry_set_pathname(entry, name); /* bytes */
        return;
    }
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, wide, 4096);
    archive_entry_copy_pathname_w(entry, wide);
}
