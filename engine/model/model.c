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

uint32_t mmd_model_body_count(const mmd_model *model)
{
    return model->physscene ? model->physscene->body_count : model->body_count;
}

const char *mmd_model_body_name(const mmd_model *model, uint32_t body)
{
    return model->physscene ? model->physscene->bodies[body].name : model->bodies[body].name;
}

int32_t mmd_model_body_bone(const mmd_model *model, uint32_t body)
{
    return model->physscene ? model->physscene->bodies[body].bone : model->bodies[body].bone;
}

static bool is_dynamic(const mmd_phys_body *body)
{
    return !body->disabled && (body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE);
}

static bool body_is_dynamic(const mmd_model *model, uint32_t body)
{
    return model->physscene ? is_dynamic(&model->physscene->bodies[body]) : model->bodies[body].mode != 0;
}

bool mmd_model_bone_is_driven(const mmd_model *model, int32_t bone)
{
    for (uint32_t i = 0; bone >= 0 && i < mmd_model_body_count(model); i++)
        if (mmd_model_body_bone(model, i) == bone && body_is_dynamic(model, i))
            return true;
    return false;
}

bool mmd_model_has_dynamic_scene(const mmd_model *model)
{
    for (uint32_t i = 0; model->physscene && i < model->physscene->body_count; i++)
        if (is_dynamic(&model->physscene->bodies[i]))
            return true;
    return false;
}
