/*
 * A made model with hair: a head that follows a bone, a chain of three bodies
 * that hang from it (the last one keeps its bone's place, mode 2), a pearl that
 * sits on the last bone, and a ball without a bone. What the simulation is
 * tested with, where every number is known.
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
    mmd_morph gust; /* an impulse on the middle of the chain */
    mmd_impulse_offset impulse;
} hair_model;

void hair_model_make(hair_model *hair);
void hair_model_finish(hair_model *hair);

/* The center's way: it sways, turns and hops, a key every 5 frames. Others key bones of their own. */
enum { HAIR_KEYS = 256 };
typedef struct hair_motion {
    mmd_motion motion;
    mmd_bone_track tracks[2];
    uint32_t frames[2][HAIR_KEYS];
    mmd_bone_key keys[2][HAIR_KEYS];
    mmd_property_key shown[4];
} hair_motion;

void hair_motion_make(hair_motion *m, uint32_t last_frame);
/* The same, 100 units farther along X from a frame on, within a frame. */
void hair_motion_teleport(hair_motion *m, uint32_t frame);
/* Keys of a bone's physics switch. */
void hair_motion_switch(hair_motion *m, int bone, uint32_t frame, bool off);
/* Keys of visibility; the first one at 0. */
void hair_motion_show(hair_motion *m, uint32_t frame, bool visible);

#endif
