/*
 * Preferences of the player, in the user's folders (XDG Base Directory Specification 0.8; on Windows
 * %APPDATA% for $XDG_CONFIG_HOME and %LOCALAPPDATA% for $XDG_STATE_HOME):
 *
 *   $XDG_CONFIG_HOME/odori/keys.conf      key bindings (bindings.h), only read
 *   $XDG_CONFIG_HOME/odori/settings.conf  command lines, written when the player ends
 *   $XDG_STATE_HOME/odori/recent          recent files, the last one first
 *   $XDG_STATE_HOME/odori/recovered/      unsaved edits (autosave.h)
 *   $XDG_STATE_HOME/odori/last*, playlist* the scene of last time, the own playlist (last.h, playlist.h)
 *   $XDG_STATE_HOME/odori/sounds/HASH     offset of an audio file to motions
 *   $XDG_STATE_HOME/odori/models/HASH     state of a model, by a hash of its file;
 *                                         of the main model also camera and frame
 *
 * Files that cannot be read or written are ignored, since none is essential.
 */
#ifndef ODORI_PREFERENCES_H
#define ODORI_PREFERENCES_H

#include "bindings.h"
#include "base/options.h"
#include "edit/session.h"
#include "files/hashes.h"
#include "mmd/source.h"

/* Reads the user's key bindings over the present ones. Reports the first wrong line, once. */
void preferences_read_bindings(key_bindings *keys);

/* Restores the settings and, with with_model, the state of all models: morphs, materials and placement, and
 * of the main one the camera and the frame at which it was paused. */
void preferences_restore(odori_session *s, bool with_model);

/* Restores only the state of models with at least this index, which were opened since. */
void preferences_restore_models(odori_session *s, size_t from);

/* Restores the size of the window. */
void preferences_restore_window(odori_session *s);

/* Writes settings, and the state of all models except for those that came with a picture. window_size: in
 * screen coordinates; 0: it is not written. */
void preferences_save(const odori_session *s, const uint32_t window_size[2]);

/* Stores the offset that the user has set for a pair of motions and audio. Zero-initialise. */
typedef struct audio_memory {
    unsigned opened;     /* audio_opened at the last call */
    const void *motions; /* last motion of the scene at the last call */
    size_t motion_count;
    digest pair;   /* of motions and audio; "": one of them is missing */
    double offset; /* that is stored */
    double now;    /* at the last call */
    bool begun;    /* there was a call */
    bool given;    /* the first offset was set on the command line */
} audio_memory;

/* Call it before each frame. When motions or audio have changed, saves the offset of the last pair and sets
 * that of the new one, if it is known. */
void audio_memory_follow(audio_memory *m, odori_session *s);

/* Saves the offset. Call it at the end. */
void audio_memory_keep(audio_memory *m, odori_session *s);

/* Writes a new file "STEM.ENDING" to the state folder, or "STEM 2.ENDING" if that exists, completely or not
 * at all. Writes its path to path (MMD_FILE_PATH_MAX bytes). Returns false when it cannot be written. */
bool preferences_write_new(const char *stem, const char *ending, const mmd_buffer *bytes, char *path);

/* Opens and locks a file, or a folder whose path ends with a slash, so that other players leave it alone.
 * Waits for at most a second. Returns the descriptor to close, which ends the lock, or -1 if it cannot be
 * opened, or a folder cannot be locked. A file can be without a lock: some file systems have none. */
int preferences_lock(const char *path);

/* Writes the path of a file or folder in the state folder. Returns false when there is no such folder. */
bool preferences_find_state(const char *name, char path[MMD_FILE_PATH_MAX]);

/* Creates the folders above a path, accessible by the user alone, as the specification requires. */
bool preferences_make_folders(const char *path);

enum { RECENT_MAX = 20 };

/* Puts a file at the front of the list of recent files. */
void recent_add(const char *path);

/* Writes the path of recent file i, 0 being the last one opened, to path (MMD_FILE_PATH_MAX bytes). Returns
 * false past the end. */
bool recent_get(size_t i, char *path);

#endif
