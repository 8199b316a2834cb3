/*
 * The gizmo: handles over the picture that move, turn and scale what is
 * selected. Geometry alone, without window, GL and scene: a camera's matrices
 * and an item's in, strokes in pixels and an op's new values out.
 *
 * Pixels are those of the picture, from its top left; lengths units of the
 * world; matrices column-major, for column vectors. No function keeps anything.
 */
#ifndef ODORI_GIZMO_H
#define ODORI_GIZMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gizmo_mode { GIZMO_NONE, GIZMO_TRANSLATE, GIZMO_ROTATE, GIZMO_SCALE, GIZMO_MODES } gizmo_mode;

/* Whose axes the handles have: the item's, those it hangs in, the world's, or those its bone names in its
 * file (without any: the item's). */
typedef enum gizmo_space { GIZMO_LOCAL, GIZMO_PARENT, GIZMO_WORLD, GIZMO_AXES, GIZMO_SPACES } gizmo_space;

typedef enum gizmo_handle {
    GIZMO_NO_HANDLE,
    GIZMO_X, /* an axis, or the ring about it */
    GIZMO_Y,
    GIZMO_Z,
    GIZMO_YZ, /* a plane of translation, by the axes in it */
    GIZMO_ZX,
    GIZMO_XY,
    GIZMO_CENTER, /* in the picture's plane; the ring about where one looks; all three sizes */
    GIZMO_HANDLES
} gizmo_handle;

/* The camera of the picture: matrices as mmd_camera_matrices has them, its size in pixels. */
typedef struct gizmo_camera {
    double view[16], projection[16];
    double width, height;
} gizmo_camera;

/* Projects a point of the world to a pixel; false: it is behind the eye. */
bool gizmo_project(const gizmo_camera *camera, const double point[3], double pixel[2]);

/* Finds the ray through a pixel; direction of unit length. */
void gizmo_ray(const gizmo_camera *camera, const double pixel[2], double origin[3], double direction[3]);

/* Position and orientation of an item. */
typedef struct gizmo_place {
    double origin[3];  /* what the handles are about, in the world */
    double own[16];    /* the item's inclusive matrix, */
    double parent[16]; /* and its exclusive one */
    bool has_axes;
    double axes[9]; /* that its file names, of unit length, seen from the item */
    bool is_hinge;  /* it turns only about the first of those */
    bool has_gimbal;
    double gimbal[9]; /* axes that each of its angles turns about, in the world; not at right angles */
} gizmo_place;

/* Finds the axes of a space there, of unit length and at right angles. Scaling is always along the item's own
 * axes, turning about its gimbal's, where it has one. */
void gizmo_axes(const gizmo_place *place, gizmo_mode mode, gizmo_space space, double axes[9]);

/* A gizmo that can be seen. */
typedef struct gizmo {
    gizmo_camera camera;
    gizmo_mode mode;
    double origin[3], axes[9];
    bool is_hinge;    /* has the first ring only */
    bool is_gimbal;   /* has no ring about where one looks: one of its own is it */
    double to_eye[3]; /* of unit length */
    double unit;      /* of the world, a pixel at the origin */
    double point;     /* pixels of what lengths on the screen are in: 1, or 2 where they are half as large */
    double center[2]; /* pixel of the origin */
} gizmo;

/* Makes a gizmo, as large on the screen wherever it stands. False: it is not seen from there, or mode is
 * none. */
bool gizmo_make(const gizmo_camera *camera, const gizmo_place *place, gizmo_mode mode, gizmo_space space,
                double point, gizmo *out);

/* ------------------------------------------------------------- strokes */

enum { GIZMO_POINTS_MAX = 76, GIZMO_STROKES_MAX = 24 };

/* What is drawn: a line through points, closed or not, or a convex area. */
typedef struct gizmo_stroke {
    uint8_t handle; /* gizmo_handle; it is hit where its strokes are, but for those behind */
    uint8_t axis;   /* whose colour: 0 to 2, 3: none's */
    bool fills, closes;
    bool behind;        /* the side of a ring that is turned away */
    float alpha, width; /* 0..1; pixels */
    uint32_t count;
    float points[GIZMO_POINTS_MAX][2];
} gizmo_stroke;

/* Lists what is drawn, from back to front. Returns how many. */
size_t gizmo_strokes(const gizmo *g, gizmo_stroke strokes[GIZMO_STROKES_MAX]);

/* Finds the handle under a pixel; GIZMO_NO_HANDLE: none. */
gizmo_handle gizmo_hit(const gizmo *g, const double pixel[2]);

/* --------------------------------------------------------------- drags */

/* Step sizes that drags snap to; 0: none. */
typedef struct gizmo_snap {
    double units, degrees, factor;
} gizmo_snap;

