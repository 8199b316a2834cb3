/*
 * Motions that are edited: copies, and keys set and taken away.
 *
 * A key that was read from a file keeps its record, whatever is set in it; all
 * others are written as they were, byte for byte (mmd_vmd_write). Whoever
 * plays the motion (mmd_clip, mmd_actor) is told where a function says that
 * the keys moved in memory: mmd_actor_rebind.
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

/* A key and where it comes from. */
typedef struct mmd_kept_bone_key {
    uint32_t record; /* MMD_NO_RECORD: from no file */
    mmd_bone_key key;
} mmd_kept_bone_key;

/* The key at this very frame that counts (of several the last); false: there is none. */
bool mmd_motion_get_bone_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                             mmd_kept_bone_key *key);

/*
 * Sets a key: replaces the one that counts at that frame, and its record's
 * number too, or is a new one, in a new track if need be. The rotation is a
 * unit quaternion. *moved (may be NULL) becomes true where keys lie elsewhere
 * in memory now; it is never made false. MMD_ERROR_MEMORY, MMD_ERROR_LIMIT
 * (more than 2^31 keys), and the motion is as it was.
 */
mmd_status mmd_motion_set_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                   const mmd_kept_bone_key *key, bool *moved, mmd_error *error);

/* Takes the key that counts away; of several at a frame the one before it counts then. A track without keys
 * goes, too. False: there is none. */
bool mmd_motion_remove_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved);

/* The same of morphs. */
bool mmd_motion_get_morph_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                              uint32_t *record, float *weight);
mmd_status mmd_motion_set_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                    uint32_t record, float weight, bool *moved, mmd_error *error);
bool mmd_motion_remove_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, bool *moved);

/* The curves that MMD gives a new key: straight lines. */
mmd_curve mmd_default_curve(void);

#ifdef __cplusplus
}
#endif

#endif
