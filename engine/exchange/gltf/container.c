/*
 * The container of a glTF 2.0: GLB chunks or plain JSON, and the buffers, which are the second chunk of the
 * GLB, data: URIs or separate files (glTF 2.0, 3.6 and 4). The length of a buffer is what the file says.
 * Whether there are that many bytes is checked here once; all later code relies on gltf_buffer.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "reader.h"

#define GLB_MAGIC  0x46546C67U
#define CHUNK_JSON 0x4E4F534AU
#define CHUNK_BIN  0x004E4942U

enum {
    BUFFERS_MAX = 4096,
    FREE_MEMORY = 64 << 20, /* memory that any file may use, plus MEMORY_FACTOR times its size */
    MEMORY_FACTOR = 64
};
#define BUFFER_BYTES_MAX ((uint64_t)1 << 31)

/*
 * Extensions that a file may require: physics, and those that only affect the look. A name that ends in _ is
 * a prefix.
 */
static const char *const known_extensions[] = {
    "KHR_collision_shapes",  "KHR_implicit_shapes",   "KHR_physics_rigid_bodies", "OMI_physics_",
    "KHR_lights_punctual",   "KHR_materials_",        "KHR_mesh_quantization",    "KHR_texture_transform",
    "KHR_animation_pointer", "KHR_node_visibility",   "KHR_xmp_json_ld",          "EXT_texture_",
    "KHR_texture_basisu",    "EXT_lights_image_based"};

size_t gltf_memory_limit(size_t input)
{
    return input > (SIZE_MAX - FREE_MEMORY) / MEMORY_FACTOR ? SIZE_MAX : FREE_MEMORY + MEMORY_FACTOR * input;
}

mmd_status gltf_alloc(gltf_file *file, const json_ref *from, mmd_arena *arena, size_t count, size_t size,
                      void *out)
{
    assert(file && arena);
    void *memory = json_reader_ok(&file->reader) ? mmd_arena_alloc(arena, count, size) : NULL;
    memcpy(out, &memory, sizeof memory);
    if (memory)
        return MMD_OK;
    bool limited = arena->limit && (count > SIZE_MAX / size || count * size > arena->limit - arena->used);
    if (limited)
        return json_ref_fail(&file->reader, from, MMD_ERROR_LIMIT,
                             "needs more memory than a file of this size may use");
    return json_ref_fail(&file->reader, from, MMD_ERROR_MEMORY, "no memory for %zu times %zu bytes", count,
                         size);
}

mmd_status gltf_list(gltf_file *file, const char *key, json_ref *out)
{
    assert(file && out);
    return json_read_kind(&file->reader, &file->root, key, JSON_ARRAY, out);
}

mmd_status gltf_element(gltf_file *file, const json_ref *list, size_t index, json_ref *out)
{
    assert(file && list && out);
    *out = json_ref_element(list, index);
    if (json_is_object(out->value))
        return MMD_OK;
    return json_ref_fail(&file->reader, out, MMD_ERROR_VALUE, "must be an object");
}

/* ---------------------------------------------------------------- chunks */

/* The JSON and the binary chunk of a file. */
typedef struct glb {
    const char *json;
    size_t json_size;
    uint64_t json_at;
    const uint8_t *binary; /* NULL: none */
    size_t binary_size;
} glb;

/* Reads the chunks of a GLB. */
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
            return mmd_cursor_fail(cursor, MMD_ERROR_VALUE,
                                   "the first chunk must be JSON, and no other may be");
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

/* Separates JSON and binary chunk. A file without GLB header is plain JSON. */
static mmd_status split_glb(const void *data, size_t size, glb *parts, mmd_error *error)
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
        return mmd_cursor_fail(&cursor, MMD_ERROR_VERSION, "version %u of GLB is not supported", version);
    if (length < cursor.at || length > size)
        return mmd_cursor_fail(&cursor, MMD_ERROR_TRUNCATED, "%zu bytes, but the header says %u", size,
                               length);
    cursor.size = length;
    return read_chunks(&cursor, parts);
}

/* ------------------------------------------------------------------ URIs */

