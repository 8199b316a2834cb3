/* Motions and poses made for tests, benchmarks and fuzzing: small, and with everything that a file can hold.
 */
#ifndef ODORI_SAMPLE_MOTIONS_H
#define ODORI_SAMPLE_MOTIONS_H

#include "mmd/format.h"

/* MMD's own curve, which is linear, and a steep one. */
#define SAMPLE_LINEAR ((mmd_curve){20, 20, 107, 107})
#define SAMPLE_STEEP  ((mmd_curve){127, 0, 0, 127})

/* Keys in every section: two bones, two morphs, a camera with a cut, light, self shadow, IK switches. */
void sample_motion(mmd_motion *motion);

/* Only bones: `bones` of them with `keys` keys each, curved, one every tenth frame. */
void sample_dance(mmd_motion *motion, uint32_t bones, uint32_t keys);

/* Three bones and two morphs. */
void sample_pose(mmd_vpd *pose);

void sample_motion_finish(mmd_motion *motion);
void sample_pose_finish(mmd_vpd *pose);

/* Samples every track and section at some frames; the sum is good for nothing but being used. */
double sample_everywhere(const mmd_motion *motion);

#endif
