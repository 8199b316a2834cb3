/*
 * Writes a model's mesh (glTF 2.0, 3.7): one primitive per material, each with vertices of its own, so that
 * programs that load primitives separately load only what they draw. The mesh's node is in the scene and not
 * below the bones, because the transform of a skinned mesh's node has no effect.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/elementary.h"
#include "writer.h"

enum { MODE_POINTS, MODE_LINES, MODE_TRIANGLES = 4 };

/* Allocates zeroed memory of the writer; NULL also fails the builder. */
static void *mesh_alloc(gltf_mesh_writer *writer, size_t count, size_t size)
{
    assert(writer);
    void *memory = writer->builder->failed ? NULL : mmd_arena_alloc(&writer->arena, count, size);
    writer->builder->failed = !memory;
    return memory;
}

/* ---------------------------------------------------------------- pieces */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/*
 * Lists the vertices of a material, each once. marks: per vertex, the last material (index + 1) that used it.
 */
static void find_vertices(gltf_mesh_writer *writer, uint32_t material, uint32_t *marks)
{
    const mmd_model *model = writer->model;
    const mmd_material *of = &model->materials[material];
    gltf_mesh_piece *piece = &writer->pieces[writer->piece_count];
    uint32_t *found = mesh_alloc(writer, of->index_count, sizeof *found);
    if (!found)
        return;
    *piece = (gltf_mesh_piece){.material = material, .vertices = found};
    for (uint32_t i = 0; i < of->index_count; i++) {
        uint32_t vertex = model->indices[of->first_index + i];
        if (marks[vertex] == material + 1)
            continue;
        marks[vertex] = material + 1;
        found[piece->vertex_count++] = vertex;
    }
    qsort(found, piece->vertex_count, sizeof *found, compare_numbers);
    writer->piece_count++;
}

/* Lists the materials that have faces. */
static void list_pieces(gltf_mesh_writer *writer)
{
    const mmd_model *model = writer->model;
    uint32_t *marks = mesh_alloc(writer, model->vertices.count, sizeof *marks);
    writer->pieces = mesh_alloc(writer, model->material_count, sizeof *writer->pieces);
    for (uint32_t i = 0; i < model->material_count && !writer->builder->failed; i++)
        if (model->materials[i].index_count >= 3)
            find_vertices(writer, i, marks);
}

/* -------------------------------------------------------------- deformation */

/*
 * The skin (glTF 2.0, 3.7.3): joint i is bone i; one more joint, the root node, is for vertices without a
 * bone. All of MMD's deformation types become linear blending of their weights. What SDEF and QDEF add to
 * that is lost.
 */

enum { JOINTS_MAX = 65534 };

/* Returns how many bones are joints. */
static uint32_t bone_joints(const mmd_model *model)
{
    return model->bone_count < JOINTS_MAX ? model->bone_count : JOINTS_MAX;
}

/* --------------------------------------------------------------- weights */

/* Joints and weights of a vertex. */
typedef struct vertex_skin {
    uint32_t count, joints[4];
    double weights[4];
} vertex_skin;

/* Adds weight to a joint, which is listed once. */
static void add_share(vertex_skin *skin, uint32_t joint, double weight)
{
    for (uint32_t k = 0; k < skin->count; k++)
        if (skin->joints[k] == joint) {
            skin->weights[k] += weight;
            return;
        }
    skin->joints[skin->count] = joint;
    skin->weights[skin->count++] = weight;
}

/*
 * Returns how many of a vertex's four bones its deformation type uses. Further weights are zero or belong to
 * another type.
 */
static int bones_used(uint8_t deform)
{
    return deform == MMD_DEFORM_BDEF1 ? 1 : deform == MMD_DEFORM_BDEF2 || deform == MMD_DEFORM_SDEF ? 2 : 4;
}

