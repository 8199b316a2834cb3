/*
 * Reads bodies of a glTF: their motions, which KHR and OMI write almost alike, and the shapes that belong to
 * them.
 *
 * Space (docs/formats.md 4): a node's own axes, mirrored in Z. Positions and linear velocities become (x, y,
 * -z) / 0.08, angular velocities (-x, -y, z), principal axes of inertia are rotated by (-x, -y, z, w).
 * Moments of inertia are unchanged by mirroring, in kg (0.08 m)^2. Velocities are in the node's axes in
 * metres per second, with the rotations of its ancestors but not their scales. A centre of mass is a point of
 * the node and is scaled with it.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "physics.h"

/* Rotates a vector from the node's axes to the world's. */
static void to_world(const mmd_transform *rest, float vector[3])
{
    mmd_transform turn = *rest;
    memset(turn.translation, 0, sizeof turn.translation);
    mmd_transform_point(&turn, vector, vector);
}

static mmd_status read_velocities(phys_reader *reader, const json_ref *motion, mmd_phys_body *body)
{
    static const float none[3] = {0, 0, 0};
    json_reader *json = &reader->file->reader;
    float linear[3], angular[3];
    json_read_floats(json, motion, "linearVelocity", 3, none, linear);
    json_read_floats(json, motion, "angularVelocity", 3, none, angular);
    if (!json_reader_ok(json))
        return json->status;
    phys_mirror(linear, PHYS_LENGTH, body->linear_velocity);
    phys_mirror_angular(angular, body->angular_velocity);
    to_world(&body->rest, body->linear_velocity);
    to_world(&body->rest, body->angular_velocity);
    return MMD_OK;
}

/* Reads the orientation of the inertia; any length but zero is accepted. */
static mmd_status read_orientation(const phys_reader *reader, const json_ref *motion, float rotation[4])
{
    static const float identity[4] = {0, 0, 0, 1};
    float q[4];
    json_reader *json = &reader->file->reader;
    json_read_floats(json, motion, "inertiaOrientation", 4, identity, q);
    if (!json_reader_ok(json))
        return json->status;
    double length =
        sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3]);
    if (!(length > 1e-6)) {
        json_ref at = json_ref_member(motion, "inertiaOrientation");
        return json_ref_fail(json, &at, MMD_ERROR_VALUE, "a rotation of length %g", length);
    }
    for (int i = 0; i < 4; i++)
        rotation[i] = (float)((i < 2 ? -q[i] : q[i]) / length);
    return MMD_OK;
}

/*
 * Reads the inertia. KHR: absent means computed, 0 infinite. OMI: 0 means computed; a mixture of zeros and
 * other values cannot be expressed, so all are computed.
 */
static mmd_status read_inertia(phys_reader *reader, const json_ref *motion, mmd_phys_body *body)
{
    static const float none[3] = {0, 0, 0};
    json_reader *json = &reader->file->reader;
    json_ref at = json_ref_member(motion, "inertiaDiagonal");
    float inertia[3];
    int zeros = 0;
    json_read_floats(json, motion, "inertiaDiagonal", 3, none, inertia);
    for (int i = 0; i < 3 && json_reader_ok(json); i++) {
        zeros += inertia[i] == 0;
        if (inertia[i] < 0)
            json_ref_fail(json, &at, MMD_ERROR_VALUE, "a negative inertia, %g", (double)inertia[i]);
    }
    read_orientation(reader, motion, body->inertia_rotation);
    if (!json_reader_ok(json))
        return json->status;
    body->auto_inertia = !at.value || (reader->omi && zeros > 0);
    if (at.value && reader->omi && zeros > 0 && zeros < 3)
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "inertia.dropped", &at, "inertiaDiagonal", "[0,0,0]");
    for (int i = 0; i < 3; i++)
        body->inertia[i] = inertia[i] * PHYS_SQUARE;
    return MMD_OK;
}

/* Reads the centre of mass, scaled like its node. */
static mmd_status read_center(phys_reader *reader, const json_ref *motion, uint32_t node, mmd_phys_body *body)
{
    static const float none[3] = {0, 0, 0};
    float center[3];
    json_read_floats(&reader->file->reader, motion, "centerOfMass", 3, none, center);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    body->auto_center = !reader->omi && !json_object_get(motion->value, "centerOfMass");
    for (int i = 0; i < 3; i++)
        center[i] *= reader->file->nodes[node].scale[i];
    phys_mirror(center, PHYS_LENGTH, body->center);
    return MMD_OK;
}

