/* Tests that what a stranger's model names is neither shown, hashed, embedded nor copied unless it lies with
 * the model: models, glTF, accessories and archives, with every subcommand that opens textures. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "cli.h"

#include <ftw.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "made_archive.h"
#include "made_gltf.h"
#include "mmd/cursor.h"
#include "stranger.h"

#define MIKU "home/Downloads/miku/"

/* Names of a model in MIKU. All but the first lead to private files, or to files that are no pictures. */
static const char *const names[] = {"tex/ok.png",
                                    "../../.ssh/id_rsa",
                                    "../../Pictures/private.png",
                                    "..\\..\\Pictures\\private.png",
                                    "../other/o.png",
                                    ".hid/a.png",
                                    "../../.ssh/key.png",
                                    "link.png",
                                    "linkdir/private.png",
                                    "hidden.png",
                                    "text.png",
                                    "/etc/hostname",
                                    "C:\\private.png"};
enum { NAMES = sizeof names / sizeof *names };

static void write_model(const char *name, const char *const *textures, uint32_t count)
{
    mmd_buffer file = {0};
    stranger_model(textures, count, &file);
    stranger_write(cli_folder(), name, file.data, file.size);
    mmd_buffer_finish(&file);
}

static int setup(void **state)
{
    char home[1024];
    if (cli_setup(state) != 0)
        return -1;
    snprintf(home, sizeof home, "%s/home", cli_folder());
    setenv("HOME", home, 1);
    stranger_home(cli_folder());
    write_model(MIKU "m.pmx", names, NAMES);
    return 0;
}

/* Runs the program and requires success. Returns what it told. */
static cli_result run(const char *arguments)
{
    cli_result result = cli_run("%s", arguments);
    if (result.code != 0)
        fail_msg("odori %s: %d %s", arguments, result.code, result.err);
    return result;
}

/* Returns in how many lines a text occurs together with another. */
static int count_lines(const char *text, const char *a, const char *b)
{
    int count = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        char copy[4096];
        snprintf(copy, sizeof copy, "%.*s", (int)length, line);
        count += strstr(copy, a) && strstr(copy, b);
        line += length + (line[length] != '\0');
    }
    return count;
}

/* Checks that each refused or unreadable name is told once, with the reason. */
static void assert_told(const char *err)
{
    char name[256];
    for (size_t i = 1; i < NAMES; i++) {
        snprintf(name, sizeof name, "texture %s: ", names[i]);
        const char *why = strcmp(names[i], "text.png") == 0 ? "not a picture" : "not opened, because";
        if (count_lines(err, name, why) != 1)
            fail_msg("%s is told %d times: %s", names[i], count_lines(err, name, why), err);
    }
}

/* Requires that the picture's scene has hashes only for these textures: the first `good` of each model. */
static void assert_hashes(const char *picture, size_t model, size_t good)
{
    char *text = cli_picture_scene(picture);
    json_t *scene = json_loads(text, 0, NULL), *texture;
    size_t i;
    json_t *textures = json_object_get(json_array_get(json_object_get(scene, "models"), model), "textures");
    assert_true(json_array_size(textures) > good);
    json_array_foreach(textures, i, texture)
    {
        const char *hash = json_string_value(json_object_get(texture, "hash"));
        if (!hash || (i < good) == (*hash == '\0'))
            fail_msg("%s: %s", json_string_value(json_object_get(texture, "name")), hash);
    }
    json_decref(scene);
    free(text);
}

/* --- Files below a folder --- */

static char told[4096]; /* paths of the files that were visited */
static size_t shown;    /* files with the plain picture */

static int visit(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    mmd_bytes bytes = {0};
    (void)about;
    if (kind != FTW_F)
        return 0;
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    if (stranger_leaks(bytes.data, bytes.size))
        fail_msg("%s has private data", path);
    shown += stranger_shows(bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    strncat(told, path + where->base, sizeof told - strlen(told) - 2);
    strcat(told, "\n");
    return 0;
}

/* Requires that no file of a folder, or this file, has anything private, and that so many have the plain
 * picture. */
static void assert_clean(const char *name, size_t wanted)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    told[0] = '\0';
    shown = 0;
    assert_int_equal(nftw(path, visit, 8, FTW_PHYS), 0);
    if (shown != wanted)
        fail_msg("%s: the picture is in %zu files, not %zu:\n%s", name, shown, wanted, told);
}

