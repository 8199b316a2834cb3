/*
 * Reloads files that change on disk while the scene is shown, so that a modeller sees each saved version.
 * Frame, edits, camera and view stay. A file that cannot be read is reported, and nothing changes.
 */
#ifndef ODORI_WATCH_H
#define ODORI_WATCH_H

#include "edit/session.h"

typedef struct file_watch file_watch;

file_watch *watch_create(void);        /* NULL: out of memory */
void watch_destroy(file_watch *watch); /* does nothing when NULL */

/*
 * Checks twice a second whether a file of the scene (models and their textures, motions, audio, archives) was
 * written, and reloads it once it is not being written any more. now: seconds of a monotonic clock.
 */
void watch_poll(file_watch *watch, odori_session *s, double now);

/* Reloads all files of the scene. On failure returns false with the reason in error (REFUSAL_MAX bytes), and
 * nothing changes.
 */
bool watch_read_all(odori_session *s, char *error);

#endif
