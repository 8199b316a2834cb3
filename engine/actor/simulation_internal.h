/*
 * Internals of the simulation. Files:
 *
 *   simulation.c        creates worlds, states and caches of a stage, switches physics on and off, and
 *                       applies a frame to the drawn poses
 *   simulation_actor.c  an actor's part: its pose for steps, targets of bodies, overrides of bones
 *   simulation_soft.c   targets of pinned nodes; resets soft bodies that went astray
 *   simulation_step.c   one step of all worlds, from one state to the next; impulse morphs
 *   step_cache.c        scheduling of steps: the ring of states, snapshots, going back, running ahead
 *   simulated.c         hands snapshots on to the next stage of equal contents
 *   follow_edits.c      moves simulated bodies along with edits at a standing frame
 *   parents.c           outside parents, on which poses depend
 *   own_scene.c         an actor's physics scene in another size, with placements by hand
 *   starts.c            where bodies start, in place of their bones
 *   guard.c             resets bodies that went astray
 *   bodies.c            bodies, nodes and contacts at the stage's frame
 *
 * Threads: a simulation belongs to the caller's thread while its worker is idle. simulation_settle waits for
 * that; functions that need it say so.
 */
#ifndef SIMULATION_INTERNAL_H
#define SIMULATION_INTERNAL_H

#include "actor_internal.h"
#include "mmd/pool.h"

#include <stdatomic.h>

/* The relation of a body to its bone. */
typedef enum sim_link {
    SIM_STAYS,   /* never moves: static or disabled */
    SIM_FOLLOWS, /* follows its bone */
    SIM_MOVES,   /* moves its bone (mode 1) */
    SIM_TURNS    /* rotates its bone, which keeps its position (mode 2) */
} sim_link;

/* The place of a body in the tree of joints that grows from bodies that are not simulated (guard.c). */
typedef struct sim_attachment {
    int32_t on;   /* parent body; -1: none */
    float length; /* distance to the parent at rest over the joint, plus the play of the joint; infinite: not
                     bounded */
} sim_attachment;

/* An impulse of a morph of PMX 2.1. */
typedef struct sim_impulse_morph {
    uint32_t morph;
    uint32_t body;
    const mmd_impulse_offset *offset;
} sim_impulse_morph;

/* How an actor's bodies and soft bodies are moved along with edits of bones. */
typedef struct sim_carry {
    bool done;
    bool placed_anew;        /* placement or scale changed */
    mmd_transform *bones;    /* before the edits, by bone, in the actor's space */
    mmd_transform placement; /* before the edits */
    float scale;
    int32_t *root;         /* by bone: the nearest ancestor that physics does not move; -1: none */
    int32_t *carrier;      /* by body: the bone that it moves with; -1: none */
    uint8_t *changed;      /* by body: its carrier changed, by */
    mmd_transform *change; /* this transform in the actor's space */
} sim_carry;

/* Values set by hand on an actor: copies. */
typedef struct sim_edits {
    mmd_transform *bones; /* the user's transforms, by bone */
    float (*scales)[3];   /* the user's scales; NULL: bones have none */
    float *morphs;        /* NaN: the motion decides */
    stage_entry entry;    /* its staging */
} sim_edits;

