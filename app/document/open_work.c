/*
 * One job at a time. Its thread reads and simulates (open_work.c); this one
 * gives to the GPU what has been read, and puts the scene in place. Until then
 * the thread alone has the second scene; of the first one it looks at the list
 * of its files only, which nobody changes while a job is there.
 */
#include "open_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "audio.h"
#include "media/audio_file.h"
#include "base/clock.h"
#include "command/commands.h"
#include "document.h"
#include "loader_job.h"
#include "mmd/memory.h"
#include "mmd/pool.h"
#include "rebuild.h"
#include "preferences.h"
#include "edit/state_lines.h"

#define SLICE    0.006 /* seconds of a turn that uploads may take; the last one may take longer */
#define PATIENCE 10.0  /* seconds for physics to come to where the dance is, once all else is there */

struct open_work {
    odori_session *session;
    mmd_worker *worker;
    open_job *job;     /* under way; NULL: none */
    open_job *waiting; /* the next one; NULL: none */
    double ready;      /* since when all is with the GPU; 0: it is not */
};

open_work *open_work_create(odori_session *session)
{
    open_work *l = mmd_alloc(sizeof *l);
    if (!l)
        return NULL;
    *l = (open_work){.session = session, .worker = mmd_worker_create()};
    if (l->worker)
        return l;
    mmd_free(l);
    return NULL;
}

static mmd_view *view_of(const open_work *l)
{
    return document_of(l->session)->opener->screen->view;
}

/* Nothing is left of it, on the GPU neither. */
static void end_job(open_work *l)
{
    open_job *j = l->job;
    mmd_worker_wait(l->worker);
    for (size_t i = 0; i < j->load_count; i++) {
        mmd_view_load_destroy(view_of(l), j->loads[i].load);
        if (i < j->uploaded && !j->is_put && j->kind != JOB_TEXTURES)
            mmd_view_remove_model(view_of(l), j->loads[i].model);
    }
    job_destroy(j);
    l->job = NULL;
    l->ready = 0;
    l->session->changed = true;
}

void open_work_destroy(open_work *l)
{
    if (!l)
        return;
    open_work_cancel(l);
    if (l->job)
        end_job(l);
    mmd_worker_destroy(l->worker);
    mmd_free(l);
}

/* --- Beginning --- */

/* The camera is left out: following a bone moves it all the time. */
static void write_lines(const odori_session *s, mmd_buffer *lines)
{
    mmd_buffer camera = {0};
    state_lines_write(s, lines);
    state_lines_camera(s, &camera);
    lines->size -= camera.size <= lines->size ? camera.size : 0;
    mmd_buffer_finish(&camera);
}

static void start(open_work *l, open_job *j)
{
    odori_session *s = l->session;
    l->job = j;
    j->live = s->scene;
    j->opener = *document_of(s)->opener;
    j->opener.screen = NULL;
    j->opener.work = NULL;
    j->opener.result = &j->result;
    j->opener.trouble[0] = '\0';
    j->view = s->view;
    j->selected = s->selected;
    j->remembers = s->remembers;
    atomic_store(&j->goal, s->frame);
    write_lines(s, &j->lines);
    mmd_worker_start(l->worker, job_run, j);
    s->changed = true;
}

/* What waits already is not thrown away: files dropped meanwhile join those that wait. */
static bool enqueue(open_work *l, open_job *j, char *error)
{
    if (!j) {
        snprintf(error, REFUSAL_MAX, "out of memory");
        return false;
    }
    if (l->waiting) {
        job_destroy(l->waiting);
        l->waiting = NULL;
    }
    if (l->job)
        l->waiting = j;
    else
        start(l, j);
    return true;
}

bool open_work_files(open_work *l, const char *const *paths, size_t count, char *error)
{
    open_job *j = l->waiting && l->waiting->kind == JOB_FILES ? l->waiting : NULL;
    if (count == 0)
        return true;
    if (j)
        return job_add(j, paths, count) || enqueue(l, NULL, error);
    return enqueue(l, job_create(JOB_FILES, paths, count), error);
}

bool open_work_replace(open_work *l, const scene_options *files, const char *audio, bool plays, char *error)
{
    open_job *j = job_create(JOB_SCENE, files->files.items, 1);
    if (j) {
        j->files = files;
        j->audio = audio;
        j->plays = plays;
        open_work_cancel(l);
    }
    return enqueue(l, j, error);
}

bool open_work_reopen(open_work *l, const char *path, char *error)
{
    return enqueue(l, job_create(JOB_AGAIN, &path, 1), error);
}

bool open_work_textures(open_work *l, size_t model, const char *const *paths, size_t count, char *error)
{
    open_job *j = job_create(JOB_TEXTURES, paths, count);
    if (j)
        j->model = model;
    return enqueue(l, j, error);
}

bool open_work_is_busy(const open_work *l)
{
    return l && l->job;
}

bool open_work_tell(const open_work *l, double *part, const char **name)
{
    if (!l || !l->job || atomic_load(&l->job->stops))
        return false;
    *part = job_part(l->job);
    *name = mmd_path_name(l->job->paths.items[0]);
    return true;
}

bool open_work_cancel(open_work *l)
{
    if (!l || !l->job || atomic_load(&l->job->stops))
        return false;
    atomic_store(&l->job->stops, true);
    if (l->waiting)
        job_destroy(l->waiting);
    l->waiting = NULL;
    l->session->changed = true;
    return true;
}

/* --- The end of it --- */

