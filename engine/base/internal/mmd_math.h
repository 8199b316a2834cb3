/*
 * Vectors, rotations and matrices for the engine's modules (not a public header), written so that they are
 * inlined. Sums are added in the same order with SSE2 and without, so that all machines give the same bits.
 *
 * Quaternions are x, y, z, w of unit length and rotate a vector as q v q^-1. Matrices are column-major.
 * Results may be stored in the arguments.
 */
#ifndef MMD_MATH_H
#define MMD_MATH_H

#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static inline float clampf(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

static inline float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const float a[3], const float b[3], float out[3])
{
    float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline float length3(const float v[3])
{
    return sqrtf(dot3(v, v));
}

static inline void scale3(const float v[3], float factor, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = v[k] * factor;
}

static inline void quat_identity(float q[4])
{
    q[0] = q[1] = q[2] = 0.0f;
    q[3] = 1.0f;
}

static inline void quat_copy(const float q[4], float out[4])
{
    memmove(out, q, 4 * sizeof(float));
}

#if defined(__SSE2__)

/*
 * Computes a b, which applies b first. Products are added in the order of the plain version below, so both
 * give the same bits.
 */
static inline void quat_multiply(const float a[4], const float b[4], float out[4])
{
    const __m128 sign_x = _mm_castsi128_ps(_mm_set_epi32((int)0x80000000u, 0, (int)0x80000000u, 0));
    const __m128 sign_y = _mm_castsi128_ps(_mm_set_epi32((int)0x80000000u, (int)0x80000000u, 0, 0));
    const __m128 sign_z = _mm_castsi128_ps(_mm_set_epi32((int)0x80000000u, 0, 0, (int)0x80000000u));
    __m128 va = _mm_loadu_ps(a), vb = _mm_loadu_ps(b);
    __m128 x = _mm_xor_ps(_mm_shuffle_ps(vb, vb, _MM_SHUFFLE(0, 1, 2, 3)), sign_x);
    __m128 y = _mm_xor_ps(_mm_shuffle_ps(vb, vb, _MM_SHUFFLE(1, 0, 3, 2)), sign_y);
    __m128 z = _mm_xor_ps(_mm_shuffle_ps(vb, vb, _MM_SHUFFLE(2, 3, 0, 1)), sign_z);
    __m128 sum = _mm_mul_ps(_mm_shuffle_ps(va, va, _MM_SHUFFLE(3, 3, 3, 3)), vb);
    sum = _mm_add_ps(sum, _mm_mul_ps(_mm_shuffle_ps(va, va, _MM_SHUFFLE(0, 0, 0, 0)), x));
    sum = _mm_add_ps(sum, _mm_mul_ps(_mm_shuffle_ps(va, va, _MM_SHUFFLE(1, 1, 1, 1)), y));
    sum = _mm_add_ps(sum, _mm_mul_ps(_mm_shuffle_ps(va, va, _MM_SHUFFLE(2, 2, 2, 2)), z));
    _mm_storeu_ps(out, sum);
}

/* Computes a x b of the first three lanes and 0 in the fourth. */
static inline __m128 cross_lanes(__m128 a, __m128 b)
{
    __m128 a_yzx = _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1));
    __m128 b_yzx = _mm_shuffle_ps(b, b, _MM_SHUFFLE(3, 0, 2, 1));
    __m128 c = _mm_sub_ps(_mm_mul_ps(a, b_yzx), _mm_mul_ps(a_yzx, b));
    return _mm_shuffle_ps(c, c, _MM_SHUFFLE(3, 0, 2, 1));
}

/* Rotates the vector in the first three lanes of v: v + w t + u x t, where t = 2 u x v. */
static inline __m128 rotate_lanes(__m128 q, __m128 v)
{
    __m128 t = cross_lanes(q, v);
    t = _mm_add_ps(t, t);
    __m128 w = _mm_shuffle_ps(q, q, _MM_SHUFFLE(3, 3, 3, 3));
    return _mm_add_ps(_mm_add_ps(v, _mm_mul_ps(w, t)), cross_lanes(q, t));
}

/* Rotates v by q. */
static inline void quat_rotate(const float q[4], const float v[3], float out[3])
{
    float lanes[4];
    _mm_storeu_ps(lanes, rotate_lanes(_mm_loadu_ps(q), _mm_set_ps(0.0f, v[2], v[1], v[0])));
    memcpy(out, lanes, 3 * sizeof(float));
}

