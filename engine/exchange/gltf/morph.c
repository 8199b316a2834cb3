/*
 * Morph targets of a glTF (glTF 2.0, 3.7.2.2) as vertex morphs: one for each
 * target of each drawn node. Only places move, not normals. The weights that
 * a file sets at rest are in the vertices, and morphs count from there.
 */
#include <math.h>
#include <string.h>

#include "mesh.h"

enum { PANEL_OTHER = 4, MORPHS_MAX = 8192 };
#define MORPHED_MAX UINT64_C(500000000) /* targets times vertices: a small file may ask for a long time */

/* Offsets of one target while they are found, on the heap. */
typedef struct offset_list {
    mmd_vertex_offset *items;
    size_t count, room;
} offset_list;

static mmd_status add_offset(gltf_file *file, offset_list *list, const mmd_vertex_offset *offset)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 256;
        mmd_vertex_offset *grown = mmd_realloc(list->items, room * sizeof *grown);
        if (!grown)
            return json_spot_fail(&file->reader, &file->root, MMD_ERROR_MEMORY, "no memory for a morph");
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = *offset;
    return MMD_OK;
}

static mmd_status add_piece(gltf_scene *scene, const gltf_piece *piece, uint32_t target, offset_list *list)
{
    gltf_file *file = scene->file;
    gltf_frame frame;
    float *moves = NULL, m[16];
    mmd_status status = gltf_open_frame(scene, piece, &frame);
    json_spot spot = json_spot_element(&frame.primitive.targets, target);
    if (status == MMD_OK)
        status = gltf_read_attribute(file, &frame.primitive, &spot, "POSITION", 3, &moves, NULL);
    for (uint32_t i = 0; moves && i < piece->vertex_count && status == MMD_OK; i++) {
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
        status = add_offset(file, list, &offset);
    }
    return status;
}

/* Pieces from..to are a node's. */
static mmd_status find_offsets(gltf_scene *scene, const gltf_piece *from, const gltf_piece *to,
                               uint32_t target, offset_list *list)
{
    gltf_file *file = scene->file;
    mmd_arena *own = file->reader.arena, scratch = {.limit = own->limit};
    mmd_status status = MMD_OK;
    file->reader.arena = &scratch;
    for (const gltf_piece *piece = from; piece < to && status == MMD_OK; piece++)
        if (!piece->shared && piece->vertex_count > 0) {
            status = add_piece(scene, piece, target, list);
            mmd_arena_finish(&scratch);
            scratch.limit = own->limit;
        }
    file->reader.arena = own;
    return status;
}

static mmd_status name_morph(gltf_scene *scene, const json_spot *mesh, uint32_t node, uint32_t target,
                             mmd_morph *morph)
{
    gltf_file *file = scene->file;
    json_spot extras = json_spot_member(mesh, "extras"), names = json_spot_member(&extras, "targetNames");
    json_spot spot = json_spot_element(&names, target);
    const char *given = json_string_value(spot.value);
    char number[32];
    snprintf(number, sizeof number, "morph %u", target);
    if (!given || !*given || strlen(given) != json_string_length(spot.value))
        given = number;
    bool taken = mmd_model_find_morph(scene->model, given) >= 0;
    const char *of = taken ? file->nodes[node].path : "";
    size_t length = strlen(given) + strlen(of) + 4;
    char *name;
    mmd_status status = gltf_alloc(file, mesh, &scene->model->arena, length, 1, &name);
    if (status == MMD_OK)
        snprintf(name, length, taken ? "%s (%s)" : "%s%s", given, of);
    morph->name = status == MMD_OK ? name : "";
    return status;
}

static mmd_status keep(gltf_scene *scene, const json_spot *mesh, const offset_list *list, mmd_morph *morph,
                       float at_rest)
{
    mmd_vertex_offset *kept;
    float(*position)[3] = scene->model->vertices.position;
    mmd_status status = gltf_alloc(scene->file, mesh, &scene->model->arena, list->count, sizeof *kept, &kept);
    if (status != MMD_OK)
        return status;
    if (list->count)
        memcpy(kept, list->items, list->count * sizeof *kept);
    for (size_t i = 0; i < list->count; i++)
        for (int k = 0; k < 3; k++) {
            float *at = &position[kept[i].vertex][k];
            *at += at_rest * kept[i].offset[k];
            if (!isfinite(*at) || !isfinite(kept[i].offset[k]))
                return json_spot_fail(&scene->file->reader, mesh, MMD_ERROR_VALUE,
                                      "a morph that leads out of all bounds");
        }
    morph->name_en = "";
    morph->panel = PANEL_OTHER;
    morph->kind = MMD_MORPH_VERTEX;
    morph->count = (uint32_t)list->count;
    morph->offsets.vertex = kept;
    return MMD_OK;
}

