/*
 * Contacts of a sphere, a box and a capsule with one of another kind as Bullet 2.75 finds them (docs/mmd.md
 * 5.2), for worlds like MMD's.
 */
#include "world.hpp"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace
{

/* ---------------------------------------------------------- closest points */

/*
 * A shape without its margin. Bullet 2.75 gives a capsule the margin of all other shapes, so that its core is
 * a thinner capsule; in Bullet 3 the core is a line.
 */
struct core {
    const btConvexShape &shape;
    const btTransform &place;
    btScalar margin;

    explicit core(const btCollisionObjectWrapper &object)
        : shape(*static_cast<const btConvexShape *>(object.getCollisionShape())),
          place(object.getWorldTransform()),
          margin(is_capsule() ? CONVEX_DISTANCE_MARGIN : shape.getMarginNonVirtual())
    {
    }

    bool is_capsule() const { return shape.getShapeType() == CAPSULE_SHAPE_PROXYTYPE; }

    /* Returns the farthest point in a direction, relative to the shape, in the world's axes. */
    btVector3 farthest(const btVector3 &direction) const
    {
        btVector3 local = direction * place.getBasis();
        if (!is_capsule())
            return place.getBasis() * shape.localGetSupportVertexWithoutMarginNonVirtual(local);
        const auto &capsule = static_cast<const btCapsuleShape &>(shape);
        local = local.length2() < btScalar(0.0001) ? btVector3(1, 0, 0) : local.normalized();
        btVector3 end(0, 0, 0);
        end[capsule.getUpAxis()] =
            local[capsule.getUpAxis()] < 0 ? -capsule.getHalfHeight() : capsule.getHalfHeight();
        return place.getBasis() * (end + local * (capsule.getRadius() - margin));
    }
};

/* The closest points of two shapes: that on B, and the direction and distance from there to that on A. */
struct closest {
    bool found = false;
    btVector3 normal, on_b;
    btScalar distance = 0;
};

/* Finds the closest points of overlapping shapes (EPA). Takes them only if they are deeper than what is
 * known. */
void find_depth(const core &a, const core &b, const btTransform &at_a, const btTransform &at_b,
                closest &known)
{
    btGjkEpaSolver2::sResults deep;
    const btVector3 guess = at_a.getOrigin() - at_b.getOrigin();
    if (btGjkEpaSolver2::Penetration(&a.shape, at_a, &b.shape, at_b, guess, deep)) {
        btVector3 apart = deep.witnesses[1] - deep.witnesses[0];
        btScalar depth = apart.length();
        btVector3 normal = depth > SIMD_EPSILON ? apart / depth : deep.normal;
        if (normal.length2() <= SIMD_EPSILON * SIMD_EPSILON || (known.found && -depth >= known.distance))
            return;
        known = {true, normal, deep.witnesses[1], -depth};
    } else if (btGjkEpaSolver2::Distance(&a.shape, at_a, &b.shape, at_b, guess, deep)) {
        btScalar margins = a.shape.getMarginNonVirtual() + b.shape.getMarginNonVirtual();
        btScalar distance = (deep.witnesses[0] - deep.witnesses[1]).length() - margins;
        if (deep.normal.length2() <= 0 || (known.found && distance >= known.distance))
            return;
        known = {true, deep.normal, deep.witnesses[1] + deep.normal * b.shape.getMarginNonVirtual(),
                 distance};
    }
}

/*
 * Finds the closest points by GJK on the cores, and by EPA where these overlap. When GJK ends decides the
 * normal's third digit, because the cores of capsules are round.
 */
closest find_closest(const core &a, const core &b, btScalar reach)
{
    const btScalar nothing = btScalar(1e-6);
    const btVector3 middle = (a.place.getOrigin() + b.place.getOrigin()) * btScalar(0.5);
    btTransform at_a = a.place, at_b = b.place;
    at_a.setOrigin(at_a.getOrigin() - middle);
    at_b.setOrigin(at_b.getOrigin() - middle);

    btVoronoiSimplexSolver simplex;
    simplex.setEqualVertexThreshold(0);
    simplex.reset();
    btVector3 axis(0, 1, 0);
    btScalar squared = BT_LARGE_FLOAT;
    bool usable = true, degenerate = false;
    for (int i = 0; i < 1000; i++) {
        btVector3 on_a = a.farthest(-axis) + at_a.getOrigin(), on_b = b.farthest(axis) + at_b.getOrigin();
        btVector3 between = on_a - on_b;
        btScalar along = axis.dot(between);
        if (along > 0 && along * along > squared * reach * reach)
            break;
        degenerate = simplex.inSimplex(between) || squared - along <= 0;
        if (degenerate || squared - along <= squared * nothing)
            break;
        simplex.addVertex(between, on_a, on_b);
        btVector3 nearer;
        degenerate = !simplex.closest(nearer);
        if (degenerate)
            break;
        degenerate = nearer.length2() < nothing;
        if (degenerate) {
            axis = nearer;
            break;
        }
        degenerate = nearer.length2() > squared;
        if (degenerate) {
            usable = false;
            break;
        }
        btScalar before = squared;
        squared = nearer.length2();
        axis = nearer;
        if (before - squared <= SIMD_EPSILON * before)
            break;
        if (simplex.fullSimplex()) {
            usable = false;
            break;
        }
    }

    closest found;
    if (usable) {
        btVector3 on_a, on_b;
        simplex.compute_points(on_a, on_b);
        btScalar length = axis.length();
        degenerate = degenerate || axis.length2() < btScalar(0.0001);
        if (length > SIMD_EPSILON)
            found = {true, (on_a - on_b) / length, on_b + axis * (b.margin / btSqrt(squared)),
                     length - a.margin - b.margin};
    }
    if (!found.found || (degenerate && found.distance + a.margin + b.margin < btScalar(0.01)))
        find_depth(a, b, at_a, at_b, found);
    found.on_b += middle;
    return found;
}

/* --------------------------------------------------------------- algorithm */

class old_contacts final : public manifold_contacts
{
  public:
    using manifold_contacts::manifold_contacts;

    void processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
                          const btDispatcherInfo &, btManifoldResult *result) override
    {
        result->setPersistentManifold(manifold_);
        const core core_a(*a), core_b(*b);
        btScalar reach = core_a.margin + core_b.margin + manifold_->getContactBreakingThreshold();
        closest found = find_closest(core_a, core_b, reach);
        if (found.found)
            result->addContactPoint(found.normal, found.on_b, found.distance);
        if (owned_)
            result->refreshContactPoints();
    }
};

struct create_old_contacts final : btCollisionAlgorithmCreateFunc {
    btCollisionAlgorithm *CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                   const btCollisionObjectWrapper *a,
                                                   const btCollisionObjectWrapper *b) override
    {
        void *memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(old_contacts));
        return new (memory) old_contacts(info, a->getCollisionObject(), b->getCollisionObject());
    }
};

bool is_simple(int type)
{
    return type == SPHERE_SHAPE_PROXYTYPE || type == BOX_SHAPE_PROXYTYPE || type == CAPSULE_SHAPE_PROXYTYPE;
}

} // namespace

btCollisionAlgorithmCreateFunc *old_contacts_for(int type_a, int type_b)
{
    static create_old_contacts create;
    return is_simple(type_a) && is_simple(type_b) && type_a != type_b ? &create : nullptr;
}
