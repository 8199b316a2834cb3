/*
 * Two threads that share a wish and a hearing (playback.h). The player's
 * asks for a place in the sound with every turn, and reads the dance's time off
 * the line that playback_clock draws through the hearings; the other pumps.
 */
#include "audio.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "media/playback.h"
#include "media/audio_output.h"
#include "scene/bundled.h"
#include "base/clock.h"
#include "command/commands.h"
#include "mmd/memory.h"
#include "base/parse.h"
#include "recipe/recipe.h"
#include "media/audio_stream.h"

#define FRAMES_A_SECOND 30.0
#define PUMPING         (5 * 1000 * 1000L) /* nanoseconds from one time to the next */
#define PATIENCE        0.3                /* seconds to wait for a sound that was asked for */
#define NEAR            0.002              /* seconds that are none, beside a loop's */
enum { RETRY_FIRST = 2, RETRY_LAST = 16 }; /* seconds from one look for a device to the next */
#define AT_ONCE  0.002                     /* seconds that asking where the sound is may take */
#define HEARINGS 4                         /* times that it is asked at most */
#define TOO_FAR  0.25 /* seconds: that far behind or before the sound, it comes to the dance */

typedef enum audio_state { STATE_NONE, STATE_OPENING, STATE_READY, STATE_NO_DEVICE, STATE_LOST } audio_state;

struct odori_audio {
    pthread_t thread;
    bool has_thread, is_begun; /* is_begun: it was tried to have one */
    /* Of both, under the mutex. */
    pthread_mutex_t talk;
    pthread_cond_t asked;
    audio_state state;
    audio_file *file; /* that takes the place of what plays */
    bool is_new;      /* it is meant to, NULL or not */
    playback_wish wish;
    playback_hearing hearing;
    bool ends, longs; /* longs: for a device, where there is none */
    /* Of the player. */
    bool is_open, is_bundled, told, mute;
    double offset, volume;
    bool alone;    /* it did not come, and the dance went on without it */
    double since;  /* when it was asked for */
    double stands; /* since when the session is not where it is going; 0: it is */
    bool leads;    /* what the session goes on by is told with audio_led */
    double led;    /* frame that the session was led to */
    double at;     /* the same as a second of the sound, which does not leap where the dance does */
    playback_clock clock;
    uint64_t heard; /* the turn that the clock belongs to */
    unsigned opened;
    char path[PATH_MAX]; /* of what plays; "": nothing */
};

/* --- The thread that pumps --- */

static void set_state(odori_audio *a, audio_state state)
{
    pthread_mutex_lock(&a->talk);
    a->state = state;
    pthread_mutex_unlock(&a->talk);
}

/* The playback of the file that was opened since, if one was. */
static playback *take_file(odori_audio *a, playback *p)
{
    pthread_mutex_lock(&a->talk);
    bool is_new = a->is_new;
    audio_file *file = a->file;
    a->file = NULL;
    a->is_new = false;
    pthread_mutex_unlock(&a->talk);
    if (!is_new)
        return p;
    playback_destroy(p);
    return file ? playback_create(file) : NULL;
}

/* A hearing that took its time, because others had this thread's turn, says little: once more. */
static playback_hearing hear_now(playback *p)
{
    playback_hearing hearing = {0};
    double before = 0, after = 1;
    for (int i = 0; i < HEARINGS && after - before > AT_ONCE; i++) {
        before = clock_seconds();
        hearing = playback_hear(p, before);
        after = clock_seconds();
    }
    hearing.time = (before + after) / 2;
    return hearing;
}

static void pump_once(odori_audio *a, playback *p, const playback_wish *wish)
{
    playback_hearing hearing = {.turn = wish->turn};
    if (p) {
        playback_pump(p, wish);
        hearing = hear_now(p);
    }
    pthread_mutex_lock(&a->talk);
    a->hearing = hearing;
    pthread_mutex_unlock(&a->talk);
}

