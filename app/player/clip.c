/* Renders a short clip when `play` finds no display: numbered PNG files, and a video of them if ffmpeg is
 * installed. */
#include "clip.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/output.h"
#include "base/progress.h"
#include "mmd/image.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "recipe/draw.h"
#include "recipe/picture_queue.h"

/* The clip is small and short, so that software rendering takes only seconds. With audio it is longer. */
enum { CLIP_SECONDS = 4, CLIP_SECONDS_WITH_SOUND = 12, CLIP_RATE = 15, CLIP_WIDTH = 640, CLIP_HEIGHT = 360 };

static const char clip_folder[] = "odori-clip", clip_video[] = "odori-clip/odori.mp4";

typedef struct clip {
    odori_session *session;
    double first; /* frame of the first picture */
    int seconds, pictures;
    draw_quality quality;
    /* Pictures are drawn at twice the size and reduced, which is as smooth as 4x MSAA, at half the time on a
     * software driver. */
    bool halved;
    progress bar;
    size_t written;
} clip;

/* Returns the frame of a picture. Past the last frame the motion starts again. */
static double clip_frame(const clip *c, int picture)
{
    double last = mmd_stage_last_frame(c->session->scene->stage);
    double frame = c->first + 30.0 / CLIP_RATE * picture;
    return last > 0 && frame > last ? fmod(frame, last) : frame;
}

/* Averages blocks of four pixels in place, weighting colours by alpha. The result occupies the first quarter
 * of the memory. */
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

/* Compresses a picture (picture_queue_def.work). */
static bool compress(void *user, queued_picture *p)
{
    const clip *c = user;
    if (c->halved)
        halve(&p->canvas.image);
    return queued_picture_compress(p, &c->quality);
}

/* Writes the file of a picture (picture_queue_def.deliver). */
static int write_file(void *user, queued_picture *p)
{
    clip *c = user;
    if (p->failed)
        return draw_failed(&p->error);
    progress_show(&c->bar, ++c->written);
    return output_write(p->path, p->png.data, p->png.size) ? EXIT_DONE : EXIT_FACILITY;
}

static int draw_pictures(clip *c, odori_screen *screen)
{
    const uint32_t times = c->halved ? 2 : 1;
    const draw_moment at = {screen, c->session, 30.0 / CLIP_RATE, times * CLIP_WIDTH, times * CLIP_HEIGHT};
    picture_queue *queue =
        picture_queue_create(&(picture_queue_def){.quality = &c->quality,
                                                  .size = {at.width, at.height},
                                                  .user = c,
                                                  .work = compress,
                                                  .deliver = write_file,
                                                  .threads = c->session->scene->physics.options.threads});
    int result = EXIT_DONE;
    if (!queue) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    c->bar = progress_start((size_t)c->pictures);
    for (int i = 0; i < c->pictures && result == EXIT_DONE; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%05d.png", clip_folder, i);
        session_go(c->session, clip_frame(c, i));
        result = picture_queue_draw(queue, &at, path, NULL);
    }
    const int drained = picture_queue_drain(queue, screen);
    picture_queue_destroy(queue);
    progress_finish(&c->bar);
    return result != EXIT_DONE ? result : drained;
}

/* Adds a picture that was drawn to the video. Returns an exit code. */
static int add_picture(video_writer *writer, int i)
{
    char path[64];
    mmd_bytes png = {0};
    mmd_image image = {0};
    mmd_error error = {0};
    snprintf(path, sizeof path, "%s/%05d.png", clip_folder, i);
    mmd_status status = mmd_file_read(path, &png, &error);
    if (status == MMD_OK)
        status = mmd_image_decode(png.data, png.size, path, &image, &error);
    int result = status == MMD_OK ? video_write(writer, image.pixels) : report(&error);
    mmd_image_finish(&image);
    mmd_bytes_finish(&png);
    return result;
}

/* Makes a video of the pictures and the sound. It comes after them, so that only one file is incomplete at a
 * time. *filmed: whether there is one, which needs ffmpeg. Returns an exit code. */
static int write_video(const clip *c, const video_sound *sound, bool *filmed)
{
    video_writer *writer;
    video_kind kind = {.width = CLIP_WIDTH, .height = CLIP_HEIGHT, .rate = CLIP_RATE, .bits = 8};
    kind.codec = video_codec_of(clip_video);
    kind.sound = (video_sound){
        .path = sound->path, .offset = sound->offset, .start = c->first / 30.0, .length = c->seconds};
    *filmed = false;
    if (video_codec_find_encoder(kind.codec, &kind.encoder) != EXIT_DONE)
        return EXIT_DONE;
    int result = video_write_open(&writer, clip_video, &kind);
    for (int i = 0; i < c->pictures && result == EXIT_DONE; i++)
        result = add_picture(writer, i);
    result = video_write_end(writer, result);
    *filmed = result == EXIT_DONE;
    return result;
}

static int make_folder(void)
{
    if (platform_make_folder(clip_folder, 0777) || errno == EEXIST)
        return EXIT_DONE;
    message("cannot create the folder %s for the clip: %s", clip_folder, strerror(errno));
    return EXIT_FACILITY;
}

int clip_write(odori_session *s, const video_sound *sound, const mmd_log *log)
{
    int seconds = *sound->path ? CLIP_SECONDS_WITH_SOUND : CLIP_SECONDS;
    clip c = {.session = s,
              .first = s->frame,
              .seconds = seconds,
              .pictures = seconds * CLIP_RATE,
              .quality = draw_quality_default(),
              .halved = s->view.samples == 0}; /* --msaa was not given */
    odori_screen screen;
    message("no window available: rendering a clip of %d seconds to ./%s instead", seconds, clip_folder);
    int result = make_folder();
    if (result != EXIT_DONE)
        return result;
    mmd_error error = {0};
    if (screen_open_headless(&screen, s->scene, NULL, log, &error)) {
        screen_tell_context(&screen, log);
        result = draw_pictures(&c, &screen);
    } else {
        result = draw_failed(&error);
    }
    screen_finish(&screen);
    if (result != EXIT_DONE)
        return result;
    printf("%s/00000.png to %s/%05d.png\n", clip_folder, clip_folder, c.pictures - 1);
    bool filmed;
    result = write_video(&c, sound, &filmed);
    if (filmed)
        printf("%s\n", clip_video);
    return result;
}
