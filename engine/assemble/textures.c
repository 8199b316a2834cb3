/* The files that a model's file may name, and where they are. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mmd/assemble.h"
#include "mmd/image.h"
#include "mmd/platform.h"

/* --- The source that keeps to the rule --- */

typedef struct texture_source {
    mmd_source *inner;
    char root[MMD_FILE_PATH_MAX]; /* resolved path of the root; "": an archive */
    char own[MMD_PATH_MAX];       /* the model's folder below the root; "": it is the root */
    mmd_named_files also;
    mmd_user_folders private; /* folders that are not looked into beside the model's */
} texture_source;

static mmd_status refuse(mmd_error *error, const char *why)
{
    return mmd_error_set(error, MMD_ERROR_REFUSED, "", MMD_NO_OFFSET, "not opened, because %s", why);
}

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* Returns whether a part of a path begins with a dot and is neither `.` nor `..`. */
static bool has_hidden_part(const char *path)
{
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/\\");
        bool is_step = (length == 1 && part[0] == '.') || (length == 2 && part[0] == '.' && part[1] == '.');
        if (length > 0 && part[0] == '.' && !is_step)
            return true;
        part += length + (part[length] != '\0');
    }
    return false;
}

static bool has_ending(const texture_source *s, const char *name)
{
    static const char *const buffers[] = {".bin", ".glbin", ".glbuf"};
    const char *dot = strrchr(name, '.');
    if (!dot)
        return false;
    if (s->also == MMD_NAMED_ACCESSORY && strcasecmp(dot, ".x") == 0)
        return true;
    for (size_t i = 0; s->also == MMD_NAMED_BUFFERS && i < sizeof buffers / sizeof *buffers; i++)
        if (strcasecmp(dot, buffers[i]) == 0)
            return true;
    return mmd_image_has_ending(name);
}

/*
 * Adds the parts of a path to a number of levels below the root, and returns it; -1 if the path leads above
 * the root.
 */
static int add_levels(int levels, const char *path)
{
    for (const char *part = path; *part && levels >= 0;) {
        size_t length = strcspn(part, "/\\");
        if (length == 2 && part[0] == '.' && part[1] == '.')
            levels--;
        else if (length > 0 && !(length == 1 && part[0] == '.'))
            levels++;
        part += length + (part[length] != '\0');
    }
    return levels;
}

/* Returns why a name leads nowhere that may be looked into, or NULL. */
static const char *refuse_levels(const texture_source *s, const char *folder, const char *name)
{
    int levels = add_levels(add_levels(0, folder), name);
    if (levels < 0 && !s->root[0])
        return "it leads out of the archive";
    if (levels < 0 && !s->own[0])
        return "it lies outside of the model's folder; put the file into the model's folder";
    if (levels < 0)
        return "it leads more than one folder up; put the file into the model's folder";
    return NULL;
}

/* Decides by a name alone. */
static mmd_status permit_name(const texture_source *s, const char *folder, const char *name, mmd_error *error)
{
    bool has_drive = ((name[0] | 32) >= 'a' && (name[0] | 32) <= 'z') && name[1] == ':';
    if (is_separator(name[0]) || has_drive)
        return refuse(error, "it is an absolute path; put the file into the model's folder");
    if (has_hidden_part(name))
        return refuse(error, "a part of its name begins with a dot; rename it");
    const char *why = refuse_levels(s, folder, name);
    return why ? refuse(error, why) : MMD_OK;
}

/* Writes the path of the folder that a file has to lie in: the model's or the one beside it that path begins
 * with. Returns false if it is too long. */
static bool find_base(const texture_source *s, const char *path, char base[MMD_FILE_PATH_MAX])
{
    int length = s->own[0] ? (int)strcspn(path, "/") : 0;
    size_t root = strlen(s->root);
    const char *slash = length && s->root[root - 1] != '/' ? "/" : "";
    return snprintf(base, MMD_FILE_PATH_MAX, "%s%s%.*s", s->root, slash, length, path) < MMD_FILE_PATH_MAX;
}

/* Reports by errno why a path does not lead to a file. */
static mmd_status fail_missing(mmd_error *error)
{
    if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG)
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "there is no such file");
    return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "it cannot be opened: %s", strerror(errno));
}

/* Returns whether a folder between the first length bytes of a resolved path and the file is one of the
 * user's folders. */
static bool passes_private(const texture_source *s, const char *real, size_t length)
{
    char folder[MMD_FILE_PATH_MAX];
    for (const char *slash = strchr(real + length + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - real), real);
        if (mmd_user_folders_has(&s->private, folder))
            return true;
    }
    return false;
}

