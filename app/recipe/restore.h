/* The player opens pictures that know where they came from (provenance.h): the scene stands as it was drawn.
 */
#ifndef ODORI_RESTORE_H
#define ODORI_RESTORE_H

#include "scene/bundled.h"
#include "plan.h"
#include "edit/session.h"

/* What a picture said. Zero-initialise; the scene's options point into it. */
typedef struct restored {
    bool found;
    plan plan;
    bundled dancer;
    mmd_arena arena;
} restored;

/*
 * Puts the models and motions of a picture in its place among the scene's
 * files, its camera, its view options and physics over what was given. Does nothing
 * where the first file is no picture. EXIT_DONE, or the exit code of what it
 * reported.
 */
int restore_options(restored *r, scene_options *scene, view_options *view, physics_settings *physics);

/* Runs the picture's commands and goes to its frame, where time stands still. The same results. */
int restore_session(const restored *r, odori_session *s);

void restore_finish(restored *r);

#endif
