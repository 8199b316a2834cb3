/* `odori shot --ids` and `odori diff` together: the first line names a known change, and the report's page
 * shows it in a browser. */
#define _GNU_SOURCE /* memmem */
#include "cli.h"

#include "mmd/ids.h"
#include "mmd/cursor.h"
#include "mmd/format.h"
#include "mmd/image.h"

static void change_nothing(mmd_model *model)
{
    (void)model;
}

static mmd_material *material_named(mmd_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->material_count; i++)
        if (strcmp(model->materials[i].name, name) == 0)
            return &model->materials[i];
    fail_msg("no material %s", name);
    return NULL;
}

static void change_toon(mmd_model *model)
{
    mmd_material *hair = material_named(model, "髪");
    assert_true(hair->shared_toon && hair->toon != 3);
    hair->toon = 3;
}

static void change_color(mmd_model *model)
{
    mmd_material *dress = material_named(model, "服");
    dress->diffuse[0] *= 0.5f;
    dress->ambient[0] *= 0.5f;
}

static void change_edges(mmd_model *model)
{
    for (uint32_t i = 0; i < model->material_count; i++)
        model->materials[i].flags &= (uint8_t)~MMD_MATERIAL_EDGE;
}

static void move_hair(mmd_model *model)
{
    for (uint32_t i = 0; i < model->vertices.count; i++)
        if (model->vertices.position[i][1] > 15.0f * 1.15f)
            model->vertices.position[i][0] += 0.4f;
}

/* Draws the changed figure to an image with ids. */
static void shoot(const char *name, void (*change)(mmd_model *model), const char *options)
{
    char path[1024];
    mmd_model *model = NULL;
    mmd_buffer pmx = {0};
    mmd_bytes file = cli_read("odori.pmx");
    assert_int_equal(mmd_model_read(file.data, file.size, &model, NULL), MMD_OK);
    mmd_bytes_finish(&file);
    change(model);
    assert_int_equal(mmd_pmx_write(model, &pmx, NULL), MMD_OK);
    mmd_model_destroy(model);
    snprintf(path, sizeof path, "%s/%s.pmx", cli_folder(), name);
    assert_int_equal(mmd_file_write(path, pmx.data, pmx.size, NULL), MMD_OK);
    mmd_buffer_finish(&pmx);
    cli_expect(0, NULL, "shot %s.pmx --motion odori.vmd --frame 40 --size 480x480 --ids %s -o %s.png", name,
               options, name);
}

static char *first_line(const char *arguments)
{
    cli_result result = cli_run("diff %s", arguments);
    if (result.code != 1)
        fail_msg("diff %s: %d %s", arguments, result.code, result.err);
    free(result.err);
    result.out[strcspn(result.out, "\n")] = '\0';
    print_message("%s\n", result.out);
    return result.out;
}

static void assert_line(const char *arguments, const char *first, const char *second)
{
    char *line = first_line(arguments);
    if (!strstr(line, first) || !strstr(line, second))
        fail_msg("no \"%s\" and \"%s\" in: %s", first, second, line);
    free(line);
}

static void shot_writes_ids_beside_the_picture(void **state)
{
    (void)state;
    shoot("plain", change_nothing, "");
    mmd_image image = cli_picture("plain.png");
    mmd_bytes file = cli_read("plain.ids.png");
    mmd_ids ids;
    assert_int_equal(mmd_ids_decode(file.data, file.size, 480, 480, &ids, NULL), MMD_OK);
    assert_int_equal(ids.model_count, 1);
    assert_string_equal(ids.models[0], "踊り子");
    size_t shown = 0, wrong = 0;
    for (size_t i = 0; i < 480 * 480; i++) {
        bool white = image.pixels[4 * i] + image.pixels[4 * i + 1] + image.pixels[4 * i + 2] == 765;
        shown += ids.ids[i][0] != 0;
        wrong += (ids.ids[i][0] == 0) != white; /* few parts of her are white */
    }
    assert_in_range(shown, 480 * 480 / 20, 480 * 480 / 2);
    assert_true(wrong < shown / 20);
    /* Her face is in the middle of the upper half, and its bone is the head. */
    const uint32_t *face = ids.ids[480 * 140 + 240];
    assert_true(face[1] && face[2]);
    assert_string_equal(ids.bones[face[2] - 1].name, "頭");
    mmd_ids_finish(&ids);
    mmd_bytes_finish(&file);
    mmd_image_finish(&image);
}

