/* Textures of a model: finding, decoding, uploading; missing ones are reported once (docs/mmd.md 1.2, 6.4,
 * 6.9). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "mmd/text.h"
#include "view_internal.h"

/* A set has additional entries for the shared toons, because in PMD a toon file in the model's folder
 * replaces the shared one. */
enum { SHARED_TOONS = 10 };

/* Number of missing textures that are named in the log, and bytes of a model's name there. */
enum { MISSING_TOLD = 20, OWNER_MAX = 128 };

/* Bytes of files of a scene that are kept in memory from reading their headers until they are decoded. Others
 * are read again. */
enum { KEPT_MAX = 64 << 20 };

static uint32_t slot_count(const mmd_model *model)
{
    return model->texture_count + SHARED_TOONS;
}

static const char *slot_name(const mmd_model *model, uint32_t slot)
{
    static const char *const toons[SHARED_TOONS] = {"toon01.bmp", "toon02.bmp", "toon03.bmp", "toon04.bmp",
                                                    "toon05.bmp", "toon06.bmp", "toon07.bmp", "toon08.bmp",
                                                    "toon09.bmp", "toon10.bmp"};
    return slot < model->texture_count ? model->textures[slot] : toons[slot - model->texture_count];
}

static bool is_shared_toon(const mmd_material *material)
{
    return material->shared_toon && material->toon >= 0 && material->toon < SHARED_TOONS;
}

static void mark(bool *used, int32_t texture)
{
    if (texture >= 0)
        used[texture] = true;
}

static void mark_used(const mmd_model *model, bool *used)
{
    for (uint32_t m = 0; m < model->material_count; m++) {
        const mmd_material *material = &model->materials[m];
        mark(used, material->texture);
        mark(used, material->sphere);
        if (!material->shared_toon)
            mark(used, material->toon);
        else if (is_shared_toon(material) && model->origin == MMD_ORIGIN_PMD)
            used[model->texture_count + (uint32_t)material->toon] = true;
    }
}

/* A text of a texture. */
typedef struct texture_text {
    const char *text;
    uint32_t texture;
} texture_text;

static int compare_texts(const void *a, const void *b)
{
    const texture_text *x = a, *y = b;
    int texts = strcmp(x->text, y->text);
    return texts ? texts : x->texture < y->texture ? -1 : x->texture > y->texture;
}

/* Sets for each listed texture the first one with an equal text. Sorts the list. */
static void find_equal(texture_text *list, uint32_t count, uint32_t *first)
{
    if (count)
        qsort(list, count, sizeof *list, compare_texts);
    for (uint32_t i = 0; i < count; i++) {
        bool equal = i && strcmp(list[i].text, list[i - 1].text) == 0;
        first[list[i].texture] = equal ? first[list[i - 1].texture] : list[i].texture;
    }
}

/* Writes the name that messages have for the model. */
static void write_owner(const texture_origin *origin, char owner[OWNER_MAX])
{
    mmd_text_clean(origin->model->name[0] ? origin->model->name : origin->title, true, owner, OWNER_MAX);
}

/* Reports a missing texture. The name comes from the file and may hold anything, so it is cleaned for the
 * log. */
static void report(texture_set *set, const texture_origin *origin, uint32_t texture, const char *why)
{
    const char *name = slot_name(origin->model, texture);
    uint32_t first = set->namesake[texture];
    if (set->reported[first])
        return;
    set->reported[first] = true;
    set->missing[set->missing_count++] = name;
    if (set->missing_count > MISSING_TOLD)
        return;
    char clean[MMD_PATH_MAX], owner[OWNER_MAX];
    mmd_text_clean(name, true, clean, sizeof clean);
    write_owner(origin, owner);
    mmd_log_message(origin->log, MMD_LOG_WARNING, "%s%stexture %s: %s", owner, owner[0] ? ": " : "", clean,
                    why);
}

