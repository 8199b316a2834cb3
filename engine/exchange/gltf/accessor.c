/*
 * Numbers of a glTF (glTF 2.0, 3.6.2): accessors over views of buffers, of all
 * component types, with strides, sparse values, or without any bytes at all
 * (zeros, which count against the memory that the file may take).
 */
#include <math.h>
#include <string.h>

#include "reader.h"

/* An accessor and the way to it; not to be copied. */
typedef struct accessor_way {
    json_spot accessors, accessor;
    gltf_accessor array;
} accessor_way;

/* ----------------------------------------------------------------- views */

typedef struct view {
    const uint8_t *data;
    size_t size;
    uint32_t stride; /* 0: packed */
} view;

static mmd_status open_view(gltf_file *file, const json_spot *from, int32_t index, view *out)
{
    json_reader *reader = &file->reader;
    json_spot views, spot;
    int32_t buffer;
    uint32_t offset = 0, length = 0;
    mmd_status status = gltf_list(file, "bufferViews", &views);
    if (status == MMD_OK && (index < 0 || (size_t)index >= json_spot_count(&views)))
        status = json_spot_fail(reader, from, MMD_ERROR_INDEX, "buffer view %d where there are %zu", index,
                                json_spot_count(&views));
    if (status == MMD_OK)
        status = gltf_element(file, &views, (size_t)index, &spot);
    if (status == MMD_OK)
        status = json_read_index(reader, &spot, "buffer", file->buffer_count, &buffer);
    if (status == MMD_OK)
        status = json_read_u32(reader, &spot, "byteOffset", 0, UINT32_MAX, &offset);
    if (status == MMD_OK)
        status = json_read_u32(reader, &spot, "byteLength", 0, UINT32_MAX, &length);
    if (status == MMD_OK)
        status = json_read_u32(reader, &spot, "byteStride", 0, 252, &out->stride);
    if (status == MMD_OK && buffer < 0)
        status = json_spot_fail(reader, &spot, MMD_ERROR_INDEX, "a view of no buffer");
    if (status != MMD_OK)
        return status;
    const gltf_buffer *bytes = &file->buffers[buffer];
    if ((uint64_t)offset + length > bytes->size)
        return json_spot_fail(reader, &spot, MMD_ERROR_TRUNCATED, "bytes %u to %llu of a buffer of %zu",
                              offset, (unsigned long long)offset + length, bytes->size);
    out->data = bytes->data + offset;
    out->size = length;
    return MMD_OK;
}

mmd_status gltf_read_view(gltf_file *file, const json_spot *from, int32_t index, const uint8_t **data,
                          size_t *size)
{
    view found = {0};
    mmd_status status = open_view(file, from, index, &found);
    *data = found.data;
    *size = found.size;
    return status;
}

/* ----------------------------------------------------- types of elements */

/* Bytes of a component, 0 where there is no such type. */
static uint32_t component_size(uint32_t type)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 0, 4, 4};
    return type >= 5120 && type <= 5126 ? sizes[type - 5120] : 0;
}

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

