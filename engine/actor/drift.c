/*
 * Kinematic bodies that were given a velocity and that nothing animates travel
 * at it for ever (glTF: "Its velocity will be constant during simulation").
 * Their bones are what drifts, so that what is drawn, what hangs on them and
 * the targets of their bodies go along, at every frame by formula (mmd_drift).
 */
#include "actor_internal.h"

#include <math.h>

static bool is_drifting(const mmd_model *model, const mmd_phys_body *body)
{
    float sum = 0.0f;
    for (int k = 0; k < 3; k++)
        sum += fabsf(body->linear_velocity[k]) + fabsf(body->angular_velocity[k]);
    return body->motion == MMD_PHYS_KINEMATIC && !body->disabled && body->bone >= 0 &&
           (uint32_t)body->bone < model->bone_count && sum > 0.0f && isfinite(sum);
}

/* A body turns about its centre of mass; one that shapes give counts from the body's origin. */
static mmd_drift drift_of(const mmd_phys_body *body)
{
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    mmd_drift drift = {.bone = (uint32_t)body->bone};
    mmd_transform_point(&body->rest, body->auto_center ? origin : body->center, drift.center);
    memcpy(drift.linear, body->linear_velocity, sizeof drift.linear);
    memcpy(drift.angular, body->angular_velocity, sizeof drift.angular);
    return drift;
}

uint32_t drift_list(const mmd_model *model, mmd_drift *drifts)
{
    uint32_t count = 0;
    for (uint32_t b = 0; model->physscene && b < model->physscene->body_count; b++) {
        const mmd_phys_body *body = &model->physscene->bodies[b];
        if (!is_drifting(model, body))
            continue;
        if (drifts)
            drifts[count] = drift_of(body);
        count++;
    }
    return count;
}
