/* Tests mmd/mmd.h: a scene opened, posed and drawn by the library shows what the program shows for the same
 * files. */
#include "cli.h"

#include "made_archive.h"
#include "mmd/assemble.h"
#include "mmd/format.h"
#include "mmd/mmd.h"
#include "mmd/text.h"
#include "sample_accessories.h"
#include "sample_projects.h"

enum { WIDTH = 320, HEIGHT = 180 };

/* Returns the path of a file in the test's folder, in memory that the next call but three uses again. */
static const char *in_folder(const char *name)
{
    static char paths[4][1024];
    static int next;
    char *path = paths[next++ & 3];
    snprintf(path, sizeof paths[0], "%s/%s", cli_folder(), name);
    return path;
}

static mmd_scene *make_scene(const char *const *files)
{
    mmd_scene *scene;
    mmd_error error = {0};
    assert_int_equal(mmd_scene_create(NULL, &scene, &error), MMD_OK);
    for (; *files; files++)
        if (mmd_scene_open(scene, in_folder(*files), &error) != MMD_OK)
            fail_msg("%s: %s", *files, error.message);
    return scene;
}

static const char *const dance[] = {"odori.pmx", "odori.vmd", NULL};

/* Requires that the program draws the scene's current frame with these arguments in the same way. */
static void require_shot(mmd_scene *scene, const char *arguments)
{
    mmd_image image = {0};
    mmd_error error = {0};
    cli_expect(0, NULL, "shot %s --frame %.9g --size %dx%d -o shot.png", arguments, mmd_scene_frame(scene),
               WIDTH, HEIGHT);
    mmd_image shot = cli_picture("shot.png");
    if (mmd_scene_picture(scene, NULL, WIDTH, HEIGHT, &image, &error) != MMD_OK)
        fail_msg("%s", error.message);
    size_t different = 0, drawn = 0;
    for (size_t i = 0; i < (size_t)4 * WIDTH * HEIGHT; i++) {
        different += image.pixels[i] != shot.pixels[i];
        drawn += image.pixels[i] < 250;
    }
    assert_int_equal(different, 0);
    assert_in_range(drawn, 1000, 4 * WIDTH * HEIGHT);
    mmd_image_finish(&image);
    mmd_image_finish(&shot);
}

static void set_frame(mmd_scene *scene, double frame)
{
    assert_int_equal(mmd_scene_set_frame(scene, frame, NULL), MMD_OK);
}

/* Physics makes the result depend on all frames before, and still the order of asking does not matter. */
static void pictures_equal_those_of_the_program(void **state)
{
    (void)state;
    mmd_scene *scene = make_scene(dance);
    set_frame(scene, 75.5);
    require_shot(scene, "odori.pmx --motion odori.vmd");
    set_frame(scene, 30);
    require_shot(scene, "odori.pmx --motion odori.vmd");
    assert_int_equal(mmd_scene_set_physics(scene, NULL, NULL), MMD_OK);
    require_shot(scene, "odori.pmx --motion odori.vmd --physics off");
    mmd_scene_destroy(scene);
}

/* Accessories get the order of drawing and the place that they have in the program, scenery is behind. */
static void accessories_stand_where_the_program_puts_them(void **state)
{
    (void)state;
    static const char vac[] = "box\r\nbox.x\r\n2.5\r\n0,1,-2\r\n0,30,0\r\n\x93\xaa\r\n"; /* 頭 in CP932 */
    static const char *const files[] = {"odori.pmx", "box.vac", "odori.vmd", "box.x", NULL};
    cli_write_text("box.x", sample_x_text());
    cli_write("box.vac", vac, sizeof vac - 1);
    mmd_scene *scene = make_scene(files);
    assert_int_equal(mmd_scene_model_count(scene), 3);
    set_frame(scene, 20);
    require_shot(scene, "odori.pmx box.vac box.x --motion odori.vmd");
    mmd_scene_destroy(scene);

    scene = make_scene((const char *const[]){"odori.pmx", NULL});
    assert_int_equal(mmd_scene_open_backdrop(scene, in_folder("box.x"), NULL, NULL), MMD_OK);
    assert_int_equal(mmd_scene_open_backdrop(scene, in_folder("box.x"), NULL, NULL), MMD_ERROR_ARGUMENT);
    assert_int_equal(mmd_scene_open_motion(scene, in_folder("odori.vmd"), MMD_ALL_DANCERS, NULL), MMD_OK);
    require_shot(scene, "odori.pmx --stage box.x --motion odori.vmd");
    mmd_scene_destroy(scene);
}

/* A file of another program has its own camera. Its physics is that of the file. */
static void interchange_files_are_shown_whole(void **state)
{
    (void)state;
    cli_expect(0, NULL, "convert odori.pmx odori.glb --motion odori.vmd");
    mmd_scene *scene = make_scene((const char *const[]){"odori.glb", NULL});
    set_frame(scene, 15);

    require_shot(scene, "odori.glb");
    mmd_scene_destroy(scene);
}

