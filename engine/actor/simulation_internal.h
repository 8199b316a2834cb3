/*
 * Private declarations of the simulation. Files:
 *
 *   simulation.c        creates worlds, states and caches of a stage, switches physics, applies it to the
 * drawn poses simulation_actor.c  an actor's part: its pose at steps, targets of bodies, effect of bodies on
 * bones simulation_soft.c   pinned nodes of soft bodies; resets soft bodies that went astray
 *   simulation_step.c   one step of all worlds, from one state to the next; impulse morphs
 *   step_cache.c        which steps are computed when: the ring of states, snapshots, seeking, running ahead
 *   follow_edits.c      simulated bodies follow edits at a standing frame
 *   parents.c           outside parents of bones
 *   own_scene.c         an actor's physics scene: scaled, with bodies and joints placed by the user
 *   guard.c             resets bodies that went astray
 *   bodies.c            results: bodies, nodes and contacts at the stage's frame
 *
 * Threads: a simulation belongs to the caller's thread while its worker is idle, which simulation_settle
 * waits for.
 */
#ifndef SIMULATION_INTERNAL_H
#define SIMULATION_INTERNAL_H

#include "actor_internal.h"
#include "mmd/pool.h"

#include <stdatomic.h>

/* Relation between a body and its bone. */
typedef enum sim_link {
    SIM_STAYS,   /* the body never moves: static or disabled */
    SIM_FOLLOWS, /* the body follows the bone */
    SIM_MOVES,   /* the body moves the bone (mode 1) */
    SIM_TURNS    /* the body rotates the bone, which keeps its position (mode 2) */
} sim_link;

/* Attachment of a body in the tree of joints that grows from bodies that are not simulated (guard.c). */
typedef struct sim_hang {
    int32_t on;   /* body that it is attached to; -1 for none */
    float length; /* length of the chain at rest, including the joint's room; infinite for no limit */
} sim_hang;

/* An impulse of a PMX 2.1 morph. */
typedef struct sim_impulse_morph {
    uint32_t morph;
    uint32_t body;
    const mmd_impulse_offset *offset;
} sim_impulse_morph;

/* How an actor's bodies and soft bodies follow edits of bones. */
typedef struct sim_carry {
    bool done;
    bool placed_anew;        /* its placement or size changes */
    mmd_transform *bones;    /* bones before the edits, in the actor's own space */
    mmd_transform placement; /* before the edits */
    float scale;
    int32_t *root;         /* by bone: the nearest ancestor that physics does not move; -1 for none */
    int32_t *carrier;      /* by body: the bone that it follows; -1 for none */
    uint8_t *changed;      /* by body: the bone that it follows has changed, */
    mmd_transform *change; /* by this, in the actor's own space */
} sim_carry;

/* Copies of what the user has set on an actor. */
typedef struct sim_edits {
    mmd_transform *bones; /* edits, by bone */
    float (*scales)[3];   /* scales by edits; NULL if the bones have none */
    float *morphs;        /* NaN to use the motion's weight */
    stage_entry entry;    /* placement, visibility and size */
} sim_edits;

