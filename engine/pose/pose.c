/* Forward kinematics, append and the evaluation order. See docs/mmd.md 4.1 to 4.4 and choices 3 and 4 there;
 * the order of ops is in docs/formats.md 6. */
#include <assert.h>
#include <string.h>

#include "pose_internal.h"

/* -------------------------------------------------------------------- poses */

static const mmd_transform identity_transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
static const float no_scale[6] = {1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f};

bool mmd_pose_values_init(mmd_pose_values *values, const mmd_model *model, mmd_arena *arena)
{
    assert(values && model && arena);
    values->bones = mmd_arena_alloc(arena, model->bone_count, sizeof *values->bones);
    values->weights = mmd_arena_alloc(arena, model->morph_count, sizeof *values->weights);
    values->ik_on = mmd_arena_alloc(arena, model->bone_count, sizeof *values->ik_on);
    values->physics_off = mmd_arena_alloc(arena, model->bone_count, sizeof *values->physics_off);
    values->scales = NULL;
    if (model->has_scale)
        values->scales = mmd_arena_alloc(arena, model->bone_count, sizeof *values->scales);
    if (!values->bones || !values->weights || !values->ik_on || !values->physics_off ||
        (model->has_scale && !values->scales))
        return false;
    mmd_pose_values_reset(values, model);
    return true;
}

void mmd_pose_values_reset(mmd_pose_values *values, const mmd_model *model)
{
    assert(values && model);
    for (uint32_t b = 0; b < model->bone_count; b++)
        values->bones[b] = identity_transform;
    for (uint32_t b = 0; values->scales && b < model->bone_count; b++)
        memcpy(values->scales[b], no_scale, sizeof no_scale);
    memset(values->weights, 0, model->morph_count * sizeof *values->weights);
    memset(values->ik_on, 1, model->bone_count);
    memset(values->physics_off, 0, model->bone_count);
    values->visible = true;
}

/* Computes the world transform of every bone at rest. */
static void rest_world(const mmd_model *model, mmd_transform *world)
{
    for (uint32_t b = 0; b < model->bone_count; b++) {
        world[b] = identity_transform;
        memcpy(world[b].translation, model->bones[b].position, 3 * sizeof(float));
    }
}

static void rest_state(const mmd_pose *pose, bone_state *state)
{
    memset(state, 0, pose->model->bone_count * sizeof *state);
    for (uint32_t b = 0; b < pose->model->bone_count; b++) {
        memcpy(state[b].offset, pose->info[b].offset, sizeof pose->info[b].offset);
        quat_identity(state[b].own);
        quat_identity(state[b].base);
        quat_identity(state[b].ik);
        quat_identity(state[b].append);
        quat_identity(state[b].local);
    }
}

static void fill_bone_info(mmd_pose *pose, uint32_t b)
{
    const mmd_model *model = pose->model;
    const mmd_bone *bone = &model->bones[b];
    bone_info *info = &pose->info[b];
    info->parent = bone->parent;
    info->source = -1;
    for (int k = 0; k < 3; k++)
        info->offset[k] =
            bone->position[k] - (bone->parent >= 0 ? model->bones[bone->parent].position[k] : 0.0f);
    if (mmd_bone_appends(bone)) {
        info->source = bone->append_source;
        info->ratio = bone->append_ratio;
        info->append_rotation = bone->flags & MMD_BONE_APPEND_ROTATION;
        info->append_translation = bone->flags & MMD_BONE_APPEND_TRANSLATION;
    }
    const uint32_t *rank = model->bone_rank;
    info->parent_later = info->parent >= 0 && rank[info->parent] >= rank[b];
    info->source_later = info->source >= 0 && rank[info->source] >= rank[b];
    pose->backward |= info->parent_later || info->source_later;
}

/* Allocates the arrays by bone. */
static bool allocate_bones(mmd_pose *pose)
{
    uint32_t count = pose->model->bone_count;
    mmd_arena *arena = &pose->arena;
    pose->info = mmd_arena_alloc(arena, count, sizeof *pose->info);
    pose->state = mmd_arena_alloc(arena, count, sizeof *pose->state);
    pose->world = mmd_arena_alloc(arena, count, sizeof *pose->world);
    pose->palette = mmd_arena_alloc(arena, count, sizeof *pose->palette);
    pose->rest = mmd_arena_alloc(arena, count, sizeof *pose->rest);
    pose->user = mmd_arena_alloc(arena, count, sizeof *pose->user);
    pose->external = mmd_arena_alloc(arena, count, sizeof *pose->external);
    pose->overrides = mmd_arena_alloc(arena, count, sizeof *pose->overrides);
    pose->moved = mmd_arena_alloc(arena, count, sizeof *pose->moved);
    return pose->info && pose->state && pose->world && pose->palette && pose->rest && pose->user &&
           pose->external && pose->overrides && pose->moved;
}

