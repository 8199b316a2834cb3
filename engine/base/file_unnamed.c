/*
 * Unnamed files with Linux's O_TMPFILE and linkat, as described in open(2). These need _GNU_SOURCE, which
 * changes the meaning of other functions, hence the separate file.
 */
#define _GNU_SOURCE
#include "file_unnamed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int file_unnamed_open(const char *folder, mode_t mode)
{
#ifdef O_TMPFILE
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
#else
    (void)folder, (void)mode;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

bool file_unnamed_link(int file, const char *path)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}
