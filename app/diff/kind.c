/*
 * Guesses the kind of a difference from the pixels that differ, of all materials or of one:
 *
 *   moved   B shifted by some pixels agrees with A
 *   edges   nearly all of the difference is in thin lines at edges
 *   colour  the shapes are the same: B is A times a factor, or a function of the colour of A, or the change is
 *           smooth although the picture is not
 *   toon    as colour, but only in a part of the surface, as if it were lit differently
 *
 * Each kind is tested by the share of the difference that it leaves unexplained. The kind is unknown when none
 * explains most of it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/picture.h"
#include "internal.h"
#include "mmd/memory.h"

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

/* The compared region of both pictures, and which of its pixels are examined. */
typedef struct pixel_set {
    const uint8_t *a, *b; /* RGBA of the region */
    const uint8_t *difference;
    uint8_t *chosen; /* whether a pixel is examined: it belongs to the material */
    uint8_t *near;   /* NEAR_… bits of each pixel */
    uint32_t width, height;
    size_t chosen_count, changed_count;
    uint64_t sum;
} pixel_set;

/* --- Choosing pixels --- */

/* Chooses the pixels of the material, or all, and sums up their difference. */
static void choose(const nature_input *in, pixel_set *s)
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
static mmd_status mark(const nature_input *in, pixel_set *s, uint8_t steps, uint8_t bit, mmd_error *error)
{
    const mmd_compare_result *r = in->result;
    uint32_t distance = bit == NEAR_EDGE ? EDGE_DISTANCE : OUTLINE_DISTANCE;
    const mmd_label_plane labels = {in->a->width, in->a->height,
                                    in->ids ? (const uint32_t(*)[3])in->ids->ids : NULL};
    mmd_mask mask = {0};
    if (!mask_start(&mask, in->a->width, in->a->height))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "while finding the kind of difference");
    mmd_status status =
        mask_near_edges(&mask, steps ? NULL : &labels, in->a, steps, distance, MMD_MASK_KEEP, error);
    for (uint32_t y = 0; y < s->height && status == MMD_OK; y++)
        for (uint32_t x = 0; x < s->width; x++)
            if (mask.pixels[(size_t)(y + r->a_y) * mask.width + x + r->a_x])
                s->near[(size_t)y * s->width + x] |= bit;
    mask_finish(&mask);
    return status;
}

/* Marks edges and outlines. Where a surface lies in front of itself, ids have no edge, but colours have a strong
 * step. */
static mmd_status find_edges(const nature_input *in, pixel_set *s, mmd_error *error)
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
static void find_box(const nature_input *in, const pixel_set *s, diff_nature *nature)
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
        memcpy(nature->box, box, sizeof box);
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
static size_t list_samples(const pixel_set *s, uint32_t (*samples)[2])
{
    size_t count = 0, seen = 0, step = s->changed_count / SAMPLES_MAX + 1;
    for (uint32_t y = REACH; y + REACH < s->height; y++)
        for (uint32_t x = REACH; x + REACH < s->width; x++) {
            size_t i = (size_t)y * s->width + x;
            if (s->chosen[i] && s->difference[i] && seen++ % step == 0 && count < SAMPLES_MAX) {
                samples[count][0] = x;
                samples[count++][1] = y;
            }
        }
    return count;
}

/*
 * Returns the difference that remains when B is shifted: a pixel of A is looked for at the shift in B, and one of B
 * at the opposite shift in A. With only one of the two, a plain surface in another colour would count as moved,
 * because unchanged pixels of its colour lie beside it.
 */
static uint64_t shifted_difference(const pixel_set *s, const uint32_t (*samples)[2], size_t count, int32_t dx,
                                   int32_t dy)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t from = (size_t)samples[i][1] * s->width + samples[i][0];
        int64_t way = (int64_t)dy * s->width + dx;
        size_t to = (size_t)((int64_t)from + way), back = (size_t)((int64_t)from - way);
        sum +=
            pixel_distance(s->a + 4 * from, s->b + 4 * to) + pixel_distance(s->b + 4 * from, s->a + 4 * back);
    }
    return sum;
}

