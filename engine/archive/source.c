/* An archive as a source of files. Their list is sorted by name, so folders are found by searching it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/archive.h"
#include "mmd/memory.h"

/* Finds the first file whose name is not less than this one (binary search). */
static size_t first_from(const mmd_archive_file *files, size_t count, const char *name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(files[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static mmd_status source_read(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    size_t count;
    const mmd_archive_file *files = mmd_archive_files(self, &count);
    size_t at = first_from(files, count, name);
    if (at == count || strcmp(files[at].name, name) != 0)
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "the archive has no such file");
    return mmd_archive_read_file(self, &files[at], bytes, error);
}

/* Lists a folder. Its files are adjacent in the sorted list, and so are those of each subfolder. */
static bool source_list(void *self, const char *folder,
                        bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    size_t count;
    const mmd_archive_file *files = mmd_archive_files(self, &count);
    char prefix[MMD_PATH_MAX + 2] = "", last[MMD_PATH_MAX] = "";
    if (folder[0])
        snprintf(prefix, sizeof prefix, "%.*s/", (int)MMD_PATH_MAX, folder);
    const size_t length = strlen(prefix), first = first_from(files, count, prefix);
    bool more = true, found = !folder[0];
    for (size_t i = first; more && i < count; i++) {
        const char *name = files[i].name;
        if (strncmp(name, prefix, length) != 0)
            break;
        char entry[MMD_PATH_MAX];
        size_t part = strcspn(name + length, "/");
        bool is_folder = name[length + part] == '/';
        found = true;
        snprintf(entry, sizeof entry, "%.*s", (int)part, name + length);
        if (is_folder && strcmp(entry, last) == 0)
            continue;
        if (is_folder)
            strcpy(last, entry);
        more = visit(user, entry, is_folder);
    }
    return found;
}

static void source_destroy(void *self)
{
    mmd_archive_close(self);
}

/* A file that is planned to be read. */
typedef struct planned {
    uint64_t header; /* index of its header; beyond all others if there is no such file */
    uint32_t name;
} planned;

static int compare_planned(const void *a, const void *b)
{
    const planned *x = a, *y = b;
    if (x->header != y->header)
        return x->header < y->header ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* Orders files as they are in the archive. If out of memory, the order stays as it is. */
static void source_plan(void *self, const char *const *names, size_t count, uint32_t *order)
{
    size_t there;
    const mmd_archive_file *files = mmd_archive_files(self, &there);
    planned *list = mmd_alloc((count + 1) * sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        size_t at = names[i] ? first_from(files, there, names[i]) : there;
        bool found = at < there && strcmp(files[at].name, names[i]) == 0;
        list[i] = (planned){found ? files[at].index : UINT64_MAX, (uint32_t)i};
    }
    if (list && count)
        qsort(list, count, sizeof *list, compare_planned);
    for (size_t i = 0; list && i < count; i++)
        order[i] = list[i].name;
    mmd_free(list);
}

mmd_source *mmd_source_archive(mmd_archive *archive)
{
    static const mmd_source_ops ops = {source_read, source_list, source_destroy};
    mmd_source *source = mmd_source_create(&ops, archive);
    if (source)
        mmd_source_set_planner(source, source_plan);
    else
        mmd_archive_close(archive);
    return source;
}
