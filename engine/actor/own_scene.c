/*
 * An actor's physics scene: that of its model, scaled to the actor's size, with bodies and joints placed by
 * hand.
 */
#include <assert.h>
#include <string.h>

#include "simulation_internal.h"

/* ------------------------------------------------------------- scaling */

/*
 * Scaling of a physics scene. An actor with a scale is simulated in that size, in the common world: lengths
 * are scaled, times and masses are not, and gravity is the world's. So a giant's hair swings slowly, and
 * touches other objects where it is drawn.
 *
 * Torques grow with the square of the scale, as moments of inertia do. The springs of PMX joints are
 * Bullet's, whose strength is both the bound of a motor and its speed. For angles the bound must grow and the
 * speed must not, so angular_size is passed to the joint (mmd_phys_joint).
 */

static void scale_all(float *values, int count, float factor)
{
    for (int k = 0; k < count; k++)
        values[k] *= factor;
}

/* Replaces an array, which may be the model's, by a copy. Returns false when out of memory. */
static bool own(mmd_arena *arena, void *array, uint32_t count, size_t size)
{
    void *source, *copy = mmd_arena_alloc(arena, count, size);
    memcpy(&source, array, sizeof source);
    if (copy && count)
        memcpy(copy, source, count * size);
    memcpy(array, &copy, sizeof copy);
    return copy != NULL;
}

/* Replaces all arrays of a scene by copies in its arena, so that they can be changed. Returns false when
 * out of memory. */
static bool scene_own_all(mmd_physscene *s)
{
    assert(s);
    return own(&s->arena, &s->bodies, s->body_count, sizeof *s->bodies) &&
           own(&s->arena, &s->shapes, s->shape_count, sizeof *s->shapes) &&
           own(&s->arena, &s->meshes, s->mesh_count, sizeof *s->meshes) &&
           own(&s->arena, &s->joints, s->joint_count, sizeof *s->joints) &&
           own(&s->arena, &s->limits, s->limit_count, sizeof *s->limits) &&
           own(&s->arena, &s->drives, s->drive_count, sizeof *s->drives) &&
           own(&s->arena, &s->soft_bodies, s->soft_body_count, sizeof *s->soft_bodies) &&
           own(&s->arena, &s->gravities, s->gravity_count, sizeof *s->gravities);
}

/* Makes scaled copies of points. NULL when out of memory. */
static const float (*scaled_points(mmd_arena *arena, const float (*points)[3], uint32_t count, float s))[3]
{
    float(*scaled)[3] = mmd_arena_alloc(arena, count, sizeof *scaled);
    for (uint32_t i = 0; scaled && i < count; i++)
        for (int k = 0; k < 3; k++)
            scaled[i][k] = points[i][k] * s;
    return (const float(*)[3])scaled;
}

static void scale_bodies(mmd_physscene *scene, float s)
{
    for (uint32_t b = 0; b < scene->body_count; b++) {
        mmd_phys_body *body = &scene->bodies[b];
        scale_all(body->rest.translation, 3, s);
        scale_all(body->center, 3, s);
        scale_all(body->linear_velocity, 3, s);
        scale_all(body->inertia, 3, s * s);
    }
}

static bool scale_shapes(mmd_physscene *scene, float s)
{
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        scale_all(scene->shapes[i].frame.translation, 3, s);
        scale_all(scene->shapes[i].size, 3, s);
    }
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        mmd_phys_mesh *mesh = &scene->meshes[i];
        mesh->points = scaled_points(&scene->arena, mesh->points, mesh->point_count, s);
        if (!mesh->points)
            return false;
    }
    return true;
}

static bool scale_gravities(mmd_physscene *scene, float s)
{
    for (uint32_t i = 0; i < scene->gravity_count; i++) {
        mmd_phys_gravity *gravity = &scene->gravities[i];
        gravity->unit_distance *= s;
        gravity->radius *= s;
        gravity->points = scaled_points(&scene->arena, gravity->points, gravity->point_count, s);
        if (!gravity->points)
            return false;
    }
    return true;
}

/* Scales a PMX joint. The kinds of PMX 2.1 have other values in the same fields (docs/mmd.md 1.1): sliders
 * have lengths and forces in the linear ones, speeds and torques in the springs; hinges and cones have
 * motors. */
