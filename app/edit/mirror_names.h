/* Names of bones of the left and the right side. */
#ifndef ODORI_MIRROR_NAMES_H
#define ODORI_MIRROR_NAMES_H

#include "mmd/model.h"

enum { MIRROR_NAME_MAX = 256 };

/*
 * Writes the name of the other side: 左 for 右, as MMD does; Left for Right, left and LEFT, as words; L for R
 * and l for r as words ("arm_L", "L arm", "腕.Ｌ"), and L after a small letter or a digit ("armL"). Returns
 * false if the name belongs to neither side, or the result does not fit.
 */
bool mirror_name_swap(const char *name, char out[MIRROR_NAME_MAX]);

/* Finds the bone with the name of the other side, or else one that differs only in full-width letters (ＩＫ,
 * IK). Returns -1 if there is none, or the bone has no side. */
int32_t mirror_name_find_bone(const mmd_model *model, uint32_t bone);

#endif
