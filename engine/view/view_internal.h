/* Declarations shared by the files of this module. */
#ifndef MMD_VIEW_INTERNAL_H
#define MMD_VIEW_INTERNAL_H

#include "debug_lines.h"
#include "mmd/pool.h"
#include "mmd/render.h"
#include "mmd/view_load.h"
#include "mmd/view_loading.h"

/* How far a texture is: nobody has begun to read it; its file was read, if there is one; it is decoded, or
 * there is nothing to decode. */
typedef enum texture_reading { TEXTURE_UNREAD, TEXTURE_BEGUN, TEXTURE_READ } texture_reading;

/* The textures of a model. Each file is loaded once. */
typedef struct texture_set {
    mmd_render_texture *textures; /* by texture index, then the shared toons; entries of one file are equal */
    uint32_t count;
    bool *used;                   /* by texture: used by a material */
    bool *owned;                  /* by texture: the first entry of its file, which frees it */
    uint8_t *reading;             /* by texture: a texture_reading */
    bool *concluded;              /* by texture: what was wrong with its file is reported */
    mmd_render_picture *pictures; /* by texture: decoded and not yet uploaded */
    const mmd_error **wrong;      /* by texture: why its file could not be decoded, until that is reported */
    mmd_image_info *infos;        /* by texture: of the first of each file that has a header */
    char **paths;                 /* by texture: path of the file, if found */
    uint32_t *same;               /* by texture: the first one with this file, or with equal bytes */
    uint32_t *namesake;           /* by texture: the first one of this name */
    bool *reported;               /* by texture: its name is in `missing` */
    uint32_t *order;           /* textures in the order of reading; the first of each file, then the others */
    mmd_bytes *kept;           /* by texture: the file, if it was read and is not decoded yet */
    mmd_texture_memory memory; /* what these textures take; its limit is that of the whole scene */
    uint32_t size;             /* index into its arrays: how large textures may be */
    uint32_t opened;           /* index into its arrays: how many pixels a picture may have */
    bool measured;             /* paths, same, order and memory are set */
    double decode_seconds;     /* summed over all threads */
    const char **missing;      /* names of missing files, as in the model */
    size_t missing_count;
} texture_set;

/* Allocates the entries for a model's textures. MMD_ERROR_MEMORY. */
mmd_status texture_set_init(texture_set *set, const mmd_model *model, mmd_arena *arena, mmd_error *error);

/* Returns how often a texture is halved, if its sides may have MMD_IMAGE_SIZE_MAX >> size pixels. */
uint32_t texture_halvings(const mmd_image_info *info, uint32_t size);

/* Returns the lowest i at which decoding takes as long as it may; the last one if none does. */
uint32_t texture_memory_opened(const mmd_texture_memory *memory);

/* Returns why a picture is not opened: MMD_ERROR_LIMIT; or MMD_OK. opened is as of texture_memory_opened. */
mmd_status texture_check(const mmd_image_info *info, uint64_t limit, uint32_t opened, mmd_error *error);

/* Adds all that another sum has. */
void texture_memory_sum(mmd_texture_memory *memory, const mmd_texture_memory *of);

/* Returns whether a model's textures would be the same as part of a scene as they are. */
bool texture_set_fits(const texture_set *set, const mmd_texture_memory *scene);

/* Adds what the textures of a load take, which was measured. */
void view_load_count(const mmd_view_load *load, mmd_texture_memory *memory);

/* Where to search for textures, and who is told about missing ones. */
typedef struct texture_origin {
    const mmd_model *model;
    mmd_source *source;
    const char *folder;
    const char *title; /* name for messages if the model has none */
    const mmd_log *log;
} texture_origin;

/*
 * Finds the files of all textures that are used, in which order to read them, and adds to memory what they
 * take. Keeps some of the files in memory. MMD_ERROR_MEMORY.
 */
mmd_status texture_set_measure(texture_set *set, const texture_origin *origin, mmd_arena *arena,
                               mmd_texture_memory *memory, mmd_error *error);

/*
 * Read one texture of a set that was measured, in three steps. The first one reads its file, on one thread at
 * a time and best in the set's order, and returns whether there are bytes to decode. The second one decodes
 * them, which it frees, and makes the picture, on any thread, without OpenGL; the caller then notes that it
 * is read. The third one reports a missing, refused or broken file once, and belongs on one thread, in the
 * set's order; the texture stays zeroed. Only the first such files are named in the log;
 * texture_set_tell_rest tells how many more there are, once all have been read. It fails with
 * MMD_ERROR_MEMORY.
 */
