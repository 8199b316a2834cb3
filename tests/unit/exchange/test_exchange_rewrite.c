/*
 * Tests converted models that another program has loaded and saved: numbers rounded to seven digits,
 * accessors and buffers in another layout, unknown extensions removed, and one thing edited. The edit is
 * applied, and the rest of the model is restored. The model is the bundled dancer with a part of her
 * triangles.
 */
#include <jansson.h>
#include <math.h>

#include "engine/exchange/json.h"
#include "dancer.h"
#include "mmd/exchange.h"
#include "mmd/format.h"
#include "support.h"

/* --------------------------------------------------------------- the model */

typedef struct made_model {
    mmd_buffer pmx;
    mmd_model *model;
} made_model;

/* Removes most of the dancer's triangles, and the vertices that only they use, to make the tests fast. */
static void thin_out(dancer *d)
{
    enum { BLOCK = 3 * 48, OF = 12 }; /* of OF blocks of triangles the first is kept */
    uint32_t *now = malloc(d->vertex_count * sizeof *now), vertices = 0, offsets = 0;
    bool *stays = calloc(d->vertex_count, sizeof *stays);
    assert_true(now && stays);
    for (int m = 0; m < MATERIAL_COUNT; m++) {
        uint32_t kept = 0, *corners = d->triangles[m];
        for (uint32_t i = 0; i < d->triangle_count[m]; i++)
            if (i / BLOCK % OF == 0)
                corners[kept++] = corners[i];
        d->triangle_count[m] = kept;
        for (uint32_t i = 0; i < kept; i++)
            stays[corners[i]] = true;
    }
    for (uint32_t i = 0; i < d->vertex_count; i++) {
        now[i] = vertices;
        if (stays[i])
            d->vertices[vertices++] = d->vertices[i];
    }
    d->vertex_count = vertices;
    for (int m = 0; m < MATERIAL_COUNT; m++)
        for (uint32_t i = 0; i < d->triangle_count[m]; i++)
            d->triangles[m][i] = now[d->triangles[m][i]];
    for (uint32_t i = 0; i < d->offset_count; i++) {
        dancer_offset offset = d->offsets[i];
        if (!stays[offset.vertex])
            continue;
        offset.vertex = now[offset.vertex];
        d->offsets[offsets++] = offset;
    }
    d->offset_count = offsets;
    free(now);
    free(stays);
}

/* Its glTF files, one per dialect, made on first use. */
static mmd_buffer made_files[MMD_DIALECT_OMI_PHYSICS_JOINTS + 1];

static int make(void **state)
{
    static made_model made;
    dancer d;
    mmd_model model;
    mmd_error error = {0};
    dancer_make(&d);
    thin_out(&d);
    dancer_model(&d, &model);
    assert_int_equal(mmd_pmx_write(&model, &made.pmx, &error), MMD_OK);
    dancer_finish(&d);
    assert_int_equal(mmd_pmx_read(made.pmx.data, made.pmx.size, &made.model, &error), MMD_OK);
    *state = &made;
    return 0;
}

static int destroy(void **state)
{
    made_model *made = *state;
    mmd_model_destroy(made->model);
    mmd_buffer_finish(&made->pmx);
    for (int i = 0; i <= MMD_DIALECT_OMI_PHYSICS_JOINTS; i++)
        mmd_buffer_finish(&made_files[i]);
    return 0;
}

/* ---------------------------------------------------------------- its glTF */

/* The JSON and binary chunks of a GLB. */
typedef struct glb {
    json_t *root;
    mmd_buffer bytes;
} glb;

static uint32_t number_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static glb open_glb(const mmd_buffer *file)
{
    glb g = {0};
    uint32_t length = number_at(file->data + 12);
    g.root = json_loadb((const char *)file->data + 20, length, 0, NULL);
    assert_non_null(g.root);
    mmd_write_bytes(&g.bytes, file->data + 28 + length, number_at(file->data + 20 + length));
    return g;
}

static void close_glb(glb *g)
{
    json_decref(g->root);
    mmd_buffer_finish(&g->bytes);
}

/* Writes a GLB with this number of digits in its JSON, or all if 0. */
static mmd_buffer put_glb(glb *g, size_t digits)
{
    mmd_buffer file = {0};
    json_t *buffer = json_array_get(json_object_get(g->root, "buffers"), 0);
    json_object_set_new(buffer, "byteLength", json_integer((json_int_t)g->bytes.size));
    char *text = json_dumps(g->root, JSON_COMPACT | JSON_REAL_PRECISION(digits));
    size_t length = strlen(text), pad = (4 - length % 4) % 4, tail = (4 - g->bytes.size % 4) % 4;
    mmd_write_bytes(&file, "glTF", 4);
    mmd_write_u32(&file, 2);
    mmd_write_u32(&file, (uint32_t)(28 + length + pad + g->bytes.size + tail));
    mmd_write_u32(&file, (uint32_t)(length + pad));
    mmd_write_bytes(&file, "JSON", 4);
    mmd_write_bytes(&file, text, length);
    mmd_write_bytes(&file, "   ", pad);
    mmd_write_u32(&file, (uint32_t)(g->bytes.size + tail));
    mmd_write_bytes(&file, "BIN", 4);
    mmd_write_bytes(&file, g->bytes.data, g->bytes.size);
    mmd_write_zeros(&file, tail);
    free(text);
    return file;
}

