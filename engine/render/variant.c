/* Programs by feature set: a specialised program is created for every set that a model needs. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "odori_shaders.h"
#include "render_internal.h"

enum { DEFINES_MAX = 512 };

static const char *const material_defines[] = {
    "TEXTURE", "SPHERE",     "SPHERE_ADD",  "SUB_TEXTURE", "TOON",   "SPECULAR",  "VERTEX_COLOR", "POINTS",
    "FACTORS", "ALPHA_TEST", "SELF_SHADOW", "ACCESSORY",   "SMOOTH", "ALPHA_CUT", "CROWD",        "LINES"};
static const char *const skin_defines[] = {"MORPHS",   "SDEF",   "SDEF_SLERP", "DUAL",  "UV_MORPHS",
                                           "TANGENTS", "PLACED", "SOFT",       "SCALED"};

static const char *const flat_defines[] = {"TEXTURE", "CROWD", "LINES", "GEOMETRY", "IDS"};

/* Most programs need only the first part. */
static const mmd_gpu_source scene_parts[] = {{"scene.glsl", shader_scene_glsl},
                                             {"lighting.glsl", shader_lighting_glsl},
                                             {"crowd.glsl", shader_crowd_glsl}};
static const mmd_gpu_source material_parts[] = {{"scene.glsl", shader_scene_glsl},
                                                {"lighting.glsl", shader_lighting_glsl},
                                                {"line_quad.glsl", shader_line_quad_glsl}};
static const mmd_gpu_source line_part = {"line_quad.glsl", shader_line_quad_glsl};
static const mmd_gpu_source edge_parts[] = {{"scene.glsl", shader_scene_glsl},
                                            {"crowd.glsl", shader_crowd_glsl}};
static const mmd_gpu_source crowd_part = {"crowd.glsl", shader_crowd_glsl};
static const mmd_gpu_source quaternion_part = {"quaternion.glsl", shader_quaternion_glsl};

/* Appends "#define NAME 1" for every bit that is set. */
static void write_defines(char text[DEFINES_MAX], const char *const *names, size_t count, uint32_t features)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (features & 1u << i)
            used += (size_t)snprintf(text + used, DEFINES_MAX - used, "#define %s 1\n", names[i]);
    assert(used < DEFINES_MAX);
}

static mmd_gpu_shader_stage stage(const char *name, const char *text, const mmd_gpu_source *parts,
                                  size_t count)
{
    return (mmd_gpu_shader_stage){.main = {name, text}, .parts = parts, .part_count = count};
}

