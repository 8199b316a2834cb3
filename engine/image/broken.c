/*
 * Explains why stb_image rejects a picture. A truncated file is found by the format's own lengths and markers
 * (PNG chunks, ISO/IEC 15948; JPEG segments, ITU T.81 annex B; GIF's trailer, GIF89a). Otherwise the reason
 * is stb_image's short text.
 */
#include "decode.h"

#include <assert.h>
#include <string.h>

enum { PNG_SIGNATURE = 8, PNG_CHUNK = 12 };

enum { JPEG_START = 0xD8, JPEG_END = 0xD9, JPEG_SCAN = 0xDA, JPEG_RESTART = 0xD0, JPEG_ALONE = 0x01 };

/* Reads a big-endian number. */
static uint32_t be(const uint8_t *bytes, size_t count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* Reports a file that is shorter than its contents need. */
static mmd_status ends_early(const char *section, size_t at, size_t size, uint64_t needed, mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_TRUNCATED, section, at,
                         "the file ends in the middle of the picture: %zu bytes of at least %llu", size,
                         (unsigned long long)needed);
}

static bool is_letter(uint8_t c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Follows the chunks to the first one that is damaged or cut. */
static mmd_status fail_png(const uint8_t *data, size_t size, const char *reason, mmd_error *error)
{
    size_t at = PNG_SIGNATURE;
    for (;;) {
        if (size < at + PNG_CHUNK)
            return ends_early("chunk", at, size, (uint64_t)at + PNG_CHUNK, error);
        uint32_t length = be(data + at, 4);
        char section[16] = "chunk ";
        for (size_t i = 0; i < 4; i++) {
            if (!is_letter(data[at + 4 + i]))
                return mmd_error_set(error, MMD_ERROR_VALUE, "chunk", at,
                                     "the picture is damaged: no chunk begins here");
            section[6 + i] = (char)data[at + 4 + i];
        }
        if (length > size - at - PNG_CHUNK)
            return ends_early(section, at, size, (uint64_t)at + PNG_CHUNK + length, error);
        if (memcmp(data + at + 4, "IEND", 4) == 0)
            return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET, "the picture is damaged: %s",
                                 *reason ? reason : "a chunk that is not known");
        at += PNG_CHUNK + length;
    }
}

/* Returns the offset of the next marker that is not part of the scan's data, or size. */
static size_t skip_scan(const uint8_t *data, size_t size, size_t at)
{
    while (at + 1 < size) {
        uint8_t next = data[at + 1];
        if (data[at] == 0xFF && next != 0 && next != 0xFF && (next & 0xF8) != JPEG_RESTART)
            return at;
        at++;
    }
    return size;
}

/* Follows the segments to the first one that is cut. */
static mmd_status fail_jpeg(const uint8_t *data, size_t size, const char *reason, mmd_error *error)
{
    size_t at = 2;
    while (at + 4 <= size && data[at] == 0xFF && data[at + 1] != JPEG_END) {
        uint8_t marker = data[at + 1];
        bool is_fill = marker == 0xFF, has_length = marker != JPEG_ALONE && (marker & 0xF8) != JPEG_RESTART;
        if (is_fill || !has_length) {
            at += is_fill ? 1 : 2;
            continue;
        }
        uint32_t length = be(data + at + 2, 2);
        if (length > size - at - 2)
            return ends_early("segment", at, size, (uint64_t)at + 2 + length, error);
        size_t end = at + 2 + length;
        if (marker == JPEG_SCAN && (end = skip_scan(data, size, end)) == size)
            return ends_early("pixels", at, size, (uint64_t)size + 2, error);
        at = end;
    }
    if (at + 2 > size || (at + 4 > size && data[at] == 0xFF && data[at + 1] != JPEG_END))
        return ends_early("segment", at < size ? at : size, size, (uint64_t)at + 4, error);
    return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET, "the picture is damaged: %s", reason);
}

mmd_status mmd_image_fail_broken(const uint8_t *data, size_t size, const char *reason, mmd_error *error)
{
    assert(data || size == 0);
    reason = reason ? reason : "";
    if (size >= PNG_SIGNATURE && memcmp(data, "\x89PNG", 4) == 0)
        return fail_png(data, size, reason, error);
    reason = *reason ? reason : "its data cannot be read";
    if (size >= 2 && data[0] == 0xFF && data[1] == JPEG_START)
        return fail_jpeg(data, size, reason, error);
    if (size >= 4 && memcmp(data, "GIF8", 4) == 0 && data[size - 1] != ';')
        return ends_early("", MMD_NO_OFFSET, size, (uint64_t)size + 1, error);
    return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET, "the picture is damaged: %s", reason);
}
