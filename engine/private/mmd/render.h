/*
 * Drawing in MMD's style (docs/mmd.md 6): skinning, self-shadow map, materials, edges, ground shadow; and the
 * id pass, which records the model, material and bone of each pixel.
 *
 * Its inputs are matrices, weights and pictures, not actors; mmd/view.h connects the two. A frame consists of
 *   mmd_render_skin for every instance to be drawn;
 *   mmd_render_begin;
 *   if the scene has self shadow: mmd_render_shadow_map_begin, mmd_render_casters for every instance,
 *     mmd_render_shadow_map_end;
 *   mmd_render_clear, mmd_render_background, mmd_render_grid, mmd_render_model for each instance in drawing
 *     order, mmd_render_ground_shadow for each, mmd_render_lines;
 *   mmd_render_end.
 *
 * All functions must be called on the thread of the mmd_gpu.
 */
#ifndef MMD_RENDER_H
#define MMD_RENDER_H

#include "mmd/gpu_objects.h"
#include "mmd/image.h"
#include "mmd/model.h"
#include "mmd/physscene.h"
#include "mmd/pool.h"
#include "mmd/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Resources shared by all models: programs, shared toons, samplers. */
typedef struct mmd_renderer mmd_renderer;

/* Creates a renderer. gpu must outlive it; log is copied. Fails with MMD_ERROR_GL and MMD_ERROR_MEMORY. */
mmd_status mmd_renderer_create(mmd_gpu *gpu, const mmd_log *log, mmd_renderer **result, mmd_error *error);
void mmd_renderer_destroy(mmd_renderer *renderer); /* NULL is allowed */

/* A picture on the GPU. Zeroed: none. */
typedef struct mmd_render_texture {
    uint32_t id;
    uint8_t min_alpha;      /* the smallest alpha of its pixels */
    bool white;             /* all pixels are opaque white */
    uint8_t bottom_left[3]; /* colour of that pixel: the self-shadow colour of a toon */
} mmd_render_texture;

/* A picture that waits for its upload. Zeroed: none. */
typedef struct mmd_render_picture {
    mmd_image image;
    mmd_render_texture properties; /* without id */
    mmd_pool *pool;                /* helps to enlarge it; NULL: none */
} mmd_render_picture;

/* Makes one of an image that has pixels, and takes them over. May be called from any thread. */
void mmd_render_picture_init(mmd_render_picture *picture, mmd_image *image);
void mmd_render_picture_finish(mmd_render_picture *picture);

/* Returns whether a picture's sides are enlarged. */
bool mmd_render_picture_is_enlarged(const mmd_render_picture *picture);

/*
 * Uploads a picture with its smaller levels. Its sides are enlarged to powers of two, and halved until they
 * fit the GPU's limit, which is logged. The caller owns the texture.
 * Fails with MMD_ERROR_GL and MMD_ERROR_MEMORY.
 */
mmd_status mmd_render_texture_create(mmd_renderer *renderer, const mmd_render_picture *picture,
                                     const char *label, mmd_render_texture *texture, mmd_error *error);
void mmd_render_texture_destroy(mmd_renderer *renderer, mmd_render_texture *texture);

/* The textures of one material. Missing ones are zeroed: no texture acts as white, no sphere and no toon have
 * no effect. */
typedef struct mmd_render_material_textures {
    mmd_render_texture texture, sphere, toon;
} mmd_render_material_textures;

/* Returns a shared toon; number is 0..9 for toon01..toon10. The renderer owns it. */
mmd_render_texture mmd_renderer_shared_toon(const mmd_renderer *renderer, int number);

/* The constant data of a model on the GPU. */
typedef struct mmd_render_mesh mmd_render_mesh;

typedef struct mmd_render_mesh_desc {
    const mmd_model *model; /* must outlive the mesh */
    const mmd_render_material_textures
        *materials;             /* by material; copied, but the textures must outlive the mesh */
    const float (*tangents)[3]; /* by vertex; NULL: the mesh has none */
} mmd_render_mesh_desc;

