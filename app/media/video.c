#include "video.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "audio_file.h"
#include "base/message.h"
#include "base/output.h"
#include "base/system.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "video_child_internal.h"

/* ------------------------------------------------------------- reading */

struct video {
    const char *path, *name;    /* for messages */
    const char *container;      /* ffmpeg's name of the container */
    int file;                   /* the opened file, which ffmpeg reads; -1 for none */
    char input[CHILD_NAME_MAX]; /* its name for ffmpeg */
    size_t first;               /* first picture to read */
    video_info info;
    child_source ffmpeg;
    mmd_image frame;
    mmd_image16 frame16; /* used instead, with 16 bits */
    uint32_t bits;
};

/* --- ffprobe --- */

/* Reads a rate: "30000/1001" or "30". */
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
        info->frames = (size_t)strtoull(value, NULL, 10);
    else if (strcmp(key, "duration") == 0 && *value >= '0' && *value <= '9')
        *duration = strtod(value, NULL);
}

/* Parses ffprobe's key=value lines. */
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

/* Returns what follows the name that a file has for ffmpeg, or the whole complaint where it is not named. */
static const char *skip_alias(const char *complaint, const char *alias)
{
    const char *at = strstr(complaint, alias);
    at = at ? at + strlen(alias) : NULL;
    return at && strncmp(at, ": ", 2) == 0 ? at + 2 : complaint;
}

static int no_video(const video *v, const child_source *c)
{
    const char *why = skip_alias(c->complaint, v->input);
    int length = (int)strcspn(why, "\r\n");
    message("%s: cannot be read as a video%s%.*s", v->name, length ? ": " : "", length, why);
    return EXIT_INPUT;
}

static int probe(video *v)
{
    char text[2048];
    /* Files that refer to others must not reach anything else, so ffmpeg does not guess what they are. */
    const char *const arguments[] = {"ffprobe",
                                     "-v",
                                     "error",
                                     "-protocol_whitelist",
                                     "file,pipe",
                                     "-f",
                                     v->container,
                                     "-select_streams",
                                     "v:0",
                                     "-show_entries",
                                     "stream=width,height,avg_frame_rate,nb_frames:format=duration",
                                     "-of",
                                     "default=noprint_wrappers=1",
                                     v->input,
                                     NULL};
    child_source ffprobe;
    int result = child_start(&ffprobe, arguments, (child_files){v->file, -1}, "reading videos");
    if (result == EXIT_DONE) {
        text[child_read(&ffprobe, text, sizeof text - 1)] = '\0';
        child_drain(&ffprobe);
    }
    bool ok = child_finish(&ffprobe);
    if (result != EXIT_DONE)
        return result;
    take_facts(&v->info, text);
    if (!ok || v->info.width == 0 || v->info.height == 0)
        return no_video(v, &ffprobe);
    return EXIT_DONE;
}

const char *video_container(const uint8_t *data, size_t size)
{
    static const struct {
        size_t at, size;
        const char *bytes, *name;
    } magics[] = {
        {8, 4, "AVI ", "avi"},
        {4, 4, "ftyp", "mov"}, /* also MP4 */
        {4, 4, "moov", "mov"}, /* old files */
        {4, 4, "mdat", "mov"},
        {0, 4, "\x1a\x45\xdf\xa3", "matroska"}, /* also WebM */
        {0, 4, "OggS", "ogg"},
        {0, 3, "FLV", "flv"},
        {0, 4, "\x30\x26\xb2\x75", "asf"}, /* also WMV */
        {0, 9, "YUV4MPEG2", "yuv4mpegpipe"},
        {0, 4, "\x00\x00\x01\xba", "mpeg"},
        {0, 4, "\x00\x00\x01\xb3", "mpegvideo"},
        {0, 8, "\x06\x0e\x2b\x34\x02\x05\x01\x01", "mxf"},
    };
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (size >= magics[i].at + magics[i].size &&
            memcmp(data + magics[i].at, magics[i].bytes, magics[i].size) == 0)
            return magics[i].name;
    return size > 188 && data[0] == 0x47 && data[188] == 0x47 ? "mpegts" : NULL;
}

