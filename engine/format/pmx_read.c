/* Reads PMX 2.0 and 2.1. Layout: docs/mmd.md 1.1. */
#include "model_reader.h"
#include "mmd/text.h"

#include <assert.h>

/* ---- indices and texts ---- */

static int32_t load_signed(const uint8_t *p, uint8_t size)
{
    switch (size) {
    case 1:
        return (int8_t)p[0];
    case 2:
        return (int16_t)load_u16(p);
    default:
        return (int32_t)load_u32(p);
    }
}

/* Reads a vertex index; with 1 and 2 bytes it is unsigned (docs/mmd.md 1.1). */
static int64_t load_vertex(const uint8_t *p, uint8_t size)
{
    switch (size) {
    case 1:
        return p[0];
    case 2:
        return load_u16(p);
    default:
        return (int32_t)load_u32(p);
    }
}

/* Reads a text with its length. Never NULL. */
static const char *read_text(model_reader *reader)
{
    uint32_t size = mmd_cursor_count(&reader->cursor, 1);
    const uint8_t *bytes = mmd_read_bytes(&reader->cursor, size);
    return model_reader_text(reader, bytes, size,
                             reader->model->layout.encoding ? mmd_utf8_from_file : mmd_utf8_from_utf16le);
}

/* Reads an index of 1, 2 or 4 bytes. */
static int32_t read_signed(model_reader *reader, uint8_t size)
{
    const uint8_t *bytes = mmd_read_bytes(&reader->cursor, size);
    return bytes ? load_signed(bytes, size) : -1;
}

static int64_t read_vertex_index(model_reader *reader)
{
    uint8_t size = reader->model->layout.vertex_index_size;
    const uint8_t *bytes = mmd_read_bytes(&reader->cursor, size);
    return bytes ? load_vertex(bytes, size) : -1;
}

/* Reads an index that must be below count. Otherwise returns -1, and lists it as broken unless the file has
 * -1. */
static int32_t read_reference(model_reader *reader, uint8_t size, uint32_t count, const char *section,
                              uint32_t item, const char *field)
{
    return model_reader_reference(reader, read_signed(reader, size), count, section, item, field);
}

/* Reads a byte that decides how many bytes follow. It must be 0 or 1. */
static bool read_switch(model_reader *reader, const char *what)
{
    uint8_t value = mmd_read_u8(&reader->cursor);
    if (value > 1)
        mmd_cursor_fail(&reader->cursor, MMD_ERROR_VALUE, "%s is %u, not 0 or 1", what, value);
    return value == 1;
}

static void read_version(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    const uint8_t *magic = mmd_read_bytes(cursor, 4);
    if (!magic)
        return;
    if (memcmp(magic, "Pmx ", 4) == 0)
        mmd_cursor_fail(cursor, MMD_ERROR_VERSION, "PMX 1.0 is not supported");
    else if (memcmp(magic, "PMX", 3) != 0 || (magic[3] != ' ' && magic[3] != 0xa0))
        mmd_cursor_fail(cursor, MMD_ERROR_MAGIC, "the file does not begin with `PMX `");
    float version = mmd_read_f32(cursor);
    if (mmd_cursor_ok(cursor) && version != 2.0f && version != 2.1f)
        mmd_cursor_fail(cursor, MMD_ERROR_VERSION, "PMX version %g, not 2.0 or 2.1", (double)version);
    reader->model->version = version;
    reader->model->layout.hard_space = magic[3] == 0xa0;
}

static void check_index_size(mmd_cursor *cursor, uint8_t size, const char *what)
{
    if (size != 1 && size != 2 && size != 4)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "%s indices of %u bytes, not 1, 2 or 4", what, size);
}

/* Returns a copy of the next bytes, whose meaning is not needed, for the writer. */
static const uint8_t *keep_bytes(model_reader *reader, size_t size)
{
    const uint8_t *bytes = mmd_read_bytes(&reader->cursor, size);
    uint8_t *copy = model_reader_array(reader, size, 1);
    if (bytes && copy)
        memcpy(copy, bytes, size);
    return copy;
}

