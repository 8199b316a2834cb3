/*
 * Reads the meshes of drawn nodes into the vertices and materials of a model (glTF 2.0, 3.7).
 *
 * Every primitive of every drawn node is a piece: its vertices at rest in MMD's space, weighted to the node's
 * bone or its skin. All pieces of one material become one material of the model. A primitive with the same
 * attributes as the previous one (exporters write meshes of several materials so) shares its vertices.
 * Triangles without normals get flat normals and vertices of their own.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "reader.h"

enum { FIRST_TRIANGLE_MODE = 4 };
/* Limits for all pieces: a small file may draw a large mesh often. The first limits indices, too. */
#define WORK_MAX UINT64_C(200000000)
enum { VERTICES_MAX = 8 << 20 };

/* Pieces that form one material. */
typedef struct piece_group {
    int32_t material;
    uint8_t flags; /* points, lines, vertex colours */
    gltf_uv uv;
    uint32_t index_count, next_index;
} piece_group;

/* Pieces and groups, in the scratch arena. */
typedef struct piece_list {
    uint32_t count, group_count;
    uint64_t vertex_count, index_count, work;
    gltf_piece *pieces;
    piece_group *groups;
    bool colored;
} piece_list;

/* --------------------------------------------------------------- primitives */

/*
 * Primitives (glTF 2.0, 3.7.2): their indices as a list of triangles, lines and points, and whole meshes as
 * geometry for collision shapes.
 */

enum {
    MODE_POINTS,
    MODE_LINES,
    MODE_LINE_LOOP,
    MODE_LINE_STRIP,
    MODE_TRIANGLES,
    MODE_STRIP,
    MODE_FAN,
    MODES
};

/* Returns the number of primitives of a mesh. */
static mmd_status gltf_mesh_primitives(gltf_file *file, const json_ref *from, int32_t mesh, uint32_t *count)
{
    assert(file && count);
    json_ref meshes, ref, primitives;
    *count = 0;
    gltf_list(file, "meshes", &meshes);
    if ((mesh < 0 || (size_t)mesh >= json_ref_count(&meshes)))
        json_ref_fail(&file->reader, from, MMD_ERROR_INDEX, "mesh %d, but there are %zu", mesh,
                      json_ref_count(&meshes));
    gltf_element(file, &meshes, (size_t)mesh, &ref);
    json_read_kind(&file->reader, &ref, "primitives", JSON_ARRAY, &primitives);
    if (json_reader_ok(&file->reader))
        *count = (uint32_t)json_ref_count(&primitives);
    return file->reader.status;
}

/* Returns the number of corners, three per element, that n indices give in a mode. */
static uint32_t corner_count(uint32_t mode, uint32_t n)
{
    switch (mode) {
    case MODE_POINTS:
        return n > UINT32_MAX / 3 ? 0 : 3 * n;
    case MODE_LINES:
        return n / 2 * 3;
    case MODE_LINE_LOOP:
        return n < 2 || n > UINT32_MAX / 3 ? 0 : 3 * n;
    case MODE_LINE_STRIP:
        return n < 2 || n > UINT32_MAX / 3 ? 0 : 3 * (n - 1);
    case MODE_TRIANGLES:
        return n / 3 * 3;
    default:
        return n < 3 || n > UINT32_MAX / 3 ? 0 : 3 * (n - 2);
    }
}

/* Reads the vertex and index counts of a primitive. */
static mmd_status count_elements(gltf_file *file, gltf_primitive *out)
{
    json_reader *reader = &file->reader;
    json_ref position = json_ref_member(&out->attributes, "POSITION");
    json_ref indices = json_ref_member(&out->primitive, "indices");
    json_read_index(reader, &out->attributes, "POSITION", INT32_MAX, &out->position);
    json_read_index(reader, &out->primitive, "indices", INT32_MAX, &out->indices);
    if (json_reader_ok(reader) && out->position >= 0)
        gltf_accessor_count(file, &position, out->position, &out->vertex_count);
    out->source_index_count = out->vertex_count;
    if (json_reader_ok(reader) && out->indices >= 0)
        gltf_accessor_count(file, &indices, out->indices, &out->source_index_count);
    out->index_count = out->vertex_count ? corner_count(out->mode, out->source_index_count) : 0;
    return reader->status;
}

