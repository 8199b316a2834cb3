/* Tests motion keys by commands: set, registered, deleted, saved, and played again. */
#include "cli.h"

#include <math.h>

#include "mmd/format.h"
#include "mmd/keying.h"
#include "mmd/text.h"

/* Returns the world matrix of the right arm at a frame. */
static void arm(const char *arguments, double m[16])
{
    char line[512];
    snprintf(line, sizeof line, "dump odori.pmx --what bones %s", arguments);
    json_t *root = cli_json(line);
    json_t *bones = json_object_get(json_array_get(json_object_get(root, "frames"), 0), "bones"),
           *found = NULL;
    for (size_t i = 0; i < json_array_size(bones) && !found; i++)
        if (!strcmp(json_string_value(json_object_get(json_array_get(bones, i), "name")), "右腕"))
            found = json_object_get(json_array_get(bones, i), "world");
    assert_non_null(found);
    for (size_t k = 0; k < 16; k++)
        m[k] = json_number_value(json_array_get(found, k));
    json_decref(root);
}

static double difference(const double a[16], const double b[16])
{
    double largest = 0;
    for (int k = 0; k < 16; k++)
        largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

static mmd_motion *saved(const char *name)
{
    mmd_bytes bytes = cli_read(name);
    mmd_motion *motion;
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    mmd_free(bytes.data);
    return motion;
}

static void a_motion_edited_at_three_frames_is_saved_and_plays_the_same(void **state)
{
    (void)state;
    cli_write_text("keys.txt", "key.mode on\nedit.select /models/#0/bones/右腕\n"
                               "frame.set 11\nedit.rotate 10 20 30\nframe.set 23\nedit.rotate 0 0 45\n"
                               "frame.set 47\nedit.rotate -20 5 0\nmotion.save edited.vmd\n");
    double edited[16], again[16], before[16];
    arm("--motion odori.vmd --frames 23 --exec keys.txt", edited);
    arm("--motion edited.vmd --frames 23", again);
    arm("--motion odori.vmd --frames 23", before);
    assert_true(difference(edited, again) < 1e-6);
    assert_true(difference(edited, before) > 0.05);
    mmd_motion *a = saved("odori.vmd"), *b = saved("edited.vmd");
    uint8_t name[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8("右腕", name, NULL, NULL);
    const mmd_bone_track *t = mmd_motion_find_bone(a, name), *u = mmd_motion_find_bone(b, name);
    assert_true(t && u && u->count > t->count && u->count <= t->count + 3);
    assert_int_equal(a->morph_key_count, b->morph_key_count);
    mmd_motion_destroy(a);
    mmd_motion_destroy(b);
}

static void a_registered_pose_is_the_motions(void **state)
{
    (void)state;
    cli_write_text("pose.txt", "bone.rotate 右腕 0 0 40\nbone.translate 右腕 0 0.5 0\n");
    cli_write_text("keys.txt", "bone.rotate 右腕 0 0 40\nbone.translate 右腕 0 0.5 0\nkey.set\n"
                               "motion.save edited.vmd\n");
    cli_write_text("undone.txt", "bone.rotate 右腕 0 0 40\nkey.set\nundo\nundo\nmotion.save undone.vmd\n");
    double posed[16], keyed[16], again[16];
    arm("--motion odori.vmd --frames 0 --exec pose.txt", posed);
    arm("--motion odori.vmd --frames 0 --exec keys.txt", keyed);
    arm("--motion edited.vmd --frames 0", again);
    assert_true(difference(posed, keyed) < 1e-5 && difference(posed, again) < 1e-5);
    cli_expect(0, NULL, "dump odori.pmx --motion odori.vmd --frames 0 --exec undone.txt -o undone.json");
    mmd_bytes a = cli_read("odori.vmd"), b = cli_read("undone.vmd");
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    mmd_free(a.data);
    mmd_free(b.data);
}

static void a_model_without_a_motion_gets_one(void **state)
{
    (void)state;
    cli_write_text("keys.txt", "bone.rotate 右腕 0 0 40\nkey.set\nmotion.save new.vmd\n");
    double keyed[16], again[16];
    arm("--frames 0 --exec keys.txt", keyed);
    arm("--motion new.vmd --frames 0", again);
    assert_true(difference(keyed, again) < 1e-6);
    mmd_motion *motion = saved("new.vmd");
    assert_int_equal(motion->bone_key_count, 1);
    mmd_motion_destroy(motion);
}

/* --- Camera, light and morphs --- */

#define CAMERA ODORI_BINARY "/dancer/camera.vmd"
#define DANCER ODORI_BINARY "/dancer/dancer.pmx"
#define DANCE  ODORI_BINARY "/dancer/dance.vmd"

/* Compares camera and light at a frame under two sets of arguments. */
static void expect_same_view(const char *one, const char *other, int frame)
{
    json_t *roots[2];
    const char *const arguments[2] = {one, other};
    for (int i = 0; i < 2; i++) {
        char line[512];
        snprintf(line, sizeof line, "dump odori.pmx --what camera,light --frames %d %s", frame, arguments[i]);
        roots[i] = cli_json(line);
    }
    assert_true(json_equal(json_object_get(roots[0], "frames"), json_object_get(roots[1], "frames")));
    json_decref(roots[0]);
    json_decref(roots[1]);
}

static mmd_motion *camera_motion(void)
{
    mmd_bytes bytes = {0};
    mmd_motion *motion;
    assert_int_equal(mmd_file_read(CAMERA, &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    mmd_free(bytes.data);
    return motion;
}

/* Adds, replaces and deletes a camera key, and adds a light key. */
static void a_camera_edited_at_three_frames_is_saved_and_plays_the_same(void **state)
{
    (void)state;
    cli_need_dancer();
    mmd_motion *a = camera_motion();
    uint32_t replaced = a->camera_keys[4].frame, gone = a->camera_keys[9].frame, added = 1111;
    char lines[1024], arguments[512];
    snprintf(lines, sizeof lines,
             "key.mode on\nframe.set %u\ncamera.set -40 1 12 2 0.125 0.25 0 40\n"
             "frame.set %u\nedit.select /camera\nedit.translate 3 4 5\nkey.delete %u\n"
             "light.direction 0.5 -1 0.25\ncamera.save camera.vmd\n",
             replaced, added, gone);
    cli_write_text("keys.txt", lines);
    snprintf(arguments, sizeof arguments, "--camera %s --exec keys.txt", CAMERA);
    expect_same_view(arguments, "--camera camera.vmd", (int)added);
    expect_same_view(arguments, "--camera camera.vmd", (int)replaced);
    mmd_motion *b = saved("camera.vmd");
    assert_int_equal(b->camera_key_count, a->camera_key_count);
    assert_int_equal(b->light_key_count, a->light_key_count + 1);
    uint32_t others = 0;
    for (uint32_t i = 0, k = 0; i < a->camera_key_count; i++) {
        const uint8_t *record = a->camera_records.bytes + (size_t)61 * a->camera_keys[i].record;
        if (a->camera_keys[i].frame == gone)
            continue;
        others += memcmp(record, b->camera_records.bytes + (size_t)61 * k++, 61) != 0;
    }
    assert_int_equal(others, 1);
    mmd_motion_destroy(a);
    mmd_motion_destroy(b);
}

static void expect_saved(const char *name, const char *file)
{
    mmd_bytes a = {0}, b = cli_read(name);
    assert_int_equal(mmd_file_read(file, &a, NULL), MMD_OK);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    mmd_free(a.data);
    mmd_free(b.data);
}

static void runs(const char *more, const char *commands)
{
    cli_write_text("run.txt", commands);
    cli_expect(0, NULL, "dump odori.pmx --motion odori.vmd %s --frames 0 --exec run.txt -o run.json", more);
}

/* After undoing everything the original file is written again. */
static void edits_of_a_camera_are_undone_to_the_byte(void **state)
{
    (void)state;
    cli_need_dancer();
    runs("--camera " CAMERA,
         "key.mode on\nedit.select /camera\nframe.set 77\ncamera.set -40 1 12 2 0 0 0 40\nkey.move 77 90\n"
         "key.copy 90 95\nkey.curve 95 all 0 64 64 127\nlight.color 0.5 0.25 1\nkey.delete 90\nundo\nundo\n"
         "undo\nundo\nundo\nundo\ncamera.save undone.vmd\n");
    expect_saved("undone.vmd", CAMERA);
}

static void a_stage_without_a_camera_gets_one(void **state)
{
    (void)state;
    runs("", "edit.select /camera\nkey.set\nframe.set 30\ncamera.set -40 1 12 2 0 0 0 40\nkey.set\n"
             "edit.select /light\nkey.set\ncamera.save new.vmd\n");
    mmd_motion *motion = saved("new.vmd");
    assert_true(motion->camera_key_count == 2 && motion->light_key_count == 1);
    assert_memory_equal(motion->model_name, "\x83\x4a\x83\x81\x83\x89\x81\x45\x8f\xc6\x96\xbe", 13);
    assert_true(motion->camera_keys[1].frame == 30 && motion->camera_keys[1].value.distance == -40.0f);
    mmd_motion_destroy(motion);
}

/* With the camera selected, mouse-like camera commands set keys, joined to one step; else they only change
 * the view. */
static void camera_work_writes_keys_where_the_camera_is_selected(void **state)
{
    (void)state;
    runs("", "key.mode on\nframe.set 5\ncamera.orbit 10 0\ncamera.zoom 0.5\nedit.select /camera\n"
             "camera.orbit 10 0\ncamera.orbit 10 0\ncamera.zoom 0.5\nframe.set 9\ncamera.orbit 5 0\n"
             "camera.save work.vmd\nundo\ncamera.save one.vmd\nundo\nkey.set\ncamera.save seen.vmd\n");
    mmd_motion *work = saved("work.vmd"), *one = saved("one.vmd"), *seen = saved("seen.vmd");
    assert_true(work->camera_key_count == 2 && work->camera_keys[0].frame == 5);
    assert_true(work->camera_keys[0].value.distance == -11.25f);
    assert_int_equal(one->camera_key_count, 1);
    assert_true(seen->camera_key_count == 1 && seen->camera_keys[0].frame == 9);
    /* from the view, which was changed by hand before */
    assert_true(seen->camera_keys[0].value.distance == -22.5f);
    mmd_motion_destroy(work);
    mmd_motion_destroy(one);
    mmd_motion_destroy(seen);
}

/* Dragging the light's sliders or the camera's numbers is one step each. */
static void a_dragged_light_is_one_step(void **state)
{
    (void)state;
    runs("", "key.mode on\nframe.set 5\nedit.join on\nlight.color 0.25 0 0\nlight.color 0.5 0 0\n"
             "light.color 0.75 0 0\nedit.join off\nedit.join on\ncamera.set -40 0 10 0 0 0 0 30\n"
             "camera.set -50 0 10 0 0 0 0 30\nedit.join off\ncamera.save both.vmd\nundo\n"
             "camera.save light.vmd\nundo\nkey.set /camera\ncamera.save none.vmd\n");
    mmd_motion *both = saved("both.vmd"), *light = saved("light.vmd"), *none = saved("none.vmd");
    assert_true(both->camera_key_count == 1 && both->camera_keys[0].value.distance == -50.0f);
    assert_true(light->camera_key_count == 0 && light->light_key_count == 1);
    assert_true(light->light_keys[0].value.color[0] == 0.75f);
    assert_true(none->camera_key_count == 1 && none->light_key_count == 0);
    mmd_motion_destroy(both);
    mmd_motion_destroy(light);
    mmd_motion_destroy(none);
}

/* Returns the name of the figure's first morph. */
static const char *a_morph(void)
{
    return "まばたき";
}

static void morphs_keyed_at_three_frames_are_saved(void **state)
{
    (void)state;
    char lines[512];
    const char *m = a_morph();
    snprintf(
        lines, sizeof lines,
        "morph.set %s 0.9\nkey.mode on\nframe.set 1011\nmorph.set %s 0.25\nframe.set 1023\nedit.join on\n"
        "morph.set %s 0.5\nmorph.set %s 0.625\nmorph.set %s 0.75\nedit.join off\nframe.set 1031\n"
        "key.morph %s\nmotion.save morphs.vmd\nundo\nundo\nmotion.save one.vmd\nundo\nundo\n"
        "motion.save none.vmd\n",
        m, m, m, m, m, m);
    runs("", lines);
    mmd_motion *a = saved("odori.vmd"), *b = saved("morphs.vmd"), *c = saved("one.vmd");
    uint8_t name[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8(m, name, NULL, NULL);
    uint32_t record;
    float weight;
    assert_true(b->morph_key_count > a->morph_key_count && b->bone_key_count == a->bone_key_count);
    assert_true(mmd_motion_get_morph_key(b, name, 1011, &record, &weight) && weight == 0.25f);
    assert_true(mmd_motion_get_morph_key(b, name, 1023, &record, &weight) && weight == 0.75f);
    assert_true(mmd_motion_get_morph_key(b, name, 1031, &record, &weight));
    assert_true(mmd_motion_get_morph_key(c, name, 1011, &record, &weight) && weight == 0.25f);
    assert_int_equal(c->morph_key_count + 2, b->morph_key_count);
    mmd_bytes file = cli_read("odori.vmd"), none = cli_read("none.vmd");
    assert_true(file.size == none.size && memcmp(file.data, none.data, file.size) == 0);
    mmd_free(file.data);
    mmd_free(none.data);
    mmd_motion_destroy(a);
    mmd_motion_destroy(b);
    mmd_motion_destroy(c);
}

/* Of a dance and a second motion that overrides its arm, one file is saved with the keys of both. */
static void several_motions_are_saved_as_one(void **state)
{
    (void)state;
    char lines[512];
    snprintf(lines, sizeof lines,
             "bone.rotate 右腕 0 0 40\nkey.set\nframe.set 1001\nkey.morph %s 0.5\n"
             "motion.save arm.vmd\n",
             a_morph());
    cli_write_text("arm.txt", lines);
    cli_expect(0, NULL, "dump odori.pmx --frames 0 --exec arm.txt -o arm.json");
    double both[16], one[16], head[16];
    cli_write_text("both.txt", "bone.rotate 上半身 0 30 0\nframe.set 7\nkey.set\nmotion.save both.vmd\n");
    arm("--motion odori.vmd --motion arm.vmd --frames 7 --exec both.txt", both);
    arm("--motion both.vmd --frames 7", one);
    arm("--motion odori.vmd --frames 7", head);
    assert_true(difference(both, one) < 1e-6 && difference(both, head) > 0.01);
    mmd_motion *a = saved("odori.vmd"), *b = saved("both.vmd");
    uint8_t name[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8("右腕", name, NULL, NULL);
    assert_int_equal(mmd_motion_find_bone(b, name)->count, 1);
    mmd_name_key_from_utf8("上半身", name, NULL, NULL);
    assert_true(mmd_motion_find_bone(b, name)->count > 1);
    mmd_name_key_from_utf8(a_morph(), name, NULL, NULL);
    assert_int_equal(mmd_motion_find_morph(b, name)->count, 1);
    mmd_motion_destroy(a);
    mmd_motion_destroy(b);
}

/* --- Moving and copying --- */

/* Reads the frames of the right arm's first keys; returns the number of its keys. */
static uint32_t arm_frames(const char *file, uint32_t *frames, uint32_t room)
{
    mmd_motion *motion = saved(file);
    uint8_t name[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8("右腕", name, NULL, NULL);
    const mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, name);
    uint32_t count = mmd_motion_count_keys(motion, &row);
    for (uint32_t i = 0; i < count && i < room; i++)
        frames[i] = mmd_motion_key_frame(motion, &row, i);
    mmd_motion_destroy(motion);
    return count;
}

/* Keys dragged over each other: positions during the drag do not matter, and the drag is one step. */
static void dragged_keys_land_where_they_are_let_go(void **state)
{
    (void)state;
    uint32_t f[4] = {0}, g[4] = {0}, count = arm_frames("odori.vmd", f, 4);
    assert_true(count >= 4 && f[1] - f[0] >= 2);
    char lines[1024];
    uint32_t by = f[1] - f[0];
    snprintf(lines, sizeof lines,
             "edit.select /models/#0/bones/右腕\nedit.join on\n"
             "key.move %u %u\nkey.move %u %u\n" /* one frame later */
             "key.move %u %u\nkey.move %u %u\n" /* the first to where the second was */
             "edit.join off\nmotion.save moved.vmd\nundo\nmotion.save undone.vmd\nredo\n"
             "motion.save redone.vmd\n",
             f[1], f[1] + 1, f[0], f[0] + 1, f[1], f[1] + by, f[0], f[0] + by);
    runs("", lines);
    uint32_t left = arm_frames("moved.vmd", g, 4);
    assert_true(g[0] == f[1] && g[1] == (f[1] + by < f[2] ? f[1] + by : f[2]) && left <= count);
    cli_shell("cmp undone.vmd odori.vmd && cmp moved.vmd redone.vmd");
    /* A key that is moved and moved back gives the original file. */
    snprintf(lines, sizeof lines,
             "key.move %u %u /models/#0/bones/右腕\nkey.move %u %u /models/#0/bones/右腕\n"
             "motion.save back.vmd\n",
             f[0], f[0] + 1, f[0] + 1, f[0]);
    runs("", lines);
    cli_shell("cmp back.vmd odori.vmd");
}

static void curves_and_copies_are_saved(void **state)
{
    (void)state;
    uint32_t f[2] = {0};
    arm_frames("odori.vmd", f, 2);
    char lines[512];
    snprintf(lines, sizeof lines,
             "edit.select /models/#0/bones/右腕\nkey.copy %u 900\nkey.curve 900 rotation 10 20 30 40\n"
             "key.curve 900 x 1 2 3 4\nmotion.save curves.vmd\nkey.delete 900\nkey.set /models/#0/bones/頭\n"
             "undo\nmotion.save less.vmd\n",
             f[1]);
    runs("", lines);
    mmd_motion *motion = saved("curves.vmd");
    uint8_t name[MMD_NAME_KEY_SIZE];
    mmd_stored_bone_key from, to;
    mmd_name_key_from_utf8("右腕", name, NULL, NULL);
    assert_true(mmd_motion_get_bone_key(motion, name, f[1], &from));
    assert_true(mmd_motion_get_bone_key(motion, name, 900, &to));
    assert_memory_equal(from.key.rotation, to.key.rotation, sizeof to.key.rotation);
    assert_memory_equal(from.key.curve + 1, to.key.curve + 1, 2 * sizeof *to.key.curve);
    assert_memory_equal(&to.key.curve[MMD_CHANNEL_ROTATION], (&(const mmd_curve){10, 20, 30, 40}), 4);
    assert_memory_equal(&to.key.curve[MMD_CHANNEL_X], (&(const mmd_curve){1, 2, 3, 4}), 4);
    mmd_motion_destroy(motion);
    cli_shell("cmp less.vmd odori.vmd");
}

/* Keys set before are mirrored with the rest, and so is what undo restores. */
static void edited_keys_are_mirrored_as_they_are_saved(void **state)
{
    (void)state;
    cli_write_text("keys.txt", "edit.select /models/#0/bones/右腕\nkey.mode on\nedit.rotate 10 20 30\n"
                               "motion.save edited.vmd\nplay.mirror on\n");
    cli_write_text("mirror.txt", "play.mirror on\n");
    cli_write_text("undone.txt", "edit.select /models/#0/bones/右腕\nkey.mode on\nedit.rotate 10 20 30\n"
                                 "play.mirror on\nundo\n");
    cli_write_text("back.txt", "edit.select /models/#0/bones/右腕\nkey.mode on\nedit.rotate 10 20 30\n"
                               "play.mirror on\nplay.mirror off\n");
    double keyed[16], again[16], undone[16], before[16], back[16], plain[16];
    arm("--motion odori.vmd --frames 0 --exec keys.txt", keyed);
    arm("--motion edited.vmd --frames 0 --exec mirror.txt", again);
    arm("--motion odori.vmd --frames 0 --exec undone.txt", undone);
    arm("--motion odori.vmd --frames 0 --exec mirror.txt", before);
    arm("--motion odori.vmd --frames 0 --exec back.txt", back);
    arm("--motion edited.vmd --frames 0", plain);
    assert_true(difference(keyed, again) < 1e-6 && difference(undone, before) < 1e-6);
    assert_true(difference(back, plain) < 1e-6 && difference(plain, before) > 0.01);
}

/* --- 表示・IK and self shadow --- */

static void switches_keyed_are_saved_moved_and_undone(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("run.txt",
                   "frame.set 30\nkey.show off\nframe.set 60\nkey.show on\nkey.ik 右足ＩＫ off\n"
                   "motion.save two.vmd\nkey.move 60 90 /models/#0/switches\n"
                   "key.copy 90 120 /models/#0/switches\nedit.select /models/#0/switches\nkey.delete 30\n"
                   "frame.set 150\nkey.set\nmotion.save moved.vmd\nundo\nundo\nundo\nundo\n"
                   "motion.save again.vmd\nundo\nundo\nundo\nmotion.save none.vmd\n");
    cli_expect(0, NULL, "dump " DANCER " --motion " DANCE " --frames 0 --exec run.txt -o run.json");
    cli_shell("cmp two.vmd again.vmd");
    expect_saved("none.vmd", DANCE);
    mmd_motion *two = saved("two.vmd"), *moved = saved("moved.vmd");
    uint8_t name[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8("右足ＩＫ", name, NULL, NULL);
    assert_int_equal(two->property_key_count, 2);
    assert_false(mmd_motion_visible(two, 30) || mmd_motion_ik_on(two, name, 60));
    assert_true(mmd_motion_visible(two, 29) && mmd_motion_visible(two, 60) &&
                mmd_motion_ik_on(two, name, 59));
    assert_int_equal(moved->property_key_count, 3);
    assert_true(moved->property_keys[0].frame == 90 && moved->property_keys[1].frame == 120 &&
                moved->property_keys[2].frame == 150);
    assert_false(mmd_motion_ik_on(moved, name, 150));
    assert_true(mmd_motion_visible(moved, 30));
    mmd_motion_destroy(two);
    mmd_motion_destroy(moved);
}

static void self_shadow_is_keyed_as_mmd_counts_it(void **state)
{
    (void)state;
    runs("", "frame.set 30\nkey.shadow 2 5000\nframe.set 60\nkey.shadow 0\nkey.move 60 61 /shadow\n"
             "camera.save both.vmd\nundo\nundo\nkey.delete 30 /shadow\nkey.shadow 1 8875\n"
             "camera.save one.vmd\n");
    mmd_motion *both = saved("both.vmd"), *one = saved("one.vmd");
    assert_int_equal(both->self_shadow_key_count, 2);
    assert_true(both->self_shadow_keys[0].value.mode == 2 &&
                both->self_shadow_keys[0].value.distance == 0.05f);
    assert_true(both->self_shadow_keys[1].frame == 61 && both->self_shadow_keys[1].value.mode == 0);
    assert_true(both->self_shadow_keys[1].value.distance == 0.05f);
    assert_int_equal(one->self_shadow_key_count, 1);
    assert_true(one->self_shadow_keys[0].value.distance == mmd_default_self_shadow().distance);
    mmd_motion_destroy(both);
    mmd_motion_destroy(one);
}

static void refuses(const char *commands, const char *why)
{
    cli_write_text("bad.txt", commands);
    cli_expect(2, why, "dump odori.pmx --frames 0 --exec bad.txt");
}

static void what_cannot_be_keyed_says_why(void **state)
{
    (void)state;
    refuses("key.set\n", "no bone of the model was edited");
    refuses("key.remove\n", "nothing that has keyframes is selected");
    refuses("key.move 1 2\n", "nothing that has keyframes is selected");
    refuses("edit.select /models/#0\nkey.copy 1 2\n", "nothing that has keyframes is selected");
    refuses("edit.select /camera\nkey.move 3 4\n", "camera has no keyframe at frame 3");
    refuses("edit.select /camera\nkey.set\nkey.move 0 1.5\n", "whole frames");
    refuses("edit.select /camera\nkey.set\nkey.move 0 -1\n", "whole frames");
    refuses("edit.select /camera\nkey.set\nkey.curve 0 roll 0 0 127 127\n", "not x, y, z, rotation");
    refuses("edit.select /camera\nkey.set\nkey.curve 0 x 0 0 127 128\n", "from 0 to 127");
    refuses("edit.select /light\nkey.set\nkey.curve 0 x 0 0 127 127\n", "have no curves");
    refuses("key.set /camera\nkey.delete 0 /models/#0\n", "踊り子 has no keyframes");
    refuses("key.set /cameras\n", "there is no \"/cameras\"");
    refuses("key.morph nobody\n", "踊り子 has no morph \"nobody\"");
    refuses("key.ik 右腕 off\n", "右腕 of 踊り子 is not an IK bone");
    refuses("key.ik nobody off\n", "踊り子 has no bone \"nobody\"");
    refuses("key.show maybe\n", "maybe");
    refuses("key.shadow 3\n", "not 0 (off), 1 or 2");
    refuses("key.shadow 1 10000\n", "from 0 to 9999");
    refuses("frame.set 1.5\nkey.show off\n", "whole frames");
    refuses("key.show off\nkey.curve 0 x 0 0 127 127 /models/#0/switches\n", "have no curves");
    refuses("key.mode on\nframe.set 1.5\ncamera.set -40 0 10 0 0 0 0 30\n", "whole frames");
    refuses("key.mode on\nframe.set 1.5\nlight.color 1 1 1\n", "whole frames");
    refuses("play.mirror on\nkey.set /camera\n",
            "keyframes cannot be set while mirrored; `play.mirror off` first");
    refuses("model.mirror on\nkey.set /models/#0/bones/右腕\n", "`model.mirror off` first");
    refuses("model.mirror on\nkey.mode on\nedit.select /models/#0/bones/頭\nedit.rotate 0 10 0\n",
            "keyframes cannot be set while mirrored; `model.mirror off` first");
    refuses("play.mirror on\nkey.mode on\nedit.select /camera\nedit.rotate 0 10 0\n",
            "keyframes cannot be set while mirrored; `play.mirror off` first");
    refuses("model.mirror on\nbone.rotate 頭 0 20 0\nkey.set\n", "`model.mirror off` first");
    refuses("camera.save none.vmd\n", "camera, light and self shadow have no keyframes");
    refuses("edit.select /models/#0/bones/右腕\nkey.remove\n", "右腕 of 踊り子 has no keyframe at frame 0");
    refuses("bone.rotate 右腕 0 0 40\nframe.set 1.5\nkey.set\n", "whole frames");
    refuses("motion.save none.vmd\n", "the model has no motion");
    refuses("bone.rotate 頭 0 0 40\nkey.set\nundo\nmotion.save none.vmd\n", "the model has no motion");
    refuses("key.mode maybe\n", "on or off");
    cli_write_text("bad.txt", "motion.save missing/folder.vmd\n");
    cli_result r = cli_run("dump odori.pmx --motion odori.vmd --frames 0 --exec bad.txt");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "cannot be written"));
    cli_finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_edited_at_three_frames_is_saved_and_plays_the_same),
        cmocka_unit_test(a_registered_pose_is_the_motions),
        cmocka_unit_test(a_model_without_a_motion_gets_one),
        cmocka_unit_test(a_camera_edited_at_three_frames_is_saved_and_plays_the_same),
        cmocka_unit_test(edits_of_a_camera_are_undone_to_the_byte),
        cmocka_unit_test(a_stage_without_a_camera_gets_one),
        cmocka_unit_test(camera_work_writes_keys_where_the_camera_is_selected),
        cmocka_unit_test(a_dragged_light_is_one_step),
        cmocka_unit_test(morphs_keyed_at_three_frames_are_saved),
        cmocka_unit_test(several_motions_are_saved_as_one),
        cmocka_unit_test(dragged_keys_land_where_they_are_let_go),
        cmocka_unit_test(curves_and_copies_are_saved),
        cmocka_unit_test(edited_keys_are_mirrored_as_they_are_saved),
        cmocka_unit_test(switches_keyed_are_saved_moved_and_undone),
        cmocka_unit_test(self_shadow_is_keyed_as_mmd_counts_it),
        cmocka_unit_test(what_cannot_be_keyed_says_why),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
