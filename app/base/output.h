/*
 * An output file that is written completely or not at all. It has no name until it is complete, or a hidden
 * one where the file system does not support files without a name, which the signals that end a program
 * remove.
 * "-" is stdout. Devices and pipes are written directly.
 */
#ifndef ODORI_OUTPUT_H
#define ODORI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output {
    FILE *stream;
    const char *path;
    char target[4096];    /* the path with links resolved */
    int draft;            /* descriptor of the incomplete file (file_draft.h); -1 when written directly */
    int link;             /* of the helper that made it, or 0 */
    char temporary[4096]; /* its hidden name, or "" while it has none */
} output;

/* Opens a file for writing. path must outlive the output. False: it cannot be created, which was reported. */
bool output_open(output *out, const char *path);

/* Gives the file its name. False: a write failed, which was reported, and the file was removed. */
bool output_commit(output *out);

/* Discards the file. */
void output_drop(output *out);

/* Removes incomplete files that killed processes left in a folder, as far as no living process has them
 * locked. */
void output_sweep(const char *folder);

/* Creates a folder, and removes it when the program ends, by itself or by a signal, if nothing was written to
 * it. False: it could not be created. */
bool output_create_folder(const char *path);

/* Removes the files and empty folders that a signal would remove. A handler of a signal may call it. */
void output_remove_guarded(void);

/* Writes a complete file. False: it failed, which was reported. */
bool output_write(const char *path, const void *data, size_t size);

#endif
