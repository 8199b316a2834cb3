/* Small models for tests, built in an arena as a reader does. */
#ifndef ODORI_MADE_MODEL_H
#define ODORI_MADE_MODEL_H

#include "support.h"

#include "mmd/model.h"

typedef struct made_sizes {
    uint32_t vertices, indices, bones, materials, morphs, textures, additional_uvs, sdefs;
} made_sizes;

static inline void *made_array(mmd_model *model, size_t count, size_t size)
{
    void *memory = mmd_arena_alloc(&model->arena, count, size);
    assert_non_null(memory);
    return memory;
}

static inline void made_vertices(mmd_model *model, const made_sizes *sizes)
{
    mmd_vertices *v = &model->vertices;
    v->count = sizes->vertices;
    v->additional_uv_count = sizes->additional_uvs;
    v->position = made_array(model, v->count, sizeof *v->position);
    v->normal = made_array(model, v->count, sizeof *v->normal);
    v->uv = made_array(model, v->count, sizeof *v->uv);
    for (uint32_t i = 0; i < sizes->additional_uvs; i++)
        v->additional_uv[i] = made_array(model, v->count, sizeof *v->additional_uv[i]);
    v->deform = made_array(model, v->count, sizeof *v->deform);
    v->bone = made_array(model, v->count, sizeof *v->bone);
    v->weight = made_array(model, v->count, sizeof *v->weight);
    v->edge_scale = made_array(model, v->count, sizeof *v->edge_scale);
    v->sdef_count = sizes->sdefs;
    if (sizes->sdefs) {
        v->sdef_index = made_array(model, v->count, sizeof *v->sdef_index);
        v->sdef = made_array(model, sizes->sdefs, sizeof *v->sdef);
    }
    for (uint32_t i = 0; i < v->count; i++) {
        for (int k = 1; k < 4; k++)
            v->bone[i][k] = -1;
        v->weight[i][0] = 1.0f;
        v->edge_scale[i] = 1.0f;
        if (sizes->sdefs)
            v->sdef_index[i] = -1;
    }
}

/* Creates a model with all vertices on bone 0 and white materials without textures. Call made_finish after
 * filling it in. */
static inline mmd_model *made_model(const made_sizes *sizes)
{
    mmd_model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->origin = MMD_ORIGIN_MADE;
    model->version = 2.1f;
    model->name = model->name_en = model->comment = model->comment_en = "";
    made_vertices(model, sizes);
    model->index_count = sizes->indices;
    model->indices = made_array(model, sizes->indices, sizeof *model->indices);
    model->texture_count = sizes->textures;
    model->textures = made_array(model, sizes->textures, sizeof *model->textures);
    model->bone_count = sizes->bones;
    model->bones = made_array(model, sizes->bones, sizeof *model->bones);
    for (uint32_t b = 0; b < sizes->bones; b++) {
        model->bones[b].name = model->bones[b].name_en = "bone";
        model->bones[b].parent = -1;
        model->bones[b].append_source = model->bones[b].ik_target = model->bones[b].tail_bone = -1;
        model->bones[b].flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE;
    }
    model->material_count = sizes->materials;
    model->materials = made_array(model, sizes->materials, sizeof *model->materials);
    for (uint32_t m = 0; m < sizes->materials; m++) {
        mmd_material *material = &model->materials[m];
        material->name = material->name_en = material->memo = "material";
        for (int k = 0; k < 4; k++)
            material->diffuse[k] = 1.0f;
        for (int k = 0; k < 3; k++)
            material->ambient[k] = 0.4f; /* white in MMD's light of 0.6 */
        material->edge_color[3] = 1.0f;
        material->texture = material->sphere = material->toon = -1;
    }
    model->morph_count = sizes->morphs;
    model->morphs = made_array(model, sizes->morphs, sizeof *model->morphs);
    for (uint32_t m = 0; m < sizes->morphs; m++)
        model->morphs[m].name = model->morphs[m].name_en = "morph";
    return model;
}

static inline void made_finish(mmd_model *model)
{
    mmd_error error = {0};
    if (mmd_model_prepare(model, &error) != MMD_OK)
        fail_msg("%s", error.message);
}

static inline void made_destroy(mmd_model *model)
{
    mmd_arena_finish(&model->arena);
    free(model);
}

/*
 * Sets the square of four vertices from first on. It faces the viewer (-Z), has its corners at x, y and x +
 * size, y + size in the plane z, and UV (0,0) at the top left as seen by the viewer. Its six indices are
 * stored from index on.
 */
static inline void made_square(mmd_model *model, uint32_t first, uint32_t index, float x, float y, float z,
                               float size)
{
    for (uint32_t i = 0; i < 4; i++) {
        float u = i & 1 ? 1.0f : 0.0f, v = i & 2 ? 1.0f : 0.0f;
        model->vertices.position[first + i][0] = x + size * u;
        model->vertices.position[first + i][1] = y + size * (1.0f - v);
        model->vertices.position[first + i][2] = z;
        model->vertices.normal[first + i][2] = -1.0f;
        model->vertices.uv[first + i][0] = u;
        model->vertices.uv[first + i][1] = v;
    }
    const uint32_t corners[6] = {0, 1, 2, 2, 1, 3}; /* clockwise as seen by the viewer */
    for (uint32_t i = 0; i < 6; i++)
        model->indices[index + i] = first + corners[i];
}

#endif
