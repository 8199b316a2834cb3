/* Tests what the command line promises (docs/architecture.md): exit codes, outputs, JSON field names. */
#include "cli.h"

#include <sys/stat.h>
#include <unistd.h>

#include "mmd/format.h"
#include "mmd/image.h"
#include "sample_models.h"

static const char *const subcommands[] = {"play", "shot", "dump", "info", "bench"};

static void version_and_help_exit_0_on_stdout(void **state)
{
    (void)state;
    cli_expect(0, "odori ", "--version");
    cli_expect(0, "usage: odori", "--help");
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
        char usage[64];
        snprintf(usage, sizeof usage, "usage: odori %s", subcommands[i]);
        cli_expect(0, usage, "%s --help", subcommands[i]);
        cli_expect(0, usage, "%s --no-such --help", subcommands[i]);
    }
}

static void bad_usage_exits_2_with_one_line(void **state)
{
    (void)state;
    cli_expect(2, "--help", "%s", "");
    cli_expect(2, "nonsense", "nonsense");
    cli_expect(2, "--nonsense", "--nonsense");
    cli_expect(2, "--nonsense", "shot odori.pmx --nonsense -o a.png");
    cli_expect(2, "--help", "shot odori.pmx --nonsense -o a.png");
    cli_expect(2, "no model", "shot -o a.png");
    cli_expect(2, "-o", "shot odori.pmx");
    cli_expect(2, "needs a value", "shot odori.pmx -o");
    cli_expect(2, "no model", "dump --frames 0");
    cli_expect(2, "--frames", "dump odori.pmx");
    cli_expect(2, "no file", "info");
    cli_expect(2, "no model", "bench");
    cli_expect(2, "takes no value", "info --json=1 odori.pmx");
    cli_expect(2, "one model", "dump odori.pmx odori.pmx --frames 0");
    cli_expect(2, "--actors", "bench odori.pmx --actors 0");
}

static void options_take_values_in_both_ways(void **state)
{
    (void)state;
    cli_expect(0, "\"frame\":3", "dump odori.pmx --frames 3 --what camera");
    cli_expect(0, "\"frame\":3", "dump --frames=3 --what=camera odori.pmx -o-");
    cli_expect(0, "\"frame\":3", "dump --frames=3 --what=camera -- odori.pmx");
    cli_expect(3, "--frames", "dump --frames=3 -- --frames");
}

static void values_are_checked(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "--frame -1",
        "--frame x",
        "--frame 1,5",
        "--frame 0x10",
        "--frame nan",
        "--frame inf",
        "--frame ''",
        "--frame 1e999",
        "--size 0x5",
        "--size 5",
        "--size 16385x5",
        "--size 5x",
        "--size -5x5",
        "--size 5x5x5",
        "--background 12345",
        "--background 12345g",
        "--edge yes",
        "--grid 1",
        "--msaa -1",
        "--msaa 65",
        "--msaa 2.5",
        "--light-color 1,2",
        "--light-color 1,2,3,4",
        "--light-dir 0,0,0",
        "--light-dir a,b,c",
        "--pixel-centers d3d",
        "--sdef cubic",
        "--seed -1",
        "--threads 2000",
        "--log loud",
        "--physics maybe",
        "--self-shadow 1",
        "--ground-shadow x",
        "--show faces",
        "--show bodies,",
        "--show bodies,none",
        "--show ''",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cli_expect(2, "--help", "shot odori.pmx -o a.png %s", bad[i]);
    static const char *const bad_frames[] = {"1,",      ",1", "5:1", "0:10:0",     "0:10:-1",
                                             "0:1:2:3", "a",  "-1",  "0:99999999", "''"};
    for (size_t i = 0; i < sizeof bad_frames / sizeof *bad_frames; i++)
        cli_expect(2, "--frames", "dump odori.pmx --frames %s", bad_frames[i]);
    cli_expect(2, "\"5:1\" ends before", "dump odori.pmx --frames 1,5:1,7");
    cli_expect(2, "what", "dump odori.pmx --frames 0 --what bones,feet");
}