static void read_globals(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_pmx_layout *layout = &reader->model->layout;
    layout->globals_count = mmd_read_u8(cursor);
    if (mmd_cursor_ok(cursor) && layout->globals_count < 8)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u global settings, not 8 or more", layout->globals_count);
    const uint8_t *globals = mmd_read_bytes(cursor, 8);
    if (!globals)
        return;
    layout->encoding = globals[0];
    reader->model->vertices.additional_uv_count = globals[1];
    layout->vertex_index_size = globals[2];
    layout->texture_index_size = globals[3];
    layout->material_index_size = globals[4];
    layout->bone_index_size = globals[5];
    layout->morph_index_size = globals[6];
    layout->body_index_size = globals[7];
    if (layout->encoding > 1)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "text encoding %u, not 0 (UTF-16) or 1 (UTF-8)", globals[0]);
    if (globals[1] > 4)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "%u additional UVs, not 0 to 4", globals[1]);
    check_index_size(cursor, layout->vertex_index_size, "vertex");
    check_index_size(cursor, layout->texture_index_size, "texture");
    check_index_size(cursor, layout->material_index_size, "material");
    check_index_size(cursor, layout->bone_index_size, "bone");
    check_index_size(cursor, layout->morph_index_size, "morph");
    check_index_size(cursor, layout->body_index_size, "body");
    if (mmd_cursor_ok(cursor) && layout->globals_count > 8)
        layout->extra_globals = keep_bytes(reader, layout->globals_count - 8u);
}

static void read_header(model_reader *reader)
{
    read_version(reader);
    read_globals(reader);
    mmd_model *model = reader->model;
    model->name = read_text(reader);
    model->name_en = read_text(reader);
    model->comment = read_text(reader);
    model->comment_en = read_text(reader);
}

/* ---- vertices, surface, textures, materials ---- */

/* Vertices have different lengths, by deform type. The first pass finds the end of the section and counts
 * SDEF vertices, so that the second pass can copy without checks. */

enum { DEFORM_COUNT = 5 };

/* Sizes of the parts of a vertex in one file. */
typedef struct vertex_layout {
    size_t fixed;                /* bytes before the deform type */
    size_t deform[DEFORM_COUNT]; /* bytes of data of each deform type */
    uint8_t bone_size;
    uint32_t uv_count;
} vertex_layout;

static vertex_layout vertex_layout_of(const mmd_model *model)
{
    size_t bone = model->layout.bone_index_size;
    uint32_t uvs = model->vertices.additional_uv_count;
    return (vertex_layout){
        .fixed = 32 + 16 * (size_t)uvs,
        .deform = {[MMD_DEFORM_BDEF1] = bone,
                   [MMD_DEFORM_BDEF2] = 2 * bone + 4,
                   [MMD_DEFORM_BDEF4] = 4 * bone + 16,
                   [MMD_DEFORM_SDEF] = 2 * bone + 40,
                   [MMD_DEFORM_QDEF] = 4 * bone + 16},
        .bone_size = model->layout.bone_index_size,
        .uv_count = uvs,
    };
}

/* Finds the end of count vertices and counts SDEF vertices. Returns NULL after failing. */
static const uint8_t *walk_vertices(mmd_cursor *cursor, const vertex_layout *layout, uint32_t count,
                                    uint32_t *sdef_count)
{
    const uint8_t *start = cursor->data + cursor->at, *end = cursor->data + cursor->size, *p = start;
    uint32_t sdefs = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t left = (size_t)(end - p);
        uint8_t deform = left > layout->fixed ? p[layout->fixed] : 0;
        size_t length = layout->fixed + 1 + (deform < DEFORM_COUNT ? layout->deform[deform] : 0) + 4;
        if (deform >= DEFORM_COUNT || left < length) {
            cursor->at = (size_t)(p - cursor->data);
            mmd_cursor_section(cursor, "vertex", i);
            if (deform >= DEFORM_COUNT)
                mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "deform type %u, not 0 to 4", deform);
            else
                mmd_cursor_fail(cursor, MMD_ERROR_TRUNCATED, "%zu bytes are needed and %zu are left", length,
                                left);
            return NULL;
        }
        sdefs += deform == MMD_DEFORM_SDEF;
        p += length;
    }
    *sdef_count = sdefs;
    return mmd_read_bytes(cursor, (size_t)(p - start));
}

static bool allocate_vertices(model_reader *reader, uint32_t count, uint32_t sdef_count)
{
    mmd_vertices *v = &reader->model->vertices;
    v->position = model_reader_array(reader, count, sizeof *v->position);
    v->normal = model_reader_array(reader, count, sizeof *v->normal);
    v->uv = model_reader_array(reader, count, sizeof *v->uv);
    for (uint32_t i = 0; i < v->additional_uv_count; i++)
        v->additional_uv[i] = model_reader_array(reader, count, sizeof *v->additional_uv[i]);
    v->deform = model_reader_array(reader, count, sizeof *v->deform);
    v->bone = model_reader_array(reader, count, sizeof *v->bone);
    v->weight = model_reader_array(reader, count, sizeof *v->weight);
    v->edge_scale = model_reader_array(reader, count, sizeof *v->edge_scale);
    if (sdef_count) {
        v->sdef_index = model_reader_array(reader, count, sizeof *v->sdef_index);
        v->sdef = model_reader_array(reader, sdef_count, sizeof *v->sdef);
    }
    if (!mmd_cursor_ok(&reader->cursor))
        return false;
    v->count = count;
    return true;
}

