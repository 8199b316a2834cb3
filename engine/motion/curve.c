/*
 * Bezier curves of keys.
 *
 * The solver is MMD's (docs/mmd.md, choice 2): bisection in single precision, twelve steps from 0.5, ending
 * early where x is hit exactly. Its error is part of the result: a more accurate solver would deviate from
 * MMD for steep curves.
 */
#include "motion_internal.h"

enum { BISECTION_STEPS = 12 };

/* Computes a coordinate at s of the curve from 0 to 1 with inner points a and b. */
static inline float bezier(float s, float a, float b)
{
    float t = 1.0f - s;
    return 3.0f * t * t * s * a + 3.0f * t * s * s * b + s * s * s;
}

float mmd_curve_value(mmd_curve curve, float u)
{
    if (mmd_curve_is_linear(curve))
        return u;
    if (!(u > 0.0f))
        return 0.0f;
    if (u >= 1.0f)
        return 1.0f;
    float x1 = curve.x1 / 127.0f, x2 = curve.x2 / 127.0f;
    float s = 0.5f, step = 0.5f;
    for (int i = 0; i < BISECTION_STEPS; i++) {
        float miss = bezier(s, x1, x2) - u;
        if (miss == 0.0f)
            break;
        step *= 0.5f;
        s = miss < 0.0f ? s + step : s - step;
    }
    return bezier(s, curve.y1 / 127.0f, curve.y2 / 127.0f);
}

float motion_bone_curve_value(mmd_curve curve, float u)
{
    if (mmd_curve_is_linear(curve) || !(u > 0.0f && u < 1.0f))
        return mmd_curve_value(curve, u);
    const float unit = 0.023622f; /* three times 0.007874 */
    float s = 0.5f, t = 0.5f, step = 0.5f, x1 = curve.x1 * unit, x2 = curve.x2 * unit;
    for (int i = 0; i < BISECTION_STEPS; i++) {
        float miss = t * t * s * x1 + s * t * s * x2 + s * s * s - u;
        if (miss == 0.0f)
            break;
        step *= 0.5f;
        s = miss < 0.0f ? s + step : s - step;
        t = 1.0f - s;
    }
    return t * t * s * curve.y1 * unit + s * t * s * curve.y2 * unit + s * s * s;
}
