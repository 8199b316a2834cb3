/*
 * Snapshots and the canonical rebuild. Bullet's internal state besides transforms and velocities (bounds, the
 * pairs and their order, the contacts' caches) is not saved. Restoring removes everything from the world and
 * adds it again in order, with empty caches, so that the result depends on the saved state alone.
 */
#include "world.hpp"

#include <cassert>
#include <cstring>

/* Bullet's own values of a moving body, which the world's arrays do not hold exactly. */
struct body_state {
    btScalar basis[9], origin[3], linear[3], angular[3], sleepy_for;
    int32_t activation;
};

size_t world_state_size(const mmd_world *common)
{
    assert(common);
    const bullet_world &world = *static_cast<const bullet_world *>(common->impl);
    return static_cast<size_t>(world.movers.size()) * sizeof(body_state) + joints_state_size(world) +
           softs_state_size(world) +
           static_cast<size_t>(world.sensors.size()) * world.touch_words * sizeof(uint32_t);
}

static void put(const btVector3 &v, btScalar out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = v[k];
}

static body_state save_body(const btRigidBody &rigid)
{
    body_state state;
    for (int row = 0; row < 3; row++)
        put(rigid.getWorldTransform().getBasis()[row], state.basis + 3 * row);
    put(rigid.getWorldTransform().getOrigin(), state.origin);
    put(rigid.getLinearVelocity(), state.linear);
    put(rigid.getAngularVelocity(), state.angular);
    state.sleepy_for = rigid.getDeactivationTime();
    state.activation = rigid.getActivationState();
    return state;
}

void world_save(const mmd_world *common, uint8_t *state)
{
    assert(common);
    bullet_world &world = *static_cast<bullet_world *>(common->impl);
    forget_now(world);
    for (int i = 0; i < world.movers.size(); i++, state += sizeof(body_state)) {
        body_state saved = save_body(*world.bodies[world.movers[i]].rigid);
        std::memcpy(state, &saved, sizeof saved);
    }
    state = softs_save(world, joints_save(world, state));
    std::memcpy(state, world.touching,
                static_cast<size_t>(world.sensors.size()) * world.touch_words * sizeof(uint32_t));
}

/* ---------------------------------------------------------------- restoring */

static void restore_body(btRigidBody &rigid, const body_state &state)
{
    const btScalar *m = state.basis;
    btTransform transform(btMatrix3x3(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]),
                          to_bullet(state.origin));
    rigid.setLinearVelocity(to_bullet(state.linear));
    rigid.setAngularVelocity(to_bullet(state.angular));
    rigid.setCenterOfMassTransform(transform);
    rigid.setInterpolationWorldTransform(transform);
    rigid.clearForces();
    rigid.forceActivationState(state.activation);
    rigid.setDeactivationTime(state.sleepy_for);
}

/* Gives access to protected members of Bullet's world. */
struct world_insides : btDiscreteDynamicsWorld {
    static void empty(btDiscreteDynamicsWorld &world)
    {
        btCollisionObjectArray &objects = world.getCollisionObjectArray();
        for (int i = 0; i < objects.size(); i++) {
            objects[i]->setBroadphaseHandle(nullptr);
            objects[i]->setWorldArrayIndex(-1);
        }
        objects.resizeNoInitialize(0);
        (world.*(&world_insides::m_constraints)).resizeNoInitialize(0);
        (world.*(&world_insides::m_nonStaticRigidBodies)).resizeNoInitialize(0);
    }
};

/* Empties the world at once, in linear time. */
void world_clear(bullet_world &world)
{
    softs_remove(world);
    world.broadphase->clear(world.dispatcher);
    world_insides::empty(*world.dynamics);
}

static void put_in(bullet_world &world)
{
    if (world.common->settings.ground)
        world.dynamics->addRigidBody(world.ground, 1, -1);
    for (uint32_t b = 0; b < world.common->body_count; b++)
        body_add(world, world.bodies[b]);
    softs_add(world);
    for (uint32_t j = 0; j < world.common->joint_count; j++)
        if (world.joints[j].constraint)
            world.dynamics->addConstraint(world.joints[j].constraint);
}

/* Resets marks of islands and solver, which also start again. */
static void clear_marks(btRigidBody &rigid)
{
    rigid.setCompanionId(-1);
    rigid.setIslandTag(-1);
    rigid.setHitFraction(1);
}

void world_fill(bullet_world &world)
{
    world.broadphase->resetPool(world.dispatcher);
    world.solver->reset();
    for (uint32_t b = 0; b < world.common->body_count; b++)
        if (world.bodies[b].rigid)
            clear_marks(*world.bodies[b].rigid);
    put_in(world);
}

void world_restore(mmd_world *common, const uint8_t *state)
{
    assert(common);
    bullet_world &world = *static_cast<bullet_world *>(common->impl);
    heap_scope scope(world.heap);
    forget_now(world);
    world_clear(world);
    if (world.soft_dynamics)
        world.soft_dynamics->setGravity(to_bullet(common->settings.gravity));
    bodies_apply_held(world);
    for (uint32_t b = 0; b < common->body_count; b++)
        if (world.bodies[b].rigid)
            body_set_from_arrays(world, b);
    for (int i = 0; i < world.movers.size(); i++, state += sizeof(body_state)) {
        bullet_body &body = world.bodies[world.movers[i]];
        body_state saved;
        std::memcpy(&saved, state, sizeof saved);
        body_set_gravity(world, body);
        restore_body(*body.rigid, saved);
    }
    state = softs_restore(world, joints_restore(world, state));
    size_t touch_bytes = static_cast<size_t>(world.sensors.size()) * world.touch_words * sizeof(uint32_t);
    std::memcpy(world.touching, state, touch_bytes);
    std::memcpy(world.touched, state, touch_bytes);
    world_fill(world);
}
