/*
 * The dancer as she grows: bones first, then every part's surface, then what
 * refers to them (morphs, bodies, joints), then the PMX.
 */
#ifndef DANCER_H
#define DANCER_H

#include "mesh/cage.h"
#include "mmd/model.h"
#include "rig/rig.h"

/* A vertex as it will be in the file. */
typedef struct dancer_vertex {
    vec3s position, normal;
    vec2s uv;
    float extra_uv[4]; /* additional UV 1 */
    float edge;
    int32_t bone[4];
    float weight[4];
    uint8_t material;
} dancer_vertex;

typedef struct dancer_offset { /* of a vertex or UV morph */
    uint8_t morph;
    uint32_t vertex;
    float offset[4];
} dancer_offset;

typedef struct dancer {
    mmd_arena arena;
    rig rig;
    dancer_vertex *vertices;
    uint32_t vertex_count, vertex_capacity;
    uint32_t *triangles[MATERIAL_COUNT]; /* vertex numbers */
    uint32_t triangle_count[MATERIAL_COUNT], triangle_capacity[MATERIAL_COUNT];
    dancer_offset *offsets;
    uint32_t offset_count, offset_capacity;
    mmd_rigid_body *bodies;
    uint32_t body_count, body_capacity;
    mmd_joint *joints;
    uint32_t joint_count, joint_capacity;
} dancer;

/* Vertices of one surface: count from first. */
typedef struct dancer_range {
    uint32_t first, count;
} dancer_range;

/* Adds a (subdivided, closed) cage: vertices are split where UV or material change, normals are not. Ends the
 * program, naming the part, where the surface is open or a point has no weights. */
dancer_range dancer_add(dancer *d, const char *part, cage *c);

/* Adds an offset by hand: what UV morphs add to a vertex's UV. */
void dancer_offset_add(dancer *d, morph_id morph, uint32_t vertex, const float offset[4]);

/* Collision groups of bodies. */
enum { GROUP_BODY, GROUP_HAIR, GROUP_SKIRT, GROUP_BOW, GROUP_ARM };

/* PMX's shapes of bodies, and what moves them: the bone; the simulation; the same, at the bone's place. */
enum { BODY_SPHERE, BODY_BOX, BODY_CAPSULE };
enum { BODY_FOLLOWS, BODY_SWINGS, BODY_TURNS };

/* PMX's angles (R = Ry Rx Rz) of a body whose Y is turned to a unit vector, about Z first, then about X. */
vec3s dancer_upright(vec3s up);

/* Adds a body (group and mask included) and gives its number; a joint between two. */
int32_t dancer_body(dancer *d, const mmd_rigid_body *body);
void dancer_joint(dancer *d, const mmd_joint *joint);

/* All parts. Frees nothing of what was in *d before. */
void dancer_make(dancer *d);
void dancer_finish(dancer *d);

/* Everything into a model of PMX 2.0, whose arrays lie in the dancer's arena: it lives as long as she does.
 * Call once. */
void dancer_model(dancer *d, mmd_model *model);

/* The parts. Bones first: */
void hair_rig(rig *r);
void skirt_rig(rig *r);
void bow_rig(rig *r);
/* surfaces: */
void head_add(dancer *d); /* face, skull, ears, eyes, mouth, brows, and the neck down into the collar */
void body_add(dancer *d); /* top with sleeves, arms, hands, shorts, legs, socks, boots */
void hair_add(dancer *d);
void skirt_add(dancer *d); /* with the obi */
void bow_add(dancer *d);
/* bodies and joints: */
void body_physics(dancer *d);
void hair_physics(dancer *d);
void skirt_physics(dancer *d);
void bow_physics(dancer *d);

#endif
