/* Reads and writes ids of pictures with libpng itself, because their names are in a text chunk. */
#include "mmd/ids.h"
#include "mmd/cursor.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "mmd/source.h"
#include "mmd/text.h"
#include "png_calls.h"

static const char chunk_name[] = "odori.ids";

/*
 * Limit of models, materials and bones together: far more than any scene has, few enough to search linearly.
 */
enum { PLANES = 3, ID_MAX = 0xffffff, PARTS_MAX = 65536 };

/* --- Reading --- */

/* Everything that must survive a longjmp of libpng. */
typedef struct ids_reader {
    const uint8_t *data;
    size_t size, at;
    mmd_ids *ids;
    uint8_t *row;
    char *names; /* JSON */
    png_reason reason;
    mmd_error *error;
    mmd_status status;
} ids_reader;

static mmd_status fail(mmd_error *error, mmd_status code, const char *section, const char *text)
{
    return mmd_error_set(error, code, section, MMD_NO_OFFSET, "%s", text);
}

static _Noreturn void on_error(png_structp png, png_const_charp text)
{
    ids_reader *r = png_get_error_ptr(png);
    if (r->reason.lacks_memory)
        r->status = mmd_error_memory(r->error);
    else if (r->status == MMD_OK)
        r->status = mmd_error_set(r->error, MMD_ERROR_TRUNCATED, "PNG", r->at, "%s", text);
    png_longjmp(png, 1);
}

static void read_bytes(png_structp png, png_bytep out, size_t size)
{
    ids_reader *r = png_get_io_ptr(png);
    if (r->size - r->at < size)
        png_error(png, "the picture data is incomplete");
    memcpy(out, r->data + r->at, size);
    r->at += size;
}

static _Noreturn void refuse(png_structp png, mmd_status status, const char *text)
{
    ids_reader *r = png_get_error_ptr(png);
    r->status = fail(r->error, status, "PNG", text);
    png_longjmp(png, 1);
}

static void check_header(png_structp png, png_infop info, const mmd_ids *ids)
{
    if (png_get_color_type(png, info) != PNG_COLOR_TYPE_RGB || png_get_bit_depth(png, info) != 8 ||
        png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        refuse(png, MMD_ERROR_MAGIC, "not a picture of ids, which has 8-bit RGB and is not interlaced");
    if (png_get_image_width(png, info) != ids->width ||
        png_get_image_height(png, info) != PLANES * ids->height)
        refuse(png, MMD_ERROR_VALUE,
               "the size does not fit the picture (ids have the same width and three times the height)");
}

static void read_rows(png_structp png, ids_reader *r)
{
    const mmd_ids *ids = r->ids;
    for (uint32_t plane = 0; plane < PLANES; plane++) {
        for (uint32_t y = 0; y < ids->height; y++) {
            uint32_t(*out)[3] = ids->ids + (size_t)y * ids->width;
            png_read_row(png, r->row, NULL);
            for (uint32_t x = 0; x < ids->width; x++) {
                const uint8_t *p = r->row + 3 * (size_t)x;
                out[x][plane] = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
            }
        }
    }
}

/* Finds the names. The chunk may come before or after the pixels. */
static void find_names(png_structp png, png_infop info, ids_reader *r)
{
    png_textp texts;
    int count;
    png_get_text(png, info, &texts, &count);
    for (int i = 0; i < count && !r->names; i++) {
        if (strcmp(texts[i].key, chunk_name) != 0 || !texts[i].text)
            continue;
        size_t size = strlen(texts[i].text) + 1;
        r->names = mmd_alloc(size);
        if (!r->names)
            refuse(png, MMD_ERROR_MEMORY, "out of memory");
        memcpy(r->names, texts[i].text, size);
    }
    if (!r->names)
        refuse(png, MMD_ERROR_MAGIC, "not a picture of ids: the text chunk odori.ids is missing");
}

/*
 * Reads the picture. libpng may leave this function by longjmp, so none of its variables is used afterwards.
 */
static void read_png(png_structp png, png_infop info, ids_reader *r)
{
    if (setjmp(png_jmpbuf(png)))
        return;
    png_set_read_fn(png, r, read_bytes);
    png_set_user_limits(png, MMD_IMAGE_SIZE_MAX, PLANES * MMD_IMAGE_SIZE_MAX);
    png_read_info(png, info);
    check_header(png, info, r->ids);
    r->row = mmd_alloc(3 * (size_t)r->ids->width);
    r->ids->ids =
        mmd_arena_alloc(&r->ids->arena, (size_t)r->ids->width * r->ids->height, sizeof *r->ids->ids);
    if (!r->row || !r->ids->ids)
        refuse(png, MMD_ERROR_MEMORY, "out of memory");
    read_rows(png, r);
    png_read_end(png, info);
    find_names(png, info, r);
}

static mmd_status read_file(ids_reader *r)
{
    if (r->size < 8 || png_sig_cmp(r->data, 0, 8) != 0)
        return fail(r->error, MMD_ERROR_MAGIC, "PNG", "not a PNG, so not a picture of ids");
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, on_error, on_png_warning, &r->reason,
                                               alloc_for_png, free_for_png);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info)
        read_png(png, info, r);
    else
        r->status = mmd_error_memory(r->error);
    png_destroy_read_struct(&png, &info, NULL);
    return r->status;
}

