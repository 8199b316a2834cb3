/* Names of bones of the left and the right. */
#ifndef ODORI_MIRROR_NAMES_H
#define ODORI_MIRROR_NAMES_H

#include "mmd/model.h"

enum { MIRROR_NAME_MAX = 256 };

/*
 * Writes the name of the other side: 左 for 右, as MMD has them; Left for Right, left
 * and LEFT, as words; L for R and l for r by themselves ("arm_L", "L arm",
 * "腕.Ｌ"), and L behind a small letter or a digit ("armL"). False: the name is of
 * neither side, or has no room.
 */
bool mirror_name_swap(const char *name, char out[MIRROR_NAME_MAX]);

/* Finds the bone of the other side that is called so; where there is none, one that is but for wide letters
 * (ＩＫ, IK). -1: there is none, or no other side. */
int32_t mirror_name_find_bone(const mmd_model *model, uint32_t bone);

#endif
