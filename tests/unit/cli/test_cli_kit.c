/* Tests odori capture-kit: its projects hold what the suite and its files contain. Nothing is drawn. */
#include "cli.h"

#include <sys/stat.h>

#include "figure.h"
#include "mmd/pose.h"
#include "mmd/project.h"
#include "mmd/text.h"
#include "sample_accessories.h"
#include "sample_motions.h"

static void write_file(const char *name, const void *data, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(mmd_file_write(path, data, size, NULL), MMD_OK);
}

static void write_suite(const char *text)
{
    write_file("suite.json", text, strlen(text));
}

static mmd_bytes read_file(const char *name)
{
    char path[1024];
    mmd_bytes bytes = {0};
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    if (mmd_file_read(path, &bytes, NULL) != MMD_OK)
        fail_msg("there is no %s", name);
    return bytes;
}

static bool exists(const char *name)
{
    char path[1024];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    return stat(path, &status) == 0;
}

static mmd_project *read_project(const char *name)
{
    mmd_project *project = NULL;
    mmd_bytes bytes = read_file(name);
    assert_int_equal(mmd_pmm_read(bytes.data, bytes.size, &project, NULL), MMD_OK);
    assert_int_equal(project->repair_count, 0);
    mmd_bytes_finish(&bytes);
    return project;
}

static mmd_model *read_model(const char *name)
{
    mmd_model *model = NULL;
    mmd_bytes bytes = read_file(name);
    assert_int_equal(mmd_model_read(bytes.data, bytes.size, &model, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return model;
}

static mmd_motion *read_motion(const char *name)
{
    mmd_motion *motion = NULL;
    mmd_bytes bytes = read_file(name);
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return motion;
}

static void write_motion(const char *name, const mmd_motion *motion)
{
    mmd_buffer file = {0};
    assert_int_equal(mmd_vmd_write(motion, &file, NULL), MMD_OK);
    write_file(name, file.data, file.size);
    mmd_buffer_finish(&file);
}

/* Returns whether a file contains a text. */
static bool holds(const char *name, const char *text)
{
    mmd_bytes bytes = read_file(name);
    char *whole = malloc(bytes.size + 1);
    assert_non_null(whole);
    memcpy(whole, bytes.data, bytes.size);
    whole[bytes.size] = '\0';
    bool does = strstr(whole, text) != NULL;
    if (!does)
        print_message("no \"%s\" in %s:\n%s", text, name, whole);
    free(whole);
    mmd_bytes_finish(&bytes);
    return does;
}

static void assert_holds(const char *name, const char *text)
{
    assert_true(holds(name, text));
}

static const mmd_project_bone *find_bone(const mmd_project_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->bone_count; i++)
        if (strcmp(model->bones[i].name.text, name) == 0)
            return &model->bones[i];
    fail_msg("no bone %s", name);
    return NULL;
}

static const mmd_project_morph *find_morph(const mmd_project_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->morph_count; i++)
        if (strcmp(model->morphs[i].name.text, name) == 0)
            return &model->morphs[i];
    fail_msg("no morph %s", name);
    return NULL;
}

/* --- Settings --- */