static void scale_pmx(mmd_phys_joint *joint, float s)
{
    mmd_pmx_joint *pmx = &joint->pmx;
    joint->angular_size = s * s;
    switch (joint->kind) {
    case MMD_JOINT_PMX_SPRING:
    case MMD_JOINT_PMX_6DOF:
        scale_all(pmx->linear_lower, 3, s);
        scale_all(pmx->linear_upper, 3, s);
        break;
    case MMD_JOINT_PMX_SLIDER:
        pmx->linear_lower[0] *= s;
        pmx->linear_upper[0] *= s;
        pmx->linear_spring[1] *= s;
        pmx->linear_spring[2] *= s;
        pmx->angular_spring[2] *= s * s;
        break;
    case MMD_JOINT_PMX_HINGE:
        pmx->angular_spring[2] *= s * s;
        break;
    case MMD_JOINT_PMX_CONE_TWIST:
        pmx->linear_upper[2] *= s * s;
        break;
    default:
        break;
    }
}

/* Scales a limit. Forces grow with lengths, torques with their square; stiffness is force per unit, or
 * torque per radian. */
static void scale_limit(mmd_phys_limit *limit, float s)
{
    if (limit->kind == MMD_LIMIT_LINEAR) {
        limit->min *= s;
        limit->max *= s;
    } else {
        limit->stiffness *= s * s;
        limit->damping *= s * s;
    }
}

static void scale_drive(mmd_phys_drive *drive, float s)
{
    float torque = drive->acceleration ? 1.0f : s * s;
    scale_all(drive->target.translation, 3, s);
    drive->angular_stiffness *= torque;
    drive->angular_damping *= torque;
    drive->max_force *= drive->kind == MMD_DRIVE_ANGULAR ? s * s : s;
    if (drive->kind == MMD_DRIVE_ANGULAR) {
        drive->stiffness *= torque;
        drive->damping *= torque;
    } else {
        drive->position_target *= s;
        drive->velocity_target *= s;
    }
}

static void scale_joints(mmd_physscene *scene, float s)
{
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        scale_all(scene->joints[j].frame_a.translation, 3, s);
        scale_all(scene->joints[j].frame_b.translation, 3, s);
        scale_pmx(&scene->joints[j], s);
    }
    for (uint32_t i = 0; i < scene->limit_count; i++)
        scale_limit(&scene->limits[i], s);
    for (uint32_t i = 0; i < scene->drive_count; i++)
        scale_drive(&scene->drives[i], s);
}

/* Scales coefficients of a soft body so that forces grow with lengths. Bullet's pressure is per volume,
 * its conservation of volume multiplies areas by volumes, and air drag depends on areas and squared speeds
 * (btSoftBody.cpp of 3.24). */
static void scale_coefficients(float config[12], float s)
{
    enum { DRAG = 2, LIFT = 3, PRESSURE = 4, VOLUME = 5 };
    config[DRAG] /= s * s * s;
    config[LIFT] /= s * s * s;
    config[PRESSURE] *= s * s;
    config[VOLUME] /= s * s * s * s;
}

static bool scale_soft(mmd_phys_soft_body *soft, mmd_arena *arena, float s)
{
    soft->nodes = scaled_points(arena, soft->nodes, soft->node_count, s);
    if (!soft->nodes)
        return false;
    soft->margin *= s;
    scale_coefficients(soft->config, s);
    return true;
}

/* Gives capsules the inertia that they have at the file's size: MMD's contains a margin that does not grow
 * with the model (mmd_capsule in physics/bullet/shapes.cpp), and models of all sizes should move alike. */
static void fix_capsules(mmd_physscene *scene)
{
    const float margin = 0.04f;
    for (uint32_t b = 0; !scene->world.exact_restitution && b < scene->body_count; b++) {
        mmd_phys_body *body = &scene->bodies[b];
        const mmd_phys_shape *shape = &scene->shapes[body->first_shape];
        if (!body->auto_inertia || body->auto_mass || body->shape_count != 1 ||
            shape->kind != MMD_PHYS_CAPSULE)
            continue;
        float across = 2.0f * (shape->size[0] + margin), along = across + shape->size[1];
        float thin = across * across, both = thin + along * along;
        body->auto_inertia = false;
        body->inertia[0] = body->inertia[2] = body->mass / 12.0f * both;
        body->inertia[1] = body->mass / 12.0f * 2.0f * thin;
    }
}

