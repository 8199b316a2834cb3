/*
 * Writes joints of a scene as joints of a PMX (docs/formats.md 4): limits and drives as kind 0, a spring with
 * limits; joints that were a PMX's keep their kind.
 *
 * A PMX joint has one frame J at rest for both bodies, and limits how far they may leave it. The scene's two
 * frames may differ at rest. J has the position of B's frame and the rotation of A's; so positions are exact
 * after subtracting the offset at rest, as are angles about one axis. If all angles are locked, they are
 * locked to the Euler angles that are required. For several axes at once, twists and cones are replaced by
 * Euler angles (Rz * Ry * Rx, as in Bullet).
 *
 * Angles have the opposite sign: [lower, upper] allows true angles from -upper to -lower. The angle about Y
 * must stay within a quarter turn; otherwise J's axes are permuted.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/elementary.h"
#include "write.h"

static const float pi = 3.14159265f, same_position = 1e-4f, same_angle = 1e-4f, quarter = 1.4f;

typedef struct axis_range {
    bool low, high; /* has a lower (upper) bound */
    float lower, upper;
} axis_range;

/* A joint while it is written. */
typedef struct joint_job {
    pmx_target *target;
    const mmd_physscene *scene;
    const mmd_phys_joint *joint;
    uint32_t number;
    mmd_transform transform_a, transform_b; /* world transforms of the two frames */
    mmd_transform rest;                     /* B's frame relative to A's */
    axis_range ranges[6];                   /* positions, then true angles, about A's axes */
    float springs[6];
} joint_job;

static void joint_loss(const joint_job *job, mmd_loss_severity severity, const char *code, const char *field,
                       const char *source, const char *emitted)
{
    target_loss(job->target, severity, code, "joint", job->number, job->joint->name, field, source, emitted);
}

/* ---------------------------------------------------------------- angles */

void target_angles(const float rotation[4], float angles[3])
{
    assert(angles);
    double q[4], size = 0;
    for (int k = 0; k < 4; k++)
        size += (double)rotation[k] * (double)rotation[k];
    for (int k = 0; k < 4; k++) /* normalised exactly: near a quarter turn about X every digit matters */
        q[k] = (double)rotation[k] / sqrt(size);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double m02 = 2 * (x * z + w * y), m22 = 1 - 2 * (x * x + y * y), m12 = 2 * (y * z - w * x);
    const double m10 = 2 * (x * y + w * z), m11 = 1 - 2 * (x * x + z * z);
    const double m00 = 1 - 2 * (y * y + z * z), m20 = 2 * (x * z - w * y);
    double across = mmd_hypot(m10, m11);
    bool upright = across < 1e-6; /* gimbal lock: Y and Z are the same axis */
    angles[0] = (float)mmd_atan2(-m12, across);
    angles[1] = (float)(upright ? mmd_atan2(-m20, m00) : mmd_atan2(m02, m22));
    angles[2] = (float)(upright ? 0 : mmd_atan2(m10, m11));
    for (int k = 0; k < 3; k++)
        angles[k] += 0; /* avoids -0 */
}

