/* What is kept of a model from one evening to the next: lines of the command table, for its file of state
 * (preferences.h). */
#ifndef ODORI_MODEL_STATE_H
#define ODORI_MODEL_STATE_H

#include "edit/session.h"

/* Names of the commands that such lines may have, ended by NULL: nothing that opens files. */
extern const char *const model_state_commands[];

/*
 * Appends the lines that bring model number i, just opened and selected, to
 * where it is: morphs by hand, materials that are hidden, its place, opacity
 * and shadows; of the scene's main model also whether it swings. Nothing for
 * what is as it was opened. A project's own place, and what hangs on another
 * model, are left out.
 */
void model_state_write(const odori_session *s, size_t i, mmd_buffer *lines);

/* Whether a line of such a file is to be run: what the command line asked for counts more. */
bool model_state_applies(const odori_session *s, size_t i, const char *line);

#endif
