/*
 * The model of a .x file: meshes one behind the other, polygons cut into fans
 * and sorted by their mesh's materials. Everything hangs on one bone.
 */
#include "x_reader.h"

static uint32_t mesh_index_count(const x_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->faces.count; i++)
        count += mesh->faces.sizes[i] >= 3 ? 3 * (mesh->faces.sizes[i] - 2) : 0;
    return count;
}

/* A mesh without triangles needs no material. */
static uint32_t mesh_material_count(const x_mesh *mesh)
{
    return mesh->slots.count > 0 ? mesh->slots.count : mesh_index_count(mesh) > 0;
}

/* What the file says of a polygon's material; where the list ends early its last entry goes on. */
static uint32_t face_slot(const x_mesh *mesh, uint32_t face)
{
    uint32_t count = mesh->face_material_count;
    if (count == 0)
        return 0;
    return mesh->face_materials[face < count ? face : count - 1];
}

static mmd_material slot_material(x_reader *reader, const x_mesh *mesh, uint32_t slot)
{
    int64_t number = -1;
    if (slot < mesh->slots.count) {
        const x_slot *named = (const x_slot *)mesh->slots.items + slot;
        number = named->material >= 0 ? named->material : x_names_find(&reader->material_names, named->name);
        if (number < 0)
            model_reader_broken(&reader->base, "mesh",
                                (uint32_t)(mesh - (const x_mesh *)reader->meshes.items), "material", slot);
    }
    if (number < 0)
        number = x_add_material(reader, (x_span){0});
    const mmd_material *materials = reader->materials.items;
    return mmd_cursor_ok(&reader->base.cursor) ? materials[number] : (mmd_material){0};
}

static void build_materials(x_reader *reader)
{
    mmd_model *model = reader->base.model;
    const x_mesh *meshes = reader->meshes.items;
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->meshes.count; i++)
        count += mesh_material_count(&meshes[i]);
    model->materials = model_reader_array(&reader->base, count, sizeof *model->materials);
    for (uint32_t i = 0; i < reader->meshes.count && model->materials; i++) {
        uint32_t slots = mesh_material_count(&meshes[i]);
        for (uint32_t k = 0; k < slots && mmd_cursor_ok(&reader->base.cursor); k++)
            model->materials[model->material_count++] = slot_material(reader, &meshes[i], k);
    }
}

static void build_textures(x_reader *reader)
{
    mmd_model *model = reader->base.model;
    const x_name *names = reader->texture_names.entries.items;
    uint32_t count = reader->texture_names.entries.count;
    model->textures = model_reader_array(&reader->base, count, sizeof *model->textures);
    for (uint32_t i = 0; i < count && model->textures; i++)
        model->textures[i] =
            model_reader_text(&reader->base, names[i].name.text, names[i].name.size, x_decode_text);
    model->texture_count = count;
}

static bool allocate_vertices(x_reader *reader, uint32_t count, bool colors)
{
    mmd_vertices *v = &reader->base.model->vertices;
    v->position = model_reader_array(&reader->base, count, sizeof *v->position);
    v->normal = model_reader_array(&reader->base, count, sizeof *v->normal);
    v->uv = model_reader_array(&reader->base, count, sizeof *v->uv);
    v->deform = model_reader_array(&reader->base, count, sizeof *v->deform);
    v->bone = model_reader_array(&reader->base, count, sizeof *v->bone);
    v->weight = model_reader_array(&reader->base, count, sizeof *v->weight);
    v->edge_scale = model_reader_array(&reader->base, count, sizeof *v->edge_scale);
    if (colors)
        v->additional_uv[0] = model_reader_array(&reader->base, count, sizeof *v->additional_uv[0]);
    v->additional_uv_count = colors;
    if (!mmd_cursor_ok(&reader->base.cursor))
        return false;
    v->count = count;
    return true;
}

static void store_vertex(mmd_vertices *v, uint32_t at, const x_mesh *mesh, x_vertex vertex)
{
    static const float white[4] = {1, 1, 1, 1};
    uint32_t p = vertex.position;
    const float *normal = vertex.normal == X_COMPUTED ? mesh->computed[p] : mesh->normals[vertex.normal];
    memcpy(v->position[at], mesh->positions[p], sizeof v->position[at]);
    memcpy(v->normal[at], normal, sizeof v->normal[at]);
    if (p < mesh->uv_count)
        memcpy(v->uv[at], mesh->uvs[p], sizeof v->uv[at]);
    if (v->additional_uv_count)
        memcpy(v->additional_uv[0][at], mesh->colors ? mesh->colors[p] : white, sizeof white);
    v->deform[at] = MMD_DEFORM_BDEF1;
    v->bone[at][1] = v->bone[at][2] = v->bone[at][3] = -1;
    v->weight[at][0] = 1;
    v->edge_scale[at] = 1;
}