/* Creates a mesh. Fails with MMD_ERROR_LIMIT if a table exceeds the GPU's texture size, MMD_ERROR_GL and
 * MMD_ERROR_MEMORY. */
mmd_status mmd_render_mesh_create(mmd_renderer *renderer, const mmd_render_mesh_desc *desc,
                                  mmd_render_mesh **result, mmd_error *error);
void mmd_render_mesh_destroy(mmd_render_mesh *mesh); /* NULL is allowed; destroy its instances before */

/* Replaces the textures of a mesh: by material; copied. */
void mmd_render_mesh_set_textures(mmd_render_mesh *mesh, const mmd_render_material_textures *materials);

/* A posed copy of a mesh: bone texels, morph weights, skinned vertices. */
typedef struct mmd_render_instance mmd_render_instance;

/* Creates an instance. mesh must outlive it. Fails with MMD_ERROR_LIMIT if there are more bones or morphs
 * than a texture holds, MMD_ERROR_MEMORY and MMD_ERROR_GL. */
mmd_status mmd_render_instance_create(mmd_render_mesh *mesh, mmd_render_instance **result, mmd_error *error);
void mmd_render_instance_destroy(mmd_render_instance *instance); /* NULL is allowed */

/* A soft body that moves vertices of a model, with positions and unit normals of its nodes in world space. */
typedef struct mmd_render_soft {
    const mmd_phys_soft_body *body; /* identified by pointer; must exist until another pose is skinned */
    const float (*positions)[4], (*normals)[4]; /* node_count of each */
} mmd_render_soft;

typedef struct mmd_render_pose {
    const float (*palette)[8]; /* by bone: rotation x, y, z, w, translation x, y, z, 0 */
    const float (
        *affine)[12];       /* by bone, rows of a matrix that replaces the palette; NULL: no bone is scaled */
    const float *weights;   /* effective, by morph */
    const float *placement; /* column-major matrix applied to the skinned vertices, with uniform scale;
                               NULL: none */
    bool sdef_slerp;        /* SDEF by slerp; false: by normalised linear blending */
    const mmd_render_soft *softs; /* their vertices lie at their nodes; placement does not move them */
    size_t soft_count;
} mmd_render_pose;

/* Uploads changes since the last call and skins if there were any. Fails with MMD_ERROR_GL; for soft bodies
 * that were not in the last call also with MMD_ERROR_MEMORY and MMD_ERROR_LIMIT. */
mmd_status mmd_render_skin(mmd_render_instance *instance, const mmd_render_pose *pose, mmd_error *error);

/*
 * Reads back the vertices that the GPU skinned last, 3 floats each, after a successful mmd_render_skin. All
 * outputs except positions may be NULL. tangents is not written if the mesh has none. uvs includes UV morphs.
 * Waits for the GPU. Fails with MMD_ERROR_MEMORY and MMD_ERROR_GL. Meshes without vertices are allowed
 * everywhere: they draw and write nothing.
 */
mmd_status mmd_render_read_vertices(mmd_render_instance *instance, float (*positions)[3], float (*normals)[3],
                                    float (*tangents)[3], float (*uvs)[2], mmd_error *error);

