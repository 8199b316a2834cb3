/*
 * Skips pairs of bodies whose bounds overlap and whose shapes are clearly apart: nine in ten of a dancer's
 * pairs of a box and a capsule, for which Bullet would run GJK to find no contact. A plane between both
 * shapes is proof; its directions are guessed, which makes the test cheap (S. Gottschalk, "Separating axis
 * theorem", 1996). The proof has a margin above the rounding of both computations, so that only pairs are
 * skipped in which Bullet finds nothing.
 *
 * A pair is not skipped while it has contacts, or before Bullet has seen it once, because the order in which
 * manifolds are created is that in which contacts are solved.
 */
#include "world.hpp"

#include <cassert>

namespace
{

/* A box, a capsule or a sphere: half an extent along each of three orthogonal axes, and a radius around that.
 */
struct core {
    const btTransform &frame;
    btVector3 half;
    btScalar radius;
};

bool has_core(const btCollisionShape &shape)
{
    int type = shape.getShapeType();
    return type == BOX_SHAPE_PROXYTYPE || type == CAPSULE_SHAPE_PROXYTYPE || type == SPHERE_SHAPE_PROXYTYPE;
}

core core_of(const btCollisionObject &object)
{
    const btCollisionShape &shape = *object.getCollisionShape();
    core made = {object.getWorldTransform(), btVector3(0, 0, 0), 0};
    assert(has_core(shape));
    if (shape.getShapeType() == BOX_SHAPE_PROXYTYPE) {
        made.half = static_cast<const btBoxShape &>(shape).getHalfExtentsWithMargin();
    } else if (shape.getShapeType() == CAPSULE_SHAPE_PROXYTYPE) {
        const auto &capsule = static_cast<const btCapsuleShape &>(shape);
        made.half[capsule.getUpAxis()] = capsule.getHalfHeight();
        made.radius = capsule.getRadius();
    } else {
        made.radius = static_cast<const btSphereShape &>(shape).getRadius();
    }
    return made;
}

/* Returns the extent of a core without its radius along a direction, in units of the direction's length. */
btScalar extent(const core &c, const btVector3 &direction)
{
    const btMatrix3x3 &axes = c.frame.getBasis();
    return c.half.x() * btFabs(axes.tdotx(direction)) + c.half.y() * btFabs(axes.tdoty(direction)) +
           c.half.z() * btFabs(axes.tdotz(direction));
}

/* Tests whether a plane across the direction separates two cores by more than `apart`, radii included. */
bool separates(const core &a, const core &b, const btVector3 &between, const btVector3 &direction,
               btScalar apart)
{
    btScalar gap = btFabs(between.dot(direction)) - extent(a, direction) - extent(b, direction);
    return gap > 0 && gap * gap > apart * apart * direction.length2();
}

/* Returns the point of a core, without its radius, that is closest to a point: relative to the core's center.
 */
btVector3 closest(const core &c, const btVector3 &point)
{
    btVector3 local = point * c.frame.getBasis();
    for (int k = 0; k < 3; k++)
        local[k] = btMax(-c.half[k], btMin(c.half[k], local[k]));
    return c.frame.getBasis() * local;
}

/* Tests whether two cores are farther apart than `reach`. */
bool are_apart(const core &a, const core &b, btScalar reach)
{
    const btVector3 &at = a.frame.getOrigin(), &other = b.frame.getOrigin();
    btVector3 between = other - at;
    btScalar size =
        a.radius + b.radius + a.half.x() + a.half.y() + a.half.z() + b.half.x() + b.half.y() + b.half.z();
    btScalar far =
        btMax(at.absolute()[at.absolute().maxAxis()], other.absolute()[other.absolute().maxAxis()]);
    btScalar apart = a.radius + b.radius + reach + size * btScalar(1e-3) + far * btScalar(1e-5);
    if (separates(a, b, between, between, apart))
        return true;
    /* From the points of both that are closest to the other's center, alternately. */
    btVector3 on_a = closest(a, between);
    for (int i = 0; i < 2; i++) {
        btVector3 on_b = closest(b, on_a - between) + between;
        if (separates(a, b, between, on_b - on_a, apart))
            return true;
        on_a = closest(a, on_b);
        if (separates(a, b, between, on_b - on_a, apart))
            return true;
    }
    return false;
}

/* Stores the manifold of a pair that Bullet has seen in the pair, whose algorithm it belongs to. */
void remember_manifold(btBroadphasePair &pair)
{
    btManifoldArray manifolds;
    if (pair.m_algorithm)
        pair.m_algorithm->getAllContactManifolds(manifolds);
    pair.m_internalInfo1 = manifolds.size() == 1 ? manifolds[0] : nullptr;
}

} // namespace

void pair_collide(btBroadphasePair &pair, btCollisionDispatcher &dispatcher, const btDispatcherInfo &info)
{
    assert(pair.m_pProxy0 && pair.m_pProxy1);
    const auto &a = *static_cast<const btCollisionObject *>(pair.m_pProxy0->m_clientObject);
    const auto &b = *static_cast<const btCollisionObject *>(pair.m_pProxy1->m_clientObject);
    bool have_cores = has_core(*a.getCollisionShape()) && has_core(*b.getCollisionShape());
    auto *manifold =
        static_cast<const btPersistentManifold *>(pair.m_algorithm ? pair.m_internalInfo1 : nullptr);
    if (have_cores && manifold && !manifold->getNumContacts() &&
        are_apart(core_of(a), core_of(b), manifold->getContactBreakingThreshold()))
        return;
    btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
    if (have_cores && !manifold)
        remember_manifold(pair);
}
