/*
 * Recovery of unsaved edits. When the window closes or another scene replaces this one, edited motions and
 * poses that were not saved are written to $XDG_STATE_HOME/odori/recovered and reported. The last
 * RECOVERED_MAX files are retained. A hidden file beside each, ".NAME.of", says where it comes from. Until
 * then drafts of them are kept there, for the case that the program is killed or crashes. While their player
 * runs, no player offers or deletes them.
 */
#ifndef ODORI_AUTOSAVE_H
#define ODORI_AUTOSAVE_H

#include "edit/session.h"
#include "mmd/source.h"

enum { RECOVERED_MAX = 20 };

/* Remembers that the pose of a model was saved: it needs no recovery as long as it stays the same. */
void autosave_note_pose(odori_session *s, size_t model);

/* Caches the answer of autosave_is_due and what it was computed from. Zero-initialise. */
typedef struct autosave_watch {
    const odori_scene *scene;
    const mmd_edit *edit;
    uint64_t changes;
    size_t saved_count;
    bool is_due;
} autosave_watch;

/* Returns whether there are unsaved keyframes or poses. The answer is computed again when something was
 * edited or saved, but not during a drag, since motions are encoded for it. */
bool autosave_is_due(autosave_watch *watch, const odori_session *s);

/* Return whether the motions of a model, the camera (with light and self shadow), or the pose of a model have
 * unsaved edits. */
bool autosave_has_motion(const odori_session *s, size_t model);
bool autosave_has_camera(const odori_session *s);
bool autosave_has_pose(const odori_session *s, size_t model);

/* Notes that the scene was just opened from a picture. What came with it, which may be a stranger's, is
 * neither recovered nor stored as the state of its models; what the user edits from now on is recovered. */
void autosave_note_picture(odori_session *s);

/* Writes the paths of recovered files, the newest first, to paths. Returns how many, at most AUTOSAVE_LISTED.
 */
enum { AUTOSAVE_LISTED = 8 };
size_t autosave_list(char paths[AUTOSAVE_LISTED][MMD_FILE_PATH_MAX]);

/* Where a recovered file comes from; "": not known. */
typedef struct autosave_origin {
    char model[MMD_FILE_PATH_MAX]; /* the model that it moves */
    char file[MMD_FILE_PATH_MAX];  /* the file that was edited */
} autosave_origin;

/* Returns whether a path is that of a recovered file, and reads where it comes from. */
bool autosave_find_origin(const char *path, autosave_origin *origin);

/* Returns whether a model plays a recovered motion that was saved nowhere else. */
bool autosave_plays_recovered(const odori_session *s, size_t model);

/* Files in the recovery folder that are replaced while the session goes on. Zero-initialise. */
typedef struct autosave_drafts {
    bool writes;                    /* drafts are being written */
    bool fails;                     /* a file could not be written */
    char *paths[2 * RECOVERED_MAX]; /* the older ones first, which are deleted when the others are written */
    int locks[2 * RECOVERED_MAX]; /* open files, locked so that other players leave the drafts alone; or -1 */
    size_t count, older;
} autosave_drafts;

/* Replaces the document's drafts by the present unsaved edits, if there are any. Does nothing in sessions
 * without drafts or with --no-settings. */
void autosave_keep(odori_session *s);

/* Writes unsaved edits, and deletes the drafts unless some could not be written. Does nothing in sessions
 * without a window or with
 * --no-settings. */
void autosave_write(odori_session *s);

/* Writes the unsaved poses of models that are about to lose their parts (model_edit_bound). */
void autosave_write_given_up(odori_session *s);

#endif
