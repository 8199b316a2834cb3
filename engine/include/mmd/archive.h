/*
 * Archives (zip, 7z, rar, rar5, and tar, plain or compressed with gzip, bzip2, xz or zstd) as sources of
 * files. Nothing is unpacked to the file system, no name leads out of the archive, and the limits below bound
 * the time and memory that a stranger's archive can take. Archives inside of archives are ordinary files.
 *
 * Names are UTF-8, with `/` between parts. If the archive does not declare the encoding of its names, those
 * that are not valid UTF-8 are read as CP932, which Japanese Windows uses.
 *
 * The list of shared archives, the number of holds and the bytes in caches are the only state of the module,
 * and belong to the process. A build without libarchive (ODORI_ARCHIVES=OFF) takes no file for an archive,
 * and opens none: MMD_ERROR_UNSUPPORTED.
 */
#ifndef MMD_ARCHIVE_H
#define MMD_ARCHIVE_H

#include "mmd/source.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MMD_ARCHIVE_HEAD = 512, /* number of first bytes that mmd_archive_is needs, if the file has as many */
    MMD_ARCHIVE_ENTRIES_MAX = 65536,  /* entries in one archive, including folders */
    MMD_ARCHIVE_ENTRY_MAX = 1 << 30,  /* bytes of one file; of small archives fewer: */
    MMD_ARCHIVE_ENTRY_RATIO = 100,    /* as many times the size of the archive, but at least */
    MMD_ARCHIVE_ENTRY_FROM = 1 << 29, /* as many bytes */
    MMD_ARCHIVE_TOTAL_MAX_GIB = 8,    /* GiB of all files together */
    MMD_ARCHIVE_RATIO_MAX =
        1200, /* size of all files relative to the archive; deflate reaches at most 1,032 */
    MMD_ARCHIVE_RATIO_FROM = 1 << 28,  /* the ratio is checked above this size of all files, in bytes */
    MMD_ARCHIVE_LARGE_RATIO_MAX = 200, /* the same above ... */
    MMD_ARCHIVE_LARGE_FROM_GIB = 2,    /* as many GiB of all files */
    MMD_ARCHIVE_KEPT_MAX =
        1 << 28, /* bytes that all open archives together cache: files unpacked on the way */
};

typedef struct mmd_archive mmd_archive;

/* Tests whether a file that begins with these bytes is an archive. Any thread. */
bool mmd_archive_is(const void *head, size_t size);

/*
 * Opens an archive and lists its contents. MMD_ERROR_NOT_FOUND and MMD_ERROR_IO for the file itself;
 * MMD_ERROR_SYNTAX: damaged, or no archive; MMD_ERROR_LIMIT; MMD_ERROR_UNSUPPORTED: encrypted, or an unknown
 * compression; MMD_ERROR_MEMORY. The caller sets the error's file. The file stays open until
 * mmd_archive_close, which accepts NULL.
 */
mmd_status mmd_archive_open(const char *path, mmd_archive **archive, mmd_error *error);
void mmd_archive_close(mmd_archive *archive);

/*
 * Opens an archive like mmd_archive_open, or returns one that is open already if it is the same unchanged
 * file. Between mmd_archives_hold and mmd_archives_release, archives that nobody uses stay open, so that each
 * is listed and unpacked once. Any thread; calls may be nested.
 */
mmd_status mmd_archive_open_shared(const char *path, mmd_archive **archive, mmd_error *error);
void mmd_archives_hold(void);
void mmd_archives_release(void);

/* What was unpacked so far. */
typedef struct mmd_archive_work {
    uint64_t passes; /* how often the archive was read from its beginning, listing included */
    uint64_t reads;  /* how often a file of it was unpacked */
} mmd_archive_work;

mmd_archive_work mmd_archive_get_work(mmd_archive *archive);

/* Returns the bytes that all open archives have cached, at most MMD_ARCHIVE_KEPT_MAX. Any thread. */
uint64_t mmd_archives_kept(void);

/* Opens an archive in memory, which must outlive it. */
mmd_status mmd_archive_open_memory(const void *data, size_t size, mmd_archive **archive, mmd_error *error);

/* A file of an archive. */
typedef struct mmd_archive_file {
    const char *name;
    uint64_t size;  /* as declared in the archive */
    uint32_t index; /* index of its header in the archive */
    bool encrypted;
} mmd_archive_file;

/* Returns the files in byte order of their names. Valid until mmd_archive_close. */
const mmd_archive_file *mmd_archive_files(const mmd_archive *archive, size_t *count);

/*
 * Returns the number of entries left out: names that lead out of the archive or are too long, links, devices.
 */
size_t mmd_archive_left_out(const mmd_archive *archive);

/*
 * Creates a source over an archive, which then owns it. Returns NULL if out of memory; the archive is closed
 * then, too. Any thread may read and list; concurrent readers wait for each other. Reading continues from the
 * last file, or from the beginning; files unpacked on the way are cached, up to MMD_ARCHIVE_KEPT_MAX
 * for all archives together, if their endings are those of files that something can name.
 * mmd_source_plan orders files as they are in the archive.
 */
mmd_source *mmd_source_archive(mmd_archive *archive);

/* Reads one file of mmd_archive_files. Any thread. */
mmd_status mmd_archive_read_file(mmd_archive *archive, const mmd_archive_file *file, mmd_bytes *bytes,
                                 mmd_error *error);

/* Tests whether a text is valid UTF-8 by the Unicode Standard: nothing overlong, no surrogates. */
bool mmd_archive_name_is_utf8(const char *text);

/*
 * Normalises a name of an archive: decodes CP932 if cp932 is set (otherwise it must be UTF-8), converts `\`
 * to `/`, and removes drive letters, leading and double `/`, `.` and resolved `..`. Returns false if the name
 * leads out of the archive, is empty, or takes more than MMD_PATH_MAX bytes.
 */
bool mmd_archive_name_clean(const char *name, bool cp932, char clean[MMD_PATH_MAX]);

#ifdef __cplusplus
}
#endif

#endif
