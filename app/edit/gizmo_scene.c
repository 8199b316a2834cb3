/* Angles of a camera, directions of a light, and where its sun is. The camera's turn is Ry(-y) Rx(-x) Rz(-z),
 * MMD's (mmd/edit.h). */
#include "gizmo_scene.h"

#include <math.h>
#include <string.h>

#include "gizmo_internal.h"

#define DEGREE  (3.14159265358979323846 / 180.0)
#define SUN_FAR 150.0 /* points of the screen from the place that it shines on, seen from its side */
#define SUN_END 26.0  /* as far from the place its line ends */

/* Turns by the camera's first two angles, and by all of them. */
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
        most = fmax(most, fabs(turned[k]));
    for (int k = 0; k < 3; k++)
        direction[k] = turned[k] / most;
}

bool gizmo_sun(const gizmo_camera *camera, const double place[3], const float direction[3], double point,
               double sun[2], double end[2])
{
    const gizmo_place at = {.origin = {place[0], place[1], place[2]}};
    double way[3] = {(double)direction[0], (double)direction[1], (double)direction[2]}, from[3];
    gizmo g;
    if (!gizmo_make(camera, &at, GIZMO_ROTATE, GIZMO_WORLD, point, &g) || !gizmo_normalize(way))
        return false;
    gizmo_add(place, way, -SUN_FAR * point * g.unit, from);
    if (!gizmo_project(camera, from, sun))
        return false;
    gizmo_add(place, way, -SUN_END * point * g.unit, from);
    return gizmo_project(camera, from, end);
}
