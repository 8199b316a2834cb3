/*
 * Contacts, in the order of their processing: which pairs may collide, contacts of shapes with planes,
 * friction and restitution of contacts, and the contacts and trigger events of the last step.
 */
#include "world.hpp"

#include <BulletCollision/CollisionDispatch/btCompoundCompoundCollisionAlgorithm.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <cassert>
#include <cstring>

/* ================================================================== filters */

/*
 * Decides which objects collide: when two bounds begin to overlap, and again for each pair of children of
 * compounds with several filters.
 *
 * The rules are those of mmd_physscene_collides. Names of systems are compared as texts if the filters belong
 * to different scenes.
 */

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

/* Tests whether a filter allows collisions with another filter. */
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

/* A single filter by group is stored as two numbers. PMX has only such filters. */
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

/* Collects the filters of the body's solid or trigger shapes for one object. Returns false when out of
 * memory. */
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

/* Tests whether contact of two objects could have any effect. */
static bool pair_matters(const bullet_object &a, const bullet_object &b)
{
    if (a.kind == BULLET_TRIGGER || b.kind == BULLET_TRIGGER)
        return (a.kind == BULLET_SOLID || b.kind == BULLET_SOLID) && !(a.is_static && b.is_static);
    return a.can_move || b.can_move;
}

/* In MMD the ground is in group 15 and collides with all groups (docs/mmd.md 5.1). */
static bool touches_ground(const bullet_object &object)
{
    const uint32_t of_ground = 1u << 15;
    return object.filter_count &&
           (!object.grouped || !like_mmd(*object.world) || (object.mask & of_ground) != 0);
}

bool pair_filter::needBroadphaseCollision(btBroadphaseProxy *proxy_a, btBroadphaseProxy *proxy_b) const
{
    const bullet_object *a = object_of(static_cast<btCollisionObject *>(proxy_a->m_clientObject));
    const bullet_object *b = object_of(static_cast<btCollisionObject *>(proxy_b->m_clientObject));
    if (!a || !b || !pair_matters(*a, *b))
        return false;
    if (a->kind == BULLET_GROUND || b->kind == BULLET_GROUND)
        return touches_ground(a->kind == BULLET_GROUND ? *b : *a);
    return any_filters_collide(*a, *b) && !are_kept_apart(*a, *b);
}

/* Tests whether contacts can push an object: it is dynamic and its mass is finite. */
static bool can_be_pushed(const btCollisionObject *object)
{
    const btRigidBody *rigid = btRigidBody::upcast(object);
    return !object->isStaticOrKinematicObject() && (!rigid || !rigid->getLinearFactor().isZero());
}

/*
 * A pair exists because one of the bodies may be dynamic at times. No contact is computed while both are held
 * or driven, or have infinite masses, because neither can push the other.
 */
