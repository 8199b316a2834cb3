/* Reads PMD files as PMX models. Layout and meaning: docs/mmd.md 1.2. */
#include "model_reader.h"
#include "mmd/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum {
    PMD_NAME_SIZE = 20,
    PMD_COMMENT_SIZE = 256,
    PMD_MATERIAL_SIZE = 70,
    PMD_BONE_SIZE = 39,
    PMD_MORPH_OFFSET_SIZE = 16,
    PMD_FRAME_NAME_SIZE = 50,
    PMD_TOON_COUNT = 10,
    PMD_TOON_SIZE = 100
};

/* Finds the model's textures by name. */
typedef struct pmd_textures {
    uint32_t *slots;     /* hash table of 1 + texture index */
    uint32_t slot_count; /* a power of two */
} pmd_textures;

typedef struct pmd_reader {
    model_reader base;
    pmd_textures textures;
    const uint8_t *materials;   /* the material records, for the toons that are read later */
    const uint8_t *bones;       /* the bone records, whose meaning depends on the IK block */
    uint32_t bone_count;        /* without the helper bones that IK adds */
    int32_t base_morph;         /* index of the base morph in the file, or -1 */
    uint32_t file_morph_count;  /* including the base morph */
    uint32_t shown_morph_count; /* entries of the morph panel, u16 each */
    const uint8_t *shown_morphs;
    uint32_t file_frame_count;
} pmd_reader;

enum { VERTEX_SIZE = 38 };

static size_t decode_cp932(const uint8_t *text, size_t size, char *out, size_t capacity)
{
    return mmd_utf8_from_cp932(text, size, out, capacity, NULL);
}

static size_t pmd_text_length(const uint8_t *field, size_t size)
{
    const uint8_t *end = memchr(field, 0, size);
    return end ? (size_t)(end - field) : size;
}

/* Returns the text in a field of size bytes, up to its first NUL. Never NULL. */
static const char *pmd_text(pmd_reader *reader, const uint8_t *field, size_t size)
{
    return field ? model_reader_text(&reader->base, field, pmd_text_length(field, size), decode_cp932) : "";
}

/* Returns a 16-bit index, -1 for FFFF; lists it as broken if it is not below count. */
static int32_t pmd_reference(pmd_reader *reader, uint16_t value, uint32_t count, const char *section,
                             uint32_t item, const char *field)
{
    return model_reader_reference(&reader->base, value == 0xffff ? -1 : (int64_t)value, count, section, item,
                                  field);
}

static void read_header(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    const uint8_t *magic = mmd_read_bytes(cursor, 3);
    if (magic && memcmp(magic, "Pmd", 3) != 0)
        mmd_cursor_fail(cursor, MMD_ERROR_MAGIC, "the file does not begin with `Pmd`");
    model->version = mmd_read_f32(cursor);
    if (mmd_cursor_ok(cursor) && model->version != 1.0f)
        mmd_cursor_fail(cursor, MMD_ERROR_VERSION, "PMD version %g, not 1.0", (double)model->version);
    model->name = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
    model->comment = pmd_text(reader, mmd_read_bytes(cursor, PMD_COMMENT_SIZE), PMD_COMMENT_SIZE);
}

static bool allocate_vertices(pmd_reader *reader, uint32_t count)
{
    mmd_vertices *v = &reader->base.model->vertices;
    v->position = model_reader_array(&reader->base, count, sizeof *v->position);
    v->normal = model_reader_array(&reader->base, count, sizeof *v->normal);
    v->uv = model_reader_array(&reader->base, count, sizeof *v->uv);
    v->deform = model_reader_array(&reader->base, count, sizeof *v->deform);
    v->bone = model_reader_array(&reader->base, count, sizeof *v->bone);
    v->weight = model_reader_array(&reader->base, count, sizeof *v->weight);
    v->edge_scale = model_reader_array(&reader->base, count, sizeof *v->edge_scale);
    if (!mmd_cursor_ok(&reader->base.cursor))
        return false;
    v->count = count;
    return true;
}

/* Returns a vertex's bone; FFFF becomes an index that is certainly broken, so that the check of vertices
 * reports it. */
static int32_t vertex_bone(uint16_t value)
{
    return value == 0xffff ? -1 : (int32_t)value;
}

