/* Joints of limits and drives: the metrics of limits and their derivatives, springs against the analytic
 * oscillator, and the examples of docs/formats.md 1 and 2 as scenes built by hand, with their numbers. */
#include "phys_scenes.h"
#include "support.h"

#include "engine/physics/joint_metric.h"

static const float pi = 3.14159265f;

/* Prints a measured value if ODORI_MEASURE is set. */
static void measured(const char *what, float value)
{
    if (getenv("ODORI_MEASURE"))
        print_message("    %-52s %g\n", what, (double)value);
}

/* ---------------------------------------------------------------- metrics */

static mmd_transform turned(float x, float y, float z, float angle)
{
    float length = sqrtf(x * x + y * y + z * z), s = sinf(angle * 0.5f) / length;
    return (mmd_transform){{x * s, y * s, z * s, cosf(angle * 0.5f)}, {0.0f, 0.0f, 0.0f, 0.0f}};
}

static mmd_phys_limit limit_of(mmd_phys_limit_kind kind, uint8_t axes)
{
    return (mmd_phys_limit){
        .kind = (uint8_t)kind, .axes = axes, .has_max = true, .max = 1.0f, .has_min = true, .min = 0.5f};
}

static void twists_of(const mmd_transform *t, float twist[3])
{
    for (int i = 0; i < 3; i++)
        twist[i] = joint_twist(t->rotation, i);
}

static float metric(mmd_phys_limit_kind kind, uint8_t axes, const mmd_transform *t)
{
    mmd_phys_limit limit = limit_of(kind, axes);
    joint_row rows[JOINT_LIMIT_ROWS];
    float twist[3];
    twists_of(t, twist);
    assert_int_equal(joint_limit_rows(&limit, t, twist, rows), 1);
    return rows[0].value;
}

static void linear_metrics_are_signed_distance_and_lengths(void **state)
{
    (void)state;
    mmd_transform t = turned(1.0f, 2.0f, 3.0f, 1.0f);
    t.translation[0] = -3.0f;
    t.translation[1] = 4.0f;
    t.translation[2] = 12.0f;
    assert_float_equal(metric(MMD_LIMIT_LINEAR, 1, &t), -3.0f, 1e-6f);
    assert_float_equal(metric(MMD_LIMIT_LINEAR, 4, &t), 12.0f, 1e-6f);
    assert_float_equal(metric(MMD_LIMIT_LINEAR, 3, &t), 5.0f, 1e-6f);
    assert_float_equal(metric(MMD_LIMIT_LINEAR, 7, &t), 13.0f, 1e-6f);
}

static void one_angle_is_the_signed_twist(void **state)
{
    (void)state;
    for (float angle = -3.1f; angle < 3.1f; angle += 0.3f) {
        mmd_transform twist = turned(0.0f, 1.0f, 0.0f, angle), swing = turned(1.0f, 0.0f, -2.0f, 0.8f), t;
        mmd_transform_multiply(&swing, &twist, &t);
        assert_float_equal(metric(MMD_LIMIT_ANGULAR, 2, &t), angle, 1e-5f);
        for (int k = 0; k < 4; k++)
            t.rotation[k] = -t.rotation[k];
        assert_float_equal(metric(MMD_LIMIT_ANGULAR, 2, &t), angle, 1e-5f);
    }
}

static void two_angles_are_the_cone_about_the_third_axis(void **state)
{
    (void)state;
    mmd_transform twist = turned(1.0f, 0.0f, 0.0f, 2.0f), swing = turned(0.0f, 3.0f, 4.0f, 1.3f), t;
    mmd_transform_multiply(&swing, &twist, &t);
    assert_float_equal(metric(MMD_LIMIT_ANGULAR, 6, &t), 1.3f, 1e-5f);
}

static void three_angles_are_the_whole_turn(void **state)
{
    (void)state;
    mmd_transform t = turned(1.0f, -2.0f, 3.0f, 2.5f);
    assert_float_equal(metric(MMD_LIMIT_ANGULAR, 7, &t), 2.5f, 1e-5f);
    t = turned(1.0f, -2.0f, 3.0f, 2.0f * pi - 1.0f); /* the shorter rotation */
    assert_float_equal(metric(MMD_LIMIT_ANGULAR, 7, &t), 1.0f, 1e-5f);
}

/* On its edge the value is 0. The half angles are 0.4 about Y and 0.8 about Z. */
static void the_elliptic_cone_has_its_two_half_angles(void **state)
{
    (void)state;
    mmd_phys_limit limit = {.kind = MMD_LIMIT_ELLIPSE, .has_max = true, .max = 0.4f, .max2 = 0.8f};
    for (float phase = 0.05f; phase < 6.2f; phase += 0.3f) {
        float y = 0.4f * cosf(phase), z = 0.8f * sinf(phase), angle = sqrtf(y * y + z * z);
        for (float scale = 0.5f; scale < 2.0f; scale += 0.5f) {
            mmd_transform t = turned(0.0f, y, z, angle * scale), twist = turned(1.0f, 0.0f, 0.0f, 2.0f);
            mmd_transform_multiply(&t, &twist, &t);
            joint_row rows[JOINT_LIMIT_ROWS];
            const float none[3] = {0.0f, 0.0f, 0.0f};
            assert_int_equal(joint_limit_rows(&limit, &t, none, rows), 1);
            assert_true(rows[0].upper == 0.0f && rows[0].lower < -1e30f);
            assert_true(scale == 1.0f ? fabsf(rows[0].value) < 1e-5f
                                      : (rows[0].value < 0.0f) == (scale < 1.0f));
        }
    }
}

static float value_of(const mmd_phys_limit *limit, const mmd_transform *t, joint_row *row)
{
    joint_row rows[JOINT_LIMIT_ROWS];
    float twist[3];
    twists_of(t, twist);
    assert_int_equal(joint_limit_rows(limit, t, twist, rows), 1);
    *row = rows[0];
    return rows[0].value;
}

/* Returns T after a small movement along, or rotation about, an axis of A. */
static mmd_transform moved(const mmd_transform *t, int axis, float by, bool turn)
{
    mmd_transform result = *t, step = turned(axis == 0, axis == 1, axis == 2, by);
    if (turn) {
        mmd_transform_multiply(&step, t, &result);
        memcpy(result.translation, t->translation, sizeof result.translation);
    } else {
        result.translation[axis] += by;
    }
    return result;
}

