/* Reads numbers from bytes of files. Private to this module. */
#ifndef MMD_FORMAT_LOAD_H
#define MMD_FORMAT_LOAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Unaligned little-endian loads from records whose bounds were checked. The engine's targets are
 * little-endian. */
static inline uint16_t load_u16(const uint8_t *p)
{
    uint16_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

static inline uint32_t load_u32(const uint8_t *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

static inline float load_f32(const uint8_t *p)
{
    float value;
    memcpy(&value, p, sizeof value);
    return value;
}

/*
 * Reads [+-] digits [. digits] [e [+-] digits] with a digit on at least one side of the point, independent of
 * the locale (vpd_read.c). Returns the number of bytes read, 0 if there is no number. Values too large for a
 * float become infinity.
 */
size_t load_decimal(const uint8_t *text, size_t size, float *value);

#endif
