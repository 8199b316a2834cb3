/*
 * A model and its motion into a project: what MMD does when it loads a model
 * and then a motion for it (MMD.md 1.5 names, 3.2 the key at frame 0, 3.4
 * fixed axes).
 */
#include "mmd_math.h"
#include "pmm_made.h"

#include <assert.h>

typedef struct adding {
    mmd_arena *arena; /* the project's */
    const mmd_model *from;
    const mmd_motion *motion; /* never NULL */
    bool *taken; /* bone tracks that a bone has: of several bones with one name the first takes it */
    mmd_project_model *to;
} adding;

/* ---- bones ---- */

static const mmd_bone_track *take_track(adding *a, uint32_t bone)
{
    const mmd_bone_track *track = mmd_motion_find_bone(a->motion, a->from->bone_key[bone]);
    if (!track || a->taken[track - a->motion->bone_tracks])
        return NULL;
    a->taken[track - a->motion->bone_tracks] = true;
    return track;
}

/* The turn's part about the axis in its full size, as MMD registers keys of such bones. */
static void turn_about(const mmd_bone *bone, float q[4])
{
    float axis[3] = {bone->fixed_axis[0], bone->fixed_axis[1], bone->fixed_axis[2]};
    float length = glm_vec3_norm(axis);
    if (!(length > 0.0f) || !isfinite(length))
        return;
    glm_vec3_scale(axis, 1.0f / length, axis);
    float scale = glm_vec3_norm(q);
    if (dot3(axis, q) < 0.0f)
        scale = -scale;
    for (int i = 0; i < 3; i++)
        q[i] = axis[i] * scale;
}

static mmd_project_bone_key bone_key(uint32_t frame, const mmd_bone_key *from, const mmd_bone *bone)
{
    mmd_project_bone_key key = {.at = pmm_made_key(frame), .physics_off = from->physics_off};
    memcpy(key.curves, from->curve, sizeof key.curves);
    memcpy(key.translation, from->translation, sizeof key.translation);
    memcpy(key.rotation, from->rotation, sizeof key.rotation);
    if (bone->flags & MMD_BONE_FIXED_AXIS)
        turn_about(bone, key.rotation);
    return key;
}

static void rest_state(mmd_project_bone *bone)
{
    const mmd_project_bone_key *key = &bone->keys[0];
    memcpy(bone->translation, key->translation, sizeof bone->translation);
    memcpy(bone->rotation, key->rotation, sizeof bone->rotation);
    bone->physics_off = key->physics_off;
}

static bool add_bone(adding *a, uint32_t number)
{
    const mmd_bone_key rest = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                               .curve = {PMM_LINEAR, PMM_LINEAR, PMM_LINEAR, PMM_LINEAR}};
    const mmd_bone *from = &a->from->bones[number];
    mmd_project_bone *bone = &a->to->bones[number];
    const mmd_bone_track *track = take_track(a, number);
    pmm_pick pick = {track ? track->frames : NULL, sizeof(uint32_t), track ? track->count : 0, 0, false};
    bone->key_count = pmm_pick_count(pick);
    bone->keys = mmd_arena_alloc(a->arena, bone->key_count, sizeof *bone->keys);
    if (!bone->keys || !pmm_made_name(a->arena, from->name, PMM_MADE_NAME_MAX, &bone->name))
        return false;
    for (uint32_t i = 0; i < bone->key_count; i++) {
        int64_t k = pmm_pick_next(&pick);
        bone->keys[i] = bone_key(k >= 0 ? track->frames[k] : 0, k >= 0 ? &track->keys[k] : &rest, from);
    }
    rest_state(bone);
    return true;
}

