/* A progress bar on stderr for work that takes more than a second. It is shown only when stderr is a terminal. */
#ifndef ODORI_PROGRESS_H
#define ODORI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
    size_t total, skipped; /* items in all, and items done without work */
    double started, shown; /* clock_seconds of the start and of the last drawing, 0 when not drawn yet */
    bool terminal;
} progress;

/* Starts a bar for total items. progress_show draws it once a second has passed. */
progress progress_start(size_t total);
void progress_show(progress *p, size_t done);
void progress_skip(progress *p, size_t count); /* excludes items done without work from the time estimate */
void progress_finish(progress *p);             /* erases the bar */

#endif
