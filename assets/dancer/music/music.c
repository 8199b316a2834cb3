/* The music as a WAV file: 48 kHz, stereo, 16 bits. The song is in score.c (what is sung) and music_song.c
 * (what is played), each instrument has its own file, and music_mix.c combines them. */
#include "music.h"

#include "music_parts.h"

#include <math.h>

enum { CHANNELS = 2, SAMPLE_BYTES = 2, FRAME_BYTES = CHANNELS * SAMPLE_BYTES, PCM = 1, FORMAT_BYTES = 16 };

static void write_header(mmd_buffer *wav)
{
    const uint32_t data_bytes = (uint32_t)MUSIC_FRAMES * FRAME_BYTES;
    mmd_write_bytes(wav, "RIFF", 4);
    mmd_write_u32(wav, 4 + 8 + FORMAT_BYTES + 8 + data_bytes);
    mmd_write_bytes(wav, "WAVEfmt ", 8);
    mmd_write_u32(wav, FORMAT_BYTES);
    mmd_write_u16(wav, PCM);
    mmd_write_u16(wav, CHANNELS);
    mmd_write_u32(wav, MUSIC_RATE);
    mmd_write_u32(wav, MUSIC_RATE * FRAME_BYTES);
    mmd_write_u16(wav, FRAME_BYTES);
    mmd_write_u16(wav, SAMPLE_BYTES * 8);
    mmd_write_bytes(wav, "data", 4);
    mmd_write_u32(wav, data_bytes);
}

static void write_sample(mmd_buffer *wav, float sample)
{
    float bounded = fminf(fmaxf(sample, -1.0f), 1.0f);
    mmd_write_u16(wav, (uint16_t)(int16_t)lrintf(bounded * 32767.0f));
}

void music_make(mmd_buffer *wav)
{
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
