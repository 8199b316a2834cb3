/* Finds files. Removes parts from the end of a path until something in the file system is found; the rest is
 * inside of it if it is an archive. Chooses among the files of an archive or folder by their extensions. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mmd/archive.h"
#include "mmd/assemble.h"
#include "mmd/format.h"
#include "mmd/platform.h"

/* --- Kinds of paths --- */

typedef enum location_kind { LOCATION_PLAIN, LOCATION_FOLDER, LOCATION_ARCHIVE } location_kind;

typedef struct location {
    location_kind kind;
    char outer[MMD_FILE_PATH_MAX]; /* path of the archive or folder */
    const char *inner;             /* end of the given path; "" for the whole archive */
} location;

static bool begins_as_archive(const char *path)
{
    uint8_t head[MMD_ARCHIVE_HEAD];
    size_t size;
    return mmd_file_read_head(path, head, sizeof head, &size, NULL) == MMD_OK && mmd_archive_is(head, size);
}

static location_kind location_kind_of(const char *path, bool *is_there)
{
    platform_info about;
    *is_there = platform_stat(path, &about);
    if (!*is_there)
        return LOCATION_PLAIN;
    if (about.kind == PLATFORM_FOLDER)
        return LOCATION_FOLDER;
    return about.kind == PLATFORM_FILE && begins_as_archive(path) ? LOCATION_ARCHIVE : LOCATION_PLAIN;
}

static location find_location(const char *path)
{
    location s = {.kind = LOCATION_PLAIN, .inner = ""};
    bool is_there = false;
    size_t length = strlen(path);
    if (length >= sizeof s.outer)
        return s;
    memcpy(s.outer, path, length + 1);
    s.kind = location_kind_of(s.outer, &is_there);
    while (!is_there) {
        char *slash = strrchr(s.outer, '/');
        if (!slash || slash < s.outer + platform_path_root(s.outer))
            return s;
        *slash = '\0';
        s.kind = location_kind_of(s.outer, &is_there);
        s.inner = path + (slash - s.outer) + 1;
        if (s.kind == LOCATION_FOLDER) /* the folder has no such file */
            s.kind = LOCATION_PLAIN;
    }
    while (s.inner[0] == '/')
        s.inner++;
    return s;
}

static mmd_status open_location(const location *s, const char *path, mmd_source **source, mmd_error *error)
{
    mmd_archive *archive;
    mmd_status status = mmd_archive_open_shared(s->outer, &archive, error);
    *source = status == MMD_OK ? mmd_source_archive(archive) : NULL;
    if (status == MMD_OK && !*source)
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET,
                               "not enough memory to read the archive");
    mmd_error_set_file(error, s->inner[0] ? path : s->outer);
    return status;
}

/* --- One file --- */

static mmd_status not_in_archive(const location *s, const char *path, mmd_error *error)
{
    mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "the archive %.160s has no such file",
                  mmd_path_name(s->outer));
    mmd_error_set_file(error, path);
    return MMD_ERROR_NOT_FOUND;
}

