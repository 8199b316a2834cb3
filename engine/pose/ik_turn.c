/* The turns of a link: towards the goal, about an axis, and how a rotation becomes q_ik. */
#include <assert.h>

#include "ik_internal.h"

/* A rotation in the link's limit axes, seen in the bone's: F q F^-1; and back. */
static void from_frame(const chain_link *link, float q[4])
{
    float inverse[4];
    if (!link->has_frame)
        return;
    quat_conjugate(link->frame, inverse);
    quat_multiply(link->frame, q, q);
    quat_multiply(q, inverse, q);
}

static void to_frame(const chain_link *link, float q[4])
{
    float inverse[4];
    if (!link->has_frame)
        return;
    quat_conjugate(link->frame, inverse);
    quat_multiply(inverse, q, q);
    quat_multiply(q, link->frame, q);
}

void ik_rotation(const mmd_pose *pose, const chain_link *link, float out[4])
{
    assert(pose && link);
    quat_copy(pose->state[link->bone].local, out);
    to_frame(link, out);
}

void ik_set_rotation(mmd_pose *pose, const chain_link *link, const float rotation[4])
{
    assert(pose && link);
    bone_state *state = &pose->state[link->bone];
    float inverse[4], turned[4];
    quat_copy(rotation, turned);
    from_frame(link, turned);
    quat_conjugate(state->base, inverse);
    quat_multiply(turned, inverse, state->ik);
    quat_copy(turned, state->local);
}

bool ik_turn_between(const chain_link *link, const float e[3], const float g[3], float lengths,
                     float delta[4])
{
    assert(link);
    float normal[3];
    cross3(e, g, normal);
    float square = dot3(normal, normal), dot = dot3(e, g);
    float least = IK_STEP_MIN * lengths;
    if (!(square > least * least))
        return false;
    float w, scale;
    if (dot >= link->limit_cos * lengths) {
        w = lengths + dot;
        scale = 1.0f / sqrtf(square + w * w);
        w *= scale;
    } else {
        w = link->half_cos;
        scale = link->half_sin / sqrtf(square);
    }
    quat_set(normal[0] * scale, normal[1] * scale, normal[2] * scale, w, delta);
    return true;
}

bool ik_free_turn(const ik_step *step, float delta[4])
{
    assert(step);
    return ik_turn_between(step->link, step->effector, step->goal, step->lengths, delta);
}

bool ik_axis_turn(const ik_step *step, const float axis[3], float delta[4])
{
    assert(step);
    float normal[3];
    cross3(step->effector, step->goal, normal);
    float along = dot3(axis, step->effector) * dot3(axis, step->goal);
    float angle = atan2f(dot3(axis, normal), dot3(step->effector, step->goal) - along);
    if (fabsf(angle) < IK_STEP_MIN)
        return false;
    quat_axis_angle(axis, clampf(angle, -step->link->limit, step->link->limit), delta);
    return true;
}

bool ik_turn_unlimited(mmd_pose *pose, const ik_step *step)
{
    assert(pose && step);
    float delta[4], rotation[4];
    bool turns = step->link->kind == LINK_FIXED_AXIS ? ik_axis_turn(step, step->link->fixed_axis, delta)
                                                     : ik_free_turn(step, delta);
    if (!turns)
        return false;
    ik_rotation(pose, step->link, rotation);
    quat_multiply(rotation, delta, rotation);
    quat_tighten(rotation);
    ik_set_rotation(pose, step->link, rotation);
    return true;
}
