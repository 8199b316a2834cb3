/*
 * Mathematics shared by the engine's modules: cglm for matrices and vectors,
 * and the few rotations of the inner loops, written so that they inline to
 * straight code. Not a public header.
 *
 * Quaternions are x, y, z, w of unit length; a vector is turned as q v q^-1.
 * Results may be the same memory as arguments.
 */
#ifndef MMD_MATH_H
#define MMD_MATH_H

#ifndef CGLM_ALL_UNALIGNED
#define CGLM_ALL_UNALIGNED
#endif
#include <cglm/cglm.h>

#include <math.h>

static inline void quat_identity(float q[4])
{
    q[0] = q[1] = q[2] = 0.0f;
    q[3] = 1.0f;
}

static inline void quat_copy(const float q[4], float out[4])
{
    out[0] = q[0];
    out[1] = q[1];
    out[2] = q[2];
    out[3] = q[3];
}

/* out = a b: b acts first. */
static inline void quat_multiply(const float a[4], const float b[4], float out[4])
{
    float x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    float y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    float z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    float w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

static inline void quat_conjugate(const float q[4], float out[4])
{
    out[0] = -q[0];
    out[1] = -q[1];
    out[2] = -q[2];
    out[3] = q[3];
}

static inline float quat_dot(const float a[4], const float b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Unit length; the identity where there is no direction. */
static inline void quat_normalize(float q[4])
{
    float length = sqrtf(quat_dot(q, q));
    if (!(length > 0.0f) || !isfinite(length)) {
        quat_identity(q);
        return;
    }
    float scale = 1.0f / length;
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

/* Turns v by q: v + 2 w (u x v) + 2 u x (u x v). */
static inline void quat_rotate(const float q[4], const float v[3], float out[3])
{
    float tx = 2.0f * (q[1] * v[2] - q[2] * v[1]);
    float ty = 2.0f * (q[2] * v[0] - q[0] * v[2]);
    float tz = 2.0f * (q[0] * v[1] - q[1] * v[0]);
    float x = v[0] + q[3] * tx + q[1] * tz - q[2] * ty;
    float y = v[1] + q[3] * ty + q[2] * tx - q[0] * tz;
    float z = v[2] + q[3] * tz + q[0] * ty - q[1] * tx;
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* A turn by angle (radians) about a unit axis. */
static inline void quat_axis_angle(const float axis[3], float angle, float out[4])
{
    float s = sinf(0.5f * angle);
    out[0] = axis[0] * s;
    out[1] = axis[1] * s;
    out[2] = axis[2] * s;
    out[3] = cosf(0.5f * angle);
}

/* From a to b along the shorter arc. Nearly equal ones are blended linearly: 1e-7 off at most there. */
static inline void quat_slerp(const float a[4], const float b[4], float t, float out[4])
{
    float cosine = quat_dot(a, b);
    float sign = cosine < 0.0f ? -1.0f : 1.0f;
    cosine *= sign;
    float wa = 1.0f - t, wb = t;
    if (cosine < 0.9999f) {
        float angle = acosf(cosine);
        float scale = 1.0f / sinf(angle);
        wa = sinf(wa * angle) * scale;
        wb = sinf(wb * angle) * scale;
    }
    wb *= sign;
    for (int i = 0; i < 4; i++)
        out[i] = wa * a[i] + wb * b[i];
    quat_normalize(out);
}

/* q to the power of ratio, any real: the angle (taken within half a turn) times ratio about the same axis. */
static inline void quat_power(const float q[4], float ratio, float out[4])
{
    float sign = q[3] < 0.0f ? -1.0f : 1.0f;
    float sine = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    if (sine < 1e-12f) {
        quat_identity(out);
        return;
    }
    float half = atan2f(sine, q[3] * sign) * ratio;
    float scale = sinf(half) / sine * sign;
    out[0] = q[0] * scale;
    out[1] = q[1] * scale;
    out[2] = q[2] * scale;
    out[3] = cosf(half);
}

#endif
