/* What the parts that write a model's mesh share. */
#ifndef MMD_EXCHANGE_GLTF_WRITE_MESH_H
#define MMD_EXCHANGE_GLTF_WRITE_MESH_H

#include "writer.h"

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

/* Zeroed memory of the writer's; NULL fails the builder. */
void *gltf_mesh_alloc(gltf_mesh_writer *writer, size_t count, size_t size);

/* ------------------------------------------------------ write_deform.c */

/* JOINTS_0 and WEIGHTS_0 of a piece's vertices. */
void gltf_write_weights(gltf_mesh_writer *writer, const gltf_mesh_piece *piece);
/* The skin of all bones: its number. */
int32_t gltf_write_skin(gltf_mesh_writer *writer);

/* Targets of all primitives, and their names in the mesh's extras; fills target_of_morph. */
void gltf_write_morphs(gltf_mesh_writer *writer, json_t *mesh);

/* --------------------------------------------------- write_animation.c */

void gltf_write_animation(const gltf_mesh_writer *writer);

#endif
