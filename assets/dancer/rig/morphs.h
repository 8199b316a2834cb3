/* The morphs of the model; the table is in morphs.c. */
#ifndef DANCER_MORPHS_H
#define DANCER_MORPHS_H

#include "dancer.h"

/* Returns the same morph of the other side; most morphs are their own mirror image. */
morph_id morph_mirror(morph_id morph);

/* Fills in the model's morphs from the dancer's offsets and the tables in morphs.c. */
void morphs_make(dancer *d, mmd_model *model);

#endif
