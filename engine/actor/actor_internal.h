/* Declarations shared by the files of this module: members of an actor and of the stage. */
#ifndef ACTOR_INTERNAL_H
#define ACTOR_INTERNAL_H

#include "mmd/pool.h"
#include "mmd/simulation.h"
#include "mmd_math.h"

struct mmd_actor {
    const mmd_model *model;
    mmd_pose_options options;
    mmd_pose *pose;
    mmd_clip *clip; /* NULL if nothing moves the actor */
    const mmd_motion **motions;
    size_t motions_added;
    const mmd_animation *animations;
    uint32_t animation_count;
    double delay;   /* in frames: its motions start later by this */
    size_t changes; /* counts changes of motions and animations, so that others can detect them */
    mmd_pose_values values, previous;
    float *morphs_by_hand; /* NaN to use the motion's weight */
    uint8_t *hidden;       /* by material: not drawn */
    bool visible;
    mmd_arena arena;
};

/* Sources of a pose: motions (clip, or NULL) with a delay, and morphs set by the user. */
typedef struct actor_source {
    const mmd_model *model;
    mmd_clip *clip;
    const float *morphs_by_hand; /* NaN to use the motion's weight */
    double delay;
} actor_source;

/* Evaluates the part of a pose before physics at a frame of the stage, and returns the values it was made
 * from; previous is only filled in if the pose needs it. */
void actor_sample_pose(const actor_source *source, double frame, mmd_pose_values *values,
                       mmd_pose_values *previous, mmd_pose *pose);

/* Creates a clip of the actor's motions, animations and drifts, for a pose of the caller's own; NULL if
 * nothing moves the actor. Returns false if out of memory. */
bool actor_make_clip(const mmd_actor *actor, mmd_clip **clip);

/* Does the part of mmd_actor_set_frame before physics; mmd_pose_finish does the rest. Without physics nothing
 * drifts. */
void actor_evaluate(mmd_actor *actor, double frame, bool physics);

/* ---- parents.c ---- */

/* The outside parent of a bone: an immutable block with a reference count. */
typedef struct outside_parent {
    size_t uses;
    int32_t bone; /* or MMD_WHOLE_ACTOR */
    uint32_t key_count, parent_count;
    const mmd_outside_key *keys;
    mmd_actor *const *parents; /* actors that occur in the keys, each once */
} outside_parent;

/* The outside parents of an actor: the same kind of block. */
typedef struct outside_set {
    size_t uses, count;
    outside_parent **items;
} outside_set;

outside_set *outside_hold(outside_set *set); /* NULL is allowed, as below */
void outside_drop(outside_set *set);
const mmd_outside_key *outside_at(const outside_parent *item, double frame);
double outside_last_frame(const outside_set *set);

/* Remove all outside parents from a pose, and set one for a bone or for the whole actor. */
void outside_clear(mmd_pose *pose, const mmd_model *model);
void outside_hang(mmd_pose *pose, const mmd_model *model, int32_t bone, const mmd_transform *world);

/* Poses actors with outside parents again at the stage's frame, after their parents. */
void parents_pose(mmd_stage *stage);

/* ---- own_scene.c ---- */

/* Bodies and joints of an actor that were placed by the user. */
typedef struct placed_set placed_set;

void placed_destroy(placed_set *set); /* NULL is allowed, as below: nothing is placed */

/* Returns a body's placement; NULL if it is as in the file. */
const mmd_transform *placed_body(const placed_set *set, uint32_t body);

typedef struct stage_entry {
    mmd_actor *actor;
    mmd_staging staging;
    const mmd_staging_key *keys; /* keys of the placement, or NULL */
    size_t key_count;
    uint64_t keys_set;              /* counts changes of keys, because new keys may have the same address */
    mmd_transform *bodies_at_bones; /* created when requested without physics (bodies.c) */
    outside_set *outside;           /* NULL if no bone has an outside parent */
    uint8_t met;                    /* scratch of parents.c */
    placed_set *placed_parts;       /* NULL until the user places a body or joint */
} stage_entry;

typedef struct simulation simulation; /* in simulation_internal.h */

struct mmd_stage {
    stage_entry *entries;
    uint32_t *draw_order; /* indices of entries */
    size_t actor_count;
    const mmd_motion **motions; /* motions of camera, light and self shadow */
    size_t motion_count;
    mmd_outside_key *follow_keys; /* bones that the camera of follow_motion follows; or NULL */
    size_t follow_count;
    const mmd_motion *follow_motion;
    const mmd_background_picture *background_pictures;
    uint32_t background_picture_count;
    mmd_gravity_key *gravity_keys; /* gravity over time, instead of the options'; or NULL */
    size_t gravity_key_count;
    double frame;
    bool camera_by_hand, color_by_hand, direction_by_hand;
    mmd_camera camera, default_camera;
    mmd_light light;
    mmd_self_shadow self_shadow;
    simulation *physics; /* NULL while physics is off */
    uint32_t threads;    /* additional threads for evaluating poses */
    mmd_pool *pool;      /* created when there are several actors */
    mmd_reset_bodies_function *on_reset_bodies;
    void *reset_bodies_context;
    mmd_simulating_function *on_simulating;
    void *simulating_context;
    mmd_trigger_function *on_trigger;
    void *trigger_context;
};

/* Returns the placement of an entry at a frame: from its keys, or as it is set. */
void stage_sample_staging(const stage_entry *entry, double frame, mmd_staging *staging);

/* Computes Rz Ry Rx times scale, then the translation (docs/mmd.md 1.6), column-major. */
void stage_own_placement(const mmd_staging *staging, mat4 matrix);

/* Extracts rotation and translation of a matrix with uniform scale. */
void stage_rigid_part(mat4 matrix, mmd_transform *out);

#endif
