/*
 * Shared declarations of the writers of KHR and OMI physics, the inverse of physics.h.
 *
 * First the bodies are written, each to its node with its shapes there or on nodes below, then joints and
 * gravity fields. The ground comes last, so that body i of the file is body i of the scene. The document's
 * lists (shapes, materials, filters, joints) hold equal entries once.
 */
#ifndef MMD_EXCHANGE_GLTF_WRITE_PHYSICS_H
#define MMD_EXCHANGE_GLTF_WRITE_PHYSICS_H

#include "writer.h"

/* Factor from MMD's units to newton metres and kg m^2. */
#define PHYS_SQUARE_METRES (METRES_PER_UNIT * METRES_PER_UNIT)

/* Gravity of a glTF that does not specify it, in m/s^2. */
#define PHYS_GLTF_GRAVITY 9.80665f

/* A list of the document with unique entries. */
typedef struct phys_table {
    json_t *list, *known; /* known: index by JSON text */
} phys_table;

typedef struct phys_writer {
    gltf_builder *builder;
    const mmd_physscene *scene;
    bool omi, newer;       /* newer: KHR's current or OMI's newer dialect */
    const char *extension; /* extension of nodes with bodies */
    float gravity;         /* factor for every body's gravityFactor: KHR cannot express the world's gravity */
    phys_table shapes, materials, filters, joints;
    json_t *meshes; /* meshes of the file (or nodes with them) by index and scale of the scene's meshes */
    uint32_t node_count; /* length of carried */
    uint8_t *carried; /* bits: 1: moves with a body; 2: bit 1 is known; 4: a body's node, can hold joints */
    bool joints_stay; /* joints keep the nodes that they had */
    int32_t world;    /* OMI: the node for joints to the world; -1: not made yet */
    const char *kind; /* kind of the current item for losses: "body", "joint" */
    uint32_t item;
    const char *name;
} phys_writer;

/* Returns the index of a value in a table, added if new. Takes ownership of value. */
int32_t phys_intern(phys_writer *writer, phys_table *table, json_t *value);
/* Sets the item that losses are reported for. */
void phys_begin_item(phys_writer *writer, const char *kind, uint32_t item, const char *name);
void phys_write_loss(phys_writer *writer, mmd_loss_severity severity, const char *code, const char *field,
                     const char *source, const char *emitted);
/* Returns a finite JSON number; infinity becomes the largest float. */
json_t *phys_number(float value);
/* Returns a member of a node's extension, created if needed. */
json_t *phys_part(phys_writer *writer, int32_t node, const char *part);
/* Returns node.extras.mmd, created if needed. */
json_t *phys_extras(phys_writer *writer, int32_t node);
/*
 * Converts a vector from MMD's axes to the file's: positions and velocities (times scale), and angular
 * velocities.
 */
void phys_to_file(const float from[3], float scale, float to[3]);
void phys_angular_to_file(const float from[3], float to[3]);
bool phys_any(const float vector[3]);

/* Write a material (filter) and return its index in the document's list; -1: none. */
int32_t phys_write_material(phys_writer *writer, int32_t material);
int32_t phys_write_filter(phys_writer *writer, int32_t filter);

/*
 * Returns the nearest shape that the dialect can express: planes and tapers are replaced where it has none.
 */
mmd_phys_shape phys_dialect_shape(const phys_writer *writer, const mmd_phys_shape *shape, bool moving);
/*
 * Writes a shape of the dialect to the document's list and returns its index; -1: a mesh in KHR's current
 * dialect, which is not in the list. node: where it will be used, or -1.
 */
int32_t phys_list_shape(phys_writer *writer, const mmd_phys_shape *dialect_shape, const float scale[3],
                        int32_t node);

void phys_write_body(phys_writer *writer, uint32_t number);
void phys_write_ground(phys_writer *writer);

/* Limits and drives of a joint in MMD's space, also for PMX's kinds of joint. */
typedef struct phys_joint_values {
    uint32_t limit_count, drive_count;
    const mmd_phys_limit *limits;
    const mmd_phys_drive *drives;
    mmd_phys_limit made_limits[12]; /* storage for those of a PMX joint */
    mmd_phys_drive made_drives[6];
} phys_joint_values;

/* Computes the world transforms of a joint's two frames at rest. */
void phys_joint_transforms(const phys_writer *writer, const mmd_phys_joint *joint,
                           mmd_transform transforms[2]);
/* Write a joint to its node; bodies are found in node_of_body. */
void khr_write_joint(phys_writer *writer, uint32_t number);
void omi_write_joint(phys_writer *writer, uint32_t number);

/*
 * The following functions find nodes that the extended document used for the same purpose before; -1: none.
 */
bool phys_same_transform(const mmd_transform *a, const mmd_transform *b);
/* Finds the node of a shape below a body's node. */
int32_t phys_existing_shape(phys_writer *writer, int32_t body_node, const char *name,
                            const mmd_transform *transform);
/* Returns a top-level node after those of all bodies, from an earlier conversion; created if needed. */
int32_t phys_scene_node(phys_writer *writer, const char *name, const mmd_transform *transform);
int32_t phys_existing_mesh(const phys_writer *writer, const mmd_phys_shape *shape, int32_t node);
/* Returns a node with that mesh: node itself, or the one that it named. */
int32_t phys_existing_mesh_node(const phys_writer *writer, const mmd_phys_shape *shape, int32_t node,
                                int32_t mesh);
/* Returns whether all joints can keep their nodes. */
bool phys_joints_stay(const phys_writer *writer);
int32_t phys_existing_joint(const phys_writer *writer, uint32_t number);
int32_t phys_existing_end(const phys_writer *writer, uint32_t number, const mmd_transform *transform);

void khr_write_root(phys_writer *writer);
void omi_write_root(phys_writer *writer);

#endif
