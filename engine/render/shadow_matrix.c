/*
 * Where shadows fall: the matrix of the self-shadow map, which hangs on the
 * camera and is warped so that it is finest near it (MMD.md 6.7; the numbers
 * are nanoem's), and the projection onto the ground (6.8).
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "arithmetic.h"
#include "mmd_math.h"

/* Lights that shine nearly along the camera get a map that is not warped; between the two it changes over. */
#define STRAIGHT 0.9f
#define WARPED   0.8f

/* clip = (x scale_x, y scale_y + offset_y, y depth_y + z depth_z, y warp + 1) */
typedef struct light_projection {
    float scale_x, scale_y, offset_y, depth_y, depth_z, warp;
} light_projection;

static float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}

/* along: how far camera and light point the same way or against each other, 0..1. */
static light_projection project(int mode, float d, float along)
{
    const float scale = mode == 2 ? 3.0f : 2.0f;
    const float warp[3] = {mode == 2 ? 3.0f : 1.0f, mode == 2 ? -4.7f : -1.3f, mode == 2 ? 1.8f : 0.4f};
    light_projection p = {.depth_z = 0.15f * d};
    if (along > STRAIGHT) {
        p.scale_x = p.scale_y = d;
        p.offset_y = along - 1.0f;
        p.warp = d * (1.0f - along);
    } else {
        float t = along > WARPED ? (along - WARPED) / (STRAIGHT - WARPED) : 0.0f;
        p.scale_x = p.scale_y = lerp(scale * d, d, t);
        p.offset_y = lerp(-1.0f, STRAIGHT - 1.0f, t);
        p.warp = d * (warp[0] + warp[1] * t + warp[2] * t * t);
    }
    p.depth_y = 0.5f * p.warp;
    return p;
}

/* Unit vector, or fallback where there is no direction. */
static void normalized(const float v[3], const float fallback[3], float out[3])
{
    float length = sqrtf(dot3(v, v));
    for (int k = 0; k < 3; k++)
        out[k] = length > 1e-6f ? v[k] / length : fallback[k];
}

/* Axes of the light's view: right, away from the camera, and along the light. */
static void light_axes(const float view[16], const float direction[3], float axes[3][3])
{
    const float forward[3] = {view[2], view[6], view[10]}, right[3] = {view[0], view[4], view[8]};
    const float down[3] = {0.0f, -1.0f, 0.0f};
    normalized(direction, down, axes[2]);
    float side[3];
    cross3(forward, axes[2], side);
    normalized(side, right, axes[0]);
    cross3(axes[2], axes[0], axes[1]);
}

void self_shadow_matrix(const float view[16], const float eye[3], const float direction[3], int mode,
                        float distance, float result[16])
{
    assert(view);
    assert(mode == 1 || mode == 2);
    const float forward[3] = {view[2], view[6], view[10]};
    float axes[3][3], origin[3], local[3][4];
    light_axes(view, direction, axes);
    for (int k = 0; k < 3; k++)
        origin[k] = eye[k] - 50.0f * direction[k];
    for (int row = 0; row < 3; row++) {
        memcpy(local[row], axes[row], sizeof axes[row]);
        local[row][3] = -dot3(axes[row], origin);
    }
    light_projection p = project(mode, distance, fabsf(dot3(forward, axes[2])));
    for (int column = 0; column < 4; column++) {
        float x = local[0][column], y = local[1][column], z = local[2][column];
        float one = column == 3 ? 1.0f : 0.0f;
        result[4 * column + 0] = p.scale_x * x;
        result[4 * column + 1] = p.scale_y * y + p.offset_y * one;
        result[4 * column + 2] = p.depth_y * y + p.depth_z * z;
        result[4 * column + 3] = p.warp * y + one;
    }
}

bool ground_shadow_matrix(const float direction[3], float result[16])
{
    assert(direction && result);
    memset(result, 0, 16 * sizeof *result);
    result[0] = result[5] = result[10] = result[15] = 1.0f;
    float length = sqrtf(dot3(direction, direction));
    if (!(fabsf(direction[1]) > 1e-4f * length))
        return false;
    result[4] = -direction[0] / direction[1];
    result[5] = 0.0f;
    result[6] = -direction[2] / direction[1];
    return true;
}
