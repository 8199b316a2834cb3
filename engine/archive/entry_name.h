/*
 * Names of entries as libarchive reads them. It converts them to the encoding of the thread's locale, on
 * Windows to UTF-16; names of unknown encoding stay bytes.
 */
#ifndef MMD_ARCHIVE_ENTRY_NAME_H
#define MMD_ARCHIVE_ENTRY_NAME_H

#include <archive_entry.h>
#include <stdbool.h>

/* A locale in which libarchive returns UTF-8; NULL where there is none, or none is needed. */
typedef void entry_locale;

entry_locale *entry_locale_create(void);
void entry_locale_destroy(entry_locale *locale); /* NULL is allowed */

/* Sets this thread's locale during calls of libarchive, and sets the one before again. */
entry_locale *entry_locale_enter(entry_locale *locale);
void entry_locale_leave(entry_locale *before);

enum { ENTRY_NAME_MAX = 4096 }; /* bytes of a name, without its NUL */

/*
 * Returns an entry's name, in UTF-8 if possible, otherwise the raw bytes. is_unicode says that its encoding
 * is known, which Windows needs in order to tell bytes from the first 256 characters. The name is in room or
 * in the entry. Returns NULL if there is none or it is longer than ENTRY_NAME_MAX.
 */
const char *entry_name_read(struct archive_entry *entry, bool is_unicode, char room[ENTRY_NAME_MAX + 1]);

/* A charset that can decode any bytes, and in which no name but those in ASCII stays what it is. */
extern const char entry_name_charset[];

#endif
