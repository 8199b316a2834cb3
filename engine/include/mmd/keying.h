/*
 * Editing of motions: copying a motion, setting and removing keys.
 *
 * A key remembers the record of the file that it was read from. Keys that are not edited are written byte for
 * byte as they were (mmd_vmd_write). If a function reports that keys moved in memory, players of the
 * motion (mmd_clip, mmd_actor) must look them up again: see mmd_actor_rebind. A stage looks up camera and
 * light keys at every frame.
 *
 * A motion may be used by one thread at a time and must not be sampled while it is edited.
 */
#ifndef MMD_KEYING_H
#define MMD_KEYING_H

#include "mmd/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies a motion with all keys and records; motion NULL: creates an empty one. The caller destroys it. Fails
 * with MMD_ERROR_MEMORY. */
mmd_status mmd_motion_copy(const mmd_motion *motion, mmd_motion **result, mmd_error *error);

/* Kinds of keys, one per section of a VMD. */
typedef enum mmd_key_kind {
    MMD_KEY_BONE,
    MMD_KEY_MORPH,
    MMD_KEY_CAMERA,
    MMD_KEY_LIGHT,
    MMD_KEY_SELF_SHADOW,
    MMD_KEY_PROPERTY, /* visibility and IK switches */
    MMD_KEY_KINDS
} mmd_key_kind;

/* Identifies a list of keys: the track of a bone or morph by its name (CP932, padded with zeros), or one of
 * the motion's other sections. */
typedef struct mmd_key_row {
    mmd_key_kind kind;
    uint8_t name[15];
} mmd_key_row;

/* Returns a row. name is only used for bones and morphs and may be NULL otherwise. */
mmd_key_row mmd_key_row_of(mmd_key_kind kind, const uint8_t *name);

/*
 * A key and its record number. The row's kind selects the member of the union. The frame and record inside of
 * camera, light, self shadow and property keys are ignored when a key is set.
 */
typedef struct mmd_stored_key {
    uint32_t record; /* MMD_NO_RECORD: not from a file */
    union {
        mmd_bone_key bone; /* rotation is a unit quaternion */
        float weight;
        mmd_camera_key camera;
        mmd_light_key light;
        mmd_self_shadow_key self_shadow;
        /* Switches are copied when a key is set. Those from mmd_motion_get_key point into the motion and are
         * valid as long as that key. */
        mmd_property_key property;
    } as;
} mmd_stored_key;

/* Gets the key at exactly this frame; of several, the last. Returns false if there is none. */
bool mmd_motion_get_key(const mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                        mmd_stored_key *key);

/*
 * Sets a key. An existing key at that frame is replaced, including its record number (of several, the last);
 * otherwise a key is inserted, in a new track if necessary. Sets *moved (may be NULL) to true if keys moved
 * in memory, never to false. Fails with MMD_ERROR_MEMORY and MMD_ERROR_LIMIT (more than 2^31 keys); the
 * motion is unchanged then.
 */
mmd_status mmd_motion_set_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_stored_key *key, bool *moved, mmd_error *error);

/* Adds a key likewise but never replaces one: it is inserted after existing keys at that frame. This reverts
 * a removal. */
mmd_status mmd_motion_add_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_stored_key *key, bool *moved, mmd_error *error);

/* Removes the key at a frame; of several, the last, so that the one before it applies. A track without keys
 * is removed. Returns false if there is no key. */
bool mmd_motion_remove_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame, bool *moved);

/* Return the number of keys of a row, and the frame of one of them in ascending order. index is less than
 * that number. */
uint32_t mmd_motion_count_keys(const mmd_motion *motion, const mmd_key_row *row);
uint32_t mmd_motion_key_frame(const mmd_motion *motion, const mmd_key_row *row, uint32_t index);

/* The same functions for bones and morphs only. */
typedef struct mmd_stored_bone_key {
    uint32_t record; /* MMD_NO_RECORD: from no file */
    mmd_bone_key key;
} mmd_stored_bone_key;

bool mmd_motion_get_bone_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                             mmd_stored_bone_key *key);
mmd_status mmd_motion_set_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                   const mmd_stored_bone_key *key, bool *moved, mmd_error *error);
bool mmd_motion_remove_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved);

bool mmd_motion_get_morph_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                              uint32_t *record, float *weight);
mmd_status mmd_motion_set_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                    uint32_t record, float weight, bool *moved, mmd_error *error);
bool mmd_motion_remove_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved);

/*
 * Returns the curves of a key by channel and sets *count: 4 for bones (MMD_CHANNEL_X …), 6 for the camera
 * (MMD_CAMERA_X …), else NULL and 0. They point into key. A curve shapes the interval that ends at its key.
 */
mmd_curve *mmd_key_curves(mmd_key_kind kind, mmd_stored_key *key, uint32_t *count);

/* Returns the curve that MMD gives new keys: a straight line. */
mmd_curve mmd_default_curve(void);

#ifdef __cplusplus
}
#endif

#endif
