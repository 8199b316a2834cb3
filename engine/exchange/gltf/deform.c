/*
 * Reads skins of a glTF (glTF 2.0, 3.7.3): the position of vertices while all joints are at rest, and their
 * bones and weights. The node of a skinned mesh has no effect on either. If a vertex has more than four
 * joints, the four with the largest weights are used.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "reader.h"

enum { SETS_MAX = 4 };

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* Column-major a * b, both affine. */
static void multiply(const float a[16], const float b[16], float out[16])
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            float sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[k * 4 + r] * b[c * 4 + k];
            out[c * 4 + r] = sum;
        }
}

/* Reads and checks the joints of a skin. */
static mmd_status read_joints(gltf_file *file, const json_ref *skin, gltf_frame *frame)
{
    json_ref joints;
    json_read_kind(&file->reader, skin, "joints", JSON_ARRAY, &joints);
    size_t count = json_ref_count(&joints);
    if (count == 0 || count > UINT16_MAX + 1)
        json_ref_fail(&file->reader, skin, MMD_ERROR_COUNT, "%zu joints", count);
    gltf_alloc(file, &joints, file->reader.arena, count, sizeof *frame->joints, &frame->joints);
    for (size_t i = 0; i < count && json_reader_ok(&file->reader); i++) {
        json_ref ref = json_ref_element(&joints, i);
        json_int_t node = json_integer_value(ref.value);
        if (!json_is_integer(ref.value) || node < 0 || node >= (json_int_t)file->node_count)
            json_ref_fail(&file->reader, &ref, MMD_ERROR_INDEX, "not the index of one of %u nodes",
                          file->node_count);
        else
            frame->joints[i] = (int32_t)node;
    }
    frame->joint_count = (uint32_t)count;
    return file->reader.status;
}

/* Computes the matrix of each joint: its world matrix at rest times its inverse bind matrix. */
static mmd_status read_matrices(gltf_file *file, const json_ref *skin, gltf_frame *frame)
{
    json_ref ref = json_ref_member(skin, "inverseBindMatrices");
    int32_t accessor;
    float *inverse = NULL;
    uint32_t count = 0;
    json_read_index(&file->reader, skin, "inverseBindMatrices", INT32_MAX, &accessor);
    if (json_reader_ok(&file->reader) && accessor >= 0)
        gltf_read_floats(file, &ref, accessor, 16, &inverse, &count, NULL);
    if (accessor >= 0 && count < frame->joint_count)
        json_ref_fail(&file->reader, &ref, MMD_ERROR_COUNT, "%u matrices for %u joints", count,
                      frame->joint_count);
    gltf_alloc(file, &ref, file->reader.arena, frame->joint_count, sizeof *frame->matrices, &frame->matrices);
    for (uint32_t i = 0; i < frame->joint_count && json_reader_ok(&file->reader); i++)
        multiply(file->nodes[frame->joints[i]].world, inverse ? inverse + (size_t)i * 16 : identity,
                 frame->matrices[i]);
    return file->reader.status;
}

/* One set of four joints per vertex; a primitive may have several sets. */
typedef struct weight_set {
    char joints_name[16], weights_name[16];
    uint32_t *joints;
    float *weights;
} weight_set;

/* Reads a set of joints and weights. joints stays NULL when the primitive does not have it. */
static mmd_status read_set(gltf_file *file, const gltf_frame *frame, uint32_t number, weight_set *set)
{
    const json_ref *attributes = &frame->primitive.attributes;
    int32_t accessor;
    uint32_t count = 0;
    *set = (weight_set){.joints = NULL};
    snprintf(set->joints_name, sizeof set->joints_name, "JOINTS_%u", number);
    snprintf(set->weights_name, sizeof set->weights_name, "WEIGHTS_%u", number);
    json_ref ref = json_ref_member(attributes, set->joints_name);
    json_read_index(&file->reader, attributes, set->joints_name, INT32_MAX, &accessor);
    if (!json_reader_ok(&file->reader) || accessor < 0)
        return file->reader.status;
    gltf_read_integers(file, &ref, accessor, 4, &set->joints, &count);
    if (count != frame->primitive.vertex_count)
        json_ref_fail(&file->reader, attributes, MMD_ERROR_COUNT, "joints of %u of %u vertices", count,
                      frame->primitive.vertex_count);
    gltf_read_attribute(file, &frame->primitive, attributes, set->weights_name, 4, &set->weights, NULL);
    if (!set->weights)
        json_ref_fail(&file->reader, attributes, MMD_ERROR_COUNT, "joints without weights");
    return file->reader.status;
}

