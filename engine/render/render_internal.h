/* What the files of this module share. */
#ifndef MMD_RENDER_INTERNAL_H
#define MMD_RENDER_INTERNAL_H

#include <glad/gl.h>

#include "mmd/memory.h"
#include "mmd/render.h"

/* Features of a material's programs, in the order of their defines in variant.c. */
enum material_feature {
    FEATURE_TEXTURE = 1 << 0,
    FEATURE_SPHERE = 1 << 1,
    FEATURE_SPHERE_ADD = 1 << 2,
    FEATURE_SUB_TEXTURE = 1 << 3,
    FEATURE_TOON = 1 << 4,
    FEATURE_SPECULAR = 1 << 5,
    FEATURE_VERTEX_COLOR = 1 << 6,
    FEATURE_POINTS = 1 << 7,
    FEATURE_FACTORS = 1 << 8,
    FEATURE_ALPHA_TEST = 1 << 9,
    FEATURE_SELF_SHADOW = 1 << 10,
    FEATURE_ACCESSORY = 1 << 11,
    FEATURE_SMOOTH = 1 << 12,
    FEATURE_ALPHA_CUT = 1 << 13,
    FEATURE_CROWD = 1 << 14,
    MATERIAL_VARIANTS = 1 << 15
};

/* Features of the skin pass. */
enum skin_feature {
    SKIN_MORPHS = 1 << 0,
    SKIN_SDEF = 1 << 1,
    SKIN_SDEF_SLERP = 1 << 2,
    SKIN_DUAL = 1 << 3,
    SKIN_UV_MORPHS = 1 << 4,
    SKIN_TANGENTS = 1 << 5,
    SKIN_PLACED = 1 << 6,
    SKIN_SOFT = 1 << 7,
    SKIN_SCALED = 1 << 8,
    SKIN_FOUR_BONES = 1 << 9,
    SKIN_CROWD = 1 << 10,
    SKIN_VARIANTS = 1 << 11
};

/* Features of programs that draw one colour, or ids. */
enum flat_feature {
    FLAT_TEXTURE = 1 << 0,
    FLAT_GROUND = 1 << 1,
    FLAT_CROWD = 1 << 2,
    FLAT_VARIANTS = 1 << 3
};

/* Attribute numbers of the shaders that draw, and of skin.vert. */
enum { DRAW_POSITION, DRAW_NORMAL, DRAW_UV, DRAW_EXTRA, DRAW_EDGE_SCALE, DRAW_BONE };
enum {
    SKIN_POSITION,
    SKIN_NORMAL,
    SKIN_WEIGHTS,
    SKIN_BONES,
    SKIN_INFO,
    SKIN_UV_INFO,
    SKIN_UV,
    SKIN_EXTRA,
    SKIN_TANGENT,
    SKIN_SOFT_NODE
};

/* Texture units. */
enum { UNIT_TEXTURE, UNIT_SPHERE, UNIT_TOON, UNIT_SHADOW_MAP, UNIT_CROWD, UNIT_CROWD_MEMBERS };
enum {
    UNIT_BONES,
    UNIT_DISPLACEMENTS,
    UNIT_WEIGHTS,
    UNIT_SDEF,
    UNIT_UV_OFFSETS,
    UNIT_SOFT_NODES,
    UNIT_MEMBERS
};

/* A program that draws, and where its uniforms are (-1: it has no such). */
typedef struct draw_program {
    GLuint id;
    GLint base_color, light_diffuse, specular, specular_power, point_size, toon_shade, factor_multiply,
        factor_add, cutoff, crowd;
} draw_program;

/* A program that draws one colour under a matrix, or ids. */
typedef struct flat_program {
    GLuint id;
    GLint matrix, color;                   /* of projected.vert, flat.frag */
    GLint width, point_size, owner, alpha; /* of ids.vert, ids.frag */
    GLint cutoff;                          /* of both, with textures */
    GLint crowd;                           /* of projected.vert */
} flat_program;

typedef struct skin_program {
    GLuint id;
    GLint placement, sizes;
} skin_program;

/* Of an instance, and of a crowd. */
typedef struct edge_program {
    GLuint id;
    GLint width, color, crowd;
} edge_program;

/* Below this a fragment is dropped: its eight-bit alpha is 0. */
#define ALPHA_THRESHOLD (0.5f / 255.0f)