static void a_change_of_toon_is_named_with_its_material(void **state)
{
    (void)state;
    shoot("plain", change_nothing, "");
    shoot("toon", change_toon, "");
    assert_line("plain.png toon.png", "100.0 % of the difference is in material 髪 of 踊り子", "toon");
}

static void a_change_of_colour_is_named_with_its_material(void **state)
{
    (void)state;
    shoot("plain", change_nothing, "");
    shoot("color", change_color, "");
    assert_line("plain.png color.png", "in material 服 of 踊り子", "a colour or texture difference");
}

static void edges_and_movement_are_told_apart(void **state)
{
    (void)state;
    shoot("plain", change_nothing, "");
    shoot("edges", change_edges, "");
    assert_line("plain.png edges.png", "different", "at edges only");
    shoot("smooth", change_nothing, "--msaa 4");
    assert_line("plain.png smooth.png", "different", "at edges only");
    shoot("bent", move_hair, "");
    assert_line("plain.png bent.png", "in material 髪 of 踊り子", "moved by about");
    /* Equal images have no cause. */
    cli_expect(0, "equal", "diff plain.png plain.png");
}

/* --- Recorded scenes --- */

/* Requires the line about how the two images were made, and the first line of the output. */
static void assert_made(const char *arguments, const char *made, const char *first)
{
    cli_result result = cli_run("diff %s", arguments);
    print_message("%s\n", result.out);
    const char *end = strchr(result.out, '\n'), *found = strstr(result.out, made);
    const char *clause = strstr(result.out, first), *table = strstr(result.out, "by material");
    if (result.code != 1 || !found || !clause || clause > end || (table && table < found))
        fail_msg("diff %s: no \"%s\", or no \"%s\" at first", arguments, made, first);
    cli_finish(&result);
}

static void shoot_plain(const char *name, const char *options)
{
    cli_expect(0, NULL, "shot made.pmx --motion odori.vmd --size 320x320 %s -o %s.png", options, name);
}

/* Gives the skin a toon texture of its own, in a separate file. */
static void use_toon_texture(mmd_model *model)
{
    mmd_material *skin = &model->materials[0];
    assert_true(model->texture_count >= 2);
    skin->shared_toon = false;
    skin->toon = (int32_t)model->texture_count - 1;
}

static void swap_texture(const char *name, const char *from)
{
    char command[4096];
    snprintf(command, sizeof command, "cd '%s' && cp '%s' '%s'", cli_folder(), from, name);
    assert_int_equal(system(command), 0);
}