static mmd_status read_inner(const location *s, const char *path, mmd_bytes *bytes, mmd_error *error)
{
    char found[MMD_PATH_MAX];
    mmd_source *source;
    mmd_status status = open_location(s, path, &source, error);
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

mmd_status mmd_locate_read(const char *path, mmd_bytes *bytes, mmd_error *error)
{
    *bytes = (mmd_bytes){0};
    if (!platform_exists(path)) {
        const location s = find_location(path);
        if (s.kind == LOCATION_ARCHIVE && s.inner[0])
            return read_inner(&s, path, bytes, error);
    }
    return mmd_file_read(path, bytes, error);
}

bool mmd_locate_archive(const char *path, char archive[MMD_FILE_PATH_MAX])
{
    const location s = find_location(path);
    if (s.kind == LOCATION_ARCHIVE)
        memcpy(archive, s.outer, strlen(s.outer) + 1);
    return s.kind == LOCATION_ARCHIVE;
}

static bool find_name(void *user, const char *entry, bool is_folder)
{
    const char **wanted = user;
    if (is_folder || strcmp(entry, *wanted) != 0)
        return true;
    *wanted = NULL;
    return false;
}

bool mmd_locate_is_file(const char *path)
{
    platform_info about;
    if (platform_stat(path, &about))
        return about.kind == PLATFORM_FILE && platform_may_read(path);
    const location s = find_location(path);
    mmd_source *source;
    if (s.kind != LOCATION_ARCHIVE || !s.inner[0] || strlen(s.inner) >= MMD_PATH_MAX ||
        open_location(&s, path, &source, NULL) != MMD_OK)
        return false;
    char folder[MMD_PATH_MAX];
    const char *name = mmd_path_name(s.inner);
    mmd_path_folder(s.inner, folder, sizeof folder);
    mmd_source_list(source, strcmp(folder, ".") == 0 ? "" : folder, find_name, &name);
    mmd_source_destroy(source);
    return name == NULL;
}

mmd_status mmd_locate_open_source(const char *path, mmd_source **source, char folder[MMD_PATH_MAX],
                                  mmd_error *error)
{
    *source = NULL;
    if (platform_exists(path))
        return MMD_OK;
    const location s = find_location(path);
    if (s.kind != LOCATION_ARCHIVE || !s.inner[0])
        return MMD_OK;
    mmd_status status = open_location(&s, path, source, error);
    if (status != MMD_OK)
        return status;
    char found[MMD_PATH_MAX];
    mmd_path_folder(mmd_source_find(*source, s.inner, found) ? found : s.inner, folder, MMD_PATH_MAX);
    return MMD_OK;
}

/* --- Contents of an archive or folder --- */

enum { LEVELS_MAX = 8, FILES_MAX = 20000 };

static bool add_file(mmd_locate_contents *c, const char *name, uint64_t size, bool encrypted)
{
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 64;
        mmd_locate_file *grown = mmd_realloc(c->files, capacity * sizeof *grown);
        if (!grown)
            return false;
        c->files = grown;
        c->capacity = capacity;
    }
    const char *kept = mmd_arena_text(&c->arena, name, strlen(name));
    if (kept)
        c->files[c->count++] = (mmd_locate_file){kept, size, encrypted};
    return kept != NULL;
}

/* State of walking a folder of the file system. */
typedef struct walk {
    mmd_locate_contents *contents;
    mmd_source *source;
    const char *root;
    char folder[MMD_PATH_MAX];
    int level;
} walk;

static uint64_t size_in_folder(const char *root, const char *name)
{
    char path[MMD_FILE_PATH_MAX];
    platform_info about;
    int length = snprintf(path, sizeof path, "%s/%s", root, name);
    return length < MMD_FILE_PATH_MAX && platform_stat(path, &about) ? about.size : 0;
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
        w->contents->count >= FILES_MAX || !add_file(w->contents, name, size_in_folder(w->root, name), false);
    return !w->contents->failed;
}

static mmd_status list_folder(const char *path, mmd_locate_contents *c, mmd_error *error)
{
    walk w = {.contents = c, .source = mmd_source_folder(path), .root = path};
    if (!w.source)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET,
                             "not enough memory to list the folder");
    bool opened = mmd_source_list(w.source, "", walk_entry, &w);
    mmd_source_destroy(w.source);
    if (!opened)
        return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "the folder cannot be read");
    if (c->failed)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "the folder has more than %d files",
                             FILES_MAX);
    return MMD_OK;
}

/* Lists an archive, or a folder in it; the path may end with slashes. */
static mmd_status list_archive(const location *s, mmd_locate_contents *c, mmd_error *error)
{
    mmd_archive *archive;
    size_t count, length = strlen(s->inner);
    mmd_status status = mmd_archive_open_shared(s->outer, &archive, error);
    if (status != MMD_OK)
        return status;
    while (length > 0 && s->inner[length - 1] == '/')
        length--;
    const mmd_archive_file *files = mmd_archive_files(archive, &count);
    for (size_t i = 0; i < count && status == MMD_OK; i++) {
        const char *name = files[i].name;
        if (length > 0 && (strncmp(name, s->inner, length) != 0 || name[length] != '/'))
            continue;
        if (!add_file(c, name + (length ? length + 1 : 0), files[i].size, files[i].encrypted))
            status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    }
    c->left_out = mmd_archive_left_out(archive);
    c->is_archive = true;
    mmd_archive_close(archive);
    return status;
}

mmd_status mmd_locate_contents_read(const char *path, mmd_locate_contents *contents, mmd_error *error)
{
    const location s = find_location(path);
    *contents = (mmd_locate_contents){0};
    mmd_status status =
        s.kind == LOCATION_ARCHIVE ? list_archive(&s, contents, error) : list_folder(path, contents, error);
    if (status != MMD_OK)
        mmd_error_set_file(error, path);
    return status;
}

void mmd_locate_contents_finish(mmd_locate_contents *contents)
{
    mmd_free(contents->files);
    mmd_arena_finish(&contents->arena);
    *contents = (mmd_locate_contents){0};
}

