/*
 * Reloads files that change on disk while the scene is shown, so that a modeller sees each saved version.
 * Frame, edits, camera and view stay. A file that cannot be read is reported, and nothing changes.
 */
#ifndef ODORI_WATCH_H
#define ODORI_WATCH_H

#include "edit/session.h"

typedef struct file_watch file_watch;

/* wake is called on another thread when watch_poll is to be called, although watch_wait allowed to sleep.
 * Returns NULL when out of memory. */
file_watch *watch_create(void (*wake)(void *user), void *user);
void watch_destroy(file_watch *watch); /* does nothing when NULL */

/*
 * Checks, at most twice a second, whether a file of the scene (models and their textures, motions, audio,
 * archives) was written, and reloads it once it is not being written any more. now: seconds of a monotonic
 * clock.
 */
void watch_poll(file_watch *watch, odori_session *s, double now);

/* Returns the seconds after which watch_poll must be called again. INFINITY: when somebody wakes. */
double watch_wait(const file_watch *watch, const odori_session *s, double now);

/* Reloads all files of the scene. On failure returns false with the reason in error (REFUSAL_MAX bytes), and
 * nothing changes.
 */
bool watch_read_all(odori_session *s, char *error);

#endif
