/*
 * Writes bodies and joints as entities of a Ragdoll dump, the inverse of read.c, and reports what Ragdoll
 * cannot express. Compound and triangle shapes become the hull of their points. Later versions of Ragdoll
 * store it in ConvexMeshComponents; those of 2021 use its box.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "ragdoll.h"

static const float half_root = 0.70710678f;

/* A body while it is written. */
typedef struct body_job {
    ragdoll_writer *writer;
    const mmd_physscene *scene;
    const mmd_phys_body *body;
    uint32_t number;
} body_job;

static void body_loss(const body_job *job, mmd_loss_severity severity, const char *code, const char *field,
                      const char *source, const char *emitted)
{
    ragdoll_loss(job->writer, severity, code, "body", job->number, job->body->name, field, source, emitted);
}

/* ---------------------------------------------------------------- shapes */

/* Numbers of GeometryDescriptionComponent, in centimetres. */
typedef struct geometry {
    const char *type;
    float radius, length, extents[3];
    mmd_transform frame; /* in the file's space */
    shape_mesh points;   /* of hulls */
} geometry;

/* Rotates a shape from MMD's axis Y to Ragdoll's, X. */
static void turn_y_to_x(geometry *shape)
{
    const mmd_transform turn = {.rotation = {0, 0, half_root, half_root}};
    mmd_transform_multiply(&shape->frame, &turn, &shape->frame);
}

/* Sets the hull's bounding box and frame. */
static void finish_hull(const body_job *job, geometry *made, const mmd_transform *transform)
{
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (uint32_t i = 0; i < made->points.vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            float at = made->points.positions[i][k];
            low[k] = i ? mmd_minf(low[k], at) : at;
            high[k] = i ? mmd_maxf(high[k], at) : at;
        }
    mmd_transform middle = *transform;
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

/* Makes a hull of the points of all shapes, in the body's frame. */
static void describe_hull(const body_job *job, geometry *made)
{
    const mmd_transform none = {.rotation = {0, 0, 0, 1}};
    made->points.segments = 12;
    for (uint32_t i = 0; i < job->body->shape_count; i++)
        shape_mesh_add(&made->points, job->scene, &job->scene->shapes[job->body->first_shape + i], &none);
    finish_hull(job, made, &none);
}

/* Describes a capsule or cylinder. */
static void describe_round(const body_job *job, const mmd_phys_shape *shape, geometry *made)
{
    const float *size = shape->size;
    made->radius = CM_PER_UNIT * mmd_maxf(size[0], size[2]);
    made->length = CM_PER_UNIT * size[1];
    made->extents[0] = made->length + 2 * made->radius;
    made->extents[1] = made->extents[2] = 2 * made->radius;
    turn_y_to_x(made);
    if (size[0] != size[2])
        body_loss(job, MMD_LOSS_APPROXIMATED, "shape.approximated", "radius", "tapered", "the larger radius");
}

static void describe_one(const body_job *job, const mmd_phys_shape *shape, geometry *made)
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
        body_loss(job, MMD_LOSS_APPROXIMATED, "shape.approximated", "type", "\"cylinder\"", "\"Cylinder\"");
        break;
    case MMD_PHYS_PLANE:
        made->type = "Plane";
        turn_y_to_x(made);
        break;
    case MMD_PHYS_MESH:
        body_loss(job, MMD_LOSS_APPROXIMATED, "shape.approximated", "type", "\"trimesh\"", "\"ConvexHull\"");
        describe_hull(job, made);
        break;
    case MMD_PHYS_HULL:
        describe_hull(job, made);
        break;
    }
}

/* Writes vertices and indices of a hull. */
static void put_points(const body_job *job, json_t *components, const shape_mesh *points)
{
    json_t *values = json_array(), *indices = json_array();
    for (uint32_t i = 0; i < points->vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            float at = (k == 2 ? -CM_PER_UNIT : CM_PER_UNIT) * points->positions[i][k];
            json_array_append_new(values, json_from_float(at));
        }
    for (uint32_t i = 0; i < points->index_count; i++) /* mirroring in Z reverses the winding */
        json_array_append_new(indices, json_integer(points->indices[i % 3 == 0   ? i
                                                                    : i % 3 == 1 ? i + 1
                                                                                 : i - 1]));
    ragdoll_put_component(job->writer, components, "ConvexMeshComponents",
                          json_pack("{s:{s:s, s:o}, s:{s:s, s:o}}", "vertices", "type", "PointArray",
                                    "values", values, "indices", "type", "UintArray", "values", indices));
}

