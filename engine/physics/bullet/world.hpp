/*
 * The Bullet world behind mmd_world: what the files of this folder share.
 *
 * User pointers. A collision object's (rigid body, trigger, soft body, ground)
 * is its bullet_object; a leaf shape's is its bullet_shape. Both are NULL for
 * nothing that is ours. User indices 2 and 3 of objects are free for those
 * who bind materials and soft bodies.
 *
 * Frames. Bullet's body frame is the centre of mass with the principal axes;
 * bullet_body::com is that frame as seen from the scene's body frame.
 */
#ifndef MMD_PHYSICS_BULLET_WORLD_HPP
#define MMD_PHYSICS_BULLET_WORLD_HPP

#include <btBulletDynamicsCommon.h>

#include "../backend.h"
#include "broadphase.hpp"
#include "heap.hpp"
#include "soft_contacts.hpp"

struct bullet_world;
struct bullet_body;
class hull_cache;
struct soft_body;
struct mesh_hull;

/* A leaf shape, as filters and materials see it. */
struct bullet_shape {
    const mmd_physscene *scene;
    const mmd_phys_shape *source;
};

enum bullet_object_kind { BULLET_SOLID, BULLET_TRIGGER, BULLET_GROUND, BULLET_SOFT };

/* What a collision object is to filters. */
struct bullet_object {
    bullet_object_kind kind;
    bullet_world *world;
    bullet_body *body; /* of solids and triggers */
    const mmd_physscene *scene;
    uint32_t number; /* of the body (soft body) in the world; MMD_GROUND */
    bool can_move;   /* dynamic, held or not */
    bool stays;      /* static */
    bool grouped;    /* passes by one group and mask alone: */
    uint32_t bits, mask;
    const int32_t *filters; /* else by these */
    uint32_t filter_count;
};

struct bullet_body {
    bullet_object solid, trigger;
    const mmd_phys_body *source;
    btRigidBody *rigid;        /* NULL: disabled */
    btCollisionObject *sensor; /* carries the trigger shapes; NULL: there are none */
    btTransform com, com_inverse;
    bool com_is_frame; /* com is the identity */
    btScalar mass;     /* that Bullet is told: the largest for 0, whose linear factor is 0, too */
    btVector3 inertia;
    const uint32_t *apart; /* numbers of bodies that a joint keeps from colliding with it */
    uint32_t apart_count;
};

struct bullet_joint {
    btTypedConstraint *constraint; /* NULL: disabled, or between what never moves */
    const mmd_phys_joint *source;
};

/* Keeps pairs that cannot matter from being made. */
struct pair_filter final : public btOverlapFilterCallback {
    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override;
};

/* And those of bodies that are held from being looked at. */
struct pair_dispatcher final : public btCollisionDispatcher {
    using btCollisionDispatcher::btCollisionDispatcher;
    bool needsCollision(const btCollisionObject *a, const btCollisionObject *b) override;
};

struct bullet_world {
    bullet_heap heap; /* the first, so that it goes last */
    mmd_world *common;
    btCollisionConfiguration *configuration;
    pair_dispatcher *dispatcher;
    sweep_broadphase *broadphase;
    btSequentialImpulseConstraintSolver *solver;
    btDiscreteDynamicsWorld *dynamics;
    soft_world *soft_dynamics; /* the same, where the scenes have soft bodies; else NULL */
    soft_solver *soft_constraints;
    pair_filter filter;
    bool sleepless; /* no body may sleep */

    btAlignedObjectArray<btCollisionShape *> shapes; /* all, leaves and compounds */
    btAlignedObjectArray<btStridingMeshInterface *> meshes;
    hull_cache *hulls;           /* while bodies are made */
    bullet_shape *shape_tags;    /* of all shapes of all scenes */
    const uint32_t *first_shape; /* of each scene */
    bullet_body *bodies;
    bullet_joint *joints;
    btAlignedObjectArray<uint32_t> axes_joints; /* those of MMD_JOINT_LIMITS_AND_DRIVES, which have a state */
    bool two_frictions;                         /* some contact may have one at rest and one in motion */
    soft_body **softs;                          /* of all scenes; NULL: there are none */
    bullet_object *soft_objects;
    btRigidBody *fixed; /* what joints to the world hold on to; not in the world */
    btRigidBody *ground;
    bullet_object ground_object;

    btAlignedObjectArray<uint32_t> driven;  /* bodies that are kinematic or held now, ascending */
    bool driven_listed;                     /* else the next step lists them first */
    btAlignedObjectArray<uint32_t> movers;  /* dynamic bodies, held or not, ascending */
    btAlignedObjectArray<uint32_t> sensors; /* bodies with triggers, ascending */

    /* Which bodies touch which sensor, a bit each, rows of touch_words: now and before the last step. */
    uint32_t touch_words;
    uint32_t *touching, *touched;

    /* Bodies that are to forget (forget_now), in order; by body the place in it, from 1 on, and whether its
     * joints are to. */
    uint32_t *noted, *noted_order, noted_count;
    bool *noted_joints, any_noted_joints;