/* An actor in the simulation. Bodies are numbered as in its scene. */
typedef struct sim_actor {
    mmd_actor *actor; /* the drawn actor: for the caller's thread only */
    const mmd_model *model;
    mmd_physscene scene; /* the scene, scaled to the actor's size */
    float built_scale;   /* that size */
    bool has_world;      /* it has bodies or soft bodies */
    bool absent;         /* it was off the stage when the simulation was made, and has no bodies then */
    size_t place;        /* its place then (mmd_stage_set_place) */
    uint32_t body_count;
    uint32_t first_body;                 /* index in the arrays over all actors' bodies */
    uint32_t first_node;                 /* index of its soft bodies' nodes in the arrays over all nodes */
    uint32_t first_soft;                 /* index in the arrays over all soft bodies */
    uint32_t first_holder, holder_count; /* anchors and pins of its soft bodies, in the arrays over all */

    /* A separate pose for steps, so that they do not change the drawn one, and its inputs. */
    mmd_pose *pose;
    actor_clips *clips;
    double delay;        /* the actor's delay */
    size_t changes_seen; /* the actor's counter of changes when the clips were made */
    mmd_pose_values values, previous;
    sim_edits kept, wanted; /* values set by hand: those of the states, and those of the drawn actor */
    const sim_edits *edits; /* the one of the two that the pose has at present */

    /* Computed once. */
    uint8_t *link;                   /* sim_link, by body */
    mmd_transform *offset, *inverse; /* of the body in its bone's frame, by body, and its inverse */
    uint32_t *order; /* simulated bodies with a bone, in the order of evaluation of the bones */
    uint32_t order_count;
    uint8_t *depends;            /* by bone: physics, or a bone evaluated after it, affects it */
    bool follows_physics;        /* a kinematic body follows such a bone */
    sim_attachment *attachments; /* by body */
    uint32_t *attached_order;    /* bodies with a parent in the tree, nearer ones first */
    uint32_t attached_count;
    sim_impulse_morph *impulse_morphs;
    uint32_t impulse_morph_count;
    mmd_impulse *impulses; /* sums by body, and the list that is passed to the world */
    mmd_impulse *impulse_list;
    bool pinned;      /* some nodes of its soft bodies are pinned */
    float (*pins)[3]; /* of one soft body */
    int32_t *pin_vertices;
    float (*placed_nodes)[4];    /* scratch: of one soft body */
    float *reach;                /* scratch of the guard, by body: length of the chain to the anchor, */
    int32_t *anchor;             /* and the anchor */
    mmd_velocity *pace;          /* velocities of bodies in the step before */
    const uint8_t *last_reasons; /* and the reasons for their resets then; NULL: no step before */

    /* State of the current step. */
    double evaluated; /* frame of values and pose; -1: none */
    double begun;     /* frame of placement and outside parents; -1: none */
    bool beginning;   /* these are being computed */
    bool finished;    /* the pose went through mmd_pose_finish */
    mmd_transform placement;
    float scale; /* scale of its space, applied before placement */
    bool placed; /* placement is not the identity, or scale is not 1 */
    bool staged_visible, visible;
    uint8_t *moving; /* by body: the world moves it in this step */

    const start_set *starts; /* of its bodies; or NULL */

    /* What edits at a standing frame move along (follow_edits.c). */
    sim_carry carry;
} sim_actor;

/* A world and its actors, in the order of their places. */
typedef struct sim_world {
    mmd_world *world;
    uint32_t *actors;
    uint32_t actor_count;
    uint32_t first_body, body_count; /* in the arrays over all actors' bodies */
    size_t saved_at, saved_size;     /* of its state in sim_state.worlds */
    uint32_t *list; /* scratch by body: indices and transforms that are passed to the world together */
    mmd_transform *transforms;
    uint32_t reset_bodies; /* in the current step */
    double step_seconds, pose_seconds;
} sim_world;

/* The state after a step, as stored in snapshots and in the ring. All arrays are in data, one block. */
typedef struct sim_state {
    int64_t step; /* -1: none */
    uint32_t reset_bodies_count;
    uint32_t contact_count;
    bool has_contacts;
    uint8_t *data;
    mmd_transform *bodies;     /* in the world */
    mmd_transform *placements; /* by actor */
    float (*positions)[4];     /* nodes of soft bodies, in the world */
    float (*normals)[4];
    float (*shifts)[4];    /* movement of the anchors, then the pins, of each soft body in the step */
    uint8_t *worlds;       /* saved worlds, one after another */
    uint8_t *simulated;    /* by body: moved by the world, not held */
    uint8_t *reasons;      /* by body: why it was reset at this step; 0: it was not */
    uint8_t *soft_reasons; /* the same by soft body */
    uint8_t *visible;      /* by actor */
    uint8_t *placed;       /* by actor: its placement is not the identity, or its scale is not 1 */
    float *scales;         /* by actor */
    mmd_contact *contacts; /* not in data, only if wanted; bodies are numbered over all actors */
    mmd_trigger_event *trigger_events; /* the same for triggers */
    uint32_t trigger_event_count, trigger_event_room;
} sim_state;

enum { SIM_CONTACTS_MAX = 4096 };