/* --- Models --- */

static void a_picture_has_no_hashes_of_private_files(void **state)
{
    (void)state;
    cli_result result = run("shot " MIKU "m.pmx --frame 0 --size 32x32 -o m.png");
    assert_told(result.err);
    cli_finish(&result);
    assert_hashes("m.png", 0, 1);
}

static void info_tells_which_names_are_refused(void **state)
{
    (void)state;
    json_t *root = cli_json("info --json " MIKU "m.pmx");
    json_t *textures = json_object_get(json_array_get(json_object_get(root, "files"), 0), "textures");
    assert_int_equal(json_integer_value(json_object_get(textures, "found")), 2);
    assert_int_equal(json_array_size(json_object_get(textures, "missing")), 0);
    assert_int_equal(json_array_size(json_object_get(textures, "refused")), NAMES - 2);
    assert_int_equal(json_array_size(json_object_get(textures, "unreadable")), 1);
    json_decref(root);
}

static void a_conversion_embeds_nothing_private(void **state)
{
    static const char *const outputs[] = {"out/m.glb", "out/m.gltf", "out/m.json"};
    char arguments[256];
    (void)state;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        cli_shell("rm -rf out; mkdir out");
        snprintf(arguments, sizeof arguments, "convert " MIKU "m.pmx %s", outputs[i]);
        cli_result result = run(arguments);
        cli_finish(&result);
        assert_clean("out", i < 2);
    }
}

static void a_kit_copies_nothing_private(void **state)
{
    (void)state;
    stranger_write_text(
        cli_folder(), MIKU "s.json",
        "{\"scenes\":[{\"name\":\"a\",\"model\":\"m.pmx\",\"frames\":[0],\"size\":[32,32]}]}");
    cli_result result = run("capture-kit " MIKU "s.json --copy -o kit");
    assert_non_null(strstr(result.err, "texture text.png is not copied"));
    cli_finish(&result);
    assert_clean("kit", 1);
    assert_null(strstr(told, "private"));
    assert_null(strstr(told, "id_rsa"));
    assert_null(strstr(told, "text.png"));
    assert_non_null(strstr(told, "ok.png"));
}

/* What lies beside the model's folder is copied if it may be used, and nothing of it else. */
static void folders_beside_are_used_outside_of_private_ones(void **state)
{
    static const char *const beside[] = {"../tex/a.png", "..\\TEX\\none.png"};
    mmd_buffer plain = {0};
    (void)state;
    stranger_picture(false, &plain);
    stranger_write(cli_folder(), "models/tex/a.png", plain.data, plain.size);
    stranger_write(cli_folder(), "home/Music/tex/a.png", plain.data, plain.size);
    mmd_buffer_finish(&plain);
    write_model("models/miku/m.pmx", beside, 2);
    write_model("home/Music/miku/m.pmx", beside, 2);
    cli_result result = run("shot models/miku/m.pmx --frame 0 --size 32x32 -o beside.png");
    assert_int_equal(count_lines(result.err, "texture ../tex/a.png", ""), 0);
    assert_int_equal(count_lines(result.err, "texture ..\\TEX\\none.png", "there is no such file"), 1);
    cli_finish(&result);
    assert_hashes("beside.png", 0, 1);
    result = run("shot home/Music/miku/m.pmx --frame 0 --size 32x32 -o music.png");
    assert_int_equal(count_lines(result.err, "texture ../tex/a.png", "not opened, because"), 1);
    cli_finish(&result);
    assert_hashes("music.png", 0, 0);
}

/* --- glTF --- */

/* Writes a glTF with two triangles and two pictures. The buffer is in a file of this URI. */
static void write_gltf(const char *name, const char *buffer, const char *picture)
{
    char text[4096];
    int length = snprintf(
        text, sizeof text,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0},"
        "{\"attributes\":{\"POSITION\":0},\"material\":1}]}],"
        "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}},"
        "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}}],"
        "\"textures\":[{\"source\":0},{\"source\":1}],"
        "\"images\":[{\"uri\":\"tex/ok.png\"},{\"uri\":\"%s\"}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}]}",
        picture, buffer);
    assert_true(length > 0 && (size_t)length < sizeof text);
    stranger_write_text(cli_folder(), name, text);
}

