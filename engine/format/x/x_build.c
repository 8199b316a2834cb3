/* Builds the model of a .x file: meshes one after another, polygons split into triangle fans and sorted by
 * material. Everything is attached to one bone. */
#include "mmd/elementary.h"
#include "x_reader.h"

#include <assert.h>
#include <math.h>

/* ---- placing meshes ---- */

/*
 * Places the meshes of a .x file: multiplies frames, applies the scale of ten (docs/mmd.md 1.6), and copies
 * meshes that frames refer to. A frame may contain any number of meshes "inlined or by reference" (Microsoft,
 * DirectX file format, template Frame). A mesh outside of all frames that frames refer to is only a
 * definition and is not placed by itself; one inside a frame is placed there too.
 */

/* MMD draws accessories ten times as large as their files say. */
static const float file_scale = 10.0f;

/* Computes out = a b, row-major; out may be a. */
static void multiply(const float a[16], const float b[16], float out[16])
{
    float product[16];
    for (int i = 0; i < 16; i++) {
        const float *row = a + i / 4 * 4, *column = b + i % 4;
        product[i] = row[0] * column[0] + row[1] * column[4] + row[2] * column[8] + row[3] * column[12];
    }
    memcpy(out, product, sizeof product);
}

static void place_frames(x_reader *reader)
{
    x_frame *frames = reader->frames.items;
    for (uint32_t i = 0; i < reader->frames.count; i++)
        if (frames[i].parent >= 0)
            multiply(frames[i].matrix, frames[frames[i].parent].matrix, frames[i].matrix);
}

static void place_position(float p[3], const float m[16])
{
    float placed[3];
    for (int k = 0; k < 3; k++) {
        placed[k] = (p[0] * m[k] + p[1] * m[4 + k] + p[2] * m[8 + k] + m[12 + k]) * file_scale;
        placed[k] = isfinite(placed[k]) ? placed[k] : 0;
    }
    memcpy(p, placed, sizeof placed);
}

/* Computes the inverse transpose of m's linear part, up to a positive factor: its cofactors with the sign of
 * its determinant. */
static void normal_matrix(const float m[16], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const float *a = m + 4 * ((i + 1) % 3), *b = m + 4 * ((i + 2) % 3);
            int y = (k + 1) % 3, z = (k + 2) % 3;
            out[3 * i + k] = (double)a[y] * (double)b[z] - (double)a[z] * (double)b[y];
        }
    double determinant = (double)m[0] * out[0] + (double)m[1] * out[1] + (double)m[2] * out[2];
    for (int i = 0; i < 9 && determinant < 0; i++)
        out[i] = -out[i];
}

/* Transforms and normalises a normal; a zero vector means that it will be computed. */
static void place_normal(float n[3], const double m[9])
{
    double x = (double)n[0], y = (double)n[1], z = (double)n[2], placed[3];
    for (int k = 0; k < 3; k++)
        placed[k] = x * m[k] + y * m[3 + k] + z * m[6 + k];
    double length = sqrt(placed[0] * placed[0] + placed[1] * placed[1] + placed[2] * placed[2]);
    for (int k = 0; k < 3; k++)
        n[k] = length > 0 && isfinite(length) ? (float)(placed[k] / length) : 0.0f;
}

static void place_mesh(const x_reader *reader, x_mesh *mesh)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const x_frame *frames = reader->frames.items;
    const float *matrix = mesh->frame < 0 ? identity : frames[mesh->frame].matrix;
    double turn[9];
    normal_matrix(matrix, turn);
    for (uint32_t i = 0; i < mesh->position_count; i++)
        place_position(mesh->positions[i], matrix);
    for (uint32_t i = 0; i < mesh->normal_count; i++)
        place_normal(mesh->normals[i], turn);
}

/* Copies a mesh, with its own positions, normals and corners; the rest is shared. */
static bool copy_mesh(x_reader *reader, const x_mesh *from, x_mesh *to)
{
    const x_array *corners = &from->faces.corners;
    *to = *from;
    to->positions = x_alloc(reader, from->position_count, sizeof *to->positions);
    to->normals = x_alloc(reader, from->normal_count, sizeof *to->normals);
    to->faces.corners.items = x_alloc(reader, corners->count, sizeof(uint32_t));
    if (!mmd_cursor_ok(&reader->base.cursor))
        return false;
    if (from->position_count)
        memcpy(to->positions, from->positions, from->position_count * sizeof *to->positions);
    if (from->normal_count)
        memcpy(to->normals, from->normals, from->normal_count * sizeof *to->normals);
    if (corners->count)
        memcpy(to->faces.corners.items, corners->items, corners->count * sizeof(uint32_t));
    return true;
}

