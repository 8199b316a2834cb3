/* Reads a project, finds its files, and puts everything on the stage. */
#include "project_scene.h"

#include <math.h>
#include <string.h>

#include "placing.h"
#include "background.h"
#include "mmd/memory.h"
#include "mmd/project.h"
#include "files/project_files.h"

/* Maps models of a project to models of the scene: models[i] is the index in the scene, or NOT_THERE. */
#define NOT_THERE SIZE_MAX
typedef struct project_models {
    const mmd_project *project;
    const size_t *models;
} project_models;

/* --- Outside parents (外部親) --- */

/* Finds the model's bone for a bone number of a project. The model may have changed since, so the bone's name
 * decides, which MMD truncated. */
static int32_t bone_of(const mmd_project_model *saved, const mmd_model *model, int32_t number)
{
    if (number < 0 || (uint32_t)number >= saved->bone_count)
        return -1;
    const char *name = saved->bones[number].name.text;
    if ((uint32_t)number < model->bone_count && strncmp(model->bones[number].name, name, strlen(name)) == 0)
        return number;
    return mmd_model_find_bone(model, name);
}

static bool find_parent(const odori_scene *s, const project_models *p, const mmd_project_parent *parent,
                        mmd_actor **actor, int32_t *bone)
{
    *actor = NULL;
    *bone = -1;
    if (parent->model < 0)
        return true;
    if ((uint32_t)parent->model >= p->project->model_count || p->models[parent->model] == NOT_THERE)
        return false;
    const scene_model *holder = &s->models[p->models[parent->model]];
    *bone = bone_of(&p->project->models[parent->model], holder->model, parent->bone);
    *actor = *bone >= 0 ? holder->actor : NULL;
    return *actor != NULL;
}

static bool says_same(const mmd_outside_key *a, const mmd_outside_key *b)
{
    return a->parent == b->parent && a->parent_bone == b->parent_bone;
}

/* Lists the outside-parent keys of one bone that change something. *whole: all parents exist. */
static size_t list_keys(const odori_scene *s, const project_models *p, const mmd_project_model *m,
                        uint32_t slot, mmd_outside_key *keys, bool *whole)
{
    size_t count = 0;
    for (uint32_t k = 0; k < m->config_count; k++) {
        mmd_outside_key key = {.frame = m->configs[k].at.frame};
        *whole &= find_parent(s, p, &m->configs[k].parents[slot], &key.parent, &key.parent_bone);
        if (count && keys[count - 1].frame == key.frame)
            count--; /* several keys of one frame: the last one applies */
        if (count == 0 || !says_same(&keys[count - 1], &key))
            keys[count++] = key;
    }
    return count;
}

/* Returns a bone's name for messages. */
static const char *name_of(const mmd_model *model, int32_t bone)
{
    return bone < 0 ? "the whole model" : model->bones[bone].name;
}

static void hang_slot(odori_scene *s, const project_models *p, uint32_t number, uint32_t slot,
                      mmd_outside_key *keys, const mmd_log *log)
{
    const mmd_project_model *m = &p->project->models[number];
    const scene_model *model = &s->models[p->models[number]];
    int32_t saved = m->parent_bones[slot], bone = MMD_WHOLE_ACTOR;
    bool whole = true;
    size_t count = list_keys(s, p, m, slot, keys, &whole);
    if (saved >= 0)
        bone = bone_of(m, model->model, saved);
    if (count == 1 && !keys[0].parent && whole)
        return;
    if (saved >= 0 && bone < 0) {
        mmd_log_message(log, MMD_LOG_WARNING, "%s: a bone with an outside parent does not exist in the model",
                        model->path);
        return;
    }
    if (!whole)
        mmd_log_message(log, MMD_LOG_WARNING, "%s: the outside parent of %s does not exist and is ignored",
                        model->path, name_of(model->model, bone));
    if (count && mmd_stage_set_outside_keys(s->stage, p->models[number], bone, keys, count, NULL) != MMD_OK)
        mmd_log_message(
            log, MMD_LOG_WARNING,
            "%s: the outside parent of %s is attached to this model itself, which is not supported; it "
            "is ignored",
            model->path, name_of(model->model, bone));
}

