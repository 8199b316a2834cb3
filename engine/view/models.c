/* The models of a view. */
#include <assert.h>
#include <math.h>
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

/* Finds the textures of all materials. */
static void find_textures(const mmd_view *view, view_model *made)
{
    const mmd_model *model = made->model;
    for (uint32_t m = 0; m < model->material_count; m++)
        made->materials[m] =
            texture_set_material(&made->textures, view->renderer, model, &model->materials[m]);
}

mmd_status view_make_mesh(mmd_view *view, view_model *made, mmd_error *error)
{
    assert(view && made);
    const mmd_model *model = made->model;
    made->materials = mmd_arena_alloc(&made->arena, model->material_count, sizeof *made->materials);
    if (!made->materials)
        return no_memory(error);
    find_textures(view, made);
    mmd_render_mesh_desc desc = {.model = model, .materials = made->materials};
    mmd_status status = mmd_render_mesh_create(view->renderer, &desc, &made->mesh, error);
    mmd_render_instance *first;
    if (status == MMD_OK)
        status = view_next_instance(made, &first, error);
    return status;
}

void view_set_textures(const mmd_view *view, view_model *model)
{
    assert(view && model && model->mesh);
    find_textures(view, model);
    mmd_render_mesh_set_textures(model->mesh, model->materials);
    model->programs = 0; /* materials need other ones with textures */
}

static void end_arrival(mmd_view *view);

mmd_status view_put_model(mmd_view *view, view_model *made, mmd_error *error)
{
    assert(view && made);
    end_arrival(view);
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

/* --- Models of a scene --- */

struct mmd_view_adding {
    mmd_view_addition *models;
    mmd_view_load **loads; /* by model; NULL: another one's, or in the view */
    size_t count;
    mmd_log log;
    mmd_texture_memory memory; /* of all of them */
    mmd_view_reader *reader;
    bool shown;        /* the models are in the view, and textures arrive */
    size_t next;       /* the model whose textures arrive */
    mmd_status status; /* of the arrival, and why it failed: it does not go on then */
    mmd_error error;
};

/* Returns the first model of the list with the same data. */
static size_t first_of(const mmd_view_addition *models, size_t i)
{
    size_t first = 0;
    while (models[first].model != models[i].model)
        first++;
    return first;
}

/* Creates the load of a model and measures it. */
static mmd_status measure_load(mmd_view_adding *a, size_t i, mmd_texture_memory *memory, mmd_error *error)
{
    const mmd_view_addition *added = &a->models[i];
    mmd_status status =
        mmd_view_load_create(added->model, added->source, added->folder, &a->log, &a->loads[i], error);
    if (status != MMD_OK)
        return status;
    mmd_view_load_set_title(a->loads[i], added->title);
    return mmd_view_load_measure(a->loads[i], memory, error);
}

/* Adds what the textures of a model take. Creates its load if they are not in the view with this limit. */
static mmd_status measure(mmd_view_adding *a, const mmd_view *view, size_t i, mmd_error *error)
{
    const view_model *present = view ? view_find_model(view, a->models[i].model) : NULL;
    size_t first = first_of(a->models, i);
    if (a->loads[first]) {
        view_load_count(a->loads[first], &a->memory);
        return MMD_OK;
    }
    if (present && present->textures.memory.limit == a->memory.limit) {
        texture_memory_sum(&a->memory, &present->textures.memory);
        return MMD_OK;
    }
    return measure_load(a, i, &a->memory, error);
}

/* Lets a reader read all loads. */
static mmd_status start_reader(mmd_view_adding *a, uint32_t threads, mmd_error *error)
{
    mmd_view_load **loads = mmd_alloc((a->count + 1) * sizeof(mmd_view_load *));
    size_t count = 0;
    if (!loads)
        return no_memory(error);
    for (size_t i = 0; i < a->count; i++) {
        if (!a->loads[i])
            continue;
        mmd_view_load_limit(a->loads[i], &a->memory);
        loads[count++] = a->loads[i];
    }
    mmd_status status = mmd_view_reader_create(loads, count, &a->memory, threads, &a->reader, error);
    mmd_free(loads);
    return status;
}

/* Measures again the models that are in the view with textures of other sizes. */
static mmd_status measure_changed(mmd_view_adding *a, const mmd_view *view, size_t *failed, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; view && status == MMD_OK && i < a->count; i++) {
        const view_model *present = view_find_model(view, a->models[i].model);
        mmd_texture_memory again = a->memory;
        *failed = i;
        if (present && !a->loads[first_of(a->models, i)] && !texture_set_fits(&present->textures, &a->memory))
            status = measure_load(a, i, &again, error);
    }
    return status;
}

mmd_status mmd_view_adding_create(const mmd_view_adding_desc *desc, mmd_texture_memory *memory,
                                  mmd_view_adding **result, size_t *failed, mmd_error *error)
{
    assert(desc && (desc->models || desc->count == 0) && memory && result && failed);
    mmd_view_adding *a = mmd_alloc(sizeof *a);
    *result = NULL;
    *failed = 0;
    if (!a)
        return no_memory(error);
    *a = (mmd_view_adding){.models = mmd_alloc((desc->count + 1) * sizeof *a->models),
                           .loads = mmd_alloc((desc->count + 1) * sizeof(mmd_view_load *)),
                           .count = desc->count,
                           .memory = *memory};
    if (desc->log || desc->view)
        a->log = desc->log ? *desc->log : desc->view->log;
    mmd_status status = a->models && a->loads ? MMD_OK : no_memory(error);
    if (!a->models || !a->loads)
        a->count = 0;
    for (size_t i = 0; i < a->count; i++) {
        a->models[i] = desc->models[i];
        a->loads[i] = NULL;
    }
    for (size_t i = 0; status == MMD_OK && i < a->count; i++) {
        *failed = i;
        status = measure(a, desc->view, i, error);
    }
    *memory = a->memory;
    if (status == MMD_OK)
        status = measure_changed(a, desc->view, failed, error);
    if (status == MMD_OK)
        status = start_reader(a, desc->threads, error);
    if (status == MMD_OK && desc->arrives)
        view_reader_read_far(a->reader, &a->memory);
    if (status == MMD_OK)
        *result = a;
    else
        mmd_view_adding_destroy(a, NULL);
    return status;
}