/* Compares the derivatives of each row with difference quotients, at a hundred transforms. */
static void derivatives_are_those_of_the_metrics(void **state)
{
    (void)state;
    uint64_t random = 5;
    const mmd_phys_limit limits[] = {limit_of(MMD_LIMIT_LINEAR, 2),
                                     limit_of(MMD_LIMIT_LINEAR, 5),
                                     limit_of(MMD_LIMIT_LINEAR, 7),
                                     limit_of(MMD_LIMIT_ANGULAR, 1),
                                     limit_of(MMD_LIMIT_ANGULAR, 4),
                                     limit_of(MMD_LIMIT_ANGULAR, 3),
                                     limit_of(MMD_LIMIT_ANGULAR, 6),
                                     limit_of(MMD_LIMIT_ANGULAR, 7),
                                     {.kind = MMD_LIMIT_ELLIPSE, .has_max = true, .max = 0.7f, .max2 = 1.1f}};
    float worst = 0.0f;
    for (int i = 0; i < 100; i++) {
        float r[7];
        for (int k = 0; k < 7; k++)
            r[k] = (float)(test_random(&random) >> 40) / 8388608.0f - 1.0f;
        mmd_transform t = turned(r[0], r[1], r[2], 0.3f + 2.0f * fabsf(r[3]));
        memcpy(t.translation, r + 4, 3 * sizeof(float));
        const size_t count = sizeof limits / sizeof *limits;
        for (size_t l = 0; l < count; l++)
            for (int k = 0; k < 6; k++) {
                const float step = 1e-2f;
                joint_row row, unused;
                value_of(&limits[l], &t, &row);
                if (limits[l].kind == MMD_LIMIT_ELLIPSE && fabsf(row.value) > 1e-1f)
                    continue; /* the gradient for an ellipse is exact only near the ellipse */
                mmd_transform after = moved(&t, k % 3, step, k >= 3);
                mmd_transform before = moved(&t, k % 3, -step, k >= 3);
                float slope =
                    (value_of(&limits[l], &after, &unused) - value_of(&limits[l], &before, &unused)) /
                    (2.0f * step);
                float said = k < 3 ? row.linear[k] : row.angular[k - 3];
                float allowed = limits[l].kind == MMD_LIMIT_ELLIPSE ? 0.25f : 5e-3f;
                assert_float_equal(slope, said, allowed);
                worst = fmaxf(worst, limits[l].kind == MMD_LIMIT_ELLIPSE ? 0.0f : fabsf(slope - said));
            }
    }
    measured("derivatives, largest error", worst);
}

static void limits_without_room_are_locks_of_each_axis(void **state)
{
    (void)state;
    mmd_phys_limit limit = limit_of(MMD_LIMIT_LINEAR, 5);
    limit.min = limit.max = 0.0f;
    mmd_transform t = turned(0.0f, 0.0f, 1.0f, 0.1f);
    t.translation[2] = 3.0f;
    joint_row rows[JOINT_LIMIT_ROWS];
    const float none[3] = {0.0f, 0.0f, 0.0f};
    assert_int_equal(joint_limit_rows(&limit, &t, none, rows), 2);
    assert_true(rows[1].value == 3.0f && rows[1].linear[2] == 1.0f && rows[1].lower == rows[1].upper);
    limit.kind = MMD_LIMIT_ANGULAR;
    limit.axes = 7;
    assert_int_equal(joint_limit_rows(&limit, &t, none, rows), 3);
    assert_float_equal(rows[2].value, 0.1f, 1e-6f);
}

static void angles_are_followed_beyond_half_a_turn(void **state)
{
    (void)state;
    float tracked = 0.0f;
    for (float angle = 0.0f; angle < 20.0f; angle += 0.7f) {
        mmd_transform t = turned(0.0f, 0.0f, 1.0f, angle);
        tracked = joint_track(tracked, joint_twist(t.rotation, 2));
        assert_float_equal(tracked, angle, 1e-4f);
    }
}

/* ---------------------------------------------------------------- springs */

/* Simulates one spring with the solver's formula, starting at x at rest. Returns the largest error relative
 * to the exact motion. */
static float spring_error(double k, double c, double mass, double h, double seconds)
{
    joint_spring spring = joint_spring_make(k, c, 1.0 / mass, h);
    double x = 1.0, v = 0.0, worst = 0.0, d = c / mass, o = k / mass, w2 = o - d * d / 4.0;
    for (int n = 1; n * h < seconds; n++) {
        double impulse = 0.0;
        for (int i = 0; i < 200; i++)
            impulse += -spring.position * x - spring.before * v - spring.velocity * (v + impulse / mass) -
                       spring.share * impulse;
        v += impulse / mass;
        x += v * h;
        /* The exact x(nh) of x(0) = 1 and x(-h) = 1: v = 0 is the mean speed of the step before. */
        double t = n * h, s = sqrt(fabs(w2)), e = exp(-d * t / 2.0), eh = exp(d * h / 2.0);
        double co = w2 > 0.0 ? cos(s * t) : cosh(s * t), si = w2 > 0.0 ? sin(s * t) : sinh(s * t);
        double coh = w2 > 0.0 ? cos(s * h) : cosh(s * h), sih = w2 > 0.0 ? sin(s * h) : sinh(s * h);
        double b = (coh - 1.0 / eh) / sih;
        worst = fmax(worst, fabs(x - e * (co + b * si)));
    }
    return (float)worst;
}

