/* What the parts that read a glTF's scene share among themselves. */
#ifndef MMD_GLTF_READER_H
#define MMD_GLTF_READER_H

#include "exchange_internal.h"

/* ------------------------------------------------------------- container */

/* GLB or JSON to file->reader, root, node_count and buffers; document->kept takes both. Checks the version
 * and the extensions that are required. */
mmd_status gltf_open(gltf_file *file, const void *data, size_t size);

/* A name in the file with %20 and the like undone; false: it names no file beside this one. */
bool gltf_file_name(const char *uri, char path[MMD_PATH_MAX]);
/* The bytes of a data: URI; size 0 and false where it is none or broken. */
mmd_status gltf_data_uri(gltf_file *file, const json_ref *ref, const char *uri, mmd_buffer *out);

/* A member of the root that is an array of objects, or absent. */
mmd_status gltf_list(gltf_file *file, const char *key, json_ref *out);
/* Element i of a list: MMD_ERROR_VALUE where it is no object. */
mmd_status gltf_element(gltf_file *file, const json_ref *list, size_t index, json_ref *out);

/* count elements of size bytes, zeroed. MMD_ERROR_LIMIT where a file of this size may not have so much. */
mmd_status gltf_alloc(gltf_file *file, const json_ref *from, mmd_arena *arena, size_t count, size_t size,
                      void *out);
/* How much memory an arena of this file may hold. */
size_t gltf_memory_limit(size_t input);

/* ---------------------------------------------------------------- pieces */

/* Elements of accessor `index`, checked, without reading them. */
mmd_status gltf_accessor_count(gltf_file *file, const json_ref *from, int32_t index, uint32_t *count);

/* Morphs of a drawn node: its mesh's targets. */
typedef struct gltf_node_morphs {
    uint32_t first, count;
    const float *defaults; /* weights at rest, baked into the vertices */
} gltf_node_morphs;

/* While nodes become a model. */
typedef struct gltf_scene {
    gltf_file *file;
    mmd_model *model;
    double (*turns)[4];       /* rotation of each node in the file's space, without its scales */
    double (*local_turns)[4]; /* of a node in its parent */
    float (*local_moves)[3], (*local_scales)[3];
    float (*largest_scales)[3]; /* that animations give a node; 0: none does */
    const uint32_t *order;      /* nodes, parents before children */
    gltf_node_morphs *morphs;   /* a node */
    int32_t *texture_of_image;
    struct gltf_image *images; /* what document->textures reads */
} gltf_scene;

mmd_status gltf_read_nodes(gltf_scene *scene);
/*
 * The name of what a node stands for, and its length: without the ending that
 * our writer gave it (gltf_name_node), also where another program renamed it
 * and left that. Belongs to node.
 */
size_t gltf_item_name(const json_t *node, const char **name);
mmd_status gltf_read_images(gltf_scene *scene);
/* Which of a primitive's UVs a material takes, and how: columns of an affine matrix. */
typedef struct gltf_uv {
    uint32_t set;
    float matrix[6];
} gltf_uv;

/* Makes material `index` (-1: the default one) as MMD says it. */
mmd_status gltf_read_material(gltf_scene *scene, int32_t index, mmd_material *material, gltf_uv *uv);
/* A linear part of a colour as it is on the screen. */
float gltf_screen_color(float linear);
mmd_status gltf_read_meshes(gltf_scene *scene);
mmd_status gltf_read_animations(gltf_scene *scene);
/* Fills scene->largest_scales. */
mmd_status gltf_measure_scales(gltf_scene *scene);
/* Which nodes the first animation moves. */
void gltf_mark_animated(gltf_scene *scene);

/* A quaternion in the file's space turned as its parent's mirrors say. */
void gltf_mirror_rotation(const float scale[3], const double turn[4], double out[4]);
void gltf_rotation_multiply(const double a[4], const double b[4], double out[4]);
/* A local matrix of translation, rotation and scale. */
void gltf_compose(const float move[3], const double turn[4], const float scale[3], float local[16]);
/* Column-major a * b, both affine, in double. */
void gltf_multiply(const float a[16], const float b[16], float out[16]);
/* What the rotation leaves of a world matrix: a scale along the node's axes; whether that is sheared. */
bool gltf_extract_scale(const float world[16], const double turn[4], float scale[3]);

/* ------------------------------------------------------------ primitives */

/* A primitive and the way to it; not to be copied. */
typedef struct gltf_primitive {
    json_ref meshes, mesh, primitives, primitive, attributes, targets;
    uint32_t mode;
    int32_t material, position, indices;
    uint32_t vertex_count, source_index_count, index_count; /* index_count: three a triangle, line or point */
} gltf_primitive;

mmd_status gltf_open_primitive(gltf_file *file, int32_t mesh, uint32_t index, gltf_primitive *primitive);
/* Three indices each: triangles as the file winds them; lines A B A, points A A A. */
mmd_status gltf_primitive_indices(gltf_file *file, const gltf_primitive *primitive, uint32_t **indices);

/* A primitive of a drawn node. */
typedef struct gltf_piece {
    uint32_t node, primitive;
    uint32_t first_vertex, vertex_count, index_count;
    uint32_t group; /* of pieces that are one material of the model */
    uint64_t work;  /* what it takes to read it once: vertices, indices, joints */
    bool shared;    /* has the vertices of the piece before it */
    bool split;     /* a vertex an index: flat normals are made for it */
} gltf_piece;

/* How vertices of a piece come to rest in the model. Not to be copied; its arrays are in the scratch arena.
 */
typedef struct gltf_frame {
    gltf_primitive primitive;
    uint32_t *indices;
    const float *world; /* of the node; for those without a skin */
    uint32_t joint_count;
    int32_t *joints;
    float (*matrices)[16]; /* joint's world * inverse bind matrix */
    uint32_t *vertex_joints;
    float *vertex_weights;
    float *vertex_lost; /* what other joints of a vertex weigh; NULL: there are none */
    float lost;         /* the most of that, of 1 */
    bool split;
} gltf_frame;

mmd_status gltf_open_frame(gltf_scene *scene, const gltf_piece *piece, gltf_frame *frame);
/* An attribute of `components` numbers (0: any) a vertex; *values is NULL where the primitive has none. */
mmd_status gltf_read_attribute(gltf_file *file, const gltf_primitive *primitive, const json_ref *of,
                               const char *name, uint32_t components, float **values, uint32_t *found);
/* Tells of joints that were left out, and of vertices that were bound in another pose. */
void gltf_report_skin(gltf_file *file, const gltf_frame *frame);
/* Source vertex of a piece's vertex, and the matrix that brings it to rest. */
uint32_t gltf_frame_source(const gltf_frame *frame, uint32_t vertex);
void gltf_frame_matrix(const gltf_frame *frame, uint32_t source, float matrix[16]);
/* Bones and weights of a vertex. */
void gltf_frame_deform(const gltf_frame *frame, uint32_t node, uint32_t source, mmd_vertices *vertices,
                       uint32_t at);

mmd_status gltf_read_morphs(gltf_scene *scene, const gltf_piece *pieces, uint32_t count);

#endif
