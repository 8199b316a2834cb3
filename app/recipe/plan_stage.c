/* The store keeps what was used last; a stage borrows from it, and its scene never frees what was lent. */
#include "plan_stage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scene/accessory.h"
#include "base/message.h"
#include "command/commands.h"
#include "scene/home_view.h"
#include "mmd/memory.h"
#include "mmd/view_load.h"
#include "base/parse.h"
#include "files/locate.h"
#include "scene/project_scene.h"
#include "scene/setup.h"

/* --- Store --- */

void plan_store_init(plan_store *store, mmd_view *view, const mmd_log *log)
{
    *store = (plan_store){.view = view, .log = *log};
}

static void drop_model(plan_store *store, stored_model *m)
{
    if (m->in_view)
        mmd_view_remove_model(store->view, m->model);
    mmd_source_destroy(m->place.source);
    model_file_destroy_model(m->model, m->document);
    mmd_vac_destroy(m->vac);
    texture_digests_finish(&m->textures);
    mmd_free(m->key.path);
    *m = (stored_model){0};
}

static void drop_motion(stored_motion *m)
{
    mmd_motion_destroy(m->motion);
    mmd_free(m->key.path);
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
    mmd_status status = locate_read(m->key.path, &bytes, &error);
    if (status == MMD_OK) {
        m->file = digest_of(bytes.data, bytes.size);
        status = model_file_parse(m->key.path, &bytes, &file, &error);
    }
    mmd_bytes_finish(&bytes);
    mmd_error_set_file(&error, m->key.path);
    if (status != MMD_OK)
        return problem_from(why, &error);
    m->model = file.model;
    m->document = file.document;
    m->place = file.textures;
    m->vac = file.vac;
    m->contents = model_digest(m->model);
    if (m->vac)
        m->accessory = accessory_digest(m->key.path, m->vac);
    return texture_digests_read(&m->textures, m->model, &m->place) || problem_out_of_memory(why);
}

static bool read_motion(stored_motion *m, problem *why)
{
    mmd_error error = {0};
    m->file = file_digest(m->key.path);
    if (motion_read_file(m->key.path, &m->motion, &error) != MMD_OK)
        return problem_from(why, &error);
    return true;
}

/* --- Places --- */

typedef struct place_list {
    void *places; /* each begins with a stored_key */
    size_t count, size;
    const char *what;
} place_list;

static bool holds(const stored_key *key, const char *path)
{
    return key->path && strcmp(key->path, path) == 0;
}

/*
 * The place of this path, or where it may go: the one longest unused makes
 * room. wanted is the moment its plan began: what is newer is in use. NULL:
 * all are.
 */
static void *find_place(const place_list *list, const char *path, uint64_t wanted, problem *why)
{
    stored_key *oldest = list->places;
    for (size_t i = 0; i < list->count; i++) {
        stored_key *key = (stored_key *)(void *)((char *)list->places + i * list->size);
        if (holds(key, path))
            return key;
        if (key->used < oldest->used)
            oldest = key;
    }
    if (!oldest->path || oldest->used < wanted)
        return oldest;
    problem_set(why, EXIT_INPUT, "more than %zu different %s on one stage", list->count, list->what);
    return NULL;
}

static stored_model *take_model(plan_store *store, const char *path, uint64_t wanted, problem *why)
{
    const place_list list = {store->models, STORE_MODELS, sizeof *store->models, "models"};
    stored_model *m = find_place(&list, path, wanted, why);
    if (m && !holds(&m->key, path)) {
        drop_model(store, m);
        m->key.path = copy_text(path);
        if (!m->key.path || !read_model(m, why)) {
            problem_out_of_memory(why);
            drop_model(store, m);
            return NULL;
        }
    }
    if (m)
        m->key.used = store->now;
    return m;
}

static stored_motion *take_motion(plan_store *store, const char *path, uint64_t wanted, problem *why)
{
    const place_list list = {store->motions, STORE_MOTIONS, sizeof *store->motions, "motions"};
    stored_motion *m = find_place(&list, path, wanted, why);
    if (m && !holds(&m->key, path)) {
        drop_motion(m);
        m->key.path = copy_text(path);
        if (!m->key.path || !read_motion(m, why)) {
            problem_out_of_memory(why);
            drop_motion(m);
            return NULL;
        }
    }
    if (m)
        m->key.used = store->now;
    return m;
}

/* --- Stage --- */

const char *plan_stage_given(const plan_stage *s, const plan_input *input)
{
    for (size_t i = 0; i < s->chosen_count; i++)
        if (s->chosen[i].input == input)
            return s->chosen[i].given;
    return input->given;
}

