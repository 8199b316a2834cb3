/*
 * Hashes that tell contents apart, and those of what a picture is made from:
 * XXH128 (xxHash's 128-bit XXH3, seed 0) as 32 hexadecimal digits, what
 * `xxhsum -H2` prints of a file. Not meant against people who make collisions
 * on purpose.
 */
#ifndef ODORI_HASHES_H
#define ODORI_HASHES_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/format.h"
#include "model_file.h"

typedef struct digest {
    char text[33]; /* "": none */
} digest;

/* Hashes a piece of memory. */
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

/* Returns the first 32 bits of a hash of a small piece, for lists of many. */
unsigned digest_short(const void *data, size_t size);

/* --- What a picture is made from --- */

/* Hashes the bytes of a file, one in an archive too; "" where it cannot be read. */
digest file_digest(const char *path);

/* Hashes of every texture of a model, in its order; "" for one that is missing. */
typedef struct texture_digests {
    digest *items; /* model->texture_count of them */
    size_t count;
    digest all; /* over names and contents */
} texture_digests;

/* False: out of memory. */
bool texture_digests_read(texture_digests *digests, const mmd_model *model, const texture_place *place);
void texture_digests_finish(texture_digests *digests);

/* Hashes the accessory (.x) that the .vac file at path names; "" where it is not there. */
digest accessory_digest(const char *path, const mmd_vac *vac);

/* Hashes all that was read of a model: the PMX file that says the same. */
digest model_digest(const mmd_model *model);

#endif