static void build_vertices(x_reader *reader)
{
    const x_mesh *meshes = reader->meshes.items;
    uint32_t count = 0;
    bool colors = false;
    for (uint32_t i = 0; i < reader->meshes.count; i++) {
        count += meshes[i].vertex_count;
        colors = colors || meshes[i].colors;
    }
    if (!allocate_vertices(reader, count, colors))
        return;
    uint32_t at = 0;
    for (uint32_t i = 0; i < reader->meshes.count; i++)
        for (uint32_t k = 0; k < meshes[i].vertex_count; k++)
            store_vertex(&reader->base.model->vertices, at++, &meshes[i], meshes[i].vertices[k]);
}

/* Where the next triangle of each of a mesh's materials goes: by counting, so that it takes one more pass
 * only. */
static uint32_t *place_surface(x_reader *reader, const x_mesh *mesh, mmd_material *materials, uint32_t first)
{
    uint32_t count = mesh_material_count(mesh);
    uint32_t *next = x_alloc(reader, count, sizeof *next);
    for (uint32_t i = 0; i < mesh->faces.count && next; i++) {
        uint32_t slot = face_slot(mesh, i), size = mesh->faces.sizes[i];
        if (size < 3)
            continue;
        if (slot >= count) {
            model_reader_broken(&reader->base, "mesh",
                                (uint32_t)(mesh - (const x_mesh *)reader->meshes.items), "face's material",
                                slot);
            slot = 0;
        }
        materials[slot].index_count += 3 * (size - 2);
    }
    for (uint32_t k = 0; k < count && next; k++) {
        materials[k].first_index = next[k] = first;
        first += materials[k].index_count;
    }
    return next;
}

static void fill_surface(uint32_t *indices, const x_mesh *mesh, uint32_t *next, uint32_t first_vertex)
{
    const uint32_t *corners = mesh->faces.corners.items;
    uint32_t count = mesh_material_count(mesh);
    for (uint32_t i = 0, at = 0; i < mesh->faces.count; at += mesh->faces.sizes[i++]) {
        uint32_t slot = face_slot(mesh, i);
        slot = slot < count ? slot : 0;
        for (uint32_t k = 2; k < mesh->faces.sizes[i]; k++) {
            indices[next[slot]++] = first_vertex + corners[at];
            indices[next[slot]++] = first_vertex + corners[at + k - 1];
            indices[next[slot]++] = first_vertex + corners[at + k];
        }
    }
}

static void build_surface(x_reader *reader)
{
    mmd_model *model = reader->base.model;
    const x_mesh *meshes = reader->meshes.items;
    uint32_t vertex = 0, material = 0, index = 0, count = 0;
    for (uint32_t i = 0; i < reader->meshes.count; i++)
        count += mesh_index_count(&meshes[i]);
    model->indices = model_reader_array(&reader->base, count, sizeof *model->indices);
    for (uint32_t i = 0; i < reader->meshes.count && mmd_cursor_ok(&reader->base.cursor); i++) {
        uint32_t *next = place_surface(reader, &meshes[i], model->materials + material, index);
        if (!next)
            return;
        fill_surface(model->indices, &meshes[i], next, vertex);
        vertex += meshes[i].vertex_count;
        material += mesh_material_count(&meshes[i]);
        index += mesh_index_count(&meshes[i]);
    }
    model->index_count = count;
}

static void build_bone(x_reader *reader)
{
    mmd_model *model = reader->base.model;
    mmd_bone *bone = model_reader_array(&reader->base, 1, sizeof *bone);
    if (!bone)
        return;
    *bone = (mmd_bone){.name = "accessory",
                       .name_en = "accessory",
                       .parent = -1,
                       .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE,
                       .tail_bone = -1,
                       .append_source = -1,
                       .ik_target = -1};
    model->bones = bone;
    model->bone_count = 1;
}

void x_build(x_reader *reader)
{
    if (!mmd_cursor_ok(&reader->base.cursor))
        return;
    mmd_cursor_section(&reader->base.cursor, "model", -1);
    x_place_meshes(reader);
    x_mesh *meshes = reader->meshes.items;
    for (uint32_t i = 0; i < reader->meshes.count && mmd_cursor_ok(&reader->base.cursor); i++)
        x_weld(reader, &meshes[i]);
    build_materials(reader);
    build_textures(reader);
    build_vertices(reader);
    if (mmd_cursor_ok(&reader->base.cursor))
        build_surface(reader);
    build_bone(reader);
}
