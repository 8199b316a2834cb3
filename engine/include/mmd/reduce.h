/*
 * Fewer keys for a bone's motion: from one sample a frame to keys with curves
 * that stay within a stated distance of every sample.
 */
#ifndef MMD_REDUCE_H
#define MMD_REDUCE_H

#include "mmd/motion.h"
#include "mmd/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bone keys' linear curve. */
static inline mmd_curve mmd_curve_linear(void)
{
    mmd_curve curve = {20, 20, 107, 107};
    return curve;
}

/*
 * What two neighbouring keys say at u in 0..1 between them: b's curves, each
 * axis of the translation by its own, the rotation along the shorter arc. The
 * same numbers as mmd_clip_sample gives. out may not lie in the keys.
 */
void mmd_bone_key_between(const mmd_bone_key *a, const mmd_bone_key *b, float u, mmd_transform *out);

/* The angle between two rotations, radians 0..pi. Exact for small ones, too. */
float mmd_rotation_angle(const float a[4], const float b[4]);

typedef struct mmd_reduce_limits {
    float translation;   /* largest distance of a sample, units, not negative */
    float rotation;      /* largest angle, radians, not negative */
    const float *shares; /* of the rotation's limit that counts for each sample, 0..1; NULL: 1 */
    bool curves;         /* fits Bezier curves where straight lines do not reach far enough */
} mmd_reduce_limits;

/*
 * Chooses keys for count samples (at least 1), one a frame: the first and the
 * last one always, between them as few as going as far as possible from each
 * key to the next takes. Writes which samples became keys to indices, ascending,
 * and the keys with their values to keys, both with room for count. Returns
 * their number. Every sample is within the limits of what the keys say at its
 * frame, by mmd_bone_key_between. Rotations are of unit length.
 */
uint32_t mmd_reduce_keys(const mmd_transform *samples, uint32_t count, const mmd_reduce_limits *limits,
                         uint32_t *indices, mmd_bone_key *keys);

#ifdef __cplusplus
}
#endif

#endif