static bool add_bones(adding *a)
{
    a->taken = mmd_arena_alloc(a->arena, a->motion->bone_track_count, sizeof *a->taken);
    a->to->bones = mmd_arena_alloc(a->arena, a->from->bone_count, sizeof *a->to->bones);
    if (!a->taken || !a->to->bones)
        return false;
    for (uint32_t i = 0; i < a->from->bone_count; i++)
        if (!a->from->bones[i].internal) {
            if (!add_bone(a, i))
                return false;
            a->to->bone_count = i + 1;
        }
    return true;
}

/* ---- morphs ---- */

static bool add_morph(adding *a, const char *name, const mmd_morph_track *track)
{
    mmd_project_morph *morph = &a->to->morphs[a->to->morph_count++];
    pmm_pick pick = {track ? track->frames : NULL, sizeof(uint32_t), track ? track->count : 0, 0, false};
    morph->key_count = pmm_pick_count(pick);
    morph->keys = mmd_arena_alloc(a->arena, morph->key_count, sizeof *morph->keys);
    if (!morph->keys || !pmm_made_name(a->arena, name, PMM_MADE_NAME_MAX, &morph->name))
        return false;
    for (uint32_t i = 0; i < morph->key_count; i++) {
        int64_t k = pmm_pick_next(&pick);
        morph->keys[i] = (mmd_project_morph_key){.at = pmm_made_key(k >= 0 ? track->frames[k] : 0),
                                                 .weight = k >= 0 ? track->weights[k] : 0.0f};
    }
    morph->weight = morph->keys[0].weight;
    return true;
}

static bool add_morphs(adding *a)
{
    const mmd_model *from = a->from;
    bool base = from->origin == MMD_ORIGIN_PMD && from->morph_count > 0;
    a->to->morphs = mmd_arena_alloc(a->arena, (size_t)from->morph_count + base, sizeof *a->to->morphs);
    if (!a->to->morphs || (base && !add_morph(a, "base", NULL)))
        return false;
    for (uint32_t i = 0; i < from->morph_count; i++)
        if (!add_morph(a, from->morphs[i].name, mmd_motion_find_morph(a->motion, from->morph_key[i])))
            return false;
    return true;
}

/* ---- visibility, IK, outside parents ---- */

static bool add_bone_lists(adding *a)
{
    mmd_project_model *to = a->to;
    to->ik_bones = mmd_arena_alloc(a->arena, a->from->bone_count, sizeof *to->ik_bones);
    to->parent_bones = mmd_arena_alloc(a->arena, (size_t)a->from->bone_count + 1, sizeof *to->parent_bones);
    if (!to->ik_bones || !to->parent_bones)
        return false;
    to->parent_bones[to->parent_count++] = -1;
    for (uint32_t i = 0; i < to->bone_count; i++) {
        if (a->from->bones[i].flags & MMD_BONE_IK)
            to->ik_bones[to->ik_count++] = (int32_t)i;
        if (a->from->bones[i].flags & MMD_BONE_EXTERNAL_PARENT)
            to->parent_bones[to->parent_count++] = (int32_t)i;
    }
    return true;
}

static bool add_config(adding *a, mmd_project_config_key *key, int64_t from)
{
    const mmd_project_model *to = a->to;
    key->ik = mmd_arena_alloc(a->arena, to->ik_count, sizeof *key->ik);
    key->parents = mmd_arena_alloc(a->arena, to->parent_count, sizeof *key->parents);
    if (!key->ik || !key->parents)
        return false;
    key->at = pmm_made_key(from >= 0 ? a->motion->property_keys[from].frame : 0);
    key->visible = from >= 0 ? a->motion->property_keys[from].visible : 1;
    for (uint32_t i = 0; i < to->ik_count; i++)
        key->ik[i] =
            from < 0 || mmd_motion_ik_on(a->motion, a->from->bone_key[to->ik_bones[i]], key->at.frame);
    for (uint32_t i = 0; i < to->parent_count; i++)
        key->parents[i] = (mmd_project_parent){-1, i == 0 ? -1 : 0};
    return true;
}