/* Writes the shape of a body. */
static void put_shape(const body_job *job, json_t *components)
{
    const mmd_phys_body *body = job->body;
    const mmd_phys_shape *shape = &job->scene->shapes[body->first_shape];
    geometry made = {.type = "Sphere", .frame = {.rotation = {0, 0, 0, 1}}};
    if (body->shape_count > 1) {
        body_loss(job, MMD_LOSS_APPROXIMATED, "shape.compound", "type", "several shapes", "\"ConvexHull\"");
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

/* Returns whether a body collides: triggers and bodies without solid shapes do not. */
static bool collides(const body_job *job)
{
    bool solid = false, trigger = false;
    for (uint32_t i = 0; i < job->body->shape_count; i++) {
        const mmd_phys_shape *shape = &job->scene->shapes[job->body->first_shape + i];
        trigger = trigger || shape->trigger;
        solid = solid || (shape->solid && !shape->trigger);
    }
    if (trigger)
        body_loss(job, MMD_LOSS_DROPPED, "trigger.dropped", "collide", "\"trigger\"", "false");
    return solid;
}

/* Returns whether a filter lets a body collide with any shape. */
static bool touches_any(const mmd_physscene *scene, int32_t filter)
{
    for (uint32_t i = 0; i < scene->body_count; i++)
        for (uint32_t k = 0; k < scene->bodies[i].shape_count; k++)
            if (mmd_physscene_collides(scene, filter, scene->shapes[scene->bodies[i].first_shape + k].filter))
                return true;
    return false;
}

/*
 * Returns the `collide` flag: false also for a filter that excludes everything. Other filters are reported as
 * lost.
 */
static bool collide_flag(const body_job *job, bool collide)
{
    const mmd_phys_shape *shape = &job->scene->shapes[job->body->first_shape];
    if (!collide || !job->body->shape_count || shape->filter < 0)
        return collide;
    const mmd_phys_filter *filter = &job->scene->filters[shape->filter];
    if (!filter->named && filter->mask == 0xFFFF)
        return true;
    if (job->scene->body_count < 2000 && !touches_any(job->scene, shape->filter))
        return false;
    body_loss(job, MMD_LOSS_DROPPED, "filter.merged", "collide", "a filter", "true");
    return true;
}

/* Returns the body's material; reports what Ragdoll cannot express. */
static mmd_phys_material material_of(const body_job *job)
{
    int32_t number = job->body->shape_count ? job->scene->shapes[job->body->first_shape].material : -1;
    mmd_phys_material material = number < 0 ? mmd_default_phys_material() : job->scene->materials[number];
    if (material.static_friction != material.dynamic_friction)
        body_loss(job, MMD_LOSS_APPROXIMATED, "friction.single", "friction", "static and dynamic", "dynamic");
    if ((material.friction_combine != MMD_COMBINE_AVERAGE && material.friction_combine) ||
        (material.restitution_combine != MMD_COMBINE_AVERAGE && material.restitution_combine))
        body_loss(job, MMD_LOSS_DROPPED, "combine.dropped", "friction", "a mode", "\"average\"");
    return material;
}

static bool is_nonzero(const float vector[3])
{
    return vector[0] != 0 || vector[1] != 0 || vector[2] != 0;
}

/* Converts Bullet's damping fraction to PhysX's rate; a fraction of 1 or more becomes the largest rate. */
static json_t *damping_rate(float share)
{
    return json_from_float(share <= 0 ? 0 : -mmd_lnf(mmd_maxf(1 - share, 1e-7f)));
}

static void put_mass(const body_job *job, json_t *rigid)
{
    const mmd_phys_body *body = job->body;
    float inertia[3] = {-1, -1, -1};
    float center_ranges[3] = {CM_PER_UNIT * body->center[0], CM_PER_UNIT * body->center[1],
                              -CM_PER_UNIT * body->center[2]};
    const float *turn = body->inertia_rotation;
    for (int k = 0; k < 3 && !body->auto_inertia; k++)
        inertia[k] = CM_PER_UNIT * CM_PER_UNIT * body->inertia[k];
    if (!body->auto_inertia && (is_nonzero(turn) || inertia[0] <= 0 || inertia[1] <= 0 || inertia[2] <= 0))
        body_loss(job, MMD_LOSS_APPROXIMATED, "inertia.dropped", "angularMass", "rotated or infinite",
                  "the diagonal");
    if (!body->auto_center && !is_nonzero(center_ranges) && body->shape_count &&
        is_nonzero(job->scene->shapes[body->first_shape].frame.translation))
        body_loss(job, MMD_LOSS_DROPPED, "com.dropped", "centerOfMass", "[0, 0, 0]", "computed");
    if (is_nonzero(body->linear_velocity) || is_nonzero(body->angular_velocity))
        body_loss(job, MMD_LOSS_DROPPED, "velocity.dropped", "linearVelocity", "a velocity", "");
    ragdoll_put(job->writer, rigid, "mass", json_from_float(body->mass));
    ragdoll_put(job->writer, rigid, "angularMass", ragdoll_values("Vector3", inertia, 3));
    ragdoll_put(job->writer, rigid, "centerOfMass", ragdoll_values("Vector3", center_ranges, 3));
}

/* Writes the members of RigidComponent. */
static void put_rigid(const body_job *job, json_t *rigid)
{
    ragdoll_writer *writer = job->writer;
    const mmd_phys_body *body = job->body;
    mmd_phys_material material = material_of(job);
    bool dynamic = body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
    if (body->motion == MMD_PHYS_DYNAMIC_BONE)
        body_loss(job, MMD_LOSS_APPROXIMATED, "body.bone_place", "kinematic",
                  "\"physics with the bone's position\"", "false");
    if (body->motion == MMD_PHYS_STATIC)
        body_loss(job, MMD_LOSS_INFO, "body.static_as_kinematic", "kinematic", "\"static\"", "true");
    ragdoll_put(writer, rigid, "enabled", json_boolean(!body->disabled));
    ragdoll_put(writer, rigid, "kinematic", json_boolean(!dynamic));
    ragdoll_put(writer, rigid, "dynamic", json_boolean(dynamic));
    ragdoll_put(writer, rigid, "collide", json_boolean(collide_flag(job, collides(job))));
    ragdoll_put(writer, rigid, "disableGravity", json_boolean(body->gravity_factor == 0));
    ragdoll_put(writer, rigid, "enableCCD", json_boolean(body->ccd));
    ragdoll_put(writer, rigid, "friction", json_from_float(material.dynamic_friction));
    ragdoll_put(writer, rigid, "restitution", json_from_float(material.restitution));
    ragdoll_put(writer, rigid, "linearDamping", damping_rate(body->linear_damping));
    ragdoll_put(writer, rigid, "angularDamping", damping_rate(body->angular_damping));
    ragdoll_put(writer, rigid, "sleepThreshold", json_from_float(body->can_sleep ? 5e-6f : 0));
    put_mass(job, rigid);
}

/* Writes members that scenes do not have, with Ragdoll's defaults. */
static void put_rigid_defaults(ragdoll_writer *writer, json_t *rigid)
{
    ragdoll_put(writer, rigid, "thickness", json_real(0));
    ragdoll_put(writer, rigid, "sleeping", json_false());
    ragdoll_put(writer, rigid, "positionIterations", json_integer(8));
    ragdoll_put(writer, rigid, "velocityIterations", json_integer(1));
    ragdoll_put(writer, rigid, "maxContactImpulse", json_real(-1));
    ragdoll_put(writer, rigid, "maxDepenetrationVelocity", json_real(-1));
    ragdoll_put(writer, rigid, "parentRigid", ragdoll_entity_value(0));
}

/* Writes the values of the PMX item to MMDComponent. */
static void put_pmx_body(ragdoll_writer *writer, json_t *components, uint32_t number)
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

/* Writes a colour: grey for kinematic bodies, for others by index, so that neighbours differ. */
static void put_color(ragdoll_writer *writer, json_t *components, const mmd_phys_body *body, uint32_t number)
{
    float turn = 0.61803399f * (float)number, color[4] = {0.5f, 0.5f, 0.5f, 1};
    for (int k = 0; k < 3 && body->motion >= MMD_PHYS_DYNAMIC; k++)
        color[k] = 0.55f + 0.3f * mmd_cosf(6.2831853f * (turn + (float)k / 3.0f));
    ragdoll_put_component(writer, components, "ColorComponent",
                          json_pack("{s:o}", "value", ragdoll_values("Color4", color, 4)));
}

void ragdoll_write_body(ragdoll_writer *writer, uint32_t number)
{
    assert(writer);
    assert(number < writer->job->scene->body_count);
    const mmd_physscene *scene = writer->job->scene;
    body_job job = {writer, scene, &scene->bodies[number], number};
    json_t *components = ragdoll_components(writer, writer->body_ids[number]);
    bool made = components && !json_object_get(components, "RigidComponent");
    json_t *rigid = components ? ragdoll_members(writer, components, "RigidComponent") : NULL;
    if (!rigid)
        return;
    ragdoll_put_common(writer, components, job.body->name, "rigid", &job.body->rest);
    if (made) {
        put_rigid_defaults(writer, rigid);
        put_color(writer, components, job.body, number);
        put_pmx_body(writer, components, number);
    }
    put_rigid(&job, rigid);
    put_shape(&job, components);
}

/* ------------------------------------------------------------------- joints */

/*
 * Joints (docs/formats.md 4). A PMX joint or limits give six ranges in the file's space. Ragdoll has only
 * symmetric ranges, so asymmetric ones are centred by moving a frame: the parent's for positions, the child's
 * for angles.
 *
 * Mirroring in Z changes the sign of true angles about X and Y. PMX's numbers are negative angles, so there
 * the angle about Z changes its sign.
 */

/* Range of an axis; unbounded unless `bound`. */
typedef struct joint_range {
    bool bound;
    float lower, upper;
} joint_range;

/*
 * A joint while it is written: ranges of positions in centimetres, then of angles, along X, Y and Z of the
 * file.
 */
typedef struct joint_job {
    ragdoll_writer *writer;
    const mmd_physscene *scene;
    const mmd_phys_joint *joint;
    uint32_t number;
    joint_range ranges[6];
    float linear_gains[2], angular_gains[2]; /* stiffness, damping; stiffness 0: hard */
    bool cone;                               /* the swing is a cone */
    float drive[4];                          /* linear stiffness and damping, then angular */
    bool driven, acceleration;
    mmd_transform target; /* between the frames, in MMD's space */
} joint_job;

static void joint_loss(const joint_job *job, mmd_loss_severity severity, const char *code, const char *field,
                       const char *source, const char *emitted)
{
    ragdoll_loss(job->writer, severity, code, "joint", job->number, job->joint->name, field, source, emitted);
}

/* ------------------------------------------------------------ PMX's kinds */

/* Sets a range; a reversed one is unbounded. */
static void set_range(joint_range *range, float lower, float upper)
{
    *range = (joint_range){.bound = lower <= upper, .lower = lower, .upper = upper};
}

static void set_range_mirrored(joint_range *range, float lower, float upper, bool turned)
{
    if (turned)
        set_range(range, -upper, -lower);
    else
        set_range(range, lower, upper);
}

/* Sets the six ranges of a PMX joint. */
static void pmx_axes(joint_job *job)
{
    const mmd_pmx_joint *pmx = &job->joint->pmx;
    for (int k = 0; k < 3; k++) {
        set_range_mirrored(&job->ranges[k], CM_PER_UNIT * pmx->linear_lower[k],
                           CM_PER_UNIT * pmx->linear_upper[k], k == 2);
        set_range_mirrored(&job->ranges[k + 3], pmx->angular_lower[k], pmx->angular_upper[k], k == 2);
    }
}

/* Locks axes. */
static void lock(joint_job *job, int first, int count)
{
    for (int k = first; k < first + count; k++)
        set_range(&job->ranges[k], 0, 0);
}

/*
 * Sets the ranges by PMX's kind of joint (docs/mmd.md 1.1): the lower angles of a cone twist are the spans; a
 * hinge turns about its Z by the numbers of X.
 */
static void pmx_ranges(joint_job *job)
{
    const mmd_pmx_joint *pmx = &job->joint->pmx;
    pmx_axes(job);
    switch ((mmd_phys_joint_kind)job->joint->kind) {
    case MMD_JOINT_PMX_POINT:
        lock(job, 0, 3);
        for (int k = 3; k < 6; k++)
            job->ranges[k].bound = false;
        break;
    case MMD_JOINT_PMX_CONE_TWIST:
        lock(job, 0, 3);
        for (int k = 0; k < 3; k++)
            set_range(&job->ranges[k + 3], -fabsf(pmx->angular_lower[k]), fabsf(pmx->angular_lower[k]));
        job->cone = true;
        break;
    case MMD_JOINT_PMX_SLIDER: /* its angle about X is true; those of pmx_axes are negative */
        lock(job, 1, 2);
        lock(job, 4, 2);
        set_range_mirrored(&job->ranges[3], pmx->angular_lower[0], pmx->angular_upper[0], true);
        break;
    case MMD_JOINT_PMX_HINGE:
        lock(job, 0, 5);
        set_range_mirrored(&job->ranges[5], pmx->angular_lower[0], pmx->angular_upper[0], true);
        break;
    default:
        break;
    }
}

/* Reports motors, and softness of Bullet, which Ragdoll does not have. */
static void report_lost_motors(const joint_job *job)
{
    const mmd_pmx_joint *pmx = &job->joint->pmx;
    bool slider = job->joint->kind == MMD_JOINT_PMX_SLIDER, hinge = job->joint->kind == MMD_JOINT_PMX_HINGE;
    bool cone = job->joint->kind == MMD_JOINT_PMX_CONE_TWIST;
    bool soft = cone;
    for (int k = 0; k < 3 && hinge; k++)
        soft = soft || pmx->linear_spring[k] != 0;
    if (slider && pmx->linear_spring[0] != 0)
        joint_loss(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "linearStiffness", "a motor", "");
    if ((slider || hinge) && pmx->angular_spring[0] != 0)
        joint_loss(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "angularStiffness", "a motor", "");
    if (soft)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.soft_limit_dropped", "angularStiffness",
                   "softness, bias and relaxation", "");
    if (cone && pmx->linear_lower[2] != 0)
        joint_loss(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "drive", "a motor towards a pose", "");
}

/*
 * Sets the drive from PMX's springs, which pull the frames together. Ragdoll has one gain for all three axes:
 * the largest.
 */
static void pmx_springs(joint_job *job)
{
    const mmd_pmx_joint *pmx = &job->joint->pmx;
    const float *const springs[2] = {pmx->linear_spring, pmx->angular_spring};
    if (job->joint->kind != MMD_JOINT_PMX_SPRING)
        return;
    for (int i = 0; i < 2; i++) {
        float most = 0, least = INFINITY;
        for (int k = 0; k < 3; k++) {
            if (springs[i][k] < 0)
                joint_loss(job, MMD_LOSS_DROPPED, "joint.spring_dropped",
                           i ? "angularStiffness" : "linearStiffness", "below 0", "");
            const joint_range *range = &job->ranges[3 * i + k];
            float spring = range->bound && range->lower == range->upper ? 0 : mmd_maxf(0, springs[i][k]);
            bool counts = !range->bound || range->lower < range->upper;
            most = mmd_maxf(most, spring);
            least = counts ? mmd_minf(least, spring) : least;
        }
        job->drive[2 * i] = most * (i ? CM_PER_UNIT * CM_PER_UNIT : 1);
        job->driven = job->driven || most > 0;
        if (most > 0 && least != most)
            joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.spring_dropped",
                       i ? "angularStiffness" : "linearStiffness", "one per axis", "the largest");
    }
}

