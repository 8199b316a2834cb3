/* `--aov` of `shot` and `render`: EXR files beside pictures, and `diff` and `check` that use them as ids and
 * masks. */
#include "cli.h"
#include "exr_channel.h"

#include "files/exr.h"
#include "mmd/ids.h"

#define MODEL "odori.pmx --motion odori.vmd --size 160x120 "

static void shot_writes_planes_beside_the_picture(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot " MODEL "--frame 40 -o plain.png");
    cli_expect(0, NULL, "shot " MODEL "--frame 40 --ids --aov depth,normals,ids -o a.png");
    cli_expect(0, NULL, "shot " MODEL "--frame 40 --msaa 4 --supersample 2 --aov ids,normals,depth -o b.png");
    assert_true(cli_same_files("plain.png", "a.png")); /* the picture does not change */
    /* Antialiasing changes the picture, not its planes. Both files say how they were made. */
    assert_false(cli_same_pictures("a.png", "b.png"));
    mmd_bytes a = cli_read("a.exr"), b = cli_read("b.exr");
    mmd_ids from_exr, from_png, second;
    assert_int_equal(exr_read_ids(a.data, a.size, 160, 120, &from_exr, NULL), MMD_OK);
    assert_int_equal(exr_read_ids(b.data, b.size, 160, 120, &second, NULL), MMD_OK);
    mmd_bytes png = cli_read("a.ids.png");
    assert_int_equal(mmd_ids_decode(png.data, png.size, 160, 120, &from_png, NULL), MMD_OK);
    assert_memory_equal(from_exr.ids, from_png.ids, sizeof(uint32_t[3]) * 160 * 120);
    assert_memory_equal(from_exr.ids, second.ids, sizeof(uint32_t[3]) * 160 * 120);
    assert_int_equal(from_exr.bone_count, from_png.bone_count);
    mmd_ids_finish(&from_exr);
    mmd_ids_finish(&from_png);
    mmd_ids_finish(&second);
    mmd_bytes_finish(&png);
    mmd_bytes_finish(&a);
    mmd_bytes_finish(&b);
    cli_shell("cp a.exr first.exr");
    cli_expect(0, NULL, "shot " MODEL "--frame 40 --ids --aov depth,normals,ids -o a.png");
    assert_true(cli_same_files("a.exr", "first.exr"));
}

/* Depth is 1e10 and the normal zero exactly where there is no id. The figure stands 45 units from the camera.
 */
static void planes_agree_with_each_other(void **state)
{
    (void)state;
    static float depth[160 * 120], normal[3][160 * 120];
    static uint32_t model[160 * 120];
    static const char *const normals[] = {"N.X", "N.Y", "N.Z"};
    cli_expect(0, NULL, "shot odori.pmx --size 160x120 --aov normals,depth,ids -o p.png");
    mmd_bytes bytes = cli_read("p.exr");
    exr_memory file = {bytes.data, bytes.size};
    exr_context_t context = exr_open_memory(&file);
    exr_read_channel(context, "Z", EXR_PIXEL_FLOAT, depth);
    exr_read_channel(context, "id.model", EXR_PIXEL_UINT, model);
    for (int k = 0; k < 3; k++)
        exr_read_channel(context, normals[k], EXR_PIXEL_FLOAT, normal[k]);
    int drawn = 0;
    for (int i = 0; i < 160 * 120; i++) {
        double length = 0.0;
        for (int k = 0; k < 3; k++)
            length += (double)normal[k][i] * (double)normal[k][i];
        drawn += model[i] == 1;
        assert_true(model[i] ? fabs(length - 1.0) < 1e-5 : length == 0.0);
        assert_true(model[i] ? depth[i] > 35.0f && depth[i] < 55.0f : depth[i] == 1e10f);
    }
    assert_in_range(drawn, 500, 10000);
    exr_finish(&context);
    mmd_bytes_finish(&bytes);
}

