/*
 * Drawing with MMD's look (docs/mmd.md 6): the skin pass, self-shadow map, material
 * passes, edges, ground shadow; and the id pass, which tells whose a pixel is.
 *
 * Render sees matrices, weights and pictures, never actors: mmd/view.h joins
 * them. A frame is
 *   mmd_render_skin for every instance to be drawn;
 *   mmd_render_begin;
 *   if the scene has self shadow: mmd_render_shadow_map_begin,
 *   mmd_render_casters for every instance, mmd_render_shadow_map_end;
 *   mmd_render_clear, mmd_render_background, mmd_render_grid, mmd_render_model for each instance in
 *   draw order, mmd_render_ground_shadow for each, mmd_render_lines;
 *   mmd_render_end.
 *
 * Everything belongs to the thread of the mmd_gpu.
 */
#ifndef MMD_RENDER_H
#define MMD_RENDER_H

#include "mmd/gpu.h"
#include "mmd/image.h"
#include "mmd/model.h"
#include "mmd/physscene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What all models share: programs, shared toons, samplers. */
typedef struct mmd_renderer mmd_renderer;

/* gpu must outlive the renderer. log is copied. */
mmd_status mmd_renderer_create(mmd_gpu *gpu, const mmd_log *log, mmd_renderer **result, mmd_error *error);
void mmd_renderer_destroy(mmd_renderer *renderer); /* NULL is allowed */

/* A picture on the GPU. Zeroed: none. */
typedef struct mmd_render_texture {
    uint32_t id;
    uint8_t min_alpha;      /* the smallest alpha of its pixels */
    bool white;             /* all of it opaque white */
    uint8_t bottom_left[3]; /* the colour there: what a toon's self shadow is */
} mmd_render_texture;

/*
 * Uploads a picture, halved until it fits into what the GPU allows (which is
 * logged). The caller owns the texture. MMD_ERROR_GL, MMD_ERROR_MEMORY.
 */
mmd_status mmd_render_texture_create(mmd_renderer *renderer, const mmd_image *image, const char *label,
                                     mmd_render_texture *texture, mmd_error *error);
void mmd_render_texture_destroy(mmd_renderer *renderer, mmd_render_texture *texture);

/* The textures of one material. Zeroed ones are not there: no texture is white, no sphere none, no toon flat.
 */
typedef struct mmd_render_material_textures {
    mmd_render_texture texture, sphere, toon;
} mmd_render_material_textures;

/* Number 0..9 of toon01..toon10; the renderer keeps it. */
mmd_render_texture mmd_renderer_shared_toon(const mmd_renderer *renderer, int number);

/* A model's unchanging part on the GPU. */
typedef struct mmd_render_mesh mmd_render_mesh;

typedef struct mmd_render_mesh_desc {
    const mmd_model *model; /* must outlive the mesh */
    const mmd_render_material_textures
        *materials;             /* by material; copied, the textures must outlive the mesh */
    const float (*tangents)[3]; /* by vertex, or NULL: the mesh has none */
} mmd_render_mesh_desc;

/* MMD_ERROR_LIMIT: a table that is larger than the GPU's textures; MMD_ERROR_GL, MMD_ERROR_MEMORY. */
mmd_status mmd_render_mesh_create(mmd_renderer *renderer, const mmd_render_mesh_desc *desc,
                                  mmd_render_mesh **result, mmd_error *error);
void mmd_render_mesh_destroy(mmd_render_mesh *mesh); /* NULL is allowed; after its instances */

/* One posed copy of a mesh: bone texels, morph weights, skinned vertices. */
typedef struct mmd_render_instance mmd_render_instance;

/* The mesh must outlive the instance. MMD_ERROR_LIMIT: more bones or morphs than a texture holds;
 * MMD_ERROR_MEMORY, MMD_ERROR_GL. */
mmd_status mmd_render_instance_create(mmd_render_mesh *mesh, mmd_render_instance **result, mmd_error *error);
void mmd_render_instance_destroy(mmd_render_instance *instance); /* NULL is allowed */

/* A soft body that drives vertices of a model, and its nodes in the world: positions and unit normals. */
typedef struct mmd_render_soft {
    const mmd_phys_soft_body *body; /* told apart by pointer; must live until another pose is skinned */
    const float (*positions)[4], (*normals)[4]; /* node_count of each */
} mmd_render_soft;

