/* Parts of an MMD project besides its models: a background image or video, a camera that follows a bone,
 * changing gravity, and models attached to each other. Tests images, dumps, and images that are drawn again.
 */
#include "cli.h"
#include "hair_model.h"
#include "pictures.h"
#include "sample_projects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/format.h"

enum { WIDE = 64, HIGH = 48, VIDEO_FRAMES = 40, CENTER = 1 };

/* Makes a project of the figure and her dance, seen from so far that the corners of the image are empty. */
static mmd_project *figure_project(void)
{
    mmd_project *project = mmd_project_create();
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    mmd_bytes pmx = cli_read("odori.pmx"), vmd = cli_read("odori.vmd");
    assert_non_null(project);
    assert_int_equal(mmd_model_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(project, model, motion, "C:\\MMD\\odori.pmx", NULL), MMD_OK);
    mmd_model_destroy(model);
    mmd_motion_destroy(motion);
    mmd_bytes_finish(&pmx);
    mmd_bytes_finish(&vmd);
    project->camera_keys[0].distance = -90;
    project->view_width = WIDE;
    project->view_height = HIGH;
    project->show_axis = project->show_ground_shadow = 0;
    project->self_shadow_on = 0;
    return project;
}

static void write_and_destroy(mmd_project *project, const char *name)
{
    mmd_buffer out = {0};
    write_project(project, &out);
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_project_destroy(project);
}

static void write_picture(const char *name, const mmd_image *image)
{
    mmd_buffer png = {0};
    assert_int_equal(mmd_png_write(image, &(mmd_png_options){.alpha = image->has_alpha}, &png, NULL), MMD_OK);
    cli_write(name, png.data, png.size);
    mmd_buffer_finish(&png);
}

static bool has_ffmpeg(void)
{
    if (system("ffmpeg -version >/dev/null 2>&1") == 0)
        return true;
    print_message("skipped: no ffmpeg\n");
    return false;
}

static void expect_pixel(const mmd_image *image, uint32_t x, uint32_t y, const uint8_t *wanted, int off)
{
    const uint8_t *is = picture_at(image, x, y);
    for (int k = 0; k < 3; k++)
        if (abs(is[k] - wanted[k]) > off)
            fail_msg("pixel %u, %u is %u,%u,%u, not %u,%u,%u", x, y, is[0], is[1], is[2], wanted[0],
                     wanted[1], wanted[2]);
}

/* Returns a pixel as MMD draws it: a picture of the output's size begins half a pixel outside of it and ends
 * half a pixel outside (docs/mmd.md 6.11), is filtered bilinearly and repeats. */
static void stretched(const mmd_image *picture, uint32_t x, uint32_t y, uint8_t rgb[3])
{
    const double u = (x + 1.0) * picture->width / (picture->width + 1.0) - 0.5;
    const double v = (y + 1.0) * picture->height / (picture->height + 1.0) - 0.5;
    const uint32_t left = (uint32_t)u, top = (uint32_t)v;
    for (int k = 0; k < 3; k++) {
        double sum = 0.5;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t column = left + (i & 1), row = top + (i >> 1);
            double part = (i & 1 ? u - left : 1 + left - u) * (i >> 1 ? v - top : 1 + top - v);
            sum += part * picture_at(picture, column % picture->width, row % picture->height)[k];
        }
        rgb[k] = (uint8_t)sum;
    }
}

/* Compares the columns at both sides, which the figure does not cover. */
static void expect_sides(const mmd_image *is, const mmd_image *picture)
{
    assert_true(is->width == picture->width && is->height == picture->height);
    for (uint32_t y = 0; y < is->height; y++)
        for (uint32_t x = 0; x < 16; x++) {
            uint32_t column = x < 8 ? x : is->width + 7 - x;
            uint8_t wanted[3];
            stretched(picture, column, y, wanted);
            expect_pixel(is, column, y, wanted, 2);
        }
}

enum { UNIT = 1280 / WIDE }; /* what a pixel is in a project's place and scale of a background */

