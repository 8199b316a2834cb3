/*
 * An archive (zip, 7z, rar, rar5, tar as it is or packed by gzip, bzip2, xz or
 * zstd) as a source of files. Nothing is unpacked to the file system, nothing
 * outside of the archive is named, and what a stranger's archive can make the
 * program do is bounded (PACK_*_MAX): archives inside of archives are files
 * like others.
 *
 * Names are UTF-8, `/` between parts. Where the archive does not say in what
 * its names are written, those that are not UTF-8 are taken as CP932, as
 * Windows in Japan writes them.
 */
#ifndef ODORI_PACK_H
#define ODORI_PACK_H

#include "mmd/source.h"

enum {
    PACK_HEAD = 512,           /* bytes that pack_is wants, where the file has them */
    PACK_ENTRIES_MAX = 65536,  /* in one archive, folders counted */
    PACK_ENTRY_MAX = 1 << 30,  /* bytes of one file */
    PACK_TOTAL_MAX_GIB = 8,    /* of all files */
    PACK_RATIO_MAX = 1200,     /* all files to the archive; deflate's best is 1,032 */
    PACK_RATIO_FROM = 1 << 28, /* bytes of all files from which the ratio counts */
    PACK_KEPT_MAX = 1 << 29,   /* bytes kept of what was passed on the way to a file */
};

typedef struct pack pack;

/* Whether a file that begins with these bytes is an archive. Any thread. */
bool pack_is(const void *head, size_t size);

/*
 * Opens an archive and reads what is in it. MMD_ERROR_NOT_FOUND and
 * MMD_ERROR_IO of the file; MMD_ERROR_SYNTAX: damaged, or no archive;
 * MMD_ERROR_LIMIT; MMD_ERROR_UNSUPPORTED: encrypted, or a kind of packing that
 * libarchive does not know; MMD_ERROR_MEMORY. error's file is left to the
 * caller. The file stays open until pack_close. NULL is allowed there.
 */
mmd_status pack_open(const char *path, pack **archive, mmd_error *error);
void pack_close(pack *archive);

/* The same over memory, which must outlive it. */
mmd_status pack_open_memory(const void *data, size_t size, pack **archive, mmd_error *error);

/* Files, in byte order of their names. Valid until pack_close. */
typedef struct pack_file {
    const char *name;
    uint64_t size;  /* as the archive says */
    uint32_t index; /* of its header in the archive */
    bool encrypted;
} pack_file;
const pack_file *pack_files(const pack *archive, size_t *count);

/* Entries that have no place here: names that leave the archive or are too long, links, devices. */
size_t pack_left_out(const pack *archive);

/*
 * A source over an archive, which closes it at its end. NULL: out of memory;
 * the archive is closed then, too. Any thread may read and list; readers wait
 * for each other. Reading a file costs going there from the one read before,
 * or from the archive's beginning; what had to be unpacked on the way is kept
 * up to PACK_KEPT_MAX.
 */
mmd_source *pack_source(pack *archive);

/* Reads one file of pack_files. Any thread. */
mmd_status pack_read_file(pack *archive, const pack_file *file, mmd_bytes *bytes, mmd_error *error);

#endif
