/* Builds small physics scenes in metres for tests. */
#include "phys_scenes.h"

#include "support.h"

static const mmd_transform identity = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};

void phys_begin(phys_builder *builder)
{
    *builder = (phys_builder){.scene = {.world = mmd_default_gltf_world()}};
    mmd_physscene *scene = &builder->scene;
    scene->bodies = builder->bodies;
    scene->shapes = builder->shapes;
    scene->materials = builder->materials;
    scene->filters = builder->filters;
    scene->joints = builder->joints;
    scene->limits = builder->limits;
    scene->drives = builder->drives;
}

static void place(mmd_transform *transform, float x, float y, float z)
{
    *transform = identity;
    transform->translation[0] = METRES(x);
    transform->translation[1] = METRES(y);
    transform->translation[2] = METRES(z);
}

int32_t phys_body(phys_builder *builder, mmd_phys_motion motion, float x, float y, float z, float mass)
{
    mmd_physscene *scene = &builder->scene;
    assert_true(scene->body_count < PHYS_SCENE_ROOM);
    float inertia = mass / 6.0f * METRES(1.0f) * METRES(1.0f);
    mmd_phys_body *body = &scene->bodies[scene->body_count];
    *body = (mmd_phys_body){.name = "",
                            .path = "",
                            .motion = (uint8_t)motion,
                            .bone = -1,
                            .mass = mass,
                            .inertia = {inertia, inertia, inertia},
                            .inertia_rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                            .gravity_factor = 1.0f,
                            .first_shape = scene->shape_count};
    place(&body->rest, x, y, z);
    return (int32_t)scene->body_count++;
}

static mmd_phys_shape *add_shape(phys_builder *builder, mmd_phys_shape_kind kind)
{
    mmd_physscene *scene = &builder->scene;
    assert_true(scene->body_count > 0 && scene->shape_count < PHYS_SCENE_ROOM);
    mmd_phys_body *body = &scene->bodies[scene->body_count - 1];
    mmd_phys_shape *shape = &scene->shapes[scene->shape_count++];
    *shape = (mmd_phys_shape){.kind = (uint8_t)kind,
                              .solid = true,
                              .frame = identity,
                              .mesh = -1,
                              .material = -1,
                              .filter = -1,
                              .name = "",
                              .path = ""};
    body->shape_count++;
    body->auto_inertia = true;
    return shape;
}

mmd_phys_shape *phys_box(phys_builder *builder, float x, float y, float z)
{
    mmd_phys_shape *shape = add_shape(builder, MMD_PHYS_BOX);
    shape->size[0] = METRES(x);
    shape->size[1] = METRES(y);
    shape->size[2] = METRES(z);
    return shape;
}

mmd_phys_shape *phys_sphere(phys_builder *builder, float radius)
{
    mmd_phys_shape *shape = add_shape(builder, MMD_PHYS_SPHERE);
    shape->size[0] = METRES(radius);
    return shape;
}

static mmd_transform seen_from(const phys_builder *builder, int32_t body, const mmd_transform *placed)
{
    mmd_transform frame = *placed;
    if (body >= 0) {
        mmd_transform_inverse(&builder->bodies[body].rest, &frame);
        mmd_transform_multiply(&frame, placed, &frame);
    }
    return frame;
}

mmd_phys_joint *phys_joint_turned(phys_builder *builder, int32_t a, int32_t b, float x, float y, float z,
                                  const float rotation[4])
{
    mmd_physscene *scene = &builder->scene;
    assert_true(scene->joint_count < PHYS_SCENE_ROOM);
    mmd_phys_joint *joint = &scene->joints[scene->joint_count++];
    mmd_transform placed;
    place(&placed, x, y, z);
    memcpy(placed.rotation, rotation, sizeof placed.rotation);
    *joint = (mmd_phys_joint){.name = "",
                              .path = "",
                              .kind = MMD_JOINT_LIMITS_AND_DRIVES,
                              .body_a = a,
                              .body_b = b,
                              .frame_a = seen_from(builder, a, &placed),
                              .frame_b = seen_from(builder, b, &placed),
                              .first_limit = scene->limit_count,
                              .first_drive = scene->drive_count};
    return joint;
}

mmd_phys_joint *phys_joint(phys_builder *builder, int32_t a, int32_t b, float x, float y, float z)
{
    return phys_joint_turned(builder, a, b, x, y, z, identity.rotation);
}

mmd_phys_limit *phys_limit(phys_builder *builder, mmd_phys_limit_kind kind, uint8_t axes, float min,
                           float max)
{
    mmd_physscene *scene = &builder->scene;
    assert_true(scene->joint_count > 0 && scene->limit_count < PHYS_SCENE_ROOM);
    float unit = kind == MMD_LIMIT_LINEAR ? METRES(1.0f) : 1.0f;
    mmd_phys_limit *limit = &scene->limits[scene->limit_count++];
    *limit = (mmd_phys_limit){.kind = (uint8_t)kind,
                              .axes = axes,
                              .has_min = true,
                              .has_max = true,
                              .min = min * unit,
                              .max = max * unit};
    scene->joints[scene->joint_count - 1].limit_count++;
    return limit;
}

mmd_phys_drive *phys_drive(phys_builder *builder, mmd_phys_drive_kind kind, uint8_t axis)
{
    mmd_physscene *scene = &builder->scene;
    assert_true(scene->joint_count > 0 && scene->drive_count < PHYS_SCENE_ROOM);
    mmd_phys_drive *drive = &scene->drives[scene->drive_count++];
    *drive = (mmd_phys_drive){
        .kind = (uint8_t)kind, .axis = axis, .enabled = true, .max_force = INFINITY, .target = identity};
    scene->joints[scene->joint_count - 1].drive_count++;
    return drive;
}

mmd_world *phys_world(const phys_builder *builder)
{
    const mmd_physscene *scene = &builder->scene;
    mmd_error error = {0};
    mmd_world *world = NULL;
    if (mmd_physscene_check(scene, &error) != MMD_OK)
        fail_msg("%s", error.message);
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &scene->world, &scene, 1, &world, &error), MMD_OK);
    return world;
}

void phys_run(mmd_world *world, float seconds)
{
    int steps = (int)(seconds * 240.0f + 0.5f);
    for (int i = 0; i < steps; i++)
        mmd_world_step(world);
}

void phys_position(const mmd_world *world, int32_t body, float position[3])
{
    for (int k = 0; k < 3; k++)
        position[k] = mmd_world_transforms(world)[body].translation[k] * 0.08f;
}

static mmd_transform between_ends(const phys_builder *builder, const mmd_world *world, uint32_t joint)
{
    mmd_transform a, b;
    mmd_joint_frames(&builder->scene, joint, mmd_world_transforms(world), &a, &b);
    mmd_transform_inverse(&a, &a);
    mmd_transform_multiply(&a, &b, &a);
    return a;
}

float phys_gap(const phys_builder *builder, const mmd_world *world, uint32_t joint)
{
    const mmd_transform t = between_ends(builder, world, joint);
    const float *p = t.translation;
    return 0.08f * sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

float phys_angle(const phys_builder *builder, const mmd_world *world, uint32_t joint)
{
    const mmd_transform t = between_ends(builder, world, joint);
    const float *q = t.rotation;
    return 2.0f * atan2f(sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), fabsf(q[3]));
}
