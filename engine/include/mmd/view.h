/*
 * Draws a stage to pictures: loads textures, keeps each model's GPU data and draws. This is the main
 * interface for drawing.
 *
 * All functions must be called on the thread of the mmd_gpu unless they say otherwise.
 */
#ifndef MMD_VIEW_H
#define MMD_VIEW_H

#include "mmd/actor.h"
#include "mmd/gpu.h"
#include "mmd/ids.h"
#include "mmd/physics.h"
#include "mmd/source.h"
#include "mmd/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_pixel_centers {
    MMD_PIXEL_CENTERS_D3D9, /* as in MMD: half a pixel right and down of OpenGL's */
    MMD_PIXEL_CENTERS_GL
} mmd_pixel_centers;

typedef enum mmd_shading {
    MMD_SHADING_MMD,   /* lighting per vertex */
    MMD_SHADING_SMOOTH /* lighting per pixel with unit normals */
} mmd_shading;

typedef struct mmd_view_options {
    float background[4];      /* rgba; alpha 0 with rgb 0: transparent */
    bool checkerboard;        /* shows a transparent background as a checkerboard, for windows */
    bool background_pictures; /* draws the stage's background pictures, if any, over that colour */
    bool edge;
    bool grid;                      /* grid and axes */
    bool self_shadow;               /* with the stage's mode and distance at its frame; mode 0: none */
    bool ground_shadow;             /* in the light's colour, drawn before the models */
    float ground_shadow_brightness; /* factor of that colour: 0 is black, 1 as in MMD */
    bool ground_shadow_transparent; /* as MMD's: alpha 0.65 */
    uint32_t samples;               /* MSAA samples for mmd_view_picture, 0 or 1: none; a framebuffer has
                                       its own */
    mmd_pixel_centers pixel_centers;
    mmd_sdef_variant sdef;
    mmd_shading shading;
    bool mip_maps;       /* textures have smaller levels, as in MMD unless its menu switches them off */
    bool show_bodies;    /* draws lines over the picture: physics bodies, and soft bodies if physics is on, */
    bool show_joints;    /* their joints, */
    bool show_contacts;  /* and contacts */
    bool show_bones;     /* current bones: blue, IK orange, hidden ones grey */
    bool show_wireframe; /* all visible triangle edges */
    bool show_normals;   /* normals of vertices */
    mmd_surface surface; /* replaces materials, edges and shadows */
    bool each_actor;     /* skins and draws actors with the same model one by one, not as a crowd */
    uint32_t weights_actor, weights_bone; /* for MMD_SURFACE_WEIGHTS; other actors are drawn as clay */
    uint32_t tile; /* largest tile of mmd_view_picture in pixels per side; 0: the GPU's limit */
} mmd_view_options;

/* Returns the settings of MMD's picture output: white background, edges, no grid, no shadows, no MSAA, D3D9
 * pixel centres, mip maps. */
mmd_view_options mmd_default_view_options(void);

/*
 * The memory that the textures of a scene take. Beyond a limit they are drawn smaller: all whose longer side
 * is over 8192 pixels are halved until it is not, if need be over 4096, and so on down to 1. What is counted
 * are textures with their smaller levels, and buffers while one of them is decoded. It depends on the headers
 * of the pictures and on the limit, on nothing else.
 *
 * Decoding a picture takes time however small it is drawn, which is a trap where its file is small. So what
 * all of them cost (mmd_image_cost), each beyond MMD_TEXTURE_WORTH times its file, is limited to
 * MMD_TEXTURE_DECODED times the limit, or the default limit if that is higher. Beyond it the largest are not
 * opened: all of more than 8192 x 8192 pixels, if need be of more than 4096 x 4096, and so on. Pictures of a
 * model with equal bytes are decoded once and count once.
 */
enum {
    MMD_TEXTURE_MEMORY_MIB = 1024, /* default limit */
    MMD_TEXTURE_SIZES = 15,
    MMD_TEXTURE_WORTH = 16,
    MMD_TEXTURE_DECODED = 24
};

