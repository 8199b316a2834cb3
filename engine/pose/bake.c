/*
 * Baking: the inverse of evaluating a pose (docs/mmd.md 4.2 and 4.3 in reverse).
 *
 *   world = parent * T(rest + t_key + t_morph + t_append) * R(q_morph q_key q_append)
 *
 * is solved for the key, bone by bone in evaluation order, where parent and append follow from the keys that
 * were solved before. The forward steps are those of pose.c, so that a player of the keys gets the same bits.
 *
 * This file goes frame by frame and writes a key for each; bake_reduce.c goes bone by bone.
 */
#include "bake_internal.h"

#include <assert.h>

#include "mmd/elementary.h"
#include "mmd/reduce.h"

/* Rounding errors that are tolerated in a position (absolute, relative to the distance from the origin, and
 * at most) and in a rotation. Within them a key of the motions or of the previous frame is used unchanged. */
static const float place_noise = 2e-6f, place_noise_share = 2.5e-7f, place_noise_most = 5e-6f;
static const float turn_noise = 2e-6f;

enum { SETTLE_PASSES = 16, WINDOW_BYTES = 128 << 20 };

static const mmd_transform identity_transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

mmd_bake_options mmd_default_bake_options(void)
{
    return (mmd_bake_options){.curves = true, .physics_off = true, .window = 600};
}

/* ---- creating and destroying ---- */

static bool allocate_frame(mmd_bake *bake, bake_frame *frame)
{
    const mmd_model *model = bake->model;
    uint32_t count = model->bone_count;
    mmd_arena *arena = &bake->arena;
    frame->target = mmd_arena_alloc(arena, count, sizeof *frame->target);
    frame->motion = mmd_arena_alloc(arena, count, sizeof *frame->motion);
    frame->value = mmd_arena_alloc(arena, count, sizeof *frame->value);
    frame->state = mmd_arena_alloc(arena, count, sizeof *frame->state);
    frame->world = mmd_arena_alloc(arena, count, sizeof *frame->world);
    frame->weights = mmd_arena_alloc(arena, model->morph_count, sizeof *frame->weights);
    frame->physics_off = mmd_arena_alloc(arena, count, 1);
    if (bake->pose->has_bone_morphs)
        frame->morph_bones = mmd_arena_alloc(arena, count, sizeof *frame->morph_bones);
    if (!frame->target || !frame->motion || !frame->value || !frame->state || !frame->world ||
        !frame->weights || !frame->physics_off || (bake->pose->has_bone_morphs && !frame->morph_bones))
        return false;
    for (uint32_t b = 0; b < count; b++) {
        frame->value[b] = identity_transform;
        quat_identity(frame->state[b].ik);
    }
    return true;
}

static bool allocate(mmd_bake *bake)
{
    const mmd_model *model = bake->model;
    uint32_t count = model->bone_count, slots = bake->options.window + 1;
    mmd_arena *arena = &bake->arena;
    bake->frames = mmd_arena_alloc(arena, slots, sizeof *bake->frames);
    bake->obstacles = mmd_arena_alloc(arena, count, 1);
    bake->backward = mmd_arena_alloc(arena, count, 1);
    bake->moving_body = mmd_arena_alloc(arena, count, 1);
    bake->follows = mmd_arena_alloc(arena, count, 1);
    bake->still_follows = mmd_arena_alloc(arena, count, 1);
    bake->foreign = mmd_arena_alloc(arena, count, 1);
    bake->axes = mmd_arena_alloc(arena, count, sizeof *bake->axes);
    bake->turn_limits = mmd_arena_alloc(arena, count, sizeof *bake->turn_limits);
    bake->shares = mmd_arena_alloc(arena, bake->reduces ? count : 0, slots * sizeof *bake->shares);
    bake->samples = mmd_arena_alloc(arena, slots, sizeof *bake->samples);
    bake->indices = mmd_arena_alloc(arena, slots, sizeof *bake->indices);
    bake->keys = mmd_arena_alloc(arena, slots, sizeof *bake->keys);
    bake->bone_keys = mmd_arena_alloc(arena, count, sizeof *bake->bone_keys);
    bake->morph_weights = mmd_arena_alloc(arena, model->morph_count, sizeof *bake->morph_weights);
    if (!bake->frames || !bake->obstacles || !bake->backward || !bake->moving_body || !bake->follows ||
        !bake->still_follows || !bake->foreign || !bake->axes || !bake->turn_limits || !bake->shares ||
        !bake->samples || !bake->indices || !bake->keys || !bake->bone_keys || !bake->morph_weights ||
        !mmd_pose_values_init(&bake->previous, model, arena) ||
        !mmd_pose_values_init(&bake->said, model, arena))
        return false;
    memset(bake->previous.ik_on, 0, count);
    for (uint32_t i = 0; i < slots; i++)
        if (!allocate_frame(bake, &bake->frames[i]))
            return false;
    return true;
}

