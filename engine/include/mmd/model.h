/*
 * The immutable model: the contents of a PMX or PMD file in PMX's terms, as plain data in structures of
 * arrays, plus values derived from it once.
 *
 * Space: MMD's (left-handed, Y up, +Z into the screen), radians. Texts are UTF-8 in the engine's form
 * (mmd/text.h), never NULL. An index of -1 means none. Readers check every index: in a model that came from a
 * reader, all indices are -1 or valid unless a comment says otherwise.
 *
 * A program that creates a model (a generator or importer) fills the struct with pointers to its own arrays.
 * It passes the struct to mmd_pmx_write, or calls mmd_model_prepare to use it like a loaded model.
 */
#ifndef MMD_MODEL_H
#define MMD_MODEL_H

#include "mmd/memory.h"
#include "mmd/physscene.h"
#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_deform {
    MMD_DEFORM_BDEF1 = 0,
    MMD_DEFORM_BDEF2 = 1,
    MMD_DEFORM_BDEF4 = 2,
    MMD_DEFORM_SDEF = 3,
    MMD_DEFORM_QDEF = 4
} mmd_deform;

/* Parameters of one SDEF vertex, as in the file. */
typedef struct mmd_sdef {
    float c[3], r0[3], r1[3];
} mmd_sdef;

/*
 * Vertices: one array of `count` elements per attribute. Unused bone slots are -1 with weight 0. BDEF2 and
 * SDEF store w0 as in the file and w1 = 1 - w0. BDEF4 and QDEF store the four weights as in the file (their
 * sum may differ from 1).
 */
typedef struct mmd_vertices {
    uint32_t count;
    uint32_t additional_uv_count; /* 0..4 */
    float (*position)[3];
    float (*normal)[3];
    float (*uv)[2];               /* origin top left */
    float (*additional_uv[4])[4]; /* NULL beyond additional_uv_count */
    uint8_t *deform;              /* mmd_deform */
    int32_t (*bone)[4];
    float (*weight)[4];
    float *edge_scale;
    int32_t *sdef_index; /* index into sdef, -1 for other deforms; NULL if sdef_count is 0 */
    mmd_sdef *sdef;
    uint32_t sdef_count;
} mmd_vertices;

enum mmd_material_flag {
    MMD_MATERIAL_TWO_SIDED = 0x01,
    MMD_MATERIAL_GROUND_SHADOW = 0x02,
    MMD_MATERIAL_CASTS_SHADOW = 0x04,
    MMD_MATERIAL_RECEIVES_SHADOW = 0x08,
    MMD_MATERIAL_EDGE = 0x10,
    MMD_MATERIAL_VERTEX_COLOR = 0x20, /* 2.1 */
    MMD_MATERIAL_POINTS = 0x40,       /* 2.1 */
    MMD_MATERIAL_LINES = 0x80         /* 2.1 */
};

typedef enum mmd_sphere_mode {
    MMD_SPHERE_NONE = 0,
    MMD_SPHERE_MULTIPLY = 1,
    MMD_SPHERE_ADD = 2,
    MMD_SPHERE_SUB_TEXTURE = 3
} mmd_sphere_mode;

typedef struct mmd_material {
    const char *name, *name_en, *memo;
    float diffuse[4];
    float specular[3];
    float specular_power;
    float ambient[3];
    float edge_color[4];
    float edge_size;
    uint8_t flags;           /* mmd_material_flag */
    uint8_t sphere_mode;     /* mmd_sphere_mode; other values act as none */
    bool shared_toon;        /* toon is 0..9 for toon01..toon10, not a texture */
    int32_t texture, sphere; /* indices into textures */
    int32_t toon;            /* texture index, or shared toon number */
    bool cuts_alpha;         /* glTF's OPAQUE and MASK: no blending, unlike MMD's materials */
    float alpha_cutoff;      /* with cuts_alpha: pixels are discarded where alpha is below this */
    uint32_t first_index;    /* first of the material's indices, index_count of them */
    uint32_t index_count;
} mmd_material;

enum mmd_bone_flag {
    MMD_BONE_TAIL_IS_BONE = 0x0001,
    MMD_BONE_ROTATABLE = 0x0002,
    MMD_BONE_MOVABLE = 0x0004,
    MMD_BONE_VISIBLE = 0x0008,
    MMD_BONE_OPERABLE = 0x0010,
    MMD_BONE_IK = 0x0020,
    MMD_BONE_APPEND_LOCAL = 0x0080,
    MMD_BONE_APPEND_ROTATION = 0x0100,
    MMD_BONE_APPEND_TRANSLATION = 0x0200,
    MMD_BONE_FIXED_AXIS = 0x0400,
    MMD_BONE_LOCAL_AXIS = 0x0800,
    MMD_BONE_AFTER_PHYSICS = 0x1000,
    MMD_BONE_EXTERNAL_PARENT = 0x2000
};