/* An actor in the simulation. Bodies are numbered as in its scene. */
typedef struct sim_actor {
    mmd_actor *actor; /* the drawn actor; only for the caller's thread */
    const mmd_model *model;
    mmd_physscene scene; /* in the actor's size */
    float built_scale;   /* that size */
    bool has_world;      /* it has bodies or soft bodies */
    uint32_t body_count;
    uint32_t first_body; /* index in the arrays over all actors' bodies */
    uint32_t first_node; /* index of its soft bodies' nodes in the arrays over all nodes */
    uint32_t first_soft; /* index in the arrays over all soft bodies */
    /* range of its soft bodies' anchors and pins in the arrays over all of them */
    uint32_t first_holder, holder_count;

    /* A pose of its own, so that steps do not disturb the drawn one, and its sources. */
    mmd_pose *pose;
    mmd_clip *clip;
    double delay;        /* delay of the actor */
    size_t changes_seen; /* value of the actor's `changes` when the clip was made */
    mmd_pose_values values, previous;
    sim_edits kept, wanted; /* what the user has set: as in the states, and as on the drawn actor */
    const sim_edits *edits; /* the one of them that the pose currently has */

    /* Constant data. */
    uint8_t *link; /* sim_link, by body */
    mmd_transform *offset,
        *inverse;    /* transform of the body relative to its bone, by body, and its inverse */
    uint32_t *order; /* simulated bodies with a bone, in evaluation order of the bones */
    uint32_t order_count;
    uint8_t *depends;     /* by bone: affected by physics or by bones after physics */
    bool follows_physics; /* a kinematic body belongs to such a bone */
    bool turns;           /* there are bodies with SIM_TURNS */
    sim_hang *hangs;      /* by body */
    uint32_t *hang_order; /* attached bodies, nearer ones first */
    uint32_t hang_count;
    sim_impulse_morph *impulse_morphs;
    uint32_t impulse_morph_count;
    mmd_impulse *impulses; /* sums by body, and the list passed to the world */
    mmd_impulse *impulse_list;
    bool pinned;      /* some nodes of its soft bodies are pinned */
    float (*pins)[3]; /* pins of one soft body */
    int32_t *pin_vertices;
    float (*placed_nodes)[4];    /* scratch for one soft body */
    float *reach;                /* scratch of the guard, by body: length of the chain to the anchor */
    int32_t *anchor;             /* scratch of the guard: the anchor */
    mmd_velocity *pace;          /* velocities of bodies in the previous step */
    const uint8_t *last_reasons; /* reasons of resets in the previous step; NULL if there was none */

    /* State of the current step. */
    double evaluated; /* frame of values and pose; -1 for none */
    double begun;     /* frame of placement and outside parents; -1 for none */
    bool beginning;   /* they are being computed */
    bool finished;    /* mmd_pose_finish was called */
    mmd_transform placement;
    float scale; /* from its own units, before placement */
    bool placed; /* placement is not the identity, or scale not 1 */
    bool staged_visible, visible;
    uint8_t *moving; /* by body: the world moves it in this step */

    /* How bodies follow edits at a standing frame (follow_edits.c). */
    sim_carry carry;
} sim_actor;

/* A world and its actors, in ascending order. */
typedef struct sim_world {
    mmd_world *world;
    uint32_t *actors;
    uint32_t actor_count;
    uint32_t first_body, body_count; /* range in the arrays over all actors' bodies */
    size_t saved_at, saved_size;     /* its state in sim_state.worlds */
    uint32_t *list;                  /* scratch by body: indices, transforms and positions passed together */
    mmd_transform *transforms;
    float (*positions)[4];
    uint32_t reset_bodies; /* number in the current step */
    double step_seconds, pose_seconds;
} sim_world;

/* The state after a step. All arrays are in data, in one block. */
typedef struct sim_state {
    int64_t step; /* -1 for none */
    uint32_t reset_bodies_count;
    uint32_t contact_count;
    bool has_contacts;
    uint8_t *data;
    mmd_transform *bodies;     /* in world space */
    mmd_transform *placements; /* by actor */
    float (*positions)[4];     /* nodes of soft bodies in world space */
    float (*normals)[4];
    float (*paces)[4];  /* displacement in this step of what holds soft bodies: anchors, then pins, of each */
    uint8_t *worlds;    /* saved states of the worlds, one after another */
    uint8_t *simulated; /* by body: moved by the world, not held */
    uint8_t *reasons;   /* by body: reason of a reset in this step; 0 for none */
    uint8_t *soft_reasons; /* the same by soft body */
    uint8_t *visible;      /* by actor */
    uint8_t *placed;       /* by actor: its placement is not the identity, or its scale not 1 */
    float *scales;         /* by actor */
    /* outside of data; only while somebody requests contacts; bodies numbered over all actors */
    mmd_contact *contacts;
    mmd_trigger_event *trigger_events; /* likewise for triggers */
    uint32_t trigger_event_count, trigger_event_room;
} sim_state;

