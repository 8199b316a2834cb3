/* Programs by feature set: one specialised program for every set that some model needs. */
#include <assert.h>
#include <stdio.h>

#include "odori_shaders.h"
#include "render_internal.h"

enum { DEFINES_MAX = 512 };

static const char *const material_defines[] = {"TEXTURE", "SPHERE",    "SPHERE_ADD",   "SUB_TEXTURE",
                                               "TOON",    "SPECULAR",  "VERTEX_COLOR", "POINTS",
                                               "FACTORS", "ALPHA_TEST"};
static const char *const skin_defines[] = {"MORPHS", "SDEF", "SDEF_SLERP", "DUAL", "UV_MORPHS", "TANGENTS"};

static const mmd_gpu_source scene_part = {"scene.glsl", shader_scene_glsl};
static const mmd_gpu_source quaternion_part = {"quaternion.glsl", shader_quaternion_glsl};

/* Appends "#define NAME 1" for every bit set. */
static void write_defines(char text[DEFINES_MAX], const char *const *names, size_t count, uint32_t features)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (features & 1u << i)
            used += (size_t)snprintf(text + used, DEFINES_MAX - used, "#define %s 1\n", names[i]);
    assert(used < DEFINES_MAX);
}

static mmd_gpu_stage stage(const char *name, const char *text, const mmd_gpu_source *part)
{
    return (mmd_gpu_stage){.main = {name, text}, .parts = part, .part_count = part ? 1 : 0};
}

static void bind_sampler(GLuint program, const char *name, int unit)
{
    GLint location = glGetUniformLocation(program, name);
    if (location >= 0)
        glUniform1i(location, unit);
}

static void bind_scene(GLuint program)
{
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Scene"), 0);
}

mmd_status renderer_material_program(mmd_renderer *renderer, uint32_t features, const draw_program **program,
                                     mmd_error *error)
{
    assert(features < MATERIAL_VARIANTS);
    draw_program *made = &renderer->materials[features];
    *program = made;
    if (made->id)
        return MMD_OK;
    char defines[DEFINES_MAX];
    write_defines(defines, material_defines, sizeof material_defines / sizeof *material_defines, features);
    mmd_gpu_program_desc desc = {.vertex = stage("material.vert", shader_material_vert, &scene_part),
                                 .fragment = stage("material.frag", shader_material_frag, NULL),
                                 .defines = defines,
                                 .label = "material"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &made->id, error);
    if (status != MMD_OK)
        return status;
    GLuint id = made->id;
    made->base_color = glGetUniformLocation(id, "base_color");
    made->specular = glGetUniformLocation(id, "specular");
    made->specular_power = glGetUniformLocation(id, "specular_power");
    made->point_size = glGetUniformLocation(id, "point_size");
    made->factor_multiply = glGetUniformLocation(id, "factor_multiply");
    made->factor_add = glGetUniformLocation(id, "factor_add");
    glUseProgram(id);
    bind_scene(id);
    bind_sampler(id, "diffuse_texture", UNIT_TEXTURE);
    bind_sampler(id, "sphere_texture", UNIT_SPHERE);
    bind_sampler(id, "toon_texture", UNIT_TOON);
    return mmd_gpu_check(renderer->gpu, "setting up a material's program", error);
}

mmd_status renderer_skin_program(mmd_renderer *renderer, uint32_t features, GLuint *program, mmd_error *error)
{
    assert(features < SKIN_VARIANTS);
    GLuint *made = &renderer->skins[features];
    if (*made) {
        *program = *made;
        return MMD_OK;
    }
    char flags[DEFINES_MAX], defines[DEFINES_MAX + 64];
    write_defines(flags, skin_defines, sizeof skin_defines / sizeof *skin_defines, features);
    snprintf(defines, sizeof defines, "%s#define TABLE_BITS %d\n#define BONES %d\n", flags,
             renderer->table_bits, features & SKIN_FOUR_BONES ? 4 : 2);
    const char *captured[5] = {"out_position", "out_normal"};
    size_t count = 2;
    if (features & SKIN_TANGENTS)
        captured[count++] = "out_tangent";
    if (features & SKIN_UV_MORPHS) {
        captured[count++] = "out_uv";
        captured[count++] = "out_extra";
    }
    mmd_gpu_program_desc desc = {.vertex = stage("skin.vert", shader_skin_vert, &quaternion_part),
                                 .defines = defines,
                                 .captured = captured,
                                 .captured_count = count,
                                 .label = "skin"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, made, error);
    if (status != MMD_OK)
        return status;
    glUseProgram(*made);
    bind_sampler(*made, "bones", UNIT_BONES);
    bind_sampler(*made, "displacements", UNIT_DISPLACEMENTS);
    bind_sampler(*made, "weights", UNIT_WEIGHTS);
    bind_sampler(*made, "sdef", UNIT_SDEF);
    bind_sampler(*made, "uv_offsets", UNIT_UV_OFFSETS);
    *program = *made;
    return mmd_gpu_check(renderer->gpu, "setting up the skin program", error);
}

mmd_status renderer_edge_program(mmd_renderer *renderer, mmd_error *error)
{
    mmd_gpu_program_desc desc = {.vertex = stage("edge.vert", shader_edge_vert, &scene_part),
                                 .fragment = stage("flat.frag", shader_flat_frag, NULL),
                                 .label = "edge"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &renderer->edge_program, error);
    if (status != MMD_OK)
        return status;
    bind_scene(renderer->edge_program);
    renderer->edge_width = glGetUniformLocation(renderer->edge_program, "width");
    renderer->edge_color = glGetUniformLocation(renderer->edge_program, "flat_color");
    return MMD_OK;
}

mmd_status renderer_grid_program(mmd_renderer *renderer, mmd_error *error)
{
    mmd_gpu_program_desc desc = {.vertex = stage("grid.vert", shader_grid_vert, &scene_part),
                                 .fragment = stage("flat.frag", shader_flat_frag, NULL),
                                 .label = "grid"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &renderer->grid_program, error);
    if (status != MMD_OK)
        return status;
    bind_scene(renderer->grid_program);
    renderer->grid_color = glGetUniformLocation(renderer->grid_program, "flat_color");
    return MMD_OK;
}

void renderer_destroy_programs(mmd_renderer *renderer)
{
    for (size_t i = 0; i < MATERIAL_VARIANTS; i++)
        if (renderer->materials[i].id)
            mmd_gpu_program_destroy(renderer->gpu, renderer->materials[i].id);
    for (size_t i = 0; i < SKIN_VARIANTS; i++)
        if (renderer->skins[i])
            mmd_gpu_program_destroy(renderer->gpu, renderer->skins[i]);
    mmd_gpu_program_destroy(renderer->gpu, renderer->edge_program);
    mmd_gpu_program_destroy(renderer->gpu, renderer->grid_program);
}
