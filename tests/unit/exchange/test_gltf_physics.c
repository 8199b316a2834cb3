/*
 * Tests physics of glTF files, KHR and OMI in both dialects: every check of docs/formats.md 1 and 2 on the
 * files of ../shared/data, through mmd_exchange_read and the world. test_gltf_physics_made.c tests what those
 * files lack.
 */
#include "physics_run.h"

/* -------------------------------------------------------------- all files */

#ifdef ODORI_TEST_SLOWLY
enum { SECONDS = 1 };
#else
enum { SECONDS = 5 };
#endif

typedef struct tally {
    const char *prefix;
    size_t files, bodies, joints, losses;
} tally;

static void try_file(const char *name, void *user)
{
    tally *sum = user;
    if (strncmp(name, sum->prefix, strlen(sum->prefix)) != 0)
        return;
    run r = open_file(name + strlen("data/"));
    step(&r, SECONDS);
    sum->files++;
    sum->bodies += scene_of(&r)->body_count;
    sum->joints += scene_of(&r)->joint_count;
    sum->losses += r.document->losses.count;
    if (!all_finite(&r))
        fail_msg("%s: a body is nowhere after %d s", name, SECONDS);
    end(&r);
}

static void all_files_load_and_run_for_seconds(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const char *const prefixes[] = {"data/khr_seed/", "data/khr_current/", "data/omi/"};
    for (size_t i = 0; i < 3; i++) {
        tally sum = {.prefix = prefixes[i]};
        shared_each(".gltf", try_file, &sum);
        shared_each(".glb", try_file, &sum);
        assert_true(sum.files > 0);
        print_message(
            "    %-18s %zu files loaded and simulated without NaN, %zu bodies, %zu joints, %zu losses\n",
            sum.prefix, sum.files, sum.bodies, sum.joints, sum.losses);
    }
}

/* -------------------------------------------------------------- KHR: tests */

static const char *const dialects[] = {"khr_seed", "khr_current"};

static run open_test(const char *dialect, const char *test)
{
    char name[128];
    snprintf(name, sizeof name, "%s/tests/RigidBodies_%s.gltf", dialect, test);
    run r = open_file(name);
    bool seed = strcmp(dialect, "khr_seed") == 0;
    assert_int_equal(r.document->dialect,
                     seed ? MMD_DIALECT_KHR_COLLISION_SHAPES : MMD_DIALECT_KHR_IMPLICIT_SHAPES);
    r.name = test;
    return r;
}

static void expect_place(const run *r, uint32_t body, float x, float y, float z, float tolerance)
{
    const float wanted[3] = {x, y, z};
    mmd_transform t = at(r, body);
    float error = distance(t.translation, wanted);
    measured(r->name, "away from where it should rest, m", (double)error);
    assert_true(error < tolerance);
}

/* Checks the largest distance of a joint's anchors while it runs, and its rotation about other axes. */
static void expect_hinge(const char *dialect, const char *test, int axis)
{
    run r = open_test(dialect, test);
    float gap = 0, off = 0, turned = 0;
    for (int i = 0; i < 10 * RATE; i++) {
        mmd_world_step(r.world);
        mmd_transform t = joint_transform(&r, 0);
        const float none[3] = {0, 0, 0};
        gap = fmaxf(gap, distance(t.translation, none));
        for (int k = 0; k < 3 && axis >= 0; k++)
            if (k != axis)
                off = fmaxf(off, fabsf(twist(&t, k)));
        turned = fmaxf(turned, 2 * acosf(fminf(1, fabsf(t.rotation[3]))));
    }
    measured(r.name, "largest distance of the anchors, m", (double)gap);
    measured(r.name, "largest angle about other axes, rad", (double)off);
    measured(r.name, "turned by at most, rad", (double)turned);
    assert_true(gap < 5e-3f);
    assert_true(off < 0.02f);
    end(&r);
}

static void joints_00_to_04_hold(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_test(dialects[i], "Joint_00");
        step(&r, 10);
        expect_place(&r, body_at(&r, 3), 0, -1, 0, 5e-3f);
        end(&r);
        expect_hinge(dialects[i], "Joint_01", -1);
        expect_hinge(dialects[i], "Joint_02", 0);
        expect_hinge(dialects[i], "Joint_03", 1);
        expect_hinge(dialects[i], "Joint_04", 2);
    }
}

