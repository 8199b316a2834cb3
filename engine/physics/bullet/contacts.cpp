/* What touches what: contacts of the last step, and what entered and left triggers. */
#include "world.hpp"

#include <cstring>

static void put(const btVector3 &v, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = v[k];
}

/* The ground is always B. */
static mmd_contact make_contact(const bullet_object &a, const bullet_object &b, const btManifoldPoint &point)
{
    bool swapped = a.kind == BULLET_GROUND;
    mmd_contact contact = mmd_contact();
    contact.body_a = swapped ? b.number : a.number;
    contact.body_b = swapped ? a.number : b.number;
    put(swapped ? point.getPositionWorldOnA() : point.getPositionWorldOnB(), contact.position);
    put(swapped ? -point.m_normalWorldOnB : point.m_normalWorldOnB, contact.normal);
    contact.depth = -point.getDistance();
    contact.impulse = point.getAppliedImpulse();
    return contact;
}

static bool is_rigid_contact(const bullet_object *a, const bullet_object *b)
{
    return a && b && (a->kind == BULLET_SOLID || a->kind == BULLET_GROUND) &&
           (b->kind == BULLET_SOLID || b->kind == BULLET_GROUND);
}

size_t world_contacts(const mmd_world *common, mmd_contact *contacts, size_t max)
{
    bullet_world &world = *static_cast<bullet_world *>(common->impl);
    size_t count = 0;
    forget_now(world);
    for (int m = 0; m < world.dispatcher->getNumManifolds(); m++) {
        const btPersistentManifold *manifold = world.dispatcher->getManifoldByIndexInternal(m);
        const bullet_object *a = object_of(manifold->getBody0()), *b = object_of(manifold->getBody1());
        if (!is_rigid_contact(a, b))
            continue;
        for (int p = 0; p < manifold->getNumContacts(); p++, count++)
            if (count < max)
                contacts[count] = make_contact(*a, *b, manifold->getContactPoint(p));
    }
    return count;
}

/* --------------------------------------------------------------- triggers */

static size_t touch_size(const bullet_world &world)
{
    return static_cast<size_t>(world.sensors.size()) * world.touch_words;
}

bool touches_create(bullet_world &world)
{
    world.touch_words = (world.common->body_count + 31) / 32;
    mmd_arena &arena = world.common->arena;
    world.touching = static_cast<uint32_t *>(mmd_arena_alloc(&arena, touch_size(world), sizeof(uint32_t)));
    world.touched = static_cast<uint32_t *>(mmd_arena_alloc(&arena, touch_size(world), sizeof(uint32_t)));
    return world.touching && world.touched;
}

/* Which row is the trigger's; they are in ascending order. */
static uint32_t row_of(const bullet_world &world, uint32_t number)
{
    return static_cast<uint32_t>(world.sensors.findBinarySearch(number));
}

bool is_touching(const bullet_world &world, uint32_t trigger, uint32_t number)
{
    if (!world.bodies[trigger].sensor)
        return false;
    return world.touching[row_of(world, trigger) * world.touch_words + number / 32] >> number % 32 & 1;
}

static bool touches(const btPersistentManifold &manifold)
{
    for (int p = 0; p < manifold.getNumContacts(); p++)
        if (manifold.getContactPoint(p).getDistance() <= 0)
            return true;
    return false;
}

static void note(bullet_world &world, const btPersistentManifold &manifold)
{
    const bullet_object *a = object_of(manifold.getBody0()), *b = object_of(manifold.getBody1());
    if (!a || !b || !touches(manifold))
        return;
    if (b->kind == BULLET_TRIGGER)
        btSwap(a, b);
    if (a->kind == BULLET_TRIGGER && b->kind == BULLET_SOLID)
        world.touching[row_of(world, a->number) * world.touch_words + b->number / 32] |= 1u << b->number % 32;
}

void touches_update(bullet_world &world)
{
    if (!world.sensors.size())
        return;
    btSwap(world.touching, world.touched);
    std::memset(world.touching, 0, touch_size(world) * sizeof(uint32_t));
    for (int m = 0; m < world.dispatcher->getNumManifolds(); m++)
        note(world, *world.dispatcher->getManifoldByIndexInternal(m));
}

/* Writes the events of 32 bodies with one trigger; returns how many they are. */
static size_t write_events(uint32_t trigger, uint32_t first, uint32_t now, uint32_t before,
                           mmd_trigger_event *events, size_t room)
{
    size_t count = 0;
    for (uint32_t changed = now ^ before, bit = 0; changed >> bit; bit++) {
        if (!(changed >> bit & 1))
            continue;
        if (count < room)
            events[count] = {trigger, first + bit, (now >> bit & 1) != 0};
        count++;
        if (bit == 31)
            break;
    }
    return count;
}

size_t world_trigger_events(const mmd_world *common, mmd_trigger_event *events, size_t max)
{
    const bullet_world &world = *static_cast<const bullet_world *>(common->impl);
    size_t count = 0;
    for (size_t i = 0; i < touch_size(world); i++) {
        if (world.touching[i] == world.touched[i])
            continue;
        uint32_t row = static_cast<uint32_t>(i / world.touch_words);
        uint32_t first = static_cast<uint32_t>(i % world.touch_words) * 32;
        count +=
            write_events(world.sensors[static_cast<int>(row)], first, world.touching[i], world.touched[i],
                         count < max ? events + count : events, count < max ? max - count : 0);
    }
    return count;
}
