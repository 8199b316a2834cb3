/*
 * Physics worlds simulate physics scenes. There are two backends behind one interface: a null backend, in
 * which only kinematic bodies move, and Bullet 3.24.
 *
 * A world may be used by one thread at a time, different worlds by different threads. Data that passes in or
 * out per step is an array over all bodies. After a warm-up a step allocates nothing.
 *
 * Determinism: the result of mmd_world_step depends only on the scenes, the settings, the last restored state
 * and what was set since then. mmd_world_restore rebuilds the world in a canonical way: two worlds of the
 * same scenes continue bit for bit alike after restoring the same state, whatever happened before
 * (docs/architecture.md, Physics time).
 */
#ifndef MMD_PHYSICS_H
#define MMD_PHYSICS_H

#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_world mmd_world;

typedef enum mmd_physics_backend { MMD_PHYSICS_NULL, MMD_PHYSICS_BULLET } mmd_physics_backend;

typedef struct mmd_velocity {
    float linear[4], angular[4]; /* units/s and radians/s in world space; the fourth number is 0 */
} mmd_velocity;

/*
 * Computes the start velocity of a body at the origin of its frame at rest. A file gives the velocity of the
 * centre of mass, as Bullet, PhysX and Havok do, which the rotation does not move. A centre of mass that is
 * computed from shapes is treated as the origin. May be called from any thread.
 */
void mmd_phys_start_velocity(const mmd_phys_body *body, mmd_velocity *velocity);

/*
 * Creates a world of several scenes at rest. Bodies, joints and soft bodies are numbered scene after scene.
 * settings replaces the scenes' own `world`, which is ignored. The scenes must outlive the world and have
 * passed mmd_physscene_check. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_world_create(mmd_physics_backend backend, const mmd_phys_world *settings,
                            const mmd_physscene *const *scenes, size_t scene_count, mmd_world **world,
                            mmd_error *error);
void mmd_world_destroy(mmd_world *world); /* NULL is allowed */

uint32_t mmd_world_body_count(const mmd_world *world);
/* Returns the number of the first soft body of a scene; for scene = scene_count, the number of all soft
 * bodies. */
uint32_t mmd_world_first_soft_body(const mmd_world *world, size_t scene);

/* ------------------------------------------------------------- inputs */

/*
 * Sets the transforms of kinematic bodies at the end of the next step, one element per body of the world
 * (those of other bodies are ignored). The bodies move there with the velocity that this takes. Copied. Until
 * the next call they do not move, except those with a velocity of their own, which continue; targets must
 * then include their movement.
 */
void mmd_world_set_targets(mmd_world *world, const mmd_transform *targets);

/*
 * Sets which dynamic bodies are held, i.e. temporarily kinematic: one byte per body of the world. A released
 * body keeps its transform and the velocity of its last move. Unchanged bodies cost nothing. Copied.
 */
void mmd_world_set_held(mmd_world *world, const uint8_t *held);

/* Moves bodies to transforms with given velocities (NULL: none) and drops their contacts. All arrays have
 * count elements. */
void mmd_world_place(mmd_world *world, uint32_t count, const uint32_t *bodies,
                     const mmd_transform *transforms, const mmd_velocity *velocities);

/* Corrects the positions of dynamic bodies after a step without changing velocities, contacts or anything
 * else. */
void mmd_world_correct(mmd_world *world, uint32_t count, const uint32_t *bodies, const float (*positions)[4]);

/* Moves the nodes of a soft body, all with one velocity (NULL: none), and drops its contacts and forces.
 * There is one finite position per node. */
void mmd_world_place_soft(mmd_world *world, uint32_t soft, const float (*positions)[4],
                          const float velocity[3]);

/* An impulse on a body, in world space or in the body's axes. linear is mass times velocity. */
typedef struct mmd_impulse {
    uint32_t body;
    bool local;
    bool stop; /* stops the body instead */
    float linear[3], angular[3];
} mmd_impulse;
/* Applies count impulses. They act on the velocities at once; kinematic and held bodies ignore them. */
void mmd_world_impulse(mmd_world *world, uint32_t count, const mmd_impulse *impulses);

