/*
 * Finds the shift between two pictures: the whole-pixel shift with the smallest mean absolute difference of
 * luma over the overlap, which must be at least half of the smaller picture in each direction. Both are
 * halved until every shift can be tried. The best few are then refined at each larger size (hierarchical
 * block matching; M. Bierling, 1988). Of equal differences the shorter shift wins. A picture of less than 8
 * pixels in a direction is not searched all over a larger one, as it has too little content to be found and
 * too many positions to try.
 */
#include "compare_parts.h"

#include <stdlib.h>
#include <string.h>

enum { SIZES_MAX = 8, LIST_MAX = 6, SMALLEST = 4, WORK_MAX = 1 << 27, REACH = 2 };

typedef struct candidate {
    compare_shift shift;
    double cost;
} candidate;

typedef struct shortlist {
    candidate best[LIST_MAX]; /* ascending cost */
    int count;
} shortlist;

typedef struct range {
    int32_t min, max;
} range;

typedef struct pyramid {
    compare_plane a[SIZES_MAX], b[SIZES_MAX]; /* from full size down, each half the size of the one before */
    range x, y;                               /* shifts at full size */
    int sizes;
} pyramid;

size_t compare_align_scratch(uint32_t width, uint32_t height)
{
    return (size_t)width * height / 2 + 1;
}

/* Halves a plane by averaging 2 x 2 pixels. */
static compare_plane halve(compare_plane from, uint8_t *to)
{
    compare_plane half = {from.width / 2, from.height / 2, to};
    for (uint32_t y = 0; y < half.height; y++) {
        const uint8_t *upper = from.pixels + (size_t)2 * y * from.width, *lower = upper + from.width;
        for (size_t x = 0; x < half.width; x++) {
            unsigned sum = upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1];
            *to++ = (uint8_t)((sum + 2) / 4);
        }
    }
    return half;
}

/* Returns the shifts at a size that leave enough overlap. shrink is how often the size was halved. */
static range limit(range full, int shrink, uint32_t a_length, uint32_t b_length)
{
    int32_t a = (int32_t)a_length, b = (int32_t)b_length, smaller = a < b ? a : b;
    int32_t needed = (smaller + 1) / 2, unit = 1 << shrink;
    range r = {-((-full.min + unit - 1) / unit), (full.max + unit - 1) / unit};
    r.min = r.min < needed - b ? needed - b : r.min;
    r.max = r.max > a - needed ? a - needed : r.max;
    return r;
}

static range limit_x(const pyramid *p, int size)
{
    return limit(p->x, size, p->a[size].width, p->b[size].width);
}

static range limit_y(const pyramid *p, int size)
{
    return limit(p->y, size, p->a[size].height, p->b[size].height);
}

static uint32_t row_difference(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t x = 0; x < count; x++)
        sum += (uint32_t)abs(a[x] - b[x]);
    return sum;
}

static int32_t smaller_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Returns the mean absolute difference over the overlap. */
static double cost_of(const compare_plane *a, const compare_plane *b, compare_shift shift)
{
    int32_t left = shift.x > 0 ? shift.x : 0, top = shift.y > 0 ? shift.y : 0;
    int32_t right = smaller_of((int32_t)a->width, shift.x + (int32_t)b->width);
    int32_t bottom = smaller_of((int32_t)a->height, shift.y + (int32_t)b->height);
    uint64_t sum = 0;
    for (int32_t y = top; y < bottom; y++)
        sum += row_difference(a->pixels + (size_t)y * a->width + (size_t)left,
                              b->pixels + (size_t)(y - shift.y) * b->width + (size_t)(left - shift.x),
                              (uint32_t)(right - left));
    return (double)sum / ((double)(right - left) * (double)(bottom - top));
}

/* Compares candidates by cost, then by length and direction of the shift, so the result does not depend on
 * order. */
static bool is_better(const candidate *p, const candidate *q)
{
    if (p->cost != q->cost)
        return p->cost < q->cost;
    int p_way = abs(p->shift.x) + abs(p->shift.y), q_way = abs(q->shift.x) + abs(q->shift.y);
    if (p_way != q_way)
        return p_way < q_way;
    return p->shift.y != q->shift.y ? p->shift.y < q->shift.y : p->shift.x < q->shift.x;
}

