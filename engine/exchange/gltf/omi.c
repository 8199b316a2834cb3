/*
 * Readers of the OMI extensions: OMI_physics_joint, OMI_physics_gravity and the rules of OMI_physics_joint's
 * first form.
 *
 * Joints of the first form: a node names two bodies (nodeA, nodeB) and constraints of the document. Newer
 * form: like KHR's joints. Joined bodies never collide.
 *
 * Constraints lock or limit axes (lower = upper = 0: locked). A later constraint of an axis replaces an
 * earlier one. All axes that one constraint locks become one limit, because two locked angles together hold
 * the third axis. Axes with a range become one limit each, as the extension's text ("lower and upper limit of
 * the constraint") and Godot treat them.
 *
 * A stiffness is a spring in newtons per metre, but Godot writes its unitless softness of about 0 to 2 into
 * the same field. Such limits are read as hard, and reported (docs/formats.md 2).
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exchange_internal.h"
#include "mmd/elementary.h"
#include "physics.h"

#define GODOT_SOFTNESS 2.0f

/* A constraint of the document and the axes that no later constraint has replaced. */
typedef struct omi_constraint {
    phys_limit_values values;
    uint8_t axes[2]; /* linear, angular */
} omi_constraint;

/*
 * OMI_physics_joint of the document: constraints (first form), each read and reported once, or physicsJoints.
 */
typedef struct omi_document {
    bool newer;
    json_ref root, list;
    size_t count;
    omi_constraint *constraints;
} omi_document;

/* Returns whether the file was written by odori. */
static bool is_our_generator(const char *generator)
{
    return strncmp(generator, "odori", 5) == 0;
}

/* Reads stiffness and damping; reports a stiffness that is invalid or looks like Godot's softness. */
static mmd_status read_softness(phys_reader *reader, const json_ref *ref, phys_limit_values *values)
{
    const char *generator = reader->file->document->generator;
    json_reader *json = &reader->file->reader;
    json_ref at = json_ref_member(ref, "stiffness");
    json_read_float(json, ref, "stiffness", 0, -INFINITY, INFINITY, &values->stiffness);
    json_read_float(json, ref, "damping", 1, 0, INFINITY, &values->damping);
    if (!json_reader_ok(json) || !at.value)
        return json->status;
    values->soft = true;
    bool godot = generator && strstr(generator, "Godot");
    if (values->stiffness <= 0)
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "joint.invalid", &at, "stiffness", "\"Infinity\"");
    else if ((godot || values->stiffness <= GODOT_SOFTNESS) && !(generator && is_our_generator(generator)))
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "unit.ambiguous", &at, "stiffness", "\"Infinity\"");
    else
        return MMD_OK;
    values->soft = false;
    return MMD_OK;
}

/*
 * Reads a constraint. Invalid ones have no effect: without axes, or with a lower limit above the upper one.
 */
static mmd_status read_constraint(phys_reader *reader, const json_ref *ref, omi_constraint *constraint)
{
    json_reader *json = &reader->file->reader;
    phys_limit_values *values = &constraint->values;
    *constraint = (omi_constraint){.values = {.has_min = true, .has_max = true}};
    phys_read_axes(reader, ref, "linearAxes", &constraint->axes[0]);
    phys_read_axes(reader, ref, "angularAxes", &constraint->axes[1]);
    json_read_float(json, ref, "lowerLimit", 0, -INFINITY, INFINITY, &values->min);
    json_read_float(json, ref, "upperLimit", 0, -INFINITY, INFINITY, &values->max);
    read_softness(reader, ref, values);
    if (!json_reader_ok(json))
        return json->status;
    if (!constraint->axes[0] && !constraint->axes[1])
        return phys_read_loss(reader, MMD_LOSS_INFO, "joint.invalid", ref, "linearAxes", "");
    if (values->min > values->max) {
        memset(constraint->axes, 0, sizeof constraint->axes);
        return phys_read_loss(reader, MMD_LOSS_DROPPED, "joint.invalid", ref, "lowerLimit", "");
    }
    return MMD_OK;
}

