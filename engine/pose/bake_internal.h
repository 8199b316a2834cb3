/* Declarations shared by the files that implement baking. */
#ifndef BAKE_INTERNAL_H
#define BAKE_INTERNAL_H

#include "mmd/bake.h"
#include "pose_internal.h"

/* A growing list of keys of one bone. Keys from index `settled` on may still be replaced. */
typedef struct bake_keys {
    uint32_t count, capacity, settled;
    uint32_t *frames;
    mmd_bone_key *keys;
} bake_keys;

/* A growing list of the weights of one morph, where they change. */
typedef struct bake_weights {
    uint32_t count, capacity;
    uint32_t *frames;
    float *weights;
    bool by_hand; /* weights were set by the user and differ from the motions */
} bake_weights;

/* Visibility from a frame on. */
typedef struct bake_visible {
    uint32_t frame;
    bool visible;
} bake_visible;

/* One frame of the window: the poses that are wanted, the pose that the keys so far give, and the keys.
 * Arrays by bone. */
typedef struct bake_frame {
    mmd_transform *target; /* wanted world transforms */
    mmd_transform *motion; /* local transforms from the motions */
    mmd_transform *value;  /* local transforms from the new keys */
    bone_state *state;     /* state of the pose that results from the keys */
    mmd_transform *world;
    mmd_transform *morph_bones; /* NULL if the model has no bone morphs */
    bool bone_morphs_active;
    float *weights;
    uint8_t *physics_off;
} bake_frame;

struct mmd_bake {
    const mmd_model *model;
    mmd_bake_options options;
    bool reduces;
    const mmd_motion *const *motions;
    size_t motion_count;
    mmd_pose *pose;
    bake_frame own; /* the pose's own arrays, while it works in those of a frame */

    /* element 0 is the frame before the window, whose keys are final; then the frames of the window */
    bake_frame *frames;
    uint32_t filled; /* number of frames in the window */
    uint32_t frame_count;
    bool is_finished;

    uint8_t *obstacles; /* mmd_bake_obstacle bits */
    uint8_t *backward;  /* the bone, or an ancestor or append source, depends on the previous frame */
    bool any_backward;
    uint8_t *moving_body;   /* the bone has a body that physics moves */
    uint8_t *follows;       /* before the window, the bone's keys equal those of the motions */
    uint8_t *still_follows; /* and within the window, too */
    uint8_t *foreign;       /* a transform of the bone did not come from the motions */
    float (*axes)[3];       /* unit vectors of bones with a fixed axis */
    float *turn_limits;     /* largest deviation of a rotation, in radians */
    float *shares; /* share of the rotation limit that a bone may use, at most 1; by bone, then slot */
    mmd_pose_values previous;

    mmd_transform *samples; /* scratch of one bone's reduction; one element more than the window */
    uint32_t *indices;
    mmd_bone_key *keys;

    bake_keys *bone_keys;
    bake_weights *morph_weights;
    mmd_clip *clip; /* clip of the motions, and its values at a frame */
    mmd_pose_values said;
    bake_visible *visible; /* changes of visibility */
    uint32_t visible_count, visible_capacity;
    mmd_arena arena;
};

/* In bake.c. Makes the pose work in the arrays of a frame. */
void bake_enter(mmd_bake *bake, const bake_frame *frame);

/*
 * Computes the bone's key at a frame. before: the key of the previous frame, or NULL. Of the two equal
 * quaternions it returns the one nearer to the previous one, for programs that interpolate without checking
 * the sign.
 */
void bake_find_key(mmd_bake *bake, const bake_frame *frame, uint32_t b, const mmd_transform *before,
                   mmd_transform *key);

/* Evaluates the bone with the frame's key. */
void bake_play(mmd_bake *bake, bake_frame *frame, uint32_t b);

/* Compute a world transform relative to a parent's, and the distance of two points. */
void bake_relative_to(const mmd_transform *parent, const mmd_transform *world, mmd_transform *out);
float bake_distance(const float a[3], const float b[3]);

/* Return the frame number of a slot, and append a key of the bone there. */
uint32_t bake_frame_of_slot(const mmd_bake *bake, uint32_t slot);
bool bake_add_key(mmd_bake *bake, uint32_t slot, uint32_t b, mmd_bone_key key);

/* In bake_reduce.c. Computes keys and values of the window's frames for all bones that do not depend on the
 * previous frame. */
bool bake_reduce_window(mmd_bake *bake);

/* In bake_keys.c. They return false if out of memory. */
bool bake_keys_add(bake_keys *list, uint32_t frame, const mmd_bone_key *key);
void bake_keys_settle(bake_keys *list);
bool bake_record_frame(mmd_bake *bake, uint32_t frame, const mmd_pose_values *values);

/* Appends the motions' own keys of a bone, from the first baked frame to `last`. Where an interval is cut,
 * appends a key for each frame. */
bool bake_add_motion_keys(mmd_bake *bake, uint32_t b, uint32_t last);

/* Tests whether keys or options switch off the bodies of a bone. */
static inline bool bake_switched_off(const mmd_bake *bake, uint32_t b, bool by_motion)
{
    return bake->options.physics_off ? bake->moving_body[b] : by_motion;
}

/* Returns a key with linear curves. */
mmd_bone_key bake_linear_key(const mmd_transform *value);

/* Returns the track that moves a bone, or NULL. */
const mmd_bone_track *bake_source_track(const mmd_bake *bake, uint32_t b);

/* Marks duplicate names except the first, and empty names, with the given values. Elements marked in skip
 * (may be NULL) are ignored. The array has one element for each name. */
bool bake_mark_names(const uint8_t (*names)[15], uint32_t count, const uint8_t *skip, uint8_t taken_value,
                     uint8_t empty_value, uint8_t *marks);

/* In bake_motion.c. Creates a motion of everything recorded. NULL if out of memory. */
mmd_motion *bake_make_motion(mmd_bake *bake);

#endif
