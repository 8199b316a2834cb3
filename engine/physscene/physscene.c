/* The physics scene: defaults and lifetime. */
#include "mmd/physscene.h"

void mmd_physscene_destroy(mmd_physscene *scene)
{
    if (!scene)
        return;
    mmd_arena arena = scene->arena;
    *scene = (mmd_physscene){0};
    mmd_arena_finish(&arena);
}

mmd_phys_world mmd_default_phys_world(void)
{
    return (mmd_phys_world){.gravity = {0.0f, -98.0f, 0.0f},
                            .ground = true,
                            .ground_friction = 0.5f,
                            .rate = 60,
                            .iterations = 10,
                            .joint_erp = 0.475f,
                            .joint_lever = MMD_LEVER_OWN,
                            .damping = MMD_DAMPING_ADDITIONAL,
                            .extras = ""};
}

/* 9.80665 m/s^2 in units of 8 cm. */
static const float gltf_gravity = 9.80665f / 0.08f;

mmd_phys_world mmd_default_gltf_world(void)
{
    return (mmd_phys_world){.gravity = {0.0f, -gltf_gravity, 0.0f},
                            .ground_friction = 0.6f,
                            .rate = 240,
                            .iterations = 50,
                            .joint_erp = 0.2f,
                            .joint_lever = MMD_LEVER_OWN,
                            .damping = MMD_DAMPING_PLAIN,
                            .exact_restitution = true,
                            .extras = ""};
}

mmd_phys_material mmd_default_phys_material(void)
{
    return (mmd_phys_material){.static_friction = 0.6f, .dynamic_friction = 0.6f, .name = ""};
}
