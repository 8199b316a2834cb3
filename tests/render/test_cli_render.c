/*
 * What `render` leaves: pictures of many samples and moments, videos with and
 * without transparency, parts of shards joined, runs that were killed and go
 * on. Videos need ffmpeg; without it those tests are skipped.
 */
#include <sys/stat.h>

#include "cli.h"
#include "mmd/cursor.h"

#define MODEL "odori.pmx --motion odori.vmd --size 48x40 "

static void render(const char *arguments)
{
    cli_result r = cli_run("render " MODEL "%s", arguments);
    if (r.code != 0)
        fail_msg("render %s: %d: %s", arguments, r.code, r.err);
    cli_finish(&r);
}

static bool same_files(const char *a, const char *b)
{
    mmd_bytes x = cli_read(a), y = cli_read(b);
    bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    mmd_bytes_finish(&x);
    mmd_bytes_finish(&y);
    return same;
}

static bool same_pictures(const char *a, const char *b)
{
    mmd_image x = cli_picture(a), y = cli_picture(b);
    bool same = x.width == y.width && x.height == y.height &&
                memcmp(x.pixels, y.pixels, (size_t)4 * x.width * x.height) == 0;
    mmd_image_finish(&x);
    mmd_image_finish(&y);
    return same;
}

/* --- Pictures --- */

static void a_picture_is_that_of_shot_with_any_quality(void **state)
{
    (void)state;
    static const char *const qualities[] = {"", "--supersample 3", "--bits 16", "--motion-blur 4",
                                            "--bits 16 --supersample 2 --motion-blur 3 --shutter 270"};
    for (size_t i = 0; i < sizeof qualities / sizeof *qualities; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "%s --frames 40:42 -o q/%%d.png", qualities[i]);
        render(arguments);
        cli_expect(0, NULL, "shot " MODEL "%s --frame 41 -o shot.png", qualities[i]);
        if (!same_files("q/41.png", "shot.png"))
            fail_msg("%s: another picture", qualities[i]);
        mmd_bytes png = cli_read("shot.png");
        assert_int_equal(png.data[24], strstr(qualities[i], "16") ? 16 : 8);
        mmd_bytes_finish(&png);
    }
}

static void a_picture_of_any_quality_can_be_checked(void **state)
{
    (void)state;
    render("--frames 33:34 --bits 16 --supersample 2 --motion-blur 3 --fps 60 -o checked/%d.png");
    cli_expect(0, "equal", "check checked/67.png");
    render("--frames 33 --motion-blur 3 --background transparent -o checked/%d.png");
    cli_expect(0, "equal", "check checked/33.png");
}

static void blur_is_the_average_of_its_moments(void **state)
{
    (void)state;
    static const char *const frames[] = {"100", "100.25", "100.5", "100.75"};
    mmd_image at[4], blurred;
    for (int i = 0; i < 4; i++) {
        cli_expect(0, NULL, "shot " MODEL "--frame %s -o moment.png", frames[i]);
        at[i] = cli_picture("moment.png");
    }
    render("--motion-blur 4 --shutter 360 --frames 100 -o blurred/%d.png");
    blurred = cli_picture("blurred/100.png");
    size_t moved = 0;
    for (size_t i = 0; i < (size_t)4 * 48 * 40; i++) {
        unsigned sum = 0;
        for (int m = 0; m < 4; m++)
            sum += at[m].pixels[i];
        moved += at[0].pixels[i] != at[3].pixels[i];
        assert_int_equal(blurred.pixels[i], (sum + 2) / 4);
    }
    assert_true(moved > 50);
    for (int i = 0; i < 4; i++)
        mmd_image_finish(&at[i]);
    mmd_image_finish(&blurred);
    render("--motion-blur 4 --shutter 0 --frames 100 -o closed/%d.png");
    cli_expect(0, NULL, "shot " MODEL "--frame 100 -o moment.png");
    assert_true(same_pictures("closed/100.png", "moment.png"));
}

