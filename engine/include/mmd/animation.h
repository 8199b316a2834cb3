/*
 * Animations with keyframes at any time, as in glTF. They express what MMD's motions (mmd/motion.h: whole
 * frames, Bezier curves) cannot. Values are those of a bone's motion in MMD's space, so a pose takes them
 * instead of a motion's.
 */
#ifndef MMD_ANIMATION_H
#define MMD_ANIMATION_H

#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_interpolation {
    MMD_INTERPOLATION_STEP,
    MMD_INTERPOLATION_LINEAR, /* rotations by slerp along the shorter arc */
    MMD_INTERPOLATION_CUBIC   /* cubic Hermite; in-tangent, value, out-tangent per key, tangents per second */
} mmd_interpolation;

typedef enum mmd_animated {
    MMD_ANIMATED_TRANSLATION, /* 3 numbers per key: units from rest, in the parent's axes */
    MMD_ANIMATED_ROTATION,    /* 4 numbers: a unit quaternion x, y, z, w */
    MMD_ANIMATED_SCALE, /* 6 numbers: the symmetric matrix xx yy zz xy xz yz in the bone's axes; 1 1 1 0 0
                           0 at rest */
    MMD_ANIMATED_WEIGHT /* 1 number: the weight of a morph */
} mmd_animated;

typedef struct mmd_animation_channel {
    uint8_t animated;      /* mmd_animated */
    uint8_t interpolation; /* mmd_interpolation */
    int32_t target;        /* index of the bone or morph */
    uint32_t count;        /* number of keys, at least 1 */
    const float *times;    /* count times in seconds, ascending */
    const float *values;   /* count * numbers per key; three times as many for MMD_INTERPOLATION_CUBIC */
} mmd_animation_channel;

typedef struct mmd_animation {
    const char *name;
    uint32_t channel_count;
    const mmd_animation_channel *channels;
    float seconds; /* time of the last key */
} mmd_animation;

/*
 * Samples a channel at a time in seconds and writes 1, 3, 4 or 6 numbers to out, as its mmd_animated demands.
 * Before the first key, and for a NaN, the first key applies; after the last key, the last. Of several keys
 * at one time the last applies. Rotations have unit length whatever the keys hold; if they hold no usable
 * rotation, the result is the identity. *hint is where the search starts; it may be NULL, may hold any value
 * and never changes the result. May be called from any thread with a separate hint. The algorithm is that of
 * glTF 2.0, appendix C.
 */
void mmd_animation_sample(const mmd_animation_channel *channel, double seconds, uint32_t *hint, float *out);

#ifdef __cplusplus
}
#endif

#endif