bool video_is_one(const uint8_t *data, size_t size)
{
    return video_container(data, size) != NULL;
}

static int start_ffmpeg(video *v)
{
    char select[64];
    snprintf(select, sizeof select, "select=gte(n\\,%zu)", v->first);
    const char *const arguments[] = {"ffmpeg",
                                     "-nostdin",
                                     "-v",
                                     "error",
                                     "-protocol_whitelist",
                                     "file,pipe",
                                     "-f",
                                     v->container,
                                     "-noautorotate",
                                     "-i",
                                     v->input,
                                     "-map",
                                     "0:v:0",
                                     "-vf",
                                     v->first ? select : "null",
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
    return child_start(&v->ffmpeg, arguments, (child_files){v->file, -1}, "reading videos");
}

/* Opens a video file and recognises its container. Returns an exit code. */
static int open_container(const char *path, const char *name, int *file, const char **container)
{
    uint8_t head[256];
    mmd_error error = {0};
    if (mmd_file_open(path, file, &error) != MMD_OK) {
        *file = -1;
        *error.file = '\0';
        mmd_error_set_file(&error, name);
        return report(&error);
    }
    size_t size = 0;
    platform_read_at(*file, head, sizeof head, 0, &size);
    *container = video_container(head, size);
    return EXIT_DONE;
}

static int open_file(video *v)
{
    mmd_error error = {0};
    child_name_input(v->path, v->input);
    int result = open_container(v->path, v->name, &v->file, &v->container);
    if (result == EXIT_DONE && !v->container) {
        message("%s: not a video in a known container; convert it to MP4, MOV, MKV, WebM or AVI", v->name);
        return EXIT_INPUT;
    }
    if (result == EXIT_DONE)
        result = probe(v);
    if (result == EXIT_DONE) {
        mmd_status status = v->bits == 16
                                ? mmd_image16_init(&v->frame16, v->info.width, v->info.height, &error)
                                : mmd_image_init(&v->frame, v->info.width, v->info.height, &error);
        if (status != MMD_OK) {
            mmd_error_set_file(&error, v->name);
            result = report(&error);
        }
    }
    return result == EXIT_DONE ? start_ffmpeg(v) : result;
}

static int open_video(const video *wanted, video **result)
{
    video *v = mmd_alloc(sizeof *v);
    *result = v;
    if (!v) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    *v = *wanted;
    v->ffmpeg = (child_source){.out = -1, .err = -1};
    v->file = -1;
    return open_file(v);
}

int video_open(const char *path, video **result)
{
    return video_open_as(path, 8, result);
}

int video_open_as(const char *path, uint32_t bits, video **result)
{
    return open_video(&(video){.path = path, .name = path, .bits = bits}, result);
}

int video_open_at(const char *path, const char *name, size_t first, video **result)
{
    return open_video(&(video){.path = path, .name = name, .bits = 8, .first = first}, result);
}

void video_close(video *v)
{
    if (!v)
        return;
    system_process_kill(&v->ffmpeg.process);
    child_finish(&v->ffmpeg);
    if (v->file >= 0)
        close(v->file);
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
    return child_finish(&v->ffmpeg) && done == 0 ? EXIT_DONE : no_video(v, &v->ffmpeg);
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

int video_read_tag(const char *path, char text[VIDEO_TAG_MAX])
{
    char list[VIDEO_TAG_MAX], input[CHILD_NAME_MAX];
    int file;
    const char *container = NULL;
    /* ffprobe prints "TAG:NAME=text"; Matroska has upper-case names. */
    static const char name[] = "TAG:odori=";
    *text = '\0';
    int result = open_container(path, path, &file, &container);
    if (result != EXIT_DONE || !container) {
        if (file >= 0)
            close(file);
        return result;
    }
    child_name_input(path, input);
    const char *const arguments[] = {
        "ffprobe",       "-v",          "error", "-protocol_whitelist",        "file,pipe", "-f", container,
        "-show_entries", "format_tags", "-of",   "default=noprint_wrappers=1", input,       NULL};
    child_source ffprobe;
    result = child_start(&ffprobe, arguments, (child_files){file, -1}, "joining videos");
    list[result == EXIT_DONE ? child_read(&ffprobe, list, sizeof list - 1) : 0] = '\0';
    if (result == EXIT_DONE)
        child_drain(&ffprobe);
    bool ok = child_finish(&ffprobe);
    close(file);
    for (char *line = strtok(list, "\r\n"); ok && line && !*text; line = strtok(NULL, "\r\n"))
        if (strncasecmp(line, name, sizeof name - 1) == 0)
            snprintf(text, VIDEO_TAG_MAX, "%s", line + sizeof name - 1);
    return result;
}

/* ------------------------------------------- kinds of video to write */

enum { ENCODERS_MAX = 3, OPTIONS_MAX = 12 };

/* One of ffmpeg's encoders, and its options. */
struct video_encoder {
    const char *name; /* NULL after the last */
    const char *options[OPTIONS_MAX];
};

struct video_codec {
    const char *name, *title, *endings;   /* ".mp4 .mov" */
    const char *formats[2][2];            /* pixel formats, by alpha and 16 bits; NULL if unsupported */
    const char *alpha_options[5];         /* additional options with alpha; NULL after the last */
    bool halves;                          /* chroma subsampling: sizes have to be even */
    bool lossless;                        /* pictures are preserved exactly */
    video_encoder encoders[ENCODERS_MAX]; /* the first that is installed is used */
};

static const video_codec codecs[] = {
    {.name = "h264",
     .title = "H.264",
     .endings = ".mp4 .m4v .mov .mkv .avi",
     .formats = {{"yuv420p", NULL}, {NULL, NULL}},
     .halves = true,
     .encoders = {{"libx264", {"-preset", "veryfast", "-crf", "16"}}, {"libopenh264", {"-b:v", "12M"}}}},
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

/* Audio codecs: supported by usual players, and sample-exact in their container (AAC in Matroska is one
 * packet late). */
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

/* Finds an extension in the table of files; FILES if there is none. */
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

/* Tests whether a list of words contains a word. */
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
        message("%s: %s is not possible in such a file; use %s", path, codec->title, codec->endings);
        return EXIT_USAGE;
    }
    if (alpha && (!codec->formats[1][0] || (strcmp(codec->name, "vp9") == 0 && at == 0))) {
        message("%s: %s has no transparency%s; use VP9 (.webm) or ProRes (.mov)", path, codec->title,
                codec->formats[1][0] ? " in such a file" : "");
        return EXIT_USAGE;
    }
    if (bits == 16 && !codec->formats[alpha][1]) {
        message("%s: %s stores 8 bits, not the 16 of --bits; use ProRes, which stores 10, or ffv1, which "
                "stores 16",
                path, codec->title);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* --- What is installed --- */

enum { LIST_MAX = 1 << 18 };

/* Asks ffmpeg for its list of encoders. Returns it from mmd_alloc, NUL-terminated; NULL after printing the
 * reason. */
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
    bool ok = child_start(&ffmpeg, arguments, (child_files){-1, -1}, "writing videos") == EXIT_DONE;
    list[ok ? child_read(&ffmpeg, list, LIST_MAX - 1) : 0] = '\0';
    bool finished = child_finish(&ffmpeg);
    if (ok && !finished)
        message("ffmpeg does not list its encoders");
    if (ok && finished)
        return list;
    mmd_free(list);
    return NULL;
}

/*
 * Tests whether ffmpeg's list has an encoder. Lines look like " V....D libx264   libx264 H.264 (codec h264)".
 */
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
    for (int i = 0; i < ENCODERS_MAX && codec->encoders[i].name; i++)
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
    message("the installed ffmpeg has no encoder for %s (%s); odori render --codecs lists those it has",
            codec->title, codec->encoders[0].name);
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

/* ------------------------------------------------------------- writing */

/* A sound that ffmpeg reads. */
typedef struct sound_input {
    int file;                  /* descriptor; -1 for none */
    FILE *scratch;             /* an unpacked sound, which lies there until ffmpeg has ended; NULL for none */
    const char *container;     /* ffmpeg's name of its format */
    char name[CHILD_NAME_MAX]; /* its name for ffmpeg */
    char filter[240];
} sound_input;

struct video_writer {
    output out; /* stream is NULL before it is opened */
    sound_input sound;
    child_sink ffmpeg;
    char name[CHILD_NAME_MAX]; /* of the file for ffmpeg */
    size_t picture_size;       /* bytes */
    bool failed;
};

/* --- Sound --- */

/* Describes a sound file for ffmpeg's filters. */
static double rate_of(const char *path, bool *is_float)
{
    audio_file *file;
    *is_float = false;
    if (audio_file_open(path, &file, NULL) != MMD_OK)
        return 48000;
    double rate = audio_file_rate(file);
    *is_float = audio_file_is_float(file);
    audio_file_close(file);
    return rate;
}

/* Returns the number of bytes of an ID3 tag at the start of a file, which other formats than MP3 may follow.
 */
static uint32_t skip_id3(const uint8_t head[10])
{
    if (memcmp(head, "ID3", 3) != 0)
        return 0;
    return 10 + ((uint32_t)(head[6] & 127) << 21) + ((head[7] & 127) << 14) + ((head[8] & 127) << 7) +
           (head[9] & 127);
}

/* Returns ffmpeg's name of the format of a sound, by its content; NULL for an unknown one. */
static const char *sound_container(int file)
{
    static const struct {
        const char *bytes, *name;
    } magics[] = {{"RIFF", "wav"}, {"RIFX", "wav"},  {"RF64", "wav"}, {"FORM", "aiff"},
                  {"OggS", "ogg"}, {"fLaC", "flac"}, {"caff", "caf"}, {".snd", "au"}};
    uint8_t head[32] = {0};
    size_t got;
    if (!platform_read_at(file, head, sizeof head, 0, &got) || got == 0)
        return NULL;
    uint32_t skipped = skip_id3(head);
    if (skipped && (!platform_read_at(file, head, sizeof head, skipped, &got) || got == 0))
        return NULL;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (memcmp(head, magics[i].bytes, 4) == 0)
            return magics[i].name;
    return skipped || audio_is_sound(head, sizeof head) ? "mp3" : NULL;
}

/* Copies a file of an archive to a file without a name. Returns false with error set. */
static bool unpack(const char *path, sound_input *in, mmd_error *error)
{
    mmd_bytes bytes = {0};
    char unpacked[MMD_FILE_PATH_MAX];
    if (mmd_locate_read(path, &bytes, error) != MMD_OK)
        return false;
    FILE *file = in->scratch = system_scratch_file();
    bool ok = file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size && fflush(file) == 0 &&
              system_scratch_path(file, unpacked);
    in->file = ok ? system_duplicate(fileno(file)) : -1;
    if (in->file < 0)
        mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "cannot be unpacked: %s", strerror(errno));
    else
        child_name_input(unpacked, in->name);
    mmd_bytes_finish(&bytes);
    return in->file >= 0;
}

static void close_sound(sound_input *in)
{
    if (in->file >= 0)
        close(in->file);
    if (in->scratch)
        fclose(in->scratch);
    in->file = -1;
    in->scratch = NULL;
}

/* Opens the sound, if there is one. Returns an exit code. */
static int open_sound(const video_sound *sound, sound_input *in)
{
    char archive[MMD_FILE_PATH_MAX];
    mmd_error error = {0};
    bool opened;
    *in = (sound_input){.file = -1};
    if (!*sound->path)
        return EXIT_DONE;
    if (!platform_exists(sound->path) && mmd_locate_archive(sound->path, archive)) {
        opened = unpack(sound->path, in, &error);
    } else {
        child_name_input(sound->path, in->name);
        opened = mmd_file_open(sound->path, &in->file, &error) == MMD_OK;
    }
    if (!opened) {
        in->file = -1;
        mmd_error_set_file(&error, sound->path);
        return report(&error);
    }
    in->container = sound_container(in->file);
    if (in->container)
        return EXIT_DONE;
    message("%s: not a supported sound file (WAV, OGG, FLAC, MP3)", sound->path);
    return EXIT_INPUT;
}

enum { SOUND_ARGUMENTS = 14 };

/* Lists ffmpeg's arguments for the sound, which come between those of the pictures (its first input) and
 * those of the file. The sound is placed to the sample, with silence before and after it, by a filter that
 * counts samples, because seeking in the input is only as exact as its container. Returns the number of
 * arguments, some of which refer to in. */
static size_t list_sound(const video_sound *sound, sound_input *in, const char *list[SOUND_ARGUMENTS])
{
    if (in->file < 0)
        return 0;
    /* Encoders end at samples that are no numbers or beyond reason. These become silence, as in play. */
    static const char silencer[] = "aeval=if(lte(abs(val(ch))\\,1e9)\\,val(ch)\\,0):c=same,";
    bool is_float;
    double rate = rate_of(sound->path, &is_float);
    long long from = llround((sound->start - sound->offset) * rate), length = llround(sound->length * rate);
    snprintf(in->filter, sizeof in->filter,
             "%satrim=start_sample=%lld,asetpts=PTS-STARTPTS,adelay=%lldS:all=1,apad=whole_len=%lld,"
             "atrim=end_sample=%lld",
             is_float ? silencer : "", from > 0 ? from : 0, from < 0 ? -from : 0, length, length);
    const char *const arguments[SOUND_ARGUMENTS] = {"-protocol_whitelist",
                                                    "file,pipe",
                                                    "-f",
                                                    in->container,
                                                    "-i",
                                                    in->name,
                                                    "-map",
                                                    "0:v:0",
                                                    "-map",
                                                    "1:a:0",
                                                    "-af",
                                                    in->filter,
                                                    "-b:a",
                                                    "192k"};
    memcpy(list, arguments, sizeof arguments);
    return SOUND_ARGUMENTS;
}

/* --- ffmpeg's arguments --- */

/* Arguments, and the texts that some of them refer to. */
typedef struct argument_list {
    const char *items[96];
    size_t count;
    char size[32], rate[40], picture[400], tag[1200];
} argument_list;

/* Appends arguments up to a NULL, or `count` of them. */
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
    const char *const input[] = {
        "ffmpeg",   "-y",   "-loglevel", "error",    "-protocol_whitelist", "file,pipe", "-f", "rawvideo",
        "-pix_fmt", format, "-s",        list->size, "-framerate",          list->rate,  "-i", "-"};
    append(list, input, sizeof input / sizeof *input);
}

