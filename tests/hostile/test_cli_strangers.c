/* Files of strangers: what pictures, suites and playlists may run, name and cost. What the player stores of a
 * picture is tested with its window by test_cli_strangers.sh. */
#include "cli.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "hair_model.h"
#include "mmd/cursor.h"
#include "mmd/format.h"
#include "pictures.h"
#include "sample_projects.h"

/* --- Commands --- */

/*
 * The commands that pictures and suites may run. Whoever adds one here has checked that it changes only what
 * is shown: it neither opens nor writes files, loads code, prints, quits, nor changes settings, window,
 * clipboard or sound.
 */
static const char allowed[] =
    " body.place body.start bone.place bone.rotate bone.scale bone.translate"
    " camera.fit camera.follow camera.motion camera.orbit camera.pan camera.perspective camera.reset "
    "camera.set"
    " camera.view camera.zoom"
    " edit.add edit.all edit.clear edit.controller edit.join edit.matrix edit.mirror edit.remove edit.reset "
    "edit.rotate "
    "edit.scale"
    " edit.select edit.translate edit.up"
    " frame.beat frame.cut frame.end frame.key frame.set frame.step gizmo.mode gizmo.pivot gizmo.snap "
    "gizmo.space joint.place"
    " key.copy key.curve key.delete key.drop.bone key.drop.camera key.drop.light key.drop.morph "
    "key.drop.shadow"
    " key.drop.switches key.ik key.mode key.more.switches key.morph key.morph.remove key.move key.put.bone"
    " key.put.camera key.put.light key.put.morph key.put.shadow key.put.switches key.remove key.set "
    "key.shadow"
    " key.show"
    " light.color light.direction light.reset material.all material.show material.solo"
    " key.rest model.remove model.rename"
    " model.additive model.attach model.delay model.mirror model.opacity model.order model.parent model.place"
    " model.select model.shadow model.visible motion.camera motion.fade-out motion.weight morph.free"
    " morph.reset morph.set"
    " pause physics physics.gravity physics.ground physics.reset"
    " play play.a play.ab play.b play.bpm play.faster play.loop play.mirror play.speed play.toggle"
    " redo toggle undo"
    " view.background view.bodies view.bones view.clay view.contacts view.edge view.grid view.ground-shadow "
    "view.ids"
    " view.joints view.normals view.self-shadow view.shading view.weights view.wireframe ";

static bool is_listed(const char *list, const char *name)
{
    char word[80];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word) != NULL;
}

/* Reads the names of all commands from `help`, as a list of JSON. */
static json_t *names_of_commands(void)
{
    json_t *names = json_array();
    cli_write_text("help.txt", "help\n");
    cli_result result = cli_run("shot odori.pmx --physics off --size 8x8 --exec help.txt -o help.png");
    assert_int_equal(result.code, 0);
    for (char *line = result.err; *line; line += strcspn(line, "\n") + 1)
        json_array_append_new(names, json_stringn(line, strcspn(line, " \n")));
    cli_finish(&result);
    return names;
}

/* Draws one scene for each command. Each command gets too many arguments that are no numbers, so that none
 * does anything. Returns results.json. */
static json_t *run_each(const json_t *names)
{
    json_t *scenes = json_array();
    for (size_t i = 0; i < json_array_size(names); i++)
        json_array_append_new(scenes, json_pack("{sO ss+}", "name", json_array_get(names, i), "exec",
                                                json_string_value(json_array_get(names, i)),
                                                " x x x x x x x x x x x x x x x x"));
    json_t *suite = json_pack("{s{ss s[ii] sb} so}", "defaults", "model", "odori.pmx", "size", 8, 8,
                              "physics", 0, "scenes", scenes);
    char *text = json_dumps(suite, 0);
    cli_write_text("each.json", text);
    free(text);
    json_decref(suite);
    cli_result result = cli_run("check each.json --json");
    json_t *results = json_loads(result.out, 0, NULL);
    assert_non_null(results);
    cli_finish(&result);
    return results;
}

/* Returns whether the result of a scene says that its command was allowed. */
static bool was_allowed(const json_t *scene)
{
    const char *message = json_string_value(json_object_get(scene, "message"));
    const char *warning = json_string_value(json_array_get(json_object_get(scene, "warnings"), 0));
    if (warning && strstr(warning, "were left out"))
        return false;
    if (!message || !strstr(message, "exec, line 1: "))
        fail_msg("%s: %s", json_string_value(json_object_get(scene, "name")), message ? message : "was run");
    return !strstr(message, "is not allowed in a picture or suite");
}