/* ---------------------------------------------------------------- limits */

/* Intersects a range with another. */
static void narrow(joint_range *range, float lower, float upper)
{
    range->lower = range->bound ? mmd_maxf(range->lower, lower) : lower;
    range->upper = range->bound ? mmd_minf(range->upper, upper) : upper;
    range->bound = true;
}

/* Takes over the gains of a soft limit. */
static void take_gains(joint_job *job, const mmd_phys_limit *limit)
{
    float *gains = limit->kind == MMD_LIMIT_LINEAR ? job->linear_gains : job->angular_gains;
    float size = limit->kind == MMD_LIMIT_LINEAR ? 1 : CM_PER_UNIT * CM_PER_UNIT;
    if (!limit->soft)
        return;
    gains[0] = size * limit->stiffness;
    gains[1] = size * limit->damping;
}

/* Applies a limit to its axes. */
static void limit_axes(joint_job *job, const mmd_phys_limit *limit)
{
    bool linear = limit->kind == MMD_LIMIT_LINEAR;
    bool several = (limit->axes & (limit->axes - 1)) != 0;
    float length = linear ? CM_PER_UNIT : 1;
    float upper = limit->has_max ? length * limit->max : 1e9f;
    float lower = several ? -upper : limit->has_min ? length * limit->min : -1e9f;
    for (int k = 0; k < 3; k++) {
        bool turned = linear ? k == 2 : k != 2;
        if (limit->axes >> k & 1)
            narrow(&job->ranges[linear ? k : k + 3], turned ? -upper : lower, turned ? -lower : upper);
    }
    if (several && !linear && limit->axes == 6)
        job->cone = true;
    else if (several && upper > 0)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", linear ? "x" : "twist", "a distance",
                   "a box");
    if (several && limit->has_min && limit->min > 0)
        joint_loss(job, MMD_LOSS_DROPPED, "joint.limit_asymmetric", "min", "a least distance", "0");
}

