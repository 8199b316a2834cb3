/* Images with physics on the command line: `render` draws the same as `shot` at any frame rate and number of
 * threads, images record their physics settings, and `check` compares them. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

#define DANCE "dancer --motion dancer --camera dancer --size 160x120 "

static void assert_same_files(const char *a, const char *b)
{
    mmd_bytes x = cli_read(a), y = cli_read(b);
    if (x.size != y.size || memcmp(x.data, y.data, x.size) != 0)
        fail_msg("%s and %s differ", a, b);
    mmd_bytes_finish(&x);
    mmd_bytes_finish(&y);
}

static int count_files(const char *folder)
{
    char path[1024];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", cli_folder(), folder);
    DIR *list = opendir(path);
    assert_non_null(list);
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

static void render_draws_what_shot_draws_at_any_rate(void **state)
{
    (void)state;
    cli_need_dancer();
    static const struct {
        int rate;
        const char *first, *last; /* images of the frames 95 and 100 */
        int count;
    } rates[] = {{24, "00076", "00080", 5},
                 {30, "00095", "00100", 6},
                 {60, "00190", "00200", 11},
                 {144, "00456", "00480", 25}};
    cli_expect(0, NULL, "shot " DANCE "--frame 95 -o 95.png");
    cli_expect(0, NULL, "shot " DANCE "--frame 100 -o 100.png");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        char folder[32], name[64];
        snprintf(folder, sizeof folder, "at%d", rates[i].rate);
        cli_expect(0, NULL, "render " DANCE "--frames 95:100 --fps %d -o %s/%%05d.png", rates[i].rate,
                   folder);
        assert_int_equal(count_files(folder), rates[i].count);
        snprintf(name, sizeof name, "%s/%s.png", folder, rates[i].first);
        assert_same_files(name, "95.png");
        snprintf(name, sizeof name, "%s/%s.png", folder, rates[i].last);
        assert_same_files(name, "100.png");
    }
    for (int threads = 0; threads <= 4; threads += 2) {
        cli_expect(0, NULL, "render " DANCE "--frames 98:100 --threads %d -o t/%%d.png", threads);
        assert_same_files("t/100.png", "100.png");
    }
}

static void render_names_and_counts_pictures(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *last;
        int count;
    } runs[] = {
        {"--frames 10:30:10 -o a/x%03d.png", "a/x030.png", 3},
        {"--frames 5 -o b/%d.png", "b/5.png", 1},
        {"--frames 0.5:2.5 -o c/%d.png", "c/2.png", 3}, /* fractional frames are numbered by index */
        {"--frames 0:2:0.5 -o d/new/%d.png", "d/new/4.png", 5},
        {"--frames 0:2:2 --fps 60 -o e/%02d.png", "e/04.png", 3},
        {"--frames 0.9:2.1 -o f/%d.png --fps 30", "f/2.png", 2},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char folder[64];
        struct stat status;
        cli_expect(0, NULL, "render odori.pmx --motion odori.vmd --size 32x24 %s", runs[i].arguments);
        snprintf(folder, sizeof folder, "%s/%s", cli_folder(), runs[i].last);
        assert_int_equal(stat(folder, &status), 0);
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(runs[i].last, '/') - runs[i].last),
                 runs[i].last);
        assert_int_equal(count_files(folder), runs[i].count);
    }
    /* the whole motion */
    cli_expect(0, NULL, "render odori.pmx --motion odori.vmd --size 16x16 -o all/%%d.png");
    assert_true(count_files("all") > 30);
}

