#include "mmd/project_stage.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/placing.h"

#define NOT_THERE SIZE_MAX

/* A model or accessory of the project on the stage. */
typedef struct put_model {
    size_t index;     /* of its actor, or NOT_THERE */
    const char *path; /* of its file */
} put_model;

typedef struct putting {
    mmd_project *project;
    const char *path; /* of the project */
    mmd_project_folders *folders;
    mmd_stage *stage;
    const mmd_project_owner *owner;
    mmd_arena *arena;
    const mmd_log *log;
    mmd_error *error;
    put_model *models; /* by model of the project */
    put_model last;    /* what was added last */
    size_t there;      /* number of models and accessories that were added */
} putting;

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

static bool find_parent(const putting *p, const mmd_project_parent *parent, mmd_actor **actor, int32_t *bone)
{
    *actor = NULL;
    *bone = -1;
    if (parent->model < 0)
        return true;
    if ((uint32_t)parent->model >= p->project->model_count || p->models[parent->model].index == NOT_THERE)
        return false;
    mmd_actor *holder = mmd_stage_actor(p->stage, p->models[parent->model].index);
    *bone = bone_of(&p->project->models[parent->model], mmd_actor_model(holder), parent->bone);
    *actor = *bone >= 0 ? holder : NULL;
    return *actor != NULL;
}

static bool says_same(const mmd_outside_key *a, const mmd_outside_key *b)
{
    return a->parent == b->parent && a->parent_bone == b->parent_bone;
}

