/* Pictures: reading the formats that MMD models use, and writing PNG. */
#ifndef MMD_IMAGE_H
#define MMD_IMAGE_H

#include "mmd/memory.h"
#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MMD_IMAGE_SIZE_MAX = 16384 };

/* A picture of 8-bit RGBA: top row first, straight (not premultiplied) alpha, gamma-encoded as in the file.
 * Zeroed is valid and empty. */
typedef struct mmd_image {
    uint32_t width, height;
    uint8_t *pixels; /* width * height * 4 */
    bool has_alpha;  /* at least one pixel is not opaque */
} mmd_image;

/* Frees the pixels and makes the picture empty. */
void mmd_image_finish(mmd_image *image);

/* Initialises a picture with zeroed pixels. Fails with MMD_ERROR_LIMIT (more than MMD_IMAGE_SIZE_MAX a side)
 * and MMD_ERROR_MEMORY. */
mmd_status mmd_image_init(mmd_image *image, uint32_t width, uint32_t height, mmd_error *error);

/* A picture likewise with 16 bits per channel in the machine's byte order. Zeroed is valid and empty. */
typedef struct mmd_image16 {
    uint32_t width, height;
    uint16_t *pixels; /* width * height * 4 */
} mmd_image16;

void mmd_image16_finish(mmd_image16 *image);
mmd_status mmd_image16_init(mmd_image16 *image, uint32_t width, uint32_t height, mmd_error *error);

/*
 * Decodes a picture. Formats: PNG, what stb_image reads (JPEG, TGA, the first picture of a GIF, PSD, PIC,
 * PNM), BMP of every depth including RLE (opaque unless a pixel has alpha), and DDS (DXT1, DXT3, DXT5 and
 * uncompressed 8, 16, 24 and 32 bits; largest level only). Pictures of more than 16384 pixels a side are
 * rejected by their header with MMD_ERROR_LIMIT, and so are those over 4096 x 4096 whose pixels take more
 * than 2,000 times the file's size. Refused is also what takes more than MMD_IMAGE_WHOLE_MAX bytes while it
 * is decoded: no PNG, only very large pictures of other formats. name is used in error messages, and its
 * extension recognises TGA, which has no signature; it may be NULL. Other errors are those of malformed files
 * and MMD_ERROR_MEMORY.
 */
enum { MMD_IMAGE_WHOLE_MAX = (1024 + 64) << 20 };
mmd_status mmd_image_decode(const void *data, size_t size, const char *name, mmd_image *image,
                            mmd_error *error);

/* Reads and decodes a file. What image holds is freed first, so that it may be used again. Fails like
 * mmd_file_read and mmd_image_decode; the error names the file, and image is empty. */
mmd_status mmd_image_read(const char *path, mmd_image *image, mmd_error *error);

/* What decoding a picture takes, by its header. */
typedef struct mmd_image_info {
    uint32_t width, height;
    bool by_rows;       /* it is reduced while it is read (PNG), so it is never in memory as a whole */
    bool plain;         /* a BMP, DDS or TGA whose pixels are all there: it cannot be damaged */
    bool interlaced;    /* a PNG whose rows come in seven passes */
    uint64_t working;   /* bytes that decoding it takes besides its pixels */
    uint64_t unpacking; /* counts in mmd_image_cost in place of working, if it is more */
    uint64_t file;      /* bytes of the file */
} mmd_image_info;

/* Reads the header of a picture. Fails like mmd_image_decode; a picture whose header can be read may still be
 * damaged further on. */
mmd_status mmd_image_read_info(const void *data, size_t size, const char *name, mmd_image_info *info,
                               mmd_error *error);

/* Returns the most bytes in use while mmd_image_decode_reduced works, with the file and the result. */
uint64_t mmd_image_memory(const mmd_image_info *info, uint32_t halvings);