static void springs_are_exact_oscillators(void **state)
{
    (void)state;
    const double cases[][3] = {/* k, c, mass */ {40.0, 0.0, 1.0},
                               {40.0, 2.0, 1.0},
                               {4000.0, 1.0, 2.0},
                               {100.0, 19.9, 1.0},
                               {100.0, 200.0, 1.0},
                               {1.0, 0.01, 10.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float worst = spring_error(cases[i][0], cases[i][1], cases[i][2], 1.0 / 240.0, 5.0);
        measured("spring, largest error of an amplitude of 1 in 5 s", worst);
        assert_true(worst < 2e-3f);
    }
}

static void springs_too_stiff_for_the_step_come_to_rest(void **state)
{
    (void)state;
    for (double k = 1e4; k < 1e12; k *= 10.0) {
        joint_spring spring = joint_spring_make(k, 0.0, 1.0, 1.0 / 60.0);
        double x = 1.0, v = 0.0;
        for (int n = 0; n < 600; n++) {
            double impulse = 0.0;
            for (int i = 0; i < 200; i++)
                impulse += -spring.position * x - spring.before * v - spring.velocity * (v + impulse) -
                           spring.share * impulse;
            v += impulse;
            x += v / 60.0;
            assert_true(fabs(x) <= 1.0);
        }
        assert_true(fabs(x) < 1e-3);
    }
}

/* ----------------------------------------------------- docs/formats.md 1: joints */

static const mmd_phys_limit_kind LINEAR = MMD_LIMIT_LINEAR, ANGULAR = MMD_LIMIT_ANGULAR;

/* A static box of 1 m at the origin, and another hanging 1 m below it. */
static void hang(phys_builder *builder)
{
    phys_begin(builder);
    phys_body(builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
    phys_box(builder, 0.5f, 0.5f, 0.5f);
    phys_body(builder, MMD_PHYS_DYNAMIC, 0.0f, -1.0f, 0.0f, 1000.0f);
    phys_box(builder, 0.5f, 0.5f, 0.5f);
}

static void joint_00_a_weld_holds(void **state)
{
    (void)state;
    phys_builder builder;
    hang(&builder);
    phys_joint(&builder, 0, 1, 0.0f, -0.5f, 0.0f);
    phys_limit(&builder, LINEAR, 7, 0.0f, 0.0f);
    phys_limit(&builder, ANGULAR, 7, 0.0f, 0.0f);
    mmd_world *world = phys_world(&builder);
    phys_run(world, 10.0f);
    float p[3];
    phys_position(world, 1, p);
    measured("Joint_00, off its place, m", sqrtf(p[0] * p[0] + (p[1] + 1.0f) * (p[1] + 1.0f) + p[2] * p[2]));
    measured("Joint_00, angle", phys_angle(&builder, world, 0));
    assert_float_equal(p[0], 0.0f, 1e-4f);
    assert_float_equal(p[1], -1.0f, 1e-4f);
    assert_float_equal(p[2], 0.0f, 1e-4f);
    assert_true(phys_angle(&builder, world, 0) < 1e-3f);
    mmd_world_destroy(world);
}

/* Runs a hanging box at its corner for 10 s. Measures the largest gap and the largest rotation away from the
 * free axis of the joint. */
static void hang_by_a_corner(uint8_t locked, const float rotation[4], const char *name)
{
    phys_builder builder;
    hang(&builder);
    phys_joint_turned(&builder, 0, 1, 0.5f, -0.5f, 0.5f, rotation);
    phys_limit(&builder, LINEAR, 7, 0.0f, 0.0f);
    if (locked)
        phys_limit(&builder, ANGULAR, locked, 0.0f, 0.0f);
    mmd_world *world = phys_world(&builder);
    float gap = 0.0f, lean = 0.0f, turn = 0.0f;
    int axis = locked == 6 ? 0 : locked == 5 ? 1 : 2;
    for (int i = 0; i < 2400; i++) {
        mmd_world_step(world);
        gap = fmaxf(gap, phys_gap(&builder, world, 0));
        turn = fmaxf(turn, phys_angle(&builder, world, 0));
        mmd_transform a, b;
        mmd_joint_frames(&builder.scene, 0, mmd_world_transforms(world), &a, &b);
        mmd_transform_inverse(&a, &a);
        mmd_transform_multiply(&a, &b, &a);
        for (int k = 0; k < 3; k++)
            lean = fmaxf(lean, k == axis ? 0.0f : fabsf(2.0f * a.rotation[k]));
    }
    print_message("%s: ", name);
    measured("largest gap, m", gap);
    measured("largest turn", turn);
    assert_true(gap < 0.005f);
    assert_true(turn > 0.05f);
    if (locked) {
        measured("largest lean, rad", lean);
        assert_true(lean < 0.01f);
    }
    mmd_world_destroy(world);
}

static void joints_01_to_04_ball_and_hinges(void **state)
{
    (void)state;
    const float straight[4] = {0.0f, 0.0f, 0.0f, 1.0f}, about_x[4] = {0.70710677f, 0.0f, 0.0f, 0.70710677f};
    hang_by_a_corner(0, straight, "Joint_01");
    hang_by_a_corner(6, straight, "Joint_02");
    hang_by_a_corner(5, about_x, "Joint_03");
    hang_by_a_corner(3, straight, "Joint_04");
}

static void joint_05_slides_to_its_end(void **state)
{
    (void)state;
    const float turn[4] = {0.0f, 0.0f, 0.38268346f, 0.9238795f};
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
    phys_box(&builder, 0.5f, 0.5f, 0.5f);
    memcpy(builder.bodies[0].rest.rotation, turn, sizeof turn);
    phys_body(&builder, MMD_PHYS_DYNAMIC, -1.4142137f, 1.4142134f, 0.0f, 1.0f);
    phys_box(&builder, 0.5f, 0.5f, 0.5f);
    memcpy(builder.bodies[1].rest.rotation, turn, sizeof turn);
    mmd_phys_joint *joint = phys_joint(&builder, 0, 1, 0.0f, 0.0f, 0.0f);
    joint->frame_a = joint->frame_b = (mmd_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    phys_limit(&builder, LINEAR, 5, 0.0f, 0.0f);
    phys_limit(&builder, ANGULAR, 7, 0.0f, 0.0f);
    phys_limit(&builder, LINEAR, 2, -2.0f, 2.0f);
    mmd_world *world = phys_world(&builder);
    phys_run(world, 10.0f);
    float p[3];
    phys_position(world, 1, p);
    measured("Joint_05, x", p[0]);
    measured("Joint_05, y", p[1]);
    measured("Joint_05, angle", phys_angle(&builder, world, 0));
    assert_float_equal(p[0], 1.4142f, 1e-3f);
    assert_float_equal(p[1], -1.4142f, 1e-3f);
    assert_float_equal(p[2], 0.0f, 1e-3f);
    assert_true(phys_angle(&builder, world, 0) < 1e-3f);
    mmd_world_destroy(world);
}

/* Makes a box of 1 m beside a static one. The joint connects their centres, keeps them 1 m apart along X, and
 * is free about X. */
static void beside(phys_builder *builder, float mass)
{
    phys_begin(builder);
    phys_body(builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
    phys_box(builder, 0.5f, 0.5f, 0.5f);
    phys_body(builder, MMD_PHYS_DYNAMIC, 1.0f, 0.0f, 0.0f, mass);
    phys_box(builder, 0.5f, 0.5f, 0.5f);
    mmd_phys_joint *joint = phys_joint(builder, 0, 1, 0.0f, 0.0f, 0.0f);
    joint->frame_b.translation[0] = 0.0f;
    phys_limit(builder, LINEAR, 1, 1.0f, 1.0f);
    phys_limit(builder, LINEAR, 6, 0.0f, 0.0f);
    phys_limit(builder, ANGULAR, 6, 0.0f, 0.0f);
}

static void joint_08_turns_about_x_only(void **state)
{
    (void)state;
    phys_builder builder;
    beside(&builder, 1000.0f);
    builder.bodies[1].center[2] = METRES(0.25f);
    mmd_world *world = phys_world(&builder);
    float off = 0.0f, lean = 0.0f, turn = 0.0f;
    for (int i = 0; i < 2400; i++) {
        mmd_world_step(world);
        const mmd_transform *t = &mmd_world_transforms(world)[1];
        off = fmaxf(off, fabsf(t->translation[0] * 0.08f - 1.0f));
        off = fmaxf(off, fmaxf(fabsf(t->translation[1]), fabsf(t->translation[2])) * 0.08f);
        lean = fmaxf(lean, 2.0f * fmaxf(fabsf(t->rotation[1]), fabsf(t->rotation[2])));
        turn = fmaxf(turn, fabsf(joint_twist(t->rotation, 0)));
    }
    measured("Joint_08, off its axis, m", off);
    measured("Joint_08, lean", lean);
    measured("Joint_08, turn", turn);
    assert_true(off < 0.005f && lean < 0.005f && turn > 2.0f);
    mmd_world_destroy(world);
}

/*
 * Compares a wheel on an axle whose two other rotations are locked by one limit with one that has a limit for
 * each. Both joints must behave identically, bit for bit, and the wheel must stay on the axle through many
 * turns.
 */
static void locks_of_single_angles_are_one_lock(void **state)
{
    (void)state;
    phys_builder together, apart;
    mmd_world *worlds[2];
    float lean = 0.0f, turn = 0.0f;
    for (int i = 0; i < 2; i++) {
        phys_builder *builder = i ? &apart : &together;
        beside(builder, 1000.0f);
        if (i) {
            builder->scene.limit_count--;
            builder->scene.joints[0].limit_count--;
            phys_limit(builder, ANGULAR, 4, 0.0f, 0.0f);
            phys_limit(builder, ANGULAR, 2, 0.0f, 0.0f);
        }
        builder->bodies[1].center[0] = METRES(0.3f); /* its weight bends the axle */
        builder->bodies[1].center[2] = METRES(0.25f);
        builder->bodies[1].angular_velocity[0] = 9.0f;
        worlds[i] = phys_world(builder);
    }
    for (int i = 0; i < 2400; i++) {
        mmd_world_step(worlds[0]);
        mmd_world_step(worlds[1]);
        const mmd_transform *t = &mmd_world_transforms(worlds[1])[1];
        assert_memory_equal(t, &mmd_world_transforms(worlds[0])[1], sizeof *t);
        lean = fmaxf(lean, 2.0f * fmaxf(fabsf(t->rotation[1]), fabsf(t->rotation[2])));
        turn += mmd_world_velocities(worlds[1])[1].angular[0] / 240.0f;
    }
    measured("axle of two locks, lean", lean);
    measured("axle of two locks, turns", turn / (2.0f * pi));
    assert_true(lean < 2e-5f && turn > 4.0f * pi);
    mmd_world_destroy(worlds[0]);
    mmd_world_destroy(worlds[1]);
}

static void joint_09_is_driven_to_its_speed(void **state)
{
    (void)state;
    phys_builder builder;
    beside(&builder, 1.0f);
    mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_ANGULAR, 0);
    drive->acceleration = true;
    drive->velocity_target = pi / 2.0f;
    drive->damping = 1.0f;
    mmd_world *world = phys_world(&builder);
    float worst = 0.0f;
    for (int i = 1; i <= 1200; i++) {
        mmd_world_step(world);
        float omega = mmd_world_velocities(world)[1].angular[0], t = (float)i / 240.0f;
        worst = fmaxf(worst, fabsf(omega - pi / 2.0f * (1.0f - expf(-t))));
    }
    measured("Joint_09, largest error of the speed, rad/s", worst);
    assert_true(worst < 2e-3f);
    mmd_world_destroy(world);
}

/* ------------------------------------------------------ docs/formats.md 2: joints */

/* Makes two capsules of 50 cm joined where they touch, one of them tilted, above a floor. */
static void two_capsules(phys_builder *builder, bool weld)
{
    const float askew[4] = {0.0f, 0.0f, -0.17364804f, 0.9848078f},
                along_x[4] = {0.0f, 0.0f, 0.70710677f, 0.70710677f};
    phys_begin(builder);
    for (int i = 0; i < 2; i++) {
        phys_body(builder, MMD_PHYS_DYNAMIC, i ? 0.0f : -0.45f, i ? 0.6f : 0.68f, 0.0f, 1.0f);
        mmd_phys_shape *shape = phys_sphere(builder, 0.05f);
        shape->kind = MMD_PHYS_CAPSULE;
        shape->size[1] = METRES(0.4f);
        shape->size[2] = shape->size[0];
        memcpy(shape->frame.rotation, along_x, sizeof along_x);
    }
    memcpy(builder->bodies[0].rest.rotation, askew, sizeof askew);
    phys_body(builder, MMD_PHYS_STATIC, 0.1f, 0.0f, 0.0f, 0.0f);
    phys_box(builder, 0.5f, 0.125f, 0.5f);
    phys_joint(builder, 0, 1, -0.23f, 0.6f, 0.0f);
    phys_limit(builder, LINEAR, 7, 0.0f, 0.0f);
    if (weld)
        phys_limit(builder, ANGULAR, 7, 0.0f, 0.0f);
}

static void capsules_hold_together(void **state)
{
    (void)state;
    for (int weld = 0; weld < 2; weld++) {
        phys_builder builder;
        two_capsules(&builder, weld);
        mmd_world *world = phys_world(&builder);
        float gap = 0.0f, angle = 0.0f;
        for (int i = 0; i < 2400; i++) {
            mmd_world_step(world);
            gap = fmaxf(gap, phys_gap(&builder, world, 0));
            angle = fmaxf(angle, phys_angle(&builder, world, 0));
        }
        measured(weld ? "weld_joint, largest gap, m" : "simple_joint, largest gap, m", gap);
        measured("and largest angle", angle);
        assert_true(gap < 0.005f);
        assert_true(weld ? angle < pi / 180.0f : angle > 0.2f);
        mmd_world_destroy(world);
    }
}

/* Three balls, 1.15 m from their hinges about Z. One starts nearly above its hinge. */
static void pendulum_balls_keep_their_radius(void **state)
{
    (void)state;
    const float starts[3][3] = {
        {0.0f, -0.25f, 0.0f}, {-1.26317f, 0.0868272f, 0.0f}, {0.74764198f, 2.0108099f, 0.0f}};
    const float hinges[3] = {0.0f, -0.45f, 0.45f};
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_STATIC, 0.0f, 1.0f, 0.0f, 0.0f);
    phys_box(&builder, 1.0f, 0.1f, 0.1f);
    for (int i = 0; i < 3; i++) {
        phys_body(&builder, MMD_PHYS_DYNAMIC, starts[i][0], starts[i][1], 0.0f, 1.0f);
        phys_sphere(&builder, 0.25f);
        phys_joint(&builder, 0, i + 1, hinges[i], 0.9f, 0.0f);
        phys_limit(&builder, LINEAR, 7, 0.0f, 0.0f);
        phys_limit(&builder, ANGULAR, 3, 0.0f, 0.0f);
    }
    mmd_world *world = phys_world(&builder);
    float off = 0.0f;
    for (int n = 0; n < 2400; n++) {
        mmd_world_step(world);
        for (int i = 0; i < 3; i++) {
            float p[3];
            phys_position(world, i + 1, p);
            float x = p[0] - hinges[i], y = p[1] - 0.9f;
            off = fmaxf(off, fmaxf(fabsf(sqrtf(x * x + y * y) - 1.15f), fabsf(p[2])));
        }
    }
    measured("pendulum_balls, off the circle or its plane, m", off);
    assert_true(off < 0.005f);
    mmd_world_destroy(world);
}

/* Body A is the ball. It arrives at a hard stop at x = 1 with 1 m/s. */
static void slider_ball_rests_at_its_stop(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
    phys_box(&builder, 1.0f, 0.05f, 0.05f);
    phys_body(&builder, MMD_PHYS_DYNAMIC, -0.75f, 0.0f, 0.0f, 1.0f);
    phys_sphere(&builder, 0.25f);
    builder.bodies[1].linear_velocity[0] = METRES(1.0f);
    for (int k = 0; k < 3; k++)
        builder.bodies[1].angular_velocity[k] = 0.0174533f;
    mmd_phys_joint *joint = phys_joint(&builder, 1, 0, -0.75f, 0.0f, 0.0f);
    joint->frame_b.translation[0] = 0.0f; /* the position of node B itself */
    phys_limit(&builder, LINEAR, 1, -1.0f, 1.75f);
    builder.limits[0].min = METRES(-1.0f);
    phys_limit(&builder, LINEAR, 6, 0.0f, 0.0f);
    phys_limit(&builder, ANGULAR, 7, 0.0f, 0.0f);
    mmd_world *world = phys_world(&builder);
    phys_run(world, 10.0f);
    float p[3];
    phys_position(world, 1, p);
    measured("slider_ball, x", p[0]);
    measured("slider_ball, y", p[1]);
    assert_float_equal(p[0], 1.0f, 1e-3f);
    assert_float_equal(p[1], 0.0f, 1e-3f);
    mmd_world_destroy(world);
}

/* ------------------------------------------------------- limits and drives */

/* Makes a ball of 1 kg that slides only along X from 0, without gravity. */
static void rail(phys_builder *builder, int32_t parent)
{
    phys_begin(builder);
    builder->scene.world.gravity[1] = 0.0f;
    if (parent >= 0)
        phys_body(builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
    int32_t ball = phys_body(builder, MMD_PHYS_DYNAMIC, 0.0f, 0.0f, 0.0f, 1.0f);
    phys_joint(builder, parent, ball, 0.0f, 0.0f, 0.0f);
    phys_limit(builder, LINEAR, 6, 0.0f, 0.0f);
    phys_limit(builder, ANGULAR, 7, 0.0f, 0.0f);
}

/* With a soft limit of 2 N/m beyond 0.5 m, the ball returns at the same speed after half a period. */
static void soft_limits_are_springs_beyond_them(void **state)
{
    (void)state;
    phys_builder builder;
    rail(&builder, -1);
    builder.bodies[0].linear_velocity[0] = METRES(1.0f);
    mmd_phys_limit *limit = phys_limit(&builder, LINEAR, 1, -10.0f, 0.5f);
    limit->soft = true;
    limit->stiffness = 2.0f;
    mmd_world *world = phys_world(&builder);
    float farthest = 0.0f, when = 0.0f, p[3] = {0.0f};
    for (int i = 1; i <= 960; i++) {
        mmd_world_step(world);
        float before = p[0];
        phys_position(world, 0, p);
        farthest = fmaxf(farthest, p[0]);
        if (before > 0.5f && p[0] <= 0.5f)
            when = (float)i / 240.0f;
    }
    /* It enters at 0.5 s and leaves half a period of sqrt(2) rad/s later, 1 / sqrt(2) m deep. */
    measured("soft limit, depth, m (0.70711)", farthest - 0.5f);
    measured("soft limit, back after, s (2.72144)", when);
    measured("soft limit, speed after, m/s (-1)", mmd_world_velocities(world)[0].linear[0] * 0.08f);
    assert_float_equal(farthest - 0.5f, 0.70711f, 2e-3f);
    assert_float_equal(when, 0.5f + pi / sqrtf(2.0f), 0.01f);
    assert_float_equal(mmd_world_velocities(world)[0].linear[0] * 0.08f, -1.0f, 5e-3f);
    mmd_world_destroy(world);
}

/*
 * Starts at rest beyond a damped soft limit and compares the over-damped, critical and under-damped return.
 */
static void soft_limits_are_damped_as_they_say(void **state)
{
    (void)state;
    const float dampings[3] = {2.0f, 12.649111f, 60.0f};
    for (int i = 0; i < 3; i++) {
        phys_builder builder;
        rail(&builder, -1);
        mmd_phys_limit *limit =
            phys_limit(&builder, LINEAR, 1, 1.0f, 1.0f); /* a soft lock, 1 m from the start */
        limit->soft = true;
        limit->stiffness = 40.0f;
        limit->damping = dampings[i];
        mmd_world *world = phys_world(&builder);
        double h = 1.0 / 240.0, d = (double)dampings[i], worst = 0.0, x = -1.0, v = 0.0;
        for (int n = 1; n <= 720; n++) {
            mmd_world_step(world);
            for (int fine = 0; fine < 1000; fine++) { /* the exact motion, by small steps */
                double a = -40.0 * x - d * v, dt = h / 1000.0;
                v += (a + (-40.0 * v - d * a) * dt / 2.0) * dt;
                x += v * dt - a * dt * dt / 2.0;
            }
            float p[3];
            phys_position(world, 0, p);
            worst = fmax(worst, fabs((double)p[0] - 1.0 - x));
        }
        measured("soft lock, largest error of 1 m in 3 s", (float)worst);
        assert_true(worst < 0.02); /* half a step at its greatest speed */
        mmd_world_destroy(world);
    }
}

static void drives_reach_position_and_velocity(void **state)
{
    (void)state;
    phys_builder builder;
    rail(&builder, 0);
    mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_LINEAR, 0);
    drive->position_target = METRES(0.3f);
    drive->velocity_target = METRES(0.5f);
    drive->stiffness = 100.0f;
    drive->damping = 20.0f;
    mmd_world *world = phys_world(&builder);
    phys_run(world, 5.0f);
    float p[3];
    phys_position(world, 1, p);
    measured("drive, balance of 100 N/m and 20 Ns/m, m (0.4)", p[0]);
    assert_float_equal(p[0], 0.3f + 20.0f * 0.5f / 100.0f, 1e-3f); /* spring and brake in balance */
    mmd_world_destroy(world);
}

/* A shelf of 1 kg on a damped spring carries a box of 3 kg, and 2 kg hang from the shelf on another spring.
 * Loads through contacts and other joints stretch a spring like its own weight. */
static void springs_bear_what_others_bring(void **state)
{
    (void)state;
    const float pairs[4][2] = {{100.0f, 20.0f}, {1000.0f, 63.0f}, {10000.0f, 200.0f}, {1e5f, 1e4f}};
    for (int i = 0; i < 4; i++) {
        phys_builder builder;
        phys_begin(&builder);
        int32_t shelf = phys_body(&builder, MMD_PHYS_DYNAMIC, 0.0f, 0.0f, 0.0f, 1.0f);
        phys_box(&builder, 0.5f, 0.05f, 0.5f);
        phys_body(&builder, MMD_PHYS_DYNAMIC, 0.0f, 0.25f, 0.0f, 3.0f);
        phys_box(&builder, 0.2f, 0.2f, 0.2f);
        int32_t below = phys_body(&builder, MMD_PHYS_DYNAMIC, 0.0f, -1.0f, 0.0f, 2.0f);
        for (int k = 0; k < 2; k++) {
            phys_joint(&builder, k ? shelf : -1, k ? below : shelf, 0.0f, k ? -1.0f : 0.0f, 0.0f);
            phys_limit(&builder, LINEAR, 5, 0.0f, 0.0f);
            phys_limit(&builder, ANGULAR, 7, 0.0f, 0.0f);
            mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_LINEAR, 1);
            drive->stiffness = pairs[i][0];
            drive->damping = pairs[i][1];
        }
        mmd_world *world = phys_world(&builder);
        phys_run(world, 20.0f);
        float p[3], q[3], weight = 0.08f * -builder.scene.world.gravity[1];
        phys_position(world, shelf, p);
        phys_position(world, below, q);
        float sags[2] = {-p[1] * pairs[i][0] / (6.0f * weight),
                         (p[1] - 1.0f - q[1]) * pairs[i][0] / (2.0f * weight)};
        measured("shelf with a box and a weight, of mg/k", sags[0]);
        measured("weight on the shelf, of mg/k", sags[1]);
        assert_float_equal(sags[0], 1.0f, 0.01f);
        assert_float_equal(sags[1], 1.0f, 0.01f);
        mmd_world_destroy(world);
    }
}

/* 3 N on 1 kg for 2 s, however far away the target is. */
static void drives_push_no_harder_than_they_may(void **state)
{
    (void)state;
    phys_builder builder;
    rail(&builder, 0);
    mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_LINEAR, 0);
    drive->position_target = METRES(1000.0f);
    drive->stiffness = 1e4f;
    drive->max_force = METRES(3.0f);
    mmd_world *world = phys_world(&builder);
    phys_run(world, 2.0f);
    float v = mmd_world_velocities(world)[1].linear[0] * 0.08f;
    measured("drive of 3 N, speed after 2 s, m/s (6)", v);
    assert_float_equal(v, 6.0f, 1e-3f);
    mmd_world_destroy(world);
}