/* Snapshots at multiples of a distance, which is doubled when they no longer fit. */
typedef struct sim_snapshots {
    uint8_t *memory; /* capacity blocks of the length of a state's data */
    int64_t *steps;  /* the step of each */
    uint32_t count, capacity;
    int64_t distance;
} sim_snapshots;

/* Detection of states that repeat after all motions have ended (step_cache.c). */
typedef struct sim_cycle {
    int64_t ended;         /* step from which only physics moves bones; -1: there is none */
    int64_t marked;        /* step of the state in data; -1: none */
    int64_t mark_distance; /* steps until the next state is marked */
    uint8_t *data;         /* the marked state */
    int64_t period;        /* steps; 0: no repetition is known */
} sim_cycle;

/* A reset of a body or soft body that was reported: the first one since step 0. */
typedef struct sim_told {
    int64_t step;
    uint32_t actor, index; /* index in the actor's scene */
    bool is_soft;
    uint8_t reason;
} sim_told;

/* All of them up to a step, in the order in which they were reported. */
typedef struct sim_told_list {
    sim_told *items;
    size_t count, room;
    int64_t to;
} sim_told_list;

struct mmd_simulated {
    sim_snapshots snapshots;
    size_t state_size; /* 0: there are none */
    sim_told_list told;
};

struct simulation {
    mmd_physics_options options;
    const mmd_gravity_key *gravity_keys; /* those of the stage, or NULL */
    size_t gravity_key_count;
    int64_t rebuild_steps; /* steps between canonical rebuilds */
    sim_actor *actors;
    uint32_t *order; /* indices of actors, by their places */
    size_t actor_count;
    sim_world *worlds;
    size_t world_count;
    uint32_t body_count, node_count, soft_count, holder_count;
    size_t saved_size;      /* of all worlds */
    size_t state_size;      /* of a state's data */
    uint8_t *initial;       /* the saved worlds before the first step */
    mmd_transform *targets; /* targets of bodies in the current step, by body */
    uint8_t *held;          /* by body */

    /* The step cache: the states of steps first..live are in the ring, and the worlds are at live. */
    sim_state *ring;
    uint32_t ring_size;
    int64_t first, live; /* live -1: no step yet */
    bool worlds_stale;   /* the worlds must be restored from the state of live before the next step */
    bool carried;     /* values were changed by hand on the way, so states are not functions of the frame */
    int64_t farthest; /* last step computed since physics was switched on, to recognise replays */
    int64_t resets_reported_to; /* steps up to here were searched for resets to report */
    int64_t counted_to;         /* resets of steps up to here were counted; replays do not count again */
    sim_snapshots snapshots;
    sim_cycle cycle;
    bool hands_on; /* nothing was changed since step 0: another stage may take the snapshots and what was told
                    */
    sim_told_list
        told; /* resets that were reported, also by the stage before, of which some lie beyond `live` */
    mmd_pool *pool;
    mmd_worker *worker;
    atomic_bool stop; /* asks the worker to stop after the current step */
    int64_t ahead_to;
    bool wants_contacts, wants_triggers;

    /* At the stage's frame. */
    bool pending; /* values set by hand are drawn, but not simulated yet */
    bool drawn;   /* the following are valid */
    double drawn_frame;
    int64_t low, high; /* the steps on both sides of the frame; equal if the frame is on a step */
    float between;
    mmd_transform *drawn_bodies;
    uint8_t *drawn_simulated;
    mmd_transform *seen; /* scratch: bodies of an actor in its own space */
    float (*drawn_positions)[4];
    float (*drawn_normals)[4];
    uint8_t *reset_reported; /* by body, then soft body: its reset was reported since step 0 */
    uint32_t *reporting;     /* scratch, by body and soft body: indices to report */

    mmd_physics_report report; /* as of the last frame that was set */
    uint64_t steps, replayed, reset_bodies;
    mmd_arena arena;
};

/* ---- simulation_actor.c ---- */

/* Initialises an actor; built_scale must be set. It must be released with sim_actor_finish, also after
 * errors. */
mmd_status sim_actor_init(sim_actor *a, const stage_entry *entry, const mmd_physics_options *options,
                          mmd_arena *arena, mmd_error *error);