/* Applies all limits. */
static void limit_ranges(joint_job *job)
{
    for (uint32_t i = 0; i < job->joint->limit_count; i++) {
        const mmd_phys_limit *limit = &job->scene->limits[job->joint->first_limit + i];
        take_gains(job, limit);
        if (limit->kind != MMD_LIMIT_ELLIPSE) {
            limit_axes(job, limit);
            continue;
        }
        narrow(&job->ranges[4], -limit->max, limit->max);
        narrow(&job->ranges[5], -limit->max2, limit->max2);
        job->cone = true;
    }
}

/* ---------------------------------------------------------------- drives */

/* Merges a drive into the one that Ragdoll has. */
static void add_drive(joint_job *job, const mmd_phys_drive *drive)
{
    bool pose = drive->kind == MMD_DRIVE_POSE, angular = drive->kind == MMD_DRIVE_ANGULAR;
    float size = drive->acceleration ? 1 : CM_PER_UNIT * CM_PER_UNIT;
    float *gains = &job->drive[angular ? 2 : 0];
    gains[0] = mmd_maxf(gains[0], angular ? size * drive->stiffness : drive->stiffness);
    gains[1] = mmd_maxf(gains[1], angular ? size * drive->damping : drive->damping);
    if (pose) {
        job->drive[2] = mmd_maxf(job->drive[2], size * drive->angular_stiffness);
        job->drive[3] = mmd_maxf(job->drive[3], size * drive->angular_damping);
        job->target = drive->target;
    } else if (drive->kind == MMD_DRIVE_LINEAR) {
        job->target.translation[drive->axis] = drive->position_target;
    } else {
        job->target.rotation[drive->axis] = mmd_sinf(0.5f * drive->position_target);
        job->target.rotation[3] = mmd_cosf(0.5f * drive->position_target);
    }
    job->driven = job->driven || drive->enabled;
    job->acceleration = drive->acceleration;
    if (!pose)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.drive_dropped", "drive", "along one axis", "to a pose");
    if (drive->velocity_target != 0 || isfinite(drive->max_force))
        joint_loss(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "velocityTarget",
                   "a velocity or maximum force", "");
}