/* Returns joints and normalised weights of a vertex. */
static vertex_skin skin_of(const mmd_model *model, uint32_t vertex)
{
    const mmd_vertices *v = &model->vertices;
    vertex_skin skin = {0};
    uint32_t bones = bone_joints(model);
    double sum = 0;
    int used = bones_used(v->deform[vertex]);
    for (int k = 0; k < used; k++) {
        int32_t bone = v->bone[vertex][k];
        double weight = used == 1 ? 1 : (double)v->weight[vertex][k];
        if (!(weight > 0) || !isfinite(weight))
            continue;
        add_share(&skin, bone >= 0 && (uint32_t)bone < bones ? (uint32_t)bone : bones, weight);
        sum += weight;
    }
    if (skin.count == 0) {
        int32_t bone = v->bone[vertex][0];
        add_share(&skin, bone >= 0 && (uint32_t)bone < bones ? (uint32_t)bone : bones, 1);
        sum = 1;
    }
    for (uint32_t k = 0; k < skin.count; k++)
        skin.weights[k] /= sum;
    return skin;
}

/* Rounds weights to floats with a sum of 1: the largest weight absorbs the rounding errors. */
static void round_weights(const vertex_skin *skin, uint32_t joints[4], float weights[4])
{
    uint32_t largest = 0;
    double rest = 1;
    for (uint32_t k = 0; k < skin->count; k++)
        largest = skin->weights[k] > skin->weights[largest] ? k : largest;
    for (uint32_t k = 0; k < 4; k++) {
        weights[k] = k < skin->count ? (float)skin->weights[k] : 0;
        joints[k] = weights[k] > 0 ? skin->joints[k] : 0;
        rest -= k == largest ? 0 : (double)weights[k];
    }
    weights[largest] = (float)rest;
}

/* Writes JOINTS_0 and WEIGHTS_0 of a piece. */
static void write_weights(gltf_mesh_writer *writer, const gltf_mesh_piece *piece)
{
    assert(writer && piece);
    gltf_builder *builder = writer->builder;
    size_t numbers = (size_t)piece->vertex_count * 4;
    uint32_t *joints = builder->failed ? NULL : mmd_alloc(numbers * sizeof *joints);
    float *weights = builder->failed ? NULL : mmd_alloc(numbers * sizeof *weights);
    builder->failed = !joints || !weights;
    for (uint32_t i = 0; i < piece->vertex_count && !builder->failed; i++) {
        vertex_skin skin = skin_of(writer->model, piece->vertices[i]);
        round_weights(&skin, joints + (size_t)i * 4, weights + (size_t)i * 4);
    }
    json_t *attributes = gltf_object(builder, piece->primitive, "attributes");
    if (attributes) {
        gltf_put(builder, attributes, "JOINTS_0",
                 json_integer(gltf_add_integers(builder, joints, piece->vertex_count, "VEC4",
                                                GLTF_ARRAY_BUFFER, GLTF_U8)));
        gltf_put(builder, attributes, "WEIGHTS_0",
                 json_integer(gltf_add_floats(builder, weights, piece->vertex_count, "VEC4",
                                              GLTF_ARRAY_BUFFER, false)));
    }
    mmd_free(joints);
    mmd_free(weights);
}

/* ------------------------------------------------------------------ skin */

/* Inverts a rigid transform in double precision. */
static void invert_rigid(const float world[16], float inverse[16])
{
    for (int c = 0; c < 3; c++) {
        double piece_offsets = 0;
        for (int r = 0; r < 3; r++) {
            inverse[c * 4 + r] = world[r * 4 + c];
            piece_offsets -= (double)world[c * 4 + r] * (double)world[12 + r];
        }
        inverse[c * 4 + 3] = 0;
        inverse[12 + c] = (float)piece_offsets;
    }
    inverse[15] = 1;
    for (int k = 0; k < 16; k++)
        inverse[k] += 0.0F; /* no -0 */
}

/* Reports SDEF and QDEF vertices. */
static void report_blends(const gltf_mesh_writer *writer)
{
    static const struct {
        uint8_t deform;
        const char *name;
    } kinds[] = {{MMD_DEFORM_SDEF, "SDEF"}, {MMD_DEFORM_QDEF, "QDEF"}};
    const mmd_vertices *v = &writer->model->vertices;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < v->count; i++)
            count += v->deform[i] == kinds[kind].deform;
        if (count > 0)
            gltf_count_loss(writer->builder, MMD_LOSS_INFO, "skin.approximated", "mesh", kinds[kind].name,
                            count);
    }
}

