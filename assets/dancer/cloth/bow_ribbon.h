/* A ribbon along a row of sections: two faces, closed all round. */
#ifndef DANCER_BOW_RIBBON_H
#define DANCER_BOW_RIBBON_H

#include "mesh/cage.h"

typedef struct ribbon_section {
    vec3s centre;
    vec3s across; /* half of its width */
    vec3s out;    /* unit, to the side that is seen */
    float thick;
    float belly;  /* how far the middle stands out against the edges */
    float gather; /* how deep the folds along the ribbon are */
    vec3s cut;    /* moves both edges, not the middle: a notch at the end */
    float v, edge;
    cage_skin skin;
} ribbon_section;

enum { RIBBON_ACROSS = 7 }; /* points of one face across the ribbon */

/* u goes across from 0 to 1 on both faces; v is the sections' own. Both ends are closed. */
void ribbon_sweep(cage *c, const ribbon_section *sections, int count, material_id material);

#endif
