#include "screen.h"

#include "base/message.h"
#include "mmd/view_load.h"
#include "base/output.h"
#include "base/progress.h"

static int add_models(odori_screen *s, const odori_scene *scene, const mmd_log *log)
{
    mmd_error error = {0};
    if (mmd_view_create(s->gpu, log, &s->view, &error) != MMD_OK)
        return report(&error);
    for (size_t i = 0; i < scene->model_count; i++) {
        const scene_model *m = &scene->models[i];
        if (mmd_view_add_titled(s->view, m->model, m->textures.source, m->textures.folder,
                                mmd_path_name(m->path), &error) != MMD_OK) {
            mmd_error_set_file(&error, m->path);
            report(&error);
            return EXIT_FACILITY; /* the file is well; this GPU cannot draw it */
        }
    }
    return EXIT_DONE;
}

static int cannot_draw(const mmd_error *error)
{
    report(error);
    return EXIT_FACILITY;
}

int screen_open_headless(odori_screen *s, const odori_scene *scene, const mmd_log *log)
{
    mmd_error error = {0};
    *s = (odori_screen){0};
    if (mmd_gpu_create_headless(log, &s->gpu, &error) != MMD_OK)
        return cannot_draw(&error);
    return add_models(s, scene, log);
}

int screen_open_current(odori_screen *s, const odori_scene *scene, mmd_gpu_loader loader, const mmd_log *log)
{
    mmd_error error = {0};
    *s = (odori_screen){0};
    if (mmd_gpu_create_current(loader, log, &s->gpu, &error) != MMD_OK)
        return cannot_draw(&error);
    return add_models(s, scene, log);
}

void screen_tell_context(const odori_screen *s, const mmd_log *log)
{
    const mmd_gpu_info *gpu = mmd_gpu_get_info(s->gpu);
    if (log->level < MMD_LOG_INFO)
        message("OpenGL %s on %s (%s)", gpu->version, gpu->renderer, gpu->context);
}

void screen_finish(odori_screen *s)
{
    mmd_view_destroy(s->view);
    mmd_gpu_destroy(s->gpu);
    *s = (odori_screen){0};
}

/* Four pixels become one; colours count as far as they are opaque. The first quarter of the memory is used.
 */
static void halve(mmd_image *image)
{
    uint32_t wide = image->width, width = wide / 2, height = image->height / 2;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *upper = image->pixels + 4 * ((size_t)2 * y * wide + 2 * x);
            const uint8_t *lower = upper + (size_t)4 * wide;
            const uint8_t *const four[] = {upper, upper + 4, lower, lower + 4};
            uint32_t color[3] = {0}, alpha = 0;
            for (int i = 0; i < 4; i++) {
                alpha += four[i][3];
                for (int k = 0; k < 3; k++)
                    color[k] += four[i][k] * four[i][3];
            }
            uint8_t *out = image->pixels + 4 * ((size_t)y * width + x);
            for (int k = 0; k < 3; k++)
                out[k] = (uint8_t)(alpha ? (color[k] + alpha / 2) / alpha : 0);
            out[3] = (uint8_t)((alpha + 2) / 4);
        }
    }
    image->width = width;
    image->height = height;
}

static bool draw_picture(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                         const screen_picture *picture, mmd_image *image, mmd_error *error)
{
    uint32_t times = picture->halved ? 2 : 1;
    if (mmd_view_picture(s->view, scene->stage, options, times * picture->width, times * picture->height,
                         image, error) != MMD_OK)
        return false;
    if (picture->halved)
        halve(image);
    return true;
}

/* Drawing counts as much as writing does: two steps of as many rows as the picture has. */
typedef struct picture_progress {
    progress bar;
    uint32_t height;
} picture_progress;

static void show_row(void *user, uint32_t rows)
{
    picture_progress *p = user;
    progress_show(&p->bar, (size_t)p->height + rows);
}

int screen_write_png(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                     const screen_picture *picture, mmd_image *image)
{
    mmd_error error = {0};
    mmd_buffer png = {0};
    picture_progress done = {progress_start(2 * (size_t)picture->height), picture->height};
    mmd_png_options png_options = {.alpha = options->background[3] < 1.0f,
                                   .fast = picture->fast,
                                   .texts = picture->texts,
                                   .text_count = picture->text_count,
                                   .on_row = picture->bar ? show_row : NULL,
                                   .user = &done};
    bool ok = draw_picture(s, scene, options, picture, image, &error) &&
              mmd_png_write(image, &png_options, &png, &error) == MMD_OK;
    progress_finish(&done.bar);
    int result = EXIT_DONE;
    if (!ok)
        result = cannot_draw(&error);
    else if (!output_write(picture->path, png.data, png.size))
        result = EXIT_FACILITY;
    mmd_buffer_finish(&png);
    return result;
}
