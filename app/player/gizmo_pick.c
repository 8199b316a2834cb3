/* Finds the item under a pixel: marks of bones and joints by distance, rigid bodies by ray casting, and other
 * bones by rendering a picture of bone ids. */
#include "gizmo_pick.h"

#include <math.h>
#include <string.h>

#include "document/document.h"
#include "edit/controller.h"
#include "edit/gizmo.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "document/open.h"

#define NEAR 10.0 /* points within which a click hits a mark */

void gizmo_bone_position(const odori_session *s, size_t model, uint32_t bone, double position[3])
{
    float placement[16];
    double matrix[16], at[3];
    const mmd_transform *world = mmd_pose_world(mmd_actor_pose(s->scene->models[model].actor));
    for (int k = 0; k < 3; k++)
        position[k] = at[k] = (double)world[bone].translation[k];
    if (!mmd_stage_placement(s->scene->stage, model, placement))
        return;
    for (int k = 0; k < 16; k++)
        matrix[k] = (double)placement[k];
    gizmo_transform(matrix, at, position);
}

/* Returns whether a model is visible. */
static bool is_seen(const odori_session *s, size_t model)
{
    return scene_is_present(s->scene, model) && mmd_stage_staging(s->scene->stage, model)->visible;
}

bool gizmo_pick_mark(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item)
{
    gizmo_camera camera = gizmo_mouse_camera(s, view);
    double least = NEAR * view->point;
    bool found = false;
    for (size_t m = 0; s->view.show_bones && m < s->scene->model_count; m++) {
        const mmd_model *model = s->scene->models[m].model;
        for (uint32_t b = 0; is_seen(s, m) && b < model->bone_count; b++) {
            double position[3], at[2];
            gizmo_bone_position(s, m, b, position);
            if (!(model->bones[b].flags & MMD_BONE_VISIBLE) || !gizmo_project(&camera, position, at) ||
                !(mmd_hypot(at[0] - pixel[0], at[1] - pixel[1]) < least))
                continue;
            least = mmd_hypot(at[0] - pixel[0], at[1] - pixel[1]);
            *item = (mmd_item){.kind = MMD_ITEM_BONE, .model = (uint32_t)m, .index = b};
            found = true;
        }
    }
    return found;
}

/* Finds the nearest mark of a joint within NEAR points. */
static bool pick_joint(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item)
{
    mmd_edit *edit = selection_edit(s);
    gizmo_camera camera = gizmo_mouse_camera(s, view);
    double least = NEAR * view->point, at[2];
    bool found = false;
    for (size_t m = 0; edit && m < s->scene->model_count; m++) {
        mmd_item joint = {.kind = MMD_ITEM_JOINT, .model = (uint32_t)m};
        gizmo_placement placement;
        for (; is_seen(s, m) && gizmo_placement_of(edit, joint, &placement); joint.index++) {
            if (!gizmo_project(&camera, placement.origin, at) ||
                !(mmd_hypot(at[0] - pixel[0], at[1] - pixel[1]) < least))
                continue;
            least = mmd_hypot(at[0] - pixel[0], at[1] - pixel[1]);
            *item = joint;
            found = true;
        }
    }
    return found;
}

/* --- Bodies --- */

typedef struct ray {
    double origin[3], way[3]; /* way: unit vector of its direction */
} ray;

