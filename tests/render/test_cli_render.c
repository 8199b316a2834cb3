/*
 * The output of `render` in unusual cases: joined shards, killed runs that resume, invalid options and paths.
 * Video tests need ffmpeg and are skipped without it. test_cli_render_pictures.c tests the contents of the
 * images.
 */
#ifdef ODORI_TEST_SLOWLY /* builds that leave out some of the tests */
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#include <sys/stat.h>

#include "cli.h"

#define MODEL "odori.pmx --motion odori.vmd --size 48x40 "

static void render(const char *arguments)
{
    cli_result r = cli_run("render " MODEL "%s", arguments);
    if (r.code != 0)
        fail_msg("render %s: %d: %s", arguments, r.code, r.err);
    cli_finish(&r);
}

/* --- Resuming --- */

static long long changed_at(const char *name)
{
    char path[1024];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(stat(path, &status), 0);
    return (long long)status.st_ino;
}

static void resuming_draws_what_is_not_there(void **state)
{
    (void)state;
    render("--frames 0:9 -o all/%03d.png");
    render("--frames 0:9 --edge off -o some/%03d.png");
    cli_shell("cp all/000.png all/001.png all/002.png all/003.png some/");
    cli_shell("head -c 700 all/002.png >some/002.png; rm some/005.png; echo no >some/006.png");
    cli_shell("cp all/004.png some/003.png"); /* the image of another frame */
    long long kept = changed_at("some/000.png"), anew = changed_at("some/008.png");
    cli_result r = cli_run("render " MODEL "--frames 0:9 --resume -o some/%%03d.png");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err, "2 of 10 pictures existed already"));
    cli_finish(&r);
    assert_int_equal(changed_at("some/000.png"), kept);
    assert_int_not_equal(changed_at("some/008.png"), anew);
    cli_shell("diff -r all some");
    r = cli_run("render " MODEL "--frames 0:9 --resume --supersample 2 -o some/%%03d.png");
    assert_int_equal(r.code, 0);
    assert_null(strstr(r.err, "already"));
    cli_finish(&r);
}

/* Starts render in the background and kills it when the shell condition holds. */
static void start_and_kill(const char *arguments, const char *condition)
{
    char line[2048];
    snprintf(line, sizeof line,
             "'%s/odori' render " MODEL "%s >/dev/null 2>&1 & id=$!; n=0; "
             "until { %s; } || [ $n -gt 600 ]; do sleep 0.05; n=$((n+1)); done; kill -9 $id; wait $id; [ $n "
             "-le 600 ]",
             ODORI_BINARY, arguments, condition);
    cli_shell(line);
}

static void a_killed_run_leaves_whole_files_and_goes_on(void **state)
{
    (void)state;
    start_and_kill("--frames 0:400 -o killed/%03d.png", "[ -e killed/012.png ]");
    cli_shell("for f in killed/*; do tail -c 8 $f | grep -q IEND || exit 1; done");
    render("--frames 0:30 -o whole/%03d.png");
    cli_shell("cd killed; rm -f 03[1-9]* 0[4-9]* [1-9]*");
    render("--frames 0:30 --resume -o killed/%03d.png");
    cli_shell("diff -r whole killed");
}

static void a_killed_video_goes_on(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    start_and_kill("--frames 0:120 --supersample 4 --resume -o killed.mp4",
                   "[ -e killed.mp4.parts/000000.mkv ]");
    cli_shell("test ! -e killed.mp4");
    cli_result r = cli_run("render " MODEL "--frames 0:120 --supersample 4 --resume -o killed.mp4");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err, "of 121 pictures existed already"));
    cli_finish(&r);
    cli_shell("test ! -e killed.mp4.parts");
    render("--frames 0:120 --supersample 4 -o whole.mp4");
    assert_true(cli_same_files("killed.mp4", "whole.mp4"));
}

static void parts_made_otherwise_are_drawn_anew(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    start_and_kill("--frames 0:200 --edge off --resume -o other.mkv", "[ -e other.mkv.parts/000000.mkv ]");
    cli_result r = cli_run("render " MODEL "--frames 0:20 --resume -o other.mkv");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err, "made with other settings"));
    cli_finish(&r);
    render("--frames 0:20 -o plain.mkv");
    assert_true(cli_same_files("other.mkv", "plain.mkv"));
}

/* --- Parts --- */

