/*
 * Reads a Ragdoll dump as a physics scene and a model (docs/formats.md 3 and 4): entities made of components,
 * in centimetres, right-handed, matrices of row vectors.
 *
 * The solver's entity is the world. Its plane is not a body: `useGround` says whether there is a ground, and
 * its position is the frame of joints to the world.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "ragdoll.h"

/* An entity of the dump, in the file's order. */
typedef struct ragdoll_entity {
    const char *key;
    json_t *value;
    uint32_t id;
    int32_t body; /* index in the scene; -1: none */
    bool solver;
    int32_t parent; /* index of the entity of parentRigid; -1: none */
} ragdoll_entity;

/* A dump while it is read. */
typedef struct ragdoll_file {
    json_reader *reader;
    mmd_exchange *document;
    scene_builder builder;
    json_ref root, entities;
    uint32_t count;
    ragdoll_entity *items; /* on the heap */
    uint32_t *by_id;       /* entity indices by ascending id; on the heap */
    float (*colors)[4];    /* per body; on the heap, room for all entities */
    mmd_transform solver;  /* transform of the solver's entity, the frame of joints to the world */
} ragdoll_file;

/* A component of an entity. The references point to each other, so it must not be copied or moved. */
typedef struct ragdoll_component {
    json_ref entity, components, component, members;
} ragdoll_component;

static const mmd_transform no_transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

/* ------------------------------------------------------------ components */

static json_ref entity_ref(const ragdoll_file *file, const ragdoll_entity *entity)
{
    return json_ref_member(&file->entities, entity->key);
}

/*
 * Finds a component; members.value is NULL when there is none. MMD_ERROR_VALUE for a component without
 * members.
 */
static mmd_status find_component(const ragdoll_file *file, const ragdoll_entity *entity, const char *name,
                                 ragdoll_component *found)
{
    assert(file && entity && found);
    found->entity = entity_ref(file, entity);
    found->components = json_ref_member(&found->entity, "components");
    found->component = json_ref_member(&found->components, name);
    found->members = json_ref_member(&found->component, "members");
    if (found->component.value && !json_is_object(found->members.value))
        return json_ref_fail(file->reader, &found->component, MMD_ERROR_VALUE, "has no members");
    return MMD_OK;
}

/* Finds a component that is required. */
static mmd_status need_component(const ragdoll_file *file, const ragdoll_entity *entity, const char *name,
                                 ragdoll_component *found)
{
    assert(file && entity && found);
    find_component(file, entity, name, found);
    if (!found->component.value)
        return json_ref_fail(file->reader, &found->components, MMD_ERROR_VALUE, "has no %s", name);
    return file->reader->status;
}

/* Reads the numbers of {"type": …, "values": […]}; fallback NULL: the member is required. */
static mmd_status read_values(const ragdoll_file *file, const json_ref *members, const char *key,
                              size_t count, const float *fallback, float *values)
{
    assert(file && members);
    json_ref value;
    json_read_kind(file->reader, members, key, JSON_OBJECT, &value);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    if (!value.value && !fallback)
        return json_ref_fail(file->reader, members, MMD_ERROR_VALUE, "has no %s", key);
    return json_read_floats(file->reader, &value, "values", count, value.value ? NULL : fallback, values);
}

/* ---------------------------------------------------------------- matrix */

static float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Normalises a vector. Returns false for one without a direction. */
static bool normalize3(float vector[3])
{
    float length = sqrtf(dot3(vector, vector));
    if (!(length > 1e-12f) || !isfinite(length))
        return false;
    for (int k = 0; k < 3; k++)
        vector[k] /= length;
    return true;
}

/* Makes the rows orthonormal (Gram-Schmidt). Returns false for a mirror and for a matrix without rotation. */
static bool orthonormalize(float rows[3][3])
{
    if (!normalize3(rows[0]))
        return false;
    float share = dot3(rows[0], rows[1]);
    for (int k = 0; k < 3; k++)
        rows[1][k] -= share * rows[0][k];
    if (!normalize3(rows[1]))
        return false;
    float third[3];
    for (int k = 0; k < 3; k++)
        third[k] = rows[0][(k + 1) % 3] * rows[1][(k + 2) % 3] - rows[0][(k + 2) % 3] * rows[1][(k + 1) % 3];
    if (!(dot3(third, rows[2]) > 0.0f))
        return false;
    memcpy(rows[2], third, sizeof third);
    return true;
}

/*
 * Computes the quaternion that maps the axes to the rows (Shepperd, 1978: starts with the largest component).
 */
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

/*
 * Reads a matrix of row vectors as a transform in MMD's space, without scale. If absent and not needed: the
 * identity.
 */