typedef struct mmd_texture_memory {
    uint64_t limit; /* bytes */
    /* If no side is longer than MMD_IMAGE_SIZE_MAX >> i pixels: bytes of all textures, the most that decoding
     * one of them takes, and the number of textures that are smaller than their files. */
    uint64_t held[MMD_TEXTURE_SIZES], working[MMD_TEXTURE_SIZES], smaller[MMD_TEXTURE_SIZES];
    /* Of the pictures with at most (MMD_IMAGE_SIZE_MAX >> i) squared pixels: what decoding them costs. */
    uint64_t decoded[MMD_TEXTURE_SIZES];
    uint64_t refused; /* number of pictures of which decoding one takes more than the limit */
    uint64_t kept;    /* bytes of files that wait for being decoded */
} mmd_texture_memory;

mmd_texture_memory mmd_texture_memory_of(uint64_t limit);

/* Adds a picture. */
void mmd_texture_memory_add(mmd_texture_memory *memory, const mmd_image_info *info);

/* Returns the lowest i at which the textures stay within the limit; the last one if none does. */
uint32_t mmd_texture_memory_size(const mmd_texture_memory *memory);

/* Returns whether both scenes open textures up to the same size, and draw them at the same. */
bool mmd_texture_memory_alike(const mmd_texture_memory *a, const mmd_texture_memory *b);

/* Returns whether some pictures are not opened. */
bool mmd_texture_memory_leaves_out(const mmd_texture_memory *memory);

/* Returns why a picture that was added is not opened: MMD_ERROR_LIMIT; or MMD_OK. */
mmd_status mmd_texture_memory_check(const mmd_texture_memory *memory, const mmd_image_info *info,
                                    mmd_error *error);

typedef struct mmd_view mmd_view;

/* Creates a view. gpu must outlive it; log is copied. Fails with MMD_ERROR_GL and MMD_ERROR_MEMORY. */
mmd_status mmd_view_create(mmd_gpu *gpu, const mmd_log *log, mmd_view **result, mmd_error *error);
void mmd_view_destroy(mmd_view *view); /* NULL is allowed */

/*
 * Prepares a model for drawing: uploads its mesh and loads its textures from source, relative to folder (""
 * is the source's root). Each missing texture is logged once and drawn as in MMD. Models are identified by
 * pointer; adding one again does nothing. source and folder are only used during the call. The model must
 * outlive the view or be removed first. Its textures alone take up to MMD_TEXTURE_MEMORY_MIB. Fails with
 * MMD_ERROR_LIMIT if a mesh, morph or bone table exceeds the GPU's texture size, MMD_ERROR_MEMORY and
 * MMD_ERROR_GL; the model is not in the view then.
 */
mmd_status mmd_view_add_model(mmd_view *view, const mmd_model *model, mmd_source *source, const char *folder,
                              mmd_error *error);

/* A model for mmd_view_add_models. source and folder are as for mmd_view_add_model. */
typedef struct mmd_view_addition {
    const mmd_model *model;
    mmd_source *source;
    const char *folder;
    const char *title; /* name for messages if the model has none, such as its file name */
} mmd_view_addition;

/*
 * Prepares the models of a scene for drawing like mmd_view_add_model, and keeps their textures together
 * within memory->limit; memory receives what they take. Models that are in the view already are loaded again
 * only if their textures have to have other sizes. A model that is listed twice counts twice. On an error
 * *failed is the index of the model.
 */
mmd_status mmd_view_add_models(mmd_view *view, const mmd_view_addition *models, size_t count,
                               mmd_texture_memory *memory, size_t *failed, mmd_error *error);

/* Frees the GPU data of a model. Does nothing if it was not added. */
void mmd_view_remove_model(mmd_view *view, const mmd_model *model);

/* Returns the number of textures of a model that could not be loaded, and their names as in the file (valid
 * while the model is in the view). */
size_t mmd_view_missing_textures(const mmd_view *view, const mmd_model *model, const char *const **names);

/*
 * Draws the stage's current state to a framebuffer (0: the window's) of the given size in pixels (above 0)
 * after clearing it. Models that were not added are skipped and logged once. Fails with MMD_ERROR_MEMORY and
 * MMD_ERROR_LIMIT if several actors share a model and another instance cannot be created, and MMD_ERROR_GL.
 * The framebuffer's contents are undefined then.
 */
mmd_status mmd_view_draw(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                         uint32_t framebuffer, uint32_t width, uint32_t height, mmd_error *error);

/* A rectangle of a framebuffer (0: the window's): its bottom left pixel, and its size, which is above 0. */
typedef struct mmd_view_place {
    uint32_t framebuffer, left, bottom, width, height;
} mmd_view_place;