static void the_table_of_commands_is_reviewed(void **state)
{
    (void)state;
    json_t *names = names_of_commands(), *results = run_each(names), *scene;
    const json_t *scenes = json_object_get(results, "scenes");
    size_t i, allowed_count = 0, listed_count = 0;
    json_array_foreach(scenes, i, scene)
    {
        const char *name = json_string_value(json_object_get(scene, "name"));
        bool is = was_allowed(scene);
        if (is != is_listed(allowed, name))
            fail_msg("%s is %s; review the list of this test", name, is ? "allowed" : "not allowed");
        allowed_count += is;
    }
    for (const char *at = allowed; at[1]; at = strchr(at + 1, ' '))
        listed_count++;
    assert_int_equal(json_array_size(scenes), json_array_size(names));
    assert_true(json_array_size(names) > 150);
    assert_int_equal(allowed_count, listed_count);
    json_decref(results);
    json_decref(names);
}

/* The manual marks the rows of allowed commands with a tick behind their names. */
static void the_manual_marks_what_is_allowed(void **state)
{
    (void)state;
    mmd_bytes manual = {0};
    size_t marked = 0, listed = 0;
    assert_int_equal(mmd_file_read(ODORI_SOURCE "/docs/commands.md", &manual, NULL), MMD_OK);
    char *text = calloc(manual.size + 1, 1);
    memcpy(text, manual.data, manual.size);
    mmd_bytes_finish(&manual);
    for (char *row = strstr(strstr(text, "\n## Commands"), "\n| `"); row; row = strstr(row + 1, "\n| `")) {
        const char *end = strstr(row + 3, " | ");
        bool has_mark = end && memcmp(end - strlen("✓"), "✓", strlen("✓")) == 0;
        for (char *name = strchr(row, '`'); name && name < end;
             name = strchr(strchr(name + 1, '`') + 1, '`')) {
            char word[80];
            snprintf(word, sizeof word, "%.*s", (int)strcspn(name + 1, " `"), name + 1);
            if (has_mark != is_listed(allowed, word))
                fail_msg("%s %s a mark in docs/commands.md", word, has_mark ? "has" : "lacks");
            marked += has_mark;
        }
    }
    for (const char *at = allowed; at[1]; at = strchr(at + 1, ' '))
        listed++;
    assert_true(marked >= listed);
    free(text);
}

/* --- Pictures --- */

/* Writes a picture whose scene is a number of figures with commands and a setting of physics. */
static void write_scene(const char *name, const char *model, size_t models, const char *commands,
                        json_t *physics)
{
    json_t *files = json_array();
    for (size_t i = 0; i < models; i++)
        json_array_append_new(files, json_pack("{ss ss}", "path", model, "hash", ""));
    json_t *scene = json_pack("{si so s[] si s[ii] s{} ss so}", "format", 1, "models", files, "motions",
                              "frame", 0, "size", 16, 12, "view", "exec", commands, "physics", physics);
    char *text = json_dumps(scene, 0);
    mmd_image image = picture_plain(16, 12, white);
    cli_write_picture(name, &image, text);
    mmd_image_finish(&image);
    free(text);
    json_decref(scene);
}

/* Runs a subcommand, and requires an exit code and a text in its output. */
static void expect_told(int code, const char *text, const char *arguments)
{
    cli_result result = cli_run("%s", arguments);
    if (result.code != code || (!strstr(result.err, text) && !strstr(result.out, text)))
        fail_msg("%s: exit code %d, not %d, or no \"%s\" in: %s%s", arguments, result.code, code, text,
                 result.out, result.err);
    cli_finish(&result);
}

static void pictures_run_no_other_commands(void **state)
{
    (void)state;
    char pipe[1024];
    snprintf(pipe, sizeof pipe, "%s/pipe.pmx", cli_folder());
    assert_int_equal(mkfifo(pipe, 0600), 0); /* opening it would wait for ever */
    cli_write_text("quit.txt", "quit\n");
    static const char *const refused[] = {"file.open pipe.pmx", "audio.open pipe.pmx", "reload",
                                          "recent 0",           "playlist.next",       "paste",
                                          "picture.copy"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char told[128];
        snprintf(told, sizeof told, "refused.png: exec, line 2: %.*s is not allowed in a picture or suite",
                 (int)strcspn(refused[i], " "), refused[i]);
        char commands[128];
        snprintf(commands, sizeof commands, "morph.set 笑い 1\n%s", refused[i]);
        write_scene("refused.png", "odori.pmx", 1, commands, json_string("off"));
        cli_expect(3, told, "check refused.png");
        cli_expect(3, told, "play refused.png --no-settings --exec quit.txt");
    }
    write_scene("refused.png", "odori.pmx", 1,
                "toggle window.full\ntoggle keys\nmorph.set 笑い 1\npose.save p.vpd\nquit",
                json_string("off"));
    expect_told(1,
                "refused.png: commands that do not change what is shown were left out: window.full, keys, "
                "pose.save, quit\n",
                "check refused.png -o new.png");
    cli_shell("test ! -e p.vpd");
    expect_told(0, "were left out: window.full, keys, pose.save, quit\n",
                "play refused.png --no-settings --exec quit.txt");
    /* A session records only what a picture may run. */
    cli_write_text("both.txt", "view.clay on\npose.save saved.vpd\nquit\n");
    cli_expect(0, NULL, "shot odori.pmx --physics off --size 8x8 --exec both.txt -o both.png");
    char *scene = cli_picture_scene("both.png");
    json_t *root = json_loads(scene, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(root, "exec")), "view.clay on\n");
    json_decref(root);
    free(scene);
}

