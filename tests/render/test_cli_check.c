/* `odori check`: baselines, reports, shards, interrupted runs, and images that record their scene. */
#ifdef ODORI_TEST_SLOWLY /* builds that leave out some of the tests */
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#include "cli.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mmd/cursor.h"
#include "mmd/format.h"
#include "mmd/image.h"
#include "sample_accessories.h"

static const char *place(const char *name, char path[1024])
{
    snprintf(path, 1024, "%s/%s", cli_folder(), name);
    return path;
}

static mmd_bytes read_output(const char *name)
{
    char path[1024];
    mmd_bytes bytes = {0};
    if (mmd_file_read(place(name, path), &bytes, NULL) != MMD_OK)
        fail_msg("there is no %s", name);
    return bytes;
}

static void write_output(const char *name, const void *data, size_t size)
{
    char path[1024];
    assert_int_equal(mmd_file_write(place(name, path), data, size, NULL), MMD_OK);
}

static bool exists(const char *name)
{
    char path[1024];
    return access(place(name, path), F_OK) == 0;
}

static void assert_same_folders(const char *a, const char *b)
{
    char command[512];
    /* What is attached is named from outside of the report. */
    snprintf(command, sizeof command,
             "sed -i 's,ATTACHMENT|%s/,ATTACHMENT|,' '%s/junit.xml'; sed -i 's,ATTACHMENT|%s/,ATTACHMENT|,' "
             "'%s/junit.xml'; diff -r '%s' '%s' >&2",
             a, a, b, b, a, b);
    cli_shell(command);
}

/* Runs `check`, and requires an exit code and a text on stdout (from exit code 2 on also on stderr). */
static void check(int code, const char *text, const char *arguments)
{
    cli_result result = cli_run("check %s", arguments);
    if (result.code != code)
        fail_msg("check %s: exit code %d, not %d: %s%s", arguments, result.code, code, result.out,
                 result.err);
    if (text && !strstr(result.out, text) && !strstr(result.err, text))
        fail_msg("check %s: no \"%s\" in: %s%s", arguments, text, result.out, result.err);
    cli_finish(&result);
}

/* Writes the figure's dance with each bone moved up by half a unit. */
static void write_other_dance(const char *name)
{
    mmd_bytes vmd = read_output("odori.vmd");
    mmd_motion *motion = NULL;
    mmd_buffer changed = {0};
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
    for (uint32_t i = 0; i < motion->bone_track_count; i++)
        for (uint32_t k = 0; k < motion->bone_tracks[i].count; k++)
            motion->bone_tracks[i].keys[k].translation[1] += 0.5f;
    assert_int_equal(mmd_vmd_write(motion, &changed, NULL), MMD_OK);
    write_output(name, changed.data, changed.size);
    mmd_buffer_finish(&changed);
    mmd_motion_destroy(motion);
    mmd_bytes_finish(&vmd);
}

/* Four small scenes of the figure, two of them from patterns. */
static const char suite[] =
    "{\"baselines\":\"base\",\n"
    " \"defaults\":{\"size\":[160,120],\"motion\":\"odori.vmd\",\"frames\":[0,30]},\n"
    " \"scenes\":[\n"
    "  {\"name\":\"still\",\"model\":\"odori.pmx\",\"frames\":0,\"view\":{\"edge\":false}},\n"
    "  {\"name\":\"dance\",\"model\":\"odori.pmx\",\"frames\":\"0:40:20\"},\n"
    "  {\"name\":\"turned\",\"model\":\"odori.pmx\",\"exec\":[\"bone.rotate 頭 0 30 0\",\"camera.orbit 20 "
    "0\"]},\n"
    "  {\"name\":\"each\",\"models\":\"**/copy*.pmx\",\"motions\":\"*.vmd\"}]}\n";

/* Makes a folder with the suite and, in a subfolder, two copies of the model. */
static void make_suite(const char *folder)
{
    char command[1024];
    snprintf(command, sizeof command,
             "rm -rf %s && mkdir -p %s/deep/er && cp *.pmx *.png odori.vmd %s && cp odori.pmx "
             "%s/deep/copy1.pmx && "
             "cp odori.pmx %s/deep/er/copy2.pmx && cp *.png %s/deep && cp *.png %s/deep/er",
             folder, folder, folder, folder, folder, folder, folder);
    cli_shell("rm -f a.png b.png c.png");
    cli_shell(command);
    char name[512];
    snprintf(name, sizeof name, "%s/suite.json", folder);
    cli_write_text(name, suite);
}

static void baselines_are_missed_accepted_and_held_to(void **state)
{
    (void)state;
    make_suite("one");
    check(1, "5 scenes: 5 without a baseline", "one/suite.json");
    check(0, "2 scenes: 2 accepted", "one/suite.json --accept --only 'each*'");
    check(1, "5 scenes: 2 passed, 3 without a baseline", "one/suite.json");
    check(0, "1 scene: 1 accepted", "one/suite.json --accept --only still");
    check(0, "3 scenes: 3 passed", "one/suite.json --only still --only 'each-copy?-odori'");
    check(0, "5 accepted", "one/suite.json --accept");
    check(0, "5 scenes: 5 passed", "one/suite.json");
    cli_shell(
        "ls one/base/*/dance/20.json one/base/*/dance/40.png one/base/*/each-copy2-odori/30.png >/dev/null");
}

static void options_of_the_command_line_are_over_those_of_scenes(void **state)
{
    (void)state;
    make_suite("over");
    check(0, NULL, "over/suite.json --accept --only dance --only still");
    check(1, "first step that differs: settings", "over/suite.json --only dance --grid on");
    check(0, "1 passed", "over/suite.json --only still --edge=off"); /* the default */
    cli_write_text("commands.txt", "bone.rotate 頭 0 20 0\n");
    check(1, NULL, "over/suite.json --only dance --exec commands.txt");
    check(3, "exec, line 2: unknown command", "over/suite.json --only dance --exec - <over/suite.json");
    check(3, "none.txt", "over/suite.json --exec none.txt");
    check(2, "--msaa", "over/suite.json --msaa 99");
    check(1, NULL, "over/suite.json --report o1 --shard 1/2 --grid on");
    check(1, NULL, "over/suite.json --report o2 --shard 2/2");
    check(3, "another suite", "--merge o1 o2 --report o");
}

/* The figure as a stage prop does not move with the dance. */
static void scenes_have_a_stage(void **state)
{
    (void)state;
    make_suite("on");
    cli_write_text("on/suite.json", "{\"scenes\":[{\"name\":\"a\",\"size\":[160,120],\"model\":\"odori.pmx\","
                                    "\"stage\":\"deep/copy1.pmx\",\"motion\":\"odori.vmd\",\"frames\":30}]}");
    check(0, NULL, "on/suite.json --accept");
    check(0, "equal", "on/baselines/*/a/30.png");
    cli_write_text("on/suite.json", "{\"scenes\":[{\"name\":\"a\",\"size\":[160,120],\"model\":\"odori.pmx\","
                                    "\"motion\":\"odori.vmd\",\"frames\":30}]}");
    check(1, "first step that differs: model", "on/suite.json");
}

