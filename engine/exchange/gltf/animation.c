/*
 * Reads animations of a glTF (glTF 2.0, 3.11, appendix C) as motions of bones.
 *
 * A bone's motion is relative to its rest pose, in the axes of the model. With C the rest rotation of a node,
 * C' that of its parent, and l the rotation in the file at some time, the bone's rotation is C' l inverse(C).
 * That is linear in l, with unit quaternions on both sides, so interpolating converted keys (spherical or
 * cubic) equals converting interpolated ones. Translations are transformed by the parent's world matrix.
 * Scales are relative to the rest scale, which is baked into the vertices. A node whose rest scale is almost
 * zero uses its largest scale instead (nodes.c).
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "reader.h"

#define SCALE_MAX 1e6F /* relative to rest */
/*
 * Limits of all other values (in MMD's units) and of times (in seconds), so that interpolation and tangents
 * stay finite.
 */
#define VALUE_MAX 1e20F
#define TIME_MAX  1e9F

/* A channel's sampler and target. */
typedef struct sampled_channel {
    json_ref sampler;
    uint32_t count, width; /* keys; numbers per key */
    uint8_t interpolation;
    const float *times;
    float *values; /* count * width numbers; cubic: three times as many (in tangent, value, out tangent) */
    const float *given; /* scales only: the file's values, because the converted ones have more numbers */
    int32_t node;
    const char *path;
} sampled_channel;

/* Channels on the heap, moved to the arena at the end. */
typedef struct channel_list {
    mmd_animation_channel *items;
    uint32_t count, room;
} channel_list;

/* Returns 3 for cubic keys (two tangents and the value), else 1. */
static uint32_t values_per_key(const sampled_channel *from)
{
    return from->interpolation == MMD_INTERPOLATION_CUBIC ? 3 : 1;
}

/* Returns whether element i is a value and not a tangent. */
static bool is_value(const sampled_channel *from, uint32_t i)
{
    return values_per_key(from) == 1 || i % 3 == 1;
}

/* ------------------------------------------------------------ conversion */

/*
 * Converts rotations in place: C' S l S inverse(C), where S mirrors by the parent's signs, then mirrors into
 * MMD's space.
 */
static void convert_rotation(const gltf_scene *scene, const sampled_channel *from)
{
    const gltf_node *node = &scene->file->nodes[from->node];
    static const float plain[3] = {1, 1, 1};
    static const double none[4] = {0, 0, 0, 1};
    const float *mirrors = node->parent >= 0 ? scene->file->nodes[node->parent].scale : plain;
    const double *parent = node->parent >= 0 ? scene->turns[node->parent] : none;
    const double *rest = scene->turns[from->node];
    const double back[4] = {-rest[0], -rest[1], -rest[2], rest[3]};
    for (uint32_t i = 0; i < from->count * values_per_key(from); i++) {
        float *q = from->values + (size_t)i * 4;
        double turn[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
        double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
        for (int k = 0; k < 4 && is_value(from, i); k++)
            turn[k] = length > 0 ? turn[k] / length : k == 3;
        gltf_mirror_rotation(mirrors, turn, turn);
        gltf_rotation_multiply(parent, turn, turn);
        gltf_rotation_multiply(turn, back, turn);
        q[0] = (float)-turn[0];
        q[1] = (float)-turn[1];
        q[2] = (float)turn[2];
        q[3] = (float)turn[3];
    }
}

/* Converts translations in place: offsets from rest, in MMD's space and units. */
static void convert_translation(const gltf_scene *scene, const sampled_channel *from)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const gltf_node *node = &scene->file->nodes[from->node];
    const float *m = node->parent >= 0 ? scene->file->nodes[node->parent].world : identity;
    const float *rest = scene->local_moves[from->node];
    for (uint32_t i = 0; i < from->count * values_per_key(from); i++) {
        float *value = from->values + (size_t)i * 3, moved[3];
        for (int k = 0; k < 3; k++)
            moved[k] = value[k] - (is_value(from, i) ? rest[k] : 0);
        for (int r = 0; r < 3; r++) {
            float sum = m[r] * moved[0] + m[4 + r] * moved[1] + m[8 + r] * moved[2];
            value[r] = (r == 2 ? -sum : sum) / METRES_PER_UNIT;
        }
    }
}

