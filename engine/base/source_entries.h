/* The entries of a source's folders, each listed once, for finding files by the names that models have. */
#ifndef MMD_BASE_SOURCE_ENTRIES_H
#define MMD_BASE_SOURCE_ENTRIES_H

#include "mmd/memory.h"
#include "mmd/source.h"

typedef struct source_folder source_folder;

/* Number of entries that are listed, and once more in the folder that is known. Links that lead back up make
 * a few folders endlessly deep, and each of a model's names may go another way through them. */
enum { SOURCE_ENTRIES_MAX = 500000 };

/* The folders that were looked into so far. Zeroed is valid and empty. */
typedef struct source_entries {
    mmd_arena arena;
    size_t listed;       /* number of entries of all folders but those in own */
    size_t own_listed;   /* number of entries of own and of the folders in it */
    source_folder *root; /* NULL: not listed yet */
    source_folder *own;  /* the folder that is known; NULL: not listed yet */
} source_entries;

/*
 * Finds a file by its path from the source's root, part by part (mmd_source_find says how), and writes the
 * names that its entries have to found. The parts of path are separated by single `/`. own is a folder of the
 * root that is known to be there, so that the root is not listed to find it; NULL: none. Fails with
 * MMD_ERROR_NOT_FOUND, MMD_ERROR_LIMIT (a further folder is not listed) and MMD_ERROR_MEMORY.
 */
mmd_status source_entries_find(source_entries *entries, mmd_source *source, const char *own, const char *path,
                               char found[MMD_PATH_MAX], mmd_error *error);

/* Forgets all folders. */
void source_entries_finish(source_entries *entries);

#endif