/* Camera and light of a frame. Matrices are as from mmd_camera_matrices. */
typedef struct mmd_render_scene {
    float view[16], projection[16], eye[3];
    float fov; /* degrees */
    float light_color[3];
    float light_direction[3]; /* direction of the light's rays, of any length */
    bool d3d9_centers;        /* pixel centres half a pixel right and down */
    bool smooth;              /* normals per pixel and normalised there; false: per vertex, as in MMD */
    bool no_mip_maps;         /* textures have no smaller levels */
    uint8_t self_shadow;      /* 0: none; else mode 1 or 2 of a VMD */
    float shadow_distance;    /* as in VMD keys */
    /* The size of the whole picture in pixels, and the position of the framebuffer's top left pixel in it. A
     * framebuffer may hold a part of the picture or extend beyond it. */
    uint32_t picture_width, picture_height;
    int32_t left, top;
    int32_t target_left, target_bottom; /* pixel of the framebuffer, from its bottom left, where the drawing
                                           begins; the rest of the framebuffer stays as it is */
    bool mirrored;                      /* the picture is mirrored: front faces are counterclockwise in it */
    bool zero_to_one_depth;             /* depth in clip space goes from 0 to w instead of -w to w; needs
                                           mmd_gpu_has_clip_control */
    bool reversed_depth;                /* less depth is farther */
    float edge_width; /* world width of edges of size 1; 0: by fov and distance, as in MMD */
    bool hosted;      /* the framebuffer has another program's picture: nothing outside of the rectangle is
                         touched, other draw buffers than the first are not written, and what follows is used */
    float depth_range[2];    /* depths of the near and far ends of clip space */
    uint8_t stencil_bits;    /* bits that ground shadows use; 0: none, shadows then darken twice where they
                                overlap */
    uint32_t samples_across; /* width of grid and material lines in framebuffer pixels, and factor of point
                                sizes, for supersampled pictures; 0: 1 */
} mmd_render_scene;

/* Starts a frame in a framebuffer (0: the window's) of width x height pixels; all sizes are above 0. */
void mmd_render_begin(mmd_renderer *renderer, const mmd_render_scene *scene, uint32_t framebuffer,
                      uint32_t width, uint32_t height);
/* Clears colour (not premultiplied), depth and stencil of the pixels that the frame draws. */
void mmd_render_clear(mmd_renderer *renderer, const float rgba[4]);
/* Clear one of them, of the stencil only the bits that ground shadows use. */
void mmd_render_clear_color(mmd_renderer *renderer, const float rgba[4]);
void mmd_render_clear_depth(mmd_renderer *renderer);
void mmd_render_clear_stencil(mmd_renderer *renderer);

/*
 * mmd_render_background draws a texture behind everything drawn later, blended by its alpha. rectangle is its
 * left, top, width and height in pixels of the whole picture, from the top left. The caller creates and
 * destroys the texture with the two functions below. They fail with MMD_ERROR_LIMIT if it exceeds the GPU's
 * texture size, and MMD_ERROR_GL.
 */
mmd_status mmd_render_background(mmd_renderer *renderer, uint32_t texture, const float rectangle[4],
                                 mmd_error *error);
mmd_status mmd_render_background_create(mmd_renderer *renderer, const mmd_image *image, uint32_t *texture,
                                        mmd_error *error);
void mmd_render_background_destroy(mmd_renderer *renderer, uint32_t texture); /* 0 is allowed */

typedef struct mmd_render_model_desc {
    const mmd_material_values *materials; /* by material */
    const float (*factor_adds)[12];       /* by material: additions to the texture, sphere and toon factors;
                                             NULL: zeros */
    const uint8_t *hidden; /* by material: not 0 hides its surface, edge and shadow; NULL: all are
                              visible */
    float edge_origin[3];  /* point whose distance from the camera scales the edges */
    float edge_scale;      /* factor of the edge width; 0: no edges */
    float opacity;         /* 0..1, multiplies every alpha */
    bool additive;         /* additive blending */
    bool self_shadow;      /* casts and receives self shadow, for materials that do */
} mmd_render_model_desc;

/*
 * Draw the self-shadow map of the scene given to mmd_render_begin; its mode is not 0. Between begin and end
 * only mmd_render_casters may be called, which draws the vertices of the last mmd_render_skin. If begin
 * fails, end must not be called. If casters fail, either this end or mmd_render_end ends the map. Fail with
 * MMD_ERROR_GL.
 */
mmd_status mmd_render_shadow_map_begin(mmd_renderer *renderer, mmd_error *error);
mmd_status mmd_render_casters(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              mmd_error *error);
void mmd_render_shadow_map_end(mmd_renderer *renderer);

