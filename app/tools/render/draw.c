/* The pictures of `render`, one after the other, and PNG files of them; those that are there already may
 * stay. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "mmd/memory.h"
#include "files/png_text.h"
#include "render.h"

char *render_origin(const render_job *job)
{
    const render_options *r = job->options;
    const provenance_shot origin = {.files = &job->files,
                                    .settings = &job->settings,
                                    .wanted = job->wanted,
                                    .session = job->session,
                                    .start = picture_list_frame(&job->pictures, 0),
                                    .exec = job->exec,
                                    .size = r->size,
                                    .quality = &r->quality,
                                    .interval = picture_list_interval(&job->pictures),
                                    .gpu = mmd_gpu_get_info(job->screen.gpu)};
    return provenance_of_shot(&origin);
}

static render_moment moment_of(render_job *job)
{
    return (render_moment){.screen = &job->screen,
                           .session = job->session,
                           .interval = picture_list_interval(&job->pictures),
                           .width = job->options->size.width,
                           .height = job->options->size.height};
}

int render_draw_picture(render_job *job, size_t i)
{
    const render_moment at = moment_of(job);
    session_go(job->session, picture_list_frame(&job->pictures, i));
    return render_quality_draw(&job->options->quality, &at, &job->canvas);
}

const void *render_pixels(const render_job *job)
{
    if (job->options->quality.bits == 16)
        return job->canvas.image16.pixels;
    return job->canvas.image.pixels;
}

int render_make_folder(const char *output)
{
    char folder[4096];
    mmd_path_folder(output, folder, sizeof folder);
    return path_make_folder(folder) ? EXIT_DONE : EXIT_FACILITY;
}

/* --- PNG files --- */

/* "IEND" and its checksum: the end of every whole PNG. */
static bool is_whole(const mmd_bytes *png)
{
    static const uint8_t end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    return png->size > sizeof end && memcmp(png->data + png->size - sizeof end, end, sizeof end) == 0;
}

/* Whether the file is what would be written there: it says how it was made. */
static bool is_made(const char *path, const char *origin)
{
    mmd_bytes png = {0};
    char *text = NULL;
    if (mmd_file_read(path, &png, NULL) == MMD_OK && png_is(png.data, png.size) && is_whole(&png))
        text = png_text_read(png.data, png.size, PROVENANCE_KEY);
    bool made = text && strcmp(text, origin) == 0;
    mmd_free(text);
    mmd_bytes_finish(&png);
    return made;
}

static int draw_png(render_job *job, size_t i, const name_pattern *pattern, bool *drawn)
{
    char path[4096];
    const render_options *r = job->options;
    session_go(job->session, picture_list_frame(&job->pictures, i));
    char *text = render_origin(job);
    const mmd_image_text chunk = {PROVENANCE_KEY, text};
    name_pattern_make(pattern, picture_list_number(&job->pictures, i), path, sizeof path);
    const screen_picture picture = {.width = r->size.width,
                                    .height = r->size.height,
                                    .path = path,
                                    .texts = &chunk,
                                    .text_count = text ? 1 : 0};
    const render_moment at = moment_of(job);
    *drawn = !r->resume || !text || !is_made(path, text);
    int result = *drawn ? render_quality_write_png(&r->quality, &at, &picture, &job->canvas) : EXIT_DONE;
    free(text);
    return result;
}

int render_pngs(render_job *job)
{
    name_pattern pattern;
    size_t there = 0;
    name_pattern_parse(job->options->output, &pattern);
    int result = render_make_folder(job->options->output);
    for (size_t i = job->from; i < job->to && result == EXIT_DONE; i++) {
        bool drawn;
        result = draw_png(job, i, &pattern, &drawn);
        if (!drawn) {
            there++;
            progress_skip(&job->bar, 1);
        }
        progress_show(&job->bar, i - job->from + 1);
    }
    progress_finish(&job->bar);
    if (there && result == EXIT_DONE)
        message("%zu of %zu pictures were there already", there, job->to - job->from);
    return result;
}
