/*
 * Opens files while the player runs: those dropped on its window, or named by the command `file.open`.
 * Models, accessories and motions are added to the scene. A project, or a picture with provenance
 * (provenance.h), replaces it. An audio file plays from the position of the scene. Of an archive or folder,
 * all files with a role are opened (mmd_locate_sort). A file that cannot be opened changes nothing.
 */
#ifndef ODORI_OPEN_H
#define ODORI_OPEN_H

#include "mmd/source.h"
#include "scene/bundled.h"
#include "recipe/draw.h"
#include "recipe/recipe.h"
#include "edit/session.h"

struct audio_file;
struct open_work;

/* What opening files did to a session in the background, and what the player has to do when it takes it over.
 */
typedef struct open_result {
    size_t opened;            /* number of opened files */
    bool replaced;            /* the scene was replaced */
    bool restarted;           /* playback starts at frame 0 */
    bool took_camera;         /* the camera of an opened motion is used */
    bool music_ends;          /* the music of the bundled dance is to be closed */
    bool goes_on;             /* it is the scene of last time, which plays on */
    bool sound_follows;       /* the audio of the scene is to be opened */
    char note[256];           /* what a message has to say of a motion; "": nothing */
    struct audio_file *sound; /* audio file to play; NULL: none was opened */
    char sound_path[MMD_FILE_PATH_MAX];
} open_result;

typedef struct file_opener {
    mmd_log log;
    const recipe *recipe; /* of the command line, whose options also apply to opened files */
    odori_screen *screen; /* that shows the scene; NULL: there is none yet */
    size_t max_models;    /* that a picture or an entry of the playlist may bring; 0: SCENE_MODELS_MOST */
    uint32_t samples;     /* antialiasing samples of the window */
    size_t motions_from;  /* 1 + index of the first motion of the files opened last; 0: there is none */
    const bundled
        *dancer;    /* the bundled dancer while she is shown for want of another model; NULL: she is not */
    char name[256]; /* name of the scene, for the title */
    struct open_work *work; /* loads in the background (open_work.h); NULL: files are loaded at once */
    open_result *result;    /* set in a background session; NULL: changes apply to the player at once */
} file_opener;

/*
 * Opens files, motions after all others, so that a motion dropped together with a model moves it. A motion is
 * given to the dancer that the user has selected or opened last (has_chosen), or else to all. Its camera
 * keyframes replace the user's camera, and playback restarts. Returns false if at least one file was not
 * opened; the reason for the first one is in error (REFUSAL_MAX bytes). If the opener has `work`, files are
 * loaded in the background: true only means that this has begun, and errors are among the session's messages
 * later.
 */
bool open_files(odori_session *s, const char *const *paths, size_t count, char *error);

/*
 * Puts the model of a file in the place of one of the scene, as a step of undo (model_edit_replace). If the
 * opener has `work`, the file is read in the background, and true only means that this has begun. Returns
 * false with the reason in error (REFUSAL_MAX bytes), and nothing has changed.
 */
bool open_in_place_of(odori_session *s, size_t model, const char *path, char *error);

/* A file that was read to replace a model. */
typedef struct open_replacement {
    char path[MMD_FILE_PATH_MAX]; /* of the file itself, which may be in an archive or a folder */
    mmd_model_file file;
} open_replacement;

/* Are the two halves of open_in_place_of: reading, on any thread, into a zeroed structure; and the step. The
 * latter takes the file's parts, which are zeroed then, unless the file cannot replace the model. */
mmd_status open_read_replacement(const char *path, open_replacement *by, mmd_error *error);
bool open_put_in_place_of(odori_session *s, size_t model, const char *path, open_replacement *by,
                          char *error);

/*
 * Replaces the scene by another one of at least one file, at its first frame. On failure returns false with
 * the reason in error (REFUSAL_MAX bytes), and nothing changes.
 */
bool open_replace(odori_session *s, const recipe *files, char *error);

/*
 * Replaces the scene by a reloaded version of itself, which is empty afterwards. Edits are remapped to it
 * (remap.h), after `lines` (state_lines.h) have restored the state that is not part of the history. The
 * caller has to set the frame.
 */
bool open_put(odori_session *s, odori_scene *scene, const mmd_buffer *lines, mmd_error *error);

/* Does the same with a session whose models are on the GPU and that has run the lines already. takes_camera:
 * uses the camera of its motions instead of the user's. The other session is empty afterwards. */
void open_join(odori_session *s, odori_session *other, bool takes_camera);

/* Replaces the scene by that of another session, with its edits, view, selection, camera and frame. The
 * repeated range is cleared. */
void open_take_place(odori_session *s, odori_session *other);

/* Makes the opening of the models of at least this index one step of undo, with the places that they got
 * beside others (place_beside). From 0 on, where the scene is a new one, only those that stand beside others.
 */
void open_keep_models(odori_session *s, size_t from);

/* Switches off the dances that the opened motions take the place of (dance_edit.h), as part of the current
 * step of undo, and tells so. opened: the opener that was used. */
void open_end_dances(odori_session *s, const file_opener *opened);

/* --- Reloading a scene from its files, on any thread, and restoring what the user did to it. Materials are
 * identified by name, because the files may have changed. Edits and their history are restored by remap.h.
 * --- */

/* Loads a scene's files again (scene_load_again), with the same physics settings. Of the old scene it only
 * reads what opening files changes. */
mmd_status reopen_scene(const odori_scene *old, const mmd_log *log, odori_scene *scene, mmd_error *why);

/* Runs command lines (state_lines.h) as one undo step. Lines that do not fit the models any more are reported
 * and skipped.
 */
void reopen_run_lines(odori_session *s, const mmd_buffer *lines);

/* Hides the materials that are hidden in another session. Models have the same indices in both. */
void reopen_hidden(const odori_session *from, odori_session *to);

#endif
