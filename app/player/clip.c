/* Renders a short clip when `play` finds no display: numbered PNG files, and a video of them if ffmpeg is
 * installed. */
#include "clip.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/message.h"
#include "base/progress.h"
#include "recipe/draw.h"

/* The clip is small and short, so that software rendering takes only seconds. With audio it is longer. */
enum { CLIP_SECONDS = 4, CLIP_SECONDS_WITH_SOUND = 12, CLIP_RATE = 15, CLIP_WIDTH = 640, CLIP_HEIGHT = 360 };

static const char clip_folder[] = "odori-clip", clip_video[] = "odori-clip/odori.mp4";

typedef struct clip {
    odori_session *session;
    double first; /* frame of the first picture */
    int seconds, pictures;
    video_writer *video; /* NULL for pictures only */
    bool lacks_video;    /* it could not be written, which was reported */
} clip;

/* Returns the frame of a picture. Past the last frame the motion starts again. */
static double clip_frame(const clip *c, int picture)
{
    double last = mmd_stage_last_frame(c->session->scene->stage);
    double frame = c->first + 30.0 / CLIP_RATE * picture;
    return last > 0 && frame > last ? fmod(frame, last) : frame;
}

/* Completes or discards the video. Returns whether it is there. */
static bool end_video(clip *c, int result)
{
    bool written = c->video && video_write_end(c->video, result) == EXIT_DONE;
    c->lacks_video |= c->video && !written;
    c->video = NULL;
    return written;
}

/* Draws the pictures, and adds them to the video as long as it can be written. */
static int draw_pictures(clip *c, odori_screen *screen)
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
            .fast = true,
            .halved = s->view.samples == 0, /* antialiased by halving, unless --msaa was given */
        };
        result = screen_write_png(screen, s->scene, &s->view, &picture, &image);
        if (result == EXIT_DONE && c->video && video_write(c->video, image.pixels) != EXIT_DONE)
            end_video(c, EXIT_FACILITY);
        progress_show(&bar, (size_t)i + 1);
    }
    progress_finish(&bar);
    mmd_image_finish(&image);
    return result;
}

/* Starts the video of the clip and its sound, unless ffmpeg is missing. */
static void start_video(clip *c, const video_sound *sound)
{
    video_kind kind = {.width = CLIP_WIDTH, .height = CLIP_HEIGHT, .rate = CLIP_RATE, .bits = 8};
    kind.codec = video_codec_of(clip_video);
    kind.sound = (video_sound){
        .path = sound->path, .offset = sound->offset, .start = c->first / 30.0, .length = c->seconds};
    if (video_codec_find_encoder(kind.codec, &kind.encoder) == EXIT_DONE &&
        video_write_open(&c->video, clip_video, &kind) != EXIT_DONE)
        end_video(c, EXIT_FACILITY);
}

static int make_folder(void)
{
    if (mkdir(clip_folder, 0777) == 0 || errno == EEXIST)
        return EXIT_DONE;
    message("cannot create the folder %s for the clip: %s", clip_folder, strerror(errno));
    return EXIT_FACILITY;
}

int clip_write(odori_session *s, const video_sound *sound, const mmd_log *log)
{
    int seconds = *sound->path ? CLIP_SECONDS_WITH_SOUND : CLIP_SECONDS;
    clip c = {s, s->frame, seconds, seconds * CLIP_RATE, NULL, false};
    odori_screen screen;
    message("no window available: rendering a clip of %d seconds to ./%s instead", seconds, clip_folder);
    int result = make_folder();
    if (result != EXIT_DONE)
        return result;
    mmd_error error = {0};
    if (screen_open_headless(&screen, s->scene, log, &error)) {
        screen_tell_context(&screen, log);
        start_video(&c, sound);
        result = draw_pictures(&c, &screen);
    } else {
        result = draw_failed(&error);
    }
    screen_finish(&screen);
    bool filmed = end_video(&c, result);
    if (result != EXIT_DONE)
        return result;
    printf("%s/00000.png to %s/%05d.png\n", clip_folder, clip_folder, c.pictures - 1);
    if (filmed)
        printf("%s\n", clip_video);
    return c.lacks_video ? EXIT_FACILITY : EXIT_DONE;
}
