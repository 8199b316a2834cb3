/* Declarations shared by the files of this module. */
#ifndef MMD_RENDER_INTERNAL_H
#define MMD_RENDER_INTERNAL_H

#include <glad/gl.h>

#include "mmd/memory.h"
#include "mmd/render.h"

/* State that has to be set through mmd/gpu_objects.h, which knows what it is. */
#undef glEnable
#undef glDisable
#undef glUseProgram
#undef glBindVertexArray
#undef glActiveTexture
#undef glBindTexture
#undef glBindSampler
#undef glBlendFunc
#undef glBlendFuncSeparate
#undef glDepthFunc
#undef glDepthMask
#undef glDepthRange
#undef glClearColor
#undef glClearDepth
#undef glClearStencil
#undef glStencilFunc
#undef glStencilOp
#undef glStencilMask
#undef glCullFace
#undef glFrontFace
#undef glViewport
#undef glScissor
#undef glPolygonOffset
#undef glColorMask
#undef glPixelStorei
#undef glDeleteTextures
#undef glDeleteVertexArrays
#undef glDeleteProgram
#pragma GCC poison glEnable glDisable glUseProgram glBindVertexArray glActiveTexture glBindTexture
#pragma GCC poison glBindSampler glBlendFunc glBlendFuncSeparate glDepthFunc glDepthMask glDepthRange
#pragma GCC poison glClearColor glClearDepth glClearStencil glStencilFunc glStencilOp glStencilMask glCullFace
#pragma GCC poison glFrontFace glViewport glScissor glPolygonOffset glColorMask glPixelStorei
#pragma GCC poison glDeleteTextures glDeleteVertexArrays glDeleteProgram

/* Features of material programs, in the order of their defines in variant.c. */
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
    FEATURE_LINES = 1 << 15,
    MATERIAL_VARIANTS = 1 << 16
};

/* Features of skin programs. */
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
    FLAT_CROWD = 1 << 1,
    FLAT_LINES = 1 << 2,
    FLAT_VARIANTS = 1 << 3, /* of programs that draw one colour */
    FLAT_GEOMETRY = 1 << 3, /* ids with normal and depth */
    FLAT_ID_VARIANTS = 1 << 4,
    FLAT_IDS = 1 << 4 /* of all programs that draw ids */
};

/* Features of programs that draw the inverted hull: as edges, or on the ground. */
enum edge_feature { EDGE_CROWD = 1 << 0, EDGE_GROUND = 1 << 1, EDGE_VARIANTS = 1 << 2 };

/* Attribute locations of drawing shaders, and of skin.vert. */
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

/* A uniform of at most four floats, and the value that it was set to last. */
typedef struct draw_uniform {
    GLint location; /* -1: the program does not have it */
    bool known;
    float value[4];
} draw_uniform;

/* A program that draws materials, with its uniform locations (-1 for uniforms that it does not have). */
typedef struct draw_program {
    GLuint id;
    bool finished; /* the locations are known */
    draw_uniform base_color, light_diffuse, specular, specular_power, toon_shade;
    GLint point_size, factor_multiply, factor_add, cutoff, crowd, line_reach;
} draw_program;

/* A program that draws one colour with a given matrix, or ids, with its uniform locations. */
typedef struct flat_program {
    GLuint id;
    bool finished;
    GLint matrix, color;                   /* in projected.vert and flat.frag */
    GLint width, point_size, owner, alpha; /* in ids.vert and ids.frag */
    GLint cutoff;                          /* in both, with textures */
    GLint crowd;                           /* in projected.vert */
    GLint line_reach;                      /* in line_quad.geom */
} flat_program;

typedef struct skin_program {
    GLuint id;
    bool finished;
    GLint placement, sizes;
} skin_program;

/* A program that draws edges or ground shadows. */
typedef struct edge_program {
    GLuint id;
    bool finished;
    draw_uniform width, color;
    GLint crowd;
    GLint ground; /* matrix of EDGE_GROUND */
} edge_program;

