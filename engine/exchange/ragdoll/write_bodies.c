/*
 * A scene's body as an entity of a Ragdoll dump: the inverse of
 * read_bodies.c, and what Ragdoll cannot say as losses. Compound and
 * triangle shapes become the hull of their points, which later versions keep
 * in ConvexMeshComponents; those of 2021 see its box.
 */
#include <math.h>
#include <string.h>

#include "writer.h"
#include "shape_mesh.h"

static const float half_root = 0.70710678f;

/* A body while it is written. */
typedef struct body_job {
    ragdoll_writer *writer;
    const mmd_physscene *scene;
    const mmd_phys_body *body;
    uint32_t number;
} body_job;

static void lose(const body_job *job, mmd_loss_severity severity, const char *code, const char *field,
                 const char *source, const char *emitted)
{
    ragdoll_loss(job->writer, severity, code, "body", job->number, job->body->name, field, source, emitted);
}

/* ---------------------------------------------------------------- shapes */

/* GeometryDescriptionComponent's numbers, in centimetres. */
typedef struct described {
    const char *type;
    float radius, length, extents[3];
    mmd_transform frame; /* of the file */
    shape_mesh points;   /* of hulls */
} described;

/* Our axis Y to Ragdoll's, X. */
static void lie_down(described *shape)
{
    const mmd_transform turn = {.rotation = {0, 0, half_root, half_root}};
    mmd_transform_multiply(&shape->frame, &turn, &shape->frame);
}

static void bounds(const body_job *job, described *made, const mmd_transform *place)
{
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (uint32_t i = 0; i < made->points.vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            float at = made->points.positions[i][k];
            low[k] = i ? fminf(low[k], at) : at;
            high[k] = i ? fmaxf(high[k], at) : at;
        }
    mmd_transform middle = *place;
    for (int k = 0; k < 3; k++) {
        made->extents[k] = CM_PER_UNIT * (high[k] - low[k]);
        middle.translation[k] = 0.5f * (high[k] + low[k]);
    }
    mmd_exchange_to_file(MMD_EXCHANGE_RAGDOLL, &middle, &made->frame);
    made->type = "ConvexHull";
    made->radius = 0.5f * made->extents[0];
    made->length = made->extents[1];
    job->writer->failed = job->writer->failed || made->points.failed;
}

/* The points of all shapes, in the body's frame. */
static void describe_hull(const body_job *job, described *made)
{
    const mmd_transform none = {.rotation = {0, 0, 0, 1}};
    made->points.segments = 12;
    for (uint32_t i = 0; i < job->body->shape_count; i++)
        shape_mesh_add(&made->points, job->scene, &job->scene->shapes[job->body->first_shape + i], &none);
    bounds(job, made, &none);
}

static void describe_round(const body_job *job, const mmd_phys_shape *shape, described *made)
{
    const float *size = shape->size;
    made->radius = CM_PER_UNIT * fmaxf(size[0], size[2]);
    made->length = CM_PER_UNIT * size[1];
    made->extents[0] = made->length + 2 * made->radius;
    made->extents[1] = made->extents[2] = 2 * made->radius;
    lie_down(made);
    if (size[0] != size[2])
        lose(job, MMD_LOSS_APPROXIMATED, "shape.approximated", "radius", "tapered", "the larger radius");
}

static void describe_one(const body_job *job, const mmd_phys_shape *shape, described *made)
{
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        made->type = "Sphere";
        made->radius = CM_PER_UNIT * shape->size[0];
        made->extents[0] = made->extents[1] = made->extents[2] = 2 * made->radius;
        break;
    case MMD_PHYS_BOX:
        made->type = "Box";
        for (int k = 0; k < 3; k++)
            made->extents[k] = 2 * CM_PER_UNIT * shape->size[k];
        break;
    case MMD_PHYS_CAPSULE:
        made->type = "Capsule";
        describe_round(job, shape, made);
        break;
    case MMD_PHYS_CYLINDER:
        made->type = "Cylinder";
        describe_round(job, shape, made);
        lose(job, MMD_LOSS_APPROXIMATED, "shape.approximated", "type", "\"cylinder\"", "\"Cylinder\"");
        break;
    case MMD_PHYS_PLANE:
        made->type = "Plane";
        lie_down(made);
        break;
    case MMD_PHYS_MESH:
        lose(job, MMD_LOSS_APPROXIMATED, "shape.approximated", "type", "\"trimesh\"", "\"ConvexHull\"");
        describe_hull(job, made);
        break;
    case MMD_PHYS_HULL:
        describe_hull(job, made);
        break;
    }
}

