/*
 * Heat maps with the magma colour map by N. Smith and S. van der Walt (2015, CC0; matplotlib's "magma"). Its
 * lightness rises evenly, so the order survives in grey print. The table holds every fifteenth of its 256
 * colours, interpolated linearly.
 */
#include "mmd/compare.h"

#include <assert.h>
#include <string.h>

enum { STOPS = 18 };

static const uint8_t magma[STOPS][3] = {
    {0, 0, 4},      {9, 7, 32},      {26, 16, 66},    {49, 17, 101},   {74, 16, 121},   {98, 25, 128},
    {121, 34, 130}, {145, 43, 129},  {170, 51, 125},  {194, 59, 117},  {217, 70, 107},  {236, 88, 96},
    {247, 114, 92}, {252, 142, 100}, {254, 170, 116}, {254, 198, 138}, {253, 226, 163}, {252, 253, 191}};

/* Computes the colour of a value in 0..1, clamped; NaN is 0. */
static void find_color(float value, uint8_t rgb[3])
{
    float at = (value > 0 ? value < 1 ? value : 1 : 0) * (STOPS - 1);
    int below = at < STOPS - 1 ? (int)at : STOPS - 2;
    float part = at - (float)below;
    for (int i = 0; i < 3; i++) {
        float from = magma[below][i], to = magma[below + 1][i];
        rgb[i] = (uint8_t)(from + (to - from) * part + 0.5f);
    }
}

/* The colours of all 256 levels as RGBA. */
typedef struct ramp {
    uint8_t rgba[256][4];
} ramp;

static void fill_ramp(ramp *r, float per_step)
{
    for (int i = 0; i < 256; i++) {
        find_color((float)i * per_step, r->rgba[i]);
        r->rgba[i][3] = 255;
    }
}

mmd_status mmd_heat_from_levels(const uint8_t *plane, uint32_t width, uint32_t height, float scale,
                                mmd_image *picture, mmd_error *error)
{
    assert(picture);
    mmd_status status = mmd_image_init(picture, width, height, error);
    if (status != MMD_OK)
        return status;
    ramp r;
    fill_ramp(&r, scale);
    size_t count = (size_t)width * height;
    for (size_t i = 0; i < count; i++)
        memcpy(picture->pixels + 4 * i, r.rgba[plane[i]], 4);
    picture->has_alpha = false;
    return MMD_OK;
}
