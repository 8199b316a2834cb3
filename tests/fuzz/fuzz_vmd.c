/* libFuzzer target for VMD: a motion that can be read can be sampled, and writing it is stable. */
#include "mmd/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void sample(const mmd_motion *motion)
{
    const double frames[] = {-1.0, 0.0, 0.5, 10.25, motion->last_frame, NAN};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        mmd_camera camera = mmd_default_camera();
        mmd_light light;
        mmd_self_shadow shadow;
        float view[16], projection[16], eye[3];
        mmd_motion_camera(motion, frames[i], &camera);
        mmd_camera_matrices(&camera, 1.5f, view, projection, eye);
        mmd_motion_light(motion, frames[i], &light);
        mmd_motion_self_shadow(motion, frames[i], &shadow);
        mmd_motion_visible(motion, frames[i]);
        for (uint32_t k = 0; k < motion->bone_track_count; k++) {
            const mmd_bone_track *track = &motion->bone_tracks[k];
            int32_t key = mmd_key_search(track->frames, track->count, frames[i], NULL);
            require(key >= -1 && key < (int64_t)track->count);
            mmd_motion_ik_on(motion, track->name, frames[i]);
            require(mmd_motion_find_bone(motion, track->name) == track);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mmd_motion *motion, *again;
    mmd_error error;
    if (mmd_vmd_read(data, size, &motion, &error) != MMD_OK)
        return 0;
    require(motion->arena.used <= 8 * size + 65536);
    sample(motion);
    mmd_buffer first = {0}, second = {0};
    require(mmd_vmd_write(motion, &first, &error) == MMD_OK);
    require(motion->cut || (first.size == size && memcmp(first.data, data, size) == 0));
    require(mmd_vmd_read(first.data, first.size, &again, &error) == MMD_OK && !again->cut);
    require(mmd_vmd_write(again, &second, &error) == MMD_OK);
    require(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    mmd_motion_destroy(again);
    mmd_motion_destroy(motion);
    mmd_buffer_finish(&first);
    mmd_buffer_finish(&second);
    return 0;
}
