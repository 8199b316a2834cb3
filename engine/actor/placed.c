/*
 * Bodies and joints of an actor placed by hand: where the simulation begins
 * with them, in place of what the model's file says. A joint stays where it is
 * when one of its bodies is placed, and the other way round.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

struct placed_set {
    uint32_t body_count, joint_count; /* of the model */
    mmd_body_place *bodies;           /* as the file has them, or as placed */
    mmd_transform *joints;
    mmd_body_place *file_bodies;
    mmd_transform *file_joints;
    uint32_t placed; /* how many differ from the file by hand */
    uint8_t *body_placed, *joint_placed;
    mmd_arena arena;
};

static const float unscaled[3] = {1.0f, 1.0f, 1.0f};

void placed_destroy(placed_set *set)
{
    if (!set)
        return;
    mmd_arena arena = set->arena;
    mmd_arena_finish(&arena);
}

/* A's frame of a joint in the model at rest. */
static mmd_transform joint_at_rest(const mmd_physscene *scene, const mmd_phys_joint *joint)
{
    mmd_transform at = joint->frame_a;
    if (joint->body_a >= 0)
        mmd_transform_multiply(&scene->bodies[joint->body_a].rest, &at, &at);
    return at;
}

static bool allocate(placed_set *set, const mmd_physscene *scene)
{
    mmd_arena *arena = &set->arena;
    set->body_count = scene->body_count;
    set->joint_count = scene->joint_count;
    set->bodies = mmd_arena_alloc(arena, set->body_count, sizeof *set->bodies);
    set->file_bodies = mmd_arena_alloc(arena, set->body_count, sizeof *set->file_bodies);
    set->joints = mmd_arena_alloc(arena, set->joint_count, sizeof *set->joints);
    set->file_joints = mmd_arena_alloc(arena, set->joint_count, sizeof *set->file_joints);
    set->body_placed = mmd_arena_alloc(arena, set->body_count, 1);
    set->joint_placed = mmd_arena_alloc(arena, set->joint_count, 1);
    return set->bodies && set->file_bodies && set->joints && set->file_joints && set->body_placed &&
           set->joint_placed;
}

static void fill(placed_set *set, const mmd_physscene *scene)
{
    for (uint32_t b = 0; b < set->body_count; b++) {
        set->file_bodies[b].rest = scene->bodies[b].rest;
        memcpy(set->file_bodies[b].scale, unscaled, sizeof unscaled);
    }
    for (uint32_t j = 0; j < set->joint_count; j++)
        set->file_joints[j] = joint_at_rest(scene, &scene->joints[j]);
    if (set->body_count)
        memcpy(set->bodies, set->file_bodies, set->body_count * sizeof *set->bodies);
    if (set->joint_count)
        memcpy(set->joints, set->file_joints, set->joint_count * sizeof *set->joints);
}

/* An actor's set, made when first needed. NULL: out of memory. */
static placed_set *set_of(mmd_stage *stage, size_t actor)
{
    assert(actor < stage->actor_count);
    stage_entry *entry = &stage->entries[actor];
    if (entry->placed_parts)
        return entry->placed_parts;
    mmd_arena arena = {0};
    mmd_physscene scene = {0};
    placed_set *set = mmd_arena_alloc(&arena, 1, sizeof *set);
    bool done = set && mmd_model_physscene(entry->actor->model, &scene, NULL) == MMD_OK;
    if (done) {
        set->arena = arena;
        done = allocate(set, &scene);
        arena = set->arena;
        if (done)
            fill(set, &scene);
        mmd_physscene_destroy(&scene);
    }
    if (!done) {
        mmd_arena_finish(&arena);
        return NULL;
    }
    return entry->placed_parts = set;
}

/* --- The scene of the simulation --- */

/* How much larger a shape is along the axes of its frame: those of the body, mixed where they do not agree.
 */