/* Reads the numbers of a motion, which KHR and OMI share. */
static mmd_status phys_read_motion(phys_reader *reader, const json_ref *motion, uint32_t node,
                                   mmd_phys_body *body)
{
    assert(reader && motion && body);
    assert(node < reader->file->node_count);
    json_reader *json = &reader->file->reader;
    json_read_float(json, motion, "mass", 1, 0, INFINITY, &body->mass);
    body->auto_mass = !reader->omi && !json_object_get(motion->value, "mass");
    json_read_float(json, motion, "gravityFactor", 1, -INFINITY, INFINITY, &body->gravity_factor);
    read_velocities(reader, motion, body);
    read_inertia(reader, motion, body);
    return read_center(reader, motion, node, body);
}

/* ------------------------------------------------------------------- shapes */

/*
 * Shapes of a glTF: KHR_collision_shapes, KHR_implicit_shapes and OMI_physics_shape (docs/formats.md 4,
 * Shapes), scaled like their nodes.
 *
 * Heights of OMI's capsules are total and become the distance between the centres of the spheres. A plane
 * with an extent becomes a thin box below its surface. Meshes are mirrored in Z; each is made once per scale
 * in which it is used.
 */

/* Limits of points and indices in all shapes, and in the shapes of all nodes: each that has the same shape is
 * simulated, drawn and converted by itself. */
enum { POINTS_MAX = 8 * 1024 * 1024, USED_POINTS_MAX = 16 * 1024 * 1024 };

#define PLANE_THICKNESS 0.02f   /* metres */
#define PLANE_EXTENT    2000.0f /* metres; for the infinite side of a plane with one extent */

typedef struct phys_scaled {
    struct phys_scaled *next;
    float scale[3];
    bool hull;
    uint32_t mesh; /* index in the scene */
} phys_scaled;

/* A shape while it is read. */
typedef struct shape_job {
    const json_ref *ref; /* the entry of the list */
    json_ref values;     /* its member with the name of its type */
    const gltf_node *node;
    bool moving;
    mmd_phys_shape shape; /* being filled, in metres, unscaled */
} shape_job;

/* Reads a non-negative number. */
static mmd_status read_number(const phys_reader *reader, const json_ref *of, const char *key, float fallback,
                              float *out)
{
    return json_read_float(&reader->file->reader, of, key, fallback, 0, INFINITY, out);
}

static mmd_status read_sphere(phys_reader *reader, shape_job *job)
{
    return read_number(reader, &job->values, "radius", 0.5f, &job->shape.size[0]);
}

static mmd_status read_box(phys_reader *reader, shape_job *job)
{
    static const float unit[3] = {1, 1, 1};
    json_ref at = json_ref_member(&job->values, "size");
    json_reader *json = &reader->file->reader;
    json_read_floats(json, &job->values, "size", 3, unit, job->shape.size);
    for (int i = 0; i < 3 && json_reader_ok(json); i++) {
        if (job->shape.size[i] < 0)
            return json_ref_fail(json, &at, MMD_ERROR_VALUE, "a negative size, %g",
                                 (double)job->shape.size[i]);
        job->shape.size[i] *= 0.5f;
    }
    return json->status;
}

/* Reads radii and height of capsules and cylinders. Defaults: KHR 0.25, 0.25 and 0.5; OMI 0.5 and 2. */
static mmd_status read_round(phys_reader *reader, shape_job *job)
{
    float *size = job->shape.size, radius;
    read_number(reader, &job->values, "radius", reader->omi ? 0.5f : 0.25f, &radius);
    read_number(reader, &job->values, "radiusBottom", radius, &size[0]);
    read_number(reader, &job->values, "radiusTop", radius, &size[2]);
    return read_number(reader, &job->values, "height", reader->omi ? 2.0f : 0.5f, &size[1]);
}