static json_t *results_of(const char *report)
{
    char name[512], path[1024];
    json_error_t error;
    snprintf(name, sizeof name, "%s/results.json", report);
    json_t *root = json_load_file(place(name, path), JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s: %s", name, error.text);
    return root;
}

static const json_t *scene_of(const json_t *root, const char *name)
{
    const json_t *scenes = json_object_get(root, "scenes");
    for (size_t i = 0; i < json_array_size(scenes); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(scenes, i), "name")), name) == 0)
            return json_array_get(scenes, i);
    fail_msg("no scene %s", name);
    return NULL;
}

/* Requires the first differing stage that the first failing frame of a scene reports. */
static void assert_stage(const char *report, const char *name, const char *stage, const char *detail)
{
    json_t *root = results_of(report);
    const json_t *scene = scene_of(root, name), *frames = json_object_get(scene, "frames");
    const char *found = "", *more = "";
    for (size_t i = 0; !*found && i < json_array_size(frames); i++) {
        const json_t *frame = json_array_get(frames, i);
        if (json_object_get(frame, "stage"))
            found = json_string_value(json_object_get(frame, "stage"));
        if (json_object_get(frame, "detail"))
            more = json_string_value(json_object_get(frame, "detail"));
    }
    if (strcmp(found, stage) != 0 || !strstr(more, detail))
        fail_msg("%s: the first stage is \"%s\" (%s), not %s (%s)", name, found, more, stage, detail);
    json_decref(root);
}

/* Requires that the changes of some frame of a scene contain a text. */
static void assert_change(const char *report, const char *name, const char *text)
{
    json_t *root = results_of(report);
    const json_t *frames = json_object_get(scene_of(root, name), "frames");
    bool found = false;
    for (size_t i = 0; i < json_array_size(frames); i++) {
        const json_t *changes = json_object_get(json_array_get(frames, i), "changes");
        for (size_t k = 0; k < json_array_size(changes); k++)
            found = found || strstr(json_string_value(json_array_get(changes, k)), text);
    }
    if (!found)
        fail_msg("%s: no change like \"%s\": %s", name, text, json_dumps(frames, 0));
    json_decref(root);
}

/* Replaces text in the files that match a pattern. */
static void change_file(const char *pattern, const char *from, const char *to)
{
    char command[1024];
    snprintf(command, sizeof command, "sed -i 's|%s|%s|' %s", from, to, pattern);
    cli_shell(command);
}

static void the_first_stage_that_differs_is_named(void **state)
{
    (void)state;
    make_suite("two");
    check(0, NULL, "two/suite.json --accept");
    write_other_dance("two/odori.vmd");
    check(1, "fail  dance: 3 of 3 frames failed, worst ", "two/suite.json --only dance --report r");
    check(1, "first step that differs: motion", "two/suite.json --only dance --report r");
    assert_stage("r", "dance", "motion", "first bone: ");
    assert_change("r", "dance", "motion odori.vmd has changed: ");
    cli_shell("cp odori.vmd two/odori.vmd");

    change_file("two/suite.json", "頭 0 30 0", "頭 0 31 0");
    check(1, NULL, "two/suite.json --only turned --report r");
    assert_stage("r", "turned", "settings", "");
    assert_change("r", "turned", "0 30 0;camera.orbit 20 0 -> bone.rotate 頭 0 31 0;camera.orbit 20 0");
    check(1, "view.grid: off -> on", "two/suite.json --only still --grid on");
    change_file("two/suite.json", "頭 0 31 0", "頭 0 30 0");

    cli_shell("cp two/base/*/dance/0.png two/base/*/dance/20.png");
    check(1, "1 of 3 frames failed, worst 20: it is not equal to its baseline (largest ",
          "two/suite.json --only dance --report r");
    assert_stage("r", "dance", "baseline", "belong to another picture");

    change_file("two/base/*/dance/20.json", "\"image\": \"........", "\"image\": \"00000000");
    check(1, NULL, "two/suite.json --only dance --report r");
    assert_stage("r", "dance", "image", "");
    change_file("two/base/*/dance/20.json", "\"vertices\": \"........", "\"vertices\": \"00000000");
    check(1, NULL, "two/suite.json --only dance --report r");
    assert_stage("r", "dance", "vertices", "");
    change_file("two/base/*/dance/20.json", "\"bones\": \"........", "\"bones\": \"00000000");
    change_file("two/base/*/dance/20.json", "\"bones_by_bone\": \"........", "\"bones_by_bone\": \"00000000");
    check(1, NULL, "two/suite.json --only dance --report r");
    assert_stage("r", "dance", "bones", "first bone: 全ての親 (of 1 that differ)");
}

/* Missing or damaged hashes are reported even if the images are equal, and then no stage is named. */
static void hashes_that_are_missing_or_damaged_are_told(void **state)
{
    (void)state;
    make_suite("hash");
    check(0, NULL, "hash/suite.json --accept --only dance --only still");
    cli_shell("cp hash/base/*/dance/0.png $(ls hash/base/*/dance/20.png) && rm hash/base/*/dance/20.json");
    change_file("hash/base/*/dance/40.json", "\"image\": \"....", "\"image\": \"zz");
    cli_shell("truncate -s 100 hash/base/*/still/0.json");
    check(1, "warning  dance: the hashes beside 1 of 3 baselines are missing, the first one is frame 20",
          "hash/suite.json --only dance --report r");
    assert_stage("r", "dance", "", "");
    check(1, "warning  dance: the hashes beside 1 of 3 baselines are damaged, the first one is frame 40",
          "hash/suite.json --only dance");
    check(0, "warning  still: the hashes beside the baseline are damaged\n1 scene: 1 passed; 1 warning",
          "hash/suite.json --only still");
    check(1, "fail  still: warnings count as failures (strict)", "hash/suite.json --only still --strict");
}

static void assert_warning(const json_t *scene, const char *text)
{
    const json_t *warnings = json_object_get(scene, "warnings");
    for (size_t i = 0; i < json_array_size(warnings); i++)
        if (strcmp(json_string_value(json_array_get(warnings, i)), text) == 0)
            return;
    char *all = json_dumps(scene, JSON_INDENT(1));
    fail_msg("no \"%s\" in %s", text, all);
}

static void write_motion(const char *name, const mmd_motion *motion, size_t cut)
{
    mmd_buffer vmd = {0};
    assert_int_equal(mmd_vmd_write(motion, &vmd, NULL), MMD_OK);
    write_output(name, vmd.data, vmd.size - cut);
    mmd_buffer_finish(&vmd);
}

