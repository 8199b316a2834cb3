/*
 * Insides of the simulation. Who does what:
 *
 *   simulation.c        makes worlds, states and caches of a stage, switches physics on and off, and brings
 *                       a frame onto the drawn poses
 *   simulation_actor.c  an actor's part: its pose for steps, where bodies belong, what bodies say of bones
 *   simulation_soft.c   where pinned nodes of soft bodies belong; those that went astray are put back
 *   simulation_step.c   one step of all worlds, from one state to the next; what impulse morphs give
 *   step_cache.c        which steps are computed when: the ring of states, snapshots, going back, running
 *                       ahead
 *   follow_edits.c      what swings follows what edits do at a standing frame
 *   parents.c           outside parents, which poses hang on
 *   own_scene.c         an actor's physics scene in another size, with bodies and joints placed by hand
 *   guard.c             bodies that went astray are put back
 *   bodies.c            bodies, nodes and contacts at the stage's frame
 *
 * Threads: a simulation belongs to the caller's thread while its worker rests.
 * simulation_settle brings that about; what needs it says so.
 */
#ifndef SIMULATION_INTERNAL_H
#define SIMULATION_INTERNAL_H

#include "actor_internal.h"
#include "mmd/pool.h"

#include <stdatomic.h>

/* How a body and its bone go together. */
typedef enum sim_link {
    SIM_STAYS,   /* never moves: static, disabled */
    SIM_FOLLOWS, /* goes where its bone is */
    SIM_MOVES,   /* moves its bone (mode 1) */
    SIM_TURNS    /* turns its bone, which keeps its place (mode 2) */
} sim_link;

/* Where a body hangs in the tree of joints that grows from what is not simulated (guard.c). */
typedef struct sim_hang {
    int32_t on;   /* body; -1: nothing */
    float length; /* of the way there at rest over the joint, with its room to
                     move; infinite: no bound */
} sim_hang;

/* An impulse of a 2.1 morph. */
typedef struct sim_impulse_morph {
    uint32_t morph;
    uint32_t body;
    const mmd_impulse_offset *offset;
} sim_impulse_morph;

/* How an actor's bodies and soft bodies are carried along, by what edits change of bones. */
typedef struct sim_carry {
    bool done;
    bool placed_anew;        /* its placement or size changes */
    mmd_transform *bones;    /* before the edits, by bone, in its own space */
    mmd_transform placement; /* before the edits */
    float scale;
    int32_t *root;         /* by bone: the nearest one that physics does not move; -1: none */
    int32_t *carrier;      /* by body: the bone that carries it; -1: none */
    uint8_t *changed;      /* by body: its carrier moves it, by */
    mmd_transform *change; /* in the actor's own space */
} sim_carry;

/* What was set by hand on an actor: copies. */
typedef struct sim_edits {
    mmd_transform *bones; /* the user's, by bone */
    float (*scales)[3];   /* the same; NULL: its bones have none */
    float *morphs;        /* NaN: the motion's */
    stage_entry entry;    /* how it is staged */
} sim_edits;