static void shape_scale(const mmd_phys_shape *shape, const float scale[3], float out[3])
{
    for (int k = 0; k < 3; k++) {
        float axis[3] = {k == 0, k == 1, k == 2}, sum = 0.0f;
        quat_rotate(shape->frame.rotation, axis, axis);
        out[k] = 0.0f;
        for (int i = 0; i < 3; i++) {
            out[k] += axis[i] * axis[i] * scale[i];
            sum += axis[i] * axis[i];
        }
        out[k] /= sum;
    }
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* A copy of its mesh behind the others, of its own size. */
static bool scale_mesh(mmd_physscene *scene, mmd_phys_shape *shape, const float s[3])
{
    const mmd_phys_mesh *mesh = &scene->meshes[shape->mesh];
    mmd_phys_mesh *grown = mmd_arena_alloc(&scene->arena, (size_t)scene->mesh_count + 1, sizeof *grown);
    float(*points)[3] = mmd_arena_alloc(&scene->arena, mesh->point_count, sizeof *points);
    if (!grown || !points)
        return false;
    for (uint32_t i = 0; i < mesh->point_count; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = mesh->points[i][k] * s[k];
    memcpy(grown, scene->meshes, scene->mesh_count * sizeof *grown);
    grown[scene->mesh_count] = *mesh;
    grown[scene->mesh_count].points = (const float(*)[3])points;
    scene->meshes = grown;
    shape->mesh = (int32_t)scene->mesh_count++;
    return true;
}

/* Round shapes stay round: their radius goes by the larger of its axes. */
static bool scale_shape(mmd_physscene *scene, mmd_phys_shape *shape, const float scale[3])
{
    float s[3];
    shape_scale(shape, scale, s);
    for (int k = 0; k < 3; k++)
        shape->frame.translation[k] *= scale[k];
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        shape->size[0] *= larger(s[0], larger(s[1], s[2]));
        return true;
    case MMD_PHYS_BOX:
        for (int k = 0; k < 3; k++)
            shape->size[k] *= s[k];
        return true;
    case MMD_PHYS_CAPSULE:
    case MMD_PHYS_CYLINDER:
        shape->size[0] *= larger(s[0], s[2]);
        shape->size[1] *= s[1];
        shape->size[2] *= larger(s[0], s[2]);
        return true;
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        return scale_mesh(scene, shape, s);
    default:
        return true;
    }
}

static bool scale_body(mmd_physscene *scene, mmd_phys_body *body, const float scale[3])
{
    if (!memcmp(scale, unscaled, sizeof unscaled))
        return true;
    for (int k = 0; k < 3; k++)
        body->center[k] *= scale[k];
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (!scale_shape(scene, &scene->shapes[body->first_shape + i], scale))
            return false;
    return true;
}

static void frame_in(const mmd_physscene *scene, int32_t body, const mmd_transform *at, mmd_transform *frame)
{
    mmd_transform back;
    *frame = *at;
    if (body < 0)
        return;
    mmd_transform_inverse(&scene->bodies[body].rest, &back);
    mmd_transform_multiply(&back, at, frame);
}

static bool stays(const placed_set *set, const mmd_phys_joint *joint, uint32_t j)
{
    return !set->joint_placed[j] && (joint->body_a < 0 || !set->body_placed[joint->body_a]) &&
           (joint->body_b < 0 || !set->body_placed[joint->body_b]);
}

/* B's frame goes where A's goes. before: bodies at rest as the file has them. */
static void place_joint(const placed_set *set, mmd_physscene *scene, uint32_t j)
{
    mmd_phys_joint *joint = &scene->joints[j];
    if (stays(set, joint, j))
        return;
    mmd_transform b = joint->frame_b, back;
    if (joint->body_b >= 0)
        mmd_transform_multiply(&set->file_bodies[joint->body_b].rest, &b, &b);
    mmd_transform_inverse(&set->file_joints[j], &back);
    mmd_transform_multiply(&back, &b, &b);
    mmd_transform_multiply(&set->joints[j], &b, &b);
    frame_in(scene, joint->body_a, &set->joints[j], &joint->frame_a);
    frame_in(scene, joint->body_b, &b, &joint->frame_b);
}

bool placed_scene(const placed_set *set, mmd_physscene *scene)
{
    assert(scene);
    if (!set || !set->placed)
        return true;
    if (!scene_own_all(scene))
        return false;
    for (uint32_t b = 0; b < set->body_count; b++) {
        if (!set->body_placed[b])
            continue;
        scene->bodies[b].rest = set->bodies[b].rest;
        if (!scale_body(scene, &scene->bodies[b], set->bodies[b].scale))
            return false;
    }
    for (uint32_t j = 0; j < set->joint_count; j++)
        place_joint(set, scene, j);
    return true;
}

const mmd_transform *placed_body(const placed_set *set, uint32_t body)
{
    return set && set->body_placed[body] ? &set->bodies[body].rest : NULL;
}

/* --- Placing --- */

static mmd_status out_of_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

static void note(placed_set *set, uint8_t *placed, bool by_hand)
{
    set->placed += (uint32_t)by_hand - *placed;
    *placed = by_hand;
}

bool mmd_stage_body_place(mmd_stage *stage, size_t actor, uint32_t body, mmd_body_place *place)
{
    assert(stage);
    const placed_set *set = set_of(stage, actor);
    assert(!set || body < set->body_count);
    if (set)
        *place = set->bodies[body];
    return set && set->body_placed[body];
}

bool mmd_stage_joint_place(mmd_stage *stage, size_t actor, uint32_t joint, mmd_transform *place)
{
    assert(stage);
    const placed_set *set = set_of(stage, actor);
    assert(!set || joint < set->joint_count);
    if (set)
        *place = set->joints[joint];
    return set && set->joint_placed[joint];
}

mmd_status mmd_stage_place_body(mmd_stage *stage, size_t actor, uint32_t body, const mmd_body_place *place,
                                mmd_error *error)
{
    assert(stage);
    placed_set *set = set_of(stage, actor);
    if (!set)
        return out_of_memory(error);
    assert(body < set->body_count);
    mmd_stage_settle(stage);
    mmd_body_place before = set->bodies[body];
    bool was = set->body_placed[body];
    set->bodies[body] = place ? *place : set->file_bodies[body];
    note(set, &set->body_placed[body], place != NULL);
    mmd_status status = simulation_restart(stage, error);
    if (status == MMD_OK)
        return MMD_OK;
    set->bodies[body] = before;
    note(set, &set->body_placed[body], was);
    return status;
}

mmd_status mmd_stage_place_joint(mmd_stage *stage, size_t actor, uint32_t joint, const mmd_transform *place,
                                 mmd_error *error)
{
    assert(stage);
    placed_set *set = set_of(stage, actor);
    if (!set)
        return out_of_memory(error);
    assert(joint < set->joint_count);
    mmd_stage_settle(stage);
    mmd_transform before = set->joints[joint];
    bool was = set->joint_placed[joint];
    set->joints[joint] = place ? *place : set->file_joints[joint];
    note(set, &set->joint_placed[joint], place != NULL);
    mmd_status status = simulation_restart(stage, error);
    if (status == MMD_OK)
        return MMD_OK;
    set->joints[joint] = before;
    note(set, &set->joint_placed[joint], was);
    return status;
}
