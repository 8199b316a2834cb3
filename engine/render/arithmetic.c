/* The arithmetic of MMD's look that needs no OpenGL (MMD.md 6). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "arithmetic.h"

float mmd_edge_width(const float eye[3], const float origin[3], float fov)
{
    assert(eye && origin);
    float x = eye[0] - origin[0], y = eye[1] - origin[1], z = eye[2] - origin[2];
    return 2.87e-5f * sqrtf(x * x + y * y + z * z) * fov;
}

/* Rows from first on have this colour, up to the next entry's. */
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

/* Half a pixel is 1 / size of clip space's 2 * w. */
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

/* With D3D's viewports: x of the picture's pixel p is 2 p / width - 1, y is 1 - 2 p / height. */
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

/* NaN gives 0. */
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