/* An acceleration drive has the same effect on bodies of any mass, also on a hinge away from the centre of
 * mass. */
static void acceleration_drives_do_not_feel_the_mass(void **state)
{
    (void)state;
    float angles[2];
    for (int i = 0; i < 2; i++) {
        phys_builder builder;
        phys_begin(&builder);
        builder.scene.world.gravity[1] = 0.0f;
        phys_body(&builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
        phys_body(&builder, MMD_PHYS_DYNAMIC, 2.0f, 0.0f, 0.0f, i ? 500.0f : 0.5f);
        phys_joint(&builder, 0, 1, 0.0f, 0.0f, 0.0f);
        phys_limit(&builder, LINEAR, 7, 0.0f, 0.0f);
        phys_limit(&builder, ANGULAR, 3, 0.0f, 0.0f);
        mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_ANGULAR, 2);
        drive->acceleration = true;
        drive->position_target = 1.0f;
        drive->stiffness = 4.0f;
        mmd_world *world = phys_world(&builder);
        phys_run(world, pi / 4.0f); /* a quarter of its period of pi */
        angles[i] = joint_twist(mmd_world_transforms(world)[1].rotation, 2);
        mmd_world_destroy(world);
    }
    measured("acceleration drive, angle at a quarter period (1)", angles[0]);
    assert_float_equal(angles[0], 1.0f, 0.01f);
    assert_float_equal(angles[1], angles[0], 1e-3f);
}

