/* A source over a folder of the file system, which it never leaves, not through links either. */
#define _DEFAULT_SOURCE /* d_type, realpath */
#include "mmd/source.h"
#include "mmd/memory.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_inside(const char *path, const char *root)
{
    size_t length = strlen(root);
    if (strncmp(path, root, length) != 0)
        return false;
    return path[length] == '/' || path[length] == '\0' || root[length - 1] == '/';
}

/* The true path of a name below folder, links followed. A source's self is its folder's path. */
static mmd_status resolve(const char *folder, const char *name, char path[PATH_MAX], mmd_error *error)
{
    char root[PATH_MAX], joined[PATH_MAX];
    int length = snprintf(joined, sizeof joined, "%s/%s", folder, name);
    if (length >= PATH_MAX || !realpath(folder, root) || !realpath(joined, path)) {
        bool missing = length >= PATH_MAX || errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
        return mmd_error_set(error, missing ? MMD_ERROR_NOT_FOUND : MMD_ERROR_IO, "", MMD_NO_OFFSET,
                             "no such file in %s", folder);
    }
    if (!is_inside(path, root))
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "it lies outside of %s", folder);
    return MMD_OK;
}

static mmd_status folder_read(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    char path[PATH_MAX];
    mmd_status status = resolve(self, name, path, error);
    if (status != MMD_OK)
        return status;
    struct stat about;
    /* A pipe in a folder of models would be waited for without end. */
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "it is not an ordinary file");
    return mmd_file_read(path, bytes, error);
}

static bool is_folder(const char *parent, const struct dirent *entry)
{
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return entry->d_type == DT_DIR;
    char path[PATH_MAX];
    struct stat about;
    int length = snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
    return length < PATH_MAX && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool folder_list(void *self, const char *folder,
                        bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    char path[PATH_MAX];
    if (resolve(self, folder, path, NULL) != MMD_OK)
        return false;
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    bool more = true;
    for (struct dirent *entry; more && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            more = visit(user, name, is_folder(path, entry));
    }
    closedir(dir);
    return true;
}

static void folder_destroy(void *self)
{
    mmd_free(self);
}

mmd_source *mmd_source_folder(const char *path)
{
    assert(path);
    static const mmd_source_ops ops = {folder_read, folder_list, folder_destroy};
    const char *root = path[0] ? path : ".";
    size_t size = strlen(root) + 1;
    char *folder = mmd_alloc(size);
    if (!folder)
        return NULL;
    memcpy(folder, root, size);
    mmd_source *source = mmd_source_create(&ops, folder);
    if (!source)
        mmd_free(folder);
    return source;
}
