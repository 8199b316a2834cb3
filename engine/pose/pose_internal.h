/* What the files of the pose module share. */
#ifndef POSE_INTERNAL_H
#define POSE_INTERNAL_H

#include "mmd/pose.h"
#include "mmd_math.h"

/* How a link may turn, worked out once from the file's limits. */
typedef enum link_kind {
    LINK_FREE,
    LINK_ONE_AXIS,  /* limits leave one axis */
    LINK_LIMITED,   /* limits on several axes */
    LINK_LOCKED,    /* all limits zero: does not turn */
    LINK_FIXED_AXIS /* the bone has a fixed axis */
} link_kind;

typedef struct chain_link {
    uint32_t bone;
    link_kind kind;
    uint8_t axis;                        /* LINK_ONE_AXIS: 0 x, 1 y, 2 z */
    float lower[3], upper[3];            /* lower <= upper */
    float fixed_axis[3];                 /* unit */
    bool has_frame;                      /* limits count in the bone's local axes */
    float frame[4];                      /* from those axes to the bone's */
    uint32_t path_first;                 /* bones of the solver's path to update when this link turns */
    float limit;                         /* largest turn in a step */
    float limit_cos, half_sin, half_cos; /* cos(limit), sin(limit / 2), cos(limit / 2) */
} chain_link;

typedef struct ik_solver {
    uint32_t goal, target;
    uint32_t loops;
    uint32_t link_count;
    bool ordered;        /* each link is an ancestor of the one before it, as it should be */
    chain_link *links;   /* from the effector outward */
    uint32_t path_count; /* bones from the outermost link to the target, outer first */
    uint32_t *path;
    bool path_late;       /* a bone of the path comes before its parent in the order */
    uint32_t ahead_count; /* bones to evaluate before solving though their turn comes later, in this order */
    uint32_t *ahead;
    uint32_t affected_count; /* bones to evaluate again after solving, in order */
    uint32_t *affected;
} ik_solver;

/* Everything of a bone that evaluation reads each frame. */
typedef struct bone_info {
    int32_t parent;
    int32_t source; /* of append; -1 none */
    int32_t solver; /* index of its IK solver; -1 none */
    float ratio;
    float offset[3]; /* from the parent's rest position */
    bool append_rotation, append_translation, append_local;
    bool parent_later,
        source_later; /* in the evaluation order; not for parents on a path of IK (ik_setup.c) */
    bool has_user, has_user_scale, has_external;
} bone_info;

typedef struct bone_state {
    float own[4];  /* morph * key * user rotation */
    float base[4]; /* own * append: all but IK */
    float ik[4];
    float append[4];
    float local[4];       /* ik * base */
    float translation[3]; /* key + user + morph: what an append source passes on */
    float append_translation[3];
    float offset[4]; /* from the parent: rest + translation + append_translation; 0 */
} bone_state;

/* What poses have beside rigid transforms, by bone, where there is scale: for models of animated scale from
 * the beginning, for others from when one of their nodes is first scaled by hand. */
typedef struct scale_room {
    float (*linear)[9];
    mmd_affine *affine;
    float (*user)[3];      /* by hand; NULL: none was */
    float (*user_maps)[6]; /* the same in the bone's axes: symmetric, as MMD_ANIMATED_SCALE has it */
    uint32_t user_count;   /* that are not 1 */
} scale_room;

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
    float (*linear)[9];       /* by bone, columns: of its world, scale inside; NULL while there is none */
    mmd_affine *affine;       /* the palette with scale, or NULL */
    const float (*scales)[6]; /* of the values being evaluated, or NULL */
    scale_room *scale_room;   /* what linear and affine are when they are; and scales by hand; or NULL */
    mmd_transform *user;      /* user edits: rotation and translation */
    mmd_transform *external;  /* external parents */
    bone_override *overrides;
    uint32_t override_count;
    uint8_t *moved;                /* scratch of mmd_pose_finish */
    const mmd_pose_values *values; /* between mmd_pose_evaluate and mmd_pose_finish */

    bool backward;              /* something refers to a bone later in the order */
    bone_state *previous_state; /* of one frame earlier, only if backward */
    mmd_transform *previous_world;

    ik_solver *solvers;
    uint32_t solver_count;
    float (*best)[4]; /* scratch of the IK solvers: rotations of the best pass */
    float (*angles)[3];

    float *weights;      /* effective */
    float *flip_weights; /* scratch: groups spread, flips included */
    mmd_material_values *materials, *rest_materials, *factors;
    mmd_material_adds *material_adds;
    mmd_transform *morph_bones; /* sum of bone morphs */
    bool has_bone_morphs, has_material_morphs, has_group_morphs, has_flip_morphs;
    bool bone_morphs_active;
    uint32_t *group_order; /* group morphs, parents first */
    uint32_t group_count;  /* of these, not part of a circle */
    uint32_t group_total;

    mmd_arena arena;
};

/* morph.c */
bool pose_morphs_init(mmd_pose *pose);
void pose_morphs_evaluate(mmd_pose *pose, const float *weights);

/*
 * scale.c, for models that have scale: the world of a bone from its parent's
 * and its state; what becomes of its linear map where physics turns it from
 * `before`; the palette.
 */
bool pose_scale_init(mmd_pose *pose);
void pose_scale_world(mmd_pose *pose, uint32_t bone);
void pose_scale_turned(mmd_pose *pose, uint32_t bone, const float before[4]);
void pose_scale_palette(mmd_pose *pose);

/* ik.c */
bool pose_ik_init(mmd_pose *pose);
void pose_ik_solve(mmd_pose *pose, const ik_solver *solver);

/*
 * pose.c, the steps of a bone's way, which baking takes backwards (bake.c): its
 * own transform from motion, morphs and user; what it appends, and its local
 * transform; its world transform from its parent's and its state.
 */
void pose_load_own(mmd_pose *pose, uint32_t bone, const mmd_transform *motion);
void pose_update_append(mmd_pose *pose, uint32_t bone);
void pose_update_world(mmd_pose *pose, uint32_t bone);

/* Of a pose that is backward: everything at the frame before, from rest. */
void pose_evaluate_previous(mmd_pose *pose, const mmd_pose_values *previous);

#endif
