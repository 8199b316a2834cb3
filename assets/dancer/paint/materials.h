/* What the materials look like: a table. */
#ifndef DANCER_MATERIALS_H
#define DANCER_MATERIALS_H

#include "dancer.h"

/* Fills the model's textures and materials; first_index and index_count are the caller's. */
void materials_make(dancer *d, mmd_model *model);

#endif
