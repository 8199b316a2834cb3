/* OpenAL's device, opened and current in the whole program; there is one at a time. */
#ifndef ODORI_AUDIO_OUTPUT_H
#define ODORI_AUDIO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct audio_output audio_output;

/* Opens the system's device. NULL: there is none. It may take a while. */
audio_output *audio_output_open(void);

/* Opens no device: what would be heard is taken with audio_output_render, stereo at this rate. For tests, and
 * as fast as it can be. NULL: this OpenAL has no ALC_SOFT_loopback. */
audio_output *audio_output_open_loopback(uint32_t rate);
void audio_output_render(audio_output *output, float *out, size_t count);

void audio_output_close(audio_output *output); /* NULL is allowed */

/* Tells whether the device is there. False: it was unplugged, and will not come back. */
bool audio_output_is_there(const audio_output *output);

/* Pauses the device. A paused one mixes nothing and uses no time, where OpenAL can do this; at first it is
 * not. */
void audio_output_pause(audio_output *output, bool paused);

#endif