/* Draws the stage like mmd_view_draw, but to a rectangle of the framebuffer. Colours outside of it stay as
 * they are. */
mmd_status mmd_view_draw_in(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            const mmd_view_place *place, mmd_error *error);

/*
 * Describes the scene of a host program: a program with an OpenGL context, a renderer and a camera of its
 * own, into whose framebuffer the stage's actors are drawn among the program's own objects.
 *
 * Matrices are column-major. The host's eye space is OpenGL's (right-handed, looking along -Z) or one that
 * looks along +Z; the projection tells which. It may be finite or infinite, shifted, without perspective, or
 * upside down. The eye is the origin of eye space. view and world may turn, move, mirror, and scale all axes
 * alike. Whatever they mirror, front faces are found.
 */
typedef struct mmd_view_host {
    mmd_view_place place; /* framebuffer and rectangle (viewport); nothing outside of it is touched, and the
                             host's scissor box is not used */
    float view[16];       /* from the host's world to its eye space */
    float projection[16]; /* from eye space to clip space */
    float world[16]; /* from MMD's space (left-handed, Y up, +Z away from who sees the front of a model; 1
                        unit is about 8 cm) to the host's world. Default: mirrors z, which is right for
                        right-handed worlds. In metres: 0.08 and -0.08 on the diagonal */
    bool zero_to_one_depth; /* projection is for glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE); default: depth
                               goes from -1 to 1. Needs OpenGL 4.5 or GL_ARB_clip_control */
    bool reversed_depth;    /* less depth in the buffer is farther; default: nearer. Depth is tested with
                               GL_GEQUAL then, else with GL_LEQUAL */
    float depth_range[2];   /* as for glDepthRange; default: 0, 1 */
    bool clear_color;       /* clears the rectangle to the options' background; default: false */
    bool clear_depth;       /* clears its depth to the farthest; default: false */
    uint8_t stencil_bits;   /* stencil bits that ground shadows may clear and set, so that they darken a pixel
                               once; 0: none. Default: 0x80. Without ground shadows no bit is touched */
    bool restore_state;     /* saves and restores OpenGL's state (mmd_gpu_state); default: false */
} mmd_view_host;

/* Returns a host with the window's framebuffer, an empty rectangle, and view and projection that do nothing.
 */
mmd_view_host mmd_default_view_host(void);

/*
 * Draws the stage's current state into the scene of a host program, with the host's camera instead of the
 * stage's. Actors hide and are hidden by what the depth buffer holds, and write their depth; blended parts
 * are blended with what is there, so opaque objects of the host come first, and its blended ones later. The
 * light is the stage's (mmd_stage_set_light_direction; in MMD's space).
 *
 * Background, checkerboard, background pictures, samples and tile of options have no effect, but that
 * clear_color uses the background. pixel_centers should be MMD_PIXEL_CENTERS_GL, so that actors are not drawn
 * half a pixel beside their place.
 *
 * - Colours are written as MMD computes them, gamma-encoded, with GL_FRAMEBUFFER_SRGB off: right for ordinary
 *   and for sRGB framebuffers. A framebuffer of linear colours would show them too bright.
 * - Colours are blended as premultiplied by alpha, and alpha gathers coverage: an opaque framebuffer stays
 *   opaque, and an empty one receives a layer that is composited with (GL_ONE, GL_ONE_MINUS_SRC_ALPHA).
 * - The framebuffer may be multisampled. Only its first draw buffer is written.
 *
 * Sets all OpenGL state that it depends on, and leaves it changed without restore_state: see mmd_gpu_state.
 * The host wraps other functions of the view, such as mmd_view_add_model, in mmd_gpu_save_state and
 * mmd_gpu_restore_state if it relies on its own. Without restore_state nothing is read from the driver but
 * errors. An OpenGL error from before the call is discarded with a warning.
 *
 * Errors as for mmd_view_draw; MMD_ERROR_ARGUMENT if the rectangle is empty or the matrices are not as above;
 * and MMD_ERROR_UNSUPPORTED if zero_to_one_depth needs what the context lacks. Nothing is drawn then.
 */
mmd_status mmd_view_draw_into(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              const mmd_view_host *host, mmd_error *error);

