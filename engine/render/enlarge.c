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

/* Old rows as numbers, of which three are kept, the mean of three of them with a border of pixels that follow
 * when the row is repeated, and how many new pixels are computed before they become bytes. */
enum { ROWS = 3, BEFORE = 1, BEHIND = 2, STRETCHED = 128 };

/* Rows that follow each other are made in so many bands side by side. */
enum { BANDS = 4 };

typedef struct band {
    pixel *rows[ROWS], *mean;
    int64_t held[ROWS]; /* which ones the rows are */
} band;

struct enlarger {
    const mmd_image *image;
    mmd_pool *pool;
    uint32_t width, height; /* of the result */
    /* Of the first `period` columns. Each next ones are old_period pixels further in the old picture. */
    column *columns;
    uint32_t period, old_period;
    band bands[BANDS];
    uint32_t first, count; /* the rows that are being made, */
    uint8_t *to;           /* and where the first of them is written */
};

/* Returns an old row as numbers. */
static const pixel *old_row(const mmd_image *image, band *b, int64_t row)
{
    size_t at = (size_t)(row + ROWS) % ROWS, count = image->width;
    float *to = (float *)b->rows[at];
    const uint8_t *from = image->pixels + 4 * count * wrap_index(row, image->height);
    for (size_t x = 0; b->held[at] != row && x < 4 * count; x++)
        to[x] = from[x];
    b->held[at] = row;
    return b->rows[at];
}

static void mix_rows(const mmd_image *image, band *b, const tap *t)
{
    const pixel *rows[ROWS];
    const uint32_t width = image->width;
    for (int i = 0; i < ROWS; i++)
        rows[i] = old_row(image, b, t->first + i);
    pixel *mean = b->mean + BEFORE;
    for (size_t x = 0; x < width; x++)
        mean[x] = t->weight[0] * rows[0][x] + t->weight[1] * rows[1][x] + t->weight[2] * rows[2][x];
    mean[-BEFORE] = mean[width - 1];
    for (uint32_t i = 0; i < BEHIND; i++)
        mean[width + i] = mean[i % width];
}

static void stretch_row(const enlarger *e, const pixel *mean, uint8_t *out)
{
    const pixel half = {0.5f, 0.5f, 0.5f, 0.5f};
    const column *c = e->columns, *end = c + e->period;
    pixel stretched[STRETCHED];
    for (uint32_t x = 0, count; x < e->width; x += count, out += 4 * (size_t)count) {
        count = e->width - x < STRETCHED ? e->width - x : STRETCHED;
        for (uint32_t i = 0; i < count; i++) {
            const pixel *from = mean + c->first;
            stretched[i] = half + c->weight[0] * from[0] + c->weight[1] * from[1] + c->weight[2] * from[2];
            if (++c == end) {
                c = e->columns;
                mean += e->old_period;
            }
        }
        const float *channels = (const float *)stretched;
        for (size_t i = 0; i < 4 * (size_t)count; i++)
            out[i] = (uint8_t)(int32_t)channels[i];
    }
}

/* Makes the rows of a band: an mmd_pool_job. */
static void make_band(void *context, uint32_t index)
{
    enlarger *e = context;
    band *b = &e->bands[index];
    const uint32_t first = e->count * index / BANDS, end = e->count * (index + 1) / BANDS;
    for (uint32_t y = first; y < end; y++) {
        tap vertical = tap_of(e->first + y, e->image->height, e->height);
        mix_rows(e->image, b, &vertical);
        stretch_row(e, b->mean, e->to + 4 * (size_t)y * e->width);
    }
}

static uint32_t next_power_of_two(uint32_t size)
{
    assert(size <= UINT32_C(0x80000000));
    uint32_t power = 1;
    while (power < size)
        power *= 2;
    return power;
}

enlarger *enlarger_create(const mmd_image *image, mmd_pool *pool, uint32_t *width, uint32_t *height)
{
    assert(image && image->width && image->height && width && height);
    *width = next_power_of_two(image->width);
    *height = next_power_of_two(image->height);
    const size_t row = image->width, border = BEFORE + BEHIND, each = (ROWS + 1) * row + border;
    uint32_t period = *width, old_period = image->width;
    while (period % 2 == 0 && old_period % 2 == 0) { /* the new size is a power of two */
        period /= 2;
        old_period /= 2;
    }
    enlarger *e = mmd_alloc(sizeof *e);
    column *columns = mmd_alloc(period * sizeof *columns + BANDS * each * sizeof(pixel));
    if (!e || !columns) {
        mmd_free(e);
        mmd_free(columns);
        return NULL;
    }
    *e = (enlarger){.image = image,
                    .pool = pool,
                    .width = *width,
                    .height = *height,
                    .columns = columns,
                    .period = period,
                    .old_period = old_period};
    pixel *pixels = (pixel *)(columns + period);
    for (uint32_t k = 0; k < BANDS; k++, pixels += each) {
        e->bands[k].mean = pixels;
        for (size_t i = 0; i < ROWS; i++) {
            e->bands[k].rows[i] = pixels + border + row + i * row;
            e->bands[k].held[i] = -BEFORE - 1;
        }
    }
    for (uint32_t x = 0; x < period; x++) {
        tap t = tap_of(x, image->width, *width);
        columns[x].first = (size_t)(t.first + BEFORE);
        for (int i = 0; i < 3; i++)
            columns[x].weight[i] = (pixel){t.weight[i], t.weight[i], t.weight[i], t.weight[i]};
    }
    return e;
}

void enlarger_rows(void *enlarger_, uint32_t first, uint32_t count, uint8_t *to)
{
    enlarger *e = enlarger_;
    assert(e && first + count <= e->height && to);
    e->first = first;
    e->count = count;
    e->to = to;
    mmd_pool_run(e->pool, BANDS, make_band, e);
}

void enlarger_destroy(enlarger *e)
{
    if (e)
        mmd_free(e->columns);
    mmd_free(e);
}
