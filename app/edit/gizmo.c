/*
 * The geometry of the gizmo except for drags: vectors and rotations; placement and projection by the camera's
 * matrices; strokes and hit tests; angles of a camera and directions of a light.
 */
#include "gizmo.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

#define DEGREE (3.14159265358979323846 / 180.0)

/* --- Vectors and rotations --- */

double gizmo_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void gizmo_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

double gizmo_length(const double a[3])
{
    return sqrt(gizmo_dot(a, a));
}

bool gizmo_normalize(double a[3])
{
    double length = gizmo_length(a);
    if (!(length > 1e-12))
        return false;
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return true;
}

void gizmo_add(const double a[3], const double b[3], double factor, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + b[k] * factor;
}

void gizmo_rotate_direction(const double m[16], const double direction[3], double out[3])
{
    double d[3];
    memcpy(d, direction, sizeof d);
    for (int k = 0; k < 3; k++)
        out[k] = m[k] * d[0] + m[4 + k] * d[1] + m[8 + k] * d[2];
}

void gizmo_transform(const double m[16], const double point[3], double out[3])
{
    gizmo_rotate_direction(m, point, out);
    for (int k = 0; k < 3; k++)
        out[k] += m[12 + k];
}

/* Orthonormalises by Gram-Schmidt. The third axis is the cross product of the others, so that a mirrored
 * matrix gives a rotation, too. */
bool gizmo_axes_of(const double m[16], double axes[9])
{
    double x[3], y[3];
    memcpy(x, m, sizeof x);
    memcpy(y, m + 4, sizeof y);
    if (!gizmo_normalize(x))
        return false;
    gizmo_add(y, x, -gizmo_dot(x, y), y);
    if (!gizmo_normalize(y))
        return false;
    memcpy(axes, x, sizeof x);
    memcpy(axes + 3, y, sizeof y);
    gizmo_cross(x, y, axes + 6);
    return true;
}

/* Solves by Cramer's rule on the columns. */
bool gizmo_solve(const double m[16], const double direction[3], double out[3])
{
    double normal[3][3], found[3];
    for (int k = 0; k < 3; k++)
        gizmo_cross(m + 4 * ((k + 1) % 3), m + 4 * ((k + 2) % 3), normal[k]);
    double volume = gizmo_dot(m, normal[0]);
    for (int k = 0; k < 3; k++)
        found[k] = gizmo_dot(direction, normal[k]) / volume;
    bool solved = isfinite(found[0]) && isfinite(found[1]) && isfinite(found[2]);
    if (solved)
        memcpy(out, found, sizeof found);
    return solved;
}

void gizmo_multiply(const double a[9], const double b[9], double out[9])
{
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out[3 * c + r] = a[r] * b[3 * c] + a[3 + r] * b[3 * c + 1] + a[6 + r] * b[3 * c + 2];
}

void gizmo_divide(const double a[9], const double b[9], double out[9])
{
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            out[3 * c + r] = gizmo_dot(a + 3 * r, b + 3 * c);
}

/* Computes the rotation about an axis by Rodrigues' formula. */
void gizmo_turn_about(const double axis[3], double radians, double out[9])
{
    double c, s;
    mmd_sincos(radians, &s, &c);
    for (int column = 0; column < 3; column++) {
        double basis[3] = {column == 0, column == 1, column == 2}, across[3];
        gizmo_cross(axis, basis, across);
        for (int k = 0; k < 3; k++)
            out[3 * column + k] = basis[k] * c + across[k] * s + axis[k] * axis[column] * (1 - c);
    }
}

void gizmo_from_degrees(const double degrees[3], double out[9])
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double x[9], y[9], z[9], yx[9];
    gizmo_turn_about(unit[0], degrees[0] * DEGREE, x);
    gizmo_turn_about(unit[1], degrees[1] * DEGREE, y);
    gizmo_turn_about(unit[2], degrees[2] * DEGREE, z);
    gizmo_multiply(y, x, yx);
    gizmo_multiply(z, yx, out);
}