struct mmd_renderer {
    mmd_gpu *gpu;
    mmd_log log;
    int table_bits; /* data textures are at most 2^table_bits texels wide */
    GLuint scene_buffer;
    GLuint repeat_sampler, clamp_sampler;
    mmd_render_texture shared_toons[10];
    draw_program *materials[MATERIAL_VARIANTS]; /* NULL: not made yet */
    skin_program skins[SKIN_VARIANTS];
    flat_program projected[FLAT_VARIANTS], ids[FLAT_TEXTURE + 1];
    edge_program edges[2]; /* of an instance, of a crowd */
    GLuint grid_program;
    GLint grid_color;
    GLuint grid_buffer, grid_array;
    GLuint background_program, background_array;
    GLint background_place;
    GLuint line_program, line_buffer, line_array;
    GLint line_pixel, line_scale, line_rim, line_opacity, line_behind;
    size_t line_room;                  /* lines that the buffer holds */
    struct surface_programs *surfaces; /* NULL: not needed so far */
    GLuint wire_program, wire_array, wire_buffers[2];
    struct inspect_target *inspect; /* NULL: not needed so far */
    mmd_gpu_target skin_target;     /* the skin pass draws nothing, but must have somewhere to */
    GLuint shadow_map, shadow_framebuffer;
    float caster_matrix[16], ground_matrix[16]; /* clip space of the map and of the ground's shadow */
    bool has_ground;
    GLuint framebuffer; /* of the frame, and its size */
    uint32_t width, height;
    mmd_render_scene scene;
    mmd_render_statistics statistics;
    bool measure;
    bool in_pass; /* between renderer_pass_begin and its end */
    double pass_start;
};

/* Programs, made when first asked for. */
mmd_status renderer_material_program(mmd_renderer *renderer, uint32_t features, const draw_program **program,
                                     mmd_error *error);
/* The numbers that a material's pixels are made of (inspect.frag); the caller destroys it. */
mmd_status renderer_probe_program(mmd_renderer *renderer, uint32_t features, draw_program *made,
                                  mmd_error *error);
mmd_status renderer_skin_program(mmd_renderer *renderer, uint32_t features, const skin_program **program,
                                 mmd_error *error);
mmd_status renderer_projected_program(mmd_renderer *renderer, uint32_t features, const flat_program **program,
                                      mmd_error *error);
mmd_status renderer_ids_program(mmd_renderer *renderer, uint32_t features, const flat_program **program,
                                mmd_error *error);
mmd_status renderer_edge_program(mmd_renderer *renderer, bool crowd, const edge_program **program,
                                 mmd_error *error);
mmd_status renderer_grid_program(mmd_renderer *renderer, mmd_error *error);
mmd_status renderer_background_program(mmd_renderer *renderer, mmd_error *error);
mmd_status renderer_line_program(mmd_renderer *renderer, mmd_error *error);
void renderer_destroy_programs(mmd_renderer *renderer);
void renderer_destroy_surfaces(mmd_renderer *renderer); /* of surface.c */
void renderer_destroy_wires(mmd_renderer *renderer);    /* of wire.c */
void renderer_destroy_inspect(mmd_renderer *renderer);  /* of inspect.c */

/* The bone of most weight; the first of several. A vertex of none belongs to bone 0, as it moves with it. */
uint32_t render_dominant_bone(const mmd_vertices *vertices, uint32_t v);

static inline mmd_status render_no_memory(const char *what, mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for %s", what);
}

/* Microseconds of a clock that only statistics read. */
double renderer_microseconds(void);

/* Brackets a pass: for debug tools, and for measuring it. Passes do not nest. An end without a beginning does
 * nothing, so that the end of a frame may close what an error left open. */
void renderer_pass_begin(mmd_renderer *renderer, mmd_render_pass pass);
void renderer_pass_end(mmd_renderer *renderer, mmd_render_pass pass);

/* The matrices of the shadows from the scene and its clip space: once a frame. */
void renderer_prepare_shadows(mmd_renderer *renderer, const float clip_from_world[16],
                              const float to_map[16]);
void renderer_destroy_shadow_map(mmd_renderer *renderer);

/* Shape of a data texture with so many texels: rows of 2^bits, or one shorter row. */
typedef struct table_shape {
    uint32_t width, height;
} table_shape;
table_shape table_shape_of(const mmd_renderer *renderer, size_t texels);

