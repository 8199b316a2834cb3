/*
 * Who collides with whom: decided when two bounds begin to overlap, and again
 * for each pair of children where a compound has shapes of several filters.
 *
 * The rules are mmd_physscene_collides'. Names of systems are compared as
 * texts where the two filters are of different scenes.
 */
#include "world.hpp"

#include <BulletCollision/CollisionDispatch/btCompoundCompoundCollisionAlgorithm.h>

#include <cstring>

/* ------------------------------------------------- filters of two scenes */

static bool names_meet(const mmd_physscene &scene_a, const uint32_t *a, uint32_t a_count,
                       const mmd_physscene &scene_b, const uint32_t *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t k = 0; k < b_count; k++)
            if (!std::strcmp(scene_a.system_names[a[i]], scene_b.system_names[b[k]]))
                return true;
    return false;
}

/* Whether filter, of scene, lets other, of other_scene, pass. */
static bool lets_pass(const mmd_physscene &scene, const mmd_phys_filter &filter,
                      const mmd_physscene &other_scene, const mmd_phys_filter &other)
{
    if (filter.named != other.named)
        return true;
    if (!filter.named)
        return (filter.mask >> other.group & 1) != 0;
    if (filter.has_collide_with && !names_meet(other_scene, other.systems, other.system_count, scene,
                                               filter.collide_with, filter.collide_count))
        return false;
    return !names_meet(other_scene, other.systems, other.system_count, scene, filter.not_collide_with,
                       filter.not_collide_count);
}

static bool filters_collide(const mmd_physscene *scene_a, int32_t a, const mmd_physscene *scene_b, int32_t b)
{
    if (scene_a == scene_b)
        return mmd_physscene_collides(scene_a, a, b);
    if (a < 0 || b < 0)
        return true;
    const mmd_phys_filter &filter_a = scene_a->filters[a], &filter_b = scene_b->filters[b];
    return lets_pass(*scene_a, filter_a, *scene_b, filter_b) &&
           lets_pass(*scene_b, filter_b, *scene_a, filter_a);
}

/* ---------------------------------------------------------- whole objects */

static bool is_new(const int32_t *filters, uint32_t count, int32_t filter)
{
    for (uint32_t i = 0; i < count; i++)
        if (filters[i] == filter)
            return false;
    return true;
}

/* One filter of groups alone is two numbers, which is all that PMX ever has. */
static void make_grouped(bullet_object &object, const mmd_physscene &scene)
{
    object.grouped = false;
    if (object.filter_count != 1 || object.filters[0] < 0)
        return;
    const mmd_phys_filter &filter = scene.filters[object.filters[0]];
    object.grouped = !filter.named;
    object.bits = 1u << filter.group;
    object.mask = filter.mask;
}

/* Fills in what the body's solid or trigger shapes, as one object, collide with. False: out of memory. */
bool object_make_filter(bullet_object &object, const mmd_physscene &scene, const mmd_phys_body &body,
                        bool of_triggers, mmd_arena &arena)
{
    auto *filters = static_cast<int32_t *>(mmd_arena_alloc(&arena, body.shape_count, sizeof(int32_t)));
    if (!filters)
        return false;
    uint32_t count = 0;
    for (uint32_t s = 0; s < body.shape_count; s++) {
        const mmd_phys_shape &shape = scene.shapes[body.first_shape + s];
        if (shape.solid && shape.trigger == of_triggers && is_new(filters, count, shape.filter))
            filters[count++] = shape.filter;
    }
    object.filters = filters;
    object.filter_count = count;
    make_grouped(object, scene);
    return true;
}

bool object_set_filter(bullet_object &object, int32_t filter, mmd_arena &arena)
{
    auto *filters = static_cast<int32_t *>(mmd_arena_alloc(&arena, 1, sizeof(int32_t)));
    if (!filters)
        return false;
    filters[0] = filter;
    object.filters = filters;
    object.filter_count = 1;
    make_grouped(object, *object.scene);
    return true;
}

static bool any_filters_collide(const bullet_object &a, const bullet_object &b)
{
    if (a.grouped && b.grouped)
        return (a.mask & b.bits) && (b.mask & a.bits);
    for (uint32_t i = 0; i < a.filter_count; i++)
        for (uint32_t k = 0; k < b.filter_count; k++)
            if (filters_collide(a.scene, a.filters[i], b.scene, b.filters[k]))
                return true;
    return false;
}

static bool are_kept_apart(const bullet_object &a, const bullet_object &b)
{
    if (!a.body || !b.body)
        return false;
    if (a.body == b.body)
        return true;
    for (uint32_t i = 0; i < a.body->apart_count; i++)
        if (a.body->apart[i] == b.number)
            return true;
    return false;
}

/* Whether something can come of the two touching at all. */
static bool pair_matters(const bullet_object &a, const bullet_object &b)
{
    if (a.kind == BULLET_TRIGGER || b.kind == BULLET_TRIGGER)
        return (a.kind == BULLET_SOLID || b.kind == BULLET_SOLID) && !(a.stays && b.stays);
    return a.can_move || b.can_move;
}

bool pair_filter::needBroadphaseCollision(btBroadphaseProxy *proxy_a, btBroadphaseProxy *proxy_b) const
{
    const bullet_object *a = object_of(static_cast<btCollisionObject *>(proxy_a->m_clientObject));
    const bullet_object *b = object_of(static_cast<btCollisionObject *>(proxy_b->m_clientObject));
    if (!a || !b || !pair_matters(*a, *b))
        return false;
    if (a->kind == BULLET_GROUND || b->kind == BULLET_GROUND)
        return (a->kind == BULLET_GROUND ? b : a)->filter_count > 0;
    return any_filters_collide(*a, *b) && !are_kept_apart(*a, *b);
}

/* Whether contacts may push it: it is neither static nor led, and its mass is finite. */
static bool can_be_pushed(const btCollisionObject *object)
{
    const btRigidBody *rigid = btRigidBody::upcast(object);
    return !object->isStaticOrKinematicObject() && (!rigid || !rigid->getLinearFactor().isZero());
}

/*
 * A pair was made for a body that may move; nothing comes of two that meet
 * while both are held or led, or have infinite masses, neither of which could
 * be in the way of the other.
 */
bool pair_dispatcher::needsCollision(const btCollisionObject *a, const btCollisionObject *b)
{
    if (!btCollisionDispatcher::needsCollision(a, b))
        return false;
    return can_be_pushed(a) || can_be_pushed(b) || !a->hasContactResponse() || !b->hasContactResponse();
}

/* ----------------------------------------------------- children of compounds */

static bool children_collide(const btCollisionShape *shape_a, const btCollisionShape *shape_b)
{
    auto *a = static_cast<const bullet_shape *>(shape_a->getUserPointer());
    auto *b = static_cast<const bullet_shape *>(shape_b->getUserPointer());
    return !a || !b || filters_collide(a->scene, a->source->filter, b->scene, b->source->filter);
}

/* Bullet's two hooks are the whole process's: set once, by whoever makes the first world. */
void filters_install()
{
    static const bool installed = [] {
        gCompoundChildShapePairCallback = children_collide;
        gCompoundCompoundChildShapePairCallback = children_collide;
        return true;
    }();
    static_cast<void>(installed);
}
