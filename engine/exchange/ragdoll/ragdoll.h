/* Shared declarations of the reader and the writers of Ragdoll dumps. */
#ifndef MMD_EXCHANGE_RAGDOLL_H
#define MMD_EXCHANGE_RAGDOLL_H

#include "exchange_internal.h"

/* MMD's units per centimetre and back. Angular stiffness and inertia take the square. */
#define UNITS_PER_CM 0.125f
#define CM_PER_UNIT  8.0f

/* A dump while it is written. */
typedef struct ragdoll_writer {
    const write_job *job;
    json_t *root, *entities;        /* entities is a member of root */
    mmd_exchange *before;           /* the source read again, to detect edits; or NULL */
    uint32_t solver;                /* id of the solver's entity */
    uint32_t next;                  /* next free id */
    uint32_t *body_ids, *joint_ids; /* ids of the scene's bodies and joints; 0: new */
    bool failed;                    /* out of memory */
} ragdoll_writer;

/* Sets a member of an object. Takes ownership of value; so do the functions below. */
void ragdoll_put(ragdoll_writer *writer, json_t *object, const char *key, json_t *value);
/* Sets components[name] to {"type": name, "members": members}. */
void ragdoll_put_component(ragdoll_writer *writer, json_t *components, const char *name, json_t *members);
/* Return {"type": type, "values": [values]} and {"type": "Entity", "value": id}. */
json_t *ragdoll_values(const char *type, const float *values, size_t count);
json_t *ragdoll_entity_value(uint32_t id);
/* Returns a transform in MMD's space as a matrix of row vectors in centimetres. */
json_t *ragdoll_matrix(const mmd_transform *transform);
/* Returns the components of an entity, created if needed. NULL: out of memory. */
json_t *ragdoll_components(ragdoll_writer *writer, uint32_t id);
/* Writes the components Name, Scene, Rest and Scale, which bodies and joints have. */
void ragdoll_put_common(ragdoll_writer *writer, json_t *components, const char *name, const char *kind,
                        const mmd_transform *rest);
/* Reports a loss of writing, only in the second pass. kind: "body", "joint". */
void ragdoll_loss(ragdoll_writer *writer, mmd_loss_severity severity, const char *code, const char *kind,
                  uint32_t item, const char *name, const char *field, const char *source,
                  const char *emitted);
/* Returns the members of a component, created if needed. NULL: out of memory. */
json_t *ragdoll_members(ragdoll_writer *writer, json_t *components, const char *name);

void ragdoll_write_body(ragdoll_writer *writer, uint32_t body);
void ragdoll_write_joint(ragdoll_writer *writer, uint32_t joint);

#endif
