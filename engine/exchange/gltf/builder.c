/*
 * Builds a glTF: JSON objects and lists, nodes with world transforms, and numbers as accessors of the one
 * buffer that is written (glTF 2.0, 3.6 and 3.7). Once memory has run out, nothing more is done.
 *
 * A node's local transform is computed relative to where a reader will find its parent, not relative to the
 * parent's exact transform. So rounding errors do not add up along chains of hundreds of bones.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/elementary.h"
#include "reader.h"
#include "writer.h"

/* ------------------------------------------------------------------ JSON */

void gltf_put(gltf_builder *builder, json_t *object, const char *key, json_t *value)
{
    assert(builder);
    if (builder->failed || !object || !value || json_object_set_new(object, key, value) != 0) {
        if (builder->failed || !object)
            json_decref(value);
        builder->failed = true;
    }
}

/* Returns a member that is an array or an object, created if needed. */
static json_t *member(gltf_builder *builder, json_t *object, const char *name, bool list)
{
    json_t *found = json_object_get(object, name);
    if (builder->failed || (found && (list ? json_is_array(found) : json_is_object(found))))
        return found;
    gltf_put(builder, object, name, list ? json_array() : json_object());
    return json_object_get(object, name);
}

json_t *gltf_object(gltf_builder *builder, json_t *object, const char *name)
{
    assert(builder);
    return builder->failed ? NULL : member(builder, object, name, false);
}

/* Appends to a list, which is NULL when out of memory. */
static bool append(gltf_builder *builder, json_t *list, json_t *value)
{
    if (builder->failed || !list || !value || json_array_append_new(list, value) != 0) {
        if (builder->failed || !list)
            json_decref(value);
        builder->failed = true;
    }
    return !builder->failed;
}

int32_t gltf_append(gltf_builder *builder, const char *list, json_t *value)
{
    assert(builder);
    json_t *array = builder->failed ? NULL : member(builder, builder->root, list, true);
    return append(builder, array, value) ? (int32_t)json_array_size(array) - 1 : 0;
}

/* Adds a name to extensionsUsed, once. */
static void name_extension(gltf_builder *builder, const char *name)
{
    json_t *used = member(builder, builder->root, "extensionsUsed", true);
    for (size_t i = 0; i < json_array_size(used); i++) {
        const char *known = json_string_value(json_array_get(used, i));
        if (known && strcmp(known, name) == 0)
            return;
    }
    append(builder, used, json_string(name));
}

json_t *gltf_extension(gltf_builder *builder, json_t *object, const char *name)
{
    assert(builder);
    if (builder->failed)
        return NULL;
    name_extension(builder, name);
    return gltf_object(builder, gltf_object(builder, object, "extensions"), name);
}

json_t *gltf_node_json(gltf_builder *builder, int32_t node)
{
    assert(builder);
    assert(builder->failed || (node >= 0 && (uint32_t)node < builder->node_count));
    return builder->failed ? NULL : json_array_get(json_object_get(builder->root, "nodes"), (size_t)node);
}

/* ----------------------------------------------------------------- nodes */