static void pictures_say_what_was_made_differently(void **state)
{
    (void)state;
    char toon[256];
    mmd_model *model = NULL;
    shoot("made", use_toon_texture, "");
    mmd_bytes file = cli_read("made.pmx");
    assert_int_equal(mmd_model_read(file.data, file.size, &model, NULL), MMD_OK);
    snprintf(toon, sizeof toon, "%s", model->textures[model->texture_count - 1]);
    mmd_bytes_finish(&file);
    shoot_plain("f40", "--frame 40 --ids");
    shoot_plain("f41", "--frame 41");
    shoot_plain("red", "--frame 40 --light-color 0.9,0.4,0.4");
    shoot_plain("bare", "--frame 40 --edge off");
    swap_texture("kept.png", toon);
    swap_texture(toon, model->textures[0]);
    shoot_plain("toon", "--frame 40");
    swap_texture(toon, "kept.png");
    assert_made("f40.png f41.png", "frame: 40 -> 41", "");
    assert_made("red.png f40.png", "light.color: 0.9, 0.4, 0.4 -> 0.6, 0.6, 0.6", "a light difference");
    assert_made("f40.png bare.png", "view.edge: on -> off", "at edges only");
    assert_made("f40.png toon.png", "toon texture ", "a toon difference");
    assert_made("f40.png toon.png", model->materials[0].name, "a toon difference");
    mmd_model_destroy(model);

    json_error_t error;
    cli_result result = cli_run("diff f40.png f41.png --json");
    json_t *root = json_loads(result.out, 0, &error);
    const json_t *made = json_object_get(root, "made");
    assert_true(json_integer_value(json_object_get(made, "changes")) >= 1);
    assert_string_equal(json_string_value(json_array_get(json_object_get(made, "texts"), 0)),
                        "frame: 40 -> 41");
    json_decref(root);
    cli_finish(&result);
}

/* Without stored ids, they are drawn again if the files still exist. The test then removes the files. */
static void ids_are_drawn_again(void **state)
{
    (void)state;
    char path[1024];
    shoot("made", use_toon_texture, "");
    shoot_plain("kept", "--frame 40 --ids");
    shoot_plain("again", "--frame 40");
    shoot_plain("red", "--frame 40 --light-color 0.9,0.4,0.4");
    cli_result kept = cli_run("diff kept.png red.png"), again = cli_run("diff again.png red.png");
    assert_non_null(strstr(kept.out, "by material"));
    assert_string_equal(kept.out, again.out);
    assert_string_equal(again.err, "");
    cli_finish(&kept);
    cli_finish(&again);
    cli_expect(1, "the masks leave", "diff again.png red.png --mask-bones 頭");
    again = cli_run("diff again.png red.png --ids none");
    assert_int_equal(again.code, 1);
    assert_null(strstr(again.out, "by material"));
    cli_finish(&again);
    snprintf(path, sizeof path, "%s/made.pmx", cli_folder());
    assert_int_equal(remove(path), 0);
    again = cli_run("diff again.png red.png");
    assert_int_equal(again.code, 1);
    assert_null(strstr(again.out, "by material"));
    assert_non_null(strstr(again.err, "the difference cannot be located in the model: made.pmx"));
    cli_finish(&again);
    shoot("made", change_toon, "");
    again = cli_run("diff again.png red.png");
    assert_non_null(
        strstr(again.err, "the difference cannot be located in the model: model made.pmx has changed"));
    cli_finish(&again);
}

/* The images were made from the same files and options, but the pixels of one were edited. The report states
 * both. */
static void pictures_made_alike_say_so(void **state)
{
    (void)state;
    shoot("made", change_nothing, "");
    shoot_plain("one", "--frame 40");
    mmd_image image = cli_picture("one.png");
    for (size_t i = 0; i < 4 * (size_t)3000; i++)
        image.pixels[i] = 7;
    char *scene = cli_picture_scene("one.png");
    cli_write_picture("two.png", &image, scene);
    free(scene);
    mmd_image_finish(&image);
    assert_made("one.png two.png", "made with the same settings from the same files", "");
}

/* --- The page in a browser --- */

enum { SHOT_WIDTH = 1400, SHOT_HEIGHT = 1000 };

static bool run_browser(const char *arguments)
{
    char command[4096];
    /* As root the browser cannot run in its sandbox. A separate profile leaves the user's one untouched. */
    snprintf(command, sizeof command,
             "cd '%s' && HOME=\"$PWD\" timeout 120 chromium --headless=new --no-sandbox --disable-gpu "
             "--disable-dev-shm-usage --hide-scrollbars --force-device-scale-factor=1 "
             "--user-data-dir=\"$PWD/browser\" --window-size=1400,1000 --virtual-time-budget=8000 %s "
             "2>browser.log",
             cli_folder(), arguments);
    return system(command) == 0;
}

