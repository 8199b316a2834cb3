/*
 * Bodies: shapes, mass, flags, and switching between simulated and held.
 *
 * The solid shapes of a body form one Bullet body, its trigger shapes a collision object beside it (its
 * sensor), which causes no response and follows the body.
 */
#include "world.hpp"

#include "axes_joint.hpp"

#include <cassert>
#include <cmath>
#include <cstring>

/* ---------------------------------------------------------------- shapes */

static bool is_identity(const btTransform &t)
{
    return t == btTransform::getIdentity();
}

/* Joins all leaves that are (or are not) triggers into one shape, relative to the frame whose inverse is
 * given. */
static btCollisionShape *join_leaves(bullet_world &world, const bullet_body &body,
                                     btCollisionShape *const *leaves, bool of_triggers,
                                     const btTransform &inverse)
{
    const mmd_phys_body &source = *body.source;
    const mmd_phys_shape *shapes = body.solid.scene->shapes + source.first_shape;
    uint32_t count = 0, only = 0;
    for (uint32_t s = 0; s < source.shape_count; s++)
        if (shapes[s].solid && shapes[s].trigger == of_triggers) {
            only = s;
            count++;
        }
    if (count == 1 && is_identity(inverse * to_bullet(shapes[only].frame)))
        return leaves[only];
    btCollisionShape *joined;
    if (count == 0) {
        joined = new btEmptyShape;
    } else {
        auto *compound = new btCompoundShape(count > 8, static_cast<int>(count));
        for (uint32_t s = 0; s < source.shape_count; s++)
            if (shapes[s].solid && shapes[s].trigger == of_triggers)
                compound->addChildShape(inverse * to_bullet(shapes[s].frame), leaves[s]);
        joined = compound;
    }
    world.shapes.push_back(joined);
    return joined;
}

static void make_leaves(bullet_world &world, const bullet_body &body,
                        btAlignedObjectArray<btCollisionShape *> &leaves)
{
    const mmd_physscene &scene = *body.solid.scene;
    uint32_t first =
        world.first_shape[world.common->body_scene[body.solid.number]] + body.source->first_shape;
    leaves.resizeNoInitialize(0);
    for (uint32_t s = 0; s < body.source->shape_count; s++) {
        const mmd_phys_shape &shape = scene.shapes[body.source->first_shape + s];
        btCollisionShape *leaf = shape_create(world, scene, shape, body.source->motion != MMD_PHYS_STATIC);
        world.shape_tags[first + s] = {&scene, &shape};
        leaf->setUserPointer(&world.shape_tags[first + s]);
        leaves.push_back(leaf);
    }
}

/* ---------------------------------------------------------------- masses */

static void take_mass(const bullet_world &world, bullet_body &body, btCollisionShape *const *leaves)
{
    mass_properties properties = mass_of(*body.solid.scene, *body.source, leaves, *world.hulls);
    body.mass = properties.mass > 0 ? properties.mass : btScalar(MMD_PHYS_MASS_MOST);
    body.inertia = properties.inertia;
    body.com = btTransform(properties.rotation, properties.center);
    body.com_is_frame = is_identity(body.com);
    body.com_inverse = body.com.inverse();
}

/* Sets the mass. A body of infinite mass that may rotate has an inertia, which Bullet accepts only with a
 * mass. */
static void set_mass(const bullet_body &body, bool moves)
{
    if (!moves) {
        body.rigid->setMassProps(0, btVector3(0, 0, 0));
        return;
    }
    body.rigid->setMassProps(body.mass, body.inertia);
    bool immovable = body.source->mass == 0.0f && !body.source->auto_mass;
    body.rigid->setLinearFactor(immovable ? btVector3(0, 0, 0) : btVector3(1, 1, 1));
    body.rigid->updateInertiaTensor();
}

void body_set_gravity(const bullet_world &world, const bullet_body &body)
{
    body.rigid->setGravity(to_bullet(world.common->settings.gravity) * body.source->gravity_factor);
}

/* ----------------------------------------------------------------- motion */

static int rest_activation(const bullet_body &body)
{
    if (body.source->motion == MMD_PHYS_STATIC)
        return ISLAND_SLEEPING;
    return body.source->can_sleep && body.solid.can_move ? ACTIVE_TAG : DISABLE_DEACTIVATION;
}

