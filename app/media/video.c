/* Videos: see video.h. */
#include "video.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "video_child_internal.h"

struct video {
    const char *path;
    video_info info;
    child_source ffmpeg;
    mmd_image frame;
    mmd_image16 frame16; /* in place of it, with 16 bits */
    uint32_t bits;
};

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

static int no_video(const char *path, const child_source *c)
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
    child_source ffprobe;
    int result = child_start(&ffprobe, arguments, "reading videos");
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
                                     v->bits == 16 ? "rgba64le" : "rgba",
                                     "-",
                                     NULL};
    return child_start(&v->ffmpeg, arguments, "reading videos");
}

static mmd_status make_frame(video *v, mmd_error *error)
{
    if (v->bits == 16)
        return mmd_image16_init(&v->frame16, v->info.width, v->info.height, error);
    return mmd_image_init(&v->frame, v->info.width, v->info.height, error);
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
    if (result == EXIT_DONE && make_frame(v, &error) != MMD_OK) {
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
    return video_open_as(path, 8, result);
}

int video_open_as(const char *path, uint32_t bits, video **result)
{
    video *v = mmd_alloc(sizeof *v);
    *result = v;
    if (!v) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    *v = (video){.path = path, .bits = bits, .ffmpeg = {.out = -1, .err = -1}};
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
    mmd_image16_finish(&v->frame16);
    mmd_free(v);
}

const video_info *video_get_info(const video *v)
{
    return &v->info;
}

int video_read_pixels(video *v, const void **pixels)
{
    size_t size = (size_t)(v->bits == 16 ? 8 : 4) * v->info.width * v->info.height;
    void *to = v->bits == 16 ? (void *)v->frame16.pixels : v->frame.pixels;
    size_t done = child_read(&v->ffmpeg, to, size);
    *pixels = done < size ? NULL : to;
    if (done == size)
        return EXIT_DONE;
    child_drain(&v->ffmpeg);
    return child_finish(&v->ffmpeg) && done == 0 ? EXIT_DONE : no_video(v->path, &v->ffmpeg);
}

int video_read(video *v, const mmd_image **frame)
{
    const void *pixels;
    size_t size = (size_t)4 * v->info.width * v->info.height;
    int result = video_read_pixels(v, &pixels);
    *frame = NULL;
    if (!pixels)
        return result;
    v->frame.has_alpha = false;
    for (size_t i = 3; i < size && !v->frame.has_alpha; i += 4)
        v->frame.has_alpha = v->frame.pixels[i] != 255;
    *frame = &v->frame;
    return EXIT_DONE;
}
