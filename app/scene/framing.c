/*
 * Cameras that show what is on the stage. What should be visible is a box; the camera moves as near to it as
 * its eight corners allow.
 *
 * For interchange files the box contains everything that moves (nodes of simulated, kinematic and animated
 * bodies with their descendants) at several times of the first animation, and static parts near it. A floor
 * may be huge: it is cut off near what moves. If nothing moves, everything is shown. Boxes are collected for
 * each body and for each node with vertices. The camera has MMD's field of view and looks slightly down, from
 * the left.
 *
 * For MMD models the boxes enclose the vertices of each bone at rest and move with the bone and the model. A
 * vertex belongs to the first of its bones.
 */
#include "framing.h"

#include <math.h>
#include <string.h>

#include "mmd/cursor.h"
#include "mmd/memory.h"

/* --- The box --- */

typedef struct box {
    float low[3], high[3];
} box;

static box empty_box(void)
{
    return (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static bool is_empty(const box *b)
{
    return !(b->low[0] <= b->high[0] && b->low[1] <= b->high[1] && b->low[2] <= b->high[2]);
}

static void add_point(box *b, const float p[3])
{
    for (int k = 0; k < 3; k++) {
        b->low[k] = fminf(b->low[k], p[k]);
        b->high[k] = fmaxf(b->high[k], p[k]);
    }
}

static void add_box(box *b, const box *other)
{
    if (is_empty(other))
        return;
    add_point(b, other->low);
    add_point(b, other->high);
}

static float size_of(const box *b)
{
    return fmaxf(fmaxf(b->high[0] - b->low[0], b->high[1] - b->low[1]), b->high[2] - b->low[2]);
}

/* Tests whether the box has a size that can be shown. */
static bool is_there(const box *b)
{
    return !is_empty(b) && isfinite(b->low[0] + b->low[1] + b->low[2]) &&
           isfinite(b->high[0] + b->high[1] + b->high[2]);
}

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
        right = fmax(right, (double)corners[i][axis] - slope * (double)corners[i][2]);
        left = fmax(left, -(double)corners[i][axis] - slope * (double)corners[i][2]);
    }
    return (across){(right + left) / (2 * slope), (right - left) / 2};
}

/* Moves a camera, keeping its rotation, so that a box fills this share of the picture's width or height. */
static void fit_camera(const box *b, double aspect, double filled, mmd_camera *camera)
{
    float view[16], corners[8][3], nearest = INFINITY;
    double slope = tan(camera->fov * 3.14159265358979323846 / 360.0) * filled;
    camera->distance = 0;
    for (int k = 0; k < 3; k++)
        camera->position[k] = (b->low[k] + b->high[k]) / 2;
    mmd_camera_matrices(camera, 1.0f, view, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        float p[3];
        for (int k = 0; k < 3; k++)
            p[k] = i >> k & 1 ? b->high[k] : b->low[k];
        for (int k = 0; k < 3; k++)
            corners[i][k] = view[k] * p[0] + view[4 + k] * p[1] + view[8 + k] * p[2] + view[12 + k];
        nearest = fminf(nearest, corners[i][2]);
    }
    const across x = fit((const float(*)[3])corners, 0, slope * aspect),
                 y = fit((const float(*)[3])corners, 1, slope);
    for (int k = 0; k < 3; k++)
        camera->position[k] += (float)x.aside * view[4 * k] + (float)y.aside * view[4 * k + 1];
    camera->distance = -fmaxf((float)fmax(x.distance, y.distance), NEAREST - nearest);
}

/* --- Interchange files: collecting boxes --- */

/* Radians that the camera looks down, and comes from the left. From there MMD's light leaves one side of
 * objects dark. */
#define LOOK_DOWN 0.35
#define LOOK_LEFT 0.30

/* Share of the picture that the box may fill. */
#define FILLED 0.86

/* The same if only moving things exist, which need room to fall or swing, and if their movement is known from
 * an animation. */
#define FILLED_ALONE    0.45
#define FILLED_ANIMATED 0.70

