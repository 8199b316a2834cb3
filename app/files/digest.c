#include "digest.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static digest from_hash(XXH128_hash_t hash)
{
    digest d;
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, hash);
    for (int i = 0; i < 16; i++)
        snprintf(d.text + (ptrdiff_t)2 * i, 3, "%02x", bytes.digest[i]);
    return d;
}

digest digest_of(const void *data, size_t size)
{
    return from_hash(XXH3_128bits(data, size));
}

bool digest_equal(const digest *a, const digest *b)
{
    return strcmp(a->text, b->text) == 0;
}

digest_stream digest_begin(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (state)
        XXH3_128bits_reset(state);
    return (digest_stream){state};
}

void digest_add(digest_stream *stream, const void *data, size_t size)
{
    if (stream->state && size)
        XXH3_128bits_update(stream->state, data, size);
}

void digest_add_text(digest_stream *stream, const char *text)
{
    digest_add(stream, text, strlen(text) + 1);
}

digest digest_end(digest_stream *stream)
{
    digest d = {""};
    if (stream->state)
        d = from_hash(XXH3_128bits_digest(stream->state));
    XXH3_freeState(stream->state);
    stream->state = NULL;
    return d;
}

unsigned digest_short(const void *data, size_t size)
{
    return (unsigned)(XXH3_64bits(data, size) >> 32);
}
