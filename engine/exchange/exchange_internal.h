/*
 * Internal header of the interchange module: losses, glTF and Ragdoll readers, scenes being built, stamps,
 * kept sources and writers. Its files:
 *
 *   read.c             mmd_exchange_read: detects the format, calls the reader, restores
 *   gltf/container.c   GLB and JSON, buffers; gltf/nodes.c, gltf/mesh.c, gltf/material.c, gltf/deform.c,
 *                      gltf/animation.c turn nodes into a model
 *   gltf/physics.c, physics_body.c, omi.c   turn the physics of a glTF into a scene
 *   ragdoll/, shape_mesh.c   read and write Ragdoll dumps
 *   roundtrip/         keep a source inside its target and restore it on the way back
 *   write.c            mmd_exchange_write: finds kept sources, chooses source and target
 *   gltf/builder.c, layout.c, write*.c   write a model and a scene as glTF (gltf/writer.h)
 *   pmx/               write a PMX and its sidecar
 */
#ifndef MMD_EXCHANGE_INTERNAL_H
#define MMD_EXCHANGE_INTERNAL_H

#include "json.h"

#define METRES_PER_UNIT 0.08f

/* ---------------------------------------------------------------- losses */

/*
 * Appends a loss. code must be a string literal; path, field, source and emitted are copied (NULL: ""). At
 * most 10,000 losses are stored. Further ones, and those that no memory is left for, are only counted.
 */
void losses_add(mmd_losses *losses, mmd_loss_severity severity, bool writing, mmd_exchange_format format,
                const char *code, const char *path, const char *field, const char *source,
                const char *emitted);
/* Appends a loss of reading that concerns a JSON value: path and source text are taken from the reference. */
void losses_add_at(mmd_losses *losses, mmd_loss_severity severity, mmd_exchange_format format,
                   const char *code, const json_ref *ref, const char *field, const char *emitted);
/*
 * Formats the path of something that is being written and has no position in a file yet: "body 3 (name)",
 * "body 3" without a name, "world (ground)".
 */
enum { LOSS_PATH_MAX = 160 };
void losses_path(char path[LOSS_PATH_MAX], const char *kind, uint32_t item, const char *name);

/* Frees the list and its texts, and zeroes it. */
void losses_finish(mmd_losses *losses);

/* ------------------------------------------------------------------ glTF */

/* A node of the file. Node i becomes bone i of the model. */
typedef struct gltf_node {
    const char *name; /* "" when the node has none */
    const char *path; /* names from the root, separated by `/`; "#3" (the index) stands for a missing name */
    int32_t parent;   /* -1: a root */
    int32_t mesh, skin;
    bool in_scene;   /* reachable from the file's scene; other nodes are neither drawn nor simulated */
    bool animated;   /* the animation moves it or one of its ancestors */
    bool moves;      /* the animation has a channel for this node */
    bool has_motion; /* has a physics motion of its own, in any dialect */
    float local[16], world[16]; /* column-major, in the file's space */
    mmd_transform rest;         /* rigid part of world, in MMD's space */
    float scale[3];             /* along the node's axes: world = rest * scale; negative: mirrored */
    bool sheared;               /* world has shear, which rest and scale do not express */
} gltf_node;

typedef struct gltf_buffer {
    const uint8_t *data;
    size_t size;
} gltf_buffer;

/* State while a glTF is read. */
typedef struct gltf_file {
    json_reader reader; /* over the whole JSON text */
    json_ref root;
    mmd_exchange *document; /* being filled; its arena is the reader's arena */
    mmd_source *source;     /* resolves file names of the document, or NULL */
    const char *folder;
    uint32_t buffer_count;
    gltf_buffer *buffers;
    json_t *buffer_files;    /* object with the paths of the files of buffers, while buffers are read */
    uint64_t repeated_bytes; /* of buffers whose file was read before */
    uint32_t node_count;
    gltf_node *nodes;
} gltf_file;