mmd_status gltf_open_primitive(gltf_file *file, int32_t mesh, uint32_t index, gltf_primitive *out)
{
    assert(file && out);
    json_reader *reader = &file->reader;
    json_ref materials;
    *out = (gltf_primitive){.material = -1, .position = -1, .indices = -1};
    gltf_list(file, "meshes", &out->meshes);
    gltf_element(file, &out->meshes, (size_t)mesh, &out->mesh);
    json_read_kind(reader, &out->mesh, "primitives", JSON_ARRAY, &out->primitives);
    gltf_element(file, &out->primitives, index, &out->primitive);
    json_read_kind(reader, &out->primitive, "attributes", JSON_OBJECT, &out->attributes);
    json_read_kind(reader, &out->primitive, "targets", JSON_ARRAY, &out->targets);
    json_read_u32(reader, &out->primitive, "mode", MODE_TRIANGLES, MODES - 1, &out->mode);
    gltf_list(file, "materials", &materials);
    json_read_index(reader, &out->primitive, "material", json_ref_count(&materials), &out->material);
    return count_elements(file, out);
}

/* --------------------------------------------------------------- indices */

/* Returns which source index is corner 0, 1 or 2 of element i. */
static uint32_t corner_source(uint32_t mode, uint32_t count, uint32_t i, uint32_t corner)
{
    uint32_t end = corner == 1;
    switch (mode) {
    case MODE_POINTS:
        return i;
    case MODE_LINES:
        return i * 2 + end;
    case MODE_LINE_LOOP:
        return (i + end) % count;
    case MODE_LINE_STRIP:
        return i + end;
    case MODE_TRIANGLES:
        return i * 3 + corner;
    case MODE_STRIP:
        return corner == 0 ? i : corner == 1 ? i + 1 + i % 2 : i + 2 - i % 2;
    default:
        return corner == 0 ? 0 : i + corner;
    }
}

mmd_status gltf_primitive_indices(gltf_file *file, const gltf_primitive *primitive, uint32_t **indices)
{
    assert(file && primitive);
    json_ref ref = json_ref_member(&primitive->primitive, "indices");
    uint32_t *source = NULL, count = primitive->source_index_count;
    if (primitive->indices >= 0)
        gltf_read_integers(file, &ref, primitive->indices, 1, &source, &count);
    for (uint32_t i = 0; source && i < count && json_reader_ok(&file->reader); i++)
        if (source[i] >= primitive->vertex_count)
            json_ref_fail(&file->reader, &ref, MMD_ERROR_INDEX, "index %u, but there are %u vertices",
                          source[i], primitive->vertex_count);
    gltf_alloc(file, &ref, file->reader.arena, primitive->index_count, sizeof **indices, indices);
    for (uint32_t i = 0; i < primitive->index_count && json_reader_ok(&file->reader); i++) {
        uint32_t at = corner_source(primitive->mode, count, i / 3, i % 3);
        (*indices)[i] = source ? source[at] : at;
    }
    return file->reader.status;
}

/* -------------------------------------------------------------- geometry */

/* Appends points and triangles of a primitive. */
static mmd_status append_geometry(gltf_file *file, const gltf_primitive *primitive, gltf_geometry *geometry)
{
    json_ref ref = json_ref_member(&primitive->attributes, "POSITION");
    float *positions;
    uint32_t *indices, count, base = geometry->point_count;
    gltf_read_floats(file, &ref, primitive->position, 3, &positions, &count, NULL);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    memcpy(geometry->points[base], positions, count * sizeof *geometry->points);
    geometry->point_count += count;
    if (primitive->mode < MODE_TRIANGLES)
        return MMD_OK;
    gltf_primitive_indices(file, primitive, &indices);
    for (uint32_t i = 0; i < primitive->index_count && json_reader_ok(&file->reader); i++)
        geometry->indices[geometry->index_count++] = base + indices[i];
    return file->reader.status;
}

