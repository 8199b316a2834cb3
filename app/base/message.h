/*
 * Errors and messages of the program: exit codes, the problem that a function fills when it fails, messages
 * on stderr, and a log of the last messages for the player's panels. Functions below a subcommand fill a
 * problem and return false. The subcommand prints the problem and returns the exit code.
 */
#ifndef ODORI_MESSAGE_H
#define ODORI_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mmd/log.h"
#include "mmd/status.h"
#include "panel_message.h"

/* Exit codes. Scripts rely on them. */
enum {
    EXIT_DONE = 0,     /* success */
    EXIT_NO = 1,       /* the answer is no: pictures differ, a check failed */
    EXIT_USAGE = 2,    /* bad usage */
    EXIT_INPUT = 3,    /* bad input file */
    EXIT_FACILITY = 4, /* no OpenGL, no memory, or an output that cannot be written */
};

/* Prints "odori: " and a line to stderr. Control characters are escaped, and the text is cut at 2,000 bytes.
 */
void message(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 1, 2)))
#endif
    ;

/* Prints the sentence of an error to stderr and returns the exit code for its status. */
int report(const mmd_error *error);

/* Returns a log that prints messages up to a level to stderr. */
mmd_log stderr_log(mmd_log_level level);

/* --- Problems: an exit code and a sentence for the user --- */

enum { PROBLEM_MAX = 2000 };

typedef struct problem {
    int code;               /* EXIT_DONE: no problem */
    char text[PROBLEM_MAX]; /* what is wrong; "" when it was printed already */
} problem;

/* Each of the following fills the problem, unless an earlier one is in it, and returns false. */
bool problem_set(problem *p, int code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 3, 4)))
#endif
    ;
bool problem_from(problem *p, const mmd_error *error);
bool problem_out_of_memory(problem *p);

/* Prints the sentence of the problem to stderr and returns its exit code. */
int problem_report(const problem *p);

/* --- Refusals: why a command of the command table was refused --- */

/* Size of the buffer for a refusal in bytes, including the NUL. */
enum { REFUSAL_MAX = 256 };

/* Writes a sentence to error (REFUSAL_MAX bytes), which cuts it when it is longer. Returns false. */
bool refuse_with(char *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

/* --- The log of the player's panels. Several threads may write to it at the same time. --- */

enum { PANEL_LOG_LINES = 64, PANEL_LOG_LINE_MAX = 400 };

typedef struct panel_log_entry {
    message_kind kind;
    bool is_open;
    double ends; /* time when it closes; 0: not determined yet */
    char text[PANEL_LOG_LINE_MAX];
} panel_log_entry;

typedef struct panel_log {
    mmd_log behind; /* also receives every message */
    atomic_flag lock;
    size_t count;     /* messages so far, including overwritten ones */
    unsigned changes; /* how often the open ones have changed */
    panel_log_entry entries[PANEL_LOG_LINES];
} panel_log;

/* Initialises log. Returns a log that stores each message in it and passes it on to behind. log must outlive
 * the returned log. */
mmd_log panel_log_start(panel_log *log, const mmd_log *behind);

/* Adds a message, unless it equals the last one, which is opened again, or is a warning that is stored.
 * panel_log_add adds an edit. */
void panel_log_put(panel_log *log, message_kind kind, const char *text);
void panel_log_add(panel_log *log, const char *text);

/* Print a line to stderr, as message() does, and add it to log unless log is NULL: panel_log_report as an
 * error, panel_log_refuse as a refusal, panel_log_tell as news. */
void panel_log_report(panel_log *log, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;
void panel_log_refuse(panel_log *log, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;
void panel_log_tell(panel_log *log, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

/* Fills messages with the stored ones, oldest first, and returns their number. Another thread may overwrite a
 * text while it is read, which garbles it for one frame. It is always NUL-terminated. */
size_t panel_log_messages(panel_log *log, panel_message messages[PANEL_LOG_LINES]);

/* Closes news and refusals whose time is over; it begins at the first call after they were added. Returns the
 * seconds until the next one closes, INFINITY if there is none. now: seconds of a monotonic clock. */
double panel_log_expire(panel_log *log, double now);

/* Returns a number that changes whenever a message is opened or closed. */
unsigned panel_log_changes(panel_log *log);

/* Close a message by its number, all, and all if at least one of them is an error. Return whether one was
 * closed. */
bool panel_log_close(panel_log *log, size_t number);
bool panel_log_close_all(panel_log *log);
bool panel_log_close_errors(panel_log *log);

#endif
