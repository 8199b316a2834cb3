/*
 * The figure: a small dancer made of formulas in a moment, with everything a
 * drawn and moved model needs. What tests load, move and draw; below, its
 * parts: shapes, mesh, skeleton, face, dance.
 */
#ifndef ODORI_TEST_FIGURE_H
#define ODORI_TEST_FIGURE_H

#include "mmd/cursor.h"
#include "mmd/model.h"
#include "mmd/motion.h"

/* Shapes below are in units of their own; the model is this much larger. */
#define FIGURE_SCALE 1.15f

/* Bones. Of a pair the right one follows the left one. */
enum figure_bone {
    BONE_ROOT,
    BONE_CENTER,
    BONE_UPPER,
    BONE_UPPER2,
    BONE_NECK,
    BONE_HEAD,
    BONE_LOWER,
    BONE_SHOULDER,
    BONE_ARM = BONE_SHOULDER + 2,
    BONE_ELBOW = BONE_ARM + 2,
    BONE_WRIST = BONE_ELBOW + 2,
    BONE_LEG = BONE_WRIST + 2,
    BONE_KNEE = BONE_LEG + 2,
    BONE_ANKLE = BONE_KNEE + 2,
    BONE_TOE = BONE_ANKLE + 2,
    BONE_LEG_IK = BONE_TOE + 2,
    BONE_TOE_IK = BONE_LEG_IK + 2,
    BONE_TAIL1 = BONE_TOE_IK + 2, /* hair */
    BONE_TAIL2 = BONE_TAIL1 + 2,
    BONE_TAIL3 = BONE_TAIL2 + 2,
    BONE_COUNT = BONE_TAIL3 + 2
};

/* Where a bone is, and what it is called. */
void figure_bone_position(int bone, float position[3]);
void figure_bone_name(int bone, char *name, size_t capacity);

/* All bones into the model's arena; false: out of memory. */
bool figure_make_bones(mmd_model *model, mmd_arena *arena);

enum figure_morph { MORPH_BLINK, MORPH_SMILE, MORPH_OPEN, MORPH_COUNT };
extern const char *const figure_morph_names[MORPH_COUNT];

typedef struct figure_weights {
    int32_t bone[4];
    float weight[4];
} figure_weights;

typedef struct figure_vertex {
    float position[3], normal[3], uv[2];
    figure_weights weights;
    float edge;
    float morph[MORPH_COUNT][3];
} figure_vertex;

/* A mesh that grows. Without memory it stays as it is and remembers that. */
typedef struct figure_mesh {
    figure_vertex *vertices;
    uint32_t vertex_count, vertex_capacity;
    uint32_t *indices;
    uint32_t index_count, index_capacity;
    bool failed;
} figure_mesh;

void figure_mesh_finish(figure_mesh *mesh);
uint32_t figure_mesh_vertex(figure_mesh *mesh, const figure_vertex *vertex); /* its index */
/* A triangle whose front is where the vertices' normals point. */
void figure_mesh_triangle(figure_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
void figure_mesh_quad(figure_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d); /* in a circle */

/*
 * A shape: a function that is negative inside, about a distance near the
 * surface. side is 1 for the left or the only one, -1 for its mirror image.
 */
typedef struct figure_shape {
    float (*distance)(const float p[3]);
    void (*weigh)(const float p[3], int right,
                  figure_weights *weights); /* p on the left side; right 0 or 1 */
    float min[3], max[3];                   /* a box around it, on the left side */
    float cell;
    bool paired;
} figure_shape;

/* Adds the surface of a shape to the mesh, smooth, with normals and weights; UV: angle about Y, height in the
 * box. */
void figure_add_surface(figure_mesh *mesh, const figure_shape *shape);

/* The parts of the body, one material each. */
typedef struct figure_part {
    const char *name, *name_en;
    float color[3];
    const char *texture; /* NULL: none */
    uint8_t toon;        /* shared toon */
    float edge;          /* 0: none */
    const figure_shape *shapes;
    size_t shape_count;
    void (*add)(figure_mesh *mesh); /* what is no shape: the face; NULL for shapes */
} figure_part;
extern const figure_part figure_parts[];
extern const size_t figure_part_count;

float figure_head_distance(const float p[3]);
void figure_add_blush(figure_mesh *mesh);
void figure_add_eyes(figure_mesh *mesh);
void figure_add_lines(figure_mesh *mesh);
void figure_add_mouth(figure_mesh *mesh);

/* PNG files of the textures, by name. */
enum { FIGURE_TEXTURES = 4 };
extern const char *const figure_texture_names[FIGURE_TEXTURES];
bool figure_make_texture(int texture, mmd_buffer *png);

/* The model as PMX bytes. False: out of memory. */
bool figure_make_model(mmd_buffer *pmx);

/* The dance as VMD bytes. False: out of memory. */
bool figure_make_dance(mmd_buffer *vmd);

static inline float figure_clamp(float x)
{
    return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

/* 0 below from, 1 above to, smooth between. */
static inline float figure_step(float from, float to, float x)
{
    float t = figure_clamp((x - from) / (to - from));
    return t * t * (3.0f - 2.0f * t);
}

#endif
