/*
 * The body's cage while it is built, shared by body*.c. It is one closed shell: the torso's rows, the sleeve
 * and arm that start at its armhole, the hand at the arm's end, the leg that starts at the lowest row, and
 * the boot at the leg's end. Only the left half is written; body.c mirrors it.
 *
 * The tables give points of the final surface. Catmull-Clark subdivision draws the surface inward, so body.c
 * moves the cage's points out until the surface goes through the tables' points.
 */
#ifndef DANCER_BODY_H
#define DANCER_BODY_H

#include "mesh/cage.h"

enum { ARM_SIDES = 6, LEG_SIDES = 8, CREASE = 2 };

/* Points of a ring around the arm, from below over the back to the top and the front. */
enum { ARM_BOTTOM, ARM_BOTTOM_BACK, ARM_TOP_BACK, ARM_TOP, ARM_TOP_FRONT, ARM_BOTTOM_FRONT };

/* Points of a ring around the leg, so that u = 0 is at the back and u = 0.5 in front. */
enum { LEG_BACK, LEG_BACK_IN, LEG_IN, LEG_FRONT_IN, LEG_FRONT, LEG_FRONT_OUT, LEG_OUT, LEG_BACK_OUT };

typedef struct body_build {
    cage c;
    const rig *r;
} body_build;

/* The edge at which the sleeve starts: its points, and their positions on the top's texture. */
typedef struct body_armhole {
    int32_t points[ARM_SIDES];
    vec2 uv[ARM_SIDES];
} body_armhole;

/* Adds the parts, in this order: each takes the ring at which it starts and returns the ring at which it
 * ends. */
void body_torso(body_build *b, body_armhole *armhole, int32_t hip[LEG_SIDES]);
void body_arm(body_build *b, const body_armhole *armhole, int32_t wrist[ARM_SIDES]);
void body_hand(body_build *b, const int32_t wrist[ARM_SIDES]);
void body_leg(body_build *b, const int32_t hip[LEG_SIDES], int32_t ankle[LEG_SIDES]);
void body_foot(body_build *b, const int32_t ankle[LEG_SIDES]);

/* Adds quads between two rows of count points, with u for each column; a ring if closed (u then has count + 1
 * values). */
typedef struct body_strip {
    const float *u;
    float va, vb;
    int count;
    bool closed;
    material_id material;
} body_strip;
void body_bridge(cage *c, const int32_t *a, const int32_t *b, const body_strip *strip);

/* Adds a quad with one UV at all its corners, for materials of one colour. */
void body_plain_quad(cage *c, int32_t p0, int32_t p1, int32_t p2, int32_t p3, vec2 uv, material_id material);

/* Makes the edges along a row of points sharp; closed: back to the first one too. */
void body_crease(cage *c, const int32_t *row, int count, bool closed);

/* Returns 0 below a and 1 above b (or the other way round if a > b), with a smooth step between. */
float body_ramp(float a, float b, float x);

/* Return the bones that points of the body follow, by position (body_skin.c). */
cage_skin body_torso_skin(const rig *r, vec3 p);
cage_skin body_arm_skin(const rig *r, float along);
cage_skin body_leg_skin(const rig *r, vec3 p);

#endif
