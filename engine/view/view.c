/* A stage to pictures. */
#include <assert.h>
#include <string.h>

#include "view_internal.h"

mmd_view_options mmd_default_view_options(void)
{
    return (mmd_view_options){.background = {1.0f, 1.0f, 1.0f, 1.0f},
                              .edge = true,
                              .grid = false,
                              .samples = 0,
                              .pixel_centers = MMD_PIXEL_CENTERS_D3D9,
                              .sdef = MMD_SDEF_LINEAR};
}

mmd_status mmd_view_create(mmd_gpu *gpu, const mmd_log *log, mmd_view **result, mmd_error *error)
{
    assert(gpu && result);
    *result = NULL;
    mmd_view *view = mmd_alloc(sizeof *view);
    if (!view)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a view");
    memset(view, 0, sizeof *view);
    view->gpu = gpu;
    if (log)
        view->log = *log;
    mmd_status status = mmd_renderer_create(gpu, log, &view->renderer, error);
    if (status != MMD_OK) {
        mmd_free(view);
        return status;
    }
    *result = view;
    return MMD_OK;
}

void mmd_view_destroy(mmd_view *view)
{
    if (!view)
        return;
    while (view->model_count)
        mmd_view_remove_model(view, view->models[view->model_count - 1]->model);
    mmd_gpu_target_finish(view->gpu, &view->target);
    mmd_renderer_destroy(view->renderer);
    mmd_free(view->models);
    mmd_free(view->reported);
    mmd_free(view);
}

/* A model that was not added is skipped; once in a view's life it is said. */
static void report_skipped(mmd_view *view, const mmd_model *model)
{
    for (size_t i = 0; i < view->reported_count; i++)
        if (view->reported[i] == model)
            return;
    const mmd_model **reported =
        mmd_realloc(view->reported, (view->reported_count + 1) * sizeof(const mmd_model *));
    if (!reported)
        return;
    view->reported = reported;
    reported[view->reported_count++] = model;
    mmd_log_message(&view->log, MMD_LOG_WARNING,
                    "a model of the stage was not added to the view; it is not drawn");
}

static mmd_render_pose render_pose(const mmd_pose *pose, mmd_sdef_variant sdef)
{
    /* A transform is two texels. */
    _Static_assert(sizeof(mmd_transform) == sizeof(float[8]), "mmd_transform has eight floats");
    return (mmd_render_pose){.palette = (const float(*)[8])mmd_pose_palette(pose),
                             .weights = mmd_pose_weights(pose),
                             .sdef_slerp = sdef == MMD_SDEF_SLERP};
}

static mmd_render_scene render_scene(const mmd_stage *stage, const mmd_view_options *options, uint32_t width,
                                     uint32_t height)
{
    const mmd_camera *camera = mmd_stage_camera(stage);
    const mmd_light *light = mmd_stage_light(stage);
    mmd_render_scene scene = {.fov = camera->fov,
                              .d3d9_centers = options->pixel_centers == MMD_PIXEL_CENTERS_D3D9};
    mmd_camera_matrices(camera, (float)width / (float)height, scene.view, scene.projection, scene.eye);
    memcpy(scene.light_color, light->color, sizeof scene.light_color);
    memcpy(scene.light_direction, light->direction, sizeof scene.light_direction);
    return scene;
}

/* Edges are as wide as the camera's distance to bone 1 asks for, else to bone 0 (MMD.md 6.6). */
static void edge_origin(const mmd_model *model, const mmd_pose *pose, float origin[3])
{
    memset(origin, 0, 3 * sizeof *origin);
    if (model->bone_count)
        memcpy(origin, mmd_pose_world(pose)[model->bone_count > 1 ? 1 : 0].translation, 3 * sizeof *origin);
}

static mmd_status skin_actors(mmd_view *view, const mmd_stage *stage, mmd_sdef_variant sdef, mmd_error *error)
{
    for (size_t i = 0; i < view->model_count; i++)
        view->models[i]->instances_used = 0;
    for (size_t i = 0; i < mmd_stage_actor_count(stage); i++) {
        mmd_actor *actor = mmd_stage_actor(stage, i);
        view_model *model = view_find_model(view, mmd_actor_model(actor));
        if (!model)
            report_skipped(view, mmd_actor_model(actor));
        if (!model || !mmd_actor_visible(actor))
            continue;
        mmd_render_instance *instance;
        mmd_status status = view_next_instance(model, &instance, error);
        mmd_render_pose pose = render_pose(mmd_actor_pose(actor), sdef);
        if (status == MMD_OK)
            status = mmd_render_skin(instance, &pose, error);
        if (status != MMD_OK)
            return status;
    }
    return MMD_OK;
}