/* What a mesh will be drawn with. */
typedef struct mmd_render_wanted {
    bool crowd, ground_shadow;
    bool ahead;          /* also what morphs can make of the materials */
    bool shadow_changes; /* with ahead: self shadow comes and goes */
} mmd_render_wanted;

/* Begins to make programs that a mesh needs in the scene of the last mmd_render_begin, without waiting for
 * the driver. Those that are missing when something is drawn are made then. Fails with MMD_ERROR_MEMORY. */
mmd_status mmd_render_begin_programs(mmd_render_mesh *mesh, const mmd_render_wanted *wanted,
                                     mmd_error *error);

/*
 * Draw all materials of a model in order, and all its edges, with the vertices of the last mmd_render_skin.
 * additive blends the edges so; models that are additive themselves have none.
 * Fail with MMD_ERROR_GL if a shader is rejected. Errors of the drawing itself are reported by
 * mmd_render_end.
 */
mmd_status mmd_render_model(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                            mmd_error *error);
mmd_status mmd_render_edges(mmd_render_instance *instance, const mmd_render_model_desc *desc, bool additive,
                            mmd_error *error);

/*
 * Draws the model's shadow on the ground in one colour, opaque or transparent, darkening each pixel once per
 * frame. Draws nothing if the light is horizontal. Errors as for mmd_render_model.
 */
mmd_status mmd_render_ground_shadow(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                                    const float rgb[3], bool transparent, mmd_error *error);

/*
 * A crowd is a set of posed copies of one mesh, its members, that are skinned in one pass and drawn together.
 * The number of draw calls depends on materials, not members, as long as members use equal values; a member
 * with a morphed material is drawn separately. The vertices are those of instances, bit for bit.
 */
typedef struct mmd_render_crowd mmd_render_crowd;

/* Returns how many members the GPU's tables can hold; 0 for meshes that cannot be in a crowd (with tangents
 * or without vertices). */
size_t mmd_render_crowd_limit(const mmd_render_mesh *mesh);

/* Creates an empty crowd. mesh must outlive it. Fails with MMD_ERROR_MEMORY and MMD_ERROR_GL. */
mmd_status mmd_render_crowd_create(mmd_render_mesh *mesh, mmd_render_crowd **result, mmd_error *error);
void mmd_render_crowd_destroy(mmd_render_crowd *crowd); /* NULL is allowed */

/*
 * Uploads changes of all members' poses and skins if there were any. poses and descs have count (at least 1)
 * pointers, with the same sdef_slerp and no soft bodies. scene is that of the coming mmd_render_begin, for
 * the edge width. Fails with MMD_ERROR_MEMORY and MMD_ERROR_GL; the crowd is empty then.
 */
mmd_status mmd_render_crowd_skin(mmd_render_crowd *crowd, const mmd_render_scene *scene,
                                 const mmd_render_pose *const *poses,
                                 const mmd_render_model_desc *const *descs, size_t count, mmd_error *error);

/*
 * Draw count members from first on like mmd_render_model and mmd_render_edges, but material by material
 * instead of member by member. descs holds those of all members, as given to mmd_render_crowd_skin. The
 * picture is the same if no two members overlap in it (mmd_render_find_extent), or if they do not blend
 * (mmd_render_blends) and nowhere have equal depth.
 */
mmd_status mmd_render_crowd_models(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                   size_t first, size_t count, mmd_error *error);
mmd_status mmd_render_crowd_edges(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                  size_t first, size_t count, bool additive, mmd_error *error);

/* Draws all members like mmd_render_casters. */
mmd_status mmd_render_crowd_casters(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                    mmd_error *error);

/* Draws the shadows of count members from first on like mmd_render_ground_shadow. */
mmd_status mmd_render_crowd_ground_shadows(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                           size_t first, size_t count, const float rgb[3], bool transparent,
                                           mmd_error *error);
/* Returns whether parts of the model's transparent ground shadow darken less than others. */
bool mmd_render_ground_shadow_is_uneven(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc);

/* Returns whether any part of a model would be blended with the picture in the scene of the last
 * mmd_render_begin. */
