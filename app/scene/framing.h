/* Cameras that show what is on the stage, for scenes that MMD's default camera does not show well. */
#ifndef ODORI_FRAMING_H
#define ODORI_FRAMING_H

#include "options.h"

/* Aspect ratio (width to height) that is assumed before a window exists. */
#define HOME_ASPECT (16.0 / 9.0)

/*
 * Moves a camera, keeping its rotation and field of view, so that all visible models fit into a picture of
 * this aspect ratio at the stage's current frame. The backdrop is ignored if there is anything else. Returns
 * false and leaves the camera if there is nothing to see or no memory.
 */
bool camera_fit(const odori_scene *s, double aspect, mmd_camera *camera);

/*
 * Finds a free place on the x axis for a dancer that was just added and stands at the origin: the nearest one
 * where her box at rest and those of the other dancers do not overlap, with a gap of a tenth of her width.
 * Returns false if she can stay: she has room, hangs on a bone, or is an accessory or as large as a stage.
 */
bool place_beside(const odori_scene *s, size_t model, float *x);

/* Tests whether a model is as large as a stage at rest, and has no body. */
bool model_is_stage(const mmd_model *model);

/*
 * If all models of a scene come from interchange files (which may have any position and size, and are often
 * white), sets a default camera that shows their rest pose in a picture of this aspect ratio. In view (may be
 * NULL) it sets a grey-blue background unless one was asked for, and shows bodies as lines if nothing else is
 * visible. The result depends only on the files, the aspect ratio and the options.
 */
void frame_interchange(odori_scene *s, double aspect, const view_options *asked, mmd_view_options *view);

/*
 * Sets the default camera of scenes without a camera of their own that MMD's camera would not show well: for
 * crowds (--actors), so that all rows are visible, and, if tiny is set, for models that would be a few pixels
 * high. Uses the rest poses. Does not touch interchange files.
 */
void frame_crowd_or_tiny(odori_scene *s, double aspect, bool tiny);

/*
 * Sets the default camera of a scene that was just opened, by the two functions above; keeps_mmd: not by the
 * second. frame_again sets it anew after models were removed or put back. It does nothing if the scene was
 * never framed.
 */
void frame_scene(odori_scene *s, double aspect, bool tiny, bool keeps_mmd, const view_options *asked,
                 mmd_view_options *view);
void frame_again(odori_scene *s);

#endif
