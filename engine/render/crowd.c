/*
 * A crowd is a set of posed copies of one mesh. Their bones are in one texture, and one instanced draw skins
 * all of them into one buffer, one copy after the other. Drawing reads that buffer as a texture
 * (GL_TEXTURE_BUFFER) by instance and vertex, so that a material of any number of copies is one draw call.
 * Attributes that skinning does not change are shared with the mesh.
 *
 * The arithmetic equals that of an instance bit for bit, so pictures are the same either way.
 */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

/* Returns the texels per skinned vertex: position and normal; with UV morphs also UV and additional UV 1. */
static uint32_t vertex_texels(const mmd_render_mesh *mesh)
{
    return mesh->skin_features & SKIN_UV_MORPHS ? 4 : 2;
}

/* Returns the texels of a copy's bones: rotation and translation, or three rows of a matrix. */
static size_t bone_texels(const mmd_model *model)
{
    return (model->has_scale ? 3u : 2u) * (size_t)model->bone_count;
}

static size_t weight_texels(const mmd_render_mesh *mesh)
{
    return mesh->skin_features & (SKIN_MORPHS | SKIN_UV_MORPHS) ? mesh->model->morph_count : 0;
}

static size_t at_most(size_t limit, size_t total, size_t each)
{
    return each && total / each < limit ? total / each : limit;
}

size_t mmd_render_crowd_limit(const mmd_render_mesh *mesh)
{
    assert(mesh);
    const mmd_renderer *renderer = mesh->renderer;
    size_t texels = (size_t)mmd_gpu_get_info(renderer->gpu)->max_texture_size << renderer->table_bits;
    size_t limit = at_most((size_t)1 << 20, texels, MEMBER_FLOATS / 4);
    limit = at_most(limit, texels, bone_texels(mesh->model));
    limit = at_most(limit, texels, weight_texels(mesh));
    limit = at_most(limit, mmd_gpu_largest_buffer_texture(renderer->gpu),
                    (size_t)mesh->model->vertices.count * vertex_texels(mesh));
    return mesh->skin_features & SKIN_TANGENTS || !mesh->model->vertices.count ? 0 : limit;
}

static void drop_tables(mmd_render_crowd *crowd)
{
    mmd_gpu *gpu = crowd->mesh->renderer->gpu;
    mmd_gpu_texture_destroy(gpu, crowd->bones);
    mmd_gpu_texture_destroy(gpu, crowd->weights);
    mmd_gpu_texture_destroy(gpu, crowd->members);
    mmd_gpu_texture_destroy(gpu, crowd->vertices_texture);
    mmd_gpu_buffer_destroy(gpu, crowd->vertices);
    mmd_free(crowd->bones_copy);
    mmd_free(crowd->weights_copy);
    mmd_free(crowd->members_copy);
    GLuint array = crowd->array;
    mmd_render_mesh *mesh = crowd->mesh;
    *crowd = (mmd_render_crowd){.mesh = mesh, .array = array};
}

/* Creates a data texture for all members, and the zeroed memory that mirrors it. */
static mmd_status make_table(mmd_render_crowd *crowd, mmd_gpu_format format, size_t texels, const char *label,
                             GLuint *texture, float **copy, mmd_error *error)
{
    mmd_renderer *renderer = crowd->mesh->renderer;
    table_shape shape = table_shape_of(renderer, texels);
    size_t size = (size_t)shape.width * shape.height * (format == MMD_GPU_R32F ? 1 : 4) * sizeof(float);
    *copy = mmd_alloc(size);
    if (!*copy)
        return render_no_memory("a crowd", error);
    memset(*copy, 0, size);
    return table_create(renderer, format, texels, NULL, label, texture, error);
}

static mmd_status make_vertices(mmd_render_crowd *crowd, size_t room, mmd_error *error)
{
    const mmd_render_mesh *mesh = crowd->mesh;
    mmd_gpu *gpu = mesh->renderer->gpu;
    const mmd_gpu_buffer_desc desc = {.size = room * mesh->model->vertices.count * vertex_texels(mesh) * 16,
                                      .gpu_written = true,
                                      .label = "skinned vertices of a crowd"};
    mmd_status status = mmd_gpu_buffer_create(gpu, &desc, &crowd->vertices, error);
    if (status != MMD_OK)
        return status;
    glGenTextures(1, &crowd->vertices_texture);
    mmd_gpu_edit_buffer_texture(gpu, crowd->vertices_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, crowd->vertices);
    return mmd_gpu_check(gpu, "making a crowd", error);
}