/* Makes weights non-negative and checks the joints. Joints of weight 0 are ignored. */
static mmd_status check_set(gltf_file *file, const gltf_frame *frame, const weight_set *set)
{
    const json_ref ref = json_ref_member(&frame->primitive.attributes, set->joints_name);
    size_t count = (size_t)frame->primitive.vertex_count * 4;
    for (size_t i = 0; i < count && json_reader_ok(&file->reader); i++) {
        set->weights[i] = set->weights[i] > 0 ? set->weights[i] : 0;
        set->joints[i] = set->weights[i] > 0 ? set->joints[i] : 0;
        if (set->joints[i] >= frame->joint_count)
            return json_ref_fail(&file->reader, &ref, MMD_ERROR_INDEX, "joint %u, but there are %u",
                                 set->joints[i], frame->joint_count);
    }
    return MMD_OK;
}

/* Merges a fifth joint into four by dropping the smallest weight, which is returned. */
static float keep_heaviest(uint32_t joints[4], float weights[4], uint32_t joint, float weight)
{
    int lightest = 0;
    for (int k = 1; k < 4; k++)
        if (weights[k] <= weights[lightest])
            lightest = k;
    float lost = weights[lightest];
    if (weight <= lost)
        return weight;
    weights[lightest] = weight;
    joints[lightest] = joint;
    return lost;
}

/* Merges a further set of joints into the first. */
static void merge_set(gltf_frame *frame, const weight_set *set)
{
    for (size_t i = 0; i < frame->primitive.vertex_count; i++)
        for (size_t k = 4 * i; k < 4 * i + 4; k++)
            frame->vertex_lost[i] += keep_heaviest(
                frame->vertex_joints + 4 * i, frame->vertex_weights + 4 * i, set->joints[k], set->weights[k]);
}

/* Scales the weights of each vertex to a sum of 1; stores the largest share that was dropped. */
static void normalize_weights(gltf_frame *frame)
{
    for (uint32_t i = 0; i < frame->primitive.vertex_count; i++) {
        float *weights = frame->vertex_weights + (size_t)i * 4;
        float sum = weights[0] + weights[1] + weights[2] + weights[3];
        float lost = frame->vertex_lost ? frame->vertex_lost[i] : 0;
        if (!(sum > 0))
            weights[0] = sum = 1;
        for (int k = 0; k < 4; k++)
            weights[k] /= sum;
        frame->lost = mmd_maxf(frame->lost, lost / (sum + lost));
    }
}

/* Reads all sets of joints and weights and reduces them to four per vertex. */
static mmd_status read_weights(gltf_file *file, gltf_frame *frame)
{
    json_ref ref = json_ref_member(&frame->primitive.attributes, "JOINTS_1");
    weight_set set;
    read_set(file, frame, 0, &set);
    check_set(file, frame, &set);
    frame->vertex_joints = set.joints;
    frame->vertex_weights = set.weights;
    if (json_reader_ok(&file->reader) && ref.value)
        gltf_alloc(file, &ref, file->reader.arena, frame->primitive.vertex_count, sizeof *frame->vertex_lost,
                   &frame->vertex_lost);
    for (uint32_t n = 1; n < SETS_MAX && frame->vertex_lost && json_reader_ok(&file->reader); n++) {
        read_set(file, frame, n, &set);
        if (!json_reader_ok(&file->reader) || !set.joints)
            break;
        check_set(file, frame, &set);
        if (json_reader_ok(&file->reader))
            merge_set(frame, &set);
    }
    if (json_reader_ok(&file->reader))
        normalize_weights(frame);
    return file->reader.status;
}

