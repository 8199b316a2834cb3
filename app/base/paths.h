/* Paths and folders of files that the program writes. */
#ifndef ODORI_PATHS_H
#define ODORI_PATHS_H

#include <stdbool.h>

#include "mmd/memory.h"
#include "mmd/source.h"
#include "options.h"

/* Creates a folder and its missing parents. False: it failed, which was reported. */
bool path_make_folder(const char *path);

/* Creates a folder whose parent exists. False: it failed, which was reported. */
bool path_make_subfolder(const char *path);

/* Writes "folder/name" to text (MMD_FILE_PATH_MAX bytes), which cuts it when it is longer. Returns text. */
char *path_join(char *text, const char *folder, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 3, 4)))
#endif
    ;

/*
 * Resolves links and ".." in a path, of which the last parts need not exist yet. Returns false if the path is
 * too long, if a link in it leads nowhere, or if ".." is behind a missing part.
 */
bool path_resolve(const char *path, char resolved[MMD_FILE_PATH_MAX]);

/*
 * Replaces each '\' of a path that a file of another system may name by '/'. Where '\' can be in names, the
 * path stays if something lies at full, the path from here. Returns whether anything was replaced.
 */
bool path_tidy_foreign(char *path, const char *full);

/* The folders that the files which a stranger's file names have to be in, links resolved. */
typedef struct path_scope {
    text_list folders;  /* resolved */
    const char *option; /* option that adds a folder, for messages: "--root" */
} path_scope;

/* Adds a folder, which need not exist yet. Returns false if its path cannot be resolved, or out of memory.
 * The text is in the arena. */
bool path_scope_add(path_scope *scope, const char *folder, mmd_arena *arena);

enum { PATH_WHY_MAX = 2048 };

/* Returns whether a path may be looked at: it contacts no server on which none of the folders lies
 * (platform_path_is_remote). */
bool path_scope_reaches(const path_scope *scope, const char *path);

/* Tests whether a path, links resolved, is in one of the folders. If not, writes a clause that says where it
 * leads ("leads to ...") and what to do. A path on a server is not looked at (path_scope_reaches). */
bool path_scope_has(const path_scope *scope, const char *path, char why[PATH_WHY_MAX]);

#endif
