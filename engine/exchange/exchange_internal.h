/*
 * What the parts of interchange share: the document while it is read, losses,
 * stamps. Who does what:
 *
 *   read.c             mmd_exchange_read: which format, then the two readers, then restore
 *   gltf/container.c   GLB and JSON, buffers; gltf/nodes.c, gltf/mesh.c,
 *                      gltf/material.c, gltf/deform.c, gltf/animation.c: nodes to a model
 *   gltf/physics*.c, gltf/omi.c   physics of a glTF to a scene
 *   ragdoll/read.c, ragdoll/write*.c, shape_mesh.c
 *   roundtrip/stamp.c, roundtrip/keep.c, roundtrip/read.c, roundtrip/restore.c, roundtrip/restore_scene.c
 *                      what makes round trips exact
 *   write.c            mmd_exchange_write: what is kept, which source, which target
 *   gltf/builder.c, gltf/layout.c, gltf/write*.c   a model and a scene to glTF (gltf/writer.h)
 *   pmx/write*.c       to a PMX and its sidecar
 */
#ifndef MMD_EXCHANGE_INTERNAL_H
#define MMD_EXCHANGE_INTERNAL_H

#include "json.h"

#define METRES_PER_UNIT 0.08f

/* ---------------------------------------------------------------- losses */

/*
 * Adds a loss; code must live for ever. path, field, source and emitted are
 * copied (NULL: ""). At most 10,000 are kept; those behind them, and what
 * memory did not suffice for, are counted.
 */
void losses_add(mmd_losses *losses, mmd_loss_severity severity, bool writing, mmd_exchange_format format,
                const char *code, const char *path, const char *field, const char *source,
                const char *emitted);
/* The same, of a value at a spot: its path and its text. */
void losses_add_at(mmd_losses *losses, mmd_loss_severity severity, mmd_exchange_format format,
                   const char *code, const json_ref *ref, const char *field, const char *emitted);
/* Of what is written, which has no place in a file yet: "body 3 (name)", "body 3" without a name, "world
 * (ground)". */
enum { LOSS_PATH_MAX = 160 };
void losses_path(char path[LOSS_PATH_MAX], const char *kind, uint32_t item, const char *name);

void losses_finish(mmd_losses *losses);

/* ------------------------------------------------------------------ glTF */

/* A node. Its number is that of its bone in the model. */
typedef struct gltf_node {
    const char *name; /* or "" */
    const char *path; /* names from the root, `/` between; numbers ("#3") where there is no name */
    int32_t parent;   /* -1: a root */
    int32_t mesh, skin;
    bool in_scene;              /* below a root of the file's scene; others are not drawn and not simulated */
    bool animated;              /* it, or a node above it, by the file's animation */
    bool moves;                 /* it by itself: the animation has a channel of it */
    bool has_motion;            /* of its own, by any dialect */
    float local[16], world[16]; /* column-major, in the file's space */
    mmd_transform rest;         /* the rigid part of world, in MMD's space */
    float scale[3]; /* what is left of it, along the node's axes: world = rest * scale (negative: mirrored) */
    bool sheared;   /* that is not the whole truth */
} gltf_node;

typedef struct gltf_buffer {
    const uint8_t *data;
    size_t size;
} gltf_buffer;

/* A glTF while it is read. */
typedef struct gltf_file {
    json_reader reader; /* of the whole JSON */
    json_ref root;
    mmd_exchange *document; /* being filled; document->arena is the reader's arena */
    mmd_source *source;     /* of names in the file, or NULL */
    const char *folder;
    uint32_t buffer_count;
    gltf_buffer *buffers;
    uint32_t node_count;
    gltf_node *nodes;
} gltf_file;

