/*
 * Collects the objects of a .x file (docs/mmd.md 1.6): frames with their matrices, meshes and materials at
 * any depth. Everything else (templates, animations, skin weights, headers) is skipped. The depth of frames
 * is counted instead of recursing, so no file is too deep.
 */
#include "x_reader.h"
#include "mmd/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* ---- growing arrays and name tables ---- */

void *x_alloc(x_reader *reader, size_t count, size_t size)
{
    assert(reader);
    return model_memory(&reader->base.cursor, &reader->scratch, count, size);
}

void *x_array_add(x_reader *reader, x_array *array, size_t size)
{
    assert(reader && array);
    enum { FIRST_BYTES = 64 };
    if (array->count == array->capacity) {
        uint32_t first = size < FIRST_BYTES ? (uint32_t)(FIRST_BYTES / size) : 1;
        uint32_t capacity = array->capacity ? 2 * array->capacity : first;
        void *items = x_alloc(reader, capacity, size);
        if (!items)
            return NULL;
        if (array->count)
            memcpy(items, array->items, array->count * size);
        array->items = items;
        array->capacity = capacity;
    }
    return (char *)array->items + size * array->count++;
}

static uint32_t hash_bytes(x_span span)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < span.size; i++)
        hash = (hash ^ span.text[i]) * 16777619u;
    return hash;
}

/* Returns the slot of a name, or the empty slot for it. There is always an empty one. */
static uint32_t find_slot(const x_names *names, x_span name)
{
    const x_name *entries = names->entries.items;
    uint32_t slot = hash_bytes(name) & (names->slot_count - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->slot_count - 1)) {
        x_span other = entries[names->slots[slot] - 1].name;
        if (other.size == name.size && memcmp(other.text, name.text, name.size) == 0)
            break;
    }
    return slot;
}

int64_t x_names_find(const x_names *names, x_span name)
{
    assert(names);
    if (names->slot_count == 0 || name.size == 0)
        return -1;
    uint32_t found = names->slots[find_slot(names, name)];
    const x_name *entries = names->entries.items;
    return found ? (int64_t)entries[found - 1].value : -1;
}

static bool grow_slots(x_reader *reader, x_names *names)
{
    uint32_t count = names->slot_count ? 2 * names->slot_count : 16;
    uint32_t *slots = x_alloc(reader, count, sizeof *slots);
    if (!slots)
        return false;
    names->slots = slots;
    names->slot_count = count;
    const x_name *entries = names->entries.items;
    for (uint32_t i = 0; i < names->entries.count; i++)
        slots[find_slot(names, entries[i].name)] = i + 1;
    return true;
}

static void x_names_add(x_reader *reader, x_names *names, x_span name, uint32_t value)
{
    if (name.size == 0 || (2 * names->entries.count >= names->slot_count && !grow_slots(reader, names)))
        return;
    uint32_t slot = find_slot(names, name);
    x_name *entry = names->slots[slot] ? NULL : x_array_add(reader, &names->entries, sizeof *entry);
    if (!entry)
        return;
    *entry = (x_name){name, value};
    names->slots[slot] = names->entries.count;
}

/* ---- nested objects ---- */

/*
 * Reads the objects nested in an object after its own numbers: types with a rule are read, others skipped.
 * read receives the name (or nothing) after the opening brace, and consumes the closing one. reference (may
 * be NULL) receives a name in braces. Returns after the object's closing brace.
 */
typedef struct x_rule {
    const char *type;
    void (*read)(x_reader *reader, void *object, x_span name);
} x_rule;

typedef struct x_rules {
    const x_rule *rules;
    size_t count;
    void (*reference)(x_reader *reader, void *object, x_span name);
} x_rules;

/* Reads an object's name, if it has one, and its opening brace, after its type. */
static x_span x_object_name(x_reader *reader)
{
    x_span name = {0};
    for (;;) {
        x_token token = x_next(&reader->lexer);
        if (token.kind == X_OPEN)
            return name;
        /* A name may begin with a digit and then looks like a number. */
        if (token.kind != X_NAME && token.kind != X_NUMBER && token.kind != X_OTHER) {
            x_expected(&reader->lexer, &token, "`{'");
            return (x_span){0};
        }
        if (name.size == 0)
            name = token.span;
    }
}

