/*
 * Files of strangers take memory in proportion: textures to --texture-memory, however large their pictures
 * are, and data: URIs to their length. Pictures depend on the limit and on nothing else. Peaks of memory are
 * those of the kernel (getrusage); what the driver and the program take anyway is measured with small files.
 */
#define _GNU_SOURCE /* wait4, memmem */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "mmd/cursor.h"

enum { QUADS = 8, BIG = 4096 };

/* MiB that a run may take more than one with small textures. */
enum { ROOM = 128 };

/* Writes a model (.x) of squares side by side, each with a texture of its own. */
static void write_model(const char *name, const char *texture)
{
    mmd_buffer x = {0};
    mmd_write_format(&x, "xof 0302txt 0032\nMesh {\n%d;\n", 4 * QUADS);
    for (int i = 0; i < 4 * QUADS; i++)
        mmd_write_format(&x, "%f;%f;0.0;%s\n", i / 4 * 0.3 - 1.2 + (i % 4 == 1 || i % 4 == 2) * 0.2,
                         0.8 + i % 4 / 2 * 0.3, i + 1 < 4 * QUADS ? "," : ";"); /* a tenth of MMD's units */
    mmd_write_format(&x, "%d;\n", QUADS);
    for (int i = 0; i < QUADS; i++)
        mmd_write_format(&x, "4;%d,%d,%d,%d;%s\n", 4 * i + 3, 4 * i + 2, 4 * i + 1, 4 * i,
                         i + 1 < QUADS ? "," : ";");
    mmd_write_format(&x, "MeshMaterialList {\n%d;%d;\n", QUADS, QUADS);
    for (int i = 0; i < QUADS; i++)
        mmd_write_format(&x, "%d%s", i, i + 1 < QUADS ? "," : ";\n");
    for (int i = 0; i < QUADS; i++)
        mmd_write_format(
            &x,
            "Material { 1.0;1.0;1.0;1.0;; 5.0; 0.0;0.0;0.0;; 1.0;1.0;1.0;; TextureFilename { \"%s%d.png\"; } "
            "}\n",
            texture, i);
    mmd_write_format(&x, "}\nMeshTextureCoords {\n%d;\n", 4 * QUADS);
    for (int i = 0; i < 4 * QUADS; i++) /* an eighth of the texture, so that its size can be seen */
        mmd_write_format(&x, "%s;%s;%s\n", i % 4 == 1 || i % 4 == 2 ? "0.125" : "0.0",
                         i % 4 / 2 ? "0.125" : "0.0", i + 1 < 4 * QUADS ? "," : ";");
    mmd_write_format(&x, "}\n}\n");
    cli_write(name, x.data, x.size);
    mmd_buffer_finish(&x);
}

/* Writes a PNG of a size. noise: pixels differ, otherwise they have one colour. */
static void write_png(const char *name, uint32_t side, uint32_t color, bool noise)
{
    mmd_image image;
    mmd_buffer png = {0};
    uint64_t seed = color;
    const mmd_png_options options = {0};
    assert_int_equal(mmd_image_init(&image, side, side, NULL), MMD_OK);
    for (size_t i = 0; i < (size_t)side * side; i++) {
        uint32_t value = noise ? (uint32_t)test_random(&seed) : color;
        const uint8_t pixel[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), 255};
        memcpy(image.pixels + 4 * i, pixel, 4);
    }
    assert_int_equal(mmd_png_write(&image, &options, &png, NULL), MMD_OK);
    cli_write(name, png.data, png.size);
    mmd_buffer_finish(&png);
    mmd_image_finish(&image);
}

/* Writes a BMP of 512 x 512 pixels, which take 1 MiB. */
static void write_bmp(const char *name, uint64_t seed)
{
    mmd_buffer bmp = {0};
    mmd_write_bytes(&bmp, "BM\0\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0\0\2\0\0\0\2\0\0\1\0\30\0", 30);
    for (size_t i = bmp.size; i < 54 + 512 * 512 * 3; i++)
        mmd_write_u8(&bmp, (uint8_t)(i < 54 ? 0 : test_random(&seed)));
    cli_write(name, bmp.data, bmp.size);
    mmd_buffer_finish(&bmp);
}

