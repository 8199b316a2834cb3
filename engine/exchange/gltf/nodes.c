/*
 * Reads nodes of a glTF as bones (glTF 2.0, 3.5): hierarchy, rest transforms, and their split into rotation
 * and scale.
 *
 * A node's world rotation is the product of the rotations from its root (with mirrors applied), not the
 * rotation part of the product of the matrices. Both are equal without shear. With shear this one stays
 * correct for animation, which changes one rotation on the path. A local matrix is split by polar
 * decomposition (Higham, "Computing the polar decomposition", 1986).
 *
 * Nothing is recursive: chains may be as long as the file allows.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "reader.h"

enum { PATH_BYTES_MAX = 1024 };

/* The forest of nodes. order: parents before children. */
typedef struct node_order {
    uint32_t *order, *depth;
    int32_t *first_child, *next_sibling;
} node_order;

/* ------------------------------------------------------------- hierarchy */

/* Makes a node the child of another; fails when it has a parent already. */
static mmd_status add_child(gltf_file *file, const json_ref *children, size_t child, uint32_t parent,
                            node_order *forest)
{
    json_ref ref = json_ref_element(children, child);
    json_int_t number = json_integer_value(ref.value);
    if (!json_is_integer(ref.value) || number < 0 || number >= (json_int_t)file->node_count)
        return json_ref_fail(&file->reader, &ref, MMD_ERROR_INDEX, "a child is not one of %u nodes",
                             file->node_count);
    gltf_node *node = &file->nodes[number];
    if (node->parent >= 0)
        return json_ref_fail(&file->reader, &ref, MMD_ERROR_VALUE, "node %d has two parents, %d and %u",
                             (int)number, node->parent, parent);
    node->parent = (int32_t)parent;
    forest->next_sibling[number] = forest->first_child[parent];
    forest->first_child[parent] = (int32_t)number;
    return MMD_OK;
}

/* Reads the children of all nodes. */
static mmd_status read_children(gltf_file *file, const json_ref *nodes, node_order *forest)
{
    for (uint32_t i = 0; i < file->node_count; i++) {
        file->nodes[i].parent = forest->first_child[i] = forest->next_sibling[i] = -1;
    }
    for (uint32_t i = 0; i < file->node_count && json_reader_ok(&file->reader); i++) {
        json_ref node, children = {0};
        gltf_element(file, nodes, i, &node);
        json_read_kind(&file->reader, &node, "children", JSON_ARRAY, &children);
        for (size_t k = json_ref_count(&children); k-- > 0 && json_reader_ok(&file->reader);)
            add_child(file, &children, k, i, forest);
    }
    return file->reader.status;
}

/* Sorts nodes breadth-first. Fails for cycles, whose nodes are never reached. */
static mmd_status sort_nodes(gltf_file *file, const json_ref *nodes, node_order *forest)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->node_count; i++)
        if (file->nodes[i].parent < 0)
            forest->order[count++] = i;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t node = forest->order[at];
        for (int32_t child = forest->first_child[node]; child >= 0; child = forest->next_sibling[child]) {
            forest->depth[child] = forest->depth[node] + 1;
            forest->order[count++] = (uint32_t)child;
        }
    }
    for (uint32_t at = 0; at < count; at++)
        forest->next_sibling[forest->order[at]] = -2; /* reached */
    for (uint32_t i = 0; i < file->node_count; i++)
        if (forest->next_sibling[i] != -2) {
            json_ref ref = json_ref_element(nodes, i);
            return json_ref_fail(&file->reader, &ref, MMD_ERROR_VALUE, "node %u is its own ancestor", i);
        }
    return MMD_OK;
}

