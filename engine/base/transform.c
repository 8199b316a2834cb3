/* Rigid transforms: a rotation, then a translation. */
#include <assert.h>

#include "mmd/transform.h"

#include "mmd_math.h"

void mmd_transform_matrix(const mmd_transform *transform, float matrix[16])
{
    assert(transform);
    float axes[3][3];
    quat_axes(transform->rotation, axes);
    for (int column = 0; column < 3; column++) {
        memcpy(matrix + 4 * column, axes[column], sizeof axes[column]);
        matrix[4 * column + 3] = 0.0f;
    }
    memcpy(matrix + 12, transform->translation, 3 * sizeof(float));
    matrix[15] = 1.0f;
}

void mmd_transform_point(const mmd_transform *a, const float p[3], float out[3])
{
    assert(a && p);
    float turned[4] = {p[0], p[1], p[2], 0.0f}; /* quat_rotate_add needs a fourth number */
    quat_rotate_add(a->rotation, turned, a->translation, turned);
    memcpy(out, turned, 3 * sizeof(float));
}

void mmd_transform_multiply(const mmd_transform *a, const mmd_transform *b, mmd_transform *out)
{
    assert(a && b && out);
    mmd_transform result = {.translation = {0.0f}};
    quat_multiply(a->rotation, b->rotation, result.rotation);
    mmd_transform_point(a, b->translation, result.translation);
    *out = result;
}

void mmd_transform_inverse(const mmd_transform *a, mmd_transform *out)
{
    assert(a && out);
    mmd_transform result = {.translation = {0.0f}};
    float back[4] = {-a->translation[0], -a->translation[1], -a->translation[2], 0.0f};
    quat_conjugate(a->rotation, result.rotation);
    quat_rotate(result.rotation, back, back);
    memcpy(result.translation, back, 3 * sizeof(float));
    *out = result;
}

void mmd_transform_mix(const mmd_transform *a, const mmd_transform *b, float t, mmd_transform *out)
{
    assert(a && b);
    /* t = 0 must give a bit for bit, which the arithmetic below does not. */
    if (t == 0.0f) {
        *out = *a;
        return;
    }
    mmd_transform result = {.translation = {0.0f}};
    quat_slerp(a->rotation, b->rotation, t, result.rotation);
    for (int k = 0; k < 3; k++)
        result.translation[k] = a->translation[k] + (b->translation[k] - a->translation[k]) * t;
    *out = result;
}

void mmd_rotation_yxz(const float angles[3], float rotation[4])
{
    assert(angles);
    float x[4] = {0.0f}, y[4] = {0.0f}, z[4] = {0.0f};
    mmd_sincosf(angles[0] * 0.5f, &x[0], &x[3]);
    mmd_sincosf(angles[1] * 0.5f, &y[1], &y[3]);
    mmd_sincosf(angles[2] * 0.5f, &z[2], &z[3]);
    quat_multiply(y, x, rotation);
    quat_multiply(rotation, z, rotation);
}
