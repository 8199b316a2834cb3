/*
 * What the writers of KHR and OMI physics share: the inverse of what
 * physics.h reads.
 *
 * Bodies first, each on its node with its shapes there or on nodes below, then
 * joints and fields of gravity, and the ground last, so that body i of a file
 * is body i of the scene. Lists of the document (shapes, materials, filters,
 * joints) hold equal things once.
 */
#ifndef MMD_EXCHANGE_GLTF_WRITE_PHYSICS_H
#define MMD_EXCHANGE_GLTF_WRITE_PHYSICS_H

#include "writer.h"

/* From units to newton metres and kg m^2. */
#define PHYS_SQUARE_METRES (METRES_PER_UNIT * METRES_PER_UNIT)

/* m/s^2 that gravity has where a glTF says nothing of it. */
#define PHYS_GLTF_GRAVITY 9.80665f

/* A list of the document in which nothing stands twice. */
typedef struct phys_table {
    json_t *list, *known; /* known: number by text */
} phys_table;

typedef struct phys_writer {
    gltf_builder *builder;
    const mmd_physscene *scene;
    bool omi, newer;       /* newer: KHR's current dialect, OMI's newer one */
    const char *extension; /* of nodes that are bodies */
    float gravity; /* factor of what every body says: the world's strength in KHR, which has no word */
    phys_table shapes, materials, filters, joints;
    json_t *meshes;      /* of the file, or nodes that have them, by number and scale of the scene's */
    uint32_t node_count; /* as long as carried */
    uint8_t
        *carried; /* 1: on or below one that moves; 2: known; 4: the node of a body that joints may hold */
    bool joints_stay; /* on the nodes that they had */
    int32_t world;    /* OMI: the node that joints to the world name; -1: none yet */
    const char *kind; /* what losses are of: "body", … */
    uint32_t item;
    const char *name;
} phys_writer;

/* The number of a value in a table, which takes it over. */
int32_t phys_intern(phys_writer *writer, phys_table *table, json_t *value);
void phys_begin_item(phys_writer *writer, const char *kind, uint32_t item, const char *name);
void phys_write_loss(phys_writer *writer, mmd_loss_severity severity, const char *code, const char *field,
                     const char *source, const char *emitted);
/* Never infinite. */
json_t *phys_number(float value);
/* Member of a node's extension, made where there is none. */
json_t *phys_part(phys_writer *writer, int32_t node, const char *part);
/* node.extras.mmd */
json_t *phys_extras(phys_writer *writer, int32_t node);
/* A vector of MMD's axes in the file's: positions and velocities, of a length of scale; angular ones. */
void phys_to_file(const float from[3], float scale, float to[3]);
void phys_angular_to_file(const float from[3], float to[3]);
bool phys_any(const float vector[3]);

/* Numbers of the document's lists; -1: none. */
int32_t phys_write_material(phys_writer *writer, int32_t material);
int32_t phys_write_filter(phys_writer *writer, int32_t filter);

/* A shape as the dialect can say it: no plane or taper where there is none. */
mmd_phys_shape phys_dialect_shape(const phys_writer *writer, const mmd_phys_shape *shape, bool moving);
/* The same without putting it: its number in the document's list; -1: a mesh of KHR's current dialect, which
 * has none. node: where it will be, -1: nowhere. */
int32_t phys_list_shape(phys_writer *writer, const mmd_phys_shape *said, const float scale[3], int32_t node);

void phys_write_body(phys_writer *writer, uint32_t number);
void phys_write_ground(phys_writer *writer);

/* Limits and drives of a joint in MMD's space, of PMX's kinds as of others. */
typedef struct phys_joint_values {
    uint32_t limit_count, drive_count;
    const mmd_phys_limit *limits;
    const mmd_phys_drive *drives;
    mmd_phys_limit made_limits[12]; /* of a PMX joint */
    mmd_phys_drive made_drives[6];
} phys_joint_values;

/* Places of a joint's two frames in the world at rest. */
void phys_joint_transforms(const phys_writer *writer, const mmd_phys_joint *joint,
                           mmd_transform transforms[2]);
/* Joints onto nodes; what they are of is in node_of_body. */
void khr_write_joint(phys_writer *writer, uint32_t number);
void omi_write_joint(phys_writer *writer, uint32_t number);

/* Nodes that a document that goes on had for the same before; -1: none. */
bool phys_same_transform(const mmd_transform *a, const mmd_transform *b);
/* Below a body's node. */
int32_t phys_existing_shape(phys_writer *writer, int32_t body_node, const char *name,
                            const mmd_transform *transform);
/* In the scene and behind all bodies: ours, of a conversion before; made where there is none. */
int32_t phys_scene_node(phys_writer *writer, const char *name, const mmd_transform *transform);
int32_t phys_existing_mesh(const phys_writer *writer, const mmd_phys_shape *shape, int32_t node);
/* A node that has that mesh: node itself, or the one that it named. */
int32_t phys_existing_mesh_node(const phys_writer *writer, const mmd_phys_shape *shape, int32_t node,
                                int32_t mesh);
bool phys_joints_stay(const phys_writer *writer);
int32_t phys_existing_joint(const phys_writer *writer, uint32_t number);
int32_t phys_existing_end(const phys_writer *writer, uint32_t number, const mmd_transform *transform);

void khr_write_root(phys_writer *writer);
void omi_write_root(phys_writer *writer);

#endif
