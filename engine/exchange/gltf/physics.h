/*
 * What the readers of KHR and OMI physics share.
 *
 * First the nodes are sorted: which of them are bodies, and which body each
 * collider and trigger belongs to (phys_sort). Then the bodies are made in the
 * order of their nodes, each with its shapes (phys_bodies), then the joints.
 * What the dialects say differently is in the two readers, physics.c and
 * omi.c.
 */
#ifndef MMD_EXCHANGE_GLTF_PHYSICS_H
#define MMD_EXCHANGE_GLTF_PHYSICS_H

#include "exchange_internal.h"

/* From metres (newtons, newton metres, kg m^2) to units. */
#define PHYS_LENGTH (1.0f / METRES_PER_UNIT)
#define PHYS_SQUARE (PHYS_LENGTH * PHYS_LENGTH)

/* What a node is in the physics of the file. Numbers are of nodes; -1: none. */
typedef struct phys_node {
    bool motion, collider, trigger; /* has them, and is in the scene */
    bool still;                     /* its motion is OMI's "static": takes no triggers in */
    bool gathers;                   /* OMI's collider without a shape, or trigger without shape and nodes */
    int32_t collider_parent;        /* nearest at or above that takes colliders in as shapes of its body */
    int32_t trigger_parent;         /* the same of triggers */
    int32_t compound;               /* whose trigger.nodes it is in */
    int32_t first, next; /* of a body: the first node with a shape of it; the next of the same body */
    int32_t body;        /* number in the scene of the body that it is */
    int32_t solid;       /* body that it is fixed to: its own or the nearest above, triggers not counted */
} phys_node;

/* Geometry of a mesh that was read, and what was made of it, by scale. */
typedef struct phys_mesh {
    bool read;
    gltf_geometry geometry;
    struct phys_scaled *scaled;
} phys_mesh;

typedef struct phys_reader {
    gltf_file *file;
    scene_builder builder;
    bool omi;
    const char *extension;                 /* of nodes: "KHR_physics_rigid_bodies" */
    json_ref extensions, rigid, shapes_in; /* of the document; where shapes are */
    json_ref shapes, implicit;             /* lists: by shape, by geometry.shape */
    json_ref implicit_in;
    json_ref materials, filters; /* lists */
    uint32_t *order;             /* nodes, parents before children */
    phys_node *nodes;
    uint32_t mesh_count;
    phys_mesh *meshes;
    uint64_t point_count; /* of all meshes made so far */
} phys_reader;

/* A node's extension and the way to it; its parts point to each other, so it stays where it is. */
typedef struct phys_extension {
    json_ref nodes, node, extensions, physics;
} phys_extension;

/* False where the node has no such extension. */
bool phys_find_extension(const phys_reader *reader, uint32_t node, const char *extension,
                         phys_extension *ref);

/* Opens a file's physics: lists, materials and filters. On failure everything is given back. */
mmd_status phys_begin_reading(phys_reader *reader, gltf_file *file, bool omi);
mmd_status phys_sort(phys_reader *reader);
mmd_status phys_bodies(phys_reader *reader);
/* Checks the scene and hands it to the document; or gives everything back after a failure. */
mmd_status phys_end_reading(phys_reader *reader);

mmd_status phys_read_loss(phys_reader *reader, mmd_loss_severity severity, const char *code,
                          const json_ref *ref, const char *field, const char *emitted); /* MMD_OK */
mmd_status phys_no_memory(const phys_reader *reader);

/* Member `key` as an index below limit; absent and -1 (OMI's default) give -1. */
mmd_status phys_read_index(const phys_reader *reader, const json_ref *of, const char *key, size_t limit,
                           int32_t *out);

/* The shape of a list's entry in the frame of a node; *added false: it was dropped (and told). */
mmd_status phys_add_shape(phys_reader *reader, const json_ref *shape, uint32_t node,
                          const mmd_transform *rest, bool moving, bool *added);

/* A joint between the bodies of two nodes, its frames at `frame_a` and `frame_b` (nodes); -1: the world. */
mmd_phys_joint *phys_add_joint(phys_reader *reader, const json_ref *from, uint32_t node, int32_t body_a,
                               int32_t body_b, int32_t frame_a, int32_t frame_b);
/* A joint as KHR and OMI's newer dialect have it on a node. */
mmd_status phys_read_node_joint(phys_reader *reader, const json_ref *joint, uint32_t node,
                                const json_ref *descriptions, mmd_phys_joint **added);

/* A limit on axes (bits) in the file's axes and units, for the joint that was added last. */
typedef struct phys_limit_values {
    bool angular;
    uint8_t axes;
    bool has_min, has_max, soft;
    float min, max, stiffness, damping;
} phys_limit_values;
void phys_add_limit(phys_reader *reader, mmd_phys_joint *joint, const phys_limit_values *values);
/* Axes of an array of 0, 1 and 2 as bits; 0 where absent. */
mmd_status phys_read_axes(const phys_reader *reader, const json_ref *of, const char *key, uint8_t *axes);

/* A vector of the file's axes in MMD's: positions, velocities; and angular velocities. */
void phys_mirror(const float from[3], float scale, float to[3]);
void phys_mirror_angular(const float from[3], float to[3]);

/* Gravity of the document (OMI_physics_gravity), whatever the dialect. */
mmd_status phys_read_world_gravity(phys_reader *reader);

#endif