/* Writes what begins like an interlaced PNG of 16384 x 16384 pixels of 64 bits, which would cost 4 GiB. */
static void write_bomb(const char *name, uint8_t number)
{
    static const uint8_t head[] = "\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\100\0\0\0\100\0\20\6";
    mmd_buffer png = {0};
    mmd_write_bytes(&png, head, sizeof head - 1);
    while (png.size < 600000)
        mmd_write_u8(&png, png.size == 28 ? 1 : png.size < 33 ? 0 : number);
    cli_write(name, png.data, png.size);
    mmd_buffer_finish(&png);
}

static int make_files(void **state)
{
    int failed = cli_setup(state);
    for (uint32_t i = 0; !failed && i < QUADS; i++) {
        char name[32];
        uint32_t color = 0x204060 + i * 0x1A0B15;
        snprintf(name, sizeof name, "big%u.png", i);
        if (i == 0) /* all have its pixels, because compressing takes long */
            write_png(name, BIG, color, false);
        snprintf(name, sizeof name, "small%u.png", i);
        write_png(name, 16, color, false);
        snprintf(name, sizeof name, "noise%u.png", i);
        write_png(name, 256, i, true);
        snprintf(name, sizeof name, "bmp%u.png", i);
        write_bmp(name, i);
        snprintf(name, sizeof name, "bomb%u.png", i);
        write_bomb(name, i);
    }
    if (!failed) {
        cli_shell(
            "for i in 1 2 3 4 5 6 7; do cp big0.png big$i.png; printf $i >>big$i.png; done; for i in 0 1 2 "
            "3 4 5 6 7; do cp big0.png same$i.png; done");
        write_model("same.x", "same");
        write_model("bomb.x", "bomb");
        write_model("big.x", "big");
        write_model("small.x", "small");
        write_model("noise.x", "noise");
        write_model("bmp.x", "bmp");
    }
    return failed;
}

/* Runs the program. Returns its peak of memory in MiB, and in told what it wrote to stderr. */
static long peak_of(const char *arguments, char *told, size_t size)
{
    char line[2048];
    int status = 0;
    struct rusage usage;
    snprintf(line, sizeof line, "cd '%s' && unset DISPLAY WAYLAND_DISPLAY && exec '%s/odori' %s 2>told.txt",
             cli_folder(), ODORI_BINARY, arguments);
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    mmd_bytes text = cli_read("told.txt");
    snprintf(told, size, "%.*s", (int)text.size, (const char *)text.data);
    mmd_bytes_finish(&text);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("odori %s: status %d: %s", arguments, status, told);
    return usage.ru_maxrss / 1024;
}

/* The textures take 683 MiB with their levels; a fourth of it as files are decoded. */
static void memory_follows_the_limit(void **state)
{
    (void)state;
    char told[2048];
    long none = peak_of("shot small.x --size 64x64 -o small.png", told, sizeof told);
    assert_string_equal(told, "");
    long limited = peak_of("shot big.x --size 64x64 --texture-memory 64 -o limited.png", told, sizeof told);
    assert_non_null(
        strstr(told, "more than --texture-memory 64: 8 of them are drawn smaller, with sides of up to 1024 "
                     "pixels"));
    assert_null(strchr(strchr(told, '\n') + 1, '\n')); /* one warning */
    if (limited > none + ROOM)
        fail_msg("%ld MiB, %ld MiB without textures", limited, none);
    long all = peak_of("shot big.x --size 64x64 -o all.png", told, sizeof told);
    assert_string_equal(told, "");
    assert_true(all > none + 600); /* otherwise this test measures nothing */
    assert_true(cli_same_pictures("limited.png", "all.png"));
}

