/* What the parts that read a Ragdoll dump share, and what those that write one do. */
#ifndef MMD_EXCHANGE_RAGDOLL_H
#define MMD_EXCHANGE_RAGDOLL_H

#include "exchange_internal.h"

/* Units of MMD in a centimetre; angular stiffness and inertia have its square. */
#define UNITS_PER_CM 0.125f

/* An entity of the dump, in the file's order. */
typedef struct ragdoll_entity {
    const char *key;
    json_t *value;
    uint32_t id;
    int32_t body; /* -1: none */
    bool solver;
    int32_t parent; /* number of its parentRigid's entity, -1: none */
} ragdoll_entity;

/* A dump while it is read. */
typedef struct ragdoll_file {
    json_reader *reader;
    mmd_exchange *document;
    scene_maker maker;
    json_spot root, entities;
    uint32_t count;
    ragdoll_entity *items; /* on the heap */
    uint32_t *by_id;       /* their numbers, by ascending ids; on the heap */
    float (*colors)[4];    /* of bodies; on the heap, room for all entities */
    mmd_transform solver;  /* the place of the solver's entity, to which joints to the world refer */
} ragdoll_file;

/* A component of an entity. Spots point to one another: not to be copied or moved. */
typedef struct ragdoll_component {
    json_spot entity, components, component, members;
} ragdoll_component;

/* Finds a component; members.value is NULL where there is none. MMD_ERROR_VALUE for one without members. */
mmd_status ragdoll_component_find(const ragdoll_file *file, const ragdoll_entity *entity, const char *name,
                                  ragdoll_component *found);
/* The same, of one that has to be there. */
mmd_status ragdoll_component_need(const ragdoll_file *file, const ragdoll_entity *entity, const char *name,
                                  ragdoll_component *found);
/* The numbers of {"type": …, "values": […]}; fallback NULL: must be there. */
mmd_status ragdoll_read_values(const ragdoll_file *file, const json_spot *members, const char *key,
                               size_t count, const float *fallback, float *values);
/* A matrix of row vectors, its scale taken out, in MMD's space. Absent: the identity, unless needed. */
mmd_status ragdoll_read_matrix(const ragdoll_file *file, const json_spot *members, const char *key,
                               bool needed, mmd_transform *transform);
/* Number of the entity that a member names, as an integer or {"type": "Entity"}; -1: none (0), -2: there is
 * no such entity. */
mmd_status ragdoll_read_entity(const ragdoll_file *file, const json_spot *members, const char *key,
                               bool needed, int32_t *number);

/* The entity's id as text of the document. */
const char *ragdoll_key(ragdoll_file *file, const ragdoll_entity *entity);

mmd_status ragdoll_read_bodies(ragdoll_file *file);
mmd_status ragdoll_read_joints(ragdoll_file *file);

#endif
