/*
 * What the sheet of keys shows: a row for each item that is selected (bones,
 * camera, light), or for each bone that has keys where nothing is; and the
 * morphs that have any. Rows point into the motions: they hold as long as no
 * key is written, and are gathered again before each picture, which looks for
 * tracks only where something else is selected or played.
 */
#ifndef ODORI_KEY_VIEW_H
#define ODORI_KEY_VIEW_H

#include "mmd/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct odori_session;

typedef enum key_row_kind { KEY_ROW_BONE, KEY_ROW_CAMERA, KEY_ROW_LIGHT, KEY_ROW_MORPH } key_row_kind;

/* Channels of a row's curves: those of a bone (MMD_CHANNEL_…), those of the camera (MMD_CAMERA_…), none. */
enum { KEY_CHANNELS_MAX = MMD_CAMERA_CHANNELS };

typedef struct key_row {
    key_row_kind kind;
    uint32_t model, index;      /* of the bone or morph; camera and light: 0 */
    const char *name, *name_en; /* of a bone or morph; else NULL */
    const mmd_motion *motion;   /* whose keys these are; NULL: it has none */
    uint32_t track;             /* there, of a bone or morph */
    uint32_t count;
    const uint32_t *frames;        /* of the first key */
    size_t stride;                 /* bytes to that of the next one */
    const mmd_bone_key *bones;     /* by key, where it is a bone; */
    const mmd_camera_key *cameras; /* the camera */
    const mmd_light_key *lights;
    const float *weights;
} key_row;

/* Zero-initialise. */
typedef struct key_view {
    key_row *rows;
    uint32_t count, room;
    bool selected;   /* these rows are what is selected; else all that has keys */
    uint32_t morphs; /* the last so many rows are of morphs */
    bool keying;     /* edits write keys */
    uint64_t of;     /* of what scene and selection the rows are */
} key_view;

/* camera, light: the motions whose keys of these count; NULL: none does. False: out of memory, and there are
 * no rows. */
bool key_view_gather(key_view *view, const struct odori_session *s, const mmd_motion *camera,
                     const mmd_motion *light);
void key_view_finish(key_view *view);

static inline uint32_t key_row_frame(const key_row *row, uint32_t key)
{
    return *(const uint32_t *)(const void *)((const char *)row->frames + key * row->stride);
}

/* The first key at this frame or behind it; count: there is none. */
uint32_t key_row_from(const key_row *row, uint32_t frame);

/* The key at this very frame that counts (of several the last); count: there is none. */
uint32_t key_row_at(const key_row *row, uint32_t frame);

/* The curve of a channel up to a key, and how many channels there are (0: a row without curves). */
uint32_t key_row_channels(const key_row *row);
mmd_curve key_row_curve(const key_row *row, uint32_t key, uint32_t channel);

/* The item's path for the command table; the number of bytes it takes, NUL included, is at most
 * KEY_PATH_MAX. */
enum { KEY_PATH_MAX = 64 };
void key_row_path(const key_row *row, char path[KEY_PATH_MAX]);

#ifdef __cplusplus
}
#endif

#endif
