/* Springs and dampers under gravity, from files in each format: a weight on a spring rests mg/k below, one on
 * a damper falls at mg/c. Every file contains one body. If it rotates, it is 0.5 m beside its joint. */
#include "physics_run.h"

/* Where the file states the stiffness and the damping. */
typedef enum means {
    KHR_DRIVE,
    KHR_LIMIT, /* with a range of zero */
    KHR_STOP,  /* at the end of its range */
    OMI_CONSTRAINT,
    RAGDOLL_DRIVE,
    RAGDOLL_LIMIT, /* with a very small range: without any it would be hard */
    MEANS
} means;

static const char *const means_names[MEANS] = {"KHR drive",      "KHR limit",     "KHR stop",
                                               "OMI constraint", "Ragdoll drive", "Ragdoll limit"};

typedef struct spring_case {
    means of;
    bool angular, acceleration;
    double mass, stiffness, damping;
} spring_case;

/* The inertia about the joint is that of the weight at its arm, plus its own. */
static const double arm = 0.5, own_moment = 0.1, room = 1e-9;

static double room_of(const spring_case *c)
{
    return c->of == KHR_STOP ? 0.25 : c->of == RAGDOLL_LIMIT ? room : 0;
}

/* Node 1 is the body with its joint's node 2, node 0 is the world's side. Axes without a drive are locked. */
static void khr_text(const spring_case *c, char *text, size_t size)
{
    char joint[512];
    const char *kind = c->angular ? "angular" : "linear";
    int axis = c->angular ? 2 : 1;
    if (c->of == KHR_DRIVE)
        snprintf(joint, sizeof joint,
                 "\"limits\":[{\"%sAxes\":[0,%d],\"min\":0,\"max\":0},{\"%sAxes\":[0,1,2],\"min\":0,\"max\":"
                 "0}],\"drives\":[{\"type\":\"%s\",\"mode\":\"%s\",\"axis\":%d,\"positionTarget\":0,"
                 "\"stiffness\":%.17g,\"damping\":%.17g}]",
                 kind, c->angular ? 1 : 2, c->angular ? "linear" : "angular", kind,
                 c->acceleration ? "acceleration" : "force", axis, c->stiffness, c->damping);
    else
        snprintf(joint, sizeof joint,
                 "\"limits\":[{\"%sAxes\":[0,%d],\"min\":0,\"max\":0},{\"%sAxes\":[0,1,2],\"min\":0,\"max\":"
                 "0},{\"%sAxes\":[%d],\"min\":%g,\"max\":%g,\"stiffness\":%.17g,\"damping\":%.17g}]",
                 kind, c->angular ? 1 : 2, c->angular ? "linear" : "angular", kind, axis, -room_of(c),
                 room_of(c), c->stiffness, c->damping);
    snprintf(text, size,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
             "\"extensionsUsed\":[\"KHR_physics_rigid_bodies\"],\"extensions\":{\"KHR_physics_rigid_bodies\":"
             "{\"physicsJoints\":[{%s}]}},\"nodes\":[{\"extensions\":{\"KHR_physics_rigid_bodies\":{"
             "\"joint\":{\"connectedNode\":2,\"joint\":0}}}},{\"children\":[2],\"translation\":[%g,0,0],"
             "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":%g,\"inertiaDiagonal\":"
             "[%g,%g,%g]}}}},{\"translation\":[%g,0,0]}]}",
             joint, c->angular ? arm : 0, c->mass, own_moment, own_moment, own_moment, c->angular ? -arm : 0);
}

