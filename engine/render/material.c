/* Determines how a material is drawn: its colours, and the features that its program needs (docs/mmd.md 6.3
 * to 6.7). */
#include <assert.h>
#include <string.h>

#include "arithmetic.h"
#include "render_internal.h"

/* Features that depend on normals; they are evaluated at vertices or at pixels. */
#define LIT_FEATURES (FEATURE_SPHERE | FEATURE_TOON | FEATURE_SPECULAR | FEATURE_ACCESSORY)

static bool is_neutral(const float multiply[4], const float add[4])
{
    for (int k = 0; k < 4; k++)
        if (multiply[k] != 1.0f || add[k] != 0.0f)
            return false;
    return true;
}

static void read_factors(const mmd_material_values *values, const float adds[12], material_draw *draw)
{
    memcpy(draw->multiply[0], values->texture_factor, sizeof draw->multiply[0]);
    memcpy(draw->multiply[1], values->sphere_factor, sizeof draw->multiply[1]);
    memcpy(draw->multiply[2], values->toon_factor, sizeof draw->multiply[2]);
    if (adds)
        memcpy(draw->add, adds, sizeof draw->add);
    else
        memset(draw->add, 0, sizeof draw->add);
}

static uint32_t sphere_features(const mmd_material *material, const mmd_render_texture *sphere)
{
    if (!sphere->id)
        return 0;
    switch (material->sphere_mode) {
    case MMD_SPHERE_MULTIPLY:
        return FEATURE_SPHERE;
    case MMD_SPHERE_ADD:
        return FEATURE_SPHERE | FEATURE_SPHERE_ADD;
    case MMD_SPHERE_SUB_TEXTURE:
        return FEATURE_SUB_TEXTURE;
    default:
        return 0;
    }
}

/* MMD applies the factors of morphs under self shadow only (docs/mmd.md 6.4). */
static uint32_t texture_features(const mmd_material *material, const mmd_render_material_textures *textures,
                                 bool shadow, const material_draw *draw)
{
    uint32_t features = sphere_features(material, &textures->sphere);
    if (textures->texture.id)
        features |= FEATURE_TEXTURE;
    /* A white toon multiplies by 1 and can be skipped, but under self shadow its coordinate still limits the
     * shadow. */
    if (textures->toon.id && (shadow || !textures->toon.white))
        features |= FEATURE_TOON;
    if (shadow && (((features & FEATURE_TEXTURE) && !is_neutral(draw->multiply[0], draw->add[0])) ||
                   ((features & (FEATURE_SPHERE | FEATURE_SUB_TEXTURE)) &&
                    !is_neutral(draw->multiply[1], draw->add[1])) ||
                   ((features & FEATURE_TOON) && !is_neutral(draw->multiply[2], draw->add[2]))))
        features |= FEATURE_FACTORS;
    return features;
}

/* Returns the smallest alpha that textures can give. With vertex colours anything is possible. */
static float lowest_alpha(float alpha, const mmd_render_material_textures *textures,
                          const material_draw *draw)
{
    if (draw->features & FEATURE_VERTEX_COLOR)
        return 0.0f;
    if (draw->features & FEATURE_TEXTURE)
        alpha *= (float)textures->texture.min_alpha / 255.0f;
    if (draw->features & (FEATURE_SPHERE | FEATURE_SUB_TEXTURE))
        alpha *= (float)textures->sphere.min_alpha / 255.0f;
    return alpha;
}

/* Computes the colours without textures: of a material, or of an accessory, which is lit in the shader. */
static void read_colors(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m,
                        material_draw *draw)
{
    const mmd_material_values *values = &desc->materials[m];
    const float *light = mesh->renderer->scene.light_color;
    const bool accessory = mesh->model->origin == MMD_ORIGIN_X;
    if (accessory) {
        accessory_dark_color(values, light, draw->base_color);
        memcpy(draw->light_diffuse, values->diffuse, sizeof draw->light_diffuse);
        draw->features |= FEATURE_ACCESSORY;
    } else {
        material_base_color(values, light, draw->base_color);
    }
    draw->base_color[3] *= desc->opacity;
    for (int k = 0; k < 3; k++) {
        draw->specular[k] = (accessory ? 0.1f : 1.0f) * values->specular[k] * light[k];
        /* Whatever the light, so that no other program is needed when it goes out. */
        if (values->specular_power > 0.0f && values->specular[k] != 0.0f)
            draw->features |= FEATURE_SPECULAR;
    }
}

/* Tests whether a material is shaded by the shadow map. MMD shades all materials so, and gives those that do
 * not receive shadows an empty map. */
static bool has_self_shadow(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    return mesh->renderer->scene.self_shadow && desc->self_shadow &&
           (mesh_is_of_mmd(mesh) || (mesh->model->materials[m].flags & MMD_MATERIAL_RECEIVES_SHADOW)) &&
           mesh->ranges[m].mode != GL_POINTS;
}

/* Decides on blending and alpha test. Both are skipped for opaque materials, to save time. */
static void blend_alpha(const mmd_render_material_textures *textures, bool additive, material_draw *draw)
{
    float lowest = lowest_alpha(draw->base_color[3], textures, draw);
    if (lowest < 1.01f * ALPHA_THRESHOLD)
        draw->features |= FEATURE_ALPHA_TEST;
    draw->blend = lowest < 1.0f || additive;
}

