/*
 * Converts a model's rigid bodies, joints and soft bodies to a physics scene (docs/mmd.md 5.2 to 5.4). Body
 * and joint i of the scene are body and joint i of the model. Each body has one shape. Equal materials and
 * filters are shared.
 *
 * Objects that cannot be simulated keep their index, disabled and with harmless numbers: the scene of every
 * model passes mmd_physscene_check.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/model.h"

/* ------------------------------------------------------------------ numbers */

typedef struct distinct_key {
    uint32_t word[3];
} distinct_key;

typedef struct distinct {
    uint64_t seed;      /* start of the hash; differs between runs, which does not affect the numbering */
    uint32_t mask;      /* number of slots - 1 */
    uint32_t count;     /* number of distinct keys */
    uint32_t *slots;    /* number of the key + 1, or 0 */
    distinct_key *keys; /* by number */
} distinct;

/*
 * Numbers keys in order of first appearance: open addressing with linear probing in a table that is at least
 * half empty, so time is linear. The hash is seeded with the table's address, so no file can be crafted whose
 * keys all collide.
 */

/* Allocates a table for at most `most` keys. Returns false when out of memory. */
static bool distinct_init(distinct *table, uint32_t most)
{
    assert(table);
    *table = (distinct){0};
    if (most >= UINT32_C(1) << 30)
        return false;
    uint32_t slots = 2;
    while (slots < most * 2)
        slots *= 2;
    table->mask = slots - 1;
    table->slots = mmd_alloc(slots * sizeof *table->slots);
    table->keys = mmd_alloc(most * sizeof *table->keys);
    if (!table->slots || !table->keys)
        return false;
    memset(table->slots, 0, slots * sizeof *table->slots);
    table->seed = (uint64_t)(uintptr_t)table->slots * UINT64_C(0xbf58476d1ce4e5b9);
    return true;
}

static void distinct_finish(distinct *table)
{
    assert(table);
    mmd_free(table->slots);
    mmd_free(table->keys);
    *table = (distinct){0};
}