void texture_set_tell_rest(const texture_set *set, const texture_origin *origin)
{
    assert(set && origin);
    char owner[OWNER_MAX];
    if (set->missing_count <= MISSING_TOLD)
        return;
    write_owner(origin, owner);
    mmd_log_message(origin->log, MMD_LOG_WARNING, "%s%s%zu further textures are missing or not opened", owner,
                    owner[0] ? ": " : "", set->missing_count - MISSING_TOLD);
}

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for textures");
}

mmd_status texture_set_init(texture_set *set, const mmd_model *model, mmd_arena *arena, mmd_error *error)
{
    assert(set && model && arena);
    uint32_t count = slot_count(model);
    *set = (texture_set){.textures = mmd_arena_alloc(arena, count, sizeof *set->textures),
                         .used = mmd_arena_alloc(arena, count, sizeof *set->used),
                         .owned = mmd_arena_alloc(arena, count, sizeof *set->owned),
                         .reading = mmd_arena_alloc(arena, count, sizeof *set->reading),
                         .concluded = mmd_arena_alloc(arena, count, sizeof *set->concluded),
                         .pictures = mmd_arena_alloc(arena, count, sizeof(mmd_render_picture)),
                         .wrong = mmd_arena_alloc(arena, count, sizeof(const mmd_error *)),
                         .infos = mmd_arena_alloc(arena, count, sizeof *set->infos),
                         .paths = mmd_arena_alloc(arena, count, sizeof *set->paths),
                         .same = mmd_arena_alloc(arena, count, sizeof *set->same),
                         .order = mmd_arena_alloc(arena, count, sizeof *set->order),
                         .kept = mmd_arena_alloc(arena, count, sizeof *set->kept),
                         .namesake = mmd_arena_alloc(arena, count, sizeof *set->namesake),
                         .reported = mmd_arena_alloc(arena, count, sizeof *set->reported),
                         .missing = mmd_arena_alloc(arena, count, sizeof *set->missing)};
    texture_text *names = mmd_alloc(count * sizeof *names);
    bool failed = !set->textures || !set->used || !set->owned || !set->reading || !set->concluded ||
                  !set->pictures || !set->wrong || !set->infos || !set->paths || !set->same || !set->order ||
                  !set->kept || !set->namesake || !set->reported || !set->missing || !names;
    for (uint32_t t = 0; !failed && t < count; t++)
        names[t] = (texture_text){slot_name(model, t), t};
    if (!failed)
        find_equal(names, count, set->namesake);
    mmd_free(names);
    if (failed)
        return no_memory(error);
    set->count = count;
    mark_used(model, set->used);
    return MMD_OK;
}

/* Finds the files of all textures that are used, and which of them are the same. */
static mmd_status search(texture_set *set, const texture_origin *origin, mmd_arena *arena, mmd_error *error)
{
    texture_text *paths = mmd_alloc(set->count * sizeof *paths);
    uint32_t found = 0;
    bool failed = !paths;
    for (uint32_t t = 0; !failed && t < set->count; t++) {
        char path[MMD_PATH_MAX];
        mmd_error why = {0};
        if (!set->used[t])
            continue;
        if (mmd_source_look_up(origin->source, origin->folder, slot_name(origin->model, t), path, &why) !=
            MMD_OK) {
            if (t < origin->model->texture_count)
                report(set, origin, t, why.message);
            continue;
        }
        set->paths[t] = mmd_arena_text(arena, path, strlen(path));
        failed = !set->paths[t];
        if (!failed)
            paths[found++] = (texture_text){set->paths[t], t};
    }
    if (!failed)
        find_equal(paths, found, set->same);
    mmd_free(paths);
    return failed ? no_memory(error) : MMD_OK;
}

