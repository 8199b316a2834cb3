/*
 * Surface modes for modellers, drawn instead of materials: clay, the weights of a bone, and ids as colours.
 * They draw like the id pass (order, culling, holes of textures), without blending and without edges, which
 * are not part of the mesh.
 */
#include <assert.h>
#include <string.h>

#include "odori_shaders.h"
#include "render_internal.h"

enum surface_feature {
    SURFACE_TEXTURE = 1 << 0,
    SURFACE_TINT = 1 << 1,
    SURFACE_HEAT = 1 << 2,
    SURFACE_SHADED = 1 << 3,
    SURFACE_LINES = 1 << 4,
    SURFACE_VARIANTS = 1 << 5
};

/* Location of the colour attribute. */
enum { SURFACE_TINT_AT = 5 };

typedef struct surface_program {
    GLuint id;
    GLint color, alpha, cutoff, point_size, line_reach;
} surface_program;

struct surface_programs {
    surface_program by_feature[SURFACE_VARIANTS];
};

static const float clay_color[3] = {0.80f, 0.80f, 0.83f}, unweighted_color[3] = {0.70f, 0.70f, 0.73f};

/* Assigns hues that are as far apart as possible for consecutive ids, in tiers of different saturation and
 * value. */
static void id_hue(uint32_t id, double rgb[3])
{
    static const double tiers[4][2] = {{0.62, 0.92}, {0.82, 0.68}, {0.38, 0.80}, {0.72, 0.48}};
    double hue = 0.53 + 0.618033988749895 * (double)id;
    hue = 6.0 * (hue - (double)(uint64_t)hue);
    double saturation = tiers[id % 4][0], value = tiers[id % 4][1];
    for (int k = 0; k < 3; k++) { /* HSV to RGB (Smith 1978) */
        double at = hue + (k == 0 ? 5.0 : k == 1 ? 3.0 : 1.0);
        at = at >= 6.0 ? at - 6.0 : at;
        double part = at < 4.0 - at ? at : 4.0 - at;
        part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
        rgb[k] = value * (1.0 - saturation * part);
    }
}

void mmd_id_color(uint32_t id, uint8_t rgb[3])
{
    double hue[3];
    id_hue(id, hue);
    for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)(((uint32_t)(hue[k] * 255.0) & 0xf0u) | ((id >> (8 - 4 * k)) & 0x0fu));
}

static mmd_status create_program(mmd_renderer *renderer, uint32_t features, surface_program *made,
                                 mmd_error *error)
{
    static const char *const names[] = {"TEXTURE", "TINT", "HEAT", "SHADED", "LINES"};
    const mmd_gpu_source parts[] = {{"scene.glsl", shader_scene_glsl},
                                    {"lighting.glsl", shader_lighting_glsl},
                                    {"line_quad.glsl", shader_line_quad_glsl}};
    char defines[128] = "";
    for (int i = 0; i < 5; i++) {
        if (!(features & 1u << i))
            continue;
        strcat(defines, "#define ");
        strcat(defines, names[i]);
        strcat(defines, " 1\n");
    }
    mmd_gpu_program_desc desc = {
        .vertex = {.main = {"surface.vert", shader_surface_vert}, .parts = parts, .part_count = 1},
        .fragment = {.main = {"surface.frag", shader_surface_frag}, .parts = parts, .part_count = 3},
        .defines = defines,
        .label = "surface"};
    if (features & SURFACE_LINES)
        desc.geometry.main = (mmd_gpu_source){"line_quad.geom", shader_line_quad_geom};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &made->id, error);
    if (status != MMD_OK)
        return status;
    made->color = glGetUniformLocation(made->id, "flat_color");
    made->alpha = glGetUniformLocation(made->id, "alpha");
    made->cutoff = glGetUniformLocation(made->id, "cutoff");
    made->point_size = glGetUniformLocation(made->id, "point_size");
    made->line_reach = glGetUniformLocation(made->id, "line_reach");
    glUniformBlockBinding(made->id, glGetUniformBlockIndex(made->id, "Scene"), 0);
    mmd_gpu_use_program(renderer->gpu, made->id);
    glUniform1i(glGetUniformLocation(made->id, "diffuse_texture"), UNIT_TEXTURE);
    return mmd_gpu_check(renderer->gpu, "setting up the surfaces", error);
}

