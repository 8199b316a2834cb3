/* Cursor over untrusted bytes, and the growing buffer that writers append to. Values are little-endian in
 * files whatever the machine's byte order. */
#include "mmd/cursor.h"
#include "mmd/memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

mmd_cursor mmd_cursor_make(const void *data, size_t size, mmd_error *error)
{
    assert(data || size == 0);
    /* A NULL pointer is replaced, because pointer arithmetic on it is undefined. */
    const void *bytes = data ? data : "";
    return (mmd_cursor){.data = bytes, .size = size, .section = "", .item = -1, .error = error};
}

void mmd_cursor_section(mmd_cursor *cursor, const char *section, int64_t item)
{
    assert(cursor);
    cursor->section = section;
    cursor->item = item;
}

/* The first failure is kept: later ones are usually consequences of it. */
mmd_status mmd_cursor_fail(mmd_cursor *cursor, mmd_status code, const char *format, ...)
{
    assert(cursor);
    assert(code != MMD_OK);
    if (cursor->status != MMD_OK)
        return cursor->status;
    cursor->status = code;
    char section[MMD_ERROR_SECTION_MAX];
    if (cursor->item >= 0)
        snprintf(section, sizeof section, "%s %lld", cursor->section, (long long)cursor->item);
    else
        snprintf(section, sizeof section, "%s", cursor->section);
    va_list arguments;
    va_start(arguments, format);
    mmd_error_set_v(cursor->error, code, section, cursor->at, format, arguments);
    va_end(arguments);
    return code;
}

const uint8_t *mmd_read_bytes(mmd_cursor *cursor, size_t size)
{
    assert(cursor);
    if (cursor->status != MMD_OK)
        return NULL;
    if (size > mmd_cursor_left(cursor)) {
        mmd_cursor_fail(cursor, MMD_ERROR_TRUNCATED, "%zu bytes are needed and %zu are left", size,
                        mmd_cursor_left(cursor));
        return NULL;
    }
    const uint8_t *bytes = cursor->data + cursor->at;
    cursor->at += size;
    return bytes;
}

uint8_t mmd_read_u8(mmd_cursor *cursor)
{
    assert(cursor);
    const uint8_t *b = mmd_read_bytes(cursor, 1);
    return b ? b[0] : 0;
}

uint16_t mmd_read_u16(mmd_cursor *cursor)
{
    assert(cursor);
    const uint8_t *b = mmd_read_bytes(cursor, 2);
    return b ? (uint16_t)(b[0] | b[1] << 8) : 0;
}

