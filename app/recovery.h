/*
 * What a person made and did not save, when the window closes or another scene
 * takes the place of this one: motions whose keys were edited and poses are
 * written to $XDG_STATE_HOME/odori/recovered, and told of. The last
 * RECOVERED_MAX files are kept.
 */
#ifndef ODORI_RECOVERY_H
#define ODORI_RECOVERY_H

#include "session.h"

enum { RECOVERED_MAX = 20 };

/* These bytes, or the pose of a model, were saved and need no recovery as long as they are the same. */
void recovery_note_saved(odori_session *s, const mmd_buffer *bytes);
void recovery_note_pose(odori_session *s, size_t model);

/* Writes what was not saved; nothing in sessions without a window, or that remember nothing. */
void recovery_write(odori_session *s);

#endif
