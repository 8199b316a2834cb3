/* Tests scaling of glTF nodes by commands: every command gives the same, undo, reset, pasted poses keep it;
 * and the warning about what a VPD cannot hold. */
#include "cli.h"

#include <math.h>

static void write_nodes(void)
{
    cli_write_text(
        "nodes.gltf",
        "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"name\": "
        "\"左root\", \"rotation\": [0, 0, 0.5, 0.8660254], \"children\": [1, 2]}, {\"name\": \"leaf\", "
        "\"translation\": [1, 2, 3]}, {\"name\": \"右root\"}]}");
}

static json_t *dump(const char *commands)
{
    cli_write_text("edit.txt", commands);
    return cli_json("dump nodes.gltf --frames 0 --exec edit.txt");
}

static bool is_same(const char *commands, const char *others)
{
    json_t *a = dump(commands), *b = dump(others);
    bool same = json_equal(json_object_get(a, "frames"), json_object_get(b, "frames"));
    assert_true(json_is_array(json_object_get(a, "frames")));
    json_decref(a);
    json_decref(b);
    return same;
}

#define SELECTED "edit.select /models/#0/bones/左root\n"

static void a_node_is_scaled_by_whatever_command(void **state)
{
    (void)state;
    write_nodes();
    const char *plain = "bone.scale 左root 2 3 4\n";
    assert_false(is_same(plain, ""));
    assert_true(is_same(SELECTED "edit.scale 2 3 4\n", plain));
    assert_true(is_same(SELECTED "edit.scale 5 5 5\nedit.scale 2 3 4\n", plain));
    assert_true(is_same(SELECTED "edit.scale 2 3 4\nundo\n", ""));
    assert_true(is_same(SELECTED "edit.scale 2 3 4\nundo\nredo\n", plain));
    assert_true(is_same(SELECTED "edit.rotate 1 2 3\nedit.scale 2 3 4\nedit.reset\n", ""));
    assert_true(is_same(SELECTED "edit.scale 2 3 4\nedit.reset\nundo\n", plain));
    assert_true(is_same("edit.mirror on\n" SELECTED "edit.scale 2 3 4\n",
                        "bone.scale 左root 2 3 4\nbone.scale 右root 2 3 4\n"));
    /* Rotation and scale are independent. */
    assert_true(is_same("bone.rotate 左root 0 0 30\nbone.scale 左root 2 3 4\n",
                        "bone.scale 左root 2 3 4\nbone.rotate 左root 0 0 30\n"));
}

/* The child's position is scaled along the node's own axes. */
static void children_inherit_it(void **state)
{
    (void)state;
    write_nodes();
    json_t *json = dump("bone.scale 左root 2 1 1\n");
    const json_t *bones = json_object_get(json_array_get(json_object_get(json, "frames"), 0), "bones");
    const json_t *world = json_object_get(json_array_get(bones, 1), "world");
    const double x = 2 * 0.5 - 2 * sqrt(0.75), y = 2 * sqrt(0.75) + 2 * 0.5;
    assert_true(fabs(json_number_value(json_array_get(world, 12)) * 0.08 - x) < 1e-5);
    assert_true(fabs(json_number_value(json_array_get(world, 13)) * 0.08 - y) < 1e-5);
    json_decref(json);
}

static void what_a_pose_cannot_hold_is_told(void **state)
{
    (void)state;
    write_nodes();
    cli_write_text("save.txt", "bone.rotate 左root 0 0 30\npose.save plain.vpd\nbone.scale 左root 2 3 4\n"
                               "pose.save scaled.vpd\n");
    cli_result result = cli_run("dump nodes.gltf --frames 0 --exec save.txt -o out.json");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "scaled.vpd: VPD files cannot store scale; bones that lose it: 1"));
    assert_null(strstr(result.err, "plain.vpd"));
    cli_finish(&result);
    mmd_bytes plain = cli_read("plain.vpd"), scaled = cli_read("scaled.vpd");
    assert_int_equal(plain.size, scaled.size);
    assert_memory_equal(plain.data, scaled.data, plain.size);
    mmd_bytes_finish(&plain);
    mmd_bytes_finish(&scaled);
}

static void sizes_that_are_none_are_refused(void **state)
{
    (void)state;
    write_nodes();
    cli_write_text("wrong.txt", "bone.scale 左root 0 1 1\n");
    cli_expect(2, "0 is not a size from 0.001 to 1000", "dump nodes.gltf --frames 0 --exec wrong.txt");
    cli_write_text("wrong.txt", "bone.scale 頭 2 2 2\n");
    cli_expect(2, "bones have no scale; nodes of a glTF do", "dump odori.pmx --frames 0 --exec wrong.txt");
    cli_write_text("wrong.txt", "key.mode on\n" SELECTED "edit.scale 2 2 2\n");
    cli_expect(2, "keyframes of a motion hold no scale", "dump nodes.gltf --frames 0 --exec wrong.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_is_scaled_by_whatever_command),
        cmocka_unit_test(children_inherit_it),
        cmocka_unit_test(what_a_pose_cannot_hold_is_told),
        cmocka_unit_test(sizes_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
