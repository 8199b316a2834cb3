/*
 * Files opened while the player runs: dropped on its window, or named by the
 * command `file.open`. Models, accessories and motions join the scene; a
 * project or a picture that knows where it came from (restore.h) takes its
 * place; a sound plays along from where the dance is. Of an archive or a
 * folder all in it that has a role is opened (place_sort). What cannot be
 * opened leaves everything as it was.
 */
#ifndef ODORI_OPENER_H
#define ODORI_OPENER_H

#include "bundled.h"
#include "plan.h"
#include "screen.h"
#include "session.h"
#include "setup.h"

typedef struct odori_opener {
    mmd_log log;
    const mmd_pose_options *pose;
    const view_options *view; /* of the command line: they count for what is opened, too, as does physics */
    const physics_settings *physics;
    odori_screen *screen;  /* that shows the scene; NULL: not yet */
    uint32_t samples;      /* of its window */
    const plan_settings *settings; /* options that were given; NULL: not known */
    const bundled *dancer; /* who is there because nobody else is; NULL: she is not */
    char name[256];        /* of what is played */
    char trouble[256];     /* why a file was not opened; whoever shows it empties it */
} odori_opener;

/*
 * Opens files, motions after all others, so that those dropped together
 * belong together. A motion moves the selected dancer, else the last one; its
 * camera keys take the camera; time starts anew. False: at least one was not
 * opened, and why the first was not in error (COMMAND_ERROR_MAX bytes) and in
 * the opener's trouble.
 */
bool opener_open(odori_session *s, const char *const *paths, size_t count, char *error);

/*
 * Puts another scene, of at least one file, in the place of this one, from the
 * start. False: it is as it was, and why in error (COMMAND_ERROR_MAX bytes).
 */
bool opener_replace(odori_session *s, const scene_options *files, char *error);

/* The same of a scene that stands already, which is empty then. View and sound stay. */
bool opener_put(odori_session *s, odori_scene *scene, mmd_error *error);

#endif
