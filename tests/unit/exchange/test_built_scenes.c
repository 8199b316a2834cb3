/* Tests two scenes that use many features of the extensions, in both KHR dialects (tests/scenes/README.md): a
 * biped held upright by drives, and a wheel turned by falling drops. */
#include "cli.h"
#include "mmd/exchange.h"
#include "mmd/physics.h"

enum { RATE = 240, MOST_EVENTS = 256 };

typedef struct built {
    mmd_exchange *document;
    mmd_world *world;
    uint32_t begun, ended; /* counts of trigger events */
} built;

static built open_scene(const char *name)
{
    char path[1024];
    built scene = {0};
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    snprintf(path, sizeof path, "%s/tests/scenes/%s", ODORI_SOURCE, name);
    assert_int_equal(mmd_file_read(path, &bytes, &error), MMD_OK);
    assert_int_equal(mmd_exchange_read(bytes.data, bytes.size, NULL, "", &scene.document, &error), MMD_OK);
    mmd_bytes_finish(&bytes);
    assert_int_equal(scene.document->losses.count, 0);
    const mmd_physscene *physics = scene.document->physscene;
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &physics->world, &physics, 1, &scene.world, &error),
                     MMD_OK);
    return scene;
}

static void close_scene(built *scene)
{
    mmd_world_destroy(scene->world);
    mmd_exchange_destroy(scene->document);
}

static uint32_t find(const built *scene, const char *name)
{
    const mmd_physscene *physics = scene->document->physscene;
    for (uint32_t i = 0; i < physics->body_count; i++)
        if (strcmp(physics->bodies[i].name, name) == 0)
            return i;
    fail_msg("no body %s", name);
    return 0;
}

/* Returns the transform of a body, in metres. */
static mmd_transform place(const built *scene, const char *name)
{
    mmd_transform at;
    mmd_exchange_to_file(MMD_EXCHANGE_GLTF, &mmd_world_transforms(scene->world)[find(scene, name)], &at);
    return at;
}

static void run(built *scene, float seconds)
{
    for (int i = 0; i < (int)(seconds * RATE); i++) {
        mmd_world_step(scene->world);
        mmd_trigger_event events[MOST_EVENTS];
        size_t count = mmd_world_trigger_events(scene->world, events, MOST_EVENTS);
        for (size_t k = 0; k < count && k < MOST_EVENTS; k++) {
            scene->begun += events[k].begins;
            scene->ended += !events[k].begins;
        }
    }
}

/* Returns the Y of a body's own Y axis: 1 is upright. */
static float upright(const mmd_transform *at)
{
    const float *q = at->rotation;
    return 1 - 2 * (q[0] * q[0] + q[2] * q[2]);
}

static void robot_stands_and_raises_its_arm(void **state)
{
    (void)state;
    built robot = open_scene("robot.gltf");
    assert_int_equal(robot.document->dialect, MMD_DIALECT_KHR_IMPLICIT_SHAPES);
    run(&robot, 1);
    mmd_transform landed = place(&robot, "left foot");
    run(&robot, 9);
    mmd_transform chest = place(&robot, "chest"), foot = place(&robot, "left foot"),
                  hand = place(&robot, "left forearm"), ball = place(&robot, "ball");
    if (getenv("ODORI_MEASURE"))
        print_message("    chest %.3f m high, upright %.4f; hand %.3f; ball %.3f; foot %.4f, then %.4f\n",
                      chest.translation[1], upright(&chest), hand.translation[1], ball.translation[1],
                      landed.translation[0], foot.translation[0]);
    assert_float_equal(chest.translation[1], 1.38f, 0.03f);
    assert_true(upright(&chest) > 0.98f);
    assert_float_equal(landed.translation[0], 0.12f, 0.03f); /* the arm's swing pushes it aside as it lands */
    assert_float_equal(foot.translation[0], landed.translation[0], 0.01f); /* did not slide */
    assert_float_equal(foot.translation[1], 0.05f, 0.02f);
    assert_true(hand.translation[1] > 1.6f);
    assert_float_equal(ball.translation[1], 0.2f, 0.01f);
    close_scene(&robot);
}

/* The drive turns the anchor, seen from the table, about Y at 1.5 rad/s, so the table turns the other way. */
static void turntable_turns_at_its_target(void **state)
{
    (void)state;
    built robot = open_scene("robot.gltf");
    run(&robot, 2); /* before the ball comes by */
    mmd_transform before = place(&robot, "turntable"), after;
    run(&robot, 1);
    after = place(&robot, "turntable");
    float turned =
        2 * (atan2f(after.rotation[1], after.rotation[3]) - atan2f(before.rotation[1], before.rotation[3]));
    float wrapped = remainderf(turned + 1.5f, 6.2831853f);
    assert_float_equal(wrapped, 0, 0.01f);
    close_scene(&robot);
}

static void drops_turn_the_wheel_and_fill_the_pool(void **state)
{
    (void)state;
    built mill = open_scene("water_wheel.gltf");
    assert_int_equal(mill.document->dialect, MMD_DIALECT_KHR_COLLISION_SHAPES);
    float turned = 0, last = 0, off = 0;
    for (int i = 0; i < 300; i++) {
        run(&mill, 1.0f / 30);
        mmd_transform wheel = place(&mill, "wheel");
        float angle = 2 * atan2f(wheel.rotation[2], wheel.rotation[3]);
        turned += remainderf(angle - last, 6.2831853f);
        last = angle;
        off = fmaxf(off, hypotf(wheel.translation[0], wheel.translation[1] - 1.9f));
        assert_float_equal(wheel.rotation[0], 0, 1e-3f); /* it turns about its axle only */
        assert_float_equal(wheel.rotation[1], 0, 1e-3f);
    }
    if (getenv("ODORI_MEASURE"))
        print_message("    wheel turned %.2f rad, %.4f m off its axle; %u drops came, %u left\n", turned, off,
                      mill.begun, mill.ended);
    assert_true(turned < -3.2f); /* clockwise, seen from the front */
    assert_true(off < 0.005f);
    assert_true(mill.begun >= 60);
    close_scene(&mill);
}

/* Returns the X position of a body, which is element 12 of its matrix. */
static double along(const json_t *frame, const char *name)
{
    size_t i;
    json_t *body;
    json_array_foreach(json_object_get(frame, "bodies"), i, body)
    {
        if (strcmp(json_string_value(json_object_get(body, "name")), name) == 0)
            return json_number_value(json_array_get(json_object_get(body, "world"), 12));
    }
    fail_msg("no body %s", name);
    return 0;
}

/* Velocities of the file apply from the first frame on. */
static void velocities_of_the_file_begin_the_dance(void **state)
{
    (void)state;
    json_t *root = cli_json("dump " ODORI_SOURCE "/tests/scenes/robot.gltf --frames 0,60 --what bodies"
                            " --space file --physics on");
    json_t *frames = json_object_get(root, "frames");
    assert_true(fabs(along(json_array_get(frames, 0), "ball") - 1.4) < 1e-6);
    assert_true(fabs(along(json_array_get(frames, 1), "ball") - 0.4) <
                0.05); /* 2 s at 0.5 m/s, less a bounce */
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(robot_stands_and_raises_its_arm),
                                       cmocka_unit_test(turntable_turns_at_its_target),
                                       cmocka_unit_test(drops_turn_the_wheel_and_fill_the_pool),
                                       cmocka_unit_test(velocities_of_the_file_begin_the_dance)};
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
