/*
 * The metrics of joint limits (appendix of KHR_physics_rigid_bodies: distance along one axis, in a plane, in
 * space; twist, cone, whole angle), the elliptic cone of Ragdoll, and their exact derivatives.
 *
 * Derivatives: with Q = (v, w) the relative rotation in A's axes and W the relative angular velocity there,
 * v' = (w W + W x v) / 2 and w' = -W.v / 2. The twist 2 atan2(v_i, w) then grows by W.(w w e_i + w v x e_i +
 * v_i v) / (w w + v_i v_i), and a direction d fixed in B moves by W x d.
 *
 * A limit of several axes with a maximum of 0 is a lock and gives one row per axis, because the direction of
 * a vector of length 0 is undefined.
 */
#include <assert.h>
#include <math.h>

#include "joint_metric.h"
#include "mmd_math.h"

/* ------------------------------------------------------------------ springs */

/*
 * The exact damped oscillator under a steady force as a solver's row.
 *
 * x'' = -d x' - o x, with o = k / m and d = c / m, has at times n h the
 * solution of x(n+1) = (p + q) x(n) - p q x(n-1), where p and q are e to the
 * roots of r r + d r + o times h. With v(n) = (x(n) - x(n-1)) / h, which is
 * how x += h v integrates, that is
 *     v(n+1) = p q v(n) - (1 - p)(1 - q) x(n) / h.
 * All else that acts on the mass during the step, gravity and other joints
 * and contacts, is taken as a steady force of the impulse j: it moves the
 * place of rest by j / (h k), and so adds to v(n+1)
 *     (1 - p)(1 - q) / (o h h) j / m = R j / m.
 * Since j / m = v(n+1) - v(n) - l / m, where l is the spring's own impulse,
 *     (1 - R) v(n+1) + R l / m = (p q - R) v(n) - (1 - p)(1 - q) x(n) / h.
 * At rest that is l = -h k x whatever bears down, and without a stiffness the
 * final speed is j / (h c). 0 < p q <= R <= 1, so the row always yields.
 * A spring too stiff for the step (o h h > 1) is the implicit Euler step of
 * the same spring, which is stable for any stiffness and rests there too:
 *     v(n+1) + l / (h (h k + c)) = -k x / (h k + c).
 */

/* Computes (e^z - 1) / z. */
static double mean_of_exp(double z)
{
    return z == 0.0 ? 1.0 : mmd_expm1(z) / z;
}

/* Computes R (pass) and p q (keep). */
static void exact(double o, double d, double h, double *pass, double *keep)
{
    double half = d * 0.5, square = half * half - o;
    *keep = mmd_exp(-d * h);
    if (square >= 0.0) {
        double fast = -half - sqrt(square), slow = fast < 0.0 ? o / fast : 0.0;
        *pass = mean_of_exp(fast * h) * mean_of_exp(slow * h);
    } else {
        double turn = sqrt(-square) * h, size = mmd_exp(-half * h), sine = mmd_sin(turn * 0.5);
        double real = 2.0 * size * sine * sine - mmd_expm1(-half * h), imaginary = size * mmd_sin(turn);
        *pass = (real * real + imaginary * imaginary) / (o * h * h);
    }
}

joint_spring joint_spring_make(double k, double c, double inverse_mass, double h)
{
    double o = k * inverse_mass, pass, keep;
    if (o * h * h > 1.0) {
        double a = h * (h * k + c), diagonal = a * inverse_mass + 1.0;
        return (joint_spring){.position = (float)(h * k / diagonal),
                              .velocity = (float)(a / diagonal),
                              .share = (float)(1.0 / diagonal)};
    }
    exact(o, c * inverse_mass, h, &pass, &keep);
    return (joint_spring){.position = (float)(pass * h * k),
                          .before = (float)((pass - keep) / inverse_mass),
                          .velocity = (float)((1.0 - pass) / inverse_mass),
                          .share = (float)pass};
}

/* ------------------------------------------------------------------ metrics */

