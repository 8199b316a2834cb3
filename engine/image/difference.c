/*
 * Guesses the kind of a difference from the pixels that differ, of all materials or of one:
 *
 *   moved   B shifted by some pixels agrees with A
 *   edges   nearly all of the difference is in thin lines at edges
 *   colour  the shapes are the same: B is A times a factor, or a function of the colour of A, or the change
 * is smooth although the picture is not toon    as colour, but only in a part of the surface, as if it were
 * lit differently
 *
 * Each kind is tested by the share of the difference that it leaves unexplained. The kind is unknown when
 * none explains most of it.
 */
#include "compare_parts.h"
#include "mmd/difference.h"
#include "mmd/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/elementary.h"

enum {
    REACH = 16,           /* largest shift in pixels that is searched */
    SAMPLES_MAX = 2000,   /* largest number of pixels that the search compares */
    EDGE_DISTANCE = 2,    /* pixels from an edge that count as near it */
    OUTLINE_DISTANCE = 4, /* outlines are two or three pixels wide */
    THIN_MAX = 4,         /* largest width of a thin line in pixels */
    STEP_LEVELS = 12,     /* differences in levels that count as an edge */
    STRONG_STEP_LEVELS = 48,
    BIN_PIXELS_MIN = 4, /* bins with fewer pixels prove nothing */
    BINS = 32 * 32 * 32 /* colours with 5 bits per channel */
};

/* A kind is accepted if it leaves less than this share of the difference unexplained. */
static const double moved_rest = 0.4, factor_rest = 0.2, function_rest = 0.3, smooth_rest = 0.3;

/* A difference is at edges if it is this many times as strong there as elsewhere. */
static const double edge_strength = 6;

/* Levels per value that rounding alone causes. */
static const double rounding = 0.3;

enum { NEAR_EDGE = 1, NEAR_OUTLINE = 2 };

/* Pixels of nearly one colour in A: their number and the sums of their changes. */
typedef struct color_bin {
    uint32_t count;
    int32_t sum[3];
} color_bin;

/* A comparison whose kind of difference is to be found. */
typedef struct kind_input {
    const mmd_compare *compare;
    const mmd_compare_result *result;
    const mmd_image *a; /* whole */
    const mmd_ids *ids; /* or NULL */
    uint32_t material;  /* id of the material to examine; UINT32_MAX: all */
} kind_input;

/* The compared region of both pictures, and which of its pixels are examined. */
typedef struct pixel_set {
    const uint8_t *a, *b; /* RGBA of the region */
    const uint8_t *difference;
    uint8_t *chosen;        /* whether a pixel is examined: it belongs to the material */
    uint8_t *near;          /* NEAR_… bits of each pixel */
    uint32_t (*samples)[2]; /* room for SAMPLES_MAX pixels */
    color_bin *bins;        /* room for BINS */
    uint32_t width, height;
    size_t chosen_count, changed_count;
    uint64_t sum;
} pixel_set;

/* --- Choosing pixels --- */

/* Chooses the pixels of the material, or all, and sums up their difference. */
static void choose(const kind_input *in, pixel_set *s)
{
    const mmd_compare_result *r = in->result;
    for (uint32_t y = 0; y < s->height; y++) {
        for (uint32_t x = 0; x < s->width; x++) {
            size_t i = (size_t)y * s->width + x;
            bool chosen = true;
            if (in->ids && in->material != UINT32_MAX)
                chosen = in->ids->ids[(size_t)(y + r->a_y) * in->ids->width + x + r->a_x][1] == in->material;
            s->chosen[i] = chosen;
            s->chosen_count += chosen;
            s->changed_count += chosen && s->difference[i];
            s->sum += chosen ? s->difference[i] : 0;
        }
    }
}

