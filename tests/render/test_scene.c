/* Tests mmd/mmd.h: a scene opened, posed and drawn by the library shows what the program shows for the same
 * files. */
#include "cli.h"

#include "made_archive.h"
#include "mmd/archive.h"
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
    float here[16], there[16];
    assert_true(mmd_scene_bone_matrix(scene, 0, (size_t)neck, here));
    mmd_scene_place(scene, 0, aside, turned, 1.5f);
    assert_true(mmd_scene_bone_matrix(scene, 0, (size_t)neck, there)); /* z is turned towards x */
    assert_float_equal(there[12], 3 + 1.5f * here[14], 1e-4f);
    assert_float_equal(there[13], 1.5f * here[13], 1e-4f);
    assert_float_equal(there[14], 1 - 1.5f * here[12], 1e-4f);
    mmd_scene_look_from(scene, &look);
    mmd_scene_set_bone(scene, 0, (size_t)neck, lifted, quarter);
    cli_write_text("hand.txt", "model.place 3 0 1 0 90 0 1.5\n"
                               "bone.translate 首 0 1 0\n"
                               "bone.rotate 首 0 0 90\n"
                               "camera.set -30 0 12 0 -0.174532925 0.698131701 0 40\n");
    require_shot(scene, "odori.pmx --motion odori.vmd --physics off --exec hand.txt");
    mmd_scene_destroy(scene);
}

/* A project brings models, keyframes, settings of view and physics, and the frame. */
static void projects_are_opened(void **state)
{
    (void)state;
    cli_write_text("kit.json", "{\"scenes\": [{\"name\": \"kit\", \"models\": [\"odori.pmx\"], "
                               "\"motions\": [\"odori.vmd\"], \"frames\": 12, \"size\": [320, 180]}]}");
    cli_expect(0, NULL, "capture-kit kit.json -o kit --copy");
    cli_shell("find kit -name '*.pmm' | head -n 1 | xargs dirname | xargs -I{} ln -sfn {} made && "
              "mv made/*.pmm made/dance.pmm");
    mmd_scene *scene = make_scene((const char *const[]){"made/dance.pmm", NULL});
    assert_int_equal(mmd_scene_model_count(scene), 1);
    set_frame(scene, 12);
    require_shot(scene, "made/dance.pmm");
    mmd_scene_destroy(scene);
}

/* Files that cannot be opened leave the scene as it was; archives are opened like folders. */
static void scenes_survive_bad_files_and_open_archives(void **state)
{
    (void)state;
    mmd_scene *scene = make_scene(dance);
    mmd_error error = {0};
    size_t index = 7;
    mmd_bytes model = cli_read("odori.pmx"), motion = cli_read("odori.vmd");
    cli_write("cut.pmx", model.data, model.size / 2);
    cli_write_text("text.txt", "neither this nor that");
    assert_int_equal(mmd_scene_open(scene, in_folder("none.pmx"), &error), MMD_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.file, "none.pmx"));
    assert_int_equal(mmd_scene_open_model(scene, in_folder("cut.pmx"), &index, &error), MMD_ERROR_COUNT);
    assert_int_equal(mmd_scene_open(scene, in_folder("text.txt"), &error), MMD_ERROR_MAGIC);
    assert_non_null(strstr(error.message, "neither a model"));
    cli_write_text("text.vac", "text\r\ntext.x\r\n1\r\n");
    cli_write_text("text.x", "no mesh");
    assert_int_equal(mmd_scene_open(scene, in_folder("text.vac"), &error), MMD_ERROR_MAGIC);
    assert_null(strstr(error.message, "neither a model"));
    assert_int_equal(mmd_scene_open_motion(scene, in_folder("odori.pmx"), MMD_ALL_DANCERS, &error),
                     MMD_ERROR_MAGIC);
    assert_int_equal(index, 7);
    assert_int_equal(mmd_scene_model_count(scene), 1);
    set_frame(scene, 75.5);
    require_shot(scene, "odori.pmx --motion odori.vmd");
    mmd_scene_destroy(scene);

    const made_file files[] = {{"miku/odori.pmx", model.data, model.size},
                               {"dance.vmd", motion.data, motion.size}};
    mmd_bytes zip = made_archive(MADE_ZIP, files, 2, NULL);
    cli_write("both.zip", zip.data, zip.size);
    scene = make_scene((const char *const[]){"both.zip", NULL});
    assert_int_equal(mmd_scene_open_motion(scene, in_folder("both.zip"), 0, &error), MMD_OK);
    assert_string_equal(mmd_scene_path(scene, 0), in_folder("both.zip/miku/odori.pmx"));
    set_frame(scene, 30);
    require_shot(scene, "both.zip --motion both.zip/dance.vmd");
    mmd_scene_destroy(scene);
    mmd_bytes_finish(&zip);
    mmd_bytes_finish(&model);
    mmd_bytes_finish(&motion);
}

