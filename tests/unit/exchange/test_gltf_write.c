/* Tests writing models as glTF: reading the file gives the model that was written: positions, skin, morphs,
 * materials, pictures and motion. */
#include <jansson.h>

#include "mmd/bake.h"
#include "mmd/exchange.h"
#include "mmd/format.h"
#include "mmd/pose_parts.h"
#include "pictures.h"
#include "sample_models.h"
#include "support.h"

#define MICROMETRE (1e-6F / 0.08F)
#define DANCER     ODORI_BINARY "/dancer/"

/* A written file and what was read from it. */
typedef struct written {
    mmd_exchange_output output;
    mmd_memory_file *files;
    mmd_source *source;
    mmd_exchange *document;
    json_t *root;
} written;

static json_t *json_of(const mmd_buffer *file)
{
    const char *text = (const char *)file->data;
    size_t size = file->size;
    if (memcmp(text, "glTF", 4) == 0) {
        uint32_t length;
        memcpy(&length, text + 12, sizeof length);
        text += 20;
        size = length;
    }
    json_t *root = json_loadb(text, size, 0, NULL);
    assert_non_null(root);
    return root;
}

static written write_input(const mmd_exchange_input *input, mmd_dialect dialect, bool binary)
{
    written out = {0};
    mmd_error error = {0};
    mmd_exchange_options options = {.format = MMD_EXCHANGE_GLTF,
                                    .dialect = dialect,
                                    .binary = binary,
                                    .name = binary ? "a b.glb" : "a b.gltf"};
    if (mmd_exchange_write(input, &options, &out.output, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    out.files = malloc(out.output.count * sizeof *out.files);
    for (uint32_t i = 0; i < out.output.count; i++)
        out.files[i] = (mmd_memory_file){out.output.files[i].name, out.output.files[i].data.data,
                                         out.output.files[i].data.size};
    out.source = mmd_source_memory(out.files, out.output.count);
    if (mmd_exchange_read(out.files[0].data, out.files[0].size, out.source, "", &out.document, &error))
        fail_msg("%s: %s", error.section, error.message);
    out.root = json_of(&out.output.files[0].data);
    return out;
}

static written write_model(const mmd_model *model, const mmd_motion *motion, mmd_source *textures,
                           bool binary)
{
    mmd_exchange_input input = {.model = model, .motion = motion, .textures = textures, .folder = ""};
    return write_input(&input, MMD_DIALECT_NONE, binary);
}

static void forget(written *out)
{
    mmd_exchange_destroy(out->document);
    mmd_source_destroy(out->source);
    mmd_exchange_output_finish(&out->output);
    json_decref(out->root);
    free(out->files);
}

static uint32_t losses_of(const written *out, const char *code)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->output.losses.count; i++)
        count += strcmp(out->output.losses.items[i].code, code) == 0;
    return count;
}

/* ---------------------------------------------------------------- models */

static mmd_model *load(const char *path)
{
    mmd_bytes bytes;
    mmd_model *model = NULL;
    mmd_error error = {0};
    assert_int_equal(mmd_file_read(path, &bytes, &error), MMD_OK);
    assert_int_equal(mmd_pmx_read(bytes.data, bytes.size, &model, &error), MMD_OK);
    mmd_bytes_finish(&bytes);
    return model;
}

/* Calls visit with the bundled dancers and, if present, some of the shared models. */
static void each_model(void (*visit)(const mmd_model *model, mmd_source *textures))
{
    static const char *const shared[] = {"data/models/miku/初音ミク.pmx",
                                         "data/models/test_hair_physics.pmx"};
    static const char *const bundled[] = {DANCER "dancer.pmx", DANCER "dancer21.pmx"};
    char path[1024], folder[1024];
    if (!shared_exists())
        test_skip_part("no models in %s", ODORI_SHARED);
    for (size_t i = 0; i < 2 + 2 * (size_t)shared_exists(); i++) {
#ifdef ODORI_TEST_SLOWLY /* the last one is the smallest, and has what the others have */
        if (i != (shared_exists() ? 3 : 1))
            continue;
#endif
        const char *name = i < 2 ? bundled[i] : shared_path(shared[i - 2], path, sizeof path);
        mmd_path_folder(name, folder, sizeof folder);
        mmd_source *textures = mmd_source_folder(folder);
        mmd_model *model = load(name);
        visit(model, textures);
        mmd_model_destroy(model);
        mmd_source_destroy(textures);
    }
}

/* ------------------------------------------------------------------ mesh */

static void assert_close(const float *found, const float *wanted, int count, float off, const char *what,
                         uint32_t at)
{
    for (int k = 0; k < count; k++)
        if (!(fabsf(found[k] - wanted[k]) <= off))
            fail_msg("%s %u, number %d: %.9g where %.9g should be", what, at, k, (double)found[k],
                     (double)wanted[k]);
}

/* The model's vertices in the order of the reader's corners: points as A-A-A, each once, lines as A-B-A. */
typedef struct corner_list {
    uint32_t count, *vertices;
} corner_list;

