/* The music as a WAV file: 48 kHz, stereo, 16 bits. The song is in score.c (what is sung) and music_song.c
 * (what is played), each instrument has its own file, and music_mix.c combines them. */
#include "music.h"

#include "music_parts.h"

#include <math.h>
#include <string.h>

enum {
    CHANNELS = 2,
    SAMPLE_BYTES = 2,
    FRAME_BYTES = CHANNELS * SAMPLE_BYTES,
    PCM = 1,
    FORMAT_BYTES = 16,
    HEADER_BYTES = 12 + 8 + FORMAT_BYTES + 8,
    DATA_BYTES = MUSIC_FRAMES * FRAME_BYTES
};

/* Append a number, least significant byte first, and four letters. The buffer has room for them. */
static void put(mmd_buffer *wav, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        wav->data[wav->size++] = (uint8_t)(number >> 8 * i);
}

static void put_name(mmd_buffer *wav, const char *letters)
{
    memcpy(wav->data + wav->size, letters, 4);
    wav->size += 4;
}

static void write_header(mmd_buffer *wav)
{
    put_name(wav, "RIFF");
    put(wav, HEADER_BYTES - 8 + DATA_BYTES, 4);
    put_name(wav, "WAVE");
    put_name(wav, "fmt ");
    put(wav, FORMAT_BYTES, 4);
    put(wav, PCM, 2);
    put(wav, CHANNELS, 2);
    put(wav, MUSIC_RATE, 4);
    put(wav, MUSIC_RATE * FRAME_BYTES, 4);
    put(wav, FRAME_BYTES, 2);
    put(wav, SAMPLE_BYTES * 8, 2);
    put_name(wav, "data");
    put(wav, DATA_BYTES, 4);
}

static void write_sample(mmd_buffer *wav, float sample)
{
    float bounded = mmd_minf(mmd_maxf(sample, -1.0f), 1.0f);
    put(wav, (uint16_t)(int16_t)lrintf(bounded * 32767.0f), SAMPLE_BYTES);
}

void music_make(mmd_buffer *wav)
{
    *wav = (mmd_buffer){.data = mmd_alloc(HEADER_BYTES + DATA_BYTES), .capacity = HEADER_BYTES + DATA_BYTES};
    if (!wav->data) {
        *wav = (mmd_buffer){.failed = true};
        return;
    }
    mmd_arena arena = {0};
    music_track mix = music_mix(&arena);
    music_master(&arena, &mix);
    write_header(wav);
    for (size_t i = 0; i < MUSIC_FRAMES; i++) {
        write_sample(wav, mix.frames[i].left);
        write_sample(wav, mix.frames[i].right);
    }
    mmd_arena_finish(&arena);
}