static void settings_of_a_scene_are_in_its_project(void **state)
{
    (void)state;
    write_suite("{\"scenes\":[{\"name\":\"a/b\",\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\","
                "\"size\":[640,360],\"frames\":[30,\"60:90:15\",0.5],\"view\":{\"edge\":false,\"grid\":true,"
                "\"background\":\"000000\",\"ground_shadow\":true,\"self_shadow\":true,\"msaa\":4,"
                "\"light_color\":[1,0.5,0.25],\"light_dir\":[0,-1,0]},"
                "\"exec\":\"camera.set -20 1 12 2 0.1 0.2 0.3 25\"},"
                "{\"name\":\"plain\",\"model\":\"odori.pmx\"}]}");
    cli_expect(0, "2 projects with 5 frames", "capture-kit suite.json -o kit");
    mmd_project *p = read_project("kit/01-a_b.pmm");
    assert_true(p->view_width == 640 && p->view_height == 360);
    assert_true(p->from_on && p->to_on && p->from == 30 && p->to == 90 && p->frame == 0);
    assert_true(p->show_axis && p->black_background && p->show_ground_shadow && p->self_shadow_on);
    assert_true(!p->show_information && p->editing_camera);
    assert_int_equal(p->physics_mode, MMD_PROJECT_PHYSICS_ALWAYS);
    assert_int_equal(p->physics_ground, 1);
    assert_float_equal(p->gravity.acceleration, 9.8f, 0);
    assert_float_equal(p->gravity.direction[1], -1, 0);
    assert_int_equal(p->camera_count, 1);
    assert_float_equal(p->camera_keys[0].distance, -20, 0);
    assert_float_equal(p->camera_keys[0].position[1], 12, 0);
    assert_float_equal(p->camera_keys[0].rotation[2], 0.3f, 0);
    assert_int_equal(p->camera_keys[0].fov, 25);
    /* MMD shows a single camera key as the current camera: target, place before the rotation, rotation. */
    const float target[3] = {1, 12, 2}, eye[3] = {0, 0, -20};
    assert_memory_equal(p->camera.target, target, sizeof target);
    assert_memory_equal(p->camera.eye, eye, sizeof eye);
    assert_memory_equal(p->camera.rotation, p->camera_keys[0].rotation, sizeof p->camera.rotation);
    assert_float_equal(p->edit_fov, 25, 0);
    assert_int_equal(p->bone_operation, 2); /* with 0 MMD draws neither edges nor ground shadows */
    assert_int_equal(p->light_count, 1);
    assert_float_equal(p->light_keys[0].color[1], 0.5f, 0);
    assert_float_equal(p->light_keys[0].direction[1], -1, 0);
    assert_int_equal(p->shadow_count, 1);
    assert_int_equal(p->shadow_keys[0].mode, 1);
    assert_int_equal(p->model_count, 1);
    assert_string_equal(p->models[0].path.text, "K:\\odori.pmx");
    assert_float_equal(p->models[0].edge_width, 0, 0);
    mmd_project_destroy(p);

    p = read_project("kit/02-plain.pmm");
    assert_true(p->view_width == 1280 && p->view_height == 720 && p->from == 0 && p->to == 0);
    assert_true(!p->show_axis && !p->black_background && !p->show_ground_shadow && !p->self_shadow_on);
    assert_float_equal(p->camera_keys[0].distance, -45, 0);
    assert_float_equal(p->light_keys[0].color[0], 0.6f, 0);
    assert_float_equal(p->models[0].edge_width, 1, 0);
    mmd_project_destroy(p);
}

static void lists_and_steps_name_frames_and_files(void **state)
{
    (void)state;
    assert_holds("kit/frames.txt", "01-a_b.pmm\t640x360\ton\t30\tframes\\a_b\\30.png\r\n"
                                   "01-a_b.pmm\t640x360\ton\t60\tframes\\a_b\\60.png\r\n"
                                   "01-a_b.pmm\t640x360\ton\t75\tframes\\a_b\\75.png\r\n"
                                   "01-a_b.pmm\t640x360\ton\t90\tframes\\a_b\\90.png\r\n");
    assert_holds("kit/frames.txt", "02-plain.pmm\t1280x720\toff\t0\tframes\\plain\\0.png\r\n");
    assert_holds("kit/README.txt", "scene a_b, 640x360, anti-aliasing on, frames 30 to 90, 4 pictures");
    assert_holds("kit/README.txt", "frames that are not whole numbers are left out");
    assert_holds("kit/README.txt", "the coordinate axis is shown");
    assert_holds("kit/README.txt", "AVIファイルに出力");
    assert_holds("kit/README.txt", "subst K:");
    assert_holds("kit/README.txt", "DIR/frames/SCENE --alpha ignore");
    assert_true(exists("kit/frames/a_b") && exists("kit/frames/plain"));
    assert_false(exists("kit/models") || exists("kit/expect") || exists("kit/mount.cmd"));
}

/* --- Keys --- */