/* --- Names --- */

static const char *name_of(const json_t *object)
{
    return json_string_value(json_is_string(object) ? object : json_object_get(object, "name"));
}

/* Copies a name. Returns NULL if it is not a text, or when out of memory. */
static const char *copy_name(mmd_ids *ids, const json_t *object, mmd_status *status)
{
    const char *name = name_of(object);
    const char *copy = name ? mmd_arena_text(&ids->arena, name, strlen(name)) : NULL;
    if (!copy)
        *status = name ? MMD_ERROR_MEMORY : MMD_ERROR_SYNTAX;
    return copy;
}

/* Adds the materials or bones of a model to the list of all. */
static mmd_status add_parts(mmd_ids *ids, uint32_t model, const json_t *list, mmd_ids_part *parts,
                            size_t *count)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const char *name = copy_name(ids, item, &status);
        if (!name)
            return status;
        parts[(*count)++] = (mmd_ids_part){.name = name,
                                           .model = model,
                                           .index = (uint32_t)i,
                                           .physics = json_is_true(json_object_get(item, "physics"))};
    }
    return MMD_OK;
}

static size_t count_parts(const json_t *models, const char *key)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(models); i++)
        count += json_array_size(json_object_get(json_array_get(models, i), key));
    return count;
}

static mmd_status take_models(mmd_ids *ids, const json_t *models)
{
    mmd_status status = json_is_array(models) ? MMD_OK : MMD_ERROR_SYNTAX;
    for (size_t i = 0; i < json_array_size(models) && status == MMD_OK; i++) {
        const json_t *model = json_array_get(models, i);
        const char *name = copy_name(ids, json_is_object(model) ? model : NULL, &status);
        if (!name)
            return status;
        ids->models[ids->model_count++] = name;
        status = add_parts(ids, (uint32_t)i, json_object_get(model, "materials"), ids->materials,
                           &ids->material_count);
        if (status == MMD_OK)
            status =
                add_parts(ids, (uint32_t)i, json_object_get(model, "bones"), ids->bones, &ids->bone_count);
    }
    return status;
}