/* Stores the deform data of vertex i. p points after the deform type; sdef is the vertex's index among SDEF
 * vertices. */
static void store_deform(mmd_vertices *v, uint32_t i, const uint8_t *p, uint8_t bone_size, uint32_t sdef)
{
    int32_t *bone = v->bone[i];
    float *weight = v->weight[i];
    bone[0] = load_signed(p, bone_size);
    switch (v->deform[i]) {
    case MMD_DEFORM_BDEF1:
        bone[1] = bone[2] = bone[3] = -1;
        weight[0] = 1;
        break;
    case MMD_DEFORM_BDEF2:
    case MMD_DEFORM_SDEF:
        bone[1] = load_signed(p + bone_size, bone_size);
        bone[2] = bone[3] = -1;
        weight[0] = load_f32(p + 2 * (size_t)bone_size);
        weight[1] = 1 - weight[0];
        if (v->deform[i] == MMD_DEFORM_SDEF)
            memcpy(&v->sdef[sdef], p + 2 * (size_t)bone_size + 4, sizeof v->sdef[sdef]);
        break;
    default:
        for (size_t k = 1; k < 4; k++)
            bone[k] = load_signed(p + k * bone_size, bone_size);
        memcpy(weight, p + 4 * (size_t)bone_size, 4 * sizeof *weight);
        break;
    }
}

static void store_vertices(mmd_vertices *v, const uint8_t *p, const vertex_layout *layout)
{
    for (uint32_t i = 0; i < v->count; i++) {
        memcpy(v->position[i], p, sizeof v->position[i]);
        memcpy(v->normal[i], p + 12, sizeof v->normal[i]);
        memcpy(v->uv[i], p + 24, sizeof v->uv[i]);
        for (uint32_t k = 0; k < layout->uv_count; k++)
            memcpy(v->additional_uv[k][i], p + 32 + 16 * (size_t)k, sizeof v->additional_uv[k][i]);
        uint8_t deform = p[layout->fixed];
        p += layout->fixed + 1;
        v->deform[i] = deform;
        store_deform(v, i, p, layout->bone_size, v->sdef_count);
        if (v->sdef_index)
            v->sdef_index[i] = deform == MMD_DEFORM_SDEF ? (int32_t)v->sdef_count++ : -1;
        p += layout->deform[deform];
        v->edge_scale[i] = load_f32(p);
        p += 4;
    }
}

static void read_vertices(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "vertex", -1);
    vertex_layout layout = vertex_layout_of(reader->model);
    uint32_t count = mmd_cursor_count(cursor, layout.fixed + 1 + layout.deform[MMD_DEFORM_BDEF1] + 4);
    if (!mmd_cursor_ok(cursor))
        return;
    uint32_t sdef_count = 0;
    const uint8_t *bytes = walk_vertices(cursor, &layout, count, &sdef_count);
    if (bytes && allocate_vertices(reader, count, sdef_count))
        store_vertices(&reader->model->vertices, bytes, &layout);
}

/* Widens count indices to 32 bits and returns the largest. */
static uint32_t widen_indices(uint32_t *indices, const uint8_t *bytes, uint32_t count, uint8_t size)
{
    if (size == 1)
        for (uint32_t i = 0; i < count; i++)
            indices[i] = bytes[i];
    else if (size == 2)
        for (uint32_t i = 0; i < count; i++)
            indices[i] = load_u16(bytes + 2 * (size_t)i);
    else if (count)
        memcpy(indices, bytes, 4 * (size_t)count);
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = indices[i] > largest ? indices[i] : largest;
    return largest;
}

static void read_surface(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    mmd_cursor_section(cursor, "surface", -1);
    uint8_t size = model->layout.vertex_index_size;
    uint32_t count = mmd_cursor_count(cursor, size ? size : 1);
    if (count % 3 != 0)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u indices, not a multiple of three", count);
    const uint8_t *bytes = mmd_read_bytes(cursor, (size_t)count * size);
    uint32_t *indices = model_reader_array(reader, count, sizeof *indices);
    if (!bytes || !indices)
        return;
    model->indices = indices;
    model->index_count = count;
    uint32_t vertex_count = model->vertices.count;
    if (count == 0 || widen_indices(indices, bytes, count, size) < vertex_count)
        return;
    uint32_t wrong = 0;
    while (indices[wrong] < vertex_count)
        wrong++;
    cursor->at = (size_t)(bytes - cursor->data) + (size_t)wrong * size;
    mmd_cursor_section(cursor, "surface", wrong);
    mmd_cursor_fail(cursor, MMD_ERROR_INDEX, "vertex %u, but there are %u", indices[wrong], vertex_count);
}

