/*
 * Boxes around actors, and the camera that shows a box: it moves as near to it as its eight corners allow.
 */
#include "mmd/framing.h"

#include <math.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"

mmd_box mmd_empty_box(void)
{
    return (mmd_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

void mmd_box_add_point(mmd_box *box, const float point[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = mmd_minf(box->low[k], point[k]);
        box->high[k] = mmd_maxf(box->high[k], point[k]);
    }
}

bool mmd_box_is_empty(const mmd_box *box)
{
    return !(box->low[0] <= box->high[0] && box->low[1] <= box->high[1] && box->low[2] <= box->high[2]);
}

void mmd_box_add(mmd_box *box, const mmd_box *other)
{
    if (mmd_box_is_empty(other))
        return;
    mmd_box_add_point(box, other->low);
    mmd_box_add_point(box, other->high);
}

float mmd_box_size(const mmd_box *box)
{
    return mmd_maxf(mmd_maxf(box->high[0] - box->low[0], box->high[1] - box->low[1]),
                    box->high[2] - box->low[2]);
}

bool mmd_box_is_there(const mmd_box *box)
{
    return !mmd_box_is_empty(box) && isfinite(box->low[0] + box->low[1] + box->low[2]) &&
           isfinite(box->high[0] + box->high[1] + box->high[2]);
}

/* --- The camera --- */

/* Smallest distance to a corner, in units; closer corners would be clipped by the near plane. */
#define NEAREST 1.0f

/* What one screen axis requires: the camera's distance, and its offset from the middle of the box. */
typedef struct across {
    double distance, aside;
} across;

/* Fits the corners along one screen axis (0: right, 1: up), seen from the middle of the box, into a view with
 * this slope t: x - aside <= t (z + distance), and the same on the other side. Both bounds are met exactly.
 */
static across fit(const float corners[8][3], int axis, double slope)
{
    double right = -INFINITY, left = -INFINITY;
    for (int i = 0; i < 8; i++) {
        right = mmd_max(right, (double)corners[i][axis] - slope * (double)corners[i][2]);
        left = mmd_max(left, -(double)corners[i][axis] - slope * (double)corners[i][2]);
    }
    return (across){(right + left) / (2 * slope), (right - left) / 2};
}

void mmd_camera_fit(const mmd_box *box, double aspect, double filled, mmd_camera *camera)
{
    float view[16], corners[8][3], nearest = INFINITY;
    double slope = mmd_tan(camera->fov * 3.14159265358979323846 / 360.0) * filled;
    camera->distance = 0;
    for (int k = 0; k < 3; k++)
        camera->position[k] = (box->low[k] + box->high[k]) / 2;
    mmd_camera_matrices(camera, 1.0f, view, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        float p[3];
        for (int k = 0; k < 3; k++)
            p[k] = i >> k & 1 ? box->high[k] : box->low[k];
        for (int k = 0; k < 3; k++)
            corners[i][k] = view[k] * p[0] + view[4 + k] * p[1] + view[8 + k] * p[2] + view[12 + k];
        nearest = mmd_minf(nearest, corners[i][2]);
    }
    const across x = fit((const float(*)[3])corners, 0, slope * aspect),
                 y = fit((const float(*)[3])corners, 1, slope);
    for (int k = 0; k < 3; k++)
        camera->position[k] += (float)x.aside * view[4 * k] + (float)y.aside * view[4 * k + 1];
    camera->distance = -mmd_maxf((float)mmd_max(x.distance, y.distance), NEAREST - nearest);
}

/* --- Actors --- */

static void put(const float matrix[16], const float in[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = matrix[k] * in[0] + matrix[4 + k] * in[1] + matrix[8 + k] * in[2] + matrix[12 + k];
}

/* Adds a bone's box at its current position; world NULL: at rest. */
static void add_posed(mmd_box *sum, const mmd_box *part, const float *rest, const mmd_transform *world,
                      const float place[16])
{
    for (int corner = 0; corner < 8; corner++) {
        float p[3], placed[3];
        for (int k = 0; k < 3; k++)
            p[k] = (corner >> k & 1 ? part->high[k] : part->low[k]) - (world ? rest[k] : 0);
        if (world)
            mmd_transform_point(world, p, p);
        put(place, p, placed);
        mmd_box_add_point(sum, placed);
    }
}

/* Computes the box of each bone's vertices; the last element is for vertices without a bone. */
static void box_bones(const mmd_model *model, mmd_box *parts)
{
    const mmd_vertices *v = &model->vertices;
    for (uint32_t i = 0; i <= model->bone_count; i++)
        parts[i] = mmd_empty_box();
    for (uint32_t i = 0; i < v->count; i++)
        mmd_box_add_point(&parts[v->bone[i][0] >= 0 ? (uint32_t)v->bone[i][0] : model->bone_count],
                          v->position[i]);
}

bool mmd_stage_add_box(const mmd_stage *stage, size_t index, bool posed, mmd_box *box)
{
    mmd_actor *actor = mmd_stage_actor(stage, index);
    const mmd_model *model = mmd_actor_model(actor);
    const mmd_transform *world = posed ? mmd_pose_world(mmd_actor_pose(actor)) : NULL;
    float place[16];
    mmd_box *parts = mmd_alloc((model->bone_count + 1u) * sizeof *parts);
    if (!parts)
        return false;
    mmd_stage_placement(stage, index, place);
    box_bones(model, parts);
    for (uint32_t i = 0; i <= model->bone_count; i++)
        if (mmd_box_is_there(&parts[i])) {
            bool carried = world && i < model->bone_count;
            add_posed(box, &parts[i], carried ? model->bones[i].position : NULL, carried ? &world[i] : NULL,
                      place);
        }
    mmd_free(parts);
    return true;
}