/* Makes room for this number of members. After an error the crowd is empty. */
static mmd_status reserve(mmd_render_crowd *crowd, size_t count, mmd_error *error)
{
    assert(crowd && count <= mmd_render_crowd_limit(crowd->mesh));
    if (count <= crowd->room)
        return MMD_OK;
    const mmd_render_mesh *mesh = crowd->mesh;
    drop_tables(crowd);
    mmd_status status = make_table(crowd, MMD_GPU_RGBA32F, count * bone_texels(mesh->model),
                                   "the bone table of a crowd", &crowd->bones, &crowd->bones_copy, error);
    if (status == MMD_OK)
        status = make_table(crowd, MMD_GPU_R32F, count * weight_texels(mesh), "the weight table of a crowd",
                            &crowd->weights, &crowd->weights_copy, error);
    if (status == MMD_OK)
        status = make_table(crowd, MMD_GPU_RGBA32F, count * MEMBER_FLOATS / 4, "the members of a crowd",
                            &crowd->members, &crowd->members_copy, error);
    if (status == MMD_OK)
        status = make_vertices(crowd, count, error);
    if (status == MMD_OK)
        crowd->room = count;
    else
        drop_tables(crowd);
    return status;
}

mmd_status mmd_render_crowd_create(mmd_render_mesh *mesh, mmd_render_crowd **result, mmd_error *error)
{
    assert(mesh && result);
    *result = NULL;
    mmd_render_crowd *crowd = mmd_alloc(sizeof *crowd);
    if (!crowd)
        return render_no_memory("a crowd", error);
    *crowd = (mmd_render_crowd){.mesh = mesh, .array = mesh_create_array(mesh)};
    *result = crowd;
    return mmd_gpu_check(mesh->renderer->gpu, "making a crowd", error);
}

void mmd_render_crowd_destroy(mmd_render_crowd *crowd)
{
    if (!crowd)
        return;
    drop_tables(crowd);
    mmd_gpu_array_destroy(crowd->mesh->renderer->gpu, crowd->array);
    mmd_free(crowd);
}

/* ---------------------------------------------------------------- uploads */

/* Copies values and returns whether they differ from those that were there. */
static bool put(float *copy, const void *values, size_t size)
{
    if (memcmp(copy, values, size) == 0)
        return false;
    memcpy(copy, values, size);
    return true;
}

static void upload(mmd_render_crowd *crowd, GLuint texture, mmd_gpu_format format, size_t texels,
                   const float *copy)
{
    mmd_renderer *renderer = crowd->mesh->renderer;
    table_shape shape = table_shape_of(renderer, texels);
    double start = renderer_microseconds();
    mmd_gpu_texture_update(renderer->gpu, texture, format, shape.width, shape.height, copy);
    renderer->statistics.upload_us += renderer_microseconds() - start;
    renderer->statistics.upload_bytes += texels * (format == MMD_GPU_R32F ? 4 : 16);
}

static bool upload_bones(mmd_render_crowd *crowd, const mmd_render_pose *const *poses, size_t count)
{
    const mmd_model *model = crowd->mesh->model;
    size_t texels = bone_texels(model);
    bool changed = !crowd->skinned;
    for (size_t i = 0; i < count; i++)
        changed |= put(crowd->bones_copy + 4 * texels * i,
                       model->has_scale ? (const void *)poses[i]->affine : (const void *)poses[i]->palette,
                       16 * texels);
    if (changed)
        upload(crowd, crowd->bones, MMD_GPU_RGBA32F, count * texels, crowd->bones_copy);
    return changed;
}

static bool upload_weights(mmd_render_crowd *crowd, const mmd_render_pose *const *poses, size_t count)
{
    size_t texels = weight_texels(crowd->mesh);
    bool changed = texels && !crowd->skinned;
    for (size_t i = 0; texels && i < count; i++)
        changed |= put(crowd->weights_copy + texels * i, poses[i]->weights, 4 * texels);
    if (changed)
        upload(crowd, crowd->weights, MMD_GPU_R32F, count * texels, crowd->weights_copy);
    return changed;
}

/* Uploads placements and edge widths of all members. Returns whether a placement changed; edge widths do not
 * affect the skin pass. */
