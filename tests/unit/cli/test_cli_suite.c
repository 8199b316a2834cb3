/* Tests that invalid suites are rejected with line, column and field, without drawing. */
#include "cli.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include "mmd/cursor.h"

/* Checks that a suite with this text is rejected with this message. */
static void refuse(const char *text, const char *reason)
{
    cli_write_text("suite.json", text);
    cli_expect(3, reason, "check suite.json");
}

/* Like refuse, for bytes that a C string cannot hold. */
static void refuse_bytes(const char *bytes, size_t size, const char *reason)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/suite.json", cli_folder());
    assert_int_equal(mmd_file_write(path, bytes, size, NULL), MMD_OK);
    cli_expect(3, reason, "check suite.json");
}

/* Like refuse, for one scene with these fields, in the second line from column 12 on. */
static void refuse_scene(const char *fields, const char *reason)
{
    char text[2048];
    snprintf(text, sizeof text, "{\"scenes\":[\n{\"name\":\"a\",%s}]}", fields);
    refuse(text, reason);
}

static void json_that_does_not_parse_is_named_with_its_place(void **state)
{
    (void)state;
    refuse("{\"scenes\": [\n  {\"name\" \"a\"}]}", "suite.json:2:11: ");
    refuse("", "suite.json:1:1: the file is empty");
    refuse("{\"scenes\":[", "suite.json:1:12: the file ends in the middle of a value");
    refuse("{\"scenes\":[\n ", "suite.json:2:2: the file ends in the middle of a value");
    refuse("{\"comment\":\"a\nb\"}", "suite.json:1:14: unexpected newline");
    refuse("{\"初音\":\"a\\u0000b\"}", "suite.json:1:7: a string contains \\u0000");
    refuse("{\"a\\u0000\":1}", "a string contains \\u0000");
    refuse_bytes("{\"comment\":\"a\0b\"}", 17, "suite.json:1:14: a NUL byte is not valid JSON");
    refuse("{\"scenes\":[], \"scenes\":[]}", "duplicate");
    cli_expect(3, "nothing.json", "check nothing.json");
}

static void unknown_fields_are_errors_with_line_column_and_path(void **state)
{
    (void)state;
    refuse("{\n  \"scene\": []}",
           "suite.json:2:3: scene: unknown field; the fields here are $schema, comment, baselines");
    refuse_scene("\"colour\":1", "suite.json:2:13: scenes[0].colour: unknown field; the fields here are name, model,");
    refuse_scene("\"model\":\"a\",\"view\":{\"edge\":true,\"fog\":1}",
                 "suite.json:2:45: scenes[0].view.fog: unknown setting");
    refuse_scene("\"model\":\"a\",\"view\":{\"ik\":\"mmd\"}",
                 "suite.json:2:33: scenes[0].view.ik: IK is MMD's own and has no settings any more: remove this one");
    refuse_scene("\"tolerance\":{\"maximum\":1}",
                 "suite.json:2:26: scenes[0].tolerance.maximum: unknown field");
    refuse("{\"defaults\":{\"size\":[1,1],\n\"framess\":0},\"scenes\":[]}",
           "suite.json:2:1: defaults.framess: unknown field");
}

static void columns_count_characters(void **state)
{
    (void)state;
    refuse("{\"comment\":\"初音ミク\", \"x\":1}", "suite.json:1:20: x: unknown field");
}

/* The fields of a scene with one camera that stands still. */
#define CAMERA(fields) "\"model\":\"a\",\"cameras\":[{\"name\":\"b\",\"distance\":9," fields "}]"

