/*
 * The other IK variant of MMD.md 4.5, as babylon-mmd structures it: Euler
 * angles in an order that suits the limits, reflected at them in the first
 * half of the loops and clamped in the second.
 */
#include "ik_internal.h"

#include <assert.h>
#include <string.h>

static float reflect(float angle, float low, float high, bool first_half)
{
    if (angle < low) {
        float mirrored = 2.0f * low - angle;
        return first_half && mirrored <= high ? mirrored : low;
    }
    if (angle > high) {
        float mirrored = 2.0f * high - angle;
        return first_half && mirrored >= low ? mirrored : high;
    }
    return angle;
}

/*
 * Euler order by the limits: R = R_first R_middle R_last, where the middle
 * angle stays within a quarter turn. Permutations (first, middle, last).
 */
static void euler_order(const chain_link *link, int order[3])
{
    static const int orders[3][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
    const float quarter = 0.5f * GLM_PIf;
    int choice = 2;
    if (link->lower[0] > -quarter && link->upper[0] < quarter)
        choice = 0;
    else if (link->lower[1] > -quarter && link->upper[1] < quarter)
        choice = 1;
    memcpy(order, orders[choice], sizeof orders[choice]);
}

static void reflect_limits(const chain_link *link, bool first_half, float rotation[4])
{
    int order[3];
    euler_order(link, order);
    int i = order[0], j = order[1], k = order[2];
    float parity = (j - i + 3) % 3 == 1 ? 1.0f : -1.0f; /* even permutation of (x, y, z): 1 */
    mat3 m;
    versor q;
    quat_copy(rotation, q);
    glm_quat_mat3(q, m);
    float held = 88.0f * GLM_PIf / 180.0f;
    float angle[3];
    angle[j] = clampf(asinf(clampf(parity * m[k][i], -1.0f, 1.0f)), -held, held);
    angle[i] = atan2f(-parity * m[k][j], m[k][k]);
    angle[k] = atan2f(-parity * m[j][i], m[i][i]);
    float out[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int n = 0; n < 3; n++) {
        int axis = order[n];
        float a = reflect(angle[axis], link->lower[axis], link->upper[axis], first_half);
        float turn[4] = {0.0f, 0.0f, 0.0f, cosf(0.5f * a)};
        turn[axis] = sinf(0.5f * a);
        quat_multiply(out, turn, out);
    }
    quat_copy(out, rotation);
}

bool ik_turn_reflected(mmd_pose *pose, const ik_step *step)
{
    assert(pose && step);
    const chain_link *link = step->link;
    if (link->kind == LINK_FREE || link->kind == LINK_FIXED_AXIS)
        return ik_turn_unlimited(pose, step);
    bool first_half = step->loop < step->solver->loops / 2;
    float delta[4], rotation[4], axis[3] = {0.0f, 0.0f, 0.0f};
    axis[link->axis] = 1.0f;
    bool restricted = first_half && link->kind == LINK_ONE_AXIS;
    if (!(restricted ? ik_axis_turn(step, axis, delta) : ik_free_turn(step, delta)))
        return false;
    ik_rotation(pose, step->link, rotation);
    quat_multiply(rotation, delta, rotation);
    reflect_limits(link, first_half, rotation);
    ik_set_rotation(pose, step->link, rotation);
    return true;
}