/* Computes Bullet's Euler angles: Rz * Ry * Rx. */
static void angles_in_turn(const float rotation[4], float angles[3])
{
    const float x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
    angles[0] = mmd_atan2f(2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
    angles[1] = mmd_asinf(mmd_maxf(-1, mmd_minf(1, 2 * (w * y - x * z))));
    angles[2] = mmd_atan2f(2 * (x * y + w * z), 1 - 2 * (y * y + z * z));
}

/* Returns the twist of a rotation about an axis, -pi to pi. */
static float twist_of(const float rotation[4], int axis)
{
    float angle = 2 * mmd_atan2f(rotation[axis], rotation[3]);
    return angle > pi ? angle - 2 * pi : angle < -pi ? angle + 2 * pi : angle;
}

/* Returns the angle of a rotation. */
static float angle_of(const float rotation[4])
{
    return 2 * mmd_atan2f(mmd_hypotf(mmd_hypotf(rotation[0], rotation[1]), rotation[2]), fabsf(rotation[3]));
}

/* ---------------------------------------------------------------- limits */

static bool is_locked(const axis_range *range)
{
    return range->low && range->high && range->upper - range->lower <= 1e-7f;
}

/* Raises the lower bound. */
static void narrow_low(axis_range *range, float lower)
{
    range->lower = range->low ? mmd_maxf(range->lower, lower) : lower;
    range->low = true;
}

/* Lowers the upper bound. */
static void narrow_high(axis_range *range, float upper)
{
    range->upper = range->high ? mmd_minf(range->upper, upper) : upper;
    range->high = true;
}

/* Returns the approximate mass that a spring moves; for angles the inertia of a ball of half a unit. */
static float mass_moved(const joint_job *job, bool angular)
{
    float least = INFINITY;
    for (int i = 0; i < 2; i++) {
        int32_t number = i ? job->joint->body_b : job->joint->body_a;
        const mmd_phys_body *body = number < 0 ? NULL : &job->scene->bodies[number];
        if (body && body->motion != MMD_PHYS_STATIC && body->motion != MMD_PHYS_KINEMATIC && body->mass > 0)
            least = mmd_minf(least, body->mass);
    }
    return angular ? 0.1f * least : least;
}

/*
 * Returns whether a soft limit is a spring: it pulls to one value that is also the rest position, and is soft
 * enough for MMD's time step to be stable.
 */
static bool is_spring(const joint_job *job, const mmd_phys_limit *limit, int axis)
{
    bool linear = limit->kind == MMD_LIMIT_LINEAR;
    float now = linear ? job->rest.translation[axis] : twist_of(job->rest.rotation, axis);
    return limit->soft && limit->has_min && limit->has_max && limit->min == limit->max &&
           fabsf(now - limit->min) < (linear ? same_position : same_angle) &&
           limit->stiffness < 3600 * mass_moved(job, !linear);
}

/* Applies a limit to an axis, as spring or range. */
static void limit_axis(joint_job *job, const mmd_phys_limit *limit, int axis, bool several)
{
    bool linear = limit->kind == MMD_LIMIT_LINEAR;
    int slot = linear ? axis : axis + 3;
    if (is_spring(job, limit, axis)) {
        job->springs[slot] += limit->stiffness;
        return;
    }
    if (several ? limit->has_max : limit->has_min)
        narrow_low(&job->ranges[slot], several ? -limit->max : limit->min);
    if (limit->has_max)
        narrow_high(&job->ranges[slot], limit->max);
}

/* Reports what is lost of a limit. */
static void report_limit_losses(const joint_job *job, const mmd_phys_limit *limit, bool several)
{
    bool linear = limit->kind == MMD_LIMIT_LINEAR;
    if (limit->soft)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.soft_limit_dropped", "stiffness", "a soft limit",
                   limit->min == limit->max ? "a spring without damping, or a hard limit" : "a hard limit");
    if (!several)
        return;
    if (limit->has_max && limit->max > 0)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", linear ? "linearAxes" : "angularAxes",
                   linear ? "a distance" : "an angle", "a limit per axis");
    if (limit->has_min && limit->min > 0)
        joint_loss(job, MMD_LOSS_DROPPED, "joint.limit_asymmetric", "min", "a least distance", "0");
}

/* Applies all limits. */
static void find_ranges(joint_job *job)
{
    for (uint32_t i = 0; i < job->joint->limit_count; i++) {
        const mmd_phys_limit *limit = &job->scene->limits[job->joint->first_limit + i];
        bool several = (limit->axes & (limit->axes - 1)) != 0;
        if (limit->kind == MMD_LIMIT_ELLIPSE) {
            for (int k = 0; k < 2; k++) {
                narrow_low(&job->ranges[4 + k], k ? -limit->max2 : -limit->max);
                narrow_high(&job->ranges[4 + k], k ? limit->max2 : limit->max);
            }
            several = true;
        }
        for (int k = 0; k < 3 && limit->kind != MMD_LIMIT_ELLIPSE; k++)
            if (limit->axes >> k & 1)
                limit_axis(job, limit, k, several);
        report_limit_losses(job, limit, several);
    }
}

/* ---------------------------------------------------------------- drives */

/* Adds a spring. PMX springs pull to the rest position; for another target *expressible becomes false. */
static void spring_to(joint_job *job, int slot, float target, float stiffness, bool *expressible)
{
    float now = slot < 3 ? job->rest.translation[slot] : twist_of(job->rest.rotation, slot - 3);
    if (stiffness <= 0)
        return;
    if (fabsf(target - now) > (slot < 3 ? same_position : same_angle))
        *expressible = false;
    else
        job->springs[slot] += stiffness;
}

