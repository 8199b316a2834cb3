/* What the files of the actor module share: insides of an actor and of the stage. */
#ifndef ACTOR_INTERNAL_H
#define ACTOR_INTERNAL_H

#include "mmd/pool.h"
#include "mmd/simulation.h"
#include "mmd_math.h"

struct mmd_actor {
    const mmd_model *model;
    mmd_pose_options options;
    mmd_pose *pose;
    mmd_clip *clip; /* NULL: nothing moves it */
    const mmd_motion **motions;
    size_t motions_added;
    const mmd_animation *animations;
    uint32_t animation_count;
    double delay;   /* frames by which its motions begin later */
    size_t changes; /* how often motions or animations were given to it: others look whether it rose */
    mmd_pose_values values, previous;
    float *morphs_by_hand; /* NaN: the motion's */
    uint8_t *hidden;       /* by material: not drawn */
    bool visible;
    mmd_arena arena;
};

/* What a pose is made of: motions (clip, or NULL), begun later by a delay, and morphs set by hand. */
typedef struct actor_source {
    const mmd_model *model;
    mmd_clip *clip;
    const float *morphs_by_hand; /* NaN: the motion's */
    double delay;
} actor_source;

/* The half of a pose before physics at a frame of the stage, with the values that it was made from; previous
 * only where the pose needs it. */
void actor_sample_pose(const actor_source *source, double frame, mmd_pose_values *values,
                       mmd_pose_values *previous, mmd_pose *pose);

/* A clip of the actor's motions and animations, and of what drifts, for whoever has a pose of its own; NULL:
 * nothing moves it. False: out of memory. */
bool actor_make_clip(const mmd_actor *actor, mmd_clip **clip);

/* The half of mmd_actor_set_frame before physics, which mmd_pose_finish is the other one of. Without physics
 * nothing drifts. */
void actor_evaluate(mmd_actor *actor, double frame, bool physics);

/* ---- parents.c ---- */

/* What is said of a bone's outside parent: a block that does not change, held by counting. */
typedef struct outside_parent {
    size_t uses;
    int32_t bone; /* or MMD_WHOLE_ACTOR */
    uint32_t key_count, parent_count;
    const mmd_outside_key *keys;
    mmd_actor *const *parents; /* who is among the keys, each once */
} outside_parent;

/* What is said of all of an actor's: the same kind of block. */
typedef struct outside_set {
    size_t uses, count;
    outside_parent **items;
} outside_set;

outside_set *outside_hold(outside_set *set); /* NULL is allowed, as below */
void outside_drop(outside_set *set);
const mmd_outside_key *outside_at(const outside_parent *item, double frame);
double outside_last_frame(const outside_set *set);

/* Takes all outside parents from a pose; gives one to a bone, or to the whole actor. */
void outside_clear(mmd_pose *pose, const mmd_model *model);
void outside_hang(mmd_pose *pose, const mmd_model *model, int32_t bone, const mmd_transform *world);

/* Poses anew, at the stage's frame, who has outside parents, after these. */
void parents_pose(mmd_stage *stage);

/* ---- own_scene.c ---- */

/* Bodies and joints of an actor placed by hand. */
typedef struct placed_set placed_set;

void placed_destroy(placed_set *set); /* NULL is allowed, as below: nothing is placed */

/* Where a body was placed; NULL: where the file has it. */
const mmd_transform *placed_body(const placed_set *set, uint32_t body);

typedef struct stage_entry {
    mmd_actor *actor;
    mmd_staging staging;
    const mmd_staging_key *keys; /* where it follows keys, or NULL */
    size_t key_count;
    uint64_t keys_set;              /* how often keys were set: others may lie where the last ones did */
    mmd_transform *bodies_at_bones; /* made when somebody asks for them without
                                       physics (bodies.c) */
    outside_set *outside;           /* NULL: none of its bones has an outside parent */
    uint8_t met;                    /* scratch of parents.c */
    placed_set *placed_parts;       /* NULL: nobody asked for places of bodies and joints */
} stage_entry;

typedef struct simulation simulation; /* simulation_internal.h */

struct mmd_stage {
    stage_entry *entries;
    uint32_t *draw_order; /* indices of entries */
    size_t actor_count;
    const mmd_motion **motions; /* of camera, light and self shadow */
    size_t motion_count;
    mmd_outside_key *follow_keys; /* whom the camera of follow_motion follows; or NULL */
    size_t follow_count;
    const mmd_motion *follow_motion;
    const mmd_background_picture *background_pictures;
    uint32_t background_picture_count;
    mmd_gravity_key *gravity_keys; /* in place of the options' gravity; or NULL */
    size_t gravity_key_count;
    double frame;
    bool camera_by_hand, color_by_hand, direction_by_hand;
    mmd_camera camera, default_camera;
    mmd_light light;
    mmd_self_shadow self_shadow;
    simulation *physics; /* NULL: off */
    uint32_t threads;    /* that share out poses beside the caller's, */
    mmd_pool *pool;      /* once there are several actors */
    mmd_reset_bodies_function *on_reset_bodies;
    void *reset_bodies_context;
    mmd_simulating_function *on_simulating;
    void *simulating_context;
    mmd_trigger_function *on_trigger;
    void *trigger_context;
};

/* How an entry is staged at a frame: by its keys, or as it stands. */
void stage_sample_staging(const stage_entry *entry, double frame, mmd_staging *staging);

/* Rz Ry Rx times scale, then the translation (docs/mmd.md 1.6), column-major. */
void stage_own_placement(const mmd_staging *staging, mat4 matrix);

/* Turn and place of a matrix that scales evenly, without its scale. */
void stage_rigid_part(mat4 matrix, mmd_transform *out);

#endif