/*
 * Draws the stage to a picture. Pictures larger than the GPU's limit or options->tile are drawn in seamless
 * tiles. image is initialised if its size differs, and can be reused for the next frame. Fails with
 * MMD_ERROR_LIMIT if larger than mmd_image_init allows, MMD_ERROR_MEMORY and MMD_ERROR_GL. The caller then
 * still owns image, with undefined pixels.
 */
mmd_status mmd_view_picture(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            uint32_t width, uint32_t height, mmd_image *image, mmd_error *error);

/*
 * Draw pictures like mmd_view_picture without waiting for OpenGL: it reads one picture while the next is
 * drawn. Up to MMD_VIEW_PICTURES may be begun, and they are taken in this order; taking waits for the
 * picture. Those that are not taken end with the view. Errors as for mmd_view_picture.
 */
enum { MMD_VIEW_PICTURES = 2 };
mmd_status mmd_view_picture_begin(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                  uint32_t width, uint32_t height, mmd_error *error);
mmd_status mmd_view_picture_take(mmd_view *view, mmd_image *image, mmd_error *error);

/*
 * A sum of pictures for averaging: of the pixels of a larger one (supersampling) or of several times (motion
 * blur). Samples are summed as integers, so their order does not matter, and rounded once at the end. They
 * are averaged gamma-encoded and premultiplied, like MSAA, so compositing a transparent average over a
 * background equals drawing over that background. Zeroed is valid and empty.
 */
typedef struct mmd_picture_sum {
    uint32_t width, height;
    uint32_t *sums;   /* width * height * 4, premultiplied, top row first */
    uint32_t samples; /* samples per pixel so far */
    bool deep;        /* 16 bits per channel; false: 8 */
} mmd_picture_sum;

/* Limit of accumulated samples per pixel, so that sums fit in 32 bits, and of the supersampling factor. */
enum { MMD_PICTURE_SAMPLES_MAX = 65536, MMD_SUPERSAMPLE_MAX = 8 };

/* Starts an empty sum of this size, reusing memory if it fits. Fails with MMD_ERROR_LIMIT and
 * MMD_ERROR_MEMORY. */
mmd_status mmd_picture_sum_begin(mmd_picture_sum *sum, uint32_t width, uint32_t height, bool deep,
                                 mmd_error *error);
void mmd_picture_sum_finish(mmd_picture_sum *sum);

/*
 * Draws the stage like mmd_view_picture, `times` as large (1 to MMD_SUPERSAMPLE_MAX, in tiles if necessary),
 * and adds times * times samples to each pixel. Pixels cover the same area as those of the plain picture,
 * with either pixel centres. At most MMD_PICTURE_SAMPLES_MAX samples may be accumulated. A deep sum is drawn
 * with 16 bits per channel. Errors as for mmd_view_picture; the sum is undefined then.
 */
mmd_status mmd_view_picture_add(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                uint32_t times, mmd_picture_sum *sum, mmd_error *error);

/*
 * Compute the average of a sum with at least one sample: opaque, or with straight alpha. image is initialised
 * if its size differs. For one 8-bit sample the result equals that of mmd_view_picture byte for byte. Fail
 * with MMD_ERROR_MEMORY.
 */
mmd_status mmd_picture_sum_image(const mmd_picture_sum *sum, bool opaque, mmd_image *image, mmd_error *error);
mmd_status mmd_picture_sum_image16(const mmd_picture_sum *sum, bool opaque, mmd_image16 *image,
                                   mmd_error *error);

/* All three numbers of a pixel where nothing is drawn. */
#define MMD_VIEW_NO_ID UINT32_MAX

/*
 * Draws an id picture: for each pixel, the index of the actor on the stage, of the model's material and of
 * the bone with the highest weight (at one corner of the triangle). Materials and edges are drawn in the
 * order of mmd_view_picture without antialiasing; shadows and the grid are left out. ids has width * height
 * elements, top row first. Errors as for mmd_view_picture; ids are undefined then.
 */
mmd_status mmd_view_ids(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                        uint32_t width, uint32_t height, uint32_t (*ids)[3], mmd_error *error);

/* Draws ids likewise with the names of models, materials and bones, for comparisons (ids.h). Finish the ids
 * in either case. Fails also like mmd_ids_make. */
mmd_status mmd_view_named_ids(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              uint32_t width, uint32_t height, mmd_ids *ids, mmd_error *error);

