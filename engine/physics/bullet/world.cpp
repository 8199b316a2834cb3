/*
 * The Bullet backend: creates the world, steps it, and passes inputs on. Bullet 3.24 in single precision, in
 * MMD's coordinates.
 */
#include "world.hpp"

#include "../gravity.h"

#include <new>

static bullet_world &world_of(const mmd_world *common)
{
    return *static_cast<bullet_world *>(common->impl);
}

/* ------------------------------------------------- Bullet's world, changed */

namespace
{

/*
 * Bullet's world of rigid bodies with three changes. If no body may sleep, it is solved as a whole. Driven
 * bodies have the velocities that were set, not those that Bullet derives from their last transforms. And a
 * world that behaves like MMD's (docs/mmd.md 5.4) solves joints in the order into which Bullet 2.75 sorts
 * them.
 */
class rigid_world final : public btDiscreteDynamicsWorld
{
  public:
    explicit rigid_world(bullet_world &world);

    void solveConstraints(btContactSolverInfo &info) override;
    void synchronizeMotionStates() override {}

  protected:
    void saveKinematicState(btScalar) override {}
    void calculateSimulationIslands() override;

  private:
    void list_manifolds();
    void sort_by_islands();

    bullet_world &world_;
    btAlignedObjectArray<btPersistentManifold *> manifolds_;
    btAlignedObjectArray<btTypedConstraint *> joints_;
};

/* Bullet's configuration with contacts like MMD's from old_contacts.cpp, or with those of planes from
 * contacts.cpp. */
class rigid_configuration final : public btDefaultCollisionConfiguration
{
  public:
    rigid_configuration(const btDefaultCollisionConstructionInfo &info, bool like_mmd)
        : btDefaultCollisionConfiguration(info), like_mmd_(like_mmd)
    {
    }
    btCollisionAlgorithmCreateFunc *getCollisionAlgorithmCreateFunc(int type_a, int type_b) override
    {
        btCollisionAlgorithmCreateFunc *found =
            like_mmd_ ? old_contacts_for(type_a, type_b) : plane_contacts_for(type_a, type_b);
        return found ? found
                     : btDefaultCollisionConfiguration::getCollisionAlgorithmCreateFunc(type_a, type_b);
    }

  private:
    bool like_mmd_;
};

} // namespace

rigid_world::rigid_world(bullet_world &world)
    : btDiscreteDynamicsWorld(world.dispatcher, world.broadphase, world.solver, world.configuration),
      world_(world)
{
}

static int island_of(const btCollisionObject &a, const btCollisionObject &b)
{
    return a.getIslandTag() >= 0 ? a.getIslandTag() : b.getIslandTag();
}

static bool is_before(const btPersistentManifold *a, const btPersistentManifold *b)
{
    return island_of(*a->getBody0(), *a->getBody1()) < island_of(*b->getBody0(), *b->getBody1());
}

static bool is_joint_before(const btTypedConstraint *a, const btTypedConstraint *b)
{
    return island_of(a->getRigidBodyA(), a->getRigidBodyB()) <
           island_of(b->getRigidBodyA(), b->getRigidBodyB());
}

/* Lists all manifolds with a response: not those of triggers, or of two driven bodies. */
void rigid_world::list_manifolds()
{
    manifolds_.resizeNoInitialize(0);
    for (int m = 0; m < m_dispatcher1->getNumManifolds(); m++) {
        btPersistentManifold *manifold = m_dispatcher1->getManifoldByIndexInternal(m);
        if ((manifold->getNumContacts() || like_mmd(world_)) &&
            m_dispatcher1->needsResponse(manifold->getBody0(), manifold->getBody1()))
            manifolds_.push_back(manifold);
    }
}

/* Sorts manifolds and joints by islands with Bullet's quicksort, which also changes the order within an
 * island, and with it the result of the few iterations. */
void rigid_world::sort_by_islands()
{
    if (!like_mmd(world_))
        return;
    manifolds_.quickSort(is_before);
    joints_.quickSort(is_joint_before);
}

template <typename item> static item *first(btAlignedObjectArray<item> &items)
{
    return items.size() ? &items[0] : nullptr;
}

