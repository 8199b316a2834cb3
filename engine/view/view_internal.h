/* What the files of this module share. */
#ifndef MMD_VIEW_INTERNAL_H
#define MMD_VIEW_INTERNAL_H

#include "debug_lines.h"
#include "mmd/render.h"
#include "mmd/view.h"

/* The model's textures, each file once. */
typedef struct texture_set {
    mmd_render_texture
        *textures; /* by the model's texture index, then the shared toons; those of one file are the same */
    uint32_t count;
    bool *used;           /* by a material */
    bool *owned;          /* the first of its file */
    bool *read;           /* looked for, and decoded if it is there */
    mmd_image *images;    /* decoded, and not with the GPU yet */
    char **paths;         /* by texture index, where found */
    const char **missing; /* names as in the file */
    size_t missing_count;
} texture_set;

/* Room for the textures of a model's materials. MMD_ERROR_MEMORY. */
mmd_status texture_set_init(texture_set *set, const mmd_model *model, mmd_arena *arena, mmd_error *error);

/* Where textures are looked for, and who is told of those that are not there. */
typedef struct texture_origin {
    const mmd_model *model;
    mmd_source *source;
    const char *folder;
    const char *title; /* of a model that has no name */
    const mmd_log *log;
} texture_origin;

/*
 * Finds and decodes one texture, where it is used and was not read. No GL. A file
 * that is missing or broken is reported once and leaves its texture zeroed.
 */
mmd_status texture_set_read(texture_set *set, uint32_t texture, const texture_origin *origin,
                            mmd_arena *arena, mmd_error *error);

/* Gives one that was read to the GPU, and forgets its pixels. */
mmd_status texture_set_upload(texture_set *set, uint32_t texture, mmd_renderer *renderer, mmd_error *error);

/* Takes textures that this set could not read from one of the same model that could. */
void texture_set_keep(texture_set *set, texture_set *before);
void texture_set_give_back(texture_set *set, texture_set *before);

void texture_set_forget_images(texture_set *set);
void texture_set_finish(texture_set *set, mmd_renderer *renderer); /* those not given to the GPU, too */

/* The textures of a material, its toon from the shared ones where it says so. */
mmd_render_material_textures texture_set_material(const texture_set *set, const mmd_renderer *renderer,
                                                  const mmd_model *model, const mmd_material *material);

typedef struct view_model {
    const mmd_model *model;
    mmd_render_mesh *mesh;
    /* Several actors of one model in a frame: the first takes the first instance, and so on. */
    mmd_render_instance **instances;
    size_t instance_count, instances_used;
    mmd_render_crowd *crowd;       /* several actors of one frame together; made when first needed */
    size_t crowd_room;             /* of the members listed below */
    size_t in_frame;               /* actors of it in this frame; 1 too where they cannot be a crowd */
    size_t first_drawn;            /* the first of them */
    size_t member_count;           /* and those of them in the crowd */
    const mmd_render_pose **poses; /* of members */
    const mmd_render_model_desc **descs;
    texture_set textures;
    mmd_physscene scene; /* for debug lines while physics is off; made when first needed */
    bool has_scene;
    debug_edges *edges; /* for debug lines; made when first needed */
    mmd_arena arena;
} view_model;

/* An actor of the frame that is being drawn. */
typedef struct view_drawn {
    view_model *model;
    mmd_render_instance *instance; /* NULL: a member of the model's crowd */
    uint32_t member;
    uint32_t level; /* lower ones are drawn first; those of one do not mind the order */
    mmd_render_pose pose;
    bool blends, unseen;
    mmd_render_extent extent;
    uint32_t actor; /* index on the stage */
    mmd_render_model_desc desc;
    bool ground_shadow, placed;
    float placement[16];
} view_drawn;

/* A picture behind everything that is with the GPU. */
typedef struct view_background {
    const void *user; /* whose it is, and which one */
    uint64_t version;
    uint32_t texture; /* 0: none */
    float rectangle[4];
    bool shown; /* in this frame */
} view_background;

struct mmd_view {
    view_background backgrounds[MMD_BACKGROUND_PICTURES_MAX];
    mmd_gpu *gpu;
    mmd_log log;
    mmd_renderer *renderer;
    view_model **models;
    size_t model_count;
    const mmd_model **reported; /* skipped since they were not added */
    size_t reported_count;
    mmd_gpu_target target;
    mmd_render_id_target id_target;
    mmd_render_soft *softs; /* of the actor that is being skinned */
    size_t softs_room;
    view_drawn *drawn; /* of this frame, in draw order */
    size_t drawn_count, drawn_room;
    bool has_crowd;
    uint32_t *batches; /* numbers of drawn in the order they are drawn, those of a crowd's members together */
    mmd_render_line *lines; /* of this frame */
    size_t line_count, line_room;
    uint8_t *states;            /* of an actor's bodies, for its lines, */
    mmd_transform *body_transforms; /* and their places, where they are not the stage's */
    size_t states_room;
    mmd_contact *contacts;  /* for its lines; NULL until they are asked for */
    mmd_render_scene scene; /* of this frame */
    mmd_view_statistics statistics;
};