static corner_list corners_of(const mmd_model *model)
{
    corner_list list = {.vertices = malloc((model->index_count + (size_t)1) * 3 * sizeof *list.vertices)};
    bool *seen = malloc(model->vertices.count + (size_t)1);
    for (uint32_t m = 0; m < model->material_count; m++) {
        const mmd_material *material = &model->materials[m];
        const uint32_t *from = model->indices + material->first_index;
        uint32_t *out = list.vertices + list.count;
        memset(seen, 0, model->vertices.count);
        for (uint32_t i = 0; i + 2 < material->index_count; i += 3) {
            bool points = material->flags & MMD_MATERIAL_POINTS;
            for (uint32_t k = 0; k < 3; k++)
                seen[from[i + k]] = true;
            for (uint32_t k = 0; k < 3 && !points; k++)
                *out++ = from[i + k];
        }
        for (uint32_t v = 0; v < model->vertices.count && material->flags & MMD_MATERIAL_POINTS; v++)
            for (int k = 0; k < 3 && seen[v]; k++)
                *out++ = v;
        list.count = (uint32_t)(out - list.vertices);
    }
    free(seen);
    return list;
}

static void compare_corner(const mmd_vertices *a, uint32_t here, const mmd_vertices *b, uint32_t there,
                           uint32_t number)
{
    float length = 0, unit[3];
    assert_close(b->position[there], a->position[here], 3, MICROMETRE, "position", number);
    assert_close(b->uv[there], a->uv[here], 2, 0, "uv", number);
    for (int k = 0; k < 3; k++)
        length += a->normal[here][k] * a->normal[here][k];
    for (int k = 0; k < 3; k++)
        unit[k] = a->normal[here][k] / sqrtf(length);
    if (length > 0)
        assert_close(b->normal[there], unit, 3, 1e-6F, "normal", number);
}

static void compare_corners(const mmd_model *model, const mmd_model *read)
{
    corner_list list = corners_of(model);
    assert_int_equal(list.count, read->index_count);
    for (uint32_t i = 0; i < list.count; i++)
        compare_corner(&model->vertices, list.vertices[i], &read->vertices, read->indices[i], i);
    free(list.vertices);
}

static void compare_materials(const mmd_model *model, const mmd_model *read)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        const mmd_material *a = &model->materials[i];
        if (a->index_count < 3)
            continue;
        assert_true(at < read->material_count);
        const mmd_material *b = &read->materials[at++];
        assert_string_equal(a->name, b->name);
        if (!(a->flags & MMD_MATERIAL_POINTS))
            assert_int_equal(a->index_count, b->index_count);
        assert_int_equal(a->flags & MMD_MATERIAL_TWO_SIDED, b->flags & MMD_MATERIAL_TWO_SIDED);
        assert_close(&b->diffuse[3], &a->diffuse[3], 1, 1e-6F, "alpha", i);
        for (int k = 0; k < 3; k++) { /* the colour under MMD's light */
            float here = fminf(1, 0.6F * a->diffuse[k] + a->ambient[k]);
            float there = fminf(1, 0.6F * b->diffuse[k] + b->ambient[k]);
            assert_close(&there, &here, 1, 1e-4F, "colour", i);
        }
    }
    assert_int_equal(at, read->material_count);
}

static void compare_bones(const mmd_model *model, const mmd_model *read)
{
    assert_true(read->bone_count > model->bone_count);
    assert_string_equal(model->name, read->name);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        if (model->bones[i].name[0])
            assert_string_equal(model->bones[i].name, read->bones[i].name);
        assert_close(read->bones[i].position, model->bones[i].position, 3, MICROMETRE, "bone", i);
    }
}

/* The parent of a bone's node is its parent's node, or that of a body in between. */
static void compare_parents(const mmd_model *model, const mmd_model *read)
{
    for (uint32_t i = 0; i < model->bone_count; i++) {
        int32_t wanted = model->bones[i].parent >= 0 ? model->bones[i].parent : (int32_t)model->bone_count;
        int32_t found = read->bones[i].parent;
        if (found > (int32_t)model->bone_count)
            found = read->bones[found].parent;
        assert_int_equal(found, wanted);
    }
}

static void mesh_of(const mmd_model *model, mmd_source *textures)
{
    for (int binary = 0; binary < 2; binary++) {
        written out = write_model(model, NULL, textures, binary);
        compare_bones(model, out.document->model);
        compare_parents(model, out.document->model);
        compare_corners(model, out.document->model);
        compare_materials(model, out.document->model);
        assert_int_equal(out.document->losses.count, 0);
        forget(&out);
    }
}

static void gltf_write_keeps_meshes(void **state)
{
    (void)state;
    each_model(mesh_of);
}

/* ------------------------------------------------------------------ skin */

static float part(uint64_t *random)
{
    return (float)((double)(test_random(random) >> 11) / 9007199254740992.0 * 2 - 1);
}

static mmd_transform *random_palette(uint32_t bones, uint32_t all)
{
    mmd_transform *palette = malloc(all * sizeof *palette);
    uint64_t random = 7;
    for (uint32_t i = 0; i < all; i++) {
        palette[i] = (mmd_transform){.rotation = {0, 0, 0, 1}};
        if (i >= bones)
            continue;
        for (int k = 0; k < 3; k++) {
            palette[i].rotation[k] = 0.3F * part(&random);
            palette[i].translation[k] = part(&random);
        }
        const float *q = palette[i].rotation;
        palette[i].rotation[3] = sqrtf(1 - q[0] * q[0] - q[1] * q[1] - q[2] * q[2]);
    }
    return palette;
}

