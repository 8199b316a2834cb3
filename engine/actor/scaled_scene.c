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

#include <string.h>

static void scale_all(float *values, int count, float factor)
{
    for (int k = 0; k < count; k++)
        values[k] *= factor;
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
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        scale_all(scene->shapes[i].frame.translation, 3, s);
        scale_all(scene->shapes[i].size, 3, s);
    }
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

static void scale_joints(mmd_physscene *scene, float s)
{
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        scale_all(scene->joints[j].frame_a.translation, 3, s);
        scale_all(scene->joints[j].frame_b.translation, 3, s);
        scale_pmx(&scene->joints[j], s);
    }
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
    float(*nodes)[3] = mmd_arena_alloc(arena, soft->node_count, sizeof *nodes);
    if (!nodes)
        return false;
    for (uint32_t n = 0; n < soft->node_count; n++)
        for (int k = 0; k < 3; k++)
            nodes[n][k] = soft->nodes[n][k] * s;
    soft->nodes = (const float(*)[3])nodes;
    soft->margin *= s;
    scale_coefficients(soft->config, s);
    return true;
}

bool scaled_scene(mmd_physscene *scene, float s)
{
    scale_bodies(scene, s);
    scale_joints(scene, s);
    for (uint32_t k = 0; k < scene->soft_body_count; k++)
        if (!scale_soft(&scene->soft_bodies[k], &scene->arena, s))
            return false;
    return true;
}
