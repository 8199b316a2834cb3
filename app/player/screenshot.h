/* Pictures of what the player shows, which know where they came from as those of `shot` do. */
#ifndef ODORI_SCREENSHOT_H
#define ODORI_SCREENSHOT_H

#include "edit/session.h"

/*
 * Draws the scene in the window's size, without anything that lies over it, and
 * writes it to path; NULL: to a new file here, named after scene and frame.
 * It tells how it was made (provenance.h) unless options could not say so:
 * where motions move only some of several dancers. False: why in error
 * (REFUSAL_MAX bytes).
 */
bool screenshot_write(odori_session *s, const char *path, char *error);

#endif