/* Of an archive or a folder, how the plan would have named the file in it. */
static bool keep_chosen(plan_stage *s, const plan_input *input, const char *chosen, problem *why)
{
    size_t length = strlen(input->path), given = strlen(input->given);
    if (strcmp(chosen, input->path) == 0)
        return true;
    while (length > 1 && input->path[length - 1] == '/')
        length--;
    while (given > 1 && input->given[given - 1] == '/')
        given--;
    const char *inner = chosen + length;
    chosen_input *grown = mmd_realloc(s->chosen, (s->chosen_count + 1) * sizeof *grown);
    char *name = mmd_arena_alloc(&s->arena, given + strlen(inner) + 1, 1);
    if (grown)
        s->chosen = grown;
    if (!grown || !name)
        return problem_out_of_memory(why);
    memcpy(name, input->given, given);
    strcpy(name + given, inner);
    s->chosen[s->chosen_count++] = (chosen_input){input, name};
    return true;
}

/* The bundled dancer's files have no path of the user's. */
static const char *dancers_place(bundled *b, locate_role role, problem *why)
{
    if (!*b->model && bundled_find(b) != EXIT_DONE) {
        problem_set(why, EXIT_INPUT, "the bundled dancer is not where the program looks for her");
        return NULL;
    }
    return role == LOCATE_MODEL ? b->model : role == LOCATE_CAMERA ? b->camera : b->dance;
}

/* Where an input is. chosen has it where it is in an archive or a folder. */
static const char *place_of(plan_store *store, plan_stage *s, const plan_input *input, locate_role role,
                            char chosen[PATH_MAX], problem *why)
{
    mmd_error error = {0};
    if (plan_is_dancer(input))
        return dancers_place(&store->dancer, role, why);
    if (locate_choose(input->path, role, chosen, &error) != MMD_OK) {
        problem_from(why, &error);
        return NULL;
    }
    return keep_chosen(s, input, chosen, why) ? chosen : NULL;
}

static bool add_to_scene(plan_stage *s, const stored_model *m, bool is_backdrop)
{
    const model_file file = {m->model, m->place, m->vac, m->document};
    const mmd_pose_options *pose = &s->scene_options.pose;
    return is_backdrop ? scene_add_backdrop(&s->scene, m->key.path, &file, pose)
                       : scene_add_placed(&s->scene, m->key.path, &file, pose);
}

static bool has_room(plan_stage *s, size_t count)
{
    stored_model **grown = mmd_realloc(s->models, count * sizeof *grown);
    if (grown)
        s->models = grown;
    return grown != NULL;
}

/* The sentence is kept too: the store's other warnings can be found again, this one cannot. */
typedef struct attachment_log {
    const mmd_log *log;
    mmd_buffer *kept;
} attachment_log;

static void keep_attachment(void *user, mmd_log_level level, const char *text)
{
    attachment_log *a = user;
    mmd_log_message(a->log, level, "%s", text);
    mmd_write_bytes(a->kept, text, strlen(text) + 1);
}

/* What is known of a project's model, beside what the scene owns. */
static stored_model *describe_model(plan_stage *s, const scene_model *model)
{
    stored_model *m = mmd_arena_alloc(&s->arena, 1, sizeof *m);
    if (!m)
        return NULL;
    *m = (stored_model){.model = model->model,
                        .place = model->textures,
                        .vac = model->vac,
                        .file = file_digest(model->path),
                        .contents = model_digest(model->model),
                        .is_of_project = true};
    m->key.path = (char *)(uintptr_t)model->path;
    return texture_digests_read(&m->textures, m->model, &m->place) ? m : NULL;
}

/* All of a project: its models are the scene's own, and each plan that wants it opens it anew. */
static bool add_project(plan_store *store, plan_stage *s, size_t input, const char *path,
                        const mmd_bytes *bytes, problem *why)
{
    attachment_log a = {&store->log, &s->attachments};
    const mmd_log log = {keep_attachment, &a, MMD_LOG_WARNING};
    size_t first = s->scene.model_count;
    s->projects[input] = digest_of(bytes->data, bytes->size);
    int code = project_open(&s->scene, path, bytes, &s->scene_options.pose, &log);
    if (!has_room(s, s->scene.model_count + 1))
        return problem_out_of_memory(why);
    for (size_t i = first; i < s->scene.model_count; i++)
        s->models[i] = NULL;
    if (code != EXIT_DONE)
        return problem_set(why, code, "%s: the project cannot be opened", path);
    for (size_t i = first; i < s->scene.model_count; i++)
        if (!(s->models[i] = describe_model(s, &s->scene.models[i])))
            return problem_out_of_memory(why);
    return true;
}

