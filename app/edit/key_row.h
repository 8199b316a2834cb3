/*
 * A row of the dope sheet: the keyframes of a bone, a morph, a model's switches, the camera, the light or
 * self shadow in a motion. It points into the motion and is valid until a keyframe of that motion is written.
 * Frames are the stage's: a model with a delay has its keyframes later.
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
    KEY_ROW_SWITCHES, /* display and IK of a model */
    KEY_ROW_MORPH
} key_row_kind;

typedef struct key_row {
    key_row_kind kind;
    uint32_t model, index;      /* index of the bone or morph, model also of switches; else 0 */
    const char *name, *name_en; /* names of a bone or morph; else NULL */
    const mmd_motion *motion;   /* motion that has the keyframes; NULL: none */
    uint32_t track;             /* index of the track where it was last found, for a bone or morph */
    int64_t delay;              /* delay of the model, frames */
    uint32_t count;
    const uint32_t *frames;             /* frame of the first keyframe */
    size_t stride;                      /* bytes from a frame to that of the next keyframe */
    const mmd_bone_key *bones;          /* by keyframe, of a bone; else NULL */
    const mmd_camera_key *cameras;      /* of the camera */
    const float *weights;               /* of a morph */
    const mmd_self_shadow_key *shadows; /* of self shadow */
    const mmd_property_key *switches;   /* of a model's switches */
} key_row;

/* Finds the current keyframes in the motion, by the name of the model's bone or morph (NULL for other
 * kinds). */
void key_row_update(key_row *row, const uint8_t name[15]);

/* Returns the frame of a keyframe on the stage. */
static inline uint32_t key_row_frame(const key_row *row, uint32_t key)
{
    const void *at = (const char *)row->frames + key * row->stride;
    int64_t frame = (int64_t) * (const uint32_t *)at + row->delay;
    return frame < 0 ? 0 : frame > UINT32_MAX ? UINT32_MAX : (uint32_t)frame;
}

/* Returns the index of the first keyframe at this frame or after it; count if there is none. */
uint32_t key_row_from(const key_row *row, uint32_t frame);

/* Returns the index of the keyframe exactly at this frame (of several the last, which applies); count if
 * there is none. */
uint32_t key_row_at(const key_row *row, uint32_t frame);

/*
 * Adds to each of `columns` counts the number of keyframes from its frame to that of the next column: column
 * i begins at start + i * frames (above 0). Takes as long as the columns or the keyframes are many, whichever
 * are fewer.
 */
void key_row_count(const key_row *row, double start, double frames, uint32_t *counts, uint32_t columns);

/* Returns the number of channels with curves, indexed by MMD_CHANNEL_… or MMD_CAMERA_… (0: none), and the
 * curve of a channel that leads to a keyframe. */
uint32_t key_row_channels(const key_row *row);
mmd_curve key_row_curve(const key_row *row, uint32_t key, uint32_t channel);

/*
 * Computes the value of a channel at a frame, as the motion has it, in up to three numbers, and returns their
 * count: units; for a rotation the degrees about X, Y and Z of a rotation vector; degrees for the camera's
 * angles and field of view. A row without curves has its weight as channel 0, or nothing.
 */
int key_row_values(const key_row *row, uint32_t channel, double frame, double values[3]);

/* Writes the item's path for the command table. */
enum { KEY_PATH_MAX = 64 };
void key_row_path(const key_row *row, char path[KEY_PATH_MAX]);

#ifdef __cplusplus
}
#endif

#endif