void rigid_world::solveConstraints(btContactSolverInfo &info)
{
    if (!world_.sleepless) {
        btDiscreteDynamicsWorld::solveConstraints(info);
        return;
    }
    list_manifolds();
    joints_.copyFromArray(m_constraints);
    sort_by_islands();
    m_constraintSolver->prepareSolve(m_collisionObjects.size(), manifolds_.size());
    m_constraintSolver->solveGroup(first(m_collisionObjects), m_collisionObjects.size(), first(manifolds_),
                                   manifolds_.size(), first(joints_), joints_.size(), info, nullptr,
                                   m_dispatcher1);
    m_constraintSolver->allSolved(info, nullptr);
}

void rigid_world::calculateSimulationIslands()
{
    if (!world_.sleepless || like_mmd(world_))
        btDiscreteDynamicsWorld::calculateSimulationIslands();
}

/* --------------------------------------------------------- gravity fields */

/*
 * Applies gravity fields to the bodies of their scene (../gravity.h): before each step every body gets the
 * acceleration at its centre of mass. It is inside a field if it touched the field's trigger in the last
 * step.
 */
static uint32_t most_fields(const mmd_world &common)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < common.scene_count; s++)
        most = btMax(most, common.scenes[s]->gravity_count);
    return most;
}

/* Computes the order of fields for each scene, one after another, and makes room for the list of fields of
 * one body. */
static bool fields_create(bullet_world &world)
{
    mmd_world &common = *world.common;
    uint32_t total = 0;
    for (uint32_t s = 0; s < common.scene_count; s++)
        total += common.scenes[s]->gravity_count;
    world.has_fields = total > 0;
    auto *order = static_cast<uint32_t *>(mmd_arena_alloc(&common.arena, total, sizeof(uint32_t)));
    world.inside = static_cast<uint8_t *>(mmd_arena_alloc(&common.arena, most_fields(common), 1));
    world.field_order = order;
    if (!order || !world.inside)
        return false;
    for (uint32_t s = 0; s < common.scene_count; s++) {
        mmd_gravity_order(common.scenes[s], order);
        order += common.scenes[s]->gravity_count;
    }
    return true;
}

static void list_inside(bullet_world &world, const mmd_physscene &scene, uint32_t first_body, uint32_t number)
{
    for (uint32_t g = 0; g < scene.gravity_count; g++) {
        int32_t body = scene.gravities[g].body;
        world.inside[g] = body >= 0 && is_touching(world, first_body + static_cast<uint32_t>(body), number);
    }
}

static void fields_apply(bullet_world &world)
{
    const mmd_world &common = *world.common;
    const uint32_t *order = world.field_order;
    uint32_t scene_number = 0;
    for (int i = 0; world.has_fields && i < world.movers.size(); i++) {
        uint32_t number = world.movers[i];
        for (; scene_number < common.body_scene[number]; scene_number++)
            order += common.scenes[scene_number]->gravity_count;
        const mmd_physscene &scene = *common.scenes[scene_number];
        const bullet_body &body = world.bodies[number];
        if (!scene.gravity_count || common.held[number])
            continue;
        uint32_t first_body = common.first_body[scene_number];
        list_inside(world, scene, first_body, number);
        const btVector3 &center = body.rigid->getWorldTransform().getOrigin();
        const float point[3] = {center.x(), center.y(), center.z()};
        float acceleration[3];
        mmd_gravity_at(&scene, order, common.transforms + first_body, world.inside, common.settings.gravity,
                       point, acceleration);
        body.rigid->setGravity(to_bullet(acceleration) * body.source->gravity_factor);
    }
}

/* --------------------------------------------------------------- making it */

/* Makes the configuration, with pools for a usual number of contacts. MMD's planes are Bullet's, which find
 * one contact a step. */
static btCollisionConfiguration *make_configuration(uint32_t bodies, bool soft, bool like_mmd)
{
    btDefaultCollisionConstructionInfo info;
    int room = static_cast<int>(btMin(bodies, 1u << 14)) * 8 + 128;
    info.m_defaultMaxPersistentManifoldPoolSize = room;
    info.m_defaultMaxCollisionAlgorithmPoolSize = room;
    if (soft)
        return new soft_configuration(info);
    return new rigid_configuration(info, like_mmd);
}

/* Adds gravity to the velocities, so that it is damped with them: Bullet 3 damps before the solver adds
 * gravity, Bullet 2.75 after it. */
static void add_gravity(const bullet_world &world, btScalar step)
{
    for (int i = 0; i < world.movers.size(); i++) {
        btRigidBody &rigid = *world.bodies[world.movers[i]].rigid;
        if (rigid.isStaticOrKinematicObject())
            continue;
        rigid.integrateVelocities(step);
        rigid.clearForces();
    }
}