typedef struct mmd_ik_link {
    int32_t bone;
    bool has_limit;
    float lower[3], upper[3]; /* radians, as in the file (lower may exceed upper) */
} mmd_ik_link;

typedef struct mmd_bone {
    const char *name, *name_en;
    float position[3];
    int32_t parent;
    int32_t layer;
    uint16_t flags;    /* mmd_bone_flag */
    bool internal;     /* added by the engine for PMD bones with two IK entries, not in the file; such bones
                          come last */
    int32_t tail_bone; /* if MMD_BONE_TAIL_IS_BONE is set */
    float tail_offset[3];  /* if it is not set */
    int32_t append_source; /* if one of the append flags is set */
    float append_ratio;
    float fixed_axis[3]; /* as in the file, possibly not of unit length */
    float local_x[3], local_z[3];
    int32_t external_key;
    int32_t ik_target; /* the effector; if MMD_BONE_IK is set */
    int32_t ik_loops;
    float ik_limit; /* radians per iteration */
    uint32_t ik_link_count;
    const mmd_ik_link *ik_links; /* starting at the effector */
} mmd_bone;

/* Tells whether a bone takes rotation or translation from another bone. */
static inline bool mmd_bone_appends(const mmd_bone *bone)
{
    return (bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION)) &&
           bone->append_source >= 0;
}

typedef enum mmd_morph_kind {
    MMD_MORPH_GROUP = 0,
    MMD_MORPH_VERTEX = 1,
    MMD_MORPH_BONE = 2,
    MMD_MORPH_UV = 3,
    MMD_MORPH_ADDITIONAL_UV1 = 4, /* to 7 = additional UV 4 */
    MMD_MORPH_MATERIAL = 8,
    MMD_MORPH_FLIP = 9,    /* 2.1 */
    MMD_MORPH_IMPULSE = 10 /* 2.1 */
} mmd_morph_kind;

typedef struct mmd_group_offset { /* for group and flip morphs */
    int32_t morph;
    float ratio;
} mmd_group_offset;

typedef struct mmd_vertex_offset {
    int32_t vertex; /* never -1 after reading: records without a vertex are dropped and reported */
    float offset[3];
} mmd_vertex_offset;

typedef struct mmd_bone_offset {
    int32_t bone;
    float translation[3];
    float rotation[4];
} mmd_bone_offset;

typedef struct mmd_uv_offset {
    int32_t vertex; /* never -1, as above */
    float offset[4];
} mmd_uv_offset;

/* The values of a material that morphs can change. */
typedef struct mmd_material_values {
    float diffuse[4];
    float specular[3];
    float specular_power;
    float ambient[3];
    float edge_color[4];
    float edge_size;
    float texture_factor[4], sphere_factor[4], toon_factor[4];
} mmd_material_values;

typedef struct mmd_material_offset {
    int32_t material;  /* -1: all */
    uint8_t operation; /* 0 multiply, 1 add */
    mmd_material_values values;
} mmd_material_offset;

typedef struct mmd_impulse_offset {
    int32_t body;
    bool local;
    float velocity[3], torque[3];
} mmd_impulse_offset;

typedef struct mmd_morph {
    const char *name, *name_en;
    uint8_t panel; /* 0 system, 1 brow, 2 eye, 3 mouth, 4 other */
    uint8_t kind;  /* mmd_morph_kind */
    uint32_t count;
    union {
        const mmd_group_offset *group; /* group, flip */
        const mmd_vertex_offset *vertex;
        const mmd_bone_offset *bone;
        const mmd_uv_offset *uv; /* UV and additional UV */
        const mmd_material_offset *material;
        const mmd_impulse_offset *impulse;
    } offsets;
} mmd_morph;

typedef struct mmd_frame_item {
    uint8_t kind; /* 0 bone, 1 morph */
    int32_t index;
} mmd_frame_item;

typedef struct mmd_display_frame {
    const char *name, *name_en;
    uint8_t special;
    uint32_t count;
    const mmd_frame_item *items;
} mmd_display_frame;

