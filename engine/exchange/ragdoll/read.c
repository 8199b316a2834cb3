/*
 * A Ragdoll dump as a physics scene and a model (seeds/ragdoll-serialisation,
 * FORMATS.md 3 and 4): entities of components, in centimetres, right-handed,
 * matrices of row vectors. Here: the entities, the solver, the model; bodies
 * and joints are in read_physics.c.
 *
 * The solver's entity is the world. Its plane is no body: `useGround` says
 * whether there is a ground, and its place is where joints to the world are.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "ragdoll.h"
#include "mmd/memory.h"

static const mmd_transform no_transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

/* ------------------------------------------------------------ components */

static json_spot entity_spot(const ragdoll_file *file, const ragdoll_entity *entity)
{
    return json_spot_member(&file->entities, entity->key);
}

mmd_status ragdoll_component_find(const ragdoll_file *file, const ragdoll_entity *entity, const char *name,
                                  ragdoll_component *found)
{
    assert(file && entity && found);
    found->entity = entity_spot(file, entity);
    found->components = json_spot_member(&found->entity, "components");
    found->component = json_spot_member(&found->components, name);
    found->members = json_spot_member(&found->component, "members");
    if (found->component.value && !json_is_object(found->members.value))
        return json_spot_fail(file->reader, &found->component, MMD_ERROR_VALUE, "has no members");
    return MMD_OK;
}

mmd_status ragdoll_component_need(const ragdoll_file *file, const ragdoll_entity *entity, const char *name,
                                  ragdoll_component *found)
{
    assert(file && entity && found);
    ragdoll_component_find(file, entity, name, found);
    if (!found->component.value)
        return json_spot_fail(file->reader, &found->components, MMD_ERROR_VALUE, "has no %s", name);
    return file->reader->status;
}

mmd_status ragdoll_read_values(const ragdoll_file *file, const json_spot *members, const char *key,
                               size_t count, const float *fallback, float *values)
{
    assert(file && members);
    json_spot value;
    json_read_kind(file->reader, members, key, JSON_OBJECT, &value);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    if (!value.value && !fallback)
        return json_spot_fail(file->reader, members, MMD_ERROR_VALUE, "has no %s", key);
    return json_read_floats(file->reader, &value, "values", count, value.value ? NULL : fallback, values);
}

/* ---------------------------------------------------------------- matrix */

static float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool unit3(float vector[3])
{
    float length = sqrtf(dot3(vector, vector));
    if (!(length > 1e-12f) || !isfinite(length))
        return false;
    for (int k = 0; k < 3; k++)
        vector[k] /= length;
    return true;
}

/* Rows at right angles and of length 1 (Gram and Schmidt); false for a mirror and for what has no rotation.
 */
static bool straighten(float rows[3][3])
{
    if (!unit3(rows[0]))
        return false;
    float share = dot3(rows[0], rows[1]);
    for (int k = 0; k < 3; k++)
        rows[1][k] -= share * rows[0][k];
    if (!unit3(rows[1]))
        return false;
    float third[3];
    for (int k = 0; k < 3; k++)
        third[k] = rows[0][(k + 1) % 3] * rows[1][(k + 2) % 3] - rows[0][(k + 2) % 3] * rows[1][(k + 1) % 3];
    if (!(dot3(third, rows[2]) > 0.0f))
        return false;
    memcpy(rows[2], third, sizeof third);
    return true;
}

/* The rotation whose images of the axes are the rows (Shepperd, 1978: by the largest of the four). */
static void rows_to_quaternion(const float m[3][3], float q[4])
{
    float trace = m[0][0] + m[1][1] + m[2][2], most = trace;
    int largest = 3;
    for (int k = 0; k < 3; k++)
        if (m[k][k] > most) {
            most = m[k][k];
            largest = k;
        }
    if (largest == 3) {
        q[3] = 1.0f + trace;
        for (int k = 0; k < 3; k++)
            q[k] = m[(k + 1) % 3][(k + 2) % 3] - m[(k + 2) % 3][(k + 1) % 3];
    } else {
        int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1.0f + m[i][i] - m[j][j] - m[k][k];
        q[j] = m[i][j] + m[j][i];
        q[k] = m[i][k] + m[k][i];
        q[3] = m[j][k] - m[k][j];
    }
    float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] /= length;
}