static bool add_configs(adding *a)
{
    const mmd_motion *motion = a->motion;
    mmd_project_model *to = a->to;
    pmm_pick pick = {motion->property_keys ? &motion->property_keys->frame : NULL,
                     sizeof *motion->property_keys, motion->property_key_count, 0, false};
    to->config_count = pmm_pick_count(pick);
    to->configs = mmd_arena_alloc(a->arena, to->config_count, sizeof *to->configs);
    to->ik = mmd_arena_alloc(a->arena, to->ik_count, sizeof *to->ik);
    to->parents = mmd_arena_alloc(a->arena, to->parent_count, sizeof *to->parents);
    if (!to->configs || !to->ik || !to->parents)
        return false;
    for (uint32_t i = 0; i < to->config_count; i++)
        if (!add_config(a, &to->configs[i], pmm_pick_next(&pick)))
            return false;
    to->visible = to->configs[0].visible;
    memcpy(to->ik, to->configs[0].ik, to->ik_count * sizeof *to->ik);
    for (uint32_t i = 0; i < to->parent_count; i++)
        to->parents[i].parent = to->configs[0].parents[i];
    return true;
}

/* ---- the model ---- */

/* The last frame of any key that found its bone or morph. */
static int32_t last_frame(const mmd_project_model *model)
{
    uint32_t last = model->configs[model->config_count - 1].at.frame;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const mmd_project_bone *bone = &model->bones[i];
        if (bone->keys[bone->key_count - 1].at.frame > last)
            last = bone->keys[bone->key_count - 1].at.frame;
    }
    for (uint32_t i = 0; i < model->morph_count; i++) {
        const mmd_project_morph *morph = &model->morphs[i];
        if (morph->keys[morph->key_count - 1].at.frame > last)
            last = morph->keys[morph->key_count - 1].at.frame;
    }
    return (int32_t)last;
}

static void fill_rest(mmd_project_model *to, uint8_t number)
{
    to->number = to->selector_number = number;
    to->draw_order = to->calc_order = (uint8_t)(number + 1);
    to->selected_bone = -1;
    for (int i = 0; i < 4; i++)
        to->selected_morphs[i] = -1;
    to->edge_width = 1.0f;
    to->self_shadow = 1;
    to->last_frame = last_frame(to);
}

static bool add(adding *a, const char *path)
{
    return pmm_made_name(a->arena, a->from->name, PMM_MADE_MODEL_NAME_MAX, &a->to->name) &&
           pmm_made_name(a->arena, a->from->name_en, PMM_MADE_MODEL_NAME_MAX, &a->to->name_en) &&
           pmm_made_path(a->arena, path, &a->to->path) && add_bones(a) && add_morphs(a) &&
           add_bone_lists(a) && add_configs(a);
}

mmd_status mmd_project_add_model(mmd_project *project, const mmd_model *model, const mmd_motion *motion,
                                 const char *path, mmd_error *error)
{
    static const mmd_motion nothing = {.last_frame = 0};
    assert(project && model && path);
    assert((model->bone_key || model->bone_count == 0) && (model->morph_key || model->morph_count == 0));
    uint32_t count = project->model_count;
    if (count >= MMD_PROJECT_MODEL_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "model", MMD_NO_OFFSET,
                             "a project holds no more than %d models", MMD_PROJECT_MODEL_MAX);
    mmd_status status = pmm_check_frames(motion, "model", error);
    if (status != MMD_OK)
        return status;
    mmd_project_model *all = mmd_arena_alloc(&project->arena, (size_t)count + 1, sizeof *all);
    if (!all)
        return pmm_no_memory(error, "model");
    adding a = {
        .arena = &project->arena, .from = model, .motion = motion ? motion : &nothing, .to = &all[count]};
    if (!add(&a, path))
        return pmm_no_memory(error, "model");
    if (count)
        memcpy(all, project->models, count * sizeof *all);
    fill_rest(&all[count], (uint8_t)count);
    project->models = all;
    project->model_count = count + 1;
    return MMD_OK;
}
