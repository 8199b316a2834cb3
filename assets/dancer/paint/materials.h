/* The materials of the dancer. */
#ifndef DANCER_MATERIALS_H
#define DANCER_MATERIALS_H

#include "dancer.h"

/* Fills in the model's textures and materials; the caller sets first_index and index_count. */
void materials_make(dancer *d, mmd_model *model);

#endif
