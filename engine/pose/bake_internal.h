/* What the files of baking share. */
#ifndef BAKE_INTERNAL_H
#define BAKE_INTERNAL_H

#include "mmd/bake.h"
#include "pose_internal.h"

/* Keys of one bone, growing. Those from settled on may still be thrown away and made again. */
typedef struct bake_keys {
    uint32_t count, capacity, settled;
    uint32_t *frames;
    mmd_bone_key *keys;
} bake_keys;

/* Weights of one morph where they change, growing. */
typedef struct bake_weights {
    uint32_t count, capacity;
    uint32_t *frames;
    float *weights;
    bool by_hand; /* they are not what the motions say */
} bake_weights;

/* Visibility from a frame on. */
typedef struct bake_visible {
    uint32_t frame;
    bool visible;
} bake_visible;

/* One frame of the window: what is wanted, what the keys so far give, and the keys. By bone. */
typedef struct bake_frame {
    mmd_transform *target; /* worlds wanted */
    mmd_transform *motion; /* what motions say */
    mmd_transform *value;  /* what keys say */
    bone_state *state;     /* what a pose makes of the keys */
    mmd_transform *world;
    mmd_transform *morph_bones; /* NULL: the model has no bone morphs */
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

    bake_frame *frames; /* 0: the frame before the window, whose keys are settled; then the window's */
    uint32_t filled;    /* of the window */
    uint32_t frame_count;
    bool is_finished;

    uint8_t *obstacles; /* mmd_bake_obstacle */
    uint8_t *backward;  /* the bone, or something it hangs on, is of the frame before */
    bool any_backward;
    uint8_t *moving_body;   /* the bone has a body that physics moves */
    uint8_t *follows;       /* up to the window, the bone's keys are those of the motions */
    uint8_t *still_follows; /* and in the window */
    uint8_t *foreign;       /* what was said of the bone is not from the motions */
    float (*axes)[3];       /* unit, of bones with a fixed axis */
    float *turn_limits;     /* radians */
    float *shares;          /* of the turns' limit that a bone may use, 1 and less; by bone, then slot */
    mmd_pose_values previous;

    mmd_transform *samples; /* scratch of one bone's reduction, as long as the window and one */
    uint32_t *indices;
    mmd_bone_key *keys;

    bake_keys *bone_keys;
    bake_weights *morph_weights;
    mmd_clip *clip; /* of the motions, and what it says at a frame */
    mmd_pose_values said;
    bake_visible *visible; /* changes */
    uint32_t visible_count, visible_capacity;
    mmd_arena arena;
};

/* bake.c. The pose works in the arrays of a frame. */
void bake_enter(mmd_bake *bake, const bake_frame *frame);

/*
 * The bone's key at a frame; before: the frame before's, or NULL. Of the two
 * quaternions of a rotation the one nearer to it, for programs that blend without looking.
 */
void bake_find_key(mmd_bake *bake, const bake_frame *frame, uint32_t b, const mmd_transform *before,
                   mmd_transform *key);

/* What the frame's value makes of the bone. */
void bake_play(mmd_bake *bake, bake_frame *frame, uint32_t b);

/* A world as seen from its parent's; the distance of two places. */
void bake_relative_to(const mmd_transform *parent, const mmd_transform *world, mmd_transform *out);
float bake_distance(const float a[3], const float b[3]);

/* Number of the frame in a slot, and a key of the bone there. */
uint32_t bake_frame_of_slot(const mmd_bake *bake, uint32_t slot);
bool bake_add_key(mmd_bake *bake, uint32_t slot, uint32_t b, mmd_bone_key key);

/* bake_reduce.c: keys and values of the window's frames, of all bones that do not look back. */
bool bake_reduce_window(mmd_bake *bake);

/* bake_keys.c: they say false when out of memory. */
bool bake_keys_add(bake_keys *list, uint32_t frame, const mmd_bone_key *key);
void bake_keys_settle(bake_keys *list);
bool bake_record_frame(mmd_bake *bake, uint32_t frame, const mmd_pose_values *values);

/* The keys that motions have of a bone, from the first frame baked to last; where an interval is cut, one a
 * frame. */
bool bake_add_motion_keys(mmd_bake *bake, uint32_t b, uint32_t last);

/* Whether keys of a bone switch its bodies off, by themselves or by option. */
static inline bool bake_switched_off(const mmd_bake *bake, uint32_t b, bool by_motion)
{
    return bake->options.physics_off ? bake->moving_body[b] : by_motion;
}

/* A key with linear curves. */
mmd_bone_key bake_linear_key(const mmd_transform *value);

/* The track that moves a bone; NULL: none does. */
const mmd_bone_track *bake_source_track(const mmd_bake *bake, uint32_t b);

/*
 * Marks all but the first of the names that are equal, and the empty ones, by
 * value; skip, which may be NULL, takes no part. taken is as long as the names.
 */
bool bake_mark_names(const uint8_t (*names)[15], uint32_t count, const uint8_t *skip, uint8_t taken_value,
                     uint8_t empty_value, uint8_t *marks);

/* bake_motion.c: everything recorded as a motion; NULL: out of memory. */
mmd_motion *bake_make_motion(mmd_bake *bake);

#endif