static void render_writes_the_planes_of_shot(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot " MODEL "--frame 41 --aov depth -o s.png");
    cli_expect(0, NULL, "render " MODEL "--frames 40:42 --aov depth -o r/%%03d.png");
    mmd_bytes shot = cli_read("s.exr"), frame = cli_read("r/041.exr");
    mmd_image of_shot, of_frame;
    assert_int_equal(exr_read_mask(shot.data, shot.size, &of_shot, NULL), MMD_OK);
    assert_int_equal(exr_read_mask(frame.data, frame.size, &of_frame, NULL), MMD_OK);
    assert_memory_equal(of_shot.pixels, of_frame.pixels, (size_t)4 * 160 * 120);
    mmd_image_finish(&of_shot);
    mmd_image_finish(&of_frame);
    mmd_bytes_finish(&shot);
    mmd_bytes_finish(&frame);
    /* With motion blur too, planes are those of the frame itself. */
    cli_expect(0, NULL, "render " MODEL "--frames 41 --motion-blur 3 --aov depth -o m/%%03d.png");
    cli_shell("tail -c 2000 r/041.exr >r.end; tail -c 2000 m/041.exr >m.end");
    assert_true(cli_same_files("r.end", "m.end"));
    assert_false(cli_same_pictures("r/041.png", "m/041.png"));
    /* A run that resumes keeps pictures and makes the planes that are wanted now. */
    cli_shell("cp r/041.exr kept.exr; rm r/041.exr");
    cli_expect(0, NULL, "render " MODEL "--frames 40:42 --aov depth --resume -o r/%%03d.png");
    assert_true(cli_same_files("r/041.exr", "kept.exr"));
}

static void wrong_outputs_are_refused(void **state)
{
    (void)state;
    cli_expect(2, "depth, normals or ids", "shot " MODEL "-o x.png --aov depth,colour");
    cli_expect(2, "depth, normals or ids", "shot " MODEL "-o x.png --aov depth,");
    cli_expect(2, "beside stdout", "shot " MODEL "-o - --aov depth");
    cli_expect(2, "--aov", "shot " MODEL "-o x.exr --aov depth");
    cli_expect(2, "--aov", "render " MODEL "--frames 0:1 -o x.mkv --aov depth");
    cli_expect(2, "--aov", "render " MODEL "--frames 0:1 -o x.%%d --aov depth");
}

static void diff_takes_ids_and_masks_from_planes(void **state)
{
    (void)state;
    cli_shell("mkdir d");
    cli_expect(0, NULL, "shot " MODEL "--frame 40 --background 8090a0 --aov depth,ids -o d/a.png");
    cli_expect(0, NULL, "shot " MODEL "--frame 40 --background 8094a0 --edge off -o d/b.png");
    /* The planes beside A are its ids. */
    cli_expect(1, "in material", "diff d/a.png d/b.png --mask d/a.exr");
    cli_shell("cp d/a.png d/c.png; cp d/a.exr planes.exr; rm d/a.exr");
    cli_expect(1, "outside of all models", "diff d/c.png d/b.png --ids planes.exr");
    cli_expect(1, "material 髪", "diff d/a.png d/b.png --ids planes.exr --keep-materials 髪");
    cli_result all = cli_run("diff d/a.png d/b.png --ids planes.exr --mask-materials 髪");
    assert_int_equal(all.code, 1);
    assert_null(strstr(all.out, "/髪\n"));
    assert_non_null(strstr(all.out, "/服\n"));
    cli_finish(&all);
    cli_expect(2, "has a material \"尻尾\"", "diff d/a.png d/b.png --ids planes.exr --mask-materials 尻尾");
    /* Where nothing is drawn, the mask ignores the background, which is all that differs here. */
    cli_expect(0, NULL, "shot " MODEL "--frame 40 --background 8094a0 -o d/e.png");
    cli_expect(1, "different", "diff d/a.png d/e.png");
    cli_expect(0, "within", "diff d/a.png d/e.png --mask planes.exr --max-share 1%%");
    cli_write("junk.exr", "\x76\x2f\x31\x01junk", 8);
    cli_expect(3, "junk.exr", "diff d/a.png d/e.png --mask junk.exr");
    cli_expect(3, "junk.exr", "diff d/a.png d/e.png --ids junk.exr");
}

static void a_suite_takes_masks_from_planes(void **state)
{
    (void)state;
    static const char suite[] =
        "{\"scenes\": [{\"name\": \"s\", \"model\": \"odori.pmx\", \"size\": [80, 60], \"tolerance\": "
        "{\"max\": 1},"
        "\"view\": {\"background\": \"%s\", \"edge\": false}, \"mask\": [{\"picture\": \"suite.exr\"}]}]}";
    char text[512];
    cli_expect(0, NULL, "shot odori.pmx --size 80x60 --edge off --aov ids -o suite.png");
    snprintf(text, sizeof text, suite, "808080");
    cli_write_text("suite.json", text);
    cli_expect(0, NULL, "check suite.json --accept");
    snprintf(text, sizeof text, suite, "ff8080");
    cli_write_text("suite.json", text);
    cli_expect(0, "1 passed", "check suite.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shot_writes_planes_beside_the_picture),
        cmocka_unit_test(planes_agree_with_each_other),
        cmocka_unit_test(render_writes_the_planes_of_shot),
        cmocka_unit_test(wrong_outputs_are_refused),
        cmocka_unit_test(diff_takes_ids_and_masks_from_planes),
        cmocka_unit_test(a_suite_takes_masks_from_planes),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