/* A rigid body as in PMX. Positions are in model space (those of PMD are converted). */
typedef struct mmd_rigid_body {
    const char *name, *name_en;
    int32_t bone;
    uint8_t group; /* 0..15 */
    uint16_t mask; /* bit g is set if it collides with group g */
    uint8_t shape; /* 0 sphere, 1 box, 2 capsule */
    float size[3], position[3], rotation[3];
    float mass, linear_damping, angular_damping, restitution, friction;
    uint8_t mode; /* 0 follows the bone, 1 physics, 2 physics with the bone's position */
} mmd_rigid_body;

/* A joint as in PMX. The meaning of the fields depends on kind (docs/mmd.md 1.1). */
typedef struct mmd_joint {
    const char *name, *name_en;
    uint8_t kind; /* 0 6DOF with springs, 1 6DOF, 2 point to point, 3 cone twist, 4 slider, 5 hinge */
    int32_t body_a, body_b;
    float position[3], rotation[3];
    float linear_lower[3], linear_upper[3], angular_lower[3], angular_upper[3];
    float linear_spring[3], angular_spring[3];
} mmd_joint;

typedef struct mmd_soft_anchor {
    int32_t body, vertex;
    uint8_t near_mode;
} mmd_soft_anchor;

typedef struct mmd_soft_body { /* 2.1 */
    const char *name, *name_en;
    uint8_t shape;
    int32_t material;
    uint8_t group;
    uint16_t mask;
    uint8_t flags;
    int32_t link_distance, cluster_count;
    float mass, margin;
    int32_t aero_model;
    float config[12];         /* VCF DP DG LF PR VC DF MT CHR KHR SHR AHR */
    float cluster[6];         /* SRHR_CL SKHR_CL SSHR_CL SR_SPLT_CL SK_SPLT_CL SS_SPLT_CL */
    int32_t iterations[4];    /* V_IT P_IT D_IT C_IT */
    float material_config[3]; /* LST AST VST */
    uint32_t anchor_count, pin_count;
    const mmd_soft_anchor *anchors;
    const int32_t *pins;
} mmd_soft_body;

/* A reference in the file to something that does not exist. It is read as none (-1) and kept here for
 * reports. */
typedef struct mmd_broken_reference {
    char section[16]; /* "bone", "material" */
    uint32_t item;
    char field[24]; /* "parent", "texture" */
    int64_t value;
} mmd_broken_reference;

enum { MMD_BROKEN_REFERENCE_MAX = 256 };

typedef enum mmd_model_origin {
    MMD_ORIGIN_MADE,
    MMD_ORIGIN_PMX,
    MMD_ORIGIN_PMD,
    MMD_ORIGIN_X,
    MMD_ORIGIN_GLTF,
    MMD_ORIGIN_RAGDOLL
} mmd_model_origin;

/* Tells whether a model of this origin follows MMD's rules for models: PMX and PMD, also those made in
 * memory. */
static inline bool mmd_origin_is_mmd(mmd_model_origin origin)
{
    return origin == MMD_ORIGIN_PMX || origin == MMD_ORIGIN_PMD || origin == MMD_ORIGIN_MADE;
}

/* The layout of the PMX file, which the writer reuses if the contents fit. Zeroed: the writer chooses. */
typedef struct mmd_pmx_layout {
    uint8_t encoding; /* 0 UTF-16LE, 1 UTF-8 */
    uint8_t vertex_index_size, texture_index_size, material_index_size, bone_index_size, morph_index_size,
        body_index_size;
    uint8_t globals_count;        /* 8, or more if there are bytes to preserve */
    const uint8_t *extra_globals; /* globals_count - 8 bytes */
    bool hard_space;              /* the signature ends in A0 instead of 20 */
    bool no_soft_bodies;          /* a 2.1 file that ends after the joints */
    uint32_t trailing_size; /* bytes after the last section; some exporters write a soft body count into 2.0
                               files */
    const uint8_t *trailing;
} mmd_pmx_layout;

