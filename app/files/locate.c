/* A path is followed from its end until something of the file system is there: an archive has the rest in it.
 */
#include "locate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"

/* --- Telling paths apart --- */

typedef enum spot_kind { SPOT_PLAIN, SPOT_FOLDER, SPOT_ARCHIVE } spot_kind;

typedef struct spot {
    spot_kind kind;
    char outer[PATH_MAX]; /* the archive's or folder's path */
    const char *inner;    /* a part of the path that was given; "" is all of the archive */
} spot;

static bool begins_as_archive(const char *path)
{
    uint8_t head[PACK_HEAD];
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    ssize_t got = regular ? read(file, head, sizeof head) : 0;
    close(file);
    return got > 0 && pack_is(head, (size_t)got);
}

static spot_kind kind_of(const char *path, bool *is_there)
{
    struct stat about;
    *is_there = stat(path, &about) == 0;
    if (!*is_there)
        return SPOT_PLAIN;
    if (S_ISDIR(about.st_mode))
        return SPOT_FOLDER;
    return S_ISREG(about.st_mode) && begins_as_archive(path) ? SPOT_ARCHIVE : SPOT_PLAIN;
}

static spot find_spot(const char *path)
{
    spot s = {.kind = SPOT_PLAIN, .inner = ""};
    bool is_there = false;
    size_t length = strlen(path);
    if (length >= sizeof s.outer)
        return s;
    memcpy(s.outer, path, length + 1);
    s.kind = kind_of(s.outer, &is_there);
    while (!is_there) {
        char *slash = strrchr(s.outer, '/');
        if (!slash || slash == s.outer)
            return s;
        *slash = '\0';
        s.kind = kind_of(s.outer, &is_there);
        s.inner = path + (slash - s.outer) + 1;
        if (s.kind == SPOT_FOLDER) /* in which there is no such file */
            s.kind = SPOT_PLAIN;
    }
    while (s.inner[0] == '/')
        s.inner++;
    return s;
}

static mmd_status open_spot(const spot *s, const char *path, mmd_source **source, mmd_error *error)
{
    pack *archive;
    mmd_status status = pack_open(s->outer, &archive, error);
    *source = status == MMD_OK ? pack_source(archive) : NULL;
    if (status == MMD_OK && !*source)
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the archive");
    mmd_error_set_file(error, s->inner[0] ? path : s->outer);
    return status;
}

/* --- One file --- */

static mmd_status not_in_archive(const spot *s, const char *path, mmd_error *error)
{
    mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET,
                  "there is no such file in the archive %.160s", mmd_path_name(s->outer));
    mmd_error_set_file(error, path);
    return MMD_ERROR_NOT_FOUND;
}

static mmd_status read_inner(const spot *s, const char *path, mmd_bytes *bytes, mmd_error *error)
{
    char found[MMD_PATH_MAX];
    mmd_source *source;
    mmd_status status = open_spot(s, path, &source, error);
    if (status != MMD_OK)
        return status;
    if (mmd_source_find(source, s->inner, found))
        status = mmd_source_read(source, found, bytes, error);
    else
        status = not_in_archive(s, path, error);
    if (status != MMD_OK && error) {
        error->file[0] = '\0';
        mmd_error_set_file(error, path);
    }
    mmd_source_destroy(source);
    return status;
}

mmd_status place_read(const char *path, mmd_bytes *bytes, mmd_error *error)
{
    *bytes = (mmd_bytes){0};
    if (access(path, F_OK) != 0) {
        const spot s = find_spot(path);
        if (s.kind == SPOT_ARCHIVE && s.inner[0])
            return read_inner(&s, path, bytes, error);
    }
    return mmd_file_read(path, bytes, error);
}

bool place_archive(const char *path, char archive[PATH_MAX])
{
    const spot s = find_spot(path);
    if (s.kind == SPOT_ARCHIVE)
        memcpy(archive, s.outer, strlen(s.outer) + 1);
    return s.kind == SPOT_ARCHIVE;
}

static bool find_name(void *user, const char *entry, bool is_folder)
{
    const char **wanted = user;
    if (is_folder || strcmp(entry, *wanted) != 0)
        return true;
    *wanted = NULL;
    return false;
}

bool place_is_file(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
        return S_ISREG(about.st_mode) && access(path, R_OK) == 0;
    const spot s = find_spot(path);
    mmd_source *source;
    if (s.kind != SPOT_ARCHIVE || !s.inner[0] || strlen(s.inner) >= MMD_PATH_MAX ||
        open_spot(&s, path, &source, NULL) != MMD_OK)
        return false;
    char folder[MMD_PATH_MAX];
    const char *name = mmd_path_name(s.inner);
    mmd_path_folder(s.inner, folder, sizeof folder);
    mmd_source_list(source, strcmp(folder, ".") == 0 ? "" : folder, find_name, &name);
    mmd_source_destroy(source);
    return name == NULL;
}