int32_t gltf_new_node(gltf_builder *builder)
{
    assert(builder);
    if (!builder->failed && builder->node_count == builder->node_room) {
        uint32_t room = builder->node_room ? builder->node_room * 2 : 64;
        gltf_transform *grown = mmd_realloc(builder->transforms, room * sizeof *grown);
        builder->failed = !grown;
        builder->transforms = grown ? grown : builder->transforms;
        builder->node_room = grown ? room : builder->node_room;
    }
    int32_t node = gltf_append(builder, "nodes", json_object());
    if (builder->failed)
        return 0;
    builder->transforms[builder->node_count++] =
        (gltf_transform){.parent = -1, .turn = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    return node;
}

/* Computes out = inverse(linear part of m) * v. Returns false when it is singular. */
static bool solve(const float m[16], const double v[3], double out[3])
{
    double c[3][3], determinant = 0;
    for (int k = 0; k < 3; k++) { /* cofactors: rows of the inverse times the determinant */
        int a = (k + 1) % 3, b = (k + 2) % 3;
        for (int r = 0; r < 3; r++) {
            int p = (r + 1) % 3, q = (r + 2) % 3;
            c[k][r] =
                (double)m[a * 4 + p] * (double)m[b * 4 + q] - (double)m[a * 4 + q] * (double)m[b * 4 + p];
        }
    }
    for (int r = 0; r < 3; r++)
        determinant += (double)m[r] * c[0][r];
    if (!(fabs(determinant) > 1e-30))
        return false;
    for (int k = 0; k < 3; k++)
        out[k] = (c[k][0] * v[0] + c[k][1] * v[1] + c[k][2] * v[2]) / determinant;
    return true;
}

/* Local transform of a node, rounded as a reader will see it. */
typedef struct local_transform {
    float move[3], turn[4], scale[3];
} local_transform;

/* Computes a node's world transform from its local one, exactly as the reader does. */
static void update_transform(gltf_transform *transform, const gltf_transform *parent,
                             const local_transform *local)
{
    float matrix[16];
    double turn[4], length = 0;
    for (int k = 0; k < 4; k++)
        length += (double)local->turn[k] * (double)local->turn[k];
    for (int k = 0; k < 4; k++)
        turn[k] = (double)local->turn[k] / sqrt(length);
    gltf_compose(local->move, turn, local->scale, matrix);
    memcpy(transform->world, matrix, sizeof matrix);
    if (parent) {
        gltf_multiply(parent->world, matrix, transform->world);
        gltf_mirror_rotation(parent->scale, turn, turn);
        gltf_rotation_multiply(parent->turn, turn, turn);
    }
    memcpy(transform->turn, turn, sizeof turn);
    gltf_extract_scale(transform->world, turn, transform->scale);
}

/* Returns whether a scale is 1 along all axes, within rounding. */
static bool is_unit_scale(const float scale[3])
{
    return fabsf(scale[0] - 1) < 1e-5F && fabsf(scale[1] - 1) < 1e-5F && fabsf(scale[2] - 1) < 1e-5F;
}

/* Returns whether a scale is the same along all axes, within rounding. */
static bool is_uniform_scale(const float scale[3])
{
    float size = fabsf(scale[0]) * 1e-5F;
    return fabsf(scale[0] - scale[1]) <= size && fabsf(scale[0] - scale[2]) <= size;
}

/* Writes translation, rotation and scale, except defaults. */
static void put_local(gltf_builder *builder, json_t *node, const local_transform *local)
{
    static const local_transform none = {.turn = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    if (memcmp(local->move, none.move, sizeof none.move) != 0)
        gltf_put(builder, node, "translation", json_from_floats(local->move, 3));
    if (memcmp(local->turn, none.turn, sizeof none.turn) != 0)
        gltf_put(builder, node, "rotation", json_from_floats(local->turn, 4));
    if (memcmp(local->scale, none.scale, sizeof none.scale) != 0)
        gltf_put(builder, node, "scale", json_from_floats(local->scale, 3));
}

/* Returns the default scene. */
static json_t *scene_of(gltf_builder *builder)
{
    json_t *scenes = json_object_get(builder->root, "scenes");
    return json_array_get(scenes, (size_t)json_integer_value(json_object_get(builder->root, "scene")));
}

/* Makes a node the child of a node or of the scene. A document without scenes draws all nodes. */
static void attach_node(gltf_builder *builder, int32_t node, int32_t parent)
{
    json_t *above = parent >= 0 ? gltf_node_json(builder, parent) : scene_of(builder);
    if (above)
        append(builder, member(builder, above, parent >= 0 ? "children" : "nodes", true), json_integer(node));
}

/* Sets parent and local transform of a node. */
static void set_local(gltf_builder *builder, int32_t node, int32_t parent, const local_transform *local)
{
    if (builder->failed)
        return;
    gltf_transform *transform = &builder->transforms[node];
    transform->parent = parent;
    update_transform(transform, parent >= 0 ? &builder->transforms[parent] : NULL, local);
    put_local(builder, gltf_node_json(builder, node), local);
    attach_node(builder, node, parent);
}

/* Computes the inverse of a scale; zeros become 1. */
static void inverse_scale(const float scale[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = fabsf(scale[k]) > 1e-12F ? 1 / scale[k] : 1;
}

/* Appends a child that cancels the scale of its parent. */
static int32_t add_unscaled(gltf_builder *builder, int32_t parent)
{
    local_transform local = {.turn = {0, 0, 0, 1}};
    int32_t node = gltf_new_node(builder);
    if (!builder->failed)
        inverse_scale(builder->transforms[parent].scale, local.scale);
    set_local(builder, node, parent, &local);
    return node;
}

/* Computes the local transform below a parent that gives a world transform. */
static void local_below(const gltf_transform *parent, const mmd_transform *world, local_transform *local)
{
    static const float still = 1e-9F;
    double turn[4], move[3] = {0, 0, 0}, back[4];
    for (int k = 0; k < 4; k++) {
        turn[k] = (double)world->rotation[k];
        back[k] = k < 3 ? -parent->turn[k] : parent->turn[k];
    }
    double away[3];
    for (int k = 0; k < 3; k++)
        away[k] = (double)world->translation[k] - (double)parent->world[12 + k];
    gltf_rotation_multiply(back, turn, turn);
    solve(parent->world, away, move);
    double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    for (int k = 0; k < 4; k++)
        local->turn[k] = (float)(turn[k] / (turn[3] < 0 ? -length : length));
    for (int k = 0; k < 3; k++)
        local->move[k] = (float)move[k];
    for (int k = 0; k < 3; k++) /* rounding errors of equal rotations */
        local->turn[k] = fabsf(local->turn[k]) < still ? 0 : local->turn[k];
    if (local->turn[0] == 0 && local->turn[1] == 0 && local->turn[2] == 0)
        local->turn[3] = 1;
}

/* Replaces numbers that are not finite, which PMX files may contain but JSON cannot. */
static void make_finite(mmd_transform *transform)
{
    float length = 0;
    for (int k = 0; k < 4; k++)
        length += transform->rotation[k] * transform->rotation[k];
    for (int k = 0; k < 4; k++)
        transform->rotation[k] = length > 1e-6F && isfinite(length) ? transform->rotation[k] : k == 3;
    for (int k = 0; k < 3; k++)
        transform->translation[k] = fabsf(transform->translation[k]) < 1e28F ? transform->translation[k] : 0;
}

/* Returns the node names in use. */
static json_t *names_of(gltf_builder *builder)
{
    if (builder->names || builder->failed)
        return builder->names;
    builder->names = json_object();
    builder->failed = !builder->names;
    json_t *nodes = json_object_get(builder->root, "nodes");
    for (size_t i = 0; i < json_array_size(nodes) && !builder->failed; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(nodes, i), "name"));
        if (name)
            gltf_put(builder, builder->names, name, json_integer(1));
    }
    return builder->names;
}

void gltf_name_node(gltf_builder *builder, int32_t node, const char *name, const char *kind)
{
    assert(builder);
    assert(builder->failed || (node >= 0 && (uint32_t)node < builder->node_count));
    json_t *names = names_of(builder), *item = builder->failed || !name[0] ? NULL : json_text(name);
    mmd_buffer first = {0}, text = {0};
    if (builder->failed || !name[0])
        return;
    const char *plain = json_string_value(item);
    mmd_write_format(&first, kind ? "%s (%s)" : "%s", plain ? plain : "", kind);
    mmd_write_bytes(&text, first.data, first.size + 1);
    builder->failed = !item || first.failed || text.failed;
    /* The entry of the unnumbered name stores the last number, so that the next one is found at once. */
    json_int_t last = builder->failed ? 0 : json_integer_value(json_object_get(names, (char *)first.data));
    json_int_t number = last ? last : 1;
    while (!builder->failed && json_object_get(names, (char *)text.data)) {
        text.size = 0;
        mmd_write_format(&text, kind ? "%s (%s %lld)" : "%s (%s%lld)", plain, kind ? kind : "",
                         (long long)++number);
        builder->failed = text.failed;
    }
    if (!builder->failed) {
        json_t *json = gltf_node_json(builder, node);
        const char *made = (char *)text.data;
        gltf_put(builder, names, made, json_integer(1));
        gltf_put(builder, names, (char *)first.data, json_integer(number));
        gltf_put(builder, json, "name", json_string(made));
        if (strcmp(made, plain) != 0) {
            json_t *record = gltf_object(builder, gltf_object(builder, json, "extras"), "mmd");
            gltf_put(builder, record, "nodeName", json_string(made));
            gltf_put(builder, record, "itemName", json_incref(item));
        }
    }
    json_decref(item);
    mmd_buffer_finish(&first);
    mmd_buffer_finish(&text);
}

size_t gltf_item_name(const json_t *node, const char **name)
{
    assert(name);
    const json_t *record = json_object_get(json_object_get(node, "extras"), "mmd");
    const char *now = json_string_value(json_object_get(node, "name"));
    const char *made = json_string_value(json_object_get(record, "nodeName"));
    const char *item = json_string_value(json_object_get(record, "itemName"));
    size_t length = now ? strlen(now) : 0;
    *name = now ? now : "";
    if (!now || !made || !item)
        return length;
    if (strcmp(now, made) == 0) {
        *name = item;
        return strlen(item);
    }
    size_t same = strlen(item), ending = strlen(made) > same ? strlen(made) - same : 0;
    if (strncmp(made, item, same) == 0 && length > ending && strcmp(now + length - ending, made + same) == 0)
        length -= ending; /* renamed by a user who left our suffix */
    return length;
}

void gltf_set_node(gltf_builder *builder, int32_t node, int32_t parent, const mmd_transform *world)
{
    assert(builder);
    assert(builder->failed || (node >= 0 && (uint32_t)node < builder->node_count));
    assert(parent < node || builder->failed || (uint32_t)parent < builder->node_count);
    mmd_transform file;
    local_transform local = {.scale = {1, 1, 1}};
    mmd_exchange_to_file(MMD_EXCHANGE_GLTF, world, &file);
    make_finite(&file);
    memcpy(local.move, file.translation, sizeof local.move);
    memcpy(local.turn, file.rotation, sizeof local.turn);
    if (!builder->failed && parent >= 0 && !is_uniform_scale(builder->transforms[parent].scale))
        parent = add_unscaled(builder, parent);
    if (builder->failed)
        return;
    if (parent >= 0) {
        local_below(&builder->transforms[parent], &file, &local);
        if (!is_unit_scale(builder->transforms[parent].scale))
            inverse_scale(builder->transforms[parent].scale, local.scale);
    }
    for (int k = 0; k < 3; k++) { /* no -0 */
        local.move[k] += 0.0F;
        local.turn[k] += 0.0F;
    }
    set_local(builder, node, parent, &local);
}

int32_t gltf_add_node(gltf_builder *builder, const char *name, const char *kind, int32_t parent,
                      const mmd_transform *world)
{
    assert(builder);
    assert(builder->failed || parent < (int32_t)builder->node_count);
    int32_t node = gltf_new_node(builder);
    gltf_name_node(builder, node, name, kind);
    gltf_set_node(builder, node, parent, world);
    return node;
}

void gltf_find_transform(const gltf_builder *builder, int32_t node, mmd_transform *transform, float scale[3])
{
    assert(builder && transform);
    assert(builder->failed || (node >= 0 && (uint32_t)node < builder->node_count));
    static const gltf_transform nowhere = {.turn = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    const gltf_transform *found = builder->failed ? &nowhere : &builder->transforms[node];
    mmd_transform file = {
        {(float)found->turn[0], (float)found->turn[1], (float)found->turn[2], (float)found->turn[3]},
        {found->world[12], found->world[13], found->world[14], 0}};
    mmd_exchange_from_file(MMD_EXCHANGE_GLTF, &file, transform);
    if (scale)
        memcpy(scale, found->scale, sizeof found->scale);
}

/* --------------------------------------------------------------- numbers */

int32_t gltf_add_view(gltf_builder *builder, const void *data, size_t size, int target)
{
    assert(builder);
    if (builder->failed)
        return 0;
    mmd_write_zeros(&builder->bytes, (4 - builder->bytes.size % 4) % 4);
    size_t at = builder->bytes.size;
    mmd_write_bytes(&builder->bytes, data, size);
    builder->failed = builder->bytes.failed || builder->bytes.size > INT32_MAX;
    json_t *view = json_pack("{s:i, s:I, s:I}", "buffer", (int)builder->buffer, "byteOffset", (json_int_t)at,
                             "byteLength", (json_int_t)size);
    if (target)
        gltf_put(builder, view, "target", json_integer(target));
    return gltf_append(builder, "bufferViews", view);
}

/* Returns the number of components of an element type. */
static uint32_t width_of(const char *type)
{
    return strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "MAT4") == 0 ? 16 : (uint32_t)(type[3] - '0');
}

/* Returns an accessor without its data. */
static json_t *accessor(int component, uint32_t count, const char *type)
{
    return json_pack("{s:i, s:I, s:s}", "componentType", component, "count", (json_int_t)count, "type", type);
}

/* Writes minimum and maximum of each component. zeros: elements that are not in values are zero. */
static void put_bounds(gltf_builder *builder, json_t *into, const float *values, uint32_t count,
                       uint32_t width, bool zeros)
{
    float low[16] = {0}, high[16] = {0};
    for (uint32_t k = 0; k < width && count > 0; k++) {
        low[k] = zeros ? mmd_minf(0, values[k]) : values[k];
        high[k] = zeros ? mmd_maxf(0, values[k]) : values[k];
        for (uint32_t i = 1; i < count; i++) {
            low[k] = mmd_minf(low[k], values[(size_t)i * width + k]);
            high[k] = mmd_maxf(high[k], values[(size_t)i * width + k]);
        }
    }
    gltf_put(builder, into, "min", json_from_floats(low, width));
    gltf_put(builder, into, "max", json_from_floats(high, width));
}

int32_t gltf_add_floats(gltf_builder *builder, const float *values, uint32_t count, const char *type,
                        int target, bool bounds)
{
    assert(builder);
    if (builder->failed)
        return 0;
    uint32_t width = width_of(type);
    json_t *made = accessor(GLTF_FLOAT, count, type);
    gltf_put(builder, made, "bufferView",
             json_integer(gltf_add_view(builder, values, (size_t)count * width * sizeof *values, target)));
    if (bounds)
        put_bounds(builder, made, values, count, width, false);
    return gltf_append(builder, "accessors", made);
}

/*
 * Returns the smallest type for indices up to highest. The largest value of each type is reserved (primitive
 * restart).
 */
static int type_for(uint32_t highest, int least)
{
    return highest < UINT8_MAX && least <= GLTF_U8     ? GLTF_U8
           : highest < UINT16_MAX && least <= GLTF_U16 ? GLTF_U16
                                                       : GLTF_U32;
}

/* Returns integers packed into fewer bytes each; release with mmd_free. */
static void *narrow(const uint32_t *values, size_t count, int type, size_t *size)
{
    size_t width = type == GLTF_U8 ? 1 : type == GLTF_U16 ? 2 : 4;
    uint8_t *bytes = mmd_alloc(count * width);
    *size = count * width;
    for (size_t i = 0; bytes && i < count; i++)
        for (size_t k = 0; k < width; k++)
            bytes[i * width + k] = (uint8_t)(values[i] >> 8 * k);
    return bytes;
}

static uint32_t highest_of(const uint32_t *values, size_t count)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < count; i++)
        highest = values[i] > highest ? values[i] : highest;
    return highest;
}