static void read_textures(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "texture", -1);
    uint32_t count = mmd_cursor_count(cursor, 4);
    const char **textures = model_reader_array(reader, count, sizeof *textures);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "texture", i);
        textures[i] = read_text(reader);
    }
    reader->model->textures = textures;
    reader->model->texture_count = count;
}

static void read_toon(model_reader *reader, mmd_material *material, uint32_t item)
{
    mmd_model *model = reader->model;
    material->shared_toon = read_switch(reader, "the toon's source");
    if (!material->shared_toon) {
        material->toon = read_reference(reader, model->layout.texture_index_size, model->texture_count,
                                        "material", item, "toon");
        return;
    }
    material->toon =
        model_reader_reference(reader, mmd_read_u8(&reader->cursor), 10, "material", item, "shared toon");
    material->shared_toon = material->toon >= 0;
}

static void read_material(model_reader *reader, mmd_material *material, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    uint8_t size = model->layout.texture_index_size;
    material->name = read_text(reader);
    material->name_en = read_text(reader);
    mmd_read_floats(cursor, material->diffuse, 4);
    mmd_read_floats(cursor, material->specular, 3);
    material->specular_power = mmd_read_f32(cursor);
    mmd_read_floats(cursor, material->ambient, 3);
    material->flags = mmd_read_u8(cursor);
    mmd_read_floats(cursor, material->edge_color, 4);
    material->edge_size = mmd_read_f32(cursor);
    material->texture = read_reference(reader, size, model->texture_count, "material", item, "texture");
    material->sphere = read_reference(reader, size, model->texture_count, "material", item, "sphere");
    material->sphere_mode = mmd_read_u8(cursor);
    read_toon(reader, material, item);
    material->memo = read_text(reader);
    int32_t index_count = mmd_read_i32(cursor);
    if (index_count < 0)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "a negative number of indices, %d", index_count);
    material->index_count = (uint32_t)index_count;
}

static void read_materials(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    mmd_cursor_section(cursor, "material", -1);
    /* Three texts, 16 floats, flags, two textures, sphere mode, toon source, shared toon, index count. */
    size_t smallest = 12 + 64 + 1 + 2 * (size_t)model->layout.texture_index_size + 3 + 4;
    uint32_t count = mmd_cursor_count(cursor, smallest);
    mmd_material *materials = model_reader_array(reader, count, sizeof *materials);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "material", i);
        read_material(reader, &materials[i], i);
    }
    if (!mmd_cursor_ok(cursor))
        return;
    model->materials = materials;
    model->material_count = count;
    model_reader_check_materials(reader);
}

/* ---- bones and display frames ---- */

static int32_t read_bone_index(model_reader *reader, uint32_t count, uint32_t item, const char *field)
{
    return read_reference(reader, reader->model->layout.bone_index_size, count, "bone", item, field);
}

static void read_ik_links(model_reader *reader, mmd_bone *bone, uint32_t bone_count, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    uint32_t count = mmd_cursor_count(cursor, reader->model->layout.bone_index_size + 1u);
    if (count > bone_count)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u IK links, but there are %u bones", count, bone_count);
    mmd_ik_link *links = model_reader_array(reader, count, sizeof *links);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        links[i].bone = read_bone_index(reader, bone_count, item, "IK link");
        links[i].has_limit = read_switch(reader, "an IK link's limit");
        if (!links[i].has_limit)
            continue;
        mmd_read_floats(cursor, links[i].lower, 3);
        mmd_read_floats(cursor, links[i].upper, 3);
    }
    bone->ik_links = links;
    bone->ik_link_count = count;
}

static void read_ik(model_reader *reader, mmd_bone *bone, uint32_t bone_count, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    bone->ik_target = read_bone_index(reader, bone_count, item, "IK target");
    bone->ik_loops = mmd_read_i32(cursor);
    bone->ik_limit = mmd_read_f32(cursor);
    read_ik_links(reader, bone, bone_count, item);
}

