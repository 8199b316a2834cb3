/* Unpacks the pixels of a plain PNG at once (png_unpack.c). */
#ifndef MMD_PNG_UNPACK_H
#define MMD_PNG_UNPACK_H

#include "mmd/image.h"

/* Returns how many bytes joining the chunks of pixels of a file of this size may take. Those of long files,
 * and of files that are long for their pictures, are not joined: libpng reads such pictures. */
static inline uint64_t png_joined(size_t size, uint32_t width, uint32_t height)
{
    enum { MOST = 8 << 20 };
    return size <= MOST && size <= UINT64_C(2) * width * height ? size : 0;
}

/* The pixels of a PNG that is not interlaced and has 8 bits a channel, RGB or RGBA without a transparent
 * colour. */
typedef struct png_plain {
    const uint8_t *data; /* the file, whose chunks of pixels are all there */
    size_t size;
    size_t first;  /* offset of the first of them */
    size_t packed; /* bytes in all of them, compressed */
    uint32_t width, height, channels;
} png_plain;

/*
 * Sets the picture's size and pixels, which the caller frees. Checksums are not compared. Returns false, with
 * nothing allocated, if the picture is damaged or unusual in any way, or there is no memory: libpng then says
 * what is wrong, or reads it.
 */
bool png_unpack(const png_plain *plain, mmd_image *image);

#endif