/* Writes motions without effect, a truncated one, and a model with a missing texture. */
static void make_warnings(void)
{
    make_suite("warn");
    mmd_bytes vmd = read_output("odori.vmd");
    write_output("warn/cut.vmd", vmd.data, vmd.size * 2 / 3);
    mmd_bytes_finish(&vmd);
    write_motion("warn/empty.vmd", &(mmd_motion){0}, 0);
    cli_shell("rm \"warn/$(ls *.png | head -1)\"");
    cli_write_text("warn/suite.json",
                   "{\"defaults\":{\"size\":[160,120],\"model\":\"odori.pmx\"},\"scenes\":["
                   "{\"name\":\"fine\",\"model\":\"deep/copy1.pmx\",\"motion\":\"odori.vmd\"},"
                   "{\"name\":\"odd\",\"motion\":[\"cut.vmd\",\"empty.vmd\"],\"camera\":\"empty.vmd\"},"
                   "{\"name\":\"again\",\"motion\":\"cut.vmd\"}]}");
}

/* Requires the six warnings of the suite that make_warnings wrote. */
static void assert_warnings(const char *report, const char *texture)
{
    char sentence[256];
    json_t *root = results_of(report);
    const json_t *odd = scene_of(root, "odd"), *again = scene_of(root, "again");
    snprintf(sentence, sizeof sentence, "texture %s of odori.pmx is missing or not a picture", texture);
    assert_warning(odd, sentence);
    assert_warning(odd, "motion cut.vmd is truncated; its complete keyframes are used");
    assert_warning(odd, "motion empty.vmd has no effect: no model has a bone or morph with one of its names");
    assert_warning(odd, "camera empty.vmd has no camera, light or self shadow keyframes");
    /* Warnings of files that an earlier scene loaded are repeated for this scene. */
    assert_warning(again, sentence);
    assert_warning(again, "motion cut.vmd is truncated; its complete keyframes are used");
    assert_null(json_object_get(scene_of(root, "fine"), "warnings"));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "summary"), "warnings")), 6);
    json_decref(root);
}

static void warnings_are_results_and_with_strict_failures(void **state)
{
    (void)state;
    char texture[256] = "";
    make_warnings();
    cli_shell("ls *.png | head -1 >first.txt");
    mmd_bytes first = read_output("first.txt");
    snprintf(texture, sizeof texture, "%.*s", (int)first.size - 1, (const char *)first.data);
    mmd_bytes_finish(&first);
    check(0, "3 scenes: 3 accepted; 6 warnings", "warn/suite.json --accept --report w");
    assert_warnings("w", texture);
    check(0, "3 scenes: 3 passed; 6 warnings", "warn/suite.json --jobs 2 --report w");
    assert_warnings("w", texture);
    cli_shell("grep -q '<system-out>warning: texture' w/junit.xml && grep -q 'failures=\"0\"' w/junit.xml");
    cli_shell("grep -q '\"warnings\":\\[\"texture' w/index.html");
    check(1, "3 scenes: 1 passed, 2 failed; 6 warnings", "warn/suite.json --strict --report w");
    cli_shell("grep -q '<failure message=\"warnings count as failures (strict)\"' w/junit.xml");
    /* A strict suite does not write baselines of scenes with warnings. */
    change_file("warn/suite.json", "^{", "{\"strict\":true,");
    cli_shell("rm -r warn/baselines");
    check(1, "3 scenes: 2 failed, 1 accepted; 6 warnings", "warn/suite.json --accept");
    cli_shell("ls warn/baselines/*/fine/0.png >/dev/null && ! ls warn/baselines/*/odd >/dev/null 2>&1");
}

static void a_changed_texture_and_a_changed_model_are_told_apart(void **state)
{
    (void)state;
    make_suite("three");
    check(0, NULL, "three/suite.json --accept --only dance");
    cli_shell(
        "for f in three/*.png; do cp \"$(ls three/*.png | tail -1)\" \"$f.new\"; mv \"$f.new\" \"$f\"; done");
    check(1, NULL, "three/suite.json --only dance --report r");
    assert_stage("r", "dance", "textures", "");
    assert_change("r", "dance", ".png has changed: ");
    cli_shell("cp *.png three && cat odori.pmx >three/odori.pmx");
    check(0, NULL, "three/suite.json --only dance");
    /* Change the height of the first vertex, which follows the texts of the header. */
    mmd_bytes pmx = read_output("three/odori.pmx");
    mmd_model *model = NULL;
    mmd_buffer changed = {0};
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    for (uint32_t i = 0; i < model->vertices.count; i++)
        model->vertices.position[i][1] += 0.5f;
    assert_int_equal(mmd_pmx_write(model, &changed, NULL), MMD_OK);
    write_output("three/odori.pmx", changed.data, changed.size);
    mmd_buffer_finish(&changed);
    mmd_model_destroy(model);
    mmd_bytes_finish(&pmx);
    check(1, NULL, "three/suite.json --only dance --report r");
    assert_stage("r", "dance", "model", "");
    assert_change("r", "dance", "model odori.pmx has changed: ");
}

/* Writes a suite of one scene with these fields into the folder "tol". */
static void write_scene(const char *fields)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"defaults\":{\"size\":[160,120],\"motion\":\"odori.vmd\"},\"scenes\":[{\"name\":\"a\","
             "\"model\":\"odori.pmx\",\"frames\":20%s}]}",
             fields);
    cli_write_text("tol/suite.json", text);
}

/* A value of a field and the expected exit code for an image in which the head is rotated. */
typedef struct verdict {
    const char *value;
    int code;
} verdict;

/* Writes a suite of scenes "0", "1" ... of the same image. With turned, the head is rotated and each scene
 * has its value of the field. */
static void write_scenes(const char *key, const verdict *cases, size_t count, bool turned)
{
    mmd_buffer text = {0};
    mmd_write_format(&text,
                     "{\"defaults\":{\"size\":[160,120],\"motion\":\"odori.vmd\",\"model\":\"odori.pmx\","
                     "\"frames\":20%s},\"scenes\":[",
                     turned ? ",\"exec\":\"bone.rotate 頭 0 20 0\"" : "");
    for (size_t i = 0; i < count; i++) {
        mmd_write_format(&text, "%s{\"name\":\"%zu\"", i ? "," : "", i);
        if (turned)
            mmd_write_format(&text, ",\"%s\":%s", key, cases[i].value);
        mmd_write_format(&text, "}");
    }
    mmd_write_format(&text, "]}");
    write_output("tol/suite.json", text.data, text.size);
    mmd_buffer_finish(&text);
}