typedef struct mmd_model {
    mmd_model_origin origin;
    float version; /* 2.0 or 2.1 (PMX); 1.0 (PMD); 3.2 or 3.3 (X); 2.0 (glTF); 1.0 (Ragdoll) */
    mmd_pmx_layout layout;
    const char *name, *name_en, *comment, *comment_en;
    mmd_vertices vertices;
    uint32_t index_count;
    uint32_t *indices; /* three a triangle, clockwise in front */
    uint32_t texture_count;
    const char **textures; /* as in the file: relative, `\` or `/` */
    uint32_t material_count;
    mmd_material *materials;
    uint32_t bone_count;
    mmd_bone *bones;
    uint32_t pmd_ik_count; /* For PMD: the bones of the file's IK entries in order, a bone possibly twice,
                              -1 for none. Projects of version 0001 identify IK switches by these numbers. */
    int32_t *pmd_ik_bones;
    uint32_t morph_count;
    mmd_morph *morphs;
    uint32_t frame_count;
    mmd_display_frame *frames;
    uint32_t body_count;
    mmd_rigid_body *bodies;
    uint32_t joint_count;
    mmd_joint *joints;
    uint32_t soft_body_count;
    mmd_soft_body *soft_bodies;
    bool has_scale;             /* animations scale bones (mmd/animation.h); poses have an affine palette */
    float (*node_rotations)[4]; /* For glTF: by bone, the rotation of its node at rest, which the bone does
                               not have. User scales act along these axes. NULL: no node is rotated at rest,
                               or not a glTF. */
    const mmd_physscene *physscene; /* Physics scene of an importer, which replaces the three lists above
                                       and belongs to the importer's document. NULL: the lists apply. */

    uint32_t broken_reference_count;  /* number found */
    uint32_t broken_reference_listed; /* number listed below */
    mmd_broken_reference *broken_references;

    /* Derived values, computed by mmd_model_prepare. */
    int32_t *bone_level;        /* at least the layer; a parent's is not higher (docs/mmd.md 4.1) */
    uint32_t *bone_order;       /* bones sorted by (after physics, level, index) */
    uint32_t bone_order_before; /* number of bones in it that are evaluated before physics */
    uint32_t *bone_rank;        /* position of each bone in bone_order */
    uint8_t (*bone_key)[15];    /* names in the form that VMD compares */
    uint8_t (*morph_key)[15];

    mmd_arena arena; /* owns all memory of a loaded model */
} mmd_model;

/*
 * Computes the derived values into the model's arena. All other fields must be filled in and valid. Readers
 * call it. Fails with MMD_ERROR_MEMORY, and with MMD_ERROR_VALUE if a bone is its own ancestor. Cycles of
 * append and IK are allowed.
 */
mmd_status mmd_model_prepare(mmd_model *model, mmd_error *error);

/*
 * Follows the parents of a bone and returns a bone of the cycle they form, or -1. marks holds bone_count
 * zeros before the first of several calls and is kept between them, so each cycle is reported only once.
 */
int32_t mmd_model_parent_cycle(const mmd_model *model, uint32_t bone, uint32_t *marks);

/*
 * Converts the model's bodies, joints and soft bodies to a physics scene with PMX's world
 * (mmd_default_phys_world). Bodies and joints keep their numbers. Bodies of size zero collide with nothing.
 * Bodies with non-finite numbers, their joints, and joints that lack a body or join a body to itself are
 * disabled. scene is overwritten; it refers to the model's texts, has its own arena and is freed with
 * mmd_physscene_destroy. A model with a physscene returns that one, with an empty arena. Fails with
 * MMD_ERROR_MEMORY. docs/mmd.md 5.2 to 5.4.
 */
mmd_status mmd_model_physscene(const mmd_model *model, mmd_physscene *scene, mmd_error *error);

/* Frees a model that came from a reader. NULL is allowed. */
void mmd_model_destroy(mmd_model *model);

/* Return the first bone or morph with this UTF-8 name, or -1. Linear in their number. */
int32_t mmd_model_find_bone(const mmd_model *model, const char *name);
int32_t mmd_model_find_morph(const mmd_model *model, const char *name);

/* Rigid bodies of a model, from its own list or its physics scene: their number, the name of each ("" for
 * none), and its bone, or -1. */
uint32_t mmd_model_body_count(const mmd_model *model);
const char *mmd_model_body_name(const mmd_model *model, uint32_t body);
int32_t mmd_model_body_bone(const mmd_model *model, uint32_t body);

/* Tests whether a simulated body moves the bone. */
bool mmd_model_bone_is_driven(const mmd_model *model, int32_t bone);

/* Tests whether the physics scene of an interchange file has anything to simulate. */
bool mmd_model_has_dynamic_scene(const mmd_model *model);

/* Writes the material's values without morphs: those of the file with all three factors 1. */
void mmd_material_rest_values(const mmd_material *material, mmd_material_values *values);

#ifdef __cplusplus
}
#endif

#endif