static void joint_05_slides_down(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_test(dialects[i], "Joint_05");
        uint32_t body = body_at(&r, 3);
        mmd_transform first = at(&r, body);
        step(&r, 10);
        expect_place(&r, body, 1.414f, -1.414f, 0, 5e-3f);
        mmd_transform last = at(&r, body);
        float dot = 0;
        for (int k = 0; k < 4; k++)
            dot += first.rotation[k] * last.rotation[k];
        float turned = 2 * acosf(fminf(1, fabsf(dot)));
        measured(r.name, "turned by, rad", (double)turned);
        assert_true(turned < 0.01f);
        end(&r);
    }
}

static void joint_08_turns_about_x_a_metre_away(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_test(dialects[i], "Joint_08");
        uint32_t body = body_at(&r, 3);
        float off = 0, turned = 0;
        for (int k = 0; k < 10 * RATE; k++) {
            mmd_world_step(r.world);
            mmd_transform t = at(&r, body);
            off = fmaxf(off, fabsf(t.translation[0] - 1));
            turned = fmaxf(turned, fabsf(twist(&t, 0)));
            assert_true(fabsf(t.rotation[1]) < 0.01f && fabsf(t.rotation[2]) < 0.01f);
        }
        measured(r.name, "largest error of x = 1, m", (double)off);
        measured(r.name, "turned about X, rad", (double)turned);
        assert_true(off < 5e-3f && turned > 0.1f);
        end(&r);
    }
}

static void joint_09_is_driven(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_test(dialects[i], "Joint_09");
        uint32_t body = body_at(&r, 3);
        float worst = 0;
        for (int k = 1; k <= 5 * RATE; k++) {
            mmd_world_step(r.world);
            float omega =
                -mmd_world_velocities(r.world)[body].angular[0]; /* X is mirrored between the file and MMD */
            worst = fmaxf(worst, fabsf(omega - 1.5707964f * (1 - expf(-(float)k / RATE))));
        }
        measured(r.name, "largest error of omega in 5 s, rad/s", (double)worst);
        assert_true(worst < 0.02f);
        end(&r);
    }
}

static void motions_go_and_turn(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const char *const tests[] = {"MotionProperties_00", "MotionProperties_01", "MotionProperties_02",
                                        "MotionProperties_03"};
    for (int i = 0; i < 8; i++) {
        run r = open_test(dialects[i / 4], tests[i % 4]);
        float worst = 0;
        for (int k = 1; k <= 3 * RATE; k++) {
            mmd_world_step(r.world);
            float t = (float)k / RATE;
            mmd_transform now = at(&r, 0);
            float wanted[3] = {i % 4 == 1 || i % 4 == 3 ? t : 0, 0, 0};
            worst = fmaxf(worst, distance(now.translation, wanted));
            if (i % 4 == 2)
                worst = fmaxf(worst, fabsf(twist(&now, 0) - t));
        }
        measured(r.name, "largest error in 3 s, m or rad", (double)worst);
        assert_true(worst < 2e-3f);
        end(&r);
    }
}

static void materials_00_bounces(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_test(dialects[i], "Materials_00");
        for (int32_t ball = 0; ball < 2; ball++) {
            uint32_t body = body_at(&r, ball);
            float apex = 0, last = 1e9f;
            bool bounced = false;
            run again = open_test(dialects[i], "Materials_00");
            for (int k = 0; k < 4 * RATE; k++) {
                mmd_world_step(again.world);
                float y = at(&again, body).translation[1];
                bounced = bounced || y > last + 1e-4f;
                if (bounced && y < last - 1e-5f)
                    break;
                apex = bounced ? fmaxf(apex, y) : 0;
                last = y;
            }
            measured(r.name, ball ? "first apex on the right, m (5)" : "first apex on the left, m (2)",
                     (double)apex);
            assert_float_equal(apex, ball ? 5.0f : 2.0f, 0.1f);
            end(&again);
        }
        end(&r);
    }
}

static void filters_let_the_right_one_fall(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 4; i++) {
        run r = open_test(dialects[i / 2], i % 2 ? "CollisionFilter_01" : "CollisionFilter_00");
        step(&r, 10);
        float left = at(&r, body_at(&r, 0)).translation[1], right = at(&r, body_at(&r, 1)).translation[1];
        measured(r.name, "left rests at, m (1)", (double)left);
        measured(r.name, "right has fallen to, m", (double)right);
        assert_float_equal(left, 1.0f, 5e-3f);
        assert_true(right < -50);
        end(&r);
    }
}

/* ------------------------------------------------- resting contacts */

/* Returns whether a body has contacts, and the depth of the deepest. */
static bool touches(const run *r, uint32_t body, float *depth)
{
    mmd_contact contacts[64];
    size_t count = mmd_world_contacts(r->world, contacts, 64);
    bool found = false;
    *depth = -1e9f;
    for (size_t i = 0; i < count && i < 64; i++) {
        if (contacts[i].body_a != body && contacts[i].body_b != body)
            continue;
        *depth = fmaxf(*depth, contacts[i].depth / METRE);
        found = true;
    }
    return found;
}

