/*
 * Keyframe reduction: from each key, the longest interval that stays within the limits is found by doubling,
 * then bisection. An interval uses straight lines or, if these fail, Bezier curves fitted by least squares.
 * This is greedy like the curve fits of Lim & Stalling and of Schneider (Graphics Gems, "An Algorithm for
 * Automatically Fitting Digitized Curves"), but keys lie on samples and the inner points at fixed thirds of
 * the time. A curve is then a cubic polynomial of time, and its best heights solve two linear equations.
 */
#include "mmd/reduce.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd_math.h"
#include "motion_internal.h"

enum { CHANNELS = 4, THIRD = 42, TWO_THIRDS = 85 };

/* Interpolates rotations of keys along the shorter arc, with MMD's sums (docs/mmd.md 3.2). Rotations whose
 * dot product rounds to 1 are not told apart: the result is a. */
static void key_slerp(const float a[4], const float b[4], float t, float out[4])
{
    const float next_to_1 = 0x1.fffffep-1f, its_angle = 0x1.6a09e6p-12f; /* the angle is its own sine */
    float cosine = quat_dot(a, b);
    float sign = cosine < 0.0f ? -1.0f : 1.0f;
    cosine *= sign;
    if (!(cosine < 1.0f)) {
        quat_copy(a, out);
        return;
    }
    float angle = cosine < next_to_1 ? mmd_acosf(cosine) : its_angle;
    float scale = 1.0f / (cosine < next_to_1 ? mmd_sinf(angle) : its_angle);
    float wa = (1.0f - t) * angle, wb = t * angle;
    if (cosine < next_to_1) {
        wa = mmd_sinf(wa);
        wb = mmd_sinf(wb);
    }
    wa *= scale;
    wb *= scale * sign;
    for (int i = 0; i < 4; i++)
        out[i] = wa * a[i] + wb * b[i];
}

void mmd_bone_key_between(const mmd_bone_key *a, const mmd_bone_key *b, float u, mmd_transform *out)
{
    assert(a && b && out);
    out->translation[3] = 0.0f;
    for (int k = 0; k < 3; k++) {
        float from = a->translation[k], to = b->translation[k];
        out->translation[k] =
            from == to ? from : from + (to - from) * motion_bone_curve_value(b->curve[k], u);
    }
    key_slerp(a->rotation, b->rotation, motion_bone_curve_value(b->curve[MMD_CHANNEL_ROTATION], u),
              out->rotation);
}

float mmd_rotation_angle(const float a[4], const float b[4])
{
    float inverse[4], between[4];
    quat_conjugate(a, inverse);
    quat_multiply(inverse, b, between);
    return 2.0f * mmd_atan2f(sqrtf(dot3(between, between)), fabsf(between[3]));
}

/* Makes a key with linear curves from a sample. */
static void key_at(const mmd_transform *sample, mmd_bone_key *key)
{
    *key = (mmd_bone_key){.physics_off = false};
    memcpy(key->translation, sample->translation, sizeof key->translation);
    quat_copy(sample->rotation, key->rotation);
    for (int c = 0; c < CHANNELS; c++)
        key->curve[c] = mmd_curve_linear();
}

/* The samples starting at a key. */
typedef struct sample_run {
    const mmd_transform *samples;
    const float *shares; /* factor of the rotation limit per sample; NULL: 1 */
    const mmd_reduce_limits *limits;
} sample_run;

/* Returns whether the interval from key a to key b, `length` frames long, stays within the limits of all
 * samples in it. */
static bool interval_fits(const sample_run *run, uint32_t length, const mmd_bone_key *a,
                          const mmd_bone_key *b)
{
    const mmd_reduce_limits *limits = run->limits;
    for (uint32_t i = 1; i < length; i++) {
        const mmd_transform *sample = &run->samples[i];
        mmd_transform result;
        float u = (float)((double)i / (double)length);
        mmd_bone_key_between(a, b, u, &result);
        /* Not MMD's interpolation, which has steps where rotations hardly differ: others play these keys,
         * too. */
        quat_slerp(a->rotation, b->rotation, motion_bone_curve_value(b->curve[MMD_CHANNEL_ROTATION], u),
                   result.rotation);
        float away[3], share = run->shares ? run->shares[i] : 1.0f;
        for (int k = 0; k < 3; k++)
            away[k] = result.translation[k] - sample->translation[k];
        if (!(dot3(away, away) <= limits->translation * limits->translation) ||
            !(mmd_rotation_angle(result.rotation, sample->rotation) <= limits->rotation * share))
            return false;
    }
    return true;
}

/* The rotation from a to b, to measure how far along it a sample is. */
typedef struct arc {
    float start[4], axis[3], angle;
} arc;

/* Computes the shorter rotation from a to b. */
static void arc_between(const float a[4], const float b[4], arc *out)
{
    float turn[4];
    quat_conjugate(a, out->start);
    quat_multiply(out->start, b, turn);
    float sine = sqrtf(dot3(turn, turn)), sign = turn[3] < 0.0f ? -1.0f : 1.0f;
    out->angle = 2.0f * mmd_atan2f(sine, turn[3] * sign);
    for (int k = 0; k < 3; k++)
        out->axis[k] = sine > 0.0f ? turn[k] * sign / sine : 0.0f;
}

