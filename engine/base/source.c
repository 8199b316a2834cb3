/* Sources of files: the interface, the search for a file by a model's name, folders and memory. */
#define _DEFAULT_SOURCE /* d_type, realpath */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <utf8proc.h>

#include "mmd/memory.h"
#include "mmd/source.h"

/* ------------------------------------------------------------------ sources */

struct mmd_source {
    const mmd_source_ops *ops;
    void *self;
};

mmd_source *mmd_source_create(const mmd_source_ops *ops, void *self)
{
    assert(ops && ops->read && ops->list);
    mmd_source *source = mmd_alloc(sizeof *source);
    if (source)
        *source = (mmd_source){ops, self};
    return source;
}

void mmd_source_destroy(mmd_source *source)
{
    if (source && source->ops->destroy)
        source->ops->destroy(source->self);
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
    if (source->ops->plan)
        source->ops->plan(source->self, names, count, order);
}

/* ------------------------------------------------------------ finding names */

/*
 * Search for the file that a model refers to. Models are made on Windows, where names ignore case, and pass
 * through archives and file systems that compose or decompose kana (Unicode normalisation forms, UAX 15).
 */

/* Quality of a match, best last. */
typedef enum match_rank { MATCH_NONE, MATCH_CASELESS, MATCH_CANONICAL, MATCH_EXACT } match_rank;

/* A name of n bytes decomposes into at most 4/3 n characters (U+1F82: three bytes, four characters). */
enum { FORM_MAX = MMD_PATH_MAX * 2 };

typedef struct name_form {
    utf8proc_int32_t characters[FORM_MAX];
    utf8proc_ssize_t count; /* negative: the name is not UTF-8 */
} name_form;

/* Decomposes a name, optionally with case folding. */
static void make_form(const char *name, bool fold, name_form *form)
{
    utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
    if (fold)
        options |= UTF8PROC_CASEFOLD;
    form->count = utf8proc_decompose((const utf8proc_uint8_t *)name, (utf8proc_ssize_t)strlen(name),
                                     form->characters, FORM_MAX, options);
    if (form->count > FORM_MAX)
        form->count = -1;
}

/* Compares two decomposed names; invalid ones equal nothing. */
static bool forms_equal(const name_form *a, const name_form *b)
{
    return a->count >= 0 && a->count == b->count &&
           memcmp(a->characters, b->characters, (size_t)a->count * sizeof a->characters[0]) == 0;
}

/* State of the search for one part of a path among the entries of a folder. */
typedef struct part_search {
    const char *part;
    bool wants_folder;
    name_form canonical, caseless; /* of part */
    match_rank rank;               /* of best */
    char best[MMD_PATH_MAX];
} part_search;

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if (*(const unsigned char *)text >= 0x80)
            return false;
    return true;
}

/* Returns how well an entry that is not an exact match fits. */
static match_rank rank_entry(const part_search *search, const char *entry)
{
    name_form form;
    /* ASCII has only one form. */
    if (!is_ascii(entry)) {
        make_form(entry, false, &form);
        if (forms_equal(&form, &search->canonical))
            return MATCH_CANONICAL;
    }
    make_form(entry, true, &form);
    return forms_equal(&form, &search->caseless) ? MATCH_CASELESS : MATCH_NONE;
}

/* Visitor that looks for the exact name and stops there. */
static bool consider_exact(void *user, const char *entry, bool is_folder)
{
    part_search *search = user;
    if (is_folder == search->wants_folder && strcmp(entry, search->part) == 0) {
        strcpy(search->best, entry);
        search->rank = MATCH_EXACT;
    }
    return search->rank != MATCH_EXACT;
}