/* Adds the limits of a constraint to a joint. */
static void add_limits(phys_reader *reader, mmd_phys_joint *joint, const omi_constraint *constraint)
{
    phys_limit_values values = constraint->values;
    bool locked = values.min == 0 && values.max == 0;
    for (int angular = 0; angular < 2; angular++) {
        values.angular = angular == 1;
        for (uint8_t axis = 0; axis < 3; axis++) {
            bool all = locked && axis == 0;
            values.axes = all ? constraint->axes[angular] : constraint->axes[angular] & (uint8_t)(1u << axis);
            if (values.axes && (all || !locked))
                phys_add_limit(reader, joint, &values);
        }
    }
}

/* Gives each axis to the last constraint that names it, then adds the limits. */
static void add_constraints(phys_reader *reader, mmd_phys_joint *joint, omi_constraint *constraints,
                            size_t count)
{
    uint8_t taken[2] = {0, 0};
    for (size_t i = count; i-- > 0;) {
        for (int angular = 0; angular < 2; angular++) {
            uint8_t axes = constraints[i].axes[angular];
            constraints[i].axes[angular] = axes & (uint8_t)~taken[angular];
            taken[angular] |= axes;
        }
    }
    for (size_t i = 0; i < count; i++)
        add_limits(reader, joint, &constraints[i]);
}

/* Reads a joint's list of constraint indices and adds them. */
static mmd_status read_constraints(phys_reader *reader, const json_ref *ref, const omi_document *omi,
                                   mmd_phys_joint *joint)
{
    json_reader *json = &reader->file->reader;
    json_ref numbers;
    json_read_kind(json, ref, "constraints", JSON_ARRAY, &numbers);
    size_t count = json_ref_count(&numbers);
    omi_constraint *constraints = json_reader_ok(json) ? mmd_alloc(count * sizeof *constraints) : NULL;
    if (!constraints)
        return phys_no_memory(reader);
    for (size_t i = 0; i < count && json_reader_ok(json); i++) {
        json_ref entry = json_ref_element(&numbers, i);
        json_int_t number = json_is_integer(entry.value) ? json_integer_value(entry.value) : -1;
        if (number >= 0 && number < (json_int_t)omi->count)
            constraints[i] = omi->constraints[number];
        else
            json_ref_fail(json, &entry, MMD_ERROR_INDEX, "not the index of one of %zu constraints",
                          omi->count);
    }
    if (json_reader_ok(json))
        add_constraints(reader, joint, constraints, count);
    mmd_free(constraints);
    return json->status;
}

/*
 * Finds the body of a node that a joint names. A node without a body is attached to the body above it, else
 * to the world; that is reported.
 */
static mmd_status read_body(phys_reader *reader, const json_ref *ref, const char *key, int32_t *body)
{
    int32_t node;
    json_ref at = json_ref_member(ref, key);
    phys_read_index(reader, ref, key, reader->file->node_count, &node);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    *body = node < 0 ? -1 : reader->nodes[node].solid;
    bool own = node >= 0 && reader->nodes[node].body >= 0 && reader->nodes[node].body == *body;
    if (!own)
        phys_read_loss(reader, MMD_LOSS_INFO, *body < 0 ? "joint.world" : "ref.dangling",
                       at.value ? &at : ref, key, "");
    return MMD_OK;
}

/* Reads a joint of the first form: nodeA, nodeB, constraints. */
static mmd_status read_old_joint(phys_reader *reader, const json_ref *ref, uint32_t node,
                                 const omi_document *omi)
{
    int32_t body_a, body_b;
    read_body(reader, ref, "nodeA", &body_a);
    read_body(reader, ref, "nodeB", &body_b);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    mmd_phys_joint *joint = phys_add_joint(reader, ref, node, body_a, body_b, (int32_t)node, (int32_t)node);
    return joint ? read_constraints(reader, ref, omi, joint) : phys_no_memory(reader);
}

/* Reads a joint of the newer form. */
static mmd_status read_newer_joint(phys_reader *reader, const json_ref *ref, uint32_t node,
                                   const omi_document *omi)
{
    mmd_phys_joint *joint = NULL;
    phys_read_node_joint(reader, ref, node, &omi->list, &joint);
    if (joint)
        joint->collide = false;
    return reader->file->reader.status;
}

