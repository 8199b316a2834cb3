/* Declarations shared by the files of the pose module. */
#ifndef POSE_INTERNAL_H
#define POSE_INTERNAL_H

#include "mmd/pose_parts.h"
#include "mmd_math.h"

#define POSE_PI 3.14159265358979323846f

/* Transforms of a bone that IK reads, as MMD keeps them (ik.c). */
typedef struct bone_matrices {
    float local[16]; /* from its parent's place to its own */
    float world[16]; /* from its rest position to its place */
    float frame[12]; /* rotation of the parent's world matrix when `world` was made: the axes that IK turns it
                        in */
} bone_matrices;

/* A link, or the effector, which has no limits. */
typedef struct chain_link {
    uint32_t bone;
    uint32_t first; /* index in the chain of the first link with the same bone; usually its own */
    float limit;    /* largest rotation of a visit, in radians */
    bool limited, fixed;
    bool knee;        /* a PMD's: it turns about x in all passes, and is mirrored where it bends forwards */
    int8_t hinge;     /* of limited links: the only axis that the limits leave (0 x, 1 y, 2 z); else -1 */
    uint8_t order[3]; /* of limited links: axes of the Euler angles, outermost first */
    bool turned;      /* in this frame, its bone rotated; only of the bone's first link */
    bool plain;       /* in this frame, its place follows from its local matrix and its parent's place */
    bone_matrices *own;
    const float *parent;      /* its parent's world matrix */
    float lower[3], upper[3]; /* radians */
    float fixed_axis[3];      /* unit vector */
} chain_link;

typedef struct ik_solver {
    uint32_t goal;
    uint32_t passes; /* at most */
    uint32_t link_count;
    chain_link *chain; /* the effector, then link_count links in the file's order, usually outward from it */
} ik_solver;

/* A level of bones (mmd_model.bone_level) with IK. */
typedef struct ik_level {
    uint32_t end; /* position in bone_order behind the level's last bone */
    uint32_t solver_count;
    const ik_solver *solvers;
    uint32_t deferred_count; /* number of bones to evaluate again after solving, in order */
    uint32_t *deferred;
} ik_level;

/* Everything of a bone that evaluation reads in each frame. */
typedef struct bone_info {
    int32_t parent;
    int32_t source; /* append source; -1 for none */
    float ratio;
    float offset[4]; /* from the parent's rest position; fourth element 0 */
    bool append_rotation, append_translation;
    bool parent_later, source_later; /* they come later in the evaluation order */
    bool has_user, has_user_scale, has_external;
    bool has_matrix; /* an IK solver reads it: it is a goal, a link, an effector, or an ancestor of one */
} bone_info;

typedef struct bone_state {
    float own[4];  /* morph * key * user rotation */
    float base[4]; /* own * append: everything except IK */
    float ik[4];
    float append[4];
    float local[4]; /* ik * base */
    bool solved;    /* an IK solver set local, and the rotation of the local matrix, for this base */
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

typedef struct bone_override {
    bool active, rotation_only;
    mmd_transform world;
} bone_override;

struct mmd_pose {
    const mmd_model *model;
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
    bone_matrices *previous_matrices; /* NULL without IK */

    ik_solver *solvers; /* in the order of evaluation */
    uint32_t solver_count;
    ik_level *ik_levels;
    uint32_t ik_level_count;
    bone_matrices *matrices; /* by bone, for those with has_matrix; NULL without IK */

    float *weights;      /* effective weights */
    float *flip_weights; /* scratch: weights after groups and flips */
    mmd_material_values *materials, *rest_materials, *factors;
    mmd_material_adds *material_adds;
    mmd_transform *morph_bones; /* sums of bone morphs */
    bool has_bone_morphs, has_material_morphs, has_group_morphs, has_flip_morphs;
    bool bone_morphs_active;
    uint32_t
        groups_end; /* groups from this morph on apply no morphs of bones and materials: there are too many */

    mmd_arena arena;
};

/* In morph.c. */
bool pose_morphs_init(mmd_pose *pose);
void pose_morphs_evaluate(mmd_pose *pose, const float *weights);

/* In scale.c, for models with scale. Computes a bone's world transform from its parent's and its state,
 * updates its linear map after physics rotated it from `before`, and computes the palette. */
bool pose_scale_init(mmd_pose *pose);
void pose_scale_world(mmd_pose *pose, uint32_t bone);
void pose_scale_turned(mmd_pose *pose, uint32_t bone, const float before[4]);
void pose_scale_palette(mmd_pose *pose);

/* In ik_setup.c and ik.c. */
bool pose_ik_init(mmd_pose *pose);
void pose_ik_solve(mmd_pose *pose, const ik_solver *solver);

/* In ik.c, for bones with has_matrix. Compute a bone's matrices from its state and its parent's matrix, and
 * its world matrix from its world transform. */
void pose_update_matrix(mmd_pose *pose, uint32_t bone);
void pose_matrix_from_world(mmd_pose *pose, uint32_t bone);
extern const float pose_identity_matrix[16];
void pose_rest_matrices(const mmd_pose *pose, bone_matrices *matrices); /* of all bones */

/* In ik.c, for any bone. Reads its local rotation from the matrix that IK left (solved), or else from the one
 * that its local rotation makes (NULL), as MMD's append does. */
void pose_matrix_rotation(const bone_state *state, const bone_matrices *solved, float q[4]);

/* In pose.c: the steps of evaluating a bone, which baking inverts (bake.c): its own transform from motion,
 * morphs and edits; append and the local transform; the world transform from the parent's. */
void pose_load_own(mmd_pose *pose, uint32_t bone, const mmd_transform *motion);
void pose_update_append(mmd_pose *pose, uint32_t bone);
void pose_update_world(mmd_pose *pose, uint32_t bone);

/* Evaluates the state one frame earlier, starting from rest, for poses with `backward`. */
void pose_evaluate_previous(mmd_pose *pose, const mmd_pose_values *previous);

#endif
