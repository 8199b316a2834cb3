/* The models of a view. */
#include <assert.h>
#include <string.h>

#include "view_internal.h"

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a model's drawing");
}

view_model *view_find_model(const mmd_view *view, const mmd_model *model)
{
    assert(view);
    for (size_t i = 0; i < view->model_count; i++)
        if (view->models[i]->model == model)
            return view->models[i];
    return NULL;
}

void view_destroy_model(mmd_view *view, view_model *model)
{
    assert(view && model);
    for (size_t i = 0; i < model->instance_count; i++)
        mmd_render_instance_destroy(model->instances[i]);
    mmd_free(model->instances);
    mmd_render_crowd_destroy(model->crowd);
    mmd_free(model->poses);
    mmd_free(model->descs);
    mmd_render_mesh_destroy(model->mesh);
    texture_set_finish(&model->textures, view->renderer);
    if (model->has_scene)
        mmd_physscene_destroy(&model->scene);
    debug_edges_destroy(model->edges);
    mmd_arena_finish(&model->arena);
    mmd_free(model);
}

mmd_status view_next_instance(view_model *model, mmd_render_instance **instance, mmd_error *error)
{
    assert(model);
    if (model->instances_used == model->instance_count) {
        mmd_render_instance **more =
            mmd_realloc(model->instances, (model->instance_count + 1) * sizeof(mmd_render_instance *));
        if (!more)
            return no_memory(error);
        model->instances = more;
        mmd_status status = mmd_render_instance_create(model->mesh, &more[model->instance_count], error);
        if (status != MMD_OK)
            return status;
        model->instance_count++;
    }
    *instance = model->instances[model->instances_used++];
    return MMD_OK;
}

mmd_status view_make_mesh(mmd_view *view, view_model *made, mmd_error *error)
{
    assert(view && made);
    const mmd_model *model = made->model;
    mmd_render_material_textures *materials =
        mmd_arena_alloc(&made->arena, model->material_count, sizeof *materials);
    if (!materials)
        return no_memory(error);
    for (uint32_t m = 0; m < model->material_count; m++)
        materials[m] = texture_set_material(&made->textures, view->renderer, model, &model->materials[m]);
    mmd_render_mesh_desc desc = {.model = model, .materials = materials};
    mmd_status status = mmd_render_mesh_create(view->renderer, &desc, &made->mesh, error);
    mmd_render_instance *first;
    if (status == MMD_OK)
        status = view_next_instance(made, &first, error);
    return status;
}

mmd_status view_put_model(mmd_view *view, view_model *made, mmd_error *error)
{
    assert(view && made);
    for (size_t i = 0; i < view->model_count; i++) {
        if (view->models[i]->model != made->model)
            continue;
        view_destroy_model(view, view->models[i]);
        view->models[i] = made;
        return MMD_OK;
    }
    view_model **models = mmd_realloc(view->models, (view->model_count + 1) * sizeof(view_model *));
    if (!models)
        return no_memory(error);
    view->models = models;
    models[view->model_count++] = made;
    return MMD_OK;
}

/* Uploads everything of a load. */
static mmd_status finish_load(mmd_view *view, mmd_view_load *load, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (bool done = false; status == MMD_OK && !done;)
        status = mmd_view_load_step(view, load, &done, error);
    return status;
}

mmd_status mmd_view_add_model(mmd_view *view, const mmd_model *model, mmd_source *source, const char *folder,
                              mmd_error *error)
{
    assert(view && model && source && folder);
    mmd_view_load *load;
    if (view_find_model(view, model))
        return MMD_OK;
    mmd_status status = mmd_view_load_create(model, source, folder, &view->log, &load, error);
    if (status == MMD_OK)
        status = finish_load(view, load, error);
    mmd_view_load_destroy(view, load);
    return status;
}

/* Returns the first model of the list with the same data. */
static size_t first_of(const mmd_view_addition *models, size_t i)
{
    size_t first = 0;
    while (models[first].model != models[i].model)
        first++;
    return first;
}

