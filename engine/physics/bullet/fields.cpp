/*
 * Gravity fields on the bodies of their scene (../gravity.h): before each step
 * every body gets the acceleration at its centre of mass. It is inside of a
 * field if it touched the field's trigger in the last step.
 */
#include "world.hpp"

#include "../gravity.h"

static uint32_t most_fields(const mmd_world &common)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < common.scene_count; s++)
        most = btMax(most, common.scenes[s]->gravity_count);
    return most;
}

/* An order for each scene, one after another, and room for one body's list of what it is inside of. */
bool fields_create(bullet_world &world)
{
    mmd_world &common = *world.common;
    uint32_t total = 0;
    for (uint32_t s = 0; s < common.scene_count; s++)
        total += common.scenes[s]->gravity_count;
    world.has_fields = total > 0;
    auto *order = static_cast<uint32_t *>(mmd_arena_alloc(&common.arena, total, sizeof(uint32_t)));
    world.inside = static_cast<uint8_t *>(mmd_arena_alloc(&common.arena, most_fields(common), 1));
    world.field_order = order;
    if (!order || !world.inside)
        return false;
    for (uint32_t s = 0; s < common.scene_count; s++) {
        mmd_gravity_order(common.scenes[s], order);
        order += common.scenes[s]->gravity_count;
    }
    return true;
}

static void list_inside(bullet_world &world, const mmd_physscene &scene, uint32_t first_body, uint32_t number)
{
    for (uint32_t g = 0; g < scene.gravity_count; g++) {
        int32_t body = scene.gravities[g].body;
        world.inside[g] = body >= 0 && is_touching(world, first_body + static_cast<uint32_t>(body), number);
    }
}

void fields_apply(bullet_world &world)
{
    const mmd_world &common = *world.common;
    const uint32_t *order = world.field_order;
    uint32_t scene_number = 0;
    for (int i = 0; world.has_fields && i < world.movers.size(); i++) {
        uint32_t number = world.movers[i];
        for (; scene_number < common.body_scene[number]; scene_number++)
            order += common.scenes[scene_number]->gravity_count;
        const mmd_physscene &scene = *common.scenes[scene_number];
        const bullet_body &body = world.bodies[number];
        if (!scene.gravity_count || common.held[number])
            continue;
        uint32_t first_body = common.first_body[scene_number];
        list_inside(world, scene, first_body, number);
        const btVector3 &center = body.rigid->getWorldTransform().getOrigin();
        const float point[3] = {center.x(), center.y(), center.z()};
        float acceleration[3];
        mmd_gravity_at(&scene, order, common.transforms + first_body, world.inside, common.settings.gravity,
                       point, acceleration);
        body.rigid->setGravity(to_bullet(acceleration) * body.source->gravity_factor);
    }
}
