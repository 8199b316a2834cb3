/*
 * Physics on a stage: couples the bones of actors with the bodies of worlds,
 * and keeps physics' own clock (docs/architecture.md, Physics time).
 *
 * Steps lie at k / rate seconds of motion time. The state after step k is a
 * function of the models, the motions, what was set by hand and the options,
 * and of nothing else: not of the display rate, the frames that were asked
 * for, the number of threads, or the way to it. So going to a frame equals
 * playing to it bit for bit. Between two steps bodies are drawn between their
 * two states. Step 0 is the reset at frame 0; a model that becomes visible is
 * reset at that step.
 *
 * Every MMD_PHYSICS_REBUILD_SECONDS of motion time the worlds are rebuilt from
 * their own state, in playing and in seeking alike; these states are kept as
 * snapshots, to seek from, as far as cache_bytes allows.
 *
 * What a person changes by hand (a morph, a bone, a place) is a correction and
 * no movement: as long as the frame stands, what swings is carried along, each
 * body by the nearest bone that it hangs on and that physics does not move
 * (through its joints, else its bone's parents), soft bodies by their pins.
 * Only what is drawn is; a change that is taken back is drawn back bit for bit.
 * With the next frame the states are carried in the same way, velocities
 * turned along (soft bodies begin at rest), and the snapshots are thrown away:
 * going forward goes on from there, going back begins at frame 0 anew, as the
 * files with the changes say. Options throw the snapshots away at once. Before
 * step 1 a change is as good as one made before the beginning.
 *
 * There is no reset in place: MMD's (docs/mmd.md 5.5) mends what seeking tore, which
 * cannot happen here, and would make frames depend on when it was asked for.
 * mmd_stage_set_physics with the same options begins at frame 0 anew, which
 * forgets what changes by hand carried along.
 *
 * An actor that is staged in another size has bodies, joints and soft bodies
 * of that size (of frame 0, where keys say it; between 0.01 and 100), in the
 * same world and under the same gravity as everybody: it meets others where it
 * is drawn, and a giant's hair swings slowly. Masses stay as they are. Another
 * size by hand begins at frame 0 anew when time goes on.
 *
 * Bodies of models that are not visible, and of bones whose last key switches
 * physics off, are held: they follow their bones. A held body that is let go
 * begins where it is. A key counts from its frame on (docs/mmd.md 3.5), and until
 * then the one before it: between "on" and "off" a bone is simulated. nanoem
 * leads it from where physics had it at the first key to the pose of the
 * second; no other program does, nor does anybody know it of MMD.
 */
#ifndef MMD_SIMULATION_H
#define MMD_SIMULATION_H

#include "mmd/actor.h"
#include "mmd/physics.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MMD_PHYSICS_REBUILD_SECONDS 2

typedef struct mmd_physics_options {
    mmd_physics_backend backend;
    uint32_t rate;       /* steps a second, 20 to 2000 */
    uint32_t iterations; /* of the solver */
    float gravity[3];    /* units/s^2 */
    float joint_erp;     /* as in mmd_phys_world, and so are */
    uint8_t joint_lever;
    uint8_t damping;
    bool exact_restitution;
    bool ground;        /* a plane at y = 0 */
    bool shared_world;  /* all actors in one world, as in MMD; else one each, which threads can share */
    bool joined_mode_2; /* a body that keeps its bone's position and is joined to a moving body of its
                           parent bone is simulated in full (docs/mmd.md 5.3) */
    bool run_ahead;     /* simulates the next frames on a thread of its own while this one is drawn */
    uint32_t threads;   /* for worlds of their own; 0 and 1: none beside the caller's (and run_ahead's) */
    size_t cache_bytes; /* for snapshots; thinned out evenly where they do not fit */
} mmd_physics_options;

/* Bullet, 60 Hz, 10 iterations, gravity 98 down, ERP 0.475, own levers, ground, one world, run ahead,
 * 64 MiB. */
mmd_physics_options mmd_default_physics_options(void);

