#include "clip.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app.h"
#include "progress.h"
#include "screen.h"

/* Four seconds, small, so that software GL is done in a few seconds too. */
enum { CLIP_PICTURES = 60, CLIP_RATE = 15, CLIP_WIDTH = 640, CLIP_HEIGHT = 360 };

static const char clip_folder[] = "odori-clip";

static double clip_frame(const odori_session *s, int picture)
{
    double last = mmd_stage_last_frame(s->scene->stage);
    double frame = s->frame + 30.0 / CLIP_RATE * picture;
    return last > 0 && frame > last ? fmod(frame, last) : frame;
}

static int draw_pictures(odori_session *s, odori_screen *screen)
{
    mmd_image image = {0};
    double first = s->frame;
    int result = EXIT_DONE;
    progress bar = progress_start(CLIP_PICTURES);
    for (int i = 0; i < CLIP_PICTURES && result == EXIT_DONE; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%05d.png", clip_folder, i);
        s->frame = first;
        session_go(s, clip_frame(s, i));
        result = screen_write_png(screen, s->scene, &s->view, CLIP_WIDTH, CLIP_HEIGHT, true, &image, path);
        progress_show(&bar, (size_t)i + 1);
    }
    progress_finish(&bar);
    mmd_image_finish(&image);
    return result;
}

/* Runs a program with its output thrown away; true if it ended well. */
static bool run_quietly(char *const arguments[])
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
        execvp(arguments[0], arguments);
        _exit(127);
    }
    if (child < 0)
        return false;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool write_video(void)
{
    char program[] = "ffmpeg", yes[] = "-y", rate[] = "-framerate", rate_value[16], input[] = "-i",
         pattern[] = "odori-clip/%05d.png", format[] = "-pix_fmt", format_value[] = "yuv420p",
         video[] = "odori-clip/odori.mp4";
    snprintf(rate_value, sizeof rate_value, "%d", CLIP_RATE);
    char *const arguments[] = {program, yes,    rate,         rate_value, input,
                               pattern, format, format_value, video,      NULL};
    return run_quietly(arguments);
}

int clip_write(odori_session *s, const mmd_log *log)
{
    if (!s->view.samples)
        s->view.samples = 4; /* a clip is for looking at, not for comparing */
    odori_screen screen;
    int result = screen_open_headless(&screen, s->scene, log);
    if (result == EXIT_DONE && mkdir(clip_folder, 0777) != 0 && errno != EEXIST) {
        message("%s: cannot be made: %s", clip_folder, strerror(errno));
        result = EXIT_FACILITY;
    }
    if (result == EXIT_DONE) {
        screen_tell_context(&screen, log);
        result = draw_pictures(s, &screen);
    }
    screen_finish(&screen);
    if (result != EXIT_DONE)
        return result;
    message("no window: a clip of %d seconds was drawn instead", CLIP_PICTURES / CLIP_RATE);
    printf("%s/00000.png to %s/%05d.png\n", clip_folder, clip_folder, CLIP_PICTURES - 1);
    if (write_video())
        printf("%s/odori.mp4\n", clip_folder);
    return EXIT_DONE;
}