/* `diff` draws pictures again to name what differs. Their commands are not run there either. */
static void diff_tells_that_a_picture_cannot_be_redrawn(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot odori.pmx --physics off --size 160x120 -o was.png");
    cli_write_text("clay.txt", "view.clay on\n");
    cli_expect(0, NULL, "shot odori.pmx --physics off --size 160x120 --exec clay.txt -o now.png");
    char *scene = cli_picture_scene("was.png");
    json_t *root = json_loads(scene, 0, NULL);
    json_object_set_new(root, "exec", json_string("file.open pipe.pmx"));
    char *text = json_dumps(root, 0);
    mmd_image image = cli_picture("was.png");
    cli_write_picture("was.png", &image, text);
    cli_result result = cli_run("diff was.png now.png");
    print_message("%s%s", result.out, result.err);
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.err, "file.open is not allowed in a picture or suite"));
    cli_finish(&result);
    mmd_image_finish(&image);
    json_decref(root);
    free(text);
    free(scene);
}

/* Only who runs the program raises the memory of textures above its default. */
static void files_do_not_raise_the_memory_of_textures(void **state)
{
    (void)state;
    const char *told = "more memory for textures than a file may ask for; --texture-memory 4096 allows it";
    cli_expect(0, NULL, "shot odori.pmx --physics off --size 16x12 -o plain.png");
    char *scene = cli_picture_scene("plain.png");
    json_t *root = json_loads(scene, 0, NULL);
    mmd_image image = cli_picture("plain.png");
    for (int mib = 1024; mib <= 4096; mib *= 4) {
        json_t *view = json_pack("{ss}", "texture_memory", mib == 1024 ? "1024" : "4096");
        json_object_set_new(root, "view", view);
        char *text = json_dumps(root, 0);
        cli_write_picture("asks.png", &image, text);
        free(text);
        cli_expect(mib == 1024 ? 0 : 3, mib == 1024 ? NULL : told, "check asks.png");
    }
    cli_expect(3, told, "check asks.png --texture-memory 4095");
    cli_expect(0, NULL, "check asks.png --texture-memory 4096");
    cli_write_text("quit.txt", "quit\n");
    cli_expect(3, told, "play asks.png --no-settings --exec quit.txt");
    cli_expect(0, NULL, "play asks.png --no-settings --exec quit.txt --texture-memory 4096");
    cli_write_text(
        "asks.json",
        "{\"scenes\": [{\"name\": \"s\", \"model\": \"odori.pmx\", \"physics\": false, \"size\": [16, 12], "
        "\"view\": {\"texture_memory\": 4096}}]}");
    cli_expect(3, told, "check asks.json --accept");
    cli_expect(3, told, "capture-kit asks.json -o kit");
    cli_expect(0, NULL, "check asks.json --accept --texture-memory 4096");
    mmd_image_finish(&image);
    json_decref(root);
    free(scene);
}

static void frames_of_commands_have_a_limit(void **state)
{
    (void)state;
    hair_model hair;
    mmd_buffer pmx = {0};
    hair_model_make(&hair); /* with bodies */
    assert_int_equal(mmd_pmx_write(&hair.model, &pmx, NULL), MMD_OK);
    cli_write("hair.pmx", pmx.data, pmx.size);
    hair_model_finish(&hair);
    mmd_buffer_finish(&pmx);
    static const char *const commands[] = {"frame.set 4000000000", "frame.step 1e9",
                                           "play.bpm 60\nframe.beat 1e9"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        write_scene("far.png", "hair.pmx", 1, commands[i], json_pack("{ss}", "ground", "on"));
        cli_expect(3, "physics can only be simulated for a day", "check far.png");
    }
    write_scene("far.png", "odori.pmx", 1, commands[0],
                json_pack("{ss}", "ground", "on")); /* nothing to simulate */
    cli_result result = cli_run("check far.png --time-limit 10");
    assert_int_equal(result.code, 1); /* the picture is a white one */
    assert_null(strstr(result.err, "time limit"));
    cli_finish(&result);
}

/* Writes a chunk of a PNG. */
static void write_chunk(mmd_buffer *out, const char *type, const mmd_buffer *content)
{
    size_t at = out->size;
    const uint8_t size[4] = {(uint8_t)(content->size >> 24), (uint8_t)(content->size >> 16),
                             (uint8_t)(content->size >> 8), (uint8_t)content->size};
    mmd_write_bytes(out, size, 4);
    mmd_write_bytes(out, type, 4);
    mmd_write_bytes(out, content->data, content->size);
    uint32_t crc = (uint32_t)crc32(0, out->data + at + 4, (uInt)(content->size + 4));
    const uint8_t sum[4] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8), (uint8_t)crc};
    mmd_write_bytes(out, sum, 4);
}

