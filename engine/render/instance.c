/* A posed copy of a mesh: uploads and the skin pass. */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

/* Allocates zeroed floats in the shape of a texture, so that full rows can be uploaded. */
static float *create_copy(table_shape shape, size_t channels)
{
    size_t size = (size_t)shape.width * shape.height * channels * sizeof(float);
    float *copy = mmd_alloc(size);
    if (copy)
        memset(copy, 0, size);
    return copy;
}

/* Returns the texels of all bones: rotation and translation, or three rows of a matrix. */
static size_t bone_texels_of(const mmd_render_instance *instance)
{
    return (instance->scaled ? 3u : 2u) * (size_t)instance->mesh->model->bone_count;
}

static mmd_status create_bones(mmd_render_instance *instance, mmd_error *error)
{
    mmd_renderer *renderer = instance->mesh->renderer;
    size_t texels = bone_texels_of(instance);
    instance->bones_shape = table_shape_of(renderer, texels);
    instance->palette_copy = create_copy(instance->bones_shape, 4);
    return instance->palette_copy ? table_create(renderer, MMD_GPU_RGBA32F, texels, NULL, "the bone table",
                                                 &instance->bones, error)
                                  : render_no_memory("a posed model", error);
}

static mmd_status create_tables(mmd_render_instance *instance, mmd_error *error)
{
    mmd_renderer *renderer = instance->mesh->renderer;
    const mmd_model *model = instance->mesh->model;
    instance->scaled = model->has_scale;
    mmd_status status = create_bones(instance, error);
    if (status == MMD_OK)
        status = table_create(renderer, MMD_GPU_R32F, model->morph_count, NULL, "the morph weight table",
                              &instance->weights, error);
    if (status != MMD_OK)
        return status;
    instance->weights_shape = table_shape_of(renderer, model->morph_count);
    instance->weights_copy = create_copy(instance->weights_shape, 1);
    return instance->weights_copy ? MMD_OK : render_no_memory("a posed model", error);
}

/* Replaces the bone table when nodes get a scale by an edit, or lose it. */
static mmd_status follow_scale(mmd_render_instance *instance, const mmd_render_pose *pose, mmd_error *error)
{
    bool scaled = pose->affine != NULL;
    if (scaled == instance->scaled)
        return MMD_OK;
    mmd_gpu *gpu = instance->mesh->renderer->gpu;
    mmd_render_instance before = *instance;
    instance->scaled = scaled;
    instance->bones = 0;
    mmd_status status = create_bones(instance, error);
    if (status != MMD_OK) {
        mmd_free(instance->palette_copy);
        *instance = before;
        return status;
    }
    mmd_gpu_texture_destroy(gpu, before.bones);
    mmd_free(before.palette_copy);
    instance->skinned = false;
    return MMD_OK;
}

static void attribute(GLuint number, GLint components, GLuint buffer, uint32_t stride, uint32_t offset)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(number);
    glVertexAttribPointer(number, components, GL_FLOAT, GL_FALSE, (GLsizei)stride,
                          (const void *)(uintptr_t)offset);
}

GLuint mesh_create_array(const mmd_render_mesh *mesh)
{
    assert(mesh);
    GLuint array;
    glGenVertexArrays(1, &array);
    mmd_gpu_bind_array(mesh->renderer->gpu, array);
    attribute(DRAW_EDGE_SCALE, 1, mesh->edge_buffer, 4, 0);
    if (!(mesh->skin_features & SKIN_UV_MORPHS)) {
        attribute(DRAW_UV, 2, mesh->uv_buffer, 8, 0);
        if (mesh->extra_buffer)
            attribute(DRAW_EXTRA, 4, mesh->extra_buffer, 16, 0);
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->element_buffer);
    mmd_gpu_bind_array(mesh->renderer->gpu, 0);
    return array;
}

GLuint instance_create_array(const mmd_render_instance *instance)
{
    assert(instance);
    const mmd_render_mesh *mesh = instance->mesh;
    GLuint array = mesh_create_array(mesh);
    mmd_gpu_bind_array(mesh->renderer->gpu, array);
    attribute(DRAW_POSITION, 3, instance->vertices, mesh->stride, 0);
    attribute(DRAW_NORMAL, 3, instance->vertices, mesh->stride, 12);
    if (mesh->skin_features & SKIN_UV_MORPHS) {
        attribute(DRAW_UV, 2, instance->vertices, mesh->stride, mesh->uv_offset);
        attribute(DRAW_EXTRA, 4, instance->vertices, mesh->stride, mesh->extra_offset);
    }
    mmd_gpu_bind_array(mesh->renderer->gpu, 0);
    return array;
}