static void store_weights(mmd_vertices *v, uint32_t i, const uint8_t *p)
{
    uint16_t first = load_u16(p), second = load_u16(p + 2);
    uint8_t percent = p[4] < 100 ? p[4] : 100;
    int32_t *bone = v->bone[i];
    bone[1] = bone[2] = bone[3] = -1;
    if (percent == 100 || percent == 0 || first == second) {
        v->deform[i] = MMD_DEFORM_BDEF1;
        bone[0] = vertex_bone(percent == 0 ? second : first);
        v->weight[i][0] = 1;
        return;
    }
    v->deform[i] = MMD_DEFORM_BDEF2;
    bone[0] = vertex_bone(first);
    bone[1] = vertex_bone(second);
    v->weight[i][0] = (float)percent / 100;
    v->weight[i][1] = 1 - v->weight[i][0];
}

static void read_vertices(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_cursor_section(cursor, "vertex", -1);
    uint32_t count = mmd_cursor_count(cursor, VERTEX_SIZE);
    const uint8_t *p = mmd_read_bytes(cursor, (size_t)count * VERTEX_SIZE);
    if (!p || !allocate_vertices(reader, count))
        return;
    mmd_vertices *v = &reader->base.model->vertices;
    for (uint32_t i = 0; i < count; i++, p += VERTEX_SIZE) {
        memcpy(v->position[i], p, sizeof v->position[i]);
        memcpy(v->normal[i], p + 12, sizeof v->normal[i]);
        memcpy(v->uv[i], p + 24, sizeof v->uv[i]);
        store_weights(v, i, p + 32);
        v->edge_scale[i] = p[37] ? 0.0f : 1.0f;
    }
}

static void read_faces(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "surface", -1);
    uint32_t count = mmd_cursor_count(cursor, 2);
    if (count % 3 != 0)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u indices, not a multiple of three", count);
    const uint8_t *bytes = mmd_read_bytes(cursor, 2 * (size_t)count);
    uint32_t *indices = model_reader_array(&reader->base, count, sizeof *indices);
    if (!bytes || !indices)
        return;
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = load_u16(bytes + 2 * (size_t)i);
        if (indices[i] < model->vertices.count)
            continue;
        cursor->at = (size_t)(bytes - cursor->data) + 2 * (size_t)i;
        mmd_cursor_section(cursor, "surface", i);
        mmd_cursor_fail(cursor, MMD_ERROR_INDEX, "vertex %u, but there are %u", indices[i],
                        model->vertices.count);
        return;
    }
    model->indices = indices;
    model->index_count = count;
}

/* ---- materials, textures, toons ---- */

/* PMX lists each texture once. A hash table (FNV-1a, linear probing) finds names again, so that many
 * materials do not take quadratic time. */

static char lower(uint8_t c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c);
}

static bool ends_with(const uint8_t *text, size_t length, const char *ending)
{
    size_t tail = strlen(ending);
    for (size_t i = 0; i < tail; i++)
        if (length < tail || lower(text[length - tail + i]) != ending[i])
            return false;
    return true;
}

