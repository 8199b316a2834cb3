/*
 * Cameras that see what is on the stage, where MMD's would not show it well.
 */
#ifndef ODORI_FRAMING_H
#define ODORI_FRAMING_H

#include "options.h"

/* Width to height of a window, before anybody has drawn at its edges. */
#define HOME_ASPECT (16.0 / 9.0)

/*
 * Moves a camera, as it is turned and with the opening it has, to where it sees
 * all models that are shown, as they stand at the stage's frame, in a picture
 * of this width to height; without the backdrop, where there is anything else.
 * False: there is nothing to see, or no memory; then it stays.
 */
bool camera_fit(const odori_scene *s, double aspect, mmd_camera *camera);

/*
 * Where all of a scene's models are from files of interchange, which stand
 * anywhere, in any size, and are often white: its default camera becomes one
 * that sees what is in it, as it is at rest, in a picture of this shape; and of
 * the view (NULL: there is none) the background becomes a greyish blue where
 * none was asked for, and bodies are shown as lines where nothing else could be
 * seen. A function of the files, the shape and what was asked for alone.
 */
void frame_interchange(odori_scene *s, double aspect, const view_options *asked, mmd_view_options *view);

/*
 * Sets the default camera of scenes that MMD's would not show well, and that
 * say nothing of a camera themselves: of a crowd (--actors), so that all rows
 * are seen, and where tiny is set of models that would be but a few pixels. It
 * goes by the models at rest, and leaves files of interchange alone.
 */
void frame_crowd_or_tiny(odori_scene *s, double aspect, bool tiny);

#endif
