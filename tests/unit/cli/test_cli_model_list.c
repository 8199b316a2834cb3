/* The list of models while the program plays: a file in the place of a model, a model beside others, whom a
 * motion moves, and keyframes at rest. What items hold is compared as JSON (edit.tell). */
#include "cli.h"

#include <sys/resource.h>

#include "mmd/cursor.h"
#include "mmd/format.h"
#include "mmd/keying.h"
#include "mmd/text.h"
#include "sample_models.h"

/* Runs commands in the player, without a window, and returns stdout. */
static char *told(const char *files, const char *commands, char **err)
{
    mmd_buffer all = {0};
    mmd_write_format(&all, "%squit\n", commands);
    cli_write("commands.txt", all.data, all.size);
    mmd_buffer_finish(&all);
    cli_result result = cli_run("play %s --physics off --no-settings --exec commands.txt", files);
    if (result.code != 0)
        fail_msg("%s", result.err);
    char *text = result.out;
    *err = result.err;
    return text;
}

static void assert_told(const char *files, const char *commands, const char *other_files, const char *other)
{
    char *err, *one = told(files, commands, &err);
    free(err);
    char *two = told(other_files, other, &err);
    free(err);
    assert_true(*one != '\0');
    assert_string_equal(one, two);
    free(one);
    free(two);
}