/*
 * Returns whether the file's rest pose differs from the bind pose. Vertices are stored at their rest
 * position, and joints move them from there. That equals glTF's skinning when rest and bind pose are the
 * same, or for vertices with one joint; otherwise it is approximate.
 */
static bool differs_from_bind_pose(const gltf_frame *frame)
{
    float size = 0, off = 0;
    for (uint32_t j = 0; j < frame->joint_count; j++)
        for (int k = 0; k < 16; k++) {
            size = mmd_maxf(size, fabsf(frame->matrices[j][k]));
            off = mmd_maxf(off, fabsf(frame->matrices[j][k] - frame->matrices[0][k]));
        }
    return off > 1e-3F * size;
}

/* Reports a rest pose that differs from the bind pose. */
static void report_bind(gltf_file *file, const gltf_frame *frame)
{
    json_ref ref = json_ref_member(&frame->primitive.attributes, "JOINTS_0");
    if (differs_from_bind_pose(frame))
        losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_GLTF, "skin.bind_pose",
                      &ref, "inverseBindMatrices", "");
}

void gltf_report_skin(gltf_file *file, const gltf_frame *frame)
{
    assert(file && frame);
    report_bind(file, frame);
    if (!(frame->lost > 1e-6F))
        return;
    json_ref ref = json_ref_member(&frame->primitive.attributes, "JOINTS_1");
    char text[32];
    snprintf(text, sizeof text, "%.3g", (double)frame->lost);
    losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_GLTF, "skin.influences", &ref,
                  "WEIGHTS_1", text);
}

static mmd_status read_skin(gltf_file *file, int32_t number, gltf_frame *frame)
{
    json_ref skins, skin;
    gltf_list(file, "skins", &skins);
    gltf_element(file, &skins, (size_t)number, &skin);
    read_joints(file, &skin, frame);
    read_matrices(file, &skin, frame);
    return read_weights(file, frame);
}

mmd_status gltf_open_frame(gltf_scene *scene, const gltf_piece *piece, gltf_frame *frame)
{
    assert(scene && piece && frame);
    gltf_file *file = scene->file;
    const gltf_node *node = &file->nodes[piece->node];
    frame->indices = NULL;
    frame->world = node->world;
    frame->joint_count = 0;
    frame->vertex_lost = NULL;
    frame->lost = 0;
    frame->split = piece->split;
    gltf_open_primitive(file, node->mesh, piece->primitive, &frame->primitive);
    gltf_primitive_indices(file, &frame->primitive, &frame->indices);
    bool skinned = node->skin >= 0 && json_object_get(frame->primitive.attributes.value, "JOINTS_0");
    return json_reader_ok(&file->reader) && skinned ? read_skin(file, node->skin, frame)
                                                    : file->reader.status;
}

mmd_status gltf_read_attribute(gltf_file *file, const gltf_primitive *primitive, const json_ref *of,
                               const char *name, uint32_t components, float **values, uint32_t *found)
{
    assert(file && primitive && of && values);
    assert(components <= 16);
    json_ref ref = json_ref_member(of, name);
    int32_t accessor;
    uint32_t count = 0;
    *values = NULL;
    json_read_index(&file->reader, of, name, INT32_MAX, &accessor);
    if (!json_reader_ok(&file->reader) || accessor < 0)
        return file->reader.status;
    gltf_read_floats(file, &ref, accessor, components, values, &count, found);
    if (count != primitive->vertex_count)
        json_ref_fail(&file->reader, &ref, MMD_ERROR_COUNT, "%u values for %u vertices", count,
                      primitive->vertex_count);
    return file->reader.status;
}