/* Computes the angles of Rz Ry Rx. Where Y is a right angle, Z is 0. */
void gizmo_to_degrees(const double turn[9], double degrees[3])
{
    double cosine = mmd_hypot(turn[0], turn[1]);
    bool whole = cosine > 1e-9;
    degrees[0] = (whole ? mmd_atan2(turn[5], turn[8]) : mmd_atan2(-turn[7], turn[4])) / DEGREE;
    degrees[1] = mmd_atan2(-turn[2], cosine) / DEGREE;
    degrees[2] = whole ? mmd_atan2(turn[1], turn[0]) / DEGREE : 0;
}

/* --- Placement and projection --- */

/* Transforms a direction from view space to the world. The view is rigid, so its inverse is its transpose. */
static void turn_back(const double view[16], const double direction[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = gizmo_dot(view + 4 * k, direction);
}

static bool has_perspective(const gizmo_camera *camera)
{
    return camera->projection[11] != 0;
}

bool gizmo_project(const gizmo_camera *camera, const double point[3], double pixel[2])
{
    double p[3];
    gizmo_transform(camera->view, point, p);
    double w = has_perspective(camera) ? p[2] : 1;
    if (!(w > 1e-6))
        return false;
    pixel[0] = (1 + camera->projection[0] * p[0] / w) / 2 * camera->width;
    pixel[1] = (1 - camera->projection[5] * p[1] / w) / 2 * camera->height;
    return true;
}

void gizmo_ray(const gizmo_camera *camera, const double pixel[2], double origin[3], double direction[3])
{
    const double forward[3] = {0, 0, 1};
    double across[3] = {(2 * pixel[0] / camera->width - 1) / camera->projection[0],
                        (1 - 2 * pixel[1] / camera->height) / camera->projection[5], 0};
    double from[3] = {-camera->view[12], -camera->view[13], -camera->view[14]}, way[3] = {0, 0, 1};
    if (has_perspective(camera))
        gizmo_add(across, forward, 1, way);
    else
        gizmo_add(from, across, 1, from);
    turn_back(camera->view, from, origin);
    turn_back(camera->view, way, direction);
    gizmo_normalize(direction);
}

static const double world_axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

void gizmo_axes(const gizmo_placement *placement, gizmo_mode mode, gizmo_space space, double axes[9])
{
    bool is_hinge = mode == GIZMO_ROTATE && placement->is_hinge;
    bool is_own = is_hinge || mode == GIZMO_SCALE || space == GIZMO_LOCAL || space == GIZMO_AXES;
    const double *m = is_own ? placement->own : placement->parent;
    double found[9];
    memcpy(axes, world_axes, sizeof world_axes);
    if (mode == GIZMO_ROTATE && placement->has_gimbal) {
        memcpy(axes, placement->gimbal, sizeof placement->gimbal);
        return;
    }
    if ((space == GIZMO_WORLD && !is_own) || !gizmo_axes_of(m, found))
        return;
    if ((is_hinge || space == GIZMO_AXES) && placement->has_axes && mode != GIZMO_SCALE)
        gizmo_multiply(found, placement->axes, axes);
    else
        memcpy(axes, found, sizeof found);
}

bool gizmo_make(const gizmo_camera *camera, const gizmo_placement *placement, gizmo_mode mode,
                gizmo_space space, double point, gizmo *out)
{
    assert(mode < GIZMO_MODES && space < GIZMO_SPACES && point > 0);
    double from[3], seen[3];
    *out = (gizmo){.camera = *camera, .mode = mode, .point = point};
    memcpy(out->origin, placement->origin, sizeof out->origin);
    if (mode == GIZMO_NONE || !(camera->width > 0) || !(camera->height > 0) ||
        !gizmo_project(camera, placement->origin, out->center))
        return false;
    gizmo_axes(placement, mode, space, out->axes);
    out->is_hinge = mode == GIZMO_ROTATE && placement->is_hinge;
    out->is_gimbal = mode == GIZMO_ROTATE && placement->has_gimbal;
    gizmo_transform(camera->view, placement->origin, seen);
    out->unit = 2 * (has_perspective(camera) ? seen[2] : 1) / (camera->projection[5] * camera->height);
    gizmo_ray(camera, out->center, from, out->to_eye);
    for (int k = 0; k < 3; k++)
        out->to_eye[k] = -out->to_eye[k];
    return out->unit > 0 && isfinite(out->unit) && isfinite(out->center[0]) && isfinite(out->center[1]);
}

/* --- Strokes: lines and areas in pixels, of constant length on the screen --- */

/* Lengths on the screen, in points. */
#define REACH      92.0 /* length of an axis, radius of a ring */
#define GAP        16.0 /* between the centre and the start of an axis */
#define HEAD       15.0 /* of an arrow head */
#define HEAD_WIDTH 5.5
#define PLANE_FROM 28.0
#define PLANE_TO   46.0
#define CENTER     9.0
#define VIEW_RING  110.0
#define BOX        5.5
#define NEAR       7.0 /* distance from a line that still hits it */

/* Sines below which an axis that points at the eye, or a plane seen edge-on, cannot be dragged, and below
 * which it fades. */
#define FLAT     0.12
#define FADES_AT 0.30
#define FACES    0.95 /* cosine above which a ring is nearly a circle and has no far side */
#define TURN     6.28318530717958647692
#define SEGMENTS 72

typedef struct drawing {
    const gizmo *g;
    gizmo_stroke *strokes;
    size_t count;
} drawing;

/* Appends an empty stroke with default colour and width. */
static gizmo_stroke *new_stroke(drawing *d, gizmo_handle handle, int axis)
{
    assert(d->count < GIZMO_STROKES_MAX);
    gizmo_stroke *s = &d->strokes[d->count++];
    *s = (gizmo_stroke){
        .handle = (uint8_t)handle, .axis = (uint8_t)axis, .alpha = 1, .width = (float)(2.5 * d->g->point)};
    return s;
}

/* Appends a point to a stroke, in pixels. */
static void put(gizmo_stroke *s, double x, double y)
{
    assert(s->count < GIZMO_POINTS_MAX);
    s->points[s->count][0] = (float)x;
    s->points[s->count++][1] = (float)y;
}

/* Computes the world position of a point given in points of the screen along each axis. */
static void place_of(const gizmo *g, const double along[3], double placement[3])
{
    memcpy(placement, g->origin, 3 * sizeof *placement);
    for (int k = 0; k < 3; k++)
        gizmo_add(placement, g->axes + 3 * k, along[k] * g->unit * g->point, placement);
}

static bool put_place(const gizmo *g, gizmo_stroke *s, const double placement[3])
{
    double pixel[2];
    if (!gizmo_project(&g->camera, placement, pixel))
        return false;
    put(s, pixel[0], pixel[1]);
    return true;
}

static bool put_along(const gizmo *g, gizmo_stroke *s, int axis, double length)
{
    double along[3] = {0, 0, 0}, placement[3];
    along[axis] = length;
    place_of(g, along, placement);
    return put_place(g, s, placement);
}

/* Returns the opacity for the sine of the viewing angle: 0 where a handle is seen too flat to be gripped. */
static float presence(double sine)
{
    double part = (sine - FLAT) / (FADES_AT - FLAT);
    return (float)(part < 0 ? 0 : part > 1 ? 1 : part);
}

static float presence_of_axis(const gizmo *g, int axis)
{
    double across[3];
    gizmo_cross(g->axes + 3 * axis, g->to_eye, across);
    return presence(gizmo_length(across));
}

static float presence_of_plane(const gizmo *g, int axis)
{
    return presence(fabs(gizmo_dot(g->axes + 3 * axis, g->to_eye)));
}

/* Computes the pixel where an axis ends, and its direction on the screen. */
static bool find_tip(const gizmo *g, int axis, double length, double tip[2], double way[2])
{
    double along[3] = {0, 0, 0}, placement[3];
    along[axis] = length;
    place_of(g, along, placement);
    if (!gizmo_project(&g->camera, placement, tip))
        return false;
    double x = tip[0] - g->center[0], y = tip[1] - g->center[1], far = mmd_hypot(x, y);
    way[0] = far > 0 ? x / far : 0;
    way[1] = far > 0 ? y / far : 0;
    return true;
}

static void draw_head(drawing *d, int axis, float alpha)
{
    double tip[2], way[2], size = d->g->point;
    if (!find_tip(d->g, axis, REACH, tip, way))
        return;
    gizmo_stroke *s = new_stroke(d, (gizmo_handle)(GIZMO_X + axis), axis);
    s->fills = s->closes = true;
    s->alpha = alpha;
    put(s, tip[0] + way[0] * HEAD * size, tip[1] + way[1] * HEAD * size);
    put(s, tip[0] - way[1] * HEAD_WIDTH * size, tip[1] + way[0] * HEAD_WIDTH * size);
    put(s, tip[0] + way[1] * HEAD_WIDTH * size, tip[1] - way[0] * HEAD_WIDTH * size);
}

static void draw_square(drawing *d, gizmo_handle handle, int axis, const double at[2], double half,
                        float alpha)
{
    gizmo_stroke *s = new_stroke(d, handle, axis);
    s->fills = s->closes = true;
    s->alpha = alpha;
    put(s, at[0] - half, at[1] - half);
    put(s, at[0] + half, at[1] - half);
    put(s, at[0] + half, at[1] + half);
    put(s, at[0] - half, at[1] + half);
}

static void draw_axis(drawing *d, int axis)
{
    float alpha = presence_of_axis(d->g, axis);
    double tip[2], way[2];
    if (!(alpha > 0))
        return;
    gizmo_stroke *s = new_stroke(d, (gizmo_handle)(GIZMO_X + axis), axis);
    s->alpha = alpha;
    put_along(d->g, s, axis, GAP);
    put_along(d->g, s, axis, REACH);
    if (d->g->mode == GIZMO_TRANSLATE)
        draw_head(d, axis, alpha);
    else if (find_tip(d->g, axis, REACH, tip, way))
        draw_square(d, (gizmo_handle)(GIZMO_X + axis), axis, tip, BOX * d->g->point, alpha);
}

/* Draws the axes, the farthest first. */
static void draw_axes(drawing *d)
{
    bool drawn[3] = {false};
    for (int turn = 0; turn < 3; turn++) {
        int farthest = -1;
        double least = 0;
        for (int axis = 0; axis < 3; axis++) {
            double nearness = gizmo_dot(d->g->axes + 3 * axis, d->g->to_eye);
            if (drawn[axis] || (farthest >= 0 && nearness >= least))
                continue;
            farthest = axis;
            least = nearness;
        }
        drawn[farthest] = true;
        draw_axis(d, farthest);
    }
}

static void draw_plane(drawing *d, int axis)
{
    static const double corners[4][2] = {
        {PLANE_FROM, PLANE_FROM}, {PLANE_TO, PLANE_FROM}, {PLANE_TO, PLANE_TO}, {PLANE_FROM, PLANE_TO}};
    float alpha = presence_of_plane(d->g, axis);
    if (!(alpha > 0))
        return;
    for (int filled = 1; filled >= 0; filled--) {
        gizmo_stroke *s = new_stroke(d, (gizmo_handle)(GIZMO_YZ + axis), axis);
        s->fills = filled;
        s->closes = true;
        s->width = (float)(1.5 * d->g->point);
        s->alpha = alpha * (filled ? 0.3f : 0.9f);
        for (int c = 0; c < 4; c++) {
            double along[3] = {0, 0, 0}, placement[3];
            along[(axis + 1) % 3] = corners[c][0];
            along[(axis + 2) % 3] = corners[c][1];
            place_of(d->g, along, placement);
            put_place(d->g, s, placement);
        }
    }
}

static gizmo_stroke *draw_circle(drawing *d, double radius)
{
    gizmo_stroke *s = new_stroke(d, GIZMO_CENTER, 3);
    s->closes = true;
    for (int i = 0; i < SEGMENTS; i++)
        put(s, d->g->center[0] + radius * d->g->point * mmd_cos(TURN * i / SEGMENTS),
            d->g->center[1] + radius * d->g->point * mmd_sin(TURN * i / SEGMENTS));
    return s;
}

static void draw_center(drawing *d)
{
    gizmo_stroke *s = draw_circle(d, CENTER);
    s->fills = true;
    s->alpha = 0.22f;
    s = draw_circle(d, CENTER);
    s->width = (float)(2 * d->g->point);
}

/* Computes two directions at right angles to an axis: the other two axes, where all are orthogonal. */
static void ring_plane(const gizmo *g, int axis, double u[3], double v[3])
{
    const double *about = g->axes + 3 * axis, *next = g->axes + 3 * ((axis + 1) % 3);
    gizmo_add(next, about, -gizmo_dot(next, about), u);
    if (!gizmo_normalize(u)) {
        next = g->axes + 3 * ((axis + 2) % 3);
        gizmo_add(next, about, -gizmo_dot(next, about), u);
        gizmo_normalize(u);
    }
    gizmo_cross(about, u, v);
}

/* Computes a point of a ring. Returns whether it is on the side facing the eye; a ring that faces the eye
 * is entirely. */
static bool ring_point(const gizmo *g, int axis, int i, double placement[3])
{
    double u[3], v[3], from[3], radius = REACH * g->unit * g->point;
    ring_plane(g, axis, u, v);
    gizmo_add(g->origin, u, radius * mmd_cos(TURN * i / SEGMENTS), placement);
    gizmo_add(placement, v, radius * mmd_sin(TURN * i / SEGMENTS), placement);
    gizmo_add(placement, g->origin, -1, from);
    bool faces = fabs(gizmo_dot(g->axes + 3 * axis, g->to_eye)) > FACES;
    return faces || gizmo_dot(from, g->to_eye) > -0.03 * REACH * g->unit * g->point;
}

/* Draws the front or the back of a ring as one arc. */
static void draw_arc(drawing *d, int axis, bool front)
{
    const gizmo *g = d->g;
    double placement[3];
    int first = 0, count = 0;
    while (count < SEGMENTS && ring_point(g, axis, count, placement) == front)
        count++;
    if (count < SEGMENTS) {
        while (first < SEGMENTS && (ring_point(g, axis, first, placement) != front ||
                                    ring_point(g, axis, first + SEGMENTS - 1, placement) == front))
            first++;
        for (count = 0; count < SEGMENTS && ring_point(g, axis, first + count, placement) == front; count++)
            ;
    }
    if (count == 0)
        return;
    gizmo_stroke *s = new_stroke(d, (gizmo_handle)(GIZMO_X + axis), axis);
    s->behind = !front;
    s->alpha = front ? 1 : 0.28f;
    s->width = (float)((front ? 3 : 1.5) * g->point);
    for (int i = front ? 0 : -1; i < count + !front && i <= SEGMENTS; i++) {
        ring_point(g, axis, first + i + SEGMENTS, placement);
        put_place(g, s, placement);
    }
    s->closes = count == SEGMENTS;
}

static void draw_rings(drawing *d)
{
    if (!d->g->is_gimbal) {
        gizmo_stroke *s = draw_circle(d, VIEW_RING);
        s->width = (float)(2 * d->g->point);
        s->alpha = 0.75f;
    }
    for (int axis = 0; axis < 3; axis++)
        draw_arc(d, axis, false);
    for (int axis = 0; axis < 3; axis++)
        draw_arc(d, axis, true);
}

/* Keeps only the ring of a hinge. Returns the number of strokes. */
static size_t keep_first_ring(drawing *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++)
        if (d->strokes[i].handle == GIZMO_X)
            d->strokes[kept++] = d->strokes[i];
    return kept;
}