static const float pi = 3.14159265f;

/* Length below which a vector has no usable direction. */
static const float no_length = 1e-5f;

float joint_twist(const float rotation[4], int axis)
{
    assert(rotation);
    float v = rotation[axis], w = rotation[3];
    return w < 0.0f ? 2.0f * mmd_atan2f(-v, -w) : 2.0f * mmd_atan2f(v, w);
}

float joint_track(float before, float angle)
{
    return before + remainderf(angle - before, 2.0f * pi);
}

/* Computes the derivative of a twist. Returns false for a swing of half a turn, where the twist is
 * undefined. */
static bool twist_gradient(const float rotation[4], int axis, float gradient[3])
{
    const float *v = rotation;
    float w = rotation[3], square = w * w + v[axis] * v[axis];
    float unit[3] = {axis == 0, axis == 1, axis == 2}, turned[3];
    if (square < 1e-6f)
        return false;
    cross3(v, unit, turned);
    for (int k = 0; k < 3; k++)
        gradient[k] = (w * w * unit[k] + w * turned[k] + v[axis] * v[k]) / square;
    return true;
}

static joint_row free_row(void)
{
    return (joint_row){.lower = -INFINITY, .upper = INFINITY};
}

static joint_row locked_row(float error)
{
    return (joint_row){.value = error};
}

/* Sets the bounds of a row from a limit. */
static void set_range(const mmd_phys_limit *limit, joint_row *row)
{
    if (limit->has_min)
        row->lower = limit->min;
    if (limit->has_max)
        row->upper = limit->max;
}

/* Sets the range of a value that is never negative. */
static void set_length_range(const mmd_phys_limit *limit, joint_row *row)
{
    set_range(limit, row);
    if (row->lower <= 0.0f)
        row->lower = -INFINITY;
}

static int axis_count(uint8_t axes)
{
    return (axes & 1) + (axes >> 1 & 1) + (axes >> 2 & 1);
}

static int first_axis(uint8_t axes)
{
    return axes & 1 ? 0 : axes & 2 ? 1 : 2;
}

static bool leaves_no_room(const mmd_phys_limit *limit)
{
    return limit->has_max && limit->max <= 0.0f;
}

/* ---------------------------------------------------------------- linear */

static int lock_positions(uint8_t axes, const mmd_transform *t, joint_row *rows)
{
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (!(axes >> i & 1))
            continue;
        rows[count] = locked_row(t->translation[i]);
        rows[count++].linear[i] = 1.0f;
    }
    return count;
}

static int one_position(const mmd_phys_limit *limit, const mmd_transform *t, joint_row *rows)
{
    int axis = first_axis(limit->axes);
    rows[0] = free_row();
    rows[0].value = t->translation[axis];
    rows[0].linear[axis] = 1.0f;
    set_range(limit, &rows[0]);
    return 1;
}

static int distance(const mmd_phys_limit *limit, const mmd_transform *t, joint_row *rows)
{
    joint_row *row = &rows[0];
    *row = free_row();
    for (int i = 0; i < 3; i++)
        row->linear[i] = limit->axes >> i & 1 ? t->translation[i] : 0.0f;
    row->value = sqrtf(dot3(row->linear, row->linear));
    set_length_range(limit, row);
    if (row->value > no_length) {
        for (int i = 0; i < 3; i++)
            row->linear[i] /= row->value;
        return 1;
    }
    memset(row->linear, 0, sizeof row->linear);
    row->linear[first_axis(limit->axes)] = 1.0f;
    return row->lower > 0.0f;
}

static int linear_rows(const mmd_phys_limit *limit, const mmd_transform *t, joint_row *rows)
{
    if (axis_count(limit->axes) == 1)
        return one_position(limit, t, rows);
    if (leaves_no_room(limit))
        return lock_positions(limit->axes, t, rows);
    return distance(limit, t, rows);
}

/* --------------------------------------------------------------- angular */