/* Checks that two motions move the model equally at some frames. */
static void compare_motions(const mmd_model *model, const mmd_motion *a, const mmd_motion *b)
{
    static const double frames[] = {0, 1, 7.5, 30, 61.25, 119, 1000};
    mmd_arena arena = {0};
    mmd_pose_values x, y;
    mmd_clip *clip_a = mmd_clip_create(model, &a, 1), *clip_b = mmd_clip_create(model, &b, 1);
    assert_non_null(clip_a);
    assert_non_null(clip_b);
    assert_true(mmd_pose_values_init(&x, model, &arena) && mmd_pose_values_init(&y, model, &arena));
    for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
        mmd_pose_values_reset(&x, model);
        mmd_pose_values_reset(&y, model);
        mmd_clip_sample(clip_a, frames[f], &x);
        mmd_clip_sample(clip_b, frames[f], &y);
        for (uint32_t i = 0; i < model->bone_count; i++) {
            for (int k = 0; k < 4; k++) {
                assert_float_equal(x.bones[i].rotation[k], y.bones[i].rotation[k], 1e-6);
                assert_float_equal(x.bones[i].translation[k], y.bones[i].translation[k], 1e-6);
            }
            assert_int_equal(x.ik_on[i], y.ik_on[i]);
        }
        for (uint32_t i = 0; i < model->morph_count; i++)
            assert_float_equal(x.weights[i], y.weights[i], 1e-6);
        assert_int_equal(x.visible, y.visible);
    }
    mmd_clip_destroy(clip_a);
    mmd_clip_destroy(clip_b);
    mmd_arena_finish(&arena);
}

static void keys_of_a_motion_are_in_the_project(void **state)
{
    (void)state;
    write_suite("{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\"}]}");
    cli_expect(0, "1 project with 1 frame ", "capture-kit suite.json -o kit");
    mmd_project *p = read_project("kit/01-a.pmm");
    mmd_model *model = read_model("odori.pmx");
    mmd_motion *motion = read_motion("odori.vmd"), *held = mmd_project_model_motion(&p->models[0]);
    assert_non_null(held);
    assert_int_equal(p->models[0].bone_count, model->bone_count);
    assert_int_equal(p->models[0].morph_count, model->morph_count);
    uint32_t tracks = 0;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const mmd_bone_track *track = mmd_motion_find_bone(motion, model->bone_key[i]);
        const mmd_project_bone *bone = &p->models[0].bones[i];
        if (!track || track->frames[0] > 0)
            continue;
        tracks++;
        assert_int_equal(bone->key_count, track->count);
        for (uint32_t k = 0; k < track->count; k++) {
            assert_int_equal(bone->keys[k].at.frame, track->frames[k]);
            assert_memory_equal(bone->keys[k].curves, track->keys[k].curve, sizeof bone->keys[k].curves);
        }
    }
    assert_true(tracks > 5);
    assert_int_equal(p->models[0].last_frame, motion->last_frame);
    compare_motions(model, motion, held);
    mmd_motion_destroy(motion);
    mmd_motion_destroy(held);
    mmd_model_destroy(model);
    mmd_project_destroy(p);
}

/* Writes a motion of one bone, one morph and a camera whose first keys are after frame 0. */
static void write_late_motion(const char *name)
{
    char bone[64];
    uint32_t bone_frames[] = {10, 20}, morph_frames[] = {15};
    float weights[] = {0.75f};
    mmd_bone_key keys[2] = {{.translation = {1, 2, 3}, .rotation = {0, 0.6f, 0, 0.8f}},
                            {.rotation = {0, 0, 0, 1}}};
    for (int i = 0; i < 8; i++)
        keys[i / 4].curve[i % 4] = SAMPLE_LINEAR;
    mmd_bone_track bones = {.count = 2, .frames = bone_frames, .keys = keys};
    mmd_morph_track morphs = {.count = 1, .frames = morph_frames, .weights = weights};
    mmd_camera_key camera = {.frame = 40, .record = MMD_NO_RECORD, .value = mmd_default_camera()};
    camera.value.distance = -12;
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        camera.curve[i] = SAMPLE_LINEAR;
    figure_bone_name(BONE_CENTER, bone, sizeof bone);
    mmd_name_key_from_utf8(bone, bones.name, NULL, NULL);
    mmd_name_key_from_utf8(figure_morph_names[MORPH_SMILE], morphs.name, NULL, NULL);
    write_motion(name, &(mmd_motion){.bone_track_count = 1,
                                     .bone_tracks = &bones,
                                     .bone_key_count = 2,
                                     .morph_track_count = 1,
                                     .morph_tracks = &morphs,
                                     .morph_key_count = 1,
                                     .camera_key_count = 1,
                                     .camera_keys = &camera,
                                     .last_frame = 40});
}