/* Returns the model with the deform types that glTF has, and weights that sum to one. */
static mmd_model blended(const mmd_model *model, uint8_t **deform, float (**weights)[4])
{
    mmd_model copy = *model;
    uint32_t count = model->vertices.count;
    *deform = malloc(count + 1);
    *weights = malloc((count + 1) * sizeof **weights);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t kind = model->vertices.deform[i];
        float sum = 0;
        (*deform)[i] = (uint8_t)(kind == MMD_DEFORM_SDEF   ? MMD_DEFORM_BDEF2
                                 : kind == MMD_DEFORM_QDEF ? MMD_DEFORM_BDEF4
                                                           : kind);
        for (int k = 0; k < 4; k++)
            sum += model->vertices.weight[i][k];
        for (int k = 0; k < 4; k++)
            (*weights)[i][k] = model->vertices.weight[i][k] / (sum > 0 ? sum : 1);
    }
    copy.vertices.deform = *deform;
    copy.vertices.weight = *weights;
    return copy;
}

static mmd_skinned_vertex *skinned(const mmd_model *model, const mmd_transform *palette, const float *weights)
{
    mmd_skinned_vertex *out = malloc((model->vertices.count + 1) * sizeof *out);
    mmd_skin_reference(model, palette, weights, MMD_SDEF_LINEAR, NULL, out);
    return out;
}

/* Compares the position of every corner, in units. */
static void compare_skinned(const mmd_model *model, const mmd_skinned_vertex *here, const mmd_model *read,
                            const mmd_skinned_vertex *there, double off)
{
    corner_list list = corners_of(model);
    for (uint32_t i = 0; i < list.count; i++) {
        const double *a = here[list.vertices[i]].position, *b = there[read->indices[i]].position;
        for (int k = 0; k < 3; k++)
            if (!(fabs(a[k] - b[k]) <= off))
                fail_msg("corner %u: %.9g where %.9g should be", i, b[k], a[k]);
    }
    free(list.vertices);
}

static void skin_of(const mmd_model *model, mmd_source *textures)
{
    (void)textures;
    uint8_t *deform;
    float(*mended)[4], *none = calloc(model->morph_count + 1, sizeof *none);
    mmd_model linear = blended(model, &deform, &mended);
    written out = write_model(model, NULL, NULL, true);
    const mmd_model *read = out.document->model;
    float *weights = calloc(read->morph_count + 1, sizeof *weights);
    mmd_transform *palette = random_palette(model->bone_count, read->bone_count);
    mmd_skinned_vertex *here = skinned(&linear, palette, none), *there = skinned(read, palette, weights);
    compare_skinned(model, here, read, there, 4e-5);
    free(here);
    free(there);
    free(palette);
    free(weights);
    free(none);
    free(deform);
    free(mended);
    forget(&out);
}

static void gltf_write_keeps_skins(void **state)
{
    (void)state;
    each_model(skin_of);
}

/* ---------------------------------------------------------------- morphs */

static void morphs_of(const mmd_model *model, mmd_source *textures)
{
    (void)textures;
    written out = write_model(model, NULL, NULL, true);
    const mmd_model *read = out.document->model;
    float *here = calloc(model->morph_count + 1, sizeof *here),
          *there = calloc(read->morph_count + 1, sizeof *there);
    uint32_t found = 0;
    for (uint32_t i = 0; i < model->morph_count; i++) {
        int32_t target = mmd_model_find_morph(read, model->morphs[i].name);
        if (model->morphs[i].kind != MMD_MORPH_VERTEX)
            continue;
        assert_true(target >= 0);
        here[i] = there[target] = 0.25F + 0.1F * (float)(i % 7);
        found++;
    }
    mmd_transform *palette = random_palette(0, read->bone_count);
    mmd_skinned_vertex *a = skinned(model, palette, here), *b = skinned(read, palette, there);
    compare_skinned(model, a, read, b, 4e-5);
    assert_true(found <= read->morph_count);
    free(a);
    free(b);
    free(palette);
    free(here);
    free(there);
    forget(&out);
}

static void gltf_write_keeps_vertex_morphs(void **state)
{
    (void)state;
    each_model(morphs_of);
}

/* A square of two materials with every kind of morph. */
typedef struct square {
    mmd_model model;
    float position[6][3], normal[6][3], uv[6][2], weight[6][4], edge[6], colors[6][4];
    uint8_t deform[6];
    int32_t bone[6][4];
    uint32_t indices[9];
    mmd_material materials[3];
    mmd_bone bones[2];
    mmd_morph morphs[6];
    mmd_vertex_offset offsets[2][3];
    mmd_group_offset groups[3][2];
    const char *textures[3];
} square;

static void square_vertices(square *s)
{
    static const float places[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}, {2, 1}};
    for (int i = 0; i < 6; i++) {
        s->position[i][0] = s->uv[i][0] = places[i][0];
        s->position[i][1] = s->uv[i][1] = places[i][1];
        s->normal[i][2] = -2;
        s->weight[i][0] = 1;
        s->edge[i] = 1;
        memcpy(s->bone[i], (const int32_t[4]){0, -1, -1, -1}, sizeof s->bone[i]);
    }
    memcpy(s->indices, (const uint32_t[9]){0, 2, 1, 0, 3, 2, 1, 5, 4}, sizeof s->indices);
    s->model.vertices = (mmd_vertices){.count = 6,
                                       .position = s->position,
                                       .normal = s->normal,
                                       .uv = s->uv,
                                       .deform = s->deform,
                                       .bone = s->bone,
                                       .weight = s->weight,
                                       .edge_scale = s->edge};
    s->model.indices = s->indices;
    s->model.index_count = 9;
}

