/*
 * Merges edits that another program made in a glTF back into the kept PMX that it was made from: bones, mesh,
 * materials and morphs. Bodies and joints are merged by roundtrip/restore_scene.c.
 *
 * Three models are compared: the PMX (kept), the glTF that this version makes of it (base), and the glTF as
 * it is now (found). What is equal in base and found, within rounding, is taken from the PMX bit for bit, as
 * is everything that a glTF cannot hold: IK, append, display frames, sphere maps, bone and material morphs.
 * What differs is taken from found.
 *
 * Positions are compared in world space: moving a node moves all below it, bones, vertices and bodies, as in
 * glTF.
 *
 * Items are matched by number and name, then by name, then by number. Vertices are matched by the corners of
 * their faces when a material has the same number of corners as before, else by position, normal and UV.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gltf/writer.h"
#include "mmd/elementary.h"
#include "mmd/format.h"
#include "mmd/memory.h"
#include "merge.h"

enum { PANEL_OTHER = 4, CANDIDATES_MAX = 256 };

/* State of a merge. Arrays map indices; -1: none. */
typedef struct merger {
    pmx_merge *out;
    const mmd_exchange *document;
    const mmd_model *kept, *base, *found;
    mmd_model *model; /* out->model */
    float size;       /* tolerance of positions (keep_near) */
    bool failed;      /* out of memory */

    /* Bones: base's bone i is kept's bone i; further ones are other nodes. */
    int32_t *base_of_bone;        /* per bone of found */
    int32_t *found_of_bone;       /* per bone of base */
    int32_t *old_bone, *any_bone; /* per bone of found: the merged bone, or that of the nearest node above;
                                     old_bone only counts bones of the PMX */
    int32_t *base_bone;           /* the same per bone of base, for bones that still exist */

    /* Mesh: base has the vertices of each material of kept one after the other. */
    uint32_t piece_count;
    uint32_t *material_of_piece; /* material of kept; piece i is base's material i */
    uint32_t *kept_vertex;       /* per vertex of base */
    int32_t *piece_of_found;     /* per material of found; -1: new */
    int32_t *found_of_piece;     /* -1: deleted */
    int32_t *base_vertex;        /* per vertex of found: the matching one; -1: new, or in no face */
    int32_t *merged_vertex;      /* per vertex of found */
    uint32_t vertex_count;       /* of the merged model, including vertices without faces */
    int32_t *new_material;       /* per item of kept; -1: deleted */
    int32_t *new_morph;          /* per item of kept; -1: deleted */
} merger;

/* Allocates zeroed memory of the merge. */
static void *allocate(merger *m, size_t count, size_t size)
{
    void *memory = m->failed ? NULL : mmd_arena_alloc(&m->out->arena, count, size);
    m->failed = !memory;
    return memory;
}