/* Appends colour options: BT.709, and marked as such, because players assume it for large videos anyway. Odd
 * sizes get an additional row or column, because most players need subsampled chroma. */
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
    append(list, kind->encoder->options, OPTIONS_MAX);
    if (strcmp(kind->codec->name, "prores") == 0) {
        const char *const profile[] = {"-profile:v", kind->alpha ? "4444" : "hq"};
        append(list, profile, 2);
    }
    if (kind->alpha)
        append(list, kind->codec->alpha_options, 5);
}

static void append_output(argument_list *list, const video_kind *kind, const video_writer *w)
{
    const char *const exact[] = {"-fflags",  "+bitexact",
                                 "-flags:v", "+bitexact",
                                 "-f",       w->out.path ? video_container_of(w->out.path) : "null",
                                 w->name};
    if (*kind->sound.path) {
        const char *const sound[] = {"-c:a", files[find_ending(w->out.path)].sound};
        append(list, sound, 2);
    }
    if (kind->tag) {
        snprintf(list->tag, sizeof list->tag, "odori=%s", kind->tag);
        const char *const tag[] = {"-metadata", list->tag};
        append(list, tag, 2);
    }
    append(list, exact, sizeof exact / sizeof *exact);
    list->items[list->count] = NULL;
}

/* --- The file --- */