/* Marks the pixels near an edge of the ids, or with steps > 0 near a step of that many levels in A. */
static mmd_status mark(const kind_input *in, pixel_set *s, uint8_t steps, uint8_t bit, mmd_error *error)
{
    const mmd_compare_result *r = in->result;
    uint32_t distance = bit == NEAR_EDGE ? EDGE_DISTANCE : OUTLINE_DISTANCE;
    const mmd_label_plane labels = in->ids ? mmd_ids_labels(in->ids) : (mmd_label_plane){0};
    mmd_mask mask = {0};
    mmd_status status = mmd_mask_init(&mask, in->a->width, in->a->height, error);
    if (status == MMD_OK)
        status = mmd_mask_edges_or_steps(&mask, steps ? NULL : &labels, in->a, steps, distance, MMD_MASK_KEEP,
                                         error);
    for (uint32_t y = 0; y < s->height && status == MMD_OK; y++)
        for (uint32_t x = 0; x < s->width; x++)
            if (mask.pixels[(size_t)(y + r->a_y) * mask.width + x + r->a_x])
                s->near[(size_t)y * s->width + x] |= bit;
    mmd_mask_finish(&mask);
    return status;
}

/* Marks edges and outlines. Where a surface lies in front of itself, ids have no edge, but colours have a
 * strong step. */
static mmd_status find_edges(const kind_input *in, pixel_set *s, mmd_error *error)
{
    memset(s->near, 0, (size_t)s->width * s->height);
    mmd_status status = mark(in, s, in->ids ? 0 : STEP_LEVELS, NEAR_EDGE, error);
    if (status == MMD_OK && in->ids)
        status = mark(in, s, 0, NEAR_OUTLINE, error);
    if (status == MMD_OK)
        status = mark(in, s, STRONG_STEP_LEVELS, NEAR_OUTLINE, error);
    return status;
}

/* Finds the bounding box of all pixels that differ, of any material. */
static void find_box(const kind_input *in, const pixel_set *s, mmd_difference *found)
{
    uint32_t left = s->width, right = 0, top = s->height, bottom = 0;
    for (uint32_t y = 0; y < s->height; y++) {
        for (uint32_t x = 0; x < s->width; x++) {
            if (!s->difference[(size_t)y * s->width + x])
                continue;
            left = x < left ? x : left;
            right = x >= right ? x + 1 : right;
            top = y < top ? y : top;
            bottom = y + 1;
        }
    }
    if (left < right) {
        const uint32_t box[4] = {left + in->result->a_x, top + in->result->a_y, right - left, bottom - top};
        memcpy(found->box, box, sizeof box);
    }
}

/* --- Moved --- */

/* Returns the sum of the differences of red, green and blue. */
static uint32_t pixel_distance(const uint8_t *a, const uint8_t *b)
{
    uint32_t sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (uint32_t)abs(a[k] - b[k]);
    return sum;
}

/* Lists every n-th changed pixel that is at least REACH away from the border. Returns their number. */
static size_t list_samples(const pixel_set *s)
{
    size_t count = 0, seen = 0, step = s->changed_count / SAMPLES_MAX + 1;
    for (uint32_t y = REACH; y + REACH < s->height; y++)
        for (uint32_t x = REACH; x + REACH < s->width; x++) {
            size_t i = (size_t)y * s->width + x;
            if (s->chosen[i] && s->difference[i] && seen++ % step == 0 && count < SAMPLES_MAX) {
                s->samples[count][0] = x;
                s->samples[count++][1] = y;
            }
        }
    return count;
}

/*
 * Returns the difference that remains when B is shifted: a pixel of A is looked for at the shift in B, and
 * one of B at the opposite shift in A. With only one of the two, a plain surface in another colour would
 * count as moved, because unchanged pixels of its colour lie beside it.
 */
static uint64_t shifted_difference(const pixel_set *s, size_t count, int32_t dx, int32_t dy)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t from = (size_t)s->samples[i][1] * s->width + s->samples[i][0];
        int64_t way = (int64_t)dy * s->width + dx;
        size_t to = (size_t)((int64_t)from + way), back = (size_t)((int64_t)from - way);
        sum +=
            pixel_distance(s->a + 4 * from, s->b + 4 * to) + pixel_distance(s->b + 4 * from, s->a + 4 * back);
    }
    return sum;
}