static bool allocate_previous(mmd_pose *pose)
{
    if (!pose->backward)
        return true;
    pose->previous_state =
        mmd_arena_alloc(&pose->arena, pose->model->bone_count, sizeof *pose->previous_state);
    pose->previous_world =
        mmd_arena_alloc(&pose->arena, pose->model->bone_count, sizeof *pose->previous_world);
    if (pose->matrices)
        pose->previous_matrices =
            mmd_arena_alloc(&pose->arena, pose->model->bone_count, sizeof *pose->previous_matrices);
    return pose->previous_state && pose->previous_world && (!pose->matrices || pose->previous_matrices);
}

mmd_pose *mmd_pose_create(const mmd_model *model)
{
    assert(model && (model->bone_count == 0 || model->bone_order));
    mmd_pose *pose = mmd_alloc(sizeof *pose);
    if (!pose)
        return NULL;
    *pose = (mmd_pose){.model = model};
    if (!allocate_bones(pose))
        goto fail;
    for (uint32_t b = 0; b < model->bone_count; b++) {
        fill_bone_info(pose, b);
        memcpy(pose->rest[b], model->bones[b].position, sizeof model->bones[b].position);
        pose->user[b] = pose->external[b] = identity_transform;
    }
    rest_world(model, pose->world);
    if (!pose_ik_init(pose) || !pose_morphs_init(pose) || !allocate_previous(pose) || !pose_scale_init(pose))
        goto fail;
    rest_state(pose, pose->state);
    for (uint32_t b = 0; b < model->bone_count; b++)
        pose->palette[b] = identity_transform;
    return pose;
fail:
    mmd_pose_destroy(pose);
    return NULL;
}

void mmd_pose_destroy(mmd_pose *pose)
{
    if (!pose)
        return;
    mmd_arena_finish(&pose->arena);
    mmd_free(pose);
}

/* Combines motion, morph and user edit of one bone: everything that does not depend on other bones. */
void pose_load_own(mmd_pose *pose, uint32_t b, const mmd_transform *motion)
{
    assert(pose && motion);
    assert(b < pose->model->bone_count);
    bone_state *state = &pose->state[b];
    const mmd_transform *morph = pose->bone_morphs_active ? &pose->morph_bones[b] : NULL;
    memcpy(state->translation, motion->translation, sizeof state->translation);
    quat_copy(motion->rotation, state->own);
    if (pose->info[b].has_user) {
        quat_multiply(state->own, pose->user[b].rotation, state->own);
        for (int k = 0; k < 3; k++)
            state->translation[k] += pose->user[b].translation[k];
    }
    if (morph) {
        quat_multiply(morph->rotation, state->own, state->own);
        for (int k = 0; k < 3; k++)
            state->translation[k] += morph->translation[k];
    }
}

/* Returns the rotation and translation that an append source passes on (docs/mmd.md 4.3). */
static void append_value(const mmd_pose *pose, const bone_info *info, float rotation[4], float translation[3])
{
    const bone_state *state = info->source_later ? pose->previous_state : pose->state;
    const bone_state *source = &state[info->source];
    const bone_matrices *matrices = info->source_later ? pose->previous_matrices : pose->matrices;
    pose_matrix_rotation(source, source->solved ? &matrices[info->source] : NULL, rotation);
    for (int k = 0; k < 3; k++)
        translation[k] = source->translation[k] + source->append_translation[k];
}

void pose_update_append(mmd_pose *pose, uint32_t b)
{
    assert(pose);
    assert(b < pose->model->bone_count);
    const bone_info *info = &pose->info[b];
    bone_state *state = &pose->state[b];
    float before[4];
    quat_copy(state->base, before);
    quat_copy(state->own, state->base);
    if (info->source >= 0) {
        float rotation[4], translation[3];
        append_value(pose, info, rotation, translation);
        if (info->append_rotation) {
            quat_power(rotation, info->ratio, state->append);
            quat_multiply(state->own, state->append, state->base);
        }
        if (info->append_translation)
            for (int k = 0; k < 3; k++)
                state->append_translation[k] = translation[k] * info->ratio;
    }
    state->solved = state->solved && memcmp(before, state->base, sizeof before) == 0;
    if (!state->solved)
        quat_multiply(state->ik, state->base, state->local);
    for (int k = 0; k < 4; k++)
        state->offset[k] = info->offset[k] + state->translation[k] + state->append_translation[k];
}