static mmd_project *picture_project(const char *path, int32_t x, int32_t y, float scale)
{
    mmd_project *project = figure_project();
    project->image = (mmd_project_background){x, y, UNIT * scale, {.text = path}};
    project->image_on = 1;
    return project;
}

/* --- Images --- */

static void a_picture_is_behind_the_models(void **state)
{
    (void)state;
    mmd_image behind = picture_noise(WIDE, HIGH, 7);
    write_picture("behind.png", &behind);
    write_and_destroy(picture_project("C:\\MMD\\BackGround\\behind.png", 0, 0, 1), "p.pmm");
    cli_expect(0, NULL, "shot p.pmm -o p.png");
    mmd_image shot = cli_picture("p.png");
    expect_sides(&shot, &behind);
    bool covered = false; /* the figure is in front of it */
    for (uint32_t y = 0; y < HIGH; y++)
        covered |= memcmp(picture_at(&shot, WIDE / 2, y), picture_at(&behind, WIDE / 2, y), 3) != 0;
    assert_true(covered);
    mmd_image_finish(&shot);

    /* A tiled background has no seams, and averaging many samples preserves it. */
    cli_expect(0, NULL, "shot p.pmm --supersample 3 -o many.png");
    shot = cli_picture("many.png");
    for (uint32_t y = 1; y + 2 < HIGH; y++)
        /* each sample lies between the values of the pixel and its neighbours */
        for (uint32_t x = 1; x < 8; x++) {
            const uint8_t *p = picture_at(&shot, x, y);
            for (int k = 0; k < 3; k++) {
                int low = 255, high = 0;
                for (uint32_t i = 0; i < 16; i++) {
                    int near = picture_at(&behind, x + i % 4 - 1, y + i / 4 - 1)[k];
                    low = near < low ? near : low;
                    high = near > high ? near : high;
                }
                assert_true(p[k] >= low && p[k] <= high);
            }
        }
    mmd_image_finish(&shot);

    /* The image records the background, can be drawn again, and a change is reported. */
    cli_expect(0, "equal", "check p.png");
    cli_expect(0, NULL, "shot p.pmm --background-picture off -o off.png");
    shot = cli_picture("off.png");
    expect_pixel(&shot, 0, 0, (const uint8_t[]){255, 255, 255}, 0);
    mmd_image_finish(&shot);
    cli_expect(0, "equal", "check off.png");
    mmd_image other = picture_noise(WIDE, HIGH, 8);
    write_picture("behind.png", &other);
    cli_result result = cli_run("check p.png");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.err, "background "));
    assert_non_null(strstr(result.err, "behind.png has changed"));
    cli_finish(&result);
    mmd_image_finish(&other);
    mmd_image_finish(&behind);
}

static void a_picture_lies_where_the_project_says(void **state)
{
    (void)state;
    mmd_image behind = picture_plain(16, 12, (color){200, 30, 60, 255});
    const uint8_t red[] = {200, 30, 60}, none[] = {255, 255, 255};
    write_picture("red.png", &behind);
    /* covers -4..21, 6..25 */
    write_and_destroy(picture_project("red.png", -4 * UNIT + UNIT / 2, 6 * UNIT + UNIT / 2, 1.5f),
                      "place.pmm");
    cli_expect(0, NULL, "shot place.pmm -o place.png");
    mmd_image shot = cli_picture("place.png");
    expect_pixel(&shot, 0, 6, red, 0);
    expect_pixel(&shot, 20, 24, red, 0);
    expect_pixel(&shot, 0, 5, none, 0);
    expect_pixel(&shot, 21, 10, none, 0);
    expect_pixel(&shot, 3, 25, none, 0);
    mmd_image_finish(&shot);

    /* At twice the height it is twice as large. A wider image keeps its distance from the centre. */
    cli_expect(0, NULL, "shot place.pmm --size 128x96 -o large.png");
    shot = cli_picture("large.png");
    expect_pixel(&shot, 0, 12, red, 0);
    expect_pixel(&shot, 40, 48, red, 0);
    expect_pixel(&shot, 42, 20, none, 0);
    mmd_image_finish(&shot);
    cli_expect(0, NULL, "shot place.pmm --size 84x48 -o wide.png");
    shot = cli_picture("wide.png");
    expect_pixel(&shot, 5, 10, none, 0);
    expect_pixel(&shot, 6, 10, red, 0);
    expect_pixel(&shot, 30, 10, red, 0);
    expect_pixel(&shot, 31, 10, none, 0);
    mmd_image_finish(&shot);

    /* Where it is transparent, the background colour or nothing is visible. */
    mmd_image half = picture_plain(WIDE, HIGH, (color){0, 0, 0, 128});
    half.has_alpha = true;
    write_picture("half.png", &half);
    write_and_destroy(picture_project("half.png", 0, 0, 1), "half.pmm");
    cli_expect(0, NULL, "shot half.pmm -o half_.png");
    shot = cli_picture("half_.png");
    expect_pixel(&shot, 0, 0, (const uint8_t[]){127, 127, 127}, 1);
    mmd_image_finish(&shot);
    cli_expect(0, NULL, "shot half.pmm --background transparent -o clear.png");
    shot = cli_picture("clear.png");
    assert_true(shot.has_alpha && abs(picture_at(&shot, 0, 0)[3] - 128) <= 1);
    mmd_image_finish(&shot);
    mmd_image_finish(&half);
    mmd_image_finish(&behind);
}

