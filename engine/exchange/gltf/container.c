/*
 * The outside of a glTF 2.0: GLB chunks or plain JSON, and the buffers, which
 * are the GLB's second chunk, data: URIs or files beside it (glTF 2.0, 3.6 and
 * 4). A buffer's length is what the file says; that there are so many bytes is
 * checked here once, and everything behind it trusts gltf_buffer.
 */
#include <string.h>

#include "reader.h"

#define GLB_MAGIC  0x46546C67U
#define CHUNK_JSON 0x4E4F534AU
#define CHUNK_BIN  0x004E4942U

enum {
    BUFFERS_MAX = 4096,
    FREE_MEMORY = 64 << 20, /* what any file may take, and so many times its own size */
    MEMORY_FACTOR = 64
};
#define BUFFER_BYTES_MAX ((uint64_t)1 << 31)

/* Extensions that a file may require: those of physics, and those without which it only looks otherwise.
 * Names that end in _ are beginnings. */
static const char *const known_extensions[] = {
    "KHR_collision_shapes",  "KHR_implicit_shapes",   "KHR_physics_rigid_bodies", "OMI_physics_",
    "KHR_lights_punctual",   "KHR_materials_",        "KHR_mesh_quantization",    "KHR_texture_transform",
    "KHR_animation_pointer", "KHR_node_visibility",   "KHR_xmp_json_ld",          "EXT_texture_",
    "KHR_texture_basisu",    "EXT_lights_image_based"};

size_t gltf_memory_limit(size_t input)
{
    return input > (SIZE_MAX - FREE_MEMORY) / MEMORY_FACTOR ? SIZE_MAX : FREE_MEMORY + MEMORY_FACTOR * input;
}

mmd_status gltf_alloc(gltf_file *file, const json_spot *from, mmd_arena *arena, size_t count, size_t size,
                      void *out)
{
    void *memory = mmd_arena_alloc(arena, count, size);
    memcpy(out, &memory, sizeof memory);
    if (memory)
        return MMD_OK;
    bool limited = arena->limit && (count > SIZE_MAX / size || count * size > arena->limit - arena->used);
    if (limited)
        return json_spot_fail(&file->reader, from, MMD_ERROR_LIMIT,
                              "more memory than a file of this size may take");
    return json_spot_fail(&file->reader, from, MMD_ERROR_MEMORY, "no memory for %zu times %zu bytes", count,
                          size);
}

mmd_status gltf_list(gltf_file *file, const char *key, json_spot *out)
{
    return json_read_kind(&file->reader, &file->root, key, JSON_ARRAY, out);
}

mmd_status gltf_element(gltf_file *file, const json_spot *list, size_t index, json_spot *out)
{
    *out = json_spot_element(list, index);
    if (json_is_object(out->value))
        return MMD_OK;
    return json_spot_fail(&file->reader, out, MMD_ERROR_VALUE, "no object");
}

/* ---------------------------------------------------------------- chunks */

typedef struct glb {
    const char *json;
    size_t json_size;
    uint64_t json_at;
    const uint8_t *binary; /* NULL: none */
    size_t binary_size;
} glb;

static mmd_status read_chunks(mmd_cursor *cursor, glb *parts)
{
    for (int i = 0; mmd_cursor_left(cursor) > 0; i++) {
        mmd_cursor_section(cursor, "GLB chunk", i);
        uint32_t size = mmd_read_u32(cursor), kind = mmd_read_u32(cursor);
        uint64_t at = cursor->at;
        const uint8_t *bytes = mmd_read_bytes(cursor, size);
        if (!mmd_cursor_ok(cursor))
            return cursor->status;
        if ((i == 0) != (kind == CHUNK_JSON))
            return mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "the first chunk, and it alone, must be JSON");
        if (i == 0) {
            parts->json = (const char *)bytes;
            parts->json_size = size;
            parts->json_at = at;
        } else if (kind == CHUNK_BIN && !parts->binary) {
            parts->binary = bytes;
            parts->binary_size = size;
        }
    }
    return parts->json ? MMD_OK : mmd_cursor_fail(cursor, MMD_ERROR_TRUNCATED, "no JSON");
}