/* A checked accessor: where an array of numbers lies in a buffer and how it is encoded. */
typedef struct gltf_accessor {
    uint32_t count;
    uint32_t components;     /* 1 to 16 */
    uint32_t component_type; /* 5120 (BYTE) to 5126 (FLOAT) */
    bool normalized;
    const uint8_t *data; /* NULL: all elements are zero */
    size_t stride;
    json_ref sparse; /* absent value: not sparse. Lives as long as gltf_file.root */
} gltf_accessor;

/*
 * Reads accessor `index` into the arena as count * components floats: integers as they are or normalised as
 * the accessor says, sparse values applied. components: number of components required (0: any). `from` is the
 * JSON value that holds the index, for error messages.
 */
mmd_status gltf_read_floats(gltf_file *file, const json_ref *from, int32_t index, uint32_t components,
                            float **values, uint32_t *count, uint32_t *found_components);
/* Reads an accessor of unsigned integers into the arena: scalars (indices) or vectors of four (joints). */
mmd_status gltf_read_integers(gltf_file *file, const json_ref *from, int32_t index, uint32_t components,
                              uint32_t **values, uint32_t *count);

/* Returns the bytes of a buffer view, which belong to the document. */
mmd_status gltf_read_view(gltf_file *file, const json_ref *from, int32_t index, const uint8_t **data,
                          size_t *size);

/*
 * Points and triangles of all primitives of a mesh in one list, in the file's space and the mesh's own frame.
 * Collision hulls and triangle meshes are made from it.
 */
typedef struct gltf_geometry {
    uint32_t point_count, index_count;
    float (*points)[3];
    uint32_t *indices;
} gltf_geometry;
mmd_status gltf_read_geometry(gltf_file *file, const json_ref *from, int32_t mesh, gltf_geometry *geometry);

/* Reads everything but physics: document->model (node i becomes bone i), animations and textures. */
mmd_status gltf_read_scene(gltf_file *file);
/*
 * Reads physics of any dialect into document->physscene, document->bodies and joints. A file without physics
 * gives an empty scene.
 */
mmd_status gltf_read_physics(gltf_file *file);
/* Reads the OMI extensions, when they are the file's dialect. */
mmd_status gltf_read_omi(gltf_file *file);

/* --------------------------------------------------------------- Ragdoll */

/* Fills document->model, physscene, bodies and joints from reader->root, the parsed file. */
mmd_status ragdoll_read(json_reader *reader, mmd_exchange *document);

/* --------------------------------------------------------------- scenes */

/*
 * A physics scene under construction, for readers that do not know the counts in advance.
 * scene_builder_finish moves it into the document.
 */
typedef struct scene_builder {
    mmd_physscene scene; /* its arrays are on the heap; the capacities follow */
    uint32_t body_room, shape_room, mesh_room, material_room, filter_room, system_room, joint_room,
        limit_room, drive_room, gravity_room;
    uint32_t body_item_room, joint_item_room;
    mmd_exchange_item *body_items, *joint_items;
    uint32_t *system_slots, system_slot_count; /* hash table of collision system names: index + 1; 0: free */
    bool failed;                               /* out of memory; later calls do nothing */
} scene_builder;

/*
 * Each appends an element with default values and returns its index and its address, valid until the next one
 * of its kind is added. Defaults: zero, -1 for references, "" for texts, identity transforms, gravity factor
 * 1, drives enabled with unlimited force, the default material.
 * After running out of memory each returns 0 and does not touch the address: initialise it, or test
 * builder->failed. Texts and arrays that elements point to must be in the document's arena.
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
/* Returns the index of a collision system's name, which is added when it is new. */
uint32_t scene_system(scene_builder *builder, const char *name);
/*
 * Copies the scene into the document (the scene gets its own arena), checks it and frees the builder.
 * MMD_ERROR_MEMORY, or an error of mmd_physscene_check.
 */
mmd_status scene_builder_finish(scene_builder *builder, mmd_exchange *document, mmd_error *error);
/* Frees the builder and everything in it. */
void scene_builder_discard(scene_builder *builder);

