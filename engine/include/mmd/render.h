/*
 * Drawing with MMD's look (MMD.md 6): the skin pass, material passes, edges.
 *
 * Render sees matrices, weights and pictures, never actors: mmd/view.h joins
 * them. A frame is
 *   mmd_render_skin for every instance to be drawn,
 *   mmd_render_begin, mmd_render_clear, then mmd_render_model for each
 *   instance in draw order, mmd_render_grid, mmd_render_end.
 * Passes that need all skinned vertices first (shadow maps) fit in between.
 *
 * Everything belongs to the thread of the mmd_gpu.
 */
#ifndef MMD_RENDER_H
#define MMD_RENDER_H

#include "mmd/gpu.h"
#include "mmd/image.h"
#include "mmd/model.h"

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
    uint8_t min_alpha; /* the smallest alpha of its pixels */
    bool white;        /* all of it opaque white */
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

typedef struct mmd_render_pose {
    const float (*palette)[8]; /* by bone: rotation x, y, z, w, translation x, y, z, 0 */
    const float *weights;      /* by morph, effective */
    bool sdef_slerp;           /* SDEF by slerp, not by the normalised linear blend */
} mmd_render_pose;

/* Uploads what changed since the last call, and skins if anything did. MMD_ERROR_GL. */
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
} mmd_render_scene;

/* Starts a frame in a framebuffer (0: the window's) of width x height pixels, both above 0. MMD_ERROR_GL. */
mmd_status mmd_render_begin(mmd_renderer *renderer, const mmd_render_scene *scene, uint32_t framebuffer,
                            uint32_t width, uint32_t height, mmd_error *error);
/* Colour as it is to stand in the picture: not multiplied by its alpha. Depth and stencil too. */
void mmd_render_clear(mmd_renderer *renderer, const float rgba[4]);

typedef struct mmd_render_model_desc {
    const mmd_material_values *materials; /* by material */
    const float (*factor_adds)[12]; /* by material: added to texture, sphere, toon factors; NULL: zeros */
    float edge_origin[3];           /* where the camera's distance is measured for edges */
    bool edge;
} mmd_render_model_desc;

/* All materials of a model in their order, then all its edges. Uses what mmd_render_skin left in the
 * instance. MMD_ERROR_GL: a shader is refused; what drawing itself does wrong, mmd_render_end reports. */
mmd_status mmd_render_model(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                            mmd_error *error);

/* MMD's grid on the ground and the axes. MMD_ERROR_GL, as mmd_render_model. */
mmd_status mmd_render_grid(mmd_renderer *renderer, mmd_error *error);

/* Ends what begin began, also after an error in between. MMD_ERROR_GL: OpenGL reports one of the frame. */
mmd_status mmd_render_end(mmd_renderer *renderer, mmd_error *error);

/* Counted since mmd_render_statistics_reset. */
typedef struct mmd_render_statistics {
    double upload_us;
    uint64_t upload_bytes;
    uint32_t draw_calls;
} mmd_render_statistics;
mmd_render_statistics mmd_renderer_get_statistics(const mmd_renderer *renderer);
void mmd_renderer_reset_statistics(mmd_renderer *renderer);

/*
 * The arithmetic, apart from OpenGL.
 */

/* World width of an edge for edge size 1 and vertex edge scale 1: 2.87e-5 * distance * fov in degrees
 * (MMD.md 6.6). */
float mmd_edge_width(const float eye[3], const float origin[3], float fov);

/* Column of toon01..toon10 (number 0..9), top row first (MMD.md 6.9). */
void mmd_shared_toon_column(int number, uint8_t rgb[32][3]);

/* projection with D3D9's pixel centres: everything half a pixel right and down. */
void mmd_shift_pixel_centers(const float projection[16], uint32_t width, uint32_t height, float result[16]);

/* saturate(diffuse * light + ambient), diffuse alpha: a material's colour before textures (MMD.md 6.3). */
void mmd_material_base_color(const mmd_material_values *values, const float light_color[3], float rgba[4]);

/* Straight alpha from premultiplied, in place; count pixels of RGBA. */
void mmd_unpremultiply(uint8_t *rgba, size_t count);

#ifdef __cplusplus
}
#endif

#endif
