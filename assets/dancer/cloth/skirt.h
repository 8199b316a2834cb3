/*
 * The skirt's shape and bones, and the obi, shared by the files of the skirt and of what is attached to it.
 */
#ifndef DANCER_SKIRT_H
#define DANCER_SKIRT_H

#include "dancer.h"

enum { SKIRT_COLUMNS = 12, SKIRT_ROWS = 3 };

/* Heights of the heads of the three rows of bones, and of the hem. */
extern const float skirt_heights[SKIRT_ROWS + 1];

/*
 * Returns a point of the skirt's middle surface, without pleats. azimuth: 0 in front, positive to her left.
 */
vec3 skirt_point(float azimuth, float y);

/*
 * Return the azimuth of a column and its bone in a row. Column 0 is in front, 1 to 5 on her left, 6 behind.
 */
float skirt_column_azimuth(int column);
int32_t skirt_bone(const rig *r, int column, int row);

/* Add the obi with its cord and clasp, and its bone 帯 (skirt_obi.c). */
void obi_rig(rig *r);
void obi_add(dancer *d);
/* Returns a point of the obi's outer face, displaced outward. */
vec3 obi_point(float azimuth, float y, float out);

#endif