typedef struct mmd_render_pose {
    const float (*palette)[8]; /* by bone: rotation x, y, z, w, translation x, y, z, 0 */
    const float (
        *affine)[12];       /* by bone, rows of a matrix: in place of the palette; NULL: no bone is scaled */
    const float *weights;   /* by morph, effective */
    const float *placement; /* column-major matrix put on the skinned vertices, its axes of one length at
                               right angles; NULL: none */
    bool sdef_slerp;        /* SDEF by slerp, not by the normalised linear blend */
    const mmd_render_soft *softs; /* whose vertices lie where the nodes are: placement does not move them */
    size_t soft_count;
} mmd_render_pose;

/* Uploads what changed since the last call, and skins if anything did. MMD_ERROR_GL; for soft bodies that
 * were not there in the last call also MMD_ERROR_MEMORY, MMD_ERROR_LIMIT. */
mmd_status mmd_render_skin(mmd_render_instance *instance, const mmd_render_pose *pose, mmd_error *error);

/*
 * The vertices as the GPU skinned them last, 3 floats each: mmd_render_skin
 * must have succeeded before. All but positions may be NULL; tangents are left
 * alone if the mesh has none. uvs has UV morphs inside. A mesh without vertices
 * is legal everywhere: it draws nothing, and nothing is written here. Waits for
 * the GPU. MMD_ERROR_MEMORY, MMD_ERROR_GL.
 */
mmd_status mmd_render_read_vertices(mmd_render_instance *instance, float (*positions)[3], float (*normals)[3],
                                    float (*tangents)[3], float (*uvs)[2], mmd_error *error);

/* Camera and light. Matrices as mmd_camera_matrices gives them. */
typedef struct mmd_render_scene {
    float view[16], projection[16], eye[3];
    float fov; /* degrees */
    float light_color[3];
    float light_direction[3]; /* from the light, any length */
    bool d3d9_centers;        /* pixel centres half a pixel right and down */
    bool smooth;              /* normals per pixel, and of unit length there; MMD's are per vertex */
    uint8_t self_shadow;      /* 0: none; the modes 1 and 2 of a VMD */
    float shadow_distance;    /* as in VMD keys */
    /* The whole picture in pixels, and where in it the framebuffer's top left pixel is: a framebuffer may
     * hold a part of the picture, or reach beyond it. */
    uint32_t picture_width, picture_height;
    int32_t left, top;
    uint32_t
        samples_across; /* so many of the framebuffer's pixels are lines of the grid and of materials wide,
                           and points times as large: in pictures that are averaged to fewer; 0: 1 */
} mmd_render_scene;

/* Starts a frame in a framebuffer (0: the window's) of width x height pixels, all sizes above 0. After it has
 * failed, no end is due. MMD_ERROR_GL. */
mmd_status mmd_render_begin(mmd_renderer *renderer, const mmd_render_scene *scene, uint32_t framebuffer,
                            uint32_t width, uint32_t height, mmd_error *error);
/* Colour as it is to stand in the picture: not multiplied by its alpha. Depth and stencil too. */
void mmd_render_clear(mmd_renderer *renderer, const float rgba[4]);

/*
 * A picture behind everything that is drawn after it: rectangle is where of the
 * whole picture it lies, in pixels from the top left: left, top, width, height.
 * The texture is made and freed by the two functions below; it is drawn over
 * what is there as its alpha says. MMD_ERROR_LIMIT: larger than the GPU's
 * textures; MMD_ERROR_GL.
 */
mmd_status mmd_render_background(mmd_renderer *renderer, uint32_t texture, const float rectangle[4],
                                 mmd_error *error);
mmd_status mmd_render_background_create(mmd_renderer *renderer, const mmd_image *image, uint32_t *texture,
                                        mmd_error *error);
void mmd_render_background_destroy(mmd_renderer *renderer, uint32_t texture); /* 0 is allowed */

