/* See minimal_bullet.h. Nothing here is tuned: it is what a first program with Bullet looks like. */
#include "minimal_bullet.h"

#include <btBulletDynamicsCommon.h>

#include <vector>

namespace
{

btTransform to_bullet(const mmd_transform &t)
{
    return btTransform(btQuaternion(t.rotation[0], t.rotation[1], t.rotation[2], t.rotation[3]),
                       btVector3(t.translation[0], t.translation[1], t.translation[2]));
}

btVector3 to_bullet(const float v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

mmd_transform from_bullet(const btTransform &t)
{
    btQuaternion q = t.getRotation();
    return {{q.x(), q.y(), q.z(), q.w()}, {t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z(), 0.0f}};
}

/* Lets the ground collide with everything. */
struct ground_filter : btOverlapFilterCallback {
    btBroadphaseProxy *ground = nullptr;
    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override
    {
        if (a == ground || b == ground)
            return true;
        return (a->m_collisionFilterGroup & b->m_collisionFilterMask) &&
               (b->m_collisionFilterGroup & a->m_collisionFilterMask);
    }
};

btCollisionShape *make_shape(const mmd_phys_shape &shape)
{
    switch (shape.kind) {
    case MMD_PHYS_SPHERE:
        return new btSphereShape(shape.size[0]);
    case MMD_PHYS_BOX:
        return new btBoxShape(to_bullet(shape.size));
    default:
        return new btCapsuleShape(shape.size[0], shape.size[1]);
    }
}

} // namespace

struct minimal_bullet {
    const mmd_physscene &scene;
    btScalar dt;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    ground_filter filter;
    btStaticPlaneShape plane;
    btRigidBody ground;
    std::vector<btCollisionShape *> shapes;
    std::vector<btDefaultMotionState *> states;
    std::vector<btRigidBody *> bodies;
    std::vector<btTypedConstraint *> joints;
    std::vector<mmd_transform> transforms;

    minimal_bullet(const mmd_phys_world &settings, const mmd_physscene &of);
    ~minimal_bullet();
    void add_body(const mmd_phys_body &source);
    void add_joint(const mmd_phys_joint &source, btScalar erp);
};

minimal_bullet::minimal_bullet(const mmd_phys_world &settings, const mmd_physscene &of)
    : scene(of), dt(1.0f / static_cast<float>(settings.rate)), dispatcher(&configuration),
      world(&dispatcher, &broadphase, &solver, &configuration),
      plane(btVector3(0, 1, 0), settings.ground_height), ground(0, nullptr, &plane)
{
    world.setGravity(to_bullet(settings.gravity));
    world.getSolverInfo().m_numIterations = static_cast<int>(settings.iterations);
    ground.setFriction(settings.ground_friction);
    ground.setRestitution(settings.ground_restitution);
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback(&filter);
    if (settings.ground) {
        world.addRigidBody(&ground);
        filter.ground = ground.getBroadphaseHandle();
    }
    for (uint32_t b = 0; b < scene.body_count; b++)
        add_body(scene.bodies[b]);
    for (uint32_t j = 0; j < scene.joint_count; j++)
        add_joint(scene.joints[j], settings.joint_erp);
    for (uint32_t b = 0; b < scene.body_count; b++)
        transforms.push_back(scene.bodies[b].rest);
}

void minimal_bullet::add_body(const mmd_phys_body &source)
{
    bool dynamic = source.motion == MMD_PHYS_DYNAMIC || source.motion == MMD_PHYS_DYNAMIC_BONE;
    const mmd_phys_shape &shape = scene.shapes[source.first_shape];
    const mmd_phys_filter &group = scene.filters[shape.filter];
    mmd_phys_material material = mmd_default_phys_material();
    if (shape.material >= 0)
        material = scene.materials[shape.material];
    btScalar mass = dynamic ? source.mass : 0;
    btVector3 inertia(0, 0, 0);
    shapes.push_back(make_shape(shape));
    if (mass != 0)
        shapes.back()->calculateLocalInertia(mass, inertia);
    states.push_back(new btDefaultMotionState(to_bullet(source.rest)));
    btRigidBody::btRigidBodyConstructionInfo info(mass, states.back(), shapes.back(), inertia);
    info.m_linearDamping = source.linear_damping;
    info.m_angularDamping = source.angular_damping;
    info.m_friction = material.dynamic_friction;
    info.m_restitution = material.restitution;
    info.m_additionalDamping = true;
    auto *body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (!dynamic)
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    if (!shape.solid)
        body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
    bodies.push_back(body);
    world.addRigidBody(body, 1 << group.group, group.mask);
}

void minimal_bullet::add_joint(const mmd_phys_joint &source, btScalar erp)
{
    if (source.disabled || source.body_a < 0 || source.body_b < 0)
        return;
    auto *joint = new btGeneric6DofSpringConstraint(
        *bodies[static_cast<size_t>(source.body_a)], *bodies[static_cast<size_t>(source.body_b)],
        to_bullet(source.frame_a), to_bullet(source.frame_b), true);
    const mmd_pmx_joint &n = source.pmx;
    joint->setUseFrameOffset(false);
    joint->setLinearLowerLimit(to_bullet(n.linear_lower));
    joint->setLinearUpperLimit(to_bullet(n.linear_upper));
    joint->setAngularLowerLimit(to_bullet(n.angular_lower));
    joint->setAngularUpperLimit(to_bullet(n.angular_upper));
    for (int axis = 0; axis < 3; axis++) {
        if (n.linear_spring[axis] != 0.0f) {
            joint->enableSpring(axis, true);
            joint->setStiffness(axis, n.linear_spring[axis]);
        }
        joint->enableSpring(axis + 3, true);
        joint->setStiffness(axis + 3, n.angular_spring[axis]);
    }
    for (int axis = 0; axis < 6; axis++)
        joint->setParam(BT_CONSTRAINT_STOP_ERP, erp, axis);
    joints.push_back(joint);
    world.addConstraint(joint);
}

minimal_bullet::~minimal_bullet()
{
    for (btTypedConstraint *joint : joints) {
        world.removeConstraint(joint);
        delete joint;
    }
    for (btRigidBody *body : bodies) {
        world.removeRigidBody(body);
        delete body;
    }
    world.removeCollisionObject(&ground);
    for (btDefaultMotionState *state : states)
        delete state;
    for (btCollisionShape *shape : shapes)
        delete shape;
}

minimal_bullet *minimal_bullet_create(const mmd_phys_world *settings, const mmd_physscene *scene)
{
    return new minimal_bullet(*settings, *scene);
}

void minimal_bullet_destroy(minimal_bullet *bullet)
{
    delete bullet;
}

void minimal_bullet_step(minimal_bullet *bullet, const mmd_transform *targets)
{
    for (size_t b = 0; b < bullet->bodies.size(); b++)
        if (bullet->bodies[b]->isKinematicObject())
            bullet->states[b]->setWorldTransform(to_bullet(targets[b]));
    bullet->world.stepSimulation(bullet->dt, 1, bullet->dt);
    for (size_t b = 0; b < bullet->bodies.size(); b++) {
        btTransform transform;
        bullet->states[b]->getWorldTransform(transform);
        bullet->transforms[b] = from_bullet(transform);
    }
}

const mmd_transform *minimal_bullet_transforms(const minimal_bullet *bullet)
{
    return bullet->transforms.data();
}