static void a_background_that_is_not_there_is_told(void **state)
{
    (void)state;
    write_and_destroy(picture_project("D:\\gone.png", 0, 0, 1), "gone.pmm");
    cli_result result = cli_run("shot gone.pmm -o gone.png");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "the background picture \"D:\\gone.png\" is neither in its folder"));
    cli_finish(&result);
    cli_write_text("text.png", "no picture");
    write_and_destroy(picture_project("text.png", 0, 0, 1), "text.pmm");
    result = cli_run("shot text.pmm -o gone.png");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "text.png"));
    cli_finish(&result);
    mmd_image shot = cli_picture("gone.png");
    expect_pixel(&shot, 0, 0, (const uint8_t[]){255, 255, 255}, 0);
    mmd_image_finish(&shot);
}

/* --- Videos --- */

static color video_color(size_t number)
{
    return (color){(uint8_t)(6 * number), (uint8_t)(255 - 6 * number), (uint8_t)(number % 2 ? 40 : 200), 255};
}

/* Writes a lossless video with a frame rate. */
static void write_video(const char *name, int rate, int frames)
{
    char line[256];
    cli_shell("rm -rf v && mkdir v");
    for (int i = 0; i < frames; i++) {
        color c = video_color((size_t)i);
        mmd_image image = picture_plain(32, 24, c);
        snprintf(line, sizeof line, "v/%03d.png", i);
        write_picture(line, &image);
        mmd_image_finish(&image);
    }
    snprintf(line, sizeof line,
             "ffmpeg -v error -y -framerate %d -i v/%%03d.png -c:v rawvideo -pix_fmt bgr24 %s </dev/null",
             rate, name);
    cli_shell(line);
}

static mmd_project *video_project(const char *path)
{
    mmd_project *project = figure_project();
    project->avi = (mmd_project_background){0, 0, 2 * UNIT, {.text = path}};
    project->avi_on = 1;
    return project;
}

static void expect_video(const char *picture, size_t number)
{
    mmd_image shot = cli_picture(picture);
    color c = video_color(number);
    const uint8_t wanted[] = {c.r, c.g, c.b};
    expect_pixel(&shot, 0, 0, wanted, 0);
    expect_pixel(&shot, WIDE - 1, HIGH - 1, wanted, 0);
    mmd_image_finish(&shot);
}

