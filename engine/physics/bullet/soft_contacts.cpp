/*
 * Contacts of soft bodies, and the order in which they are solved.
 *
 * Bullet tests nodes against rigid bodies in a grid of sampled distances with a cell size of a quarter of a
 * unit, which is coarse for MMD's thin bodies and allocates memory for every new cell. Here spheres, boxes,
 * capsules and planes have exact distances; other convex shapes use Bullet's grid with smaller cells. The
 * contact itself is that of Bullet 3.24 (btSoftColliders::CollideSDF_RS).
 *
 * Bullet removes a node's approach and additionally pushes it out by its depth, so that a node under its own
 * weight is thrown as high as it fell in the step and trembles for ever, by 0.03 units with MMD's gravity.
 * Here it is put on the surface and gains no speed from that (solveConstraints).
 *
 * Bullet's trees order nodes by memory addresses, so the order of results differs between runs. Nodes are
 * therefore tested in their order, and contacts between soft bodies and of clusters are sorted before they
 * are solved.
 */
#include "world.hpp"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletSoftBody/btSoftBodyInternals.h>
#include <cassert>

enum {
    COLLECT_EVERY = 64,
    COLLECT_AFTER = 8
}; /* steps between collections; rounds without use after which a cell
      is freed */

static const float grid_width = 0.1f; /* size of a grid cell, units */

/* -------------------------------------------------------------- distances */

static btScalar sphere_distance(const btVector3 &from_center, btScalar radius, btVector3 &normal)
{
    btScalar length = from_center.length();
    normal = length > SIMD_EPSILON ? from_center / length : btVector3(0, 1, 0);
    return length - radius;
}

static btScalar capsule_distance(const btCapsuleShape *shape, const btVector3 &point, btVector3 &normal)
{
    int axis = shape->getUpAxis();
    btScalar half = shape->getHalfHeight();
    btVector3 nearest(0, 0, 0);
    nearest[axis] = btMax(-half, btMin(half, point[axis]));
    return sphere_distance(point - nearest, shape->getRadius(), normal);
}

static btScalar box_distance(const btBoxShape *shape, const btVector3 &point, btVector3 &normal)
{
    btVector3 half = shape->getHalfExtentsWithMargin(), outside(0, 0, 0);
    int nearest = 0;
    for (int k = 0; k < 3; k++) {
        btScalar beyond = btFabs(point[k]) - half[k];
        if (beyond > 0)
            outside[k] = point[k] < 0 ? -beyond : beyond;
        if (beyond > btFabs(point[nearest]) - half[nearest])
            nearest = k;
    }
    if (outside.length2() > 0)
        return sphere_distance(outside, 0, normal);
    normal.setZero();
    normal[nearest] = point[nearest] < 0 ? btScalar(-1) : btScalar(1);
    return btFabs(point[nearest]) - half[nearest];
}

static btScalar plane_distance(const btStaticPlaneShape *shape, const btVector3 &point, btVector3 &normal)
{
    normal = shape->getPlaneNormal();
    return point.dot(normal) - shape->getPlaneConstant();
}

/* Returns the distance of a point in the shape's frame, negative inside, and its normal. */
static btScalar shape_distance(btSoftBody *soft, const btCollisionShape *shape, const btVector3 &point,
                               btVector3 &normal)
{
    switch (shape->getShapeType()) {
    case SPHERE_SHAPE_PROXYTYPE:
        return sphere_distance(point, static_cast<const btSphereShape *>(shape)->getRadius(), normal);
    case CAPSULE_SHAPE_PROXYTYPE:
        return capsule_distance(static_cast<const btCapsuleShape *>(shape), point, normal);
    case BOX_SHAPE_PROXYTYPE:
        return box_distance(static_cast<const btBoxShape *>(shape), point, normal);
    case STATIC_PLANE_PROXYTYPE:
        return plane_distance(static_cast<const btStaticPlaneShape *>(shape), point, normal);
    default:
        return soft->m_worldInfo->m_sparsesdf.Evaluate(point, shape, normal, 0);
    }
}