/* Hashes by multiplication and folding, so that keys that differ in a few bits are spread. */
static uint32_t hash_of(const distinct *table, const distinct_key *key)
{
    uint64_t hash = table->seed;
    for (int i = 0; i < 3; i++) {
        hash = (hash ^ key->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* Returns the number of a key, adding it if it is new. */
static uint32_t distinct_number(distinct *table, distinct_key key)
{
    assert(table);
    uint32_t slot = hash_of(table, &key) & table->mask;
    for (; table->slots[slot]; slot = (slot + 1) & table->mask) {
        uint32_t number = table->slots[slot] - 1;
        if (memcmp(&table->keys[number], &key, sizeof key) == 0)
            return number;
    }
    table->keys[table->count] = key;
    table->slots[slot] = ++table->count;
    return table->count - 1;
}

/* ---------------------------------------------------- what can be simulated */

/* Largest usable number. Squares and products of larger ones (a light minute in MMD's units) overflow. */
#define PHYSICS_NUMBER_MAX MMD_PHYS_MASS_MOST

/*
 * Largest usable length, an eighth of a scene's limit, because frames of joints are differences of positions.
 */
#define PHYSICS_LENGTH_MAX (MMD_PHYS_LENGTH_MOST / 8)

/* Returns whether all numbers are finite and at most `most`, of either sign. */
static inline bool physics_within(const float *numbers, int count, float most)
{
    for (int i = 0; i < count; i++) {
        if (!(fabsf(numbers[i]) <= most))
            return false;
    }
    return true;
}

static inline bool physics_usable(const float *numbers, int count)
{
    return physics_within(numbers, count, PHYSICS_NUMBER_MAX);
}

static inline bool physics_usable_length(const float *numbers, int count)
{
    return physics_within(numbers, count, PHYSICS_LENGTH_MAX);
}

/* Returns the number of the filter for a group and mask. Filters are created from the keys at the end. */
static inline int32_t physics_filter(distinct *filters, uint8_t group, uint16_t mask)
{
    return (int32_t)distinct_number(filters, (distinct_key){{group, mask, 0}});
}

/* -------------------------------------------------------------- soft bodies */

/*
 * Conversion of PMX 2.1's soft bodies (docs/mmd.md 1.1): the triangles of a material, whose vertices at one
 * position are merged into nodes, so that seams of textures or normals do not open. The links of a rope are
 * the edges of the faces; lines are faces A-B-A.
 *
 * A soft body without a usable mesh (its material is missing, empty, not finite or already used by another
 * soft body) keeps its index with no nodes.
 */

/* Working memory for building soft bodies, sized for the largest material. */
typedef struct soft_builder {
    const mmd_model *model;
    mmd_arena *arena;
    bool *used_materials; /* by material */
    uint32_t *corners;    /* the material's corners as nodes */
} soft_builder;

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts numbers, removes duplicates and returns how many are left. */
static uint32_t sort_unique(uint32_t *numbers, uint32_t count)
{
    if (count == 0)
        return 0;
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    uint32_t unique = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (numbers[i] != numbers[i - 1])
            numbers[unique++] = numbers[i];
    }
    return unique;
}

/* Returns the node of a model's vertex, or UINT32_MAX if the soft body does not contain it. */
static uint32_t node_of(const mmd_phys_soft_body *soft, uint32_t vertex)
{
    if (soft->vertex_count == 0)
        return UINT32_MAX;
    const uint32_t *found =
        bsearch(&vertex, soft->vertices, soft->vertex_count, sizeof *soft->vertices, compare_numbers);
    return found ? soft->vertex_node[found - soft->vertices] : UINT32_MAX;
}

/* Lists the vertices of a material in ascending order, each once. */
static bool collect_vertices(soft_builder *builder, const mmd_material *material, mmd_phys_soft_body *soft)
{
    uint32_t *vertices = mmd_arena_alloc(builder->arena, material->index_count, sizeof *vertices);
    if (!vertices)
        return false;
    memcpy(vertices, builder->model->indices + material->first_index,
           material->index_count * sizeof *vertices);
    soft->vertex_count = sort_unique(vertices, material->index_count);
    soft->vertices = vertices;
    return true;
}

static bool finite_vertices(const mmd_model *model, const mmd_phys_soft_body *soft)
{
    for (uint32_t i = 0; i < soft->vertex_count; i++) {
        if (!physics_usable_length(model->vertices.position[soft->vertices[i]], 3))
            return false;
    }
    return true;
}

/* Returns a vertex position as a key for merging. */
static distinct_key position_key(const float position[3])
{
    distinct_key key;
    for (int i = 0; i < 3; i++) {
        float value = position[i] + 0.0f; /* so that -0 and 0 are equal */
        memcpy(&key.word[i], &value, sizeof value);
    }
    return key;
}

/* Merges vertices at one position into nodes. */
static bool weld(soft_builder *builder, mmd_phys_soft_body *soft)
{
    uint32_t *vertex_node = mmd_arena_alloc(builder->arena, soft->vertex_count, sizeof *vertex_node);
    distinct welded = {0};
    bool done = distinct_init(&welded, soft->vertex_count) && vertex_node;
    for (uint32_t i = 0; done && i < soft->vertex_count; i++) {
        const float *position = builder->model->vertices.position[soft->vertices[i]];
        vertex_node[i] = distinct_number(&welded, position_key(position));
    }
    float(*nodes)[3] = done ? mmd_arena_alloc(builder->arena, welded.count, sizeof *nodes) : NULL;
    if (nodes) {
        memcpy(nodes, welded.keys, welded.count * sizeof *nodes);
        soft->nodes = (const float(*)[3])nodes;
        soft->node_count = welded.count;
        soft->vertex_node = vertex_node;
    }
    distinct_finish(&welded);
    return nodes != NULL;
}

/* Adds the triangles of the mesh, without those that merging made degenerate. */
static bool add_triangles(soft_builder *builder, uint32_t corner_count, mmd_phys_soft_body *soft)
{
    uint32_t *indices = mmd_arena_alloc(builder->arena, corner_count, sizeof *indices);
    if (!indices)
        return false;
    for (uint32_t i = 0; i + 2 < corner_count; i += 3) {
        const uint32_t *c = builder->corners + i;
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            continue;
        memcpy(indices + soft->index_count, c, 3 * sizeof *c);
        soft->index_count += 3;
    }
    soft->indices = indices;
    return true;
}

/* Adds the edges of all faces as links, each once, in order of appearance. */
static bool add_links(soft_builder *builder, uint32_t corner_count, mmd_phys_soft_body *soft)
{
    distinct edges = {0};
    bool done = distinct_init(&edges, corner_count);
    for (uint32_t i = 0; done && i + 2 < corner_count; i += 3) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = builder->corners[i + k], b = builder->corners[i + (k + 1) % 3];
            if (a != b)
                distinct_number(&edges, (distinct_key){{a < b ? a : b, a < b ? b : a, 0}});
        }
    }
    uint32_t *indices =
        done ? mmd_arena_alloc(builder->arena, (size_t)edges.count * 2, sizeof *indices) : NULL;
    for (uint32_t i = 0; indices && i < edges.count; i++)
        memcpy(indices + 2 * i, edges.keys[i].word, 2 * sizeof *indices);
    soft->indices = indices;
    soft->index_count = indices ? edges.count * 2 : 0;
    distinct_finish(&edges);
    return indices != NULL;
}