/* Adds springs along and about all axes. */
static void drive_to_pose(joint_job *job, const mmd_phys_drive *drive, bool *expressible)
{
    for (int k = 0; k < 3; k++) {
        spring_to(job, k, drive->target.translation[k], drive->stiffness, expressible);
        spring_to(job, k + 3, twist_of(drive->target.rotation, k), drive->angular_stiffness, expressible);
    }
}

/* Converts drives to springs; reports what is lost. */
static void find_springs(joint_job *job)
{
    for (uint32_t i = 0; i < job->joint->drive_count; i++) {
        const mmd_phys_drive *drive = &job->scene->drives[job->joint->first_drive + i];
        bool pose = drive->kind == MMD_DRIVE_POSE, expressible = !drive->acceleration;
        bool damps = drive->damping > 0 || (pose && drive->angular_damping > 0);
        bool pulls = drive->stiffness > 0 || (pose && drive->angular_stiffness > 0);
        if (!drive->enabled || (!pulls && !damps))
            continue;
        if (expressible && pose)
            drive_to_pose(job, drive, &expressible);
        else if (expressible)
            spring_to(job, drive->axis + (drive->kind == MMD_DRIVE_ANGULAR ? 3 : 0), drive->position_target,
                      drive->stiffness, &expressible);
        if (!expressible)
            joint_loss(job, MMD_LOSS_DROPPED, "joint.drive_dropped", "drive",
                       drive->acceleration ? "of acceleration" : "to a target", "");
        else if (damps || isfinite(drive->max_force))
            joint_loss(job, pulls ? MMD_LOSS_APPROXIMATED : MMD_LOSS_DROPPED, "joint.drive_dropped",
                       "damping", "a damping or maximum force", pulls ? "a spring" : "");
    }
}

/* ---------------------------------------------------------------- frames */

static void shift(axis_range *range, float by)
{
    range->lower -= by;
    range->upper -= by;
}

/* Shifts the position ranges from A's frame to J. */
static void shift_positions(joint_job *job)
{
    for (int k = 0; k < 3; k++) {
        float by = job->rest.translation[k];
        shift(&job->ranges[k], fabsf(by) < 1e-5f ? 0 : by); /* ignores rounding errors */
    }
}

/* All angles locked: sets them to B's required rotation relative to its rest. */
static void shift_locked(joint_job *job)
{
    mmd_transform wanted = {.rotation = {0, 0, 0, 1}}, back = {0};
    float angles[3];
    for (int k = 0; k < 3; k++) {
        mmd_transform turn = {.rotation = {0, 0, 0, mmd_cosf(0.5f * job->ranges[k + 3].lower)}};
        turn.rotation[k] = mmd_sinf(0.5f * job->ranges[k + 3].lower);
        mmd_transform_multiply(&turn, &wanted, &wanted);
    }
    memcpy(back.rotation, job->rest.rotation, sizeof back.rotation);
    mmd_transform_inverse(&back, &back);
    mmd_transform_multiply(&wanted, &back, &wanted);
    angles_in_turn(wanted.rotation, angles);
    for (int k = 0; k < 3; k++)
        job->ranges[k + 3].lower = job->ranges[k + 3].upper = angles[k];
}

/* Shifts the angle ranges to the rest rotation. */
static void shift_angles(joint_job *job)
{
    int locked = 0, bounded = 0;
    for (int k = 3; k < 6; k++) {
        locked += is_locked(&job->ranges[k]);
        bounded += job->ranges[k].low || job->ranges[k].high;
    }
    if (bounded && locked < 2 && !(locked == 0 && bounded == 0))
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.cone_to_box", "angularAxes", "twists", "Euler angles");
    if (angle_of(job->rest.rotation) < same_angle || !bounded)
        return;
    if (locked == 3) {
        shift_locked(job);
        return;
    }
    bool exact = locked == 2;
    for (int k = 0; k < 3; k++) {
        bool turned = fabsf(job->rest.rotation[k]) > same_angle;
        exact = exact && (!turned || !is_locked(&job->ranges[k + 3]));
        shift(&job->ranges[k + 3], twist_of(job->rest.rotation, k));
    }
    if (!exact)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.limit_asymmetric", "frame", "two frames at rest",
                   "one");
}