void sim_actor_finish(sim_actor *a);

/* The greatest change by hand on the drawn actor since the last sim_actor_apply_changes: none; one that
 * bodies can be moved along with; its keys of staging or its parent, whose former values may no longer
 * exist; its motions. */
typedef enum sim_change { SIM_UNCHANGED, SIM_BY_HAND, SIM_AT_ONCE, SIM_MOTIONS } sim_change;
sim_change sim_actor_find_changes(const simulation *s, sim_actor *a, const stage_entry *entry);
void sim_actor_apply_changes(sim_actor *a);                  /* makes wanted the kept values */
void sim_actor_select(sim_actor *a, const sim_edits *edits); /* kept or wanted */

/* Begins a step at a frame, from a state (NULL: the reset): computes placement and outside parents from
 * the poses of its parents. */
void sim_actor_begin(simulation *s, sim_actor *a, const sim_state *from, double frame);

/* Returns the actor it is attached to at a frame, if that is on the stage; else NULL. */
sim_actor *sim_actor_parent(const simulation *s, const sim_actor *a, double frame);

/* Returns the actor that an outside parent, one of its edits', refers to at a frame; else NULL. */
sim_actor *sim_actor_outside(const simulation *s, const outside_parent *item, double frame);

/* Evaluates its pose at a frame without physics. */
void sim_actor_plain_pose(sim_actor *a, double frame);

/* Returns the scale with which an actor of some scale is simulated. */
float sim_actor_scale(float scale);

/* Convert from an actor's space (that of its pose) to the world, and back. */
void sim_actor_to_world(const sim_actor *a, const mmd_transform *own, mmd_transform *world);
void sim_actor_to_own(const mmd_transform *placement, float scale, const mmd_transform *world,
                      mmd_transform *own);

/* Computes the targets of all its bodies at to->step, and which are held: writes s->targets, s->held and
 * `to`. */
void sim_actor_targets(simulation *s, sim_actor *a, const sim_state *from, sim_state *to, size_t index);

/* Overrides bones of a pose by simulated bodies. bodies and simulated are those of the actor. placement
 * NULL: bodies are in the actor's space; else scale belongs to it. */
void sim_actor_override(const sim_actor *a, mmd_pose *pose, const mmd_transform *bodies,
                        const uint8_t *simulated, const mmd_transform *placement, float scale);

/*
 * Tests whether the world can move a body. A body of a PMX without mass is always held, because no force
 * would move it and its bone would stay behind. In imported scenes a mass of 0 is infinite, and the body
 * moves on.
 */
static inline bool is_simulated_kind(const sim_actor *a, uint32_t b)
{
    const mmd_phys_body *body = &a->scene.bodies[b];
    return a->link[b] >= SIM_MOVES &&
           (body->mass > 0.0f || body->auto_mass || body->bone < 0 || a->scene.world.exact_restitution);
}

/* Tests whether physics affects a bone; false for -1. */
static inline bool depends_on(const sim_actor *a, int32_t bone)
{
    return bone >= 0 && a->depends[bone];
}

/* ---- own_scene.c: placements by hand ---- */

/* Applies placements by hand to copies of the scene's arrays. Returns false when out of memory; the scene
 * can only be destroyed then. */
bool placed_scene(const placed_set *set, mmd_physscene *scene);

/* ---- own_scene.c: scaling ---- */

/* Scales a scene, in copies of its arrays. Returns false when out of memory; the scene can only be
 * destroyed then. */
bool scaled_scene(mmd_physscene *scene, float scale);

/* ---- follow_edits.c ---- */

bool follow_edits_init(sim_actor *a, mmd_arena *arena); /* false: out of memory */

/* Moves what is drawn at the stage's frame along with edits since the states were computed. `change` and
 * `changed` of all actors tell how. */
void follow_edits_drawn(mmd_stage *stage);

/* Takes over values set by hand, and moves the states on both sides of the stage's frame along. */
void follow_edits_states(simulation *s);
/* Rotates a body's velocity as its transform in the world is rotated. */
void turn_velocity(const mmd_transform *before, const mmd_transform *now, mmd_velocity *velocity);

/* ---- simulation_soft.c ---- */

