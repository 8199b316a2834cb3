/* Pictures: decoding what MMD models bring, writing PNG. */
#ifndef MMD_IMAGE_H
#define MMD_IMAGE_H

#include "mmd/cursor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MMD_IMAGE_SIZE_MAX = 16384 };

/* Eight-bit RGBA, top row first, not premultiplied, gamma-encoded as in the file. Zeroed is valid and empty.
 */
typedef struct mmd_image {
    uint32_t width, height;
    uint8_t *pixels; /* width * height * 4 */
    bool has_alpha;  /* some pixel is not opaque */
} mmd_image;

void mmd_image_finish(mmd_image *image);

/* Pixels of the given size, all zero. MMD_ERROR_LIMIT, MMD_ERROR_MEMORY. */
mmd_status mmd_image_init(mmd_image *image, uint32_t width, uint32_t height, mmd_error *error);

/* The same with sixteen bits a number, as the machine keeps them. Zeroed is valid and empty. */
typedef struct mmd_image16 {
    uint32_t width, height;
    uint16_t *pixels; /* width * height * 4 */
} mmd_image16;

void mmd_image16_finish(mmd_image16 *image);
mmd_status mmd_image16_init(mmd_image16 *image, uint32_t width, uint32_t height, mmd_error *error);

/*
 * Decodes a picture: what stb_image reads (PNG, JPEG, TGA, GIF's first
 * picture, PSD, PIC, PNM), BMP of every depth, RLE too, with its alpha where
 * any pixel uses it (else opaque), DDS (DXT1, DXT3, DXT5, plain 8, 16, 24 and
 * 32 bits; largest level). Pictures over 16384 either way are refused by their
 * header (MMD_ERROR_LIMIT), and so are those over 4096 x 4096 whose pixels are
 * more than 2,000 times the file. name (may be NULL) is for error messages
 * and, for TGA (which has no magic), the file's ending.
 */
mmd_status mmd_image_decode(const void *data, size_t size, const char *name, mmd_image *image,
                            mmd_error *error);

/* One tEXt or iTXt chunk: key 1..79 bytes Latin-1, text UTF-8. */
typedef struct mmd_image_text {
    const char *key, *text;
} mmd_image_text;

typedef struct mmd_png_options {
    bool alpha; /* RGBA, else RGB */
    bool fast;  /* less compression: three to four times as fast, files 1.2 to 2.3 times as large */
    const mmd_image_text *texts;
    size_t text_count;
    void (*on_row)(void *user, uint32_t rows); /* called with the rows done so far, after each; may be NULL */
    void *user;
} mmd_png_options;

/* Appends the picture as PNG, 8 bits, not interlaced; no date inside, so that equal pictures give equal
 * bytes. */
mmd_status mmd_png_write(const mmd_image *image, const mmd_png_options *options, mmd_buffer *out,
                         mmd_error *error);

/* The same with 16 bits. */
mmd_status mmd_png_write16(const mmd_image16 *image, const mmd_png_options *options, mmd_buffer *out,
                           mmd_error *error);

#ifdef __cplusplus
}
#endif

#endif