/* Lists the outside-parent keys of one bone that change something. *whole: all parents exist. */
static size_t list_keys(const putting *p, const mmd_project_model *m, uint32_t slot, mmd_outside_key *keys,
                        bool *whole)
{
    size_t count = 0;
    for (uint32_t k = 0; k < m->config_count; k++) {
        mmd_outside_key key = {.frame = m->configs[k].at.frame};
        *whole &= find_parent(p, &m->configs[k].parents[slot], &key.parent, &key.parent_bone);
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

static void hang_slot(const putting *p, uint32_t number, uint32_t slot, mmd_outside_key *keys)
{
    const mmd_project_model *m = &p->project->models[number];
    const put_model *put = &p->models[number];
    const mmd_model *model = mmd_actor_model(mmd_stage_actor(p->stage, put->index));
    int32_t saved = m->parent_bones[slot], bone = MMD_WHOLE_ACTOR;
    bool whole = true;
    size_t count = list_keys(p, m, slot, keys, &whole);
    if (saved >= 0)
        bone = bone_of(m, model, saved);
    if (count == 1 && !keys[0].parent && whole)
        return;
    if (saved >= 0 && bone < 0) {
        mmd_log_message(p->log, MMD_LOG_WARNING,
                        "%s: a bone with an outside parent does not exist in the model", put->path);
        return;
    }
    if (!whole)
        mmd_log_message(p->log, MMD_LOG_WARNING, "%s: the outside parent of %s does not exist and is ignored",
                        put->path, name_of(model, bone));
    if (count && mmd_stage_set_outside_keys(p->stage, put->index, bone, keys, count, NULL) != MMD_OK)
        mmd_log_message(
            p->log, MMD_LOG_WARNING,
            "%s: the outside parent of %s is attached to this model itself, which is not supported; it "
            "is ignored",
            put->path, name_of(model, bone));
}

static mmd_status hang_models(const putting *p)
{
    for (uint32_t i = 0; i < p->project->model_count; i++) {
        const mmd_project_model *m = &p->project->models[i];
        if (p->models[i].index == NOT_THERE || m->parent_count == 0)
            continue;
        mmd_outside_key *keys = mmd_alloc(m->config_count * sizeof *keys);
        if (!keys)
            return mmd_error_memory(p->error);
        for (uint32_t slot = 0; slot < m->parent_count; slot++)
            hang_slot(p, i, slot, keys);
        mmd_free(keys);
    }
    return MMD_OK;
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
    staging->ground_shadow = staging->self_shadow = key->shadow != 0;
    staging->scale = mmd_bounded((double)key->scale);
    for (int k = 0; k < 3; k++) {
        staging->position[k] = mmd_bounded((double)key->position[k]);
        staging->rotation[k] = mmd_bounded((double)key->rotation[k]);
    }
}

/* Gives the accessory that was added last its keyframes. */
static mmd_status stage_accessory(const putting *p, const mmd_project_accessory *a)
{
    uint32_t count = 0;
    bool is_held = true, is_first = a->draw_order < p->project->accessories_after_models;
    mmd_staging_key *keys = mmd_arena_alloc(p->arena, a->key_count, sizeof *keys);
    if (!keys)
        return mmd_error_memory(p->error);
    for (uint32_t i = 0; i < a->key_count; i++) {
        mmd_staging staging = mmd_default_staging();
        staging.additive = a->add_blend != 0;
        staging.draw_order = is_first ? MMD_ORDER_FIRST_ACCESSORY : ORDER_BEHIND_MODELS;
        set_numbers(&a->keys[i], &staging);
        is_held &= find_parent(p, &a->keys[i].parent, &staging.parent, &staging.parent_bone);
        if (count && keys[count - 1].frame == a->keys[i].at.frame)
            count--; /* several keys of one frame: the last one applies */
        keys[count++] = (mmd_staging_key){a->keys[i].at.frame, staging};
    }
    if (!is_held)
        mmd_log_message(p->log, MMD_LOG_WARNING,
                        "%s: the bone that it is attached to does not exist; it is not attached",
                        p->last.path);
    mmd_stage_set_staging_keys(p->stage, p->last.index, keys, count);
    return MMD_OK;
}

/* --- Files --- */

/* Reads and adds a file of the project. Warns if it is missing or unreadable: last.index is NOT_THERE. */
static mmd_status add_file(putting *p, const char *name)
{
    char path[MMD_FILE_PATH_MAX], sentence[512];
    mmd_model_file file;
    mmd_error error = {0};
    p->last.index = NOT_THERE;
    if (!mmd_project_find(p->folders, name, path)) {
        mmd_log_message(p->log, MMD_LOG_WARNING, "%s: \"%.300s\" %s", p->path, name,
                        mmd_project_missing(p->folders));
        return MMD_OK;
    }
    mmd_status status = mmd_model_file_choose(path, p->log, &file, &error);
    if (status == MMD_ERROR_MEMORY)
        return mmd_error_memory(p->error);
    if (status != MMD_OK) {
        mmd_log_message(p->log, MMD_LOG_WARNING, "%s", mmd_error_sentence(&error, sentence, sizeof sentence));
        return MMD_OK;
    }
    status = p->owner->add_model(p->owner->user, path, &file, &p->last.index, p->error);
    if (status != MMD_OK)
        return status;
    p->there++;
    p->last.path = mmd_arena_text(p->arena, path, strlen(path));
    return p->last.path ? MMD_OK : mmd_error_memory(p->error);
}

/* Gives a motion to the owner. NULL: out of memory. */
static mmd_status add_motion(const putting *p, mmd_motion *motion, size_t index)
{
    return motion ? p->owner->add_motion(p->owner->user, motion, index, p->error)
                  : mmd_error_memory(p->error);
}

/* --- Models --- */

static void stage_model(const putting *p, const mmd_project_model *m)
{
    mmd_staging staging = mmd_default_staging();
    float edge = mmd_bounded((double)m->edge_width);
    staging.draw_order = m->draw_order;
    staging.additive = m->add_blend != 0;
    staging.self_shadow = m->self_shadow != 0;
    staging.edge_scale = edge > 0 ? edge : 0;
    mmd_stage_set_staging(p->stage, p->last.index, &staging);
}

/* Names bones and morphs from the model's file, because version 0001 does not store names, and 0002 only
 * those that CP932 can represent. */
static mmd_status name_bones(const putting *p, uint32_t number)
{
    mmd_error error = {0};
    const mmd_model *model = mmd_actor_model(mmd_stage_actor(p->stage, p->last.index));
    mmd_status status = mmd_project_set_names(p->project, number, model, &error);
    if (status == MMD_ERROR_MEMORY)
        return mmd_error_memory(p->error);
    if (status == MMD_OK || mmd_project_version(p->project) != 1)
        return MMD_OK;
    mmd_log_message(p->log, MMD_LOG_WARNING,
                    "%s: %s: the model is another version than in the project; keyframes of parts that "
                    "differ are ignored",
                    p->last.path, error.message);
    return MMD_OK;
}

static mmd_status add_models(putting *p)
{
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; status == MMD_OK && i < p->project->model_count; i++) {
        const mmd_project_model *m = &p->project->models[i];
        status = add_file(p, m->path.text);
        p->models[i] = p->last;
        if (status != MMD_OK || p->last.index == NOT_THERE)
            continue;
        stage_model(p, m);
        status = name_bones(p, i);
        if (status == MMD_OK)
            status = add_motion(p, mmd_project_model_motion(m), p->last.index);
    }
    return status;
}

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

static mmd_status add_accessories(putting *p)
{
    const mmd_project_accessory *a = NULL;
    mmd_status status = MMD_OK;
    while (status == MMD_OK && (a = next_accessory(p->project, a)) != NULL) {
        status = add_file(p, a->path.text);
        if (status == MMD_OK && p->last.index != NOT_THERE)
            status = stage_accessory(p, a);
    }
    return status;
}

/* --- Camera, light and settings --- */

static void warn(const putting *p, bool is_so, const char *sentence)
{
    if (is_so)
        mmd_log_message(p->log, MMD_LOG_WARNING, "%s: %s", p->path, sentence);
}

/* Warns about everything that is drawn differently from MMD, and what the reader repaired. */
static void tell_differences(const putting *p)
{
    bool has_noise = false;
    warn(p, p->project->repair_count > 0, "some lists of keyframes were damaged and have been repaired");
    for (uint32_t i = 0; i < p->project->gravity_count; i++)
        has_noise |= p->project->gravity_keys[i].noise_on != 0;
    warn(p, has_noise, "the noise of gravity is ignored, because it is random in MMD");
}

/* Adds keys of camera, light and self shadow, and the bone that the camera follows. */
static mmd_status add_stage_keys(const putting *p)
{
    const mmd_project *project = p->project;
    bool is_there = true, follows = false;
    mmd_motion *motion = mmd_project_scene_motion(project);
    mmd_status status = add_motion(p, motion, MMD_PROJECT_STAGE);
    if (status != MMD_OK)
        return status;
    mmd_outside_key *keys = mmd_alloc(project->camera_count * sizeof *keys);
    if (!keys)
        return mmd_error_memory(p->error);
    for (uint32_t i = 0; i < project->camera_count; i++) {
        keys[i] = (mmd_outside_key){.frame = project->camera_keys[i].at.frame};
        is_there &= find_parent(p, &project->camera_keys[i].follow, &keys[i].parent, &keys[i].parent_bone);
        follows |= keys[i].parent != NULL;
    }
    warn(p, !is_there, "the bone that the camera follows does not exist; it follows none");
    if (follows)
        status = mmd_stage_set_camera_follow(p->stage, motion, keys, project->camera_count, p->error);
    mmd_free(keys);
    return status;
}

mmd_status mmd_project_put_on_stage(mmd_project *project, const char *path, mmd_project_folders *folders,
                                    mmd_stage *stage, const mmd_project_owner *owner, mmd_arena *arena,
                                    const mmd_log *log, mmd_error *error)
{
    assert(project && path && folders && stage && owner && arena);
    putting p = {project, path, folders, stage, owner, arena, log, error, NULL, {NOT_THERE, NULL}, 0};
    p.models = mmd_alloc((project->model_count + 1) * sizeof *p.models);
    mmd_status status = p.models ? add_models(&p) : mmd_error_memory(error);
    if (status == MMD_OK)
        status = hang_models(&p);
    if (status == MMD_OK)
        status = add_accessories(&p);
    const bool is_empty = status == MMD_OK && !p.there;
    if (status == MMD_OK && !is_empty)
        status = add_stage_keys(&p);
    if (status == MMD_OK)
        tell_differences(&p);
    mmd_free(p.models);
    if (!is_empty)
        return status;
    mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                  project->model_count + project->accessory_count ? "none of its models was found"
                                                                  : "the project has no models");
    mmd_error_set_file(error, path);
    return MMD_ERROR_VALUE;
}