bool mmd_render_blends(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc);

/* A rectangle of the whole picture in clip space, from -1 (left, bottom) to 1. */
typedef struct mmd_render_extent {
    float low[2], high[2];
} mmd_render_extent;

/* Computes a rectangle that contains everything a posed mesh draws, including edges: infinite if unknown, low
 * above high if everything is behind the eye. Fails with MMD_ERROR_MEMORY. */
mmd_status mmd_render_find_extent(mmd_render_mesh *mesh, const mmd_render_pose *pose,
                                  const mmd_render_model_desc *desc, const mmd_render_scene *scene,
                                  mmd_render_extent *extent, mmd_error *error);

/* Draws MMD's ground grid and axes. Errors as for mmd_render_model. */
mmd_status mmd_render_grid(mmd_renderer *renderer, mmd_error *error);

/* A line in world space, or a round dot if both ends are equal. */
typedef struct mmd_render_line {
    float from[3], to[3];
    uint8_t color[4]; /* not premultiplied */
    float width;      /* width in pixels of a picture with 720 rows, scaled for others; at least one pixel */
    float faint;      /* opacity where something hides the line: 1 as usual, 0 invisible */
} mmd_render_line;

/* Draws lines over everything drawn before, with `faint` where they are hidden. Errors as for
 * mmd_render_model. */
mmd_status mmd_render_lines(mmd_renderer *renderer, const mmd_render_line *lines, size_t count,
                            mmd_error *error);

/* Ends the frame, also after an error since mmd_render_begin. Fails with MMD_ERROR_GL for any OpenGL error of
 * the frame. */
mmd_status mmd_render_end(mmd_renderer *renderer, mmd_error *error);

/* Returns the largest size of an offscreen framebuffer on this GPU, in pixels per side. */
uint32_t mmd_renderer_largest_target(const mmd_renderer *renderer);

/* The target of an id pass: three numbers per pixel, and depth. Zeroed is valid and empty. */
typedef struct mmd_render_id_target {
    uint32_t framebuffer;
    uint32_t ids, depth; /* renderbuffers */
    uint32_t geometry;   /* renderbuffer of normals and depths; 0 for none */
    uint32_t width, height;
} mmd_render_id_target;

/* Resizes the target, or does nothing if it has this size. geometry: normals and depths are drawn too. Fails
 * with MMD_ERROR_LIMIT and MMD_ERROR_GL. */
mmd_status mmd_render_id_target_resize(mmd_renderer *renderer, mmd_render_id_target *target, uint32_t width,
                                       uint32_t height, bool geometry, mmd_error *error);
void mmd_render_id_target_finish(mmd_renderer *renderer, mmd_render_id_target *target);
/* Reads width x height pixels, bottom row first. Waits for the GPU. Fails with MMD_ERROR_MEMORY. */
mmd_status mmd_render_id_target_read(mmd_renderer *renderer, const mmd_render_id_target *target,
                                     uint32_t (*ids)[3], mmd_error *error);
/* Reads the geometry in the same way: a normal in world space, not of unit length, and the distance from the
 * eye along the view axis; zeros where nothing was drawn. */
void mmd_render_id_target_read_geometry(mmd_renderer *renderer, const mmd_render_id_target *target,
                                        float (*geometry)[4]);

/* All three numbers of a pixel where nothing was drawn. */
#define MMD_RENDER_NO_ID UINT32_MAX

/*
 * Replace mmd_render_clear and mmd_render_model for an id target: write model, material and dominant bone
 * (that with the highest weight, of the triangle's last vertex) of every pixel of a model's materials and
 * edges.
 */
void mmd_render_clear_ids(mmd_renderer *renderer, const mmd_render_id_target *target);
mmd_status mmd_render_ids(mmd_render_instance *instance, const mmd_render_model_desc *desc, uint32_t model,
                          const mmd_render_id_target *target, mmd_error *error);