size_t gizmo_strokes(const gizmo *g, gizmo_stroke strokes[GIZMO_STROKES_MAX])
{
    drawing d = {.g = g, .strokes = strokes};
    if (g->mode == GIZMO_ROTATE) {
        draw_rings(&d);
        return g->is_hinge ? keep_first_ring(&d) : d.count;
    }
    for (int axis = 0; axis < 3 && g->mode == GIZMO_TRANSLATE; axis++)
        draw_plane(&d, axis);
    draw_axes(&d);
    if (g->mode == GIZMO_TRANSLATE)
        draw_center(&d);
    else
        draw_square(&d, GIZMO_CENTER, 3, g->center, 1.4 * BOX * g->point, 1);
    return d.count;
}

/* --- Hit tests --- */

static double distance_to_segment(const float a[2], const float b[2], const double pixel[2])
{
    double x = (double)b[0] - (double)a[0], y = (double)b[1] - (double)a[1], square = x * x + y * y;
    double px = pixel[0] - (double)a[0], py = pixel[1] - (double)a[1];
    double part = square > 0 ? (px * x + py * y) / square : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return mmd_hypot(px - part * x, py - part * y);
}

static double distance_to_line(const gizmo_stroke *s, const double pixel[2])
{
    double least = INFINITY;
    for (uint32_t i = 0; i + !s->closes < s->count; i++)
        least = mmd_min(least, distance_to_segment(s->points[i], s->points[(i + 1) % s->count], pixel));
    return least;
}