/* A picture with 400 texts that unpack to 15 MB each, before the one that says how it was drawn. */
static void texts_that_nobody_reads_are_not_unpacked(void **state)
{
    (void)state;
    enum { TEXTS = 400, UNPACKED = 15 << 20, HEADER = 33 };
    mmd_buffer text = {0}, out = {0};
    mmd_bytes picture = {0};
    uLongf size = compressBound(UNPACKED);
    uint8_t *zeros = calloc(UNPACKED, 1), *packed = malloc(size);
    assert_int_equal(compress2(packed, &size, zeros, UNPACKED, 9), Z_OK);
    mmd_write_bytes(&text, "other\0\0", 7);
    mmd_write_bytes(&text, packed, size);
    write_scene("texts.png", "odori.pmx", 1, "", json_string("off"));
    char path[1024];
    snprintf(path, sizeof path, "%s/texts.png", cli_folder());
    assert_int_equal(mmd_file_read(path, &picture, NULL), MMD_OK);
    mmd_write_bytes(&out, picture.data, HEADER);
    for (int i = 0; i < TEXTS; i++)
        write_chunk(&out, "zTXt", &text);
    mmd_write_bytes(&out, picture.data + HEADER, picture.size - HEADER);
    cli_write("texts.png", out.data, out.size);
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    cli_result result = cli_run("check texts.png");
    getrusage(RUSAGE_CHILDREN, &after);
    assert_int_equal(result.code, 1); /* it was drawn */
    assert_null(strstr(result.err, "cannot be drawn again"));
    assert_true(after.ru_utime.tv_sec - before.ru_utime.tv_sec < 5); /* all texts take over 8 s */
    cli_finish(&result);
    mmd_bytes_finish(&picture);
    mmd_buffer_finish(&text);
    mmd_buffer_finish(&out);
    free(zeros);
    free(packed);
}

/* A picture whose thousand models are one file, whose hash is another. */
static void a_file_is_hashed_once(void **state)
{
    (void)state;
    cli_shell("head -c 60000000 /dev/zero >large.pmx");
    write_scene("large.png", "large.pmx", 1000, "", json_string("off"));
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    cli_expect(3, "large.pmx: header at byte 0: no model", "check large.png --max-models 1000");
    getrusage(RUSAGE_CHILDREN, &after);
    long seconds =
        after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec;
    assert_true(seconds < 6); /* a thousand times take over 15 s */
    char deep[301] = "";
    for (size_t i = 0; i < 150; i++)
        strcat(deep, "a/");
    write_scene("deep.png", deep, 1, "", json_string("off"));
    cli_expect(3, "deep.png: the picture names a file in more than 64 folders", "check deep.png");
    cli_shell("rm large.pmx");
}

static void models_have_a_limit(void **state)
{
    (void)state;
    char scenes[16 * 300];
    cli_write_text("quit.txt", "quit\n");
    write_scene("many.png", "odori.pmx", 3000, "", json_string("off"));
    cli_expect(3, "many.png: the picture has more than 256 models; --max-models N allows more",
               "check many.png");
    cli_expect(3, "more than 256 models", "play many.png --no-settings --exec quit.txt");
    write_scene("some.png", "odori.pmx", 3, "", json_string("off"));
    cli_expect(3, "more than 2 models; --max-models N", "check some.png --max-models 2");
    cli_expect(3, "more than 2 models", "play some.png --no-settings --max-models 2 --exec quit.txt");
    cli_expect(0, NULL, "play some.png --no-settings --max-models 3 --exec quit.txt");
    cli_expect(2, "\"0\" is not a number of models", "check some.png --max-models 0");
    cli_write_text("list.txt", "odori.pmx odori.pmx odori.pmx\n");
    cli_expect(3, "more than 2 models",
               "play --playlist list.txt --max-models 2 --no-settings --exec quit.txt");
    snprintf(scenes, sizeof scenes, "{\"scenes\":[{\"name\":\"a\",\"size\":[8,8],\"model\":[\"odori.pmx\"");
    for (int i = 0; i < 256; i++)
        strcat(scenes, ",\"odori.pmx\"");
    strcat(scenes, "]}]}");
    cli_write_text("many.json", scenes);
    cli_expect(3, "scenes[0]: the scene has more than 256 models; --max-models N allows more",
               "check many.json");
    cli_expect(3, "more than 256 models; --max-models N", "capture-kit many.json -o kit");
    cli_expect(3, "more than 3 models; --max-models N", "capture-kit many.json -o kit --max-models 3");
    cli_expect(3, "a project holds no more than 255 models", "capture-kit many.json -o kit --max-models 257");
    cli_result result = cli_run("diff some.png some.png --mask-physics --max-models 2");
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "more than 2 models; --max-models N allows more"));
    cli_finish(&result);
    result = cli_run("diff some.png some.png --mask-physics --max-models 3");
    assert_null(strstr(result.err, "more than")); /* the scene is opened, and its model has another hash */
    assert_non_null(strstr(result.err, "has changed"));
    cli_finish(&result);
}