/* Searches the shift of B with the least difference. Returns whether it explains the difference. */
static bool find_move(const pixel_set *s, diff_nature *nature)
{
    uint32_t(*samples)[2] = mmd_alloc(SAMPLES_MAX * sizeof *samples);
    size_t count = samples ? list_samples(s, samples) : 0;
    uint64_t still = count ? shifted_difference(s, (const uint32_t(*)[2])samples, count, 0, 0) : 0;
    uint64_t best = still;
    for (int32_t dy = -REACH; dy <= REACH && count >= 16; dy++) {
        for (int32_t dx = -REACH; dx <= REACH; dx++) {
            uint64_t sum = shifted_difference(s, (const uint32_t(*)[2])samples, count, dx, dy);
            bool nearer = sum == best && dx * dx + dy * dy < nature->moved[0] * nature->moved[0] +
                                                                 nature->moved[1] * nature->moved[1];
            if (sum < best || nearer) {
                best = sum;
                nature->moved[0] = dx;
                nature->moved[1] = dy;
            }
        }
    }
    mmd_free(samples);
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

/* Returns whether nearly all of the difference is in thin lines near edges, and several times as strong there as
 * elsewhere. */
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

/* Returns whether a pixel is chosen, has changed and is not near an edge, so that its colours can be compared. */
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
            rest += fmax(0, fabs(b - factor[k] * a) - rounding);
            all += fabs(b - a);
        }
    }
    return all > 0 && rest <= factor_rest * all;
}

/* Pixels of nearly one colour in A: their number and the sums of their changes. */
typedef struct color_bin {
    uint32_t count;
    int32_t sum[3];
} color_bin;

/* Returns the bin of a colour. */
static size_t bin_of(const uint8_t *rgb)
{
    return (size_t)(rgb[0] >> 3) << 10 | (size_t)(rgb[1] >> 3) << 5 | (size_t)(rgb[2] >> 3);
}

/* Sums up the changes of the chosen pixels by the colour in A, without those near edges. */
static void fill_bins(const pixel_set *s, color_bin *bins)
{
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        if (!s->chosen[i] || s->near[i] & NEAR_EDGE)
            continue;
        color_bin *bin = &bins[bin_of(s->a + 4 * i)];
        bin->count++;
        for (size_t k = 0; k < 3; k++)
            bin->sum[k] += s->b[4 * i + k] - s->a[4 * i + k];
    }
}

/* Returns whether each colour of A has become one colour in B. Bins with few pixels count as unexplained. */
static bool is_function_of_color(const pixel_set *s)
{
    color_bin *bins = mmd_alloc(BINS * sizeof *bins);
    double rest = 0, all = 0;
    if (!bins)
        return false;
    fill_bins(s, bins);
    for (size_t i = 0; i < (size_t)s->width * s->height; i++) {
        if (!s->chosen[i] || s->near[i] & NEAR_EDGE)
            continue;
        const color_bin *bin = &bins[bin_of(s->a + 4 * i)];
        for (size_t k = 0; k < 3; k++) {
            double change = s->b[4 * i + k] - s->a[4 * i + k];
            double typical = bin->count < BIN_PIXELS_MIN ? 0 : (double)bin->sum[k] / bin->count;
            rest += fmax(0, fabs(change - typical) - rounding);
            all += fabs(change);
        }
    }
    mmd_free(bins);
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
                rest += fmax(0, abs(next - change) - 2 * rounding);
                all += abs(change);
            }
        }
    }
    return all > 0 && rest <= smooth_rest * all;
}

/* Finds out whether the difference is one of colour or toon. whole: the pixels are of the whole picture or of the
 * background, for which the share of changed pixels does not indicate a toon. */
static void find_colors(const pixel_set *s, bool whole, diff_nature *nature)
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
    nature->changed = (double)changed / (double)inner;
    nature->has_factor = fit_factor(s, nature->factor);
    if (nature->has_factor || is_function_of_color(s) || is_smooth(s))
        nature->kind = nature->changed < 0.85 && !whole ? DIFF_KIND_TOON : DIFF_KIND_COLOR;
}

/* --- The kind --- */

