/* Parts of the reader of accessories. First the file's objects are collected (x_gather.c), then they are
 * converted to one model (x_build.c). Private to this module. */
#ifndef MMD_FORMAT_X_READER_H
#define MMD_FORMAT_X_READER_H

#include "model_reader.h"
#include "x_lexer.h"

/* Limit of memory for collected objects: this many times the file's size, plus MMD_MODEL_MEMORY_EXTRA. */
enum { X_SCRATCH_FACTOR = 32 };

/* A growing array of elements of any type. Zero-initialise. */
typedef struct x_array {
    void *items;
    uint32_t count, capacity;
} x_array;

/* Numbers by name: a hash table (FNV-1a, linear probing), so that no file takes quadratic time. */
typedef struct x_name {
    x_span name;
    uint32_t value;
} x_name;

typedef struct x_names {
    x_array entries; /* x_name, in order of appearance */
    uint32_t *slots; /* 1 + index of the entry */
    uint32_t slot_count;
} x_names;

typedef struct x_frame {
    int32_t parent;
    float matrix[16]; /* as in the file: row-major, for row vectors */
} x_frame;

/* A frame that refers to a mesh defined elsewhere. */
typedef struct x_reference {
    int32_t frame;
    x_span name;
} x_reference;

/* Polygons: their sizes, and the indices of all their corners. */
typedef struct x_faces {
    uint32_t count;
    uint32_t *sizes;
    x_array corners; /* uint32_t */
} x_faces;

/* An entry of a mesh's material list: a material defined in place, or the name of one. */
typedef struct x_slot {
    int32_t material; /* -1: by name */
    x_span name;
} x_slot;

/* A vertex of the model: a position with one of the normals that its corners have. */
typedef struct x_vertex {
    uint32_t position;
    uint32_t normal; /* X_COMPUTED: computed from the surrounding faces */
} x_vertex;

#define X_COMPUTED UINT32_MAX
#define X_NO_MESH  UINT32_MAX

typedef struct x_mesh {
    int32_t frame; /* -1 for none */
    uint32_t position_count, normal_count, uv_count, face_material_count;
    float (*positions)[3];
    float (*normals)[3];
    float (*uvs)[2];
    float (*colors)[4]; /* one per position; NULL if the mesh has none */
    x_faces faces, normal_faces;
    uint32_t *face_materials;
    x_array slots; /* x_slot */

    /* Set by x_weld. faces.corners then holds vertex indices. */
    uint32_t vertex_count;
    x_vertex *vertices;
    float (*computed)[3]; /* one per position; NULL if no vertex needs it */
} x_mesh;

typedef struct x_reader {
    model_reader base;
    mmd_arena scratch;
    x_lexer lexer;
    x_array frames;     /* x_frame, parents first */
    x_array meshes;     /* x_mesh */
    x_array materials;  /* mmd_material */
    x_array references; /* x_reference */
    x_names material_names, texture_names;
    x_names object_names; /* meshes by their index, other objects as X_NO_MESH */
} x_reader;

/*
 * Allocates zeroed memory until the end of reading. NULL after failing, or if the reader has failed before.
 */
void *x_alloc(x_reader *reader, size_t count, size_t size);

/* Adds a zeroed element. Returns NULL on failure. Pointers to older elements become invalid. */
void *x_array_add(x_reader *reader, x_array *array, size_t size);

/* Return the number of a name, or -1, and add a name; the first number of a name is kept. */
int64_t x_names_find(const x_names *names, x_span name);

/* Reads everything after the header. */
void x_read_objects(x_reader *reader);

/* Adds a white material without textures. Returns its index in materials. */
uint32_t x_add_material(x_reader *reader, x_span name);

/* Builds the model from everything that was read. */
void x_build(x_reader *reader);

/* Decodes CP932 texts. */
size_t x_decode_text(const uint8_t *text, size_t size, char *out, size_t capacity);

#endif