/* Tests whether a pixel is inside, by counting the crossings of a ray to the right. */
static bool is_inside(const gizmo_stroke *s, const double pixel[2])
{
    bool inside = false;
    for (uint32_t i = 0; i < s->count; i++) {
        const float *a = s->points[i], *b = s->points[(i + 1) % s->count];
        if (((double)a[1] > pixel[1]) == ((double)b[1] > pixel[1]))
            continue;
        double part = (pixel[1] - (double)a[1]) / ((double)b[1] - (double)a[1]);
        inside ^= pixel[0] < (double)a[0] + part * ((double)b[0] - (double)a[0]);
    }
    return inside;
}

/* Finds the nearest handle. Of several at the same distance, the one drawn last wins. */
gizmo_handle gizmo_hit(const gizmo *g, const double pixel[2])
{
    gizmo_stroke strokes[GIZMO_STROKES_MAX];
    size_t count = gizmo_strokes(g, strokes);
    double least = NEAR * g->point;
    gizmo_handle hit = GIZMO_NO_HANDLE;
    for (size_t i = 0; i < count; i++) {
        const gizmo_stroke *s = &strokes[i];
        if (s->behind || s->count < 2)
            continue;
        double far = s->fills && is_inside(s, pixel) ? 0 : distance_to_line(s, pixel);
        if (far <= least) {
            least = far;
            hit = (gizmo_handle)s->handle;
        }
    }
    return hit;
}