static void put_points(const body_job *job, json_t *components, const shape_mesh *points)
{
    json_t *values = json_array(), *indices = json_array();
    for (uint32_t i = 0; i < points->vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            float at = (k == 2 ? -CM_PER_UNIT : CM_PER_UNIT) * points->positions[i][k];
            json_array_append_new(values, json_from_float(at));
        }
    for (uint32_t i = 0; i < points->index_count; i++) /* the mirror turns triangles around */
        json_array_append_new(indices, json_integer(points->indices[i % 3 == 0   ? i
                                                                    : i % 3 == 1 ? i + 1
                                                                                 : i - 1]));
    ragdoll_put_component(job->writer, components, "ConvexMeshComponents",
                          json_pack("{s:{s:s, s:o}, s:{s:s, s:o}}", "vertices", "type", "PointArray",
                                    "values", values, "indices", "type", "UintArray", "values", indices));
}

static void put_shape(const body_job *job, json_t *components)
{
    const mmd_phys_body *body = job->body;
    const mmd_phys_shape *shape = &job->scene->shapes[body->first_shape];
    described made = {.type = "Sphere", .frame = {.rotation = {0, 0, 0, 1}}};
    if (body->shape_count > 1) {
        lose(job, MMD_LOSS_APPROXIMATED, "shape.compound", "type", "several shapes", "\"ConvexHull\"");
        describe_hull(job, &made);
    } else if (body->shape_count) {
        mmd_exchange_to_file(MMD_EXCHANGE_RAGDOLL, &shape->frame, &made.frame);
        describe_one(job, shape, &made);
    }
    ragdoll_put_component(job->writer, components, "GeometryDescriptionComponent",
                          json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "type", made.type, "radius",
                                    json_from_float(made.radius), "length", json_from_float(made.length),
                                    "extents", ragdoll_values("Vector3", made.extents, 3), "offset",
                                    ragdoll_values("Vector3", made.frame.translation, 3), "rotation",
                                    ragdoll_values("Quaternion", made.frame.rotation, 4)));
    json_object_del(components, "ConvexMeshComponents");
    if (made.points.vertex_count)
        put_points(job, components, &made.points);
    shape_mesh_finish(&made.points);
}

/* ---------------------------------------------------------------- bodies */

/* Whether it touches anything: triggers and bodies without shapes do not, nor do PMX bodies whose masks let
 * nothing pass. */
static bool collides(const body_job *job)
{
    bool solid = false, trigger = false;
    for (uint32_t i = 0; i < job->body->shape_count; i++) {
        const mmd_phys_shape *shape = &job->scene->shapes[job->body->first_shape + i];
        trigger = trigger || shape->trigger;
        solid = solid || (shape->solid && !shape->trigger);
    }
    if (trigger)
        lose(job, MMD_LOSS_DROPPED, "trigger.dropped", "collide", "\"trigger\"", "false");
    return solid;
}

static bool passes(const mmd_physscene *scene, int32_t filter)
{
    for (uint32_t i = 0; i < scene->body_count; i++)
        for (uint32_t k = 0; k < scene->bodies[i].shape_count; k++)
            if (mmd_physscene_collides(scene, filter, scene->shapes[scene->bodies[i].first_shape + k].filter))
                return true;
    return false;
}

bool ragdoll_says_collide(const mmd_physscene *scene, uint32_t number)
{
    const mmd_phys_body *body = &scene->bodies[number];
    bool solid = false;
    for (uint32_t i = 0; i < body->shape_count; i++) {
        const mmd_phys_shape *shape = &scene->shapes[body->first_shape + i];
        solid = solid || (shape->solid && !shape->trigger);
    }
    int32_t filter = solid ? scene->shapes[body->first_shape].filter : -1;
    if (filter < 0 || scene->body_count >= 2000)
        return solid;
    return (!scene->filters[filter].named && scene->filters[filter].mask == 0xFFFF) || passes(scene, filter);
}

