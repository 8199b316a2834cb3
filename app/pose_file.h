/* A dancer's pose as a VPD file. */
#ifndef ODORI_POSE_FILE_H
#define ODORI_POSE_FILE_H

#include "mmd/actor.h"
#include "mmd/cursor.h"

/*
 * Appends the file of the pose at the actor's frame: bones that are not at
 * rest, morphs that are not 0 (MikuMikuMoving's extension). MMD_ERROR_TEXT:
 * there are names that CP932 lacks, and a file all the same; MMD_ERROR_MEMORY.
 */
mmd_status pose_file_make(mmd_actor *actor, mmd_buffer *out, mmd_error *error);

#endif