static bool add_model(plan_store *store, plan_stage *s, size_t number, uint64_t wanted, problem *why)
{
    char chosen[PATH_MAX];
    bool is_stage = number == s->plan->models.count;
    const plan_input *input = is_stage ? &s->plan->stage : &s->plan->models.items[number];
    const char *path = place_of(store, s, input, LOCATE_MODEL, chosen, why);
    mmd_bytes bytes = {0};
    if (!path)
        return false;
    if (!is_stage && locate_read(path, &bytes, NULL) == MMD_OK &&
        mmd_file_detect(bytes.data, bytes.size) == MMD_FILE_PMM) {
        bool added = add_project(store, s, number, path, &bytes, why);
        mmd_bytes_finish(&bytes);
        return added;
    }
    mmd_bytes_finish(&bytes);
    stored_model *m = take_model(store, path, wanted, why);
    if (!m)
        return false;
    if (!has_room(s, s->scene.model_count + 1))
        return problem_out_of_memory(why);
    s->models[s->scene.model_count] = s->inputs[number] = m;
    if (add_to_scene(s, m, is_stage))
        return true;
    m->model = NULL; /* the scene freed it */
    m->place.source = NULL;
    m->vac = NULL;
    m->document = NULL;
    return problem_out_of_memory(why);
}

static bool is_pose(const plan *p, const plan_input *input)
{
    for (size_t i = 0; i < p->poses.count; i++)
        if (&p->poses.items[i] == input)
            return true;
    return false;
}

static bool add_motion(plan_store *store, plan_stage *s, const plan_input *input, uint64_t wanted,
                       problem *why)
{
    char chosen[PATH_MAX];
    locate_role role = is_pose(s->plan, input) ? LOCATE_POSE : LOCATE_MOTION;
    const char *path = place_of(store, s, input, role, chosen, why);
    stored_motion *m = path ? take_motion(store, path, wanted, why) : NULL;
    if (!m)
        return false;
    s->motions[s->motion_count++] = m->file;
    if (input->owner > s->scene.model_count)
        return problem_set(
            why, EXIT_INPUT, "%s: there is no model %zu for it to move; there %s %zu, the first is 0",
            m->key.path, input->owner - 1, s->scene.model_count == 1 ? "is" : "are", s->scene.model_count);
    if (input->owner ? scene_add_motion_to(&s->scene, m->key.path, m->motion, input->owner - 1)
                     : scene_add_motion(&s->scene, m->key.path, m->motion))
        return true;
    m->motion = NULL;
    return problem_out_of_memory(why);
}

/* Camera and light of the file alone, as --camera takes them. */
static bool add_camera(plan_store *store, plan_stage *s, uint64_t wanted, problem *why)
{
    char chosen[PATH_MAX];
    const char *path = place_of(store, s, &s->plan->camera, LOCATE_CAMERA, chosen, why);
    stored_motion *m = path ? take_motion(store, path, wanted, why) : NULL;
    if (!m)
        return false;
    s->motions[s->plan->motions.count + s->plan->poses.count] = m->file;
    s->camera = m->motion;
    return mmd_stage_add_scene_motion(s->scene.stage, m->motion, NULL) == MMD_OK || problem_out_of_memory(why);
}

static void attach(plan_store *store, plan_stage *s)
{
    attachment_log a = {&store->log, &s->attachments};
    scene_attach(&s->scene, &(mmd_log){keep_attachment, &a, MMD_LOG_WARNING});
}

static void keep_put_back(void *user, mmd_log_level level, const char *text)
{
    plan_stage *s = user;
    mmd_log_message(s->log, level, "%s", text);
    mmd_write_bytes(&s->reset_bodies, text, strlen(text) + 1);
}

void plan_stage_put_back(const plan_stage *s, void (*tell)(void *user, const char *sentence), void *user)
{
    const mmd_buffer *told = &s->reset_bodies;
    if (!told->data || told->failed)
        return;
    for (size_t at = 0; at < told->size; at += strlen((const char *)told->data + at) + 1)
        tell(user, (const char *)told->data + at);
}

/* Scenes are drawn side by side by processes; one has no threads. */
static bool begin_physics(plan_stage *s, problem *why)
{
    mmd_error error = {0};
    const mmd_log log = {keep_put_back, s, MMD_LOG_WARNING};
    s->physics.options.threads = 0;
    s->physics.options.run_ahead = false;
    return physics_begin(&s->scene, &s->physics, &log, &error) || problem_from(why, &error);
}

