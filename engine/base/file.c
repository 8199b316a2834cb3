/* Reads and writes whole files of the file system. Writing is atomic: nobody sees an incomplete file. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_unnamed.h"
#include "mmd/memory.h"
#include "mmd/source.h"

/* -------------------------------------------------------------------- paths */

const char *mmd_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void mmd_path_folder(const char *path, char *folder, size_t capacity)
{
    assert(folder);
    assert(capacity > 0);
    size_t length = (size_t)(mmd_path_name(path) - path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    const char *from = length ? path : ".";
    length = length ? length : 1;
    length = length < capacity ? length : capacity - 1;
    memcpy(folder, from, length);
    folder[length] = '\0';
}

/* -------------------------------------------------------------------- files */

static const size_t file_size_max = (size_t)INT32_MAX;

/* Sets the error to the system's description of errno and returns the code. */
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

/* Sets the error to a message and returns the code. */
static mmd_status fail_plain(mmd_error *error, mmd_status code, const char *path, const char *message)
{
    mmd_error_set(error, code, "", MMD_NO_OFFSET, "%s", message);
    mmd_error_set_file(error, path);
    return code;
}

void mmd_bytes_finish(mmd_bytes *bytes)
{
    assert(bytes);
    mmd_free(bytes->data);
    *bytes = (mmd_bytes){0};
}

/* Reads once, repeating after a signal. */
static ssize_t read_some(int file, uint8_t *data, size_t size)
{
    ssize_t got;
    do
        got = read(file, data, size);
    while (got < 0 && errno == EINTR);
    return got;
}

/*
 * Reads a file to its end. hint is its reported size, which is exact for regular files but 0 for pipes and in
 * /proc, so the end is found by reading.
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
    assert(bytes);
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

/* Writes all bytes. Returns false with errno set. */
static bool write_all(int file, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, data, size);
        if (done >= 0) {
            data += done;
            size -= (size_t)done;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Closes the file in any case. Returns false with errno of the first error. */
static bool close_written(int file, bool ok)
{
    int number = errno;
    if (close(file) != 0 && ok)
        return false;
    errno = number;
    return ok;
}

/* Returns whether path must be written in place: devices, pipes and names in /dev or /proc, such as standard
 * output, cannot be replaced by a new file. */
static bool is_written_in_place(const char *path, const struct stat *about, bool exists)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (exists && !S_ISREG(about->st_mode));
}

/* Appends the bytes to an existing device or pipe. */
static mmd_status write_in_place(const char *path, const void *data, size_t size, mmd_error *error)
{
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0 || !close_written(file, write_all(file, data, size))) {
        fail_errno(error, path, "cannot be written");
        if (error)
            error->code = MMD_ERROR_IO;
        return MMD_ERROR_IO;
    }
    return MMD_OK;
}

/* Writes the i-th temporary name in target's folder to temporary (PATH_MAX bytes). */
static bool temporary_name(const char *target, int i, char *temporary)
{
    char folder[PATH_MAX];
    mmd_path_folder(target, folder, sizeof folder);
    int length = snprintf(temporary, PATH_MAX, "%s/.mmd-%ld-%d.tmp", folder, (long)getpid(), i);
    if (length < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

enum { NAMES_TRIED = 1000 };

/* Renames a temporary file to target, or removes it. Returns false with errno set. */
static bool replace(const char *temporary, const char *target)
{
    if (rename(temporary, target) == 0)
        return true;
    int number = errno;
    unlink(temporary);
    errno = number;
    return false;
}

/* Gives a complete unnamed file its name. linkat cannot replace an existing file or a dangling link, so in
 * that case the file gets a temporary name and is renamed. */
static bool name_file(int file, const char *target)
{
    char temporary[PATH_MAX];
    if (file_unnamed_link(file, target))
        return true;
    bool linked = false;
    for (int i = 0; i < NAMES_TRIED && !linked && errno == EEXIST; i++)
        linked = temporary_name(target, i, temporary) && file_unnamed_link(file, temporary);
    return linked && replace(temporary, target);
}

/* Writes a file that has no name until it is complete and vanishes if the process ends before. */
static bool write_unnamed(const char *target, const void *data, size_t size, mode_t mode)
{
    char folder[PATH_MAX];
    mmd_path_folder(target, folder, sizeof folder);
    int file = file_unnamed_open(folder, mode);
    return file >= 0 && close_written(file, write_all(file, data, size) && name_file(file, target));
}

/* Writes a file under a temporary name and renames it, for systems without unnamed files. */
static bool write_named(const char *target, const void *data, size_t size, mode_t mode)
{
    char temporary[PATH_MAX];
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < NAMES_TRIED && file < 0 && errno == EEXIST; i++)
        if (temporary_name(target, i, temporary))
            file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0)
        return false;
    if (close_written(file, write_all(file, data, size)))
        return replace(temporary, target);
    int number = errno;
    unlink(temporary);
    errno = number;
    return false;
}

mmd_status mmd_file_write(const char *path, const void *data, size_t size, mmd_error *error)
{
    assert(data || size == 0);
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (is_written_in_place(path, &about, exists))
        return write_in_place(path, data, size, error);
    /* Symbolic links stay: the file they lead to is replaced. */
    char *resolved = exists ? realpath(path, NULL) : NULL;
    const char *target = resolved ? resolved : path;
    mode_t mode = exists ? about.st_mode & 0777 : 0666;
    mmd_status status = MMD_OK;
    /* Renaming only needs permission for the folder, so check that of the file. */
    bool allowed = !exists || access(target, W_OK) == 0;
    if (!allowed || (!write_unnamed(target, data, size, mode) && !write_named(target, data, size, mode))) {
        fail_errno(error, path, "cannot be written");
        status = MMD_ERROR_IO;
        if (error)
            error->code = status;
    }
    free(resolved);
    return status;
}
