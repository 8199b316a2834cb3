/* The small pictures of `odori thumbnail`: what they show of each kind of file, that they are the same each
 * time, and that damaged files have none. */
#include "cli.h"

#include <math.h>
#include <sys/stat.h>

#include "files/png_text.h"
#include "made_archive.h"
#include "mmd/format.h"
#include "mmd/project.h"
#include "mmd/text.h"
#include "sample_accessories.h"
#include "sample_projects.h"

static void thumb(const char *arguments, const char *output)
{
    cli_result result = cli_run("thumbnail %s -o %s", arguments, output);
    if (result.code != 0 || *result.err)
        fail_msg("thumbnail %s: exit code %d: %s", arguments, result.code, result.err);
    cli_finish(&result);
}

/* The part of a picture that is not transparent, in pixels. */
typedef struct drawn {
    uint32_t left, top, right, bottom; /* right and bottom are the first that are not in it */
    uint32_t size, count;
} drawn;

static drawn drawn_of(const char *name)
{
    mmd_image image = cli_picture(name);
    assert_int_equal(image.width, image.height);
    drawn d = {.left = image.width, .top = image.height, .size = image.width};
    for (uint32_t y = 0; y < image.height; y++)
        for (uint32_t x = 0; x < image.width; x++)
            if (image.pixels[4 * ((size_t)y * image.width + x) + 3] >= 16) {
                d.left = x < d.left ? x : d.left;
                d.top = y < d.top ? y : d.top;
                d.right = x + 1 > d.right ? x + 1 : d.right;
                d.bottom = y + 1 > d.bottom ? y + 1 : d.bottom;
                d.count++;
            }
    mmd_image_finish(&image);
    return d;
}

/* Requires that all of something is seen, and that it fills the picture in one direction. */
static void assert_whole(const char *name)
{
    const drawn d = drawn_of(name);
    const uint32_t wide = d.right - d.left, high = d.bottom - d.top;
    if (d.left == 0 || d.top == 0 || d.right == d.size || d.bottom == d.size)
        fail_msg("%s: cut off: %u to %u, %u to %u", name, d.left, d.right, d.top, d.bottom);
    if ((wide > high ? wide : high) < d.size * 85 / 100)
        fail_msg("%s: only %u x %u of %u", name, wide, high, d.size);
}

static void thumbnails_are_square_pngs_with_transparency(void **state)
{
    (void)state;
    static const char *const options[] = {"odori.pmx", "odori.pmx --size 16", "odori.pmx --size=1025"};
    static const uint32_t sizes[] = {256, 16, 1025};
    for (int i = 0; i < 3; i++) {
        thumb(options[i], "out.png");
        mmd_image image = cli_picture("out.png");
        assert_int_equal(image.width, sizes[i]);
        assert_int_equal(image.height, sizes[i]);
        assert_true(image.has_alpha);
        assert_int_equal(image.pixels[3], 0);
        mmd_image_finish(&image);
    }
    assert_true(drawn_of("out.png").count > 1025 * 1025 / 4);
}

static void thumbnails_are_the_same_each_time(void **state)
{
    (void)state;
    thumb("odori.pmx --size 128", "one.png");
    thumb("odori.pmx --size 128 --sandbox off --threads 3 --time-limit 100", "two.png");
    assert_true(cli_same_files("one.png", "two.png"));
    cli_result piped = cli_run("thumbnail odori.pmx --size 128 -o -");
    mmd_bytes one = cli_read("one.png");
    assert_int_equal(piped.out_size, one.size);
    assert_memory_equal(piped.out, one.data, one.size);
    mmd_bytes_finish(&one);
    cli_finish(&piped);
}

/* Head and shoulders are cut by the lower border; above the head is a little room. */
static void of_a_figure_the_head_is_shown(void **state)
{
    (void)state;
    thumb("odori.pmx --size 200", "head.png");
    const drawn d = drawn_of("head.png");
    assert_int_equal(d.bottom, 200);
    assert_in_range(d.top, 1, 40);
    assert_true(d.count > 200 * 200 * 35 / 100);
}

static void of_other_things_all_is_shown(void **state)
{
    (void)state;
    mmd_buffer grid = {0};
    sample_x_grid(8, &grid);
    cli_write("grid.x", grid.data, grid.size);
    mmd_buffer_finish(&grid);
    cli_write_text("grid.vac", "grid\ngrid.x\n0.3\n5,0,0\n20,30,0\n\n");
    thumb("grid.x --size 96", "x.png");
    assert_whole("x.png");
    thumb("grid.vac --size 96", "vac.png");
    assert_whole("vac.png");
}