bool scaled_scene(mmd_physscene *scene, float s)
{
    assert(scene);
    if (!scene_own_all(scene))
        return false;
    fix_capsules(scene);
    scale_bodies(scene, s);
    scale_joints(scene, s);
    bool done = scale_shapes(scene, s) && scale_gravities(scene, s);
    for (uint32_t k = 0; done && k < scene->soft_body_count; k++)
        done = scale_soft(&scene->soft_bodies[k], &scene->arena, s);
    return done;
}

/* ----------------------------------------------------------- placements by hand */

struct placed_set {
    uint32_t body_count, joint_count; /* of the model */
    mmd_body_transform *bodies;       /* current values: from the file, or placed */
    mmd_transform *joints;
    mmd_body_transform *file_bodies;
    mmd_transform *file_joints;
    uint32_t placed; /* number of placed bodies and joints */
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

/* Computes the frame of a joint on A's side in the model at rest. */
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

/* Returns an actor's set, creating it if needed. NULL when out of memory. */
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

/* --- Applying placements to the scene of the simulation --- */

/* Computes the scale of a shape along its own axes from that of its body. Where the axes differ, the
 * factors are mixed. */
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

/* Gives a shape a scaled copy of its mesh. */
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

/* Scales a shape. Round shapes stay round: their radius uses the larger factor. */
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

static bool is_unchanged(const placed_set *set, const mmd_phys_joint *joint, uint32_t j)
{
    return !set->joint_placed[j] && (joint->body_a < 0 || !set->body_placed[joint->body_a]) &&
           (joint->body_b < 0 || !set->body_placed[joint->body_b]);
}

/* Moves both frames of a joint. B's frame keeps its transform relative to A's. set->file_bodies are the
 * bodies at rest in the file. */
static void place_joint(const placed_set *set, mmd_physscene *scene, uint32_t j)
{
    mmd_phys_joint *joint = &scene->joints[j];
    if (is_unchanged(set, joint, j))
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

static void set_placed(placed_set *set, uint8_t *placed, bool by_hand)
{
    set->placed += (uint32_t)by_hand - *placed;
    *placed = by_hand;
}

bool mmd_stage_body_transform(mmd_stage *stage, size_t actor, uint32_t body, mmd_body_transform *transform)
{
    assert(stage);
    const placed_set *set = set_of(stage, actor);
    assert(!set || body < set->body_count);
    if (set)
        *transform = set->bodies[body];
    return set && set->body_placed[body];
}

bool mmd_stage_joint_transform(mmd_stage *stage, size_t actor, uint32_t joint, mmd_transform *transform)
{
    assert(stage);
    const placed_set *set = set_of(stage, actor);
    assert(!set || joint < set->joint_count);
    if (set)
        *transform = set->joints[joint];
    return set && set->joint_placed[joint];
}

mmd_status mmd_stage_place_body(mmd_stage *stage, size_t actor, uint32_t body,
                                const mmd_body_transform *transform, mmd_error *error)
{
    assert(stage);
    placed_set *set = set_of(stage, actor);
    if (!set)
        return out_of_memory(error);
    assert(body < set->body_count);
    mmd_stage_settle(stage);
    mmd_body_transform before = set->bodies[body];
    bool was = set->body_placed[body];
    set->bodies[body] = transform ? *transform : set->file_bodies[body];
    set_placed(set, &set->body_placed[body], transform != NULL);
    mmd_status status = simulation_restart(stage, error);
    if (status == MMD_OK)
        return MMD_OK;
    set->bodies[body] = before;
    set_placed(set, &set->body_placed[body], was);
    return status;
}

mmd_status mmd_stage_place_joint(mmd_stage *stage, size_t actor, uint32_t joint,
                                 const mmd_transform *transform, mmd_error *error)
{
    assert(stage);
    placed_set *set = set_of(stage, actor);
    if (!set)
        return out_of_memory(error);
    assert(joint < set->joint_count);
    mmd_stage_settle(stage);
    mmd_transform before = set->joints[joint];
    bool was = set->joint_placed[joint];
    set->joints[joint] = transform ? *transform : set->file_joints[joint];
    set_placed(set, &set->joint_placed[joint], transform != NULL);
    mmd_status status = simulation_restart(stage, error);
    if (status == MMD_OK)
        return MMD_OK;
    set->joints[joint] = before;
    set_placed(set, &set->joint_placed[joint], was);
    return status;
}