/* Reads a capsule; OMI's total height becomes the length between the centres. */
static mmd_status read_capsule(phys_reader *reader, shape_job *job)
{
    float *size = job->shape.size;
    read_round(reader, job);
    if (!json_reader_ok(&reader->file->reader) || !reader->omi)
        return reader->file->reader.status;
    float length = size[1] - size[0] - size[2];
    if (length < 0)
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "shape.approximated", job->ref, "height", "");
    size[1] = mmd_maxf(length, 0);
    return MMD_OK;
}

/* Reads a plane; one with an extent, or on a moving body, becomes a box. */
static mmd_status read_plane(phys_reader *reader, shape_job *job)
{
    json_ref x = json_ref_member(&job->values, "sizeX"), z = json_ref_member(&job->values, "sizeZ");
    float size_x, size_z;
    read_number(reader, &job->values, "sizeX", PLANE_EXTENT, &size_x);
    read_number(reader, &job->values, "sizeZ", PLANE_EXTENT, &size_z);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    if (x.value || z.value || job->moving) {
        job->shape.kind = MMD_PHYS_BOX;
        job->shape.size[0] = size_x / 2;
        job->shape.size[1] = PLANE_THICKNESS / 2;
        job->shape.size[2] = size_z / 2;
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "shape.approximated", job->ref, "plane", "\"box\"");
    } else if (json_is_true(json_object_get(job->values.value, "doubleSided"))) {
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "shape.approximated", job->ref, "doubleSided", "false");
    }
    return MMD_OK;
}

static const struct {
    const char *text;
    mmd_phys_shape_kind kind;
    mmd_status (*read)(phys_reader *reader, shape_job *job);
} kinds[] = {
    {"sphere", MMD_PHYS_SPHERE, read_sphere},    {"box", MMD_PHYS_BOX, read_box},
    {"capsule", MMD_PHYS_CAPSULE, read_capsule}, {"cylinder", MMD_PHYS_CYLINDER, read_round},
    {"plane", MMD_PHYS_PLANE, read_plane},
};

/* --------------------------------------------------------------- scaling */

/* Returns whether two numbers differ by more than 0.1 %. */
static bool differ(float a, float b)
{
    return fabsf(a - b) > 1e-3f * mmd_maxf(fabsf(a), fabsf(b));
}

static void swap(float *a, float *b)
{
    float saved = *a;
    *a = *b;
    *b = saved;
}

/*
 * Scales a shape by the node's scale and converts it to MMD's units. Returns true when the result is only
 * approximate.
 */
static bool scale_shape(mmd_phys_shape *shape, const gltf_node *node)
{
    float s[3], *size = shape->size;
    for (int i = 0; i < 3; i++)
        s[i] = fabsf(node->scale[i]) * PHYS_LENGTH;
    bool round = shape->kind == MMD_PHYS_CAPSULE || shape->kind == MMD_PHYS_CYLINDER;
    bool uneven = differ(s[0], s[2]) || (shape->kind != MMD_PHYS_CYLINDER && differ(s[0], s[1]));
    if (shape->kind == MMD_PHYS_SPHERE) {
        size[0] *= mmd_maxf(s[0], mmd_maxf(s[1], s[2]));
    } else if (shape->kind == MMD_PHYS_BOX) {
        for (int i = 0; i < 3; i++)
            size[i] *= s[i];
    } else if (round) {
        if (node->scale[1] < 0)
            swap(&size[0], &size[2]);
        size[0] *= mmd_maxf(s[0], s[2]);
        size[2] *= mmd_maxf(s[0], s[2]);
        size[1] *= s[1];
    }
    return node->sheared || (uneven && (round || shape->kind == MMD_PHYS_SPHERE));
}

/* Adds the shape to the scene, in the frame of its body. */
static mmd_status add_placed_shape(phys_reader *reader, shape_job *job, const mmd_transform *rest)
{
    mmd_phys_shape *added = NULL;
    scene_add_shape(&reader->builder, &added);
    if (reader->builder.failed)
        return phys_no_memory(reader);
    float sink = job->shape.size[1];
    bool plane = json_object_get(job->ref->value, "plane") && job->shape.kind == MMD_PHYS_BOX;
    added->kind = job->shape.kind;
    added->mesh = job->shape.mesh;
    added->name = job->node->name;
    added->path = job->node->path;
    memcpy(added->size, job->shape.size, sizeof added->size);
    mmd_transform inverse;
    mmd_transform_inverse(rest, &inverse);
    if (memcmp(rest, &job->node->rest, sizeof *rest) !=
        0) /* otherwise exactly the identity, without rounding errors */
        mmd_transform_multiply(&inverse, &job->node->rest, &added->frame);
    if (plane) { /* the box's upper face is at the plane */
        const float down[3] = {0, -sink, 0};
        mmd_transform_point(&added->frame, down, added->frame.translation);
    }
    return MMD_OK;
}