/* Normalises a fixed axis. Without a length it allows any rotation. */
static void find_axis(mmd_bake *bake, uint32_t b)
{
    const mmd_bone *bone = &bake->model->bones[b];
    float length = sqrtf(dot3(bone->fixed_axis, bone->fixed_axis));
    if (!(bone->flags & MMD_BONE_FIXED_AXIS) || !(length > 0.0f) || !isfinite(length))
        return;
    for (int k = 0; k < 3; k++)
        bake->axes[b][k] = bone->fixed_axis[k] / length;
    if (bake->obstacles[b] == MMD_BAKE_NONE)
        bake->obstacles[b] = MMD_BAKE_FIXED_AXIS;
}

static bool find_obstacles(mmd_bake *bake)
{
    const mmd_model *model = bake->model;
    uint8_t *internal = bake->previous.physics_off; /* this array has no other use here */
    for (uint32_t b = 0; b < model->bone_count; b++)
        internal[b] = model->bones[b].internal;
    if (!bake_mark_names((const uint8_t(*)[15])model->bone_key, model->bone_count, internal,
                         MMD_BAKE_NAME_TAKEN, MMD_BAKE_NO_NAME, bake->obstacles))
        return false;
    for (uint32_t b = 0; b < model->bone_count; b++) {
        if (internal[b])
            bake->obstacles[b] = MMD_BAKE_INTERNAL;
        find_axis(bake, b);
    }
    return true;
}

static void find_moving_bodies(mmd_bake *bake)
{
    const mmd_model *model = bake->model;
    for (uint32_t i = 0; i < model->body_count; i++)
        if (model->bodies[i].bone >= 0 && model->bodies[i].mode != 0)
            bake->moving_body[model->bodies[i].bone] = 1;
}

/* Enlarges the reach of a bone by a position attached to it. A farther position makes a rotation more
 * visible. */
static void reach_out(mmd_bake *bake, int32_t b, const float position[3])
{
    if (b >= 0)
        bake->turn_limits[b] =
            mmd_maxf(bake->turn_limits[b], bake_distance(bake->model->bones[b].position, position));
}

/* Determines how far vertices and children are from each bone, and from that how much its rotation may
 * deviate. */
static void find_turn_limits(mmd_bake *bake)
{
    const mmd_model *model = bake->model;
    const mmd_vertices *v = &model->vertices;
    for (uint32_t i = 0; i < v->count; i++)
        for (int k = 0; k < 4; k++)
            if (v->weight[i][k] > 0.0f)
                reach_out(bake, v->bone[i][k], v->position[i]);
    for (uint32_t b = 0; b < model->bone_count; b++)
        reach_out(bake, model->bones[b].parent, model->bones[b].position);
    for (uint32_t b = 0; b < model->bone_count; b++)
        bake->turn_limits[b] = bake->options.rotation_error > 0.0f
                                   ? bake->options.rotation_error
                                   : bake->options.position_error / mmd_maxf(bake->turn_limits[b], 1.0f);
}

/* Marks the bones that depend on the previous frame. Baked keys play with IK off, so no solver evaluates a
 * parent early: only the order decides. */
