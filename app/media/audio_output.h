/* The OpenAL device, whose context is current for the whole program. There is one at a time. */
#ifndef ODORI_AUDIO_OUTPUT_H
#define ODORI_AUDIO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct audio_output audio_output;

/* Opens the system's device, which may take a while. Returns NULL if there is none. */
audio_output *audio_output_open(void);

/* Opens a loopback device, which plays nothing: audio_output_render returns the samples, stereo at this rate,
 * as fast as they are computed. For tests. Returns NULL if OpenAL lacks ALC_SOFT_loopback. */
audio_output *audio_output_open_loopback(uint32_t rate);
void audio_output_render(audio_output *output, float *out, size_t count);

void audio_output_close(audio_output *output); /* NULL is allowed */

/* Tests whether the device is still connected. Once unplugged it does not come back. */
bool audio_output_is_there(const audio_output *output);

/* Pauses the device, which then mixes nothing and uses no time, if OpenAL supports it. It starts unpaused. */
void audio_output_pause(audio_output *output, bool paused);

#endif
