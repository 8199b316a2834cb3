/* A progress bar on stderr, where that is a terminal, for work that takes over a second. */
#ifndef ODORI_PROGRESS_H
#define ODORI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
    size_t total, skipped;
    double started, shown; /* seconds; when the bar was last drawn, or 0 */
    bool terminal;
} progress;

/* Starts a bar for so many items; progress_show draws it, from a second on. */
progress progress_start(size_t total);
void progress_show(progress *p, size_t done);
void progress_skip(progress *p, size_t count); /* items done without work, left out of the time estimate */
void progress_finish(progress *p);             /* wipes the bar */

#endif