static uint32_t hash_bytes(const uint8_t *bytes, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

static bool allocate_textures(pmd_reader *reader, uint32_t material_count)
{
    pmd_textures *textures = &reader->textures;
    uint32_t capacity = 2 * material_count + PMD_TOON_COUNT;
    textures->slot_count = 64;
    while (textures->slot_count < 2 * capacity)
        textures->slot_count *= 2;
    textures->slots = model_reader_array(&reader->base, textures->slot_count, sizeof *textures->slots);
    reader->base.model->textures =
        model_reader_array(&reader->base, capacity, sizeof *reader->base.model->textures);
    return mmd_cursor_ok(&reader->base.cursor);
}

/* Returns the index of a texture by its name, adding a new one; -1 for an empty name. */
static int32_t find_texture(pmd_reader *reader, const uint8_t *name, size_t length)
{
    if (length == 0 || !mmd_cursor_ok(&reader->base.cursor))
        return -1;
    pmd_textures *textures = &reader->textures;
    mmd_model *model = reader->base.model;
    const char *text = NULL;
    char decoded[3 * PMD_TOON_SIZE];
    size_t size = mmd_utf8_from_cp932(name, length, decoded, sizeof decoded, NULL);
    if (size == 0)
        return -1;
    uint32_t slot = hash_bytes((const uint8_t *)decoded, size) & (textures->slot_count - 1);
    for (; textures->slots[slot]; slot = (slot + 1) & (textures->slot_count - 1)) {
        text = model->textures[textures->slots[slot] - 1];
        if (strlen(text) == size && memcmp(text, decoded, size) == 0)
            return (int32_t)textures->slots[slot] - 1;
    }
    text = model_reader_text(&reader->base, (const uint8_t *)decoded, size, mmd_utf8_from_file);
    model->textures[model->texture_count++] = text;
    textures->slots[slot] = model->texture_count;
    return (int32_t)model->texture_count - 1;
}

/* Assigns one of the at most two names of a material: a sphere map, by its extension, or a texture. */
static void use_name(pmd_reader *reader, mmd_material *material, const uint8_t *name, size_t length)
{
    bool multiply = ends_with(name, length, ".sph"), add = ends_with(name, length, ".spa");
    int32_t *slot = multiply || add ? &material->sphere : &material->texture;
    if (*slot >= 0)
        return;
    *slot = find_texture(reader, name, length);
    if (*slot >= 0 && (multiply || add))
        material->sphere_mode = multiply ? MMD_SPHERE_MULTIPLY : MMD_SPHERE_ADD;
}

static void split_names(pmd_reader *reader, mmd_material *material, const uint8_t *field)
{
    size_t length = pmd_text_length(field, PMD_NAME_SIZE);
    const uint8_t *star = memchr(field, '*', length);
    size_t first = star ? (size_t)(star - field) : length;
    use_name(reader, material, field, first);
    if (star)
        use_name(reader, material, star + 1, length - first - 1);
}

static uint8_t material_flags(float alpha, bool edge)
{
    uint8_t flags = MMD_MATERIAL_RECEIVES_SHADOW;
    if (alpha != 0.98f)
        flags |= MMD_MATERIAL_CASTS_SHADOW;
    if (alpha < 1)
        flags |= MMD_MATERIAL_TWO_SIDED;
    if (edge)
        flags |= MMD_MATERIAL_EDGE | MMD_MATERIAL_GROUND_SHADOW;
    return flags;
}

static void store_material(pmd_reader *reader, mmd_material *material, const uint8_t *p, uint32_t item)
{
    char name[32];
    int length = snprintf(name, sizeof name, "材質%u", item + 1);
    material->name =
        model_reader_text(&reader->base, (const uint8_t *)name, (size_t)length, mmd_utf8_from_file);
    material->name_en = material->memo = "";
    memcpy(material->diffuse, p, sizeof material->diffuse);
    material->specular_power = load_f32(p + 16);
    memcpy(material->specular, p + 20, sizeof material->specular);
    memcpy(material->ambient, p + 32, sizeof material->ambient);
    material->flags = material_flags(material->diffuse[3], p[45] != 0);
    material->edge_color[3] = 1;
    material->edge_size = 1;
    material->index_count = load_u32(p + 46);
    material->texture = material->sphere = material->toon = -1;
    split_names(reader, material, p + 50);
}

static void read_materials(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "material", -1);
    uint32_t count = mmd_cursor_count(cursor, PMD_MATERIAL_SIZE);
    const uint8_t *bytes = mmd_read_bytes(cursor, (size_t)count * PMD_MATERIAL_SIZE);
    mmd_material *materials = model_reader_array(&reader->base, count, sizeof *materials);
    if (!bytes || !materials || !allocate_textures(reader, count))
        return;
    for (uint32_t i = 0; i < count; i++)
        store_material(reader, &materials[i], bytes + (size_t)i * PMD_MATERIAL_SIZE, i);
    reader->materials = bytes;
    model->materials = materials;
    model->material_count = count;
    model_reader_check_materials(&reader->base);
}

/* Returns 0 to 9 for toon01.bmp to toon10.bmp, -1 for other names. */
static int32_t shared_toon(const uint8_t *name, size_t length)
{
    if (length != strlen("toon01.bmp") || !ends_with(name, length, ".bmp") || !ends_with(name, 4, "toon") ||
        name[4] < '0' || name[4] > '1' || name[5] < '0' || name[5] > '9')
        return -1;
    int32_t number = 10 * (name[4] - '0') + name[5] - '0';
    return number >= 1 && number <= PMD_TOON_COUNT ? number - 1 : -1;
}

static void use_toon(pmd_reader *reader, mmd_material *material, int32_t entry, const uint8_t *list)
{
    const uint8_t *name = list ? list + (size_t)entry * PMD_TOON_SIZE : NULL;
    size_t length = name ? pmd_text_length(name, PMD_TOON_SIZE) : 0;
    /* An entry without a name means the shared toon of the same number. */
    int32_t shared = length ? shared_toon(name, length) : entry;
    material->shared_toon = shared >= 0;
    material->toon = shared >= 0 ? shared : find_texture(reader, name, length);
}

static void read_toons(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "toon", -1);
    bool present = mmd_cursor_left(cursor) > 0;
    const uint8_t *list = present ? mmd_read_bytes(cursor, PMD_TOON_COUNT * PMD_TOON_SIZE) : NULL;
    for (uint32_t i = 0; i < model->material_count && mmd_cursor_ok(cursor); i++) {
        uint8_t entry = reader->materials[(size_t)i * PMD_MATERIAL_SIZE + 44];
        int32_t toon = model_reader_reference(&reader->base, entry == 0xff ? -1 : entry, PMD_TOON_COUNT,
                                              "material", i, "toon");
        if (toon >= 0)
            use_toon(reader, &model->materials[i], toon, list);
    }
}