/* Sets the positions of a soft body's pinned nodes at the end of the next step, in the order of its pins. */
void mmd_world_set_pins(mmd_world *world, uint32_t soft, const float (*positions)[3]);

/* Set gravity in units/s^2, and switch the ground plane on or off, from the next step on. */
void mmd_world_set_gravity(mmd_world *world, const float gravity[3]);
void mmd_world_set_ground(mmd_world *world, bool on);

/* ------------------------------------------------------------ the step */

/* Advances the world by 1 / settings->rate seconds. If Bullet needs more memory and there is none, the
 * process aborts. */
void mmd_world_step(mmd_world *world);

/* ------------------------------------------------------------- results */

/* Return the frames of all bodies (not their centres of mass) and the velocities at the frames' origins.
 * Valid until the world changes. */
const mmd_transform *mmd_world_transforms(const mmd_world *world);
const mmd_velocity *mmd_world_velocities(const mmd_world *world);

/* Return the positions and unit normals of a soft body's nodes. Valid until the next step. */
const float (*mmd_world_soft_positions(const mmd_world *world, uint32_t soft))[4];
const float (*mmd_world_soft_normals(const mmd_world *world, uint32_t soft))[4];

/* Returns whether the last step moved some part of the soft body to a non-finite position or out of range.
 * The body was then reset to its rest shape at its first anchor's body or at its pins. */
bool mmd_world_soft_was_lost(const mmd_world *world, uint32_t soft);

typedef struct mmd_contact {
    uint32_t body_a, body_b; /* MMD_GROUND: the ground */
    float position[3];       /* on B, in world space */
    float normal[3];         /* from B to A */
    float depth;             /* penetration depth; negative: separated */
    float impulse;           /* of the last solver iteration */
} mmd_contact;
#define MMD_GROUND UINT32_MAX

/* Writes at most max contacts of the last step and returns how many there are. For drawing and tests. */
size_t mmd_world_contacts(const mmd_world *world, mmd_contact *contacts, size_t max);

typedef struct mmd_trigger_event {
    uint32_t trigger, other; /* bodies */
    bool begins;             /* else it ends */
} mmd_trigger_event;

/* Writes at most max trigger events of the last step, in the order of body numbers, and returns how many
 * there are. */
size_t mmd_world_trigger_events(const mmd_world *world, mmd_trigger_event *events, size_t max);

/* Computes the two attachment frames of a joint in world space from the transforms of all bodies (as from
 * mmd_world_transforms). */
void mmd_joint_frames(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies,
                      mmd_transform *frame_a, mmd_transform *frame_b);

/* How far a joint's frames exceed its limits, the largest of each kind. */
typedef struct mmd_joint_excess {
    float linear;  /* units */
    float angular; /* radians; only for MMD_JOINT_LIMITS_AND_DRIVES */
} mmd_joint_excess;

/* Returns how far a joint exceeds its limits, or zeros. Soft limits are springs and cannot be exceeded. A
 * twist is known only up to whole turns. */
mmd_joint_excess mmd_joint_find_excess(const mmd_physscene *scene, uint32_t joint,
                                       const mmd_transform *frame_a, const mmd_transform *frame_b);

/* ------------------------------------------------------------ snapshots */

/*
 * mmd_world_save writes the whole state, mmd_world_state_size bytes without pointers, valid for all worlds of
 * the same scenes. mmd_world_restore rebuilds the world from it: contacts, warm starts, solver and broadphase
 * start anew.
 */
size_t mmd_world_state_size(const mmd_world *world);
void mmd_world_save(const mmd_world *world, void *state);
void mmd_world_restore(mmd_world *world, const void *state);

#ifdef __cplusplus
}
#endif

#endif