/* Computes the axes of a node at rest, as columns in MMD's space. Their signs do not matter for a scale. */
static void rest_axes(const gltf_scene *scene, int32_t node, double axes[3][3])
{
    const double *q = scene->turns[node];
    const double back[4] = {-q[0], -q[1], -q[2], q[3]};
    for (int c = 0; c < 3; c++) {
        double turned[4] = {c == 0, c == 1, c == 2, 0};
        gltf_rotation_multiply(q, turned, turned);
        gltf_rotation_multiply(turned, back, turned);
        for (int r = 0; r < 3; r++)
            axes[c][r] = r == 2 ? -turned[r] : turned[r];
    }
}

/*
 * Converts three factors along the node's axes to a symmetric matrix (six numbers) in the bone's axes. The
 * conversion is linear, so interpolation is preserved.
 */
static void convert_scale(const gltf_scene *scene, const sampled_channel *from)
{
    static const uint8_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const float *rest = scene->local_scales[from->node], *given = from->given;
    double axes[3][3];
    rest_axes(scene, from->node, axes);
    for (uint32_t i = 0; i < from->count * values_per_key(from); i++) {
        double ratio[3];
        for (uint32_t c = 0; c < 3; c++)
            ratio[c] = rest[c] != 0 ? (double)given[(size_t)i * 3 + c] / (double)rest[c] : is_value(from, i);
        for (uint32_t k = 0; k < 6; k++) {
            double sum = 0;
            for (int c = 0; c < 3; c++)
                sum += axes[c][row[k]] * ratio[c] * axes[c][column[k]];
            from->values[(size_t)i * 6 + k] = (float)sum;
        }
    }
}

/* --------------------------------------------------------------- reading */

/* Reads the interpolation; unknown ones are linear. */
static mmd_status read_interpolation(gltf_file *file, sampled_channel *out)
{
    static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    const char *name;
    json_read_text(&file->reader, &out->sampler, "interpolation", &name);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    out->interpolation = MMD_INTERPOLATION_LINEAR;
    for (uint8_t i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0)
            out->interpolation = i;
    return MMD_OK;
}

/* Reads and checks times and values of a sampler. */
static mmd_status read_keys(gltf_file *file, sampled_channel *out)
{
    json_reader *reader = &file->reader;
    json_ref input = json_ref_member(&out->sampler, "input");
    json_ref output = json_ref_member(&out->sampler, "output");
    int32_t times, values;
    float *time = NULL;
    uint32_t found = 0, components = 0;
    json_read_index(reader, &out->sampler, "input", INT32_MAX, &times);
    json_read_index(reader, &out->sampler, "output", INT32_MAX, &values);
    gltf_read_floats(file, &input, times, 1, &time, &out->count, NULL);
    gltf_read_floats(file, &output, values, 0, &out->values, &found, &components);
    if (!json_reader_ok(reader))
        return reader->status;
    out->times = time;
    for (uint32_t i = 0; i < out->count; i++)
        if (time[i] < 0 || (i > 0 && time[i] < time[i - 1]))
            return json_ref_fail(reader, &input, MMD_ERROR_VALUE,
                                 "time %u is negative or before the previous one", i);
    if (out->count && time[out->count - 1] > TIME_MAX)
        return json_ref_fail(reader, &input, MMD_ERROR_VALUE, "%g seconds are too long, the limit is %g",
                             (double)time[out->count - 1], (double)TIME_MAX);
    uint64_t numbers = (uint64_t)found * components, keys = (uint64_t)out->count * values_per_key(out);
    if (keys == 0 || numbers % keys != 0)
        return json_ref_fail(reader, &output, MMD_ERROR_COUNT, "%llu numbers for %u times",
                             (unsigned long long)numbers, out->count);
    out->width = (uint32_t)(numbers / keys);
    return MMD_OK;
}

/*
 * Fails when converted values are too large: finite numbers of the file may overflow in MMD's units or
 * between keys.
 */
static mmd_status check_values(const gltf_scene *scene, const sampled_channel *from, const float *values,
                               uint32_t width)
{
    uint32_t per_key = values_per_key(from) * width;
    for (size_t i = 0; json_reader_ok(&scene->file->reader) && i < (size_t)from->count * per_key; i++)
        if (!(fabsf(values[i]) <= VALUE_MAX))
            return json_ref_fail(&scene->file->reader, &from->sampler, MMD_ERROR_VALUE,
                                 "the %s of key %u is too large", from->path, (uint32_t)(i / per_key));
    return MMD_OK;
}