/* Sets the order of reading: the first textures of each file as the source likes it, then all others. */
static bool plan(texture_set *set, mmd_source *source)
{
    const char **paths = mmd_alloc((set->count + 1) * sizeof *paths);
    uint32_t *first = mmd_alloc((set->count + 1) * sizeof *first), count = 0;
    bool done = paths && first;
    for (uint32_t t = 0; done && t < set->count; t++)
        if (set->paths[t] && set->same[t] == t) {
            paths[count] = set->paths[t];
            first[count++] = t;
        }
    if (done)
        mmd_source_plan(source, paths, count, set->order);
    for (uint32_t i = 0; done && i < count; i++)
        set->order[i] = first[set->order[i]];
    for (uint32_t t = 0; done && t < set->count; t++)
        if (!set->paths[t] || set->same[t] != t)
            set->order[count++] = t;
    mmd_free(paths);
    mmd_free(first);
    return done;
}

/* A text that is equal where all bytes of two files are. */
typedef struct measured {
    char content[56];
} measured;

/* Reads the header of a texture's file. Whatever is wrong with it is reported when it is decoded. Returns
 * whether there is a header. */
static bool measure(texture_set *set, uint32_t texture, mmd_source *source, mmd_texture_memory *memory,
                    measured *picture)
{
    mmd_bytes bytes = {0};
    if (mmd_source_read(source, set->paths[texture], &bytes, NULL) != MMD_OK)
        return false;
    bool has_header = mmd_image_read_info(bytes.data, bytes.size, set->paths[texture], &set->infos[texture],
                                          NULL) == MMD_OK;
    XXH128_hash_t hash = XXH3_128bits(bytes.data, bytes.size);
    snprintf(picture->content, sizeof picture->content, "%016llx%016llx-%llx",
             (unsigned long long)hash.high64, (unsigned long long)hash.low64, (unsigned long long)bytes.size);
    if (bytes.size <= KEPT_MAX && memory->kept <= KEPT_MAX - bytes.size) {
        memory->kept += bytes.size;
        set->kept[texture] = bytes;
    } else {
        mmd_bytes_finish(&bytes);
    }
    return has_header;
}

/* Measures the first textures of all files, of which those with equal bytes become the same. */
static bool measure_all(texture_set *set, mmd_source *source, mmd_texture_memory *memory)
{
    measured *pictures = mmd_alloc(set->count * sizeof *pictures);
    texture_text *contents = mmd_alloc(set->count * sizeof *contents);
    uint32_t count = 0;
    for (uint32_t i = 0; pictures && contents && i < set->count; i++) {
        uint32_t t = set->order[i];
        if (set->paths[t] && set->same[t] == t && measure(set, t, source, memory, &pictures[t]))
            contents[count++] = (texture_text){pictures[t].content, t};
    }
    find_equal(contents, count, set->same);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = contents[i].texture;
        if (set->same[t] == t) {
            mmd_texture_memory_add(&set->memory, &set->infos[t]);
        } else {
            memory->kept -= set->kept[t].size;
            mmd_bytes_finish(&set->kept[t]);
        }
    }
    for (uint32_t t = 0; t < set->count; t++)
        set->same[t] = set->same[set->same[t]];
    bool done = pictures && contents;
    mmd_free(pictures);
    mmd_free(contents);
    return done;
}

mmd_status texture_set_measure(texture_set *set, const texture_origin *origin, mmd_arena *arena,
                               mmd_texture_memory *memory, mmd_error *error)
{
    assert(set && origin && arena && memory && !set->measured);
    mmd_status status = search(set, origin, arena, error);
    set->memory = mmd_texture_memory_of(memory->limit);
    if (status == MMD_OK &&
        !(plan(set, origin->source) && measure_all(set, origin->source, memory) && plan(set, origin->source)))
        status = no_memory(error);
    if (status != MMD_OK)
        return status;
    texture_memory_sum(memory, &set->memory);
    set->measured = true;
    return MMD_OK;
}

/* --- Reading --- */

/* Stands for an error that there was no memory to keep. */
static const mmd_error lacks_memory = {.code = MMD_ERROR_MEMORY};

