/*
 * A scene's joint as an entity of a Ragdoll dump (FORMATS.md 4). Six ranges, in
 * the file's space, come of a PMX joint or of limits; Ragdoll has symmetric
 * ones only, so what is not symmetric about 0 is moved there with a frame: the
 * parent's for places, the child's for angles.
 *
 * Mirrored in Z, true angles about X and Y change their sign; PMX's numbers
 * are negative angles, so it is the Z of those that does.
 */
#include <math.h>

#include "writer.h"

typedef struct joint_range {
    bool bound;
    float lower, upper;
} joint_range;

/* A joint while it is written: places in centimetres, then angles, by X, Y and Z of the file. */
typedef struct joint_job {
    ragdoll_writer *writer;
    const mmd_physscene *scene;
    const mmd_phys_joint *joint;
    uint32_t number;
    joint_range ranges[6];
    float linear_gains[2], angular_gains[2]; /* 0: hard */
    bool cone;                               /* the swing is one */
    float drive[4];                          /* linear stiffness and damping, angular ones */
    bool driven, acceleration;
    mmd_transform target; /* between the frames, in MMD's space */
} joint_job;

static void lose(const joint_job *job, mmd_loss_severity severity, const char *code, const char *field,
                 const char *source, const char *emitted)
{
    ragdoll_loss(job->writer, severity, code, "joint", job->number, job->joint->name, field, source, emitted);
}

/* ------------------------------------------------------------ PMX's kinds */

static void bind(joint_range *range, float lower, float upper)
{
    *range = (joint_range){.bound = lower <= upper, .lower = lower, .upper = upper};
}

static void bind_mirrored(joint_range *range, float lower, float upper, bool turned)
{
    if (turned)
        bind(range, -upper, -lower);
    else
        bind(range, lower, upper);
}

static void pmx_axes(joint_job *job)
{
    const mmd_pmx_joint *pmx = &job->joint->pmx;
    for (int k = 0; k < 3; k++) {
        bind_mirrored(&job->ranges[k], CM_PER_UNIT * pmx->linear_lower[k], CM_PER_UNIT * pmx->linear_upper[k],
                      k == 2);
        bind_mirrored(&job->ranges[k + 3], pmx->angular_lower[k], pmx->angular_upper[k], k == 2);
    }
}

static void lock(joint_job *job, int first, int count)
{
    for (int k = first; k < first + count; k++)
        bind(&job->ranges[k], 0, 0);
}

/* MMD.md 1.1: of a cone twist's numbers the lower ones are the spans; a hinge turns about its Z by the
 * numbers of X. */
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
            bind(&job->ranges[k + 3], -fabsf(pmx->angular_lower[k]), fabsf(pmx->angular_lower[k]));
        job->cone = true;
        break;
    case MMD_JOINT_PMX_SLIDER: /* its angle about X is a true one, those of the axes above are negative */
        lock(job, 1, 2);
        lock(job, 4, 2);
        bind_mirrored(&job->ranges[3], pmx->angular_lower[0], pmx->angular_upper[0], true);
        break;
    case MMD_JOINT_PMX_HINGE:
        lock(job, 0, 5);
        bind_mirrored(&job->ranges[5], pmx->angular_lower[0], pmx->angular_upper[0], true);
        break;
    default:
        break;
    }
}

/* Motors push towards a velocity, and softness is Bullet's own: Ragdoll knows neither. */
static void lose_motors(const joint_job *job)
{
    const mmd_pmx_joint *pmx = &job->joint->pmx;
    bool slider = job->joint->kind == MMD_JOINT_PMX_SLIDER, hinge = job->joint->kind == MMD_JOINT_PMX_HINGE;
    bool cone = job->joint->kind == MMD_JOINT_PMX_CONE_TWIST;
    bool soft = cone;
    for (int k = 0; k < 3 && hinge; k++)
        soft = soft || pmx->linear_spring[k] != 0;
    if (slider && pmx->linear_spring[0] != 0)
        lose(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "linearStiffness", "a motor", "");
    if ((slider || hinge) && pmx->angular_spring[0] != 0)
        lose(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "angularStiffness", "a motor", "");
    if (soft)
        lose(job, MMD_LOSS_APPROXIMATED, "joint.soft_limit_dropped", "angularStiffness",
             "softness, bias and relaxation", "");
    if (cone && pmx->linear_lower[2] != 0)
        lose(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "drive", "a motor towards a pose", "");
}