/* Requires that each scene with its value of the field passes (0), fails (1) or cannot be drawn (3). */
static void assert_verdicts(const char *key, const verdict *cases, size_t count)
{
    int worst = 0;
    write_scenes(key, cases, count, false);
    check(0, NULL, "tol/suite.json --accept");
    write_scenes(key, cases, count, true);
    for (size_t i = 0; i < count; i++)
        worst = cases[i].code > worst ? cases[i].code : worst;
    check(worst, NULL, "tol/suite.json --report tol/r");
    json_t *root = results_of("tol/r");
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", i);
        const char *status = json_string_value(json_object_get(scene_of(root, name), "status"));
        const char *wanted = cases[i].code == 0 ? "pass" : cases[i].code == 1 ? "fail" : "error";
        if (strcmp(status, wanted) != 0)
            fail_msg("%s %s: %s, not %s", key, cases[i].value, status, wanted);
    }
    json_decref(root);
}

static void accept_unturned(void)
{
    cli_shell("rm -rf tol && mkdir tol && cp odori.pmx odori.vmd *.png tol");
    write_scene("");
    check(0, NULL, "tol/suite.json --accept");
}

/* Returns the text that an image carries. By the PNG specification (11.3.4) a chunk has a length, type, data
 * and CRC. Free with free. */
static char *text_chunk(const mmd_bytes *png)
{
    for (size_t at = 8; at + 12 < png->size;) {
        const uint8_t *c = png->data + at;
        size_t length = (size_t)c[0] << 24 | (size_t)c[1] << 16 | (size_t)c[2] << 8 | c[3];
        const char *key = (const char *)c + 8;
        size_t skip = memcmp(c + 4, "iTXt", 4) == 0 ? sizeof "odori.scene" + 4 : sizeof "odori.scene";
        if ((memcmp(c + 4, "iTXt", 4) == 0 || memcmp(c + 4, "tEXt", 4) == 0) &&
            memcmp(key, "odori.scene", sizeof "odori.scene") == 0) {
            char *text = calloc(length - skip + 1, 1);
            assert_non_null(text);
            memcpy(text, key + skip, length - skip);
            return text;
        }
        at += length + 12;
    }
    fail_msg("a picture that says nothing of itself");
    return NULL;
}

/* Replaces the pixels of an image by those of another and keeps its text. */
static void set_pixels(const char *pattern, const char *other)
{
    char command[1024], name[64] = "taken.png";
    snprintf(command, sizeof command, "cp %s %s", pattern, name);
    cli_shell(command);
    mmd_bytes bytes = read_output(name), pixels = read_output(other);
    mmd_image image = {0};
    mmd_buffer png = {0};
    char *text = text_chunk(&bytes);
    const mmd_image_text chunk = {"odori.scene", text};
    const mmd_png_options options = {.texts = &chunk, .text_count = 1};
    assert_int_equal(mmd_image_decode(pixels.data, pixels.size, other, &image, NULL), MMD_OK);
    assert_int_equal(mmd_png_write(&image, &options, &png, NULL), MMD_OK);
    write_output(name, png.data, png.size);
    snprintf(command, sizeof command, "cp %s %s", name, pattern);
    cli_shell(command);
    free(text);
    mmd_buffer_finish(&png);
    mmd_image_finish(&image);
    mmd_bytes_finish(&bytes);
    mmd_bytes_finish(&pixels);
}

/* If no file and no setting changed, the report names the program itself as changed. All exceeded limits are
 * reported. */
static void what_has_not_changed_is_told_too(void **state)
{
    (void)state;
    accept_unturned();
    write_scene(",\"tolerance\":{\"mean\":0.001,\"share\":0.001,\"flip\":0.001}");
    cli_expect(0, NULL, "shot odori.pmx --motion odori.vmd --frame 44 --size 160x120 -o other.png");
    set_pixels("tol/baselines/*/a/20.png", "other.png");
    check(1, "; no file and no setting has changed", "tol/suite.json");
    cli_result result = cli_run("check tol/suite.json");
    assert_non_null(strstr(result.out, "mean is "));
    assert_non_null(strstr(result.out, ", at most 0.001 is allowed; share is "));
    assert_non_null(strstr(result.out, "; flip is "));
    assert_non_null(strstr(result.out, ", FLIP 0."));
    cli_finish(&result);
}

static void tolerances_decide(void **state)
{
    (void)state;
    static const verdict cases[] = {
        {"{}", 1},
        {"{\"threshold\":255}", 1},
        {"{\"max\":255}", 0},
        {"{\"mean\":255}", 0},
        {"{\"mean\":0.0001}", 1},
        {"{\"p99\":255}", 0},
        {"{\"share\":1}", 0},
        {"{\"share\":0.0001}", 1},
        {"{\"share\":0,\"threshold\":255}", 0},
        {"{\"psnr\":5}", 0},
        {"{\"psnr\":90}", 1},
        {"{\"ssim\":0.1}", 0},
        {"{\"ssim\":0.9999}", 1},
        {"{\"flip\":0.9}", 0},
        {"{\"flip\":0.0001}", 1},
        {"{\"max\":255,\"mean\":0.0001}", 1},
    };
    accept_unturned();
    assert_verdicts("tolerance", cases, sizeof cases / sizeof *cases);
    write_scene(",\"size\":[80,60],\"tolerance\":{\"max\":255}");
    check(1, "the baseline has 160x120 pixels, the picture 80x60", "tol/suite.json");
}

static void masks_decide(void **state)
{
    (void)state;
    static const verdict cases[] = {
        {"[]", 1},
        {"[{\"rect\":[10,0,150,120]}]", 0},
        {"[{\"rect\":[0,0,160,120]}]", 3}, /* nothing remains to compare */
        {"[{\"rect\":[0,0,160,10]}]", 1},
        {"[{\"rect\":[10,0,150,60]},{\"rect\":[10,60,150,60]}]", 0},
        {"[{\"rect\":[0,110,10,10],\"keep\":true}]", 0},
        {"[{\"picture\":\"black.png\"}]", 3},
        {"[{\"picture\":\"black.png\",\"keep\":true}]", 1},
        {"[{\"edges\":20}]", 0},
        {"[{\"edges\":1}]", 1},
        {"[{\"picture\":\"none.png\"}]", 3},
    };
    accept_unturned();
    mmd_image black = {0};
    mmd_buffer png = {0};
    assert_int_equal(mmd_image_init(&black, 160, 120, NULL), MMD_OK);
    assert_int_equal(mmd_png_write(&black, &(mmd_png_options){0}, &png, NULL), MMD_OK);
    write_output("tol/black.png", png.data, png.size);
    mmd_buffer_finish(&png);
    mmd_image_finish(&black);
    assert_verdicts("mask", cases, sizeof cases / sizeof *cases);
    write_scene(",\"mask\":[{\"picture\":\"none.png\"}]");
    check(3, "none.png", "tol/suite.json --accept");
    write_scene(",\"size\":[80,60],\"mask\":[{\"picture\":\"black.png\"}]");
    check(1, "the baseline has 160x120 pixels, the picture 80x60", "tol/suite.json");
}