static bool add_all(plan_store *store, plan_stage *s, uint64_t wanted, problem *why)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->plan->models.count; i++)
        ok = add_model(store, s, i, wanted, why);
    ok = ok && (!s->plan->stage.given || add_model(store, s, s->plan->models.count, wanted, why));
    if (ok)
        attach(store, s);
    for (size_t i = 0; ok && i < s->plan->motions.count; i++)
        ok = add_motion(store, s, &s->plan->motions.items[i], wanted, why);
    for (size_t i = 0; ok && i < s->plan->poses.count; i++)
        ok = add_motion(store, s, &s->plan->poses.items[i], wanted, why);
    return ok && (!s->plan->camera.given || add_camera(store, s, wanted, why));
}

static bool run_lines(const plan *p, odori_session *session, problem *why)
{
    const char *line = p->exec;
    for (unsigned number = 1; *line; number++) {
        char error[REFUSAL_MAX];
        size_t length = strcspn(line, "\n");
        if (!command_run(session, line, length, error))
            return problem_set(why, EXIT_INPUT, "exec, line %u: %s", number, error);
        line += length + (line[length] == '\n');
    }
    char error[REFUSAL_MAX];
    return !*p->exec || commands_hold_from_start(session, error) ||
           problem_set(why, EXIT_FACILITY, "exec: %s", error);
}

bool plan_run_commands(const plan *p, odori_session *session, problem *why)
{
    session->is_retold = true;
    bool done = run_lines(p, session, why);
    session->is_retold = false;
    return done;
}

bool plan_stage_open(plan_store *store, const plan *p, plan_stage *s, problem *why)
{
    *s = (plan_stage){.plan = p, .log = &store->log, .view_of_store = store->view};
    uint64_t wanted = ++store->now;
    scene_options_init(&s->scene_options);
    view_options_init(&s->view);
    physics_settings_init(&s->physics, true);
    plan_apply(&p->settings, &s->view, &s->scene_options, &s->physics);
    s->inputs = mmd_arena_alloc(&s->arena, p->models.count + 1, sizeof *s->inputs);
    s->projects = mmd_arena_alloc(&s->arena, p->models.count + 1, sizeof *s->projects);
    s->motions = mmd_alloc((p->motions.count + p->poses.count + 1) * sizeof *s->motions);
    if (!s->inputs || !s->projects || !s->motions || !scene_init(&s->scene))
        return problem_out_of_memory(why);
    if (!add_all(store, s, wanted, why) || !begin_physics(s, why))
        return false;
    mmd_view_options seen = view_options_seen(&s->view, &s->scene);
    home_view(&s->scene, (double)p->size.width / p->size.height, &s->view, &seen);
    session_init(&s->session, &s->scene, &seen);
    s->session.aspect = (double)p->size.width / p->size.height;
    s->has_session = true;
    session_go(&s->session, isnan(p->start) ? p->frames[0] : p->start);
    view_options_apply(&s->view, s->scene.stage);
    session_go(&s->session, s->session.frame);
    return plan_run_commands(p, &s->session, why);
}

/* What the store lent is not the scene's to free. */
static void give_back(plan_stage *s)
{
    odori_scene *scene = &s->scene;
    for (size_t i = 0; i < scene->model_count; i++) {
        stored_model *m = s->models ? s->models[i] : NULL;
        if (m && m->is_of_project && m->in_view)
            mmd_view_remove_model(s->view_of_store, m->model);
        if (m && m->is_of_project)
            texture_digests_finish(&m->textures);
        if (scene->models[i].project)
            continue;
        scene->models[i].textures.source = NULL;
        mmd_actor_destroy(scene->models[i].actor);
        scene->models[i].actor = NULL;
        scene->models[i].model = NULL;
        scene->models[i].vac = NULL;
        scene->models[i].document = NULL;
    }
    for (size_t i = 0; i < scene->motion_count; i++)
        if (!scene->motions[i].is_of_project)
            scene->motions[i].motion = NULL;
}

void plan_stage_close(plan_stage *s)
{
    if (s->has_session)
        session_finish(&s->session);
    mmd_stage_destroy(s->scene.stage);
    s->scene.stage = NULL;
    give_back(s);
    scene_finish(&s->scene);
    scene_options_finish(&s->scene_options);
    mmd_buffer_finish(&s->attachments);
    mmd_buffer_finish(&s->reset_bodies);
    mmd_arena_finish(&s->arena);
    mmd_free(s->chosen);
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
        if (mmd_view_add_titled(store->view, m->model, m->place.source, m->place.folder,
                                mmd_path_name(m->key.path), &error) != MMD_OK) {
            char sentence[512];
            mmd_error_set_file(&error, m->key.path);
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