static void what_is_not_built_says_so_with_4(void **state)
{
    (void)state;
    cli_expect(2, "--ids", "shot odori.pmx -o - --ids");
    cli_expect(2, "neither file nor mmd", "dump odori.pmx --frames 0 --space moon");
    cli_expect(2, "--ids", "dump odori.pmx --frames 0 --ids");
}

static void bad_files_exit_3_with_one_line(void **state)
{
    (void)state;
    cli_write("bad.pmx", "PMX \0\0\0\x40\x08", 9);
    cli_write("bad.vmd", "Vocaloid Motion Data 0002", 25);
    cli_write("junk\x1b[31m.bin", "\x01\x02\x03", 3);
    cli_expect(3, "missing.pmx", "shot missing.pmx -o a.png");
    cli_expect(3, "missing.pmx", "dump missing.pmx --frames 0");
    cli_expect(3, "missing.pmx", "info missing.pmx");
    cli_expect(3, "missing.pmx", "bench missing.pmx");
    cli_expect(3, "missing.vmd", "shot odori.pmx --motion missing.vmd -o a.png");
    cli_expect(3, "missing.txt", "shot odori.pmx --exec missing.txt -o a.png");
    cli_expect(3, "bad.pmx", "dump bad.pmx --frames 0");
    cli_expect(3, "byte", "info bad.vmd");
    cli_expect(3, "a model instead of a motion", "dump odori.pmx --motion odori.pmx --frames 0");
    cli_expect(3, "a model instead of a motion", "shot odori.pmx --camera odori.pmx -o a.png");
    cli_expect(3, "odori.vmd: a motion or a pose, but shot needs a model", "shot odori.vmd -o a.png");
    cli_expect(3, "dump needs a model", "dump odori.vmd --frames 0");
    cli_expect(3, "bench needs a model", "bench odori.vmd");
    cli_expect(3, "\\x1b", "info \"$(printf 'junk\\033[31m.bin')\"");
    cli_shell("mkdir -p empty");
    cli_expect(3, "empty: it contains no model", "shot empty -o a.png");
}

static void outputs_that_cannot_be_written_exit_4(void **state)
{
    (void)state;
    cli_expect(4, "cannot be written", "dump odori.pmx --frames 0 -o no/such/folder.json");
    cli_expect(4, "cannot be written", "dump odori.pmx --frames 0 -o .");
    cli_expect(4, "cannot be written", "dump odori.pmx --frames 0 -o /dev/full");
}

static void dump_has_the_fields_of_the_contract(void **state)
{
    (void)state;
    json_t *root = cli_json("dump odori.pmx --motion=odori.vmd --frames 0,7:8:0.5,15.5 "
                            "--what bones,morphs,vertices,camera,light");
    assert_string_equal(json_string_value(json_object_get(root, "model")), "odori.pmx");
    json_t *frames = json_object_get(root, "frames");
    static const double expected[] = {0, 7, 7.5, 8, 15.5};
    assert_int_equal(json_array_size(frames), 5);
    for (size_t i = 0; i < 5; i++) {
        json_t *frame = json_array_get(frames, i);
        assert_true(json_number_value(json_object_get(frame, "frame")) == expected[i]);
        json_t *bones = json_object_get(frame, "bones"), *bone = json_array_get(bones, 1);
        assert_int_equal(json_array_size(bones), 33);
        assert_int_equal(json_integer_value(json_object_get(bone, "index")), 1);
        assert_string_equal(json_string_value(json_object_get(bone, "name")), "センター");
        assert_int_equal(json_array_size(json_object_get(bone, "world")), 16);
        assert_null(json_object_get(bone, "internal"));
        assert_true(json_number_value(json_array_get(json_object_get(bone, "world"), 15)) == 1.0);
        json_t *morph = json_array_get(json_object_get(frame, "morphs"), 0);
        assert_string_equal(json_string_value(json_object_get(morph, "name")), "まばたき");
        assert_true(json_is_number(json_object_get(morph, "weight")));
        json_t *vertices = json_object_get(frame, "vertices");
        size_t count = json_array_size(json_object_get(vertices, "positions"));
        assert_true(count > 3000 && count % 3 == 0);
        assert_int_equal(json_array_size(json_object_get(vertices, "normals")), count);
        json_t *camera = json_object_get(frame, "camera");
        assert_true(json_number_value(json_object_get(camera, "distance")) == -45.0);
        assert_int_equal(json_array_size(json_object_get(camera, "position")), 3);
        assert_int_equal(json_array_size(json_object_get(camera, "rotation")), 3);
        assert_true(json_number_value(json_object_get(camera, "fov")) == 30.0);
        assert_true(json_is_true(json_object_get(camera, "perspective")));
        assert_int_equal(json_array_size(json_object_get(json_object_get(frame, "light"), "direction")), 3);
    }
    json_decref(root);
}

