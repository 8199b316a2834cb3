/*
 * The last look at a glTF's physics before its places in the file are
 * forgotten: numbers that are finite in the file and no longer in our units,
 * or too large for a solver (mmd/physscene.h), are refused where they stand.
 */
#include <math.h>

#include "physics.h"

static const float length_most = MMD_PHYS_LENGTH_MOST, mass_most = MMD_PHYS_MASS_MOST,
                   inertia_most = MMD_PHYS_INERTIA_MOST, gain_most = MMD_PHYS_GAIN_MOST;

/* What is looked at, and the first number that is too large. */
typedef struct bounds {
    const char *what; /* NULL: none so far */
    float value;
} bounds;

static void within(bounds *found, const float *numbers, uint32_t count, float most, const char *what)
{
    for (uint32_t i = 0; i < count && !found->what; i++)
        if (!(fabsf(numbers[i]) <= most))
            *found = (bounds){what, numbers[i]};
}

static void look_at_shape(const mmd_phys_shape *shape, bounds *found)
{
    within(found, shape->size, 3, length_most, "a shape's size");
    within(found, shape->frame.translation, 3, length_most, "a shape's place");
}

static void look_at_body(const mmd_physscene *scene, const mmd_phys_body *body, bounds *found)
{
    within(found, body->rest.translation, 3, length_most, "a body's place");
    within(found, body->linear_velocity, 3, length_most, "a velocity");
    within(found, body->angular_velocity, 3, length_most, "an angular velocity");
    within(found, body->center, 3, length_most, "a centre of mass");
    within(found, body->inertia, 3, inertia_most, "an inertia");
    within(found, &body->mass, 1, mass_most, "a mass");
    within(found, &body->gravity_factor, 1, mass_most, "a gravity factor");
    for (uint32_t i = 0; i < body->shape_count; i++)
        look_at_shape(&scene->shapes[body->first_shape + i], found);
}

static void look_at_joint(const mmd_physscene *scene, const mmd_phys_joint *joint, bounds *found)
{
    within(found, joint->frame_a.translation, 3, length_most, "a joint's place");
    within(found, joint->frame_b.translation, 3, length_most, "a joint's place");
    for (uint32_t i = 0; i < joint->limit_count; i++) {
        const mmd_phys_limit *limit = &scene->limits[joint->first_limit + i];
        within(found, &limit->min, 1, gain_most, "a limit");
        within(found, &limit->max, 1, gain_most, "a limit");
        within(found, &limit->stiffness, 1, gain_most, "a limit's stiffness");
        within(found, &limit->damping, 1, gain_most, "a limit's damping");
    }
    for (uint32_t i = 0; i < joint->drive_count; i++) {
        const mmd_phys_drive *drive = &scene->drives[joint->first_drive + i];
        within(found, &drive->position_target, 1, gain_most, "a drive's target");
        within(found, &drive->velocity_target, 1, gain_most, "a drive's target");
        within(found, &drive->stiffness, 1, gain_most, "a drive's stiffness");
        within(found, &drive->damping, 1, gain_most, "a drive's damping");
    }
}

/* The place of what is in a node's extensions. */
static mmd_status say(const phys_reader *reader, const bounds *found, int32_t node)
{
    phys_spot spot;
    if (!found->what)
        return MMD_OK;
    phys_spot_of(reader, (uint32_t)node, reader->extension, &spot);
    return json_spot_fail(&reader->file->reader, spot.physics.value ? &spot.physics : &spot.node,
                          MMD_ERROR_VALUE, "%s of %g (8 cm, kg, s) is more than can be simulated",
                          found->what, (double)found->value);
}

mmd_status phys_check_bounds(const phys_reader *reader)
{
    const scene_maker *maker = &reader->maker;
    const mmd_physscene *scene = &maker->scene;
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i < scene->body_count && !status; i++) {
        bounds found = {0};
        look_at_body(scene, &scene->bodies[i], &found);
        status = say(reader, &found, maker->body_items[i].node);
    }
    for (uint32_t i = 0; i < scene->joint_count && !status; i++) {
        bounds found = {0};
        look_at_joint(scene, &scene->joints[i], &found);
        status = say(reader, &found, maker->joint_items[i].node);
    }
    bounds gravity = {0};
    within(&gravity, scene->world.gravity, 3, length_most, "gravity");
    if (gravity.what && !status)
        status =
            json_spot_fail(&reader->file->reader, &reader->extensions, MMD_ERROR_VALUE,
                           "gravity of %g units/s^2 is more than can be simulated", (double)gravity.value);
    return status;
}