static bool hang_models(odori_scene *s, const project_models *p, const mmd_log *log)
{
    for (uint32_t i = 0; i < p->project->model_count; i++) {
        const mmd_project_model *m = &p->project->models[i];
        if (p->models[i] == NOT_THERE || m->parent_count == 0)
            continue;
        mmd_outside_key *keys = mmd_alloc(m->config_count * sizeof *keys);
        if (!keys)
            return false;
        for (uint32_t slot = 0; slot < m->parent_count; slot++)
            hang_slot(s, p, i, slot, keys, log);
        mmd_free(keys);
    }
    return true;
}

/* --- Accessories --- */

/* Draw order of accessories behind all models, whose orders are single bytes. The first accessory is drawn
 * before models (mmd/placing.h). */
enum { ORDER_BEHIND_MODELS = 1000 };

static void set_numbers(const mmd_project_accessory_key *key, mmd_staging *staging)
{
    int transparency = key->visibility >> 1;
    staging->visible = key->visibility & 1;
    staging->opacity = transparency < 100 ? 1.0f - (float)transparency / 100.0f : 0.0f;
    staging->ground_shadow = key->shadow != 0;
    staging->scale = mmd_bounded((double)key->scale);
    for (int k = 0; k < 3; k++) {
        staging->position[k] = mmd_bounded((double)key->position[k]);
        staging->rotation[k] = mmd_bounded((double)key->rotation[k]);
    }
}

static bool stage_accessory(odori_scene *s, const project_models *p, const mmd_project_accessory *a,
                            const mmd_log *log)
{
    size_t index = s->model_count - 1;
    uint32_t count = 0;
    bool is_held = true, is_first = a->draw_order < p->project->accessories_after_models;
    mmd_staging_key *keys = mmd_arena_alloc(&s->arena, a->key_count, sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < a->key_count; i++) {
        mmd_staging staging = mmd_default_staging();
        staging.additive = a->add_blend != 0;
        staging.draw_order = is_first ? MMD_ORDER_FIRST_ACCESSORY : ORDER_BEHIND_MODELS;
        set_numbers(&a->keys[i], &staging);
        is_held &= find_parent(s, p, &a->keys[i].parent, &staging.parent, &staging.parent_bone);
        if (count && keys[count - 1].frame == a->keys[i].at.frame)
            count--; /* several keys of one frame: the last one applies */
        keys[count++] = (mmd_staging_key){a->keys[i].at.frame, staging};
    }
    if (!is_held)
        mmd_log_message(log, MMD_LOG_WARNING,
                        "%s: the bone that it is attached to does not exist; it is not attached",
                        s->models[index].path);
    mmd_stage_set_staging_keys(s->stage, index, keys, count);
    return true;
}

/* --- Opening --- */

typedef struct opening {
    odori_scene *scene;
    const char *path, *given; /* paths of the project; they belong to the scene */
    mmd_project *project;
    const scene_options *options;
    const mmd_log *log;
    project_folders places;
    size_t *models; /* indices in the scene, or NOT_THERE */
    size_t there;   /* number of models and accessories that were loaded */
    bool failed;    /* out of memory; the scene must not be used */
} opening;

/* Reads and adds a file of the project. Returns false and warns if it is missing or unreadable. */
static bool add_file(opening *o, const char *name)
{
    char path[PATH_MAX];
    model_file file;
    mmd_error error = {0};
    if (!project_find(&o->places, name, path)) {
        mmd_log_message(o->log, MMD_LOG_WARNING, "%s: \"%.300s\" %s", o->path, name,
                        project_missing(&o->places));
        return false;
    }
    if (model_file_read(path, &file, &error) != MMD_OK) {
        char sentence[512];
        mmd_log_message(o->log, MMD_LOG_WARNING, "%s", mmd_error_sentence(&error, sentence, sizeof sentence));
        return false;
    }
    scene_model what = scene_model_of(path, &file);
    what.project = o->path;
    what.project_given = o->given;
    if (!scene_add_model(o->scene, &what, &o->options->pose)) {
        o->failed = true;
        return false;
    }
    o->there++;
    return true;
}

/* Adds a motion of the project file. It does not apply to models that are added later. */
static bool keep_motion(opening *o, mmd_motion *motion, size_t model)
{
    const scene_motion what = {.path = o->path, .motion = motion, .is_of_project = true};
    return motion && scene_add_motion(o->scene, &what, (int64_t)model);
}

/* --- Models --- */