/* A third as a float needs nine digits to be read back exactly. */
static void dump_writes_nine_significant_digits(void **state)
{
    (void)state;
    cli_write("third.txt", "bone.translate 頭 0.333333333 0.1 0\n",
              strlen("bone.translate 頭 0.333333333 0.1 0\n"));
    json_t *root = cli_json("dump odori.pmx --frames 0 --what bones,light --exec third.txt");
    json_t *frame = json_array_get(json_object_get(root, "frames"), 0);
    json_t *world = json_object_get(json_array_get(json_object_get(frame, "bones"), 5), "world");
    assert_true((float)json_number_value(json_array_get(world, 12)) == 0.333333333f);
    char text[64];
    snprintf(text, sizeof text, "%.9g", (double)0.333333333f);
    json_decref(root);
    cli_expect(0, text, "dump odori.pmx --frames 0 --what bones --exec third.txt");
}

static void dump_to_a_file_equals_dump_to_stdout(void **state)
{
    (void)state;
    char path[1024];
    mmd_bytes file = {0};
    cli_result to_file = cli_run("dump odori.pmx --frames 3 -o d.json");
    cli_result to_stdout = cli_run("dump odori.pmx --frames 3 -o -");
    assert_int_equal(to_file.code, 0);
    assert_int_equal(to_file.out_size, 0);
    snprintf(path, sizeof path, "%s/d.json", cli_folder());
    assert_int_equal(mmd_file_read(path, &file, NULL), MMD_OK);
    assert_int_equal(file.size, to_stdout.out_size);
    assert_memory_equal(file.data, to_stdout.out, file.size);
    mmd_bytes_finish(&file);
    cli_finish(&to_file);
    cli_finish(&to_stdout);
}

/* Output to a device is written to it, without replacing the device file. */
static void dump_to_a_device_leaves_the_device(void **state)
{
    (void)state;
    struct stat status;
    cli_expect(0, NULL, "dump odori.pmx --frames 0 -o /dev/null");
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void info_json_lists_files_and_matches(void **state)
{
    (void)state;
    json_t *root = cli_json("info odori.pmx odori.vmd --json");
    json_t *model = json_array_get(json_object_get(root, "files"), 0);
    assert_string_equal(json_string_value(json_object_get(model, "kind")), "PMX");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(model, "counts"), "bones")), 33);
    assert_int_equal(json_array_size(json_object_get(json_object_get(model, "textures"), "missing")), 0);
    assert_int_equal(json_integer_value(json_object_get(model, "broken_reference_count")), 0);
    json_t *match = json_array_get(json_object_get(root, "matches"), 0);
    assert_int_equal(json_integer_value(json_object_get(match, "matched_bones")), 22);
    assert_int_equal(json_array_size(json_object_get(match, "unmatched_bones")), 0);
    assert_int_equal(json_array_size(json_object_get(match, "unmatched_morphs")), 0);
    json_decref(root);
}

static size_t missing_textures(const char *file)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments, "info --json %s", file);
    json_t *root = cli_json(arguments);
    json_t *textures = json_object_get(json_array_get(json_object_get(root, "files"), 0), "textures");
    size_t missing = json_array_size(json_object_get(textures, "missing"));
    json_decref(root);
    return missing;
}

static mmd_model *read_figure(void)
{
    char path[1024];
    mmd_bytes file = {0};
    mmd_model *model = NULL;
    snprintf(path, sizeof path, "%s/odori.pmx", cli_folder());
    assert_int_equal(mmd_file_read(path, &file, NULL), MMD_OK);
    assert_int_equal(mmd_pmx_read(file.data, file.size, &model, NULL), MMD_OK);
    mmd_bytes_finish(&file);
    return model;
}