/* ---- bones and IK ---- */

/*
 * Bones become PMX bones (docs/mmd.md 1.2, choice 7). PMX evaluates by layer: 0 for plain bones, 1 for IK
 * bones and their descendants, 2 for bones that rotate with another one (kind 5) and their descendants, so
 * that they see the result of IK. A PMD bone may have several IK entries and a PMX bone only one, so the
 * others go to helper bones, children that are added after all bones.
 */

enum { IK_SIZE = 11 }; /* bytes before the links */

enum pmd_bone_kind {
    KIND_ROTATE = 0,
    KIND_MOVE = 1,
    KIND_IK = 2,
    KIND_UNKNOWN = 3,
    KIND_UNDER_IK = 4,
    KIND_UNDER_ROTATION = 5,
    KIND_IK_TARGET = 6,
    KIND_HIDDEN = 7,
    KIND_TWIST = 8,
    KIND_CO_ROTATE = 9
};

static uint16_t kind_flags(uint8_t kind)
{
    const uint16_t shown = MMD_BONE_ROTATABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE;
    switch (kind) {
    case KIND_MOVE:
    case KIND_IK:
        return shown | MMD_BONE_MOVABLE;
    case KIND_UNDER_ROTATION:
        return shown | MMD_BONE_APPEND_ROTATION;
    case KIND_IK_TARGET:
    case KIND_HIDDEN:
        return MMD_BONE_ROTATABLE;
    case KIND_CO_ROTATE:
        return MMD_BONE_ROTATABLE | MMD_BONE_APPEND_ROTATION;
    default:
        return shown;
    }
}

/* A bone record: the kind of the bone, and the fields whose meaning depends on it. */
typedef struct bone_record {
    int32_t parent, tail; /* -1 for none */
    uint8_t kind;
    uint16_t number; /* IK parent, append source or percentage */
} bone_record;

static const uint8_t *bone_bytes(const pmd_reader *reader, uint32_t i)
{
    return reader->bones + (size_t)i * PMD_BONE_SIZE;
}

static bone_record load_bone(pmd_reader *reader, uint32_t i)
{
    const uint8_t *p = bone_bytes(reader, i);
    uint16_t tail = load_u16(p + 22);
    return (bone_record){
        .parent = pmd_reference(reader, load_u16(p + 20), reader->bone_count, "bone", i, "parent"),
        .tail = tail ? pmd_reference(reader, tail, reader->bone_count, "bone", i, "tail") : -1,
        .kind = p[24],
        .number = load_u16(p + 25),
    };
}

/* Sets the axis of a twist bone, which points to its tail. If it has no direction, the bone becomes an
 * ordinary one. */
static void set_twist(const pmd_reader *reader, mmd_bone *bone, int32_t tail)
{
    if (tail < 0)
        return;
    float to[3], length = 0;
    memcpy(to, bone_bytes(reader, (uint32_t)tail) + 27, sizeof to);
    for (int k = 0; k < 3; k++) {
        to[k] -= bone->position[k];
        length += to[k] * to[k];
    }
    length = sqrtf(length);
    if (!(length > 0) || !isfinite(length))
        return;
    for (int k = 0; k < 3; k++)
        bone->fixed_axis[k] = to[k] / length;
    bone->flags |= MMD_BONE_FIXED_AXIS;
}

static void store_bone(pmd_reader *reader, mmd_bone *bone, uint32_t i)
{
    const uint8_t *p = bone_bytes(reader, i);
    bone_record record = load_bone(reader, i);
    bone->name = pmd_text(reader, p, PMD_NAME_SIZE);
    bone->name_en = "";
    memcpy(bone->position, p + 27, sizeof bone->position);
    bone->parent = record.parent;
    bone->flags = kind_flags(record.kind) | MMD_BONE_TAIL_IS_BONE;
    bone->tail_bone = record.tail;
    bone->append_source = bone->ik_target = -1;
    if (record.kind == KIND_UNDER_ROTATION) {
        bone->append_source =
            pmd_reference(reader, record.number, reader->bone_count, "bone", i, "append source");
        bone->append_ratio = 1;
    } else if (record.kind == KIND_CO_ROTATE) {
        /* The tail field holds the append source, so the bone has no tail. */
        bone->append_source = record.tail;
        bone->append_ratio = (float)record.number / 100;
        bone->tail_bone = -1;
    } else if (record.kind == KIND_TWIST) {
        set_twist(reader, bone, record.tail);
    }
}

