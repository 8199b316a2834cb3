/* Files that have no name until they are complete, so that an aborted process leaves nothing behind. Used by
 * the engine and by the program. */
#ifndef MMD_BASE_FILE_UNNAMED_H
#define MMD_BASE_FILE_UNNAMED_H

#include <stdbool.h>
#include <sys/types.h>

/* Creates an unnamed file in a folder, open for writing. Returns -1 with errno set if the system or the file
 * system does not support this. */
int file_unnamed_open(const char *folder, mode_t mode);

/*
 * Links an open unnamed file to a path in its folder that does not exist yet. Returns false with errno set.
 */
bool file_unnamed_link(int file, const char *path);

#endif