/* Searches the shift of B with the least difference. Returns whether it explains the difference. */
static bool find_move(const pixel_set *s, mmd_difference *found)
{
    size_t count = list_samples(s);
    uint64_t still = shifted_difference(s, count, 0, 0);
    uint64_t best = still;
    for (int32_t dy = -REACH; dy <= REACH && count >= 16; dy++) {
        for (int32_t dx = -REACH; dx <= REACH; dx++) {
            uint64_t sum = shifted_difference(s, count, dx, dy);
            bool nearer = sum == best && dx * dx + dy * dy < found->moved[0] * found->moved[0] +
                                                                 found->moved[1] * found->moved[1];
            if (sum < best || nearer) {
                best = sum;
                found->moved[0] = dx;
                found->moved[1] = dy;
            }
        }
    }
    return still && (double)best < moved_rest * (double)still;
}

/* --- Edges --- */

/* Returns the number of adjacent changed pixels in the row or column of this one, at most THIN_MAX + 1. */
static uint32_t run_length(const pixel_set *s, size_t i, size_t at, size_t count, size_t stride)
{
    uint32_t length = 1;
    for (size_t k = 1; length <= THIN_MAX && k <= at && s->difference[i - k * stride]; k++)
        length++;
    for (size_t k = 1; length <= THIN_MAX && at + k < count && s->difference[i + k * stride]; k++)
        length++;
    return length;
}

/* Returns whether a change is thin, as outlines and antialiasing are, unlike a limb in another colour. */
static bool is_thin(const pixel_set *s, size_t i)
{
    return run_length(s, i, i % s->width, s->width, 1) <= THIN_MAX ||
           run_length(s, i, i / s->width, s->height, s->width) <= THIN_MAX;
}

/* Returns whether nearly all of the difference is in thin lines near edges, and several times as strong there
 * as elsewhere. */
static bool is_at_edges(const pixel_set *s)
{
    uint64_t sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        if (s->chosen[i] && s->near[i] & NEAR_OUTLINE) {
            sum += s->difference[i] && is_thin(s, i) ? s->difference[i] : 0;
            count++;
        }
    }
    double elsewhere = (double)(s->sum - sum) * (double)count;
    return s->sum && (double)sum >= 0.9 * (double)s->sum && s->chosen_count > count &&
           (double)sum * (double)(s->chosen_count - count) >= edge_strength * elsewhere;
}

/* --- Colours --- */

/* Returns whether a pixel is chosen, has changed and is not near an edge, so that its colours can be
 * compared. */
static bool is_inner_change(const pixel_set *s, size_t i)
{
    return s->chosen[i] && s->difference[i] && !(s->near[i] & NEAR_EDGE);
}

/* Fits B = factor * A by least squares. Returns whether it explains the difference. */
static bool fit_factor(const pixel_set *s, double factor[3])
{
    double ab[3] = {0}, aa[3] = {0}, rest = 0, all = 0;
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        if (!is_inner_change(s, i))
            continue;
        for (size_t k = 0; k < 3; k++) {
            double a = s->a[4 * i + k], b = s->b[4 * i + k];
            ab[k] += a * b;
            aa[k] += a * a;
        }
    }
    for (int k = 0; k < 3; k++)
        factor[k] = aa[k] > 0 ? ab[k] / aa[k] : 1;
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        if (!is_inner_change(s, i))
            continue;
        for (size_t k = 0; k < 3; k++) {
            double a = s->a[4 * i + k], b = s->b[4 * i + k];
            rest += mmd_max(0, fabs(b - factor[k] * a) - rounding);
            all += fabs(b - a);
        }
    }
    return all > 0 && rest <= factor_rest * all;
}

