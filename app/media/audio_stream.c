#include "audio_stream.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/memory.h"

/*
 * --- Loops without gaps ---
 *
 * Frame n of the tape is frame n of the file plus the last shift, rounded; a seam is where the file reaches
 * its end. Both are computed in seconds from the original request, so that rounding errors do not add up over
 * hours of short loops.
 */

enum { FADES_A_SECOND = 250, FADE_MAX = AUDIO_RATE_MAX / FADES_A_SECOND };

struct audio_loop {
    audio_file *file;
    double rate;
    audio_seam seam;
    int64_t next; /* next frame of the tape */
    audio_shifts shifts;
    size_t fade, fade_left;            /* length of a crossfade, and frames left of the current one */
    float old[FADE_MAX * AUDIO_SIDES]; /* how the file would have continued, for the crossfade */
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

/* Returns the frames until the seam; negative if there is none ahead. */
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

/* Crossfades from how the file would have continued to the sound after the seam. */
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

/*
 * --- Changing speed ---
 *
 * WSOLA, waveform similarity overlap-add: W. Verhelst, M. Roelands, "An overlap-add technique based on
 * waveform similarity (WSOLA) for high quality time-scale modification of speech", ICASSP 1993.
 *
 * The output is made of hops. Each hop is a crossfade (half Hann windows, which add up to one) from the
 * continuation of the last input piece to a new piece. The new piece is near the position that the speed asks
 * for, shifted by up to REACH so that it is as similar to the continuation as possible, by normalised
 * correlation: first on a coarse sum of both channels at about 11 kHz, then around the best position on all
 * samples. At speed 1 the new piece is the continuation itself.
 */
enum {
    HOPS_A_SECOND = 50, /* 20 ms: a period of 50 Hz */
    REACH_PARTS = 80,   /* 12.5 ms */
    COARSE_RATE = 11025,
    HOPS_HELD = 12 /* hops of input to buffer: twice the longest range that is searched */
};

struct stretch {
    stretch_read_fn *read;
    void *user;
    size_t hop, reach, coarse; /* in frames; coarse: input frames per coarse sample */
    int64_t first;             /* input frame of input[0] */
    size_t held, capacity;     /* frames in the buffer */
    double nominal;            /* input frame that the current hop represents */
    double speed;              /* speed of the current hop */
    int64_t piece;             /* where the piece of the hop begins; the next one continues at piece + hop */
    bool begun;
    size_t taken; /* frames of the hop that were returned; hop: all */
    float *input, *out, *fade, *wanted, *near;
};

stretch *stretch_create(uint32_t rate, stretch_read_fn *read, void *user)
{
    assert(rate >= 4000 && rate <= 192000 && read);
    size_t hop = rate / HOPS_A_SECOND, capacity = HOPS_HELD * hop, coarse_max = capacity;
    size_t floats = 2 * capacity + 2 * hop + hop + 2 * coarse_max;
    stretch *s = mmd_alloc(sizeof *s + floats * sizeof(float));
    if (!s)
        return NULL;
    *s = (stretch){.read = read, .user = user, .hop = hop, .capacity = capacity};
    s->reach = rate / REACH_PARTS;
    s->coarse = rate > COARSE_RATE ? rate / COARSE_RATE : 1;
    s->input = (float *)(s + 1);
    s->out = s->input + 2 * capacity;
    s->fade = s->out + 2 * hop;
    s->wanted = s->fade + hop;
    s->near = s->wanted + coarse_max;
    for (size_t i = 0; i < hop; i++)
        s->fade[i] = (float)(0.5 - 0.5 * mmd_cos(3.14159265358979323846 * ((double)i + 0.5) / (double)hop));
    stretch_restart(s, 0);
    return s;
}

void stretch_destroy(stretch *s)
{
    mmd_free(s);
}

int64_t stretch_restart(stretch *s, double position)
{
    s->nominal = position;
    s->piece = (int64_t)floor(position);
    s->first = s->piece - 2 * (int64_t)s->hop; /* pieces may begin before the continuation */
    s->held = 0;
    s->speed = 1;
    s->begun = false;
    s->taken = s->hop;
    return s->first;
}

double stretch_position(const stretch *s)
{
    return s->nominal + s->speed * (double)s->taken * (s->begun ? 1 : 0);
}

/* --- Input --- */

static float *input_at(const stretch *s, int64_t frame)
{
    assert(frame >= s->first && frame <= s->first + (int64_t)s->held);
    return s->input + 2 * (frame - s->first);
}

/* Drops input before a frame. */
static void forget(stretch *s, int64_t frame)
{
    int64_t gone = frame - s->first;
    if (gone <= 0)
        return;
    if (gone > (int64_t)s->held)
        gone = (int64_t)s->held;
    s->held -= (size_t)gone;
    s->first += gone;
    memmove(s->input, s->input + 2 * gone, 2 * s->held * sizeof *s->input);
}

/* Reads input up to a frame. keep is the first frame still needed. */
static void want(stretch *s, int64_t keep, int64_t end)
{
    int64_t missing = end - (s->first + (int64_t)s->held);
    if (missing <= 0)
        return;
    forget(s, keep);
    assert(s->held + (size_t)missing <= s->capacity);
    s->read(s->user, s->input + 2 * s->held, (size_t)missing);
    s->held += (size_t)missing;
}

/* --- Similarity --- */

/* Sums both channels of several consecutive frames to one number each. */
static void make_coarse(const stretch *s, const float *frames, float *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float sum = 0;
        for (size_t k = 0; k < 2 * s->coarse; k++)
            sum += frames[2 * i * s->coarse + k];
        out[i] = sum;
    }
}