static void find_backward(mmd_bake *bake)
{
    const uint32_t *rank = bake->model->bone_rank;
    for (uint32_t i = 0; i < bake->model->bone_count; i++) {
        uint32_t b = bake->model->bone_order[i];
        bone_info *info = &bake->pose->info[b];
        info->parent_later = info->parent >= 0 && rank[info->parent] >= rank[b];
        bake->backward[b] = info->parent_later || info->source_later ||
                            (info->parent >= 0 && bake->backward[info->parent]) ||
                            (info->source >= 0 && bake->backward[info->source]);
        bake->any_backward |= bake->backward[b];
    }
}

/* Limits the window to the frames that fit into memory. */
static uint32_t choose_window(const mmd_model *model, const mmd_bake_options *options)
{
    size_t frame = (size_t)model->bone_count * (5 * sizeof(mmd_transform) + sizeof(bone_state)) +
                   (size_t)model->morph_count * sizeof(float) + 1;
    size_t fitting = WINDOW_BYTES / frame;
    if (options->position_error == 0.0f || fitting < 1)
        return 1;
    return fitting < options->window ? (uint32_t)fitting : options->window;
}

mmd_bake *mmd_bake_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count,
                          const mmd_bake_options *options)
{
    assert(model && options && options->window > 0 && (motions || motion_count == 0));
    assert(options->position_error >= 0.0f && options->rotation_error >= 0.0f);
    mmd_bake *bake = mmd_alloc(sizeof *bake);
    if (!bake)
        return NULL;
    *bake = (mmd_bake){.model = model, .options = *options, .motions = motions, .motion_count = motion_count};
    bake->reduces = options->position_error > 0.0f;
    bake->options.window = choose_window(model, options);
    bake->pose = mmd_pose_create(model);
    bake->clip = mmd_clip_create(model, motions, motion_count);
    if (!bake->pose || !bake->clip || !allocate(bake) || !find_obstacles(bake)) {
        mmd_bake_destroy(bake);
        return NULL;
    }
    find_moving_bodies(bake);
    find_backward(bake);
    if (bake->reduces)
        find_turn_limits(bake);
    const mmd_pose *pose = bake->pose;
    bake->own = (bake_frame){.state = pose->state,
                             .world = pose->world,
                             .morph_bones = pose->morph_bones,
                             .bone_morphs_active = pose->bone_morphs_active};
    return bake;
}

void mmd_bake_destroy(mmd_bake *bake)
{
    if (!bake)
        return;
    for (uint32_t b = 0; bake->bone_keys && b < bake->model->bone_count; b++) {
        mmd_free(bake->bone_keys[b].frames);
        mmd_free(bake->bone_keys[b].keys);
    }
    for (uint32_t m = 0; bake->morph_weights && m < bake->model->morph_count; m++) {
        mmd_free(bake->morph_weights[m].frames);
        mmd_free(bake->morph_weights[m].weights);
    }
    mmd_free(bake->visible);
    mmd_clip_destroy(bake->clip);
    mmd_pose_destroy(bake->pose);
    mmd_arena_finish(&bake->arena);
    mmd_free(bake);
}

mmd_bake_obstacle mmd_bake_bone_obstacle(const mmd_bake *bake, uint32_t bone)
{
    assert(bone < bake->model->bone_count);
    return (mmd_bake_obstacle)bake->obstacles[bone];
}

float mmd_bake_rotation_limit(const mmd_bake *bake, uint32_t bone)
{
    assert(bone < bake->model->bone_count);
    return bake->turn_limits[bone];
}

/* ---- one bone at one frame ---- */

/* Makes the pose work in the arrays of a frame. */
void bake_enter(mmd_bake *bake, const bake_frame *frame)
{
    assert(bake && frame);
    mmd_pose *pose = bake->pose;
    pose->state = frame->state;
    pose->world = frame->world;
    pose->morph_bones = frame->morph_bones;
    pose->bone_morphs_active = frame->bone_morphs_active;
}

static bool is_finite(const mmd_transform *t)
{
    return isfinite(t->rotation[0] + t->rotation[1] + t->rotation[2] + t->rotation[3] + t->translation[0] +
                    t->translation[1] + t->translation[2]);
}

/* Returns the parent's world transform in the pose's current frame. */
static const mmd_transform *parent_world(const mmd_pose *pose, uint32_t b)
{
    const bone_info *info = &pose->info[b];
    if (info->parent < 0)
        return &identity_transform;
    return info->parent_later ? &pose->previous_world[info->parent] : &pose->world[info->parent];
}