/* Allocates a list of indices, filled with -1. */
static int32_t *new_index_list(merger *m, size_t count)
{
    int32_t *list = allocate(m, count, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        list[i] = -1;
    return list;
}

/* Copies count items into an array of `all`. */
static void *copy(merger *m, const void *items, size_t count, size_t size, size_t all)
{
    void *made = allocate(m, all, size);
    if (made && count)
        memcpy(made, items, count * size);
    return made;
}

/* Records that something was edited. */
static void mark_changed(merger *m)
{
    m->out->changed = true;
}

/* Takes the edited components of a number or vector. */
static void take_edit(merger *m, float *value, const float *found, const float *base, size_t count,
                      float size)
{
    if (keep_near(found, base, count, size))
        return;
    for (size_t i = 0; i < count; i++)
        if (!keep_near(&found[i], &base[i], 1, size))
            value[i] = found[i];
    mark_changed(m);
}

/*
 * Returns the found name if it was edited, else the kept one. Names that the reader generates for unnamed
 * items are no edits.
 */
static const char *merged_name(merger *m, const char *kept, const char *found, const char *base)
{
    unsigned number;
    char end;
    if (strcmp(found, base) == 0 || !*found || sscanf(found, "#%u%c", &number, &end) == 1 ||
        sscanf(found, "morph %u%c", &number, &end) == 1)
        return kept;
    mark_changed(m);
    return found;
}

/* ----------------------------------------------------------------- pairs */

typedef const char *name_of_item(const mmd_model *model, uint32_t item);

static const char *bone_name(const mmd_model *model, uint32_t item)
{
    return model->bones[item].name;
}

static const char *material_name(const mmd_model *model, uint32_t item)
{
    return model->materials[item].name;
}

static const char *morph_name(const mmd_model *model, uint32_t item)
{
    return model->morphs[item].name;
}

/* How items are matched: by number and name, by name, by number. */
enum { BY_BOTH, BY_NAME, BY_NUMBER };

/* Two lists of items and the maps between them; -1: not matched yet. */
typedef struct item_pairs {
    name_of_item *name;
    uint32_t found_count, base_count;
    int32_t *base_of, *found_of;
    const bool *found_kind, *base_kind; /* kinds that must be equal, or NULL */
} item_pairs;

/* Matches items in one way. kind: only items of this kind; NULL: all. */
static void pair_by(merger *m, const item_pairs *pairs, int how, const bool *kind)
{
    keep_names names = {0};
    bool *taken = allocate(m, pairs->base_count, sizeof *taken);
    if (m->failed || !keep_names_init(&names, pairs->base_count)) {
        m->failed = true;
        return;
    }
    for (uint32_t i = 0; i < pairs->base_count; i++) {
        names.list[i] = (keep_name_entry){.name = pairs->name(m->base, i), .item = i};
        taken[i] = pairs->found_of[i] >= 0 || (kind && pairs->base_kind[i] != *kind);
    }
    keep_names_sort(&names);
    for (uint32_t i = 0; i < pairs->found_count; i++) {
        const char *name = pairs->name(m->found, i);
        int32_t at = i < pairs->base_count ? (int32_t)i : -1;
        if (pairs->base_of[i] >= 0 || (kind && pairs->found_kind[i] != *kind))
            continue;
        if (how == BY_NAME)
            at = keep_names_find(&names, name, taken);
        if (at < 0 || taken[at] || (how == BY_BOTH && strcmp(name, pairs->name(m->base, i)) != 0))
            continue;
        taken[at] = true;
        pairs->base_of[i] = at;
        pairs->found_of[at] = (int32_t)i;
    }
    keep_names_finish(&names);
}

/* Matches two lists in all ways. */
static void pair_items(merger *m, name_of_item *name, uint32_t found_count, uint32_t base_count,
                       int32_t **base_of, int32_t **found_of)
{
    *base_of = new_index_list(m, found_count);
    *found_of = new_index_list(m, base_count);
    const item_pairs pairs = {name, found_count, base_count, *base_of, *found_of, NULL, NULL};
    for (int how = BY_BOTH; how <= BY_NUMBER && !m->failed; how++)
        pair_by(m, &pairs, how, NULL);
}

/* ----------------------------------------------------------------- bones */

/* Returns flags of the nodes of bodies and joints. */
static bool *physics_nodes(merger *m, const mmd_exchange *document)
{
    const mmd_physscene *scene = document->physscene;
    const json_t *nodes = json_object_get(document->kept->root, "nodes");
    uint32_t count = document->model->bone_count;
    bool *made = allocate(m, count, sizeof *made);
    for (uint32_t i = 0; made && i < scene->body_count; i++)
        if (document->bodies[i].node >= 0)
            made[document->bodies[i].node] = true;
    for (uint32_t i = 0; made && i < scene->joint_count; i++)
        if (document->joints[i].node >= 0)
            made[document->joints[i].node] = true;
    for (uint32_t i = 0; made && i < count; i++)
        if (json_object_get(json_object_get(json_array_get(nodes, i), "extras"), "mmd"))
            made[i] = true;
    return made;
}

/* Matches bones. Bones and bodies may have equal names, so nodes are first matched within their kind. */
static void pair_bones(merger *m)
{
    static const bool kinds[] = {false, true};
    item_pairs pairs = {.name = bone_name,
                        .found_count = m->found->bone_count,
                        .base_count = m->base->bone_count,
                        .base_of = new_index_list(m, m->found->bone_count),
                        .found_of = new_index_list(m, m->base->bone_count),
                        .found_kind = physics_nodes(m, m->document),
                        .base_kind = physics_nodes(m, m->out->base.document)};
    m->base_of_bone = pairs.base_of;
    m->found_of_bone = pairs.found_of;
    if (!m->failed)
        pair_by(m, &pairs, BY_BOTH, NULL);
    for (int how = BY_NAME; how <= BY_NUMBER; how++)
        for (int kind = 0; kind < 2 && !m->failed; kind++)
            pair_by(m, &pairs, how, &kinds[kind]);
    if (!m->failed)
        pair_by(m, &pairs, BY_NAME, NULL);
}

/* Returns flags of nodes that are no bones: those of bodies and joints, all below them, and cameras. */
static bool *find_others(merger *m)
{
    const json_t *nodes = json_object_get(m->document->kept->root, "nodes");
    bool *others = physics_nodes(m, m->document);
    for (uint32_t at = 0; others && at < m->found->bone_count; at++) {
        uint32_t i = m->found->bone_order[at];
        int32_t parent = m->found->bones[i].parent, base = m->base_of_bone[i];
        bool below_other = base > (int32_t)m->kept->bone_count || (parent >= 0 && others[parent]);
        bool own = base >= 0 && base <= (int32_t)m->kept->bone_count;
        others[i] = !own && (others[i] || below_other || json_object_get(json_array_get(nodes, i), "camera"));
    }
    return others;
}

/* Numbers the merged bones: those of the PMX that still exist, then new ones. */
static void number_bones(merger *m)
{
    uint32_t count = 0, bones = m->kept->bone_count;
    const bool *others = find_others(m);
    m->out->bone_of_kept = new_index_list(m, bones);
    m->old_bone = new_index_list(m, m->found->bone_count);
    m->any_bone = new_index_list(m, m->found->bone_count);
    m->base_bone = new_index_list(m, m->base->bone_count);
    if (m->failed)
        return;
    for (uint32_t i = 0; i < bones; i++)
        if (m->found_of_bone[i] >= 0)
            m->out->bone_of_kept[i] = (int32_t)count++;
        else
            mark_changed(m);
    for (uint32_t at = 0; at < m->base->bone_count; at++) {
        uint32_t i = m->base->bone_order[at];
        int32_t parent = m->base->bones[i].parent;
        m->base_bone[i] = i < bones && m->out->bone_of_kept[i] >= 0 ? m->out->bone_of_kept[i]
                          : parent >= 0                             ? m->base_bone[parent]
                                                                    : -1;
    }
    for (uint32_t at = 0; at < m->found->bone_count; at++) {
        uint32_t i = m->found->bone_order[at];
        int32_t parent = m->found->bones[i].parent, base = m->base_of_bone[i];
        m->old_bone[i] = parent >= 0 ? m->old_bone[parent] : -1;
        m->any_bone[i] = parent >= 0 ? m->any_bone[parent] : -1;
        if (base >= 0 && base < (int32_t)bones)
            m->old_bone[i] = m->any_bone[i] = m->out->bone_of_kept[base];
        else if (base < 0 && !others[i]) {
            m->any_bone[i] = (int32_t)count++;
            mark_changed(m);
        }
    }
    m->model->bone_count = count;
    /* deleted bones map to the nearest one above */
    for (uint32_t i = 0; i < bones; i++)
        m->out->bone_of_kept[i] = m->base_bone[i];
    m->out->bone_of_found = m->any_bone;
    m->out->found_bone_count = m->found->bone_count;
}

/* Returns whether a bone of the PMX was deleted. */
static bool is_gone(const merger *m, int32_t kept_bone)
{
    return kept_bone >= 0 && m->found_of_bone[kept_bone] < 0;
}

/* Returns the merged bone of a bone of the PMX. */
static int32_t bone_of(const merger *m, int32_t kept_bone)
{
    return kept_bone < 0 ? -1 : m->out->bone_of_kept[kept_bone];
}

/* Renumbers a bone's references to others; references to deleted bones are removed. */
static void remap_references(merger *m, mmd_bone *bone)
{
    if (is_gone(m, bone->tail_bone))
        bone->flags &= (uint16_t)~MMD_BONE_TAIL_IS_BONE;
    bone->tail_bone = is_gone(m, bone->tail_bone) ? -1 : bone_of(m, bone->tail_bone);
    if (is_gone(m, bone->append_source))
        bone->flags &= (uint16_t) ~(MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION);
    bone->append_source = is_gone(m, bone->append_source) ? -1 : bone_of(m, bone->append_source);
    mmd_ik_link *links = copy(m, bone->ik_links, bone->ik_link_count, sizeof *links, bone->ik_link_count);
    uint32_t count = 0, had = bone->ik_link_count;
    for (uint32_t i = 0; links && i < bone->ik_link_count; i++)
        if (!is_gone(m, links[i].bone)) {
            links[count] = links[i];
            links[count++].bone = bone_of(m, links[i].bone);
        }
    bone->ik_links = links;
    bone->ik_link_count = count;
    if (is_gone(m, bone->ik_target) || (had > 0 && count == 0))
        bone->flags &= (uint16_t)~MMD_BONE_IK;
    bone->ik_target = is_gone(m, bone->ik_target) ? -1 : bone_of(m, bone->ik_target);
}

/* Merges the bones. */
static void merge_bones(merger *m)
{
    number_bones(m);
    mmd_bone *bones = allocate(m, m->model->bone_count, sizeof *bones);
    for (uint32_t i = 0; i < m->kept->bone_count && !m->failed; i++) {
        int32_t at = m->found_of_bone[i];
        if (at < 0)
            continue;
        mmd_bone *bone = &bones[m->old_bone[at]];
        const mmd_bone *f = &m->found->bones[at], *b = &m->base->bones[i];
        *bone = m->kept->bones[i];
        take_edit(m, bone->position, f->position, b->position, 3, m->size);
        bone->name = merged_name(m, bone->name, f->name, b->name);
        int32_t parent = f->parent >= 0 ? m->old_bone[f->parent] : -1;
        int32_t parent_before = b->parent >= 0 ? m->base_bone[b->parent] : -1;
        bone->parent = parent == parent_before ? bone_of(m, bone->parent) : parent;
        if (parent != parent_before)
            mark_changed(m);
        remap_references(m, bone);
    }
    for (uint32_t i = 0; i < m->found->bone_count && !m->failed; i++) {
        const mmd_bone *f = &m->found->bones[i];
        int32_t above = f->parent >= 0 ? m->any_bone[f->parent] : -1;
        if (m->any_bone[i] == m->old_bone[i] || m->any_bone[i] == above)
            continue;
        mmd_bone *bone = &bones[m->any_bone[i]];
        *bone = *f;
        bone->parent = above;
        bone->layer = 0;
    }
    m->model->bones = bones;
}

/* ---------------------------------------------------------------- pieces */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/*
 * Lists the vertices of base by kept's vertices, in the order in which gltf/write_mesh.c writes them. Returns
 * false when base does not match.
 */
static bool list_pieces(merger *m)
{
    const mmd_model *kept = m->kept;
    uint32_t *mark = allocate(m, kept->vertices.count, sizeof *mark), count = 0,
             all = m->base->vertices.count;
    m->material_of_piece = allocate(m, kept->material_count, sizeof *m->material_of_piece);
    m->kept_vertex = allocate(m, all, sizeof *m->kept_vertex);
    for (uint32_t i = 0; i < kept->material_count && !m->failed; i++) {
        const mmd_material *material = &kept->materials[i];
        uint32_t first = count;
        if (material->index_count < 3)
            continue;
        for (uint32_t k = 0; k < material->index_count; k++) {
            uint32_t vertex = kept->indices[material->first_index + k];
            if (mark[vertex] == i + 1)
                continue;
            if (count == all)
                return false;
            mark[vertex] = i + 1;
            m->kept_vertex[count++] = vertex;
        }
        qsort(m->kept_vertex + first, count - first, sizeof *m->kept_vertex, compare_numbers);
        m->material_of_piece[m->piece_count++] = i;
    }
    return count == all && m->piece_count == m->base->material_count;
}

/* -------------------------------------------------------------- vertices */

/* Returns the model's size for tolerances of positions. */
static float model_size(const mmd_model *kept)
{
    float size = 10;
    for (uint32_t i = 0; i < kept->vertices.count; i++)
        for (int k = 0; k < 3; k++)
            size = mmd_maxf(size, fabsf(kept->vertices.position[i][k]));
    for (uint32_t i = 0; i < kept->bone_count; i++)
        for (int k = 0; k < 3; k++)
            size = mmd_maxf(size, fabsf(kept->bones[i].position[k]));
    return size < 1e6F ? 0.5F * size : 5;
}

static bool near_position(const merger *m, uint32_t found, uint32_t base)
{
    return keep_near(m->found->vertices.position[found], m->base->vertices.position[base], 3, m->size);
}

/*
 * Matches the vertices of a material by the corners of its faces. Succeeds if most corners have the same
 * position or UV and no vertex gets two matches. of: scratch per vertex of found, -1 before and after.
 */
static bool pair_corners(merger *m, const mmd_material *f, const mmd_material *b, int32_t *of)
{
    const uint32_t *now = m->found->indices + f->first_index, *was = m->base->indices + b->first_index;
    uint32_t near = 0, count = f->index_count;
    bool matched = count == b->index_count;
    for (uint32_t i = 0; matched && i < count; i++) {
        int32_t before = of[now[i]] >= 0 ? of[now[i]] : m->base_vertex[now[i]];
        matched = before < 0 || m->kept_vertex[before] == m->kept_vertex[was[i]];
        of[now[i]] = (int32_t)was[i];
        near += near_position(m, now[i], was[i]) ||
                keep_near(m->found->vertices.uv[now[i]], m->base->vertices.uv[was[i]], 2, 1);
    }
    matched = matched && near * (uint64_t)2 >= count;
    for (uint32_t i = 0; i < count; i++) {
        if (matched)
            m->base_vertex[now[i]] = (int32_t)was[i];
        of[now[i]] = -1;
    }
    return matched;
}

typedef struct sorted_vertex {
    float x;
    uint32_t vertex;
} sorted_vertex;

static int compare_x(const void *a, const void *b)
{
    const sorted_vertex *x = a, *y = b;
    return x->x != y->x ? (x->x > y->x) - (x->x < y->x) : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static sorted_vertex *sort_vertices(merger *m)
{
    uint32_t count = m->base->vertices.count;
    sorted_vertex *sorted = allocate(m, count, sizeof *sorted);
    for (uint32_t i = 0; sorted && i < count; i++)
        sorted[i] = (sorted_vertex){m->base->vertices.position[i][0], i};
    if (sorted && count)
        qsort(sorted, count, sizeof *sorted, compare_x);
    return sorted;
}

/*
 * Returns the vertex of base with the same position, normal and UV as one of found, preferring the material's
 * vertices first to end - 1; -1: none.
 */
static int32_t find_vertex(const merger *m, const sorted_vertex *sorted, uint32_t found, uint32_t first,
                           uint32_t end)
{
    const mmd_vertices *f = &m->found->vertices, *b = &m->base->vertices;
    float away = 4e-6F * m->size, x = f->position[found][0];
    uint32_t low = 0, high = b->count;
    int32_t best = -1;
    away = mmd_maxf(away, 4e-6F * fabsf(x));
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sorted[middle].x < x - away)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i < b->count && i < low + CANDIDATES_MAX && sorted[i].x <= x + away; i++) {
        uint32_t at = sorted[i].vertex;
        if (!near_position(m, found, at) || !keep_near(f->uv[found], b->uv[at], 2, 10) ||
            !keep_near(f->normal[found], b->normal[at], 3, 10))
            continue;
        if (at >= first && at < end)
            return (int32_t)at;
        best = best < 0 ? (int32_t)at : best;
    }
    return best;
}

