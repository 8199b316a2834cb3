#include "mascot_shape.h"

#include <string.h>

#include "mmd/memory.h"

/* Returns whether a pixel of a square is drawn. y counts from the top. */
static bool is_drawn(const uint8_t *rgba, uint32_t width, uint32_t height, uint32_t x, uint32_t y)
{
    for (uint32_t row = y; row < height && row < y + MASCOT_SQUARE; row++) {
        const uint8_t *pixels = rgba + (size_t)4 * width * (height - 1 - row);
        for (uint32_t i = x; i < width && i < x + MASCOT_SQUARE; i++)
            if (pixels[4 * (size_t)i + 3] >= MASCOT_ALPHA)
                return true;
    }
    return false;
}

static bool add(mascot_shape *shape, mascot_rectangle r)
{
    if (shape->count == shape->room) {
        size_t room = shape->room ? 2 * shape->room : 64;
        mascot_rectangle *grown = mmd_realloc(shape->items, room * sizeof *grown);
        if (!grown)
            return false;
        shape->items = grown;
        shape->room = room;
    }
    shape->items[shape->count++] = r;
    return true;
}

/* Adds the squares of a row. Returns false if out of memory. */
static bool add_row(mascot_shape *shape, const uint8_t *rgba, uint32_t width, uint32_t height, uint32_t y)
{
    const uint32_t high = height - y < MASCOT_SQUARE ? height - y : MASCOT_SQUARE;
    mascot_rectangle *last = NULL;
    for (uint32_t x = 0; x < width; x += MASCOT_SQUARE) {
        const uint32_t wide = width - x < MASCOT_SQUARE ? width - x : MASCOT_SQUARE;
        if (!is_drawn(rgba, width, height, x, y))
            last = NULL;
        else if (last)
            last->width += wide;
        else if (!add(shape, (mascot_rectangle){x, y, wide, high}))
            return false;
        else
            last = &shape->items[shape->count - 1];
    }
    return true;
}

/* Joins two rows if they have the same squares: [above, row) and [row, count). Returns the beginning of the
 * last row. */
static size_t join_rows(mascot_shape *shape, size_t above, size_t row)
{
    const size_t count = shape->count - row;
    bool same = count > 0 && row - above == count;
    for (size_t i = 0; same && i < count; i++) {
        const mascot_rectangle *a = &shape->items[above + i], *b = &shape->items[row + i];
        same = a->x == b->x && a->width == b->width && a->y + a->height == b->y;
    }
    if (!same)
        return row;
    for (size_t i = 0; i < count; i++)
        shape->items[above + i].height += shape->items[row + i].height;
    shape->count = row;
    return above;
}

bool mascot_shape_find(mascot_shape *shape, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    size_t above = 0;
    shape->count = 0;
    for (uint32_t y = 0; y < height; y += MASCOT_SQUARE) {
        const size_t row = shape->count;
        if (!add_row(shape, rgba, width, height, y)) {
            shape->count = 0;
            return false;
        }
        above = join_rows(shape, above, row);
    }
    return true;
}

bool mascot_shape_equal(const mascot_shape *a, const mascot_shape *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

void mascot_shape_finish(mascot_shape *shape)
{
    mmd_free(shape->items);
    *shape = (mascot_shape){0};
}
