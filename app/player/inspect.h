/* What is seen in one pixel of the player's window. */
#ifndef ODORI_INSPECT_H
#define ODORI_INSPECT_H

#include "edit/session.h"

/*
 * Keeps it in the session, for the panels, and prints a line of JSON to
 * stdout: of what is in front model, material (number and name), its textures,
 * colours and flags, the alpha it is drawn with, the bone that moves the place
 * most, and the model's place in the order of drawing; and of everything that
 * lies there, in the order of drawing, the terms its colour is made of and the
 * weights of bones. x, y: pixels from the window's top left. False: why in
 * error (REFUSAL_MAX bytes).
 */
bool inspect_pixel(odori_session *s, double x, double y, char *error);

/* Copies the same line to the clipboard. False: no pixel was looked at, or there is no window; why in error.
 */
bool inspect_copy(odori_session *s, char *error);

/* Clears the pixel inspector: what it shows goes away. */
void inspect_close(odori_session *s);

#endif
