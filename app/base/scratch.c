/* memfd_create needs _GNU_SOURCE, which changes the meaning of other functions, hence the separate file. */
#define _GNU_SOURCE
#include "scratch.h"

#include <sys/mman.h>
#include <unistd.h>

FILE *scratch_file(void)
{
#if defined(MFD_CLOEXEC)
    int memory = memfd_create("odori", 0); /* ffmpeg inherits it */
    FILE *file = memory < 0 ? NULL : fdopen(memory, "w+b");
    if (file)
        return file;
    if (memory >= 0)
        close(memory);
#endif
    return tmpfile();
}
