/*
 * The limit of --time-limit. The program looks at the clock before each frame and each step of physics, and
 * ends there when the time is over. A second later a timer ends it wherever it is: in a file, a single step
 * or a driver. In both cases it prints one sentence, ends an encoder that it has started, and leaves no
 * incomplete file.
 */
#ifndef ODORI_TIME_LIMIT_H
#define ODORI_TIME_LIMIT_H

#include "system.h"

typedef struct time_limit {
    double seconds; /* 0: none */
    int code;       /* exit code */
    /* descriptor of the pipe that takes the sentence instead of stderr; 0: none */
    int sentence;
    const char *about; /* the file that the sentence begins with, or NULL */
} time_limit;

/* Starts the clock, again if it runs already. */
void time_limit_start(const time_limit *limit);

/* Stops the clock. */
void time_limit_stop(void);

/* Sets the last frame that is needed, for the sentence. */
void time_limit_aim(double last);

/* Notes the frame that is reached on the way to another, and ends the program if the time is over. */
void time_limit_check(double frame, double goal);

/* Sets the process that is killed with this one, such as an encoder; NULL: none. */
void time_limit_kill_too(const system_process *child);

#endif