bool texture_set_fetch(texture_set *set, uint32_t texture, mmd_source *source, mmd_bytes *bytes);
void texture_set_decode(texture_set *set, uint32_t texture, mmd_bytes *bytes);
mmd_status texture_set_conclude(texture_set *set, uint32_t texture, const texture_origin *origin,
                                mmd_error *error);

/* Does all of that at once, if it was not done before. */
mmd_status texture_set_read(texture_set *set, uint32_t texture, const texture_origin *origin,
                            mmd_error *error);

/* The textures of a load, for a reader. */
typedef struct reader_part {
    texture_set *set;
    mmd_source *source;
} reader_part;

/* Waits until a texture is read, and reads others meanwhile. Textures have to be taken in their order. */
void view_reader_take(mmd_view_reader *reader, texture_set *set, uint32_t texture);

/* Returns whether a texture is read, or nobody but the taker will read it. */
bool view_reader_has(mmd_view_reader *reader, const texture_set *set, uint32_t texture);

/* Reads farther ahead, while models are shown before their textures. memory is the reader's. */
void view_reader_read_far(mmd_view_reader *reader, const mmd_texture_memory *memory);

/* Makes room for others: a picture of this size is freed. */
void view_reader_release(mmd_view_reader *reader, uint64_t bytes);

/* Returns as many threads as read, for whoever takes textures. NULL: none. */
mmd_pool *view_reader_pool(mmd_view_reader *reader);

/* Puts the model of a load that no step was taken of into the view, where it was not yet, before its
 * textures. Later steps upload them. Fails with the errors of mmd_view_load_step. */
mmd_status view_load_show(mmd_view *view, mmd_view_load *load, mmd_error *error);
/* Lets a model that is in the view be drawn with the textures that were uploaded since then. */
void view_load_refresh(const mmd_view *view, const mmd_view_load *load);
/* Ends a load whose model is in the view and will get no more textures. */
void view_load_give_up(mmd_view_load *load);

/* Lets a load take its textures from a reader; NULL: reads them itself. Returns what the reader needs. */
reader_part view_load_set_reader(mmd_view_load *load, mmd_view_reader *reader);

/* Returns the most bytes that fetching and decoding a texture takes, and those of its picture. */
uint64_t texture_set_working(const texture_set *set, uint32_t texture);
uint64_t texture_set_waiting(const texture_set *set, uint32_t texture);

void texture_set_tell_rest(const texture_set *set, const texture_origin *origin);

/* Uploads a texture that was read, and frees its picture. reader: whose threads help; may be NULL. */
mmd_status texture_set_upload(texture_set *set, uint32_t texture, mmd_view_reader *reader,
                              mmd_renderer *renderer, mmd_error *error);

/* The first function moves textures that this set could not read from an older set of the same model that
 * could. The second moves them back. */
void texture_set_keep(texture_set *set, texture_set *before);
void texture_set_give_back(texture_set *set, texture_set *before);

void texture_set_forget_pictures(texture_set *set);
/* also frees pictures that were not uploaded */
void texture_set_finish(texture_set *set, mmd_renderer *renderer);

/* Returns the textures of a material, with a shared toon if it uses one. */
mmd_render_material_textures texture_set_material(const texture_set *set, const mmd_renderer *renderer,
                                                  const mmd_model *model, const mmd_material *material);

typedef struct view_model {
    const mmd_model *model;
    mmd_render_mesh *mesh;
    /* Instances for several actors with this model in one frame: the first actor uses the first instance, and
     * so on. */
    mmd_render_instance **instances;
    size_t instance_count, instances_used;
    mmd_render_crowd *crowd; /* draws several actors in one call; created when first needed */
    size_t crowd_room;       /* capacity of the arrays of members */
    size_t in_frame;         /* number of actors with this model in the frame; 1 if they cannot be a crowd */
    size_t first_drawn;      /* index in `drawn` of the first of them */
    size_t member_count;     /* number of them that are in the crowd */
    uint32_t programs;       /* bits of the ways to draw whose programs exist (frame.c) */
    const mmd_render_pose **poses; /* by member */
    const mmd_render_model_desc **descs;
    texture_set textures;
    mmd_render_material_textures *materials; /* those of the mesh, by material */
    mmd_physscene
        scene; /* the model's scene for debug lines while physics is off; created when first needed */
    bool has_scene;
    debug_edges *edges; /* for debug lines; created when first needed */
    mmd_arena arena;
} view_model;