mmd_status ragdoll_read_matrix(const ragdoll_file *file, const json_spot *members, const char *key,
                               bool needed, mmd_transform *transform)
{
    assert(file && members);
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float m[16], rows[3][3];
    ragdoll_read_values(file, members, key, 16, needed ? NULL : identity, m);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    for (int i = 0; i < 3; i++)
        memcpy(rows[i], m + (ptrdiff_t)4 * i, sizeof rows[i]);
    json_spot spot = json_spot_member(members, key);
    if (!straighten(rows))
        return json_spot_fail(file->reader, &spot, MMD_ERROR_VALUE, "is a matrix that is no rotation");
    mmd_transform read = {.translation = {m[12], m[13], m[14]}};
    rows_to_quaternion((const float(*)[3])rows, read.rotation);
    mmd_exchange_from_file(MMD_EXCHANGE_RAGDOLL, &read, transform);
    return MMD_OK;
}

/* -------------------------------------------------------------- entities */

static int32_t find_entity(const ragdoll_file *file, uint32_t id)
{
    uint32_t low = 0, high = file->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t found = file->items[file->by_id[middle]].id;
        if (found == id)
            return (int32_t)file->by_id[middle];
        if (found < id)
            low = middle + 1;
        else
            high = middle;
    }
    return -2;
}

mmd_status ragdoll_read_entity(const ragdoll_file *file, const json_spot *members, const char *key,
                               bool needed, int32_t *number)
{
    assert(file && members && number);
    *number = -1;
    json_spot member = json_spot_member(members, key), value = member;
    if (!member.value && !needed)
        return MMD_OK;
    if (json_is_object(member.value))
        value = json_spot_member(&member, "value");
    if (!json_is_integer(value.value))
        return json_spot_fail(file->reader, member.value ? &member : members, MMD_ERROR_VALUE,
                              "has no entity for %s", key);
    json_int_t id = json_integer_value(value.value);
    if (id < 0 || id > UINT32_MAX)
        return json_spot_fail(file->reader, &value, MMD_ERROR_INDEX,
                              "%" JSON_INTEGER_FORMAT " is no number of an entity", id);
    *number = id ? find_entity(file, (uint32_t)id) : -1;
    return MMD_OK;
}

const char *ragdoll_key(ragdoll_file *file, const ragdoll_entity *entity)
{
    assert(file && entity);
    const char *key = mmd_arena_text(&file->document->arena, entity->key, strlen(entity->key));
    file->maker.failed = file->maker.failed || !key;
    return key ? key : "";
}

/* A key of digits alone, without zeros in front, so that no two keys mean one entity. */
static bool read_id(const char *key, uint32_t *id)
{
    uint64_t value = 0;
    size_t length = strlen(key);
    if (!length || length > 10 || key[0] == '0' || strspn(key, "0123456789") != length)
        return false;
    for (size_t i = 0; i < length; i++)
        value = value * 10 + (uint64_t)(key[i] - '0');
    *id = (uint32_t)value;
    return value <= UINT32_MAX;
}

/* Heap sort: the order of what comes in cannot make it slow, and it needs no context. */
static void sift(const ragdoll_entity *items, uint32_t *order, uint32_t at, uint32_t count)
{
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && items[order[child + 1]].id > items[order[child]].id)
            child++;
        if (items[order[at]].id >= items[order[child]].id)
            return;
        uint32_t swap = order[at];
        order[at] = order[child];
        order[child] = swap;
        at = child;
    }
}

static void sort_ids(const ragdoll_entity *items, uint32_t *order, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift(items, order, i, count);
    for (uint32_t end = count; end-- > 1;) {
        uint32_t swap = order[0];
        order[0] = order[end];
        order[end] = swap;
        sift(items, order, 0, end);
    }
}

