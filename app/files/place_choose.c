/* Which file of an archive or a folder is meant: by the endings of names, and of motions by what they move.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "mmd/format.h"
#include "locate.h"

/* What names end in, the likeliest to be meant first. */
typedef enum file_kind {
    KIND_MODEL,
    KIND_ACCESSORY,
    KIND_INTERCHANGE,
    KIND_PROJECT,
    KIND_MOTION,
    KIND_POSE,
    KIND_SOUND,
    KIND_OTHER
} file_kind;

static file_kind kind_of(const char *name)
{
    static const struct {
        const char *ending;
        file_kind kind;
    } known[] = {
        {".pmx", KIND_MODEL},   {".pmd", KIND_MODEL},       {".vac", KIND_ACCESSORY},
        {".x", KIND_ACCESSORY}, {".glb", KIND_INTERCHANGE}, {".gltf", KIND_INTERCHANGE},
        {".pmm", KIND_PROJECT}, {".vmd", KIND_MOTION},      {".vpd", KIND_POSE},
        {".wav", KIND_SOUND},   {".ogg", KIND_SOUND},       {".flac", KIND_SOUND},
        {".mp3", KIND_SOUND},
    };
    const char *dot = strrchr(mmd_path_name(name), '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(dot, known[i].ending) == 0)
            return known[i].kind;
    return KIND_OTHER;
}

bool place_is_model_name(const char *name)
{
    return kind_of(name) == KIND_MODEL;
}

/* Kinds that a role takes, and what to call them where there is none. */
typedef struct role_kinds {
    file_kind first, last; /* in this order */
    const char *what;
} role_kinds;

static const role_kinds kinds_of[] = {
    [PLACE_SCENE] = {KIND_MODEL, KIND_POSE, "model, accessory, project, motion or pose"},
    [PLACE_MODEL] = {KIND_MODEL, KIND_INTERCHANGE, "model or accessory"},
    [PLACE_MOTION] = {KIND_MOTION, KIND_POSE, "motion"},
    [PLACE_CAMERA] = {KIND_MOTION, KIND_MOTION, "motion"},
    [PLACE_POSE] = {KIND_POSE, KIND_POSE, "pose"},
    [PLACE_SOUND] = {KIND_SOUND, KIND_SOUND, "sound"},
};

/* A few names of files, for a sentence. */
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

static bool join(char chosen[PATH_MAX], const char *path, const char *name)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    int size = snprintf(chosen, PATH_MAX, "%.*s/%s", (int)length, path, name);
    return size > 0 && size < PATH_MAX;
}

/* Of the role's kinds the first that there is. */
static file_kind kind_there(const place_contents *c, const role_kinds *kinds)
{
    file_kind best = KIND_OTHER;
    for (size_t i = 0; i < c->count; i++) {
        file_kind kind = kind_of(c->files[i].name);
        if (kind >= kinds->first && kind <= kinds->last && kind < best)
            best = kind;
    }
    return best;
}

/* --- Motions by what they move --- */

static bool moves(const char *path, const char *name, place_role role)
{
    char inner[PATH_MAX];
    mmd_bytes bytes = {0};
    mmd_motion *m = NULL;
    if (join(inner, path, name) && place_read(inner, &bytes, NULL) == MMD_OK &&
        mmd_file_detect(bytes.data, bytes.size) == MMD_FILE_VMD)
        mmd_vmd_read(bytes.data, bytes.size, &m, NULL);
    mmd_bytes_finish(&bytes);
    bool fits =
        m && (role == PLACE_CAMERA ? m->camera_key_count > 0 : m->bone_track_count || m->morph_track_count);
    mmd_motion_destroy(m);
    return fits;
}

enum { MOTIONS_READ_MAX = 16 };

/* The only one of its kind, or of motions the only one that fits; else NULL. */
static const place_file *only_one(const char *path, const place_contents *c, file_kind kind, place_role role)
{
    const place_file *only = NULL;
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (kind_of(c->files[i].name) == kind && count++ == 0)
            only = &c->files[i];
    if (count == 1 || count > MOTIONS_READ_MAX || kind != KIND_MOTION)
        return count == 1 ? only : NULL;
    only = NULL;
    for (size_t i = 0; i < c->count; i++) {
        if (kind_of(c->files[i].name) != kind || !moves(path, c->files[i].name, role))
            continue;
        if (only)
            return NULL;
        only = &c->files[i];
    }
    return only;
}

/* --- One file --- */

static const place_file *largest(const place_contents *c, file_kind kind)
{
    const place_file *best = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const place_file *file = &c->files[i];
        if (kind_of(file->name) == kind && (!best || file->size > best->size ||
                                            (file->size == best->size && strcmp(file->name, best->name) < 0)))
            best = file;
    }
    return best;
}

static name_list others_of(const place_contents *c, file_kind kind, const place_file *taken)
{
    name_list l = {"", 0};
    for (size_t i = 0; i < c->count; i++)
        if (&c->files[i] != taken && kind_of(c->files[i].name) == kind)
            add_name(&l, c->files[i].name);
    return l;
}

