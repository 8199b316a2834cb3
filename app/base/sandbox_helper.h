/*
 * A process outside of the sandbox that writes for the one inside. Landlock's rights hold for everything
 * below a folder, so whoever may write into the home folder could also change .bashrc. The process inside
 * therefore gets no right there. The helper creates drafts (file_draft.h) for it, passes their descriptors,
 * and puts them in place, but only under the names that were added before.
 */
#ifndef ODORI_SANDBOX_HELPER_H
#define ODORI_SANDBOX_HELPER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum helper_names {
    HELPER_FILE,     /* exactly one */
    HELPER_NUMBERED, /* those with a number between a beginning and an end */
    HELPER_NEW,      /* new files that are not hidden, in folders that are not hidden either */
    HELPER_EMPTY     /* none: the folder itself is removed at the end if it is empty */
} helper_names;

/* Forgets all names. Call it before folders are created (output.h): exit removes those first. */
void sandbox_helper_begin(void);

/* Adds names in a folder that exists. What was added first comes first. end: of HELPER_NUMBERED. Returns
 * false if there are too many, or if one is too long. */
bool sandbox_helper_add(helper_names names, const char *folder, const char *begin, const char *end);

/* Returns the number of folders in which names were added, and the i-th of them. */
size_t sandbox_helper_count(void);
const char *sandbox_helper_folder(size_t i);

/*
 * Starts the helper, if names were added, and lets files be written through it. It ends with this process, in
 * whatever way. The process must have one thread and must not be in the sandbox yet, whose
 * list gets the drafts of single files: ffmpeg opens them again. Returns false if it cannot be started.
 */
bool sandbox_helper_start(void);

/* Ends the helper, if this process started one, when it has removed what is incomplete. A handler of a signal
 * may call it. */
void sandbox_helper_end(void);

#endif
