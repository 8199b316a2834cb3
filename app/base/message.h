/*
 * What every file of the program shares: exit codes, the problem that a
 * function fills when it fails, messages on stderr, and a log of the last
 * messages for the player's panels. Subcommands print problems and choose the
 * exit code; what is below them fills a problem and returns false.
 */
#ifndef ODORI_MESSAGE_H
#define ODORI_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mmd/log.h"
#include "mmd/status.h"

/* Part of the command line's contract. */
enum {
    EXIT_DONE = 0,     /* it was done */
    EXIT_NO = 1,       /* the answer is no */
    EXIT_USAGE = 2,    /* bad usage */
    EXIT_INPUT = 3,    /* bad input file */
    EXIT_FACILITY = 4, /* no GL, no memory, an output that cannot be written */
};

/* Prints one line on stderr: "odori: " in front, control characters escaped, cut at 2,000 bytes. */
void message(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* Prints the error's sentence; returns the exit code that belongs to its status. */
int report(const mmd_error *error);

/* Returns a log that prints messages up to a level on stderr. */
mmd_log stderr_log(mmd_log_level level);

/* --- What went wrong: the exit code that belongs to it, and a sentence --- */

enum { PROBLEM_MAX = 2000 };

typedef struct problem {
    int code;               /* EXIT_DONE: nothing went wrong */
    char text[PROBLEM_MAX]; /* "": it was reported already */
} problem;

/* Fills the problem, if it has none yet; returns false. */
bool problem_set(problem *p, int code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
bool problem_from(problem *p, const mmd_error *error);
bool problem_out_of_memory(problem *p);

/* Prints the problem's sentence; returns its exit code. */
int problem_report(const problem *p);

/* --- Why a line of the command table was refused: a sentence in a buffer of the caller's --- */

/* Bytes of a buffer for a refusal, the NUL included. */
enum { REFUSAL_MAX = 256 };

/* Writes a sentence to error (REFUSAL_MAX bytes), cut where it is longer. Returns false. */
bool refuse_with(char *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* --- The last messages, for the player's panels. Threads may write at the same time. --- */

enum { PANEL_LOG_LINES = 64, PANEL_LOG_LINE_MAX = 400 };

typedef struct panel_log {
    mmd_log behind; /* also gets everything */
    atomic_flag lock;
    size_t count; /* ever written */
    char lines[PANEL_LOG_LINES][PANEL_LOG_LINE_MAX];
} panel_log;

/* Initialises log; returns a log that keeps what it is told and passes it on to another. log must outlive
 * what is returned. */
mmd_log panel_log_start(panel_log *log, const mmd_log *behind);

/* Adds a line, unless it is the same as the last. */
void panel_log_add(panel_log *log, const char *text);

/* Prints on stderr, as message() does, and adds the line. log NULL: only prints. */
void panel_log_tell(panel_log *log, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Points to the lines kept, oldest first; returns how many. Meant for the thread that shows them: a line may
 * be replaced while it is read, but always ends. */
size_t panel_log_lines(panel_log *log, const char *lines[PANEL_LOG_LINES]);

#endif
