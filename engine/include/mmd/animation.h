/*
 * Animation by keys at any times, as glTF has it: what the motions of MMD
 * (mmd/motion.h: whole frames, Bezier curves) cannot say. Values are those of
 * a bone's motion in MMD's space, so that a pose takes them in place of a
 * motion's.
 */
#ifndef MMD_ANIMATION_H
#define MMD_ANIMATION_H

#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_interpolation {
    MMD_INTERPOLATION_STEP,
    MMD_INTERPOLATION_LINEAR, /* rotations along the shorter great circle */
    MMD_INTERPOLATION_CUBIC   /* Hermite: in-tangent, value, out-tangent a key, tangents per second */
} mmd_interpolation;

typedef enum mmd_animated {
    MMD_ANIMATED_TRANSLATION, /* 3 numbers a key, units from rest, in the parent's frame */
    MMD_ANIMATED_ROTATION,    /* 4, unit quaternion x, y, z, w */
    MMD_ANIMATED_SCALE, /* 6, a symmetric matrix xx yy zz xy xz yz in the bone's axes; 1 1 1 0 0 0: as at rest
                         */
    MMD_ANIMATED_WEIGHT /* 1, of a morph */
} mmd_animated;

typedef struct mmd_animation_channel {
    uint8_t animated;      /* mmd_animated */
    uint8_t interpolation; /* mmd_interpolation */
    int32_t target;        /* bone, or morph */
    uint32_t count;        /* keys, at least 1 */
    const float *times;    /* seconds, ascending */
    const float *values;   /* count * numbers a key; three times as many where cubic */
} mmd_animation_channel;

typedef struct mmd_animation {
    const char *name;
    uint32_t channel_count;
    const mmd_animation_channel *channels;
    float seconds; /* time of the last key */
} mmd_animation;

/*
 * The channel's value at a time in seconds to out[1], [3], [4] or [6]; the
 * first key's value before it (and at a time that is no number), the last one's
 * after it; of keys with one time, the last one's. Rotations come out with unit
 * length whatever the keys are, and without a turn where they say nothing.
 * *hint (may be NULL, and of any value) is where to look first; it never
 * changes the answer. Any thread, hints being the caller's. Algorithm: glTF
 * 2.0, appendix C.
 */
void mmd_animation_sample(const mmd_animation_channel *channel, double seconds, uint32_t *hint, float *out);

#ifdef __cplusplus
}
#endif

#endif
