/*
 * Writes bodies to their nodes: motion and shapes (docs/formats.md 4, Bodies and Shapes).
 *
 * A shape is on its body's node if its frame is the body's, else on a node below. A static body has no motion
 * in KHR: colliders are static when nothing above them moves, so a static body with several shapes becomes
 * several bodies, which behave the same. Several triggers without a body become a compound trigger.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/elementary.h"
#include "write_physics.h"

/* A body while it is written. */
typedef struct body_job {
    phys_writer *writer;
    const mmd_phys_body *body;
    uint32_t number;
    int32_t node;
    bool moving;
    uint32_t colliders, triggers; /* shapes that touch or report */
    bool plain;                   /* all of them fit on the body's own node */
} body_job;

static void body_loss(const body_job *job, mmd_loss_severity severity, const char *code, const char *field,
                      const char *source, const char *emitted)
{
    phys_write_loss(job->writer, severity, code, field, source, emitted);
}

static const mmd_phys_shape *shape_at(const body_job *job, uint32_t i)
{
    return &job->writer->scene->shapes[job->body->first_shape + i];
}

/* Returns whether a frame is the identity, within rounding. */
static bool is_identity(const mmd_transform *frame)
{
    const float *q = frame->rotation, *t = frame->translation;
    for (int k = 0; k < 3; k++)
        if (fabsf(q[k]) > 1e-6f || fabsf(t[k]) > 1e-5f)
            return false;
    return true;
}

/* --------------------------------------------------------------------- mass */

/*
 * Volume and centre of a body's shapes, for OMI, where masses and centres of mass cannot be computed from
 * shapes. Solids are summed as in physics/bullet/shapes.cpp. A mesh counts as its hull, in tetrahedra from
 * its first point (D. Eberly, "Polyhedral mass properties", 2002).
 */

static const float pi = 3.14159265f;

/* Returns the volume of a frustum along Y, and how far its centroid is above its middle. */
static float frustum(float bottom, float top, float height, float *middle)
{
    float sum = bottom * bottom + bottom * top + top * top;
    *middle =
        sum > 0 ? height * (bottom * bottom + 2 * bottom * top + 3 * top * top) / (4 * sum) - height / 2 : 0;
    return pi * height / 3 * sum;
}

/*
 * Returns volume and centroid of a round shape. A tapered capsule is approximated by a frustum with half
 * balls, which is sufficient for a mass that was not specified.
 */
static float round_volume(const mmd_phys_shape *shape, float center[3])
{
    const float *size = shape->size;
    float volume = frustum(size[0], size[2], size[1], &center[1]);
    if (shape->kind == MMD_PHYS_CYLINDER)
        return volume;
    float low = 2 * pi / 3 * size[0] * size[0] * size[0], high = 2 * pi / 3 * size[2] * size[2] * size[2];
    float moment =
        volume * center[1] + high * (size[1] / 2 + 0.375f * size[2]) - low * (size[1] / 2 + 0.375f * size[0]);
    volume += low + high;
    center[1] = volume > 0 ? moment / volume : 0;
    return volume;
}

/* Returns six times the signed volume of a tetrahedron. */
static double six_volumes(const float *o, const float *a, const float *b, const float *c)
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)a[k] - (double)o[k];
        v[k] = (double)b[k] - (double)o[k];
        w[k] = (double)c[k] - (double)o[k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* Returns volume and centroid of a hull. */
static float hull_volume(const mmd_phys_mesh *mesh, float center[3])
{
    uint32_t *indices = NULL, count = 0;
    double volume = 0, sum[3] = {0, 0, 0};
    if (!mmd_hull_triangles(mesh->points, mesh->point_count, &indices, &count))
        return 0;
    const float *o = mesh->points[indices[0]];
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        const float *a = mesh->points[indices[i]], *b = mesh->points[indices[i + 1]],
                    *c = mesh->points[indices[i + 2]];
        double six = six_volumes(o, a, b, c);
        volume += six;
        for (int k = 0; k < 3; k++)
            sum[k] += six * ((double)o[k] + (double)a[k] + (double)b[k] + (double)c[k]) / 4;
    }
    mmd_free(indices);
    for (int k = 0; k < 3; k++)
        center[k] = volume != 0 ? (float)(sum[k] / volume) : 0;
    return (float)fabs(volume / 6);
}

