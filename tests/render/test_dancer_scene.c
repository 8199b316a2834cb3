/*
 * The bundled dancer as the program draws her, compared with reference images under tests/golden: self shadow
 * in both modes, ground shadow, a fan in her hand, beside another model, and without perspective. Her files
 * are those that the build generated in dancer/ beside the program. The program itself draws them, as it does
 * for users. ODORI_ACCEPT=1 writes the reference images anew; look at them before committing.
 */
#include "cli.h"

#include "golden.h"

enum { WIDTH = 360, HEIGHT = 480 };

typedef struct dancer_scene {
    const char *name; /* name of the image */
    double frame;
    const char *arguments; /* arguments of shot besides the dancer, her dance and the size */
    const char *commands;
} dancer_scene;

static const dancer_scene shadow_modes[] = {
    {"dancer-shadow-mode-1", 300.0, "--motion mode1.vmd --self-shadow on --physics off",
     "camera.set -27 0.4 13 0 -0.1 0.4 0 30\n"},
    {"dancer-shadow-mode-2", 300.0, "--motion mode2.vmd --self-shadow on --physics off",
     "camera.set -27 0.4 13 0 -0.1 0.4 0 30\n"},
};

static const dancer_scene ground_shadow = {"dancer-ground-shadow", 660.0,
                                           "--ground-shadow on --grid on --physics off",
                                           "camera.set -50 -1.5 9.6 0 -0.3 -0.35 0 30\n"};

static const dancer_scene fan_in_hand = {"dancer-fan", 660.0, "fan.vac --self-shadow on --physics off",
                                         "camera.set -26 0.3 17 0 -0.05 0.15 0 30\n"};

static const dancer_scene two_models = {
    "dancer-and-figure", 1200.0, "odori.pmx --self-shadow on --ground-shadow on --physics off",
    "model.select 1\nmodel.place 7 0 3 0 -20 0 0.8\ncamera.set -50 3 10.2 0 -0.15 0.2 0 30\n"};

static const dancer_scene orthographic = {
    "dancer-orthographic", 540.0, "--self-shadow on --ground-shadow on --physics off",
    "camera.set -27 -2.9 8.7 0 -0.5 -0.5 0 30\ncamera.perspective off\n"};

/* A frame early enough that rounding differences have not grown visible: three seconds with hair and skirt in
 * motion. */
static const dancer_scene swinging = {"dancer-swinging", 90.0, "--self-shadow on --ground-shadow on",
                                      "camera.set -40 0.5 10 0 -0.1 -0.3 0 30\n"};

static void put_text(const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    ASSERT_OK(mmd_file_write(path, text, strlen(text), error));
}

/* Writes self shadow of this mode with a distance of 7,000 MMD units. */
static void put_shadow_mode(const char *name, uint8_t mode)
{
    char path[1024];
    mmd_buffer vmd = {0};
    mmd_self_shadow_key key = {.value = {mode, 0.01f}};
    mmd_motion motion = {.self_shadow_keys = &key, .self_shadow_key_count = 1};
    snprintf(path, sizeof path, "%s/%s", cli_folder(), name);
    ASSERT_OK(mmd_vmd_write(&motion, &vmd, error));
    ASSERT_OK(mmd_file_write(path, vmd.data, vmd.size, error));
    mmd_buffer_finish(&vmd);
}

/* --- A folding fan --- */

enum { PLEATS = 16, BANDS = 3, FACES = 2 * PLEATS * BANDS };

/* Radii of ribs, paper and rim from the pivot, in tenths of a unit (.x files are ten times larger). */
static const double fan_radius[BANDS + 1] = {0.015, 0.11, 0.235, 0.26};
static const char *const fan_colors[BANDS] = {"0.25;0.09;0.05", "0.97;0.88;0.70", "0.85;0.12;0.10"};
static const char *const fan_ambient[BANDS] = {"0.11;0.04;0.02", "0.44;0.40;0.32", "0.38;0.05;0.05"};

/* Writes a corner of a pleat. The fan spans 132 degrees about the pivot, and pleats alternate up and down. */
static void fan_corner(FILE *file, int band, double pleat, const char *end)
{
    double angle = 1.152 * (2.0 * pleat / PLEATS - 1.0), radius = fan_radius[band];
    double up = (int)(pleat + 0.5) % 2 ? 0.06 : -0.06;
    fprintf(file, "%.5f;%.5f;%.5f;%s\n", radius * sin(angle), radius * cos(angle), up * radius, end);
}

