/* What is seen in one pixel of the player's window. */
#ifndef ODORI_INSPECT_H
#define ODORI_INSPECT_H

#include "session.h"

/*
 * Prints a line of JSON to stdout: model, material (number and name), its
 * textures, colours and flags, the alpha it is drawn with, the bone that moves
 * the place most, and the model's place in the order of drawing. x, y: pixels
 * from the window's top left. False: why in error (COMMAND_ERROR_MAX bytes).
 */
bool inspect_pixel(odori_session *s, double x, double y, char *error);

#endif
