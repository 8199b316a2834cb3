/*
 * The Bullet world behind mmd_world: declarations shared by the files of this folder.
 *
 * User pointers. The one of a collision object (rigid body, trigger, soft body, ground) points to its
 * bullet_object, that of a leaf shape to its bullet_shape. Both are NULL for objects that are not ours. User
 * indices 2 and 3 of objects are used by materials and soft bodies.
 *
 * Frames. Bullet's body frame is the centre of mass with the principal axes. bullet_body::com is that frame
 * relative to the scene's body frame.
 */
#ifndef MMD_PHYSICS_BULLET_WORLD_HPP
#define MMD_PHYSICS_BULLET_WORLD_HPP

#include "bullet.hpp"

#include "../backend.h"
#include "broadphase.hpp"
#include "heap.hpp"
#include "row_solver.hpp"
#include "soft_contacts.hpp"

struct bullet_world;
struct bullet_body;
class hull_cache;
struct soft_body;
struct mesh_hull;

/* A leaf shape, for filters and materials. */
struct bullet_shape {
    const mmd_physscene *scene;
    const mmd_phys_shape *source;
};

enum bullet_object_kind { BULLET_SOLID, BULLET_TRIGGER, BULLET_GROUND, BULLET_SOFT };

/* A collision object, for filters. */
struct bullet_object {
    bullet_object_kind kind;
    bullet_world *world;
    bullet_body *body; /* of solids and triggers */
    const mmd_physscene *scene;
    uint32_t number; /* index of the body (or soft body) in the world; MMD_GROUND */
    bool can_move;   /* dynamic, whether held or not */
    bool is_static;  /* static */
    bool grouped;    /* collides by one group and mask alone: */
    uint32_t bits, mask;
    const int32_t *filters; /* otherwise by these filters */
    uint32_t filter_count;
};

struct bullet_body {
    bullet_object solid, trigger;
    const mmd_phys_body *source;
    btRigidBody *rigid;        /* NULL: disabled */
    btCollisionObject *sensor; /* carries the trigger shapes; NULL: there are none */
    btTransform com, com_inverse;
    bool com_is_frame; /* com is the identity */
    btScalar mass;     /* mass passed to Bullet; the maximum for infinite mass, with a linear factor of 0 */
    btVector3 inertia;
    const uint32_t *apart; /* indices of bodies that a joint excludes from colliding with it */
    uint32_t apart_count;
};

struct bullet_joint {
    btTypedConstraint *constraint; /* NULL: disabled, or between two bodies that never move */
    const mmd_phys_joint *source;
};

/* Rejects pairs that can have no effect. */
struct pair_filter final : public btOverlapFilterCallback {
    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override;
};

/* Skips pairs of bodies that are held. */
struct pair_dispatcher final : public btCollisionDispatcher {
    using btCollisionDispatcher::btCollisionDispatcher;
    bool needsCollision(const btCollisionObject *a, const btCollisionObject *b) override;
};

struct bullet_world {
    bullet_heap heap; /* the first member, so that it is destroyed last */
    mmd_world *common;
    btCollisionConfiguration *configuration;
    pair_dispatcher *dispatcher;
    sweep_broadphase *broadphase;
    row_solver *solver;
    btDiscreteDynamicsWorld *dynamics;
    soft_world *soft_dynamics; /* the same world, if the scenes have soft bodies; else NULL */
    soft_solver *soft_constraints;
    pair_filter filter;
    bool sleepless; /* no body may sleep */

    btAlignedObjectArray<btCollisionShape *> shapes; /* all leaves and compounds */
    btAlignedObjectArray<btStridingMeshInterface *> meshes;
    hull_cache *hulls;           /* while bodies are created */
    bullet_shape *shape_tags;    /* of all shapes of all scenes */
    const uint32_t *first_shape; /* of each scene */
    bullet_body *bodies;
    bullet_joint *joints;
    btAlignedObjectArray<uint32_t> axes_joints; /* those of MMD_JOINT_LIMITS_AND_DRIVES, which have a state */
    bool two_frictions; /* some contact may have different static and dynamic friction */
    soft_body **softs;  /* of all scenes; NULL: there are none */
    bullet_object *soft_objects;
    btRigidBody *fixed; /* what joints to the world hold on to; not part of the world */
    btRigidBody *ground;
    bullet_object ground_object;