/* Appends a channel to the list. */
static mmd_status add_channel(gltf_scene *scene, const json_ref *ref, channel_list *list,
                              const mmd_animation_channel *channel)
{
    if (list->count == list->room) {
        uint32_t room = list->room ? list->room * 2 : 16;
        mmd_animation_channel *grown = mmd_realloc(list->items, room * sizeof *grown);
        if (!grown)
            return json_ref_fail(&scene->file->reader, ref, MMD_ERROR_MEMORY, "no memory for channels");
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = *channel;
    return MMD_OK;
}

/*
 * Adds one channel per morph, because a key of the file holds the weights of all morphs of a node. Weights
 * are relative to those at rest.
 */
static mmd_status add_weights(gltf_scene *scene, const json_ref *ref, const sampled_channel *from,
                              channel_list *list)
{
    const gltf_node_morphs *morphs = &scene->morphs[from->node];
    uint32_t keys = from->count * values_per_key(from);
    for (uint32_t k = 0; k < morphs->count && k < from->width && json_reader_ok(&scene->file->reader); k++) {
        float *values;
        gltf_alloc(scene->file, ref, &scene->file->document->arena, keys, sizeof *values, &values);
        for (uint32_t i = 0; i < keys && json_reader_ok(&scene->file->reader); i++)
            values[i] =
                from->values[(size_t)i * from->width + k] - (is_value(from, i) ? morphs->defaults[k] : 0);
        check_values(scene, from, values, 1);
        add_channel(scene, ref, list,
                    &(mmd_animation_channel){MMD_ANIMATED_WEIGHT, from->interpolation,
                                             (int32_t)(morphs->first + k), from->count, from->times, values});
    }
    return scene->file->reader.status;
}

typedef struct path_kind {
    const char *path;
    uint32_t width;
    uint8_t animated;
    void (*convert)(const gltf_scene *scene, const sampled_channel *from); /* in place; NULL: make_scales */
} path_kind;

static const path_kind kinds[] = {{"translation", 3, MMD_ANIMATED_TRANSLATION, convert_translation},
                                  {"rotation", 4, MMD_ANIMATED_ROTATION, convert_rotation},
                                  {"scale", 3, MMD_ANIMATED_SCALE, NULL}};

/* Returns whether a scale differs along its axes. */
static bool is_nonuniform(const float scale[3])
{
    float low = fabsf(scale[0]), high = low;
    for (int k = 1; k < 3; k++) {
        low = mmd_minf(low, fabsf(scale[k]));
        high = mmd_maxf(high, fabsf(scale[k]));
    }
    return high - low > 1e-4F * high;
}

/* Returns whether any converted rotation differs from the identity. */
static bool has_rotation(const sampled_channel *from)
{
    for (uint32_t i = 0; i < from->count * values_per_key(from); i++)
        for (uint32_t k = 0; k < 3; k++)
            if (fabsf(from->values[(size_t)i * 4 + k]) > 1e-4F)
                return true;
    return false;
}

/*
 * Reports the loss of shear: rotation or scale below a non-uniform scale shears in glTF. Here the parent's
 * scale is baked into the vertices and does not turn along.
 */
static void report_shear(gltf_scene *scene, const json_ref *ref, const sampled_channel *from)
{
    int32_t parent = scene->file->nodes[from->node].parent;
    if (parent >= 0 && is_nonuniform(scene->file->nodes[parent].scale))
        losses_add_at(&scene->file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_GLTF,
                      "animation.shear", ref, from->path, "");
}

/*
 * Returns whether any key has a scale other than 1. Many exporters write scale keys of 1 for every node;
 * models with only these are treated as unscaled.
 */
static bool has_scale_keys(const sampled_channel *from)
{
    for (uint32_t i = 0; i < from->count * values_per_key(from); i++)
        for (uint32_t k = 0; k < 6; k++) {
            float none = is_value(from, i) && k < 3 ? 1.0F : 0.0F;
            if (!(fabsf(from->values[(size_t)i * 6 + k] - none) <= 1e-5F))
                return true;
        }
    return false;
}

/* Converts scale keys. */
static mmd_status make_scales(gltf_scene *scene, const json_ref *ref, sampled_channel *from)
{
    size_t keys = (size_t)from->count * values_per_key(from);
    from->given = from->values;
    gltf_alloc(scene->file, ref, &scene->file->document->arena, keys * 6, sizeof *from->values,
               &from->values);
    if (!json_reader_ok(&scene->file->reader))
        return scene->file->reader.status;
    convert_scale(scene, from);
    for (size_t i = 0; i < keys * 6; i++)
        if (!(fabsf(from->values[i]) < SCALE_MAX))
            return json_ref_fail(&scene->file->reader, &from->sampler, MMD_ERROR_VALUE,
                                 "a scale is too large");
    if (has_scale_keys(from)) {
        scene->model->has_scale = true;
        report_shear(scene, ref, from);
    }
    return MMD_OK;
}

/* Converts a translation, rotation or scale channel and adds it. */
static mmd_status add_transform_channel(gltf_scene *scene, const json_ref *ref, sampled_channel *from,
                                        channel_list *list)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(from->path, kinds[i].path) != 0)
            continue;
        if (from->width != kinds[i].width)
            return json_ref_fail(&scene->file->reader, &from->sampler, MMD_ERROR_COUNT,
                                 "keys have %u numbers, but a %s needs %u", from->width, from->path,
                                 kinds[i].width);
        if (!kinds[i].convert) {
            make_scales(scene, ref, from);
        } else {
            kinds[i].convert(scene, from);
            check_values(scene, from, from->values, from->width);
        }
        if (kinds[i].animated == MMD_ANIMATED_ROTATION && has_rotation(from))
            report_shear(scene, ref, from);
        if (!json_reader_ok(&scene->file->reader))
            return scene->file->reader.status;
        return add_channel(scene, ref, list,
                           &(mmd_animation_channel){kinds[i].animated, from->interpolation, from->node,
                                                    from->count, from->times, from->values});
    }
    return MMD_OK; /* a path of an extension */
}