/* Writes the skin and returns its index. */
static int32_t write_skin(gltf_mesh_writer *writer)
{
    assert(writer);
    gltf_builder *builder = writer->builder;
    uint32_t bones = bone_joints(writer->model), root = writer->model->bone_count, count = bones + 1;
    float(*matrices)[16] = mesh_alloc(writer, count, sizeof *matrices);
    json_t *joints = json_array();
    for (uint32_t i = 0; i < count && !builder->failed; i++) {
        uint32_t node = i < bones ? i : root;
        invert_rigid(builder->transforms[node].world, matrices[i]);
        builder->failed = json_array_append_new(joints, json_integer(node)) != 0;
    }
    json_t *skin = json_pack("{s:o, s:i}", "joints", joints, "skeleton", (int)root);
    if (matrices)
        gltf_put(builder, skin, "inverseBindMatrices",
                 json_integer(gltf_add_floats(builder, matrices[0], count, "MAT4", 0, false)));
    report_blends(writer);
    return gltf_append(builder, "skins", skin);
}

/* ------------------------------------------------------------------- morphs */

/*
 * Morphs as morph targets (glTF 2.0, 3.7.2.2): vertex morphs, and groups as the sum of their vertex morphs. A
 * flip morph, which shows its members one after another, becomes its last member. Every primitive must have
 * every target: they are sparse, and all targets that move nothing in a primitive share one empty accessor.
 */

enum { LEVELS_MAX = 8 }; /* depth of nested groups */

/* Limits for malicious models: steps of summing groups, and targets of all primitives. */
#define STEPS_MAX   UINT64_C(100000000)
#define TARGETS_MAX UINT64_C(2000000)

/* Position of a vertex in a piece. */
typedef struct morph_row {
    uint32_t piece, row;
} morph_row;

/* Offsets of one target in one piece. */
typedef struct piece_offsets {
    uint32_t count;
    uint32_t *rows;
    float (*offsets)[3];
    int32_t still; /* accessor for targets that move nothing here; -1: not made yet */
} piece_offsets;

typedef struct morph_writer {
    gltf_mesh_writer *mesh;
    gltf_builder *builder;
    const mmd_model *model;
    uint32_t *first_morph_row; /* per vertex, start of its run in morph_rows; one entry more than vertices */
    morph_row *morph_rows;
    piece_offsets *pieces;
    float (*sum)[3];   /* per vertex, in MMD's space; all zero between targets */
    uint32_t *touched; /* vertices with a sum */
    uint32_t touched_count;
    bool *marks;                    /* per vertex: is in touched */
    double *weights, *next_weights; /* per morph, while a group is summed */
    uint64_t steps;
} morph_writer;

/* ----------------------------------------------------------------- room */

/* Lists for every vertex where it is in the pieces, by counting sort. */
static void list_morph_rows(morph_writer *w)
{
    gltf_mesh_writer *mesh = w->mesh;
    uint32_t vertices = w->model->vertices.count;
    size_t total = 0;
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        total += mesh->pieces[i].vertex_count;
    w->first_morph_row = mesh_alloc(mesh, vertices + (size_t)2, sizeof *w->first_morph_row);
    w->morph_rows = mesh_alloc(mesh, total, sizeof *w->morph_rows);
    if (w->builder->failed)
        return;
    for (uint32_t i = 0; i < mesh->piece_count; i++)
        for (uint32_t k = 0; k < mesh->pieces[i].vertex_count; k++)
            w->first_morph_row[mesh->pieces[i].vertices[k] + 2]++;
    for (uint32_t v = 1; v <= vertices; v++)
        w->first_morph_row[v + 1] += w->first_morph_row[v];
    for (uint32_t i = 0; i < mesh->piece_count; i++) /* turns the running sums into starts */
        for (uint32_t k = 0; k < mesh->pieces[i].vertex_count; k++)
            w->morph_rows[w->first_morph_row[mesh->pieces[i].vertices[k] + 1]++] = (morph_row){i, k};
}

