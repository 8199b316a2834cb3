/*
 * mmd_source: open a name, get bytes. Models ask a source for their textures;
 * a folder or memory here, an archive in the program.
 */
#ifndef MMD_SOURCE_H
#define MMD_SOURCE_H

#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a file, read whole. Free with mmd_bytes_finish; zeroed is valid and empty. */
typedef struct mmd_bytes {
    uint8_t *data;
    size_t size;
} mmd_bytes;

void mmd_bytes_finish(mmd_bytes *bytes);

/* Reads a file of the file system. MMD_ERROR_NOT_FOUND, MMD_ERROR_IO, MMD_ERROR_LIMIT (over 2 GiB),
 * MMD_ERROR_MEMORY. */
mmd_status mmd_file_read(const char *path, mmd_bytes *bytes, mmd_error *error);

/*
 * Writes a file whole, so that nobody ever sees half of it: without a name
 * until it is (O_TMPFILE), where the file system can; a process that ends in
 * between then leaves nothing. Elsewhere as `.mmd-PID-N.tmp` in the same
 * folder, then renamed. MMD_ERROR_IO.
 */
mmd_status mmd_file_write(const char *path, const void *data, size_t size, mmd_error *error);

/*
 * A place that files come from. For users: the functions below. For those who
 * implement one: read, list and destroy with self as their first argument.
 */
typedef struct mmd_source mmd_source;
typedef struct mmd_source_ops {
    /* Reads the file with exactly this name ("tex/a.png": `/` between parts). */
    mmd_status (*read)(void *self, const char *name, mmd_bytes *bytes, mmd_error *error);
    /*
     * Calls visit for every entry directly in folder ("" is the root, "tex"),
     * with its last part and whether it is a folder. False where there is no
     * such folder. Stops when visit returns false.
     */
    bool (*list)(void *self, const char *folder, bool (*visit)(void *user, const char *entry, bool is_folder),
                 void *user);
    void (*destroy)(void *self); /* may be NULL */
} mmd_source_ops;

/* A source over ops and self; ops are kept by pointer, self is handed to ops->destroy at the end. NULL: out
 * of memory. */
mmd_source *mmd_source_create(const mmd_source_ops *ops, void *self);

/* Files below a folder of the file system ("" or "." is the current one). NULL: out of memory. */
mmd_source *mmd_source_folder(const char *path);

/* Named blocks of memory: names and data are not copied and must outlive the source. */
typedef struct mmd_memory_file {
    const char *name;
    const void *data;
    size_t size;
} mmd_memory_file;
mmd_source *mmd_source_memory(const mmd_memory_file *files, size_t count);

void mmd_source_destroy(mmd_source *source); /* NULL is allowed */

/* Reads the file with exactly this name. Errors of the source; error->file is set to name. */
mmd_status mmd_source_read(mmd_source *source, const char *name, mmd_bytes *bytes, mmd_error *error);

/*
 * Calls visit for every entry directly in folder ("" is the root), in the
 * source's own order, until it returns false. False where there is no such folder.
 */
bool mmd_source_list(mmd_source *source, const char *folder,
                     bool (*visit)(void *user, const char *entry, bool is_folder), void *user);

enum { MMD_PATH_MAX = 1024 };

/*
 * Finds the file that a model means by name: `\` and `/` alike, `.` and `..`
 * followed (never above the root), then part by part the exact entry, else one
 * equal but for Unicode form (NFC, NFD), else one equal but for case too (the
 * first in byte order). On success writes the entry's true name to path and
 * returns true. False: none, or longer than MMD_PATH_MAX.
 */
bool mmd_source_find(mmd_source *source, const char *name, char path[MMD_PATH_MAX]);

/* The same for a name as it is meant in a folder of the source ("" and "." are the root). */
bool mmd_source_find_from(mmd_source *source, const char *folder, const char *name, char path[MMD_PATH_MAX]);

/*
 * Folder of a path ("a/b.pmx" → "a", "b.pmx" → "."), cut to capacity; and its
 * last part, a pointer into path.
 */
void mmd_path_folder(const char *path, char *folder, size_t capacity);
const char *mmd_path_name(const char *path);

#ifdef __cplusplus
}
#endif

#endif
