/*
 * A made PMX 2.1 with every kind of joint: a rack with seven pendulums, one a
 * kind and a chain, each hung up in its own way. Bodies are of every shape and
 * mode, in several groups with masks of their own; springs, limits of both
 * signs, reversed ones (free axes), turned frames and motors are there. Each
 * body is drawn as its shape, in a colour of its own.
 */
#ifndef ODORI_TEST_EVERY_JOINT_H
#define ODORI_TEST_EVERY_JOINT_H

#include "mmd/model.h"

enum { EVERY_JOINT_KINDS = 6, EVERY_JOINT_PENDULUMS = 7 };

/* Prepared; everything lies in its arena. Fails the test where there is no memory. */
void every_joint_make(mmd_model *model);
void every_joint_finish(mmd_model *model);

#endif
