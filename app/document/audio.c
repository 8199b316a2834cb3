/*
 * Two threads share a request and a status (playback.h). The player's thread requests a position in the audio
 * with each turn, and reads the time of the scene from playback_clock, which interpolates between the
 * reported positions. The other thread opens the device and fills its queue.
 */
#include "audio.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "media/playback.h"
#include "media/audio_output.h"
#include "mmd/elementary.h"
#include "scene/bundled.h"
#include "base/clock.h"
#include "base/system.h"
#include "command/commands.h"
#include "mmd/memory.h"
#include "base/parse.h"
#include "recipe/recipe.h"
#include "media/audio_stream.h"

#define FRAMES_A_SECOND 30.0
#define PUMP_INTERVAL   (5 * 1000 * 1000L) /* nanoseconds */
#define START_WAIT      0.3                /* seconds to wait for audio that was requested */
#define NEAR            0.002              /* tolerance in seconds when a seam of a loop is compared */
enum { RETRY_FIRST = 2, RETRY_LAST = 16 }; /* seconds between two attempts to open a device */
#define QUERY_TIME 0.002                   /* seconds within which a position query must return to be exact */
#define QUERIES    4                       /* most attempts to get an exact position */
#define TOO_FAR    0.25 /* seconds between scene and audio at which the audio is restarted */

typedef enum audio_state { STATE_NONE, STATE_OPENING, STATE_READY, STATE_NO_DEVICE, STATE_LOST } audio_state;

struct odori_audio {
    pthread_t thread;
    bool has_thread;
    bool is_begun; /* starting the thread was tried */
    /* Shared by both threads, under the mutex. */
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* the request, or one of the flags, has changed */
    audio_state state;
    audio_file *file; /* that replaces the one that plays */
    bool is_new;      /* `file` is to be taken, even if it is NULL */
    playback_request request;
    playback_status hearing;
    bool ends;         /* the thread must end */
    bool wants_device; /* a device is wanted, but there is none */
    /* Of the player's thread. */
    bool is_open, is_bundled, mute;
    bool reported; /* the loss of the device was reported */
    double offset, volume;
    bool runs_alone;     /* the audio did not start in time, and the scene went on without it */
    double requested_at; /* time of the last request */
    double behind_since; /* time since when physics is behind the frame; 0: it is not */
    bool leads;          /* the session follows the audio, and audio_led reports its steps */
    double led;          /* frame that the session was led to; NaN: none */
    double at;           /* the same in seconds of the audio, without the jumps of a loop */
    playback_clock clock;
    uint64_t clock_turn; /* turn that the clock belongs to */
    unsigned opened;
    char path[MMD_FILE_PATH_MAX]; /* of the file that plays; "": none */
};

/* --- The audio thread --- */

static void set_state(odori_audio *a, audio_state state)
{
    pthread_mutex_lock(&a->mutex);
    a->state = state;
    pthread_mutex_unlock(&a->mutex);
}

/* Returns the playback of the file that was opened since, or p if none was. */
static playback *take_file(odori_audio *a, audio_output *output, playback *p)
{
    pthread_mutex_lock(&a->mutex);
    bool is_new = a->is_new;
    audio_file *file = a->file;
    a->file = NULL;
    a->is_new = false;
    pthread_mutex_unlock(&a->mutex);
    if (!is_new)
        return p;
    playback_destroy(p);
    return file ? playback_create(output, file) : NULL;
}

/* Queries the position in the audio. If the thread was interrupted meanwhile, the time of the answer is
 * uncertain, so the query is repeated. */
static playback_status query_position(playback *p)
{
    playback_status hearing = {0};
    double before = 0, after = 1;
    for (int i = 0; i < QUERIES && after - before > QUERY_TIME; i++) {
        before = clock_seconds();
        hearing = playback_hear(p, before);
        after = clock_seconds();
    }
    hearing.time = (before + after) / 2;
    return hearing;
}

/* Fills the queue and stores the status. */
static void pump_once(odori_audio *a, playback *p, const playback_request *request)
{
    playback_status hearing = {.turn = request->turn};
    if (p) {
        playback_pump(p, request);
        hearing = query_position(p);
    }
    pthread_mutex_lock(&a->mutex);
    a->hearing = hearing;
    pthread_mutex_unlock(&a->mutex);
}

/* Waits until it is time to pump again and copies the request. Returns false when the thread must end. */
static bool next_request(odori_audio *a, playback_request *request)
{
    bool goes_on;
    if (request->playing)
        nanosleep(&(struct timespec){.tv_nsec = PUMP_INTERVAL}, NULL);
    pthread_mutex_lock(&a->mutex);
    while (!a->ends && !request->playing && a->request.turn == request->turn)
        pthread_cond_wait(&a->changed, &a->mutex);
    *request = a->request;
    goes_on = !a->ends;
    pthread_mutex_unlock(&a->mutex);
    return goes_on;
}

