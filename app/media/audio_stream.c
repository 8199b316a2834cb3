/*
 * The tape's sample frame n is the file's n plus the last shift, rounded; a
 * seam lies where the file comes to its end. Both are reckoned in seconds from
 * what was asked for, so that hours of short loops add up no rounding.
 */
#include "audio_stream.h"

#include <math.h>
#include <string.h>

#include "mmd/memory.h"

enum { FADES_A_SECOND = 250, FADE_MAX = AUDIO_RATE_MAX / FADES_A_SECOND };

struct audio_loop {
    audio_file *file;
    double rate;
    audio_seam seam;
    int64_t next; /* frame of the tape */
    audio_shifts shifts;
    size_t fade, fade_left;            /* frames of a crossfade; of the one under way */
    float old[FADE_MAX * AUDIO_SIDES]; /* how the file would have gone on, for that one */
};

double audio_shift_at(const audio_shifts *shifts, double second)
{
    double by = shifts->count ? shifts->items[0].by : 0;
    for (unsigned i = 1; i < shifts->count && shifts->items[i].from <= second; i++)
        by = shifts->items[i].by;
    return by;
}

audio_loop *audio_loop_create(audio_file *file)
{
    audio_loop *l = mmd_alloc(sizeof *l);
    if (!l)
        return NULL;
    *l = (audio_loop){.file = file, .rate = audio_file_rate(file)};
    l->fade = audio_file_rate(file) / FADES_A_SECOND;
    audio_loop_restart(l, 0);
    return l;
}

void audio_loop_destroy(audio_loop *l)
{
    mmd_free(l);
}

void audio_loop_restart(audio_loop *l, int64_t frame)
{
    audio_file_seek(l->file, frame);
    l->next = frame;
    l->fade_left = 0;
    l->shifts = (audio_shifts){.items = {{-INFINITY, 0}}, .count = 1};
}

void audio_loop_set_seam(audio_loop *l, const audio_seam *seam)
{
    l->seam = *seam;
    if (!(seam->end - seam->start >= AUDIO_LOOP_SHORTEST))
        l->seam.leaps = false;
}

static const audio_shift *last_shift(const audio_loop *l)
{
    return &l->shifts.items[l->shifts.count - 1];
}

static int64_t frame_of(const audio_loop *l, double second)
{
    return (int64_t)floor(second * l->rate + 0.5);
}

/* Frames until the seam; below 0: there is none before what is read next. */
static int64_t until_seam(const audio_loop *l)
{
    return l->seam.leaps ? frame_of(l, l->seam.end - last_shift(l)->by) - l->next : -1;
}

static void remember(audio_loop *l, const audio_shift *shift)
{
    audio_shifts *s = &l->shifts;
    if (s->count == AUDIO_SHIFTS) {
        memmove(s->items, s->items + 1, (AUDIO_SHIFTS - 1) * sizeof *s->items);
        s->count--;
    }
    s->items[s->count++] = *shift;
}

static void leap(audio_loop *l)
{
    audio_shift shift = {.from = l->seam.end - last_shift(l)->by};
    shift.by = l->seam.start - shift.from;
    audio_file_read(l->file, l->old, l->fade);
    l->fade_left = l->fade;
    audio_file_seek(l->file, l->next + frame_of(l, shift.by));
    remember(l, &shift);
}

/* From how it would have gone on to how it does. */
static void fade(audio_loop *l, float *out, size_t count)
{
    for (size_t i = 0; i < count && l->fade_left; i++, l->fade_left--) {
        float share = (float)l->fade_left / (float)(l->fade + 1);
        const float *old = l->old + AUDIO_SIDES * (l->fade - l->fade_left);
        for (size_t side = 0; side < AUDIO_SIDES; side++)
            out[AUDIO_SIDES * i + side] += share * (old[side] - out[AUDIO_SIDES * i + side]);
    }
}

void audio_loop_read(audio_loop *l, float *out, size_t count)
{
    while (count) {
        int64_t left = until_seam(l);
        if (left == 0) {
            leap(l);
            continue;
        }
        size_t now = left > 0 && left < (int64_t)count ? (size_t)left : count;
        audio_file_read(l->file, out, now);
        fade(l, out, now);
        l->next += (int64_t)now;
        out += AUDIO_SIDES * now;
        count -= now;
    }
}

const audio_shifts *audio_loop_shifts(const audio_loop *l)
{
    return &l->shifts;
}
