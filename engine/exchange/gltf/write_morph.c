/*
 * Morphs of a model as morph targets (glTF 2.0, 3.7.2.2): vertex morphs, and
 * groups as the sum of the vertex morphs in them; a flip, which shows its
 * members one after the other, as what it shows in the end. Every primitive has
 * every target: sparse, and where nothing moves all of them share one that is
 * empty.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "write_mesh.h"

enum { LEVELS_MAX = 8 }; /* of groups in groups */

/* Limits for models that only pretend: steps of adding up groups, and targets of all primitives. */
#define STEPS_MAX   UINT64_C(100000000)
#define TARGETS_MAX UINT64_C(2000000)

/* Where in the pieces a vertex is. */
typedef struct place {
    uint32_t piece, row;
} place;

/* What moves in a piece by one target. */
typedef struct moved {
    uint32_t count;
    uint32_t *rows;
    float (*offsets)[3];
    int32_t still; /* the accessor of a target that moves nothing here; -1: not made yet */
} moved;

typedef struct morph_writer {
    gltf_mesh_writer *mesh;
    gltf_builder *builder;
    const mmd_model *model;
    uint32_t *first_place; /* of vertices, into places; one more than there are */
    place *places;
    moved *pieces;
    float (*sum)[3];   /* of vertices, in MMD's space; zeros between targets */
    uint32_t *touched; /* vertices of the sum */
    uint32_t touched_count;
    bool *marks;           /* of vertices: among the touched */
    double *weights, *fed; /* of morphs, while a group is added up */
    uint64_t steps;
} morph_writer;

/* ----------------------------------------------------------------- room */

static void list_places(morph_writer *w)
{
    gltf_mesh_writer *mesh = w->mesh;
    uint32_t vertices = w->model->vertices.count;
    size_t total = 0;
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        total += mesh->pieces[i].vertex_count;
    w->first_place = gltf_mesh_alloc(mesh, vertices + (size_t)2, sizeof *w->first_place);
    w->places = gltf_mesh_alloc(mesh, total, sizeof *w->places);
    if (w->builder->failed)
        return;
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        for (uint32_t k = 0; k < mesh->pieces[i].vertex_count; k++)
            w->first_place[mesh->pieces[i].vertices[k] + 2]++;
    for (uint32_t v = 1; v <= vertices; v++)
        w->first_place[v + 1] += w->first_place[v];
    for (uint32_t i = 0; i < mesh->piece_count; i++) /* counts one place back become beginnings */
        for (uint32_t k = 0; k < mesh->pieces[i].vertex_count; k++)
            w->places[w->first_place[mesh->pieces[i].vertices[k] + 1]++] = (place){i, k};
}

static void make_room(morph_writer *w)
{
    gltf_mesh_writer *mesh = w->mesh;
    uint32_t vertices = w->model->vertices.count;
    w->pieces = gltf_mesh_alloc(mesh, mesh->piece_count, sizeof *w->pieces);
    w->sum = gltf_mesh_alloc(mesh, vertices, sizeof *w->sum);
    w->touched = gltf_mesh_alloc(mesh, vertices, sizeof *w->touched);
    w->marks = gltf_mesh_alloc(mesh, vertices, sizeof *w->marks);
    w->weights = gltf_mesh_alloc(mesh, w->model->morph_count, sizeof *w->weights);
    w->fed = gltf_mesh_alloc(mesh, w->model->morph_count, sizeof *w->fed);
    for (uint32_t i = 0; i < mesh->piece_count && !w->builder->failed; i++) {
        uint32_t count = mesh->pieces[i].vertex_count;
        w->pieces[i].rows = gltf_mesh_alloc(mesh, count, sizeof *w->pieces[i].rows);
        w->pieces[i].offsets = gltf_mesh_alloc(mesh, count, sizeof *w->pieces[i].offsets);
        w->pieces[i].still = -1;
    }
    list_places(w);
}

/* ---------------------------------------------------------------- adding */