/* What is done by hand equals the program's commands. */
static void poses_by_hand_equal_commands(void **state)
{
    (void)state;
    const float half = sqrtf(0.5f), quarter[4] = {0, 0, half, half}, aside[3] = {3, 0, 1},
                turned[3] = {0, 90, 0}, lifted[3] = {0, 1, 0};
    const mmd_look look = {
        .target = {0, 12, 0}, .angle = {-10, 40, 0}, .distance = 30, .fov = 40, .orthographic = false};
    mmd_scene *scene = make_scene(dance);
    const int32_t neck = mmd_scene_find_bone(scene, 0, "首");
    assert_true(neck >= 0);
    assert_string_equal(mmd_scene_bone_name(scene, 0, (size_t)neck), "首");
    set_frame(scene, 40);
    assert_int_equal(mmd_scene_set_physics(scene, NULL, NULL), MMD_OK);
    mmd_scene_place(scene, 0, aside, turned, 1.5f);
    mmd_scene_look_from(scene, &look);
    mmd_scene_set_bone(scene, 0, (size_t)neck, lifted, quarter);
    cli_write_text("hand.txt", "model.place 3 0 1 0 90 0 1.5\n"
                               "bone.translate 首 0 1 0\n"
                               "bone.rotate 首 0 0 90\n"
                               "camera.set -30 0 12 0 -0.174532925 0.698131701 0 40\n");
    require_shot(scene, "odori.pmx --motion odori.vmd --physics off --exec hand.txt");
    mmd_scene_destroy(scene);
}

/* Returns a picture of a scene. */
static mmd_image picture_of(mmd_scene *scene)
{
    mmd_image image = {0};
    mmd_error error = {0};
    if (mmd_scene_picture(scene, NULL, WIDTH, HEIGHT, &image, &error) != MMD_OK)
        fail_msg("%s", error.message);
    return image;
}

/* Each scene has a context of its own. Drawing and destroying one in between does not change another. */
static void scenes_are_drawn_in_turn(void **state)
{
    (void)state;
    enum { SCENES = 2, ROUNDS = 3 };
    static const char *const files[SCENES][3] = {{"odori.pmx", "odori.vmd", NULL}, {"box.x", NULL}};
    mmd_scene *scenes[SCENES];
    mmd_image first[SCENES] = {0};
    cli_write_text("box.x", sample_x_text());
    for (int i = 0; i < SCENES; i++)
        scenes[i] = make_scene(files[i]);
    for (int i = 0; i < SCENES * ROUNDS; i++) {
        if (i == SCENES * (ROUNDS - 1)) {
            mmd_scene_destroy(scenes[0]);
            scenes[0] = make_scene(files[0]);
        }
        mmd_image image = picture_of(scenes[i % SCENES]), *before = &first[i % SCENES];
        if (i < SCENES) {
            *before = image;
            continue;
        }
        assert_memory_equal(image.pixels, before->pixels, (size_t)4 * WIDTH * HEIGHT);
        mmd_image_finish(&image);
    }
    assert_memory_not_equal(first[0].pixels, first[1].pixels, (size_t)4 * WIDTH * HEIGHT);
    for (int i = 0; i < SCENES; i++) {
        mmd_image_finish(&first[i]);
        mmd_scene_destroy(scenes[i]);
    }
}

/* A project whose models are missing is an error, after which the scene is as before. */
static void projects_without_models_change_nothing(void **state)
{
    (void)state;
    mmd_error error = {0};
    mmd_buffer bytes = {0};
    mmd_project *project = sample_small_project();
    write_project(project, &bytes);
    cli_write("alone.pmm", bytes.data, bytes.size);
    mmd_scene *scene = make_scene(dance);
    set_frame(scene, 12);
    const mmd_look before = mmd_scene_look(scene);
    assert_int_equal(mmd_scene_open(scene, in_folder("alone.pmm"), &error), MMD_ERROR_VALUE);
    set_frame(scene, 12);
    const mmd_look after = mmd_scene_look(scene);
    assert_memory_equal(after.target, before.target, sizeof before.target);
    assert_memory_equal(after.angle, before.angle, sizeof before.angle);
    assert_true(after.distance == before.distance && after.fov == before.fov);
    assert_int_equal(mmd_scene_model_count(scene), 1);
    require_shot(scene, "odori.pmx --motion odori.vmd");
    mmd_scene_destroy(scene);
    mmd_buffer_finish(&bytes);
    mmd_project_destroy(project);
}

/* Physics that cannot be simulated is an error once. The dancers move without it then. */
static void impossible_physics_is_switched_off(void **state)
{
    (void)state;
    mmd_error error = {0};
    mmd_model_file file;
    mmd_scene *scene = NULL;
    cli_expect(0, NULL, "convert odori.pmx odori.glb");
    assert_int_equal(mmd_model_file_read(in_folder("odori.glb"), &file, NULL), MMD_OK);
    assert_non_null(file.model->physscene);
    assert_int_equal(mmd_scene_create(NULL, &scene, NULL), MMD_OK);
    ((mmd_physscene *)file.model->physscene)->bodies[0].rest.translation[0] = NAN;
    assert_int_equal(mmd_scene_add_model(scene, file.model, NULL, "", NULL, NULL), MMD_OK);
    assert_int_equal(mmd_scene_set_frame(scene, 1, &error), MMD_ERROR_VALUE);
    set_frame(scene, 1);
    assert_null(mmd_stage_physics(mmd_scene_stage(scene)));
    mmd_scene_destroy(scene);
    mmd_model_file_finish(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_equal_those_of_the_program),
        cmocka_unit_test(accessories_stand_where_the_program_puts_them),
        cmocka_unit_test(interchange_files_are_shown_whole),
        cmocka_unit_test(poses_by_hand_equal_commands),
        cmocka_unit_test(scenes_are_drawn_in_turn),
        cmocka_unit_test(projects_without_models_change_nothing),
        cmocka_unit_test(impossible_physics_is_switched_off),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
