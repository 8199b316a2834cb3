/*
 * Adds features of PMX 2.1 to the model of the first file:
 *
 * QDEF         the forearms, where the hand's twist is
 * colours      of the bow's vertices (additional UV 1 of that material), darker in the knot
 * UV 2 to 4    on skirt, bow and hair, for effects
 * UV morphs    of additional UVs 1 (the skirt's pattern) to 4. PMX 2.0 has them too, but three.js's reader,
 * mmd-parser on npm, does not skip their records and so fails to read the file flip         表情切替: one
 * slider through three expressions impulse      突風: a gust in skirt, tails and hair points       sparks
 * around the hair's ribbon; lines: the ornament's cord joints       of every kind, and a scarf that is a soft
 * body
 */
#include "dancer21.h"

#include <string.h>

#include "tool.h"

/* --- enlarging arrays --- */

static void *extended(dancer21 *b, const void *old, uint32_t count, uint32_t more, size_t size)
{
    void *array = tool_alloc(&b->d->arena, count + more, size);
    if (count)
        memcpy(array, old, count * size);
    return array;
}

static void extend_vertices(dancer21 *b)
{
    mmd_vertices *v = &b->model->vertices;
    const uint32_t more = DANCER21_VERTICES;
    v->position = extended(b, v->position, v->count, more, sizeof *v->position);
    v->normal = extended(b, v->normal, v->count, more, sizeof *v->normal);
    v->uv = extended(b, v->uv, v->count, more, sizeof *v->uv);
    for (int i = 0; i < 4; i++) {
        uint32_t kept = v->additional_uv[i] ? v->count : 0;
        v->additional_uv[i] =
            extended(b, v->additional_uv[i], kept, v->count + more - kept, sizeof *v->additional_uv[i]);
    }
    v->additional_uv_count = 4;
    v->deform = extended(b, v->deform, v->count, more, sizeof *v->deform);
    v->bone = extended(b, v->bone, v->count, more, sizeof *v->bone);
    v->weight = extended(b, v->weight, v->count, more, sizeof *v->weight);
    v->edge_scale = extended(b, v->edge_scale, v->count, more, sizeof *v->edge_scale);
    v->sdef_index = extended(b, v->sdef_index, v->count, more, sizeof *v->sdef_index);
}

static dancer21 begin(dancer *d, mmd_model *model)
{
    dancer21 b = {
        d, model, model->vertices.count, model->index_count, model->material_count, model->morph_count};
    model->version = 2.1f;
    extend_vertices(&b);
    model->indices =
        extended(&b, model->indices, model->index_count, DANCER21_INDICES, sizeof *model->indices);
    model->materials =
        extended(&b, model->materials, model->material_count, DANCER21_MATERIALS, sizeof *model->materials);
    model->morphs = extended(&b, model->morphs, model->morph_count, DANCER21_MORPHS, sizeof *model->morphs);
    return b;
}

uint32_t dancer21_add_vertex(dancer21 *b, const dancer21_vertex *from)
{
    mmd_vertices *v = &b->model->vertices;
    uint32_t i = v->count++;
    if (v->count - b->vertices > DANCER21_VERTICES)
        tool_die("more than %d vertices of 2.1", DANCER21_VERTICES);
    memcpy(v->position[i], from->position.raw, sizeof v->position[i]);
    memcpy(v->normal[i], from->normal.raw, sizeof v->normal[i]);
    memcpy(v->uv[i], from->uv.raw, sizeof v->uv[i]);
    memcpy(v->additional_uv[0][i], from->color.raw, sizeof v->additional_uv[0][i]);
    v->deform[i] = MMD_DEFORM_BDEF1;
    v->edge_scale[i] = 1;
    v->sdef_index[i] = -1;
    for (int k = 0; k < 4; k++) {
        v->bone[i][k] = k == 0 ? from->bone : -1;
        v->weight[i][k] = k == 0 ? 1 : 0;
    }
    return i;
}

