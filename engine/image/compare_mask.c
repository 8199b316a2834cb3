/*
 * Masks of comparisons. Pixels near an edge are those within a square, found by a pass along the rows and one
 * along the columns that each track the last marked pixel, so the cost does not depend on the distance.
 */
#include "mmd/ids.h"
#include "mmd/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

mmd_status mmd_mask_init(mmd_mask *mask, uint32_t width, uint32_t height, mmd_error *error)
{
    assert(mask);
    const size_t size = (size_t)width * height;
    if (!mask->pixels || mask->width != width || mask->height != height) {
        mmd_mask_finish(mask);
        *mask = (mmd_mask){width, height, mmd_alloc(size)};
    }
    if (!mask->pixels)
        return mmd_error_memory(error);
    memset(mask->pixels, 255, size);
    return MMD_OK;
}

void mmd_mask_finish(mmd_mask *mask)
{
    assert(mask);
    mmd_free(mask->pixels);
    *mask = (mmd_mask){0};
}

/* Applies the action to a pixel that was selected or not. */
static void select_pixel(uint8_t *pixel, bool named, mmd_mask_action action)
{
    if (named == (action == MMD_MASK_REMOVE))
        *pixel = 0;
}

void mmd_mask_rectangle(mmd_mask *mask, int32_t x, int32_t y, uint32_t width, uint32_t height,
                        mmd_mask_action action)
{
    assert(mask);
    int64_t right = (int64_t)x + width, bottom = (int64_t)y + height;
    uint8_t *pixel = mask->pixels;
    for (int64_t row = 0; row < mask->height; row++)
        for (int64_t column = 0; column < mask->width; column++)
            select_pixel(pixel++, column >= x && column < right && row >= y && row < bottom, action);
}

void mmd_mask_picture(mmd_mask *mask, const mmd_image *picture, mmd_mask_action action)
{
    assert(picture->width == mask->width && picture->height == mask->height);
    size_t count = (size_t)mask->width * mask->height;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = picture->pixels + 4 * i;
        select_pixel(&mask->pixels[i], p[3] < 128 || (p[0] < 128 && p[1] < 128 && p[2] < 128), action);
    }
}

void mmd_mask_color(mmd_mask *mask, const mmd_image *a, const mmd_image *b, const uint8_t rgb[3],
                    mmd_mask_action action)
{
    assert(a->width == mask->width && a->height == mask->height);
    assert(b->width == mask->width && b->height == mask->height);
    size_t count = (size_t)mask->width * mask->height;
    for (size_t i = 0; i < count; i++)
        select_pixel(&mask->pixels[i],
                     memcmp(a->pixels + 4 * i, rgb, 3) == 0 && memcmp(b->pixels + 4 * i, rgb, 3) == 0,
                     action);
}

static int part_index(unsigned part)
{
    assert(part == MMD_LABEL_MODEL || part == MMD_LABEL_MATERIAL || part == MMD_LABEL_BONE);
    return part == MMD_LABEL_MODEL ? 0 : part == MMD_LABEL_MATERIAL ? 1 : 2;
}

/* Returns whether an id is in a sorted list, by binary search. */
static bool is_among(uint32_t id, const uint32_t *ids, size_t count)
{
    size_t begin = 0, end = count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (ids[middle] < id)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < count && ids[begin] == id;
}

void mmd_mask_labels(mmd_mask *mask, const mmd_label_plane *labels, unsigned part, const uint32_t *ids,
                     size_t count, mmd_mask_action action)
{
    assert(ids || count == 0);
    assert(labels->width == mask->width && labels->height == mask->height);
    int index = part_index(part);
    size_t size = (size_t)mask->width * mask->height;
    for (size_t i = 0; i < size; i++)
        select_pixel(&mask->pixels[i], is_among(labels->ids[i][index], ids, count), action);
}