/* Computes a world transform relative to its parent's. */
void bake_relative_to(const mmd_transform *parent, const mmd_transform *world, mmd_transform *out)
{
    assert(parent && world && out);
    float inverse[4], away[3];
    quat_conjugate(parent->rotation, inverse);
    for (int k = 0; k < 3; k++)
        away[k] = world->translation[k] - parent->translation[k];
    *out = (mmd_transform){.translation = {0.0f}};
    quat_multiply(inverse, world->rotation, out->rotation);
    quat_rotate(inverse, away, out->translation);
}

/* Normalises in double precision, as readers of files do, so that the digits are the same after reading. */
static void tighten(float q[4])
{
    double length = 0.0;
    for (int k = 0; k < 4; k++)
        length += (double)q[k] * (double)q[k];
    if (!(length > 0.0) || !isfinite(length)) {
        quat_identity(q);
        return;
    }
    double scale = 1.0 / sqrt(length);
    for (int k = 0; k < 4; k++)
        q[k] = (float)((double)q[k] * scale);
}

/* Reduces a rotation to its part about an axis, which is the nearest rotation about it. */
static void turn_about(const float axis[3], float q[4])
{
    float side = dot3(axis, q);
    for (int k = 0; k < 3; k++)
        q[k] = axis[k] * side;
    tighten(q);
}

/* Corrects a translation by the error that remains after rotating forward again. Products of many quaternions
 * are not exactly of unit length, so rotating back is not exactly the inverse of rotating. */
static void mend_translation(const mmd_transform *parent, const float target[3], const float offset[4],
                             float translation[3])
{
    float position[4] = {0.0f, 0.0f, 0.0f, 0.0f}, missing[3], inverse[4];
    for (int k = 0; k < 3; k++)
        position[k] = offset[k] + translation[k];
    quat_rotate_add(parent->rotation, position, parent->translation, position);
    for (int k = 0; k < 3; k++)
        missing[k] = target[k] - position[k];
    quat_conjugate(parent->rotation, inverse);
    quat_rotate(inverse, missing, missing);
    for (int k = 0; k < 3; k++)
        translation[k] += missing[k];
}

/* Solves for the key that moves the bone to its target. */
static void solve(mmd_bake *bake, const bake_frame *frame, uint32_t b, mmd_transform *key)
{
    mmd_pose *pose = bake->pose;
    const bone_state *state = &frame->state[b];
    mmd_transform local;
    float inverse[4];
    bake_enter(bake, frame);
    pose_load_own(pose, b, &identity_transform); /* only morphs */
    pose_update_append(pose, b);
    bake_relative_to(parent_world(pose, b), &frame->target[b], &local);
    *key = (mmd_transform){.translation = {0.0f}};
    quat_conjugate(state->own, inverse);
    quat_multiply(inverse, local.rotation, key->rotation);
    if (pose->info[b].append_rotation) {
        quat_conjugate(state->append, inverse);
        quat_multiply(key->rotation, inverse, key->rotation);
    }
    tighten(key->rotation);
    if (bake->obstacles[b] == MMD_BAKE_FIXED_AXIS)
        turn_about(bake->axes[b], key->rotation);
    for (int k = 0; k < 3; k++)
        key->translation[k] = local.translation[k] - state->offset[k];
    mend_translation(parent_world(pose, b), frame->target[b].translation, state->offset, key->translation);
}

/* Evaluates the bone with the key. */
void bake_play(mmd_bake *bake, bake_frame *frame, uint32_t b)
{
    assert(bake && frame);
    assert(b < bake->pose->model->bone_count);
    bake_enter(bake, frame);
    pose_load_own(bake->pose, b, &frame->value[b]);
    pose_update_append(bake->pose, b);
    pose_update_world(bake->pose, b);
}