static mmd_status find_program(mmd_renderer *renderer, uint32_t features, const surface_program **program,
                               mmd_error *error)
{
    *program = NULL;
    if (!renderer->surfaces) {
        renderer->surfaces = mmd_alloc(sizeof *renderer->surfaces);
        if (!renderer->surfaces)
            return render_no_memory("the surfaces", error);
        memset(renderer->surfaces, 0, sizeof *renderer->surfaces);
    }
    surface_program *found = &renderer->surfaces->by_feature[features];
    *program = found;
    return found->id ? MMD_OK : create_program(renderer, features, found, error);
}

void renderer_destroy_surfaces(mmd_renderer *renderer)
{
    assert(renderer);
    if (!renderer->surfaces)
        return;
    for (size_t i = 0; i < SURFACE_VARIANTS; i++)
        mmd_gpu_program_destroy(renderer->gpu, renderer->surfaces->by_feature[i].id);
    mmd_free(renderer->surfaces);
    renderer->surfaces = NULL;
}

static float weight_of(const mmd_vertices *vertices, uint32_t v, uint32_t bone)
{
    float sum = 0;
    for (int i = 0; i < 4; i++)
        if (vertices->bone[v][i] == (int32_t)bone)
            sum += vertices->weight[v][i];
    return sum < 0.0f ? 0.0f : sum > 1.0f ? 1.0f : sum;
}

static void fill_tints(const mmd_render_mesh *mesh, const mmd_surface_desc *surface, uint8_t (*tints)[4])
{
    const mmd_vertices *vertices = &mesh->model->vertices;
    for (uint32_t v = 0; v < vertices->count; v++) {
        memset(tints[v], 255, sizeof tints[v]);
        if (surface->kind == MMD_SURFACE_BONES)
            mmd_id_color(render_dominant_bone(vertices, v), tints[v]);
        else
            tints[v][0] = (uint8_t)(255.0f * weight_of(vertices, v, surface->bone) + 0.5f);
    }
}

/* Prepares the colour attribute; recomputes it only if the bone is another one than last time. */
static mmd_status prepare_tints(mmd_render_mesh *mesh, const mmd_surface_desc *surface, mmd_error *error)
{
    const uint64_t key =
        (uint64_t)surface->kind << 32 | (surface->kind == MMD_SURFACE_BONES ? 0 : surface->bone);
    size_t size = (size_t)mesh->model->vertices.count * 4;
    if (mesh->tint_buffer && mesh->tint_key == key)
        return MMD_OK;
    uint8_t(*tints)[4] = mmd_alloc(size);
    if (!tints)
        return render_no_memory("the surfaces", error);
    fill_tints(mesh, surface, tints);
    mmd_status status = MMD_OK;
    mmd_gpu_buffer_desc desc = {.size = size, .label = "tints"};
    if (!mesh->tint_buffer)
        status = mmd_gpu_buffer_create(mesh->renderer->gpu, &desc, &mesh->tint_buffer, error);
    if (status == MMD_OK) {
        glBindBuffer(GL_ARRAY_BUFFER, mesh->tint_buffer);
        glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)size, tints);
        mesh->tint_key = key;
    }
    mmd_free(tints);
    return status;
}

static mmd_status create_array(mmd_render_instance *instance, mmd_error *error)
{
    instance->surface_array = instance_create_array(instance);
    mmd_gpu_bind_array(instance->mesh->renderer->gpu, instance->surface_array);
    glBindBuffer(GL_ARRAY_BUFFER, instance->mesh->tint_buffer);
    glEnableVertexAttribArray(SURFACE_TINT_AT);
    glVertexAttribPointer(SURFACE_TINT_AT, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, NULL);
    mmd_gpu_bind_array(instance->mesh->renderer->gpu, 0);
    return mmd_gpu_check(instance->mesh->renderer->gpu, "setting up the surfaces", error);
}