static int one_angle(const mmd_phys_limit *limit, const mmd_transform *t, const float twist[3],
                     joint_row *rows)
{
    int axis = first_axis(limit->axes);
    rows[0] = free_row();
    rows[0].value = twist[axis];
    set_range(limit, &rows[0]);
    return twist_gradient(t->rotation, axis, rows[0].angular);
}

/* Converts a rotation to a vector along its axis with the angle, 0 to pi, as length. */
static void rotation_vector(const float rotation[4], float vector[3])
{
    float sine = sqrtf(dot3(rotation, rotation)), cosine = rotation[3];
    float angle = 2.0f * mmd_atan2f(sine, fabsf(cosine));
    float factor = sine > 1e-7f ? angle / sine : 2.0f;
    for (int k = 0; k < 3; k++)
        vector[k] = rotation[k] * (cosine < 0.0f ? -factor : factor);
}

/* Computes the rotation, as a vector, that brings A's axis onto B's by the smaller angle. */
static void lean(const mmd_transform *t, int axis, float vector[3])
{
    float from[4] = {axis == 0, axis == 1, axis == 2, 0.0f}, to[4];
    quat_rotate(t->rotation, from, to);
    cross3(from, to, vector);
    float sine = sqrtf(dot3(vector, vector)), angle = mmd_atan2f(sine, to[axis]);
    float factor = sine > 1e-7f ? angle / sine : 1.0f;
    if (sine <= 1e-7f && to[axis] < 0.0f) { /* half a turn: any direction is equally short */
        vector[(axis + 1) % 3] = pi;
        return;
    }
    for (int k = 0; k < 3; k++)
        vector[k] *= factor;
}

/* Makes a row for each locked axis of a rotation given as a vector. */
static int lock_turns(uint8_t axes, const float vector[3], joint_row *rows)
{
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (!(axes >> i & 1))
            continue;
        rows[count] = locked_row(vector[i]);
        rows[count++].angular[i] = 1.0f;
    }
    return count;
}

/* Makes the row of the angle of a rotation given as a vector, which grows about its own axis. */
static int angle_of(const mmd_phys_limit *limit, const float vector[3], int axis, joint_row *rows)
{
    joint_row *row = &rows[0];
    *row = free_row();
    row->value = sqrtf(dot3(vector, vector));
    set_length_range(limit, row);
    if (row->value > no_length) {
        for (int k = 0; k < 3; k++)
            row->angular[k] = vector[k] / row->value;
        return 1;
    }
    row->angular[axis] = 1.0f;
    return row->lower > 0.0f;
}

static int angular_rows(const mmd_phys_limit *limit, const mmd_transform *t, const float twist[3],
                        joint_row *rows)
{
    int count = axis_count(limit->axes);
    if (count == 1)
        return one_angle(limit, t, twist, rows);
    float vector[3];
    if (count == 3)
        rotation_vector(t->rotation, vector);
    else
        lean(t, first_axis((uint8_t)(7 & ~limit->axes)), vector);
    if (leaves_no_room(limit))
        return lock_turns(limit->axes, vector, rows);
    return angle_of(limit, vector, first_axis(limit->axes), rows);
}

/* --------------------------------------------------------- elliptic cone */

/* Half angles below this are locks. */
static const float no_angle = 1e-3f;

/* Makes rows for a cone that is flat in one direction: a range or a lock for each of the two angles. */
static int flat_cone(const float vector[3], const float half[2], joint_row *rows)
{
    int count = 0;
    for (int i = 0; i < 2; i++) {
        rows[count] = locked_row(vector[i + 1]);
        if (half[i] >= no_angle) {
            rows[count].lower = -half[i];
            rows[count].upper = half[i];
        }
        rows[count++].angular[i + 1] = 1.0f;
    }
    return count;
}

/*
 * Makes the row of an elliptic cone. With s the lean (a vector in the plane of Y and Z, u the direction to
 * which X leans, n = s/|s|), s' = (W.n) n - |s| (W.(x - u cot|s|)) u. The distance to the ellipse is taken
 * along the gradient of its norm.
 */