mmd_status gltf_read_geometry(gltf_file *file, const json_ref *from, int32_t mesh, gltf_geometry *geometry)
{
    assert(file && geometry);
    uint32_t count;
    uint64_t points = 0, indices = 0;
    gltf_primitive primitive;
    *geometry = (gltf_geometry){0};
    gltf_mesh_primitives(file, from, mesh, &count);
    for (uint32_t i = 0; i < count && json_reader_ok(&file->reader); i++) {
        gltf_open_primitive(file, mesh, i, &primitive);
        points += primitive.vertex_count;
        indices += primitive.index_count;
    }
    if (points > INT32_MAX || indices > INT32_MAX)
        json_ref_fail(&file->reader, from, MMD_ERROR_LIMIT, "the mesh has too many points");
    gltf_alloc(file, from, file->reader.arena, points, sizeof *geometry->points, &geometry->points);
    gltf_alloc(file, from, file->reader.arena, indices, sizeof *geometry->indices, &geometry->indices);
    for (uint32_t i = 0; i < count && json_reader_ok(&file->reader); i++) {
        gltf_open_primitive(file, mesh, i, &primitive);
        if (json_reader_ok(&file->reader) && primitive.vertex_count > 0)
            append_geometry(file, &primitive, geometry);
    }
    return file->reader.status;
}

/* ---------------------------------------------------------------- pieces */

/* Lists the primitives of all drawn nodes: first counts, then fills. */
static mmd_status list_pieces(gltf_scene *scene, piece_list *list)
{
    gltf_file *file = scene->file;
    uint64_t total = 0;
    for (uint32_t pass = 0; pass < 2 && json_reader_ok(&file->reader); pass++) {
        for (uint32_t i = 0; i < file->node_count && json_reader_ok(&file->reader); i++) {
            const gltf_node *node = &file->nodes[i];
            uint32_t count = 0;
            if (!node->in_scene || node->mesh < 0)
                continue;
            gltf_mesh_primitives(file, &file->root, node->mesh, &count);
            total += pass == 0 ? count : 0;
            for (uint32_t k = 0; pass == 1 && k < count; k++)
                list->pieces[list->count++] = (gltf_piece){.node = i, .primitive = k};
        }
        if (total > INT32_MAX)
            json_ref_fail(&file->reader, &file->root, MMD_ERROR_LIMIT, "too many primitives");
        if (json_reader_ok(&file->reader) && pass == 0)
            gltf_alloc(file, &file->root, file->reader.arena, total, sizeof *list->pieces, &list->pieces);
    }
    gltf_alloc(file, &file->root, file->reader.arena, total, sizeof *list->groups, &list->groups);
    gltf_alloc(file, &file->root, &scene->model->arena, total, sizeof *scene->model->materials,
               &scene->model->materials);
    return file->reader.status;
}

/* Returns the material flags of a primitive: points, lines, vertex colours. */
static uint8_t piece_flags(const gltf_primitive *primitive)
{
    uint8_t mode = primitive->mode == 0                    ? MMD_MATERIAL_POINTS
                   : primitive->mode < FIRST_TRIANGLE_MODE ? MMD_MATERIAL_LINES
                                                           : 0;
    bool colored = json_object_get(primitive->attributes.value, "COLOR_0");
    return (uint8_t)(mode | (colored ? MMD_MATERIAL_VERTEX_COLOR : 0));
}

/* Finds the group of a piece; the first piece of a kind makes it and reads its material. */
static mmd_status find_group(gltf_scene *scene, piece_list *list, const gltf_primitive *primitive,
                             uint32_t *group)
{
    uint8_t flags = piece_flags(primitive);
    for (*group = 0; *group < list->group_count; ++*group)
        if (list->groups[*group].material == primitive->material && list->groups[*group].flags == flags)
            return MMD_OK;
    piece_group *made = &list->groups[list->group_count++];
    mmd_material *material = &scene->model->materials[*group];
    *made = (piece_group){.material = primitive->material, .flags = flags};
    gltf_read_material(scene, primitive->material, material, &made->uv);
    material->flags |= flags;
    if (flags & (MMD_MATERIAL_POINTS | MMD_MATERIAL_LINES))
        material->flags &= (uint8_t) ~(MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW);
    list->colored = list->colored || flags & MMD_MATERIAL_VERTEX_COLOR;
    return scene->file->reader.status;
}

/* Returns whether a primitive has normals or needs none. */
static bool has_normals(const gltf_primitive *primitive)
{
    return json_object_get(primitive->attributes.value, "NORMAL") || primitive->mode < FIRST_TRIANGLE_MODE;
}

static bool same_uv(const gltf_uv *a, const gltf_uv *b)
{
    bool same = a->set == b->set;
    for (int k = 0; k < 6; k++)
        same = same && a->matrix[k] == b->matrix[k];
    return same;
}