/* --------------------------------------------------------------- contacts */

static void add_contact(btSoftBody *soft, btSoftBody::Node *node, const btCollisionObject *object,
                        const btVector3 &normal, btScalar distance)
{
    const btRigidBody *rigid = btRigidBody::upcast(object);
    btScalar inverse_mass = rigid ? rigid->getInvMass() : 0;
    if (node->m_im + inverse_mass <= 0)
        return;
    btMatrix3x3 inverse_inertia(0, 0, 0, 0, 0, 0, 0, 0, 0);
    btVector3 arm = node->m_x - object->getWorldTransform().getOrigin(), motion(0, 0, 0);
    if (rigid) {
        inverse_inertia = rigid->getInvInertiaTensorWorld();
        motion = rigid->getVelocityInLocalPoint(arm) * soft->m_sst.sdt;
    }
    btVector3 slip = node->m_x - node->m_q - motion;
    btScalar approach = slip.dot(normal);
    slip -= normal * approach;
    btScalar friction = soft->m_cfg.kDF * object->getFriction();
    btSoftBody::RContact contact;
    contact.m_cti.m_colObj = object;
    contact.m_cti.m_normal = normal;
    contact.m_cti.m_offset = -normal.dot(node->m_x - normal * distance);
    contact.t1.setZero(); /* used for multibodies only */
    contact.t2.setZero();
    contact.m_node = node;
    contact.m_c0 = ImpulseMatrix(soft->m_sst.sdt, node->m_im, inverse_mass, inverse_inertia, arm);
    contact.m_c1 = arm;
    contact.m_c2 = node->m_im * soft->m_sst.sdt;
    contact.m_c3 = slip.length2() < approach * friction * approach * friction ? 0 : 1 - friction;
    contact.m_c4 = object->isStaticOrKinematicObject() ? soft->m_cfg.kKHR : soft->m_cfg.kCHR;
    soft->m_rcontacts.push_back(contact);
}

static void collide_nodes(btSoftBody *soft, const btCollisionObjectWrapper *other)
{
    const btCollisionObject *object = other->getCollisionObject();
    const btCollisionShape *shape = other->getCollisionShape();
    const btTransform &transform = other->getWorldTransform();
    btScalar margin = soft->getCollisionShape()->getMargin();
    btVector3 low, high, reach(margin, margin, margin);
    shape->getAabb(transform, low, high);
    low -= reach;
    high += reach;
    int before = soft->m_rcontacts.size();
    for (int i = 0; i < soft->m_nodes.size(); i++) {
        btSoftBody::Node *node = &soft->m_nodes[i];
        if (node->m_battach || !TestPointAgainstAabb2(low, high, node->m_x))
            continue;
        btVector3 normal;
        btScalar distance = shape_distance(soft, shape, transform.invXform(node->m_x), normal) - margin;
        if (distance < 0)
            add_contact(soft, node, object, transform.getBasis() * normal, distance);
    }
    if (soft->m_rcontacts.size() > before)
        object->activate();
}

void soft_solver::processCollision(btSoftBody *soft, const btCollisionObjectWrapper *other)
{
    assert(soft && other);
    bool plane = other->getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
    if (!other->getCollisionObject()->hasContactResponse())
        return;
    if ((soft->m_cfg.collisions & btSoftBody::fCollision::CL_RS) && !plane)
        soft->defaultCollisionHandler(other);
    else
        collide_nodes(soft, other);
}

static btScalar speed_along(const btRigidBody *rigid, const btVector3 &arm, const btVector3 &normal)
{
    return rigid ? rigid->getVelocityInLocalPoint(arm).dot(normal) : 0;
}

/*
 * Bullet moves a node by its approach, measured from its last position, and by hardness times its depth.
 * Where that exceeds the depth, it should be the depth; without an approach it should be hardness times the
 * depth. With a last position on the surface, the approach equals the depth, and the term to add is the
 * hardness minus 1.
 */