typedef struct mmd_render_model_desc {
    const mmd_material_values *materials; /* by material */
    const float (*factor_adds)[12]; /* by material: added to texture, sphere, toon factors; NULL: zeros */
    const uint8_t *hidden;          /* by material: not 0 is not drawn, nor edge and shadow; NULL: all are */
    float edge_origin[3];           /* where the camera's distance is measured for edges */
    float edge_scale;               /* of its edges' width; 0: no edges */
    float opacity;                  /* 0..1: multiplies every alpha */
    bool additive;                  /* blending adds to what is there */
    bool self_shadow;               /* casts and receives it, where materials say so */
} mmd_render_model_desc;

/*
 * The self-shadow map of the scene that mmd_render_begin was given; its mode
 * is not 0. Between begin and end only mmd_render_casters may be called. All
 * use what mmd_render_skin left in the instance. After begin has failed, no
 * end is due; after casters have, either this end or mmd_render_end ends it.
 * MMD_ERROR_GL.
 */
mmd_status mmd_render_shadow_map_begin(mmd_renderer *renderer, mmd_error *error);
mmd_status mmd_render_casters(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              mmd_error *error);
void mmd_render_shadow_map_end(mmd_renderer *renderer);

/* All materials of a model in their order, then all its edges. Uses what mmd_render_skin left in the
 * instance. MMD_ERROR_GL: a shader is refused; what drawing itself does wrong, mmd_render_end reports. */
mmd_status mmd_render_model(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                            mmd_error *error);

/*
 * The model's shadow on the ground y = 0, in one colour; each pixel is
 * darkened once a frame. Nothing where the light comes from the horizon.
 * MMD_ERROR_GL, as mmd_render_model.
 */
mmd_status mmd_render_ground_shadow(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                                    const float rgba[4], mmd_error *error);

/*
 * A crowd: posed copies of one mesh, its members, which are skinned in one pass
 * and drawn together. Draw calls then grow with materials and not with members,
 * as far as members are drawn with the same numbers: one whose material a morph
 * changes at this frame is drawn by itself. Vertices are those of instances,
 * bit for bit.
 */
typedef struct mmd_render_crowd mmd_render_crowd;

/* How many members the GPU's tables hold; 0 for meshes that cannot be in crowds (tangents, no vertices). */
size_t mmd_render_crowd_limit(const mmd_render_mesh *mesh);

/* Empty. The mesh must outlive the crowd. MMD_ERROR_MEMORY, MMD_ERROR_GL. */
mmd_status mmd_render_crowd_create(mmd_render_mesh *mesh, mmd_render_crowd **result, mmd_error *error);
void mmd_render_crowd_destroy(mmd_render_crowd *crowd); /* NULL is allowed */

/*
 * Uploads what changed of all members' poses and skins if anything did. Arrays
 * of count pointers, count at least 1; one sdef_slerp for all; no soft bodies.
 * scene: the one that the frame is begun with, for the width of edges.
 * MMD_ERROR_MEMORY, MMD_ERROR_GL: the crowd is empty.
 */
mmd_status mmd_render_crowd_skin(mmd_render_crowd *crowd, const mmd_render_scene *scene,
                                 const mmd_render_pose *const *poses,
                                 const mmd_render_model_desc *const *descs, size_t count, mmd_error *error);

/*
 * As mmd_render_model of count members from first on, but material after
 * material instead of member after member. descs: of all members, as they were
 * given to mmd_render_crowd_skin. The picture is the same where no two of them
 * touch each other in it (mmd_render_find_extent), or nothing of them blends
 * (mmd_render_blends) and nowhere two of them are equally deep.
 */
mmd_status mmd_render_crowd_models(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                   size_t first, size_t count, mmd_error *error);

/* As mmd_render_casters of all members. */
mmd_status mmd_render_crowd_casters(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                    mmd_error *error);

/* As mmd_render_ground_shadow of count members from first on. Where shadows have holes, those of members that
 * are drawn together may come out in another order. */
mmd_status mmd_render_crowd_ground_shadows(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                           size_t first, size_t count, const float rgba[4], mmd_error *error);
bool mmd_render_ground_shadow_has_holes(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc);

/* Whether anything of a model, in the scene begun last, is blended with what is there. */
bool mmd_render_blends(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc);

/* A rectangle of the whole picture, in clip space: -1 is left and below. */
typedef struct mmd_render_extent {
    float low[2], high[2];
} mmd_render_extent;