/* Returns whether a range is within a quarter turn. */
static bool is_short(const axis_range *range)
{
    return range->low && range->high && range->lower >= -quarter && range->upper <= quarter;
}

/* Returns how the axes are permuted so that Y has a short range: new axis k is the old (k + turn) % 3. */
static int choose_turn(const joint_job *job)
{
    bool free = true;
    for (int k = 3; k < 6; k++)
        free = free && !job->ranges[k].low && !job->ranges[k].high;
    for (int turn = 0; turn < 3 && !free; turn++)
        if (is_short(&job->ranges[3 + (1 + turn) % 3]))
            return turn;
    return 0;
}

/* --------------------------------------------------------------- writing */

static const float free_range[2] = {1, -1};

/* Stores a position range; free ones as lower > upper. */
static void put_position(const axis_range *range, float *lower, float *upper)
{
    const float far = 1e6f;
    if (!range->low && !range->high) {
        *lower = free_range[0];
        *upper = free_range[1];
        return;
    }
    *lower = range->low ? range->lower : -far;
    *upper = range->high ? range->upper : far;
    if (*lower > *upper)
        *lower = *upper = 0.5f * (*lower + *upper);
    *lower += 0; /* avoids -0 */
    *upper += 0;
}

/* Stores an angle range. Bullet has angles of up to half a turn to either side; a whole turn is free. */
static void put_angle(const axis_range *range, float *lower, float *upper)
{
    float low = range->low ? mmd_maxf(-pi, range->lower) : -pi;
    float high = range->high ? mmd_minf(pi, range->upper) : pi;
    bool whole = low <= -pi && high >= pi;
    if (low > high)
        low = high = mmd_maxf(-pi, mmd_minf(pi, 0.5f * (range->lower + range->upper)));
    *lower = whole ? free_range[0] : 0 - high; /* avoids -0 */
    *upper = whole ? free_range[1] : 0 - low;
}

/* Stores all ranges and springs, permuted. */
static void put_ranges(joint_job *job, int turn, mmd_joint *made)
{
    for (int k = 0; k < 3; k++) {
        int from = (k + turn) % 3;
        put_position(&job->ranges[from], &made->linear_lower[k], &made->linear_upper[k]);
        put_angle(&job->ranges[from + 3], &made->angular_lower[k], &made->angular_upper[k]);
        made->linear_spring[k] = is_locked(&job->ranges[from]) ? 0 : job->springs[from];
        made->angular_spring[k] = is_locked(&job->ranges[from + 3]) ? 0 : job->springs[from + 3];
    }
}

/* Stores J. */
static void put_frame(const joint_job *job, int turn, mmd_joint *made)
{
    static const float turns[3][4] = {{0, 0, 0, 1}, {0.5f, 0.5f, 0.5f, 0.5f}, {-0.5f, -0.5f, -0.5f, 0.5f}};
    mmd_transform transform = job->transform_a, other = {0};
    memcpy(other.rotation, turns[turn], sizeof other.rotation);
    mmd_transform_multiply(&transform, &other, &transform);
    target_angles(transform.rotation, made->rotation);
    memcpy(made->position, job->transform_b.translation, sizeof made->position);
}

/* Converts limits and drives. */
static void put_axes(joint_job *job, mmd_joint *made)
{
    find_ranges(job);
    find_springs(job);
    shift_positions(job);
    shift_angles(job);
    int turn = choose_turn(job);
    put_ranges(job, turn, made);
    put_frame(job, turn, made);
}

/* Stores a joint of one of PMX's kinds. */
static void put_pmx(const joint_job *job, mmd_joint *made)
{
    const mmd_pmx_joint *pmx = &job->joint->pmx;
    made->kind = job->joint->kind;
    memcpy(made->linear_lower, pmx->linear_lower, sizeof made->linear_lower);
    memcpy(made->linear_upper, pmx->linear_upper, sizeof made->linear_upper);
    memcpy(made->angular_lower, pmx->angular_lower, sizeof made->angular_lower);
    memcpy(made->angular_upper, pmx->angular_upper, sizeof made->angular_upper);
    memcpy(made->linear_spring, pmx->linear_spring, sizeof made->linear_spring);
    memcpy(made->angular_spring, pmx->angular_spring, sizeof made->angular_spring);
    put_frame(job, 0, made);
    const float *t = job->rest.translation;
    if (mmd_hypotf(mmd_hypotf(t[0], t[1]), t[2]) > same_position || angle_of(job->rest.rotation) > same_angle)
        joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.limit_asymmetric", "frame", "two frames at rest",
                   "one");
}