/* --- The shape of a drag --- */

void gizmo_drag_shape(const gizmo_drag *drag, const gizmo_change *change, gizmo_stroke *shape)
{
    const gizmo *g = &drag->seen;
    const double forward[3] = {g->camera.view[2], g->camera.view[6], g->camera.view[10]};
    const double *about =
        drag->handle == GIZMO_CENTER ? forward : g->axes + 3 * (((int)drag->handle - GIZMO_X) % 3);
    double angle = gizmo_length(change->amount), from[3];
    int steps = SEGMENTS - 2;
    *shape = (gizmo_stroke){
        .handle = (uint8_t)drag->handle, .axis = 3, .fills = true, .closes = true, .alpha = 0.3f};
    if (g->mode != GIZMO_ROTATE || drag->handle == GIZMO_NO_HANDLE || !(angle > 0))
        return;
    double sum = change->amount[0] + change->amount[1] + change->amount[2];
    angle = change->in_world ? drag->angle : sum;
    angle = mmd_min(mmd_max(angle, -TURN), TURN);
    memcpy(from, drag->from, sizeof from);
    gizmo_normalize(from);
    put(shape, g->center[0], g->center[1]);
    for (int i = 0; i <= steps; i++) {
        double turn[9], way[3] = {0, 0, 0}, placement[3];
        gizmo_turn_about(about, angle * i / steps, turn);
        for (int k = 0; k < 3; k++)
            gizmo_add(way, turn + 3 * k, from[k], way);
        double radius = (drag->handle == GIZMO_CENTER ? VIEW_RING : REACH) * g->unit * g->point;
        gizmo_add(g->origin, way, radius, placement);
        put_place(g, shape, placement);
    }
}