/* Number of times at which an animation is sampled. */
#define LOOKS 12

/*
 * Relative to the size of what moves, including its way down to the ground: a static object up to WHOLE times
 * this size is shown completely, otherwise only PART of it around the moving things; the ground is also shown
 * if they are within WHOLE above it.
 */
#define WHOLE 4.0f
#define PART  0.6f

/* A static object that is thinner than this share of its size, with moving things on it, is a floor: little
 * of it needs to be shown. WHOLE_FLOOR replaces WHOLE for it. */
#define THIN        0.1f
#define WHOLE_FLOOR 2.0f
#define PART_FLOOR  0.25f
#define FALL        20.0f

/* Size above which shapes count as endless and are ignored. */
#define ENDLESS 1e5f

/* Background colour. Interchange files often have white materials, which would be invisible on white. */
static const uint8_t background[3] = {0x9f, 0xb0, 0xc3};

/* Computes the half extents of a shape in its own frame. Returns false for endless shapes and for meshes. */
static bool half_extents(const mmd_phys_shape *shape, float half[3])
{
    const float *size = shape->size;
    float wide = fmaxf(size[0], size[2]);
    switch (shape->kind) {
    case MMD_PHYS_SPHERE:
        half[0] = half[1] = half[2] = size[0];
        return true;
    case MMD_PHYS_BOX:
        memcpy(half, size, 3 * sizeof *half);
        return true;
    case MMD_PHYS_CAPSULE:
        half[0] = half[2] = wide;
        half[1] = size[1] / 2 + wide;
        return true;
    case MMD_PHYS_CYLINDER:
        half[0] = half[2] = wide;
        half[1] = size[1] / 2;
        return true;
    default:
        return false;
    }
}

static void add_corners(box *b, const float half[3], const mmd_transform *world)
{
    for (int corner = 0; corner < 8; corner++) {
        float p[3];
        for (int k = 0; k < 3; k++)
            p[k] = corner >> k & 1 ? half[k] : -half[k];
        mmd_transform_point(world, p, p);
        add_point(b, p);
    }
}

static void add_mesh(box *b, const mmd_phys_mesh *mesh, const mmd_transform *world)
{
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        float p[3];
        mmd_transform_point(world, mesh->points[i], p);
        add_point(b, p);
    }
}

/* Returns the box of a body's shapes, or of its triggers. */
static box box_of_body(const mmd_physscene *scene, const mmd_phys_body *body, bool triggers)
{
    box b = empty_box();
    for (uint32_t i = 0; i < body->shape_count; i++) {
        const mmd_phys_shape *shape = &scene->shapes[body->first_shape + i];
        mmd_transform world;
        float half[3];
        if (shape->trigger != triggers)
            continue;
        mmd_transform_multiply(&body->rest, &shape->frame, &world);
        if (half_extents(shape, half))
            add_corners(&b, half, &world);
        else if (shape->mesh >= 0)
            add_mesh(&b, &scene->meshes[shape->mesh], &world);
    }
    return b;
}

/* Tests whether a body moves. Kinematic bodies move only if an animation moves them or if they have a
 * velocity. */
static bool moves(const mmd_phys_body *body)
{
    const float *v = body->linear_velocity;
    if (body->motion == MMD_PHYS_KINEMATIC)
        return v[0] < 0 || v[0] > 0 || v[1] < 0 || v[1] > 0 || v[2] < 0 || v[2] > 0;
    return body->motion != MMD_PHYS_STATIC && !body->disabled;
}

static bool is_animated(const scene_model *m)
{
    return m->document->animation_count > 0 && m->document->animations[0].channel_count > 0;
}

typedef enum item_kind { ITEM_STILL, ITEM_MOVING, ITEM_TRIGGER } item_kind;

static bool is_trigger(const mmd_physscene *scene, const mmd_phys_body *body)
{
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (!scene->shapes[body->first_shape + i].trigger)
            return false;
    return body->shape_count > 0;
}

/* Determines for each bone whether it or an ancestor is moved by physics or by the first animation, and
 * whether it has a trigger. */
