/* Arithmetic of MMD's look that needs no OpenGL (docs/mmd.md 6). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "arithmetic.h"
#include "mmd_math.h"

/* ---------------------------------------------------- edges, toons, colours */

float mmd_edge_width(const float eye[3], const float origin[3], float fov)
{
    assert(eye && origin);
    float x = eye[0] - origin[0], y = eye[1] - origin[1], z = eye[2] - origin[2];
    return (2.7e-5f * fov + 4.5e-5f) * sqrtf(x * x + y * y + z * z);
}

float mmd_render_edge_width(const mmd_render_scene *scene, const float origin[3])
{
    assert(scene && origin);
    return scene->edge_width > 0.0f ? scene->edge_width : mmd_edge_width(scene->eye, origin, scene->fov);
}

/* Rows from `first` up to the next entry's have this colour. */
typedef struct toon_step {
    uint8_t first;
    uint32_t rgb;
} toon_step;

enum { TOON_STEPS_MAX = 12 };

static const toon_step toon_steps[10][TOON_STEPS_MAX] = {
    {{0, 0xffffff}, {16, 0xcdcdcd}},
    {{0, 0xffffff}, {16, 0xf5e1e1}},
    {{0, 0xffffff}, {16, 0x9a9a9a}},
    {{0, 0xffffff}, {16, 0xf8efeb}},
    {{0, 0xffffff},
     {18, 0xfffefe},
     {19, 0xfffcfb},
     {20, 0xfff8f6},
     {21, 0xfff4f0},
     {22, 0xfff0ea},
     {23, 0xffece4},
     {24, 0xfee8df},
     {25, 0xffe7de},
     {26, 0xffe7dd}},
    {{0, 0xffed61},
     {7, 0xffee63},
     {8, 0xfff499},
     {9, 0xfffad5},
     {10, 0xfffacb},
     {11, 0xffee67},
     {12, 0xffed61},
     {22, 0xfae758},
     {23, 0xe1cc32},
     {24, 0xc9b20c},
     {25, 0xc4ad04},
     {26, 0xc3ac03}},
    {{0, 0xffffff}},
    {{0, 0xffffff}},
    {{0, 0xffffff}},
    {{0, 0xffffff}},
};

void shared_toon_column(int number, uint8_t rgb[32][3])
{
    assert(number >= 0 && number < 10);
    const toon_step *steps = toon_steps[number];
    size_t step = 0;
    for (uint8_t row = 0; row < 32; row++) {
        while (step + 1 < TOON_STEPS_MAX && steps[step + 1].first && steps[step + 1].first <= row)
            step++;
        rgb[row][0] = (uint8_t)(steps[step].rgb >> 16);
        rgb[row][1] = (uint8_t)(steps[step].rgb >> 8);
        rgb[row][2] = (uint8_t)steps[step].rgb;
    }
}

/* Shifts by half a pixel, which is 1 / size in clip space (times w). */
void mmd_shift_pixel_centers(const float projection[16], uint32_t width, uint32_t height, float result[16])
{
    assert(width && height);
    memmove(result, projection, 16 * sizeof *result);
    for (int column = 0; column < 4; column++) {
        float w = result[4 * column + 3];
        result[4 * column + 0] += w / (float)width;
        result[4 * column + 1] -= w / (float)height;
    }
}

/* Uses D3D's viewport mapping: pixel p has x = 2 p / width - 1 and y = 1 - 2 p / height. */
void window_projection(const float projection[16], const picture_window *window, float result[16])
{
    assert(window->picture_width && window->picture_height && window->width && window->height);
    double across = (double)window->picture_width / window->width;
    double down = (double)window->picture_height / window->height;
    double right = across - 1.0 - 2.0 * window->left / window->width;
    double up = 1.0 - down + 2.0 * window->top / window->height;
    memmove(result, projection, 16 * sizeof *result);
    for (int column = 0; column < 4; column++) {
        double w = (double)result[4 * column + 3];
        result[4 * column + 0] = (float)(across * (double)result[4 * column + 0] + right * w);
        result[4 * column + 1] = (float)(down * (double)result[4 * column + 1] + up * w);
    }
}

/* Limits to 0..1. NaN gives 0. */
static float saturate(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

void material_base_color(const mmd_material_values *values, const float light_color[3], float rgba[4])
{
    assert(values && rgba);
    for (int k = 0; k < 3; k++)
        rgba[k] = saturate(values->diffuse[k] * light_color[k] + values->ambient[k]);
    rgba[3] = saturate(values->diffuse[3]);
}

void accessory_dark_color(const mmd_material_values *values, const float light_color[3], float rgba[4])
{
    assert(values && rgba);
    for (int k = 0; k < 3; k++)
        rgba[k] = values->diffuse[k] * (light_color[k] - 0.3f) + values->ambient[k];
    rgba[3] = saturate(values->diffuse[3]);
}

void mmd_unpremultiply(uint8_t *rgba, size_t count)
{
    assert(rgba || count == 0);
    for (uint8_t *pixel = rgba; count--; pixel += 4) {
        uint32_t a = pixel[3];
        if (a == 255 || a == 0)
            continue;
        for (int k = 0; k < 3; k++) {
            uint32_t value = (pixel[k] * 255u + a / 2) / a;
            pixel[k] = (uint8_t)(value < 255 ? value : 255);
        }
    }
}

/* ------------------------------------------------------------------ shadows */

/* The matrix of the self-shadow map, which is attached to the camera and warped so that it is finest near it
 * (docs/mmd.md 6.7; the constants are nanoem's), and the projection onto the ground (6.8). */

/* Cosine between light and camera directions: above STRAIGHT the map is not warped, below WARPED fully, and
 * in between it is interpolated. */
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

/* Computes the projection. along: how parallel camera and light are, 0..1, whatever their sense. */
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

/* Returns the unit vector, or fallback for a zero vector. */
static void normalized(const float v[3], const float fallback[3], float out[3])
{
    float length = sqrtf(dot3(v, v));
    for (int k = 0; k < 3; k++)
        out[k] = length > 1e-6f ? v[k] / length : fallback[k];
}

/* Computes the axes of the light's view: right, away from the camera, and along the light. */
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
    if (!(-direction[1] > 1e-4f * length))
        return false;
    result[4] = -direction[0] / direction[1];
    result[5] = 0.0f;
    result[6] = -direction[2] / direction[1];
    result[13] = 0.1f;
    return true;
}
