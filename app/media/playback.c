/*
 * Plays a sound on a voice. Each block in the queue knows its range of the sound, so the part of the queue
 * that was audible gives the audible position at any speed.
 */
#include "playback.h"

#include <assert.h>
#include <math.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"

/* The queue: 8 blocks of 1/64 second. */
enum { BLOCKS = AUDIO_VOICE_BLOCKS, BLOCKS_A_SECOND = 64, BLOCK_MAX = AUDIO_RATE_MAX / BLOCKS_A_SECOND };

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
    audio_voice *voice;
    block blocks[BLOCKS]; /* as queued, the oldest at `first` */
    size_t first, queued;
    bool playing;
    uint64_t turn;
    unsigned late;
    float samples[BLOCK_MAX * AUDIO_SIDES];
};

static void read_loop(void *user, float *out, size_t count)
{
    audio_loop_read(user, out, count);
}

playback *playback_create(audio_output *output, audio_file *file)
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
    p->voice = p->stretch ? audio_voice_create(output, rate, p->frames) : NULL;
    if (p->voice)
        return p;
    stretch_destroy(p->stretch);
    audio_loop_destroy(p->loop);
    audio_file_close(file);
    mmd_free(p);
    return NULL;
}

static void stop(playback *p)
{
    audio_voice_stop(p->voice);
    p->first = p->queued = 0;
    p->playing = false;
}

audio_file *playback_give_back(playback *p)
{
    if (!p)
        return NULL;
    audio_file *file = p->file;
    audio_voice_destroy(p->voice);
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
    audio_voice_queue(p->voice, p->samples);
    p->queued++;
}

/* Fills the queue. A voice that ran empty reports all blocks as played; the sound skips what came too late,
 * and the ranges of new blocks are correct again. */
static void fill(playback *p, double speed)
{
    bool ran_empty;
    size_t played = audio_voice_take_played(p->voice, &ran_empty);
    p->late += ran_empty;
    p->first = (p->first + played) % BLOCKS;
    p->queued -= played;
    while (p->queued < BLOCKS)
        queue_block(p, speed);
    audio_voice_start(p->voice);
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
    audio_voice_set_volume(p->voice, wish->volume);
    if (p->playing)
        fill(p, wish->speed);
}

playback_status playback_hear(playback *p, double now)
{
    playback_status h = {.turn = p->turn, .playing = p->playing, .time = now, .late = p->late};
    if (!p->playing || p->queued == 0)
        return h;
    double length = (double)p->frames / p->rate, place = audio_voice_heard(p->voice) / length;
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
