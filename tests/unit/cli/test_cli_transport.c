/* Tests commands of time, camera and files, as --exec runs them. */
#include "cli.h"

#include <math.h>
#include <unistd.h>

#include "mmd/format.h"

static void refuses(const char *commands, const char *why)
{
    cli_write_text("bad.txt", commands);
    cli_expect(2, why, "dump odori.pmx --frames 0 --exec bad.txt");
}

static void commands_of_time_are_checked(void **state)
{
    (void)state;
    refuses("play.speed 0.05\n", "not between 0.1 and 4");
    refuses("play.speed 4.1\n", "not between 0.1 and 4");
    refuses("play.a -1\n", "not a frame");
    refuses("play.a 1 2\n", "takes 1 argument or less, not 2");
    refuses("play.ab on\n", "not off or next");
    refuses("play.count-in -1\n", "not between 0 and 60");
    refuses("play.bpm 2000\n", "not between 0 and 1000");
    refuses("frame.beat 1\n", "play.bpm");
    refuses("frame.cut 1\n", "no motion has camera keyframes");
    refuses("camera.follow nobody\n", "no bone \"nobody\"");
    refuses("camera.view inside\n", "front, back, left");
    refuses("toggle quit\n", "is not a command that switches");
    refuses("toggle keys\n", "only `play` has key bindings");
    refuses("input.preset right\n", "mmd or left");
    refuses("input.keys maya\n", "is not odori, mmd or blender");
    refuses("input.keys mmd\n", "only `play` has key bindings");
    refuses("window.full on\n", "no window");
    refuses("playlist.next\n", "no playlist");
    refuses("screenshot a.png\n", "no window");
    refuses("reload\n", "no scene to reload");
    refuses("recent\n", "only available in `play`");
    refuses("view.weights nobody\n", "no bone \"nobody\"");
    refuses("view.ids nobody\n", "not model, material, bone or none");
    refuses("view.inspect 1 1\n", "no window");
    cli_write_text("good.txt",
                   "play.speed 0.1\nplay.speed 4\nplay.faster 1\nplay.a\nplay.b 10\nplay.a 20\n"
                   "play.ab next\nplay.ab off\nplay.loop off\nplay.count-in 3\nplay.bpm 128 10.5\n"
                   "frame.beat 2\ntoggle view.grid\ninput.preset left\ncamera.view top\n");
    cli_expect(0, NULL, "dump odori.pmx --frames 0 --exec good.txt");
}

/* Returns the camera's position and rotation at a frame after some commands. */
static void camera_after(const char *commands, const char *arguments, double position[3], double rotation[3])
{
    char line[512];
    cli_write_text("camera.txt", commands);
    snprintf(line, sizeof line, "dump odori.pmx %s --what camera,bones --exec camera.txt", arguments);
    json_t *root = cli_json(line);
    json_t *frame = json_array_get(json_object_get(root, "frames"), 0);
    json_t *camera = json_object_get(frame, "camera");
    for (size_t k = 0; k < 3; k++) {
        position[k] = json_number_value(json_array_get(json_object_get(camera, "position"), k));
        rotation[k] = json_number_value(json_array_get(json_object_get(camera, "rotation"), k));
    }
    json_decref(root);
}

static void bone_place(const char *arguments, const char *name, double place[3])
{
    char line[512];
    snprintf(line, sizeof line, "dump odori.pmx %s --what bones", arguments);
    json_t *root = cli_json(line), *bone;
    size_t i;
    json_array_foreach(json_object_get(json_array_get(json_object_get(root, "frames"), 0), "bones"), i,
                       bone) if (strcmp(json_string_value(json_object_get(bone, "name")), name) ==
                                 0) for (size_t k = 0; k < 3; k++) place[k] =
        json_number_value(json_array_get(json_object_get(bone, "world"), 12 + k));
    json_decref(root);
}

