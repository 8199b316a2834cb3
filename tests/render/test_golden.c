/*
 * Pictures of the figure that tests use against those kept under tests/golden, in a
 * folder named after the GL driver that made them, which is what may
 * legitimately change them. ODORI_ACCEPT=1 writes them anew; look at them
 * before committing.
 */
#include "render_support.h"

#include <ctype.h>
#include <sys/stat.h>

#include "figure.h"

enum { WIDTH = 320, HEIGHT = 240 };

static const double frames[] = {0.0, 67.5, 150.0};

/* "llvmpipe-4-5-core-profile-mesa-22-3-6": the renderer's first word and the version, letters and digits
 * only. */
static void driver_name(const mmd_gpu_info *info, char *name, size_t capacity)
{
    char raw[256];
    size_t word = strcspn(info->renderer, " ("), length = 0;
    snprintf(raw, sizeof raw, "%.*s %s", (int)word, info->renderer, info->version);
    for (const char *c = raw; *c && length + 1 < capacity; c++) {
        if (isalnum((unsigned char)*c))
            name[length++] = (char)tolower((unsigned char)*c);
        else if (length && name[length - 1] != '-')
            name[length++] = '-';
    }
    name[length] = '\0';
}

static void open_figure(test_scene *scene, mmd_motion **motion, mmd_buffer textures[FIGURE_TEXTURES])
{
    mmd_buffer pmx = {0}, vmd = {0};
    mmd_memory_file files[FIGURE_TEXTURES];
    test_scene_open_gpu(scene);
    assert_true(figure_make_model(&pmx) && figure_make_dance(&vmd));
    ASSERT_OK(mmd_pmx_read(pmx.data, pmx.size, &scene->model, error));
    ASSERT_OK(mmd_vmd_read(vmd.data, vmd.size, motion, error));
    mmd_buffer_finish(&pmx);
    mmd_buffer_finish(&vmd);
    for (int i = 0; i < FIGURE_TEXTURES; i++) {
        assert_true(figure_make_texture(i, &textures[i]));
        files[i] = (mmd_memory_file){figure_texture_names[i], textures[i].data, textures[i].size};
    }
    scene->source = mmd_source_memory(files, FIGURE_TEXTURES);
    assert_non_null(scene->source);
    ASSERT_OK(mmd_view_add_model(scene->view, scene->model, scene->source, "", error));
    test_scene_stage(scene);
    ASSERT_OK(mmd_actor_add_motion(scene->actor, *motion, error));
    ASSERT_OK(mmd_stage_add_scene_motion(scene->stage, *motion, error));
}

static void accept(const char *folder, const char *path, const mmd_image *image)
{
    mmd_buffer png = {0};
    mkdir(ODORI_SOURCE "/tests/golden", 0777);
    mkdir(folder, 0777);
    ASSERT_OK(mmd_png_write(image, &(mmd_png_options){0}, &png, error));
    ASSERT_OK(mmd_file_write(path, png.data, png.size, error));
    mmd_buffer_finish(&png);
}

/* At most one pixel of a thousand may be more than 2 levels off: processors round differently. */
static void compare(const char *path, const mmd_image *image)
{
    mmd_bytes bytes = {0};
    mmd_image golden = {0};
    ASSERT_OK(mmd_file_read(path, &bytes, error));
    ASSERT_OK(mmd_image_decode(bytes.data, bytes.size, path, &golden, error));
    assert_int_equal(golden.width, WIDTH);
    assert_int_equal(golden.height, HEIGHT);
    int off = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        bool differs = false;
        for (int k = 0; k < 3; k++)
            differs |= abs(golden.pixels[4 * i + k] - image->pixels[4 * i + k]) > 2;
        off += differs;
    }
    print_message("%s: %d pixels off\n", mmd_path_name(path), off);
    assert_true(off * 1000 <= WIDTH * HEIGHT);
    mmd_image_finish(&golden);
    mmd_bytes_finish(&bytes);
}

static void the_figure_looks_as_it_did(void **state)
{
    (void)state;
    test_scene scene;
    mmd_motion *motion = NULL;
    mmd_buffer textures[FIGURE_TEXTURES] = {{0}};
    mmd_image image = {0};
    mmd_view_options options = mmd_default_view_options();
    char driver[128], folder[1024], path[1200];
    struct stat status;
    open_figure(&scene, &motion, textures);
    driver_name(mmd_gpu_get_info(scene.gpu), driver, sizeof driver);
    snprintf(folder, sizeof folder, "%s/tests/golden/%s", ODORI_SOURCE, driver);
    bool accepting = getenv("ODORI_ACCEPT") != NULL, known = accepting || stat(folder, &status) == 0;
    for (size_t i = 0; known && i < sizeof frames / sizeof *frames; i++) {
        mmd_stage_set_frame(scene.stage, frames[i]);
        ASSERT_OK(mmd_view_picture(scene.view, scene.stage, &options, WIDTH, HEIGHT, &image, error));
        snprintf(path, sizeof path, "%s/figure-%g.png", folder, frames[i]);
        if (accepting)
            accept(folder, path, &image);
        else
            compare(path, &image);
    }
    mmd_image_finish(&image);
    test_scene_close(&scene);
    mmd_motion_destroy(motion);
    for (int i = 0; i < FIGURE_TEXTURES; i++)
        mmd_buffer_finish(&textures[i]);
    if (!known) {
        print_message("skipped: no golden pictures of the driver %s\n", driver);
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_figure_looks_as_it_did)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
