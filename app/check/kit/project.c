/*
 * Builds a project from a scene of a suite: the models with their keyframes, which include changes by commands, the
 * camera, the light, and the settings of the view that MMD has.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/placing.h"
#include "base/message.h"
#include "kit.h"
#include "mmd/simulation.h"

/* --- Models --- */

/*
 * Sets the keyframes at frame 0. Before the first keyframe of a track the player holds its value, but MMD always has
 * a keyframe at frame 0, at rest when the motion has none. That keyframe gets the value of the next one.
 */
static void hold_first_keys(mmd_project_model *to, const mmd_model *model, const mmd_motion *motion)
{
    uint32_t base =
        to->morph_count - model->morph_count; /* the first morph of a PMD is `base`, which the model lacks */
    for (uint32_t i = 0; i < to->bone_count; i++) {
        mmd_project_bone *bone = &to->bones[i];
        const mmd_bone_track *track =
            bone->key_count > 1 ? mmd_motion_find_bone(motion, model->bone_key[i]) : NULL;
        if (!track || track->frames[0] == 0)
            continue;
        mmd_project_key at = bone->keys[0].at;
        bone->keys[0] = bone->keys[1];
        bone->keys[0].at = at;
    }
    for (uint32_t i = 0; i < model->morph_count; i++) {
        mmd_project_morph *morph = &to->morphs[base + i];
        const mmd_morph_track *track =
            morph->key_count > 1 ? mmd_motion_find_morph(motion, model->morph_key[i]) : NULL;
        if (track && track->frames[0] > 0)
            morph->keys[0].weight = morph->keys[1].weight;
    }
}

/* Multiplies two quaternions x, y, z, w. */
static void multiply(const float a[4], const float b[4], float out[4])
{
    const float q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, q, sizeof q);
}

/* Applies the transform of an edited bone to all its keyframes. The rotation is multiplied from the right and the
 * translation added, so that interpolated values are those of the edited motion. */
static void turn_keys(mmd_project_bone *bone, const float translation[3], const float rotation[4])
{
    for (uint32_t k = 0; k < bone->key_count; k++) {
        for (int i = 0; i < 3; i++)
            bone->keys[k].translation[i] += translation[i];
        multiply(bone->keys[k].rotation, rotation, bone->keys[k].rotation);
    }
}

/* Returns whether a user transform changes nothing. */
static bool is_identity(const float translation[3], const float rotation[4])
{
    static const float none[3] = {0}, straight[4] = {0, 0, 0, 1};
    return memcmp(translation, none, sizeof none) == 0 && memcmp(rotation, straight, sizeof straight) == 0;
}

/* Applies the changes by commands to bones and morphs. */
static void apply_edits(recipe_stage *stage, size_t index, mmd_project_model *to)
{
    const scene_model *from = &stage->scene.models[index];
    const mmd_pose *pose = mmd_actor_pose(from->actor);
    uint32_t base = to->morph_count - from->model->morph_count;
    for (uint32_t i = 0; i < to->bone_count; i++) {
        float translation[3], rotation[4];
        mmd_pose_get_user(pose, i, translation, rotation);
        if (!is_identity(translation, rotation))
            turn_keys(&to->bones[i], translation, rotation);
    }
    const float *weights = mmd_actor_morphs_by_hand(from->actor);
    for (uint32_t i = 0; i < from->model->morph_count; i++) {
        if (isnan(weights[i]))
            continue;
        to->morphs[base + i].key_count = 1;
        to->morphs[base + i].keys[0].weight = weights[i];
    }
}

/* Sets the current values of bones and morphs, which MMD shows at frame 0, to those of the first keyframes. */
static void show_first_keys(mmd_project_model *to)
{
    for (uint32_t i = 0; i < to->bone_count; i++) {
        mmd_project_bone *bone = &to->bones[i];
        memcpy(bone->translation, bone->keys[0].translation, sizeof bone->translation);
        memcpy(bone->rotation, bone->keys[0].rotation, sizeof bone->rotation);
        bone->physics_off = bone->keys[0].physics_off;
    }
    for (uint32_t i = 0; i < to->morph_count; i++)
        to->morphs[i].weight = to->morphs[i].keys[0].weight;
}

static bool is_accessory(const scene_model *m)
{
    return m->model->origin == MMD_ORIGIN_X;
}