void dancer21_add_triangle(dancer21 *b, uint32_t i, uint32_t j, uint32_t k)
{
    mmd_model *model = b->model;
    const uint32_t corners[3] = {i, j, k};
    if (model->index_count + 3 - b->indices > DANCER21_INDICES)
        tool_die("more than %d corners of 2.1", DANCER21_INDICES);
    memcpy(model->indices + model->index_count, corners, sizeof corners);
    model->index_count += 3;
    model->materials[model->material_count - 1].index_count += 3;
}

int32_t dancer21_add_material(dancer21 *b, const mmd_material *material)
{
    mmd_model *model = b->model;
    if (model->material_count - b->materials == DANCER21_MATERIALS)
        tool_die("more than %d materials of 2.1", DANCER21_MATERIALS);
    mmd_material *m = &model->materials[model->material_count];
    *m = *material;
    m->first_index = model->index_count;
    m->index_count = 0;
    return (int32_t)model->material_count++;
}

/* --- deformation --- */

/* Tests whether a vertex follows only bones of the forearm, and more than one of them. */
static bool twists(const dancer *d, const mmd_vertices *v, uint32_t i)
{
    static const char *const names[] = {"ひじ", "手捩1", "手捩2", "手捩3", "手捩", "手首"};
    int bones = 0;
    if (v->deform[i] == MMD_DEFORM_SDEF)
        return false;
    for (int k = 0; k < 4; k++) {
        if (v->weight[i][k] <= 0)
            continue;
        const char *name = d->rig.bones[v->bone[i][k]].name + strlen("左");
        bool forearm = false;
        for (size_t n = 0; n < TOOL_COUNT(names); n++)
            forearm |= strcmp(name, names[n]) == 0;
        if (!forearm)
            return false;
        bones++;
    }
    return bones > 1;
}

/* Makes these vertices QDEF. Dual quaternions keep the forearm's girth where linear blending of twists would
 * narrow it. */
static void set_qdef(dancer21 *b)
{
    mmd_vertices *v = &b->model->vertices;
    for (uint32_t i = 0; i < b->vertices; i++)
        if (twists(b->d, v, i))
            v->deform[i] = MMD_DEFORM_QDEF;
}

/* --- colours and further UVs --- */

/* Colours the bow. Folds near the knot shade each other. */
static void color_bow(dancer21 *b)
{
    const vec3 knot = rig_at(&b->d->rig, "帯結び");
    mmd_vertices *v = &b->model->vertices;
    b->model->materials[MATERIAL_BOW].flags |= MMD_MATERIAL_VERTEX_COLOR;
    for (uint32_t i = 0; i < b->vertices; i++) {
        if (b->d->vertices[i].material != MATERIAL_BOW)
            continue;
        float light = smoothstep(0.1f, 1.2f, vec3_distance(b->d->vertices[i].position, knot));
        const vec4 color = {{lerp(0.80f, 1, light), lerp(0.66f, 1, light), lerp(0.78f, 1, light), 1}};
        memcpy(v->additional_uv[0][i], color.raw, sizeof color.raw);
    }
}

/* Fills one layer of additional UVs for a material: u and v of its texture, then its height and 1. */
static void fill_uv_layer(dancer21 *b, int layer, material_id material)
{
    mmd_vertices *v = &b->model->vertices;
    for (uint32_t i = 0; i < b->vertices; i++) {
        const float values[4] = {v->uv[i][0], v->uv[i][1], v->position[i][1], 1};
        if (b->d->vertices[i].material == material)
            memcpy(v->additional_uv[layer][i], values, sizeof values);
    }
}

/* --- morphs --- */

/* Adds a morph, and lists it in the second display frame, the expressions. */
void dancer21_add_morph(dancer21 *b, const mmd_morph *morph)
{
    mmd_model *model = b->model;
    if (model->morph_count - b->morphs == DANCER21_MORPHS)
        tool_die("more than %d morphs of 2.1", DANCER21_MORPHS);
    model->morphs[model->morph_count] = *morph;
    mmd_display_frame *frame = &model->frames[1];
    mmd_frame_item *items = extended(b, frame->items, frame->count, 1, sizeof *items);
    items[frame->count++] = (mmd_frame_item){1, (int32_t)model->morph_count++};
    frame->items = items;
}