uint32_t mmd_read_u32(mmd_cursor *cursor)
{
    assert(cursor);
    const uint8_t *b = mmd_read_bytes(cursor, 4);
    return b ? (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24 : 0;
}

int32_t mmd_read_i32(mmd_cursor *cursor)
{
    assert(cursor);
    return (int32_t)mmd_read_u32(cursor);
}

float mmd_read_f32(mmd_cursor *cursor)
{
    assert(cursor);
    uint32_t bits = mmd_read_u32(cursor);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void mmd_read_floats(mmd_cursor *cursor, float *values, size_t count)
{
    assert(cursor);
    assert(values || count == 0);
    for (size_t i = 0; i < count; i++)
        values[i] = mmd_read_f32(cursor);
}

uint32_t mmd_cursor_check_count(mmd_cursor *cursor, uint64_t count, size_t min_size)
{
    assert(cursor);
    assert(min_size > 0);
    if (cursor->status != MMD_OK)
        return 0;
    /* Above INT32_MAX a count could not be used as an index. */
    if (count > mmd_cursor_left(cursor) / min_size || count > INT32_MAX) {
        mmd_cursor_fail(
            cursor, MMD_ERROR_COUNT, "a count of %llu, but the %zu bytes that are left hold at most %zu",
            (unsigned long long)count, mmd_cursor_left(cursor), mmd_cursor_left(cursor) / min_size);
        return 0;
    }
    return (uint32_t)count;
}

uint32_t mmd_cursor_count(mmd_cursor *cursor, size_t min_size)
{
    assert(cursor);
    int32_t count = mmd_read_i32(cursor);
    if (count < 0) {
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "a negative count, %d", count);
        return 0;
    }
    return mmd_cursor_check_count(cursor, (uint64_t)count, min_size);
}

void mmd_buffer_finish(mmd_buffer *buffer)
{
    assert(buffer);
    mmd_free(buffer->data);
    *buffer = (mmd_buffer){0};
}

void mmd_buffer_reserve(mmd_buffer *buffer, size_t size)
{
    assert(buffer);
    if (buffer->failed || size <= buffer->capacity - buffer->size)
        return;
    uint8_t *data = size <= SIZE_MAX - buffer->size ? mmd_realloc(buffer->data, buffer->size + size) : NULL;
    buffer->failed = !data;
    if (!data)
        return;
    buffer->data = data;
    buffer->capacity = buffer->size + size;
}

/* Appends size (> 0) uninitialised bytes and returns them, or NULL once memory has run out. Doubling the
 * capacity keeps the total cost of copying linear. */
static uint8_t *buffer_extend(mmd_buffer *buffer, size_t size)
{
    if (buffer->failed)
        return NULL;
    if (size > buffer->capacity - buffer->size) {
        size_t capacity = buffer->capacity ? buffer->capacity : 256;
        while (capacity - buffer->size < size && capacity <= SIZE_MAX / 4)
            capacity *= 2;
        uint8_t *data = capacity - buffer->size >= size ? mmd_realloc(buffer->data, capacity) : NULL;
        if (!data) {
            buffer->failed = true;
            return NULL;
        }
        buffer->data = data;
        buffer->capacity = capacity;
    }
    uint8_t *bytes = buffer->data + buffer->size;
    buffer->size += size;
    return bytes;
}

void mmd_write_bytes(mmd_buffer *buffer, const void *data, size_t size)
{
    assert(buffer);
    assert(data || size == 0);
    uint8_t *bytes = size ? buffer_extend(buffer, size) : NULL;
    if (bytes)
        memcpy(bytes, data, size);
}

void mmd_write_zeros(mmd_buffer *buffer, size_t size)
{
    assert(buffer);
    uint8_t *bytes = size ? buffer_extend(buffer, size) : NULL;
    if (bytes)
        memset(bytes, 0, size);
}

void mmd_write_u8(mmd_buffer *buffer, uint8_t value)
{
    assert(buffer);
    mmd_write_bytes(buffer, &value, 1);
}

void mmd_write_u16(mmd_buffer *buffer, uint16_t value)
{
    assert(buffer);
    mmd_write_bytes(buffer, (uint8_t[2]){(uint8_t)value, (uint8_t)(value >> 8)}, 2);
}

void mmd_write_u32(mmd_buffer *buffer, uint32_t value)
{
    mmd_write_bytes(
        buffer,
        (uint8_t[4]){(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)},
        4);
}

void mmd_write_i32(mmd_buffer *buffer, int32_t value)
{
    mmd_write_u32(buffer, (uint32_t)value);
}

void mmd_write_f32(mmd_buffer *buffer, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    mmd_write_u32(buffer, bits);
}

void mmd_write_floats(mmd_buffer *buffer, const float *values, size_t count)
{
    assert(values || count == 0);
    for (size_t i = 0; i < count; i++)
        mmd_write_f32(buffer, values[i]);
}

void mmd_write_format(mmd_buffer *buffer, const char *format, ...)
{
    assert(buffer);
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    /* vsnprintf writes a terminator, which is taken off again. */
    uint8_t *bytes = length >= 0 ? buffer_extend(buffer, (size_t)length + 1) : NULL;
    if (bytes) {
        vsnprintf((char *)bytes, (size_t)length + 1, format, again);
        buffer->size--;
    }
    va_end(again);
}
