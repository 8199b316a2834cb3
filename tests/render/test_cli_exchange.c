/* The program with interchange files: the automatic camera, the duration, trigger events, and images that
 * record how they were made. The scene is a cube that falls through a trigger onto a large floor. */
#include "cli.h"

#include <string.h>
#include <unistd.h>

/* Positions of a unit cube's corners, followed by its triangles, little-endian as in glTF. */
static const struct cube_data {
    float corners[8][3];
    uint16_t triangles[36];
} cube = {
    {{-0.5f, -0.5f, -0.5f},
     {0.5f, -0.5f, -0.5f},
     {-0.5f, 0.5f, -0.5f},
     {0.5f, 0.5f, -0.5f},
     {-0.5f, -0.5f, 0.5f},
     {0.5f, -0.5f, 0.5f},
     {-0.5f, 0.5f, 0.5f},
     {0.5f, 0.5f, 0.5f}},
    {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
     2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5},
};

static const char fall_start[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_collision_shapes\",\"KHR_physics_rigid_"
    "bodies\"],"
    "\"extensions\":{\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"box\",\"box\":{\"size\":[1,1,1]}},"
    "{\"type\":\"box\",\"box\":{\"size\":[200,1,200]}},{\"type\":\"box\",\"box\":{\"size\":[4,1,4]}}]}},"
    "\"scene\":0,\"scenes\":[{\"nodes\":[%s]}],\"nodes\":[";

/* The scene is far from the view of MMD's default camera. */
static const char fall_nodes[] =
    "{\"name\":\"Floor\",\"translation\":[100,-0.5,300],\"extensions\":{\"KHR_physics_rigid_bodies\":"
    "{\"collider\":{\"shape\":1}}},\"children\":[3]},"
    "{\"name\":\"Cube\",\"translation\":[100,5,300],\"extensions\":{\"KHR_physics_rigid_bodies\":"
    "{\"motion\":{},\"collider\":{\"shape\":0}}}%s},"
    "{\"name\":\"Zone\",\"translation\":[100,2.5,300],\"extensions\":{\"KHR_physics_rigid_bodies\":"
    "{\"trigger\":{\"shape\":2}}}},"
    "{\"name\":\"Slab\",\"scale\":[200,1,200]%s}]";

static const char fall_meshes[] =
    ",\"materials\":[{},{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1]},"
    "\"extensions\":{\"KHR_materials_unlit\":{}}}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":0}]},"
    "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":1}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\","
    "\"min\":[-0.5,-0.5,-0.5],\"max\":[0.5,0.5,0.5]},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}],"
    "\"buffers\":[{\"byteLength\":168,\"uri\":\"cube.bin\"}]";

/* Writes the scene. roots lists the root nodes to include. A cube alone is white. */
static void write_scene(const char *name, const char *roots, bool drawn)
{
    char start[1000], nodes[2000], all[6000];
    bool alone = strcmp(roots, "1") == 0;
    snprintf(start, sizeof start, fall_start, roots);
    snprintf(nodes, sizeof nodes, fall_nodes,
             !drawn  ? ""
             : alone ? ",\"mesh\":0"
                     : ",\"mesh\":1",
             drawn ? ",\"mesh\":0" : "");
    snprintf(all, sizeof all, "%s%s%s}", start, nodes, drawn ? fall_meshes : "");
    cli_write_text(name, all);
}

static int begin(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cli_write("cube.bin", &cube, 168);
    write_scene("fall.gltf", "0,1,2", true);
    write_scene("lone.gltf", "1", true);
    write_scene("bodies.gltf", "0,1,2", false);
    return 0;
}

/* Returns the share of pixels that differ from the one in the corner. */
static double drawn_share(const char *name)
{
    mmd_image image = cli_picture(name);
    size_t count = (size_t)image.width * image.height, drawn = 0;
    for (size_t i = 0; i < count; i++)
        drawn += memcmp(image.pixels + 4 * i, image.pixels, 3) != 0;
    mmd_image_finish(&image);
    return (double)drawn / (double)count;
}