/* The IK block, whose bounds were checked. */
typedef struct ik_block {
    const uint8_t *bytes;
    uint32_t count;
    uint32_t helper_count;
} ik_block;

static ik_block walk_ik(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_cursor_section(cursor, "IK", -1);
    ik_block block = {.count = mmd_cursor_check_count(cursor, mmd_read_u16(cursor), IK_SIZE)};
    block.bytes = mmd_read_bytes(cursor, 0);
    uint8_t *owns = model_reader_array(&reader->base, reader->bone_count, 1);
    for (uint32_t i = 0; i < block.count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "IK", i);
        const uint8_t *p = mmd_read_bytes(cursor, IK_SIZE);
        if (p && p[4] > reader->bone_count)
            mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u IK links, but there are %u bones", p[4],
                            reader->bone_count);
        if (!p || !mmd_read_bytes(cursor, 2 * (size_t)p[4]))
            break;
        uint16_t owner = load_u16(p);
        if (owner >= reader->bone_count)
            continue;
        block.helper_count += owns[owner];
        owns[owner] = 1;
    }
    return block;
}

static void limit_knee(mmd_ik_link *link, const char *name)
{
    if (strcmp(name, "左ひざ") != 0 && strcmp(name, "右ひざ") != 0)
        return;
    const float degree = 3.14159265358979f / 180;
    link->has_limit = true;
    link->lower[0] = -180 * degree;
    link->upper[0] = -0.5f * degree;
}

static void store_ik(pmd_reader *reader, mmd_bone *bone, const uint8_t *p, uint32_t item)
{
    const mmd_bone *bones = reader->base.model->bones;
    uint32_t link_count = p[4];
    mmd_ik_link *links = model_reader_array(&reader->base, link_count, sizeof *links);
    if (!links)
        return;
    for (uint32_t i = 0; i < link_count; i++) {
        links[i].bone = pmd_reference(reader, load_u16(p + IK_SIZE + 2 * (size_t)i), reader->bone_count, "IK",
                                      item, "link");
        if (links[i].bone >= 0)
            limit_knee(&links[i], bones[links[i].bone].name);
    }
    bone->flags |= MMD_BONE_IK;
    bone->ik_target = pmd_reference(reader, load_u16(p + 2), reader->bone_count, "IK", item, "target");
    bone->ik_loops = load_u16(p + 5);
    bone->ik_limit = load_f32(p + 7) * 4;
    bone->ik_links = links;
    bone->ik_link_count = link_count;
}

static mmd_bone *add_helper(mmd_model *model, uint16_t owner)
{
    mmd_bone *helper = &model->bones[model->bone_count++];
    const mmd_bone *bone = &model->bones[owner];
    *helper = (mmd_bone){
        .name = bone->name,
        .name_en = bone->name_en,
        .parent = owner,
        .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE | MMD_BONE_TAIL_IS_BONE,
        .internal = true,
        .tail_bone = -1,
        .append_source = -1,
        .ik_target = -1,
    };
    memcpy(helper->position, bone->position, sizeof helper->position);
    return helper;
}

static void store_all_ik(pmd_reader *reader, const ik_block *block)
{
    mmd_model *model = reader->base.model;
    const uint8_t *p = block->bytes;
    model->pmd_ik_bones = model_reader_array(&reader->base, block->count, sizeof *model->pmd_ik_bones);
    model->pmd_ik_count = model->pmd_ik_bones ? block->count : 0;
    for (uint32_t i = 0; i < model->pmd_ik_count; i++, p += IK_SIZE + 2 * (size_t)p[4]) {
        uint16_t owner = load_u16(p);
        model->pmd_ik_bones[i] = owner < reader->bone_count ? owner : -1;
        if (owner >= reader->bone_count) {
            model_reader_broken(&reader->base, "IK", i, "bone", owner);
            continue;
        }
        mmd_bone *bone = &model->bones[owner];
        store_ik(reader, bone->flags & MMD_BONE_IK ? add_helper(model, owner) : bone, p, i);
    }
}

static int32_t own_layer(const pmd_reader *reader, uint32_t i)
{
    uint8_t kind = i < reader->bone_count ? bone_bytes(reader, i)[24] : KIND_IK;
    if (kind == KIND_UNDER_ROTATION)
        return 2;
    return kind == KIND_IK || (reader->base.model->bones[i].flags & MMD_BONE_IK) ? 1 : 0;
}