/* Adds a morph that scrolls an additional UV of one material by one tile, along u or v. */
static void add_uv_morph(dancer21 *b, int layer, material_id material, int axis, const char *name,
                         const char *name_en)
{
    mmd_morph morph = {
        .name = name, .name_en = name_en, .panel = 4, .kind = (uint8_t)(MMD_MORPH_ADDITIONAL_UV1 + layer)};
    mmd_uv_offset *offsets = tool_alloc(&b->d->arena, b->vertices, sizeof *offsets);
    for (uint32_t i = 0; i < b->vertices; i++) {
        if (b->d->vertices[i].material != material)
            continue;
        offsets[morph.count].vertex = (int32_t)i;
        offsets[morph.count++].offset[axis] = 1;
    }
    morph.offsets.uv = offsets;
    dancer21_add_morph(b, &morph);
}

static void add_flip(dancer21 *b)
{
    static const mmd_group_offset faces[] = {{MORPH_SMILE, 1}, {MORPH_WINK, 1}, {MORPH_SURPRISED, 1}};
    const mmd_morph morph = {.name = "表情切替",
                             .name_en = "expression switch",
                             .panel = 4,
                             .kind = MMD_MORPH_FLIP,
                             .count = TOOL_COUNT(faces),
                             .offsets.group = faces};
    dancer21_add_morph(b, &morph);
}

/* Adds impulses that push simulated cloth and hair to her left and back, less for light bodies. The bow's
 * tails also rotate about their axes. */
static void add_gust(dancer21 *b)
{
    dancer *d = b->d;
    mmd_impulse_offset *offsets = tool_alloc(&d->arena, 2 * d->body_count, sizeof *offsets);
    mmd_morph morph = {
        .name = "突風", .name_en = "gust", .panel = 4, .kind = MMD_MORPH_IMPULSE, .offsets.impulse = offsets};
    for (uint32_t i = 0; i < d->body_count; i++) {
        const mmd_rigid_body *body = &d->bodies[i];
        if (body->mode == BODY_FOLLOWS || body->group == GROUP_BODY)
            continue;
        offsets[morph.count++] = (mmd_impulse_offset){
            .body = (int32_t)i, .velocity = {4 * body->mass, 1.5f * body->mass, 5 * body->mass}};
        if (strstr(body->name, "帯尾"))
            offsets[morph.count++] =
                (mmd_impulse_offset){.body = (int32_t)i, .local = true, .torque = {0, 0.5f * body->mass, 0}};
    }
    dancer21_add_morph(b, &morph);
}

void dancer21_model(dancer *d, mmd_model *model)
{
    uint32_t scarf;
    dancer21 b = begin(d, model);
    set_qdef(&b);
    color_bow(&b);
    dancer21_rig(&b);
    int32_t scarf_material = dancer21_surfaces(&b, &scarf);
    dancer21_physics(&b, scarf_material, scarf);
    fill_uv_layer(&b, 1, MATERIAL_SKIRT);
    fill_uv_layer(&b, 2, MATERIAL_BOW);
    fill_uv_layer(&b, 3, MATERIAL_HAIR);
    add_uv_morph(&b, 0, MATERIAL_SKIRT, 0, "模様流し", "flowing pattern");
    add_flip(&b);
    add_gust(&b);
    add_uv_morph(&b, 1, MATERIAL_SKIRT, 1, "追加UV2流し", "flowing UV2");
    add_uv_morph(&b, 2, MATERIAL_BOW, 1, "追加UV3流し", "flowing UV3");
    add_uv_morph(&b, 3, MATERIAL_HAIR, 1, "追加UV4流し", "flowing UV4");
}