/* An actor of the current frame. */
typedef struct view_drawn {
    view_model *model;
    mmd_render_instance *instance; /* NULL for a member of the model's crowd */
    uint32_t member;
    uint32_t section; /* of accessories or of models, in the order of drawing */
    uint32_t level;   /* draw level: lower levels first; the order within a level does not matter */
    mmd_render_pose pose;
    bool blends, unseen;
    mmd_render_extent extent;
    uint32_t actor; /* index on the stage */
    mmd_render_model_desc desc;
    bool ground_shadow, placed;
    float placement[16];
} view_drawn;

/* A background picture on the GPU. */
typedef struct view_background {
    const void *user; /* identify the owner and the picture */
    uint64_t version;
    uint32_t texture; /* 0 for none */
    float rectangle[4];
    bool shown; /* visible in this frame */
} view_background;

/* A picture that was begun and not taken. */
typedef struct view_reading {
    mmd_gpu_readback readback;
    mmd_image image;        /* of a picture in tiles, which is complete; otherwise without pixels */
    uint32_t width, height; /* of the picture */
    bool opaque;
} view_reading;

struct mmd_view {
    view_background backgrounds[MMD_BACKGROUND_PICTURES_MAX];
    uint32_t checkers; /* texture of a part of a checkerboard; 0: it was not needed yet */
    mmd_gpu *gpu;
    mmd_log log;
    mmd_renderer *renderer;
    view_model **models;
    size_t model_count;
    mmd_view_adding *arriving;  /* textures of models that arrive; NULL: none do */
    const mmd_model **reported; /* models already reported as not added */
    size_t reported_count;
    mmd_gpu_target target;
    view_reading readings[MMD_VIEW_PICTURES]; /* a ring */
    uint32_t first_reading, reading_count;
    mmd_render_id_target id_target;
    mmd_render_soft *softs; /* soft bodies of the actor that is being skinned */
    size_t softs_room;
    view_drawn *drawn; /* actors of this frame, in draw order */
    size_t drawn_count, drawn_room;
    bool has_crowd;
    uint32_t *batches;      /* indices of `drawn` in the order of drawing; members of a crowd are adjacent */
    mmd_render_line *lines; /* debug lines of this frame */
    size_t line_count, line_room;
    uint8_t *states;                /* states of an actor's bodies, for debug lines */
    mmd_transform *body_transforms; /* their world transforms, if they are not the stage's */
    size_t states_room;
    mmd_contact *contacts;  /* contacts for debug lines; NULL until they are needed */
    mmd_render_scene scene; /* scene constants of this frame */
    mmd_view_statistics statistics;
    mmd_view_loading loading;
};

/* Returns a time in seconds, for measurements only. */
double view_seconds(void);

view_model *view_find_model(const mmd_view *view, const mmd_model *model);

/* Create the GPU data of a model whose textures were uploaded, and free it (used by load.c). */
mmd_status view_make_mesh(mmd_view *view, view_model *made, mmd_error *error);
void view_destroy_model(mmd_view *view, view_model *model);

/* Lets the mesh of a model have the textures that its set has. */
void view_set_textures(const mmd_view *view, view_model *model);

/* Waits until all textures have arrived. Fails as mmd_view_adding_arrive. error may be NULL. */
mmd_status view_complete(mmd_view *view, mmd_error *error);

/* Adds a model to the view, in place of an older version of the same model. After MMD_ERROR_MEMORY the caller
 * still owns it. */
mmd_status view_put_model(mmd_view *view, view_model *made, mmd_error *error);

/* Returns what has to be uploaded for a pose. */
mmd_render_pose view_pose(const mmd_pose *pose, mmd_sdef_variant sdef);

/* Adds the soft bodies of an actor while physics moves them. The data belong to the view and are valid until
 * the next call. */
mmd_status view_add_softs(mmd_view *view, const mmd_stage *stage, size_t actor, mmd_render_pose *pose,
                          mmd_error *error);

/* Transforms vertices that are driven by these soft bodies from world space to the model space of the other
 * vertices. placement and normals may be NULL. */
void view_unplace_softs(const mmd_render_pose *pose, const float *placement, float (*positions)[3],
                        float (*normals)[3]);