static mmd_exchange_output convert_to(const made_model *made, mmd_exchange_format format, mmd_dialect dialect)
{
    mmd_exchange_output output;
    mmd_error error = {0};
    const mmd_exchange_input input = {.model = made->model};
    const mmd_exchange_options options = {.format = format, .dialect = dialect, .binary = true, .name = "x"};
    if (mmd_exchange_write(&input, &options, &output, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    return output;
}

static glb glb_of(const made_model *made, mmd_dialect dialect)
{
    mmd_buffer *file = &made_files[dialect];
    if (!file->size) {
        mmd_exchange_output output = convert_to(made, MMD_EXCHANGE_GLTF, dialect);
        mmd_write_bytes(file, output.files[0].data.data, output.files[0].data.size);
        mmd_exchange_output_finish(&output);
    }
    return open_glb(file);
}

/* ------------------------------------------------------------ the way back */

typedef struct returned {
    mmd_exchange *document;
    mmd_exchange_output output;
    mmd_model *model;
} returned;

static returned bring_back(const mmd_buffer *file)
{
    returned back = {0};
    mmd_error error = {0};
    if (mmd_exchange_read(file->data, file->size, NULL, "", &back.document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    const mmd_exchange_input input = {.document = back.document};
    const mmd_exchange_options options = {.format = MMD_EXCHANGE_PMX, .name = "x.pmx"};
    if (mmd_exchange_write(&input, &options, &back.output, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    const mmd_buffer *pmx = &back.output.files[0].data;
    if (mmd_pmx_read(pmx->data, pmx->size, &back.model, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_int_equal(back.model->broken_reference_count, 0);
    return back;
}

static void close_returned(returned *back)
{
    mmd_model_destroy(back->model);
    mmd_exchange_output_finish(&back->output);
    mmd_exchange_destroy(back->document);
}

static returned bring_back_glb(glb *g, size_t digits)
{
    mmd_buffer file = put_glb(g, digits);
    close_glb(g);
    returned back = bring_back(&file);
    mmd_buffer_finish(&file);
    return back;
}

static bool has_loss(const mmd_losses *losses, const char *code)
{
    for (uint32_t i = 0; i < losses->count; i++)
        if (strcmp(losses->items[i].code, code) == 0)
            return losses->items[i].severity == MMD_LOSS_DROPPED;
    return false;
}

static void assert_same_bytes(const made_model *made, const returned *back)
{
    const mmd_buffer *pmx = &back->output.files[0].data;
    assert_int_equal(pmx->size, made->pmx.size);
    assert_memory_equal(pmx->data, made->pmx.data, pmx->size);
}

/* ------------------------------------------------------------- differences */

static bool same_bone(const mmd_bone *a, const mmd_bone *b)
{
    bool same = strcmp(a->name, b->name) == 0 && strcmp(a->name_en, b->name_en) == 0 &&
                memcmp(a->position, b->position, sizeof a->position) == 0 && a->parent == b->parent &&
                a->layer == b->layer && a->flags == b->flags && a->tail_bone == b->tail_bone &&
                a->append_source == b->append_source && a->append_ratio == b->append_ratio &&
                a->ik_target == b->ik_target && a->ik_loops == b->ik_loops &&
                a->ik_link_count == b->ik_link_count;
    for (uint32_t i = 0; same && i < a->ik_link_count; i++)
        same = a->ik_links[i].bone == b->ik_links[i].bone;
    return same;
}

static bool same_morph(const mmd_morph *a, const mmd_morph *b)
{
    bool same =
        strcmp(a->name, b->name) == 0 && a->panel == b->panel && a->kind == b->kind && a->count == b->count;
    for (uint32_t i = 0; same && a->kind == MMD_MORPH_VERTEX && i < a->count; i++)
        same = memcmp(&a->offsets.vertex[i], &b->offsets.vertex[i], sizeof a->offsets.vertex[i]) == 0;
    return same;
}

static bool same_material(const mmd_material *a, const mmd_material *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(a->diffuse, b->diffuse, sizeof a->diffuse) == 0 &&
           memcmp(a->ambient, b->ambient, sizeof a->ambient) == 0 && a->flags == b->flags &&
           a->texture == b->texture && a->toon == b->toon && a->edge_size == b->edge_size &&
           a->index_count == b->index_count;
}

static bool same_body(const mmd_rigid_body *a, const mmd_rigid_body *b)
{
    return strcmp(a->name, b->name) == 0 && a->bone == b->bone && a->group == b->group &&
           a->mask == b->mask && a->shape == b->shape && a->mode == b->mode && a->mass == b->mass &&
           memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0;
}

static bool same_joint(const mmd_joint *a, const mmd_joint *b)
{
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->body_a == b->body_a &&
           a->body_b == b->body_b && memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->angular_lower, b->angular_lower, sizeof a->angular_lower) == 0 &&
           memcmp(a->angular_spring, b->angular_spring, sizeof a->angular_spring) == 0;
}

static bool same_frame(const mmd_display_frame *a, const mmd_display_frame *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->items[i].kind == b->items[i].kind && a->items[i].index == b->items[i].index;
    return same;
}

static bool same_vertex(const mmd_vertices *a, const mmd_vertices *b, uint32_t i)
{
    return memcmp(a->position[i], b->position[i], sizeof a->position[i]) == 0 &&
           memcmp(a->normal[i], b->normal[i], sizeof a->normal[i]) == 0 &&
           memcmp(a->uv[i], b->uv[i], sizeof a->uv[i]) == 0 && a->deform[i] == b->deform[i] &&
           memcmp(a->bone[i], b->bone[i], sizeof a->bone[i]) == 0 &&
           memcmp(a->weight[i], b->weight[i], sizeof a->weight[i]) == 0;
}

/* Counts of differing elements, as far as both lists reach. */
typedef struct differences {
    uint32_t bones, vertices, materials, morphs, bodies, joints, frames;
} differences;

#define COUNT(list, counter, same)                                                                           \
    for (uint32_t i = 0; i < a->counter && i < b->counter; i++)                                              \
    found.list += !same(&a->list[i], &b->list[i])

static differences compare(const mmd_model *a, const mmd_model *b)
{
    differences found = {0};
    COUNT(bones, bone_count, same_bone);
    COUNT(materials, material_count, same_material);
    COUNT(morphs, morph_count, same_morph);
    COUNT(bodies, body_count, same_body);
    COUNT(joints, joint_count, same_joint);
    COUNT(frames, frame_count, same_frame);
    for (uint32_t i = 0; i < a->vertices.count && i < b->vertices.count; i++)
        found.vertices += !same_vertex(&a->vertices, &b->vertices, i);
    return found;
}

static void assert_differences(const char *what, const mmd_model *was, const mmd_model *is,
                               differences expected)
{
    differences found = compare(was, is);
    if (memcmp(&found, &expected, sizeof found) != 0)
        fail_msg("%s: %u bones, %u vertices, %u materials, %u morphs, %u bodies, %u joints, %u frames differ",
                 what, found.bones, found.vertices, found.materials, found.morphs, found.bodies, found.joints,
                 found.frames);
}

static uint32_t chains(const mmd_model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->bone_count; i++)
        count += (model->bones[i].flags & MMD_BONE_IK) != 0;
    return count;
}

static void assert_counts(const mmd_model *was, const mmd_model *is)
{
    assert_int_equal(is->bone_count, was->bone_count);
    assert_int_equal(chains(is), chains(was));
    assert_int_equal(is->vertices.count, was->vertices.count);
    assert_int_equal(is->material_count, was->material_count);
    assert_int_equal(is->morph_count, was->morph_count);
    assert_int_equal(is->body_count, was->body_count);
    assert_int_equal(is->joint_count, was->joint_count);
    assert_int_equal(is->frame_count, was->frame_count);
}

/* -------------------------------------------------------- another program */

static json_t *element(const glb *g, const char *list, json_int_t index)
{
    json_t *found = json_array_get(json_object_get(g->root, list), (size_t)index);
    assert_non_null(found);
    return found;
}

static size_t integer(const json_t *object, const char *key)
{
    return (size_t)json_integer_value(json_object_get(object, key));
}

static void round_view(glb *g, json_int_t number)
{
    json_t *view = element(g, "bufferViews", number);
    uint8_t *at = g->bytes.data + integer(view, "byteOffset");
    for (size_t i = 0; i + 4 <= integer(view, "byteLength"); i += 4) {
        float value;
        char text[32];
        memcpy(&value, at + i, sizeof value);
        snprintf(text, sizeof text, "%.7g", (double)value);
        value = strtof(text, NULL);
        memcpy(at + i, &value, sizeof value);
    }
}

/* Rounds floats in vertices and matrices to seven digits. */
static void round_buffers(glb *g)
{
    json_t *accessor;
    size_t i;
    json_array_foreach(json_object_get(g->root, "accessors"), i, accessor)
    {
        const json_t *sparse = json_object_get(json_object_get(accessor, "sparse"), "values");
        if (integer(accessor, "componentType") != 5126)
            continue;
        if (json_object_get(accessor, "bufferView"))
            round_view(g, json_integer_value(json_object_get(accessor, "bufferView")));
        if (sparse)
            round_view(g, json_integer_value(json_object_get(sparse, "bufferView")));
    }
}

/* Copies the view of an object to the end of the new buffer. Views that nothing uses are left out. */
static void move_view(const glb *g, json_t *object, json_t *views, mmd_buffer *bytes)
{
    if (!object || !json_object_get(object, "bufferView"))
        return;
    json_t *view = json_deep_copy(element(g, "bufferViews", (json_int_t)integer(object, "bufferView")));
    mmd_write_zeros(bytes, (4 - bytes->size % 4) % 4);
    const uint8_t *from = g->bytes.data + integer(view, "byteOffset");
    json_object_set_new(view, "byteOffset", json_integer((json_int_t)bytes->size));
    mmd_write_bytes(bytes, from, integer(view, "byteLength"));
    json_object_set_new(object, "bufferView", json_integer((json_int_t)json_array_size(views)));
    json_array_append_new(views, view);
}

static void turn_round(json_t *object, const char *key, size_t count)
{
    json_t *index = json_object_get(object, key);
    if (index)
        json_object_set_new(object, key, json_integer((json_int_t)count - 1 - json_integer_value(index)));
}

static void turn_all(json_t *object, size_t count)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, key, value) turn_round(object, key, count);
}

/* Rewrites accessors, views and bytes in another order. */
static void lay_out_anew(glb *g)
{
    json_t *old = json_object_get(g->root, "accessors"), *accessors = json_array(), *views = json_array();
    json_t *mesh, *primitive, *target, *skin, *image;
    mmd_buffer bytes = {0};
    size_t count = json_array_size(old), i, k, n;
    for (size_t at = count; at-- > 0;) {
        json_t *accessor = json_array_get(old, at), *sparse = json_object_get(accessor, "sparse");
        move_view(g, accessor, views, &bytes);
        move_view(g, json_object_get(sparse, "indices"), views, &bytes);
        move_view(g, json_object_get(sparse, "values"), views, &bytes);
        json_array_append(accessors, accessor);
    }
    json_array_foreach(json_object_get(g->root, "images"), i, image) move_view(g, image, views, &bytes);
    json_array_foreach(json_object_get(g->root, "meshes"), i, mesh)
        json_array_foreach(json_object_get(mesh, "primitives"), k, primitive)
    {
        turn_round(primitive, "indices", count);
        turn_all(json_object_get(primitive, "attributes"), count);
        json_array_foreach(json_object_get(primitive, "targets"), n, target) turn_all(target, count);
    }
    json_array_foreach(json_object_get(g->root, "skins"), i, skin)
        turn_round(skin, "inverseBindMatrices", count);
    json_object_set_new(g->root, "accessors", accessors);
    json_object_set_new(g->root, "bufferViews", views);
    mmd_buffer_finish(&g->bytes);
    g->bytes = bytes;
}

/* ------------------------------------------------------------------- tests */

static const mmd_dialect dialects[] = {MMD_DIALECT_KHR_COLLISION_SHAPES, MMD_DIALECT_KHR_IMPLICIT_SHAPES,
                                       MMD_DIALECT_OMI_CONSTRAINTS, MMD_DIALECT_OMI_PHYSICS_JOINTS};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

static void the_dancer_has_what_is_looked_at(void **state)
{
    const made_model *made = *state;
    assert_true(chains(made->model) >= 2);
    assert_true(made->model->morph_count >= 10);
    assert_true(made->model->body_count >= 10 && made->model->joint_count >= 5);
    assert_true(made->model->frame_count >= 3);
    assert_true(made->model->vertices.count > 3000 && made->model->vertices.sdef_count > 100);
    for (uint32_t i = 0; i < made->model->morph_count; i++)
        assert_true(made->model->morphs[i].count > 0);
}

static void what_nobody_edited_is_the_same_file(void **state)
{
    const made_model *made = *state;
    for (int i = 0; i < DIALECTS; i++) {
        glb g = glb_of(made, dialects[i]);
        returned back = bring_back_glb(&g, 0);
        assert_same_bytes(made, &back);
        assert_int_equal(back.document->losses.count, 0);
        close_returned(&back);
    }
}

static void seven_digits_in_another_order_are_the_same(void **state)
{
    const made_model *made = *state;
    for (int i = 0; i < DIALECTS; i++) {
        glb g = glb_of(made, dialects[i]);
        round_buffers(&g);
        lay_out_anew(&g);
        returned back = bring_back_glb(&g, 7);
        assert_same_bytes(made, &back);
        close_returned(&back);
    }
}

/* Rounding applies to the JSON only; a dump stores its PMX as a glTF does. */
static void a_dump_of_seven_digits_is_the_same(void **state)
{
    const made_model *made = *state;
    mmd_exchange_output output = convert_to(made, MMD_EXCHANGE_RAGDOLL, MMD_DIALECT_NONE);
    const mmd_buffer *data = &output.files[0].data;
    json_t *root = json_loadb((const char *)data->data, data->size, 0, NULL);
    char *text = json_dumps(root, JSON_REAL_PRECISION(7));
    mmd_buffer file = {0};
    mmd_write_bytes(&file, text, strlen(text));
    returned back = bring_back(&file);
    assert_same_bytes(made, &back);
    close_returned(&back);
    mmd_buffer_finish(&file);
    free(text);
    json_decref(root);
    mmd_exchange_output_finish(&output);
}

/* Simulates a program that knows neither KHR's nor OMI's physics and removes it. */
static void physics_stay_that_a_program_does_not_know(void **state)
{
    const made_model *made = *state;
    json_t *node;
    size_t i;
    glb g = glb_of(made, MMD_DIALECT_KHR_IMPLICIT_SHAPES);
    json_object_del(g.root, "extensions");
    json_object_del(g.root, "extensionsUsed");
    json_array_foreach(json_object_get(g.root, "nodes"), i, node) json_object_del(node, "extensions");
    round_buffers(&g);
    lay_out_anew(&g);
    returned back = bring_back_glb(&g, 7);
    assert_same_bytes(made, &back);
    close_returned(&back);
}

static void move_node(const glb *g, uint32_t node, double by)
{
    json_t *json = element(g, "nodes", node), *place = json_object_get(json, "translation");
    if (!place) {
        place = json_pack("[f, f, f]", 0.0, 0.0, 0.0);
        json_object_set_new(json, "translation", place);
    }
    json_array_set_new(place, 0, json_real(json_number_value(json_array_get(place, 0)) + by));
}

/* Returns the last bone that has children and whose ancestors have no simulated body. */
static uint32_t plain_bone(const mmd_model *model)
{
    for (uint32_t i = model->bone_count; i-- > 0;) {
        bool carries = false, alone = true;
        for (uint32_t k = 0; k < model->bone_count; k++)
            carries = carries || model->bones[k].parent == (int32_t)i;
        for (int32_t at = (int32_t)i; at >= 0; at = model->bones[at].parent)
            for (uint32_t k = 0; k < model->body_count; k++)
                alone = alone && (model->bodies[k].bone != at || model->bodies[k].mode == 0);
        if (carries && alone && model->bones[i].parent >= 0 &&
            model->bones[model->bones[i].parent].parent >= 0)
            return i;
    }
    fail_msg("no such bone");
    return 0;
}

static bool is_below(const mmd_model *model, uint32_t bone, uint32_t above)
{
    for (int32_t at = (int32_t)bone; at >= 0; at = model->bones[at].parent)
        if (at == (int32_t)above)
            return true;
    return false;
}

static void a_micrometre_is_rounding(void **state)
{
#ifdef ODORI_TEST_SLOWLY
    enum { STEP = 41 };
#else
    enum { STEP = 7 };
#endif
    const made_model *made = *state;
    for (uint32_t bone = 0; bone < made->model->bone_count; bone += STEP) {
        glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
        move_node(&g, bone, 1e-6);
        returned back = bring_back_glb(&g, 0);
        assert_same_bytes(made, &back);
        close_returned(&back);
    }
}

/* A moved bone moves what depends on it, as in glTF: child bones, vertices, and bodies that follow. */
static void a_bone_that_was_moved_moves(void **state)
{
    const made_model *made = *state;
    const mmd_model *was = made->model;
    uint32_t bone = plain_bone(was), moved = 0, carried = 0;
    glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
    move_node(&g, bone, 0.1);
    returned back = bring_back_glb(&g, 0);
    const mmd_model *is = back.model;
    assert_counts(was, is);
    for (uint32_t i = 0; i < was->bone_count; i++) {
        mmd_bone put_back = is->bones[i];
        bool below = is_below(was, i, bone);
        moved += below;
        if (below && fabsf(put_back.position[0] - was->bones[i].position[0] - 1.25F) < 1e-4F)
            put_back.position[0] = was->bones[i].position[0];
        if (!same_bone(&was->bones[i], &put_back))
            fail_msg("bone %u (%s)", i, was->bones[i].name);
    }
    for (uint32_t i = 0; i < was->body_count; i++) {
        bool below = was->bodies[i].bone >= 0 && is_below(was, (uint32_t)was->bodies[i].bone, bone);
        float away = is->bodies[i].position[0] - was->bodies[i].position[0];
        bool moves = below && fabsf(away - 1.25F) < 1e-4F; /* a simulated body belongs to the bone above */
        assert_true(moves ||
                    (!(below && was->bodies[i].mode == 0) && same_body(&was->bodies[i], &is->bodies[i])));
        carried += moves;
    }
    differences found = compare(was, is);
    assert_true(moved > 0 && found.bones == moved);
    assert_int_equal(found.bodies, carried);
    assert_int_equal(found.materials + found.morphs + found.frames, 0);
    assert_true(found.vertices < was->vertices.count);
    close_returned(&back);
}

static void a_node_that_was_added_is_a_bone(void **state)
{
    const made_model *made = *state;
    const mmd_model *was = made->model;
    uint32_t above = plain_bone(was);
    glb g = glb_of(made, MMD_DIALECT_KHR_IMPLICIT_SHAPES);
    json_t *nodes = json_object_get(g.root, "nodes"), *parent = element(&g, "nodes", above);
    json_array_append_new(json_object_get(parent, "children"),
                          json_integer((json_int_t)json_array_size(nodes)));
    json_array_append_new(nodes, json_pack("{s:s, s:[f,f,f]}", "name", "new", "translation", 0.0, 0.8, 0.0));
    returned back = bring_back_glb(&g, 7);
    assert_int_equal(back.model->bone_count, was->bone_count + 1);
    const mmd_bone *bone = &back.model->bones[was->bone_count];
    assert_string_equal(bone->name, "new");
    assert_int_equal(bone->parent, above);
    assert_true(fabsf(bone->position[1] - was->bones[above].position[1] - 10) < 1e-4F);
    assert_int_equal(chains(back.model), chains(was));
    assert_differences("a new node", was, back.model, (differences){.frames = 1});
    close_returned(&back);
}

/* Removes a node from a list of nodes and adjusts the indices after it. */
static void take_node_away(json_t *json, const char *key, json_int_t node)
{
    json_t *list = json_object_get(json, key);
    for (size_t i = json_array_size(list); i-- > 0;) {
        json_int_t at = json_integer_value(json_array_get(list, i));
        if (at == node)
            json_array_remove(list, i);
        else if (at > node)
            json_array_set_new(list, i, json_integer(at - 1));
    }
    if (json_is_integer(list) && json_integer_value(list) > node)
        json_object_set_new(json, key, json_integer(json_integer_value(list) - 1));
}

/* Removes the last leaf bone that nothing refers to from nodes and skin; its vertices get its parent. */
static uint32_t take_bone_away(glb *g, const mmd_model *model)
{
    uint32_t bone = model->bone_count;
    bool used = true;
    while (used) {
        bone--;
        used = model->bones[bone].flags & MMD_BONE_IK;
        for (uint32_t i = 0; i < model->bone_count; i++)
            used = used || model->bones[i].parent == (int32_t)bone ||
                   model->bones[i].ik_target == (int32_t)bone ||
                   model->bones[i].append_source == (int32_t)bone;
        for (uint32_t i = 0; i < model->body_count; i++)
            used = used || model->bodies[i].bone == (int32_t)bone;
        for (uint32_t i = 0; i < model->vertices.count; i++)
            for (int k = 0; k < 4; k++)
                used = used || model->vertices.bone[i][k] == (int32_t)bone;
    }
    json_t *node, *skin = element(g, "skins", 0), *joints = json_object_get(skin, "joints");
    size_t i;
    json_array_remove(json_object_get(g->root, "nodes"), bone);
    json_array_foreach(json_object_get(g->root, "nodes"), i, node)
    {
        take_node_away(node, "children", bone);
        if (json_object_get(node, "children") && json_array_size(json_object_get(node, "children")) == 0)
            json_object_del(node, "children");
        json_t *joint = json_object_get(
            json_object_get(json_object_get(node, "extensions"), "KHR_physics_rigid_bodies"), "joint");
        if (joint)
            take_node_away(joint, "connectedNode", bone);
    }
    take_node_away(element(g, "scenes", 0), "nodes", bone);
    /* the joint's entry in the skin now refers to the parent, so that no vertex needs a change */
    json_array_foreach(joints, i, node)
    {
        json_int_t at = json_integer_value(node);
        if (at == bone)
            at = model->bones[bone].parent;
        else if (at > bone)
            at--;
        json_array_set_new(joints, i, json_integer(at));
    }
    take_node_away(skin, "skeleton", bone);
    return bone;
}

static void a_bone_that_was_deleted_is_gone(void **state)
{
    const made_model *made = *state;
    const mmd_model *was = made->model;
    glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
    uint32_t bone = take_bone_away(&g, was);
    returned back = bring_back_glb(&g, 7);
    assert_int_equal(back.model->bone_count, was->bone_count - 1);
    assert_int_equal(mmd_model_find_bone(back.model, was->bones[bone].name), -1);
    assert_int_equal(chains(back.model), chains(was));
    for (uint32_t i = 0; i < was->bone_count; i++)
        assert_int_equal(mmd_model_find_bone(back.model, was->bones[i].name) < 0, i == bone);
    for (uint32_t i = 0; i < was->body_count; i++) {
        int32_t of = was->bodies[i].bone, now = back.model->bodies[i].bone;
        assert_int_equal(of < 0, now < 0);
        if (of >= 0)
            assert_string_equal(back.model->bones[now].name, was->bones[of].name);
    }
    differences found = compare(was, back.model);
    assert_int_equal(back.model->body_count, was->body_count);
    assert_int_equal(back.model->joint_count, was->joint_count);
    assert_int_equal(found.joints + found.morphs + found.materials, 0);
    close_returned(&back);
}

static void a_vertex_that_was_moved_moves(void **state)
{
    const made_model *made = *state;
    glb g = glb_of(made, MMD_DIALECT_OMI_CONSTRAINTS);
    json_t *primitive = json_array_get(json_object_get(element(&g, "meshes", 0), "primitives"), 1);
    json_t *accessor =
        element(&g, "accessors", (json_int_t)integer(json_object_get(primitive, "attributes"), "POSITION"));
    json_t *view = element(&g, "bufferViews", (json_int_t)integer(accessor, "bufferView"));
    float value;
    memcpy(&value, g.bytes.data + integer(view, "byteOffset"), sizeof value);
    value += 0.008F;
    memcpy(g.bytes.data + integer(view, "byteOffset"), &value, sizeof value);
    lay_out_anew(&g);
    returned back = bring_back_glb(&g, 7);
    assert_counts(made->model, back.model);
    assert_differences("a vertex", made->model, back.model, (differences){.vertices = 1});
    for (uint32_t i = 0; i < made->model->vertices.count; i++)
        assert_true(same_vertex(&made->model->vertices, &back.model->vertices, i) ||
                    fabsf(back.model->vertices.position[i][0] - made->model->vertices.position[i][0] - 0.1F) <
                        1e-4F);
    close_returned(&back);
}

static void a_color_that_was_edited_is_another(void **state)
{
    const made_model *made = *state;
    glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
    json_t *color = json_object_get(json_object_get(element(&g, "materials", 1), "pbrMetallicRoughness"),
                                    "baseColorFactor");
    json_array_set_new(color, 0, json_real(0.25 * json_number_value(json_array_get(color, 0))));
    returned back = bring_back_glb(&g, 7);
    assert_counts(made->model, back.model);
    assert_differences("a colour", made->model, back.model, (differences){.materials = 1});
    assert_true(back.model->materials[1].diffuse[0] < made->model->materials[1].diffuse[0]);
    assert_true(back.model->materials[1].diffuse[1] == made->model->materials[1].diffuse[1]);
    close_returned(&back);
}

static void a_bone_that_was_renamed_is_the_same(void **state)
{
    const made_model *made = *state;
    uint32_t bone = plain_bone(made->model);
    glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
    json_object_set_new(element(&g, "nodes", bone), "name", json_string("renamed"));
    returned back = bring_back_glb(&g, 7);
    assert_counts(made->model, back.model);
    assert_differences("a name", made->model, back.model, (differences){.bones = 1});
    assert_string_equal(back.model->bones[bone].name, "renamed");
    close_returned(&back);
}

static void a_target_that_was_deleted_is_gone(void **state)
{
    const made_model *made = *state;
    glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
    json_t *mesh = element(&g, "meshes", 0), *primitive;
    json_t *names = json_object_get(json_object_get(mesh, "extras"), "targetNames");
    char *name = strdup(json_string_value(json_array_get(names, 1)));
    size_t i;
    json_array_remove(names, 1);
    json_array_foreach(json_object_get(mesh, "primitives"), i, primitive)
        json_array_remove(json_object_get(primitive, "targets"), 1);
    returned back = bring_back_glb(&g, 0);
    assert_int_equal(back.model->morph_count, made->model->morph_count - 1);
    assert_true(mmd_model_find_morph(made->model, name) >= 0);
    assert_int_equal(mmd_model_find_morph(back.model, name), -1);
    differences found = compare(made->model, back.model);
    assert_int_equal(found.bones + found.vertices + found.materials + found.bodies + found.joints, 0);
    free(name);
    close_returned(&back);
}

static void an_animation_changes_nothing(void **state)
{
    const made_model *made = *state;
    glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
    json_object_set_new(g.root, "animations",
                        json_pack("[{s:s, s:[], s:[]}]", "name", "new", "channels", "samplers"));
    returned back = bring_back_glb(&g, 7);
    assert_same_bytes(made, &back);
    close_returned(&back);
}

/* Older files have the PMX in a view of the buffer, and no stamp of morphs. */
static void older_records_are_read(void **state)
{
    const made_model *made = *state;
    for (int edited = 0; edited < 2; edited++) {
        glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
        json_t *record = json_object_get(json_object_get(g.root, "extras"), "mmd");
        json_t *views = json_object_get(g.root, "bufferViews");
        json_object_del(record, "morphs");
        json_object_set_new(record, "source", json_pack("{s:i}", "bufferView", (int)json_array_size(views)));
        mmd_write_zeros(&g.bytes, (4 - g.bytes.size % 4) % 4);
        json_array_append_new(views, json_pack("{s:i, s:i, s:i}", "buffer", 0, "byteOffset",
                                               (int)g.bytes.size, "byteLength", (int)made->pmx.size));
        mmd_write_bytes(&g.bytes, made->pmx.data, made->pmx.size);
        returned back = bring_back_glb(&g, edited ? 7 : 0);
        assert_same_bytes(made, &back);
        close_returned(&back);
    }
}

static void a_record_of_no_use_is_told(void **state)
{
    const made_model *made = *state;
    for (int whole = 0; whole < 2; whole++) {
        glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
        json_t *extras = json_object_get(g.root, "extras");
        if (whole)
            json_object_del(extras, "mmd");
        else
            json_object_set_new(json_object_get(extras, "mmd"), "source",
                                json_pack("{s:i}", "bufferView", 1000000));
        returned back = bring_back_glb(&g, 0);
        assert_true(has_loss(&back.document->losses, "record.unusable"));
        assert_true(has_loss(&back.output.losses, "model.remade"));
        close_returned(&back);
    }
}

/* An edit survives another trip to glTF and back. */
static void an_edit_is_kept_on_further_ways(void **state)
{
    const made_model *made = *state;
    glb g = glb_of(made, MMD_DIALECT_KHR_COLLISION_SHAPES);
    mmd_error error = {0};
    move_node(&g, plain_bone(made->model), 0.1);
    returned back = bring_back_glb(&g, 7);
    const mmd_buffer *pmx = &back.output.files[0].data;
    mmd_exchange_input input = {.model = back.model};
    for (uint32_t i = 1; i < back.output.count; i++)
        if (strcmp(back.output.files[i].name, "x.physics.json") == 0) {
            input.sidecar = back.output.files[i].data.data;
            input.sidecar_size = back.output.files[i].data.size;
        }
    assert_non_null(input.sidecar);
    const mmd_exchange_options options = {.format = MMD_EXCHANGE_GLTF, .binary = true, .name = "x.glb"};
    mmd_exchange_output again;
    if (mmd_exchange_write(&input, &options, &again, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    returned once_more = bring_back(&again.files[0].data);
    assert_int_equal(once_more.output.files[0].data.size, pmx->size);
    assert_memory_equal(once_more.output.files[0].data.data, pmx->data, pmx->size);
    /* a PMX whose own mesh was edited replaces its glTF, with a warning */
    mmd_exchange_output_finish(&again);
    back.model->vertices.position[0][0] += 1;
    assert_int_equal(mmd_exchange_write(&input, &options, &again, &error), MMD_OK);
    assert_true(has_loss(&again.losses, "model.remade"));
    mmd_exchange_output_finish(&again);
    close_returned(&once_more);
    close_returned(&back);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dancer_has_what_is_looked_at),
        cmocka_unit_test(what_nobody_edited_is_the_same_file),
        cmocka_unit_test(seven_digits_in_another_order_are_the_same),
        cmocka_unit_test(a_dump_of_seven_digits_is_the_same),
        cmocka_unit_test(physics_stay_that_a_program_does_not_know),
        cmocka_unit_test(a_micrometre_is_rounding),
        cmocka_unit_test(a_bone_that_was_moved_moves),
        cmocka_unit_test(a_node_that_was_added_is_a_bone),
        cmocka_unit_test(a_bone_that_was_deleted_is_gone),
        cmocka_unit_test(a_vertex_that_was_moved_moves),
        cmocka_unit_test(a_color_that_was_edited_is_another),
        cmocka_unit_test(a_bone_that_was_renamed_is_the_same),
        cmocka_unit_test(a_target_that_was_deleted_is_gone),
        cmocka_unit_test(an_animation_changes_nothing),
        cmocka_unit_test(older_records_are_read),
        cmocka_unit_test(a_record_of_no_use_is_told),
        cmocka_unit_test(an_edit_is_kept_on_further_ways),
    };
    return cmocka_run_group_tests(tests, make, destroy);
}
