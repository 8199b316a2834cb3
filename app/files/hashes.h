/*
 * Hashes that tell contents apart: XXH128 (xxHash's 128-bit XXH3, seed 0) as
 * 32 hexadecimal digits, what `xxhsum -H2` prints of a file. Not meant against
 * people who make collisions on purpose.
 */
#ifndef ODORI_HASHES_H
#define ODORI_HASHES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct digest {
    char text[33]; /* "": none */
} digest;

digest digest_of(const void *data, size_t size);
bool digest_equal(const digest *a, const digest *b);

/* A hash over many pieces. Without memory it stays as it is and its result is "". */
typedef struct digest_stream {
    void *state;
} digest_stream;

digest_stream digest_begin(void);
void digest_add(digest_stream *stream, const void *data, size_t size);
void digest_add_text(digest_stream *stream, const char *text); /* its NUL too, so that pieces stay apart */
digest digest_end(digest_stream *stream);

/* The first 32 bits of a hash of a small piece, for lists of many. */
unsigned digest_short(const void *data, size_t size);

#endif