/* An actor of the stage as the simulation sees it. Bodies are numbered as in its scene. */
typedef struct sim_actor {
    mmd_actor *actor; /* the drawn one: for the caller's thread only */
    const mmd_model *model;
    mmd_physscene scene; /* in the actor's size, */
    float built_scale;   /* which is this */
    bool has_world;      /* it has bodies or soft bodies */
    uint32_t body_count;
    uint32_t first_body;                 /* in the arrays over all actors' bodies */
    uint32_t first_node;                 /* of its soft bodies, in the arrays over all nodes */
    uint32_t first_soft;                 /* in the arrays over all soft bodies */
    uint32_t first_holder, holder_count; /* of its soft bodies' anchors and pins, over all of such */

    /* Its own pose, so that steps do not disturb what is drawn, and what that is made from. */
    mmd_pose *pose;
    mmd_clip *clip;
    double delay;        /* the actor's, */
    size_t changes_seen; /* and its changes, when the clip was made */
    mmd_pose_values values, previous;
    sim_edits kept, wanted; /* what was set by hand: as the states have it, and as the drawn actor has it */
    const sim_edits *edits; /* the one of the two that its pose has now */

    /* Worked out once. */
    uint8_t *link;                   /* sim_link, by body */
    mmd_transform *offset, *inverse; /* of the body in its bone's frame, by body, and its inverse */
    uint32_t *order;                 /* simulated bodies with a bone, in the order bones are
                                        evaluated */
    uint32_t order_count;
    uint8_t *depends;     /* by bone: what physics or the bones after it do changes it */
    bool follows_physics; /* a kinematic body sits on such a bone */
    bool turns;           /* there are SIM_TURNS */
    sim_hang *hangs;      /* by body */
    uint32_t *hang_order; /* bodies that hang on something, nearer ones first */
    uint32_t hang_count;
    sim_impulse_morph *impulse_morphs;
    uint32_t impulse_morph_count;
    mmd_impulse *impulses; /* sums, by body; and the list that goes to the world */
    mmd_impulse *impulse_list;
    bool pinned;      /* some nodes of its soft bodies are */
    float (*pins)[3]; /* of one soft body */
    int32_t *pin_vertices;
    float (*placed_nodes)[4];    /* scratch: of one soft body */
    float *reach;                /* scratch of the guard, by body: length to the anchor, */
    int32_t *anchor;             /* and which that is */
    mmd_velocity *pace;          /* of bodies in the step before, */
    const uint8_t *last_reasons; /* and why they were put back then; NULL: no step before */

    /* At the step under way. */
    double evaluated; /* frame that values and pose are of; -1: none */
    double begun;     /* and that placement and outside parents are of */
    bool beginning;   /* these are being found out */
    bool finished;    /* the pose went through mmd_pose_finish */
    mmd_transform placement;
    float scale; /* of its own units, before placement */
    bool placed; /* placement is not the identity, or scale not 1 */
    bool staged_visible, visible;
    uint8_t *moving; /* by body: the world moves it in this step */

    /* What edits at a standing frame carry along (follow_edits.c). */
    sim_carry carry;
} sim_actor;

/* A world and the actors in it, ascending. */
typedef struct sim_world {
    mmd_world *world;
    uint32_t *actors;
    uint32_t actor_count;
    uint32_t first_body, body_count; /* in the arrays over all actors' bodies */
    size_t saved_at, saved_size;     /* its state in sim_state.worlds */
    uint32_t *list;                  /* scratch by body: numbers, transforms and positions that go
                                        in together */
    mmd_transform *transforms;
    float (*positions)[4];
    uint32_t reset_bodies; /* at the step under way */
    double step_seconds, pose_seconds;
} sim_world;

/* The state after a step. Snapshots and the ring hold such; all arrays lie in data, in one block. */
typedef struct sim_state {
    int64_t step; /* -1: none */
    uint32_t reset_bodies_count;
    uint32_t contact_count;
    bool has_contacts;
    uint8_t *data;
    mmd_transform *bodies;     /* in the world */
    mmd_transform *placements; /* by actor */
    float (*positions)[4];     /* of soft bodies' nodes, in the world */
    float (*normals)[4];
    float (*paces)[4];     /* how far what holds soft bodies went in the step: anchors, then pins, of each */
    uint8_t *worlds;       /* saved worlds, one after the other */
    uint8_t *simulated;    /* by body: moved by the world, not held */
    uint8_t *reasons;      /* by body: why it was put back at this step; 0: was not */
    uint8_t *soft_reasons; /* the same, by soft body */
    uint8_t *visible;      /* by actor */
    uint8_t *placed;       /* by actor: its placement is not the identity, or its scale not 1 */
    float *scales;         /* by actor */
    mmd_contact *contacts; /* not in data: only while somebody wants them, bodies
                              numbered over all actors */
    mmd_trigger_event *trigger_events; /* the same */
    uint32_t trigger_event_count, trigger_event_room;
} sim_state;

