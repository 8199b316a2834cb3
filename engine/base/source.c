/* Sources of files: the interface, the names that models have for files, folders and memory. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "source_entries.h"

/* ------------------------------------------------------------------ sources */

struct mmd_source {
    const mmd_source_ops *ops;
    void *self;
    mmd_source_permit *permit;   /* NULL: every file of the source */
    mmd_source_planner *planner; /* NULL: the order of reading does not matter */
    const char *own;             /* a folder of the root that is there; NULL: none is known */
    source_entries entries;      /* of the folders that were searched */
};

mmd_source *mmd_source_create(const mmd_source_ops *ops, void *self)
{
    assert(ops && ops->read && ops->list);
    mmd_source *source = mmd_alloc(sizeof *source);
    if (source)
        *source = (mmd_source){.ops = ops, .self = self};
    return source;
}

void mmd_source_set_permit(mmd_source *source, mmd_source_permit *permit)
{
    assert(source);
    source->permit = permit;
}

void mmd_source_set_own(mmd_source *source, const char *folder)
{
    assert(source && (!folder || (folder[0] && !strchr(folder, '/'))));
    source->own = folder;
}

void mmd_source_destroy(mmd_source *source)
{
    if (!source)
        return;
    if (source->ops->destroy)
        source->ops->destroy(source->self);
    source_entries_finish(&source->entries);
    mmd_free(source);
}

mmd_status mmd_source_read(mmd_source *source, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    assert(source && bytes);
    *bytes = (mmd_bytes){0};
    mmd_status status = source->ops->read(source->self, name, bytes, error);
    if (status != MMD_OK) {
        mmd_bytes_finish(bytes);
        if (error)
            error->file[0] = '\0';
        mmd_error_set_file(error, name);
    }
    return status;
}

bool mmd_source_list(mmd_source *source, const char *folder,
                     bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    assert(source);
    return source->ops->list(source->self, folder, visit, user);
}

void mmd_source_plan(mmd_source *source, const char *const *names, size_t count, uint32_t *order)
{
    assert(source && (names || count == 0) && (order || count == 0) && count <= UINT32_MAX);
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!names[i])
            order[at++] = i;
    for (uint32_t i = 0; i < count; i++)
        if (names[i])
            order[at++] = i;
    if (source->planner)
        source->planner(source->self, names, count, order);
}

void mmd_source_set_planner(mmd_source *source, mmd_source_planner *planner)
{
    assert(source);
    source->planner = planner;
}

/* ------------------------------------------------------------ finding names */

/* Removes the last part of a path. Returns false if the path is empty. */
static bool drop_part(char *path)
{
    if (!path[0])
        return false;
    char *slash = strrchr(path, '/');
    *(slash ? slash : path) = '\0';
    return true;
}

/* Appends a part to a path. Returns false if it does not fit. */
static bool append_part(char path[MMD_PATH_MAX], const char *part, size_t length)
{
    size_t at = strlen(path);
    size_t separator = at ? 1 : 0;
    if (at + separator + length >= MMD_PATH_MAX)
        return false;
    if (separator)
        path[at] = '/';
    memcpy(path + at + separator, part, length);
    path[at + separator + length] = '\0';
    return true;
}

static bool is_absolute(const char *name)
{
    return name[0] == '/' || name[0] == '\\';
}

/*
 * Appends the parts of a name to a path without empty parts, `.` and `..`. Fails with MMD_ERROR_REFUSED if it
 * leads above the root, and MMD_ERROR_NOT_FOUND if it names a folder or nothing, or is too long.
 */
static mmd_status normalise(const char *name, char path[MMD_PATH_MAX])
{
    bool names_file = false;
    for (const char *part = name; *part;) {
        size_t length = strcspn(part, "/\\");
        names_file = false;
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            if (!drop_part(path))
                return MMD_ERROR_REFUSED;
        } else if (length > 0 && !(length == 1 && part[0] == '.')) {
            if (!append_part(path, part, length))
                return MMD_ERROR_NOT_FOUND;
            names_file = part[length] == '\0';
        }
        part += length + (part[length] != '\0');
    }
    return names_file ? MMD_OK : MMD_ERROR_NOT_FOUND;
}

mmd_status mmd_source_look_up(mmd_source *source, const char *folder, const char *name,
                              char path[MMD_PATH_MAX], mmd_error *error)
{
    assert(source && folder && name && path);
    char wanted[MMD_PATH_MAX] = "", found[MMD_PATH_MAX];
    mmd_status status = source->permit ? source->permit(source->self, folder, name, NULL, error) : MMD_OK;
    if (status != MMD_OK)
        return status;
    if (is_absolute(name))
        return mmd_error_set(error, MMD_ERROR_REFUSED, "", MMD_NO_OFFSET, "it is an absolute path");
    if (folder[0] && normalise(folder, wanted) == MMD_ERROR_REFUSED)
        status = MMD_ERROR_REFUSED;
    else
        status = normalise(name, wanted);
    if (status == MMD_ERROR_REFUSED)
        return mmd_error_set(error, status, "", MMD_NO_OFFSET, "it leads out of the folder");
    if (status != MMD_OK)
        return mmd_error_set(error, status, "", MMD_NO_OFFSET, "there is no such file");
    status = source_entries_find(&source->entries, source, source->own, wanted, found, error);
    if (status == MMD_OK && source->permit)
        status = source->permit(source->self, folder, name, found, error);
    else if (status == MMD_ERROR_NOT_FOUND && source->permit) {
        /* A folder is not listed if it is a link that leads out, or may not be read. */
        mmd_status why = source->permit(source->self, folder, name, wanted, error);
        status = why == MMD_OK ? status : why;
    }
    if (status == MMD_OK)
        memcpy(path, found, strlen(found) + 1);
    return status;
}