/* Returns how many of the models, or of the accessories, are drawn before this one. */
static uint32_t drawn_before(const recipe_stage *stage, size_t index)
{
    const odori_scene *scene = &stage->scene;
    int32_t order = mmd_stage_staging(scene->stage, index)->draw_order;
    uint32_t count = 0;
    for (size_t i = 0; i < scene->model_count; i++) {
        int32_t other = mmd_stage_staging(scene->stage, i)->draw_order;
        if (is_accessory(&scene->models[i]) == is_accessory(&scene->models[index]))
            count += other < order || (other == order && i < index);
    }
    return count;
}

/* Stores the settings of a model on the stage that do not come from its motion. */
static void set_staging(const recipe_stage *stage, size_t index, mmd_project_model *to)
{
    const mmd_staging *staging = mmd_stage_staging(stage->scene.stage, index);
    to->draw_order = (uint8_t)(drawn_before(stage, index) + 1);
    to->edge_width = stage->session.view.edge ? staging->edge_scale : 0.0f;
    to->self_shadow = staging->self_shadow;
    to->add_blend = staging->additive;
    for (uint32_t k = 0; !staging->visible && k < to->config_count; k++)
        to->configs[k].visible = 0;
    to->visible = to->configs[0].visible;
}

/* Returns whether MMD supports the staging of a model. */
static bool has_mmd_staging(const mmd_staging *s)
{
    const mmd_staging usual = mmd_default_staging();
    return memcmp(s->position, usual.position, sizeof s->position) == 0 &&
           memcmp(s->rotation, usual.rotation, sizeof s->rotation) == 0 && s->scale == usual.scale &&
           s->opacity == usual.opacity && !s->parent;
}

/* Adds a model with its keyframes to the project. */
static bool add_model(recipe_stage *stage, size_t index, const char *path, mmd_project *project,
                      mmd_error *error)
{
    const mmd_model *model = stage->scene.models[index].model;
    mmd_arena arena = {0};
    mmd_motion motion;
    bool ok = kit_model_motion(&arena, &stage->scene, index, &motion);
    if (!ok)
        mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    else
        ok = mmd_project_add_model(project, model, &motion, path, error) == MMD_OK;
    if (ok) {
        mmd_project_model *added = &project->models[project->model_count - 1];
        hold_first_keys(added, model, &motion);
        apply_edits(stage, index, added);
        show_first_keys(added);
        set_staging(stage, index, added);
    }
    mmd_arena_finish(&arena);
    return ok;
}

/* Returns the index of an actor among the models of the project, or -1 when it is not one of them. */
static int32_t index_of(const recipe_stage *stage, const mmd_actor *actor)
{
    int32_t number = 0;
    for (size_t i = 0; i < stage->scene.model_count; i++) {
        const scene_model *m = &stage->scene.models[i];
        if (m->actor == actor)
            return is_accessory(m) ? -1 : number;
        number += !is_accessory(m);
    }
    return -1;
}

/* --- Outside parents --- */

/* Returns whether a bone is the only one without a parent. Such a bone stands for the whole model, which can
 * always have an outside parent in MMD. */
static bool is_only_root(const mmd_model *model, int32_t bone)
{
    uint32_t roots = 0;
    for (uint32_t b = 0; b < model->bone_count; b++)
        roots += model->bones[b].parent < 0 && !model->bones[b].internal;
    return bone >= 0 && model->bones[bone].parent < 0 && roots == 1;
}

/* Returns the index of the outside parent of a bone in the project, or parent_count when it cannot have one. */
static uint32_t find_slot(const mmd_project_model *to, const mmd_model *model, int32_t bone)
{
    uint32_t slot = 0;
    while (slot < to->parent_count && to->parent_bones[slot] != bone)
        slot++;
    for (uint32_t i = 0; slot == to->parent_count && is_only_root(model, bone) && i < to->parent_count; i++)
        if (to->parent_bones[i] == MMD_WHOLE_ACTOR)
            return i;
    return slot;
}

/* Returns the keyframe at a frame, and inserts a copy of the one before it when there is none. NULL: out of
 * memory. */