/* Returns the name of the part with this index. */
static const char *part_name(const mmd_ids *ids, unsigned part, size_t index)
{
    if (part == MMD_LABEL_MODEL)
        return ids->models[index];
    return part == MMD_LABEL_MATERIAL ? ids->materials[index].name : ids->bones[index].name;
}

mmd_status mmd_mask_ids(mmd_mask *mask, const mmd_ids *ids, const mmd_ids_choice *choice,
                        mmd_mask_action action, mmd_error *error)
{
    assert(mask && ids && choice);
    assert(!choice->physics || choice->part == MMD_LABEL_BONE);
    static const char *const kinds[] = {"model", "material", "bone"};
    const size_t counts[] = {ids->model_count, ids->material_count, ids->bone_count};
    const int kind = part_index(choice->part);
    const mmd_label_plane labels = mmd_ids_labels(ids);
    size_t count = 0;
    for (size_t k = 0; k < choice->name_count; k++) {
        size_t i = 0;
        while (i < counts[kind] && strcmp(part_name(ids, choice->part, i), choice->names[k]) != 0)
            i++;
        if (i == counts[kind])
            return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET,
                                 "no model in A has a %s \"%s\"", kinds[kind], choice->names[k]);
    }
    uint32_t *chosen = mmd_alloc((counts[kind] + 1) * sizeof *chosen);
    if (!chosen)
        return mmd_error_memory(error);
    for (size_t i = 0; i < counts[kind]; i++) {
        bool wanted = choice->physics && ids->bones[i].physics;
        for (size_t k = 0; k < choice->name_count && !wanted; k++)
            wanted = strcmp(part_name(ids, choice->part, i), choice->names[k]) == 0;
        if (wanted)
            chosen[count++] = (uint32_t)i + 1;
    }
    mmd_mask_labels(mask, &labels, choice->part, chosen, count, action);
    mmd_free(chosen);
    return MMD_OK;
}

/* --- Nearness --- */

enum { MARKED = 1, NEAR_IN_ROW = 2, NEAR = 4 };

typedef struct marks {
    uint32_t width, height;
    uint8_t *bits;
    int64_t *last; /* per column: the last row with NEAR_IN_ROW */
} marks;

/* Marks the pixels of a row within reach of a marked one, from the left and from the right. */
static void spread_row(uint8_t *bits, int64_t width, int64_t reach)
{
    int64_t last = -reach - 1;
    for (int64_t x = 0; x < width; x++) {
        last = bits[x] & MARKED ? x : last;
        bits[x] |= x - last <= reach ? NEAR_IN_ROW : 0;
    }
    last = width + reach;
    for (int64_t x = width - 1; x >= 0; x--) {
        last = bits[x] & MARKED ? x : last;
        bits[x] |= last - x <= reach ? NEAR_IN_ROW : 0;
    }
}

/* Marks the pixels of a row that are within reach of a NEAR_IN_ROW pixel of the same column in the rows
 * visited before. */
static void spread_to_row(const marks *m, int64_t y, int64_t reach)
{
    uint8_t *bits = m->bits + (size_t)y * m->width;
    for (uint32_t x = 0; x < m->width; x++) {
        m->last[x] = bits[x] & NEAR_IN_ROW ? y : m->last[x];
        bits[x] |= llabs(y - m->last[x]) <= reach ? NEAR : 0;
    }
}

static void reset_last(const marks *m)
{
    for (uint32_t x = 0; x < m->width; x++)
        m->last[x] = INT32_MIN;
}

/*
 * Marks everything within reach of a marked pixel as NEAR: along rows, then along columns in both directions.
 */
static void spread(const marks *m, int64_t reach)
{
    for (size_t y = 0; y < m->height; y++)
        spread_row(m->bits + y * m->width, m->width, reach);
    reset_last(m);
    for (int64_t y = 0; y < m->height; y++)
        spread_to_row(m, y, reach);
    reset_last(m);
    for (int64_t y = (int64_t)m->height - 1; y >= 0; y--)
        spread_to_row(m, y, reach);
}

/* Returns whether two pixels, given by index, differ. */
typedef bool differ_function(const void *what, size_t p, size_t q);