/* Eight copies take the memory of one, and look like eight pictures. */
static void equal_pictures_take_memory_once(void **state)
{
    (void)state;
    char told[2048];
    peak_of("shot same.x --size 64x64 --texture-memory 256 -o same.png", told, sizeof told);
    assert_string_equal(told, "");
    peak_of("shot big.x --size 64x64 --texture-memory 128 -o differ.png", told, sizeof told);
    assert_non_null(strstr(told, "8 of them are drawn smaller"));
    peak_of("shot same.x --size 64x64 --texture-memory 64 -o same.png", told, sizeof told);
    assert_non_null(strstr(told, "1 of them is drawn smaller"));
    assert_true(cli_same_pictures("same.png", "differ.png")); /* each has one colour */
}

/* Pictures that would cost 32 GiB to decode are not opened, by nobody. Six of them may be, but are damaged.
 */
static void pictures_that_take_too_long_are_not_opened(void **state)
{
    (void)state;
    char told[8192];
    peak_of("shot bomb.x --size 64x64 -o bomb.png", told, sizeof told);
    for (int i = 0; i < QUADS; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "texture bomb%d.png: not decoded, because all pictures together",
                 i);
        assert_non_null(strstr(told, expected));
    }
    assert_non_null(strstr(told, "some are not decoded"));
    char *scene = cli_picture_scene("bomb.png");
    assert_non_null(strstr(scene, "\"texture_memory\":\"1024\""));
    free(scene);
    peak_of("info bomb.x >info.txt", told, sizeof told);
    cli_shell("grep -q 'too large to decode *8$' info.txt && ! grep -q 'not pictures *[1-9]' info.txt");
    peak_of("shot bomb.x --size 64x64 --texture-memory 1536 -o bomb.png", told, sizeof told);
    assert_null(strstr(told, "not decoded"));
    assert_non_null(strstr(told, "texture bomb7.png: the picture is damaged"));
    cli_shell("cp bomb.x few.x && sed -i 's/bomb[67]/small0/' few.x");
    peak_of("info few.x >info.txt", told, sizeof told);
    cli_shell("grep -q 'not pictures *6$' info.txt && ! grep -q 'too large to decode *[1-9]' info.txt");
}

static void pictures_do_not_depend_on_threads(void **state)
{
    (void)state;
    char told[2048];
    peak_of("shot noise.x --size 200x100 --texture-memory 1 --threads 1 -o one.png", told, sizeof told);
    peak_of("shot noise.x --size 200x100 --texture-memory 1 --threads 4 -o four.png", told, sizeof told);
    assert_true(cli_same_files("one.png", "four.png"));
    peak_of("shot noise.x --size 200x100 -o large.png", told, sizeof told);
    assert_false(cli_same_pictures("one.png", "large.png"));
}

/* A picture tells its limit, so that it is drawn again with the same one. An ordinary picture tells none. */
static void pictures_are_restored_with_their_limit(void **state)
{
    (void)state;
    char told[2048];
    peak_of("shot noise.x --size 200x100 --texture-memory 1 -o one.png", told, sizeof told);
    peak_of("shot noise.x --size 200x100 -o large.png", told, sizeof told);
    char *one = cli_picture_scene("one.png"), *large = cli_picture_scene("large.png");
    assert_non_null(strstr(one, "\"texture_memory\":\"1\""));
    assert_null(strstr(large, "texture_memory"));
    free(one);
    free(large);
    /* Nobody gave a limit, but the default one has an effect. A model that is loaded twice counts twice. */
    peak_of("shot big.x big.x --size 64x64 -o two.png", told, sizeof told);
    assert_non_null(strstr(told, "more than --texture-memory 1024: 16 of them are drawn smaller"));
    char *two = cli_picture_scene("two.png");
    assert_non_null(strstr(two, "\"texture_memory\":\"1024\""));
    free(two);
    cli_expect(0, NULL, "check one.png -o again.png");
    assert_true(cli_same_pictures("one.png", "again.png"));
    /* The default limit leaves out a picture, a BMP of 16384 x 16384 pixels, but makes none smaller. */
    mmd_buffer bmp = {0};
    mmd_write_bytes(&bmp, "BM\0\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0\0\100\0\0\0\100\0\0\1\0\1\0", 30);
    mmd_buffer_reserve(&bmp, 34 << 20);
    memset(bmp.data + bmp.size, 0, (34 << 20) - bmp.size);
    cli_write("small0.png", bmp.data, 34 << 20);
    mmd_buffer_finish(&bmp);
    peak_of("shot small.x --size 64x64 -o refused.png", told, sizeof told);
    assert_non_null(strstr(told, "16384 x 16384 pixels in a format that is decoded as a whole"));
    char *refused = cli_picture_scene("refused.png");
    assert_non_null(strstr(refused, "\"texture_memory\":\"1024\""));
    free(refused);
    write_png("small0.png", 16, 0x204060, false);
}