static void shift_last_place(btSoftBody *soft, btSoftBody::RContact &contact,
                             btAlignedObjectArray<soft_shift> &shifts)
{
    auto *rigid = const_cast<btRigidBody *>(btRigidBody::upcast(contact.m_cti.m_colObj));
    const btVector3 &normal = contact.m_cti.m_normal;
    btSoftBody::Node *node = contact.m_node;
    btScalar body_speed = speed_along(rigid, contact.m_c1, normal);
    btScalar depth = -(node->m_x.dot(normal) + contact.m_cti.m_offset);
    btScalar approach = (node->m_x - node->m_q).dot(normal) - body_speed * soft->m_sst.sdt;
    btScalar hardness = approach < 0 ? 1 : contact.m_c4;
    if (depth <= 0 || (approach < 0 && depth * contact.m_c4 - approach < depth))
        return;
    btScalar push = hardness * depth * soft->m_sst.isdt;
    soft_shift shift = {node, rigid, normal * (approach + depth), normal, contact.m_c1, push};
    node->m_q += shift.shift;
    contact.m_c4 = hardness - 1;
    shifts.push_back(shift);
}

/* Sets the node's speed by its true last position, minus the speed from the correction of its depth. The
 * object that pushed it gets that momentum back. */
static void undo_shift(const btSoftBody *soft, const soft_shift &shift)
{
    btSoftBody::Node *node = shift.node;
    node->m_v += shift.shift * (soft->m_sst.isdt * (1 - soft->m_cfg.kDP));
    btScalar away = node->m_v.dot(shift.normal) - speed_along(shift.rigid, shift.arm, shift.normal);
    btVector3 taken = shift.normal * btMin(away, shift.push);
    if (away <= 0 || node->m_im == 0)
        return;
    node->m_v -= taken;
    if (shift.rigid && shift.rigid->getInvMass() > 0)
        shift.rigid->applyImpulse(taken / node->m_im, shift.arm);
}

void soft_solver::solveConstraints(btScalar)
{
    for (int i = 0; i < m_softBodySet.size(); i++) {
        btSoftBody *soft = m_softBodySet[i];
        shifts_.resizeNoInitialize(0);
        /* The velocity solver uses last positions, so they must be the true ones then. */
        bool shifted = soft->m_cfg.viterations == 0 && soft->m_cfg.piterations > 0;
        for (int k = 0; shifted && k < soft->m_rcontacts.size(); k++)
            shift_last_place(soft, soft->m_rcontacts[k], shifts_);
        soft->solveConstraints();
        for (int k = 0; k < shifts_.size(); k++)
            undo_shift(soft, shifts_[k]);
    }
}

/* Treats a plane as a convex shape, which soft_solver handles. */
btCollisionAlgorithmCreateFunc *soft_configuration::getCollisionAlgorithmCreateFunc(int type_a, int type_b)
{
    btCollisionAlgorithmCreateFunc *of_planes = plane_contacts_for(type_a, type_b);
    if (of_planes)
        return of_planes;
    if (type_a == SOFTBODY_SHAPE_PROXYTYPE && type_b == STATIC_PLANE_PROXYTYPE)
        type_b = BOX_SHAPE_PROXYTYPE;
    else if (type_a == STATIC_PLANE_PROXYTYPE && type_b == SOFTBODY_SHAPE_PROXYTYPE)
        type_a = BOX_SHAPE_PROXYTYPE;
    return btSoftBodyRigidBodyCollisionConfiguration::getCollisionAlgorithmCreateFunc(type_a, type_b);
}

/* ------------------------------------------------------------------ order */