static float shape_volume(const mmd_physscene *scene, const mmd_phys_shape *shape, float center[3])
{
    const float *size = shape->size;
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        return 4 * pi / 3 * size[0] * size[0] * size[0];
    case MMD_PHYS_BOX:
        return 8 * size[0] * size[1] * size[2];
    case MMD_PHYS_CAPSULE:
    case MMD_PHYS_CYLINDER:
        return round_volume(shape, center);
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        return hull_volume(&scene->meshes[shape->mesh], center);
    case MMD_PHYS_PLANE:
        break;
    }
    return 0;
}

/* Returns the volume of all shapes except triggers, in cubic units, and its centroid. */
static float phys_body_volume(phys_writer *writer, const mmd_phys_body *body, float center[3])
{
    assert(writer && body);
    float total = 0, sum[3] = {0, 0, 0};
    for (uint32_t i = 0; i < body->shape_count; i++) {
        const mmd_phys_shape *shape = &writer->scene->shapes[body->first_shape + i];
        float middle[3] = {0, 0, 0};
        if (shape->trigger)
            continue;
        float volume = shape_volume(writer->scene, shape, middle);
        mmd_transform_point(&shape->frame, middle, middle);
        total += volume;
        for (int k = 0; k < 3; k++)
            sum[k] += volume * middle[k];
    }
    for (int k = 0; k < 3; k++)
        center[k] = total > 0 ? sum[k] / total : 0;
    return total;
}

/* ------------------------------------------------------------------- shapes */

/*
 * Shapes, colliders and triggers (docs/formats.md 4, Shapes), the inverse of physics_body.c. A node's scale
 * is removed from a shape as the reader applies it. Heights of OMI's capsules are total.
 *
 * Hulls and triangles are meshes: of the shape itself, or, in KHR's current dialect, of a node outside of the
 * scene, so that nothing draws it.
 */

/* Half sizes, in MMD's units, of the box that replaces a plane: 200 m by 1 m. */
#define PLANE_REACH (100.0f / METRES_PER_UNIT)
#define PLANE_DEPTH (0.5f / METRES_PER_UNIT)

/* Returns whether a round shape has two different radii. */
static bool tapers(const mmd_phys_shape *shape)
{
    bool round = shape->kind == MMD_PHYS_CAPSULE || shape->kind == MMD_PHYS_CYLINDER;
    return round && shape->size[0] != shape->size[2];
}

mmd_phys_shape phys_dialect_shape(const phys_writer *writer, const mmd_phys_shape *shape, bool moving)
{
    assert(writer && shape);
    static const float down[3] = {0, -PLANE_DEPTH, 0};
    mmd_phys_shape dialect_shape = *shape;
    if (shape->kind == MMD_PHYS_PLANE && (writer->omi || !writer->newer || moving)) {
        dialect_shape.kind = MMD_PHYS_BOX;
        dialect_shape.size[0] = dialect_shape.size[2] = PLANE_REACH;
        dialect_shape.size[1] = PLANE_DEPTH;
        mmd_transform_point(&shape->frame, down, dialect_shape.frame.translation);
    }
    if (writer->omi && tapers(shape))
        dialect_shape.size[0] = dialect_shape.size[2] = mmd_maxf(shape->size[0], shape->size[2]);
    bool flat = shape->kind == MMD_PHYS_CAPSULE && shape->size[1] <= 0 && !tapers(&dialect_shape);
    if (flat && !writer->omi && writer->newer)
        dialect_shape.kind = MMD_PHYS_SPHERE; /* KHR's current schema requires capsules longer than 0 */
    return dialect_shape;
}

/* Reports what a shape lost in the dialect. */
static void report_shape_loss(phys_writer *writer, const mmd_phys_shape *shape,
                              const mmd_phys_shape *dialect_shape)
{
    assert(writer && shape && dialect_shape);
    if (shape->kind == MMD_PHYS_PLANE && dialect_shape->kind == MMD_PHYS_BOX)
        phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "shape.approximated", "plane", "\"plane\"", "\"box\"");
    if (tapers(shape) && !tapers(dialect_shape))
        phys_write_loss(writer, MMD_LOSS_APPROXIMATED, "shape.approximated", "radiusTop", "two radii",
                        "the larger one");
}

/* ----------------------------------------------------------------- scale */

/* Returns the absolute scale; 1 for one that is 0 or almost 1. */
static float size_of(float scale)
{
    float size = fabsf(scale);
    return size > 1e-12f && fabsf(size - 1) > 1e-5f ? size : 1;
}