/* What is drawn instead of a model's materials. */
typedef struct mmd_surface_desc {
    mmd_surface kind;
    uint32_t model; /* number of the model, for MMD_SURFACE_MODELS */
    uint32_t bone;  /* for MMD_SURFACE_WEIGHTS */
} mmd_surface_desc;

/* Draws a surface instead of mmd_render_model, without edges. Errors as there, and MMD_ERROR_MEMORY. */
mmd_status mmd_render_surface(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              const mmd_surface_desc *surface, mmd_error *error);

/* Draws the triangles of a model's materials as lines where they are visible. Errors as for mmd_render_model.
 */
mmd_status mmd_render_wire(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                           mmd_error *error);

/* A triangle of an instance, of a material's surface or edge. */
typedef struct mmd_triangle {
    uint32_t material, number; /* number is the index within the material */
    bool edge;
} mmd_triangle;

/*
 * Starts the inspection of pixel x, y (from the top left) of a scene's picture. Call mmd_render_inspect for
 * every triangle that may cover it, then mmd_render_end. The self-shadow map, if the scene has one, is drawn
 * before. The scene's left and top are ignored. Fails with MMD_ERROR_GL and MMD_ERROR_MEMORY.
 */
mmd_status mmd_render_inspect_begin(mmd_renderer *renderer, const mmd_render_scene *scene, uint32_t x,
                                    uint32_t y, mmd_error *error);
/* Computes the contribution of a triangle to the inspected pixel. */
mmd_status mmd_render_inspect(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              const mmd_triangle *triangle, mmd_render_sample *sample, mmd_error *error);

/* The passes of a frame. */
typedef enum mmd_render_pass {
    MMD_PASS_SKIN,
    MMD_PASS_SHADOW_MAP,
    MMD_PASS_OBJECT,
    MMD_PASS_EDGE,
    MMD_PASS_GROUND_SHADOW,
    MMD_PASS_COUNT
} mmd_render_pass;

/* Returns "skin", "shadow map", "object", "edge" or "ground shadow". */
const char *mmd_render_pass_name(mmd_render_pass pass);

/*
 * Sets whether passes are measured. The renderer then waits for each pass, because software drivers otherwise
 * do all work at the end of a frame. This makes frames slower.
 */
void mmd_renderer_measure(mmd_renderer *renderer, bool measure);

/* Statistics since mmd_renderer_reset_statistics. */
typedef struct mmd_render_statistics {
    double upload_us;
    uint64_t upload_bytes;
    uint32_t draw_calls;
    double pass_us[MMD_PASS_COUNT]; /* zeros unless measured */
} mmd_render_statistics;
mmd_render_statistics mmd_renderer_get_statistics(const mmd_renderer *renderer);
void mmd_renderer_reset_statistics(mmd_renderer *renderer);

/* Computations without OpenGL. */

/* Returns the world width of an edge for edge size 1 and vertex edge scale 1: (2.7e-5 * fov + 4.5e-5) *
 * distance in degrees (docs/mmd.md 6.6). */
float mmd_edge_width(const float eye[3], const float origin[3], float fov);

/* Returns the world width of an edge for edge size 1 in a scene. */
float mmd_render_edge_width(const mmd_render_scene *scene, const float origin[3]);

/* Computes a projection with Direct3D 9's pixel centres, half a pixel right and down. */
void mmd_shift_pixel_centers(const float projection[16], uint32_t width, uint32_t height, float result[16]);

/*
 * Computes the node of every vertex that a soft body moves, in the order of body->vertices: node + 1,
 * negative if the vertex has the opposite normal because it belongs to the back of two-layered cloth. Fails
 * with MMD_ERROR_MEMORY.
 */
mmd_status mmd_soft_vertex_nodes(const mmd_model *model, const mmd_phys_soft_body *body, int32_t *nodes,
                                 mmd_error *error);

/* Converts count RGBA pixels from premultiplied to straight alpha in place. */
void mmd_unpremultiply(uint8_t *rgba, size_t count);

#ifdef __cplusplus
}
#endif

#endif
