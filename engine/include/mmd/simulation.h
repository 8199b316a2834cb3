/*
 * Physics on a stage: connects the bones of actors with the bodies of worlds and keeps the clock of physics
 * (docs/architecture.md, Physics time).
 *
 * Steps are at k / rate seconds of motion time. The state after step k is a function of the models, the
 * motions, settings made by hand and the options only. It does not depend on the display rate, earlier
 * frames, the number of threads or the path to the frame: jumping to a frame gives the same bits as playing
 * to it. Between two steps, bodies are interpolated between their states. Step 0 is the reset at frame 0. A
 * model that becomes visible is reset at that step.
 *
 * Every MMD_PHYSICS_REBUILD_SECONDS of motion time the worlds are rebuilt from their own state, both in
 * playback and in seeking. These states are stored as snapshots for seeking, up to cache_bytes.
 *
 * A change by hand (of a morph, bone or placement) is a correction, not a movement. While the frame stays the
 * same, swinging parts move along: each body with the nearest bone that it depends on and that physics does
 * not move (through its joints, else its bone's parents), soft bodies with their pins. Only the drawn
 * transforms change, so reverting the change restores the picture bit for bit. At the next frame the states
 * are moved in the same way, with their velocities rotated (soft bodies start at rest), and the snapshots are
 * discarded. Going forward continues from there; going back starts again from frame 0 with the change
 * applied. Changes of options discard the snapshots at once. A change before step 1 acts as if it had been
 * made before the start.
 *
 * There is no reset in place. MMD's (docs/mmd.md 5.5) repairs what seeking tore apart, which cannot happen
 * here, and it would make frames depend on when it was requested. mmd_stage_set_physics with the same options
 * starts again from frame 0 and discards the effects of changes by hand on the states.
 *
 * An actor with a scaled staging has bodies, joints and soft bodies of that size (with staging keys, that of
 * frame 0; limited to 0.01..100) in the same world and with the same gravity as the others. It collides where
 * it is drawn, and a giant's hair swings slowly. Masses do not change. Changing the size by hand restarts
 * physics from frame 0 when time advances.
 *
 * Bodies are held, i.e. follow their bones, while their model is invisible or the last key of their bone
 * switches physics off. A released body starts where it is. A key applies from its frame on (docs/mmd.md
 * 3.5): between an "on" key and an "off" key the bone is simulated. nanoem instead moves it from its
 * simulated transform at the first key to the pose of the second; no other program is known to do so, and
 * nothing is known about MMD.
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
    uint32_t rate;       /* steps per second, 20 to 2000 */
    uint32_t iterations; /* solver iterations */
    float gravity[3];    /* units/s^2 */
    float joint_erp;     /* this and the next three as in mmd_phys_world */
    uint8_t joint_lever;
    uint8_t damping;
    bool exact_restitution;
    bool ground;        /* a ground plane at y = 0 */
    bool shared_world;  /* all actors in one world, as in MMD; false: one world per actor, which threads
                           can simulate in parallel */
    bool joined_mode_2; /* a mode 2 body that is joined to a moving body of its parent bone is simulated in
                           full (docs/mmd.md 5.3) */
    bool run_ahead;     /* simulates the next frames on a separate thread while this one is drawn */
    uint32_t threads;   /* for separate worlds; 0 and 1: only the caller's (and that of run_ahead) */
    size_t cache_bytes; /* memory for snapshots, which are thinned out evenly if it does not suffice */
} mmd_physics_options;

/* Returns the default: Bullet, 60 Hz, 10 iterations, gravity 98 down, ERP 0.5, stock levers, ground, one
 * world, run ahead, 64 MiB. */
mmd_physics_options mmd_default_physics_options(void);

/* Takes over what the world of an interchange file says: rate, solver, gravity, joints, damping, restitution,
 * ground. */
void mmd_physics_options_take(mmd_physics_options *options, const mmd_phys_world *world);

/*
 * Switches physics on with these options, or off with NULL, which is the default. Resets physics, as does
 * adding actors or motions later. Poses include physics from the next mmd_stage_set_frame on, which computes
 * all steps up to its frame. Fails with MMD_ERROR_MEMORY or an error of mmd_physscene_check for a model;
 * nothing is changed then.
 */
mmd_status mmd_stage_set_physics(mmd_stage *stage, const mmd_physics_options *options, mmd_error *error);

/* Returns the current options, or NULL if physics is off. */
const mmd_physics_options *mmd_stage_physics(const mmd_stage *stage);

/*
 * Set gravity or the ground without a reset: states continue as after any change by hand. Gravity replaces
 * gravity keys. They do nothing else if physics is off.
 */
void mmd_stage_set_gravity(mmd_stage *stage, const float gravity[3]);
void mmd_stage_set_ground(mmd_stage *stage, bool on);

/* A gravity keyframe: strength in units/s^2 times direction, of any length. */
typedef struct mmd_gravity_key {
    uint32_t frame;
    float strength, direction[3];
} mmd_gravity_key;

