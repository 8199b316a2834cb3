/* Tests what `odori info` shows of single bodies and joints, of keys that switch physics and of interchange
 * files, as text and as JSON. */
#include <string.h>

#include "cli.h"
#include "mmd/format.h"

/* The second collides with nothing; the first's name has an escape sequence of terminals, and that of a joint
 * turns the direction of text. */
static mmd_rigid_body bodies[] = {
    {.name = "a\x1b[31m\"", .name_en = "", .mask = 0xffff, .size = {1.0f}, .mass = 1.0f},
    {.name = "静", .name_en = "", .bone = -1, .group = 1, .size = {1.0f}, .mass = 1.0f, .mode = 1},
    {.name = "箱",
     .name_en = "",
     .bone = 1,
     .group = 2,
     .mask = 0x0005,
     .shape = 1,
     .size = {1.0f, 2.0f, 3.0f},
     .mass = 0.5f,
     .mode = 2},
    /* collides only with the first */
    {.name = "still", .name_en = "", .group = 3, .mask = 0x0009, .size = {1.0f}},
};

/* The last is of a kind that ignores its linear limits. */
static mmd_joint joints[] = {
    {.name = "self", .name_en = "", .body_a = 1, .body_b = 1},
    {.name = "lone\x1b\u202E", .name_en = "", .body_a = -1, .body_b = 2},
    {.name = "nobody", .name_en = "", .body_a = -1, .body_b = -1},
    {.name = "free", .name_en = "", .body_b = 2, .linear_lower = {1.0f}, .angular_lower = {0.0f, 0.0f, 1.0f}},
    {.name = "hinge", .name_en = "", .kind = 5, .body_b = 2, .linear_lower = {1.0f}},
};

#define COUNT(items) ((uint32_t)(sizeof(items) / sizeof *(items)))

static void write_model(void)
{
    mmd_bytes file = cli_read("odori.pmx");
    mmd_model *model = NULL;
    mmd_buffer made = {0};
    assert_int_equal(mmd_pmx_read(file.data, file.size, &model, NULL), MMD_OK);
    mmd_bytes_finish(&file);
    model->version = 2.1f;
    model->bodies = bodies;
    model->body_count = COUNT(bodies);
    model->joints = joints;
    model->joint_count = COUNT(joints);
    assert_int_equal(mmd_pmx_write(model, &made, NULL), MMD_OK);
    mmd_model_destroy(model);
    cli_write("bodies.pmx", made.data, made.size);
    mmd_buffer_finish(&made);
}

static void assert_texts(const json_t *file, const char *key, const char *const *texts, size_t count)
{
    const json_t *list = json_object_get(file, key);
    assert_int_equal(json_array_size(list), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(json_string_value(json_array_get(list, i)), texts[i]);
}

static void assert_box(const json_t *body)
{
    assert_int_equal(json_integer_value(json_object_get(body, "index")), 2);
    assert_string_equal(json_string_value(json_object_get(body, "name")), "箱");
    assert_int_equal(json_integer_value(json_object_get(body, "bone")), 1);
    assert_true(*json_string_value(json_object_get(body, "bone_name")) != '\0');
    assert_string_equal(json_string_value(json_object_get(body, "mode")), "physics_with_bone");
    assert_string_equal(json_string_value(json_object_get(body, "shape")), "box");
    assert_float_equal(json_number_value(json_array_get(json_object_get(body, "size"), 2)), 3.0, 0.0);
    assert_float_equal(json_number_value(json_object_get(body, "mass")), 0.5, 0.0);
    assert_int_equal(json_integer_value(json_object_get(body, "group")), 2);
    assert_int_equal(json_integer_value(json_object_get(body, "mask")), 5);
}

static void json_has_every_body_and_joint(void **state)
{
    (void)state;
    static const char *const untouched[] = {"1 静", "3 still"};
    static const char *const reversed[] = {"3 free: linear X, angular Z"};
    static const char *const alone[] = {"0 self: connects 静 with itself", "1 lone\x1b\u202E: has no body A",
                                        "2 nobody: has no bodies"};
    json_t *root = cli_json("info --json bodies.pmx");
    const json_t *file = json_array_get(json_object_get(root, "files"), 0);
    assert_texts(file, "untouched_bodies", untouched, COUNT(untouched));
    assert_texts(file, "reversed_limits", reversed, COUNT(reversed));
    assert_texts(file, "joints_of_no_two_bodies", alone, COUNT(alone));
    assert_int_equal(json_array_size(json_object_get(file, "bodies")), COUNT(bodies));
    assert_box(json_array_get(json_object_get(file, "bodies"), 2));
    assert_int_equal(json_array_size(json_object_get(file, "joints")), COUNT(joints));
    const json_t *hinge = json_array_get(json_object_get(file, "joints"), 4);
    assert_string_equal(json_string_value(json_object_get(hinge, "kind")), "hinge");
    assert_int_equal(json_integer_value(json_object_get(hinge, "body_a")), 0);
    assert_int_equal(json_integer_value(json_object_get(hinge, "body_b")), 2);
    json_decref(root);
}

static void text_names_what_does_nothing_and_colours_no_terminal(void **state)
{
    (void)state;
    cli_result result = cli_run("info bodies.pmx");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "non-colliding bodies     2\n    1 静\n"));
    assert_non_null(strstr(result.out, "    0 self: connects 静 with itself\n"));
    assert_non_null(strstr(result.out, "    3 free: linear X, angular Z\n"));
    assert_null(strchr(result.out, '\x1b'));
    assert_null(strstr(result.out, "\u202E"));
    assert_non_null(strstr(result.out, "lone\\x1b\\u202e"));
    cli_finish(&result);
    result = cli_run("info --json bodies.pmx");
    assert_null(strchr(result.out, '\x1b'));
    assert_null(strstr(result.out, "\u202E"));
    cli_finish(&result);
}