/* Matches every vertex of found that is in a face with one of base, or numbers it as new. */
static void pair_vertices(merger *m)
{
    const mmd_model *found = m->found, *base = m->base;
    int32_t *of = new_index_list(m, found->vertices.count);
    sorted_vertex *sorted = NULL;
    m->base_vertex = new_index_list(m, found->vertices.count);
    m->merged_vertex = new_index_list(m, found->vertices.count);
    m->vertex_count = m->kept->vertices.count;
    for (uint32_t i = 0; i < found->material_count && !m->failed; i++) {
        const mmd_material *f = &found->materials[i];
        int32_t piece = m->piece_of_found[i];
        uint32_t first = UINT32_MAX, end = 0;
        if (piece >= 0 && pair_corners(m, f, &base->materials[piece], of))
            continue;
        if (piece >= 0)
            for (uint32_t k = 0; k < base->materials[piece].index_count; k++) {
                uint32_t at = base->indices[base->materials[piece].first_index + k];
                first = at < first ? at : first;
                end = at >= end ? at + 1 : end;
            }
        if (!sorted)
            sorted = sort_vertices(m);
        for (uint32_t k = 0; sorted && k < f->index_count; k++) {
            uint32_t vertex = found->indices[f->first_index + k];
            if (m->base_vertex[vertex] < 0)
                m->base_vertex[vertex] = find_vertex(m, sorted, vertex, first, end);
        }
    }
    for (uint32_t i = 0; i < found->index_count && !m->failed; i++) {
        uint32_t vertex = found->indices[i];
        if (m->merged_vertex[vertex] >= 0)
            continue;
        int32_t at = m->base_vertex[vertex];
        m->merged_vertex[vertex] = at >= 0 ? (int32_t)m->kept_vertex[at] : (int32_t)m->vertex_count++;
        if (at < 0)
            mark_changed(m);
    }
}

/* Bones of a vertex in the merged model and their weights, each bone once. */
typedef struct vertex_bones {
    uint32_t count;
    int32_t bones[4];
    float weights[4];
} vertex_bones;

/* Returns the bones of a vertex, renumbered by a map. */
static vertex_bones bones_of(const mmd_vertices *v, uint32_t vertex, const int32_t *map)
{
    vertex_bones made = {0};
    for (int k = 0; k < 4; k++) {
        float weight = v->weight[vertex][k];
        if (!(weight > 0))
            continue;
        int32_t bone = v->bone[vertex][k] < 0 ? -1 : map[v->bone[vertex][k]];
        uint32_t at = 0;
        while (at < made.count && made.bones[at] != bone)
            at++;
        if (at == made.count)
            made.bones[made.count++] = bone;
        made.weights[at] += weight;
    }
    return made;
}