static mmd_project_config_key *key_at(mmd_project *project, mmd_project_model *to, uint32_t frame)
{
    uint32_t k = 0;
    while (k < to->config_count && to->configs[k].at.frame < frame)
        k++;
    if (k < to->config_count && to->configs[k].at.frame == frame)
        return &to->configs[k];
    mmd_project_config_key *grown =
        mmd_arena_alloc(&project->arena, (size_t)to->config_count + 1, sizeof *grown);
    uint8_t *ik = mmd_arena_alloc(&project->arena, to->ik_count, sizeof *ik);
    mmd_project_parent *parents = mmd_arena_alloc(&project->arena, to->parent_count, sizeof *parents);
    if (!grown || !ik || !parents)
        return NULL;
    memcpy(grown, to->configs, k * sizeof *grown);
    memcpy(grown + k + 1, to->configs + k, (to->config_count - k) * sizeof *grown);
    grown[k] = to->configs[k - 1]; /* there always is one at frame 0 */
    grown[k].at = (mmd_project_key){frame, MMD_PROJECT_NO_NUMBER, MMD_NO_RECORD};
    grown[k].ik = memcpy(ik, grown[k - 1].ik, to->ik_count * sizeof *ik);
    grown[k].parents = memcpy(parents, grown[k - 1].parents, to->parent_count * sizeof *parents);
    to->configs = grown;
    to->config_count++;
    return &grown[k];
}

/* Sets an outside parent from the frame of a key on. The first key applies from frame 0 on. False: out of memory. */
static bool set_parent(const recipe_stage *stage, mmd_project *project, mmd_project_model *to, uint32_t slot,
                       const mmd_outside_key *key, bool is_first)
{
    uint32_t frame = is_first ? 0 : key->frame;
    int32_t number = key->parent ? index_of(stage, key->parent) : -1;
    if (!key_at(project, to, frame))
        return false;
    for (uint32_t k = 0; k < to->config_count; k++)
        if (to->configs[k].at.frame >= frame)
            to->configs[k].parents[slot] = (mmd_project_parent){
                number, number >= 0 ? key->parent_bone : to->configs[k].parents[slot].bone};
    return true;
}

/* Sets the current outside parents, which MMD shows at frame 0, to those of the first keyframe. */
static void show_first_parents(mmd_project_model *to)
{
    for (uint32_t slot = 0; slot < to->parent_count; slot++) {
        mmd_project_parent_state *state = &to->parents[slot];
        *state = (mmd_project_parent_state){.parent = to->configs[0].parents[slot]};
        for (uint32_t k = 1; k < to->config_count && state->end == 0; k++)
            if (to->configs[k].parents[slot].model != state->parent.model ||
                to->configs[k].parents[slot].bone != state->parent.bone)
                state->end = (int32_t)to->configs[k].at.frame;
    }
}

/* Stores all outside parents of a model. */
static bool set_parents(const recipe_stage *stage, size_t index, mmd_project *project, mmd_project_model *to,
                        uint32_t *notes)
{
    const mmd_model *model = stage->scene.models[index].model;
    for (int32_t bone = MMD_WHOLE_ACTOR; bone < (int32_t)model->bone_count; bone++) {
        size_t count;
        const mmd_outside_key *keys = mmd_stage_outside_keys(stage->scene.stage, index, bone, &count);
        uint32_t slot = count ? find_slot(to, model, bone) : 0;
        if (count && slot == to->parent_count)
            *notes |= KIT_PARENT;
        for (size_t k = 0; k < count && slot < to->parent_count; k++)
            if (!set_parent(stage, project, to, slot, &keys[k], k == 0))
                return false;
    }
    show_first_parents(to);
    return true;
}

/* Returns whether all outside parents of a model have a calculation order already. */
static bool is_after_parents(const mmd_project_model *m, const mmd_project *project)
{
    for (uint32_t k = 0; k < m->config_count; k++)
        for (uint32_t slot = 0; slot < m->parent_count; slot++) {
            int32_t parent = m->configs[k].parents[slot].model;
            if (parent >= 0 && project->models[parent].calc_order == 0)
                return false;
        }
    return true;
}

/* Sets the calculation order so that parents come first, since MMD uses the previous frame of models that come later.
 * Models in a cycle keep their order. */
static void order_models(mmd_project *project)
{
    for (uint32_t i = 0; i < project->model_count; i++)
        project->models[i].calc_order = 0;
    for (uint32_t order = 1; order <= project->model_count; order++) {
        mmd_project_model *next = NULL, *first = NULL;
        for (uint32_t i = 0; i < project->model_count && !next; i++) {
            mmd_project_model *m = &project->models[i];
            if (m->calc_order)
                continue;
            first = first ? first : m;
            next = is_after_parents(m, project) ? m : NULL;
        }
        (next ? next : first)->calc_order = (uint8_t)order;
    }
}

/* Stores the outside parents of all models, once all of them are in the project. */
static bool set_all_parents(const recipe_stage *stage, mmd_project *project, uint32_t *notes, mmd_error *error)
{
    uint32_t number = 0;
    for (size_t i = 0; i < stage->scene.model_count; i++) {
        if (is_accessory(&stage->scene.models[i]))
            continue;
        if (mmd_stage_has_outside_parents(stage->scene.stage, i) &&
            !set_parents(stage, i, project, &project->models[number], notes)) {
            mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
            return false;
        }
        number++;
    }
    order_models(project);
    return true;
}

