/*
 * Shared declarations of the parts that write a glTF.
 *
 * Layout of a new file (layout.c): node i is bone i, so that bones keep their numbers. Then follow a node
 * above all of them with the model's name, the bodies that are not bones, in the scene's order, and nodes
 * that physics needs (shapes, attachments). A body of a PMX has a node of its own with the body's frame. A
 * kinematic body is below its bone's node. The first dynamic body of a bone is between the bone and its
 * parent, so that the bone, and the skin with it, follows the body; further ones are beside it. A body that
 * is a bone already (Ragdoll) uses the bone's node.
 *
 * No body's node is below another body's, because other programs would treat them as one body or not connect
 * them. If the bones of bodies form a chain, all their nodes are children of the first one's parent, and
 * extras.mmd.carriedBy names the node that each belongs below. Our reader reattaches the bones.
 *
 * Node names are unique: those of bodies, joints and shapes end in " (body)" and so on, and repeated names
 * are numbered. If that changes a name, extras.mmd has {"nodeName": as written, "itemName": original}.
 *
 * Extending an existing glTF (layout.c, too): its document and buffers are kept, its physics is removed and
 * written again in the target's dialect.
 *
 * All values are in MMD's space until they are written as JSON, in metres and right-handed.
 */
#ifndef MMD_EXCHANGE_GLTF_WRITER_H
#define MMD_EXCHANGE_GLTF_WRITER_H

#include "exchange_internal.h"

enum { GLTF_FLOAT = 5126, GLTF_U8 = 5121, GLTF_U16 = 5123, GLTF_U32 = 5125 };
enum { GLTF_ARRAY_BUFFER = 34962, GLTF_ELEMENT_BUFFER = 34963 };

/* A glTF while it is written. After a failure every function does nothing and returns 0 or NULL. */
typedef struct gltf_builder {
    const write_job *job;
    const mmd_exchange *base; /* the glTF that is extended: the input's, or a kept one; NULL: a new file */
    mmd_exchange *read;       /* owner of base when it was a kept source, read for this purpose */
    json_t *root;
    mmd_buffer bytes; /* contents of the new buffer */
    uint32_t buffer;  /* its index, after the buffers of base */
    uint32_t node_count, node_room;
    struct gltf_transform *transforms; /* of nodes, on the heap */
    int32_t *node_of_bone;             /* one per bone of the model */
    int32_t *node_of_body;             /* one per body of the scene; -1: none */
    int32_t *node_of_joint;            /* filled by the physics writer */
    json_t *names; /* node names in use and how often each was requested; created on first use */
    bool failed;   /* out of memory */
} gltf_builder;

/*
 * The world transform of a node, bit for bit as a reader will compute it; column-major, in the file's space.
 */
typedef struct gltf_transform {
    int32_t parent;
    float world[16];
    double turn[4]; /* rotation; world = turn * scale */
    float scale[3];
} gltf_transform;

/* ---------------------------------------------------------- builder.c */

/* Sets a member of an object. Takes ownership of value; NULL fails the builder. */
void gltf_put(gltf_builder *builder, json_t *object, const char *key, json_t *value);
/*
 * Appends to an array of the root ("meshes"), which is created if needed, and returns the index. Takes
 * ownership of value.
 */
int32_t gltf_append(gltf_builder *builder, const char *list, json_t *value);
/* Returns object[name], an object, which is created if needed and belongs to object. */
json_t *gltf_object(gltf_builder *builder, json_t *object, const char *name);
/* Returns object.extensions[name], created if needed, and adds the name to extensionsUsed. */
json_t *gltf_extension(gltf_builder *builder, json_t *object, const char *name);
/* Returns the JSON of a node. */
json_t *gltf_node_json(gltf_builder *builder, int32_t node);
/*
 * Appends a node without transform and parent, for nodes whose parents have higher numbers. gltf_set_node
 * must follow.
 */
int32_t gltf_new_node(gltf_builder *builder);
/*
 * Gives a node a unique name: "hair (body)" or "hair (body 2)" for kind "body", "hair" or "hair (2)" for kind
 * NULL; and the record from which the reader restores "hair". An empty name gives no name.
 */
void gltf_name_node(gltf_builder *builder, int32_t node, const char *name, const char *kind);
/*
 * Sets parent (-1: the scene) and transform of a node. world is rigid and in MMD's space; the parent must
 * have its transform already. Translation and rotation are omitted when they are the identity. The parent's
 * scale is cancelled: by the node's own scale if uniform, else by an intermediate node.
 */
void gltf_set_node(gltf_builder *builder, int32_t node, int32_t parent, const mmd_transform *world);
/* Appends a node with name, parent and transform; returns its index. */
int32_t gltf_add_node(gltf_builder *builder, const char *name, const char *kind, int32_t parent,
                      const mmd_transform *world);
