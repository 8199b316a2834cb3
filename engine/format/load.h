/* Numbers in files' bytes. Private to this module. */
#ifndef MMD_FORMAT_LOAD_H
#define MMD_FORMAT_LOAD_H

#include <stdint.h>
#include <string.h>

/* Unaligned little-endian loads for records whose bounds are known (the engine's targets are little-endian).
 */
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

#endif