static void render_says_what_is_wrong(void **state)
{
    (void)state;
    cli_expect(0, "usage: odori render", "render --help");
    cli_expect(2, "no model", "render -o a/%%d.png");
    cli_expect(2, "no output was given", "render odori.pmx");
    static const char *const names[] = {"a.png", "%d/%d.png", "%s.png",  "%5",
                                        "%",     "%999d.png", "%ld.png", "a.gif"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cli_expect(2, "nor a name with a number", "render odori.pmx -o '%s'", names[i]);
    cli_expect(2, "the first is greater than the last", "render odori.pmx -o a/%%d.png --frames=2:1");
    static const char *const ranges[] = {"a", "0:1:0", "0:1:-1", "0:1:1:1", "-1:2", "1:", "", "0:5e9"};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        cli_expect(2, "is not a range of frames", "render odori.pmx -o a/%%d.png --frames='%s'", ranges[i]);
    cli_expect(2, "--fps", "render odori.pmx -o a/%%d.png --frames 0:1 --fps 0");
    cli_expect(2, "whole number of pictures", "render odori.pmx -o a/%%d.png --frames 0:1:0.5 --fps 60");
    cli_expect(2, "the range contains no picture", "render odori.pmx -o a/%%d.png --frames 0.1:0.2 --fps 30");
    cli_expect(2, "the range contains no picture", "render odori.pmx -o a/%%d.png --frames 0:4e9");
    cli_expect(3, "no.pmx", "render no.pmx -o a/%%d.png");
    cli_expect(3, "a motion or a pose", "render odori.vmd -o a/%%d.png");
    cli_expect(4, "cannot be created", "render odori.pmx --frames 0 -o odori.vmd/a/%%d.png");
}

static void render_makes_a_video_where_ffmpeg_is(void **state)
{
    (void)state;
    struct stat status;
    char path[1024];
    cli_shell("mkdir -p nothing");
    cli_expect(2, "no output", "render odori.pmx --frames 0:9");
    cli_need("ffmpeg");
    cli_expect(0, NULL, "render odori.pmx --motion odori.vmd --frames 0:9 --size 33x25 -o out.mkv");
    snprintf(path, sizeof path, "%s/out.mkv", cli_folder());
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size > 500);
    cli_result result = cli_run("render odori.pmx --frames 0:3 --size 32x24 -o odori.vmd/out.mkv");
    assert_int_equal(result.code, 4);
    cli_finish(&result);
}

/* Runs a command that draws an image again differently, and requires a message that names the reason. */
static void expect_told(const char *sentence, const char *arguments)
{
    cli_result result = cli_run("%s", arguments);
    if (!strstr(result.err, sentence))
        fail_msg("%s: no \"%s\" in %s", arguments, sentence, result.err);
    assert_int_equal(result.code, 1);
    cli_finish(&result);
}

static void pictures_say_how_their_physics_was(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_expect(0, NULL,
               "shot " DANCE "--frame 60 --gravity 0,-20,0 --physics-ground off --physics-rate 90 -o p.png");
    cli_expect(0, "p.png: equal", "check p.png");
    cli_shell("grep -aqF "
              "'\"physics\":{\"gravity\":[0,-20,0],\"ground\":\"off\",\"lever\":\"stock\",\"rate\":90,"
              "\"world\":\"shared\"}' p.png");
    cli_expect(1, "different", "check p.png --gravity 0,-98,0");
    expect_told("physics.gravity: 0, -20, 0 -> 0, -98, 0", "check p.png --gravity 0,-98,0");
    expect_told("physics.rate: 90 -> 60", "check p.png --physics-rate 60");
    expect_told("view.edge: on -> off", "check p.png --edge off");
    cli_expect(0, NULL, "shot " DANCE "--frame 60 --physics off -o off.png");
    cli_shell("grep -aqF '\"physics\":\"off\"' off.png"); /* the format of older versions */
    cli_expect(0, "off.png: equal", "check off.png");
    cli_write_text("commands.txt", "physics off\n");
    cli_expect(0, NULL, "shot " DANCE "--frame 60 --exec commands.txt -o by-hand.png");
    cli_expect(0, "by-hand.png: equal", "check by-hand.png");
    cli_write_text("commands.txt", "frame.set 30\nphysics.gravity 30 -20 0\n");
    cli_expect(0, NULL, "shot " DANCE "--frame 60 --exec commands.txt -o steered.png");
    cli_expect(0, "steered.png: equal", "check steered.png");
    cli_expect(1, "physics", "diff p.png off.png --ids none");
}

