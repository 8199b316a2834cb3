/*
 * Physics of glTF files, KHR and OMI in both dialects: every check of FORMATS.md 1 and 2 on the files of
 * ../shared/data, through mmd_exchange_read and the world at 240 Hz; and what those files lack, on small
 * documents made here. Figures are printed when ODORI_MEASURE is set.
 */
#include "mmd/exchange.h"
#include "mmd/physics.h"
#include "support.h"

#define METRE   12.5f /* units */
#define GRAVITY 9.80665f

enum { RATE = 240 };

static void measured(const char *file, const char *what, double value)
{
    if (getenv("ODORI_MEASURE"))
        print_message("    %-34s %-44s %g\n", file, what, value);
}

/* ------------------------------------------------------------ what runs */

typedef struct run {
    mmd_source *source;
    mmd_exchange *document;
    mmd_world *world;
    const char *name;
} run;

static void begin(run *r, mmd_exchange *document)
{
    assert_non_null(document->physscene);
    const mmd_physscene *scene = document->physscene;
    r->document = document;
    assert_int_equal(
        mmd_world_create(MMD_PHYSICS_BULLET, &scene->world, &scene, 1, &r->world, &(mmd_error){0}), MMD_OK);
}

/* A file below ../shared/data. */
static run open_file(const char *name)
{
    char path[256], folder[256], full[1024];
    snprintf(path, sizeof path, "data/%s", name);
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = 0;
    run r = {.source = mmd_source_folder(shared_path(folder, full, sizeof full)),
             .name = strrchr(name, '/') + 1};
    assert_non_null(r.source);
    mmd_bytes bytes = shared_read(path);
    mmd_exchange *document;
    mmd_error error = {0};
    mmd_status status = mmd_exchange_read(bytes.data, bytes.size, r.source, "", &document, &error);
    if (status)
        print_error("%s: %s: %s\n", name, error.section, error.message);
    assert_int_equal(status, MMD_OK);
    mmd_bytes_finish(&bytes);
    begin(&r, document);
    return r;
}

static run open_text(const char *text)
{
    run r = {.name = "made here"};
    mmd_exchange *document;
    mmd_error error = {0};
    mmd_status status = mmd_exchange_read(text, strlen(text), NULL, "", &document, &error);
    if (status)
        print_error("%s: %s\n", error.section, error.message);
    assert_int_equal(status, MMD_OK);
    begin(&r, document);
    return r;
}

static void end(run *r)
{
    mmd_world_destroy(r->world);
    mmd_exchange_destroy(r->document);
    mmd_source_destroy(r->source);
}

static void step(run *r, float seconds)
{
    for (int i = 0; i < (int)(seconds * RATE + 0.5f); i++)
        mmd_world_step(r->world);
}

static const mmd_physscene *scene_of(const run *r)
{
    return r->document->physscene;
}

/* The body of a node. */
static uint32_t body_at(const run *r, int32_t node)
{
    for (uint32_t i = 0; i < scene_of(r)->body_count; i++)
        if (r->document->bodies[i].node == node)
            return i;
    fail_msg("%s: node %d is no body", r->name, node);
    return 0;
}

static uint32_t body_named(const run *r, const char *name)
{
    for (uint32_t i = 0; i < scene_of(r)->body_count; i++)
        if (strcmp(scene_of(r)->bodies[i].name, name) == 0)
            return i;
    fail_msg("%s: no body %s", r->name, name);
    return 0;
}

/* In the file's space. */
static mmd_transform at(const run *r, uint32_t body)
{
    mmd_transform transform;
    mmd_exchange_to_file(MMD_EXCHANGE_GLTF, &mmd_world_transforms(r->world)[body], &transform);
    return transform;
}

static float distance(const float a[3], const float b[3])
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrtf(sum);
}

/* B's frame as seen from A's, in MMD's axes and metres. */
static mmd_transform joint_transform(const run *r, uint32_t joint)
{
    mmd_transform a, b;
    mmd_joint_frames(scene_of(r), joint, mmd_world_transforms(r->world), &a, &b);
    mmd_transform_inverse(&a, &a);
    mmd_transform_multiply(&a, &b, &a);
    for (int i = 0; i < 3; i++)
        a.translation[i] /= METRE;
    return a;
}