/* Adds what the textures of a model take. Creates its load if they are not in the view with this limit. */
static mmd_status measure(mmd_view *view, const mmd_view_addition *models, size_t i, mmd_view_load **loads,
                          mmd_texture_memory *memory, mmd_error *error)
{
    const mmd_view_addition *added = &models[i];
    const view_model *present = view_find_model(view, added->model);
    size_t first = first_of(models, i);
    if (loads[first]) {
        view_load_count(loads[first], memory);
        return MMD_OK;
    }
    if (present && present->textures.memory.limit == memory->limit) {
        texture_memory_sum(memory, &present->textures.memory);
        return MMD_OK;
    }
    mmd_status status =
        mmd_view_load_create(added->model, added->source, added->folder, &view->log, &loads[i], error);
    if (status != MMD_OK)
        return status;
    mmd_view_load_set_title(loads[i], added->title);
    return mmd_view_load_measure(loads[i], memory, error);
}

/* Loads a model whose textures were measured, or measures and loads it again where its textures have other
 * sizes. */
static mmd_status add(mmd_view *view, const mmd_view_addition *added, mmd_view_load **load,
                      const mmd_texture_memory *memory, mmd_error *error)
{
    const view_model *present = view_find_model(view, added->model);
    mmd_texture_memory again = *memory;
    mmd_status status = MMD_OK;
    if (!*load && present && texture_set_fits(&present->textures, memory))
        return MMD_OK;
    if (!*load) {
        status = mmd_view_load_create(added->model, added->source, added->folder, &view->log, load, error);
        if (status == MMD_OK)
            mmd_view_load_set_title(*load, added->title);
        if (status == MMD_OK)
            status = mmd_view_load_measure(*load, &again, error);
    }
    if (status != MMD_OK)
        return status;
    mmd_view_load_limit(*load, memory);
    status = finish_load(view, *load, error);
    mmd_view_load_destroy(view, *load);
    *load = NULL;
    return status;
}

mmd_status mmd_view_add_models(mmd_view *view, const mmd_view_addition *models, size_t count,
                               mmd_texture_memory *memory, size_t *failed, mmd_error *error)
{
    assert(view && (models || count == 0) && memory && failed);
    mmd_view_load **loads = mmd_alloc((count + 1) * sizeof(mmd_view_load *));
    *failed = 0;
    if (!loads)
        return no_memory(error);
    mmd_status status = MMD_OK;
    for (size_t i = 0; i <= count; i++)
        loads[i] = NULL;
    for (size_t i = 0; status == MMD_OK && i < count; i++) {
        *failed = i;
        status = measure(view, models, i, loads, memory, error);
    }
    for (size_t i = 0; status == MMD_OK && i < count; i++) {
        *failed = i;
        status = add(view, &models[i], &loads[i], memory, error);
    }
    for (size_t i = 0; i < count; i++)
        mmd_view_load_destroy(view, loads[i]);
    mmd_free(loads);
    return status;
}

void mmd_view_measure_textures(const mmd_view *view, const mmd_model *except, mmd_texture_memory *memory)
{
    assert(view && memory);
    for (size_t i = 0; i < view->model_count; i++)
        if (view->models[i]->model != except)
            texture_memory_sum(memory, &view->models[i]->textures.memory);
}

void mmd_view_remove_model(mmd_view *view, const mmd_model *model)
{
    assert(view);
    for (size_t i = 0; i < view->model_count; i++) {
        if (view->models[i]->model != model)
            continue;
        view_destroy_model(view, view->models[i]);
        view->model_count--;
        memmove(view->models + i, view->models + i + 1, (view->model_count - i) * sizeof *view->models);
        return;
    }
}

size_t mmd_view_missing_textures(const mmd_view *view, const mmd_model *model, const char *const **names)
{
    assert(view && model);
    const view_model *found = view_find_model(view, model);
    if (names)
        *names = found ? found->textures.missing : NULL;
    return found ? found->textures.missing_count : 0;
}
