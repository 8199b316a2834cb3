/* What the reader and the two parts that write a Ragdoll dump share. */
#ifndef MMD_EXCHANGE_RAGDOLL_H
#define MMD_EXCHANGE_RAGDOLL_H

#include "exchange_internal.h"

/* Units of MMD in a centimetre; angular stiffness and inertia have its square. */
#define UNITS_PER_CM 0.125f
#define CM_PER_UNIT  8.0f

/* A dump while it is written. */
typedef struct ragdoll_writer {
    const write_job *job;
    json_t *root, *entities; /* entities is root's */
    mmd_exchange *before;    /* the source read anew, to see what was edited; or NULL */
    uint32_t solver;         /* ids */
    uint32_t next;
    uint32_t *body_ids, *joint_ids; /* of the scene's bodies and joints; 0: new */
    bool failed;                    /* out of memory */
} ragdoll_writer;

/* Each takes over what it is given. */
void ragdoll_put(ragdoll_writer *writer, json_t *object, const char *key, json_t *value);
/* {"type": name, "members": members} into the components. */
void ragdoll_put_component(ragdoll_writer *writer, json_t *components, const char *name, json_t *members);
/* {"type": type, "values": [values]}, {"type": "Entity", "value": id} */
json_t *ragdoll_values(const char *type, const float *values, size_t count);
json_t *ragdoll_entity_value(uint32_t id);
/* A place in MMD's space as a matrix of row vectors in centimetres. */
json_t *ragdoll_matrix(const mmd_transform *transform);
/* The components of an entity, made where there is none. NULL: out of memory. */
json_t *ragdoll_components(ragdoll_writer *writer, uint32_t id);
/* Name, Scene, Rest and Scale, which bodies and joints have. */
void ragdoll_put_common(ragdoll_writer *writer, json_t *components, const char *name, const char *kind,
                        const mmd_transform *rest);
/* A loss of writing; only the second time. kind: "body", "joint". */
void ragdoll_loss(ragdoll_writer *writer, mmd_loss_severity severity, const char *code, const char *kind,
                  uint32_t item, const char *name, const char *field, const char *source,
                  const char *emitted);
json_t *ragdoll_members(ragdoll_writer *writer, json_t *components, const char *name);

void ragdoll_write_body(ragdoll_writer *writer, uint32_t body);
void ragdoll_write_joint(ragdoll_writer *writer, uint32_t joint);

#endif
