/*
 * Files that change on disk while they are played: modellers save and look.
 * What a file holds takes the place of what it held, at the same frame; edits,
 * camera and view stay. A file that cannot be read is told of, and nothing
 * changes.
 */
#ifndef ODORI_WATCH_H
#define ODORI_WATCH_H

#include "edit/session.h"

typedef struct file_watch file_watch;

file_watch *watch_create(void);        /* NULL: out of memory */
void watch_destroy(file_watch *watch); /* NULL is allowed */

/*
 * Looks twice a second whether anything that the scene was made of (models, what
 * they name, motions, the sound, archives that hold them) was written, and has
 * it read again once it is not written any more. now: seconds of a clock.
 */
void watch_poll(file_watch *watch, odori_session *s, double now);

/* Reads all files of the scene again. False: why in error (REFUSAL_MAX bytes), and nothing has changed.
 */
bool watch_read_all(odori_session *s, char *error);

#endif
