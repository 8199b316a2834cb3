/* A material of a .x file as PMX's: no toon, no edge, the file's emissive colour as ambient
 * (MMD.md 1.6, 6.10). */
#include "x_reader.h"
#include "mmd/text.h"

#include <math.h>
#include <stdio.h>

size_t x_decode_text(const uint8_t *text, size_t size, char *out, size_t capacity)
{
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

/* One of the at most two names of a material: a sphere map by its ending, else a texture. The first counts.
 */
static void use_name(x_reader *reader, mmd_material *material, x_span name)
{
    bool multiply = ends_with(name, ".sph"), add = ends_with(name, ".spa");
    int32_t *place = multiply || add ? &material->sphere : &material->texture;
    if (*place >= 0 || name.size == 0)
        return;
    *place = find_texture(reader, name);
    if (multiply || add)
        material->sphere_mode = multiply ? MMD_SPHERE_MULTIPLY : MMD_SPHERE_ADD;
}

/* `a.bmp*b.sph`. */
static void use_names(x_reader *reader, mmd_material *material, x_span names)
{
    const uint8_t *star = names.size ? memchr(names.text, '*', names.size) : NULL;
    size_t first = star ? (size_t)(star - names.text) : names.size;
    use_name(reader, material, (x_span){names.text, first});
    if (star)
        use_name(reader, material, (x_span){star + 1, names.size - first - 1});
}

/* \\ and \" stand for one byte in text files; other backslashes, and the second bytes of CP932, for
 * themselves. */
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
    /* Writers of binary files count the text's NUL in. */
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
    /* A name without quotes is one all the same. */
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

/* Back faces are culled, and alpha 0.98 casts no shadow, as in PMD. */
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

uint32_t x_read_material(x_reader *reader, x_span name)
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