static void assert_page_is_ready(const char *page, const char *hash)
{
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "--dump-dom 'file://%s/%s/index.html#%s' >dom.html", cli_folder(),
             page, hash);
    assert_true(run_browser(arguments));
    mmd_bytes dom = cli_read("dom.html");
    dom.data[dom.size - 1] = '\0';
    const char *body = (const char *)dom.data;
    if (!strstr(body, "data-ready=\"yes\""))
        fail_msg("%s#%s is not ready", page, hash);
    const char *trouble = strstr(body, "id=\"trouble\" hidden");
    if (!trouble)
        fail_msg("%s#%s: %.200s", page, hash, strstr(body, "id=\"trouble\""));
    /* The table of causes names the material, and the metrics are present. */
    assert_non_null(strstr(body, "髪<small> of 踊り子</small>"));
    assert_non_null(strstr(body, "<td>SSIM</td>"));
    mmd_bytes_finish(&dom);
}

/* Appends a page without its policy, which allows no other script than its own. */
static void write_without_policy(mmd_buffer *to, const mmd_bytes *html)
{
    static const char policy[] = "<meta http-equiv=\"Content-Security-Policy\"";
    const char *found = memmem(html->data, html->size, policy, strlen(policy));
    assert_non_null(found);
    size_t before = (size_t)(found - (const char *)html->data), length = strcspn(found, "\n");
    mmd_write_bytes(to, html->data, before);
    mmd_write_bytes(to, found + length, html->size - before - length);
}

/* Appends the probe to the page's script, and requires that none of its results is bad. */
static void assert_page_answers(const char *page)
{
    char name[256], path[1024], arguments[2048];
    mmd_bytes probe = {0};
    mmd_buffer whole = {0};
    snprintf(name, sizeof name, "%s/index.html", page);
    mmd_bytes html = cli_read(name);
    assert_int_equal(mmd_file_read(ODORI_SOURCE "/tests/render/report_probe.js", &probe, NULL), MMD_OK);
    write_without_policy(&whole, &html);
    mmd_write_format(&whole, "<script>");
    mmd_write_bytes(&whole, probe.data, probe.size);
    mmd_write_format(&whole, "</script>");
    snprintf(path, sizeof path, "%s/probe.html", cli_folder());
    assert_int_equal(mmd_file_write(path, whole.data, whole.size, NULL), MMD_OK);
    mmd_buffer_finish(&whole);
    mmd_bytes_finish(&html);
    mmd_bytes_finish(&probe);

    snprintf(arguments, sizeof arguments, "--dump-dom 'file://%s' >dom.html", path);
    assert_true(run_browser(arguments));
    mmd_bytes dom = cli_read("dom.html");
    dom.data[dom.size - 1] = '\0';
    char *found = strstr((char *)dom.data, "data-probe=\"");
    assert_non_null(found);
    found[strcspn(found, ">")] = '\0';
    print_message("%s\n", found);
    assert_non_null(strstr(found, "; done\""));
    assert_null(strstr(found, "BAD"));
    mmd_bytes_finish(&dom);
}

/* Counts the pixels close to a colour in one of four shots. */
static size_t count_near(const uint8_t *pixels, const uint8_t rgb[3])
{
    size_t count = 0;
    for (int y = 0; y < SHOT_HEIGHT; y++)
        for (int x = 0; x < SHOT_WIDTH; x++) {
            const uint8_t *p = pixels + 4 * ((size_t)y * 2 * SHOT_WIDTH + (size_t)x);
            count += abs(p[0] - rgb[0]) <= 3 && abs(p[1] - rgb[1]) <= 3 && abs(p[2] - rgb[2]) <= 3;
        }
    return count;
}

/* Opens a report four times in frames of one page, two beside and two below each other, because a browser
 * takes longer to start than to draw. Returns a picture of the page; shots: the first pixel of each frame in
 * it. */