/* Waits until it is time to pump again, and takes what is wanted then; false: no more. */
static bool next_wish(odori_audio *a, playback_wish *wish)
{
    bool goes_on;
    if (wish->playing)
        nanosleep(&(struct timespec){.tv_nsec = PUMPING}, NULL);
    pthread_mutex_lock(&a->talk);
    while (!a->ends && !wish->playing && a->wish.turn == wish->turn)
        pthread_cond_wait(&a->asked, &a->talk);
    *wish = a->wish;
    goes_on = !a->ends;
    pthread_mutex_unlock(&a->talk);
    return goes_on;
}

/* Plays until the end, or until the device is gone; returns the file that is left. */
static audio_file *pump(odori_audio *a, audio_output *output, audio_file *file)
{
    playback_wish wish = {0};
    playback *p = file ? playback_create(file) : NULL;
    bool is_there = true;
    while (is_there && next_wish(a, &wish)) {
        p = take_file(a, p);
        audio_output_pause(output, false);
        pump_once(a, p, &wish);
        audio_output_pause(output, !wish.playing || !p);
        is_there = audio_output_is_there(output);
    }
    return playback_give_back(p);
}

/* Whoever asks again is heard by the next device. */
static void lose(odori_audio *a)
{
    pthread_mutex_lock(&a->talk);
    a->state = STATE_LOST;
    a->wish.turn++;
    a->wish.playing = false;
    pthread_mutex_unlock(&a->talk);
}

/* Waits for a while in which somebody wants to hear something; false: no more. */
static bool wait_for_device(odori_audio *a, int seconds)
{
    struct timespec until;
    int result = 0;
    pthread_mutex_lock(&a->talk);
    while (!a->ends && !a->longs)
        pthread_cond_wait(&a->asked, &a->talk);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    while (!a->ends && result == 0)
        result = pthread_cond_timedwait(&a->asked, &a->talk, &until);
    a->longs = false;
    bool goes_on = !a->ends;
    pthread_mutex_unlock(&a->talk);
    return goes_on;
}

static void *run(void *context)
{
    odori_audio *a = context;
    audio_file *file = NULL;
    int wait = RETRY_FIRST;
    do {
        audio_output *output = audio_output_open();
        set_state(a, output ? STATE_READY : STATE_NO_DEVICE);
        wait = output ? RETRY_FIRST : wait < RETRY_LAST ? 2 * wait : wait;
        if (!output)
            continue;
        file = pump(a, output, file);
        lose(a);
        audio_output_close(output);
    } while (wait_for_device(a, wait));
    audio_file_close(file);
    return NULL;
}

/* --- Beginning and end --- */

odori_audio *audio_create(void)
{
    odori_audio *a = mmd_alloc(sizeof *a);
    if (!a)
        return NULL;
    *a = (odori_audio){.volume = 1, .led = NAN};
    a->wish = (playback_wish){.speed = 1, .volume = 1};
    pthread_mutex_init(&a->talk, NULL);
    pthread_cond_init(&a->asked, NULL);
    return a;
}

void audio_destroy(odori_audio *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->talk);
    a->ends = true;
    pthread_cond_broadcast(&a->asked);
    pthread_mutex_unlock(&a->talk);
    if (a->has_thread)
        pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->asked);
    pthread_mutex_destroy(&a->talk);
    audio_file_close(a->file);
    mmd_free(a);
}

/* --- What plays --- */

static void hand_over(odori_audio *a, audio_file *file)
{
    pthread_mutex_lock(&a->talk);
    audio_file_close(a->file);
    a->file = file;
    a->is_new = true;
    a->wish.turn++;
    a->wish.playing = false;
    pthread_cond_broadcast(&a->asked);
    pthread_mutex_unlock(&a->talk);
    a->is_open = file != NULL;
    a->is_bundled = false;
    a->led = NAN;
    a->opened++;
    a->path[0] = '\0';
}

bool audio_open(odori_audio *a, const char *path, char *error)
{
    audio_file *file;
    mmd_error why = {0};
    char sentence[512];
    if (audio_file_open(path, &file, &why) != MMD_OK) {
        snprintf(error, REFUSAL_MAX, "%.250s", mmd_error_sentence(&why, sentence, sizeof sentence));
        return false;
    }
    audio_play(a, file, path);
    return true;
}

