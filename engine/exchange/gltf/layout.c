/*
 * Decides which node of a glTF represents what (see the head of writer.h): for a new file, and for one that
 * is extended.
 */
#include <assert.h>
#include <string.h>

#include "reader.h"
#include "writer.h"

/* ------------------------------------------------------------- both kinds */

/* Allocates a list of count indices, filled with -1. */
static int32_t *new_index_list(gltf_builder *builder, uint32_t count)
{
    int32_t *list = mmd_alloc((count + (size_t)1) * sizeof *list);
    builder->failed = builder->failed || !list;
    for (uint32_t i = 0; list && i < count; i++)
        list[i] = -1;
    return list;
}

static uint32_t bone_count(const gltf_builder *builder)
{
    return builder->job->model ? builder->job->model->bone_count : 0;
}

/* Allocates the maps from bones, bodies and joints to nodes. */
static void make_maps(gltf_builder *builder)
{
    const mmd_physscene *scene = builder->job->scene;
    builder->node_of_bone = new_index_list(builder, bone_count(builder));
    builder->node_of_body = new_index_list(builder, scene->body_count);
    builder->node_of_joint = new_index_list(builder, scene->joint_count);
}

/*
 * Writes asset. The previous generator is stored in extras, because `generator` tells readers whose
 * conventions to expect.
 */
static void put_asset(gltf_builder *builder)
{
    static const char ours[] = "odori " ODORI_VERSION;
    json_t *asset = gltf_object(builder, builder->root, "asset");
    json_t *before = json_object_get(asset, "generator");
    const char *text = json_string_value(before);
    if (text && strncmp(text, "odori", 5) != 0)
        gltf_put(builder, gltf_object(builder, asset, "extras"), "generator", json_incref(before));
    gltf_put(builder, asset, "version", json_string("2.0"));
    gltf_put(builder, asset, "generator", json_string(ours));
}

/* ------------------------------------------------------------- a new file */

/* The nodes of a new file before they are written: bones, the root, bodies. */
typedef struct new_nodes {
    uint32_t count, root;
    int32_t *parents;
    mmd_transform *transforms;
    const char **names;
    int32_t *carrier;   /* of bones: node of the body that moves the bone; -1: none */
    int32_t *uncarried; /* of bones and the root: nearest node at or above that no body moves */
} new_nodes;

static bool nodes_init(gltf_builder *builder, new_nodes *nodes)
{
    uint32_t bones = bone_count(builder), room = bones + 1 + builder->job->scene->body_count;
    nodes->count = bones + 1;
    nodes->root = bones;
    nodes->parents = new_index_list(builder, room);
    nodes->carrier = new_index_list(builder, bones);
    nodes->uncarried = new_index_list(builder, bones + 1);
    nodes->transforms = mmd_alloc(room * sizeof *nodes->transforms);
    nodes->names = mmd_alloc(room * sizeof *nodes->names);
    builder->failed = builder->failed || !nodes->transforms || !nodes->names;
    return !builder->failed;
}

static void nodes_finish(new_nodes *nodes)
{
    mmd_free(nodes->parents);
    mmd_free(nodes->transforms);
    mmd_free(nodes->names);
    mmd_free(nodes->carrier);
    mmd_free(nodes->uncarried);
}

/* Returns whether physics moves a body. */
static bool moves_by_itself(const mmd_phys_body *body)
{
    return body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
}

/* Returns whether a body has a bone of the model. */
static bool has_bone(const gltf_builder *builder, const mmd_phys_body *body)
{
    return body->bone >= 0 && (uint32_t)body->bone < bone_count(builder);
}

/* Returns whether the bodies are the bones, as in a Ragdoll. */
static bool bodies_are_bones(const gltf_builder *builder)
{
    return builder->job->model && builder->job->model->origin == MMD_ORIGIN_RAGDOLL;
}