static mmd_status list_entities(ragdoll_file *file)
{
    const char *key;
    json_t *value;
    json_object_foreach(file->entities.value, key, value)
    {
        ragdoll_entity *entity = &file->items[file->count];
        *entity = (ragdoll_entity){.key = key, .value = value, .body = -1, .parent = -1};
        json_spot spot = entity_spot(file, entity), components;
        if (!read_id(key, &entity->id))
            return json_spot_fail(file->reader, &spot, MMD_ERROR_VALUE, "is not named by a number");
        json_read_kind(file->reader, &spot, "components", JSON_OBJECT, &components);
        if (!json_reader_ok(file->reader))
            return file->reader->status;
        if (!components.value)
            return json_spot_fail(file->reader, &spot, MMD_ERROR_VALUE, "has no components");
        entity->solver = json_object_get(components.value, "SolverComponent") != NULL;
        file->by_id[file->count] = file->count;
        file->count++;
    }
    sort_ids(file->items, file->by_id, file->count);
    return MMD_OK;
}

static mmd_status open_entities(ragdoll_file *file)
{
    file->root = json_spot_root(file->reader);
    json_read_kind(file->reader, &file->root, "entities", JSON_OBJECT, &file->entities);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    if (!file->entities.value)
        return json_spot_fail(file->reader, &file->root, MMD_ERROR_VALUE, "has no entities");
    size_t count = json_object_size(file->entities.value) + 1;
    file->items = mmd_alloc(count * sizeof *file->items);
    file->by_id = mmd_alloc(count * sizeof *file->by_id);
    file->colors = mmd_alloc(count * sizeof *file->colors);
    if (!file->items || !file->by_id || !file->colors)
        return json_reader_note(file->reader,
                                mmd_error_set(file->reader->error, MMD_ERROR_MEMORY, "entities",
                                              MMD_NO_OFFSET, "no memory for %zu entities", count));
    return list_entities(file);
}

/* ---------------------------------------------------------------- solver */

static mmd_status check_solver(ragdoll_file *file, const json_spot *members, float *space)
{
    float time;
    json_read_float(file->reader, members, "spaceMultiplier", 1, 1e-6f, 1e6f, space);
    json_read_float(file->reader, members, "timeMultiplier", 1, 0, 1e6f, &time);
    if (json_reader_ok(file->reader) && time != 1.0f) {
        json_spot spot = json_spot_member(members, "timeMultiplier");
        losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL, "unit.ambiguous",
                      &spot, "timeMultiplier", "1");
    }
    return file->reader->status;
}

/*
 * A frame of 1/60 s in as many steps as the file has substeps, at least four:
 * Bullet's solver takes a step for what PhysX's TGS takes an iteration for.
 * spaceMultiplier scales the world against gravity: dumps of 2021 have
 * -98.2 and 1, later ones -982 and 0.1 for the same.
 */
static mmd_status read_solver(ragdoll_file *file, const json_spot *members)
{
    static const float gravity[3] = {0, -982, 0};
    mmd_phys_world *world = &file->maker.scene.world;
    uint32_t substeps, iterations;
    float found[3], space;
    check_solver(file, members, &space);
    ragdoll_read_values(file, members, "gravity", 3, gravity, found);
    json_read_bool(file->reader, members, "useGround", false, &world->ground);
    json_read_float(file->reader, members, "groundFriction", 0.5f, 0, 1e6f, &world->ground_friction);
    json_read_float(file->reader, members, "groundRestitution", 0.5f, 0, 1e6f, &world->ground_restitution);
    json_read_u32(file->reader, members, "substeps", 4, UINT32_MAX, &substeps);
    json_read_u32(file->reader, members, "positionIterations", 4, UINT32_MAX, &iterations);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    for (int k = 0; k < 3; k++)
        world->gravity[k] = (k == 2 ? -1.0f : 1.0f) * space * UNITS_PER_CM * found[k];
    world->rate = 60 * (substeps < 4 ? 4 : substeps > 16 ? 16 : substeps);
    world->iterations = iterations < 50 ? 50 : iterations > 200 ? 200 : iterations;
    return MMD_OK;
}