static float weight_of(const vertex_bones *bones, int32_t bone)
{
    for (uint32_t i = 0; i < bones->count; i++)
        if (bones->bones[i] == bone)
            return bones->weights[i];
    return 0;
}

/* Returns whether two vertices have the same bones and weights. */
static bool same_bones(const vertex_bones *a, const vertex_bones *b)
{
    bool same = true;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = fabsf(a->weights[i] - weight_of(b, a->bones[i])) < 1e-5F;
    for (uint32_t i = 0; same && i < b->count; i++)
        same = fabsf(b->weights[i] - weight_of(a, b->bones[i])) < 1e-5F;
    return same;
}

/* Sets bones and weights of a vertex. */
static void set_bones(mmd_vertices *v, uint32_t vertex, const vertex_bones *bones)
{
    static const uint8_t kinds[] = {MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF2, MMD_DEFORM_BDEF4,
                                    MMD_DEFORM_BDEF4};
    for (uint32_t k = 0; k < 4; k++) {
        v->bone[vertex][k] = k < bones->count ? bones->bones[k] : -1;
        v->weight[vertex][k] = k < bones->count ? bones->weights[k] : 0;
    }
    v->deform[vertex] = kinds[bones->count];
    if (bones->count == 1)
        v->weight[vertex][0] = 1;
    if (bones->count == 2)
        v->weight[vertex][1] = 1 - v->weight[vertex][0];
    if (v->sdef_index)
        v->sdef_index[vertex] = -1;
}

/* Copies kept's vertices with room for new ones, and renumbers their bones. */
static void make_vertices(merger *m)
{
    const mmd_vertices *from = &m->kept->vertices;
    mmd_vertices *v = &m->model->vertices;
    size_t count = from->count, all = m->vertex_count;
    v->count = m->vertex_count;
    v->position = copy(m, from->position, count, sizeof *v->position, all);
    v->normal = copy(m, from->normal, count, sizeof *v->normal, all);
    v->uv = copy(m, from->uv, count, sizeof *v->uv, all);
    v->deform = copy(m, from->deform, count, sizeof *v->deform, all);
    v->bone = copy(m, from->bone, count, sizeof *v->bone, all);
    v->weight = copy(m, from->weight, count, sizeof *v->weight, all);
    v->edge_scale = copy(m, from->edge_scale, count, sizeof *v->edge_scale, all);
    for (uint32_t i = 0; i < from->additional_uv_count; i++)
        v->additional_uv[i] = copy(m, from->additional_uv[i], count, sizeof *v->additional_uv[i], all);
    if (from->sdef_index)
        v->sdef_index = copy(m, from->sdef_index, count, sizeof *v->sdef_index, all);
    for (uint32_t i = 0; i < from->count && !m->failed; i++)
        for (int k = 0; k < 4; k++)
            v->bone[i][k] = bone_of(m, v->bone[i][k]);
}

/* Returns flags of vertices of materials with UVs; programs omit UVs that no picture needs. */
static bool *find_uvs(merger *m)
{
    const mmd_model *found = m->found;
    bool *has = allocate(m, found->vertices.count, sizeof *has);
    for (uint32_t i = 0; has && i < found->material_count; i++) {
        const uint32_t *indices = found->indices + found->materials[i].first_index;
        bool any = found->materials[i].texture >= 0;
        for (uint32_t k = 0; !any && k < found->materials[i].index_count; k++) {
            const float *uv = found->vertices.uv[indices[k]];
            any = uv[0] != 0 || uv[1] != 0;
        }
        for (uint32_t k = 0; any && k < found->materials[i].index_count; k++)
            has[indices[k]] = true;
    }
    return has;
}

/* Merges the vertices. */
static void merge_vertices(merger *m)
{
    const mmd_vertices *f = &m->found->vertices, *b = &m->base->vertices;
    mmd_vertices *v = &m->model->vertices;
    const bool *has_uv = find_uvs(m);
    make_vertices(m);
    for (uint32_t i = 0; i < f->count && !m->failed; i++) {
        int32_t to = m->merged_vertex[i], at = m->base_vertex[i];
        if (to < 0)
            continue;
        vertex_bones now = bones_of(f, i, m->any_bone);
        if (at < 0) {
            memcpy(v->position[to], f->position[i], sizeof v->position[to]);
            memcpy(v->normal[to], f->normal[i], sizeof v->normal[to]);
            memcpy(v->uv[to], f->uv[i], sizeof v->uv[to]);
            v->edge_scale[to] = 1;
            set_bones(v, (uint32_t)to, &now);
            continue;
        }
        take_edit(m, v->position[to], f->position[i], b->position[at], 3, m->size);
        take_edit(m, v->normal[to], f->normal[i], b->normal[at], 3, 10);
        if (has_uv[i])
            take_edit(m, v->uv[to], f->uv[i], b->uv[at], 2, 1);
        if (f->additional_uv_count && b->additional_uv_count && v->additional_uv_count)
            take_edit(m, v->additional_uv[0][to], f->additional_uv[0][i], b->additional_uv[0][at], 4, 10);
        vertex_bones was = bones_of(b, (uint32_t)at, m->base_bone);
        if (!same_bones(&now, &was)) {
            set_bones(v, (uint32_t)to, &now);
            mark_changed(m);
        }
    }
}

/* ----------------------------------------------------------------- faces */

typedef struct face {
    int32_t corner[3];
} face;

/* Returns the PMX's vertex of a vertex of base or found; -1: new. */
static int32_t kept_corner(const merger *m, const mmd_model *model, uint32_t vertex)
{
    int32_t base = model == m->base ? (int32_t)vertex : m->base_vertex[vertex];
    return base < 0 ? -1 : (int32_t)m->kept_vertex[base];
}

static int compare_faces(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(face));
}

/* Returns the faces by the PMX's vertices, each rotated to start with its smallest index, sorted. */
static face *sort_faces(merger *m, const mmd_model *model, const mmd_material *of)
{
    uint32_t count = of->index_count / 3;
    face *faces = allocate(m, count, sizeof *faces);
    for (uint32_t i = 0; faces && i < count; i++) {
        const uint32_t *corner = model->indices + of->first_index + (size_t)i * 3;
        int32_t c[3];
        int least = 0;
        for (int k = 0; k < 3; k++) {
            c[k] = kept_corner(m, model, corner[k]);
            least = c[k] < c[least] ? k : least;
        }
        faces[i] = (face){{c[least], c[(least + 1) % 3], c[(least + 2) % 3]}};
    }
    if (faces && count)
        qsort(faces, count, sizeof *faces, compare_faces);
    return faces;
}

/* Returns whether a material has the same faces, in any order. */
static bool same_faces(merger *m, const mmd_material *f, const mmd_material *b)
{
    bool same = f->index_count == b->index_count;
    for (uint32_t i = 0; same && i < f->index_count; i++)
        same = kept_corner(m, m->found, m->found->indices[f->first_index + i]) ==
               kept_corner(m, m->base, m->base->indices[b->first_index + i]);
    if (same || f->index_count != b->index_count || f->index_count % 3)
        return same;
    const face *now = sort_faces(m, m->found, f), *was = sort_faces(m, m->base, b);
    return !m->failed && memcmp(now, was, f->index_count / 3 * sizeof *now) == 0;
}

/* -------------------------------------------------------------- pictures */