bool mmd_locate_is_container(const char *path)
{
    const location s = find_location(path);
    if (s.kind == LOCATION_PLAIN || !s.inner[0])
        return s.kind != LOCATION_PLAIN;
    mmd_locate_contents c;
    bool any = mmd_locate_contents_read(path, &c, NULL) == MMD_OK && c.count > 0;
    mmd_locate_contents_finish(&c);
    return any;
}

/* --- Choosing a file: by extension, and motions by what they move --- */

/* Kinds that a role accepts, and their name for messages. */
typedef struct role_kinds {
    mmd_name_kind first, last; /* the first available kind in this order is used */
    const char *what;
} role_kinds;

static const role_kinds kinds_of[] = {
    [MMD_LOCATE_SCENE] = {MMD_NAME_MODEL, MMD_NAME_POSE, "model, accessory, project, motion or pose"},
    [MMD_LOCATE_MODEL] = {MMD_NAME_MODEL, MMD_NAME_INTERCHANGE, "model or accessory"},
    [MMD_LOCATE_MOTION] = {MMD_NAME_MOTION, MMD_NAME_POSE, "motion"},
    [MMD_LOCATE_CAMERA] = {MMD_NAME_MOTION, MMD_NAME_MOTION, "motion"},
    [MMD_LOCATE_POSE] = {MMD_NAME_POSE, MMD_NAME_POSE, "pose"},
    [MMD_LOCATE_SOUND] = {MMD_NAME_SOUND, MMD_NAME_SOUND, "sound"},
};

/* Some file names for a message. */
typedef struct name_list {
    char text[200];
    size_t count;
} name_list;

enum { NAMES_SHOWN = 4 };

static void add_name(name_list *l, const char *name)
{
    size_t used = strlen(l->text);
    if (l->count < NAMES_SHOWN && used + strlen(name) + 2 < sizeof l->text)
        snprintf(l->text + used, sizeof l->text - used, "%s%s", used ? ", " : "", name);
    else if (used + 4 < sizeof l->text && (used < 3 || strcmp(l->text + used - 3, "...") != 0))
        snprintf(l->text + used, sizeof l->text - used, "...");
    l->count++;
}

static bool join(char chosen[MMD_FILE_PATH_MAX], const char *path, const char *name)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    int size = snprintf(chosen, MMD_FILE_PATH_MAX, "%.*s/%s", (int)length, path, name);
    return size > 0 && size < MMD_FILE_PATH_MAX;
}

/* Returns the first of a role's kinds that exists. */
static mmd_name_kind kind_there(const mmd_locate_contents *c, const role_kinds *kinds)
{
    mmd_name_kind best = MMD_NAME_OTHER;
    for (size_t i = 0; i < c->count; i++) {
        mmd_name_kind kind = mmd_name_kind_of(c->files[i].name);
        if (kind >= kinds->first && kind <= kinds->last && kind < best)
            best = kind;
    }
    return best;
}

/* --- Motions by what they move --- */

static bool moves(const char *path, const char *name, mmd_locate_role role)
{
    char inner[MMD_FILE_PATH_MAX];
    mmd_bytes bytes = {0};
    mmd_motion *m = NULL;
    if (join(inner, path, name) && mmd_locate_read(inner, &bytes, NULL) == MMD_OK &&
        mmd_file_detect(bytes.data, bytes.size) == MMD_FILE_VMD)
        mmd_vmd_read(bytes.data, bytes.size, &m, NULL);
    mmd_bytes_finish(&bytes);
    bool fits = m && (role == MMD_LOCATE_CAMERA ? m->camera_key_count > 0
                                                : m->bone_track_count || m->morph_track_count);
    mmd_motion_destroy(m);
    return fits;
}

enum { MOTIONS_READ_MAX = 16 };

/* Returns the only file of its kind, or the only motion that fits the role; otherwise NULL. */
static const mmd_locate_file *only_one(const char *path, const mmd_locate_contents *c, mmd_name_kind kind,
                                       mmd_locate_role role)
{
    const mmd_locate_file *only = NULL;
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (mmd_name_kind_of(c->files[i].name) == kind && count++ == 0)
            only = &c->files[i];
    if (count == 1 || count > MOTIONS_READ_MAX || kind != MMD_NAME_MOTION)
        return count == 1 ? only : NULL;
    only = NULL;
    for (size_t i = 0; i < c->count; i++) {
        if (mmd_name_kind_of(c->files[i].name) != kind || !moves(path, c->files[i].name, role))
            continue;
        if (only)
            return NULL;
        only = &c->files[i];
    }
    return only;
}

/* --- One file --- */