/* Returns the value of a hexadecimal digit, or -1. */
static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool gltf_file_name(const char *uri, char path[MMD_PATH_MAX])
{
    assert(uri);
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

mmd_status gltf_data_uri(gltf_file *file, const json_ref *ref, const char *uri, mmd_buffer *out)
{
    assert(file);
    static const char mark[] = ";base64";
    const char *comma = strchr(uri, ',');
    size_t head = comma ? (size_t)(comma - uri) : 0, length = sizeof mark - 1;
    if (head < length || memcmp(comma - length, mark, length) != 0)
        return json_ref_fail(&file->reader, ref, MMD_ERROR_VALUE, "a data: URI must be base64");
    mmd_error wrong = {0};
    mmd_status status = json_base64_decode(comma + 1, strlen(comma + 1), out, &wrong);
    if (status != MMD_OK)
        return json_ref_fail(&file->reader, ref, status, "%s", wrong.message);
    return MMD_OK;
}

/* --------------------------------------------------------------- buffers */

/* Reads a buffer from a file of the document's source. */
static mmd_status read_external_buffer(gltf_file *file, const json_ref *ref, const char *uri, mmd_buffer *out)
{
    char name[MMD_PATH_MAX], path[MMD_PATH_MAX];
    mmd_error wrong = {0};
    mmd_status status = MMD_ERROR_NOT_FOUND;
    if (gltf_file_name(uri, name) && file->source)
        status = mmd_source_look_up(file->source, file->folder, name, path, &wrong);
    if (status == MMD_ERROR_REFUSED)
        return json_ref_fail(&file->reader, ref, status, "%.60s: %s", uri, wrong.message);
    if (status != MMD_OK)
        return json_ref_fail(&file->reader, ref, status, "file not found: %.100s", uri);
    mmd_bytes bytes;
    status = mmd_source_read(file->source, path, &bytes, &wrong);
    if (status != MMD_OK)
        return json_ref_fail(&file->reader, ref, status, "%.100s: %s", path, wrong.message);
    *out = (mmd_buffer){.data = bytes.data, .size = bytes.size, .capacity = bytes.size};
    file->repeated_bytes += json_object_get(file->buffer_files, path) ? bytes.size : 0;
    if (file->repeated_bytes > FREE_MEMORY)
        return json_ref_fail(&file->reader, ref, MMD_ERROR_LIMIT,
                             "%.100s is the file of several buffers, which together take over %d MiB", path,
                             FREE_MEMORY >> 20);
    if (json_object_set_new_nocheck(file->buffer_files, path, json_true()) != 0)
        return json_ref_fail(&file->reader, ref, MMD_ERROR_MEMORY, "no memory for its name");
    return MMD_OK;
}

/* Reads the bytes of a buffer: data: URI, separate file or binary chunk. */
static mmd_status read_bytes(gltf_file *file, const json_ref *ref, const glb *parts, size_t index,
                             mmd_buffer *out)
{
    const char *uri;
    json_ref uri_ref = json_ref_member(ref, "uri");
    json_view_text(&file->reader, ref, "uri", &uri); /* may be hundreds of megabytes long */
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    if (uri_ref.value)
        return strncmp(uri, "data:", 5) == 0 ? gltf_data_uri(file, &uri_ref, uri, out)
                                             : read_external_buffer(file, &uri_ref, uri, out);
    if (index != 0 || !parts->binary)
        return json_ref_fail(&file->reader, ref, MMD_ERROR_NOT_FOUND,
                             "the buffer has neither a URI nor a binary chunk");
    mmd_write_bytes(out, parts->binary, parts->binary_size);
    return out->failed ? json_ref_fail(&file->reader, ref, MMD_ERROR_MEMORY, "no memory for it") : MMD_OK;
}

/* Reads a buffer, checks its length and adds its size to *total. */
static mmd_status read_buffer(gltf_file *file, const json_ref *list, const glb *parts, size_t index,
                              uint64_t *total)
{
    json_ref ref;
    uint32_t length;
    mmd_buffer *bytes = &file->document->kept->buffers[index];
    gltf_element(file, list, index, &ref);
    json_read_u32(&file->reader, &ref, "byteLength", 0, UINT32_MAX, &length);
    read_bytes(file, &ref, parts, index, bytes);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    if (length > bytes->size)
        return json_ref_fail(&file->reader, &ref, MMD_ERROR_TRUNCATED, "%zu bytes, but byteLength is %u",
                             bytes->size, length);
    *total += bytes->size;
    if (*total > BUFFER_BYTES_MAX)
        return json_ref_fail(&file->reader, &ref, MMD_ERROR_LIMIT, "more than 2 GiB of buffers");
    bytes->size = length;
    file->buffers[index] = (gltf_buffer){bytes->data, length};
    return MMD_OK;
}

static mmd_status read_buffers(gltf_file *file, const glb *parts, uint64_t *total)
{
    json_ref list;
    mmd_exchange *document = file->document;
    gltf_list(file, "buffers", &list);
    size_t count = json_ref_count(&list);
    if (count > BUFFERS_MAX)
        json_ref_fail(&file->reader, &list, MMD_ERROR_LIMIT, "%zu buffers are too many", count);
    gltf_alloc(file, &list, &document->arena, count, sizeof *file->buffers, &file->buffers);
    gltf_alloc(file, &list, &document->arena, count, sizeof *document->kept->buffers,
               &document->kept->buffers);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    file->buffer_count = document->kept->buffer_count = (uint32_t)count;
    file->buffer_files = json_object();
    for (size_t i = 0; i < count && json_reader_ok(&file->reader); i++)
        read_buffer(file, &list, parts, i, total);
    json_decref(file->buffer_files);
    file->buffer_files = NULL;
    return file->reader.status;
}

/* -------------------------------------------------------------- the root */

static bool is_known_extension(const char *name)
{
    for (size_t i = 0; i < sizeof known_extensions / sizeof known_extensions[0]; i++) {
        const char *known = known_extensions[i];
        size_t length = strlen(known);
        if (known[length - 1] == '_' ? strncmp(name, known, length) == 0 : strcmp(name, known) == 0)
            return true;
    }
    return false;
}

/* Fails for a required extension that is not known. */
static mmd_status check_extensions(gltf_file *file)
{
    json_ref list;
    gltf_list(file, "extensionsRequired", &list);
    for (size_t i = 0; i < json_ref_count(&list) && json_reader_ok(&file->reader); i++) {
        json_ref ref = json_ref_element(&list, i);
        const char *name = json_string_value(ref.value);
        if (!name)
            json_ref_fail(&file->reader, &ref, MMD_ERROR_VALUE, "must be a string");
        else if (!is_known_extension(name))
            json_ref_fail(&file->reader, &ref, MMD_ERROR_UNSUPPORTED,
                          "requires the unsupported extension %.100s", name);
    }
    return file->reader.status;
}

/* Checks the version; reads the generator. */
static mmd_status check_asset(gltf_file *file)
{
    json_reader *reader = &file->reader;
    json_ref asset;
    const char *version;
    if (!json_is_object(file->root.value))
        return json_ref_fail(reader, &file->root, MMD_ERROR_VALUE, "must be an object");
    json_read_kind(reader, &file->root, "asset", JSON_OBJECT, &asset);
    json_read_text(reader, &asset, "version", &version);
    if (strncmp(version, "2.", 2) != 0)
        json_ref_fail(reader, &asset, MMD_ERROR_VERSION, "version \"%.20s\" of glTF", version);
    json_read_text(reader, &asset, "generator", &file->document->generator);
    return check_extensions(file);
}

mmd_status gltf_open(gltf_file *file, const void *data, size_t size)
{
    assert(file);
    assert(data || size == 0);
    mmd_exchange *document = file->document;
    mmd_error *error = file->reader.error;
    glb parts;
    uint64_t total = size;
    document->arena.limit = gltf_memory_limit(size);
    mmd_status status = split_glb(data, size, &parts, error);
    if (status == MMD_OK)
        status = json_reader_parse(&file->reader, parts.json, parts.json_size, parts.json_at,
                                   &document->arena, error);
    if (status != MMD_OK)
        return status;
    document->kept->root = file->reader.root;
    file->root = json_ref_root(&file->reader);
    check_asset(file);
    read_buffers(file, &parts, &total);
    document->arena.limit = gltf_memory_limit((size_t)total);
    return file->reader.status;
}

/* ---------------------------------------------------------------- accessors */

/*
 * Numbers of a glTF (glTF 2.0, 3.6.2): accessors over buffer views, with all component types, strides, sparse
 * values, or without any bytes (all zeros, which count towards the file's memory limit).
 */

/* An accessor with references to its JSON. Must not be copied. */
typedef struct accessor_ref {
    json_ref accessors, accessor;
    gltf_accessor array;
} accessor_ref;

/* ----------------------------------------------------------------- views */

typedef struct view {
    const uint8_t *data;
    size_t size;
    uint32_t stride; /* bytes between elements; 0: packed */
} view;

/* Reads a buffer view and checks that it lies inside its buffer. */
static mmd_status open_view(gltf_file *file, const json_ref *from, int32_t index, view *out)
{
    json_reader *reader = &file->reader;
    json_ref views, ref;
    int32_t buffer;
    uint32_t offset = 0, length = 0;
    gltf_list(file, "bufferViews", &views);
    if ((index < 0 || (size_t)index >= json_ref_count(&views)))
        json_ref_fail(reader, from, MMD_ERROR_INDEX, "buffer view %d, but there are %zu", index,
                      json_ref_count(&views));
    gltf_element(file, &views, (size_t)index, &ref);
    json_read_index(reader, &ref, "buffer", file->buffer_count, &buffer);
    json_read_u32(reader, &ref, "byteOffset", 0, UINT32_MAX, &offset);
    json_read_u32(reader, &ref, "byteLength", 0, UINT32_MAX, &length);
    json_read_u32(reader, &ref, "byteStride", 0, 252, &out->stride);
    if (buffer < 0)
        json_ref_fail(reader, &ref, MMD_ERROR_INDEX, "a view without a buffer");
    if (!json_reader_ok(reader))
        return reader->status;
    const gltf_buffer *bytes = &file->buffers[buffer];
    if ((uint64_t)offset + length > bytes->size)
        return json_ref_fail(reader, &ref, MMD_ERROR_TRUNCATED, "bytes %u to %llu exceed a buffer of %zu",
                             offset, (unsigned long long)offset + length, bytes->size);
    out->data = bytes->data + offset;
    out->size = length;
    return MMD_OK;
}

mmd_status gltf_read_view(gltf_file *file, const json_ref *from, int32_t index, const uint8_t **data,
                          size_t *size)
{
    assert(file && data && size);
    view found = {0};
    open_view(file, from, index, &found);
    *data = found.data;
    *size = found.size;
    return file->reader.status;
}

/* ----------------------------------------------------- types of elements */

/* Returns the bytes of a component type; 0: unknown type. */
static uint32_t component_size(uint32_t type)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 0, 4, 4};
    return type >= 5120 && type <= 5126 ? sizes[type - 5120] : 0;
}