static void jobs_runs_and_shards_change_nothing(void **state)
{
    (void)state;
    make_suite("jobs");
    check(0, NULL, "jobs/suite.json --accept --only 'each*' --only still --only dance");
    cli_shell("cp jobs/base/*/dance/0.png jobs/base/*/dance/20.png"); /* make a frame fail */
    check(1, NULL, "jobs/suite.json --report j1");
    check(1, NULL, "jobs/suite.json --report j2 --jobs 2");
    check(1, NULL, "jobs/suite.json --report j1again");
    assert_same_folders("j1", "j2");
    assert_same_folders("j1", "j1again");
    check(0, NULL, "jobs/suite.json --shard 1/3 --report s1");
    check(1, NULL, "jobs/suite.json --shard 2/3 --report s2 --jobs 2");
    check(0, NULL, "jobs/suite.json --shard 3/3 --report s3");
    check(1, "1 without a baseline", "--merge s3 s1 s2 --report s");
    assert_same_folders("j1", "s");
    check(3, "scene 2 (and 1 more): it is in none of the reports: shard 2/3 is missing",
          "--merge s1 s3 --report part");
    check(3, "shard 2 of 3 is missing", "--merge s1 s3 --report part");
    check(3, "shards 1, 3 of 3 are missing", "--merge s2 --report part");
    check(0, NULL, "jobs/suite.json --shard 1/4 --report q1");
    check(3, "the number of shards differs", "--merge s3 q1 --report part");
    check(3, "is also in another report", "--merge s1 s1 --report part");
    cli_write_text("jobs/other.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\"}]}");
    check(1, NULL, "jobs/other.json --report other");
    check(3, "another suite", "--merge s1 other --report part");
    /* There can be more shards than scenes, and a merged report can replace one of its inputs. */
    check(0, "0 scenes", "jobs/other.json --shard 1/2 --report e1");
    check(1, NULL, "jobs/other.json --shard 2/2 --report e2");
    check(1, "1 without a baseline", "--merge e1 e2 --report e");
    assert_same_folders("other", "e");
    check(1, "1 without a baseline", "--merge e1 e2 --report e2");
    assert_same_folders("other", "e2");
}

static void names_do_not_break_xml(void **state)
{
    (void)state;
    cli_shell("mkdir -p odd");
    cli_write_text(
        "odd/suite.json",
        "{\"scenes\": [{\"name\": \"a\\ufffeb\\u202e<\", \"model\": \"dancer\", \"size\": [8, 8]}]}");
    check(1, NULL, "odd/suite.json --report odd/r --summary odd/s.md");
    cli_shell("! grep -q \"$(printf '\\342\\200\\256')\" odd/s.md odd/r/junit.xml");
    cli_shell("grep -q '\"a b &lt;\"' odd/r/junit.xml && ! grep -q \"$(printf '\\357\\277\\276')\" "
              "odd/r/junit.xml");
    cli_result result = cli_run("check odd/suite.json --json"); /* U+202E changes the direction of text */
    assert_non_null(strstr(result.out, "b\\u202e<"));
    assert_null(strstr(result.out, "\u202E"));
    cli_finish(&result);
}

static void reports_say_what_happened(void **state)
{
    (void)state;
    make_suite("rep");
    check(0, NULL, "rep/suite.json --accept --only still --only dance");
    cli_shell("cp rep/base/*/dance/0.png rep/base/*/dance/20.png");
    cli_write_text("rep/copy3.pmx", "no model");
    check(3, "error  each-copy3-odori: ", "rep/suite.json --report rep/r");
    json_t *root = results_of("rep/r"), *summary = json_object_get(root, "summary");
    assert_int_equal(json_integer_value(json_object_get(summary, "passed")), 1);
    assert_int_equal(json_integer_value(json_object_get(summary, "failed")), 1);
    assert_int_equal(json_integer_value(json_object_get(summary, "no_baseline")), 3);
    assert_int_equal(json_integer_value(json_object_get(summary, "errors")), 1);
    const json_t *frame = json_array_get(json_object_get(scene_of(root, "dance"), "frames"), 1);
    assert_string_equal(json_string_value(json_object_get(frame, "picture")), "pictures/dance/20.png");
    assert_true(json_number_value(json_object_get(json_object_get(frame, "metrics"), "max")) > 0);
    assert_true(exists("rep/r/pictures/dance/20.baseline.png"));
    assert_true(exists("rep/r/pictures/dance/20.heat.png"));
    assert_true(exists("rep/r/pictures/still/0.png"));
    assert_false(exists("rep/r/state.jsonl"));
    json_decref(root);
    mmd_bytes junit = read_output("rep/r/junit.xml"), page = read_output("rep/r/index.html");
    cli_shell("grep -q 'tests=\"6\" failures=\"4\" errors=\"1\"' rep/r/junit.xml");
    /* The pictures of failures are attached, each in a line of its own, and there they are. */
    cli_shell("grep -o '^\\[\\[ATTACHMENT|.*\\]\\]$' rep/r/junit.xml | sed 's/.*|//; s/]]//' >attached; "
              "grep -A1 -x 'rep/r/thumbs/dance.png' attached | grep -qx 'rep/r/pictures/dance/20.baseline.png' && "
              "grep -qx rep/r/pictures/dance/20.heat.png attached && ! grep -q still attached && "
              "[ $(wc -l <attached) = $(xargs -d '\\n' ls <attached | wc -l) ]");
    cli_shell("grep -q '<error message=' rep/r/junit.xml && ! grep -q 'http[s:]' rep/r/index.html");
    assert_true(junit.size > 500 && page.size > 5000);
    mmd_bytes_finish(&junit);
    mmd_bytes_finish(&page);
    cli_result json = cli_run("check rep/suite.json --json --only still");
    json_t *printed = json_loads(json.out, 0, NULL);
    assert_non_null(scene_of(printed, "still"));
    json_decref(printed);
    cli_finish(&json);
}

/* Opens a page in a browser and dumps the DOM that its scripts produced. */
static void dump_page(const char *page)
{
    char command[2048];
    snprintf(command, sizeof command,
             "HOME=\"$PWD\" timeout 60 chromium --headless=new --no-sandbox --disable-gpu "
             "--disable-dev-shm-usage --user-data-dir=\"$PWD/browser\" --window-size=2000,1000 "
             "--virtual-time-budget=20000 --dump-dom \"file://$PWD/%s\" >dom.html 2>browser.log",
             page);
    cli_shell(command);
}

/* Uses the page with the probe in frames of three widths, one after the other. The page's policy allows no other script
 * than its own. */