static mmd_status split(const void *data, size_t size, glb *parts, mmd_error *error)
{
    mmd_cursor cursor = mmd_cursor_make(data, size, error);
    *parts = (glb){.json = data, .json_size = size};
    if (size < 4 || mmd_read_u32(&cursor) != GLB_MAGIC)
        return MMD_OK;
    *parts = (glb){0};
    mmd_cursor_section(&cursor, "GLB header", -1);
    uint32_t version = mmd_read_u32(&cursor), length = mmd_read_u32(&cursor);
    if (!mmd_cursor_ok(&cursor))
        return cursor.status;
    if (version != 2)
        return mmd_cursor_fail(&cursor, MMD_ERROR_VERSION, "version %u of GLB", version);
    if (length < cursor.at || length > size)
        return mmd_cursor_fail(&cursor, MMD_ERROR_TRUNCATED, "%zu bytes where the header says %u", size,
                               length);
    cursor.size = length;
    return read_chunks(&cursor, parts);
}

/* ------------------------------------------------------------------ URIs */

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool gltf_file_name(const char *uri, char path[MMD_PATH_MAX])
{
    size_t scheme = strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+.-0123456789");
    if (!*uri || *uri == '/' || (scheme > 0 && uri[scheme] == ':'))
        return false;
    size_t used = 0;
    for (const char *at = uri; *at; at++) {
        int high = *at == '%' ? hex(at[1]) : -1, low = high >= 0 ? hex(at[2]) : -1;
        char c = *at;
        if (low >= 0) {
            c = (char)(high * 16 + low);
            at += 2;
        }
        if (!c || used + 1 >= MMD_PATH_MAX)
            return false;
        path[used++] = c;
    }
    path[used] = '\0';
    return true;
}

mmd_status gltf_data_uri(gltf_file *file, const json_spot *spot, const char *uri, mmd_buffer *out)
{
    static const char mark[] = ";base64";
    const char *comma = strchr(uri, ',');
    size_t head = comma ? (size_t)(comma - uri) : 0, length = sizeof mark - 1;
    if (head < length || memcmp(comma - length, mark, length) != 0)
        return json_spot_fail(&file->reader, spot, MMD_ERROR_VALUE, "a data: URI that is not base64");
    mmd_error wrong = {0};
    mmd_status status = json_base64_decode(comma + 1, strlen(comma + 1), out, &wrong);
    if (status != MMD_OK)
        return json_spot_fail(&file->reader, spot, status, "%s", wrong.message);
    return MMD_OK;
}

/* --------------------------------------------------------------- buffers */

static mmd_status read_beside(gltf_file *file, const json_spot *spot, const char *uri, mmd_buffer *out)
{
    char name[MMD_PATH_MAX], path[MMD_PATH_MAX];
    bool found = gltf_file_name(uri, name) && file->source &&
                 mmd_source_find_from(file->source, file->folder, name, path);
    if (!found)
        return json_spot_fail(&file->reader, spot, MMD_ERROR_NOT_FOUND, "no file %.100s", uri);
    mmd_bytes bytes;
    mmd_error wrong = {0};
    mmd_status status = mmd_source_read(file->source, path, &bytes, &wrong);
    if (status != MMD_OK)
        return json_spot_fail(&file->reader, spot, status, "%.100s: %s", path, wrong.message);
    *out = (mmd_buffer){.data = bytes.data, .size = bytes.size, .capacity = bytes.size};
    return MMD_OK;
}

static mmd_status read_bytes(gltf_file *file, const json_spot *spot, const glb *parts, size_t index,
                             mmd_buffer *out)
{
    const char *uri;
    json_spot place = json_spot_member(spot, "uri");
    mmd_status status = json_read_text(&file->reader, spot, "uri", &uri);
    if (status != MMD_OK)
        return status;
    if (place.value)
        return strncmp(uri, "data:", 5) == 0 ? gltf_data_uri(file, &place, uri, out)
                                             : read_beside(file, &place, uri, out);
    if (index != 0 || !parts->binary)
        return json_spot_fail(&file->reader, spot, MMD_ERROR_NOT_FOUND, "a buffer without bytes");
    mmd_write_bytes(out, parts->binary, parts->binary_size);
    return out->failed ? json_spot_fail(&file->reader, spot, MMD_ERROR_MEMORY, "no memory for it") : MMD_OK;
}