void pose_update_world(mmd_pose *pose, uint32_t b)
{
    assert(pose);
    assert(b < pose->model->bone_count);
    const bone_info *info = &pose->info[b];
    const float *local = pose->state[b].local, *offset = pose->state[b].offset;
    mmd_transform *out = &pose->world[b];
    if (pose->linear) {
        pose_scale_world(pose, b);
    } else if (info->parent >= 0) {
        const mmd_transform *parent =
            info->parent_later ? &pose->previous_world[info->parent] : &pose->world[info->parent];
        quat_rotate_add(parent->rotation, offset, parent->translation, out->translation);
        quat_multiply(parent->rotation, local, out->rotation);
    } else {
        quat_copy(local, out->rotation);
        quat_copy(offset, out->translation);
    }
    if (!pose->linear && info->has_external) {
        const mmd_transform *external = &pose->external[b];
        quat_multiply(external->rotation, out->rotation, out->rotation);
        quat_rotate(external->rotation, out->translation, out->translation);
        for (int k = 0; k < 3; k++)
            out->translation[k] += external->translation[k];
    }
    if (info->has_matrix)
        pose_update_matrix(pose, b);
}

/* Evaluates bones without IK. */
static void evaluate_bones(mmd_pose *pose, const uint32_t *bones, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        quat_identity(pose->state[bones[i]].ik);
        pose->state[bones[i]].solved = false;
        pose_update_append(pose, bones[i]);
        pose_update_world(pose, bones[i]);
    }
}

/*
 * Evaluates the bones at positions first..last-1 of the order, which are whole levels. As in MMD, all bones
 * of a level are evaluated, then all its IK is solved, and then the bones that append from links follow.
 */
static void evaluate_range(mmd_pose *pose, const mmd_pose_values *values, uint32_t first, uint32_t last)
{
    const uint32_t *order = pose->model->bone_order;
    for (uint32_t k = 0; k < pose->ik_level_count; k++) {
        const ik_level *level = &pose->ik_levels[k];
        if (level->end <= first || level->end > last)
            continue;
        evaluate_bones(pose, order + first, level->end - first);
        first = level->end;
        for (uint32_t i = 0; i < level->solver_count; i++)
            if (values->ik_on[level->solvers[i].goal])
                pose_ik_solve(pose, &level->solvers[i]);
        evaluate_bones(pose, level->deferred, level->deferred_count);
    }
    evaluate_bones(pose, order + first, last - first);
}

/* Computes morphs and own transforms. */
static void begin_pass(mmd_pose *pose, const mmd_pose_values *values)
{
    pose->scales = (const float(*)[6])values->scales;
    pose_morphs_evaluate(pose, values->weights);
    for (uint32_t b = 0; b < pose->model->bone_count; b++)
        pose_load_own(pose, b, &values->bones[b]);
    if (pose->backward)
        memcpy(pose->world, pose->previous_world, pose->model->bone_count * sizeof *pose->world);
    if (pose->previous_matrices)
        memcpy(pose->matrices, pose->previous_matrices, pose->model->bone_count * sizeof *pose->matrices);
}

void pose_evaluate_previous(mmd_pose *pose, const mmd_pose_values *previous)
{
    assert(pose && previous);
    const mmd_model *model = pose->model;
    rest_world(model, pose->previous_world);
    rest_state(pose, pose->previous_state);
    rest_state(pose, pose->state);
    if (pose->previous_matrices)
        pose_rest_matrices(pose, pose->previous_matrices);
    begin_pass(pose, previous);
    evaluate_range(pose, previous, 0, model->bone_count);
    memcpy(pose->previous_world, pose->world, model->bone_count * sizeof *pose->world);
    memcpy(pose->previous_state, pose->state, model->bone_count * sizeof *pose->state);
    if (pose->previous_matrices)
        memcpy(pose->previous_matrices, pose->matrices, model->bone_count * sizeof *pose->matrices);
}

void mmd_pose_evaluate(mmd_pose *pose, const mmd_pose_values *values, const mmd_pose_values *previous)
{
    assert(pose && values);
    if (pose->backward)
        pose_evaluate_previous(pose, previous ? previous : values);
    begin_pass(pose, values);
    evaluate_range(pose, values, 0, pose->model->bone_order_before);
    pose->values = values;
}

