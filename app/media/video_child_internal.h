/* Programs beside this one: ffmpeg and ffprobe, read from and written to. */
#ifndef ODORI_VIDEO_CHILD_H
#define ODORI_VIDEO_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHILD_COMPLAINT_MAX = 400 };

/* A program whose output is read: what it writes, and the start of what it complains about. */
typedef struct child_source {
    pid_t id;
    int out, err; /* -1: closed */
    char complaint[CHILD_COMPLAINT_MAX];
    size_t complaint_size;
} child_source;

/* Starts a program. arguments end with NULL; purpose: "reading videos". EXIT_DONE, or EXIT_FACILITY and a
 * message. */
int child_start(child_source *c, const char *const arguments[], const char *purpose);

/* Reads until size bytes are there or the output ends; the number of bytes. */
size_t child_read(child_source *c, void *data, size_t size);

/* Waits until the program is done, so that its complaint is whole. */
void child_drain(child_source *c);

/* Closes the pipes and waits; true if the program ended well. */
bool child_finish(child_source *c);

/* A program that is written to; its complaints go to a file without a name. */
typedef struct child_sink {
    pid_t id;
    int in;  /* -1: closed */
    int err; /* -1: none */
} child_sink;

/* The same. */
int child_sink_start(child_sink *c, const char *const arguments[], const char *purpose);

/* False: it takes no more. */
bool child_sink_write(child_sink *c, const void *data, size_t size);

/* Closes the pipe and waits; true if the program ended well. complaint: the first line of what it said. */
bool child_sink_finish(child_sink *c, char complaint[CHILD_COMPLAINT_MAX]);

/* Ends it without waiting for what it has not done. */
void child_sink_stop(child_sink *c);

#endif
