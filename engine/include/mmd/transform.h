/*
 * Rigid transforms without scale for poses, bodies and palettes in MMD's space, and affine transforms for
 * what is scaled.
 */
#ifndef MMD_TRANSFORM_H
#define MMD_TRANSFORM_H

#ifdef __cplusplus
extern "C" {
#endif

/* A rotation (unit quaternion x, y, z, w), then a translation. */
typedef struct mmd_transform {
    float rotation[4];
    float translation[4]; /* x, y, z and 0, so that a transform fills two texels */
} mmd_transform;

/* A linear map, then a translation: three rows of a matrix, for three texels. */
typedef struct mmd_affine {
    float rows[3][4];
} mmd_affine;

/* Computes the column-major matrix of a transform. */
void mmd_transform_matrix(const mmd_transform *transform, float matrix[16]);

/* Compute a * b (b is applied first) and the inverse of a. out may be an argument. */
void mmd_transform_multiply(const mmd_transform *a, const mmd_transform *b, mmd_transform *out);
void mmd_transform_inverse(const mmd_transform *a, mmd_transform *out);

/* Transforms the point p by a: rotation, then translation. out may be p. */
void mmd_transform_point(const mmd_transform *a, const float p[3], float out[3]);

/*
 * Interpolates between two transforms, t from 0 (a) to 1 (b): translations linearly, rotations along the
 * shorter arc. t = 0 gives a bit for bit.
 */
void mmd_transform_mix(const mmd_transform *a, const mmd_transform *b, float t, mmd_transform *out);

/* Converts PMX's angles of bodies and joints, in radians, to a rotation: Ry * Rx * Rz (docs/mmd.md 5.2). */
void mmd_rotation_yxz(const float angles[3], float rotation[4]);

#ifdef __cplusplus
}
#endif

#endif