/* Springs pull to where the two frames are one; Ragdoll has one gain for all three axes. */
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
                lose(job, MMD_LOSS_DROPPED, "joint.spring_dropped",
                     i ? "angularStiffness" : "linearStiffness", "below 0", "");
            const joint_range *range = &job->ranges[3 * i + k];
            float spring = range->bound && range->lower == range->upper ? 0 : fmaxf(0, springs[i][k]);
            bool counts = !range->bound || range->lower < range->upper;
            most = fmaxf(most, spring);
            least = counts ? fminf(least, spring) : least;
        }
        job->drive[2 * i] = most * (i ? CM_PER_UNIT * CM_PER_UNIT : 1);
        job->driven = job->driven || most > 0;
        if (most > 0 && least != most)
            lose(job, MMD_LOSS_APPROXIMATED, "joint.spring_dropped",
                 i ? "angularStiffness" : "linearStiffness", "one an axis", "the largest");
    }
}

/* ---------------------------------------------------------------- limits */

static void narrow(joint_range *range, float lower, float upper)
{
    range->lower = range->bound ? fmaxf(range->lower, lower) : lower;
    range->upper = range->bound ? fminf(range->upper, upper) : upper;
    range->bound = true;
}

static void keep_gains(joint_job *job, const mmd_phys_limit *limit)
{
    float *gains = limit->kind == MMD_LIMIT_LINEAR ? job->linear_gains : job->angular_gains;
    float size = limit->kind == MMD_LIMIT_LINEAR ? 1 : CM_PER_UNIT * CM_PER_UNIT;
    if (!limit->soft)
        return;
    gains[0] = size * limit->stiffness;
    gains[1] = size * limit->damping;
}

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
        lose(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", linear ? "x" : "twist", "a distance", "a box");
    if (several && limit->has_min && limit->min > 0)
        lose(job, MMD_LOSS_DROPPED, "joint.limit_asymmetric", "min", "a least distance", "0");
}

static void limit_ranges(joint_job *job)
{
    for (uint32_t i = 0; i < job->joint->limit_count; i++) {
        const mmd_phys_limit *limit = &job->scene->limits[job->joint->first_limit + i];
        keep_gains(job, limit);
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

static void add_drive(joint_job *job, const mmd_phys_drive *drive)
{
    bool pose = drive->kind == MMD_DRIVE_POSE, angular = drive->kind == MMD_DRIVE_ANGULAR;
    float size = drive->acceleration ? 1 : CM_PER_UNIT * CM_PER_UNIT;
    float *gains = &job->drive[angular ? 2 : 0];
    gains[0] = fmaxf(gains[0], angular ? size * drive->stiffness : drive->stiffness);
    gains[1] = fmaxf(gains[1], angular ? size * drive->damping : drive->damping);
    if (pose) {
        job->drive[2] = fmaxf(job->drive[2], size * drive->angular_stiffness);
        job->drive[3] = fmaxf(job->drive[3], size * drive->angular_damping);
        job->target = drive->target;
    } else if (drive->kind == MMD_DRIVE_LINEAR) {
        job->target.translation[drive->axis] = drive->position_target;
    } else {
        job->target.rotation[drive->axis] = sinf(0.5f * drive->position_target);
        job->target.rotation[3] = cosf(0.5f * drive->position_target);
    }
    job->driven = job->driven || drive->enabled;
    job->acceleration = drive->acceleration;
    if (!pose)
        lose(job, MMD_LOSS_APPROXIMATED, "joint.drive_dropped", "drive", "along one axis", "to a pose");
    if (drive->velocity_target != 0 || isfinite(drive->max_force))
        lose(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "velocityTarget", "a velocity or greatest force",
             "");
}

static void drives(joint_job *job)
{
    uint32_t turned = 0;
    for (uint32_t i = 0; i < job->joint->drive_count; i++) {
        const mmd_phys_drive *drive = &job->scene->drives[job->joint->first_drive + i];
        if (drive->kind == MMD_DRIVE_ANGULAR && turned++ > 0) {
            lose(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "drive", "a second angle", "");
            continue;
        }
        add_drive(job, drive);
    }
}

/* --------------------------------------------------------------- writing */

/* Moves ranges to be symmetric, and the frames with them; the frames are the file's. */
static void center(joint_job *job, mmd_transform *parent, mmd_transform *child)
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
        mmd_transform turn = {.rotation = {0, 0, 0, cosf(0.5f * middle)}};
        turn.rotation[k - 3] = -sinf(0.5f * middle);
        mmd_transform_multiply(&turned, &turn, &turned);
        turns++;
    }
    mmd_transform_multiply(parent, &moved, parent);
    mmd_transform_multiply(child, &turned, child);
    if (turns)
        lose(job, turns > 1 ? MMD_LOSS_APPROXIMATED : MMD_LOSS_INFO, "joint.limit_asymmetric", "childFrame",
             "not about 0", "turned");
}