/* Merges all drives; a second angle is lost. */
static void merge_drives(joint_job *job)
{
    uint32_t turned = 0;
    for (uint32_t i = 0; i < job->joint->drive_count; i++) {
        const mmd_phys_drive *drive = &job->scene->drives[job->joint->first_drive + i];
        if (drive->kind == MMD_DRIVE_ANGULAR && turned++ > 0) {
            joint_loss(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "drive", "a second angle", "");
            continue;
        }
        add_drive(job, drive);
    }
}

/* --------------------------------------------------------------- writing */

/* Centres the ranges about 0 by moving the frames, which are in the file's space. */
static void center_ranges(joint_job *job, mmd_transform *parent, mmd_transform *child)
{
    mmd_transform moved = {.rotation = {0, 0, 0, 1}}, turned = moved;
    int turns = 0;
    for (int k = 0; k < 6; k++) {
        joint_range *range = &job->ranges[k];
        float middle = range->bound ? 0.5f * (range->lower + range->upper) : 0;
        if (middle == 0)
            continue;
        range->lower -= middle;
        range->upper -= middle;
        if (k < 3) {
            moved.translation[k] = middle;
            continue;
        }
        mmd_transform turn = {.rotation = {0, 0, 0, mmd_cosf(0.5f * middle)}};
        turn.rotation[k - 3] = -mmd_sinf(0.5f * middle);
        mmd_transform_multiply(&turned, &turn, &turned);
        turns++;
    }
    mmd_transform_multiply(parent, &moved, parent);
    mmd_transform_multiply(child, &turned, child);
    if (turns)
        joint_loss(job, turns > 1 ? MMD_LOSS_APPROXIMATED : MMD_LOSS_INFO, "joint.limit_asymmetric",
                   "childFrame", "asymmetric", "turned");
}

