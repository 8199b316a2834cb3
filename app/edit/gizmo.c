/* Where a gizmo stands, and how it is seen: pixels to rays and back, by the camera's matrices. */
#include "gizmo.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "gizmo_internal.h"

/* The view is rigid: its inverse turns by the transposed part. */
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

void gizmo_axes(const gizmo_place *place, gizmo_mode mode, gizmo_space space, double axes[9])
{
    bool is_hinge = mode == GIZMO_ROTATE && place->is_hinge;
    bool is_own = is_hinge || mode == GIZMO_SCALE || space == GIZMO_LOCAL || space == GIZMO_AXES;
    const double *m = is_own ? place->own : place->parent;
    double found[9];
    memcpy(axes, world_axes, sizeof world_axes);
    if (mode == GIZMO_ROTATE && place->has_gimbal) {
        memcpy(axes, place->gimbal, sizeof place->gimbal);
        return;
    }
    if ((space == GIZMO_WORLD && !is_own) || !gizmo_axes_of(m, found))
        return;
    if ((is_hinge || space == GIZMO_AXES) && place->has_axes && mode != GIZMO_SCALE)
        gizmo_multiply(found, place->axes, axes);
    else
        memcpy(axes, found, sizeof found);
}

bool gizmo_make(const gizmo_camera *camera, const gizmo_place *place, gizmo_mode mode, gizmo_space space,
                double point, gizmo *out)
{
    assert(mode < GIZMO_MODES && space < GIZMO_SPACES && point > 0);
    double from[3], seen[3];
    *out = (gizmo){.camera = *camera, .mode = mode, .point = point};
    memcpy(out->origin, place->origin, sizeof out->origin);
    if (mode == GIZMO_NONE || !(camera->width > 0) || !(camera->height > 0) ||
        !gizmo_project(camera, place->origin, out->center))
        return false;
    gizmo_axes(place, mode, space, out->axes);
    out->is_hinge = mode == GIZMO_ROTATE && place->is_hinge;
    out->is_gimbal = mode == GIZMO_ROTATE && place->has_gimbal;
    gizmo_transform(camera->view, place->origin, seen);
    out->unit = 2 * (has_perspective(camera) ? seen[2] : 1) / (camera->projection[5] * camera->height);
    gizmo_ray(camera, out->center, from, out->to_eye);
    for (int k = 0; k < 3; k++)
        out->to_eye[k] = -out->to_eye[k];
    return out->unit > 0 && isfinite(out->unit) && isfinite(out->center[0]) && isfinite(out->center[1]);
}