static void a_motion_without_keys_at_frame_0_gets_those_the_player_holds(void **state)
{
    (void)state;
    char name[64];
    write_late_motion("late.vmd");
    write_suite("{\"scenes\":[{\"name\":\"late\",\"model\":\"odori.pmx\",\"motion\":\"late.vmd\"}]}");
    cli_expect(0, NULL, "capture-kit suite.json -o kit");
    mmd_project *p = read_project("kit/01-late.pmm");
    figure_bone_name(BONE_CENTER, name, sizeof name);
    const mmd_project_bone *bone = find_bone(&p->models[0], name);
    assert_int_equal(bone->key_count, 3);
    assert_int_equal(bone->keys[0].at.frame, 0);
    assert_int_equal(bone->keys[1].at.frame, 10);
    assert_float_equal(bone->keys[0].translation[2], 3, 0);
    assert_float_equal(bone->keys[0].rotation[1], bone->keys[1].rotation[1], 0);
    assert_float_equal(bone->translation[2], 3, 0);
    const mmd_project_morph *morph = find_morph(&p->models[0], figure_morph_names[MORPH_SMILE]);
    assert_true(morph->key_count == 2 && morph->keys[1].at.frame == 15);
    assert_float_equal(morph->keys[0].weight, 0.75f, 0);
    assert_float_equal(morph->weight, 0.75f, 0);
    assert_true(p->camera_count == 2 && p->camera_keys[1].at.frame == 40);
    assert_float_equal(p->camera_keys[0].distance, -12, 0);
    mmd_project_destroy(p);
}

static void of_several_motions_the_last_has_a_track(void **state)
{
    (void)state;
    char name[64];
    write_suite(
        "{\"scenes\":[{\"name\":\"two\",\"model\":\"odori.pmx\","
        "\"motion\":[\"odori.vmd\",\"late.vmd\"]},"
        "{\"name\":\"camera\",\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\",\"camera\":\"late.vmd\","
        "\"frames\":[0,40]}]}");
    cli_expect(0, NULL, "capture-kit suite.json -o kit");
    mmd_project *p = read_project("kit/01-two.pmm"), *q = read_project("kit/02-camera.pmm");
    mmd_motion *motion = read_motion("odori.vmd");
    figure_bone_name(BONE_CENTER, name, sizeof name);
    assert_int_equal(find_bone(&p->models[0], name)->key_count, 3);
    assert_true(find_bone(&q->models[0], name)->key_count != 3);
    assert_int_equal(p->models[0].last_frame, motion->last_frame);
    assert_true(p->camera_count == 2 && q->camera_count == 2);
    assert_float_equal(q->camera_keys[1].distance, -12, 0);
    mmd_motion_destroy(motion);
    mmd_project_destroy(p);
    mmd_project_destroy(q);
}

static void what_commands_did_is_in_the_keys(void **state)
{
    (void)state;
    char name[64], text[1024];
    figure_bone_name(BONE_CENTER, name, sizeof name);
    snprintf(text, sizeof text,
             "{\"scenes\":[{\"name\":\"edit\",\"model\":\"odori.pmx\",\"motion\":\"late.vmd\",\"exec\":["
             "\"bone.rotate %s 0 90 0\",\"bone.translate %s 10 0 0\",\"morph.set \\\"%s\\\" 0.5\","
             "\"view.grid on\"]}]}",
             name, name, figure_morph_names[MORPH_SMILE]);
    write_suite(text);
    cli_expect(0, NULL, "capture-kit suite.json -o kit");
    mmd_project *p = read_project("kit/01-edit.pmm");
    const mmd_project_bone *bone = find_bone(&p->models[0], name);
    assert_int_equal(bone->key_count, 3);
    assert_float_equal(bone->keys[1].translation[0], 11, 1e-6);
    assert_float_equal(bone->keys[2].translation[0], 10, 1e-6);
    assert_float_equal(bone->keys[2].rotation[1], sqrt(0.5), 1e-6);
    assert_float_equal(bone->keys[1].rotation[1], (0.6 + 0.8) * sqrt(0.5), 1e-6);
    const mmd_project_morph *morph = find_morph(&p->models[0], figure_morph_names[MORPH_SMILE]);
    assert_int_equal(morph->key_count, 1);
    assert_float_equal(morph->keys[0].weight, 0.5f, 0);
    assert_true(p->show_axis);
    mmd_project_destroy(p);
}