bool pair_dispatcher::needsCollision(const btCollisionObject *a, const btCollisionObject *b)
{
    assert(a && b);
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

/* Sets Bullet's two global hooks, once per process. */
void filters_install()
{
    static const bool installed = [] {
        gCompoundChildShapePairCallback = children_collide;
        gCompoundCompoundChildShapePairCallback = children_collide;
        return true;
    }();
    static_cast<void>(installed);
}

/* =================================================================== planes */

/*
 * Contacts of convex shapes with planes. Bullet's own algorithm finds only the lowest point in each step, so
 * that a box that lands upright rocks on its corners until it falls over. Here all touching corners are found
 * in one step.
 *
 * Of the points that are about to touch, at most four are used, the number that Bullet stores per pair: a
 * corner, the point farthest from it, the point farthest from the line through both, and the farthest one on
 * the other side of that line. They are chosen in the shape's own coordinates, so that a shape at rest keeps
 * its four points, and their impulses, from step to step. If a single point touches, it is bit for bit the
 * one that Bullet finds.
 */
namespace
{

/* A plane relative to a shape. */
struct seen_plane {
    const btStaticPlaneShape &shape;
    btTransform transform;  /* from the space of the shape to that of the plane */
    btVector3 toward, down; /* direction to the plane in the space of the shape; the same with length 1 */
    btScalar near;          /* height below which a point is about to touch */
};

/* Number of points on the rim of a cylinder's end. */
const int rim_points = 8;

/* Weight of the height against the distance in the choice of points. */
const btScalar per_height = 4;

btScalar height_of(const seen_plane &plane, const btVector3 &point)
{
    return plane.shape.getPlaneNormal().dot(plane.transform(point)) - plane.shape.getPlaneConstant();
}

/* Visits the rims of both ends: points fixed to the cylinder, and the lowest point unless it stands nearly
 * upright. */
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

/* Calls visit(point) with all points that the shape may rest on, its margin included. */
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

/* Finds the point about to touch with the best rating, minus a penalty for height. Returns false if none
 * is above `least`. */
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

/* Chooses points if more than four touch, as described above. Adds the lowest point if it is clearly
 * deeper than these. */
int choose(const btConvexShape &shape, const seen_plane &plane, const btVector3 &lowest, btVector3 chosen[5])
{
    assert(chosen);
    /* a direction not orthogonal to any usual face */
    const btVector3 askew(btScalar(0.61), btScalar(0.29), btScalar(0.74));
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

/* Finds the points that are about to touch and returns their number. */
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

class plane_contacts final : public manifold_contacts
{
  public:
    /* The plane is the second object of the manifold, because contact normals belong to the second one. */
    plane_contacts(const btCollisionAlgorithmConstructionInfo &info, const btCollisionObject *a,
                   const btCollisionObject *b, bool swapped)
        : manifold_contacts(info, swapped ? b : a, swapped ? a : b), swapped_(swapped)
    {
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
            btVector3 foot = seen.transform(points[i]) - height * plane.getPlaneNormal();
            result->addContactPoint(up, floor * foot, height);
        }
        if (owned_ && manifold_->getNumContacts())
            result->refreshContactPoints();
    }

  private:
    bool swapped_;
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

/* ================================================================ materials */

/*
 * Materials of shapes.
 *
 * Bullet multiplies the friction and the restitution of two objects. PMX has the same rule, so bodies whose
 * shapes all have one such material are left to Bullet. A callback sets the values of all other contacts when
 * they are created, from the shapes that touch.
 *
 * Bullet slows down a body that will touch within the step, and so reduces its bounce. Where a scene asks for
 * exact bounces, bodies with restitution are therefore left alone until they touch.
 *
 * Bullet has a single friction. If a contact has two, both are stored in its user data, and before each step
 * the one that fits its slip is set: Coulomb's law as KHR_physics_rigid_bodies defines it. A body that lands
 * slips as well, but sticks if static friction absorbs the slip during the landing. Otherwise a body released
 * slightly above a slope would never come to rest.
 */
namespace
{

/* Value of an object's second user index that marks its shapes as pointing at bullet_shapes. */
const int bound = 0x6d6d64;

/* Slip below 8 mm/s counts as rest. */
const btScalar at_rest = btScalar(0.1);

mmd_phys_material material_of(const mmd_physscene &scene, const mmd_phys_shape &shape)
{
    return shape.material < 0 ? mmd_default_phys_material() : scene.materials[shape.material];
}

/* Returns the material of a contact: that of its leaf shape (of which a triangle of a mesh is part), or
 * the object's own values. */
mmd_phys_material touching_material(const btCollisionObjectWrapper *wrap)
{
    assert(wrap);
    const btCollisionObject &object = *wrap->getCollisionObject();
    for (; wrap && object.getUserIndex2() == bound; wrap = wrap->m_parent) {
        auto *leaf = static_cast<const bullet_shape *>(wrap->getCollisionShape()->getUserPointer());
        if (leaf)
            return material_of(*leaf->scene, *leaf->source);
    }
    mmd_phys_material own = mmd_default_phys_material();
    own.static_friction = own.dynamic_friction = object.getFriction();
    own.restitution = object.getRestitution();
    const bullet_object *known = object_of(&object);
    if (known && known->kind == BULLET_GROUND && like_mmd(*known->world))
        own.restitution = 0; /* MMD's ground bounces by PMX's rule alone */
    return own;
}

btScalar combine(btScalar a, btScalar b, uint8_t mode_a, uint8_t mode_b)
{
    switch (btMax(mode_a, mode_b)) {
    case MMD_COMBINE_MULTIPLY:
        return a * b;
    case MMD_COMBINE_MAXIMUM:
        return btMax(a, b);
    case MMD_COMBINE_MINIMUM:
        return btMin(a, b);
    default:
        return (a + b) / 2;
    }
}

btVector3 velocity_at(const btCollisionObject *object, const btVector3 &point)
{
    const btRigidBody *body = btRigidBody::upcast(object);
    return body ? body->getVelocityInLocalPoint(point - body->getCenterOfMassPosition()) : btVector3(0, 0, 0);
}

/*
 * Sets the friction of a contact with two frictions, by its slip. The friction at rest and that in motion are
 * stored where Bullet has velocities of a contact, which it reads only with
 * SOLVER_ENABLE_FRICTION_DIRECTION_CACHING.
 */
void choose_friction(const btCollisionObject *a, const btCollisionObject *b, btManifoldPoint &point)
{
    btScalar at_rest_friction = point.m_contactMotion1, in_motion = point.m_contactMotion2;
    if (at_rest_friction == in_motion)
        return;
    btVector3 slip =
        velocity_at(a, point.getPositionWorldOnA()) - velocity_at(b, point.getPositionWorldOnB());
    btScalar landing = -slip.dot(point.m_normalWorldOnB);
    slip += point.m_normalWorldOnB * landing;
    btScalar held = btMax(at_rest, landing * at_rest_friction);
    point.m_combinedFriction = slip.length2() < held * held ? at_rest_friction : in_motion;
}

/* Sets the material of a contact. Called for new points and for those that are found again. */
bool contact_added(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                   const btCollisionObjectWrapper *b, int, int)
{
    assert(a && b);
    const btCollisionObject *object_a = a->getCollisionObject(), *object_b = b->getCollisionObject();
    if (object_a->getUserIndex2() != bound && object_b->getUserIndex2() != bound)
        return false;
    mmd_phys_material of_a = touching_material(a), of_b = touching_material(b);
    uint8_t mode_a = of_a.friction_combine, mode_b = of_b.friction_combine;
    point.m_contactMotion1 = combine(of_a.static_friction, of_b.static_friction, mode_a, mode_b);
    point.m_contactMotion2 = combine(of_a.dynamic_friction, of_b.dynamic_friction, mode_a, mode_b);
    point.m_combinedFriction = point.m_contactMotion2;
    point.m_combinedRestitution =
        combine(of_a.restitution, of_b.restitution, of_a.restitution_combine, of_b.restitution_combine);
    choose_friction(object_a, object_b, point);
    return false;
}

/* Tests whether Bullet's own rule is correct for a material. */
bool is_plain(const mmd_phys_material &material)
{
    return material.friction_combine == MMD_COMBINE_MULTIPLY &&
           material.restitution_combine == MMD_COMBINE_MULTIPLY &&
           material.static_friction == material.dynamic_friction;
}

bool all_are_plain(const mmd_physscene &scene, const mmd_phys_body &body)
{
    const mmd_phys_shape *shapes = scene.shapes + body.first_shape;
    for (uint32_t i = 0; i < body.shape_count; i++) {
        if (shapes[i].material != shapes[0].material || !is_plain(material_of(scene, shapes[i])))
            return false;
    }
    return true;
}

/* Tests whether any shape of the body has restitution. */
bool bounces(const mmd_physscene &scene, const mmd_phys_body &body)
{
    for (uint32_t i = 0; i < body.shape_count; i++) {
        if (material_of(scene, scene.shapes[body.first_shape + i]).restitution > 0)
            return true;
    }
    return false;
}

bool is_bound(const btPersistentManifold &manifold)
{
    return manifold.getBody0()->getUserIndex2() == bound || manifold.getBody1()->getUserIndex2() == bound;
}

} // namespace

void materials_install()
{
    static const bool installed = [] {
        gContactAddedCallback = contact_added;
        return true;
    }();
    static_cast<void>(installed);
}

void materials_bind(btCollisionObject &object, const mmd_physscene &scene, const mmd_phys_body &body,
                    bool exact_restitution)
{
    if (body.shape_count == 0)
        return;
    mmd_phys_material first = material_of(scene, scene.shapes[body.first_shape]);
    object.setFriction(first.dynamic_friction);
    object.setRestitution(first.restitution);
    object.setUserIndex2(bound);
    if (exact_restitution && bounces(scene, body))
        object.setContactProcessingThreshold(0);
    if (!all_are_plain(scene, body))
        object.setCollisionFlags(object.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
}

void materials_update(btDispatcher &dispatcher)
{
    for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
        btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
        if (!is_bound(*manifold))
            continue;
        for (int k = 0; k < manifold->getNumContacts(); k++)
            choose_friction(manifold->getBody0(), manifold->getBody1(), manifold->getContactPoint(k));
    }
}

bool materials_differ(const mmd_physscene &scene)
{
    for (uint32_t i = 0; i < scene.material_count; i++) {
        if (scene.materials[i].static_friction != scene.materials[i].dynamic_friction)
            return true;
    }
    return false;
}

/* ============================================================= what touched */

static void put(const btVector3 &v, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = v[k];
}

/* Converts a contact. The ground is always B. */
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
    assert(common);
    assert(contacts || max == 0);
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

/* Returns the row of a trigger. Rows are in ascending order of the bodies. */
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

static void record_touch(bullet_world &world, const btPersistentManifold &manifold)
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
        record_touch(world, *world.dispatcher->getManifoldByIndexInternal(m));
}

/* Writes the events of 32 bodies with one trigger and returns their number. */
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
    assert(common);
    assert(events || max == 0);
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
