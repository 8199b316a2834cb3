/* Watching by what the file system says of each file: its time and size, twice the same and other than
 * before. What is done then: see reload_apply.h. */
#include "watch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "audio.h"
#include "document.h"
#include "open_work.h"
#include "mmd/memory.h"
#include "open.h"
#include "files/locate.h"
#include "reload_apply.h"

#define INTERVAL 0.5

/* What tells two versions of a file apart. */
typedef struct stamp {
    int64_t seconds, nanoseconds, size;
    uint64_t node; /* saved by renaming: another file of the name */
} stamp;

typedef struct watched {
    const char *path;
    reload_change kind;
    size_t index; /* of the model or motion */
    stamp known, seen;
    bool has_changed; /* when it was looked at last */
} watched;

struct odori_reload {
    watched *files;
    size_t count, capacity;
    mmd_arena arena; /* of the paths */
    double next;
    /* The scene they are of. */
    const mmd_stage *stage;
    size_t models, motions;
    char sound[PATH_MAX];
};

odori_reload *reload_create(void)
{
    odori_reload *r = mmd_alloc(sizeof *r);
    if (r)
        *r = (odori_reload){0};
    return r;
}

static void forget(odori_reload *r)
{
    mmd_free(r->files);
    mmd_arena_finish(&r->arena);
    *r = (odori_reload){.next = r->next};
}

static const watched *find(const odori_reload *r, const char *path)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->files[i].path, path) == 0)
            return &r->files[i];
    return NULL;
}

void reload_destroy(odori_reload *r)
{
    if (!r)
        return;
    forget(r);
    mmd_free(r);
}

/* False: it is not there, or no file. */
static bool read_stamp(const char *path, stamp *result)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode))
        return false;
    *result = (stamp){s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_size, s.st_ino};
    return true;
}

static bool are_equal(const stamp *a, const stamp *b)
{
    return a->seconds == b->seconds && a->nanoseconds == b->nanoseconds && a->size == b->size &&
           a->node == b->node;
}

/* A list that is being made, beside the one before: what that one knows of a file has not been read again. */
typedef struct watching {
    odori_reload *made;
    const odori_reload *before;
} watching;

static bool make_room(odori_reload *r)
{
    if (r->count < r->capacity)
        return true;
    size_t capacity = r->capacity ? 2 * r->capacity : 32;
    watched *grown = mmd_realloc(r->files, capacity * sizeof *grown);
    if (!grown)
        return false;
    r->files = grown;
    r->capacity = capacity;
    return true;
}

/* What is no file of the file system, nor in an archive of it, cannot be watched, and without memory nothing
 * is. A file is watched once: whatever is made of it is made again together. */
static void watch(const watching *to, const char *path, reload_change kind, size_t index)
{
    char archive[PATH_MAX];
    odori_reload *r = to->made;
    watched w = {.kind = kind, .index = index};
    if (access(path, F_OK) != 0) {
        if (!locate_archive(path, archive))
            return;
        path = archive;
        w.kind = kind == RELOAD_SOUND ? kind : RELOAD_SCENE;
    }
    const watched *before = find(to->before, path);
    if (find(r, path) || !read_stamp(path, &w.known) || !make_room(r))
        return;
    if (before)
        w.known = before->known;
    w.seen = w.known;
    w.path = mmd_arena_text(&r->arena, path, strlen(path));
    if (w.path)
        r->files[r->count++] = w;
}

static void watch_beside(const watching *to, const scene_model *m, const char *name, reload_change kind,
                         size_t index)
{
    char root[PATH_MAX], found[MMD_PATH_MAX], path[PATH_MAX + MMD_PATH_MAX];
    if (!textures_root(&m->textures, m->path, root) || !textures_find(&m->textures, name, found))
        return;
    snprintf(path, sizeof path, "%s/%s", root, found);
    watch(to, path, kind, index);
}