static void gltf_names_only_files_with_it(void **state)
{
    static const char *const pictures[] = {"../../Pictures/private.png",
                                           "%2E%2E/%2e%2e/Pictures/private.png",
                                           "..%5C../Pictures/private.png",
                                           "link.png",
                                           "linkdir/private.png",
                                           ".hid/a.png",
                                           "../other/o.png",
                                           "text.png"};
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    (void)state;
    stranger_write(cli_folder(), MIKU "mesh.bin", corners, sizeof corners);
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        write_gltf(MIKU "g.gltf", "mesh.bin", pictures[i]);
        cli_shell("rm -rf out; mkdir -p out/a out/b out/c");
        cli_result result = run("convert " MIKU "g.gltf out/a/g.glb");
        cli_finish(&result);
        result = run("convert " MIKU "g.gltf out/b/g.gltf");
        cli_finish(&result);
        result = run("convert " MIKU "g.gltf out/c/g.pmx");
        cli_finish(&result);
        assert_clean("out/a", 1);
        assert_clean("out/b", 1);
        assert_clean("out/c", 1);
    }
    write_gltf(MIKU "g.gltf", "mesh.bin", pictures[0]);
    cli_result result = run("shot " MIKU "g.gltf --frame 0 --size 32x32 -o g.png");
    assert_int_equal(count_lines(result.err, "Pictures/private.png: ", "not opened, because"), 1);
    cli_finish(&result);
    assert_hashes("g.png", 0, 1);
}

static void gltf_buffers_are_only_files_with_it(void **state)
{
    static const char *const buffers[][2] = {{"../../.ssh/id_rsa", "begins with a dot"},
                                             {"../../Pictures/private.png", "outside of the model's folder"},
                                             {"%2e%2e/other/o.bin", "outside of the model's folder"},
                                             {"far.bin", "a link leads out of the model's folder"},
                                             {"id_rsa", "does not end"},
                                             {"/etc/a.bin", "file not found"}};
    (void)state;
    stranger_write_text(cli_folder(), "home/Downloads/other/o.bin",
                        "0123456789012345678901234567890123456789");
    stranger_link(cli_folder(), MIKU "far.bin", "../other/o.bin");
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        write_gltf(MIKU "b.gltf", buffers[i][0], "tex/ok.png");
        cli_expect(3, buffers[i][1], "convert " MIKU "b.gltf out.glb");
    }
}

/* --- Accessories --- */

static const char accessory[] =
    "xof 0303txt 0032\n"
    "Mesh { 4; 0;0;0;, 1;0;0;, 1;1;0;, 0;1;0;; 2; 4;0,1,2,3;, 4;3,2,1,0;;\n"
    " MeshMaterialList { 2; 2; 0, 1;\n"
    "  Material { 1;1;1;1;; 5; 0;0;0;; 0;0;0;; TextureFilename { \"%stex\\\\ok.png\"; } }\n"
    "  Material { 1;1;1;1;; 5; 0;0;0;; 0;0;0;; TextureFilename { \"%s\"; } } } }\n";

static void an_accessory_names_only_files_with_it(void **state)
{
    static const char *const textures[] = {"..\\\\..\\\\Pictures\\\\private.png", "../../.ssh/id_rsa",
                                           "link.png", ".hid/a.png"};
    char text[1024];
    (void)state;
    for (size_t i = 0; i < sizeof textures / sizeof *textures; i++) {
        snprintf(text, sizeof text, accessory, "", textures[i]);
        stranger_write_text(cli_folder(), MIKU "a.x", text);
        cli_result result = run("shot " MIKU "a.x --frame 0 --size 32x32 -o a.png");
        assert_int_equal(count_lines(result.err, "texture ", "not opened, because"), 1);
        cli_finish(&result);
        assert_hashes("a.png", 0, 1);
    }
    /* So does one in the folder that a .vac names. */
    snprintf(text, sizeof text, accessory, "..\\\\", "../../../Pictures/private.png");
    stranger_write_text(cli_folder(), MIKU "in/a.x", text);
    stranger_write_text(cli_folder(), MIKU "b.vac", "b\r\nin\\a.x\r\n1\r\n0,0,0\r\n0,0,0\r\n\r\n");
    cli_result result = run("shot " MIKU "b.vac --frame 0 --size 32x32 -o a.png");
    assert_int_equal(count_lines(result.err, "texture ", "not opened, because"), 1);
    cli_finish(&result);
    assert_hashes("a.png", 0, 1);
}