/* --- What playlists and pictures name --- */

static void files_are_opened_as_what_they_are_named_as(void **state)
{
    (void)state;
    mmd_buffer pmm = {0};
    mmd_project *project = sample_small_project();
    write_project(project, &pmm);
    mmd_project_destroy(project);
    cli_write("scene.pmm", pmm.data, pmm.size);
    mmd_buffer_finish(&pmm);
    write_scene("scene.png", "odori.pmx", 1, "", json_string("off"));
    cli_write_text("quit.txt", "quit\n");
    cli_write_text("suite.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\"}]}");
    cli_write_text("other.txt", "odori.pmx\n");
    static const struct {
        const char *line, *message;
    } refused[] = {
        {"scene.png", "scene.png: a picture instead of a model"},
        {"scene.pmm", "scene.pmm: a project instead of a model"},
        {"suite.json", "suite.json: header at byte 0: no model"},
        {"other.txt", "other.txt: header at byte 0: no model"},
        {"odori.pmx --stage scene.png", "scene.png: a picture instead of a model"},
        {"odori.pmx --stage scene.pmm", "scene.pmm: "},
        {"odori.pmx --motion odori.pmx", "a model instead of a motion"},
        {"odori.pmx --motion scene.png", "scene.png: neither a motion"},
        {"odori.pmx --stage odori.pmx --stage-motion odori.pmx", "a model instead of a motion"},
        {"odori.pmx --pose suite.json", "suite.json: neither a motion"},
        {"odori.pmx --camera scene.pmm", "scene.pmm: "},
        {"odori.pmx --audio odori.vmd", "odori.vmd: not a supported sound file"},
        {"odori.pmx --audio other.txt", "other.txt: not a supported sound file"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cli_write_text("list.txt", refused[i].line);
        cli_expect(3, refused[i].message, "play --playlist list.txt --no-settings --exec quit.txt");
    }
    /* The same of pictures: models and motions only. */
    static const struct {
        const char *model, *motion, *message;
    } named[] = {
        {"scene.png", "odori.vmd", "scene.png: a picture instead of a model"},
        {"odori.vmd", "odori.vmd", "odori.vmd: header at byte 0: a motion or a pose instead of a model"},
        {"suite.json", "odori.vmd", "suite.json: header at byte 0: no model"},
        {"odori.pmx", "odori.pmx", "odori.pmx: a model instead of a motion"},
        {"odori.pmx", "other.txt", "other.txt: neither a motion"},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        json_t *scene =
            json_pack("{si s[{ss ss}] s[{ss ss}] si s[ii] s{} ss ss}", "format", 1, "models", "path",
                      named[i].model, "hash", "", "motions", "path", named[i].motion, "hash", "", "frame", 0,
                      "size", 16, 12, "view", "exec", "", "physics", "off");
        char *text = json_dumps(scene, 0);
        mmd_image image = picture_plain(16, 12, white);
        cli_write_picture("named.png", &image, text);
        cli_expect(3, named[i].message, "check named.png");
        cli_expect(3, named[i].message, "play named.png --no-settings --exec quit.txt");
        mmd_image_finish(&image);
        free(text);
        json_decref(scene);
    }
}

/* --- Suites --- */

/* Makes repo/.git, repo/suites and repo/models, with files outside of it and links to them. */
static void make_repository(void)
{
    cli_shell("rm -rf repo outside && mkdir -p repo/.git repo/suites repo/models outside/sub && "
              "cp odori.pmx odori.vmd *.png repo/models && cp odori.pmx odori.vmd *.png outside && "
              "ln -s ../../outside repo/suites/away && ln -s ../../outside/odori.pmx repo/suites/link.pmx && "
              "ln -s ../models/odori.pmx repo/suites/inner.pmx && ln -s nowhere repo/suites/broken");
}

/* Writes a suite of one small scene with a model and further fields. */
static void write_suite(const char *name, const char *model, const char *fields)
{
    char text[8192];
    snprintf(text, sizeof text,
             "{\"scenes\":[{\"name\":\"a\",\"size\":[16,12],\"physics\":false,\"model\":\"%s\"%s}]}", model,
             fields);
    cli_write_text(name, text);
}

static void suites_read_only_what_is_in_their_repository(void **state)
{
    (void)state;
    make_repository();
    static const struct {
        const char *model, *fields;
    } outside[] = {
        {"../../outside/odori.pmx", ""},
        {"away/odori.pmx", ""},
        {"link.pmx", ""},
        {"nothing/../../../outside/odori.pmx", ""},
        {"away/*.pmx", ""},
        {"../../out*/*.pmx", ""},
        {"away/*.none", ""}, /* nor are folders searched */
        {"*.pmx", ""},       /* link.pmx is one of them */
        {"/etc/passwd", ""},
        {"../models/odori.pmx", ",\"motion\":\"away/odori.vmd\""},
        {"../models/odori.pmx", ",\"pose\":\"/etc/hostname\""},
        {"../models/odori.pmx", ",\"camera\":\"away/odori.vmd\""},
        {"../models/odori.pmx", ",\"cameras\":[\"../models/odori.vmd\",\"away/odori.vmd\"]"},
        {"../models/odori.pmx", ",\"cameras\":\"../../outside/*.vmd\""},
        {"../models/odori.pmx", ",\"stage\":\"link.pmx\""},
        {"../models/odori.pmx", ",\"own_motion\":{\"0\":\"away/odori.vmd\"}"},
        {"../models/odori.pmx", ",\"stage\":\"../models/odori.pmx\",\"stage_motion\":\"away/odori.vmd\""},
        {"../models/odori.pmx", ",\"mask\":[{\"picture\":\"away/white.png\"}]"},
    };
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        write_suite("repo/suites/s.json", outside[i].model, outside[i].fields);
        cli_expect(3, ": give --root DIR", "check repo/suites/s.json");
        cli_expect(3, ": give --suite-root DIR", "capture-kit repo/suites/s.json -o kit");
    }
    cli_shell("test ! -e repo/suites/baselines");
    char deep[4000];
    for (size_t i = 0; i < sizeof deep; i++)
        deep[i] = i % 2 ? '/' : 'd';
    deep[sizeof deep - 1] = '\0';
    const char *const nowhere[] = {"broken", "broken/x", "missing/../away/odori.pmx", deep};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        write_suite("repo/suites/s.json", nowhere[i], "");
        expect_told(3, i < 3 ? "may lead anywhere, outside of " : "", "check repo/suites/s.json");
    }

    /* Files of the repository, links within it, and what the command line allows. */
    write_suite("repo/suites/s.json", "../models/odori.pmx", ",\"motion\":\"../models/*.vmd\"");
    cli_expect(0, NULL, "check repo/suites/s.json --accept");
    write_suite("repo/suites/s.json", "inner.pmx", "");
    cli_expect(0, NULL, "check repo/suites/s.json --accept");
    write_suite("repo/suites/s.json", "away/*.pmx", "");
    cli_expect(0, NULL, "check repo/suites/s.json --accept --root outside");
    cli_expect(3, "away/ leads to ", "check repo/suites/s.json --root outside/sub");
    cli_expect(2, "--root nothing: there is no such folder", "check repo/suites/s.json --root nothing");

    /* Patterns go through no folder outside, neither by links nor by "..", and end among links to themselves.
     */
    cli_shell("mkdir repo/suites/ring && ln -s ../../../outside/sub repo/suites/ring/out && cp odori.pmx "
              "repo/suites/ring");
    write_suite("repo/suites/s.json", "ring/o*/*.pmx", "");
    cli_expect(3, "no file matches the pattern ring/o*/*.pmx", "check repo/suites/s.json");
    write_suite("repo/suites/s.json", "ring/*/../../../../*/*/*", "");
    cli_expect(3, "has .. after a wildcard", "check repo/suites/s.json");
    write_suite("repo/suites/s.json", "ring/**/*.pmx", "");
    cli_expect(0, NULL, "check repo/suites/s.json --accept");
    cli_shell("for i in 1 2 3 4 5 6 7 8 9 10; do ln -s . repo/suites/ring/r$i; done");
    cli_expect(3, "the pattern ring/**/*.pmx is compared with more than 1000000 names",
               "check repo/suites/s.json");
}