/*
 * Returns Ragdoll's number: -1: locked, 0: free, else half the range. A range that rounding made empty stays
 * locked.
 */
static float limit_value(const joint_range *range)
{
    if (!range->bound)
        return 0;
    float half = 0.5f * (range->upper - range->lower);
    return half > 0 ? half : -1;
}

static void put_limit(joint_job *job, json_t *components)
{
    static const char *const keys[6] = {"x", "y", "z", "twist", "swing1", "swing2"};
    ragdoll_writer *writer = job->writer;
    json_t *members = ragdoll_members(writer, components, "LimitComponent");
    ragdoll_put(writer, members, "enabled", json_true());
    for (int k = 0; k < 6; k++)
        ragdoll_put(writer, members, keys[k], json_from_float(limit_value(&job->ranges[k])));
    ragdoll_put(writer, members, "linearStiffness", json_from_float(job->linear_gains[0]));
    ragdoll_put(writer, members, "linearDamping", json_from_float(job->linear_gains[1]));
    ragdoll_put(writer, members, "angularStiffness", json_from_float(job->angular_gains[0]));
    ragdoll_put(writer, members, "angularDamping", json_from_float(job->angular_gains[1]));
    if (!job->cone && limit_value(&job->ranges[4]) > 0 && limit_value(&job->ranges[5]) > 0)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", "swing1", "two angles", "a cone");
}