static void omi_text(const spring_case *c, char *text, size_t size)
{
    snprintf(text, size,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2]}],"
             "\"extensionsUsed\":[\"OMI_physics_body\",\"OMI_physics_joint\"],\"extensions\":{"
             "\"OMI_physics_joint\":{\"constraints\":[{\"linearAxes\":[0,1,2],\"angularAxes\":[0,1,2]},"
             "{\"%sAxes\":[%d],\"lowerLimit\":0,\"upperLimit\":0,\"stiffness\":%.17g,\"damping\":%.17g}]}},"
             "\"nodes\":[{\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"static\"}}}},"
             "{\"translation\":[%g,0,0],\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":"
             "\"dynamic\",\"mass\":%g,\"inertiaDiagonal\":[%g,%g,%g]}}}},"
             "{\"extensions\":{\"OMI_physics_joint\":{\"constraints\":[0,1],\"nodeA\":0,\"nodeB\":1}}}]}",
             c->angular ? "angular" : "linear", c->angular ? 2 : 1, c->stiffness, c->damping,
             c->angular ? arm : 0, c->mass, own_moment, own_moment, own_moment);
}

/* The joint's X points down the world's Y for sliding, and along the world's Z for rotating: Ragdoll's axes
 * are the third and first rows of a frame. A drive applies to all three axes, a limit to one. */
static void ragdoll_text(const spring_case *c, char *text, size_t size)
{
    const char *down = "0,1,0,0,-1,0,0,0,0,0,1,0", *across = "0,0,1,0,0,1,0,0,-1,0,0,0";
    double cm = 100, moment = cm * cm, x = c->angular ? -arm * cm : 0, drive = c->of == RAGDOLL_DRIVE;
    double limited = drive ? 0 : c->angular ? room : room * cm;
    double k = c->stiffness, d = c->damping;
    snprintf(
        text, size,
        "{\"schema\":\"ragdoll-1.0\",\"entities\":{"
        "\"1\":{\"id\":1,\"components\":{\"SolverComponent\":{\"type\":\"SolverComponent\",\"members\":{"
        "\"gravity\":{\"type\":\"Vector3\",\"values\":[0,-980.665,0]}}}}},"
        "\"2\":{\"id\":2,\"components\":{\"SceneComponent\":{\"type\":\"SceneComponent\",\"members\":{"
        "\"entity\":{\"type\":\"Entity\",\"value\":1}}},\"RestComponent\":{\"type\":\"RestComponent\","
        "\"members\":{\"matrix\":{\"type\":\"Matrix44\",\"values\":[1,0,0,0,0,1,0,0,0,0,1,0,%g,0,0,1]}}},"
        "\"GeometryDescriptionComponent\":{\"type\":\"GeometryDescriptionComponent\",\"members\":{"
        "\"type\":\"Sphere\",\"radius\":1}},\"RigidComponent\":{\"type\":\"RigidComponent\",\"members\":"
        "{\"mass\":%g,\"angularMass\":{\"type\":\"Vector3\",\"values\":[%g,%g,%g]},\"linearDamping\":0,"
        "\"angularDamping\":0,\"kinematic\":false,\"sleepThreshold\":5e-6}}}},"
        "\"3\":{\"id\":3,\"components\":{\"SceneComponent\":{\"type\":\"SceneComponent\",\"members\":{"
        "\"entity\":{\"type\":\"Entity\",\"value\":1}}},\"JointComponent\":{\"type\":\"JointComponent\","
        "\"members\":{\"parent\":{\"type\":\"Entity\",\"value\":1},\"child\":{\"type\":\"Entity\","
        "\"value\":2},\"parentFrame\":{\"type\":\"Matrix44\",\"values\":[%s,0,0,0,1]},\"childFrame\":{"
        "\"type\":\"Matrix44\",\"values\":[%s,%g,0,0,1]},\"disableCollision\":true}},"
        "\"LimitComponent\":{\"type\":\"LimitComponent\",\"members\":{\"x\":%.17g,\"y\":-1,\"z\":-1,"
        "\"twist\":%.17g,\"swing1\":-1,\"swing2\":-1,\"linearStiffness\":%.17g,\"linearDamping\":%.17g,"
        "\"angularStiffness\":%.17g,\"angularDamping\":%.17g}},"
        "\"DriveComponent\":{\"type\":\"DriveComponent\",\"members\":{\"enabled\":%s,\"acceleration\":"
        "%s,\"linearStiffness\":%.17g,\"linearDamping\":%.17g,\"angularStiffness\":%.17g,"
        "\"angularDamping\":%.17g,\"target\":{\"type\":\"Matrix44\",\"values\":"
        "[1,0,0,0,0,1,0,0,0,0,1,0,%g,0,0,1]}}}}}}}",
        -x, c->mass, own_moment * moment, own_moment * moment, own_moment * moment,
        c->angular ? across : down, c->angular ? across : down, x, c->angular ? -1.0 : limited,
        c->angular ? limited : -1.0, k, d, k * moment, d * moment, drive != 0 ? "true" : "false",
        c->acceleration ? "true" : "false", c->angular ? 0 : k, c->angular ? 0 : d,
        c->angular ? k * (c->acceleration ? 1 : moment) : 0,
        c->angular ? d * (c->acceleration ? 1 : moment) : 0, -x);
}

