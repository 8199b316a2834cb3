/*
 * OMI_physics_joint. Seed: a node names two bodies and constraints of the
 * document; newer: as KHR's joints. Joined bodies never collide.
 *
 * Constraints lock or limit axes (lower = upper = 0: locked); a later one
 * takes an axis over from an earlier one. What one constraint locks is one
 * limit (a lock of two angles is a cone without width); axes with a range are
 * limited each by themselves, as the seed's text says ("lower and upper limit
 * of the constraint") and as Godot reads it.
 *
 * A stiffness is a spring in newtons a metre, but Godot writes its own
 * softness, a number without a unit of about 0 to 2, into the same place:
 * those limits are taken as hard, and told (FORMATS.md 2).
 */
#include <math.h>
#include <string.h>

#include "physics.h"

#define GODOT_SOFTNESS 2.0f

/* A constraint of the document on what is left to it of its axes. */
typedef struct omi_constraint {
    phys_limit_values values;
    uint8_t axes[2]; /* linear, angular */
} omi_constraint;

/* OMI_physics_joint of the document: constraints, each read (and told of) once; or physicsJoints. */
typedef struct omi_document {
    bool newer;
    json_spot root, list;
    size_t count;
    omi_constraint *constraints;
} omi_document;

static bool is_ours(const char *generator)
{
    return strncmp(generator, "odori", 5) == 0;
}

/* A spring, or what looks like one and is not. */
static mmd_status read_softness(phys_reader *reader, const json_spot *spot, phys_limit_values *values)
{
    const char *generator = reader->file->document->generator;
    const json_reader *json = &reader->file->reader;
    json_spot at = json_spot_member(spot, "stiffness");
    mmd_status status = json_read_float(json, spot, "stiffness", 0, -INFINITY, INFINITY, &values->stiffness);
    if (!status)
        status = json_read_float(json, spot, "damping", 1, 0, INFINITY, &values->damping);
    if (status || !at.value)
        return status;
    values->soft = true;
    bool godot = generator && strstr(generator, "Godot");
    if (values->stiffness <= 0)
        phys_lost(reader, MMD_LOSS_APPROXIMATED, "joint.invalid", &at, "stiffness", "\"Infinity\"");
    else if ((godot || values->stiffness <= GODOT_SOFTNESS) && !(generator && is_ours(generator)))
        phys_lost(reader, MMD_LOSS_APPROXIMATED, "unit.ambiguous", &at, "stiffness", "\"Infinity\"");
    else
        return MMD_OK;
    values->soft = false;
    return MMD_OK;
}

/* What the seed calls invalid constrains nothing: no axis, a lower limit above the upper one. */
static mmd_status read_constraint(phys_reader *reader, const json_spot *spot, omi_constraint *constraint)
{
    const json_reader *json = &reader->file->reader;
    phys_limit_values *values = &constraint->values;
    *constraint = (omi_constraint){.values = {.has_min = true, .has_max = true}};
    mmd_status status = phys_read_axes(reader, spot, "linearAxes", &constraint->axes[0]);
    if (!status)
        status = phys_read_axes(reader, spot, "angularAxes", &constraint->axes[1]);
    if (!status)
        status = json_read_float(json, spot, "lowerLimit", 0, -INFINITY, INFINITY, &values->min);
    if (!status)
        status = json_read_float(json, spot, "upperLimit", 0, -INFINITY, INFINITY, &values->max);
    if (!status)
        status = read_softness(reader, spot, values);
    if (status)
        return status;
    if (!constraint->axes[0] && !constraint->axes[1])
        return phys_lost(reader, MMD_LOSS_INFO, "joint.invalid", spot, "linearAxes", "");
    if (values->min > values->max) {
        memset(constraint->axes, 0, sizeof constraint->axes);
        return phys_lost(reader, MMD_LOSS_DROPPED, "joint.invalid", spot, "lowerLimit", "");
    }
    return MMD_OK;
}

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

/* From the last to the first, so that each axis has its last constraint. */
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