/* --- Accessories --- */

/* Returns the keyframe with the placement of an accessory. */
static mmd_project_accessory_key accessory_key(const recipe_stage *stage, const mmd_staging *staging)
{
    int32_t parent = staging->parent && staging->parent_bone >= 0 ? index_of(stage, staging->parent) : -1;
    long transparency = lroundf(100.0f * (1.0f - staging->opacity));
    mmd_project_accessory_key key = {
        .visibility = (uint8_t)((unsigned)transparency << 1 | (staging->visible ? 1u : 0u)),
        .parent = {parent, parent >= 0 ? staging->parent_bone : 0},
        .scale = staging->scale,
        .shadow = staging->ground_shadow,
    };
    memcpy(key.position, staging->position, sizeof key.position);
    memcpy(key.rotation, staging->rotation, sizeof key.rotation);
    return key;
}

/* Returns the keyframes of an accessory: its placement at frame 0, and again wherever its motions show or
 * hide it. NULL: out of memory. */
static mmd_project_accessory_key *accessory_keys(const recipe_stage *stage, size_t index, mmd_arena *arena,
                                                 uint32_t *count)
{
    mmd_motion motion;
    const mmd_project_accessory_key key = accessory_key(stage, mmd_stage_staging(stage->scene.stage, index));
    if (!kit_model_motion(arena, &stage->scene, index, &motion))
        return NULL;
    bool has_first = motion.property_key_count && motion.property_keys[0].frame == 0;
    mmd_project_accessory_key *keys =
        mmd_arena_alloc(arena, (size_t)motion.property_key_count + 1, sizeof *keys);
    if (!keys)
        return NULL;
    keys[0] = key;
    *count = !has_first;
    for (uint32_t k = 0; k < motion.property_key_count; k++) {
        mmd_project_accessory_key *made = &keys[(*count)++];
        *made = key;
        made->at.frame = motion.property_keys[k].frame;
        if (!motion.property_keys[k].visible)
            made->visibility &= (uint8_t)~1u;
    }
    return keys;
}

/* Adds an accessory with its placement and visibility to the project. */
static bool add_accessory(recipe_stage *stage, size_t index, const char *path, mmd_project *project,
                          mmd_error *error)
{
    char name[100];
    uint32_t count = 0;
    mmd_arena arena = {0};
    const mmd_staging *staging = mmd_stage_staging(stage->scene.stage, index);
    const mmd_project_accessory_key *keys = accessory_keys(stage, index, &arena, &count);
    snprintf(name, sizeof name, "%.48s", mmd_path_name(stage->scene.models[index].path));
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    mmd_status status =
        keys ? mmd_project_add_accessory(project, name, path, keys, count, error) : mmd_error_memory(error);
    mmd_arena_finish(&arena);
    if (status != MMD_OK)
        return false;
    mmd_project_accessory *added = &project->accessories[project->accessory_count - 1];
    added->draw_order = (uint8_t)drawn_before(stage, index);
    added->add_blend = staging->additive;
    /* Accessories drawn before the models come first in the list. */
    project->accessories_after_models += staging->draw_order < MMD_ORDER_MODEL;
    return true;
}

/* --- View --- */

/* Returns whether a colour is a grey of this level. */
static bool is_color(const float rgba[4], float level)
{
    return rgba[0] == level && rgba[1] == level && rgba[2] == level;
}

/* Returns the notes about the view, poses and placements. */
static uint32_t notes_of_view(const recipe_stage *stage)
{
    const mmd_view_options *view = &stage->session.view;
    uint32_t notes = 0;
    if (view->background[3] < 1.0f)
        notes |= KIT_TRANSPARENT;
    else if (!is_color(view->background, 0.0f) && !is_color(view->background, 1.0f))
        notes |= KIT_BACKGROUND;
    if (view->grid)
        notes |= KIT_GRID;
    if (view->shading != MMD_SHADING_MMD)
        notes |= KIT_SMOOTH;
    if (view->pixel_centers != MMD_PIXEL_CENTERS_D3D9)
        notes |= KIT_CENTERS;
    if (view->sdef != MMD_SDEF_LINEAR)
        notes |= KIT_SDEF;
    for (size_t i = 0; i < stage->scene.model_count; i++)
        if (!is_accessory(&stage->scene.models[i]) && !has_mmd_staging(mmd_stage_staging(stage->scene.stage, i)))
            notes |= KIT_PLACED;
    for (size_t i = 0; i < stage->scene.model_count; i++) {
        const mmd_model *model = stage->scene.models[i].model;
        if (model->origin == MMD_ORIGIN_PMX && (model->version > 2.05f || model->layout.encoding == 1))
            notes |= KIT_PMX;
    }
    for (size_t i = 0; i < stage->scene.model_count; i++)
        if (!kit_can_delay(mmd_actor_delay(stage->scene.models[i].actor)))
            notes |= KIT_DELAY;
    for (size_t i = 0; view->ground_shadow && i < stage->scene.model_count; i++)
        if (!mmd_stage_staging(stage->scene.stage, i)->ground_shadow &&
            !is_accessory(&stage->scene.models[i]))
            notes |= KIT_PLACED;
    return notes;
}

