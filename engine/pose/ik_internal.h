/* What the files of IK share: one visit of a link, and the turns it can make. */
#ifndef IK_INTERNAL_H
#define IK_INTERNAL_H

#include "pose_internal.h"

/* Smaller turns (radians; a thousandth of a degree) are skipped: MMD.md choice 3. */
#define IK_STEP_MIN (1e-3f * GLM_PIf / 180.0f)

/* One visit of a link: where effector and goal lie in its own axes. */
typedef struct ik_step {
    const ik_solver *solver;
    const chain_link *link;
    uint32_t index, loop;
    float effector[3], goal[3];
    float lengths; /* product of their lengths, > 0 */
} ik_step;

/* The whole rotation of a link as it is now, in its limit axes; and giving it one: q_ik = rotation * base^-1.
 */
void ik_rotation(const mmd_pose *pose, const chain_link *link, float out[4]);
void ik_set_rotation(mmd_pose *pose, const chain_link *link, const float rotation[4]);

/*
 * The turn that brings e towards g, whose lengths have the given product: the
 * whole way by (e x g, |e||g| + e.g) normalised, or the link's limit about
 * their normal. False: nothing worth turning.
 */
bool ik_turn_between(const chain_link *link, const float e[3], const float g[3], float lengths,
                     float delta[4]);

/* The same in the link's axes; and about one given axis, by the signed angle between the projections. */
bool ik_free_turn(const ik_step *step, float delta[4]);
bool ik_axis_turn(const ik_step *step, const float axis[3], float delta[4]);

/* Visits of a link: without limits; by the reflecting variant (ik_reflect.c). False: it did not turn. */
bool ik_turn_unlimited(mmd_pose *pose, const ik_step *step);
bool ik_turn_reflected(mmd_pose *pose, const ik_step *step);

#endif
