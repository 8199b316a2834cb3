/*
 * Shared declarations of the parts that write a PMX.
 *
 * A new PMX (write_model.c) is the model with names that PMX programs accept. Body i of the scene is body i
 * of the PMX, joint i joint i. After the bodies come helper bodies: further parts of compound bodies that are
 * not simulated, and one for joints to the world. Their names begin with PMX_HELPER.
 *
 * If the document keeps a PMX, that is extended: byte for byte the same when nothing was edited, else with
 * the edits merged in.
 */
#ifndef MMD_EXCHANGE_PMX_WRITE_H
#define MMD_EXCHANGE_PMX_WRITE_H

#include "exchange_internal.h"

#define PMX_HELPER "odori.helper: "

typedef struct pmx_filter {
    uint8_t group;
    uint16_t mask;
    bool merged; /* differs from the scene's filter */
} pmx_filter;

/* A PMX while it is written. After running out of memory every function does nothing. */
typedef struct pmx_target {
    const write_job *job;
    mmd_model model; /* to be written; its arrays belong to others or to the arena */
    mmd_arena arena;
    mmd_model *kept; /* the PMX that the document keeps, or NULL */
    bool keeps_mesh; /* model is the kept one, without bodies and joints */
    uint32_t body_room, joint_room;
    int32_t *body_of, *joint_of;            /* per body (joint) of the scene: index in the PMX; -1: none */
    bool *body_unchanged, *joint_unchanged; /* per item of the kept PMX: unedited or never written */
    int32_t *kept_body;                     /* per body of the kept PMX: new index; -1: deleted */
    uint32_t *bones_by_name;                /* bones sorted by name; made by target_find_bone */
    const mmd_phys_shape *
        *largest; /* per body of the scene: its largest shape, which gives filter and material, or NULL */
    pmx_filter *body_filters;  /* per body of the scene */
    pmx_filter *shape_filters; /* per filter of the scene, by index + 1; 0: no filter */
    uint32_t patch_count;      /* boxes for meshes so far, at most PMX_ALL_PATCHES_MAX */
    int32_t anchor;            /* body for joints to the world; -1: not made yet */
    bool failed;               /* out of memory */
} pmx_target;

/* A shape of a PMX, in the body's frame. */
typedef struct pmx_shape {
    uint8_t kind; /* 0 sphere, 1 box, 2 capsule */
    float size[3];
    mmd_transform frame;
    bool exact;
} pmx_shape;

/* Allocates count zeroed elements of size bytes; NULL fails the target. */
void *target_alloc(pmx_target *target, size_t count, size_t size);
/* Copies a text. */
const char *target_text(pmx_target *target, const char *text);
/* Returns text, or a name such as "node 3" when it is empty. */
const char *target_name(pmx_target *target, const char *text, const char *kind, uint32_t number);
/* Reports a loss of writing, only in the second pass. kind: "body", "joint". */
void target_loss(pmx_target *target, mmd_loss_severity severity, const char *code, const char *kind,
                 uint32_t item, const char *name, const char *field, const char *source, const char *emitted);

/* Computes PMX's angles of a rotation: Ry * Rx * Rz. */
void target_angles(const float rotation[4], float angles[3]);

/* write_shape.c: returns the nearest shape of a PMX. */
void target_shape_of(const mmd_physscene *scene, const mmd_phys_shape *shape, pmx_shape *made);
/* Returns a box around the body's solid shapes (or its triggers). */
void target_shape_around(const mmd_physscene *scene, const mmd_phys_body *body, bool triggers,
                         pmx_shape *made);
/* Returns the body's largest shape except triggers, else its largest trigger; NULL: no shapes. */
const mmd_phys_shape *target_largest_shape(const mmd_physscene *scene, const mmd_phys_body *body);
/* Returns the volume of a shape in cubic units, computed as in physics/bullet; 0 for planes. */
double target_shape_volume(const mmd_physscene *scene, const mmd_phys_shape *shape);

/*
 * write_shape.c: approximates a static mesh by at most PMX_PATCHES_MAX boxes and returns their number; 1: the
 * bounding box, if more would not be better.
 */
enum { PMX_PATCHES_MAX = 64, PMX_ALL_PATCHES_MAX = 16384 };
uint32_t target_patches(pmx_target *target, const mmd_phys_shape *shape, const mmd_transform *rest,
                        pmx_shape *made);

/* write_model.c: writes everything except physics and pictures. */
void target_write_model(pmx_target *target);
/* Returns the first bone of the model with a name, or -1. */
int32_t target_find_bone(pmx_target *target, const char *name);
/* write_model.c: writes the pictures and sets their names. */
void target_write_pictures(pmx_target *target);
/* write_bodies.c: fills body_filters and shape_filters. */
void target_choose_filters(pmx_target *target);

/* write_bodies.c: append a body; helper bodies come after all others. */
void target_write_body(pmx_target *target, uint32_t body);
void target_write_parts(pmx_target *target, uint32_t body);
int32_t target_anchor(pmx_target *target);
mmd_rigid_body *target_add_body(pmx_target *target);

/* write_joints.c */
void target_write_joint(pmx_target *target, uint32_t joint);
mmd_joint *target_add_joint(pmx_target *target);

#endif