/* What the caller made is used in place; what belongs to one dancer does not move another. */
static void dancers_have_motions_of_their_own(void **state)
{
    (void)state;
    mmd_bytes bytes = cli_read("odori.vmd"), model_bytes = cli_read("odori.pmx");
    mmd_motion *motion;
    mmd_model *model;
    size_t second;
    const uint64_t blocks = mmd_heap_blocks_in_use();
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    assert_int_equal(mmd_pmx_read(model_bytes.data, model_bytes.size, &model, NULL), MMD_OK);
    mmd_scene *scene = make_scene((const char *const[]){"odori.pmx", NULL});
    assert_int_equal(mmd_scene_add_model(scene, model, NULL, "", &second, NULL), MMD_OK);
    assert_int_equal(second, 1);
    assert_int_equal(mmd_scene_add_motion(scene, motion, second, NULL), MMD_OK);
    assert_true(mmd_scene_last_frame(scene) > 60);
    set_frame(scene, 60);
    float still[16], moved[16], rest[16];
    const int32_t head = mmd_scene_find_bone(scene, 0, "頭");
    mmd_scene_bone_matrix(scene, 0, (size_t)head, still);
    mmd_scene_bone_matrix(scene, 1, (size_t)head, moved);
    set_frame(scene, 0);
    mmd_scene_bone_matrix(scene, 0, (size_t)head, rest);
    assert_memory_equal(still, rest, sizeof rest);
    assert_memory_not_equal(still, moved, sizeof rest);

    const int32_t smile = mmd_scene_find_morph(scene, 0, mmd_scene_morph_name(scene, 0, 0));
    assert_int_equal(smile, 0);
    mmd_scene_set_morph(scene, 0, 0, 0.75f);
    set_frame(scene, 0);
    assert_float_equal(mmd_scene_morph_weight(scene, 0, 0), 0.75f, 0);
    mmd_scene_set_morph(scene, 0, 0, NAN);
    set_frame(scene, 0);
    assert_float_equal(mmd_scene_morph_weight(scene, 0, 0), 0, 0);
    mmd_scene_destroy(scene);
    mmd_motion_destroy(motion);
    mmd_model_destroy(model);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    mmd_bytes_finish(&bytes);
    mmd_bytes_finish(&model_bytes);
}

/* The camera that shows everything does: her ids reach the middle, and nothing touches the border. */
static void the_fitting_camera_shows_all_of_her(void **state)
{
    (void)state;
    static uint32_t ids[WIDTH * HEIGHT][3];
    mmd_scene *scene = make_scene(dance);
    set_frame(scene, 45);
    mmd_look look = mmd_scene_look(scene);
    assert_float_equal(look.distance, 45, 1e-4);
    assert_float_equal(look.fov, 30, 0);
    look.angle[1] = 120;
    assert_true(mmd_scene_fit(scene, (double)WIDTH / HEIGHT, &look));
    assert_float_equal(look.angle[1], 120, 1e-4);
    mmd_scene_look_from(scene, &look);
    assert_int_equal(mmd_scene_ids(scene, NULL, WIDTH, HEIGHT, ids, NULL), MMD_OK);
    size_t border = 0, hers = 0, tall = 0;
    for (size_t y = 0; y < HEIGHT; y++) {
        bool any = false;
        for (size_t x = 0; x < WIDTH; x++) {
            const bool is_hers = ids[y * WIDTH + x][0] == 0;
            assert_true(is_hers || ids[y * WIDTH + x][0] == MMD_VIEW_NO_ID);
            hers += is_hers;
            any |= is_hers;
            border += is_hers && (x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1);
        }
        tall += any;
    }
    assert_int_equal(border, 0);
    assert_in_range(tall, HEIGHT * 2 / 3, HEIGHT - 2);
    assert_true(hers > 1000);
    mmd_scene_show(scene, 0, false);
    assert_int_equal(mmd_scene_ids(scene, NULL, WIDTH, HEIGHT, ids, NULL), MMD_OK);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(ids[i][0] == MMD_VIEW_NO_ID);
    assert_false(mmd_scene_fit(scene, 1, &look));
    mmd_scene_destroy(scene);
}