/* Index of a shared toon that is white: toon07. */
enum { WHITE_TOON = 6 };

/* Fragments with a lower alpha are discarded, because it rounds to 0 with 8 bits. */
#define ALPHA_THRESHOLD (0.5f / 255.0f)

struct mmd_renderer {
    mmd_gpu *gpu;
    mmd_log log;
    int table_bits; /* data textures are at most 2^table_bits texels wide */
    GLuint scene_buffer;
    GLuint repeat_sampler, clamp_sampler;
    mmd_render_texture shared_toons[10];
    draw_program *materials[MATERIAL_VARIANTS]; /* NULL until it is needed */
    skin_program skins[SKIN_VARIANTS];
    flat_program projected[FLAT_VARIANTS];
    flat_program ids[FLAT_ID_VARIANTS];
    edge_program edges[EDGE_VARIANTS];
    GLuint grid_program;
    GLint grid_color, grid_reach;
    GLuint grid_buffer, grid_array;
    GLuint background_program, background_array;
    GLint background_place;
    GLuint line_program, line_buffer, line_array;
    GLint line_pixel, line_scale, line_rim, line_opacity, line_behind;
    size_t line_room;                  /* capacity of the buffer, in lines */
    struct surface_programs *surfaces; /* NULL until it is needed */
    GLuint wire_program;
    GLint wire_scale;
    struct inspect_target *inspect; /* NULL until it is needed */
    mmd_gpu_target skin_target;     /* the skin pass draws no pixels but needs a framebuffer */
    GLuint shadow_map, shadow_framebuffer;
    int32_t shadow_size;                        /* side of the map in pixels: 2,048, or what the GPU allows */
    float caster_matrix[16], ground_matrix[16]; /* clip space of the shadow map, and of the ground shadow */
    bool has_ground;
    GLuint framebuffer; /* framebuffer of the current frame, and its size */
    uint32_t width, height;
    mmd_render_scene scene;
    mmd_render_statistics statistics;
    bool measure;
    bool in_pass; /* between renderer_pass_begin and renderer_pass_end */
    double pass_start;
};

/* Return programs, which are created when first needed. program NULL: only begin to create them, without
 * waiting for the driver; for ids that is not allowed. */
mmd_status renderer_material_program(mmd_renderer *renderer, uint32_t features, draw_program **program,
                                     mmd_error *error);
/* Creates a program that outputs the values a material's pixel is computed from (inspect.frag). The caller
 * destroys it. */
mmd_status renderer_probe_program(mmd_renderer *renderer, uint32_t features, draw_program *made,
                                  mmd_error *error);
mmd_status renderer_skin_program(mmd_renderer *renderer, uint32_t features, const skin_program **program,
                                 mmd_error *error);
mmd_status renderer_projected_program(mmd_renderer *renderer, uint32_t features, const flat_program **program,
                                      mmd_error *error);
mmd_status renderer_ids_program(mmd_renderer *renderer, uint32_t features, const flat_program **program,
                                mmd_error *error);
mmd_status renderer_edge_program(mmd_renderer *renderer, uint32_t features, edge_program **program,
                                 mmd_error *error);
mmd_status renderer_grid_program(mmd_renderer *renderer, mmd_error *error);
mmd_status renderer_background_program(mmd_renderer *renderer, mmd_error *error);
mmd_status renderer_line_program(mmd_renderer *renderer, mmd_error *error);
void renderer_destroy_programs(mmd_renderer *renderer);
void renderer_destroy_surfaces(mmd_renderer *renderer); /* in surface.c */
void renderer_destroy_wires(mmd_renderer *renderer);    /* in wire.c */
void renderer_destroy_inspect(mmd_renderer *renderer);  /* in inspect.c */

/*
 * Returns the bone with the largest weight, the first of several. A vertex without weights moves with bone 0.
 */
uint32_t render_dominant_bone(const mmd_vertices *vertices, uint32_t v);

