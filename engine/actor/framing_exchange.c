/*
 * The camera for interchange files. The box to show contains everything that moves (nodes of simulated,
 * kinematic and animated bodies with their descendants) at several times of the animation, and static parts
 * near it. A floor may be huge: it is cut off near what moves. If nothing moves, everything is shown. Boxes
 * are collected for each body and for each node with vertices.
 */
#include "mmd/framing.h"

#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"

/* --- Collecting boxes --- */

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

/* Computes the half extents of a shape in its own frame. Returns false for endless shapes and for meshes. */
static bool half_extents(const mmd_phys_shape *shape, float half[3])
{
    const float *size = shape->size;
    float wide = mmd_maxf(size[0], size[2]);
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

static void add_corners(mmd_box *b, const float half[3], const mmd_transform *world)
{
    for (int corner = 0; corner < 8; corner++) {
        float p[3];
        for (int k = 0; k < 3; k++)
            p[k] = corner >> k & 1 ? half[k] : -half[k];
        mmd_transform_point(world, p, p);
        mmd_box_add_point(b, p);
    }
}

static void add_mesh(mmd_box *b, const mmd_phys_mesh *mesh, const mmd_transform *world)
{
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        float p[3];
        mmd_transform_point(world, mesh->points[i], p);
        mmd_box_add_point(b, p);
    }
}

