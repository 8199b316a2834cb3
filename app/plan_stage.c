/* The store keeps what was used last; a stage borrows from it, and its scene never frees what was lent. */
#include "plan_stage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "accessory.h"
#include "app.h"
#include "commands.h"
#include "mmd/memory.h"
#include "parse.h"

bool problem_set(problem *p, int code, const char *format, ...)
{
    va_list arguments;
    if (p->code != EXIT_DONE)
        return false;
    va_start(arguments, format);
    vsnprintf(p->text, sizeof p->text, format, arguments);
    va_end(arguments);
    p->code = code;
    return false;
}

bool problem_from(problem *p, const mmd_error *error)
{
    char sentence[sizeof p->text];
    bool facility =
        error->code == MMD_ERROR_MEMORY || error->code == MMD_ERROR_NO_CONTEXT || error->code == MMD_ERROR_GL;
    mmd_error_sentence(error, sentence, sizeof sentence);
    return problem_set(p, facility ? EXIT_FACILITY : EXIT_INPUT, "%s", sentence);
}

static bool no_memory(problem *why)
{
    return problem_set(why, EXIT_FACILITY, "out of memory");
}

/* Store. */

void plan_store_init(plan_store *store, mmd_view *view, const mmd_log *log)
{
    *store = (plan_store){.view = view, .log = *log};
}

static void drop_model(plan_store *store, stored_model *m)
{
    if (m->in_view)
        mmd_view_remove_model(store->view, m->model);
    mmd_source_destroy(m->place.source);
    mmd_model_destroy(m->model);
    mmd_vac_destroy(m->vac);
    texture_digests_finish(&m->textures);
    mmd_free(m->path);
    *m = (stored_model){0};
}

static void drop_motion(stored_motion *m)
{
    mmd_motion_destroy(m->motion);
    mmd_free(m->path);
    *m = (stored_motion){0};
}

void plan_store_finish(plan_store *store)
{
    for (size_t i = 0; i < STORE_MODELS; i++)
        drop_model(store, &store->models[i]);
    for (size_t i = 0; i < STORE_MOTIONS; i++)
        drop_motion(&store->motions[i]);
}

static bool read_model(stored_model *m, problem *why)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    model_file file = {0};
    mmd_status status = mmd_file_read(m->path, &bytes, &error);
    if (status == MMD_OK) {
        m->file = digest_of(bytes.data, bytes.size);
        status = model_file_parse(m->path, &bytes, &file, &error);
    }
    mmd_bytes_finish(&bytes);
    mmd_error_set_file(&error, m->path);
    if (status != MMD_OK)
        return problem_from(why, &error);
    m->model = file.model;
    m->place = file.textures;
    m->vac = file.vac;
    m->contents = model_digest(m->model);
    return texture_digests_read(&m->textures, m->model, &m->place) || no_memory(why);
}

/* A model of this path; the one longest unused makes room. wanted is the moment its plan began: what is newer
 * is in use. */
static stored_model *take_model(plan_store *store, const char *path, uint64_t wanted, problem *why)
{
    stored_model *oldest = &store->models[0];
    for (size_t i = 0; i < STORE_MODELS; i++) {
        stored_model *m = &store->models[i];
        if (m->path && strcmp(m->path, path) == 0) {
            m->used = store->now;
            return m;
        }
        if (m->used < oldest->used)
            oldest = m;
    }
    if (oldest->path && oldest->used >= wanted) {
        problem_set(why, EXIT_INPUT, "more than %d different models on one stage", STORE_MODELS);
        return NULL;
    }
    drop_model(store, oldest);
    oldest->path = copy_text(path);
    if (!oldest->path || !read_model(oldest, why)) {
        no_memory(why);
        drop_model(store, oldest);
        return NULL;
    }
    oldest->used = store->now;
    return oldest;
}

