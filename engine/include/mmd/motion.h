/*
 * Motions: the contents of a VMD or VPD, and their values at any frame.
 *
 * A frame is 1/30 s; fractional frames are allowed. Keys of a track are sorted by frame. Of several keys at
 * one frame, the last in the file comes last and applies. Before the first key its value holds, after the
 * last key that one's. An interval is shaped by the curve of its later key (docs/mmd.md 3.2).
 */
#ifndef MMD_MOTION_H
#define MMD_MOTION_H

#include "mmd/memory.h"
#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A Bezier curve from (0,0) to (1,1) with control points in units of 1/127. */
typedef struct mmd_curve {
    uint8_t x1, y1, x2, y2;
} mmd_curve;

static inline bool mmd_curve_is_linear(mmd_curve c)
{
    return c.x1 == c.y1 && c.x2 == c.y2;
}

/*
 * Evaluates the curve at u in 0..1. Linear curves return u. Others use 12 bisection steps from 0.5 in single
 * precision, ending early at |x(s) - u| < 1e-7. The results equal MMD's to the last digit.
 */
float mmd_curve_value(mmd_curve curve, float u);

enum { MMD_CHANNEL_X, MMD_CHANNEL_Y, MMD_CHANNEL_Z, MMD_CHANNEL_ROTATION };

typedef struct mmd_bone_key {
    float translation[3];
    float rotation[4];  /* unit quaternion; all zeros and NaN in the file become the identity */
    mmd_curve curve[4]; /* by channel */
    bool physics_off;   /* bytes 63 0F in the file */
} mmd_bone_key;

/*
 * The records of a section in the order of the file, for the writer. A key refers to the record it was read
 * from. While both have the same values, the record's bytes are written unchanged (including bytes after
 * names, and NaN).
 */
typedef struct mmd_vmd_records {
    uint32_t count;
    const uint8_t *bytes;
} mmd_vmd_records;

/* The record number of a key that was not read from a file. */
#define MMD_NO_RECORD UINT32_MAX

typedef struct mmd_bone_track {
    uint8_t name[15]; /* name in CP932, padded with zeros */
    uint32_t count;
    uint32_t *frames; /* ascending */
    mmd_bone_key *keys;
    uint32_t *records; /* record number of each key; NULL: not from a file */
    uint32_t room;     /* allocated keys (mmd/keying.h); 0: exactly count */
} mmd_bone_track;

typedef struct mmd_morph_track {
    uint8_t name[15];
    uint32_t count;
    uint32_t *frames;
    float *weights;
    uint32_t *records;
    uint32_t room;
} mmd_morph_track;

enum {
    MMD_CAMERA_X,
    MMD_CAMERA_Y,
    MMD_CAMERA_Z,
    MMD_CAMERA_ROTATION,
    MMD_CAMERA_DISTANCE,
    MMD_CAMERA_FOV,
    MMD_CAMERA_CHANNELS
};

/* A camera as in VMD. */
typedef struct mmd_camera {
    float distance;    /* negative: in front of the target */
    float position[3]; /* the target */
    float rotation[3]; /* radians with the signs of the file (x is the negative of what MMD displays) */
    float fov;         /* degrees, vertical */
    bool perspective;
} mmd_camera;

/*
 * In this and the following keys, record is the record number in the file for the writer, or MMD_NO_RECORD.
 */
typedef struct mmd_camera_key {
    uint32_t frame, record;
    mmd_camera value; /* fov is in whole degrees in the file */
    mmd_curve curve[MMD_CAMERA_CHANNELS];
} mmd_camera_key;

typedef struct mmd_light {
    float color[3];     /* 0..1 */
    float direction[3]; /* direction of the light's rays, of any length */
} mmd_light;

typedef struct mmd_light_key {
    uint32_t frame, record;
    mmd_light value;
} mmd_light_key;

typedef struct mmd_self_shadow {
    uint8_t mode;   /* 0 off, 1, 2 */
    float distance; /* as in the file: (10000 - value displayed by MMD) / 100000 */
} mmd_self_shadow;

typedef struct mmd_self_shadow_key {
    uint32_t frame, record;
    mmd_self_shadow value;
} mmd_self_shadow_key;

typedef struct mmd_ik_switch {
    uint8_t name[20]; /* as in the file */
    uint8_t on;       /* the file's byte */
} mmd_ik_switch;

typedef struct mmd_property_key {
    uint32_t frame, record;
    uint8_t visible; /* the file's byte */
    uint32_t switch_count;
    mmd_ik_switch *switches;
} mmd_property_key;

