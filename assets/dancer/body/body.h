/*
 * The body's cage in the making, shared by body*.c. All of it is one shell:
 * the torso's rows, the sleeve and arm that start at its armhole, the hand at
 * the arm's end, the leg that starts at its lowest row, the boot at the leg's
 * end. Only the left half is written; body.c mirrors it.
 *
 * The tables give points of the surface itself. Catmull-Clark draws a cage's
 * surface inward, so body.c moves the cage's points out until the surface goes
 * through the tables' points.
 */
#ifndef DANCER_BODY_H
#define DANCER_BODY_H

#include "mesh/cage.h"

enum { ARM_SIDES = 6, LEG_SIDES = 8, CREASE = 2 };

/* A ring round the arm: from below over the back to the top and the front. */
enum { ARM_BOTTOM, ARM_BOTTOM_BACK, ARM_TOP_BACK, ARM_TOP, ARM_TOP_FRONT, ARM_BOTTOM_FRONT };

/* A ring round the leg, so that u = 0 is at the back and u = 0.5 in front. */
enum { LEG_BACK, LEG_BACK_IN, LEG_IN, LEG_FRONT_IN, LEG_FRONT, LEG_FRONT_OUT, LEG_OUT, LEG_BACK_OUT };

typedef struct body_build {
    cage c;
    const rig *r;
} body_build;

/* Where the sleeve starts: points, and their places on the top's texture. */
typedef struct body_armhole {
    int32_t points[ARM_SIDES];
    vec2s uv[ARM_SIDES];
} body_armhole;

/* The parts in their order: each gets the ring at which it starts and gives the ring at which it ends. */
void body_torso(body_build *b, body_armhole *armhole, int32_t hip[LEG_SIDES]);
void body_arm(body_build *b, const body_armhole *armhole, int32_t wrist[ARM_SIDES]);
void body_hand(body_build *b, const int32_t wrist[ARM_SIDES]);
void body_leg(body_build *b, const int32_t hip[LEG_SIDES], int32_t ankle[LEG_SIDES]);
void body_foot(body_build *b, const int32_t ankle[LEG_SIDES]);

/* Quads between two rows of count points, u per column; a ring if closed (then u has count + 1 values). */
typedef struct body_strip {
    const float *u;
    float va, vb;
    int count;
    bool closed;
    material_id material;
} body_strip;
void body_bridge(cage *c, const int32_t *a, const int32_t *b, const body_strip *strip);

/* A quad with one UV at all its corners, for materials of one colour. */
void body_plain_quad(cage *c, int32_t p0, int32_t p1, int32_t p2, int32_t p3, vec2s uv, material_id material);

/* Sharp edges along a row of points; closed: back to the first one. */
void body_crease(cage *c, const int32_t *row, int count, bool closed);

/* 0 below a, 1 above b (or the other way round for a > b), smooth in between. */
float body_ramp(float a, float b, float x);

/* body_skin.c: what the body's points follow, by where they are. */
cage_skin body_torso_skin(const rig *r, vec3s p);
cage_skin body_arm_skin(const rig *r, float along);
cage_skin body_leg_skin(const rig *r, vec3s p);

#endif
