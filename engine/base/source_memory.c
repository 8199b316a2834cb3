/* A source over named blocks of memory, for tests and for what a program brings with it. */
#include "mmd/source.h"
#include "mmd/memory.h"

#include <assert.h>
#include <string.h>

typedef struct memory_source {
    const mmd_memory_file *files;
    size_t count;
} memory_source;

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

/* What follows "folder/" in name, or NULL where name lies elsewhere. */
static const char *below(const char *name, const char *folder)
{
    size_t length = strlen(folder);
    if (length == 0)
        return name;
    return strncmp(name, folder, length) == 0 && name[length] == '/' ? name + length + 1 : NULL;
}

/* Whether one of the first count files lies in the same entry: its first length bytes are those of rest. */
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