/*
 * Sets gravity keyframes, which override the options. Strength and direction are interpolated linearly;
 * before the first and after the last key that key applies. Each step uses the gravity of its own frame. keys
 * has at least one finite element, ascending by frame, and is copied; NULL: none. The keys stay when physics
 * is switched off and on, until mmd_stage_set_gravity. Restarts physics from frame 0. Fails with
 * MMD_ERROR_MEMORY; nothing is changed then.
 */
mmd_status mmd_stage_set_gravity_keys(mmd_stage *stage, const mmd_gravity_key *keys, size_t count,
                                      mmd_error *error);
bool mmd_stage_has_gravity_keys(const mmd_stage *stage);

/* Returns the gravity at a frame: by keys, else by the options, else zeros. */
void mmd_stage_gravity_at(const mmd_stage *stage, double frame, float gravity[3]);

/*
 * Returns the world transforms of an actor's bodies at the stage's frame, one per body of its model. If
 * physics is off, they follow their bones. Valid until the next frame. Returns NULL when out of memory, which
 * can only happen if physics is off.
 */
const mmd_transform *mmd_stage_bodies(mmd_stage *stage, size_t actor);

/* Returns the physics scene of an actor; NULL if physics is off or the model has none. */
const mmd_physscene *mmd_stage_physscene(const mmd_stage *stage, size_t actor);

/* Returns whether a body is simulated at the stage's frame: it is dynamic, not switched off by a key, and
 * physics is on. */
bool mmd_stage_body_simulated(const mmd_stage *stage, size_t actor, uint32_t body);

/*
 * Rest transforms of bodies and joints in model space that replace those of the file, where the simulation
 * starts. Moving a body does not move its joints, and moving a joint does not move its bodies. scale
 * multiplies the dimensions of a body's shapes along its axes (round shapes use the largest scale across);
 * masses do not change. Setting one restarts physics from frame 0. NULL restores the file's transform.
 * Numbers are finite, rotations of unit length, scales above 0. Fail with MMD_ERROR_MEMORY or an error of
 * mmd_physscene_check; nothing is changed then.
 */
typedef struct mmd_body_transform {
    mmd_transform rest;
    float scale[3];
} mmd_body_transform;
mmd_status mmd_stage_place_body(mmd_stage *stage, size_t actor, uint32_t body,
                                const mmd_body_transform *transform, mmd_error *error);
mmd_status mmd_stage_place_joint(mmd_stage *stage, size_t actor, uint32_t joint,
                                 const mmd_transform *transform, mmd_error *error);

/* Return the rest transform of a body or joint. The result is true if it was set by hand, false for that of
 * the file (*transform is unchanged when out of memory). */
bool mmd_stage_body_transform(mmd_stage *stage, size_t actor, uint32_t body, mmd_body_transform *transform);
bool mmd_stage_joint_transform(mmd_stage *stage, size_t actor, uint32_t joint, mmd_transform *transform);

/*
 * Where a body starts: its transform in the actor's space (that of its pose, before placement and scale) and
 * its velocity there, units/s and radians/s.
 */
typedef struct mmd_body_start {
    mmd_transform transform;
    mmd_velocity velocity;
} mmd_body_start;

/*
 * Sets where a body is when physics begins at frame 0, in place of rest at its bone, so that a dance can go
 * on from another one. Bodies that physics does not move there ignore it, and soft bodies start at rest.
 * start is copied; its numbers are finite, the rotation of unit length. Restarts physics from frame 0. Starts
 * stay when physics is switched off and on. Fails with MMD_ERROR_MEMORY; nothing is changed then.
 */
mmd_status mmd_stage_start_body(mmd_stage *stage, size_t actor, uint32_t body, const mmd_body_start *start,
                                mmd_error *error);

/* Returns whether the start of a body was set, and fills *start if it was. */
bool mmd_stage_body_start(const mmd_stage *stage, size_t actor, uint32_t body, mmd_body_start *start);

/* Lets all bodies of an actor start at their bones again. Restarts physics from frame 0 if that is a change.
 */
void mmd_stage_clear_starts(mmd_stage *stage, size_t actor);

/*
 * Reads all bodies of an actor as they are at the stage's frame, for another stage that goes on from here:
 * starts has one element per body of the actor's scene (mmd_stage_physscene). This stage goes on as after a
 * change by hand. Returns false, with nothing read, if physics is off or the actor has no bodies, and before
 * the first frame.
 */
bool mmd_stage_take_starts(mmd_stage *stage, size_t actor, mmd_body_start *starts);

/* Return the world positions and normals of the nodes of an actor's soft body at the stage's frame (normals
 * between two steps are not exactly of unit length). NULL if physics is off. */
const float (*mmd_stage_soft_positions(const mmd_stage *stage, size_t actor, uint32_t soft))[4];
const float (*mmd_stage_soft_normals(const mmd_stage *stage, size_t actor, uint32_t soft))[4];

/*
 * Writes at most max contacts of the step before the stage's frame and returns how many there are. Bodies are
 * numbered as in the actor's model, bodies of other actors are MMD_OTHER. Contacts are recorded from the
 * first call on; a first call after a change by hand finds none.
 */
