/* Tests odori convert: rejected usage, the files written, messages, and that converting back is exact. */
#include "cli.h"
#include "mmd/cursor.h"

static void expect_done(const char *arguments)
{
    cli_result result = cli_run("%s", arguments);
    if (result.code)
        print_error("%s: %s\n", arguments, result.err);
    assert_int_equal(result.code, 0);
    cli_finish(&result);
}

static void bad_usage_is_2_with_one_line(void **state)
{
    (void)state;
    cli_expect(2, "one to write", "convert");
    cli_expect(2, "one to write", "convert odori.pmx");
    cli_expect(2, "only two files", "convert odori.pmx a.glb b.glb");
    cli_expect(2, "is none of .glb", "convert odori.pmx a.fbx");
    cli_expect(2, "does not match", "convert odori.pmx a.glb --to pmx");
    cli_expect(2, "does not match", "convert odori.pmx a.json --to khr");
    cli_expect(2, "--help", "convert odori.pmx a.glb --to fbx");
    cli_expect(2, "--dialect", "convert odori.pmx a.json --dialect seed");
    cli_expect(2, "no dialect", "convert odori.pmx a.glb --to khr --dialect newer");
    cli_expect(2, "no dialect", "convert odori.pmx a.glb --to omi --dialect current");
    cli_expect(2, "--motion", "convert odori.pmx a.json --motion odori.vmd");
    cli_expect(3, "missing.pmx", "convert missing.pmx a.glb");
    cli_expect(3, "missing.vmd", "convert odori.pmx a.glb --motion missing.vmd");
    cli_expect(3, "odori.vmd", "convert odori.vmd a.glb");
    cli_expect(4, "nowhere", "convert odori.pmx nowhere/a.glb");
}

static void help_is_0(void **state)
{
    (void)state;
    cli_result result = cli_run("convert --help");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "--dialect"));
    cli_finish(&result);
}

static void the_way_back_is_exact(void **state)
{
    (void)state;
    static const char *const ways[] = {"a.glb",           "a.gltf --to khr --dialect current",
                                       "a.gltf --to omi", "a.glb --to omi --dialect newer",
                                       "a.json",          "a.rag --to ragdoll"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char arguments[256], name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(ways[i], " "), ways[i]);
        cli_shell("mkdir -p way && rm -rf way/*");
        snprintf(arguments, sizeof arguments, "convert odori.pmx way/%s", ways[i]);
        expect_done(arguments);
        snprintf(arguments, sizeof arguments, "convert way/%s way/back.pmx", name);
        expect_done(arguments);
        assert_true(cli_same_files("odori.pmx", "way/back.pmx"));
    }
}

/* Without --to the dialect decides the family: the input's family, else KHR, or OMI for "newer". */
static void a_dialect_needs_no_family(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *name, *dialect;
    } rows[] = {{"convert two.pmx d.glb --dialect current", "d.glb", "KHR current"},
                {"convert two.pmx d2.glb --dialect newer", "d2.glb", "OMI newer"},
                {"convert two.pmx d3.glb --dialect seed", "d3.glb", "KHR seed"},
                {"convert d2.glb d4.glb --dialect seed", "d4.glb", "OMI seed"},
                {"convert d.glb d5.glb --dialect seed", "d5.glb", "KHR seed"},
                {"convert d2.glb d6.glb --dialect current", "d6.glb", "KHR current"}};
    cli_write_text(
        "two.gltf",
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"extensions\":{"
        "\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0,1,2],"
        "\"min\":0,\"max\":0}]}]},"
        "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"sphere\"}]}},\"nodes\":["
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":"
        "{\"shape\":0}}}},{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},"
        "\"collider\":{\"shape\":0},\"joint\":{\"connectedNode\":0,\"joint\":0}}}}]}");
    expect_done("convert two.gltf two.pmx");
    cli_shell("rm two.physics.json");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char info[64];
        expect_done(rows[i].arguments);
        snprintf(info, sizeof info, "info --json %s", rows[i].name);
        json_t *json = cli_json(info), *file = json_array_get(json_object_get(json, "files"), 0);
        file = json_object_get(file, "interchange");
        assert_string_equal(json_string_value(json_object_get(file, "dialect")), rows[i].dialect);
        json_decref(json);
    }
}

