/*
 * What a person made and did not save, when the window closes or another scene
 * takes the place of this one: motions whose keys were edited and poses are
 * written to $XDG_STATE_HOME/odori/recovered, and told of. The last
 * RECOVERED_MAX files are kept.
 */
#ifndef ODORI_AUTOSAVE_H
#define ODORI_AUTOSAVE_H

#include "edit/session.h"

enum { RECOVERED_MAX = 20 };

/* Remembers that the pose of a model was saved: it needs no recovery as long as it stays the same. */
void autosave_note_pose(odori_session *s, size_t model);

/* Remembers the answer. Zero-initialise. */
typedef struct autosave_watch {
    const odori_scene *scene;
    const mmd_edit *edit;
    uint64_t changes;
    size_t saved_count;
    bool is_due;
} autosave_watch;

/* Whether there are keys, or a pose, that nobody saved: looked for where anything was edited or saved since,
 * but not amid a drag, as motions are written for it. */
bool autosave_is_due(autosave_watch *watch, const odori_session *s);

/* Writes what was not saved; nothing in sessions without a window, or that remember nothing. */
void autosave_write(odori_session *s);

#endif