/* Returns the number of components of an element type; 0: unknown type. */
static uint32_t component_count(const char *type)
{
    static const struct {
        const char *name;
        uint32_t count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].count;
    return 0;
}

/* Reads a component as float, normalised (glTF 2.0, 3.11) when requested. */
static float component_value(const uint8_t *at, uint32_t type, bool normalized)
{
    uint16_t half;
    uint32_t word;
    float value;
    switch (type) {
    case 5120:
        value = (float)(int8_t)*at;
        return normalized ? mmd_maxf(value / 127, -1) : value;
    case 5121:
        return normalized ? *at / 255.0F : *at;
    case 5122:
        memcpy(&half, at, sizeof half);
        value = (float)(int16_t)half;
        return normalized ? mmd_maxf(value / 32767, -1) : value;
    case 5123:
        memcpy(&half, at, sizeof half);
        return normalized ? half / 65535.0F : half;
    case 5125:
        memcpy(&word, at, sizeof word);
        return normalized ? (float)(word / 4294967295.0) : (float)word;
    default:
        memcpy(&value, at, sizeof value);
        return value;
    }
}

/* Reads a component of an unsigned integer type. */
static uint32_t component_integer(const uint8_t *at, uint32_t type)
{
    uint16_t half;
    uint32_t word;
    if (type == 5121)
        return *at;
    if (type == 5123) {
        memcpy(&half, at, sizeof half);
        return half;
    }
    memcpy(&word, at, sizeof word);
    return word;
}

