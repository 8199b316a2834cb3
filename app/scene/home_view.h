/*
 * How scenes are seen that were not made for MMD: files of interchange stand
 * anywhere, in any size, and many are white. MMD's camera would often see
 * nothing of them, and its background swallow them.
 */
#ifndef ODORI_HOME_VIEW_H
#define ODORI_HOME_VIEW_H

#include "setup.h"

/* Width to height of a window, before anybody has drawn at its edges. */
#define HOME_ASPECT (16.0 / 9.0)

/*
 * Where all of a scene's models are from files of interchange, its default
 * camera becomes one that sees what is in it, as it is at rest, in a picture
 * of this shape; and of the view (NULL: there is none) the background becomes
 * a greyish blue where none was asked for, and bodies are shown as lines where
 * nothing else could be seen. A function of the files, the shape and what was
 * asked for alone.
 */
void home_view(odori_scene *s, double aspect, const view_options *asked, mmd_view_options *view);

/* Moves a camera, as it is turned, to where a box fills this share of the picture's width or height. */
void home_view_fit(const float low[3], const float high[3], double aspect, double filled, mmd_camera *camera);

#endif
