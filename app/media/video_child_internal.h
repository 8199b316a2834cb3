/* Child processes: ffmpeg and ffprobe, read from and written to. */
#ifndef ODORI_VIDEO_CHILD_H
#define ODORI_VIDEO_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHILD_COMPLAINT_MAX = 400 };

/* A program whose output is read, with the start of its error output. */
typedef struct child_source {
    pid_t id;
    int out, err; /* -1 if closed */
    char complaint[CHILD_COMPLAINT_MAX];
    size_t complaint_size;
} child_source;

/* Files that a program gets besides its standard ones, under the names CHILD_INPUT and CHILD_OUTPUT. It opens
 * them under these names, so nothing can be put in their place after they were checked. -1: none. */
typedef struct child_files {
    int input, output;
} child_files;
#define CHILD_INPUT  "file:/dev/fd/3"
#define CHILD_OUTPUT "file:/dev/fd/4"

/* Starts a program. arguments end with NULL; purpose is for messages ("reading videos"). Returns EXIT_DONE,
 * or EXIT_FACILITY after a message. */
int child_start(child_source *c, const char *const arguments[], child_files files, const char *purpose);

/* Reads until size bytes are there or the output ends. Returns the number of bytes. */
size_t child_read(child_source *c, void *data, size_t size);

/* Waits until the program has ended, so that its error output is complete. */
void child_drain(child_source *c);

/* Closes the pipes and waits. Returns whether the program succeeded. */
bool child_finish(child_source *c);

/* A program that is written to; its error output goes to an unnamed file. */
typedef struct child_sink {
    pid_t id;
    int in;  /* -1 if closed */
    int err; /* -1 for none */
} child_sink;

/* Starts a program to write to. Same results as child_start. */
int child_sink_start(child_sink *c, const char *const arguments[], child_files files, const char *purpose);

/* Returns false if the program accepts no more. */
bool child_sink_write(child_sink *c, const void *data, size_t size);

/* Closes the pipe and waits. Returns whether the program succeeded; complaint receives the first line of its
 * error output. */
bool child_sink_finish(child_sink *c, char complaint[CHILD_COMPLAINT_MAX]);

/* Stops the program without waiting for it to finish its work. */
void child_sink_stop(child_sink *c);

#endif