/* Returns the name of a picture of a document; programs may rename its file. */
static void picture_name(const mmd_exchange *document, const char *texture, char name[MMD_PATH_MAX])
{
    const json_t *images = json_object_get(document->kept->root, "images");
    unsigned number = UINT32_MAX;
    if (sscanf(texture, "image %u.", &number) != 1)
        number = UINT32_MAX;
    for (size_t i = 0; i < json_array_size(images); i++) {
        const json_t *image = json_array_get(images, i);
        char path[MMD_PATH_MAX];
        const char *file = keep_picture_name(image, path);
        const char *called = json_string_value(json_object_get(image, "name"));
        if (called && (file ? strcmp(file, texture) == 0 : i == number)) {
            snprintf(name, MMD_PATH_MAX, "%s", called);
            return;
        }
    }
    gltf_plain_name(texture, name);
}

static const char *texture_name(const mmd_model *model, int32_t texture)
{
    return texture < 0 ? NULL : model->textures[texture];
}

/*
 * Pictures of found under the names that the PMX has for them. The writer of base needs them to name its
 * pictures alike.
 */
typedef struct matched_pictures {
    uint32_t count;
    mmd_memory_file *files;
    mmd_bytes *bytes;
} matched_pictures;

/* Finds for each texture of the PMX the picture of found with its name. */
static void match_pictures(merger *m, matched_pictures *lent)
{
    const mmd_model *kept = m->kept, *found = m->found;
    bool *taken = allocate(m, found->texture_count, sizeof *taken);
    bool *used = allocate(m, kept->texture_count, sizeof *used);
    lent->files = allocate(m, kept->texture_count, sizeof *lent->files);
    lent->bytes = allocate(m, kept->texture_count, sizeof *lent->bytes);
    for (uint32_t i = 0; !m->failed && i < kept->material_count; i++)
        if (kept->materials[i].texture >= 0)
            used[kept->materials[i].texture] = true;
    for (uint32_t i = 0; !m->failed && i < kept->texture_count; i++) {
        char wanted[MMD_PATH_MAX], name[MMD_PATH_MAX];
        gltf_plain_name(kept->textures[i], wanted);
        for (uint32_t k = 0; used[i] && k < found->texture_count; k++) {
            unsigned number;
            char end;
            size_t length = strlen(wanted);
            picture_name(m->document, found->textures[k], name);
            bool same = strcmp(name, wanted) == 0 || (strncmp(name, wanted, length) == 0 &&
                                                      sscanf(name + length, "_%u%c", &number, &end) == 1);
            mmd_bytes *bytes = &lent->bytes[lent->count];
            if (taken[k] || !same ||
                mmd_source_read(m->document->textures, found->textures[k], bytes, NULL) != MMD_OK)
                continue;
            char *path =
                copy(m, kept->textures[i], strlen(kept->textures[i]) + 1, 1, strlen(kept->textures[i]) + 1);
            for (char *at = path; at && *at; at++)
                *at = *at == '\\' ? '/' : *at;
            taken[k] = true;
            lent->files[lent->count++] = (mmd_memory_file){path ? path : "", bytes->data, bytes->size};
            break;
        }
    }
}

static void matched_pictures_finish(matched_pictures *lent)
{
    for (uint32_t i = 0; i < lent->count; i++)
        mmd_bytes_finish(&lent->bytes[i]);
}

/* Adds a texture of found to the merged model and returns its index. */
static int32_t add_texture(merger *m, int32_t texture)
{
    mmd_model *model = m->model;
    char name[MMD_PATH_MAX], text[MMD_PATH_MAX + 32];
    for (uint32_t i = m->kept->texture_count; i < model->texture_count; i++)
        if (m->out->pictures[i] == m->found->textures[texture])
            return (int32_t)i;
    picture_name(m->document, m->found->textures[texture], text);
    gltf_plain_name(text, name);
    snprintf(text, sizeof text, "textures/%s.png", name);
    for (uint32_t number = 2, i = 0; i < model->texture_count; i++)
        if (strcmp(model->textures[i], text) == 0) {
            snprintf(text, sizeof text, "textures/%s %u.png", name, number++);
            i = UINT32_MAX;
        }
    char *kept = copy(m, text, strlen(text) + 1, 1, strlen(text) + 1);
    if (!kept)
        return -1;
    model->textures[model->texture_count] = kept;
    m->out->pictures[model->texture_count] = m->found->textures[texture];
    return (int32_t)model->texture_count++;
}

/* Returns whether a material has the same picture as before. */
static bool same_picture(const merger *m, const mmd_material *f, const mmd_material *b)
{
    char now[MMD_PATH_MAX], was[MMD_PATH_MAX];
    if (f->texture < 0 || b->texture < 0)
        return f->texture < 0 && b->texture < 0;
    picture_name(m->document, texture_name(m->found, f->texture), now);
    picture_name(m->out->base.document, texture_name(m->base, b->texture), was);
    return strcmp(now, was) == 0;
}

/* ------------------------------------------------------------- materials */

/* Merges an edited colour: diffuse and ambient are scaled so that the visible colour is the found one. */
static void merge_color(merger *m, mmd_material *made, const mmd_material *f, const mmd_material *b)
{
    static const float light = 0.6F; /* as in gltf/write_material.c */
    for (int k = 0; k < 3; k++) {
        float seen = light * made->diffuse[k] + made->ambient[k];
        if (keep_near(&f->diffuse[k], &b->diffuse[k], 1, 1)) {
            if (!keep_near(&f->ambient[k], &b->ambient[k], 1, 1)) { /* emission was edited */
                made->ambient[k] = mmd_maxf(0, made->ambient[k] + f->ambient[k] - b->ambient[k]);
                mark_changed(m);
            }
            continue;
        }
        mark_changed(m);
        if (seen > 1e-3F) {
            made->diffuse[k] *= f->diffuse[k] / seen;
            made->ambient[k] *= f->diffuse[k] / seen;
        } else {
            made->diffuse[k] = f->diffuse[k];
            made->ambient[k] = f->ambient[k];
        }
    }
    take_edit(m, &made->diffuse[3], &f->diffuse[3], &b->diffuse[3], 1, 1);
}

/* Merges a material. */
static void merge_material(merger *m, uint32_t piece, mmd_material *made)
{
    const mmd_material *f = &m->found->materials[m->found_of_piece[piece]], *b = &m->base->materials[piece];
    made->name = merged_name(m, made->name, f->name, b->name);
    merge_color(m, made, f, b);
    if ((f->flags ^ b->flags) & MMD_MATERIAL_TWO_SIDED) {
        made->flags ^= MMD_MATERIAL_TWO_SIDED;
        mark_changed(m);
    }
    if (f->shared_toon != b->shared_toon || f->toon != b->toon) {
        made->shared_toon = f->shared_toon;
        made->toon = f->toon;
        mark_changed(m);
    }
    if (same_picture(m, f, b)) {
        if (f->texture >= 0 && made->texture >= 0)
            m->out->pictures[made->texture] = texture_name(m->found, f->texture);
        return;
    }
    made->texture = f->texture < 0 ? -1 : add_texture(m, f->texture);
    mark_changed(m);
}