/* Reads a reference after its opening brace. */
static x_span read_reference(x_reader *reader)
{
    x_span name = {0};
    for (;;) {
        x_token token = x_next(&reader->lexer);
        if (token.kind == X_CLOSE)
            return name;
        if (token.kind == X_END || token.kind == X_OPEN) {
            x_expected(&reader->lexer, &token, "`}'");
            return (x_span){0};
        }
        if (name.size == 0)
            name = token.span;
    }
}

static void read_member(x_reader *reader, x_span type, const x_rules *rules, void *object)
{
    x_span name = x_object_name(reader);
    for (size_t i = 0; i < rules->count; i++)
        if (mmd_cursor_ok(&reader->base.cursor) && x_span_is(type, rules->rules[i].type)) {
            rules->rules[i].read(reader, object, name);
            return;
        }
    x_skip_block(&reader->lexer);
}

static void x_read_members(x_reader *reader, const x_rules *rules, void *object)
{
    mmd_cursor *cursor = &reader->base.cursor;
    while (mmd_cursor_ok(cursor)) {
        x_token token = x_next(&reader->lexer);
        if (token.kind == X_CLOSE)
            return;
        if (token.kind == X_END) {
            x_expected(&reader->lexer, &token, "`}'");
        } else if (token.kind == X_NAME) {
            read_member(reader, token.span, rules, object);
        } else if (token.kind == X_OPEN) {
            x_span name = read_reference(reader);
            if (rules->reference && name.size && mmd_cursor_ok(cursor))
                rules->reference(reader, object, name);
        }
        /* Other tokens are numbers and texts of newer templates. */
    }
}

/* ---- materials ---- */

/* Converts a material to PMX: no toon, no edge, the file's emissive colour as ambient (docs/mmd.md 1.6,
 * 6.10). */

size_t x_decode_text(const uint8_t *text, size_t size, char *out, size_t capacity)
{
    assert(text || size == 0);
    assert(out || capacity == 0);
    return mmd_utf8_from_cp932(text, size, out, capacity, NULL);
}

static bool ends_with(x_span name, const char *ending)
{
    size_t length = strlen(ending);
    return name.size >= length && x_span_is((x_span){name.text + name.size - length, length}, ending);
}

static int32_t find_texture(x_reader *reader, x_span name)
{
    int64_t found = x_names_find(&reader->texture_names, name);
    if (found >= 0)
        return (int32_t)found;
    uint32_t count = reader->texture_names.entries.count;
    x_names_add(reader, &reader->texture_names, name, count);
    return (int32_t)count;
}

/* Assigns one of the at most two names of a material: a sphere map, by its extension, or a texture. The first
 * of each is used. */
static void use_name(x_reader *reader, mmd_material *material, x_span name)
{
    bool multiply = ends_with(name, ".sph"), add = ends_with(name, ".spa");
    int32_t *slot = multiply || add ? &material->sphere : &material->texture;
    if (*slot >= 0 || name.size == 0)
        return;
    *slot = find_texture(reader, name);
    if (multiply || add)
        material->sphere_mode = multiply ? MMD_SPHERE_MULTIPLY : MMD_SPHERE_ADD;
}

/* Splits names such as `a.bmp*b.sph`. */
static void use_names(x_reader *reader, mmd_material *material, x_span names)
{
    const uint8_t *star = names.size ? memchr(names.text, '*', names.size) : NULL;
    size_t first = star ? (size_t)(star - names.text) : names.size;
    use_name(reader, material, (x_span){names.text, first});
    if (star)
        use_name(reader, material, (x_span){star + 1, names.size - first - 1});
}

/*
 * Replaces \\ and \" in text files. Other backslashes, and second bytes of CP932, are kept.
 */
static x_span unescape(x_reader *reader, x_span raw)
{
    uint8_t *text = x_alloc(reader, raw.size, 1);
    size_t size = 0;
    for (size_t i = 0; i < raw.size && text; i++) {
        uint8_t c = raw.text[i];
        bool pair = (c >= 0x81 && c <= 0x9f) || (c >= 0xe0 && c <= 0xfc);
        if (pair && i + 1 < raw.size)
            text[size++] = raw.text[i++];
        else if (c == '\\' && i + 1 < raw.size && (raw.text[i + 1] == '\\' || raw.text[i + 1] == '"'))
            i++;
        text[size++] = raw.text[i];
    }
    return (x_span){text, text ? size : 0};
}