/* Model folders may share textures in folders beside them, but no further away. */
static void textures_are_found_in_folders_beside(void **state)
{
    (void)state;
    mmd_model *model = read_figure();
    mmd_buffer changed = {0};
    char command[2048];
    assert_true(model->texture_count >= 3);
    model->textures[0] = "..\\TEX\\a.png";
    model->textures[1] = "..\\..\\b.png"; /* refused, not missing */
    model->textures[2] = "..\\tex\\b.png";
    for (uint32_t i = 3; i < model->texture_count; i++)
        model->textures[i] = "own.png";
    assert_int_equal(mmd_pmx_write(model, &changed, NULL), MMD_OK);
    mmd_model_destroy(model);
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p up/two/tex up/two/one && touch up/b.png up/two/tex/a.png "
             "up/two/one/own.png"
             " && ln -s up/two/one short",
             cli_folder());
    assert_int_equal(system(command), 0);
    cli_write("up/two/one/m.pmx", changed.data, changed.size);
    mmd_buffer_finish(&changed);
    assert_int_equal(missing_textures("up/two/one/m.pmx"), 1);
    assert_int_equal(missing_textures("short/m.pmx"), 1);
    snprintf(command, sizeof command, "rm '%s'/up/two/tex/a.png", cli_folder());
    assert_int_equal(system(command), 0);
    assert_int_equal(missing_textures("up/two/one/m.pmx"), 2);
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Writes a motion of one bone key without a name and many IK switches with different names. Work quadratic in
 * their number would take minutes. */
static void write_nameless_motion(const char *name, uint32_t switches)
{
    size_t size = 50 + 4 + 111 + 4 + 4 + 4 + 4 + 4 + 9 + 21 * (size_t)switches;
    uint8_t *vmd = calloc(size, 1), *at = vmd;
    assert_non_null(vmd);
    memcpy(at, "Vocaloid Motion Data 0002", 25);
    put_u32(at += 50, 1);
    put_u32(at + 4 + 15 + 4 + 12 + 12, 0x3f800000);
    at += 4 + 111 + 4 * 4; /* no keys of morphs, camera, light, self shadow */
    put_u32(at, 1);
    at += 4 + 4 + 1;
    put_u32(at, switches);
    at += 4;
    for (uint32_t i = 0; i < switches; i++, at += 21)
        snprintf((char *)at, 20, "ik%u", i);
    assert_ptr_equal(at, vmd + size);
    cli_write(name, vmd, size);
    free(vmd);
}

static void info_matches_no_empty_name_and_is_quick_with_many(void **state)
{
    (void)state;
    mmd_model *model = read_figure();
    mmd_buffer changed = {0};
    model->bones[3].name = "";
    assert_int_equal(mmd_pmx_write(model, &changed, NULL), MMD_OK);
    mmd_model_destroy(model);
    cli_write("nameless.pmx", changed.data, changed.size);
    mmd_buffer_finish(&changed);
    write_nameless_motion("nameless.vmd", 200000);
    json_t *root = cli_json("info --json nameless.pmx nameless.vmd");
    json_t *match = json_array_get(json_object_get(root, "matches"), 0);
    assert_int_equal(json_integer_value(json_object_get(match, "matched_bones")), 0);
    assert_int_equal(json_array_size(json_object_get(match, "unmatched_bones")), 1);
    json_t *switches = json_object_get(match, "unmatched_ik_switches");
    assert_int_equal(json_array_size(switches), 200000);
    assert_string_equal(json_string_value(json_array_get(switches, 100)), "ik100");
    json_decref(root);
}

static int64_t count_of(const json_t *model, const char *group, const char *kind)
{
    const json_t *count = json_object_get(json_object_get(model, group), kind);
    if (!json_is_integer(count))
        fail_msg("no %s in %s", kind, group);
    return json_integer_value(count);
}