/* Raises each bone's layer to its parent's. Parents may come after their children. */
static void set_layers(pmd_reader *reader)
{
    mmd_model *model = reader->base.model;
    uint32_t *chain = model_reader_array(&reader->base, model->bone_count, sizeof *chain);
    if (!chain)
        return;
    for (uint32_t i = 0; i < model->bone_count; i++)
        model->bones[i].layer = -1;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        uint32_t depth = 0;
        for (int32_t at = (int32_t)i; at >= 0 && model->bones[at].layer < 0; at = model->bones[at].parent)
            chain[depth++] = (uint32_t)at;
        while (depth > 0) {
            mmd_bone *bone = &model->bones[chain[--depth]];
            int32_t own = own_layer(reader, chain[depth]);
            int32_t above = bone->parent >= 0 ? model->bones[bone->parent].layer : 0;
            bone->layer = own > above ? own : above;
        }
    }
}

static void read_bones(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "bone", -1);
    reader->bone_count = mmd_cursor_check_count(cursor, mmd_read_u16(cursor), PMD_BONE_SIZE);
    reader->bones = mmd_read_bytes(cursor, (size_t)reader->bone_count * PMD_BONE_SIZE);
    ik_block block = walk_ik(reader);
    mmd_bone *bones =
        model_reader_array(&reader->base, reader->bone_count + block.helper_count, sizeof *bones);
    if (!mmd_cursor_ok(cursor))
        return;
    for (uint32_t i = 0; i < reader->bone_count; i++)
        store_bone(reader, &bones[i], i);
    model->bones = bones;
    model->bone_count = reader->bone_count;
    store_all_ik(reader, &block);
    model_reader_mend_circles(&reader->base);
    set_layers(reader);
}

/* ---- morphs and display frames ---- */

/* The base morph lists vertices, and the other morphs refer to that list. PMX has no base morph. */

enum { MORPH_SIZE = 25 }; /* bytes before the offsets */

/* The morph records, whose bounds were checked. */
typedef struct morph_block {
    const uint8_t *bytes;
    const uint8_t *base; /* offsets of the base morph */
    uint32_t base_count;
} morph_block;

static morph_block walk_morphs(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_cursor_section(cursor, "morph", -1);
    reader->file_morph_count = mmd_cursor_check_count(cursor, mmd_read_u16(cursor), MORPH_SIZE);
    morph_block block = {.bytes = mmd_read_bytes(cursor, 0)};
    for (uint32_t i = 0; i < reader->file_morph_count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "morph", i);
        mmd_read_bytes(cursor, PMD_NAME_SIZE);
        uint32_t count = mmd_read_u32(cursor);
        uint8_t kind = mmd_read_u8(cursor);
        count = mmd_cursor_check_count(cursor, count, PMD_MORPH_OFFSET_SIZE);
        const uint8_t *offsets = mmd_read_bytes(cursor, (size_t)count * PMD_MORPH_OFFSET_SIZE);
        if (kind != 0 || reader->base_morph >= 0)
            continue;
        reader->base_morph = (int32_t)i;
        block.base = offsets;
        block.base_count = count;
    }
    return block;
}

/* Returns the vertex of an entry of the base list, or -1. */
static int64_t base_vertex(const morph_block *block, uint32_t entry, uint32_t vertex_count)
{
    if (entry >= block->base_count)
        return -1;
    uint32_t vertex = load_u32(block->base + (size_t)entry * PMD_MORPH_OFFSET_SIZE);
    return vertex < vertex_count ? (int64_t)vertex : -1;
}

static void store_morph(pmd_reader *reader, mmd_morph *morph, const morph_block *block, const uint8_t *p,
                        uint32_t item)
{
    uint32_t count = load_u32(p + 20), kept = 0;
    mmd_vertex_offset *offsets = model_reader_array(&reader->base, count, sizeof *offsets);
    if (!offsets)
        return;
    morph->name = pmd_text(reader, p, PMD_NAME_SIZE);
    morph->name_en = "";
    morph->kind = MMD_MORPH_VERTEX;
    morph->panel = p[24] <= 4 ? p[24] : 4;
    if (p[24] > 4)
        model_reader_broken(&reader->base, "morph", item, "panel", p[24]);
    p += MORPH_SIZE;
    for (uint32_t i = 0; i < count; i++, p += PMD_MORPH_OFFSET_SIZE) {
        int64_t vertex = base_vertex(block, load_u32(p), reader->base.model->vertices.count);
        if (vertex < 0) {
            model_reader_broken(&reader->base, "morph", item, "base entry", load_u32(p));
            continue;
        }
        offsets[kept].vertex = (int32_t)vertex;
        memcpy(offsets[kept++].offset, p + 4, sizeof offsets->offset);
    }
    morph->offsets.vertex = offsets;
    morph->count = kept;
}

