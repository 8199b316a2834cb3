/*
 * Reading JSON that nobody trusts, on top of jansson: every value knows its
 * way from the root, so that an error names its place
 * ("nodes[3].extensions.KHR_physics_rigid_bodies.motion.mass") and its byte.
 *
 * A reader remembers the first failure, as a cursor does (mmd/cursor.h): from
 * then on every read gives its fallback and returns that failure, and no other
 * error is set, so that one check behind many reads suffices.
 */
#ifndef MMD_EXCHANGE_JSON_H
#define MMD_EXCHANGE_JSON_H

#include <jansson.h>

#include "mmd/exchange.h"

/* A text and where errors go. */
typedef struct json_reader {
    const char *text; /* what root was parsed from, to find bytes in */
    size_t size;
    uint64_t base; /* offset of text in the file (GLB's chunk) */
    json_t *root;
    mmd_error *error;
    mmd_status status; /* MMD_OK until something failed */
    mmd_arena *arena;  /* of texts and arrays that readers make */
} json_reader;

static inline bool json_reader_ok(const json_reader *reader)
{
    return reader->status == MMD_OK;
}

/* Remembers a failure that has been told already, unless there is one; returns the first. MMD_OK is none. */
mmd_status json_reader_note(json_reader *reader, mmd_status status);

/* A value and the way to it. Lives on the stack of those who walk; parents must outlive it. */
typedef struct json_ref {
    json_t *value; /* NULL: absent */
    const struct json_ref *parent;
    const char *key; /* NULL: element `index` of an array */
    size_t index;
} json_ref;

/* Parses text into reader->root (to be given back with json_decref). MMD_ERROR_SYNTAX with the byte, LIMIT
 * (too deep), MEMORY, TEXT (not UTF-8). */
mmd_status json_reader_parse(json_reader *reader, const char *text, size_t size, uint64_t base,
                             mmd_arena *arena, mmd_error *error);

/* Whether a text is UTF-16: a mark of byte order, or a NUL beside its first brace. JSON between programs is
 * UTF-8 (RFC 8259, 8.1): json_reader_parse says so with MMD_ERROR_TEXT. */
bool json_is_wide(const char *text, size_t size);
bool json_wide_is_big(const char *text); /* of one that is: high bytes first */

json_ref json_ref_root(const json_reader *reader);
json_ref json_ref_member(const json_ref *of, const char *key); /* of an absent value or no object: absent */
json_ref json_ref_element(const json_ref *of, size_t index);
size_t json_ref_count(const json_ref *array); /* 0 where absent or no array */
void json_ref_path(const json_ref *ref, char *path, size_t capacity);

/* Fails the reader, unless it has failed: the error's section is the spot's path, its offset the spot's byte.
 * Returns the first failure. */
mmd_status json_ref_fail(json_reader *reader, const json_ref *ref, mmd_status code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Each reads member `key` of `of`, and leaves *out at `fallback` where it is
 * absent, and once the reader has failed. Wrong types are MMD_ERROR_VALUE, and
 * so are numbers that do not fit a finite float or lie outside of min..max.
 */
mmd_status json_read_float(json_reader *reader, const json_ref *of, const char *key, float fallback,
                           float min, float max, float *out);
mmd_status json_read_bool(json_reader *reader, const json_ref *of, const char *key, bool fallback, bool *out);
/* Exactly count numbers; fallback NULL: must be there. */
mmd_status json_read_floats(json_reader *reader, const json_ref *of, const char *key, size_t count,
                            const float *fallback, float *out);
/* An index below limit: MMD_ERROR_INDEX else. -1 where absent. */
mmd_status json_read_index(json_reader *reader, const json_ref *of, const char *key, size_t limit,
                           int32_t *out);
/* An unsigned number up to max. */
mmd_status json_read_u32(json_reader *reader, const json_ref *of, const char *key, uint32_t fallback,
                         uint32_t max, uint32_t *out);
/* A text, copied to the arena, "" where absent. MMD_ERROR_TEXT: with a NUL in it. */
mmd_status json_read_text(json_reader *reader, const json_ref *of, const char *key, const char **out);
/* Checks the type of a member that may be absent: JSON_OBJECT, JSON_ARRAY. */
mmd_status json_read_kind(json_reader *reader, const json_ref *of, const char *key, json_type kind,
                          json_ref *out);

/* A text of a model or scene; what JSON cannot say (halves of characters) becomes question marks. */
json_t *json_text(const char *text);
/*
 * For writing. A number that reads back as the same float and has as few
 * digits as that takes (0.1f is 0.1, not 0.10000000149); NaN and infinity
 * become texts, which json_float_value reads, too.
 */
json_t *json_from_float(float value);
json_t *json_from_floats(const float *values, size_t count);
bool json_float_value(const json_t *json, float *value); /* also texts "NaN", "Infinity", "-Infinity" */
/* Appends the text of a document, two blanks an indent where `pretty`; all doubles come back as they were.
 * MMD_ERROR_MEMORY. */
mmd_status json_append(const json_t *json, bool pretty, mmd_buffer *out, mmd_error *error);
/* Base64 (RFC 4648) with padding; decoding forgives nothing. */
mmd_status json_base64_decode(const char *text, size_t length, mmd_buffer *out, mmd_error *error);
void json_base64_encode(const void *data, size_t size, mmd_buffer *out);

#endif
