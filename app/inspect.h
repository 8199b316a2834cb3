/* What is seen in one pixel of the player's window. */
#ifndef ODORI_INSPECT_H
#define ODORI_INSPECT_H

#include "session.h"

enum { INSPECT_LAYERS = 48, INSPECT_BONES = 12 };

/* What was seen last; its numbers are of the frame that was shown then. */
typedef struct odori_inspection {
    mmd_view_pixel pixel;
    mmd_view_layer layers[INSPECT_LAYERS]; /* in the order of drawing */
    size_t count;
} odori_inspection;

/*
 * Keeps it in the session, for the panels, and prints a line of JSON to
 * stdout: of what is in front model, material (number and name), its textures,
 * colours and flags, the alpha it is drawn with, the bone that moves the place
 * most, and the model's place in the order of drawing; and of everything that
 * lies there, in the order of drawing, the terms its colour is made of and the
 * weights of bones. x, y: pixels from the window's top left. False: why in
 * error (COMMAND_ERROR_MAX bytes).
 */
bool inspect_pixel(odori_session *s, double x, double y, char *error);

void inspect_close(odori_session *s); /* it is not shown any more */

/* The layer in front; NULL: there is nothing. */
const mmd_view_layer *inspect_front(const odori_inspection *inspection);

/* Weights of bones at a layer's place, most first, those of its corners by their parts. Returns how many. */
typedef struct inspect_weight {
    uint32_t bone;
    float weight;
} inspect_weight;
size_t inspect_weights(const mmd_model *model, const mmd_view_layer *layer,
                       inspect_weight weights[INSPECT_BONES]);

#endif