/* One that all a posed mesh draws lies in, edges too: infinite where none is known, low above high where all
 * is behind the eye. MMD_ERROR_MEMORY. */
mmd_status mmd_render_find_extent(mmd_render_mesh *mesh, const mmd_render_pose *pose,
                                  const mmd_render_model_desc *desc, const mmd_render_scene *scene,
                                  mmd_render_extent *extent, mmd_error *error);

/* MMD's grid on the ground and the axes. MMD_ERROR_GL, as mmd_render_model. */
mmd_status mmd_render_grid(mmd_renderer *renderer, mmd_error *error);

/* A line in the world; where both ends are the same, a round dot. */
typedef struct mmd_render_line {
    float from[3], to[3];
    uint8_t color[4]; /* not multiplied by its alpha */
    float width; /* across, in pixels of a picture of 720 rows, in others in proportion; at least one pixel */
    float faint; /* how much of it is seen through what hides it: 1 as usual, 0 nothing */
} mmd_render_line;

/* Lines over all that was drawn before, faintly where they lie behind it. MMD_ERROR_GL, as mmd_render_model.
 */
mmd_status mmd_render_lines(mmd_renderer *renderer, const mmd_render_line *lines, size_t count,
                            mmd_error *error);

/* Ends what begin began, also after an error in between. MMD_ERROR_GL: OpenGL reports one of the frame. */
mmd_status mmd_render_end(mmd_renderer *renderer, mmd_error *error);

/* The largest framebuffer of one's own that this GPU draws to, in pixels a side. */
uint32_t mmd_renderer_largest_target(const mmd_renderer *renderer);

/* What an id pass draws to: three numbers a pixel, and depth. Zeroed is valid and empty. */
typedef struct mmd_render_id_target {
    uint32_t framebuffer;
    uint32_t ids, depth; /* renderbuffers */
    uint32_t width, height;
} mmd_render_id_target;

/* Makes it this large; does nothing if it is already. MMD_ERROR_LIMIT, MMD_ERROR_GL. */
mmd_status mmd_render_id_target_resize(mmd_renderer *renderer, mmd_render_id_target *target, uint32_t width,
                                       uint32_t height, mmd_error *error);
void mmd_render_id_target_finish(mmd_renderer *renderer, mmd_render_id_target *target);
/* Reads width x height pixels, bottom row first; waits for the GPU. */
void mmd_render_id_target_read(mmd_renderer *renderer, const mmd_render_id_target *target,
                               uint32_t (*ids)[3]);

/* Where nothing was drawn: all three numbers. */
#define MMD_RENDER_NO_ID UINT32_MAX

/* In place of mmd_render_clear and mmd_render_model, in an id target: model, material and dominant bone (the
 * one of most weight, of the triangle's last vertex) of every pixel of a model's materials and edges. */
void mmd_render_clear_ids(mmd_renderer *renderer);
mmd_status mmd_render_ids(mmd_render_instance *instance, const mmd_render_model_desc *desc, uint32_t model,
                          mmd_error *error);

/* What is drawn in place of a model's materials. */
typedef enum mmd_surface {
    MMD_SURFACE_PICTURE,   /* nothing else: mmd_render_model does */
    MMD_SURFACE_CLAY,      /* grey, lit from the eye */
    MMD_SURFACE_WEIGHTS,   /* the same, and how much a bone moves each place: blue little, red all */
    MMD_SURFACE_MODELS,    /* each place in mmd_id_color of whose it is: of the model, */
    MMD_SURFACE_MATERIALS, /* the material, */
    MMD_SURFACE_BONES      /* or the dominant bone, as mmd_render_ids has it */
} mmd_surface;

typedef struct mmd_surface_desc {
    mmd_surface kind;
    uint32_t model; /* its number, for MMD_SURFACE_MODELS */
    uint32_t bone;  /* for MMD_SURFACE_WEIGHTS */
} mmd_surface_desc;

/* In place of mmd_render_model; edges are not drawn. Errors as there, and MMD_ERROR_MEMORY. */
mmd_status mmd_render_surface(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              const mmd_surface_desc *surface, mmd_error *error);

