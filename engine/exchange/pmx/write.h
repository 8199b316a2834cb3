/*
 * What the parts that write a PMX share.
 *
 * A new PMX (write_model.c) is the model with names that a PMX program can
 * do with; body i of the scene is body i of the PMX, joint i joint i. Behind
 * the bodies come helpers: the further parts of compound bodies that are not
 * simulated, and one body that joints to the world are held by. Their names
 * begin with PMX_HELPER.
 *
 * A document that keeps a PMX gives that one back: what nobody edited as it
 * was, byte for byte if nobody edited anything, else with what was edited in
 * its place.
 */
#ifndef MMD_EXCHANGE_PMX_WRITE_H
#define MMD_EXCHANGE_PMX_WRITE_H

#include "exchange_internal.h"

#define PMX_HELPER "odori.helper: "

typedef struct pmx_filter {
    uint8_t group;
    uint16_t mask;
    bool merged; /* not what the scene says */
} pmx_filter;

/* A PMX while it is written. After running out of memory everything does nothing. */
typedef struct pmx_target {
    const write_job *job;
    mmd_model model; /* to be written; its arrays are others' or in the arena */
    mmd_arena arena;
    mmd_model *kept; /* the PMX that the document keeps, or NULL */
    bool keeps_mesh; /* and the model is that one's, but for bodies and joints */
    uint32_t body_room, joint_room;
    int32_t *body_of, *joint_of; /* of the scene's; -1: none */
    bool *body_unchanged,
        *joint_unchanged;    /* of the kept PMX's: as they were written, or not written at all */
    int32_t *kept_body;      /* their new numbers; -1: gone */
    uint32_t *bones_by_name; /* of the model; made by target_find_bone */
    const mmd_phys_shape *
        *largest;              /* of the scene's bodies: what filter and material are taken of, or NULL */
    pmx_filter *body_filters;  /* of the scene's bodies */
    pmx_filter *shape_filters; /* of the scene's filters, by number + 1: 0 is none */
    uint32_t patch_count;      /* of meshes, so far: no more than PMX_ALL_PATCHES_MAX */
    int32_t anchor;            /* the body of joints to the world; -1: none yet */
    bool failed;               /* out of memory */
} pmx_target;

/* A shape as PMX has it, in the body's frame. */
typedef struct pmx_shape {
    uint8_t kind; /* 0 sphere, 1 box, 2 capsule */
    float size[3];
    mmd_transform frame;
    bool exact;
} pmx_shape;

/* count elements of size bytes, zeroed; NULL once the target has failed. */
void *target_alloc(pmx_target *target, size_t count, size_t size);
const char *target_text(pmx_target *target, const char *text);
/* text, or "node 3" where it is empty. */
const char *target_name(pmx_target *target, const char *text, const char *kind, uint32_t number);
/* A loss of writing; only the second time. kind: "body", "joint". */
void target_loss(pmx_target *target, mmd_loss_severity severity, const char *code, const char *kind,
                 uint32_t item, const char *name, const char *field, const char *source, const char *emitted);

/* PMX's angles of a rotation: Ry * Rx * Rz. */
void target_angles(const float rotation[4], float angles[3]);

/* write_shape.c */
void target_shape_of(const mmd_physscene *scene, const mmd_phys_shape *shape, pmx_shape *made);
/* A box around the body's shapes that are solid (triggers: those). */
void target_shape_around(const mmd_physscene *scene, const mmd_phys_body *body, bool triggers,
                         pmx_shape *made);
/* The largest that is no trigger, else the largest; NULL where there is none. */
const mmd_phys_shape *target_largest_shape(const mmd_physscene *scene, const mmd_phys_body *body);
/* Cubic units, as Bullet's side counts them; 0 of planes. */
double target_shape_volume(const mmd_physscene *scene, const mmd_phys_shape *shape);

/*
 * write_shape.c: boxes that follow a mesh which does not move, at most
 * PMX_PATCHES_MAX; 1: the box around it, where more would not be better.
 */
enum { PMX_PATCHES_MAX = 64, PMX_ALL_PATCHES_MAX = 16384 };
uint32_t target_patches(pmx_target *target, const mmd_phys_shape *shape, const mmd_transform *rest,
                        pmx_shape *made);

/* write_model.c: everything but physics and pictures. */
void target_write_model(pmx_target *target);
/* The first bone of the model that has this name, or -1. */
int32_t target_find_bone(pmx_target *target, const char *name);
/* write_model.c: pictures beside the file, and their names. */
void target_write_pictures(pmx_target *target);
/* write_bodies.c: body_filters and shape_filters. */
void target_choose_filters(pmx_target *target);

/* write_bodies.c: appends a body; helpers come behind all others. */
void target_write_body(pmx_target *target, uint32_t body);
void target_write_parts(pmx_target *target, uint32_t body);
int32_t target_anchor(pmx_target *target);
mmd_rigid_body *target_add_body(pmx_target *target);

/* write_joints.c */
void target_write_joint(pmx_target *target, uint32_t joint);
mmd_joint *target_add_joint(pmx_target *target);

/* write.c: what the document keeps of a PMX. */

#endif
