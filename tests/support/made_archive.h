/* Makes archives for tests: valid ones with libarchive, and zips written field by field, whose fields may be
 * wrong. */
#ifndef ODORI_MADE_ARCHIVE_H
#define ODORI_MADE_ARCHIVE_H

#include "mmd/source.h"
#include "support.h"

typedef struct made_file {
    const char *name;
    const void *data;
    size_t size;
} made_file;

typedef enum made_kind {
    MADE_ZIP,
    MADE_7Z,
    MADE_TAR,
    MADE_TAR_GZ,
    MADE_TAR_XZ,
    MADE_TAR_BZ2,
    MADE_TAR_ZST,
    MADE_KINDS
} made_kind;
const char *made_kind_name(made_kind kind); /* "zip", "7z", … */

/* Makes an archive of files. Names are UTF-8. password encrypts a zip; NULL: no encryption. Free with
 * mmd_bytes_finish. */
mmd_bytes made_archive(made_kind kind, const made_file *files, size_t count, const char *password);

/* A file of a zip, stored without compression. Its fields may have any values. */
typedef struct made_entry {
    const char *name; /* any bytes */
    bool utf8;        /* sets the flag that the name is UTF-8 */
    const void *data;
    size_t size;
    uint64_t size_said; /* unpacked size in the headers; 0: the true size */
} made_entry;
mmd_bytes made_zip(const made_entry *entries, size_t count);

#endif
