/*
 * The self-shadow map (docs/mmd.md 6.7): a square of depths along the light. MMD uses a colour texture of
 * floats; a depth texture holds the same values without shading pixels. How MMD filters it is unknown; here
 * it is filtered bilinearly, which smooths the steps of shadows seen from near.
 */
#include <assert.h>
#include <string.h>

#include "mmd_math.h"
#include "arithmetic.h"
#include "render_internal.h"

static mmd_status create_map(mmd_renderer *renderer, mmd_error *error)
{
    const GLsizei size = renderer->shadow_size;
    glGenTextures(1, &renderer->shadow_map);
    mmd_gpu_edit_texture(renderer->gpu, renderer->shadow_map);
    mmd_gpu_begin_upload(renderer->gpu);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, size, size, 0, GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    if (GLAD_GL_KHR_debug && glObjectLabel)
        glObjectLabel(GL_TEXTURE, renderer->shadow_map, -1, "self-shadow map");
    glGenFramebuffers(1, &renderer->shadow_framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->shadow_framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, renderer->shadow_map, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    mmd_status status = mmd_gpu_check(renderer->gpu, "making the self-shadow map", error);
    if (status == MMD_OK && !complete)
        status = mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET,
                               "OpenGL cannot draw to a self-shadow map of %d x %d", size, size);
    return status;
}

void renderer_destroy_shadow_map(mmd_renderer *renderer)
{
    assert(renderer);
    glDeleteFramebuffers(1, &renderer->shadow_framebuffer);
    mmd_gpu_texture_destroy(renderer->gpu, renderer->shadow_map);
    renderer->shadow_framebuffer = renderer->shadow_map = 0;
}

/* Converts Direct3D's depth (0 to w) to OpenGL's (-w to w), which is stored as 0 to 1. */
static void depth_to_gl(float matrix[16])
{
    for (int column = 0; column < 4; column++)
        matrix[4 * column + 2] = 2.0f * matrix[4 * column + 2] - matrix[4 * column + 3];
}

void renderer_prepare_shadows(mmd_renderer *renderer, const float clip_from_world[16], const float to_map[16])
{
    assert(renderer);
    const mmd_render_scene *scene = &renderer->scene;
    /* D3D9's pixel centres also shift what is drawn into the map, and MMD's shader does not compensate. */
    if (scene->self_shadow) {
        memcpy(renderer->caster_matrix, to_map, sizeof renderer->caster_matrix);
        if (scene->d3d9_centers)
            mmd_shift_pixel_centers(to_map, (uint32_t)renderer->shadow_size, (uint32_t)renderer->shadow_size,
                                    renderer->caster_matrix);
        depth_to_gl(renderer->caster_matrix);
    }
    float to_ground[16];
    renderer->has_ground = ground_shadow_matrix(scene->light_direction, to_ground);
    matrix_multiply(clip_from_world, to_ground, renderer->ground_matrix);
}

mmd_status mmd_render_shadow_map_begin(mmd_renderer *renderer, mmd_error *error)
{
    assert(renderer && renderer->scene.self_shadow);
    if (!renderer->shadow_map) {
        mmd_status status = create_map(renderer, error);
        if (status != MMD_OK) {
            renderer_destroy_shadow_map(renderer);
            return status;
        }
    }
    renderer_pass_begin(renderer, MMD_PASS_SHADOW_MAP);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->shadow_framebuffer);
    mmd_gpu_viewport(renderer->gpu, 0, 0, renderer->shadow_size, renderer->shadow_size);
    /* The map is never mirrored, and its depth does not depend on the scene's. */
    mmd_gpu_switch(renderer->gpu, GL_SCISSOR_TEST, false);
    mmd_gpu_depth_range(renderer->gpu, 0.0, 1.0);
    mmd_gpu_depth_function(renderer->gpu, GL_LEQUAL);
    mmd_gpu_front_face(renderer->gpu, GL_CW);
    if (renderer->scene.zero_to_one_depth)
        mmd_gpu_zero_to_one_depth(renderer->gpu, false);
    mmd_gpu_clear_values(renderer->gpu, NULL, 1.0);
    glClear(GL_DEPTH_BUFFER_BIT);
    mmd_gpu_switch(renderer->gpu, GL_BLEND, false);
    mmd_gpu_cull(renderer->gpu, GL_BACK);
    return MMD_OK;
}

void mmd_render_shadow_map_end(mmd_renderer *renderer)
{
    assert(renderer);
    mmd_gpu_bind_array(renderer->gpu, 0);
    renderer_set_target(renderer);
    renderer_pass_end(renderer, MMD_PASS_SHADOW_MAP);
}