static void find_kinds(const scene_model *m, uint8_t *kinds)
{
    const mmd_model *model = m->model;
    const mmd_physscene *scene = model->physscene;
    for (uint32_t i = 0; scene && i < scene->body_count; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        if (body->bone >= 0 && moves(body))
            kinds[body->bone] = ITEM_MOVING;
        else if (body->bone >= 0 && is_trigger(scene, body) && kinds[body->bone] == ITEM_STILL)
            kinds[body->bone] = ITEM_TRIGGER;
    }
    for (uint32_t i = 0; is_animated(m) && i < m->document->animations[0].channel_count; i++) {
        const mmd_animation_channel *channel = &m->document->animations[0].channels[i];
        if (channel->animated != MMD_ANIMATED_WEIGHT && channel->target >= 0)
            kinds[channel->target] = ITEM_MOVING;
    }
    for (uint32_t i = 0; i < model->bone_count; i++) {
        uint32_t bone = model->bone_order[i];
        int32_t parent = model->bones[bone].parent;
        if (parent >= 0 && kinds[bone] != ITEM_MOVING && kinds[parent] != ITEM_STILL)
            kinds[bone] = kinds[parent];
    }
}

/* A static object. */
typedef struct still_item {
    box box;
    bool trigger; /* it is a trigger, which is invisible */
} still_item;

/* The boxes of a scene: one for everything that moves, and a list of static ones. */
typedef struct boxes {
    box moving;
    still_item *still;
    size_t count, room;
    bool triggers_seen; /* triggers are drawn as lines, because there is no mesh */
    bool animated;
} boxes;

static bool add_item(boxes *all, const box *item, item_kind kind)
{
    if (is_empty(item) || size_of(item) > ENDLESS)
        return true;
    if (kind == ITEM_MOVING) {
        add_box(&all->moving, item);
        return true;
    }
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 64;
        still_item *grown = mmd_realloc(all->still, room * sizeof *grown);
        if (!grown)
            return false;
        all->still = grown;
        all->room = room;
    }
    all->still[all->count++] = (still_item){*item, kind == ITEM_TRIGGER};
    return true;
}

/* Computes the box that each bone carries: its vertices, and bodies that an animation moves. */
static box *box_nodes(const mmd_model *model)
{
    const mmd_vertices *v = &model->vertices;
    const mmd_physscene *scene = model->physscene;
    box *nodes = mmd_alloc((model->bone_count + 1u) * sizeof *nodes);
    if (!nodes)
        return NULL;
    for (uint32_t i = 0; i < model->bone_count; i++)
        nodes[i] = empty_box();
    for (uint32_t i = 0; i < v->count; i++)
        if (v->bone[i][0] >= 0)
            add_point(&nodes[v->bone[i][0]], v->position[i]);
    for (uint32_t i = 0; scene && i < scene->body_count; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        const box solid = box_of_body(scene, body, false);
        if (body->bone >= 0 && body->motion == MMD_PHYS_KINEMATIC && size_of(&solid) <= ENDLESS)
            add_box(&nodes[body->bone], &solid);
    }
    return nodes;
}

/* Adds a bone's box at the bone's current position. */
static void add_carried(box *sum, const box *node, const mmd_bone *bone, const mmd_transform *world)
{
    for (int corner = 0; !is_empty(node) && corner < 8; corner++) {
        float p[3];
        for (int k = 0; k < 3; k++)
            p[k] = (corner >> k & 1 ? node->high[k] : node->low[k]) - bone->position[k];
        mmd_transform_point(world, p, p);
        add_point(sum, p);
    }
}

/* Adds what moves at several times of the first animation. Uses an actor of its own, so that the scene's is
 * not disturbed. */