static void write_box(const char *name, const char *node)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": "
             "[{\"name\": \"%s\", \"extensions\": {\"KHR_physics_rigid_bodies\": {\"motion\": {\"mass\": "
             "2.5, \"linearVelocity\": [1, 2, 3]}, \"collider\": {\"shape\": 0}}}}], \"extensionsUsed\": "
             "[\"KHR_collision_shapes\", \"KHR_physics_rigid_bodies\"], \"extensions\": "
             "{\"KHR_physics_rigid_bodies\": {}, \"KHR_collision_shapes\": {\"shapes\": [{\"type\": "
             "\"box\", \"box\": {\"size\": [1, 2, 3]}}]}}}",
             node);
    cli_write_text(name, text);
}

/* A sidecar that is damaged, no record, or of another model gives a warning, and the PMX is converted as it
 * is. */
static void a_sidecar_that_does_not_fit_is_told(void **state)
{
    (void)state;
    static const char *const spoil[] = {"head -c 300 whole.json > it.physics.json", ": > it.physics.json",
                                        "echo '{\"a\": 1}' > it.physics.json", "echo '[3]' > it.physics.json",
                                        "cp ball.physics.json it.physics.json"};
    write_box("box.gltf", "box");
    write_box("ball.gltf", "ball");
    expect_done("convert box.gltf it.pmx");
    expect_done("convert ball.gltf ball.pmx");
    cli_shell("cp it.physics.json whole.json");
    for (size_t i = 0; i <= sizeof spoil / sizeof *spoil; i++) {
        bool whole = i == sizeof spoil / sizeof *spoil;
        cli_shell(whole ? "cp whole.json it.physics.json" : spoil[i]);
        cli_result result = cli_run("convert it.pmx it.gltf");
        assert_int_equal(result.code, 0);
        bool other = i + 1 == sizeof spoil / sizeof *spoil; /* its body has another name and the same index */
        assert_int_equal(strstr(result.err, "record.unusable (dropped) .physics.json") != NULL,
                         !whole && !other);
        assert_int_equal(strstr(result.err, "model.remade (dropped)") != NULL, other);
        cli_finish(&result);
    }
}

/* A sidecar beside the PMX keeps what PMX cannot hold, and convert uses it on the way back. */
static void a_sidecar_is_found(void **state)
{
    (void)state;
    write_box("box.gltf", "box");
    expect_done("convert box.gltf there.pmx");
    mmd_bytes sidecar = cli_read("there.physics.json");
    assert_true(sidecar.size > 100);
    mmd_bytes_finish(&sidecar);
    expect_done("convert there.pmx back.gltf");
    json_t *was = json_load_file("box.gltf", 0, NULL), *is;
    char path[1024];
    snprintf(path, sizeof path, "%s/box.gltf", cli_folder());
    was = was ? was : json_load_file(path, 0, NULL);
    snprintf(path, sizeof path, "%s/back.gltf", cli_folder());
    is = json_load_file(path, 0, NULL);
    assert_non_null(was);
    assert_true(json_equal(was, is));
    json_decref(was);
    json_decref(is);
}

static void losses_are_listed(void **state)
{
    (void)state;
    static const char *const members[] = {"severity", "format", "direction", "path",
                                          "field",    "source", "emitted",   "code"};
    cli_result result = cli_run("convert odori.pmx lost.glb --json --report lost.report");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "lost.glb: 1 file"));
    json_t *json = json_loads(result.out, 0, NULL);
    json_t *losses = json_object_get(json, "losses");
    assert_true(json_array_size(losses) > 0);
    for (size_t i = 0; i < json_array_size(losses); i++)
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            assert_true(json_is_string(json_object_get(json_array_get(losses, i), members[k])));
    mmd_bytes report = cli_read("lost.report");
    json_t *same = json_loadb((const char *)report.data, report.size, 0, NULL);
    assert_true(json_equal(json, same));
    mmd_bytes_finish(&report);
    json_decref(same);
    json_decref(json);
    cli_finish(&result);
}

/* Losses of reading are warnings of every command that reads the file, and info lists them. */
static void losses_of_reading_are_warned_of(void **state)
{
    (void)state;
    static const char *const shows[] = {"dump odd.gltf --frames 0 -o odd.json", "info odd.gltf",
                                        "shot odd.gltf --size 16x16 -o odd.png"};
    cli_write_text(
        "odd.gltf",
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"extensions\":{"
        "\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[{\"linearAxes\":[0],"
        "\"angularAxes\":[1],\"min\":-0.5,\"max\":0.5}]}]},"
        "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"sphere\"}]}},\"nodes\":["
        "{\"scale\":[1,2,1],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":"
        "{\"shape\":0}}}},{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"joint\":{\"connectedNode\":0,"
        "\"joint\":0}}}}]}");
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++) {
        cli_result result = cli_run("%s", shows[i]);
        const char *text = i == 1 ? result.out : result.err;
        assert_int_equal(result.code, 0);
        assert_non_null(strstr(text, "joint.invalid (approximated) extensions.KHR_physics_rigid_bodies"));
        assert_non_null(strstr(text, "shape.approximated (approximated) extensions.KHR_collision_shapes"));
        cli_finish(&result);
    }
    cli_write_text("slow.json",
                   "{\"schema\":\"ragdoll-1.0\",\"entities\":{\"1\":{\"components\":{\"SolverComponent\":"
                   "{\"members\":{\"timeMultiplier\":0.5}}}}}}");
    cli_result result = cli_run("dump slow.json --frames 0 -o odd.json");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "timeMultiplier 0.5 -> 1"));
    cli_finish(&result);
}