static mmd_status read_defaults(gltf_scene *scene, const json_spot *mesh, uint32_t node, uint32_t count)
{
    gltf_file *file = scene->file;
    json_spot nodes = json_spot_member(&file->root, "nodes"), spot = json_spot_element(&nodes, node);
    const json_spot *of = json_object_get(spot.value, "weights") ? &spot : mesh;
    float *weights;
    mmd_status status = gltf_alloc(file, mesh, &file->document->arena, count, sizeof *weights, &weights);
    if (status == MMD_OK)
        status = json_read_floats(&file->reader, of, "weights", count, weights, weights);
    scene->morphs[node].defaults = weights;
    return status;
}

/* The most targets that a primitive of the node has. */
static mmd_status count_targets(gltf_scene *scene, const gltf_piece *from, const gltf_piece *to,
                                uint32_t *count)
{
    *count = 0;
    for (const gltf_piece *piece = from; piece < to; piece++) {
        gltf_primitive primitive;
        mmd_status status = gltf_open_primitive(scene->file, scene->file->nodes[piece->node].mesh,
                                                piece->primitive, &primitive);
        if (status != MMD_OK)
            return status;
        size_t found = json_spot_count(&primitive.targets);
        *count = found > *count ? (uint32_t)found : *count;
    }
    return MMD_OK;
}

static mmd_status read_node(gltf_scene *scene, const gltf_piece *from, const gltf_piece *to)
{
    gltf_file *file = scene->file;
    mmd_model *model = scene->model;
    uint32_t node = from->node;
    gltf_node_morphs *morphs = &scene->morphs[node];
    gltf_primitive primitive;
    mmd_status status = gltf_open_primitive(file, file->nodes[node].mesh, from->primitive, &primitive);
    if (status == MMD_OK && morphs->count > 0)
        status = read_defaults(scene, &primitive.mesh, node, morphs->count);
    for (uint32_t target = 0; target < morphs->count && status == MMD_OK; target++) {
        offset_list list = {0};
        mmd_morph *morph = &model->morphs[model->morph_count];
        status = name_morph(scene, &primitive.mesh, node, target, morph);
        if (status == MMD_OK)
            status = find_offsets(scene, from, to, target, &list);
        if (status == MMD_OK)
            status = keep(scene, &primitive.mesh, &list, morph, morphs->defaults[target]);
        model->morph_count += status == MMD_OK;
        mmd_free(list.items);
    }
    return status;
}

static const gltf_piece *node_end(const gltf_piece *from, const gltf_piece *end)
{
    const gltf_piece *to = from;
    while (to < end && to->node == from->node)
        to++;
    return to;
}

mmd_status gltf_read_morphs(gltf_scene *scene, const gltf_piece *pieces, uint32_t count)
{
    const gltf_piece *end = pieces + count, *next;
    uint64_t total = 0, moved = 0;
    mmd_status status = MMD_OK;
    for (const gltf_piece *from = pieces; from < end && status == MMD_OK; from = next) {
        gltf_node_morphs *morphs = &scene->morphs[from->node];
        next = node_end(from, end);
        morphs->first = (uint32_t)total;
        status = count_targets(scene, from, next, &morphs->count);
        total += morphs->count;
        for (const gltf_piece *piece = from; piece < next; piece++)
            moved += piece->shared ? 0 : morphs->count * piece->work;
    }
    if (status == MMD_OK && (total > MORPHS_MAX || moved > MORPHED_MAX))
        status = json_spot_fail(&scene->file->reader, &scene->file->root, MMD_ERROR_LIMIT, "%llu morphs",
                                (unsigned long long)total);
    if (status == MMD_OK)
        status = gltf_alloc(scene->file, &scene->file->root, &scene->model->arena, total,
                            sizeof *scene->model->morphs, &scene->model->morphs);
    for (const gltf_piece *from = pieces; from < end && status == MMD_OK; from = next) {
        next = node_end(from, end);
        status = read_node(scene, from, next);
    }
    return status;
}