/* Applies physics to a bone's world transform. Returns whether there was anything to apply. */
static bool apply_override(mmd_pose *pose, uint32_t b)
{
    const bone_override *override = &pose->overrides[b];
    if (!override->active)
        return false;
    float before[4];
    quat_copy(pose->world[b].rotation, before);
    quat_copy(override->world.rotation, pose->world[b].rotation);
    if (pose->linear)
        pose_scale_turned(pose, b, before);
    if (!override->rotation_only)
        memcpy(pose->world[b].translation, override->world.translation, 3 * sizeof(float));
    if (pose->info[b].has_matrix)
        pose_matrix_from_world(pose, b);
    return true;
}

/* After physics: derives an append source's value from its world transform, as if the motion had moved it
 * there, so that helper bones follow what physics moved. */
static void absorb_override(mmd_pose *pose, uint32_t b)
{
    const bone_info *info = &pose->info[b];
    bone_state *state = &pose->state[b];
    mmd_transform world = pose->world[b];
    float inverse[4] = {0.0f, 0.0f, 0.0f, 1.0f}, relative[3];
    if (info->has_external) { /* the bone's own part is inside of the external parent */
        mmd_transform back;
        mmd_transform_inverse(&pose->external[b], &back);
        mmd_transform_multiply(&back, &world, &world);
    }
    memcpy(relative, world.translation, sizeof relative);
    if (info->parent >= 0) {
        const mmd_transform *parent = &pose->world[info->parent];
        quat_conjugate(parent->rotation, inverse);
        for (int k = 0; k < 3; k++)
            relative[k] -= parent->translation[k];
    }
    quat_rotate(inverse, relative, relative);
    quat_multiply(inverse, world.rotation, state->own);
    quat_copy(state->own, state->base);
    quat_copy(state->own, state->local);
    quat_identity(state->ik);
    state->solved = false;
    for (int k = 0; k < 3; k++) {
        float moved = relative[k] - info->offset[k];
        state->translation[k] = info->append_translation ? 0.0f : moved;
        state->append_translation[k] = info->append_translation ? moved : 0.0f;
        state->offset[k] = relative[k];
    }
    if (info->append_rotation)
        quat_copy(state->own, state->append);
}

/* Evaluates again the bones before physics whose parent or append source was moved by physics. */
static void refresh_moved(mmd_pose *pose)
{
    const mmd_model *model = pose->model;
    memset(pose->moved, 0, model->bone_count);
    for (uint32_t i = 0; i < model->bone_order_before; i++) {
        uint32_t b = model->bone_order[i];
        const bone_info *info = &pose->info[b];
        bool source_moved = info->source >= 0 && pose->moved[info->source];
        bool parent_moved = info->parent >= 0 && pose->moved[info->parent];
        if (!pose->overrides[b].active && !source_moved && !parent_moved)
            continue;
        if (source_moved)
            pose_update_append(pose, b);
        pose_update_world(pose, b);
        if (apply_override(pose, b))
            absorb_override(pose, b);
        pose->moved[b] = 1;
    }
}

static void update_palette(mmd_pose *pose)
{
    for (uint32_t b = 0; b < pose->model->bone_count; b++) {
        const mmd_transform *world = &pose->world[b];
        float turned[4];
        quat_rotate_four(world->rotation, pose->rest[b], turned);
        mmd_transform *skin = &pose->palette[b];
        quat_copy(world->rotation, skin->rotation);
        for (int k = 0; k < 4; k++)
            skin->translation[k] = world->translation[k] - turned[k];
    }
}

void mmd_pose_finish(mmd_pose *pose)
{
    assert(pose->values);
    if (pose->override_count)
        refresh_moved(pose);
    evaluate_range(pose, pose->values, pose->model->bone_order_before, pose->model->bone_count);
    update_palette(pose);
    if (pose->linear)
        pose_scale_palette(pose);
    pose->values = NULL;
    pose->scales = NULL;
}

bool mmd_pose_needs_previous(const mmd_pose *pose)
{
    assert(pose);
    return pose->backward;
}