static void add_morph(morph_writer *w, const mmd_morph *morph, double weight)
{
    w->steps += morph->count;
    for (uint32_t i = 0; i < morph->count; i++) {
        const mmd_vertex_offset *offset = &morph->offsets.vertex[i];
        uint32_t vertex = (uint32_t)offset->vertex;
        if (!w->marks[vertex]) {
            w->marks[vertex] = true;
            w->touched[w->touched_count++] = vertex;
        }
        for (int k = 0; k < 3; k++) {
            float added = (float)(weight * (double)offset->offset[k]);
            w->sum[vertex][k] += isfinite(added) ? added : 0;
        }
    }
}

/* One level of groups gives its weight to the next; vertex morphs keep theirs. False: nothing was given. */
static bool spread(morph_writer *w)
{
    const mmd_model *model = w->model;
    bool given = false;
    memset(w->fed, 0, model->morph_count * sizeof *w->fed);
    w->steps += model->morph_count;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (morph->kind != MMD_MORPH_GROUP || w->weights[m] == 0)
            continue;
        w->steps += morph->count;
        for (uint32_t i = 0; i < morph->count; i++) {
            const mmd_group_offset *member = &morph->offsets.group[i];
            if (member->morph >= 0)
                w->fed[member->morph] += w->weights[m] * (double)member->ratio;
        }
        w->weights[m] = 0;
        given = true;
    }
    for (uint32_t m = 0; m < model->morph_count; m++)
        w->weights[m] += w->fed[m];
    return given;
}

/* The vertex morphs that a morph moves; *others: it moves other things, too. */
static void add_up(morph_writer *w, uint32_t number, bool *others)
{
    const mmd_model *model = w->model;
    const mmd_morph *morph = &model->morphs[number];
    if (morph->kind == MMD_MORPH_VERTEX) {
        add_morph(w, morph, 1);
        return;
    }
    *others = morph->kind == MMD_MORPH_FLIP && morph->count > 1;
    memset(w->weights, 0, model->morph_count * sizeof *w->weights);
    if (morph->kind == MMD_MORPH_FLIP && morph->count > 0) {
        const mmd_group_offset *last = &morph->offsets.group[morph->count - 1];
        if (last->morph >= 0)
            w->weights[last->morph] = (double)last->ratio;
    } else {
        w->weights[number] = 1;
    }
    for (int level = 0; level < LEVELS_MAX && spread(w); level++)
        ;
    w->steps += model->morph_count;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        if (w->weights[m] == 0)
            continue;
        if (model->morphs[m].kind == MMD_MORPH_VERTEX)
            add_morph(w, &model->morphs[m], w->weights[m]);
        else
            *others = true;
    }
}

/* --------------------------------------------------------------- writing */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The sum goes to the pieces, in the order of their rows, and is zero again. */
static void deal_out(morph_writer *w)
{
    qsort(w->touched, w->touched_count, sizeof *w->touched, compare_numbers);
    for (uint32_t i = 0; i < w->touched_count; i++) {
        uint32_t vertex = w->touched[i];
        float *sum = w->sum[vertex];
        bool moves = sum[0] != 0 || sum[1] != 0 || sum[2] != 0;
        for (uint32_t p = w->first_place[vertex]; moves && p < w->first_place[vertex + 1]; p++) {
            moved *piece = &w->pieces[w->places[p].piece];
            piece->rows[piece->count] = w->places[p].row;
            for (int k = 0; k < 3; k++)
                piece->offsets[piece->count][k] =
                    (k == 2 ? -METRES_PER_UNIT : METRES_PER_UNIT) * sum[k] + 0.0F;
            piece->count++;
        }
        sum[0] = sum[1] = sum[2] = 0;
        w->marks[vertex] = false;
    }
    w->touched_count = 0;
}

/* Many offsets take less room as a whole array than as a sparse one. */
static int32_t add_dense(morph_writer *w, const moved *piece, uint32_t count)
{
    size_t size = (size_t)count * sizeof(float[3]);
    float(*values)[3] = mmd_alloc(size);
    w->builder->failed = !values;
    if (!values)
        return 0;
    memset(values, 0, size);
    for (uint32_t i = 0; i < piece->count; i++)
        memcpy(values[piece->rows[i]], piece->offsets[i], sizeof values[0]);
    int32_t accessor = gltf_add_floats(w->builder, values[0], count, "VEC3", GLTF_ARRAY_BUFFER, true);
    mmd_free(values);
    return accessor;
}

