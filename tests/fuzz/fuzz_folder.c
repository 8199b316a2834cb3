#include "fuzz_folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static char folder[FUZZ_PATH_MAX];

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void)
{
    if (folder[0])
        return folder;
    const char *given = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/odori-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm"
             : given                       ? given
                                           : "/tmp");
    REQUIRE(mkdtemp(folder) && chdir(folder) == 0 && atexit(remove_folder) == 0);
    return folder;
}

void fuzz_folder_write(const char *name, const void *data, size_t size)
{
    char path[2 * FUZZ_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    for (char *c = path + strlen(folder) + 1; (c = strchr(c, '/')); *c++ = '/') {
        *c = '\0';
        mkdir(path, 0700);
    }
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size && close(file) == 0);
}