/* What a frame is prepared for. */
typedef struct view_frame {
    uint32_t width, height;    /* size of the whole picture */
    const mmd_view_host *host; /* a host program's camera and framebuffer; NULL: the stage's camera */
} view_frame;

/* List and skin the actors of a frame. Come before all other work of a picture, because they discard what a
 * host program has left (mmd_gpu_enter). The first one waits until all textures have arrived. */
mmd_status view_prepare(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                        const view_frame *frame, mmd_error *error);
mmd_status view_prepare_arriving(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                 const view_frame *frame, mmd_error *error);

/* Replaces the camera of a scene by that of a host program, and describes its framebuffer (host.c). */
void view_host_scene(const mmd_view_host *host, mmd_render_scene *scene);

/* Draws ids, and surfaces where not NULL, of a prepared frame's size. The picture is prepared here. */
mmd_status view_draw_surfaces(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              const view_frame *frame, uint32_t (*ids)[3], mmd_view_surface *surfaces,
                              mmd_error *error);

/* Frees what pictures that were begun hold (picture.c). */
void view_finish_readings(mmd_view *view);

/* Creates the debug lines of the listed actors, if options ask for any. */
mmd_status view_prepare_lines(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              mmd_error *error);
void view_finish_lines(mmd_view *view);

/* Draws the self-shadow map of the listed actors. Call it between the beginning and the end of a frame. */
mmd_status view_draw_shadow_map(mmd_view *view, mmd_error *error);

/* A framebuffer, and the position of its top left pixel in the whole picture. */
typedef struct view_window {
    uint32_t framebuffer, width, height;
    int32_t left, top;
    int32_t target_left, target_bottom; /* its bottom left pixel in the framebuffer */
    bool first;                         /* the first window of the picture */
    const mmd_view_host *host;          /* tells what to clear in its framebuffer; NULL: clear everything */
} view_window;

/* Division of a picture into tiles (picture.c). */
typedef struct view_tiling {
    uint32_t width, height; /* size of the picture */
    uint32_t wide, high;    /* size of the part of a tile that is kept; the last tiles may be smaller */
    uint32_t beside, above; /* border drawn around that part; 0 if one tile is enough */
    uint32_t target_width, target_height;
} view_tiling;

/* Plans the tiles of a picture. wanted: longest side of a tile; 0 for what the GPU can draw at once. */
view_tiling view_plan_tiles(const mmd_view *view, uint32_t wanted, uint32_t width, uint32_t height);

/* Returns the window of the tile whose first kept pixel is x, y. */
view_window view_tile_window(const view_tiling *t, uint32_t framebuffer, uint32_t x, uint32_t y);

/* Draw what view_prepare listed, or its ids. */
mmd_status view_draw_window(mmd_view *view, const mmd_view_options *options, const view_window *window,
                            mmd_error *error);
mmd_status view_draw_id_window(mmd_view *view, const view_window *window, mmd_error *error);

/* Groups actors that share a model into crowds (crowd.c). each: do not group, for drawing anything else than
 * the picture. shadows: ground shadows will be drawn. */
mmd_status view_arrange(mmd_view *view, bool each, bool shadows, mmd_error *error);
/* Prepares an instance for an actor that view_arrange may have put into a crowd. */
mmd_status view_single(view_drawn *drawn, mmd_error *error);
/* Returns how many accessories come before the first model; all if there is no model. */
size_t view_accessories_before(const mmd_view *view);
/* Draws a part of the order, which begins and ends with a section. */
mmd_status view_draw_models(mmd_view *view, size_t first, size_t behind, mmd_error *error);
mmd_status view_draw_casters(mmd_view *view, mmd_error *error);
mmd_status view_draw_ground_shadows(mmd_view *view, const float rgb[3], bool transparent, mmd_error *error);

/* Returns an instance of the model for the next actor of this frame, creating it if necessary. */
mmd_status view_next_instance(view_model *model, mmd_render_instance **instance, mmd_error *error);

/*
 * Reads the actor's vertices as the GPU skinned them for its current pose: 3 floats each,
 * model->vertices.count of them. normals may be NULL. The model must have been added. Waits for the GPU.
 * MMD_ERROR_MEMORY, MMD_ERROR_LIMIT, MMD_ERROR_GL.
 */
mmd_status view_read_vertices(mmd_view *view, mmd_actor *actor, mmd_sdef_variant sdef, float (*positions)[3],
                              float (*normals)[3], mmd_error *error);

#endif