static void read_bone(model_reader *reader, mmd_bone *bone, uint32_t bone_count, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    bone->name = read_text(reader);
    bone->name_en = read_text(reader);
    mmd_read_floats(cursor, bone->position, 3);
    bone->parent = read_bone_index(reader, bone_count, item, "parent");
    bone->layer = mmd_read_i32(cursor);
    bone->flags = mmd_read_u16(cursor);
    bone->tail_bone = bone->append_source = bone->ik_target = -1;
    if (bone->flags & MMD_BONE_TAIL_IS_BONE)
        bone->tail_bone = read_bone_index(reader, bone_count, item, "tail");
    else
        mmd_read_floats(cursor, bone->tail_offset, 3);
    if (bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION)) {
        bone->append_source = read_bone_index(reader, bone_count, item, "append source");
        bone->append_ratio = mmd_read_f32(cursor);
    }
    if (bone->flags & MMD_BONE_FIXED_AXIS)
        mmd_read_floats(cursor, bone->fixed_axis, 3);
    if (bone->flags & MMD_BONE_LOCAL_AXIS) {
        mmd_read_floats(cursor, bone->local_x, 3);
        mmd_read_floats(cursor, bone->local_z, 3);
    }
    if (bone->flags & MMD_BONE_EXTERNAL_PARENT)
        bone->external_key = mmd_read_i32(cursor);
    if (bone->flags & MMD_BONE_IK)
        read_ik(reader, bone, bone_count, item);
}

static void read_bones(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "bone", -1);
    /* Two texts, position, parent, layer, flags and at least a tail bone. */
    uint32_t count = mmd_cursor_count(cursor, 8 + 12 + 6 + 2 * (size_t)reader->model->layout.bone_index_size);
    mmd_bone *bones = model_reader_array(reader, count, sizeof *bones);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "bone", i);
        read_bone(reader, &bones[i], count, i);
    }
    if (!mmd_cursor_ok(cursor))
        return;
    reader->model->bones = bones;
    reader->model->bone_count = count;
    model_reader_mend_circles(reader);
}

static void read_frame_item(model_reader *reader, mmd_frame_item *item, uint32_t frame)
{
    mmd_model *model = reader->model;
    item->kind = read_switch(reader, "an item's kind");
    if (item->kind == 0)
        item->index =
            read_reference(reader, model->layout.bone_index_size, model->bone_count, "frame", frame, "bone");
    else
        item->index = read_reference(reader, model->layout.morph_index_size, model->morph_count, "frame",
                                     frame, "morph");
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void read_frames(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    mmd_cursor_section(cursor, "frame", -1);
    uint32_t count = mmd_cursor_count(cursor, 13);
    mmd_display_frame *frames = model_reader_array(reader, count, sizeof *frames);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "frame", i);
        frames[i].name = read_text(reader);
        frames[i].name_en = read_text(reader);
        frames[i].special = mmd_read_u8(cursor);
        size_t index = smaller(model->layout.bone_index_size, model->layout.morph_index_size);
        frames[i].count = mmd_cursor_count(cursor, 1 + index);
        mmd_frame_item *items = model_reader_array(reader, frames[i].count, sizeof *items);
        for (uint32_t k = 0; k < frames[i].count && mmd_cursor_ok(cursor); k++)
            read_frame_item(reader, &items[k], i);
        frames[i].items = items;
    }
    model->frames = frames;
    model->frame_count = count;
}

/* ---- morphs: offsets of missing vertices and materials are dropped ---- */

enum { MORPH_KIND_COUNT = 11, MATERIAL_VALUE_COUNT = 28 };

_Static_assert(sizeof(mmd_material_values) == MATERIAL_VALUE_COUNT * sizeof(float),
               "the numbers of a material are read in one go");
_Static_assert(sizeof(mmd_vertex_offset) == sizeof(int32_t) + sizeof(float[3]) &&
                   sizeof(mmd_uv_offset) == sizeof(int32_t) + sizeof(float[4]),
               "offsets of vertices are an index and floats, nothing between");

/* Returns the bytes of a record of each kind; 0 for an unknown kind. */
static size_t record_size(const mmd_pmx_layout *layout, uint8_t kind)
{
    switch (kind) {
    case MMD_MORPH_GROUP:
    case MMD_MORPH_FLIP:
        return layout->morph_index_size + 4u;
    case MMD_MORPH_VERTEX:
        return layout->vertex_index_size + 12u;
    case MMD_MORPH_BONE:
        return layout->bone_index_size + 28u;
    case MMD_MORPH_MATERIAL:
        return layout->material_index_size + 1u + 4 * MATERIAL_VALUE_COUNT;
    case MMD_MORPH_IMPULSE:
        return layout->body_index_size + 25u;
    default:
        return kind < MORPH_KIND_COUNT ? layout->vertex_index_size + 16u : 0;
    }
}