static void place_reference(x_reader *reader, const x_reference *reference, uint32_t number)
{
    x_mesh copy, *named = (x_mesh *)reader->meshes.items + number;
    if (named->frame < 0) {
        named->frame = reference->frame;
    } else if (copy_mesh(reader, named, &copy)) {
        copy.frame = reference->frame;
        x_mesh *added = x_array_add(reader, &reader->meshes, sizeof *added);
        if (added)
            *added = copy;
    }
}

static void place_references(x_reader *reader)
{
    const x_reference *references = reader->references.items;
    for (uint32_t i = 0; i < reader->references.count && mmd_cursor_ok(&reader->base.cursor); i++) {
        int64_t number = x_names_find(&reader->object_names, references[i].name);
        if (number < 0)
            model_reader_broken(&reader->base, "frame", (uint32_t)references[i].frame, "reference", i);
        else if (number != X_NO_MESH)
            place_reference(reader, &references[i], (uint32_t)number);
    }
}

/* Places meshes in their frames, and copies wherever a frame refers to one. */
static void x_place_meshes(x_reader *reader)
{
    place_frames(reader);
    place_references(reader);
    x_mesh *meshes = reader->meshes.items;
    for (uint32_t i = 0; i < reader->meshes.count && mmd_cursor_ok(&reader->base.cursor); i++)
        place_mesh(reader, &meshes[i]);
}

/* ---- welding corners to vertices ---- */

/*
 * Creates vertices of a mesh from the corners of its polygons. In a .x file positions and normals have
 * separate indices, in a model they have one. Corners of one position with equal normals become one vertex,
 * found by a hash table (linear probing). Missing and zero normals are computed as MMD does
 * (docs/mmd.md 1.6): the sum of the unit normals of the triangles around a position, each times its angle
 * there.
 */

typedef struct weld {
    x_reader *reader;
    x_mesh *mesh;
    uint32_t *slots; /* 1 + index of the vertex */
    uint32_t mask;
} weld;

/* Normalises a sum of polygon normals; up if it is zero. */
static void set_length(float normal[3], const double sum[3])
{
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    bool usable = length > 0 && isfinite(length);
    for (int k = 0; k < 3; k++)
        normal[k] = usable ? (float)(sum[k] / length) : k == 1 ? 1.0f : 0.0f;
}

/* Returns the angle between two sides of a triangle, 0 if one has no length. */
static double side_angle(const double a[3], const double b[3])
{
    double length =
        sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
    double cosine = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / length;
    return length > 0 ? mmd_acos(cosine < -1 ? -1 : cosine > 1 ? 1 : cosine) : 0;
}

/* Adds a triangle's unit normal to the sums of its corners. */
static void add_triangle(const x_mesh *mesh, const uint32_t corners[3], double (*sums)[3])
{
    double side[3][3], normal[3], length = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            side[i][k] =
                (double)mesh->positions[corners[(i + 1) % 3]][k] - (double)mesh->positions[corners[i]][k];
    for (int k = 0; k < 3; k++) {
        int y = (k + 1) % 3, z = (k + 2) % 3;
        normal[k] = side[0][y] * side[1][z] - side[0][z] * side[1][y];
        length += normal[k] * normal[k];
    }
    if (!(length > 0))
        return;
    for (int i = 0; i < 3; i++) {
        const double *to = side[i], *from = side[(i + 2) % 3], back[3] = {-from[0], -from[1], -from[2]};
        double weight = side_angle(to, back) / sqrt(length);
        for (int k = 0; k < 3; k++)
            sums[corners[i]][k] += weight * normal[k];
    }
}

static void compute_normals(x_reader *reader, x_mesh *mesh)
{
    double(*sums)[3] = x_alloc(reader, mesh->position_count, sizeof *sums);
    mesh->computed = x_alloc(reader, mesh->position_count, sizeof *mesh->computed);
    if (!sums || !mesh->computed)
        return;
    const uint32_t *corners = mesh->faces.corners.items;
    for (uint32_t i = 0, at = 0; i < mesh->faces.count; at += mesh->faces.sizes[i++])
        for (uint32_t k = 2; k < mesh->faces.sizes[i]; k++)
            add_triangle(mesh, (uint32_t[]){corners[at], corners[at + k - 1], corners[at + k]}, sums);
    for (uint32_t i = 0; i < mesh->position_count; i++)
        set_length(mesh->computed[i], sums[i]);
}

static bool is_empty(const float normal[3])
{
    return normal[0] == 0 && normal[1] == 0 && normal[2] == 0;
}

static uint32_t hash_vertex(const x_mesh *mesh, x_vertex vertex)
{
    uint32_t bits[3] = {0};
    if (vertex.normal != X_COMPUTED)
        memcpy(bits, mesh->normals[vertex.normal], sizeof bits);
    uint32_t hash = vertex.position * 2654435761u;
    for (int k = 0; k < 3; k++)
        hash = (hash ^ hash >> 15 ^ bits[k]) * 2246822519u;
    return hash ^ hash >> 15;
}

