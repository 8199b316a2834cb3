/* Boxes around what is on a stage, and cameras that show them. */
#ifndef MMD_FRAMING_H
#define MMD_FRAMING_H

#include "mmd/actor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A box along the axes, in units. It is empty where low is above high. */
typedef struct mmd_box {
    float low[3], high[3];
} mmd_box;

/* Returns an empty box, for adding to. */
mmd_box mmd_empty_box(void);

bool mmd_box_is_empty(const mmd_box *box);

/* Returns whether a box can be shown: it is not empty, and its numbers are finite. */
bool mmd_box_is_there(const mmd_box *box);

/* Add a point, and another box, which may be empty. */
void mmd_box_add_point(mmd_box *box, const float point[3]);
void mmd_box_add(mmd_box *box, const mmd_box *other);

/* Returns the longest side of a box. */
float mmd_box_size(const mmd_box *box);

/*
 * Adds the box of an actor where it stands: as it is posed at the stage's frame, or at rest. The vertices of
 * each bone have a box that moves with the bone; a vertex belongs to the first of its bones. Returns false
 * when out of memory.
 */
bool mmd_stage_add_box(const mmd_stage *stage, size_t index, bool posed, mmd_box *box);

/*
 * Moves a camera, keeping its rotation and field of view, as near to a box that is not empty as its eight
 * corners allow, so that the box fills a share (above 0, up to 1) of the width or height of a picture. aspect
 * is the picture's width to its height.
 */
void mmd_camera_fit(const mmd_box *box, double aspect, double filled, mmd_camera *camera);

/* A model of an interchange file, and the animation that it plays, or NULL. */
typedef struct mmd_framed {
    const mmd_model *model;
    const mmd_animation *animation;
} mmd_framed;

/*
 * Sets a camera that shows models of interchange files, which may have any position and size, at rest: all
 * that moves, by physics or during its animation, and still things near it. Of a floor, which may be huge,
 * the part near what moves is shown. If nothing moves, everything is. The camera has MMD's field of view and
 * looks down a little, from the left. The result depends on the models and the aspect ratio alone. Returns
 * false, and leaves the camera, if there is nothing to see or no memory.
 */
bool mmd_camera_frame(const mmd_framed *models, size_t count, double aspect, mmd_camera *camera);

#ifdef __cplusplus
}
#endif

#endif
