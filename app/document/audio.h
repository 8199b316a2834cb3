/*
 * The audio of a scene: a file that plays along with it. While it plays, it is the clock of the scene. The
 * file is decoded, stretched and queued on a separate thread, which also opens the device. When there is no
 * device or it is lost, this is reported once, playback goes on without sound, and the device is tried again
 * from time to time. All functions belong to the player's thread.
 */
#ifndef ODORI_AUDIO_H
#define ODORI_AUDIO_H

#include "recipe/audio_options.h"
#include "edit/session.h"

#define AUDIO_VOLUME_MAX 4.0

typedef struct odori_audio odori_audio;

/* Creates an audio player without a file. Thread and device are opened by audio_lead once a file is open.
 * Returns NULL when out of memory. */
odori_audio *audio_create(void);
void audio_destroy(odori_audio *a); /* does nothing when NULL */

/* Opens a file to be played. On failure returns false with the reason in error (REFUSAL_MAX bytes), and
 * nothing changes. */
bool audio_open(odori_audio *a, const char *path, char *error);

/* Plays a file that was opened from path already, and takes ownership of it. */
struct audio_file;
void audio_play(odori_audio *a, struct audio_file *file, const char *path);

/* Closes the file. */
void audio_shut(odori_audio *a);

/* Marks the file as part of the scene, so that audio_shut_bundled and audio_follow_scene close it. */
void audio_mark_bundled(odori_audio *a);
void audio_shut_bundled(odori_audio *a); /* does nothing when NULL */

/* Follows a change of the scene: closes the audio of the last one (bundled or of a project) and opens that of
 * this one. A file that cannot be played is reported. Does nothing when NULL. */
void audio_follow_scene(odori_audio *a, const odori_scene *scene);

void audio_set_offset(odori_audio *a, double seconds); /* see audio_options; within AUDIO_OFFSET_MAX */
double audio_offset(const odori_audio *a);
void audio_set_volume(odori_audio *a, double volume); /* 0 to AUDIO_VOLUME_MAX, 1: unchanged */
void audio_set_mute(odori_audio *a, bool mute);       /* muted audio still is the clock */
double audio_volume(const odori_audio *a);            /* the volume that was set, even while muted */
bool audio_is_muted(const odori_audio *a);

/* Return the path of the file that plays ("": none), and how many times a file was opened or closed. */
const char *audio_path(const odori_audio *a);
unsigned audio_opened(const odori_audio *a);

/* The state of the player at a frame. */
typedef struct audio_moment {
    double now;          /* clock_seconds() */
    double pace;         /* playback speed that physics allows, at most 1 (rate_governor.h) */
    bool plays;          /* the scene is playing; otherwise the audio pauses */
    transport_seam seam; /* next jump of the session's frame; audio is queued across it */
} audio_moment;

/*
 * Computes by how many seconds the session must advance to be at the position of the audio. If the frame of
 * the session was changed in another way, the audio is started there. Returns false when no audio leads the
 * session.
 */
bool audio_lead(odori_audio *a, const odori_session *s, const audio_moment *moment, double *seconds);

/* Reports that the session has advanced by so many frames, across its seam or not. */
void audio_led(odori_audio *a, const odori_session *s, double frames);

#endif