static void collider_types_rest_on_each_other(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    size_t count = 0;
    float worst = 0, lowest = 1e9f;
    for (int i = 0; i < 36; i++) {
        char test[64];
        snprintf(test, sizeof test, "ColliderTypeMatrix_%02d", i % 18 * 2);
        run r = open_test(dialects[i / 18], test);
        uint32_t moving = 0;
        while (scene_of(&r)->bodies[moving].motion != MMD_PHYS_DYNAMIC)
            moving++;
        /* A ball on a ball rolls off in the end, so each pair is looked at after two seconds. */
        step(&r, 2);
        float depth, y = at(&r, moving).translation[1];
        bool found = touches(&r, moving, &depth);
        measured(test, "height after 2 s, m", (double)y);
        measured(test, "deepest contact, m", (double)depth);
        if (!found || fabsf(depth) > 0.05f)
            print_error("%s: %s, %g deep\n", test, found ? "touches" : "does not touch", (double)depth);
        assert_true(found && fabsf(depth) < 0.05f);
        worst = fmaxf(worst, fabsf(depth));
        lowest = fminf(lowest, y);
        count++;
        end(&r);
    }
    print_message(
        "    ColliderTypeMatrix: %zu of 36 rest on the static one, %g m deep at most, lowest at %g m\n",
        count, (double)worst, (double)lowest);
}

/* ------------------------------------------------------------ KHR: samples */

static run open_sample(const char *dialect, const char *sample)
{
    char name[128];
    snprintf(name, sizeof name, "%s/samples/%s/%s.gltf", dialect, sample, sample);
    run r = open_file(name);
    r.name = sample;
    return r;
}

static void filtering_keeps_the_cubes_of_both_systems(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_sample(dialects[i], "Filtering");
        float least = 1e9f;
        step(&r, 10);
        for (uint32_t k = 0; k < scene_of(&r)->body_count; k++)
            if (scene_of(&r)->bodies[k].motion == MMD_PHYS_DYNAMIC)
                least = fminf(least, at(&r, k).translation[1]);
        measured(r.name, "lowest moving body, m", (double)least);
        assert_true(least > 0);
        end(&r);
    }
}

/* Returns how far a limit is exceeded, in metres or radians, by the metrics of docs/formats.md 1. */
static float exceeded(const mmd_phys_limit *limit, const mmd_transform *t)
{
    float metric = 0;
    int count = (limit->axes & 1) + (limit->axes >> 1 & 1) + (limit->axes >> 2 & 1);
    const float *q = t->rotation;
    float unit = limit->kind == MMD_LIMIT_LINEAR ? METRE : 1;
    int axis = limit->axes & 1 ? 0 : limit->axes & 2 ? 1 : 2;
    int left = 7 - limit->axes == 1 ? 0 : 7 - limit->axes == 2 ? 1 : 2;
    for (int i = 0; i < 3 && limit->kind == MMD_LIMIT_LINEAR; i++)
        metric += limit->axes >> i & 1 ? t->translation[i] * t->translation[i] : 0;
    metric = sqrtf(metric);
    if (count == 1)
        metric = limit->kind == MMD_LIMIT_LINEAR ? t->translation[axis] : twist(t, axis);
    else if (limit->kind == MMD_LIMIT_ANGULAR && count == 2)
        metric = acosf(fminf(1, 1 - 2 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - q[left] * q[left])));
    else if (limit->kind == MMD_LIMIT_ANGULAR)
        metric = 2 * acosf(fminf(1, fabsf(q[3])));
    float over = 0;
    if (limit->has_min)
        over = fmaxf(over, limit->min / unit - metric);
    if (limit->has_max)
        over = fmaxf(over, metric - limit->max / unit);
    return over;
}

static void joint_types_keep_their_limits(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_sample(dialects[i], "JointTypes");
        const mmd_physscene *scene = scene_of(&r);
        float worst[2] = {0, 0};
        for (int k = 0; k < 10 * RATE; k++) {
            mmd_world_step(r.world);
            for (uint32_t j = 0; j < scene->joint_count; j++) {
                mmd_transform t = joint_transform(&r, j);
                for (uint32_t l = 0; l < scene->joints[j].limit_count; l++) {
                    const mmd_phys_limit *limit = &scene->limits[scene->joints[j].first_limit + l];
                    bool angular = limit->kind == MMD_LIMIT_ANGULAR;
                    if (!limit->soft)
                        worst[angular] = fmaxf(worst[angular], exceeded(limit, &t));
                }
            }
        }
        measured(r.name, "joints", scene->joint_count);
        measured(r.name, "limits exceeded by at most, m", (double)worst[0]);
        measured(r.name, "limits exceeded by at most, rad", (double)worst[1]);
        assert_true(worst[0] < 0.02f && worst[1] < 0.1f);
        end(&r);
    }
}