/* Makes a data texture. data has width * height texels of the shape of `texels`, or is NULL. */
mmd_status table_create(mmd_renderer *renderer, mmd_gpu_format format, size_t texels, const void *data,
                        const char *label, GLuint *texture, mmd_error *error);

/* Records of vertex or UV morphs listed by vertex, as texels. */
typedef struct morph_table {
    int32_t (*runs)[2]; /* by vertex: first record, number of them */
    float (*texels)[4]; /* padded to the texture's rows */
    size_t texel_count, record_count;
} morph_table;
mmd_status morph_table_vertices(const mmd_renderer *renderer, const mmd_model *model, morph_table *table,
                                mmd_error *error);
mmd_status morph_table_uvs(const mmd_renderer *renderer, const mmd_model *model, morph_table *table,
                           mmd_error *error);
void morph_table_finish(morph_table *table);

/* One draw call's run of the element buffer. */
typedef struct draw_range {
    GLenum mode;
    uint32_t first, count;
    uint32_t lowest, highest; /* vertices used */
} draw_range;

struct mmd_render_mesh {
    mmd_renderer *renderer;
    const mmd_model *model;
    mmd_render_material_textures *textures; /* by material */
    draw_range *ranges;                     /* by material */
    uint32_t skin_features;
    uint32_t stride; /* bytes of a skinned vertex */
    uint32_t tangent_offset, uv_offset, extra_offset;
    GLuint skin_array;
    GLuint buffers[12];
    uint32_t buffer_count;
    GLuint uv_buffer, extra_buffer, edge_buffer, element_buffer; /* among buffers, but for the last */
    GLenum element_type;
    GLuint displacements, uv_offsets, sdef;
    GLuint dominant_buffer; /* by vertex, the bone of most weight; made for the first id pass */
    GLuint tint_buffer;     /* by vertex, what surface.c colours by, and what that was made for */
    uint64_t tint_key;
    /* By bone: no vertex that it moves is farther from it; NULL: not known, made for the first crowd. */
    float *bone_reach;
    float *morph_reach; /* by morph: no vertex goes farther at weight 1 */
    float edge_reach;   /* the greatest edge scale */
    bool bounded;       /* the reaches bound it */
    mmd_arena arena;
};

/* The soft bodies of a posed model on the GPU. Zeroed is valid and empty. */
typedef struct soft_table {
    const mmd_phys_soft_body **bodies; /* that it was made for */
    size_t count, node_count;
    GLuint vertex_nodes; /* by vertex: node + 1 among all, negative where its normal is turned; 0: none */
    GLuint nodes;        /* two texels a node: position, normal */
    table_shape shape;
    float (*copy)[4]; /* what is on the GPU, in the shape of its texture */
    bool used;        /* by the pose that was skinned last */
} soft_table;

/* Uploads the pose's soft bodies where they moved. changed: skinning sees something new. */
mmd_status soft_table_upload(mmd_renderer *renderer, const mmd_model *model, const mmd_render_pose *pose,
                             soft_table *table, bool *changed, mmd_error *error);
void soft_table_finish(soft_table *table, mmd_gpu *gpu);

struct mmd_render_instance {
    mmd_render_mesh *mesh;
    GLuint vertices;      /* skinned */
    GLuint array;         /* for drawing them */
    GLuint id_array;      /* for the id pass; made for the first */
    GLuint surface_array; /* for surface.c; made when first needed */
    GLuint bones, weights;
    table_shape bones_shape, weights_shape;
    float *palette_copy, *weights_copy; /* what is on the GPU, in the shape of its textures */
    float placement[16];
    bool scaled; /* the table holds rows of matrices: three texels a bone, not two */
    bool skinned, sdef_slerp, placed;
    soft_table soft;
};

struct mmd_render_crowd {
    mmd_render_mesh *mesh;
    GLuint vertices, vertices_texture;               /* skinned, one member after the other */
    GLuint array;                                    /* what does not change of them */
    GLuint bones, weights, members;                  /* tables of all members, one after the other */
    float *bones_copy, *weights_copy, *members_copy; /* what is on the GPU, in the shape of its textures */
    size_t room, count; /* members that there is memory for, and that are skinned */
    bool skinned, sdef_slerp;
};

