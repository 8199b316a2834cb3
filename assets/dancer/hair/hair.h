/*
 * What the hair's parts share: places round the head, lines that locks follow,
 * chains of bones, and the lock itself.
 */
#ifndef DANCER_HAIR_H
#define DANCER_HAIR_H

#include "dancer.h"

/*
 * A place on or over the skull: degrees around it (0 the front, 90 her left, 180 the back), height, and the
 * gap to the skull, which goes straight down below its widest line.
 */
typedef struct hair_place {
    float around, y, gap;
} hair_place;

/* A direction from the skull's middle (degrees around, degrees up) with the gap to the skull. */
vec3s hair_skull_point(float around, float up, float gap);

/* A smooth line in even steps, and which way is outward at each. */
enum { HAIR_LINE = 64 };
typedef struct hair_line {
    vec3s at[HAIR_LINE + 1], out[HAIR_LINE + 1];
    float length;
} hair_line;

/* Through places round the head; side -1: their mirror image. */
hair_line hair_line_places(const hair_place *places, int count, int side);
/* Through points; out is given for both ends. */
hair_line hair_line_points(const vec3s *points, int count, vec3s out_root, vec3s out_tip);
/* Of any line, t of the way along it. */
vec3s hair_line_at(const hair_line *line, float t);
vec3s hair_line_out(const hair_line *line, float t);
/* Unit vector towards the tip. */
vec3s hair_line_along(const hair_line *line, float t);

/* The ponytail's middle line, from inside the cap to the tip, and where on it a bone begins. */
hair_line hair_tail_axis(void);
float hair_tail_bone(int number);

/* The chains of bones that hair swings on. */
typedef enum hair_chain_id {
    CHAIN_NONE, /* the head alone */
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
    int count;    /* of bones; 0: none */
    int32_t head; /* what the chain hangs on */
    int32_t bone[HAIR_CHAIN_BONES];
    vec3s at[HAIR_CHAIN_BONES + 1]; /* where each bone begins, and where the last one ends */
} hair_chain;

/* The bones of a chain; side -1: the right one of a pair. */
hair_chain hair_chain_find(const rig *r, hair_chain_id id, int side);
bool hair_chain_is_pair(hair_chain_id id);
/* Weights for a point beside the chain: two bones, each reaching halfway into the other. */
cage_skin hair_chain_skin(const hair_chain *chain, vec3s point);

/* How a lock is formed along its line. */
typedef struct hair_shape {
    float width, depth; /* half of its greatest width; how high its back stands */
    float root;         /* width at the root, of the greatest */
    float belly;        /* where it is widest, 0 root to 1 tip */
    float point;        /* 1 tapers roundly to the tip; more: a long thin tip */
    float roll[2];      /* degrees about its line, at the root and the tip */
    float bend;         /* how far its sides bend around the head: 0.28 lies on the skull */
    float u;            /* of its middle on the texture */
    float v[2];
    int sections;
    material_id material;
} hair_shape;

/* Adds a closed lock whose sections follow a mix of two chains. */
void hair_lock_add(cage *c, const hair_line *line, const hair_shape *shape, const hair_chain *a,
                   const hair_chain *b, float mix);

/* The parts. */
void hair_cap_add(dancer *d);
void hair_locks_add(dancer *d);
void hair_tail_add(dancer *d);
void hair_ribbon_add(dancer *d);

#endif