    btAlignedObjectArray<uint32_t> driven;  /* bodies that are kinematic or held at present, ascending */
    bool driven_listed;                     /* false: the next step lists them first */
    btAlignedObjectArray<uint32_t> movers;  /* dynamic bodies, whether held or not, ascending */
    btAlignedObjectArray<uint32_t> sensors; /* bodies with triggers, ascending */

    /* Which bodies touch which sensor: a bit for each, rows of touch_words; now and before the last step. */
    uint32_t touch_words;
    uint32_t *touching, *touched;

    /* Bodies recorded for forget_now, in order; by body its position there, from 1, and whether its joints
     * are included. */
    uint32_t *noted, *noted_order, noted_count;
    bool *noted_joints, any_noted_joints;

    bool has_fields;
    const uint32_t *field_order;
    uint8_t *inside;
};

/* Convert the scene's numbers to Bullet's. */
inline btVector3 to_bullet(const float v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

inline btTransform to_bullet(const mmd_transform &t)
{
    return btTransform(btQuaternion(t.rotation[0], t.rotation[1], t.rotation[2], t.rotation[3]),
                       to_bullet(t.translation));
}

/* Tests whether the world follows the rules of MMD's Bullet 2.75 (docs/mmd.md 5), not those of imported
 * scenes. */
inline bool like_mmd(const bullet_world &world)
{
    return !world.common->settings.exact_restitution;
}

inline bullet_object *object_of(const btCollisionObject *object)
{
    return static_cast<bullet_object *>(object->getUserPointer());
}

/* bodies.cpp: bodies_create creates all bodies of all scenes, in order, and adds them; false: out of
 * memory. */
bool bodies_create(bullet_world &world);
void bodies_destroy(bullet_world &world);
void ground_create(bullet_world &world);
void body_add(bullet_world &world, bullet_body &body);
void body_set_gravity(const bullet_world &world, const bullet_body &body);
/* Applies held to all bodies after it was restored. */
void bodies_apply_held(bullet_world &world);
/* Lists the bodies that are kinematic or held at present. Not called for each change, because many may
 * change at once. */
void driven_list(bullet_world &world);
/* Makes a dynamic body follow its target, or releases it, by world.common->held. */
void body_set_held(bullet_world &world, uint32_t number);
/* Places body and sensor as in the arrays of the world, with their velocities. */
void body_set_from_arrays(const bullet_world &world, uint32_t number);
/* Moves the sensor to the body. */
void sensor_follow(const bullet_world &world, const bullet_body &body);

/* bodies.cpp: record that the contacts of a body, and its joints' count of turns, are to be forgotten.
 * forget_now does it before contacts or joints are read, or the body moves. */
bool forget_create(bullet_world &world);
void body_forget_contacts(bullet_world &world, const bullet_body &body);
void body_forget_joints(bullet_world &world, const bullet_body &body);
void forget_now(bullet_world &world);

/* bodies.cpp: before and after a step. */
void driven_set_velocities(bullet_world &world);
void bodies_land(bullet_world &world);
void body_read(const bullet_world &world, uint32_t number);
bool body_is_finite(const bullet_body &body);

/* shapes.cpp */
btCollisionShape *shape_create(bullet_world &world, const mmd_physscene &scene, const mmd_phys_shape &shape,
                               bool moves);

/* The convex hulls of meshes, computed once for all bodies. */
class hull_cache
{
  public:
    hull_cache() = default;
    hull_cache(const hull_cache &) = delete;
    hull_cache &operator=(const hull_cache &) = delete;
    ~hull_cache();
    const mesh_hull &of(const mmd_phys_mesh &mesh);

  private:
    btHashMap<btHashPtr, mesh_hull *> hulls_;
};

/* Mass, centre of mass and inertia of a body, given by the file or computed from its shapes. */
struct mass_properties {
    btScalar mass; /* kg; 0: infinite */
    btVector3 center;
    btQuaternion rotation; /* of the principal axes */
    btVector3 inertia;     /* about the principal axes, kg units^2; 0: infinite */
};

/*
 * Computes the mass properties of a body. leaves are the Bullet shapes of its shapes. The inertia of a single
 * shape at the centre of its body is Bullet's, as in MMD. Otherwise it is that of the solids: exact, except
 * for tapered shapes and hulls, whose corners are integrated.
 */
mass_properties mass_of(const mmd_physscene &scene, const mmd_phys_body &body,
                        btCollisionShape *const *leaves, hull_cache &hulls);

/* joints.cpp */
bool joints_create(bullet_world &world);
void joints_destroy(bullet_world &world);
size_t joints_state_size(const bullet_world &world);
uint8_t *joints_save(const bullet_world &world, uint8_t *state);
const uint8_t *joints_restore(bullet_world &world, const uint8_t *state);

/* contacts.cpp: filters. */
void filters_install();
bool object_make_filter(bullet_object &object, const mmd_physscene &scene, const mmd_phys_body &body,
                        bool of_triggers, mmd_arena &arena);

/* Sets a single filter of the scene, or -1. */
bool object_set_filter(bullet_object &object, int32_t filter, mmd_arena &arena);

/* Contacts of two shapes, kept in a manifold. */
class manifold_contacts : public btCollisionAlgorithm
{
  public:
    manifold_contacts(const btCollisionAlgorithmConstructionInfo &info, const btCollisionObject *a,
                      const btCollisionObject *b)
        : btCollisionAlgorithm(info), manifold_(info.m_manifold), owned_(!info.m_manifold)
    {
        if (owned_)
            manifold_ = m_dispatcher->getNewManifold(a, b);
    }

    ~manifold_contacts() override
    {
        if (owned_)
            m_dispatcher->releaseManifold(manifold_);
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

  protected:
    btPersistentManifold *manifold_;
    bool owned_;
};

/* contacts.cpp: planes. Returns the algorithm for shapes of two types, for a collision configuration; NULL
 * if they are not a plane and a convex shape. It lives as long as the program. */
btCollisionAlgorithmCreateFunc *plane_contacts_for(int type_a, int type_b);

/* old_contacts.cpp: the same for two different ones of sphere, box and capsule, whose contacts Bullet 2.75
 * finds in another way than Bullet 3; NULL for all others. */
btCollisionAlgorithmCreateFunc *old_contacts_for(int type_a, int type_b);

/* near_pairs.cpp: processes a pair whose bounds overlap, as Bullet's callback. */
void pair_collide(btBroadphasePair &pair, btCollisionDispatcher &dispatcher, const btDispatcherInfo &info);

/* contacts.cpp: materials of shapes. */

/* Sets Bullet's global callback; may be called repeatedly, on any thread. Objects of other users are not
 * affected. */
void materials_install();

/*
 * Gives an object the materials of the body's shapes, which contacts look up by the bullet_shape of each leaf
 * shape. Uses the object's second user index. Not needed for the ground, whose own values apply.
 * exact_restitution is the setting of the world.
 */
void materials_bind(btCollisionObject &object, const mmd_physscene &scene, const mmd_phys_body &body,
                    bool exact_restitution);

/*
 * Sets, before a step, static or dynamic friction for contacts where the two differ. This takes a pass over
 * all contacts, and is not needed where materials_differ is false.
 */
void materials_update(btDispatcher &dispatcher);
bool materials_differ(const mmd_physscene &scene);

/* contacts.cpp: contacts and triggers. The first two are in the backend's table. */
size_t world_contacts(const mmd_world *common, mmd_contact *contacts, size_t max);
size_t world_trigger_events(const mmd_world *common, mmd_trigger_event *events, size_t max);
bool touches_create(bullet_world &world);
void touches_update(bullet_world &world);

/* Tests whether body `number` touched the trigger of body `trigger` in the last step. */
bool is_touching(const bullet_world &world, uint32_t trigger, uint32_t number);

/* soft_body.cpp */
/* Places all nodes as in the array of positions, with one velocity, and writes the normals. */
void soft_body_place(soft_body *body, const btVector3 &velocity);
bool softs_create(bullet_world &world);
void softs_destroy(bullet_world &world);
void softs_before_step(bullet_world &world);
void softs_after_step(bullet_world &world);
void softs_add(bullet_world &world);
void softs_remove(bullet_world &world);
size_t softs_state_size(const bullet_world &world);
uint8_t *softs_save(const bullet_world &world, uint8_t *state);
const uint8_t *softs_restore(bullet_world &world, const uint8_t *state);

/* snapshot.cpp: world_clear removes everything from the Bullet world; world_fill adds it in order, with
 * empty caches. */
void world_clear(bullet_world &world);
void world_fill(bullet_world &world);

/* The three functions for states in the backend's table. */
size_t world_state_size(const mmd_world *common);
void world_save(const mmd_world *common, uint8_t *state);
void world_restore(mmd_world *common, const uint8_t *state);

#endif