/* Appends packed integers as a buffer view. */
static int32_t add_narrow_view(gltf_builder *builder, const uint32_t *values, size_t count, int type,
                               int target)
{
    size_t size;
    void *bytes = builder->failed ? NULL : narrow(values, count, type, &size);
    builder->failed = builder->failed || !bytes;
    int32_t view = bytes ? gltf_add_view(builder, bytes, size, target) : 0;
    mmd_free(bytes);
    return view;
}

int32_t gltf_add_integers(gltf_builder *builder, const uint32_t *values, uint32_t count, const char *type,
                          int target, int least)
{
    assert(builder);
    size_t total = (size_t)count * width_of(type);
    int component = type_for(highest_of(values, total), least);
    int32_t view = add_narrow_view(builder, values, total, component, target);
    json_t *made = builder->failed ? NULL : accessor(component, count, type);
    gltf_put(builder, made, "bufferView", json_integer(view));
    return gltf_append(builder, "accessors", made);
}

/* Writes the sparse part of an accessor. */
static void put_sparse(gltf_builder *builder, json_t *into, const uint32_t *rows, const float (*values)[3],
                       uint32_t row_count)
{
    int component = type_for(highest_of(rows, row_count), GLTF_U8);
    int32_t indices = add_narrow_view(builder, rows, row_count, component, 0);
    int32_t numbers = gltf_add_view(builder, values, row_count * sizeof *values, 0);
    gltf_put(builder, into, "sparse",
             json_pack("{s:I, s:{s:i, s:i}, s:{s:i}}", "count", (json_int_t)row_count, "indices",
                       "bufferView", (int)indices, "componentType", component, "values", "bufferView",
                       (int)numbers));
}