/* Returns the bin of a colour. */
static size_t bin_of(const uint8_t *rgb)
{
    return (size_t)(rgb[0] >> 3) << 10 | (size_t)(rgb[1] >> 3) << 5 | (size_t)(rgb[2] >> 3);
}

/* Sums up the changes of the chosen pixels by the colour in A, without those near edges. */
static void fill_bins(const pixel_set *s)
{
    memset(s->bins, 0, BINS * sizeof *s->bins);
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        if (!s->chosen[i] || s->near[i] & NEAR_EDGE)
            continue;
        color_bin *bin = &s->bins[bin_of(s->a + 4 * i)];
        bin->count++;
        for (size_t k = 0; k < 3; k++)
            bin->sum[k] += s->b[4 * i + k] - s->a[4 * i + k];
    }
}

/* Returns whether each colour of A has become one colour in B. Bins with few pixels count as unexplained. */
static bool is_function_of_color(const pixel_set *s)
{
    double rest = 0, all = 0;
    fill_bins(s);
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        if (!s->chosen[i] || s->near[i] & NEAR_EDGE)
            continue;
        const color_bin *bin = &s->bins[bin_of(s->a + 4 * i)];
        for (size_t k = 0; k < 3; k++) {
            double change = s->b[4 * i + k] - s->a[4 * i + k];
            double typical = bin->count < BIN_PIXELS_MIN ? 0 : (double)bin->sum[k] / bin->count;
            rest += mmd_max(0, fabs(change - typical) - rounding);
            all += fabs(change);
        }
    }
    return all > 0 && rest <= function_rest * all;
}

/* Returns whether the change varies little between adjacent changed pixels, compared with its size. */
static bool is_smooth(const pixel_set *s)
{
    double rest = 0, all = 0;
    for (uint32_t y = 0; y < s->height; y++) {
        for (uint32_t x = 0; x + 1 < s->width; x++) {
            size_t i = (size_t)y * s->width + x;
            if (!is_inner_change(s, i) || !is_inner_change(s, i + 1))
                continue;
            for (size_t k = 0; k < 3; k++) {
                int change = s->b[4 * i + k] - s->a[4 * i + k];
                int next = s->b[4 * i + 4 + k] - s->a[4 * i + 4 + k];
                rest += mmd_max(0, abs(next - change) - 2 * rounding);
                all += abs(change);
            }
        }
    }
    return all > 0 && rest <= smooth_rest * all;
}

/* Finds out whether the difference is one of colour or toon. whole: the pixels are of the whole picture or of
 * the background, for which the share of changed pixels does not indicate a toon. */
static void find_colors(const pixel_set *s, bool whole, mmd_difference *found)
{
    size_t inner = 0, changed = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        inner += s->chosen[i] && !(s->near[i] & NEAR_EDGE);
        changed += is_inner_change(s, i);
        sum += is_inner_change(s, i) ? s->difference[i] : 0;
    }
    if (changed < 16 || 2 * sum < s->sum) /* the pixels must hold at least half of the difference */
        return;
    found->changed = (double)changed / (double)inner;
    found->has_factor = fit_factor(s, found->factor);
    if (found->has_factor || is_function_of_color(s) || is_smooth(s))
        found->kind = found->changed < 0.85 && !whole ? MMD_DIFFERENCE_TOON : MMD_DIFFERENCE_COLOR;
}

/* --- The kind --- */

/* Finds the kind of the difference in the region. MMD_ERROR_MEMORY. */
static mmd_status examine(const kind_input *in, pixel_set *s, mmd_difference *found, mmd_error *error)
{
    size_t size = (size_t)s->width * s->height;
    s->chosen = mmd_alloc(size);
    s->near = mmd_alloc(size);
    s->samples = mmd_alloc(SAMPLES_MAX * sizeof *s->samples);
    s->bins = mmd_alloc(BINS * sizeof *s->bins);
    if (!s->chosen || !s->near || !s->samples || !s->bins)
        return mmd_error_memory(error);
    choose(in, s);
    find_box(in, s, found);
    mmd_status status = find_edges(in, s, error);
    if (status != MMD_OK)
        return status;
    if (find_move(s, found))
        found->kind = MMD_DIFFERENCE_MOVED;
    else if (is_at_edges(s))
        found->kind = MMD_DIFFERENCE_EDGES;
    else
        find_colors(s, !in->ids || in->material == UINT32_MAX || in->material == 0, found);
    return MMD_OK;
}

