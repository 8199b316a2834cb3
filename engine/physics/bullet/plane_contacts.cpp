/*
 * See plane_contacts.hpp. Of the points of a shape that are about to touch, at
 * most four are taken, which is what Bullet keeps of a pair: a corner, the one
 * farthest from it, the farthest from the line of both, and the farthest on
 * that line's other side. The choice is made in the shape's own coordinates,
 * so that a shape at rest keeps its four points, and with them the impulses
 * that bear it, from step to step. Where one point touches, it is the one that
 * Bullet finds, to the last bit.
 */
#include "plane_contacts.hpp"

#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>

namespace
{

/* A plane as a shape sees it. */
struct seen_plane {
    const btStaticPlaneShape &shape;
    btTransform place;      /* of the other shape, as the plane sees it */
    btVector3 toward, down; /* to the plane as the shape sees it; and of length 1 */
    btScalar near;          /* what is lower than this is about to touch */
};

/* Points of the rim of a cylinder's end. */
const int rim_points = 8;

/* How far along the shape a point may be had for being so much lower. */
const btScalar per_height = 4;

btScalar height_of(const seen_plane &plane, const btVector3 &point)
{
    return plane.shape.getPlaneNormal().dot(plane.place(point)) - plane.shape.getPlaneConstant();
}

/* The rim of both ends: its lowest point, or, where it stands nearly flat, points that turn with it. */
template <typename visitor>
void each_of_cylinder(const btCylinderShape &cylinder, const seen_plane &plane, const visitor &visit)
{
    const btVector3 size = cylinder.getHalfExtentsWithMargin();
    const btVector3 &down = plane.down;
    btScalar radius = size.x(), lean = btSqrt(down.x() * down.x() + down.z() * down.z());
    bool flat = 4 * radius * lean < plane.near;
    for (int end = 0; end < 2; end++) {
        btScalar y = end ? size.y() : -size.y();
        if (!flat)
            visit(btVector3(down.x() / lean * radius, y, down.z() / lean * radius));
        for (int i = 0; i < rim_points; i++) {
            btScalar turn = SIMD_2_PI * btScalar(i) / btScalar(rim_points);
            visit(btVector3(radius * btCos(turn), y, radius * btSin(turn)));
        }
    }
}

/* Calls visit(point) with all points that the shape may stand on, its margin included. */
template <typename visitor>
void each_point(const btConvexShape &shape, const seen_plane &plane, const visitor &visit)
{
    switch (shape.getShapeType()) {
    case BOX_SHAPE_PROXYTYPE: {
        const auto &box = static_cast<const btBoxShape &>(shape);
        const btVector3 half = box.getHalfExtentsWithMargin();
        for (int i = 0; i < 8; i++)
            visit(btVector3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                            i & 4 ? half.z() : -half.z()));
        return;
    }
    case CONVEX_HULL_SHAPE_PROXYTYPE: {
        const auto &hull = static_cast<const btConvexHullShape &>(shape);
        for (int i = 0; i < hull.getNumPoints(); i++)
            visit(hull.getScaledPoint(i) + plane.down * hull.getMargin());
        return;
    }
    case CAPSULE_SHAPE_PROXYTYPE: {
        const auto &capsule = static_cast<const btCapsuleShape &>(shape);
        btVector3 end(0, 0, 0);
        end[capsule.getUpAxis()] = capsule.getHalfHeight();
        visit(end + plane.down * capsule.getRadius());
        visit(-end + plane.down * capsule.getRadius());
        return;
    }
    case MULTI_SPHERE_SHAPE_PROXYTYPE: {
        const auto &balls = static_cast<const btMultiSphereShape &>(shape);
        for (int i = 0; i < balls.getSphereCount(); i++)
            visit(balls.getSpherePosition(i) + plane.down * balls.getSphereRadius(i));
        return;
    }
    case CYLINDER_SHAPE_PROXYTYPE:
        each_of_cylinder(static_cast<const btCylinderShape &>(shape), plane, visit);
        return;
    default:
        visit(shape.localGetSupportingVertex(plane.toward));
    }
}

/* Of all points that are about to touch the one for which rate(point) is most, but for being low; false: for
 * none is it over `least`. */
template <typename rating>
bool find_best(const btConvexShape &shape, const seen_plane &plane, const rating &rate, btScalar least,
               btVector3 &best)
{
    bool found = false;
    btScalar most = 0;
    each_point(shape, plane, [&](const btVector3 &point) {
        btScalar height = height_of(plane, point), rated = height < plane.near ? rate(point) : 0;
        if (height >= plane.near || rated <= least || (found && rated - per_height * height <= most))
            return;
        found = true;
        most = rated - per_height * height;
        best = point;
    });
    return found;
}

