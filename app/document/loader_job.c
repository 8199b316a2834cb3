/* What is read and simulated beside the dance: with what opens files at once, for a session nobody sees. */
#include "loader_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "media/audio_file.h"
#include "mmd/memory.h"
#include "rebuild.h"

/* How much of the work has been done behind each part of it. */
#define PART_BASE   0.1
#define PART_FILES  0.3
#define PART_READ   0.7
#define PART_PLACED 1.0

#define AT_ONCE 1e-9              /* seconds that going to a frame may take: one stride */
#define NEAR    2.0               /* frames that are simulated in no time */
#define NAP     (2 * 1000 * 1000) /* nanoseconds */

bool job_add(open_job *j, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *kept = mmd_arena_text(&j->arena, paths[i], strlen(paths[i]));
        if (!kept || !text_list_add(&j->paths, kept))
            return false;
    }
    return true;
}

open_job *job_create(job_kind kind, const char *const *paths, size_t count)
{
    open_job *j = mmd_alloc(sizeof *j);
    if (!j)
        return NULL;
    memset(j, 0, sizeof *j);
    j->kind = kind;
    if (job_add(j, paths, count))
        return j;
    job_destroy(j);
    return NULL;
}

void job_destroy(open_job *j)
{
    if (j->has_scene)
        session_finish(&j->session);
    scene_finish(&j->scene);
    audio_file_close(j->result.sound);
    mmd_source_destroy(j->place.source);
    mmd_buffer_finish(&j->lines);
    text_list_finish(&j->paths);
    mmd_arena_finish(&j->arena);
    mmd_free(j->loads);
    mmd_free(j);
}

void job_refuse(open_job *j, mmd_error *why, const char *path)
{
    char sentence[512];
    mmd_error_set_file(why, mmd_path_name(path));
    snprintf(j->error, sizeof j->error, "%.200s (%s)", mmd_error_sentence(why, sentence, sizeof sentence),
             j->kind == JOB_TEXTURES ? "the picture stays what it was" : "the scene is as it was");
    j->is_made = false;
}

double job_part(const open_job *j)
{
    double read = atomic_load(&j->part);
    double sent = j->load_count && atomic_load(&j->is_read) ? (double)j->uploaded / (double)j->load_count : 1;
    return read <= PART_READ ? read : PART_READ + (read - PART_READ) * sent;
}

static bool is_wanted(const open_job *j)
{
    return !atomic_load(&j->stops);
}

/* --- The scene --- */

static bool are_sounds(const open_job *j)
{
    for (size_t i = 0; i < j->paths.count; i++)
        if (!audio_file_is_sound(j->paths.items[i]))
            return false;
    return true;
}

static void begin_session(open_job *j)
{
    session_init(&j->session, &j->scene, &j->view);
    j->has_scene = true;
    j->document = (document){.opener = &j->opener};
    j->session.owner = &j->document;
    j->session.remembers = j->remembers;
    j->session.budget_s = AT_ONCE;
}

