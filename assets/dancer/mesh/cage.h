/*
 * A control cage: a coarse mesh of quads (and a few triangles) with what is to
 * follow its surface: bone weights, morph offsets, outline width, UV,
 * materials. Catmull-Clark subdivision makes the smooth surface of it, and
 * since every new point is a weighted sum of old ones, weights and morphs are
 * smoothed by the very same sums.
 *
 *     cage c;
 *     cage_init(&c, arena);
 *     ... cage_point, cage_quad, cage_tube ...   the left half, or all of it
 *     cage_mirror(&c, rig, false);
 *     cage fine = cage_subdivide(&c, 2, arena);
 *     dancer_add(dancer, "sleeves", &fine);
 *
 * Which way faces turn need not be cared for: cage_orient (called by
 * dancer_add) makes neighbours agree and closed shells face outward. Every
 * shell must be closed in the end.
 */
#ifndef DANCER_CAGE_H
#define DANCER_CAGE_H

#include <cglm/struct.h>
#include <stdbool.h>

#include "dancer_names.h"
#include "rig/rig.h"

enum { CAGE_POINTS_MAX = 20000, CAGE_FACES_MAX = 20000, CAGE_NONE = -1 };

/* Weights of a new point: up to four bones, any positive sum. Unused ones have weight 0. */
typedef struct cage_skin {
    int32_t bone[4];
    float weight[4];
} cage_skin;

/* All on one bone; t of the way from a to b. */
cage_skin skin1(int32_t bone);
cage_skin skin2(int32_t a, int32_t b, float t);
/* t of the way from one to the other (bones of both, the four heaviest). */
cage_skin skin_mix(cage_skin a, cage_skin b, float t);

typedef struct cage_face {
    int32_t point[4]; /* in a circle; point[3] = CAGE_NONE: a triangle */
    vec2s uv[4];
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
    vec3s *points;
    float *edge;                /* outline width, 1 unless set */
    float *weights[RIG_MAX];    /* by bone; NULL: no point has any */
    vec3s *morphs[MORPH_COUNT]; /* offsets; NULL: none */
    cage_face *faces;
    cage_crease *creases;
    uint32_t crease_count, crease_capacity;
} cage;

void cage_init(cage *c, mmd_arena *arena);

/* The new point's number. */
int32_t cage_point(cage *c, vec3s position, cage_skin skin);
void cage_set_skin(cage *c, int32_t point, cage_skin skin);

/* What the morph at 1 adds to a point. */
void cage_set_morph(cage *c, int32_t point, morph_id morph, vec3s offset);

/* Corners in a circle, each with its UV. d = CAGE_NONE: a triangle. */
void cage_quad(cage *c, int32_t a, int32_t b, int32_t cc, int32_t d, const vec2s uv[4], material_id material);

void cage_set_crease(cage *c, int32_t a, int32_t b, int sharpness);
/* All edges of a ring of count points that starts at first. */
void cage_crease_ring(cage *c, int32_t first, int count, int sharpness);

/*
 * Two rings of count points (numbers first.. in a circle) become count quads.
 * u runs from 0 to 1 around (the seam is where the ring starts), v from va to
 * vb.
 */
void cage_bridge(cage *c, int32_t ring_a, int32_t ring_b, int count, float va, float vb,
                 material_id material);
/* Closes a ring: triangles to a new point in its middle (pushed out by `bulge`, a vector). Returns that
 * point. */
int32_t cage_cap(cage *c, int32_t ring, int count, vec3s bulge, cage_skin skin, float v,
                 material_id material);

/*
 * A tube along sections: points at centre + x cos(a) + y sin(a), a full circle
 * in `sides` steps, squared off by `square` (0 an ellipse, 1 nearly a box).
 * Consecutive sections are bridged, both ends are capped (bulge: how far the
 * caps stand out, in multiples of the last step; 0 flat). u runs around, v is
 * the section's own. Gives the number of the first ring's first point; ring i
 * starts sides * i later.
 */
typedef struct cage_section {
    vec3s centre, x, y;
    float square;
    float v;
    float edge; /* outline width; 0 counts as 1 */
    cage_skin skin;
    material_id material; /* of the faces from this section to the next */
} cage_section;
int32_t cage_tube(cage *c, const cage_section *sections, int count, int sides, float bulge);

/*
 * Adds the mirror image at x = 0. Points with |x| < 1e-4 are shared. 左 and 右
 * change places in weights and in morphs that have a side. UVs stay, or u
 * becomes 1 - u.
 */
void cage_mirror(cage *c, const rig *r, bool flip_u);

/* A finer cage: `levels` steps of Catmull-Clark (1978; creases: DeRose, Kass, Truong 1998). */
cage cage_subdivide(const cage *c, int levels, mmd_arena *arena);

/* Makes all faces of a shell agree, and those of closed shells face outward. Ends the program where three
 * faces meet in an edge. */
void cage_orient(cage *c);

/* Normal of every point (faces weighted by area), in the arena. Orient first. */
vec3s *cage_normals(const cage *c, mmd_arena *arena);

/* Number of edges with one face only. */
int cage_open_edges(const cage *c);

#endif
