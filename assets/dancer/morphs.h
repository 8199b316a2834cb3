/* Names and kinds of the morphs, and what those that move no vertices do. */
#ifndef DANCER_MORPHS_H
#define DANCER_MORPHS_H

#include "dancer.h"

typedef struct morph_row {
    const char *name, *name_en;
    uint8_t panel; /* 1 brow, 2 eye, 3 mouth, 4 other */
    uint8_t kind;  /* mmd_morph_kind */
    morph_id mirror;
} morph_row;

extern const morph_row morph_rows[MORPH_COUNT];

/* The same morph of the other side; itself for most. */
morph_id morph_mirror(morph_id morph);

/* Fills the model's morphs from the dancer's offsets and from the tables in morphs.c. */
void morphs_make(dancer *d, mmd_model *model);

#endif