static bool upload_members(mmd_render_crowd *crowd, const mmd_render_pose *const *poses,
                           const mmd_render_model_desc *const *descs, size_t count,
                           const mmd_render_scene *scene)
{
    bool changed = !crowd->skinned, moved = changed;
    for (size_t i = 0; i < count; i++) {
        float member[MEMBER_FLOATS] = {0};
        float *copy = crowd->members_copy + MEMBER_FLOATS * i;
        member[0] = descs[i]->edge_scale * mmd_render_edge_width(scene, descs[i]->edge_origin);
        member[1] = poses[i]->placement ? 1.0f : 0.0f;
        if (poses[i]->placement)
            memcpy(member + 4, poses[i]->placement, 16 * sizeof *member);
        moved |= memcmp(copy + 1, member + 1, sizeof member - sizeof *member) != 0;
        changed |= put(copy, member, sizeof member);
    }
    if (changed)
        upload(crowd, crowd->members, MMD_GPU_RGBA32F, count * MEMBER_FLOATS / 4, crowd->members_copy);
    return moved;
}

/* ---------------------------------------------------------------- skinning */

static void bind_tables(const mmd_render_crowd *crowd)
{
    const mmd_render_mesh *mesh = crowd->mesh;
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_BONES, crowd->bones, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_WEIGHTS, crowd->weights, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_MEMBERS, crowd->members, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_DISPLACEMENTS, mesh->displacements, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_SDEF, mesh->sdef, 0);
    mmd_gpu_bind_texture(mesh->renderer->gpu, UNIT_UV_OFFSETS, mesh->uv_offsets, 0);
}

static void run_skin_pass(mmd_render_crowd *crowd, const skin_program *program)
{
    const mmd_render_mesh *mesh = crowd->mesh;
    renderer_pass_begin(mesh->renderer, MMD_PASS_SKIN);
    mmd_gpu_use_program(mesh->renderer->gpu, program->id);
    glUniform2i(program->sizes, (GLint)bone_texels(mesh->model), (GLint)weight_texels(mesh));
    bind_tables(crowd);
    mmd_gpu_bind_array(mesh->renderer->gpu, mesh->skin_array);
    glVertexAttrib4f(SKIN_EXTRA, 0.0f, 0.0f, 0.0f, 0.0f); /* value for meshes without additional UV */
    renderer_begin_capture(mesh->renderer, crowd->vertices);
    glDrawArraysInstanced(GL_POINTS, 0, (GLsizei)mesh->model->vertices.count, (GLsizei)crowd->count);
    renderer_end_capture(mesh->renderer);
    mmd_gpu_bind_array(mesh->renderer->gpu, 0);
    mesh->renderer->statistics.draw_calls++;
    renderer_pass_end(mesh->renderer, MMD_PASS_SKIN);
}

mmd_status mmd_render_crowd_skin(mmd_render_crowd *crowd, const mmd_render_scene *scene,
                                 const mmd_render_pose *const *poses,
                                 const mmd_render_model_desc *const *descs, size_t count, mmd_error *error)
{
    assert(crowd && scene && poses && descs && count);
    const mmd_render_mesh *mesh = crowd->mesh;
    mmd_status status = reserve(crowd, count, error);
    if (status != MMD_OK)
        return status;
    bool slerp = poses[0]->sdef_slerp && (mesh->skin_features & SKIN_SDEF);
    bool changed = upload_bones(crowd, poses, count);
    changed |= upload_weights(crowd, poses, count);
    changed |= upload_members(crowd, poses, descs, count, scene);
    changed |= crowd->count != count || crowd->sdef_slerp != slerp;
    if (!changed)
        return MMD_OK;
    const skin_program *program;
    uint32_t features = mesh->skin_features | SKIN_CROWD | (slerp ? SKIN_SDEF_SLERP : 0u);
    status = renderer_skin_program(mesh->renderer, features, &program, error);
    if (status != MMD_OK)
        return status;
    crowd->count = count;
    run_skin_pass(crowd, program);
    crowd->skinned = true;
    crowd->sdef_slerp = slerp;
    return MMD_OK;
}

/* ---------------------------------------------------------------- binding for drawing */

void crowd_bind(const mmd_render_crowd *crowd)
{
    assert(crowd);
    mmd_gpu *gpu = crowd->mesh->renderer->gpu;
    mmd_gpu_bind_texture(gpu, UNIT_CROWD_MEMBERS, crowd->members, 0);
    mmd_gpu_bind_buffer_texture(gpu, UNIT_CROWD, crowd->vertices_texture);
}

void crowd_select(const mmd_render_crowd *crowd, GLint location, uint32_t first)
{
    assert(crowd);
    const mmd_render_mesh *mesh = crowd->mesh;
    glUniform3i(location, (GLint)first, (GLint)mesh->model->vertices.count, (GLint)vertex_texels(mesh));
}