/* The triangles of a model's materials as lines, where they are not hidden by what was drawn before. Nothing
 * where the GPU cannot fetch from buffers as large as the model's. MMD_ERROR_GL, as mmd_render_model. */
mmd_status mmd_render_wire(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                           mmd_error *error);

/* The colour of a number: of neighbours far apart. The low four bits of red, green and blue are the number's
 * last twelve, so that colours are told apart, and read back, up to 4096. */
void mmd_id_color(uint32_t id, uint8_t rgb[3]);

/* A triangle of an instance, of a material's surface or of its edge. */
typedef struct mmd_triangle {
    uint32_t material, number; /* the number within the material */
    bool edge;
} mmd_triangle;

/* What it makes of a pixel. */
typedef struct mmd_render_sample {
    bool covers;                          /* it has the pixel's middle, and something is drawn there */
    float depth;                          /* 0 near, 1 far, as the depth buffer has it */
    float color[4];                       /* that is drawn, before blending */
    float base_color[4];                  /* the material's without textures; of edges nothing from here on */
    float texture[4], sphere[4], toon[4]; /* as they are there, before morphs' factors; else ones */
    float toon_place;                     /* down the toon: 0 in the light, 1 away from it */
    float light;                          /* that arrives, of 1, for self shadow; 1 without */
    float highlight;                      /* that the specular colour is multiplied by, without that light */
} mmd_render_sample;

/*
 * Looks at pixel x, y (from the top left) of a scene's picture: between begin
 * and mmd_render_end comes, for every triangle that may be there,
 * mmd_render_inspect; before them the self-shadow map if the scene has one.
 * The scene's left and top do not count. MMD_ERROR_GL, MMD_ERROR_MEMORY.
 */
mmd_status mmd_render_inspect_begin(mmd_renderer *renderer, const mmd_render_scene *scene, uint32_t x,
                                    uint32_t y, mmd_error *error);
mmd_status mmd_render_inspect(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              const mmd_triangle *triangle, mmd_render_sample *sample, mmd_error *error);

/* What frames consist of. */
typedef enum mmd_render_pass {
    MMD_PASS_SKIN,
    MMD_PASS_SHADOW_MAP,
    MMD_PASS_OBJECT,
    MMD_PASS_EDGE,
    MMD_PASS_GROUND_SHADOW,
    MMD_PASS_COUNT
} mmd_render_pass;

/* "skin", "shadow map", "object", "edge", "ground shadow" */
const char *mmd_render_pass_name(mmd_render_pass pass);

/*
 * Whether passes are measured. Each is waited for then, so that its time is
 * its own on software drivers too, which otherwise do all work of a frame at
 * its end; frames take longer for it.
 */
void mmd_renderer_measure(mmd_renderer *renderer, bool measure);

/* Counted since mmd_render_statistics_reset. */
typedef struct mmd_render_statistics {
    double upload_us;
    uint64_t upload_bytes;
    uint32_t draw_calls;
    double pass_us[MMD_PASS_COUNT]; /* zeros unless measured */
} mmd_render_statistics;
mmd_render_statistics mmd_renderer_get_statistics(const mmd_renderer *renderer);
void mmd_renderer_reset_statistics(mmd_renderer *renderer);

/*
 * The arithmetic, apart from OpenGL.
 */

/* World width of an edge for edge size 1 and vertex edge scale 1: 2.87e-5 * distance * fov in degrees
 * (docs/mmd.md 6.6). */
float mmd_edge_width(const float eye[3], const float origin[3], float fov);

/* projection with D3D9's pixel centres: everything half a pixel right and down. */
void mmd_shift_pixel_centers(const float projection[16], uint32_t width, uint32_t height, float result[16]);

/*
 * The node of every vertex that a soft body drives, in the order of
 * body->vertices: node + 1, negative where the vertex has the opposite of the
 * node's normal, because it belongs to the back of cloth drawn in two layers.
 * MMD_ERROR_MEMORY.
 */
mmd_status mmd_soft_vertex_nodes(const mmd_model *model, const mmd_phys_soft_body *body, int32_t *nodes,
                                 mmd_error *error);

/* Straight alpha from premultiplied, in place; count pixels of RGBA. */
void mmd_unpremultiply(uint8_t *rgba, size_t count);

#ifdef __cplusplus
}
#endif

#endif
