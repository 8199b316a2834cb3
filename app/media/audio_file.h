/*
 * A sound file, read as a stream of stereo samples: WAV, OGG, FLAC, MP3 and
 * whatever else libsndfile tells by content. Memory does not depend on how
 * long the sound is, or says it is.
 */
#ifndef ODORI_AUDIO_FILE_H
#define ODORI_AUDIO_FILE_H

#include <stdint.h>

#include "mmd/status.h"

enum { AUDIO_SIDES = 2, AUDIO_CHANNELS_MAX = 8, AUDIO_RATE_MIN = 4000, AUDIO_RATE_MAX = 192000 };

typedef struct audio_file audio_file;

/* Tells whether the first bytes of a file (32 are enough) are those of a sound. Any thread. */
bool audio_is_sound(const void *bytes, size_t size);

/* Tells it of a file, or of one in an archive ("song.zip/song.ogg") that is named as one; false where it
 * cannot be read. */
bool audio_file_is_sound(const char *path);

/*
 * Opens a file, or one in an archive, of which up to 512 MiB are unpacked to
 * memory. MMD_OK, or why not, with the file's name, and *file NULL:
 * what is no sound, channels beyond 8, rates out of 4 to 192 kHz. Threads may
 * use different files; one file belongs to one at a time.
 */
mmd_status audio_file_open(const char *path, audio_file **file, mmd_error *error);
void audio_file_close(audio_file *file); /* NULL is allowed */

/* Returns the sample frames a second. */
uint32_t audio_file_rate(const audio_file *file);

/* Returns the sample frames that its header promises; there may be fewer. */
int64_t audio_file_length(const audio_file *file);

/*
 * Goes to a sample frame. Before 0 and behind the end there is silence, of
 * which any amount can be read.
 */
void audio_file_seek(audio_file *file, int64_t frame);

/*
 * Reads the next count frames, left and right in turn, each within -1 to 1: more
 * channels are mixed down, what is no number is silence. Allocates nothing.
 */
void audio_file_read(audio_file *file, float *out, size_t count);

/* Tells whether reading has come to the end of the sound. */
bool audio_file_ended(const audio_file *file);

#endif