static void a_video_runs_behind_the_models(void **state)
{
    (void)state;
    if (!has_ffmpeg())
        skip();
    static const struct {
        const char *frame;
        size_t number;
    } shots[] = {{"0", 0},     {"1", 0},   {"2", 1},   {"3", 1},   {"21", 10},
                 {"21.9", 10}, {"22", 11}, {"78", 39}, {"500", 39}};
    write_video("half.avi", 15, VIDEO_FRAMES);
    write_and_destroy(video_project("C:\\MMD\\half.avi"), "v.pmm");
#ifdef ODORI_TEST_SLOWLY
    const size_t stride = 4;
#else
    const size_t stride = 1;
#endif
    for (size_t i = 0; i < sizeof shots / sizeof *shots; i += stride) {
        cli_expect(0, NULL, "shot v.pmm --physics off --frame %s -o v.png", shots[i].frame);
        expect_video("v.png", shots[i].number);
    }
    /* Frames are the same in sequence, after the end of the video, and backwards. */
    cli_expect(0, NULL, "render v.pmm --physics off --frames 70:90:4 -o f/%%03d.png");
    static const char *const files[] = {"f/070.png", "f/074.png", "f/078.png", "f/082.png", "f/090.png"};
    static const size_t numbers[] = {35, 37, 39, 39, 39};
    for (int i = 0; i < 5; i++)
        expect_video(files[i], numbers[i]);
    cli_expect(0, NULL, "shot v.pmm --physics off --frame 10 -o v.png");
    cli_expect(0, "equal", "check v.png");
    cli_write_text("suite.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"v.pmm\",\"size\":[64,48],"
                                 "\"physics\":false,\"frames\":[78,10,2,40]}]}");
    cli_expect(0, NULL, "check suite.json --accept");
    cli_expect(0, NULL, "check suite.json");

    /* The same works in an archive. */
    cli_shell("mkdir zipped && zip -q zipped/a.zip v.pmm half.avi odori.pmx");
    cli_expect(0, NULL, "shot zipped/a.zip/v.pmm --physics off --frame 22 -o zip.png");
    expect_video("zip.png", 11);
}

/* The image lies below, and a video of another frame rate over it. */
static void a_video_lies_over_the_picture(void **state)
{
    (void)state;
    if (!has_ffmpeg())
        skip();
    mmd_image behind = picture_plain(WIDE, HIGH, (color){1, 2, 3, 255});
    write_picture("below.png", &behind);
    write_video("slow.avi", 10, 5);
    mmd_project *project = video_project("slow.avi");
    project->avi.scale = UNIT; /* 32 x 24 at the top left */
    project->image = (mmd_project_background){0, 0, UNIT, {.text = "below.png"}};
    project->image_on = 1;
    write_and_destroy(project, "both.pmm");
    cli_expect(0, NULL, "shot both.pmm --physics off --frame 7 -o both.png");
    mmd_image shot = cli_picture("both.png");
    color c = video_color(2);
    expect_pixel(&shot, 0, 0, (const uint8_t[]){c.r, c.g, c.b}, 0);
    expect_pixel(&shot, 0, 40, (const uint8_t[]){1, 2, 3}, 0);
    mmd_image_finish(&shot);
    mmd_image_finish(&behind);
}

/* A file that refers to other files is not accepted as a video, whatever its name. A container may not open
 * other files. */
static void a_playlist_reaches_no_other_file(void **state)
{
    (void)state;
    if (!has_ffmpeg())
        skip();
    write_video("secret.avi", 10, 2);
    cli_write_text("list.avi", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsecret.avi\n#EXT-X-ENDLIST\n");
    cli_write_text("concat.avi", "ffconcat version 1.0\nfile secret.avi\n");
    static const char *const names[] = {"list.avi", "concat.avi"};
    for (int i = 0; i < 2; i++) {
        write_and_destroy(video_project(names[i]), "list.pmm");
        cli_result result = cli_run("shot list.pmm --physics off --frame 0 -o list.png");
        assert_int_equal(result.code, 0);
        assert_non_null(strstr(result.err, names[i]));
        cli_finish(&result);
        mmd_image shot = cli_picture("list.png");
        expect_pixel(&shot, 0, 0, (const uint8_t[]){255, 255, 255}, 0);
        mmd_image_finish(&shot);
    }
    /* A video damaged after its header is reported, and the rest of the scene is drawn. */
    cli_shell("head -c 300 secret.avi >cut.avi");
    write_and_destroy(video_project("cut.avi"), "cut.pmm");
    cli_result result = cli_run("shot cut.pmm --physics off --frame 0 -o list.png");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "cut.avi"));
    cli_finish(&result);
}