/* Lists the nodes of bones and the root. */
static void list_bones(gltf_builder *builder, new_nodes *nodes)
{
    const mmd_model *model = builder->job->model;
    for (uint32_t i = 0; i < nodes->root; i++) {
        const mmd_bone *bone = &model->bones[i];
        builder->node_of_bone[i] = (int32_t)i;
        nodes->parents[i] = bone->parent >= 0 ? bone->parent : (int32_t)nodes->root;
        nodes->names[i] = bone->name;
        nodes->transforms[i] = (mmd_transform){.rotation = {0, 0, 0, 1}};
        memcpy(nodes->transforms[i].translation, bone->position, sizeof bone->position);
    }
    nodes->parents[nodes->root] = -1;
    nodes->names[nodes->root] = model && model->name[0] ? model->name : "root";
    nodes->transforms[nodes->root] = (mmd_transform){.rotation = {0, 0, 0, 1}};
}

/* Lists the node of a body. Its parent is the bone (kinematic), the bone's parent (dynamic) or the root. */
static void list_body(gltf_builder *builder, new_nodes *nodes, uint32_t number)
{
    const mmd_phys_body *body = &builder->job->scene->bodies[number];
    uint32_t node = nodes->count++;
    bool carried = has_bone(builder, body);
    int32_t parent = (int32_t)nodes->root;
    if (carried && moves_by_itself(body)) {
        int32_t above = builder->job->model->bones[body->bone].parent;
        parent = above >= 0 ? above : parent;
        if (nodes->carrier[body->bone] < 0)
            nodes->carrier[body->bone] = (int32_t)node;
    } else if (carried && body->motion == MMD_PHYS_KINEMATIC) {
        parent = body->bone;
    }
    builder->node_of_body[number] = (int32_t)node;
    nodes->parents[node] = parent;
    nodes->names[node] = body->name;
    nodes->transforms[node] = body->rest;
}

/*
 * Finds for each bone the nearest node at or above it that no body moves; nodes of bodies are attached there.
 */
static void find_uncarried(gltf_builder *builder, new_nodes *nodes)
{
    uint32_t *chain = mmd_alloc((nodes->root + (size_t)1) * sizeof *chain);
    builder->failed = builder->failed || !chain;
    nodes->uncarried[nodes->root] = (int32_t)nodes->root;
    for (uint32_t i = 0; i < nodes->root && chain; i++) {
        uint32_t depth = 0;
        int32_t at = (int32_t)i;
        for (; nodes->uncarried[at] < 0; at = nodes->parents[at])
            chain[depth++] = (uint32_t)at;
        for (; depth > 0; at = (int32_t)chain[depth]) {
            uint32_t bone = chain[--depth];
            bool is_uncarried = nodes->uncarried[at] == at && nodes->carrier[bone] < 0;
            nodes->uncarried[bone] = is_uncarried ? (int32_t)bone : nodes->uncarried[at];
        }
    }
    mmd_free(chain);
}

/* Lists the nodes of all bodies. */
static void list_bodies(gltf_builder *builder, new_nodes *nodes)
{
    const mmd_physscene *scene = builder->job->scene;
    bool are_bones = bodies_are_bones(builder);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        int32_t bone = scene->bodies[i].bone;
        if (!are_bones || !has_bone(builder, &scene->bodies[i])) {
            list_body(builder, nodes, i);
            continue;
        }
        builder->node_of_body[i] = nodes->carrier[bone] = bone;
        nodes->transforms[bone] = scene->bodies[i].rest;
    }
    find_uncarried(builder, nodes);
}

/*
 * Sets the final parents: bones go below the body that moves them, nodes of bodies beside the bodies they
 * would be below, which carriedBy records.
 */
static void set_final_parents(gltf_builder *builder, new_nodes *nodes)
{
    for (uint32_t i = 0; i < nodes->count && !builder->failed; i++) {
        bool is_body = i > nodes->root || (i < nodes->root && nodes->carrier[i] == (int32_t)i);
        int32_t parent = nodes->parents[i];
        if (is_body && nodes->uncarried[parent] != parent) {
            json_t *record = gltf_object(
                builder, gltf_object(builder, gltf_node_json(builder, (int32_t)i), "extras"), "mmd");
            json_t *name = json_object_get(gltf_node_json(builder, parent), "name");
            if (name)
                gltf_put(builder, record, "carriedBy", json_incref(name));
            nodes->parents[i] = nodes->uncarried[parent];
        }
    }
    for (uint32_t i = 0; i < nodes->root && !builder->failed; i++)
        if (nodes->carrier[i] > (int32_t)nodes->root)
            nodes->parents[i] = nodes->carrier[i];
}