/* ------------------------------------------------------------- accessors */

static mmd_status find_accessor(gltf_file *file, const json_ref *from, int32_t index, accessor_ref *access)
{
    gltf_list(file, "accessors", &access->accessors);
    size_t count = json_ref_count(&access->accessors);
    if (index < 0 || (size_t)index >= count)
        json_ref_fail(&file->reader, from, MMD_ERROR_INDEX, "accessor %d, but there are %zu", index, count);
    return gltf_element(file, &access->accessors, (size_t)index, &access->accessor);
}

/* Reads bufferView and byteOffset, checks that the elements lie inside the view, and sets data and stride. */
static mmd_status locate_in_view(gltf_file *file, const json_ref *ref, uint32_t element, gltf_accessor *array)
{
    json_reader *reader = &file->reader;
    json_ref member = json_ref_member(ref, "bufferView");
    int32_t index;
    uint32_t offset;
    view bytes = {0};
    json_read_index(reader, ref, "bufferView", INT32_MAX, &index);
    json_read_u32(reader, ref, "byteOffset", 0, UINT32_MAX, &offset);
    if (index < 0 && file->reader.arena->limit &&
        (uint64_t)array->count * element > file->reader.arena->limit)
        json_ref_fail(reader, ref, MMD_ERROR_LIMIT,
                      "%u elements without bytes are more than a file of this size may have", array->count);
    if (!json_reader_ok(reader) || index < 0)
        return reader->status;
    open_view(file, &member, index, &bytes);
    if (!json_reader_ok(reader))
        return reader->status;
    array->stride = bytes.stride ? bytes.stride : element;
    if (array->stride < element)
        return json_ref_fail(reader, ref, MMD_ERROR_VALUE, "elements of %u bytes with a stride of %zu",
                             element, array->stride);
    uint64_t end = array->count ? offset + (uint64_t)array->stride * (array->count - 1) + element : offset;
    if (end > bytes.size)
        return json_ref_fail(reader, ref, MMD_ERROR_TRUNCATED, "%u elements need %llu bytes of a view of %zu",
                             array->count, (unsigned long long)end, bytes.size);
    array->data = bytes.data + offset;
    return MMD_OK;
}

