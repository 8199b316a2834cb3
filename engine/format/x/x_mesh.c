/* A mesh of a .x file, gathered: positions, polygons, and the lists that may follow them (MMD.md 1.6). */
#include "x_reader.h"

static const x_rules nothing = {0};

static void read_faces(x_reader *reader, x_faces *faces)
{
    x_lexer *lexer = &reader->lexer;
    faces->corners.count = 0;
    faces->count = x_count(lexer, 1);
    faces->sizes = x_alloc(reader, faces->count, sizeof *faces->sizes);
    for (uint32_t i = 0; i < faces->count && mmd_cursor_ok(lexer->cursor); i++) {
        faces->sizes[i] = x_count(lexer, 1);
        for (uint32_t k = 0; k < faces->sizes[i] && mmd_cursor_ok(lexer->cursor); k++) {
            uint32_t index = x_whole(lexer);
            uint32_t *corner = x_array_add(reader, &faces->corners, sizeof *corner);
            if (corner)
                *corner = index;
        }
    }
}

static float (*read_vectors(x_reader *reader, uint32_t *count))[3]
{
    *count = x_count(&reader->lexer, 3);
    float(*vectors)[3] = x_alloc(reader, *count, sizeof *vectors);
    if (vectors)
        x_reals(&reader->lexer, vectors[0], 3 * (size_t)*count);
    return vectors;
}

static void read_normals(x_reader *reader, void *object, x_span name)
{
    (void)name;
    x_mesh *mesh = object;
    mesh->normals = read_vectors(reader, &mesh->normal_count);
    read_faces(reader, &mesh->normal_faces);
    x_read_members(reader, &nothing, NULL);
}

static void read_uvs(x_reader *reader, void *object, x_span name)
{
    (void)name;
    x_mesh *mesh = object;
    mesh->uv_count = x_count(&reader->lexer, 2);
    mesh->uvs = x_alloc(reader, mesh->uv_count, sizeof *mesh->uvs);
    if (mesh->uvs)
        x_reals(&reader->lexer, mesh->uvs[0], 2 * (size_t)mesh->uv_count);
    x_read_members(reader, &nothing, NULL);
}

bool x_white_colors(x_reader *reader, x_mesh *mesh)
{
    if (!mesh->colors)
        mesh->colors = x_alloc(reader, mesh->position_count, sizeof *mesh->colors);
    for (uint32_t i = 0; i < mesh->position_count && mesh->colors; i++)
        for (int k = 0; k < 4; k++)
            mesh->colors[i][k] = 1;
    return mesh->colors != NULL;
}

/* Colours name the position that they are for. Others are white. */
static void read_colors(x_reader *reader, void *object, x_span name)
{
    (void)name;
    x_mesh *mesh = object;
    x_lexer *lexer = &reader->lexer;
    uint32_t count = x_count(lexer, 5);
    x_white_colors(reader, mesh);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(lexer->cursor); i++) {
        float color[4];
        uint32_t position = x_whole(lexer);
        x_reals(lexer, color, 4);
        if (position < mesh->position_count && mmd_cursor_ok(lexer->cursor))
            memcpy(mesh->colors[position], color, sizeof color);
    }
    x_read_members(reader, &nothing, NULL);
}

static void add_slot(x_reader *reader, x_mesh *mesh, x_slot slot)
{
    x_slot *added = x_array_add(reader, &mesh->slots, sizeof *added);
    if (added)
        *added = slot;
}

static void read_inline(x_reader *reader, void *object, x_span name)
{
    uint32_t material = x_read_material(reader, name);
    add_slot(reader, object, (x_slot){.material = (int32_t)material});
}

static void read_named(x_reader *reader, void *object, x_span name)
{
    add_slot(reader, object, (x_slot){.material = -1, .name = name});
}

/* The count of materials says nothing: as many are used as follow. */
static void read_materials(x_reader *reader, void *object, x_span name)
{
    static const x_rule rules[] = {{"Material", read_inline}};
    static const x_rules members = {rules, 1, read_named};
    (void)name;
    x_mesh *mesh = object;
    x_lexer *lexer = &reader->lexer;
    mesh->slots.count = 0;
    x_whole(lexer);
    mesh->face_material_count = x_count(lexer, 1);
    mesh->face_materials = x_alloc(reader, mesh->face_material_count, sizeof *mesh->face_materials);
    for (uint32_t i = 0; i < mesh->face_material_count && mmd_cursor_ok(lexer->cursor); i++)
        mesh->face_materials[i] = x_whole(lexer);
    x_read_members(reader, &members, mesh);
}

static void check_corners(x_reader *reader, const x_mesh *mesh, size_t at)
{
    const uint32_t *corners = mesh->faces.corners.items;
    for (uint32_t i = 0; i < mesh->faces.corners.count && mmd_cursor_ok(&reader->base.cursor); i++)
        if (corners[i] >= mesh->position_count) {
            reader->base.cursor.at = at;
            mmd_cursor_fail(&reader->base.cursor, MMD_ERROR_INDEX, "vertex %u in a face, but there are %u",
                            corners[i], mesh->position_count);
        }
}

void x_read_mesh(x_reader *reader, int32_t frame)
{
    static const x_rule rules[] = {{"MeshNormals", read_normals},     {"MeshTextureCoords", read_uvs},
                                   {"MeshVertexColors", read_colors}, {"MeshMaterialList", read_materials},
                                   {"DeclData", x_read_declared},     {"FVFData", x_read_fvf}};
    static const x_rules members = {rules, sizeof rules / sizeof *rules, NULL};
    mmd_cursor *cursor = &reader->base.cursor;
    x_mesh *mesh = x_array_add(reader, &reader->meshes, sizeof *mesh);
    if (!mesh)
        return;
    mmd_cursor_section(cursor, "mesh", reader->meshes.count - 1);
    mesh->frame = frame;
    mesh->positions = read_vectors(reader, &mesh->position_count);
    size_t at = cursor->at;
    read_faces(reader, &mesh->faces);
    check_corners(reader, mesh, at);
    x_read_members(reader, &members, mesh);
}