/* A camera that moves from frame 0 to 10, and shows something else from `cut` on. */
static void write_camera(const char *name, uint32_t cut)
{
    static const uint8_t linear[24] = {20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20, 107,
                                       20, 107, 20, 107, 20, 107, 20, 107, 20, 107, 20, 107};
    const uint32_t frames[] = {0, 10, cut};
    const float targets[] = {8, 10, 16};
    mmd_buffer vmd = {0};
    mmd_write_bytes(&vmd, "Vocaloid Motion Data 0002\0\0\0\0\0", 30);
    mmd_write_zeros(&vmd, 20 + 8);
    mmd_write_u32(&vmd, 3);
    for (int i = 0; i < 3; i++) {
        const float place[] = {-30, 0, targets[i], 0, 0, i == 2 ? 1.0f : 0.0f, 0};
        mmd_write_u32(&vmd, frames[i]);
        mmd_write_floats(&vmd, place, 7);
        mmd_write_bytes(&vmd, linear, sizeof linear);
        mmd_write_u32(&vmd, 30);
        mmd_write_u8(&vmd, 0);
    }
    mmd_write_zeros(&vmd, 8);
    cli_write(name, vmd.data, vmd.size);
    mmd_buffer_finish(&vmd);
}

/* She stands still: only the camera moves. 15 pictures a second are two frames long. */
static void blur_ends_at_a_cut(void **state)
{
    (void)state;
    static const char blur[] = "--fps 15 --motion-blur 8 --shutter 360 --size 48x40";
    write_camera("cut.vmd", 11);
    write_camera("pan.vmd", 12);
    cli_expect(0, NULL, "render odori.pmx --camera cut.vmd --frames 8:12 %s -o cut/%%d.png", blur);
    cli_expect(0, NULL, "render odori.pmx --camera pan.vmd --frames 8:12 %s -o pan/%%d.png", blur);
    cli_expect(0, NULL, "shot odori.pmx --camera cut.vmd --frame 10 --size 48x40 -o before.png");
    assert_true(same_pictures("cut/5.png", "before.png"));  /* frames 10 to 11: the camera rests */
    assert_false(same_pictures("pan/5.png", "before.png")); /* no cut: it is seen to turn */
    assert_true(same_pictures("cut/4.png", "pan/4.png"));   /* frames 8 to 10: moves */
    cli_expect(0, NULL, "shot odori.pmx --camera cut.vmd --frame 8 --size 48x40 -o before.png");
    assert_false(same_pictures("cut/4.png", "before.png"));
}

/* --- Going on --- */

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
    cli_shell("cp all/004.png some/003.png"); /* another frame's */
    long long kept = changed_at("some/000.png"), anew = changed_at("some/008.png");
    cli_result r = cli_run("render " MODEL "--frames 0:9 --resume -o some/%%03d.png");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err, "2 of 10 pictures were there already"));
    cli_finish(&r);
    assert_int_equal(changed_at("some/000.png"), kept);
    assert_int_not_equal(changed_at("some/008.png"), anew);
    cli_shell("diff -r all some");
    r = cli_run("render " MODEL "--frames 0:9 --resume --supersample 2 -o some/%%03d.png");
    assert_int_equal(r.code, 0);
    assert_null(strstr(r.err, "already"));
    cli_finish(&r);
}

/* Starts in the background, kills as soon as the condition of the shell holds. */
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
    assert_non_null(strstr(r.err, "of 121 pictures were there already"));
    cli_finish(&r);
    cli_shell("test ! -e killed.mp4.parts");
    render("--frames 0:120 --supersample 4 -o whole.mp4");
    assert_true(same_files("killed.mp4", "whole.mp4"));
}

static void parts_made_otherwise_are_drawn_anew(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    start_and_kill("--frames 0:200 --edge off --resume -o other.mkv", "[ -e other.mkv.parts/000000.mkv ]");
    cli_result r = cli_run("render " MODEL "--frames 0:20 --resume -o other.mkv");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err, "made otherwise"));
    cli_finish(&r);
    render("--frames 0:20 -o plain.mkv");
    assert_true(same_files("other.mkv", "plain.mkv"));
}

/* --- Parts --- */

/* Hair and skirt swing: a part has to begin as the whole run got there. */
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
    cli_expect(3, "made otherwise", "render --join s1 s2 s5 s4 -o mixed/%%04d.png");
    cli_expect(3, "no picture in it has a name like %05d.png", "render --join s1 -o mixed/%%05d.png");
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
    assert_true(same_files("one.mp4", "joined.mp4"));
    cli_expect(3, "picture 14 of 41 is in none of the parts", "render --join part1.mkv part3.mkv -o gap.mp4");
    render("--frames 0:40 --shard 2/3 --edge off -o other.mkv");
    cli_expect(3, "of another video", "render --join part1.mkv other.mkv part3.mkv -o gap.mp4");
    cli_expect(3, "no part of a video", "render --join one.mp4 -o gap.mp4");
    cli_expect(3, "No such file", "render --join part1.mkv nowhere.mkv -o gap.mp4");
    cli_shell("head -c 3000 part2.mkv >cut.mkv");
    cli_result r = cli_run("render --join part1.mkv cut.mkv part3.mkv -o gap.mp4");
    assert_int_equal(r.code, 3);
    cli_finish(&r);
    cli_shell("test ! -e gap.mp4 && ! ls | grep -q part-");
}

