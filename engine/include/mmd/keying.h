/*
 * Motions that are edited: copies, and keys set and taken away.
 *
 * A key that was read from a file keeps its record, whatever is set in it; all
 * others are written as they were, byte for byte (mmd_vmd_write). Whoever
 * plays the motion (mmd_clip, mmd_actor) is told where a function says that
 * the keys moved in memory: mmd_actor_rebind. A stage looks for keys of camera
 * and light at each frame anew.
 *
 * Not for two threads at a time, nor while the motion is sampled.
 */
#ifndef MMD_KEYING_H
#define MMD_KEYING_H

#include "mmd/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A copy with all its keys and records; motion NULL: one without any. Destroy it. MMD_ERROR_MEMORY. */
mmd_status mmd_motion_copy(const mmd_motion *motion, mmd_motion **result, mmd_error *error);

/* Sections of a motion. */
typedef enum mmd_key_kind {
    MMD_KEY_BONE,
    MMD_KEY_MORPH,
    MMD_KEY_CAMERA,
    MMD_KEY_LIGHT,
    MMD_KEY_SELF_SHADOW,
    MMD_KEY_PROPERTY, /* visibility and IK switches */
    MMD_KEY_KINDS
} mmd_key_kind;

/* Whose keys: of bones and morphs a track's by its name (CP932, zeros behind), else the motion's own. */
typedef struct mmd_key_row {
    mmd_key_kind kind;
    uint8_t name[15];
} mmd_key_row;

/* name is looked at for bones and morphs and may be NULL for all else. */
mmd_key_row mmd_key_row_of(mmd_key_kind kind, const uint8_t *name);

/*
 * A key and where it comes from. Of the row's kind one of the union counts;
 * the frames and records that those of camera, light, shadow and switches have
 * are not looked at where one is set.
 */
typedef struct mmd_kept_key {
    uint32_t record; /* MMD_NO_RECORD: from no file */
    union {
        mmd_bone_key bone; /* the rotation a unit quaternion */
        float weight;
        mmd_camera_key camera;
        mmd_light_key light;
        mmd_self_shadow_key self_shadow;
        /* Switches are copied, but for those that were got of the same motion, valid as long as that. */
        mmd_property_key property;
    } as;
} mmd_kept_key;

/* The key at this very frame that counts (of several the last); false: there is none. */
bool mmd_motion_get_key(const mmd_motion *motion, const mmd_key_row *row, uint32_t frame, mmd_kept_key *key);

/*
 * Sets a key: replaces the one that counts at that frame, and its record's
 * number too, or is a new one, in a new track if need be. *moved (may be NULL)
 * becomes true where keys lie elsewhere in memory now; it is never made false.
 * MMD_ERROR_MEMORY, MMD_ERROR_LIMIT (more than 2^31 keys), and the motion is as
 * it was.
 */
mmd_status mmd_motion_set_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_kept_key *key, bool *moved, mmd_error *error);

/* The same, but always a new key, behind those that are at that frame: what takes a removal back. */
mmd_status mmd_motion_add_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_kept_key *key, bool *moved, mmd_error *error);

/* Takes the key that counts away; of several at a frame the one before it counts then. A track without keys
 * goes, too. False: there is none. */
bool mmd_motion_remove_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame, bool *moved);

/* How many keys a row has, and the frame of one of them, ascending; index is below that. */
uint32_t mmd_motion_count_keys(const mmd_motion *motion, const mmd_key_row *row);
uint32_t mmd_motion_key_frame(const mmd_motion *motion, const mmd_key_row *row, uint32_t index);

/* The same of bones and of morphs alone. */
typedef struct mmd_kept_bone_key {
    uint32_t record; /* MMD_NO_RECORD: from no file */
    mmd_bone_key key;
} mmd_kept_bone_key;

bool mmd_motion_get_bone_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                             mmd_kept_bone_key *key);
mmd_status mmd_motion_set_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                   const mmd_kept_bone_key *key, bool *moved, mmd_error *error);
bool mmd_motion_remove_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved);

bool mmd_motion_get_morph_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                              uint32_t *record, float *weight);
mmd_status mmd_motion_set_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                    uint32_t record, float weight, bool *moved, mmd_error *error);
bool mmd_motion_remove_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved);

/*
 * The curves of a row's key, by channel: 4 of a bone (MMD_CHANNEL_X …), 6 of
 * the camera (MMD_CAMERA_X …), else none (NULL, and *count is 0). Each shapes
 * the way to its key from the one before.
 */
mmd_curve *mmd_key_curves(mmd_key_kind kind, mmd_kept_key *key, uint32_t *count);

/* The curves that MMD gives a new key: straight lines. */
mmd_curve mmd_default_curve(void);

#ifdef __cplusplus
}
#endif

#endif