/* Scenes of a suite share their models, whose textures are loaded again where a scene has another limit. */
static void suites_have_limits(void **state)
{
    (void)state;
    static const char suite[] =
        "{\"baselines\":\"base\",\"defaults\":{\"size\":[200,100],\"frames\":0},\"scenes\":["
        "{\"name\":\"all\",\"models\":[\"noise.x\"]},"
        "{\"name\":\"small\",\"models\":[\"noise.x\"],\"view\":{\"texture_memory\":1}},"
        "{\"name\":\"other\",\"models\":[\"noise.x\"]},"
        "{\"name\":\"refused\",\"models\":[\"bmp.x\"],\"view\":{\"texture_memory\":1}},"
        "{\"name\":\"drawn\",\"models\":[\"bmp.x\"]},"
        "{\"name\":\"both\",\"model\":[\"noise.x\",\"bmp.x\",\"bmp.x\",\"bmp.x\",\"bmp.x\",\"bmp.x\",\"bmp."
        "x\"],\"view\":{\"texture_memory\":4}},"
        "{\"name\":\"again\",\"models\":[\"noise.x\"],\"view\":{\"texture_memory\":4}}]}";
    cli_write_text("suite.json", suite);
    cli_expect(0, NULL, "check suite.json --accept --jobs 1 --report report");
    cli_expect(0, NULL, "check suite.json --jobs 1 --report report");
    cli_shell("cp base/*/small-noise/0.png b-small.png && cp base/*/other-noise/0.png b-other.png && "
              "cp base/*/refused-bmp/0.png b-refused.png && cp base/*/drawn-bmp/0.png b-drawn.png && cp "
              "base/*/again-noise/0.png b-again.png");
    peak_of("shot noise.x --size 200x100 --texture-memory 1 -o one.png", (char[2048]){0}, 2048);
    peak_of("shot noise.x --size 200x100 -o large.png", (char[2048]){0}, 2048);
    assert_true(cli_same_pictures("b-small.png", "one.png"));
    assert_true(cli_same_pictures("b-other.png", "large.png"));
    assert_true(cli_same_pictures("b-again.png", "large.png")); /* alone it is within its limit again */
    peak_of("shot bmp.x --size 200x100 --texture-memory 1 -o refused.png", (char[8192]){0}, 8192);
    peak_of("shot bmp.x --size 200x100 -o drawn.png", (char[2048]){0}, 2048);
    assert_true(cli_same_pictures("b-refused.png", "refused.png"));
    assert_true(cli_same_pictures("b-drawn.png", "drawn.png"));
    assert_false(cli_same_pictures("b-drawn.png", "b-refused.png"));
}

