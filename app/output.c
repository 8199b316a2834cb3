#include "output.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"

static bool fail(const output *out, int code)
{
    message("%s: cannot be written: %s", out->path, strerror(code));
    return false;
}

/* Follows a link to the file that should change, so that the link stays one. */
static bool resolve(output *out)
{
    char resolved[PATH_MAX];
    const char *target = realpath(out->path, resolved) ? resolved : out->path;
    if (strlen(target) >= sizeof out->target) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out->target, target, strlen(target) + 1);
    return true;
}

/* The one thing a signal handler can reach: the temporary file being written, "" while there is none. */
static char file_in_work[sizeof((output *)0)->temporary];

static void remove_and_end(int number)
{
    if (*file_in_work)
        unlink(file_in_work);
    signal(number, SIG_DFL);
    raise(number);
}

/* Interrupted, the program leaves no half file behind. */
static void guard_file(const char *path)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remove_and_end}, old;
    strcpy(file_in_work, path);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

bool output_open(output *out, const char *path)
{
    *out = (output){.path = path};
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        return true;
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return fail(out, EISDIR);
    if (!resolve(out))
        return fail(out, errno);
    if (!exists || S_ISREG(status.st_mode))
        snprintf(out->temporary, sizeof out->temporary, "%s.part-%ld", out->target, (long)getpid());
    if (*out->temporary)
        guard_file(out->temporary);
    out->stream = fopen(*out->temporary ? out->temporary : out->target, "wb");
    return out->stream || fail(out, errno);
}

bool output_commit(output *out)
{
    bool ok = !ferror(out->stream) && fflush(out->stream) == 0;
    int code = errno;
    if (out->stream == stdout)
        return ok || fail(out, code);
    if (fclose(out->stream) != 0 && ok) {
        ok = false;
        code = errno;
    }
    out->stream = NULL;
    if (ok && *out->temporary && rename(out->temporary, out->target) != 0) {
        ok = false;
        code = errno;
    }
    if (!ok && *out->temporary)
        unlink(out->temporary);
    *file_in_work = '\0';
    return ok || fail(out, code);
}

void output_drop(output *out)
{
    if (!out->stream || out->stream == stdout)
        return;
    fclose(out->stream);
    out->stream = NULL;
    if (*out->temporary)
        unlink(out->temporary);
    *file_in_work = '\0';
}

bool output_write(const char *path, const void *data, size_t size)
{
    output out;
    if (!output_open(&out, path))
        return false;
    fwrite(data, 1, size, out.stream);
    return output_commit(&out);
}