/* Computes q v q^-1. Both vectors have four floats with 0 in the fourth. */
static inline void quat_rotate_four(const float q[4], const float v[4], float out[4])
{
    _mm_storeu_ps(out, rotate_lanes(_mm_loadu_ps(q), _mm_loadu_ps(v)));
}

/* Computes t + q v q^-1. All vectors have four floats with 0 in the fourth. */
static inline void quat_rotate_add(const float q[4], const float v[4], const float t[4], float out[4])
{
    _mm_storeu_ps(out, _mm_add_ps(rotate_lanes(_mm_loadu_ps(q), _mm_loadu_ps(v)), _mm_loadu_ps(t)));
}

/* Computes the inverse rotation. */
static inline void quat_conjugate(const float q[4], float out[4])
{
    const __m128 sign =
        _mm_castsi128_ps(_mm_set_epi32(0, (int)0x80000000u, (int)0x80000000u, (int)0x80000000u));
    _mm_storeu_ps(out, _mm_xor_ps(_mm_loadu_ps(q), sign));
}

/* Stores four floats at once. Loading a vector right after four single stores would stall (no store
 * forwarding). */
static inline void quat_set(float x, float y, float z, float w, float out[4])
{
    _mm_storeu_ps(out, _mm_setr_ps(x, y, z, w));
}

/* Computes a b, which applies b first. */
static inline void matrix_multiply(const float a[16], const float b[16], float out[16])
{
    __m128 x = _mm_loadu_ps(a), y = _mm_loadu_ps(a + 4), z = _mm_loadu_ps(a + 8), w = _mm_loadu_ps(a + 12);
    for (int column = 0; column < 4; column++) {
        __m128 v = _mm_loadu_ps(b + 4 * column);
        __m128 sum = _mm_mul_ps(x, _mm_shuffle_ps(v, v, _MM_SHUFFLE(0, 0, 0, 0)));
        sum = _mm_add_ps(sum, _mm_mul_ps(y, _mm_shuffle_ps(v, v, _MM_SHUFFLE(1, 1, 1, 1))));
        sum = _mm_add_ps(sum, _mm_mul_ps(z, _mm_shuffle_ps(v, v, _MM_SHUFFLE(2, 2, 2, 2))));
        sum = _mm_add_ps(sum, _mm_mul_ps(w, _mm_shuffle_ps(v, v, _MM_SHUFFLE(3, 3, 3, 3))));
        _mm_storeu_ps(out + 4 * column, sum);
    }
}

#else

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

