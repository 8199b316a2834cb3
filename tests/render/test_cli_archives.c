/* The program with archives and folders: draws the same images as from files, detects what each file is from
 * its contents, and reports errors clearly. */
#include "cli.h"

#include "figure.h"
#include "made_archive.h"
#include "mmd/format.h"
#include "mmd/project.h"
#include "mmd/text.h"

enum { FILES_MAX = 24 };

/* Files of the test's folder with their names in the archive. */
typedef struct packed_files {
    made_file files[FILES_MAX];
    mmd_bytes bytes[FILES_MAX];
    size_t count;
} packed_files;

static void add(packed_files *p, const char *from, const char *name)
{
    assert_true(p->count < FILES_MAX);
    p->bytes[p->count] = cli_read(from);
    p->files[p->count] = (made_file){name, p->bytes[p->count].data, p->bytes[p->count].size};
    p->count++;
}

static void finish(packed_files *p)
{
    for (size_t i = 0; i < p->count; i++)
        mmd_bytes_finish(&p->bytes[i]);
    *p = (packed_files){.count = 0};
}

static void write_archive(const packed_files *p, made_kind kind, const char *name)
{
    mmd_bytes bytes = made_archive(kind, p->files, p->count, NULL);
    cli_write(name, bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
}

/* Writes a zip with names in CP932 that does not state their encoding. */
static void write_windows_zip(const packed_files *p, const char *name)
{
    static char names[FILES_MAX][256];
    made_entry entries[FILES_MAX];
    for (size_t i = 0; i < p->count; i++) {
        const char *utf8 = p->files[i].name;
        size_t size = mmd_cp932_from_utf8(utf8, strlen(utf8), (uint8_t *)names[i], sizeof names[i] - 1, NULL);
        names[i][size] = '\0';
        entries[i] = (made_entry){.name = names[i], .data = p->files[i].data, .size = p->files[i].size};
    }
    mmd_bytes bytes = made_zip(entries, p->count);
    cli_write(name, bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
}

/* Adds the figure and her textures. The second byte of 表 in CP932 is a backslash. */
static void add_figure(packed_files *p)
{
    static char names[FIGURE_TEXTURES][128];
    add(p, "odori.pmx", "表/踊り子.pmx");
    for (int i = 0; i < FIGURE_TEXTURES; i++) {
        snprintf(names[i], sizeof names[i], "表/%s", figure_texture_names[i]);
        add(p, figure_texture_names[i], names[i]);
    }
}

/* Writes a camera motion with one keyframe. */
static void write_camera(const char *name)
{
    mmd_camera_key key = {.value = mmd_default_camera()};
    mmd_motion motion = {.camera_key_count = 1, .camera_keys = &key};
    mmd_buffer vmd = {0};
    key.value.distance = -20;
    key.value.position[1] = 12;
    assert_int_equal(mmd_vmd_write(&motion, &vmd, NULL), MMD_OK);
    cli_write(name, vmd.data, vmd.size);
    mmd_buffer_finish(&vmd);
}

static int make_archives(void **state)
{
    packed_files p = {.count = 0};
    int result = cli_setup(state);
    if (result != 0)
        return result;
    add_figure(&p);
    for (int kind = 0; kind < MADE_KINDS; kind++) {
        char name[32];
        snprintf(name, sizeof name, "figure.%s", made_kind_name((made_kind)kind));
        write_archive(&p, (made_kind)kind, name);
    }
    write_windows_zip(&p, "windows.zip");
    add(&p, "odori.vmd", "dance.vmd");
    write_archive(&p, MADE_ZIP, "both.zip");
    finish(&p);
    write_camera("camera.vmd");
    add(&p, "odori.vmd", "motions/dance.vmd");
    write_archive(&p, MADE_7Z, "dance.7z");
    add(&p, "camera.vmd", "motions/camera.vmd");
    write_archive(&p, MADE_7Z, "dances.7z");
    add(&p, "odori.vmd", "motions/second.vmd");
    write_archive(&p, MADE_7Z, "many.7z");
    finish(&p);
    cli_shell("mkdir -p folder/deep && cp odori.pmx *.png folder/deep && cp odori.vmd folder");
    return 0;
}

/* Compares only the pixels, because image files record which files made them. */
static void assert_same_pictures(const char *a, const char *b)
{
    mmd_image x = cli_picture(a), y = cli_picture(b);
    if (x.width != y.width || x.height != y.height ||
        memcmp(x.pixels, y.pixels, (size_t)4 * x.width * x.height) != 0)
        fail_msg("%s is not %s", a, b);
    mmd_image_finish(&x);
    mmd_image_finish(&y);
}

#define PICTURE "--frame 30 --size 160x120"

static void pictures_from_archives_are_those_from_files(void **state)
{
    static const char *const given[] = {"figure.zip",
                                        "figure.7z",
                                        "figure.tar",
                                        "figure.tar.gz",
                                        "figure.tar.xz",
                                        "windows.zip",
                                        "windows.zip/表/踊り子.pmx",
                                        "figure.7z/表/",
                                        "both.zip",
                                        "folder",
                                        "folder/deep/"};
    (void)state;
    cli_expect(0, NULL, "shot odori.pmx --motion odori.vmd " PICTURE " -o files.png");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        cli_expect(0, NULL, "shot %s --motion odori.vmd " PICTURE " -o packed.png", given[i]);
        assert_same_pictures("packed.png", "files.png");
    }
}

static void motions_are_taken_by_what_they_move(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot odori.pmx --motion odori.vmd --camera camera.vmd " PICTURE " -o files.png");
    cli_expect(0, NULL, "shot odori.pmx --motion dances.7z --camera dances.7z " PICTURE " -o packed.png");
    assert_same_pictures("packed.png", "files.png");
    cli_expect(0, NULL,
               "shot both.zip --motion both.zip --camera dances.7z/Motions/CAMERA.vmd " PICTURE
               " -o packed.png");
    assert_same_pictures("packed.png", "files.png");
    cli_expect(0, NULL, "shot odori.pmx --motion folder --camera camera.vmd " PICTURE " -o packed.png");
    assert_same_pictures("packed.png", "files.png");
    cli_expect(3, "dance.vmd, motions/second.vmd",
               "shot odori.pmx --motion many.7z " PICTURE " -o packed.png");
}

static void the_largest_model_is_taken_and_others_are_named(void **state)
{
    packed_files p = {.count = 0};
    (void)state;
    cli_shell("head -c 100 odori.pmx >small.pmx");
    add(&p, "small.pmx", "a small one.pmx");
    add_figure(&p);
    write_archive(&p, MADE_ZIP, "two.zip");
    finish(&p);
    cli_result result = cli_run("dump two.zip --frames 0");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "two.zip: using 表/踊り子.pmx; it also contains a small one.pmx"));
    cli_finish(&result);
    cli_expect(3, "small one.pmx", "dump 'two.zip/a small one.pmx' --frames 0");
}