/* Puts all models into a view, without textures. */
static mmd_status show_all(mmd_view_adding *a, mmd_view *view, mmd_error *error)
{
    mmd_status status = MMD_OK;
    mmd_gpu_enter(view->gpu);
    for (a->next = 0; a->next < a->count && status == MMD_OK; a->next++)
        if (a->loads[a->next])
            status = view_load_show(view, a->loads[a->next], error);
    if (status != MMD_OK) {
        a->next--;
        return status;
    }
    a->next = 0;
    a->shown = true;
    view->arriving = a;
    return MMD_OK;
}

/* Uploads textures of a model that is in the view, until a time, or until one is not decoded that this time
 * does not allow to wait for. Returns whether there is time left. */
static bool arrive(mmd_view_adding *a, mmd_view *view, mmd_view_load *load, double until, uint32_t *arrived)
{
    bool done = false, waits = isinf(until), any = false;
    while (!done && a->status == MMD_OK && (waits || view_seconds() < until) &&
           (waits || mmd_view_load_is_ready(load))) {
        a->status = mmd_view_load_step(view, load, &done, &a->error);
        any = true;
        ++*arrived;
    }
    if (any && !done)
        view_load_refresh(view, load);
    return done;
}

mmd_status mmd_view_adding_arrive(mmd_view_adding *a, mmd_view *view, double seconds, uint32_t *arrived,
                                  size_t *failed, mmd_error *error)
{
    assert(a && view && seconds >= 0 && arrived && failed);
    const double until = view_seconds() + seconds;
    *arrived = 0;
    if (!a->shown && a->status == MMD_OK)
        a->status = show_all(a, view, &a->error);
    while (a->shown && a->next < a->count) {
        mmd_view_load *load = a->loads[a->next];
        if (load && !arrive(a, view, load, until, arrived))
            break;
        a->next++;
    }
    if (a->next == a->count && view->arriving == a) {
        view->arriving = NULL;
        for (size_t i = 0; i < view->model_count; i++)
            view->models[i]->programs = 0; /* those that may be needed later are made now */
    }
    *failed = a->next;
    if (a->status != MMD_OK && error)
        *error = a->error;
    return a->status;
}

bool mmd_view_adding_is_done(const mmd_view_adding *a)
{
    assert(a);
    return a->next == a->count;
}

mmd_status view_complete(mmd_view *view, mmd_error *error)
{
    assert(view);
    uint32_t arrived;
    size_t failed;
    return view->arriving ? mmd_view_adding_arrive(view->arriving, view, INFINITY, &arrived, &failed, error)
                          : MMD_OK;
}

/* Lets all textures arrive, because models are about to change. What fails then has failed for good, and no
 * thread touches the models any more. */
static void end_arrival(mmd_view *view)
{
    mmd_view_adding *a = view->arriving;
    if (!a || view_complete(view, NULL) == MMD_OK)
        return;
    mmd_view_reader_destroy(a->reader);
    a->reader = NULL;
    for (size_t i = 0; i < a->count; i++)
        if (a->loads[i])
            view_load_give_up(a->loads[i]);
    view->arriving = NULL;
}

mmd_status mmd_view_adding_put(mmd_view_adding *a, mmd_view *view, size_t *failed, mmd_error *error)
{
    assert(a && view && failed);
    uint32_t arrived;
    mmd_status status = MMD_OK;
    if (a->shown)
        return mmd_view_adding_arrive(a, view, INFINITY, &arrived, failed, error);
    for (size_t i = 0; status == MMD_OK && i < a->count; i++) {
        *failed = i;
        if (a->loads[i])
            status = finish_load(view, a->loads[i], error);
    }
    return status;
}

void mmd_view_adding_destroy(mmd_view_adding *a, mmd_view *view)
{
    if (!a)
        return;
    mmd_view_reader_destroy(a->reader);
    if (view && view->arriving == a)
        view->arriving = NULL;
    for (size_t i = 0; i < a->count; i++)
        mmd_view_load_destroy(view, a->loads[i]);
    mmd_free(a->models);
    mmd_free(a->loads);
    mmd_free(a);
}

mmd_status mmd_view_add_models(mmd_view *view, const mmd_view_addition *models, size_t count,
                               mmd_texture_memory *memory, size_t *failed, mmd_error *error)
{
    assert(view && (models || count == 0) && memory && failed);
    const mmd_view_adding_desc desc = {.models = models, .count = count, .view = view};
    mmd_view_adding *adding;
    mmd_status status = mmd_view_adding_create(&desc, memory, &adding, failed, error);
    if (status == MMD_OK)
        status = mmd_view_adding_put(adding, view, failed, error);
    mmd_view_adding_destroy(adding, view);
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
    end_arrival(view);
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
