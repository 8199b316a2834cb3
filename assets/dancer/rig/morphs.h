/* The morphs of the model: a table in morphs.c. */
#ifndef DANCER_MORPHS_H
#define DANCER_MORPHS_H

#include "dancer.h"

/* The same morph of the other side; itself for most. */
morph_id morph_mirror(morph_id morph);

/* Fills the model's morphs from the dancer's offsets and from the tables in morphs.c. */
void morphs_make(dancer *d, mmd_model *model);

#endif