/* Writes both faces of a quad, since accessories show only one side. Ribs have a third of a pleat's width. */
static void fan_quad(FILE *file, int band, int pleat, bool back, bool last)
{
    double width = band == 0 ? 0.35 : 1.0;
    for (int i = 0; i < 4; i++) {
        int corner = back ? 3 - i : i;
        bool outer = corner == 1 || corner == 2;
        fan_corner(file, band + outer, pleat + (corner >= 2 ? width : 0.0), last && i == 3 ? ";" : ",");
    }
}

static void fan_materials(FILE *file)
{
    fprintf(file, "MeshMaterialList {\n%d;\n%d;\n", BANDS, FACES);
    for (int i = 0; i < FACES; i++)
        fprintf(file, "%d%s\n", i / (2 * PLEATS), i + 1 < FACES ? "," : ";;");
    for (int band = 0; band < BANDS; band++)
        fprintf(file, "Material {\n%s;1.0;;\n5.0;\n0.1;0.1;0.1;;\n%s;;\n}\n", fan_colors[band],
                fan_ambient[band]);
    fprintf(file, "}\n");
}

static void put_fan(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/fan.x", cli_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "xof 0303txt 0032\nMesh {\n%d;\n", 4 * FACES);
    for (int i = 0; i < FACES; i++)
        fan_quad(file, i / (2 * PLEATS), i / 2 % PLEATS, i % 2, i + 1 == FACES);
    fprintf(file, "%d;\n", FACES);
    for (int i = 0; i < FACES; i++)
        fprintf(file, "4;%d,%d,%d,%d;%s\n", 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3,
                i + 1 < FACES ? "," : ";");
    fan_materials(file);
    fprintf(file, "}\n");
    assert_int_equal(fclose(file), 0);
    /* The bone is 右ダミー in CP932. */
    put_text("fan.vac", "fan\r\nfan.x\r\n1\r\n0,0,0\r\n0,0,75\r\n\x89\x45\x83\x5f\x83\x7e\x81\x5b\r\n");
}

/* --- Images --- */

static void check(const golden *kept, const dancer_scene *scene)
{
    put_text("commands.txt", scene->commands);
    cli_expect(0, NULL,
               "shot ../dancer/dancer.pmx %s --motion ../dancer/dance.vmd --frame %g --size %dx%d --msaa 4 "
               "--exec commands.txt -o picture.png",
               scene->arguments, scene->frame, WIDTH, HEIGHT);
    mmd_image image = cli_picture("picture.png");
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    /* The last bits of the generator's vertices depend on the compiler. */
    golden_compare(kept, scene->name, &image, 8);
    mmd_image_finish(&image);
}

/* Skips the test if there are no reference images or no dancer. */
static const golden *need_pictures(void)
{
    static golden kept;
    mmd_gpu *gpu;
    cli_need_dancer();
    ASSERT_OK(mmd_gpu_create_headless(NULL, &gpu, error));
    bool known = golden_start(&kept, gpu);
    mmd_gpu_destroy(gpu);
    if (!known || !golden_has_samples(&kept))
        skip();
    return &kept;
}

static void she_shadows_herself_in_both_modes_as_she_did(void **state)
{
    (void)state;
    const golden *kept = need_pictures();
    put_shadow_mode("mode1.vmd", 1);
    put_shadow_mode("mode2.vmd", 2);
    check(kept, &shadow_modes[0]);
    check(kept, &shadow_modes[1]);
}

static void her_shadow_lies_on_the_ground_as_it_did(void **state)
{
    (void)state;
    check(need_pictures(), &ground_shadow);
}

static void she_holds_a_fan_as_she_did(void **state)
{
    (void)state;
    const golden *kept = need_pictures();
    put_fan();
    check(kept, &fan_in_hand);
}

static void she_dances_beside_the_figure_as_she_did(void **state)
{
    (void)state;
    check(need_pictures(), &two_models);
}

static void she_looks_without_perspective_as_she_did(void **state)
{
    (void)state;
    check(need_pictures(), &orthographic);
}

static void her_hair_and_skirt_swing_as_they_did(void **state)
{
    (void)state;
    check(need_pictures(), &swinging);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(she_shadows_herself_in_both_modes_as_she_did),
        cmocka_unit_test(her_shadow_lies_on_the_ground_as_it_did),
        cmocka_unit_test(she_holds_a_fan_as_she_did),
        cmocka_unit_test(she_dances_beside_the_figure_as_she_did),
        cmocka_unit_test(she_looks_without_perspective_as_she_did),
        cmocka_unit_test(her_hair_and_skirt_swing_as_they_did),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