static void square_morphs(square *s)
{
    s->offsets[0][0] = (mmd_vertex_offset){4, {1, 2, 3}};
    s->offsets[0][1] = (mmd_vertex_offset){1, {0, 0.5F, 0}};
    s->offsets[0][2] = (mmd_vertex_offset){4, {1, 0, 0}};
    s->offsets[1][0] = (mmd_vertex_offset){3, {0, 0, 1}};
    s->groups[0][0] = (mmd_group_offset){0, 0.5F};
    s->groups[0][1] = (mmd_group_offset){1, 2};
    s->groups[1][0] = (mmd_group_offset){2, 1}; /* a group of a group, in a cycle */
    s->groups[1][1] = (mmd_group_offset){3, 1};
    s->groups[2][0] = (mmd_group_offset){0, 1};
    s->groups[2][1] = (mmd_group_offset){1, 0.5F};
    const mmd_morph morphs[6] = {
        {"far", "", 4, MMD_MORPH_VERTEX, 3, {.vertex = s->offsets[0]}},
        {"near", "", 4, MMD_MORPH_VERTEX, 1, {.vertex = s->offsets[1]}},
        {"both", "", 4, MMD_MORPH_GROUP, 2, {.group = s->groups[0]}},
        {"again", "", 4, MMD_MORPH_GROUP, 2, {.group = s->groups[1]}},
        {"flip", "", 4, MMD_MORPH_FLIP, 2, {.group = s->groups[2]}},
        {"bones", "", 4, MMD_MORPH_BONE, 0, {.bone = NULL}},
    };
    memcpy(s->morphs, morphs, sizeof morphs);
    s->model.morphs = s->morphs;
    s->model.morph_count = 6;
}

static void square_init(square *s)
{
    *s = (square){.model = {.origin = MMD_ORIGIN_PMX,
                            .version = 2,
                            .name = "square",
                            .name_en = "",
                            .comment = "",
                            .comment_en = ""}};
    square_vertices(s);
    square_morphs(s);
    for (int i = 0; i < 3; i++) { /* the second has no triangles */
        s->materials[i] = (mmd_material){.name = i ? i == 1 ? "none" : "right" : "left",
                                         .name_en = "",
                                         .memo = "",
                                         .diffuse = {1, 0.5F, 0.25F, 1},
                                         .texture = -1,
                                         .sphere = -1,
                                         .toon = -1,
                                         .first_index = i ? 6 : 0,
                                         .index_count = i ? i == 1 ? 0 : 3 : 6};
        s->textures[i] = "";
    }
    for (int i = 0; i < 2; i++)
        s->bones[i] = (mmd_bone){.name = i ? "tip" : "base",
                                 .name_en = "",
                                 .position = {0.1F * (float)i, (float)i, 0.5F},
                                 .parent = i - 1,
                                 .tail_bone = -1,
                                 .append_source = -1,
                                 .ik_target = -1};
    s->model.materials = s->materials;
    s->model.material_count = 3;
    s->model.bones = s->bones;
    s->model.bone_count = 2;
    s->model.textures = s->textures;
    assert_int_equal(mmd_model_prepare(&s->model, NULL), MMD_OK);
}

static void square_finish(square *s)
{
    mmd_arena_finish(&s->model.arena);
}

static const mmd_morph *morph_named(const written *out, const char *name)
{
    int32_t at = mmd_model_find_morph(out->document->model, name);
    assert_true(at >= 0);
    return &out->document->model->morphs[at];
}

static void assert_offset(const written *out, const char *name, uint32_t count, uint32_t at,
                          const float wanted[3])
{
    const mmd_morph *morph = morph_named(out, name);
    assert_int_equal(morph->count, count);
    assert_close(morph->offsets.vertex[at].offset, wanted, 3, 1e-5F, name, at);
}

static void gltf_write_adds_groups_up(void **state)
{
    (void)state;
    square s;
    square_init(&s);
    written out = write_model(&s.model, NULL, NULL, true);
    assert_int_equal(out.document->model->morph_count, 5);
    /* Both materials use vertex 1, so its offsets occur twice. */
    assert_offset(&out, "far", 3, 0, (float[3]){0, 0.5F, 0});
    assert_offset(&out, "far", 3, 2, (float[3]){2, 2, 3});
    assert_offset(&out, "near", 1, 0, (float[3]){0, 0, 1});
    assert_offset(&out, "both", 4, 1, (float[3]){0, 0, 2});
    assert_offset(&out, "both", 4, 3, (float[3]){1, 1, 1.5F});
    assert_offset(&out, "flip", 1, 0, (float[3]){0, 0, 0.5F});
    assert_int_equal(losses_of(&out, "morph.dropped"), 1);
    assert_true(losses_of(&out, "morph.approximated") >= 1);
    forget(&out);
    square_finish(&s);
}

/* ----------------------------------------------- weights, invalid numbers */