/* Surfaces that have no back are looked for from the other side. */
static void what_shows_its_back_is_shown_from_behind(void **state)
{
    (void)state;
    static const char *const corners[] = {"3;0,1,2;,3;0,2,3;;", "3;0,2,1;,3;0,3,2;;"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "xof 0302txt 0032\nMesh {4;-1;-1;0;,1;-1;0;,1;1;0;,-1;1;0;;2;%s\nMeshMaterialList {1;2;0,0;;\n"
            "Material {0.8;0.2;0.2;1;;5;0;0;0;;0;0;0;;}}}\n",
            corners[i]);
        cli_write_text("square.x", text);
        thumb("square.x --size 64", "square.png");
        assert_whole("square.png");
    }
}

/* --- Motions and poses --- */

/* Writes a motion of the left arm: at each frame the angle about z, in radians. */
static void write_arm(const char *name, const uint32_t *frames, const float *angles, uint32_t count)
{
    mmd_bone_key keys[8];
    uint32_t list[8];
    mmd_bone_track track = {.count = count, .frames = list, .keys = keys};
    mmd_motion motion = {.model_name_size = 20,
                         .section_count = 4,
                         .bone_track_count = 1,
                         .bone_tracks = &track,
                         .bone_key_count = count,
                         .last_frame = frames[count - 1]};
    mmd_buffer out = {0};
    assert_int_equal(mmd_cp932_from_utf8("左腕", strlen("左腕"), track.name, sizeof track.name, NULL), 4);
    memset(keys, 0, sizeof keys);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = frames[i];
        keys[i].rotation[2] = sinf(angles[i] / 2);
        keys[i].rotation[3] = cosf(angles[i] / 2);
        for (int k = 0; k < 4; k++)
            keys[i].curve[k] = (mmd_curve){20, 20, 107, 107};
    }
    assert_int_equal(mmd_vmd_write(&motion, &out, NULL), MMD_OK);
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
}

static void a_motion_is_shown_where_it_reaches_out(void **state)
{
    (void)state;
    cli_need_dancer();
    write_arm("wave.vmd", (const uint32_t[]){0, 40, 90, 140}, (const float[]){0, 0.2f, 1.2f, 0}, 4);
    write_arm("still.vmd", (const uint32_t[]){0}, (const float[]){1.2f}, 1);
    write_arm("rest.vmd", (const uint32_t[]){0}, (const float[]){0}, 1);
    thumb("wave.vmd --size 64", "wave.png");
    thumb("still.vmd --size 64", "still.png");
    thumb("rest.vmd --size 64", "rest.png");
    assert_true(cli_same_files("wave.png", "still.png"));
    assert_false(cli_same_files("wave.png", "rest.png"));
    assert_whole("wave.png");
}

static void a_pose_is_shown_on_the_dancer(void **state)
{
    (void)state;
    cli_need_dancer();
    static const char text[] = "Vocaloid Pose Data file\r\n\r\nmodel.osm;\r\n1;\r\n\r\nBone0{左腕\r\n"
                               "  0.0,0.0,0.0;\r\n  0.0,0.0,%.8f,%.8f;\r\n}\r\n";
    char utf8[512];
    uint8_t pose[512];
    snprintf(utf8, sizeof utf8, text, (double)sinf(0.6f), (double)cosf(0.6f));
    const size_t size = mmd_cp932_from_utf8(utf8, strlen(utf8), pose, sizeof pose, NULL);
    cli_write("arm.vpd", pose, size);
    write_arm("still.vmd", (const uint32_t[]){0}, (const float[]){1.2f}, 1);
    thumb("arm.vpd --size 64", "pose.png");
    thumb("still.vmd --size 64", "still.png");
    mmd_image a = cli_picture("pose.png"), b = cli_picture("still.png");
    uint64_t differing = 0;
    for (size_t i = 0; i < (size_t)4 * 64 * 64; i++)
        differing += abs(a.pixels[i] - b.pixels[i]) > 2;
    mmd_image_finish(&a);
    mmd_image_finish(&b);
    assert_in_range(differing, 0, 40); /* the angle has fewer digits in one of them */
}