/* Of more than four that touch: see above. The lowest is put last where it lies notably deeper than these. */
int choose(const btConvexShape &shape, const seen_plane &plane, const btVector3 &lowest, btVector3 chosen[5])
{
    const btVector3 askew(btScalar(0.61), btScalar(0.29), btScalar(0.74)); /* no face lies across it */
    const btScalar any = -BT_LARGE_FLOAT, some = plane.near * btScalar(0.01);
    int count = 1;
    if (!find_best(
            shape, plane, [&](const btVector3 &p) { return askew.dot(p); }, any, chosen[0]))
        chosen[0] = lowest;
    const btVector3 &first = chosen[0], &second = chosen[1];
    auto aside = [&](const btVector3 &p) {
        return plane.down.dot((second - first).cross(p - first)) / (second - first).length();
    };
    if (find_best(
            shape, plane, [&](const btVector3 &p) { return (p - first).length(); }, some, chosen[1])) {
        count++;
        for (btScalar side = -1; side <= 1; side += 2)
            count += find_best(
                shape, plane, [&](const btVector3 &p) { return side * aside(p); }, some, chosen[count]);
    }
    btScalar deepest = plane.near;
    for (int i = 0; i < count; i++)
        deepest = btMin(deepest, height_of(plane, chosen[i]));
    if (height_of(plane, lowest) < deepest - plane.near * btScalar(0.1))
        chosen[count++] = lowest;
    return count;
}

/* The points that are about to touch; returned is how many. */
int touching_points(const btConvexShape &shape, const seen_plane &plane, btVector3 points[5])
{
    int near = 0;
    btVector3 lowest(0, 0, 0);
    btScalar least = plane.near;
    each_point(shape, plane, [&](const btVector3 &point) {
        btScalar height = height_of(plane, point);
        if (height < plane.near && near++ < 4)
            points[near - 1] = point;
        if (height < least) {
            least = height;
            lowest = point;
        }
    });
    return near <= 4 ? near : choose(shape, plane, lowest, points);
}

class plane_contacts final : public btCollisionAlgorithm
{
  public:
    /* The plane is the second of the manifold's two: normals of contacts stand on the second. */
    plane_contacts(const btCollisionAlgorithmConstructionInfo &info, const btCollisionObject *a,
                   const btCollisionObject *b, bool swapped)
        : btCollisionAlgorithm(info), manifold_(info.m_manifold), owned_(!info.m_manifold), swapped_(swapped)
    {
        if (owned_)
            manifold_ = m_dispatcher->getNewManifold(swapped ? b : a, swapped ? a : b);
    }

    ~plane_contacts() override
    {
        if (owned_)
            m_dispatcher->releaseManifold(manifold_);
    }

    void processCollision(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
                          const btDispatcherInfo &, btManifoldResult *result) override
    {
        const btCollisionObjectWrapper &convex = swapped_ ? *b : *a, &flat = swapped_ ? *a : *b;
        const auto &shape = *static_cast<const btConvexShape *>(convex.getCollisionShape());
        const auto &plane = *static_cast<const btStaticPlaneShape *>(flat.getCollisionShape());
        const btTransform &floor = flat.getWorldTransform();
        seen_plane seen = {
            plane, floor.inverse() * convex.getWorldTransform(),
            (convex.getWorldTransform().inverse() * floor).getBasis() * -plane.getPlaneNormal(),
            btVector3(0, 0, 0),
            manifold_->getContactBreakingThreshold() + result->m_closestPointDistanceThreshold};
        seen.down = seen.toward.normalized();
        result->setPersistentManifold(manifold_);
        btVector3 points[5], up = floor.getBasis() * plane.getPlaneNormal();
        int count = touching_points(shape, seen, points);
        for (int i = 0; i < count; i++) {
            btScalar height = height_of(seen, points[i]);
            btVector3 foot = seen.place(points[i]) - height * plane.getPlaneNormal();
            result->addContactPoint(up, floor * foot, height);
        }
        if (owned_ && manifold_->getNumContacts())
            result->refreshContactPoints();
    }

    btScalar calculateTimeOfImpact(btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                                   btManifoldResult *) override
    {
        return 1;
    }

    void getAllContactManifolds(btManifoldArray &manifolds) override
    {
        if (owned_)
            manifolds.push_back(manifold_);
    }

  private:
    btPersistentManifold *manifold_;
    bool owned_, swapped_;
};

struct create_plane_contacts final : btCollisionAlgorithmCreateFunc {
    explicit create_plane_contacts(bool swapped) { m_swapped = swapped; }
    btCollisionAlgorithm *CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                   const btCollisionObjectWrapper *a,
                                                   const btCollisionObjectWrapper *b) override
    {
        void *memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(plane_contacts));
        return new (memory) plane_contacts(info, a->getCollisionObject(), b->getCollisionObject(), m_swapped);
    }
};

} // namespace

btCollisionAlgorithmCreateFunc *plane_contacts_for(int type_a, int type_b)
{
    static create_plane_contacts straight(false), swapped(true);
    if (btBroadphaseProxy::isConvex(type_a) && type_b == STATIC_PLANE_PROXYTYPE)
        return &straight;
    if (type_a == STATIC_PLANE_PROXYTYPE && btBroadphaseProxy::isConvex(type_b))
        return &swapped;
    return nullptr;
}