static bool read_motion(stored_motion *m, const mmd_log *log, problem *why)
{
    mmd_error error = {0};
    m->file = file_digest(m->path);
    if (motion_read_file(m->path, &m->motion, &error) != MMD_OK)
        return problem_from(why, &error);
    motion_report_cut(m->path, m->motion, log);
    return true;
}

static stored_motion *take_motion(plan_store *store, const char *path, uint64_t wanted, problem *why)
{
    stored_motion *oldest = &store->motions[0];
    for (size_t i = 0; i < STORE_MOTIONS; i++) {
        stored_motion *m = &store->motions[i];
        if (m->path && strcmp(m->path, path) == 0) {
            m->used = store->now;
            return m;
        }
        if (m->used < oldest->used)
            oldest = m;
    }
    if (oldest->path && oldest->used >= wanted) {
        problem_set(why, EXIT_INPUT, "more than %d different motions on one stage", STORE_MOTIONS);
        return NULL;
    }
    drop_motion(oldest);
    oldest->path = copy_text(path);
    if (!oldest->path || !read_motion(oldest, &store->log, why)) {
        no_memory(why);
        drop_motion(oldest);
        return NULL;
    }
    oldest->used = store->now;
    return oldest;
}

/* Stage. */

typedef enum input_kind { INPUT_MODEL, INPUT_MOTION, INPUT_CAMERA } input_kind;

/* Where an input is: the bundled dancer's files have no path of the user's. */
static const char *place_of(plan_store *store, const plan_input *input, input_kind kind, problem *why)
{
    bundled *b = &store->dancer;
    if (!plan_is_dancer(input))
        return input->path;
    if (!*b->model && bundled_find(b) != EXIT_DONE) {
        problem_set(why, EXIT_INPUT, "the bundled dancer is not where the program looks for her");
        return NULL;
    }
    return kind == INPUT_MODEL ? b->model : kind == INPUT_MOTION ? b->dance : b->camera;
}

static bool add_to_scene(plan_stage *s, const stored_model *m, bool is_backdrop)
{
    const model_file file = {m->model, m->place, m->vac};
    const mmd_pose_options *pose = &s->scene_options.pose;
    return is_backdrop ? scene_add_backdrop(&s->scene, m->path, &file, pose)
                       : scene_add_placed(&s->scene, m->path, &file, pose);
}

static bool add_model(plan_store *store, plan_stage *s, const plan_input *input, uint64_t wanted,
                      problem *why)
{
    const char *path = place_of(store, input, INPUT_MODEL, why);
    stored_model *m = path ? take_model(store, path, wanted, why) : NULL;
    if (!m)
        return false;
    s->models[s->scene.model_count] = m;
    if (add_to_scene(s, m, input == &s->plan->stage))
        return true;
    m->model = NULL; /* the scene freed it */
    m->place.source = NULL;
    m->vac = NULL;
    return no_memory(why);
}

static bool add_motion(plan_store *store, plan_stage *s, const plan_input *input, uint64_t wanted,
                       problem *why)
{
    const char *path = place_of(store, input, INPUT_MOTION, why);
    stored_motion *m = path ? take_motion(store, path, wanted, why) : NULL;
    if (!m)
        return false;
    s->motions[s->scene.motion_count] = m->file;
    if (scene_add_motion(&s->scene, m->path, m->motion))
        return true;
    m->motion = NULL;
    return no_memory(why);
}

/* Camera and light of the file alone, as --camera takes them. */
static bool add_camera(plan_store *store, plan_stage *s, uint64_t wanted, problem *why)
{
    const char *path = place_of(store, &s->plan->camera, INPUT_CAMERA, why);
    stored_motion *m = path ? take_motion(store, path, wanted, why) : NULL;
    if (!m)
        return false;
    s->motions[s->plan->motions.count + s->plan->poses.count] = m->file;
    return mmd_stage_add_scene_motion(s->scene.stage, m->motion, NULL) == MMD_OK || no_memory(why);
}