/* Returns the id of the material with at least half of the difference, or UINT32_MAX. */
static mmd_status find_material(const mmd_compare *compare, const mmd_ids *ids, uint32_t *material,
                                mmd_error *error)
{
    const mmd_label_plane labels = mmd_ids_labels(ids);
    mmd_label_share share = {0};
    size_t count;
    mmd_status status = mmd_compare_by_label(compare, &labels, MMD_LABEL_MATERIAL, &share, 1, &count, error);
    *material = share.share >= 0.5 ? share.ids[1] : UINT32_MAX;
    return status;
}

mmd_status mmd_difference_find(const mmd_compare *compare, const mmd_image *a, const mmd_ids *ids,
                               mmd_difference *difference, mmd_error *error)
{
    assert(compare && a && difference);
    const compare_last last = compare_last_run(compare);
    assert(last.region && a->width == last.a_width && a->height == last.a_height);
    assert(!ids || (ids->width == a->width && ids->height == a->height));
    kind_input in = {.compare = compare, .result = last.result, .a = a, .ids = ids, .material = UINT32_MAX};
    mmd_image region_a = {0}, region_b = {0};
    *difference = (mmd_difference){0};
    mmd_status status = ids ? find_material(compare, ids, &in.material, error) : MMD_OK;
    if (status == MMD_OK)
        status = mmd_compare_region_a(compare, &region_a, error);
    if (status == MMD_OK)
        status = mmd_compare_region_b(compare, &region_b, error);
    if (status == MMD_OK) {
        pixel_set s = {.a = region_a.pixels,
                       .b = region_b.pixels,
                       .difference = last.difference,
                       .width = last.result->width,
                       .height = last.result->height};
        difference->material = in.material;
        status = examine(&in, &s, difference, error);
        mmd_free(s.chosen);
        mmd_free(s.near);
        mmd_free(s.samples);
        mmd_free(s.bins);
    }
    mmd_image_finish(&region_a);
    mmd_image_finish(&region_b);
    return status;
}

/* --- Words --- */

const char *mmd_difference_kind_name(mmd_difference_kind kind)
{
    static const char *const names[] = {"unknown", "moved", "edges", "color", "toon"};
    assert((unsigned)kind < sizeof names / sizeof *names);
    return names[kind];
}

const char *mmd_difference_clause(const mmd_difference *difference, char *text, size_t capacity)
{
    assert(difference && text && capacity > 0);
    char factor[64] = "", part[48] = "";
    if (difference->has_factor)
        snprintf(factor, sizeof factor, " times %.2f, %.2f, %.2f", difference->factor[0],
                 difference->factor[1], difference->factor[2]);
    if (difference->changed > 0)
        snprintf(part, sizeof part, ": %.0f %% of its pixels", 100 * difference->changed);
    switch (difference->kind) {
    case MMD_DIFFERENCE_MOVED:
        snprintf(text, capacity, "moved by about %d, %d pixels", difference->moved[0], difference->moved[1]);
        break;
    case MMD_DIFFERENCE_EDGES:
        snprintf(text, capacity, "at edges only (antialiasing or outlines)");
        break;
    case MMD_DIFFERENCE_COLOR:
        snprintf(text, capacity, "a colour, toon or texture difference%s%s", *factor ? ":" : "", factor);
        break;
    case MMD_DIFFERENCE_TOON:
        snprintf(text, capacity, "a toon difference%s%s", part, factor);
        break;
    default:
        *text = '\0';
    }
    return text;
}