/* --- The camera --- */

static double number_of(const json_t *dump, size_t frame, const char *what, size_t index)
{
    const json_t *camera = json_object_get(json_array_get(json_object_get(dump, "frames"), frame), "camera");
    return json_number_value(json_array_get(json_object_get(camera, what), index));
}

static double bone_place(const json_t *dump, size_t frame, size_t bone, size_t axis)
{
    const json_t *bones = json_object_get(json_array_get(json_object_get(dump, "frames"), frame), "bones");
    return json_number_value(
        json_array_get(json_object_get(json_array_get(bones, bone), "world"), 12 + axis));
}

/* Converts a point from a bone's axes to the world, or with end 0 a direction. */
static void from_bone(const json_t *dump, size_t frame, size_t bone, const double point[3], double end,
                      double world[3])
{
    const json_t *bones = json_object_get(json_array_get(json_object_get(dump, "frames"), frame), "bones");
    const json_t *m = json_object_get(json_array_get(bones, bone), "world");
    for (size_t k = 0; k < 3; k++) {
        world[k] = end * json_number_value(json_array_get(m, 12 + k));
        for (size_t axis = 0; axis < 3; axis++)
            world[k] += point[axis] * json_number_value(json_array_get(m, 4 * axis + k));
    }
}

static void the_camera_follows_a_bone(void **state)
{
    (void)state;
    enum { HAND = 11 };
    static const float half_pi = 1.57079633f;
    mmd_project *project = figure_project();
    mmd_project_camera_key keys[3];
    for (uint32_t i = 0; i < 3; i++) {
        keys[i] = project->camera_keys[0];
        keys[i].at = (mmd_project_key){20 * i, MMD_PROJECT_NO_NUMBER, MMD_NO_RECORD};
        keys[i].follow = i == 2 ? (mmd_project_parent){-1, 0} : (mmd_project_parent){0, i ? HAND : CENTER};
        keys[i].position[0] = 1 + (float)i;
        keys[i].position[1] = 2;
        keys[i].position[2] = -30;
        keys[i].distance = -7; /* has no effect while a bone is followed */
        keys[i].rotation[1] = half_pi;
    }
    project->camera_keys = keys;
    project->camera_count = 3;
    write_and_destroy(project, "follow.pmm");
    json_t *dump = cli_json("dump follow.pmm --frames 0,10,19,20,30,40,50 --what bones,camera");
    static const size_t bones[] = {CENTER, CENTER, CENTER, HAND, HAND};
    static const double across[] = {1, 1.5, 1.95, 2, 2.5, 3, 3};
    /* The position is in the axes of the camera, which looks along -x of the bone here, so that across is z.
     */
    for (size_t i = 0; i < 7; i++) {
        double place[3] = {across[i], 2, -30}, ahead[3] = {-1, 0, 0};
        if (i < 5) {
            from_bone(dump, i, bones[i], (const double[]){0, 2, across[i]}, 1, place);
            from_bone(dump, i, bones[i], (const double[]){-1, 0, 0}, 0, ahead);
        }
        const double rx = number_of(dump, i, "rotation", 0), ry = number_of(dump, i, "rotation", 1);
        const double looks[3] = {-cos(rx) * sin(ry), sin(rx), cos(rx) * cos(ry)};
        for (size_t k = 0; k < 3; k++) {
            assert_float_equal(number_of(dump, i, "position", k), place[k], 1e-4);
            assert_float_equal(looks[k], ahead[k], 1e-4);
        }
        const json_t *camera = json_object_get(json_array_get(json_object_get(dump, "frames"), i), "camera");
        assert_float_equal(json_number_value(json_object_get(camera, "distance")), i < 5 ? -30 : -7, 0);
    }
    json_decref(dump);
    /* Another camera does not follow the bone. */
    cli_write_text("c.txt", "camera.set -20 0 10 0 0 0 0 30\n");
    dump = cli_json("dump follow.pmm --frames 10 --what camera --exec c.txt");
    assert_float_equal(number_of(dump, 0, "position", 0), 0, 0);
    json_decref(dump);
    cli_expect(0, NULL, "shot follow.pmm --frame 30 -o follow.png");
    cli_expect(0, "equal", "check follow.png");
}

