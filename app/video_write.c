/* Videos written: see video_write.h. */
#include "video_write.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app.h"
#include "audio_file.h"

extern char **environ;

bool video_is_name(const char *path)
{
    static const char *const endings[] = {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static int spawn(pid_t *id, const char *const arguments[], int input)
{
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    /* Which leaves the arguments as they are. */
    code = posix_spawnp(id, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* --- Sound --- */

static double rate_of(const char *path)
{
    audio_file *file;
    if (audio_file_open(path, &file, NULL) != MMD_OK)
        return 48000;
    double rate = audio_file_rate(file);
    audio_file_close(file);
    return rate;
}

/* In samples of the file, counted in a filter: seeking in the input would be as exact as its container is. */
size_t video_sound_arguments(const video_sound *sound, char filter[160], const char *list[])
{
    if (!*sound->path)
        return 0;
    double rate = rate_of(sound->path);
    long long from = llround((sound->start - sound->offset) * rate), length = llround(sound->length * rate);
    snprintf(filter, 160,
             "atrim=start_sample=%lld,asetpts=PTS-STARTPTS,adelay=%lldS:all=1,apad=whole_len=%lld,"
             "atrim=end_sample=%lld",
             from > 0 ? from : 0, from < 0 ? -from : 0, length, length);
    const char *const arguments[] = {"-i",    sound->path, "-map", "0:v:0", "-map",
                                     "1:a:0", "-af",       filter, "-b:a",  "192k"};
    memcpy(list, arguments, sizeof arguments);
    return sizeof arguments / sizeof *arguments;
}

/* --- Pictures --- */

static size_t append(const char *list[], size_t count, const char *const more[], size_t more_count)
{
    memcpy(list + count, more, more_count * sizeof *more);
    return count + more_count;
}

/* Odd sizes get a row or column more: most players want halves of the colours. */
static int start(video_writer *w, const char *size, const char *rate, const video_sound *sound)
{
    char filter[160];
    const char *arguments[40], *heard[VIDEO_SOUND_ARGUMENTS];
    const char *const pictures[] = {"ffmpeg", "-y", "-loglevel", "error",      "-f", "rawvideo", "-pix_fmt",
                                    "rgb0",   "-s", size,        "-framerate", rate, "-i",       "-"};
    const char *const out[] = {
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-crf", "18", w->path, NULL};
    size_t count = append(arguments, 0, pictures, sizeof pictures / sizeof *pictures);
    count = append(arguments, count, heard, video_sound_arguments(sound, filter, heard));
    append(arguments, count, out, sizeof out / sizeof *out);
    int ends[2];
    if (pipe(ends) != 0) {
        message("no pipe to ffmpeg: %s", strerror(errno));
        return EXIT_FACILITY;
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int code = spawn(&w->id, arguments, ends[0]);
    close(ends[0]);
    w->pipe = ends[1];
    if (code == 0)
        return EXIT_DONE;
    w->id = 0;
    message("ffmpeg cannot be run: %s; writing videos needs it (Debian: apt-get install ffmpeg)",
            strerror(code));
    return EXIT_FACILITY;
}

int video_write_open(video_writer *w, const char *path, const video_kind *kind)
{
    char size[32], pictures[40];
    *w = (video_writer){.path = path, .pipe = -1};
    snprintf(size, sizeof size, "%ux%u", kind->width, kind->height);
    snprintf(pictures, sizeof pictures, "%.10g", kind->rate);
    signal(SIGPIPE, SIG_IGN); /* an ffmpeg that ends early is told of by the failing write */
    return start(w, size, pictures, &kind->sound);
}

int video_write(video_writer *w, const mmd_image *image)
{
    const uint8_t *at = image->pixels;
    size_t left = (size_t)4 * image->width * image->height;
    while (left) {
        ssize_t wrote = write(w->pipe, at, left);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            message("%s: ffmpeg does not take more pictures", w->path);
            return EXIT_FACILITY;
        }
        at += wrote;
        left -= (size_t)wrote;
    }
    return EXIT_DONE;
}

int video_write_finish(video_writer *w)
{
    int status = 0;
    if (w->pipe >= 0)
        close(w->pipe);
    w->pipe = -1;
    if (w->id <= 0)
        return EXIT_DONE;
    while (waitpid(w->id, &status, 0) < 0)
        if (errno != EINTR)
            break;
    w->id = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return EXIT_DONE;
    message("%s: ffmpeg could not write it", w->path);
    return EXIT_FACILITY;
}