static void probe_page(const char *folder)
{
    char command[2048];
    mmd_bytes probe = {0};
    assert_int_equal(mmd_file_read(ODORI_SOURCE "/tests/render/check_probe.js", &probe, NULL), MMD_OK);
    write_output("probe.js", probe.data, probe.size);
    mmd_bytes_finish(&probe);
    snprintf(command, sizeof command,
             "cd %s && { sed '/Content-Security-Policy/d' index.html; echo '<script>'; cat ../../probe.js; "
             "echo '</script>'; } >probe.html",
             folder);
    cli_shell(command);
    snprintf(command, sizeof command, "%s/frames.html", folder);
    cli_write_text(command, "<body data-found=''><script>const widths = [420, 1280, 1920];\n"
                            "const next = () => { if (widths.length) document.body.innerHTML = `<iframe "
                            "src=probe.html style=width:${widths.shift()}px;height:900px;border:0></iframe>`; };\n"
                            "onmessage = (e) => { document.body.dataset.found += e.data; next(); };\n"
                            "next();</script>");
    dump_page(command);
    cli_shell("grep -o 'data-found=\"[^\"]*' dom.html >&2; for width in 420 1280 1920; do grep -q "
              "\"data-found=[^<]*$width: good;\" dom.html || exit 1; done");
}

/* Scenes for the page: names that a shell, a pattern and HTML would misread, and a scene that passes although
 * a file has changed, since its camera sees nothing. */
static const char page_suite[] =
    "{\"baselines\":\"base\",\n"
    " \"defaults\":{\"size\":[160,120],\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\",\"frames\":0},\n"
    " \"scenes\":[\n"
    "  {\"name\":\"still\",\"view\":{\"edge\":false}},\n"
    "  {\"name\":\"dance\",\"frames\":\"0:40:20\"},\n"
    "  {\"name\":\"turned\",\"frames\":[0,30],\"exec\":[\"camera.orbit 20 0\"]},\n"
    "  {\"name\":\"odd *'<b>name\"}, {\"name\":\"odd x'<b>name\"},\n"
    "  {\"name\":\"{camera}\",\"cameras\":[{\"name\":\"away\",\"target\":[0,500,0],\"distance\":30}]}]}\n";

/* Scenes show the worst frame first and list each reason once; pictures are opened with all that diff shows;
 * scenes are filtered, and ticked for a command line that accepts them and no others. */
static void the_page_says_what_happened(void **state)
{
    (void)state;
    cli_need("chromium");
    make_suite("page");
    cli_write_text("page/suite.json", page_suite);
    check(0, NULL, "page/suite.json --accept --only still --only dance --only away");
    write_other_dance("page/odori.vmd");
    cli_shell("rm page/base/*/still/0.json");
    check(1, "2 failed, 3 without a baseline", "page/suite.json --report page/r");
    /* The page works under its policy, and a script that is not its own does not. */
    cli_shell("{ cat page/r/index.html; echo '<script>document.body.dataset.ready = \"evil\";</script>'; } "
              ">page/r/more.html");
    dump_page("page/r/more.html");
    cli_shell("grep -q 'data-ready=\"yes\"' dom.html && grep -q 'id=\"trouble\" hidden' dom.html");
    cli_shell("grep -q '3 of 3 frames failed, worst ' dom.html");
    cli_shell("grep -q 'first step that differs: <b>motion</b>' dom.html");
    cli_shell("[ $(grep -o '<div>motion odori.vmd has changed' dom.html | wc -l) = 3 ]");
    cli_shell("grep -q '2 of 2 frames without a baseline' dom.html && grep -q '1 with warnings' dom.html");
    cli_shell("grep -q 'the hashes beside the baseline are missing' dom.html");
    cli_shell("! grep -q '<b>name' dom.html");
    probe_page("page/r");

    /* The command does what it says. */
    char command[1024];
    snprintf(
        command, sizeof command,
        "grep -o 'command [A-Za-z0-9+/=]*' dom.html | head -1 | cut -d' ' -f2 | base64 -d >page/command && "
        "cd page && odori() { '%s/odori' \"$@\"; } && . ./command | grep -q '^2 accepted, '",
        ODORI_BINARY);
    cli_shell(command);
    check(1, "6 scenes: 3 passed, 1 failed, 2 without a baseline", "page/suite.json");
    check(0, "2 scenes: 2 passed", "page/suite.json --only dance --only 'odd \\*'\\''<b>name'");
}

/* A shard of somebody else brings no script into a joined report. */
static void merged_reports_bring_no_script(void **state)
{
    (void)state;
    make_suite("evil");
    check(0, NULL, "evil/suite.json --accept --only dance");
    write_other_dance("evil/odori.vmd");
    check(1, NULL, "evil/suite.json --report evil/r --only dance");
    cli_shell("grep -q '\"difference\": \"pictures/dance/20.js\"' evil/r/results.json && "
              "cp evil/r/pictures/dance/20.js evil/20.js");
    static const char *const changes[] = {
        "sed -i 's/^odoriDifference(/alert(1);&/' evil/r/pictures/dance/20.js",
        "sed -i 's/);$/);alert(1);/' evil/r/pictures/dance/20.js",
        "echo 'odoriDifference({\"a\": alert(1)});' >evil/r/pictures/dance/20.js",
        "echo 'odoriDifference({}, {});' >evil/r/pictures/dance/20.js",
        "cp evil/20.js evil/r/pictures/dance/20.png; sed -i 's|dance/20.js\"|dance/20.png\"|' evil/r/results.json",
        "sed -i 's|pictures/dance/20.heat.png|pictures/dance/20.js|; /difference.*20.js\"/d' evil/r/results.json",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        check(1, NULL, "evil/suite.json --report evil/r --only dance --fresh");
        cli_shell(changes[i]);
        cli_shell("rm -rf evil/new");
        check(1, NULL, "--merge evil/r --report evil/new");
        cli_shell("test -e evil/new/pictures/dance/0.js && test ! -e evil/new/pictures/dance/20.js && "
                  "! grep -q 'dance/20.js\"' evil/new/results.json");
    }
    /* Merged into itself, the script stays, but is not named. */
    check(1, NULL, "evil/suite.json --report evil/r --only dance --fresh");
    cli_shell(changes[0]);
    check(1, NULL, "--merge evil/r --report evil/r");
    cli_shell("! grep -q 'dance/20.js\"' evil/r/results.json && grep -q 'dance/0.js\"' evil/r/results.json");
}

#ifdef ODORI_TEST_SLOWLY
enum { LONG_SUITE = 12, LONG_WIDTH = 160, LONG_HEIGHT = 120 };
#else
enum { LONG_SUITE = 16, LONG_WIDTH = 320, LONG_HEIGHT = 240 };
#endif