static void values_of_the_wrong_kind_are_errors(void **state)
{
    (void)state;
    static const struct {
        const char *fields, *reason;
    } cases[] = {
        {"\"model\":\"a\",\"size\":[0,1]", "2:25: scenes[0].size: expected 2 whole numbers"},
        {"\"model\":\"a\",\"size\":\"1x\"", "scenes[0].size: "},
        {"\"model\":\"a\",\"frames\":[1,\"x\"]", "2:37: scenes[0].frames[1]: \"x\" is not a number"},
        {"\"model\":\"a\",\"frames\":-1", "scenes[0].frames: -1 is not a frame"},
        {"\"model\":\"a\",\"frames\":[]", "scenes[0].frames: the list of frames is empty"},
        {"\"model\":\"a\",\"frames\":[\"0:999999\",5e6]",
         "scenes[0].frames[1]: a scene has at most 1000000 frames"},
        {"\"model\":\"a\",\"view\":{\"msaa\":99}", "scenes[0].view.msaa: \"99\" is not a number of samples"},
        {"\"model\":\"a\",\"view\":{\"edge\":{}}", "scenes[0].view.edge: expected a string, a number"},
        {"\"model\":\"a\",\"view\":{\"show\":\"feet\"}",
         "scenes[0].view.show: \"feet\" is not none or a list of bodies"},
        {"\"model\":\"a\",\"view\":[]", "scenes[0].view: expected an object"},
        {"\"model\":[\"a\",3]", "scenes[0].model[1]: expected a string"},
        {"\"model\":\"a\",\"models\":\"b\"", "cannot be combined"},
        {"\"model\":\"a\",\"tolerance\":{\"share\":2}", "expected a number from 0 to 1"},
        {"\"model\":\"a\",\"mask\":[{\"keep\":true}]",
         "mask[0]: expected exactly one of rect, picture and edges"},
        {"\"model\":\"a\",\"mask\":[{\"rect\":[1,2,3]}]", "scenes[0].mask[0].rect: expected 4 whole numbers"},
        {"\"model\":\"a\",\"mask\":[{\"rect\":[1,2,3,4],\"keep\":1}]",
         "mask[0].keep: expected true or false"},
        {"\"model\":\"a\",\"physics\":[]",
         "2:25: scenes[0].physics: expected true, false, or an object with any"},
        {"\"model\":\"a\",\"physics\":null", "2:25: scenes[0].physics: expected true, false, or an object"},
        {"\"model\":\"a\",\"physics\":\"on\"", "2:25: scenes[0].physics: expected true, false, or an object"},
        {"\"model\":\"a\",\"physics\":{\"rate\":\"60\"}",
         "2:36: scenes[0].physics.rate: expected a whole number of"},
        {"\"model\":\"a\",\"physics\":{\"rate\":60.5}",
         "physics.rate: expected a whole number of steps per second from 20"},
        {"\"model\":\"a\",\"physics\":{\"rate\":19}",
         "physics.rate: expected a whole number of steps per second from 20"},
        {"\"model\":\"a\",\"physics\":{\"ground\":\"on\"}",
         "2:36: scenes[0].physics.ground: expected true or false"},
        {"\"model\":\"a\",\"physics\":{\"gravity\":\"0,-98,0\"}", "physics.gravity: expected three numbers"},
        {"\"model\":\"a\",\"physics\":{\"gravity\":[0,\"1\",0]}", "physics.gravity: expected three numbers"},
        {"\"model\":\"a\",\"physics\":{\"gravity\":[0,-1e7,0]}", "from -1000000 to 1000000"},
        {"\"model\":\"a\",\"physics\":{\"world\":true}", "physics.world: expected \"shared\" or \"own\""},
        {"\"model\":\"a\",\"physics\":{\"lever\":\"bullet\"}",
         "physics.lever: expected \"own\" or \"stock\""},
        {"\"model\":\"a\",\"camera\":\"b\",\"cameras\":\"c\"",
         "camera (all in one scene) and cameras (one scene for"},
        {"\"model\":\"a\",\"camera\":{\"name\":\"b\"}", "scenes[0].camera: expected a string"},
        {"\"model\":\"a\",\"cameras\":7",
         "2:25: scenes[0].cameras: expected a file, or a list of files and objects"},
        {"\"model\":\"a\",\"cameras\":{\"name\":\"b\",\"distance\":1}",
         "scenes[0].cameras: expected a file, or a list"},
        {"\"model\":\"a\",\"cameras\":[\"b\",7]",
         "2:40: scenes[0].cameras[1]: expected a file, or an object with the name"},
        {"\"model\":\"a\",\"cameras\":[{\"distance\":1}]",
         "2:36: scenes[0].cameras[0]: the camera has no name"},
        {"\"model\":\"a\",\"cameras\":[{\"name\":\"b\"}]",
         "scenes[0].cameras[0]: the camera has no distance"},
        {"\"model\":\"a\",\"cameras\":[{\"name\":\"\",\"distance\":1}]",
         "cameras[0].name: expected a string"},
        {CAMERA("\"colour\":1"),
         "cameras[0].colour: unknown field; the fields here are name, target, angle, distance"},
        {CAMERA("\"target\":[0,1]"), "cameras[0].target: expected a list of three numbers"},
        {CAMERA("\"target\":\"0,1,2\""), "cameras[0].target: expected a list of three numbers"},
        {CAMERA("\"target\":[0,1,2e6]"), "cameras[0].target[2]: expected a number from -1000000 to 1000000"},
        {CAMERA("\"angle\":[0,\"1\",2]"), "cameras[0].angle[1]: expected a number from -36000 to 36000"},
        {CAMERA("\"angle\":[0,1,36001]"), "cameras[0].angle[2]: expected a number from -36000 to 36000"},
        {CAMERA("\"fov\":0.5"), "cameras[0].fov: expected a number from 1 to 179"},
        {CAMERA("\"fov\":180"), "cameras[0].fov: expected a number from 1 to 179"},
        {CAMERA("\"orthographic\":\"on\""), "cameras[0].orthographic: expected true or false"},
        {"\"model\":\"a\",\"cameras\":[{\"name\":\"b\",\"distance\":-2e6}]",
         "distance: expected a number from -1000000"},
        {"\"model\":\"a\",\"cameras\":[{\"name\":\"b\",\"distance\":1},{\"name\":\"b\",\"distance\":2}]",
         "2:63: scenes[0].cameras[1].name: there are two cameras with the name b"},
        {"\"model\":\"a\",\"cameras\":[\"x/b.vmd\",{\"name\":\"b\",\"distance\":2}]",
         "scenes[0]: there are two scenes with the name a-b (a name can contain {model}, "},
        {"\"model\":\"a\",\"cameras\":\"none/*.vmd\"", "scenes[0]: no file matches the pattern none/*.vmd"},
        {"\"motion\":\"m\"", "scenes[0]: the scene has no model"},
        {"\"models\":\"none/*.pmx\"", "scenes[0]: no file matches the pattern none/*.pmx"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_scene(cases[i].fields, cases[i].reason);
    refuse("[]", "expected an object");
    refuse("{}", "the field \"scenes\" is missing");
    refuse("{\"strict\":1,\"scenes\":[]}", "strict: expected true or false");
    refuse("{\"scenes\":[]}", "scenes: expected a list of at least one scene");
    refuse("{\"scenes\":[{\"model\":\"a\"}]}", "scenes[0]: the scene has no name");
    refuse("{\"scenes\":[{\"name\":\"a\",\"model\":\"a\"},{\"name\":\"a\",\"model\":\"a\"}]}",
           "scenes[1]: there are two scenes with the name a");
    refuse("{\"defaults\":{\"name\":\"a\"},\"scenes\":[]}", "defaults: defaults must not have a name");
}

/* Like refuse, for count copies of a letter between head and tail. */
static void refuse_long(const char *head, char letter, size_t count, const char *tail, const char *reason)
{
    mmd_buffer text = {0};
    mmd_write_format(&text, "%s", head);
    for (size_t i = 0; i < count; i++)
        mmd_write_u8(&text, (uint8_t)letter);
    mmd_write_format(&text, "%s", tail);
    mmd_write_u8(&text, '\0');
    refuse((const char *)text.data, reason);
    mmd_buffer_finish(&text);
}

#define ONE_SCENE "{\"scenes\":[{\"name\":\"a\","

/* A list of frames takes memory in proportion to its length. */
static void long_lists_of_frames_take_little_memory(void **state)
{
    (void)state;
    enum { FRAMES = 20000, LIMIT = 800 << 10 }; /* LIMIT: KiB; a copy of the list for each frame takes twice as much */
    mmd_buffer text = {0};
    struct rusage used;
    mmd_write_format(&text, ONE_SCENE "\"model\":\"a\",\"frames\":[0");
    for (int i = 1; i < FRAMES; i++)
        mmd_write_format(&text, ",%d", i);
    mmd_write_format(&text, ",\"x\"]}]}");
    mmd_write_u8(&text, '\0');
    refuse((const char *)text.data, "scenes[0].frames[20000]: \"x\" is not a number");
    mmd_buffer_finish(&text);
    getrusage(RUSAGE_CHILDREN, &used);
    assert_true(used.ru_maxrss < LIMIT);
}

/* Long values are used whole or rejected, never cut. */
static void what_is_too_long_is_refused(void **state)
{
    (void)state;
    static const char too_long[] = "scenes[0]: the path is";
    refuse_long(ONE_SCENE "\"model\":\"a\",\"view\":{\"light_dir\":\"1,-1,1.", '0', 300, "x\"}}]}",
                "view.light_dir: ");
    refuse_long(ONE_SCENE "\"model\":\"", 'a', 5000, "\"}]}", too_long);
    refuse_long(ONE_SCENE "\"model\":\"a\",\"camera\":\"", 'a', 4096, "\"}]}", too_long);
    refuse_long(ONE_SCENE "\"models\":\"**/", 'a', 9000, "*.pmx\"}]}", too_long);
    refuse_long(ONE_SCENE "\"models\":\"", 'a', 20000, "*.pmx\"}]}", too_long);
    refuse_long(ONE_SCENE "\"models\":\"./*", '/', 4000, "*.pmx\"}]}", "a pattern names more than 32 folders");
    refuse_long(ONE_SCENE "\"model\":\"a\"}],\"baselines\":\"", 'b', 3800, "\"}",
                "the path of its folder of baselines is longer than 3583 bytes");
}

/* A report overwrites files of fixed names, so it needs a folder of its own. */
static void reports_do_not_go_where_other_things_are(void **state)
{
    (void)state;
    char command[2048];
    snprintf(
        command, sizeof command,
        "cd '%s' && mkdir -p guard/models guard/base && cp odori.pmx guard/models && cp odori.vmd guard && "
        "ln -s base guard/link",
        cli_folder());
    assert_int_equal(system(command), 0);
    cli_write_text("guard/suite.json", "{\"baselines\":\"base\",\"scenes\":[{\"name\":\"a\",\"model\":"
                                       "\"models/odori.pmx\",\"motion\":\"odori.vmd\"}]}");
    cli_expect(2, "guard/base is inside the folder of the baselines",
               "check guard/suite.json --report guard/base");
    cli_expect(2, "of the baselines", "check guard/suite.json --report guard/base/new/er");
    cli_expect(2, "of the baselines", "check guard/suite.json --report guard/link/");
    cli_expect(2, "guard is the folder of the input guard/suite.json", "check guard/suite.json --report guard");
    cli_expect(2, "is the folder of", "check guard/suite.json --report guard/models/../models");
    cli_expect(2, "is the input guard/odori.vmd", "check guard/suite.json --report guard/odori.vmd");
    cli_write_text("guard/suite.json", "{\"baselines\":\"later\",\"scenes\":[{\"name\":\"a\",\"model\":"
                                       "\"models/odori.pmx\"}]}");
    cli_expect(2, "of the baselines", "check guard/suite.json --report guard/later/");
    char longest[3700];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    cli_expect(2, "the path of the folder is longer", "check guard/suite.json --report %s", longest);
    cli_expect(2, "the path of the folder is longer", "check --merge guard --report %s", longest);
}

/* Checks that the list of fields in a message is that of the schema. */
static void assert_fields(const char *text, const json_t *object)
{
    char names[1024] = "";
    const char *key;
    json_t *ignored;
    size_t used = 0;
    json_object_foreach(json_object_get(object, "properties"), key, ignored) used += (size_t)snprintf(
        names + used, sizeof names - used, "%s%s", used ? ", " : "unknown field; the fields here are ", key);
    refuse(text, names);
}

/* Checks that the schema's members of "view" are the options of the program. */
static void assert_settings(const json_t *view)
{
    const char *key;
    json_t *ignored;
    size_t in_schema = 0, options = 0;
    json_object_foreach(json_object_get(view, "properties"), key, ignored)
    {
        char fields[256];
        snprintf(fields, sizeof fields, "\"model\":\"a\",\"view\":{\"%s\":\"?\"}", key);
        refuse_scene(fields, "\"?\" is not");
        in_schema++;
    }
    cli_result help = cli_run("shot --help");
    const char *from = strstr(help.out, "\nview\n"), *to = strstr(help.out, "\nphysics\n");
    assert_true(from && to && from < to);
    for (const char *line = from; (line = strstr(line, "\n  --")) != NULL && line < to; line++)
        options++;
    assert_int_equal(options, in_schema);
    cli_finish(&help);
}

static void the_schema_knows_the_fields_that_the_program_knows(void **state)
{
    (void)state;
    json_t *schema =
        json_load_file(ODORI_SOURCE "/app/check/suite.schema.json", JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(schema);
    const json_t *properties = json_object_get(schema, "properties"),
                 *parts = json_object_get(schema, "$defs");
    assert_fields("{\"?\":1}", schema);
    assert_fields("{\"scenes\":[{\"?\":1}]}",
                  json_object_get(json_object_get(properties, "scenes"), "items"));
    assert_fields("{\"scenes\":[{\"tolerance\":{\"?\":1}}]}", json_object_get(parts, "tolerance"));
    assert_fields("{\"scenes\":[{\"other_driver\":{\"?\":1}}]}",
                  json_array_get(json_object_get(json_object_get(parts, "other_driver"), "oneOf"), 1));
    assert_fields("{\"scenes\":[{\"cameras\":[{\"?\":1}]}]}", json_object_get(parts, "still_camera"));
    assert_fields("{\"scenes\":[{\"mask\":[{\"?\":1}]}]}",
                  json_object_get(json_object_get(parts, "mask"), "items"));
    assert_fields("{\"scenes\":[{\"physics\":{\"?\":1}}]}",
                  json_array_get(json_object_get(json_object_get(parts, "physics"), "oneOf"), 1));
    assert_settings(json_object_get(parts, "view"));
    json_decref(schema);
}

static void bad_usage_exits_2(void **state)
{
    (void)state;
    cli_write_text("suite.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\"}]}");
    cli_expect(0, "usage: odori check", "check --help");
    cli_expect(2, "neither a suite", "check");
    cli_expect(2, "one suite", "check suite.json suite.json");
    cli_expect(2, "suite.json has no scene that matches --only b", "check suite.json --only b");
    cli_expect(2, "--merge needs --report", "check --merge a b");
    cli_expect(2, "no reports", "check --merge --report r");
    cli_expect(2, "--shard", "check suite.json --shard 3/2");
    cli_expect(2, "--shard", "check suite.json --shard 0/2");
    cli_expect(2, "--shard", "check suite.json --shard 1");
    cli_expect(2, "--jobs", "check suite.json --jobs 0");
    cli_expect(2, "--tolerance", "check suite.json --tolerance max");
    cli_expect(2, "--tolerance", "check suite.json --tolerance colour=1");
    cli_expect(2, "--tolerance", "check suite.json --tolerance share=3");
}

static void what_is_no_report_is_not_merged(void **state)
{
    (void)state;
    cli_expect(3, "none/results.json", "check --merge none --report whole");
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/shard", cli_folder());
    mkdir(folder, 0777);
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "nonsense",
                                        "{\"format\":1,\"total\":0}",
                                        "{\"format\":1,\"total\":99999999999}",
                                        "{\"format\":1,\"total\":1,\"scenes\":[{\"place\":1}]}",
                                        "{\"format\":1,\"total\":1,\"scenes\":[1]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cli_write_text("shard/results.json", texts[i]);
        cli_expect(3, "shard/results.json: ", "check --merge shard --report whole");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_that_does_not_parse_is_named_with_its_place),
        cmocka_unit_test(unknown_fields_are_errors_with_line_column_and_path),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(values_of_the_wrong_kind_are_errors),
        cmocka_unit_test(what_is_too_long_is_refused),
        cmocka_unit_test(long_lists_of_frames_take_little_memory),
        cmocka_unit_test(reports_do_not_go_where_other_things_are),
        cmocka_unit_test(the_schema_knows_the_fields_that_the_program_knows),
        cmocka_unit_test(bad_usage_exits_2),
        cmocka_unit_test(what_is_no_report_is_not_merged),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
