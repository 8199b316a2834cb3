/*
 * Baking with fewer keys, bone by bone over a window of frames.
 *
 * The curve of a bone is reduced within the limits (mmd/reduce.h), and its children are then solved against
 * the resulting pose. So each bone keeps the limits in world space by itself, and errors do not add up along
 * a chain. The price is that a child that only rotated would get a translation, to compensate for an
 * ancestor's error. Such a child keeps its motion as long as that is within its limits. Where it is not, its
 * ancestors get a smaller rotation limit at those frames, and the window is reduced again.
 *
 * A bone that only motions move keeps their keys.
 */
#include "bake_internal.h"

#include <assert.h>
#include <stddef.h>

#include "mmd/elementary.h"
#include "mmd/reduce.h"

/* A bone follows its motion where the motion's local transform is as near as this. */
static const float still = 1e-4f;

/* Factor on the ancestors' limits in each further pass, the number of such passes, and how many neighbouring
 * frames are included. */
static const float stricter = 0.6f;
enum { STRICTER_PASSES = 8, AROUND = 1 };

static const mmd_transform identity_transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

/* Distance of a key from the motion. */
typedef struct away {
    float distance, turn;
} away;

static away away_from(const mmd_transform *said, const mmd_transform *key)
{
    return (away){bake_distance(said->translation, key->translation),
                  mmd_rotation_angle(said->rotation, key->rotation)};
}

/* Returns the largest distance over the window: from the motion of each frame, or of the first frame only. */
static away farthest_from_motion(const mmd_bake *bake, uint32_t b, bool first_alone)
{
    away largest = {0.0f, 0.0f};
    for (uint32_t f = 1; f <= bake->filled; f++) {
        away one = away_from(&bake->frames[first_alone ? 1 : f].motion[b], &bake->samples[f]);
        largest.distance = mmd_maxf(largest.distance, one.distance);
        largest.turn = mmd_maxf(largest.turn, one.turn);
    }
    return largest;
}

/* Tests whether the motion alone gives the wanted transform relative to the parent: the position, or the
 * rotation too. */
static bool motion_suffices(mmd_bake *bake, uint32_t b, bool turns)
{
    int32_t parent = bake->pose->info[b].parent;
    for (uint32_t f = 1; f <= bake->filled; f++) {
        const bake_frame *frame = &bake->frames[f];
        const bone_state *state = &frame->state[b];
        mmd_transform local;
        bake_enter(bake, frame);
        pose_load_own(bake->pose, b, &frame->motion[b]);
        pose_update_append(bake->pose, b);
        bake_relative_to(parent >= 0 ? &frame->target[parent] : &identity_transform, &frame->target[b],
                         &local);
        if (!(bake_distance(local.translation, state->offset) <= still) ||
            (turns && !(mmd_rotation_angle(local.rotation, state->local) <= still)))
            return false;
    }
    return true;
}

/* Lowers the ancestors' limits at frames where the bone, if it keeps its motion, is too far away. */
static void hold_ancestors(mmd_bake *bake, uint32_t b, const mmd_reduce_limits *limits, bool turns)
{
    size_t slots = (size_t)bake->options.window + 1;
    for (uint32_t f = 1; f <= bake->filled; f++) {
        away one = away_from(&bake->frames[f].motion[b], &bake->samples[f]);
        if (one.distance <= limits->translation && !(turns && one.turn > limits->rotation))
            continue;
        uint32_t first = f > AROUND ? f - AROUND : 0, last = f + AROUND < slots ? f + AROUND : f;
        for (int32_t p = bake->model->bones[b].parent; p >= 0; p = bake->model->bones[p].parent)
            for (uint32_t i = first; i <= last; i++)
                bake->shares[(size_t)p * slots + i] *= stricter;
    }
}

typedef enum bone_result { BONE_DONE, BONE_OPEN, BONE_WANTS_STRICTER, BONE_NO_MEMORY } bone_result;

/* Keeps the motion of a bone that only motions have moved so far, if that is within the limits. */
static bone_result follow(mmd_bake *bake, uint32_t b, const mmd_reduce_limits *limits)
{
    if (bake->foreign[b])
        return BONE_OPEN;
    away largest = farthest_from_motion(bake, b, false);
    if (!(largest.distance <= limits->translation) || !(largest.turn <= limits->rotation)) {
        if (!motion_suffices(bake, b, true))
            return BONE_OPEN;
        hold_ancestors(bake, b, limits, true);
        return BONE_WANTS_STRICTER;
    }
    for (uint32_t f = 1; f <= bake->filled; f++) {
        bake->frames[f].value[b] = bake->frames[f].motion[b];
        bake_play(bake, &bake->frames[f], b);
    }
    return BONE_DONE;
}

/* Tests whether a component of the motion is constant throughout the window. */
static bool motion_rests(const mmd_bake *bake, uint32_t b, size_t offset, size_t size)
{
    const char *first = (const char *)&bake->frames[1].motion[b] + offset;
    for (uint32_t f = 2; f <= bake->filled; f++)
        if (memcmp((const char *)&bake->frames[f].motion[b] + offset, first, size) != 0)
            return false;
    return true;
}

/* Keeps a constant component of a bone's motion constant if that is within the limits, and lowers the limits
 * by the error. */