static void tell(open_work *l, const char *error)
{
    panel_log_tell(l->session->messages, "%s", error);
    snprintf(document_of(l->session)->opener->trouble, sizeof document_of(l->session)->opener->trouble, "%.255s", error);
    l->session->changed = true;
}

/* Files that the scene was made of are gone: what can be done without them is done at once. */
static void open_at_once(open_work *l)
{
    char error[REFUSAL_MAX];
    file_opener *o = document_of(l->session)->opener;
    o->work = NULL;
    if (!open_files(l->session, l->job->paths.items, l->job->paths.count, error))
        panel_log_tell(l->session->messages, "%s", error);
    o->work = l;
}

/* What was edited since the job began is edited in the other scene, too. */
static void catch_up(open_work *l)
{
    open_job *j = l->job;
    odori_session *s = l->session, *other = &j->session;
    mmd_buffer now = {0};
    write_lines(s, &now);
    if (now.size != j->lines.size || memcmp(now.data, j->lines.data, now.size) != 0) {
        size_t selected = other->selected;
        reopen_run_lines(other, &now);
        other->selected = selected;
    }
    mmd_buffer_finish(&now);
    reopen_hidden(s, other);
}

/* The same dance with more or other files: time, camera and view are the session's. */
static void join(open_work *l)
{
    open_job *j = l->job;
    odori_session *s = l->session, *other = &j->session;
    catch_up(l);
    if (other->selected != j->selected || s->selected >= other->scene->model_count)
        s->selected = other->selected;
    open_join(s, other, j->result.took_camera);
    session_go(s, j->result.restarted ? 0 : s->frame);
}

static void put_sound(open_work *l)
{
    open_job *j = l->job;
    odori_audio *audio = document_of(l->session)->audio;
    if (j->result.music_ends)
        audio_shut_bundled(audio);
    if (j->result.sound_follows && !j->result.sound)
        audio_follow_scene(audio, l->session->scene);
    if (audio && j->result.sound) {
        audio_play(audio, j->result.sound, j->result.sound_path);
        j->result.sound = NULL;
    } else if (audio && j->kind == JOB_SCENE && !l->session->scene->settings.sound) {
        audio_shut(audio);
    }
}

static void put_textures(open_work *l)
{
    scene_model *m = &l->session->scene->models[l->job->model];
    mmd_source_destroy(m->textures.source);
    m->textures = l->job->place;
    l->job->place.source = NULL;
}

static void put_scene(open_work *l)
{
    open_job *j = l->job;
    file_opener *o = document_of(l->session)->opener;
    size_t before = l->session->scene->model_count;
    if (j->result.replaced)
        open_take_place(l->session, &l->job->session);
    else
        join(l);
    if (!j->result.replaced && l->session->remembers)
        preferences_restore_models(l->session, before);
    o->dancer = j->opener.dancer;
    memcpy(o->name, j->opener.name, sizeof o->name);
    if (j->kind == JOB_SCENE) {
        session_pause(l->session);
        if (j->plays)
            session_play(l->session);
    }
}

static void put(open_work *l)
{
    open_job *j = l->job;
    bool is_file = j->kind == JOB_FILES || j->kind == JOB_SCENE;
    document_of(l->session)->opener->trouble[0] = '\0'; /* what was wrong before is no news any more */
    j->is_put = true;
    if (j->kind == JOB_TEXTURES)
        put_textures(l);
    else if (j->has_scene)
        put_scene(l);
    put_sound(l);
    for (size_t i = 0; !is_file && i < j->paths.count; i++)
        panel_log_tell(l->session->messages, "%s: read again", j->paths.items[i]);
    if (j->error[0])
        tell(l, j->error);
}

static void begin_next(open_work *l)
{
    open_job *next = l->waiting;
    l->waiting = NULL;
    if (next)
        start(l, next);
}

static void finish(open_work *l)
{
    open_job *j = l->job;
    mmd_worker_wait(l->worker);
    if (atomic_load(&j->stops))
        panel_log_tell(l->session->messages, "%s: not opened", mmd_path_name(j->paths.items[0]));
    else if (j->has_no_base)
        open_at_once(l);
    else if (j->is_made)
        put(l);
    else
        tell(l, j->error);
    end_job(l);
    begin_next(l);
}

/* --- A turn --- */

static void upload(open_work *l)
{
    open_job *j = l->job;
    mmd_error why = {0};
    double started = clock_seconds();
    while (j->uploaded < j->load_count && clock_seconds() - started < SLICE) {
        bool done;
        job_load *load = &j->loads[j->uploaded];
        if (mmd_view_load_step(view_of(l), load->load, &done, &why) != MMD_OK) {
            job_refuse(j, &why, load->path);
            return;
        }
        j->uploaded += done;
    }
}

/* All is with the GPU, and physics where the dance is, or too slow to get there. */
static bool is_ready(open_work *l)
{
    open_job *j = l->job;
    if (j->uploaded < j->load_count)
        return false;
    if (l->ready <= 0)
        l->ready = clock_seconds();
    return atomic_load(&j->is_near) || clock_seconds() - l->ready > PATIENCE;
}

void open_work_poll(open_work *l)
{
    if (!l || !l->job)
        return;
    open_job *j = l->job;
    atomic_store(&j->goal, l->session->frame);
    if (!atomic_load(&j->is_read))
        return;
    if (!atomic_load(&j->stops) && j->is_made)
        upload(l);
    if (is_ready(l) || !j->is_made)
        atomic_store(&j->is_enough, true);
    bool is_sent = !j->is_made || j->uploaded == j->load_count || atomic_load(&j->stops);
    if (atomic_load(&j->is_over) && is_sent)
        finish(l);
}