void audio_play(odori_audio *a, audio_file *file, const char *path)
{
    hand_over(a, file);
    snprintf(a->path, sizeof a->path, "%s", path);
}

void audio_shut(odori_audio *a)
{
    hand_over(a, NULL);
}

void audio_mark_bundled(odori_audio *a)
{
    a->is_bundled = true;
}

void audio_shut_bundled(odori_audio *a)
{
    if (a && a->is_bundled)
        audio_shut(a);
}

void audio_set_offset(odori_audio *a, double seconds)
{
    assert(fabs(seconds) <= AUDIO_OFFSET_MAX);
    a->offset = seconds;
    a->led = NAN;
}

void audio_follow_scene(odori_audio *a, const odori_scene *scene)
{
    char error[REFUSAL_MAX];
    const char *sound = scene->settings.sound;
    audio_shut_bundled(a);
    if (!a || !sound)
        return;
    if (audio_open(a, sound, error))
        audio_mark_bundled(a);
    else
        message("%s", error);
}

static void set_loudness(odori_audio *a)
{
    pthread_mutex_lock(&a->talk);
    a->wish.volume = a->mute ? 0 : (float)a->volume;
    pthread_mutex_unlock(&a->talk);
}

void audio_set_volume(odori_audio *a, double volume)
{
    assert(volume >= 0 && volume <= AUDIO_VOLUME_MAX);
    a->volume = volume;
    set_loudness(a);
}

void audio_set_mute(odori_audio *a, bool mute)
{
    a->mute = mute;
    set_loudness(a);
}

double audio_offset(const odori_audio *a)
{
    return a->offset;
}

double audio_volume(const odori_audio *a)
{
    return a->volume;
}

const char *audio_path(const odori_audio *a)
{
    return a->path;
}

unsigned audio_opened(const odori_audio *a)
{
    return a->opened;
}

/* --- Leading --- */

/* Not before the first picture: opening a device takes a while. */
static void start_thread(odori_audio *a)
{
    if (a->is_begun)
        return;
    setenv("ALSOFT_LOGLEVEL", "0", 0); /* that there is no device is told below, once */
    a->is_begun = true;
    a->state = STATE_OPENING;
    a->has_thread = pthread_create(&a->thread, NULL, run, a) == 0;
    if (!a->has_thread)
        a->state = STATE_NO_DEVICE;
}

/* The other side: what is known of it, and whether it can play at all. */
typedef struct news {
    audio_state state;
    playback_hearing hearing;
    playback_wish wish; /* as it stands */
} news;

static void tell(odori_audio *a, panel_log *log, audio_state state, bool works)
{
    static const char *const losses[] = {[STATE_NO_DEVICE] = "no sound device: it plays silent",
                                         [STATE_LOST] = "the sound device is gone: it goes on silent"};
    if (!works && !a->told)
        panel_log_tell(log, "%s", losses[state]);
    if (state == STATE_READY && a->told)
        panel_log_tell(log, "there is a sound device again");
    a->told = !works || (a->told && state != STATE_READY);
}

static bool listen(odori_audio *a, panel_log *log, bool plays, news *n)
{
    pthread_mutex_lock(&a->talk);
    *n = (news){.state = a->state, .hearing = a->hearing, .wish = a->wish};
    bool works = n->state == STATE_OPENING || n->state == STATE_READY;
    if (!works && plays && !a->longs) {
        a->longs = true;
        pthread_cond_broadcast(&a->asked);
    }
    pthread_mutex_unlock(&a->talk);
    tell(a, log, n->state, works);
    return works;
}

/* A new turn: playing or not. */
static void ask(odori_audio *a, bool playing, double position)
{
    pthread_mutex_lock(&a->talk);
    a->wish.turn++;
    a->wish.playing = playing;
    a->wish.position = position;
    pthread_cond_broadcast(&a->asked);
    pthread_mutex_unlock(&a->talk);
}

/* The sound comes to where the dance is. */
static void call(odori_audio *a, const odori_session *s, double now)
{
    a->at = s->frame / FRAMES_A_SECOND - a->offset;
    a->led = s->frame;
    a->since = now;
    a->alone = false;
    ask(a, true, a->at);
}