static void stage_model(opening *o, const mmd_project_model *m, size_t index)
{
    mmd_staging staging = mmd_default_staging();
    float edge = mmd_bounded((double)m->edge_width);
    staging.draw_order = m->draw_order;
    staging.additive = m->add_blend != 0;
    staging.self_shadow = m->self_shadow != 0;
    staging.edge_scale = edge > 0 ? edge : 0;
    mmd_stage_set_staging(o->scene->stage, index, &staging);
}

/* Names bones and morphs from the model's file, because version 0001 does not store names. */
static void name_bones(opening *o, uint32_t number, const scene_model *model)
{
    mmd_error error = {0};
    if (mmd_project_version(o->project) != 1)
        return;
    mmd_status status = mmd_project_set_names(o->project, number, model->model, &error);
    if (status == MMD_ERROR_COUNT)
        mmd_log_message(o->log, MMD_LOG_WARNING,
                        "%s: %s: the model is another version than in the project; keyframes of parts that "
                        "differ are ignored",
                        model->path, error.message);
    else if (status != MMD_OK)
        o->failed = true;
}

static void add_model(opening *o, uint32_t number)
{
    const mmd_project_model *m = &o->project->models[number];
    o->models[number] = NOT_THERE;
    if (!add_file(o, m->path.text))
        return;
    size_t index = o->models[number] = o->scene->model_count - 1;
    stage_model(o, m, index);
    name_bones(o, number, &o->scene->models[index]);
    if (!keep_motion(o, mmd_project_model_motion(m), index))
        o->failed = true;
}

/* --- Draw order of accessories --- */

/* Returns the accessory that is drawn after `last`: the next higher order, or the next in the list with equal
 * order. */
static const mmd_project_accessory *next_accessory(const mmd_project *p, const mmd_project_accessory *last)
{
    const mmd_project_accessory *next = NULL;
    for (uint32_t i = 0; i < p->accessory_count; i++) {
        const mmd_project_accessory *a = &p->accessories[i];
        bool is_behind =
            !last || a->draw_order > last->draw_order || (a->draw_order == last->draw_order && a > last);
        if (is_behind && (!next || a->draw_order < next->draw_order))
            next = a;
    }
    return next;
}

static void add_accessories(opening *o, const project_models *models)
{
    const mmd_project_accessory *a = NULL;
    while (!o->failed && (a = next_accessory(o->project, a)) != NULL)
        if (add_file(o, a->path.text) && !stage_accessory(o->scene, models, a, o->log))
            o->failed = true;
}

/* --- Camera, light and settings --- */

static void warn(const opening *o, bool is_so, const char *sentence)
{
    if (is_so)
        mmd_log_message(o->log, MMD_LOG_WARNING, "%s: %s", o->path, sentence);
}

/* Warns about everything that is drawn differently from MMD, and what the reader repaired. */
static void tell_differences(const opening *o)
{
    const mmd_project *p = o->project;
    warn(o, p->repair_count > 0, "some lists of keyframes were damaged and have been repaired");
    bool has_noise = false;
    for (uint32_t i = 0; i < p->gravity_count; i++)
        has_noise |= p->gravity_keys[i].noise_on != 0;
    warn(o, has_noise, "the noise of gravity is ignored, because it is random in MMD");
}

static uint32_t pixels(int32_t size)
{
    return size < 1 ? 1 : size > 16384 ? 16384 : (uint32_t)size;
}

/* Takes gravity and physics settings. MMD shows a tenth of the acceleration that is simulated (docs/mmd.md
 * 5.1). Returns false if out of memory. */
static bool take_physics(odori_scene *scene, const mmd_project *p)
{
    scene_settings *settings = &scene->settings;
    mmd_gravity_key *keys = mmd_arena_alloc(&scene->arena, p->gravity_count, sizeof *keys);
    size_t count = 0;
    if (!keys)
        return false;
    settings->physics = p->physics_mode != MMD_PROJECT_PHYSICS_OFF;
    settings->physics_ground = p->physics_ground != 0;
    for (uint32_t i = 0; i < p->gravity_count; i++) {
        const mmd_project_gravity_key *key = &p->gravity_keys[i];
        if (count && keys[count - 1].frame == key->at.frame)
            count--; /* several keys of one frame: the last one applies */
        keys[count] = (mmd_gravity_key){.frame = key->at.frame,
                                        .strength = mmd_bounded(10.0 * (double)key->acceleration)};
        for (int k = 0; k < 3; k++)
            keys[count].direction[k] = mmd_bounded((double)key->direction[k]);
        count++;
    }
    for (int k = 0; k < 3; k++)
        settings->gravity[k] = mmd_bounded((double)keys[0].strength * (double)keys[0].direction[k]);
    settings->gravity_keys = count > 1 ? keys : NULL;
    settings->gravity_key_count = count > 1 ? count : 0;
    return true;
}