/* Returns how many blocks of memory opening a file takes. */
static uint64_t blocks_to_open(const char *name, mmd_status (*open)(mmd_scene *, const char *, mmd_error *))
{
    mmd_scene *scene = make_scene(dance);
    const uint64_t before = mmd_heap_allocations();
    assert_int_equal(open(scene, in_folder(name), NULL), MMD_OK);
    const uint64_t blocks = mmd_heap_allocations() - before;
    mmd_scene_destroy(scene);
    return blocks;
}

static mmd_status open_as_model(mmd_scene *scene, const char *path, mmd_error *error)
{
    return mmd_scene_open_model(scene, path, NULL, error);
}

static mmd_status open_as_motion(mmd_scene *scene, const char *path, mmd_error *error)
{
    return mmd_scene_open_motion(scene, path, MMD_ALL_DANCERS, error);
}

/* Whether somebody holds archives makes no difference, since each is listed and unpacked once anyway. */
static void archives_are_listed_once(void **state)
{
    (void)state;
    mmd_status (*const ways[])(mmd_scene *, const char *, mmd_error *) = {mmd_scene_open, open_as_model,
                                                                          open_as_motion};
    mmd_bytes model = cli_read("odori.pmx"), motion = cli_read("odori.vmd");
    const made_file files[] = {{"odori.pmx", model.data, model.size},
                               {"dance.vmd", motion.data, motion.size}};
    mmd_bytes packed = made_archive(MADE_7Z, files, 2, NULL);
    cli_write("both.7z", packed.data, packed.size);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const uint64_t alone = blocks_to_open("both.7z", ways[i]);
        mmd_archives_hold();
        const uint64_t held = blocks_to_open("both.7z", ways[i]);
        mmd_archives_release();
        assert_int_equal(alone, held);
    }
    mmd_bytes_finish(&packed);
    mmd_bytes_finish(&model);
    mmd_bytes_finish(&motion);
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
    mmd_phys_body body = {.name = "", .path = "", .rest.translation[0] = NAN};
    const mmd_physscene broken = {.world = mmd_default_phys_world(), .bodies = &body, .body_count = 1};
    assert_int_equal(mmd_model_file_read(in_folder("odori.pmx"), &file, NULL), MMD_OK);
    assert_null(file.model->physscene);
    file.model->physscene = &broken;
    assert_int_equal(mmd_scene_create(NULL, &scene, NULL), MMD_OK);
    assert_int_equal(mmd_scene_add_model(scene, file.model, NULL, "", NULL, NULL), MMD_OK);
    assert_int_equal(mmd_scene_set_frame(scene, 1, &error), MMD_ERROR_VALUE);
    set_frame(scene, 1);
    assert_null(mmd_stage_physics(mmd_scene_stage(scene)));
    mmd_scene_destroy(scene);
    file.model->physscene = NULL;
    mmd_model_file_finish(&file);
}