/* Allocates the writer's arrays. */
static void allocate_morphs(morph_writer *w)
{
    gltf_mesh_writer *mesh = w->mesh;
    uint32_t vertices = w->model->vertices.count;
    w->pieces = mesh_alloc(mesh, mesh->piece_count, sizeof *w->pieces);
    w->sum = mesh_alloc(mesh, vertices, sizeof *w->sum);
    w->touched = mesh_alloc(mesh, vertices, sizeof *w->touched);
    w->marks = mesh_alloc(mesh, vertices, sizeof *w->marks);
    w->weights = mesh_alloc(mesh, w->model->morph_count, sizeof *w->weights);
    w->next_weights = mesh_alloc(mesh, w->model->morph_count, sizeof *w->next_weights);
    for (uint32_t i = 0; i < mesh->piece_count && !w->builder->failed; i++) {
        uint32_t count = mesh->pieces[i].vertex_count;
        w->pieces[i].rows = mesh_alloc(mesh, count, sizeof *w->pieces[i].rows);
        w->pieces[i].offsets = mesh_alloc(mesh, count, sizeof *w->pieces[i].offsets);
        w->pieces[i].still = -1;
    }
    list_morph_rows(w);
}

/* ---------------------------------------------------------------- adding */

/* Adds a vertex morph, weighted, to the sum. */
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

/*
 * Distributes the weights of all groups to their members, one level. Returns false when no group had a
 * weight.
 */
static bool expand_groups(morph_writer *w)
{
    const mmd_model *model = w->model;
    bool given = false;
    memset(w->next_weights, 0, model->morph_count * sizeof *w->next_weights);
    w->steps += model->morph_count;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (morph->kind != MMD_MORPH_GROUP || w->weights[m] == 0)
            continue;
        w->steps += morph->count;
        for (uint32_t i = 0; i < morph->count; i++) {
            const mmd_group_offset *member = &morph->offsets.group[i];
            if (member->morph >= 0)
                w->next_weights[member->morph] += w->weights[m] * (double)member->ratio;
        }
        w->weights[m] = 0;
        given = true;
    }
    for (uint32_t m = 0; m < model->morph_count; m++)
        w->weights[m] += w->next_weights[m];
    return given;
}

/* Sums the vertex morphs of a morph. *others: the morph also affects other things. */
static void sum_morph(morph_writer *w, uint32_t number, bool *others)
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
    for (int level = 0; level < LEVELS_MAX && expand_groups(w); level++)
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

