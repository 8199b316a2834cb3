/*
 * Shared parts of the readers of KHR and OMI physics.
 *
 * First the nodes are sorted: which nodes are bodies, and which body each collider and trigger belongs to
 * (phys_sort). Then the bodies are made in the order of their nodes, each with its shapes (phys_bodies), then
 * the joints. physics.c and omi.c read what differs between the dialects.
 */
#ifndef MMD_EXCHANGE_GLTF_PHYSICS_H
#define MMD_EXCHANGE_GLTF_PHYSICS_H

#include "exchange_internal.h"

/* Factors from metres (newtons) and from newton metres (kg m^2) to MMD's units. */
#define PHYS_LENGTH (1.0f / METRES_PER_UNIT)
#define PHYS_SQUARE (PHYS_LENGTH * PHYS_LENGTH)

/* Role of a node in the file's physics. Numbers are node indices; -1: none. */
typedef struct phys_node {
    bool motion, collider, trigger; /* has them and is in the scene */
    bool still;                     /* its motion is OMI's "static", which does not own triggers below it */
    bool gathers; /* OMI: a collider or trigger without a shape of its own, which owns those below it */
    int32_t collider_parent; /* nearest node at or above that owns colliders as shapes of its body */
    int32_t trigger_parent;  /* the same for triggers */
    int32_t compound;        /* node whose trigger.nodes contains this one */
    int32_t first, next;     /* list of a body's nodes with shapes */
    int32_t body;            /* index in the scene of the body on this node */
    int32_t solid; /* body that the node is fixed to: its own or the nearest above, except triggers */
} phys_node;

/* Geometry of a mesh and the collision meshes made of it, one per scale. */
typedef struct phys_mesh {
    bool read;
    gltf_geometry geometry;
    struct phys_scaled *scaled;
} phys_mesh;

typedef struct phys_reader {
    gltf_file *file;
    scene_builder builder;
    bool omi;
    const char *extension; /* extension on nodes: "KHR_physics_rigid_bodies" or "OMI_physics_body" */
    json_ref extensions, rigid,
        shapes_in;             /* of the document; `shapes_in` is the extension with the list of shapes */
    json_ref shapes, implicit; /* lists that `shape` and `geometry.shape` index */
    json_ref implicit_in;
    json_ref materials, filters; /* lists */
    uint32_t *order;             /* node indices, parents before children */
    phys_node *nodes;
    uint32_t mesh_count;
    phys_mesh *meshes;
    uint64_t point_count; /* in all collision meshes made so far */
    uint64_t used_points; /* in the collision meshes of all nodes so far */
} phys_reader;

/* References to a node's extension. They point to each other, so the struct must not be moved. */
typedef struct phys_extension {
    json_ref nodes, node, extensions, physics;
} phys_extension;

/* Fills ref with references to an extension of a node. Returns false when the node does not have it. */
bool phys_find_extension(const phys_reader *reader, uint32_t node, const char *extension,
                         phys_extension *ref);

/*
 * Starts reading: opens the lists and reads world gravity, materials and filters. After a failure
 * phys_end_reading must still be called.
 */
mmd_status phys_begin_reading(phys_reader *reader, gltf_file *file, bool omi);
/* Finds the body that each collider and trigger belongs to. */
mmd_status phys_sort(phys_reader *reader);
/* Makes the bodies with their shapes, in the order of their nodes. */
mmd_status phys_bodies(phys_reader *reader);
/* Checks the scene and moves it into the document; frees everything after a failure. */
mmd_status phys_end_reading(phys_reader *reader);

mmd_status phys_read_loss(phys_reader *reader, mmd_loss_severity severity, const char *code,
                          const json_ref *ref, const char *field, const char *emitted); /* returns MMD_OK */
/* Fails with MMD_ERROR_MEMORY unless the reader has failed already; returns the first failure. */
mmd_status phys_no_memory(const phys_reader *reader);

/* Reads member `key` as an index below limit. Absent, null and -1 (OMI's default) give -1. */
mmd_status phys_read_index(const phys_reader *reader, const json_ref *of, const char *key, size_t limit,
                           int32_t *out);

/*
 * Adds an entry of a list of shapes, placed on a node, to the body at `rest`. *added is false when the shape
 * was dropped, which is reported as a loss.
 */
mmd_status phys_add_shape(phys_reader *reader, const json_ref *shape, uint32_t node,
                          const mmd_transform *rest, bool moving, bool *added);

/*
 * Adds a joint between two bodies, with its frames at the nodes `frame_a` and `frame_b`; body -1: the world.
 */
mmd_phys_joint *phys_add_joint(phys_reader *reader, const json_ref *from, uint32_t node, int32_t body_a,
                               int32_t body_b, int32_t frame_a, int32_t frame_b);
/* Reads a joint in the form that KHR and OMI's newer dialect share: on a node, naming another. */
mmd_status phys_read_node_joint(phys_reader *reader, const json_ref *joint, uint32_t node,
                                const json_ref *descriptions, mmd_phys_joint **added);

/* A limit on a set of axes (bits), in the file's axes and units. */
typedef struct phys_limit_values {
    bool angular;
    uint8_t axes;
    bool has_min, has_max, soft;
    float min, max, stiffness, damping;
} phys_limit_values;
/* Adds a limit to the joint that was added last. */
void phys_add_limit(phys_reader *reader, mmd_phys_joint *joint, const phys_limit_values *values);
/* Reads an array of axes (0, 1, 2) as bits; 0 when absent. */
mmd_status phys_read_axes(const phys_reader *reader, const json_ref *of, const char *key, uint8_t *axes);

/*
 * Converts a vector from the file's axes to MMD's: positions and velocities (times scale), and angular
 * velocities.
 */
void phys_mirror(const float from[3], float scale, float to[3]);
void phys_mirror_angular(const float from[3], float to[3]);

/* Reads the document's gravity (OMI_physics_gravity), in any dialect. */
mmd_status phys_read_world_gravity(phys_reader *reader);

#endif
