/*
 * A model's rigid bodies and joints as a physics scene (MMD.md 5.2 to 5.4).
 * Body and joint i of the scene are body and joint i of the model; each body
 * has one shape, and equal materials and filters are made once.
 *
 * What cannot be simulated stays in its place, disabled, with numbers that do
 * no harm: the scene of every model passes mmd_physscene_check.
 */
#include "physics_scene.h"

#include <assert.h>
#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float at_least_0(float value)
{
    return value > 0.0f ? value : 0.0f;
}

static const mmd_transform no_transform = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};

static mmd_transform rest_of(const float position[3], const float rotation[3])
{
    mmd_transform rest = no_transform;
    memcpy(rest.translation, position, 3 * sizeof(float));
    mmd_rotation_yxz(rotation, rest.rotation);
    return rest;
}

static bool usable_body(const mmd_rigid_body *body)
{
    const float rest[5] = {body->mass, body->linear_damping, body->angular_damping, body->restitution,
                           body->friction};
    return physics_usable_length(body->size, 3) && physics_usable_length(body->position, 3) &&
           physics_usable(body->rotation, 3) && physics_usable(rest, 5);
}

/* PMX's modes: a body that follows its bone has to have one, and so has one that keeps its bone's place. */
static uint8_t motion_of(const mmd_rigid_body *body)
{
    bool bone = body->bone >= 0;
    switch (body->mode) {
    case 0:
        return bone ? MMD_PHYS_KINEMATIC : MMD_PHYS_STATIC;
    case 2:
        return bone ? MMD_PHYS_DYNAMIC_BONE : MMD_PHYS_DYNAMIC;
    default:
        return MMD_PHYS_DYNAMIC;
    }
}

static mmd_phys_body make_body(const mmd_rigid_body *body, uint32_t index, bool usable)
{
    mmd_phys_body made = {.name = body->name,
                          .path = "",
                          .motion = motion_of(body),
                          .disabled = !usable,
                          .auto_inertia = true,
                          .rest = no_transform,
                          .bone = body->bone,
                          .inertia_rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                          .gravity_factor = 1.0f,
                          .first_shape = index,
                          .shape_count = 1};
    if (!usable)
        return made;
    made.rest = rest_of(body->position, body->rotation);
    made.mass = at_least_0(body->mass);
    made.linear_damping = body->linear_damping;
    made.angular_damping = body->angular_damping;
    return made;
}

/* How many numbers of a shape's size say something, by PMX's number of the shape: MMD.md 5.2. */
static const uint8_t kinds[3] = {MMD_PHYS_SPHERE, MMD_PHYS_BOX, MMD_PHYS_CAPSULE};
static const uint8_t size_counts[3] = {1, 3, 2};

static mmd_phys_shape make_shape(const mmd_rigid_body *body, bool usable)
{
    assert(body->shape <= 2);
    mmd_phys_shape made = {.kind = kinds[body->shape],
                           .solid = usable,
                           .frame = no_transform,
                           .mesh = -1,
                           .material = -1,
                           .filter = -1,
                           .name = "",
                           .path = ""};
    for (uint8_t i = 0; usable && i < size_counts[body->shape]; i++) {
        made.size[i] = at_least_0(body->size[i]);
        made.solid = made.solid && made.size[i] > 0.0f;
    }
    if (made.kind == MMD_PHYS_CAPSULE)
        made.size[2] = made.size[0];
    return made;
}

static void make_bodies(const mmd_model *model, distinct *filters, distinct *materials, mmd_physscene *scene)
{
    for (uint32_t i = 0; i < model->body_count; i++) {
        const mmd_rigid_body *body = &model->bodies[i];
        bool usable = usable_body(body);
        scene->bodies[i] = make_body(body, i, usable);
        scene->shapes[i] = make_shape(body, usable);
        scene->shapes[i].filter = physics_filter(filters, body->group, body->mask);
        if (!usable)
            continue;
        distinct_key key = {{bits_of(body->friction), bits_of(body->restitution), 0}};
        scene->shapes[i].material = (int32_t)distinct_number(materials, key);
    }
}

static bool usable_joint(const mmd_joint *joint, const mmd_physscene *scene)
{
    int32_t a = joint->body_a, b = joint->body_b;
    if (a < 0 || b < 0 || a == b || scene->bodies[a].disabled || scene->bodies[b].disabled)
        return false;
    const float *const numbers[8] = {joint->position,      joint->rotation,      joint->linear_lower,
                                     joint->linear_upper,  joint->angular_lower, joint->angular_upper,
                                     joint->linear_spring, joint->angular_spring};
    for (int i = 0; i < 8; i++) {
        if (!physics_usable(numbers[i], 3))
            return false;
    }
    return physics_usable_length(joint->position, 3);
}

