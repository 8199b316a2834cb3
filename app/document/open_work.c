/*
 * One job runs at a time. Its thread loads files and simulates (job_run). Threads of a
 * reader decode textures; the player's thread uploads them to the GPU and finally replaces the scene. Until
 * then only the job's thread uses the new scene. Of the old scene it only reads the list of files, which does
 * not change while there is a job.
 */
#include "open_work.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "audio.h"
#include "autosave.h"
#include "base/clock.h"
#include "base/message.h"
#include "command/commands.h"
#include "document.h"
#include "edit/model_edit.h"
#include "edit/state_lines.h"
#include "media/audio_file.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "mmd/pool.h"
#include "mmd/view_load.h"
#include "open.h"
#include "preferences.h"
#include "scene/fade.h"
#include "scene/presence.h"

#define UPLOAD_BUDGET    0.006 /* seconds per turn of the player after which no further upload is begun */
#define SIMULATE_TIMEOUT 10.0  /* seconds for physics to catch up with the frame, once all else is done */

/* Models that were given up, beyond which the files are read again so that these lose their parts. Opening a
 * file does so, too. */
enum { GIVEN_UP_MOST = 4 };

/* Progress at the end of each step. */
#define PART_BASE   0.1
#define PART_FILES  0.3
#define PART_READ   0.7
#define PART_PLACED 1.0

#define ONE_STRIDE 1e-9              /* budget in seconds that makes session_go simulate a single stride */
#define NEAR       2.0               /* distance in frames at which the scenes can be exchanged */
#define NAP        (2 * 1000 * 1000) /* nanoseconds to sleep when there is nothing to simulate */

/* --- A job --- */

typedef enum job_kind {
    JOB_FILES,    /* opens files, which are added to the scene or replace it */
    JOB_SCENE,    /* replaces the scene by an entry of the playlist */
    JOB_AGAIN,    /* reloads the scene's own files */
    JOB_TEXTURES, /* reloads textures of one of its models */
    JOB_MODEL,    /* reads a model that takes the place of another one */
} job_kind;

/* A model whose textures are being uploaded. */
typedef struct job_load {
    const mmd_model *model;
    const char *path;
    mmd_view_load *load;
} job_load;

typedef struct open_job {
    job_kind kind;
    text_list paths; /* files to open, or files that have changed */
    mmd_arena arena; /* holds the paths */
    /* Set before the thread starts, which only reads them. */
    const odori_scene
        *live;           /* the present scene: only its list of files and the textures of `model` are read */
    const recipe *files; /* of JOB_SCENE */
    bool plays, remembers;  /* plays: playback goes on afterwards */
    bool is_again;          /* files that were open already have changed */
    bool is_quiet;          /* they have not; only models that were given up lose their parts */
    bool has_chosen;        /* of the session */
    size_t model, selected; /* model of JOB_TEXTURES and JOB_MODEL; selected model of the session */
    mmd_view_options view;
    mmd_buffer lines;
    document document; /* of the session below; it has only an opener */
    file_opener opener;
    /* Shared by both threads. */
    atomic_bool stops;     /* the job was cancelled */
    atomic_bool is_read;   /* files are read: `loads` and `is_made` belong to the player's thread now */
    atomic_bool is_near;   /* physics has caught up with the frame */
    atomic_bool is_enough; /* the thread must stop simulating */
    atomic_bool is_over;   /* the thread has ended: everything belongs to the player's thread now */
    _Atomic double goal;   /* present frame of the player */
    _Atomic double part;   /* progress, 0 to 1 */
    /* Of the job's thread, later of the player's. */
    odori_scene scene;
    odori_session session;
    bool has_scene; /* scene and session are initialised */
    open_result result;
    mmd_texture_location location; /* of JOB_TEXTURES */
    open_replacement by;           /* of JOB_MODEL */
    mmd_texture_memory textures;   /* of all loads */
    job_load *loads;
    size_t load_count, uploaded;
    mmd_view_reader *reader;    /* of all loads */
    uint32_t steps, step_count; /* of uploading: those that were done, and at most all */
    bool has_no_base;           /* the scene's own files cannot be loaded again */
    bool is_made;               /* the job has succeeded, at least with some files */
    bool is_put;                /* its models belong to the scene now */
    char error[REFUSAL_MAX];    /* of the first file that failed; "": none */
} open_job;