/* Creates the file, if there is to be one, unless there is something that is no file. Returns an exit code.
 */
static int open_output(video_writer *w, const char *path)
{
    platform_info about;
    if (!path)
        return EXIT_DONE;
    if (platform_stat(path, &about) && about.kind != PLATFORM_FILE) {
        message("%s: cannot be written: %s", path,
                about.kind == PLATFORM_FOLDER ? strerror(EISDIR) : "it is not a file");
        return EXIT_FACILITY;
    }
    return output_open(&w->out, path) ? EXIT_DONE : EXIT_FACILITY;
}

/* Starts ffmpeg, which writes the file. Returns an exit code. */
static int start_writing(video_writer *w, const video_kind *kind)
{
    argument_list list = {.count = 0};
    const char *heard[SOUND_ARGUMENTS];
    int code = open_sound(&kind->sound, &w->sound);
    if (code != EXIT_DONE)
        return code;
    if (w->out.path)
        child_name_output(*w->out.temporary ? w->out.temporary : w->out.target, w->name);
    else
        snprintf(w->name, sizeof w->name, "-");
    append_input(&list, kind);
    append(&list, heard, list_sound(&kind->sound, &w->sound, heard));
    append_colors(&list, kind);
    append_codec(&list, kind);
    append_output(&list, kind, w);
    return child_sink_start(&w->ffmpeg, list.items,
                            (child_files){w->sound.file, w->out.path ? fileno(w->out.stream) : -1},
                            "writing videos");
}