/* Handles alpha that is cut off: pixels are there or not, and only the opacity of the whole model blends. */
static void cut_alpha(const mmd_material *material, const mmd_render_material_textures *textures,
                      bool additive, material_draw *draw)
{
    float lowest = lowest_alpha(1.0f, textures, draw);
    draw->cutoff = material->alpha_cutoff;
    if (lowest < 1.0f)
        draw->features |= FEATURE_ALPHA_CUT;
    if (lowest < draw->cutoff)
        draw->features |= FEATURE_ALPHA_TEST;
    draw->blend = draw->base_color[3] < 1.0f || additive;
}

material_draw material_prepare(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    assert(mesh && desc);
    assert(m < mesh->model->material_count);
    const mmd_material *material = &mesh->model->materials[m];
    material_draw draw = {.visible = material_is_visible(mesh, desc, m)};
    read_colors(mesh, desc, m, &draw);
    read_factors(&desc->materials[m], desc->factor_adds ? desc->factor_adds[m] : NULL, &draw);
    bool shadow = has_self_shadow(mesh, desc, m);
    draw.features |= texture_features(material, &mesh->textures[m], shadow, &draw);
    if (shadow) {
        const mmd_renderer *renderer = mesh->renderer;
        const bool receives = material->flags & MMD_MATERIAL_RECEIVES_SHADOW;
        draw.features |= FEATURE_SELF_SHADOW;
        draw.shadow_map = receives ? renderer->shadow_map : renderer->shared_toons[WHITE_TOON].id;
    }
    if ((material->flags & MMD_MATERIAL_VERTEX_COLOR) && mesh->model->vertices.additional_uv_count)
        draw.features |= FEATURE_VERTEX_COLOR;
    if (mesh->ranges[m].mode == GL_POINTS)
        draw.features |= FEATURE_POINTS;
    if (mesh->ranges[m].mode == GL_LINES)
        draw.features |= FEATURE_LINES;
    if (mesh->renderer->scene.smooth && (draw.features & LIT_FEATURES))
        draw.features |= FEATURE_SMOOTH;
    if (material->cuts_alpha)
        cut_alpha(material, &mesh->textures[m], desc->additive, &draw);
    else
        blend_alpha(&mesh->textures[m], desc->additive, &draw);
    return draw;
}

bool material_draws_alike(const material_draw *a, const material_draw *b)
{
    assert(a && b);
    return a->features == b->features && a->blend == b->blend && a->visible == b->visible &&
           memcmp(a->base_color, b->base_color, sizeof a->base_color) == 0 &&
           memcmp(a->light_diffuse, b->light_diffuse, sizeof a->light_diffuse) == 0 &&
           memcmp(a->specular, b->specular, sizeof a->specular) == 0 &&
           memcmp(a->multiply, b->multiply, sizeof a->multiply) == 0 &&
           memcmp(a->add, b->add, sizeof a->add) == 0 && a->cutoff == b->cutoff;
}

bool material_is_two_sided(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    assert(mesh && desc);
    assert(m < mesh->model->material_count);
    return (mesh->model->materials[m].flags & MMD_MATERIAL_TWO_SIDED) ||
           (mesh_is_of_mmd(mesh) && desc->materials[m].diffuse[3] < 1.0f && !has_self_shadow(mesh, desc, m));
}

bool material_is_visible(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    assert(mesh && desc);
    assert(m < mesh->model->material_count);
    return desc->materials[m].diffuse[3] * desc->opacity >= ALPHA_THRESHOLD && mesh->ranges[m].count &&
           !(desc->hidden && desc->hidden[m]);
}

bool material_has_holes(const mmd_render_mesh *mesh, uint32_t m)
{
    assert(mesh);
    assert(m < mesh->model->material_count);
    const mmd_render_texture *texture = &mesh->textures[m].texture;
    float full = material_cutoff(mesh, m) >= 0.0f ? 255.0f * material_cutoff(mesh, m) : 255.0f;
    return texture->id && (float)texture->min_alpha < full;
}

/* Tests whether a material has neither edge nor shadows because it is hidden. One with alpha 0 in its file
 * keeps them; one that a morph made invisible loses them (docs/mmd.md 2.7, 6.6). */
static bool is_hidden(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    return (desc->hidden && desc->hidden[m]) || desc->opacity < ALPHA_THRESHOLD ||
           (desc->materials[m].diffuse[3] < ALPHA_THRESHOLD &&
            mesh->model->materials[m].diffuse[3] >= ALPHA_THRESHOLD);
}

bool material_throws_shadow(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    assert(mesh && desc);
    assert(m < mesh->model->material_count);
    return mesh->ranges[m].count && mesh->ranges[m].mode != GL_POINTS && !is_hidden(mesh, desc, m) &&
           (desc->materials[m].edge_color[3] >= ALPHA_THRESHOLD || mesh->model->origin == MMD_ORIGIN_X);
}

float material_cutoff(const mmd_render_mesh *mesh, uint32_t m)
{
    assert(mesh);
    assert(m < mesh->model->material_count);
    const mmd_material *material = &mesh->model->materials[m];
    return material->cuts_alpha ? material->alpha_cutoff : -1.0f;
}

bool material_has_edge(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    assert(mesh && desc);
    assert(m < mesh->model->material_count);
    const mmd_material *material = &mesh->model->materials[m];
    const mmd_material_values *values = &desc->materials[m];
    return (material->flags & MMD_MATERIAL_EDGE) && mesh->ranges[m].mode == GL_TRIANGLES &&
           mesh->ranges[m].count && values->edge_size > 0.0f &&
           values->edge_color[3] * desc->opacity >= ALPHA_THRESHOLD && !is_hidden(mesh, desc, m);
}