/* Writes the drive; its target is the child's pose relative to the parent. */
static void put_drive(joint_job *job, json_t *components)
{
    ragdoll_writer *writer = job->writer;
    json_t *members = ragdoll_members(writer, components, "DriveComponent");
    mmd_transform back, pose;
    mmd_transform_inverse(&job->joint->frame_b, &back);
    mmd_transform_multiply(&job->joint->frame_a, &job->target, &pose);
    mmd_transform_multiply(&pose, &back, &pose);
    ragdoll_put(writer, members, "enabled", json_boolean(job->driven));
    ragdoll_put(writer, members, "acceleration", json_boolean(job->acceleration));
    ragdoll_put(writer, members, "linearStiffness", json_from_float(job->drive[0]));
    ragdoll_put(writer, members, "linearDamping", json_from_float(job->drive[1]));
    ragdoll_put(writer, members, "angularStiffness", json_from_float(job->drive[2]));
    ragdoll_put(writer, members, "angularDamping", json_from_float(job->drive[3]));
    ragdoll_put(writer, members, "target", ragdoll_matrix(&pose));
}

/* Returns the entity of a body; the solver's for the world. */
static uint32_t entity_of(const joint_job *job, int32_t body)
{
    return body < 0 ? job->writer->solver : job->writer->body_ids[body];
}