/* ---------------------------------------------------------------- meshes */

/* Makes a collision mesh of a geometry in a scale. */
static mmd_status make_mesh(phys_reader *reader, const json_ref *from, const gltf_geometry *geometry,
                            phys_scaled *scaled)
{
    mmd_arena *arena = reader->file->reader.arena;
    uint32_t index_count = scaled->hull ? 0 : geometry->index_count / 3 * 3;
    float(*points)[3] = mmd_arena_alloc(arena, geometry->point_count, sizeof *points);
    uint32_t *indices = mmd_arena_alloc(arena, index_count, sizeof *indices);
    mmd_phys_mesh *mesh = NULL;
    scaled->mesh = scene_add_mesh(&reader->builder, &mesh);
    if (!points || !indices || reader->builder.failed)
        return phys_no_memory(reader);
    for (uint32_t i = 0; i < geometry->point_count; i++) {
        float scaled_point[3];
        for (int k = 0; k < 3; k++)
            scaled_point[k] = geometry->points[i][k] * scaled->scale[k];
        phys_mirror(scaled_point, PHYS_LENGTH, points[i]);
        for (int k = 0; k < 3; k++)
            if (!(fabsf(points[i][k]) <= MMD_PHYS_LENGTH_MOST))
                return json_ref_fail(&reader->file->reader, from, MMD_ERROR_VALUE,
                                     "point %u of its mesh is too far away to be simulated", i);
    }
    /* Mirroring in Z reverses the winding, and so does a negative scale. */
    bool turn = scaled->scale[0] * scaled->scale[1] * scaled->scale[2] > 0;
    for (uint32_t i = 0; i < index_count; i += 3) {
        indices[i] = geometry->indices[i];
        indices[i + 1] = geometry->indices[i + (turn ? 2 : 1)];
        indices[i + 2] = geometry->indices[i + (turn ? 1 : 2)];
    }
    *mesh = (mmd_phys_mesh){.point_count = geometry->point_count,
                            .points = (const float(*)[3])points,
                            .index_count = index_count,
                            .indices = indices};
    return MMD_OK;
}

/* Returns the collision mesh of a mesh of the file in a scale, which is made on first use. */
static mmd_status find_scaled(phys_reader *reader, const json_ref *from, phys_mesh *mesh,
                              const float scale[3], bool hull, uint32_t *out)
{
    uint64_t points = (uint64_t)mesh->geometry.point_count + (hull ? 0 : mesh->geometry.index_count);
    reader->used_points += points;
    if (reader->used_points > USED_POINTS_MAX)
        return json_ref_fail(&reader->file->reader, from, MMD_ERROR_LIMIT,
                             "more than %d points and indices in the shapes of all nodes", USED_POINTS_MAX);
    for (phys_scaled *known = mesh->scaled; known; known = known->next) {
        if (memcmp(known->scale, scale, sizeof known->scale) == 0 && known->hull == hull) {
            *out = known->mesh;
            return MMD_OK;
        }
    }
    reader->point_count += points;
    if (reader->point_count > POINTS_MAX)
        return json_ref_fail(&reader->file->reader, from, MMD_ERROR_LIMIT,
                             "more than %d points and indices in all shapes", POINTS_MAX);
    phys_scaled *scaled = mmd_arena_alloc(reader->file->reader.arena, 1, sizeof *scaled);
    if (!scaled)
        return phys_no_memory(reader);
    *scaled = (phys_scaled){.next = mesh->scaled, .hull = hull};
    memcpy(scaled->scale, scale, sizeof scaled->scale);
    make_mesh(reader, from, &mesh->geometry, scaled);
    mesh->scaled = scaled;
    *out = scaled->mesh;
    return reader->file->reader.status;
}

