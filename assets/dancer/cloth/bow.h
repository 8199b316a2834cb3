/* Declarations shared by the bow's files. */
#ifndef DANCER_BOW_H
#define DANCER_BOW_H

#include "dancer.h"

enum { BOW_TAIL_BONES = 3, BOW_LOOP_BONES = 2 };

/*
 * Positions of the bones on her left side: loop bones 左帯1, 左帯2 and the tip; tail bones 左帯尾1 to 3 and
 * the end.
 */
extern const vec3 bow_loop_heads[BOW_LOOP_BONES + 1], bow_tail_heads[BOW_TAIL_BONES + 1];

#endif