typedef struct mmd_motion {
    uint8_t model_name[20];  /* CP932, as in the file */
    uint8_t header[30];      /* the signature as in the file; all zeros: not from a file */
    uint8_t model_name_size; /* 20, or 10 in old files */
    uint8_t section_count;   /* number of sections in the file (0..6); the writer writes at least as many */
    bool cut;                /* the file ended inside a section; only complete records were read */
    uint32_t bone_track_count;
    mmd_bone_track *bone_tracks; /* in order of first appearance */
    uint32_t morph_track_count;
    mmd_morph_track *morph_tracks;
    uint32_t bone_key_count, morph_key_count; /* totals over all tracks */
    uint32_t camera_key_count;
    mmd_camera_key *camera_keys;
    uint32_t light_key_count;
    mmd_light_key *light_keys;
    uint32_t self_shadow_key_count;
    mmd_self_shadow_key *self_shadow_keys;
    uint32_t property_key_count;
    mmd_property_key *property_keys;
    mmd_vmd_records bone_records, morph_records, camera_records, light_records, self_shadow_records;
    uint32_t trailing_size; /* bytes after the last section, preserved by the writer */
    const uint8_t *trailing;
    uint32_t last_frame; /* largest frame of any key */
    /* Allocated tracks and keys (mmd/keying.h); 0: exactly their number. */
    uint32_t bone_track_capacity, morph_track_capacity;
    uint32_t camera_capacity, light_capacity, self_shadow_capacity, property_capacity;
    mmd_arena arena;
} mmd_motion;

void mmd_motion_destroy(mmd_motion *motion); /* NULL is allowed */

/*
 * Mirrors a motion left to right. Bones, morphs and IK switches are exchanged by name (左, 右); camera and
 * light are mirrored too. The result has no records of a file. Mirroring twice restores all movements. The
 * caller destroys it. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_motion_mirror(const mmd_motion *motion, mmd_motion **result, mmd_error *error);

/* Return the track with this 15-byte name, or NULL. Linear in the number of tracks. */
const mmd_bone_track *mmd_motion_find_bone(const mmd_motion *motion, const uint8_t name[15]);
const mmd_morph_track *mmd_motion_find_morph(const mmd_motion *motion, const uint8_t name[15]);

/*
 * Returns the index of the last key with frames[i] <= frame, or -1 if the first is later. *hint (may be NULL)
 * is where the search starts and receives the result. It speeds up playback and never changes the result.
 */
int32_t mmd_key_search(const uint32_t *frames, uint32_t count, double frame, uint32_t *hint);

/* Return MMD's defaults: camera target (0,10,0), distance -45, fov 30; light (0.6,0.6,0.6) along
 * (-0.5,-1,0.5); shadow mode 1, displayed distance 8875. */
mmd_camera mmd_default_camera(void);
mmd_light mmd_default_light(void);
mmd_self_shadow mmd_default_self_shadow(void);

/*
 * Sample the motion at a frame. Return false, with *value unchanged, if the motion has no keys of this kind.
 * Between camera keys one frame apart is a cut: the earlier key holds.
 */
bool mmd_motion_camera(const mmd_motion *motion, double frame, mmd_camera *value);
bool mmd_motion_light(const mmd_motion *motion, double frame, mmd_light *value);
bool mmd_motion_self_shadow(const mmd_motion *motion, double frame, mmd_self_shadow *value);

/*
 * Return visibility, and whether IK of the bone with this name is on, from the last property key at or before
 * frame that mentions it; true if there is none. IK names are compared by their first 15 bytes.
 */
bool mmd_motion_visible(const mmd_motion *motion, double frame);
bool mmd_motion_ik_on(const mmd_motion *motion, const uint8_t name[15], double frame);

/*
 * Computes the camera's matrices, column-major and left-handed for MMD's space: view = Trans(0,0,-distance)
 * Rz Rx Ry Trans(-position). Clip space is OpenGL's (z from -w to w) with +Z into the screen, near 0.5, far
 * 10000, aspect = width / height. eye is the camera's world position. Each output may be NULL.
 *
 * The field of view is clamped to 1..179 degrees. Without perspective, the longer side of the window shows
 * |distance| units (at least 0.01), as in nanoem, and depth ranges from -10000 to 10000.
 */
void mmd_camera_matrices(const mmd_camera *camera, float aspect, float view[16], float projection[16],
                         float eye[3]);

#ifdef __cplusplus
}
#endif

#endif