static bool add_animated(boxes *all, const scene_model *m, const box *nodes, const uint8_t *kinds)
{
    mmd_actor *actor = mmd_actor_create(m->model, NULL);
    bool ok = actor && mmd_actor_set_animations(actor, m->document->animations, 1, NULL) == MMD_OK;
    for (int look = 0; ok && look < LOOKS; look++) {
        box sum = empty_box();
        mmd_actor_set_frame(actor, (double)m->document->animations[0].seconds * 30 * look / (LOOKS - 1));
        const mmd_transform *world = mmd_pose_world(mmd_actor_pose(actor));
        for (uint32_t i = 0; i < m->model->bone_count; i++)
            if (kinds[i] == ITEM_MOVING)
                add_carried(&sum, &nodes[i], &m->model->bones[i], &world[i]);
        ok = add_item(all, &sum, ITEM_MOVING);
    }
    mmd_actor_destroy(actor);
    return ok;
}

/* Adds the boxes of all nodes. Bones that are only parents of other bones have no box. */
static bool add_nodes(boxes *all, const scene_model *m, const uint8_t *kinds)
{
    box *nodes = box_nodes(m->model);
    bool ok = nodes != NULL;
    for (uint32_t i = 0; ok && i < m->model->bone_count; i++)
        if (kinds[i] != ITEM_MOVING || !is_animated(m))
            ok = add_item(all, &nodes[i], (item_kind)kinds[i]);
    if (ok && is_animated(m))
        ok = add_animated(all, m, nodes, kinds);
    mmd_free(nodes);
    return ok;
}

static bool add_model(boxes *all, const scene_model *m)
{
    const mmd_physscene *scene = m->model->physscene;
    uint8_t *kinds = mmd_alloc(m->model->bone_count + 1u);
    bool ok = kinds != NULL;
    if (ok) {
        memset(kinds, 0, m->model->bone_count + 1u);
        find_kinds(m, kinds);
        ok = add_nodes(all, m, kinds);
        all->animated = all->animated || is_animated(m);
    }
    for (uint32_t i = 0; ok && scene && i < scene->body_count; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        const box solid = box_of_body(scene, body, false), trigger = box_of_body(scene, body, true);
        ok = add_item(all, &solid, moves(body) ? ITEM_MOVING : ITEM_STILL) &&
             (moves(body) || add_item(all, &trigger, all->triggers_seen ? ITEM_STILL : ITEM_TRIGGER));
    }
    mmd_free(kinds);
    return ok;
}

/* --- Interchange files: choosing what is shown --- */

/* Tests whether a static box lies below a moving one, near enough to be hit by it. */
static bool lies_below(const box *still, const box *moving)
{
    float size = size_of(moving);
    return still->high[1] < moving->low[1] && moving->low[1] - still->high[1] <= FALL * size &&
           still->low[0] <= moving->high[0] && still->high[0] >= moving->low[0] &&
           still->low[2] <= moving->high[2] && still->high[2] >= moving->low[2];
}

/* Returns the box of what moves, extended down to the highest object below it. */
static box down_to_ground(const boxes *all)
{
    box sum = all->moving;
    float ground = -INFINITY;
    for (size_t i = 0; i < all->count; i++)
        if (!all->still[i].trigger && lies_below(&all->still[i].box, &all->moving))
            ground = fmaxf(ground, all->still[i].box.high[1]);
    if (ground > -INFINITY)
        sum.low[1] = ground;
    return sum;
}

/* Returns the part of a static box that is near `around`: all of it, a part, or an empty box. */
static box near_part(const box *still, const box *around)
{
    float size = size_of(around);
    bool is_floor = still->high[1] - still->low[1] < THIN * size_of(still) &&
                    fabsf(still->high[1] - around->low[1]) < THIN * size;
    bool whole = size_of(still) <= (is_floor ? WHOLE_FLOOR : WHOLE) * size;
    float room = (is_floor ? PART_FLOOR : PART) * size;
    box part = *still;
    for (int k = 0; k < 3; k++) {
        float low = around->low[k] - room, high = around->high[k] + room;
        if (still->high[k] < low || still->low[k] > high)
            return empty_box();
        if (!whole) {
            part.low[k] = fmaxf(still->low[k], low);
            part.high[k] = fminf(still->high[k], high);
        }
    }
    if (!whole) /* the thickness of a floor or the depth of a pit need not be visible */
        part.low[1] = fmaxf(part.low[1], fminf(part.high[1], around->low[1]));
    return part;
}