/* Floats of a member in the table of members: five texels. */
enum { MEMBER_FLOATS = 20 };

/* What is drawn at once: members of a crowd, one after the other; or an instance. */
typedef struct draw_subject {
    const mmd_render_mesh *mesh;
    const mmd_render_crowd *crowd; /* NULL: an instance */
    GLuint array;
    const mmd_render_model_desc *const *descs; /* by member */
    uint32_t first, count;                     /* an instance: 0, 1 */
} draw_subject;

static inline draw_subject draw_instance(const mmd_render_instance *instance,
                                         const mmd_render_model_desc *const *desc)
{
    return (draw_subject){.mesh = instance->mesh, .array = instance->array, .descs = desc, .count = 1};
}

static inline draw_subject draw_crowd(const mmd_render_crowd *crowd,
                                      const mmd_render_model_desc *const *descs, size_t first, size_t count)
{
    return (draw_subject){.mesh = crowd->mesh,
                          .crowd = crowd,
                          .array = crowd->array,
                          .descs = descs,
                          .first = (uint32_t)first,
                          .count = (uint32_t)count};
}

/* Texture units that a crowd's programs read from. */
void crowd_bind(const mmd_render_crowd *crowd);

/* Says to a program which members come next. */
void crowd_select(const mmd_render_crowd *crowd, GLint location, uint32_t first);

/* Vertex array of an instance, or array and textures of a crowd. */
void draw_bind_subject(const draw_subject *subject);

/* A vertex array of what does not change of a mesh's vertices, for drawing. */
GLuint mesh_create_array(const mmd_render_mesh *mesh);

/* A vertex array of the skinned vertices, for drawing them. */
GLuint instance_create_array(const mmd_render_instance *instance);

/* All that decides how a material is drawn in this frame. */
typedef struct material_draw {
    uint32_t features;
    bool blend, visible;
    float base_color[4], light_diffuse[3], specular[3];
    float multiply[3][4], add[3][4]; /* factors of texture, sphere, toon */
    float cutoff;                    /* with FEATURE_ALPHA_CUT */
} material_draw;
material_draw material_prepare(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);

/* Whether two are the same, number for number. */
bool material_draws_alike(const material_draw *a, const material_draw *b);

/* Whether a material's pixels are looked at, by its alpha; whether that of its texture matters then. */
bool material_is_visible(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);
bool material_has_holes(const mmd_render_mesh *mesh, uint32_t m);
/* Below it the alpha of a texture is 0, from there on 1. Negative: it is what it is. */
float material_cutoff(const mmd_render_mesh *mesh, uint32_t m);

/* Whether a material's edge is drawn. */
bool material_has_edge(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);

/* What a material's program needs, by its features. */
void draw_bind_material(const mmd_renderer *renderer, const mmd_render_material_textures *textures,
                        uint32_t features);
void draw_set_uniforms(const mmd_renderer *renderer, const draw_program *program,
                       const mmd_material_values *values, const mmd_render_material_textures *textures,
                       const material_draw *draw);
/* A material's points in pixels of the framebuffer: as large in the picture however many are averaged. */
float draw_point_size(const mmd_renderer *renderer, const mmd_material_values *values);
void draw_bind_texture(GLuint unit, GLuint texture, GLuint sampler);
void draw_elements(const mmd_render_mesh *mesh, const draw_range *range);

/* The same of so many members of a crowd, or of an instance. */
void draw_members(const draw_subject *subject, const draw_range *range, uint32_t count);

/* How many members from one on are alike; at least 1. */
typedef bool alike_test(const mmd_render_mesh *mesh, const mmd_render_model_desc *a,
                        const mmd_render_model_desc *b);
uint32_t draw_alike(const draw_subject *subject, uint32_t first, alike_test *alike);

/* Whether material next can be drawn in one with those from first on, which it follows. */
typedef bool run_test(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t first,
                      uint32_t next);

/* The run of faces from material *m on that can be drawn in one; leaves *m at its last material. */
draw_range draw_run(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, run_test *belongs,
                    uint32_t *m);

static inline void draw_enable(GLenum what, bool on)
{
    if (on)
        glEnable(what);
    else
        glDisable(what);
}

static inline size_t element_size(GLenum type)
{
    return type == GL_UNSIGNED_SHORT ? 2 : 4;
}

#endif