/* Opens the file of a case in its format. */
static run open_case(const spring_case *c)
{
    static char text[8192];
    if (c->of == OMI_CONSTRAINT)
        omi_text(c, text, sizeof text);
    else if (c->of >= RAGDOLL_DRIVE)
        ragdoll_text(c, text, sizeof text);
    else
        khr_text(c, text, sizeof text);
    run r = open_text(text);
    assert_int_equal(scene_of(&r)->body_count - (c->of == OMI_CONSTRAINT), 1);
    assert_int_equal(scene_of(&r)->joint_count, 1);
    return r;
}

/* Returns how far it has moved down from its start, in metres or in radians about the joint. */
static double down_by(const run *r, const spring_case *c)
{
    uint32_t body = scene_of(r)->body_count - 1;
    const mmd_transform *t = &mmd_world_transforms(r->world)[body];
    return c->angular ? -(double)twist(t, 2) : -(double)t->translation[1] / (double)METRE;
}

/* Returns the force (newtons) or torque (newton metres) of the weight. */
static double push_at(const spring_case *c, double angle)
{
    return c->mass * (double)GRAVITY * (c->angular ? arm * cos(angle) : 1);
}

static double gain_of(const spring_case *c)
{
    return !c->acceleration ? 1 : c->angular ? own_moment + c->mass * arm * arm : c->mass;
}

static const double pairs[][2] = {{100, 2}, {100, 20}, {1000, 63}, {10000, 200}, {1e6, 1e4}};

/* Lets the weight come to rest and compares how far it sagged with mg/k. */
static void check_sag(spring_case c, double *worst)
{
    run r = open_case(&c);
    step(&r, 20);
    double sag = down_by(&r, &c), ratio = (sag - room_of(&c)) * c.stiffness * gain_of(&c) / push_at(&c, sag);
    char what[96];
    snprintf(what, sizeof what, "%s, k %g, c %g%s: of mg/k", c.angular ? "turning" : "sliding", c.stiffness,
             c.damping, c.acceleration ? ", of acceleration" : "");
    measured(means_names[c.of], what, ratio);
    *worst = fmax(*worst, fabs(ratio - 1));
    end(&r);
}

static void weights_rest_at_mg_over_k(void **state)
{
    (void)state;
    double worst = 0;
    for (int of = 0; of < MEANS; of++)
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
            for (int angular = 0; angular < 2; angular++)
                for (int mode = 0; mode < (of == KHR_DRIVE || of == RAGDOLL_DRIVE ? 2 : 1); mode++)
                    check_sag((spring_case){(means)of, angular, mode, 2, pairs[p][0], pairs[p][1]}, &worst);
    measured("all of them", "largest error", worst);
    assert_true(worst < 0.02);
}

