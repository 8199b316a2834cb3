/* The id pass: model, material and dominant bone of every pixel, and where wanted its normal and depth. It
 * draws like the picture (order, culling, holes of textures, edges), without blending. */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

enum { BAND = 128 }; /* rows that are read at a time */

static GLuint renderbuffer(GLenum format, GLenum attachment, uint32_t width, uint32_t height)
{
    GLuint name;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorage(GL_RENDERBUFFER, format, (GLsizei)width, (GLsizei)height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
    return name;
}

/* Uses four components, because OpenGL does not guarantee three integers per pixel. */
mmd_status mmd_render_id_target_resize(mmd_renderer *renderer, mmd_render_id_target *target, uint32_t width,
                                       uint32_t height, bool geometry, mmd_error *error)
{
    assert(renderer && target);
    if (target->framebuffer && target->width == width && target->height == height &&
        geometry == (target->geometry != 0))
        return MMD_OK;
    uint32_t most = mmd_renderer_largest_target(renderer);
    if (!width || !height || width > most || height > most)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "ids of %u x %u, and this GPU draws from 1 x 1 to %u x %u", width, height, most,
                             most);
    mmd_render_id_target_finish(renderer, target);
    target->width = width, target->height = height;
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    target->ids = renderbuffer(GL_RGBA32UI, GL_COLOR_ATTACHMENT0, width, height);
    if (geometry) {
        const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
        target->geometry = renderbuffer(GL_RGBA32F, GL_COLOR_ATTACHMENT1, width, height);
        glDrawBuffers(2, both);
    }
    target->depth = renderbuffer(GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT, width, height);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    mmd_status status = mmd_gpu_check(renderer->gpu, "making ids to draw to", error);
    if (status == MMD_OK && !complete)
        status = mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET, "OpenGL cannot draw ids of %u x %u",
                               width, height);
    if (status != MMD_OK)
        mmd_render_id_target_finish(renderer, target);
    return status;
}

void mmd_render_id_target_finish(mmd_renderer *renderer, mmd_render_id_target *target)
{
    assert(target);
    (void)renderer;
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteRenderbuffers(1, &target->ids);
    glDeleteRenderbuffers(1, &target->geometry);
    glDeleteRenderbuffers(1, &target->depth);
    memset(target, 0, sizeof *target);
}

/* Reads the four components that the target has, some rows at a time, because drivers convert slowly to three
 * or not at all. */
mmd_status mmd_render_id_target_read(mmd_renderer *renderer, const mmd_render_id_target *target,
                                     uint32_t (*ids)[3], mmd_error *error)
{
    assert(renderer && target && ids);
    const uint32_t width = target->width, band = target->height < BAND ? target->height : BAND;
    uint32_t(*read)[4] = mmd_alloc((size_t)width * band * sizeof *read);
    if (!read)
        return render_no_memory("reading ids", error);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    mmd_gpu_begin_read(renderer->gpu);
    for (uint32_t row = 0, rows; row < target->height; row += rows) {
        rows = target->height - row < band ? target->height - row : band;
        glReadPixels(0, (GLint)row, (GLsizei)width, (GLsizei)rows, GL_RGBA_INTEGER, GL_UNSIGNED_INT, read);
        for (size_t i = 0; i < (size_t)width * rows; i++)
            memcpy(ids[(size_t)width * row + i], read[i], sizeof *ids);
    }
    mmd_free(read);
    return MMD_OK;
}

void mmd_render_id_target_read_geometry(mmd_renderer *renderer, const mmd_render_id_target *target,
                                        float (*geometry)[4])
{
    assert(renderer && target && target->geometry);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    mmd_gpu_begin_read(renderer->gpu);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(0, 0, (GLsizei)target->width, (GLsizei)target->height, GL_RGBA, GL_FLOAT, geometry);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
}

void mmd_render_clear_ids(mmd_renderer *renderer, const mmd_render_id_target *target)
{
    assert(renderer && target);
    const GLuint none[4] = {MMD_RENDER_NO_ID, MMD_RENDER_NO_ID, MMD_RENDER_NO_ID, MMD_RENDER_NO_ID};
    const GLfloat far = renderer_far_depth(renderer), no_geometry[4] = {0};
    glClearBufferuiv(GL_COLOR, 0, none);
    if (target->geometry)
        glClearBufferfv(GL_COLOR, 1, no_geometry);
    glClearBufferfv(GL_DEPTH, 0, &far);
}

uint32_t render_dominant_bone(const mmd_vertices *vertices, uint32_t v)
{
    assert(vertices);
    assert(v < vertices->count);
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (vertices->bone[v][i] >= 0 && vertices->weight[v][i] > vertices->weight[v][best])
            best = i;
    return vertices->bone[v][best] < 0 ? 0 : (uint32_t)vertices->bone[v][best];
}

static mmd_status create_dominant_bones(mmd_render_mesh *mesh, mmd_error *error)
{
    const mmd_vertices *vertices = &mesh->model->vertices;
    size_t size = (size_t)vertices->count * sizeof(uint32_t);
    uint32_t *bones = mmd_alloc(size);
    if (!bones)
        return render_no_memory("the id pass", error);
    for (uint32_t v = 0; v < vertices->count; v++)
        bones[v] = render_dominant_bone(vertices, v);
    mmd_gpu_buffer_desc desc = {.data = bones, .size = size, .label = "dominant bones"};
    mmd_status status = mmd_gpu_buffer_create(mesh->renderer->gpu, &desc, &mesh->dominant_buffer, error);
    mmd_free(bones);
    return status;
}