static mmd_status read_names(mmd_ids *ids, const char *text, mmd_error *error)
{
    json_error_t json_error;
    json_t *root = json_loads(text, 0, &json_error);
    if (!root && json_error_code(&json_error) == json_error_out_of_memory)
        return mmd_error_memory(error);
    if (!root)
        return mmd_error_set(error, MMD_ERROR_SYNTAX, chunk_name, (uint64_t)json_error.position, "%s",
                             json_error.text);
    const json_t *models = json_object_get(root, "models");
    if (json_array_size(models) > PARTS_MAX || count_parts(models, "materials") > PARTS_MAX ||
        count_parts(models, "bones") > PARTS_MAX) {
        json_decref(root);
        return fail(error, MMD_ERROR_LIMIT, chunk_name, "more than 65536 models, materials or bones");
    }
    ids->models = mmd_arena_alloc(&ids->arena, json_array_size(models), sizeof *ids->models);
    ids->materials = mmd_arena_alloc(&ids->arena, count_parts(models, "materials"), sizeof *ids->materials);
    ids->bones = mmd_arena_alloc(&ids->arena, count_parts(models, "bones"), sizeof *ids->bones);
    mmd_status status = MMD_ERROR_MEMORY;
    if (ids->models && ids->materials && ids->bones)
        status = take_models(ids, models);
    if (status == MMD_ERROR_MEMORY)
        mmd_error_memory(error);
    else if (status != MMD_OK)
        fail(error, status, chunk_name, "the list of models and their parts is missing or invalid");
    json_decref(root);
    return status;
}

/* Position of a model's parts in the list of all parts. */
typedef struct ids_start {
    uint32_t materials, material_count, bones, bone_count;
} ids_start;

static ids_start *find_starts(mmd_ids *ids)
{
    ids_start *starts = mmd_arena_alloc(&ids->arena, ids->model_count, sizeof *starts);
    if (!starts)
        return NULL;
    for (size_t i = ids->material_count; i-- > 0;) {
        starts[ids->materials[i].model].materials = (uint32_t)i;
        starts[ids->materials[i].model].material_count++;
    }
    for (size_t i = ids->bone_count; i-- > 0;) {
        starts[ids->bones[i].model].bones = (uint32_t)i;
        starts[ids->bones[i].model].bone_count++;
    }
    return starts;
}

/* Converts indices within a model to indices in the list of all parts. */
static bool number_pixel(uint32_t id[3], const ids_start *starts, size_t model_count)
{
    if (id[0] == 0)
        return id[1] == 0 && id[2] == 0;
    if (id[0] > model_count)
        return false;
    const ids_start *start = &starts[id[0] - 1];
    if (id[1] > start->material_count || id[2] > start->bone_count)
        return false;
    id[1] = id[1] ? id[1] + start->materials : 0;
    id[2] = id[2] ? id[2] + start->bones : 0;
    return true;
}

static mmd_status number_pixels(mmd_ids *ids, mmd_error *error)
{
    const ids_start *starts = find_starts(ids);
    if (!starts)
        return mmd_error_memory(error);
    for (size_t i = 0; i < (size_t)ids->width * ids->height; i++)
        if (!number_pixel(ids->ids[i], starts, ids->model_count))
            return mmd_error_set(error, MMD_ERROR_INDEX, "pixel", MMD_NO_OFFSET,
                                 "pixel %u, %u has an id without a name", (unsigned)(i % ids->width),
                                 (unsigned)(i / ids->width));
    return MMD_OK;
}

mmd_status mmd_ids_apply_names(mmd_ids *ids, const char *names, mmd_error *error)
{
    mmd_status status = read_names(ids, names, error);
    return status == MMD_OK ? number_pixels(ids, error) : status;
}

mmd_status mmd_ids_decode(const void *data, size_t size, uint32_t width, uint32_t height, mmd_ids *ids,
                          mmd_error *error)
{
    *ids = (mmd_ids){.width = width, .height = height};
    ids_reader reader = {.data = data, .size = size, .ids = ids, .error = error};
    mmd_status status = read_file(&reader);
    if (status == MMD_OK)
        status = mmd_ids_apply_names(ids, reader.names, error);
    mmd_free(reader.row);
    mmd_free(reader.names);
    return status;
}

mmd_status mmd_ids_read(const char *path, uint32_t width, uint32_t height, mmd_ids *ids, mmd_error *error)
{
    mmd_bytes file = {0};
    assert(path && ids);
    *ids = (mmd_ids){0};
    mmd_status status = mmd_file_read(path, &file, error);
    if (status == MMD_OK)
        status = mmd_ids_decode(file.data, file.size, width, height, ids, error);
    mmd_bytes_finish(&file);
    if (status != MMD_OK)
        mmd_error_set_file(error, path);
    return status;
}