static void samples_of_materials_bounce_and_slide_in_order(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_sample(dialects[i], "Materials_Friction");
        uint32_t soap = body_named(&r, "Soap2.001"), honey = body_named(&r, "HoneyCombWalls");
        mmd_transform first[2] = {at(&r, soap), at(&r, honey)};
        step(&r, 2);
        mmd_transform last[2] = {at(&r, soap), at(&r, honey)};
        float slid[2];
        for (int k = 0; k < 2; k++)
            slid[k] = distance(first[k].translation, last[k].translation);
        measured(r.name, "soap slid in 2 s, m", (double)slid[0]);
        measured(r.name, "honey slid in 2 s, m", (double)slid[1]);
        assert_true(slid[0] > slid[1] + 0.5f);
        end(&r);
    }
}

static float highest_bounce(const char *dialect, uint32_t body, float *restitution)
{
    run r = open_sample(dialect, "Materials_Restitution");
    const mmd_phys_body *found = &scene_of(&r)->bodies[body];
    int32_t material = scene_of(&r)->shapes[found->first_shape].material;
    *restitution = scene_of(&r)->materials[material].restitution;
    float last = 1e9f, lowest = 1e9f, apex = 0;
    bool bounced = false;
    for (int k = 0; k < 10 * RATE; k++) {
        mmd_world_step(r.world);
        float y = at(&r, body).translation[1];
        bounced = bounced || y > last + 1e-4f;
        lowest = bounced ? lowest : fminf(lowest, y);
        apex = bounced ? fmaxf(apex, y - lowest) : 0;
        last = y;
    }
    end(&r);
    return apex;
}

static void higher_restitution_bounces_higher(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_sample(dialects[i], "Materials_Restitution");
        float heights[16], restitutions[16];
        uint32_t count = 0;
        for (uint32_t k = 0; k < scene_of(&r)->body_count && count < 16; k++) {
            if (scene_of(&r)->bodies[k].motion != MMD_PHYS_DYNAMIC)
                continue;
            heights[count] = highest_bounce(dialects[i], k, &restitutions[count]);
            measured(r.name, "restitution", (double)restitutions[count]);
            measured(r.name, "bounces by, m", (double)heights[count++]);
        }
        assert_true(count > 1);
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++)
                assert_true(restitutions[a] <= restitutions[b] || heights[a] > heights[b]);
        end(&r);
    }
}

static void shapes_do_not_fall_through(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < 2; i++) {
        run r = open_sample(dialects[i], "ShapeTypes");
        float first[64];
        uint32_t count = scene_of(&r)->body_count;
        assert_true(count < 64);
        step(&r, 1.0f);
        for (uint32_t k = 0; k < count; k++)
            first[k] = at(&r, k).translation[1];
        for (uint32_t k = 0; k < count; k++) {
            measured(scene_of(&r)->bodies[k].name, "height after 1 s, m", (double)first[k]);
            assert_true(first[k] > 0.2f);
        }
        end(&r);
    }
}

static void count_events(const run *r, size_t begins[2])
{
    mmd_trigger_event events[32];
    size_t count = mmd_world_trigger_events(r->world, events, 32);
    for (size_t i = 0; i < count && i < 32; i++)
        begins[events[i].begins]++;
}

static void triggers_begin_and_end(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const char *const files[] = {"khr_seed/samples/Triggers/Triggers.gltf",
                                        "khr_current/samples/Triggers/Triggers.gltf",
                                        "omi/body/triggers.gltf"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        run r = open_file(files[i]);
        size_t counts[2] = {0, 0};
        for (int k = 0; k < 10 * RATE; k++) {
            mmd_world_step(r.world);
            count_events(&r, counts);
        }
        measured(files[i], "begin", (double)counts[1]);
        measured(files[i], "end", (double)counts[0]);
        assert_true(counts[1] >= 2 && counts[0] >= 1);
        end(&r);
    }
}

/* ------------------------------------------------------------------- OMI */

