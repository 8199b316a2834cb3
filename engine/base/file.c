/* Whole files of the file system: reading, and writing so that nobody sees half of one. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "mmd/source.h"
#include "mmd/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t file_size_max = (size_t)INT32_MAX;

/* Reports errno's meaning for a file and returns the code. */
static mmd_status fail_errno(mmd_error *error, const char *path, const char *what)
{
    int number = errno;
    bool missing = number == ENOENT || number == ENOTDIR;
    mmd_status code = missing ? MMD_ERROR_NOT_FOUND : MMD_ERROR_IO;
    char reason[128];
    if (strerror_r(number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", number);
    mmd_error_set(error, code, "", MMD_NO_OFFSET, "%s: %s", what, reason);
    mmd_error_set_file(error, path);
    return code;
}

static mmd_status fail_plain(mmd_error *error, mmd_status code, const char *path, const char *message)
{
    mmd_error_set(error, code, "", MMD_NO_OFFSET, "%s", message);
    mmd_error_set_file(error, path);
    return code;
}

void mmd_bytes_finish(mmd_bytes *bytes)
{
    mmd_free(bytes->data);
    *bytes = (mmd_bytes){0};
}

/* read, again after a signal. */
static ssize_t read_some(int file, uint8_t *data, size_t size)
{
    ssize_t got;
    do
        got = read(file, data, size);
    while (got < 0 && errno == EINTR);
    return got;
}

/*
 * Reads to the end. hint is the size the file says it has: exact for ordinary
 * files, 0 for pipes and for /proc, which is why the end is found by reading.
 */
static mmd_status read_all(int file, const char *path, size_t hint, mmd_bytes *bytes, mmd_error *error)
{
    size_t capacity = hint + 1;
    uint8_t *data = mmd_alloc(capacity);
    size_t size = 0;
    mmd_status status = data ? MMD_OK : fail_plain(error, MMD_ERROR_MEMORY, path, "no memory for the file");
    while (status == MMD_OK) {
        ssize_t got = read_some(file, data + size, capacity - size);
        if (got == 0)
            break;
        if (got < 0) {
            status = fail_errno(error, path, "cannot be read");
        } else if ((size += (size_t)got) > file_size_max) {
            status = fail_plain(error, MMD_ERROR_LIMIT, path, "the file is larger than 2 GiB");
        } else if (size == capacity) {
            uint8_t *more = mmd_realloc(data, capacity *= 2);
            data = more ? more : data;
            if (!more)
                status = fail_plain(error, MMD_ERROR_MEMORY, path, "no memory for the file");
        }
    }
    if (status != MMD_OK)
        mmd_free(data);
    else
        *bytes = (mmd_bytes){data, size};
    return status;
}

mmd_status mmd_file_read(const char *path, mmd_bytes *bytes, mmd_error *error)
{
    *bytes = (mmd_bytes){0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail_errno(error, path, "cannot be opened");
    struct stat about;
    mmd_status status;
    if (fstat(file, &about) != 0)
        status = fail_errno(error, path, "cannot be read");
    else if (S_ISREG(about.st_mode) && (uint64_t)about.st_size > file_size_max)
        status = fail_plain(error, MMD_ERROR_LIMIT, path, "the file is larger than 2 GiB");
    else
        status = read_all(file, path, S_ISREG(about.st_mode) ? (size_t)about.st_size : 4095, bytes, error);
    close(file);
    return status;
}

/* Writes all bytes and closes the file, whatever happens. False: errno tells. */
static bool write_and_close(int file, const uint8_t *data, size_t size)
{
    bool ok = true;
    int number = 0;
    while (ok && size > 0) {
        ssize_t done = write(file, data, size);
        if (done >= 0) {
            data += done;
            size -= (size_t)done;
        } else if (errno != EINTR) {
            number = errno;
            ok = false;
        }
    }
    if (close(file) != 0 && ok) {
        number = errno;
        ok = false;
    }
    errno = number;
    return ok;
}

/* Devices, pipes, and standard output under its name in /dev cannot be replaced by a new file. */
static bool is_written_in_place(const char *path, const struct stat *about, bool exists)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (exists && !S_ISREG(about->st_mode));
}

static mmd_status write_in_place(const char *path, const void *data, size_t size, mmd_error *error)
{
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0 || !write_and_close(file, data, size)) {
        fail_errno(error, path, "cannot be written");
        if (error)
            error->code = MMD_ERROR_IO;
        return MMD_ERROR_IO;
    }
    return MMD_OK;
}

/* A new file beside target, its name in temporary (PATH_MAX bytes), or -1. */
static int open_temporary(const char *target, char *temporary, mode_t mode)
{
    char folder[PATH_MAX];
    mmd_path_folder(target, folder, sizeof folder);
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < 1000 && file < 0 && errno == EEXIST; i++) {
        int length = snprintf(temporary, PATH_MAX, "%s/.mmd-%ld-%d.tmp", folder, (long)getpid(), i);
        if (length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    return file;
}

mmd_status mmd_file_write(const char *path, const void *data, size_t size, mmd_error *error)
{
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (is_written_in_place(path, &about, exists))
        return write_in_place(path, data, size, error);
    /* A link stays a link: what it names is replaced. */
    char *resolved = exists ? realpath(path, NULL) : NULL;
    const char *target = resolved ? resolved : path;
    char temporary[PATH_MAX];
    mmd_status status = MMD_OK;
    /* Renaming would replace a file that may not be written. */
    int file = -1;
    if (!exists || access(target, W_OK) == 0)
        file = open_temporary(target, temporary, exists ? about.st_mode & 0777 : 0666);
    bool made = file >= 0;
    if (!made || !write_and_close(file, data, size) || rename(temporary, target) != 0) {
        fail_errno(error, path, "cannot be written");
        status = MMD_ERROR_IO;
        if (error)
            error->code = status;
        if (made)
            unlink(temporary);
    }
    free(resolved);
    return status;
}