static x_span trim(x_span name)
{
    /* Some writers of binary files include the NUL in the text. */
    const uint8_t *end = name.size ? memchr(name.text, 0, name.size) : NULL;
    if (end)
        name.size = (size_t)(end - name.text);
    while (name.size && name.text[name.size - 1] == ' ')
        name.size--;
    return name;
}

static void read_texture(x_reader *reader, void *object, x_span object_name)
{
    static const x_rules nothing = {0};
    (void)object_name;
    x_token token = x_next(&reader->lexer);
    if (token.kind == X_CLOSE)
        return;
    /* Accept a name without quotes. */
    if (token.kind != X_STRING && token.kind != X_NAME && token.kind != X_NUMBER) {
        x_expected(&reader->lexer, &token, "a texture's name");
        return;
    }
    x_span name = token.span;
    if (!reader->lexer.binary && name.size && memchr(name.text, '\\', name.size))
        name = unescape(reader, name);
    use_names(reader, object, trim(name));
    x_read_members(reader, &nothing, NULL);
}

/* Returns material flags: back faces are culled, and alpha 0.98 casts no shadow, as in PMD. */
static uint8_t material_flags(float alpha)
{
    uint8_t flags = MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW;
    return fabsf(alpha - 0.98f) < 1e-6f ? flags : flags | MMD_MATERIAL_CASTS_SHADOW;
}

static void name_material(x_reader *reader, mmd_material *material, x_span name, uint32_t item)
{
    char made[32];
    material->name_en = material->memo = "";
    material->name = model_reader_text(&reader->base, name.text, name.size, x_decode_text);
    if (material->name[0])
        return;
    int length = snprintf(made, sizeof made, "材質%u", item + 1);
    material->name =
        model_reader_text(&reader->base, (const uint8_t *)made, (size_t)length, mmd_utf8_from_file);
}

uint32_t x_add_material(x_reader *reader, x_span name)
{
    assert(reader);
    uint32_t item = reader->materials.count;
    mmd_material *material = x_array_add(reader, &reader->materials, sizeof *material);
    if (!material)
        return 0;
    *material = (mmd_material){.diffuse = {1, 1, 1, 1},
                               .flags = material_flags(1),
                               .texture = -1,
                               .sphere = -1,
                               .toon = -1,
                               .edge_color = {0, 0, 0, 1},
                               .edge_size = 1};
    name_material(reader, material, name, item);
    x_names_add(reader, &reader->material_names, name, item);
    return item;
}

/* Reads a Material after its opening brace. Returns its index in materials. */
static uint32_t x_read_material(x_reader *reader, x_span name)
{
    static const x_rule rules[] = {{"TextureFilename", read_texture}};
    static const x_rules members = {rules, 1, NULL};
    mmd_cursor *cursor = &reader->base.cursor;
    const char *section = cursor->section;
    int64_t section_item = cursor->item;
    mmd_cursor_section(cursor, "material", reader->materials.count);
    uint32_t item = x_add_material(reader, name);
    if (!mmd_cursor_ok(cursor))
        return 0;
    mmd_material *material = (mmd_material *)reader->materials.items + item;
    x_reals(&reader->lexer, material->diffuse, 4);
    material->specular_power = x_real(&reader->lexer);
    x_reals(&reader->lexer, material->specular, 3);
    x_reals(&reader->lexer, material->ambient, 3);
    material->flags = material_flags(material->diffuse[3]);
    x_read_members(reader, &members, material);
    mmd_cursor_section(cursor, section, section_item);
    return item;
}

/* Sets white for every position. Returns false if out of memory. */
static bool x_white_colors(x_reader *reader, x_mesh *mesh)
{
    if (!mesh->colors)
        mesh->colors = x_alloc(reader, mesh->position_count, sizeof *mesh->colors);
    for (uint32_t i = 0; i < mesh->position_count && mesh->colors; i++)
        for (int k = 0; k < 4; k++)
            mesh->colors[i][k] = 1;
    return mesh->colors != NULL;
}

/* ---- packed vertex data ---- */