static void omi_simple_joint_holds(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    run r = open_file("omi/joint/simple_joint.gltf");
    assert_int_equal(r.document->dialect, MMD_DIALECT_OMI_CONSTRAINTS);
    const float none[3] = {0, 0, 0};
    float gap = 0;
    for (int i = 0; i < 10 * RATE; i++) {
        mmd_world_step(r.world);
        gap = fmaxf(gap, distance(joint_transform(&r, 0).translation, none));
    }
    measured(r.name, "largest distance of the pin, m", (double)gap);
    assert_true(gap < 5e-3f);
    end(&r);
}

static void omi_weld_holds(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    run r = open_file("omi/joint/weld_joint.gltf");
    const float none[3] = {0, 0, 0};
    float gap = 0, angle = 0;
    for (int i = 0; i < 10 * RATE; i++) {
        mmd_world_step(r.world);
        mmd_transform t = joint_transform(&r, 0);
        gap = fmaxf(gap, distance(t.translation, none));
        angle = fmaxf(angle, 2 * acosf(fminf(1, fabsf(t.rotation[3]))));
    }
    measured(r.name, "B in A moves by, m", (double)gap);
    measured(r.name, "B in A turns by, degrees", (double)(angle * 57.29578f));
    assert_true(gap < 5e-3f && angle < 0.01745f);
    end(&r);
}

static void omi_pendulums_swing_on_circles(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    run r = open_file("omi/joint/pendulum_balls.gltf");
    static const char *const names[] = {"Ball1", "Ball2", "Ball3"};
    static const float centers[3][3] = {{0, 0.9f, 0}, {-0.45f, 0.9f, 0}, {0.45f, 0.9f, 0}};
    float radius = 0, plane = 0;
    for (int i = 0; i < 10 * RATE; i++) {
        mmd_world_step(r.world);
        for (int k = 0; k < 3; k++) {
            mmd_transform t = at(&r, body_named(&r, names[k]));
            radius = fmaxf(radius, fabsf(distance(t.translation, centers[k]) - 1.15f));
            plane = fmaxf(plane, fabsf(t.translation[2]));
        }
    }
    measured(r.name, "largest error of the radius 1.15, m", (double)radius);
    measured(r.name, "largest distance from z = 0, m", (double)plane);
    assert_true(radius < 0.01f && plane < 0.01f);
    bool reported = false;
    for (uint32_t i = 0; i < r.document->losses.count; i++)
        reported = reported || strcmp(r.document->losses.items[i].code, "unit.ambiguous") == 0;
    assert_true(reported);
    end(&r);
}

static void omi_slider_rests_at_its_end(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    run r = open_file("omi/joint/slider_ball.gltf");
    step(&r, 10);
    expect_place(&r, body_named(&r, "Ball"), 1, 0, 0, 0.01f);
    end(&r);
}

static void omi_bodies_are_gathered(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const struct {
        const char *file;
        uint32_t bodies, shapes;
    } cases[] = {
        {"omi/body/compound_trigger.gltf", 2, 3},
        {"omi/body/dynamic_box.gltf", 1, 1},
        {"omi/body/indirect_children.gltf", 6, 6},
        {"omi/body/static_compound_collider.gltf", 1, 1},
        {"omi/body/static_with_trigger.gltf", 2, 2},
        {"omi/body/two_boxes.gltf", 2, 2},
        {"omi/body/ball_pit.gltf", 6, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run r = open_file(cases[i].file);
        assert_int_equal(scene_of(&r)->body_count, cases[i].bodies);
        assert_int_equal(scene_of(&r)->shape_count, cases[i].shapes);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_files_load_and_run_for_seconds),
        cmocka_unit_test(joints_00_to_04_hold),
        cmocka_unit_test(joint_05_slides_down),
        cmocka_unit_test(joint_08_turns_about_x_a_metre_away),
        cmocka_unit_test(joint_09_is_driven),
        cmocka_unit_test(motions_go_and_turn),
        cmocka_unit_test(materials_00_bounces),
        cmocka_unit_test(filters_let_the_right_one_fall),
        cmocka_unit_test(collider_types_rest_on_each_other),
        cmocka_unit_test(filtering_keeps_the_cubes_of_both_systems),
        cmocka_unit_test(joint_types_keep_their_limits),
        cmocka_unit_test(samples_of_materials_bounce_and_slide_in_order),
        cmocka_unit_test(higher_restitution_bounces_higher),
        cmocka_unit_test(shapes_do_not_fall_through),
        cmocka_unit_test(triggers_begin_and_end),
        cmocka_unit_test(omi_simple_joint_holds),
        cmocka_unit_test(omi_weld_holds),
        cmocka_unit_test(omi_pendulums_swing_on_circles),
        cmocka_unit_test(omi_slider_rests_at_its_end),
        cmocka_unit_test(omi_bodies_are_gathered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