/* Marks the nodes of the file's scene; all nodes when it has no scenes. */
static mmd_status mark_scene(gltf_file *file, const node_order *forest)
{
    json_ref scenes, scene, roots = {0};
    int32_t number;
    gltf_list(file, "scenes", &scenes);
    size_t count = json_ref_count(&scenes);
    json_read_index(&file->reader, &file->root, "scene", count, &number);
    if (json_reader_ok(&file->reader) && count > 0)
        gltf_element(file, &scenes, number < 0 ? 0 : (size_t)number, &scene);
    if (json_reader_ok(&file->reader) && count > 0)
        json_read_kind(&file->reader, &scene, "nodes", JSON_ARRAY, &roots);
    for (size_t i = 0; i < json_ref_count(&roots) && json_reader_ok(&file->reader); i++) {
        json_ref ref = json_ref_element(&roots, i);
        json_int_t node = json_integer_value(ref.value);
        if (!json_is_integer(ref.value) || node < 0 || node >= (json_int_t)file->node_count)
            json_ref_fail(&file->reader, &ref, MMD_ERROR_INDEX, "not the index of one of %u nodes",
                          file->node_count);
        else
            file->nodes[node].in_scene = true;
    }
    for (uint32_t at = 0; at < file->node_count && json_reader_ok(&file->reader); at++) {
        gltf_node *node = &file->nodes[forest->order[at]];
        node->in_scene =
            node->in_scene || count == 0 || (node->parent >= 0 && file->nodes[node->parent].in_scene);
    }
    return file->reader.status;
}

/* ----------------------------------------------------------------- names */

/* Sets the name and the path of a node. */
static mmd_status name_node(gltf_file *file, const json_ref *ref, uint32_t index)
{
    gltf_node *node = &file->nodes[index];
    char part[32], path[PATH_BYTES_MAX];
    json_read_text(&file->reader, ref, "name", &node->name);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    const char *item;
    size_t item_length = gltf_item_name(ref->value, &item);
    if (strlen(node->name) != item_length || strncmp(node->name, item, item_length) != 0)
        node->name = mmd_arena_text(file->reader.arena, item, item_length);
    if (!node->name)
        return json_ref_fail(&file->reader, ref, MMD_ERROR_MEMORY, "no memory for a name");
    snprintf(part, sizeof part, "#%u", index);
    const char *own = node->name[0] ? node->name : part;
    const char *above = node->parent >= 0 ? file->nodes[node->parent].path : "";
    size_t length = strlen(own), before = strlen(above);
    if (length >= PATH_BYTES_MAX - 8) { /* never cut inside a character */
        own = part;
        length = strlen(own);
    }
    if (before + length + 2 > PATH_BYTES_MAX) {
        above = "\xE2\x80\xA6";
        before = 3;
    }
    snprintf(path, sizeof path, "%s%s%s", above, before ? "/" : "", own);
    node->path = mmd_arena_text(file->reader.arena, path, strlen(path));
    return node->path ? MMD_OK
                      : json_ref_fail(&file->reader, ref, MMD_ERROR_LIMIT, "no memory for the nodes' names");
}

/* ----------------------------------------------------- turns and mirrors */

void gltf_rotation_multiply(const double a[4], const double b[4], double out[4])
{
    assert(out);
    double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

/*
 * Computes S R S for a rotation R and a diagonal matrix S of signs. The axis of a rotation is a pseudovector.
 */
void gltf_mirror_rotation(const float scale[3], const double turn[4], double out[4])
{
    assert(turn && out);
    double sign[3];
    for (int k = 0; k < 3; k++)
        sign[k] = scale[k] < 0 ? -1 : 1;
    double mirror = sign[0] * sign[1] * sign[2];
    for (int k = 0; k < 3; k++)
        out[k] = mirror * sign[k] * turn[k];
    out[3] = turn[3];
}

static void turn_normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] = length > 0 ? q[k] / length : k == 3;
}