static void the_camera_follows_a_bone_at_every_frame(void **state)
{
    (void)state;
    double position[3], rotation[3], bone[3];
    static const char at[] = "--motion odori.vmd --physics off --frames 25";
    bone_place(at, "頭", bone);
    camera_after("camera.set -20 0 10 0 0.1 0.2 0 40\ncamera.follow 頭\n", at, position, rotation);
    for (int k = 0; k < 3; k++)
        assert_float_equal(position[k], bone[k], 1e-5);
    assert_float_equal(rotation[0], 0.1, 1e-6);
    camera_after("camera.set -20 0 10 0 0 0 0 40\ncamera.follow 頭\ncamera.pan -1 2\n", at, position,
                 rotation);
    assert_float_equal(position[0], bone[0] + 1, 1e-5);
    assert_float_equal(position[1], bone[1] - 2, 1e-5);
    camera_after("camera.follow 頭\ncamera.set -20 7 8 9 0 0 0 40\n", at, position, rotation);
    assert_float_equal(position[0], 7, 0);
    camera_after("camera.set -20 7 8 9 0 0 0 40\ncamera.follow 頭\ncamera.follow off\n", "--frames 0",
                 position, rotation);
    camera_after("camera.follow on\n", at, position, rotation);
    assert_true(position[1] > 1);
}

static void sides_turn_and_keep_target_and_distance(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double x, y;
    } sides[] = {{"front", 0, 0},  {"back", 0, 180}, {"left", 0, -90},
                 {"right", 0, 90}, {"top", -90, 0},  {"bottom", 90, 0}};
    double position[3], rotation[3], right = acos(0) / 90;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        char commands[128];
        snprintf(commands, sizeof commands, "camera.set -20 1 2 3 0.3 0.4 0.5 40\ncamera.view %s\n",
                 sides[i].name);
        camera_after(commands, "--frames 0", position, rotation);
        assert_float_equal(position[2], 3, 0);
        assert_float_equal(rotation[0], sides[i].x * right, 1e-6);
        assert_float_equal(rotation[1], sides[i].y * right, 1e-6);
        assert_float_equal(rotation[2], 0, 0);
    }
}

static void cut(mmd_camera_key *key, uint32_t frame, float x)
{
    *key = (mmd_camera_key){.frame = frame, .record = MMD_NO_RECORD, .value = mmd_default_camera()};
    key->value.position[0] = x;
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        key->curve[i] = (mmd_curve){20, 20, 107, 107};
}

/* Writes shots from 0, 40 and 90. At 60 there is no cut, although the keys are a frame apart. */
static void write_cuts(void)
{
    mmd_camera_key keys[7];
    static const uint32_t frames[] = {0, 39, 40, 59, 60, 89, 90};
    static const float places[] = {0, 5, -5, 3, 3, 3, 8};
    for (int i = 0; i < 7; i++)
        cut(&keys[i], frames[i], places[i]);
    mmd_motion motion = {.camera_key_count = 7, .camera_keys = keys, .model_name_size = 20, .last_frame = 90};
    mmd_buffer out = {0};
    assert_int_equal(mmd_vmd_write(&motion, &out, NULL), MMD_OK);
    cli_write("cuts.vmd", out.data, out.size);
    mmd_buffer_finish(&out);
}

/* Finds the frame of the session by the camera's position there. */
static void cuts_are_jumped_to(void **state)
{
    (void)state;
    static const struct {
        const char *commands;
        double x; /* x of the camera at that frame, kept by camera.motion off */
    } jumps[] = {
        {"frame.cut 1\n", -5},
        {"frame.cut 1\nframe.cut 1\n", 8},
        {"frame.cut 1\nframe.cut 1\nframe.cut 1\n", 8}, /* stays at the last one */
        {"frame.set 90\nframe.cut -1\n", -5},
        {"frame.set 60\nframe.cut -1\n", -5},
        {"frame.set 40\nframe.cut -1\n", 0},
        /* just shown during playback, so it goes to the one before */
        {"frame.set 50\nplay\nframe.cut -1\n", 0},
        {"frame.set 80\nplay\nframe.cut -1\n", -5},
    };
    double position[3], rotation[3];
    write_cuts();
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        char commands[256];
        snprintf(commands, sizeof commands, "%scamera.motion off\n", jumps[i].commands);
        camera_after(commands, "--camera cuts.vmd --frames 0", position, rotation);
        assert_float_equal(position[0], jumps[i].x, 1e-5);
    }
}