/* Reads the document's part of OMI_physics_joint. */
static mmd_status read_document(phys_reader *reader, omi_document *omi)
{
    gltf_file *file = reader->file;
    omi->newer = file->document->dialect == MMD_DIALECT_OMI_PHYSICS_JOINTS;
    json_read_kind(&file->reader, &reader->extensions, "OMI_physics_joint", JSON_OBJECT, &omi->root);
    json_read_kind(&file->reader, &omi->root, omi->newer ? "physicsJoints" : "constraints", JSON_ARRAY,
                   &omi->list);
    if (!json_reader_ok(&file->reader) || omi->newer)
        return file->reader.status;
    omi->count = json_ref_count(&omi->list);
    omi->constraints = mmd_alloc(omi->count * sizeof *omi->constraints);
    if (!omi->constraints)
        return phys_no_memory(reader);
    for (size_t i = 0; i < omi->count && json_reader_ok(&file->reader); i++) {
        json_ref ref = json_ref_element(&omi->list, i);
        read_constraint(reader, &ref, &omi->constraints[i]);
    }
    return file->reader.status;
}

/* Reads the joints of all nodes. */
static mmd_status omi_read_joints(phys_reader *reader)
{
    assert(reader);
    gltf_file *file = reader->file;
    omi_document omi = {0};
    read_document(reader, &omi);
    for (uint32_t i = 0; i < file->node_count && json_reader_ok(&file->reader); i++) {
        phys_extension ref;
        if (!file->nodes[i].in_scene || !phys_find_extension(reader, i, "OMI_physics_joint", &ref))
            continue;
        json_read_kind(&file->reader, &ref.extensions, "OMI_physics_joint", JSON_OBJECT, &ref.physics);
        if (omi.newer)
            read_newer_joint(reader, &ref.physics, i, &omi);
        else
            read_old_joint(reader, &ref.physics, i, &omi);
    }
    mmd_free(omi.constraints);
    return reader->builder.failed ? phys_no_memory(reader) : file->reader.status;
}

/* ------------------------------------------------------------------ gravity */

/*
 * OMI_physics_gravity: the world's gravity, and fields on nodes that are bounded by the node's triggers
 * (docs/formats.md 2).
 *
 * A field is given in its node's frame; the scene stores it in the frame of the body whose triggers bound it.
 * If these differ (a trigger attached to a moving body), directions, points and shapes are converted. The
 * centre and axis of the other kinds cannot be, which is reported.
 */

static const struct {
    const char *text;
    mmd_gravity_kind kind;
} kinds[] = {{"directional", MMD_GRAVITY_DIRECTIONAL},
             {"point", MMD_GRAVITY_POINT},
             {"disc", MMD_GRAVITY_DISC},
             {"torus", MMD_GRAVITY_TORUS},
             {"line", MMD_GRAVITY_LINE},
             {"shaped", MMD_GRAVITY_SHAPED}};

/* Reads a direction, normalised, in MMD's axes. A zero direction is allowed and means down. */
static mmd_status read_direction(phys_reader *reader, const json_ref *of, float direction[3])
{
    static const float down[3] = {0, -1, 0};
    float given[3];
    json_read_floats(&reader->file->reader, of, "direction", 3, down, given);
    if (!json_reader_ok(&reader->file->reader))
        return reader->file->reader.status;
    double length =
        sqrt((double)given[0] * given[0] + (double)given[1] * given[1] + (double)given[2] * given[2]);
    for (int i = 0; i < 3; i++)
        given[i] = length > 0 ? (float)(given[i] / length) : down[i];
    phys_mirror(given, 1, direction);
    return MMD_OK;
}

mmd_status phys_read_world_gravity(phys_reader *reader)
{
    assert(reader);
    json_reader *json = &reader->file->reader;
    mmd_phys_world *world = &reader->builder.scene.world;
    json_ref gravity;
    float strength, direction[3];
    json_read_kind(json, &reader->extensions, "OMI_physics_gravity", JSON_OBJECT, &gravity);
    if (!json_reader_ok(json) || !gravity.value)
        return json->status;
    float fallback = sqrtf(world->gravity[0] * world->gravity[0] + world->gravity[1] * world->gravity[1] +
                           world->gravity[2] * world->gravity[2]);
    json_read_float(json, &gravity, "gravity", fallback * METRES_PER_UNIT, -INFINITY, INFINITY, &strength);
    read_direction(reader, &gravity, direction);
    for (int i = 0; i < 3 && json_reader_ok(json); i++)
        world->gravity[i] = direction[i] * strength * PHYS_LENGTH;
    return json->status;
}

