#include "made_gltf.h"
#include "mmd/cursor.h"

/* Returns the number of components of an accessor type. */
static size_t width_of(const char *type)
{
    static const struct {
        const char *type;
        size_t width;
    } widths[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (strcmp(type, widths[i].type) == 0)
            return widths[i].width;
    fail_msg("no type %s", type);
    return 0;
}

/* Appends an accessor with its buffer view, aligned to 4 bytes, and returns its index. */
static int add(made_gltf *file, const void *values, size_t size, size_t count, const char *type,
               int component)
{
    const char *comma = file->count ? "," : "";
    while (file->bytes.size % 4)
        mmd_write_u8(&file->bytes, 0);
    mmd_write_format(&file->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", comma,
                     file->bytes.size, size);
    mmd_write_format(&file->accessors,
                     "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"}", comma,
                     file->count, component, count, type);
    mmd_write_bytes(&file->bytes, values, size);
    return file->count++;
}

int made_gltf_floats(made_gltf *file, const float *values, size_t count, const char *type)
{
    return add(file, values, count * width_of(type) * sizeof *values, count, type, 5126);
}

int made_gltf_bytes(made_gltf *file, const uint8_t *values, size_t count, const char *type)
{
    return add(file, values, count * width_of(type), count, type, 5121);
}

static void write_chunk(mmd_buffer *out, const mmd_buffer *chunk, uint32_t kind, uint8_t padding)
{
    uint32_t size = (uint32_t)(chunk->size + 3) / 4 * 4;
    mmd_write_u32(out, size);
    mmd_write_u32(out, kind);
    mmd_write_bytes(out, chunk->data, chunk->size);
    for (size_t i = chunk->size; i < size; i++)
        mmd_write_u8(out, padding);
}

mmd_buffer made_gltf_glb(made_gltf *file, const char *members)
{
    mmd_buffer text = {0}, out = {0};
    mmd_write_format(&text, "{\"asset\":{\"version\":\"2.0\"},%s", members);
    if (file->count)
        mmd_write_format(&text,
                         ",\"accessors\":[%.*s],\"bufferViews\":[%.*s],\"buffers\":[{\"byteLength\":%zu}]",
                         (int)file->accessors.size, (const char *)file->accessors.data, (int)file->views.size,
                         (const char *)file->views.data, file->bytes.size);
    mmd_write_format(&text, "}");
    size_t chunks = 20 + (text.size + 3) / 4 * 4 + (file->count ? 8 + (file->bytes.size + 3) / 4 * 4 : 0);
    mmd_write_u32(&out, 0x46546C67);
    mmd_write_u32(&out, 2);
    mmd_write_u32(&out, (uint32_t)chunks);
    write_chunk(&out, &text, 0x4E4F534A, ' ');
    if (file->count)
        write_chunk(&out, &file->bytes, 0x004E4942, 0);
    mmd_buffer_finish(&text);
    mmd_buffer_finish(&file->bytes);
    mmd_buffer_finish(&file->accessors);
    mmd_buffer_finish(&file->views);
    *file = (made_gltf){.count = 0};
    return out;
}

mmd_exchange *made_gltf_read(made_gltf *file, const char *members)
{
    mmd_buffer glb = made_gltf_glb(file, members);
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    if (mmd_exchange_read(glb.data, glb.size, NULL, NULL, &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_buffer_finish(&glb);
    return document;
}

const mmd_loss *made_gltf_loss(const mmd_exchange *document, const char *code)
{
    for (uint32_t i = 0; i < document->losses.count; i++)
        if (strcmp(document->losses.items[i].code, code) == 0)
            return &document->losses.items[i];
    return NULL;
}