/* Tests whether a material casts a shadow. Points cast none (docs/mmd.md 1.1). */
bool shadow_map_shows(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t m)
{
    return (mesh->model->materials[m].flags & MMD_MATERIAL_CASTS_SHADOW) &&
           material_throws_shadow(mesh, desc, m) &&
           !(mesh_is_of_mmd(mesh) && desc->materials[m].diffuse[3] == 0.98f);
}

bool shadow_map_has_holes(const mmd_render_mesh *mesh, uint32_t m)
{
    return mesh->model->materials[m].cuts_alpha && material_has_holes(mesh, m);
}

/* MMD culls all materials without edges, also if they are two-sided. */
static bool is_culled(const mmd_render_mesh *mesh, uint32_t m)
{
    const uint8_t uncull = mesh_is_of_mmd(mesh) ? MMD_MATERIAL_EDGE : MMD_MATERIAL_TWO_SIDED;
    return mesh->ranges[m].mode == GL_TRIANGLES && !(mesh->model->materials[m].flags & uncull);
}

static bool same_caster(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc, uint32_t first,
                        uint32_t next)
{
    return shadow_map_shows(mesh, desc, next) && !shadow_map_has_holes(mesh, next) &&
           is_culled(mesh, first) == is_culled(mesh, next);
}

static bool alike_casters(const mmd_render_mesh *mesh, const mmd_render_model_desc *a,
                          const mmd_render_model_desc *b)
{
    bool alike = a->self_shadow == b->self_shadow;
    for (uint32_t m = 0; alike && m < mesh->model->material_count; m++)
        alike = shadow_map_shows(mesh, a, m) == shadow_map_shows(mesh, b, m);
    return alike;
}

/* Draws `count` equal members into the map. */
static mmd_status draw_casters(const draw_subject *subject, uint32_t first, uint32_t count, mmd_error *error)
{
    const mmd_render_mesh *mesh = subject->mesh;
    const mmd_render_model_desc *desc = subject->descs[first];
    mmd_renderer *renderer = mesh->renderer;
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!shadow_map_shows(mesh, desc, m))
            continue;
        bool holes = shadow_map_has_holes(mesh, m);
        const bool lines = mesh->ranges[m].mode == GL_LINES;
        uint32_t features =
            (holes ? FLAT_TEXTURE : 0u) | (subject->crowd ? FLAT_CROWD : 0u) | (lines ? FLAT_LINES : 0u);
        const flat_program *program;
        mmd_status status = renderer_projected_program(renderer, features, &program, error);
        if (status != MMD_OK)
            return status;
        mmd_gpu_use_program(renderer->gpu, program->id);
        if (subject->crowd)
            crowd_select(subject->crowd, program->crowd, first);
        glUniformMatrix4fv(program->matrix, 1, GL_FALSE, renderer->caster_matrix);
        glUniform4f(program->color, 1.0f, 1.0f, 1.0f, 1.0f);
        if (lines)
            glUniform2f(program->line_reach, 1.0f / (float)renderer->shadow_size,
                        1.0f / (float)renderer->shadow_size);
        mmd_gpu_switch(renderer->gpu, GL_CULL_FACE, is_culled(mesh, m));
        if (holes) {
            glUniform1f(program->cutoff, material_cutoff(mesh, m));
            mmd_gpu_bind_texture(renderer->gpu, UNIT_TEXTURE, mesh->textures[m].texture.id,
                                 renderer->repeat_sampler);
        }
        draw_range range = holes ? mesh->ranges[m] : draw_run(mesh, desc, same_caster, &m);
        draw_members(subject, &range, count);
    }
    return MMD_OK;
}

static mmd_status draw_all_casters(const draw_subject *subject, mmd_error *error)
{
    mmd_status status = MMD_OK;
    draw_bind_subject(subject);
    for (uint32_t i = subject->first, count; i < subject->first + subject->count && status == MMD_OK;
         i += count) {
        count = draw_alike(subject, i, alike_casters);
        if (subject->descs[i]->self_shadow)
            status = draw_casters(subject, i, count, error);
    }
    return status;
}

mmd_status mmd_render_casters(mmd_render_instance *instance, const mmd_render_model_desc *desc,
                              mmd_error *error)
{
    assert(instance && instance->mesh && desc);
    if (!instance->skinned || !desc->self_shadow)
        return MMD_OK;
    const draw_subject subject = draw_instance(instance, &desc);
    return draw_all_casters(&subject, error);
}

/* The order of members does not matter, because the map keeps the nearest depth. */
mmd_status mmd_render_crowd_casters(mmd_render_crowd *crowd, const mmd_render_model_desc *const *descs,
                                    mmd_error *error)
{
    assert(crowd && descs && crowd->skinned);
    const draw_subject subject = draw_crowd(crowd, descs, 0, crowd->count);
    return draw_all_casters(&subject, error);
}