/*
 * Switches physics on with these options, or off with NULL: that is a stage's
 * default. Resets. Actors and motions may be added later; that resets too.
 * Poses show it from the next mmd_stage_set_frame on, whose cost is that of
 * the steps up to its frame. MMD_ERROR_MEMORY, or what mmd_physscene_check
 * says of a model; after an error all is as it was.
 */
mmd_status mmd_stage_set_physics(mmd_stage *stage, const mmd_physics_options *options, mmd_error *error);

/* The options in use, or NULL where physics is off. */
const mmd_physics_options *mmd_stage_physics(const mmd_stage *stage);

/*
 * Another gravity or ground without a reset: what was simulated stays, as with
 * everything changed by hand (above). The gravity takes the place of keys. Does
 * nothing else where physics is off.
 */
void mmd_stage_set_gravity(mmd_stage *stage, const float gravity[3]);
void mmd_stage_set_ground(mmd_stage *stage, bool on);

/* Gravity from a frame on: strength in units/s^2 times direction, which need not be of unit length. */
typedef struct mmd_gravity_key {
    uint32_t frame;
    float strength, direction[3];
} mmd_gravity_key;

/*
 * Gravity by keys, in place of the options': strength and direction are linear
 * between them, each step has that of its own frame (before the first key and
 * behind the last: that one's), whatever the way to it. At least one key,
 * ascending by frame, finite, copied; NULL: none. They stay on the stage when
 * physics is switched off and on, until mmd_stage_set_gravity. Simulates anew
 * from the beginning. MMD_ERROR_MEMORY, and all is as it was.
 */
mmd_status mmd_stage_set_gravity_keys(mmd_stage *stage, const mmd_gravity_key *keys, size_t count,
                                      mmd_error *error);
bool mmd_stage_has_gravity_keys(const mmd_stage *stage);

/* The gravity of a frame: the keys', else the options'; where physics is off and there are no keys, zeros. */
void mmd_stage_gravity_at(const mmd_stage *stage, double frame, float gravity[3]);

/*
 * Bodies of an actor at the stage's frame, in the world, as many as its
 * model's; where physics is off, at their bones. Valid until the next frame.
 * NULL: out of memory, only where physics is off.
 */
const mmd_transform *mmd_stage_bodies(mmd_stage *stage, size_t actor);

/* The scene that an actor's bodies and joints come from; NULL where physics is off or the model has none. */
const mmd_physscene *mmd_stage_physscene(const mmd_stage *stage, size_t actor);

/* Whether body is simulated at the stage's frame: dynamic, not switched off by a key, and physics is on. */
bool mmd_stage_body_simulated(const mmd_stage *stage, size_t actor, uint32_t body);

/*
 * Places of bodies and joints in their model at rest, in place of what its
 * file says: where the simulation begins with them. A body's joints stay where
 * they are, and a joint's bodies do. scale multiplies what its shapes measure
 * along the body's axes (round ones go by the largest across); masses stay.
 * Placing begins at frame 0 anew; NULL gives the place back to the file.
 * Numbers are finite, rotations of unit length, scales above 0. MMD_ERROR_MEMORY,
 * or what mmd_physscene_check says; all is as it was then.
 */
typedef struct mmd_body_transform {
    mmd_transform rest;
    float scale[3];
} mmd_body_transform;
mmd_status mmd_stage_place_body(mmd_stage *stage, size_t actor, uint32_t body,
                                const mmd_body_transform *transform, mmd_error *error);
mmd_status mmd_stage_place_joint(mmd_stage *stage, size_t actor, uint32_t joint,
                                 const mmd_transform *transform, mmd_error *error);

/* Where they are: true, and the place, if it is by hand; false, and what the file says (transform untouched
 * without memory). */
bool mmd_stage_body_transform(mmd_stage *stage, size_t actor, uint32_t body, mmd_body_transform *transform);
bool mmd_stage_joint_transform(mmd_stage *stage, size_t actor, uint32_t joint, mmd_transform *transform);