static int32_t add_offsets(morph_writer *w, moved *piece, uint32_t count)
{
    if (w->builder->failed)
        return 0;
    if (piece->count == 0) {
        if (piece->still < 0)
            piece->still = gltf_add_sparse(w->builder, count, NULL, NULL, 0);
        return piece->still;
    }
    if (piece->count > count / 4 * 3)
        return add_dense(w, piece, count);
    return gltf_add_sparse(w->builder, count, piece->rows, (const float(*)[3])piece->offsets, piece->count);
}

static void write_target(morph_writer *w)
{
    for (uint32_t i = 0; i < w->mesh->piece_count && !w->builder->failed; i++) {
        const gltf_mesh_piece *piece = &w->mesh->pieces[i];
        json_t *targets = json_object_get(piece->primitive, "targets");
        if (!targets) {
            targets = json_array();
            gltf_put(w->builder, piece->primitive, "targets", targets);
        }
        json_t *target = json_object();
        gltf_put(w->builder, target, "POSITION",
                 json_integer(add_offsets(w, &w->pieces[i], piece->vertex_count)));
        w->builder->failed = w->builder->failed || json_array_append(targets, target) != 0;
        json_decref(target);
        w->pieces[i].count = 0;
    }
}

static bool is_written(const mmd_morph *morph)
{
    return morph->kind == MMD_MORPH_VERTEX || morph->kind == MMD_MORPH_GROUP || morph->kind == MMD_MORPH_FLIP;
}

static const char *kind_name(uint8_t kind)
{
    static const char *const names[] = {"group",         "vertex",        "bone",          "UV",
                                        "additional UV", "additional UV", "additional UV", "additional UV",
                                        "material",      "flip",          "impulse"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : "";
}

static void drop(morph_writer *w, uint32_t number)
{
    const mmd_morph *morph = &w->model->morphs[number];
    char kind[32];
    snprintf(kind, sizeof kind, "\"%s\"", kind_name(morph->kind));
    gltf_loss(w->builder, MMD_LOSS_DROPPED, "morph.dropped", "morph", number, morph->name, "kind", kind, "");
}

/* A morph as one more target, or a loss. */
static void write_morph(morph_writer *w, uint32_t number, json_t *names)
{
    gltf_mesh_writer *mesh = w->mesh;
    const mmd_morph *morph = &w->model->morphs[number];
    bool others = false;
    mesh->target_of_morph[number] = -1;
    bool fits = (mesh->target_count + UINT64_C(1)) * mesh->piece_count <= TARGETS_MAX &&
                (w->steps < STEPS_MAX || morph->kind == MMD_MORPH_VERTEX);
    if (is_written(morph) && fits)
        add_up(w, number, &others);
    if (!is_written(morph) || !fits || (w->touched_count == 0 && morph->kind != MMD_MORPH_VERTEX)) {
        drop(w, number);
        return;
    }
    if (others)
        gltf_loss(w->builder, MMD_LOSS_APPROXIMATED, "morph.approximated", "morph", number, morph->name,
                  "kind", morph->kind == MMD_MORPH_FLIP ? "\"flip\"" : "\"group\"", "\"vertex\"");
    deal_out(w);
    write_target(w);
    mesh->target_of_morph[number] = (int32_t)mesh->target_count++;
    if (w->builder->job->morph_items)
        w->builder->job->morph_items[number] = mesh->target_of_morph[number];
    json_t *name = json_text(morph->name);
    w->builder->failed = w->builder->failed || !name || json_array_append(names, name) != 0;
    json_decref(name);
}

void gltf_write_morphs(gltf_mesh_writer *mesh, json_t *json)
{
    const mmd_model *model = mesh->model;
    morph_writer w = {.mesh = mesh, .builder = mesh->builder, .model = model};
    if (model->morph_count == 0)
        return;
    mesh->target_of_morph = gltf_mesh_alloc(mesh, model->morph_count, sizeof *mesh->target_of_morph);
    make_room(&w);
    json_t *names = json_array();
    for (uint32_t i = 0; i < model->morph_count && !w.builder->failed; i++)
        write_morph(&w, i, names);
    if (mesh->target_count > 0)
        gltf_put(w.builder, gltf_object(w.builder, json, "extras"), "targetNames", json_incref(names));
    json_decref(names);
}