/* The sample model has one of everything that a PMX can hold. */
static void info_counts_every_feature(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        {"counts", "soft_bodies"},
        {"counts", "additional_uvs"},
        {"deforms", "SDEF"},
        {"deforms", "QDEF"},
        {"material_kinds", "two_sided"},
        {"material_kinds", "vertex_color"},
        {"material_kinds", "own_toon"},
        {"sphere_modes", "sub_texture"},
        {"bone_kinds", "append_rotation"},
        {"bone_kinds", "external_parent"},
        {"ik", "chains"},
        {"ik", "limited_links"},
        {"morph_kinds", "flip"},
        {"morph_kinds", "additional_uv4"},
        {"morph_panels", "brow"},
        {"display_frame_kinds", "special"},
        {"body_modes", "physics_with_bone"},
        {"body_shapes", "capsule"},
        {"joint_kinds", "hinge"},
        {"joint_kinds", "spring_6dof"},
    };
    mmd_model sample;
    mmd_buffer file = {0};
    sample_everything(&sample, 1, 1);
    assert_int_equal(mmd_pmx_write(&sample, &file, NULL), MMD_OK);
    sample_finish(&sample);
    cli_write("everything.pmx", file.data, file.size);
    mmd_buffer_finish(&file);
    json_t *root = cli_json("info --json everything.pmx");
    json_t *model = json_array_get(json_object_get(root, "files"), 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (count_of(model, kinds[i][0], kinds[i][1]) < 1)
            fail_msg("%s of %s is 0", kinds[i][1], kinds[i][0]);
    json_decref(root);
    root = cli_json("info --json odori.pmx");
    model = json_array_get(json_object_get(root, "files"), 0);
    assert_int_equal(count_of(model, "ik", "chains"), 4);
    assert_int_equal(count_of(model, "morph_kinds", "vertex"), 3);
    assert_int_equal(count_of(model, "joint_kinds", "hinge"), 0);
    json_decref(root);
}

/* After a bad file the others are still reported; the exit code is that of the first bad file. */
static void info_goes_on_after_a_bad_file(void **state)
{
    (void)state;
    json_error_t error;
    cli_write("bad.pmx", "PMX \0\0\0\x40\x08", 9);
    cli_result text = cli_run("info bad.pmx odori.pmx missing.vmd odori.vmd");
    assert_int_equal(text.code, 3);
    assert_non_null(strstr(text.err, "bad.pmx"));
    assert_non_null(strstr(text.err, "missing.vmd"));
    assert_non_null(strstr(text.out, "bones matched"));
    cli_finish(&text);
    cli_result result = cli_run("info --json bad.pmx odori.pmx");
    assert_int_equal(result.code, 3);
    json_t *root = json_loads(result.out, JSON_REJECT_DUPLICATES, &error);
    assert_non_null(root);
    cli_finish(&result);
    json_t *files = json_object_get(root, "files");
    assert_int_equal(json_array_size(files), 2);
    assert_true(json_is_string(json_object_get(json_array_get(files, 0), "error")));
    assert_string_equal(json_string_value(json_object_get(json_array_get(files, 1), "kind")), "PMX");
    json_decref(root);
}

static void info_reports_textures_that_are_no_pictures(void **state)
{
    (void)state;
    mmd_bytes model = {0};
    char path[1024], command[1024];
    snprintf(command, sizeof command, "mkdir -p '%s'/broken", cli_folder());
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/odori.pmx", cli_folder());
    assert_int_equal(mmd_file_read(path, &model, NULL), MMD_OK);
    cli_write("broken/m.pmx", model.data, model.size);
    cli_write("broken/eye.png", "no picture", 10);
    mmd_bytes_finish(&model);
    json_t *root = cli_json("info --json broken/m.pmx");
    json_t *textures = json_object_get(json_array_get(json_object_get(root, "files"), 0), "textures");
    json_t *unreadable = json_object_get(textures, "unreadable");
    assert_int_equal(json_array_size(unreadable), 1);
    assert_int_equal(strncmp(json_string_value(json_array_get(unreadable, 0)), "eye.png: ", 9), 0);
    assert_int_equal(json_integer_value(json_object_get(textures, "found")), 1);
    json_decref(root);
}