static mmd_status read_buffer(gltf_file *file, const json_spot *list, const glb *parts, size_t index,
                              uint64_t *total)
{
    json_spot spot;
    uint32_t length;
    mmd_buffer *bytes = &file->document->kept->buffers[index];
    mmd_status status = gltf_element(file, list, index, &spot);
    if (status == MMD_OK)
        status = json_read_u32(&file->reader, &spot, "byteLength", 0, UINT32_MAX, &length);
    if (status == MMD_OK)
        status = read_bytes(file, &spot, parts, index, bytes);
    if (status != MMD_OK)
        return status;
    if (length > bytes->size)
        return json_spot_fail(&file->reader, &spot, MMD_ERROR_TRUNCATED, "%zu bytes where it says %u",
                              bytes->size, length);
    *total += bytes->size;
    if (*total > BUFFER_BYTES_MAX)
        return json_spot_fail(&file->reader, &spot, MMD_ERROR_LIMIT, "more than 2 GiB of buffers");
    bytes->size = length;
    file->buffers[index] = (gltf_buffer){bytes->data, length};
    return MMD_OK;
}

static mmd_status read_buffers(gltf_file *file, const glb *parts, uint64_t *total)
{
    json_spot list;
    mmd_exchange *document = file->document;
    mmd_status status = gltf_list(file, "buffers", &list);
    size_t count = json_spot_count(&list);
    if (status == MMD_OK && count > BUFFERS_MAX)
        status = json_spot_fail(&file->reader, &list, MMD_ERROR_LIMIT, "%zu buffers", count);
    if (status == MMD_OK)
        status = gltf_alloc(file, &list, &document->arena, count, sizeof *file->buffers, &file->buffers);
    if (status == MMD_OK)
        status = gltf_alloc(file, &list, &document->arena, count, sizeof *document->kept->buffers,
                            &document->kept->buffers);
    if (status != MMD_OK)
        return status;
    file->buffer_count = document->kept->buffer_count = (uint32_t)count;
    for (size_t i = 0; i < count && status == MMD_OK; i++)
        status = read_buffer(file, &list, parts, i, total);
    return status;
}

/* -------------------------------------------------------------- the root */

static bool known_extension(const char *name)
{
    for (size_t i = 0; i < sizeof known_extensions / sizeof known_extensions[0]; i++) {
        const char *known = known_extensions[i];
        size_t length = strlen(known);
        if (known[length - 1] == '_' ? strncmp(name, known, length) == 0 : strcmp(name, known) == 0)
            return true;
    }
    return false;
}

static mmd_status check_extensions(gltf_file *file)
{
    json_spot list;
    mmd_status status = gltf_list(file, "extensionsRequired", &list);
    for (size_t i = 0; i < json_spot_count(&list) && status == MMD_OK; i++) {
        json_spot spot = json_spot_element(&list, i);
        const char *name = json_string_value(spot.value);
        if (!name)
            status = json_spot_fail(&file->reader, &spot, MMD_ERROR_VALUE, "no text");
        else if (!known_extension(name))
            status = json_spot_fail(&file->reader, &spot, MMD_ERROR_UNSUPPORTED,
                                    "the file needs %.100s, which is not known", name);
    }
    return status;
}

static mmd_status check_asset(gltf_file *file)
{
    json_reader *reader = &file->reader;
    json_spot asset;
    const char *version;
    if (!json_is_object(file->root.value))
        return json_spot_fail(reader, &file->root, MMD_ERROR_VALUE, "no object");
    mmd_status status = json_read_kind(reader, &file->root, "asset", JSON_OBJECT, &asset);
    if (status == MMD_OK)
        status = json_read_text(reader, &asset, "version", &version);
    if (status == MMD_OK && strncmp(version, "2.", 2) != 0)
        status = json_spot_fail(reader, &asset, MMD_ERROR_VERSION, "version \"%.20s\" of glTF", version);
    if (status == MMD_OK)
        status = json_read_text(reader, &asset, "generator", &file->document->generator);
    return status == MMD_OK ? check_extensions(file) : status;
}

mmd_status gltf_open(gltf_file *file, const void *data, size_t size)
{
    mmd_exchange *document = file->document;
    mmd_error *error = file->reader.error;
    glb parts;
    uint64_t total = size;
    document->arena.limit = gltf_memory_limit(size);
    mmd_status status = split(data, size, &parts, error);
    if (status == MMD_OK)
        status = json_reader_parse(&file->reader, parts.json, parts.json_size, parts.json_at,
                                   &document->arena, error);
    if (status != MMD_OK)
        return status;
    document->kept->root = file->reader.root;
    file->root = json_spot_root(&file->reader);
    status = check_asset(file);
    if (status == MMD_OK)
        status = read_buffers(file, &parts, &total);
    document->arena.limit = gltf_memory_limit((size_t)total);
    return status;
}
