/* shot --ids: who each pixel belongs to, beside the picture. */
#include "shot_ids.h"

#include <string.h>

#include "base/message.h"
#include "files/ids.h"
#include "mmd/memory.h"
#include "base/output.h"

/* The names of one model; false: out of memory. */
static bool name_model(const scene_model *m, mmd_arena *arena, ids_model *names)
{
    const mmd_model *model = m->model;
    const char **materials = mmd_arena_alloc(arena, model->material_count, sizeof *materials);
    ids_model_bone *bones = mmd_arena_alloc(arena, model->bone_count, sizeof *bones);
    if (!materials || !bones)
        return false;
    for (uint32_t i = 0; i < model->material_count; i++)
        materials[i] = model->materials[i].name;
    for (uint32_t i = 0; i < model->bone_count; i++)
        bones[i] = (ids_model_bone){model->bones[i].name, model_bone_is_driven(model, (int32_t)i)};
    *names = (ids_model){.name = *model->name ? model->name : mmd_path_name(m->path),
                         .materials = materials,
                         .material_count = model->material_count,
                         .bones = bones,
                         .bone_count = model->bone_count};
    return true;
}

static mmd_status draw_ids(mmd_view *view, const odori_scene *scene, const mmd_view_options *options,
                           picture_size size, mmd_arena *arena, ids_plane *plane, mmd_error *error)
{
    size_t count = (size_t)size.width * size.height;
    uint32_t(*ids)[3] = mmd_arena_alloc(arena, count, sizeof *ids);
    ids_model *models = mmd_arena_alloc(arena, scene->model_count, sizeof *models);
    bool ok = ids && models;
    for (size_t i = 0; ok && i < scene->model_count; i++)
        ok = name_model(&scene->models[i], arena, &models[i]);
    if (!ok)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "for the picture of ids");
    mmd_status status = mmd_view_ids(view, scene->stage, options, size.width, size.height, ids, error);
    if (status != MMD_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            ids[i][k] = ids[i][k] == MMD_VIEW_NO_ID ? 0 : ids[i][k] + 1;
    *plane = (ids_plane){.width = size.width,
                         .height = size.height,
                         .ids = (const uint32_t(*)[3])ids,
                         .models = models,
                         .model_count = scene->model_count};
    return MMD_OK;
}

mmd_status shot_ids_png(mmd_view *view, const odori_scene *scene, const mmd_view_options *options,
                        picture_size size, mmd_buffer *png, mmd_error *error)
{
    mmd_arena arena = {0};
    ids_plane plane;
    mmd_status status = draw_ids(view, scene, options, size, &arena, &plane, error);
    if (status == MMD_OK)
        status = ids_write(&plane, png, error);
    mmd_arena_finish(&arena);
    return status;
}

int shot_write_ids(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                   const screen_picture *picture)
{
    char path[4096];
    mmd_error error = {0};
    mmd_buffer png = {0};
    int result = EXIT_DONE;
    const picture_size size = {picture->width, picture->height};
    mmd_status status = shot_ids_png(s->view, scene, options, size, &png, &error);
    if (status != MMD_OK) {
        report(&error);
        result = EXIT_FACILITY;
    } else if (!ids_path_beside(picture->path, path, sizeof path)) {
        message("%s: the name is too long", picture->path);
        result = EXIT_FACILITY;
    } else if (!output_write(path, png.data, png.size)) {
        result = EXIT_FACILITY;
    }
    mmd_buffer_finish(&png);
    return result;
}
