/*
 * Hashes that identify contents, and hashes of the files a picture is made from: XXH128 (xxHash's 128-bit
 * XXH3, seed 0) as 32 hexadecimal digits, the same that `xxhsum -H2` prints. They are not meant to resist
 * deliberate collisions.
 */
#ifndef ODORI_HASHES_H
#define ODORI_HASHES_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/assemble.h"
#include "mmd/format.h"

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

/* --- Hashes of files and models --- */

/* Hashes a file, also one in an archive; "" if it cannot be read. */
digest file_digest(const char *path);

/* Hashes of all textures of a model, by texture index; "" for those that are missing, refused
 * (mmd/assemble.h) or not pictures, or that would have to be decoded to see it (mmd_image_is_picture) after
 * others of the model that took TEXTURES_DECODED_MAX bytes. */
#define TEXTURES_DECODED_MAX (UINT64_C(2) << 30)

typedef struct texture_digests {
    digest *items; /* model->texture_count elements */
    size_t count;
    digest all; /* hash of all names and contents */
} texture_digests;

/* Returns false if out of memory. */
bool texture_digests_read(texture_digests *digests, const mmd_model *model,
                          const mmd_texture_location *location);
void texture_digests_finish(texture_digests *digests);

/* Hashes the accessory (.x) that a .vac file names; "" if it is missing. */
digest accessory_digest(const char *path, const mmd_vac *vac);

/* Hashes everything that was read of a model, by writing it as PMX. */
digest model_digest(const mmd_model *model);

#endif