static void info_tells_what_a_motion_does_not_find(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    json_t *root = cli_json("info --json '" ODORI_SHARED "/data/models/miku/初音ミク.pmx' '" ODORI_SHARED
                            "/data/motions/kishimen.vmd' '" ODORI_SHARED "/data/motions/blender_test.vpd'");
    json_t *matches = json_object_get(root, "matches");
    assert_int_equal(json_array_size(matches), 2);
    assert_int_equal(json_array_size(json_object_get(json_array_get(matches, 0), "unmatched_bones")), 0);
    json_t *morphs = json_object_get(json_array_get(matches, 0), "unmatched_morphs");
    assert_string_equal(json_string_value(json_array_get(morphs, 0)), "base");
    json_decref(root);
}

static void commands_before_the_first_frame_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"# fine\n\nplay\nnonsense\n", "c.txt:4: "},
        {"bone.rotate 頭 1 2\n", "c.txt:1: "},
        {"bone.rotate 頭 1 2 x\n", "c.txt:1: "},
        {"undo\nbone.rotate nobody 1 2 3\n", "c.txt:2: "},
        {"morph.set nothing 1\n", "c.txt:1: "},
        {"morph.set \"あ 1\n", "quote"},
        {"view.edge maybe\n", "c.txt:1: "},
        {"view.bodies on\nview.faces on\n", "c.txt:2: "},
        {"camera.zoom 0\n", "c.txt:1: "},
        {"frame.set -1\n", "c.txt:1: "},
        {"model.select 1\n", "c.txt:1: "},
        {"light.direction 0 0 0\n", "c.txt:1: "},
        {"play\x1b[31m\n", "\\x1b"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cli_write("c.txt", bad[i].text, strlen(bad[i].text));
        cli_expect(2, bad[i].message, "dump odori.pmx --frames 0 --exec c.txt -o c.json");
    }
    cli_write("c.txt", "undo\nfoo\n", 9);
    cli_expect(2, "stdin:2: ", "dump odori.pmx --frames 0 --exec - <c.txt");
}

/* Returns the world matrix of a bone after some commands. */
static void world_after(const char *commands, size_t bone, double world[16])
{
    cli_write("w.txt", commands, strlen(commands));
    json_t *root = cli_json("dump odori.pmx --frames 0 --what bones --exec w.txt");
    json_t *frame = json_array_get(json_object_get(root, "frames"), 0);
    json_t *matrix = json_object_get(json_array_get(json_object_get(frame, "bones"), bone), "world");
    for (size_t i = 0; i < 16; i++)
        world[i] = json_number_value(json_array_get(matrix, i));
    json_decref(root);
}