/* The surface that a pixel shows. All zero where nothing is drawn. */
typedef struct mmd_view_surface {
    float normal[3]; /* interpolated in world space, of unit length; zero if the model has none there. Not
                        turned towards the eye */
    float depth;     /* distance from the eye along the view axis, in MMD's units */
} mmd_view_surface;

/*
 * Draws an id picture with the surfaces at the same point of each pixel, its centre (as options say). An edge
 * is the expanded back of its material. surfaces has width * height elements; NULL for none. Errors as for
 * mmd_view_ids.
 */
mmd_status mmd_view_surfaces(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                             uint32_t width, uint32_t height, uint32_t (*ids)[3], mmd_view_surface *surfaces,
                             mmd_error *error);

/*
 * Draws ids, and where surfaces is not NULL also surfaces, like mmd_view_surfaces, but as mmd_view_draw_into
 * would place them in the host's rectangle, whose size the planes have. The host's own objects hide nothing:
 * a surface is visible if its depth is not beyond theirs. Depth is along the host's view axis in MMD's units,
 * that is, the distance in the host's world divided by the scale of world. The host's framebuffer is not
 * touched. Errors as for mmd_view_draw_into and mmd_view_ids.
 */
mmd_status mmd_view_surfaces_into(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                  const mmd_view_host *host, uint32_t (*ids)[3], mmd_view_surface *surfaces,
                                  mmd_error *error);

/* A pixel of a picture of that size, counted from the top left. */
typedef struct mmd_view_pixel {
    uint32_t width, height, x, y;
} mmd_view_pixel;

/* A surface or edge under a pixel. */
typedef struct mmd_view_layer {
    uint32_t actor, material, triangle;  /* triangle is the index within the material */
    bool edge;                           /* belongs to the edge */
    uint32_t corners[3];                 /* vertex indices */
    float parts[3];                      /* barycentric coordinates */
    float position[3], normal[3], uv[2]; /* interpolated in world space, normals not of unit length; for
                                            edges, of the surface before its extrusion */
    mmd_render_sample sample;
    bool drawn;  /* was visible when drawn; later layers may cover it */
    float share; /* share of the pixel's colour, 0..1 */
} mmd_view_layer;

/*
 * Finds the layers under a pixel in drawing order: the triangles of materials and edges that mmd_view_picture
 * draws there, including hidden ones. Writes the last max of them. Points, lines, the grid, ground shadows
 * and replacement surfaces are left out. Waits for the GPU. Errors as for mmd_view_ids.
 */
mmd_status mmd_view_inspect(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            const mmd_view_pixel *pixel, mmd_view_layer *layers, size_t max, size_t *count,
                            mmd_error *error);

/*
 * Reads the vertices of an actor as the GPU skinned them for its current pose: 3 floats each,
 * model->vertices.count of them, without the actor's placement. Vertices of soft bodies have their simulated
 * positions. normals may be NULL. The model must have been added. Waits for the GPU. Fails with
 * MMD_ERROR_MEMORY, MMD_ERROR_LIMIT and MMD_ERROR_GL.
 */
mmd_status mmd_view_read_stage_vertices(mmd_view *view, const mmd_stage *stage, size_t actor,
                                        mmd_sdef_variant sdef, float (*positions)[3], float (*normals)[3],
                                        mmd_error *error);

/*
 * Replaces the vertices of soft bodies in the result of mmd_pose_skin for the actor by their simulated
 * positions. vertices has model->vertices.count elements. Does nothing if physics is off. Does not need a
 * GPU. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_soft_skin_reference(const mmd_stage *stage, size_t actor, mmd_skinned_vertex *vertices,
                                   mmd_error *error);

/* Passes of a frame for mmd_view_statistics: "skin", "shadow map", "object", "edge", "ground shadow". */
enum { MMD_VIEW_PASSES = 5 };
const char *mmd_view_pass_name(int pass);

/* Sets whether passes are measured. Waiting for each makes frames slower. Off at first. */
void mmd_view_measure(mmd_view *view, bool measure);

/* Cost of drawing, for benchmarks: microseconds of uploads in the last draw, bytes uploaded. */
typedef struct mmd_view_statistics {
    double upload_us;
    uint64_t upload_bytes;
    uint32_t draw_calls;
    double pass_us[MMD_VIEW_PASSES]; /* while mmd_view_measure is on */
} mmd_view_statistics;
mmd_view_statistics mmd_view_get_statistics(const mmd_view *view);

#ifdef __cplusplus
}
#endif

#endif