mmd_status place_open_source(const char *path, mmd_source **source, char folder[MMD_PATH_MAX],
                             mmd_error *error)
{
    *source = NULL;
    if (access(path, F_OK) == 0)
        return MMD_OK;
    const spot s = find_spot(path);
    if (s.kind != SPOT_ARCHIVE || !s.inner[0])
        return MMD_OK;
    mmd_status status = open_spot(&s, path, source, error);
    if (status != MMD_OK)
        return status;
    char found[MMD_PATH_MAX];
    mmd_path_folder(mmd_source_find(*source, s.inner, found) ? found : s.inner, folder, MMD_PATH_MAX);
    return MMD_OK;
}

/* --- What is in an archive or a folder --- */

enum { LEVELS_MAX = 8, FILES_MAX = 20000 };

static bool add_file(place_contents *c, const char *name, uint64_t size, bool encrypted)
{
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 64;
        place_file *grown = mmd_realloc(c->files, capacity * sizeof *grown);
        if (!grown)
            return false;
        c->files = grown;
        c->capacity = capacity;
    }
    const char *kept = mmd_arena_text(&c->arena, name, strlen(name));
    if (kept)
        c->files[c->count++] = (place_file){kept, size, encrypted};
    return kept != NULL;
}

/* A folder of the file system, gone through. */
typedef struct walk {
    place_contents *contents;
    mmd_source *source;
    const char *root;
    char folder[MMD_PATH_MAX];
    int level;
} walk;

static uint64_t size_of(const char *root, const char *name)
{
    char path[PATH_MAX];
    struct stat about;
    int length = snprintf(path, sizeof path, "%s/%s", root, name);
    return length < PATH_MAX && stat(path, &about) == 0 && about.st_size > 0 ? (uint64_t)about.st_size : 0;
}

static bool walk_entry(void *user, const char *entry, bool is_folder)
{
    walk *w = user;
    char name[MMD_PATH_MAX];
    int length = snprintf(name, sizeof name, "%s%s%s", w->folder, w->folder[0] ? "/" : "", entry);
    if (length < 0 || length >= MMD_PATH_MAX || entry[0] == '.')
        return true;
    if (is_folder) {
        walk below = {w->contents, w->source, w->root, "", w->level + 1};
        memcpy(below.folder, name, (size_t)length + 1);
        if (below.level < LEVELS_MAX)
            mmd_source_list(w->source, name, walk_entry, &below);
        return !w->contents->failed;
    }
    w->contents->failed =
        w->contents->count >= FILES_MAX || !add_file(w->contents, name, size_of(w->root, name), false);
    return !w->contents->failed;
}

static mmd_status list_folder(const char *path, place_contents *c, mmd_error *error)
{
    walk w = {.contents = c, .source = mmd_source_folder(path), .root = path};
    if (!w.source)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the folder");
    bool opened = mmd_source_list(w.source, "", walk_entry, &w);
    mmd_source_destroy(w.source);
    if (!opened)
        return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "the folder cannot be read");
    if (c->failed)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "more than %d files in the folder",
                             FILES_MAX);
    return MMD_OK;
}

/* A folder in the archive, if it is not all of it, without its last slashes. */
static mmd_status list_archive(const spot *s, place_contents *c, mmd_error *error)
{
    pack *archive;
    size_t count, length = strlen(s->inner);
    mmd_status status = pack_open(s->outer, &archive, error);
    if (status != MMD_OK)
        return status;
    while (length > 0 && s->inner[length - 1] == '/')
        length--;
    const pack_file *files = pack_files(archive, &count);
    for (size_t i = 0; i < count && status == MMD_OK; i++) {
        const char *name = files[i].name;
        if (length > 0 && (strncmp(name, s->inner, length) != 0 || name[length] != '/'))
            continue;
        if (!add_file(c, name + (length ? length + 1 : 0), files[i].size, files[i].encrypted))
            status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    }
    c->left_out = pack_left_out(archive);
    c->is_archive = true;
    pack_close(archive);
    return status;
}

mmd_status place_contents_read(const char *path, place_contents *contents, mmd_error *error)
{
    const spot s = find_spot(path);
    *contents = (place_contents){0};
    mmd_status status =
        s.kind == SPOT_ARCHIVE ? list_archive(&s, contents, error) : list_folder(path, contents, error);
    if (status != MMD_OK)
        mmd_error_set_file(error, path);
    return status;
}

void place_contents_finish(place_contents *contents)
{
    mmd_free(contents->files);
    mmd_arena_finish(&contents->arena);
    *contents = (place_contents){0};
}

bool place_is_container(const char *path)
{
    const spot s = find_spot(path);
    if (s.kind == SPOT_PLAIN || !s.inner[0])
        return s.kind != SPOT_PLAIN;
    place_contents c;
    bool any = place_contents_read(path, &c, NULL) == MMD_OK && c.count > 0;
    place_contents_finish(&c);
    return any;
}