/* Switches a dynamic body between held (kinematic) and simulated. */
static void apply_held(bullet_world &world, bullet_body &body, bool held)
{
    int flags = body.rigid->getCollisionFlags() & ~btCollisionObject::CF_KINEMATIC_OBJECT;
    body.rigid->setCollisionFlags(held ? flags | btCollisionObject::CF_KINEMATIC_OBJECT : flags);
    set_mass(body, !held);
    if (!held)
        body_set_gravity(world, body);
    body.rigid->forceActivationState(held ? DISABLE_DEACTIVATION : rest_activation(body));
    body.rigid->setDeactivationTime(0);
}

void driven_list(bullet_world &world)
{
    world.driven_listed = true;
    world.driven.resizeNoInitialize(0);
    for (uint32_t b = 0; b < world.common->body_count; b++)
        if (world.bodies[b].rigid && mmd_world_is_driven(world.common, b))
            world.driven.push_back(b);
}

void body_set_held(bullet_world &world, uint32_t number)
{
    assert(number < world.common->body_count);
    bullet_body &body = world.bodies[number];
    if (!body.rigid)
        return;
    apply_held(world, body, world.common->held[number]);
    body_forget_contacts(world, body);
    world.driven_listed = false;
}

void bodies_apply_held(bullet_world &world)
{
    for (int i = 0; i < world.movers.size(); i++) {
        bullet_body &body = world.bodies[world.movers[i]];
        bool held = world.common->held[world.movers[i]];
        if (held != body.rigid->isKinematicObject())
            apply_held(world, body, held);
    }
    driven_list(world);
}

void sensor_follow(const bullet_world &world, const bullet_body &body)
{
    if (body.sensor)
        body.sensor->setWorldTransform(to_bullet(world.common->transforms[body.solid.number]));
}

void body_set_from_arrays(const bullet_world &world, uint32_t number)
{
    assert(number < world.common->body_count);
    const bullet_body &body = world.bodies[number];
    const mmd_velocity &velocity = world.common->velocities[number];
    btTransform frame = to_bullet(world.common->transforms[number]);
    btVector3 angular = to_bullet(velocity.angular);
    body.rigid->clearForces();
    body.rigid->setLinearVelocity(to_bullet(velocity.linear) +
                                  angular.cross(frame.getBasis() * body.com.getOrigin()));
    body.rigid->setAngularVelocity(angular);
    body.rigid->setCenterOfMassTransform(frame * body.com);
    body.rigid->setInterpolationWorldTransform(body.rigid->getWorldTransform());
    sensor_follow(world, body);
}

/* ----------------------------------------------------------------- making */

static void make_sensor(bullet_world &world, bullet_body &body, btCollisionShape *const *leaves)
{
    bool any = false;
    for (uint32_t s = 0; s < body.source->shape_count; s++) {
        const mmd_phys_shape &shape = body.solid.scene->shapes[body.source->first_shape + s];
        any = any || (shape.trigger && shape.solid);
    }
    if (!any)
        return;
    body.sensor = new btCollisionObject;
    body.sensor->setCollisionShape(join_leaves(world, body, leaves, true, btTransform::getIdentity()));
    body.sensor->setCollisionFlags(btCollisionObject::CF_NO_CONTACT_RESPONSE |
                                   (body.solid.is_static ? btCollisionObject::CF_STATIC_OBJECT
                                                         : btCollisionObject::CF_KINEMATIC_OBJECT));
    body.sensor->forceActivationState(body.solid.is_static ? ISLAND_SLEEPING : DISABLE_DEACTIVATION);
    body.sensor->setUserPointer(&body.trigger);
    world.sensors.push_back(body.solid.number);
}

/* Enables continuous collision detection with an inner sphere, for steps longer than half of the smallest
 * extent. */
static void set_sweep(btRigidBody &rigid)
{
    btVector3 low, high;
    rigid.getCollisionShape()->getAabb(btTransform::getIdentity(), low, high);
    btVector3 half = (high - low) / 2;
    btScalar smallest = btMin(half.x(), btMin(half.y(), half.z()));
    rigid.setCcdMotionThreshold(smallest);
    rigid.setCcdSweptSphereRadius(smallest * btScalar(0.8));
}

/*
 * A body slower than this for two seconds falls asleep: 0.1 mm/s, 0.001 radians/s. Bullet's default of 64
 * mm/s would stop bodies that sink on a damper or swing out on a spring.
 */
