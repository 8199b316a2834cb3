/*
 * A physics scene in another size. An actor that is staged in another size is
 * simulated in that size, in the world where everybody stands: lengths are
 * larger, time and masses are the same, gravity is the world's. So a giant's
 * hair swings slowly, as a giant's does, and touches others where it is drawn.
 *
 * Torques grow with the square, as moments of inertia do. The springs of a PMX
 * joint are Bullet's: what they push with is a motor's bound and its speed at
 * once. Against angles the bound has to grow and the speed may not, so
 * angular_size tells the joint's maker (mmd_phys_joint).
 */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

static void scale_all(float *values, int count, float factor)
{
    for (int k = 0; k < count; k++)
        values[k] *= factor;
}

/* Puts a copy in the place of an array, which may be the model's. False: out of memory. */
static bool own(mmd_arena *arena, void *array, uint32_t count, size_t size)
{
    void *source, *copy = mmd_arena_alloc(arena, count, size);
    memcpy(&source, array, sizeof source);
    if (copy && count)
        memcpy(copy, source, count * size);
    memcpy(array, &copy, sizeof copy);
    return copy != NULL;
}

bool scene_own_all(mmd_physscene *s)
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

/* Points in another size. NULL: out of memory. */
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

/* PMX 2.1's kinds have other numbers in the same fields (MMD.md 1.1): of sliders lengths and forces in the
 * linear ones, speeds and torques in springs; of hinges and cones, motors. */
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

/* Forces grow with lengths, torques with their square; stiffness is force a unit, or torque a radian. */
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

/* Bullet's pressure is per volume, its conservation of volume pushes areas by volumes, and what air does
 * goes by areas and squares of speeds (btSoftBody.cpp of 3.24): each in the units in which it gives forces s
 * times as large. */
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

bool scaled_scene(mmd_physscene *scene, float s)
{
    assert(scene);
    if (!scene_own_all(scene))
        return false;
    scale_bodies(scene, s);
    scale_joints(scene, s);
    bool done = scale_shapes(scene, s) && scale_gravities(scene, s);
    for (uint32_t k = 0; done && k < scene->soft_body_count; k++)
        done = scale_soft(&scene->soft_bodies[k], &scene->arena, s);
    return done;
}