static inline void quat_rotate(const float q[4], const float v[3], float out[3])
{
    float tx = 2.0f * (q[1] * v[2] - q[2] * v[1]);
    float ty = 2.0f * (q[2] * v[0] - q[0] * v[2]);
    float tz = 2.0f * (q[0] * v[1] - q[1] * v[0]);
    float x = v[0] + q[3] * tx + (q[1] * tz - q[2] * ty);
    float y = v[1] + q[3] * ty + (q[2] * tx - q[0] * tz);
    float z = v[2] + q[3] * tz + (q[0] * ty - q[1] * tx);
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void quat_rotate_four(const float q[4], const float v[4], float out[4])
{
    quat_rotate(q, v, out);
    out[3] = 0.0f;
}

static inline void quat_rotate_add(const float q[4], const float v[4], const float t[4], float out[4])
{
    float turned[3];
    quat_rotate(q, v, turned);
    for (int k = 0; k < 3; k++)
        out[k] = turned[k] + t[k];
    out[3] = 0.0f;
}

static inline void quat_conjugate(const float q[4], float out[4])
{
    for (int k = 0; k < 3; k++)
        out[k] = -q[k];
    out[3] = q[3];
}

static inline void quat_set(float x, float y, float z, float w, float out[4])
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

static inline void matrix_multiply(const float a[16], const float b[16], float out[16])
{
    float left[16];
    memcpy(left, a, sizeof left);
    for (int column = 0; column < 4; column++) {
        const float v[4] = {b[4 * column], b[4 * column + 1], b[4 * column + 2], b[4 * column + 3]};
        for (int row = 0; row < 4; row++)
            out[4 * column + row] =
                left[row] * v[0] + left[4 + row] * v[1] + left[8 + row] * v[2] + left[12 + row] * v[3];
    }
}

#endif

static inline float quat_dot(const float a[4], const float b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Normalises to unit length. Quaternions of length zero or with non-finite numbers become the identity. */
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

/* Computes the axes, the images of x, y and z, of a quaternion of any length other than zero. */
static inline void quat_axes(const float q[4], float axes[3][3])
{
    float s = 2.0f / sqrtf(quat_dot(q, q)), x = q[0], y = q[1], z = q[2], w = q[3];
    float xx = s * x * x, yy = s * y * y, zz = s * z * z, xy = s * x * y, yz = s * y * z, xz = s * x * z;
    float wx = s * w * x, wy = s * w * y, wz = s * w * z;
    const float images[3][3] = {{1.0f - yy - zz, xy + wz, xz - wy},
                                {xy - wz, 1.0f - xx - zz, yz + wx},
                                {xz + wy, yz - wx, 1.0f - xx - yy}};
    memcpy(axes, images, sizeof images);
}

/* Computes the rotation with these axes, of unit length and at right angles. */
static inline void quat_from_axes(float axes[3][3], float out[4])
{
    float trace = axes[0][0] + axes[1][1] + axes[2][2];
    if (trace >= 0.0f) {
        float r = sqrtf(1.0f + trace), half = 0.5f / r;
        out[0] = half * (axes[1][2] - axes[2][1]);
        out[1] = half * (axes[2][0] - axes[0][2]);
        out[2] = half * (axes[0][1] - axes[1][0]);
        out[3] = 0.5f * r;
    } else {
        int i = axes[0][0] >= axes[1][1] && axes[0][0] >= axes[2][2] ? 0 : axes[1][1] >= axes[2][2] ? 1 : 2;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        float r = sqrtf(1.0f - axes[j][j] - axes[k][k] + axes[i][i]), half = 0.5f / r;
        out[i] = 0.5f * r;
        out[j] = half * (axes[i][j] + axes[j][i]);
        out[k] = half * (axes[i][k] + axes[k][i]);
        out[3] = half * (axes[j][k] - axes[k][j]);
    }
    quat_normalize(out);
}

/* Restores unit length of a nearly normalised quaternion by one Newton step, without a square root. */
static inline void quat_tighten(float q[4])
{
    float scale = 1.5f - 0.5f * quat_dot(q, q);
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

/* Computes the rotation by an angle in radians about a unit axis. */
static inline void quat_axis_angle(const float axis[3], float angle, float out[4])
{
    float sine, cosine;
    mmd_sincosf(0.5f * angle, &sine, &cosine);
    out[0] = axis[0] * sine;
    out[1] = axis[1] * sine;
    out[2] = axis[2] * sine;
    out[3] = cosine;
}

/* Interpolates from a to b along the shorter arc. Nearly equal rotations are interpolated linearly, with an
 * error of at most 1e-7. */
static inline void quat_slerp(const float a[4], const float b[4], float t, float out[4])
{
    float cosine = quat_dot(a, b);
    float sign = cosine < 0.0f ? -1.0f : 1.0f;
    cosine *= sign;
    float wa = 1.0f - t, wb = t;
    if (cosine < 0.9999f) {
        float angle = mmd_acosf(cosine);
        float scale = 1.0f / mmd_sinf(angle);
        wa = mmd_sinf(wa * angle) * scale;
        wb = mmd_sinf(wb * angle) * scale;
    }
    wb *= sign;
    for (int i = 0; i < 4; i++)
        out[i] = wa * a[i] + wb * b[i];
    quat_normalize(out);
}

/* Computes q to the power of ratio with MMD's sums (docs/mmd.md 4.3): the rotation about the same axis by
 * ratio times the angle within half a turn, for which MMD takes 3.14 for pi. q need not have unit length. */
static inline void quat_power(const float q[4], float ratio, float out[4])
{
    float angle = mmd_acosf(clampf(q[3], -1.0f, 1.0f)), sine, cosine;
    float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    if (angle == 0.0f || !(length > 0.0f)) {
        quat_identity(out);
        return;
    }
    if (angle > 1.57079637f)
        angle -= 3.14f;
    mmd_sincosf(angle * ratio, &sine, &cosine);
    float scale = sine / length;
    out[0] = q[0] * scale;
    out[1] = q[1] * scale;
    out[2] = q[2] * scale;
    out[3] = cosine;
}

#endif
