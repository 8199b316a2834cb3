/*
 * Import and export of physics scenes: glTF 2.0 (KHR_physics_rigid_bodies and
 * OMI_physics_body/_shape/_joint/_gravity, two dialects each) and Ragdoll JSON (docs/formats.md 1 to 4).
 *
 * A file is read as a model that can be put on a stage like any other. The nodes of a glTF become bones with
 * the same numbers. The bodies of a Ragdoll file become bones and its shapes the mesh. Conversion to MMD's
 * space (left-handed, units of 0.08 m, radians) happens only here.
 *
 * No information is lost silently. Whatever a target format cannot express is listed as a loss, and the whole
 * source document is stored in the target (glTF: extras.mmd; Ragdoll: an MMDComponent of the solver's entity;
 * PMX: NAME.physics.json beside it), with a stamp of each body and joint as the target holds it. On
 * conversion back, unedited objects come out bit for bit as they were; differences within float rounding do
 * not count as edits. Of an edited object the edited fields are converted and the rest of its body, bone or
 * mesh is restored. Losses report stored documents that cannot be used (record.unusable) and models that had
 * to be rebuilt (model.remade).
 *
 * Readers work on untrusted bytes in memory and never request more memory than a small multiple of their
 * size. Functions may be called from any thread; a document may be used by one thread at a time.
 */
#ifndef MMD_EXCHANGE_H
#define MMD_EXCHANGE_H

#include "mmd/animation.h"
#include "mmd/log.h"
#include "mmd/memory.h"
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
    MMD_EXCHANGE_PMX      /* as a source or target; mmd/format.h reads it */
} mmd_exchange_format;

/* The physics extensions that a glTF file uses. */
typedef enum mmd_dialect {
    MMD_DIALECT_NONE,
    MMD_DIALECT_KHR_COLLISION_SHAPES, /* KHR_collision_shapes */
    MMD_DIALECT_KHR_IMPLICIT_SHAPES,  /* KHR_implicit_shapes */
    MMD_DIALECT_OMI_CONSTRAINTS,      /* OMI_physics_joint: constraints, nodeA, nodeB */
    MMD_DIALECT_OMI_PHYSICS_JOINTS    /* OMI_physics_joint: physicsJoints, connectedNode */
} mmd_dialect;

/* Returns the format of a file by its contents: MMD_EXCHANGE_GLTF, _RAGDOLL or _UNKNOWN. Reads only the
 * beginning. */
mmd_exchange_format mmd_exchange_detect(const void *data, size_t size);

/* ---------------------------------------------------------------- losses */

typedef enum mmd_loss_severity { MMD_LOSS_INFO, MMD_LOSS_APPROXIMATED, MMD_LOSS_DROPPED } mmd_loss_severity;

/* A value that was changed or dropped while reading or writing. Texts are UTF-8, never NULL. */
typedef struct mmd_loss {
    uint8_t severity;    /* mmd_loss_severity */
    bool writing;        /* true: found while writing; false: while reading */
    uint8_t format;      /* mmd_exchange_format of the file */
    const char *code;    /* one of the codes in docs/formats.md 4: "joint.spring_dropped" */
    const char *path;    /* path of the object: "nodes[3]", "entities.17", "joint 4 (髪)" */
    const char *field;   /* name of the field: "stiffness" */
    const char *source;  /* JSON text of the original value, or "" */
    const char *emitted; /* JSON text of the resulting value, or "" */
} mmd_loss;

typedef struct mmd_losses {
    uint32_t count, capacity;
    uint32_t left_out[3]; /* by severity: number of losses beyond the 10,000 that are stored */
    mmd_loss *items;
    mmd_arena arena; /* memory of the texts */
} mmd_losses;

/* Formats a loss as one line: "joint.invalid (approximated) nodes[3]: min 5 -> 4". Returns text. */
enum { MMD_LOSS_TEXT_MAX = 1024 };
const char *mmd_loss_text(const mmd_loss *loss, char text[MMD_LOSS_TEXT_MAX]);

/* Logs the first ten losses that change something as warnings about the file at path, and the number of the
 * others. */
void mmd_losses_log(const mmd_losses *losses, const char *path, const mmd_log *log);

/* --------------------------------------------------------------- reading */

/* The position of a body or joint in its file. */
typedef struct mmd_exchange_item {
    int32_t node;       /* node of a glTF, else -1 */
    const char *entity; /* entity id of a Ragdoll file, else "" */
} mmd_exchange_item;

