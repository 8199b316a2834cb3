/* libFuzzer target for VPD: a pose that can be read becomes a motion, and formatting it is stable. */
#include "mmd/format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Marks the pose as changed, so that it is formatted anew. */
static mmd_buffer format(mmd_vpd *vpd, bool lossless)
{
    mmd_buffer out = {0};
    vpd->raw = NULL;
    mmd_status status = mmd_vpd_write(vpd, &out, NULL);
    require(status == MMD_OK || (status == MMD_ERROR_TEXT && !lossless));
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mmd_vpd *vpd, *again;
    mmd_error error;
    if (mmd_vpd_read(data, size, &vpd, &error) != MMD_OK)
        return 0;
    require(vpd->arena.used <= 8 * size + 65536);
    mmd_motion *motion = mmd_vpd_to_motion(vpd);
    require(motion && motion->bone_key_count == vpd->bone_count &&
            motion->morph_key_count == vpd->morph_count);
    mmd_motion_destroy(motion);
    mmd_buffer raw = {0};
    require(mmd_vpd_write(vpd, &raw, &error) == MMD_OK && raw.size == size &&
            memcmp(raw.data, data, size) == 0);
    mmd_buffer_finish(&raw);

    mmd_buffer first = format(vpd, false);
    require(mmd_vpd_read(first.data, first.size, &again, &error) == MMD_OK);
    mmd_buffer second = format(again, true);
    require(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    mmd_vpd_destroy(again);
    mmd_vpd_destroy(vpd);
    mmd_buffer_finish(&first);
    mmd_buffer_finish(&second);
    return 0;
}
