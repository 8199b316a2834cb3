/* Conversions between transforms and velocities: the velocity that takes a body from one transform to
 * another, and the motion of a body by a velocity. */
#include "backend.h"

#include "mmd_math.h"

#include <assert.h>
#include <math.h>

/* Converts a unit quaternion to axis times angle, the angle being at most half a turn. */
static void rotation_vector(const float q[4], float out[3])
{
    float sign = q[3] < 0.0f ? -1.0f : 1.0f;
    float sine = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    /* For very small rotations the angle is twice the sine. */
    float scale = sine < 1e-4f ? 2.0f : 2.0f * mmd_atan2f(sine, sign * q[3]) / sine;
    for (int k = 0; k < 3; k++)
        out[k] = sign * scale * q[k];
}

void mmd_transform_velocity(const mmd_transform *from, const mmd_transform *to, float dt,
                            mmd_velocity *velocity)
{
    assert(from && to && velocity);
    float back[4], turn[4];
    quat_conjugate(from->rotation, back);
    quat_multiply(to->rotation, back, turn);
    rotation_vector(turn, velocity->angular);
    for (int k = 0; k < 3; k++) {
        velocity->linear[k] = (to->translation[k] - from->translation[k]) / dt;
        velocity->angular[k] /= dt;
    }
    velocity->linear[3] = velocity->angular[3] = 0.0f;
}

void mmd_phys_start_velocity(const mmd_phys_body *body, mmd_velocity *velocity)
{
    assert(body && velocity);
    const float *w = body->angular_velocity;
    float center[3];
    mmd_transform_point(&body->rest, body->center, center);
    *velocity = (mmd_velocity){.linear = {0.0f}};
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        float arm_l = body->rest.translation[l] - center[l], arm_m = body->rest.translation[m] - center[m];
        velocity->linear[k] = body->linear_velocity[k];
        velocity->angular[k] = w[k];
        if (!body->auto_center)
            velocity->linear[k] += w[l] * arm_m - w[m] * arm_l;
    }
}

void mmd_transform_advance(mmd_transform *transform, const float linear[3], const float angular[3], float dt)
{
    assert(transform && angular);
    float rate = sqrtf(angular[0] * angular[0] + angular[1] * angular[1] + angular[2] * angular[2]);
    if (rate > 0.0f) {
        float axis[3], turn[4];
        for (int k = 0; k < 3; k++)
            axis[k] = angular[k] / rate;
        quat_axis_angle(axis, rate * dt, turn);
        quat_multiply(turn, transform->rotation, transform->rotation);
        quat_normalize(transform->rotation);
    }
    for (int k = 0; k < 3; k++)
        transform->translation[k] += linear[k] * dt;
}
