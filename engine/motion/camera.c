/* The camera: its values at a frame (docs/mmd.md 3.6) and its matrices. */
#include "motion_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

mmd_camera mmd_default_camera(void)
{
    return (mmd_camera){
        .distance = -45.0f, .position = {0.0f, 10.0f, 0.0f}, .fov = 30.0f, .perspective = true};
}

bool mmd_motion_camera(const mmd_motion *motion, double frame, mmd_camera *value)
{
    assert(motion && value);
    const mmd_camera_key *keys = motion->camera_keys;
    motion_interval at;
    if (!motion_find_interval(keys, sizeof *keys, motion->camera_key_count, frame, &at))
        return false;
    const mmd_camera_key *a = &keys[at.earlier], *b = &keys[at.later];
    *value = a->value;
    /* One frame apart is a cut, so nothing is interpolated. */
    if (b->frame - a->frame <= 1)
        return true;
    float v[MMD_CAMERA_CHANNELS];
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        v[i] = mmd_curve_value(b->curve[i], at.u);
    for (int i = 0; i < 3; i++) {
        value->position[i] = motion_mix(a->value.position[i], b->value.position[i], v[MMD_CAMERA_X + i]);
        value->rotation[i] = motion_mix(a->value.rotation[i], b->value.rotation[i], v[MMD_CAMERA_ROTATION]);
    }
    value->distance = motion_mix(a->value.distance, b->value.distance, v[MMD_CAMERA_DISTANCE]);
    value->fov = motion_mix(a->value.fov, b->value.fov, v[MMD_CAMERA_FOV]);
    return true;
}

/* Computes Rz Rx Ry of the file's angles, by rows. In double, so that products of three sines keep their last
 * digits. */
static void camera_rotation(const float angles[3], double r[3][3])
{
    double sx, cx, sy, cy, sz, cz;
    mmd_sincos(angles[0], &sx, &cx);
    mmd_sincos(angles[1], &sy, &cy);
    mmd_sincos(angles[2], &sz, &cz);
    double rows[3][3] = {
        {cz * cy - sz * sx * sy, -sz * cx, cz * sy + sz * sx * cy},
        {sz * cy + cz * sx * sy, cz * cx, sz * sy - cz * sx * cy},
        {-cx * sy, sx, cx * cy},
    };
    memcpy(r, rows, sizeof rows);
}

/* Computes the view matrix Trans(0,0,-distance) R Trans(-position). */
static void camera_view(const mmd_camera *camera, double r[3][3], float view[16])
{
    memset(view, 0, 16 * sizeof *view);
    for (int row = 0; row < 3; row++) {
        double moved = row == 2 ? -(double)camera->distance : 0.0;
        for (int column = 0; column < 3; column++) {
            view[4 * column + row] = (float)r[row][column];
            moved -= r[row][column] * camera->position[column];
        }
        view[12 + row] = (float)moved;
    }
    view[15] = 1.0f;
}

/* MMD's clipping planes. */
static const double near_plane = 0.5, far_plane = 10000.0;

/* Computes a left-handed perspective projection with OpenGL's depth range. projection is zeroed. */
static void perspective_projection(const mmd_camera *camera, double aspect, float projection[16])
{
    static const double pi = 3.14159265358979323846;
    double fov = mmd_min(mmd_max(camera->fov, 1.0), 179.0);
    double scale = 1.0 / mmd_tan(fov * pi / 360.0);
    projection[0] = (float)(scale / aspect);
    projection[5] = (float)scale;
    projection[10] = (float)((far_plane + near_plane) / (far_plane - near_plane));
    projection[11] = 1.0f;
    projection[14] = (float)(-2.0 * far_plane * near_plane / (far_plane - near_plane));
}

/* Computes a parallel projection, whose longer side shows |distance| units. projection is zeroed. */
static void parallel_projection(const mmd_camera *camera, double aspect, float projection[16])
{
    double distance = mmd_max(fabs((double)camera->distance), 0.01);
    projection[0] = (float)(2.0 * mmd_max(1.0 / aspect, 1.0) / distance);
    projection[5] = (float)(2.0 * mmd_max(aspect, 1.0) / distance);
    projection[10] = (float)(1.0 / far_plane);
    projection[15] = 1.0f;
}

void mmd_camera_matrices(const mmd_camera *camera, float aspect, float view[16], float projection[16],
                         float eye[3])
{
    assert(camera);
    double r[3][3];
    camera_rotation(camera->rotation, r);
    if (view)
        camera_view(camera, r, view);
    /*
     * The view maps the eye to the origin, so it lies at distance along the view's third row from the target.
     */
    for (int i = 0; eye && i < 3; i++)
        eye[i] = (float)(camera->position[i] + r[2][i] * camera->distance);
    if (!projection)
        return;
    memset(projection, 0, 16 * sizeof *projection);
    if (camera->perspective)
        perspective_projection(camera, aspect, projection);
    else
        parallel_projection(camera, aspect, projection);
}