enum { SIM_CONTACTS_MAX = 4096 };

/* Snapshots at steps that are multiples of the distance, which doubles when they do not fit. */
typedef struct sim_snapshots {
    uint8_t *memory; /* capacity blocks as long as a state's data */
    int64_t *steps;  /* of each */
    uint32_t count, capacity;
    int64_t distance;
} sim_snapshots;

/* States that repeat themselves once all motions have ended (step_cache.c). */
typedef struct sim_cycle {
    int64_t ended;    /* step from which on nothing moves any bone but physics; -1: there is none */
    int64_t marked;   /* step whose state is remembered; -1: none */
    int64_t patience; /* steps until another one is */
    uint8_t *data;    /* of that state */
    int64_t period;   /* steps; 0: nothing is known to repeat itself */
} sim_cycle;

struct simulation {
    mmd_physics_options options;
    const mmd_gravity_key *gravity_keys; /* the stage's, or NULL */
    size_t gravity_key_count;
    int64_t rebuild_steps; /* between canonical rebuilds */
    sim_actor *actors;
    size_t actor_count;
    sim_world *worlds;
    size_t world_count;
    uint32_t body_count, node_count, soft_count, holder_count;
    size_t saved_size;      /* of all worlds */
    size_t state_size;      /* of a state's data */
    uint8_t *initial;       /* saved worlds before anything was done to them */
    mmd_transform *targets; /* where bodies belong at the step under way, by body */
    uint8_t *held;          /* by body */

    /* The step cache: states of steps first..live lie in the ring; the worlds are at live. */
    sim_state *ring;
    uint32_t ring_size;
    int64_t first, live;    /* live -1: nothing yet */
    bool worlds_stale;      /* the worlds have to be restored from the state of live
                               before the next step */
    bool carried;           /* something was changed by hand on the way: states are no
                               function of the frame */
    int64_t farthest;       /* step computed since physics was switched on, to tell
                               replays */
    int64_t resets_told_to; /* steps up to here were looked at for bodies put back */
    int64_t counted_to;     /* and up to here they are counted: those of replayed
                               steps are the same again */
    sim_snapshots snapshots;
    sim_cycle cycle;
    mmd_pool *pool;
    mmd_worker *worker;
    atomic_bool stop; /* the worker ends after the step under way */
    int64_t ahead_to;
    bool wants_contacts, wants_triggers;

    /* At the stage's frame. */
    bool pending; /* what was set by hand is drawn, but not simulated yet */
    bool drawn;   /* the following hold something */
    double drawn_frame;
    int64_t low, high; /* steps on both sides; the same where the frame lies on one */
    float between;
    mmd_transform *drawn_bodies;
    uint8_t *drawn_simulated;
    mmd_transform *seen; /* scratch: an actor's, as seen from where it stands */
    float (*drawn_positions)[4];
    float (*drawn_normals)[4];
    uint8_t *reset_told; /* by body: told of since the reset; soft bodies come after all bodies */
    uint32_t *telling;   /* scratch, by body and soft body: what is told of */

    mmd_physics_report report; /* as told to others: of when the frame was set */
    uint64_t steps, replayed, reset_bodies;
    mmd_arena arena;
};

/* ---- simulation_actor.c ---- */

/* Fills in all of an actor; its built_scale must be set. What it holds goes with
 * sim_actor_finish, also after errors.
 */
mmd_status sim_actor_init(sim_actor *a, const stage_entry *entry, const mmd_physics_options *options,
                          mmd_arena *arena, mmd_error *error);
void sim_actor_finish(sim_actor *a);

/* What was changed by hand on the drawn actor since it was taken over last,
 * the greatest of: nothing; something that can be carried; how it follows keys
 * of staging or whom it stands on, of which nothing may be known any more; its
 * motions. */