static mmd_status read_matrix(const ragdoll_file *file, const json_ref *members, const char *key, bool needed,
                              mmd_transform *transform)
{
    assert(file && members);
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    float m[16], rows[3][3];
    read_values(file, members, key, 16, needed ? NULL : identity, m);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    for (int i = 0; i < 3; i++)
        memcpy(rows[i], m + (ptrdiff_t)4 * i, sizeof rows[i]);
    json_ref ref = json_ref_member(members, key);
    if (!orthonormalize(rows))
        return json_ref_fail(file->reader, &ref, MMD_ERROR_VALUE, "is not a rotation matrix");
    mmd_transform read = {.translation = {m[12], m[13], m[14]}};
    rows_to_quaternion((const float(*)[3])rows, read.rotation);
    mmd_exchange_from_file(MMD_EXCHANGE_RAGDOLL, &read, transform);
    return MMD_OK;
}

/* -------------------------------------------------------------- entities */

/* Returns the index of the entity with an id; -2: none. */
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

/*
 * Reads a reference to an entity, an integer or {"type": "Entity"}, as index; -1: none (id 0), -2: there is
 * no such entity.
 */
static mmd_status read_entity(const ragdoll_file *file, const json_ref *members, const char *key, bool needed,
                              int32_t *number)
{
    assert(file && members && number);
    *number = -1;
    json_ref member = json_ref_member(members, key), value = member;
    if (!member.value && !needed)
        return MMD_OK;
    if (json_is_object(member.value))
        value = json_ref_member(&member, "value");
    if (!json_is_integer(value.value))
        return json_ref_fail(file->reader, member.value ? &member : members, MMD_ERROR_VALUE,
                             "has no entity id in %s", key);
    json_int_t id = json_integer_value(value.value);
    if (id < 0 || id > UINT32_MAX)
        return json_ref_fail(file->reader, &value, MMD_ERROR_INDEX,
                             "%" JSON_INTEGER_FORMAT " is not the id of an entity", id);
    *number = id ? find_entity(file, (uint32_t)id) : -1;
    return MMD_OK;
}

/* Returns an entity's id as a text of the document. */
static const char *copy_key(ragdoll_file *file, const ragdoll_entity *entity)
{
    assert(file && entity);
    const char *key = mmd_arena_text(&file->document->arena, entity->key, strlen(entity->key));
    file->builder.failed = file->builder.failed || !key;
    return key ? key : "";
}

/* Parses a key that consists of digits, without leading zeros, so that no two keys are the same id. */
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

/*
 * Restores the heap below `at`. Heap sort is used because no input makes it slow and it needs no global
 * context.
 */
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

/* Sorts entity indices by id. */
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

/* Lists the document's entities. */
static mmd_status list_entities(ragdoll_file *file)
{
    const char *key;
    json_t *value;
    json_object_foreach(file->entities.value, key, value)
    {
        ragdoll_entity *entity = &file->items[file->count];
        *entity = (ragdoll_entity){.key = key, .value = value, .body = -1, .parent = -1};
        json_ref ref = entity_ref(file, entity), components;
        if (!read_id(key, &entity->id))
            return json_ref_fail(file->reader, &ref, MMD_ERROR_VALUE, "its key is not a number");
        json_read_kind(file->reader, &ref, "components", JSON_OBJECT, &components);
        if (!json_reader_ok(file->reader))
            return file->reader->status;
        if (!components.value)
            return json_ref_fail(file->reader, &ref, MMD_ERROR_VALUE, "has no components");
        entity->solver = json_object_get(components.value, "SolverComponent") != NULL;
        file->by_id[file->count] = file->count;
        file->count++;
    }
    sort_ids(file->items, file->by_id, file->count);
    return MMD_OK;
}

/* Allocates and fills the list of entities. */
static mmd_status open_entities(ragdoll_file *file)
{
    file->root = json_ref_root(file->reader);
    json_read_kind(file->reader, &file->root, "entities", JSON_OBJECT, &file->entities);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    if (!file->entities.value)
        return json_ref_fail(file->reader, &file->root, MMD_ERROR_VALUE, "has no entities");
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

/* Reads the solver's multipliers; a time multiplier is not supported and reported. */
static mmd_status check_solver(ragdoll_file *file, const json_ref *members, float *space)
{
    float time;
    json_read_float(file->reader, members, "spaceMultiplier", 1, 1e-6f, 1e6f, space);
    json_read_float(file->reader, members, "timeMultiplier", 1, 0, 1e6f, &time);
    if (json_reader_ok(file->reader) && time != 1.0f) {
        json_ref ref = json_ref_member(members, "timeMultiplier");
        losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL, "unit.ambiguous",
                      &ref, "timeMultiplier", "1");
    }
    return file->reader->status;
}

/*
 * Reads the solver. A frame of 1/60 s gets as many steps as the file has substeps, at least four: one step of
 * Bullet's solver does about as much as one iteration of PhysX's TGS. spaceMultiplier scales the world
 * relative to gravity: dumps of 2021 have -98.2 and 1, later ones -982 and 0.1 for the same.
 */