void mmd_ids_finish(mmd_ids *ids)
{
    mmd_arena_finish(&ids->arena);
    *ids = (mmd_ids){0};
}

/* --- Writing --- */

/* Appends a text as a JSON string, with the characters escaped that act on a terminal. */
static void write_text(mmd_buffer *json, const char *text)
{
    mmd_write_u8(json, '"');
    for (size_t size; *text; text += size ? size : 1) {
        uint32_t control;
        size = mmd_text_control(text, &control);
        if (size)
            mmd_write_format(json, "\\u%04" PRIx32, control);
        else if (*text == '"' || *text == '\\')
            mmd_write_format(json, "\\%c", *text);
        else
            mmd_write_u8(json, (uint8_t)*text);
    }
    mmd_write_u8(json, '"');
}

/* Appends a name, whose bytes that are no UTF-8 are replaced. */
static void write_name(mmd_buffer *json, const char *name)
{
    size_t size = mmd_text_clean(name, false, NULL, 0) + 1;
    char *clean = mmd_alloc(size);
    if (clean) {
        mmd_text_clean(name, false, clean, size);
        write_text(json, clean);
    }
    json->failed = json->failed || !clean;
    mmd_free(clean);
}

static void write_model(mmd_buffer *json, const mmd_ids_model *model)
{
    mmd_write_format(json, "{\"name\":");
    write_name(json, model->name);
    mmd_write_format(json, ",\"materials\":[");
    for (size_t i = 0; i < model->material_count; i++) {
        if (i)
            mmd_write_u8(json, ',');
        write_name(json, model->materials[i]);
    }
    mmd_write_format(json, "],\"bones\":[");
    for (size_t i = 0; i < model->bone_count; i++) {
        mmd_write_format(json, i ? ",{\"name\":" : "{\"name\":");
        write_name(json, model->bones[i].name);
        mmd_write_format(json, model->bones[i].physics ? ",\"physics\":true}" : "}");
    }
    mmd_write_format(json, "]}");
}

mmd_status mmd_ids_names(const mmd_ids_plane *plane, mmd_buffer *json, mmd_error *error)
{
    assert(plane && json);
    mmd_write_format(json, "{\"models\":[");
    for (size_t i = 0; i < plane->model_count; i++) {
        if (i)
            mmd_write_u8(json, ',');
        write_model(json, &plane->models[i]);
    }
    mmd_write_format(json, "]}");
    mmd_write_u8(json, 0);
    return json->failed ? mmd_error_memory(error) : MMD_OK;
}

mmd_status mmd_ids_make(const mmd_ids_plane *plane, mmd_ids *ids, mmd_error *error)
{
    const size_t count = (size_t)plane->width * plane->height;
    mmd_buffer names = {0};
    assert(plane && ids);
    *ids = (mmd_ids){.width = plane->width, .height = plane->height};
    mmd_status status = mmd_ids_names(plane, &names, error);
    if (status == MMD_OK) {
        ids->ids = mmd_arena_alloc(&ids->arena, count, sizeof *ids->ids);
        status = ids->ids ? MMD_OK : mmd_error_memory(error);
    }
    if (status == MMD_OK) {
        memcpy(ids->ids, plane->ids, count * sizeof *ids->ids);
        status = mmd_ids_apply_names(ids, (const char *)names.data, error);
    }
    mmd_buffer_finish(&names);
    return status;
}

/* Writes ids to the three planes. Returns false if an id does not fit into 24 bits. */
static bool paint_planes(const mmd_ids_plane *plane, uint8_t *rgba)
{
    size_t count = (size_t)plane->width * plane->height;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < PLANES; k++) {
            uint32_t id = plane->ids[i][k];
            uint8_t *p = rgba + 4 * (k * count + i);
            if (id > ID_MAX)
                return false;
            p[0] = (uint8_t)(id >> 16);
            p[1] = (uint8_t)(id >> 8);
            p[2] = (uint8_t)id;
            p[3] = 255;
        }
    }
    return true;
}