/* Adds a shape from a mesh: its triangles or its hull. */
static mmd_status phys_add_mesh(phys_reader *reader, const json_ref *from, int32_t number, bool hull,
                                uint32_t node, const mmd_transform *rest, bool moving, bool *added)
{
    assert(reader && added);
    assert(node < reader->file->node_count);
    shape_job job = {.ref = from, .node = &reader->file->nodes[node], .moving = moving};
    *added = false;
    if (number < 0)
        return phys_read_loss(reader, MMD_LOSS_DROPPED, "mesh.missing", from, "mesh", "");
    phys_mesh *mesh = &reader->meshes[number];
    if (!mesh->read)
        gltf_read_geometry(reader->file, from, number, &mesh->geometry);
    mesh->read = true;
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    bool empty = mesh->geometry.point_count == 0 || (!hull && mesh->geometry.index_count < 3);
    if (empty)
        return phys_read_loss(reader, MMD_LOSS_DROPPED, "mesh.missing", from, "mesh", "");
    uint32_t made = 0;
    find_scaled(reader, from, mesh, job.node->scale, hull, &made);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    job.shape.kind = hull ? MMD_PHYS_HULL : MMD_PHYS_MESH;
    job.shape.mesh = (int32_t)made;
    if (job.node->sheared)
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "shape.approximated", from, "scale", "");
    if (moving && !hull)
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "shape.approximated", from, "trimesh", "\"convex\"");
    *added = true;
    return add_placed_shape(reader, &job, rest);
}

/* ---------------------------------------------------------------- adding */

mmd_status phys_add_shape(phys_reader *reader, const json_ref *shape, uint32_t node,
                          const mmd_transform *rest, bool moving, bool *added)
{
    assert(reader && shape && added);
    assert(node < reader->file->node_count);
    const char *type = "";
    shape_job job = {.ref = shape, .node = &reader->file->nodes[node], .moving = moving};
    json_read_text(&reader->file->reader, shape, "type", &type);
    job.shape.mesh = -1;
    *added = false;
    bool hull = strcmp(type, "convex") == 0, mesh = strcmp(type, "trimesh") == 0;
    json_read_kind(&reader->file->reader, shape, type, JSON_OBJECT, &job.values);
    if (json_reader_ok(&reader->file->reader) && (hull || mesh)) {
        int32_t number;
        phys_read_index(reader, &job.values, "mesh", reader->mesh_count, &number);
        return phys_add_mesh(reader, shape, number < 0 ? job.node->mesh : number, hull, node, rest, moving,
                             added);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && json_reader_ok(&reader->file->reader); i++) {
        if (strcmp(type, kinds[i].text) != 0)
            continue;
        job.shape.kind = (uint8_t)kinds[i].kind;
        kinds[i].read(reader, &job);
        if (!json_reader_ok(&reader->file->reader))
            break;
        if (scale_shape(&job.shape, job.node))
            phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "shape.approximated", shape, "scale", "");
        *added = true;
        return add_placed_shape(reader, &job, rest);
    }
    if (json_reader_ok(&reader->file->reader))
        phys_read_loss(reader, MMD_LOSS_DROPPED, "shape.approximated", shape, "type", "");
    return reader->file->reader.status;
}

/* ------------------------------------------------------------- colliders */

/* Reads the geometry of KHR's current form: an implicit shape or the mesh of a node. */
static mmd_status read_geometry(phys_reader *reader, const json_ref *geometry, uint32_t node,
                                const mmd_transform *rest, bool moving, bool *added)
{
    gltf_file *file = reader->file;
    int32_t shape, other;
    bool hull;
    phys_read_index(reader, geometry, "shape", json_ref_count(&reader->implicit), &shape);
    phys_read_index(reader, geometry, "node", file->node_count, &other);
    json_read_bool(&file->reader, geometry, "convexHull", false, &hull);
    if (!json_reader_ok(&file->reader))
        return file->reader.status;
    if (shape >= 0) {
        json_ref entry = json_ref_element(&reader->implicit, (size_t)shape);
        return phys_add_shape(reader, &entry, node, rest, moving, added);
    }
    /* Early files name the mesh itself. */
    int32_t mesh = -1;
    phys_read_index(reader, geometry, "mesh", reader->mesh_count, &mesh);
    if (other >= 0)
        mesh = file->nodes[other].mesh;
    return phys_add_mesh(reader, geometry, mesh, hull, node, rest, moving, added);
}