/* -1: locked, 0: free; a range that rounding made a point of stays one. */
static float value_of(const joint_range *range)
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
        ragdoll_put(writer, members, keys[k], json_from_float(value_of(&job->ranges[k])));
    ragdoll_put(writer, members, "linearStiffness", json_from_float(job->linear_gains[0]));
    ragdoll_put(writer, members, "linearDamping", json_from_float(job->linear_gains[1]));
    ragdoll_put(writer, members, "angularStiffness", json_from_float(job->angular_gains[0]));
    ragdoll_put(writer, members, "angularDamping", json_from_float(job->angular_gains[1]));
    if (!job->cone && value_of(&job->ranges[4]) > 0 && value_of(&job->ranges[5]) > 0)
        lose(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", "swing1", "two angles", "a cone");
}

/* The child's pose as the parent sees it, from that of the two frames. */
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

static uint32_t held_by(const joint_job *job, int32_t body)
{
    return body < 0 ? job->writer->solver : job->writer->body_ids[body];
}

/* Whether a mask or the joint keeps the two from touching. */
static bool kept_apart(const joint_job *job)
{
    const mmd_phys_joint *joint = job->joint;
    if (!joint->collide || joint->body_a < 0 || joint->body_b < 0)
        return !joint->collide;
    const mmd_phys_body *a = &job->scene->bodies[joint->body_a], *b = &job->scene->bodies[joint->body_b];
    return a->shape_count && b->shape_count &&
           !mmd_physscene_collides(job->scene, job->scene->shapes[a->first_shape].filter,
                                   job->scene->shapes[b->first_shape].filter);
}

static void put_joint(joint_job *job, json_t *components)
{
    ragdoll_writer *writer = job->writer;
    json_t *members = ragdoll_members(writer, components, "JointComponent");
    mmd_transform parent, child;
    mmd_exchange_to_file(MMD_EXCHANGE_RAGDOLL, &job->joint->frame_a, &parent);
    mmd_exchange_to_file(MMD_EXCHANGE_RAGDOLL, &job->joint->frame_b, &child);
    center(job, &parent, &child);
    mmd_exchange_from_file(MMD_EXCHANGE_RAGDOLL, &parent, &parent);
    mmd_exchange_from_file(MMD_EXCHANGE_RAGDOLL, &child, &child);
    ragdoll_put(writer, members, "parent", ragdoll_entity_value(held_by(job, job->joint->body_a)));
    ragdoll_put(writer, members, "child", ragdoll_entity_value(held_by(job, job->joint->body_b)));
    ragdoll_put(writer, members, "parentFrame", ragdoll_matrix(&parent));
    ragdoll_put(writer, members, "childFrame", ragdoll_matrix(&child));
    ragdoll_put(writer, members, "disableCollision", json_boolean(kept_apart(job)));
    if (job->joint->disabled)
        ragdoll_put(writer, members, "enabled", json_false());
}

/* PMX's own record, as the file says it. */
static void put_pmx(ragdoll_writer *writer, json_t *components, uint32_t number)
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
    if (job.joint->kind == MMD_JOINT_AXES) {
        limit_ranges(&job);
        drives(&job);
    } else {
        pmx_ranges(&job);
        pmx_springs(&job);
        lose_motors(&job);
    }
    put_joint(&job, components);
    put_limit(&job, components);
    put_drive(&job, components);
    if (made)
        put_pmx(writer, components, number);
}
