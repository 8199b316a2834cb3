/*
 * A stage to pictures: loads textures, keeps what the GPU needs of each model,
 * draws. What the program and users of the library call.
 *
 * Belongs to the thread of its mmd_gpu.
 */
#ifndef MMD_VIEW_H
#define MMD_VIEW_H

#include "mmd/actor.h"
#include "mmd/gpu.h"
#include "mmd/image.h"
#include "mmd/physics.h"
#include "mmd/render.h"
#include "mmd/source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_pixel_centers {
    MMD_PIXEL_CENTERS_D3D9, /* as MMD: half a pixel right and down of OpenGL's */
    MMD_PIXEL_CENTERS_GL
} mmd_pixel_centers;

typedef enum mmd_shading {
    MMD_SHADING_MMD,   /* lit at vertices */
    MMD_SHADING_SMOOTH /* lit at pixels, with normals of unit length */
} mmd_shading;

typedef struct mmd_view_options {
    float background[4];      /* rgba; alpha 0 with rgb 0: transparent */
    bool background_pictures; /* over that colour, where the stage has some */
    bool edge;
    bool grid;          /* grid and axes */
    bool self_shadow;   /* in the mode and distance that the stage has at its frame; mode 0: none */
    bool ground_shadow; /* in the light's colour, drawn after all actors */
    float ground_shadow_brightness; /* multiplies that colour */
    bool ground_shadow_transparent; /* half of it */
    uint32_t samples;               /* MSAA of mmd_view_picture, 0 or 1: none; a framebuffer has its own */
    mmd_pixel_centers pixel_centers;
    mmd_sdef_variant sdef;
    mmd_shading shading;
    bool show_bodies;    /* as lines over the picture (below): bodies of physics, soft ones where it is on, */
    bool show_joints;    /* their joints, */
    bool show_contacts;  /* and where they touch */
    bool show_bones;     /* of poses as they stand: blue, those of IK orange, hidden ones grey */
    bool show_wireframe; /* every triangle, where nothing hides it */
    bool show_normals;   /* of vertices */
    mmd_surface surface; /* in place of materials, edges and shadows */
    bool each_actor;     /* no crowds: actors that share a model are skinned and drawn one by one, too */
    uint32_t weights_actor, weights_bone; /* of MMD_SURFACE_WEIGHTS: other actors are clay */
    uint32_t
        tile; /* mmd_view_picture draws no more than so many pixels a side at once; 0: what the GPU can */
} mmd_view_options;

/* MMD's output as files of it are made: white, edges, no grid, no shadows, no MSAA, D3D9's pixel centres. */
mmd_view_options mmd_default_view_options(void);

typedef struct mmd_view mmd_view;

/* gpu must outlive the view. log is copied. */
mmd_status mmd_view_create(mmd_gpu *gpu, const mmd_log *log, mmd_view **result, mmd_error *error);
void mmd_view_destroy(mmd_view *view); /* NULL is allowed */

/*
 * Makes an actor's model drawable: uploads its mesh, loads its textures from
 * source, where names are relative to folder ("" is the source's root).
 * Missing textures are reported once each through the log and drawn as MMD
 * would. Models are told apart by pointer; adding one again is free. source
 * and folder are needed only during the call; the model must outlive the view
 * or be removed before it goes.
 * MMD_ERROR_LIMIT: a mesh, morph or bone table over the GPU's texture size;
 * MMD_ERROR_MEMORY, MMD_ERROR_GL. After an error the model is not in the view.
 */
mmd_status mmd_view_add_model(mmd_view *view, const mmd_model *model, mmd_source *source, const char *folder,
                              mmd_error *error);

/* Frees what the GPU keeps of the model. Does nothing if it was not added. */
void mmd_view_remove_model(mmd_view *view, const mmd_model *model);

/* Textures of the model that could not be loaded: number, and names as in the file (valid while the model is
 * in the view). */
size_t mmd_view_missing_textures(const mmd_view *view, const mmd_model *model, const char *const **names);

/*
 * Draws the stage as it stands to a framebuffer (0: the window's) of the given
 * size in pixels (above 0); clears it first. Models that were not added are
 * skipped and reported once. MMD_ERROR_MEMORY and MMD_ERROR_LIMIT: another
 * instance of a model that several actors share; MMD_ERROR_GL. After an error
 * the framebuffer holds anything.
 */
mmd_status mmd_view_draw(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                         uint32_t framebuffer, uint32_t width, uint32_t height, mmd_error *error);

/*
 * Draws the stage to a picture; one larger than the GPU draws at once, or than
 * options->tile, in tiles, which have no seams. image is initialised by the
 * call if its size differs, and can be used again for the next frame.
 * MMD_ERROR_LIMIT: larger than mmd_image_init allows; MMD_ERROR_MEMORY, MMD_ERROR_GL.
 * After an error the caller still owns the image; its pixels mean nothing.
 */
mmd_status mmd_view_picture(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            uint32_t width, uint32_t height, mmd_image *image, mmd_error *error);

/*
 * Pictures that are averages of many: of a larger one's pixels (supersampling)
 * or of moments (motion blur). Samples are added up as whole numbers, so that
 * their order does not matter, and rounded once at the end. They are averaged
 * as they stand, gamma-encoded and multiplied by their alpha, as MSAA does:
 * then a transparent picture laid over a background is what drawing before
 * that background gives. Zeroed is valid and empty.
 */