/* Keyframes of the selection, or of the model, are jumped to. The session's frame is found likewise. */
static void keyframes_are_jumped_to(void **state)
{
    (void)state;
    static const struct {
        const char *commands;
        const char *frame; /* that they lead to */
    } jumps[] = {
        {"edit.select /camera\nframe.set 10\nframe.key 1\n", "39"},
        {"edit.select /camera\nframe.set 39\nframe.key 1\n", "40"},
        {"edit.select /camera\nframe.set 10\nframe.key -1\n", "0"},
        {"edit.select /camera\nframe.set 40.5\nframe.key -1\n", "40"},
        {"edit.select /camera\nframe.set 90\nframe.key 1\n", "90"}, /* stays at the last one */
        {"edit.select /models/#0/bones/頭\nframe.set 3\nframe.key 1\n", "6"},
        {"edit.select /models/#0/bones/頭\nframe.set 5\nframe.key -1\n", "3"},
        {"edit.select /models/#0/bones/頭\nmodel.delay 1\nframe.set 5\nframe.key -1\n", "4"},
        {"frame.set 3\nframe.key 1\n", "4"}, /* of a morph, which has one at each frame */
        {"edit.select /models/#0\nframe.set 3\nframe.key -1\n", "2"}, /* a model has none itself */
        {"frame.end\n", "240"},
        {"frame.set 10\nplay\nframe.end\n", "240"},
    };
    double is[3], shall[3], rotation[3];
    write_cuts();
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        char commands[256];
        static const char with[] = "--motion odori.vmd --camera cuts.vmd --physics off --frames 0";
        snprintf(commands, sizeof commands, "%scamera.motion off\n", jumps[i].commands);
        camera_after(commands, with, is, rotation);
        snprintf(commands, sizeof commands, "frame.set %s\ncamera.motion off\n", jumps[i].frame);
        camera_after(commands, with, shall, rotation);
        if (fabs(is[0] - shall[0]) > 1e-5)
            fail_msg("%s does not lead to %s", jumps[i].commands, jumps[i].frame);
    }
}

static void a_mirror_shows_the_other_side(void **state)
{
    (void)state;
    double left[3], right[3], position[3], rotation[3], other[3], turned[3];
    static const char at[] = "--motion odori.vmd --physics off --frames 25";
    bone_place(at, "左手首", left);
    cli_write_text("mirror.txt", "play.mirror on\n");
    bone_place("--motion odori.vmd --physics off --frames 25 --exec mirror.txt", "右手首", right);
    assert_float_equal(right[0], -left[0], 1e-4);
    assert_float_equal(right[1], left[1], 1e-4);
    assert_float_equal(right[2], left[2], 1e-4);
    cli_write_text("mirror.txt", "model.mirror on\nmodel.mirror off\nplay.mirror on\nplay.mirror off\n");
    bone_place("--motion odori.vmd --physics off --frames 25 --exec mirror.txt", "左手首", right);
    for (int k = 0; k < 3; k++)
        assert_float_equal(right[k], left[k], 0);
    write_cuts();
    camera_after("", "--camera cuts.vmd --frames 20", position, rotation);
    camera_after("toggle play.mirror\n", "--camera cuts.vmd --frames 20", other, turned);
    assert_float_equal(other[0], -position[0], 1e-6);
}

/* A saved pose, read again, gives the pose with its edits. */
static void a_saved_pose_stands_as_it_stood(void **state)
{
    (void)state;
    double before[3], after[3];
    cli_write_text("pose.txt", "frame.set 25\nbone.rotate 頭 10 20 30\nbone.translate センター 1 2 3\n"
                               "morph.set あ 0.5\npose.save saved.vpd\nquit\n");
    cli_expect(0, NULL, "dump odori.pmx --motion odori.vmd --physics off --frames 25 --exec pose.txt");
    static const char *const bones[] = {"左手首", "頭", "右足首", "センター"};
    cli_write_text("edits.txt", "bone.rotate 頭 10 20 30\nbone.translate センター 1 2 3\n");
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
        bone_place("--motion odori.vmd --physics off --frames 25 --exec edits.txt", bones[i], before);
        bone_place("--pose saved.vpd --physics off --frames 0", bones[i], after);
        for (int k = 0; k < 3; k++)
            assert_float_equal(after[k], before[k], 2e-4);
    }
    cli_write_text("pose.txt", "pose.save no/such/folder.vpd\n");
    cli_result result = cli_run("dump odori.pmx --frames 0 --exec pose.txt");
    assert_int_equal(result.code, 2);
    assert_non_null(strstr(result.err, "folder.vpd: cannot be written"));
    cli_finish(&result);
}