/* Every actor in the stage's order, with the instance that skin_actors gave it. */
static mmd_status draw_actors(mmd_view *view, const mmd_stage *stage, bool edge, mmd_error *error)
{
    for (size_t i = 0; i < view->model_count; i++)
        view->models[i]->instances_used = 0;
    for (size_t i = 0; i < mmd_stage_actor_count(stage); i++) {
        mmd_actor *actor = mmd_stage_actor(stage, i);
        view_model *model = view_find_model(view, mmd_actor_model(actor));
        if (!model || !mmd_actor_visible(actor))
            continue;
        const mmd_pose *pose = mmd_actor_pose(actor);
        mmd_render_model_desc desc = {.materials = mmd_pose_materials(pose),
                                      .factor_adds = (const float(*)[12])mmd_pose_material_adds(pose),
                                      .edge = edge};
        edge_origin(model->model, pose, desc.edge_origin);
        mmd_status status = mmd_render_model(model->instances[model->instances_used++], &desc, error);
        if (status != MMD_OK)
            return status;
    }
    return MMD_OK;
}

mmd_status mmd_view_draw(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                         uint32_t framebuffer, uint32_t width, uint32_t height, mmd_error *error)
{
    assert(view && stage && options && width && height);
    mmd_renderer_reset_statistics(view->renderer);
    mmd_render_scene scene = render_scene(stage, options, width, height);
    mmd_status status = skin_actors(view, stage, options->sdef, error);
    if (status == MMD_OK)
        status = mmd_render_begin(view->renderer, &scene, framebuffer, width, height, error);
    if (status != MMD_OK)
        return status;
    mmd_render_clear(view->renderer, options->background);
    if (options->grid)
        status = mmd_render_grid(view->renderer, error);
    if (status == MMD_OK)
        status = draw_actors(view, stage, options->edge, error);
    mmd_error ignored;
    mmd_status ended = mmd_render_end(view->renderer, status == MMD_OK ? error : &ignored);
    mmd_render_statistics counted = mmd_renderer_get_statistics(view->renderer);
    view->statistics = (mmd_view_statistics){.upload_us = counted.upload_us,
                                             .upload_bytes = counted.upload_bytes,
                                             .draw_calls = counted.draw_calls};
    return status == MMD_OK ? ended : status;
}

/* Top row first. */
static void flip(mmd_image *image)
{
    size_t row = 4 * (size_t)image->width;
    for (uint32_t y = 0; y < image->height / 2; y++) {
        uint8_t *top = image->pixels + y * row, *bottom = image->pixels + (image->height - 1 - y) * row;
        uint8_t buffer[4096];
        for (size_t at = 0; at < row; at += sizeof buffer) {
            size_t size = row - at < sizeof buffer ? row - at : sizeof buffer;
            memcpy(buffer, top + at, size);
            memcpy(top + at, bottom + at, size);
            memcpy(bottom + at, buffer, size);
        }
    }
}

/*
 * Over an opaque background the picture is opaque, whatever blending in eight
 * bits made of alpha; else colours lose the alpha they were multiplied with.
 */
static void finish_alpha(mmd_image *image, bool opaque)
{
    size_t count = (size_t)image->width * image->height;
    image->has_alpha = false;
    for (size_t i = 0; i < count; i++) {
        if (opaque)
            image->pixels[4 * i + 3] = 255;
        else if (image->pixels[4 * i + 3] != 255)
            image->has_alpha = true;
    }
    if (image->has_alpha)
        mmd_unpremultiply(image->pixels, count);
}

mmd_status mmd_view_picture(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            uint32_t width, uint32_t height, mmd_image *image, mmd_error *error)
{
    assert(view && stage && options && image);
    mmd_status status =
        mmd_gpu_target_resize(view->gpu, &view->target, width, height, options->samples, error);
    if (status == MMD_OK && (image->width != width || image->height != height || !image->pixels)) {
        mmd_image_finish(image);
        status = mmd_image_init(image, width, height, error);
    }
    if (status == MMD_OK)
        status = mmd_view_draw(view, stage, options, view->target.framebuffer, width, height, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_target_read(view->gpu, &view->target, image->pixels);
    status = mmd_gpu_check(view->gpu, "reading a picture", error);
    flip(image);
    finish_alpha(image, options->background[3] >= 1.0f);
    return status;
}

mmd_status mmd_view_read_vertices(mmd_view *view, mmd_actor *actor, mmd_sdef_variant sdef,
                                  float (*positions)[3], float (*normals)[3], mmd_error *error)
{
    assert(view && actor && positions);
    view_model *model = view_find_model(view, mmd_actor_model(actor));
    assert(model && "the actor's model was added");
    model->instances_used = 0;
    mmd_render_instance *instance;
    mmd_status status = view_next_instance(model, &instance, error);
    mmd_render_pose pose = render_pose(mmd_actor_pose(actor), sdef);
    if (status == MMD_OK)
        status = mmd_render_skin(instance, &pose, error);
    if (status == MMD_OK)
        status = mmd_render_read_vertices(instance, positions, normals, NULL, NULL, error);
    return status;
}

mmd_view_statistics mmd_view_get_statistics(const mmd_view *view)
{
    assert(view);
    return view->statistics;
}
