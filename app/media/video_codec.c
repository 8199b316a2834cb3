/* The table, and ffmpeg's list of encoders: see video_codec.h. */
#include "video_codec.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "video_child_internal.h"

static const video_codec codecs[] = {
    {.name = "h264",
     .title = "H.264",
     .endings = ".mp4 .m4v .mov .mkv .avi",
     .formats = {{"yuv420p", NULL}, {NULL, NULL}},
     .halves = true,
     .encoders = {{"libx264", {"-crf", "18"}}, {"libopenh264", {"-b:v", "12M"}}}},
    {.name = "vp9",
     .title = "VP9",
     .endings = ".webm .mkv .mp4",
     .formats = {{"yuv420p", NULL}, {"yuva420p", NULL}},
     .alpha_options = {"-auto-alt-ref", "0"},
     .halves = true,
     .encoders = {{"libvpx-vp9", {"-crf", "20", "-b:v", "0", "-row-mt", "1", "-cpu-used", "2"}}}},
    {.name = "prores",
     .title = "ProRes 422 HQ, 4444",
     .endings = ".mov .mkv",
     .formats = {{"yuv422p10le", "yuv422p10le"}, {"yuva444p10le", "yuva444p10le"}},
     .halves = true,
     .encoders = {{"prores_ks", {"-vendor", "apl0"}}}},
    {.name = "ffv1",
     .title = "FFV1, lossless",
     .endings = ".mkv .avi",
     .formats = {{"bgr0", "gbrp16le"}, {"bgra", "gbrap16le"}},
     .lossless = true,
     .encoders = {{"ffv1", {"-level", "3", "-g", "1", "-slicecrc", "1"}}}},
    {.name = "mpeg4",
     .title = "MPEG-4 part 2",
     .endings = ".avi .mp4 .mkv .mov",
     .formats = {{"yuv420p", NULL}, {NULL, NULL}},
     .halves = true,
     .encoders = {{"mpeg4", {"-q:v", "2"}}}},
};

/* Sound: what players of such files have, and what keeps its place in them to the sample (AAC in Matroska is
 * a packet late). */
static const struct {
    const char *ending, *container, *codec, *sound;
} files[] = {
    {".mp4", "mp4", "h264", "aac"},         {".m4v", "mp4", "h264", "aac"},
    {".mov", "mov", "prores", "pcm_s16le"}, {".mkv", "matroska", "h264", "flac"},
    {".webm", "webm", "vp9", "libopus"},    {".avi", "avi", "mpeg4", "pcm_s16le"},
};

enum { CODECS = sizeof codecs / sizeof *codecs, FILES = sizeof files / sizeof *files };

const video_codec *video_codec_named(const char *name)
{
    for (size_t i = 0; i < CODECS; i++)
        if (strcmp(codecs[i].name, name) == 0)
            return &codecs[i];
    return NULL;
}

/* Its place in the table of files; FILES: none. */
static size_t find_ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    size_t i = 0;
    while (i < FILES && (!dot || strcasecmp(dot, files[i].ending) != 0))
        i++;
    return i;
}

const video_codec *video_codec_of(const char *path)
{
    size_t at = find_ending(path);
    return at < FILES ? video_codec_named(files[at].codec) : NULL;
}

const char *video_container_of(const char *path)
{
    size_t at = find_ending(path);
    return at < FILES ? files[at].container : NULL;
}

const char *video_sound_codec_of(const char *path)
{
    size_t at = find_ending(path);
    return at < FILES ? files[at].sound : NULL;
}

/* Whether a list of words holds this one. */
static bool has_word(const char *list, const char *word)
{
    for (size_t length = strlen(word); *list; list += strspn(list, " ")) {
        size_t size = strcspn(list, " ");
        if (size == length && strncasecmp(list, word, size) == 0)
            return true;
        list += size;
    }
    return false;
}

int video_codec_check(const video_codec *codec, const char *path, bool alpha, uint32_t bits)
{
    size_t at = find_ending(path);
    if (at == FILES || !has_word(codec->endings, files[at].ending)) {
        message("%s: %s does not go into such a file, but into %s", path, codec->title, codec->endings);
        return EXIT_USAGE;
    }
    if (alpha && (!codec->formats[1][0] || (strcmp(codec->name, "vp9") == 0 && at == 0))) {
        message("%s: %s has no transparency%s; VP9 (.webm) and ProRes (.mov) have", path, codec->title,
                codec->formats[1][0] ? " in such a file" : "");
        return EXIT_USAGE;
    }
    if (bits == 16 && !codec->formats[alpha][1]) {
        message("%s: %s keeps 8 bits, not --bits 16; ProRes keeps 10 of them, ffv1 all", path, codec->title);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* --- What is installed --- */

enum { LIST_MAX = 1 << 18 };

/* ffmpeg's list of encoders, with a NUL; from mmd_alloc. NULL: told why. */
static char *read_encoders(void)
{
    static const char *const arguments[] = {"ffmpeg", "-hide_banner", "-loglevel",
                                            "error",  "-encoders",    NULL};
    child_source ffmpeg;
    char *list = mmd_alloc(LIST_MAX);
    if (!list) {
        message("out of memory");
        return NULL;
    }
    bool ok = child_start(&ffmpeg, arguments, "writing videos") == EXIT_DONE;
    list[ok ? child_read(&ffmpeg, list, LIST_MAX - 1) : 0] = '\0';
    bool finished = child_finish(&ffmpeg);
    if (ok && !finished)
        message("ffmpeg does not say which encoders it has");
    if (ok && finished)
        return list;
    mmd_free(list);
    return NULL;
}

/* Its lines are " V....D libx264   libx264 H.264 (codec h264)". */
static bool is_listed(const char *list, const char *encoder)
{
    size_t length = strlen(encoder);
    for (const char *line = list; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n ");
        const char *name = line + strcspn(line, " \n");
        name += strspn(name, " ");
        if (*line == 'V' && strncmp(name, encoder, length) == 0 &&
            (name[length] == ' ' || name[length] == '\n'))
            return true;
    }
    return false;
}

static const video_encoder *first_listed(const video_codec *codec, const char *list)
{
    for (int i = 0; i < VIDEO_ENCODERS_MAX && codec->encoders[i].name; i++)
        if (is_listed(list, codec->encoders[i].name))
            return &codec->encoders[i];
    return NULL;
}

int video_codec_find_encoder(const video_codec *codec, const video_encoder **encoder)
{
    char *list = read_encoders();
    if (!list)
        return EXIT_FACILITY;
    *encoder = first_listed(codec, list);
    mmd_free(list);
    if (*encoder)
        return EXIT_DONE;
    message("this ffmpeg has no encoder for %s (%s); odori render --codecs lists what it has", codec->title,
            codec->encoders[0].name);
    return EXIT_FACILITY;
}

int video_codec_list(void)
{
    char *list = read_encoders();
    if (!list)
        return EXIT_FACILITY;
    for (size_t i = 0; i < CODECS; i++) {
        const video_codec *c = &codecs[i];
        const video_encoder *encoder = first_listed(c, list);
        printf("%-8s%-22s%-26s%-16s%s\n", c->name, c->title, c->endings,
               encoder ? encoder->name : "not installed", c->formats[1][0] ? "transparency" : "");
    }
    mmd_free(list);
    return EXIT_DONE;
}
