/* What a file that has changed does to the scene. */
#ifndef ODORI_RELOAD_APPLY_H
#define ODORI_RELOAD_APPLY_H

#include "commands.h"
#include "session.h"

typedef enum reload_change { RELOAD_MODEL, RELOAD_TEXTURES, RELOAD_MOTION } reload_change;

/* Reads model or motion number index, or a model's textures, again: path is what has changed of it. False:
 * why in error, and nothing has changed. */
bool reload_apply(odori_session *s, reload_change kind, size_t index, const char *path,
                  char error[COMMAND_ERROR_MAX]);

/* Says why something was not done, on stderr and in the window's title. */
void reload_tell(odori_session *s, const char *error);

#endif
