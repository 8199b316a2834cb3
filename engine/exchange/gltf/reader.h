/* Shared declarations of the parts that read a glTF's scene. */
#ifndef MMD_GLTF_READER_H
#define MMD_GLTF_READER_H

#include "exchange_internal.h"

/* ------------------------------------------------------------- container */

/*
 * Opens a GLB or JSON file: fills file->reader, root and buffers. The document (document->kept) owns root and
 * buffers. Checks the version and the required extensions.
 */
mmd_status gltf_open(gltf_file *file, const void *data, size_t size);

/*
 * Decodes a URI (%20 and so on) into a file name. Returns false when the URI names no file relative to this
 * one.
 */
bool gltf_file_name(const char *uri, char path[MMD_PATH_MAX]);
/* Decodes a base64 data: URI; anything else fails the reader. */
mmd_status gltf_data_uri(gltf_file *file, const json_ref *ref, const char *uri, mmd_buffer *out);

/* Returns an array of the root, or an absent value. */
mmd_status gltf_list(gltf_file *file, const char *key, json_ref *out);
/* Returns element i of a list; MMD_ERROR_VALUE when it is not an object. */
mmd_status gltf_element(gltf_file *file, const json_ref *list, size_t index, json_ref *out);

/*
 * Allocates count zeroed elements of size bytes. MMD_ERROR_LIMIT when a file of this size may not use that
 * much memory.
 */
mmd_status gltf_alloc(gltf_file *file, const json_ref *from, mmd_arena *arena, size_t count, size_t size,
                      void *out);
/* Returns the memory limit for a file of `input` bytes. */
size_t gltf_memory_limit(size_t input);

/* ---------------------------------------------------------------- scene */

/* Returns the number of elements of a checked accessor, without reading them. */
mmd_status gltf_accessor_count(gltf_file *file, const json_ref *from, int32_t index, uint32_t *count);

/* Morphs of a drawn node: the targets of its mesh. */
typedef struct gltf_node_morphs {
    uint32_t first, count;
    const float *defaults; /* rest weights, which are baked into the vertices */
} gltf_node_morphs;

/* State while nodes are turned into a model. */
typedef struct gltf_scene {
    gltf_file *file;
    mmd_model *model;
    double (*turns)[4];       /* world rotation of each node in the file's space, without scale */
    double (*local_turns)[4]; /* the same relative to the parent */
    float (*local_moves)[3], (*local_scales)[3];
    float (*largest_scales)[3]; /* largest scale that animations give a node; 0: not animated */
    const uint32_t *order;      /* nodes, parents before children */
    gltf_node_morphs *morphs;   /* per node */
    int32_t *texture_of_image;
    struct gltf_image *images; /* pictures behind document->textures */
} gltf_scene;

/* Reads the hierarchy, transforms and names of all nodes and makes one bone per node. */
mmd_status gltf_read_nodes(gltf_scene *scene);
/*
 * Returns the name of the item that a node stands for, and its length: the node's name without the suffix
 * that our writer added (gltf_name_node), also when another program renamed the node but left the suffix.
 * *name belongs to node.
 */
size_t gltf_item_name(const json_t *node, const char **name);
/* Opens the file's pictures as document->textures. */
mmd_status gltf_read_images(gltf_scene *scene);
/* The UV set that a material uses and the affine matrix (columns) applied to it. */
typedef struct gltf_uv {
    uint32_t set;
    float matrix[6];
} gltf_uv;

/* Reads material `index` (-1: the default one) as an MMD material. */
mmd_status gltf_read_material(gltf_scene *scene, int32_t index, mmd_material *material, gltf_uv *uv);
/* Converts a linear colour component to sRGB. */
float gltf_screen_color(float linear);
/* Reads the meshes of all drawn nodes into vertices, indices, materials and morphs. */
mmd_status gltf_read_meshes(gltf_scene *scene);
/* Reads all animations. */
mmd_status gltf_read_animations(gltf_scene *scene);
/* Fills scene->largest_scales from the animations. */
mmd_status gltf_measure_scales(gltf_scene *scene);
/* Marks the nodes that the first animation moves. */
void gltf_mark_animated(gltf_scene *scene);