/* The stage that makes quads of lines. */
static mmd_gpu_shader_stage line_stage(void)
{
    return stage("line_quad.geom", shader_line_quad_geom, NULL, 0);
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

static void find_uniforms(const mmd_renderer *renderer, draw_program *made)
{
    const struct {
        const char *name;
        GLint *location;
    } uniforms[] = {
        {"base_color", &made->base_color.location},
        {"light_diffuse", &made->light_diffuse.location},
        {"specular", &made->specular.location},
        {"specular_power", &made->specular_power.location},
        {"point_size", &made->point_size},
        {"toon_shade", &made->toon_shade.location},
        {"factor_multiply", &made->factor_multiply},
        {"factor_add", &made->factor_add},
        {"cutoff", &made->cutoff},
        {"crowd", &made->crowd},
        {"line_reach", &made->line_reach},
    };
    for (size_t i = 0; i < sizeof uniforms / sizeof *uniforms; i++)
        *uniforms[i].location = glGetUniformLocation(made->id, uniforms[i].name);
    mmd_gpu_use_program(renderer->gpu, made->id);
    bind_scene(made->id);
    bind_sampler(made->id, "diffuse_texture", UNIT_TEXTURE);
    bind_sampler(made->id, "sphere_texture", UNIT_SPHERE);
    bind_sampler(made->id, "toon_texture", UNIT_TOON);
    bind_sampler(made->id, "shadow_map", UNIT_SHADOW_MAP);
    bind_sampler(made->id, "crowd_vertices", UNIT_CROWD);
}

/* Begins to make a program, and finishes that if the caller wants it now. *made is 0 after an error. */
static mmd_status advance(const mmd_renderer *renderer, const mmd_gpu_program_desc *desc, bool now,
                          GLuint *made, mmd_error *error)
{
    if (!*made)
        *made = mmd_gpu_program_begin(renderer->gpu, desc);
    return now ? mmd_gpu_program_finish(renderer->gpu, desc, made, error) : MMD_OK;
}

mmd_status renderer_material_program(mmd_renderer *renderer, uint32_t features, draw_program **program,
                                     mmd_error *error)
{
    assert(renderer);
    assert(features < MATERIAL_VARIANTS);
    draw_program *made = renderer->materials[features];
    if (program)
        *program = made;
    if (made && (made->finished || (made->id && !program)))
        return MMD_OK;
    if (!made) {
        made = renderer->materials[features] = mmd_alloc(sizeof *made);
        if (!made)
            return render_no_memory("a material's program", error);
        memset(made, 0, sizeof *made);
    }
    char defines[DEFINES_MAX];
    write_defines(defines, material_defines, sizeof material_defines / sizeof *material_defines, features);
    mmd_gpu_program_desc desc = {.vertex = stage("material.vert", shader_material_vert, scene_parts, 3),
                                 .fragment = stage("material.frag", shader_material_frag, material_parts, 3),
                                 .defines = defines,
                                 .label = "material"};
    if (features & FEATURE_LINES)
        desc.geometry = line_stage();
    mmd_status status = advance(renderer, &desc, program != NULL, &made->id, error);
    if (status != MMD_OK || !program)
        return status;
    find_uniforms(renderer, made);
    made->finished = true;
    *program = made;
    return mmd_gpu_check(renderer->gpu, "setting up a material's program", error);
}

mmd_status renderer_probe_program(mmd_renderer *renderer, uint32_t features, draw_program *made,
                                  mmd_error *error)
{
    assert(renderer && made);
    char defines[DEFINES_MAX];
    write_defines(defines, material_defines, sizeof material_defines / sizeof *material_defines, features);
    mmd_gpu_program_desc desc = {.vertex = stage("material.vert", shader_material_vert, scene_parts, 2),
                                 .fragment = stage("inspect.frag", shader_inspect_frag, scene_parts, 2),
                                 .defines = defines,
                                 .label = "inspect"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &made->id, error);
    if (status != MMD_OK)
        return status;
    find_uniforms(renderer, made);
    return mmd_gpu_check(renderer->gpu, "setting up the look at a pixel", error);
}

mmd_status renderer_skin_program(mmd_renderer *renderer, uint32_t features, const skin_program **program,
                                 mmd_error *error)
{
    assert(renderer);
    assert(features < SKIN_VARIANTS);
    skin_program *made = &renderer->skins[features];
    if (program)
        *program = made;
    if (made->finished || (made->id && !program))
        return MMD_OK;
    char flags[DEFINES_MAX], defines[DEFINES_MAX + 64];
    write_defines(flags, skin_defines, sizeof skin_defines / sizeof *skin_defines, features);
    snprintf(defines, sizeof defines, "%s%s#define TABLE_BITS %d\n#define BONES %d\n", flags,
             features & SKIN_CROWD ? "#define CROWD 1\n" : "", renderer->table_bits,
             features & SKIN_FOUR_BONES ? 4 : 2);
    const char *captured[5] = {"out_position", "out_normal"};
    size_t count = 2;
    if (features & SKIN_TANGENTS)
        captured[count++] = "out_tangent";
    if (features & SKIN_UV_MORPHS) {
        captured[count++] = "out_uv";
        captured[count++] = "out_extra";
    }
    mmd_gpu_program_desc desc = {.vertex = stage("skin.vert", shader_skin_vert, &quaternion_part, 1),
                                 .defines = defines,
                                 .captured = captured,
                                 .captured_count = count,
                                 .label = "skin"};
    mmd_status status = advance(renderer, &desc, program != NULL, &made->id, error);
    if (status != MMD_OK || !program)
        return status;
    made->finished = true;
    made->placement = glGetUniformLocation(made->id, "placement");
    made->sizes = glGetUniformLocation(made->id, "sizes");
    mmd_gpu_use_program(renderer->gpu, made->id);
    bind_sampler(made->id, "bones", UNIT_BONES);
    bind_sampler(made->id, "displacements", UNIT_DISPLACEMENTS);
    bind_sampler(made->id, "weights", UNIT_WEIGHTS);
    bind_sampler(made->id, "sdef", UNIT_SDEF);
    bind_sampler(made->id, "uv_offsets", UNIT_UV_OFFSETS);
    bind_sampler(made->id, "soft_nodes", UNIT_SOFT_NODES);
    bind_sampler(made->id, "members", UNIT_MEMBERS);
    return mmd_gpu_check(renderer->gpu, "setting up the skin program", error);
}

mmd_status renderer_edge_program(mmd_renderer *renderer, uint32_t features, edge_program **program,
                                 mmd_error *error)
{
    assert(renderer && features < EDGE_VARIANTS);
    const bool crowd = features & EDGE_CROWD;
    edge_program *made = &renderer->edges[features];
    if (program)
        *program = made;
    if (made->finished || (made->id && !program))
        return MMD_OK;
    char defines[DEFINES_MAX];
    snprintf(defines, sizeof defines, "%s%s#define TABLE_BITS %d\n", crowd ? "#define CROWD 1\n" : "",
             features & EDGE_GROUND ? "#define GROUND 1\n" : "", renderer->table_bits);
    mmd_gpu_program_desc desc = {.vertex = stage("edge.vert", shader_edge_vert, edge_parts, 2),
                                 .fragment = stage("flat.frag", shader_flat_frag, NULL, 0),
                                 .defines = features ? defines : NULL,
                                 .label = "edge"};
    mmd_status status = advance(renderer, &desc, program != NULL, &made->id, error);
    if (status != MMD_OK || !program)
        return status;
    made->finished = true;
    bind_scene(made->id);
    made->width.location = glGetUniformLocation(made->id, crowd ? "edge_size" : "width");
    made->color.location = glGetUniformLocation(made->id, "flat_color");
    made->crowd = glGetUniformLocation(made->id, "crowd");
    made->ground = glGetUniformLocation(made->id, "clip_from_ground");
    mmd_gpu_use_program(renderer->gpu, made->id);
    bind_sampler(made->id, "crowd_vertices", UNIT_CROWD);
    bind_sampler(made->id, "members", UNIT_CROWD_MEMBERS);
    return mmd_gpu_check(renderer->gpu, "setting up the edge program", error);
}

mmd_status renderer_grid_program(mmd_renderer *renderer, mmd_error *error)
{
    assert(renderer);
    mmd_gpu_program_desc desc = {.vertex = stage("grid.vert", shader_grid_vert, scene_parts, 1),
                                 .geometry = line_stage(),
                                 .fragment = stage("flat.frag", shader_flat_frag, &line_part, 1),
                                 .label = "grid"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &renderer->grid_program, error);
    if (status != MMD_OK)
        return status;
    bind_scene(renderer->grid_program);
    renderer->grid_color = glGetUniformLocation(renderer->grid_program, "flat_color");
    renderer->grid_reach = glGetUniformLocation(renderer->grid_program, "line_reach");
    return MMD_OK;
}

mmd_status renderer_background_program(mmd_renderer *renderer, mmd_error *error)
{
    assert(renderer);
    mmd_gpu_program_desc desc = {.vertex = stage("background.vert", shader_background_vert, NULL, 0),
                                 .fragment = stage("background.frag", shader_background_frag, NULL, 0),
                                 .label = "picture behind"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &renderer->background_program, error);
    if (status == MMD_OK)
        renderer->background_place = glGetUniformLocation(renderer->background_program, "place");
    return status;
}

mmd_status renderer_line_program(mmd_renderer *renderer, mmd_error *error)
{
    assert(renderer);
    mmd_gpu_program_desc desc = {.vertex = stage("line.vert", shader_line_vert, scene_parts, 1),
                                 .fragment = stage("line.frag", shader_line_frag, NULL, 0),
                                 .label = "line"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &renderer->line_program, error);
    if (status != MMD_OK)
        return status;
    bind_scene(renderer->line_program);
    renderer->line_pixel = glGetUniformLocation(renderer->line_program, "pixel");
    renderer->line_scale = glGetUniformLocation(renderer->line_program, "scale");
    renderer->line_rim = glGetUniformLocation(renderer->line_program, "rim");
    renderer->line_opacity = glGetUniformLocation(renderer->line_program, "opacity");
    renderer->line_behind = glGetUniformLocation(renderer->line_program, "behind");
    return MMD_OK;
}

/* Creates a program with these features, if it does not exist yet, or begins to. */
static mmd_status flat_create(mmd_renderer *renderer, mmd_gpu_program_desc *desc, uint32_t features, bool now,
                              flat_program *made, mmd_error *error)
{
    if (made->finished || (made->id && !now))
        return MMD_OK;
    char defines[DEFINES_MAX];
    write_defines(defines, flat_defines, sizeof flat_defines / sizeof *flat_defines, features);
    desc->defines = defines;
    if (features & FLAT_LINES)
        desc->geometry = line_stage();
    mmd_status status = advance(renderer, desc, now, &made->id, error);
    if (status != MMD_OK || !now)
        return status;
    made->finished = true;
    made->matrix = glGetUniformLocation(made->id, "clip_from_skinned");
    made->color = glGetUniformLocation(made->id, "flat_color");
    made->width = glGetUniformLocation(made->id, "width");
    made->point_size = glGetUniformLocation(made->id, "point_size");
    made->owner = glGetUniformLocation(made->id, "owner");
    made->alpha = glGetUniformLocation(made->id, "alpha");
    made->cutoff = glGetUniformLocation(made->id, "cutoff");
    made->crowd = glGetUniformLocation(made->id, "crowd");
    made->line_reach = glGetUniformLocation(made->id, "line_reach");
    mmd_gpu_use_program(renderer->gpu, made->id);
    bind_sampler(made->id, "diffuse_texture", UNIT_TEXTURE);
    bind_sampler(made->id, "crowd_vertices", UNIT_CROWD);
    return mmd_gpu_check(renderer->gpu, "setting up a program", error);
}

mmd_status renderer_projected_program(mmd_renderer *renderer, uint32_t features, const flat_program **program,
                                      mmd_error *error)
{
    assert(renderer);
    assert(features < FLAT_VARIANTS);
    mmd_gpu_program_desc desc = {.vertex = stage("projected.vert", shader_projected_vert, &crowd_part, 1),
                                 .fragment = stage("flat.frag", shader_flat_frag, &line_part, 1),
                                 .label = "shadow"};
    flat_program *made = &renderer->projected[features];
    if (program)
        *program = made;
    return flat_create(renderer, &desc, features, program != NULL, made, error);
}

mmd_status renderer_ids_program(mmd_renderer *renderer, uint32_t features, const flat_program **program,
                                mmd_error *error)
{
    assert(renderer && program);
    assert(!(features & ~(uint32_t)(FLAT_TEXTURE | FLAT_LINES | FLAT_GEOMETRY)));
    flat_program *made = &renderer->ids[features];
    mmd_gpu_program_desc desc = {.vertex = stage("ids.vert", shader_ids_vert, scene_parts, 1),
                                 .fragment = stage("ids.frag", shader_ids_frag, &line_part, 1),
                                 .label = "ids"};
    *program = made;
    mmd_status status = flat_create(renderer, &desc, features | FLAT_IDS, true, made, error);
    if (status == MMD_OK)
        bind_scene(made->id);
    return status;
}

void renderer_destroy_programs(mmd_renderer *renderer)
{
    assert(renderer);
    for (size_t i = 0; i < MATERIAL_VARIANTS; i++) {
        if (renderer->materials[i])
            mmd_gpu_program_destroy(renderer->gpu, renderer->materials[i]->id);
        mmd_free(renderer->materials[i]);
    }
    for (size_t i = 0; i < SKIN_VARIANTS; i++)
        if (renderer->skins[i].id)
            mmd_gpu_program_destroy(renderer->gpu, renderer->skins[i].id);
    for (size_t i = 0; i < FLAT_VARIANTS; i++)
        mmd_gpu_program_destroy(renderer->gpu, renderer->projected[i].id);
    for (size_t i = 0; i < FLAT_ID_VARIANTS; i++)
        mmd_gpu_program_destroy(renderer->gpu, renderer->ids[i].id);
    for (int i = 0; i < EDGE_VARIANTS; i++)
        mmd_gpu_program_destroy(renderer->gpu, renderer->edges[i].id);
    mmd_gpu_program_destroy(renderer->gpu, renderer->grid_program);
    mmd_gpu_program_destroy(renderer->gpu, renderer->line_program);
    mmd_gpu_program_destroy(renderer->gpu, renderer->background_program);
}