/*
 * Older images do not record the lever setting. They used Bullet's levers, so they are drawn again with them.
 */
static void pictures_without_levers_had_bullets(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_expect(0, NULL, "shot " DANCE "--frame 240 --physics-lever own -o own.png");
    cli_expect(0, NULL, "shot " DANCE "--frame 240 -o stock.png");
    cli_expect(1, "physics.lever: own -> stock", "diff own.png stock.png");
    cli_expect(0, "stock.png: equal", "check stock.png");
    static const char lever[] = ",\"lever\":\"stock\"";
    char *scene = cli_picture_scene("stock.png"), *at = strstr(scene, lever);
    mmd_image image = cli_picture("stock.png");
    assert_non_null(at);
    memmove(at, at + strlen(lever), strlen(at + strlen(lever)) + 1);
    cli_write_picture("old.png", &image, scene);
    free(scene);
    mmd_image_finish(&image);
    cli_expect(0, "old.png: equal", "check old.png");
    cli_expect(0, NULL, "diff --max-max 0 old.png stock.png");
    expect_told("physics.lever: stock -> own", "check old.png --physics-lever own");
    cli_write_text("s.json",
                   "{\"scenes\":[{\"name\":\"a\",\"model\":\"dancer\",\"motion\":\"dancer\",\"camera\":"
                   "\"dancer\",\"size\":[160,120],\"frames\":240,\"physics\":{\"lever\":\"stock\"}}]}");
    cli_expect(0, NULL, "check s.json --accept");
    cli_shell("cp baselines/*/a/240.png suite.png");
    cli_expect(0, NULL, "diff --max-max 0 suite.png stock.png");
}

/* Bodies, joints and contacts are shown on request by an option, commands or suites, and the image records
 * it. */
static void physics_is_shown_where_it_is_asked_for(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_expect(0, NULL, "shot " DANCE "--frame 30 -o plain.png");
    cli_expect(0, NULL, "shot " DANCE "--frame 30 --show none -o none.png");
    cli_expect(0, NULL, "shot " DANCE "--frame 30 --show contacts,bodies -o shown.png");
    cli_expect(0, NULL, "diff plain.png none.png");
    cli_expect(1, "view.show: (none) -> bodies,contacts", "diff plain.png shown.png");
    cli_shell("grep -aqF '\"show\":\"bodies,contacts\"' shown.png && ! grep -aqF '\"show\"' none.png");
    cli_expect(0, "shown.png: equal", "check shown.png");
    expect_told("view.show: bodies,contacts -> (none)", "check shown.png --show none");
    cli_write_text("commands.txt", "view.bodies on\nview.contacts on\n");
    cli_expect(0, NULL, "shot " DANCE "--frame 30 --exec commands.txt -o by-hand.png");
    cli_expect(0, NULL, "diff --max-max 0 shown.png by-hand.png");
    cli_write_text("commands.txt", "view.bodies off\nview.contacts off\n");
    cli_expect(0, NULL, "shot " DANCE "--frame 30 --show bodies,contacts --exec commands.txt -o off.png");
    cli_shell("! grep -aqF '\"show\"' off.png");
    cli_expect(0, NULL, "diff plain.png off.png");
    cli_expect(0, "off.png: equal", "check off.png");
}

static void projects_switch_it_off_where_nobody_switches_it_on(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("still.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"dancer\",\"motion\":\"dancer\","
                                 "\"physics\":false,\"size\":[64,48]}]}");
    cli_expect(0, "1 project", "capture-kit still.json -o still --copy");
    cli_expect(0, NULL, "shot still/01-a.pmm --frame 60 -o still.png");
    cli_shell("grep -aqF '\"physics\":\"off\"' still.png");
    cli_expect(0, NULL, "shot still/01-a.pmm --frame 60 --physics on -o moved.png");
    cli_shell("grep -aqF '\"physics\":{' moved.png");
}

