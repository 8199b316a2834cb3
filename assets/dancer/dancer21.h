/*
 * The second file: the dancer with features of PMX 2.1, which MMD itself cannot read. dancer21.c lists them.
 */
#ifndef DANCER21_H
#define DANCER21_H

#include "dancer.h"

/* Changes a model that dancer_model has just made, and the dancer with it. Write the first file before. */
void dancer21_model(dancer *d, mmd_model *model);

/* --- for its implementation --- */

/* Limits of what is added. */
enum { DANCER21_VERTICES = 1500, DANCER21_INDICES = 9000, DANCER21_MATERIALS = 8, DANCER21_MORPHS = 8 };

typedef struct dancer21 {
    dancer *d;
    mmd_model *model;
    uint32_t vertices, indices, materials, morphs; /* numbers of items before anything was added */
} dancer21;

typedef struct dancer21_vertex {
    vec3 position, normal;
    vec2 uv;
    vec4 color; /* additional UV 1 */
    int32_t bone;
} dancer21_vertex;

/* Returns its index. */
uint32_t dancer21_add_vertex(dancer21 *b, const dancer21_vertex *v);
void dancer21_add_triangle(dancer21 *b, uint32_t i, uint32_t j, uint32_t k);
/* Adds a material; triangles that are added next belong to it. Returns its index. The pointer is valid until
 * the next call. */
int32_t dancer21_add_material(dancer21 *b, const mmd_material *material);
void dancer21_add_morph(dancer21 *b, const mmd_morph *morph);

/* The ornament that hangs from the obi: a point of its cord for t from 0 to 1. Its bones are in
 * dancer21_parts.c. */
vec3 dancer21_cord(float t);
#define DANCER21_BEAD_AT 0.62f /* t of the bead */
void dancer21_rig(dancer21 *b);
/* Adds sparks, cord, bell and scarf. Returns the scarf's material and its first vertex. */
int32_t dancer21_surfaces(dancer21 *b, uint32_t *scarf);
/* The scarf's vertices: rows along it from her right to her left, each with points across it. */
enum { DANCER21_SCARF_ROWS = 33, DANCER21_SCARF_ACROSS = 5 };

/* Adds joints of all kinds, and the scarf as a soft body (dancer21_physics.c). */
void dancer21_physics(dancer21 *b, int32_t scarf_material, uint32_t scarf);

#endif