static const btScalar sleepy_speed = btScalar(0.00125), sleepy_spin = btScalar(0.001);

static btRigidBody *make_rigid(const bullet_world &world, const bullet_body &body, btCollisionShape *shape)
{
    const mmd_phys_body &source = *body.source;
    const mmd_phys_world &settings = world.common->settings;
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape);
    info.m_linearDamping = source.linear_damping;
    info.m_angularDamping = source.angular_damping;
    info.m_additionalDamping = settings.damping == MMD_DAMPING_ADDITIONAL;
    auto *rigid = new btRigidBody(info);
    /* Bullet 2.75, which MMD uses, has no gyroscopic forces. */
    rigid->setFlags(BT_DISABLE_WORLD_GRAVITY |
                    (settings.exact_restitution ? BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY : 0));
    rigid->setSleepingThresholds(sleepy_speed, sleepy_spin);
    if (source.ccd)
        set_sweep(*rigid);
    return rigid;
}

static void set_motion(bullet_world &world, bullet_body &body)
{
    btRigidBody &rigid = *body.rigid;
    if (body.solid.can_move) {
        set_mass(body, true);
        body_set_gravity(world, body);
        world.movers.push_back(body.solid.number);
        world.sleepless = world.sleepless && !body.source->can_sleep;
    } else if (!body.solid.is_static) {
        rigid.setCollisionFlags((rigid.getCollisionFlags() & ~btCollisionObject::CF_STATIC_OBJECT) |
                                btCollisionObject::CF_KINEMATIC_OBJECT);
    }
    rigid.forceActivationState(rest_activation(body));
}

/* Fills in what filters need to know about a body and its trigger. */
static void describe(bullet_world &world, bullet_body &body, uint32_t number)
{
    const mmd_phys_body &source = *world.common->bodies[number];
    body.source = &source;
    body.solid.kind = BULLET_SOLID;
    body.solid.world = &world;
    body.solid.body = &body;
    body.solid.scene = world.common->scenes[world.common->body_scene[number]];
    body.solid.number = number;
    body.solid.can_move = mmd_phys_is_dynamic(&source);
    body.solid.is_static = source.motion == MMD_PHYS_STATIC;
    body.trigger = body.solid;
    body.trigger.kind = BULLET_TRIGGER;
}

static bool body_create(bullet_world &world, uint32_t number,
                        btAlignedObjectArray<btCollisionShape *> &leaves)
{
    bullet_body &body = world.bodies[number];
    describe(world, body, number);
    if (body.source->disabled)
        return true;
    mmd_arena &arena = world.common->arena;
    const mmd_physscene &scene = *body.solid.scene;
    if (!object_make_filter(body.solid, scene, *body.source, false, arena) ||
        !object_make_filter(body.trigger, scene, *body.source, true, arena))
        return false;
    make_leaves(world, body, leaves);
    btCollisionShape *const *first = leaves.size() ? &leaves[0] : nullptr;
    take_mass(world, body, first);
    body.rigid = make_rigid(world, body, join_leaves(world, body, first, false, body.com_inverse));
    body.rigid->setUserPointer(&body.solid);
    materials_bind(*body.rigid, scene, *body.source, world.common->settings.exact_restitution);
    make_sensor(world, body, first);
    set_motion(world, body);
    body_set_from_arrays(world, number);
    return true;
}

void body_add(bullet_world &world, bullet_body &body)
{
    if (!body.rigid)
        return;
    int state = body.rigid->getActivationState();
    world.dynamics->addRigidBody(body.rigid, 1, -1);
    body.rigid->forceActivationState(state);
    if (body.sensor)
        world.dynamics->addCollisionObject(body.sensor, 1, -1);
}

static bool make_tables(bullet_world &world)
{
    mmd_world &common = *world.common;
    auto *first =
        static_cast<uint32_t *>(mmd_arena_alloc(&common.arena, common.scene_count + 1, sizeof(uint32_t)));
    if (!first)
        return false;
    for (uint32_t s = 0; s < common.scene_count; s++)
        first[s + 1] = first[s] + common.scenes[s]->shape_count;
    world.first_shape = first;
    world.shape_tags = static_cast<bullet_shape *>(
        mmd_arena_alloc(&common.arena, first[common.scene_count], sizeof(bullet_shape)));
    auto *bodies =
        static_cast<bullet_body *>(mmd_arena_alloc(&common.arena, common.body_count, sizeof(bullet_body)));
    if (!world.shape_tags || !bodies)
        return false;
    for (uint32_t b = 0; b < common.body_count; b++)
        new (&bodies[b]) bullet_body();
    world.bodies = bodies;
    return true;
}