/* Reads a channel's target and sampler index. A channel without a node is ignored. */
static mmd_status read_target(gltf_scene *scene, const json_ref *channel, size_t samplers,
                              sampled_channel *out, int32_t *sampler)
{
    json_reader *reader = &scene->file->reader;
    json_ref target;
    json_read_kind(reader, channel, "target", JSON_OBJECT, &target);
    json_read_index(reader, &target, "node", scene->file->node_count, &out->node);
    json_read_text(reader, &target, "path", &out->path);
    json_read_index(reader, channel, "sampler", samplers, sampler);
    return reader->status;
}

static mmd_status read_sampler(gltf_scene *scene, const json_ref *samplers, int32_t sampler,
                               sampled_channel *from)
{
    gltf_element(scene->file, samplers, (size_t)sampler, &from->sampler);
    read_interpolation(scene->file, from);
    return read_keys(scene->file, from);
}

/* Processes one channel of an animation. */
typedef mmd_status channel_function(gltf_scene *scene, const json_ref *channel, const json_ref *samplers,
                                    channel_list *list);

/* Reads a channel and adds the model's channels for it. */
static mmd_status read_channel(gltf_scene *scene, const json_ref *channel, const json_ref *samplers,
                               channel_list *list)
{
    sampled_channel from = {0};
    int32_t sampler = -1;
    read_target(scene, channel, json_ref_count(samplers), &from, &sampler);
    if (!json_reader_ok(&scene->file->reader) || from.node < 0 || sampler < 0)
        return scene->file->reader.status;
    read_sampler(scene, samplers, sampler, &from);
    if (!json_reader_ok(&scene->file->reader))
        return scene->file->reader.status;
    return strcmp(from.path, "weights") == 0 ? add_weights(scene, channel, &from, list)
                                             : add_transform_channel(scene, channel, &from, list);
}

/* Updates the largest scales of a node from a scale channel. */
static mmd_status measure_channel(gltf_scene *scene, const json_ref *channel, const json_ref *samplers,
                                  channel_list *list)
{
    (void)list;
    sampled_channel from = {0};
    int32_t sampler = -1;
    read_target(scene, channel, json_ref_count(samplers), &from, &sampler);
    if (!json_reader_ok(&scene->file->reader) || from.node < 0 || sampler < 0 ||
        strcmp(from.path, "scale") != 0)
        return scene->file->reader.status;
    mmd_arena *own = scene->file->reader.arena, scratch = {.limit = own->limit};
    scene->file->reader.arena = &scratch;
    read_sampler(scene, samplers, sampler, &from);
    float *largest = scene->largest_scales[from.node];
    for (uint32_t i = 0;
         json_reader_ok(&scene->file->reader) && from.width == 3 && i < from.count * values_per_key(&from);
         i++)
        for (uint32_t k = 0; is_value(&from, i) && k < 3; k++)
            if (fabsf(from.values[(size_t)i * 3 + k]) > fabsf(largest[k]))
                largest[k] = from.values[(size_t)i * 3 + k];
    mmd_arena_finish(&scratch);
    scene->file->reader.arena = own;
    return scene->file->reader.status;
}

