/*
 * The sound device of the system, and voices that play on it: OpenAL, on Windows WASAPI. There is one device
 * at a time, and it belongs to the thread that opened it, as do its voices.
 */
#ifndef ODORI_AUDIO_OUTPUT_H
#define ODORI_AUDIO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct audio_output audio_output;

/* Opens the system's device, which may take a while. Returns NULL if there is none. */
audio_output *audio_output_open(void);

/* Opens a loopback device, which plays nothing: audio_output_render returns the samples, stereo at this rate,
 * as fast as they are computed. For tests. Returns NULL if OpenAL lacks ALC_SOFT_loopback, and on Windows. */
audio_output *audio_output_open_loopback(uint32_t rate);
void audio_output_render(audio_output *output, float *out, size_t count);

void audio_output_close(audio_output *output); /* NULL is allowed */

/* Tests whether the device is still connected. Once unplugged it does not come back. */
bool audio_output_is_there(const audio_output *output);

/* Pauses the device, which then mixes nothing and uses no time, if the system supports it. It starts
 * unpaused. */
void audio_output_pause(audio_output *output, bool paused);

/* --- A voice: a queue of blocks of stereo samples, all of the same length, that plays without gaps --- */

typedef struct audio_voice audio_voice;

enum { AUDIO_VOICE_BLOCKS = 8 }; /* most blocks in the queue */

/* Creates a voice for blocks of so many sample frames at a rate. Returns NULL if out of memory or voices, or
 * when the device is gone. It must be destroyed before the device is closed. */
audio_voice *audio_voice_create(audio_output *output, uint32_t rate, size_t frames);
void audio_voice_destroy(audio_voice *v); /* NULL is allowed */

/* Sets the volume: 0 is silent, 1 leaves samples as they are. */
void audio_voice_set_volume(audio_voice *v, float volume);

/* Appends a block, left and right interleaved. The queue must not be full. */
void audio_voice_queue(audio_voice *v, const float *samples);

/* Plays the queue, if it does not play already. */
void audio_voice_start(audio_voice *v);

/* Stops at once and empties the queue. */
void audio_voice_stop(audio_voice *v);

/* Removes the blocks that were played, and returns their number. *ran_empty tells whether the voice has
 * stopped because no block was left. */
size_t audio_voice_take_played(audio_voice *v, bool *ran_empty);

/* Returns how many seconds of the queue were audible, from the beginning of its oldest block on. It is below
 * 0 while an earlier block is still on its way to the loudspeaker. */
double audio_voice_heard(audio_voice *v);

#endif
