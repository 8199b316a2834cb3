/* Models of squares in front of the camera, for tests of how surfaces look. */
#ifndef ODORI_SQUARES_H
#define ODORI_SQUARES_H

#include "made_model.h"
#include "render_support.h"

enum { SIZE = 64 };

/* Creates a model of n squares in front of the camera, each with its own material. Later ones are farther
 * away. */
static inline mmd_model *squares(uint32_t n, uint32_t textures, uint32_t morphs)
{
    mmd_model *model = made_model(&(made_sizes){.vertices = 4 * n,
                                                .indices = 6 * n,
                                                .bones = 1,
                                                .materials = n,
                                                .textures = textures,
                                                .morphs = morphs,
                                                .additional_uvs = 1});
    for (uint32_t i = 0; i < n; i++) {
        made_square(model, 4 * i, 6 * i, -4.0f, 6.0f, (float)i, 8.0f);
        model->materials[i].first_index = 6 * i;
        model->materials[i].index_count = 6;
    }
    made_finish(model);
    return model;
}

static inline void set_color(mmd_material *material, float r, float g, float b, float a)
{
    const float rgb[3] = {r, g, b};
    for (int k = 0; k < 3; k++) {
        material->diffuse[k] = rgb[k];
        material->ambient[k] = 0.4f * rgb[k];
    }
    material->diffuse[3] = a;
}

static inline const uint8_t *pixel(const mmd_image *image, int x, int y)
{
    return image->pixels + 4 * ((size_t)y * image->width + (size_t)x);
}

static inline void assert_pixel(const mmd_image *image, int x, int y, int r, int g, int b, int a)
{
    const uint8_t *p = pixel(image, x, y);
    if (p[0] != r || p[1] != g || p[2] != b || p[3] != a)
        fail_msg("pixel %d,%d is %d,%d,%d,%d, wanted %d,%d,%d,%d", x, y, p[0], p[1], p[2], p[3], r, g, b, a);
}

/* Places the camera in front of the squares, so that 8 units are three quarters of the image's height. */
static inline void set_camera(mmd_stage *stage)
{
    mmd_camera camera = mmd_default_camera();
    camera.distance = -20.0f;
    mmd_stage_set_camera(stage, &camera);
    mmd_stage_set_frame(stage, 0.0);
}

static inline void draw(test_scene *scene, const mmd_view_options *options, mmd_image *image)
{
    mmd_view_options standard = mmd_default_view_options();
    set_camera(scene->stage);
    ASSERT_OK(
        mmd_view_picture(scene->view, scene->stage, options ? options : &standard, SIZE, SIZE, image, error));
}

/* Draws the model with a new context. */
static inline mmd_image picture_of(mmd_model *model, const mmd_memory_file *files, size_t count,
                                   const mmd_view_options *options)
{
    test_scene scene;
    mmd_image image = {0};
    test_scene_open_made(&scene, model, files, count);
    draw(&scene, options, &image);
    test_scene_close(&scene);
    return image;
}

/* Makes a PNG of four fields of 8 x 8 pixels, given row by row from the top. */
static inline mmd_memory_file small_png(const char *name, const uint8_t rgba[16], mmd_buffer *out)
{
    enum { WIDTH = 16 };
    uint8_t pixels[4 * WIDTH * WIDTH];
    for (int i = 0; i < WIDTH * WIDTH; i++) {
        int field = (i % WIDTH >= WIDTH / 2) + 2 * (i / WIDTH >= WIDTH / 2);
        memcpy(pixels + 4 * i, rgba + 4 * field, 4);
    }
    mmd_image image = {.width = WIDTH, .height = WIDTH, .pixels = pixels, .has_alpha = true};
    mmd_png_options options = {.alpha = true};
    ASSERT_OK(mmd_png_write(&image, &options, out, error));
    return (mmd_memory_file){.name = name, .data = out->data, .size = out->size};
}

static const uint8_t four_colors[16] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 0, 255};

#endif