/* Signed twist about an axis. */
static float twist(const mmd_transform *t, int axis)
{
    float angle = 2 * atan2f(t->rotation[axis], t->rotation[3]);
    return angle > 3.14159265f ? angle - 6.2831853f : angle < -3.14159265f ? angle + 6.2831853f : angle;
}

static bool all_finite(const run *r)
{
    for (uint32_t i = 0; i < scene_of(r)->body_count; i++) {
        const mmd_transform *t = &mmd_world_transforms(r->world)[i];
        for (int k = 0; k < 4; k++)
            if (!isfinite(t->rotation[k]) || !isfinite(t->translation[k]))
                return false;
    }
    return true;
}

/* -------------------------------------------------------------- all files */

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
    step(&r, 10);
    sum->files++;
    sum->bodies += scene_of(&r)->body_count;
    sum->joints += scene_of(&r)->joint_count;
    sum->losses += r.document->losses.count;
    if (!all_finite(&r))
        fail_msg("%s: a body is nowhere after 10 s", name);
    end(&r);
}

static void all_files_load_and_run_for_ten_seconds(void **state)
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
    assert_int_equal(r.document->dialect, seed ? MMD_DIALECT_KHR_SEED : MMD_DIALECT_KHR_CURRENT);
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

/* The largest distance of a joint's ends while it runs, and how far it turns about axes it should not. */
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
                -mmd_world_velocities(r.world)[body].angular[0]; /* the file's X is MMD's mirrored */
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

/* ------------------------------------------------- what rests on what */

/* The deepest contact and the least distance of all contacts with a body. */
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
        /* A ball on a ball stays but for what is off centre: what it rests at after two seconds. */
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

/* How far each limit of a joint is exceeded, metres or radians, by the metrics of the seed's appendix. */
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
        step(&r, 9.0f);
        assert_true(all_finite(&r));
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
    assert_int_equal(r.document->dialect, MMD_DIALECT_OMI_SEED);
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
    bool told = false;
    for (uint32_t i = 0; i < r.document->losses.count; i++)
        told = told || strcmp(r.document->losses.items[i].code, "unit.ambiguous") == 0;
    assert_true(told);
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

/* ------------------------------------------------------ documents made here */

/* A floating body of 1 kg (node 1, anchor 2) and an anchor in the world (node 0), joined by one description.
 */
static run open_joint(const char *velocity, const char *limits, const char *drives, bool from_body)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
             "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[%s],\"drives\":[%"
             "s]}]},"
             "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"box\"}]}},\"nodes\":["
             "{\"extensions\":{\"KHR_physics_rigid_bodies\":{%s}}},"
             "{\"children\":[2],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1,"
             "\"inertiaDiagonal\":[1,1,1],\"gravityFactor\":0,%s},\"collider\":{\"shape\":0}}}},"
             "{\"extensions\":{\"KHR_physics_rigid_bodies\":{%s}}}]}",
             limits, drives, from_body ? "" : "\"joint\":{\"connectedNode\":2,\"joint\":0}", velocity,
             from_body ? "\"joint\":{\"connectedNode\":0,\"joint\":0}" : "");
    run r = open_text(text);
    assert_int_equal(scene_of(&r)->joint_count, 1);
    assert_int_equal(scene_of(&r)->joints[0].body_a, from_body ? 0 : -1);
    assert_int_equal(scene_of(&r)->joints[0].body_b, from_body ? -1 : 0);
    return r;
}

/* Along or about an axis, at the body, in the file's space. */
static float value_of(const run *r, bool angular, int axis)
{
    mmd_transform t = at(r, 0);
    return angular ? twist(&t, axis) : t.translation[axis];
}