static void before_tick(btDynamicsWorld *dynamics, btScalar step)
{
    bullet_world &world = *static_cast<bullet_world *>(dynamics->getWorldUserInfo());
    driven_set_velocities(world);
    if (like_mmd(world))
        add_gravity(world, step);
}

static void set_solver(bullet_world &world)
{
    btContactSolverInfo &info = world.dynamics->getSolverInfo();
    info.m_numIterations = static_cast<int>(world.common->settings.iterations);
    if (world.common->settings.exact_restitution)
        info.m_splitImpulsePenetrationThreshold = 0;
    if (like_mmd(world)) {
        info.m_splitImpulse = false;
        info.m_restitutionVelocityThreshold = 0;
        world.solver->set_contacts_like_mmd(true);
    }
    world.solver->set_joints_solve_themselves(world.axes_joints.size() > 0);
    if (world.axes_joints.size())
        info.m_leastSquaresResidualThreshold = -1;
    world.dynamics->setForceUpdateAllAabbs(false);
}

static void make_dynamics(bullet_world &world)
{
    bool soft = world.common->soft_count > 0;
    world.configuration = make_configuration(world.common->body_count, soft, like_mmd(world));
    world.dispatcher = new pair_dispatcher(world.configuration);
    world.dispatcher->setNearCallback(pair_collide);
    world.broadphase = new sweep_broadphase;
    world.broadphase->getOverlappingPairCache()->setOverlapFilterCallback(&world.filter);
    world.solver = new row_solver;
    if (soft) {
        world.soft_constraints = new soft_solver;
        world.soft_dynamics = new soft_world(world.dispatcher, world.broadphase, world.solver,
                                             world.configuration, world.soft_constraints);
        world.dynamics = world.soft_dynamics;
    } else {
        world.dynamics = new rigid_world(world);
    }
    /* Bullet sets the velocities of driven bodies when a step begins; this callback runs after that. */
    world.dynamics->setInternalTickCallback(before_tick, &world, true);
}

/*
 * Returns the size of the heap: about three times what a dance uses of it (a dancer of 90 bodies and 83
 * joints: 0.5 MiB). Unused memory costs only address space. Beyond a limit the heap grows when needed.
 */
static size_t room_for_steps(const bullet_world &world)
{
    const size_t least = size_t(1) << 16, a_part = size_t(1) << 13, a_node = size_t(1) << 10,
                 most_parts = 1 << 13;
    const mmd_world &common = *world.common;
    size_t parts = size_t(common.body_count) + common.joint_count, nodes = 0;
    for (uint32_t s = 0; s < common.soft_count; s++)
        nodes += common.softs[s].source->node_count;
    return least + btMin(parts, most_parts) * a_part + btMin(nodes, most_parts) * a_node;
}

static bool fill(bullet_world &world)
{
    for (uint32_t s = 0; s < world.common->scene_count; s++)
        world.two_frictions = world.two_frictions || materials_differ(*world.common->scenes[s]);
    make_dynamics(world);
    ground_create(world);
    if (!forget_create(world) || !bodies_create(world) || !joints_create(world) || !softs_create(world) ||
        !touches_create(world) || !fields_create(world))
        return false;
    set_solver(world);
    world_clear(world);
    world_fill(world);
    return world.heap.reserve(room_for_steps(world));
}

/* Creates the world. Exceptions must not leave this function, because C code calls it. */
static mmd_status world_create(mmd_world *common, mmd_error *error)
{
    heap_install();
    filters_install();
    materials_install();
    void *memory = mmd_alloc(sizeof(bullet_world));
    if (!memory)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "world", MMD_NO_OFFSET, "no memory for a world");
    auto *world = new (memory) bullet_world();
    common->impl = world;
    world->common = common;
    bool done = false;
    try {
        done = fill(*world);
    } catch (const std::bad_alloc &) {
        done = false;
    }
    return done ? MMD_OK
                : mmd_error_set(error, MMD_ERROR_MEMORY, "world", MMD_NO_OFFSET,
                                "no memory for a world's bodies");
}

static void world_destroy(mmd_world *common)
{
    auto *world = static_cast<bullet_world *>(common->impl);
    if (!world)
        return;
    heap_scope scope(world->heap);
    if (world->dynamics)
        world_clear(*world);
    softs_destroy(*world);
    joints_destroy(*world);
    bodies_destroy(*world);
    delete world->dynamics;
    delete world->soft_constraints;
    delete world->solver;
    delete world->broadphase;
    delete world->dispatcher;
    delete world->configuration;
    world->~bullet_world();
    mmd_free(world);
}