/* The baseline is from a version without physics. Only what depends on physics has changed. */
static void check_names_physics_as_the_first_stage_that_differs(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("s.json",
                   "{\"scenes\":[{\"name\":\"a\",\"model\":\"dancer\",\"motion\":\"dancer\",\"size\":[80,60],"
                   "\"frames\":60}]}");
    cli_expect(0, NULL, "check s.json --accept");
    cli_expect(0, NULL, "check s.json");
    cli_shell(
        "grep -q '\"physics\"' baselines/*/a/60.json && grep '\"settings\"' baselines/*/a/60.json >settings");
    cli_expect(0, NULL, "check s.json --accept --physics off");
    cli_shell("! grep -q '\"physics\"' baselines/*/a/60.json");
    cli_shell(
        "for f in baselines/*/a/60.json; do sed -i \"s/.*\\\"settings\\\".*/$(cat settings)/\" \"$f\"; done");
    cli_expect(1, "first step that differs: physics (", "check s.json");
}

static void bench_measures_physics(void **state)
{
    (void)state;
    cli_need_dancer();
    json_t *on = cli_json("bench dancer --motion dancer --frames 5 --size 64x36 --json"),
           *two = cli_json("bench dancer --motion dancer --frames 5 --size 64x36 --actors 2 --json"),
           *off = cli_json("bench dancer --motion dancer --frames 5 --size 64x36 --physics off --json");
    double one_us = json_number_value(json_object_get(on, "physics_us"));
    assert_true(one_us > 0 && json_number_value(json_object_get(on, "physics_pose_us")) > 0);
    assert_true(json_number_value(json_object_get(two, "physics_us")) > one_us);
    assert_true(json_is_null(json_object_get(off, "physics_us")));
    assert_true(json_integer_value(json_object_get(on, "bodies")) > 50);
    json_decref(on);
    json_decref(two);
    json_decref(off);
}

/* Physics commands apply from the start of the motion, not from the first requested frame. */
static void commands_before_the_first_frame_are_felt_from_the_start(void **state)
{
    (void)state;
    cli_need_dancer();
    cli_write_text("turned.txt", "bone.rotate 頭 0 70 0\nbone.translate センター 6 0 0\n");
    cli_expect(0, NULL, "shot " DANCE "--exec turned.txt --frame 60 -o turned.png");
    cli_expect(0, NULL, "render " DANCE "--exec turned.txt --frames 0:60:60 -o turned/%%d.png");
    cli_expect(0, NULL, "diff turned.png turned/60.png");
    cli_write_text("wind.txt", "physics.gravity 200 -98 0\n");
    cli_expect(0, NULL, "shot " DANCE "--exec wind.txt --frame 60 -o wind.png");
    cli_expect(0, NULL, "shot " DANCE "--gravity 200,-98,0 --frame 60 -o gravity.png");
    cli_expect(0, NULL, "diff wind.png gravity.png");
    cli_expect(1, NULL, "diff wind.png turned.png");
    cli_expect(0, NULL, "check turned.png");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(render_draws_what_shot_draws_at_any_rate),
        cmocka_unit_test(render_names_and_counts_pictures),
        cmocka_unit_test(render_says_what_is_wrong),
        cmocka_unit_test(render_makes_a_video_where_ffmpeg_is),
        cmocka_unit_test(pictures_say_how_their_physics_was),
        cmocka_unit_test(pictures_without_levers_had_bullets),
        cmocka_unit_test(physics_is_shown_where_it_is_asked_for),
        cmocka_unit_test(projects_switch_it_off_where_nobody_switches_it_on),
        cmocka_unit_test(check_names_physics_as_the_first_stage_that_differs),
        cmocka_unit_test(bench_measures_physics),
        cmocka_unit_test(commands_before_the_first_frame_are_felt_from_the_start),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