/* Merges materials and faces: those of kept that still exist, then new ones. */
static void merge_materials(merger *m)
{
    const mmd_model *kept = m->kept, *found = m->found;
    mmd_model *model = m->model;
    size_t all = kept->material_count + (size_t)found->material_count;
    uint32_t index_count = 0;
    int32_t *piece_of = new_index_list(m, kept->material_count);
    model->materials = allocate(m, all, sizeof *model->materials);
    model->indices = allocate(m, kept->index_count + (size_t)found->index_count, sizeof *model->indices);
    model->textures =
        copy(m, kept->textures, kept->texture_count, sizeof *model->textures, kept->texture_count + all);
    m->out->pictures = allocate(m, kept->texture_count + all, sizeof *m->out->pictures);
    m->new_material = new_index_list(m, kept->material_count);
    model->material_count = 0;
    for (uint32_t i = 0; i < m->piece_count && !m->failed; i++)
        piece_of[m->material_of_piece[i]] = (int32_t)i;
    for (uint32_t i = 0; i < kept->material_count + found->material_count && !m->failed; i++) {
        bool own = i < kept->material_count;
        int32_t piece = own ? piece_of[i] : m->piece_of_found[i - kept->material_count];
        if (own ? piece >= 0 && m->found_of_piece[piece] < 0 : piece >= 0)
            continue; /* deleted, or one of kept's */
        const mmd_material *f = own && piece < 0 ? NULL
                                : own            ? &found->materials[m->found_of_piece[piece]]
                                                 : &found->materials[i - kept->material_count];
        mmd_material *made = &model->materials[model->material_count];
        bool unedited = own && (piece < 0 || same_faces(m, f, &m->base->materials[piece]));
        *made = own ? kept->materials[i] : *f;
        if (own)
            m->new_material[i] = (int32_t)model->material_count;
        model->material_count++;
        const mmd_material *from = unedited ? &kept->materials[i] : f;
        for (uint32_t k = 0; k < from->index_count; k++) {
            uint32_t vertex = (unedited ? kept : found)->indices[from->first_index + k];
            model->indices[index_count + k] = unedited ? vertex : (uint32_t)m->merged_vertex[vertex];
        }
        made->first_index = index_count;
        made->index_count = from->index_count;
        index_count += from->index_count;
        if (own && piece >= 0)
            merge_material(m, (uint32_t)piece, made);
        if (!own)
            made->texture = f->texture < 0 ? -1 : add_texture(m, f->texture);
        if (!unedited)
            mark_changed(m);
    }
    model->index_count = index_count;
    for (uint32_t i = 0; i < m->piece_count && !m->failed; i++)
        if (m->found_of_piece[i] < 0)
            mark_changed(m);
}

/* ---------------------------------------------------------------- morphs */

/* Offsets of a morph by vertex of the merged model, in base and in found. */
typedef struct offset_table {
    float (*was)[3], (*now)[3];
    bool *there;  /* found has the vertex */
    bool *listed; /* it is in touched */
    uint32_t *touched, count;
} offset_table;

/* Adds a vertex to those with offsets. */
static void touch(offset_table *table, uint32_t vertex)
{
    if (table->listed[vertex])
        return;
    table->listed[vertex] = true;
    table->touched[table->count++] = vertex;
}

/* Fills the table with a morph of found and of base (may be NULL). */
static void fill_table(const merger *m, const mmd_morph *f, const mmd_morph *b, offset_table *table)
{
    for (uint32_t i = 0; b && i < b->count; i++) {
        uint32_t vertex = m->kept_vertex[b->offsets.vertex[i].vertex];
        memcpy(table->was[vertex], b->offsets.vertex[i].offset, sizeof table->was[vertex]);
        touch(table, vertex);
    }
    for (uint32_t i = 0; i < f->count; i++) {
        int32_t vertex = m->merged_vertex[f->offsets.vertex[i].vertex];
        if (vertex < 0)
            continue;
        memcpy(table->now[vertex], f->offsets.vertex[i].offset, sizeof table->now[vertex]);
        touch(table, (uint32_t)vertex);
    }
}

static void clear_table(offset_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t vertex = table->touched[i];
        memset(table->was[vertex], 0, sizeof table->was[vertex]);
        memset(table->now[vertex], 0, sizeof table->now[vertex]);
        table->listed[vertex] = false;
    }
    table->count = 0;
}

/* Returns whether the offset of a vertex was edited. */
static bool is_edited(const offset_table *table, uint32_t vertex)
{
    return table->there[vertex] && !keep_near(table->now[vertex], table->was[vertex], 3, 1);
}

/* Merges edits into a morph's offsets. An edited morph of another kind becomes a vertex morph. */
static void merge_offsets(merger *m, const offset_table *table, mmd_morph *morph)
{
    uint32_t edits = 0, count = 0, first = 0;
    for (uint32_t i = 0; i < table->count; i++)
        edits += is_edited(table, table->touched[i]);
    if (!edits)
        return;
    mark_changed(m);
    bool own = morph->kind == MMD_MORPH_VERTEX;
    first = own ? morph->count : 0;
    mmd_vertex_offset *made = allocate(m, (size_t)first + table->count, sizeof *made);
    bool *done = allocate(m, m->vertex_count, sizeof *done);
    for (uint32_t i = 0; !m->failed && i < first; i++) {
        made[count] = morph->offsets.vertex[i];
        uint32_t vertex = (uint32_t)made[count].vertex;
        done[vertex] = true;
        if (is_edited(table, vertex))
            memcpy(made[count].offset, table->now[vertex], sizeof made[count].offset);
        count++;
    }
    for (uint32_t i = 0; !m->failed && i < table->count; i++) {
        uint32_t vertex = table->touched[i];
        const float *now = table->now[vertex];
        if (done[vertex] || !table->there[vertex] || (own && !is_edited(table, vertex)) ||
            (now[0] == 0 && now[1] == 0 && now[2] == 0))
            continue;
        made[count].vertex = (int32_t)vertex;
        memcpy(made[count++].offset, now, sizeof made->offset);
    }
    morph->kind = MMD_MORPH_VERTEX;
    morph->count = count;
    morph->offsets.vertex = made;
}

/* Renumbers the items of a morph and removes deleted ones. */
static void remap_offsets(merger *m, mmd_morph *morph)
{
    uint32_t count = 0;
    if (morph->kind == MMD_MORPH_GROUP || morph->kind == MMD_MORPH_FLIP) {
        mmd_group_offset *made = copy(m, morph->offsets.group, morph->count, sizeof *made, morph->count);
        for (uint32_t i = 0; made && i < morph->count; i++) {
            made[count] = made[i];
            made[count].morph = made[i].morph < 0 ? -1 : m->new_morph[made[i].morph];
            count += made[i].morph < 0 || made[count].morph >= 0;
        }
        morph->offsets.group = made;
    } else if (morph->kind == MMD_MORPH_BONE) {
        mmd_bone_offset *made = copy(m, morph->offsets.bone, morph->count, sizeof *made, morph->count);
        for (uint32_t i = 0; made && i < morph->count; i++) {
            if (is_gone(m, made[i].bone))
                continue;
            made[count] = made[i];
            made[count].bone = bone_of(m, made[count].bone);
            count++;
        }
        morph->offsets.bone = made;
    } else if (morph->kind == MMD_MORPH_MATERIAL) {
        mmd_material_offset *made =
            copy(m, morph->offsets.material, morph->count, sizeof *made, morph->count);
        for (uint32_t i = 0; made && i < morph->count; i++) {
            int32_t to = made[i].material < 0 ? -1 : m->new_material[made[i].material];
            if (made[i].material >= 0 && to < 0)
                continue;
            made[count] = made[i];
            made[count++].material = to;
        }
        morph->offsets.material = made;
    } else {
        return;
    }
    morph->count = count;
}

/* Allocates the table. */
static void make_table(merger *m, offset_table *table)
{
    uint32_t count = m->vertex_count;
    table->was = allocate(m, count, sizeof *table->was);
    table->now = allocate(m, count, sizeof *table->now);
    table->there = allocate(m, count, sizeof *table->there);
    table->listed = allocate(m, count, sizeof *table->listed);
    table->touched = allocate(m, count, sizeof *table->touched);
    for (uint32_t i = 0; !m->failed && i < m->found->vertices.count; i++)
        if (m->merged_vertex[i] >= 0)
            table->there[m->merged_vertex[i]] = true;
}

