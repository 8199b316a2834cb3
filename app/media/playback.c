/*
 * Plays a sound on an OpenAL source. Each block in the queue knows its range of the sound, so the source's
 * offset, minus the latency to the loudspeaker (AL_SOFT_source_latency), gives the audible position at any
 * speed.
 */
#define AL_ALEXT_PROTOTYPES
#include "playback.h"

#include <assert.h>
#include <math.h>

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"

/* The queue: 8 blocks of 1/64 second. */
enum { BLOCKS = 8, BLOCKS_A_SECOND = 64, BLOCK_MAX = AUDIO_RATE_MAX / BLOCKS_A_SECOND };

/* Range of the sound in a block, in seconds. */
typedef struct block {
    double begin, end;
} block;

struct playback {
    audio_file *file;
    audio_loop *loop;
    stretch *stretch;
    size_t frames; /* frames per block */
    double rate;
    ALuint source, buffers[BLOCKS];
    block blocks[BLOCKS]; /* as queued, the oldest at `first` */
    size_t first, queued;
    bool has_latency, playing;
    uint64_t turn;
    unsigned late;
    float samples[BLOCK_MAX * AUDIO_SIDES];
};

static void read_loop(void *user, float *out, size_t count)
{
    audio_loop_read(user, out, count);
}

static bool make_source(playback *p)
{
    alGetError();
    alGenSources(1, &p->source);
    if (alGetError() != AL_NO_ERROR)
        return false;
    alGenBuffers(BLOCKS, p->buffers);
    if (alGetError() != AL_NO_ERROR) {
        alDeleteSources(1, &p->source);
        return false;
    }
    if (alIsExtensionPresent("AL_SOFT_direct_channels"))
        alSourcei(p->source, AL_DIRECT_CHANNELS_SOFT, AL_TRUE);
    p->has_latency = alIsExtensionPresent("AL_SOFT_source_latency");
    return true;
}

playback *playback_create(audio_file *file)
{
    playback *p = mmd_alloc(sizeof *p);
    if (!p) {
        audio_file_close(file);
        return NULL;
    }
    uint32_t rate = audio_file_rate(file);
    *p = (playback){.file = file, .rate = rate, .frames = rate / BLOCKS_A_SECOND};
    p->loop = audio_loop_create(file);
    p->stretch = p->loop ? stretch_create(rate, read_loop, p->loop) : NULL;
    if (p->stretch && make_source(p))
        return p;
    stretch_destroy(p->stretch);
    audio_loop_destroy(p->loop);
    audio_file_close(file);
    mmd_free(p);
    return NULL;
}

static void stop(playback *p)
{
    alSourceStop(p->source);
    alSourcei(p->source, AL_BUFFER, 0);
    p->first = p->queued = 0;
    p->playing = false;
}

audio_file *playback_give_back(playback *p)
{
    if (!p)
        return NULL;
    audio_file *file = p->file;
    stop(p);
    alDeleteSources(1, &p->source);
    alDeleteBuffers(BLOCKS, p->buffers);
    stretch_destroy(p->stretch);
    audio_loop_destroy(p->loop);
    mmd_free(p);
    return file;
}

void playback_destroy(playback *p)
{
    audio_file_close(playback_give_back(p));
}

static void queue_block(playback *p, double speed)
{
    size_t at = (p->first + p->queued) % BLOCKS;
    p->blocks[at].begin = stretch_position(p->stretch) / p->rate;
    stretch_take(p->stretch, p->samples, p->frames, speed);
    p->blocks[at].end = stretch_position(p->stretch) / p->rate;
    alBufferData(p->buffers[at], AL_FORMAT_STEREO_FLOAT32, p->samples,
                 (ALsizei)(p->frames * AUDIO_SIDES * sizeof(float)), (ALsizei)p->rate);
    alSourceQueueBuffers(p->source, 1, &p->buffers[at]);
    p->queued++;
}

static void take_played(playback *p)
{
    ALint played = 0;
    alGetSourcei(p->source, AL_BUFFERS_PROCESSED, &played);
    for (; played > 0 && p->queued > 0; played--) {
        ALuint buffer;
        alSourceUnqueueBuffers(p->source, 1, &buffer);
        p->first = (p->first + 1) % BLOCKS;
        p->queued--;
    }
}

/* Fills the queue. A source that ran empty reports all blocks as played, including those that came too late;
 * the sound skips them, and the ranges of new blocks are correct again. */
static void fill(playback *p, double speed)
{
    ALint state = AL_INITIAL;
    alGetSourcei(p->source, AL_SOURCE_STATE, &state);
    if (state == AL_STOPPED && p->queued > 0)
        p->late++;
    take_played(p);
    while (p->queued < BLOCKS)
        queue_block(p, speed);
    if (state != AL_PLAYING)
        alSourcePlay(p->source);
}

void playback_pump(playback *p, const playback_request *wish)
{
    if (wish->turn != p->turn) {
        stop(p);
        p->turn = wish->turn;
        if (wish->playing) {
            audio_loop_restart(p->loop, stretch_restart(p->stretch, wish->position * p->rate));
            p->playing = true;
        }
    }
    audio_loop_set_seam(p->loop, &wish->seam);
    alSourcef(p->source, AL_GAIN, wish->volume);
    if (p->playing)
        fill(p, wish->speed);
}

/* Returns the seconds of the queue that were audible, from its oldest block on. */
static double heard_of_queue(const playback *p)
{
    ALdouble both[2] = {0, 0}; /* offset and latency */
    ALfloat offset = 0;
    if (p->has_latency) {
        alGetSourcedvSOFT(p->source, AL_SEC_OFFSET_LATENCY_SOFT, both);
        return both[0] - both[1];
    }
    alGetSourcef(p->source, AL_SEC_OFFSET, &offset);
    return (double)offset;
}

playback_status playback_hear(playback *p, double now)
{
    playback_status h = {.turn = p->turn, .playing = p->playing, .time = now, .late = p->late};
    if (!p->playing || p->queued == 0)
        return h;
    double length = (double)p->frames / p->rate, place = heard_of_queue(p) / length;
    size_t index = place > 0 ? (size_t)place : 0;
    if (index >= p->queued)
        index = p->queued - 1;
    const block *b = &p->blocks[(p->first + index) % BLOCKS];
    h.shifts = *audio_loop_shifts(p->loop);
    h.rate = (b->end - b->begin) / length;
    h.position = b->begin + (b->end - b->begin) * (place - (double)index);
    return h;
}

/* --- The clock: a first-order loop. The error is corrected by a share that grows with the time since the
 * last measurement. A larger error is no jitter: the sound stopped or was late, and the clock restarts. ---
 */

#define MENDING 0.4  /* seconds in which most of an error is corrected */
#define FAR     0.12 /* seconds; three steps of a slow device */

void playback_clock_start(playback_clock *c, double position, double time, double rate)
{
    *c = (playback_clock){position, time, rate};
}

double playback_clock_at(const playback_clock *c, double time)
{
    return c->position + (time - c->time) * c->rate;
}

void playback_clock_hear(playback_clock *c, double position, double time, double rate)
{
    double line = playback_clock_at(c, time), error = position - line;
    double share = mmd_min((time - c->time) / MENDING, 1);
    if (fabs(error) > FAR * mmd_max(rate, 1))
        share = 1;
    playback_clock_start(c, line + error * share, time, rate);
}