static uint32_t features_of(mmd_surface kind)
{
    switch (kind) {
    case MMD_SURFACE_CLAY:
        return SURFACE_SHADED;
    case MMD_SURFACE_WEIGHTS:
        return SURFACE_SHADED | SURFACE_HEAT;
    case MMD_SURFACE_BONES:
        return SURFACE_TINT;
    default:
        return 0;
    }
}

static void color_of(const mmd_surface_desc *surface, uint32_t material, float rgb[3])
{
    uint8_t bytes[3];
    if (surface->kind == MMD_SURFACE_CLAY || surface->kind == MMD_SURFACE_WEIGHTS) {
        memcpy(rgb, surface->kind == MMD_SURFACE_CLAY ? clay_color : unweighted_color, 3 * sizeof *rgb);
        return;
    }
    mmd_id_color(surface->kind == MMD_SURFACE_MODELS ? surface->model : material, bytes);
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)bytes[k] / 255.0f;
}

static mmd_status use_program(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc,
                              const mmd_surface_desc *surface, uint32_t m, mmd_error *error)
{
    float rgb[3];
    bool holes = material_has_holes(mesh, m);
    const bool lines = mesh->ranges[m].mode == GL_LINES;
    const uint32_t features =
        features_of(surface->kind) | (holes ? SURFACE_TEXTURE : 0u) | (lines ? SURFACE_LINES : 0u);
    const surface_program *program;
    mmd_status status = find_program(mesh->renderer, features, &program, error);
    if (status != MMD_OK)
        return status;
    color_of(surface, m, rgb);
    mmd_gpu_use_program(mesh->renderer->gpu, program->id);
    glUniform3fv(program->color, 1, rgb);
    glUniform1f(program->point_size, draw_point_size(mesh->renderer, &desc->materials[m]));
    if (lines)
        draw_set_line_reach(mesh->renderer, program->line_reach);
    if (holes) {
        glUniform1f(program->alpha, desc->materials[m].diffuse[3] * desc->opacity);
        glUniform1f(program->cutoff, material_cutoff(mesh, m));
        mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_TEXTURE, mesh->textures[m].texture.id,
                             mesh->renderer->repeat_sampler);
    }
    return MMD_OK;
}

static mmd_status draw_materials(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc,
                                 const mmd_surface_desc *surface, mmd_error *error)
{
    mmd_gpu_switch(mesh->renderer->gpu, GL_BLEND, false);
    mmd_gpu_cull(mesh->renderer->gpu, GL_BACK);
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!material_is_visible(mesh, desc, m))
            continue;
        mmd_status status = use_program(mesh, desc, surface, m, error);
        if (status != MMD_OK)
            return status;
        draw_cull_faces(mesh, desc, m);
        draw_elements(mesh, &mesh->ranges[m]);
    }
    return MMD_OK;
}

mmd_status mmd_render_surface(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              const mmd_surface_desc *surface, mmd_error *error)
{
    assert(instance && instance->mesh && desc && surface && surface->kind != MMD_SURFACE_PICTURE);
    if (!instance->skinned)
        return MMD_OK;
    mmd_render_mesh *mesh = instance->mesh;
    mmd_status status = MMD_OK;
    if (surface->kind == MMD_SURFACE_BONES || surface->kind == MMD_SURFACE_WEIGHTS || !mesh->tint_buffer)
        status = prepare_tints(mesh, surface, error);
    if (status == MMD_OK && !instance->surface_array)
        status = create_array(instance, error);
    if (status != MMD_OK)
        return status;
    renderer_pass_begin(mesh->renderer, MMD_PASS_OBJECT);
    mmd_gpu_bind_array(mesh->renderer->gpu, instance->surface_array);
    status = draw_materials(mesh, desc, surface, error);
    mmd_gpu_bind_array(mesh->renderer->gpu, 0);
    renderer_pass_end(mesh->renderer, MMD_PASS_OBJECT);
    return status;
}
