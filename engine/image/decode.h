/* Between the decoders of the image module; not a public header. */
#ifndef MMD_IMAGE_DECODE_H
#define MMD_IMAGE_DECODE_H

#include "mmd/image.h"

/*
 * Checks a size that a file of file_size bytes claims, and makes the picture.
 * Refused: nothing, over 16384 either way, and pixels of more than both 64 MiB and 2,000
 * times the file. (PNG's densest RGBA is about 1,030 pixels' bytes to one, and a
 * picture below 4096 x 4096 always passes, so only bombs are turned away.)
 */
mmd_status mmd_image_check_claim(int64_t width, int64_t height, size_t file_size, mmd_error *error);
mmd_status mmd_image_begin(mmd_image *image, int64_t width, int64_t height, size_t file_size,
                           mmd_error *error);

/* A bit field of a packed pixel. */
typedef struct mmd_image_channel {
    uint32_t mask, shift, top; /* top: the largest value, 0 for no such channel */
} mmd_image_channel;

mmd_image_channel mmd_image_channel_make(uint32_t mask);

/* The channel's value of a packed pixel, scaled to 0..255. */
static inline uint8_t mmd_image_channel_get(const mmd_image_channel *channel, uint32_t pixel)
{
    uint64_t value = (pixel & channel->mask) >> channel->shift;
    if (channel->top == 255)
        return (uint8_t)value;
    return channel->top ? (uint8_t)((value * 255 + channel->top / 2) / channel->top) : 0;
}

/* The decoders. On failure *image is left for the caller to finish. */
mmd_status mmd_image_decode_bmp(const uint8_t *data, size_t size, mmd_image *image, mmd_error *error);
mmd_status mmd_image_decode_dds(const uint8_t *data, size_t size, mmd_image *image, mmd_error *error);
mmd_status mmd_image_decode_stb(const uint8_t *data, size_t size, bool is_tga, mmd_image *image,
                                mmd_error *error);

/* Why stb_image, with this reason (or NULL), refuses a file of a known kind: MMD_ERROR_TRUNCATED where it
 * ends too early, else MMD_ERROR_VALUE. */
mmd_status mmd_image_fail_broken(const uint8_t *data, size_t size, const char *reason, mmd_error *error);

/* One DXT block (8 bytes for DXT1, 16 for DXT3 and DXT5) as 16 RGBA pixels. */
typedef enum mmd_image_block { MMD_IMAGE_DXT1, MMD_IMAGE_DXT3, MMD_IMAGE_DXT5 } mmd_image_block;
void mmd_image_decode_block(mmd_image_block kind, const uint8_t *block, uint8_t pixels[16][4]);

#endif