static int cone_row(const float s[3], const float half[2], joint_row *row)
{
    float angle = sqrtf(dot3(s, s));
    float scaled[2] = {s[1] / half[0], s[2] / half[1]};
    float norm = sqrtf(scaled[0] * scaled[0] + scaled[1] * scaled[1]);
    if (angle < no_length)
        return 0;
    float slope[3] = {0.0f, scaled[0] / (half[0] * norm), scaled[1] / (half[1] * norm)};
    float steep = sqrtf(dot3(slope, slope));
    float n[3] = {0.0f, s[1] / angle, s[2] / angle}, u[3] = {0.0f, n[2], -n[1]};
    float along = dot3(slope, n) / steep, across = dot3(slope, u) / steep;
    float cotangent = angle < 1e-2f ? 1.0f : mmd_maxf(angle / mmd_tanf(angle), -50.0f);
    *row = free_row();
    row->value = (norm - 1.0f) / steep;
    row->upper = 0.0f;
    for (int k = 0; k < 3; k++)
        row->angular[k] = along * n[k] + across * (cotangent * u[k] - (k == 0 ? angle : 0.0f));
    return 1;
}

static int ellipse_rows(const mmd_phys_limit *limit, const mmd_transform *t, joint_row *rows)
{
    if (!limit->has_max)
        return 0;
    float s[3], half[2] = {limit->max, limit->max2};
    lean(t, 0, s);
    if (half[0] < no_angle || half[1] < no_angle)
        return flat_cone(s, half, rows);
    return cone_row(s, half, rows);
}

int joint_limit_rows(const mmd_phys_limit *limit, const mmd_transform *t, const float twist[3],
                     joint_row *rows)
{
    assert(limit);
    switch (limit->kind) {
    case MMD_LIMIT_LINEAR:
        return linear_rows(limit, t, rows);
    case MMD_LIMIT_ANGULAR:
        return angular_rows(limit, t, twist, rows);
    default:
        return ellipse_rows(limit, t, rows);
    }
}

/* ---------------------------------------------------------------- drives */

static joint_drive_row drive_row(const mmd_phys_drive *drive)
{
    return (joint_drive_row){
        .velocity = drive->velocity_target, .stiffness = drive->stiffness, .damping = drive->damping};
}

/* Makes three rows of position and three of angle, of T relative to the target. */
static int pose_rows(const mmd_phys_drive *drive, const mmd_transform *t, joint_drive_row *rows)
{
    float away[4], vector[3];
    quat_conjugate(drive->target.rotation, away);
    quat_multiply(t->rotation, away, away);
    rotation_vector(away, vector);
    for (int i = 0; i < 3; i++) {
        rows[i] = (joint_drive_row){.value = t->translation[i] - drive->target.translation[i],
                                    .stiffness = drive->stiffness,
                                    .damping = drive->damping};
        rows[i].linear[i] = 1.0f;
        rows[i + 3] = (joint_drive_row){
            .value = vector[i], .stiffness = drive->angular_stiffness, .damping = drive->angular_damping};
        rows[i + 3].angular[i] = 1.0f;
    }
    return 6;
}

int joint_drive_rows(const mmd_phys_drive *drive, const mmd_transform *t, const float twist[3],
                     joint_drive_row *rows)
{
    assert(drive && t);
    if (!drive->enabled)
        return 0;
    if (drive->kind == MMD_DRIVE_POSE)
        return pose_rows(drive, t, rows);
    int axis = drive->axis;
    rows[0] = drive_row(drive);
    if (drive->kind == MMD_DRIVE_LINEAR) {
        rows[0].value = t->translation[axis] - drive->position_target;
        rows[0].linear[axis] = 1.0f;
    } else {
        rows[0].value = twist[axis] - drive->position_target;
        return twist_gradient(t->rotation, axis, rows[0].angular);
    }
    return 1;
}
