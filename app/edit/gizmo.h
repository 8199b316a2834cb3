/*
 * The gizmo: handles drawn over the picture that move, rotate and scale the selection. This is geometry
 * alone, without window, GL or scene. Inputs are the matrices of a camera and of an item; outputs are strokes
 * in pixels and the new values of an op.
 *
 * Pixels are those of the picture, from its top left. Lengths are in world units. Matrices are column-major
 * and multiply column vectors. No function keeps state.
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

/* The axes that the handles have: the item's, its parent's, the world's, or those that the bone's file
 * defines (the item's where it defines none). */
typedef enum gizmo_space { GIZMO_LOCAL, GIZMO_PARENT, GIZMO_WORLD, GIZMO_AXES, GIZMO_SPACES } gizmo_space;

typedef enum gizmo_handle {
    GIZMO_NO_HANDLE,
    GIZMO_X, /* an axis, or the ring around it */
    GIZMO_Y,
    GIZMO_Z,
    GIZMO_YZ, /* a plane of translation, named by the axes in it */
    GIZMO_ZX,
    GIZMO_XY,
    GIZMO_CENTER, /* movement in the picture's plane; rotation about the viewing direction; scaling of all
                     axes */
    GIZMO_HANDLES
} gizmo_handle;

/* The camera of the picture: the matrices of mmd_camera_matrices, and the picture's size in pixels. */
typedef struct gizmo_camera {
    double view[16], projection[16];
    double width, height;
} gizmo_camera;

/* Projects a point of the world to a pixel. Returns false if the point is behind the eye. */
bool gizmo_project(const gizmo_camera *camera, const double point[3], double pixel[2]);

/* Computes the ray through a pixel. The direction has unit length. */
void gizmo_ray(const gizmo_camera *camera, const double pixel[2], double origin[3], double direction[3]);

/* Position and orientation of an item. */
typedef struct gizmo_placement {
    double origin[3];  /* centre of the handles, in the world */
    double own[16];    /* the item's inclusive matrix */
    double parent[16]; /* the item's exclusive matrix */
    bool has_axes;
    double axes[9]; /* axes from the item's file, of unit length, in the item's space */
    bool is_hinge;  /* it rotates only about the first of these axes */
    bool has_gimbal;
    double gimbal[9]; /* axes of its angles, in the world; not necessarily at right angles */
} gizmo_placement;

/* Computes the axes of a space, of unit length and at right angles. Scaling always uses the item's own
 * axes; rotation uses those of its gimbal where it has one. */
void gizmo_axes(const gizmo_placement *placement, gizmo_mode mode, gizmo_space space, double axes[9]);

/* A visible gizmo. */
typedef struct gizmo {
    gizmo_camera camera;
    gizmo_mode mode;
    double origin[3], axes[9];
    bool is_hinge;    /* has the first ring only */
    bool is_gimbal;   /* has no ring about the viewing direction, because one of its own is that ring */
    double to_eye[3]; /* direction towards the eye, of unit length */
    double unit;      /* world units per pixel at the origin */
    double point;     /* pixels per point of the screen: 1, or 2 on high-density displays */
    double center[2]; /* pixel of the origin */
} gizmo;

/* Makes a gizmo of constant size on the screen. Returns false if its origin is not visible or the mode is
 * none. */
bool gizmo_make(const gizmo_camera *camera, const gizmo_placement *placement, gizmo_mode mode,
                gizmo_space space, double point, gizmo *out);

/* ------------------------------------------------------------- strokes */

enum { GIZMO_POINTS_MAX = 76, GIZMO_STROKES_MAX = 24 };

/* What is drawn: a line through points, closed or open, or a convex area. */
typedef struct gizmo_stroke {
    uint8_t handle; /* gizmo_handle that a click on the stroke hits, unless the stroke is behind */
    uint8_t axis;   /* axis that gives the colour, 0 to 2; 3: no axis */
    bool fills, closes;
    bool behind;        /* the part of a ring that faces away from the viewer */
    float alpha, width; /* alpha 0 to 1, width in pixels */
    uint32_t count;
    float points[GIZMO_POINTS_MAX][2];
} gizmo_stroke;

/* Lists the strokes from back to front. Returns their number. */
size_t gizmo_strokes(const gizmo *g, gizmo_stroke strokes[GIZMO_STROKES_MAX]);

/* Returns the handle under a pixel, or GIZMO_NO_HANDLE. */
gizmo_handle gizmo_hit(const gizmo *g, const double pixel[2]);

/* --------------------------------------------------------------- drags */

/* Step sizes that drags snap to; 0: no snapping. */
typedef struct gizmo_snap {
    double units, degrees, factor;
} gizmo_snap;

