/* Creation and destruction of a view, and its reports. */
#include <assert.h>
#include <string.h>
#include <time.h>

#include "view_internal.h"

mmd_view_options mmd_default_view_options(void)
{
    return (mmd_view_options){.background = {1.0f, 1.0f, 1.0f, 1.0f},
                              .background_pictures = true,
                              .edge = true,
                              .ground_shadow_brightness = 1.0f,
                              .pixel_centers = MMD_PIXEL_CENTERS_D3D9,
                              .sdef = MMD_SDEF_LINEAR,
                              .shading = MMD_SHADING_MMD,
                              .mip_maps = true};
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
    mmd_gpu_enter(gpu);
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
    view_finish_readings(view);
    mmd_gpu_target_finish(view->gpu, &view->target);
    mmd_render_id_target_finish(view->renderer, &view->id_target);
    for (int i = 0; i < MMD_BACKGROUND_PICTURES_MAX && view->renderer; i++)
        mmd_render_background_destroy(view->renderer, view->backgrounds[i].texture);
    mmd_render_background_destroy(view->renderer, view->checkers);
    mmd_renderer_destroy(view->renderer);
    mmd_free(view->models);
    mmd_free(view->drawn);
    mmd_free(view->batches);
    mmd_free(view->softs);
    view_finish_lines(view);
    mmd_free(view->reported);
    mmd_free(view);
}

/* Skins with the model's first instance and reads the vertices back. */
static mmd_status read_vertices(view_model *model, const mmd_render_pose *pose, float (*positions)[3],
                                float (*normals)[3], mmd_error *error)
{
    mmd_render_instance *instance;
    model->instances_used = 0;
    mmd_status status = view_next_instance(model, &instance, error);
    if (status == MMD_OK)
        status = mmd_render_skin(instance, pose, error);
    if (status == MMD_OK)
        status = mmd_render_read_vertices(instance, positions, normals, NULL, NULL, error);
    return status;
}

mmd_status view_read_vertices(mmd_view *view, mmd_actor *actor, mmd_sdef_variant sdef, float (*positions)[3],
                              float (*normals)[3], mmd_error *error)
{
    assert(view && actor && positions);
    view_model *model = view_find_model(view, mmd_actor_model(actor));
    assert(model && "the actor's model was added");
    mmd_render_pose pose = view_pose(mmd_actor_pose(actor), sdef);
    return read_vertices(model, &pose, positions, normals, error);
}

mmd_status mmd_view_read_stage_vertices(mmd_view *view, const mmd_stage *stage, size_t actor,
                                        mmd_sdef_variant sdef, float (*positions)[3], float (*normals)[3],
                                        mmd_error *error)
{
    assert(view && stage && positions);
    mmd_actor *read = mmd_stage_actor(stage, actor);
    view_model *model = view_find_model(view, mmd_actor_model(read));
    assert(model && "the actor's model was added");
    mmd_render_pose pose = view_pose(mmd_actor_pose(read), sdef);
    float placement[16];
    bool placed = mmd_stage_placement(stage, actor, placement);
    mmd_gpu_enter(view->gpu);
    mmd_status status = view_add_softs(view, stage, actor, &pose, error);
    if (status == MMD_OK)
        status = read_vertices(model, &pose, positions, normals, error);
    if (status == MMD_OK)
        view_unplace_softs(&pose, placed ? placement : NULL, positions, normals);
    return status;
}

mmd_view_statistics mmd_view_get_statistics(const mmd_view *view)
{
    assert(view);
    return view->statistics;
}

mmd_view_loading mmd_view_get_loading(const mmd_view *view)
{
    assert(view);
    return view->loading;
}

double view_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

const char *mmd_view_pass_name(int pass)
{
    _Static_assert((int)MMD_VIEW_PASSES == (int)MMD_PASS_COUNT, "the passes are those of render");
    return mmd_render_pass_name((mmd_render_pass)pass);
}

void mmd_view_measure(mmd_view *view, bool measure)
{
    assert(view);
    mmd_renderer_measure(view->renderer, measure);
}
