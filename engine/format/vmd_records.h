/* Records of a VMD, shared by its reader and writer. Private to this module. */
#ifndef MMD_VMD_RECORDS_H
#define MMD_VMD_RECORDS_H

#include "load.h"
#include "mmd/format.h"

/* The sections of a VMD, in file order. */
enum { VMD_BONES, VMD_MORPHS, VMD_CAMERA, VMD_LIGHT, VMD_SELF_SHADOW, VMD_PROPERTIES, VMD_SECTIONS };

/* Bytes of a record. A property record has this many before its switches, which have VMD_SWITCH_SIZE each. */
static const size_t vmd_record_size[VMD_SECTIONS] = {111, 23, 61, 28, 9, 9};

enum {
    VMD_MAGIC_SIZE = 30,
    VMD_NAME_SIZE = 15,
    VMD_SWITCH_SIZE = 21,
    VMD_CURVES_SIZE = 64,
    /* Offsets in a bone record. In bone and morph records the frame follows the name. */
    VMD_BONE_POSITION = 19,
    VMD_BONE_ROTATION = 31,
    VMD_BONE_CURVES = 47
};

/* Decode records. Values are repaired: NaN and infinities become 0; a rotation that contains one or is all
 * zeros becomes the identity, and others are normalised. For bones and morphs the frame is not included. */
void vmd_bone_decode(const uint8_t record[111], mmd_bone_key *key);
float vmd_morph_decode(const uint8_t record[23]);
void vmd_camera_decode(const uint8_t record[61], mmd_camera_key *key);
void vmd_light_decode(const uint8_t record[28], mmd_light_key *key);
void vmd_self_shadow_decode(const uint8_t record[9], mmd_self_shadow_key *key);

/* Fills a record with neutral values: no name, no translation, no rotation. For all other kinds of records,
 * zeros are neutral. */
void vmd_bone_blank(uint8_t record[111]);

/* Change a record where the key differs from it. */
void vmd_bone_patch(uint8_t record[111], const uint8_t name[VMD_NAME_SIZE], uint32_t frame,
                    const mmd_bone_key *key);
void vmd_morph_patch(uint8_t record[23], const uint8_t name[VMD_NAME_SIZE], uint32_t frame, float weight);
void vmd_camera_patch(uint8_t record[61], const mmd_camera_key *key);
void vmd_light_patch(uint8_t record[28], const mmd_light_key *key);
void vmd_self_shadow_patch(uint8_t record[9], const mmd_self_shadow_key *key);

/* Sorts in ascending order. Sorted input takes one pass, other input n log n steps. scratch has count
 * elements. */
void vmd_sort(uint64_t *numbers, uint64_t *scratch, size_t count);

/* Combines a frame (or another number) with a running number, so that vmd_sort keeps the order of equal
 * frames. */
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
    uint32_t child[2]; /* by the value of the bit: a node below, or NAME_LEAF | index of a name */
    uint32_t bit;      /* 0..127, decreasing downwards */
} vmd_name_node;

/* Distinct names, numbered by first appearance. */
typedef struct vmd_names {
    uint32_t count;
    vmd_name *names;      /* with capacity for every name that will be added */
    vmd_name_node *nodes; /* the same number of nodes */
    uint32_t root;
} vmd_names;

/* Returns the number of a name, adding it if it is new. Takes at most 120 steps, whatever the names are. */
uint32_t vmd_names_add(vmd_names *names, vmd_name name);

#endif
