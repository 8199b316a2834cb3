/* Draws a scene. */
#include "scene_internal.h"

#include <assert.h>
#include <inttypes.h>

#include "mmd/gpu_objects.h"
#include "mmd/memory.h"
#include "mmd/placing.h"

void scene_finish_drawing(mmd_scene *scene)
{
    if (!scene->gpu)
        return;
    const mmd_gpu_current before = mmd_gpu_get_current();
    mmd_gpu_make_current(scene->gpu, NULL);
    const bool was_current = mmd_gpu_get_current().context == before.context;
    mmd_view_destroy(scene->view);
    mmd_gpu_destroy(scene->gpu);
    if (!was_current)
        mmd_gpu_set_current(&before);
    scene->view = NULL;
    scene->gpu = NULL;
    scene->uploaded = 0;
}

mmd_view *mmd_scene_view(const mmd_scene *scene)
{
    assert(scene);
    return scene->view;
}

mmd_status mmd_scene_use_context(mmd_scene *scene, mmd_gpu_loader loader, mmd_error *error)
{
    assert(scene && loader);
    if (scene->gpu)
        return mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                             "the scene has an OpenGL context already, since something was drawn");
    mmd_status status = mmd_gpu_create_current(loader, &scene->log, &scene->gpu, error);
    scene->has_context = status == MMD_OK;
    return status;
}

/* Makes the view unless it is there, with a context if there is none, and makes the context current. */
static mmd_status open_view(mmd_scene *scene, mmd_error *error)
{
    mmd_status status = scene->gpu ? mmd_gpu_make_current(scene->gpu, error)
                                   : mmd_gpu_create_headless(&scene->log, &scene->gpu, error);
    return status != MMD_OK || scene->view ? status
                                           : mmd_view_create(scene->gpu, &scene->log, &scene->view, error);
}

/* Uploads all models: together they keep within the memory for textures. */
static mmd_status add_models(mmd_scene *scene, mmd_error *error)
{
    size_t failed = 0;
    mmd_source *empty = mmd_source_memory(NULL, 0);
    mmd_view_addition *added = mmd_alloc(scene->model_count * sizeof *added);
    mmd_status status = empty && added ? MMD_OK : mmd_error_memory(error);
    for (size_t i = 0; status == MMD_OK && i < scene->model_count; i++) {
        const scene_member *m = &scene->models[i];
        added[i] = (mmd_view_addition){m->model, m->textures ? m->textures : empty, m->folder,
                                       mmd_path_name(m->path)};
    }
    if (status == MMD_OK) {
        scene->texture_memory = mmd_texture_memory_of(scene->texture_memory.limit);
        status = mmd_view_add_models(scene->view, added, scene->model_count, &scene->texture_memory, &failed,
                                     error);
        if (status != MMD_OK)
            mmd_error_set_file(error, scene->models[failed].path);
    }
    mmd_free(added);
    mmd_source_destroy(empty);
    return status;
}

mmd_status mmd_scene_upload(mmd_scene *scene, mmd_error *error)
{
    assert(scene);
    mmd_status status = open_view(scene, error);
    if (status == MMD_OK && scene->uploaded < scene->model_count)
        status = add_models(scene, error);
    if (status == MMD_OK)
        scene->uploaded = scene->model_count;
    return status;
}

/* Checks the size of a picture. */
static mmd_status check_size(uint32_t width, uint32_t height, mmd_error *error)
{
    if (width && height)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                         "a picture of %" PRIu32 "x%" PRIu32 " pixels", width, height);
}

/* Checks that the program has given its context, in which it wants to see what is drawn. */
static mmd_status check_context(const mmd_scene *scene, mmd_error *error)
{
    if (scene->has_context)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_NO_CONTEXT, "", MMD_NO_OFFSET,
                         "the scene has not been given an OpenGL context (mmd_scene_use_context)");
}