/* Writes switches of three bones: off, on and on again; never off; off from the start, with two keys in a
 * frame. */
static void write_motion(void)
{
    static uint32_t frames[3][3] = {{5, 10, 20}, {0, 1, 2}, {0, 7, 7}};
    static mmd_bone_key keys[3][3];
    static const bool off[3][3] = {{true, false, false}, {false, false, false}, {true, false, true}};
    mmd_bone_track tracks[3] = {{.name = "swings"}, {.name = "plain"}, {.name = "held\x1b"}};
    mmd_buffer made = {0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            keys[i][k] = (mmd_bone_key){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .physics_off = off[i][k]};
        tracks[i].count = 3;
        tracks[i].frames = frames[i];
        tracks[i].keys = keys[i];
    }
    mmd_motion motion = {
        .model_name_size = 20, .section_count = 6, .bone_track_count = 3, .bone_tracks = tracks};
    motion.bone_key_count = 9;
    motion.last_frame = 20;
    assert_int_equal(mmd_vmd_write(&motion, &made, NULL), MMD_OK);
    cli_write("switches.vmd", made.data, made.size);
    mmd_buffer_finish(&made);
}

static void assert_key(const json_t *bone, size_t index, int64_t frame, bool physics)
{
    const json_t *key = json_array_get(json_object_get(bone, "keys"), index);
    assert_int_equal(json_integer_value(json_object_get(key, "frame")), frame);
    assert_true(json_is_boolean(json_object_get(key, "physics")));
    assert_int_equal(json_is_true(json_object_get(key, "physics")), physics);
}

static void motions_name_the_bones_that_switch_physics(void **state)
{
    (void)state;
    json_t *root = cli_json("info --json switches.vmd");
    const json_t *file = json_array_get(json_object_get(root, "files"), 0),
                 *switches = json_object_get(file, "physics_switches");
    assert_int_equal(json_array_size(switches), 2);
    const json_t *swings = json_array_get(switches, 0), *held = json_array_get(switches, 1);
    assert_string_equal(json_string_value(json_object_get(swings, "bone")), "swings");
    assert_int_equal(json_array_size(json_object_get(swings, "keys")), 2);
    assert_key(swings, 0, 5, false);
    assert_key(swings, 1, 10, true);
    assert_int_equal(json_array_size(json_object_get(held, "keys")), 1);
    assert_key(held, 0, 0, false);
    json_decref(root);
    cli_result result = cli_run("info switches.vmd odori.vmd");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "bones that switch physics 2\n    swings: off at 5, on at 10\n"));
    assert_null(strchr(result.out, '\x1b'));
    cli_finish(&result);
}

