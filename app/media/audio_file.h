/* A sound file, read as a stream of stereo samples: WAV, OGG, FLAC, MP3 and whatever else libsndfile
 * recognises. Memory does not depend on the length of the sound. */
#ifndef ODORI_AUDIO_FILE_H
#define ODORI_AUDIO_FILE_H

#include <stdint.h>

#include "mmd/status.h"

enum { AUDIO_SIDES = 2, AUDIO_CHANNELS_MAX = 8, AUDIO_RATE_MIN = 4000, AUDIO_RATE_MAX = 192000 };

typedef struct audio_file audio_file;

/* Tests whether the first bytes of a file (32 are enough) are those of a sound. Any thread. */
bool audio_is_sound(const void *bytes, size_t size);

/* Tests whether a file, or a file in an archive with the extension of a sound ("song.zip/song.ogg"), is a
 * sound; false if it cannot be read. */
bool audio_file_is_sound(const char *path);

/*
 * Opens a file, or one in an archive, of which up to 512 MiB are unpacked to memory. On error the message has
 * the file's name and *file is NULL: not a sound, more than 8 channels, or a rate outside of 4 to 192 kHz.
 * Different threads may use different files, but one file belongs to one thread at a time.
 */
mmd_status audio_file_open(const char *path, audio_file **file, mmd_error *error);
void audio_file_close(audio_file *file); /* NULL is allowed */

/* Returns the number of sample frames per second. */
uint32_t audio_file_rate(const audio_file *file);

/* Returns whether samples are stored as floating point, which may be infinite or not a number at all. */
bool audio_file_is_float(const audio_file *file);

/* Returns the number of sample frames in the header; there may be fewer. */
int64_t audio_file_length(const audio_file *file);

/* Goes to a sample frame. Before 0 and after the end there is unlimited silence. */
void audio_file_seek(audio_file *file, int64_t frame);

/* Reads the next count frames, left and right interleaved, each within -1 to 1. More channels are mixed down;
 * NaN becomes silence. Allocates nothing. */
void audio_file_read(audio_file *file, float *out, size_t count);

/* Tests whether reading has reached the end of the sound. */
bool audio_file_ended(const audio_file *file);

#endif