static void several_models_and_accessories_stand_in_order(void **state)
{
    (void)state;
    char name[64], text[1024];
    figure_bone_name(BONE_HEAD, name, sizeof name);
    write_file("stage.x", sample_x_text(), strlen(sample_x_text()));
    snprintf(text, sizeof text,
             "{\"scenes\":[{\"name\":\"a\",\"model\":[\"stage.x\",\"odori.pmx\",\"odori.pmx\","
             "\"stage.x\"],\"exec\":[\"model.select 3\",\"model.place 1 2 3 0 90 0 0.5\","
             "\"model.attach 2 %s\",\"model.opacity 0.75\",\"model.select 2\",\"model.additive on\","
             "\"camera.perspective off\"]}]}",
             name);
    write_suite(text);
    cli_expect(0, NULL, "capture-kit suite.json -o kit --root 'C:/MMD/'");
    mmd_project *p = read_project("kit/01-a.pmm");
    assert_true(p->model_count == 2 && p->accessory_count == 2);
    assert_int_equal(p->accessories_after_models, 1);
    assert_string_equal(p->models[1].path.text, "C:\\MMD\\odori.pmx");
    assert_true(p->models[0].draw_order == 1 && p->models[1].draw_order == 2);
    assert_true(!p->models[0].add_blend && p->models[1].add_blend);
    assert_string_equal(p->accessories[0].path.text, "C:\\MMD\\stage.x");
    assert_string_equal(p->accessories[0].name.text, "stage");
    assert_float_equal(p->accessories[0].keys[0].scale, 1, 0);
    assert_int_equal(p->accessories[0].keys[0].visibility, 1);
    assert_int_equal(p->accessories[0].keys[0].parent.model, -1);
    const mmd_project_accessory_key *held = &p->accessories[1].keys[0];
    assert_float_equal(held->position[2], 3, 0);
    assert_float_equal(held->rotation[1], 1.5707963f, 1e-6);
    assert_float_equal(held->scale, 0.5f, 0);
    assert_int_equal(held->visibility, 1 | 25 << 1);
    assert_true(held->parent.model == 1 && held->parent.bone == BONE_HEAD);
    assert_int_equal(p->accessories[1].draw_order, 1);
    assert_true(p->camera_count == 1 && p->camera_keys[0].orthographic);
    mmd_project_destroy(p);
}

static void a_vac_becomes_its_accessory_and_the_stage_is_not_moved(void **state)
{
    (void)state;
    char path[1024], name[64];
    static const char vac[] = "held\r\nheld.x\r\n0.5\r\n1,2,3\r\n0,90,0\r\n\r\n";
    snprintf(path, sizeof path, "%s/things", cli_folder());
    mkdir(path, 0777);
    write_file("things/held.x", sample_x_text(), strlen(sample_x_text()));
    write_file("things/held.vac", vac, sizeof vac - 1);
    write_suite("{\"scenes\":[{\"name\":\"v\",\"model\":[\"odori.pmx\",\"things/held.vac\"],"
                "\"motion\":\"late.vmd\",\"stage\":\"odori.pmx\"}]}");
    cli_expect(0, NULL, "capture-kit suite.json -o kit");
    mmd_project *p = read_project("kit/01-v.pmm");
    assert_true(p->model_count == 2 && p->accessory_count == 1);
    assert_string_equal(p->accessories[0].path.text, "K:\\things\\held.x");
    assert_float_equal(p->accessories[0].keys[0].scale, 0.5f, 0);
    assert_float_equal(p->accessories[0].keys[0].position[2], 3, 0);
    figure_bone_name(BONE_CENTER, name, sizeof name);
    assert_int_equal(find_bone(&p->models[0], name)->key_count, 3);
    assert_int_equal(find_bone(&p->models[1], name)->key_count, 1);
    assert_true(p->models[0].draw_order == 2 && p->models[1].draw_order == 1);
    mmd_project_destroy(p);
    cli_expect(0, NULL, "capture-kit suite.json -o vac --copy");
    assert_true(exists("vac/models/2-held/held.x"));
}