/* A motion of the camera is shown by what it sees. */
static void a_motion_of_the_camera_is_shown_through_it(void **state)
{
    (void)state;
    cli_need_dancer();
    mmd_camera_key key = {.value = mmd_default_camera()};
    mmd_motion motion = {
        .model_name_size = 20, .section_count = 5, .camera_key_count = 1, .camera_keys = &key};
    static const char *const names[] = {"front.vmd", "behind.vmd"};
    for (int i = 0; i < 2; i++) {
        mmd_buffer out = {0};
        for (int k = 0; k < MMD_CAMERA_CHANNELS; k++)
            key.curve[k] = (mmd_curve){20, 20, 107, 107};
        key.value.fov = 30;
        key.value.rotation[1] = i ? 3.14159274f : 0;
        assert_int_equal(mmd_vmd_write(&motion, &out, NULL), MMD_OK);
        cli_write(names[i], out.data, out.size);
        mmd_buffer_finish(&out);
    }
    thumb("front.vmd --size 64", "front.png");
    thumb("behind.vmd --size 64", "behind.png");
    assert_false(cli_same_pictures("front.png", "behind.png"));
    assert_true(drawn_of("behind.png").count > 64 * 64 / 20);
}

/* --- Projects, interchange files, archives, folders --- */

static void write_figure_project(float distance)
{
    mmd_project *project = mmd_project_create();
    mmd_model *model = NULL;
    mmd_buffer out = {0};
    mmd_bytes pmx = cli_read("odori.pmx");
    assert_non_null(project);
    assert_int_equal(mmd_model_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(project, model, NULL, "D:\\mmd\\odori.pmx", NULL), MMD_OK);
    project->camera_keys[0].distance = distance;
    write_project(project, &out);
    cli_write("figure.pmm", out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_model_destroy(model);
    mmd_bytes_finish(&pmx);
    mmd_project_destroy(project);
}

static void a_project_is_shown_through_its_camera(void **state)
{
    (void)state;
    write_figure_project(-45);
    thumb("figure.pmm --size 64", "project.png");
    cli_expect(0, NULL,
               "shot figure.pmm --size 64x64 --physics off --grid off --ground-shadow off --supersample 4 "
               "--background transparent -o shot.png");
    assert_true(cli_same_pictures("project.png", "shot.png"));
    write_figure_project(-400); /* where she would be a few pixels high */
    thumb("figure.pmm --size 64", "far.png");
    assert_whole("far.png");
}

/* What would be white on white has a background. */
static void pale_things_have_a_background(void **state)
{
    (void)state;
    static const char *const colors[] = {"1;1;1", "0.9;0.1;0.1"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "xof 0302txt 0032\nMesh {4;-1;-1;0;,1;-1;0;,1;1;0;,-1;1;0;;2;3;0,2,1;,3;0,3,2;;\n"
                 "MeshMaterialList {1;2;0,0;;\nMaterial {%s;1;;5;0;0;0;;%s;;}}}\n",
                 colors[i], i ? "0.3;0;0" : "1;1;1");
        cli_write_text("square.x", text);
        thumb("square.x --size 64", "square.png");
        mmd_image image = cli_picture("square.png");
        assert_int_equal(image.pixels[3], i ? 0 : 255);
        if (!i)
            assert_memory_equal(image.pixels, ((uint8_t[]){0x9f, 0xb0, 0xc3}), 3);
        mmd_image_finish(&image);
    }
}

static void an_archive_and_a_folder_show_their_model(void **state)
{
    (void)state;
    mmd_bytes model = cli_read("odori.pmx"), motion = cli_read("odori.vmd");
    const made_file files[] = {{"figure/odori.pmx", model.data, model.size},
                               {"odori.vmd", motion.data, motion.size}};
    mmd_bytes zip = made_archive(MADE_ZIP, files, 2, NULL);
    cli_write("figure.zip", zip.data, zip.size);
    cli_shell("mkdir -p sub/deep alone && cp odori.pmx sub/deep && cp odori.vmd sub && cp odori.pmx alone");
    thumb("alone/odori.pmx --size 64", "file.png");
    thumb("figure.zip --size 64", "zip.png");
    thumb("sub --size 64", "folder.png");
    assert_true(cli_same_files("file.png", "zip.png"));
    assert_true(cli_same_files("file.png", "folder.png"));
    mmd_bytes_finish(&zip);
    mmd_bytes_finish(&model);
    mmd_bytes_finish(&motion);
}

/* --- Keys, files that are there, errors --- */

static void keys_are_written_only_if_asked_for(void **state)
{
    (void)state;
    thumb("odori.pmx --size 32", "plain.png");
    cli_shell("touch -d @1700000000 odori.pmx");
    thumb("odori.pmx --size 32 --uri file:///odd%20name", "keys.png");
    mmd_bytes plain = cli_read("plain.png"), keys = cli_read("keys.png");
    char *uri = png_text_read(keys.data, keys.size, "Thumb::URI"),
         *time = png_text_read(keys.data, keys.size, "Thumb::MTime");
    assert_non_null(uri);
    assert_non_null(time);
    assert_string_equal(uri, "file:///odd%20name");
    assert_string_equal(time, "1700000000");
    assert_null(png_text_read(plain.data, plain.size, "Thumb::URI"));
    assert_null(png_text_read(plain.data, plain.size, "odori"));
    assert_true(cli_same_pictures("plain.png", "keys.png"));
    mmd_free(uri);
    mmd_free(time);
    mmd_bytes_finish(&plain);
    mmd_bytes_finish(&keys);
}