static void take_settings(opening *o)
{
    const mmd_project *p = o->project;
    float brightness = p->ground_shadow_brightness;
    char sound[PATH_MAX];
    bool has_sound = project_find_sound(&o->places, p, o->path, sound);
    o->scene->settings = (scene_settings){
        .given = true,
        .grid = p->show_axis != 0,
        .self_shadow = p->self_shadow_on != 0,
        .ground_shadow = p->show_ground_shadow != 0,
        .ground_shadow_transparent = p->ground_shadow_transparent != 0,
        .ground_shadow_brightness = brightness >= 0 && brightness <= 1 ? brightness : 1,
        .black = p->black_background != 0,
        .frame = p->frame > 0 ? p->frame : 0,
        .width = pixels(p->view_width),
        .height = pixels(p->view_height),
        .sound = has_sound ? mmd_arena_text(&o->scene->arena, sound, strlen(sound)) : NULL,
    };
    o->failed =
        o->failed || !take_physics(o->scene, p) || !background_open(o->scene, &o->places, p, o->path, o->log);
}

/* Adds keys of camera, light and self shadow, and the bone that the camera follows. */
static bool add_scene_keys(opening *o, const project_models *models)
{
    const mmd_project *p = o->project;
    bool is_there = true, follows = false;
    if (!keep_motion(o, mmd_project_scene_motion(p), 0))
        return false;
    const mmd_motion *motion = o->scene->motions[o->scene->motion_count - 1].motion;
    mmd_outside_key *keys = mmd_alloc(p->camera_count * sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < p->camera_count; i++) {
        keys[i] = (mmd_outside_key){.frame = p->camera_keys[i].at.frame};
        is_there &=
            find_parent(o->scene, models, &p->camera_keys[i].follow, &keys[i].parent, &keys[i].parent_bone);
        follows |= keys[i].parent != NULL;
    }
    warn(o, !is_there, "the bone that the camera follows does not exist; it follows none");
    bool done = !follows ||
                mmd_stage_set_camera_follow(o->scene->stage, motion, keys, p->camera_count, NULL) == MMD_OK;
    mmd_free(keys);
    return done;
}

/* Puts the project on the stage. Returns false if out of memory. */
static bool put_on_stage(opening *o)
{
    o->models = mmd_alloc((o->project->model_count + 1) * sizeof *o->models);
    if (!o->models || !project_folders_init(&o->places, o->path))
        return false;
    o->places.scope = o->options->scope;
    for (uint32_t i = 0; i < o->project->model_count && !o->failed; i++)
        add_model(o, i);
    const project_models models = {o->project, o->models};
    o->failed = o->failed || !hang_models(o->scene, &models, o->log);
    add_accessories(o, &models);
    if (o->failed || !add_scene_keys(o, &models))
        return false;
    take_settings(o);
    if (!o->failed)
        tell_differences(o);
    return !o->failed;
}

mmd_status project_open(odori_scene *s, const char *path, const char *given, const mmd_bytes *bytes,
                        const scene_options *options, const mmd_log *log, mmd_error *error)
{
    mmd_project *project;
    mmd_status status = mmd_pmm_read(bytes->data, bytes->size, &project, error);
    if (status != MMD_OK) {
        mmd_error_set_file(error, path);
        return status;
    }
    opening o = {.scene = s,
                 .path = mmd_arena_text(&s->arena, path, strlen(path)),
                 .given = mmd_arena_text(&s->arena, given, strlen(given)),
                 .project = project,
                 .options = options,
                 .log = log};
    if (!o.path || !o.given || !put_on_stage(&o)) {
        status = mmd_error_memory(error);
    } else if (!o.there) {
        status =
            mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                          project->model_count + project->accessory_count ? "none of its models was found"
                                                                          : "the project has no models");
        mmd_error_set_file(error, path);
    }
    project_folders_finish(&o.places);
    mmd_free(o.models);
    mmd_project_destroy(project);
    return status;
}
