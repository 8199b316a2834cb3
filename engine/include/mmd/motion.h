/*
 * Motions: what a VMD (or a pose) says, and its value at any real frame.
 *
 * A frame is 1/30 s. Keys of a track are sorted by frame; of several keys of
 * one frame the last in the file comes last and wins. Before the first key its
 * value holds, after the last the last one's. The curve of the later key
 * shapes an interval (docs/mmd.md 3.2).
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
 * The curve's value at u in 0..1: u itself where linear, else 12 bisection
 * steps from 0.5 in single precision, leaving early at |x(s) - u| < 1e-7:
 * MMD's own numbers to the last digit.
 */
float mmd_curve_value(mmd_curve curve, float u);

enum { MMD_CHANNEL_X, MMD_CHANNEL_Y, MMD_CHANNEL_Z, MMD_CHANNEL_ROTATION };

typedef struct mmd_bone_key {
    float translation[3];
    float rotation[4];  /* unit quaternion; all zeros and NaN in the file read as identity */
    mmd_curve curve[4]; /* by channel */
    bool physics_off;   /* bytes 63 0F */
} mmd_bone_key;

/*
 * Records of a section as the file has them, in its order, for the writer: a
 * key names the record it was read from, and where both still say the same the
 * record's bytes are written (garbage behind names, NaN and all).
 */
typedef struct mmd_vmd_records {
    uint32_t count;
    const uint8_t *bytes;
} mmd_vmd_records;

/* The record number of a key that comes from no file. */
#define MMD_NO_RECORD UINT32_MAX

typedef struct mmd_bone_track {
    uint8_t name[15]; /* CP932 key, zeros behind */
    uint32_t count;
    uint32_t *frames; /* ascending */
    mmd_bone_key *keys;
    uint32_t *records; /* of each key; NULL: not from a file */
    uint32_t room;     /* keys there is memory for (mmd/keying.h); 0: no more than there are */
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

/* A camera as VMD says it. */
typedef struct mmd_camera {
    float distance;    /* negative: in front of the target */
    float position[3]; /* the target */
    float rotation[3]; /* radians, the file's signs (x is the negative of what MMD shows) */
    float fov;         /* degrees, vertical */
    bool perspective;
} mmd_camera;

/* In this and the following keys, record is the number in the file (MMD_NO_RECORD: none), which the writer
 * keeps. */
typedef struct mmd_camera_key {
    uint32_t frame, record;
    mmd_camera value; /* the file holds whole degrees of fov */
    mmd_curve curve[MMD_CAMERA_CHANNELS];
} mmd_camera_key;

typedef struct mmd_light {
    float color[3];     /* 0..1 */
    float direction[3]; /* from the light, any length */
} mmd_light;

typedef struct mmd_light_key {
    uint32_t frame, record;
    mmd_light value;
} mmd_light_key;

typedef struct mmd_self_shadow {
    uint8_t mode;   /* 0 off, 1, 2 */
    float distance; /* as in the file: (10000 - what MMD shows) / 100000 */
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
    uint8_t header[30];      /* the magic field as in the file; all zeros: not from a file */
    uint8_t model_name_size; /* 20, or 10 in old files */
    uint8_t section_count;   /* sections whose count the file holds (0..6); the writer writes as many, or more
                                if needed */
    bool cut;                /* the file ended inside a section; complete records were kept */
    uint32_t bone_track_count;
    mmd_bone_track *bone_tracks; /* in order of first appearance */
    uint32_t morph_track_count;
    mmd_morph_track *morph_tracks;
    uint32_t bone_key_count, morph_key_count; /* over all tracks */
    uint32_t camera_key_count;
    mmd_camera_key *camera_keys;
    uint32_t light_key_count;
    mmd_light_key *light_keys;
    uint32_t self_shadow_key_count;
    mmd_self_shadow_key *self_shadow_keys;
    uint32_t property_key_count;
    mmd_property_key *property_keys;
    mmd_vmd_records bone_records, morph_records, camera_records, light_records, self_shadow_records;
    uint32_t trailing_size; /* bytes behind the last section, kept for the writer */
    const uint8_t *trailing;
    uint32_t last_frame; /* largest frame of any key */
    /* Tracks and keys there is memory for (mmd/keying.h); 0: no more than there are. */
    uint32_t bone_track_room, morph_track_room;
    uint32_t camera_room, light_room, self_shadow_room, property_room;
    mmd_arena arena;
} mmd_motion;

void mmd_motion_destroy(mmd_motion *motion); /* NULL is allowed */

/*
 * The motion as a mirror shows it: left and right are swapped, of bones, morphs
 * and IK switches by their names (左, 右), of camera and light too. It comes
 * from no file: no records. Mirrored twice it moves everything as it did.
 * Destroy it. MMD_ERROR_MEMORY.
 */
mmd_status mmd_motion_mirror(const mmd_motion *motion, mmd_motion **result, mmd_error *error);

/* Track with this 15-byte key, or NULL. Linear in the number of tracks. */
const mmd_bone_track *mmd_motion_find_bone(const mmd_motion *motion, const uint8_t name[15]);
const mmd_morph_track *mmd_motion_find_morph(const mmd_motion *motion, const uint8_t name[15]);

/*
 * Index of the last key with frames[i] <= frame, or -1 if the first is later.
 * *hint (may be NULL) is where to look first and where it was found: it makes
 * playing cheap and never changes the answer.
 */
int32_t mmd_key_search(const uint32_t *frames, uint32_t count, double frame, uint32_t *hint);

/* MMD's defaults: target (0,10,0), distance -45, fov 30; light (0.6,0.6,0.6) along (-0.5,-1,0.5); shadow mode
 * 1, 8875. */
mmd_camera mmd_default_camera(void);
mmd_light mmd_default_light(void);
mmd_self_shadow mmd_default_self_shadow(void);

/*
 * Values at a frame. False, and *value untouched, where the motion has no such
 * keys. Camera keys one frame apart are a cut: the earlier one holds.
 */
bool mmd_motion_camera(const mmd_motion *motion, double frame, mmd_camera *value);
bool mmd_motion_light(const mmd_motion *motion, double frame, mmd_light *value);
bool mmd_motion_self_shadow(const mmd_motion *motion, double frame, mmd_self_shadow *value);

/*
 * Visibility, and whether the IK of the bone with this key is on: the value of
 * the last property key at or before frame that says something of it; true
 * before, and without keys. IK names compare by their first 15 bytes.
 */
bool mmd_motion_visible(const mmd_motion *motion, double frame);
bool mmd_motion_ik_on(const mmd_motion *motion, const uint8_t name[15], double frame);

/*
 * The camera's matrices, column-major, left-handed, for MMD's own space:
 * view = Trans(0,0,-distance) Rz Rx Ry Trans(-position); clip space as
 * OpenGL's (z from -w to w), +Z into the screen, near 0.5, far 10000, aspect
 * width / height. eye: the camera's place in the world. All may be NULL.
 *
 * A field of view outside 1..179 degrees is brought into it. Without
 * perspective the window's longer side shows |distance| units (at least 0.01),
 * as in nanoem, and depth runs from -10000 to 10000.
 */
void mmd_camera_matrices(const mmd_camera *camera, float aspect, float view[16], float projection[16],
                         float eye[3]);

#ifdef __cplusplus
}
#endif

#endif