/* Measures the height and width of the area that contains a colour. */
static void measure_color(const char *name, const uint8_t color[3], uint32_t *rows, uint32_t *columns)
{
    mmd_image image = cli_picture(name);
    uint32_t lowest[2] = {UINT32_MAX, UINT32_MAX}, highest[2] = {0, 0};
    for (uint32_t i = 0; i < image.width * image.height; i++) {
        const uint32_t at[2] = {i % image.width, i / image.width};
        for (int k = 0; k < 2 && memcmp(image.pixels + 4 * i, color, 3) == 0; k++) {
            lowest[k] = at[k] < lowest[k] ? at[k] : lowest[k];
            highest[k] = at[k] > highest[k] ? at[k] : highest[k];
        }
    }
    *columns = highest[0] >= lowest[0] ? highest[0] - lowest[0] + 1 : 0;
    *rows = highest[1] >= lowest[1] ? highest[1] - lowest[1] + 1 : 0;
    mmd_image_finish(&image);
}

/* The cube is 1 m wide and 5 m above a floor 200 m wide. Both are visible, and the cube is not tiny. */
static void the_camera_sees_what_is_there(void **state)
{
    (void)state;
    static const uint8_t red[3] = {255, 0, 0};
    static const uint32_t sizes[][2] = {{160, 90}, {90, 160}, {100, 100}};
    for (size_t i = 0; i < 3; i++) {
        uint32_t rows, columns;
        cli_expect(0, NULL, "shot fall.gltf --frame 0 --size %ux%u -o seen.png", sizes[i][0], sizes[i][1]);
        measure_color("seen.png", red, &rows, &columns);
        assert_in_range(rows, sizes[i][1] / 20, sizes[i][1] / 2);
        assert_in_range(columns, sizes[i][0] / 30, sizes[i][0] / 2);
    }
}

/* A white object is not drawn on a white background. */
static void the_background_is_none_of_white(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot lone.gltf --frame 0 --size 100x100 -o seen.png");
    mmd_image image = cli_picture("seen.png");
    assert_true(image.pixels[0] < image.pixels[2] && image.pixels[2] < 250);
    mmd_image_finish(&image);
    assert_true(drawn_share("seen.png") > 0.05);
    cli_expect(0, NULL, "shot lone.gltf --frame 0 --size 100x100 --background ff0000 -o red.png");
    image = cli_picture("red.png");
    assert_int_equal(image.pixels[0], 255);
    assert_int_equal(image.pixels[2], 0);
    mmd_image_finish(&image);
}

/* A ball that moves 10 m sideways in 10 s stays visible. */
static void the_camera_sees_where_an_animation_goes(void **state)
{
    (void)state;
    cli_write_text(
        "travels.gltf",
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\","
        "\"KHR_collision_shapes\"],\"extensions\":{\"KHR_physics_rigid_bodies\":{},"
        "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"sphere\",\"sphere\":{}}]}},\"scene\":0,"
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"ball\",\"translation\":[0,5,0],\"extensions\":"
        "{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":{\"shape\":0}}}}],\"buffers\":[{"
        "\"byteLength\""
        ":32,\"uri\":\"data:application/octet-stream;base64,AAAAAAAAIEEAAAAAAACgQAAAAAAAACBBAACgQAAAAAA=\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":24}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],"
        "\"max\":[10]},{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
        "\"animations\":"
        "[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
        "\"path\":\"translation\"}}]}]}");
    for (int frame = 0; frame <= 300; frame += 150) {
        cli_expect(0, NULL, "shot travels.gltf --frame %d --size 200x150 -o there.png", frame);
        assert_true(drawn_share("there.png") > 0.002);
    }
}

static void bodies_without_a_mesh_are_shown(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot bodies.gltf --frame 0 --size 200x150 -o lines.png");
    assert_true(drawn_share("lines.png") > 0.005);
}

