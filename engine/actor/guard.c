/*
 * The guard resets bodies that went astray, together with everything attached to them. A body is astray if it
 * is not finite, faster than 1,000 units a second, or farther from its anchor than three times its chain. The
 * anchor is the nearest body, in number of joints, that is not simulated (its bone moves it). The chain is
 * the way there at rest over the joints, including their play. Bodies without an anchor, or behind joints
 * with a free linear axis, may be anywhere; in scenes from other programs, where bodies may fall for ever,
 * they may also be a hundred times as fast. Bodies are also astray if a motion jumps: the velocity of the
 * anchor, at the attachment, changes by 1,000 units a second from one step to the next, as at the start and
 * the end of a jump, or is still that high during a jump. Otherwise skirts would be thrown with the speed of
 * the jump for a second. MMD resets nothing (docs/mmd.md 5.5), so only what no dancer does is reset.
 *
 * A body is reset to its rest transform relative to the body it is attached to, without velocity, so that a
 * swinging chain of hair loses only its broken end. Bodies without a parent return to where they were a step
 * before.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd_math.h"

static const float fastest = 1000.0f;  /* units a second */
static const float loose = 100.0f;     /* factor for bodies without an anchor, which may fall for long */
static const float leap = 1000.0f;     /* units a second, of an anchor within a step */
static const float longest = 3.0f;     /* factor of the chain's length */
static const float shortest_chain = 1; /* units: bodies at the centre of their anchor need play, too */

const char *guard_reason(uint8_t reason)
{
    static const char *const texts[] = {"",
                                        "no longer a finite number",
                                        "faster than 1,000 units/s",
                                        "farther from the anchor than three times the chain",
                                        "farther from its anchors and pins than three times its size",
                                        "left behind by a jump of the motion"};
    return texts[reason];
}

/* ---- the tree of joints ---- */

/* Returns the play of a PMX joint's linear axes; infinite if an axis is free. */
static float pmx_room(const mmd_phys_joint *joint)
{
    const mmd_pmx_joint *pmx = &joint->pmx;
    float room = 0.0f;
    if (joint->kind == MMD_JOINT_PMX_POINT || joint->kind == MMD_JOINT_PMX_CONE_TWIST ||
        joint->kind == MMD_JOINT_PMX_HINGE)
        return 0.0f;
    for (int k = 0; k < (joint->kind == MMD_JOINT_PMX_SLIDER ? 1 : 3); k++) {
        if (pmx->linear_lower[k] > pmx->linear_upper[k])
            return INFINITY;
        float most = mmd_maxf(fabsf(pmx->linear_lower[k]), fabsf(pmx->linear_upper[k]));
        room += most * most;
    }
    return sqrtf(room);
}

/* Returns the play of a joint of limits. Only hard limits on all linear axes bound it. */
static float axes_room(const mmd_physscene *scene, const mmd_phys_joint *joint)
{
    float room = 0.0f;
    uint8_t bounded = 0;
    for (uint32_t i = 0; i < joint->limit_count; i++) {
        const mmd_phys_limit *limit = &scene->limits[joint->first_limit + i];
        if (limit->kind != MMD_LIMIT_LINEAR || limit->soft || !limit->has_max)
            continue;
        bool one_axis = (limit->axes & (limit->axes - 1)) == 0;
        if (one_axis && !limit->has_min)
            continue;
        bounded |= limit->axes;
        room += mmd_maxf(one_axis ? fabsf(limit->min) : 0.0f, fabsf(limit->max));
    }
    return bounded == 7 ? room : INFINITY;
}

static float joint_length(const mmd_physscene *scene, const mmd_phys_joint *joint)
{
    float room = joint->kind == MMD_JOINT_LIMITS_AND_DRIVES ? axes_room(scene, joint) : pmx_room(joint);
    return length3(joint->frame_a.translation) + length3(joint->frame_b.translation) + room;
}

static bool joins_two(const mmd_phys_joint *joint)
{
    return !joint->disabled && joint->body_a >= 0 && joint->body_b >= 0;
}

