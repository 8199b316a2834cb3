/*
 * PMD materials, textures and toons as PMX's (MMD.md 1.2). PMX keeps textures
 * in a list without repetitions; a hash table (FNV-1a, linear probing) finds
 * names again, so that many materials take no quadratic time.
 */
#include "pmd_reader.h"
#include "mmd/text.h"

#include <stdio.h>

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

/* The number of the texture called by length bytes, which a new one gets; -1 for no name. */
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

/* One of the at most two names of a material: a sphere map by its ending, else a texture. */
static void use_name(pmd_reader *reader, mmd_material *material, const uint8_t *name, size_t length)
{
    bool multiply = ends_with(name, length, ".sph"), add = ends_with(name, length, ".spa");
    int32_t *place = multiply || add ? &material->sphere : &material->texture;
    if (*place >= 0)
        return;
    *place = find_texture(reader, name, length);
    if (*place >= 0 && (multiply || add))
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

void pmd_read_materials(pmd_reader *reader)
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

/* 0 to 9 for toon01.bmp to toon10.bmp, -1 for any other name. */
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
    /* Without a name of its own the entry is the shared toon of the same number. */
    int32_t shared = length ? shared_toon(name, length) : entry;
    material->shared_toon = shared >= 0;
    material->toon = shared >= 0 ? shared : find_texture(reader, name, length);
}

void pmd_read_toons(pmd_reader *reader)
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
