/* Reads and writes whole files of the file system. Writing is atomic: nobody sees an incomplete file. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file_draft.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
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
    size_t length = (size_t)(mmd_path_name(path) - path), root = platform_path_root(path);
    while (length > root && path[length - 1] == '/')
        length--;
    const char *from = length ? path : ".";
    length = length ? length : 1;
    length = length < capacity ? length : capacity - 1;
    memcpy(folder, from, length);
    folder[length] = '\0';
}

bool mmd_path_is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || (length && folder[length - 1] == '/'));
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
    platform_error_text(number, reason, sizeof reason);
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

/* Bytes that are read or written at once. Windows has a limit of 2 GiB. */
static const size_t piece_max = (size_t)1 << 30;

/* Reads once, repeating after a signal. */
static ssize_t read_some(int file, uint8_t *data, size_t size)
{
    ssize_t got;
    do
        got = read(file, data, size < piece_max ? size : piece_max);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Returns what is wrong with a file that is no regular one. */
static const char *name_kind(platform_kind kind)
{
    return kind == PLATFORM_FOLDER   ? "it is a folder, not a file"
           : kind == PLATFORM_PIPE   ? "it is a pipe, not a regular file"
           : kind == PLATFORM_SOCKET ? "it is a socket, not a regular file"
                                     : "it is a device, not a regular file";
}

/* Checks that an opened file is a regular one, and determines its size. */
static mmd_status check_regular(int file, const char *path, uint64_t *size, mmd_error *error)
{
    platform_info about;
    if (!platform_stat_open(file, &about))
        return fail_errno(error, path, "cannot be read");
    if (about.kind != PLATFORM_FILE)
        return fail_plain(error, MMD_ERROR_IO, path, name_kind(about.kind));
    if (platform_is_made_up(file))
        return fail_plain(error, MMD_ERROR_IO, path, "it is made up by the system, not a regular file");
    *size = about.size;
    return MMD_OK;
}

static mmd_status open_regular(const char *path, int *file, uint64_t *size, mmd_error *error)
{
    platform_info about;
    /* Merely opening a device can change it. What counts is the check of the opened file. */
    if (platform_stat(path, &about) && about.kind != PLATFORM_FILE)
        return fail_plain(error, MMD_ERROR_IO, path, name_kind(about.kind));
    *file = platform_open(path, PLATFORM_READ, 0);
    if (*file < 0)
        return fail_errno(error, path, "cannot be opened");
    mmd_status status = check_regular(*file, path, size, error);
    if (status != MMD_OK)
        close(*file);
    return status;
}

mmd_status mmd_file_open(const char *path, int *file, mmd_error *error)
{
    uint64_t size;
    return open_regular(path, file, &size, error);
}

/* Reads until the bytes are complete or the file ends. Returns how many were read, or -1 with errno set. */
static ssize_t read_up_to(int file, uint8_t *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read_some(file, data + done, size - done);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

mmd_status mmd_file_read_head(const char *path, void *head, size_t capacity, size_t *size, mmd_error *error)
{
    int file;
    uint64_t whole;
    *size = 0;
    mmd_status status = open_regular(path, &file, &whole, error);
    if (status != MMD_OK)
        return status;
    ssize_t got = read_up_to(file, head, capacity);
    if (got < 0)
        status = fail_errno(error, path, "cannot be read");
    else
        *size = (size_t)got;
    close(file);
    return status;
}

/* Reads a whole file of a known size. One that becomes longer or shorter meanwhile is refused, because nobody
 * knows what it will be; reading a growing one might never end. */
static mmd_status read_whole(int file, const char *path, size_t size, mmd_bytes *bytes, mmd_error *error)
{
    uint8_t *data = mmd_alloc(size + 1);
    if (!data)
        return fail_plain(error, MMD_ERROR_MEMORY, path, "no memory for the file");
    mmd_status status = MMD_OK;
    ssize_t got = read_up_to(file, data, size + 1);
    if (got < 0)
        status = fail_errno(error, path, "cannot be read");
    else if ((size_t)got != size)
        status = fail_plain(error, MMD_ERROR_IO, path,
                            "it changed while it was read: open it again when it is complete");
    if (status == MMD_OK)
        *bytes = (mmd_bytes){data, size};
    else
        mmd_free(data);
    return status;
}

mmd_status mmd_file_read(const char *path, mmd_bytes *bytes, mmd_error *error)
{
    assert(bytes);
    *bytes = (mmd_bytes){0};
    int file;
    uint64_t size;
    mmd_status status = open_regular(path, &file, &size, error);
    if (status != MMD_OK)
        return status;
    if (size > file_size_max)
        status = fail_plain(error, MMD_ERROR_LIMIT, path, "the file is larger than 2 GiB");
    else
        status = read_whole(file, path, (size_t)size, bytes, error);
    close(file);
    return status;
}

/* Writes all bytes. Returns false with errno set. */
static bool write_all(int file, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, data, size < piece_max ? size : piece_max);
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

/* Appends the bytes to an existing device or pipe. */
static mmd_status write_in_place(const char *path, const void *data, size_t size, mmd_error *error)
{
    int file = platform_open(path, PLATFORM_WRITE | PLATFORM_APPEND | PLATFORM_WAIT, 0);
    if (file < 0 || !close_written(file, write_all(file, data, size))) {
        fail_errno(error, path, "cannot be written");
        if (error)
            error->code = MMD_ERROR_IO;
        return MMD_ERROR_IO;
    }
    return MMD_OK;
}

/* Writes a file under no or a hidden name, and puts it in place of target. Returns false with errno set. */
static bool write_draft(const char *target, const void *data, size_t size, unsigned mode)
{
    file_draft draft;
    if (!file_draft_open(&draft, target, mode))
        return false;
    if (write_all(draft.file, data, size))
        return file_draft_finish(&draft, target);
    file_draft_drop(&draft);
    return false;
}

mmd_status mmd_file_write(const char *path, const void *data, size_t size, mmd_error *error)
{
    assert(data || size == 0);
    platform_info about;
    bool exists = platform_stat(path, &about);
    /* Devices and pipes, such as standard output, cannot be replaced by a new file. */
    if (platform_is_device_path(path) || (exists && about.kind != PLATFORM_FILE))
        return write_in_place(path, data, size, error);
    /* Symbolic links stay: the file they lead to is replaced. */
    char resolved[MMD_FILE_PATH_MAX];
    const char *target = exists && platform_path_resolve(path, resolved) ? resolved : path;
    unsigned mode = exists ? about.mode : 0666;
    mmd_status status = MMD_OK;
    /* Renaming only needs permission for the folder, so check that of the file. */
    bool allowed = !exists || platform_may_write(target);
    if (!allowed || !write_draft(target, data, size, mode)) {
        fail_errno(error, path, "cannot be written");
        status = MMD_ERROR_IO;
        if (error)
            error->code = status;
    }
    return status;
}