/* Plays until the thread must end or the device is lost. Returns the file, to be played on another device. */
static audio_file *pump(odori_audio *a, audio_output *output, audio_file *file)
{
    playback_request request = {0};
    playback *p = file ? playback_create(output, file) : NULL;
    bool is_there = true;
    while (is_there && next_request(a, &request)) {
        p = take_file(a, output, p);
        audio_output_pause(output, false);
        pump_once(a, p, &request);
        audio_output_pause(output, !request.playing || !p);
        is_there = audio_output_is_there(output);
    }
    return playback_give_back(p);
}

/* Records the loss of the device. The turn is increased, so that the next request starts playback again. */
static void lose_device(odori_audio *a)
{
    pthread_mutex_lock(&a->mutex);
    a->state = STATE_LOST;
    a->request.turn++;
    a->request.playing = false;
    pthread_mutex_unlock(&a->mutex);
}

/* Waits until a device is wanted, and then for some seconds. Returns false when the thread must end. */
static bool wait_for_device(odori_audio *a, int seconds)
{
    struct timespec until;
    int result = 0;
    pthread_mutex_lock(&a->mutex);
    while (!a->ends && !a->wants_device)
        pthread_cond_wait(&a->changed, &a->mutex);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    while (!a->ends && result == 0)
        result = pthread_cond_timedwait(&a->changed, &a->mutex, &until);
    a->wants_device = false;
    bool goes_on = !a->ends;
    pthread_mutex_unlock(&a->mutex);
    return goes_on;
}

/* The audio thread: opens a device, plays, and tries again at growing intervals when there is none. */
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
        lose_device(a);
        audio_output_close(output);
    } while (wait_for_device(a, wait));
    audio_file_close(file);
    return NULL;
}

/* --- Creating and destroying --- */

odori_audio *audio_create(void)
{
    odori_audio *a = mmd_alloc(sizeof *a);
    if (!a)
        return NULL;
    *a = (odori_audio){.volume = 1, .led = NAN};
    a->request = (playback_request){.speed = 1, .volume = 1};
    pthread_mutex_init(&a->mutex, NULL);
    pthread_cond_init(&a->changed, NULL);
    return a;
}

void audio_destroy(odori_audio *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->mutex);
    a->ends = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->mutex);
    if (a->has_thread)
        pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->mutex);
    audio_file_close(a->file);
    mmd_free(a);
}

/* --- The file that plays --- */

/* Passes another file, or NULL, to the audio thread. */
static void replace_file(odori_audio *a, audio_file *file)
{
    pthread_mutex_lock(&a->mutex);
    audio_file_close(a->file);
    a->file = file;
    a->is_new = true;
    a->request.turn++;
    a->request.playing = false;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->mutex);
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
    replace_file(a, file);
    snprintf(a->path, sizeof a->path, "%s", path);
}

void audio_shut(odori_audio *a)
{
    replace_file(a, NULL);
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
    pthread_mutex_lock(&a->mutex);
    a->request.volume = a->mute ? 0 : (float)a->volume;
    pthread_mutex_unlock(&a->mutex);
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

bool audio_is_muted(const odori_audio *a)
{
    return a->mute;
}

const char *audio_path(const odori_audio *a)
{
    return a->path;
}

unsigned audio_opened(const odori_audio *a)
{
    return a->opened;
}

/* --- Leading the session --- */

/* Starts the audio thread. This is done at the first frame and not before, because opening a device takes a
 * while. */
static void start_thread(odori_audio *a)
{
    if (a->is_begun)
        return;
    if (!getenv("ALSOFT_LOGLEVEL")) /* OpenAL must not report a missing device: report_device does */
        system_set_variable("ALSOFT_LOGLEVEL", "0");
    a->is_begun = true;
    a->state = STATE_OPENING;
    a->has_thread = pthread_create(&a->thread, NULL, run, a) == 0;
    if (!a->has_thread)
        a->state = STATE_NO_DEVICE;
}

/* A copy of what the audio thread reports. */
typedef struct audio_report {
    audio_state state;
    playback_status hearing;
    playback_request request; /* the present request */
} audio_report;

/* Reports once that there is no device, and when there is one again. */
static void report_device(odori_audio *a, panel_log *log, audio_state state, bool works)
{
    static const char *const losses[] = {[STATE_NO_DEVICE] = "no audio device: playing without sound",
                                         [STATE_LOST] =
                                             "the audio device was lost: playing on without sound"};
    if (!works && !a->reported)
        panel_log_refuse(log, "%s", losses[state]);
    if (state == STATE_READY && a->reported)
        panel_log_tell(log, "an audio device is available again");
    a->reported = !works || (a->reported && state != STATE_READY);
}

/* Copies the status. Returns whether there is a device or one is being opened. */
static bool read_status(odori_audio *a, panel_log *log, bool plays, audio_report *n)
{
    pthread_mutex_lock(&a->mutex);
    *n = (audio_report){.state = a->state, .hearing = a->hearing, .request = a->request};
    bool works = n->state == STATE_OPENING || n->state == STATE_READY;
    if (!works && plays && !a->wants_device) {
        a->wants_device = true;
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->mutex);
    report_device(a, log, n->state, works);
    return works;
}

/* Requests a new turn: playing from a position, or pausing. */
static void request_turn(odori_audio *a, bool playing, double position)
{
    pthread_mutex_lock(&a->mutex);
    a->request.turn++;
    a->request.playing = playing;
    a->request.position = position;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->mutex);
}