/* Marks both pixels of each neighbouring pair that differs. */
static void mark(const marks *m, differ_function *differ, const void *what)
{
    size_t at = 0;
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++, at++) {
            if (x + 1 < m->width && differ(what, at, at + 1)) {
                m->bits[at] |= MARKED;
                m->bits[at + 1] |= MARKED;
            }
            if (y + 1 < m->height && differ(what, at, at + m->width)) {
                m->bits[at] |= MARKED;
                m->bits[at + m->width] |= MARKED;
            }
        }
}

/* Selects the pixels near marked ones. The distance is bounded so that sums do not overflow. */
static void select_marked(mmd_mask *mask, const marks *m, uint32_t distance, mmd_mask_action action)
{
    if (distance > 0)
        spread(m, distance < MMD_IMAGE_SIZE_MAX ? (int64_t)distance - 1 : MMD_IMAGE_SIZE_MAX);
    size_t count = (size_t)m->width * m->height;
    for (size_t i = 0; i < count; i++)
        select_pixel(&mask->pixels[i], (m->bits[i] & NEAR) != 0, action);
}

/* Selects the pixels near an edge, which `differ` defines. */
static mmd_status select_near(mmd_mask *mask, differ_function *differ, const void *what, uint32_t distance,
                              mmd_mask_action action, mmd_error *error)
{
    size_t count = (size_t)mask->width * mask->height;
    marks m = {mask->width, mask->height, mmd_alloc(count), mmd_alloc(mask->width * sizeof *m.last)};
    mmd_status status = MMD_OK;
    if (m.bits && m.last) {
        memset(m.bits, 0, count);
        mark(&m, differ, what);
        select_marked(mask, &m, distance, action);
    } else {
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a mask");
    }
    mmd_free(m.last);
    mmd_free(m.bits);
    return status;
}

typedef struct label_edges {
    const mmd_label_plane *labels;
    unsigned parts;
} label_edges;

static bool labels_differ(const void *what, size_t p, size_t q)
{
    const label_edges *edges = what;
    const uint32_t *a = edges->labels->ids[p], *b = edges->labels->ids[q];
    for (int i = 0; i < 3; i++)
        if ((edges->parts >> i & 1) && a[i] != b[i])
            return true;
    return false;
}

mmd_status mmd_mask_edges(mmd_mask *mask, const mmd_label_plane *labels, unsigned parts, uint32_t distance,
                          mmd_mask_action action, mmd_error *error)
{
    assert(labels->width == mask->width && labels->height == mask->height);
    label_edges edges = {labels, parts};
    return select_near(mask, labels_differ, &edges, distance, action, error);
}

typedef struct color_steps {
    const uint8_t *pixels;
    int levels;
} color_steps;

static bool colors_differ(const void *what, size_t p, size_t q)
{
    const color_steps *steps = what;
    const uint8_t *a = steps->pixels + 4 * p, *b = steps->pixels + 4 * q;
    for (int i = 0; i < 4; i++)
        if (abs(a[i] - b[i]) > steps->levels)
            return true;
    return false;
}

mmd_status mmd_mask_steps(mmd_mask *mask, const mmd_image *picture, uint8_t levels, uint32_t distance,
                          mmd_mask_action action, mmd_error *error)
{
    assert(picture->width == mask->width && picture->height == mask->height);
    color_steps steps = {picture->pixels, levels};
    return select_near(mask, colors_differ, &steps, distance, action, error);
}

mmd_status mmd_mask_edges_or_steps(mmd_mask *mask, const mmd_label_plane *labels, const mmd_image *picture,
                                   uint8_t levels, uint32_t distance, mmd_mask_action action,
                                   mmd_error *error)
{
    if (labels)
        return mmd_mask_edges(mask, labels, MMD_LABEL_MODEL | MMD_LABEL_MATERIAL, distance, action, error);
    return mmd_mask_steps(mask, picture, levels, distance, action, error);
}