static bool same_vertex(const x_mesh *mesh, x_vertex a, x_vertex b)
{
    if (a.position != b.position || a.normal == b.normal)
        return a.position == b.position;
    return a.normal != X_COMPUTED && b.normal != X_COMPUTED &&
           memcmp(mesh->normals[a.normal], mesh->normals[b.normal], sizeof mesh->normals[0]) == 0;
}

static uint32_t find_vertex(weld *w, x_vertex vertex)
{
    x_mesh *mesh = w->mesh;
    uint32_t slot = hash_vertex(mesh, vertex) & w->mask;
    for (; w->slots[slot]; slot = (slot + 1) & w->mask)
        if (same_vertex(mesh, mesh->vertices[w->slots[slot] - 1], vertex))
            return w->slots[slot] - 1;
    mesh->vertices[mesh->vertex_count] = vertex;
    w->slots[slot] = ++mesh->vertex_count;
    return mesh->vertex_count - 1;
}

/* Returns the normal of a corner: by the normals' own polygon list if there is one, otherwise by the
 * position's index. */
static uint32_t corner_normal(weld *w, uint32_t position, const uint32_t *named)
{
    const x_mesh *mesh = w->mesh;
    uint32_t normal = X_COMPUTED;
    if (named)
        normal = *named;
    else if (mesh->normal_faces.count == 0 && mesh->normal_count == mesh->position_count)
        normal = position;
    if (normal == X_COMPUTED)
        return normal;
    if (normal < mesh->normal_count)
        return is_empty(mesh->normals[normal]) ? X_COMPUTED : normal;
    const x_mesh *first = w->reader->meshes.items;
    model_reader_broken(&w->reader->base, "mesh", (uint32_t)(mesh - first), "normal", normal);
    return X_COMPUTED;
}

static void weld_face(weld *w, uint32_t *corners, uint32_t count, const uint32_t *normals)
{
    for (uint32_t k = 0; k < count; k++) {
        x_vertex vertex = {corners[k], corner_normal(w, corners[k], normals ? normals + k : NULL)};
        corners[k] = find_vertex(w, vertex);
    }
}

static bool allocate(weld *w)
{
    uint32_t corners = w->mesh->faces.corners.count, slots = 4;
    while (slots / 2 < corners)
        slots *= 2;
    w->mask = slots - 1;
    w->slots = x_alloc(w->reader, slots, sizeof *w->slots);
    w->mesh->vertices = x_alloc(w->reader, corners, sizeof *w->mesh->vertices);
    return w->slots && w->mesh->vertices;
}

/* Tests whether any corner may need a computed normal. Called before welding, which replaces the corners'
 * positions. */
static bool lacks_normals(const x_mesh *mesh)
{
    const x_faces *faces = &mesh->faces, *normals = &mesh->normal_faces;
    const uint32_t *named = normals->corners.items;
    bool by_position = normals->count == 0 && mesh->normal_count == mesh->position_count;
    for (uint32_t i = 0; i < faces->count; i++)
        if (!by_position && (i >= normals->count || normals->sizes[i] != faces->sizes[i]))
            return true;
    for (uint32_t i = 0; i < normals->corners.count; i++)
        if (named[i] >= mesh->normal_count)
            return true;
    for (uint32_t i = 0; i < mesh->normal_count; i++)
        if (is_empty(mesh->normals[i]))
            return true;
    return false;
}

/* Creates the vertices of a mesh, and normals where they are missing. */
static void x_weld(x_reader *reader, x_mesh *mesh)
{
    weld w = {.reader = reader, .mesh = mesh};
    const x_faces *faces = &mesh->faces, *normals = &mesh->normal_faces;
    if (lacks_normals(mesh))
        compute_normals(reader, mesh);
    if (!allocate(&w))
        return;
    uint32_t *corners = faces->corners.items;
    const uint32_t *named = normals->corners.items;
    for (uint32_t i = 0, at = 0, named_at = 0; i < faces->count; i++) {
        uint32_t count = faces->sizes[i];
        bool listed = i < normals->count && normals->sizes[i] == count;
        /* Points and lines are not drawn. */
        if (count >= 3)
            weld_face(&w, corners + at, count, listed ? named + named_at : NULL);
        at += count;
        named_at += i < normals->count ? normals->sizes[i] : 0;
    }
}

/* ---- building the model ---- */

static uint32_t mesh_index_count(const x_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->faces.count; i++)
        count += mesh->faces.sizes[i] >= 3 ? 3 * (mesh->faces.sizes[i] - 2) : 0;
    return count;
}

/* Returns the number of materials; a mesh without triangles needs none. */
static uint32_t mesh_material_count(const x_mesh *mesh)
{
    return mesh->slots.count > 0 ? mesh->slots.count : mesh_index_count(mesh) > 0;
}

/* Returns the material of a polygon. If the list is too short, its last entry is used for the rest. */
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

/*
 * Computes where the triangles of each material go, by counting, so that one more pass can distribute them.
 */
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
    assert(reader);
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