static void copy_numbers(const mmd_joint *joint, mmd_pmx_joint *pmx)
{
    memcpy(pmx->linear_lower, joint->linear_lower, sizeof pmx->linear_lower);
    memcpy(pmx->linear_upper, joint->linear_upper, sizeof pmx->linear_upper);
    memcpy(pmx->angular_lower, joint->angular_lower, sizeof pmx->angular_lower);
    memcpy(pmx->angular_upper, joint->angular_upper, sizeof pmx->angular_upper);
    memcpy(pmx->linear_spring, joint->linear_spring, sizeof pmx->linear_spring);
    memcpy(pmx->angular_spring, joint->angular_spring, sizeof pmx->angular_spring);
}

/* The joint's place as a body at rest sees it. */
static mmd_transform seen_from(const mmd_phys_body *body, const mmd_transform *place)
{
    mmd_transform frame;
    mmd_transform_inverse(&body->rest, &frame);
    mmd_transform_multiply(&frame, place, &frame);
    return frame;
}

static mmd_phys_joint make_joint(const mmd_joint *joint, const mmd_physscene *scene)
{
    mmd_phys_joint made = {.name = joint->name,
                           .path = "",
                           .kind = joint->kind, /* the enum begins with PMX's numbers */
                           .collide = true,     /* the masks alone decide */
                           .disabled = !usable_joint(joint, scene),
                           .body_a = joint->body_a,
                           .body_b = joint->body_b,
                           .frame_a = no_transform,
                           .frame_b = no_transform};
    if (made.disabled)
        return made;
    mmd_transform place = rest_of(joint->position, joint->rotation);
    made.frame_a = seen_from(&scene->bodies[joint->body_a], &place);
    made.frame_b = seen_from(&scene->bodies[joint->body_b], &place);
    copy_numbers(joint, &made.pmx);
    return made;
}

static void write_filters(const distinct *table, mmd_phys_filter *filters)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const uint32_t *word = table->keys[i].word;
        filters[i] = (mmd_phys_filter){.group = (uint8_t)word[0], .mask = (uint16_t)word[1]};
    }
}

static void write_materials(const distinct *table, mmd_phys_material *materials)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const uint32_t *word = table->keys[i].word;
        float friction = at_least_0(float_of(word[0]));
        materials[i] = (mmd_phys_material){.static_friction = friction,
                                           .dynamic_friction = friction,
                                           .restitution = at_least_0(float_of(word[1])),
                                           .friction_combine = MMD_COMBINE_MULTIPLY,
                                           .restitution_combine = MMD_COMBINE_MULTIPLY,
                                           .name = ""};
    }
}

static bool allocate(const mmd_model *model, mmd_physscene *scene)
{
    mmd_arena *arena = &scene->arena;
    scene->bodies = mmd_arena_alloc(arena, model->body_count, sizeof *scene->bodies);
    scene->shapes = mmd_arena_alloc(arena, model->body_count, sizeof *scene->shapes);
    scene->joints = mmd_arena_alloc(arena, model->joint_count, sizeof *scene->joints);
    scene->soft_bodies = mmd_arena_alloc(arena, model->soft_body_count, sizeof *scene->soft_bodies);
    scene->body_count = scene->shape_count = model->body_count;
    scene->joint_count = model->joint_count;
    scene->soft_body_count = model->soft_body_count;
    return scene->bodies && scene->shapes && scene->joints && scene->soft_bodies;
}

static bool fill(const mmd_model *model, distinct *filters, distinct *materials, mmd_physscene *scene)
{
    if (!allocate(model, scene))
        return false;
    make_bodies(model, filters, materials, scene);
    for (uint32_t i = 0; i < model->joint_count; i++)
        scene->joints[i] = make_joint(&model->joints[i], scene);
    if (!physics_scene_soft_bodies(model, filters, scene))
        return false;
    scene->filters = mmd_arena_alloc(&scene->arena, filters->count, sizeof *scene->filters);
    scene->materials = mmd_arena_alloc(&scene->arena, materials->count, sizeof *scene->materials);
    if (!scene->filters || !scene->materials)
        return false;
    scene->filter_count = filters->count;
    scene->material_count = materials->count;
    write_filters(filters, scene->filters);
    write_materials(materials, scene->materials);
    return true;
}

mmd_status mmd_model_physscene(const mmd_model *model, mmd_physscene *scene, mmd_error *error)
{
    assert(model && scene);
    if (model->physscene) {
        *scene = *model->physscene;
        scene->arena = (mmd_arena){0};
        return MMD_OK;
    }
    *scene = (mmd_physscene){.world = mmd_default_phys_world()};
    distinct filters = {0}, materials = {0};
    bool done = distinct_init(&filters, model->body_count + model->soft_body_count) &&
                distinct_init(&materials, model->body_count) && fill(model, &filters, &materials, scene);
    distinct_finish(&filters);
    distinct_finish(&materials);
    if (done)
        return MMD_OK;
    mmd_physscene_destroy(scene);
    return mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET,
                         "no memory for %u bodies and %u joints", model->body_count, model->joint_count);
}