/* Finds the kind of the difference in the region. MMD_ERROR_MEMORY. */
static mmd_status examine(const nature_input *in, pixel_set *s, diff_nature *nature, mmd_error *error)
{
    size_t size = (size_t)s->width * s->height;
    s->chosen = mmd_alloc(size);
    s->near = mmd_alloc(size);
    if (!s->chosen || !s->near)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "while finding the kind of difference");
    choose(in, s);
    find_box(in, s, nature);
    mmd_status status = find_edges(in, s, error);
    if (status != MMD_OK)
        return status;
    if (find_move(s, nature))
        nature->kind = DIFF_KIND_MOVED;
    else if (is_at_edges(s))
        nature->kind = DIFF_KIND_EDGES;
    else
        find_colors(s, !in->ids || in->material == UINT32_MAX || in->material == 0, nature);
    return MMD_OK;
}

mmd_status nature_find(const nature_input *in, diff_nature *nature, mmd_error *error)
{
    mmd_image a = {0}, b = {0};
    *nature = (diff_nature){0};
    mmd_status status = mmd_compare_region_a(in->compare, &a, error);
    if (status == MMD_OK)
        status = mmd_compare_region_b(in->compare, &b, error);
    if (status == MMD_OK) {
        pixel_set s = {.a = a.pixels,
                       .b = b.pixels,
                       .difference = mmd_compare_difference(in->compare),
                       .width = in->result->width,
                       .height = in->result->height};
        status = examine(in, &s, nature, error);
        mmd_free(s.chosen);
        mmd_free(s.near);
    }
    mmd_image_finish(&a);
    mmd_image_finish(&b);
    return status;
}

void nature_tell(diff_nature *n, const diff_made *made)
{
    if (!made->known || made->count == 0)
        return;
    /* A shift, or that only edges differ, is more specific than another pose. */
    bool specific = n->kind == DIFF_KIND_MOVED || n->kind == DIFF_KIND_EDGES;
    n->known_aspects = made->aspects;
    if (made->aspects == PROVENANCE_TOON)
        n->kind = DIFF_KIND_TOON;
    else if (made->aspects == PROVENANCE_COLOR || made->aspects == PROVENANCE_LIGHT)
        n->kind = DIFF_KIND_COLOR;
    else if (made->aspects == PROVENANCE_EDGES)
        n->kind = DIFF_KIND_EDGES;
    else if (made->aspects == PROVENANCE_POSE && !specific)
        n->kind = DIFF_KIND_POSE;
    else
        n->known_aspects = 0;
}

const char *nature_name(diff_kind kind)
{
    static const char *const names[] = {"unknown", "moved", "edges", "color", "toon", "pose"};
    return names[kind];
}

/* Returns what a difference of colour is called, by its known cause. */
static const char *color_text(const diff_nature *n)
{
    if (n->known_aspects == PROVENANCE_LIGHT)
        return "a light difference";
    return n->known_aspects == PROVENANCE_COLOR ? "a colour or texture difference"
                                                : "a colour, toon or texture difference";
}

const char *nature_clause(const diff_nature *n, char *text, size_t capacity)
{
    char factor[64] = "", part[48] = "";
    if (n->has_factor)
        snprintf(factor, sizeof factor, " times %.2f, %.2f, %.2f", n->factor[0], n->factor[1], n->factor[2]);
    if (n->changed > 0)
        snprintf(part, sizeof part, ": %.0f %% of its pixels", 100 * n->changed);
    switch (n->kind) {
    case DIFF_KIND_MOVED:
        snprintf(text, capacity, "moved by about %d, %d pixels", n->moved[0], n->moved[1]);
        break;
    case DIFF_KIND_EDGES:
        snprintf(text, capacity, "at edges only (antialiasing or outlines)");
        break;
    case DIFF_KIND_COLOR:
        snprintf(text, capacity, "%s%s%s", color_text(n), *factor ? ":" : "", factor);
        break;
    case DIFF_KIND_TOON:
        snprintf(text, capacity, "a toon difference%s%s", part, factor);
        break;
    case DIFF_KIND_POSE:
        snprintf(text, capacity, "another pose or view");
        break;
    default:
        snprintf(text, capacity, "%s", "");
    }
    return text;
}
