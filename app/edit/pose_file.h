/* A dancer's pose as a VPD file, and one put on a dancer. */
#ifndef ODORI_POSE_FILE_H
#define ODORI_POSE_FILE_H

#include "mmd/cursor.h"
#include "session.h"

/*
 * Appends the file of the pose at the actor's frame: bones that are not at
 * rest, morphs that are not 0 (MikuMikuMoving's extension); or, with whole, all
 * of them, so that a pose taken over by another is the same. MMD_ERROR_TEXT:
 * there are names that CP932 lacks, and a file all the same; MMD_ERROR_MEMORY.
 */
mmd_status pose_file_make(mmd_actor *actor, bool whole, mmd_buffer *out, mmd_error *error);

/* Returns how many of the actor's bones are scaled just now, by hand or by an animation: VPD and VMD say
 * nothing of that. */
uint32_t pose_file_lost_scales(mmd_actor *actor);

/*
 * Edits the selected model, in one step, so that it stands at this frame as a
 * VPD file says; bones and morphs that it does not name stay as they are.
 * False: why in error (REFUSAL_MAX bytes).
 */
bool pose_paste(odori_session *s, const void *data, size_t size, char *error);

#endif