static void a_vac_names_only_accessories_with_it(void **state)
{
    static const char *const files[][2] = {
        {"..\\..\\Pictures\\secret.x", "outside of the model's folder"},
        {"../../.ssh/a.x", "begins with a dot"},
        {"/etc/a.x", "an absolute path"},
        {"C:\\a.x", "an absolute path"},
        {"far.x", "a link leads out of the model's folder"},
    };
    char text[256];
    (void)state;
    stranger_link(cli_folder(), MIKU "far.x", "../../Pictures/secret.x");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(text, sizeof text, "v\r\n%s\r\n1\r\n0,0,0\r\n0,0,0\r\n\r\n", files[i][0]);
        stranger_write_text(cli_folder(), MIKU "v.vac", text);
        cli_expect(3, files[i][1], "dump " MIKU "v.vac --frames 0");
        cli_expect(0, files[i][1], "info " MIKU "v.vac");
        cli_expect(3, files[i][1], "shot odori.pmx " MIKU "v.vac --frame 0 --size 32x32 -o v.png");
    }
}

/* --- Archives --- */

static void an_archive_names_only_its_own_files(void **state)
{
    static const char *const inner[] = {"../tex/ok.png", "../../../../Pictures/private.png", "../../y.png",
                                        "../.h/y.png",   "../../../../.ssh/id_rsa",          "/y.png"};
    mmd_buffer plain = {0}, model = {0};
    (void)state;
    stranger_picture(false, &plain);
    stranger_model(inner, sizeof inner / sizeof *inner, &model);
    const made_file files[] = {{"model/m.pmx", model.data, model.size},
                               {"tex/ok.png", plain.data, plain.size},
                               {".h/y.png", plain.data, plain.size}};
    mmd_bytes zip = made_archive(MADE_ZIP, files, 3, NULL);
    stranger_write(cli_folder(), MIKU "m.zip", zip.data, zip.size);
    stranger_write(cli_folder(), MIKU "y.png", plain.data, plain.size);
    mmd_bytes_finish(&zip);
    mmd_buffer_finish(&plain);
    mmd_buffer_finish(&model);
    cli_result result = run("shot " MIKU "m.zip --frame 0 --size 32x32 -o z.png");
    assert_int_equal(count_lines(result.err, "texture ", "not opened, because"), 5);
    cli_finish(&result);
    assert_hashes("z.png", 0, 1);
    cli_shell("rm -rf out; mkdir out");
    result = run("convert " MIKU "m.zip out/z.glb");
    cli_finish(&result);
    assert_clean("out", 1);
}

/* --- Many names --- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A folder is listed once, not for each name: this took 34 seconds. */
static void many_missing_names_are_cheap(void **state)
{
    enum { MISSING = 30000, FILES = 2000 };
    static char texts[MISSING][16];
    static const char *missing[MISSING];
    char name[64];
    (void)state;
    for (int i = 0; i < MISSING; i++) {
        snprintf(texts[i], sizeof texts[i], "t%05d.png", i);
        missing[i] = texts[i];
    }
    write_model("many/m.pmx", missing, MISSING);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "many/f%d.png", i);
        stranger_write_text(cli_folder(), name, "");
    }
    double begun = now();
    cli_result result = run("info many/m.pmx");
    double took = now() - begun;
    assert_non_null(strstr(result.out, "t29999.png"));
    cli_finish(&result);
    if (took > 5)
        fail_msg("info took %g seconds", took);
    result = run("shot many/m.pmx --frame 0 --size 32x32 -o many.png");
    assert_int_equal(count_lines(result.err, "texture t", "there is no such file"), 20);
    assert_int_equal(count_lines(result.err, "29980 further textures", ""), 1);
    cli_finish(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_has_no_hashes_of_private_files),
        cmocka_unit_test(info_tells_which_names_are_refused),
        cmocka_unit_test(a_conversion_embeds_nothing_private),
        cmocka_unit_test(a_kit_copies_nothing_private),
        cmocka_unit_test(folders_beside_are_used_outside_of_private_ones),
        cmocka_unit_test(gltf_names_only_files_with_it),
        cmocka_unit_test(gltf_buffers_are_only_files_with_it),
        cmocka_unit_test(an_accessory_names_only_files_with_it),
        cmocka_unit_test(a_vac_names_only_accessories_with_it),
        cmocka_unit_test(an_archive_names_only_its_own_files),
        cmocka_unit_test(many_missing_names_are_cheap),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