/* Nodes of a soft body of an actor at the stage's frame, in the world: positions and normals (between two
 * steps not quite of unit length). NULL where physics is off. */
const float (*mmd_stage_soft_positions(const mmd_stage *stage, size_t actor, uint32_t soft))[4];
const float (*mmd_stage_soft_normals(const mmd_stage *stage, size_t actor, uint32_t soft))[4];

/* Contacts at the step before the stage's frame, body numbers counted as in `actor`'s model; bodies of others
 * are given as MMD_OTHER. Writes at most max, returns how many there are. They are kept from the first
 * question on; after a change by hand that one finds none. */
#define MMD_OTHER (UINT32_MAX - 1)
size_t mmd_stage_contacts(mmd_stage *stage, size_t actor, mmd_contact *contacts, size_t max);

/* What is known of the simulation so far. */
typedef struct mmd_physics_report {
    uint64_t steps;        /* that were computed since physics was switched on */
    uint64_t replayed;     /* of these, after going back to a snapshot */
    uint64_t reset_bodies; /* bodies and soft bodies put back (once counted a body and step) */
    bool repeats;       /* all motions have ended and states repeat themselves, bit for bit: any later frame
                           costs a round of them at most */
    uint32_t snapshots; /* kept now */
    size_t snapshot_bytes;
    double step_seconds; /* spent in steps of the worlds, and */
    double pose_seconds; /* in poses for them, over all threads */
} mmd_physics_report;
mmd_physics_report mmd_stage_physics_report(mmd_stage *stage);

/*
 * Bodies of an actor that a step reset to their bones and that were not since the reset:
 * they were no longer finite, faster than 1,000 units a second, or farther
 * from the body they hang on than three times their chain; or that leapt, as
 * where a motion puts its model somewhere else. Soft bodies, too.
 */
typedef struct mmd_reset_bodies {
    size_t actor;
    double frame;
    const char *reason; /* of the first: "faster than 1,000 units/s" */
    uint32_t body_count, soft_count;
    const uint32_t *bodies, *softs; /* numbers in the actor's scene, ascending; valid during the call */
} mmd_reset_bodies;

/* Called from mmd_stage_set_frame, in the caller's thread: once a step and actor. It must not change the
 * stage. */
typedef void mmd_reset_bodies_function(void *context, const mmd_reset_bodies *what);
void mmd_stage_on_reset_bodies(mmd_stage *stage, mmd_reset_bodies_function *function, void *context);

/*
 * A body began or ended to touch a trigger. Actors and bodies are numbered as
 * on the stage and in the actors' scenes.
 */
typedef struct mmd_stage_trigger_event {
    double frame; /* of the step */
    size_t trigger_actor, other_actor;
    uint32_t trigger, other;
    bool begins; /* else it ends */
} mmd_stage_trigger_event;

/*
 * Called from mmd_stage_set_frame, in the caller's thread, for all such of
 * every step that it computes on its way, step by step; after going back those
 * of steps that have to be computed again come again. It must not change the stage. NULL: no more. What was
 * simulated before is not told of: set it before the first frame.
 */
typedef void mmd_trigger_function(void *context, const mmd_stage_trigger_event *what);
void mmd_stage_on_trigger(mmd_stage *stage, mmd_trigger_function *function, void *context);

/*
 * Called from mmd_stage_set_frame, in the caller's thread, each time that it
 * has simulated MMD_PHYSICS_REBUILD_SECONDS of motion on its way to a frame:
 * at which it is now, and to which it goes. It must not change the stage.
 */
typedef void mmd_simulating_function(void *context, double frame, double goal);
void mmd_stage_on_simulating(mmd_stage *stage, mmd_simulating_function *function, void *context);

/* Waits until nothing is simulated beside the caller. What changes models, motions or poses by other ways
 * than this module's functions calls it first. */
void mmd_stage_settle(mmd_stage *stage);

#ifdef __cplusplus
}
#endif

#endif