/* --- Settings --- */

static uint32_t pixels(int32_t size)
{
    return size < 1 ? 1 : size > 16384 ? 16384 : (uint32_t)size;
}

/* Reads gravity. MMD shows a tenth of the acceleration that is simulated (docs/mmd.md 5.1). */
static bool get_gravity(const mmd_project *p, mmd_arena *arena, mmd_project_settings *settings)
{
    mmd_gravity_key *keys = mmd_arena_alloc(arena, p->gravity_count, sizeof *keys);
    size_t count = 0;
    if (!keys)
        return false;
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

bool mmd_project_get_settings(const mmd_project *project, mmd_arena *arena, mmd_project_settings *settings)
{
    assert(project && arena && settings);
    float brightness = project->ground_shadow_brightness;
    *settings = (mmd_project_settings){
        .grid = project->show_axis != 0,
        .self_shadow = project->self_shadow_on != 0,
        .ground_shadow = project->show_ground_shadow != 0,
        .ground_shadow_transparent = project->ground_shadow_transparent != 0,
        .ground_shadow_brightness = brightness >= 0 && brightness <= 1 ? brightness : 1,
        .black = project->black_background != 0,
        .frame = project->frame > 0 ? project->frame : 0,
        .width = pixels(project->view_width),
        .height = pixels(project->view_height),
        .physics = project->physics_mode != MMD_PROJECT_PHYSICS_OFF,
        .physics_ground = project->physics_ground != 0,
    };
    return get_gravity(project, arena, settings);
}