/* Returns the box of everything. Triggers are included if something could enter them or if there is nothing
 * else. */
static box box_of_all(const boxes *all)
{
    box seen = empty_box(), sum = empty_box();
    for (size_t i = 0; i < all->count; i++) {
        add_box(&sum, &all->still[i].box);
        if (!all->still[i].trigger)
            add_box(&seen, &all->still[i].box);
    }
    return is_empty(&seen) ? sum : seen;
}

/* Returns the box to show. *alone is set if only moving things exist. */
static box box_to_see(const boxes *all, bool *alone)
{
    const box around = down_to_ground(all);
    box sum = around;
    *alone = !is_empty(&around);
    if (!*alone)
        return box_of_all(all);
    for (size_t i = 0; i < all->count; i++) {
        const box part = near_part(&all->still[i].box, &around);
        *alone = *alone && is_empty(&part);
        add_box(&sum, &part);
    }
    return sum;
}

static bool is_of_interchange(const odori_scene *s)
{
    bool any = false;
    for (size_t i = 0; i < s->model_count; i++) {
        if (scene_is_present(s, i) && !s->models[i].document)
            return false;
        any |= scene_is_present(s, i);
    }
    return any;
}

static void set_camera(odori_scene *s, const box *b, double filled, double aspect)
{
    mmd_camera camera = mmd_default_camera();
    camera.rotation[0] = (float)-LOOK_DOWN;
    camera.rotation[1] = (float)-LOOK_LEFT;
    fit_camera(b, aspect, filled, &camera);
    mmd_stage_set_default_camera(s->stage, &camera);
}

static bool has_vertices(const odori_scene *s)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (scene_is_present(s, i) && s->models[i].model->vertices.count)
            return true;
    return false;
}

static void set_view(const view_options *asked, const odori_scene *s, mmd_view_options *view)
{
    if (!asked->background)
        for (int k = 0; k < 3; k++)
            view->background[k] = (float)background[k] / 255.0f;
    if (!has_vertices(s) && !view->show_joints && !view->show_contacts)
        view->show_bodies = true;
}

void frame_interchange(odori_scene *s, double aspect, const view_options *asked, mmd_view_options *view)
{
    boxes all = {.moving = empty_box(), .triggers_seen = !has_vertices(s)};
    bool alone, ok = is_of_interchange(s);
    if (ok && view)
        set_view(asked, s, view);
    for (size_t i = 0; ok && i < s->model_count; i++)
        ok = !scene_is_present(s, i) || add_model(&all, &s->models[i]);
    const box b = box_to_see(&all, &alone);
    if (ok && !is_empty(&b))
        set_camera(s, &b, !alone ? FILLED : all.animated ? FILLED_ANIMATED : FILLED_ALONE, aspect);
    mmd_free(all.still);
}

/* --- MMD models in their current pose --- */

/* Share of the picture that is filled. A dance needs more room than a pose. */
#define FILLED_POSED 0.92
#define FILLED_CROWD 0.88
#define FILLED_TINY  0.70

/*
 * Radians that the camera looks down on a crowd, so that heads of the back rows appear above those in front.
 */
#define LOOK_DOWN_CROWD 0.20f

/* Size in units below which a scene counts as tiny. */
#define TINY 3.0f