/* Where one kind of number array lies in a buffer: checked, ready to be read. */
typedef struct gltf_accessor {
    uint32_t count;
    uint32_t components;     /* 1 to 16 */
    uint32_t component_type; /* 5120 … 5126 */
    bool normalized;
    const uint8_t *data; /* NULL: zeros */
    size_t stride;
    json_ref sparse; /* absent: none. Lives as long as the file's root spot */
} gltf_accessor;

/*
 * Numbers of accessor `index` into the arena: count * components floats
 * (integers as they are, or normalized as the file says), sparse values in.
 * components: what it must have (0: any). `from` is where the index stood.
 */
mmd_status gltf_read_floats(gltf_file *file, const json_ref *from, int32_t index, uint32_t components,
                            float **values, uint32_t *count, uint32_t *found_components);
/* Unsigned integers, of one component: indices, or four: joints. */
mmd_status gltf_read_integers(gltf_file *file, const json_ref *from, int32_t index, uint32_t components,
                              uint32_t **values, uint32_t *count);

/* The bytes of a buffer view. */
mmd_status gltf_read_view(gltf_file *file, const json_ref *from, int32_t index, const uint8_t **data,
                          size_t *size);

/*
 * Points and triangles of mesh `index`, all primitives in one, in the file's
 * space and the mesh's own frame, for hulls and triangle meshes of shapes.
 */
typedef struct gltf_geometry {
    uint32_t point_count, index_count;
    float (*points)[3];
    uint32_t *indices;
} gltf_geometry;
mmd_status gltf_read_geometry(gltf_file *file, const json_ref *from, int32_t mesh, gltf_geometry *geometry);

/* Reads everything but physics: document->model (with one bone a node), animations, textures. */
mmd_status gltf_read_scene(gltf_file *file);
/* Physics of either dialect to document->physscene, document->bodies and joints; none: an empty scene. */
mmd_status gltf_read_physics(gltf_file *file);
mmd_status gltf_read_omi(gltf_file *file);

/* --------------------------------------------------------------- Ragdoll */

/* Fills document->model, physscene, bodies and joints. reader->root is the parsed file. */
mmd_status ragdoll_read(json_reader *reader, mmd_exchange *document);

/* --------------------------------------------------------------- scenes */

/* A scene that grows while it is read; counts are not known before. Finished into the document's scene. */
typedef struct scene_builder {
    mmd_physscene scene; /* arrays on the heap, with these capacities */
    uint32_t body_room, shape_room, mesh_room, material_room, filter_room, system_room, joint_room,
        limit_room, drive_room, gravity_room;
    uint32_t body_item_room, joint_item_room;
    mmd_exchange_item *body_items, *joint_items;
    uint32_t *system_slots, system_slot_count; /* where names of systems are found: numbers + 1, 0: free */
    bool failed;                               /* out of memory: everything after it does nothing */
} scene_builder;

/*
 * Each appends an element and gives its number and place (valid until the next of its kind): zeros, but -1
 * for none, "" for texts, identities, gravity factor 1, drives enabled without bound, the default material.
 * After running out of memory: 0, and the place is not touched: point it at something first, or ask
 * maker->failed. Texts and arrays that elements point to must be in the document's arena.
 */
uint32_t scene_add_body(scene_builder *builder, mmd_phys_body **body, mmd_exchange_item **item);
uint32_t scene_add_shape(scene_builder *builder, mmd_phys_shape **shape);
uint32_t scene_add_mesh(scene_builder *builder, mmd_phys_mesh **mesh);
uint32_t scene_add_material(scene_builder *builder, mmd_phys_material **material);
uint32_t scene_add_filter(scene_builder *builder, mmd_phys_filter **filter);
uint32_t scene_add_joint(scene_builder *builder, mmd_phys_joint **joint, mmd_exchange_item **item);
uint32_t scene_add_limit(scene_builder *builder, mmd_phys_limit **limit);
uint32_t scene_add_drive(scene_builder *builder, mmd_phys_drive **drive);
uint32_t scene_add_gravity(scene_builder *builder, mmd_phys_gravity **gravity);
/* Number of a system's name, added where it is new. */
uint32_t scene_system(scene_builder *builder, const char *name);
/* Copies all to the document (its own arena in the scene) and frees the maker. MMD_ERROR_MEMORY, and what
 * mmd_physscene_check says. */