mmd_status mmd_render_instance_create(mmd_render_mesh *mesh, mmd_render_instance **result, mmd_error *error)
{
    assert(mesh && result);
    *result = NULL;
    mmd_render_instance *instance = mmd_alloc(sizeof *instance);
    if (!instance)
        return render_no_memory("a posed model", error);
    memset(instance, 0, sizeof *instance);
    instance->mesh = mesh;
    mmd_status status = create_tables(instance, error);
    mmd_gpu_buffer_desc desc = {.size = (size_t)mesh->stride * mesh->model->vertices.count,
                                .gpu_written = true,
                                .label = "skinned vertices"};
    if (status == MMD_OK)
        status = mmd_gpu_buffer_create(mesh->renderer->gpu, &desc, &instance->vertices, error);
    if (status == MMD_OK) {
        instance->array = instance_create_array(instance);
        status = mmd_gpu_check(mesh->renderer->gpu, "making a posed model", error);
    }
    if (status != MMD_OK) {
        mmd_render_instance_destroy(instance);
        return status;
    }
    *result = instance;
    return MMD_OK;
}

void mmd_render_instance_destroy(mmd_render_instance *instance)
{
    if (!instance)
        return;
    mmd_gpu *gpu = instance->mesh->renderer->gpu;
    mmd_gpu_array_destroy(gpu, instance->array);
    mmd_gpu_array_destroy(gpu, instance->id_array);
    mmd_gpu_array_destroy(gpu, instance->surface_array);
    mmd_gpu_buffer_destroy(gpu, instance->vertices);
    mmd_gpu_texture_destroy(gpu, instance->bones);
    mmd_gpu_texture_destroy(gpu, instance->weights);
    soft_table_finish(&instance->soft, gpu);
    mmd_free(instance->palette_copy);
    mmd_free(instance->weights_copy);
    mmd_free(instance);
}

/* Uploads values if they differ from those uploaded last. Returns whether they did. */
static bool upload(mmd_render_instance *instance, GLuint texture, mmd_gpu_format format, table_shape shape,
                   const float *values, size_t size, float *copy)
{
    if (!size || (instance->skinned && memcmp(values, copy, size) == 0))
        return false;
    memcpy(copy, values, size);
    mmd_renderer *renderer = instance->mesh->renderer;
    double start = renderer_microseconds();
    mmd_gpu_texture_update(renderer->gpu, texture, format, shape.width, shape.height, copy);
    renderer->statistics.upload_us += renderer_microseconds() - start;
    renderer->statistics.upload_bytes += size;
    return true;
}

static bool upload_pose(mmd_render_instance *instance, const mmd_render_pose *pose)
{
    const mmd_model *model = instance->mesh->model;
    const float *palette = instance->scaled ? (const float *)pose->affine : (const float *)pose->palette;
    bool bones = upload(instance, instance->bones, MMD_GPU_RGBA32F, instance->bones_shape, palette,
                        16 * bone_texels_of(instance), instance->palette_copy);
    bool weights = false;
    if (instance->mesh->skin_features & (SKIN_MORPHS | SKIN_UV_MORPHS))
        weights = upload(instance, instance->weights, MMD_GPU_R32F, instance->weights_shape, pose->weights,
                         4 * (size_t)model->morph_count, instance->weights_copy);
    return bones || weights;
}

/* Stores the placement. Returns whether it changed. */
static bool keep_placement(mmd_render_instance *instance, const float *placement)
{
    bool same = instance->placed == (placement != NULL) &&
                (!placement || memcmp(placement, instance->placement, sizeof instance->placement) == 0);
    instance->placed = placement != NULL;
    if (placement)
        memcpy(instance->placement, placement, sizeof instance->placement);
    return !same;
}

/* Binds the instance's soft-body attribute to the mesh's vertex array for one draw. */
static void bind_soft_nodes(const mmd_render_instance *instance)
{
    mmd_gpu_bind_texture(instance->mesh->renderer->gpu, UNIT_SOFT_NODES, instance->soft.nodes, 0);
    glBindBuffer(GL_ARRAY_BUFFER, instance->soft.vertex_nodes);
    glEnableVertexAttribArray(SKIN_SOFT_NODE);
    glVertexAttribIPointer(SKIN_SOFT_NODE, 1, GL_INT, 0, NULL);
}