/* From -0.3 to 0.6 as the joint sees it: the body goes as far as that in either direction, and no farther. */
static void limits_on_one_axis_are_where_the_file_says(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        int axis = i % 3;
        bool angular = i / 3 % 2, backwards = i / 6 % 2, from_body = i / 12;
        char velocity[128], limits[256];
        float speed = backwards ? -1.0f : 1.0f;
        snprintf(velocity, sizeof velocity, "\"%sVelocity\":[%g,%g,%g]", angular ? "angular" : "linear",
                 axis == 0 ? (double)speed : 0, axis == 1 ? (double)speed : 0, axis == 2 ? (double)speed : 0);
        snprintf(limits, sizeof limits, "{\"%sAxes\":[%d],\"min\":-0.3,\"max\":0.6}",
                 angular ? "angular" : "linear", axis);
        run r = open_joint(velocity, limits, "", from_body);
        float least = 0, most = 0;
        for (int k = 0; k < RATE; k++) {
            mmd_world_step(r.world);
            float value = value_of(&r, angular, axis);
            least = fminf(least, value);
            most = fmaxf(most, value);
        }
        float low = from_body ? -0.6f : -0.3f, high = from_body ? 0.3f : 0.6f;
        measured(angular ? "limit about an axis" : "limit along an axis", backwards ? "least" : "most",
                 (double)(backwards ? least : most));
        assert_float_equal(backwards ? least : most, backwards ? low : high, 0.02f);
        end(&r);
    }
}

static void one_side_of_a_limit_may_be_open(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool angular = i % 2, min = i / 2;
        char limits[128];
        snprintf(limits, sizeof limits, "{\"%sAxes\":[%d],\"%s\":%s}", angular ? "angular" : "linear",
                 angular ? 0 : 2, min ? "min" : "max", min ? "-0.3" : "0.6");
        run r = open_joint("\"linearVelocity\":[0,0,0]", limits, "", false);
        const mmd_phys_limit *limit = &scene_of(&r)->limits[0];
        assert_int_equal(limit->has_max, min); /* mirrored */
        assert_int_equal(limit->has_min, !min);
        assert_float_equal(min ? limit->max : limit->min, (min ? 0.3f : -0.6f) * (angular ? 1 : METRE),
                           1e-5f);
        end(&r);
    }
}

static void drives_go_to_their_targets(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        int axis = i % 3;
        bool angular = i / 3 % 2, acceleration = i / 6 % 2, from_body = i / 12;
        char drive[256];
        snprintf(drive, sizeof drive,
                 "{\"type\":\"%s\",\"mode\":\"%s\",\"axis\":%d,\"positionTarget\":0.4,\"stiffness\":40,"
                 "\"damping\":10}",
                 angular ? "angular" : "linear", acceleration ? "acceleration" : "force", axis);
        run r = open_joint("\"linearVelocity\":[0,0,0]", "", drive, from_body);
        step(&r, 0.25f);
        float early = value_of(&r, angular, axis);
        step(&r, 5);
        float value = value_of(&r, angular, axis), sign = from_body ? -1.0f : 1.0f;
        /* x'' = 40 (0.4 - x) - 10 x': x(0.25 s) of mass and moment 1 */
        float root = sqrtf(15.0f);
        float exact = 0.4f * (1 - expf(-1.25f) * (cosf(root * 0.25f) + 5 / root * sinf(root * 0.25f)));
        measured(angular ? "drive about an axis" : "drive along an axis", "error after 0.25 s",
                 (double)(early * sign - exact));
        assert_float_equal(value, sign * 0.4f, 2e-3f);
        assert_float_equal(early, sign * exact, 0.01f);
        end(&r);
    }
}

/* A soft limit is a spring of the file's stiffness: mass 1 at 1 m/s against 100 N/m goes in by 0.1 m. */
static void soft_limits_have_their_stiffness(void **state)
{
    (void)state;
    for (int angular = 0; angular < 2; angular++) {
        char limits[256];
        snprintf(limits, sizeof limits, "{\"%sAxes\":[0],\"min\":0,\"max\":0.2,\"stiffness\":100}",
                 angular ? "angular" : "linear");
        run r = open_joint(angular ? "\"angularVelocity\":[1,0,0]" : "\"linearVelocity\":[1,0,0]", limits, "",
                           false);
        float most = 0;
        for (int k = 0; k < RATE / 2; k++) {
            mmd_world_step(r.world);
            most = fmaxf(most, value_of(&r, angular, 0));
        }
        measured("soft limit", "goes to (0.3)", (double)most);
        assert_float_equal(most, 0.3f, 0.01f);
        end(&r);
    }
}

static run open_body(const char *node, const char *motion, const char *shape)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"extensions\":{"
             "\"KHR_physics_rigid_bodies\":{},\"KHR_implicit_shapes\":{\"shapes\":[%s]}},\"nodes\":[{%s"
             "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{%s},\"collider\":{\"geometry\":"
             "{\"shape\":0}}}}}]}",
             shape, node, motion);
    return open_text(text);
}

