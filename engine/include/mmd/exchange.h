/*
 * Physics interchange: glTF 2.0 (KHR_physics_rigid_bodies and
 * OMI_physics_body/_shape/_joint/_gravity, two dialects each) and Ragdoll
 * JSON, to and from models and physics scenes (docs/formats.md 1 to 4).
 *
 * A read file is a model that can be staged like any other: glTF's nodes are
 * its bones, with the same numbers; a Ragdoll's bodies are bones and its
 * shapes the mesh. Conversions to MMD's space (left-handed, 0.08 m, radians)
 * happen here and nowhere else.
 *
 * Nothing is lost in silence. What a target cannot say is listed as a loss,
 * and the whole source document is kept in the target (glTF: extras.mmd;
 * Ragdoll: an MMDComponent of the solver's entity; PMX: NAME.physics.json
 * beside it) with a stamp of each body and joint as the target says it. On the
 * way back what nobody edited comes out as it was, bit for bit, and what
 * differs by a float's rounding alone is not edited; what was edited is taken,
 * and the rest of its body, bone or mesh stays. The losses say where a record
 * is of no use (record.unusable) and a model had to be made anew
 * (model.remade).
 *
 * Readers work on bytes in memory, never trust them, and never ask for more
 * memory than a small multiple of what they are given. May be called from any
 * thread; a document belongs to one at a time.
 */
#ifndef MMD_EXCHANGE_H
#define MMD_EXCHANGE_H

#include "mmd/animation.h"
#include "mmd/cursor.h"
#include "mmd/log.h"
#include "mmd/model.h"
#include "mmd/motion.h"
#include "mmd/source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_exchange_format {
    MMD_EXCHANGE_UNKNOWN,
    MMD_EXCHANGE_GLTF,    /* .gltf or .glb */
    MMD_EXCHANGE_RAGDOLL, /* .json or .rag */
    MMD_EXCHANGE_PMX      /* of sources and targets; mmd/format.h reads it */
} mmd_exchange_format;

/* How physics is said in a glTF file. */
typedef enum mmd_dialect {
    MMD_DIALECT_NONE,
    MMD_DIALECT_KHR_SEED,    /* KHR_collision_shapes */
    MMD_DIALECT_KHR_CURRENT, /* KHR_implicit_shapes */
    MMD_DIALECT_OMI_SEED,    /* OMI_physics_joint: constraints, nodeA, nodeB */
    MMD_DIALECT_OMI_NEWER    /* OMI_physics_joint: physicsJoints, connectedNode */
} mmd_dialect;

/* What the bytes are, by their contents: MMD_EXCHANGE_GLTF, _RAGDOLL or _UNKNOWN. Never reads far. */
mmd_exchange_format mmd_exchange_detect(const void *data, size_t size);

/* ---------------------------------------------------------------- losses */

typedef enum mmd_loss_severity { MMD_LOSS_INFO, MMD_LOSS_APPROXIMATED, MMD_LOSS_DROPPED } mmd_loss_severity;

/* One thing that was read or written otherwise than it stood. Texts are UTF-8, never NULL. */
typedef struct mmd_loss {
    uint8_t severity;    /* mmd_loss_severity */
    bool writing;        /* on the way out; else on the way in */
    uint8_t format;      /* mmd_exchange_format, the file's */
    const char *code;    /* one of docs/formats.md 4: "joint.spring_dropped" */
    const char *path;    /* of the object: "nodes[3]", "entities.17", "joint 4 (髪)" */
    const char *field;   /* "stiffness" */
    const char *source;  /* JSON text of what stood there, or "" */
    const char *emitted; /* JSON text of what came of it, or "" */
} mmd_loss;

typedef struct mmd_losses {
    uint32_t count, capacity;
    uint32_t left_out[3]; /* by severity: how many more there were than are kept, which is 10,000 at most */
    mmd_loss *items;
    mmd_arena arena; /* the texts */
} mmd_losses;

/* --------------------------------------------------------------- reading */

/* Where a body or joint of the scene stands in its file. */
typedef struct mmd_exchange_item {
    int32_t node;       /* of glTF, else -1 */
    const char *entity; /* id of Ragdoll, else "" */
} mmd_exchange_item;