/* Removes the node's scale, which the reader will apply. */
static void unscale(mmd_phys_shape *shape, const float scale[3])
{
    float s[3], *size = shape->size;
    for (int k = 0; k < 3; k++)
        s[k] = size_of(scale[k]);
    float across = mmd_maxf(s[0], s[2]);
    if (shape->kind == MMD_PHYS_SPHERE) {
        size[0] /= mmd_maxf(across, s[1]);
    } else if (shape->kind == MMD_PHYS_BOX) {
        for (int k = 0; k < 3; k++)
            size[k] /= s[k];
    } else if (shape->kind == MMD_PHYS_CAPSULE || shape->kind == MMD_PHYS_CYLINDER) {
        float bottom = size[scale[1] < 0 ? 2 : 0] / across, top = size[scale[1] < 0 ? 0 : 2] / across;
        size[0] = bottom;
        size[1] /= s[1];
        size[2] = top;
    }
}

/* ---------------------------------------------------------------- meshes */

/* Reverses the winding of triangles. */
static void turn_around(uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        uint32_t saved = indices[i + 1];
        indices[i + 1] = indices[i + 2];
        indices[i + 2] = saved;
    }
}

/*
 * Returns a copy of a mesh with the node's scale removed; mirrored ones get reversed winding. points is NULL
 * when out of memory.
 */
