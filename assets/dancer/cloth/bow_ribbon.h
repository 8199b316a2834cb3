/* A ribbon along a series of sections: two faces, closed all around. */
#ifndef DANCER_BOW_RIBBON_H
#define DANCER_BOW_RIBBON_H

#include "mesh/cage.h"

typedef struct ribbon_section {
    vec3 centre;
    vec3 across; /* half of its width, as a vector */
    vec3 out;    /* unit vector to the visible side */
    float thick;
    float belly;  /* how far the middle stands out from the edges */
    float gather; /* depth of the folds along the ribbon */
    vec3 cut;     /* displacement of both edges but not the middle: a notch at the end */
    float v, edge;
    cage_skin skin;
} ribbon_section;

enum { RIBBON_ACROSS = 7 }; /* points of one face across the ribbon */

/* Adds the ribbon. u runs across from 0 to 1 on both faces, v is given per section. Both ends are closed. */
void ribbon_sweep(cage *c, const ribbon_section *sections, int count, material_id material);

#endif
