/* Small images for tests: plain, noise, discs, and edits of them. The caller frees each with
 * mmd_image_finish. */
#ifndef ODORI_TEST_PICTURES_H
#define ODORI_TEST_PICTURES_H

#include "mmd/image.h"

typedef struct color {
    uint8_t r, g, b, a;
} color;

static const color black = {0, 0, 0, 255}, white = {255, 255, 255, 255};

mmd_image picture_plain(uint32_t width, uint32_t height, color c);

/* Makes opaque noise. The same seed gives the same image. */
mmd_image picture_noise(uint32_t width, uint32_t height, uint64_t seed);

/* Draws antialiased discs on white, which resembles real images more than noise does. */
mmd_image picture_discs(uint32_t width, uint32_t height, uint64_t seed);

/* Returns a part of an image, from x, y on. has_alpha is that of the whole. */
mmd_image picture_cut(const mmd_image *from, uint32_t x, uint32_t y, uint32_t width, uint32_t height);
mmd_image picture_copy(const mmd_image *from);

/* Reads an image file. Fails the test if it is not an image. */
mmd_image picture_read(const char *path);

/* Swaps rows and columns. */
mmd_image picture_transpose(const mmd_image *from);

/* Returns the four bytes of a pixel. */
uint8_t *picture_at(const mmd_image *image, uint32_t x, uint32_t y);
void picture_put(mmd_image *image, uint32_t x, uint32_t y, color c);

#endif