static mmd_phys_mesh unscaled_mesh(const mmd_phys_mesh *mesh, const float scale[3], mmd_arena *arena)
{
    float(*points)[3] = mmd_arena_alloc(arena, mesh->point_count, sizeof *points);
    uint32_t *indices = mmd_arena_alloc(arena, mesh->index_count, sizeof *indices);
    mmd_phys_mesh made = {.point_count = mesh->point_count, .index_count = mesh->index_count};
    if (!points || !indices)
        return made;
    for (uint32_t i = 0; i < mesh->point_count; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = mesh->points[i][k] / copysignf(size_of(scale[k]), scale[k]);
    if (mesh->index_count)
        memcpy(indices, mesh->indices, mesh->index_count * sizeof *indices);
    if (scale[0] * scale[1] * scale[2] < 0)
        turn_around(indices, mesh->index_count);
    made.points = (const float(*)[3])points;
    made.indices = indices;
    return made;
}

static bool is_scaled(const float scale[3])
{
    for (int k = 0; k < 3; k++)
        if (scale[k] < 0 || size_of(scale[k]) != 1)
            return true;
    return false;
}

/* Writes a collision mesh, with the node's scale removed. */
static int32_t add_mesh(phys_writer *writer, const mmd_phys_mesh *mesh, const float scale[3],
                        const char *name)
{
    if (!is_scaled(scale))
        return gltf_add_shape_mesh(writer->builder, mesh, name);
    mmd_arena arena = {0};
    mmd_phys_mesh made = unscaled_mesh(mesh, scale, &arena);
    int32_t number = 0;
    if (made.points)
        number = gltf_add_shape_mesh(writer->builder, &made, name);
    else
        writer->builder->failed = true;
    mmd_arena_finish(&arena);
    return number;
}

/* Adds a node with a mesh that is not in the scene. */
static int32_t add_mesh_node(phys_writer *writer, int32_t mesh, const char *name)
{
    gltf_builder *builder = writer->builder;
    int32_t node = gltf_new_node(builder);
    gltf_name_node(builder, node, name, "mesh");
    gltf_put(builder, gltf_node_json(builder, node), "mesh", json_integer(mesh));
    return node;
}

/* Returns the file's mesh of a shape (in KHR's current dialect a node with it), created once per scale. */
static int32_t mesh_of(phys_writer *writer, const mmd_phys_shape *shape, const float scale[3], int32_t node)
{
    gltf_builder *builder = writer->builder;
    bool by_node = !writer->omi && writer->newer;
    int32_t old = phys_existing_mesh(writer, shape, node);
    int32_t number = by_node && old >= 0 ? phys_existing_mesh_node(writer, shape, node, old) : old;
    if (number >= 0 || builder->failed)
        return number;
    char key[128];
    snprintf(key, sizeof key, "%d %a %a %a", shape->mesh, (double)scale[0], (double)scale[1],
             (double)scale[2]);
    const json_t *known = json_object_get(writer->meshes, key);
    if (known)
        return (int32_t)json_integer_value(known);
    const char *name = shape->name[0] ? shape->name : writer->name;
    number = old >= 0 ? old : add_mesh(writer, &writer->scene->meshes[shape->mesh], scale, name);
    if (by_node)
        number = add_mesh_node(writer, number, name);
    gltf_put(builder, writer->meshes, key, json_integer(number));
    return number;
}

/* ---------------------------------------------------------------- values */

/* The following functions return the values of a shape in metres. */
static json_t *box_values(const phys_writer *writer, const mmd_phys_shape *shape)
{
    (void)writer;
    json_t *size = json_array();
    for (int k = 0; k < 3; k++)
        json_array_append_new(size, phys_number(2 * METRES_PER_UNIT * shape->size[k]));
    return json_pack("{s:o}", "size", size);
}

static json_t *sphere_values(const phys_writer *writer, const mmd_phys_shape *shape)
{
    (void)writer;
    return json_pack("{s:o}", "radius", phys_number(METRES_PER_UNIT * shape->size[0]));
}

static json_t *round_values(const phys_writer *writer, const mmd_phys_shape *shape)
{
    float bottom = METRES_PER_UNIT * shape->size[0], top = METRES_PER_UNIT * shape->size[2];
    float height = METRES_PER_UNIT * shape->size[1];
    if (!writer->omi)
        return json_pack("{s:o, s:o, s:o}", "height", phys_number(height), "radiusBottom",
                         phys_number(bottom), "radiusTop", phys_number(top));
    if (shape->kind == MMD_PHYS_CAPSULE)
        height += bottom + top;
    return json_pack("{s:o, s:o}", "height", phys_number(height), "radius", phys_number(bottom));
}

static json_t *plane_values(const phys_writer *writer, const mmd_phys_shape *shape)
{
    (void)writer;
    (void)shape;
    return json_object();
}

static const struct {
    const char *type;
    json_t *(*values)(const phys_writer *writer, const mmd_phys_shape *shape);
} kinds[] = {
    [MMD_PHYS_SPHERE] = {"sphere", sphere_values},
    [MMD_PHYS_BOX] = {"box", box_values},
    [MMD_PHYS_CAPSULE] = {"capsule", round_values},
    [MMD_PHYS_CYLINDER] = {"cylinder", round_values},
    [MMD_PHYS_HULL] = {"convex", NULL},
    [MMD_PHYS_MESH] = {"trimesh", NULL},
    [MMD_PHYS_PLANE] = {"plane", plane_values},
};

static bool is_mesh(const mmd_phys_shape *shape)
{
    return shape->kind == MMD_PHYS_HULL || shape->kind == MMD_PHYS_MESH;
}

int32_t phys_list_shape(phys_writer *writer, const mmd_phys_shape *dialect_shape, const float scale[3],
                        int32_t node)
{
    assert(writer && dialect_shape);
    const char *type = kinds[dialect_shape->kind].type;
    mmd_phys_shape shape = *dialect_shape;
    json_t *values;
    if (is_mesh(dialect_shape) && !writer->omi && writer->newer)
        return -1;
    unscale(&shape, scale);
    if (is_mesh(dialect_shape))
        values = json_pack("{s:i}", "mesh", (int)mesh_of(writer, dialect_shape, scale, node));
    else
        values = kinds[dialect_shape->kind].values(writer, &shape);
    return phys_intern(writer, &writer->shapes, json_pack("{s:s, s:o}", "type", type, type, values));
}

/* Returns the geometry of KHR's current dialect: a shape of the list or the mesh of a node. */
static json_t *geometry(phys_writer *writer, const mmd_phys_shape *dialect_shape, const float scale[3],
                        int32_t node, int32_t listed)
{
    if (listed >= 0)
        return json_pack("{s:i}", "shape", (int)listed);
    return json_pack("{s:i, s:b}", "node", (int)mesh_of(writer, dialect_shape, scale, node), "convexHull",
                     dialect_shape->kind == MMD_PHYS_HULL);
}

/* Writes a collider or trigger to a node, with the node's scale removed. The shape's frame is not used. */
static void phys_put_shape(phys_writer *writer, const mmd_phys_shape *dialect_shape, int32_t node)
{
    assert(writer && dialect_shape);
    gltf_builder *builder = writer->builder;
    mmd_transform transform;
    float scale[3];
    if (builder->failed)
        return;
    gltf_find_transform(builder, node, &transform, scale);
    int32_t listed = phys_list_shape(writer, dialect_shape, scale, node),
            filter = phys_write_filter(writer, dialect_shape->filter);
    int32_t material = dialect_shape->trigger ? -1 : phys_write_material(writer, dialect_shape->material);
    json_t *part = phys_part(writer, node, dialect_shape->trigger ? "trigger" : "collider");
    if (!writer->omi && writer->newer)
        gltf_put(builder, part, "geometry", geometry(writer, dialect_shape, scale, node, listed));
    else
        gltf_put(builder, part, "shape", json_integer(listed));
    if (material >= 0)
        gltf_put(builder, part, "physicsMaterial", json_integer(material));
    if (filter >= 0)
        gltf_put(builder, part, "collisionFilter", json_integer(filter));
}

/*
 * Returns whether a shape can be on the body's node beside those already there: one collider, then one
 * trigger.
 */
static bool fits(const mmd_phys_shape *dialect_shape, uint32_t colliders, uint32_t triggers)
{
    return is_identity(&dialect_shape->frame) && triggers == 0 &&
           (colliders == 0 || (colliders == 1 && dialect_shape->trigger));
}

/* Counts colliders and triggers and reports the losses of shapes. */
static void count_shapes(body_job *job)
{
    job->plain = true;
    for (uint32_t i = 0; i < job->body->shape_count; i++) {
        const mmd_phys_shape *shape = shape_at(job, i);
        mmd_phys_shape dialect_shape = phys_dialect_shape(job->writer, shape, job->moving);
        if (!shape->solid)
            continue;
        report_shape_loss(job->writer, shape, &dialect_shape);
        job->plain = job->plain && fits(&dialect_shape, job->colliders, job->triggers);
        job->colliders += !shape->trigger;
        job->triggers += shape->trigger;
    }
}

/* -------------------------------------------------------------- the mass */

static void put_vector(const body_job *job, json_t *motion, const char *key, const float *values,
                       size_t count)
{
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(list, phys_number(values[k]));
    gltf_put(job->writer->builder, motion, key, list);
}

static float unscaled(float value, float scale)
{
    return fabsf(scale) > 1e-12f && fabsf(scale - 1) > 1e-5f ? value / scale : value;
}

/* Writes the centre of mass. If absent, KHR computes it from the shapes and OMI uses the node's origin. */
static void put_center(const body_job *job, json_t *motion, const float center[3])
{
    mmd_transform transform;
    float scale[3], out[3];
    gltf_find_transform(job->writer->builder, job->node, &transform, scale);
    phys_to_file(center, METRES_PER_UNIT, out);
    for (int k = 0; k < 3; k++)
        out[k] = unscaled(out[k], scale[k]);
    if (!job->writer->omi || phys_any(out))
        put_vector(job, motion, "centerOfMass", out, 3);
}

/* Writes the inertia; 0 means infinite in KHR and computed in OMI. */
static void put_inertia(const body_job *job, json_t *motion)
{
    const mmd_phys_body *body = job->body;
    float inertia[3], turn[4];
    bool endless = false;
    for (int k = 0; k < 3; k++) {
        inertia[k] = body->inertia[k] * PHYS_SQUARE_METRES;
        endless = endless || body->inertia[k] == 0;
        turn[k] = k < 2 ? 0 - body->inertia_rotation[k] : body->inertia_rotation[k];
    }
    turn[3] = body->inertia_rotation[3];
    if (endless && job->writer->omi) {
        body_loss(job, phys_any(inertia) ? MMD_LOSS_APPROXIMATED : MMD_LOSS_DROPPED, "inertia.dropped",
                  "inertiaDiagonal", "infinite", "computed");
        return;
    }
    put_vector(job, motion, "inertiaDiagonal", inertia, 3);
    if (phys_any(turn))
        put_vector(job, motion, "inertiaOrientation", turn, 4);
}

static bool has_non_solid_shape(const body_job *job)
{
    for (uint32_t i = 0; i < job->body->shape_count; i++)
        if (!shape_at(job, i)->solid && phys_any(shape_at(job, i)->size))
            return true;
    return false;
}

/* Writes mass, centre and inertia. For OMI, those that KHR computes are computed here, with 1,000 kg/m^3. */
static void put_mass(const body_job *job, json_t *motion)
{
    const mmd_phys_body *body = job->body;
    bool dynamic = body->motion != MMD_PHYS_KINEMATIC, omi = job->writer->omi;
    float center[3] = {0, 0, 0}, mass = body->mass;
    if (omi && (body->auto_mass || body->auto_center)) {
        float volume = phys_body_volume(job->writer, body, center);
        float metres = volume * METRES_PER_UNIT * PHYS_SQUARE_METRES;
        mass = !body->auto_mass ? mass : metres > 0 ? 1000 * metres : 1;
    }
    if (omi || (!body->auto_mass && (dynamic || mass > 0)))
        gltf_put(job->writer->builder, motion, "mass", phys_number(mass));
    if (!body->auto_center)
        memcpy(center, body->center, sizeof center);
    if (omi || (!body->auto_center && (dynamic || phys_any(center))))
        put_center(job, motion, center);
    if (!body->auto_inertia)
        put_inertia(job, motion);
    else if (dynamic && has_non_solid_shape(job))
        body_loss(job, MMD_LOSS_APPROXIMATED, "inertia.dropped", "inertiaDiagonal",
                  "of shapes that do not collide", "");
}

/* ------------------------------------------------------------ the motion */

/* Writes the velocities, rotated from the world's axes to the node's. */
static void put_velocities(const body_job *job, json_t *motion)
{
    const float *linear = job->body->linear_velocity, *angular = job->body->angular_velocity;
    mmd_transform turn = job->body->rest;
    float out[3];
    memset(turn.translation, 0, sizeof turn.translation);
    mmd_transform_inverse(&turn, &turn);
    if (phys_any(linear)) {
        mmd_transform_point(&turn, linear, out);
        phys_to_file(out, METRES_PER_UNIT, out);
        put_vector(job, motion, "linearVelocity", out, 3);
    }
    if (phys_any(angular)) {
        mmd_transform_point(&turn, angular, out);
        phys_angular_to_file(out, out);
        put_vector(job, motion, "angularVelocity", out, 3);
    }
}

/* Writes the motion. */
static void put_motion(const body_job *job)
{
    static const char *const types[] = {"static", "kinematic", "dynamic", "dynamic"};
    const mmd_phys_body *body = job->body;
    gltf_builder *builder = job->writer->builder;
    json_t *motion = phys_part(job->writer, job->node, "motion");
    bool dynamic = body->motion >= MMD_PHYS_DYNAMIC;
    float gravity = body->gravity_factor * (dynamic || body->gravity_factor != 1 ? job->writer->gravity : 1);
    if (job->writer->omi)
        gltf_put(builder, motion, "type", json_string(types[body->motion]));
    else if (!dynamic)
        gltf_put(builder, motion, "isKinematic", json_true());
    if (!job->moving)
        return;
    put_mass(job, motion);
    put_velocities(job, motion);
    if (gravity != 1)
        gltf_put(builder, motion, "gravityFactor", phys_number(gravity));
    if (dynamic && (body->linear_damping != 0 || body->angular_damping != 0))
        body_loss(job, MMD_LOSS_INFO, "damping.dropped", "linearDamping", "damping", "extras");
    if (body->motion == MMD_PHYS_DYNAMIC_BONE)
        body_loss(job, MMD_LOSS_INFO, "body.bone_place", "motion", "position from its bone", "extras");
}

/* ------------------------------------------------------------ the shapes */

/* State while shapes are assigned to nodes, in the order in which a reader meets them. */
typedef struct shape_nodes {
    int32_t parent; /* parent of new nodes */
    bool own;       /* the body's node may still be used */
    bool old;       /* existing nodes may still be used, until the first new one */
    uint32_t colliders, triggers;
} shape_nodes;

/* Returns the node for a shape: an existing node below the body's, else the body's node, else a new one. */
static int32_t take_node(const body_job *job, const mmd_phys_shape *dialect_shape, shape_nodes *nodes)
{
    mmd_transform transform;
    mmd_transform_multiply(&job->body->rest, &dialect_shape->frame, &transform);
    bool fit = nodes->own && fits(dialect_shape, nodes->colliders, nodes->triggers);
    bool gathers = job->moving ||
                   (job->writer->omi && job->colliders > 0); /* otherwise the shape's node becomes the body */
    bool stays = fit && !gathers;
    int32_t node = nodes->old && !stays
                       ? phys_existing_shape(job->writer, job->node, dialect_shape->name, &transform)
                       : -1;
    if (node < 0 && fit)
        return job->node;
    nodes->own = false;
    nodes->old = node >= 0;
    const char *name = dialect_shape->name[0] ? dialect_shape->name : job->body->name;
    return node >= 0 ? node : gltf_add_node(job->writer->builder, name, "shape", nodes->parent, &transform);
}

/*
 * Writes all shapes: on the body's node if allowed and possible, else on nodes below parent. Returns the
 * first node that was used.
 */
static int32_t put_shapes(const body_job *job, int32_t parent, bool own, json_t *list)
{
    shape_nodes nodes = {.parent = parent, .own = own, .old = parent == job->node};
    int32_t first = -1;
    for (uint32_t i = 0; i < job->body->shape_count; i++) {
        mmd_phys_shape dialect_shape = phys_dialect_shape(job->writer, shape_at(job, i), job->moving);
        if (!dialect_shape.solid)
            continue;
        int32_t node = take_node(job, &dialect_shape, &nodes);
        nodes.colliders += !dialect_shape.trigger;
        nodes.triggers += dialect_shape.trigger;
        phys_put_shape(job->writer, &dialect_shape, node);
        if (list)
            json_array_append_new(list, json_integer(node));
        first = first < 0 ? node : first;
    }
    return first;
}

/* Makes another node the body's; joints will be attached to it. */
static void set_body_node(body_job *job, int32_t node)
{
    job->writer->builder->node_of_body[job->number] = job->node = node;
}

/* Writes a body that has only triggers. */
static void write_trigger(body_job *job, int32_t parent)
{
    gltf_builder *builder = job->writer->builder;
    if (parent != job->node)
        set_body_node(job, gltf_add_node(builder, job->body->name, "body", parent, &job->body->rest));
    if (job->plain) {
        put_shapes(job, job->node, true, NULL);
        return;
    }
    json_t *nodes = json_array();
    put_shapes(job, job->node, false, nodes);
    gltf_put(builder, phys_part(job->writer, job->node, "trigger"), "nodes", nodes);
}

/* Writes a static body in KHR: colliders without a motion above them are static. */
static void write_static(body_job *job, int32_t parent)
{
    if (job->colliders == 0 && job->triggers == 0) {
        body_loss(job, MMD_LOSS_INFO, "body.static_as_kinematic", "motion", "\"static\"", "\"isKinematic\"");
        put_motion(job);
    } else if (job->plain && parent == job->node) {
        put_shapes(job, job->node, true, NULL);
    } else {
        set_body_node(job, put_shapes(job, parent, false, NULL));
        if (job->colliders + job->triggers > 1)
            body_loss(job, MMD_LOSS_INFO, "shape.compound", "collider", "one static body", "several");
    }
}

/* Returns whether the body's node moves with another body. */
static bool is_carried(const body_job *job)
{
    const phys_writer *writer = job->writer;
    return (uint32_t)job->node < writer->node_count && (writer->carried[job->node] & 1);
}

/* Writes motion and shapes. */
static void write_parts(body_job *job)
{
    int32_t parent = job->moving || !is_carried(job) ? job->node : -1;
    if (!job->moving && job->colliders == 0 && job->triggers > 0) {
        write_trigger(job, parent);
    } else if (!job->moving && !job->writer->omi) {
        write_static(job, parent);
    } else {
        put_motion(job);
        put_shapes(job, job->node, true, NULL);
        if (!job->moving && job->triggers && !job->plain)
            body_loss(job, MMD_LOSS_INFO, "shape.compound", "trigger", "of the static body",
                      "a separate body");
    }
}

/* ---------------------------------------------------------------- extras */

/* Writes the values of the PMX body to extras. */
static void put_record(const body_job *job, json_t *extras)
{
    gltf_builder *builder = job->writer->builder;
    const mmd_rigid_body *body = &builder->job->model->bodies[job->number];
    const struct {
        const char *key;
        int value;
    } numbers[] = {{"bone", body->bone},
                   {"group", body->group},
                   {"mask", body->mask},
                   {"shape", body->shape},
                   {"mode", body->mode}};
    const struct {
        const char *key;
        const float *values;
        size_t count;
    } floats[] = {{"size", body->size, 3},
                  {"position", body->position, 3},
                  {"rotation", body->rotation, 3},
                  {"mass", &body->mass, 1},
                  {"linearDamping", &body->linear_damping, 1},
                  {"angularDamping", &body->angular_damping, 1},
                  {"restitution", &body->restitution, 1},
                  {"friction", &body->friction, 1}};
    gltf_put(builder, extras, "name", json_text(body->name));
    gltf_put(builder, extras, "nameEnglish", json_text(body->name_en));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        gltf_put(builder, extras, numbers[i].key, json_integer(numbers[i].value));
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++)
        gltf_put(builder, extras, floats[i].key,
                 floats[i].count == 1 ? json_from_float(*floats[i].values)
                                      : json_from_floats(floats[i].values, floats[i].count));
}

