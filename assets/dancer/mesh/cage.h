/*
 * A control cage: a coarse mesh of quads (and a few triangles) with data that follow its surface: bone
 * weights, morph offsets, outline width, UV, materials. Catmull-Clark subdivision makes a smooth surface of
 * it. Every new point is a weighted sum of old points, and weights and morphs are computed with the same
 * sums.
 *
 *     cage c;
 *     cage_init(&c, arena);
 *     ... cage_point, cage_quad, cage_tube ...    the left half, or all of it
 *     cage_mirror(&c, rig, false);
 *     cage fine = cage_subdivide(&c, 2, arena);
 *     dancer_add(dancer, "sleeves", &fine);
 *
 * The orientation of faces does not matter: cage_orient (called by dancer_add) makes neighbours agree and
 * closed shells face outward. In the end every shell must be closed.
 */
#ifndef DANCER_CAGE_H
#define DANCER_CAGE_H

#include <stdbool.h>

#include "dancer_names.h"
#include "rig/rig.h"
#include "vector.h"

enum { CAGE_POINTS_MAX = 20000, CAGE_FACES_MAX = 20000, CAGE_NONE = -1 };

/* Weights of a new point: up to four bones, with any positive sum. Unused bones have weight 0. */
typedef struct cage_skin {
    int32_t bone[4];
    float weight[4];
} cage_skin;

/* Return weights for a single bone, and for two bones with weight t of b. */
cage_skin skin1(int32_t bone);
cage_skin skin2(int32_t a, int32_t b, float t);
/* Interpolates weights, keeping the four heaviest bones. */
cage_skin skin_mix(cage_skin a, cage_skin b, float t);

typedef struct cage_face {
    int32_t point[4]; /* corners in order; point[3] = CAGE_NONE for a triangle */
    vec2 uv[4];
    uint8_t material; /* material_id */
} cage_face;

/* An edge that stays sharp for `sharpness` levels of subdivision. */
typedef struct cage_crease {
    int32_t a, b;
    int sharpness;
} cage_crease;

typedef struct cage {
    mmd_arena *arena;
    int32_t point_capacity, point_count, face_capacity, face_count;
    vec3 *points;
    float *edge;               /* outline width, 1 unless set */
    float *weights[RIG_MAX];   /* by bone; NULL if no point uses it */
    vec3 *morphs[MORPH_COUNT]; /* offsets; NULL if no point has any */
    cage_face *faces;
    cage_crease *creases;
    uint32_t crease_count, crease_capacity;
} cage;

void cage_init(cage *c, mmd_arena *arena);

/* Adds a point. Returns its index. */
int32_t cage_point(cage *c, vec3 position, cage_skin skin);
void cage_set_skin(cage *c, int32_t point, cage_skin skin);

/* Sets a point's offset for the morph at weight 1. */
void cage_set_morph(cage *c, int32_t point, morph_id morph, vec3 offset);

/* Adds a face: corners in order, each with its UV. d = CAGE_NONE for a triangle. */
void cage_quad(cage *c, int32_t a, int32_t b, int32_t cc, int32_t d, const vec2 uv[4], material_id material);

void cage_set_crease(cage *c, int32_t a, int32_t b, int sharpness);
/* Creases all edges of a ring of count points that begins at first. */
void cage_crease_ring(cage *c, int32_t first, int count, int sharpness);

/* Connects two rings of count points by count quads. u runs from 0 to 1 around (the seam is at the start of
 * the ring), v from va to vb. */
void cage_bridge(cage *c, int32_t ring_a, int32_t ring_b, int count, float va, float vb,
                 material_id material);
/* Closes a ring with triangles to a new point in its middle, displaced by the vector `bulge`. Returns that
 * point. */
int32_t cage_cap(cage *c, int32_t ring, int count, vec3 bulge, cage_skin skin, float v, material_id material);

/*
 * Adds a tube along sections. A section has points centre + x cos(a) + y sin(a) for a full circle in `sides`
 * steps, squared off by `square` (0 is an ellipse, 1 nearly a box). Consecutive sections are connected and
 * both ends are capped; bulge is how far the caps stick out, in multiples of the last step. u runs around, v
 * is given per section. Returns the first point of the first ring; ring i starts sides * i later.
 */
typedef struct cage_section {
    vec3 centre, x, y;
    float square;
    float v;
    float edge; /* outline width; 0 means 1 */
    cage_skin skin;
    material_id material; /* material of the faces up to the next section */
} cage_section;
int32_t cage_tube(cage *c, const cage_section *sections, int count, int sides, float bulge);

/* Adds the mirror image at x = 0. Points with |x| < 1e-4 are shared. 左 and 右 are exchanged in weights and
 * in morphs that have a side. UVs stay, or u becomes 1 - u. */
void cage_mirror(cage *c, const rig *r, bool flip_u);

/* Returns a finer cage after `levels` steps of Catmull-Clark subdivision (1978; creases: DeRose, Kass, Truong
 * 1998). */
cage cage_subdivide(const cage *c, int levels, mmd_arena *arena);

/* Makes the faces of each shell agree, and those of closed shells face outward. Ends the program where three
 * faces meet at an edge. */
void cage_orient(cage *c);

/* Returns the normal of every point (faces weighted by area), in the arena. Call cage_orient before. */
vec3 *cage_normals(const cage *c, mmd_arena *arena);

/* Returns the number of edges with only one face. */
int cage_open_edges(const cage *c);

#endif