/* --------------------------------------------- models made out of shapes */

/* A growing triangle mesh on the heap. Zero-initialise it. */
typedef struct shape_mesh {
    uint32_t vertex_count, vertex_room;
    uint32_t index_count, index_room;
    float (*positions)[3], (*normals)[3];
    uint32_t *indices; /* front faces are clockwise, in MMD's space */
    uint32_t segments; /* segments of a circle; 0: 24 */
    bool failed;       /* out of memory; later calls do nothing */
} shape_mesh;

/*
 * Appends the triangles of a shape, placed by the transform of its body. A plane becomes a square of 400
 * units.
 */
void shape_mesh_add(shape_mesh *mesh, const mmd_physscene *scene, const mmd_phys_shape *shape,
                    const mmd_transform *transform);
void shape_mesh_finish(shape_mesh *mesh);

/*
 * Builds a mesh from the collision shapes of a scene: vertices follow the body's bone (BDEF1), one material
 * per body, colors[i] is the RGBA of body i. For files without a mesh. Fills vertices, indices and materials
 * of the model in its arena; the bones must exist.
 */
mmd_status shape_model_build(const mmd_physscene *scene, const float (*colors)[4], mmd_model *model,
                             mmd_error *error);

/* ---------------------------------------------------- kept and unedited */

/*
 * Returns the stamp of a body (joint): a 64-bit hash of every value that physics reads (shapes, material,
 * filter, limits, drives, rest pose) and of its name. Referenced items are hashed by their contents, not by
 * index, so that the stamp does not change when other items do.
 */
uint64_t stamp_body(const mmd_physscene *scene, uint32_t body);
uint64_t stamp_joint(const mmd_physscene *scene, uint32_t joint);
/* Returns the stamp of a model's mesh, skin, materials and bones. */
uint64_t stamp_mesh(const mmd_model *model);
/* Returns the stamp of a model's morphs: offsets of vertex morphs, names and sizes of the others. */
uint64_t stamp_morphs(const mmd_model *model);
/* Returns the stamp of the world settings and of its gravity fields. */
uint64_t stamp_world(const mmd_physscene *scene);
/* Converts a stamp to 16 hexadecimal digits, and back. Returns false when the JSON value is not a stamp. */
void stamp_text(uint64_t stamp, char text[17]);
bool stamp_value(const json_t *json, uint64_t *stamp);

/*
 * The kept source of a document: the file it was converted from, stored inside the target (or in its sidecar)
 * so that converting back is exact. root and buffers are the document's own JSON.
 */
typedef struct mmd_exchange_kept {
    json_t *root; /* the whole document that was read */
    uint32_t buffer_count;
    mmd_buffer *buffers; /* glTF: bytes of buffers[i] of the root */

    mmd_exchange_format format;       /* format of the kept source; MMD_EXCHANGE_UNKNOWN: there is none */
    json_t *source;                   /* glTF and Ragdoll: the source's JSON, buffers as data: URIs */
    mmd_buffer pmx;                   /* PMX: the source file's bytes */
    uint32_t body_count, joint_count; /* of the source's scene */
    int32_t *bodies, *joints;         /* per item of the source: index in this document's scene; -1: none */
    uint64_t *body_stamps, *joint_stamps; /* of those items when written; 0: not expressible in the target */
    uint64_t mesh_stamp, world_stamp, morph_stamp; /* 0: unknown (older record) */
    uint32_t added_body_count, added_joint_count;  /* items that the writer added to this document's scene */
    int32_t *added_bodies, *added_joints;          /* for example the ground; -1: deleted since */
    uint64_t *added_body_stamps, *added_joint_stamps; /* stamps when they were written */
    bool added_edited;                                /* an added item was edited */
    bool lost;                                        /* a record was found but cannot be used */
    json_t *record; /* the record as found in the file: source, buffers and pictures (roundtrip/keep.h) */
    uint32_t level; /* nesting depth: how many documents this one is kept inside */
} mmd_exchange_kept;