enum { SIM_CONTACTS_MAX = 4096 };

/* Snapshots at multiples of a distance, which doubles when they do not fit. */
typedef struct sim_snapshots {
    uint8_t *memory; /* `capacity` blocks of the size of a state's data */
    int64_t *steps;  /* step of each */
    uint32_t count, capacity;
    int64_t distance;
} sim_snapshots;

/* Detection of repeating states once all motions have ended (step_cache.c). */
typedef struct sim_cycle {
    int64_t ended;    /* step from which only physics moves bones; -1 for none */
    int64_t marked;   /* step whose state is stored; -1 for none */
    int64_t patience; /* steps until another state is stored */
    uint8_t *data;    /* data of that state */
    int64_t period;   /* length in steps; 0 if no repetition is known */
} sim_cycle;

struct simulation {
    mmd_physics_options options;
    const mmd_gravity_key *gravity_keys; /* the stage's, or NULL */
    size_t gravity_key_count;
    int64_t rebuild_steps; /* steps between rebuilds of the worlds */
    sim_actor *actors;
    size_t actor_count;
    sim_world *worlds;
    size_t world_count;
    uint32_t body_count, node_count, soft_count, holder_count;
    size_t saved_size;      /* size of all saved worlds */
    size_t state_size;      /* size of a state's data */
    uint8_t *initial;       /* saved worlds in their initial state */
    mmd_transform *targets; /* targets of bodies in the current step, by body */
    uint8_t *held;          /* by body */

    /* The step cache: the ring has the states of steps first..live; the worlds are at live. */
    sim_state *ring;
    uint32_t ring_size;
    int64_t first, live; /* live is -1 before the first step */
    bool worlds_stale;   /* the worlds must be restored from the state of `live` before the next step */
    /* the user has changed something on the way, so states are no longer functions of the frame */
    bool carried;
    int64_t farthest;       /* last step computed since physics was switched on, to recognise replays */
    int64_t resets_told_to; /* steps up to this one were checked for resets */
    int64_t counted_to;     /* steps up to this one were counted; replayed steps are not counted again */
    sim_snapshots snapshots;
    sim_cycle cycle;
    mmd_pool *pool;
    mmd_worker *worker;
    atomic_bool stop; /* tells the worker to stop after the current step */
    int64_t ahead_to;
    bool wants_contacts, wants_triggers;

    /* At the stage's frame. */
    bool pending; /* changes by the user are drawn but not simulated yet */
    bool drawn;   /* the following members are valid */
    double drawn_frame;
    int64_t low, high; /* steps on both sides; equal if the frame is at a step */
    float between;
    mmd_transform *drawn_bodies;
    uint8_t *drawn_simulated;
    mmd_transform *seen; /* scratch: an actor's bodies relative to its placement */
    float (*drawn_positions)[4];
    float (*drawn_normals)[4];
    uint8_t *reset_told; /* by body, then by soft body: already reported since the reset */
    uint32_t *telling;   /* scratch: bodies and soft bodies to report */

    mmd_physics_report report; /* report as of the last frame that was set */
    uint64_t steps, replayed, reset_bodies;
    mmd_arena arena;
};

/* ---- simulation_actor.c ---- */

/* Initialises an actor; its built_scale must be set. Call sim_actor_finish also after errors. */
mmd_status sim_actor_init(sim_actor *a, const stage_entry *entry, const mmd_physics_options *options,
                          mmd_arena *arena, mmd_error *error);
void sim_actor_finish(sim_actor *a);

/*
 * Changes by the user on the drawn actor since they were last taken over. Returns the most far-reaching kind:
 * none; changes that bodies can follow; changes of placement keys or parents, about which nothing may be
 * known any more; changes of motions.
 */