/*
 * Decodes a picture at 1/2, 1/4, 1/8 ... of its size (halvings 1, 2, 3 ...; 0 is its own size). Sizes are
 * rounded up. Each pixel is the mean of a square of pixels, per channel, gamma-encoded and with straight
 * alpha, as OpenGL makes the smaller levels of a texture. Fails like mmd_image_decode, but has no limit of
 * memory: it takes mmd_image_memory.
 */
mmd_status mmd_image_decode_reduced(const void *data, size_t size, const char *name, uint32_t halvings,
                                    mmd_image *image, mmd_error *error);

/*
 * Returns a measure of the time that decoding a picture takes: about 0.5 to 3.5 s on one core for each
 * 1024^3, whatever its format.
 */
uint64_t mmd_image_cost(const mmd_image_info *info);

/* Decodes a PNG like mmd_image_decode_reduced, but fails also for damage that odori overlooks and other
 * programs may not, as wrong checksums or a second palette, and for other formats. */
mmd_status mmd_png_decode_strictly(const void *data, size_t size, const char *name, uint32_t halvings,
                                   mmd_image *image, mmd_error *error);

/* Decodes a picture to see whether it is whole, unless it is plain; PNGs row by row. Fails like
 * mmd_image_decode. */
mmd_status mmd_image_verify(const void *data, size_t size, const char *name, mmd_error *error);

/* A tEXt or iTXt chunk: key of 1 to 79 bytes in Latin-1, text in UTF-8. */
typedef struct mmd_image_text {
    const char *key, *text;
} mmd_image_text;

/*
 * Levels of PNG compression besides 2 to 9, which make files smaller and take longer. MMD_PNG_FAST takes a
 * quarter of the time of MMD_PNG_USUAL, which is level 6. Its files are up to 1.2 times as large for drawn
 * pictures, and several times with patterns that repeat sideways.
 */
enum { MMD_PNG_STORED = -1, MMD_PNG_USUAL = 0, MMD_PNG_FAST = 1, MMD_PNG_LEVEL_MAX = 9 };

/* How a PNG is written. Zeroed is valid: RGB with the usual compression and without texts. */
typedef struct mmd_png_options {
    bool alpha; /* true: RGBA; false: RGB */
    int level;  /* of compression: MMD_PNG_STORED to MMD_PNG_LEVEL_MAX */
    const mmd_image_text *texts;
    size_t text_count;
    void (*on_row)(void *user, uint32_t rows); /* called after each row with the number of rows done; may
                                                  be NULL */
    void *user;
} mmd_png_options;

/* Appends the picture to out as a PNG with 8 bits per channel, not interlaced, without a date, so that equal
 * pictures give equal bytes. Fails with MMD_ERROR_MEMORY and, for empty pictures and bad texts,
 * MMD_ERROR_VALUE. */
mmd_status mmd_png_write(const mmd_image *image, const mmd_png_options *options, mmd_buffer *out,
                         mmd_error *error);

/* Appends a picture likewise with 16 bits per channel. */
mmd_status mmd_png_write16(const mmd_image16 *image, const mmd_png_options *options, mmd_buffer *out,
                           mmd_error *error);

/* Writes a picture to a PNG file, with alpha if it has_alpha. Nobody sees an incomplete file
 * (mmd_file_write). Fails like mmd_png_write and with MMD_ERROR_IO; the error names the file. */
mmd_status mmd_image_write(const char *path, const mmd_image *image, mmd_error *error);

/* Returns whether a name ends like a picture's: in one of the formats that mmd_image_decode knows, or in .sph
 * or .spa, MMD's sphere maps. The case of letters is ignored. */
bool mmd_image_has_ending(const char *name);

/*
 * Returns whether a file is a picture. A PNG with a valid header and all its chunks is one, and so is a JPEG
 * with a valid header and all its segments, without decoding their pixels, which takes long; any other file
 * that is not plain is decoded, if its mmd_image_cost is within *budget, from which that is subtracted. name
 * is as for mmd_image_decode.
 */
bool mmd_image_is_picture(const void *data, size_t size, const char *name, uint64_t *budget);

#ifdef __cplusplus
}
#endif

#endif