static void a_camera_whose_bone_is_gone_is_told(void **state)
{
    (void)state;
    mmd_project *project = figure_project();
    project->camera_keys[0].follow = (mmd_project_parent){7, 1};
    write_and_destroy(project, "gone.pmm");
    cli_result result = cli_run("dump gone.pmm --frames 0 --what camera");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "the bone that the camera follows does not exist"));
    cli_finish(&result);
}

/* --- Gravity --- */

/* Writes a project with hair and without a dance. Gravity is MMD's up to frame 30 and sideways from frame 31
 * on. */
static void write_windy(const char *name, bool is_windy)
{
    mmd_project *project = figure_project();
    hair_model hair;
    mmd_buffer pmx = {0};
    hair_model_make(&hair);
    assert_int_equal(mmd_pmx_write(&hair.model, &pmx, NULL), MMD_OK);
    cli_write("hair.pmx", pmx.data, pmx.size);
    project->model_count = 0;
    assert_int_equal(mmd_project_add_model(project, &hair.model, NULL, "hair.pmx", NULL), MMD_OK);
    mmd_buffer_finish(&pmx);
    hair_model_finish(&hair);
    mmd_project_gravity_key keys[3];
    static const uint32_t frames[] = {0, 30, 31};
    for (int i = 0; i < 3; i++) {
        keys[i] = project->gravity_keys[0];
        keys[i].at = (mmd_project_key){frames[i], MMD_PROJECT_NO_NUMBER, MMD_NO_RECORD};
    }
    keys[2].direction[0] = 3;
    keys[2].direction[1] = 0;
    project->gravity_keys = keys;
    project->gravity_count = is_windy ? 3 : 1;
    write_and_destroy(project, name);
}

static char *frames_of(const char *arguments)
{
    cli_result result = cli_run("dump %s --physics on --what bodies", arguments);
    if (result.code != 0)
        fail_msg("%s", result.err);
    char *frames = strdup(strstr(result.out, "\"frames\""));
    cli_finish(&result);
    return frames;
}

static void expect_same_frames(const char *a, const char *b, bool same)
{
    char *x = frames_of(a), *y = frames_of(b);
    if ((strcmp(x, y) == 0) != same)
        fail_msg("%s %s %s", a, same ? "is not" : "is", b);
    free(x);
    free(y);
}

static void gravity_follows_its_keys(void **state)
{
    (void)state;
    write_windy("wind.pmm", true);
    write_windy("calm.pmm", false);
    expect_same_frames("wind.pmm --frames 0:30:5", "calm.pmm --frames 0:30:5", true);
    expect_same_frames("wind.pmm --frames 45", "calm.pmm --frames 45", false);
    /* The result does not depend on how a frame was reached, also when going back. */
    expect_same_frames("wind.pmm --frames 90", "wind.pmm --frames 90 --threads 3", true);
    json_t *there = cli_json("dump wind.pmm --frames 20,90,45,200,46 --physics on --what bodies"),
           *alone = cli_json("dump wind.pmm --frames 45,46 --physics on --what bodies");
    const json_t *x = json_object_get(there, "frames"), *y = json_object_get(alone, "frames");
    json_t *bodies[2][2] = {
        {json_object_get(json_array_get(x, 2), "bodies"), json_object_get(json_array_get(x, 4), "bodies")},
        {json_object_get(json_array_get(y, 0), "bodies"), json_object_get(json_array_get(y, 1), "bodies")}};
    assert_true(json_array_size(bodies[0][0]) > 0);
    assert_true(json_equal(bodies[0][0], bodies[1][0]) && json_equal(bodies[0][1], bodies[1][1]));
    json_decref(there);
    json_decref(alone);
    /* An option or a command overrides the project's gravity. */
    expect_same_frames("wind.pmm --frames 60 --gravity 0,-98,0", "calm.pmm --frames 60", true);
    cli_write_text("c.txt", "physics.gravity 0 -98 0\n");
    expect_same_frames("wind.pmm --frames 60 --exec c.txt", "calm.pmm --frames 60", true);

    cli_expect(0, NULL, "shot wind.pmm --show bodies --frame 60 -o wind.png");
    cli_expect(0, NULL, "shot calm.pmm --show bodies --frame 60 -o calm.png");
    mmd_bytes a = cli_read("wind.png"), b = cli_read("calm.png");
    assert_true(a.size != b.size || memcmp(a.data, b.data, a.size) != 0);
    mmd_bytes_finish(&a);
    mmd_bytes_finish(&b);
    cli_expect(0, "equal", "check wind.png");
    cli_expect(0, NULL, "shot wind.pmm --show bodies --frame 60 --exec c.txt -o by_hand.png");
    cli_expect(0, "equal", "check by_hand.png");
}