/* --- Camera and light. The camera's rotation is Ry(-y) Rx(-x) Rz(-z), as in MMD (mmd/edit.h). --- */

#define SUN_FAR                                                                                              \
    150.0 /* distance of the sun from the point it shines on, in points of the screen, seen from the side */
#define SUN_END 26.0 /* distance from that point at which its line ends */

/* Computes the rotations by the camera's second angle, by its first two, and by all of them. */
static void turns_of(const double angles[3], double yaw[9], double both[9], double all[9])
{
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double pitch[9], roll[9];
    gizmo_turn_about(axes, -angles[0] * DEGREE, pitch);
    gizmo_turn_about(axes + 3, -angles[1] * DEGREE, yaw);
    gizmo_turn_about(axes + 6, -angles[2] * DEGREE, roll);
    gizmo_multiply(yaw, pitch, both);
    gizmo_multiply(both, roll, all);
}

void gizmo_camera_axes(const double angles[3], double axes[9])
{
    static const double up[3] = {0, 1, 0};
    double yaw[9], both[9], all[9];
    turns_of(angles, yaw, both, all);
    memcpy(axes, yaw, sizeof up);
    memcpy(axes + 3, up, sizeof up);
    memcpy(axes + 6, both + 6, sizeof up);
}

void gizmo_camera_degrees(const double angles[3], double degrees[3])
{
    double yaw[9], both[9], all[9];
    turns_of(angles, yaw, both, all);
    gizmo_to_degrees(all, degrees);
}