static bone_result let_rest(mmd_bake *bake, uint32_t b, mmd_reduce_limits *limits)
{
    const mmd_transform *rest = &bake->frames[1].motion[b];
    away largest = farthest_from_motion(bake, b, true);
    if (largest.turn <= limits->rotation &&
        motion_rests(bake, b, offsetof(mmd_transform, rotation), sizeof rest->rotation)) {
        for (uint32_t f = 1; f <= bake->filled; f++)
            quat_copy(rest->rotation, bake->samples[f].rotation);
        limits->rotation -= largest.turn;
    }
    if (!motion_rests(bake, b, offsetof(mmd_transform, translation), sizeof rest->translation))
        return BONE_DONE;
    if (!(largest.distance <= limits->translation)) {
        if (!motion_suffices(bake, b, false))
            return BONE_DONE;
        hold_ancestors(bake, b, limits, false);
        return BONE_WANTS_STRICTER;
    }
    for (uint32_t f = 1; f <= bake->filled; f++)
        memcpy(bake->samples[f].translation, rest->translation, sizeof rest->translation);
    limits->translation -= largest.distance;
    return BONE_DONE;
}

static bool switch_changes(const mmd_bake *bake, uint32_t b)
{
    for (uint32_t f = 1; f <= bake->filled; f++)
        if (bake->frames[f].physics_off[b] != bake->frames[f - 1].physics_off[b])
            return !bake->options.physics_off;
    return false;
}

/* Chooses keys for the samples. All are kept if the physics switch changes, because only keys can express
 * that. */
static uint32_t choose_keys(mmd_bake *bake, uint32_t b, const mmd_reduce_limits *limits)
{
    uint32_t count = bake->filled + 1;
    if (!switch_changes(bake, b))
        return mmd_reduce_keys(bake->samples, count, limits, bake->indices, bake->keys);
    for (uint32_t i = 0; i < count; i++) {
        bake->indices[i] = i;
        bake->keys[i] = bake_linear_key(&bake->samples[i]);
    }
    return count;
}

/* Computes the values of all frames of the window from the bone's keys, and evaluates the bone. */
static void play_keys(mmd_bake *bake, uint32_t b, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t first = bake->indices[i - 1], last = bake->indices[i];
        for (uint32_t f = first + 1; f <= last; f++) {
            mmd_transform *value = &bake->frames[f].value[b];
            float u = (float)((double)(f - first) / (double)(last - first));
            if (f == last)
                *value = bake->samples[f];
            else
                mmd_bone_key_between(&bake->keys[i - 1], &bake->keys[i], u, value);
            bake_play(bake, &bake->frames[f], b);
        }
    }
}

/*
 * Adds the keys that a bone needs when it stops following its motion; the last of them is before the window.
 */
static bool add_followed_keys(mmd_bake *bake, uint32_t b)
{
    const bake_keys *list = &bake->bone_keys[b];
    uint32_t before = bake_frame_of_slot(bake, 0);
    if (!bake_add_motion_keys(bake, b, before))
        return false;
    return list->frames[list->count - 1] == before ||
           bake_add_key(bake, 0, b, bake_linear_key(&bake->frames[0].value[b]));
}

static bool add_keys(mmd_bake *bake, uint32_t b, uint32_t count)
{
    if (bake->follows[b] && !add_followed_keys(bake, b))
        return false;
    for (uint32_t i = 1; i < count; i++)
        if (!bake_add_key(bake, bake->indices[i], b, bake->keys[i]))
            return false;
    return true;
}

/*
 * Reduces one bone. BONE_WANTS_STRICTER also comes with keys, for the case that limits cannot get stricter.
 */
static bone_result reduce_bone(mmd_bake *bake, uint32_t b)
{
    mmd_reduce_limits limits = {bake->options.position_error, bake->turn_limits[b],
                                &bake->shares[(size_t)b * (bake->options.window + 1)], bake->options.curves};
    bake->samples[0] = bake->frames[0].value[b];
    for (uint32_t f = 1; f <= bake->filled; f++)
        bake_find_key(bake, &bake->frames[f], b, &bake->samples[f - 1], &bake->samples[f]);
    bone_result result = bake->follows[b] ? follow(bake, b, &limits) : BONE_OPEN;
    bake->still_follows[b] = result == BONE_DONE;
    if (result == BONE_DONE)
        return result;
    if (result == BONE_OPEN)
        result = let_rest(bake, b, &limits);
    uint32_t count = choose_keys(bake, b, &limits);
    play_keys(bake, b, count);
    return add_keys(bake, b, count) ? result : BONE_NO_MEMORY;
}

/* Reduces all bones that do not depend on the previous frame. Returns the worst result. */
static bone_result reduce_pass(mmd_bake *bake)
{
    bone_result worst = BONE_DONE;
    for (uint32_t i = 0; i < bake->model->bone_count; i++) {
        uint32_t b = bake->model->bone_order[i];
        bone_result one = bake->backward[b] ? BONE_DONE : reduce_bone(bake, b);
        worst = one > worst ? one : worst;
        if (worst == BONE_NO_MEMORY)
            break;
    }
    return worst;
}

static void forget_unsettled(mmd_bake *bake)
{
    for (uint32_t b = 0; b < bake->model->bone_count; b++)
        bake->bone_keys[b].count = bake->bone_keys[b].settled;
}

bool bake_reduce_window(mmd_bake *bake)
{
    assert(bake);
    size_t shares = (size_t)bake->model->bone_count * (bake->options.window + 1);
    bone_result result = BONE_WANTS_STRICTER;
    for (size_t i = 0; i < shares; i++)
        bake->shares[i] = 1.0f;
    for (int pass = 0; result == BONE_WANTS_STRICTER && pass <= STRICTER_PASSES; pass++) {
        forget_unsettled(bake);
        result = reduce_pass(bake);
    }
    return result != BONE_NO_MEMORY;
}
