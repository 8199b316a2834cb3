/* Keys of motions by commands: written, registered, taken away, saved, and played again. */
#include "cli.h"

#include <math.h>

#include "mmd/format.h"
#include "mmd/text.h"

/* World matrix of the right arm at a frame. */
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

static void refuses(const char *commands, const char *why)
{
    cli_write_text("bad.txt", commands);
    cli_expect(2, why, "dump odori.pmx --frames 0 --exec bad.txt");
}

static void what_cannot_be_keyed_says_why(void **state)
{
    (void)state;
    refuses("key.set\n", "none of the model was edited");
    refuses("key.remove\n", "no bone is selected");
    refuses("edit.select /models/#0/bones/右腕\nkey.remove\n", "no key at frame 0");
    refuses("bone.rotate 右腕 0 0 40\nframe.set 1.5\nkey.set\n", "whole frames");
    refuses("motion.save none.vmd\n", "no motion moves the model");
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
        cmocka_unit_test(what_cannot_be_keyed_says_why),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