float bake_distance(const float a[3], const float b[3])
{
    assert(a && b);
    float away[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtf(dot3(away, away));
}

/* Replaces parts of a key by those of an existing key if they differ by no more than rounding. */
static void prefer(const mmd_bake *bake, const bake_frame *frame, uint32_t b, const mmd_transform *said,
                   mmd_transform *key)
{
    const mmd_transform *parent = parent_world(bake->pose, b);
    float far = sqrtf(mmd_maxf(dot3(parent->translation, parent->translation),
                               dot3(frame->target[b].translation, frame->target[b].translation)));
    float noise = mmd_minf(place_noise + place_noise_share * far, place_noise_most);
    if (bake_distance(said->translation, key->translation) <= noise)
        memcpy(key->translation, said->translation, sizeof key->translation);
    if (mmd_rotation_angle(said->rotation, key->rotation) <= turn_noise)
        memcpy(key->rotation, said->rotation, sizeof key->rotation);
}

/* Computes the bone's key at a frame. before: the key of the previous frame, or NULL. Of the two equal
 * quaternions it returns the one nearer to the previous one. */
void bake_find_key(mmd_bake *bake, const bake_frame *frame, uint32_t b, const mmd_transform *before,
                   mmd_transform *key)
{
    assert(bake && frame && key);
    assert(b < bake->pose->model->bone_count);
    *key = identity_transform;
    if (bake->obstacles[b] > MMD_BAKE_FIXED_AXIS)
        return;
    if (!is_finite(&frame->target[b])) {
        *key = before ? *before : frame->motion[b];
        return;
    }
    solve(bake, frame, b, key);
    if (!is_finite(key))
        *key = before ? *before : identity_transform;
    if (before && quat_dot(before->rotation, key->rotation) < 0.0f)
        for (int k = 0; k < 4; k++)
            key->rotation[k] = -key->rotation[k];
    if (before)
        prefer(bake, frame, b, before, key);
    prefer(bake, frame, b, &frame->motion[b], key);
}

/* ---- keys ---- */

/* Returns the frame number of a slot. */
uint32_t bake_frame_of_slot(const mmd_bake *bake, uint32_t slot)
{
    assert(bake);
    return bake->options.first_frame + bake->frame_count - 1 - bake->filled + slot;
}

bool bake_add_key(mmd_bake *bake, uint32_t slot, uint32_t b, mmd_bone_key key)
{
    assert(bake);
    assert(b < bake->pose->model->bone_count);
    key.physics_off = bake_switched_off(bake, b, bake->frames[slot].physics_off[b]);
    return bake_keys_add(&bake->bone_keys[b], bake_frame_of_slot(bake, slot), &key);
}

static bool same_transform(const mmd_transform *a, const mmd_transform *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Appends the value of a frame as a key, for bones that are baked frame by frame. */
static bool add_value_as_key(mmd_bake *bake, uint32_t slot, uint32_t b)
{
    const bake_frame *frame = &bake->frames[slot];
    bake->still_follows[b] &= same_transform(&frame->value[b], &frame->motion[b]) && !bake->foreign[b];
    return bake_add_key(bake, slot, b, bake_linear_key(&frame->value[b]));
}

/* ---- frame by frame ---- */

/* Evaluates the previous frame from the keys, for bones that depend on it. */
static void look_back(mmd_bake *bake, const bake_frame *before)
{
    bake_enter(bake, &bake->own);
    memcpy(bake->previous.bones, before->value, bake->model->bone_count * sizeof *before->value);
    memcpy(bake->previous.weights, before->weights, bake->model->morph_count * sizeof *before->weights);
    pose_evaluate_previous(bake->pose, &bake->previous);
}

/* Solves the bones of a frame: those that depend on the previous frame, or the others. before: the previous
 * frame, or NULL. */
static void solve_frame(mmd_bake *bake, bake_frame *frame, const bake_frame *before, bool backward)
{
    for (uint32_t i = 0; i < bake->model->bone_count; i++) {
        uint32_t b = bake->model->bone_order[i];
        if (bake->backward[b] != backward)
            continue;
        mmd_transform key;
        bake_find_key(bake, frame, b, before ? &before->value[b] : NULL, &key);
        frame->value[b] = key;
        bake_play(bake, frame, b);
    }
}

/* Solves the first frame. It is its own previous frame, because a motion holds its first key, so bones that
 * depend on it are solved repeatedly until nothing changes. */
static void solve_first_frame(mmd_bake *bake, bake_frame *frame)
{
    size_t size = bake->model->bone_count * sizeof *frame->value;
    solve_frame(bake, frame, NULL, false);
    for (int pass = 0; pass < SETTLE_PASSES && bake->any_backward; pass++) {
        look_back(bake, frame);
        solve_frame(bake, frame, NULL, true);
        if (pass && memcmp(bake->previous.bones, frame->value, size) == 0)
            break;
    }
}

/* ---- windows ---- */

static void settle(mmd_bake *bake)
{
    for (uint32_t b = 0; b < bake->model->bone_count; b++) {
        bake_keys_settle(&bake->bone_keys[b]);
        bake->follows[b] = bake->still_follows[b];
    }
    bake_frame last = bake->frames[bake->filled];
    bake->frames[bake->filled] = bake->frames[0];
    bake->frames[0] = last;
    bake->filled = 0;
}

static bool bake_first_frame(mmd_bake *bake)
{
    memset(bake->still_follows, 1, bake->model->bone_count);
    solve_first_frame(bake, &bake->frames[0]);
    for (uint32_t b = 0; b < bake->model->bone_count; b++)
        if (!add_value_as_key(bake, 0, b))
            return false;
    settle(bake);
    /* A reduced bone that follows its motion has no keys of its own until it deviates. */
    for (uint32_t b = 0; b < bake->model->bone_count; b++)
        if (bake->reduces && bake->follows[b] && !bake->backward[b])
            bake->bone_keys[b].count = bake->bone_keys[b].settled = 0;
    return true;
}

static bool bake_window(mmd_bake *bake)
{
    if (bake->reduces && !bake_reduce_window(bake))
        return false;
    for (uint32_t f = 1; f <= bake->filled; f++) {
        bake_frame *frame = &bake->frames[f], *before = &bake->frames[f - 1];
        if (!bake->reduces)
            solve_frame(bake, frame, before, false);
        if (bake->any_backward) {
            look_back(bake, before);
            solve_frame(bake, frame, before, true);
        }
        for (uint32_t b = 0; b < bake->model->bone_count; b++)
            if ((!bake->reduces || bake->backward[b]) && !add_value_as_key(bake, f, b))
                return false;
    }
    settle(bake);
    return true;
}

static void fill_frame(mmd_bake *bake, bake_frame *frame, const mmd_transform *world,
                       const mmd_pose_values *values)
{
    const mmd_model *model = bake->model;
    memcpy(frame->target, world, model->bone_count * sizeof *world);
    memcpy(frame->motion, values->bones, model->bone_count * sizeof *values->bones);
    memcpy(frame->weights, values->weights, model->morph_count * sizeof *values->weights);
    memcpy(frame->physics_off, values->physics_off, model->bone_count);
    bake_enter(bake, frame);
    pose_morphs_evaluate(bake->pose, frame->weights);
    frame->bone_morphs_active = bake->pose->bone_morphs_active;
}

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the keys");
}

mmd_status mmd_bake_frame(mmd_bake *bake, const mmd_transform *world, const mmd_pose_values *values,
                          mmd_error *error)
{
    assert(bake && world && values && !bake->is_finished);
    bool first = bake->frame_count == 0;
    uint32_t slot = first ? 0 : ++bake->filled;
    bake->frame_count++;
    fill_frame(bake, &bake->frames[slot], world, values);
    if (!bake_record_frame(bake, bake_frame_of_slot(bake, slot), values))
        return no_memory(error);
    if (first)
        return bake_first_frame(bake) ? MMD_OK : no_memory(error);
    if (bake->filled == bake->options.window && !bake_window(bake))
        return no_memory(error);
    return MMD_OK;
}

mmd_status mmd_bake_finish(mmd_bake *bake, mmd_motion **motion, mmd_error *error)
{
    assert(bake && motion && bake->frame_count > 0 && !bake->is_finished);
    bake->is_finished = true;
    *motion = bake->filled == 0 || bake_window(bake) ? bake_make_motion(bake) : NULL;
    return *motion ? MMD_OK : no_memory(error);
}
