/*
 * What the parts that write a glTF share.
 *
 * A new file (layout.c): node i is bone i, so that bones keep their
 * numbers; then a node over all of them with the model's name; then the
 * bodies that are no bones, in the scene's order; then what physics needs
 * (shapes, attachments). A body of a PMX has a node of its own whose frame is
 * the body's: kinematic ones below their bone's node, dynamic ones between the
 * bone and its parent, so that the bone, and the skin with it, goes where
 * physics takes the body (the first dynamic one of a bone; further ones stand
 * beside it). Bodies that are bones already (Ragdoll) are the bone's node.
 *
 * No node of a body is below another's, which other programs would take for
 * one body or not joint. Where bones of bodies form a chain, all their nodes
 * are where the first one's is, and extras.mmd.carriedBy names the node that
 * each would be below: readers of ours hang the bones together again.
 *
 * No two nodes have the same name: those of bodies, joints and shapes end in
 * " (body)" and so on, and what comes twice is counted. Where that changes a
 * name, extras.mmd has {"nodeName": as written, "itemName": as it was}.
 *
 * A file that was a glTF already (layout.c, too): its document goes on,
 * with its buffers; physics is taken out of it and written anew in the other
 * dialect.
 *
 * Everything is in MMD's space until it becomes JSON: metres, right-handed.
 */
#ifndef MMD_EXCHANGE_GLTF_WRITER_H
#define MMD_EXCHANGE_GLTF_WRITER_H

#include "exchange_internal.h"

enum { GLTF_FLOAT = 5126, GLTF_U8 = 5121, GLTF_U16 = 5123, GLTF_U32 = 5125 };
enum { GLTF_ARRAY_BUFFER = 34962, GLTF_ELEMENT_BUFFER = 34963 };

/* A glTF while it is written. After a failure everything does nothing and gives 0 or NULL. */
typedef struct gltf_builder {
    const write_job *job;
    const mmd_exchange *base; /* the glTF that goes on: the input's, or one that it keeps; NULL: a new file */
    mmd_exchange *read;       /* base where it was kept: read for this */
    json_t *root;
    mmd_buffer bytes; /* of the buffer that is written now */
    uint32_t buffer;  /* its number: behind those of the document that goes on */
    uint32_t node_count, node_room;
    struct gltf_transform *transforms; /* of nodes, on the heap */
    int32_t *node_of_bone;             /* as many as the model has bones */
    int32_t *node_of_body;             /* and the scene bodies; -1: none */
    int32_t *node_of_joint;            /* filled by the physics writer */
    json_t *names;                     /* of nodes: how often each was asked for; made at the first use */
    bool failed;                       /* out of memory */
} gltf_builder;

/* Where a node is, to the bit as a reader will find it: column-major in the file's space. */
typedef struct gltf_transform {
    int32_t parent;
    float world[16];
    double turn[4]; /* its rotation; world = turn * scale */
    float scale[3];
} gltf_transform;

/* ---------------------------------------------------------- builder.c */

/* Each takes over what it is given; NULL values fail the builder. */
void gltf_put(gltf_builder *builder, json_t *object, const char *key, json_t *value);
/* Appends to an array member of the root ("meshes"), made where there is none; its index. */
int32_t gltf_append(gltf_builder *builder, const char *list, json_t *value);
/* Member `name` of object, an object, made where there is none; belongs to object. */
json_t *gltf_object(gltf_builder *builder, json_t *object, const char *name);
/* object.extensions[name], made where there is none; the root's extensionsUsed gets the name. */
json_t *gltf_extension(gltf_builder *builder, json_t *object, const char *name);
json_t *gltf_node_json(gltf_builder *builder, int32_t node);
/* A node without a place, for those whose parents have higher numbers; gltf_set_node must follow. */
int32_t gltf_new_node(gltf_builder *builder);
/*
 * Gives a node a name that no other has, "hair (body)" or "hair (body 2)" for
 * kind "body" and "hair" or "hair (2)" for NULL, and the record that leads back
 * to "hair". Without a name it gets none.
 */
void gltf_name_node(gltf_builder *builder, int32_t node, const char *name, const char *kind);
/*
 * Puts a node at a place in the world (rigid, MMD's space), below parent (-1:
 * in the scene), which has its own place by then. Translation and rotation are
 * left out where they say nothing. A parent's scale is taken out: by the
 * node's own where it is the same along all axes, else by a node between.
 */