int32_t gltf_add_sparse(gltf_builder *builder, uint32_t count, const uint32_t *rows, const float (*values)[3],
                        uint32_t row_count)
{
    assert(builder);
    if (builder->failed)
        return 0;
    json_t *made = accessor(GLTF_FLOAT, count, "VEC3");
    if (row_count > 0)
        put_sparse(builder, made, rows, values, row_count);
    put_bounds(builder, made, row_count ? values[0] : NULL, row_count, 3, row_count < count);
    return gltf_append(builder, "accessors", made);
}

/* ---------------------------------------------------------------- shapes */

/* Writes the indices of triangles. */
static void add_triangles(gltf_builder *builder, json_t *primitive, const uint32_t *indices, uint32_t count)
{
    uint32_t *turned = mmd_alloc(count * sizeof *turned);
    builder->failed = builder->failed || !turned;
    for (uint32_t i = 0; turned && i + 2 < count; i += 3) { /* mirroring in Z reverses the winding */
        turned[i] = indices[i];
        turned[i + 1] = indices[i + 2];
        turned[i + 2] = indices[i + 1];
    }
    if (turned)
        gltf_put(
            builder, primitive, "indices",
            json_integer(gltf_add_integers(builder, turned, count, "SCALAR", GLTF_ELEMENT_BUFFER, GLTF_U8)));
    mmd_free(turned);
}