static inline mmd_status render_no_memory(const char *what, mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for %s", what);
}

/* Return depth functions, polygon offsets and the farthest depth for the scene's direction of depth. They are
 * given as for depth that grows with the distance. */
GLenum renderer_depth_function(const mmd_renderer *renderer, GLenum function);
void renderer_set_polygon_offset(const mmd_renderer *renderer, float factor, float units);
GLfloat renderer_far_depth(const mmd_renderer *renderer);

/* Binds the frame's framebuffer and sets what depends on it: viewport, scissor box, depth, front faces. */
void renderer_set_target(const mmd_renderer *renderer);

/* Begin and end the capture of a skin pass's vertices in a buffer. */
void renderer_begin_capture(const mmd_renderer *renderer, GLuint vertices);
void renderer_end_capture(const mmd_renderer *renderer);

/* Returns a time in microseconds, for statistics only. */
double renderer_microseconds(void);

/* Creates the texture of a toon, whose sides are powers of two. It has no smaller levels, which only
 * repeat_sampler reads. */
mmd_status renderer_create_toon(mmd_renderer *renderer, const mmd_image *image, const char *label,
                                mmd_render_texture *texture, mmd_error *error);

/* Enlarges a picture to powers of two, row by row. */
typedef struct enlarger enlarger;

/* Creates one for an image, which must outlive it, as the pool must, and sets the new sides. NULL if out of
 * memory. */
enlarger *enlarger_create(const mmd_image *image, mmd_pool *pool, uint32_t *width, uint32_t *height);

/* Writes rows of the enlarged picture: an mmd_gpu_rows. */
void enlarger_rows(void *enlarger, uint32_t first, uint32_t count, uint8_t *to);
void enlarger_destroy(enlarger *enlarger); /* NULL is allowed */

/* Begin and end a pass, for debug groups and measurements. Passes do not nest. An end without a beginning
 * does nothing, so that the end of a frame can close a pass that an error left open. */
void renderer_pass_begin(mmd_renderer *renderer, mmd_render_pass pass);
void renderer_pass_end(mmd_renderer *renderer, mmd_render_pass pass);

/* Computes the matrices of shadows from the scene and its clip space. Called once per frame. */
void renderer_prepare_shadows(mmd_renderer *renderer, const float clip_from_world[16],
                              const float to_map[16]);
void renderer_destroy_shadow_map(mmd_renderer *renderer);

/*
 * Returns the shape of a data texture with this many texels: rows of 2^table_bits texels, or one shorter row.
 */
typedef struct table_shape {
    uint32_t width, height;
} table_shape;
table_shape table_shape_of(const mmd_renderer *renderer, size_t texels);

/* Creates a data texture. data has width * height texels in the shape of `texels`, or is NULL. */
mmd_status table_create(mmd_renderer *renderer, mmd_gpu_format format, size_t texels, const void *data,
                        const char *label, GLuint *texture, mmd_error *error);

/* Records of vertex or UV morphs, grouped by vertex, as texels. */
typedef struct morph_table {
    int32_t (*runs)[2]; /* by vertex: index of the first record, number of records */
    float (*texels)[4]; /* padded to full rows of the texture */
    size_t texel_count, record_count;
} morph_table;
mmd_status morph_table_vertices(const mmd_renderer *renderer, const mmd_model *model, morph_table *table,
                                mmd_error *error);
mmd_status morph_table_uvs(const mmd_renderer *renderer, const mmd_model *model, morph_table *table,
                           mmd_error *error);
void morph_table_finish(morph_table *table);