static bool filtered(const body_job *job, bool collide)
{
    const mmd_phys_shape *shape = &job->scene->shapes[job->body->first_shape];
    if (!collide || !job->body->shape_count || shape->filter < 0)
        return collide;
    const mmd_phys_filter *filter = &job->scene->filters[shape->filter];
    if (!filter->named && filter->mask == 0xFFFF)
        return true;
    if (job->scene->body_count < 2000 && !passes(job->scene, shape->filter))
        return false;
    lose(job, MMD_LOSS_DROPPED, "filter.merged", "collide", "a filter", "true");
    return true;
}

static mmd_phys_material material_of(const body_job *job)
{
    int32_t number = job->body->shape_count ? job->scene->shapes[job->body->first_shape].material : -1;
    mmd_phys_material material = number < 0 ? mmd_default_phys_material() : job->scene->materials[number];
    if (material.static_friction != material.dynamic_friction)
        lose(job, MMD_LOSS_APPROXIMATED, "friction.single", "friction", "static and dynamic", "dynamic");
    if ((material.friction_combine != MMD_COMBINE_AVERAGE && material.friction_combine) ||
        (material.restitution_combine != MMD_COMBINE_AVERAGE && material.restitution_combine))
        lose(job, MMD_LOSS_DROPPED, "combine.dropped", "friction", "a mode", "\"average\"");
    return material;
}

static bool any(const float vector[3])
{
    return vector[0] != 0 || vector[1] != 0 || vector[2] != 0;
}

/* A share of 1 and more stands for all that a rate can say. */
static json_t *damping(float share)
{
    return json_from_float(share <= 0 ? 0 : -logf(fmaxf(1 - share, 1e-7f)));
}

static void put_mass(const body_job *job, json_t *rigid)
{
    const mmd_phys_body *body = job->body;
    float inertia[3] = {-1, -1, -1};
    float center[3] = {CM_PER_UNIT * body->center[0], CM_PER_UNIT * body->center[1],
                       -CM_PER_UNIT * body->center[2]};
    const float *turn = body->inertia_rotation;
    for (int k = 0; k < 3 && !body->auto_inertia; k++)
        inertia[k] = CM_PER_UNIT * CM_PER_UNIT * body->inertia[k];
    if (!body->auto_inertia && (any(turn) || inertia[0] <= 0 || inertia[1] <= 0 || inertia[2] <= 0))
        lose(job, MMD_LOSS_APPROXIMATED, "inertia.dropped", "angularMass", "turned or endless",
             "the diagonal");
    if (!body->auto_center && !any(center) && body->shape_count &&
        any(job->scene->shapes[body->first_shape].frame.translation))
        lose(job, MMD_LOSS_DROPPED, "com.dropped", "centerOfMass", "[0, 0, 0]", "computed");
    if (any(body->linear_velocity) || any(body->angular_velocity))
        lose(job, MMD_LOSS_DROPPED, "velocity.dropped", "linearVelocity", "a velocity", "");
    ragdoll_put(job->writer, rigid, "mass", json_from_float(body->mass));
    ragdoll_put(job->writer, rigid, "angularMass", ragdoll_values("Vector3", inertia, 3));
    ragdoll_put(job->writer, rigid, "centerOfMass", ragdoll_values("Vector3", center, 3));
}