/* Writes values to extras that no dialect has. */
static void put_extras(const body_job *job)
{
    const mmd_phys_body *body = job->body;
    gltf_builder *builder = job->writer->builder;
    bool damped = body->linear_damping != 0 || body->angular_damping != 0, ghost = false;
    for (uint32_t i = 0; i < body->shape_count; i++)
        ghost = ghost || !shape_at(job, i)->solid;
    if (!damped && !ghost && !body->ccd && !body->disabled && body->motion != MMD_PHYS_DYNAMIC_BONE)
        return;
    json_t *extras = phys_extras(job->writer, builder->node_of_body[job->number]);
    if (damped) {
        gltf_put(builder, extras, "linearDamping", json_from_float(body->linear_damping));
        gltf_put(builder, extras, "angularDamping", json_from_float(body->angular_damping));
    }
    if (ghost)
        gltf_put(builder, extras, "collide", json_false());
    if (body->ccd)
        gltf_put(builder, extras, "ccd", json_true());
    if (body->disabled)
        gltf_put(builder, extras, "enabled", json_false());
    if (body->motion == MMD_PHYS_DYNAMIC_BONE)
        gltf_put(builder, extras, "keepsBonePlace", json_true());
}

/* Returns whether the body comes from a PMX. */
static bool is_pmx(const body_job *job)
{
    const write_job *source = job->writer->builder->job;
    return source->source == MMD_EXCHANGE_PMX && source->model && job->number < source->model->body_count;
}