typedef enum sim_change { SIM_UNCHANGED, SIM_BY_HAND, SIM_AT_ONCE, SIM_MOTIONS } sim_change;
sim_change sim_actor_look_for_changes(const simulation *s, sim_actor *a, const stage_entry *entry);
void sim_actor_take_changes(sim_actor *a);                   /* wanted becomes kept */
void sim_actor_select(sim_actor *a, const sim_edits *edits); /* kept or wanted */

/* Begins a step at a frame, from a state (NULL: the reset): where it stands and what its bones hang on, by
 * the poses of its parents. */
void sim_actor_begin(simulation *s, sim_actor *a, const sim_state *from, double frame);

/* Who it stands on at a frame, as far as that is an actor of the stage; else NULL. */
sim_actor *sim_actor_parent(const simulation *s, const sim_actor *a, double frame);

/* Whom one of its bones hangs on at a frame, in the same way; item is one of its edits' outside parents. */
sim_actor *sim_actor_outside(const simulation *s, const outside_parent *item, double frame);

/* Its pose at a frame as it is without physics. */
void sim_actor_plain_pose(sim_actor *a, double frame);

/* The size that an actor of some size is simulated in. */
float sim_actor_scale(float scale);

/* From an actor's own space (as its pose has it) to the world, and back. */
void sim_actor_to_world(const sim_actor *a, const mmd_transform *own, mmd_transform *world);
void sim_actor_to_own(const mmd_transform *placement, float scale, const mmd_transform *world,
                      mmd_transform *own);

/* Where all its bodies belong at to->step, and which are held: into s->targets, s->held and `to`. */
void sim_actor_targets(simulation *s, sim_actor *a, const sim_state *from, sim_state *to, size_t index);

/* Says to a pose what simulated bodies say of its bones. bodies and simulated:
 * of the actor alone. placement NULL: bodies are in the actor's own space; scale goes with it. */
void sim_actor_override(const sim_actor *a, mmd_pose *pose, const mmd_transform *bodies,
                        const uint8_t *simulated, const mmd_transform *placement, float scale);

/* Where its turning bodies have to be, with bodies where they are: fills list
 * with their numbers in the world, and positions; returned is how many. */
uint32_t sim_actor_corrections(sim_actor *a, const mmd_transform *bodies, uint32_t first_in_world,
                               uint32_t *list, float (*positions)[4]);

/*
 * Without mass nothing moves a body of a PMX, so its bone would stay behind:
 * such a body is held for good. In imported scenes a mass of 0 is an infinite
 * one, and goes on as it began.
 */
static inline bool is_simulated_kind(const sim_actor *a, uint32_t b)
{
    const mmd_phys_body *body = &a->scene.bodies[b];
    return a->link[b] >= SIM_MOVES &&
           (body->mass > 0.0f || body->auto_mass || body->bone < 0 || a->scene.world.exact_restitution);
}

/* Whether physics changes a bone, if it is one. */
static inline bool depends_on(const sim_actor *a, int32_t bone)
{
    return bone >= 0 && a->depends[bone];
}

/* ---- own_scene.c: placed by hand ---- */

/* Puts what was placed where it was placed, in copies of the scene's arrays. False: out of memory; it can
 * only be destroyed then. */
bool placed_scene(const placed_set *set, mmd_physscene *scene);

/* ---- own_scene.c: another size ---- */

/* Makes all of a scene so many times as large, in copies of its arrays. False: out of memory; it can only be
 * destroyed then. */
bool scaled_scene(mmd_physscene *scene, float scale);

/* ---- follow_edits.c ---- */

bool follow_edits_init(sim_actor *a, mmd_arena *arena); /* false: out of memory */

/* Carries what is drawn at the stage's frame by what was set by hand since the states; `change` and `changed`
 * of all actors say how. */
void follow_edits_drawn(mmd_stage *stage);

