/*
 * Reading bytes that may be hostile, and writing bytes.
 *
 * A cursor remembers the first thing that went wrong (what, in which section,
 * at which offset); from then on every read gives 0 and moves nothing, so that
 * a reader checks once per section instead of once per field. Counts must go
 * through mmd_cursor_count, which refuses any that could not fit in the bytes
 * that are left: memory asked for stays within a small multiple of the file.
 */
#ifndef MMD_CURSOR_H
#define MMD_CURSOR_H

#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_cursor {
    const uint8_t *data;
    size_t size;
    size_t at;
    const char *section; /* a literal: "bone", "material" */
    int64_t item;        /* number within the section, or -1 */
    mmd_status status;   /* MMD_OK until something failed */
    mmd_error *error;    /* filled at the first failure; may be NULL */
} mmd_cursor;

/* A cursor over size bytes that the caller keeps. error may be NULL. */
mmd_cursor mmd_cursor_make(const void *data, size_t size, mmd_error *error);

/* Names the section that following errors belong to; item -1: none. */
void mmd_cursor_section(mmd_cursor *cursor, const char *section, int64_t item);

/* Records a failure at the cursor's position (the first one wins) and returns the status. */
mmd_status mmd_cursor_fail(mmd_cursor *cursor, mmd_status code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static inline bool mmd_cursor_ok(const mmd_cursor *cursor)
{
    return cursor->status == MMD_OK;
}
static inline size_t mmd_cursor_left(const mmd_cursor *cursor)
{
    return cursor->size - cursor->at;
}

/* Little-endian values. After a failure, or where the bytes do not suffice (which fails), 0. */
uint8_t mmd_read_u8(mmd_cursor *cursor);
uint16_t mmd_read_u16(mmd_cursor *cursor);
uint32_t mmd_read_u32(mmd_cursor *cursor);
int32_t mmd_read_i32(mmd_cursor *cursor);
float mmd_read_f32(mmd_cursor *cursor);
void mmd_read_floats(mmd_cursor *cursor, float *values, size_t count);

/* size bytes, not copied; NULL after a failure or where there are fewer (which fails). */
const uint8_t *mmd_read_bytes(mmd_cursor *cursor, size_t size);

/*
 * An i32 count of records that take at least min_size (> 0) bytes each. Fails with
 * MMD_ERROR_COUNT if negative or if that many cannot follow; returns 0 then.
 */
uint32_t mmd_cursor_count(mmd_cursor *cursor, size_t min_size);

/* Checks a count read otherwise (u8, u16). Returns it, or 0 after failing. */
uint32_t mmd_cursor_check_count(mmd_cursor *cursor, uint64_t count, size_t min_size);

/* Bytes that grow. Zero-initialise. Failure to get memory is remembered in failed; later writes do nothing.
 */
typedef struct mmd_buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
    bool failed;
} mmd_buffer;

void mmd_buffer_finish(mmd_buffer *buffer);
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
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#ifdef __cplusplus
}
#endif

#endif