/* Mistakes of a caller are refused and change nothing. */
static void mistakes_are_refused(void **state)
{
    (void)state;
    const float unit[4] = {0, 0, 0, 1}, none[4] = {0}, where[3] = {0, NAN, 0}, there[3] = {0, 0, 0};
    float before[16], after[16];
    mmd_error error = {0};
    mmd_image image = {0};
    mmd_scene *scene = make_scene(dance);
    set_frame(scene, 30);
    const int32_t missing = mmd_scene_find_bone(scene, 0, "首輪");
    assert_int_equal(missing, -1);
    assert_true(mmd_scene_bone_matrix(scene, 0, 3, before));
    assert_false(mmd_scene_set_bone(scene, 0, (size_t)missing, NULL, unit));
    assert_false(mmd_scene_set_bone(scene, 1, 0, NULL, unit));
    assert_false(mmd_scene_set_bone(scene, 0, 3, where, NULL));
    assert_false(mmd_scene_set_bone(scene, 0, 3, NULL, none));
    assert_false(mmd_scene_set_morph(scene, 0, 100000, 1));
    assert_false(mmd_scene_set_morph(scene, 0, 0, INFINITY));
    assert_false(mmd_scene_bone_matrix(scene, 0, (size_t)missing, after));
    assert_false(mmd_scene_place(scene, 0, where, there, 1));
    assert_false(mmd_scene_place(scene, 0, there, there, 0));
    assert_false(mmd_scene_place(scene, 9, there, there, 1));
    assert_false(mmd_scene_show(scene, 1, false));
    assert_false(mmd_scene_look_from(scene, &(mmd_look){.distance = 10, .fov = 0}));
    assert_false(mmd_scene_set_light(scene, where, NULL));
    assert_float_equal(mmd_scene_morph_weight(scene, 0, 100000), 0, 0);
    assert_string_equal(mmd_scene_bone_name(scene, 0, (size_t)missing), "");
    assert_string_equal(mmd_scene_name(scene, 5), "");
    assert_int_equal(mmd_scene_bone_count(scene, 5), 0);
    assert_int_equal(mmd_scene_find_bone(scene, 5, "頭"), -1);
    assert_null(mmd_scene_model(scene, 5));
    assert_int_equal(mmd_scene_open_motion(scene, in_folder("odori.vmd"), 7, &error), MMD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "model 7"));
    assert_int_equal(mmd_scene_set_frame(scene, NAN, &error), MMD_ERROR_ARGUMENT);
    assert_int_equal(mmd_scene_set_frame(scene, -5, &error), MMD_ERROR_ARGUMENT);
    assert_int_equal(mmd_scene_set_frame(scene, 1e12, &error), MMD_ERROR_ARGUMENT);
    assert_int_equal(mmd_scene_picture(scene, NULL, 0, 100, &image, &error), MMD_ERROR_ARGUMENT);
    const mmd_view_host host = mmd_default_view_host();
    assert_int_equal(mmd_scene_draw_into(scene, NULL, &host, &error), MMD_ERROR_NO_CONTEXT);
    assert_non_null(strstr(error.message, "mmd_scene_use_context"));
    assert_int_equal(mmd_scene_draw(scene, NULL, 0, WIDTH, HEIGHT, &error), MMD_ERROR_NO_CONTEXT);
    assert_int_equal(mmd_scene_open_model(scene, in_folder("odori.vmd"), NULL, &error), MMD_ERROR_MAGIC);
    assert_non_null(strstr(error.message, "instead of a model"));
    set_frame(scene, 30);
    assert_true(mmd_scene_bone_matrix(scene, 0, 3, after));
    assert_memory_equal(before, after, sizeof before);
    require_shot(scene, "odori.pmx --motion odori.vmd");
    mmd_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_equal_those_of_the_program),
        cmocka_unit_test(accessories_stand_where_the_program_puts_them),
        cmocka_unit_test(interchange_files_are_shown_whole),
        cmocka_unit_test(poses_by_hand_equal_commands),
        cmocka_unit_test(projects_are_opened),
        cmocka_unit_test(scenes_survive_bad_files_and_open_archives),
        cmocka_unit_test(dancers_have_motions_of_their_own),
        cmocka_unit_test(the_fitting_camera_shows_all_of_her),
        cmocka_unit_test(archives_are_listed_once),
        cmocka_unit_test(scenes_are_drawn_in_turn),
        cmocka_unit_test(projects_without_models_change_nothing),
        cmocka_unit_test(impossible_physics_is_switched_off),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