static void motions_of_stages_are_in_the_project(void **state)
{
    (void)state;
    char name[64];
    mmd_motion hidden;
    write_suite("{\"scenes\":[{\"name\":\"m\",\"model\":\"odori.pmx\",\"stage\":\"odori.pmx\","
                "\"stage_motion\":\"late.vmd\"}]}");
    cli_expect(0, NULL, "capture-kit suite.json -o kit");
    mmd_project *p = read_project("kit/01-m.pmm");
    figure_bone_name(BONE_CENTER, name, sizeof name);
    assert_int_equal(find_bone(&p->models[0], name)->key_count, 1);
    assert_int_equal(find_bone(&p->models[1], name)->key_count, 3);
    mmd_project_destroy(p);
    /* An accessory is shown and hidden by keyframes of its own; the first one is at frame 0. */
    sample_motion(&hidden);
    hidden.property_key_count = 2;
    hidden.property_keys[0].frame = 5;
    hidden.property_keys[0].visible = 0;
    hidden.property_keys[1].frame = 9;
    hidden.property_keys[1].visible = 1;
    write_motion("hidden.vmd", &hidden);
    sample_motion_finish(&hidden);
    write_file("stage.x", sample_x_text(), strlen(sample_x_text()));
    write_suite("{\"scenes\":[{\"name\":\"x\",\"model\":\"odori.pmx\",\"stage\":\"stage.x\","
                "\"stage_motion\":\"hidden.vmd\"}]}");
    cli_expect(0, NULL, "capture-kit suite.json -o kit");
    p = read_project("kit/01-x.pmm");
    static const uint32_t frames[] = {0, 5, 9};
    assert_int_equal(p->accessories[0].key_count, 3);
    for (uint32_t k = 0; k < 3; k++) {
        assert_int_equal(p->accessories[0].keys[k].at.frame, frames[k]);
        assert_int_equal(p->accessories[0].keys[k].visibility, k != 1);
    }
    mmd_project_destroy(p);
}

/* --- Files --- */

/* MMD 9.31 answers both with a message instead of opening the project. */
static void pmx_files_that_mmd_refuses_are_in_the_readme(void **state)
{
    (void)state;
    const char *note = "PMX of version 2.0 with text in UTF-16 only";
    for (int utf8 = 0; utf8 < 2; utf8++) {
        mmd_bytes bytes = read_file("odori.pmx");
        mmd_model *model = NULL;
        mmd_buffer file = {0};
        assert_int_equal(mmd_pmx_read(bytes.data, bytes.size, &model, NULL), MMD_OK);
        assert_true(model->version < 2.05f && model->layout.encoding == 0);
        model->version = utf8 ? model->version : 2.1f;
        model->layout.encoding = (uint8_t)utf8;
        assert_int_equal(mmd_pmx_write(model, &file, NULL), MMD_OK);
        write_file("refused.pmx", file.data, file.size);
        write_suite("{\"scenes\":[{\"name\":\"r\",\"model\":\"refused.pmx\"}]}");
        cli_expect(0, NULL, "capture-kit suite.json -o kit");
        assert_holds("kit/README.txt", note);
        mmd_buffer_finish(&file);
        mmd_model_destroy(model);
        mmd_bytes_finish(&bytes);
    }
    write_suite("{\"scenes\":[{\"name\":\"r\",\"model\":\"odori.pmx\"}]}");
    cli_expect(0, NULL, "capture-kit suite.json -o kit");
    assert_false(holds("kit/README.txt", note));
}