/* Hair and skirt have physics, so a shard must begin in the state that the whole run has there. */
static void shards_of_pictures_are_the_pictures(void **state)
{
    (void)state;
    render("--frames 50:91 --fps 25 -o one/%04d.png");
    for (int i = 1; i <= 4; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "--frames 50:91 --fps 25 --shard %d/4 -o s%d/%%04d.png", i, i);
        render(arguments);
    }
    cli_shell("test $(ls s1 s2 s3 s4 | grep -c png) = $(ls one | wc -l)");
    cli_expect(0, NULL, "render --join s3 s1 s4 s2 s1 -o joined/%%04d.png");
    cli_shell("diff -r one joined");
    cli_expect(3, "is in none of the parts", "render --join s1 s4 s2 -o gap/%%04d.png");
    render("--frames 50:91 --fps 25 --shard 3/4 --edge off -o s5/%04d.png");
    cli_expect(3, "drawn with other settings", "render --join s1 s2 s5 s4 -o mixed/%%04d.png");
    cli_expect(3, "the folder has no picture with a name like %05d.png", "render --join s1 -o mixed/%%05d.png");
    cli_expect(3, "nowhere", "render --join s1 nowhere -o mixed/%%04d.png");
}

static void shards_of_a_video_are_the_video(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    render("--frames 0:40 -o one.mp4");
    for (int i = 1; i <= 3; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "--frames 0:40 --shard %d/3 -o part%d.mkv", i, i);
        render(arguments);
    }
    cli_expect(0, NULL, "render --join part2.mkv part3.mkv part1.mkv -o joined.mp4");
    assert_true(cli_same_files("one.mp4", "joined.mp4"));
    cli_expect(3, "picture 14 of 41 is in none of the parts", "render --join part1.mkv part3.mkv -o gap.mp4");
    render("--frames 0:40 --shard 2/3 --edge off -o other.mkv");
    cli_expect(3, "belongs to another video", "render --join part1.mkv other.mkv part3.mkv -o gap.mp4");
    cli_expect(3, "not a part of a video", "render --join one.mp4 -o gap.mp4");
    cli_expect(3, "No such file", "render --join part1.mkv nowhere.mkv -o gap.mp4");
    cli_shell("head -c 3000 part2.mkv >cut.mkv");
    cli_result r = cli_run("render --join part1.mkv cut.mkv part3.mkv -o gap.mp4");
    assert_int_equal(r.code, 3);
    cli_finish(&r);
    cli_shell("test ! -e gap.mp4 && ! ls | grep -q part-");
}

/* --- Videos --- */

static void codecs_are_listed_and_chosen(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    cli_expect(0, "h264    H.264 ", "render --codecs");
    static const struct {
        const char *output, *codec;
    } videos[] = {{"c.mp4", "h264"}, {"c.webm", "vp9"}, {"c.mov", "prores"}, {"c.avi", "mpeg4"}};
    for (size_t i = 0; i < 4; i++) {
        char line[256];
        snprintf(line, sizeof line, "--frames 0:2 -o %s", videos[i].output);
        render(line);
        snprintf(line, sizeof line,
                 "ffprobe -v error -show_entries stream=codec_name %s | grep -q codec_name=%s",
                 videos[i].output, videos[i].codec);
        cli_shell(line);
    }
    render("--frames 0:2 --codec h264 -o c.mov");
    cli_shell("ffprobe -v error -show_entries stream=codec_name c.mov | grep -q h264");
    cli_expect(4, "ffmpeg cannot be run",
               "--version >.version; PATH=/nonexistent '%s/odori' render " MODEL "-o x.mp4", ODORI_BINARY);
    cli_expect(4, "ffmpeg cannot be run", "--version >.version; PATH=/nonexistent '%s/odori' render --codecs",
               ODORI_BINARY);
    cli_shell("mkdir -p few && printf '#!/bin/sh\\necho \" V....D mpeg4  MPEG-4\"\\n' >few/ffmpeg && chmod "
              "+x few/ffmpeg");
    cli_expect(4, "no encoder for H.264",
               "--version >.version; PATH=./few '%s/odori' render " MODEL "-o x.mp4", ODORI_BINARY);
}