/* Records whose bounds were checked. */
typedef struct morph_records {
    const uint8_t *bytes;
    uint32_t count;
    uint32_t item; /* index of the morph */
} morph_records;

static void read_group_offsets(model_reader *reader, mmd_morph *morph, morph_records records,
                               uint32_t morph_count)
{
    mmd_group_offset *offsets = model_reader_array(reader, records.count, sizeof *offsets);
    uint8_t size = reader->model->layout.morph_index_size;
    const uint8_t *p = records.bytes;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + 4u) {
        offsets[i].morph =
            model_reader_reference(reader, load_signed(p, size), morph_count, "morph", records.item, "morph");
        offsets[i].ratio = load_f32(p + size);
    }
    morph->offsets.group = offsets;
    morph->count = records.count;
}

/* Reads offsets of vertices and UVs: a vertex and some floats, both in the file and in memory. Returns *kept
 * records of 4 + value_size bytes. */
static void *read_offsets_of_vertices(model_reader *reader, morph_records records, size_t value_size,
                                      uint32_t *kept)
{
    uint8_t size = reader->model->layout.vertex_index_size;
    int64_t vertex_count = reader->model->vertices.count;
    uint8_t *offsets = model_reader_array(reader, records.count, sizeof(int32_t) + value_size);
    uint8_t *to = offsets;
    const uint8_t *p = records.bytes;
    *kept = 0;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + value_size) {
        int64_t vertex = load_vertex(p, size);
        if (vertex < 0 || vertex >= vertex_count) {
            model_reader_broken(reader, "morph", records.item, "vertex", vertex);
            continue;
        }
        memcpy(to, &(int32_t){(int32_t)vertex}, sizeof(int32_t));
        memcpy(to + sizeof(int32_t), p + size, value_size);
        to += sizeof(int32_t) + value_size;
        (*kept)++;
    }
    return offsets;
}

static void read_bone_offsets(model_reader *reader, mmd_morph *morph, morph_records records)
{
    mmd_bone_offset *offsets = model_reader_array(reader, records.count, sizeof *offsets);
    uint8_t size = reader->model->layout.bone_index_size;
    const uint8_t *p = records.bytes;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + 28u) {
        offsets[i].bone = model_reader_reference(reader, load_signed(p, size), reader->model->bone_count,
                                                 "morph", records.item, "bone");
        memcpy(offsets[i].translation, p + size, 12);
        memcpy(offsets[i].rotation, p + size + 12, 16);
    }
    morph->offsets.bone = offsets;
    morph->count = records.count;
}

/* Reads offsets of materials. -1 means all materials, so broken references have to be dropped. */
static void read_material_offsets(model_reader *reader, mmd_morph *morph, morph_records records)
{
    mmd_material_offset *offsets = model_reader_array(reader, records.count, sizeof *offsets);
    uint8_t size = reader->model->layout.material_index_size;
    const uint8_t *p = records.bytes;
    uint32_t kept = 0;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + 1u + 4 * MATERIAL_VALUE_COUNT) {
        int32_t material = load_signed(p, size);
        if (material < -1 || material >= (int64_t)reader->model->material_count) {
            model_reader_broken(reader, "morph", records.item, "material", material);
            continue;
        }
        offsets[kept].material = material;
        offsets[kept].operation = model_reader_choice(reader, p[size], 1, "morph", records.item, "operation");
        memcpy(&offsets[kept++].values, p + size + 1, sizeof(mmd_material_values));
    }
    morph->offsets.material = offsets;
    morph->count = kept;
}

static void read_impulse_offsets(model_reader *reader, mmd_morph *morph, morph_records records)
{
    mmd_impulse_offset *offsets = model_reader_array(reader, records.count, sizeof *offsets);
    uint8_t size = reader->model->layout.body_index_size;
    const uint8_t *p = records.bytes;
    for (uint32_t i = 0; offsets && i < records.count; i++, p += size + 25u) {
        offsets[i].body = load_signed(p, size);
        offsets[i].local = p[size] != 0;
        memcpy(offsets[i].velocity, p + size + 1, 12);
        memcpy(offsets[i].torque, p + size + 13, 12);
    }
    morph->offsets.impulse = offsets;
    morph->count = records.count;
}