static void put(const float matrix[16], const float in[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = matrix[k] * in[0] + matrix[4 + k] * in[1] + matrix[8 + k] * in[2] + matrix[12 + k];
}

/* Adds a bone's box at its current position; world NULL: at rest. */
static void add_posed(box *sum, const box *part, const float *rest, const mmd_transform *world,
                      const float place[16])
{
    for (int corner = 0; corner < 8; corner++) {
        float p[3], placed[3];
        for (int k = 0; k < 3; k++)
            p[k] = (corner >> k & 1 ? part->high[k] : part->low[k]) - (world ? rest[k] : 0);
        if (world)
            mmd_transform_point(world, p, p);
        put(place, p, placed);
        add_point(sum, placed);
    }
}

/* Computes the box of each bone's vertices; the last element is for vertices without a bone. */
static void box_bones(const mmd_model *model, box *parts)
{
    const mmd_vertices *v = &model->vertices;
    for (uint32_t i = 0; i <= model->bone_count; i++)
        parts[i] = empty_box();
    for (uint32_t i = 0; i < v->count; i++)
        add_point(&parts[v->bone[i][0] >= 0 ? (uint32_t)v->bone[i][0] : model->bone_count], v->position[i]);
}

static bool add_posed_model(const odori_scene *s, size_t index, bool posed, box *sum)
{
    const mmd_model *model = s->models[index].model;
    const mmd_transform *world = posed ? mmd_pose_world(mmd_actor_pose(s->models[index].actor)) : NULL;
    float place[16];
    box *parts = mmd_alloc((model->bone_count + 1u) * sizeof *parts);
    if (!parts)
        return false;
    mmd_stage_placement(s->stage, index, place);
    box_bones(model, parts);
    for (uint32_t i = 0; i <= model->bone_count; i++)
        if (is_there(&parts[i])) {
            bool carried = world && i < model->bone_count;
            add_posed(sum, &parts[i], carried ? model->bones[i].position : NULL, carried ? &world[i] : NULL,
                      place);
        }
    mmd_free(parts);
    return true;
}

static bool add_posed_models(const odori_scene *s, bool backdrops, bool posed, box *sum)
{
    *sum = empty_box();
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].is_backdrop == backdrops && scene_is_present(s, i) &&
            (!posed || mmd_stage_actor_visible(s->stage, i)) && !add_posed_model(s, i, posed, sum))
            return false;
    return is_there(sum);
}

bool camera_fit(const odori_scene *s, double aspect, mmd_camera *camera)
{
    box b;
    if (!add_posed_models(s, false, true, &b) && !add_posed_models(s, true, true, &b))
        return false;
    fit_camera(&b, aspect, FILLED_POSED, camera);
    return true;
}

/* Tests whether the scene has a camera of its own. */
static bool has_camera(const odori_scene *s)
{
    bool all_interchange = true;
    for (size_t i = 0; i < s->model_count; i++)
        all_interchange = all_interchange && (s->models[i].document || !scene_is_present(s, i));
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].motion->camera_key_count)
            return true;
    return all_interchange || s->settings.given;
}

static bool is_crowd(const odori_scene *s)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].is_copy && scene_is_present(s, i))
            return true;
    return false;
}

/* Records the camera as a command, so that a picture can repeat it. Does nothing if out of memory. */
static void keep_camera(odori_scene *s, const mmd_camera *c)
{
    mmd_buffer lines = {0};
    mmd_write_format(&lines, "%scamera.set %.9g", s->opening ? s->opening : "", (double)c->distance);
    for (int k = 0; k < 3; k++)
        mmd_write_format(&lines, " %.9g", (double)c->position[k]);
    for (int k = 0; k < 3; k++)
        mmd_write_format(&lines, " %.9g", (double)c->rotation[k]);
    mmd_write_format(&lines, " %.9g\n", (double)c->fov);
    const char *kept = lines.failed ? NULL : mmd_arena_text(&s->arena, (const char *)lines.data, lines.size);
    s->opening = kept ? kept : s->opening;
    mmd_buffer_finish(&lines);
}

void frame_crowd_or_tiny(odori_scene *s, double aspect, bool tiny)
{
    box b;
    mmd_camera camera = mmd_default_camera();
    const float usual = camera.distance;
    bool crowd = is_crowd(s);
    if ((!crowd && !tiny) || has_camera(s) || !add_posed_models(s, false, false, &b) ||
        (!crowd && size_of(&b) >= TINY))
        return;
    if (crowd)
        camera.rotation[0] = -LOOK_DOWN_CROWD;
    fit_camera(&b, aspect, crowd ? FILLED_CROWD : FILLED_TINY, &camera);
    if (crowd)
        camera.distance = fminf(camera.distance, usual);
    mmd_stage_set_default_camera(s->stage, &camera);
    keep_camera(s, &camera);
}