/* Visitor that keeps the best inexact match; of equal ones the first in byte order. */
static bool consider_loose(void *user, const char *entry, bool is_folder)
{
    part_search *search = user;
    if (is_folder != search->wants_folder || strlen(entry) >= sizeof search->best)
        return true;
    match_rank rank = rank_entry(search, entry);
    if (rank == MATCH_NONE || rank < search->rank)
        return true;
    if (rank > search->rank || strcmp(entry, search->best) < 0)
        strcpy(search->best, entry);
    search->rank = rank;
    return true;
}

/* Finds search->part among the folder's entries. Most names are exact, so these are tried first without
 * decomposing. */
static bool find_part(mmd_source *source, const char *folder, part_search *search)
{
    search->rank = MATCH_NONE;
    if (!mmd_source_list(source, folder, consider_exact, search))
        return false;
    if (search->rank == MATCH_EXACT)
        return true;
    make_form(search->part, false, &search->canonical);
    make_form(search->part, true, &search->caseless);
    return mmd_source_list(source, folder, consider_loose, search) && search->rank != MATCH_NONE;
}

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

/*
 * Normalises a name to `/` without empty parts, `.` and `..`. Returns false if it is absolute, leads above
 * the root, names a folder or nothing, or is too long.
 */
static bool normalise(const char *name, char path[MMD_PATH_MAX])
{
    path[0] = '\0';
    bool names_file = false;
    if (name[0] == '/' || name[0] == '\\')
        return false;
    for (const char *part = name; *part;) {
        size_t length = strcspn(part, "/\\");
        names_file = false;
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            if (!drop_part(path))
                return false;
        } else if (length > 0 && !(length == 1 && part[0] == '.')) {
            if (!append_part(path, part, length))
                return false;
            names_file = part[length] == '\0';
        }
        part += length + (part[length] != '\0');
    }
    return names_file;
}

bool mmd_source_find(mmd_source *source, const char *name, char path[MMD_PATH_MAX])
{
    assert(source && name);
    char wanted[MMD_PATH_MAX], found[MMD_PATH_MAX] = "";
    part_search search;
    if (!normalise(name, wanted))
        return false;
    for (char *part = wanted; part;) {
        char *slash = strchr(part, '/');
        if (slash)
            *slash = '\0';
        search.part = part;
        search.wants_folder = slash != NULL;
        if (!find_part(source, found, &search) || !append_part(found, search.best, strlen(search.best)))
            return false;
        part = slash ? slash + 1 : NULL;
    }
    strcpy(path, found);
    return true;
}

bool mmd_source_find_from(mmd_source *source, const char *folder, const char *name, char path[MMD_PATH_MAX])
{
    assert(source && name);
    char joined[2 * MMD_PATH_MAX];
    if (!name[0])
        return false;
    int length = snprintf(joined, sizeof joined, "%s%s%s", folder, folder[0] ? "/" : "", name);
    return length > 0 && (size_t)length < sizeof joined && mmd_source_find(source, joined, path);
}

/* ------------------------------------------------------------------ folders */

/*
 * A source for a folder of the file system. Files outside the folder are refused, also when links lead there.
 */

/* Returns whether a resolved path is the root or below it. */
static bool is_inside(const char *path, const char *root)
{
    size_t length = strlen(root);
    if (strncmp(path, root, length) != 0)
        return false;
    return path[length] == '/' || path[length] == '\0' || root[length - 1] == '/';
}

/* Resolves a name below a folder, with links followed. A folder source's self is its path. */
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

/* Reads a regular file below the folder. */
static mmd_status folder_read(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    char path[PATH_MAX];
    mmd_status status = resolve(self, name, path, error);
    if (status != MMD_OK)
        return status;
    struct stat about;
    /* Reading a pipe would block forever. */
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "it is not an ordinary file");
    return mmd_file_read(path, bytes, error);
}

/* Returns whether an entry is a folder or a link to one. */
static bool is_folder(const char *parent, const struct dirent *entry)
{
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return entry->d_type == DT_DIR;
    char path[PATH_MAX];
    struct stat about;
    int length = snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
    return length < PATH_MAX && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Lists a folder in the file system's order. */
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