static mmd_status read_solver(ragdoll_file *file, const json_ref *members)
{
    static const float gravity[3] = {0, -982, 0};
    mmd_phys_world *world = &file->builder.scene.world;
    uint32_t substeps, iterations;
    float found[3], space;
    check_solver(file, members, &space);
    read_values(file, members, "gravity", 3, gravity, found);
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

/* Reads the world from the first solver's entity. */
static mmd_status read_world(ragdoll_file *file)
{
    mmd_phys_world *world = &file->builder.scene.world;
    *world = mmd_default_gltf_world();
    world->gravity[1] = -982.0f * UNITS_PER_CM;
    file->solver = no_transform;
    const ragdoll_entity *solver = NULL;
    for (uint32_t i = 0; i < file->count && !solver; i++)
        solver = file->items[i].solver ? &file->items[i] : NULL;
    if (!solver)
        return MMD_OK;
    ragdoll_component component, rest;
    need_component(file, solver, "SolverComponent", &component);
    read_solver(file, &component.members);
    find_component(file, solver, "RestComponent", &rest);
    read_matrix(file, &rest.members, "matrix", false, &file->solver);
    world->ground_height = file->solver.translation[1];
    return file->reader->status;
}

/* ------------------------------------------------------------------- bodies */

/*
 * Rigid bodies: RigidComponent, GeometryDescriptionComponent and, in later files, ConvexMeshComponents
 * (docs/formats.md 3 and 4). Each body has one shape. All its lengths are multiplied by Scale.absolute, as
 * Ragdoll's loader `dedump` does.
 */

/* Limit of lengths, so that computed values stay finite. */
static const float length_max = 1e9f;
static const float half_root = 0.70710678f;

/* The numbers of a shape as in the file, in centimetres. */
typedef struct geometry {
    const char *type;
    float radius, length, extents[3], offset[3], rotation[4], scale[3];
} geometry;

/* Converts a length from centimetres to MMD's units. */
static float units_from_cm(float length)
{
    float size = fabsf(length);
    return UNITS_PER_CM * (size < length_max ? size : length_max);
}

static mmd_status read_geometry(const ragdoll_file *file, const json_ref *members, geometry *read)
{
    static const float zeros[3] = {0, 0, 0}, none[4] = {0, 0, 0, 1}, ones[3] = {1, 1, 1};
    json_read_text(file->reader, members, "type", &read->type);
    json_read_float(file->reader, members, "radius", 0.5f, 0, length_max, &read->radius);
    json_read_float(file->reader, members, "length", 0, 0, length_max, &read->length);
    read_values(file, members, "extents", 3, ones, read->extents);
    read_values(file, members, "offset", 3, zeros, read->offset);
    read_values(file, members, "rotation", 4, none, read->rotation);
    return file->reader->status;
}

/* Reads the frame of a shape in its body; a quaternion of almost zero length fails. */
static mmd_status read_frame(const ragdoll_file *file, const json_ref *members, const geometry *read,
                             mmd_transform *frame)
{
    mmd_transform found = {.rotation = {0, 0, 0, 1}};
    float square = 0;
    for (int k = 0; k < 4; k++)
        square += read->rotation[k] * read->rotation[k];
    if (!(square > 1e-12f) || !isfinite(square)) {
        json_ref ref = json_ref_member(members, "rotation");
        return json_ref_fail(file->reader, &ref, MMD_ERROR_VALUE, "is not a rotation");
    }
    for (int k = 0; k < 4; k++)
        found.rotation[k] = read->rotation[k] / sqrtf(square);
    for (int k = 0; k < 3; k++)
        found.translation[k] = mmd_maxf(-length_max, mmd_minf(length_max, read->offset[k] * read->scale[k]));
    mmd_exchange_from_file(MMD_EXCHANGE_RAGDOLL, &found, frame);
    return MMD_OK;
}

/*
 * Rotates a shape from Ragdoll's axis X to MMD's, Y: a quarter turn about Z, which mirroring does not change.
 */
static void turn_x_to_y(mmd_phys_shape *shape)
{
    const mmd_transform turn = {.rotation = {0, 0, -half_root, half_root}};
    mmd_transform_multiply(&shape->frame, &turn, &shape->frame);
}

static void set_capsule(const geometry *read, mmd_phys_shape *shape)
{
    shape->kind = MMD_PHYS_CAPSULE;
    shape->size[0] = shape->size[2] = units_from_cm(read->radius * read->scale[0]);
    shape->size[1] = units_from_cm(read->length * read->scale[1]);
    turn_x_to_y(shape);
}

static void set_sphere(const geometry *read, mmd_phys_shape *shape)
{
    shape->kind = MMD_PHYS_SPHERE;
    shape->size[0] = units_from_cm(read->radius * read->scale[0]);
}

static void set_box(const geometry *read, mmd_phys_shape *shape)
{
    shape->kind = MMD_PHYS_BOX;
    for (int k = 0; k < 3; k++)
        shape->size[k] = 0.5f * units_from_cm(read->extents[k] * read->scale[k]);
}

static void set_plane(const geometry *read, mmd_phys_shape *shape)
{
    (void)read;
    shape->kind = MMD_PHYS_PLANE;
    turn_x_to_y(shape);
}

/* ----------------------------------------------------------------- hulls */

/* Makes the shape a hull of points, which are in the body's frame without offset and rotation. */
static bool copy_points(ragdoll_file *file, const float *values, uint32_t count, const float scale[3],
                        mmd_phys_shape *shape)
{
    float(*points)[3] = mmd_arena_alloc(&file->document->arena, count, sizeof *points);
    mmd_phys_mesh *mesh = NULL;
    if (!points)
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            float value = mmd_maxf(-length_max, mmd_minf(length_max, values[3 * i + k] * scale[k]));
            points[i][k] = (k == 2 ? -UNITS_PER_CM : UNITS_PER_CM) * value;
        }
    shape->mesh = (int32_t)scene_add_mesh(&file->builder, &mesh);
    if (file->builder.failed)
        return false;
    mesh->point_count = count;
    mesh->points = (const float(*)[3])points;
    shape->kind = MMD_PHYS_HULL;
    shape->frame = (mmd_transform){.rotation = {0, 0, 0, 1}};
    return true;
}

