/* odori convert: what is refused, what is written where, what is told, and that the way back is exact. */
#include "cli.h"

static bool same_files(const char *a, const char *b)
{
    mmd_bytes x = cli_read(a), y = cli_read(b);
    bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    mmd_bytes_finish(&x);
    mmd_bytes_finish(&y);
    return same;
}

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
    cli_expect(2, "too many", "convert odori.pmx a.glb b.glb");
    cli_expect(2, "ends in none", "convert odori.pmx a.fbx");
    cli_expect(2, "does not go", "convert odori.pmx a.glb --to pmx");
    cli_expect(2, "does not go", "convert odori.pmx a.json --to khr");
    cli_expect(2, "--help", "convert odori.pmx a.glb --to fbx");
    cli_expect(2, "--dialect", "convert odori.pmx a.glb --dialect seed");
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
        assert_true(same_files("odori.pmx", "way/back.pmx"));
    }
}

/* What is kept of a file in another format lies beside the PMX, and goes back with it. */
static void a_sidecar_is_found(void **state)
{
    (void)state;
    cli_write_text(
        "box.gltf",
        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": "
        "[{\"name\": \"box\", \"extensions\": {\"KHR_physics_rigid_bodies\": {\"motion\": {\"mass\": "
        "2.5, \"linearVelocity\": [1, 2, 3]}, \"collider\": {\"shape\": 0}}}}], \"extensionsUsed\": "
        "[\"KHR_collision_shapes\", \"KHR_physics_rigid_bodies\"], \"extensions\": "
        "{\"KHR_physics_rigid_bodies\": {}, \"KHR_collision_shapes\": {\"shapes\": [{\"type\": "
        "\"box\", \"box\": {\"size\": [1, 2, 3]}}]}}}");
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

/* A picture that lies where one would be written stays, and that is said. */
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
    assert_non_null(strstr(result.err, "stays as it is"));
    cli_finish(&result);
    cli_shell("test \"$(cat \"$(cat picture)\")\" = mine");
}

/* The animation is what the motion does: bones stand where they stood. */
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
        cmocka_unit_test(losses_are_listed),
        cmocka_unit_test(pictures_of_others_stay),
        cmocka_unit_test(a_motion_becomes_the_animation),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