mmd_status scene_builder_finish(scene_builder *builder, mmd_exchange *document, mmd_error *error);
void scene_builder_discard(scene_builder *builder);

/* --------------------------------------------- models made out of shapes */

/* Triangles that grow, on the heap. Zero-initialise. */
typedef struct shape_mesh {
    uint32_t vertex_count, vertex_room;
    uint32_t index_count, index_room;
    float (*positions)[3], (*normals)[3];
    uint32_t *indices; /* clockwise in front, in MMD's space */
    uint32_t segments; /* of a circle; 0: 24 */
    bool failed;       /* out of memory; everything after it does nothing */
} shape_mesh;

/* Appends a shape as it stands in its body's frame, moved by place. A plane is a square of 400 units. */
void shape_mesh_add(shape_mesh *mesh, const mmd_physscene *scene, const mmd_phys_shape *shape,
                    const mmd_transform *transform);
void shape_mesh_finish(shape_mesh *mesh);

/*
 * A mesh of the shapes of a scene's bodies as vertices of their bones
 * (BDEF1), one material a body: colours[i] is rgba of body i. For files that
 * have no mesh of their own. Fills vertices, indices and materials of the
 * model in its arena; bones must be there.
 */
mmd_status shape_model_build(const mmd_physscene *scene, const float (*colors)[4], mmd_model *model,
                             mmd_error *error);

/* ---------------------------------------------------- kept and unedited */

/*
 * A stamp of body (joint) i as a reader made it: 64 bits over every value that
 * physics reads (shapes, material, filter, limits, drives, rest), names
 * included, by bits and not by indices, so that it does not change when other
 * items do.
 */
uint64_t stamp_body(const mmd_physscene *scene, uint32_t body);
uint64_t stamp_joint(const mmd_physscene *scene, uint32_t joint);
/* Of a model's mesh, skin, materials and bones. */
uint64_t stamp_mesh(const mmd_model *model);
/* Of its morphs: all of those that move vertices, names and sizes of others. */
uint64_t stamp_morphs(const mmd_model *model);
/* Of the world and its fields of gravity. */
uint64_t stamp_world(const mmd_physscene *scene);
/* As 16 hexadecimal digits, and back (false: no stamp). */
void stamp_text(uint64_t stamp, char text[17]);
bool stamp_value(const json_t *json, uint64_t *stamp);

/* What a document keeps of the format it was converted from. */
typedef struct mmd_exchange_kept {
    json_t *root; /* the document that was read, whole */
    uint32_t buffer_count;
    mmd_buffer *buffers; /* glTF: their bytes, as buffers[] of the root names them */

    mmd_exchange_format format;       /* of the kept source; MMD_EXCHANGE_UNKNOWN: none */
    json_t *source;                   /* glTF and Ragdoll: its document, buffers as data: URIs */
    mmd_buffer pmx;                   /* PMX: the file's bytes */
    uint32_t body_count, joint_count; /* of the source's scene */
    int32_t *bodies, *joints;         /* which of this document's scene says them; -1: none does */
    uint64_t *body_stamps,
        *joint_stamps; /* of those, as they were written; 0: of what the target never said */
    uint64_t mesh_stamp, world_stamp, morph_stamp; /* 0: an older record, which has none */
    uint32_t added_body_count,
        added_joint_count;                /* of this document's scene: what the writer made besides, */
    int32_t *added_bodies, *added_joints; /* for instance the ground; -1: not there */
    uint64_t *added_body_stamps, *added_joint_stamps; /* as they were written */
    bool added_edited;                                /* some of them are not as they were */
    bool lost;      /* there was a record, of no use; or what it says of the model cannot be made out */
    json_t *record; /* what stood in the file: the source, and its buffers and pictures (roundtrip/keep.h) */
    uint32_t level; /* how many sources deep this document lies in others */
} mmd_exchange_kept;