bool bodies_create(bullet_world &world)
{
    if (!make_tables(world))
        return false;
    world.sleepless = true;
    btAlignedObjectArray<btCollisionShape *> leaves;
    hull_cache hulls;
    world.hulls = &hulls;
    for (uint32_t b = 0; b < world.common->body_count; b++)
        if (!body_create(world, b, leaves))
            return false;
    world.hulls = nullptr;
    driven_list(world);
    return true;
}

void bodies_destroy(bullet_world &world)
{
    for (uint32_t b = 0; world.bodies && b < world.common->body_count; b++) {
        delete world.bodies[b].sensor;
        delete world.bodies[b].rigid;
    }
    delete world.ground;
    delete world.fixed;
    for (int i = 0; i < world.shapes.size(); i++)
        delete world.shapes[i];
    for (int i = 0; i < world.meshes.size(); i++)
        delete world.meshes[i];
}

/* ----------------------------------------------------------------- ground */

/* The ground plane. Its bounds end at its height, so that only bodies near or below it are tested. */
struct ground_shape final : public btStaticPlaneShape {
    explicit ground_shape(btScalar height) : btStaticPlaneShape(btVector3(0, 1, 0), height) {}
    void getAabb(const btTransform &, btVector3 &low, btVector3 &high) const override
    {
        low.setValue(-BT_LARGE_FLOAT, -BT_LARGE_FLOAT, -BT_LARGE_FLOAT);
        high.setValue(BT_LARGE_FLOAT, getPlaneConstant(), BT_LARGE_FLOAT);
    }
};

void ground_create(bullet_world &world)
{
    const mmd_phys_world &settings = world.common->settings;
    auto *shape = new ground_shape(settings.ground_height);
    world.shapes.push_back(shape);
    world.ground = new btRigidBody(0, nullptr, shape);
    world.ground->setFriction(settings.ground_friction);
    world.ground->setRestitution(settings.ground_restitution);
    world.ground_object.kind = BULLET_GROUND;
    world.ground_object.world = &world;
    world.ground_object.number = MMD_GROUND;
    world.ground_object.is_static = true;
    world.ground->setUserPointer(&world.ground_object);
    /* A body for joints to the world, because the one that Bullet offers is shared by all worlds. */
    world.fixed = new btRigidBody(0, nullptr, nullptr);
}

/* ----------------------------------------------------------------- a step */

/*
 * Before and after a step. In imported scenes driven bodies are during the step where the last step left
 * them, with the velocity that takes them to their targets, and they are placed there exactly at the end, so
 * that all computations of a step refer to the same time. In MMD they have this velocity, but are at their
 * targets already (docs/mmd.md 5.3).
 */

/* Sets the velocity that takes a driven body to its target in one step; like MMD, also its transform. */
static void drive(const bullet_world &world, uint32_t number)
{
    mmd_world &common = *world.common;
    const bullet_body &body = world.bodies[number];
    mmd_velocity &velocity = common.velocities[number];
    mmd_transform_velocity(&common.transforms[number], &common.targets[number], common.dt, &velocity);
    btVector3 linear = to_bullet(velocity.linear);
    if (!body.com_is_frame) {
        btTransform target = to_bullet(common.targets[number]);
        linear = (target * body.com.getOrigin() - body.rigid->getWorldTransform().getOrigin()) / common.dt;
    }
    body.rigid->setLinearVelocity(linear);
    body.rigid->setAngularVelocity(to_bullet(velocity.angular));
    if (like_mmd(world)) {
        btTransform frame = to_bullet(common.targets[number]);
        body.rigid->setWorldTransform(body.com_is_frame ? frame : frame * body.com);
    }
}

void driven_set_velocities(bullet_world &world)
{
    for (int i = 0; i < world.driven.size(); i++)
        drive(world, world.driven[i]);
}