/* Starts the audio at the position of the scene. */
static void start_at_scene(odori_audio *a, const odori_session *s, double now)
{
    a->at = s->frame / FRAMES_A_SECOND - a->offset;
    a->led = s->frame;
    a->requested_at = now;
    a->runs_alone = false;
    request_turn(a, true, a->at);
}

/* Pauses the audio. */
static void pause_audio(odori_audio *a, const audio_report *n)
{
    if (n->request.playing)
        request_turn(a, false, 0);
}

/* Returns the playback speed within the range of the time stretcher. The slowness of physics is rounded to
 * steps, or the speed would change with every frame. */
static double speed_of(const odori_session *s, double pace)
{
    double speed = s->speed * (pace < 1 ? ceil(20 * pace) / 20 : 1);
    return mmd_min(mmd_max(speed, STRETCH_SLOWEST), STRETCH_FASTEST);
}

/* Updates what may change within a turn: speed and seam. */
static void update_request(odori_audio *a, const odori_session *s, const audio_moment *m)
{
    const audio_seam seam = {.leaps = m->seam.leaps,
                             .end = m->seam.end / FRAMES_A_SECOND - a->offset,
                             .start = m->seam.start / FRAMES_A_SECOND - a->offset};
    pthread_mutex_lock(&a->mutex);
    a->request.speed = speed_of(s, m->pace);
    a->request.seam = seam;
    pthread_mutex_unlock(&a->mutex);
}

/* Adds a reported position to the clock. */
static void update_clock(odori_audio *a, const playback_status *hearing)
{
    if (a->clock_turn != hearing->turn)
        playback_clock_start(&a->clock, hearing->position, hearing->time, hearing->rate);
    else if (hearing->time > a->clock.time)
        playback_clock_hear(&a->clock, hearing->position, hearing->time, hearing->rate);
    a->clock_turn = hearing->turn;
}

/* Returns whether physics is still being simulated up to the frame. After a moment the audio pauses until it
 * is there. */
static bool is_under_way(odori_audio *a, const odori_session *s, const audio_moment *m, const audio_report *n)
{
    if (s->arrived) {
        a->behind_since = 0;
        return false;
    }
    if (a->behind_since <= 0)
        a->behind_since = m->now;
    if (m->now - a->behind_since > START_WAIT)
        pause_audio(a, n);
    return true;
}

/* Returns whether the scene has jumped and the queued audio has not, or the other way round, because the seam
 * was set too late. Right at a seam both sides of it are accepted. */
static bool is_elsewhere(const odori_audio *a, const odori_session *s, const audio_shifts *shifts)
{
    double by = s->frame / FRAMES_A_SECOND - a->offset - a->at;
    return fabs(audio_shift_at(shifts, a->at - NEAR) - by) > NEAR &&
           fabs(audio_shift_at(shifts, a->at + NEAR) - by) > NEAR;
}

/* Computes by how many seconds the scene is behind the audio. Returns false if it is too far off or the audio
 * does not play yet. */
static bool follow(odori_audio *a, const odori_session *s, const audio_moment *m, const audio_report *n,
                   double *seconds)
{
    const playback_status *hearing = &n->hearing;
    bool plays = hearing->playing && hearing->turn == n->request.turn;
    *seconds = 0;
    if (!plays) {
        a->runs_alone = m->now - a->requested_at > START_WAIT;
        return !a->runs_alone; /* the scene waits for the audio, which starts in a moment */
    }
    update_clock(a, hearing);
    *seconds = playback_clock_at(&a->clock, m->now) - a->at;
    bool is_far = a->runs_alone ? *seconds < -TOO_FAR : m->pace < 1 && *seconds > TOO_FAR;
    is_far = is_far || is_elsewhere(a, s, &hearing->shifts);
    a->runs_alone = false;
    if (is_far)
        start_at_scene(a, s, m->now);
    *seconds = mmd_max(*seconds, 0);
    return !is_far;
}

bool audio_lead(odori_audio *a, const odori_session *s, const audio_moment *m, double *seconds)
{
    audio_report n;
    if (!a || !a->is_open)
        return false;
    a->leads = false;
    start_thread(a);
    if (!read_status(a, s->messages, m->plays, &n))
        return false;
    if (!m->plays)
        pause_audio(a, &n);
    if (!m->plays || is_under_way(a, s, m, &n))
        return false;
    if (n.state == STATE_OPENING)
        return false; /* it starts at the position that the scene has then */
    a->leads = true;
    update_request(a, s, m);
    if (n.request.playing && s->frame == a->led)
        return follow(a, s, m, &n, seconds);
    start_at_scene(a, s, m->now); /* also when `led` is NaN */
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