/* Keeps why a texture cannot be read. */
static void keep_error(texture_set *set, uint32_t t, const mmd_error *error)
{
    mmd_error *kept = mmd_alloc(sizeof *kept);
    if (kept)
        *kept = *error;
    set->wrong[t] = kept ? kept : &lacks_memory;
}

static void forget_error(texture_set *set, uint32_t t)
{
    if (set->wrong[t] != &lacks_memory)
        mmd_free((void *)(uintptr_t)set->wrong[t]);
    set->wrong[t] = NULL;
}

bool texture_set_fetch(texture_set *set, uint32_t t, mmd_source *source, mmd_bytes *bytes)
{
    assert(set && set->measured && set->reading[t] == TEXTURE_UNREAD && source && bytes);
    mmd_error why = {0};
    *bytes = set->kept[t];
    set->kept[t] = (mmd_bytes){0};
    set->reading[t] = TEXTURE_BEGUN;
    if (!set->used[t] || !set->paths[t] || set->same[t] != t)
        return false;
    if (bytes->data || mmd_source_read(source, set->paths[t], bytes, &why) == MMD_OK)
        return true;
    keep_error(set, t, &why);
    return false;
}

/* Decodes a picture at the size that the texture may have. */
static mmd_status decode(const texture_set *set, const mmd_bytes *bytes, const char *path, mmd_image *image,
                         mmd_error *error)
{
    mmd_image_info info;
    mmd_status status = mmd_image_read_info(bytes->data, bytes->size, path, &info, error);
    if (status != MMD_OK)
        return status;
    status = texture_check(&info, set->memory.limit, set->opened, error);
    if (status != MMD_OK)
        return status;
    status = mmd_image_decode_reduced(bytes->data, bytes->size, path, texture_halvings(&info, set->size),
                                      image, error);
    if (status == MMD_OK && (!image->width || !image->height)) {
        mmd_image_finish(image);
        return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET, "an empty picture");
    }
    return status;
}

void texture_set_decode(texture_set *set, uint32_t t, mmd_bytes *bytes)
{
    assert(set && set->reading[t] == TEXTURE_BEGUN && bytes);
    mmd_image image = {0};
    mmd_error why = {0};
    mmd_status status = decode(set, bytes, set->paths[t], &image, &why);
    mmd_bytes_finish(bytes);
    if (status == MMD_OK)
        mmd_render_picture_init(&set->pictures[t], &image);
    mmd_image_finish(&image);
    if (status != MMD_OK)
        keep_error(set, t, &why);
}

mmd_status texture_set_conclude(texture_set *set, uint32_t t, const texture_origin *origin, mmd_error *error)
{
    assert(set && origin && set->reading[t] == TEXTURE_READ);
    if (!set->used[t] || set->concluded[t])
        return MMD_OK;
    set->concluded[t] = true;
    uint32_t first = set->same[t];
    if (set->paths[t] && set->reported[set->namesake[first]] && strcmp(set->paths[t], set->paths[first]) != 0)
        report(set, origin, t, "its bytes are those of another texture, which is reported");
    if (!set->wrong[t])
        return MMD_OK;
    const bool lacked = set->wrong[t]->code == MMD_ERROR_MEMORY;
    if (!lacked)
        report(set, origin, t, set->wrong[t]->message);
    forget_error(set, t);
    return lacked ? no_memory(error) : MMD_OK;
}

mmd_status texture_set_read(texture_set *set, uint32_t t, const texture_origin *origin, mmd_error *error)
{
    assert(set && origin);
    double start = view_seconds();
    mmd_bytes bytes;
    if (set->reading[t] == TEXTURE_UNREAD && texture_set_fetch(set, t, origin->source, &bytes))
        texture_set_decode(set, t, &bytes);
    set->reading[t] = TEXTURE_READ;
    set->decode_seconds += view_seconds() - start;
    return texture_set_conclude(set, t, origin, error);
}