#define MMD_OTHER (UINT32_MAX - 1)
size_t mmd_stage_contacts(mmd_stage *stage, size_t actor, mmd_contact *contacts, size_t max);

/* Statistics of the simulation. */
typedef struct mmd_physics_report {
    uint64_t steps;        /* computed since physics was switched on */
    uint64_t replayed;     /* of these, repeated after returning to a snapshot */
    uint64_t reset_bodies; /* resets of bodies and soft bodies (one per body and step) */
    bool repeats;          /* all motions have ended and the states repeat bit for bit, so any later frame
                              costs at most one period */
    uint32_t snapshots;    /* snapshots stored now */
    size_t snapshot_bytes;
    double step_seconds; /* time in steps of the worlds, summed over all threads */
    double pose_seconds; /* time in evaluating poses for them, summed over all threads */
} mmd_physics_report;
mmd_physics_report mmd_stage_physics_report(mmd_stage *stage);

/*
 * Bodies and soft bodies of an actor that a step reset to their bones, except those already reported since
 * the last reset of physics. They were no longer finite, faster than 1,000 units/s, or farther than three
 * times the length of their chain from the body they are attached to; or their model jumped, for example by a
 * motion that moves it elsewhere.
 */
typedef struct mmd_reset_bodies {
    size_t actor;
    double frame;
    const char *reason; /* reason for the first: "faster than 1,000 units/s" */
    uint32_t body_count, soft_count;
    const uint32_t *bodies, *softs; /* numbers in the actor's scene, ascending; valid during the call */
} mmd_reset_bodies;

/* Sets a callback for resets. mmd_stage_set_frame calls it on the caller's thread, once per step and actor.
 * It must not change the stage. */
typedef void mmd_reset_bodies_function(void *context, const mmd_reset_bodies *what);
void mmd_stage_on_reset_bodies(mmd_stage *stage, mmd_reset_bodies_function *function, void *context);

/*
 * A body began or stopped touching a trigger. Actors are numbered as on the stage, bodies as in the actors'
 * scenes.
 */
typedef struct mmd_stage_trigger_event {
    double frame; /* frame of the step */
    size_t trigger_actor, other_actor;
    uint32_t trigger, other;
    bool begins; /* true: begins; false: ends */
} mmd_stage_trigger_event;

/*
 * Sets a callback for trigger events, or none with NULL. mmd_stage_set_frame calls it on the caller's thread
 * for all events of every step that it computes, in order; steps that are repeated after going back report
 * again. It must not change the stage. Events of steps computed before are not reported, so set it before the
 * first frame.
 */
typedef void mmd_trigger_function(void *context, const mmd_stage_trigger_event *what);
void mmd_stage_on_trigger(mmd_stage *stage, mmd_trigger_function *function, void *context);

/*
 * Sets a callback for the progress of mmd_stage_set_frame, which calls it on the caller's thread after each
 * MMD_PHYSICS_REBUILD_SECONDS of simulated motion with the frame reached and the frame to reach. It must not
 * change the stage.
 */
typedef void mmd_simulating_function(void *context, double frame, double goal);
void mmd_stage_on_simulating(mmd_stage *stage, mmd_simulating_function *function, void *context);

/*
 * Sets a callback for the steps of the simulation. mmd_stage_set_frame calls it on the caller's thread with
 * the frame reached and the frame to reach: before each step that it computes itself, and after the last of
 * them. It must not change the stage. A program that gives up there may end.
 */
void mmd_stage_on_step(mmd_stage *stage, mmd_simulating_function *function, void *context);

/* Returns the number of contacts of the step that was computed last. The callback above may call it. */
size_t mmd_stage_count_contacts(const mmd_stage *stage);

/*
 * What a stage simulated, for other stages that simulate the same: snapshots, and the resets of bodies up to
 * them. Frames beyond a snapshot are computed from it, which gives the same bits, and resets before it are
 * reported as if the stage had computed those steps.
 */
typedef struct mmd_simulated mmd_simulated;
mmd_simulated *mmd_simulated_create(void); /* empty; NULL: out of memory */
void mmd_simulated_destroy(mmd_simulated *states);

/*
 * Moves the states into a stage that was set to frame 0 and has simulated nothing else; states becomes empty.
 * They must be those of a stage with the same models, motions, options and settings by hand, in the same
 * order. Returns the frame up to which the stage has snapshots. Does nothing and returns 0 if physics is off,
 * runs ahead or reports triggers.
 */
double mmd_stage_take_simulated(mmd_stage *stage, mmd_simulated *states);

/* Moves the stage's states back into those that it took, unless something that physics depends on was changed
 * since. The stage can only be destroyed then. */
void mmd_stage_return_simulated(mmd_stage *stage, mmd_simulated *states);

/* Waits until no simulation runs on other threads. Call it before changing models, motions or poses other
 * than through the functions of this header. */
void mmd_stage_settle(mmd_stage *stage);

#ifdef __cplusplus
}
#endif

#endif
