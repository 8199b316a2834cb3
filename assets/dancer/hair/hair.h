/* Declarations shared by the hair's parts: positions around the head, lines that locks follow, chains of
 * bones, and the lock itself. */
#ifndef DANCER_HAIR_H
#define DANCER_HAIR_H

#include "dancer.h"

/* A position on or over the skull: degrees around it (0 is the front, 90 her left, 180 the back), height, and
 * the gap to the skull, which goes straight down below its widest line. */
typedef struct hair_place {
    float around, y, gap;
} hair_place;

/* Returns the point in a direction from the skull's centre (degrees around, degrees up) at a gap to the
 * skull. */
vec3 hair_skull_point(float around, float up, float gap);

/* A smooth line in even steps, with the outward direction at each step. */
enum { HAIR_LINE = 64 };
typedef struct hair_line {
    vec3 at[HAIR_LINE + 1], out[HAIR_LINE + 1];
    float length;
} hair_line;

/* Returns the line through positions around the head; side -1: mirrored. */
hair_line hair_line_places(const hair_place *places, int count, int side);
/* Returns the line through points; the outward direction is given for both ends. */
hair_line hair_line_points(const vec3 *points, int count, vec3 out_root, vec3 out_tip);
/* Return the point of a line at t of its length, and its outward direction there. */
vec3 hair_line_at(const hair_line *line, float t);
vec3 hair_line_out(const hair_line *line, float t);
/* Returns the unit vector towards the tip. */
vec3 hair_line_along(const hair_line *line, float t);

/* The centre line of the ponytail, from inside the cap to the tip, and the position on it where a bone
 * begins. */
hair_line hair_tail_axis(void);
float hair_tail_bone(int number);

/* Chains of bones that hair swings on. */
typedef enum hair_chain_id {
    CHAIN_NONE, /* only the head bone */
    CHAIN_FRINGE,
    CHAIN_FRINGE_SIDE, /* a pair */
    CHAIN_SIDE,        /* a pair */
    CHAIN_NAPE,        /* a pair */
    CHAIN_TAIL,
    CHAIN_AHOGE,
    CHAIN_DANGLE,
    CHAIN_COUNT
} hair_chain_id;
enum { HAIR_CHAIN_BONES = 6 };

typedef struct hair_chain {
    int count;    /* bones; 0 if none */
    int32_t head; /* parent of the chain */
    int32_t bone[HAIR_CHAIN_BONES];
    vec3 at[HAIR_CHAIN_BONES + 1]; /* start of each bone, and the end of the last one */
} hair_chain;

/* Returns the bones of a chain; side -1: those of the right one of a pair. */
hair_chain hair_chain_find(const rig *r, hair_chain_id id, int side);
bool hair_chain_is_pair(hair_chain_id id);
/* Returns the weights of a point beside the chain. Each of two bones reaches half way into the other. */
cage_skin hair_chain_skin(const hair_chain *chain, vec3 point);

/* The shape of a lock along its line. */
typedef struct hair_shape {
    float width, depth; /* half of its greatest width, and the height of its ridge */
    float root;         /* width at the root, as a share of the greatest */
    float belly;        /* position of the greatest width: 0 at the root, 1 at the tip */
    float point;        /* 1: a round taper to the tip; more: a long thin tip */
    float roll[2];      /* rotation about its line in degrees, at the root and at the tip */
    float bend;         /* how far its sides bend around the head; with 0.28 it lies on the skull */
    float u;            /* u of its centre line on the texture */
    float v[2];
    int sections;
    material_id material;
} hair_shape;

/* Adds a closed lock whose sections follow a mix of two chains. */
void hair_lock_add(cage *c, const hair_line *line, const hair_shape *shape, const hair_chain *a,
                   const hair_chain *b, float mix);

/* Add the parts. */
void hair_cap_add(dancer *d);
void hair_locks_add(dancer *d);
void hair_tail_add(dancer *d);
void hair_ribbon_add(dancer *d);

#endif