/* Creates a vertex array with dominant bones, which no other pass needs. */
static mmd_status create_id_array(mmd_render_instance *instance, mmd_error *error)
{
    mmd_render_mesh *mesh = instance->mesh;
    mmd_status status = mesh->dominant_buffer ? MMD_OK : create_dominant_bones(mesh, error);
    if (status != MMD_OK)
        return status;
    instance->id_array = instance_create_array(instance);
    mmd_gpu_bind_array(mesh->renderer->gpu, instance->id_array);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->dominant_buffer);
    glEnableVertexAttribArray(DRAW_BONE);
    glVertexAttribIPointer(DRAW_BONE, 1, GL_UNSIGNED_INT, 0, NULL);
    mmd_gpu_bind_array(mesh->renderer->gpu, 0);
    return mmd_gpu_check(mesh->renderer->gpu, "setting up the id pass", error);
}

/* A model whose ids are drawn. features: FLAT_GEOMETRY or 0. */
typedef struct id_subject {
    const mmd_render_mesh *mesh;
    const mmd_render_model_desc *desc;
    uint32_t model, features;
} id_subject;

static mmd_status use_program(const id_subject *subject, uint32_t m, float width, mmd_error *error)
{
    const mmd_render_mesh *mesh = subject->mesh;
    const mmd_render_model_desc *desc = subject->desc;
    mmd_renderer *renderer = mesh->renderer;
    bool holes = width == 0.0f && material_has_holes(mesh, m);
    const bool lines = mesh->ranges[m].mode == GL_LINES;
    uint32_t features = subject->features | (holes ? FLAT_TEXTURE : 0u) | (lines ? FLAT_LINES : 0u);
    const flat_program *program;
    mmd_status status = renderer_ids_program(renderer, features, &program, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_use_program(mesh->renderer->gpu, program->id);
    glUniform1f(program->width, width);
    glUniform1f(program->point_size, draw_point_size(renderer, &desc->materials[m]));
    glUniform2ui(program->owner, subject->model, m);
    if (lines)
        draw_set_line_reach(renderer, program->line_reach);
    if (holes) {
        glUniform1f(program->alpha, desc->materials[m].diffuse[3] * desc->opacity);
        glUniform1f(program->cutoff, material_cutoff(mesh, m));
        mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_TEXTURE, mesh->textures[m].texture.id,
                             renderer->repeat_sampler);
    }
    return MMD_OK;
}

static mmd_status draw_material_ids(const id_subject *subject, mmd_error *error)
{
    const mmd_render_mesh *mesh = subject->mesh;
    mmd_gpu_cull(mesh->renderer->gpu, GL_BACK);
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!material_is_visible(mesh, subject->desc, m))
            continue;
        mmd_status status = use_program(subject, m, 0.0f, error);
        if (status != MMD_OK)
            return status;
        draw_cull_faces(mesh, subject->desc, m);
        draw_elements(mesh, &mesh->ranges[m]);
    }
    return MMD_OK;
}

static mmd_status draw_edge_ids(const id_subject *subject, mmd_error *error)
{
    const mmd_render_mesh *mesh = subject->mesh;
    const mmd_render_model_desc *desc = subject->desc;
    const mmd_render_scene *scene = &mesh->renderer->scene;
    float width = desc->edge_scale * mmd_render_edge_width(scene, desc->edge_origin);
    mmd_gpu_switch(mesh->renderer->gpu, GL_CULL_FACE, true);
    mmd_gpu_cull(mesh->renderer->gpu, GL_FRONT);
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (!material_has_edge(mesh, desc, m))
            continue;
        mmd_status status = use_program(subject, m, width * desc->materials[m].edge_size, error);
        if (status != MMD_OK)
            return status;
        draw_elements(mesh, &mesh->ranges[m]);
    }
    return MMD_OK;
}

mmd_status mmd_render_ids(mmd_render_instance *instance, const mmd_render_model_desc *desc, uint32_t model,
                          const mmd_render_id_target *target, mmd_error *error)
{
    assert(instance && instance->mesh && desc && target);
    const id_subject subject = {instance->mesh, desc, model, target->geometry ? FLAT_GEOMETRY : 0u};
    if (!instance->skinned)
        return MMD_OK;
    mmd_status status = instance->id_array ? MMD_OK : create_id_array(instance, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu *gpu = instance->mesh->renderer->gpu;
    mmd_gpu_push_group(gpu, "ids");
    mmd_gpu_switch(gpu, GL_BLEND, false);
    mmd_gpu_bind_array(gpu, instance->id_array);
    status = draw_material_ids(&subject, error);
    if (status == MMD_OK && desc->edge_scale > 0.0f)
        status = draw_edge_ids(&subject, error);
    mmd_gpu_bind_array(gpu, 0);
    mmd_gpu_pop_group(gpu);
    return status;
}
