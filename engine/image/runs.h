/*
 * Compresses bytes to a zlib stream whose only repetitions are runs of one byte, like zlib's Z_RLE in a third
 * of its time. For rows of PNG files behind a filter, where drawn pictures are mostly runs of zeros.
 */
#ifndef MMD_RUNS_H
#define MMD_RUNS_H

#include "mmd/cursor.h"

enum { RUNS_TOKENS = 32768, RUNS_SYMBOLS = 286 };

/* The state of compression. About 64 KiB. */
typedef struct runs {
    mmd_buffer *out;
    uint32_t adler; /* checksum of the bytes so far */
    uint64_t bits;  /* not written yet, the first in the lowest place */
    uint32_t bit_count;
    /* Of the current block: bytes, and runs as 256 + length. A run repeats the byte before it. */
    uint16_t tokens[RUNS_TOKENS];
    size_t token_count;
    uint32_t uses[RUNS_SYMBOLS]; /* of each symbol of DEFLATE */
} runs;

/* Begins a stream that is appended to out. */
void runs_begin(runs *r, mmd_buffer *out);

/* Compresses bytes. Part of the result may reach the buffer only later. Out of memory: out->failed. */
void runs_add(runs *r, const uint8_t *bytes, size_t size);

/* Compresses zeros. */
void runs_add_zeros(runs *r, size_t count);

/* Ends the stream. */
void runs_end(runs *r);

#endif
