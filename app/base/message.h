/* What every file of the program shares: exit codes, messages, the log. */
#ifndef ODORI_MESSAGE_H
#define ODORI_MESSAGE_H

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

/* One line on stderr, "odori: " in front, control characters escaped, over 2,000 bytes cut. */
void message(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* Prints the error's sentence; returns the exit code that belongs to its status. */
int report(const mmd_error *error);

/* A log to stderr of messages up to a level. */
mmd_log stderr_log(mmd_log_level level);

#endif
