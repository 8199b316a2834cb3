/*
 * Files opened while the player runs: dropped on its window, or named by the
 * command `file.open`. Models, accessories and motions join the scene; a
 * project or a picture that knows where it came from (provenance.h) takes its
 * place; a sound plays along from where the dance is. Of an archive or a
 * folder all in it that has a role is opened (locate_sort). What cannot be
 * opened leaves everything as it was.
 */
#ifndef ODORI_OPEN_H
#define ODORI_OPEN_H

#include "scene/bundled.h"
#include "recipe/draw.h"
#include "recipe/recipe.h"
#include "edit/session.h"

struct audio_file;
struct open_work;

/* What opening did to a session that nobody sees or hears, and what is left to do for one that is. */
typedef struct open_result {
    size_t opened;            /* files */
    bool replaced;            /* the scene is another one, from its start */
    bool restarted;           /* time starts anew */
    bool took_camera;         /* the motion's camera counts */
    bool music_ends;          /* that of the bundled dance */
    bool sound_follows;       /* the scene's own sound plays */
    struct audio_file *sound; /* that plays from here on; NULL: none was opened */
    char sound_path[PATH_MAX];
} open_result;

typedef struct file_opener {
    mmd_log log;
    const recipe *recipe;   /* of the command line: its options count for what is opened, too */
    odori_screen *screen;   /* that shows the scene; NULL: not yet */
    uint32_t samples;       /* of its window */
    const bundled *dancer;  /* who is there because nobody else is; NULL: she is not */
    char name[256];         /* of what is played */
    char trouble[256];      /* why a file was not opened; whoever shows it empties it */
    struct open_work *work; /* opens beside the dance (open_work.h); NULL: files are opened at once */
    open_result *result;    /* NULL: what was opened is seen and heard at once */
} file_opener;

/*
 * Opens files, motions after all others, so that those dropped together
 * belong together. A motion moves the selected dancer, else the last one; its
 * camera keys take the camera; time starts anew. False: at least one was not
 * opened, and why the first was not in error (REFUSAL_MAX bytes) and in
 * the opener's trouble. Where there is such work they are opened beside the
 * dance, true says that this has begun, and trouble tells later.
 */
bool open_files(odori_session *s, const char *const *paths, size_t count, char *error);

/*
 * Puts another scene, of at least one file, in the place of this one, from the
 * start. False: it is as it was, and why in error (REFUSAL_MAX bytes).
 */
bool open_replace(odori_session *s, const recipe *files, char *error);

/*
 * The same of a scene that was read again of the session's files, which is empty
 * then: what was edited is edited there (remap.h), after lines (state_lines.h)
 * of what no step knows. Whoever calls this says where the session goes.
 */
bool open_put(odori_session *s, odori_scene *scene, const mmd_buffer *lines, mmd_error *error);

/* The same of a session, to whom lines were told, all of which is drawable; takes_camera: its motions' camera
 * counts, whatever was done by hand. The other is empty then. */
void open_join(odori_session *s, odori_session *other, bool takes_camera);

/* Another session's scene takes the place of this one's, with the other's edits, view, selection and camera,
 * from where it stands; no part is repeated then. */
void open_take_place(odori_session *s, odori_session *other);

/* --- A scene made again of its own files, on any thread, and what a person did to the one before done to it.
 * Materials are known by their names, for files may have changed. Edits and their undo: remap.h. --- */

/* Reads a scene's files again (scene_load_again), with physics as it was started. Of the old scene only what
 * opening files changes is read. */
mmd_status reopen_scene(const odori_scene *old, const mmd_pose_options *pose, const mmd_log *log,
                        odori_scene *scene, mmd_error *why);

/* Lines (state_lines.h) that do not fit the models any more are left out, and told. */
void reopen_run_lines(odori_session *s, const mmd_buffer *lines);

/* Hides the materials that another session's scene hides. Models have the same numbers in both. */
void reopen_hidden(const odori_session *from, odori_session *to);

#endif