/* Places a driven body exactly at its target. */
static void land(const bullet_world &world, uint32_t number)
{
    mmd_world &common = *world.common;
    mmd_transform &transform = common.transforms[number];
    const mmd_transform &target = common.targets[number];
    if (!std::memcmp(&transform, &target, sizeof target))
        return;
    transform = target;
    const bullet_body &body = world.bodies[number];
    btTransform frame = to_bullet(target);
    body.rigid->setWorldTransform(body.com_is_frame ? frame : frame * body.com);
    body.rigid->setInterpolationWorldTransform(body.rigid->getWorldTransform());
    sensor_follow(world, body);
}

static bool is_finite(const btVector3 &v)
{
    return std::isfinite(v.x() + v.y() + v.z());
}

bool body_is_finite(const bullet_body &body)
{
    const btTransform &t = body.rigid->getWorldTransform();
    return is_finite(t.getOrigin()) && is_finite(body.rigid->getLinearVelocity()) &&
           is_finite(body.rigid->getAngularVelocity()) &&
           is_finite(t.getBasis()[0] + t.getBasis()[1] + t.getBasis()[2]);
}

/* Resets a body that became infinite. The arrays still hold its last transform, where it continues at
 * rest. */
static void freeze(bullet_world &world, uint32_t number)
{
    bullet_body &body = world.bodies[number];
    world.common->velocities[number] = mmd_velocity();
    body_set_from_arrays(world, number);
    body_forget_contacts(world, body);
    if (body.rigid->getActivationState() == DISABLE_SIMULATION)
        body.rigid->forceActivationState(body.source->can_sleep ? ACTIVE_TAG : DISABLE_DEACTIVATION);
}

static void write(const btTransform &frame, mmd_transform &out)
{
    btQuaternion q;
    frame.getBasis().getRotation(q);
    const btVector3 &t = frame.getOrigin();
    out = {{q.x(), q.y(), q.z(), q.w()}, {t.x(), t.y(), t.z(), 0.0f}};
}

void body_read(const bullet_world &world, uint32_t number)
{
    assert(number < world.common->body_count);
    const bullet_body &body = world.bodies[number];
    const btTransform &com = body.rigid->getWorldTransform();
    const btVector3 &angular = body.rigid->getAngularVelocity();
    btVector3 linear = body.rigid->getLinearVelocity();
    if (body.com_is_frame) {
        write(com, world.common->transforms[number]);
    } else {
        btTransform frame = com * body.com_inverse;
        linear += angular.cross(frame.getOrigin() - com.getOrigin());
        write(frame, world.common->transforms[number]);
    }
    world.common->velocities[number] = {{linear.x(), linear.y(), linear.z(), 0.0f},
                                        {angular.x(), angular.y(), angular.z(), 0.0f}};
}

void bodies_land(bullet_world &world)
{
    for (int i = 0; i < world.driven.size(); i++)
        land(world, world.driven[i]);
    for (int i = 0; i < world.movers.size(); i++) {
        uint32_t number = world.movers[i];
        bullet_body &body = world.bodies[number];
        if (world.common->held[number])
            continue;
        if (!body_is_finite(body))
            freeze(world, number);
        body_read(world, number);
        sensor_follow(world, body);
    }
}

/* ------------------------------------------------------------- forgetting */

/*
 * Bodies that were placed, held or released lose their contacts, and their joints lose their count of turns.
 * Many may change at once, and each would need a search through all pairs. So they are only recorded, and all
 * pairs are searched once, before contacts are needed.
 *
 * Contacts are removed in the order in which the bodies were recorded, as if that had happened at once,
 * because the order of removal determines the order in which the others are solved.
 */

enum { NOT_NOTED = 0 };

struct forgetting {
    uint32_t order; /* order of the body, its solid before its trigger */
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
    body_forget_contacts(world, body); /* the contacts are recorded, too */
    world.noted_joints[body.solid.number] = world.any_noted_joints = true;
}

/* Returns the position of an object in the order of removal; 0: its contacts stay. */
static uint32_t order_of(const bullet_world &world, const btBroadphaseProxy &proxy)
{
    const bullet_object *object = object_of(static_cast<btCollisionObject *>(proxy.m_clientObject));
    if (!object || !object->body)
        return 0;
    uint32_t order = world.noted_order[object->number];
    return order ? 2 * order + (object->kind == BULLET_TRIGGER) : 0;
}

/* Returns the earlier of two positions, of which 0 is none. */
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
