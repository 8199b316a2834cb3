/* The records of a VMD, one by one (MMD.md 1.3), with what cannot be computed with repaired. */
#include "vmd_records.h"

#include <math.h>
#include <string.h>

static float load_finite(const uint8_t *b)
{
    float value = load_f32(b);
    return isfinite(value) ? value : 0.0f;
}

static void load_vector(const uint8_t *b, float v[3])
{
    for (int i = 0; i < 3; i++)
        v[i] = load_finite(b + 4 * i);
}

/* In double: no square of a float overflows it or vanishes in it. */
static void load_rotation(const uint8_t *b, float q[4])
{
    double length = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = load_f32(b + 4 * i);
        length += (double)q[i] * q[i];
    }
    if (!(length > 0.0) || !isfinite(length)) {
        memcpy(q, (float[4]){0.0f, 0.0f, 0.0f, 1.0f}, 4 * sizeof *q);
        return;
    }
    double scale = 1.0 / sqrt(length);
    for (int i = 0; i < 4; i++)
        q[i] = (float)(q[i] * scale);
}

void vmd_bone_decode(const uint8_t record[111], mmd_bone_key *key)
{
    load_vector(record + VMD_BONE_POSITION, key->translation);
    load_rotation(record + VMD_BONE_ROTATION, key->rotation);
    /* Four rows, one a channel: row 0 alone would do, had its bytes 2 and 3 not become the physics switch. */
    const uint8_t *row = record + VMD_BONE_CURVES;
    key->physics_off = row[2] == 0x63 && row[3] == 0x0F;
    for (int i = 0; i < 4; i++, row += 16)
        key->curve[i] = (mmd_curve){.x1 = row[0], .y1 = row[4], .x2 = row[8], .y2 = row[12]};
}

float vmd_morph_decode(const uint8_t record[23])
{
    return load_finite(record + 19);
}

void vmd_camera_decode(const uint8_t record[61], mmd_camera_key *key)
{
    key->frame = load_u32(record);
    key->value.distance = load_finite(record + 4);
    load_vector(record + 8, key->value.position);
    load_vector(record + 20, key->value.rotation);
    const uint8_t *curve = record + 32;
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++, curve += 4)
        key->curve[i] = (mmd_curve){.x1 = curve[0], .x2 = curve[1], .y1 = curve[2], .y2 = curve[3]};
    key->value.fov = (float)load_u32(record + 56);
    key->value.perspective = record[60] == 0;
}

void vmd_light_decode(const uint8_t record[28], mmd_light_key *key)
{
    key->frame = load_u32(record);
    load_vector(record + 4, key->value.color);
    load_vector(record + 16, key->value.direction);
}

void vmd_self_shadow_decode(const uint8_t record[9], mmd_self_shadow_key *key)
{
    key->frame = load_u32(record);
    key->value.mode = record[4];
    key->value.distance = load_finite(record + 5);
}
