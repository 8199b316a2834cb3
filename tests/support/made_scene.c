#include "made_scene.h"

#include "support.h"

made_scene *made_scene_create(void)
{
    made_scene *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->blocks_before = mmd_heap_blocks_in_use();
    made->settings = mmd_default_phys_world();
    made->settings.ground = false;
    made->settings.damping = MMD_DAMPING_PLAIN;
    made->scene = (mmd_physscene){.world = made->settings,
                                  .bodies = made->bodies,
                                  .shapes = made->shapes,
                                  .joints = made->joints,
                                  .meshes = made->meshes,
                                  .materials = made->materials,
                                  .filters = made->filters,
                                  .gravities = made->gravities,
                                  .soft_bodies = made->softs,
                                  .material_count = 1};
    made->materials[0] = (mmd_phys_material){.static_friction = 0.5f,
                                             .dynamic_friction = 0.5f,
                                             .friction_combine = MMD_COMBINE_MULTIPLY,
                                             .restitution_combine = MMD_COMBINE_MULTIPLY,
                                             .name = ""};
    return made;
}

static const mmd_transform identity = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

mmd_phys_body *made_body(made_scene *made, mmd_phys_motion motion, mmd_phys_shape_kind kind,
                         const float size[3], float x, float y, float z, float mass)
{
    assert_true(made->scene.body_count < MADE_BODIES);
    mmd_phys_body *body = &made->bodies[made->scene.body_count++];
    *body = (mmd_phys_body){.name = "",
                            .path = "",
                            .motion = (uint8_t)motion,
                            .auto_inertia = true,
                            .rest = {{0.0f, 0.0f, 0.0f, 1.0f}, {x, y, z, 0.0f}},
                            .bone = -1,
                            .mass = mass,
                            .inertia_rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                            .gravity_factor = 1.0f,
                            .first_shape = made->scene.shape_count};
    made_shape(made, kind, size, 0.0f, 0.0f, 0.0f);
    return body;
}

mmd_phys_shape *made_shape(made_scene *made, mmd_phys_shape_kind kind, const float size[3], float x, float y,
                           float z)
{
    assert_true(made->scene.shape_count < MADE_SHAPES);
    mmd_phys_shape *shape = &made->shapes[made->scene.shape_count++];
    *shape = (mmd_phys_shape){.kind = (uint8_t)kind,
                              .solid = true,
                              .frame = identity,
                              .size = {size[0], size[1], size[2]},
                              .mesh = -1,
                              .filter = -1,
                              .name = "",
                              .path = ""};
    shape->frame.translation[0] = x;
    shape->frame.translation[1] = y;
    shape->frame.translation[2] = z;
    made->bodies[made->scene.body_count - 1].shape_count++;
    return shape;
}

mmd_phys_shape *made_first_shape(made_scene *made, const mmd_phys_body *body)
{
    return &made->shapes[body->first_shape];
}

static void place_frame(const made_scene *made, int32_t body, const mmd_transform *joint,
                        mmd_transform *frame)
{
    mmd_transform inverse = identity;
    if (body >= 0)
        mmd_transform_inverse(&made->bodies[body].rest, &inverse);
    mmd_transform_multiply(&inverse, joint, frame);
}

mmd_phys_joint *made_joint(made_scene *made, mmd_phys_joint_kind kind, int32_t body_a, int32_t body_b,
                           float x, float y, float z)
{
    assert_true(made->scene.joint_count < MADE_JOINTS);
    mmd_phys_joint *joint = &made->joints[made->scene.joint_count++];
    mmd_transform at = {{0.0f, 0.0f, 0.0f, 1.0f}, {x, y, z, 0.0f}};
    *joint = (mmd_phys_joint){
        .name = "", .path = "", .kind = (uint8_t)kind, .collide = true, .body_a = body_a, .body_b = body_b};
    place_frame(made, body_a, &at, &joint->frame_a);
    place_frame(made, body_b, &at, &joint->frame_b);
    return joint;
}

void made_destroy(made_scene *made, mmd_world *world)
{
    mmd_world_destroy(world);
    assert_int_equal(mmd_heap_blocks_in_use(), made->blocks_before);
    free(made);
}

int32_t made_filter(made_scene *made, uint8_t group, uint16_t mask)
{
    assert_true(made->scene.filter_count < MADE_SMALL);
    made->filters[made->scene.filter_count] = (mmd_phys_filter){.group = group, .mask = mask};
    return (int32_t)made->scene.filter_count++;
}

mmd_world *made_world(made_scene *made)
{
    mmd_error error = {.message = ""};
    if (mmd_physscene_check(&made->scene, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    const mmd_physscene *scenes[1] = {&made->scene};
    mmd_world *world = NULL;
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &made->settings, scenes, 1, &world, &error),
                     MMD_OK);
    return world;
}
