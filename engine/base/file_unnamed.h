/* A file that has no name until it is whole: what ends the process before leaves nothing behind. The
 * engine's and the program's own. */
#ifndef MMD_BASE_FILE_UNNAMED_H
#define MMD_BASE_FILE_UNNAMED_H

#include <stdbool.h>
#include <sys/types.h>

/* A new file in the folder, open for writing; -1 where the file system or the system has no such files. */
int file_unnamed_open(const char *folder, mode_t mode);

/* Gives the open file a name in its folder, which must be free. False: errno tells. */
bool file_unnamed_link(int file, const char *path);

#endif
