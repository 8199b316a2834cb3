/*
 * An archive (zip, 7z, rar, rar5, tar as it is or packed by gzip, bzip2, xz or
 * zstd) as a source of files. Nothing is unpacked to the file system, nothing
 * outside of the archive is named, and what a stranger's archive can make the
 * program do is bounded (the limits below). Archives inside of archives are
 * files like others.
 *
 * Names are UTF-8, `/` between parts. Where the archive does not say in what
 * its names are written, those that are not UTF-8 are taken as CP932, as
 * Windows in Japan writes them.
 */
#ifndef ODORI_ARCHIVE_H
#define ODORI_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/source.h"

enum {
    ARCHIVE_HEAD = 512,           /* first bytes of a file to give to archive_is, where it has as many */
    ARCHIVE_ENTRIES_MAX = 65536,  /* in one archive, folders counted */
    ARCHIVE_ENTRY_MAX = 1 << 30,  /* bytes of one file */
    ARCHIVE_TOTAL_MAX_GIB = 8,    /* of all files */
    ARCHIVE_RATIO_MAX = 1200,     /* all files to the archive; deflate's best is 1,032 */
    ARCHIVE_RATIO_FROM = 1 << 28, /* bytes of all files above which the ratio is checked */
    ARCHIVE_KEPT_MAX = 1 << 29,   /* bytes kept in memory of files unpacked on the way to another */
};

typedef struct archive_handle archive_handle;

/* Tells whether a file that begins with these bytes is an archive. Any thread. */
bool archive_is(const void *head, size_t size);

/*
 * Opens an archive and reads what is in it. MMD_ERROR_NOT_FOUND and
 * MMD_ERROR_IO of the file; MMD_ERROR_SYNTAX: damaged, or no archive;
 * MMD_ERROR_LIMIT; MMD_ERROR_UNSUPPORTED: encrypted, or a kind of packing that
 * libarchive does not know; MMD_ERROR_MEMORY. The caller sets error's file. The
 * archive's file stays open until archive_close, which takes NULL too.
 */
mmd_status archive_open(const char *path, archive_handle **archive, mmd_error *error);
void archive_close(archive_handle *archive);

/* Opens an archive in memory, which must outlive it. */
mmd_status archive_open_memory(const void *data, size_t size, archive_handle **archive, mmd_error *error);

/* A file of an archive. */
typedef struct archive_file {
    const char *name;
    uint64_t size;  /* as the archive says */
    uint32_t index; /* of its header in the archive */
    bool encrypted;
} archive_file;

/* Lists the files in byte order of their names. Valid until archive_close. */
const archive_file *archive_files(const archive_handle *archive, size_t *count);

/* Counts entries that are left out: names that leave the archive or are too long, links, devices. */
size_t archive_left_out(const archive_handle *archive);

/*
 * Makes a source over an archive, which closes it at its end. NULL: out of memory;
 * the archive is closed then, too. Any thread may read and list; readers wait
 * for each other. Reading goes on from the file read before, or from the
 * archive's beginning; what is unpacked on the way is kept up to
 * ARCHIVE_KEPT_MAX.
 */
mmd_source *archive_source(archive_handle *archive);

/* Reads one file of archive_files. Any thread. */
mmd_status archive_read_file(archive_handle *archive, const archive_file *file, mmd_bytes *bytes,
                             mmd_error *error);

/* Tells whether a text is UTF-8 as Unicode defines it: nothing overlong, no surrogates. */
bool archive_name_is_utf8(const char *text);

/*
 * Makes a name of a file as the program uses it: from CP932 where cp932 says so
 * (else it is UTF-8 already), `\` as `/`, without drive letter, leading and
 * doubled `/`, `.` and followed `..`. False: it leads out of the archive, names
 * nothing, or takes more than MMD_PATH_MAX bytes.
 */
bool archive_name_clean(const char *name, bool cp932, char clean[MMD_PATH_MAX]);

#endif
