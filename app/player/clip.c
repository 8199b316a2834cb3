/* Renders a short clip when `play` finds no display: numbered PNG files, and a video of them if ffmpeg is
 * installed. */
#include "clip.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/progress.h"
#include "recipe/draw.h"

/* The clip is small and short, so that software rendering takes only seconds. With audio it is longer. */
enum { CLIP_SECONDS = 4, CLIP_SECONDS_WITH_SOUND = 12, CLIP_RATE = 15, CLIP_WIDTH = 640, CLIP_HEIGHT = 360 };

static const char clip_folder[] = "odori-clip";

typedef struct clip {
    odori_session *session;
    const video_sound *sound;
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
            .fast = true,
            .halved = s->view.samples == 0, /* antialiased by halving, unless --msaa was given */
        };
        result = screen_write_png(screen, s->scene, &s->view, &picture, &image);
        progress_show(&bar, (size_t)i + 1);
    }
    progress_finish(&bar);
    mmd_image_finish(&image);
    return result;
}

/* Runs a program without its output. Returns whether it exited with code 0. */
static bool run_quietly(const char *const arguments[])
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        if (nowhere >= 0) {
            dup2(nowhere, 0);
            dup2(nowhere, 1);
            dup2(nowhere, 2);
        }
        execvp(arguments[0], (char *const *)(uintptr_t)arguments); /* execvp does not write to them */
        _exit(127);
    }
    if (child < 0)
        return false;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs ffmpeg on the pictures and the audio, which starts at the first frame of the clip. */
static bool write_video(const clip *c)
{
    char rate[16], length[16], filter[160];
    const char *arguments[12 + VIDEO_SOUND_ARGUMENTS];
    size_t count = 0;
    snprintf(rate, sizeof rate, "%d", CLIP_RATE);
    snprintf(length, sizeof length, "%d", c->seconds);
    const char *const pictures[] = {"ffmpeg", "-y", "-framerate", rate, "-i", "odori-clip/%05d.png"};
    const char *const out[] = {"-t", length, "-pix_fmt", "yuv420p", "odori-clip/odori.mp4", NULL};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        arguments[count++] = pictures[i];
    const video_sound sound = {
        .path = c->sound->path, .offset = c->sound->offset, .start = c->first / 30.0, .length = c->seconds};
    count += video_sound_arguments(&sound, filter, arguments + count);
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        arguments[count++] = out[i];
    return run_quietly(arguments);
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
    clip c = {s, sound, s->frame, seconds, seconds * CLIP_RATE};
    odori_screen screen;
    message("no window available: rendering a clip of %d seconds to ./%s instead", seconds, clip_folder);
    int result = make_folder();
    if (result != EXIT_DONE)
        return result;
    mmd_error error = {0};
    if (screen_open_headless(&screen, s->scene, log, &error)) {
        screen_tell_context(&screen, log);
        result = draw_pictures(&c, &screen);
    } else {
        result = draw_failed(&error);
    }
    screen_finish(&screen);
    if (result != EXIT_DONE)
        return result;
    printf("%s/00000.png to %s/%05d.png\n", clip_folder, clip_folder, c.pictures - 1);
    if (write_video(&c))
        printf("%s/odori.mp4\n", clip_folder);
    return EXIT_DONE;
}