const mmd_transform *mmd_pose_world(const mmd_pose *pose)
{
    assert(pose);
    return pose->world;
}
const mmd_transform *mmd_pose_palette(const mmd_pose *pose)
{
    assert(pose);
    return pose->palette;
}
const mmd_affine *mmd_pose_affine_palette(const mmd_pose *pose)
{
    assert(pose);
    return pose->affine;
}
const float *mmd_pose_weights(const mmd_pose *pose)
{
    assert(pose);
    return pose->weights;
}
const mmd_material_values *mmd_pose_materials(const mmd_pose *pose)
{
    assert(pose);
    return pose->materials;
}
const mmd_material_adds *mmd_pose_material_adds(const mmd_pose *pose)
{
    assert(pose);
    return pose->material_adds;
}

void mmd_pose_set_user(mmd_pose *pose, uint32_t bone, const float translation[3], const float rotation[4])
{
    assert(bone < pose->model->bone_count);
    mmd_transform *user = &pose->user[bone];
    memcpy(user->translation, translation, 3 * sizeof(float));
    quat_copy(rotation, user->rotation);
    pose->info[bone].has_user = memcmp(user, &identity_transform, sizeof *user) != 0;
}

void mmd_pose_get_user(const mmd_pose *pose, uint32_t bone, float translation[3], float rotation[4])
{
    assert(bone < pose->model->bone_count);
    memcpy(translation, pose->user[bone].translation, 3 * sizeof(float));
    quat_copy(pose->user[bone].rotation, rotation);
}

void mmd_pose_set_external_parent(mmd_pose *pose, uint32_t bone, const mmd_transform *world)
{
    assert(bone < pose->model->bone_count);
    pose->external[bone] = world ? *world : identity_transform;
    pose->external_count += (world != NULL) - pose->info[bone].has_external;
    pose->info[bone].has_external = world != NULL;
}

void mmd_pose_override(mmd_pose *pose, uint32_t bone, const mmd_transform *world, bool rotation_only)
{
    assert(bone < pose->model->bone_count);
    bone_override *override = &pose->overrides[bone];
    pose->override_count += (world != NULL) - override->active;
    override->active = world != NULL;
    override->rotation_only = rotation_only;
    if (world)
        override->world = *world;
}

/* ------------------------------------------------------------- ops of bones */

/* Returns a bone's transform op by op, for display and editing (docs/formats.md 6). */

void mmd_pose_bone_ops(const mmd_pose *pose, uint32_t bone, mmd_bone_ops *ops)
{
    assert(ops);
    assert(bone < pose->model->bone_count);
    const bone_info *info = &pose->info[bone];
    const bone_state *state = &pose->state[bone];
    *ops = (mmd_bone_ops){.overridden = pose->overrides[bone].active};
    memcpy(ops->rest, info->offset, sizeof ops->rest);
    quat_identity(ops->morph_rotation);
    if (pose->bone_morphs_active) {
        memcpy(ops->morph_translation, pose->morph_bones[bone].translation, sizeof ops->morph_translation);
        quat_copy(pose->morph_bones[bone].rotation, ops->morph_rotation);
    }
    mmd_pose_get_user(pose, bone, ops->user_translation, ops->user_rotation);
    memcpy(ops->append_translation, state->append_translation, sizeof ops->append_translation);
    quat_copy(state->append, ops->append_rotation);
    quat_copy(state->ik, ops->ik);
}

static void fill_matrix(const float rotation[4], const float translation[3], float matrix[16])
{
    mmd_transform transform;
    quat_copy(rotation, transform.rotation);
    memcpy(transform.translation, translation, 3 * sizeof(float));
    mmd_transform_matrix(&transform, matrix);
}

void mmd_pose_bone_matrix(const mmd_pose *pose, uint32_t bone, float matrix[16])
{
    assert(bone < pose->model->bone_count);
    const mmd_transform *world = &pose->world[bone];
    fill_matrix(world->rotation, world->translation, matrix);
    for (int c = 0; pose->linear && c < 3; c++)
        memcpy(matrix + 4 * c, pose->linear[bone] + 3 * c, 3 * sizeof(float));
}

void mmd_pose_bone_frame(const mmd_pose *pose, uint32_t bone, float matrix[16])
{
    assert(bone < pose->model->bone_count);
    const bone_info *info = &pose->info[bone];
    float above[16], outer[16];
    if (info->parent >= 0)
        mmd_pose_bone_matrix(pose, (uint32_t)info->parent, above);
    else
        mmd_transform_matrix(&(mmd_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}}, above);
    memcpy(matrix, above, sizeof above);
    if (!info->has_external)
        return;
    fill_matrix(pose->external[bone].rotation, pose->external[bone].translation, outer);
    matrix_multiply(outer, above, matrix);
}