static void rest(odori_audio *a, const news *n)
{
    if (n->wish.playing)
        ask(a, false, 0);
}

/* The speed of the dance as the stretcher can do it; in steps, or it would change with every picture. */
static double speed_of(const odori_session *s, double pace)
{
    double speed = s->speed * (pace < 1 ? ceil(20 * pace) / 20 : 1);
    return fmin(fmax(speed, STRETCH_SLOWEST), STRETCH_FASTEST);
}

/* What may change within a turn. */
static void set_way(odori_audio *a, const odori_session *s, const audio_moment *m)
{
    const audio_seam seam = {.leaps = m->seam.leaps,
                             .end = m->seam.end / FRAMES_A_SECOND - a->offset,
                             .start = m->seam.start / FRAMES_A_SECOND - a->offset};
    pthread_mutex_lock(&a->talk);
    a->wish.speed = speed_of(s, m->pace);
    a->wish.seam = seam;
    pthread_mutex_unlock(&a->talk);
}

static void hear(odori_audio *a, const playback_hearing *hearing)
{
    if (a->heard != hearing->turn)
        playback_clock_start(&a->clock, hearing->position, hearing->time, hearing->rate);
    else if (hearing->time > a->clock.time)
        playback_clock_hear(&a->clock, hearing->position, hearing->time, hearing->rate);
    a->heard = hearing->turn;
}

/* A far frame is simulated, which takes several pictures: after a moment the sound rests until it is there.
 */
static bool is_under_way(odori_audio *a, const odori_session *s, const audio_moment *m, const news *n)
{
    if (s->arrived) {
        a->stands = 0;
        return false;
    }
    if (a->stands <= 0)
        a->stands = m->now;
    if (m->now - a->stands > PATIENCE)
        rest(a, n);
    return true;
}

/* The dance leapt and what is queued did not, or the other way round: its seam was set when it was too late.
 * Right at a seam either side of it will do. */
static bool is_elsewhere(const odori_audio *a, const odori_session *s, const audio_shifts *shifts)
{
    double by = s->frame / FRAMES_A_SECOND - a->offset - a->at;
    return fabs(audio_shift_at(shifts, a->at - NEAR) - by) > NEAR &&
           fabs(audio_shift_at(shifts, a->at + NEAR) - by) > NEAR;
}

/* How far the dance is behind the sound that plays; false: too far, or it does not play yet. */
static bool follow(odori_audio *a, const odori_session *s, const audio_moment *m, const news *n,
                   double *seconds)
{
    const playback_hearing *hearing = &n->hearing;
    bool plays = hearing->playing && hearing->turn == n->wish.turn;
    *seconds = 0;
    if (!plays) {
        a->alone = m->now - a->since > PATIENCE;
        return !a->alone; /* it begins in a moment: no picture before it */
    }
    hear(a, hearing);
    *seconds = playback_clock_at(&a->clock, m->now) - a->at;
    bool is_far = a->alone ? *seconds < -TOO_FAR : m->pace < 1 && *seconds > TOO_FAR;
    is_far = is_far || is_elsewhere(a, s, &hearing->shifts);
    a->alone = false;
    if (is_far)
        call(a, s, m->now);
    *seconds = fmax(*seconds, 0);
    return !is_far;
}

bool audio_lead(odori_audio *a, const odori_session *s, const audio_moment *m, double *seconds)
{
    news n;
    if (!a || !a->is_open)
        return false;
    a->leads = false;
    start_thread(a);
    if (!listen(a, s->messages, m->plays, &n))
        return false;
    if (!m->plays)
        rest(a, &n);
    if (!m->plays || is_under_way(a, s, m, &n))
        return false;
    if (n.state == STATE_OPENING)
        return false; /* it is called to where the dance is by then */
    a->leads = true;
    set_way(a, s, m);
    if (n.wish.playing && s->frame == a->led)
        return follow(a, s, m, &n, seconds);
    call(a, s, m->now); /* NaN too */
    *seconds = 0;
    return true;
}

void audio_led(odori_audio *a, const odori_session *s, double frames)
{
    if (!a || !a->leads)
        return;
    a->at += frames / FRAMES_A_SECOND;
    a->led = s->frame;
}