/*
 * roundtrip/keep.c: the kept source in a file, and out of it. The JSON of all three
 * targets is one: {"format": "pmx"|"gltf"|"ragdoll", "source": …, "bodies":
 * [[item, "stamp", "name"], …], "joints": …, "mesh": "stamp"}; items are nodes
 * (glTF), ids (Ragdoll), or indices (PMX's sidecar), names are the target's;
 * null stands where the target has none. `source` of a PMX is base64 ({"bufferView": n} in older glTFs), else
 * the document. For glTF it is the root's extras.mmd, for Ragdoll the members of the solver's MMDComponent,
 * for PMX the sidecar.
 */
struct write_job;
json_t *keep_json(const struct write_job *job, json_t *source); /* takes over source; NULL: out of memory */
/* After a reader: what the document keeps of another format. Broken records are a loss, never an error. */
mmd_status keep_read(mmd_exchange *document);
/* The sidecar of a PMX (input->sidecar) and its stamps; *kept lies in arena. NULL: there is none that fits.
 */
mmd_status keep_read_sidecar(const mmd_exchange_input *input, const mmd_physscene *scene, mmd_arena *arena,
                             mmd_exchange_kept **kept, mmd_error *error);

/* After a reader: bodies and joints whose stamps still hold become what the kept PMX says of them, and the
 * world with them. */
mmd_status restore_kept(mmd_exchange *document, mmd_error *error);

/* --------------------------------------------------------------- writing */

/*
 * What all writers get: a model and a scene in MMD's space (of a PMX made by
 * mmd_model_physscene), and what to keep. Writers write twice: once, read by
 * mmd_exchange_read for the stamps, and once with them.
 */
typedef struct write_job {
    const mmd_exchange_input *input;
    const mmd_exchange_options *options;
    const mmd_model *model; /* may be NULL: a scene alone */
    const mmd_physscene *scene;
    mmd_exchange_format source;    /* the input's format */
    const mmd_exchange_kept *kept; /* of the input where it is of the target's format or keeps one; or NULL */
    const struct pmx_merge *merge; /* of the PMX that is kept, where its model was edited; or NULL */
    const mmd_buffer *pmx;         /* the source's bytes, to keep; of size 0: none */
    const json_t *document;        /* the source document, to keep; NULL: none */
    const mmd_exchange *keeps;     /* whose that is, for its buffers and pictures (glTF); or NULL */
    bool second_pass;              /* losses are told and the record is written, with the stamps below */
    const uint64_t *body_stamps, *joint_stamps;
    const char *const *body_names, *const *joint_names; /* with the stamps: as the target calls them */
    const json_t *added_items;                          /* what the target has besides (keep_added_items) */
    uint64_t mesh_stamp, world_stamp, morph_stamp;
    int32_t *body_items, *joint_items; /* what the writer made of each: node, id, or index; -1: nothing */
    int32_t *morph_items;              /* glTF: the target of each of the model's morphs; or NULL */
    mmd_exchange_output *output;       /* files and losses; losses only the second time */
} write_job;

/* Appends a file to the output, named in its arena. NULL: out of memory. */
mmd_exchange_file *output_add(mmd_exchange_output *output, const char *name);

/* Whether a name stays in the folder that it is relative to: no part is "..", none is empty, no drive. */
bool path_stays_inside(const char *name);
/* A path as the document's source knows it, whose root is the folder: without the "../" and "./" in front. */
const char *path_in_source(const char *path);

mmd_status gltf_write(const write_job *job, mmd_error *error);
mmd_status ragdoll_write(const write_job *job, mmd_error *error);
mmd_status pmx_write(const write_job *job, mmd_error *error); /* and the sidecar */

#endif