static void run_skin_pass(mmd_render_instance *instance, const skin_program *program)
{
    const mmd_render_mesh *mesh = instance->mesh;
    renderer_pass_begin(mesh->renderer, MMD_PASS_SKIN);
    mmd_gpu_use_program(mesh->renderer->gpu, program->id);
    if (instance->placed)
        glUniformMatrix4fv(program->placement, 1, GL_FALSE, instance->placement);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_BONES, instance->bones, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_WEIGHTS, instance->weights, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_DISPLACEMENTS, mesh->displacements, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_SDEF, mesh->sdef, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_UV_OFFSETS, mesh->uv_offsets, 0);
    mmd_gpu_bind_array(mesh->renderer->gpu, mesh->skin_array);
    glVertexAttrib4f(SKIN_EXTRA, 0.0f, 0.0f, 0.0f, 0.0f); /* value for meshes without additional UV */
    if (instance->soft.used)
        bind_soft_nodes(instance);
    renderer_begin_capture(mesh->renderer, instance->vertices);
    glDrawArrays(GL_POINTS, 0, (GLsizei)mesh->model->vertices.count);
    renderer_end_capture(mesh->renderer);
    if (instance->soft.used)
        glDisableVertexAttribArray(SKIN_SOFT_NODE);
    mmd_gpu_bind_array(mesh->renderer->gpu, 0);
    mesh->renderer->statistics.draw_calls++;
    renderer_pass_end(mesh->renderer, MMD_PASS_SKIN);
}

mmd_status mmd_render_skin(mmd_render_instance *instance, const mmd_render_pose *pose, mmd_error *error)
{
    assert(instance && pose);
    const mmd_render_mesh *mesh = instance->mesh;
    bool slerp = pose->sdef_slerp && (mesh->skin_features & SKIN_SDEF);
    bool moved = keep_placement(instance, pose->placement), soft_moved;
    mmd_status status =
        soft_table_upload(mesh->renderer, mesh->model, pose, &instance->soft, &soft_moved, error);
    if (status == MMD_OK)
        status = follow_scale(instance, pose, error);
    if (status != MMD_OK)
        return status;
    bool changed = upload_pose(instance, pose) || slerp != instance->sdef_slerp || moved || soft_moved ||
                   !instance->skinned;
    if (!changed || !mesh->model->vertices.count)
        return MMD_OK;
    const skin_program *program;
    uint32_t features = mesh->skin_features | (slerp ? SKIN_SDEF_SLERP : 0u) |
                        (instance->placed ? SKIN_PLACED : 0u) | (instance->soft.used ? SKIN_SOFT : 0u) |
                        (instance->scaled ? SKIN_SCALED : 0u);
    status = renderer_skin_program(mesh->renderer, features, &program, error);
    if (status != MMD_OK)
        return status;
    run_skin_pass(instance, program);
    instance->skinned = true;
    instance->sdef_slerp = slerp;
    return MMD_OK;
}

static void pick(const unsigned char *vertices, uint32_t stride, uint32_t offset, uint32_t count, size_t size,
                 void *out)
{
    unsigned char *to = out;
    for (uint32_t v = 0; v < count; v++)
        memcpy(to + v * size, vertices + (size_t)v * stride + offset, size);
}

mmd_status mmd_render_read_vertices(mmd_render_instance *instance, float (*positions)[3], float (*normals)[3],
                                    float (*tangents)[3], float (*uvs)[2], mmd_error *error)
{
    assert(instance && positions);
    const mmd_render_mesh *mesh = instance->mesh;
    uint32_t count = mesh->model->vertices.count;
    if (!count)
        return MMD_OK;
    assert(instance->skinned);
    size_t size = (size_t)mesh->stride * count;
    unsigned char *vertices = mmd_alloc(size);
    if (!vertices)
        return render_no_memory("a posed model", error);
    mmd_gpu_buffer_read(mesh->renderer->gpu, instance->vertices, 0, size, vertices);
    pick(vertices, mesh->stride, 0, count, 12, positions);
    if (normals)
        pick(vertices, mesh->stride, 12, count, 12, normals);
    if (tangents && (mesh->skin_features & SKIN_TANGENTS))
        pick(vertices, mesh->stride, mesh->tangent_offset, count, 12, tangents);
    if (uvs && (mesh->skin_features & SKIN_UV_MORPHS))
        pick(vertices, mesh->stride, mesh->uv_offset, count, 8, uvs);
    else if (uvs)
        memcpy(uvs, mesh->model->vertices.uv, count * sizeof *uvs);
    mmd_free(vertices);
    return mmd_gpu_check(mesh->renderer->gpu, "reading vertices", error);
}