/* Builds the mesh of a soft body. Vertices that are not finite leave it empty. */
static bool add_mesh(soft_builder *builder, const mmd_material *material, mmd_phys_soft_body *soft)
{
    if (!collect_vertices(builder, material, soft))
        return false;
    if (!finite_vertices(builder->model, soft)) {
        soft->vertex_count = 0;
        return true;
    }
    if (!weld(builder, soft))
        return false;
    const uint32_t *indices = builder->model->indices + material->first_index;
    for (uint32_t i = 0; i < material->index_count; i++)
        builder->corners[i] = node_of(soft, indices[i]);
    return soft->shape == 1 ? add_links(builder, material->index_count, soft)
                            : add_triangles(builder, material->index_count, soft);
}

/* Adds the anchors whose node and body exist. */
static bool add_anchors(soft_builder *builder, const mmd_soft_body *from, const mmd_physscene *scene,
                        mmd_phys_soft_body *soft)
{
    mmd_phys_soft_anchor *anchors = mmd_arena_alloc(builder->arena, from->anchor_count, sizeof *anchors);
    if (!anchors)
        return false;
    for (uint32_t i = 0; i < from->anchor_count; i++) {
        const mmd_soft_anchor *anchor = &from->anchors[i];
        uint32_t node = anchor->vertex < 0 ? UINT32_MAX : node_of(soft, (uint32_t)anchor->vertex);
        if (node == UINT32_MAX || anchor->body < 0 || scene->bodies[anchor->body].disabled)
            continue;
        anchors[soft->anchor_count++] =
            (mmd_phys_soft_anchor){.node = node, .body = anchor->body, .near_mode = anchor->near_mode != 0};
    }
    soft->anchors = anchors;
    return true;
}

/* Adds the pinned nodes, each once and in ascending order. */
static bool add_pins(soft_builder *builder, const mmd_soft_body *from, mmd_phys_soft_body *soft)
{
    uint32_t *pins = mmd_arena_alloc(builder->arena, from->pin_count, sizeof *pins);
    if (!pins)
        return false;
    for (uint32_t i = 0; i < from->pin_count; i++) {
        uint32_t node = from->pins[i] < 0 ? UINT32_MAX : node_of(soft, (uint32_t)from->pins[i]);
        if (node != UINT32_MAX)
            pins[soft->pin_count++] = node;
    }
    soft->pin_count = sort_unique(pins, soft->pin_count);
    soft->pins = pins;
    return true;
}

/* Returns whether all numbers of a soft body can be simulated. */
static bool usable_soft_body(const mmd_soft_body *from)
{
    return physics_usable(&from->mass, 1) && physics_usable_length(&from->margin, 1) &&
           physics_usable(from->config, 12) && physics_usable(from->cluster, 6) &&
           physics_usable(from->material_config, 3);
}