static void copies_are_made_only_where_they_are_asked_for(void **state)
{
    (void)state;
    write_suite("{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\"},"
                "{\"name\":\"b\",\"model\":\"odori.pmx\",\"camera\":\"late.vmd\"}]}");
    cli_expect(0, "K: is ", "capture-kit suite.json -o copied --copy");
    assert_true(exists("copied/models/1-odori/odori.pmx") && exists("copied/motions/2-odori.vmd"));
    assert_true(exists("copied/motions/3-late.vmd") && !exists("copied/models/2-odori"));
    for (int i = 0; i < FIGURE_TEXTURES; i++) {
        char name[256];
        snprintf(name, sizeof name, "copied/models/1-odori/%s", figure_texture_names[i]);
        assert_true(exists(name));
    }
    mmd_project *p = read_project("copied/02-b.pmm");
    assert_string_equal(p->models[0].path.text, "K:\\models\\1-odori\\odori.pmx");
    mmd_project_destroy(p);
    assert_holds("copied/mount.cmd", "subst K:");
}

static void the_same_suite_makes_the_same_bytes(void **state)
{
    (void)state;
    char command[2048];
    cli_expect(0, NULL, "capture-kit suite.json -o again --copy");
    snprintf(command, sizeof command, "cd '%s' && diff -r copied again >/dev/null", cli_folder());
    assert_int_equal(system(command), 0);
}

static void a_root_above_the_suite_holds_all_models(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s/suites", cli_folder());
    mkdir(path, 0777);
    const char *suite = "{\"scenes\":[{\"name\":\"a\",\"model\":\"../odori.pmx\"}]}";
    write_file("suites/s.json", suite, strlen(suite));
    cli_expect(0, NULL, "capture-kit suites/s.json -o kit --root C:");
    mmd_project *p = read_project("kit/01-a.pmm");
    assert_string_equal(p->models[0].path.text, "C:\\odori.pmx");
    mmd_project_destroy(p);
}

/* --- Refusals --- */

static void bad_usage_and_bad_input_exit_with_one_line(void **state)
{
    (void)state;
    write_suite("{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\"},{\"name\":\"b\",\"model\":\"no.pmx\"},"
                "{\"name\":\"c\",\"model\":\"odori.pmx\",\"frames\":[0.5]}]}");
    cli_expect(0, "usage: odori capture-kit", "capture-kit --help");
    cli_expect(2, "no suite", "capture-kit -o kit");
    cli_expect(2, "-o", "capture-kit suite.json");
    char longest[3700];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    cli_expect(2, "the path of the folder is longer", "capture-kit suite.json -o %s", longest);
    cli_expect(2, "one suite", "capture-kit suite.json suite.json -o kit");
    cli_expect(2, "absolute Windows path", "capture-kit suite.json -o kit --root models");
    cli_expect(2, "absolute Windows path", "capture-kit suite.json -o kit --root /models");
    cli_expect(2, "no scene that matches --only z", "capture-kit suite.json -o kit --only z");
    cli_expect(3, "none.json", "capture-kit none.json -o kit");
    cli_expect(3, "no.pmx", "capture-kit suite.json -o kit --only b");
    cli_expect(4, "suite.json", "capture-kit suite.json -o suite.json/kit --only a");
    cli_expect(0, "1 project", "capture-kit suite.json -o kit --only a");
    write_suite("{\"scenes\":[{\"name\":\"c\",\"model\":\"odori.pmx\",\"frames\":[0.5]}]}");
    cli_expect(3, "whole frames", "capture-kit suite.json -o kit");
    write_suite("{\"scenes\":1}");
    cli_expect(3, "suite.json:1:", "capture-kit suite.json -o kit");
    cli_shell("mkdir -p nothing"); /* a folder means the model in it */
    write_suite("{\"scenes\":[{\"name\":\"a\",\"model\":\"nothing\"}]}");
    cli_expect(3, "nothing", "capture-kit suite.json -o kit");
}

