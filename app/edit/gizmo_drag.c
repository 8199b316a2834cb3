/*
 * Drags of handles. The gripped point stays under the pointer: the ray through the pointer is intersected
 * with a plane through the gizmo's origin, which either contains the axis and faces the eye, or is the plane
 * of the handle.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "gizmo.h"
#include "mmd/elementary.h"

#define PI      3.14159265358979323846
#define LN_2    0.69314718055994530942
#define DEGREE  (PI / 180.0)
#define OBLIQUE 0.1   /* cosine below which a ring is dragged as seen edge-on */
#define DOUBLES 120.0 /* points of the screen that double a size */
#define RADIUS  92.0  /* radius of a ring, in points */

/* Returns the axis of a handle, 0 to 2; for a plane its normal axis. */
static int index_of(const gizmo_drag *drag)
{
    return ((int)drag->handle - GIZMO_X) % 3;
}

static const double *axis_of(const gizmo_drag *drag)
{
    return drag->seen.axes + 3 * index_of(drag);
}

static bool is_axis(gizmo_handle handle)
{
    return handle >= GIZMO_X && handle <= GIZMO_Z;
}

/* Computes the viewing direction, the third row of the view. */
static void forward_of(const gizmo *g, double forward[3])
{
    for (int k = 0; k < 3; k++)
        forward[k] = g->camera.view[4 * k + 2];
}

/* Computes the normal of the plane that a handle is dragged in. */
static void normal_of(const gizmo_drag *drag, double normal[3])
{
    const gizmo *g = &drag->seen;
    if (g->mode != GIZMO_ROTATE && is_axis(drag->handle)) {
        double across[3];
        gizmo_cross(axis_of(drag), g->to_eye, across);
        gizmo_cross(across, axis_of(drag), normal);
    } else if (drag->handle == GIZMO_CENTER) {
        forward_of(g, normal);
    } else {
        memcpy(normal, axis_of(drag), 3 * sizeof *normal);
    }
    gizmo_normalize(normal);
}

/* Computes where the pointer hits the plane of the handle, relative to the origin. Returns false if the
 * ray misses it. */
static bool find_place(const gizmo_drag *drag, const double pixel[2], double from[3])
{
    const gizmo *g = &drag->seen;
    double normal[3], origin[3], direction[3], to_plane[3];
    normal_of(drag, normal);
    gizmo_ray(&g->camera, pixel, origin, direction);
    gizmo_add(g->origin, origin, -1, to_plane);
    double slope = gizmo_dot(direction, normal), distance = gizmo_dot(to_plane, normal) / slope;
    bool is_parallel = g->camera.projection[11] == 0;
    if (!(fabs(slope) > 1e-6) || !isfinite(distance) || (distance <= 0 && !is_parallel))
        return false;
    gizmo_add(origin, direction, distance, from);
    gizmo_add(from, g->origin, -1, from);
    return true;
}

/* Computes the axis that a ring turns about; for the ring in the picture's plane the viewing direction. */
static void turning_axis(const gizmo_drag *drag, double axis[3])
{
    if (drag->handle == GIZMO_CENTER)
        forward_of(&drag->seen, axis);
    else
        memcpy(axis, axis_of(drag), 3 * sizeof *axis);
}

/* Finds the point nearest to the pointer on a ring seen edge-on. Moving along the line then rotates. */
static void grip_flat_ring(gizmo_drag *drag)
{
    const gizmo *g = &drag->seen;
    double axis[3], across[3], least = INFINITY;
    turning_axis(drag, axis);
    gizmo_cross(axis, g->to_eye, across);
    for (int i = -8; i <= 8; i++) {
        double turn[9], way[3] = {0, 0, 0}, placement[3], pixel[2];
        gizmo_turn_about(axis, i * PI / 18, turn);
        for (int k = 0; k < 3; k++)
            gizmo_add(way, turn + 3 * k, g->to_eye[k], way);
        gizmo_add(way, axis, -gizmo_dot(way, axis), way);
        if (!gizmo_normalize(way))
            continue;
        gizmo_add(g->origin, way, RADIUS * g->unit * g->point, placement);
        if (!gizmo_project(&g->camera, placement, pixel) ||
            mmd_hypot(pixel[0] - drag->start[0], pixel[1] - drag->start[1]) >= least)
            continue;
        least = mmd_hypot(pixel[0] - drag->start[0], pixel[1] - drag->start[1]);
        memcpy(drag->from, way, sizeof drag->from);
    }
}

void gizmo_drag_begin(gizmo_drag *drag, const gizmo *g, gizmo_handle handle, const double pixel[2])
{
    assert(handle > GIZMO_NO_HANDLE && handle < GIZMO_HANDLES && g->mode != GIZMO_NONE);
    *drag = (gizmo_drag){.seen = *g, .handle = handle, .start = {pixel[0], pixel[1]}};
    double axis[3];
    turning_axis(drag, axis);
    drag->along_tangent = g->mode == GIZMO_ROTATE && (fabs(gizmo_dot(axis, g->to_eye)) < OBLIQUE ||
                                                      !find_place(drag, pixel, drag->from));
    if (drag->along_tangent)
        grip_flat_ring(drag);
    else
        find_place(drag, pixel, drag->from);
}

/* Rounds to a multiple of a step; a step of 0 leaves the value. */
static double snapped(double value, double step)
{
    return step > 0 ? round(value / step) * step : value;
}

static bool translate(const gizmo_drag *drag, const double to[3], const gizmo_snap *snap,
                      gizmo_change *change)
{
    double moved[3];
    gizmo_add(to, drag->from, -1, moved);
    change->in_world = drag->handle == GIZMO_CENTER;
    for (int k = 0; k < 3; k++) {
        double along = gizmo_dot(moved, drag->seen.axes + 3 * k);
        bool goes = is_axis(drag->handle) == (k == index_of(drag));
        change->amount[k] = change->in_world ? snapped(moved[k], snap->units)
                            : goes           ? snapped(along, snap->units)
                                             : 0;
    }
    return true;
}