static bool add_all(plan_store *store, plan_stage *s, uint64_t wanted, problem *why)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->plan->models.count; i++)
        ok = add_model(store, s, &s->plan->models.items[i], wanted, why);
    ok = ok && (!s->plan->stage.given || add_model(store, s, &s->plan->stage, wanted, why));
    if (ok)
        scene_attach(&s->scene, &store->log);
    for (size_t i = 0; ok && i < s->plan->motions.count; i++)
        ok = add_motion(store, s, &s->plan->motions.items[i], wanted, why);
    for (size_t i = 0; ok && i < s->plan->poses.count; i++)
        ok = add_motion(store, s, &s->plan->poses.items[i], wanted, why);
    return ok && (!s->plan->camera.given || add_camera(store, s, wanted, why));
}

bool plan_run_commands(const plan *p, odori_session *session, problem *why)
{
    const char *line = p->exec;
    for (unsigned number = 1; *line; number++) {
        char error[COMMAND_ERROR_MAX];
        size_t length = strcspn(line, "\n");
        if (!command_run(session, line, length, error))
            return problem_set(why, EXIT_INPUT, "exec, line %u: %s", number, error);
        line += length + (line[length] == '\n');
    }
    return true;
}

bool plan_stage_open(plan_store *store, const plan *p, plan_stage *s, problem *why)
{
    *s = (plan_stage){.plan = p};
    uint64_t wanted = ++store->now;
    scene_options_init(&s->scene_options);
    view_options_init(&s->view);
    plan_apply(&p->settings, &s->view, &s->scene_options);
    s->models = mmd_alloc((p->models.count + 1) * sizeof *s->models);
    s->motions = mmd_alloc((p->motions.count + p->poses.count + 1) * sizeof *s->motions);
    if (!s->models || !s->motions || !scene_init(&s->scene))
        return no_memory(why);
    if (!add_all(store, s, wanted, why))
        return false;
    session_init(&s->session, &s->scene, &s->view.view);
    s->has_session = true;
    session_go(&s->session, isnan(p->start) ? p->frames[0] : p->start);
    view_options_apply(&s->view, s->scene.stage);
    session_go(&s->session, s->session.frame);
    return plan_run_commands(p, &s->session, why);
}

/* What the store lent is not the scene's to free. */
static void give_back(odori_scene *scene)
{
    for (size_t i = 0; i < scene->model_count; i++) {
        scene->models[i].textures.source = NULL;
        mmd_actor_destroy(scene->models[i].actor);
        scene->models[i].actor = NULL;
        scene->models[i].model = NULL;
        scene->models[i].vac = NULL;
    }
    for (size_t i = 0; i < scene->motion_count; i++)
        scene->motions[i].motion = NULL;
}

void plan_stage_close(plan_stage *s)
{
    if (s->has_session)
        session_finish(&s->session);
    mmd_stage_destroy(s->scene.stage);
    s->scene.stage = NULL;
    give_back(&s->scene);
    scene_finish(&s->scene);
    scene_options_finish(&s->scene_options);
    mmd_free(s->models);
    mmd_free(s->motions);
    *s = (plan_stage){0};
}

bool plan_stage_show(plan_store *store, plan_stage *s, problem *why)
{
    for (size_t i = 0; i < s->scene.model_count; i++) {
        stored_model *m = s->models[i];
        mmd_error error = {0};
        if (m->in_view)
            continue;
        if (mmd_view_add_model(store->view, m->model, m->place.source, m->place.folder, &error) != MMD_OK) {
            char sentence[512];
            mmd_error_set_file(&error, m->path);
            mmd_error_sentence(&error, sentence, sizeof sentence);
            return problem_set(why, EXIT_FACILITY, "%s", sentence);
        }
        m->in_view = true;
    }
    return true;
}

void plan_stage_go(plan_stage *s, double frame)
{
    session_go(&s->session, frame);
}
