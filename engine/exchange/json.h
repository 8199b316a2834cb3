/*
 * JSON from untrusted files, on top of jansson. A json_ref remembers the path from the root to a value, so
 * that an error can report path ("nodes[3].extensions.KHR_physics_rigid_bodies.motion.mass") and byte offset.
 *
 * A reader remembers the first failure, like mmd_cursor (mmd/cursor.h). After it every read returns that
 * failure and the fallback value, and sets no other error, so that one check after a series of reads is
 * enough.
 */
#ifndef MMD_EXCHANGE_JSON_H
#define MMD_EXCHANGE_JSON_H

#include <jansson.h>

#include "mmd/cursor.h"
#include "mmd/exchange.h"

/* A parsed document and its error state. */
typedef struct json_reader {
    const char *text; /* text that root was parsed from, to find byte offsets */
    size_t size;
    uint64_t base; /* offset of text in the file (JSON chunk of a GLB) */
    json_t *root;
    mmd_error *error;
    mmd_status status; /* first failure, or MMD_OK */
    mmd_arena *arena;  /* for texts and arrays that readers allocate */
} json_reader;

/* Returns whether nothing has failed so far. */
static inline bool json_reader_ok(const json_reader *reader)
{
    return reader->status == MMD_OK;
}

/*
 * Records a failure whose error is already set, unless one is recorded. Returns the first failure or MMD_OK.
 */
mmd_status json_reader_note(json_reader *reader, mmd_status status);

/*
 * A JSON value and the path to it. References live on the stack of the code that walks the document; the
 * parent must outlive the reference.
 */
typedef struct json_ref {
    json_t *value; /* NULL: the value is absent */
    const struct json_ref *parent;
    const char *key; /* NULL: the value is element `index` of an array */
    size_t index;
} json_ref;

/*
 * Parses text into reader->root, which the caller releases with json_decref. MMD_ERROR_SYNTAX with the byte
 * offset, LIMIT (nested too deep or too large), MEMORY, TEXT (not UTF-8).
 */
mmd_status json_reader_parse(json_reader *reader, const char *text, size_t size, uint64_t base,
                             mmd_arena *arena, mmd_error *error);

/*
 * Returns whether a text is UTF-16: it starts with a byte order mark, or a NUL is next to its first brace.
 * JSON must be UTF-8 (RFC 8259, 8.1), so json_reader_parse rejects such texts with MMD_ERROR_TEXT.
 */
bool json_is_wide(const char *text, size_t size);
bool json_wide_is_big(const char *text); /* whether a UTF-16 text is big-endian */

/*
 * The root, a member (absent when `of` is absent or not an object), an element, and the number of elements (0
 * when absent or not an array).
 */
json_ref json_ref_root(const json_reader *reader);
json_ref json_ref_member(const json_ref *of, const char *key);
json_ref json_ref_element(const json_ref *of, size_t index);
size_t json_ref_count(const json_ref *array);
/* Writes the path from the root, such as "nodes[3].name", truncated to capacity bytes. */
void json_ref_path(const json_ref *ref, char *path, size_t capacity);

/*
 * Sets the reader's error, unless it has failed already: section is the path of the reference, offset its
 * byte. Returns the first failure.
 */
mmd_status json_ref_fail(json_reader *reader, const json_ref *ref, mmd_status code, const char *format, ...)
    __attribute__((format(__printf__, 4, 5)));

/*
 * Each reads member `key` of `of`. *out is `fallback` when the member is absent or the reader has failed. A
 * value of the wrong type is MMD_ERROR_VALUE, as is a number that is no finite float or outside of min..max.
 */
mmd_status json_read_float(json_reader *reader, const json_ref *of, const char *key, float fallback,
                           float min, float max, float *out);
mmd_status json_read_bool(json_reader *reader, const json_ref *of, const char *key, bool fallback, bool *out);
/* Reads an array of exactly count numbers; fallback NULL: the member is required. */
mmd_status json_read_floats(json_reader *reader, const json_ref *of, const char *key, size_t count,
                            const float *fallback, float *out);
/* Reads an index below limit, else MMD_ERROR_INDEX. -1 when absent. */
mmd_status json_read_index(json_reader *reader, const json_ref *of, const char *key, size_t limit,
                           int32_t *out);
/* Reads an unsigned integer up to max. */
mmd_status json_read_u32(json_reader *reader, const json_ref *of, const char *key, uint32_t fallback,
                         uint32_t max, uint32_t *out);
/* Reads a string and copies it to the arena; "" when absent. MMD_ERROR_TEXT when it contains a NUL. */
mmd_status json_read_text(json_reader *reader, const json_ref *of, const char *key, const char **out);
/* Reads a string likewise without copying it: it is valid as long as the document's JSON. */
mmd_status json_view_text(json_reader *reader, const json_ref *of, const char *key, const char **out);
/* Returns a member that may be absent after checking its type: JSON_OBJECT or JSON_ARRAY. */
mmd_status json_read_kind(json_reader *reader, const json_ref *of, const char *key, json_type kind,
                          json_ref *out);

/* Returns a JSON string; bytes that are not UTF-8 become question marks. */
json_t *json_text(const char *text);
/*
 * Returns a number that reads back as the same float and has as few digits as possible (0.1f is 0.1, not
 * 0.10000000149). NaN and infinity become strings, which json_float_value accepts.
 */
json_t *json_from_float(float value);
json_t *json_from_floats(const float *values, size_t count);
/* Reads a number or one of the strings "NaN", "Infinity", "-Infinity". Returns false for anything else. */
bool json_float_value(const json_t *json, float *value);
/*
 * Appends the text of a document, indented by two spaces when `pretty`. All doubles read back unchanged.
 * MMD_ERROR_MEMORY.
 */
mmd_status json_append(const json_t *json, bool pretty, mmd_buffer *out, mmd_error *error);
/* Base64 (RFC 4648) with padding. The decoder accepts no other characters, whitespace or missing padding. */
mmd_status json_base64_decode(const char *text, size_t length, mmd_buffer *out, mmd_error *error);
void json_base64_encode(const void *data, size_t size, mmd_buffer *out);

#endif