/* An interchange file with a joint of each kind and all that the OMI specification forbids. */
static const char joints_file[] =
    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"by hand\"},"
    "\"extensionsUsed\":[\"OMI_physics_body\",\"OMI_physics_shape\",\"OMI_physics_joint\"],"
    "\"extensions\":{\"OMI_physics_shape\":{\"shapes\":[{\"type\":\"sphere\",\"sphere\":{\"radius\":0.5}},"
    "{\"type\":\"box\",\"box\":{\"size\":[1,1,1]}}]},"
    "\"OMI_physics_joint\":{\"constraints\":[{\"linearAxes\":[0,1,2]},{\"angularAxes\":[0,1,2]},"
    "{\"angularAxes\":[1,2]},{\"angularAxes\":[0],\"lowerLimit\":-1,\"upperLimit\":1},"
    "{\"linearAxes\":[0],\"lowerLimit\":-0.5,\"upperLimit\":0.5},{\"linearAxes\":[1,2]},{},"
    "{\"linearAxes\":[0],\"lowerLimit\":1,\"upperLimit\":-1},{\"linearAxes\":[1],\"stiffness\":0}]}},"
    "\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2,3,4,5,6,7,8,9]}],"
    "\"animations\":[],\"nodes\":["
    "{\"name\":\"Ball\",\"translation\":[0,2,0],\"extensions\":{\"OMI_physics_body\":"
    "{\"motion\":{\"type\":\"dynamic\",\"mass\":2},\"collider\":{\"shape\":0}}}},"
    "{\"name\":\"Post\",\"extensions\":{\"OMI_physics_body\":"
    "{\"motion\":{\"type\":\"static\"},\"collider\":{\"shape\":1}}}},"
    "{\"name\":\"Zone\",\"extensions\":{\"OMI_physics_body\":{\"trigger\":{\"shape\":1}}}},"
    "{\"name\":\"Nothing\"},"
    "{\"name\":\"P\",\"extensions\":{\"OMI_physics_joint\":{\"nodeA\":0,\"nodeB\":1,\"constraints\":[0]}}},"
    "{\"name\":\"W\",\"extensions\":{\"OMI_physics_joint\":{\"nodeA\":0,\"nodeB\":1,\"constraints\":[0,1]}}},"
    "{\"name\":\"H\",\"extensions\":{\"OMI_physics_joint\":{\"nodeA\":0,\"nodeB\":1,\"constraints\":[0,2,3]}}"
    "},"
    "{\"name\":\"S\",\"extensions\":{\"OMI_physics_joint\":{\"nodeA\":1,\"nodeB\":0,\"constraints\":[4,5,1]}}"
    "},"
    "{\"name\":\"B\",\"extensions\":{\"OMI_physics_joint\":{\"nodeA\":2,\"nodeB\":3,\"constraints\":[6,7,8]}}"
    "},"
    "{\"name\":\"N\",\"extensions\":{\"OMI_physics_joint\":{\"nodeA\":0,\"constraints\":[3,5]}}}]}";

static int64_t whole_at(const json_t *object, const char *group, const char *key)
{
    const json_t *value = json_object_get(json_object_get(object, group), key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void interchange_is_counted_and_its_joints_are_named(void **state)
{
    (void)state;
    static const char *const kinds[] = {"pin", "fixed", "hinge", "slider"};
    static const char *const axes[] = {"X", "RX", "RY"};
    static const char *const hinge[] = {"locked", "limited", "locked"};
    json_t *root = cli_json("info --json joints.gltf odori.vmd");
    const json_t *file = json_array_get(json_object_get(root, "files"), 0),
                 *physics = json_object_get(file, "physics"), *all = json_object_get(file, "joints");
    assert_string_equal(json_string_value(json_object_get(file, "kind")), "glTF");
    assert_string_equal(json_string_value(json_object_get(json_object_get(file, "interchange"), "dialect")),
                        "OMI seed");
    assert_int_equal(whole_at(file, "interchange", "nodes"), 10);
    assert_int_equal(whole_at(file, "counts", "rigid_bodies"), 3);
    assert_int_equal(whole_at(physics, "body_kinds", "dynamic"), 1);
    assert_int_equal(whole_at(physics, "body_kinds", "static"), 1);
    assert_int_equal(whole_at(physics, "body_kinds", "trigger"), 1);
    for (size_t i = 0; i < COUNT(kinds); i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(all, i), "kind")), kinds[i]);
    for (size_t i = 0; i < COUNT(axes); i++)
        assert_string_equal(
            json_string_value(json_object_get(json_object_get(json_array_get(all, 2), "axes"), axes[i])),
            hinge[i]);
    assert_int_equal(json_array_size(json_object_get(root, "matches")), 1);
    assert_true(json_array_size(json_object_get(file, "losses")) > 0);
    json_decref(root);
}

static void what_omi_forbids_is_told(void **state)
{
    (void)state;
    static const char *const forbidden[] = {
        "constraints[6]: a constraint with no axis",
        "constraints[7]: the lower limit is above the upper one",
        "constraints[8]: a stiffness that is not positive",
        "nodes[8]: nodeA is a trigger",
        "nodes[8]: nodeB is no body",
        "nodes[8]: neither body is dynamic",
        "nodes[9]: nodeB is null",
    };
    json_t *root = cli_json("info --json joints.gltf");
    assert_texts(json_array_get(json_object_get(root, "files"), 0), "omi_forbidden", forbidden,
                 COUNT(forbidden));
    json_decref(root);
    cli_result result = cli_run("info joints.gltf");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "0 P: Pin, Ball to Post; locked X Y Z; free RX RY RZ\n"));
    assert_non_null(strstr(result.out, "2 H: Hinge, Ball to Post; locked X Y Z RY RZ; limited RX\n"));
    assert_non_null(strstr(result.out, "nodes[8]: neither body is dynamic\n"));
    assert_non_null(strstr(result.out, "joint.invalid"));
    cli_finish(&result);
}

static int begin(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cli_write_text("joints.gltf", joints_file);
    write_model();
    write_motion();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_every_body_and_joint),
        cmocka_unit_test(text_names_what_does_nothing_and_colours_no_terminal),
        cmocka_unit_test(motions_name_the_bones_that_switch_physics),
        cmocka_unit_test(interchange_is_counted_and_its_joints_are_named),
        cmocka_unit_test(what_omi_forbids_is_told),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