/* A target of three full turns is three turns away, and a stop beyond half a turn stops there. */
static void drives_and_limits_count_turns(void **state)
{
    (void)state;
    for (int stop = 0; stop < 2; stop++) {
        phys_builder builder;
        beside(&builder, 1.0f);
        mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_ANGULAR, 0);
        drive->acceleration = true;
        drive->position_target = 6.0f * pi;
        drive->stiffness = 4.0f;
        drive->damping = 4.0f;
        if (stop)
            phys_limit(&builder, ANGULAR, 1, -1.0f, 4.0f);
        mmd_world *world = phys_world(&builder);
        float tracked = 0.0f;
        for (int i = 0; i < 2400; i++) {
            mmd_world_step(world);
            tracked = joint_track(tracked, joint_twist(mmd_world_transforms(world)[1].rotation, 0));
        }
        measured(stop ? "stopped at (4)" : "turned by (18.8496)", tracked);
        assert_float_equal(tracked, stop ? 4.0f : 6.0f * pi, 1e-2f);
        mmd_world_destroy(world);
    }
}

static void pose_drives_reach_their_target(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
    phys_body(&builder, MMD_PHYS_DYNAMIC, 0.0f, 0.0f, 0.0f, 1.0f);
    builder.bodies[1].gravity_factor = 0.0f;
    phys_joint(&builder, 0, 1, 0.0f, 0.0f, 0.0f);
    mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_POSE, 0);
    drive->acceleration = true;
    drive->stiffness = drive->angular_stiffness = 100.0f;
    drive->damping = drive->angular_damping = 20.0f;
    drive->target = turned(1.0f, 2.0f, -1.0f, 2.5f);
    drive->target.translation[1] = METRES(1.0f);
    mmd_world *world = phys_world(&builder);
    phys_run(world, 4.0f);
    const mmd_transform *t = &mmd_world_transforms(world)[1];
    float dot = 0.0f;
    for (int k = 0; k < 4; k++)
        dot += t->rotation[k] * drive->target.rotation[k];
    measured("pose drive, cosine of half the angle left", fabsf(dot));
    assert_float_equal(fabsf(dot), 1.0f, 1e-5f);
    assert_float_equal(t->translation[1], METRES(1.0f), 1e-3f);
    mmd_world_destroy(world);
}

