/* The last messages, for the player's panels. Threads may write at the same time. */
#ifndef ODORI_PANEL_LOG_H
#define ODORI_PANEL_LOG_H

#include <stdatomic.h>
#include <stddef.h>

#include "mmd/log.h"

enum { PANEL_LOG_LINES = 64, PANEL_LOG_LINE_MAX = 400 };

typedef struct panel_log {
    mmd_log behind; /* also gets everything */
    atomic_flag lock;
    size_t count; /* ever written */
    char lines[PANEL_LOG_LINES][PANEL_LOG_LINE_MAX];
} panel_log;

/* A log that keeps what it tells to another one. log is initialised, must outlive what is returned. */
mmd_log panel_log_start(panel_log *log, const mmd_log *behind);

/* Adds a line; one that is the same as the last is not told twice. */
void panel_log_add(panel_log *log, const char *text);

/* Tells the terminal, as message(), and adds it. log NULL: only the terminal. */
void panel_log_tell(panel_log *log, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Pointers to the lines kept, oldest first; returns how many. Meant for the thread that shows them: a line
 * may be replaced while it is read, but always ends. */
size_t panel_log_lines(panel_log *log, const char *lines[PANEL_LOG_LINES]);

#endif