static void copy_settings(const mmd_soft_body *from, mmd_phys_soft_body *soft)
{
    soft->flags = from->flags;
    soft->link_distance = from->link_distance;
    soft->cluster_count = from->cluster_count;
    soft->mass = from->mass > 0.0f ? from->mass : 0.0f;
    soft->margin = from->margin > 0.0f ? from->margin : 0.0f;
    soft->aero_model = from->aero_model;
    memcpy(soft->config, from->config, sizeof soft->config);
    memcpy(soft->cluster, from->cluster, sizeof soft->cluster);
    memcpy(soft->iterations, from->iterations, sizeof soft->iterations);
    memcpy(soft->material_config, from->material_config, sizeof soft->material_config);
}

/* Builds a soft body from the material it names, unless another soft body has it. */
static bool make_soft_body(soft_builder *builder, const mmd_soft_body *from, const mmd_physscene *scene,
                           mmd_phys_soft_body *soft)
{
    if (!usable_soft_body(from))
        return true;
    copy_settings(from, soft);
    if (from->material < 0 || builder->used_materials[from->material])
        return true;
    builder->used_materials[from->material] = true;
    return add_mesh(builder, &builder->model->materials[from->material], soft) &&
           add_anchors(builder, from, scene, soft) && add_pins(builder, from, soft);
}

static uint32_t largest_material(const mmd_model *model)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        if (model->materials[i].index_count > most)
            most = model->materials[i].index_count;
    }
    return most;
}

/* Fills the soft bodies of a scene whose bodies are complete. Returns false when out of memory. */
static bool add_soft_bodies(const mmd_model *model, distinct *filters, mmd_physscene *scene)
{
    assert(model && scene);
    if (model->soft_body_count == 0)
        return true;
    soft_builder builder = {.model = model, .arena = &scene->arena};
    builder.used_materials = mmd_alloc(model->material_count * sizeof *builder.used_materials);
    builder.corners = mmd_alloc(largest_material(model) * sizeof *builder.corners);
    bool done = builder.used_materials && builder.corners;
    if (done)
        memset(builder.used_materials, 0, model->material_count * sizeof *builder.used_materials);
    for (uint32_t i = 0; done && i < model->soft_body_count; i++) {
        const mmd_soft_body *from = &model->soft_bodies[i];
        mmd_phys_soft_body *soft = &scene->soft_bodies[i];
        *soft = (mmd_phys_soft_body){.name = from->name, .shape = from->shape};
        soft->filter = physics_filter(filters, from->group, from->mask);
        done = make_soft_body(&builder, from, scene, soft);
    }
    mmd_free(builder.used_materials);
    mmd_free(builder.corners);
    return done;
}

/* ------------------------------------------------ rigid bodies, joints, all */

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float at_least_0(float value)
{
    return value > 0.0f ? value : 0.0f;
}

static const mmd_transform no_transform = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};

/* Returns the rest transform for a position and PMX's angles. */
static mmd_transform rest_of(const float position[3], const float rotation[3])
{
    mmd_transform rest = no_transform;
    memcpy(rest.translation, position, 3 * sizeof(float));
    mmd_rotation_yxz(rotation, rest.rotation);
    return rest;
}

static bool usable_body(const mmd_rigid_body *body)
{
    const float rest[5] = {body->mass, body->linear_damping, body->angular_damping, body->restitution,
                           body->friction};
    return physics_usable_length(body->size, 3) && physics_usable_length(body->position, 3) &&
           physics_usable(body->rotation, 3) && physics_usable(rest, 5);
}

/* Returns the kind of motion for a PMX mode. Without a bone, a body that should follow it is static, and one
 * that should keep its bone's position is dynamic. */
static uint8_t motion_of(const mmd_rigid_body *body)
{
    bool bone = body->bone >= 0;
    switch (body->mode) {
    case 0:
        return bone ? MMD_PHYS_KINEMATIC : MMD_PHYS_STATIC;
    case 2:
        return bone ? MMD_PHYS_DYNAMIC_BONE : MMD_PHYS_DYNAMIC;
    default:
        return MMD_PHYS_DYNAMIC;
    }
}