/* Inserts a candidate into the list if it is among the best. */
static void offer(shortlist *list, candidate c)
{
    int at = list->count;
    while (at > 0 && is_better(&c, &list->best[at - 1]))
        at--;
    if (at == LIST_MAX)
        return;
    list->count += list->count < LIST_MAX;
    memmove(&list->best[at + 1], &list->best[at], (size_t)(list->count - 1 - at) * sizeof c);
    list->best[at] = c;
}

static void try_shift(const pyramid *p, int size, compare_shift shift, shortlist *list)
{
    range x = limit_x(p, size), y = limit_y(p, size);
    if (shift.x < x.min || shift.x > x.max || shift.y < y.min || shift.y > y.max)
        return;
    offer(list, (candidate){shift, cost_of(&p->a[size], &p->b[size], shift)});
}

/* Tries every shift at a size. */
static shortlist try_all(const pyramid *p, int size)
{
    shortlist list = {.count = 0};
    range x = limit_x(p, size), y = limit_y(p, size);
    for (int32_t dy = y.min; dy <= y.max; dy++)
        for (int32_t dx = x.min; dx <= x.max; dx++)
            try_shift(p, size, (compare_shift){dx, dy}, &list);
    return list;
}

static bool is_near(compare_shift shift, compare_shift center)
{
    return abs(shift.x - center.x) <= REACH && abs(shift.y - center.y) <= REACH;
}

/* Tries the shifts around each candidate of half the size, each shift only once. */
static shortlist refine(const pyramid *p, int size, const shortlist *coarse)
{
    shortlist list = {.count = 0};
    compare_shift centers[LIST_MAX];
    for (int i = 0; i < coarse->count; i++) {
        centers[i] = (compare_shift){2 * coarse->best[i].shift.x, 2 * coarse->best[i].shift.y};
        for (int32_t dy = -REACH; dy <= REACH; dy++)
            for (int32_t dx = -REACH; dx <= REACH; dx++) {
                compare_shift shift = {centers[i].x + dx, centers[i].y + dy};
                bool done = false;
                for (int k = 0; k < i && !done; k++)
                    done = is_near(shift, centers[k]);
                if (!done)
                    try_shift(p, size, shift, &list);
            }
    }
    return list;
}

/* Returns the shifts to search along one axis: max_shift around zero, or around all positions of the smaller
 * picture inside the larger one. */
static range shift_range(uint32_t a_length, uint32_t b_length, uint32_t max_shift, bool everywhere)
{
    int32_t spare = everywhere ? (int32_t)a_length - (int32_t)b_length : 0, reach = (int32_t)max_shift;
    return (range){(spare < 0 ? spare : 0) - reach, (spare > 0 ? spare : 0) + reach};
}

/* Returns the number of pixel comparisons that try_all needs at a size. */
static uint64_t work(const pyramid *p, int size)
{
    range x = limit_x(p, size), y = limit_y(p, size);
    uint64_t width = p->a[size].width, height = p->a[size].height;
    if (p->b[size].width < width)
        width = p->b[size].width;
    if (p->b[size].height < height)
        height = p->b[size].height;
    return (uint64_t)(x.max - x.min + 1) * (uint64_t)(y.max - y.min + 1) * width * height;
}

/* Returns whether a plane cannot be halved further. */
static bool is_small(const compare_plane *plane)
{
    return plane->width < 2 * SMALLEST || plane->height < 2 * SMALLEST;
}

compare_shift compare_align_search(compare_plane a, compare_plane b, uint32_t max_shift, uint8_t *a_scratch,
                                   uint8_t *b_scratch)
{
    bool everywhere = !is_small(&a) && !is_small(&b);
    pyramid p = {.x = shift_range(a.width, b.width, max_shift, everywhere),
                 .y = shift_range(a.height, b.height, max_shift, everywhere)};
    p.a[0] = a;
    p.b[0] = b;
    int size = 0;
    while (size + 1 < SIZES_MAX && work(&p, size) > WORK_MAX && !is_small(&p.a[size]) &&
           !is_small(&p.b[size])) {
        p.a[size + 1] = halve(p.a[size], a_scratch);
        p.b[size + 1] = halve(p.b[size], b_scratch);
        size++;
        a_scratch += (size_t)p.a[size].width * p.a[size].height;
        b_scratch += (size_t)p.b[size].width * p.b[size].height;
    }
    shortlist list = try_all(&p, size);
    while (size > 0) {
        size--;
        list = refine(&p, size, &list);
    }
    return list.best[0].shift;
}