/* ---------------------------------------------------------------- fields */

/* A field while it is read. frame: from the field's node to the body's frame. */
typedef struct field_job {
    phys_reader *reader;
    uint32_t node;
    json_ref values; /* the member with the name of the type */
    mmd_transform frame;
    mmd_phys_gravity *field;
} field_job;

/* Reads the points of a line field. */
static mmd_status read_line(field_job *job)
{
    phys_reader *reader = job->reader;
    json_reader *json = &reader->file->reader;
    json_ref list;
    json_read_kind(json, &job->values, "points", JSON_ARRAY, &list);
    size_t count = json_ref_count(&list);
    if (count < 6 || count % 3)
        json_ref_fail(json, &job->values, MMD_ERROR_COUNT,
                      "%zu numbers instead of three for each of at least two points", count);
    if (!json_reader_ok(json))
        return json->status;
    float *numbers = mmd_arena_alloc(json->arena, count, sizeof *numbers);
    if (!numbers)
        return phys_no_memory(reader);
    json_read_floats(json, &job->values, "points", count, NULL, numbers);
    const float *scale = reader->file->nodes[job->node].scale;
    for (size_t i = 0; i < count && json_reader_ok(json); i += 3) {
        for (size_t k = 0; k < 3; k++)
            numbers[i + k] *= scale[k];
        phys_mirror(numbers + i, PHYS_LENGTH, numbers + i);
        mmd_transform_point(&job->frame, numbers + i, numbers + i);
    }
    job->field->points = (const float(*)[3])(void *)numbers;
    job->field->point_count = (uint32_t)(count / 3);
    return json->status;
}

/*
 * Reads the shape of a shaped field, which is added to the scene without belonging to a body. Without a shape
 * the field becomes a point field.
 */
static mmd_status read_shaped(field_job *job)
{
    phys_reader *reader = job->reader;
    int32_t shape;
    bool added = false;
    phys_read_index(reader, &job->values, "shape", json_ref_count(&reader->shapes), &shape);
    if (shape >= 0) {
        json_ref entry = json_ref_element(&reader->shapes, (size_t)shape);
        int32_t body = job->field->body;
        const mmd_transform *rest =
            body >= 0 ? &reader->builder.scene.bodies[body].rest : &reader->file->nodes[job->node].rest;
        phys_add_shape(reader, &entry, job->node, rest, false, &added);
    }
    if (added)
        job->field->shape = (int32_t)reader->builder.scene.shape_count - 1;
    else
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "mesh.missing", &job->values, "shape", "\"point\"");
    if (!added)
        job->field->kind = MMD_GRAVITY_POINT;
    return reader->file->reader.status;
}

/* Reads the values of the field's type. */
static mmd_status read_kind(field_job *job)
{
    json_reader *json = &job->reader->file->reader;
    mmd_phys_gravity *field = job->field;
    const float *scale = job->reader->file->nodes[job->node].scale;
    json_read_float(json, &job->values, "unitDistance", 0, 0, INFINITY, &field->unit_distance);
    json_read_float(json, &job->values, "radius", 1, 0, INFINITY, &field->radius);
    read_direction(job->reader, &job->values, field->direction);
    if (!json_reader_ok(json))
        return json->status;
    mmd_transform turn = {.rotation = {job->frame.rotation[0], job->frame.rotation[1], job->frame.rotation[2],
                                       job->frame.rotation[3]}};
    mmd_transform_point(&turn, field->direction, field->direction);
    field->unit_distance *= PHYS_LENGTH;
    field->radius *= PHYS_LENGTH * mmd_maxf(fabsf(scale[0]), fabsf(scale[2]));
    return field->kind == MMD_GRAVITY_LINE     ? read_line(job)
           : field->kind == MMD_GRAVITY_SHAPED ? read_shaped(job)
                                               : MMD_OK;
}

/*
 * Returns the body whose triggers bound a node's field: of the node itself, else the nearest above; -1: the
 * field is everywhere.
 */
static int32_t bounding_body(const phys_reader *reader, uint32_t number)
{
    const phys_node *node = &reader->nodes[number];
    if (node->body >= 0)
        return node->body;
    if (node->trigger_parent >= 0)
        return reader->nodes[node->trigger_parent].body;
    return node->compound >= 0 ? reader->nodes[node->compound].body : -1;
}

