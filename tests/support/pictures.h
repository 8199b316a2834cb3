/* Small pictures for tests: plain, noise, discs, and what is made of them. Each is finished by the caller. */
#ifndef ODORI_TEST_PICTURES_H
#define ODORI_TEST_PICTURES_H

#include "mmd/image.h"

typedef struct color {
    uint8_t r, g, b, a;
} color;

static const color black = {0, 0, 0, 255}, white = {255, 255, 255, 255};

mmd_image picture_plain(uint32_t width, uint32_t height, color c);

/* Opaque; the same for the same seed. */
mmd_image picture_noise(uint32_t width, uint32_t height, uint64_t seed);

/* Discs on white, drawn with soft rims: more like a picture than noise is. */
mmd_image picture_discs(uint32_t width, uint32_t height, uint64_t seed);

/* A part of a picture, from x, y on; has_alpha as the whole. */
mmd_image picture_cut(const mmd_image *from, uint32_t x, uint32_t y, uint32_t width, uint32_t height);
mmd_image picture_copy(const mmd_image *from);

/* The picture of a file, which must be one. */
mmd_image picture_read(const char *path);

/* Rows become columns. */
mmd_image picture_transpose(const mmd_image *from);

/* A pixel's four bytes. */
uint8_t *picture_at(const mmd_image *image, uint32_t x, uint32_t y);
void picture_put(mmd_image *image, uint32_t x, uint32_t y, color c);

#endif