void phys_write_body(phys_writer *writer, uint32_t number)
{
    assert(writer);
    assert(number < writer->scene->body_count);
    const mmd_phys_body *body = &writer->scene->bodies[number];
    body_job job = {.writer = writer,
                    .body = body,
                    .number = number,
                    .node = writer->builder->node_of_body[number],
                    .moving = body->motion != MMD_PHYS_STATIC};
    phys_begin_item(writer, "body", number, body->name);
    if (writer->builder->failed || job.node < 0)
        return;
    if (body->disabled) {
        body_loss(&job, MMD_LOSS_DROPPED, "body.disabled", "enabled", "false", "extras");
    } else {
        count_shapes(&job);
        write_parts(&job);
    }
    if (is_pmx(&job))
        put_record(&job, phys_extras(writer, writer->builder->node_of_body[number]));
    else
        put_extras(&job);
}

/* ------------------------------------------------------------- the ground */

/* Returns all system names that filters collide with, so that everything collides with the ground. */
static json_t *every_system(phys_writer *writer)
{
    json_t *seen = json_object(), *list = json_array();
    size_t i, k;
    json_t *filter, *name;
    json_array_foreach(writer->filters.list, i, filter)
    {
        json_array_foreach(json_object_get(filter, "collideWithSystems"), k, name)
        {
            const char *text = json_string_value(name);
            if (json_object_get(seen, text) || json_object_set_new(seen, text, json_true()) != 0)
                continue;
            json_array_append(list, name);
        }
    }
    json_decref(seen);
    return list;
}