static const mmd_locate_file *largest(const mmd_locate_contents *c, mmd_name_kind kind)
{
    const mmd_locate_file *best = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const mmd_locate_file *file = &c->files[i];
        if (mmd_name_kind_of(file->name) == kind &&
            (!best || file->size > best->size ||
             (file->size == best->size && strcmp(file->name, best->name) < 0)))
            best = file;
    }
    return best;
}

static name_list others_of(const mmd_locate_contents *c, mmd_name_kind kind, const mmd_locate_file *taken)
{
    name_list l = {"", 0};
    for (size_t i = 0; i < c->count; i++)
        if (&c->files[i] != taken && mmd_name_kind_of(c->files[i].name) == kind)
            add_name(&l, c->files[i].name);
    return l;
}

static mmd_status choose_file(const char *path, const mmd_locate_contents *c, mmd_locate_role role,
                              const mmd_log *log, char chosen[MMD_FILE_PATH_MAX], mmd_error *error)
{
    const role_kinds *kinds = &kinds_of[role];
    mmd_name_kind kind = kind_there(c, kinds);
    if (kind == MMD_NAME_OTHER)
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "it contains no %s", kinds->what);
    const mmd_locate_file *taken = kind < MMD_NAME_MOTION ? largest(c, kind) : only_one(path, c, kind, role);
    name_list others = others_of(c, kind, taken);
    if (!taken)
        return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                             "it contains %zu of them; choose one as FILE/NAME: %.150s", others.count,
                             others.text);
    if (!join(chosen, path, taken->name))
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "a path in it is longer than %d bytes", MMD_FILE_PATH_MAX);
    if (others.count)
        mmd_log_message(log, MMD_LOG_INFO, "%s: using %s; it also contains %s", path, taken->name,
                        others.text);
    return MMD_OK;
}

mmd_status mmd_locate_choose(const char *path, mmd_locate_role role, const mmd_log *log,
                             char chosen[MMD_FILE_PATH_MAX], mmd_error *error)
{
    mmd_locate_contents c;
    mmd_status status = MMD_OK;
    if (!mmd_locate_is_container(path)) {
        if (snprintf(chosen, MMD_FILE_PATH_MAX, "%s", path) < MMD_FILE_PATH_MAX)
            return MMD_OK;
        mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "the path is longer than %d bytes",
                      MMD_FILE_PATH_MAX - 1);
        mmd_error_set_file(error, path);
        return MMD_ERROR_LIMIT;
    }
    status = mmd_locate_contents_read(path, &c, error);
    if (status == MMD_OK)
        status = choose_file(path, &c, role, log, chosen, error);
    mmd_error_set_file(error, path);
    mmd_locate_contents_finish(&c);
    return status;
}

bool mmd_locate_only_sound(const char *path, char chosen[MMD_FILE_PATH_MAX])
{
    mmd_locate_contents c;
    if (!mmd_locate_is_container(path))
        return false;
    const mmd_locate_file *only = mmd_locate_contents_read(path, &c, NULL) == MMD_OK
                                      ? only_one(path, &c, MMD_NAME_SOUND, MMD_LOCATE_SOUND)
                                      : NULL;
    bool found = only && join(chosen, path, only->name);
    mmd_locate_contents_finish(&c);
    return found;
}

/* --- Everything that a drop opens --- */

typedef struct sorted {
    const char *path;
    const mmd_locate_contents *contents;
    const mmd_log *log;
    mmd_arena *arena;
    const char **paths;
    size_t count;
    name_list left;
    bool failed;
} sorted;

enum { MODELS_MAX = 16, MOTIONS_MAX = 16 };

static void take(sorted *s, const mmd_locate_file *file)
{
    char joined[MMD_FILE_PATH_MAX];
    const char *kept =
        join(joined, s->path, file->name) ? mmd_arena_text(s->arena, joined, strlen(joined)) : NULL;
    s->failed |= !kept;
    if (kept)
        s->paths[s->count++] = kept;
}

static bool same_folder(const char *a, const char *b)
{
    size_t x = (size_t)(mmd_path_name(a) - a), y = (size_t)(mmd_path_name(b) - b);
    return x == y && memcmp(a, b, x) == 0;
}

/* Tests whether a model is the largest of its folder, which often has several variants; of equal ones the
 * first. */
static bool is_largest_of_folder(const mmd_locate_contents *c, const mmd_locate_file *file,
                                 mmd_name_kind kind)
{
    for (size_t i = 0; i < c->count; i++) {
        const mmd_locate_file *other = &c->files[i];
        if (other == file || mmd_name_kind_of(other->name) != kind || !same_folder(other->name, file->name))
            continue;
        if (other->size > file->size || (other->size == file->size && strcmp(other->name, file->name) < 0))
            return false;
    }
    return true;
}