/* --- Videos --- */

/* The pictures of a video as PNG files. */
static void unpack(const char *video, const char *decoder, const char *folder)
{
    char line[512];
    snprintf(line, sizeof line,
             "mkdir -p %s && ffmpeg -v error -y %s -i %s -fps_mode passthrough -start_number 0 %s/%%d.png "
             "</dev/null",
             folder, decoder, video, folder);
    cli_shell(line);
}

static void pictures_of_a_lossless_video_are_those_of_shot(void **state)
{
    (void)state;
    static const char *const backgrounds[] = {"a0b0c0", "transparent"};
    cli_need("ffmpeg");
    for (int i = 0; i < 2; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "--frames 90:93 --background %s --codec ffv1 -o f.mkv",
                 backgrounds[i]);
        render(arguments);
        unpack("f.mkv", "", "unpacked");
        cli_shell("test $(ls unpacked | wc -l) = 4");
        for (int frame = 0; frame < 4; frame++) {
            char name[64];
            snprintf(name, sizeof name, "unpacked/%d.png", frame);
            cli_expect(0, NULL, "shot " MODEL "--background %s --frame %d -o shot.png", backgrounds[i],
                       90 + frame);
            assert_true(same_pictures(name, "shot.png"));
        }
    }
}

/* Of ProRes and VP9 alpha comes back within a few levels, where colours are opaque they do too. */
static void transparent_videos_keep_their_alpha(void **state)
{
    (void)state;
    static const struct {
        const char *file, *decoder;
    } videos[] = {{"t.mov", ""}, {"t.webm", "-c:v libvpx-vp9"}};
    cli_need("ffmpeg");
    cli_expect(0, NULL, "shot " MODEL "--size 161x121 --background transparent --frame 20 -o shot.png");
    mmd_image shot = cli_picture("shot.png");
    for (size_t v = 0; v < 2; v++) {
        char arguments[128];
        size_t off = 0, clear = 0;
        snprintf(arguments, sizeof arguments, "--size 161x121 --background transparent --frames 20:21 -o %s",
                 videos[v].file);
        render(arguments);
        unpack(videos[v].file, videos[v].decoder, "alpha");
        mmd_image kept = cli_picture("alpha/0.png");
        assert_int_equal(kept.width, 162); /* even */
        for (uint32_t y = 0; y < 121; y++) {
            for (uint32_t x = 0; x < 161; x++) {
                int a = shot.pixels[4 * (y * 161 + x) + 3], b = kept.pixels[4 * (y * 162 + x) + 3];
                off += abs(a - b) > 24;
                clear += a == 0 && b < 8;
            }
        }
        print_message("%s: alpha of %zu pixels is off, %zu are clear\n", videos[v].file, off, clear);
        assert_true(off < 161 * 121 / 200 && clear > 161 * 121 / 3);
        mmd_image_finish(&kept);
    }
    mmd_image_finish(&shot);
    cli_expect(2, "H.264 has no transparency",
               "render " MODEL "--background transparent --frames 0:1 -o no.mp4");
    cli_write_text("clear.txt", "view.background transparent\n"); /* what only a command says */
    cli_expect(2, "H.264 has no transparency", "render " MODEL "--exec clear.txt --frames 0:1 -o no.mp4");
    cli_shell("test ! -e no.mp4");
}

/*
 * A piece of the bundled dance, with her music: as many pictures as were
 * drawn, those of shot; and the very samples of the music that belong there.
 */