/* Losses beyond 10,000 are only counted, in the last line and in the report. */
static void losses_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    mmd_buffer text = {0};
    mmd_write_format(&text, "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":"
                            "[\"KHR_physics_rigid_bodies\"],\"nodes\":[");
    for (int i = 0; i < 10007; i++)
        mmd_write_format(&text, "%s{\"extensions\":{\"OMI_physics_body\":{\"motion\":{}}}}", i ? "," : "");
    mmd_write_format(&text, "]}");
    cli_write("many.gltf", text.data, text.size);
    mmd_buffer_finish(&text);
    cli_result result = cli_run("convert many.gltf many.pmx --json");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, " 10007 dropped,"));
    json_t *json = json_loads(result.out, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(json, "losses")), 10000);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json, "more_losses"), "dropped")), 7);
    json_decref(json);
    cli_finish(&result);
    json = cli_json("info many.gltf --json");
    json_t *file = json_array_get(json_object_get(json, "files"), 0);
    assert_int_equal(json_integer_value(json_object_get(file, "more_losses")), 7);
    json_decref(json);
}

/* A file in place of a texture to be written is not replaced, and a warning says so. */
static void pictures_of_others_stay(void **state)
{
    (void)state;
    cli_shell("rm -rf mine && mkdir mine");
    expect_done("convert odori.pmx mine/a.gltf");
    cli_shell(
        "set -e; f=$(find mine -name '*.png' | head -n 1); test -n \"$f\"; echo mine > \"$f\"; echo \"$f\" "
        "> picture; rm mine/a.gltf");
    cli_result result = cli_run("convert odori.pmx mine/a.gltf");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "is not overwritten"));
    cli_finish(&result);
    cli_shell("test \"$(cat \"$(cat picture)\")\" = mine");
}

/* Bones of the animation are where the motion puts them. */
static void a_motion_becomes_the_animation(void **state)
{
    (void)state;
    expect_done("convert odori.pmx moved.glb --motion odori.vmd");
    json_t *was = cli_json("dump odori.pmx --motion odori.vmd --frames 0,7,23 --what bones");
    json_t *is = cli_json("dump moved.glb --frames 0,7,23 --what bones");
    double largest = 0;
    for (size_t f = 0; f < 3; f++) {
        json_t *a = json_object_get(json_array_get(json_object_get(was, "frames"), f), "bones");
        json_t *b = json_object_get(json_array_get(json_object_get(is, "frames"), f), "bones");
        assert_true(json_array_size(a) > 0 && json_array_size(b) >= json_array_size(a));
        for (size_t i = 0; i < json_array_size(a); i++)
            for (size_t k = 0; k < 16; k++) {
                json_t *x = json_array_get(json_object_get(json_array_get(a, i), "world"), k);
                json_t *y = json_array_get(json_object_get(json_array_get(b, i), "world"), k);
                largest = fmax(largest, fabs(json_number_value(x) - json_number_value(y)));
            }
    }
    if (getenv("ODORI_MEASURE"))
        print_message("    bones are at most %g away\n", largest);
    assert_true(largest < 0.002);
    json_decref(was);
    json_decref(is);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_usage_is_2_with_one_line),
        cmocka_unit_test(help_is_0),
        cmocka_unit_test(the_way_back_is_exact),
        cmocka_unit_test(a_sidecar_is_found),
        cmocka_unit_test(a_dialect_needs_no_family),
        cmocka_unit_test(a_sidecar_that_does_not_fit_is_told),
        cmocka_unit_test(losses_are_listed),
        cmocka_unit_test(losses_of_reading_are_warned_of),
        cmocka_unit_test(losses_beyond_the_limit_are_counted),
        cmocka_unit_test(pictures_of_others_stay),
        cmocka_unit_test(a_motion_becomes_the_animation),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