static void numbers_of_bodies_are_in_units(void **state)
{
    (void)state;
    run r = open_body("\"rotation\":[0,0.70710678,0,0.70710678],\"translation\":[1,2,3],",
                      "\"mass\":0,\"inertiaDiagonal\":[1,2,0],\"inertiaOrientation\":[0.6,0,0,0.8],"
                      "\"centerOfMass\":[0.1,0.2,0.3],\"linearVelocity\":[0,0,1],\"angularVelocity\":[1,0,0],"
                      "\"gravityFactor\":0.5",
                      "{\"type\":\"sphere\"}");
    const mmd_phys_body *body = &scene_of(&r)->bodies[0];
    const float rest[3] = {12.5f, 25, -37.5f}, center[3] = {1.25f, 2.5f, -3.75f}, linear[3] = {12.5f, 0, 0},
                angular[3] = {0, 0, -1}, inertia[3] = {156.25f, 312.5f, 0};
    assert_int_equal(body->motion, MMD_PHYS_DYNAMIC);
    assert_true(body->mass == 0 && !body->auto_mass && !body->auto_inertia && !body->auto_center);
    assert_true(distance(body->rest.translation, rest) < 1e-4f);
    assert_true(distance(body->center, center) < 1e-4f);
    /* +Z of the file turned by 90 degrees about Y is +X; +X turned is -Z, and about -Z in a right-handed
     * space is about -Z in the mirrored one. */
    assert_true(distance(body->linear_velocity, linear) < 1e-4f);
    assert_true(distance(body->angular_velocity, angular) < 1e-5f);
    assert_true(distance(body->inertia, inertia) < 1e-3f);
    assert_float_equal(body->inertia_rotation[0], -0.6f, 1e-6f);
    assert_float_equal(body->gravity_factor, 0.5f, 0);
    assert_float_equal(scene_of(&r)->world.gravity[1], -GRAVITY * METRE, 1e-3f);
    end(&r);
    r = open_body("", "", "{\"type\":\"box\"}");
    body = &scene_of(&r)->bodies[0];
    assert_true(body->auto_mass && body->auto_inertia && body->auto_center);
    end(&r);
}

static void shapes_are_scaled_as_their_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *node, *shape;
        uint8_t kind;
        float size[3];
        uint32_t losses;
    } cases[] = {
        {"", "{\"type\":\"box\"}", MMD_PHYS_BOX, {0.5f, 0.5f, 0.5f}, 0},
        {"", "{\"type\":\"sphere\",\"sphere\":{}}", MMD_PHYS_SPHERE, {0.5f, 0, 0}, 0},
        {"", "{\"type\":\"capsule\"}", MMD_PHYS_CAPSULE, {0.25f, 0.5f, 0.25f}, 0},
        {"",
         "{\"type\":\"cylinder\",\"cylinder\":{\"radiusTop\":0}}",
         MMD_PHYS_CYLINDER,
         {0.25f, 0.5f, 0},
         0},
        {"\"scale\":[2,3,4],", "{\"type\":\"box\",\"box\":{\"size\":[1,2,3]}}", MMD_PHYS_BOX, {1, 3, 6}, 0},
        {"\"scale\":[2,2,2],", "{\"type\":\"capsule\"}", MMD_PHYS_CAPSULE, {0.5f, 1, 0.5f}, 0},
        {"\"scale\":[2,4,2],", "{\"type\":\"cylinder\"}", MMD_PHYS_CYLINDER, {0.5f, 2, 0.5f}, 0},
        {"\"scale\":[1,2,3],", "{\"type\":\"sphere\"}", MMD_PHYS_SPHERE, {1.5f, 0, 0}, 1},
        {"", "{\"type\":\"plane\",\"plane\":{\"sizeX\":4,\"sizeZ\":2}}", MMD_PHYS_BOX, {2, 0.01f, 1}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run r = open_body(cases[i].node, "", cases[i].shape);
        const mmd_phys_shape *shape = &scene_of(&r)->shapes[0];
        assert_int_equal(shape->kind, cases[i].kind);
        for (int k = 0; k < 3; k++)
            assert_float_equal(shape->size[k] / METRE, cases[i].size[k], 1e-4f);
        assert_int_equal(r.document->losses.count, cases[i].losses);
        end(&r);
    }
}