void gltf_set_node(gltf_builder *builder, int32_t node, int32_t parent, const mmd_transform *world);
/* All three: a new node's number. */
int32_t gltf_add_node(gltf_builder *builder, const char *name, const char *kind, int32_t parent,
                      const mmd_transform *world);
/* A node's place without scale, in MMD's space; scale gets what was taken out (may be NULL). */
void gltf_find_transform(const gltf_builder *builder, int32_t node, mmd_transform *transform, float scale[3]);
/* Bytes as a view, four-byte aligned; target 0: none. */
int32_t gltf_add_view(gltf_builder *builder, const void *data, size_t size, int target);
/*
 * An accessor over values, count elements of "SCALAR", "VEC3", …: floats with
 * their min and max where bounds is given; unsigned integers in the smallest
 * type that holds them (at least `least`: GLTF_U8, GLTF_U16).
 */
int32_t gltf_add_floats(gltf_builder *builder, const float *values, uint32_t count, const char *type,
                        int target, bool bounds);
int32_t gltf_add_integers(gltf_builder *builder, const uint32_t *values, uint32_t count, const char *type,
                          int target, int least);
/* Few values that differ from zero: rows (ascending) of VEC3, as a sparse accessor of count elements with
 * bounds. */
int32_t gltf_add_sparse(gltf_builder *builder, uint32_t count, const uint32_t *rows, const float (*values)[3],
                        uint32_t row_count);
/* A mesh of points (a hull: triangles of it) or triangles, in MMD's space, for colliders. Not drawn by
 * itself. */
int32_t gltf_add_shape_mesh(gltf_builder *builder, const mmd_phys_mesh *mesh, const char *name);
/* A loss of writing; only in the second pass (job->second_pass). path is "body 3 (name)" and the like. */
void gltf_loss(gltf_builder *builder, mmd_loss_severity severity, const char *code, const char *kind,
               uint32_t item, const char *name, const char *field, const char *source, const char *emitted);
/* One for many of a kind: path "materials", field "toon", source their number. */
void gltf_count_loss(gltf_builder *builder, mmd_loss_severity severity, const char *code, const char *path,
                     const char *field, uint32_t count);

/* ------------------------------------------------------------ write.c */

/* A file of the output. */
void gltf_put_file(gltf_builder *builder, const char *name, const void *data, size_t size);
/* object.uri: a file's name, as URIs say it. */
void gltf_put_uri(gltf_builder *builder, json_t *object, const char *name);
/*
 * Puts root and bytes out as options->binary says; buffers and pictures of
 * base come along. The main file is the output's first, made where there is
 * none. Also for a document as it is: job, base, root (a copy of base's) and
 * buffer (base's number of them), the rest zero.
 */
mmd_status gltf_put_out(gltf_builder *builder, mmd_error *error);

/* ------------------------------------------------------------------ parts */

/* asset, scene, nodes, the maps of nodes; or the document that goes on. */
void gltf_write_layout(gltf_builder *builder);
/* Mesh, skin, materials, pictures, morph targets, animation of a model that was no glTF. */
void gltf_write_model(gltf_builder *builder);
void gltf_write_materials(gltf_builder *builder, int32_t *material_of); /* one a material of the model */
/* A picture's name in the file: its file's without ending and what systems of files do not like, cut between
 * characters. */
enum { GLTF_NAME_BYTES = 96 };
void gltf_plain_name(const char *path, char name[GLTF_NAME_BYTES]);
/* A linear part of a colour out of what the screen shows. */
float gltf_linear_color(float screen);
/* Takes the physics of any dialect out of a document: extensions, and what extensionsUsed says of them. */
void gltf_strip_physics(gltf_builder *builder);
/* Physics in the dialect, onto node_of_body; fills node_of_joint. Per node extras.mmd: the PMX record. */
void gltf_write_physics(gltf_builder *builder, mmd_dialect dialect);

/* What is drawn of a material: one primitive, with vertices of its own. */
typedef struct gltf_mesh_piece {
    uint32_t material, vertex_count;
    uint32_t *vertices; /* of the model, ascending */
    json_t *primitive;  /* belongs to the mesh */
} gltf_mesh_piece;

typedef struct gltf_mesh_writer {
    gltf_builder *builder;
    const mmd_model *model;
    uint32_t piece_count;
    gltf_mesh_piece *pieces;
    int32_t node; /* of the mesh */
    uint32_t target_count;
    int32_t *target_of_morph; /* -1: none */
    mmd_arena arena;          /* of the above */
} gltf_mesh_writer;

/* --------------------------------------------------- write_animation.c */

void gltf_write_animation(const gltf_mesh_writer *writer);

#endif
