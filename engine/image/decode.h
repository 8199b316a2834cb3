/* Shared by the decoders of this module; not a public header. */
#ifndef MMD_IMAGE_DECODE_H
#define MMD_IMAGE_DECODE_H

#include "mmd/cursor.h"
#include "mmd/image.h"

/*
 * Checks the picture size that a file of file_size bytes claims. Rejected are empty pictures, those over
 * 16384 pixels a side, and those with both more than 64 MiB of pixels and more than 2,000 times the file's
 * size. PNG's densest RGBA is about 1,030 to 1, and a picture below 4096 x 4096 always passes, so only
 * decompression bombs are rejected.
 */
mmd_status mmd_image_check_claim(int64_t width, int64_t height, size_t file_size, mmd_error *error);

/* A bit field of a packed pixel. */
typedef struct mmd_image_channel {
    uint32_t mask, shift, top; /* top: the largest value; 0: no such channel */
} mmd_image_channel;

mmd_image_channel mmd_image_channel_make(uint32_t mask);

/* Returns the channel's value in a packed pixel, scaled to 0..255. */
static inline uint8_t mmd_image_channel_get(const mmd_image_channel *channel, uint32_t pixel)
{
    uint64_t value = (pixel & channel->mask) >> channel->shift;
    if (channel->top == 255)
        return (uint8_t)value;
    return channel->top ? (uint8_t)((value * 255 + channel->top / 2) / channel->top) : 0;
}

/* Decode a picture. After a failure the caller finishes *image. */
mmd_status mmd_image_decode_bmp(const uint8_t *data, size_t size, mmd_image *image, mmd_error *error);
mmd_status mmd_image_decode_dds(const uint8_t *data, size_t size, mmd_image *image, mmd_error *error);
mmd_status mmd_image_decode_stb(const uint8_t *data, size_t size, bool is_tga, mmd_image *image,
                                mmd_error *error);

mmd_status mmd_image_decode_png(const uint8_t *data, size_t size, bool as_is, mmd_image *image,
                                mmd_error *error);

/* Decodes any picture, whatever it takes. Fails like mmd_image_decode. */
mmd_status mmd_image_decode_whole(const void *data, size_t size, const char *name, mmd_image *image,
                                  mmd_error *error);

/* Read the size of a picture from its header, and check it as decoding does. */
mmd_status mmd_image_info_bmp(const uint8_t *data, size_t size, mmd_image_info *info, mmd_error *error);
mmd_status mmd_image_info_dds(const uint8_t *data, size_t size, mmd_image_info *info, mmd_error *error);
mmd_status mmd_image_info_stb(const uint8_t *data, size_t size, bool is_tga, mmd_image_info *info,
                              mmd_error *error);

mmd_status mmd_image_info_png(const uint8_t *data, size_t size, mmd_image_info *info, mmd_error *error);

/* Where the pixels of a row are: the first one, and how many columns further each next one is. */
typedef struct mmd_image_row_place {
    uint32_t x, y, step;
} mmd_image_row_place;

/* Called for each row of a PNG with its pixels, RGBA. An interlaced picture has seven passes of rows. */
typedef void mmd_image_row(void *user, mmd_image_row_place place, const uint8_t *row, uint32_t count);

/* Reads the rows of a PNG whose header mmd_image_info_png accepts. as_is: fails for what only some programs
 * overlook, as wrong checksums and chunks out of order. */
mmd_status mmd_image_read_png(const uint8_t *data, size_t size, bool as_is, mmd_image_row *row_done,
                              void *user, mmd_error *error);

/* Returns whether at least one pixel is not opaque. */
bool mmd_image_has_alpha(const mmd_image *image);

/* Reports why stb_image rejects a file of a known format, with its reason or NULL: MMD_ERROR_TRUNCATED if the
 * file ends too early, otherwise MMD_ERROR_VALUE. */
mmd_status mmd_image_fail_broken(const uint8_t *data, size_t size, const char *reason, mmd_error *error);

/* Decodes a DXT block (8 bytes for DXT1, 16 for DXT3 and DXT5) to 16 RGBA pixels. */
typedef enum mmd_image_block { MMD_IMAGE_DXT1, MMD_IMAGE_DXT3, MMD_IMAGE_DXT5 } mmd_image_block;
void mmd_image_decode_block(mmd_image_block kind, const uint8_t *block, uint8_t pixels[16][4]);

#endif