/* Returns how far along the arc a rotation is: its rotation about the arc's axis as a fraction of the arc's
 * angle. */
static float arc_position(const arc *along, const float q[4])
{
    float turn[4];
    quat_multiply(along->start, q, turn);
    float half = mmd_atan2f(dot3(turn, along->axis), turn[3]);
    if (half > 1.5707963f)
        half -= 3.1415927f;
    else if (half < -1.5707963f)
        half += 3.1415927f;
    return 2.0f * half / along->angle;
}

/* Sums for the two linear equations of the heights of a channel's inner points. */
typedef struct fit {
    double aa, ab, bb, av, bv;
} fit;

/* Adds a sample at parameter s of the curve. The cubic term of the end point at height 1 is fixed. */
static void fit_add(fit *f, double s, double value)
{
    double a = 3.0 * (1.0 - s) * (1.0 - s) * s, b = 3.0 * (1.0 - s) * s * s, rest = value - s * s * s;
    f->aa += a * a;
    f->ab += a * b;
    f->bb += b * b;
    f->av += a * rest;
    f->bv += b * rest;
}

/* Converts a height to the curve's units, clamped. */
static uint8_t height(double y)
{
    return (uint8_t)lround(127.0 * mmd_min(mmd_max(y, 0.0), 1.0));
}

/* Solves the equations by Cramer's rule. Too few samples give a linear curve. */
static mmd_curve fit_solve(const fit *f)
{
    double determinant = f->aa * f->bb - f->ab * f->ab;
    if (!(determinant > 1e-9))
        return mmd_curve_linear();
    double y1 = (f->av * f->bb - f->bv * f->ab) / determinant;
    double y2 = (f->bv * f->aa - f->av * f->ab) / determinant;
    return (mmd_curve){THIRD, height(y1), TWO_THIRDS, height(y2)};
}

/* Returns the parameter at which x of a curve with inner points at THIRD and TWO_THIRDS is u. One Newton step
 * from u is accurate enough. */
static double curve_parameter(double u)
{
    const double x1 = THIRD / 127.0, x2 = TWO_THIRDS / 127.0;
    double t = 1.0 - u, x = 3.0 * t * t * u * x1 + 3.0 * t * u * u * x2 + u * u * u;
    return u - (x - u);
}

/* Fits the curves of key b. Channels that do not move stay linear. */
static void fit_curves(const mmd_transform *samples, uint32_t length, const mmd_bone_key *a, mmd_bone_key *b)
{
    fit fits[CHANNELS] = {{.aa = 0.0}};
    arc along;
    arc_between(a->rotation, b->rotation, &along);
    for (uint32_t i = 1; i < length; i++) {
        double s = curve_parameter((double)i / (double)length);
        for (int k = 0; k < 3; k++) {
            float way = b->translation[k] - a->translation[k];
            if (way != 0.0f)
                fit_add(&fits[k], s, (double)((samples[i].translation[k] - a->translation[k]) / way));
        }
        if (along.angle > 0.0f)
            fit_add(&fits[MMD_CHANNEL_ROTATION], s, (double)arc_position(&along, samples[i].rotation));
    }
    for (int c = 0; c < CHANNELS; c++)
        b->curve[c] = fit_solve(&fits[c]);
}

/* Returns whether one interval can cover `length` frames from the first sample, and writes its end to b. */
static bool reach(const sample_run *run, uint32_t length, const mmd_bone_key *a, mmd_bone_key *b)
{
    key_at(&run->samples[length], b);
    if (interval_fits(run, length, a, b))
        return true;
    if (!run->limits->curves)
        return false;
    fit_curves(run->samples, length, a, b);
    return interval_fits(run, length, a, b);
}

/* Returns how many frames an interval from the first sample can cover, at most rest (at least 1), and its
 * end. */
static uint32_t farthest(const sample_run *run, uint32_t rest, const mmd_bone_key *a, mmd_bone_key *end)
{
    uint32_t good = 1, bad = rest + 1; /* an interval of one frame has no samples inside */
    mmd_bone_key b;
    key_at(&run->samples[1], end);
    for (uint32_t step = 2; good < rest && bad > rest; step *= 2) {
        uint32_t next = good + step < rest ? good + step : rest;
        if (reach(run, next, a, &b)) {
            good = next;
            *end = b;
        } else {
            bad = next;
        }
    }
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        if (reach(run, middle, a, &b)) {
            good = middle;
            *end = b;
        } else {
            bad = middle;
        }
    }
    return good;
}

uint32_t mmd_reduce_keys(const mmd_transform *samples, uint32_t count, const mmd_reduce_limits *limits,
                         uint32_t *indices, mmd_bone_key *keys)
{
    assert(samples && count > 0 && limits && indices && keys);
    assert(limits->translation >= 0.0f && limits->rotation >= 0.0f);
    uint32_t made = 1;
    indices[0] = 0;
    key_at(&samples[0], &keys[0]);
    for (uint32_t at = 0; at + 1 < count; made++) {
        const sample_run run = {&samples[at], limits->shares ? &limits->shares[at] : NULL, limits};
        at += farthest(&run, count - 1 - at, &keys[made - 1], &keys[made]);
        indices[made] = at;
    }
    return made;
}
