/*
 * Keyframe reduction for bones: from one sample per frame to keys with curves that stay within given limits
 * of every sample.
 */
#ifndef MMD_REDUCE_H
#define MMD_REDUCE_H

#include "mmd/motion.h"
#include "mmd/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the linear curve of bone keys. */
static inline mmd_curve mmd_curve_linear(void)
{
    mmd_curve curve = {20, 20, 107, 107};
    return curve;
}

/*
 * Interpolates between two neighbouring keys at u in 0..1 with the curves of b: each axis of the translation
 * by its own, the rotation along the shorter arc. Gives the same numbers as mmd_clip_sample. out must not
 * overlap the keys.
 */
void mmd_bone_key_between(const mmd_bone_key *a, const mmd_bone_key *b, float u, mmd_transform *out);

/* Returns the angle between two rotations in radians, 0..pi. Accurate for small angles too. */
float mmd_rotation_angle(const float a[4], const float b[4]);

/* How far keys may be from their samples. Zeroed is valid: not at all, with straight lines between keys. */
typedef struct mmd_reduce_limits {
    float translation;   /* largest error of a translation, units, not negative */
    float rotation;      /* largest error of a rotation, radians, not negative */
    const float *shares; /* factor of the rotation limit for each sample, 0..1; NULL: 1 */
    bool curves;         /* fits Bezier curves where straight lines reach less far */
} mmd_reduce_limits;

/*
 * Chooses keys for count samples (at least 1), one per frame: the first, the last, and in between as few as a
 * greedy search finds that goes as far as possible from key to key. Writes the indices of the samples that
 * became keys, ascending, and the keys; both arrays have space for count elements. Returns the number of
 * keys. At every frame, mmd_bone_key_between of the keys is within the limits of the sample. Rotations have
 * unit length.
 */
uint32_t mmd_reduce_keys(const mmd_transform *samples, uint32_t count, const mmd_reduce_limits *limits,
                         uint32_t *indices, mmd_bone_key *keys);

#ifdef __cplusplus
}
#endif

#endif
