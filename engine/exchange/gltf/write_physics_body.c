/*
 * Bodies onto their nodes: what moves them, and their shapes (FORMATS.md 4,
 * Bodies and Shapes).
 *
 * A shape stands on its body's node where its frame is the body's, else on a
 * node below. A static body has no motion in KHR: its colliders are static
 * wherever nothing above them moves, so that one of several shapes becomes
 * several bodies, which is the same to everything that touches them. Several
 * triggers without a body around them are a compound one.
 */
#include <math.h>
#include <string.h>

#include "write_physics.h"

/* A body while it is written. */
typedef struct body_job {
    phys_writer *writer;
    const mmd_phys_body *body;
    uint32_t number;
    int32_t node;
    bool moving;
    uint32_t colliders, triggers; /* that touch or report */
    bool plain;                   /* all of them fit onto the body's own node */
} body_job;

static void lose(const body_job *job, mmd_loss_severity severity, const char *code, const char *field,
                 const char *source, const char *emitted)
{
    phys_lose(job->writer, severity, code, field, source, emitted);
}

static const mmd_phys_shape *shape_at(const body_job *job, uint32_t i)
{
    return &job->writer->scene->shapes[job->body->first_shape + i];
}

static bool is_identity(const mmd_transform *frame)
{
    const float *q = frame->rotation, *t = frame->translation;
    for (int k = 0; k < 3; k++)
        if (fabsf(q[k]) > 1e-6f || fabsf(t[k]) > 1e-5f)
            return false;
    return true;
}

/* A node has room for a collider, and for a trigger after it. */
static bool fits(const mmd_phys_shape *said, uint32_t colliders, uint32_t triggers)
{
    return is_identity(&said->frame) && triggers == 0 &&
           (colliders == 0 || (colliders == 1 && said->trigger));
}

static void survey(body_job *job)
{
    job->plain = true;
    for (uint32_t i = 0; i < job->body->shape_count; i++) {
        const mmd_phys_shape *shape = shape_at(job, i);
        mmd_phys_shape said = phys_said_shape(job->writer, shape, job->moving);
        if (!shape->solid)
            continue;
        phys_lose_shape(job->writer, shape, &said);
        job->plain = job->plain && fits(&said, job->colliders, job->triggers);
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

static float scaled_off(float value, float scale)
{
    return fabsf(scale) > 1e-12f && fabsf(scale - 1) > 1e-5f ? value / scale : value;
}

/* In KHR what is absent follows from the shapes; in OMI it is in the middle. */
static void put_center(const body_job *job, json_t *motion, const float center[3])
{
    mmd_transform place;
    float scale[3], out[3];
    gltf_node_place(job->writer->builder, job->node, &place, scale);
    phys_to_file(center, METRES_PER_UNIT, out);
    for (int k = 0; k < 3; k++)
        out[k] = scaled_off(out[k], scale[k]);
    if (!job->writer->omi || phys_any(out))
        put_vector(job, motion, "centerOfMass", out, 3);
}

/* 0 is infinite in KHR and automatic in OMI. */
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
        lose(job, phys_any(inertia) ? MMD_LOSS_APPROXIMATED : MMD_LOSS_DROPPED, "inertia.dropped",
             "inertiaDiagonal", "endless", "computed");
        return;
    }
    put_vector(job, motion, "inertiaDiagonal", inertia, 3);
    if (phys_any(turn))
        put_vector(job, motion, "inertiaOrientation", turn, 4);
}

static bool has_ghost(const body_job *job)
{
    for (uint32_t i = 0; i < job->body->shape_count; i++)
        if (!shape_at(job, i)->solid && phys_any(shape_at(job, i)->size))
            return true;
    return false;
}

/* OMI says masses and centres that KHR leaves to the shapes; 1,000 kg/m^3. */
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
    else if (dynamic && has_ghost(job))
        lose(job, MMD_LOSS_APPROXIMATED, "inertia.dropped", "inertiaDiagonal", "of shapes that touch nothing",
             "");
}

/* ------------------------------------------------------------ the motion */

/* From the world's axes into the node's. */
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
        lose(job, MMD_LOSS_INFO, "damping.dropped", "linearDamping", "damping", "extras");
    if (body->motion == MMD_PHYS_DYNAMIC_BONE)
        lose(job, MMD_LOSS_INFO, "body.bone_place", "motion", "stands where its bone's parents carry it",
             "extras");
}

/* ------------------------------------------------------------ the shapes */

/* Nodes are taken in the order of shapes, as a reader meets them. */
typedef struct shape_nodes {
    int32_t parent; /* of new ones */
    bool own;       /* the body's node may still be taken */
    bool old;       /* those that a document had are taken while there are no new ones */
    uint32_t colliders, triggers;
} shape_nodes;