/* Reads what all types of field have. */
static mmd_status read_common(phys_reader *reader, const json_ref *ref, mmd_phys_gravity *field)
{
    json_reader *json = &reader->file->reader;
    float priority;
    json_ref at = json_ref_member(ref, "gravity");
    if (!at.value)
        return json_ref_fail(json, ref, MMD_ERROR_VALUE, "a gravity field needs a strength");
    json_read_float(json, ref, "gravity", 0, -INFINITY, INFINITY, &field->gravity);
    json_read_float(json, ref, "priority", 0, -1e9f, 1e9f, &priority);
    json_read_bool(json, ref, "replace", false, &field->replace);
    json_read_bool(json, ref, "stop", false, &field->stop);
    if (!json_reader_ok(json))
        return json->status;
    field->priority = (int32_t)priority;
    field->gravity *= PHYS_LENGTH;
    return MMD_OK;
}

static int find_kind(const char *type)
{
    for (int i = 0; i < (int)(sizeof kinds / sizeof kinds[0]); i++)
        if (strcmp(type, kinds[i].text) == 0)
            return i;
    return -1;
}

/* Reads the field of a node. */
static mmd_status read_field(phys_reader *reader, const json_ref *ref, uint32_t node)
{
    json_reader *json = &reader->file->reader;
    field_job job = {.reader = reader, .node = node};
    const char *type = "";
    json_read_text(json, ref, "type", &type);
    int kind = find_kind(type);
    if (!json_reader_ok(json))
        return json->status;
    if (kind < 0)
        return json_ref_fail(json, ref, MMD_ERROR_VALUE, "unknown type of gravity: %.40s", type);
    json_read_kind(json, ref, type, JSON_OBJECT, &job.values);
    scene_add_gravity(&reader->builder, &job.field);
    if (!json_reader_ok(json) || reader->builder.failed)
        return phys_no_memory(reader);
    job.field->kind = (uint8_t)kinds[kind].kind;
    job.field->body = bounding_body(reader, node);
    mmd_transform inverse = {.rotation = {0, 0, 0, 1}};
    const mmd_transform *rest = &reader->file->nodes[node].rest;
    if (job.field->body >= 0)
        mmd_transform_inverse(&reader->builder.scene.bodies[job.field->body].rest, &inverse);
    mmd_transform_multiply(&inverse, rest, &job.frame);
    bool moved = reader->nodes[node].body < 0;
    if (moved && kinds[kind].kind != MMD_GRAVITY_DIRECTIONAL && kinds[kind].kind != MMD_GRAVITY_LINE &&
        kinds[kind].kind != MMD_GRAVITY_SHAPED)
        phys_read_loss(reader, MMD_LOSS_APPROXIMATED, "shape.compound", ref, type, "");
    read_common(reader, ref, job.field);
    return read_kind(&job);
}

/* Reads the fields of all nodes. */
static mmd_status omi_read_gravity(phys_reader *reader)
{
    assert(reader);
    gltf_file *file = reader->file;
    for (uint32_t i = 0; i < file->node_count && json_reader_ok(&file->reader); i++) {
        phys_extension ref;
        if (!file->nodes[i].in_scene || !phys_find_extension(reader, i, "OMI_physics_gravity", &ref))
            continue;
        json_read_kind(&file->reader, &ref.extensions, "OMI_physics_gravity", JSON_OBJECT, &ref.physics);
        read_field(reader, &ref.physics, i);
    }
    return file->reader.status;
}

/* ---------------------------------------------------------------------- all */

/* OMI_physics_body, _shape, _joint and _gravity, in both dialects (docs/formats.md 2). */

mmd_status gltf_read_omi(gltf_file *file)
{
    assert(file);
    phys_reader reader;
    phys_begin_reading(&reader, file, true);
    phys_sort(&reader);
    phys_bodies(&reader);
    omi_read_joints(&reader);
    omi_read_gravity(&reader);
    return phys_end_reading(&reader);
}

/* -------------------------------------------------------------------- rules */

/*
 * Rules of OMI_physics_joint's first form, checked on the document as it is. Reading accepts such joints as
 * far as they make sense, but other programs may not (omi-physics-joint, "At least one of the connected nodes
 * …", "A connected node cannot be null …", "The lower limit must be …").
 */

