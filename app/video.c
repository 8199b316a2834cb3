/* Videos: see video.h. */
#include "video.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app.h"
#include "mmd/memory.h"

enum { COMPLAINT_MAX = 400 };

/* A program whose output is read: what it writes, and the start of what it complains about. */
typedef struct child {
    pid_t id;
    int out, err; /* -1: closed */
    char complaint[COMPLAINT_MAX];
    size_t complaint_size;
} child;

struct video {
    const char *path;
    video_info info;
    child ffmpeg;
    mmd_image frame;
};

extern char **environ;

/* --- Programs --- */

static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    /* The other child must not inherit them: it would keep them open. */
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static int spawn(pid_t *id, const char *const arguments[], const int out[2], const int err[2])
{
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    /* Which leaves the arguments as they are. */
    code = posix_spawnp(id, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* EXIT_DONE, or EXIT_FACILITY and a message. */
static int child_start(child *c, const char *const arguments[])
{
    int out[2], err[2];
    *c = (child){.out = -1, .err = -1};
    if (!make_pipe(out)) {
        message("no pipe to %s: %s", arguments[0], strerror(errno));
        return EXIT_FACILITY;
    }
    if (!make_pipe(err)) {
        message("no pipe to %s: %s", arguments[0], strerror(errno));
        close(out[0]);
        close(out[1]);
        return EXIT_FACILITY;
    }
    int code = spawn(&c->id, arguments, out, err);
    close(out[1]);
    close(err[1]);
    c->out = out[0];
    c->err = err[0];
    if (code == 0)
        return EXIT_DONE;
    c->id = 0;
    message("%s cannot be run: %s; reading videos needs ffmpeg (Debian: apt-get install ffmpeg)",
            arguments[0], strerror(code));
    return EXIT_FACILITY;
}

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* Closes the pipes and waits; true if the program ended well. */
static bool child_finish(child *c)
{
    int status = 0;
    close_end(&c->out);
    close_end(&c->err);
    if (c->id <= 0)
        return true;
    while (waitpid(c->id, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    c->id = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The start is kept, the rest thrown away: a full pipe would stop the program. */
static void take_complaint(child *c)
{
    char part[512];
    ssize_t size = read(c->err, part, sizeof part);
    if (size < 0 && errno == EINTR)
        return;
    if (size <= 0) {
        close_end(&c->err);
        return;
    }
    size_t room = sizeof c->complaint - 1 - c->complaint_size;
    size_t taken = (size_t)size < room ? (size_t)size : room;
    memcpy(c->complaint + c->complaint_size, part, taken);
    c->complaint_size += taken;
}

/* Reads until size bytes are there or the output ends; the number of bytes. */
static size_t child_read(child *c, void *data, size_t size)
{
    size_t done = 0;
    while (done < size && c->out >= 0) {
        struct pollfd ends[] = {{.fd = c->out, .events = POLLIN}, {.fd = c->err, .events = POLLIN}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR)
            break;
        if (c->err >= 0 && ends[1].revents)
            take_complaint(c);
        if (!ends[0].revents)
            continue;
        ssize_t part = read(c->out, (uint8_t *)data + done, size - done);
        if (part > 0)
            done += (size_t)part;
        else if (part == 0 || errno != EINTR)
            close_end(&c->out);
    }
    return done;
}

/* Waits until the program is done, so that its complaint is whole. */
static void child_drain(child *c)
{
    char rest[256];
    while (child_read(c, rest, sizeof rest) == sizeof rest)
        ;
    while (c->err >= 0)
        take_complaint(c);
}

/* --- ffprobe --- */

/* "30000/1001" or "30". */
static double read_rate(const char *text)
{
    char *end;
    double rate = strtod(text, &end);
    double by = *end == '/' ? strtod(end + 1, NULL) : 1;
    return by > 0 ? rate / by : 0;
}

static void take_fact(video_info *info, const char *key, const char *value, double *duration)
{
    if (strcmp(key, "width") == 0)
        info->width = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(key, "height") == 0)
        info->height = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(key, "avg_frame_rate") == 0)
        info->rate = read_rate(value);
    else if (strcmp(key, "nb_frames") == 0)
        info->frames = strtoul(value, NULL, 10);
    else if (strcmp(key, "duration") == 0 && *value >= '0' && *value <= '9')
        *duration = strtod(value, NULL);
}

/* Lines of key=value. */
static void take_facts(video_info *info, char *text)
{
    double duration = 0;
    for (char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n")) {
        char *value = strchr(line, '=');
        if (value) {
            *value = '\0';
            take_fact(info, line, value + 1, &duration);
        }
    }
    if (info->frames == 0 && duration > 0 && duration < 1e6 && info->rate > 0 && info->rate < 1e4)
        info->frames = (size_t)(duration * info->rate + 0.5);
}

static int no_video(const char *path, const child *c)
{
    int length = (int)strcspn(c->complaint, "\r\n");
    message("%s: cannot be read as a video%s%.*s", path, length ? ": " : "", length, c->complaint);
    return EXIT_INPUT;
}

static int probe(video *v, const char *url)
{
    char text[2048];
    const char *const arguments[] = {"ffprobe",
                                     "-v",
                                     "error",
                                     "-select_streams",
                                     "v:0",
                                     "-show_entries",
                                     "stream=width,height,avg_frame_rate,nb_frames:format=duration",
                                     "-of",
                                     "default=noprint_wrappers=1",
                                     url,
                                     NULL};
    child ffprobe;
    int result = child_start(&ffprobe, arguments);
    if (result == EXIT_DONE) {
        text[child_read(&ffprobe, text, sizeof text - 1)] = '\0';
        child_drain(&ffprobe);
    }
    bool ok = child_finish(&ffprobe);
    if (result != EXIT_DONE)
        return result;
    take_facts(&v->info, text);
    if (!ok || v->info.width == 0 || v->info.height == 0)
        return no_video(v->path, &ffprobe);
    return EXIT_DONE;
}

/* --- Videos --- */

bool video_is_one(const uint8_t *data, size_t size)
{
    static const struct {
        size_t at, size;
        const char *bytes;
    } magics[] = {
        {8, 4, "AVI "},                             /* AVI */
        {4, 4, "ftyp"},                             /* MP4, MOV */
        {4, 4, "moov"},                             /* old MOV */
        {4, 4, "mdat"},                             /* old MOV */
        {0, 4, "\x1a\x45\xdf\xa3"},                 /* Matroska, WebM */
        {0, 4, "OggS"},                             /* Ogg */
        {0, 3, "FLV"},                              /* Flash */
        {0, 4, "\x30\x26\xb2\x75"},                 /* WMV */
        {0, 9, "YUV4MPEG2"},                        /* YUV4MPEG */
        {0, 4, "\x00\x00\x01\xba"},                 /* MPEG program stream */
        {0, 4, "\x00\x00\x01\xb3"},                 /* MPEG video */
        {0, 8, "\x06\x0e\x2b\x34\x02\x05\x01\x01"}, /* MXF */
    };
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (size >= magics[i].at + magics[i].size &&
            memcmp(data + magics[i].at, magics[i].bytes, magics[i].size) == 0)
            return true;
    return size > 188 && data[0] == 0x47 && data[188] == 0x47; /* MPEG transport stream */
}

static int start_ffmpeg(video *v, const char *url)
{
    const char *const arguments[] = {"ffmpeg",
                                     "-nostdin",
                                     "-v",
                                     "error",
                                     "-noautorotate",
                                     "-i",
                                     url,
                                     "-map",
                                     "0:v:0",
                                     "-fps_mode",
                                     "passthrough",
                                     "-sws_flags",
                                     "+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact",
                                     "-f",
                                     "rawvideo",
                                     "-pix_fmt",
                                     "rgba",
                                     "-",
                                     NULL};
    return child_start(&v->ffmpeg, arguments);
}

static int open_file(video *v)
{
    mmd_error error = {0};
    size_t size = strlen(v->path) + sizeof "file:";
    char *url = mmd_alloc(size); /* a name alone could be taken for a protocol or an option */
    if (!url) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    snprintf(url, size, "file:%s", v->path);
    int result = probe(v, url);
    if (result == EXIT_DONE && mmd_image_init(&v->frame, v->info.width, v->info.height, &error) != MMD_OK) {
        mmd_error_set_file(&error, v->path);
        result = report(&error);
    }
    if (result == EXIT_DONE)
        result = start_ffmpeg(v, url);
    mmd_free(url);
    return result;
}

int video_open(const char *path, video **result)
{
    video *v = mmd_alloc(sizeof *v);
    *result = v;
    if (!v) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    *v = (video){.path = path, .ffmpeg = {.out = -1, .err = -1}};
    return open_file(v);
}

void video_close(video *v)
{
    if (!v)
        return;
    if (v->ffmpeg.id > 0)
        kill(v->ffmpeg.id, SIGTERM);
    child_finish(&v->ffmpeg);
    mmd_image_finish(&v->frame);
    mmd_free(v);
}

const video_info *video_get_info(const video *v)
{
    return &v->info;
}

int video_read(video *v, const mmd_image **frame)
{
    size_t size = (size_t)4 * v->info.width * v->info.height;
    size_t done = child_read(&v->ffmpeg, v->frame.pixels, size);
    *frame = NULL;
    if (done < size) {
        child_drain(&v->ffmpeg);
        return child_finish(&v->ffmpeg) && done == 0 ? EXIT_DONE : no_video(v->path, &v->ffmpeg);
    }
    v->frame.has_alpha = false;
    for (size_t i = 3; i < size && !v->frame.has_alpha; i += 4)
        v->frame.has_alpha = v->frame.pixels[i] != 255;
    *frame = &v->frame;
    return EXIT_DONE;
}