uint64_t texture_set_working(const texture_set *set, uint32_t t)
{
    assert(set && set->measured);
    if (!set->used[t] || !set->paths[t] || set->same[t] != t || !set->infos[t].width)
        return 0;
    return mmd_image_memory(&set->infos[t], texture_halvings(&set->infos[t], set->size));
}

uint64_t texture_set_waiting(const texture_set *set, uint32_t t)
{
    assert(set);
    const mmd_image *image = &set->pictures[t].image;
    return UINT64_C(4) * image->width * image->height;
}

/* Fails only if the GPU does, or memory. */
mmd_status texture_set_upload(texture_set *set, uint32_t t, mmd_view_reader *reader, mmd_renderer *renderer,
                              mmd_error *error)
{
    assert(set && renderer);
    bool is_known = set->paths[t] && set->same[t] != t;
    if (is_known)
        set->textures[t] = set->textures[set->same[t]];
    if (is_known || !set->pictures[t].image.pixels)
        return MMD_OK;
    if (reader && mmd_render_picture_is_enlarged(&set->pictures[t]))
        set->pictures[t].pool = view_reader_pool(reader);
    mmd_status status =
        mmd_render_texture_create(renderer, &set->pictures[t], set->paths[t], &set->textures[t], error);
    set->owned[t] = status == MMD_OK;
    mmd_render_picture_finish(&set->pictures[t]);
    return status;
}

/* Returns the index of the entry that frees this texture; count if none does any more. */
static uint32_t owner_of(const texture_set *set, const mmd_render_texture *texture)
{
    uint32_t t = 0;
    while (t < set->count && !(set->owned[t] && set->textures[t].id == texture->id))
        t++;
    return t;
}

void texture_set_keep(texture_set *set, texture_set *before)
{
    assert(set && before);
    for (uint32_t t = 0; t < set->count && t < before->count; t++) {
        if (!set->used[t] || set->textures[t].id || !before->textures[t].id)
            continue;
        uint32_t owner = owner_of(before, &before->textures[t]);
        set->textures[t] = before->textures[t];
        if (owner < before->count)
            before->owned[owner] = false;
        set->owned[t] = owner < before->count;
    }
}

/* Undoes texture_set_keep. */
void texture_set_give_back(texture_set *set, texture_set *before)
{
    assert(set && before);
    for (uint32_t t = 0; t < set->count && t < before->count; t++) {
        if (!set->textures[t].id || set->textures[t].id != before->textures[t].id)
            continue;
        before->owned[t] |= set->owned[t];
        set->owned[t] = false;
        set->textures[t] = (mmd_render_texture){0};
    }
}

void texture_set_forget_pictures(texture_set *set)
{
    assert(set);
    for (uint32_t t = 0; t < set->count; t++) {
        mmd_render_picture_finish(&set->pictures[t]);
        mmd_bytes_finish(&set->kept[t]);
        forget_error(set, t);
    }
}

void texture_set_finish(texture_set *set, mmd_renderer *renderer)
{
    assert(set && renderer);
    texture_set_forget_pictures(set);
    for (uint32_t t = 0; t < set->count; t++)
        if (set->owned[t])
            mmd_render_texture_destroy(renderer, &set->textures[t]);
}

mmd_render_material_textures texture_set_material(const texture_set *set, const mmd_renderer *renderer,
                                                  const mmd_model *model, const mmd_material *material)
{
    assert(set && renderer && model && material);
    mmd_render_material_textures result = {0};
    if (material->texture >= 0)
        result.texture = set->textures[material->texture];
    if (material->sphere >= 0)
        result.sphere = set->textures[material->sphere];
    if (is_shared_toon(material)) {
        result.toon = set->textures[model->texture_count + (uint32_t)material->toon];
        if (!result.toon.id)
            result.toon = mmd_renderer_shared_toon(renderer, material->toon);
    } else if (!material->shared_toon && material->toon >= 0) {
        result.toon = set->textures[material->toon];
    }
    return result;
}