/* A rope of one link: free within its length, and no farther. */
static void distances_hold_at_their_maximum(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_DYNAMIC, 0.5f, 0.0f, 0.0f, 2.0f);
    phys_joint(&builder, -1, 0, 0.0f, 0.0f, 0.0f);
    builder.joints[0].frame_b.translation[0] = 0.0f;
    phys_limit(&builder, LINEAR, 7, 0.0f, 1.0f);
    mmd_world *world = phys_world(&builder);
    float longest = 0.0f, p[3];
    for (int i = 0; i < 2400; i++) {
        mmd_world_step(world);
        phys_position(world, 0, p);
        longest = fmaxf(longest, sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    }
    measured("rope of 1 m, longest, m", longest);
    assert_true(longest < 1.005f && longest > 0.999f);
    mmd_world_destroy(world);
}

/* Cones and ellipses: gravity presses a rod against the edge of the allowed range. */
static void cones_hold(void **state)
{
    (void)state;
    for (int ellipse = 0; ellipse < 2; ellipse++) {
        phys_builder builder;
        phys_begin(&builder);
        phys_body(&builder, MMD_PHYS_DYNAMIC, 0.5f, 0.0f, 0.0f, 2.0f);
        builder.bodies[0].angular_velocity[1] = 0.4f;
        builder.bodies[0].angular_damping = 0.9f;
        phys_joint(&builder, -1, 0, 0.0f, 0.0f, 0.0f);
        phys_limit(&builder, LINEAR, 7, 0.0f, 0.0f);
        mmd_phys_limit *limit = phys_limit(&builder, ANGULAR, 6, 0.0f, 0.7f);
        if (ellipse) {
            limit->kind = MMD_LIMIT_ELLIPSE;
            limit->max2 = 0.35f; /* about Z, the direction in which gravity bends it */
        }
        mmd_world *world = phys_world(&builder);
        phys_run(world, 10.0f);
        mmd_transform t = mmd_world_transforms(world)[0];
        float x[3] = {1.0f, 0.0f, 0.0f};
        t.translation[0] = t.translation[1] = t.translation[2] = 0.0f;
        mmd_transform_point(&t, x, x);
        measured(ellipse ? "ellipse, lean (0.35)" : "cone, lean (0.7)", acosf(x[0]));
        assert_float_equal(acosf(x[0]), ellipse ? 0.35f : 0.7f, 5e-3f);
        assert_true(phys_gap(&builder, world, 0) < 0.005f);
        mmd_world_destroy(world);
    }
}

