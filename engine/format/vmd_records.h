/* Inside the module: what VMD's reader and writer share. */
#ifndef MMD_VMD_RECORDS_H
#define MMD_VMD_RECORDS_H

#include "load.h"
#include "mmd/format.h"

/* The sections of a VMD in their order. */
enum { VMD_BONES, VMD_MORPHS, VMD_CAMERA, VMD_LIGHT, VMD_SELF_SHADOW, VMD_PROPERTIES, VMD_SECTIONS };

/* Bytes of a record; of a property record those before its switches, which have VMD_SWITCH_SIZE each. */
static const size_t vmd_record_size[VMD_SECTIONS] = {111, 23, 61, 28, 9, 9};

enum {
    VMD_MAGIC_SIZE = 30,
    VMD_NAME_SIZE = 15,
    VMD_SWITCH_SIZE = 21,
    VMD_CURVES_SIZE = 64,
    /* Where a bone record holds what; frames of bones and morphs lie behind the name. */
    VMD_BONE_POSITION = 19,
    VMD_BONE_ROTATION = 31,
    VMD_BONE_CURVES = 47
};

/*
 * What a record means, values repaired: NaN and infinities become 0, a
 * rotation that has any or is all zeros the identity, others unit length. The
 * frame is not part of it for bones and morphs.
 */
void vmd_bone_decode(const uint8_t record[111], mmd_bone_key *key);
float vmd_morph_decode(const uint8_t record[23]);
void vmd_camera_decode(const uint8_t record[61], mmd_camera_key *key);
void vmd_light_decode(const uint8_t record[28], mmd_light_key *key);
void vmd_self_shadow_decode(const uint8_t record[9], mmd_self_shadow_key *key);

/* A record that says nothing yet: no name, no move, no turn. Of all other kinds, zeros are blank. */
void vmd_bone_blank(uint8_t record[111]);

/* Change a record to what a key says, where it says something else. */
void vmd_bone_patch(uint8_t record[111], const uint8_t name[VMD_NAME_SIZE], uint32_t frame,
                    const mmd_bone_key *key);
void vmd_morph_patch(uint8_t record[23], const uint8_t name[VMD_NAME_SIZE], uint32_t frame, float weight);
void vmd_camera_patch(uint8_t record[61], const mmd_camera_key *key);
void vmd_light_patch(uint8_t record[28], const mmd_light_key *key);
void vmd_self_shadow_patch(uint8_t record[9], const mmd_self_shadow_key *key);

/*
 * Sorts ascending. Numbers already sorted cost one pass, others n log n.
 * scratch has room for as many.
 */
void vmd_sort(uint64_t *numbers, uint64_t *scratch, size_t count);

/* A frame (or other number) and a running number behind it, as vmd_sort keeps equal frames in order. */
static inline uint64_t vmd_pack(uint32_t frame, uint32_t running)
{
    return (uint64_t)frame << 32 | running;
}

/* A 15-byte name, cut at its NUL, as two little-endian numbers. */
typedef struct vmd_name {
    uint64_t low, high;
} vmd_name;

vmd_name vmd_name_load(const uint8_t field[VMD_NAME_SIZE]);
void vmd_name_store(vmd_name name, uint8_t field[VMD_NAME_SIZE]);

typedef struct vmd_name_node {
    uint32_t child[2]; /* by the bit: a node below, or NAME_LEAF | number of a name */
    uint32_t bit;      /* 0..127, growing downwards */
} vmd_name_node;

/* Distinct names, numbered by first appearance. */
typedef struct vmd_names {
    uint32_t count;
    vmd_name *names;      /* room for as many as will ever be asked for */
    vmd_name_node *nodes; /* as many */
    uint32_t root;
} vmd_names;

/* Number of the name, which is added if it is new. At most 120 steps whatever the names are. */
uint32_t vmd_names_add(vmd_names *names, vmd_name name);

#endif
