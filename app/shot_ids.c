/* shot --ids: who each pixel belongs to, beside the picture. */
#include "shot_ids.h"

#include <string.h>

#include "app.h"
#include "ids.h"
#include "mmd/memory.h"
#include "output.h"

/* Whether a rigid body moves the bone, not the other way round. */
static bool is_driven(const mmd_model *model, uint32_t bone)
{
    for (uint32_t i = 0; i < model->body_count; i++)
        if (model->bodies[i].mode != 0 && model->bodies[i].bone == (int32_t)bone)
            return true;
    return false;
}

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
        bones[i] = (ids_model_bone){model->bones[i].name, is_driven(model, i)};
    *names = (ids_model){.name = *model->name ? model->name : mmd_path_name(m->path),
                         .materials = materials,
                         .material_count = model->material_count,
                         .bones = bones,
                         .bone_count = model->bone_count};
    return true;
}

static mmd_status draw_ids(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                           const screen_picture *picture, mmd_arena *arena, ids_plane *plane,
                           mmd_error *error)
{
    size_t count = (size_t)picture->width * picture->height;
    uint32_t(*ids)[3] = mmd_arena_alloc(arena, count, sizeof *ids);
    ids_model *models = mmd_arena_alloc(arena, scene->model_count, sizeof *models);
    bool ok = ids && models;
    for (size_t i = 0; ok && i < scene->model_count; i++)
        ok = name_model(&scene->models[i], arena, &models[i]);
    if (!ok)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "for the picture of ids");
    mmd_status status =
        mmd_view_ids(s->view, scene->stage, options, picture->width, picture->height, ids, error);
    if (status != MMD_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            ids[i][k] = ids[i][k] == MMD_VIEW_NO_ID ? 0 : ids[i][k] + 1;
    *plane = (ids_plane){.width = picture->width,
                         .height = picture->height,
                         .ids = (const uint32_t(*)[3])ids,
                         .models = models,
                         .model_count = scene->model_count};
    return MMD_OK;
}

int shot_write_ids(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                   const screen_picture *picture)
{
    char path[4096];
    mmd_error error = {0};
    mmd_arena arena = {0};
    mmd_buffer png = {0};
    ids_plane plane;
    int result = EXIT_DONE;
    mmd_status status = draw_ids(s, scene, options, picture, &arena, &plane, &error);
    if (status == MMD_OK)
        status = ids_write(&plane, &png, &error);
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
    mmd_arena_finish(&arena);
    return result;
}
