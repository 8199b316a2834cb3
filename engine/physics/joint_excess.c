/*
 * How far a joint is beyond its limits: by the metrics of its limits where it has some (joint_metric.h); by
 * its position alone for PMX joints, because MMD uses their angle limits like springs.
 */
#include <assert.h>
#include <math.h>

#include "joint_metric.h"
#include "mmd/elementary.h"
#include "mmd/physics.h"

/* ------------------------------------------------------------------- frames */

/* Computes the frame of one end of a joint. body -1: the world. */
static void attach(const mmd_transform *bodies, int32_t body, const mmd_transform *frame, mmd_transform *out)
{
    if (body < 0)
        *out = *frame;
    else
        mmd_transform_multiply(&bodies[body], frame, out);
}

void mmd_joint_frames(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies,
                      mmd_transform *frame_a, mmd_transform *frame_b)
{
    assert(joint < scene->joint_count);
    const mmd_phys_joint *j = &scene->joints[joint];
    attach(bodies, j->body_a, &j->frame_a, frame_a);
    attach(bodies, j->body_b, &j->frame_b, frame_b);
}

/* ------------------------------------------------------------------- excess */

/* Returns how far a value is beyond its range. A reversed range has no bounds. */
static float beyond(float value, float lower, float upper)
{
    if (lower > upper || (value >= lower && value <= upper))
        return 0.0f;
    return value < lower ? lower - value : value - upper;
}

static float pmx_excess(const mmd_phys_joint *joint, const mmd_transform *t)
{
    float square = 0.0f;
    for (int k = 0; k < 3; k++) {
        float off = fabsf(t->translation[k]);
        if (joint->kind == MMD_JOINT_PMX_SPRING || joint->kind == MMD_JOINT_PMX_6DOF)
            off = beyond(t->translation[k], joint->pmx.linear_lower[k], joint->pmx.linear_upper[k]);
        else if (joint->kind == MMD_JOINT_PMX_SLIDER && k == 0)
            off = beyond(t->translation[k], joint->pmx.linear_lower[0], joint->pmx.linear_upper[0]);
        square += off * off;
    }
    return sqrtf(square);
}

/* Computes the twists about the axes. Of equivalent angles the one nearest to the middle of the limit is
 * used, because a single transform does not tell the number of turns. */
static void find_twists(const mmd_phys_limit *limit, const mmd_transform *t, float twist[3])
{
    float middle = limit->has_min && limit->has_max ? 0.5f * (limit->min + limit->max)
                   : limit->has_min                 ? limit->min
                   : limit->has_max                 ? limit->max
                                                    : 0.0f;
    for (int k = 0; k < 3; k++)
        twist[k] = joint_track(middle, joint_twist(t->rotation, k));
}

static float limit_excess(const mmd_phys_limit *limit, const mmd_transform *t)
{
    joint_row rows[JOINT_LIMIT_ROWS];
    float twist[3], square = 0.0f;
    find_twists(limit, t, twist);
    int count = joint_limit_rows(limit, t, twist, rows);
    for (int i = 0; i < count; i++) {
        float off = beyond(rows[i].value, rows[i].lower, rows[i].upper);
        square += off * off;
    }
    return sqrtf(square);
}

mmd_joint_excess mmd_joint_find_excess(const mmd_physscene *scene, uint32_t joint,
                                       const mmd_transform *frame_a, const mmd_transform *frame_b)
{
    assert(scene && joint < scene->joint_count && frame_a && frame_b);
    const mmd_phys_joint *j = &scene->joints[joint];
    mmd_joint_excess excess = {0.0f, 0.0f};
    mmd_transform inverse, t;
    mmd_transform_inverse(frame_a, &inverse);
    mmd_transform_multiply(&inverse, frame_b, &t);
    if (j->kind != MMD_JOINT_LIMITS_AND_DRIVES)
        excess.linear = pmx_excess(j, &t);
    for (uint32_t i = 0; j->kind == MMD_JOINT_LIMITS_AND_DRIVES && i < j->limit_count; i++) {
        const mmd_phys_limit *limit = &scene->limits[j->first_limit + i];
        float *most = limit->kind == MMD_LIMIT_LINEAR ? &excess.linear : &excess.angular;
        if (!limit->soft)
            *most = mmd_maxf(*most, limit_excess(limit, &t));
    }
    return excess;
}