/* Copies paths to the job. Returns false when out of memory. */
static bool job_add(open_job *j, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *copy = mmd_arena_text(&j->arena, paths[i], strlen(paths[i]));
        if (!copy || !text_list_add(&j->paths, copy))
            return false;
    }
    return true;
}

/* Destroys a job, whose loads must have been destroyed before. */
static void job_destroy(open_job *j)
{
    if (j->has_scene)
        session_finish(&j->session);
    scene_finish(&j->scene);
    audio_file_close(j->result.sound);
    mmd_source_destroy(j->location.source);
    mmd_model_file_finish(&j->by.file);
    mmd_buffer_finish(&j->lines);
    text_list_finish(&j->paths);
    mmd_arena_finish(&j->arena);
    mmd_free(j->loads);
    mmd_free(j);
}

/* Creates a job with copies of at least one path. Returns NULL when out of memory. */
static open_job *job_create(job_kind kind, const char *const *paths, size_t count)
{
    open_job *j = mmd_alloc(sizeof *j);
    if (!j)
        return NULL;
    memset(j, 0, sizeof *j);
    j->kind = kind;
    j->is_again = kind == JOB_AGAIN || kind == JOB_TEXTURES;
    if (job_add(j, paths, count))
        return j;
    job_destroy(j);
    return NULL;
}

/* Records why the job has failed. */
static void job_refuse(open_job *j, mmd_error *why, const char *path)
{
    char sentence[512];
    mmd_error_set_file(why, mmd_path_name(path));
    snprintf(j->error, sizeof j->error, "%.200s (%s)", mmd_error_sentence(why, sentence, sizeof sentence),
             j->kind == JOB_TEXTURES ? "the old texture is kept" : "the scene is unchanged");
    j->is_made = false;
}

/* Returns the progress, 0 to 1: of reading files, of textures, and of physics, which goes on beside them. */
static double job_part(const open_job *j)
{
    double part = atomic_load(&j->part), placed = part > PART_READ ? part - PART_READ : 0;
    if (!atomic_load(&j->is_read))
        return part;
    double sent = j->uploaded == j->load_count ? 1 : mmd_min((double)j->steps / (double)j->step_count, 1);
    return PART_FILES + (PART_READ - PART_FILES) * sent + placed;
}

static bool is_wanted(const open_job *j)
{
    return !atomic_load(&j->stops);
}

/* --- Loading the scene, on the job's thread --- */

/* Returns whether all files are audio. */
static bool are_sounds(const open_job *j)
{
    for (size_t i = 0; i < j->paths.count; i++)
        if (!audio_file_is_sound(j->paths.items[i]))
            return false;
    return true;
}

/* Initialises the session of the new scene. */
static void begin_session(open_job *j)
{
    session_init(&j->session, &j->scene, &j->view);
    j->has_scene = true;
    j->document = (document){.opener = &j->opener};
    j->session.owner = &j->document;
    j->session.remembers = j->remembers;
    j->session.budget_s = ONE_STRIDE;
}

/* Loads the present scene again with all edits, so that files can be added to it. */
static bool make_base(open_job *j)
{
    mmd_error why = {0};
    if (reopen_scene(j->live, &j->opener.log, &j->scene, &why) != MMD_OK) {
        job_refuse(j, &why, j->paths.items[0]);
        j->has_no_base = j->kind == JOB_FILES;
        return false;
    }
    begin_session(j);
    reopen_run_lines(&j->session, &j->lines);
    j->session.selected = j->selected;
    j->session.has_chosen = j->has_chosen;
    atomic_store(&j->part, PART_BASE);
    return true;
}

/* Opens audio files, which need no scene. */
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

/* Opens the files of JOB_FILES. */
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

/* Opens the audio of a playlist entry. Without it the entry plays in silence. */
static void job_open_audio(open_job *j)
{
    mmd_error why = {0};
    char sentence[512];
    if (audio_file_open(j->files->sound.path, &j->result.sound, &why) == MMD_OK)
        snprintf(j->result.sound_path, sizeof j->result.sound_path, "%s", j->files->sound.path);
    else
        snprintf(j->error, sizeof j->error, "%.250s", mmd_error_sentence(&why, sentence, sizeof sentence));
}

/* Opens the files of JOB_SCENE. */
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

/* --- Textures, on the job's thread --- */