/* Returns whether a piece can use the vertices of the previous one. */
static bool shares_vertices(gltf_file *file, const piece_list *list, uint32_t index,
                            const gltf_primitive *primitive)
{
    const gltf_piece *piece = &list->pieces[index], *before = piece - 1;
    if (index == 0 || before->node != piece->node || before->split || piece->split)
        return false;
    if (!same_uv(&list->groups[before->group].uv, &list->groups[piece->group].uv))
        return false;
    gltf_primitive other;
    if (gltf_open_primitive(file, file->nodes[piece->node].mesh, before->primitive, &other) != MMD_OK)
        return false;
    bool same_targets = other.targets.value == primitive->targets.value ||
                        json_equal(other.targets.value, primitive->targets.value);
    return same_targets && json_equal(other.attributes.value, primitive->attributes.value);
}

/* Returns the cost of reading a piece. Joints count because a skin is read again for each of its pieces. */
static uint64_t piece_work(const gltf_file *file, const gltf_node *node, const gltf_primitive *primitive)
{
    json_ref skins = json_ref_member(&file->root, "skins");
    json_ref skin = json_ref_element(&skins, node->skin < 0 ? SIZE_MAX : (size_t)node->skin);
    json_ref joints = json_ref_member(&skin, "joints");
    return (uint64_t)primitive->vertex_count + primitive->source_index_count + primitive->index_count +
           json_ref_count(&joints);
}

/* Determines group, counts and vertex range of a piece. */
static mmd_status measure_piece(gltf_scene *scene, piece_list *list, uint32_t index)
{
    gltf_file *file = scene->file;
    gltf_piece *piece = &list->pieces[index];
    gltf_primitive primitive;
    gltf_open_primitive(file, file->nodes[piece->node].mesh, piece->primitive, &primitive);
    find_group(scene, list, &primitive, &piece->group);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    piece->work = piece_work(file, &file->nodes[piece->node], &primitive);
    list->work += piece->work;
    if (list->work > WORK_MAX)
        return json_ref_fail(&file->reader, &primitive.primitive, MMD_ERROR_LIMIT,
                             "more than %llu vertices, indices and joints in total",
                             (unsigned long long)WORK_MAX);
    piece->split = !has_normals(&primitive);
    piece->index_count = primitive.index_count;
    piece->vertex_count = piece->split ? primitive.index_count : primitive.vertex_count;
    piece->shared = shares_vertices(file, list, index, &primitive);
    piece->first_vertex = piece->shared ? piece[-1].first_vertex : (uint32_t)list->vertex_count;
    list->vertex_count += piece->shared ? 0 : piece->vertex_count;
    list->index_count += piece->index_count;
    list->groups[piece->group].index_count += piece->index_count;
    if (list->vertex_count > VERTICES_MAX)
        return json_ref_fail(&file->reader, &primitive.primitive, MMD_ERROR_LIMIT,
                             "the drawn nodes have more than %d vertices in total", VERTICES_MAX);
    return MMD_OK;
}

/* -------------------------------------------------------------- vertices */

/* Allocates the model's vertices and indices. */
static mmd_status allocate_vertices(gltf_scene *scene, const piece_list *list)
{
    gltf_file *file = scene->file;
    mmd_model *model = scene->model;
    mmd_vertices *v = &model->vertices;
    const struct {
        void *out;
        size_t size;
    } arrays[] = {{&v->position, sizeof *v->position},
                  {&v->normal, sizeof *v->normal},
                  {&v->uv, sizeof *v->uv},
                  {&v->deform, sizeof *v->deform},
                  {&v->bone, sizeof *v->bone},
                  {&v->weight, sizeof *v->weight},
                  {&v->edge_scale, sizeof *v->edge_scale},
                  {&v->additional_uv[0], sizeof *v->additional_uv[0]}};
    size_t count = sizeof arrays / sizeof arrays[0] - !list->colored;
    gltf_alloc(file, &file->root, &model->arena, list->index_count, sizeof *model->indices, &model->indices);
    for (size_t i = 0; i < count && json_reader_ok(&file->reader); i++)
        gltf_alloc(file, &file->root, &model->arena, list->vertex_count, arrays[i].size, arrays[i].out);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    v->additional_uv_count = list->colored;
    v->count = (uint32_t)list->vertex_count;
    model->index_count = (uint32_t)list->index_count;
    return MMD_OK;
}

