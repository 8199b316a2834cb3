/*
 * The hashes of odori dump --hash: of the numbers that dump writes of each frame, as 32-bit floats with the
 * lowest byte first, in the order in which it writes them, frame after frame. Every NaN is hashed as
 * 0x7fc00000, because its bits depend on the processor; -0 and 0 are different. What a frame consists of is
 * in docs/converting.md.
 */
#ifndef ODORI_DUMP_HASH_H
#define ODORI_DUMP_HASH_H

#include "files/digest.h"
#include "mmd/actor.h"

/* Parts of a frame, in their order: what dump --what chooses from. */
enum { DUMP_BONES, DUMP_MORPHS, DUMP_VERTICES, DUMP_CAMERA, DUMP_LIGHT, DUMP_BODIES, DUMP_PARTS };
extern const char *const dump_part_names[DUMP_PARTS];

/* Hashes in the making. Parts that are not wanted have none. */
typedef struct dump_hash {
    unsigned wanted; /* bits of the parts */
    digest_stream parts[DUMP_PARTS];
    digest_stream all; /* of all wanted parts together */
} dump_hash;

/* Begins the hashes of parts, bits 1 << DUMP_BONES and so on. End them with dump_hash_end. */
dump_hash dump_hash_begin(unsigned parts);

/* Adds numbers of a wanted part. */
void dump_hash_floats(dump_hash *hash, int part, const float *values, size_t count);

/* Add what their names say of a frame; nothing for parts that are not wanted. Vertices: positions, then
 * normals. */
void dump_hash_pose(dump_hash *hash, const mmd_model *model, const mmd_pose *pose);
void dump_hash_vertices(dump_hash *hash, const mmd_skinned_vertex *vertices, uint32_t count);
void dump_hash_scene(dump_hash *hash, const mmd_stage *stage);

/* Ends the hashes; those of parts that are not wanted are "". Returns false if out of memory. */
bool dump_hash_end(dump_hash *hash, digest parts[DUMP_PARTS], digest *all);

#endif