static void read_morphs(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    morph_block block = walk_morphs(reader);
    uint32_t count = reader->file_morph_count - (reader->base_morph >= 0);
    mmd_morph *morphs = model_reader_array(&reader->base, count, sizeof *morphs);
    const uint8_t *p = block.bytes;
    for (uint32_t i = 0; i < reader->file_morph_count && mmd_cursor_ok(cursor); i++) {
        if ((int32_t)i != reader->base_morph)
            store_morph(reader, &morphs[model->morph_count++], &block, p, i);
        p += MORPH_SIZE + (size_t)load_u32(p + 20) * PMD_MORPH_OFFSET_SIZE;
    }
    model->morphs = morphs;
}

/*
 * Returns the index of a file's morph among the remaining morphs; -1 for the base morph and for missing ones.
 */
static int32_t kept_morph(pmd_reader *reader, uint16_t number, uint32_t item)
{
    int32_t morph = pmd_reference(reader, number, reader->file_morph_count, "morph panel", item, "morph");
    if (reader->base_morph < 0 || morph < reader->base_morph)
        return morph;
    return morph == reader->base_morph ? -1 : morph - 1;
}

static void make_morph_frame(pmd_reader *reader, mmd_display_frame *frame)
{
    frame->name = "表情";
    frame->name_en = "Exp";
    frame->special = 1;
    uint32_t count = reader->shown_morph_count;
    mmd_frame_item *items = model_reader_array(&reader->base, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++) {
        int32_t morph = kept_morph(reader, load_u16(reader->shown_morphs + 2 * (size_t)i), i);
        if (morph >= 0)
            items[frame->count++] = (mmd_frame_item){.kind = 1, .index = morph};
    }
    frame->items = items;
}

static void make_root_frame(pmd_reader *reader, mmd_display_frame *frame)
{
    frame->name = frame->name_en = "Root";
    frame->special = 1;
    frame->count = reader->bone_count > 0;
    frame->items = model_reader_array(&reader->base, frame->count, sizeof *frame->items);
}

/* Returns the name of a display frame without the line break that it often ends with. */
static const char *frame_name(pmd_reader *reader, const uint8_t *field)
{
    size_t length = pmd_text_length(field, PMD_FRAME_NAME_SIZE);
    while (length > 0 && (field[length - 1] == '\n' || field[length - 1] == '\r'))
        length--;
    return pmd_text(reader, field, length);
}

/*
 * Distributes items to display frames, which they name by numbers from 1: counts them, allocates, and fills.
 */
static void deal_items(pmd_reader *reader, mmd_display_frame *frames, const uint8_t *items, uint32_t count)
{
    uint32_t frame_count = reader->file_frame_count;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t frame = items[3 * (size_t)i + 2];
        if (frame >= 1 && frame <= frame_count)
            frames[frame - 1].count++;
        else
            model_reader_broken(&reader->base, "frame item", i, "frame", frame);
    }
    mmd_frame_item *slots[256];
    for (uint32_t i = 0; i < frame_count; i++) {
        slots[i] = model_reader_array(&reader->base, frames[i].count, sizeof *slots[i]);
        frames[i].items = slots[i];
    }
    for (uint32_t i = 0; i < count && mmd_cursor_ok(&reader->base.cursor); i++) {
        const uint8_t *item = items + 3 * (size_t)i;
        if (item[2] < 1 || item[2] > frame_count)
            continue;
        slots[item[2] - 1]->index =
            pmd_reference(reader, load_u16(item), reader->bone_count, "frame item", i, "bone");
        slots[item[2] - 1]++;
    }
}

static void read_frames(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "frame", -1);
    reader->shown_morph_count = mmd_cursor_check_count(cursor, mmd_read_u8(cursor), 2);
    reader->shown_morphs = mmd_read_bytes(cursor, 2 * (size_t)reader->shown_morph_count);
    reader->file_frame_count = mmd_cursor_check_count(cursor, mmd_read_u8(cursor), PMD_FRAME_NAME_SIZE);
    const uint8_t *names = mmd_read_bytes(cursor, (size_t)reader->file_frame_count * PMD_FRAME_NAME_SIZE);
    uint32_t item_count = mmd_cursor_count(cursor, 3);
    const uint8_t *items = mmd_read_bytes(cursor, 3 * (size_t)item_count);
    uint32_t count = reader->file_frame_count + 2;
    mmd_display_frame *frames = model_reader_array(&reader->base, count, sizeof *frames);
    if (!mmd_cursor_ok(cursor))
        return;
    make_root_frame(reader, &frames[0]);
    make_morph_frame(reader, &frames[1]);
    for (uint32_t i = 0; i < reader->file_frame_count; i++) {
        frames[i + 2].name = frame_name(reader, names + (size_t)i * PMD_FRAME_NAME_SIZE);
        frames[i + 2].name_en = "";
    }
    deal_items(reader, frames + 2, items, item_count);
    model->frames = frames;
    model->frame_count = count;
}

