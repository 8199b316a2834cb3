/* Declarations shared by the files of the pose module. */
#ifndef POSE_INTERNAL_H
#define POSE_INTERNAL_H

#include "mmd/pose_parts.h"
#include "mmd_math.h"

#define POSE_PI 3.14159265358979323846f

/* How an IK link may rotate, derived once from the file's limits. */
typedef enum link_kind {
    LINK_FREE,
    LINK_ONE_AXIS,  /* limits leave one axis */
    LINK_LIMITED,   /* limits on several axes */
    LINK_LOCKED,    /* all limits are zero: it does not rotate */
    LINK_FIXED_AXIS /* the bone has a fixed axis */
} link_kind;

typedef struct chain_link {
    uint32_t bone;
    link_kind kind;
    uint8_t axis;             /* for LINK_ONE_AXIS: 0 x, 1 y, 2 z */
    float lower[3], upper[3]; /* radians, lower <= upper */
    float fixed_axis[3];      /* unit vector */
    bool has_frame;           /* limits refer to the bone's local axes */
    float frame[4];           /* quaternion from those axes to the bone's */
    uint32_t path_first;      /* first element of the solver's path to update when this link rotates */
    uint32_t first;           /* index of the solver's first link with the same bone; usually its own */
    float limit;              /* largest rotation in a step, in radians */
    float limit_cos, half_sin, half_cos; /* cos(limit), sin(limit / 2), cos(limit / 2) */
} chain_link;

typedef struct ik_solver {
    uint32_t goal, target;
    uint32_t loops;
    uint32_t link_count;
    bool ordered;        /* each link is an ancestor of the link before it, as is usual */
    chain_link *links;   /* ordered from the effector outward */
    uint32_t path_count; /* number of bones from the outermost link to the effector, outermost first */
    uint32_t *path;
    bool path_late;          /* a bone of the path comes before its parent in the evaluation order */
    bool path_left;          /* a bone of the path may be left behind by its parent (bone_info.left_behind) */
    uint32_t affected_count; /* number of bones to evaluate again after solving, in order */
    uint32_t *affected;
} ik_solver;

enum { IK_BATCH_MAX = 8 };

/* Solvers that do not depend on each other and work side by side, at the turn of the first one's IK bone. */
typedef struct ik_batch {
    uint32_t count;
    const ik_solver *solvers[IK_BATCH_MAX];
    uint32_t ahead_count; /* number of bones to evaluate before, although they come later in the order */
    uint32_t *ahead;
} ik_batch;

/* Everything of a bone that evaluation reads in each frame. */
typedef struct bone_info {
    int32_t parent;
    int32_t source; /* append source; -1 for none */
    int32_t batch;  /* index of the batch that its IK solver is the first of; -1 for none */
    float ratio;
    float offset[4]; /* from the parent's rest position; fourth element 0 */
    bool append_rotation, append_translation, append_local;
    bool parent_later,
        /* they come later in the evaluation order; not set for parents on an IK path (ik_setup.c) */
        source_later;
    bool left_behind; /* an IK bone that its own chain moves; it stays where it was before */
    bool has_user, has_user_scale, has_external;
} bone_info;

typedef struct bone_state {
    float own[4];  /* morph * key * user rotation */
    float base[4]; /* own * append: everything except IK */
    float ik[4];
    float append[4];
    float local[4]; /* ik * base */
    /* Translations; the fourth element is 0. */
    float translation[4]; /* key + user + morph: the value that append sources pass on */
    float append_translation[4];
    float offset[4]; /* from the parent: rest + translation + append_translation */
} bone_state;

/* Additional data of poses with scale, by bone: for models with animated scale from the beginning, for others
 * from the first edit that scales a node. */
typedef struct scale_room {
    float (*linear)[9];
    mmd_affine *affine;
    float (*user)[3];      /* set by edits; NULL if none were */
    float (*user_maps)[6]; /* the same in the bone's axes, as symmetric matrices like MMD_ANIMATED_SCALE */
    uint32_t user_count;   /* number of them that are not 1 */
} scale_room;