/* Transforms a point and converts it to MMD's space. */
static void transform_point(const float m[16], const float p[3], float out[3])
{
    for (int r = 0; r < 3; r++)
        out[r] = (m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]) / METRES_PER_UNIT;
    out[2] = -out[2];
}

static void cross(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(float v[3])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] = length > 0 && isfinite(length) ? v[k] / length : k == 1;
}

/* Returns the determinant of the linear part. */
static float determinant(const float m[16])
{
    float normal[3];
    cross(m, m + 4, normal);
    return normal[0] * m[8] + normal[1] * m[9] + normal[2] * m[10];
}

/*
 * Transforms a normal by the inverse transpose, which is the cofactor matrix up to a factor (negative for
 * mirrors), and converts it to MMD's space.
 */
static void transform_normal(const float m[16], const float n[3], float out[3])
{
    float x[3], y[3], z[3];
    cross(m + 4, m + 8, x);
    cross(m + 8, m, y);
    cross(m, m + 4, z);
    float sign = determinant(m) < 0 ? -1.0F : 1.0F;
    for (int r = 0; r < 3; r++)
        out[r] = sign * (x[r] * n[0] + y[r] * n[1] + z[r] * n[2]);
    out[2] = -out[2];
    normalize(out);
}

typedef struct attributes {
    float *position, *normal, *uv, *color;
    uint32_t color_components;
    const float *uv_matrix;
} attributes;

/* Reads the attributes of a primitive; the UV set is the material's. */
static mmd_status read_attributes(gltf_file *file, const gltf_primitive *primitive, const gltf_uv *uv_use,
                                  attributes *out)
{
    char uv[24];
    const json_ref *of = &primitive->attributes;
    snprintf(uv, sizeof uv, "TEXCOORD_%u", uv_use->set);
    out->uv_matrix = uv_use->matrix;
    gltf_read_attribute(file, primitive, of, "POSITION", 3, &out->position, NULL);
    gltf_read_attribute(file, primitive, of, "NORMAL", 3, &out->normal, NULL);
    gltf_read_attribute(file, primitive, of, uv, 2, &out->uv, NULL);
    gltf_read_attribute(file, primitive, of, "COLOR_0", 0, &out->color, &out->color_components);
    if (out->color && out->color_components != 3 && out->color_components != 4)
        json_ref_fail(&file->reader, of, MMD_ERROR_VALUE, "colours with %u components",
                      out->color_components);
    return file->reader.status;
}

/* Stores a vertex colour as sRGB; white when there is none. */
static void put_color(const attributes *from, uint32_t source, float out[4])
{
    memcpy(out, (const float[4]){1, 1, 1, 1}, 4 * sizeof *out);
    if (!from->color)
        return;
    const float *color = from->color + (size_t)source * from->color_components;
    for (int k = 0; k < 3; k++)
        out[k] = gltf_screen_color(color[k]);
    if (from->color_components == 4)
        out[3] = mmd_maxf(0, mmd_minf(1, color[3]));
}

static void put_uv(const float m[6], const float uv[2], float out[2])
{
    for (int r = 0; r < 2; r++)
        out[r] = m[r] * uv[0] + m[2 + r] * uv[1] + m[4 + r];
}

/* Stores a vertex at its rest position with its weights. */
static void put_vertex(mmd_vertices *v, uint32_t at, const gltf_frame *frame, uint32_t node,
                       const attributes *from, uint32_t source)
{
    float matrix[16];
    gltf_frame_matrix(frame, source, matrix);
    gltf_frame_deform(frame, node, source, v, at);
    transform_point(matrix, from->position + (size_t)source * 3, v->position[at]);
    if (from->normal)
        transform_normal(matrix, from->normal + (size_t)source * 3, v->normal[at]);
    else
        memcpy(v->normal[at], (const float[3]){0, 1, 0}, sizeof v->normal[at]);
    if (from->uv)
        put_uv(from->uv_matrix, from->uv + (size_t)source * 2, v->uv[at]);
    if (v->additional_uv_count)
        put_color(from, source, v->additional_uv[0][at]);
    v->edge_scale[at] = 1;
}

/*
 * Appends the indices of a piece. Front faces are clockwise in MMD: mirroring in Z reverses the winding, and
 * a mirroring node reverses it again.
 */