/* Reads the vertices of a hull. */
static mmd_status read_points(ragdoll_file *file, const json_ref *members, const float scale[3],
                              mmd_phys_shape *shape)
{
    json_ref vertices, values;
    json_read_kind(file->reader, members, "vertices", JSON_OBJECT, &vertices);
    json_read_kind(file->reader, &vertices, "values", JSON_ARRAY, &values);
    size_t count = json_reader_ok(file->reader) ? json_ref_count(&values) : 0;
    if (count < 12)
        return file->reader->status;
    if (count % 3)
        return json_ref_fail(file->reader, &values, MMD_ERROR_COUNT,
                             "has %zu numbers, not a multiple of three", count);
    float *numbers = mmd_alloc(count * sizeof *numbers);
    if (numbers)
        json_read_floats(file->reader, &vertices, "values", count, NULL, numbers);
    bool done = numbers && json_reader_ok(file->reader) &&
                copy_points(file, numbers, (uint32_t)(count / 3), scale, shape);
    mmd_free(numbers);
    if (!done)
        return json_ref_fail(file->reader, &values, MMD_ERROR_MEMORY, "no memory for %zu points", count / 3);
    return file->reader->status;
}

/* Reads a hull; without vertices it becomes its box. */
static mmd_status read_hull(ragdoll_file *file, const ragdoll_entity *entity, const json_ref *type,
                            const geometry *read, mmd_phys_shape *shape)
{
    ragdoll_component points;
    set_box(read, shape);
    find_component(file, entity, "ConvexMeshComponents", &points);
    if (json_reader_ok(file->reader) && points.members.value)
        read_points(file, &points.members, read->scale, shape);
    if (json_reader_ok(file->reader) && shape->kind != MMD_PHYS_HULL)
        losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL, "mesh.missing",
                      type, "vertices", "\"Box\"");
    return file->reader->status;
}

/* ---------------------------------------------------------------- shapes */

static const struct {
    const char *type;
    void (*set)(const geometry *read, mmd_phys_shape *shape);
} shape_types[] = {
    {"Box", set_box},          {"Sphere", set_sphere}, {"Capsule", set_capsule},
    {"Cylinder", set_capsule}, {"Plane", set_plane},
};

/* Sets kind and size of a shape. Cylinders become capsules, unknown types boxes. */
static mmd_status set_shape(ragdoll_file *file, const ragdoll_entity *entity, const json_ref *members,
                            const geometry *read, mmd_phys_shape *shape)
{
    json_ref type = json_ref_member(members, "type");
    if (strcmp(read->type, "ConvexHull") == 0)
        return read_hull(file, entity, &type, read, shape);
    for (size_t i = 0; i < sizeof shape_types / sizeof shape_types[0]; i++) {
        if (strcmp(read->type, shape_types[i].type) != 0)
            continue;
        shape_types[i].set(read, shape);
        if (strcmp(read->type, "Cylinder") == 0)
            losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL,
                          "shape.approximated", &type, "type", "\"Capsule\"");
        return MMD_OK;
    }
    set_box(read, shape);
    losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL, "shape.approximated",
                  type.value ? &type : members, "type", "\"Box\"");
    return MMD_OK;
}

static mmd_status read_shape(ragdoll_file *file, const ragdoll_entity *entity, mmd_phys_shape *shape)
{
    static const float ones[3] = {1, 1, 1};
    ragdoll_component described, scale;
    geometry read = {.type = ""};
    need_component(file, entity, "GeometryDescriptionComponent", &described);
    find_component(file, entity, "ScaleComponent", &scale);
    read_values(file, &scale.members, "absolute", 3, ones, read.scale);
    read_geometry(file, &described.members, &read);
    read_frame(file, &described.members, &read, &shape->frame);
    set_shape(file, entity, &described.members, &read, shape);
    return file->reader->status;
}

/* ---------------------------------------------------------------- bodies */

/* Reads damping. PhysX removes c times the velocity per second, Bullet a fraction: 1 - exp(-c). */
static mmd_status read_damping(const ragdoll_file *file, const json_ref *members, const char *key,
                               float fallback, float *damping)
{
    json_read_float(file->reader, members, key, fallback, 0, 1e9f, damping);
    *damping = 1.0f - mmd_expf(-*damping);
    return file->reader->status;
}