/* Returns the list that `shape` indexes: that of the file's dialect, or whichever exists. */
static const json_ref *shape_list(const phys_reader *reader)
{
    return reader->shapes.value || !reader->implicit.value ? &reader->shapes : &reader->implicit;
}

/*
 * Reads the shape of a node's collider or trigger and adds it to the body at `rest`, if it has one. moving:
 * the body is not static.
 */
static mmd_status phys_read_shape(phys_reader *reader, const json_ref *collider, uint32_t node, bool trigger,
                                  const mmd_transform *rest, bool moving)
{
    assert(reader && collider);
    assert(node < reader->file->node_count);
    const json_ref *list = shape_list(reader);
    json_ref geometry;
    int32_t shape = -1, material = -1, filter = -1;
    bool added = false;
    json_read_kind(&reader->file->reader, collider, "geometry", JSON_OBJECT, &geometry);
    phys_read_index(reader, collider, "shape", json_ref_count(list), &shape);
    phys_read_index(reader, collider, "physicsMaterial", json_ref_count(&reader->materials), &material);
    phys_read_index(reader, collider, "collisionFilter", json_ref_count(&reader->filters), &filter);
    if (json_reader_ok(&reader->file->reader) && shape >= 0) {
        json_ref entry = json_ref_element(list, (size_t)shape);
        phys_add_shape(reader, &entry, node, rest, moving, &added);
    } else if (json_reader_ok(&reader->file->reader) && geometry.value) {
        read_geometry(reader, &geometry, node, rest, moving, &added);
    } else if (json_reader_ok(&reader->file->reader) && !trigger && !reader->omi) {
        phys_read_loss(reader, MMD_LOSS_DROPPED, "mesh.missing", collider, "shape", "");
    }
    if (!json_reader_ok(&reader->file->reader) || !added)
        return reader->file->reader.status;
    mmd_phys_shape *made = &reader->builder.scene.shapes[reader->builder.scene.shape_count - 1];
    made->trigger = trigger;
    made->material = material;
    made->filter = filter;
    return MMD_OK;
}

/* ---------------------------------------------------------------- bodies */

static const struct {
    const char *text;
    mmd_phys_motion motion;
} omi_types[] = {
    {"static", MMD_PHYS_STATIC}, {"kinematic", MMD_PHYS_KINEMATIC}, {"dynamic", MMD_PHYS_DYNAMIC}};

/* Reads OMI's type of motion; older files without a type are dynamic. */
static mmd_status read_omi_type(const phys_reader *reader, const json_ref *motion, uint8_t *out)
{
    const char *type = "";
    json_read_text(&reader->file->reader, motion, "type", &type);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    *out = MMD_PHYS_DYNAMIC;
    if (!*type)
        return MMD_OK;
    for (size_t i = 0; i < sizeof omi_types / sizeof omi_types[0]; i++) {
        if (strcmp(type, omi_types[i].text) == 0) {
            *out = (uint8_t)omi_types[i].motion;
            return MMD_OK;
        }
    }
    json_ref at = json_ref_member(motion, "type");
    return json_ref_fail(&reader->file->reader, &at, MMD_ERROR_VALUE, "unknown type of motion: %.40s", type);
}

/* Reads the type of motion. */
static mmd_status read_type(const phys_reader *reader, const json_ref *motion, uint8_t *out)
{
    if (reader->omi)
        return read_omi_type(reader, motion, out);
    bool kinematic;
    json_read_bool(&reader->file->reader, motion, "isKinematic", false, &kinematic);
    if (json_reader_ok(&reader->file->reader))
        *out = kinematic ? MMD_PHYS_KINEMATIC : MMD_PHYS_DYNAMIC;
    return reader->file->reader.status;
}