static void read_offsets(model_reader *reader, mmd_morph *morph, morph_records records, uint32_t morph_count)
{
    switch (morph->kind) {
    case MMD_MORPH_GROUP:
    case MMD_MORPH_FLIP:
        read_group_offsets(reader, morph, records, morph_count);
        break;
    case MMD_MORPH_VERTEX:
        morph->offsets.vertex = read_offsets_of_vertices(reader, records, sizeof(float[3]), &morph->count);
        break;
    case MMD_MORPH_BONE:
        read_bone_offsets(reader, morph, records);
        break;
    case MMD_MORPH_MATERIAL:
        read_material_offsets(reader, morph, records);
        break;
    case MMD_MORPH_IMPULSE:
        read_impulse_offsets(reader, morph, records);
        break;
    default:
        morph->offsets.uv = read_offsets_of_vertices(reader, records, sizeof(float[4]), &morph->count);
        break;
    }
}

static void read_morph(model_reader *reader, mmd_morph *morph, uint32_t morph_count, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    morph->name = read_text(reader);
    morph->name_en = read_text(reader);
    morph->panel = mmd_read_u8(cursor);
    if (morph->panel > 4) {
        model_reader_broken(reader, "morph", item, "panel", morph->panel);
        morph->panel = 4;
    }
    morph->kind = mmd_read_u8(cursor);
    size_t size = record_size(&reader->model->layout, morph->kind);
    if (size == 0)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "morph type %u, not 0 to 10", morph->kind);
    uint32_t count = mmd_cursor_count(cursor, size ? size : 1);
    const uint8_t *bytes = mmd_read_bytes(cursor, count * size);
    if (bytes)
        read_offsets(reader, morph, (morph_records){.bytes = bytes, .count = count, .item = item},
                     morph_count);
}

static void read_morphs(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "morph", -1);
    uint32_t count = mmd_cursor_count(cursor, 14);
    mmd_morph *morphs = model_reader_array(reader, count, sizeof *morphs);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "morph", i);
        read_morph(reader, &morphs[i], count, i);
    }
    if (!mmd_cursor_ok(cursor))
        return;
    reader->model->morphs = morphs;
    reader->model->morph_count = count;
}

/* Checks the rigid bodies of impulse morphs, once their number is known. */
static void check_impulses(model_reader *reader)
{
    mmd_model *model = reader->model;
    for (uint32_t i = 0; i < model->morph_count && mmd_cursor_ok(&reader->cursor); i++) {
        if (model->morphs[i].kind != MMD_MORPH_IMPULSE)
            continue;
        /* The cast is safe: this reader allocated the array as non-const. */
        mmd_impulse_offset *offsets = (mmd_impulse_offset *)(uintptr_t)model->morphs[i].offsets.impulse;
        for (uint32_t k = 0; k < model->morphs[i].count; k++)
            offsets[k].body =
                model_reader_reference(reader, offsets[k].body, model->body_count, "morph", i, "body");
    }
}

/* ---- rigid bodies, joints, soft bodies ---- */

static void read_body(model_reader *reader, mmd_rigid_body *body, uint32_t item)
{
    mmd_model *model = reader->model;
    body->name = read_text(reader);
    body->name_en = read_text(reader);
    body->bone =
        read_reference(reader, model->layout.bone_index_size, model->bone_count, "body", item, "bone");
    model_reader_body(reader, body, item);
}

static void read_bodies(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "body", -1);
    uint32_t count = mmd_cursor_count(cursor, 8 + 61 + (size_t)reader->model->layout.bone_index_size);
    mmd_rigid_body *bodies = model_reader_array(reader, count, sizeof *bodies);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "body", i);
        read_body(reader, &bodies[i], i);
    }
    reader->model->bodies = bodies;
    reader->model->body_count = mmd_cursor_ok(cursor) ? count : 0;
}

static void read_joints(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    mmd_cursor_section(cursor, "joint", -1);
    uint8_t size = model->layout.body_index_size;
    uint32_t count = mmd_cursor_count(cursor, 8 + 1 + 96 + 2 * (size_t)size);
    mmd_joint *joints = model_reader_array(reader, count, sizeof *joints);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "joint", i);
        joints[i].name = read_text(reader);
        joints[i].name_en = read_text(reader);
        joints[i].kind = model_reader_choice(reader, mmd_read_u8(cursor), 5, "joint", i, "kind");
        joints[i].body_a = read_reference(reader, size, model->body_count, "joint", i, "body A");
        joints[i].body_b = read_reference(reader, size, model->body_count, "joint", i, "body B");
        model_reader_joint(reader, &joints[i]);
    }
    model->joints = joints;
    model->joint_count = mmd_cursor_ok(cursor) ? count : 0;
}