static void gltf_write_makes_weights_whole(void **state)
{
    (void)state;
    square s;
    square_init(&s);
    const float given[6][4] = {{0.2F, 0.2F}, {0, 0, 0, 0}, {-1, 0.5F}, {NAN, 1}, {3, 1}, {1e-30F, 1}};
    const int32_t bones[6][4] = {{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0},
                                 {0, 1, 0, 0}, {1, 1, 0, 0}, {-1, 1, 0, 0}};
    memcpy(s.weight, given, sizeof given);
    memcpy(s.bone, bones, sizeof bones);
    memset(s.deform, MMD_DEFORM_BDEF4, sizeof s.deform);
    written out = write_model(&s.model, NULL, NULL, true);
    const mmd_vertices *v = &out.document->model->vertices;
    assert_int_equal(v->deform[0], MMD_DEFORM_BDEF2);
    assert_close(v->weight[0], (float[2]){0.5F, 0.5F}, 2, 1e-6F, "weight", 0);
    assert_int_equal(v->deform[1], MMD_DEFORM_BDEF1);
    assert_int_equal(v->bone[1][0], 1);
    assert_int_equal(v->bone[2][0], 1);
    assert_int_equal(v->bone[3][0], 1);
    forget(&out);
    square_finish(&s);
}

static void gltf_write_survives_numbers_that_are_none(void **state)
{
    (void)state;
    square s;
    square_init(&s);
    s.position[0][1] = NAN;
    s.position[1][0] = INFINITY;
    s.uv[2][0] = -INFINITY;
    memset(s.normal[3], 0, sizeof s.normal[3]);
    s.bones[1].position[2] = NAN;
    s.offsets[0][0].offset[1] = INFINITY;
    s.model.name = "h\xED\xA0\x80"
                   "alf"; /* half of a surrogate pair */
    s.materials[0].memo = "\xC0\x80";
    written out = write_model(&s.model, NULL, NULL, false);
    const mmd_vertices *v = &out.document->model->vertices;
    assert_close(v->position[0], (float[3]){0, 0, 0}, 3, 1e-6F, "position", 0);
    assert_close(v->normal[3], (float[3]){0, 1, 0}, 3, 1e-6F, "normal", 3);
    assert_string_equal(out.document->model->name, "h???alf");
    forget(&out);
    square_finish(&s);
}

static void gltf_write_draws_points_lines_and_colours(void **state)
{
    (void)state;
    square s;
    square_init(&s);
    const uint32_t drawn[9] = {0, 1, 0, 1, 2, 1, 4, 4, 4};
    memcpy(s.indices, drawn, sizeof drawn);
    s.materials[0].flags = MMD_MATERIAL_LINES | MMD_MATERIAL_VERTEX_COLOR;
    s.materials[2].flags = MMD_MATERIAL_POINTS;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 4; k++)
            s.colors[i][k] = 0.15F * (float)(i + 1);
    s.model.vertices.additional_uv_count = 1;
    s.model.vertices.additional_uv[0] = s.colors;
    written out = write_model(&s.model, NULL, NULL, true);
    const mmd_model *read = out.document->model;
    assert_int_equal(read->index_count, 9);
    assert_int_equal(read->materials[0].flags & MMD_MATERIAL_LINES, MMD_MATERIAL_LINES);
    assert_int_equal(read->materials[1].flags & MMD_MATERIAL_POINTS, MMD_MATERIAL_POINTS);
    for (uint32_t i = 0; i < 9; i++)
        assert_close(read->vertices.position[read->indices[i]], s.position[drawn[i]], 3, MICROMETRE, "corner",
                     i);
    for (uint32_t i = 0; i < 6; i++)
        assert_close(read->vertices.additional_uv[0][read->indices[i]], s.colors[drawn[i]], 4, 1e-5F,
                     "colour", i);
    forget(&out);
    square_finish(&s);
}

static void gltf_write_says_every_feature_of_pmx(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 1, 2);
    written out = write_model(&model, NULL, NULL, false);
    assert_true(losses_of(&out, "texture.missing") > 0);
    assert_true(losses_of(&out, "skin.approximated") > 0);
    assert_true(losses_of(&out, "morph.dropped") > 0);
    assert_true(out.document->model->index_count > 0);
    forget(&out);
    sample_finish(&model);
}

/* ------------------------------------------------------------- materials */

static mmd_buffer png_of(const mmd_image *image)
{
    mmd_buffer out = {0};
    mmd_png_options options = {.alpha = true};
    assert_int_equal(mmd_png_write(image, &options, &out, NULL), MMD_OK);
    return out;
}

/* A picture whose left half is transparent with this alpha. */
static mmd_image glass(uint8_t alpha)
{
    mmd_image image = picture_noise(64, 64, 3);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 32; x++)
            picture_at(&image, x, y)[3] = alpha;
    image.has_alpha = true;
    return image;
}

static const char *mode_of(const written *out, size_t material)
{
    const json_t *made = json_array_get(json_object_get(out->root, "materials"), material);
    const char *mode = json_string_value(json_object_get(made, "alphaMode"));
    return mode ? mode : "OPAQUE";
}

static written write_glass(square *s, uint8_t alpha, bool binary)
{
    mmd_image image = glass(alpha);
    mmd_buffer png = png_of(&image);
    const mmd_memory_file files[2] = {{"tex/a#1.png", png.data, png.size}, {"b/A#1.png", png.data, png.size}};
    mmd_source *source = mmd_source_memory(files, 2);
    s->textures[0] = "tex\\a#1.png";
    s->textures[1] = "B/a#1.PNG";
    s->textures[2] = "tex/A#1.png";
    s->model.texture_count = 3;
    s->materials[0].texture = 0;
    s->materials[1].texture = 1;
    s->materials[2].texture = 2;
    written out = write_model(&s->model, NULL, source, binary);
    mmd_source_destroy(source);
    mmd_buffer_finish(&png);
    mmd_image_finish(&image);
    return out;
}

