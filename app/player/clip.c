/* Renders a short clip when `play` finds no display: numbered PNG files, and a video of them if ffmpeg is
 * installed. */
#include "clip.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/progress.h"
#include "mmd/image.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "recipe/draw.h"

/* The clip is small and short, so that software rendering takes only seconds. With audio it is longer. */
enum { CLIP_SECONDS = 4, CLIP_SECONDS_WITH_SOUND = 12, CLIP_RATE = 15, CLIP_WIDTH = 640, CLIP_HEIGHT = 360 };

static const char clip_folder[] = "odori-clip", clip_video[] = "odori-clip/odori.mp4";

typedef struct clip {
    odori_session *session;
    double first; /* frame of the first picture */
    int seconds, pictures;
} clip;

/* Returns the frame of a picture. Past the last frame the motion starts again. */
static double clip_frame(const clip *c, int picture)
{
    double last = mmd_stage_last_frame(c->session->scene->stage);
    double frame = c->first + 30.0 / CLIP_RATE * picture;
    return last > 0 && frame > last ? fmod(frame, last) : frame;
}

static int draw_pictures(const clip *c, odori_screen *screen)
{
    odori_session *s = c->session;
    mmd_image image = {0};
    int result = EXIT_DONE;
    progress bar = progress_start((size_t)c->pictures);
    for (int i = 0; i < c->pictures && result == EXIT_DONE; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%05d.png", clip_folder, i);
        session_go(s, clip_frame(c, i));
        const screen_picture picture = {
            .width = CLIP_WIDTH,
            .height = CLIP_HEIGHT,
            .path = path,
            .level = MMD_PNG_FAST,
            .halved = s->view.samples == 0, /* antialiased by halving, unless --msaa was given */
        };
        result = screen_write_png(screen, s->scene, &s->view, &picture, &image);
        progress_show(&bar, (size_t)i + 1);
    }
    progress_finish(&bar);
    mmd_image_finish(&image);
    return result;
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
    clip c = {s, s->frame, seconds, seconds * CLIP_RATE};
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