/* Converts a body without its shape. Unusable ones get harmless numbers. */
static mmd_phys_body make_body(const mmd_rigid_body *body, uint32_t index, bool usable)
{
    mmd_phys_body made = {.name = body->name,
                          .path = "",
                          .motion = motion_of(body),
                          .disabled = !usable,
                          .auto_inertia = true,
                          .rest = no_transform,
                          .bone = body->bone,
                          .inertia_rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                          .gravity_factor = 1.0f,
                          .first_shape = index,
                          .shape_count = 1};
    if (!usable)
        return made;
    made.rest = rest_of(body->position, body->rotation);
    made.mass = at_least_0(body->mass);
    made.linear_damping = body->linear_damping;
    made.angular_damping = body->angular_damping;
    return made;
}

/* Kinds of PMX's shapes by number, and how many of the three sizes they use: docs/mmd.md 5.2. */
static const uint8_t kinds[3] = {MMD_PHYS_SPHERE, MMD_PHYS_BOX, MMD_PHYS_CAPSULE};
static const uint8_t size_counts[3] = {1, 3, 2};

/* Converts the shape. Sizes of zero are allowed: in MMD a sphere without a radius collides like a point. */
static mmd_phys_shape make_shape(const mmd_rigid_body *body, bool usable)
{
    assert(body->shape <= 2);
    mmd_phys_shape made = {.kind = kinds[body->shape],
                           .solid = usable,
                           .frame = no_transform,
                           .mesh = -1,
                           .material = -1,
                           .filter = -1,
                           .name = "",
                           .path = ""};
    for (uint8_t i = 0; usable && i < size_counts[body->shape]; i++)
        made.size[i] = at_least_0(body->size[i]);
    if (made.kind == MMD_PHYS_CAPSULE)
        made.size[2] = made.size[0];
    return made;
}

static void make_bodies(const mmd_model *model, distinct *filters, distinct *materials, mmd_physscene *scene)
{
    for (uint32_t i = 0; i < model->body_count; i++) {
        const mmd_rigid_body *body = &model->bodies[i];
        bool usable = usable_body(body);
        scene->bodies[i] = make_body(body, i, usable);
        scene->shapes[i] = make_shape(body, usable);
        scene->shapes[i].filter = physics_filter(filters, body->group, body->mask);
        if (!usable)
            continue;
        distinct_key key = {{bits_of(body->friction), bits_of(body->restitution), 0}};
        scene->shapes[i].material = (int32_t)distinct_number(materials, key);
    }
}

/* Returns whether a joint connects two different usable bodies and has usable numbers. */
static bool usable_joint(const mmd_joint *joint, const mmd_physscene *scene)
{
    int32_t a = joint->body_a, b = joint->body_b;
    if (a < 0 || b < 0 || a == b || scene->bodies[a].disabled || scene->bodies[b].disabled)
        return false;
    const float *const numbers[8] = {joint->position,      joint->rotation,      joint->linear_lower,
                                     joint->linear_upper,  joint->angular_lower, joint->angular_upper,
                                     joint->linear_spring, joint->angular_spring};
    for (int i = 0; i < 8; i++) {
        if (!physics_usable(numbers[i], 3))
            return false;
    }
    return physics_usable_length(joint->position, 3);
}

static void copy_numbers(const mmd_joint *joint, mmd_pmx_joint *pmx)
{
    memcpy(pmx->linear_lower, joint->linear_lower, sizeof pmx->linear_lower);
    memcpy(pmx->linear_upper, joint->linear_upper, sizeof pmx->linear_upper);
    memcpy(pmx->angular_lower, joint->angular_lower, sizeof pmx->angular_lower);
    memcpy(pmx->angular_upper, joint->angular_upper, sizeof pmx->angular_upper);
    memcpy(pmx->linear_spring, joint->linear_spring, sizeof pmx->linear_spring);
    memcpy(pmx->angular_spring, joint->angular_spring, sizeof pmx->angular_spring);
}

/* Returns a transform relative to a body at rest. */
static mmd_transform seen_from(const mmd_phys_body *body, const mmd_transform *world)
{
    mmd_transform frame;
    mmd_transform_inverse(&body->rest, &frame);
    mmd_transform_multiply(&frame, world, &frame);
    return frame;
}