/* The part of the element buffer that one draw call uses. */
typedef struct draw_range {
    GLenum mode; /* lines are drawn by programs with line_quad.geom */
    uint32_t first, count;
    uint32_t lowest, highest; /* range of vertices that are used */
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
    /* these are also in `buffers`, except the last */
    GLuint uv_buffer, extra_buffer, edge_buffer, element_buffer;
    GLenum element_type;
    GLuint displacements, uv_offsets, sdef;
    GLuint dominant_buffer; /* dominant bone of each vertex; created for the first id pass */
    GLuint tint_buffer;     /* colour attribute of surface.c, and the bone it was made for */
    uint64_t tint_key;
    /* By bone: the largest distance of a vertex that it moves. NULL until the first crowd needs it. */
    float *bone_reach;
    float *morph_reach; /* by morph: the largest displacement of a vertex at weight 1 */
    float edge_reach;   /* the largest edge scale */
    bool bounded;       /* the distances above bound the mesh */
    mmd_arena arena;
};

/* The soft bodies of a posed model on the GPU. Valid and empty when zeroed. */
typedef struct soft_table {
    const mmd_phys_soft_body **bodies; /* bodies that it was made for */
    size_t count, node_count;
    /* by vertex: 1 + index of the node among all bodies, negative if its normal is reversed; 0 for none */
    GLuint vertex_nodes;
    GLuint nodes; /* two texels per node: position, normal */
    table_shape shape;
    float (*copy)[4]; /* contents of the texture, to detect changes */
    bool used;        /* used by the pose that was skinned last */
} soft_table;

/* Uploads the pose's soft bodies if they moved. changed is set if skinning has to run again. */
mmd_status soft_table_upload(mmd_renderer *renderer, const mmd_model *model, const mmd_render_pose *pose,
                             soft_table *table, bool *changed, mmd_error *error);
void soft_table_finish(soft_table *table, mmd_gpu *gpu);

struct mmd_render_instance {
    mmd_render_mesh *mesh;
    GLuint vertices;      /* skinned vertices */
    GLuint array;         /* vertex array for drawing them */
    GLuint id_array;      /* for the id pass; created when first needed */
    GLuint surface_array; /* for surface.c; created when first needed */
    GLuint bones, weights;
    table_shape bones_shape, weights_shape;
    float *palette_copy, *weights_copy; /* contents of the textures, to detect changes */
    float placement[16];
    bool scaled; /* bones are rows of matrices: three texels per bone instead of two */
    bool skinned, sdef_slerp, placed;
    soft_table soft;
};

struct mmd_render_crowd {
    mmd_render_mesh *mesh;
    GLuint vertices, vertices_texture; /* skinned vertices of all members, one member after the other */
    GLuint array;                      /* vertex array of attributes that all members share */
    GLuint bones, weights, members;    /* data textures of all members, one member after the other */
    float *bones_copy, *weights_copy, *members_copy; /* contents of the textures, to detect changes */
    size_t room, count;                              /* capacity in members, and number of skinned members */
    bool skinned, sdef_slerp;
};

/* Floats per member in the table of members: five texels. */
enum { MEMBER_FLOATS = 20 };

