/* Archives made for tests: honest ones by libarchive's writers, and zips byte by byte, which may lie. */
#ifndef ODORI_MADE_ARCHIVE_H
#define ODORI_MADE_ARCHIVE_H

#include "mmd/source.h"
#include "support.h"

typedef struct made_file {
    const char *name;
    const void *data;
    size_t size;
} made_file;

typedef enum made_kind { MADE_ZIP, MADE_7Z, MADE_TAR, MADE_TAR_GZ, MADE_TAR_XZ, MADE_KINDS } made_kind;
const char *made_kind_name(made_kind kind); /* "zip", "7z", … */

/* An archive of files; names are UTF-8. password: of a zip, or NULL. Free with mmd_bytes_finish. */
mmd_bytes made_archive(made_kind kind, const made_file *files, size_t count, const char *password);

/* A file of a zip whose every field may be anything: stored, not packed. */
typedef struct made_entry {
    const char *name; /* any bytes */
    bool utf8;        /* says so of its name */
    const void *data;
    size_t size;
    uint64_t size_said; /* unpacked, in the directory; 0: its size */
} made_entry;
mmd_bytes made_zip(const made_entry *entries, size_t count);

#endif