typedef enum sim_change { SIM_UNCHANGED, SIM_BY_HAND, SIM_AT_ONCE, SIM_MOTIONS } sim_change;
sim_change sim_actor_look_for_changes(const simulation *s, sim_actor *a, const stage_entry *entry);
void sim_actor_take_changes(sim_actor *a);                   /* makes `wanted` the current edits */
void sim_actor_select(sim_actor *a, const sim_edits *edits); /* selects `kept` or `wanted` for the pose */

/* Begins a step at a frame from a state (NULL for the reset): computes the placement and outside parents,
 * using the poses of its parents. */
void sim_actor_begin(simulation *s, sim_actor *a, const sim_state *from, double frame);

/* Returns the parent of its placement at a frame, if that is an actor of the stage; otherwise NULL. */
sim_actor *sim_actor_parent(const simulation *s, const sim_actor *a, double frame);

/* Returns the outside parent of one of its bones at a frame, in the same way. item is one of its outside
 * parents. */
sim_actor *sim_actor_outside(const simulation *s, const outside_parent *item, double frame);

/* Evaluates its pose at a frame without physics. */
void sim_actor_plain_pose(sim_actor *a, double frame);

/* Returns the size in which an actor of this size is simulated. */
float sim_actor_scale(float scale);

/* Convert from an actor's own space (that of its pose) to world space, and back. */
void sim_actor_to_world(const sim_actor *a, const mmd_transform *own, mmd_transform *world);
void sim_actor_to_own(const mmd_transform *placement, float scale, const mmd_transform *world,
                      mmd_transform *own);

/* Computes the targets of its bodies at to->step and which bodies are held, into s->targets, s->held and
 * `to`. */
void sim_actor_targets(simulation *s, sim_actor *a, const sim_state *from, sim_state *to, size_t index);

/* Applies simulated bodies to the bones of a pose. bodies and simulated are those of this actor. placement
 * NULL: bodies are in the actor's own space, with the given scale. */
void sim_actor_override(const sim_actor *a, mmd_pose *pose, const mmd_transform *bodies,
                        const uint8_t *simulated, const mmd_transform *placement, float scale);

/* Computes the positions to which bodies with SIM_TURNS are moved back: fills in list with their indices in
 * the world, and positions. Returns their number. */
uint32_t sim_actor_corrections(sim_actor *a, const mmd_transform *bodies, uint32_t first_in_world,
                               uint32_t *list, float (*positions)[4]);

/*
 * Tests whether a body can be simulated. A PMX body without mass cannot be moved, so its bone would stay
 * behind; it is held permanently. In imported scenes mass 0 means infinite mass, and the body continues as it
 * began.
 */
static inline bool is_simulated_kind(const sim_actor *a, uint32_t b)
{
    const mmd_phys_body *body = &a->scene.bodies[b];
    return a->link[b] >= SIM_MOVES &&
           (body->mass > 0.0f || body->auto_mass || body->bone < 0 || a->scene.world.exact_restitution);
}

/* Tests whether physics affects a bone; -1 is no bone. */
static inline bool depends_on(const sim_actor *a, int32_t bone)
{
    return bone >= 0 && a->depends[bone];
}

/* ---- own_scene.c: placements by the user ---- */

/* Applies placements of bodies and joints, in copies of the scene's arrays. Returns false if out of memory;
 * the scene can only be destroyed then. */
bool placed_scene(const placed_set *set, mmd_physscene *scene);

/* ---- own_scene.c: scaling ---- */

/* Scales a scene, in copies of its arrays. Returns false if out of memory; the scene can only be destroyed
 * then. */
bool scaled_scene(mmd_physscene *scene, float scale);

/* ---- follow_edits.c ---- */

bool follow_edits_init(sim_actor *a, mmd_arena *arena); /* false if out of memory */

/* Applies changes by the user to the bodies that are drawn at the stage's frame; `change` and `changed` of
 * all actors receive them. */
void follow_edits_drawn(mmd_stage *stage);

