/*
 * Reads untrusted bytes and writes bytes, and converts the text of model files.
 *
 * A cursor remembers its first error (what, in which section, at which offset). After an error every read
 * returns 0 and does not advance, so a reader needs one check per section instead of one per field. Counts
 * must be read through mmd_cursor_count, which rejects any count that cannot fit in the remaining bytes. This
 * keeps memory use within a small multiple of the file's size.
 */
#ifndef MMD_CURSOR_H
#define MMD_CURSOR_H

#include "mmd/memory.h"
#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_cursor {
    const uint8_t *data;
    size_t size;
    size_t at;
    const char *section; /* a string literal: "bone", "material" */
    int64_t item;        /* index within the section, or -1 */
    mmd_status status;   /* MMD_OK until the first failure */
    mmd_error *error;    /* filled by the first failure; may be NULL */
} mmd_cursor;

/* Returns a cursor over size bytes, which the caller owns. error may be NULL. */
mmd_cursor mmd_cursor_make(const void *data, size_t size, mmd_error *error);

/* Sets the section and item for later errors; item -1: none. */
void mmd_cursor_section(mmd_cursor *cursor, const char *section, int64_t item);

/* Records a failure at the cursor's position, unless there was one before, and returns the status. */
mmd_status mmd_cursor_fail(mmd_cursor *cursor, mmd_status code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 3, 4)))
#endif
    ;

static inline bool mmd_cursor_ok(const mmd_cursor *cursor)
{
    return cursor->status == MMD_OK;
}
/* Returns the number of unread bytes. */
static inline size_t mmd_cursor_left(const mmd_cursor *cursor)
{
    return cursor->size - cursor->at;
}

/* Read little-endian values. After a failure, and if too few bytes are left (which is a failure), they return
 * 0. */
uint8_t mmd_read_u8(mmd_cursor *cursor);
uint16_t mmd_read_u16(mmd_cursor *cursor);
uint32_t mmd_read_u32(mmd_cursor *cursor);
int32_t mmd_read_i32(mmd_cursor *cursor);
float mmd_read_f32(mmd_cursor *cursor);
void mmd_read_floats(mmd_cursor *cursor, float *values, size_t count);

/* Returns the next size bytes without copying, or NULL after a failure or if there are fewer (which is a
 * failure). */
const uint8_t *mmd_read_bytes(mmd_cursor *cursor, size_t size);

/*
 * Reads an i32 count of records that take at least min_size (> 0) bytes each. Fails with MMD_ERROR_COUNT and
 * returns 0 if it is negative or if so many records cannot follow.
 */
uint32_t mmd_cursor_count(mmd_cursor *cursor, size_t min_size);

/* Checks a count that was read otherwise (u8, u16). Returns it, or 0 after failing. */
uint32_t mmd_cursor_check_count(mmd_cursor *cursor, uint64_t count, size_t min_size);

/* Makes room in a buffer (mmd/memory.h) for exactly size more bytes, for callers that know how many they
 * append. */
void mmd_buffer_reserve(mmd_buffer *buffer, size_t size);

/* Append data; numbers are written in little-endian order. mmd_write_format appends printf-style text without
 * a terminator. */
void mmd_write_bytes(mmd_buffer *buffer, const void *data, size_t size);
void mmd_write_zeros(mmd_buffer *buffer, size_t size);
void mmd_write_u8(mmd_buffer *buffer, uint8_t value);
void mmd_write_u16(mmd_buffer *buffer, uint16_t value);
void mmd_write_u32(mmd_buffer *buffer, uint32_t value);
void mmd_write_i32(mmd_buffer *buffer, int32_t value);
void mmd_write_f32(mmd_buffer *buffer, float value);
void mmd_write_floats(mmd_buffer *buffer, const float *values, size_t count);
void mmd_write_format(mmd_buffer *buffer, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

/*
 * Codecs of text in model files, with the conventions of mmd/text.h: they write at most capacity bytes
 * without a terminator and return the number of bytes of the whole result.
 */

/* Converts UTF-16LE to UTF-8. An odd last byte is ignored. */
size_t mmd_utf8_from_utf16le(const uint8_t *text, size_t size, char *out, size_t capacity);

/* Converts UTF-8 to UTF-16LE. An invalid byte becomes U+FFFD. */
size_t mmd_utf16le_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity);

/* Convert UTF-8 with embedded NULs to the engine's form (C0 80) and back. Other bytes are copied. */
size_t mmd_utf8_from_file(const uint8_t *text, size_t size, char *out, size_t capacity);
size_t mmd_file_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