/*
 * Reads mass, inertia and centre. A negative inertia means computed. Mirroring does not change moments about
 * the body's axes.
 */
static mmd_status read_mass(const ragdoll_file *file, const json_ref *members, mmd_phys_body *body)
{
    static const float automatic[3] = {-1, -1, -1}, zeros[3] = {0, 0, 0};
    json_read_float(file->reader, members, "mass", 1, 0, 1e12f, &body->mass);
    read_values(file, members, "angularMass", 3, automatic, body->inertia);
    read_values(file, members, "centerOfMass", 3, zeros, body->center);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    for (int k = 0; k < 3; k++) {
        body->auto_inertia = body->auto_inertia || body->inertia[k] < 0;
        body->inertia[k] = mmd_minf(body->inertia[k], 1e18f) * UNITS_PER_CM * UNITS_PER_CM;
        body->center[k] = (k == 2 ? -UNITS_PER_CM : UNITS_PER_CM) *
                          mmd_maxf(-length_max, mmd_minf(length_max, body->center[k]));
    }
    if (body->auto_inertia)
        memset(body->inertia, 0, sizeof body->inertia);
    body->auto_center = body->center[0] == 0 && body->center[1] == 0 && body->center[2] == 0;
    return MMD_OK;
}

/* Reads the switches of a body. */
static mmd_status read_flags(const ragdoll_file *file, const json_ref *members, mmd_phys_body *body,
                             bool *collide)
{
    bool enabled = true, kinematic = false, weightless = false, ignored = false;
    float threshold = 0;
    json_reader *reader = file->reader;
    json_read_bool(reader, members, "enabled", true, &enabled);
    json_read_bool(reader, members, "kinematic", false, &kinematic);
    json_read_bool(reader, members, "disableGravity", false, &weightless);
    json_read_bool(reader, members, "ignoreGravity", false, &ignored);
    json_read_bool(reader, members, "enableCCD", false, &body->ccd);
    json_read_bool(reader, members, "collide", true, collide);
    json_read_float(reader, members, "sleepThreshold", 0, -1e9f, 1e9f, &threshold);
    body->disabled = !enabled;
    body->motion = kinematic ? MMD_PHYS_KINEMATIC : MMD_PHYS_DYNAMIC;
    body->gravity_factor = weightless || ignored ? 0.0f : 1.0f;
    body->can_sleep = threshold > 0;
    return reader->status;
}

static mmd_status read_material(ragdoll_file *file, const json_ref *members, mmd_phys_material *material)
{
    json_read_float(file->reader, members, "friction", 0.8f, 0, 1e6f, &material->static_friction);
    json_read_float(file->reader, members, "restitution", 0.1f, 0, 1e6f, &material->restitution);
    material->dynamic_friction = material->static_friction;
    material->friction_combine = material->restitution_combine = MMD_COMBINE_AVERAGE;
    return file->reader->status;
}

/* Adds a body's shape with its material. */
static mmd_status add_shape(ragdoll_file *file, const ragdoll_entity *entity, const json_ref *members,
                            bool collide)
{
    mmd_phys_shape *shape;
    mmd_phys_material *material, read = {.name = ""};
    read_material(file, members, &read);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    uint32_t number = scene_add_material(&file->builder, &material);
    scene_add_shape(&file->builder, &shape);
    if (file->builder.failed)
        return MMD_OK; /* scene_builder_finish reports it */
    *material = read;
    shape->material = (int32_t)number;
    shape->solid = collide;
    return read_shape(file, entity, shape);
}

/* Reads the names of a body. */
static mmd_status read_names(ragdoll_file *file, const ragdoll_entity *entity, const char **name,
                             const char **path)
{
    ragdoll_component named;
    const char *shortest = "", *value = "";
    find_component(file, entity, "NameComponent", &named);
    json_read_text(file->reader, &named.members, "shortestPath", &shortest);
    json_read_text(file->reader, &named.members, "value", &value);
    json_read_text(file->reader, &named.members, "path", path);
    *name = shortest[0] ? shortest : value;
    return file->reader->status;
}

/* Reads the colour of a body. */
static mmd_status read_color(ragdoll_file *file, const ragdoll_entity *entity, float color[4])
{
    static const float usual[4] = {0.6f, 0.6f, 0.6f, 1};
    ragdoll_component colored;
    find_component(file, entity, "ColorComponent", &colored);
    read_values(file, &colored.members, "value", 4, usual, color);
    for (int k = 0; json_reader_ok(file->reader) && k < 4; k++)
        color[k] = mmd_maxf(0, mmd_minf(1, color[k]));
    return file->reader->status;
}

