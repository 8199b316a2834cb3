/*
 * The parts of the reader of accessories. First the file is gathered as it
 * stands (x_gather.c), then made into one model (x_build.c). Private to this module.
 */
#ifndef MMD_FORMAT_X_READER_H
#define MMD_FORMAT_X_READER_H

#include "model_reader.h"
#include "x_lexer.h"

/* What a reader gathers takes at most so many times the file's size, and MMD_MODEL_MEMORY_EXTRA. */
enum { X_SCRATCH_FACTOR = 32 };

/* Elements of any kind, grown as they come. Zero-initialise. */
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
    x_array entries; /* x_name, in the order of their coming */
    uint32_t *slots; /* entries + 1 */
    uint32_t slot_count;
} x_names;

typedef struct x_frame {
    int32_t parent;
    float matrix[16]; /* as in the file: rows, a vector stands on the left */
} x_frame;

/* A frame that names a mesh which stands elsewhere. */
typedef struct x_reference {
    int32_t frame;
    x_span name;
} x_reference;

/* Polygons: their sizes, and all their corners' indices in a row. */
typedef struct x_faces {
    uint32_t count;
    uint32_t *sizes;
    x_array corners; /* uint32_t */
} x_faces;

/* An entry of a mesh's list of materials: one in place, or the name of one. */
typedef struct x_slot {
    int32_t material; /* -1: by name */
    x_span name;
} x_slot;

/* A vertex of the model: a position with one of the normals that its corners have. */
typedef struct x_vertex {
    uint32_t position;
    uint32_t normal; /* X_COMPUTED: of the faces around */
} x_vertex;

#define X_COMPUTED UINT32_MAX
#define X_NO_MESH  UINT32_MAX

typedef struct x_mesh {
    int32_t frame; /* -1: none */
    uint32_t position_count, normal_count, uv_count, face_material_count;
    float (*positions)[3];
    float (*normals)[3];
    float (*uvs)[2];
    float (*colors)[4]; /* one a position; NULL where the mesh has none */
    x_faces faces, normal_faces;
    uint32_t *face_materials;
    x_array slots; /* x_slot */

    /* By x_weld: faces.corners then holds numbers of vertices. */
    uint32_t vertex_count;
    x_vertex *vertices;
    float (*computed)[3]; /* one a position; NULL where no vertex asks for it */
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
    x_names object_names; /* meshes by their numbers, others as X_NO_MESH */
} x_reader;

/* Zeroed memory until the end of reading; NULL after failing, or if the reader has failed. */
void *x_alloc(x_reader *reader, size_t count, size_t size);

/* A new zeroed element, or NULL. Pointers to older elements end here. */
void *x_array_add(x_reader *reader, x_array *array, size_t size);

/* The number of a name, or -1; and another name, which the first use keeps. */
int64_t x_names_find(const x_names *names, x_span name);

/* The whole file behind its header. */
void x_read_objects(x_reader *reader);

/* A white material without textures: its number in materials. */
uint32_t x_add_material(x_reader *reader, x_span name);

/* The model from all that was read. */
void x_build(x_reader *reader);

/* CP932, as a decoder of texts. */
size_t x_decode_text(const uint8_t *text, size_t size, char *out, size_t capacity);

#endif