/* Returns the box of a body's shapes, or of its triggers. */
static mmd_box box_of_body(const mmd_physscene *scene, const mmd_phys_body *body, bool triggers)
{
    mmd_box b = mmd_empty_box();
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

static bool is_animated(const mmd_framed *m)
{
    return m->animation && m->animation->channel_count > 0;
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
static void find_kinds(const mmd_framed *m, uint8_t *kinds)
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
    for (uint32_t i = 0; is_animated(m) && i < m->animation->channel_count; i++) {
        const mmd_animation_channel *channel = &m->animation->channels[i];
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
    mmd_box box;
    bool trigger; /* it is a trigger, which is invisible */
} still_item;

/* The boxes of a scene: one for everything that moves, and a list of static ones. */
typedef struct boxes {
    mmd_box moving;
    still_item *still;
    size_t count, room;
    bool triggers_seen; /* triggers are drawn as lines, because there is no mesh */
    bool animated;
} boxes;

static bool add_item(boxes *all, const mmd_box *item, item_kind kind)
{
    if (mmd_box_is_empty(item) || mmd_box_size(item) > ENDLESS)
        return true;
    if (kind == ITEM_MOVING) {
        mmd_box_add(&all->moving, item);
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
static mmd_box *box_nodes(const mmd_model *model)
{
    const mmd_vertices *v = &model->vertices;
    const mmd_physscene *scene = model->physscene;
    mmd_box *nodes = mmd_alloc((model->bone_count + 1u) * sizeof *nodes);
    if (!nodes)
        return NULL;
    for (uint32_t i = 0; i < model->bone_count; i++)
        nodes[i] = mmd_empty_box();
    for (uint32_t i = 0; i < v->count; i++)
        if (v->bone[i][0] >= 0)
            mmd_box_add_point(&nodes[v->bone[i][0]], v->position[i]);
    for (uint32_t i = 0; scene && i < scene->body_count; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        const mmd_box solid = box_of_body(scene, body, false);
        if (body->bone >= 0 && body->motion == MMD_PHYS_KINEMATIC && mmd_box_size(&solid) <= ENDLESS)
            mmd_box_add(&nodes[body->bone], &solid);
    }
    return nodes;
}

/* Adds a bone's box at the bone's current position. */
static void add_carried(mmd_box *sum, const mmd_box *node, const mmd_bone *bone, const mmd_transform *world)
{
    for (int corner = 0; !mmd_box_is_empty(node) && corner < 8; corner++) {
        float p[3];
        for (int k = 0; k < 3; k++)
            p[k] = (corner >> k & 1 ? node->high[k] : node->low[k]) - bone->position[k];
        mmd_transform_point(world, p, p);
        mmd_box_add_point(sum, p);
    }
}

/* Adds what moves at several times of the first animation. Uses an actor of its own, so that the scene's is
 * not disturbed. */
static bool add_animated(boxes *all, const mmd_framed *m, const mmd_box *nodes, const uint8_t *kinds)
{
    mmd_actor *actor = mmd_actor_create(m->model);
    bool ok = actor && mmd_actor_set_animations(actor, m->animation, 1, NULL) == MMD_OK;
    for (int look = 0; ok && look < LOOKS; look++) {
        mmd_box sum = mmd_empty_box();
        mmd_actor_set_frame(actor, (double)m->animation->seconds * 30 * look / (LOOKS - 1));
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
static bool add_nodes(boxes *all, const mmd_framed *m, const uint8_t *kinds)
{
    mmd_box *nodes = box_nodes(m->model);
    bool ok = nodes != NULL;
    for (uint32_t i = 0; ok && i < m->model->bone_count; i++)
        if (kinds[i] != ITEM_MOVING || !is_animated(m))
            ok = add_item(all, &nodes[i], (item_kind)kinds[i]);
    if (ok && is_animated(m))
        ok = add_animated(all, m, nodes, kinds);
    mmd_free(nodes);
    return ok;
}

static bool add_model(boxes *all, const mmd_framed *m)
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
        const mmd_box solid = box_of_body(scene, body, false), trigger = box_of_body(scene, body, true);
        ok = add_item(all, &solid, moves(body) ? ITEM_MOVING : ITEM_STILL) &&
             (moves(body) || add_item(all, &trigger, all->triggers_seen ? ITEM_STILL : ITEM_TRIGGER));
    }
    mmd_free(kinds);
    return ok;
}

/* --- Choosing what is shown --- */

/* Tests whether a static box lies below a moving one, near enough to be hit by it. */
static bool lies_below(const mmd_box *still, const mmd_box *moving)
{
    float size = mmd_box_size(moving);
    return still->high[1] < moving->low[1] && moving->low[1] - still->high[1] <= FALL * size &&
           still->low[0] <= moving->high[0] && still->high[0] >= moving->low[0] &&
           still->low[2] <= moving->high[2] && still->high[2] >= moving->low[2];
}

/* Returns the box of what moves, extended down to the highest object below it. */
static mmd_box down_to_ground(const boxes *all)
{
    mmd_box sum = all->moving;
    float ground = -INFINITY;
    for (size_t i = 0; i < all->count; i++)
        if (!all->still[i].trigger && lies_below(&all->still[i].box, &all->moving))
            ground = mmd_maxf(ground, all->still[i].box.high[1]);
    if (ground > -INFINITY)
        sum.low[1] = ground;
    return sum;
}

/* Returns the part of a static box that is near `around`: all of it, a part, or an empty box. */
static mmd_box near_part(const mmd_box *still, const mmd_box *around)
{
    float size = mmd_box_size(around);
    bool is_floor = still->high[1] - still->low[1] < THIN * mmd_box_size(still) &&
                    fabsf(still->high[1] - around->low[1]) < THIN * size;
    bool whole = mmd_box_size(still) <= (is_floor ? WHOLE_FLOOR : WHOLE) * size;
    float room = (is_floor ? PART_FLOOR : PART) * size;
    mmd_box part = *still;
    for (int k = 0; k < 3; k++) {
        float low = around->low[k] - room, high = around->high[k] + room;
        if (still->high[k] < low || still->low[k] > high)
            return mmd_empty_box();
        if (!whole) {
            part.low[k] = mmd_maxf(still->low[k], low);
            part.high[k] = mmd_minf(still->high[k], high);
        }
    }
    if (!whole) /* the thickness of a floor or the depth of a pit need not be visible */
        part.low[1] = mmd_maxf(part.low[1], mmd_minf(part.high[1], around->low[1]));
    return part;
}

/* Returns the box of everything. Triggers are included if something could enter them or if there is nothing
 * else. */
static mmd_box box_of_all(const boxes *all)
{
    mmd_box seen = mmd_empty_box(), sum = mmd_empty_box();
    for (size_t i = 0; i < all->count; i++) {
        mmd_box_add(&sum, &all->still[i].box);
        if (!all->still[i].trigger)
            mmd_box_add(&seen, &all->still[i].box);
    }
    return mmd_box_is_empty(&seen) ? sum : seen;
}

/* Returns the box to show. *alone is set if only moving things exist. */
static mmd_box box_to_see(const boxes *all, bool *alone)
{
    const mmd_box around = down_to_ground(all);
    mmd_box sum = around;
    *alone = !mmd_box_is_empty(&around);
    if (!*alone)
        return box_of_all(all);
    for (size_t i = 0; i < all->count; i++) {
        const mmd_box part = near_part(&all->still[i].box, &around);
        *alone = *alone && mmd_box_is_empty(&part);
        mmd_box_add(&sum, &part);
    }
    return sum;
}

static bool has_vertices(const mmd_framed *models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (models[i].model->vertices.count)
            return true;
    return false;
}

bool mmd_camera_frame(const mmd_framed *models, size_t count, double aspect, mmd_camera *camera)
{
    boxes all = {.moving = mmd_empty_box(), .triggers_seen = !has_vertices(models, count)};
    bool alone, ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = add_model(&all, &models[i]);
    const mmd_box box = box_to_see(&all, &alone);
    ok = ok && !mmd_box_is_empty(&box);
    if (ok) {
        *camera = mmd_default_camera();
        camera->rotation[0] = (float)-LOOK_DOWN;
        camera->rotation[1] = (float)-LOOK_LEFT;
        mmd_camera_fit(&box, aspect, !alone ? FILLED : all.animated ? FILLED_ANIMATED : FILLED_ALONE, camera);
    }
    mmd_free(all.still);
    return ok;
}
