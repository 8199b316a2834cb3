/*
 * Bezier curves of keys.
 *
 * The solver is MMD's (docs/mmd.md, choice 2): bisection in single precision, twelve steps from 0.5, ending
 * early where x is hit exactly. Its error is part of the result: a more accurate solver would deviate from MMD for
 * steep curves.
 */
#include "motion_internal.h"

#include <assert.h>
#include <math.h>

enum { BISECTION_STEPS = 12, LANES = 16 };

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

/* Several curves to be solved in parallel, in a form that compilers vectorise. */
typedef struct curve_lanes {
    int32_t x1[LANES], x2[LANES], y1[LANES], y2[LANES];
    float u[LANES];
    size_t slot[LANES]; /* index of the result */
    size_t count;
} curve_lanes;

/* Does one step of mmd_curve_value's loop in every lane. Lanes that reached x do not move. */
static void lanes_step(const float *x1, const float *x2, const float *u, float step, float *s)
{
    for (int i = 0; i < LANES; i++) {
        float miss = bezier(s[i], x1[i], x2[i]) - u[i];
        float move = miss < 0.0f ? step : -step;
        s[i] = miss == 0.0f ? s[i] : s[i] + move;
    }
}

/* Solves all lanes, writes the results and empties the lanes. */
static void lanes_solve(curve_lanes *lanes, float *out)
{
    float x1[LANES], x2[LANES], s[LANES], y[LANES], step = 0.5f;
    for (int i = 0; i < LANES; i++) {
        x1[i] = (float)lanes->x1[i] / 127.0f;
        x2[i] = (float)lanes->x2[i] / 127.0f;
        s[i] = 0.5f;
    }
    for (int i = 0; i < BISECTION_STEPS; i++)
        lanes_step(x1, x2, lanes->u, step *= 0.5f, s);
    for (int i = 0; i < LANES; i++)
        y[i] = bezier(s[i], (float)lanes->y1[i] / 127.0f, (float)lanes->y2[i] / 127.0f);
    for (size_t i = 0; i < lanes->count; i++)
        out[lanes->slot[i]] = y[i];
    lanes->count = 0;
}

void motion_curve_values(const mmd_curve *curves, const float *u, float *out, size_t count)
{
    assert(out || count == 0);
    curve_lanes lanes = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        /* Linear curves and the ends need no solver. */
        if (mmd_curve_is_linear(curves[i]) || !(u[i] > 0.0f && u[i] < 1.0f)) {
            out[i] = mmd_curve_value(curves[i], u[i]);
            continue;
        }
        size_t lane = lanes.count++;
        lanes.x1[lane] = curves[i].x1;
        lanes.y1[lane] = curves[i].y1;
        lanes.x2[lane] = curves[i].x2;
        lanes.y2[lane] = curves[i].y2;
        lanes.u[lane] = u[i];
        lanes.slot[lane] = i;
        if (lanes.count == LANES)
            lanes_solve(&lanes, out);
    }
    if (lanes.count)
        lanes_solve(&lanes, out);
}