/* Takes over changes by the user, and applies them to the states on both sides of the stage's frame. */
void follow_edits_states(simulation *s);
/* Rotates a body's velocity like its world transform. */
void turn_velocity(const mmd_transform *before, const mmd_transform *now, mmd_velocity *velocity);

/* ---- simulation_soft.c ---- */

bool pins_init(sim_actor *a, mmd_arena *arena);
void pins_positions(const sim_actor *a, uint32_t soft);          /* into a->pins, from the finished pose */
const int32_t *pins_vertices(const sim_actor *a, uint32_t soft); /* a vertex for each pin, or -1 */

bool softs_init(sim_actor *a, mmd_arena *arena); /* false if out of memory */

/* Places an actor's soft bodies at what holds them, in rest shape. */
void softs_place(simulation *s, sim_world *w, uint32_t index_in_world, const sim_state *to);

/* Checks a world's soft bodies after a step and resets those that went astray, using the final transforms of
 * its bodies. Stores reasons in `to`. Returns whether one was not finite. */
bool softs_reset_bodies(simulation *s, sim_world *w, const sim_state *from, sim_state *to);

/* ---- guard.c ---- */

enum { GUARD_FINE, GUARD_NOT_FINITE, GUARD_TOO_FAST, GUARD_TOO_FAR, GUARD_SOFT_TOO_FAR, GUARD_LEAPT };
const char *guard_reason(uint8_t reason);

/* Determines the attachments of all bodies. Returns false if out of memory. */
bool guard_init(sim_actor *a, mmd_arena *arena);

/* Before a step: stores the velocities of bodies and the reasons of resets in the previous step. reasons must
 * stay valid. */
void guard_begin(sim_actor *a, const mmd_velocity *velocities, const uint8_t *reasons);

/*
 * Checks an actor's bodies after a step. Resets those that went astray in bodies, and stores reasons (by
 * body). Returns their number. targets: where bodies without attachment are reset to, which is where they
 * were one step before.
 */
uint32_t guard_check(sim_actor *a, mmd_transform *bodies, const mmd_velocity *velocities,
                     const mmd_transform *targets, uint8_t *reasons);

/* ---- simulation_step.c ---- */

bool impulses_init(sim_actor *a, mmd_arena *arena); /* false if out of memory */

void step_reset(simulation *s, sim_state *to);                          /* computes step 0 */
void step_advance(simulation *s, const sim_state *from, sim_state *to); /* computes the next step */
double step_frame(const simulation *s, int64_t step);

/* ---- step_cache.c ---- */

sim_state *step_cache_state(const simulation *s, int64_t step); /* returns the state in the ring */
void step_cache_forget(simulation *s);  /* discards states after a change by the user */
void step_cache_restart(simulation *s); /* discards everything */

/* Computes the missing states up to steps low and high, and reports resets. */
void step_cache_reach(mmd_stage *stage, int64_t low, int64_t high);
void step_cache_reach_with_contacts(mmd_stage *stage);
void step_cache_run_ahead(simulation *s);
void step_cache_note_end(mmd_stage *stage); /* determines when motions end, before anything is simulated */
void simulation_settle(simulation *s);      /* NULL is allowed */

/* Allocates snapshots for steps up to this one. Returns false if out of memory; none are stored then. */
bool snapshots_init(simulation *s, int64_t last_step);
void snapshots_finish(sim_snapshots *snapshots);

/* ---- simulation.c ---- */

void simulation_destroy(simulation *s); /* NULL is allowed */

/* Restarts physics after actors changed, if it is on. */
mmd_status simulation_restart(mmd_stage *stage, mmd_error *error);

/* Called between the two halves of posing all actors: brings physics to the stage's frame and applies it to
 * bones. Does nothing while physics is off. */
void simulation_set_frame(mmd_stage *stage);

/* Returns the gravity at a frame. */
void simulation_gravity(const simulation *s, double frame, float gravity[3]);

#endif