static void put_rigid(const body_job *job, json_t *rigid)
{
    ragdoll_writer *writer = job->writer;
    const mmd_phys_body *body = job->body;
    mmd_phys_material material = material_of(job);
    bool dynamic = body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
    if (body->motion == MMD_PHYS_DYNAMIC_BONE)
        lose(job, MMD_LOSS_APPROXIMATED, "body.bone_place", "kinematic",
             "\"physics with the bone's position\"", "false");
    if (body->motion == MMD_PHYS_STATIC)
        lose(job, MMD_LOSS_INFO, "body.static_as_kinematic", "kinematic", "\"static\"", "true");
    ragdoll_put(writer, rigid, "enabled", json_boolean(!body->disabled));
    ragdoll_put(writer, rigid, "kinematic", json_boolean(!dynamic));
    ragdoll_put(writer, rigid, "dynamic", json_boolean(dynamic));
    ragdoll_put(writer, rigid, "collide", json_boolean(filtered(job, collides(job))));
    ragdoll_put(writer, rigid, "disableGravity", json_boolean(body->gravity_factor == 0));
    ragdoll_put(writer, rigid, "enableCCD", json_boolean(body->ccd));
    ragdoll_put(writer, rigid, "friction", json_from_float(material.dynamic_friction));
    ragdoll_put(writer, rigid, "restitution", json_from_float(material.restitution));
    ragdoll_put(writer, rigid, "linearDamping", damping(body->linear_damping));
    ragdoll_put(writer, rigid, "angularDamping", damping(body->angular_damping));
    ragdoll_put(writer, rigid, "sleepThreshold", json_from_float(body->can_sleep ? 5e-6f : 0));
    put_mass(job, rigid);
}

/* What no scene says, as Ragdoll has it by default. */
static void put_rigid_rest(ragdoll_writer *writer, json_t *rigid)
{
    ragdoll_put(writer, rigid, "thickness", json_real(0));
    ragdoll_put(writer, rigid, "sleeping", json_false());
    ragdoll_put(writer, rigid, "positionIterations", json_integer(8));
    ragdoll_put(writer, rigid, "velocityIterations", json_integer(1));
    ragdoll_put(writer, rigid, "maxContactImpulse", json_real(-1));
    ragdoll_put(writer, rigid, "maxDepenetrationVelocity", json_real(-1));
    ragdoll_put(writer, rigid, "parentRigid", ragdoll_entity_value(0));
}

/* PMX's own record, as the file says it. */
static void put_pmx(ragdoll_writer *writer, json_t *components, uint32_t number)
{
    const mmd_model *model = writer->job->model;
    if (writer->job->source != MMD_EXCHANGE_PMX || !model || number >= model->body_count)
        return;
    const mmd_rigid_body *body = &model->bodies[number];
    const float numbers[5] = {body->mass, body->linear_damping, body->angular_damping, body->restitution,
                              body->friction};
    ragdoll_put_component(
        writer, components, "MMDComponent",
        json_pack("{s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o}", "name", json_text(body->name),
                  "nameEnglish", json_text(body->name_en), "bone", (int)body->bone, "group", (int)body->group,
                  "mask", (int)body->mask, "shape", (int)body->shape, "mode", (int)body->mode, "size",
                  json_from_floats(body->size, 3), "position", json_from_floats(body->position, 3),
                  "rotation", json_from_floats(body->rotation, 3), "massDampingRestitutionFriction",
                  json_from_floats(numbers, 5)));
}

/* Kinematic bodies grey, others by their number: neighbours are told apart. */
static void put_color(ragdoll_writer *writer, json_t *components, const mmd_phys_body *body, uint32_t number)
{
    float turn = 0.61803399f * (float)number, color[4] = {0.5f, 0.5f, 0.5f, 1};
    for (int k = 0; k < 3 && body->motion >= MMD_PHYS_DYNAMIC; k++)
        color[k] = 0.55f + 0.3f * cosf(6.2831853f * (turn + (float)k / 3.0f));
    ragdoll_put_component(writer, components, "ColorComponent",
                          json_pack("{s:o}", "value", ragdoll_values("Color4", color, 4)));
}

void ragdoll_write_body(ragdoll_writer *writer, uint32_t number)
{
    const mmd_physscene *scene = writer->job->scene;
    body_job job = {writer, scene, &scene->bodies[number], number};
    json_t *components = ragdoll_components(writer, writer->body_ids[number]);
    bool made = components && !json_object_get(components, "RigidComponent");
    json_t *rigid = components ? ragdoll_members(writer, components, "RigidComponent") : NULL;
    if (!rigid)
        return;
    ragdoll_put_common(writer, components, job.body->name, "rigid", &job.body->rest);
    if (made) {
        put_rigid_rest(writer, rigid);
        put_color(writer, components, job.body, number);
        put_pmx(writer, components, number);
    }
    put_rigid(&job, rigid);
    put_shape(&job, components);
}
