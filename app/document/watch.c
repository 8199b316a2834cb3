/*
 * Watches files by their attributes. A file has changed when time and size are equal in two successive looks,
 * and different from those before: a file that is still being written is not read. Looks are INTERVAL apart
 * while the window is awake anyway. While it sleeps, the system tells when to look (folder_watch.h); where it
 * cannot, looking goes on.
 *
 * A stage refers to bones, morphs and bodies of its models in many ways, and so does it to motions. Therefore
 * the whole scene is reloaded and the edits are repeated (open.h), in the background if there is a window
 * (open_work.h). Textures are replaced in place.
 */
#include "watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audio.h"
#include "base/message.h"
#include "command/commands.h"
#include "document.h"
#include "edit/model_edit.h"
#include "edit/state_lines.h"
#include "folder_watch.h"
#include "mmd/assemble.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "open.h"
#include "open_work.h"

#define INTERVAL 0.5 /* seconds between two looks */

typedef enum watch_change { WATCH_SCENE, WATCH_TEXTURES, WATCH_SOUND } watch_change;

/* The files that have changed, at least one. */
typedef struct changed_files {
    watch_change kind;
    size_t model; /* of WATCH_TEXTURES */
    const char *const *paths;
    size_t count;
} changed_files;

/* Attributes that distinguish two versions of a file. */
typedef struct stamp {
    int64_t modified;    /* nanoseconds since 1970 */
    uint64_t size, node; /* programs that save by renaming create another node */
} stamp;

typedef struct watched {
    const char *path;
    watch_change kind;
    size_t index; /* of the model or motion */
    stamp known;  /* of the version that the scene has */
    stamp seen;   /* at the last look */
    bool has_changed;
} watched;

struct file_watch {
    watched *files;
    size_t count, capacity;
    mmd_arena arena;       /* of the paths */
    double next;           /* time of the next look */
    folder_watch *folders; /* of the files; NULL: there is no such facility */
    bool is_moving;        /* the last look found an attribute that the one before did not */
    /* The scene that the files belong to. */
    const mmd_stage *stage;
    size_t models, motions;
    char sound[MMD_FILE_PATH_MAX];
};

file_watch *watch_create(void (*wake)(void *user), void *user)
{
    file_watch *r = mmd_alloc(sizeof *r);
    if (r)
        *r = (file_watch){.folders = folder_watch_create(wake, user)};
    return r;
}

static void forget(file_watch *r)
{
    mmd_free(r->files);
    mmd_arena_finish(&r->arena);
    *r = (file_watch){.next = r->next, .folders = r->folders};
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
    folder_watch_destroy(r->folders);
    forget(r);
    mmd_free(r);
}

/* Reads the attributes of a file. Returns false when there is no such file. */
static bool read_stamp(const char *path, stamp *result)
{
    platform_info about;
    if (!platform_stat(path, &about) || about.kind != PLATFORM_FILE)
        return false;
    *result = (stamp){about.modified, about.size, about.node};
    return true;
}

static bool are_equal(const stamp *a, const stamp *b)
{
    return a->modified == b->modified && a->size == b->size && a->node == b->node;
}

/* A list that is being made, and the one before, from which the known versions are copied. */
typedef struct watching {
    file_watch *made;
    const file_watch *before;
} watching;

/* Makes room for another file. Returns false when out of memory. */
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

/* Adds a file to the list, or the archive that it is in. It is skipped if there is neither, if it is in the
 * list already, or when out of memory. */