/* Merges the morphs. */
static void merge_morphs(merger *m)
{
    const mmd_model *kept = m->kept, *found = m->found;
    mmd_model *model = m->model;
    offset_table table = {0};
    int32_t *base_of, *found_of;
    const int32_t *targets = m->out->base.morphs;
    pair_items(m, morph_name, found->morph_count, m->base->morph_count, &base_of, &found_of);
    make_table(m, &table);
    m->new_morph = new_index_list(m, kept->morph_count);
    model->morphs = allocate(m, kept->morph_count + (size_t)found->morph_count, sizeof *model->morphs);
    model->morph_count = 0;
    for (uint32_t i = 0; i < kept->morph_count && !m->failed; i++) {
        int32_t target = targets[i] < (int32_t)m->base->morph_count ? targets[i] : -1;
        int32_t at = target < 0 ? -1 : found_of[target];
        if (target >= 0 && at < 0) {
            mark_changed(m);
            continue;
        }
        mmd_morph *morph = &model->morphs[model->morph_count];
        m->new_morph[i] = (int32_t)model->morph_count++;
        *morph = kept->morphs[i];
        if (target < 0)
            continue;
        const mmd_morph *f = &found->morphs[at], *b = &m->base->morphs[target];
        morph->name = merged_name(m, morph->name, f->name, b->name);
        fill_table(m, f, b, &table);
        merge_offsets(m, &table, morph);
        clear_table(&table);
    }
    for (uint32_t i = 0; i < found->morph_count && !m->failed; i++) {
        if (base_of[i] >= 0)
            continue;
        mmd_morph *morph = &model->morphs[model->morph_count++];
        *morph = (mmd_morph){
            .name = found->morphs[i].name, .name_en = "", .panel = PANEL_OTHER, .kind = MMD_MORPH_VERTEX};
        fill_table(m, &found->morphs[i], NULL, &table);
        merge_offsets(m, &table, morph);
        clear_table(&table);
        mark_changed(m);
    }
    for (uint32_t i = 0; i < model->morph_count && !m->failed; i++)
        remap_offsets(m, &model->morphs[i]);
}

/* ---------------------------------------------------------------- frames */

/*
 * Merges the display frames: removes deleted items, appends new bones to the last frame and new morphs to the
 * frame of morphs.
 */
static void merge_frames(merger *m)
{
    const mmd_model *kept = m->kept;
    mmd_model *model = m->model;
    uint32_t old_bones = 0, old_morphs = 0, bones_to = UINT32_MAX, morphs_to = UINT32_MAX;
    for (uint32_t i = 0; i < kept->bone_count; i++)
        old_bones += m->found_of_bone[i] >= 0;
    for (uint32_t i = 0; i < kept->morph_count; i++)
        old_morphs += m->new_morph[i] >= 0;
    for (uint32_t i = 0; i < kept->frame_count; i++) {
        bones_to = kept->frames[i].special && bones_to != UINT32_MAX ? bones_to : i;
        morphs_to = kept->frames[i].special ? i : morphs_to;
    }
    model->frames = copy(m, kept->frames, kept->frame_count, sizeof *model->frames, kept->frame_count);
    for (uint32_t i = 0; i < kept->frame_count && !m->failed; i++) {
        mmd_display_frame *frame = &model->frames[i];
        uint32_t bones = i == bones_to ? model->bone_count - old_bones : 0;
        uint32_t morphs = i == morphs_to ? model->morph_count - old_morphs : 0, count = 0;
        mmd_frame_item *items = allocate(m, (size_t)frame->count + bones + morphs, sizeof *items);
        for (uint32_t k = 0; items && k < frame->count; k++) {
            mmd_frame_item item = frame->items[k];
            bool gone =
                item.index >= 0 && (item.kind == 0 ? is_gone(m, item.index) : m->new_morph[item.index] < 0);
            if (gone)
                continue;
            if (item.index >= 0)
                item.index = item.kind == 0 ? bone_of(m, item.index) : m->new_morph[item.index];
            items[count++] = item;
        }
        for (uint32_t k = 0; items && k < bones; k++)
            items[count++] = (mmd_frame_item){.kind = 0, .index = (int32_t)(old_bones + k)};
        for (uint32_t k = 0; items && k < morphs; k++)
            items[count++] = (mmd_frame_item){.kind = 1, .index = (int32_t)(old_morphs + k)};
        frame->items = items;
        frame->count = count;
    }
}

/* --------------------------------------------------- vertices of no face */

/* Renumbers the vertices of a morph. */
static void remap_vertex_offsets(merger *m, mmd_morph *morph, const int32_t *to)
{
    uint32_t count = 0;
    if (morph->kind == MMD_MORPH_VERTEX) {
        mmd_vertex_offset *made = copy(m, morph->offsets.vertex, morph->count, sizeof *made, morph->count);
        for (uint32_t i = 0; made && i < morph->count; i++)
            if (to[made[i].vertex] >= 0) {
                made[count] = made[i];
                made[count++].vertex = to[made[i].vertex];
            }
        morph->offsets.vertex = made;
        morph->count = count;
    } else if (morph->kind >= MMD_MORPH_UV && morph->kind < MMD_MORPH_MATERIAL) {
        mmd_uv_offset *made = copy(m, morph->offsets.uv, morph->count, sizeof *made, morph->count);
        for (uint32_t i = 0; made && i < morph->count; i++)
            if (to[made[i].vertex] >= 0) {
                made[count] = made[i];
                made[count++].vertex = to[made[i].vertex];
            }
        morph->offsets.uv = made;
        morph->count = count;
    }
}

/* Renumbers materials and vertices of soft bodies. to: new vertex indices; NULL: unchanged. */
static void remap_soft_bodies(merger *m, const int32_t *to)
{
    mmd_model *model = m->model;
    uint32_t count = 0;
    mmd_soft_body *softs =
        copy(m, m->kept->soft_bodies, m->kept->soft_body_count, sizeof *softs, m->kept->soft_body_count);
    for (uint32_t i = 0; softs && i < m->kept->soft_body_count; i++) {
        mmd_soft_body *soft = &softs[count];
        *soft = m->kept->soft_bodies[i];
        if (soft->material >= 0 && m->new_material[soft->material] < 0)
            continue;
        soft->material = soft->material < 0 ? -1 : m->new_material[soft->material];
        count++;
        if (!to)
            continue;
        mmd_soft_anchor *anchors =
            copy(m, soft->anchors, soft->anchor_count, sizeof *anchors, soft->anchor_count);
        int32_t *pins = copy(m, soft->pins, soft->pin_count, sizeof *pins, soft->pin_count);
        uint32_t anchor_count = 0, pin_count = 0;
        for (uint32_t k = 0; !m->failed && k < soft->anchor_count; k++)
            if (anchors[k].vertex >= 0 && to[anchors[k].vertex] >= 0) {
                anchors[anchor_count] = anchors[k];
                anchors[anchor_count++].vertex = to[anchors[k].vertex];
            }
        for (uint32_t k = 0; !m->failed && k < soft->pin_count; k++)
            if (pins[k] >= 0 && to[pins[k]] >= 0)
                pins[pin_count++] = to[pins[k]];
        soft->anchors = anchors;
        soft->anchor_count = anchor_count;
        soft->pins = pins;
        soft->pin_count = pin_count;
    }
    model->soft_bodies = softs;
    model->soft_body_count = count;
}

