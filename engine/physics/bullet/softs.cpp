/* Where the world's soft bodies (soft_contacts.hpp) are made, stepped and saved. */
#include "world.hpp"

static bool describe(bullet_world &world, uint32_t number)
{
    mmd_world &common = *world.common;
    bullet_object &object = world.soft_objects[number];
    object.kind = BULLET_SOFT;
    object.world = &world;
    object.scene = common.scenes[common.softs[number].scene];
    object.number = number;
    object.can_move = true;
    return object_set_filter(object, common.softs[number].source->filter, common.arena);
}

/* The rigid bodies of all scenes by number, for anchors; each scene's soft bodies see their own run of it. */
static btRigidBody **list_rigids(const bullet_world &world)
{
    mmd_world &common = *world.common;
    void *memory = mmd_arena_alloc(&common.arena, common.body_count, sizeof(btRigidBody *));
    auto **rigids = static_cast<btRigidBody **>(memory);
    for (uint32_t b = 0; rigids && b < common.body_count; b++)
        rigids[b] = world.bodies[b].rigid;
    return rigids;
}

bool softs_create(bullet_world &world)
{
    mmd_world &common = *world.common;
    if (!world.soft_dynamics)
        return true;
    btRigidBody **rigids = list_rigids(world);
    void *objects = mmd_arena_alloc(&common.arena, common.soft_count, sizeof(bullet_object));
    void *softs = mmd_arena_alloc(&common.arena, common.soft_count, sizeof(soft_body *));
    if (!rigids || !objects || !softs)
        return false;
    world.soft_objects = static_cast<bullet_object *>(objects);
    world.softs = static_cast<soft_body **>(softs);
    soft_bodies_begin(rigids, common.body_count);
    world.soft_dynamics->setGravity(to_bullet(common.settings.gravity));
    for (uint32_t s = 0; s < common.soft_count; s++) {
        if (!describe(world, s))
            return false;
        uint32_t first_body = common.first_body[common.softs[s].scene];
        world.softs[s] = soft_body_create(world.soft_dynamics, &common.softs[s], rigids + first_body, 1, -1);
        if (soft_body_object(world.softs[s]))
            soft_body_object(world.softs[s])->setUserPointer(&world.soft_objects[s]);
    }
    return true;
}

void softs_destroy(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        soft_body_destroy(world.softs[s]);
}

void softs_before_step(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        soft_body_before_step(world.softs[s], world.common->dt);
}

void softs_after_step(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        world.common->softs[s].lost = soft_body_after_step(world.softs[s]);
}

void softs_add(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        soft_body_add(world.softs[s]);
}

void softs_remove(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        soft_body_remove(world.softs[s]);
}

size_t softs_state_size(const bullet_world &world)
{
    size_t size = 0;
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        size += soft_body_state_size(world.softs[s]);
    return size;
}

uint8_t *softs_save(const bullet_world &world, uint8_t *state)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++) {
        soft_body_save(world.softs[s], state);
        state += soft_body_state_size(world.softs[s]);
    }
    return state;
}

const uint8_t *softs_restore(bullet_world &world, const uint8_t *state)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++) {
        soft_body_restore(world.softs[s], state);
        state += soft_body_state_size(world.softs[s]);
    }
    return state;
}
