/*
 * One job at a time. Its thread reads and simulates (job_run); this one
 * gives to the GPU what has been read, and puts the scene in place. Until then
 * the thread alone has the second scene; of the first one it looks at the list
 * of its files only, which nobody changes while a job is there.
 */
#include "open_work.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "audio.h"
#include "base/clock.h"
#include "base/message.h"
#include "command/commands.h"
#include "document.h"
#include "edit/state_lines.h"
#include "media/audio_file.h"
#include "mmd/memory.h"
#include "mmd/pool.h"
#include "mmd/view_load.h"
#include "open.h"
#include "preferences.h"

#define SLICE    0.006 /* seconds of a turn that uploads may take; the last one may take longer */
#define PATIENCE 10.0  /* seconds for physics to come to where the dance is, once all else is there */

/* How much of the work has been done behind each part of it. */
#define PART_BASE   0.1
#define PART_FILES  0.3
#define PART_READ   0.7
#define PART_PLACED 1.0

#define AT_ONCE 1e-9              /* seconds that going to a frame may take: one stride */
#define NEAR    2.0               /* frames that are simulated in no time */
#define NAP     (2 * 1000 * 1000) /* nanoseconds */

/* --- A job --- */

typedef enum job_kind {
    JOB_FILES,    /* that join the scene, or take its place */
    JOB_SCENE,    /* files that take its place */
    JOB_AGAIN,    /* the scene's own */
    JOB_TEXTURES, /* of one of its models */
} job_kind;

/* A model on its way to the GPU. */
typedef struct job_load {
    const mmd_model *model;
    const char *path;
    mmd_view_load *load;
} job_load;

typedef struct open_job {
    job_kind kind;
    text_list paths; /* what is opened, or what has changed */
    mmd_arena arena; /* of the paths */
    /* Of whoever starts it; the thread reads them. */
    const odori_scene
        *live; /* of which the list of files alone is looked at, and textures by number `model` */
    const recipe *files;
    bool plays, remembers;
    size_t model, selected;
    mmd_view_options view;
    mmd_buffer lines;
    document document; /* of the session below: it opens files, and nothing else */
    file_opener opener;
    /* Between the two. */
    atomic_bool stops;     /* nobody wants it any more */
    atomic_bool is_read;   /* loads are the starter's from here on, and so is is_made */
    atomic_bool is_near;   /* the scene is where the dance is */
    atomic_bool is_enough; /* no more simulating */
    atomic_bool is_over;   /* all is the starter's */
    _Atomic double goal;   /* where the dance is */
    _Atomic double part;   /* of the work, that is done */
    /* Of the thread, then the starter's. */
    odori_scene scene;
    odori_session session;
    bool has_scene; /* both stand */
    open_result result;
    texture_place place; /* of JOB_TEXTURES */
    job_load *loads;
    size_t load_count, uploaded;
    bool has_no_base;        /* the scene's own files cannot be read again */
    bool is_made;            /* else error says why not */
    bool is_put;             /* its models are the scene's */
    char error[REFUSAL_MAX]; /* made, too: of some of the files */
} open_job;

static bool job_add(open_job *j, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *kept = mmd_arena_text(&j->arena, paths[i], strlen(paths[i]));
        if (!kept || !text_list_add(&j->paths, kept))
            return false;
    }
    return true;
}

/* Its loads are destroyed before. */
static void job_destroy(open_job *j)
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

/* Paths are copied; there is at least one. NULL: out of memory. */
static open_job *job_create(job_kind kind, const char *const *paths, size_t count)
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

/* It cannot be done: why. */
static void job_refuse(open_job *j, mmd_error *why, const char *path)
{
    char sentence[512];
    mmd_error_set_file(why, mmd_path_name(path));
    snprintf(j->error, sizeof j->error, "%.200s (%s)", mmd_error_sentence(why, sentence, sizeof sentence),
             j->kind == JOB_TEXTURES ? "the picture stays what it was" : "the scene is as it was");
    j->is_made = false;
}

/* How far it is, 0 to 1. */
static double job_part(const open_job *j)
{
    double read = atomic_load(&j->part);
    double sent = j->load_count && atomic_load(&j->is_read) ? (double)j->uploaded / (double)j->load_count : 1;
    return read <= PART_READ ? read : PART_READ + (read - PART_READ) * sent;
}

static bool is_wanted(const open_job *j)
{
    return !atomic_load(&j->stops);
}

/* --- The scene, on the thread --- */

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
    if (reopen_scene(j->live, &j->opener.recipe->scene.pose, &j->opener.log, &j->scene, &why) != MMD_OK) {
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
    if (audio_file_open(j->files->sound.path, &j->result.sound, &why) == MMD_OK)
        snprintf(j->result.sound_path, sizeof j->result.sound_path, "%s", j->files->sound.path);
    else
        snprintf(j->error, sizeof j->error, "%.250s", mmd_error_sentence(&why, sentence, sizeof sentence));
}

static bool job_open_scene(open_job *j)
{
    if (!scene_init(&j->scene))
        return false;
    begin_session(j);
    bool opened = open_replace(&j->session, j->files, j->error);
    if (opened && j->files->sound.path)
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

/* --- All that the thread does --- */

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

/* For a worker: an open_job. */
static void job_run(void *context)
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

/* --- The work, on the player's thread --- */

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

bool open_work_replace(open_work *l, const recipe *files, bool plays, char *error)
{
    open_job *j = job_create(JOB_SCENE, &files->scene.files.items[0].path, 1);
    if (j) {
        j->files = files;
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
    snprintf(document_of(l->session)->opener->trouble, sizeof document_of(l->session)->opener->trouble,
             "%.255s", error);
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