/* Reads a body. */
static mmd_status read_body(ragdoll_file *file, ragdoll_entity *entity, const json_ref *members)
{
    mmd_phys_body *body, read = {.name = ""};
    mmd_exchange_item *item;
    bool collide = true;
    uint32_t number = scene_add_body(&file->builder, &body, &item);
    if (file->builder.failed)
        return MMD_OK; /* scene_builder_finish reports it */
    read = *body;
    item->entity = copy_key(file, entity);
    entity->body = read.bone = (int32_t)number;
    ragdoll_component rest;
    need_component(file, entity, "RestComponent", &rest);
    read_matrix(file, &rest.members, "matrix", true, &read.rest);
    read_names(file, entity, &read.name, &read.path);
    read_color(file, entity, file->colors[number]);
    read_mass(file, members, &read);
    read_flags(file, members, &read, &collide);
    read_damping(file, members, "linearDamping", 0.5f, &read.linear_damping);
    read_damping(file, members, "angularDamping", 1, &read.angular_damping);
    read.shape_count = 1;
    *body = read;
    return add_shape(file, entity, members, collide);
}

/* ------------------------------------------------------------------- all */

/* Reads the parent; an unknown one is reported. */
static mmd_status read_parent(ragdoll_file *file, ragdoll_entity *entity, const json_ref *members)
{
    read_entity(file, members, "parentRigid", false, &entity->parent);
    json_ref ref = json_ref_member(members, "parentRigid");
    if (json_reader_ok(file->reader) && entity->parent == -2)
        losses_add_at(&file->document->losses, MMD_LOSS_APPROXIMATED, MMD_EXCHANGE_RAGDOLL, "ref.dangling",
                      &ref, "parentRigid", "0");
    return file->reader->status;
}

/* Fails for cycles of parentRigid. Each entity is visited once: marks store the walk that visited it. */
static mmd_status check_parents(const ragdoll_file *file)
{
    uint32_t *marks = mmd_alloc((file->count + (size_t)1) * sizeof *marks);
    if (!marks)
        return json_reader_note(file->reader,
                                mmd_error_set(file->reader->error, MMD_ERROR_MEMORY, "entities",
                                              MMD_NO_OFFSET, "no memory for %u entities", file->count));
    memset(marks, 0, (file->count + (size_t)1) * sizeof *marks);
    for (uint32_t i = 0; i < file->count && json_reader_ok(file->reader); i++) {
        int32_t at = (int32_t)i;
        for (; at >= 0 && !marks[at]; at = file->items[at].parent)
            marks[at] = i + 1;
        if (at < 0 || marks[at] != i + 1)
            continue;
        ragdoll_component rigid;
        find_component(file, &file->items[at], "RigidComponent", &rigid);
        json_ref ref = json_ref_member(&rigid.members, "parentRigid");
        json_ref_fail(file->reader, &ref, MMD_ERROR_VALUE, "makes a rigid body its own ancestor");
    }
    mmd_free(marks);
    return file->reader->status;
}

static mmd_status read_bodies(ragdoll_file *file)
{
    assert(file);
    for (uint32_t i = 0; i < file->count && json_reader_ok(file->reader); i++) {
        ragdoll_component rigid;
        ragdoll_entity *entity = &file->items[i];
        find_component(file, entity, "RigidComponent", &rigid);
        if (rigid.members.value)
            read_parent(file, entity, &rigid.members);
        if (rigid.members.value && !entity->solver)
            read_body(file, entity, &rigid.members);
    }
    return json_reader_ok(file->reader) ? check_parents(file) : file->reader->status;
}

/* ------------------------------------------------------------------- joints */

/*
 * Joints: JointComponent with its LimitComponent and DriveComponent (docs/formats.md 3 and 4). PhysX's D6
 * joint: X is the twist, Y and Z the swing, whose two half angles bound an elliptic cone.
 *
 * All locked axes become one limit, because two locked angles together hold the third axis exactly. Ranges
 * are soft, as the file says, and hard when their stiffness is 0.
 */

static const float gain_max = 1e18f;

/* A LimitComponent as in the file. */
typedef struct limits {
    bool enabled;
    float linear[3], angular[3];
    float linear_gains[2], angular_gains[2];
} limits;

static mmd_status read_axes(const ragdoll_file *file, const json_ref *members, limits *read)
{
    static const char *const linear[3] = {"x", "y", "z"};
    static const char *const angular[3] = {"twist", "swing1", "swing2"};
    for (int k = 0; k < 3 && json_reader_ok(file->reader); k++) {
        json_read_float(file->reader, members, linear[k], 0, -1e9f, 1e9f, &read->linear[k]);
        json_read_float(file->reader, members, angular[k], 0, -1e9f, 1e9f, &read->angular[k]);
    }
    return file->reader->status;
}

static mmd_status read_gains(const ragdoll_file *file, const json_ref *members, const char *stiffness,
                             const char *damping, const float fallback[2], float gains[2])
{
    json_read_float(file->reader, members, stiffness, fallback[0], 0, gain_max, &gains[0]);
    return json_read_float(file->reader, members, damping, fallback[1], 0, gain_max, &gains[1]);
}

static mmd_status read_limits(const ragdoll_file *file, const json_ref *members, limits *read)
{
    static const float usual[2] = {1e6f, 1e4f};
    json_read_bool(file->reader, members, "enabled", true, &read->enabled);
    read_axes(file, members, read);
    read_gains(file, members, "linearStiffness", "linearDamping", usual, read->linear_gains);
    read_gains(file, members, "angularStiffness", "angularDamping", usual, read->angular_gains);
    return file->reader->status;
}

