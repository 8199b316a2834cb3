/* Adds a model to a view in steps: pictures are decoded on any thread, then textures are uploaded one after
 * another, and last the mesh. The model becomes part of the view when everything is there, or its mesh comes
 * first and its textures later. */
#include "mmd/view_load.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "view_internal.h"

enum { TITLE_MAX = 128 };

struct mmd_view_load {
    view_model *made; /* NULL once the load is done */
    bool shown;       /* the view owns `made`, whose textures arrive */
    mmd_source *source;
    char folder[MMD_PATH_MAX];
    char title[TITLE_MAX];
    mmd_log log;
    mmd_view_reader *reader; /* NULL: none */
    mmd_view_loading times;  /* without decode */
    uint32_t read, uploaded; /* number of textures read and uploaded so far, in the order of the set */
    uint64_t decoded;        /* bytes of decoded pictures that wait for the upload */
};

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a model's drawing");
}

mmd_status mmd_view_load_create(const mmd_model *model, mmd_source *source, const char *folder,
                                const mmd_log *log, mmd_view_load **result, mmd_error *error)
{
    assert(model && source && folder && result);
    *result = NULL;
    mmd_view_load *load = mmd_alloc(sizeof *load);
    view_model *made = load ? mmd_alloc(sizeof *made) : NULL;
    if (!made) {
        mmd_free(load);
        return no_memory(error);
    }
    memset(made, 0, sizeof *made);
    memset(load, 0, sizeof *load);
    made->model = model;
    load->made = made;
    load->source = source;
    if (log)
        load->log = *log;
    mmd_status status = texture_set_init(&made->textures, model, &made->arena, error);
    if (strlen(folder) >= sizeof load->folder)
        status = mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "a folder's name is too long");
    if (status != MMD_OK) {
        mmd_arena_finish(&made->arena);
        mmd_free(made);
        mmd_free(load);
        return status;
    }
    memcpy(load->folder, folder, strlen(folder) + 1);
    *result = load;
    return MMD_OK;
}

void mmd_view_load_set_title(mmd_view_load *load, const char *title)
{
    assert(load && title);
    snprintf(load->title, sizeof load->title, "%.120s", title);
}

uint32_t mmd_view_load_total(const mmd_view_load *load)
{
    assert(load);
    return load->made ? 2 * load->made->textures.count + 1 : 1;
}

static texture_origin origin_of(const mmd_view_load *load)
{
    return (texture_origin){load->made->model, load->source, load->folder, load->title, &load->log};
}

mmd_status mmd_view_load_measure(mmd_view_load *load, mmd_texture_memory *memory, mmd_error *error)
{
    assert(load && load->made && memory);
    const texture_origin origin = origin_of(load);
    double start = view_seconds();
    mmd_status status =
        texture_set_measure(&load->made->textures, &origin, &load->made->arena, memory, error);
    load->times.measure += view_seconds() - start;
    return status;
}

void view_load_count(const mmd_view_load *load, mmd_texture_memory *memory)
{
    assert(load && load->made && load->made->textures.measured);
    texture_memory_sum(memory, &load->made->textures.memory);
}

void mmd_view_load_limit(mmd_view_load *load, const mmd_texture_memory *memory)
{
    assert(load && load->made && memory);
    load->made->textures.size = mmd_texture_memory_size(memory);
    load->made->textures.opened = texture_memory_opened(memory);
}

/* Measures a load that nobody has measured. */
static mmd_status measure_alone(mmd_view_load *load, mmd_error *error)
{
    mmd_texture_memory memory = mmd_texture_memory_of((uint64_t)MMD_TEXTURE_MEMORY_MIB << 20);
    if (load->made->textures.measured)
        return MMD_OK;
    mmd_status status = mmd_view_load_measure(load, &memory, error);
    if (status == MMD_OK)
        mmd_view_load_limit(load, &memory);
    return status;
}

reader_part view_load_set_reader(mmd_view_load *load, mmd_view_reader *reader)
{
    assert(load && (!reader || (load->made && load->made->textures.measured && !load->reader)));
    load->reader = reader;
    return (reader_part){load->made ? &load->made->textures : NULL, load->source};
}

static mmd_status read_texture(mmd_view_load *load, uint32_t texture, mmd_error *error)
{
    const texture_origin origin = origin_of(load);
    texture_set *set = &load->made->textures;
    if (!load->reader)
        return texture_set_read(set, texture, &origin, error);
    view_reader_take(load->reader, set, texture);
    return texture_set_conclude(set, texture, &origin, error);
}