static void bad_wishes_get_a_sentence(void **state)
{
    (void)state;
    static const struct {
        int code;
        const char *text, *arguments;
    } bad[] = {
        {2, "the first is greater than the last", "--frames 10:5 -o x/%d.png"},
        {2, "--frames", "--frames nan -o x/%d.png"},
        {2, "--frames", "--frames 0:1e30 -o x/%d.png"},
        {2, "more than a million", "--frames 0:4000000000 -o x/%d.png"},
        {2, "--frames", "--frames 0:5:0 -o x/%d.png"},
        {2, "--fps", "--frames 0:3 --fps 0 -o x/%d.png"},
        {2, "--fps", "--frames 0:3 --fps nan -o x/%d.png"},
        {2, "--supersample", "--supersample 0 -o x/%d.png"},
        {2, "--supersample", "--supersample 9 -o x/%d.png"},
        {2, "--supersample", "--supersample 1.5 -o x/%d.png"},
        {2, "--motion-blur", "--motion-blur 0 -o x/%d.png"},
        {2, "--motion-blur", "--motion-blur 4294967296 -o x/%d.png"},
        {2, "--shutter", "--motion-blur 2 --shutter nan -o x/%d.png"},
        {2, "--shutter", "--motion-blur 2 --shutter -1 -o x/%d.png"},
        {2, "--shutter", "--motion-blur 2 --shutter 361 -o x/%d.png"},
        {2, "--png-level", "--png-level 10 -o x/%d.png"},
        {2, "--png-level", "--png-level 6 -o x.mp4"},
        {2, "--motion-blur", "--shutter 90 -o x/%d.png"},
        {2, "--bits", "--bits 12 -o x/%d.png"},
        {2, "--codec", "--codec h265 -o x.mp4"},
        {2, "--codec", "--codec vp9 -o x/%d.png"},
        {2, "is not possible in such a file", "--codec vp9 -o x.avi"},
        {2, "8 bits", "--bits 16 -o x.mp4"},
        {2, "--shard", "--shard 0/3 -o x/%d.png"},
        {2, "--shard", "--shard 4/3 -o x/%d.png"},
        {2, "--shard", "--shard 1/ -o x/%d.png"},
        {2, "part.mkv", "--shard 1/3 -o x.mp4"},
        {2, "ffv1", "--shard 1/3 --codec h264 -o x.mkv"},
        {2, "neither a video", "-o x"},
        {4, "Not a directory", "--frames 0:1 -o /dev/full/%d.png"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cli_expect(bad[i].code, bad[i].text, "render " MODEL "%s", bad[i].arguments);
    cli_expect(2, "no parts were given", "render --join -o x.mp4");
    cli_expect(2, "--join needs all parts", "render --join x --shard 1/2 -o x.mp4");
    cli_expect(2, "--shutter", "shot " MODEL "--shutter 90 -o x.png");
    cli_shell("test ! -e x -a ! -e x.mp4 -a ! -e x.mkv -a ! -e x.png");
}

static void bad_places_get_a_sentence(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    cli_shell("mkdir -p folder.mp4 && ln -sf /dev/full full.mp4");
    cli_expect(4, "Is a directory", "render " MODEL "--frames 0:1 -o folder.mp4");
    cli_expect(4, "it is not a file", "render " MODEL "--frames 0:1 -o full.mp4");
    cli_expect(4, "cannot be created", "render " MODEL "--frames 0:1 -o /proc/nowhere/x.mp4");
    render("--frames 0:1 -o made/here/x.mp4");
    /* One ffmpeg fails at once, another one at the end. There is no output file, and ffmpeg's message is
     * shown. */
    cli_shell(
        "mkdir -p bad && printf '#!/bin/sh\\ncase \"$*\" in *-encoders*) echo \" V....D libx264  H.264\";; "
        "*) echo No space left >&2; exit 1;; esac\\n' >bad/ffmpeg && chmod +x bad/ffmpeg");
    cli_expect(4, "ffmpeg could not write it: No space left",
               "--version >.version; PATH=./bad:/bin:/usr/bin '%s/odori' render " MODEL
               "--frames 0:9 -o x.mp4",
               ODORI_BINARY);
    cli_shell("test ! -e x.mp4 && ! ls | grep -q part-");
}

#ifdef ODORI_TEST_SLOWLY
/* Under sanitizers, only the tests that read incomplete files or lose processes run. */
static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_killed_run_leaves_whole_files_and_goes_on),
    cmocka_unit_test(a_killed_video_goes_on),
    cmocka_unit_test(bad_wishes_get_a_sentence),
};
#else
static const struct CMUnitTest tests[] = {
    cmocka_unit_test(resuming_draws_what_is_not_there),
    cmocka_unit_test(a_killed_run_leaves_whole_files_and_goes_on),
    cmocka_unit_test(a_killed_video_goes_on),
    cmocka_unit_test(parts_made_otherwise_are_drawn_anew),
    cmocka_unit_test(shards_of_pictures_are_the_pictures),
    cmocka_unit_test(shards_of_a_video_are_the_video),
    cmocka_unit_test(codecs_are_listed_and_chosen),
    cmocka_unit_test(bad_wishes_get_a_sentence),
    cmocka_unit_test(bad_places_get_a_sentence),
};
#endif

int main(void)
{
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