typedef struct mmd_picture_sum {
    uint32_t width, height;
    uint32_t *sums;   /* width * height * 4: colours multiplied by alpha; top row first */
    uint32_t samples; /* of a pixel, so far */
    bool deep;        /* samples have 16 bits a number, else 8 */
} mmd_picture_sum;

/* As many samples may a pixel have: their sum stays within 32 bits. */
enum { MMD_PICTURE_SAMPLES_MAX = 65536, MMD_SUPERSAMPLE_MAX = 8 };

/* An empty sum of this size; what it had is kept in use where it fits. MMD_ERROR_LIMIT, MMD_ERROR_MEMORY. */
mmd_status mmd_picture_sum_begin(mmd_picture_sum *sum, uint32_t width, uint32_t height, bool deep,
                                 mmd_error *error);
void mmd_picture_sum_finish(mmd_picture_sum *sum);

/*
 * Draws the stage as mmd_view_picture does, `times` as large (1 to
 * MMD_SUPERSAMPLE_MAX), in tiles where that is too large for the GPU, and adds
 * what each pixel's times * times samples are. Pixels lie where those of the
 * plain picture lie, with MMD's centres too. No sum of samples may pass
 * MMD_PICTURE_SAMPLES_MAX. A deep sum is drawn with 16 bits a number. Errors
 * as of mmd_view_picture; then the sum means nothing.
 */
mmd_status mmd_view_picture_add(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                uint32_t times, mmd_picture_sum *sum, mmd_error *error);

/*
 * The average, of at least one sample: opaque, or with straight alpha. image
 * is initialised by the call if its size differs. Of one sample of 8 bits it
 * is mmd_view_picture's, byte for byte. MMD_ERROR_MEMORY.
 */
mmd_status mmd_picture_sum_image(const mmd_picture_sum *sum, bool opaque, mmd_image *image, mmd_error *error);
mmd_status mmd_picture_sum_image16(const mmd_picture_sum *sum, bool opaque, mmd_image16 *image,
                                   mmd_error *error);

/* Where there is nothing: all three numbers of a pixel. */
#define MMD_VIEW_NO_ID UINT32_MAX

/*
 * Whose each pixel of a picture is: index of the actor on the stage, of its
 * model's material, and of the bone with most weight (at one corner of the
 * triangle). Materials and edges are drawn as mmd_view_picture draws them, in
 * their order, without antialiasing; shadows and the grid are not in it. ids
 * has width * height elements, the picture's top row first. Errors as of
 * mmd_view_picture; then ids mean nothing.
 */
mmd_status mmd_view_ids(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                        uint32_t width, uint32_t height, uint32_t (*ids)[3], mmd_error *error);

/* A pixel of a picture of that size, from the top left. */
typedef struct mmd_view_pixel {
    uint32_t width, height, x, y;
} mmd_view_pixel;

/* One of the surfaces and edges that lie under it. */
typedef struct mmd_view_layer {
    uint32_t actor, material, triangle;  /* the triangle within the material */
    bool edge;                           /* of its outline */
    uint32_t corners[3];                 /* vertices */
    float parts[3];                      /* of the corners in what is seen there, of sum 1 */
    float position[3], normal[3], uv[2]; /* by those parts, in the world; not of unit length. Of an edge: of
                                            the surface that it is moved away from */
    mmd_render_sample sample;
    bool drawn;  /* it was not hidden when it was drawn; what came later may still cover it */
    float share; /* of the pixel's colour that is its own, 0..1 */
} mmd_view_layer;

/*
 * What lies under a pixel, in the order of drawing: triangles of materials and
 * of edges that mmd_view_picture draws there, hidden ones too; the last max of
 * them where there are more. Points, lines, grid and ground shadows are left
 * out, and what stands in place of the picture. Waits for the GPU. Errors as
 * of mmd_view_ids.
 */
mmd_status mmd_view_inspect(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            const mmd_view_pixel *pixel, mmd_view_layer *layers, size_t max, size_t *count,
                            mmd_error *error);

/*
 * The vertices of an actor of a stage as the GPU skinned them for its pose as it stands: 3 floats each,
 * model->vertices.count of them, seen from the actor's place; those that its soft bodies drive lie where
 * physics has them. normals may be NULL. The actor's model must have been added. Waits for the GPU.
 * MMD_ERROR_MEMORY, MMD_ERROR_LIMIT, MMD_ERROR_GL.
 */
mmd_status mmd_view_read_stage_vertices(mmd_view *view, const mmd_stage *stage, size_t actor,
                                        mmd_sdef_variant sdef, float (*positions)[3], float (*normals)[3],
                                        mmd_error *error);

/*
 * Puts those vertices in their place in what mmd_skin_reference made for the
 * actor: vertices has model->vertices.count elements. Nothing happens where
 * physics is off. Needs no GPU. MMD_ERROR_MEMORY.
 */
mmd_status mmd_soft_skin_reference(const mmd_stage *stage, size_t actor, mmd_skinned_vertex *vertices,
                                   mmd_error *error);

/* Passes of a frame, for mmd_view_statistics: "skin", "shadow map", "object", "edge", "ground shadow". */
enum { MMD_VIEW_PASSES = 5 };
const char *mmd_view_pass_name(int pass);

/* Whether passes are measured, each waited for; that makes frames slower. Off at first. */
void mmd_view_measure(mmd_view *view, bool measure);

/* What drawing cost so far, for the bench: microseconds spent in uploads of the last draw, bytes uploaded. */
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