/* Reads and checks an accessor. */
static mmd_status open_accessor(gltf_file *file, const json_ref *from, int32_t index, accessor_ref *access)
{
    json_reader *reader = &file->reader;
    gltf_accessor *array = &access->array;
    json_ref *ref = &access->accessor;
    *array = (gltf_accessor){0};
    find_accessor(file, from, index, access);
    json_read_u32(reader, ref, "componentType", 0, UINT32_MAX, &array->component_type);
    json_read_u32(reader, ref, "count", 0, INT32_MAX, &array->count);
    json_read_bool(reader, ref, "normalized", false, &array->normalized);
    json_read_kind(reader, ref, "sparse", JSON_OBJECT, &array->sparse);
    if (!json_reader_ok(reader))
        return reader->status;
    const char *type = json_string_value(json_object_get(ref->value, "type"));
    array->components = type ? component_count(type) : 0;
    uint32_t element = array->components * component_size(array->component_type);
    if (element == 0)
        return json_ref_fail(reader, ref, MMD_ERROR_VALUE, "unknown component or element type");
    return locate_in_view(file, ref, element, array);
}

mmd_status gltf_accessor_count(gltf_file *file, const json_ref *from, int32_t index, uint32_t *count)
{
    assert(file && count);
    accessor_ref access;
    open_accessor(file, from, index, &access);
    *count = json_reader_ok(&file->reader) ? access.array.count : 0;
    return file->reader.status;
}

/* ---------------------------------------------------------------- sparse */

typedef struct sparse {
    gltf_accessor indices, values;
} sparse;

/* Reads and checks the indices and values of a sparse accessor. */
static mmd_status open_sparse(gltf_file *file, const gltf_accessor *array, sparse *out)
{
    json_reader *reader = &file->reader;
    json_ref indices = json_ref_member(&array->sparse, "indices");
    json_ref values = json_ref_member(&array->sparse, "values");
    uint32_t count = 0, type = 0;
    json_read_u32(reader, &array->sparse, "count", 0, array->count, &count);
    json_read_u32(reader, &indices, "componentType", 0, UINT32_MAX, &type);
    if (!json_reader_ok(reader))
        return reader->status;
    if (type != 5121 && type != 5123 && type != 5125)
        return json_ref_fail(reader, &indices, MMD_ERROR_VALUE, "indices must be unsigned integers");
    out->indices = (gltf_accessor){.count = count, .components = 1, .component_type = type};
    out->values = (gltf_accessor){.count = count,
                                  .components = array->components,
                                  .component_type = array->component_type,
                                  .normalized = array->normalized};
    locate_in_view(file, &indices, component_size(type), &out->indices);
    locate_in_view(file, &values, array->components * component_size(array->component_type), &out->values);
    if (count > 0 && (!out->indices.data || !out->values.data))
        json_ref_fail(reader, &array->sparse, MMD_ERROR_INDEX, "sparse values without a buffer view");
    return reader->status;
}