static mmd_image screenshots(const char *page, const char *const hashes[4], const uint8_t *shots[4])
{
    char arguments[1024];
    mmd_buffer frames = {0};
    mmd_write_format(&frames, "<body style=\"margin:0\">");
    for (int i = 0; i < 4; i++)
        mmd_write_format(
            &frames,
            "<iframe src=\"%s/index.html#%s\" style=\"position:absolute;left:%dpx;top:%dpx;width:%dpx;"
            "height:%dpx;border:0\"></iframe>",
            page, hashes[i], i % 2 * SHOT_WIDTH, i / 2 * SHOT_HEIGHT, SHOT_WIDTH, SHOT_HEIGHT);
    cli_write("shots.html", frames.data, frames.size);
    mmd_buffer_finish(&frames);
    snprintf(arguments, sizeof arguments,
             "--window-size=%d,%d --screenshot=page.png 'file://%s/shots.html' >browser.out", 2 * SHOT_WIDTH,
             2 * SHOT_HEIGHT, cli_folder());
    assert_true(run_browser(arguments));
    mmd_image image = cli_picture("page.png");
    assert_int_equal(image.width, 2 * SHOT_WIDTH);
    assert_int_equal(image.height, 2 * SHOT_HEIGHT);
    for (int i = 0; i < 4; i++)
        shots[i] =
            image.pixels + 4 * ((size_t)(i / 2 * SHOT_HEIGHT) * image.width + (size_t)(i % 2 * SHOT_WIDTH));
    return image;
}

/* Tests the widths in frames of a page, because browser windows have a minimum width. */
static void assert_page_fits(const char *page)
{
    static const int widths[] = {320, 420, 1280};
    char name[256], path[1024], arguments[2048], wanted[64];
    mmd_bytes probe = {0};
    mmd_buffer whole = {0}, frames = {0};
    snprintf(name, sizeof name, "%s/index.html", page);
    mmd_bytes html = cli_read(name);
    assert_int_equal(mmd_file_read(ODORI_SOURCE "/tests/render/report_fits.js", &probe, NULL), MMD_OK);
    write_without_policy(&whole, &html);
    mmd_write_format(&whole, "<script>");
    mmd_write_bytes(&whole, probe.data, probe.size);
    mmd_write_format(&whole, "</script>");
    cli_write("fits.html", whole.data, whole.size);
    mmd_write_format(&frames,
                     "<script>document.documentElement.dataset.found = \"\";"
                     "onmessage = (e) => { document.documentElement.dataset.found += e.data + \"; \"; };"
                     "</script>");
    /* One upon the other: a browser draws no frames outside of its window. */
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        mmd_write_format(&frames,
                         "<iframe src=\"fits.html\" style=\"position:absolute;left:0;top:0;width:%dpx;"
                         "height:900px;border:0\"></iframe>",
                         widths[i]);
    cli_write("frame.html", frames.data, frames.size);
    snprintf(path, sizeof path, "%s/frame.html", cli_folder());
    snprintf(arguments, sizeof arguments, "--dump-dom 'file://%s' >dom.html", path);
    assert_true(run_browser(arguments));
    mmd_bytes dom = cli_read("dom.html");
    dom.data[dom.size - 1] = '\0';
    const char *found = strstr((const char *)dom.data, "data-found=");
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        snprintf(wanted, sizeof wanted, "fits %d: all;", widths[i]);
        if (!found || !strstr(found, wanted))
            fail_msg("at %d: %.300s", widths[i], found ? found : "nothing");
    }
    mmd_bytes_finish(&dom);
    mmd_buffer_finish(&frames);
    mmd_buffer_finish(&whole);
    mmd_bytes_finish(&html);
    mmd_bytes_finish(&probe);
}

