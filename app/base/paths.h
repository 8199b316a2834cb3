/* Paths and folders of files that the program writes, and the path of the program itself. */
#ifndef ODORI_PATHS_H
#define ODORI_PATHS_H

#include <limits.h>
#include <stdbool.h>

/* Creates a folder and its missing parents. False: it failed, which was reported. */
bool path_make_folder(const char *path);

/* Creates a folder whose parent exists. False: it failed, which was reported. */
bool path_make_subfolder(const char *path);

/* Writes "folder/name" to text (PATH_MAX bytes), which cuts it when it is longer. Returns text. */
char *path_join(char *text, const char *folder, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Reads the path of the running program, with links resolved. False: the system does not provide it. */
bool path_of_program(char program[PATH_MAX]);

#endif
