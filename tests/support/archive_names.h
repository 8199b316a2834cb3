/* Names in UTF-8 for archives that tests make with libarchive. */
#ifndef ODORI_TEST_ARCHIVE_NAMES_H
#define ODORI_TEST_ARCHIVE_NAMES_H

#include <archive.h>
#include <archive_entry.h>

/* Sets this thread's locale to UTF-8 where libarchive goes by it, and sets the one before again. */
void *archive_names_begin(void);
void archive_names_end(void *before);

/* Has a new writer, whose format is set, write names in UTF-8. */
void archive_names_prepare(struct archive *writer);

/* Sets the name of an entry that is written next. */
void archive_names_set(struct archive *writer, struct archive_entry *entry, const char *name);

#endif
