/* Watching by what the file system says of each file: its time and size, twice the same and other than
 * before. What is done then: see reload_apply.h. */
#include "reload.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app.h"
#include "mmd/memory.h"
#include "panel_log.h"
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
} watched;

struct odori_reload {
    watched *files;
    size_t count, capacity;
    mmd_arena arena; /* of the paths */
    double next;
    /* The scene they are of. */
    const mmd_stage *stage;
    size_t models, motions;
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

/* What is not a file of the file system cannot be watched, and without memory nothing is. */
static void watch(odori_reload *r, const char *path, reload_change kind, size_t index)
{
    watched w = {.kind = kind, .index = index};
    if (!read_stamp(path, &w.known))
        return;
    w.seen = w.known;
    if (r->count == r->capacity) {
        size_t capacity = r->capacity ? 2 * r->capacity : 32;
        watched *grown = mmd_realloc(r->files, capacity * sizeof *grown);
        if (!grown)
            return;
        r->files = grown;
        r->capacity = capacity;
    }
    w.path = mmd_arena_text(&r->arena, path, strlen(path));
    if (w.path)
        r->files[r->count++] = w;
}

static void watch_textures(odori_reload *r, const scene_model *m, size_t index)
{
    char root[PATH_MAX], name[MMD_PATH_MAX], path[PATH_MAX + MMD_PATH_MAX];
    if (!textures_root(&m->textures, m->path, root))
        return;
    for (uint32_t i = 0; i < m->model->texture_count; i++) {
        if (!textures_find(&m->textures, m->model->textures[i], name))
            continue;
        snprintf(path, sizeof path, "%s/%s", root, name);
        watch(r, path, RELOAD_TEXTURES, index);
    }
}

static void watch_scene(odori_reload *r, const odori_scene *scene)
{
    forget(r);
    r->stage = scene->stage;
    r->models = scene->model_count;
    r->motions = scene->motion_count;
    for (size_t i = 0; i < scene->model_count; i++) {
        watch(r, scene->models[i].path, RELOAD_MODEL, i);
        if (scene->models[i].project)
            watch(r, scene->models[i].project, RELOAD_MODEL, i);
        watch_textures(r, &scene->models[i], i);
    }
    for (size_t i = 0; i < scene->motion_count; i++)
        if (!scene->motions[i].is_of_project)
            watch(r, scene->motions[i].path, RELOAD_MOTION, i);
}

/* Whether a file was written since, and is not being written now; a file that is gone is on its way back. */
static bool has_changed(watched *w)
{
    stamp now;
    if (!read_stamp(w->path, &now))
        return false;
    bool rests = are_equal(&now, &w->seen), changed = !are_equal(&now, &w->known);
    w->seen = now;
    if (rests && changed)
        w->known = now;
    return rests && changed;
}

static bool is_of(const odori_reload *r, const odori_scene *scene)
{
    return r->stage == scene->stage && r->models == scene->model_count && r->motions == scene->motion_count;
}

static void act(odori_session *s, const watched *w)
{
    char error[COMMAND_ERROR_MAX], path[PATH_MAX];
    snprintf(path, sizeof path, "%s", w->path); /* the scene may go */
    if (reload_apply(s, w->kind, w->index, path, error))
        panel_log_tell(s->messages, "%s: read again", path);
    else
        reload_tell(s, error);
}

void reload_poll(odori_reload *r, odori_session *s, double now)
{
    if (!r || now < r->next)
        return;
    r->next = now + INTERVAL;
    if (!is_of(r, s->scene)) {
        watch_scene(r, s->scene);
        return;
    }
    /* Another scene's files are others: only as long as it is this one. */
    for (size_t i = 0; i < r->count && is_of(r, s->scene); i++)
        if (has_changed(&r->files[i]))
            act(s, &r->files[i]);
}