/* Writes the figure under another name, with a new bone name in the place of one. */
static int setup(void **state)
{
    if (cli_setup(state))
        return -1;
    mmd_bytes file = cli_read("odori.pmx");
    mmd_buffer out = {0};
    mmd_model *model;
    assert_int_equal(mmd_pmx_read(file.data, file.size, &model, NULL), MMD_OK);
    for (uint32_t i = 0; i < model->bone_count; i++)
        model->bones[i].name = strcmp(model->bones[i].name, "左腕") == 0 ? "renamed" : model->bones[i].name;
    assert_int_equal(mmd_pmx_write(model, &out, NULL), MMD_OK);
    cli_write("other.pmx", out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_model_destroy(model);
    mmd_free(file.data);
    return 0;
}

#define EDITS                                                                                                \
    "frame.set 40\nbone.rotate 頭 0 40 0\nmodel.place 1 2 3 0 0 0 2\nmorph.set 笑い 0.5\nmodel.delay 3\n" \
    "key.mode on\nedit.select /models/#0/bones/右腕\nedit.rotate 0 0 20\nkey.mode off\n"
#define TELL(n)                                                                                              \
    "edit.clear\nedit.select /models/#" n "\nedit.add /models/#" n "/bones/頭\nedit.add /models/#" n         \
    "/bones/右腕\nedit.add /models/#" n "/bones/センター\nedit.tell\n"

/* Returns the told lines without the path of the model, whose number differs. */
static void assert_alike(const char *files, const char *commands, const char *other)
{
    assert_told(files, commands, files, other);
}

static void a_replaced_model_hands_everything_on(void **state)
{
    (void)state;
    const char *files = "odori.pmx --own-motion odori.vmd";
    assert_told(files, EDITS "model.replace 0 other.pmx\nmodel.rename 1 A\n" TELL("1"), files,
                EDITS "model.rename 0 A\n" TELL("0"));
    assert_told(files, EDITS "model.replace 0 other.pmx\nundo\n" TELL("0"), files, EDITS TELL("0"));
    assert_alike(files, EDITS "model.replace 0 other.pmx\nundo\nredo\n" TELL("1"),
                 EDITS "model.replace 0 other.pmx\n" TELL("1"));
    /* Files that are read again: the replaced model too, so that undo goes on. */
    assert_alike(files, EDITS "model.replace 0 other.pmx\nbone.rotate 頭 0 10 0\nreload\nundo\n" TELL("1"),
                 EDITS "model.replace 0 other.pmx\n" TELL("1"));
    assert_alike(files, EDITS "model.replace 0 other.pmx\nreload\nundo\n" TELL("0"), EDITS TELL("0"));
}

/* Keyframes of a model without a motion: when all is read again, their lines edit a copy of the file's motion
 * that came afterwards. The sanitizers see whether that copy lives as long as it is played. */
static void keyframes_from_before_a_motion_stay(void **state)
{
    (void)state;
    const char *keyed = "frame.set 7\nedit.select /models/#0/bones/頭\nkey.mode on\nedit.rotate 0 33 0\n"
                        "key.mode off\nfile.open odori.vmd\n";
    char again[512], plain[512];
    snprintf(plain, sizeof plain,
             "%s"
             "reload\nframe.set 3\n%s",
             keyed, TELL("0"));
    snprintf(again, sizeof again,
             "%s"
             "reload\nreload\nframe.set 3\n%s",
             keyed, TELL("0"));
    assert_told("odori.pmx", again, "odori.pmx", plain);
}

/* Keyframes that are set afterwards stay in the motion, whichever model plays it. */
static void keyframes_follow_the_place(void **state)
{
    (void)state;
    const char *files = "odori.pmx --own-motion odori.vmd";
    char *err, *out = told(files,
                           "model.replace 0 other.pmx\nframe.set 7\nmodel.select 1\n"
                           "edit.select /models/#1/bones/頭\nkey.mode on\nedit.rotate 0 33 0\nmotion.save "
                           "replaced.vmd\n",
                           &err);
    free(err);
    free(out);
    out = told(files,
               "frame.set 7\nedit.select /models/#0/bones/頭\nkey.mode on\nedit.rotate 0 33 0\nmotion.save "
               "plain.vmd\n",
               &err);
    free(err);
    free(out);
    assert_true(cli_same_files("replaced.vmd", "plain.vmd"));
}

static void what_hangs_on_a_model_hangs_on_the_next(void **state)
{
    (void)state;
    cli_write_text("fan.x", "xof 0303txt 0032\nMesh {\n3;\n0;0;0;, 2;0;0;, 2;3;0;;\n1;\n3;0,1,2;;\n}\n");
    const char *files = "odori.pmx fan.x --hang 頭 --motion odori.vmd",
               *tell = "frame.set 30\nedit.select /models/#1\nedit.tell\n";
    char line[256];
    assert_alike(files, tell, tell);
    snprintf(line, sizeof line, "model.replace 0 other.pmx\n%s", tell);
    assert_alike(files, line, tell);
    snprintf(line, sizeof line, "model.replace 0 other.pmx\nundo\n%s", tell);
    assert_alike(files, line, tell);
    snprintf(line, sizeof line, "model.remove 0\nundo\n%s", tell);
    assert_alike(files, line, tell);
    cli_write_text("commands.txt", "model.replace 0 fan.x\n");
    cli_expect(2, "an accessory cannot replace a model", "play %s --no-settings --exec commands.txt", files);
    cli_expect(2, "only `play` can open files", "shot %s --size 8x8 --exec commands.txt -o no.png", files);
}

static void a_second_model_stands_beside_the_first(void **state)
{
    (void)state;
    const char *first = "edit.select /models/#0\nedit.tell\n",
               *second = "edit.select /models/#1\nedit.tell\n";
    char line[512], *err, *out;
    snprintf(line, sizeof line, "file.open other.pmx\n%s", second);
    out = told("odori.pmx", line, &err);
    json_t *item = json_loads(out, JSON_DISABLE_EOF_CHECK, NULL), *ops = json_object_get(item, "ops");
    const json_t *at = json_object_get(json_array_get(ops, 0), "value");
    double x = fabs(json_real_value(json_array_get(at, 0)));
    assert_true(x > 2.0 && x < 60.0);
    json_decref(item);
    free(out);
    free(err);
    /* The first one stays at the origin; command lines place nothing. */
    snprintf(line, sizeof line, "file.open other.pmx\n%s", first);
    assert_told("odori.pmx", line, "odori.pmx other.pmx --motion odori.vmd", first);
    /* It has room where the first one went. */
    snprintf(line, sizeof line, "model.place 50 0 0 0 0 0 1\nfile.open other.pmx\nmodel.rename 1 A\n%s",
             second);
    assert_told("odori.pmx", line, "odori.pmx other.pmx",
                "model.rename 1 A\nedit.select /models/#1\nedit.tell\n");
    snprintf(line, sizeof line, "model.remove 0\nfile.open other.pmx\nmodel.rename 1 A\n%s", second);
    assert_told("odori.pmx", line, "odori.pmx other.pmx",
                "model.rename 1 A\nedit.select /models/#1\nedit.tell\n");
}

/* Undo takes away what was opened, as one step; redo puts it where it was. Files that are read again keep
 * that. */
static void undo_takes_an_opened_model_away(void **state)
{
    (void)state;
    const char *tell = "edit.clear\nedit.select /models/#1\nedit.tell\n";
    char line[512];
    cli_write_text("commands.txt", "file.open other.pmx\nundo\nmodel.select 1\n");
    cli_expect(2, "model 1 was removed; undo brings it back",
               "play odori.pmx --physics off --no-settings --exec commands.txt");
    snprintf(line, sizeof line, "file.open other.pmx\n%s", tell);
    const char *const ways[] = {"file.open other.pmx\nundo\nredo\n", "file.open other.pmx\nreload\n",
                                "file.open other.pmx\nreload\nundo\nredo\n",
                                "file.open other.pmx\nundo\nreload\nredo\n",
                                "file.open other.pmx\nmodel.remove 1\nundo\nundo\nredo\n"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char way[512];
        snprintf(way, sizeof way, "%s%s", ways[i], tell);
        assert_alike("odori.pmx", way, line);
    }
    assert_alike("odori.pmx", "bone.rotate 頭 0 40 0\nfile.open other.pmx\nundo\nundo\n" TELL("0"),
                 TELL("0"));
}

/* Writes a model that takes some MiB. */
static void write_big(void)
{
    mmd_model model;
    mmd_buffer out = {0};
    sample_chain(&model, 2, 60000);
    assert_int_equal(mmd_pmx_write(&model, &out, NULL), MMD_OK);
    cli_write("big.pmx", out.data, out.size);
    mmd_buffer_finish(&out);
    sample_finish(&model);
}

/* Opens and removes a model so many times, and then runs other commands. Returns stderr. */
static char *open_and_remove(size_t rounds, const char *file, const char *then, int code)
{
    mmd_buffer lines = {0};
    for (size_t i = 1; i <= rounds; i++)
        mmd_write_format(&lines, "file.open %s\nmodel.remove %zu\nreload\n", file, i);
    mmd_write_format(&lines, "%squit\n", then);
    cli_write("rounds.txt", lines.data, lines.size);
    mmd_buffer_finish(&lines);
    cli_result result = cli_run("play odori.pmx --physics off --no-settings --exec rounds.txt");
    if (result.code != code)
        fail_msg("%s", result.err);
    free(result.out);
    return result.err;
}

/* Returns the most memory that a child process has used, in KiB. */
static long most_memory(void)
{
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    return used.ru_maxrss;
}

static void removed_models_do_not_pile_up(void **state)
{
    (void)state;
    write_big();
    free(open_and_remove(1, "big.pmx", "", 0));
    long one = most_memory();
    free(open_and_remove(11, "big.pmx", "", 0));
    long some = most_memory();
    char *err = open_and_remove(50, "big.pmx", "", 0);
    long many = most_memory();
    assert_non_null(strstr(err, "can no longer be undone: the last 8 removed models are kept"));
    free(err);
    if (many - one > 2 * (some - one))
        fail_msg("%ld KiB after one round, %ld after 11, %ld after 50", one, some, many);
}

/* Undo brings back the last ones, with their edits, and not those before. */
static void the_last_removed_models_come_back(void **state)
{
    (void)state;
    free(open_and_remove(10, "other.pmx", "undo\nmodel.select 10\nredo\n", 0));
    char *err =
        open_and_remove(10, "other.pmx",
                        "undo\nundo\nundo\nundo\nundo\nundo\nundo\nundo\nundo\nundo\nundo\nundo\nundo\nundo\n"
                        "undo\nmodel.select 3\nundo\nundo\nundo\nundo\nmodel.select 2\n",
                        2);
    assert_non_null(strstr(err, "model 2 was removed, and undo does not reach so far"));
    free(err);
    const char *tell = "frame.set 30\nedit.clear\nedit.select /models/#0/bones/頭\nedit.tell\n";
    char line[1024];
    snprintf(
        line, sizeof line,
        "file.open other.pmx\nmodel.select 1\nbone.rotate 頭 0 9 0\nmodel.select 0\nbone.rotate 頭 0 40 0\n"
        "model.remove 1\nreload\nundo\nreload\nundo\nredo\n%s",
        tell);
    assert_alike("odori.pmx", line,
                 "frame.set 0\nbone.rotate 頭 0 40 0\nframe.set 30\n"
                 "edit.clear\nedit.select /models/#0/bones/頭\nedit.tell\n");
}

#define CENTER(n) "frame.set 30\nedit.clear\nedit.select /models/#" n "/bones/センター\nedit.tell\n"

static void a_motion_moves_the_chosen_dancer_or_all(void **state)
{
    (void)state;
    const char *files = "odori.pmx other.pmx";
    assert_told(files, "file.open odori.vmd\n" CENTER("0") CENTER("1"),
                "odori.pmx other.pmx --motion odori.vmd", CENTER("0") CENTER("1"));
    /* Hiding and showing one chooses nobody. */
    assert_told(files,
                "model.visible off 1\nmodel.visible on 1\nfile.open odori.vmd\n" CENTER("0") CENTER("1"),
                "odori.pmx other.pmx --motion odori.vmd", CENTER("0") CENTER("1"));
    assert_told(files, "model.select 0\nfile.open odori.vmd\n" CENTER("0") CENTER("1"),
                "odori.pmx --own-motion odori.vmd other.pmx", CENTER("0") CENTER("1"));
    assert_told(files, "edit.select /models/#1/bones/頭\nfile.open odori.vmd\n" CENTER("0") CENTER("1"),
                "odori.pmx other.pmx --own-motion odori.vmd", CENTER("0") CENTER("1"));
    assert_told(files, "model.select 0\nedit.clear\nfile.open odori.vmd\n" CENTER("0") CENTER("1"),
                "odori.pmx other.pmx --motion odori.vmd", CENTER("0") CENTER("1"));
}

/* Writes a model of the size of a stage: the figure, many times larger, without its body. */
static void write_stage(void)
{
    mmd_bytes file = cli_read("odori.pmx");
    mmd_buffer out = {0};
    mmd_model *model;
    assert_int_equal(mmd_pmx_read(file.data, file.size, &model, NULL), MMD_OK);
    for (uint32_t i = 0; i < model->bone_count; i++)
        model->bones[i].name = strcmp(model->bones[i].name, "上半身") == 0 ? "curtain" : model->bones[i].name;
    for (uint32_t i = 0; i < model->vertices.count; i++)
        for (int k = 0; k < 3; k++)
            model->vertices.position[i][k] *= 100;
    assert_int_equal(mmd_pmx_write(model, &out, NULL), MMD_OK);
    cli_write("stage.pmx", out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_model_destroy(model);
    mmd_free(file.data);
}

static void a_stage_leaves_motions_to_the_dancers(void **state)
{
    (void)state;
    const char *place = "edit.clear\nedit.select /models/#1\nedit.tell\n";
    char line[512];
    write_stage();
    /* It stays at the origin, and the next motion moves the dancer and not the stage. */
    snprintf(line, sizeof line, "file.open stage.pmx\nfile.open odori.vmd\n" CENTER("0") CENTER("1") "%s",
             place);
    char other[512];
    snprintf(other, sizeof other, CENTER("0") CENTER("1") "%s", place);
    assert_told("odori.pmx", line, "odori.pmx --own-motion odori.vmd stage.pmx", other);
    /* Neither it nor an accessory becomes the dancer whom a motion moves alone. */
    cli_write_text("prop.x", "xof 0303txt 0032\nMesh {\n3;\n0;0;0;, 2;0;0;, 2;3;0;;\n1;\n3;0,1,2;;\n}\n");
    assert_told("odori.pmx other.pmx", "file.open prop.x\nfile.open odori.vmd\n" CENTER("0") CENTER("1"),
                "odori.pmx other.pmx --motion odori.vmd", CENTER("0") CENTER("1"));
    /* One that is selected by hand takes the motion. */
    snprintf(line, sizeof line,
             "file.open stage.pmx\nmodel.select 1\nfile.open odori.vmd\n" CENTER("0") CENTER("1"));
    assert_told("odori.pmx", line, "odori.pmx stage.pmx --own-motion odori.vmd", CENTER("0") CENTER("1"));
    /* What was opened beside the bundled dancer stays when a model takes her place. */
    const char *both = "model.rename 1 A\nmodel.rename 2 B\nedit.select /models/#1\nedit.tell\n"
                       "edit.clear\nedit.select /models/#2\nedit.tell\n";
    snprintf(line, sizeof line, "file.open prop.x\nfile.open stage.pmx\nfile.open odori.pmx\n%s", both);
    assert_told("", line, "odori.pmx prop.x --stage stage.pmx", both);
}

static void what_cannot_be_opened_is_said(void **state)
{
    (void)state;
    cli_write_text("notes.bmp", "BMP of nothing");
    cli_write_text("commands.txt", "file.open notes.bmp\n");
    cli_expect(2, "notes.bmp: not opened: it is no model, stage, motion",
               "play odori.pmx --no-settings --exec commands.txt");
}

/* Writes a motion of some bones of the dance up to a frame, with a camera of its own if that has a distance.
 */
static void write_part(const char *name, const char *const *bones, uint32_t last, float distance)
{
    mmd_motion *motion, *part;
    mmd_buffer out = {0};
    mmd_bytes dance = cli_read("odori.vmd");
    assert_int_equal(mmd_vmd_read(dance.data, dance.size, &motion, NULL), MMD_OK);
    assert_int_equal(mmd_motion_copy(NULL, &part, NULL), MMD_OK);
    mmd_free(dance.data);
    for (; *bones; bones++) {
        uint8_t key[MMD_NAME_KEY_SIZE];
        mmd_stored_key value;
        mmd_name_key_from_utf8(*bones, key, NULL, NULL);
        const mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, key);
        const uint32_t count = mmd_motion_count_keys(motion, &row);
        assert_true(count > 0);
        for (uint32_t i = 0; i < count && mmd_motion_key_frame(motion, &row, i) <= last; i++) {
            const uint32_t frame = mmd_motion_key_frame(motion, &row, i);
            assert_true(mmd_motion_get_key(motion, &row, frame, &value));
            value.record = MMD_NO_RECORD;
            assert_int_equal(mmd_motion_set_key(part, &row, frame, &value, NULL, NULL), MMD_OK);
        }
    }
    const mmd_key_row camera = mmd_key_row_of(MMD_KEY_CAMERA, NULL);
    mmd_stored_key view = {.record = MMD_NO_RECORD, .as.camera.value = mmd_default_camera()};
    view.as.camera.value.distance = distance;
    if (distance < 0)
        assert_int_equal(mmd_motion_set_key(part, &camera, 0, &view, NULL, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_write(part, &out, NULL), MMD_OK);
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_motion_destroy(motion);
    mmd_motion_destroy(part);
}

static void a_second_dance_takes_the_place_of_the_first(void **state)
{
    (void)state;
    static const char *const whole[] = {"センター", "左足ＩＫ", "右足ＩＫ", "頭", "右腕", NULL},
                             *const few[] = {"センター", "左足ＩＫ", NULL}, *const head[] = {"頭", NULL},
                             *const none[] = {NULL};
    const char *all = "frame.set 20\nedit.clear\nedit.select /models/#0/bones/センター\nedit.add "
                      "/models/#0/bones/頭\nedit.add /models/#0/bones/右足ＩＫ\nedit.add /camera\nedit.tell\n"
                      "frame.end\nedit.tell\n";
    char line[1024], *err;
    write_part("first.vmd", whole, 200, -20);
    write_part("second.vmd", few, 60, 0);
    write_part("third.vmd", few, 60, -33);
    write_part("head.vmd", head, 200, 0);
    write_part("camera.vmd", none, 0, -27);
    /* Length, camera and the bones that it lacks do not stay; undo and redo know both. */
    const struct {
        const char *files, *lines, *as;
    } rows[] = {
        {"--motion first.vmd", "file.open second.vmd\n", "--motion second.vmd"},
        {"--motion first.vmd", "file.open second.vmd\nreload\n", "--motion second.vmd"},
        {"--motion first.vmd", "play.mirror on\nfile.open second.vmd\nundo\nplay.mirror off\n",
         "--motion first.vmd"},
        {"--motion first.vmd", "file.open second.vmd\nundo\n", "--motion first.vmd"},
        {"--motion first.vmd", "file.open second.vmd\nundo\nreload\nredo\n", "--motion second.vmd"},
        {"--motion first.vmd", "file.open second.vmd\nreload\nundo\n", "--motion first.vmd"},
        {"--motion first.vmd", "file.open third.vmd\n", "--motion third.vmd"},
        {"--motion first.vmd", "file.open third.vmd\nundo\n", "--motion first.vmd"},
        {"--motion first.vmd", "file.open second.vmd\nfile.open third.vmd\nundo\nundo\n",
         "--motion first.vmd"},
        /* Motions of the face, and cameras, are added. */
        {"--motion first.vmd", "file.open head.vmd\n", "--motion first.vmd --motion head.vmd"},
        {"--motion first.vmd", "file.open camera.vmd\n", "--motion first.vmd --motion camera.vmd"},
        {"--motion head.vmd", "file.open second.vmd\n", "--motion head.vmd --motion second.vmd"},
        /* A camera of another place stays, and so does one by hand. */
        {"--motion second.vmd --motion camera.vmd", "file.open third.vmd\nundo\n",
         "--motion second.vmd --motion camera.vmd"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char files[256], as[256];
        snprintf(files, sizeof files, "odori.pmx %s", rows[i].files);
        snprintf(as, sizeof as, "odori.pmx %s", rows[i].as);
        snprintf(line, sizeof line, "%s%s", rows[i].lines, all);
        assert_told(files, line, as, all);
    }
    /* The first one can be switched on again, and only dancers that the new one moves change. */
    snprintf(line, sizeof line, "file.open second.vmd\nmotion.weight 0 1\nmotion.camera 0 on\n%s", all);
    assert_told("odori.pmx --motion first.vmd", line, "odori.pmx --motion first.vmd --motion second.vmd",
                all);
    assert_told("odori.pmx other.pmx --motion first.vmd",
                "model.select 1\nfile.open second.vmd\n" CENTER("0") CENTER("1"),
                "odori.pmx --own-motion first.vmd other.pmx --own-motion second.vmd",
                CENTER("0") CENTER("1"));
    free(told("odori.pmx --motion first.vmd", "file.open second.vmd\n", &err));
    assert_non_null(strstr(err, "first.vmd is off, with its camera: \"Motions\" on the page Models"));
    free(err);
    assert_told("", "file.open odori.pmx second.vmd\nframe.end\n" CENTER("0"),
                "odori.pmx --motion second.vmd", "frame.end\n" CENTER("0"));
    free(told("", "file.open odori.pmx\nfile.open second.vmd\n", &err));
    assert_null(strstr(err, " is off"));
    free(err);
}

/* Writes a motion whose head has its first keyframe at frame 20, turned, and its chest none at all. */
static void write_late(void)
{
    mmd_motion *motion;
    mmd_buffer out = {0};
    mmd_bytes dance = cli_read("odori.vmd");
    assert_int_equal(mmd_vmd_read(dance.data, dance.size, &motion, NULL), MMD_OK);
    mmd_free(dance.data);
    for (uint32_t i = 0; i < motion->bone_track_count; i++) {
        const mmd_bone_track *t = &motion->bone_tracks[i];
        const mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, t->name);
        while (t->count && t->frames[0] < 20)
            assert_true(mmd_motion_remove_key(motion, &row, t->frames[0], NULL));
    }
    assert_int_equal(mmd_vmd_write(motion, &out, NULL), MMD_OK);
    cli_write("late.vmd", out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_motion_destroy(motion);
}

static void keyframes_at_rest_are_offered_and_set(void **state)
{
    (void)state;
    const char *tell = "frame.set 0\nedit.clear\nedit.select /models/#0/bones/センター\nedit.add "
                       "/models/#0/bones/頭\nedit.tell\n";
    char line[512], *err, *out;
    write_late();
    out = told("odori.pmx", "file.open late.vmd\n", &err);
    assert_non_null(strstr(err, "late.vmd: the first keyframes of "));
    assert_non_null(strstr(err, "key.rest"));
    free(out);
    free(err);
    out = told("odori.pmx", "file.open odori.vmd\n", &err);
    assert_null(strstr(err, "key.rest"));
    free(out);
    free(err);
    snprintf(line, sizeof line, "key.rest\n%s", tell);
    assert_told("odori.pmx --motion late.vmd", line, "odori.pmx", tell);
    snprintf(line, sizeof line, "key.rest\nundo\n%s", tell);
    assert_told("odori.pmx --motion late.vmd", line, "odori.pmx --motion late.vmd", tell);
    /* The first keyframe itself stays. */
    assert_told("odori.pmx --motion late.vmd", "key.rest\n" CENTER("0"), "odori.pmx --motion late.vmd",
                CENTER("0"));
    cli_write_text("commands.txt", "key.rest\nkey.rest\n");
    cli_expect(2, "have one at frame 0 already",
               "play odori.pmx --motion late.vmd --no-settings --exec commands.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replaced_model_hands_everything_on),
        cmocka_unit_test(keyframes_from_before_a_motion_stay),
        cmocka_unit_test(keyframes_follow_the_place),
        cmocka_unit_test(what_hangs_on_a_model_hangs_on_the_next),
        cmocka_unit_test(a_second_model_stands_beside_the_first),
        cmocka_unit_test(undo_takes_an_opened_model_away),
        cmocka_unit_test(removed_models_do_not_pile_up),
        cmocka_unit_test(the_last_removed_models_come_back),
        cmocka_unit_test(a_motion_moves_the_chosen_dancer_or_all),
        cmocka_unit_test(a_second_dance_takes_the_place_of_the_first),
        cmocka_unit_test(keyframes_at_rest_are_offered_and_set),
        cmocka_unit_test(a_stage_leaves_motions_to_the_dancers),
        cmocka_unit_test(what_cannot_be_opened_is_said),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
