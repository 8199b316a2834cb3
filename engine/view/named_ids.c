/* Draws ids of pictures with their names (ids.h). */
#include "mmd/memory.h"
#include "mmd/view.h"

#include <assert.h>

/* Lists the names of a model, in an arena. Returns false when out of memory. */
static bool name_model(const mmd_model *model, mmd_arena *arena, mmd_ids_model *names)
{
    const char **materials = mmd_arena_alloc(arena, model->material_count, sizeof *materials);
    mmd_ids_bone *bones = mmd_arena_alloc(arena, model->bone_count, sizeof *bones);
    if (!materials || !bones)
        return false;
    for (uint32_t i = 0; i < model->material_count; i++)
        materials[i] = model->materials[i].name;
    for (uint32_t i = 0; i < model->bone_count; i++)
        bones[i] = (mmd_ids_bone){model->bones[i].name, mmd_model_bone_is_driven(model, (int32_t)i)};
    *names = (mmd_ids_model){.name = model->name,
                             .materials = materials,
                             .material_count = model->material_count,
                             .bones = bones,
                             .bone_count = model->bone_count};
    return true;
}

mmd_status mmd_view_named_ids(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              uint32_t width, uint32_t height, mmd_ids *ids, mmd_error *error)
{
    assert(view && stage && options && ids);
    /* mmd_view_ids refuses pictures that are too large. */
    const bool too_large = width > MMD_IMAGE_SIZE_MAX || height > MMD_IMAGE_SIZE_MAX;
    const size_t count = too_large ? 0 : (size_t)width * height, model_count = mmd_stage_actor_count(stage);
    mmd_arena arena = {0};
    *ids = (mmd_ids){0};
    uint32_t(*drawn)[3] = mmd_arena_alloc(&arena, count, sizeof *drawn);
    mmd_ids_model *models = mmd_arena_alloc(&arena, model_count, sizeof *models);
    bool ok = drawn && models;
    for (size_t i = 0; ok && i < model_count; i++)
        ok = name_model(mmd_actor_model(mmd_stage_actor(stage, i)), &arena, &models[i]);
    mmd_status status =
        ok ? mmd_view_ids(view, stage, options, width, height, drawn, error) : mmd_error_memory(error);
    if (status == MMD_OK) {
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                drawn[i][k] = drawn[i][k] == MMD_VIEW_NO_ID ? 0 : drawn[i][k] + 1;
        const mmd_ids_plane plane = {width, height, (const uint32_t(*)[3])drawn, models, model_count};
        status = mmd_ids_make(&plane, ids, error);
    }
    mmd_arena_finish(&arena);
    return status;
}