static void noise_of_gravity_is_told(void **state)
{
    (void)state;
    mmd_project *project = figure_project();
    project->gravity_keys[0].noise_on = 1;
    write_and_destroy(project, "noise.pmm");
    cli_result result = cli_run("dump noise.pmm --frames 0");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "the noise of gravity is ignored, because it is random in MMD"));
    cli_finish(&result);
}

/* --- Outside parents --- */

/* The root of a second figure is attached to the hand of the first in the frames 10 to 19. */
static void a_model_of_a_project_hangs_on_another(void **state)
{
    (void)state;
    enum { HAND = 11, ROOT = 0 };
    mmd_project *project = figure_project(), *other = figure_project();
    mmd_project_model both[2] = {project->models[0], other->models[0]};
    mmd_project_config_key keys[3];
    mmd_project_parent held[3][8];
    assert_true(both[1].parent_count <= 8);
    for (uint32_t i = 0; i < 3; i++) {
        keys[i] = both[1].configs[0];
        keys[i].at = (mmd_project_key){10 * i, MMD_PROJECT_NO_NUMBER, MMD_NO_RECORD};
        memcpy(held[i], both[1].configs[0].parents, both[1].parent_count * sizeof held[i][0]);
        held[i][0] = i == 1 ? (mmd_project_parent){0, HAND} : (mmd_project_parent){-1, -1};
        keys[i].parents = held[i];
    }
    both[1].number = 1;
    both[1].configs = keys;
    both[1].config_count = 3;
    project->models = both;
    project->model_count = 2;
    write_and_destroy(project, "hang.pmm");
    mmd_project_destroy(other);
    json_t *first = cli_json("dump hang.pmm --model 0 --frames 5,15,25 --what bones"),
           *second = cli_json("dump hang.pmm --model 1 --frames 5,15,25 --what bones");
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            double away = bone_place(second, i, ROOT, k) - bone_place(first, i, ROOT, k);
            if (i == 1) /* the root rests at the origin, so it is where the hand is */
                assert_float_equal(bone_place(second, i, ROOT, k), bone_place(first, i, HAND, k), 1e-3);
            else
                assert_float_equal(away, 0, 1e-6);
        }
    json_decref(first);
    json_decref(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_behind_the_models),
        cmocka_unit_test(a_picture_lies_where_the_project_says),
        cmocka_unit_test(a_background_that_is_not_there_is_told),
        cmocka_unit_test(a_video_runs_behind_the_models),
        cmocka_unit_test(a_video_lies_over_the_picture),
        cmocka_unit_test(a_playlist_reaches_no_other_file),
        cmocka_unit_test(the_camera_follows_a_bone),
        cmocka_unit_test(a_camera_whose_bone_is_gone_is_told),
        cmocka_unit_test(gravity_follows_its_keys),
        cmocka_unit_test(noise_of_gravity_is_told),
        cmocka_unit_test(a_model_of_a_project_hangs_on_another),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