int video_write_open(video_writer **result, const char *path, const video_kind *kind)
{
    assert(path || !*kind->sound.path);
    video_writer *w = *result = mmd_alloc(sizeof *w);
    if (!w) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    *w = (video_writer){.sound.file = -1,
                        .ffmpeg = {.in = -1, .err = -1},
                        .picture_size = (size_t)kind->width * kind->height * (kind->bits == 16 ? 8 : 4)};
    int code = open_output(w, path);
    if (code == EXIT_DONE)
        code = start_writing(w, kind);
    w->failed = code != EXIT_DONE;
    return code;
}

/* Does not report a failure: video_write_end does, when the reason is known. */
int video_write(video_writer *w, const void *pixels)
{
    w->failed = w->failed || !child_sink_write(&w->ffmpeg, pixels, w->picture_size);
    return w->failed ? EXIT_FACILITY : EXIT_DONE;
}

/* Waits until the file is complete and puts it in place. Returns an exit code. */
static int finish(video_writer *w, int result)
{
    char complaint[CHILD_COMPLAINT_MAX];
    if (!w->ffmpeg.process.id) { /* already reported */
        child_sink_stop(&w->ffmpeg);
        return result == EXIT_DONE ? EXIT_FACILITY : result;
    }
    bool ok = child_sink_finish(&w->ffmpeg, complaint) && !w->failed;
    if (!ok) {
        const char *why = skip_alias(complaint, w->name);
        message("%s: ffmpeg could not write it%s%s", w->out.path ? w->out.path : "video", *why ? ": " : "",
                why);
        return EXIT_FACILITY;
    }
    ok = !w->out.path || output_commit(&w->out);
    w->out.stream = NULL;
    return ok ? EXIT_DONE : EXIT_FACILITY;
}

int video_write_end(video_writer *w, int result)
{
    if (!w)
        return EXIT_FACILITY;
    if (result == EXIT_DONE || w->failed)
        result = finish(w, result);
    else
        child_sink_stop(&w->ffmpeg);
    close_sound(&w->sound);
    output_drop(&w->out);
    mmd_free(w);
    return result;
}