/* Removes vertices that lost all their faces, and all references to them. */
static void drop_vertices(merger *m)
{
    mmd_model *model = m->model;
    mmd_vertices *v = &model->vertices;
    bool *used = allocate(m, m->vertex_count, sizeof *used), *had = allocate(m, m->vertex_count, sizeof *had);
    int32_t *to = new_index_list(m, m->vertex_count);
    uint32_t count = 0;
    if (m->failed)
        return;
    for (uint32_t i = 0; i < m->kept->index_count; i++)
        had[m->kept->indices[i]] = true;
    for (uint32_t i = 0; i < model->index_count; i++)
        used[model->indices[i]] = true;
    for (uint32_t i = 0; i < m->vertex_count; i++)
        if (used[i] || (i < m->kept->vertices.count && !had[i]))
            to[i] = (int32_t)count++;
    remap_soft_bodies(m, count == m->vertex_count ? NULL : to);
    if (count == m->vertex_count)
        return;
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        int32_t at = to[i];
        if (at < 0 || at == (int32_t)i)
            continue;
        memcpy(v->position[at], v->position[i], sizeof *v->position);
        memcpy(v->normal[at], v->normal[i], sizeof *v->normal);
        memcpy(v->uv[at], v->uv[i], sizeof *v->uv);
        memcpy(v->bone[at], v->bone[i], sizeof *v->bone);
        memcpy(v->weight[at], v->weight[i], sizeof *v->weight);
        v->deform[at] = v->deform[i];
        v->edge_scale[at] = v->edge_scale[i];
        for (uint32_t k = 0; k < v->additional_uv_count; k++)
            memcpy(v->additional_uv[k][at], v->additional_uv[k][i], sizeof *v->additional_uv[k]);
        if (v->sdef_index)
            v->sdef_index[at] = v->sdef_index[i];
    }
    v->count = count;
    for (uint32_t i = 0; i < model->index_count; i++)
        model->indices[i] = (uint32_t)to[model->indices[i]];
    for (uint32_t i = 0; i < model->morph_count && !m->failed; i++)
        remap_vertex_offsets(m, &model->morphs[i], to);
}

/* ------------------------------------------------------------------- all */

/* Makes the baseline: the kept PMX as a glTF. */
static mmd_status make_base(merger *m, const mmd_exchange_kept *kept, mmd_error *error)
{
    matched_pictures lent = {0};
    match_pictures(m, &lent);
    mmd_source *source = m->failed ? NULL : mmd_source_memory(lent.files, lent.count);
    const keep_origin origin = {.model = m->kept,
                                .sidecar = json_object_get(kept->record, "sidecar"),
                                .textures = source,
                                .mesh = true};
    mmd_status status =
        source ? keep_baseline_make(&origin, MMD_EXCHANGE_GLTF, m->document->dialect, &m->out->base, error)
               : MMD_ERROR_MEMORY;
    mmd_source_destroy(source);
    matched_pictures_finish(&lent);
    if (status == MMD_OK)
        m->base = m->out->base.document->model;
    return status;
}

/* Merges all parts in order. */
static void merge_all(merger *m)
{
    pair_bones(m);
    if (!m->failed)
        pair_items(m, material_name, m->found->material_count, m->base->material_count, &m->piece_of_found,
                   &m->found_of_piece);
    if (!m->failed)
        merge_bones(m);
    if (!m->failed)
        pair_vertices(m);
    if (!m->failed)
        merge_vertices(m);
    if (!m->failed)
        merge_materials(m);
    if (!m->failed)
        merge_morphs(m);
    if (!m->failed)
        merge_frames(m);
    if (!m->failed)
        drop_vertices(m);
    if (!m->failed)
        m->model->name = merged_name(m, m->kept->name, m->found->name, m->base->name);
}

mmd_status pmx_merge_make(pmx_merge *merge, const mmd_exchange_kept *kept, const mmd_exchange *document,
                          mmd_error *error)
{
    assert(merge && kept && document);
    merger m = {.out = merge, .document = document, .found = document->model, .model = &merge->model};
    *merge = (pmx_merge){0};
    mmd_status status = mmd_pmx_read(kept->pmx.data, kept->pmx.size, &merge->kept, error);
    if (status != MMD_OK)
        return status;
    m.kept = merge->kept;
    m.size = model_size(m.kept);
    merge->model = *merge->kept;
    merge->model.arena = (mmd_arena){0};
    merge->model.body_count = merge->model.joint_count = 0;
    status = make_base(&m, kept, error);
    if (status == MMD_OK && (m.base->bone_count <= m.kept->bone_count || !list_pieces(&m)))
        status = m.failed ? MMD_ERROR_MEMORY : MMD_ERROR_VALUE;
    if (status == MMD_OK)
        merge_all(&m);
    if (m.failed)
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "pmx", MMD_NO_OFFSET, "no memory for the model");
    if (status != MMD_OK)
        pmx_merge_finish(merge);
    return status;
}

void pmx_merge_finish(pmx_merge *merge)
{
    assert(merge);
    keep_baseline_finish(&merge->base);
    mmd_model_destroy(merge->kept);
    mmd_arena_finish(&merge->arena);
    *merge = (pmx_merge){0};
}

/* ---------------------------------------------------------- whole models */

bool pmx_same_model(const mmd_model *a, const mmd_model *b)
{
    assert(a && b);
    const mmd_vertices *v = &a->vertices, *w = &b->vertices;
    float size = model_size(b);
    bool same = a->bone_count == b->bone_count && v->count == w->count && a->index_count == b->index_count &&
                a->material_count == b->material_count && a->morph_count == b->morph_count &&
                (!a->index_count || memcmp(a->indices, b->indices, a->index_count * sizeof *a->indices) == 0);
    for (uint32_t i = 0; same && i < a->bone_count; i++)
        same = strcmp(a->bones[i].name, b->bones[i].name) == 0 && a->bones[i].parent == b->bones[i].parent &&
               keep_near(a->bones[i].position, b->bones[i].position, 3, size);
    for (uint32_t i = 0; same && i < v->count; i++) {
        same = keep_near(v->position[i], w->position[i], 3, size) &&
               keep_near(v->normal[i], w->normal[i], 3, 10) && keep_near(v->uv[i], w->uv[i], 2, 1) &&
               v->deform[i] == w->deform[i] && memcmp(v->bone[i], w->bone[i], sizeof *v->bone) == 0 &&
               keep_near(v->weight[i], w->weight[i], 4, 1);
    }
    for (uint32_t i = 0; same && i < a->material_count; i++) {
        const mmd_material *x = &a->materials[i], *y = &b->materials[i];
        same = strcmp(x->name, y->name) == 0 && keep_near(x->diffuse, y->diffuse, 4, 1) &&
               keep_near(x->specular, y->specular, 3, 1) && keep_near(x->ambient, y->ambient, 3, 1) &&
               keep_near(&x->specular_power, &y->specular_power, 1, 1) && x->flags == y->flags &&
               x->first_index == y->first_index && x->index_count == y->index_count &&
               strcmp(x->texture < 0 ? "" : a->textures[x->texture],
                      y->texture < 0 ? "" : b->textures[y->texture]) == 0;
    }
    for (uint32_t i = 0; same && i < a->morph_count; i++) {
        const mmd_morph *x = &a->morphs[i], *y = &b->morphs[i];
        same = strcmp(x->name, y->name) == 0 && x->kind == y->kind && x->count == y->count;
        for (uint32_t k = 0; same && x->kind == MMD_MORPH_VERTEX && k < x->count; k++)
            same = x->offsets.vertex[k].vertex == y->offsets.vertex[k].vertex &&
                   keep_near(x->offsets.vertex[k].offset, y->offsets.vertex[k].offset, 3, 1);
    }
    return same;
}