uint32_t gltf_frame_source(const gltf_frame *frame, uint32_t vertex)
{
    assert(frame);
    return frame->split ? frame->indices[vertex] : vertex;
}

void gltf_frame_matrix(const gltf_frame *frame, uint32_t source, float matrix[16])
{
    assert(frame);
    if (frame->joint_count == 0) {
        memcpy(matrix, frame->world, 16 * sizeof *matrix);
        return;
    }
    memset(matrix, 0, 16 * sizeof *matrix);
    for (int k = 0; k < 4; k++) {
        float weight = frame->vertex_weights[(size_t)source * 4 + (size_t)k];
        const float *joint = frame->matrices[frame->vertex_joints[(size_t)source * 4 + (size_t)k]];
        for (int i = 0; weight > 0 && i < 16; i++)
            matrix[i] += weight * joint[i];
    }
}

void gltf_frame_deform(const gltf_frame *frame, uint32_t node, uint32_t source, mmd_vertices *vertices,
                       uint32_t at)
{
    assert(frame && vertices);
    static const uint8_t kinds[] = {MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF2, MMD_DEFORM_BDEF4,
                                    MMD_DEFORM_BDEF4};
    int32_t *bone = vertices->bone[at];
    float *weight = vertices->weight[at];
    uint32_t used = 0;
    memcpy(bone, (const int32_t[4]){(int32_t)node, -1, -1, -1}, 4 * sizeof *bone);
    memcpy(weight, (const float[4]){1, 0, 0, 0}, 4 * sizeof *weight);
    for (size_t k = 0; frame->joint_count > 0 && k < 4; k++) {
        float share = frame->vertex_weights[(size_t)source * 4 + k];
        if (!(share > 0))
            continue;
        bone[used] = frame->joints[frame->vertex_joints[(size_t)source * 4 + k]];
        weight[used++] = share;
    }
    vertices->deform[at] = kinds[used];
    if (used == 1)
        weight[0] = 1;
    if (used == 2)
        weight[1] = 1 - weight[0];
}

/* ------------------------------------------------------------------- morphs */

/*
 * Morph targets of a glTF (glTF 2.0, 3.7.2.2) become vertex morphs, one per target of each drawn node. Only
 * positions are morphed, not normals. The file's rest weights are baked into the vertices, so morphs are
 * relative to them.
 */

enum { PANEL_OTHER = 4, MORPHS_MAX = 8192 };
#define MORPHED_MAX UINT64_C(500000000) /* targets times vertices: small files could take very long */

/* Offsets of one target, on the heap while they are collected. */
typedef struct offset_list {
    mmd_vertex_offset *items;
    size_t count, room;
} offset_list;

/* Appends an offset. */
static mmd_status add_offset(gltf_file *file, offset_list *list, const mmd_vertex_offset *offset)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 256;
        mmd_vertex_offset *grown = mmd_realloc(list->items, room * sizeof *grown);
        if (!grown)
            return json_ref_fail(&file->reader, &file->root, MMD_ERROR_MEMORY, "no memory for a morph");
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = *offset;
    return MMD_OK;
}

/* Appends the offsets of one target for the vertices of a piece, transformed to MMD's space. */
static mmd_status add_piece_offsets(gltf_scene *scene, const gltf_piece *piece, uint32_t target,
                                    offset_list *list)
{
    gltf_file *file = scene->file;
    gltf_frame frame;
    float *moves = NULL, m[16];
    gltf_open_frame(scene, piece, &frame);
    json_ref ref = json_ref_element(&frame.primitive.targets, target);
    gltf_read_attribute(file, &frame.primitive, &ref, "POSITION", 3, &moves, NULL);
    for (uint32_t i = 0; moves && i < piece->vertex_count && json_reader_ok(&file->reader); i++) {
        uint32_t source = gltf_frame_source(&frame, i);
        const float *d = moves + (size_t)source * 3;
        if (d[0] == 0 && d[1] == 0 && d[2] == 0)
            continue;
        mmd_vertex_offset offset = {.vertex = (int32_t)(piece->first_vertex + i)};
        gltf_frame_matrix(&frame, source, m);
        for (int r = 0; r < 3; r++) {
            float sum = (m[r] * d[0] + m[4 + r] * d[1] + m[8 + r] * d[2]) / METRES_PER_UNIT;
            offset.offset[r] = r == 2 ? -sum : sum;
        }
        add_offset(file, list, &offset);
    }
    return file->reader.status;
}