void frame_scene(odori_scene *s, double aspect, bool tiny, bool keeps_mmd, const view_options *asked,
                 mmd_view_options *view)
{
    s->is_framed = true;
    s->framed_aspect = aspect;
    s->framed_tiny = tiny;
    s->framed_mmd = keeps_mmd;
    frame_interchange(s, aspect, asked, view);
    if (!keeps_mmd)
        frame_crowd_or_tiny(s, aspect, tiny);
}

void frame_again(odori_scene *s)
{
    const mmd_camera usual = mmd_default_camera();
    if (!s->is_framed)
        return;
    s->is_reframed = true;
    mmd_stage_set_default_camera(s->stage, &usual);
    frame_scene(s, s->framed_aspect, s->framed_tiny, s->framed_mmd, NULL, NULL);
}

/* --- A place beside others --- */

#define STAGE_SIZE 60.0f /* units; wider or deeper models are stages, unless they have the bone of a body */
#define GAP        0.1f  /* between two dancers, as a share of the width of the one that is placed */

typedef struct span {
    float low, high;
} span;

/* Tests whether a model hangs on a bone of another one. */
static bool hangs(const odori_scene *s, size_t index)
{
    const mmd_staging *staging = mmd_stage_staging(s->stage, index);
    return (staging->parent && staging->parent_bone >= 0) || mmd_stage_has_outside_parents(s->stage, index);
}

/* Tests whether something of this size is a stage, unless it has the bone of a body. */
static bool is_large(const box *b)
{
    return b->high[0] - b->low[0] > STAGE_SIZE || b->high[2] - b->low[2] > STAGE_SIZE;
}

bool model_is_stage(const mmd_model *model)
{
    box b = empty_box();
    for (uint32_t i = 0; i < model->vertices.count; i++)
        add_point(&b, model->vertices.position[i]);
    return is_there(&b) && is_large(&b) && mmd_model_find_bone(model, "上半身") < 0;
}

/* Computes the width of a dancer at rest, where she stands. Returns false if the model is none. */
static bool span_of(const odori_scene *s, size_t index, span *x)
{
    box b = empty_box();
    const scene_model *m = &s->models[index];
    if (!scene_is_present(s, index) || m->is_accessory || m->is_backdrop || hangs(s, index) ||
        !add_posed_model(s, index, false, &b) || !is_there(&b))
        return false;
    *x = (span){b.low[0], b.high[0]};
    return !is_large(&b) || mmd_model_find_bone(m->model, "上半身") >= 0;
}

/* Tests whether a span that is moved by x is free. */
static bool is_free(const span *others, size_t count, span own, float x, float gap)
{
    const float tolerance = 1e-3f * gap;
    for (size_t i = 0; i < count; i++)
        if (own.low + x < others[i].high + gap - tolerance && own.high + x > others[i].low - gap + tolerance)
            return false;
    return true;
}

bool place_beside(const odori_scene *s, size_t model, float *x)
{
    span own, *others = mmd_alloc((s->model_count + 1) * sizeof *others);
    size_t count = 0;
    float best = INFINITY;
    bool is_dancer = others && span_of(s, model, &own);
    for (size_t i = 0; is_dancer && i < s->model_count; i++)
        count += i != model && span_of(s, i, &others[count]);
    const float gap = is_dancer ? GAP * (own.high - own.low) : 0;
    bool can_stay = !is_dancer || is_free(others, count, own, 0, gap);
    for (size_t i = 0; !can_stay && i < count; i++) {
        const float sides[] = {others[i].high + gap - own.low, others[i].low - gap - own.high};
        for (int k = 0; k < 2; k++)
            if (fabsf(sides[k]) < fabsf(best) && is_free(others, count, own, sides[k], gap))
                best = sides[k];
    }
    mmd_free(others);
    *x = best;
    return !can_stay && isfinite(best);
}