typedef struct mmd_exchange {
    mmd_exchange_format format;
    mmd_dialect dialect;
    const char *generator; /* asset.generator, Ragdoll's version, or "" */
    mmd_model *model;      /* its physscene is the one below */
    mmd_physscene *physscene;
    uint32_t animation_count;
    const mmd_animation *animations;
    mmd_source *textures;                     /* source of the files that model->textures name, with the
                                                 root folder "" */
    const mmd_exchange_item *bodies, *joints; /* one per body and joint of the scene */
    mmd_losses losses;
    struct mmd_exchange_kept *kept; /* the parsed document and a document of another format stored in it */
    mmd_arena arena;                /* owns all memory not owned by the members above */
} mmd_exchange;

/*
 * Reads a glTF (JSON or GLB) or Ragdoll file. Buffers and pictures that it names are searched in folder of
 * source. source must outlive the document; NULL: such names are not found. Recoverable errors are listed in
 * losses. Other errors return a status, with the place in the document as section
 * ("nodes[3].extensions.KHR_physics_rigid_bodies.motion.mass") and its byte offset, and *result is NULL:
 * MMD_ERROR_MAGIC, SYNTAX, VALUE, INDEX, COUNT, TRUNCATED, UNSUPPORTED (an unknown required extension),
 * NOT_FOUND (a buffer), LIMIT, MEMORY.
 */
mmd_status mmd_exchange_read(const void *data, size_t size, mmd_source *source, const char *folder,
                             mmd_exchange **result, mmd_error *error);
void mmd_exchange_destroy(mmd_exchange *document); /* NULL is allowed */

/* Returns the number of elements in a top-level glTF array ("meshes", "cameras"); 0 if there is none. */
uint32_t mmd_exchange_list_size(const mmd_exchange *document, const char *list);

/*
 * Reports everything in a file of dialect MMD_DIALECT_OMI_CONSTRAINTS that the draft of OMI_physics_joint
 * forbids, in the order of the file: the path ("nodes[3]", "constraints[0]") and an explanation in English,
 * both valid during the call. The values are still read as far as possible.
 */
typedef void mmd_rule_function(void *context, const char *path, const char *what);
void mmd_exchange_check_omi(const mmd_exchange *document, mmd_rule_function *function, void *context);

/*
 * Convert a transform from MMD's space to that of a file and back: right-handed metres for glTF, right-handed
 * centimetres for Ragdoll, unchanged for PMX.
 */
void mmd_exchange_to_file(mmd_exchange_format format, const mmd_transform *from, mmd_transform *to);
void mmd_exchange_from_file(mmd_exchange_format format, const mmd_transform *from, mmd_transform *to);

/* --------------------------------------------------------------- writing */

/* The source of a conversion. Zero it, then set document or model; every other member may stay zero. */
typedef struct mmd_exchange_input {
    const mmd_exchange *document; /* a file that was read; NULL: model is converted */
    const mmd_model *model;       /* a PMX or PMD model */
    const void *sidecar;          /* contents of its .physics.json, or NULL */
    size_t sidecar_size;
    const mmd_motion *motion; /* baked motion (mmd/bake.h) with the effects of IK and append in the keys of
                                 all bones and morphs, or NULL */
    mmd_source *textures;     /* source of model's textures, or NULL: all are reported as missing */
    const char *folder;
} mmd_exchange_input;

/* The target of a conversion. Zero it, then set format; every other member may stay zero. */
typedef struct mmd_exchange_options {
    mmd_exchange_format format; /* format of the target */
    mmd_dialect dialect;        /* dialect of a glTF target; MMD_DIALECT_NONE: that of the source,
                                   otherwise KHR_SEED */
    bool binary;                /* one .glb; false: .gltf, .bin and pictures */
    const char *name;           /* name of the main file: "miku.gltf"; NULL: "scene.gltf", "scene.glb",
                                   "ragdoll.json" or "model.pmx" */
} mmd_exchange_options;

typedef struct mmd_exchange_file {
    const char *name; /* relative to the main file's folder, with `/` */
    mmd_buffer data;
} mmd_exchange_file;

typedef struct mmd_exchange_output {
    uint32_t count; /* the main file comes first */
    mmd_exchange_file *files;
    mmd_losses losses; /* losses of writing; those of reading are in the document */
    mmd_arena arena;
} mmd_exchange_output;

/*
 * Converts the input. The source's own format gives the same document, value for value (glTF: in the
 * requested dialect). Fails with MMD_ERROR_VALUE for what the target cannot hold at all, LIMIT and MEMORY;
 * output is empty then. Free it with mmd_exchange_output_finish.
 */
mmd_status mmd_exchange_write(const mmd_exchange_input *input, const mmd_exchange_options *options,
                              mmd_exchange_output *output, mmd_error *error);
void mmd_exchange_output_finish(mmd_exchange_output *output);

#ifdef __cplusplus
}
#endif

#endif