static void the_report_works_in_a_browser(void **state)
{
    (void)state;
    cli_need("chromium");
    shoot("plain", change_nothing, "");
    shoot("toon", change_toon, "");
    cli_expect(1, "material 髪", "diff plain.png toon.png --report page");
    assert_page_is_ready("page", "mode=wipe");

    /* The heat map is black where nothing differs, which is over half of the view. The edge of the wipe has
     * the accent colour. */
    static const uint8_t cold[3] = {0, 0, 4}, accent[3] = {0xb0, 0x30, 0x6a};
    static const char *const hashes[] = {"mode=wipe&theme=light", "mode=difference&theme=light",
                                         "mode=a&theme=light&part=materials&row=1", "mode=a&theme=light"};
    const uint8_t *shots[4];
    mmd_image image = screenshots("page", hashes, shots);
    assert_true(count_near(shots[0], accent) > 1000);
    assert_true(count_near(shots[0], cold) < 20000);
    assert_true(count_near(shots[1], cold) > 150000);

    /* Highlighting another row dims the rest. */
    size_t changed = 0;
    for (size_t y = 0; y < SHOT_HEIGHT; y++)
        for (size_t x = 0; x < SHOT_WIDTH; x++) {
            const size_t at = 4 * (y * image.width + x);
            changed += memcmp(shots[2] + at, shots[3] + at, 3) != 0;
        }
    assert_true(changed > 100000);
    mmd_image_finish(&image);
    assert_page_answers("page");
    assert_page_fits("page");
}

/* The first frame that differs is told with its own material and files, not with those of the worst one. */
static void the_first_frame_of_a_sequence_has_a_cause(void **state)
{
    (void)state;
    char command[4096];
    shoot("plain", change_nothing, "");
    shoot("toon", change_toon, "");
    shoot("color", change_color, "");
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p oa ob && for i in 1 2 3; do cp plain.png oa/$i.png; "
             "cp plain.ids.png oa/$i.ids.png; done && cp plain.png ob/1.png && cp toon.png ob/2.png && "
             "cp color.png ob/3.png",
             cli_folder());
    assert_int_equal(system(command), 0);
    cli_result result = cli_run("diff oa ob");
    assert_int_equal(result.code, 1);
    const char *first = strstr(result.out, "\nframe 2 is the first that differs: ");
    assert_non_null(first);
    const char *hair = strstr(first, "% of the difference is in material 髪"), *end = strchr(first + 1, '\n');
    assert_true(hair && end && hair < end);
    const char *cause = strstr(end, "material 髪: ");
    assert_true(cause && cause < strstr(end, "\n\n"));
    cli_finish(&result);
}

static void the_report_of_a_sequence_works_in_a_browser(void **state)
{
    (void)state;
    cli_need("chromium");
    char command[4096];
    shoot("plain", change_nothing, "");
    shoot("toon", change_toon, "");
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p sa sb && for i in 1 2 3; do cp plain.png sa/$i.png; "
             "cp plain.ids.png sa/$i.ids.png; done && cp plain.png sb/1.png && cp toon.png sb/2.png",
             cli_folder());
    assert_int_equal(system(command), 0);
    cli_expect(1, "1 of 2 frames differs, frame 2", "diff sa sb --report pages");
    assert_page_is_ready("pages", "frame=1&mode=flip");
    assert_page_answers("pages");
    assert_page_fits("pages");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shot_writes_ids_beside_the_picture),
        cmocka_unit_test(a_change_of_toon_is_named_with_its_material),
        cmocka_unit_test(a_change_of_colour_is_named_with_its_material),
        cmocka_unit_test(edges_and_movement_are_told_apart),
        cmocka_unit_test(pictures_say_what_was_made_differently),
        cmocka_unit_test(ids_are_drawn_again),
        cmocka_unit_test(pictures_made_alike_say_so),
        cmocka_unit_test(the_report_works_in_a_browser),
        cmocka_unit_test(the_first_frame_of_a_sequence_has_a_cause),
        cmocka_unit_test(the_report_of_a_sequence_works_in_a_browser),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
