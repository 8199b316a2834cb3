/* Mixing the values of two dances, for weights of motions and for fades. */
#include <assert.h>

#include "mmd/pose.h"
#include "mmd/pose_parts.h"
#include "mmd_math.h"

float mmd_fade_weight(const mmd_fade *fade, double frame)
{
    assert(fade);
    if (!(frame > fade->begins))
        return 0.0f;
    if (frame >= fade->ends)
        return 1.0f;
    double t = (frame - fade->begins) / (fade->ends - fade->begins);
    return (float)(t * t * (3.0 - 2.0 * t));
}

static float between(float from, float to, float weight)
{
    return from + (to - from) * weight;
}

void mmd_bone_value_mix(mmd_transform *value, const mmd_transform *with, float weight)
{
    assert(value && with);
    for (int k = 0; k < 3; k++)
        value->translation[k] = between(value->translation[k], with->translation[k], weight);
    quat_slerp(value->rotation, with->rotation, weight, value->rotation);
}

void mmd_bone_value_mix_along(mmd_transform *value, const mmd_transform *with, float weight,
                              const float way[4])
{
    assert(value && with && way);
    float back[4], turn[4], part[4], rotation[4];
    quat_copy(value->rotation, rotation);
    quat_conjugate(rotation, back);
    quat_multiply(back, with->rotation, turn);
    mmd_bone_value_mix(value, with, weight);
    float side = quat_dot(turn, way) < 0.0f ? -1.0f : 1.0f, sine = length3(turn);
    if (sine < 1e-4f) /* no turn, or a whole one, which has no axis */
        return;
    float half_sine;
    mmd_sincosf(mmd_atan2f(sine, side * turn[3]) * weight, &half_sine, &part[3]);
    for (int k = 0; k < 3; k++)
        part[k] = side * turn[k] / sine * half_sine;
    quat_multiply(rotation, part, value->rotation);
    quat_normalize(value->rotation);
}

static void mix_scale(float scale[6], const float with[6], float weight)
{
    for (int k = 0; k < 6; k++)
        scale[k] = between(scale[k], with[k], weight);
}

void mmd_pose_values_mix(mmd_pose_values *values, const mmd_pose_values *with, float weight,
                         const mmd_model *model)
{
    assert(values && with && model && weight >= 0.0f && weight <= 1.0f);
    if (weight <= 0.0f)
        return;
    bool switched = weight >= 0.5f, whole = weight >= 1.0f;
    for (uint32_t b = 0; b < model->bone_count; b++) {
        if (whole)
            values->bones[b] = with->bones[b];
        else
            mmd_bone_value_mix(&values->bones[b], &with->bones[b], weight);
        if (values->scales)
            mix_scale(values->scales[b], with->scales[b], weight);
    }
    for (uint32_t m = 0; m < model->morph_count; m++)
        values->weights[m] = whole ? with->weights[m] : between(values->weights[m], with->weights[m], weight);
    if (!switched)
        return;
    memcpy(values->ik_on, with->ik_on, model->bone_count);
    memcpy(values->physics_off, with->physics_off, model->bone_count);
    values->visible = with->visible;
}