/* A drag of one handle. */
typedef struct gizmo_drag {
    gizmo seen; /* as it was when it began */
    gizmo_handle handle;
    double start[2];    /* pixel */
    double from[3];     /* what was gripped, from the origin */
    double angle, last; /* of a ring, in all, and of the last move, radians */
    bool along_tangent; /* a ring seen from its side */
} gizmo_drag;

/* What a drag has changed since its beginning. */
typedef struct gizmo_change {
    gizmo_mode mode;
    bool in_world;    /* amount is in the world: units, or an axis times radians; else: */
    double amount[3]; /* units along, radians about, or factors of, each axis */
} gizmo_change;

void gizmo_drag_begin(gizmo_drag *drag, const gizmo *g, gizmo_handle handle, const double pixel[2]);

/* Moves the pointer of a drag. False: the handle has no meaning so far off, and the change is as before. */
bool gizmo_drag_to(gizmo_drag *drag, const double pixel[2], const gizmo_snap *snap, gizmo_change *change);

/* Converts a move or a turn to the world: units, or an axis times radians. axes: gizmo_axes of what is
 * changed; amount may be change's own. */
void gizmo_change_in_world(const gizmo_change *change, const double axes[9], double amount[3]);

/*
 * Computes the absolute values of an op after a change: units, degrees about X,
 * then Y, then Z, or factors. axes: gizmo_axes of the item that has it; exclusive:
 * what the op is seen from; values: those it had when the drag began. False:
 * there are none, as where it is seen flat.
 */
bool gizmo_values(const gizmo_change *change, const double axes[9], const double exclusive[16],
                  const double values[3], double out[3]);

/* Makes a shape that shows the drag: the angle turned by, as a sector; 0 points: none. */
void gizmo_drag_shape(const gizmo_drag *drag, const gizmo_change *change, gizmo_stroke *shape);

/* --------------------------------------------------- camera and light */

/*
 * The camera is what one looks through: its handles are at its target, and
 * each of its angles has a ring. The light comes from everywhere: it has a sun,
 * drawn beside where it is told to shine.
 */

/* Finds the axes in the world, of unit length, as columns, that the camera's angles (degrees, the file's
 * signs) turn about, the other way round. */
void gizmo_camera_axes(const double angles[3], double axes[9]);

/* Converts the camera's angles to degrees about X, then Y, then Z (mmd/edit.h). */
void gizmo_camera_degrees(const double angles[3], double degrees[3]);

/* Computes the camera's angles after a change about gizmo_camera_axes of those before. */
void gizmo_camera_turned(const gizmo_change *change, const double before[3], double angles[3]);

/* Computes a light's direction after a turn about axes; no part of it is beyond 1, as MMD's sliders have it.
 */
void gizmo_light_turned(const gizmo_change *change, const double axes[9], const double before[3],
                        double direction[3]);

enum { GIZMO_SUN_RADIUS = 9, GIZMO_SUN_REACH = 17 }; /* points of the screen: of its disk, of its rays */

/* Finds where the sun of a light that shines on a place is drawn, and where its line ends, in pixels. False:
 * the place is not seen. */
bool gizmo_sun(const gizmo_camera *camera, const double place[3], const float direction[3], double point,
               double sun[2], double end[2]);

/* -------------------------------------------- vectors and turns, which its users need as well */

double gizmo_dot(const double a[3], const double b[3]);
void gizmo_cross(const double a[3], const double b[3], double out[3]); /* out is neither */
double gizmo_length(const double a[3]);
bool gizmo_normalize(double a[3]); /* false: too short to have a direction */

/* out = a + b * factor; out may be a or b. */
void gizmo_add(const double a[3], const double b[3], double factor, double out[3]);

/* Transform a point or a direction by a 4 x 4 matrix. */
void gizmo_transform(const double m[16], const double point[3], double out[3]);
void gizmo_turn(const double m[16], const double direction[3], double out[3]);

/* Finds three axes of unit length at right angles, nearest to a matrix' columns; false: it has none. */
bool gizmo_axes_of(const double m[16], double axes[9]);

/* Finds the direction that a matrix' linear part brings to another one; false: there is none. */
bool gizmo_solve(const double m[16], const double direction[3], double out[3]);

/* Compute turns as three columns: a * b; inverse(a) * b; about an axis of unit length; of degrees about X,
 * then Y, then Z. */
void gizmo_multiply(const double a[9], const double b[9], double out[9]); /* out is neither */
void gizmo_divide(const double a[9], const double b[9], double out[9]);   /* likewise */
void gizmo_turn_about(const double axis[3], double radians, double out[9]);
void gizmo_from_degrees(const double degrees[3], double out[9]);
void gizmo_to_degrees(const double turn[9], double degrees[3]);

#ifdef __cplusplus
}
#endif

#endif