/* Lists the joints of every body; those of body b are at starts[b]..starts[b + 1] - 1. */
static bool list_joints(const mmd_physscene *scene, uint32_t **starts, uint32_t **joints)
{
    uint32_t *start = mmd_alloc((scene->body_count + 2) * sizeof *start);
    uint32_t *list = mmd_alloc((2 * (size_t)scene->joint_count + 1) * sizeof *list);
    *starts = start;
    *joints = list;
    if (!start || !list)
        return false;
    memset(start, 0, (scene->body_count + 2) * sizeof *start);
    for (uint32_t j = 0; j < scene->joint_count; j++)
        if (joins_two(&scene->joints[j])) {
            start[scene->joints[j].body_a + 2]++;
            start[scene->joints[j].body_b + 2]++;
        }
    for (uint32_t b = 0; b < scene->body_count; b++)
        start[b + 2] += start[b + 1];
    for (uint32_t j = 0; j < scene->joint_count; j++)
        if (joins_two(&scene->joints[j])) {
            list[start[scene->joints[j].body_a + 1]++] = j;
            list[start[scene->joints[j].body_b + 1]++] = j;
        }
    return true;
}

/* Builds the tree breadth-first from all bodies that are never simulated. Nearer bodies come first in
 * queue. */
static void grow_tree(sim_actor *a, const uint32_t *starts, const uint32_t *joints, uint32_t *queue)
{
    const mmd_physscene *scene = &a->scene;
    uint32_t count = 0, next = 0;
    for (uint32_t b = 0; b < a->body_count; b++) {
        a->attachments[b] = (sim_attachment){.on = -1};
        if (a->link[b] < SIM_MOVES && !scene->bodies[b].disabled)
            queue[count++] = b;
    }
    uint32_t roots = count;
    while (next < count) {
        uint32_t b = queue[next++];
        for (uint32_t i = starts[b]; i < starts[b + 1]; i++) {
            const mmd_phys_joint *joint = &scene->joints[joints[i]];
            uint32_t other = (uint32_t)joint->body_a == b ? (uint32_t)joint->body_b : (uint32_t)joint->body_a;
            if (a->link[other] < SIM_MOVES || a->attachments[other].on >= 0 || other == b)
                continue;
            a->attachments[other] = (sim_attachment){.on = (int32_t)b, .length = joint_length(scene, joint)};
            queue[count++] = other;
        }
    }
    a->attached_count = count - roots;
    memcpy(a->attached_order, queue + roots, a->attached_count * sizeof *queue);
}

bool guard_init(sim_actor *a, mmd_arena *arena)
{
    assert(a && arena);
    uint32_t count = a->body_count, *starts = NULL, *joints = NULL;
    a->attachments = mmd_arena_alloc(arena, count, sizeof *a->attachments);
    a->attached_order = mmd_arena_alloc(arena, count, sizeof *a->attached_order);
    a->reach = mmd_arena_alloc(arena, count, sizeof *a->reach);
    a->anchor = mmd_arena_alloc(arena, count, sizeof *a->anchor);
    a->pace = mmd_arena_alloc(arena, count, sizeof *a->pace);
    uint32_t *queue = mmd_alloc((count + 1) * sizeof *queue);
    bool done = a->attachments && a->attached_order && a->reach && a->anchor && a->pace && queue &&
                list_joints(&a->scene, &starts, &joints);
    if (done)
        grow_tree(a, starts, joints, queue);
    mmd_free(queue);
    mmd_free(joints);
    mmd_free(starts);
    return done;
}

/* ---- the check ---- */

static bool is_finite_body(const mmd_transform *t, const mmd_velocity *v)
{
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += t->translation[k] * 0.0f + v->linear[k] * 0.0f + v->angular[k] * 0.0f;
    for (int k = 0; k < 4; k++)
        sum += t->rotation[k] * 0.0f;
    return sum == 0.0f;
}

/* Returns the factor of the limits for large models, which move faster in proportion. */
static float size_factor(const sim_actor *a)
{
    return mmd_maxf(1.0f, a->built_scale);
}

