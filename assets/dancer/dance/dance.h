/* The dance, its expressions and its camera, as VMD bytes. */
#ifndef DANCER_DANCE_H
#define DANCER_DANCE_H

#include <stdbool.h>

#include "mmd/cursor.h"

void dance_make(mmd_buffer *vmd);
void camera_make(mmd_buffer *vmd);

/* Whether the picture is meant to hold all of her at a frame, hands and soles included. */
bool camera_shows_all(int frame);

/* Frames in which a foot (0 left, 1 right) stands: its goal does not move. */
typedef struct dance_plant {
    int foot;
    int from, to;
} dance_plant;

/* Writes up to capacity of them, in order of their ends for each foot; gives their number. */
size_t dance_plants(dance_plant *plants, size_t capacity);

#endif