/* Prepares for drawing: poses and uploads what is new. */
static mmd_status prepare(mmd_scene *scene, mmd_error *error)
{
    mmd_status status = scene_settle(scene, error);
    return status != MMD_OK ? status : mmd_scene_upload(scene, error);
}

mmd_view_options mmd_scene_view_options(const mmd_scene *scene)
{
    assert(scene);
    mmd_view_options options = mmd_default_view_options();
    bool of_exchange = scene->model_count > 0, has_vertices = false;
    for (size_t i = 0; i < scene->model_count; i++) {
        of_exchange = of_exchange && scene->models[i].file.document;
        has_vertices = has_vertices || scene->models[i].model->vertices.count;
    }
    if (of_exchange)
        mmd_view_options_take_exchange(&options, has_vertices);
    if (scene->has_project)
        mmd_view_options_take_project(&options, &scene->project);
    return options;
}

mmd_status mmd_scene_picture(mmd_scene *scene, const mmd_view_options *options, uint32_t width,
                             uint32_t height, mmd_image *image, mmd_error *error)
{
    assert(scene && image);
    const mmd_view_options usual = mmd_scene_view_options(scene);
    const mmd_gpu_current before = mmd_gpu_get_current();
    mmd_status status = check_size(width, height, error);
    if (status == MMD_OK)
        status = prepare(scene, error);
    if (status == MMD_OK)
        status = mmd_view_picture(scene->view, scene->stage, options ? options : &usual, width, height, image,
                                  error);
    mmd_gpu_set_current(&before);
    return status;
}

mmd_status mmd_scene_draw(mmd_scene *scene, const mmd_view_options *options, uint32_t framebuffer,
                          uint32_t width, uint32_t height, mmd_error *error)
{
    assert(scene);
    const mmd_view_options usual = mmd_scene_view_options(scene);
    mmd_status status = check_context(scene, error);
    if (status == MMD_OK)
        status = check_size(width, height, error);
    if (status == MMD_OK)
        status = prepare(scene, error);
    return status != MMD_OK ? status
                            : mmd_view_draw(scene->view, scene->stage, options ? options : &usual,
                                            framebuffer, width, height, error);
}

mmd_status mmd_scene_draw_into(mmd_scene *scene, const mmd_view_options *options, const mmd_view_host *host,
                               mmd_error *error)
{
    mmd_gpu_state state;
    assert(scene && host);
    mmd_view_options used = options ? *options : mmd_scene_view_options(scene);
    used.pixel_centers = MMD_PIXEL_CENTERS_GL; /* where the host's matrices say */
    mmd_status status = check_context(scene, error);
    if (status == MMD_OK)
        status = check_size(host->place.width, host->place.height, error);
    if (status != MMD_OK)
        return status;
    const bool keeps = host->restore_state && (!scene->view || scene->uploaded < scene->model_count);
    if (keeps)
        mmd_gpu_save_state(scene->gpu, &state);
    status = prepare(scene, error);
    if (keeps)
        mmd_gpu_restore_state(scene->gpu, &state);
    return status != MMD_OK ? status : mmd_view_draw_into(scene->view, scene->stage, &used, host, error);
}

mmd_status mmd_scene_ids(mmd_scene *scene, const mmd_view_options *options, uint32_t width, uint32_t height,
                         uint32_t (*ids)[3], mmd_error *error)
{
    assert(scene && ids);
    const mmd_view_options usual = mmd_scene_view_options(scene);
    const mmd_gpu_current before = mmd_gpu_get_current();
    mmd_status status = check_size(width, height, error);
    if (status == MMD_OK)
        status = prepare(scene, error);
    if (status == MMD_OK)
        status =
            mmd_view_ids(scene->view, scene->stage, options ? options : &usual, width, height, ids, error);
    mmd_gpu_set_current(&before);
    return status;
}

size_t mmd_scene_missing_textures(const mmd_scene *scene, size_t model, const char *const **names)
{
    assert(scene && names);
    if (model < scene->uploaded)
        return mmd_view_missing_textures(scene->view, scene->models[model].model, names);
    *names = NULL;
    return 0;
}