static mmd_status read_world(ragdoll_file *file)
{
    mmd_phys_world *world = &file->maker.scene.world;
    *world = mmd_default_gltf_world();
    world->gravity[1] = -982.0f * UNITS_PER_CM;
    file->solver = no_transform;
    const ragdoll_entity *solver = NULL;
    for (uint32_t i = 0; i < file->count && !solver; i++)
        solver = file->items[i].solver ? &file->items[i] : NULL;
    if (!solver)
        return MMD_OK;
    ragdoll_component component, rest;
    ragdoll_component_need(file, solver, "SolverComponent", &component);
    read_solver(file, &component.members);
    ragdoll_component_find(file, solver, "RestComponent", &rest);
    ragdoll_read_matrix(file, &rest.members, "matrix", false, &file->solver);
    world->ground_height = file->solver.translation[1];
    return file->reader->status;
}

/* ----------------------------------------------------------------- model */

/* A bone a body, each on its own: where bodies are is what physics says. */
static bool make_bones(mmd_model *model, const mmd_physscene *scene)
{
    model->bones = mmd_arena_alloc(&model->arena, scene->body_count, sizeof *model->bones);
    if (!model->bones)
        return false;
    model->bone_count = scene->body_count;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        mmd_bone *bone = &model->bones[i];
        *bone = (mmd_bone){
            .name = scene->bodies[i].name,
            .name_en = "",
            .parent = -1,
            .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE,
            .tail_bone = -1,
            .append_source = -1,
            .ik_target = -1,
        };
        memcpy(bone->position, scene->bodies[i].rest.translation, sizeof bone->position);
    }
    return true;
}

static mmd_status make_model(ragdoll_file *file)
{
    mmd_exchange *document = file->document;
    mmd_error *error = file->reader->error;
    mmd_model *model = document->model;
    *model = (mmd_model){.origin = MMD_ORIGIN_RAGDOLL,
                         .version = 1,
                         .name = "Ragdoll",
                         .name_en = "",
                         .comment = "",
                         .comment_en = "",
                         .physscene = document->physscene};
    if (!make_bones(model, document->physscene))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "model", MMD_NO_OFFSET, "no memory for bones");
    mmd_status status = shape_model_build(document->physscene, (const float(*)[4])file->colors, model, error);
    return status == MMD_OK ? mmd_model_prepare(model, error) : status;
}

/* ------------------------------------------------------------------- all */

static mmd_status read_version(ragdoll_file *file)
{
    const char *schema;
    json_spot info;
    json_read_text(file->reader, &file->root, "schema", &schema);
    if (strncmp(schema, "ragdoll-1.", 10) != 0 && schema[0])
        return json_spot_fail(file->reader, &file->root, MMD_ERROR_UNSUPPORTED, "has the schema \"%.40s\"",
                              schema);
    json_read_kind(file->reader, &file->root, "info", JSON_OBJECT, &info);
    json_read_text(file->reader, &info, "ragdollVersion", &file->document->generator);
    return file->reader->status;
}

static mmd_status read_scene(ragdoll_file *file)
{
    open_entities(file);
    read_version(file);
    read_world(file);
    ragdoll_read_bodies(file);
    ragdoll_read_joints(file);
    return file->reader->status;
}

mmd_status ragdoll_read(json_reader *reader, mmd_exchange *document)
{
    assert(reader && document);
    ragdoll_file file = {.reader = reader, .document = document};
    document->format = MMD_EXCHANGE_RAGDOLL;
    document->generator = "";
    mmd_status status = read_scene(&file);
    if (status == MMD_OK)
        status = scene_maker_finish(&file.maker, document, reader->error);
    else
        scene_maker_abandon(&file.maker);
    if (status == MMD_OK)
        status = make_model(&file);
    mmd_free(file.items);
    mmd_free(file.by_id);
    mmd_free(file.colors);
    return status;
}
