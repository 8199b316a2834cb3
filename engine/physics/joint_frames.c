/* Where the two ends of a joint are. */
#include "mmd/physics.h"

#include <assert.h>

static void attach(const mmd_transform *bodies, int32_t body, const mmd_transform *frame, mmd_transform *out)
{
    if (body < 0)
        *out = *frame;
    else
        mmd_transform_multiply(&bodies[body], frame, out);
}

void mmd_joint_frames(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies,
                      mmd_transform *frame_a, mmd_transform *frame_b)
{
    assert(joint < scene->joint_count);
    const mmd_phys_joint *j = &scene->joints[joint];
    attach(bodies, j->body_a, &j->frame_a, frame_a);
    attach(bodies, j->body_b, &j->frame_b, frame_b);
}