/* Computes the angle from the gripped point to the pointer. */
static bool angle_to(const gizmo_drag *drag, const double axis[3], const double pixel[2], double *angle)
{
    double to[3], across[3];
    const gizmo *g = &drag->seen;
    if (!drag->along_tangent) {
        if (!find_place(drag, pixel, to))
            return false;
        gizmo_cross(drag->from, to, across);
        *angle = mmd_atan2(gizmo_dot(across, axis), gizmo_dot(drag->from, to));
        return true;
    }
    double here[3], there[3], a[2], b[2], radius = RADIUS * g->unit * g->point;
    gizmo_add(g->origin, drag->from, radius, here);
    gizmo_cross(axis, drag->from, across);
    gizmo_add(here, across, g->unit, there); /* one pixel further along the tangent */
    if (!gizmo_project(&g->camera, here, a) || !gizmo_project(&g->camera, there, b))
        return false;
    double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
    if (!(square > 0))
        return false;
    *angle =
        ((pixel[0] - drag->start[0]) * x + (pixel[1] - drag->start[1]) * y) / square / (RADIUS * g->point);
    return true;
}

/* Rotates. The angle continues from the last one, so that more than half a turn is possible. */
static bool rotate(gizmo_drag *drag, const double pixel[2], const gizmo_snap *snap, gizmo_change *change)
{
    double axis[3], now;
    turning_axis(drag, axis);
    if (!angle_to(drag, axis, pixel, &now))
        return false;
    drag->angle += drag->along_tangent ? now - drag->last : remainder(now - drag->last, 2 * PI);
    drag->last = now;
    double angle = snapped(drag->angle, snap->degrees * DEGREE);
    change->in_world = drag->handle == GIZMO_CENTER;
    for (int k = 0; k < 3; k++)
        change->amount[k] = change->in_world ? axis[k] * angle : k == index_of(drag) ? angle : 0;
    return true;
}

/* Limits a factor, so that sizes never reach zero or become negative. */
static double factor_of(double factor, double step)
{
    double least = step > 0 ? step : 0.01;
    return mmd_max(snapped(factor, step), least);
}

static bool scale(const gizmo_drag *drag, const double pixel[2], const gizmo_snap *snap, gizmo_change *change)
{
    double to[3], factor;
    const double *axis = axis_of(drag);
    if (drag->handle == GIZMO_CENTER) {
        double moved = pixel[0] - drag->start[0] - (pixel[1] - drag->start[1]);
        factor = mmd_exp(moved / (DOUBLES * drag->seen.point) * LN_2);
    } else {
        if (!find_place(drag, pixel, to))
            return false;
        factor = gizmo_dot(to, axis) / gizmo_dot(drag->from, axis);
    }
    change->in_world = false;
    for (int k = 0; k < 3; k++)
        change->amount[k] =
            drag->handle == GIZMO_CENTER || k == index_of(drag) ? factor_of(factor, snap->factor) : 1;
    return isfinite(factor);
}

bool gizmo_drag_to(gizmo_drag *drag, const double pixel[2], const gizmo_snap *snap, gizmo_change *change)
{
    static const gizmo_snap none = {0};
    double to[3];
    gizmo_change next = {.mode = drag->seen.mode};
    bool found;
    if (!snap)
        snap = &none;
    if (next.mode == GIZMO_TRANSLATE)
        found = find_place(drag, pixel, to) && translate(drag, to, snap, &next);
    else if (next.mode == GIZMO_ROTATE)
        found = rotate(drag, pixel, snap, &next);
    else
        found = scale(drag, pixel, snap, &next);
    if (found)
        *change = next;
    return found;
}

/* --- From changes to values of ops --- */

void gizmo_change_in_world(const gizmo_change *change, const double axes[9], double amount[3])
{
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        if (change->in_world)
            sum[k] = change->amount[k];
        else
            gizmo_add(sum, axes + 3 * k, change->amount[k], sum);
    memcpy(amount, sum, sizeof sum);
}

/* Computes the angles of an op after a rotation in the world. */
static bool values_of_turn(const gizmo_change *change, const double axes[9], const double exclusive[16],
                           const double values[3], double out[3])
{
    double axis[3], frame[9], turn[9], own[9], turned[9], in_world[9];
    gizmo_change_in_world(change, axes, axis);
    double angle = gizmo_length(axis);
    if (!gizmo_normalize(axis)) {
        memcpy(out, values, 3 * sizeof *out);
        return true;
    }
    if (!gizmo_axes_of(exclusive, frame))
        return false;
    gizmo_turn_about(axis, angle, turn);
    gizmo_from_degrees(values, own);
    gizmo_multiply(frame, own, in_world);
    gizmo_multiply(turn, in_world, turned);
    gizmo_divide(frame, turned, own);
    gizmo_to_degrees(own, out);
    return true;
}

bool gizmo_values(const gizmo_change *change, const double axes[9], const double exclusive[16],
                  const double values[3], double out[3])
{
    double moved[3];
    if (change->mode == GIZMO_ROTATE)
        return values_of_turn(change, axes, exclusive, values, out);
    if (change->mode == GIZMO_SCALE) {
        for (int k = 0; k < 3; k++)
            out[k] = values[k] * change->amount[k];
        return true;
    }
    gizmo_change_in_world(change, axes, moved);
    if (!gizmo_solve(exclusive, moved, moved))
        return false;
    gizmo_add(values, moved, 1, out);
    return true;
}