/* Calls a function for every channel of an animation. */
static mmd_status each_channel(gltf_scene *scene, const json_ref *animation, channel_function *function,
                               channel_list *list)
{
    json_reader *reader = &scene->file->reader;
    json_ref channels, samplers;
    json_read_kind(reader, animation, "channels", JSON_ARRAY, &channels);
    json_read_kind(reader, animation, "samplers", JSON_ARRAY, &samplers);
    for (size_t i = 0; json_reader_ok(reader) && i < json_ref_count(&channels); i++) {
        json_ref channel;
        gltf_element(scene->file, &channels, i, &channel);
        function(scene, &channel, &samplers, list);
    }
    return reader->status;
}

/* Copies the channels into the arena and computes the animation's duration. */
static mmd_status store_channels(gltf_scene *scene, const json_ref *ref, const channel_list *list,
                                 mmd_animation *animation)
{
    mmd_animation_channel *stored;
    gltf_alloc(scene->file, ref, &scene->file->document->arena, list->count, sizeof *stored, &stored);
    if (!json_reader_ok(&scene->file->reader))
        return scene->file->reader.status;
    if (list->count)
        memcpy(stored, list->items, list->count * sizeof *stored);
    animation->channels = stored;
    animation->channel_count = list->count;
    for (uint32_t i = 0; i < list->count; i++)
        animation->seconds = mmd_maxf(animation->seconds, stored[i].times[stored[i].count - 1]);
    return MMD_OK;
}

static mmd_status read_animation(gltf_scene *scene, const json_ref *ref, mmd_animation *animation)
{
    channel_list list = {0};
    json_read_text(&scene->file->reader, ref, "name", &animation->name);
    each_channel(scene, ref, read_channel, &list);
    store_channels(scene, ref, &list, animation);
    mmd_free(list.items);
    return scene->file->reader.status;
}

mmd_status gltf_measure_scales(gltf_scene *scene)
{
    assert(scene);
    json_ref list, ref;
    gltf_list(scene->file, "animations", &list);
    for (size_t i = 0; json_reader_ok(&scene->file->reader) && i < json_ref_count(&list); i++) {
        gltf_element(scene->file, &list, i, &ref);
        each_channel(scene, &ref, measure_channel, NULL);
    }
    return scene->file->reader.status;
}

mmd_status gltf_read_animations(gltf_scene *scene)
{
    assert(scene);
    gltf_file *file = scene->file;
    mmd_exchange *document = file->document;
    json_ref list;
    mmd_animation *animations = NULL;
    gltf_list(file, "animations", &list);
    size_t count = json_ref_count(&list);
    gltf_alloc(file, &list, &document->arena, count, sizeof *animations, &animations);
    for (size_t i = 0; i < count && json_reader_ok(&file->reader); i++) {
        json_ref ref;
        gltf_element(file, &list, i, &ref);
        read_animation(scene, &ref, &animations[i]);
    }
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    document->animations = animations;
    document->animation_count = (uint32_t)count;
    return MMD_OK;
}

void gltf_mark_animated(gltf_scene *scene)
{
    assert(scene);
    const mmd_exchange *document = scene->file->document;
    gltf_node *nodes = scene->file->nodes;
    if (document->animation_count == 0)
        return;
    const mmd_animation *first = &document->animations[0];
    for (uint32_t i = 0; i < first->channel_count; i++)
        if (first->channels[i].animated != MMD_ANIMATED_WEIGHT)
            nodes[first->channels[i].target].animated = nodes[first->channels[i].target].moves = true;
    for (uint32_t at = 0; at < scene->file->node_count; at++) {
        gltf_node *node = &nodes[scene->order[at]];
        node->animated = node->animated || (node->parent >= 0 && nodes[node->parent].animated);
    }
}
