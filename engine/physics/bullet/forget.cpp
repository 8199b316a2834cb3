/*
 * Bodies that were put somewhere, held or let go forget what they touched, and
 * their joints how often they turned. Many may at once, and each would look at
 * all pairs: so they are noted, and all pairs are looked at once, before
 * somebody asks for contacts.
 *
 * Done is it in the order in which they were noted, as if it had been done at
 * once: in what order contacts go decides in what order the others are solved.
 */
#include "world.hpp"

#include "axes_joint.hpp"

enum { NOT_NOTED = 0 };

struct forgetting {
    uint32_t order; /* of the body, and of its solid before its trigger */
    int pair;
};

bool forget_create(bullet_world &world)
{
    mmd_arena &arena = world.common->arena;
    uint32_t count = world.common->body_count;
    world.noted = static_cast<uint32_t *>(mmd_arena_alloc(&arena, count, sizeof(uint32_t)));
    world.noted_order = static_cast<uint32_t *>(mmd_arena_alloc(&arena, count, sizeof(uint32_t)));
    world.noted_joints = static_cast<bool *>(mmd_arena_alloc(&arena, count, sizeof(bool)));
    return world.noted && world.noted_order && world.noted_joints;
}

void body_forget_contacts(bullet_world &world, const bullet_body &body)
{
    uint32_t number = body.solid.number;
    if (world.noted_order[number] != NOT_NOTED)
        return;
    world.noted[world.noted_count++] = number;
    world.noted_order[number] = world.noted_count;
}

void body_forget_joints(bullet_world &world, const bullet_body &body)
{
    body_forget_contacts(world, body); /* it is noted with it */
    world.noted_joints[body.solid.number] = world.any_noted_joints = true;
}

/* ---------------------------------------------------------------- contacts */

/* 0: it is not to be forgotten. */
static uint32_t order_of(const bullet_world &world, const btBroadphaseProxy &proxy)
{
    const bullet_object *object = object_of(static_cast<btCollisionObject *>(proxy.m_clientObject));
    if (!object || !object->body)
        return 0;
    uint32_t order = world.noted_order[object->number];
    return order ? 2 * order + (object->kind == BULLET_TRIGGER) : 0;
}

/* The first of two at which the pair is met. */
static uint32_t first_order(uint32_t a, uint32_t b)
{
    return a && b ? btMin(a, b) : a | b;
}

static void forget_contacts(bullet_world &world)
{
    btOverlappingPairCache *cache = world.broadphase->getOverlappingPairCache();
    btBroadphasePairArray &pairs = cache->getOverlappingPairArray();
    btAlignedObjectArray<forgetting> found;
    for (int i = 0; i < pairs.size(); i++) {
        if (!pairs[i].m_algorithm)
            continue;
        uint32_t order =
            first_order(order_of(world, *pairs[i].m_pProxy0), order_of(world, *pairs[i].m_pProxy1));
        if (order)
            found.push_back({order, i});
    }
    found.heapSort([](const forgetting &a, const forgetting &b) {
        return a.order != b.order ? a.order < b.order : a.pair < b.pair;
    });
    for (int i = 0; i < found.size(); i++)
        cache->cleanOverlappingPair(pairs[found[i].pair], world.dispatcher);
}

/* ------------------------------------------------------------------ joints */

static bool joints_forgotten(const bullet_world &world, const btRigidBody &rigid)
{
    const bullet_object *object = object_of(&rigid);
    return object && object->body && world.noted_joints[object->number];
}

static void forget_joints(const bullet_world &world)
{
    for (int i = 0; i < world.axes_joints.size(); i++) {
        btTypedConstraint &constraint = *world.joints[world.axes_joints[i]].constraint;
        if (joints_forgotten(world, constraint.getRigidBodyA()) ||
            joints_forgotten(world, constraint.getRigidBodyB()))
            axes_joint_forget(constraint);
    }
}

void forget_now(bullet_world &world)
{
    if (!world.noted_count)
        return;
    heap_scope scope(world.heap);
    forget_contacts(world);
    if (world.any_noted_joints)
        forget_joints(world);
    for (uint32_t i = 0; i < world.noted_count; i++) {
        world.noted_order[world.noted[i]] = NOT_NOTED;
        world.noted_joints[world.noted[i]] = false;
    }
    world.noted_count = 0;
    world.any_noted_joints = false;
}
