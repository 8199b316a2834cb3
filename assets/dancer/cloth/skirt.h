/* What the files of the skirt and of what hangs on it share: its shape in numbers, its bones, the obi. */
#ifndef DANCER_SKIRT_H
#define DANCER_SKIRT_H

#include "dancer.h"

enum { SKIRT_COLUMNS = 12, SKIRT_ROWS = 3 };

/* Where the columns' bones begin and end: the heads of the three rows, and the hem. */
extern const float skirt_heights[SKIRT_ROWS + 1];

/* A point of the skirt's middle surface (without pleats). azimuth: 0 in front, positive to her left. */
vec3s skirt_point(float azimuth, float y);

/* The azimuth of a column, and its bone in a row: column 0 is in front, 1 to 5 her left, 6 behind. */
float skirt_column_azimuth(int column);
int32_t skirt_bone(const rig *r, int column, int row);

/* The obi with its cord and clasp, and its bone 帯 (skirt_obi.c). */
void obi_rig(rig *r);
void obi_add(dancer *d);
/* A point of the obi's outer face, moved out. */
vec3s obi_point(float azimuth, float y, float out);

#endif