/* The node that the document had for it, if it was not the body's; else the body's; else a new one. */
static int32_t take_node(const body_job *job, const mmd_phys_shape *said, shape_nodes *nodes)
{
    mmd_transform place;
    mmd_transform_multiply(&job->body->rest, &said->frame, &place);
    bool fit = nodes->own && fits(said, nodes->colliders, nodes->triggers);
    bool gathers =
        job->moving || (job->writer->omi && job->colliders > 0); /* else the shape's node is the body */
    bool stays = fit && !gathers;
    int32_t node = nodes->old && !stays ? phys_old_shape(job->writer, job->node, said->name, &place) : -1;
    if (node < 0 && fit)
        return job->node;
    nodes->own = false;
    nodes->old = node >= 0;
    const char *name = said->name[0] ? said->name : job->body->name;
    return node >= 0 ? node : gltf_add_node(job->writer->builder, name, "shape", nodes->parent, &place);
}

/* Each on the body's node where it fits and may, else on one below parent; the first node that was used. */
static int32_t put_shapes(const body_job *job, int32_t parent, bool own, json_t *list)
{
    shape_nodes nodes = {.parent = parent, .own = own, .old = parent == job->node};
    int32_t first = -1;
    for (uint32_t i = 0; i < job->body->shape_count; i++) {
        mmd_phys_shape said = phys_said_shape(job->writer, shape_at(job, i), job->moving);
        if (!said.solid)
            continue;
        int32_t node = take_node(job, &said, &nodes);
        nodes.colliders += !said.trigger;
        nodes.triggers += said.trigger;
        phys_put_shape(job->writer, &said, node);
        if (list)
            json_array_append_new(list, json_integer(node));
        first = first < 0 ? node : first;
    }
    return first;
}

/* Another node is the body's from now on: joints hang on it. */
static void move_body(body_job *job, int32_t node)
{
    job->writer->builder->node_of_body[job->number] = job->node = node;
}

static void write_trigger(body_job *job, int32_t parent)
{
    gltf_builder *builder = job->writer->builder;
    if (parent != job->node)
        move_body(job, gltf_add_node(builder, job->body->name, "body", parent, &job->body->rest));
    if (job->plain) {
        put_shapes(job, job->node, true, NULL);
        return;
    }
    json_t *nodes = json_array();
    put_shapes(job, job->node, false, nodes);
    gltf_put(builder, phys_part(job->writer, job->node, "trigger"), "nodes", nodes);
}

/* In KHR: what has no motion above it stands still. */
static void write_static(body_job *job, int32_t parent)
{
    if (job->colliders == 0 && job->triggers == 0) {
        lose(job, MMD_LOSS_INFO, "body.static_as_kinematic", "motion", "\"static\"", "\"isKinematic\"");
        put_motion(job);
    } else if (job->plain && parent == job->node) {
        put_shapes(job, job->node, true, NULL);
    } else {
        move_body(job, put_shapes(job, parent, false, NULL));
        if (job->colliders + job->triggers > 1)
            lose(job, MMD_LOSS_INFO, "shape.compound", "collider", "one static body", "several");
    }
}

static bool is_carried(const body_job *job)
{
    const phys_writer *writer = job->writer;
    return (uint32_t)job->node < writer->node_count && (writer->carried[job->node] & 1);
}

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
            lose(job, MMD_LOSS_INFO, "shape.compound", "trigger", "of the static body", "of their own");
    }
}

/* ---------------------------------------------------------------- extras */

/* PMX's own record, as the file says it. */
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

/* What no dialect has a word for. */
static void put_rest(const body_job *job)
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

static bool is_pmx(const body_job *job)
{
    const write_job *source = job->writer->builder->job;
    return source->source == MMD_EXCHANGE_PMX && source->model && job->number < source->model->body_count;
}

void phys_write_body(phys_writer *writer, uint32_t number)
{
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
        lose(&job, MMD_LOSS_DROPPED, "body.disabled", "enabled", "false", "extras");
    } else {
        survey(&job);
        write_parts(&job);
    }
    if (is_pmx(&job))
        put_record(&job, phys_extras(writer, writer->builder->node_of_body[number]));
    else
        put_rest(&job);
}

/* ------------------------------------------------------------- the ground */

/* Whoever names systems to collide with must meet the ground in them. */
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
    gltf_builder *builder = writer->builder;
    const mmd_phys_world *world = &writer->scene->world;
    static const float scale[3] = {1, 1, 1};
    const mmd_phys_shape plane = {
        .kind = MMD_PHYS_PLANE, .frame = {.rotation = {0, 0, 0, 1}}, .mesh = -1, .name = "", .path = ""};
    phys_begin_item(writer, "world", 0, "ground");
    mmd_phys_shape said = phys_said_shape(writer, &plane, false);
    said.frame.translation[1] += world->ground_height;
    phys_lose_shape(writer, &plane, &said);
    int32_t node = phys_scene_node(writer, "ground", &said.frame);
    int32_t shape = phys_list_shape(writer, &said, scale, -1);
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