/* Mirrors a rotation by the signs of its parent's scale. */
void gltf_mirror_rotation(const float scale[3], const double turn[4], double out[4]);
/* Multiplies two quaternions: a * b. out may be one of them. */
void gltf_rotation_multiply(const double a[4], const double b[4], double out[4]);
/* Composes a local matrix from translation, rotation and scale. */
void gltf_compose(const float move[3], const double turn[4], const float scale[3], float local[16]);
/* Multiplies two affine, column-major matrices in double precision. */
void gltf_multiply(const float a[16], const float b[16], float out[16]);
/*
 * Returns in scale the part of a world matrix that its rotation does not explain, along the node's axes; and
 * whether that has shear.
 */
bool gltf_extract_scale(const float world[16], const double turn[4], float scale[3]);

/* ------------------------------------------------------------ primitives */

/* A primitive with references to its JSON. Must not be copied. */
typedef struct gltf_primitive {
    json_ref meshes, mesh, primitives, primitive, attributes, targets;
    uint32_t mode;
    int32_t material, position, indices;
    uint32_t vertex_count, source_index_count,
        index_count; /* index_count: three per triangle, line or point */
} gltf_primitive;

/* Reads a primitive's accessors and counts, but no values. */
mmd_status gltf_open_primitive(gltf_file *file, int32_t mesh, uint32_t index, gltf_primitive *primitive);
/* Returns a primitive's indices as triangles in the file's winding. A line A-B is A B A, a point A A A. */
mmd_status gltf_primitive_indices(gltf_file *file, const gltf_primitive *primitive, uint32_t **indices);

/* One primitive of one drawn node. */
typedef struct gltf_piece {
    uint32_t node, primitive;
    uint32_t first_vertex, vertex_count, index_count;
    uint32_t group; /* group of pieces that form one material of the model */
    uint64_t work;  /* cost of reading it once: vertices, indices, joints */
    bool shared;    /* uses the vertices of the previous piece */
    bool split;     /* one vertex per index, so that flat normals can be made */
} gltf_piece;

/*
 * How vertices of a piece are transformed to their rest position. Its arrays are in the scratch arena. Must
 * not be copied.
 */
typedef struct gltf_frame {
    gltf_primitive primitive;
    uint32_t *indices;
    const float *world; /* world matrix of the node, used without a skin */
    uint32_t joint_count;
    int32_t *joints;
    float (*matrices)[16]; /* world matrix of the joint * its inverse bind matrix */
    uint32_t *vertex_joints;
    float *vertex_weights;
    float *vertex_lost; /* weight of the joints of a vertex beyond the first four; NULL: none */
    float lost;         /* largest of these weights (0 to 1) */
    bool split;
} gltf_frame;

/* Opens the indices and the skin of a piece. */
mmd_status gltf_open_frame(gltf_scene *scene, const gltf_piece *piece, gltf_frame *frame);
/*
 * Reads an attribute of `components` numbers per vertex (0: any); *values is NULL when the primitive does not
 * have it.
 */
mmd_status gltf_read_attribute(gltf_file *file, const gltf_primitive *primitive, const json_ref *of,
                               const char *name, uint32_t components, float **values, uint32_t *found);
/* Reports joints that were left out, and vertices that were bound in another pose. */
void gltf_report_skin(gltf_file *file, const gltf_frame *frame);
/* Returns the source vertex of a piece's vertex, and the matrix that moves it to its rest position. */
uint32_t gltf_frame_source(const gltf_frame *frame, uint32_t vertex);
void gltf_frame_matrix(const gltf_frame *frame, uint32_t source, float matrix[16]);
/* Sets bones and weights of a vertex of the model. */
void gltf_frame_deform(const gltf_frame *frame, uint32_t node, uint32_t source, mmd_vertices *vertices,
                       uint32_t at);

/* Reads the morph targets of all pieces. */
mmd_status gltf_read_morphs(gltf_scene *scene, const gltf_piece *pieces, uint32_t count);

#endif