/* Writes the triangles of a mesh, else of its hull, else points. */
static void add_surface(gltf_builder *builder, json_t *primitive, const mmd_phys_mesh *mesh)
{
    uint32_t *hull = NULL, count = 0;
    if (mesh->index_count > 0)
        add_triangles(builder, primitive, mesh->indices, mesh->index_count);
    else if (mmd_hull_triangles(mesh->points, mesh->point_count, &hull, &count))
        add_triangles(builder, primitive, hull, count);
    else
        gltf_put(builder, primitive, "mode", json_integer(0)); /* points in a plane have no hull */
    mmd_free(hull);
}

int32_t gltf_add_shape_mesh(gltf_builder *builder, const mmd_phys_mesh *mesh, const char *name)
{
    assert(builder && mesh);
    float(*points)[3] = builder->failed ? NULL : mmd_alloc(mesh->point_count * sizeof *points);
    json_t *primitive = json_object();
    builder->failed = builder->failed || !points || !primitive;
    for (uint32_t i = 0; points && i < mesh->point_count; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (k == 2 ? -METRES_PER_UNIT : METRES_PER_UNIT) * mesh->points[i][k];
    if (points)
        gltf_put(builder, gltf_object(builder, primitive, "attributes"), "POSITION",
                 json_integer(gltf_add_floats(builder, points[0], mesh->point_count, "VEC3",
                                              GLTF_ARRAY_BUFFER, true)));
    mmd_free(points);
    if (!builder->failed)
        add_surface(builder, primitive, mesh);
    json_t *made = json_pack("{s:[o]}", "primitives", primitive);
    if (name && name[0])
        gltf_put(builder, made, "name", json_text(name));
    return gltf_append(builder, "meshes", made);
}

/* ---------------------------------------------------------------- losses */

void gltf_loss(gltf_builder *builder, mmd_loss_severity severity, const char *code, const char *kind,
               uint32_t item, const char *name, const char *field, const char *source, const char *emitted)
{
    assert(builder);
    assert((unsigned)severity <= MMD_LOSS_DROPPED);
    char path[LOSS_PATH_MAX];
    if (!builder->job->second_pass)
        return;
    losses_path(path, kind, item, name);
    losses_add(&builder->job->output->losses, severity, true, MMD_EXCHANGE_GLTF, code, path, field, source,
               emitted);
}

void gltf_count_loss(gltf_builder *builder, mmd_loss_severity severity, const char *code, const char *path,
                     const char *field, uint32_t count)
{
    assert(builder);
    assert((unsigned)severity <= MMD_LOSS_DROPPED);
    char number[16];
    if (!builder->job->second_pass)
        return;
    snprintf(number, sizeof number, "%u", count);
    losses_add(&builder->job->output->losses, severity, true, MMD_EXCHANGE_GLTF, code, path, field, number,
               "");
}