static void a_camera_that_is_given_counts(void **state)
{
    (void)state;
    cli_write_text("away.txt", "camera.set -45 0 10 0 0 0 0 30\n");
    cli_write_text("back.txt", "camera.set -45 0 10 0 0 0 0 30\ncamera.reset\n");
    cli_expect(0, NULL, "shot fall.gltf --size 80x60 -o home.png");
    cli_expect(0, NULL, "shot fall.gltf --size 80x60 --exec away.txt -o away.png");
    cli_expect(0, NULL, "shot fall.gltf --size 80x60 --exec back.txt -o back.png");
    assert_true(drawn_share("away.png") < 0.001 && drawn_share("home.png") > 0.002);
    cli_expect(0, "equal", "diff home.png back.png");
}

static void pictures_are_drawn_again(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot fall.gltf --frame 25 --size 120x90 -o again.png");
    cli_expect(0, "equal", "check again.png");
    cli_expect(0, NULL, "shot bodies.gltf --frame 25 --size 120x90 -o shapes.png");
    cli_expect(0, "equal", "check shapes.png");
    cli_write_text(
        "suite.json",
        "{\"scenes\":[{\"name\":\"a\",\"model\":\"fall.gltf\",\"frames\":[25],\"size\":[120,90]}]}");
    cli_expect(0, "accepted", "check suite.json --accept -o out");
    cli_expect(0, "1 passed", "check suite.json -o out");
    cli_expect(0, "equal", "diff again.png baselines/llvmpipe*/a/25.png");
}

/* dump --frames reports when the falling cube enters and leaves the trigger, in any order of the frames. */
static void triggers_tell_of_begin_and_end(void **state)
{
    (void)state;
    static const char *const lists[] = {"0,30,60", "60,0,30"};
    static const char *const events[] = {"begin", "end"};
    for (int list = 0; list < 2; list++) {
        char arguments[100];
        size_t found = 0;
        snprintf(arguments, sizeof arguments, "dump fall.gltf --physics on --what bodies --frames %s",
                 lists[list]);
        json_t *root = cli_json(arguments);
        const json_t *frames = json_object_get(root, "frames"), *frame, *event;
        size_t i, k;
        json_array_foreach(frames, i, frame)
        {
            json_array_foreach(json_object_get(frame, "triggers"), k, event)
            {
                double at = json_number_value(json_object_get(event, "frame"));
                assert_true(found < 2);
                assert_string_equal(json_string_value(json_object_get(event, "event")), events[found++]);
                assert_int_equal(json_integer_value(json_object_get(event, "body")), 2);
                assert_int_equal(json_integer_value(json_object_get(event, "other")), 1);
                assert_true(at > 0 && at <= json_number_value(json_object_get(frame, "frame")));
            }
        }
        assert_int_equal(found, 2);
        json_decref(root);
    }
}

static bool exists(const char *name)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    return access(path, F_OK) == 0;
}

/* The duration is ten seconds if only physics moves things. */
static void render_runs_on_while_physics_does(void **state)
{
    (void)state;
    cli_expect(0, NULL, "render fall.gltf --fps 1 --size 16x16 -o 'run/%%02d.png'");
    assert_true(exists("run/10.png") && !exists("run/11.png"));
    cli_expect(0, NULL, "render fall.gltf --physics off --fps 1 --size 16x16 -o 'still/%%02d.png'");
    assert_true(exists("still/00.png") && !exists("still/01.png"));
}

static void bench_counts_their_bodies(void **state)
{
    (void)state;
    json_t *root = cli_json("bench fall.gltf --json --frames 2 --size 32x32");
    assert_int_equal((int)json_number_value(json_object_get(root, "bodies")), 3);
    assert_true(json_number_value(json_object_get(root, "load_ms")) > 0);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_camera_sees_what_is_there),
        cmocka_unit_test(the_camera_sees_where_an_animation_goes),
        cmocka_unit_test(the_background_is_none_of_white),
        cmocka_unit_test(bodies_without_a_mesh_are_shown),
        cmocka_unit_test(a_camera_that_is_given_counts),
        cmocka_unit_test(pictures_are_drawn_again),
        cmocka_unit_test(triggers_tell_of_begin_and_end),
        cmocka_unit_test(render_runs_on_while_physics_does),
        cmocka_unit_test(bench_counts_their_bodies),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