/* Stores the physics of the stage. The gravity of a project is a tenth of the acceleration (docs/mmd.md 5.1). */
static void set_physics(mmd_project *project, const mmd_stage *stage)
{
    const mmd_physics_options *options = mmd_stage_physics(stage);
    mmd_project_gravity_key *key = &project->gravity_keys[0];
    double strength = 0;
    project->physics_mode = options ? MMD_PROJECT_PHYSICS_ALWAYS : MMD_PROJECT_PHYSICS_OFF;
    if (!options)
        return;
    project->physics_ground = options->ground;
    for (int k = 0; k < 3; k++)
        strength += (double)options->gravity[k] * (double)options->gravity[k];
    strength = sqrt(strength);
    key->acceleration = project->gravity.acceleration = (float)(strength / 10.0);
    for (int k = 0; k < 3 && strength > 0; k++)
        key->direction[k] = project->gravity.direction[k] = (float)((double)options->gravity[k] / strength);
}

/* Stores the settings of the view, and the range of frames. */
static void set_view(mmd_project *project, const recipe_stage *stage, const kit_scene *scene)
{
    const mmd_view_options *view = &stage->session.view;
    project->view_width = (int32_t)stage->size.width;
    project->view_height = (int32_t)stage->size.height;
    project->show_axis = view->grid;
    project->show_ground_shadow = view->ground_shadow;
    project->ground_shadow_brightness = view->ground_shadow_brightness;
    project->ground_shadow_transparent = view->ground_shadow_transparent;
    project->self_shadow_on = view->self_shadow;
    project->black_background = view->background[3] >= 1.0f && is_color(view->background, 0.0f);
    set_physics(project, stage->scene.stage);
    project->from_on = project->to_on = 1;
    project->from = (int32_t)scene->frames[0];
    project->to = (int32_t)scene->frames[scene->frame_count - 1];
}

/* Returns KIT_FOV when a field of view is not a whole number of degrees. */
static uint32_t notes_of_camera(const mmd_motion *motion)
{
    for (uint32_t k = 0; k < motion->camera_key_count; k++) {
        float fov = motion->camera_keys[k].value.fov;
        if (fov > floorf(fov))
            return KIT_FOV;
    }
    return 0;
}

/* Stores camera, light and self shadow. */
static bool set_stage(recipe_stage *stage, kit_scene *scene, mmd_project *project, mmd_error *error)
{
    mmd_arena arena = {0};
    mmd_motion motion;
    bool ok = kit_stage_motion(&arena, stage, scene, &motion);
    if (!ok)
        mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    else
        ok = mmd_project_set_scene(project, &motion, error) == MMD_OK;
    if (ok)
        scene->notes |= notes_of_camera(&motion) | notes_of_view(stage);
    mmd_arena_finish(&arena);
    return ok;
}

mmd_project *kit_project(recipe_stage *stage, kit_scene *scene, const char *const *paths, problem *why)
{
    mmd_error error = {0};
    mmd_project *project = mmd_project_create();
    if (!project) {
        problem_out_of_memory(why);
        return NULL;
    }
    bool ok = set_stage(stage, scene, project, &error);
    for (size_t i = 0; ok && i < stage->scene.model_count; i++)
        ok = is_accessory(&stage->scene.models[i]) ? add_accessory(stage, i, paths[i], project, &error)
                                                   : add_model(stage, i, paths[i], project, &error);
    ok = ok && set_all_parents(stage, project, &scene->notes, &error);
    set_view(project, stage, scene);
    scene->antialiasing = stage->session.view.samples > 1;
    if (ok)
        return project;
    problem_from(why, &error);
    mmd_project_destroy(project);
    return NULL;
}