/* Converts one element of an accessor and stores it as element `to` of values. */
typedef void put_element(const gltf_accessor *from, uint32_t element, uint32_t to, void *values);

static void put_floats(const gltf_accessor *from, uint32_t element, uint32_t to, void *values)
{
    float *out = (float *)values + (size_t)to * from->components;
    const uint8_t *at = from->data + element * from->stride;
    uint32_t size = component_size(from->component_type);
    for (uint32_t k = 0; k < from->components; k++)
        out[k] = component_value(at + k * size, from->component_type, from->normalized);
}

static void put_integers(const gltf_accessor *from, uint32_t element, uint32_t to, void *values)
{
    uint32_t *out = (uint32_t *)values + (size_t)to * from->components;
    const uint8_t *at = from->data + element * from->stride;
    uint32_t size = component_size(from->component_type);
    for (uint32_t k = 0; k < from->components; k++)
        out[k] = component_integer(at + k * size, from->component_type);
}

/* Stores all elements of an accessor, then the sparse ones over them. */
static mmd_status read_elements(gltf_file *file, const accessor_ref *access, put_element *put, void *values)
{
    const gltf_accessor *array = &access->array;
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    for (uint32_t i = 0; array->data && i < array->count; i++)
        put(array, i, i, values);
    if (!array->sparse.value)
        return MMD_OK;
    sparse over = {0};
    open_sparse(file, array, &over);
    for (uint32_t i = 0; i < over.indices.count && json_reader_ok(&file->reader); i++) {
        uint32_t to =
            component_integer(over.indices.data + i * over.indices.stride, over.indices.component_type);
        if (to >= array->count)
            json_ref_fail(&file->reader, &array->sparse, MMD_ERROR_INDEX,
                          "sparse index %u, but there are %u elements", to, array->count);
        else
            put(&over.values, i, to, values);
    }
    return file->reader.status;
}

/* --------------------------------------------------------------- reading */

/* Fails when an accessor does not have the number of components that is needed. */
static mmd_status check_components(gltf_file *file, const accessor_ref *access, uint32_t wanted)
{
    if (wanted == 0 || wanted == access->array.components)
        return MMD_OK;
    return json_ref_fail(&file->reader, &access->accessor, MMD_ERROR_VALUE,
                         "elements have %u components instead of %u", access->array.components, wanted);
}

mmd_status gltf_read_floats(gltf_file *file, const json_ref *from, int32_t index, uint32_t components,
                            float **values, uint32_t *count, uint32_t *found_components)
{
    assert(file);
    assert(components <= 16);
    accessor_ref access;
    *values = NULL;
    *count = 0;
    open_accessor(file, from, index, &access);
    check_components(file, &access, components);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    size_t total = (size_t)access.array.count * access.array.components;
    gltf_alloc(file, &access.accessor, file->reader.arena, total, sizeof **values, values);
    read_elements(file, &access, put_floats, *values);
    for (size_t i = 0; i < total && json_reader_ok(&file->reader); i++)
        if (!isfinite((*values)[i]))
            json_ref_fail(&file->reader, &access.accessor, MMD_ERROR_VALUE, "number %zu is not finite", i);
    *count = access.array.count;
    if (found_components)
        *found_components = access.array.components;
    return file->reader.status;
}

mmd_status gltf_read_integers(gltf_file *file, const json_ref *from, int32_t index, uint32_t components,
                              uint32_t **values, uint32_t *count)
{
    assert(file);
    assert(components <= 16);
    accessor_ref access;
    *values = NULL;
    *count = 0;
    open_accessor(file, from, index, &access);
    check_components(file, &access, components);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    uint32_t type = access.array.component_type;
    if (type != 5121 && type != 5123 && type != 5125)
        return json_ref_fail(&file->reader, &access.accessor, MMD_ERROR_VALUE,
                             "components must be unsigned integers");
    size_t total = (size_t)access.array.count * access.array.components;
    gltf_alloc(file, &access.accessor, file->reader.arena, total, sizeof **values, values);
    read_elements(file, &access, put_integers, *values);
    *count = access.array.count;
    return file->reader.status;
}