/* Takes over what was set by hand, and carries the states on both sides of the stage's frame. */
void follow_edits_states(simulation *s);
/* Turns a body's velocity as its transform in the world is turned. */
void turn_velocity(const mmd_transform *before, const mmd_transform *now, mmd_velocity *velocity);

/* ---- simulation_soft.c ---- */

bool pins_init(sim_actor *a, mmd_arena *arena);
void pins_positions(const sim_actor *a, uint32_t soft); /* into a->pins, by the pose that was finished */
const int32_t *pins_vertices(const sim_actor *a, uint32_t soft); /* of each pin a vertex, or -1 */

bool softs_init(sim_actor *a, mmd_arena *arena); /* false: out of memory */

/* Puts an actor's soft bodies where what holds them is, at rest. */
void softs_place(simulation *s, sim_world *w, uint32_t index_in_world, const sim_state *to);

/* Looks at a world's soft bodies after a step, and puts back what went astray, its bodies being where they
 * are to be; why stands in `to`. True: one was no number any more. */
bool softs_reset_bodies(simulation *s, sim_world *w, const sim_state *from, sim_state *to);

/* ---- guard.c ---- */

enum { GUARD_FINE, GUARD_NOT_FINITE, GUARD_TOO_FAST, GUARD_TOO_FAR, GUARD_SOFT_TOO_FAR, GUARD_LEAPT };
const char *guard_reason(uint8_t reason);

/* Finds out what every body hangs on. False: out of memory. */
bool guard_init(sim_actor *a, mmd_arena *arena);

/* Before a step: how bodies moved in the last one, and why they were put back then, which stays valid. */
void guard_begin(sim_actor *a, const mmd_velocity *velocities, const uint8_t *reasons);

/*
 * Looks at an actor's bodies after a step. What went astray is moved in
 * bodies, and reasons (by body) say why; returned is how many. targets: where
 * bodies that hang on nothing go then, which is where they were a step before.
 */
uint32_t guard_check(sim_actor *a, mmd_transform *bodies, const mmd_velocity *velocities,
                     const mmd_transform *targets, uint8_t *reasons);

/* ---- simulation_step.c ---- */

bool impulses_init(sim_actor *a, mmd_arena *arena); /* false: out of memory */

void step_reset(simulation *s, sim_state *to);                          /* step 0 */
void step_advance(simulation *s, const sim_state *from, sim_state *to); /* the next one */
double step_frame(const simulation *s, int64_t step);

/* ---- step_cache.c ---- */

sim_state *step_cache_state(const simulation *s, int64_t step); /* in the ring */
void step_cache_forget(simulation *s);                          /* something was changed by hand: what was
                                                                 kept does not hold any more */
void step_cache_restart(simulation *s);                         /* back to nothing */

/* Computes all that is missing for steps low and high, tells stage of bodies put back. */
void step_cache_reach(mmd_stage *stage, int64_t low, int64_t high);
void step_cache_reach_with_contacts(mmd_stage *stage);
void step_cache_run_ahead(simulation *s);
void step_cache_note_end(mmd_stage *stage); /* looks when motions end, before anything is simulated */
void simulation_settle(simulation *s);      /* NULL is allowed */

/* Room for snapshots up to a step. False: out of memory, and none are kept. */
bool snapshots_init(simulation *s, int64_t last_step);
void snapshots_finish(sim_snapshots *snapshots);

/* ---- simulation.c ---- */

void simulation_destroy(simulation *s); /* NULL is allowed */

/* With other actors: all anew, where physics is on. */
mmd_status simulation_restart(mmd_stage *stage, mmd_error *error);

/* Between the two halves of all actors' poses at the stage's frame: brings
 * physics to the frame and says to the poses what it says of their bones.
 * Nothing where physics is off. */
void simulation_set_frame(mmd_stage *stage);

/* The gravity of a frame. */
void simulation_gravity(const simulation *s, double frame, float gravity[3]);

#endif
