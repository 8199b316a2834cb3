/*
 * A file that is being written, and takes the place of another one when it is complete. It has no name
 * meanwhile, as Linux allows, so nothing of it is left however the process ends. Where the
 * file system cannot do that, it has a hidden name beside its target that nobody can guess. Not a public
 * header: the program uses it too.
 */
#ifndef MMD_FILE_DRAFT_H
#define MMD_FILE_DRAFT_H

#include <stdbool.h>

#include "mmd/source.h"

typedef struct file_draft {
    int file;                          /* descriptor for writing; -1 for none */
    int link;                          /* of the helper that made it; 0: this process did */
    char temporary[MMD_FILE_PATH_MAX]; /* its name; "" while it has none */
} file_draft;

/* Creates a draft in the folder of target. It is locked (platform_lock) until it is closed. The first one of
 * a process sweeps the folder. Returns false with errno set. */
bool file_draft_open(file_draft *draft, const char *target, unsigned mode);

/* Puts the complete draft in place of target, which is not a link, and closes it. Returns false with errno
 * set, in which case nothing is left of the draft. */
bool file_draft_finish(file_draft *draft, const char *target);

/* Closes and removes a draft. Keeps errno. A handler of a signal may call it. */
void file_draft_drop(file_draft *draft);

/*
 * Removes the drafts that killed processes left in a folder. A draft belongs to nobody if its name has the
 * form of one, it is a regular file of this user, and its lock is free.
 */
void file_draft_sweep(const char *folder);

/* What makes drafts in folders in which this process may not write. The functions return 0 or an errno value.
 */
typedef struct file_draft_helper {
    /* Fills in file and link. Returns FILE_DRAFT_OWN if this process has to make the draft itself. */
    int (*open)(file_draft *draft, const char *target, unsigned mode);
    /* Puts the draft of a link in place, or drops it. */
    int (*end)(int link, bool keeps);
} file_draft_helper;

enum { FILE_DRAFT_OWN = -1 };

/* Sets the helper of all drafts that are opened afterwards. */
void file_draft_set_helper(const file_draft_helper *helper);

#endif