/* Without a repository, a suite keeps to its own folder. A home folder with .git is no repository. */
static void suites_without_a_repository_keep_to_their_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/odori-strangers-XXXXXX", command[512];
    assert_non_null(mkdtemp(folder)); /* the build may be in a repository */
    snprintf(command, sizeof command, "mkdir '%s/s' && cp odori.pmx *.png '%s' && cp odori.pmx '%s/s'",
             folder, folder, folder);
    cli_shell(command);
    snprintf(command, sizeof command, "ln -sfn '%s' tmp", folder);
    cli_shell(command);
    write_suite("tmp/s/own.json", "odori.pmx", "");
    write_suite("tmp/s/above.json", "../odori.pmx", "");
    cli_expect(0, NULL, "check %s/s/own.json --accept", folder);
    cli_expect(3, "../odori.pmx leads to ", "check %s/s/above.json", folder);
    cli_expect(0, NULL, "check %s/s/above.json --accept --root %s", folder, folder);
    cli_shell("mkdir tmp/.git");
    cli_expect(0, NULL, "check %s/s/above.json", folder);
    char *home = strdup(getenv("HOME") ? getenv("HOME") : "/");
    setenv("HOME", folder, 1);
    cli_expect(3, "../odori.pmx leads to ", "check %s/s/above.json", folder);
    setenv("HOME", home, 1);
    free(home);
    cli_shell("rm -r \"$(readlink tmp)\" tmp");
}