/* Creates the upload of a model. */
static bool add_load(open_job *j, const mmd_model *model, const mmd_texture_location *location,
                     const char *path)
{
    mmd_error why = {0};
    mmd_view_load *load;
    if (mmd_view_load_create(model, location->source, location->folder, &j->opener.log, &load, &why) !=
        MMD_OK) {
        job_refuse(j, &why, path);
        return false;
    }
    mmd_view_load_set_title(load, mmd_path_name(path));
    j->loads[j->load_count++] = (job_load){model, path, load};
    return true;
}

/* Creates the uploads of all models of the job. */
static bool make_loads(open_job *j)
{
    size_t count = j->has_scene ? j->scene.model_count : 1;
    j->loads = mmd_alloc(count * sizeof *j->loads);
    if (!j->loads)
        return false;
    if (j->kind == JOB_TEXTURES)
        return add_load(j, j->live->models[j->model].model, &j->location, j->paths.items[0]);
    if (j->kind == JOB_MODEL)
        return add_load(j, j->by.file.model, &j->by.file.textures, j->paths.items[0]);
    for (size_t i = 0; i < count; i++)
        if (!j->scene.models[i].is_copy && !j->scene.models[i].is_empty &&
            !add_load(j, j->scene.models[i].model, &j->scene.models[i].textures, j->scene.models[i].path))
            return false;
    return true;
}

/* Decides how large the textures are. */
static bool measure_pictures(open_job *j)
{
    mmd_error why = {0};
    char sentence[512];
    for (size_t i = 0; i < j->load_count; i++)
        if (mmd_view_load_measure(j->loads[i].load, &j->textures, &why) != MMD_OK) {
            job_refuse(j, &why, j->loads[i].path);
            return false;
        }
    for (size_t i = 0; i < j->load_count; i++)
        mmd_view_load_limit(j->loads[i].load, &j->textures);
    if (screen_tell_textures(&j->textures, sentence, sizeof sentence))
        mmd_log_message(&j->opener.log, MMD_LOG_WARNING, "%s", sentence);
    return true;
}

/* Begins to decode all textures, on threads that go on while the player's thread uploads. */
static bool read_pictures(open_job *j)
{
    mmd_error why = {0};
    if (j->has_scene)
        j->textures = screen_texture_memory(&j->scene);
    if (!make_loads(j) || !measure_pictures(j))
        return false;
    mmd_view_load **loads = mmd_alloc((j->load_count + 1) * sizeof(mmd_view_load *));
    for (size_t i = 0; loads && i < j->load_count; i++)
        loads[i] = j->loads[i].load;
    for (size_t i = 0; i < j->load_count; i++)
        j->step_count += mmd_view_load_total(j->loads[i].load) / 2 + 1;
    const uint32_t threads = screen_threads(j->live);
    mmd_status status = loads ? mmd_view_reader_create(loads, j->load_count, &j->textures,
                                                       threads ? threads : 1, &j->reader, &why)
                              : mmd_error_memory(&why);
    mmd_free(loads);
    if (status != MMD_OK)
        job_refuse(j, &why, j->paths.items[0]);
    return status == MMD_OK && is_wanted(j);
}

/* --- Physics, on the job's thread --- */

/* Simulates the new scene up to the frame of the player, which moves on meanwhile, until it is told to stop.
 */
static void follow(open_job *j)
{
    odori_session *s = &j->session;
    bool stands = j->result.replaced || j->result.restarted;
    double own = s->frame;
    s->budget_s = ONE_STRIDE; /* a command may have asked for more */
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
            atomic_store(&j->part,
                         PART_READ + (PART_PLACED - PART_READ) * mmd_min(s->simulated_to / goal, 1));
    }
    mmd_stage_settle(s->scene->stage);
}

/* --- The job's thread --- */

/* Returns whether a changed texture can be decoded. One that is still being written is left until it is
 * complete. */
static bool is_whole(const open_job *j, const mmd_model *model, const char *path, mmd_error *why)
{
    char name[MMD_PATH_MAX];
    for (uint32_t i = 0; i < model->texture_count; i++) {
        if (mmd_textures_find(&j->location, model->textures[i], name, NULL) != MMD_OK)
            continue;
        size_t length = strlen(name), whole = strlen(path);
        if (whole >= length && strcmp(path + whole - length, name) == 0)
            return mmd_textures_decode(&j->location, name, why);
    }
    return true;
}