/*
 * The time is 4 s, or ten times the time constant if that is longer. It falls at mg/c or rotates by torque/c.
 */
static void dampers_sink_at_mg_over_c(void **state)
{
    (void)state;
    const double dampings[] = {2, 20, 63, 200, 2000, 10000};
    double worst = 0;
    for (int of = KHR_DRIVE; of <= RAGDOLL_DRIVE; of += RAGDOLL_DRIVE)
        for (size_t d = 0; d < sizeof dampings / sizeof *dampings; d++)
            for (int angular = 0; angular < 2; angular++)
                for (int mode = 0; mode < 2; mode++) {
                    spring_case c = {(means)of, angular, mode, 2, 0, dampings[d]};
                    double time = angular ? 0 : 10 * c.mass / dampings[d] / gain_of(&c);
                    if (angular && dampings[d] < 63)
                        continue; /* it has already swung down by then */
                    run r = open_case(&c);
                    step(&r, (float)fmax(time, angular ? 0.1 : 4));
                    double before = down_by(&r, &c);
                    step(&r, 1.0f / RATE);
                    double after = down_by(&r, &c), middle = (before + after) / 2;
                    const mmd_velocity *v = &mmd_world_velocities(r.world)[0];
                    double speed = angular ? -(double)v->angular[2] : -(double)v->linear[1] / (double)METRE;
                    double ratio = speed * dampings[d] * gain_of(&c) / push_at(&c, middle);
                    char what[96];
                    snprintf(what, sizeof what, "%s, c %g%s: of mg/c", angular ? "turning" : "sliding",
                             dampings[d], mode ? ", of acceleration" : "");
                    measured(means_names[of], what, ratio);
                    worst = fmax(worst, fabs(ratio - 1));
                    end(&r);
                }
    measured("all of them", "largest error", worst);
    assert_true(worst < 0.02);
}

/* Returns the phase of a swing from the values at a step and the next one. a_step is the phase per step. */
static double phase_of(double now, double next, double a_step)
{
    return atan2(now * sin(a_step), next - now * cos(a_step));
}

/*
 * Ten seconds of swings: sliding about mg/k, released above it; rotating without gravity, after an impulse.
 */
static void periods_without_damping_are_exact(void **state)
{
    (void)state;
    const double pi = 3.14159265358979;
    double worst = 0;
    for (int angular = 0; angular < 2; angular++)
        for (double k = 100; k < 3e4; k *= 10) {
            spring_case c = {KHR_DRIVE, angular, false, 2, k, 0};
            run r = open_case(&c);
            double inertia = angular ? own_moment + c.mass * arm * arm : c.mass;
            double a_step = sqrt(k / inertia) / RATE, phases[2], rest = angular ? 0 : push_at(&c, 0) / k;
            if (angular) {
                mmd_impulse kick = {.angular = {0, 0, 0.1f * METRE * METRE}};
                mmd_world_set_gravity(r.world, (float[3]){0, 0, 0});
                mmd_world_impulse(r.world, 1, &kick);
            }
            for (int end_of = 0; end_of < 2; end_of++) {
                step(&r, end_of ? 10 - 1.0f / RATE : 0.1f);
                double now = down_by(&r, &c) - rest;
                step(&r, 1.0f / RATE);
                phases[end_of] = phase_of(now, down_by(&r, &c) - rest, a_step);
            }
            double off = remainder(phases[1] - phases[0] - 10 * RATE * a_step, 2 * pi) / (10 * RATE * a_step);
            char what[96];
            snprintf(what, sizeof what, "%s, k %g: error of the period", angular ? "turning" : "sliding", k);
            measured("KHR drive", what, off);
            worst = fmax(worst, fabs(off));
            end(&r);
        }
    assert_true(worst < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dampers_sink_at_mg_over_c),
        cmocka_unit_test(periods_without_damping_are_exact),
        cmocka_unit_test(weights_rest_at_mg_over_k),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