/* Decides by where a file really lies. */
static mmd_status permit_file(const texture_source *s, const char *path, mmd_error *error)
{
    char base[MMD_FILE_PATH_MAX], joined[MMD_FILE_PATH_MAX], real[MMD_FILE_PATH_MAX];
    size_t length = s->own[0] ? strcspn(path, "/") : 0;
    if (s->own[0] && !path[length])
        return refuse(error, "it lies above the model's folder; put the file into the model's folder");
    bool is_beside = s->own[0] && (strlen(s->own) != length || memcmp(s->own, path, length) != 0);
    if (!has_ending(s, path))
        return refuse(error, s->also == MMD_NAMED_BUFFERS
                                 ? "its name does not end like a picture's (png, bmp, jpg, tga, dds, gif, "
                                   "psd) or a buffer's (bin, glbin, glbuf)"
                                 : "its name does not end like a picture's (png, bmp, jpg, tga, dds, gif, "
                                   "psd, sph, spa)");
    if (!s->root[0])
        return MMD_OK;
    if (has_hidden_part(is_beside ? path : path + length))
        return refuse(error, "a part of its name begins with a dot; rename it");
    errno = ENAMETOOLONG;
    if (!find_base(s, path, base) ||
        snprintf(joined, sizeof joined, "%s/%s", s->root, path) >= (int)sizeof joined ||
        !platform_path_resolve(joined, real))
        return fail_missing(error);
    static const char private[] =
        "it lies in one of the user's own folders; put the file into the model's folder";
    if (is_beside && mmd_user_folders_has(&s->private, base))
        return refuse(error, private);
    length = strlen(base);
    length -= base[length - 1] == '/'; /* a root */
    if (strncmp(real, base, length) != 0 || real[length] != '/')
        return refuse(error, "a link leads out of the model's folder; put the file itself into it");
    if (passes_private(s, real, length))
        return refuse(error, private);
    if (has_hidden_part(real + length))
        return refuse(error, "a link leads to a file or folder whose name begins with a dot");
    return MMD_OK;
}

static mmd_status permit(void *self, const char *folder, const char *name, const char *path, mmd_error *error)
{
    return path ? permit_file(self, path, error) : permit_name(self, folder, name, error);
}

static mmd_status read_file(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    const texture_source *s = self;
    mmd_status status = permit_file(s, name, error);
    return status == MMD_OK ? mmd_source_read(s->inner, name, bytes, error) : status;
}

static bool list_files(void *self, const char *folder,
                       bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    return mmd_source_list(((const texture_source *)self)->inner, folder, visit, user);
}

static void destroy(void *self)
{
    mmd_source_destroy(((texture_source *)self)->inner);
    mmd_free(self);
}

static void plan_files(void *self, const char *const *names, size_t count, uint32_t *order)
{
    mmd_source_plan(((texture_source *)self)->inner, names, count, order);
}

/* Creates the source from its parts, of which it owns inner. Returns NULL if out of memory. */
static mmd_source *make_source(const texture_source *parts)
{
    static const mmd_source_ops ops = {read_file, list_files, destroy};
    texture_source *self = parts->inner ? mmd_alloc(sizeof *self) : NULL;
    mmd_source *source = self ? mmd_source_create(&ops, self) : NULL;
    if (!source) {
        mmd_source_destroy(parts->inner);
        mmd_free(self);
        return NULL;
    }
    *self = *parts;
    mmd_source_set_permit(source, permit);
    mmd_source_set_planner(source, plan_files);
    if (self->own[0])
        mmd_source_set_own(source, self->own);
    return source;
}

/* --- Where the textures of a model are --- */

/* Resolves the folder of a model, following links. ".." in a texture's name is relative to the result. */
static void true_folder(const char *model_path, char folder[MMD_FILE_PATH_MAX])
{
    char resolved[MMD_FILE_PATH_MAX];
    mmd_path_folder(platform_path_resolve(model_path, resolved) ? resolved : model_path, folder,
                    MMD_FILE_PATH_MAX);
}

/* Returns whether a folder can be listed. A sandbox forbids it without access() knowing. */
static bool can_list(const char *folder)
{
    platform_folder *listing = platform_folder_open(folder);
    platform_folder_close(listing);
    return listing != NULL;
}

/*
 * Moves the last part of root to below, so that folders beside it can be looked into. Changes nothing if they
 * may not be, if the folder above is not accessible, or if the part cannot occur in a texture's name: too
 * long, or with a backslash, which is a separator there.
 */
static void go_up(texture_source *s)
{
    char above[MMD_FILE_PATH_MAX];
    const char *part = mmd_path_name(s->root);
    mmd_user_folders_find(&s->private);
    if (platform_path_root(s->root) == 0 || !part[0] || strchr(part, '\\') || strlen(part) >= sizeof s->own)
        return;
    mmd_path_folder(s->root, above, sizeof above);
    if (!above[platform_path_root(above)])
        return; /* a root, also of a disk of the network */
    /* Names are looked up part by part, which requires listing the folder. */
    if (mmd_user_folders_has(&s->private, s->root) || mmd_user_folders_has(&s->private, above) ||
        !can_list(above))
        return;
    strcpy(s->own, part);
    strcpy(s->root, above);
}