/* Computes the columns of the rotation matrix. */
static void turn_matrix(const double q[4], double m[3][3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double columns[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                                  {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                                  {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(m, columns, sizeof columns);
}

/* Computes the quaternion of a rotation given by its columns (Shepperd, 1978). */
static void matrix_turn(double m[3][3], double q[4])
{
    double trace = m[0][0] + m[1][1] + m[2][2];
    int big = trace > 0 ? 3 : m[0][0] > m[1][1] ? (m[0][0] > m[2][2] ? 0 : 2) : (m[1][1] > m[2][2] ? 1 : 2);
    if (big == 3) {
        q[0] = m[1][2] - m[2][1];
        q[1] = m[2][0] - m[0][2];
        q[2] = m[0][1] - m[1][0];
        q[3] = 1 + trace;
    } else {
        int a = (big + 1) % 3, b = (big + 2) % 3;
        q[big] = 1 + m[big][big] - m[a][a] - m[b][b];
        q[a] = m[a][big] + m[big][a];
        q[b] = m[b][big] + m[big][b];
        q[3] = m[a][b] - m[b][a];
    }
    turn_normalize(q);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/*
 * Computes the rotation nearest to a matrix with unit columns, by Newton's iteration for the polar
 * decomposition. A mirror is removed along X.
 */
static void nearest_turn(double m[3][3], double q[4])
{
    for (int step = 0; step < 32; step++) {
        double adjugate[3][3]; /* columns of the cofactor matrix: determinant times inverse transposed */
        cross(m[1], m[2], adjugate[0]);
        cross(m[2], m[0], adjugate[1]);
        cross(m[0], m[1], adjugate[2]);
        double determinant = dot(m[0], adjugate[0]), change = 0;
        if (!(fabs(determinant) > 1e-12))
            break;
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++) {
                double next = 0.5 * (m[c][r] + adjugate[c][r] / determinant);
                change = mmd_max(change, fabs(next - m[c][r]));
                m[c][r] = next;
            }
        if (change < 1e-15)
            break;
    }
    double third[3];
    cross(m[1], m[2], third);
    for (int r = 0; r < 3; r++)
        m[0][r] = third[r];
    matrix_turn(m, q);
}

/* ------------------------------------------------------------ transforms */

/* Splits a local matrix into rotation and scale. */
static void split_matrix(const float local[16], double turn[4], float scale[3])
{
    double m[3][3], unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool flat = false;
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            m[c][r] = (double)local[c * 4 + r];
        double length = sqrt(dot(m[c], m[c]));
        flat = flat || !(length > 0);
        for (int r = 0; r < 3; r++)
            unit[c][r] = length > 0 ? m[c][r] / length : unit[c][r];
    }
    if (flat)
        memcpy(turn, (const double[4]){0, 0, 0, 1}, 4 * sizeof *turn);
    else
        nearest_turn(unit, turn);
    double axes[3][3];
    turn_matrix(turn, axes);
    for (int c = 0; c < 3; c++)
        scale[c] = (float)dot(axes[c], m[c]);
}

void gltf_compose(const float move[3], const double turn[4], const float scale[3], float local[16])
{
    assert(local);
    double axes[3][3];
    turn_matrix(turn, axes);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            local[c * 4 + r] = (float)(axes[c][r] * (double)scale[c]);
        local[c * 4 + 3] = 0;
        local[12 + c] = move[c];
    }
    local[15] = 1;
}

/*
 * Replaces a rest scale that is almost zero by the node's largest animated scale. Vertices baked at scale
 * zero could not grow again; instead they are large and the keys shrink them.
 */
static void enlarge_tiny_scale(gltf_scene *scene, const json_ref *ref, uint32_t index)
{
    float *scale = scene->local_scales[index];
    const float *largest = scene->largest_scales[index];
    bool grown = false;
    for (int k = 0; k < 3; k++)
        if (fabsf(scale[k]) < 0.01F * fabsf(largest[k])) {
            scale[k] = largest[k];
            grown = true;
        }
    if (grown)
        losses_add_at(&scene->file->document->losses, MMD_LOSS_INFO, MMD_EXCHANGE_GLTF,
                      "animation.scale_at_rest", ref, "scale", "");
}

/* Reads the local transform: a matrix, or translation, rotation and scale. */
static mmd_status read_local(gltf_scene *scene, const json_ref *ref, uint32_t index)
{
    gltf_file *file = scene->file;
    json_reader *reader = &file->reader;
    gltf_node *node = &file->nodes[index];
    float *move = scene->local_moves[index], *scale = scene->local_scales[index], turn[4];
    if (json_object_get(ref->value, "matrix")) {
        json_read_floats(reader, ref, "matrix", 16, NULL, node->local);
        if (!json_reader_ok(reader))
            return reader->status;
        split_matrix(node->local, scene->local_turns[index], scale);
        memcpy(move, node->local + 12, 3 * sizeof *move);
        return MMD_OK;
    }
    json_read_floats(reader, ref, "translation", 3, (const float[3]){0, 0, 0}, move);
    json_read_floats(reader, ref, "rotation", 4, (const float[4]){0, 0, 0, 1}, turn);
    json_read_floats(reader, ref, "scale", 3, (const float[3]){1, 1, 1}, scale);
    if (!json_reader_ok(reader))
        return reader->status;
    enlarge_tiny_scale(scene, ref, index);
    for (int k = 0; k < 4; k++)
        scene->local_turns[index][k] = (double)turn[k];
    turn_normalize(scene->local_turns[index]);
    gltf_compose(move, scene->local_turns[index], scale, node->local);
    return MMD_OK;
}

void gltf_multiply(const float a[16], const float b[16], float out[16])
{
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 3; r++) {
            double sum = c == 3 ? (double)a[12 + r] : 0;
            for (int k = 0; k < 3; k++)
                sum += (double)a[k * 4 + r] * (double)b[c * 4 + k];
            out[c * 4 + r] = (float)sum;
        }
        out[c * 4 + 3] = c == 3;
    }
}

