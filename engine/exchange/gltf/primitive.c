/*
 * Primitives of a glTF's meshes (glTF 2.0, 3.7.2): their indices as a list of
 * triangles, lines and points, and whole meshes as geometry for shapes.
 */
#include <string.h>

#include "reader.h"

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

mmd_status gltf_mesh_primitives(gltf_file *file, const json_spot *from, int32_t mesh, uint32_t *count)
{
    json_spot meshes, spot, primitives;
    *count = 0;
    mmd_status status = gltf_list(file, "meshes", &meshes);
    if (status == MMD_OK && (mesh < 0 || (size_t)mesh >= json_spot_count(&meshes)))
        status = json_spot_fail(&file->reader, from, MMD_ERROR_INDEX, "mesh %d where there are %zu", mesh,
                                json_spot_count(&meshes));
    if (status == MMD_OK)
        status = gltf_element(file, &meshes, (size_t)mesh, &spot);
    if (status == MMD_OK)
        status = json_read_kind(&file->reader, &spot, "primitives", JSON_ARRAY, &primitives);
    if (status == MMD_OK)
        *count = (uint32_t)json_spot_count(&primitives);
    return status;
}

/* Corners of the list that n indices make, three each element. */
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

static mmd_status count_elements(gltf_file *file, gltf_primitive *out)
{
    json_reader *reader = &file->reader;
    json_spot position = json_spot_member(&out->attributes, "POSITION");
    json_spot indices = json_spot_member(&out->primitive, "indices");
    mmd_status status = json_read_index(reader, &out->attributes, "POSITION", INT32_MAX, &out->position);
    if (status == MMD_OK)
        status = json_read_index(reader, &out->primitive, "indices", INT32_MAX, &out->indices);
    if (status == MMD_OK && out->position >= 0)
        status = gltf_accessor_count(file, &position, out->position, &out->vertex_count);
    out->source_index_count = out->vertex_count;
    if (status == MMD_OK && out->indices >= 0)
        status = gltf_accessor_count(file, &indices, out->indices, &out->source_index_count);
    out->index_count = out->vertex_count ? corner_count(out->mode, out->source_index_count) : 0;
    return status;
}

mmd_status gltf_open_primitive(gltf_file *file, int32_t mesh, uint32_t index, gltf_primitive *out)
{
    json_reader *reader = &file->reader;
    json_spot materials;
    *out = (gltf_primitive){.material = -1, .position = -1, .indices = -1};
    mmd_status status = gltf_list(file, "meshes", &out->meshes);
    if (status == MMD_OK)
        status = gltf_element(file, &out->meshes, (size_t)mesh, &out->mesh);
    if (status == MMD_OK)
        status = json_read_kind(reader, &out->mesh, "primitives", JSON_ARRAY, &out->primitives);
    if (status == MMD_OK)
        status = gltf_element(file, &out->primitives, index, &out->primitive);
    if (status == MMD_OK)
        status = json_read_kind(reader, &out->primitive, "attributes", JSON_OBJECT, &out->attributes);
    if (status == MMD_OK)
        status = json_read_kind(reader, &out->primitive, "targets", JSON_ARRAY, &out->targets);
    if (status == MMD_OK)
        status = json_read_u32(reader, &out->primitive, "mode", MODE_TRIANGLES, MODES - 1, &out->mode);
    if (status == MMD_OK)
        status = gltf_list(file, "materials", &materials);
    if (status == MMD_OK)
        status =
            json_read_index(reader, &out->primitive, "material", json_spot_count(&materials), &out->material);
    return status == MMD_OK ? count_elements(file, out) : status;
}

/* --------------------------------------------------------------- indices */

/* Which of the source's indices make corner `corner` (0 to 2) of element i. */
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
    json_spot spot = json_spot_member(&primitive->primitive, "indices");
    uint32_t *source = NULL, count = primitive->source_index_count;
    mmd_status status = MMD_OK;
    if (primitive->indices >= 0)
        status = gltf_read_integers(file, &spot, primitive->indices, 1, &source, &count);
    for (uint32_t i = 0; source && i < count && status == MMD_OK; i++)
        if (source[i] >= primitive->vertex_count)
            status =
                json_spot_fail(&file->reader, &spot, MMD_ERROR_INDEX, "index %u where there are %u vertices",
                               source[i], primitive->vertex_count);
    if (status == MMD_OK)
        status =
            gltf_alloc(file, &spot, file->reader.arena, primitive->index_count, sizeof **indices, indices);
    for (uint32_t i = 0; i < primitive->index_count && status == MMD_OK; i++) {
        uint32_t at = corner_source(primitive->mode, count, i / 3, i % 3);
        (*indices)[i] = source ? source[at] : at;
    }
    return status;
}

/* -------------------------------------------------------------- geometry */

static mmd_status append_geometry(gltf_file *file, const gltf_primitive *primitive, gltf_geometry *geometry)
{
    json_spot spot = json_spot_member(&primitive->attributes, "POSITION");
    float *positions;
    uint32_t *indices, count, base = geometry->point_count;
    mmd_status status = gltf_read_floats(file, &spot, primitive->position, 3, &positions, &count, NULL);
    if (status != MMD_OK)
        return status;
    memcpy(geometry->points[base], positions, count * sizeof *geometry->points);
    geometry->point_count += count;
    if (primitive->mode < MODE_TRIANGLES)
        return MMD_OK;
    status = gltf_primitive_indices(file, primitive, &indices);
    for (uint32_t i = 0; i < primitive->index_count && status == MMD_OK; i++)
        geometry->indices[geometry->index_count++] = base + indices[i];
    return status;
}

mmd_status gltf_read_geometry(gltf_file *file, const json_spot *from, int32_t mesh, gltf_geometry *geometry)
{
    uint32_t count;
    uint64_t points = 0, indices = 0;
    gltf_primitive primitive;
    *geometry = (gltf_geometry){0};
    mmd_status status = gltf_mesh_primitives(file, from, mesh, &count);
    for (uint32_t i = 0; i < count && status == MMD_OK; i++) {
        status = gltf_open_primitive(file, mesh, i, &primitive);
        points += primitive.vertex_count;
        indices += primitive.index_count;
    }
    if (status == MMD_OK && (points > INT32_MAX || indices > INT32_MAX))
        status = json_spot_fail(&file->reader, from, MMD_ERROR_LIMIT, "a mesh of too many points");
    if (status == MMD_OK)
        status =
            gltf_alloc(file, from, file->reader.arena, points, sizeof *geometry->points, &geometry->points);
    if (status == MMD_OK)
        status = gltf_alloc(file, from, file->reader.arena, indices, sizeof *geometry->indices,
                            &geometry->indices);
    for (uint32_t i = 0; i < count && status == MMD_OK; i++) {
        status = gltf_open_primitive(file, mesh, i, &primitive);
        if (status == MMD_OK && primitive.vertex_count > 0)
            status = append_geometry(file, &primitive, geometry);
    }
    return status;
}