/* Tests whether a .vac beside a .x names it. */
static bool is_named_by_vac(const mmd_locate_contents *c, const mmd_locate_file *file)
{
    if (strcasecmp(strrchr(file->name, '.'), ".x") != 0)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const char *dot = strrchr(c->files[i].name, '.');
        if (dot && strcasecmp(dot, ".vac") == 0 && same_folder(c->files[i].name, file->name))
            return true;
    }
    return false;
}

static bool is_opened(const mmd_locate_contents *c, const mmd_locate_file *file, mmd_name_kind kind)
{
    return kind == MMD_NAME_ACCESSORY ? !is_named_by_vac(c, file) : is_largest_of_folder(c, file, kind);
}

static void take_models(sorted *s)
{
    static const role_kinds wanted = {MMD_NAME_MODEL, MMD_NAME_INTERCHANGE, ""};
    const mmd_locate_contents *c = s->contents;
    mmd_name_kind best = kind_there(c, &wanted);
    size_t taken = 0;
    for (size_t i = 0; i < c->count; i++) {
        mmd_name_kind kind = mmd_name_kind_of(c->files[i].name);
        if (kind > MMD_NAME_PROJECT)
            continue;
        if (kind == best && taken < MODELS_MAX && is_opened(c, &c->files[i], kind)) {
            take(s, &c->files[i]);
            taken++;
        } else {
            add_name(&s->left, c->files[i].name);
        }
    }
}

static void take_motions(sorted *s)
{
    const mmd_locate_contents *c = s->contents;
    size_t motions = 0, poses = 0;
    for (size_t i = 0; i < c->count; i++) {
        motions += mmd_name_kind_of(c->files[i].name) == MMD_NAME_MOTION;
        poses += mmd_name_kind_of(c->files[i].name) == MMD_NAME_POSE;
    }
    size_t taken = 0;
    for (size_t i = 0; i < c->count; i++) {
        mmd_name_kind kind = mmd_name_kind_of(c->files[i].name);
        if (kind != MMD_NAME_MOTION && kind != MMD_NAME_POSE)
            continue;
        bool wanted = kind == MMD_NAME_MOTION || (motions == 0 && poses == 1);
        if (wanted && taken++ < MOTIONS_MAX)
            take(s, &c->files[i]);
        else
            add_name(&s->left, c->files[i].name);
    }
}

/* Takes the sound if there is only one, because with several the choice is unclear. */
static void take_sound(sorted *s)
{
    const mmd_locate_contents *c = s->contents;
    const mmd_locate_file *only = only_one(s->path, c, MMD_NAME_SOUND, MMD_LOCATE_SCENE);
    for (size_t i = 0; i < c->count; i++)
        if (&c->files[i] != only && mmd_name_kind_of(c->files[i].name) == MMD_NAME_SOUND)
            add_name(&s->left, c->files[i].name);
    if (only)
        take(s, only);
}

static mmd_status sort(sorted *s, mmd_error *error)
{
    s->paths = mmd_arena_alloc(s->arena, MODELS_MAX + MOTIONS_MAX + 1, sizeof *s->paths);
    if (!s->paths)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    take_models(s);
    take_motions(s);
    take_sound(s);
    if (s->failed)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "a path in it is too long");
    if (s->count == 0)
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET,
                             "it contains nothing that can be opened");
    if (s->left.count)
        mmd_log_message(s->log, MMD_LOG_INFO, "%s: these files are not opened: %s", s->path, s->left.text);
    return MMD_OK;
}

static mmd_status sort_plain(sorted *s, mmd_error *error)
{
    s->paths = mmd_arena_alloc(s->arena, 1, sizeof *s->paths);
    const char *kept = mmd_arena_text(s->arena, s->path, strlen(s->path));
    if (!s->paths || !kept)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    s->paths[s->count++] = kept;
    return MMD_OK;
}

mmd_status mmd_locate_sort(const char *path, const mmd_log *log, mmd_arena *arena, const char ***paths,
                           size_t *count, mmd_error *error)
{
    mmd_locate_contents c = {0};
    sorted s = {.path = path, .contents = &c, .log = log, .arena = arena};
    mmd_status status = MMD_OK;
    if (mmd_locate_is_container(path)) {
        status = mmd_locate_contents_read(path, &c, error);
        if (status == MMD_OK)
            status = sort(&s, error);
    } else {
        status = sort_plain(&s, error);
    }
    mmd_error_set_file(error, path);
    mmd_locate_contents_finish(&c);
    *paths = s.paths;
    *count = s.count;
    return status;
}