bool pins_init(sim_actor *a, mmd_arena *arena);
void pins_positions(const sim_actor *a, uint32_t soft);          /* into a->pins, from the finished pose */
const int32_t *pins_vertices(const sim_actor *a, uint32_t soft); /* a vertex for each pin, or -1 */

bool softs_init(sim_actor *a, mmd_arena *arena); /* false: out of memory */

/* Places an actor's soft bodies at their anchors and pins, at rest. */
void softs_place(simulation *s, sim_world *w, uint32_t index_in_world, const sim_state *to);

/* Checks a world's soft bodies after a step, when its bodies are in their final places, and resets those
 * that went astray; the reasons are written to `to`. Returns whether one was not finite. */
bool softs_reset_bodies(simulation *s, sim_world *w, const sim_state *from, sim_state *to);

/* ---- guard.c ---- */

enum { GUARD_FINE, GUARD_NOT_FINITE, GUARD_TOO_FAST, GUARD_TOO_FAR, GUARD_SOFT_TOO_FAR, GUARD_LEAPT };
const char *guard_reason(uint8_t reason);

/* Builds the tree of joints. Returns false when out of memory. */
bool guard_init(sim_actor *a, mmd_arena *arena);

/* Stores, before a step, the velocities of the last step, and why bodies were reset then (not copied). */
void guard_begin(sim_actor *a, const mmd_velocity *velocities, const uint8_t *reasons);

/*
 * Checks an actor's bodies after a step. Bodies that went astray are moved in bodies, with the reason in
 * reasons, by body. Returns their number. targets: where bodies without a parent in the tree are reset to,
 * their transforms of the step before.
 */
uint32_t guard_check(sim_actor *a, mmd_transform *bodies, const mmd_velocity *velocities,
                     const mmd_transform *targets, uint8_t *reasons);

/* ---- starts.c ---- */

/* Moves the bodies of a world at the reset, in it and in the state, to where they start. */
void starts_place(const simulation *s, const sim_world *w, sim_state *to);

/* ---- simulation_step.c ---- */

bool impulses_init(sim_actor *a, mmd_arena *arena); /* false: out of memory */

void step_reset(simulation *s, sim_state *to);                          /* computes step 0 */
void step_advance(simulation *s, const sim_state *from, sim_state *to); /* computes the next step */
double step_frame(const simulation *s, int64_t step);

/* ---- step_cache.c ---- */

sim_state *step_cache_state(const simulation *s, int64_t step); /* a state in the ring */
void step_cache_forget(simulation *s);  /* drops states that no longer apply, after a change
                                           by hand */
void step_cache_restart(simulation *s); /* drops all states */

/* Computes missing steps up to low and high, and reports resets to the stage. */
void step_cache_reach(mmd_stage *stage, int64_t low, int64_t high);
void step_cache_reach_with_contacts(mmd_stage *stage);
void step_cache_run_ahead(simulation *s);
void step_cache_note_end(mmd_stage *stage); /* computes when motions end, before anything is simulated */
void simulation_settle(simulation *s);      /* s may be NULL */

/* Reserves memory for snapshots up to a step. Returns false when out of memory; none are stored then. */
bool snapshots_init(simulation *s, int64_t last_step);
void snapshots_finish(sim_snapshots *snapshots);

/* ---- simulated.c ---- */

/* Keeps a report of reset bodies at a step, with their reasons by body and by soft body. */
void simulated_keep_told(simulation *s, const sim_state *state, const mmd_reset_bodies *what);

/* Reports the resets of the steps that a snapshot passed over, behind `from`. */
void simulated_tell_passed(mmd_stage *stage, int64_t from);

/* Forgets what may be handed on, after a change. */
void simulated_forget(simulation *s);

/* ---- simulation.c ---- */

void simulation_destroy(simulation *s); /* s may be NULL */

/* Restarts physics after a change of actors, if it is on. */
mmd_status simulation_restart(mmd_stage *stage, mmd_error *error);

/* Brings physics to the stage's frame and overrides bones of the poses, between the two parts of their
 * evaluation. Does nothing if physics is off. */
void simulation_set_frame(mmd_stage *stage);

/* Computes the gravity at a frame. */
void simulation_gravity(const simulation *s, double frame, float gravity[3]);

#endif