/* Selects the changed textures that can be decoded. The first one that cannot be is reported. */
static bool read_textures(open_job *j)
{
    size_t whole = 0;
    const scene_model *m = &j->live->models[j->model];
    j->location = mmd_textures_beside(m->path, MMD_NAMED_PICTURES);
    for (size_t i = 0; j->location.source && i < j->paths.count; i++) {
        mmd_error why = {0};
        if (is_whole(j, m->model, j->paths.items[i], &why))
            j->paths.items[whole++] = j->paths.items[i];
        else if (!j->error[0])
            job_refuse(j, &why, j->paths.items[i]);
    }
    if (whole)
        j->paths.count = whole; /* only these are reported as reloaded */
    return whole > 0;
}

/* Reads the file of JOB_MODEL. */
static bool read_model(open_job *j)
{
    mmd_error why = {0};
    if (open_read_replacement(j->paths.items[0], &j->by, &why) == MMD_OK)
        return true;
    job_refuse(j, &why, j->paths.items[0]);
    return false;
}

/* Reads the files of a job of any kind. */
static bool read_all(open_job *j)
{
    switch (j->kind) {
    case JOB_FILES:
        return job_open_files(j);
    case JOB_SCENE:
        return job_open_scene(j);
    case JOB_TEXTURES:
        return read_textures(j);
    case JOB_MODEL:
        return read_model(j);
    case JOB_AGAIN:
        break;
    }
    return make_base(j);
}

