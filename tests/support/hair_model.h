/*
 * A model with hair for tests of the simulation, in which every number is known: a head that follows a bone,
 * a chain of three bodies that hangs from it (the last one has mode 2, which keeps the position of its bone),
 * a pearl that follows the last bone, and a ball without a bone.
 */
#ifndef ODORI_TEST_HAIR_MODEL_H
#define ODORI_TEST_HAIR_MODEL_H

#include "mmd/model.h"
#include "mmd/motion.h"

enum hair_bone { HAIR_CENTER, HAIR_HEAD, HAIR_1, HAIR_2, HAIR_3, HAIR_TIP, HAIR_RIBBON, HAIR_BONES };
enum hair_body { BODY_HEAD, BODY_1, BODY_2, BODY_3, BODY_PEARL, BODY_BALL, HAIR_BODIES };
enum { HAIR_JOINTS = 3 };

typedef struct hair_model {
    mmd_model model;
    mmd_bone bones[HAIR_BONES];
    mmd_rigid_body bodies[HAIR_BODIES];
    mmd_joint joints[HAIR_JOINTS];
    mmd_morph gust; /* an impulse on the middle body of the chain */
    mmd_impulse_offset impulse;
} hair_model;

void hair_model_make(hair_model *hair);
void hair_model_finish(hair_model *hair);

/* A motion of the centre bone, which sways, rotates and hops, with a keyframe every 5 frames. The second
 * track is for the bone that hair_motion_switch animates. */
enum { HAIR_KEYS = 256 };
typedef struct hair_motion {
    mmd_motion motion;
    mmd_bone_track tracks[2];
    uint32_t frames[2][HAIR_KEYS];
    mmd_bone_key keys[2][HAIR_KEYS];
    mmd_property_key shown[4];
} hair_motion;

void hair_motion_make(hair_motion *m, uint32_t last_frame);
/* Moves the centre by 100 units along X, from a frame on. The jump takes one frame. */
void hair_motion_teleport(hair_motion *m, uint32_t frame);
/* Adds a keyframe that switches the physics of a bone on or off. */
void hair_motion_switch(hair_motion *m, int bone, uint32_t frame, bool off);
/* Adds a keyframe of the model's visibility. The first one must be at frame 0. */
void hair_motion_show(hair_motion *m, uint32_t frame, bool visible);

#endif