bool gltf_extract_scale(const float world[16], const double turn[4], float scale[3])
{
    double axes[3][3], worst = 0, size = 0;
    turn_matrix(turn, axes);
    for (int c = 0; c < 3; c++) {
        const double column[3] = {(double)world[c * 4], (double)world[c * 4 + 1], (double)world[c * 4 + 2]};
        for (int k = 0; k < 3; k++) {
            double part = dot(axes[k], column);
            size = mmd_max(size, fabs(part));
            if (k == c)
                scale[c] = (float)part;
            else
                worst = mmd_max(worst, fabs(part));
        }
    }
    return worst > 1e-4 * size;
}

/* Computes a node's world matrix and its rest transform from its parent's. */
static mmd_status compute_world(gltf_scene *scene, const json_ref *ref, uint32_t index)
{
    gltf_file *file = scene->file;
    gltf_node *node = &file->nodes[index];
    const gltf_node *parent = node->parent >= 0 ? &file->nodes[node->parent] : NULL;
    double *turn = scene->turns[index];
    memcpy(turn, scene->local_turns[index], 4 * sizeof *turn);
    memcpy(node->world, node->local, sizeof node->world);
    if (parent) {
        gltf_multiply(parent->world, node->local, node->world);
        gltf_mirror_rotation(parent->scale, turn, turn);
        gltf_rotation_multiply(scene->turns[node->parent], turn, turn);
        turn_normalize(turn);
    }
    node->world[15] = 1;
    for (int k = 0; k < 15; k++)
        if (!(fabsf(node->world[k]) < 1e30F))
            return json_ref_fail(&file->reader, ref, MMD_ERROR_VALUE, "its position or size is too large");
    node->sheared = gltf_extract_scale(node->world, turn, node->scale);
    mmd_transform rest = {{(float)turn[0], (float)turn[1], (float)turn[2], (float)turn[3]},
                          {node->world[12], node->world[13], node->world[14], 0}};
    mmd_exchange_from_file(MMD_EXCHANGE_GLTF, &rest, &node->rest);
    return MMD_OK;
}

/* ----------------------------------------------------------------- bones */

/* Makes the bone of a node; its layer is its depth. */
static void make_bone(gltf_scene *scene, uint32_t index, uint32_t depth)
{
    const gltf_node *node = &scene->file->nodes[index];
    mmd_bone *bone = &scene->model->bones[index];
    const char *slash = strrchr(node->path, '/');
    *bone = (mmd_bone){
        .name = node->name[0] ? node->name
                : slash       ? slash + 1
                              : node->path,
        .name_en = "",
        .parent = node->parent,
        .layer = (int32_t)depth,
        .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE,
        .tail_bone = -1,
        .append_source = -1,
        .ik_target = -1,
    };
    memcpy(bone->position, node->rest.translation, sizeof bone->position);
}

/* Reads a node; its parent has been read. */
static mmd_status read_node(gltf_scene *scene, const json_ref *nodes, uint32_t index)
{
    gltf_file *file = scene->file;
    json_ref ref = json_ref_element(nodes, index), meshes, skins;
    gltf_node *node = &file->nodes[index];
    name_node(file, &ref, index);
    gltf_list(file, "meshes", &meshes);
    gltf_list(file, "skins", &skins);
    json_read_index(&file->reader, &ref, "mesh", json_ref_count(&meshes), &node->mesh);
    json_read_index(&file->reader, &ref, "skin", json_ref_count(&skins), &node->skin);
    read_local(scene, &ref, index);
    return json_reader_ok(&file->reader) ? compute_world(scene, &ref, index) : file->reader.status;
}