/* Edits and all: what is opened joins the scene as it is. */
static bool make_base(open_job *j)
{
    mmd_error why = {0};
    if (!reopen_scene(j->live, j->opener.pose, &j->opener.log, &j->scene, &why)) {
        if (why.code == MMD_OK)
            mmd_error_set(&why, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
        job_refuse(j, &why, j->paths.items[0]);
        j->has_no_base = j->kind == JOB_FILES;
        return false;
    }
    begin_session(j);
    reopen_run_lines(&j->session, &j->lines);
    j->session.selected = j->selected;
    atomic_store(&j->part, PART_BASE);
    return true;
}

/* Sounds alone need no scene. */
static bool job_open_sounds(open_job *j)
{
    if (!scene_init(&j->scene))
        return false;
    begin_session(j);
    if (open_files(&j->session, j->paths.items, j->paths.count, j->error))
        j->error[0] = '\0';
    session_finish(&j->session);
    scene_finish(&j->scene);
    j->has_scene = false;
    return j->result.opened > 0;
}

static bool job_open_files(open_job *j)
{
    if (are_sounds(j))
        return job_open_sounds(j);
    if (!make_base(j) || !is_wanted(j))
        return false;
    if (open_files(&j->session, j->paths.items, j->paths.count, j->error))
        j->error[0] = '\0';
    return j->result.opened > 0;
}

/* Silence, where the sound cannot be played: the dance is worth having. */
static void job_open_audio(open_job *j)
{
    mmd_error why = {0};
    char sentence[512];
    if (audio_file_open(j->audio, &j->result.sound, &why) == MMD_OK)
        snprintf(j->result.sound_path, sizeof j->result.sound_path, "%s", j->audio);
    else
        snprintf(j->error, sizeof j->error, "%.250s", mmd_error_sentence(&why, sentence, sizeof sentence));
}

static bool job_open_scene(open_job *j)
{
    if (!scene_init(&j->scene))
        return false;
    begin_session(j);
    bool opened = open_replace(&j->session, j->files, j->error);
    if (opened && j->audio)
        job_open_audio(j);
    return opened;
}

/* --- Pictures --- */

static bool add_load(open_job *j, const mmd_model *model, const texture_place *place, const char *path)
{
    mmd_error why = {0};
    mmd_view_load *load;
    if (mmd_view_load_create(model, place->source, place->folder, &j->opener.log, &load, &why) != MMD_OK) {
        job_refuse(j, &why, path);
        return false;
    }
    mmd_view_load_set_title(load, mmd_path_name(path));
    j->loads[j->load_count++] = (job_load){model, path, load};
    return true;
}

static bool make_loads(open_job *j)
{
    size_t count = j->kind == JOB_TEXTURES ? 1 : j->scene.model_count;
    j->loads = mmd_alloc(count * sizeof *j->loads);
    if (!j->loads)
        return false;
    if (j->kind == JOB_TEXTURES)
        return add_load(j, j->live->models[j->model].model, &j->place, j->paths.items[0]);
    for (size_t i = 0; i < count; i++)
        if (!j->scene.models[i].is_copy &&
            !add_load(j, j->scene.models[i].model, &j->scene.models[i].textures, j->scene.models[i].path))
            return false;
    return true;
}

static bool read_pictures(open_job *j)
{
    uint32_t total = 0, done = 0;
    mmd_error why = {0};
    if (!make_loads(j))
        return false;
    for (size_t i = 0; i < j->load_count; i++)
        total += mmd_view_load_total(j->loads[i].load) / 2;
    for (size_t i = 0; i < j->load_count; i++) {
        for (bool more = true; more && is_wanted(j);) {
            if (mmd_view_load_read(j->loads[i].load, &more, &why) != MMD_OK) {
                job_refuse(j, &why, j->loads[i].path);
                return false;
            }
            atomic_store(&j->part, PART_FILES + (PART_READ - PART_FILES) * ++done / (total + 1));
        }
    }
    return is_wanted(j);
}

/* --- Where the dance is --- */

/* The dance goes on meanwhile: what is done in a stride is compared with where it is by then. */
static void follow(open_job *j)
{
    odori_session *s = &j->session;
    bool stands = j->result.replaced || j->result.restarted;
    double own = s->frame;
    s->budget_s = AT_ONCE; /* a command may have asked for more */
    if (!stands)
        session_restart(s);
    while (is_wanted(j) && !atomic_load(&j->is_enough)) {
        double goal = stands ? own : atomic_load(&j->goal);
        if (s->arrived && fabs(s->frame - goal) <= NEAR) {
            atomic_store(&j->is_near, true);
            atomic_store(&j->part, PART_PLACED);
        }
        if (s->arrived && s->frame == goal) {
            nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
            continue;
        }
        session_go(s, goal);
        if (!s->arrived && goal > 0)
            atomic_store(&j->part, PART_READ + (PART_PLACED - PART_READ) * fmin(s->simulated_to / goal, 1));
    }
    mmd_stage_settle(s->scene->stage);
}

/* --- All of it --- */

/* Whether what has changed is a picture: one that is half written is left alone until it is whole. */
static bool is_whole(const open_job *j, const mmd_model *model, const char *path, mmd_error *why)
{
    char name[MMD_PATH_MAX];
    for (uint32_t i = 0; i < model->texture_count; i++) {
        if (!textures_find(&j->place, model->textures[i], name))
            continue;
        size_t length = strlen(name), whole = strlen(path);
        if (whole >= length && strcmp(path + whole - length, name) == 0)
            return textures_decode(&j->place, name, why);
    }
    return true;
}

/* The first that is not whole is told of; it does not keep others from being seen. */
static bool read_textures(open_job *j)
{
    size_t whole = 0;
    const scene_model *m = &j->live->models[j->model];
    j->place = textures_beside(m->path);
    for (size_t i = 0; j->place.source && i < j->paths.count; i++) {
        mmd_error why = {0};
        if (is_whole(j, m->model, j->paths.items[i], &why))
            j->paths.items[whole++] = j->paths.items[i];
        else if (!j->error[0])
            job_refuse(j, &why, j->paths.items[i]);
    }
    if (whole)
        j->paths.count = whole; /* those that are told of */
    return whole > 0;
}

static bool read_all(open_job *j)
{
    switch (j->kind) {
    case JOB_FILES:
        return job_open_files(j);
    case JOB_SCENE:
        return job_open_scene(j);
    case JOB_TEXTURES:
        return read_textures(j);
    case JOB_AGAIN:
        break;
    }
    return make_base(j);
}

void job_run(void *context)
{
    open_job *j = context;
    j->is_made = read_all(j);
    atomic_store(&j->part, PART_FILES);
    if (j->is_made && (j->has_scene || j->kind == JOB_TEXTURES))
        j->is_made = read_pictures(j);
    bool is_made = j->is_made;
    if (!is_made && !j->error[0])
        snprintf(j->error, sizeof j->error, "out of memory");
    atomic_store(&j->is_read, true);
    if (is_made && j->has_scene)
        follow(j);
    else
        atomic_store(&j->is_near, true);
    atomic_store(&j->is_over, true);
}
