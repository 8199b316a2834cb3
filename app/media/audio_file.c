/*
 * Reads sounds with libsndfile (audio_file.h). More than two channels are mixed down in the order of
 * WAVE_FORMAT_EXTENSIBLE (front left, front right, centre, low, back or side pairs), centre and back at 0.7
 * as in ITU-R BS.775.
 */
#include "audio_file.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <sndfile.h>

#include "mmd/assemble.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"

/* Frames decoded at a time, and the largest accepted distance between a seek target and where the decoder
 * went. */
enum { BLOCK = 1024, RUN_UP_MAX = 100000 };

/* Limit in bytes for a sound in an archive, which is unpacked to memory: over 20 minutes of a studio WAV. */
enum { INSIDE_MAX = 512 << 20 };

/* Limits of a length that is believed: no format packs more frames into a byte than Opus, whose packets last
 * up to 120 ms. Far beyond the end of an Opus stream, libsndfile 1.2.0 searches for ever (found from frame
 * 4,000,000,000 on). */
#define FRAMES_A_BYTE 6000
#define OPUS_LONGEST  1000000000

struct audio_file {
    SNDFILE *sound;
    SF_INFO info;
    uint64_t size;       /* of the file, bytes */
    int64_t at;          /* below 0: so many frames of silence are left before the sound */
    int64_t inside;      /* frame where the decoder is */
    bool ended;          /* the decoder has reached the end */
    mmd_bytes bytes;     /* contents of a file in an archive; otherwise empty */
    int opened;          /* descriptor of another file; -1: it is in an archive */
    sf_count_t position; /* read position in bytes */
    float block[BLOCK * AUDIO_CHANNELS_MAX];
};

/* --- Kinds --- */

/* Tests whether bytes begin with a text, and have another one at offset 8. */
static bool begins(const char *bytes, size_t size, const char *text, const char *inner)
{
    size_t length = strlen(text);
    return size >= length && memcmp(bytes, text, length) == 0 &&
           (!inner || (size >= 8 + strlen(inner) && memcmp(bytes + 8, inner, strlen(inner)) == 0));
}

/* Tests whether bytes begin with an MPEG audio frame of layer III: eleven set bits, and valid version,
 * bitrate and sample rate. */
static bool begins_mp3(const unsigned char *bytes, size_t size)
{
    return size >= 4 && bytes[0] == 0xff && (bytes[1] & 0xe6) == 0xe2 && (bytes[1] & 0x18) != 0x08 &&
           (bytes[2] & 0xf0) != 0xf0 && (bytes[2] & 0xf0) != 0 && (bytes[2] & 0x0c) != 0x0c;
}