/* Makes, once, a suite that takes long enough to interrupt, with its baselines. */
static void make_long_suite(void)
{
    mmd_buffer text = {0};
    if (exists("cut/baselines"))
        return;
    cli_shell("rm -rf cut && mkdir cut && cp odori.pmx odori.vmd *.png cut");
    mmd_write_format(&text,
                     "{\"defaults\":{\"size\":[%d,%d],\"model\":\"odori.pmx\",\"motion\":\"odori.vmd\"},"
                     "\"scenes\":[",
                     LONG_WIDTH, LONG_HEIGHT);
    for (int i = 0; i < LONG_SUITE; i++)
        mmd_write_format(&text, "%s{\"name\":\"s%d\",\"frames\":\"%d:%d\"}", i ? "," : "", i, 3 * i,
                         3 * i + 2);
    mmd_write_format(&text, "]}");
    write_output("cut/suite.json", text.data, text.size);
    mmd_buffer_finish(&text);
    check(0, NULL, "cut/suite.json --accept --jobs 2");
}

/* Starts the check of the long suite in the background and runs shell commands once some scenes are done.
 * $pid is the process id of the program. */
static void meanwhile(const char *commands)
{
    char script[2048];
    snprintf(script, sizeof script,
             "rm -rf cut/r; '%s/odori' check cut/suite.json --report cut/r >cut/out 2>&1 & pid=$!; "
             "while [ $(cat cut/r/state.jsonl 2>/dev/null | wc -l) -lt 3 ] && kill -0 $pid; do sleep 0.01; "
             "done; %s",
             ODORI_BINARY, commands);
    cli_shell(script);
}

static void an_interrupted_run_goes_on(void **state)
{
    (void)state;
    make_long_suite();
    check(0, NULL, "cut/suite.json --report cut/whole");
    meanwhile("kill -9 $pid; wait $pid || true");
    assert_true(exists("cut/r/state.jsonl"));
    assert_false(exists("cut/r/results.json"));
    cli_shell("printf '{\"name\":\"s' >>cut/r/state.jsonl"); /* an incomplete line */
    check(0, "continuing an interrupted run", "cut/suite.json --report cut/r");
    assert_same_folders("cut/whole", "cut/r");
    /* Stored results with another key are ignored, and --fresh ignores all of them. */
    static const char stale[] = "{\"name\":\"s0\",\"status\":\"fail\",\"key\":\"00\",\"frames\":[]}\n";
    cli_write_text("cut/r/state.jsonl", stale);
    char passed[32];
    snprintf(passed, sizeof passed, "%d passed", LONG_SUITE);
    check(0, passed, "cut/suite.json --report cut/r");
    cli_write_text("cut/r/state.jsonl", stale);
    cli_result fresh = cli_run("check cut/suite.json --report cut/r --fresh");
    assert_int_equal(fresh.code, 0);
    assert_null(strstr(fresh.err, "going on"));
    cli_finish(&fresh);
    assert_same_folders("cut/whole", "cut/r");
}

static void a_drawing_process_that_dies_costs_one_scene(void **state)
{
    (void)state;
    make_long_suite();
    meanwhile("kill -9 $(cat /proc/$pid/task/$pid/children); code=0; wait $pid || code=$?; [ $code = 4 ]");
    cli_shell("grep -q 'the drawing process was ended by signal 9' cut/out");
    char scenes[128];
    snprintf(scenes, sizeof scenes, "grep -q '%d scenes: %d passed, 1 could not be drawn' cut/out",
             LONG_SUITE, LONG_SUITE - 1);
    cli_shell(scenes);
}

static void a_picture_is_drawn_again_from_what_it_says(void **state)
{
    (void)state;
    cli_shell("rm -rf pic && mkdir -p pic/out/deeper && cp odori.pmx odori.vmd *.png pic");
    cli_write_text("commands.txt", "frame.set 20\nbone.rotate 頭 0 20 0\ncamera.orbit 30 5\nview.grid on\n");
    cli_expect(
        0, NULL,
        "shot pic/odori.pmx --motion pic/odori.vmd --frame 33.5 --size 160x120 --light-dir 1,-1,1 "
        "--edge=off --background transparent --exec commands.txt -o pic/out/deeper/a.png");
    check(0, "a.png: equal", "pic/out/deeper/a.png -o again.png");
    assert_true(cli_same_files("pic/out/deeper/a.png", "again.png"));
    cli_expect(
        0, NULL,
        "shot pic/odori.pmx pic/odori.vmd --exec commands.txt --camera odori.vmd --size 100x100 -o b.png");
    check(0, "b.png: equal", "b.png pic/out/deeper/a.png");
    /* The image has been moved. Its files are searched in parent folders and in the folders given. */
    cli_shell("mkdir -p away/x && cp pic/out/deeper/a.png away/x && mv pic moved");
    check(3, "pic/odori.pmx", "away/x/a.png");
    cli_shell("mkdir roots && mv moved roots/pic");
    check(0, "equal", "away/x/a.png --folder roots");
    check(0, "equal", "roots/pic/out/deeper/a.png");
    /* Files are found by the end of their path, down to the bare name, if their hash is right. */
    cli_shell("mkdir -p ends/in/pic ends/flat && cp roots/pic/*.vmd ends/in/pic && "
              "cp roots/pic/*.pmx roots/pic/*.png ends/flat && cp roots/pic/out/deeper/a.png away/x && "
              "mkdir ends/no && cp copy*.pmx ends/no 2>/dev/null || true");
    check(0, "equal", "away/x/a.png --folder ends/no --folder ends/in --folder ends/flat");
    cli_shell("echo x >>ends/flat/odori.pmx");
    check(3, "pic/odori.pmx", "away/x/a.png --folder ends/in --folder ends/flat");
    cli_shell("rm -r ends");
    /* Changed and missing inputs are reported with their hashes. */
    write_other_dance("roots/pic/odori.vmd");
    check(1, "motion pic/odori.vmd has changed: ", "away/x/a.png --folder roots");
    check(0, "within the tolerance", "away/x/a.png --folder roots --tolerance max=255");
    cli_shell("rm roots/pic/odori.vmd");
    check(3, "odori.vmd", "away/x/a.png --folder roots");
    cli_shell("rm -rf roots away");
}

/* A .vac file only refers to the .x file, whose change must be reported. */
static void a_changed_accessory_is_told_of_a_picture(void **state)
{
    (void)state;
    static const char vac[] = "held\r\nheld.x\r\n1\r\n0,5,0\r\n0,0,0\r\n\r\n";
    const char *x = sample_x_text();
    cli_shell("rm -rf vac && mkdir vac && cp odori.pmx *.png vac");
    cli_write_text("vac/held.vac", vac);
    cli_write_text("vac/held.x", x);
    cli_expect(0, NULL, "shot vac/odori.pmx vac/held.vac --size 160x120 -o vac.png");
    check(0, "vac.png: equal", "vac.png");
    cli_shell("printf ' ' >>vac/held.x");
    check(0, "accessory held.x has changed: ", "vac.png");
}