mmd_status mmd_ids_encode(const mmd_ids_plane *plane, mmd_buffer *png, mmd_error *error)
{
    /* mmd_image_init is not used because three planes may exceed its limit. */
    mmd_image image = {.width = plane->width,
                       .height = PLANES * plane->height,
                       .pixels = mmd_alloc((size_t)4 * PLANES * plane->width * plane->height)};
    mmd_buffer names = {0};
    mmd_status status = mmd_ids_names(plane, &names, error);
    if (status == MMD_OK && !image.pixels) {
        status = mmd_error_memory(error);
    } else if (status == MMD_OK && !paint_planes(plane, image.pixels)) {
        status = fail(error, MMD_ERROR_LIMIT, "ids", "an id does not fit in 24 bits");
    } else if (status == MMD_OK) {
        const mmd_image_text text = {chunk_name, (const char *)names.data};
        status = mmd_png_write(&image, &(mmd_png_options){.texts = &text, .text_count = 1}, png, error);
    }
    mmd_buffer_finish(&names);
    mmd_image_finish(&image);
    return status;
}

/* Converts ids to what they are in a file, in an arena. Returns false when out of memory. */
static bool make_plane(const mmd_ids *ids, mmd_arena *arena, mmd_ids_plane *plane)
{
    const size_t count = (size_t)ids->width * ids->height;
    uint32_t(*pixels)[3] = mmd_arena_alloc(arena, count, sizeof *pixels);
    mmd_ids_model *models = mmd_arena_alloc(arena, ids->model_count, sizeof *models);
    const char **materials = mmd_arena_alloc(arena, ids->material_count, sizeof *materials);
    mmd_ids_bone *bones = mmd_arena_alloc(arena, ids->bone_count, sizeof *bones);
    if (!pixels || !models || !materials || !bones)
        return false;
    for (size_t i = 0; i < ids->model_count; i++)
        models[i].name = ids->models[i];
    for (size_t i = 0; i < ids->material_count; i++) {
        mmd_ids_model *model = &models[ids->materials[i].model];
        materials[i] = ids->materials[i].name;
        model->materials = model->material_count++ ? model->materials : &materials[i];
    }
    for (size_t i = 0; i < ids->bone_count; i++) {
        mmd_ids_model *model = &models[ids->bones[i].model];
        bones[i] = (mmd_ids_bone){ids->bones[i].name, ids->bones[i].physics};
        model->bones = model->bone_count++ ? model->bones : &bones[i];
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *id = ids->ids[i];
        pixels[i][0] = id[0];
        pixels[i][1] = id[1] ? ids->materials[id[1] - 1].index + 1 : 0;
        pixels[i][2] = id[2] ? ids->bones[id[2] - 1].index + 1 : 0;
    }
    *plane = (mmd_ids_plane){ids->width, ids->height, (const uint32_t(*)[3])pixels, models, ids->model_count};
    return true;
}

mmd_status mmd_ids_write(const char *path, const mmd_ids *ids, mmd_error *error)
{
    assert(path && ids);
    mmd_arena arena = {0};
    mmd_buffer png = {0};
    mmd_ids_plane plane;
    mmd_status status =
        make_plane(ids, &arena, &plane) ? mmd_ids_encode(&plane, &png, error) : mmd_error_memory(error);
    if (status == MMD_OK)
        status = mmd_file_write(path, png.data, png.size, error);
    mmd_buffer_finish(&png);
    mmd_arena_finish(&arena);
    if (status != MMD_OK)
        mmd_error_set_file(error, path);
    return status;
}

bool mmd_ids_path_beside(const char *picture, char *path, size_t capacity)
{
    const char *name = mmd_path_name(picture), *dot = strrchr(name, '.');
    int length = (int)(dot && dot != name ? dot - picture : (ptrdiff_t)strlen(picture));
    int size = snprintf(path, capacity, "%.*s.ids.png", length, picture);
    return size > 0 && (size_t)size < capacity;
}
