/*
 * What is in a folder, or in an archive as if it were one: entries sorted as people expect, and a filter by
 * what somebody types. Files are only looked at from outside: none is opened, except for an archive that is
 * listed itself. All functions may be called from any thread.
 */
#ifndef ODORI_FOLDER_H
#define ODORI_FOLDER_H

#include <stdatomic.h>

#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "mmd/status.h"

/* Entries beyond this number are left out. */
enum { FOLDER_ENTRIES_MAX = 100000 };

typedef struct folder_entry {
    const char *name;   /* as it is on disk, in any encoding; in an archive UTF-8 */
    const char *label;  /* the same to be shown: UTF-8, with control characters escaped */
    const char *folded; /* the same to be sorted and found: compatible forms and cases are alike */
    bool is_folder;
    bool is_hidden;    /* its name begins with a dot */
    bool is_encrypted; /* a file of an archive that needs a password */
    /* By its ending. MMD_NAME_OTHER: a folder; MMD_NAME_TEXTURE: a picture beside a model. */
    mmd_name_kind kind;
    uint64_t size; /* bytes; 0 for a folder */
    int64_t time;  /* of the last change, seconds since 1970; 0: not known, as in archives */
} folder_entry;

/* A folder that was listed. */
typedef struct folder_contents {
    char path[MMD_FILE_PATH_MAX];
    folder_entry *entries; /* folders first, then by name: "2" before "10", whatever the case */
    size_t count;
    size_t left_out; /* entries that can be neither opened nor entered: pipes, devices, broken links */
    bool is_cut;     /* there are more than FOLDER_ENTRIES_MAX */
    bool in_archive;
    struct mmd_archive *archive; /* keeps the archive open while its list is shown; NULL: it is none */
    mmd_arena arena;
} folder_contents;

/*
 * Reads a folder, an archive, or a folder in an archive ("miku.zip/tex"). `cancelled` may be NULL; once
 * it is set, reading ends early with MMD_ERROR_REFUSED. Fails with MMD_ERROR_NOT_FOUND, MMD_ERROR_IO, and the
 * errors of mmd_archive_open. Finish the contents in any case.
 */
mmd_status folder_read(const char *path, const atomic_bool *cancelled, folder_contents *contents,
                       mmd_error *error);
void folder_contents_finish(folder_contents *contents);

/* Writes the path of an entry. Returns false if it is too long. */
bool folder_entry_path(const folder_contents *contents, const folder_entry *entry,
                       char path[MMD_FILE_PATH_MAX]);

/* Which entries are shown. Zeroed: all but hidden ones. */
typedef struct folder_filter {
    const char *text; /* part of the name, in any case and Unicode form; NULL or "": any name */
    /* Bits 1u << mmd_name_kind; 0: all. Folders and archives are always shown, to be entered. */
    unsigned kinds;
    bool hidden; /* hidden ones, too */
} folder_filter;

/* Writes the indices of the entries that a filter lets through to shown (contents->count of them at most), in
 * their order. Returns their number. */
size_t folder_filter_apply(const folder_contents *contents, const folder_filter *filter, uint32_t *shown);

/* --- Paths --- */

/* Writes the folder or archive that a path is in. Returns false for the root. */
bool folder_parent(const char *path, char parent[MMD_FILE_PATH_MAX]);

/*
 * Writes the absolute path that a typed text means, without "." and "..": "~" is the home folder, a text that
 * is not absolute is relative to `folder`, and file URIs are decoded. Returns false for an empty text
 * and for a path that is too long.
 */
bool folder_typed(const char *text, const char *folder, char path[MMD_FILE_PATH_MAX]);

#endif
