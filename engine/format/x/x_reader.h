/*
 * The parts of the reader of accessories. First the file is gathered as it
 * stands (x_objects.c, x_mesh.c, x_declared.c, x_material.c), then made into one
 * model (x_place.c, x_weld.c, x_build.c). Private to this module.
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
void x_names_add(x_reader *reader, x_names *names, x_span name, uint32_t value);

/*
 * What an object holds behind its own numbers: objects of these types are
 * read, others skipped. read gets the name (or nothing) and stands behind the
 * opening brace; it takes the closing one. reference, which may be NULL, gets
 * the name in a pair of braces. Returns behind the object's closing brace.
 */
typedef struct x_rule {
    const char *type;
    void (*read)(x_reader *reader, void *object, x_span name);
} x_rule;

typedef struct x_rules {
    const x_rule *rules;
    size_t count;
    void (*reference)(x_reader *reader, void *object, x_span name);
} x_rules;

void x_read_members(x_reader *reader, const x_rules *rules, void *object);

/* Behind a type: the object's name, if it has one, and its opening brace. */
x_span x_object_name(x_reader *reader);

/* The whole file behind its header. */
void x_read_objects(x_reader *reader);

/* Behind the brace of a Mesh. */
void x_read_mesh(x_reader *reader, int32_t frame);

/* Behind the brace of a mesh's DeclData or FVFData: normals, texture coordinates and colours, one a position,
 * where the mesh has no lists of its own for them. */
void x_read_declared(x_reader *reader, void *mesh, x_span name);
void x_read_fvf(x_reader *reader, void *mesh, x_span name);

/* Makes every position white. False: out of memory. */
bool x_white_colors(x_reader *reader, x_mesh *mesh);

/* A white material without textures: its number in materials. */
uint32_t x_add_material(x_reader *reader, x_span name);

/* Behind the brace of a Material: its number in materials. */
uint32_t x_read_material(x_reader *reader, x_span name);

/* Puts meshes where their frames are, and once more wherever a frame names them. */
void x_place_meshes(x_reader *reader);

/* Vertices of the model from a mesh's corners; its normals, where they are missing. */
void x_weld(x_reader *reader, x_mesh *mesh);

/* The model from all that was read. */
void x_build(x_reader *reader);

/* The text of a file that is compressed, with its header, from mmd_alloc. NULL: *error has why. */
uint8_t *x_inflate(const uint8_t *data, size_t size, size_t *result_size, mmd_error *error);

/* CP932, as a decoder of texts. */
size_t x_decode_text(const uint8_t *text, size_t size, char *out, size_t capacity);

#endif
