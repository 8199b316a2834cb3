/* Watching by what the file system says of each file: its time and size, twice the same and other than
 * before. What is done then: see watch.h. */
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
    watch_change kind;
    size_t index; /* of the model or motion */
    stamp known, seen;
    bool has_changed; /* when it was looked at last */
} watched;

struct file_watch {
    watched *files;
    size_t count, capacity;
    mmd_arena arena; /* of the paths */
    double next;
    /* The scene they are of. */
    const mmd_stage *stage;
    size_t models, motions;
    char sound[PATH_MAX];
};

file_watch *watch_create(void)
{
    file_watch *r = mmd_alloc(sizeof *r);
    if (r)
        *r = (file_watch){0};
    return r;
}

static void forget(file_watch *r)
{
    mmd_free(r->files);
    mmd_arena_finish(&r->arena);
    *r = (file_watch){.next = r->next};
}

static const watched *find(const file_watch *r, const char *path)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->files[i].path, path) == 0)
            return &r->files[i];
    return NULL;
}

void watch_destroy(file_watch *r)
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
    file_watch *made;
    const file_watch *before;
} watching;

static bool make_room(file_watch *r)
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
static void watch_file(const watching *to, const char *path, watch_change kind, size_t index)
{
    char archive[PATH_MAX];
    file_watch *r = to->made;
    watched w = {.kind = kind, .index = index};
    if (access(path, F_OK) != 0) {
        if (!locate_archive(path, archive))
            return;
        path = archive;
        w.kind = kind == WATCH_SOUND ? kind : WATCH_SCENE;
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

static void watch_beside(const watching *to, const scene_model *m, const char *name, watch_change kind,
                         size_t index)
{
    char root[PATH_MAX], found[MMD_PATH_MAX], path[PATH_MAX + MMD_PATH_MAX];
    if (!textures_root(&m->textures, m->path, root) || !textures_find(&m->textures, name, found))
        return;
    snprintf(path, sizeof path, "%s/%s", root, found);
    watch_file(to, path, kind, index);
}

/* The file itself, what it names, and its pictures. */
static void watch_model(const watching *to, const scene_model *m, size_t index)
{
    watch_file(to, m->path, WATCH_SCENE, index);
    if (m->project)
        watch_file(to, m->project, WATCH_SCENE, index);
    if (m->vac)
        watch_beside(to, m, mmd_path_name(m->vac->file), WATCH_SCENE, index);
    for (uint32_t i = 0; i < m->model->texture_count; i++)
        watch_beside(to, m, m->model->textures[i], WATCH_TEXTURES, index);
}

static void watch_session(file_watch *r, const odori_session *s)
{
    const odori_scene *scene = s->scene;
    file_watch made = {
        .next = r->next, .stage = scene->stage, .models = scene->model_count, .motions = scene->motion_count};
    const watching to = {&made, r};
    snprintf(made.sound, sizeof made.sound, "%s", audio_path(document_of(s)->audio));
    for (size_t i = 0; i < scene->model_count; i++)
        watch_model(&to, &scene->models[i], i);
    for (size_t i = 0; i < scene->motion_count; i++)
        if (!scene->motions[i].is_of_project)
            watch_file(&to, scene->motions[i].path, WATCH_SCENE, i);
    if (made.sound[0])
        watch_file(&to, made.sound, WATCH_SOUND, 0);
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

static bool is_of(const file_watch *r, const odori_session *s)
{
    const odori_scene *scene = s->scene;
    return r->stage == scene->stage && r->models == scene->model_count && r->motions == scene->motion_count &&
           strcmp(r->sound, audio_path(document_of(s)->audio)) == 0;
}

/* Of what has changed the first; but where the scene has, all of it is read again. */
static const watched *first_changed(const file_watch *r)
{
    const watched *first = NULL;
    for (size_t i = 0; i < r->count; i++) {
        const watched *w = &r->files[i];
        if (w->has_changed && (!first || (w->kind == WATCH_SCENE && first->kind != WATCH_SCENE)))
            first = w;
    }
    return first;
}

static bool is_read_with(const watched *w, const watched *first)
{
    return first->kind == WATCH_SCENE
               ? w->kind != WATCH_SOUND
               : w->kind == first->kind && (w->kind != WATCH_TEXTURES || w->index == first->index);
}

/* All that is read with the first is known from here on. */
static void act(file_watch *r, odori_session *s, const watched *first)
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
    if (!watch_read_again(s, &files, error))
        watch_tell(s, error);
    mmd_free(paths);
}

/* What is under way looks at the same files; what changes meanwhile has changed afterwards, too. */
void watch_poll(file_watch *r, odori_session *s, double now)
{
    if (!r || now < r->next || !document_of(s)->opener->work || open_work_is_busy(document_of(s)->opener->work))
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