/*
 * Reads vertex data in packed form, one record per position: DeclData, whose elements define usage and type
 * (Microsoft, DirectX file format, templates DeclData and VertexElement; D3DDECLTYPE, D3DDECLUSAGE), and
 * FVFData, whose elements follow from a vertex format code (template FVFData; D3DFVF). Normals, the first
 * texture coordinates and the first colours are used; the rest is skipped.
 */

enum { ELEMENTS_MAX = 64, TYPE_COUNT = 17, WORDS_MAX = 4 };

enum { TYPE_FLOAT1, TYPE_FLOAT2, TYPE_FLOAT3, TYPE_FLOAT4, TYPE_COLOR };
enum { USAGE_NORMAL = 3, USAGE_SIZE = 4, USAGE_UV = 5, USAGE_COLOR = 10 };
enum {
    FVF_NORMAL = 0x10,
    FVF_SIZE = 0x20,
    FVF_DIFFUSE = 0x40,
    FVF_SPECULAR = 0x80,
    FVF_UV_COUNT_SHIFT = 8,
    FVF_UV_SIZE_SHIFT = 16
};

typedef enum number_form { FLOATS, HALVES, UNSIGNED, UNSIGNED_UNIT, SIGNED, SIGNED_UNIT } number_form;

/* Formats of D3DDECLTYPE: numbers with this many bits, packed from the lowest. _UNIT: the largest value means
 * 1. */
static const struct {
    uint8_t form, count, bits;
} types[TYPE_COUNT] = {
    {FLOATS, 1, 32},        {FLOATS, 2, 32},      {FLOATS, 3, 32},      {FLOATS, 4, 32},
    {UNSIGNED_UNIT, 4, 8},  {UNSIGNED, 4, 8},     {SIGNED, 2, 16},      {SIGNED, 4, 16},
    {UNSIGNED_UNIT, 4, 8},  {SIGNED_UNIT, 2, 16}, {SIGNED_UNIT, 4, 16}, {UNSIGNED_UNIT, 2, 16},
    {UNSIGNED_UNIT, 4, 16}, {UNSIGNED, 3, 10},    {SIGNED_UNIT, 3, 10}, {HALVES, 2, 16},
    {HALVES, 4, 16},
};

typedef struct element {
    uint8_t type;
    uint32_t usage, index;
} element;

typedef struct layout {
    element elements[ELEMENTS_MAX];
    uint32_t count, words; /* size of a record */
    bool known;            /* all types are known, so offsets of elements are too */
} layout;

static uint32_t word_count(uint8_t type)
{
    return (types[type].count * types[type].bits + 31u) / 32u;
}

/* --- Numbers --- */

static float half_value(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    float mantissa = (float)(bits & 1023);
    float size = exponent ? ldexpf(mantissa + 1024.0f, exponent - 25) : ldexpf(mantissa, -24);
    return exponent == 31 ? 0.0f : bits & 0x8000 ? -size : size;
}

static float float_value(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0.0f;
}

static float number_value(uint32_t raw, number_form form, uint32_t bits)
{
    int64_t top = ((int64_t)1 << (form == SIGNED || form == SIGNED_UNIT ? bits - 1 : bits)) - 1;
    int64_t value = raw;
    switch (form) {
    case FLOATS:
        return float_value(raw);
    case HALVES:
        return half_value(raw);
    case SIGNED:
    case SIGNED_UNIT:
        value = value > top ? value - 2 * (top + 1) : value;
        break;
    default:
        break;
    }
    return form == UNSIGNED_UNIT || form == SIGNED_UNIT ? (float)value / (float)top : (float)value;
}

/* Decodes an element. Missing components are 0, the fourth is 1. A D3DCOLOR is blue, green, red, alpha from
 * its lowest byte. */
static void element_values(const uint32_t *words, uint8_t type, float out[4])
{
    static const float defaults[4] = {0, 0, 0, 1};
    uint32_t bits = types[type].bits;
    memcpy(out, defaults, sizeof defaults);
    for (uint32_t k = 0; k < types[type].count; k++) {
        uint32_t at = k * bits, raw = words[at / 32] >> at % 32;
        raw = bits < 32 ? raw & ((1u << bits) - 1) : raw;
        out[type == TYPE_COLOR && k < 3 ? 2 - k : k] = number_value(raw, (number_form)types[type].form, bits);
    }
}

/* --- Layouts --- */