/* Reads damping from our extras, because no dialect has it (docs/formats.md 4, Bodies). */
static void read_damping(const gltf_file *file, uint32_t number, mmd_phys_body *body)
{
    const json_t *node = json_array_get(json_object_get(file->root.value, "nodes"), number);
    const json_t *extras = json_object_get(json_object_get(node, "extras"), "mmd");
    const struct {
        const char *key;
        float *out;
    } numbers[] = {{"linearDamping", &body->linear_damping}, {"angularDamping", &body->angular_damping}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        float value = 0;
        const json_t *found = json_object_get(extras, numbers[i].key);
        if (json_is_number(found) && json_float_value(found, &value) && isfinite(value))
            *numbers[i].out = value;
    }
}

/* Fills a body from its node and its motion. */
static mmd_status fill_body(phys_reader *reader, uint32_t number, mmd_phys_body *body)
{
    const gltf_node *node = &reader->file->nodes[number];
    phys_extension ref;
    body->name = node->name;
    body->path = node->path;
    body->bone = (int32_t)number;
    body->rest = node->rest;
    body->motion = MMD_PHYS_STATIC;
    if (reader->nodes[number].motion && phys_find_extension(reader, number, reader->extension, &ref)) {
        json_ref motion = json_ref_member(&ref.physics, "motion");
        read_type(reader, &motion, &body->motion);
        phys_read_motion(reader, &motion, number, body);
        read_damping(reader->file, number, body);
    }
    /*
     * Animation takes precedence over simulation: what the animation moves is kinematic. A body with a motion
     * of its own below an animated node is simulated, unless the animation moves that node itself.
     */
    if (node->moves || (node->animated && !reader->nodes[number].motion))
        body->motion = MMD_PHYS_KINEMATIC;
    return reader->file->reader.status;
}

/* Adds the collider and the trigger of a node to a body. */
static mmd_status add_shapes_of(phys_reader *reader, uint32_t number, const mmd_phys_body *body)
{
    phys_extension ref;
    bool moving = body->motion != MMD_PHYS_STATIC;
    if (!phys_find_extension(reader, number, reader->extension, &ref))
        return MMD_OK;
    json_ref collider = json_ref_member(&ref.physics, "collider");
    json_ref trigger = json_ref_member(&ref.physics, "trigger");
    if (collider.value)
        phys_read_shape(reader, &collider, number, false, &body->rest, moving);
    if (trigger.value && json_reader_ok(&reader->file->reader))
        phys_read_shape(reader, &trigger, number, true, &body->rest, moving);
    return reader->file->reader.status;
}

/* Makes the body of a node with all its shapes. */
static mmd_status make_body(phys_reader *reader, uint32_t number)
{
    phys_node *node = &reader->nodes[number];
    mmd_phys_body *body = NULL;
    mmd_exchange_item *item = NULL;
    uint32_t made = scene_add_body(&reader->builder, &body, &item);
    if (reader->builder.failed)
        return phys_no_memory(reader);
    item->node = (int32_t)number;
    node->body = (int32_t)made;
    fill_body(reader, number, body);
    bool solid = node->motion || node->gathers;
    for (int32_t i = node->first; i >= 0 && json_reader_ok(&reader->file->reader);
         i = reader->nodes[i].next) {
        solid = solid || reader->nodes[i].collider;
        add_shapes_of(reader, (uint32_t)i, body);
    }
    body->shape_count = reader->builder.scene.shape_count - body->first_shape;
    node->solid = solid && !(node->trigger && !node->motion && !node->collider) ? (int32_t)made : -1;
    return reader->builder.failed ? phys_no_memory(reader) : reader->file->reader.status;
}

mmd_status phys_bodies(phys_reader *reader)
{
    assert(reader);
    for (uint32_t i = 0; i < reader->file->node_count && json_reader_ok(&reader->file->reader); i++) {
        const phys_node *node = &reader->nodes[i];
        bool collects =
            node->gathers && (node->collider_parent == (int32_t)i || node->trigger_parent == (int32_t)i);
        if (node->motion || node->first >= 0 || collects)
            make_body(reader, i);
    }
    for (uint32_t k = 0; k < reader->file->node_count && json_reader_ok(&reader->file->reader); k++) {
        uint32_t i = reader->order[k];
        int32_t parent = reader->file->nodes[i].parent;
        if (reader->nodes[i].solid < 0 && parent >= 0)
            reader->nodes[i].solid = reader->nodes[parent].solid;
    }
    return reader->file->reader.status;
}
