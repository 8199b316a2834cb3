/*
 * Mirrors motions at the plane x = 0 between left and right. MMD's bones have no rotation at rest, so their
 * motion is mirrored in the model's axes: (x, y, z) becomes (-x, y, z), and the y and z parts of rotations
 * change sign. Each side takes over the movement of the other: 左 and 右 are exchanged in names, as with
 * MMD's "paste mirrored".
 */
#include "mmd/keying.h"

#include <assert.h>
#include <string.h>

/* 左 and 右 in CP932 */
static const uint8_t left[2] = {0x8d, 0xb6}, right[2] = {0x89, 0x45};

/* Pairs of one-sided morphs whose names do not contain the side. ウィンク closes the left eye. */
static const struct {
    uint8_t a[15], b[15];
} morph_pairs[] = {
    {"\x83\x45\x83\x42\x83\x93\x83\x4e",
     "\x83\x45\x83\x42\x83\x93\x83\x4e\x89\x45"}, /* ウィンク, ウィンク右 */
    {"\x83\x45\x83\x42\x83\x93\x83\x4e\x82\x51",
     "\xb3\xa8\xdd\xb8\x82\x51\x89\x45"}, /* ウィンク２, ｳｨﾝｸ２右 */
};

/* Returns whether a byte starts a two-byte character of CP932. */
static bool is_lead(uint8_t byte)
{
    return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc);
}

/* Exchanges 左 and 右 in a name. Both have two bytes, so the result always fits. */
static void swap_sides(uint8_t *name, size_t size)
{
    for (size_t i = 0; i + 1 < size && name[i]; i += is_lead(name[i]) ? 2 : 1) {
        if (memcmp(name + i, left, 2) == 0)
            memcpy(name + i, right, 2);
        else if (memcmp(name + i, right, 2) == 0)
            memcpy(name + i, left, 2);
    }
}

/* Replaces a morph's name by that of the other side. */
static void swap_morph(uint8_t name[15])
{
    for (size_t i = 0; i < sizeof morph_pairs / sizeof *morph_pairs; i++) {
        bool is_a = memcmp(name, morph_pairs[i].a, 15) == 0;
        if (is_a || memcmp(name, morph_pairs[i].b, 15) == 0) {
            memcpy(name, is_a ? morph_pairs[i].b : morph_pairs[i].a, 15);
            return;
        }
    }
    swap_sides(name, 15);
}

static void mirror_bones(mmd_motion *m)
{
    for (uint32_t i = 0; i < m->bone_track_count; i++) {
        mmd_bone_track *t = &m->bone_tracks[i];
        swap_sides(t->name, sizeof t->name);
        t->records = NULL;
        for (uint32_t k = 0; k < t->count; k++) {
            mmd_bone_key *key = &t->keys[k];
            key->translation[0] = -key->translation[0];
            key->rotation[1] = -key->rotation[1];
            key->rotation[2] = -key->rotation[2];
        }
    }
}

static void mirror_morphs(mmd_motion *m)
{
    for (uint32_t i = 0; i < m->morph_track_count; i++) {
        swap_morph(m->morph_tracks[i].name);
        m->morph_tracks[i].records = NULL;
    }
}

static void mirror_switches(mmd_motion *m)
{
    for (uint32_t i = 0; i < m->property_key_count; i++) {
        mmd_property_key *key = &m->property_keys[i];
        key->record = MMD_NO_RECORD;
        for (uint32_t k = 0; k < key->switch_count; k++)
            swap_sides(key->switches[k].name, sizeof key->switches[k].name);
    }
}

static void mirror_scene(mmd_motion *m)
{
    for (uint32_t i = 0; i < m->camera_key_count; i++) {
        mmd_camera *camera = &m->camera_keys[i].value;
        m->camera_keys[i].record = MMD_NO_RECORD;
        camera->position[0] = -camera->position[0];
        camera->rotation[1] = -camera->rotation[1];
        camera->rotation[2] = -camera->rotation[2];
    }
    for (uint32_t i = 0; i < m->light_key_count; i++) {
        m->light_keys[i].record = MMD_NO_RECORD;
        m->light_keys[i].value.direction[0] = -m->light_keys[i].value.direction[0];
    }
    for (uint32_t i = 0; i < m->self_shadow_key_count; i++)
        m->self_shadow_keys[i].record = MMD_NO_RECORD;
}

mmd_status mmd_motion_mirror(const mmd_motion *motion, mmd_motion **result, mmd_error *error)
{
    assert(motion && result);
    mmd_status status = mmd_motion_copy(motion, result, error);
    if (status != MMD_OK)
        return status;
    mmd_motion *m = *result;
    /* The keys no longer equal records of a file. */
    m->bone_records = m->morph_records = m->camera_records = m->light_records = m->self_shadow_records =
        (mmd_vmd_records){0, NULL};
    m->trailing_size = 0;
    m->trailing = NULL;
    mirror_bones(m);
    mirror_morphs(m);
    mirror_switches(m);
    mirror_scene(m);
    return MMD_OK;
}