/* A material is transparent if its own triangles use such pixels, not if the picture has any. */
static void gltf_write_looks_where_triangles_look(void **state)
{
    (void)state;
    for (int clear = 0; clear < 2; clear++) {
        square s;
        square_init(&s);
        for (int i = 0; i < 6; i++)
            s.uv[i][0] = 0.5F + 0.25F * s.uv[i][0];
        for (int i = 4; i < 6; i++)
            s.uv[i][0] = 0.01F;
        written out = write_glass(&s, clear ? 0 : 128, true);
        assert_string_equal(mode_of(&out, 0), "OPAQUE");
        assert_string_equal(mode_of(&out, 2), clear ? "MASK" : "BLEND");
        forget(&out);
        square_finish(&s);
    }
}

/* Two files with the same name, one of which is referred to twice. */
static void gltf_write_brings_each_picture_once(void **state)
{
    (void)state;
    square s;
    square_init(&s);
    written out = write_glass(&s, 9, false);
    assert_int_equal(out.output.count, 4);
    assert_string_equal(out.output.files[1].name, "textures/a_1.png");
    assert_string_equal(out.output.files[2].name, "textures/a_1_2.png");
    assert_string_equal(out.output.files[3].name, "a b.bin");
    assert_int_equal(out.document->losses.count, 0);
    mmd_bytes bytes;
    mmd_image image = {0}, wanted = glass(9);
    const mmd_model *read = out.document->model;
    assert_int_equal(mmd_source_read(out.document->textures, read->textures[0], &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_image_decode(bytes.data, bytes.size, NULL, &image, NULL), MMD_OK);
    assert_memory_equal(image.pixels, wanted.pixels, 64 * 64 * 4);
    mmd_bytes_finish(&bytes);
    mmd_image_finish(&image);
    mmd_image_finish(&wanted);
    forget(&out);
    square_finish(&s);
}

/* ------------------------------------------------------------- animation */

/* The model without IK, appends, fixed axes and bone morphs, which glTF lacks: its bake has exact keys. */
typedef struct plain_model {
    mmd_model model;
    mmd_bone *bones;
    mmd_morph *morphs;
} plain_model;

static plain_model plain_of(const mmd_model *model)
{
    plain_model plain = {.model = *model,
                         .bones = malloc(model->bone_count * sizeof *plain.bones),
                         .morphs = malloc((model->morph_count + 1) * sizeof *plain.morphs)};
    memcpy(plain.bones, model->bones, model->bone_count * sizeof *plain.bones);
    if (model->morph_count)
        memcpy(plain.morphs, model->morphs, model->morph_count * sizeof *plain.morphs);
    for (uint32_t i = 0; i < model->bone_count; i++)
        plain.bones[i].flags &= (uint16_t) ~(MMD_BONE_IK | MMD_BONE_APPEND_ROTATION |
                                             MMD_BONE_APPEND_TRANSLATION | MMD_BONE_FIXED_AXIS);
    for (uint32_t i = 0; i < model->morph_count; i++)
        plain.morphs[i].count = model->morphs[i].kind == MMD_MORPH_BONE ? 0 : model->morphs[i].count;
    plain.model.bones = plain.bones;
    plain.model.morphs = plain.morphs;
    return plain;
}

static void plain_finish(plain_model *plain)
{
    free(plain->bones);
    free(plain->morphs);
}

/* A pose and the clip that moves it. */
typedef struct player {
    mmd_pose *pose;
    mmd_clip *clip;
    mmd_arena arena;
    mmd_pose_values values, previous;
} player;

static player play(const mmd_model *model, const mmd_motion *motion, const mmd_exchange *document)
{
    player p = {.pose = mmd_pose_create(model), .clip = mmd_clip_create(model, &motion, motion ? 1 : 0)};
    if (document)
        assert_true(mmd_clip_animate(p.clip, document->animations, document->animation_count));
    assert_true(mmd_pose_values_init(&p.values, model, &p.arena));
    assert_true(mmd_pose_values_init(&p.previous, model, &p.arena));
    return p;
}

static const mmd_transform *pose_at(player *p, double frame)
{
    mmd_clip_sample(p->clip, frame, &p->values);
    mmd_clip_sample(p->clip, frame > 1 ? frame - 1 : 0, &p->previous);
    mmd_pose_evaluate(p->pose, &p->values, &p->previous);
    mmd_pose_finish(p->pose);
    return mmd_pose_world(p->pose);
}

static void stop(player *p)
{
    mmd_pose_destroy(p->pose);
    mmd_clip_destroy(p->clip);
    mmd_arena_finish(&p->arena);
}

static mmd_motion *bake(const mmd_model *model, const mmd_motion *motion, uint32_t frames, bool curves)
{
    plain_model plain = plain_of(model);
    mmd_bake_options options = mmd_default_bake_options();
    options.curves = curves;
    options.position_error = curves ? 1e-3F : 0;
    mmd_bake *made = mmd_bake_create(&plain.model, &motion, 1, &options);
    player p = play(model, motion, NULL);
    mmd_motion *baked = NULL;
    for (uint32_t f = 0; f < frames; f++)
        assert_int_equal(mmd_bake_frame(made, pose_at(&p, f), &p.values, NULL), MMD_OK);
    assert_int_equal(mmd_bake_finish(made, &baked, NULL), MMD_OK);
    mmd_bake_destroy(made);
    stop(&p);
    plain_finish(&plain);
    return baked;
}

static mmd_motion *load_motion(const char *path)
{
    mmd_bytes bytes;
    mmd_motion *motion = NULL;
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return motion;
}

/* Compares every bone and every weight at every frame. */
static void compare_motion(const mmd_model *model, const mmd_motion *motion, uint32_t frames, bool curves,
                           float off)
{
    mmd_motion *baked = bake(model, motion, frames, curves);
    written out = write_model(model, baked, NULL, true);
    const mmd_model *read = out.document->model;
    assert_int_equal(out.document->animation_count, 1);
    player here = play(model, motion, NULL), there = play(read, NULL, out.document);
    for (uint32_t f = 0; f < frames; f++) {
        const mmd_transform *a = pose_at(&here, f), *b = pose_at(&there, f);
        for (uint32_t i = 0; i < model->bone_count; i++) {
            assert_close(b[i].translation, a[i].translation, 3, off, model->bones[i].name, f);
            float same = 0;
            for (int k = 0; k < 4; k++)
                same += a[i].rotation[k] * b[i].rotation[k];
            assert_true(fabsf(same) > 1 - off);
        }
        for (uint32_t i = 0; i < model->morph_count; i++) {
            int32_t target = mmd_model_find_morph(read, model->morphs[i].name);
            if (target >= 0)
                assert_close(&there.values.weights[target], &here.values.weights[i], 1, 1e-5F,
                             model->morphs[i].name, f);
        }
    }
    stop(&here);
    stop(&there);
    forget(&out);
    mmd_motion_destroy(baked);
}

static void gltf_write_keeps_the_dance(void **state)
{
    (void)state;
    mmd_model *model = load(DANCER "dancer.pmx");
    mmd_motion *motion = load_motion(DANCER "dance.vmd");
    compare_motion(model, motion, 400, false, 1e-3F);
    compare_motion(model, motion, 200, true, 1e-2F);
    mmd_motion_destroy(motion);
    mmd_model_destroy(model);
}

/* ------------------------------------------------- documents rewritten */

/* Reads a document and writes it in another dialect: vertices and counts are the same, and pictures are
 * there. */
static void goes_on(const char *name, void *user)
{
    char path[1024], folder[1024];
    mmd_error error = {0};
    mmd_exchange *document;
    mmd_bytes bytes;
    shared_path(name, path, sizeof path);
    mmd_path_folder(path, folder, sizeof folder);
    mmd_source *source = mmd_source_folder(folder);
    assert_int_equal(mmd_file_read(path, &bytes, &error), MMD_OK);
    if (mmd_exchange_read(bytes.data, bytes.size, source, "", &document, &error) != MMD_OK)
        fail_msg("%s: %s", name, error.message);
    mmd_exchange_input input = {.document = document};
    mmd_dialect other = document->dialect == MMD_DIALECT_OMI_CONSTRAINTS ? MMD_DIALECT_KHR_COLLISION_SHAPES
                                                                         : MMD_DIALECT_OMI_CONSTRAINTS;
    written out = write_input(&input, other, strstr(name, ".gltf") != NULL);
    const mmd_model *a = document->model, *b = out.document->model;
    assert_int_equal(a->vertices.count, b->vertices.count);
    assert_int_equal(a->index_count, b->index_count);
    assert_true(a->bone_count <= b->bone_count);
    assert_int_equal(a->texture_count, b->texture_count);
    if (a->vertices.count)
        assert_memory_equal(a->vertices.position, b->vertices.position,
                            a->vertices.count * sizeof *a->vertices.position);
    for (uint32_t i = 0; i < a->texture_count; i++) {
        mmd_bytes picture;
        assert_int_equal(mmd_source_read(out.document->textures, b->textures[i], &picture, NULL), MMD_OK);
        mmd_bytes_finish(&picture);
    }
    ++*(uint32_t *)user;
    forget(&out);
    mmd_exchange_destroy(document);
    mmd_bytes_finish(&bytes);
    mmd_source_destroy(source);
}

static void gltf_write_goes_on_with_documents(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    uint32_t count = 0;
    shared_each(".gltf", goes_on, &count);
    shared_each(".glb", goes_on, &count);
    print_message("%u documents in another dialect\n", count);
    assert_true(count > 0);
}

/* A body with a scaled and mirrored node, whose children must keep their positions. */
static const char stretched[] =
    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"hand\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],"
    "\"extensionsUsed\":[\"KHR_collision_shapes\",\"KHR_physics_rigid_bodies\"],\"nodes\":["
    "{\"name\":\"a\",\"scale\":[2,1,-0.5],\"rotation\":[0.18,0.36,0.12,0.9076343],\"translation\":[1,2,3],"
    "\"children\":[1],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},"
    "\"collider\":{\"shape\":0}}}},"
    "{\"name\":\"j\",\"translation\":[0.5,0,0.2],\"extensions\":{\"KHR_physics_rigid_bodies\":"
    "{\"joint\":{\"connectedNode\":2,\"joint\":0}}}},"
    "{\"name\":\"b\",\"translation\":[0,3,0],\"scale\":[3,3,3],\"extensions\":{\"KHR_physics_rigid_bodies\":"
    "{\"motion\":{\"mass\":1},\"collider\":{\"shape\":0}}}}],"
    "\"extensions\":{\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"sphere\",\"sphere\":{\"radius\":0.1}}]"
    "},"
    "\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0,1,2],\"min\":0,"
    "\"max\":0}]}]}}}";

/* Reads the file without the record of its source, as another program would. */
static mmd_exchange *read_alone(const written *out)
{
    json_object_del(out->root, "extras");
    char *text = json_dumps(out->root, 0);
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    if (mmd_exchange_read(text, strlen(text), NULL, NULL, &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    free(text);
    return document;
}

/* Compares bodies and joint frames. OMI's seed dialect has one position for both frames, and shifts the
 * ranges instead. */
static void compare_places(const mmd_physscene *a, const mmd_physscene *b, bool frames_apart)
{
    assert_int_equal(a->body_count, b->body_count);
    assert_int_equal(a->joint_count, b->joint_count);
    for (uint32_t i = 0; i < a->body_count; i++) {
        assert_close(b->bodies[i].rest.translation, a->bodies[i].rest.translation, 3, 1e-4F, "body", i);
        assert_close(b->bodies[i].rest.rotation, a->bodies[i].rest.rotation, 4, 1e-5F, "body", i);
    }
    for (uint32_t i = 0; i < a->joint_count && frames_apart; i++) {
        const mmd_transform *frames[2][2] = {{&a->joints[i].frame_a, &b->joints[i].frame_a},
                                             {&a->joints[i].frame_b, &b->joints[i].frame_b}};
        for (int side = 0; side < 2; side++)
            assert_close(frames[side][1]->translation, frames[side][0]->translation, 3, 1e-4F, "joint", i);
    }
}

static void gltf_write_takes_scales_out(void **state)
{
    (void)state;
    static const mmd_dialect dialects[] = {MMD_DIALECT_KHR_IMPLICIT_SHAPES, MMD_DIALECT_OMI_CONSTRAINTS,
                                           MMD_DIALECT_OMI_PHYSICS_JOINTS};
    mmd_exchange *document;
    mmd_error error = {0};
    if (mmd_exchange_read(stretched, sizeof stretched - 1, NULL, NULL, &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_exchange_input input = {.document = document};
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        written out = write_input(&input, dialects[i], false);
        mmd_exchange *alone = read_alone(&out);
        compare_places(document->physscene, alone->physscene, dialects[i] != MMD_DIALECT_OMI_CONSTRAINTS);
        const json_t *asset = json_object_get(out.root, "asset");
        assert_string_equal(json_string_value(json_object_get(json_object_get(asset, "extras"), "generator")),
                            "hand");
        mmd_exchange_destroy(alone);
        forget(&out);
    }
    mmd_exchange_destroy(document);
}

/* Offsets in extensions are moved with their buffer, if they can be offsets. */
static void gltf_write_leaves_impossible_offsets(void **state)
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"}],\"buffers\":[{\"byteLength\":3,"
        "\"uri\":"
        "\"data:;base64,AAAA\"},{\"byteLength\":9,\"uri\":\"data:;base64,AAAAAAAAAAAA\"}],\"bufferViews\":["
        "{\"buffer\":1,\"byteLength\":9,\"extensions\":{\"far\":{\"buffer\":1,\"byteOffset\":1e39},"
        "\"before\":{\"buffer\":1,\"byteOffset\":-4},\"near\":{\"buffer\":1,\"byteOffset\":5}}}]}";
    mmd_exchange *document;
    mmd_error error = {0};
    if (mmd_exchange_read(text, sizeof text - 1, NULL, NULL, &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_exchange_input input = {.document = document};
    written out = write_input(&input, MMD_DIALECT_NONE, true);
    const json_t *view = json_array_get(json_object_get(out.root, "bufferViews"), 0),
                 *extensions = json_object_get(view, "extensions");
    static const struct {
        const char *name;
        double offset;
    } wanted[] = {{"far", 1e39}, {"before", -4}, {"near", 9}};
    assert_int_equal(json_integer_value(json_object_get(view, "byteOffset")), 4);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const json_t *extension = json_object_get(extensions, wanted[i].name);
        assert_true(json_number_value(json_object_get(extension, "byteOffset")) == wanted[i].offset);
    }
    forget(&out);
    mmd_exchange_destroy(document);
}

/* ---------------------------------------------------------------- memory */

static void gltf_write_gives_all_memory_back(void **state)
{
    (void)state;
    uint64_t before = mmd_heap_blocks_in_use();
    square s;
    square_init(&s);
    written out = write_glass(&s, 40, true);
    forget(&out);
    square_finish(&s);
    assert_int_equal(mmd_heap_blocks_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gltf_write_keeps_meshes),
        cmocka_unit_test(gltf_write_keeps_skins),
        cmocka_unit_test(gltf_write_keeps_vertex_morphs),
        cmocka_unit_test(gltf_write_adds_groups_up),
        cmocka_unit_test(gltf_write_makes_weights_whole),
        cmocka_unit_test(gltf_write_survives_numbers_that_are_none),
        cmocka_unit_test(gltf_write_draws_points_lines_and_colours),
        cmocka_unit_test(gltf_write_says_every_feature_of_pmx),
        cmocka_unit_test(gltf_write_looks_where_triangles_look),
        cmocka_unit_test(gltf_write_brings_each_picture_once),
        cmocka_unit_test(gltf_write_keeps_the_dance),
        cmocka_unit_test(gltf_write_goes_on_with_documents),
        cmocka_unit_test(gltf_write_takes_scales_out),
        cmocka_unit_test(gltf_write_leaves_impossible_offsets),
        cmocka_unit_test(gltf_write_gives_all_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