/* Seconds that a ball needs to hit the top of an endless plane; the plane's frame is that of its node. */
static void planes_face_up(void **state)
{
    (void)state;
    run r = open_text(
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"extensions\":{"
        "\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"plane\"},{\"type\":\"sphere\"}]},"
        "\"KHR_physics_rigid_bodies\":{}},\"nodes\":[{\"translation\":[0,1,0],\"extensions\":{"
        "\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":{\"shape\":0}}}}},"
        "{\"translation\":[7,3,-9],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},"
        "\"collider\":{\"geometry\":{\"shape\":1}}}}}]}");
    assert_int_equal(scene_of(&r)->bodies[0].motion, MMD_PHYS_STATIC);
    step(&r, 5);
    assert_float_equal(at(&r, 1).translation[1], 1.5f, 5e-3f);
    end(&r);
}

/* What OMI says otherwise: total heights, its defaults, automatic inertia, axes taken over, softness. */
static const char omi_document[] =
    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"%s\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2]}],"
    "\"extensions\":{\"OMI_physics_shape\":{\"shapes\":[{\"type\":\"capsule\"}]},"
    "\"OMI_physics_gravity\":{\"gravity\":2,\"direction\":[0,0,3]},"
    "\"OMI_physics_joint\":{\"constraints\":[{\"linearAxes\":[0,1,2]},"
    "{\"linearAxes\":[1],\"lowerLimit\":-1,\"upperLimit\":2,\"stiffness\":%s},{\"angularAxes\":[0,2]}]}},"
    "\"nodes\":[{\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\"},"
    "\"collider\":{\"shape\":0}}}},{\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"static\"},"
    "\"collider\":{\"shape\":-1}}}},{\"name\":\"joint\",\"extensions\":{\"OMI_physics_joint\":{"
    "\"constraints\":[0,1,2],\"nodeA\":0,\"nodeB\":1}}}]}";

static void omi_says_some_things_otherwise(void **state)
{
    (void)state;
    static const struct {
        const char *generator, *stiffness;
        bool soft;
    } cases[] = {
        {"", "500", true}, {"", "1.5", false}, {"Godot Engine v4.1", "500", false}, {"odori 1", "1.5", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text, omi_document, cases[i].generator, cases[i].stiffness);
        run r = open_text(text);
        const mmd_physscene *scene = scene_of(&r);
        assert_int_equal(r.document->dialect, MMD_DIALECT_OMI_SEED);
        assert_float_equal(scene->world.gravity[2], -2 * METRE, 1e-4f);
        assert_float_equal(scene->shapes[0].size[0], 0.5f * METRE, 1e-4f);
        assert_float_equal(scene->shapes[0].size[1], 1.0f * METRE, 1e-4f);
        assert_true(scene->bodies[0].mass == 1 && !scene->bodies[0].auto_mass &&
                    scene->bodies[0].auto_inertia);
        assert_int_equal(scene->joint_count, 1);
        assert_false(scene->joints[0].collide);
        assert_int_equal(scene->joints[0].limit_count, 3);
        assert_int_equal(scene->limits[0].axes, 5);
        assert_int_equal(scene->limits[1].axes, 2);
        assert_int_equal(scene->limits[1].soft, cases[i].soft);
        assert_float_equal(scene->limits[1].min, -METRE, 1e-4f);
        assert_int_equal(scene->limits[2].kind, MMD_LIMIT_ANGULAR);
        bool told = false;
        for (uint32_t k = 0; k < r.document->losses.count; k++)
            told = told || strcmp(r.document->losses.items[k].code, "unit.ambiguous") == 0;
        assert_int_equal(told, !cases[i].soft);
        end(&r);
    }
}

static void omi_newer_joints_are_as_khr_says_them(void **state)
{
    (void)state;
    run r = open_text(
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"extensions\":{"
        "\"OMI_physics_joint\":{\"physicsJoints\":[{\"limits\":[{\"angularAxes\":[0],\"min\":-0.5,\"max\":1}]"
        ","
        "\"drives\":[{\"type\":\"linear\",\"mode\":\"force\",\"axis\":2,\"positionTarget\":2,\"maxForce\":4,"
        "\"stiffness\":3,\"damping\":1}]}]}},\"nodes\":[{\"extensions\":{\"OMI_physics_body\":{\"motion\":{"
        "\"type\":\"dynamic\",\"mass\":2}},\"OMI_physics_joint\":{\"joint\":0,\"connectedNode\":1}}},{}]}");
    const mmd_physscene *scene = scene_of(&r);
    assert_int_equal(r.document->dialect, MMD_DIALECT_OMI_NEWER);
    assert_int_equal(scene->joints[0].body_a, 0);
    assert_int_equal(scene->joints[0].body_b, -1);
    assert_float_equal(scene->limits[0].min, -1.0f, 1e-6f);
    assert_float_equal(scene->limits[0].max, 0.5f, 1e-6f);
    assert_float_equal(scene->drives[0].position_target, -2 * METRE, 1e-4f);
    assert_float_equal(scene->drives[0].stiffness, 3, 0);
    assert_float_equal(scene->drives[0].max_force, 4 * METRE, 1e-4f);
    end(&r);
}

/* ---------------------------------------------------------------- mistakes */

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *motion, *collider, *limit;
        mmd_status status;
        const char *section;
    } cases[] = {
        {"\"mass\":-1", "\"shape\":0", "", MMD_ERROR_VALUE, "motion.mass"},
        {"\"mass\":1e308", "\"shape\":0", "", MMD_ERROR_VALUE, "motion.mass"},
        {"\"linearVelocity\":[1,2]", "\"shape\":0", "", MMD_ERROR_VALUE, "linearVelocity"},
        {"\"inertiaDiagonal\":[1,1,1],\"inertiaOrientation\":[0,0,0,0]", "\"shape\":0", "", MMD_ERROR_VALUE,
         "inertiaOrientation"},
        {"\"isKinematic\":1", "\"shape\":0", "", MMD_ERROR_VALUE, "isKinematic"},
        {"", "\"shape\":1", "", MMD_ERROR_INDEX, "collider.shape"},
        {"", "\"shape\":0,\"collisionFilter\":0", "", MMD_ERROR_INDEX, "collisionFilter"},
        {"", "\"shape\":0", "{\"linearAxes\":[3],\"min\":0,\"max\":0}", MMD_ERROR_VALUE, "linearAxes[0]"},
        {"", "\"shape\":0", "{\"linearAxes\":[0],\"min\":1,\"max\":0}", MMD_ERROR_VALUE, "limits[0]"},
        {"", "\"shape\":0", "{\"linearAxes\":[0],\"stiffness\":-1}", MMD_ERROR_VALUE, "stiffness"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"extensions\":{"
                 "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"box\"}]},\"KHR_physics_rigid_bodies\":{"
                 "\"physicsJoints\":[{\"limits\":[%s]}]}},\"nodes\":[{\"extensions\":{"
                 "\"KHR_physics_rigid_bodies\":{\"motion\":{%s},\"collider\":{%s},\"joint\":{\"joint\":0,"
                 "\"connectedNode\":0}}}}]}",
                 cases[i].limit, cases[i].motion, cases[i].collider);
        mmd_exchange *document = NULL;
        mmd_error error = {0};
        assert_int_equal(mmd_exchange_read(text, strlen(text), NULL, "", &document, &error), cases[i].status);
        assert_null(document);
        if (!strstr(error.section, cases[i].section))
            print_error("%s is not in \"%s\"\n", cases[i].section, error.section);
        /* Long places are cut off at the end. */
        assert_true(strstr(error.section, cases[i].section) ||
                    strlen(error.section) == MMD_ERROR_SECTION_MAX - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_files_load_and_run_for_ten_seconds),
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
        cmocka_unit_test(limits_on_one_axis_are_where_the_file_says),
        cmocka_unit_test(one_side_of_a_limit_may_be_open),
        cmocka_unit_test(drives_go_to_their_targets),
        cmocka_unit_test(soft_limits_have_their_stiffness),
        cmocka_unit_test(numbers_of_bodies_are_in_units),
        cmocka_unit_test(shapes_are_scaled_as_their_nodes),
        cmocka_unit_test(planes_face_up),
        cmocka_unit_test(omi_says_some_things_otherwise),
        cmocka_unit_test(omi_newer_joints_are_as_khr_says_them),
        cmocka_unit_test(mistakes_are_told_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