static void suites_write_only_in_their_repository(void **state)
{
    (void)state;
    make_repository();
    write_suite("repo/suites/s.json", "inner.pmx", "");
    static const char *const outside[] = {"../../outside/baselines", "/tmp/odori-never", "away/b", "away",
                                          "missing/../away/b"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "{\"baselines\":\"%s\",\"scenes\":[{\"name\":\"a\",\"size\":[16,12],\"model\":\"inner.pmx\"}]}",
            outside[i]);
        cli_write_text("repo/suites/b.json", text);
        cli_expect(3, ": give --root DIR", "check repo/suites/b.json --accept");
        cli_expect(0, NULL, "check repo/suites/b.json --accept --baselines outside/by-hand");
    }
    cli_shell("ls outside/by-hand/*/a/0.png >/dev/null && test ! -e outside/baselines && test ! -e "
              "/tmp/odori-never");
    cli_expect(0, NULL, "check repo/suites/b.json --baselines outside/by-hand --report report");
    cli_shell("test -e report/index.html");

    /* A link among the baselines. */
    cli_expect(0, NULL, "check repo/suites/s.json --accept");
    cli_shell("cd repo/suites/baselines/* && rm -r a && ln -s ../../../../outside/sub a");
    expect_told(3, "outside of ", "check repo/suites/s.json --accept");
    cli_shell("cd repo/suites/baselines/* && rm a && mkdir a && "
              "ln -s ../../../../../outside/odori.pmx a/0.png");
    expect_told(3, "outside of ", "check repo/suites/s.json --accept");
    cli_shell("cmp outside/odori.pmx odori.pmx && test -z \"$(ls outside/sub)\"");
}

/* Writes report/results.json, in which the picture of a frame has this name, and merges it to a new report.
 */
static void merge_report(const char *picture)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"format\":1,\"odori\":\"0\",\"suite_hash\":\"h\",\"total\":1,\"scenes\":[{\"name\":\"a\","
        "\"place\":0,"
        "\"folder\":\"a\",\"status\":\"no baseline\",\"frames\":[{\"frame\":0,\"status\":\"no baseline\","
        "\"picture\":\"%s\"}]}]}",
        picture);
    cli_write_text("merge/report/results.json", text);
    cli_result result = cli_run("check --merge merge/report --report merge/new");
    if (result.code != 1)
        fail_msg("%s: %s", picture, result.err);
    cli_finish(&result);
}

static void merged_reports_lead_nowhere(void **state)
{
    (void)state;
    cli_shell("mkdir -p merge/report/in merge/outside merge/new/in && cp odori.pmx merge/outside/secret && "
              "cp odori.pmx merge/report/in/real.png && ln -s ../outside merge/report/away && "
              "ln -s ../../outside/secret merge/report/in/link.png && ln -s ../outside merge/new/there && "
              "mkdir merge/report/there && cp odori.vmd merge/report/there/secret");
    merge_report("in/real.png");
    cli_shell("cmp merge/new/in/real.png odori.pmx");
    static const char *const away[] = {"in/link.png", "away/secret", "../outside/secret", "there/secret",
                                       "in/../../outside/secret"};
    for (size_t i = 0; i < sizeof away / sizeof *away; i++)
        merge_report(away[i]);
    merge_report("/etc/hostname");
    cli_shell(
        "test \"$(cd merge/new && find . -type f | sort | tr '\\n' ' ')\" = "
        "'./in/real.png ./index.html ./junit.xml ./results.json ' && cmp merge/outside/secret odori.pmx && "
        "! grep -q secret merge/new/results.json");
}

static void names_of_scenes_lead_nowhere(void **state)
{
    (void)state;
    cli_shell("rm -rf away && mkdir -p away/in/deep && cp odori.pmx *.png away/in/deep");
    static const char *const names[] = {"../../x", "a/b",    "/etc/x", "..",         ".",
                                        "-o",      "a\\\\b", "~",      "\\u202e.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"scenes\":[{\"name\":\"%s\",\"size\":[8,8],\"physics\":false,\"model\":\"odori.pmx\"}]}",
                 names[i]);
        cli_write_text("away/in/deep/s.json", text);
        cli_result result = cli_run("check away/in/deep/s.json --accept --report away/report");
        assert_true(result.code == 0 || result.code == 3);
        cli_finish(&result);
    }
    /* Everything is two folders deep: driver and scene below baselines, scene below pictures of the report.
     */
    cli_shell("test \"$(ls away)\" = 'in\nreport' && test \"$(ls away/in)\" = deep && test ! -e /etc/x && "
              "test -z \"$(find away/in/deep/baselines away/report/pictures -mindepth 3 -type d)\"");
    cli_write_text("away/in/deep/s.json",
                   "{\"scenes\":[{\"name\":\"a\\u0000b\",\"size\":[8,8],\"model\":\"odori.pmx\"}]}");
    cli_expect(3, "a string contains \\u0000", "check away/in/deep/s.json --accept");
    char *text = calloc(1, 100000);
    strcpy(text, "{\"scenes\":[{\"size\":[8,8],\"model\":\"odori.pmx\",\"name\":\"");
    memset(text + strlen(text), 'n', 90000);
    strcat(text, "\"}]}");
    cli_write_text("away/in/deep/s.json", text);
    free(text);
    cli_result result = cli_run("check away/in/deep/s.json --accept");
    assert_true(result.code == 0 || result.code == 3);
    cli_finish(&result);
}