/* Returns a node's world transform without scale, in MMD's space, and the scale (may be NULL). */
void gltf_find_transform(const gltf_builder *builder, int32_t node, mmd_transform *transform, float scale[3]);
/* Appends bytes as a buffer view, aligned to four bytes; target 0: none. */
int32_t gltf_add_view(gltf_builder *builder, const void *data, size_t size, int target);
/*
 * Appends an accessor of count elements of type "SCALAR", "VEC3" and so on: floats, with min and max if
 * bounds is set; or unsigned integers in the smallest type that holds them, but at least `least` (GLTF_U8,
 * GLTF_U16).
 */
int32_t gltf_add_floats(gltf_builder *builder, const float *values, uint32_t count, const char *type,
                        int target, bool bounds);
int32_t gltf_add_integers(gltf_builder *builder, const uint32_t *values, uint32_t count, const char *type,
                          int target, int least);
/*
 * Appends a sparse VEC3 accessor of count elements with bounds. rows (ascending) are the indices of values;
 * all others are zero.
 */
int32_t gltf_add_sparse(gltf_builder *builder, uint32_t count, const uint32_t *rows, const float (*values)[3],
                        uint32_t row_count);
/*
 * Appends a mesh for colliders: triangles, or the triangles of the hull of points, in MMD's space. Nothing
 * draws it.
 */
int32_t gltf_add_shape_mesh(gltf_builder *builder, const mmd_phys_mesh *mesh, const char *name);
/* Reports a loss of writing, only in the second pass (job->second_pass). The path becomes "body 3 (name)". */
void gltf_loss(gltf_builder *builder, mmd_loss_severity severity, const char *code, const char *kind,
               uint32_t item, const char *name, const char *field, const char *source, const char *emitted);
/* Reports one loss for `count` items, for example path "materials", field "toon". */
void gltf_count_loss(gltf_builder *builder, mmd_loss_severity severity, const char *code, const char *path,
                     const char *field, uint32_t count);

/* ------------------------------------------------------------ write.c */

/* Adds a file to the output. */
void gltf_put_file(gltf_builder *builder, const char *name, const void *data, size_t size);
/* Sets object.uri to a file name with %20 and so on. */
void gltf_put_uri(gltf_builder *builder, json_t *object, const char *name);
/*
 * Writes root and bytes as options->binary says, with the buffers and pictures of base. The main file is the
 * first of the output, created if needed. Can also write an unchanged document: set job, base, root (a copy
 * of base's) and buffer (base's number of buffers), all else zero.
 */
mmd_status gltf_put_out(gltf_builder *builder, mmd_error *error);

/* ------------------------------------------------------------------ parts */

/* Writes asset, scene and nodes, or copies base, and fills the maps of nodes. */
void gltf_write_layout(gltf_builder *builder);
/* Writes mesh, skin, materials, pictures, morph targets and animation of a model that was no glTF. */
void gltf_write_model(gltf_builder *builder);
void gltf_write_materials(gltf_builder *builder, int32_t *material_of); /* one per material of the model */
/*
 * Derives a picture's name from its file name: without folder and extension, with unsafe characters replaced,
 * truncated between characters.
 */
enum { GLTF_NAME_BYTES = 96 };
void gltf_plain_name(const char *path, char name[GLTF_NAME_BYTES]);
/* Converts an sRGB colour component to linear. */
float gltf_linear_color(float screen);
/* Removes the physics of all dialects from a document, and their names from extensionsUsed. */
void gltf_strip_physics(gltf_builder *builder);
/*
 * Writes physics in a dialect to the nodes in node_of_body; fills node_of_joint. extras.mmd of nodes gets the
 * PMX values.
 */
void gltf_write_physics(gltf_builder *builder, mmd_dialect dialect);

/* The part of the mesh with one material: a primitive with vertices of its own. */
typedef struct gltf_mesh_piece {
    uint32_t material, vertex_count;
    uint32_t *vertices; /* vertex indices of the model, ascending */
    json_t *primitive;  /* owned by the mesh */
} gltf_mesh_piece;

typedef struct gltf_mesh_writer {
    gltf_builder *builder;
    const mmd_model *model;
    uint32_t piece_count;
    gltf_mesh_piece *pieces;
    int32_t node; /* node of the mesh */
    uint32_t target_count;
    int32_t *target_of_morph; /* per morph of the model; -1: none */
    mmd_arena arena;          /* memory of the above */
} gltf_mesh_writer;

/* --------------------------------------------------- write_animation.c */

void gltf_write_animation(const gltf_mesh_writer *writer);

#endif