static int compare_vectors(const btVector3 &a, const btVector3 &b)
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* Orders contacts with rigid bodies. Addresses of nodes of one body are in the order of their indices. */
static bool rigid_before(const btSoftBody::RContact &a, const btSoftBody::RContact &b)
{
    if (a.m_node != b.m_node)
        return a.m_node < b.m_node;
    int object_a = a.m_cti.m_colObj->getUserIndex3(), object_b = b.m_cti.m_colObj->getUserIndex3();
    if (object_a != object_b)
        return object_a < object_b;
    if (a.m_cti.m_offset != b.m_cti.m_offset)
        return a.m_cti.m_offset < b.m_cti.m_offset;
    return compare_vectors(a.m_cti.m_normal, b.m_cti.m_normal) < 0;
}

static bool soft_before(const btSoftBody::SContact &a, const btSoftBody::SContact &b)
{
    if (a.m_node != b.m_node)
        return a.m_node < b.m_node;
    for (int k = 0; k < 3; k++) {
        int order = compare_vectors(a.m_face->m_n[k]->m_x, b.m_face->m_n[k]->m_x);
        if (order)
            return order < 0;
    }
    return false;
}

/* Returns the number of a cluster or object by which joints are ordered. */
static int body_number(const btSoftBody::Body &body)
{
    if (body.m_soft)
        return body.m_soft->m_clusterIndex;
    return body.m_collisionObject ? body.m_collisionObject->getUserIndex3() : -1;
}

static bool joint_before(btSoftBody::Joint *const &a, btSoftBody::Joint *const &b)
{
    for (int k = 0; k < 2; k++) {
        int number_a = body_number(a->m_bodies[k]), number_b = body_number(b->m_bodies[k]);
        if (number_a != number_b)
            return number_a < number_b;
    }
    for (int k = 0; k < 2; k++) { /* all joints are contacts */
        int order = compare_vectors(static_cast<btSoftBody::CJoint *>(a)->m_rpos[k],
                                    static_cast<btSoftBody::CJoint *>(b)->m_rpos[k]);
        if (order)
            return order < 0;
    }
    return false;
}

template <typename item>
static void sort_if_needed(btAlignedObjectArray<item> &items, bool (*before)(const item &, const item &))
{
    for (int i = 1; i < items.size(); i++)
        if (before(items[i], items[i - 1])) {
            items.quickSort(before);
            return;
        }
}

static void sort_contacts(btSoftBody *soft)
{
    sort_if_needed(soft->m_rcontacts, rigid_before);
    sort_if_needed(soft->m_scontacts, soft_before);
    sort_if_needed(soft->m_joints, joint_before);
}

/* ------------------------------------------------------------------ world */

soft_world::soft_world(btDispatcher *dispatcher, btBroadphaseInterface *pairs,
                       btConstraintSolver *constraints, btCollisionConfiguration *configuration,
                       soft_solver *solver)
    : btSoftRigidDynamicsWorld(dispatcher, pairs, constraints, configuration, solver), solver_(solver),
      steps_(0)
{
    getWorldInfo().m_sparsesdf.setDefaultVoxelsz(grid_width);
    getWorldInfo().m_sparsesdf.Reset();
    getWorldInfo().m_gravity = getGravity();
}

void soft_world::setGravity(const btVector3 &gravity)
{
    btSoftRigidDynamicsWorld::setGravity(gravity);
    getWorldInfo().m_gravity = gravity;
}

/* Performs a step like btSoftRigidDynamicsWorld, except for the order of contacts and the clearing of the
 * grid. */
void soft_world::internalSingleStepSimulation(btScalar step)
{
    btSoftBodyArray &softs = getSoftBodyArray();
    solver_->optimize(softs);
    btDiscreteDynamicsWorld::internalSingleStepSimulation(step);
    for (int i = 0; i < softs.size(); i++)
        sort_contacts(softs[i]);
    if (softs.size())
        btSoftBody::solveClusters(softs);
    solver_->solveConstraints(step);
    for (int i = 0; i < softs.size(); i++)
        softs[i]->defaultCollisionHandler(softs[i]);
    solver_->updateSoftBodies();
    if (++steps_ % COLLECT_EVERY == 0)
        getWorldInfo().m_sparsesdf.GarbageCollect(COLLECT_AFTER);
}
