/*
 * Begins to make the programs that a mesh will need, so that the driver works on all at once, and none is
 * left for the midst of a dance. What a material needs is decided by material_prepare, which is asked here
 * for the values that the material can have.
 */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

/* What morphs can change of a material. */
typedef struct material_changes {
    bool alpha, specular, factors;
} material_changes;

/* Tests whether a morph leaves count values as they are: it multiplies by 1, or adds 0. */
static bool leaves(const mmd_material_offset *offset, const float *values, int count)
{
    for (int i = 0; i < count; i++)
        if (values[i] != (offset->operation ? 0.0f : 1.0f))
            return false;
    return true;
}

/* Finds the changes of all materials. */
static void find_changes(const mmd_model *model, material_changes *changes)
{
    /* Accessories fade as a whole. */
    material_changes of_all = {.alpha = model->origin == MMD_ORIGIN_X};
    memset(changes, 0, model->material_count * sizeof *changes);
    for (uint32_t i = 0; i < model->morph_count; i++) {
        const mmd_morph *morph = &model->morphs[i];
        for (uint32_t k = 0; morph->kind == MMD_MORPH_MATERIAL && k < morph->count; k++) {
            const mmd_material_offset *offset = &morph->offsets.material[k];
            const mmd_material_values *values = &offset->values;
            if (offset->material >= 0 && (uint32_t)offset->material >= model->material_count)
                continue;
            material_changes *found = offset->material < 0 ? &of_all : &changes[offset->material];
            found->alpha |= !leaves(offset, &values->diffuse[3], 1);
            found->specular |=
                !leaves(offset, values->specular, 3) || !leaves(offset, &values->specular_power, 1);
            found->factors |= !leaves(offset, values->texture_factor, 4) ||
                              !leaves(offset, values->sphere_factor, 4) ||
                              !leaves(offset, values->toon_factor, 4);
        }
    }
    for (uint32_t m = 0; m < model->material_count; m++) {
        changes[m].alpha |= of_all.alpha;
        changes[m].specular |= of_all.specular;
        changes[m].factors |= of_all.factors;
    }
}

/* Ways in which a material's values differ from those of its file. */
enum { SHOWN = 1, FADED = 2, SHINY = 4, TINTED = 8, UNLIKE_SHADOW = 16, WAYS = 32 };

/* Changes values as morphs can, in one of the ways, for another program than without. */
static void change(mmd_material_values *values, unsigned way)
{
    static const float tint[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    if (way & SHOWN)
        values->diffuse[3] = 1.0f;
    if (way & FADED)
        values->diffuse[3] = ALPHA_THRESHOLD;
    if (way & SHINY) {
        const bool shiny =
            values->specular_power > 0.0f &&
            (values->specular[0] != 0.0f || values->specular[1] != 0.0f || values->specular[2] != 0.0f);
        values->specular_power = shiny ? 0.0f : 1.0f;
        values->specular[0] = 1.0f;
    }
    if (way & TINTED) {
        memcpy(values->texture_factor, tint, sizeof tint);
        memcpy(values->sphere_factor, tint, sizeof tint);
        memcpy(values->toon_factor, tint, sizeof tint);
    }
}

/* Returns the ways in which a dance can change a material. */
static unsigned ways_of(material_changes changes, const mmd_render_wanted *wanted)
{
    return (changes.alpha ? SHOWN | FADED : 0u) | (changes.specular ? SHINY : 0u) |
           (changes.factors ? TINTED : 0u) | (wanted->shadow_changes ? UNLIKE_SHADOW : 0u);
}

/* Begins the programs of a material with these values: its surface, and its shadows. */
static mmd_status begin_programs(mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m,
                                 const mmd_render_wanted *wanted, mmd_error *error)
{
    mmd_renderer *renderer = mesh->renderer;
    const material_draw draw = material_prepare(mesh, desc, m);
    if (!draw.visible)
        return MMD_OK;
    const uint32_t flat = (shadow_map_has_holes(mesh, m) ? FLAT_TEXTURE : 0u) |
                          (wanted->crowd ? FLAT_CROWD : 0u) |
                          (mesh->ranges[m].mode == GL_LINES ? FLAT_LINES : 0u);
    mmd_status status = renderer_material_program(
        renderer, draw.features | (wanted->crowd ? FEATURE_CROWD : 0u), NULL, error);
    if (status == MMD_OK && renderer->scene.self_shadow && shadow_map_shows(mesh, desc, m))
        status = renderer_projected_program(renderer, flat, NULL, error);
    if (status == MMD_OK && wanted->ground_shadow && ground_shadow_shows(mesh, desc, m))
        status = mesh->ranges[m].mode == GL_LINES
                     ? renderer_projected_program(renderer, flat & ~(uint32_t)FLAT_TEXTURE, NULL, error)
                     : renderer_edge_program(renderer, EDGE_GROUND | (wanted->crowd ? EDGE_CROWD : 0u), NULL,
                                             error);
    return status;
}

mmd_status mmd_render_begin_programs(mmd_render_mesh *mesh, const mmd_render_wanted *wanted, mmd_error *error)
{
    assert(mesh && wanted);
    const mmd_model *model = mesh->model;
    mmd_renderer *renderer = mesh->renderer;
    const uint32_t shadow = renderer->scene.self_shadow;
    mmd_material_values *values = mmd_alloc((model->material_count + 1) * sizeof *values);
    material_changes *changes = mmd_alloc((model->material_count + 1) * sizeof *changes);
    if (!values || !changes) {
        mmd_free(values);
        mmd_free(changes);
        return render_no_memory("the programs of a model", error);
    }
    if (wanted->ahead)
        find_changes(model, changes);
    const mmd_render_model_desc desc = {
        .materials = values, .edge_scale = 1.0f, .opacity = 1.0f, .self_shadow = true};
    mmd_status status = wanted->crowd ? renderer_edge_program(renderer, EDGE_CROWD, NULL, error) : MMD_OK;
    for (uint32_t m = 0; m < model->material_count; m++) {
        const unsigned possible = wanted->ahead ? ways_of(changes[m], wanted) : 0;
        for (unsigned way = 0; way < WAYS && status == MMD_OK; way++) {
            if (way & ~possible)
                continue;
            mmd_material_rest_values(&model->materials[m], &values[m]);
            change(&values[m], way);
            renderer->scene.self_shadow = way & UNLIKE_SHADOW ? !shadow : shadow;
            status = begin_programs(mesh, &desc, m, wanted, error);
        }
    }
    renderer->scene.self_shadow = shadow;
    mmd_free(values);
    mmd_free(changes);
    return status;
}