static void bone_rotate_is_absolute_and_in_order_xyz(void **state)
{
    (void)state;
    double w[16];
    /* X by 90 degrees, then Z by 90: the bone's Y axis turns to Z and stays there; its X axis turns to Y. */
    world_after("bone.rotate \"頭\" 7 8 9\nbone.rotate 頭 90 0 90 # again\n", 5, w);
    static const double expected[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            assert_true(fabs(w[4 * c + r] - expected[3 * c + r]) < 1e-6);
}

static void undo_and_redo_restore_values(void **state)
{
    (void)state;
    double rest[16], moved[16], undone[16], redone[16];
    world_after("", 5, rest);
    world_after("bone.translate 頭 1 2 3\nbone.rotate 頭 10 20 30\n", 5, moved);
    world_after("bone.translate 頭 1 2 3\nbone.rotate 頭 10 20 30\nundo\nundo\nundo\n", 5, undone);
    world_after("bone.translate 頭 1 2 3\nbone.rotate 頭 10 20 30\nundo\nundo\nredo\nredo\nredo\n", 5,
                redone);
    assert_memory_equal(undone, rest, sizeof rest);
    assert_memory_equal(redone, moved, sizeof moved);
    assert_memory_not_equal(rest, moved, sizeof rest);
}

static double weight_after(const char *commands, size_t morph)
{
    cli_write("m.txt", commands, strlen(commands));
    json_t *root = cli_json("dump odori.pmx --motion odori.vmd --frames 150 --what morphs --exec m.txt");
    json_t *frame = json_array_get(json_object_get(root, "frames"), 0);
    double weight =
        json_number_value(json_object_get(json_array_get(json_object_get(frame, "morphs"), morph), "weight"));
    json_decref(root);
    return weight;
}

static void morphs_by_hand_replace_the_motion_until_reset(void **state)
{
    (void)state;
    double motion = weight_after("", 1);
    assert_true(motion == 1.0);
    assert_true(weight_after("morph.set 笑い 0.25\n", 1) == 0.25);
    assert_true(weight_after("morph.set 笑い 0.25\nmorph.reset\n", 1) == motion);
    assert_true(weight_after("morph.set 笑い 0.25\nmorph.reset\nundo\n", 1) == 0.25);
    assert_true(weight_after("morph.set 笑い 0.25\nmorph.set 笑い 0.5\nundo\nundo\n", 1) == motion);
}

static void camera_commands_reach_the_dump(void **state)
{
    (void)state;
    static const char commands[] = "camera.set -30 1 2 3 0.1 0.2 0.3 45\ncamera.zoom 2\n";
    cli_write("cam.txt", commands, strlen(commands));
    json_t *root = cli_json("dump odori.pmx --frames 0 --what camera --exec cam.txt");
    json_t *camera = json_object_get(json_array_get(json_object_get(root, "frames"), 0), "camera");
    assert_true(json_number_value(json_object_get(camera, "distance")) == -60.0);
    assert_true(json_number_value(json_array_get(json_object_get(camera, "position"), 2)) == 3.0);
    assert_true(json_number_value(json_object_get(camera, "fov")) == 45.0);
    json_decref(root);
}

static void no_command_drives_the_camera_to_infinity(void **state)
{
    (void)state;
    static const char commands[] = "camera.zoom 1e30\ncamera.zoom 1e30\ncamera.pan 1e30 1e30\n"
                                   "camera.pan 1e30 -1e30\ncamera.orbit 1e30 1e30\ncamera.orbit 1 1\n"
                                   "camera.pan 1e30 1e30\n";
    cli_write("far.txt", commands, strlen(commands));
    json_t *root = cli_json("dump odori.pmx --frames 0 --what camera --exec far.txt");
    json_t *camera = json_object_get(json_array_get(json_object_get(root, "frames"), 0), "camera");
    assert_true(json_is_number(json_object_get(camera, "distance")));
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_is_number(json_array_get(json_object_get(camera, "position"), i)));
        assert_true(json_is_number(json_array_get(json_object_get(camera, "rotation"), i)));
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_and_help_exit_0_on_stdout),
        cmocka_unit_test(bad_usage_exits_2_with_one_line),
        cmocka_unit_test(options_take_values_in_both_ways),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(what_is_not_built_says_so_with_4),
        cmocka_unit_test(bad_files_exit_3_with_one_line),
        cmocka_unit_test(outputs_that_cannot_be_written_exit_4),
        cmocka_unit_test(dump_has_the_fields_of_the_contract),
        cmocka_unit_test(dump_writes_nine_significant_digits),
        cmocka_unit_test(dump_to_a_file_equals_dump_to_stdout),
        cmocka_unit_test(dump_to_a_device_leaves_the_device),
        cmocka_unit_test(info_json_lists_files_and_matches),
        cmocka_unit_test(textures_are_found_in_folders_beside),
        cmocka_unit_test(info_matches_no_empty_name_and_is_quick_with_many),
        cmocka_unit_test(info_counts_every_feature),
        cmocka_unit_test(info_goes_on_after_a_bad_file),
        cmocka_unit_test(info_reports_textures_that_are_no_pictures),
        cmocka_unit_test(info_tells_what_a_motion_does_not_find),
        cmocka_unit_test(commands_before_the_first_frame_are_checked),
        cmocka_unit_test(bone_rotate_is_absolute_and_in_order_xyz),
        cmocka_unit_test(undo_and_redo_restore_values),
        cmocka_unit_test(morphs_by_hand_replace_the_motion_until_reset),
        cmocka_unit_test(camera_commands_reach_the_dump),
        cmocka_unit_test(no_command_drives_the_camera_to_infinity),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
