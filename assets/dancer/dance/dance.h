/* The dance, its expressions and its camera, as VMD bytes. */
#ifndef DANCER_DANCE_H
#define DANCER_DANCE_H

#include <stdbool.h>

#include "mmd/memory.h"

void dance_make(mmd_buffer *vmd);
void camera_make(mmd_buffer *vmd);

/* Tests whether the picture is meant to show all of her at a frame, including hands and soles. */
bool camera_shows_all(int frame);

/* Frames in which a foot (0 left, 1 right) stands still. */
typedef struct dance_plant {
    int foot;
    int from, to;
} dance_plant;

/* Writes up to capacity of them, ordered by their ends for each foot. Returns their number. */
size_t dance_plants(dance_plant *plants, size_t capacity);

#endif