bool audio_is_sound(const void *bytes, size_t size)
{
    static const struct {
        const char *text, *inner;
    } kinds[] = {
        {"RIFF", "WAVE"}, {"RIFX", "WAVE"}, {"RF64", "WAVE"}, {"FORM", "AIF"}, {"OggS", NULL},
        {"fLaC", NULL},   {"ID3", NULL},    {"caff", NULL},   {".snd", NULL},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (begins(bytes, size, kinds[i].text, kinds[i].inner))
            return true;
    return begins_mp3(bytes, size);
}

/* Tests whether a path has the extension of a sound. Unpacking a file only to find that it is none would take
 * as long as reading it. */
static bool is_named_sound(const char *path)
{
    static const char *const endings[] = {".wav", ".ogg", ".oga", ".opus", ".flac", ".mp3", ".aif", ".aiff"};
    const char *dot = strrchr(mmd_path_name(path), '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static bool is_sound_inside(const char *path)
{
    mmd_bytes bytes = {0};
    char archive[MMD_FILE_PATH_MAX];
    if (!is_named_sound(path) || !mmd_locate_archive(path, archive) ||
        mmd_locate_read(path, &bytes, NULL) != MMD_OK)
        return false;
    bool is_sound = audio_is_sound(bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    return is_sound;
}

bool audio_file_is_sound(const char *path)
{
    char bytes[32];
    size_t size;
    mmd_status status = mmd_file_read_head(path, bytes, sizeof bytes, &size, NULL);
    return status == MMD_ERROR_NOT_FOUND ? is_sound_inside(path) : audio_is_sound(bytes, size);
}

/* --- Opening --- */

static mmd_status refuse_sound(const audio_file *file, mmd_error *error)
{
    const SF_INFO *info = &file->info;
    if (info->channels < 1 || info->channels > AUDIO_CHANNELS_MAX)
        return mmd_error_set(error, MMD_ERROR_UNSUPPORTED, "sound", MMD_NO_OFFSET,
                             "the sound has %d channels; only 1 to %d are supported", info->channels,
                             AUDIO_CHANNELS_MAX);
    if (info->samplerate < AUDIO_RATE_MIN || info->samplerate > AUDIO_RATE_MAX)
        return mmd_error_set(error, MMD_ERROR_UNSUPPORTED, "sound", MMD_NO_OFFSET,
                             "the sound has %d samples per second; only %d to %d are supported",
                             info->samplerate, AUDIO_RATE_MIN, AUDIO_RATE_MAX);
    return MMD_OK;
}

static mmd_status no_sound(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                         "not a supported sound file (WAV, OGG, FLAC, MP3)");
}

static sf_count_t io_size(void *user)
{
    return (sf_count_t)((audio_file *)user)->size;
}

static sf_count_t io_seek(sf_count_t offset, int whence, void *user)
{
    audio_file *file = user;
    sf_count_t size = io_size(user), from = whence == SEEK_CUR   ? file->position
                                            : whence == SEEK_END ? size
                                                                 : 0;
    if (offset < -from || offset > size - from)
        return -1;
    return file->position = from + offset;
}

static sf_count_t io_read(void *out, sf_count_t count, void *user)
{
    audio_file *file = user;
    sf_count_t left = io_size(user) - file->position;
    size_t got;
    if (count > left)
        count = left;
    if (count <= 0)
        return 0;
    got = (size_t)count;
    if (file->opened < 0)
        memcpy(out, file->bytes.data + file->position, got);
    else
        platform_read_at(file->opened, out, (size_t)count, (uint64_t)file->position, &got);
    file->position += (sf_count_t)got;
    return (sf_count_t)got;
}

static sf_count_t io_write(const void *data, sf_count_t count, void *user)
{
    (void)data, (void)count, (void)user;
    return 0;
}

static sf_count_t io_tell(void *user)
{
    return ((audio_file *)user)->position;
}

/* Unpacks a whole sound from an archive, since decoders seek. */
static mmd_status open_inside(audio_file *file, const char *path, mmd_error *error)
{
    mmd_status status = mmd_locate_read(path, &file->bytes, error);
    if (status != MMD_OK)
        return status;
    if (file->bytes.size > INSIDE_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "a sound in an archive must not be larger than %d MiB; unpack it first",
                             INSIDE_MAX >> 20);
    if (!audio_is_sound(file->bytes.data, file->bytes.size))
        return no_sound(error);
    file->size = file->bytes.size;
    return MMD_OK;
}

static mmd_status open_outside(audio_file *file, const char *path, mmd_error *error)
{
    char head[32];
    size_t got = 0;
    platform_info about = {.size = 0};
    mmd_status status = mmd_file_open(path, &file->opened, error);
    if (status != MMD_OK) {
        file->opened = -1;
        return status;
    }
    platform_read_at(file->opened, head, sizeof head, 0, &got);
    if (!audio_is_sound(head, got))
        return no_sound(error);
    platform_stat_open(file->opened, &about);
    file->size = about.size;
    return MMD_OK;
}

static bool is_opus(const audio_file *file)
{
    return (file->info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_OPUS;
}

/* Counts the frames by decoding them all where the header's number cannot be true or is missing, as in a
 * stream or in a damaged file. */
static mmd_status check_length(audio_file *file, mmd_error *error)
{
    uint64_t most = FRAMES_A_BYTE * (file->size + 1);
    if (is_opus(file) && most > OPUS_LONGEST)
        most = OPUS_LONGEST;
    if (file->info.frames < 0 || (uint64_t)file->info.frames <= most)
        return MMD_OK;
    sf_count_t count = 0, got;
    while ((got = sf_readf_float(file->sound, file->block, BLOCK)) > 0)
        count += got;
    file->info.frames = count;
    return sf_seek(file->sound, 0, SEEK_SET) == 0
               ? MMD_OK
               : mmd_error_set(error, MMD_ERROR_VALUE, "sound", MMD_NO_OFFSET, "it is damaged");
}

static mmd_status open_sound(audio_file *file, const char *path, mmd_error *error)
{
    char archive[MMD_FILE_PATH_MAX];
    SF_VIRTUAL_IO io = {
        .get_filelen = io_size, .seek = io_seek, .read = io_read, .write = io_write, .tell = io_tell};
    bool is_inside = !platform_exists(path) && mmd_locate_archive(path, archive);
    mmd_status status = is_inside ? open_inside(file, path, error) : open_outside(file, path, error);
    if (status != MMD_OK)
        return status;
    file->sound = sf_open_virtual(&io, SFM_READ, &file->info, file);
    if (!file->sound) {
        const char *why = sf_strerror(NULL);
        if (strstr(why, "does not exist")) /* libsndfile says so of a damaged MP3 */
            why = "it is damaged";
        return mmd_error_set(error, MMD_ERROR_VALUE, "sound", MMD_NO_OFFSET, "%.200s", why);
    }
    status = refuse_sound(file, error);
    return status == MMD_OK ? check_length(file, error) : status;
}

mmd_status audio_file_open(const char *path, audio_file **file, mmd_error *error)
{
    assert(path && file);
    mmd_error why = {0};
    audio_file *opened = mmd_alloc(sizeof *opened);
    *file = NULL;
    if (!opened)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "not enough memory for the sound");
    *opened = (audio_file){.opened = -1};
    mmd_status status = open_sound(opened, path, &why);
    if (status == MMD_OK) {
        *file = opened;
        return MMD_OK;
    }
    audio_file_close(opened);
    mmd_error_set_file(&why, path);
    if (error)
        *error = why;
    return status;
}

void audio_file_close(audio_file *file)
{
    if (!file)
        return;
    if (file->sound)
        sf_close(file->sound);
    if (file->opened >= 0)
        close(file->opened);
    mmd_bytes_finish(&file->bytes);
    mmd_free(file);
}

uint32_t audio_file_rate(const audio_file *file)
{
    return (uint32_t)file->info.samplerate;
}

bool audio_file_is_float(const audio_file *file)
{
    int kind = file->info.format & SF_FORMAT_SUBMASK;
    return kind == SF_FORMAT_FLOAT || kind == SF_FORMAT_DOUBLE;
}

int64_t audio_file_length(const audio_file *file)
{
    return file->info.frames > 0 ? file->info.frames : 0;
}

/* --- Reading --- */

/*
 * Returns how many frames before a target decoding has to start. After a seek, a coded stream is correct only
 * some packets later: the bits of an MP3 frame begin up to 511 bytes before it, and blocks of Vorbis overlap.
 * Measured with libsndfile 1.2.0 at 300 positions each: MP3 needs 4,608 frames, Vorbis 1,152.
 */
static int64_t run_up(const audio_file *file)
{
    int kind = file->info.format & SF_FORMAT_TYPEMASK;
    return kind == SF_FORMAT_OGG || kind == SF_FORMAT_MPEG ? 9216 : 0;
}

/* Decodes and discards everything before a frame. */
static void read_up_to(audio_file *file, int64_t frame)
{
    while (file->inside < frame && !file->ended) {
        int64_t count = frame - file->inside;
        sf_count_t got = sf_readf_float(file->sound, file->block, count < BLOCK ? count : BLOCK);
        file->ended = got <= 0;
        file->inside += got;
    }
}

void audio_file_seek(audio_file *file, int64_t frame)
{
    file->at = frame;
    int64_t wanted = frame > 0 ? frame : 0;
    if (wanted == file->inside && !file->ended)
        return;
    if (is_opus(file) && wanted >= file->info.frames) { /* it might be searched for without end */
        file->ended = true;
        file->inside = file->info.frames;
        return;
    }
    int64_t from = wanted > run_up(file) ? wanted - run_up(file) : 0;
    file->inside = sf_seek(file->sound, from, SEEK_SET);
    /* A decoder may stop one packet early; farther away it did not find the position at all. */
    file->ended = file->inside < 0 || file->inside > wanted || from - file->inside > RUN_UP_MAX;
    read_up_to(file, wanted);
}

/* Gains of channels for the left side, by number of channels. The right side is mirrored. */
typedef struct mix {
    float left[AUDIO_CHANNELS_MAX], right[AUDIO_CHANNELS_MAX];
} mix;

#define BACK 0.7f

static const mix mixes[AUDIO_CHANNELS_MAX + 1] = {
    [1] = {{1}, {1}},
    [2] = {{1, 0}, {0, 1}},
    [3] = {{1, 0, BACK}, {0, 1, BACK}},
    [4] = {{1, 0, BACK, 0}, {0, 1, 0, BACK}},
    [5] = {{1, 0, BACK, BACK, 0}, {0, 1, BACK, 0, BACK}},
    [6] = {{1, 0, BACK, 0, BACK, 0}, {0, 1, BACK, 0, 0, BACK}},
    [7] = {{1, 0, BACK, 0, 0.5f, BACK, 0}, {0, 1, BACK, 0, 0.5f, 0, BACK}},
    [8] = {{1, 0, BACK, 0, BACK, 0, BACK, 0}, {0, 1, BACK, 0, 0, BACK, 0, BACK}},
};

/* Limits to -1..1. NaN becomes silence. */
static float within_one(float value)
{
    return value >= -1.0f ? mmd_minf(value, 1.0f) : value < -1.0f ? -1.0f : 0.0f;
}

/* Returns the factor that keeps the mix within range if every channel is at full level. */
static float share_of(const float *gains, int channels)
{
    float sum = 0;
    for (int i = 0; i < channels; i++)
        sum += gains[i];
    return 1.0f / sum;
}

static void mix_down(const audio_file *file, float *out, size_t count)
{
    int channels = file->info.channels;
    const mix *m = &mixes[channels];
    float left_share = share_of(m->left, channels), right_share = share_of(m->right, channels);
    for (size_t i = 0; i < count; i++) {
        float left = 0, right = 0;
        for (int c = 0; c < channels; c++) {
            float value = within_one(file->block[i * (size_t)channels + (size_t)c]);
            left += value * m->left[c];
            right += value * m->right[c];
        }
        out[2 * i] = left * left_share;
        out[2 * i + 1] = right * right_share;
    }
}

/* Decodes at most one block. Returns 0 at the end. */
static size_t read_block(audio_file *file, float *out, size_t count)
{
    if (file->ended)
        return 0;
    sf_count_t got = sf_readf_float(file->sound, file->block, (sf_count_t)(count < BLOCK ? count : BLOCK));
    if (got <= 0) {
        file->ended = true;
        return 0;
    }
    mix_down(file, out, (size_t)got);
    file->inside += got;
    return (size_t)got;
}

static size_t silence(float *out, size_t count)
{
    memset(out, 0, count * AUDIO_SIDES * sizeof *out);
    return count;
}

void audio_file_read(audio_file *file, float *out, size_t count)
{
    while (count) {
        size_t before = file->at < 0 ? (size_t) - (file->at + 1) + 1 : 0, got;
        if (before) {
            got = silence(out, before < count ? before : count);
            file->at += (int64_t)got;
        } else {
            got = read_block(file, out, count);
        }
        if (got == 0)
            got = silence(out, count);
        out += got * AUDIO_SIDES;
        count -= got;
    }
}

bool audio_file_ended(const audio_file *file)
{
    return file->ended;
}