/* ------------------------------------------------------------- in the loop */

static void world_step(mmd_world *common)
{
    bullet_world &world = world_of(common);
    heap_scope scope(world.heap);
    forget_now(world);
    if (!world.driven_listed)
        driven_list(world);
    softs_before_step(world);
    fields_apply(world);
    if (world.two_frictions)
        materials_update(*world.dispatcher);
    world.solver->set_bullets_loop(common->bullets_loop);
    world.dynamics->stepSimulation(common->dt, 0);
    common->groups_by_level = world.solver->groups_by_level();
    bodies_land(world);
    forget_now(world);
    softs_after_step(world);
    touches_update(world);
}

static void world_hold(mmd_world *common, uint32_t body)
{
    body_set_held(world_of(common), body);
}

static void wake(const bullet_body &body)
{
    if (body.solid.can_move)
        body.rigid->activate(true);
}

static void world_place(mmd_world *common, uint32_t number)
{
    bullet_world &world = world_of(common);
    bullet_body &body = world.bodies[number];
    if (!body.rigid)
        return;
    body_set_from_arrays(world, number);
    body_forget_joints(world, body);
    if (body.solid.is_static) {
        world.dynamics->updateSingleAabb(body.rigid);
        if (body.sensor)
            world.dynamics->updateSingleAabb(body.sensor);
    }
    wake(body);
}

static void world_correct(mmd_world *common, uint32_t number)
{
    bullet_world &world = world_of(common);
    const bullet_body &body = world.bodies[number];
    if (!body.rigid)
        return;
    forget_now(world);
    btTransform transform = body.rigid->getWorldTransform();
    btVector3 position = to_bullet(common->transforms[number].translation);
    if (!body.com_is_frame)
        position -= (transform * body.com_inverse).getOrigin() - transform.getOrigin();
    transform.setOrigin(position);
    body.rigid->setWorldTransform(transform);
    sensor_follow(world, body);
}

static void world_place_soft(mmd_world *common, uint32_t soft, const float velocity[3])
{
    bullet_world &world = world_of(common);
    heap_scope scope(world.heap);
    soft_body_place(world.softs[soft], velocity ? to_bullet(velocity) : btVector3(0, 0, 0));
}

static void world_impulse(mmd_world *common, const mmd_impulse *impulse)
{
    const bullet_world &world = world_of(common);
    const bullet_body &body = world.bodies[impulse->body];
    if (!body.rigid)
        return;
    wake(body);
    btVector3 linear = to_bullet(impulse->linear), angular = to_bullet(impulse->angular);
    if (impulse->stop) {
        body.rigid->setLinearVelocity(btVector3(0, 0, 0));
        body.rigid->setAngularVelocity(btVector3(0, 0, 0));
    } else {
        const btMatrix3x3 &axes = body.rigid->getWorldTransform().getBasis();
        btMatrix3x3 frame = axes * body.com_inverse.getBasis();
        body.rigid->applyCentralImpulse(impulse->local ? frame * linear : linear);
        body.rigid->applyTorqueImpulse(impulse->local ? frame * angular : angular);
    }
    if (!body_is_finite(body))
        body_set_from_arrays(world, impulse->body);
    body_read(world, impulse->body);
}

static void world_set_gravity(mmd_world *common)
{
    const bullet_world &world = world_of(common);
    if (world.soft_dynamics)
        world.soft_dynamics->setGravity(to_bullet(common->settings.gravity));
    for (int i = 0; i < world.movers.size(); i++) {
        const bullet_body &body = world.bodies[world.movers[i]];
        body_set_gravity(world, body);
        wake(body);
    }
}

static void world_set_ground(mmd_world *common)
{
    bullet_world &world = world_of(common);
    heap_scope scope(world.heap);
    forget_now(world);
    if (common->settings.ground)
        world.dynamics->addRigidBody(world.ground, 1, -1);
    else
        world.dynamics->removeRigidBody(world.ground);
    for (int i = 0; i < world.movers.size(); i++)
        wake(world.bodies[world.movers[i]]);
}

const mmd_physics_ops mmd_physics_bullet = {
    world_create,   world_destroy,        world_step,       world_hold,        world_place,
    world_correct,  world_place_soft,     world_impulse,    world_set_gravity, world_set_ground,
    world_contacts, world_trigger_events, world_state_size, world_save,        world_restore,
};