void gizmo_camera_turned(const gizmo_change *change, const double before[3], double angles[3])
{
    for (int k = 0; k < 3; k++)
        angles[k] = before[k] - (change->in_world ? 0 : change->amount[k] / DEGREE);
}

void gizmo_light_turned(const gizmo_change *change, const double axes[9], const double before[3],
                        double direction[3])
{
    double axis[3], turn[9], turned[3] = {0, 0, 0}, most = 1;
    gizmo_change_in_world(change, axes, axis);
    double angle = gizmo_length(axis);
    memcpy(direction, before, 3 * sizeof *direction);
    if (!gizmo_normalize(axis))
        return;
    gizmo_turn_about(axis, angle, turn);
    for (int k = 0; k < 3; k++)
        gizmo_add(turned, turn + 3 * k, before[k], turned);
    for (int k = 0; k < 3; k++)
        most = mmd_max(most, fabs(turned[k]));
    for (int k = 0; k < 3; k++)
        direction[k] = turned[k] / most;
}

bool gizmo_sun(const gizmo_camera *camera, const double placement[3], const float direction[3], double point,
               double sun[2], double end[2])
{
    const gizmo_placement at = {.origin = {placement[0], placement[1], placement[2]}};
    double way[3] = {(double)direction[0], (double)direction[1], (double)direction[2]}, from[3];
    gizmo g;
    if (!gizmo_make(camera, &at, GIZMO_ROTATE, GIZMO_WORLD, point, &g) || !gizmo_normalize(way))
        return false;
    gizmo_add(placement, way, -SUN_FAR * point * g.unit, from);
    if (!gizmo_project(camera, from, sun))
        return false;
    gizmo_add(placement, way, -SUN_END * point * g.unit, from);
    return gizmo_project(camera, from, end);
}
