/*
 * What the player remembers, in the user's own folders (XDG Base Directory
 * Specification 0.8):
 *
 *   $XDG_CONFIG_HOME/odori/keys.conf      keys (keys.h); only read
 *   $XDG_CONFIG_HOME/odori/settings.conf  lines of the command table, written
 *                                         when the player ends
 *   $XDG_STATE_HOME/odori/recent          files that were opened, the last first
 *   $XDG_STATE_HOME/odori/recovered/      what was edited and not saved (recovery.h)
 *   $XDG_STATE_HOME/odori/sounds/HASH     offset of a sound to a dance
 *   $XDG_STATE_HOME/odori/models/HASH     what is kept of a model (model_state.h),
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

/* The user's keys over those there are; wrong lines are told. */
void settings_read_keys(odori_keys *keys);

/* Settings, and what is known of the session's models: edits, places, of the main one the camera, and the
 * frame where it was left paused. */
void settings_restore(odori_session *s, bool with_model);

/* Only what is known of models, from this number on: those that were opened since. */
void settings_restore_models(odori_session *s, size_t from);

/* What concerns the window, once there is one. */
void settings_restore_window(odori_session *s);

/* Writes both. window_size: in points, to be remembered; 0: it has none. */
void settings_save(const odori_session *s, const uint32_t window_size[2]);

/* The offset of a sound under a name of the state folder (audio_memory.h). False: none is known. */
bool settings_find_offset(odori_session *s, const char *name);
void settings_keep_offset(const char *name, double offset);

/* Writes a new file of the state folder, whole or not at all, "STEM.ENDING", or "STEM 2.ENDING" where that is
 * there; path: PATH_MAX bytes, where it is. False: it cannot be. */
bool settings_keep_file(const char *stem, const char *ending, const mmd_buffer *bytes, char *path);

enum { RECENT_MAX = 20 };

/* A file that was opened goes to the front of the list. */
void recent_add(const char *path);

/* File number i of the list, the last opened is 0; path: PATH_MAX bytes. False: there are no so many. */
bool recent_get(size_t i, char *path);

#endif