static float likeness(const float *a, const float *b, size_t count)
{
    float product = 0, power = 1e-9f;
    for (size_t i = 0; i < count; i++) {
        product += a[i] * b[i];
        power += b[i] * b[i];
    }
    return product / sqrtf(power);
}

/* Finds the coarse position that is most similar to the continuation at `on`, among `places` positions from
 * `from` on. */
static int64_t best_coarse(stretch *s, int64_t on, int64_t from, size_t places)
{
    size_t length = s->hop / s->coarse, best = places / 2;
    make_coarse(s, input_at(s, on), s->wanted, length);
    make_coarse(s, input_at(s, from), s->near, length + places - 1);
    float most = likeness(s->wanted, s->near + best, length);
    for (size_t i = 0; i < places; i++) {
        float here = likeness(s->wanted, s->near + i, length);
        if (here > most) {
            most = here;
            best = i;
        }
    }
    return from + (int64_t)(best * s->coarse);
}

/* Finds the most similar frame around a coarse position. */
static int64_t best_fine(const stretch *s, int64_t on, int64_t around)
{
    int64_t best = around;
    float most = likeness(input_at(s, on), input_at(s, around), 2 * s->hop);
    for (int64_t at = around - (int64_t)s->coarse; at <= around + (int64_t)s->coarse; at++) {
        float here = likeness(input_at(s, on), input_at(s, at), 2 * s->hop);
        if (here > most) {
            most = here;
            best = at;
        }
    }
    return best;
}

/* Finds where the next piece begins: near the position that the speed asks for, and as similar as possible to
 * the continuation. */
static int64_t find_piece(stretch *s, int64_t on, int64_t wanted)
{
    int64_t margin = (int64_t)(s->reach + s->coarse), length = (int64_t)s->hop;
    int64_t keep = on < wanted - margin ? on : wanted - margin;
    int64_t end = (on > wanted + margin ? on : wanted + margin) + length;
    want(s, keep, end);
    return best_fine(s, on, best_coarse(s, on, wanted - (int64_t)s->reach, 2 * s->reach / s->coarse));
}

/* --- Hops --- */

static void crossfade(stretch *s, const float *from, const float *to)
{
    for (size_t i = 0; i < s->hop; i++) {
        s->out[2 * i] = from[2 * i] + s->fade[i] * (to[2 * i] - from[2 * i]);
        s->out[2 * i + 1] = from[2 * i + 1] + s->fade[i] * (to[2 * i + 1] - from[2 * i + 1]);
    }
}

static void next_hop(stretch *s, double speed)
{
    int64_t on = s->begun ? s->piece + (int64_t)s->hop : s->piece;
    double nominal = stretch_position(s);
    if (speed == 1) {
        /* At speed 1, continue exactly where the input is, whatever the previous speed asked for. */
        s->piece = on;
        s->nominal = s->begun ? (double)on : nominal;
        want(s, on - 2 * (int64_t)s->hop, on + (int64_t)s->hop);
        memcpy(s->out, input_at(s, on), 2 * s->hop * sizeof *s->out);
    } else {
        s->nominal = nominal;
        /* The hop ends at the end of the piece, and that is where the speed wants to be then. */
        s->piece = find_piece(s, on, (int64_t)floor(nominal + (speed - 1) * (double)s->hop));
        crossfade(s, input_at(s, on), input_at(s, s->piece));
    }
    s->begun = true;
    s->speed = speed;
    s->taken = 0;
}

void stretch_take(stretch *s, float *out, size_t count, double speed)
{
    assert(speed >= STRETCH_SLOWEST && speed <= STRETCH_FASTEST);
    while (count) {
        if (s->taken == s->hop)
            next_hop(s, speed);
        size_t now = s->hop - s->taken < count ? s->hop - s->taken : count;
        memcpy(out, s->out + 2 * s->taken, 2 * now * sizeof *out);
        s->taken += now;
        out += 2 * now;
        count -= now;
    }
}