/* Transforms a ray to the local coordinates of a transform. */
static ray ray_in(const ray *r, const mmd_transform *frame)
{
    double x = (double)frame->rotation[0], y = (double)frame->rotation[1], z = (double)frame->rotation[2],
           w = (double)frame->rotation[3], from[3];
    const double axes[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                               {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                               {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
    ray seen;
    for (int k = 0; k < 3; k++)
        from[k] = r->origin[k] - (double)frame->translation[k];
    for (int k = 0; k < 3; k++) {
        seen.origin[k] = gizmo_dot(axes[k], from);
        seen.way[k] = gizmo_dot(axes[k], r->way);
    }
    return seen;
}

/* Returns the distance at which a ray enters a box of these half extents around the origin, or INFINITY. Uses
 * the slab method. */
static double enter_box(const ray *r, const double half[3])
{
    double enters = 0, leaves = INFINITY;
    for (int k = 0; k < 3; k++) {
        double a = (-half[k] - r->origin[k]) / r->way[k], b = (half[k] - r->origin[k]) / r->way[k];
        if (r->way[k] == 0 && fabs(r->origin[k]) > half[k])
            return INFINITY;
        if (r->way[k] == 0)
            continue;
        enters = mmd_max(enters, mmd_min(a, b));
        leaves = mmd_min(leaves, mmd_max(a, b));
    }
    return enters <= leaves ? enters : INFINITY;
}

/* Returns the distance at which a ray enters a sphere at height y, 0 inside of it, or INFINITY. */
static double enter_sphere(const ray *r, double y, double radius)
{
    double from[3] = {r->origin[0], r->origin[1] - y, r->origin[2]};
    double along = gizmo_dot(from, r->way), square = along * along - gizmo_dot(from, from) + radius * radius;
    if (square < 0 || -along + sqrt(square) < 0)
        return INFINITY;
    return mmd_max(-along - sqrt(square), 0);
}

/* Returns the distance at which a ray enters the cylindrical part of a capsule along Y, or INFINITY. */
static double enter_tube(const ray *r, double half, double radius)
{
    double a = r->way[0] * r->way[0] + r->way[2] * r->way[2];
    double b = r->origin[0] * r->way[0] + r->origin[2] * r->way[2];
    double c = r->origin[0] * r->origin[0] + r->origin[2] * r->origin[2] - radius * radius;
    double square = b * b - a * c, at = (-b - sqrt(square)) / a;
    bool enters = a > 1e-12 && square >= 0 && at >= 0 && fabs(r->origin[1] + at * r->way[1]) <= half;
    return enters ? at : INFINITY;
}

/* Returns the distance to a hull or mesh. Its bounding box is good enough for a click. */
static double enter_points(const ray *r, const mmd_phys_mesh *mesh)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, half[3];
    ray seen = *r;
    for (uint32_t i = 0; i < mesh->point_count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = mmd_min(low[k], (double)mesh->points[i][k]);
            high[k] = mmd_max(high[k], (double)mesh->points[i][k]);
        }
    for (int k = 0; k < 3; k++) {
        half[k] = (high[k] - low[k]) / 2;
        seen.origin[k] -= (high[k] + low[k]) / 2;
    }
    return mesh->point_count ? enter_box(&seen, half) : INFINITY;
}

/* Returns the distance at which a ray enters a shape of a body, or INFINITY. Shapes are scaled by `size`. */
static double enter_shape(const ray *r, const mmd_physscene *scene, const mmd_phys_shape *shape, double size)
{
    ray seen = ray_in(r, &shape->frame);
    double m[3];
    for (int k = 0; k < 3; k++)
        m[k] = (double)shape->size[k] * size;
    double radius = mmd_max(m[0], m[2]);
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        return enter_sphere(&seen, 0, m[0]);
    case MMD_PHYS_BOX:
        return enter_box(&seen, m);
    case MMD_PHYS_CAPSULE:
        return mmd_min(enter_tube(&seen, m[1] / 2, radius), mmd_min(enter_sphere(&seen, m[1] / 2, radius),
                                                                    enter_sphere(&seen, -m[1] / 2, radius)));
    case MMD_PHYS_CYLINDER:
        return enter_box(&seen, (const double[3]){radius, m[1] / 2, radius});
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        return shape->mesh >= 0 ? enter_points(&seen, &scene->meshes[shape->mesh]) : INFINITY;
    default:
        return INFINITY;
    }
}

/* Finds the nearest body that a ray hits and returns its distance, or INFINITY. `transforms` has the
 * transform of each body, and `size` scales their shapes. */
static double enter_bodies(const ray *r, const mmd_physscene *scene, const mmd_transform *transforms,
                           double size, uint32_t *body)
{
    double least = INFINITY;
    for (uint32_t b = 0; b < scene->body_count; b++) {
        ray seen = ray_in(r, &transforms[b]);
        for (uint32_t i = 0; i < scene->bodies[b].shape_count; i++) {
            double far = enter_shape(&seen, scene, &scene->shapes[scene->bodies[b].first_shape + i], size);
            if (!(far < least))
                continue;
            least = far;
            *body = b;
        }
    }
    return least;
}

/* Finds the nearest body of a model. Without physics the bodies follow their bones, and their shapes are read
 * from the model. */
static double pick_of_model(odori_session *s, size_t model, const ray *r, uint32_t *body)
{
    mmd_physscene own = {0};
    const mmd_physscene *scene = mmd_stage_physscene(s->scene->stage, model);
    const mmd_transform *transforms = mmd_stage_bodies(s->scene->stage, model);
    float placement[16];
    double size = 1, far = INFINITY;
    if (!scene && mmd_model_physscene(s->scene->models[model].model, &own, NULL) == MMD_OK) {
        scene = &own;
        if (mmd_stage_placement(s->scene->stage, model, placement))
            size = sqrt((double)(placement[0] * placement[0] + placement[1] * placement[1] +
                                 placement[2] * placement[2]));
    }
    if (scene && transforms)
        far = enter_bodies(r, scene, transforms, size, body);
    mmd_physscene_destroy(&own);
    return far;
}

/* Finds the nearest body under a pixel. */
static bool pick_body(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item)
{
    gizmo_camera camera = gizmo_mouse_camera(s, view);
    double least = INFINITY;
    ray r;
    gizmo_ray(&camera, pixel, r.origin, r.way);
    for (size_t m = 0; m < s->scene->model_count; m++) {
        uint32_t body = 0;
        double far = is_seen(s, m) ? pick_of_model(s, m, &r, &body) : INFINITY;
        if (!(far < least))
            continue;
        least = far;
        *item = (mmd_item){.kind = MMD_ITEM_BODY, .model = (uint32_t)m, .index = body};
    }
    return least < INFINITY;
}

/* --- Bones by the visible surface --- */

bool gizmo_pick_surface(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item)
{
    size_t count = (size_t)view->width * view->height;
    bool inside = pixel[0] >= 0 && pixel[0] < view->width && pixel[1] >= 0 && pixel[1] < view->height;
    if (!document_of(s)->opener || !document_of(s)->opener->screen || !inside)
        return false;
    uint32_t(*ids)[3] = mmd_alloc(count * sizeof *ids);
    bool found = ids && mmd_view_ids(document_of(s)->opener->screen->view, s->scene->stage, &s->view,
                                     view->width, view->height, ids, NULL) == MMD_OK;
    if (found) {
        const uint32_t *id = ids[(size_t)pixel[1] * view->width + (size_t)pixel[0]];
        found = id[0] < s->scene->model_count && id[2] < s->scene->models[id[0]].model->bone_count;
        if (found)
            *item = (mmd_item){.kind = MMD_ITEM_BONE, .model = id[0], .index = id[2]};
    }
    mmd_free(ids);
    s->changed = true; /* the framebuffer has the ids now: draw again */
    return found;
}

/* Finds the icon of the light. */
static bool pick_sun(const odori_session *s, const gizmo_mouse_view *view, const double pixel[2],
                     mmd_item *item)
{
    double sun[2], end[2];
    if (!gizmo_mouse_sun(s, view, sun, end) ||
        !(mmd_hypot(pixel[0] - sun[0], pixel[1] - sun[1]) < GIZMO_SUN_REACH * view->point))
        return false;
    *item = (mmd_item){.kind = MMD_ITEM_LIGHT};
    return true;
}

bool gizmo_pick(odori_session *s, const gizmo_mouse_view *view, const double pixel[2], mmd_item *item)
{
    if (pick_sun(s, view, pixel, item) || gizmo_pick_mark(s, view, pixel, item) ||
        (s->view.show_joints && pick_joint(s, view, pixel, item)) ||
        (s->view.show_bodies && pick_body(s, view, pixel, item)))
        return true;
    bool found = gizmo_pick_surface(s, view, pixel, item);
    if (found)
        controller_replace(s, item);
    return found;
}

/* Writes the path of an item. Quotes and backslashes, which have a meaning in a quoted argument, are
 * percent-encoded. */
size_t gizmo_pick_path(mmd_edit *edit, mmd_item item, char *text, size_t capacity)
{
    char path[1024];
    size_t length = mmd_edit_path(edit, item, path, sizeof path), n = 0;
    for (const char *c = path; length < sizeof path && *c && n + 4 < capacity; c++) {
        bool means = *c == '"' || *c == '\\';
        if (means) {
            memcpy(text + n, *c == '"' ? "%22" : "%5C", 3);
            n += 3;
        } else {
            text[n++] = *c;
        }
    }
    if (length >= sizeof path || n + 4 >= capacity)
        return capacity;
    text[n] = '\0';
    return n;
}