static void read_anchors(model_reader *reader, mmd_soft_body *soft, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    const mmd_model *model = reader->model;
    const mmd_pmx_layout *layout = &model->layout;
    soft->anchor_count = mmd_cursor_count(cursor, 1u + layout->body_index_size + layout->vertex_index_size);
    mmd_soft_anchor *anchors = model_reader_array(reader, soft->anchor_count, sizeof *anchors);
    for (uint32_t i = 0; i < soft->anchor_count && mmd_cursor_ok(cursor); i++) {
        anchors[i].body = read_reference(reader, layout->body_index_size, model->body_count, "soft body",
                                         item, "anchor body");
        anchors[i].vertex = model_reader_reference(reader, read_vertex_index(reader), model->vertices.count,
                                                   "soft body", item, "anchor vertex");
        anchors[i].near_mode = mmd_read_u8(cursor);
    }
    soft->anchors = anchors;
}

static void read_pins(model_reader *reader, mmd_soft_body *soft, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    soft->pin_count = mmd_cursor_count(cursor, reader->model->layout.vertex_index_size);
    int32_t *pins = model_reader_array(reader, soft->pin_count, sizeof *pins);
    for (uint32_t i = 0; i < soft->pin_count && mmd_cursor_ok(cursor); i++)
        pins[i] = model_reader_reference(reader, read_vertex_index(reader), reader->model->vertices.count,
                                         "soft body", item, "pin");
    soft->pins = pins;
}

static void read_soft_body(model_reader *reader, mmd_soft_body *soft, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    const mmd_model *model = reader->model;
    soft->name = read_text(reader);
    soft->name_en = read_text(reader);
    soft->shape = model_reader_choice(reader, mmd_read_u8(cursor), 1, "soft body", item, "shape");
    soft->material = read_reference(reader, model->layout.material_index_size, model->material_count,
                                    "soft body", item, "material");
    soft->group = model_reader_choice(reader, mmd_read_u8(cursor), 15, "soft body", item, "group");
    soft->mask = mmd_read_u16(cursor);
    soft->flags = mmd_read_u8(cursor);
    soft->link_distance = mmd_read_i32(cursor);
    soft->cluster_count = mmd_read_i32(cursor);
    soft->mass = mmd_read_f32(cursor);
    soft->margin = mmd_read_f32(cursor);
    soft->aero_model = mmd_read_i32(cursor);
    mmd_read_floats(cursor, soft->config, 12);
    mmd_read_floats(cursor, soft->cluster, 6);
    for (int i = 0; i < 4; i++)
        soft->iterations[i] = mmd_read_i32(cursor);
    mmd_read_floats(cursor, soft->material_config, 3);
    read_anchors(reader, soft, item);
    read_pins(reader, soft, item);
}

static void read_soft_bodies(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "soft body", -1);
    /* Two texts, 5 bytes, a material, 5 numbers, 12 + 6 + 4 + 3 numbers, two counts. */
    uint32_t count =
        mmd_cursor_count(cursor, 8 + 5 + reader->model->layout.material_index_size + 20 + 100 + 8);
    mmd_soft_body *bodies = model_reader_array(reader, count, sizeof *bodies);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "soft body", i);
        read_soft_body(reader, &bodies[i], i);
    }
    reader->model->soft_bodies = bodies;
    reader->model->soft_body_count = mmd_cursor_ok(cursor) ? count : 0;
}

/* ---- the whole file ---- */

/* Reads the last sections. Files of version 2.1 may end after the joints; bytes after the last section are
 * kept. */
static void read_tail(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_pmx_layout *layout = &reader->model->layout;
    if (reader->model->version > 2.05f) {
        layout->no_soft_bodies = mmd_cursor_left(cursor) == 0;
        if (!layout->no_soft_bodies)
            read_soft_bodies(reader);
    }
    if (!mmd_cursor_ok(cursor) || mmd_cursor_left(cursor) == 0)
        return;
    uint32_t size = mmd_cursor_check_count(cursor, mmd_cursor_left(cursor), 1);
    layout->trailing = keep_bytes(reader, size);
    layout->trailing_size = size;
}

mmd_status mmd_pmx_read(const void *data, size_t size, mmd_model **result, mmd_error *error)
{
    assert(result && (data || size == 0));
    *result = NULL;
    model_reader reader;
    if (!model_reader_start(&reader, data, size, MMD_ORIGIN_PMX, error))
        return reader.cursor.status;
    read_header(&reader);
    read_vertices(&reader);
    read_surface(&reader);
    read_textures(&reader);
    read_materials(&reader);
    read_bones(&reader);
    model_reader_check_vertices(&reader);
    read_morphs(&reader);
    read_frames(&reader);
    read_bodies(&reader);
    check_impulses(&reader);
    read_joints(&reader);
    read_tail(&reader);
    return model_reader_finish(&reader, result);
}
