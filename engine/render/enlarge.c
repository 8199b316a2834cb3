/*
 * Enlarges pictures to powers of two, as MMD does: Direct3D's helper library rounds sizes up by default, with
 * its "triangle" filter. That filter gives a new pixel the mean, over its area, of the old picture
 * interpolated linearly between pixel centres, with wrapping at the border. Frames of MMD 9.32 show it:
 * without this the blur at the steps of a 96 x 96 texture, drawn large, is half as wide as theirs.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "render_internal.h"

/* A pixel as compilers compute it with vector instructions: each channel by itself, in the order that is
 * written. */
typedef float pixel __attribute__((vector_size(16)));

/* Weights of three neighbouring old pixels for a new one. */
typedef struct tap {
    int64_t first; /* from -1; behind the last pixel the first one follows */
    float weight[3];
} tap;

static uint32_t wrap_index(int64_t index, uint32_t count)
{
    return (uint32_t)((index + count) % count);
}

/* Adds the mean of the line between old pixels first + piece and first + piece + 1 from `from` to `to`. */
static void add_piece(tap *t, int piece, double from, double to, double footprint)
{
    double share = (to - from) / footprint;
    double along = 0.5 * (from + to) - ((double)(t->first + piece) + 0.5);
    t->weight[piece] += (float)(share * (1.0 - along));
    t->weight[piece + 1] += (float)(share * along);
}

/* Computes the weights of a new pixel. Its area is at most one old pixel wide, so it contains at most one old
 * pixel centre. */
static tap tap_of(uint32_t new_pixel, uint32_t old_size, uint32_t new_size)
{
    double footprint = (double)old_size / (double)new_size;
    double from = (double)new_pixel * footprint, to = from + footprint;
    tap t = {.first = (int64_t)floor(from - 0.5), .weight = {0.0f, 0.0f, 0.0f}};
    double centre = (double)t.first + 1.5;
    add_piece(&t, 0, from, to < centre ? to : centre, footprint);
    if (to > centre)
        add_piece(&t, 1, centre, to, footprint);
    return t;
}

/* What a column of the result is computed with: the first of three old pixels, and their weights for all
 * channels. */
typedef struct column {
    pixel weight[3];
    size_t first;
} column;

/* Old rows as numbers, of which three are kept, and the mean of three of them with a border of pixels that
 * follow when the row is repeated. */
enum { ROWS = 3, BEFORE = 1, BEHIND = 2 };

typedef struct stretcher {
    const mmd_image *image;
    /* Of the first `period` columns. Each next ones are old_period pixels further in the old picture. */
    column *columns;
    uint32_t period, old_period;
    pixel *rows[ROWS], *mean;
    pixel *stretched;   /* a row of the result */
    int64_t held[ROWS]; /* which ones the rows are */
} stretcher;

/* Returns an old row as numbers. */
static const pixel *old_row(stretcher *s, int64_t row)
{
    size_t at = (size_t)(row + ROWS) % ROWS, count = s->image->width;
    float *to = (float *)s->rows[at];
    const uint8_t *from = s->image->pixels + 4 * count * wrap_index(row, s->image->height);
    for (size_t x = 0; s->held[at] != row && x < 4 * count; x++)
        to[x] = from[x];
    s->held[at] = row;
    return s->rows[at];
}

static void mix_rows(stretcher *s, const tap *t)
{
    const pixel *rows[ROWS];
    const uint32_t width = s->image->width;
    for (int i = 0; i < ROWS; i++)
        rows[i] = old_row(s, t->first + i);
    pixel *mean = s->mean + BEFORE;
    for (size_t x = 0; x < width; x++)
        mean[x] = t->weight[0] * rows[0][x] + t->weight[1] * rows[1][x] + t->weight[2] * rows[2][x];
    mean[-BEFORE] = mean[width - 1];
    for (uint32_t i = 0; i < BEHIND; i++)
        mean[width + i] = mean[i % width];
}

static void stretch_row(const stretcher *s, uint32_t width, uint8_t *out)
{
    const pixel half = {0.5f, 0.5f, 0.5f, 0.5f};
    const float *stretched = (const float *)s->stretched;
    const pixel *mean = s->mean;
    for (uint32_t x = 0; x < width; x += s->period, mean += s->old_period)
        for (uint32_t i = 0; i < s->period; i++) {
            const column *c = &s->columns[i];
            const pixel *from = mean + c->first;
            s->stretched[x + i] =
                half + c->weight[0] * from[0] + c->weight[1] * from[1] + c->weight[2] * from[2];
        }
    for (size_t i = 0; i < 4 * (size_t)width; i++)
        out[i] = (uint8_t)(int32_t)stretched[i];
}

/* Allocates all arrays in one block, which is returned. NULL if out of memory. */
static void *stretcher_init(stretcher *s, const mmd_image *image, uint32_t width)
{
    const size_t row = image->width, border = BEFORE + BEHIND;
    *s = (stretcher){.image = image,
                     .period = width,
                     .old_period = image->width,
                     .held = {-BEFORE - 1, -BEFORE - 1, -BEFORE - 1}};
    while (s->period % 2 == 0 && s->old_period % 2 == 0) { /* the new size is a power of two */
        s->period /= 2;
        s->old_period /= 2;
    }
    pixel *block =
        mmd_alloc(width * (sizeof *s->columns + sizeof(pixel)) + ((ROWS + 1) * row + border) * sizeof(pixel));
    if (!block)
        return NULL;
    s->columns = (column *)block;
    s->stretched = (pixel *)(s->columns + width);
    s->mean = s->stretched + width;
    for (size_t i = 0; i < ROWS; i++)
        s->rows[i] = s->mean + border + row + i * row;
    for (uint32_t x = 0; x < s->period; x++) {
        tap t = tap_of(x, image->width, width);
        s->columns[x].first = (size_t)(t.first + BEFORE);
        for (int i = 0; i < 3; i++)
            s->columns[x].weight[i] = (pixel){t.weight[i], t.weight[i], t.weight[i], t.weight[i]};
    }
    return block;
}

static uint32_t next_power_of_two(uint32_t size)
{
    assert(size <= UINT32_C(0x80000000));
    uint32_t power = 1;
    while (power < size)
        power *= 2;
    return power;
}

uint8_t *enlarge_to_powers_of_two(const mmd_image *image, uint32_t *width, uint32_t *height)
{
    assert(image && width && height);
    *width = next_power_of_two(image->width);
    *height = next_power_of_two(image->height);
    stretcher s;
    void *block = stretcher_init(&s, image, *width);
    uint8_t *pixels = block ? mmd_alloc(4 * (size_t)*width * *height) : NULL;
    for (uint32_t y = 0; pixels && y < *height; y++) {
        tap vertical = tap_of(y, image->height, *height);
        mix_rows(&s, &vertical);
        stretch_row(&s, *width, pixels + 4 * (size_t)y * *width);
    }
    mmd_free(block);
    return pixels;
}
