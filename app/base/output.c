#include "output.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "file_unnamed.h"
#include "mmd/source.h"

static bool fail(const output *out, int code)
{
    message("%s: cannot be written: %s", out->path, strerror(code));
    return false;
}

/* Resolves links in the path, so that the file behind a link is replaced and the link stays. */
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

/* Path of the temporary file that the signal handler removes, or "". */
static char guarded_file[sizeof((output *)0)->temporary];

void output_remove_guarded(void)
{
    if (*guarded_file)
        unlink(guarded_file);
}

static void remove_and_end(int number)
{
    output_remove_guarded();
    signal(number, SIG_DFL);
    raise(number);
}

/* Makes the signals that end the program remove an incomplete file first. Ignored signals stay ignored. */
static void guard_file(const char *path)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remove_and_end}, old;
    strcpy(guarded_file, path);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

/* Opens a file without a name, which vanishes however the program ends. NULL: the file system does not support it. */
static FILE *open_unnamed(const output *out, mode_t mode)
{
    char folder[sizeof out->target];
    if (access("/proc/self/fd", X_OK) != 0) /* needed to give the file its name later */
        return NULL;
    mmd_path_folder(out->target, folder, sizeof folder);
    int file = file_unnamed_open(folder, mode);
    FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

void output_guard(const char *path)
{
    if (*path && strlen(path) < sizeof guarded_file)
        guard_file(path);
    else
        *guarded_file = '\0';
}

/* Opens the temporary file, or the target itself when it is a device or pipe. */
static FILE *open_named(const output *out)
{
    if (*out->temporary)
        guard_file(out->temporary);
    return fopen(*out->temporary ? out->temporary : out->target, "wb");
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
    if (!exists || S_ISREG(status.st_mode)) {
        snprintf(out->temporary, sizeof out->temporary, "%s.part-%ld", out->target, (long)getpid());
        out->stream = open_unnamed(out, 0666);
        out->unnamed = out->stream != NULL;
    }
    if (!out->stream)
        out->stream = open_named(out);
    return out->stream || fail(out, errno);
}

/* Gives the file its name. An existing file can only be replaced by renaming, so the new one gets the temporary name
 * first. */
static bool name_unnamed(output *out)
{
    int file = fileno(out->stream);
    if (file_unnamed_link(file, out->target)) {
        *out->temporary = '\0';
        return true;
    }
    if (errno != EEXIST)
        return false;
    guard_file(out->temporary);
    return file_unnamed_link(file, out->temporary);
}

bool output_commit(output *out)
{
    bool ok = !ferror(out->stream) && fflush(out->stream) == 0 && (!out->unnamed || name_unnamed(out));
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
    *guarded_file = '\0';
    return ok || fail(out, code);
}

void output_drop(output *out)
{
    if (!out->stream || out->stream == stdout)
        return;
    fclose(out->stream);
    out->stream = NULL;
    if (*out->temporary && !out->unnamed)
        unlink(out->temporary);
    *guarded_file = '\0';
}

bool output_write(const char *path, const void *data, size_t size)
{
    output out;
    if (!output_open(&out, path))
        return false;
    fwrite(data, 1, size, out.stream);
    return output_commit(&out);
}
