/* The images of `render`: supersampling and motion blur, videos with and without transparency. Video tests
 * need ffmpeg and are skipped without it. */
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

/* --- Images --- */

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
        if (!cli_same_files("q/41.png", "shot.png"))
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
    assert_true(cli_same_pictures("closed/100.png", "moment.png"));
}

/* Writes a camera that moves from frame 0 to 10 and shows something else from `cut` on. */
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

/* The figure does not move, only the camera. At 15 images a second each lasts two frames. */
static void blur_ends_at_a_cut(void **state)
{
    (void)state;
    static const char blur[] = "--fps 15 --motion-blur 8 --shutter 360 --size 48x40";
    write_camera("cut.vmd", 11);
    write_camera("pan.vmd", 12);
    cli_expect(0, NULL, "render odori.pmx --camera cut.vmd --frames 8:12 %s -o cut/%%d.png", blur);
    cli_expect(0, NULL, "render odori.pmx --camera pan.vmd --frames 8:12 %s -o pan/%%d.png", blur);
    cli_expect(0, NULL, "shot odori.pmx --camera cut.vmd --frame 10 --size 48x40 -o before.png");
    assert_true(cli_same_pictures("cut/5.png", "before.png"));  /* frames 10 to 11: the camera rests */
    assert_false(cli_same_pictures("pan/5.png", "before.png")); /* no cut: the movement is visible */
    assert_true(cli_same_pictures("cut/4.png", "pan/4.png"));   /* frames 8 to 10: the camera moves */
    cli_expect(0, NULL, "shot odori.pmx --camera cut.vmd --frame 8 --size 48x40 -o before.png");
    assert_false(cli_same_pictures("cut/4.png", "before.png"));
}

/* --- Videos --- */

/* Extracts the frames of a video as PNG files. */
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
            assert_true(cli_same_pictures(name, "shot.png"));
        }
    }
}

/* ProRes and VP9 reproduce alpha within a few levels, and opaque colours too. */
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
        assert_int_equal(kept.width, 162); /* rounded up to an even number */
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
    cli_write_text("clear.txt", "view.background transparent\n"); /* set only by a command */
    cli_expect(2, "H.264 has no transparency", "render " MODEL "--exec clear.txt --frames 0:1 -o no.mp4");
    cli_shell("test ! -e no.mp4");
}

/* Renders a part of the bundled dance with music. The video has as many frames as were drawn, they equal
 * those of shot, and its sound has exactly the samples of that part. */
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
        assert_true(cli_same_pictures(name, "shot.png"));
    }
    cli_shell("ffmpeg -v error -y -i piece.mkv -vn -f s16le heard.raw </dev/null");
    mmd_bytes heard = cli_read("heard.raw"), music = {0};
    assert_int_equal(mmd_file_read(ODORI_BINARY "/dancer/music.wav", &music, NULL), MMD_OK);
    assert_int_equal(heard.size, 48000 * 4);
    assert_memory_equal(heard.data, music.data + 44 + 20 * 48000 * 4, heard.size);
    mmd_bytes_finish(&heard);
    mmd_bytes_finish(&music);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_that_of_shot_with_any_quality),
        cmocka_unit_test(a_picture_of_any_quality_can_be_checked),
        cmocka_unit_test(blur_is_the_average_of_its_moments),
        cmocka_unit_test(blur_ends_at_a_cut),
        cmocka_unit_test(pictures_of_a_lossless_video_are_those_of_shot),
        cmocka_unit_test(transparent_videos_keep_their_alpha),
        cmocka_unit_test(the_bundled_dance_is_whole),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
