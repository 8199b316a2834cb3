/*
 * A PMX 2.1 model with every kind of joint: a rack with seven pendulums, one for each joint kind and a chain.
 * The bodies have all shapes and modes and several groups and masks. The joints have springs, limits of both
 * signs, reversed limits (free axes), rotated frames and motors. Each body is drawn as its shape in its own
 * colour.
 */
#ifndef ODORI_TEST_EVERY_JOINT_H
#define ODORI_TEST_EVERY_JOINT_H

#include "mmd/model.h"

enum { EVERY_JOINT_KINDS = 6, EVERY_JOINT_PENDULUMS = 7 };

/* Builds and prepares the model. All its data lies in its arena. Fails the test if there is no memory. */
void every_joint_make(mmd_model *model);
void every_joint_finish(mmd_model *model);

#endif