/* Stores a disabled joint as one without limits. */
static void put_disabled(const joint_job *job, mmd_joint *made)
{
    for (int k = 0; k < 3; k++) {
        made->linear_lower[k] = made->angular_lower[k] = free_range[0];
        made->linear_upper[k] = made->angular_upper[k] = free_range[1];
    }
    put_frame(job, 0, made);
    joint_loss(job, MMD_LOSS_APPROXIMATED, "joint.disabled", "enabled", "false",
               "a joint that holds nothing");
}

mmd_joint *target_add_joint(pmx_target *target)
{
    assert(target);
    mmd_model *model = &target->model;
    if (model->joint_count == target->joint_room) {
        uint32_t room = target->joint_room ? target->joint_room * 2 : 64;
        mmd_joint *joints = target_alloc(target, room, sizeof *joints);
        if (!joints)
            return NULL;
        if (model->joint_count)
            memcpy(joints, model->joints, model->joint_count * sizeof *joints);
        model->joints = joints;
        target->joint_room = room;
    }
    return &model->joints[model->joint_count++];
}

/* Returns the world transform of a frame. */
static void transform_of(const joint_job *job, int32_t body, const mmd_transform *frame,
                         mmd_transform *transform)
{
    if (body < 0)
        *transform = *frame;
    else
        mmd_transform_multiply(&job->scene->bodies[body].rest, frame, transform);
}

/*
 * Returns the PMX body of a body. The world, and bodies that were not written, are the anchor body; a
 * disabled joint needs none.
 */
static int32_t pmx_body_of(const joint_job *job, int32_t body)
{
    int32_t written = body < 0 ? -1 : job->target->body_of[body];
    return written < 0 && !job->joint->disabled ? target_anchor(job->target) : written;
}

/* Reports joints to the world and collisions that cannot be disabled. */
static void report_body_losses(const joint_job *job, const mmd_joint *made)
{
    const mmd_rigid_body *bodies = job->target->model.bodies;
    if (!job->joint->disabled && (job->joint->body_a < 0 || job->joint->body_b < 0)) {
        joint_loss(job, MMD_LOSS_INFO, "joint.world", "body", "the world", "a static body");
        return;
    }
    if (job->joint->collide || made->body_a < 0 || made->body_b < 0)
        return;
    const mmd_rigid_body *a = &bodies[made->body_a], *b = &bodies[made->body_b];
    if ((a->mode || b->mode) && a->mask >> b->group & 1 && b->mask >> a->group & 1)
        joint_loss(job, MMD_LOSS_DROPPED, "joint.collision", "enableCollision", "false", "true");
}

void target_write_joint(pmx_target *target, uint32_t number)
{
    assert(target);
    assert(number < target->job->scene->joint_count);
    const mmd_physscene *scene = target->job->scene;
    joint_job job = {.target = target, .scene = scene, .joint = &scene->joints[number], .number = number};
    mmd_joint made = {.name_en = ""};
    transform_of(&job, job.joint->body_a, &job.joint->frame_a, &job.transform_a);
    transform_of(&job, job.joint->body_b, &job.joint->frame_b, &job.transform_b);
    mmd_transform_inverse(&job.transform_a, &job.rest);
    mmd_transform_multiply(&job.rest, &job.transform_b, &job.rest);
    made.name = target_name(target, job.joint->name, "joint", number);
    made.body_a = pmx_body_of(&job, job.joint->body_a);
    made.body_b = pmx_body_of(&job, job.joint->body_b);
    if (job.joint->disabled)
        put_disabled(&job, &made);
    else if (job.joint->kind == MMD_JOINT_LIMITS_AND_DRIVES)
        put_axes(&job, &made);
    else
        put_pmx(&job, &made);
    report_body_losses(&job, &made);
    mmd_joint *added = target_add_joint(target);
    if (!added)
        return;
    *added = made;
    target->joint_of[number] = (int32_t)target->model.joint_count - 1;
}
