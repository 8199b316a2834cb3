/* Motion files: reading one of either kind, and what it moves. */
#include "mmd/assemble.h"
#include "mmd/text.h"

mmd_status mmd_motion_file_parse(const mmd_bytes *bytes, mmd_motion **motion, mmd_error *error)
{
    mmd_vpd *pose;
    mmd_status status;
    *motion = NULL;
    switch (mmd_file_detect(bytes->data, bytes->size)) {
    case MMD_FILE_VMD:
        return mmd_vmd_read(bytes->data, bytes->size, motion, error);
    case MMD_FILE_VPD:
        status = mmd_vpd_read(bytes->data, bytes->size, &pose, error);
        if (status != MMD_OK)
            return status;
        *motion = mmd_vpd_to_motion(pose);
        mmd_vpd_destroy(pose);
        return *motion ? MMD_OK : mmd_error_memory(error);
    case MMD_FILE_PMX:
    case MMD_FILE_PMD:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "a model instead of a motion (VMD) or a pose (VPD)");
    case MMD_FILE_X:
    case MMD_FILE_VAC:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "an accessory instead of a motion (VMD) or a pose (VPD)");
    case MMD_FILE_PMM:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "a project instead of a motion (VMD) or a pose (VPD)");
    default:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "neither a motion (VMD) nor a pose (VPD)");
    }
}

mmd_status mmd_motion_file_read(const char *path, mmd_motion **motion, mmd_error *error)
{
    *motion = NULL;
    mmd_bytes bytes = {0};
    mmd_status status = mmd_locate_read(path, &bytes, error);
    if (status == MMD_OK)
        status = mmd_motion_file_parse(&bytes, motion, error);
    mmd_bytes_finish(&bytes);
    mmd_error_set_file(error, path);
    return status;
}

bool mmd_motion_is_for_models(const mmd_motion *motion)
{
    return motion->bone_track_count || motion->morph_track_count || motion->property_key_count;
}

bool mmd_motion_is_for_stage(const mmd_motion *motion)
{
    return motion->camera_key_count || motion->light_key_count || motion->self_shadow_key_count;
}

/* Finds the first and the last frame of keys of some bones, names ending in NULL. Returns whether any has
 * keys. */
static bool find_span(const mmd_motion *motion, const char *const *names, uint32_t *first, uint32_t *last)
{
    bool any = false;
    for (; *names; names++) {
        uint8_t key[MMD_NAME_KEY_SIZE];
        mmd_name_key_from_utf8(*names, key, NULL, NULL);
        const mmd_bone_track *t = mmd_motion_find_bone(motion, key);
        if (!t || !t->count)
            continue;
        any = true;
        *first = t->frames[0] < *first ? t->frames[0] : *first;
        *last = t->frames[t->count - 1] > *last ? t->frames[t->count - 1] : *last;
    }
    return any;
}

bool mmd_motion_is_dance(const mmd_motion *motion)
{
    enum { FRAMES_OF_A_POSE = 10 };
    static const char *const roots[] = {"センター", "グルーブ", "全ての親", NULL};
    static const char *const legs[] = {"左足ＩＫ", "右足ＩＫ", "左足", "右足", "左ひざ", "右ひざ", NULL};
    uint32_t first = UINT32_MAX, last = 0;
    return find_span(motion, roots, &first, &last) && find_span(motion, legs, &first, &last) &&
           last - first > FRAMES_OF_A_POSE;
}