static void add_element(layout *l, uint32_t type, uint32_t usage, uint32_t index)
{
    l->known = l->known && type < TYPE_COUNT && l->count < ELEMENTS_MAX;
    if (!l->known)
        return;
    l->elements[l->count++] = (element){(uint8_t)type, usage, index};
    l->words += word_count((uint8_t)type);
}

static void read_elements(x_reader *reader, layout *l)
{
    x_lexer *lexer = &reader->lexer;
    uint32_t count = x_count(lexer, 4);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(lexer->cursor); i++) {
        uint32_t type = x_whole(lexer);
        x_whole(lexer); /* skip the tessellator method */
        uint32_t usage = x_whole(lexer);
        add_element(l, type, usage, x_whole(lexer));
    }
}

/* Derives the layout from a vertex format. Positions are the mesh's own, so their bits add no data. */
static void lay_out_format(uint32_t fvf, layout *l)
{
    static const uint8_t uv_types[] = {TYPE_FLOAT2, TYPE_FLOAT3, TYPE_FLOAT4, TYPE_FLOAT1};
    if (fvf & FVF_NORMAL)
        add_element(l, TYPE_FLOAT3, USAGE_NORMAL, 0);
    if (fvf & FVF_SIZE)
        add_element(l, TYPE_FLOAT1, USAGE_SIZE, 0);
    if (fvf & FVF_DIFFUSE)
        add_element(l, TYPE_COLOR, USAGE_COLOR, 0);
    if (fvf & FVF_SPECULAR)
        add_element(l, TYPE_COLOR, USAGE_COLOR, 1);
    uint32_t count = fvf >> FVF_UV_COUNT_SHIFT & 15;
    l->known = l->known && count <= 8;
    for (uint32_t i = 0; i < count && l->known; i++)
        add_element(l, uv_types[fvf >> (FVF_UV_SIZE_SHIFT + 2 * i) & 3], USAGE_UV, i);
}

/* --- Records --- */

/* Where to store data that the mesh lacks and the layout has. NULL: not needed. */
typedef struct targets {
    float (*normals)[3], (*uvs)[2], (*colors)[4];
} targets;

static bool has_usage(const layout *l, uint32_t usage)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->elements[i].usage == usage && l->elements[i].index == 0)
            return true;
    return false;
}

/* Allocates the targets. Normals missing in the records stay zero and are computed later. */
static targets make_targets(x_reader *reader, x_mesh *mesh, const layout *l, uint32_t records)
{
    targets t = {0};
    if (mesh->normal_count == 0 && has_usage(l, USAGE_NORMAL)) {
        t.normals = mesh->normals = x_alloc(reader, mesh->position_count, sizeof *mesh->normals);
        mesh->normal_count = t.normals ? mesh->position_count : 0;
        mesh->normal_faces = (x_faces){0};
    }
    if (mesh->uv_count == 0 && has_usage(l, USAGE_UV)) {
        t.uvs = mesh->uvs = x_alloc(reader, records, sizeof *mesh->uvs);
        mesh->uv_count = t.uvs ? records : 0;
    }
    if (!mesh->colors && has_usage(l, USAGE_COLOR) && x_white_colors(reader, mesh))
        t.colors = mesh->colors;
    return t;
}

static void store_record(const layout *l, const uint32_t *words, const targets *t, uint32_t at)
{
    for (uint32_t i = 0; i < l->count; words += word_count(l->elements[i++].type)) {
        const element *e = &l->elements[i];
        float values[4];
        if (e->index != 0)
            continue;
        element_values(words, e->type, values);
        if (e->usage == USAGE_NORMAL && t->normals)
            memcpy(t->normals[at], values, sizeof t->normals[at]);
        else if (e->usage == USAGE_UV && t->uvs)
            memcpy(t->uvs[at], values, sizeof t->uvs[at]);
        else if (e->usage == USAGE_COLOR && t->colors)
            memcpy(t->colors[at], values, sizeof t->colors[at]);
    }
}

static void read_records(x_reader *reader, x_mesh *mesh, const layout *l)
{
    static const x_rules nothing = {0};
    x_lexer *lexer = &reader->lexer;
    uint32_t words[ELEMENTS_MAX * WORDS_MAX];
    uint32_t records = l->known && l->words ? x_count(lexer, 1) / l->words : 0;
    records = records < mesh->position_count ? records : mesh->position_count;
    targets t = {0};
    if (records)
        t = make_targets(reader, mesh, l, records);
    for (uint32_t i = 0; i < records && mmd_cursor_ok(lexer->cursor); i++) {
        for (uint32_t k = 0; k < l->words; k++)
            words[k] = x_whole(lexer);
        if (mmd_cursor_ok(lexer->cursor))
            store_record(l, words, &t, i);
    }
    x_read_members(reader, &nothing, NULL);
}