static void watch_file(const watching *to, const char *path, watch_change kind, size_t index)
{
    char archive[MMD_FILE_PATH_MAX];
    file_watch *r = to->made;
    watched w = {.kind = kind, .index = index};
    if (!platform_exists(path)) {
        if (!mmd_locate_archive(path, archive))
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

/* Adds a file that a model refers to. */
static void watch_beside(const watching *to, const scene_model *m, const char *name, watch_change kind,
                         size_t index)
{
    char root[MMD_FILE_PATH_MAX], found[MMD_PATH_MAX], path[MMD_FILE_PATH_MAX + MMD_PATH_MAX];
    if (!mmd_textures_root(&m->textures, m->path, root) ||
        mmd_textures_find(&m->textures, name, found, NULL) != MMD_OK)
        return;
    snprintf(path, sizeof path, "%s/%s", root, found);
    watch_file(to, path, kind, index);
}

/* Adds the file of a model, its project, the file of an accessory, and its textures. */
static void watch_model(const watching *to, const scene_model *m, size_t index)
{
    if (m->is_given_up)
        return;
    watch_file(to, m->path, WATCH_SCENE, index);
    if (m->project)
        watch_file(to, m->project, WATCH_SCENE, index);
    if (m->vac)
        watch_beside(to, m, mmd_path_name(m->vac->file), WATCH_SCENE, index);
    mmd_source_forget(m->textures.source); /* files may have been made since it was opened */
    for (uint32_t i = 0; i < m->model->texture_count; i++)
        watch_beside(to, m, m->model->textures[i], WATCH_TEXTURES, index);
}

/* Makes the list of all files of a session. */
static void watch_session(file_watch *r, const odori_session *s)
{
    const odori_scene *scene = s->scene;
    file_watch made = {.next = r->next,
                       .folders = r->folders,
                       .stage = scene->stage,
                       .models = scene->model_count,
                       .motions = scene->motion_count};
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
    if (!r->folders)
        return;
    folder_watch_clear(r->folders);
    for (size_t i = 0; i < r->count; i++)
        folder_watch_add_file(r->folders, r->files[i].path);
    r->is_moving = true; /* what has changed before the folders were watched is found by another look */
}

/* Looks at a file and sets has_changed. A missing file has not changed: it is probably being replaced.
 * Returns whether it is another than at the last look. */
static bool look(watched *w)
{
    stamp now;
    w->has_changed = false;
    if (!read_stamp(w->path, &now))
        return false;
    bool is_same = are_equal(&now, &w->seen);
    w->has_changed = is_same && !are_equal(&now, &w->known);
    w->seen = now;
    return !is_same;
}

/* Returns whether the list belongs to the present scene and audio. */
static bool is_of(const file_watch *r, const odori_session *s)
{
    const odori_scene *scene = s->scene;
    return r->stage == scene->stage && r->models == scene->model_count && r->motions == scene->motion_count &&
           strcmp(r->sound, audio_path(document_of(s)->audio)) == 0;
}

/* Returns the first changed file, preferring those that need the whole scene to be reloaded. */
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

/* Returns whether reloading `first` also reloads another file. */
static bool is_read_with(const watched *w, const watched *first)
{
    return first->kind == WATCH_SCENE
               ? w->kind != WATCH_SOUND
               : w->kind == first->kind && (w->kind != WATCH_TEXTURES || w->index == first->index);
}

/* --- Reloading in the background --- */

/* Reports an error, which is shown over the picture. */
static void report_trouble(odori_session *s, const char *error)
{
    panel_log_report(s->messages, "%s", error);
    s->changed = true;
}

/* Begins to reload files in the background. Later errors are reported there. */
static bool read_again(odori_session *s, const changed_files *files, char error[REFUSAL_MAX])
{
    open_work *l = document_of(s)->opener->work;
    switch (files->kind) {
    case WATCH_TEXTURES:
        return open_work_textures(l, files->model, files->paths, files->count, error);
    case WATCH_SOUND:
        return open_work_sound(l, files->paths[0], error);
    case WATCH_SCENE:
        break;
    }
    return open_work_reopen(l, files->paths[0], error);
}

/* Reloads a changed file and all that are reloaded with it, and marks these versions as known. */
static void reload(file_watch *r, odori_session *s, const watched *first)
{
    char error[REFUSAL_MAX];
    changed_files files = {.kind = first->kind, .model = first->index};
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
    if (!read_again(s, &files, error))
        report_trouble(s, error);
    mmd_free(paths);
}

/* Nothing is looked at while a job runs, since that reads the same files. Changes made meanwhile are found
 * afterwards. */
void watch_poll(file_watch *r, odori_session *s, double now)
{
    if (!r || now < r->next || !document_of(s)->opener->work ||
        open_work_is_busy(document_of(s)->opener->work))
        return;
    r->next = now + INTERVAL;
    if (!is_of(r, s)) {
        watch_session(r, s);
        return;
    }
    if (r->folders)
        folder_watch_take(r->folders); /* before looking: what changes from now on is reported again */
    r->is_moving = false;
    for (size_t i = 0; i < r->count; i++)
        r->is_moving |= look(&r->files[i]);
    const watched *first = first_changed(r);
    if (first)
        reload(r, s, first);
    r->is_moving |= first != NULL; /* others may have changed with it */
}

double watch_wait(const file_watch *r, const odori_session *s, double now)
{
    if (!r || !document_of(s)->opener->work)
        return INFINITY;
    bool sleeps = is_of(r, s) && r->folders && folder_watch_is_complete(r->folders) &&
                  !folder_watch_is_stirred(r->folders) && !r->is_moving;
    return sleeps ? INFINITY : mmd_max(r->next - now, 0);
}

/* --- Reloading everything --- */

static bool refuse(char *error, mmd_error *why, const char *path)
{
    char sentence[512];
    mmd_error_set_file(why, mmd_path_name(path));
    snprintf(error, REFUSAL_MAX, "%.200s (the scene is unchanged)",
             mmd_error_sentence(why, sentence, sizeof sentence));
    return false;
}

static bool out_of_memory(char *error)
{
    snprintf(error, REFUSAL_MAX, "out of memory");
    return false;
}

/* Reloads the scene of a session without a window. Physics is simulated again from the first frame, with all
 * edits. */
static bool read_at_once(odori_session *s, const char *path, char *error)
{
    odori_scene scene = {0};
    mmd_error why = {0};
    mmd_buffer lines = {0};
    model_edit_bound(s);
    state_lines_write(s, &lines);
    bool put = reopen_scene(s->scene, &document_of(s)->opener->log, &scene, &why) == MMD_OK &&
               open_put(s, &scene, &lines, &why);
    if (put) {
        session_restart(s);
        session_go(s, s->frame);
    }
    mmd_buffer_finish(&lines);
    scene_finish(&scene);
    return put || (why.code == MMD_OK ? out_of_memory(error) : refuse(error, &why, path));
}

bool watch_read_all(odori_session *s, char *error)
{
    if (s->scene->model_count == 0 || !document_of(s)->opener) {
        snprintf(error, REFUSAL_MAX, "there is no scene to reload");
        return false;
    }
    const char *path = s->scene->models[0].path;
    return document_of(s)->opener->work ? open_work_reopen(document_of(s)->opener->work, path, error)
                                        : read_at_once(s, path, error);
}