/* ---------------------------------------------------------------- limits */

static void set_gains(mmd_phys_limit *limit, const float gains[2], float size)
{
    limit->soft = gains[0] > 0;
    limit->stiffness = size * gains[0];
    limit->damping = size * gains[1];
}

static void add_limit(ragdoll_file *file, uint32_t joint, mmd_phys_limit made)
{
    mmd_phys_limit *limit;
    scene_add_limit(&file->builder, &limit);
    if (file->builder.failed)
        return;
    made.has_max = true;
    made.has_min = made.kind != MMD_LIMIT_ELLIPSE;
    *limit = made;
    file->builder.scene.joints[joint].limit_count++;
}

/* Adds one limit for all locked (negative) axes. */
static void add_locked(ragdoll_file *file, uint32_t joint, uint8_t kind, const float values[3])
{
    uint8_t axes = 0;
    for (int k = 0; k < 3; k++)
        if (values[k] < 0)
            axes = (uint8_t)(axes | 1U << k);
    if (axes)
        add_limit(file, joint, (mmd_phys_limit){.kind = kind, .axes = axes});
}

/* Adds a symmetric range of an axis; 0 means free. */
static void add_range(ragdoll_file *file, uint32_t joint, uint8_t kind, int axis, float value,
                      const float gains[2])
{
    float length = kind == MMD_LIMIT_LINEAR ? UNITS_PER_CM : 1.0f;
    mmd_phys_limit limit = {
        .kind = kind, .axes = (uint8_t)(1U << axis), .min = -length * value, .max = length * value};
    set_gains(&limit, gains, kind == MMD_LIMIT_LINEAR ? 1.0f : UNITS_PER_CM * UNITS_PER_CM);
    if (value > 0)
        add_limit(file, joint, limit);
}

/* Adds the limits of the swing: an elliptic cone when both angles are bounded. */
static void add_swing(ragdoll_file *file, uint32_t joint, const limits *read)
{
    const float *angle = read->angular;
    if (angle[1] > 0 && angle[2] > 0) {
        mmd_phys_limit cone = {.kind = MMD_LIMIT_ELLIPSE, .axes = 6, .max = angle[1], .max2 = angle[2]};
        set_gains(&cone, read->angular_gains, UNITS_PER_CM * UNITS_PER_CM);
        add_limit(file, joint, cone);
        return;
    }
    for (int k = 1; k < 3; k++)
        add_range(file, joint, MMD_LIMIT_ANGULAR, k, angle[k], read->angular_gains);
}

static void add_limits(ragdoll_file *file, uint32_t joint, const limits *read)
{
    add_locked(file, joint, MMD_LIMIT_LINEAR, read->linear);
    add_locked(file, joint, MMD_LIMIT_ANGULAR, read->angular);
    for (int k = 0; k < 3; k++)
        add_range(file, joint, MMD_LIMIT_LINEAR, k, read->linear[k], read->linear_gains);
    add_range(file, joint, MMD_LIMIT_ANGULAR, 0, read->angular[0], read->angular_gains);
    add_swing(file, joint, read);
}

static mmd_status read_limit_component(ragdoll_file *file, const ragdoll_entity *entity, uint32_t joint)
{
    ragdoll_component component;
    limits read;
    find_component(file, entity, "LimitComponent", &component);
    if (!json_reader_ok(file->reader) || !component.members.value)
        return file->reader->status;
    read_limits(file, &component.members, &read);
    if (json_reader_ok(file->reader) && read.enabled)
        add_limits(file, joint, &read);
    return file->reader->status;
}

/* ---------------------------------------------------------------- drives */

/*
 * Computes the target between the two frames from the stored one, which is the child's pose relative to the
 * parent.
 */
static void set_target(const mmd_phys_joint *joint, const mmd_transform *pose, mmd_transform *target)
{
    mmd_transform_inverse(&joint->frame_a, target);
    mmd_transform_multiply(target, pose, target);
    mmd_transform_multiply(target, &joint->frame_b, target);
}

static mmd_status read_drive(const ragdoll_file *file, const json_ref *members, mmd_phys_drive *drive,
                             mmd_transform *pose)
{
    static const float none[2] = {0, 0};
    float linear[2], angular[2];
    json_read_bool(file->reader, members, "enabled", true, &drive->enabled);
    json_read_bool(file->reader, members, "acceleration", true, &drive->acceleration);
    read_gains(file, members, "linearStiffness", "linearDamping", none, linear);
    read_gains(file, members, "angularStiffness", "angularDamping", none, angular);
    read_matrix(file, members, "target", false, pose);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    float size = drive->acceleration ? 1.0f : UNITS_PER_CM * UNITS_PER_CM;
    drive->kind = MMD_DRIVE_POSE;
    drive->max_force = INFINITY;
    drive->stiffness = linear[0];
    drive->damping = linear[1];
    drive->angular_stiffness = size * angular[0];
    drive->angular_damping = size * angular[1];
    return MMD_OK;
}

