/*
 * Sources of files: reading a file by name. Models load their textures from a source. Folders and memory are
 * implemented here, archives in mmd/archive.h.
 */
#ifndef MMD_SOURCE_H
#define MMD_SOURCE_H

#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the longest path of a file, with its NUL; as on Linux. Windows' own PATH_MAX is 260. */
enum { MMD_FILE_PATH_MAX = 4096 };

/* The contents of a file. Free with mmd_bytes_finish. Zeroed is valid and empty. */
typedef struct mmd_bytes {
    uint8_t *data;
    size_t size;
} mmd_bytes;

void mmd_bytes_finish(mmd_bytes *bytes);

/*
 * Opens a regular file for reading, without ever waiting. Refuses folders, pipes, sockets, devices, and files that
 * the system makes up, as in /proc and /sys. *file is a descriptor that the caller closes. Fails with
 * MMD_ERROR_NOT_FOUND and MMD_ERROR_IO.
 */
mmd_status mmd_file_open(const char *path, int *file, mmd_error *error);

/* Reads the first bytes of a regular file, as many as there are but at most capacity. *size is their number, 0 on
 * failure. Fails as mmd_file_open does. */
mmd_status mmd_file_read_head(const char *path, void *head, size_t capacity, size_t *size, mmd_error *error);

/* Reads a whole regular file. Fails as mmd_file_open does, with MMD_ERROR_IO also if its size changes meanwhile, and
 * with MMD_ERROR_LIMIT (over 2 GiB) and MMD_ERROR_MEMORY. */
mmd_status mmd_file_read(const char *path, mmd_bytes *bytes, mmd_error *error);

/*
 * Writes a file atomically, so that nobody sees an incomplete one. Where the file system allows, it has no
 * name until it is complete (O_TMPFILE), so an aborted process leaves nothing behind. Elsewhere it has a hidden
 * name in the same folder that nobody can guess, and is renamed. Fails with MMD_ERROR_IO.
 */
mmd_status mmd_file_write(const char *path, const void *data, size_t size, mmd_error *error);

/*
 * A source of files. Users call the functions below. An implementation provides read, list and destroy, which
 * get self as their first argument.
 */
typedef struct mmd_source mmd_source;
typedef struct mmd_source_ops {
    /* Reads the file with exactly this name ("tex/a.png", with `/`). */
    mmd_status (*read)(void *self, const char *name, mmd_bytes *bytes, mmd_error *error);
    /*
     * Calls visit for every direct entry of a folder ("" is the root, "tex") with its last name part and
     * whether it is a folder, until visit returns false. Returns false if there is no such folder.
     */
    bool (*list)(void *self, const char *folder, bool (*visit)(void *user, const char *entry, bool is_folder),
                 void *user);
    void (*destroy)(void *self); /* may be NULL */
} mmd_source_ops;

/* Creates a source from ops (not copied) and self, which ops->destroy receives at the end. Returns NULL when
 * out of memory. */
mmd_source *mmd_source_create(const mmd_source_ops *ops, void *self);

/* Creates a source of the files below a folder of the file system ("" or "." is the current one). Returns
 * NULL when out of memory. */
mmd_source *mmd_source_folder(const char *path);

/* A named block of memory. Names and data are not copied and must outlive the source. */
typedef struct mmd_memory_file {
    const char *name;
    const void *data;
    size_t size;
} mmd_memory_file;
/* Creates a source of blocks of memory. Returns NULL when out of memory. */
mmd_source *mmd_source_memory(const mmd_memory_file *files, size_t count);

void mmd_source_destroy(mmd_source *source); /* NULL is allowed */

/*
 * Reads the file with exactly this name. Fails with the errors of the source, with error->file set to name.
 */
mmd_status mmd_source_read(mmd_source *source, const char *name, mmd_bytes *bytes, mmd_error *error);

/*
 * Calls visit for every direct entry of a folder ("" is the root), in the source's order, until it returns
 * false. Returns false if there is no such folder.
 */
