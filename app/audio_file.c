/*
 * Sounds by libsndfile: see audio_file.h. More channels than two are mixed down
 * in the order of WAVE_FORMAT_EXTENSIBLE (front left, front right, centre, low,
 * back or side pairs), the centre and the back at 0.7 as in ITU-R BS.775.
 */
#include "audio_file.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sndfile.h>

#include "mmd/memory.h"

/* Frames: decoded at a time; at most between where a decoder was told to go to and where it went. */
enum { BLOCK = 1024, RUN_UP_MAX = 100000 };

struct audio_file {
    SNDFILE *sound;
    SF_INFO info;
    int64_t at;     /* frame that is read next */
    int64_t inside; /* frame the decoder is at */
    bool ended;     /* nothing comes behind `inside` */
    float block[BLOCK * AUDIO_CHANNELS_MAX];
};

/* --- Kinds --- */

/* Whether bytes begin with text, and at place 8 with another. */
static bool begins(const char *bytes, size_t size, const char *text, const char *inner)
{
    size_t length = strlen(text);
    return size >= length && memcmp(bytes, text, length) == 0 &&
           (!inner || (size >= 8 + strlen(inner) && memcmp(bytes + 8, inner, strlen(inner)) == 0));
}

/* An MPEG audio frame of layer III: eleven bits set, a version, a bitrate and a rate that exist. */
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

bool audio_file_is_sound(const char *path)
{
    char bytes[32];
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return false;
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    return audio_is_sound(bytes, size);
}

/* --- Opening --- */

static mmd_status refuse_sound(const audio_file *file, mmd_error *error)
{
    const SF_INFO *info = &file->info;
    if (info->channels < 1 || info->channels > AUDIO_CHANNELS_MAX)
        return mmd_error_set(error, MMD_ERROR_UNSUPPORTED, "sound", MMD_NO_OFFSET,
                             "%d channels, where 1 to %d can be played", info->channels, AUDIO_CHANNELS_MAX);
    if (info->samplerate < AUDIO_RATE_MIN || info->samplerate > AUDIO_RATE_MAX)
        return mmd_error_set(error, MMD_ERROR_UNSUPPORTED, "sound", MMD_NO_OFFSET,
                             "%d samples a second, where %d to %d can be played", info->samplerate,
                             AUDIO_RATE_MIN, AUDIO_RATE_MAX);
    return MMD_OK;
}

static mmd_status open_sound(audio_file *file, const char *path, mmd_error *error)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return mmd_error_set(error, errno == ENOENT ? MMD_ERROR_NOT_FOUND : MMD_ERROR_IO, "", MMD_NO_OFFSET,
                             "cannot be opened: %s", strerror(errno));
    fclose(stream);
    if (!audio_file_is_sound(path))
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "not a sound that is known (WAV, OGG, FLAC, MP3)");
    file->sound = sf_open(path, SFM_READ, &file->info);
    if (!file->sound)
        return mmd_error_set(error, MMD_ERROR_VALUE, "sound", MMD_NO_OFFSET, "%.200s", sf_strerror(NULL));
    return refuse_sound(file, error);
}

mmd_status audio_file_open(const char *path, audio_file **file, mmd_error *error)
{
    assert(path && file);
    mmd_error why = {0};
    audio_file *opened = mmd_alloc(sizeof *opened);
    *file = NULL;
    if (!opened)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a sound");
    *opened = (audio_file){0};
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
    if (file && file->sound)
        sf_close(file->sound);
    mmd_free(file);
}

uint32_t audio_file_rate(const audio_file *file)
{
    return (uint32_t)file->info.samplerate;
}

int64_t audio_file_length(const audio_file *file)
{
    return file->info.frames > 0 ? file->info.frames : 0;
}

/* --- Reading --- */

/*
 * A coded stream is right only some packets behind where it was gone to: the
 * bits of an MP3's frame begin up to 511 bytes before it, blocks of Vorbis
 * overlap. Measured on libsndfile 1.2.0 at 300 places each: MP3 needs 4,608
 * frames, Vorbis 1,152.
 */
static int64_t run_up(const audio_file *file)
{
    int kind = file->info.format & SF_FORMAT_TYPEMASK;
    return kind == SF_FORMAT_OGG || kind == SF_FORMAT_MPEG ? 9216 : 0;
}

/* Decodes and forgets everything before a frame. */
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
    int64_t from = wanted > run_up(file) ? wanted - run_up(file) : 0;
    file->inside = sf_seek(file->sound, from, SEEK_SET);
    /* A decoder may stop at a packet before; further away it did not find the place at all. */
    file->ended = file->inside < 0 || file->inside > wanted || from - file->inside > RUN_UP_MAX;
    read_up_to(file, wanted);
}

/* What a speaker on the left adds to the left side; by number of channels. On the right: as if mirrored. */
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

/* NaN is silence. */
static float within_one(float value)
{
    return value >= -1.0f ? fminf(value, 1.0f) : value < -1.0f ? -1.0f : 0.0f;
}

/* Loud in every channel at once is as loud as one may be. */
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

/* What comes out of the decoder, at most a block; 0: the end. */
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
        size_t before = file->at < 0 ? (size_t)-file->at : 0, got;
        if (before)
            got = silence(out, before < count ? before : count);
        else
            got = read_block(file, out, count);
        if (got == 0)
            got = silence(out, count);
        file->at += (int64_t)got;
        out += got * AUDIO_SIDES;
        count -= got;
    }
}

bool audio_file_ended(const audio_file *file)
{
    return file->ended;
}
