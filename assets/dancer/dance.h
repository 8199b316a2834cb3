/* The dance, its expressions and its camera, as VMD bytes. */
#ifndef DANCER_DANCE_H
#define DANCER_DANCE_H

#include "mmd/cursor.h"

void dance_make(mmd_buffer *vmd);
void camera_make(mmd_buffer *vmd);

#endif