void phys_write_ground(phys_writer *writer)
{
    assert(writer);
    gltf_builder *builder = writer->builder;
    const mmd_phys_world *world = &writer->scene->world;
    static const float scale[3] = {1, 1, 1};
    const mmd_phys_shape plane = {
        .kind = MMD_PHYS_PLANE, .frame = {.rotation = {0, 0, 0, 1}}, .mesh = -1, .name = "", .path = ""};
    phys_begin_item(writer, "world", 0, "ground");
    mmd_phys_shape dialect_shape = phys_dialect_shape(writer, &plane, false);
    dialect_shape.frame.translation[1] += world->ground_height;
    report_shape_loss(writer, &plane, &dialect_shape);
    int32_t node = phys_scene_node(writer, "ground", &dialect_shape.frame);
    int32_t shape = phys_list_shape(writer, &dialect_shape, scale, -1);
    if (writer->omi)
        gltf_put(builder, phys_part(writer, node, "motion"), "type", json_string("static"));
    json_t *collider = phys_part(writer, node, "collider"), *systems = every_system(writer);
    if (!writer->omi && writer->newer)
        gltf_put(builder, gltf_object(builder, collider, "geometry"), "shape", json_integer(shape));
    else
        gltf_put(builder, collider, "shape", json_integer(shape));
    gltf_put(builder, collider, "physicsMaterial",
             json_integer(phys_intern(writer, &writer->materials,
                                      json_pack("{s:o, s:o, s:o}", "staticFriction",
                                                json_from_float(world->ground_friction), "dynamicFriction",
                                                json_from_float(world->ground_friction), "restitution",
                                                json_from_float(world->ground_restitution)))));
    if (json_array_size(systems) > 0)
        gltf_put(builder, collider, "collisionFilter",
                 json_integer(
                     phys_intern(writer, &writer->filters, json_pack("{s:O}", "collisionSystems", systems))));
    json_decref(systems);
}
