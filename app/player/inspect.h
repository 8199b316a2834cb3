/* Inspects one pixel of the player's window. */
#ifndef ODORI_INSPECT_H
#define ODORI_INSPECT_H

#include "edit/session.h"

/*
 * Inspects the pixel x, y (from the window's top left), stores the result in the session for the panels, and
 * prints a line of JSON to stdout. Of the front layer it has model, material (number and name), textures,
 * flags, the alpha that it is drawn with, the bone with the largest weight, and the model's position in the
 * drawing order. Of every layer, in drawing order, it has the terms of its colour and the bone weights.
 * Returns false with the reason in error (REFUSAL_MAX bytes).
 */
bool inspect_pixel(odori_session *s, double x, double y, char *error);

/* Copies the same line to the clipboard. Returns false with the reason in error when no pixel was inspected
 * or there is no window. */
bool inspect_copy(odori_session *s, char *error);

/* Closes the pixel inspector and frees its data. Does nothing when it is closed. */
void inspect_close(odori_session *s);

#endif
