/* What the three parts that make vertices of a glTF's meshes share. */
#ifndef MMD_GLTF_MESH_H
#define MMD_GLTF_MESH_H

#include "reader.h"

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
mmd_status gltf_read_attribute(gltf_file *file, const gltf_primitive *primitive, const json_spot *of,
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
