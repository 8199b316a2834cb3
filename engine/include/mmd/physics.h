/*
 * The world: steps a physics scene. One interface, two backends: a null one,
 * in which nothing moves but what is told to, and Bullet (3.24).
 *
 * A world belongs to one thread at a time; different worlds may be stepped by
 * different threads. Everything that goes in or out in the loop is an array
 * over all bodies; a step allocates nothing once the world has run for a while.
 *
 * Determinism: what mmd_world_step computes depends on the scenes, the
 * settings, the state restored last and what was set since, and on nothing
 * else. mmd_world_restore rebuilds the world canonically: two worlds of the
 * same scenes that restored the same state go on bit for bit alike, whatever
 * they did before (docs/architecture.md, Physics time).
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
    float linear[4], angular[4]; /* units and radians a second in the world; the fourth is 0 */
} mmd_velocity;

/*
 * The velocity that a body's file gives it, at its frame's origin at rest: the
 * file means the centre of mass (as Bullet, PhysX and Havok do), which turns
 * nothing. A centre that shapes give counts as the origin. Any thread.
 */
void mmd_phys_start_velocity(const mmd_phys_body *body, mmd_velocity *velocity);

/*
 * Makes a world of scenes side by side, in their state at rest: the bodies of
 * the first come first, and so do joints and soft bodies. settings says what
 * the scenes' own `world` says (which is not looked at). The scenes must
 * outlive the world and have passed mmd_physscene_check. MMD_ERROR_MEMORY.
 */
mmd_status mmd_world_create(mmd_physics_backend backend, const mmd_phys_world *settings,
                            const mmd_physscene *const *scenes, size_t scene_count, mmd_world **world,
                            mmd_error *error);
void mmd_world_destroy(mmd_world *world); /* NULL is allowed */

uint32_t mmd_world_body_count(const mmd_world *world);
/* Number of the first soft body of scene i; of i = scene_count, how many there are. */
uint32_t mmd_world_first_soft_body(const mmd_world *world, size_t scene);

/* ------------------------------------------------------- what goes in */

/*
 * Where kinematic bodies are at the end of the next step, one transform a body
 * of the world (those of other bodies are not looked at); they get there with
 * the velocity that this takes. Copied. Until called again they stand still,
 * but those with a velocity of their own go on by it: who sets targets has
 * those where they are to be, too.
 */
void mmd_world_set_targets(mmd_world *world, const mmd_transform *targets);

/*
 * Which dynamic bodies are held, that is kinematic for now: a byte for each
 * body of the world. A body that is let go keeps its place and the velocity of
 * its last move. Those that do not change cost nothing. Copied.
 */
void mmd_world_set_held(mmd_world *world, const uint8_t *held);

/* Puts bodies somewhere with some velocity (NULL: none), forgetting their contacts. count of each array. */
void mmd_world_place(mmd_world *world, uint32_t count, const uint32_t *bodies,
                     const mmd_transform *transforms, const mmd_velocity *velocities);

/* Corrects the positions of dynamic bodies after a step and leaves velocities, contacts and all else alone.
 */
void mmd_world_correct(mmd_world *world, uint32_t count, const uint32_t *bodies, const float (*positions)[4]);

/* Puts the nodes of a soft body somewhere, all with one velocity (NULL: none), forgetting their contacts and
 * all forces; positions are finite and as many as its node_count. */
void mmd_world_place_soft(mmd_world *world, uint32_t soft, const float (*positions)[4],
                          const float velocity[3]);

/* Adds impulses (linear: mass times velocity; angular) to bodies, in the world or in the body's own axes. */
typedef struct mmd_impulse {
    uint32_t body;
    bool local;
    bool stop; /* takes the body's velocities away instead */
    float linear[3], angular[3];
} mmd_impulse;
void mmd_world_impulse(mmd_world *world, uint32_t count, const mmd_impulse *impulses);

/* Pins of soft body `soft`: where its pinned nodes are at the end of the next step, in the order of its pins.
 */
void mmd_world_set_pins(mmd_world *world, uint32_t soft, const float (*positions)[3]);

void mmd_world_set_gravity(mmd_world *world, const float gravity[3]);
void mmd_world_set_ground(mmd_world *world, bool on);

/* ------------------------------------------------------------ the step */

/* One step of 1 / settings->rate seconds. Where Bullet has to grow and there is no memory, the program ends.
 */
void mmd_world_step(mmd_world *world);

/* ------------------------------------------------------ what comes out */

/* Frames (not centres of mass) of all bodies, and velocities at their origins. Valid until the world changes.
 */
const mmd_transform *mmd_world_transforms(const mmd_world *world);
const mmd_velocity *mmd_world_velocities(const mmd_world *world);

/* Nodes of a soft body: positions and unit normals, as many as its node_count. Valid until the next step. */
const float (*mmd_world_soft_positions(const mmd_world *world, uint32_t soft))[4];
const float (*mmd_world_soft_normals(const mmd_world *world, uint32_t soft))[4];

/* Whether the last step made something of the soft body that is no number, or too far from the middle for
 * any; it stands at rest again then, where the first thing that holds it is. */
bool mmd_world_soft_was_lost(const mmd_world *world, uint32_t soft);

typedef struct mmd_contact {
    uint32_t body_a, body_b; /* MMD_GROUND: the ground */
    float position[3];       /* on B, in the world */
    float normal[3];         /* from B to A */
    float depth;             /* negative: still apart */
    float impulse;           /* of the last solver step */
} mmd_contact;
#define MMD_GROUND UINT32_MAX

/* Contacts of the last step: writes at most max, returns how many there are. For drawing and tests. */
size_t mmd_world_contacts(const mmd_world *world, mmd_contact *contacts, size_t max);

typedef struct mmd_trigger_event {
    uint32_t trigger, other; /* bodies */
    bool begins;             /* else it ends */
} mmd_trigger_event;

/* What began and ended in the last step, in the order of body numbers: writes at most max, returns how many.
 */
size_t mmd_world_trigger_events(const mmd_world *world, mmd_trigger_event *events, size_t max);

/* The two attachment frames of a joint in the world, at transforms of all bodies (as from
 * mmd_world_transforms). */
void mmd_joint_frames(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies,
                      mmd_transform *frame_a, mmd_transform *frame_b);

/* How far a joint's frames are beyond its limits, the worst of each kind. */
typedef struct mmd_joint_excess {
    float linear;  /* units */
    float angular; /* radians; of MMD_JOINT_LIMITS_AND_DRIVES alone */
} mmd_joint_excess;

/* Zeros where it holds. Soft limits are springs, and nothing is beyond them; a twist is known but for whole
 * turns. */
mmd_joint_excess mmd_joint_find_excess(const mmd_physscene *scene, uint32_t joint,
                                       const mmd_transform *frame_a, const mmd_transform *frame_b);

/* ------------------------------------------------------------ snapshots */

/*
 * The whole state as bytes without pointers, the same for all worlds of the
 * same scenes. save writes mmd_world_state_size bytes. restore is the
 * canonical rebuild: contacts, warm starts, solver and broadphase begin anew.
 */
size_t mmd_world_state_size(const mmd_world *world);
void mmd_world_save(const mmd_world *world, void *state);
void mmd_world_restore(mmd_world *world, const void *state);

#ifdef __cplusplus
}
#endif

#endif