/* Returns why a body is astray, or GUARD_FINE. */
static uint8_t judge(const sim_actor *a, uint32_t b, const mmd_transform *bodies,
                     const mmd_velocity *velocities)
{
    if (!is_finite_body(&bodies[b], &velocities[b]))
        return GUARD_NOT_FINITE;
    bool falls = a->scene.world.exact_restitution && a->attachments[b].on < 0;
    if (!(length3(velocities[b].linear) <= fastest * size_factor(a) * (falls ? loose : 1.0f)))
        return GUARD_TOO_FAST;
    if (a->attachments[b].on < 0)
        return GUARD_FINE;
    float way[3], most = longest * mmd_maxf(a->reach[b], shortest_chain * size_factor(a));
    for (int k = 0; k < 3; k++)
        way[k] = bodies[b].translation[k] - bodies[a->anchor[b]].translation[k];
    return length3(way) > most ? GUARD_TOO_FAR : GUARD_FINE;
}

/* Computes the rest transform relative to another body, which is at `on`. */
static void place_on(const sim_actor *a, uint32_t b, uint32_t other, const mmd_transform *on,
                     mmd_transform *out)
{
    mmd_transform rest;
    mmd_transform_inverse(&a->scene.bodies[other].rest, &rest);
    mmd_transform_multiply(&rest, &a->scene.bodies[b].rest, &rest);
    mmd_transform_multiply(on, &rest, out);
}

/* Finds a body's anchor: the body it is attached to, if that is not simulated, else the anchor of that
 * body. */
static void find_anchor(sim_actor *a, uint32_t b)
{
    uint32_t on = (uint32_t)a->attachments[b].on;
    a->anchor[b] = a->moving[on] ? a->anchor[on] : (int32_t)on;
    a->reach[b] = a->attachments[b].length + (a->moving[on] ? a->reach[on] : 0.0f);
}

void guard_begin(sim_actor *a, const mmd_velocity *velocities, const uint8_t *reasons)
{
    assert(a);
    a->last_reasons = reasons;
    memcpy(a->pace, velocities, a->body_count * sizeof *velocities);
}

/* Tests whether a body is attached to one that its bone moves and that jumps, or has just stopped after a
 * jump. */
static bool was_left_behind(const sim_actor *a, uint32_t b, const mmd_transform *bodies,
                            const mmd_velocity *velocities)
{
    uint32_t on = (uint32_t)a->attachments[b].on;
    mmd_transform transform;
    float arm[3], change[3], speed[3];
    if (a->link[on] != SIM_FOLLOWS)
        return false;
    place_on(a, b, on, &bodies[on], &transform);
    for (int k = 0; k < 3; k++)
        arm[k] = transform.translation[k] - bodies[on].translation[k];
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        const float *now = velocities[on].angular, *before = a->pace[on].angular;
        speed[k] = velocities[on].linear[k] + now[l] * arm[m] - now[m] * arm[l];
        change[k] = speed[k] - a->pace[on].linear[k] - before[l] * arm[m] + before[m] * arm[l];
    }
    bool goes_on =
        a->last_reasons && a->last_reasons[b] == GUARD_LEAPT && length3(speed) > leap * size_factor(a);
    return goes_on || !(length3(change) <= leap * size_factor(a));
}

uint32_t guard_check(sim_actor *a, mmd_transform *bodies, const mmd_velocity *velocities,
                     const mmd_transform *targets, uint8_t *reasons)
{
    assert(a);
    uint32_t count = 0;
    memset(reasons, GUARD_FINE, a->body_count);
    for (uint32_t b = 0; b < a->body_count; b++) {
        if (!a->moving[b] || a->attachments[b].on >= 0)
            continue;
        reasons[b] = judge(a, b, bodies, velocities);
        count += reasons[b] != GUARD_FINE;
        if (reasons[b])
            bodies[b] = targets[b];
    }
    for (uint32_t i = 0; i < a->attached_count; i++) {
        uint32_t b = a->attached_order[i], on = (uint32_t)a->attachments[b].on;
        find_anchor(a, b);
        if (!a->moving[b])
            continue;
        reasons[b] = reasons[on]                                 ? reasons[on]
                     : was_left_behind(a, b, bodies, velocities) ? (uint8_t)GUARD_LEAPT
                                                                 : judge(a, b, bodies, velocities);
        count += reasons[b] != GUARD_FINE;
        if (reasons[b])
            place_on(a, b, on, &bodies[on], &bodies[b]);
    }
    return count;
}
