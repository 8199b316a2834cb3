/* Destruction of models and simple queries. */
#include "mmd/model.h"

#include <assert.h>
#include <string.h>

void mmd_model_destroy(mmd_model *model)
{
    if (!model)
        return;
    mmd_arena arena = model->arena;
    mmd_arena_finish(&arena);
    mmd_free(model);
}

int32_t mmd_model_find_bone(const mmd_model *model, const char *name)
{
    assert(model && name);
    for (uint32_t i = 0; i < model->bone_count; i++)
        if (strcmp(model->bones[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

int32_t mmd_model_find_morph(const mmd_model *model, const char *name)
{
    assert(model && name);
    for (uint32_t i = 0; i < model->morph_count; i++)
        if (strcmp(model->morphs[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

void mmd_material_rest_values(const mmd_material *material, mmd_material_values *values)
{
    assert(material && values);
    memcpy(values->diffuse, material->diffuse, sizeof values->diffuse);
    memcpy(values->specular, material->specular, sizeof values->specular);
    values->specular_power = material->specular_power;
    memcpy(values->ambient, material->ambient, sizeof values->ambient);
    memcpy(values->edge_color, material->edge_color, sizeof values->edge_color);
    values->edge_size = material->edge_size;
    for (int i = 0; i < 4; i++) {
        values->texture_factor[i] = 1;
        values->sphere_factor[i] = 1;
        values->toon_factor[i] = 1;
    }
}
