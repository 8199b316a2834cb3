/* Videos written: see video_write.h. */
#include "video_write.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "audio_file.h"
#include "base/output.h"

bool video_is_name(const char *path)
{
    return video_codec_of(path) != NULL;
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

/* --- ffmpeg's arguments --- */

/* Arguments, and texts that some of them refer to. */
typedef struct argument_list {
    const char *items[96];
    size_t count;
    char size[32], rate[40], sound[160], picture[400], tag[1200];
} argument_list;

/* Up to a NULL, or count of them. */
static void append(argument_list *list, const char *const more[], size_t count)
{
    size_t room = sizeof list->items / sizeof *list->items - 1;
    for (size_t i = 0; i < count && more[i] && list->count < room; i++)
        list->items[list->count++] = more[i];
}

static void append_input(argument_list *list, const video_kind *kind)
{
    snprintf(list->size, sizeof list->size, "%ux%u", kind->width, kind->height);
    snprintf(list->rate, sizeof list->rate, "%.10g", kind->rate);
    const char *format = kind->bits == 16 ? "rgba64le" : kind->alpha ? "rgba" : "rgb0";
    const char *const input[] = {"ffmpeg",     "-y",       "-loglevel", "error", "-f",
                                 "rawvideo",   "-pix_fmt", format,      "-s",    list->size,
                                 "-framerate", list->rate, "-i",        "-"};
    append(list, input, sizeof input / sizeof *input);
}

/*
 * Colours as BT.709 says, and told so: players take large videos for that
 * anyway. Odd sizes get a row or column more: most players want halves.
 */
static void append_colors(argument_list *list, const video_kind *kind)
{
    const video_codec *codec = kind->codec;
    const char *format = codec->formats[kind->alpha][kind->bits == 16];
    const char *pad = !codec->halves ? "" : "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=black@0,";
    static const char scale[] = "scale=out_color_matrix=bt709:out_range=tv:"
                                "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact,";
    static const char tell[] = ",setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv";
    snprintf(list->picture, sizeof list->picture, "%s%sformat=%s%s", pad, codec->lossless ? "" : scale,
             format, codec->lossless ? "" : tell);
    const char *const colors[] = {"-vf", list->picture};
    append(list, colors, 2);
    if (codec->lossless)
        return;
    const char *const told[] = {"-colorspace", "bt709", "-color_primaries", "bt709",
                                "-color_trc",  "bt709", "-color_range",     "tv"};
    append(list, told, sizeof told / sizeof *told);
}

static void append_codec(argument_list *list, const video_kind *kind)
{
    const char *const name[] = {"-c:v", kind->encoder->name, "-pix_fmt",
                                kind->codec->formats[kind->alpha][kind->bits == 16]};
    append(list, name, 4);
    append(list, kind->encoder->options, VIDEO_OPTIONS_MAX);
    if (strcmp(kind->codec->name, "prores") == 0) {
        const char *const profile[] = {"-profile:v", kind->alpha ? "4444" : "hq"};
        append(list, profile, 2);
    }
    if (kind->alpha)
        append(list, kind->codec->alpha_options, 5);
}

static void append_output(argument_list *list, const video_kind *kind, const video_writer *w)
{
    const char *const exact[] = {"-fflags",   "+bitexact", "-flags:v",
                                 "+bitexact", "-f",        video_container_of(w->path)};
    if (*kind->sound.path) {
        const char *const sound[] = {"-c:a", video_sound_codec_of(w->path)};
        append(list, sound, 2);
    }
    if (kind->tag) {
        snprintf(list->tag, sizeof list->tag, "odori=%s", kind->tag);
        const char *const tag[] = {"-metadata", list->tag};
        append(list, tag, 2);
    }
    append(list, exact, sizeof exact / sizeof *exact);
    append(list, (const char *const[]){w->temporary}, 1);
    list->items[list->count] = NULL;
}

/* --- Writing --- */

static int cannot_write(const char *path, const char *why)
{
    message("%s: cannot be written: %s", path, why);
    return EXIT_FACILITY;
}

/* What ffmpeg would find out late, or overwrite. */
static int check_place(video_writer *w)
{
    struct stat status;
    if (stat(w->path, &status) == 0 && !S_ISREG(status.st_mode))
        return cannot_write(w->path, S_ISDIR(status.st_mode) ? strerror(EISDIR) : "it is no file");
    if ((size_t)snprintf(w->temporary, sizeof w->temporary, "%s.part-%ld", w->path, (long)getpid()) >=
        sizeof w->temporary) {
        *w->temporary = '\0';
        return cannot_write(w->path, strerror(ENAMETOOLONG));
    }
    FILE *file = fopen(w->temporary, "wb");
    if (!file) {
        *w->temporary = '\0';
        return cannot_write(w->path, strerror(errno));
    }
    fclose(file);
    return EXIT_DONE;
}

int video_write_open(video_writer *w, const char *path, const video_kind *kind)
{
    argument_list list = {.count = 0};
    const char *heard[VIDEO_SOUND_ARGUMENTS];
    *w = (video_writer){.path = path,
                        .ffmpeg = {.in = -1, .err = -1},
                        .picture_size = (size_t)kind->width * kind->height * (kind->bits == 16 ? 8 : 4)};
    int result = check_place(w);
    if (result == EXIT_DONE) {
        output_guard(w->temporary);
        append_input(&list, kind);
        append(&list, heard, video_sound_arguments(&kind->sound, list.sound, heard));
        append_colors(&list, kind);
        append_codec(&list, kind);
        append_output(&list, kind, w);
        result = child_sink_start(&w->ffmpeg, list.items, "writing videos");
    }
    w->failed = result != EXIT_DONE;
    return result;
}

/* That it ended is told when it is known why. */
int video_write(video_writer *w, const void *pixels)
{
    w->failed = w->failed || !child_sink_write(&w->ffmpeg, pixels, w->picture_size);
    return w->failed ? EXIT_FACILITY : EXIT_DONE;
}

static void forget_temporary(video_writer *w)
{
    if (*w->temporary)
        unlink(w->temporary);
    *w->temporary = '\0';
    output_guard("");
}

int video_write_finish(video_writer *w)
{
    char complaint[CHILD_COMPLAINT_MAX];
    if (!*w->temporary)
        return EXIT_FACILITY; /* which was told */
    bool was_started = w->ffmpeg.id > 0;
    bool ok = child_sink_finish(&w->ffmpeg, complaint) && !w->failed;
    if (!ok && was_started)
        message("%s: ffmpeg could not write it%s%s", w->path, *complaint ? ": " : "", complaint);
    if (ok && rename(w->temporary, w->path) != 0) {
        cannot_write(w->path, strerror(errno));
        ok = false;
    }
    if (ok)
        *w->temporary = '\0';
    forget_temporary(w);
    return ok ? EXIT_DONE : EXIT_FACILITY;
}

void video_write_drop(video_writer *w)
{
    child_sink_stop(&w->ffmpeg);
    forget_temporary(w);
}