/*
 * Reports kinematic bodies whose node does not follow their bone in other programs, because another body
 * moves the bone.
 */
static void report_parted(gltf_builder *builder, const new_nodes *nodes)
{
    const mmd_physscene *scene = builder->job->scene;
    for (uint32_t i = 0; i < scene->body_count && !builder->failed; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        bool follows = body->motion == MMD_PHYS_KINEMATIC && has_bone(builder, body);
        if (follows && nodes->uncarried[body->bone] != body->bone &&
            builder->node_of_body[i] > (int32_t)nodes->root)
            gltf_loss(builder, MMD_LOSS_APPROXIMATED, "body.parted", "body", i, body->name, "parent",
                      nodes->names[body->bone], nodes->names[nodes->uncarried[body->bone]]);
    }
}

/* Writes the transforms of a node and of its ancestors that have none yet, from the top down. */
static void place_chain(gltf_builder *builder, const new_nodes *nodes, uint32_t node, bool *placed,
                        uint32_t *chain)
{
    uint32_t depth = 0;
    for (int32_t at = (int32_t)node; at >= 0 && !placed[at]; at = nodes->parents[at])
        chain[depth++] = (uint32_t)at;
    while (depth-- > 0) {
        uint32_t at = chain[depth];
        gltf_set_node(builder, (int32_t)at, nodes->parents[at], &nodes->transforms[at]);
        placed[at] = true;
    }
}

/* Writes the listed nodes. */
static void place_nodes(gltf_builder *builder, new_nodes *nodes)
{
    bool *placed = mmd_alloc(nodes->count * sizeof *placed);
    uint32_t *chain = mmd_alloc(nodes->count * sizeof *chain);
    builder->failed = builder->failed || !placed || !chain;
    for (uint32_t i = 0; !builder->failed && i < nodes->count; i++) {
        placed[i] = false;
        gltf_name_node(builder, gltf_new_node(builder), nodes->names[i], i > nodes->root ? "body" : NULL);
    }
    set_final_parents(builder, nodes);
    for (uint32_t i = 0; !builder->failed && i < nodes->count; i++)
        place_chain(builder, nodes, i, placed, chain);
    mmd_free(placed);
    mmd_free(chain);
}

/* Writes scene and nodes of a new file. */
static void lay_out_new(gltf_builder *builder)
{
    const mmd_model *model = builder->job->model;
    new_nodes nodes = {0};
    gltf_put(builder, builder->root, "scene", json_integer(0));
    gltf_append(builder, "scenes", json_object());
    if (model && model->name[0] && !builder->failed)
        gltf_put(builder, json_array_get(json_object_get(builder->root, "scenes"), 0), "name",
                 json_text(model->name));
    if (nodes_init(builder, &nodes)) {
        list_bones(builder, &nodes);
        list_bodies(builder, &nodes);
        place_nodes(builder, &nodes);
        report_parted(builder, &nodes);
    }
    nodes_finish(&nodes);
}

/* ------------------------------------------------- extending a document */

/* Copies the transforms that the reader computed. */
static bool copy_transforms(gltf_builder *builder, const gltf_scene *scene)
{
    uint32_t count = scene->file->node_count;
    builder->transforms = mmd_alloc((count + (size_t)1) * sizeof *builder->transforms);
    if (!builder->transforms)
        return false;
    builder->node_count = count;
    builder->node_room = count + 1;
    for (uint32_t i = 0; i < count; i++) {
        const gltf_node *node = &scene->file->nodes[i];
        gltf_transform *transform = &builder->transforms[i];
        transform->parent = node->parent;
        memcpy(transform->world, node->world, sizeof transform->world);
        memcpy(transform->turn, scene->turns[i], sizeof transform->turn);
        memcpy(transform->scale, node->scale, sizeof transform->scale);
    }
    return true;
}