/*
 * roundtrip/keep.c: writes and reads the kept source. All three targets use the same JSON record: {"format":
 * "pmx"|"gltf"|"ragdoll", "source": …, "bodies": [[item, "stamp", "name"], …], "joints": …, "mesh": "stamp"}.
 * An item is a node (glTF), an id (Ragdoll) or an index (PMX sidecar) of the target; the name is the
 * target's; null stands for an item that the target does not have. `source` of a PMX is base64
 * ({"bufferView": n} in older glTFs), otherwise the JSON document. A glTF has the record in the root's
 * extras.mmd, Ragdoll in the members of the solver's MMDComponent, a PMX in its sidecar.
 */
struct write_job;
/* Returns the record of a job, or NULL when out of memory. Takes ownership of source. */
json_t *keep_json(const struct write_job *job, json_t *source);
/* Reads the record of a document after its reader. A broken record is reported as a loss, not as an error. */
mmd_status keep_read(mmd_exchange *document);
/*
 * Reads the sidecar of a PMX (input->sidecar) into *kept, which lies in arena. NULL: there is none that can
 * be used.
 */
mmd_status keep_read_sidecar(const mmd_exchange_input *input, const mmd_physscene *scene, mmd_arena *arena,
                             mmd_exchange_kept **kept, mmd_error *error);

/*
 * Restores bodies, joints and world after a reader: what was not edited since the conversion gets the values
 * of the kept source.
 */
mmd_status restore_kept(mmd_exchange *document, mmd_error *error);

/* --------------------------------------------------------------- writing */

/*
 * Input of every writer: a model and a scene in MMD's space (for a PMX made by mmd_model_physscene), and the
 * source to keep. Every file is written twice: the first output is read back with mmd_exchange_read to
 * compute the stamps, the second contains them.
 */
typedef struct write_job {
    const mmd_exchange_input *input;
    const mmd_exchange_options *options;
    const mmd_model *model; /* NULL: only a scene is written */
    const mmd_physscene *scene;
    mmd_exchange_format source;    /* the input's format */
    const mmd_exchange_kept *kept; /* kept source in the target's format, or the input's own document when it
                                      has that format; or NULL */
    const struct pmx_merge *merge; /* the kept PMX with edits merged in; NULL when its model was not edited */
    const mmd_buffer *pmx;         /* bytes of the source PMX, to keep; empty: none */
    const json_t *document;        /* JSON of the source document, to keep; NULL: none */
    const mmd_exchange *keeps;     /* owner of `document`, for its buffers and pictures (glTF); or NULL */
    bool second_pass;              /* losses are reported and the record is written, with the stamps below */
    const uint64_t *body_stamps, *joint_stamps;
    const char *const *body_names, *const *joint_names; /* with the stamps: names in the target */
    const json_t *added_items; /* items that only the target has (keep_added_items) */
    uint64_t mesh_stamp, world_stamp, morph_stamp;
    int32_t *body_items, *joint_items; /* output: node, id or index in the target; -1: not written */
    int32_t *morph_items;              /* glTF output: morph target of each morph of the model; or NULL */
    mmd_exchange_output *output;       /* files and losses; losses only in the second pass */
} write_job;

/* Appends an empty file to the output; its name is copied. NULL: out of memory. */
mmd_exchange_file *output_add(mmd_exchange_output *output, const char *name);

/* Returns whether a relative file name stays inside its folder: no part is "..", none is empty, no drive. */
bool path_stays_inside(const char *name);
/* Returns a path relative to the root of the document's source: without leading "../" and "./". */
const char *path_in_source(const char *path);

/* Reads a file that is to be embedded or copied as a picture. Returns false if it cannot be read or is not a
 * picture that can be decoded. */
bool read_whole_picture(mmd_source *source, const char *path, mmd_bytes *bytes);

mmd_status gltf_write(const write_job *job, mmd_error *error);
mmd_status ragdoll_write(const write_job *job, mmd_error *error);
mmd_status pmx_write(const write_job *job, mmd_error *error); /* writes the sidecar, too */

#endif