/* Uses the whole archive as the source for a model in it. An archive that no longer exists is treated as
 * empty. */
static bool is_in_archive(const char *model_path, mmd_source **inner, char folder[MMD_PATH_MAX])
{
    mmd_error error = {0};
    if (mmd_locate_open_source(model_path, inner, folder, &error) == MMD_OK)
        return *inner != NULL;
    if (error.code != MMD_ERROR_MEMORY)
        *inner = mmd_source_memory(NULL, 0);
    return true;
}

mmd_texture_location mmd_textures_beside(const char *model_path, mmd_named_files also)
{
    mmd_texture_location location = {0};
    texture_source parts = {.also = also};
    if (!is_in_archive(model_path, &parts.inner, location.folder)) {
        true_folder(model_path, parts.root);
        go_up(&parts);
        strcpy(location.folder, parts.own);
        parts.inner = mmd_source_folder(parts.root);
    }
    location.source = make_source(&parts);
    return location;
}

bool mmd_textures_root(const mmd_texture_location *location, const char *model_path,
                       char root[MMD_FILE_PATH_MAX])
{
    char resolved[MMD_FILE_PATH_MAX];
    if (!platform_path_resolve(model_path, resolved))
        return false; /* a path into an archive */
    true_folder(model_path, root);
    size_t length = strlen(root), below = strlen(location->folder);
    if (below == 0)
        return true;
    if (length <= below || strcmp(root + length - below, location->folder) != 0)
        return false;
    root[length - below - 1] = '\0';
    return true;
}

mmd_status mmd_textures_find(const mmd_texture_location *location, const char *name, char path[MMD_PATH_MAX],
                             mmd_error *error)
{
    return mmd_source_look_up(location->source, location->folder, name, path, error);
}

bool mmd_textures_decode(const mmd_texture_location *location, const char *path, mmd_error *error)
{
    mmd_bytes bytes = {0};
    bool ok = mmd_source_read(location->source, path, &bytes, error) == MMD_OK &&
              mmd_image_verify(bytes.data, bytes.size, path, error) == MMD_OK;
    mmd_bytes_finish(&bytes);
    return ok;
}

/* --- All textures of a model --- */

static int compare_paths(const void *a, const void *b)
{
    const mmd_texture_file *x = *(mmd_texture_file *const *)a, *y = *(mmd_texture_file *const *)b;
    int paths = strcmp(x->path, y->path);
    return paths ? paths : x->first < y->first ? -1 : x->first > y->first;
}

/* Sets the first texture of each file. Returns false if out of memory. */
static bool find_same(mmd_texture_files *files)
{
    mmd_texture_file **sorted = mmd_alloc(files->count * sizeof(mmd_texture_file *));
    size_t found = 0;
    for (uint32_t i = 0; sorted && i < files->count; i++)
        if (files->items[i].path)
            sorted[found++] = &files->items[i];
    if (found)
        qsort(sorted, found, sizeof *sorted, compare_paths);
    for (size_t i = 1; i < found; i++)
        if (strcmp(sorted[i]->path, sorted[i - 1]->path) == 0)
            sorted[i]->first = sorted[i - 1]->first;
    mmd_free(sorted);
    return sorted != NULL;
}

/* Sets the order of reading: as the source likes it, each file at its first texture. Returns false if out of
 * memory. */
static bool plan(mmd_texture_files *files, mmd_source *source)
{
    const char **names = mmd_arena_alloc(&files->arena, files->count, sizeof *names);
    files->order = mmd_arena_alloc(&files->arena, files->count, sizeof *files->order);
    for (uint32_t i = 0; names && i < files->count; i++)
        names[i] = files->items[i].first == i ? files->items[i].path : NULL;
    if (names && files->order)
        mmd_source_plan(source, names, files->count, files->order);
    return names && files->order;
}

bool mmd_texture_files_find(mmd_texture_files *files, const mmd_model *model,
                            const mmd_texture_location *location)
{
    *files = (mmd_texture_files){.count = model->texture_count};
    files->items = mmd_arena_alloc(&files->arena, files->count, sizeof *files->items);
    for (uint32_t i = 0; files->items && i < files->count; i++) {
        char path[MMD_PATH_MAX];
        mmd_error error = {0};
        bool found = mmd_textures_find(location, model->textures[i], path, &error) == MMD_OK;
        const char *text = found ? path : error.message;
        const char *kept = mmd_arena_text(&files->arena, text, strlen(text));
        if (!kept)
            return false;
        files->items[i] = (mmd_texture_file){.path = found ? kept : NULL,
                                             .why = found ? NULL : kept,
                                             .is_refused = error.code == MMD_ERROR_REFUSED,
                                             .is_missing = error.code == MMD_ERROR_NOT_FOUND,
                                             .first = i};
    }
    return files->items && find_same(files) && plan(files, location->source);
}

void mmd_texture_files_finish(mmd_texture_files *files)
{
    mmd_arena_finish(&files->arena);
    *files = (mmd_texture_files){0};
}
