/* Paths of files that the program writes, and where it is itself. */
#ifndef ODORI_PATHS_H
#define ODORI_PATHS_H

#include <limits.h>
#include <stdbool.h>

/* Makes a folder and those above it. False: reported. */
bool path_make_folder(const char *path);

/* Makes a folder in one that is there. False: reported. */
bool path_make_last(const char *path);

/* Writes "folder/name" to text (PATH_MAX bytes), cut where it is longer; returns text. */
char *path_join(char *text, const char *folder, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Finds the file of the running program, links followed. False: the system does not tell. */
bool path_of_program(char program[PATH_MAX]);

#endif