/* A link while its solver works. */
typedef struct link_run {
    bone_state *bone;
    mmd_transform *world;
    const mmd_transform *parent; /* world transform of its bone's parent; NULL for none */
    bool in_world;               /* it rotates in world space instead of in its own axes */
    uint32_t turned_in; /* the first pass that rotated its bone; UINT32_MAX: none so far. Of the bone's
                           first link only (chain_link.first) */
    float angles[3];    /* of links with limits, in radians */
    float best[4];      /* local rotation after the pass before */
} link_run;

typedef struct bone_override {
    bool active, rotation_only;
    mmd_transform world;
} bone_override;

struct mmd_pose {
    const mmd_model *model;
    mmd_pose_options options;
    bone_info *info;
    bone_state *state;
    mmd_transform *world;
    mmd_transform *palette;
    float (*rest)[4];         /* positions at rest; fourth element 0 */
    float (*linear)[9];       /* by bone: columns of its world matrix, including scale; NULL without scale */
    mmd_affine *affine;       /* skin palette with scale, or NULL */
    const float (*scales)[6]; /* scales in the values that are being evaluated, or NULL */
    scale_room *scale_room;   /* memory that linear and affine point to, and scales by edits; or NULL */
    mmd_transform *user;      /* user edits: rotation and translation */
    mmd_transform *external;  /* external parents */
    uint32_t external_count;  /* number of bones that have one */
    bone_override *overrides;
    uint32_t override_count;
    uint8_t *moved;                /* scratch of mmd_pose_finish */
    const mmd_pose_values *values; /* set between mmd_pose_evaluate and mmd_pose_finish */

    bool backward;              /* some bone depends on a bone later in the order */
    bone_state *previous_state; /* state one frame earlier; only if backward */
    mmd_transform *previous_world;

    ik_solver *solvers;
    uint32_t solver_count;
    uint32_t batch_most; /* largest number of solvers in a batch */
    uint32_t batch_count;
    ik_batch *batches;
    link_run *link_runs; /* scratch of the IK solvers */

    float *weights;      /* effective weights */
    float *flip_weights; /* scratch: weights after groups and flips */
    mmd_material_values *materials, *rest_materials, *factors;
    mmd_material_adds *material_adds;
    mmd_transform *morph_bones; /* sums of bone morphs */
    bool has_bone_morphs, has_material_morphs, has_group_morphs, has_flip_morphs;
    bool bone_morphs_active;
    uint32_t *group_order; /* group morphs, parents first */
    uint32_t group_count;  /* number of them that are not part of a cycle */
    uint32_t group_total;

    mmd_arena arena;
};

/* In pose.c. Creates a pose like mmd_pose_create, with batches of at most batch_most IK solvers, 1 to
 * IK_BATCH_MAX. Tests compare with batch_most 1, where every solver works at its own turn. */
mmd_pose *pose_create(const mmd_model *model, const mmd_pose_options *options, uint32_t batch_most);

/* In morph.c. */
bool pose_morphs_init(mmd_pose *pose);
void pose_morphs_evaluate(mmd_pose *pose, const float *weights);

/* In scale.c, for models with scale. Computes a bone's world transform from its parent's and its state,
 * updates its linear map after physics rotated it from `before`, and computes the palette. */
bool pose_scale_init(mmd_pose *pose);
void pose_scale_world(mmd_pose *pose, uint32_t bone);
void pose_scale_turned(mmd_pose *pose, uint32_t bone, const float before[4]);
void pose_scale_palette(mmd_pose *pose);

/* In ik_setup.c and ik.c. Solves up to IK_BATCH_MAX chains that do not depend on each other. */
bool pose_ik_init(mmd_pose *pose);
void pose_ik_solve(mmd_pose *pose, const ik_solver *const *solvers, uint32_t count);

/* In pose.c: the steps of evaluating a bone, which baking inverts (bake.c): its own transform from motion,
 * morphs and edits; append and the local transform; the world transform from the parent's. */
void pose_load_own(mmd_pose *pose, uint32_t bone, const mmd_transform *motion);
void pose_update_append(mmd_pose *pose, uint32_t bone);
void pose_update_world(mmd_pose *pose, uint32_t bone);

/* Evaluates the state one frame earlier, starting from rest, for poses with `backward`. */
void pose_evaluate_previous(mmd_pose *pose, const mmd_pose_values *previous);

#endif