/* What one draw call draws: adjacent members of a crowd, or an instance. */
typedef struct draw_subject {
    const mmd_render_mesh *mesh;
    const mmd_render_crowd *crowd; /* NULL for an instance */
    GLuint array;
    const mmd_render_model_desc *const *descs; /* by member */
    uint32_t first, count;                     /* 0 and 1 for an instance */
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

/* Binds the textures that a crowd's programs read. */
void crowd_bind(const mmd_render_crowd *crowd);

/* Tells a program which members the next draw call draws. */
void crowd_select(const mmd_render_crowd *crowd, GLint location, uint32_t first);

/* Binds the vertex array of an instance, or vertex array and textures of a crowd. */
void draw_bind_subject(const draw_subject *subject);

/* Creates a vertex array of the attributes that skinning does not change. */
GLuint mesh_create_array(const mmd_render_mesh *mesh);

/* Creates a vertex array for drawing the skinned vertices. */
GLuint instance_create_array(const mmd_render_instance *instance);

/* Everything that determines how a material is drawn in this frame. */
typedef struct material_draw {
    uint32_t features;
    bool blend, visible;
    float base_color[4], light_diffuse[3], specular[3];
    float multiply[3][4], add[3][4]; /* factors of texture, sphere and toon */
    float cutoff;                    /* used with FEATURE_ALPHA_CUT */
    GLuint shadow_map;               /* used with FEATURE_SELF_SHADOW */
} material_draw;
material_draw material_prepare(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);

/* Tests whether all values are equal. */
bool material_draws_alike(const material_draw *a, const material_draw *b);

/* Test whether a material is visible, by its alpha, and whether its texture's alpha can make holes. */
bool material_is_visible(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);
bool material_has_holes(const mmd_render_mesh *mesh, uint32_t m);
/* Returns the alpha below which a texture is fully transparent, and from which on it is opaque. Negative:
 * alpha is used as it is. */
float material_cutoff(const mmd_render_mesh *mesh, uint32_t m);

/* Test whether a material casts a shadow, on others and on the ground. */
bool shadow_map_shows(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);
bool ground_shadow_shows(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);

/* Tests whether a material can have shadows, on the ground and in the map. Points have none. Neither have
 * materials whose edge colour has alpha 0 (docs/mmd.md 6.7), except accessories. */
bool material_throws_shadow(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);

/* Tests whether a material's shadow in the map has holes. MMD does not cut out what is transparent in
 * textures, so only alpha that is cut off does. */
bool shadow_map_has_holes(const mmd_render_mesh *mesh, uint32_t m);

/* Tests whether MMD's own rules of culling and shadows apply. */
static inline bool mesh_is_of_mmd(const mmd_render_mesh *mesh)
{
    return mmd_origin_is_mmd(mesh->model->origin);
}

/* Tests whether both sides of a material are drawn (docs/mmd.md 6.5). */
bool material_is_two_sided(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);

/* Tests whether a material's edge is drawn. */
bool material_has_edge(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);

/* Binds the textures that a material's program needs according to its features. */
void draw_bind_material(const mmd_renderer *renderer, const mmd_render_material_textures *textures,
                        const material_draw *draw);
/* Sets a uniform of the current program, unless it has this value. count: number of floats, 1, 3 or 4. */
void draw_set_uniform(draw_uniform *uniform, int count, const float *value);
void draw_set_uniforms(const mmd_renderer *renderer, draw_program *program, const mmd_material_values *values,
                       const mmd_render_material_textures *textures, const material_draw *draw);
/* Returns the size of a material's points in framebuffer pixels. It scales with supersampling, so that points
 * have the same size in the final picture. At least 1; what OpenGL draws for 0 is undefined. */
float draw_point_size(const mmd_renderer *renderer, const mmd_material_values *values);
/* Sets a program's line_reach, so that lines are as wide as a pixel of the final picture. */
void draw_set_line_reach(const mmd_renderer *renderer, GLint location);
/* Culls back faces unless the material is two-sided, or of lines. */
void draw_cull_faces(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m);
void draw_elements(const mmd_render_mesh *mesh, const draw_range *range);

/* Draws a range for this number of members of a crowd, or for an instance. */
void draw_members(const draw_subject *subject, const draw_range *range, uint32_t count);

/* Returns the number of members from `first` on that pass the test against the first one; at least 1. */
typedef bool alike_test(const mmd_render_mesh *mesh, const mmd_render_model_desc *a,
                        const mmd_render_model_desc *b);
uint32_t draw_alike(const draw_subject *subject, uint32_t first, alike_test *alike);

/*
 * Tests whether material `next` can be drawn together with the materials from `first` on, which it follows.
 */
typedef bool run_test(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t first,
                      uint32_t next);

/* Returns the range of faces from material *m on that can be drawn with one call. Sets *m to the last
 * material in it. */
draw_range draw_run(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, run_test *belongs,
                    uint32_t *m);

static inline size_t element_size(GLenum type)
{
    return type == GL_UNSIGNED_SHORT ? 2 : 4;
}

#endif
