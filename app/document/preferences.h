/*
 * What the player remembers, in the user's own folders (XDG Base Directory
 * Specification 0.8):
 *
 *   $XDG_CONFIG_HOME/odori/keys.conf      keys (bindings.h); only read
 *   $XDG_CONFIG_HOME/odori/settings.conf  lines of the command table, written
 *                                         when the player ends
 *   $XDG_STATE_HOME/odori/recent          files that were opened, the last first
 *   $XDG_STATE_HOME/odori/recovered/      what was edited and not saved (autosave.h)
 *   $XDG_STATE_HOME/odori/sounds/HASH     offset of a sound to a dance
 *   $XDG_STATE_HOME/odori/models/HASH     what is kept of a model,
 *                                         by what is in its file; of the main one
 *                                         also camera and frame
 *
 * What cannot be read or written is left out: nothing of it is needed.
 */
#ifndef ODORI_PREFERENCES_H
#define ODORI_PREFERENCES_H

#include "bindings.h"
#include "base/options.h"
#include "edit/session.h"
#include "files/hashes.h"

/* The user's keys over those there are; wrong lines are told. */
void preferences_read_bindings(key_bindings *keys);

/* Settings, and what is known of the session's models: edits, places, of the main one the camera, and the
 * frame where it was left paused. */
void preferences_restore(odori_session *s, bool with_model);

/* Only what is known of models, from this number on: those that were opened since. */
void preferences_restore_models(odori_session *s, size_t from);

/* What concerns the window, once there is one. */
void preferences_restore_window(odori_session *s);

/* Writes both. window_size: in points, to be remembered; 0: it has none. */
void preferences_save(const odori_session *s, const uint32_t window_size[2]);

/* The offset of a sound to a dance, kept where it was found by ear: which dance and sound a session plays, as
 * far as it was looked at. Zeroed: none yet. */
typedef struct audio_memory {
    unsigned opened;     /* audio_opened, then */
    const void *motions; /* the last of its motions, then */
    size_t motion_count;
    digest pair;       /* "": no dance, or no sound */
    double offset;     /* as it was found */
    double now;        /* as it was before the last picture */
    bool begun, given; /* given: the first one's was said on the command line */
} audio_memory;

/* Before every picture: where dance or sound are others, the last one's offset is kept and theirs is set, if
 * any is known. Costs nothing while they stay. */
void audio_memory_follow(audio_memory *m, odori_session *s);

/* At the end. */
void audio_memory_keep(audio_memory *m, odori_session *s);

/* Writes a new file of the state folder, whole or not at all, "STEM.ENDING", or "STEM 2.ENDING" where that is
 * there; path: PATH_MAX bytes, where it is. False: it cannot be. */
bool preferences_keep_file(const char *stem, const char *ending, const mmd_buffer *bytes, char *path);

enum { RECENT_MAX = 20 };

/* A file that was opened goes to the front of the list. */
void recent_add(const char *path);

/* File number i of the list, the last opened is 0; path: PATH_MAX bytes. False: there are no so many. */
bool recent_get(size_t i, char *path);

#endif