mmd_status mmd_view_load_read(mmd_view_load *load, bool *more, mmd_error *error)
{
    assert(load && more);
    const texture_set *set = &load->made->textures;
    mmd_status status = measure_alone(load, error);
    if (status == MMD_OK && load->read < set->count && load->decoded < MMD_VIEW_LOAD_AHEAD) {
        uint32_t texture = set->order[load->read++];
        status = read_texture(load, texture, error);
        load->decoded += texture_set_waiting(set, texture);
    }
    *more = status == MMD_OK && load->read < set->count && load->decoded < MMD_VIEW_LOAD_AHEAD;
    return status;
}

/* Returns the next place in the order that has a texture which a material uses. */
static uint32_t next_used(const texture_set *set, uint32_t place)
{
    while (place < set->count && !set->used[set->order[place]])
        place++;
    return place;
}

static mmd_status upload_next(mmd_view *view, mmd_view_load *load, mmd_error *error)
{
    texture_set *set = &load->made->textures;
    uint32_t texture = set->order[load->uploaded++];
    double start = view_seconds();
    mmd_status status = read_texture(load, texture, error);
    double taken = view_seconds();
    uint64_t waiting = texture_set_waiting(set, texture);
    if (status == MMD_OK)
        status = texture_set_upload(set, texture, load->reader, view->renderer, error);
    load->times.take += taken - start;
    load->times.upload += view_seconds() - taken;
    if (status == MMD_OK && load->reader)
        view_reader_release(load->reader, waiting);
    return status;
}

bool mmd_view_load_is_ready(const mmd_view_load *load)
{
    assert(load && load->made);
    const texture_set *set = &load->made->textures;
    uint32_t next = next_used(set, load->uploaded);
    return !load->reader || next == set->count || view_reader_has(load->reader, set, set->order[next]);
}

/* Adds to a view's times what the load has taken. */
static void count_times(mmd_view *view, const mmd_view_load *load)
{
    const mmd_view_loading *times = &load->times;
    view->loading.measure += times->measure;
    view->loading.decode += load->made->textures.decode_seconds;
    view->loading.take += times->take;
    view->loading.upload += times->upload;
    view->loading.mesh += times->mesh;
}

/* Hands the model over to the view. */
static mmd_status put(mmd_view *view, mmd_view_load *load, mmd_error *error)
{
    view_model *made = load->made, *before = view_find_model(view, made->model);
    if (before)
        texture_set_keep(&made->textures, &before->textures);
    double start = view_seconds();
    mmd_status status = view_make_mesh(view, made, error);
    if (status == MMD_OK)
        status = view_put_model(view, made, error);
    load->times.mesh += view_seconds() - start;
    count_times(view, load);
    if (status == MMD_OK)
        load->made = NULL;
    else if (before)
        texture_set_give_back(&made->textures, &before->textures);
    return status;
}

mmd_status view_load_show(mmd_view *view, mmd_view_load *load, mmd_error *error)
{
    assert(view && load && load->made && !load->shown && !load->uploaded);
    assert(!view_find_model(view, load->made->model));
    double start = view_seconds();
    mmd_status status = view_make_mesh(view, load->made, error);
    if (status == MMD_OK)
        status = view_put_model(view, load->made, error);
    load->shown = status == MMD_OK;
    load->times.mesh += view_seconds() - start;
    return status;
}

void view_load_give_up(mmd_view_load *load)
{
    assert(load);
    load->made = NULL;
}

void view_load_refresh(const mmd_view *view, const mmd_view_load *load)
{
    assert(view && load && load->made && load->shown);
    view_set_textures(view, load->made);
}

/* Ends a load whose model is in the view. */
static void conclude(mmd_view *view, mmd_view_load *load)
{
    view_set_textures(view, load->made);
    count_times(view, load);
    load->made = NULL;
}

mmd_status mmd_view_load_step(mmd_view *view, mmd_view_load *load, bool *done, mmd_error *error)
{
    assert(view && load && load->made && done);
    const texture_set *set = &load->made->textures;
    *done = false;
    mmd_gpu_enter(view->gpu);
    mmd_status status = measure_alone(load, error);
    if (status != MMD_OK)
        return status;
    load->uploaded = next_used(set, load->uploaded);
    if (load->uploaded < set->count)
        return upload_next(view, load, error);
    const texture_origin origin = origin_of(load);
    texture_set_tell_rest(set, &origin);
    if (load->shown)
        conclude(view, load);
    else
        status = put(view, load, error);
    *done = status == MMD_OK;
    return status;
}

/* Frees the model. Without uploads there is nothing to free on the GPU. */
static void discard(view_model *made)
{
    texture_set_forget_pictures(&made->textures);
    mmd_arena_finish(&made->arena);
    mmd_free(made);
}

void mmd_view_load_destroy(mmd_view *view, mmd_view_load *load)
{
    if (!load)
        return;
    if (load->made && !load->shown && view)
        view_destroy_model(view, load->made);
    else if (load->made && !load->shown)
        discard(load->made);
    mmd_free(load);
}