static void what_is_not_there_is_told_in_one_line(void **state)
{
    const made_file secret = {"a.pmx", "secret", 6};
    (void)state;
    mmd_bytes bytes = made_archive(MADE_ZIP, &secret, 1, "password");
    cli_write("secret.zip", bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    cli_shell(
        "head -c 3000 figure.zip >cut.zip && head -c 3000 figure.tar.xz >cut.tar.xz && cp figure.zip inner");
    packed_files p = {.count = 0};
    add(&p, "inner", "figure.zip");
    write_archive(&p, MADE_ZIP, "nested.zip");
    finish(&p);
    cli_expect(3, "secret.zip/a.pmx: the archive is encrypted", "shot secret.zip -o a.png");
    cli_expect(3, "encrypted", "dump secret.zip/a.pmx --frames 0");
    cli_expect(3, "cut.zip: ", "info cut.zip");
    cli_expect(3, "cut.tar.xz: ", "shot cut.tar.xz -o a.png");
    cli_expect(3, "it contains no model", "shot dance.7z --stage dance.7z -o a.png");
    cli_expect(3, "it contains no model", "shot nested.zip -o a.png");
    cli_expect(3, "nested.zip/figure.zip/a.pmx: ", "shot nested.zip/figure.zip/a.pmx -o a.png");
    cli_expect(3, "the archive figure.zip has no such file", "shot figure.zip/none.pmx -o a.png");
    cli_expect(3, "none.zip/a.pmx: ", "shot none.zip/a.pmx -o a.png");
}

/* A single sound is used without being named; of several, one must be named. */
static void sounds_are_taken_out_of_archives(void **state)
{
    packed_files p = {.count = 0};
    (void)state;
    cli_write("one.wav",
              "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\x8\0\0\0"
              "\0\0\1\0\2\0\3\0",
              52);
    cli_write_text("text.wav", "no sound");
    add(&p, "one.wav", "in/one.wav");
    write_archive(&p, MADE_ZIP, "sound.zip");
    add(&p, "text.wav", "in/text.wav");
    write_archive(&p, MADE_7Z, "sounds.7z");
    finish(&p);
    cli_result r = cli_run("dump figure.zip --frames 0 --audio sound.zip -o a.json");
    assert_int_equal(r.code, 0);
    cli_finish(&r);
    r = cli_run("dump figure.zip --frames 0 --audio sounds.7z/in/one.wav -o a.json");
    assert_int_equal(r.code, 0);
    cli_finish(&r);
    cli_expect(3, "it contains 2 of them", "dump figure.zip --frames 0 --audio sounds.7z -o a.json");
    cli_expect(3, "not a supported sound", "dump figure.zip --frames 0 --audio sounds.7z/in/text.wav -o a.json");
    cli_expect(3, "it contains no sound", "dump figure.zip --frames 0 --audio figure.zip -o a.json");
}

static void info_lists_what_is_in_an_archive(void **state)
{
    (void)state;
    json_t *root = cli_json("info windows.zip figure.7z/表/踊り子.pmx --json");
    json_t *files = json_object_get(root, "files"), *zip = json_array_get(files, 0);
    json_t *contents = json_object_get(zip, "contents"), *first = json_array_get(contents, 0);
    assert_string_equal(json_string_value(json_object_get(zip, "kind")), "archive");
    assert_int_equal(json_array_size(contents), 1 + FIGURE_TEXTURES);
    assert_non_null(strstr(json_string_value(json_object_get(first, "name")), "表/"));
    assert_true(json_integer_value(json_object_get(first, "size")) > 0);
    assert_string_equal(json_string_value(json_object_get(json_array_get(files, 1), "kind")), "PMX");
    json_decref(root);
    cli_expect(0, "folder", "info folder");
}

static void pictures_name_archives_and_are_drawn_again_from_them(void **state)
{
    (void)state;
    cli_expect(0, NULL, "shot windows.zip --motion dance.7z " PICTURE " -o known.png");
    cli_expect(0, "equal", "check known.png");
    mmd_bytes png = cli_read("known.png");
    static const char path[] = "\"windows.zip/表/踊り子.pmx\"";
    bool names = false;
    for (size_t i = 0; i + sizeof path <= png.size && !names; i++)
        names = memcmp(png.data + i, path, sizeof path - 1) == 0;
    assert_true(names);
    mmd_bytes_finish(&png);
    cli_shell("rm -rf moved && mkdir moved && mv windows.zip moved");
    cli_expect(0, "equal", "check known.png --folder moved");
    cli_shell("mv moved/windows.zip .");
}

static void suites_draw_what_is_in_archives(void **state)
{
    (void)state;
    cli_write_text("suite.json",
                   "{\"baselines\":\"base\",\"defaults\":{\"size\":[160,120],\"frames\":[0,30]},"
                   "\"scenes\":[{\"name\":\"dance\",\"model\":\"windows.zip\",\"motion\":\"dances.7z\","
                   "\"camera\":\"dances.7z\"}]}");
    cli_expect(0, "accepted", "check suite.json --accept");
    cli_expect(0, "passed", "check suite.json");
    cli_expect(0, NULL, "shot odori.pmx --motion odori.vmd --camera camera.vmd " PICTURE " -o files.png");
    cli_shell("cp base/*/dance/30.png baseline.png");
    assert_same_pictures("baseline.png", "files.png");
    cli_expect(0, "equal", "check baseline.png");
}

static void models_in_archives_are_converted(void **state)
{
    (void)state;
    cli_expect(0, NULL, "convert odori.pmx files.glb");
    cli_expect(0, NULL, "convert figure.7z packed.glb");
    mmd_bytes files = cli_read("files.glb"), packed = cli_read("packed.glb");
    assert_int_equal(files.size, packed.size);
    mmd_bytes_finish(&files);
    mmd_bytes_finish(&packed);
}

/* Files that a project in an archive refers to are found in the archive by the ends of their paths. */
static void projects_in_archives_find_their_files(void **state)
{
    const mmd_project_accessory_key key = {.visibility = 1, .parent = {-1, 0}, .scale = 1};
    mmd_project *project = mmd_project_create();
    packed_files p = {.count = 0};
    mmd_buffer pmm = {0};
    (void)state;
    assert_non_null(project);
    assert_int_equal(mmd_project_add_accessory(project, "fan", "D:\\mmd\\props\\FAN.X", &key, 1, NULL),
                     MMD_OK);
    assert_int_equal(mmd_pmm_write(project, &pmm, NULL), MMD_OK);
    mmd_project_destroy(project);
    cli_write("fan.pmm", pmm.data, pmm.size);
    mmd_buffer_finish(&pmm);
    cli_write_text("fan.x", "xof 0303txt 0032\nMesh {\n 3;\n 0;0;0;, 1;0;0;, 0;1;0;;\n 1;\n 3;0,1,2;;\n}\n");
    add(&p, "fan.pmm", "表/projects/fan.pmm");
    add(&p, "fan.x", "表/props/fan.x");
    write_windows_zip(&p, "project.zip");
    finish(&p);
    cli_expect(0, NULL, "shot fan.pmm " PICTURE " -o files.png");
    cli_shell("mv fan.x gone.x");
    cli_result alone = cli_run("shot fan.pmm " PICTURE " -o alone.png");
    assert_non_null(strstr(alone.err, "FAN.X"));
    cli_finish(&alone);
    cli_result packed = cli_run("shot project.zip/表/projects/fan.pmm " PICTURE " -o packed.png");
    assert_string_equal(packed.err, "");
    assert_int_equal(packed.code, 0);
    cli_finish(&packed);
    assert_same_pictures("packed.png", "files.png");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_from_archives_are_those_from_files),
        cmocka_unit_test(motions_are_taken_by_what_they_move),
        cmocka_unit_test(the_largest_model_is_taken_and_others_are_named),
        cmocka_unit_test(what_is_not_there_is_told_in_one_line),
        cmocka_unit_test(sounds_are_taken_out_of_archives),
        cmocka_unit_test(info_lists_what_is_in_an_archive),
        cmocka_unit_test(pictures_name_archives_and_are_drawn_again_from_them),
        cmocka_unit_test(suites_draw_what_is_in_archives),
        cmocka_unit_test(models_in_archives_are_converted),
        cmocka_unit_test(projects_in_archives_find_their_files),
    };
    return cmocka_run_group_tests(tests, make_archives, NULL);
}