/* Collects the offsets of one target in all pieces of a node (from..to). */
static mmd_status find_offsets(gltf_scene *scene, const gltf_piece *from, const gltf_piece *to,
                               uint32_t target, offset_list *list)
{
    gltf_file *file = scene->file;
    mmd_arena *own = file->reader.arena, scratch = {.limit = own->limit};
    file->reader.arena = &scratch;
    for (const gltf_piece *piece = from; piece < to && json_reader_ok(&file->reader); piece++)
        if (!piece->shared && piece->vertex_count > 0) {
            add_piece_offsets(scene, piece, target, list);
            mmd_arena_finish(&scratch);
            scratch.limit = own->limit;
        }
    file->reader.arena = own;
    return file->reader.status;
}

/* Names a morph: its target name or "morph N", followed by the node's path when the name is taken. */
static mmd_status name_morph(gltf_scene *scene, const json_ref *mesh, uint32_t node, uint32_t target,
                             mmd_morph *morph)
{
    gltf_file *file = scene->file;
    json_ref extras = json_ref_member(mesh, "extras"), names = json_ref_member(&extras, "targetNames");
    json_ref ref = json_ref_element(&names, target);
    const char *given = json_string_value(ref.value);
    char number[32];
    snprintf(number, sizeof number, "morph %u", target);
    if (!given || !*given || strlen(given) != json_string_length(ref.value))
        given = number;
    bool taken = mmd_model_find_morph(scene->model, given) >= 0;
    const char *of = taken ? file->nodes[node].path : "";
    size_t length = strlen(given) + strlen(of) + 4;
    char *name;
    gltf_alloc(file, mesh, &scene->model->arena, length, 1, &name);
    if (json_reader_ok(&file->reader))
        snprintf(name, length, taken ? "%s (%s)" : "%s%s", given, of);
    morph->name = json_reader_ok(&file->reader) ? name : "";
    return file->reader.status;
}

/* Copies the offsets into the model and applies the rest weight to the vertices. */
static mmd_status store_morph(gltf_scene *scene, const json_ref *mesh, const offset_list *list,
                              mmd_morph *morph, float at_rest)
{
    mmd_vertex_offset *stored;
    float(*position)[3] = scene->model->vertices.position;
    gltf_alloc(scene->file, mesh, &scene->model->arena, list->count, sizeof *stored, &stored);
    if (!json_reader_ok(&scene->file->reader))
        return scene->file->reader.status;
    if (list->count)
        memcpy(stored, list->items, list->count * sizeof *stored);
    for (size_t i = 0; i < list->count; i++)
        for (int k = 0; k < 3; k++) {
            float *at = &position[stored[i].vertex][k];
            *at += at_rest * stored[i].offset[k];
            if (!isfinite(*at) || !isfinite(stored[i].offset[k]))
                return json_ref_fail(&scene->file->reader, mesh, MMD_ERROR_VALUE,
                                     "a morph moves vertices too far");
        }
    morph->name_en = "";
    morph->panel = PANEL_OTHER;
    morph->kind = MMD_MORPH_VERTEX;
    morph->count = (uint32_t)list->count;
    morph->offsets.vertex = stored;
    return MMD_OK;
}