static ino_t inode_of(const char *name)
{
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    assert_int_equal(stat(path, &status), 0);
    return status.st_ino;
}

/* Services of file managers keep an empty file open. Others are replaced by complete ones. */
static void an_empty_file_is_filled(void **state)
{
    (void)state;
    cli_write_text("empty.png", "");
    cli_write_text("full.png", "full");
    const ino_t empty = inode_of("empty.png");
    thumb("odori.pmx --size 32", "empty.png");
    thumb("odori.pmx --size 32", "full.png");
    assert_true(inode_of("empty.png") == empty);
    assert_true(cli_same_files("empty.png", "full.png"));
    cli_write_text("empty.png", "");
    cli_expect(3, "missing.pmx", "thumbnail missing.pmx -o empty.png");
    mmd_bytes bytes = cli_read("empty.png");
    assert_int_equal(bytes.size, 0);
    mmd_bytes_finish(&bytes);
}

static void damaged_and_other_files_have_no_thumbnail(void **state)
{
    (void)state;
    cli_shell("head -c 3000 odori.pmx >damaged.pmx; head -c 20 odori.vmd >damaged.vmd; echo hello >text.txt; "
              "mkdir -p nothing; rm -f out.png");
    cli_expect(3, "damaged.pmx", "thumbnail damaged.pmx -o out.png");
    cli_expect(3, "damaged.vmd", "thumbnail damaged.vmd -o out.png");
    cli_expect(3, "text.txt", "thumbnail text.txt -o out.png");
    cli_expect(3, "nothing", "thumbnail nothing -o out.png");
    cli_expect(3, "missing.pmx", "thumbnail missing.pmx -o out.png");
    cli_shell("cp figure.zip broken.zip 2>/dev/null || cp odori.pmx broken.zip; truncate -s 600 broken.zip");
    cli_expect(3, "broken.zip", "thumbnail broken.zip -o out.png");
    cli_write_text("bare.x", "xof 0302txt 0032\nMesh {3;0;0;0;,0;0;0;,0;0;0;;1;3;0,1,2;;}\n");
    cli_expect(3, "nothing to see", "thumbnail bare.x -o out.png");
    cli_expect(3, "--time-limit", "thumbnail odori.pmx --time-limit 0.001 -o out.png");
    cli_shell("[ ! -e out.png ]");
}

static void wrong_usage_is_told(void **state)
{
    (void)state;
    cli_expect(2, "16 to 4096", "thumbnail odori.pmx --size 15 -o out.png");
    cli_expect(2, "16 to 4096", "thumbnail odori.pmx --size 4097 -o out.png");
    cli_expect(2, "16 to 4096", "thumbnail odori.pmx --size 64x64 -o out.png");
    cli_expect(2, "-o out.png", "thumbnail odori.pmx");
    cli_expect(2, "no file", "thumbnail -o out.png");
    cli_expect(2, "one file", "thumbnail odori.pmx odori.pmx -o out.png");
    cli_expect(2, "seconds", "thumbnail odori.pmx --time-limit 0 -o out.png");
    cli_expect(2, "MiB", "thumbnail odori.pmx --texture-memory 0 -o out.png");
    cli_expect(2, "unknown option", "thumbnail odori.pmx --physics on -o out.png");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thumbnails_are_square_pngs_with_transparency),
        cmocka_unit_test(thumbnails_are_the_same_each_time),
        cmocka_unit_test(of_a_figure_the_head_is_shown),
        cmocka_unit_test(of_other_things_all_is_shown),
        cmocka_unit_test(what_shows_its_back_is_shown_from_behind),
        cmocka_unit_test(a_motion_is_shown_where_it_reaches_out),
        cmocka_unit_test(a_pose_is_shown_on_the_dancer),
        cmocka_unit_test(a_motion_of_the_camera_is_shown_through_it),
        cmocka_unit_test(a_project_is_shown_through_its_camera),
        cmocka_unit_test(pale_things_have_a_background),
        cmocka_unit_test(an_archive_and_a_folder_show_their_model),
        cmocka_unit_test(keys_are_written_only_if_asked_for),
        cmocka_unit_test(an_empty_file_is_filled),
        cmocka_unit_test(damaged_and_other_files_have_no_thumbnail),
        cmocka_unit_test(wrong_usage_is_told),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