    bool has_fields;
    const uint32_t *field_order;
    uint8_t *inside;
};

/* Between the scene's numbers and Bullet's. */
inline btVector3 to_bullet(const float v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

inline btTransform to_bullet(const mmd_transform &t)
{
    return btTransform(btQuaternion(t.rotation[0], t.rotation[1], t.rotation[2], t.rotation[3]),
                       to_bullet(t.translation));
}

inline bullet_object *object_of(const btCollisionObject *object)
{
    return static_cast<bullet_object *>(object->getUserPointer());
}

/* bodies.cpp: makes all bodies of all scenes, in order, and adds them; false: out of memory. */
bool bodies_create(bullet_world &world);
void bodies_destroy(bullet_world &world);
void ground_create(bullet_world &world);
void body_add(bullet_world &world, bullet_body &body);
void body_set_gravity(const bullet_world &world, const bullet_body &body);
/* All of them at once, after held was restored. */
void bodies_apply_held(bullet_world &world);
/* Lists what is kinematic or held now; not with each of many that change at once. */
void driven_list(bullet_world &world);
/* Makes a dynamic body go where it is told, or lets it go, by world.common->held. */
void body_set_held(bullet_world &world, uint32_t number);
/* Puts body and sensor where the arrays of the world say, with their velocities. */
void body_set_from_arrays(const bullet_world &world, uint32_t number);
/* Moves the sensor to where the body is. */
void sensor_follow(const bullet_world &world, const bullet_body &body);

/* bodies.cpp: forgets all that the body touches; and how often its joints turned, too. Done by forget_now,
 * before contacts or joints are looked at, or the body is moved on. */
bool forget_create(bullet_world &world);
void body_forget_contacts(bullet_world &world, const bullet_body &body);
void body_forget_joints(bullet_world &world, const bullet_body &body);
void forget_now(bullet_world &world);

/* bodies.cpp: one step's way in and out. */
void driven_set_velocities(bullet_world &world);
void bodies_land(bullet_world &world);
void body_read(const bullet_world &world, uint32_t number);
bool body_is_finite(const bullet_body &body);

/* shapes.cpp */
btCollisionShape *shape_create(bullet_world &world, const mmd_physscene &scene, const mmd_phys_shape &shape,
                               bool moves);

/* The convex hulls of meshes, made once for all bodies that have them. */
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

/* Mass, centre of mass and inertia of a body, given or from its shapes. */
struct mass_properties {
    btScalar mass; /* kg; 0: infinite */
    btVector3 center;
    btQuaternion rotation; /* of the principal axes */
    btVector3 inertia;     /* about them, kg units^2; 0: infinite */
};

/*
 * What body weighs. leaves are its shapes' Bullet shapes. The inertia of one
 * shape that is centred on its body is what Bullet says of the shape, as in
 * MMD; else it is that of the solids, exact for all but tapered shapes and
 * hulls, whose corners are integrated.
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

/* What collides by one filter of the scene, or -1. */
bool object_set_filter(bullet_object &object, int32_t filter, mmd_arena &arena);

/* contacts.cpp: planes. The algorithm for shapes of two types, which a collision configuration hands out;
 * NULL: not a plane and a convex shape. It lives as long as the program. */
btCollisionAlgorithmCreateFunc *plane_contacts_for(int type_a, int type_b);

/* contacts.cpp: materials of shapes. */

/* Sets Bullet's process-wide callback; any thread, as often as one likes. Others' objects are left alone. */
void materials_install();

/*
 * Gives the object the materials of the body's shapes, which contacts look up
 * by the bullet_shape that each leaf shape points at. Takes the object's
 * second user index. The ground needs none: its own numbers count.
 * exact_restitution is that of the world it is in, whatever its scene says.
 */
void materials_bind(btCollisionObject &object, const mmd_physscene &scene, const mmd_phys_body &body,
                    bool exact_restitution);

/*
 * Before a step: contacts that slide get the friction of motion, the others
 * that of rest, where the two differ. Costs a pass over the contacts; not
 * needed where materials_differ is false.
 */
void materials_update(btDispatcher &dispatcher);
bool materials_differ(const mmd_physscene &scene);

/* contacts.cpp: what touched. The first two are of the backend's table. */
size_t world_contacts(const mmd_world *common, mmd_contact *contacts, size_t max);
size_t world_trigger_events(const mmd_world *common, mmd_trigger_event *events, size_t max);
bool touches_create(bullet_world &world);
void touches_update(bullet_world &world);

/* Whether body `number` touched the trigger of body `trigger` in the last step. */
bool is_touching(const bullet_world &world, uint32_t trigger, uint32_t number);

/* soft_body.cpp */
/* Nodes go to where the array of positions has them, all with one velocity. Writes the normals. */
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

/* snapshot.cpp: takes everything out of the Bullet world; and puts it in, in order, all caches empty. */
void world_clear(bullet_world &world);
void world_fill(bullet_world &world);

/* And the three functions of the backend's table about states. */
size_t world_state_size(const mmd_world *common);
void world_save(const mmd_world *common, uint8_t *state);
void world_restore(mmd_world *common, const uint8_t *state);

#endif