static void playlists_are_read_and_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "no entries"},
        {"# nothing\n\n", "no entries"},
        {"odori.pmx\n--motion odori.vmd\n", "line 2: no model"},
        {"odori.pmx --speed 2\n", "cannot have the option --speed"},
        {"odori.pmx --motion\n", "missing after --motion"},
        {"\"odori.pmx\n", "quote"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cli_write_text("list.txt", bad[i].text);
        cli_expect(3, bad[i].message, "play --no-settings --playlist list.txt");
    }
    cli_expect(3, "missing.txt", "play --no-settings --playlist missing.txt");
    cli_shell("mkdir -p lists && cp odori.vmd lists/here.vmd");
    cli_write_text("lists/list.txt", "../odori.pmx --motion here.vmd # a comment\n\n../odori.pmx\n");
    /* The second entry begins at its frame 0; after it the first follows, unless loop is off. */
    cli_write_text("next.txt",
                   "pause\nplaylist.next\nplaylist.next\nplaylist.previous\nplaylist.go 0\nquit\n");
    cli_expect(0, NULL, "play --no-settings --playlist lists/list.txt --exec next.txt");
    /* A playlist opens like another file. */
    cli_shell("cp lists/list.txt lists/list.playlist");
    cli_write_text("next.txt",
                   "file.open lists/list.playlist\nplaylist.next\nplaylist.move 1 0\nplaylist.remove 0\n"
                   "playlist.remove 0\n"
                   "playlist.next\n");
    cli_expect(2, "there is no playlist", "play odori.pmx --no-settings --exec next.txt");
    cli_write_text("next.txt", "playlist.open lists/bad-line.txt\n");
    cli_write_text("lists/bad-line.txt", "odori.pmx --speed 2\n");
    cli_expect(2, "line 1: an entry cannot have the option --speed",
               "play odori.pmx --no-settings --exec next.txt");
    cli_write_text("next.txt", "playlist.add\n");
    cli_expect(2, "only be added in a window", "play odori.pmx --no-settings --exec next.txt");
    cli_write_text("next.txt", "playlist.move 0 2\n");
    cli_expect(2, "no entry 2 of 2", "play --no-settings --playlist lists/list.txt --exec next.txt");
    cli_write_text("next.txt", "playlist.go 2\n");
    cli_expect(2, "no entry 2 of 2", "play --no-settings --playlist lists/list.txt --exec next.txt");
    cli_write_text("lists/bad.txt", "../odori.pmx\nmissing.pmx\n");
    cli_write_text("next.txt", "playlist.next\n");
    cli_result result = cli_run("play --no-settings --playlist lists/bad.txt --exec next.txt");
    assert_int_equal(result.code, 2);
    assert_non_null(strstr(result.err, "the scene is unchanged"));
    cli_finish(&result);
}

/* Each of these views changes the picture, and switching it off restores it. */
static void meshes_and_bones_are_shown_as_lines(void **state)
{
    (void)state;
    static const char *const shown[] = {"view.wireframe on", "view.normals on",       "view.bones on",
                                        "view.weights 頭",   "toggle view.wireframe", "view.clay on",
                                        "toggle view.clay",  "view.ids model",        "view.ids material",
                                        "view.ids bone"};
    static const char shot[] =
        "shot odori.pmx --frame 0 --physics off --size 160x120 --exec lines.txt -o lines.png";
    char commands[256];
    cli_write_text("lines.txt",
                   "view.weights 頭\nview.weights off\ntoggle view.bones\ntoggle view.bones\nview.ids bone\n"
                   "view.ids none\nview.clay on\nview.ids none\nview.weights off\nview.clay off\n");
    cli_expect(0, NULL, "%s", shot);
    mmd_image plain = cli_picture("lines.png");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        snprintf(commands, sizeof commands, "%s\n", shown[i]);
        cli_write_text("lines.txt", commands);
        cli_expect(0, NULL, "%s", shot);
        mmd_image lines = cli_picture("lines.png");
        assert_memory_not_equal(plain.pixels, lines.pixels, (size_t)4 * plain.width * plain.height);
        mmd_image_finish(&lines);
    }
    mmd_image_finish(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_of_time_are_checked),
        cmocka_unit_test(the_camera_follows_a_bone_at_every_frame),
        cmocka_unit_test(sides_turn_and_keep_target_and_distance),
        cmocka_unit_test(cuts_are_jumped_to),
        cmocka_unit_test(keyframes_are_jumped_to),
        cmocka_unit_test(a_mirror_shows_the_other_side),
        cmocka_unit_test(a_saved_pose_stands_as_it_stood),
        cmocka_unit_test(playlists_are_read_and_checked),
        cmocka_unit_test(meshes_and_bones_are_shown_as_lines),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