static void pictures_of_check_tell_too(void **state)
{
    (void)state;
    make_suite("tell");
    check(0, NULL, "tell/suite.json --accept");
    cli_shell("mv tell/base/* tell/base/driver");
    check(0, "equal", "tell/base/driver/turned/30.png tell/base/driver/each-copy2-odori/0.png");
}

static mmd_image picture(const char *name)
{
    mmd_image image = {0};
    mmd_bytes bytes = read_output(name);
    assert_int_equal(mmd_image_decode(bytes.data, bytes.size, name, &image, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return image;
}

/* Without a display the player draws a clip, whose first image is that of the scene. */
static void play_opens_a_picture_as_its_scene(void **state)
{
    (void)state;
    cli_write_text("commands.txt", "frame.set 20\nbone.rotate 頭 0 20 0\ncamera.orbit 30 5\n");
    cli_expect(0, NULL,
               "shot odori.pmx --motion odori.vmd --frame 44 --size 640x360 --msaa 1 --grid on "
               "--background 102030 --exec commands.txt -o scene.png");
    cli_expect(0, "odori-clip/00000.png", "play scene.png");
    mmd_image clip = picture("odori-clip/00000.png"), shot = picture("scene.png");
    assert_int_equal(clip.width, 640);
    assert_memory_equal(clip.pixels, shot.pixels, 640 * 360 * 4);
    mmd_image_finish(&clip);
    mmd_image_finish(&shot);
    cli_expect(3, "was not made by odori", "play odori-clip/00000.png");
}

/* Writes a PNG whose scene text is `text`, or that has none if it is NULL. */
static void write_png_with(const char *name, const char *text)
{
    mmd_image image = {0};
    mmd_buffer png = {0};
    const mmd_image_text chunk = {"odori.scene", text};
    const mmd_png_options options = {.texts = &chunk, .text_count = text ? 1 : 0};
    assert_int_equal(mmd_image_init(&image, 4, 4, NULL), MMD_OK);
    assert_int_equal(mmd_png_write(&image, &options, &png, NULL), MMD_OK);
    write_output(name, png.data, png.size);
    mmd_buffer_finish(&png);
    mmd_image_finish(&image);
}

static void hostile_pictures_are_bad_input(void **state)
{
    (void)state;
    static const char *const texts[] = {
        NULL,
        "",
        "nonsense",
        "[]",
        "{}",
        "{\"format\":2}",
        "{\"format\":1,\"models\":[]}",
        "{\"format\":1,\"models\":[{\"path\":\"odori.pmx\",\"hash\":\"\"}]}",
        "{\"format\":1,\"models\":[{\"path\":\"odori.pmx\",\"hash\":\"\"}],\"motions\":[],\"frame\":-1}",
        "{\"format\":1,\"models\":[{\"path\":\"odori.pmx\",\"hash\":\"\"}],\"motions\":[],\"frame\":0,"
        "\"size\":[0,1]}",
        "{\"format\":1,\"models\":[{\"path\":\"odori.pmx\",\"hash\":\"\"}],\"motions\":[],\"frame\":0,"
        "\"size\":[99999,1]}",
        "{\"format\":1,\"models\":[{\"path\":\"odori.pmx\",\"hash\":\"\"}],\"motions\":[],\"frame\":0,"
        "\"size\":[4,4],"
        "\"view\":{\"fog\":\"on\"}}",
        "{\"format\":1,\"models\":[{\"path\":\"odori.pmx\",\"hash\":\"\"}],\"motions\":[],\"frame\":0,"
        "\"size\":[4,4],"
        "\"view\":{\"edge\":7}}",
        "{\"format\":1,\"models\":[{\"path\":\"odori.pmx\",\"hash\":"
        "\"0123456789012345678901234567890123456789012345678901234567890123456789\"}]}",
        "{\"format\":1,\"models\":[{\"path\":\"odori.pmx\",\"hash\":\"\"}],\"motions\":[],\"frame\":0,"
        "\"size\":[4,4],"
        "\"view\":{},\"exec\":\"no.such\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_png_with("hostile.png", texts[i]);
        cli_result result = cli_run("check hostile.png");
        if (result.code != 3)
            fail_msg("%s: %d %s%s", texts[i] ? texts[i] : "none", result.code, result.out, result.err);
        cli_finish(&result);
    }
}

#ifdef ODORI_TEST_SLOWLY
/* Under sanitizers, only the tests that read files or that start and kill processes run. The results of
 * comparisons are tested in release builds. */
static const struct CMUnitTest tests[] = {
    cmocka_unit_test(baselines_are_missed_accepted_and_held_to),
    cmocka_unit_test(scenes_have_a_stage),
    cmocka_unit_test(hashes_that_are_missing_or_damaged_are_told),
    cmocka_unit_test(an_interrupted_run_goes_on),
    cmocka_unit_test(a_drawing_process_that_dies_costs_one_scene),
    cmocka_unit_test(a_picture_is_drawn_again_from_what_it_says),
    cmocka_unit_test(a_changed_accessory_is_told_of_a_picture),
    cmocka_unit_test(hostile_pictures_are_bad_input),
};
#else
static const struct CMUnitTest tests[] = {
    cmocka_unit_test(baselines_are_missed_accepted_and_held_to),
    cmocka_unit_test(options_of_the_command_line_are_over_those_of_scenes),
    cmocka_unit_test(scenes_have_a_stage),
    cmocka_unit_test(the_first_stage_that_differs_is_named),
    cmocka_unit_test(a_changed_texture_and_a_changed_model_are_told_apart),
    cmocka_unit_test(hashes_that_are_missing_or_damaged_are_told),
    cmocka_unit_test(warnings_are_results_and_with_strict_failures),
    cmocka_unit_test(what_has_not_changed_is_told_too),
    cmocka_unit_test(tolerances_decide),
    cmocka_unit_test(masks_decide),
    cmocka_unit_test(jobs_runs_and_shards_change_nothing),
    cmocka_unit_test(names_do_not_break_xml),
    cmocka_unit_test(reports_say_what_happened),
    cmocka_unit_test(the_page_says_what_happened),
    cmocka_unit_test(merged_reports_bring_no_script),
    cmocka_unit_test(an_interrupted_run_goes_on),
    cmocka_unit_test(a_drawing_process_that_dies_costs_one_scene),
    cmocka_unit_test(a_picture_is_drawn_again_from_what_it_says),
    cmocka_unit_test(a_changed_accessory_is_told_of_a_picture),
    cmocka_unit_test(pictures_of_check_tell_too),
    cmocka_unit_test(play_opens_a_picture_as_its_scene),
    cmocka_unit_test(hostile_pictures_are_bad_input),
};
#endif

int main(void)
{
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