/* Computes the transforms of existing nodes by running the reader. */
static void read_transforms(gltf_builder *builder)
{
    mmd_arena arena = {0};
    mmd_model model = {0};
    gltf_file file = {.reader = {.root = builder->root, .arena = &arena}};
    gltf_scene scene = {.file = &file, .model = &model};
    file.root = json_ref_root(&file.reader);
    builder->failed =
        builder->failed || gltf_read_nodes(&scene) != MMD_OK || !copy_transforms(builder, &scene);
    mmd_arena_finish(&model.arena);
    mmd_arena_finish(&arena);
}

/* Maps bodies of the scene to the nodes of the same bodies in base. */
static void map_bodies(gltf_builder *builder)
{
    const write_job *job = builder->job;
    const mmd_exchange *base = builder->base;
    uint32_t known = base->physscene ? base->physscene->body_count : 0;
    for (uint32_t i = 0; i < known; i++) {
        bool same = !builder->read;
        int32_t body = same ? (int32_t)i : i < job->kept->body_count ? job->kept->bodies[i] : -1;
        if (body >= 0 && (uint32_t)body < job->scene->body_count)
            builder->node_of_body[body] = base->bodies[i].node;
    }
}

/*
 * Maps bones to nodes. If base was a kept source, its bones are not the model's, so bones map to the nodes of
 * their bodies.
 */
static void map_bones(gltf_builder *builder)
{
    const mmd_physscene *scene = builder->job->scene;
    if (!builder->read) {
        for (uint32_t i = 0; i < bone_count(builder); i++)
            builder->node_of_bone[i] = i < builder->node_count ? (int32_t)i : -1;
        return;
    }
    for (uint32_t i = 0; i < scene->body_count; i++)
        if (has_bone(builder, &scene->bodies[i]))
            builder->node_of_bone[scene->bodies[i].bone] = builder->node_of_body[i];
}

/*
 * Adds nodes for bodies that base does not have, and for those that share a node with an earlier body. The
 * latter are placed beside the topmost body that they would be below.
 */
static void add_bodies(gltf_builder *builder)
{
    enum { OF_BODY = 1, TAKEN = 2 };
    const mmd_physscene *scene = builder->job->scene;
    uint32_t count = builder->node_count;
    uint8_t *marks = mmd_alloc(count + (size_t)1);
    builder->failed = builder->failed || !marks;
    if (marks)
        memset(marks, 0, count);
    for (uint32_t i = 0; i < scene->body_count && marks; i++)
        if (builder->node_of_body[i] >= 0 && (uint32_t)builder->node_of_body[i] < count)
            marks[builder->node_of_body[i]] = OF_BODY;
    for (uint32_t i = 0; i < scene->body_count && !builder->failed; i++) {
        int32_t node = builder->node_of_body[i];
        bool known = node >= 0 && (uint32_t)node < count;
        if (known && !(marks[node] & TAKEN)) {
            marks[node] |= TAKEN;
            continue;
        }
        int32_t parent = known ? node : -1;
        for (int32_t at = parent; at >= 0; at = builder->transforms[at].parent)
            parent = marks[at] ? builder->transforms[at].parent : parent;
        builder->node_of_body[i] =
            gltf_add_node(builder, scene->bodies[i].name, "body", parent, &scene->bodies[i].rest);
    }
    mmd_free(marks);
}

/* Extends an existing document. */
static void extend_base(gltf_builder *builder)
{
    read_transforms(builder);
    if (builder->failed)
        return;
    builder->buffer = builder->base->kept->buffer_count;
    map_bodies(builder);
    add_bodies(builder);
    map_bones(builder);
}

void gltf_write_layout(gltf_builder *builder)
{
    assert(builder);
    builder->root = builder->base ? json_deep_copy(builder->base->kept->root) : json_object();
    builder->failed = builder->failed || !builder->root;
    make_maps(builder);
    if (builder->failed)
        return;
    put_asset(builder);
    if (builder->base)
        extend_base(builder);
    else
        lay_out_new(builder);
}