/* Converts a joint. Its frames are relative to the two bodies at rest. */
static mmd_phys_joint make_joint(const mmd_joint *joint, const mmd_physscene *scene)
{
    mmd_phys_joint made = {.name = joint->name,
                           .path = "",
                           .kind = joint->kind, /* the enum starts with PMX's numbers */
                           .collide = true,     /* only the masks decide */
                           .disabled = !usable_joint(joint, scene),
                           .body_a = joint->body_a,
                           .body_b = joint->body_b,
                           .frame_a = no_transform,
                           .frame_b = no_transform};
    if (made.disabled)
        return made;
    mmd_transform world = rest_of(joint->position, joint->rotation);
    made.frame_a = seen_from(&scene->bodies[joint->body_a], &world);
    made.frame_b = seen_from(&scene->bodies[joint->body_b], &world);
    copy_numbers(joint, &made.pmx);
    return made;
}

/* Creates the filters and materials from their keys. */
static void write_filters(const distinct *table, mmd_phys_filter *filters)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const uint32_t *word = table->keys[i].word;
        filters[i] = (mmd_phys_filter){.group = (uint8_t)word[0], .mask = (uint16_t)word[1]};
    }
}

static void write_materials(const distinct *table, mmd_phys_material *materials)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const uint32_t *word = table->keys[i].word;
        float friction = at_least_0(float_of(word[0]));
        materials[i] = (mmd_phys_material){.static_friction = friction,
                                           .dynamic_friction = friction,
                                           .restitution = at_least_0(float_of(word[1])),
                                           .friction_combine = MMD_COMBINE_MULTIPLY,
                                           .restitution_combine = MMD_COMBINE_MULTIPLY,
                                           .name = ""};
    }
}

static bool allocate(const mmd_model *model, mmd_physscene *scene)
{
    mmd_arena *arena = &scene->arena;
    scene->bodies = mmd_arena_alloc(arena, model->body_count, sizeof *scene->bodies);
    scene->shapes = mmd_arena_alloc(arena, model->body_count, sizeof *scene->shapes);
    scene->joints = mmd_arena_alloc(arena, model->joint_count, sizeof *scene->joints);
    scene->soft_bodies = mmd_arena_alloc(arena, model->soft_body_count, sizeof *scene->soft_bodies);
    scene->body_count = scene->shape_count = model->body_count;
    scene->joint_count = model->joint_count;
    scene->soft_body_count = model->soft_body_count;
    return scene->bodies && scene->shapes && scene->joints && scene->soft_bodies;
}

static bool fill(const mmd_model *model, distinct *filters, distinct *materials, mmd_physscene *scene)
{
    if (!allocate(model, scene))
        return false;
    make_bodies(model, filters, materials, scene);
    for (uint32_t i = 0; i < model->joint_count; i++)
        scene->joints[i] = make_joint(&model->joints[i], scene);
    if (!add_soft_bodies(model, filters, scene))
        return false;
    scene->filters = mmd_arena_alloc(&scene->arena, filters->count, sizeof *scene->filters);
    scene->materials = mmd_arena_alloc(&scene->arena, materials->count, sizeof *scene->materials);
    if (!scene->filters || !scene->materials)
        return false;
    scene->filter_count = filters->count;
    scene->material_count = materials->count;
    write_filters(filters, scene->filters);
    write_materials(materials, scene->materials);
    return true;
}

mmd_status mmd_model_physscene(const mmd_model *model, mmd_physscene *scene, mmd_error *error)
{
    assert(model && scene);
    if (model->physscene) {
        *scene = *model->physscene;
        scene->arena = (mmd_arena){0};
        return MMD_OK;
    }
    *scene = (mmd_physscene){.world = mmd_default_phys_world()};
    distinct filters = {0}, materials = {0};
    bool done = distinct_init(&filters, model->body_count + model->soft_body_count) &&
                distinct_init(&materials, model->body_count) && fill(model, &filters, &materials, scene);
    distinct_finish(&filters);
    distinct_finish(&materials);
    if (done)
        return MMD_OK;
    mmd_physscene_destroy(scene);
    return mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET,
                         "no memory for %u bodies and %u joints", model->body_count, model->joint_count);
}
