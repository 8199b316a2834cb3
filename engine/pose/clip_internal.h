/* Inside of clips: what motions (clip.c), animations and drifts (clip_animation.c) say of a model. */
#ifndef CLIP_INTERNAL_H
#define CLIP_INTERNAL_H

#include "mmd/pose.h"

typedef struct bound_bone {
    uint32_t bone;
    uint32_t hint;
    uint32_t count;
    const uint32_t *frames;
    const mmd_bone_key *keys;
} bound_bone;

typedef struct bound_morph {
    uint32_t morph;
    uint32_t hint;
    const mmd_morph_track *track;
} bound_morph;

typedef struct bound_ik {
    uint32_t bone;
    const mmd_motion *motion;
} bound_ik;

typedef struct bound_channel {
    const mmd_animation_channel *channel;
    uint32_t hint;
} bound_channel;

typedef struct bound_drift {
    mmd_drift drift;
    int32_t leader; /* the nearest bone above it that drifts, as its number here; -1: none */
} bound_drift;

struct mmd_clip {
    const mmd_model *model;
    bound_bone *bones;
    uint32_t bone_count;
    bound_morph *morphs;
    uint32_t morph_count;
    bound_ik *iks;
    uint32_t ik_count;
    const mmd_motion *visibility; /* the last motion with property keys */

    /* By bone and by morph: bits (1 << mmd_animated) of what is keyed. */
    uint8_t *keyed_bones, *keyed_morphs;
    bound_channel *channels;
    uint32_t channel_count;
    bound_drift *drifts;
    uint32_t drift_count;
    bool drifting;
    mmd_arena arena;
};

/* What animations and drifts say at a frame, into values at rest. */
void clip_sample_animations(mmd_clip *clip, double frame, mmd_pose_values *values);

#endif
