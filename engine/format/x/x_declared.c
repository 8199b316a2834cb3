/*
 * Vertex data that a mesh of a .x file brings in packed form, one record a
 * position: DeclData, whose elements say usage and type (Microsoft, DirectX
 * file format, templates DeclData and VertexElement; D3DDECLTYPE,
 * D3DDECLUSAGE), and FVFData, whose elements follow from a vertex format code
 * (template FVFData; D3DFVF). Normals, the first texture coordinates and the first
 * colours are taken, everything else is stepped over.
 */
#include "x_reader.h"

#include <math.h>

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

/* D3DDECLTYPE: numbers of so many bits, packed from the lowest one. _UNIT: the largest is 1. */
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
    uint32_t count, words; /* of a record */
    bool known;            /* every type is, and so where elements lie */
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

/* Missing ones are 0, the fourth 1. A D3DCOLOR is blue, green, red, alpha from its lowest byte. */
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
        x_whole(lexer); /* what a tessellator does with it */
        uint32_t usage = x_whole(lexer);
        add_element(l, type, usage, x_whole(lexer));
    }
}

/* Positions are the mesh's own: their bits bring no data. */
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

/* What the mesh lacks and the layout has. NULL: not wanted. */
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

/* Normals that no record brings are empty, and computed. */
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

void x_read_declared(x_reader *reader, void *mesh, x_span name)
{
    (void)name;
    layout l = {.known = true};
    read_elements(reader, &l);
    read_records(reader, mesh, &l);
}

void x_read_fvf(x_reader *reader, void *mesh, x_span name)
{
    (void)name;
    layout l = {.known = true};
    lay_out_format(x_whole(&reader->lexer), &l);
    read_records(reader, mesh, &l);
}