/* The file itself, what it names, and its pictures. */
static void watch_model(const watching *to, const scene_model *m, size_t index)
{
    watch(to, m->path, RELOAD_SCENE, index);
    if (m->project)
        watch(to, m->project, RELOAD_SCENE, index);
    if (m->vac)
        watch_beside(to, m, mmd_path_name(m->vac->file), RELOAD_SCENE, index);
    for (uint32_t i = 0; i < m->model->texture_count; i++)
        watch_beside(to, m, m->model->textures[i], RELOAD_TEXTURES, index);
}

static void watch_session(odori_reload *r, const odori_session *s)
{
    const odori_scene *scene = s->scene;
    odori_reload made = {
        .next = r->next, .stage = scene->stage, .models = scene->model_count, .motions = scene->motion_count};
    const watching to = {&made, r};
    snprintf(made.sound, sizeof made.sound, "%s", audio_path(document_of(s)->audio));
    for (size_t i = 0; i < scene->model_count; i++)
        watch_model(&to, &scene->models[i], i);
    for (size_t i = 0; i < scene->motion_count; i++)
        if (!scene->motions[i].is_of_project)
            watch(&to, scene->motions[i].path, RELOAD_SCENE, i);
    if (made.sound[0])
        watch(&to, made.sound, RELOAD_SOUND, 0);
    forget(r);
    *r = made;
}

/* Whether a file was written since, and is not being written now; a file that is gone is on its way back. */
static void look(watched *w)
{
    stamp now;
    w->has_changed = false;
    if (!read_stamp(w->path, &now))
        return;
    w->has_changed = are_equal(&now, &w->seen) && !are_equal(&now, &w->known);
    w->seen = now;
}

static bool is_of(const odori_reload *r, const odori_session *s)
{
    const odori_scene *scene = s->scene;
    return r->stage == scene->stage && r->models == scene->model_count && r->motions == scene->motion_count &&
           strcmp(r->sound, audio_path(document_of(s)->audio)) == 0;
}

/* Of what has changed the first; but where the scene has, all of it is read again. */
static const watched *first_changed(const odori_reload *r)
{
    const watched *first = NULL;
    for (size_t i = 0; i < r->count; i++) {
        const watched *w = &r->files[i];
        if (w->has_changed && (!first || (w->kind == RELOAD_SCENE && first->kind != RELOAD_SCENE)))
            first = w;
    }
    return first;
}

static bool is_read_with(const watched *w, const watched *first)
{
    return first->kind == RELOAD_SCENE
               ? w->kind != RELOAD_SOUND
               : w->kind == first->kind && (w->kind != RELOAD_TEXTURES || w->index == first->index);
}

/* All that is read with the first is known from here on. */
static void act(odori_reload *r, odori_session *s, const watched *first)
{
    char error[REFUSAL_MAX];
    reload_files files = {.kind = first->kind, .model = first->index};
    const char **paths = mmd_alloc(r->count * sizeof *paths);
    if (!paths)
        return;
    paths[files.count++] = first->path;
    for (size_t i = 0; i < r->count; i++) {
        watched *w = &r->files[i];
        if (!w->has_changed || !is_read_with(w, first))
            continue;
        w->known = w->seen;
        if (w != first)
            paths[files.count++] = w->path;
    }
    files.paths = paths;
    if (!reload_apply(s, &files, error))
        reload_tell(s, error);
    mmd_free(paths);
}

/* What is under way looks at the same files; what changes meanwhile has changed afterwards, too. */
void reload_poll(odori_reload *r, odori_session *s, double now)
{
    if (!r || now < r->next || !document_of(s)->opener->loader || loader_is_busy(document_of(s)->opener->loader))
        return;
    r->next = now + INTERVAL;
    if (!is_of(r, s)) {
        watch_session(r, s);
        return;
    }
    for (size_t i = 0; i < r->count; i++)
        look(&r->files[i]);
    const watched *first = first_changed(r);
    if (first)
        act(r, s, first);
}