bool mmd_source_find(mmd_source *source, const char *name, char path[MMD_PATH_MAX])
{
    return mmd_source_look_up(source, "", name, path, NULL) == MMD_OK;
}

bool mmd_source_find_from(mmd_source *source, const char *folder, const char *name, char path[MMD_PATH_MAX])
{
    return mmd_source_look_up(source, folder, name, path, NULL) == MMD_OK;
}

void mmd_source_forget(mmd_source *source)
{
    assert(source);
    source_entries_finish(&source->entries);
}

/* ------------------------------------------------------------------ folders */

/*
 * A source for a folder of the file system. Files outside the folder are refused, also when links lead there.
 */

/* Resolves a name below a folder, with links followed. A folder source's self is its path. */
static mmd_status resolve(const char *folder, const char *name, char path[MMD_FILE_PATH_MAX],
                          mmd_error *error)
{
    char root[MMD_FILE_PATH_MAX], joined[MMD_FILE_PATH_MAX];
    const bool is_root = !folder[platform_path_root(folder)]; /* "//name" would be a server */
    int length = snprintf(joined, sizeof joined, "%s%s%s", folder, is_root ? "" : "/", name);
    if (length >= MMD_FILE_PATH_MAX || !platform_path_resolve(folder, root) ||
        !platform_path_resolve(joined, path)) {
        bool missing =
            length >= MMD_FILE_PATH_MAX || errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
        return mmd_error_set(error, missing ? MMD_ERROR_NOT_FOUND : MMD_ERROR_IO, "", MMD_NO_OFFSET,
                             "no such file in %s", folder);
    }
    if (!mmd_path_is_inside(path, root))
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "it lies outside of %s", folder);
    return MMD_OK;
}

/* Reads a regular file below the folder. */
static mmd_status folder_read(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    char path[MMD_FILE_PATH_MAX];
    mmd_status status = resolve(self, name, path, error);
    if (status != MMD_OK)
        return status;
    platform_info about;
    /* Reading a pipe would block forever. */
    if (!platform_stat(path, &about) || about.kind != PLATFORM_FILE)
        return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "it is not an ordinary file");
    return mmd_file_read(path, bytes, error);
}

/* Lists a folder in the file system's order. */
static bool folder_list(void *self, const char *folder,
                        bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    char path[MMD_FILE_PATH_MAX];
    if (resolve(self, folder, path, NULL) != MMD_OK)
        return false;
    platform_folder *listing = platform_folder_open(path);
    if (!listing)
        return false;
    bool more = true;
    for (const char *name; more && (name = platform_folder_next(listing));)
        more = visit(user, name, platform_folder_has_folder(listing));
    platform_folder_close(listing);
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

/* ------------------------------------------------------------------- memory */

/* A source for named blocks of memory, for tests and for files that a program contains. */

typedef struct memory_source {
    const mmd_memory_file *files;
    size_t count;
} memory_source;

/* Finds the file by a linear search and copies it. */
static mmd_status memory_read(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    const memory_source *memory = self;
    for (size_t i = 0; i < memory->count; i++) {
        const mmd_memory_file *file = &memory->files[i];
        if (strcmp(file->name, name) != 0)
            continue;
        uint8_t *copy = mmd_alloc(file->size);
        if (!copy)
            return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the file");
        if (file->size)
            memcpy(copy, file->data, file->size);
        *bytes = (mmd_bytes){copy, file->size};
        return MMD_OK;
    }
    return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "no such file in memory");
}

/* Returns the part of name after "folder/", or NULL if name is not in folder. */
static const char *below(const char *name, const char *folder)
{
    size_t length = strlen(folder);
    if (length == 0)
        return name;
    return strncmp(name, folder, length) == 0 && name[length] == '/' ? name + length + 1 : NULL;
}

/* Returns whether one of the first count files lies in the same subfolder, whose name is the first length
 * bytes of rest. */
static bool was_seen(const memory_source *memory, size_t count, const char *folder, const char *rest,
                     size_t length)
{
    for (size_t i = 0; i < count; i++) {
        const char *other = below(memory->files[i].name, folder);
        if (other && strncmp(other, rest, length) == 0 && other[length] == '/')
            return true;
    }
    return false;
}

/* Lists a folder. Folders exist implicitly in the names of files, so each is reported at its first file. */
static bool memory_list(void *self, const char *folder,
                        bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    const memory_source *memory = self;
    bool found = folder[0] == '\0', more = true;
    for (size_t i = 0; i < memory->count && more; i++) {
        const char *rest = below(memory->files[i].name, folder);
        if (!rest)
            continue;
        found = true;
        size_t length = strcspn(rest, "/");
        char entry[MMD_PATH_MAX];
        bool is_folder = rest[length] == '/';
        if (length >= sizeof entry || (is_folder && was_seen(memory, i, folder, rest, length)))
            continue;
        memcpy(entry, rest, length);
        entry[length] = '\0';
        more = visit(user, entry, is_folder);
    }
    return found;
}

static void memory_destroy(void *self)
{
    mmd_free(self);
}

mmd_source *mmd_source_memory(const mmd_memory_file *files, size_t count)
{
    static const mmd_source_ops ops = {memory_read, memory_list, memory_destroy};
    assert(files || count == 0);
    memory_source *memory = mmd_alloc(sizeof *memory);
    if (!memory)
        return NULL;
    *memory = (memory_source){files, count};
    mmd_source *source = mmd_source_create(&ops, memory);
    if (!source)
        mmd_free(memory);
    return source;
}
