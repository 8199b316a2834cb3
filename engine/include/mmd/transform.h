/*
 * A rigid transform, the form in which poses, bodies and palettes say where
 * something is: MMD's space, no scale; and an affine one for what has.
 */
#ifndef MMD_TRANSFORM_H
#define MMD_TRANSFORM_H

#ifdef __cplusplus
extern "C" {
#endif

/* A rotation (unit quaternion x, y, z, w), then a translation. */
typedef struct mmd_transform {
    float rotation[4];
    float translation[4]; /* x, y, z and 0: two of these make two texels */
} mmd_transform;

/* Any linear map, then a translation: rows of a matrix, three texels. */
typedef struct mmd_affine {
    float rows[3][4];
} mmd_affine;

/* Column-major matrix of a transform. */
void mmd_transform_matrix(const mmd_transform *transform, float matrix[16]);

/* out = a * b (b first) and out = inverse(a); out may be an argument. */
void mmd_transform_multiply(const mmd_transform *a, const mmd_transform *b, mmd_transform *out);
void mmd_transform_inverse(const mmd_transform *a, mmd_transform *out);

/* The point p as seen through a: rotation, then translation. out may be p. */
void mmd_transform_point(const mmd_transform *a, const float p[3], float out[3]);

/*
 * Between two transforms, t from 0 (a) to 1 (b): positions along the line,
 * rotations along the shorter great circle. t = 0 gives a bit for bit.
 */
void mmd_transform_mix(const mmd_transform *a, const mmd_transform *b, float t, mmd_transform *out);

/* A rotation from PMX's angles of bodies and joints, radians: Ry * Rx * Rz (docs/mmd.md 5.2). */
void mmd_rotation_yxz(const float angles[3], float rotation[4]);

#ifdef __cplusplus
}
#endif

#endif
