/* Declarations shared by the files of the actor module: the actor and the stage. */
#ifndef ACTOR_INTERNAL_H
#define ACTOR_INTERNAL_H

#include "mmd/pool.h"
#include "mmd/simulation.h"
#include "mmd_math.h"

typedef struct actor_clips actor_clips; /* clips.c */

struct mmd_actor {
    const mmd_model *model;
    mmd_pose *pose;
    actor_clips *clips; /* NULL: no motion or animation */
    mmd_actor_motion *motions;
    size_t motions_added;
    const mmd_animation *animations;
    uint32_t animation_count;
    double delay;   /* frames by which its motions begin later */
    size_t changes; /* counter of changes of motions or animations, by which others notice them */
    mmd_pose_values values, previous;
    float *morphs_by_hand; /* NaN: the motion decides */
    uint8_t *hidden;       /* by material: not drawn */
    bool visible;
    mmd_arena arena;
};

/* The inputs of a pose: motions (clips, or NULL), their delay, and morphs set by hand. */
typedef struct actor_source {
    const mmd_model *model;
    actor_clips *clips;
    const float *morphs_by_hand; /* NaN: the motion decides */
    double delay;
} actor_source;

/* Evaluates the part of a pose before physics at a frame of the stage, with its values. previous is filled
 * only if the pose needs it. */
void actor_sample_pose(const actor_source *source, double frame, mmd_pose_values *values,
                       mmd_pose_values *previous, mmd_pose *pose);

/* ---- clips.c ---- */

/* The most dances that an actor fades out from at a time. */
enum { ACTOR_FADES_MAX = 4 };

/* Makes the clips of the actor's motions, animations and drifts; NULL if nothing moves it. Returns false when
 * out of memory. */
bool actor_make_clips(const mmd_actor *actor, actor_clips **clips);
void actor_clips_destroy(actor_clips *clips);        /* NULL is allowed, here and below */
void actor_clips_drift(actor_clips *clips, bool on); /* as mmd_clip_drift */

/* Samples all values at a frame of the stage; the actor's own motions have a delay. Takes nothing from the
 * heap. */
void actor_clips_sample(actor_clips *clips, double frame, double delay, mmd_pose_values *values);

/* ---- actor.c ---- */

/* Performs the part of mmd_actor_set_frame before physics; mmd_pose_finish is the other part. Without
 * physics nothing drifts. */
void actor_evaluate(mmd_actor *actor, double frame, bool physics);

/* ---- parents.c ---- */

/* The outside parent of a bone: an immutable block with a reference count. */
typedef struct outside_parent {
    size_t uses;
    int32_t bone; /* index, or MMD_WHOLE_ACTOR */
    uint32_t key_count, parent_count;
    const mmd_outside_key *keys;
    mmd_actor *const *parents; /* the actors in the keys, each once */
} outside_parent;

/* All outside parents of an actor: a block of the same kind. */
typedef struct outside_set {
    size_t uses, count;
    outside_parent **items;
} outside_set;

outside_set *outside_hold(outside_set *set); /* adds a reference; set may be NULL, here and below */
void outside_drop(outside_set *set);
const mmd_outside_key *outside_at(const outside_parent *item, double frame);
double outside_last_frame(const outside_set *set);

/* outside_clear removes all outside parents from a pose; outside_attach sets that of a bone, or of the whole
 * actor. */
void outside_clear(mmd_pose *pose, const mmd_model *model);
void outside_attach(mmd_pose *pose, const mmd_model *model, int32_t bone, const mmd_transform *world);

/* Poses actors with outside parents again at the stage's frame, parents first. */
void parents_pose(mmd_stage *stage);

/* ---- own_scene.c ---- */

/* Bodies and joints of an actor that were placed by hand. */
typedef struct placed_set placed_set;

void placed_destroy(placed_set *set); /* NULL, here and below: nothing is placed */

/* Returns the placement of a body; NULL: as in the file. */
const mmd_transform *placed_body(const placed_set *set, uint32_t body);

/* ---- starts.c ---- */

/* The starts of an actor's bodies, which were set by mmd_stage_start_body. */
typedef struct start_set start_set;
void starts_destroy(start_set *set); /* NULL is allowed */

typedef struct stage_entry {
    mmd_actor *actor;
    mmd_staging staging;
    const mmd_staging_key *keys; /* keys of the staging, or NULL */
    size_t key_count;
    uint64_t keys_set;              /* counter of changes of keys, since new ones may have the same address */
    uint32_t by_hand;               /* MMD_STAGED_...: values by hand, which replace those of the keys, */
    mmd_staging staged;             /* and these values */
    bool hidden;                    /* hidden by hand, whatever the keys say; false without keys */
    mmd_transform *bodies_at_bones; /* cache of mmd_stage_bodies without physics; NULL until used */
    outside_set *outside;           /* NULL: no bone has an outside parent */
    uint8_t met;                    /* scratch of parents.c */
    placed_set *placed_parts;       /* NULL until placements of bodies or joints are used */
    start_set *starts;              /* NULL: bodies start at their bones */
    bool absent;                    /* taken off the stage */
    size_t place;                   /* mmd_stage_set_place */
    char *name;                     /* instead of the model's; or NULL */
} stage_entry;

typedef struct simulation simulation; /* simulation_internal.h */

struct mmd_stage {
    stage_entry *entries;
    uint32_t *draw_order; /* indices of entries */
    size_t actor_count;
    const mmd_motion **motions; /* of camera, light and self shadow */
    size_t motion_count;
    mmd_outside_key *follow_keys; /* actors that the camera of follow_motion follows; or NULL */
    size_t follow_count;
    const mmd_motion *follow_motion;
    const mmd_background_picture *background_pictures;
    uint32_t background_picture_count;
    mmd_gravity_key *gravity_keys; /* replace the gravity of the options; or NULL */
    size_t gravity_key_count;
    double frame;
    bool camera_by_hand, color_by_hand, direction_by_hand;
    mmd_camera camera, default_camera;
    mmd_light light;
    mmd_self_shadow self_shadow;
    simulation *physics; /* NULL: off */
    uint32_t threads;    /* number of threads for poses, in addition to the caller's */
    mmd_pool *pool;      /* created once there are several actors */
    mmd_reset_bodies_function *on_reset_bodies;
    void *reset_bodies_context;
    mmd_simulating_function *on_step;
    void *step_context;
    mmd_simulating_function *on_simulating;
    void *simulating_context;
    mmd_trigger_function *on_trigger;
    void *trigger_context;
};

/* Returns the actor that a staging is attached to, or NULL if there is none or it is off the stage. */
mmd_actor *stage_parent(const mmd_stage *stage, const mmd_staging *staging);

/* Computes the staging of an entry at a frame: from its keys, or the fixed one. */
void stage_sample_staging(const stage_entry *entry, double frame, mmd_staging *staging);

/* Computes Rz Ry Rx times scale, then the translation (docs/mmd.md 1.6), column-major. */
void stage_own_placement(const mmd_staging *staging, float matrix[16]);

/* Extracts rotation and translation of a matrix with a uniform scale. */
void stage_rigid_part(const float matrix[16], mmd_transform *out);

#endif
