/* A camera that has all models in the picture. */
#ifndef ODORI_CAMERA_FIT_H
#define ODORI_CAMERA_FIT_H

#include "scene.h"

/*
 * Moves a camera, as it is turned and with the opening it has, to where it sees
 * all models that are shown, as they stand at the stage's frame, in a picture
 * of this width to height; without the backdrop, where there is anything else.
 * False: there is nothing to see, or no memory; then it stays.
 */
bool camera_fit(const odori_scene *s, double aspect, mmd_camera *camera);

/*
 * The default camera of scenes that MMD's would not show well, and that say
 * nothing of a camera themselves: of a crowd (--actors), so that all rows are
 * seen, and where tiny is set of models that would be but a few pixels. It goes
 * by the models at rest. Scenes of interchange have their own (home_view.h).
 */
void camera_fit_home(odori_scene *s, double aspect, bool tiny);

#endif