/* Reads English names, which come after all blocks of older versions. */
static void read_english(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "English names", -1);
    if (mmd_read_u8(cursor) != 1)
        return;
    model->name_en = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
    model->comment_en = pmd_text(reader, mmd_read_bytes(cursor, PMD_COMMENT_SIZE), PMD_COMMENT_SIZE);
    for (uint32_t i = 0; i < reader->bone_count && mmd_cursor_ok(cursor); i++)
        model->bones[i].name_en = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
    for (uint32_t i = reader->bone_count; i < model->bone_count; i++)
        model->bones[i].name_en = model->bones[model->bones[i].parent].name_en;
    for (uint32_t i = 0; i < model->morph_count && mmd_cursor_ok(cursor); i++)
        model->morphs[i].name_en = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
    for (uint32_t i = 0; i < reader->file_frame_count && mmd_cursor_ok(cursor); i++) {
        const uint8_t *field = mmd_read_bytes(cursor, PMD_FRAME_NAME_SIZE);
        if (field)
            model->frames[i + 2].name_en = frame_name(reader, field);
    }
}

/* ---- rigid bodies and joints: as in PMX, except that body positions are relative to the bone ---- */

enum { BODY_SIZE = 83, JOINT_SIZE = 124 };

static void move_to_bone(const mmd_model *model, mmd_rigid_body *body)
{
    if (model->bone_count == 0)
        return;
    const float *position = model->bones[body->bone >= 0 ? body->bone : 0].position;
    for (int k = 0; k < 3; k++)
        body->position[k] += position[k];
}

static void read_bodies(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "body", -1);
    uint32_t count = mmd_cursor_count(cursor, BODY_SIZE);
    mmd_rigid_body *bodies = model_reader_array(&reader->base, count, sizeof *bodies);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "body", i);
        bodies[i].name = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
        bodies[i].name_en = "";
        bodies[i].bone = pmd_reference(reader, mmd_read_u16(cursor), reader->bone_count, "body", i, "bone");
        model_reader_body(&reader->base, &bodies[i], i);
        move_to_bone(model, &bodies[i]);
    }
    model->bodies = bodies;
    model->body_count = mmd_cursor_ok(cursor) ? count : 0;
}

static int32_t read_body_index(pmd_reader *reader, uint32_t item, const char *field)
{
    int32_t body = mmd_read_i32(&reader->base.cursor);
    return model_reader_reference(&reader->base, body, reader->base.model->body_count, "joint", item, field);
}

static void read_joints(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_cursor_section(cursor, "joint", -1);
    uint32_t count = mmd_cursor_count(cursor, JOINT_SIZE);
    mmd_joint *joints = model_reader_array(&reader->base, count, sizeof *joints);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "joint", i);
        joints[i].name = pmd_text(reader, mmd_read_bytes(cursor, PMD_NAME_SIZE), PMD_NAME_SIZE);
        joints[i].name_en = "";
        joints[i].body_a = read_body_index(reader, i, "body A");
        joints[i].body_b = read_body_index(reader, i, "body B");
        model_reader_joint(&reader->base, &joints[i]);
    }
    reader->base.model->joints = joints;
    reader->base.model->joint_count = mmd_cursor_ok(cursor) ? count : 0;
}

/* ---- the whole file ---- */

/* Reads the optional blocks. Old files end after any of them. */
static void read_tail(pmd_reader *reader)
{
    void (*const blocks[])(pmd_reader *) = {read_english, read_toons, read_bodies, read_joints};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (i == 1 || mmd_cursor_left(&reader->base.cursor) > 0)
            blocks[i](reader);
}

mmd_status mmd_pmd_read(const void *data, size_t size, mmd_model **result, mmd_error *error)
{
    assert(result && (data || size == 0));
    *result = NULL;
    pmd_reader reader = {.base_morph = -1};
    if (!model_reader_start(&reader.base, data, size, MMD_ORIGIN_PMD, error))
        return reader.base.cursor.status;
    read_header(&reader);
    read_vertices(&reader);
    read_faces(&reader);
    read_materials(&reader);
    read_bones(&reader);
    model_reader_check_vertices(&reader.base);
    read_morphs(&reader);
    read_frames(&reader);
    read_tail(&reader);
    return model_reader_finish(&reader.base, result);
}
