/* Child processes: ffmpeg and ffprobe, read from and written to. */
#ifndef ODORI_VIDEO_CHILD_H
#define ODORI_VIDEO_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/system.h"

enum { CHILD_COMPLAINT_MAX = 400, CHILD_NAME_MAX = MMD_FILE_PATH_MAX + 8 };

/* A program whose output is read, with the start of its error output. */
typedef struct child_source {
    system_process process;
    int out, err; /* -1 if closed */
    char complaint[CHILD_COMPLAINT_MAX];
    size_t complaint_size;
} child_source;

/* Files that a program gets besides its standard ones, by the names that child_name writes. -1: none. */
typedef struct child_files {
    int input, output;
} child_files;

/*
 * Writes the names under which ffmpeg opens child_files.input and output: "file:/dev/fd/3". These lead to the
 * files that are open here, so nothing can be put in their place after they were checked. Where the system
 * has no such names, they are made of the path.
 */
void child_name_input(const char *path, char name[CHILD_NAME_MAX]);
void child_name_output(const char *path, char name[CHILD_NAME_MAX]);

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
    system_process process;
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