/* Allocates the arrays that have one element per node. */
static mmd_status allocate_nodes(gltf_scene *scene, const json_ref *nodes, node_order *forest)
{
    gltf_file *file = scene->file;
    size_t n = file->node_count;
    const struct {
        void *out;
        size_t size;
        mmd_arena *arena;
    } arrays[] = {{&file->nodes, sizeof *file->nodes, file->reader.arena},
                  {&forest->order, sizeof *forest->order, file->reader.arena},
                  {&forest->depth, sizeof *forest->depth, file->reader.arena},
                  {&forest->first_child, sizeof *forest->first_child, file->reader.arena},
                  {&forest->next_sibling, sizeof *forest->next_sibling, file->reader.arena},
                  {&scene->turns, sizeof *scene->turns, file->reader.arena},
                  {&scene->local_turns, sizeof *scene->local_turns, file->reader.arena},
                  {&scene->local_moves, sizeof *scene->local_moves, file->reader.arena},
                  {&scene->local_scales, sizeof *scene->local_scales, file->reader.arena},
                  {&scene->largest_scales, sizeof *scene->largest_scales, file->reader.arena},
                  {&scene->morphs, sizeof *scene->morphs, file->reader.arena},
                  {&scene->model->bones, sizeof *scene->model->bones, &scene->model->arena}};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && json_reader_ok(&file->reader); i++)
        gltf_alloc(file, nodes, arrays[i].arena, n, arrays[i].size, arrays[i].out);
    return file->reader.status;
}

/*
 * Stores the nodes' rest rotations in the model, which bones lack, for users who scale nodes. Left out when
 * no node is rotated.
 */
static mmd_status store_rotations(gltf_scene *scene, const json_ref *nodes)
{
    gltf_file *file = scene->file;
    bool any = false;
    for (uint32_t i = 0; i < file->node_count; i++)
        for (int k = 0; k < 3; k++)
            any |= fabsf(file->nodes[i].rest.rotation[k]) > 1e-6F;
    if (!any)
        return MMD_OK;
    mmd_model *model = scene->model;
    gltf_alloc(file, nodes, &model->arena, file->node_count, sizeof *model->node_rotations,
               &model->node_rotations);
    for (uint32_t i = 0; i < file->node_count && json_reader_ok(&file->reader); i++)
        for (int k = 0; k < 4; k++)
            model->node_rotations[i][k] = file->nodes[i].rest.rotation[k] + 0.0F; /* no -0 */
    return file->reader.status;
}

mmd_status gltf_read_nodes(gltf_scene *scene)
{
    assert(scene);
    gltf_file *file = scene->file;
    json_ref nodes;
    node_order forest;
    gltf_list(file, "nodes", &nodes);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    file->node_count = (uint32_t)json_ref_count(&nodes); /* fits: json_reader_parse limits the text */
    allocate_nodes(scene, &nodes, &forest);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    read_children(file, &nodes, &forest);
    sort_nodes(file, &nodes, &forest);
    mark_scene(file, &forest);
    gltf_measure_scales(scene);
    scene->order = forest.order;
    for (uint32_t at = 0; at < file->node_count && json_reader_ok(&file->reader); at++) {
        uint32_t index = forest.order[at];
        read_node(scene, &nodes, index);
        if (json_reader_ok(&file->reader))
            make_bone(scene, index, forest.depth[index]);
    }
    store_rotations(scene, &nodes);
    if (json_reader_ok(&file->reader))
        scene->model->bone_count = file->node_count;
    return file->reader.status;
}

/* ----------------------------------------------------------- carried bones */

/* Returns a map from node names to indices; the first of equal names. */
static json_t *number_nodes(const json_t *nodes)
{
    json_t *numbers = json_object();
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(nodes, i), "name"));
        if (name && !json_object_get(numbers, name))
            json_object_set_new(numbers, name, json_integer((json_int_t)i));
    }
    return numbers;
}