/* --- Projects --- */

/* Writes far/p/q/r/scene.pmm with an accessory of this path, and draws it. Requires a text in the messages,
 * or none. */
static void expect_of_project(const char *path, const char *warning)
{
    const mmd_project_accessory_key key = {.visibility = 1, .parent = {-1, 0}, .scale = 1};
    mmd_buffer pmm = {0};
    mmd_project *project = mmd_project_create();
    assert_int_equal(mmd_project_add_accessory(project, "fan", path, &key, 1, NULL), MMD_OK);
    write_project(project, &pmm);
    cli_write("far/p/q/r/scene.pmm", pmm.data, pmm.size);
    cli_result result = cli_run("shot far/p/q/r/scene.pmm --size 8x8 -o project.png");
    if (result.code != (warning ? 3 : 0) || (warning ? !strstr(result.err, warning) : *result.err))
        fail_msg("%s: exit code %d, %s", path, result.code, result.err);
    cli_finish(&result);
    mmd_project_destroy(project);
    mmd_buffer_finish(&pmm);
}

static void projects_find_files_in_three_folders(void **state)
{
    (void)state;
    cli_shell("mkdir -p far/p/q/r far/p/q/s");
    static const char *const places[] = {"far/p/q/r/a.x", "far/p/q/b.x", "far/p/c.x", "far/d.x",
                                         "far/p/q/s/e.x"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        cli_write_text(places[i],
                       "xof 0303txt 0032\nMesh {\n 3;\n 0;0;0;, 1;0;0;, 0;1;0;;\n 1;\n 3;0,1,2;;\n}\n");
    cli_shell("ln -s ../../../d.x far/p/q/r/out.x && ln -s ../../c.x far/p/q/r/in.x && ln -s ../../.. "
              "far/p/q/r/up");
    expect_of_project("C:\\MMD\\UserFile\\a.x", NULL);
    expect_of_project("C:\\MMD\\UserFile\\b.x", NULL);
    expect_of_project("/home/other/c.x", NULL);
    expect_of_project("C:\\MMD\\s\\e.x", NULL);
    expect_of_project("in.x", NULL);
    static const char missing[] = "is neither in its folder nor in the two above";
    expect_of_project("C:\\MMD\\UserFile\\d.x", missing);
    expect_of_project("..\\..\\..\\d.x", missing);
    expect_of_project("s\\..\\..\\..\\..\\d.x", missing);
    expect_of_project("out.x", "is a link that leads out of ");
    expect_of_project("up\\d.x", missing);

    /* A project that a suite names keeps to the folders of the suite. */
    cli_shell("cp odori.pmx *.png far/p/q/r && mkdir far/p/q/r/.git");
    write_suite("far/p/q/r/s.json", "scene.pmm", "");
    expect_of_project("b.x", NULL);
    expect_told(3, ": give --root DIR", "check far/p/q/r/s.json");
    expect_told(1, "1 scene: 1 without a baseline", "check far/p/q/r/s.json --root far/p/q");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_commands_is_reviewed),
        cmocka_unit_test(the_manual_marks_what_is_allowed),
        cmocka_unit_test(pictures_run_no_other_commands),
        cmocka_unit_test(diff_tells_that_a_picture_cannot_be_redrawn),
        cmocka_unit_test(frames_of_commands_have_a_limit),
        cmocka_unit_test(texts_that_nobody_reads_are_not_unpacked),
        cmocka_unit_test(a_file_is_hashed_once),
        cmocka_unit_test(models_have_a_limit),
        cmocka_unit_test(files_are_opened_as_what_they_are_named_as),
        cmocka_unit_test(suites_read_only_what_is_in_their_repository),
        cmocka_unit_test(files_do_not_raise_the_memory_of_textures),
        cmocka_unit_test(suites_without_a_repository_keep_to_their_folder),
        cmocka_unit_test(suites_write_only_in_their_repository),
        cmocka_unit_test(merged_reports_lead_nowhere),
        cmocka_unit_test(names_of_scenes_lead_nowhere),
        cmocka_unit_test(projects_find_files_in_three_folders),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