typedef struct mmd_exchange {
    mmd_exchange_format format;
    mmd_dialect dialect;
    const char *generator; /* asset.generator, or Ragdoll's version, or "" */
    mmd_model *model;      /* its physscene is the one below */
    mmd_physscene *physscene;
    uint32_t animation_count;
    const mmd_animation *animations;
    mmd_source *textures;                     /* what model->textures name; "" is the folder */
    const mmd_exchange_item *bodies, *joints; /* as many as the scene has */
    mmd_losses losses;
    struct mmd_exchange_kept *kept; /* the document itself, and what it keeps of another format */
    mmd_arena arena;                /* owns what is not owned by one of the above */
} mmd_exchange;

/*
 * Reads a glTF (JSON or GLB) or Ragdoll file. source and folder are where
 * buffers and pictures that it names lie; source must outlive the document
 * (NULL: such names are not found). What is wrong but can be mended is in
 * losses; what cannot gives a status with the place in the document as its
 * section ("nodes[3].extensions.KHR_physics_rigid_bodies.motion.mass") and its
 * byte offset, and *result is NULL. MMD_ERROR_MAGIC, SYNTAX, VALUE, INDEX,
 * COUNT, TRUNCATED, UNSUPPORTED (an extension that is required and unknown),
 * NOT_FOUND (a buffer), LIMIT, MEMORY.
 */
mmd_status mmd_exchange_read(const void *data, size_t size, mmd_source *source, const char *folder,
                             mmd_exchange **result, mmd_error *error);
void mmd_exchange_destroy(mmd_exchange *document); /* NULL is allowed */

/* How many elements a glTF's list of this name has ("meshes", "cameras"); 0 where there is none. */
uint32_t mmd_exchange_list_size(const mmd_exchange *document, const char *list);

/*
 * Tells of everything in a file of the dialect OMI_SEED that the seed of
 * OMI_physics_joint forbids, in the order of the file: where it stands
 * ("nodes[3]", "constraints[0]") and what it is, in English. They are read all
 * the same, as far as they mean anything. Both texts live during the call.
 */
typedef void mmd_rule_function(void *context, const char *path, const char *what);
void mmd_exchange_check_omi(const mmd_exchange *document, mmd_rule_function *function, void *context);

/*
 * From MMD's space to the file's, and back: right-handed metres (glTF),
 * right-handed centimetres (Ragdoll); PMX's stay.
 */
void mmd_exchange_to_file(mmd_exchange_format format, const mmd_transform *from, mmd_transform *to);
void mmd_exchange_from_file(mmd_exchange_format format, const mmd_transform *from, mmd_transform *to);

/* --------------------------------------------------------------- writing */

/* What is converted. */
typedef struct mmd_exchange_input {
    const mmd_exchange *document; /* a read file; or NULL, and then */
    const mmd_model *model;       /* a PMX (or PMD) model */
    const void *sidecar;          /* the bytes of its .physics.json, or NULL */
    size_t sidecar_size;
    const mmd_motion *motion; /* every bone's and morph's keys, IK and append in them (mmd/bake.h), or NULL */
    mmd_source *textures;     /* of model's, or NULL: pictures are reported as missing */
    const char *folder;
} mmd_exchange_input;

typedef struct mmd_exchange_options {
    mmd_exchange_format format; /* of the target */
    mmd_dialect dialect;        /* of a glTF target; MMD_DIALECT_NONE: as the source, else KHR_SEED */
    bool binary;                /* one .glb; else .gltf, .bin and pictures */
    const char *name;           /* of the main file: "miku.gltf" */
} mmd_exchange_options;

typedef struct mmd_exchange_file {
    const char *name; /* relative to the main file's folder, `/` between parts */
    mmd_buffer data;
} mmd_exchange_file;

typedef struct mmd_exchange_output {
    uint32_t count; /* the main file first */
    mmd_exchange_file *files;
    mmd_losses losses; /* of writing; those of reading are the document's */
    mmd_arena arena;
} mmd_exchange_output;

/*
 * Converts. To the source's own format: the same document, value for value
 * (glTF: in the dialect asked for). MMD_ERROR_VALUE for what the target can
 * not hold at all, LIMIT, MEMORY. After an error the output is empty.
 */
mmd_status mmd_exchange_write(const mmd_exchange_input *input, const mmd_exchange_options *options,
                              mmd_exchange_output *output, mmd_error *error);
void mmd_exchange_output_finish(mmd_exchange_output *output);

#ifdef __cplusplus
}
#endif

#endif