/* Copies the sum to the pieces, in the order of their rows, and clears it. */
static void flush_sum(morph_writer *w)
{
    qsort(w->touched, w->touched_count, sizeof *w->touched, compare_numbers);
    for (uint32_t i = 0; i < w->touched_count; i++) {
        uint32_t vertex = w->touched[i];
        float *sum = w->sum[vertex];
        bool moves = sum[0] != 0 || sum[1] != 0 || sum[2] != 0;
        for (uint32_t p = w->first_morph_row[vertex]; moves && p < w->first_morph_row[vertex + 1]; p++) {
            piece_offsets *piece = &w->pieces[w->morph_rows[p].piece];
            piece->rows[piece->count] = w->morph_rows[p].row;
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

/* Writes offsets as a dense accessor, which is smaller than a sparse one when most vertices move. */
static int32_t add_dense(morph_writer *w, const piece_offsets *piece, uint32_t count)
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

/* Writes the offsets of a piece and returns the accessor. */
static int32_t add_offsets(morph_writer *w, piece_offsets *piece, uint32_t count)
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

/* Adds the target to all primitives. */
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

/* Returns whether a kind of morph can become a target. */
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

/* Reports a morph that is not written. */
static void report_dropped(morph_writer *w, uint32_t number)
{
    const mmd_morph *morph = &w->model->morphs[number];
    char kind[32];
    snprintf(kind, sizeof kind, "\"%s\"", kind_name(morph->kind));
    gltf_loss(w->builder, MMD_LOSS_DROPPED, "morph.dropped", "morph", number, morph->name, "kind", kind, "");
}

/* Writes a morph as one more target, or reports it. */
static void write_morph(morph_writer *w, uint32_t number, json_t *names)
{
    gltf_mesh_writer *mesh = w->mesh;
    const mmd_morph *morph = &w->model->morphs[number];
    bool others = false;
    mesh->target_of_morph[number] = -1;
    bool fits = (mesh->target_count + UINT64_C(1)) * mesh->piece_count <= TARGETS_MAX &&
                (w->steps < STEPS_MAX || morph->kind == MMD_MORPH_VERTEX);
    if (is_written(morph) && fits)
        sum_morph(w, number, &others);
    if (!is_written(morph) || !fits || (w->touched_count == 0 && morph->kind != MMD_MORPH_VERTEX)) {
        report_dropped(w, number);
        return;
    }
    if (others)
        gltf_loss(w->builder, MMD_LOSS_APPROXIMATED, "morph.approximated", "morph", number, morph->name,
                  "kind", morph->kind == MMD_MORPH_FLIP ? "\"flip\"" : "\"group\"", "\"vertex\"");
    flush_sum(w);
    write_target(w);
    mesh->target_of_morph[number] = (int32_t)mesh->target_count++;
    if (w->builder->job->morph_items)
        w->builder->job->morph_items[number] = mesh->target_of_morph[number];
    json_t *name = json_text(morph->name);
    w->builder->failed = w->builder->failed || !name || json_array_append(names, name) != 0;
    json_decref(name);
}

/* Writes the targets of all primitives and their names in the mesh's extras; fills target_of_morph. */
static void write_morphs(gltf_mesh_writer *mesh, json_t *json)
{
    assert(mesh);
    const mmd_model *model = mesh->model;
    morph_writer w = {.mesh = mesh, .builder = mesh->builder, .model = model};
    if (model->morph_count == 0)
        return;
    mesh->target_of_morph = mesh_alloc(mesh, model->morph_count, sizeof *mesh->target_of_morph);
    allocate_morphs(&w);
    json_t *names = json_array();
    for (uint32_t i = 0; i < model->morph_count && !w.builder->failed; i++)
        write_morph(&w, i, names);
    if (mesh->target_count > 0)
        gltf_put(w.builder, gltf_object(w.builder, json, "extras"), "targetNames", json_incref(names));
    json_decref(names);
}

/* ------------------------------------------------------------ attributes */

static float finite_or(float value, float fallback)
{
    return isfinite(value) ? value : fallback;
}

static void put_position(const mmd_model *model, uint32_t vertex, float *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = METRES_PER_UNIT * finite_or(model->vertices.position[vertex][k], 0);
    out[2] = -out[2];
}

/* Stores a unit normal; a zero one becomes +Y. */
static void put_normal(const mmd_model *model, uint32_t vertex, float *out)
{
    const float *normal = model->vertices.normal[vertex];
    double n[3], length = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = (double)finite_or(normal[k], 0);
        length += n[k] * n[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++)
        out[k] = length > 1e-12 ? (float)(n[k] / length) : k == 1;
    out[2] = -out[2];
}

static void put_uv(const mmd_model *model, uint32_t vertex, float *out)
{
    for (int k = 0; k < 2; k++)
        out[k] = finite_or(model->vertices.uv[vertex][k], 0);
}

/* Converts sRGB to linear (IEC 61966-2-1). */
float gltf_linear_color(float screen)
{
    if (!(screen > 0))
        return 0;
    if (screen >= 1)
        return 1;
    return screen <= 0.04045F ? screen / 12.92F : mmd_powf((screen + 0.055F) / 1.055F, 2.4F);
}

static void put_color(const mmd_model *model, uint32_t vertex, float *out)
{
    const float *color = model->vertices.additional_uv[0][vertex];
    for (int k = 0; k < 3; k++)
        out[k] = gltf_linear_color(color[k]);
    out[3] = mmd_maxf(0, mmd_minf(1, finite_or(color[3], 1)));
}

/* A vertex attribute and the function that stores its values. */
typedef struct attribute {
    const char *name, *type;
    uint32_t width;
    bool bounds;
    void (*put)(const mmd_model *model, uint32_t vertex, float *out);
} attribute;

static const attribute attributes[] = {{"POSITION", "VEC3", 3, true, put_position},
                                       {"NORMAL", "VEC3", 3, false, put_normal},
                                       {"TEXCOORD_0", "VEC2", 2, false, put_uv},
                                       {"COLOR_0", "VEC4", 4, false, put_color}};

/* Writes one attribute of a piece. */
static void write_attribute(gltf_mesh_writer *writer, const gltf_mesh_piece *piece, const attribute *kind)
{
    gltf_builder *builder = writer->builder;
    float *values =
        builder->failed ? NULL : mmd_alloc((size_t)piece->vertex_count * kind->width * sizeof *values);
    builder->failed = !values;
    if (!values)
        return;
    for (uint32_t i = 0; i < piece->vertex_count; i++)
        kind->put(writer->model, piece->vertices[i], values + (size_t)i * kind->width);
    int32_t accessor =
        gltf_add_floats(builder, values, piece->vertex_count, kind->type, GLTF_ARRAY_BUFFER, kind->bounds);
    gltf_put(builder, gltf_object(builder, piece->primitive, "attributes"), kind->name,
             json_integer(accessor));
    mmd_free(values);
}

/* Returns whether a piece has vertex colours. */
static bool is_colored(const gltf_mesh_writer *writer, const gltf_mesh_piece *piece)
{
    return writer->model->materials[piece->material].flags & MMD_MATERIAL_VERTEX_COLOR &&
           writer->model->vertices.additional_uv_count > 0;
}

static void write_attributes(gltf_mesh_writer *writer, const gltf_mesh_piece *piece)
{
    size_t count = sizeof attributes / sizeof attributes[0] - !is_colored(writer, piece);
    for (size_t i = 0; i < count; i++)
        write_attribute(writer, piece, &attributes[i]);
    write_weights(writer, piece);
}

/* --------------------------------------------------------------- indices */

static uint32_t mode_of(const mmd_material *material)
{
    return material->flags & MMD_MATERIAL_POINTS  ? MODE_POINTS
           : material->flags & MMD_MATERIAL_LINES ? MODE_LINES
                                                  : MODE_TRIANGLES;
}

/*
 * Stores a face of a line material: A-B-A is one line, a real triangle gives its three sides. Returns the
 * number of indices.
 */
static uint32_t put_sides(const uint32_t face[3], const uint32_t *morph_rows, uint32_t *out)
{
    int sides = face[2] == face[0] || face[2] == face[1] ? 1 : 3;
    for (int side = 0; side < sides; side++) {
        *out++ = morph_rows[face[side]];
        *out++ = morph_rows[face[(side + 1) % 3]];
    }
    return (uint32_t)sides * 2;
}

/* Stores a triangle; mirroring in Z reverses its winding. */
static uint32_t put_triangle(const uint32_t face[3], const uint32_t *morph_rows, uint32_t *out)
{
    out[0] = morph_rows[face[0]];
    out[1] = morph_rows[face[2]];
    out[2] = morph_rows[face[1]];
    return 3;
}

/*
 * Stores the indices of a piece and returns their number. morph_rows: row of each vertex in the piece. out
 * needs two entries per corner.
 */
static uint32_t list_indices(const gltf_mesh_writer *writer, const gltf_mesh_piece *piece,
                             const uint32_t *morph_rows, uint32_t *out)
{
    const mmd_material *material = &writer->model->materials[piece->material];
    const uint32_t *from = writer->model->indices + material->first_index, mode = mode_of(material);
    uint32_t count = 0;
    if (mode == MODE_POINTS) /* each vertex is drawn once */
        for (; count < piece->vertex_count; count++)
            out[count] = count;
    else
        for (uint32_t i = 0; i + 2 < material->index_count; i += 3)
            count += mode == MODE_LINES ? put_sides(from + i, morph_rows, out + count)
                                        : put_triangle(from + i, morph_rows, out + count);
    return count;
}

static void write_indices(gltf_mesh_writer *writer, const gltf_mesh_piece *piece, uint32_t *morph_rows)
{
    gltf_builder *builder = writer->builder;
    const mmd_material *material = &writer->model->materials[piece->material];
    uint32_t *indices =
        builder->failed ? NULL : mmd_alloc(material->index_count * (size_t)2 * sizeof *indices);
    builder->failed = !indices;
    if (!indices)
        return;
    for (uint32_t i = 0; i < piece->vertex_count; i++)
        morph_rows[piece->vertices[i]] = i;
    uint32_t count = list_indices(writer, piece, morph_rows, indices);
    gltf_put(
        builder, piece->primitive, "indices",
        json_integer(gltf_add_integers(builder, indices, count, "SCALAR", GLTF_ELEMENT_BUFFER, GLTF_U8)));
    if (mode_of(material) != MODE_TRIANGLES)
        gltf_put(builder, piece->primitive, "mode", json_integer(mode_of(material)));
    mmd_free(indices);
}

/* ------------------------------------------------------------------ mesh */

/* Writes the primitive of a piece. */
static void write_piece(gltf_mesh_writer *writer, gltf_mesh_piece *piece, json_t *list,
                        const int32_t *material_of, uint32_t *morph_rows)
{
    gltf_builder *builder = writer->builder;
    piece->primitive = json_object();
    if (!piece->primitive || json_array_append_new(list, piece->primitive) != 0) {
        builder->failed = true;
        return;
    }
    write_attributes(writer, piece);
    write_indices(writer, piece, morph_rows);
    gltf_put(builder, piece->primitive, "material", json_integer(material_of[piece->material]));
}

/* Writes materials and primitives. */
static void write_primitives(gltf_mesh_writer *writer, json_t *mesh)
{
    gltf_builder *builder = writer->builder;
    json_t *list = json_array();
    gltf_put(builder, mesh, "primitives", list);
    int32_t *material_of = mesh_alloc(writer, writer->model->material_count, sizeof *material_of);
    uint32_t *morph_rows = mesh_alloc(writer, writer->model->vertices.count, sizeof *morph_rows);
    if (!builder->failed)
        gltf_write_materials(builder, material_of);
    for (uint32_t i = 0; i < writer->piece_count && !builder->failed; i++)
        write_piece(writer, &writer->pieces[i], list, material_of, morph_rows);
}

/* Writes the node of the mesh, with the skin. */
static void write_node(gltf_mesh_writer *writer, int32_t mesh)
{
    static const mmd_transform origin = {.rotation = {0, 0, 0, 1}};
    gltf_builder *builder = writer->builder;
    const char *name = writer->model->name;
    writer->node = gltf_add_node(builder, name[0] ? name : "mesh", name[0] ? "mesh" : NULL, -1, &origin);
    json_t *node = gltf_node_json(builder, writer->node);
    gltf_put(builder, node, "mesh", json_integer(mesh));
    gltf_put(builder, node, "skin", json_integer(write_skin(writer)));
}

/* Reports what a glTF mesh cannot hold. */
static void report_losses(const gltf_mesh_writer *writer)
{
    const mmd_model *model = writer->model;
    uint32_t extra = model->vertices.additional_uv_count;
    bool colored = false;
    for (uint32_t i = 0; i < writer->piece_count; i++)
        colored = colored || is_colored(writer, &writer->pieces[i]);
    if (extra > colored)
        gltf_count_loss(writer->builder, MMD_LOSS_DROPPED, "mesh.uv_dropped", "mesh", "additional UVs",
                        extra - colored);
    if (model->soft_body_count > 0)
        gltf_count_loss(writer->builder, MMD_LOSS_DROPPED, "mesh.soft_bodies", "mesh", "soft bodies",
                        model->soft_body_count);
}

static void write_mesh(gltf_mesh_writer *writer)
{
    gltf_builder *builder = writer->builder;
    json_t *mesh = json_object();
    int32_t number = gltf_append(builder, "meshes", mesh);
    if (builder->failed)
        return;
    if (writer->model->name[0])
        gltf_put(builder, mesh, "name", json_text(writer->model->name));
    write_primitives(writer, mesh);
    if (!builder->failed)
        write_morphs(writer, mesh);
    if (!builder->failed)
        write_node(writer, number);
    if (!builder->failed)
        report_losses(writer);
}

void gltf_write_model(gltf_builder *builder)
{
    assert(builder);
    gltf_mesh_writer writer = {.builder = builder, .model = builder->job->model, .node = -1};
    if (!writer.model)
        return;
    list_pieces(&writer);
    if (writer.piece_count > 0 && !builder->failed)
        write_mesh(&writer);
    if (!builder->failed)
        gltf_write_animation(&writer);
    mmd_arena_finish(&writer.arena);
}