/* A beam of 2 m, fixed at one end, as stiff as 50 iterations keep it. */
static void chains_of_welds_stay_straight(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_STATIC, 0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = 1; i <= 8; i++) {
        phys_body(&builder, MMD_PHYS_DYNAMIC, 0.25f * (float)i, 0.0f, 0.0f, 1.0f);
        phys_box(&builder, 0.1f, 0.05f, 0.05f);
        phys_joint(&builder, i - 1, i, 0.25f * (float)i - 0.125f, 0.0f, 0.0f);
        phys_limit(&builder, LINEAR, 7, 0.0f, 0.0f);
        phys_limit(&builder, ANGULAR, 7, 0.0f, 0.0f);
    }
    mmd_world *world = phys_world(&builder);
    phys_run(world, 10.0f);
    float gap = 0.0f, p[3];
    for (uint32_t j = 0; j < 8; j++)
        gap = fmaxf(gap, phys_gap(&builder, world, j));
    phys_position(world, 8, p);
    measured("beam of 8 welds, largest gap, m", gap);
    measured("beam of 8 welds, sag of its end, m", -p[1]);
    assert_true(gap < 0.005f);
    mmd_world_destroy(world);
}

/* A body of mass 0 does not move, but rotates by its inertia. It does not rotate about axes whose inertia is
 * 0. */