/* Reads the rest weights: the node's or the mesh's. */
static mmd_status read_defaults(gltf_scene *scene, const json_ref *mesh, uint32_t node, uint32_t count)
{
    gltf_file *file = scene->file;
    json_ref nodes = json_ref_member(&file->root, "nodes"), ref = json_ref_element(&nodes, node);
    const json_ref *of = json_object_get(ref.value, "weights") ? &ref : mesh;
    float *weights;
    gltf_alloc(file, mesh, &file->document->arena, count, sizeof *weights, &weights);
    if (json_reader_ok(&file->reader))
        json_read_floats(&file->reader, of, "weights", count, weights, weights);
    scene->morphs[node].defaults = weights;
    return file->reader.status;
}

/* Computes the largest number of targets among a node's primitives. */
static mmd_status count_targets(gltf_scene *scene, const gltf_piece *from, const gltf_piece *to,
                                uint32_t *count)
{
    *count = 0;
    for (const gltf_piece *piece = from; piece < to; piece++) {
        gltf_primitive primitive;
        gltf_open_primitive(scene->file, scene->file->nodes[piece->node].mesh, piece->primitive, &primitive);
        if (!json_reader_ok(&scene->file->reader))
            return scene->file->reader.status;
        size_t found = json_ref_count(&primitive.targets);
        *count = found > *count ? (uint32_t)found : *count;
    }
    return MMD_OK;
}

/* Makes the morphs of one node. */
static mmd_status read_node_morphs(gltf_scene *scene, const gltf_piece *from, const gltf_piece *to)
{
    gltf_file *file = scene->file;
    mmd_model *model = scene->model;
    uint32_t node = from->node;
    gltf_node_morphs *morphs = &scene->morphs[node];
    gltf_primitive primitive;
    gltf_open_primitive(file, file->nodes[node].mesh, from->primitive, &primitive);
    if (json_reader_ok(&file->reader) && morphs->count > 0)
        read_defaults(scene, &primitive.mesh, node, morphs->count);
    for (uint32_t target = 0; target < morphs->count && json_reader_ok(&file->reader); target++) {
        offset_list list = {0};
        mmd_morph *morph = &model->morphs[model->morph_count];
        name_morph(scene, &primitive.mesh, node, target, morph);
        find_offsets(scene, from, to, target, &list);
        store_morph(scene, &primitive.mesh, &list, morph, morphs->defaults[target]);
        model->morph_count += json_reader_ok(&file->reader);
        mmd_free(list.items);
    }
    return file->reader.status;
}

/* Returns the end of the run of pieces of one node. */
static const gltf_piece *node_end(const gltf_piece *from, const gltf_piece *end)
{
    const gltf_piece *to = from;
    while (to < end && to->node == from->node)
        to++;
    return to;
}

mmd_status gltf_read_morphs(gltf_scene *scene, const gltf_piece *pieces, uint32_t count)
{
    assert(scene);
    assert(pieces || count == 0);
    const gltf_piece *end = pieces + count, *next;
    uint64_t total = 0, moved = 0;
    for (const gltf_piece *from = pieces; from < end && json_reader_ok(&scene->file->reader); from = next) {
        gltf_node_morphs *morphs = &scene->morphs[from->node];
        next = node_end(from, end);
        morphs->first = (uint32_t)total;
        count_targets(scene, from, next, &morphs->count);
        total += morphs->count;
        for (const gltf_piece *piece = from; piece < next; piece++)
            moved += piece->shared ? 0 : morphs->count * piece->work;
    }
    if (total > MORPHS_MAX || moved > MORPHED_MAX)
        json_ref_fail(&scene->file->reader, &scene->file->root, MMD_ERROR_LIMIT,
                      "%llu morphs are too many or too large", (unsigned long long)total);
    gltf_alloc(scene->file, &scene->file->root, &scene->model->arena, total, sizeof *scene->model->morphs,
               &scene->model->morphs);
    for (const gltf_piece *from = pieces; from < end && json_reader_ok(&scene->file->reader); from = next) {
        next = node_end(from, end);
        read_node_morphs(scene, from, next);
    }
    return scene->file->reader.status;
}