/* The document and the receiver of violations. */
typedef struct rules {
    const json_t *root;
    mmd_rule_function *report_rule;
    void *context;
} rules;

/* Reports a violation at an element of a list. */
static void report_rule(const rules *r, const char *list, size_t index, const char *rule)
{
    char path[64];
    snprintf(path, sizeof path, "%s[%zu]", list, index);
    r->report_rule(r->context, path, rule);
}

static bool has_axes(const json_t *constraint)
{
    return json_array_size(json_object_get(constraint, "linearAxes")) ||
           json_array_size(json_object_get(constraint, "angularAxes"));
}

/* Checks a constraint. */
static void check_constraint(const rules *r, const json_t *constraint, size_t index)
{
    const json_t *stiffness = json_object_get(constraint, "stiffness");
    float value;
    double lower = json_number_value(json_object_get(constraint, "lowerLimit")),
           upper = json_number_value(json_object_get(constraint, "upperLimit"));
    if (!has_axes(constraint))
        report_rule(r, "constraints", index, "a constraint with no axis");
    if (lower > upper)
        report_rule(r, "constraints", index, "the lower limit is above the upper one");
    if (stiffness && json_float_value(stiffness, &value) && value <= 0)
        report_rule(r, "constraints", index, "a stiffness that is not positive");
}

static const json_t *extension_of(const json_t *object, const char *name)
{
    return json_object_get(json_object_get(object, "extensions"), name);
}

typedef enum end_kind { END_NULL, END_NO_BODY, END_TRIGGER, END_STILL, END_DYNAMIC } end_kind;

/* Returns what kind of node a joint's nodeA or nodeB is. */
static end_kind kind_of_end(const rules *r, const json_t *joint, const char *key)
{
    const json_t *number = json_object_get(joint, key);
    if (!json_is_integer(number) || json_integer_value(number) < 0)
        return END_NULL;
    const json_t *node =
                     json_array_get(json_object_get(r->root, "nodes"), (size_t)json_integer_value(number)),
                 *body = extension_of(node, "OMI_physics_body"), *motion = json_object_get(body, "motion");
    const char *type = json_string_value(json_object_get(motion, "type"));
    if (!json_is_object(body))
        return END_NO_BODY;
    if (!motion && json_object_get(body, "trigger"))
        return END_TRIGGER;
    return type && strcmp(type, "dynamic") == 0 ? END_DYNAMIC : END_STILL;
}

/* Checks a joint. */
static void check_joint(const rules *r, const json_t *joint, size_t node)
{
    static const char *const forbidden[2][3] = {
        {"nodeA is null", "nodeA is no body", "nodeA is a trigger"},
        {"nodeB is null", "nodeB is no body", "nodeB is a trigger"},
    };
    const end_kind ends[2] = {kind_of_end(r, joint, "nodeA"), kind_of_end(r, joint, "nodeB")};
    for (int i = 0; i < 2; i++)
        if (ends[i] <= END_TRIGGER)
            report_rule(r, "nodes", node, forbidden[i][ends[i]]);
    if (ends[0] != END_DYNAMIC && ends[1] != END_DYNAMIC)
        report_rule(r, "nodes", node, "neither body is dynamic");
    if (!json_array_size(json_object_get(joint, "constraints")))
        report_rule(r, "nodes", node, "a joint without constraints");
}

void mmd_exchange_check_omi(const mmd_exchange *document, mmd_rule_function *function, void *context)
{
    assert(document);
    if (document->dialect != MMD_DIALECT_OMI_CONSTRAINTS || !document->kept)
        return;
    const rules r = {document->kept->root, function, context};
    const json_t *nodes = json_object_get(r.root, "nodes"),
                 *constraints = json_object_get(extension_of(r.root, "OMI_physics_joint"), "constraints");
    for (size_t i = 0; i < json_array_size(constraints); i++)
        check_constraint(&r, json_array_get(constraints, i), i);
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *joint = extension_of(json_array_get(nodes, i), "OMI_physics_joint");
        if (joint)
            check_joint(&r, joint, i);
    }
}

uint32_t mmd_exchange_list_size(const mmd_exchange *document, const char *list)
{
    assert(document);
    const json_t *root = document->kept ? document->kept->root : NULL;
    return (uint32_t)json_array_size(json_object_get(root, list));
}