bool mmd_source_list(mmd_source *source, const char *folder,
                     bool (*visit)(void *user, const char *entry, bool is_folder), void *user);

/*
 * Tells the source which files will be read next, and writes the order in which this costs least: order[i] is
 * the index of the i-th one. An archive may have to unpack everything in front of a file to reach it; in this
 * order it unpacks each file once. names are as from mmd_source_find; NULL stands for a file that will not be
 * read, and comes first. Each call replaces the one before.
 */
void mmd_source_plan(mmd_source *source, const char *const *names, size_t count, uint32_t *order);

/* Plans the reading for a source: order has the order of the names, NULLs first, and may be changed. */
typedef void mmd_source_planner(void *self, const char *const *names, size_t count, uint32_t *order);

/* Sets the planner of a source; NULL (as at first): every order costs the same. */
void mmd_source_set_planner(mmd_source *source, mmd_source_planner *planner);

enum { MMD_PATH_MAX = 1024 };

/*
 * Finds the file for a name in a model. `\` and `/` are equal, `.` and `..` are resolved (not above the
 * root). Each part matches the entry with exactly this name, else one that differs only in Unicode form (NFC,
 * NFD), else one that differs also in case (the first in byte order). Writes the entry's actual name to path
 * and returns true. Returns false if there is none, it is longer than MMD_PATH_MAX, or it is not permitted.
 *
 * Each folder is listed once, when it is first searched, and the source keeps the list, of up to 500,000
 * entries in all; other folders are not searched then. mmd_source_forget
 * drops all lists, so that files made since then are found. Searching and forgetting is for one thread at a
 * time.
 */
bool mmd_source_find(mmd_source *source, const char *name, char path[MMD_PATH_MAX]);
void mmd_source_forget(mmd_source *source);

/* Finds a file likewise, relative to a folder of the source ("" and "." are the root). */
bool mmd_source_find_from(mmd_source *source, const char *folder, const char *name, char path[MMD_PATH_MAX]);

/* Finds a file likewise, or says why not: MMD_ERROR_NOT_FOUND, MMD_ERROR_REFUSED (the name is absolute, leads
 * above the root or is not permitted), MMD_ERROR_LIMIT (too many entries), MMD_ERROR_MEMORY, or what permit
 * returns. The error's file is left "". */
mmd_status mmd_source_look_up(mmd_source *source, const char *folder, const char *name,
                              char path[MMD_PATH_MAX], mmd_error *error);

/*
 * Decides which files a model may name. It is asked before each search, with the name as the model has it,
 * the folder that it is relative to, and path NULL; and again with the path that was found, or with the one
 * that was looked for, so that it can say that a link leads out. Whatever it returns instead of MMD_OK, with
 * its error, is what the search returns: MMD_ERROR_REFUSED for a rule. The source's own read has to keep to
 * the same rule, because it can be called with any name.
 */
typedef mmd_status mmd_source_permit(void *self, const char *folder, const char *name, const char *path,
                                     mmd_error *error);

/* Sets that decision for a source; NULL (as at first): every file of the source may be named. */
void mmd_source_set_permit(mmd_source *source, mmd_source_permit *permit);

/*
 * Tells the source that its root has this folder, so that files in it are found without listing the root. Its
 * entries have a limit of their own: what lies beside it does not count. The text is not copied and must
 * outlive the source; NULL (as at first): none is known.
 */
void mmd_source_set_own(mmd_source *source, const char *folder);

/*
 * mmd_path_folder writes the folder of a path ("a/b.pmx" → "a", "b.pmx" → "."), cut at capacity.
 * mmd_path_name returns its last part, a pointer into path.
 */
void mmd_path_folder(const char *path, char *folder, size_t capacity);
const char *mmd_path_name(const char *path);

/* Tests whether a resolved path is that of a resolved folder, or is below it. */
bool mmd_path_is_inside(const char *path, const char *folder);

#ifdef __cplusplus
}
#endif

#endif