/* Sets bones' parents to the nodes that extras.mmd.carriedBy names. Returns whether there are any. */
static bool read_carriers(gltf_scene *scene)
{
    const json_t *nodes = json_object_get(scene->file->root.value, "nodes");
    json_t *numbers = NULL;
    bool any = false;
    for (uint32_t i = 0; i < scene->file->node_count; i++) {
        const json_t *extras = json_object_get(json_array_get(nodes, i), "extras");
        const char *by = json_string_value(json_object_get(json_object_get(extras, "mmd"), "carriedBy"));
        if (!by || scene->file->nodes[i].moves)
            continue;
        numbers = numbers ? numbers : number_nodes(nodes);
        const json_t *found = json_object_get(numbers, by);
        any = any || found;
        if (found)
            scene->model->bones[i].parent = (int32_t)json_integer_value(found);
    }
    json_decref(numbers);
    return any;
}

/*
 * Reattaches bones whose nodes were written beside the node that carries them (extras.mmd.carriedBy). Runs
 * after gltf_mark_animated, because nodes that the animation moves keep their parent.
 */
static mmd_status gltf_attach_carried_bones(gltf_scene *scene)
{
    assert(scene);
    gltf_file *file = scene->file;
    mmd_model *model = scene->model;
    uint32_t *marks, *chain, count = file->node_count;
    if (!read_carriers(scene))
        return MMD_OK;
    gltf_alloc(file, &file->root, file->reader.arena, count, sizeof *marks, &marks);
    gltf_alloc(file, &file->root, file->reader.arena, count, sizeof *chain, &chain);
    bool circle = false;
    for (uint32_t i = 0; i < count && json_reader_ok(&file->reader); i++)
        circle = circle || mmd_model_parent_cycle(model, i, marks) >= 0;
    for (uint32_t i = 0; i < count && circle; i++) /* invalid: all keep the file's parents */
        model->bones[i].parent = file->nodes[i].parent;
    if (!json_reader_ok(&file->reader) || circle)
        return file->reader.status;
    memset(marks, 0, count * sizeof *marks);
    for (uint32_t i = 0; i < count; i++) { /* layers: depth in the hierarchy */
        uint32_t depth = 0;
        int32_t at = (int32_t)i;
        for (; at >= 0 && !marks[at]; at = model->bones[at].parent)
            chain[depth++] = (uint32_t)at;
        for (int32_t layer = at < 0 ? 0 : model->bones[at].layer + 1; depth > 0; layer++) {
            model->bones[chain[--depth]].layer = layer;
            marks[chain[depth]] = 1;
        }
    }
    return MMD_OK;
}

/* -------------------------------------------------------------------- scene */

/* gltf_read_scene: nodes, pictures, meshes and animations of a glTF become a model. */

/* Sets the model's name to that of the scene. */
static mmd_status name_model(gltf_scene *scene)
{
    gltf_file *file = scene->file;
    mmd_model *model = scene->model;
    json_ref scenes, scene_ref, nodes = json_ref_member(&file->root, "nodes");
    int32_t number;
    model->origin = MMD_ORIGIN_GLTF;
    model->version = 2;
    model->name = model->name_en = model->comment = model->comment_en = "";
    gltf_list(file, "scenes", &scenes);
    json_read_index(&file->reader, &file->root, "scene", json_ref_count(&scenes), &number);
    if (!json_reader_ok(&file->reader) || json_ref_count(&nodes) == 0)
        return file->reader.status;
    scene_ref = json_ref_element(&scenes, number < 0 ? 0 : (size_t)number);
    return json_read_text(&file->reader, &scene_ref, "name", &model->name);
}

mmd_status gltf_read_scene(gltf_file *file)
{
    assert(file);
    mmd_model *model = file->document->model;
    gltf_scene scene = {.file = file, .model = model};
    model->arena.limit = file->document->arena.limit;
    name_model(&scene);
    gltf_read_nodes(&scene);
    gltf_read_images(&scene);
    gltf_read_meshes(&scene);
    gltf_read_animations(&scene);
    if (json_reader_ok(&file->reader)) {
        gltf_mark_animated(&scene);
        gltf_attach_carried_bones(&scene);
    }
    if (json_reader_ok(&file->reader))
        json_reader_note(&file->reader, mmd_model_prepare(model, file->reader.error));
    model->arena.limit = 0;
    return file->reader.status;
}
