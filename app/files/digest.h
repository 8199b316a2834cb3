/*
 * Hashes that identify contents: XXH128 (xxHash's 128-bit XXH3, seed 0) as 32 hexadecimal digits, the same
 * that `xxhsum -H2` prints. They are not meant to resist deliberate collisions.
 */
#ifndef ODORI_DIGEST_H
#define ODORI_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct digest {
    char text[33]; /* "" for no hash */
} digest;

/* Hashes a piece of memory. */
digest digest_of(const void *data, size_t size);
bool digest_equal(const digest *a, const digest *b);

/* A hash of several pieces. If out of memory, it ignores input and its result is "". */
typedef struct digest_stream {
    void *state;
} digest_stream;

digest_stream digest_begin(void);
void digest_add(digest_stream *stream, const void *data, size_t size);
/* includes the NUL, so that the boundaries of texts matter */
void digest_add_text(digest_stream *stream, const char *text);
digest digest_end(digest_stream *stream);

/* Returns the first 32 bits of a hash of a small piece, for long lists. */
unsigned digest_short(const void *data, size_t size);

#endif
