/*
 * Wireframe: triangles as lines over their surfaces, with hidden lines removed. The distance of a pixel to
 * the sides comes from barycentric coordinates (after Bærentzen et al., "Single-Pass Wireframe Rendering",
 * 2006), which a geometry shader adds. So lines have an exact width, are smooth without multisampling, and
 * fade where triangles are smaller than pixels.
 */
#include <assert.h>

#include "odori_shaders.h"
#include "render_internal.h"

/* Height of the picture, in pixels, for which line widths are meant. Lines are never thinner than a pixel. */
static const float rows_of_widths = 900.0f;

static mmd_status create_program(mmd_renderer *renderer, mmd_error *error)
{
    const mmd_gpu_source parts[] = {{"scene.glsl", shader_scene_glsl}};
    const mmd_gpu_program_desc desc = {
        .vertex = {.main = {"wire.vert", shader_wire_vert}, .parts = parts, .part_count = 1},
        .geometry = {.main = {"wire.geom", shader_wire_geom}},
        .fragment = {.main = {"wire.frag", shader_wire_frag}},
        .label = "wire"};
    mmd_status status = mmd_gpu_program_create(renderer->gpu, &desc, &renderer->wire_program, error);
    if (status != MMD_OK)
        return status;
    glUniformBlockBinding(renderer->wire_program, glGetUniformBlockIndex(renderer->wire_program, "Scene"), 0);
    renderer->wire_scale = glGetUniformLocation(renderer->wire_program, "scale");
    return mmd_gpu_check(renderer->gpu, "setting up the wires", error);
}

void renderer_destroy_wires(mmd_renderer *renderer)
{
    assert(renderer);
    mmd_gpu_program_destroy(renderer->gpu, renderer->wire_program);
}

mmd_status mmd_render_wire(mmd_render_instance *instance, const mmd_render_model_desc *desc, mmd_error *error)
{
    assert(instance && instance->mesh && desc);
    const mmd_render_mesh *mesh = instance->mesh;
    mmd_renderer *renderer = mesh->renderer;
    if (!instance->skinned)
        return MMD_OK;
    mmd_status status = renderer->wire_program ? MMD_OK : create_program(renderer, error);
    if (status != MMD_OK)
        return status;
    const float scale = (float)renderer->scene.picture_height / rows_of_widths;
    mmd_gpu_push_group(renderer->gpu, "wire");
    mmd_gpu_switch(renderer->gpu, GL_BLEND, true);
    mmd_gpu_write_depth(renderer->gpu, false);
    mmd_gpu_cull(renderer->gpu, GL_BACK);
    renderer_set_polygon_offset(renderer, -1.0f, -2.0f);
    mmd_gpu_use_program(renderer->gpu, renderer->wire_program);
    glUniform1f(renderer->wire_scale, scale > 1.0f ? scale : 1.0f);
    mmd_gpu_bind_array(renderer->gpu, instance->array);
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!material_is_visible(mesh, desc, m) || mesh->ranges[m].mode != GL_TRIANGLES)
            continue;
        draw_cull_faces(mesh, desc, m);
        draw_elements(mesh, &mesh->ranges[m]);
    }
    mmd_gpu_switch(renderer->gpu, GL_POLYGON_OFFSET_FILL, false);
    mmd_gpu_write_depth(renderer->gpu, true);
    mmd_gpu_bind_array(renderer->gpu, 0);
    mmd_gpu_pop_group(renderer->gpu);
    return MMD_OK;
}
