/* Motions and poses for tests, benchmarks and fuzzing: small, but with everything that a file can contain. */
#ifndef ODORI_SAMPLE_MOTIONS_H
#define ODORI_SAMPLE_MOTIONS_H

#include "mmd/format.h"

/* MMD's default curve, which is linear, and a steep one. */
#define SAMPLE_LINEAR ((mmd_curve){20, 20, 107, 107})
#define SAMPLE_STEEP  ((mmd_curve){127, 0, 0, 127})

/* Makes a motion with keyframes in every section: two bones, two morphs, a camera with a cut, light, self
 * shadow, IK switches. */
void sample_motion(mmd_motion *motion);

/* Makes a motion of `bones` bones with `keys` keyframes each, one every tenth frame, with curved
 * interpolation. */
void sample_dance(mmd_motion *motion, uint32_t bones, uint32_t keys);

/* Makes a pose of three bones and two morphs. */
void sample_pose(mmd_vpd *pose);

void sample_motion_finish(mmd_motion *motion);
void sample_pose_finish(mmd_vpd *pose);

/* Samples every track and section at some frames. The returned sum only prevents the compiler from removing
 * the work. */
double sample_everywhere(const mmd_motion *motion);

#endif