static mmd_status choose(const char *path, const place_contents *c, place_role role, char chosen[PATH_MAX],
                         mmd_error *error)
{
    const role_kinds *kinds = &kinds_of[role];
    file_kind kind = kind_there(c, kinds);
    if (kind == KIND_OTHER)
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "there is no %s in it",
                             kinds->what);
    const place_file *taken = kind < KIND_MOTION ? largest(c, kind) : only_one(path, c, kind, role);
    name_list others = others_of(c, kind, taken);
    if (!taken)
        return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                             "it holds %zu of them, name one as FILE/NAME: %.150s", others.count,
                             others.text);
    if (!join(chosen, path, taken->name))
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "a name of over %d bytes in it",
                             PATH_MAX);
    if (others.count)
        message("%s: %s is taken; there is also %s", path, taken->name, others.text);
    return MMD_OK;
}

mmd_status place_choose(const char *path, place_role role, char chosen[PATH_MAX], mmd_error *error)
{
    place_contents c;
    mmd_status status = MMD_OK;
    if (!place_is_container(path)) {
        if (snprintf(chosen, PATH_MAX, "%s", path) < PATH_MAX)
            return MMD_OK;
        mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "the path has over %d bytes", PATH_MAX - 1);
        mmd_error_set_file(error, path);
        return MMD_ERROR_LIMIT;
    }
    status = place_contents_read(path, &c, error);
    if (status == MMD_OK)
        status = choose(path, &c, role, chosen, error);
    mmd_error_set_file(error, path);
    place_contents_finish(&c);
    return status;
}

bool place_only_sound(const char *path, char chosen[PATH_MAX])
{
    place_contents c;
    if (!place_is_container(path))
        return false;
    const place_file *only = place_contents_read(path, &c, NULL) == MMD_OK
                                 ? only_one(path, &c, KIND_SOUND, PLACE_SOUND)
                                 : NULL;
    bool found = only && join(chosen, path, only->name);
    place_contents_finish(&c);
    return found;
}

/* --- All that a drop opens --- */

typedef struct sorted {
    const char *path;
    const place_contents *contents;
    mmd_arena *arena;
    const char **paths;
    size_t count;
    name_list left;
    bool failed;
} sorted;

enum { MODELS_MAX = 16, MOTIONS_MAX = 16 };

static void take(sorted *s, const place_file *file)
{
    char joined[PATH_MAX];
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

/* Variants of a model lie side by side: of them the largest, of equal ones the first. */
static bool is_largest_of_folder(const place_contents *c, const place_file *file, file_kind kind)
{
    for (size_t i = 0; i < c->count; i++) {
        const place_file *other = &c->files[i];
        if (other == file || kind_of(other->name) != kind || !same_folder(other->name, file->name))
            continue;
        if (other->size > file->size || (other->size == file->size && strcmp(other->name, file->name) < 0))
            return false;
    }
    return true;
}

/* A .vac names the .x beside it. */
static bool is_named_by_vac(const place_contents *c, const place_file *file)
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

static bool is_opened(const place_contents *c, const place_file *file, file_kind kind)
{
    return kind == KIND_ACCESSORY ? !is_named_by_vac(c, file) : is_largest_of_folder(c, file, kind);
}

static void take_models(sorted *s)
{
    static const role_kinds wanted = {KIND_MODEL, KIND_INTERCHANGE, ""};
    const place_contents *c = s->contents;
    file_kind best = kind_there(c, &wanted);
    size_t taken = 0;
    for (size_t i = 0; i < c->count; i++) {
        file_kind kind = kind_of(c->files[i].name);
        if (kind > KIND_PROJECT)
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
    const place_contents *c = s->contents;
    size_t motions = 0, poses = 0;
    for (size_t i = 0; i < c->count; i++) {
        motions += kind_of(c->files[i].name) == KIND_MOTION;
        poses += kind_of(c->files[i].name) == KIND_POSE;
    }
    size_t taken = 0;
    for (size_t i = 0; i < c->count; i++) {
        file_kind kind = kind_of(c->files[i].name);
        if (kind != KIND_MOTION && kind != KIND_POSE)
            continue;
        bool wanted = kind == KIND_MOTION || (motions == 0 && poses == 1);
        if (wanted && taken++ < MOTIONS_MAX)
            take(s, &c->files[i]);
        else
            add_name(&s->left, c->files[i].name);
    }
}

/* The only one: of several nobody knows which is danced to. */
static void take_sound(sorted *s)
{
    const place_contents *c = s->contents;
    const place_file *only = only_one(s->path, c, KIND_SOUND, PLACE_SCENE);
    for (size_t i = 0; i < c->count; i++)
        if (&c->files[i] != only && kind_of(c->files[i].name) == KIND_SOUND)
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
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "a name in it is too long");
    if (s->count == 0)
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "nothing in it can be opened");
    if (s->left.count)
        message("%s: not opened are %s", s->path, s->left.text);
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

mmd_status place_sort(const char *path, mmd_arena *arena, const char ***paths, size_t *count,
                      mmd_error *error)
{
    place_contents c = {0};
    sorted s = {.path = path, .contents = &c, .arena = arena};
    mmd_status status = MMD_OK;
    if (place_is_container(path)) {
        status = place_contents_read(path, &c, error);
        if (status == MMD_OK)
            status = sort(&s, error);
    } else {
        status = sort_plain(&s, error);
    }
    mmd_error_set_file(error, path);
    place_contents_finish(&c);
    *paths = s.paths;
    *count = s.count;
    return status;
}
