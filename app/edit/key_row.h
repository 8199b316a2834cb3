/*
 * A row of the sheet of keys: those of a bone, a morph, a model's switches, the
 * camera, the light or self shadow, where a motion has them. It points into the motion and holds as long
 * as no key of that is written. Frames are the stage's: a model that dances
 * later has its keys later.
 */
#ifndef ODORI_KEY_ROW_H
#define ODORI_KEY_ROW_H

#include "mmd/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum key_row_kind {
    KEY_ROW_BONE,
    KEY_ROW_CAMERA,
    KEY_ROW_LIGHT,
    KEY_ROW_SHADOW,
    KEY_ROW_SWITCHES, /* of a model: whether it is seen, and its IK */
    KEY_ROW_MORPH
} key_row_kind;

typedef struct key_row {
    key_row_kind kind;
    uint32_t model, index;      /* of the bone or morph; of switches the model alone; else 0 */
    const char *name, *name_en; /* of a bone or morph; else NULL */
    const mmd_motion *motion;   /* whose keys these are; NULL: it has none */
    uint32_t track;             /* there, of a bone or morph: where it was last */
    int64_t delay;              /* frames */
    uint32_t count;
    const uint32_t *frames;             /* of the first key */
    size_t stride;                      /* bytes to that of the next one */
    const mmd_bone_key *bones;          /* by key, where it is a bone; */
    const mmd_camera_key *cameras;      /* the camera; */
    const float *weights;               /* a morph; */
    const mmd_self_shadow_key *shadows; /* self shadow; */
    const mmd_property_key *switches;   /* a model's switches */
} key_row;

/* Finds the keys as they are now: in the motion, by the name of the model's bone or morph (NULL of others).
 */
void key_row_update(key_row *row, const uint8_t name[15]);

/* Returns the frame of a key. */
static inline uint32_t key_row_frame(const key_row *row, uint32_t key)
{
    const void *at = (const char *)row->frames + key * row->stride;
    int64_t frame = (int64_t) * (const uint32_t *)at + row->delay;
    return frame < 0 ? 0 : frame > UINT32_MAX ? UINT32_MAX : (uint32_t)frame;
}

/* Finds the first key at this frame or behind it; count: there is none. */
uint32_t key_row_from(const key_row *row, uint32_t frame);

/* Finds the key at this very frame that counts (of several the last); count: there is none. */
uint32_t key_row_at(const key_row *row, uint32_t frame);

/* Returns how many channels a row's curves have, by MMD_CHANNEL_… or MMD_CAMERA_… (0: none), and the curve of
 * one up to a key. */
uint32_t key_row_channels(const key_row *row);
mmd_curve key_row_curve(const key_row *row, uint32_t key, uint32_t channel);

/*
 * Computes what a channel is at a frame, as the motion has it, in up to three numbers,
 * whose count is returned: units; of a turn the degrees about X, Y and Z of one
 * turn about one axis; degrees of the camera's angles and view. A row without
 * curves has its weight as channel 0, or nothing.
 */
int key_row_values(const key_row *row, uint32_t channel, double frame, double values[3]);

/* Writes the item's path for the command table. */
enum { KEY_PATH_MAX = 64 };
void key_row_path(const key_row *row, char path[KEY_PATH_MAX]);

#ifdef __cplusplus
}
#endif

#endif
