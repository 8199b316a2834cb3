/*
 * Tells that something in one of several folders may have changed, without looking at it: a thread sleeps
 * until the system reports it (inotify), and then wakes somebody. Where the system reports nothing, as on
 * disks of other computers, the caller has to look by itself.
 */
#ifndef ODORI_FOLDER_WATCH_H
#define ODORI_FOLDER_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct folder_watch folder_watch;

/* Starts watching no folder. wake is called on another thread, once for each time that folder_watch_take is
 * going to return true. Returns NULL when there is no such facility. */
folder_watch *folder_watch_create(void (*wake)(void *user), void *user);
void folder_watch_destroy(folder_watch *w); /* does nothing when NULL */

/* Forgets all folders. */
void folder_watch_clear(folder_watch *w);
/* Adds the folder of a file, and that of the file which it is a link to. */
void folder_watch_add_file(folder_watch *w, const char *path);

/* Returns whether changes in all added folders are reported: none is on another computer, has been refused,
 * or has gone since. */
bool folder_watch_is_complete(folder_watch *w);
/* Returns whether something may have changed since the last call. */
bool folder_watch_take(folder_watch *w);
/* Returns the same, and leaves it so. */
bool folder_watch_is_stirred(folder_watch *w);

#endif