/* Reads DeclData after its opening brace: normals, texture coordinates and colours per position, where the
 * mesh has no lists of its own. */
static void x_read_declared(x_reader *reader, void *mesh, x_span name)
{
    (void)name;
    layout l = {.known = true};
    read_elements(reader, &l);
    read_records(reader, mesh, &l);
}

/* Reads FVFData in the same way. */
static void x_read_fvf(x_reader *reader, void *mesh, x_span name)
{
    (void)name;
    layout l = {.known = true};
    lay_out_format(x_whole(&reader->lexer), &l);
    read_records(reader, mesh, &l);
}

/* ---- meshes ---- */

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

/* Reads vertex colours, each with the index of its position. Positions without a colour are white. */
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

/* Reads materials. The count is ignored: those that follow are used. */
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

/* Reads a Mesh after its opening brace. */
static void x_read_mesh(x_reader *reader, int32_t frame)
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

/* ---- frames, and the whole file ---- */

static void open_frame(x_reader *reader, int32_t *frame)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    x_frame *made = x_array_add(reader, &reader->frames, sizeof *made);
    if (!made)
        return;
    made->parent = *frame;
    memcpy(made->matrix, identity, sizeof identity);
    *frame = (int32_t)reader->frames.count - 1;
}

static void read_matrix(x_reader *reader, int32_t frame)
{
    float matrix[16];
    x_reals(&reader->lexer, matrix, 16);
    x_read_members(reader, &nothing, NULL);
    if (frame >= 0 && mmd_cursor_ok(&reader->base.cursor))
        memcpy(((x_frame *)reader->frames.items)[frame].matrix, matrix, sizeof matrix);
}

/* Records a reference to a mesh in a frame. References outside of frames have no effect. */
static void keep_reference(x_reader *reader, int32_t frame)
{
    x_span name = read_reference(reader);
    if (frame < 0 || name.size == 0 || !mmd_cursor_ok(&reader->base.cursor))
        return;
    x_reference *reference = x_array_add(reader, &reader->references, sizeof *reference);
    if (reference)
        *reference = (x_reference){frame, name};
}

static void read_object(x_reader *reader, x_span type, int32_t *frame)
{
    x_span name = x_object_name(reader);
    if (!mmd_cursor_ok(&reader->base.cursor))
        return;
    x_names_add(reader, &reader->object_names, name,
                x_span_is(type, "Mesh") ? reader->meshes.count : X_NO_MESH);
    if (x_span_is(type, "Frame"))
        open_frame(reader, frame);
    else if (x_span_is(type, "FrameTransformMatrix"))
        read_matrix(reader, *frame);
    else if (x_span_is(type, "Mesh"))
        x_read_mesh(reader, *frame);
    else if (x_span_is(type, "Material"))
        x_read_material(reader, name);
    else
        x_skip_block(&reader->lexer);
}

/* Ends a frame. */
static void close_frame(x_reader *reader, const x_token *token, int32_t *frame)
{
    if (*frame < 0)
        x_expected(&reader->lexer, token, "an object, not `}'");
    else
        *frame = ((const x_frame *)reader->frames.items)[*frame].parent;
}

void x_read_objects(x_reader *reader)
{
    assert(reader);
    int32_t frame = -1;
    mmd_cursor *cursor = &reader->base.cursor;
    while (mmd_cursor_ok(cursor)) {
        mmd_cursor_section(cursor, frame < 0 ? "objects" : "frame", frame);
        x_token token = x_next(&reader->lexer);
        if (token.kind == X_END) {
            if (frame >= 0)
                x_expected(&reader->lexer, &token, "`}'");
            return;
        }
        if (token.kind == X_NAME)
            read_object(reader, token.span, &frame);
        else if (token.kind == X_OPEN)
            keep_reference(reader, frame);
        else if (token.kind == X_CLOSE)
            close_frame(reader, &token, &frame);
    }
}
