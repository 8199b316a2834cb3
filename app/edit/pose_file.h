/* A dancer's pose as a VPD file: writing it, and applying one to a model. */
#ifndef ODORI_POSE_FILE_H
#define ODORI_POSE_FILE_H

#include "mmd/cursor.h"
#include "session.h"

/*
 * Appends a VPD file of the pose at the actor's frame: bones that are not at rest and morphs that are not 0
 * (an extension of MikuMikuMoving); or, with whole, all of them, so that a model that takes it over has
 * exactly the same pose. MMD_ERROR_TEXT: some names cannot be written in CP932, but the file is complete
 * otherwise; MMD_ERROR_MEMORY.
 */
mmd_status pose_file_make(mmd_actor *actor, bool whole, mmd_buffer *out, mmd_error *error);

/* Returns the number of bones of the actor that are scaled at the moment, by hand or by an animation. VPD
 * and VMD cannot hold a scale. */
uint32_t pose_file_lost_scales(mmd_actor *actor);

/*
 * Edits the selected model, in one step, so that it has the pose of a VPD file at this frame. Bones and
 * morphs that the file does not name are left alone. Returns false with the reason in error (REFUSAL_MAX
 * bytes).
 */
bool pose_paste(odori_session *s, const void *data, size_t size, char *error);

#endif
