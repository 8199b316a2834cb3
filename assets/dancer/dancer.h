/* The dancer while she is built: first bones, then the surface of every part, then what refers to them
 * (morphs, bodies, joints), and finally the PMX model. */
#ifndef DANCER_H
#define DANCER_H

#include "mesh/cage.h"
#include "mmd/model.h"
#include "rig/rig.h"

/* A vertex as it is written to the file. */
typedef struct dancer_vertex {
    vec3 position, normal;
    vec2 uv;
    float extra_uv[4]; /* additional UV 1 */
    float edge;
    int32_t bone[4];
    float weight[4];
    uint8_t material;
} dancer_vertex;

typedef struct dancer_offset { /* an offset of a vertex or UV morph */
    uint8_t morph;
    uint32_t vertex;
    float offset[4];
} dancer_offset;

typedef struct dancer {
    mmd_arena arena;
    rig rig;
    dancer_vertex *vertices;
    uint32_t vertex_count, vertex_capacity;
    uint32_t *triangles[MATERIAL_COUNT]; /* vertex indices, by material */
    uint32_t triangle_count[MATERIAL_COUNT], triangle_capacity[MATERIAL_COUNT];
    dancer_offset *offsets;
    uint32_t offset_count, offset_capacity;
    mmd_rigid_body *bodies;
    uint32_t body_count, body_capacity;
    mmd_joint *joints;
    uint32_t joint_count, joint_capacity;
} dancer;

/* The vertices of one surface: `count` vertices from `first` on. */
typedef struct dancer_range {
    uint32_t first, count;
} dancer_range;

/* Adds a subdivided, closed cage. Vertices are split where UV or material change; normals are not. Ends the
 * program, naming the part, if the surface is open or a point has no weights. */
dancer_range dancer_add(dancer *d, const char *part, cage *c);

/* Adds a single offset: what a UV morph adds to a vertex's UV. */
void dancer_offset_add(dancer *d, morph_id morph, uint32_t vertex, const float offset[4]);

/* Collision groups of rigid bodies. */
enum { GROUP_BODY, GROUP_HAIR, GROUP_SKIRT, GROUP_BOW, GROUP_ARM };

/* PMX's shapes of rigid bodies, and their modes: follow the bone; simulated; simulated at the bone's
 * position. */
enum { BODY_SPHERE, BODY_BOX, BODY_CAPSULE };
enum { BODY_FOLLOWS, BODY_SWINGS, BODY_TURNS };

/* Returns PMX's angles (R = Ry Rx Rz) that rotate a body's Y axis to a unit vector, about Z first, then about
 * X. */
vec3 dancer_upright(vec3 up);

/* Add a rigid body, including group and mask, and return its index; and a joint. */
int32_t dancer_body(dancer *d, const mmd_rigid_body *body);
void dancer_joint(dancer *d, const mmd_joint *joint);

/* Builds all parts. Does not free what *d held before. */
void dancer_make(dancer *d);
void dancer_finish(dancer *d);

/* Builds a PMX 2.0 model. Its arrays are in the dancer's arena, so it lives as long as she does. Call it
 * once. */
void dancer_model(dancer *d, mmd_model *model);

/* The parts. Bones: */
void hair_rig(rig *r);
void skirt_rig(rig *r);
void bow_rig(rig *r);
/* Surfaces: */
void head_add(dancer *d); /* face, skull, ears, eyes, mouth, brows, and the neck down to the collar */
void body_add(dancer *d); /* top with sleeves, arms, hands, shorts, legs, socks, boots */
void hair_add(dancer *d);
void skirt_add(dancer *d); /* including the obi */
void bow_add(dancer *d);
/* Bodies and joints: */
void body_physics(dancer *d);
void hair_physics(dancer *d);
void skirt_physics(dancer *d);
void bow_physics(dancer *d);

#endif