/* Returns whether the joint or a filter prevents the two bodies from colliding. */
static bool collision_disabled(const joint_job *job)
{
    const mmd_phys_joint *joint = job->joint;
    if (!joint->collide || joint->body_a < 0 || joint->body_b < 0)
        return !joint->collide;
    const mmd_phys_body *a = &job->scene->bodies[joint->body_a], *b = &job->scene->bodies[joint->body_b];
    return a->shape_count && b->shape_count &&
           !mmd_physscene_collides(job->scene, job->scene->shapes[a->first_shape].filter,
                                   job->scene->shapes[b->first_shape].filter);
}

/* Writes the members of JointComponent. */
static void put_joint(joint_job *job, json_t *components)
{
    ragdoll_writer *writer = job->writer;
    json_t *members = ragdoll_members(writer, components, "JointComponent");
    mmd_transform parent, child;
    mmd_exchange_to_file(MMD_EXCHANGE_RAGDOLL, &job->joint->frame_a, &parent);
    mmd_exchange_to_file(MMD_EXCHANGE_RAGDOLL, &job->joint->frame_b, &child);
    center_ranges(job, &parent, &child);
    mmd_exchange_from_file(MMD_EXCHANGE_RAGDOLL, &parent, &parent);
    mmd_exchange_from_file(MMD_EXCHANGE_RAGDOLL, &child, &child);
    ragdoll_put(writer, members, "parent", ragdoll_entity_value(entity_of(job, job->joint->body_a)));
    ragdoll_put(writer, members, "child", ragdoll_entity_value(entity_of(job, job->joint->body_b)));
    ragdoll_put(writer, members, "parentFrame", ragdoll_matrix(&parent));
    ragdoll_put(writer, members, "childFrame", ragdoll_matrix(&child));
    ragdoll_put(writer, members, "disableCollision", json_boolean(collision_disabled(job)));
    if (job->joint->disabled)
        ragdoll_put(writer, members, "enabled", json_false());
}

/* Writes the values of the PMX item to MMDComponent. */
static void put_pmx_joint(ragdoll_writer *writer, json_t *components, uint32_t number)
{
    const mmd_model *model = writer->job->model;
    if (writer->job->source != MMD_EXCHANGE_PMX || !model || number >= model->joint_count)
        return;
    const mmd_joint *joint = &model->joints[number];
    json_t *members = json_pack("{s:o, s:o, s:i, s:i, s:i}", "name", json_text(joint->name), "nameEnglish",
                                json_text(joint->name_en), "kind", (int)joint->kind, "bodyA",
                                (int)joint->body_a, "bodyB", (int)joint->body_b);
    const struct {
        const char *key;
        const float *values;
    } vectors[] = {{"position", joint->position},          {"rotation", joint->rotation},
                   {"linearLower", joint->linear_lower},   {"linearUpper", joint->linear_upper},
                   {"angularLower", joint->angular_lower}, {"angularUpper", joint->angular_upper},
                   {"linearSpring", joint->linear_spring}, {"angularSpring", joint->angular_spring}};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        ragdoll_put(writer, members, vectors[i].key, json_from_floats(vectors[i].values, 3));
    ragdoll_put_component(writer, components, "MMDComponent", members);
}

void ragdoll_write_joint(ragdoll_writer *writer, uint32_t number)
{
    assert(writer);
    assert(number < writer->job->scene->joint_count);
    const mmd_physscene *scene = writer->job->scene;
    joint_job job = {.writer = writer, .scene = scene, .joint = &scene->joints[number], .number = number};
    job.target.rotation[3] = 1;
    json_t *components = ragdoll_components(writer, writer->joint_ids[number]);
    if (!components)
        return;
    bool made = !json_object_get(components, "JointComponent");
    mmd_transform rest = job.joint->frame_b;
    if (job.joint->body_b >= 0)
        mmd_transform_multiply(&scene->bodies[job.joint->body_b].rest, &rest, &rest);
    ragdoll_put_common(writer, components, job.joint->name, "constraint", &rest);
    if (job.joint->kind == MMD_JOINT_LIMITS_AND_DRIVES) {
        limit_ranges(&job);
        merge_drives(&job);
    } else {
        pmx_ranges(&job);
        pmx_springs(&job);
        report_lost_motors(&job);
    }
    put_joint(&job, components);
    put_limit(&job, components);
    put_drive(&job, components);
    if (made)
        put_pmx_joint(writer, components, number);
}
