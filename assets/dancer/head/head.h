/*
 * Declarations shared by the head's parts. All are laid out in the same way: a layout gives the positions of
 * a part's points for one look (an opening of the eyes, a mouth, a brow), at rest or of a morph. A part is
 * built once, from the look at rest; a morph's offsets are the difference of two layouts.
 *
 * Everything that lies on the face is drawn flat, in x and y as seen from the front, for the left half (x >=
 * 0), and projected onto the face's surface.
 */
#ifndef DANCER_HEAD_H
#define DANCER_HEAD_H

#include "dancer.h"

enum {
    HEAD_LID_KEYS = 6,  /* of a lid's curve, with both corners */
    HEAD_LIP_KEYS = 4,  /* from the middle to the corner */
    HEAD_BROW_KEYS = 4, /* from the inner end */
    HEAD_CURVE_MAX = 8  /* keys of any curve */
};

/* The opening of the left eye: curves of the lids from the inner to the outer corner. */
typedef struct head_eye {
    vec2 upper[HEAD_LID_KEYS], lower[HEAD_LID_KEYS];
    vec2 wing, spike; /* direction in which the lash continues past the corner, and that of its spikes */
    float closed;     /* 1: the lids meet and bulge over the eyeball */
} head_eye;

/* The left half of the mouth: curves of the lips from the middle to the corner. */
typedef struct head_mouth {
    vec2 upper[HEAD_LIP_KEYS], lower[HEAD_LIP_KEYS];
    float jaw;    /* how far the chin moves down */
    float pout;   /* how far the lips come forward */
    float corner; /* how far their corners draw back, so that the opening shows from the side */
    float teeth;  /* share of the opening that the upper teeth fill */
    float tongue; /* how far the tongue shows over the lower lip */
} head_mouth;

typedef struct head_brow {
    vec2 line[HEAD_BROW_KEYS];
} head_brow;

typedef struct head_look {
    morph_id morph; /* MORPH_COUNT: at rest */
    const head_eye *eye;
    const head_mouth *mouth;
    const head_brow *brow;
} head_look;

/* The first is the look at rest; each of the others belongs to a morph (head_looks.c). */
extern const head_look head_looks[];
extern const int head_look_count;

/* --- the surface (head_surface.c) --- */

/* A position on the head: x is the angle from the front (0) to the back (pi), y the row of the table, from
 * the crown down to the end of the neck. */
enum { HEAD_CHIN_ROW = 9, HEAD_LAST_ROW = 15 };
vec3 head_surface(const head_look *look, vec2 at);

/* Returns the position that is seen at xy from the front. */
vec2 head_find(const head_look *look, vec2 xy);

/* Returns the point seen at xy from the front, raised off the surface by lift. */
vec3 head_lift(const head_look *look, vec2 xy, float lift);

/* Return the point of a curve through keys at t of its length, and the curve's direction there. */
vec2 head_curve(const vec2 *keys, int count, float t);
vec2 head_curve_direction(const vec2 *keys, int count, float t);

/* --- parts --- */

/* Writes the positions of a part's points for a look. */
typedef void head_layout(const head_look *look, vec3 *points);

/* Adds count points laid out at rest, all with the same skin weights, and the offsets of every look's morph.
 * Returns the index of the first point. */
int32_t head_points(cage *c, head_layout *layout, int count, cage_skin skin);

/* Returns the foremost point at xy of the ball that the left eye's iris is cut from, moved back by depth. */
vec3 head_ball(vec2 xy, float depth);

void head_face_make(cage *c, const rig *r);   /* face, skull, neck, the eyes' whites, the mouth's inside */
void head_face_uv(cage *c);                   /* UVs by the positions after subdivision */
void head_lashes_make(cage *c, const rig *r); /* lashes and brows */
void head_mouth_make(cage *c, const rig *r);  /* teeth and tongue */
void head_ears_make(cage *c, const rig *r);
void head_blush_make(cage *c, const rig *r);
void head_irises_add(dancer *d);

#endif