static float component_value(const uint8_t *at, uint32_t type, bool normalized)
{
    uint16_t half;
    uint32_t word;
    float value;
    switch (type) {
    case 5120:
        value = (float)(int8_t)*at;
        return normalized ? fmaxf(value / 127, -1) : value;
    case 5121:
        return normalized ? *at / 255.0F : *at;
    case 5122:
        memcpy(&half, at, sizeof half);
        value = (float)(int16_t)half;
        return normalized ? fmaxf(value / 32767, -1) : value;
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

/* Of the unsigned types only. */
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

static mmd_status find_accessor(gltf_file *file, const json_spot *from, int32_t index, accessor_way *way)
{
    mmd_status status = gltf_list(file, "accessors", &way->accessors);
    size_t count = json_spot_count(&way->accessors);
    if (status == MMD_OK && (index < 0 || (size_t)index >= count))
        status = json_spot_fail(&file->reader, from, MMD_ERROR_INDEX, "accessor %d where there are %zu",
                                index, count);
    return status == MMD_OK ? gltf_element(file, &way->accessors, (size_t)index, &way->accessor) : status;
}

/* Checks that `count` elements lie in a view; data and stride of the array. */
static mmd_status place_in_view(gltf_file *file, const json_spot *spot, uint32_t element,
                                gltf_accessor *array)
{
    json_reader *reader = &file->reader;
    json_spot member = json_spot_member(spot, "bufferView");
    int32_t index;
    uint32_t offset;
    view bytes = {0};
    mmd_status status = json_read_index(reader, spot, "bufferView", INT32_MAX, &index);
    if (status == MMD_OK)
        status = json_read_u32(reader, spot, "byteOffset", 0, UINT32_MAX, &offset);
    if (status == MMD_OK && index < 0 && file->reader.arena->limit &&
        (uint64_t)array->count * element > file->reader.arena->limit)
        status = json_spot_fail(reader, spot, MMD_ERROR_LIMIT,
                                "%u elements without bytes are more than a file of this size may have",
                                array->count);
    if (status != MMD_OK || index < 0)
        return status;
    status = open_view(file, &member, index, &bytes);
    if (status != MMD_OK)
        return status;
    array->stride = bytes.stride ? bytes.stride : element;
    if (array->stride < element)
        return json_spot_fail(reader, spot, MMD_ERROR_VALUE, "elements of %u bytes every %zu", element,
                              array->stride);
    uint64_t end = array->count ? offset + (uint64_t)array->stride * (array->count - 1) + element : offset;
    if (end > bytes.size)
        return json_spot_fail(reader, spot, MMD_ERROR_TRUNCATED,
                              "%u elements need %llu bytes of a view of %zu", array->count,
                              (unsigned long long)end, bytes.size);
    array->data = bytes.data + offset;
    return MMD_OK;
}

static mmd_status open_accessor(gltf_file *file, const json_spot *from, int32_t index, accessor_way *way)
{
    json_reader *reader = &file->reader;
    gltf_accessor *array = &way->array;
    json_spot *spot = &way->accessor;
    *array = (gltf_accessor){0};
    mmd_status status = find_accessor(file, from, index, way);
    if (status == MMD_OK)
        status = json_read_u32(reader, spot, "componentType", 0, UINT32_MAX, &array->component_type);
    if (status == MMD_OK)
        status = json_read_u32(reader, spot, "count", 0, INT32_MAX, &array->count);
    if (status == MMD_OK)
        status = json_read_bool(reader, spot, "normalized", false, &array->normalized);
    if (status == MMD_OK)
        status = json_read_kind(reader, spot, "sparse", JSON_OBJECT, &array->sparse);
    if (status != MMD_OK)
        return status;
    const char *type = json_string_value(json_object_get(spot->value, "type"));
    array->components = type ? component_count(type) : 0;
    uint32_t element = array->components * component_size(array->component_type);
    if (element == 0)
        return json_spot_fail(reader, spot, MMD_ERROR_VALUE, "numbers of an unknown type");
    return place_in_view(file, spot, element, array);
}

mmd_status gltf_accessor_count(gltf_file *file, const json_spot *from, int32_t index, uint32_t *count)
{
    accessor_way way;
    mmd_status status = open_accessor(file, from, index, &way);
    *count = status == MMD_OK ? way.array.count : 0;
    return status;
}

/* ---------------------------------------------------------------- sparse */

typedef struct sparse {
    gltf_accessor indices, values;
} sparse;

static mmd_status open_sparse(gltf_file *file, const gltf_accessor *array, sparse *out)
{
    json_reader *reader = &file->reader;
    json_spot indices = json_spot_member(&array->sparse, "indices");
    json_spot values = json_spot_member(&array->sparse, "values");
    uint32_t count = 0, type = 0;
    mmd_status status = json_read_u32(reader, &array->sparse, "count", 0, array->count, &count);
    if (status == MMD_OK)
        status = json_read_u32(reader, &indices, "componentType", 0, UINT32_MAX, &type);
    if (status != MMD_OK)
        return status;
    if (type != 5121 && type != 5123 && type != 5125)
        return json_spot_fail(reader, &indices, MMD_ERROR_VALUE, "indices of a type that is not for indices");
    out->indices = (gltf_accessor){.count = count, .components = 1, .component_type = type};
    out->values = (gltf_accessor){.count = count,
                                  .components = array->components,
                                  .component_type = array->component_type,
                                  .normalized = array->normalized};
    status = place_in_view(file, &indices, component_size(type), &out->indices);
    if (status == MMD_OK)
        status = place_in_view(file, &values, array->components * component_size(array->component_type),
                               &out->values);
    if (status == MMD_OK && count > 0 && (!out->indices.data || !out->values.data))
        status = json_spot_fail(reader, &array->sparse, MMD_ERROR_INDEX, "sparse values without a view");
    return status;
}

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

static mmd_status put_all(gltf_file *file, const accessor_way *way, put_element *put, void *values)
{
    const gltf_accessor *array = &way->array;
    for (uint32_t i = 0; array->data && i < array->count; i++)
        put(array, i, i, values);
    if (!array->sparse.value)
        return MMD_OK;
    sparse over = {0};
    mmd_status status = open_sparse(file, array, &over);
    for (uint32_t i = 0; i < over.indices.count && status == MMD_OK; i++) {
        uint32_t to =
            component_integer(over.indices.data + i * over.indices.stride, over.indices.component_type);
        if (to >= array->count)
            status = json_spot_fail(&file->reader, &array->sparse, MMD_ERROR_INDEX,
                                    "sparse value %u where there are %u", to, array->count);
        else
            put(&over.values, i, to, values);
    }
    return status;
}

/* --------------------------------------------------------------- reading */

static mmd_status check_components(gltf_file *file, const accessor_way *way, uint32_t wanted)
{
    if (wanted == 0 || wanted == way->array.components)
        return MMD_OK;
    return json_spot_fail(&file->reader, &way->accessor, MMD_ERROR_VALUE,
                          "elements of %u numbers where %u are needed", way->array.components, wanted);
}

mmd_status gltf_read_floats(gltf_file *file, const json_spot *from, int32_t index, uint32_t components,
                            float **values, uint32_t *count, uint32_t *found_components)
{
    accessor_way way;
    mmd_status status = open_accessor(file, from, index, &way);
    if (status == MMD_OK)
        status = check_components(file, &way, components);
    if (status != MMD_OK)
        return status;
    size_t total = (size_t)way.array.count * way.array.components;
    status = gltf_alloc(file, &way.accessor, file->reader.arena, total, sizeof **values, values);
    if (status == MMD_OK)
        status = put_all(file, &way, put_floats, *values);
    for (size_t i = 0; i < total && status == MMD_OK; i++)
        if (!isfinite((*values)[i]))
            status =
                json_spot_fail(&file->reader, &way.accessor, MMD_ERROR_VALUE, "number %zu is not finite", i);
    *count = way.array.count;
    if (found_components)
        *found_components = way.array.components;
    return status;
}

mmd_status gltf_read_integers(gltf_file *file, const json_spot *from, int32_t index, uint32_t components,
                              uint32_t **values, uint32_t *count)
{
    accessor_way way;
    mmd_status status = open_accessor(file, from, index, &way);
    if (status == MMD_OK)
        status = check_components(file, &way, components);
    if (status != MMD_OK)
        return status;
    uint32_t type = way.array.component_type;
    if (type != 5121 && type != 5123 && type != 5125)
        return json_spot_fail(&file->reader, &way.accessor, MMD_ERROR_VALUE, "numbers that are not unsigned");
    size_t total = (size_t)way.array.count * way.array.components;
    status = gltf_alloc(file, &way.accessor, file->reader.arena, total, sizeof **values, values);
    if (status == MMD_OK)
        status = put_all(file, &way, put_integers, *values);
    *count = way.array.count;
    return status;
}
