/*
 * A file that is written whole or not at all: without a name, or under a
 * temporary one where the file system has no such files, and put in its place
 * when it is done. "-" is stdout; devices and pipes are written directly.
 */
#ifndef ODORI_OUTPUT_H
#define ODORI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output {
    FILE *stream;
    const char *path;
    char target[4096];    /* the path, links followed */
    char temporary[4160]; /* "" where it is written directly */
    bool unnamed;         /* it has no name at all until it is whole */
} output;

/* Opens a file for writing. False: it cannot be made, reported. path must outlive the output. */
bool output_open(output *out, const char *path);

/* Puts the file in its place. False: some write failed, reported, and nothing is left. */
bool output_commit(output *out);

/* Discards what was written. */
void output_drop(output *out);

/* Removes a file that another program writes when a signal ends this one, until it is called with "". One
 * file at a time. */
void output_guard(const char *path);

/* Writes a whole file. False: reported. */
bool output_write(const char *path, const void *data, size_t size);

#endif
