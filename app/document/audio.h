/*
 * The sound of a dance: a file that plays along, and while it does is the
 * clock. It is decoded, stretched and queued on a thread of its own, which also
 * opens the device; where there is none, or it goes away, one line says so,
 * everything else goes on in silence, and it is looked for again while the
 * dance plays. All functions: the player's thread.
 */
#ifndef ODORI_AUDIO_H
#define ODORI_AUDIO_H

#include "recipe/audio_options.h"
#include "edit/session.h"

#define AUDIO_VOLUME_MAX 4.0

typedef struct odori_audio odori_audio;

/* Silent; a thread and a device begin when a file is opened and led by. NULL: out of memory. */
odori_audio *audio_create(void);
void audio_destroy(odori_audio *a); /* NULL is allowed */

/* Plays this file from here on; false: why in error (REFUSAL_MAX bytes), and all is as it was. */
bool audio_open(odori_audio *a, const char *path, char *error);

/* Plays what was opened already, from path, and owns it from here on. */
struct audio_file;
void audio_play(odori_audio *a, struct audio_file *file, const char *path);

/* No sound any more. */
void audio_shut(odori_audio *a);

/* The file that plays belongs to the scene: audio_shut_bundled and audio_follow_scene end it. */
void audio_mark_bundled(odori_audio *a);
void audio_shut_bundled(odori_audio *a); /* NULL is allowed */

/* A scene took the place of another: the bundled sound or a project's ends with the last one, this one's
 * begins. What cannot be played is told. NULL is allowed. */
void audio_follow_scene(odori_audio *a, const odori_scene *scene);

void audio_set_offset(odori_audio *a, double seconds); /* see audio_options; within AUDIO_OFFSET_MAX */
double audio_offset(const odori_audio *a);
void audio_set_volume(odori_audio *a, double volume); /* 0 to AUDIO_VOLUME_MAX, 1: as it is */
void audio_set_mute(odori_audio *a, bool mute);       /* it is the clock all the same */
double audio_volume(const odori_audio *a);            /* whether it is mute or not */

/* What plays: its path, "" for nothing, and how many times another was opened or shut. */
const char *audio_path(const odori_audio *a);
unsigned audio_opened(const odori_audio *a);

/* What the player does at the moment. */
typedef struct audio_moment {
    double now;          /* clock_seconds() */
    double pace;         /* 1, or below it: physics does not let the dance go faster (rate_governor.h) */
    bool plays;          /* time passes; else the sound is to rest */
    transport_seam seam; /* that lies before the session's frame: the sound is queued across it */
} audio_moment;

/*
 * By how many seconds the dance of the session is to go on, so that it is where
 * the sound is. Goes with a session whose frame was moved by anybody else, or
 * that plays on from its end. False: no sound leads it.
 */
bool audio_lead(odori_audio *a, const odori_session *s, const audio_moment *moment, double *seconds);

/* The session has gone on by so many frames, across its seam or not. */
void audio_led(odori_audio *a, const odori_session *s, double frames);

#endif