/* A drag of one handle. */
typedef struct gizmo_drag {
    gizmo seen; /* the gizmo when the drag began */
    gizmo_handle handle;
    double start[2];    /* pixel */
    double from[3];     /* gripped point, relative to the origin */
    double angle, last; /* radians of a ring: the total, and the angle of the last move */
    bool along_tangent; /* the ring is seen edge-on */
} gizmo_drag;

/* What a drag has changed since its beginning. */
typedef struct gizmo_change {
    gizmo_mode mode;
    bool in_world;    /* amount is in the world: units, or an axis times radians; otherwise it is per axis: */
    double amount[3]; /* units along, radians about, or factor of, each axis */
} gizmo_change;

void gizmo_drag_begin(gizmo_drag *drag, const gizmo *g, gizmo_handle handle, const double pixel[2]);

/* Moves the pointer of a drag. Returns false if the pixel has no meaning for the handle; the change stays
 * then. */
bool gizmo_drag_to(gizmo_drag *drag, const double pixel[2], const gizmo_snap *snap, gizmo_change *change);

/* Converts a translation or rotation to the world: units, or an axis times radians. axes: gizmo_axes of
 * the changed item. amount may be change->amount. */
void gizmo_change_in_world(const gizmo_change *change, const double axes[9], double amount[3]);

/*
 * Computes the absolute values of an op after a change: units, degrees about X, then Y, then Z, or factors.
 * axes: gizmo_axes of the item of the op; exclusive: matrix of the space that the op acts in; values: those
 * at the start of the drag. Returns false if there are none, for example because the exclusive matrix is
 * singular.
 */
bool gizmo_values(const gizmo_change *change, const double axes[9], const double exclusive[16],
                  const double values[3], double out[3]);

/* Makes the shape that shows the angle of a rotation, a sector. 0 points: nothing to show. */
void gizmo_drag_shape(const gizmo_drag *drag, const gizmo_change *change, gizmo_stroke *shape);

/* --------------------------------------------------- camera and light */

/*
 * The user looks through the camera, so its handles are at its target, with one ring per angle. The light has
 * no position, so a sun is drawn beside the point where it is shown.
 */

/* Computes the world axes, of unit length, as columns, that the camera's angles (degrees, signs as in
 * files) turn about in the negative sense. */
void gizmo_camera_axes(const double angles[3], double axes[9]);

/* Converts the camera's angles to degrees about X, then Y, then Z (mmd/edit.h). */
void gizmo_camera_degrees(const double angles[3], double degrees[3]);

/* Computes the camera's angles after a change about the gizmo_camera_axes of the angles before. */
void gizmo_camera_turned(const gizmo_change *change, const double before[3], double angles[3]);

/* Computes a light's direction after a rotation about axes. No component exceeds 1, as with MMD's sliders. */
void gizmo_light_turned(const gizmo_change *change, const double axes[9], const double before[3],
                        double direction[3]);

enum {
    GIZMO_SUN_RADIUS = 9,
    GIZMO_SUN_REACH = 17
}; /* points of the screen: radius of the disc, and of the rays */

/* Computes the pixels where the sun of a light is drawn and where its line towards a point ends. Returns
 * false if the point is not visible. */
bool gizmo_sun(const gizmo_camera *camera, const double placement[3], const float direction[3], double point,
               double sun[2], double end[2]);

/* -------------------------------------------- vectors and rotations, also for the users of the gizmo */

double gizmo_dot(const double a[3], const double b[3]);
void gizmo_cross(const double a[3], const double b[3], double out[3]); /* out must not be a or b */
double gizmo_length(const double a[3]);
bool gizmo_normalize(double a[3]); /* false: the vector is too short to have a direction */

/* Computes out = a + b * factor. out may be a or b. */
void gizmo_add(const double a[3], const double b[3], double factor, double out[3]);

/* Transform a point or a direction by a 4 x 4 matrix. */
void gizmo_transform(const double m[16], const double point[3], double out[3]);
void gizmo_rotate_direction(const double m[16], const double direction[3], double out[3]);

/* Computes three orthonormal axes from the columns of a matrix. Returns false if they are linearly
 * dependent. */
bool gizmo_axes_of(const double m[16], double axes[9]);

/* Solves the linear part of a matrix for a direction. Returns false if it is singular. */
bool gizmo_solve(const double m[16], const double direction[3], double out[3]);

/* Compute rotations as three columns: a * b; inverse(a) * b; about an axis of unit length; from degrees
 * about X, then Y, then Z, and back. */
void gizmo_multiply(const double a[9], const double b[9], double out[9]); /* out must not be a or b */
void gizmo_divide(const double a[9], const double b[9], double out[9]);   /* likewise */
void gizmo_turn_about(const double axis[3], double radians, double out[9]);
void gizmo_from_degrees(const double degrees[3], double out[9]);
void gizmo_to_degrees(const double turn[9], double degrees[3]);

#ifdef __cplusplus
}
#endif

#endif