/* Reads the drive of a joint. A joint to the world has the solver's transform as its parent's pose. */
static mmd_status read_drive_component(ragdoll_file *file, const ragdoll_entity *entity, uint32_t number)
{
    ragdoll_component component;
    mmd_transform pose;
    mmd_phys_drive read = {.enabled = true}, *drive;
    find_component(file, entity, "DriveComponent", &component);
    if (!json_reader_ok(file->reader) || !component.members.value)
        return file->reader->status;
    read_drive(file, &component.members, &read, &pose);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    scene_add_drive(&file->builder, &drive);
    if (file->builder.failed)
        return MMD_OK; /* scene_builder_finish reports it */
    mmd_phys_joint *joint = &file->builder.scene.joints[number];
    if (joint->body_a < 0)
        mmd_transform_multiply(&file->solver, &pose, &pose);
    set_target(joint, &pose, &read.target);
    *drive = read;
    joint->drive_count = 1;
    return MMD_OK;
}

/* ---------------------------------------------------------------- joints */

/* Reads one end of a joint: its body; -1: the world, as which the solver's entity counts, too. */
static mmd_status read_end(ragdoll_file *file, const json_ref *members, const char *key,
                           mmd_phys_joint *joint, int32_t *body, mmd_transform *frame)
{
    int32_t entity;
    read_entity(file, members, key, true, &entity);
    if (!json_reader_ok(file->reader))
        return file->reader->status;
    bool none = entity == -2 || (entity >= 0 && file->items[entity].body < 0 && !file->items[entity].solver);
    json_ref ref = json_ref_member(members, key);
    if (none) {
        losses_add_at(&file->document->losses, MMD_LOSS_DROPPED, MMD_EXCHANGE_RAGDOLL, "ref.dangling", &ref,
                      key, "");
        joint->disabled = true;
    }
    *body = entity >= 0 ? file->items[entity].body : -1;
    if (entity >= 0 && file->items[entity].solver)
        mmd_transform_multiply(&file->solver, frame, frame);
    return MMD_OK;
}

static mmd_status read_joint(ragdoll_file *file, const json_ref *members, mmd_phys_joint *joint)
{
    bool enabled = true, no_collision = false;
    read_matrix(file, members, "parentFrame", true, &joint->frame_a);
    read_matrix(file, members, "childFrame", true, &joint->frame_b);
    read_end(file, members, "parent", joint, &joint->body_a, &joint->frame_a);
    read_end(file, members, "child", joint, &joint->body_b, &joint->frame_b);
    json_read_bool(file->reader, members, "enabled", true, &enabled);
    json_read_bool(file->reader, members, "disableCollision", true, &no_collision);
    joint->collide = !no_collision;
    joint->disabled = joint->disabled || !enabled || joint->body_a == joint->body_b;
    return file->reader->status;
}

static mmd_status read_name(ragdoll_file *file, const ragdoll_entity *entity, mmd_phys_joint *joint)
{
    ragdoll_component named;
    find_component(file, entity, "NameComponent", &named);
    json_read_text(file->reader, &named.members, "value", &joint->name);
    json_read_text(file->reader, &named.members, "path", &joint->path);
    return file->reader->status;
}

static mmd_status add_joint(ragdoll_file *file, const ragdoll_entity *entity, const json_ref *members)
{
    mmd_phys_joint *joint;
    mmd_exchange_item *item;
    uint32_t number = scene_add_joint(&file->builder, &joint, &item);
    if (file->builder.failed)
        return MMD_OK; /* scene_builder_finish reports it */
    item->entity = copy_key(file, entity);
    read_joint(file, members, joint);
    read_name(file, entity, joint);
    read_limit_component(file, entity, number);
    read_drive_component(file, entity, number);
    return file->reader->status;
}

static mmd_status read_joints(ragdoll_file *file)
{
    assert(file);
    for (uint32_t i = 0; i < file->count && json_reader_ok(file->reader); i++) {
        ragdoll_component joint;
        find_component(file, &file->items[i], "JointComponent", &joint);
        if (joint.members.value)
            add_joint(file, &file->items[i], &joint.members);
    }
    return file->reader->status;
}

/* ----------------------------------------------------------------- model */

/* Makes one bone per body, without parents, because physics moves the bodies. */
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

/* Makes the model: bones, and a mesh of the shapes. */
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

/* Checks the schema; reads the version of Ragdoll. */
static mmd_status read_version(ragdoll_file *file)
{
    const char *schema;
    json_ref info;
    json_read_text(file->reader, &file->root, "schema", &schema);
    if (strncmp(schema, "ragdoll-1.", 10) != 0 && schema[0])
        return json_ref_fail(file->reader, &file->root, MMD_ERROR_UNSUPPORTED, "has the schema \"%.40s\"",
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
    read_bodies(file);
    read_joints(file);
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
        status = scene_builder_finish(&file.builder, document, reader->error);
    else
        scene_builder_discard(&file.builder);
    if (status == MMD_OK)
        status = make_model(&file);
    mmd_free(file.items);
    mmd_free(file.by_id);
    mmd_free(file.colors);
    return status;
}