static void the_bundled_dance_is_whole(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    cli_need_dancer();
    cli_result r =
        cli_run("render dancer --motion dancer --frames 600:629 --size 96x64 --codec ffv1 -o piece.mkv");
    assert_int_equal(r.code, 0);
    cli_finish(&r);
    unpack("piece.mkv", "", "piece");
    cli_shell("test $(ls piece | wc -l) = 30");
    for (int i = 0; i < 30; i += 14) {
        char name[64];
        snprintf(name, sizeof name, "piece/%d.png", i);
        cli_expect(0, NULL, "shot dancer --motion dancer --frame %d --size 96x64 -o shot.png", 600 + i);
        assert_true(same_pictures(name, "shot.png"));
    }
    cli_shell("ffmpeg -v error -y -i piece.mkv -vn -f s16le heard.raw </dev/null");
    mmd_bytes heard = cli_read("heard.raw"), music = {0};
    assert_int_equal(mmd_file_read(ODORI_BINARY "/dancer/music.wav", &music, NULL), MMD_OK);
    assert_int_equal(heard.size, 48000 * 4);
    assert_memory_equal(heard.data, music.data + 44 + 20 * 48000 * 4, heard.size);
    mmd_bytes_finish(&heard);
    mmd_bytes_finish(&music);
}

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
        {2, "begins with the smaller one", "--frames 10:5 -o x/%d.png"},
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
        {2, "--motion-blur", "--shutter 90 -o x/%d.png"},
        {2, "--bits", "--bits 12 -o x/%d.png"},
        {2, "--codec", "--codec h265 -o x.mp4"},
        {2, "--codec", "--codec vp9 -o x/%d.png"},
        {2, "does not go into such a file", "--codec vp9 -o x.avi"},
        {2, "8 bits", "--bits 16 -o x.mp4"},
        {2, "--shard", "--shard 0/3 -o x/%d.png"},
        {2, "--shard", "--shard 4/3 -o x/%d.png"},
        {2, "--shard", "--shard 1/ -o x/%d.png"},
        {2, "part.mkv", "--shard 1/3 -o x.mp4"},
        {2, "ffv1", "--shard 1/3 --codec h264 -o x.mkv"},
        {2, "no video's name", "-o x"},
        {4, "Not a directory", "--frames 0:1 -o /dev/full/%d.png"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cli_expect(bad[i].code, bad[i].text, "render " MODEL "%s", bad[i].arguments);
    cli_expect(2, "no parts were given", "render --join -o x.mp4");
    cli_expect(2, "no --shard", "render --join x --shard 1/2 -o x.mp4");
    cli_expect(2, "--shutter", "shot " MODEL "--shutter 90 -o x.png");
    cli_shell("test ! -e x -a ! -e x.mp4 -a ! -e x.mkv -a ! -e x.png");
}

static void bad_places_get_a_sentence(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    cli_shell("mkdir -p folder.mp4 && ln -sf /dev/full full.mp4");
    cli_expect(4, "Is a directory", "render " MODEL "--frames 0:1 -o folder.mp4");
    cli_expect(4, "it is no file", "render " MODEL "--frames 0:1 -o full.mp4");
    cli_expect(4, "cannot be made", "render " MODEL "--frames 0:1 -o /proc/nowhere/x.mp4");
    render("--frames 0:1 -o made/here/x.mp4");
    /* An ffmpeg that fails at once, and one that fails in the end: no file, and its own words. */
    cli_shell(
        "mkdir -p bad && printf '#!/bin/sh\\ncase \"$*\" in *-encoders*) echo \" V....D libx264  H.264\";; "
        "*) echo No space left >&2; exit 1;; esac\\n' >bad/ffmpeg && chmod +x bad/ffmpeg");
    cli_expect(4, "ffmpeg could not write it: No space left",
               "--version >.version; PATH=./bad:/bin:/usr/bin '%s/odori' render " MODEL
               "--frames 0:9 -o x.mp4",
               ODORI_BINARY);
    cli_shell("test ! -e x.mp4 && ! ls | grep -q part-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_that_of_shot_with_any_quality),
        cmocka_unit_test(a_picture_of_any_quality_can_be_checked),
        cmocka_unit_test(blur_is_the_average_of_its_moments),
        cmocka_unit_test(blur_ends_at_a_cut),
        cmocka_unit_test(resuming_draws_what_is_not_there),
        cmocka_unit_test(a_killed_run_leaves_whole_files_and_goes_on),
        cmocka_unit_test(a_killed_video_goes_on),
        cmocka_unit_test(parts_made_otherwise_are_drawn_anew),
        cmocka_unit_test(shards_of_pictures_are_the_pictures),
        cmocka_unit_test(shards_of_a_video_are_the_video),
        cmocka_unit_test(pictures_of_a_lossless_video_are_those_of_shot),
        cmocka_unit_test(transparent_videos_keep_their_alpha),
        cmocka_unit_test(the_bundled_dance_is_whole),
        cmocka_unit_test(codecs_are_listed_and_chosen),
        cmocka_unit_test(bad_wishes_get_a_sentence),
        cmocka_unit_test(bad_places_get_a_sentence),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
