/* The part of a picture where something is drawn, as rectangles. It is the part of the mascot's window that
 * takes the mouse. */
#ifndef ODORI_MASCOT_SHAPE_H
#define ODORI_MASCOT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Side of the squares in pixels that are in or out as a whole, and the alpha from which a pixel counts. */
enum { MASCOT_SQUARE = 4, MASCOT_ALPHA = 24 };

/* In pixels, from the top left. */
typedef struct mascot_rectangle {
    uint32_t x, y, width, height;
} mascot_rectangle;

/* Zeroed is valid and empty. */
typedef struct mascot_shape {
    mascot_rectangle *items; /* from top to bottom, then from left to right; they do not overlap */
    size_t count, room;
} mascot_shape;

/*
 * Finds the squares in which a pixel has that alpha. rgba has four bytes for each pixel, the bottom row
 * first. Neighbours in a row are joined, and equal rows. Returns false if out of memory; the shape is empty
 * then.
 */
bool mascot_shape_find(mascot_shape *shape, const uint8_t *rgba, uint32_t width, uint32_t height);

bool mascot_shape_equal(const mascot_shape *a, const mascot_shape *b);
void mascot_shape_finish(mascot_shape *shape);

#endif
