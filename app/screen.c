#include "screen.h"

#include "app.h"
#include "output.h"

static int add_models(odori_screen *s, const odori_scene *scene, const mmd_log *log)
{
    mmd_error error = {0};
    if (mmd_view_create(s->gpu, log, &s->view, &error) != MMD_OK)
        return report(&error);
    for (size_t i = 0; i < scene->model_count; i++) {
        const scene_model *m = &scene->models[i];
        if (mmd_view_add_model(s->view, m->model, m->textures.source, m->textures.folder, &error) != MMD_OK) {
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

int screen_write_png(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                     uint32_t width, uint32_t height, bool fast, mmd_image *image, const char *path)
{
    mmd_error error = {0};
    mmd_buffer png = {0};
    mmd_png_options png_options = {.alpha = options->background[3] < 1.0f, .fast = fast};
    if (mmd_view_picture(s->view, scene->stage, options, width, height, image, &error) != MMD_OK ||
        mmd_png_write(image, &png_options, &png, &error) != MMD_OK) {
        mmd_buffer_finish(&png);
        return cannot_draw(&error);
    }
    bool written = output_write(path, png.data, png.size);
    mmd_buffer_finish(&png);
    return written ? EXIT_DONE : EXIT_FACILITY;
}