/* The constraints of a joint by their numbers, out of all of the document. */
static mmd_status read_constraints(phys_reader *reader, const json_spot *spot, const omi_document *omi,
                                   mmd_phys_joint *joint)
{
    const json_reader *json = &reader->file->reader;
    json_spot numbers;
    mmd_status status = json_read_kind(json, spot, "constraints", JSON_ARRAY, &numbers);
    size_t count = json_spot_count(&numbers);
    omi_constraint *constraints = status ? NULL : mmd_alloc(count * sizeof *constraints);
    if (!constraints)
        return status ? status : phys_no_memory(reader);
    for (size_t i = 0; i < count && !status; i++) {
        json_spot entry = json_spot_element(&numbers, i);
        json_int_t number = json_is_integer(entry.value) ? json_integer_value(entry.value) : -1;
        if (number >= 0 && number < (json_int_t)omi->count)
            constraints[i] = omi->constraints[number];
        else
            status = json_spot_fail(json, &entry, MMD_ERROR_INDEX, "no index of one of %zu constraints",
                                    omi->count);
    }
    if (!status)
        add_constraints(reader, joint, constraints, count);
    mmd_free(constraints);
    return status;
}

/* The body of a node that a joint names. A node that is none itself is fixed to the one above it, or to the
 * world, and told. */
static mmd_status read_body(phys_reader *reader, const json_spot *spot, const char *key, int32_t *body)
{
    int32_t node;
    json_spot at = json_spot_member(spot, key);
    mmd_status status = phys_read_index(reader, spot, key, reader->file->node_count, &node);
    if (status)
        return status;
    *body = node < 0 ? -1 : reader->nodes[node].solid;
    bool own = node >= 0 && reader->nodes[node].body >= 0 && reader->nodes[node].body == *body;
    if (!own)
        phys_lost(reader, MMD_LOSS_INFO, *body < 0 ? "joint.world" : "ref.dangling", at.value ? &at : spot,
                  key, "");
    return MMD_OK;
}

static mmd_status read_seed_joint(phys_reader *reader, const json_spot *spot, uint32_t node,
                                  const omi_document *omi)
{
    int32_t body_a, body_b;
    mmd_status status = read_body(reader, spot, "nodeA", &body_a);
    if (!status)
        status = read_body(reader, spot, "nodeB", &body_b);
    if (status)
        return status;
    mmd_phys_joint *joint = phys_add_joint(reader, spot, node, body_a, body_b, (int32_t)node, (int32_t)node);
    return joint ? read_constraints(reader, spot, omi, joint) : phys_no_memory(reader);
}

static mmd_status read_newer_joint(phys_reader *reader, const json_spot *spot, uint32_t node,
                                   const omi_document *omi)
{
    mmd_phys_joint *joint = NULL;
    mmd_status status = phys_read_node_joint(reader, spot, node, &omi->list, &joint);
    if (joint)
        joint->collide = false;
    return status;
}

static mmd_status read_document(phys_reader *reader, omi_document *omi)
{
    const gltf_file *file = reader->file;
    omi->newer = file->document->dialect == MMD_DIALECT_OMI_NEWER;
    mmd_status status =
        json_read_kind(&file->reader, &reader->extensions, "OMI_physics_joint", JSON_OBJECT, &omi->root);
    if (!status)
        status = json_read_kind(&file->reader, &omi->root, omi->newer ? "physicsJoints" : "constraints",
                                JSON_ARRAY, &omi->list);
    if (status || omi->newer)
        return status;
    omi->count = json_spot_count(&omi->list);
    omi->constraints = mmd_alloc(omi->count * sizeof *omi->constraints);
    if (!omi->constraints)
        return phys_no_memory(reader);
    for (size_t i = 0; i < omi->count && !status; i++) {
        json_spot spot = json_spot_element(&omi->list, i);
        status = read_constraint(reader, &spot, &omi->constraints[i]);
    }
    return status;
}

mmd_status omi_read_joints(phys_reader *reader)
{
    const gltf_file *file = reader->file;
    omi_document omi = {0};
    mmd_status status = read_document(reader, &omi);
    for (uint32_t i = 0; i < file->node_count && !status; i++) {
        phys_spot spot;
        if (!file->nodes[i].in_scene || !phys_spot_of(reader, i, "OMI_physics_joint", &spot))
            continue;
        status =
            json_read_kind(&file->reader, &spot.extensions, "OMI_physics_joint", JSON_OBJECT, &spot.physics);
        if (!status)
            status = omi.newer ? read_newer_joint(reader, &spot.physics, i, &omi)
                               : read_seed_joint(reader, &spot.physics, i, &omi);
    }
    mmd_free(omi.constraints);
    return reader->maker.failed && !status ? phys_no_memory(reader) : status;
}