static void put_indices(mmd_model *model, const gltf_piece *piece, const gltf_frame *frame,
                        piece_group *group)
{
    bool swap = frame->primitive.mode >= FIRST_TRIANGLE_MODE &&
                (frame->joint_count > 0 || determinant(frame->world) >= 0);
    uint32_t *out = model->indices + group->next_index;
    for (uint32_t i = 0; i + 2 < piece->index_count; i += 3) {
        const uint32_t corner[3] = {i, i + 1 + swap, i + 2 - swap};
        for (int k = 0; k < 3; k++)
            *out++ = piece->first_vertex + (piece->split ? corner[k] : frame->indices[corner[k]]);
    }
    group->next_index += piece->index_count;
}

/* Sets the normals of triangles that have no shared vertices. */
static void make_flat_normals(mmd_model *model, const uint32_t *indices, uint32_t count)
{
    mmd_vertices *v = &model->vertices;
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        float a[3], b[3], normal[3];
        for (int k = 0; k < 3; k++) {
            a[k] = v->position[indices[i + 1]][k] - v->position[indices[i]][k];
            b[k] = v->position[indices[i + 2]][k] - v->position[indices[i]][k];
        }
        cross(a, b, normal);
        normalize(normal);
        for (uint32_t k = 0; k < 3; k++)
            memcpy(v->normal[indices[i + k]], normal, sizeof normal);
    }
}

static bool positions_finite(const mmd_vertices *v, const gltf_piece *piece)
{
    for (uint32_t i = 0; i < piece->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(v->position[piece->first_vertex + i][k]))
                return false;
    return true;
}

/* Reads a piece into the model. */
static mmd_status put_piece(gltf_scene *scene, const gltf_piece *piece, piece_group *group)
{
    gltf_file *file = scene->file;
    mmd_model *model = scene->model;
    gltf_frame frame;
    attributes from = {0};
    if (piece->vertex_count == 0)
        return MMD_OK;
    gltf_open_frame(scene, piece, &frame);
    if (json_reader_ok(&file->reader) && !piece->shared)
        read_attributes(file, &frame.primitive, &group->uv, &from);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    for (uint32_t i = 0; i < piece->vertex_count && !piece->shared; i++)
        put_vertex(&model->vertices, piece->first_vertex + i, &frame, piece->node, &from,
                   gltf_frame_source(&frame, i));
    if (!piece->shared)
        gltf_report_skin(file, &frame);
    if (!positions_finite(&model->vertices, piece))
        return json_ref_fail(&file->reader, &frame.primitive.primitive, MMD_ERROR_VALUE,
                             "vertex positions are too large");
    const uint32_t *indices = model->indices + group->next_index;
    put_indices(model, piece, &frame, group);
    if (piece->split)
        make_flat_normals(model, indices, piece->index_count);
    return MMD_OK;
}

/* Assigns each group a run of indices and makes it the range of its material. */
static void assign_index_ranges(mmd_model *model, piece_list *list)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < list->group_count; i++) {
        piece_group *group = &list->groups[i];
        model->materials[i].first_index = group->next_index = at;
        model->materials[i].index_count = group->index_count;
        at += group->index_count;
    }
    model->material_count = list->group_count;
}

/* Reads all pieces, each with a scratch arena of its own. */
static mmd_status read_pieces(gltf_scene *scene, piece_list *list)
{
    gltf_file *file = scene->file;
    mmd_arena *own = file->reader.arena, scratch = {.limit = own->limit};
    allocate_vertices(scene, list);
    assign_index_ranges(scene->model, list);
    file->reader.arena = &scratch;
    for (uint32_t i = 0; i < list->count && json_reader_ok(&file->reader); i++) {
        put_piece(scene, &list->pieces[i], &list->groups[list->pieces[i].group]);
        mmd_arena_finish(&scratch);
        scratch.limit = own->limit;
    }
    file->reader.arena = own;
    return file->reader.status;
}

mmd_status gltf_read_meshes(gltf_scene *scene)
{
    assert(scene);
    piece_list list = {0};
    list_pieces(scene, &list);
    for (uint32_t i = 0; i < list.count && json_reader_ok(&scene->file->reader); i++)
        measure_piece(scene, &list, i);
    if (json_reader_ok(&scene->file->reader))
        read_pieces(scene, &list);
    if (json_reader_ok(&scene->file->reader))
        gltf_read_morphs(scene, list.pieces, list.count);
    return scene->file->reader.status;
}