/* Runs a job (an open_job) on the worker thread. */
static void job_run(void *context)
{
    open_job *j = context;
    j->is_made = read_all(j);
    atomic_store(&j->part, PART_FILES);
    if (j->is_made && (j->has_scene || j->kind == JOB_TEXTURES || j->kind == JOB_MODEL))
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

/* --- Jobs, on the player's thread --- */

struct open_work {
    odori_session *session;
    mmd_worker *worker;
    open_job *job;     /* that is running; NULL: none */
    open_job *waiting; /* the next one; NULL: none */
    double ready;      /* time when all uploads were done; 0: they are not */
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

/* Destroys the job, and removes its models from the GPU unless they belong to the scene. */
static void end_job(open_work *l)
{
    open_job *j = l->job;
    mmd_worker_wait(l->worker);
    mmd_view_reader_destroy(j->reader);
    for (size_t i = 0; i < j->load_count; i++) {
        mmd_view_load_destroy(view_of(l), j->loads[i].load);
        if (i < j->uploaded && !j->is_put && j->kind != JOB_TEXTURES)
            mmd_view_remove_model(view_of(l), j->loads[i].model);
    }
    job_destroy(j);
    l->job = NULL;
    l->ready = 0;
    l->session->is_loading = false;
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

/* --- Starting jobs --- */

/* Writes the state of the session as command lines, without the camera, which following a bone moves all the
 * time. */
static void write_lines(const odori_session *s, mmd_buffer *lines)
{
    mmd_buffer camera = {0};
    state_lines_write(s, lines);
    state_lines_camera(s, &camera);
    lines->size -= camera.size <= lines->size ? camera.size : 0;
    mmd_buffer_finish(&camera);
}

/* Starts a job on the worker thread. */
static void start(open_work *l, open_job *j)
{
    odori_session *s = l->session;
    mmd_error why = {0};
    /* The textures of the present models come first. What fails here ends the player's loop. */
    (void)screen_complete(document_of(s)->opener->screen, &why);
    model_edit_bound(s); /* what is given up is not read again */
    autosave_write_given_up(s);
    l->job = j;
    j->live = s->scene;
    j->opener = *document_of(s)->opener;
    j->opener.screen = NULL;
    j->opener.work = NULL;
    j->opener.result = &j->result;
    j->opener.motions_from = 0;
    j->textures = screen_texture_memory(s->scene);
    if (j->kind == JOB_TEXTURES || j->kind == JOB_MODEL) /* the other models' are in the view */
        mmd_view_measure_textures(
            view_of(l), j->kind == JOB_TEXTURES ? s->scene->models[j->model].model : NULL, &j->textures);
    j->view = s->view;
    j->selected = s->selected;
    j->has_chosen = s->has_chosen;
    j->remembers = s->remembers;
    atomic_store(&j->goal, s->frame);
    write_lines(s, &j->lines);
    mmd_worker_start(l->worker, job_run, j);
    s->is_loading = s->changed = true;
}

/* Starts a job, or lets it wait for the running one, in place of the job that was waiting. Returns false,
 * with the reason in error, when j is NULL. */
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
    open_job *j = l->waiting && l->waiting->kind == JOB_FILES && !l->waiting->is_again ? l->waiting : NULL;
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

bool open_work_sound(open_work *l, const char *path, char *error)
{
    open_job *j = job_create(JOB_FILES, &path, 1);
    if (j)
        j->is_again = true;
    return enqueue(l, j, error);
}

bool open_work_textures(open_work *l, size_t model, const char *const *paths, size_t count, char *error)
{
    open_job *j = job_create(JOB_TEXTURES, paths, count);
    if (j)
        j->model = model;
    return enqueue(l, j, error);
}

bool open_work_model(open_work *l, size_t model, const char *path, char *error)
{
    open_job *j = job_create(JOB_MODEL, &path, 1);
    if (j)
        j->model = model;
    return enqueue(l, j, error);
}

bool open_work_is_busy(const open_work *l)
{
    return l && l->job;
}

bool open_work_progress(const open_work *l, double *part, const char **name)
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

/* --- Finishing jobs --- */

/* Reports an error, which is shown over the picture. On a full screen, before an audience, a file that was
 * not opened is no more than a refusal, which goes by itself. */
static void report_trouble(open_work *l, const char *error)
{
    if (l->session->panels.full && l->job->kind == JOB_FILES && !l->job->is_again)
        panel_log_refuse(l->session->messages, "%s", error);
    else
        panel_log_report(l->session->messages, "%s", error);
    l->session->changed = true;
}

/* Opens the files at once, in the present scene, when that cannot be loaded again because its files are gone.
 */
static void open_at_once(open_work *l)
{
    char error[REFUSAL_MAX];
    file_opener *o = document_of(l->session)->opener;
    o->work = NULL;
    if (!open_files(l->session, l->job->paths.items, l->job->paths.count, error))
        panel_log_report(l->session->messages, "%s", error);
    o->work = l;
}

/* Repeats in the new scene what was changed since the job began. */
static void catch_up(open_work *l)
{
    open_job *j = l->job;
    odori_session *s = l->session, *other = &j->session;
    mmd_buffer now = {0};
    write_lines(s, &now);
    if (now.size != j->lines.size || memcmp(now.data, j->lines.data, now.size) != 0) {
        size_t selected = other->selected;
        mmd_buffer back = {0};
        for (size_t i = 0; i < other->scene->model_count;
             i++) /* the lines act on all and remove some again */
            scene_set_present(other->scene, i, true);
        state_lines_back(other, &back);
        reopen_run_lines(other, &back);
        reopen_run_lines(other, &now);
        other->selected = selected;
        mmd_buffer_finish(&back);
    }
    mmd_buffer_finish(&now);
    reopen_hidden(s, other);
}

/* Lets the new scene begin with a fade from the present one, if it is another dance. */
static void fade(open_work *l)
{
    open_job *j = l->job;
    const odori_session *s = l->session;
    const fade_span span = {.start = j->result.replaced ? j->session.frame : 0,
                            .frames = 30.0 * s->fade_seconds * s->speed};
    bool is_dance = j->kind == JOB_SCENE || (j->result.restarted && !j->result.replaced);
    if (!is_dance || span.frames <= 0 || !fade_scenes(&j->scene, s->scene, &span))
        return;
    session_restart(&j->session);
    session_go(&j->session, span.start);
}

/* Replaces the scene by the new version of itself. Frame, camera and view of the session are retained. */
static void join(open_work *l)
{
    open_job *j = l->job;
    odori_session *s = l->session, *other = &j->session;
    catch_up(l);
    fade(l);
    if (other->selected != j->selected || !scene_is_present(s->scene, s->selected))
        s->selected = other->selected;
    s->has_chosen |= other->has_chosen && !j->has_chosen;
    open_join(s, other, j->result.took_camera);
    session_go(s, j->result.restarted ? 0 : s->frame);
}

/* Opens or closes audio, as the job requires. */
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

/* Replaces the texture source of the model. */
static void put_textures(open_work *l)
{
    scene_model *m = &l->session->scene->models[l->job->model];
    mmd_source_destroy(m->textures.source);
    m->textures = l->job->location;
    l->job->location.source = NULL;
}

/* Replaces the scene. */
static void put_scene(open_work *l)
{
    open_job *j = l->job;
    file_opener *o = document_of(l->session)->opener;
    size_t before = l->session->scene->model_count;
    if (j->result.replaced) {
        fade(l);
        open_take_place(l->session, &l->job->session);
    } else {
        join(l);
    }
    history_begin(&l->session->history);
    bool joined = l->session->history.joins;
    l->session->history.joins = true; /* models and motions of one opening are one step of undo */
    open_keep_models(l->session, j->result.replaced ? 0 : before);
    open_end_dances(l->session, &j->opener);
    l->session->history.joins = joined;
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

/* Reads the whole scene again if a changed texture leaves more or less memory for those of the other models.
 * Returns whether it does. */
static bool share_textures_again(open_work *l)
{
    const mmd_texture_memory *before = &document_of(l->session)->opener->screen->textures;
    const open_job *j = l->job;
    char error[REFUSAL_MAX];
    return j->kind == JOB_TEXTURES && !l->waiting && !mmd_texture_memory_alike(before, &j->textures) &&
           enqueue(l, job_create(JOB_AGAIN, j->paths.items, j->paths.count), error);
}

/* Puts the result of the job in place. */
static void put(open_work *l)
{
    open_job *j = l->job;
    bool is_told = j->is_again && !share_textures_again(l);
    j->is_put = true;
    if (j->load_count)
        document_of(l->session)->opener->screen->textures = j->textures;
    if (j->kind == JOB_TEXTURES)
        put_textures(l);
    else if (j->has_scene)
        put_scene(l);
    put_sound(l);
    if (l->session->panels.first &&
        !j->is_again) { /* what was opened on the first page plays, unless it is a still picture */
        l->session->panels.first = false;
        if (!l->session->picture_models)
            session_play(l->session);
    }
    if (j->result.goes_on)
        session_play(l->session);
    if (j->result.note[0])
        panel_log_tell(l->session->messages, "%s", j->result.note);
    for (size_t i = 0; is_told && !j->is_quiet && i < j->paths.count; i++)
        panel_log_tell(l->session->messages, "%s: reloaded", j->paths.items[i]);
    if (j->error[0])
        report_trouble(l, j->error);
}

/* Puts the model in the place of the other one. */
static void put_model(open_work *l)
{
    open_job *j = l->job;
    char error[REFUSAL_MAX];
    bool done = open_put_in_place_of(l->session, j->model, j->paths.items[0], &j->by, error);
    j->is_put = !j->by.file.model;
    if (!done)
        report_trouble(l, error);
    if (!l->waiting && model_edit_bound(l->session) > GIVEN_UP_MOST &&
        enqueue(l, job_create(JOB_AGAIN, j->paths.items, 1), error))
        l->waiting->is_quiet = true;
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
        panel_log_tell(l->session->messages, "%s: loading was cancelled", mmd_path_name(j->paths.items[0]));
    else if (j->has_no_base)
        open_at_once(l);
    else if (j->is_made && j->kind == JOB_MODEL)
        put_model(l);
    else if (j->is_made)
        put(l);
    else
        report_trouble(l, j->error);
    end_job(l);
    begin_next(l);
}

/* --- A turn of the player --- */

/* Uploads textures until the time of this turn is used up, or the next one is not decoded yet. */
static void upload(open_work *l)
{
    open_job *j = l->job;
    mmd_error why = {0};
    double started = clock_seconds();
    while (j->uploaded < j->load_count && clock_seconds() - started < UPLOAD_BUDGET) {
        bool done;
        job_load *load = &j->loads[j->uploaded];
        if (!mmd_view_load_is_ready(load->load))
            return;
        if (mmd_view_load_step(view_of(l), load->load, &done, &why) != MMD_OK) {
            job_refuse(j, &why, load->path);
            return;
        }
        j->uploaded += done;
        j->steps++;
    }
}

/* Returns whether all uploads are done and physics has caught up, or is too slow to do so. */
static bool is_ready(open_work *l)
{
    open_job *j = l->job;
    if (j->uploaded < j->load_count)
        return false;
    if (l->ready <= 0)
        l->ready = clock_seconds();
    return atomic_load(&j->is_near) || clock_seconds() - l->ready > SIMULATE_TIMEOUT;
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