static void bad_limits_are_refused(void **state)
{
    (void)state;
    static const char *const values[] = {"0", "-1", "1.5", "lots", "1048577"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        cli_expect(2, "a number of MiB from 1 to 1048576", "shot noise.x --texture-memory %s -o x.png",
                   values[i]);
}

/* A PNG of 256 MiB of pixels is copied into a glTF and back into a PMX; only its texels' alpha is looked at,
 * at a quarter of the size. */
static void conversions_copy_large_pictures(void **state)
{
    (void)state;
    char told[2048];
    mmd_image image;
    mmd_buffer png = {0};
    const mmd_png_options options = {.alpha = true, .level = MMD_PNG_FAST};
    assert_int_equal(mmd_image_init(&image, 2 * BIG, 2 * BIG, NULL), MMD_OK);
    assert_int_equal(mmd_png_write(&image, &options, &png, NULL), MMD_OK);
    mmd_image_finish(&image);
    cli_write("huge0.png", png.data, png.size);
    write_model("huge.x", "huge");
    cli_shell("mkdir -p gltf pmx");
    long none = peak_of("convert small.x gltf/small.glb", told, sizeof told);
    long glb = peak_of("convert huge.x gltf/huge.glb", told, sizeof told);
    long pmx = peak_of("convert gltf/huge.glb pmx/huge.pmx", told, sizeof told);
    if (glb > none + ROOM || pmx > none + ROOM)
        fail_msg("%ld and %ld MiB, %ld MiB with small pictures", glb, pmx, none);
    mmd_bytes file = cli_read("gltf/huge.glb");
    assert_non_null(memmem(file.data, file.size, png.data, png.size));
    mmd_bytes_finish(&file);
    mmd_buffer_finish(&png);
}

/* A progressive JPEG of 16384 x 16384 pixels takes 3.2 GiB while it is decoded. */
static void other_pictures_have_a_limit(void **state)
{
    (void)state;
    static const uint8_t start[] = {0xFF, 0xD8, 0xFF, 0xC2, 0, 17,   8, 64, 0,    64, 0,
                                    3,    1,    0x11, 0,    2, 0x11, 0, 3,  0x11, 0};
    uint8_t *jpeg = calloc(600000, 1);
    assert_non_null(jpeg);
    memcpy(jpeg, start, sizeof start);
    cli_write("claim.jpg", jpeg, 600000);
    free(jpeg);
    cli_expect(3, "claim.jpg: decoding 16384 x 16384 pixels in this format takes more than 1088 MiB",
               "diff claim.jpg small0.png");
    cli_expect(3, "more than 1088 MiB", "diff small0.png small0.png --mask claim.jpg");
}

/* The file, one copy of the string, and its bytes (three quarters): 2.75 times the URI. */
static void data_uris_take_memory_in_proportion(void **state)
{
    (void)state;
    static const char before[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{"
        "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{"
        "\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,";
    static const size_t lengths[] = {48, 64 << 20};
    long peaks[2];
    for (int i = 0; i < 2; i++) {
        char told[2048];
        mmd_buffer text = {0};
        mmd_write_bytes(&text, before, strlen(before));
        mmd_buffer_reserve(&text, lengths[i] + 8);
        memset(text.data + text.size, 'A', lengths[i]);
        text.size += lengths[i];
        mmd_write_format(&text, "\"}]}");
        cli_write("uri.gltf", text.data, text.size);
        mmd_buffer_finish(&text);
        peaks[i] = peak_of("info uri.gltf >info.txt", told, sizeof told);
    }
    if (peaks[1] > peaks[0] + 64 * 3)
        fail_msg("%ld MiB, %ld MiB for a short URI", peaks[1], peaks[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_follows_the_limit),
        cmocka_unit_test(equal_pictures_take_memory_once),
        cmocka_unit_test(pictures_that_take_too_long_are_not_opened),
        cmocka_unit_test(pictures_do_not_depend_on_threads),
        cmocka_unit_test(pictures_are_restored_with_their_limit),
        cmocka_unit_test(suites_have_limits),
        cmocka_unit_test(bad_limits_are_refused),
        cmocka_unit_test(conversions_copy_large_pictures),
        cmocka_unit_test(other_pictures_have_a_limit),
        cmocka_unit_test(data_uris_take_memory_in_proportion),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