view_model *view_find_model(const mmd_view *view, const mmd_model *model);

/* For load.c: what the GPU draws of a model, whose textures are there; and an end of it. */
mmd_status view_make_mesh(mmd_view *view, view_model *made, mmd_error *error);
void view_destroy_model(mmd_view *view, view_model *model);

/* Puts it in the view, in place of another of the same model. MMD_ERROR_MEMORY: it is still the caller's. */
mmd_status view_put_model(mmd_view *view, view_model *made, mmd_error *error);

/* What a pose uploads. */
mmd_render_pose view_pose(const mmd_pose *pose, mmd_sdef_variant sdef);

/* Adds the soft bodies of an actor, where physics moves them. They lie in the view until the next call. */
mmd_status view_add_softs(mmd_view *view, const mmd_stage *stage, size_t actor, mmd_render_pose *pose,
                          mmd_error *error);

/* Takes vertices that these soft bodies drive from the world to the space of the others, which are not
 * placed. placement and normals may be NULL. */
void view_unplace_softs(const mmd_render_pose *pose, const float *placement, float (*positions)[3],
                        float (*normals)[3]);

/* Lists and skins what is drawn in a frame whose whole picture has this size. */
mmd_status view_prepare(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                        uint32_t width, uint32_t height, mmd_error *error);

/* Makes the debug lines of what was listed, where options ask for some. */
mmd_status view_prepare_lines(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              mmd_error *error);
void view_finish_lines(mmd_view *view);

/* The self-shadow map of what was listed, between beginning and end of a frame. */
mmd_status view_draw_shadow_map(mmd_view *view, mmd_error *error);

/* A framebuffer, and where its top left pixel is in the picture. */
typedef struct view_window {
    uint32_t framebuffer, width, height;
    int32_t left, top;
    bool first; /* of the picture */
} view_window;

/* A picture cut into tiles (picture.c). */
typedef struct view_tiling {
    uint32_t width, height; /* of the picture */
    uint32_t wide, high;    /* of what is kept of a tile; the last ones may be smaller */
    uint32_t beside, above; /* as much is drawn on both sides of that; 0 where one tile is enough */
    uint32_t target_width, target_height;
} view_tiling;

/* wanted: of a tile's sides; 0: what the GPU draws at once. */
view_tiling view_plan_tiles(const mmd_view *view, uint32_t wanted, uint32_t width, uint32_t height);

/* The tile whose first kept pixel is x, y. */
view_window view_tile_window(const view_tiling *t, uint32_t framebuffer, uint32_t x, uint32_t y);

/* Draws what view_prepare listed, or its ids. */
mmd_status view_draw_window(mmd_view *view, const mmd_view_options *options, const view_window *window,
                            mmd_error *error);
mmd_status view_draw_id_window(mmd_view *view, const view_window *window, mmd_error *error);

/*
 * Actors that share a model are drawn as a crowd (crowd.c). each: every actor by
 * itself, as whoever draws something else than the picture wants it. shadows:
 * on the ground will be drawn.
 */
mmd_status view_arrange(mmd_view *view, bool each, bool shadows, mmd_error *error);
/* Where view_arrange has put it in a crowd: the actor by itself, too. */
mmd_status view_single(view_drawn *drawn, mmd_error *error);
mmd_status view_draw_models(mmd_view *view, mmd_error *error);
mmd_status view_draw_casters(mmd_view *view, mmd_error *error);
mmd_status view_draw_ground_shadows(mmd_view *view, const float rgba[4], mmd_error *error);

/* The model's instance for its next actor in this frame; made if there is none yet. */
mmd_status view_next_instance(view_model *model, mmd_render_instance **instance, mmd_error *error);

/*
 * The actor's vertices as the GPU skinned them for its pose as it stands: 3
 * floats each, model->vertices.count of them. normals may be NULL. The actor's
 * model must have been added. Waits for the GPU. MMD_ERROR_MEMORY,
 * MMD_ERROR_LIMIT, MMD_ERROR_GL.
 */
mmd_status view_read_vertices(mmd_view *view, mmd_actor *actor, mmd_sdef_variant sdef, float (*positions)[3],
                              float (*normals)[3], mmd_error *error);

#endif