static void bodies_that_only_turn(void **state)
{
    (void)state;
    for (uint8_t axis = 0; axis < 2; axis++) {
        phys_builder builder;
        phys_begin(&builder);
        int32_t body = phys_body(&builder, MMD_PHYS_DYNAMIC, 0.0f, 1.0f, 0.0f, 0.0f);
        builder.bodies[body].inertia[0] = builder.bodies[body].inertia[2] = 2.0f;
        builder.bodies[body].inertia[1] = 0.0f;
        phys_joint(&builder, -1, body, 0.3f, 1.0f, 0.0f);
        mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_ANGULAR, axis);
        drive->velocity_target = 1.0f;
        drive->damping = 2.0f; /* of torque: a time constant of a second */
        mmd_world *world = phys_world(&builder);
        phys_run(world, 1.0f);
        float omega = mmd_world_velocities(world)[body].angular[axis], p[3];
        phys_position(world, body, p);
        measured(axis ? "and of 0 (0)" : "torque of 2 on an inertia of 2, rad/s (0.63212)", omega);
        assert_float_equal(omega, axis ? 0.0f : 1.0f - expf(-1.0f), 1e-4f);
        assert_float_equal(p[1], 1.0f, 1e-6f);
        mmd_world_destroy(world);
    }
}

/* Duplicate, contradictory and remote limits are harmless. */
static void odd_joints_stay_finite(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        phys_builder builder;
        hang(&builder);
        mmd_phys_joint *joint = phys_joint(&builder, 0, 1, 0.0f, -0.5f, 0.0f);
        for (int i = 0; i < 20; i++) {
            phys_limit(&builder, LINEAR, 7, 0.0f, kind == 0 ? 0.0f : 0.01f * (float)i);
            phys_limit(&builder, ANGULAR, (uint8_t)(i % 7 + 1), kind == 1 ? 2.0f : 0.0f, 3.0f);
        }
        if (kind == 2)
            joint->frame_b.translation[0] = METRES(1000.0f);
        if (kind == 3)
            builder.bodies[1].mass = 1e-6f;
        mmd_world *world = phys_world(&builder);
        phys_run(world, 2.0f);
        for (int k = 0; k < 3; k++)
            assert_true(isfinite(mmd_world_transforms(world)[1].translation[k]) &&
                        isfinite(mmd_world_transforms(world)[1].rotation[k]));
        mmd_world_destroy(world);
    }
}

/* The number of turns is part of the state: a world restored from a snapshot continues bit for bit. */
static void snapshots_keep_the_turns(void **state)
{
    (void)state;
    phys_builder builder;
    beside(&builder, 1.0f);
    mmd_phys_drive *drive = phys_drive(&builder, MMD_DRIVE_ANGULAR, 0);
    drive->acceleration = true;
    drive->position_target = 20.0f;
    drive->stiffness = 4.0f;
    drive->damping = 1.0f;
    mmd_world *world = phys_world(&builder), *other = phys_world(&builder);
    phys_run(world, 2.0f);
    void *saved = test_malloc(mmd_world_state_size(world));
    mmd_world_save(world, saved);
    mmd_world_restore(world, saved);
    mmd_world_restore(other, saved);
    phys_run(world, 3.0f);
    phys_run(other, 3.0f);
    assert_memory_equal(mmd_world_transforms(world), mmd_world_transforms(other), 2 * sizeof(mmd_transform));
    assert_memory_equal(mmd_world_velocities(world), mmd_world_velocities(other), 2 * sizeof(mmd_velocity));
    test_free(saved);
    mmd_world_destroy(world);
    mmd_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_metrics_are_signed_distance_and_lengths),
        cmocka_unit_test(one_angle_is_the_signed_twist),
        cmocka_unit_test(two_angles_are_the_cone_about_the_third_axis),
        cmocka_unit_test(three_angles_are_the_whole_turn),
        cmocka_unit_test(the_elliptic_cone_has_its_two_half_angles),
        cmocka_unit_test(derivatives_are_those_of_the_metrics),
        cmocka_unit_test(limits_without_room_are_locks_of_each_axis),
        cmocka_unit_test(angles_are_followed_beyond_half_a_turn),
        cmocka_unit_test(springs_are_exact_oscillators),
        cmocka_unit_test(springs_too_stiff_for_the_step_come_to_rest),
        cmocka_unit_test(joint_00_a_weld_holds),
        cmocka_unit_test(joints_01_to_04_ball_and_hinges),
        cmocka_unit_test(joint_05_slides_to_its_end),
        cmocka_unit_test(joint_08_turns_about_x_only),
        cmocka_unit_test(locks_of_single_angles_are_one_lock),
        cmocka_unit_test(joint_09_is_driven_to_its_speed),
        cmocka_unit_test(capsules_hold_together),
        cmocka_unit_test(pendulum_balls_keep_their_radius),
        cmocka_unit_test(slider_ball_rests_at_its_stop),
        cmocka_unit_test(soft_limits_are_springs_beyond_them),
        cmocka_unit_test(soft_limits_are_damped_as_they_say),
        cmocka_unit_test(drives_reach_position_and_velocity),
        cmocka_unit_test(springs_bear_what_others_bring),
        cmocka_unit_test(drives_push_no_harder_than_they_may),
        cmocka_unit_test(acceleration_drives_do_not_feel_the_mass),
        cmocka_unit_test(drives_and_limits_count_turns),
        cmocka_unit_test(pose_drives_reach_their_target),
        cmocka_unit_test(distances_hold_at_their_maximum),
        cmocka_unit_test(cones_hold),
        cmocka_unit_test(chains_of_welds_stay_straight),
        cmocka_unit_test(bodies_that_only_turn),
        cmocka_unit_test(odd_joints_stay_finite),
        cmocka_unit_test(snapshots_keep_the_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