/* Files remain although stdout is full, which is an error. Warnings name their scene. */
static void a_full_stdout_is_told_and_so_are_warnings(void **state)
{
    (void)state;
    char command[4096];
    write_suite("{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\"}]}");
    snprintf(command, sizeof command,
             "cd '%s' && { '%s/odori' capture-kit suite.json -o full >/dev/full 2>err.txt; [ $? = 4 ]; } && "
             "grep -q 'stdout: cannot be written' err.txt",
             cli_folder(), ODORI_BINARY);
    assert_int_equal(system(command), 0);
    assert_true(exists("full/README.txt"));
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p bare && cp odori.pmx bare && head -c 300 odori.vmd >bare/cut.vmd",
             cli_folder());
    assert_int_equal(system(command), 0);
    write_suite("{\"scenes\":[{\"name\":\"a\",\"model\":\"bare/odori.pmx\",\"motion\":\"bare/cut.vmd\"}]}");
    cli_result result = cli_run("capture-kit suite.json -o warned");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "warning: a: texture "));
    assert_non_null(strstr(result.err, "warning: a: motion bare/cut.vmd is truncated"));
    cli_finish(&result);
}

static void names_that_mmd_cannot_open_are_refused_or_renamed(void **state)
{
    (void)state;
    mmd_bytes model = read_file("odori.pmx");
    write_file("ö한.pmx", model.data, model.size);
    mmd_bytes_finish(&model);
    write_suite("{\"scenes\":[{\"name\":\"a\",\"model\":\"ö한.pmx\"}]}");
    cli_expect(3, "CP932", "capture-kit suite.json -o kit");
    cli_expect(0, NULL, "capture-kit suite.json -o kit --copy");
    assert_true(exists("kit/models/1-model/model.pmx"));
    char root[400] = "C:\\";
    memset(root + 3, 'a', 260);
    cli_expect(2, "longer", "capture-kit suite.json -o kit --root '%s'", root);
    root[3 + 245] = '\0';
    cli_expect(3, "255 bytes", "capture-kit suite.json -o kit --copy --root '%s'", root);
}

static void info_tells_what_is_in_a_project(void **state)
{
    (void)state;
    write_suite(
        "{\"scenes\":[{\"name\":\"i\",\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\",\"frames\":[5,9]}]}");
    cli_expect(0, NULL, "capture-kit suite.json -o kit");
    json_t *root = cli_json("info --json kit/01-i.pmm"), *file, *model;
    file = json_array_get(json_object_get(root, "files"), 0);
    assert_string_equal(json_string_value(json_object_get(file, "kind")), "PMM 2");
    assert_int_equal(json_integer_value(json_object_get(file, "from")), 5);
    assert_int_equal(json_integer_value(json_object_get(file, "to")), 9);
    model = json_array_get(json_object_get(file, "models"), 0);
    assert_string_equal(json_string_value(json_object_get(model, "path")), "K:\\odori.pmx");
    assert_int_equal(json_integer_value(json_object_get(model, "bones")), BONE_COUNT);
    json_decref(root);
    cli_expect(0, "physics                always", "info kit/01-i.pmm");
    mmd_bytes bytes = read_file("kit/01-i.pmm");
    write_file("cut.pmm", bytes.data, bytes.size / 2);
    mmd_bytes_finish(&bytes);
    cli_expect(3, "cut.pmm", "info cut.pmm");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_of_a_scene_are_in_its_project),
        cmocka_unit_test(lists_and_steps_name_frames_and_files),
        cmocka_unit_test(keys_of_a_motion_are_in_the_project),
        cmocka_unit_test(a_motion_without_keys_at_frame_0_gets_those_the_player_holds),
        cmocka_unit_test(of_several_motions_the_last_has_a_track),
        cmocka_unit_test(what_commands_did_is_in_the_keys),
        cmocka_unit_test(several_models_and_accessories_stand_in_order),
        cmocka_unit_test(a_vac_becomes_its_accessory_and_the_stage_is_not_moved),
        cmocka_unit_test(motions_of_stages_are_in_the_project),
        cmocka_unit_test(pmx_files_that_mmd_refuses_are_in_the_readme),
        cmocka_unit_test(copies_are_made_only_where_they_are_asked_for),
        cmocka_unit_test(the_same_suite_makes_the_same_bytes),
        cmocka_unit_test(a_root_above_the_suite_holds_all_models),
        cmocka_unit_test(bad_usage_and_bad_input_exit_with_one_line),
        cmocka_unit_test(a_full_stdout_is_told_and_so_are_warnings),
        cmocka_unit_test(names_that_mmd_cannot_open_are_refused_or_renamed),
        cmocka_unit_test(info_tells_what_is_in_a_project),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
