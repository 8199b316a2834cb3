/* Pictures: memory, checks of sizes, the choice of a decoder, and files. */
#include "decode.h"
#include "mmd/memory.h"
#include "mmd/source.h"
#include "mmd_arena.h"

#include <assert.h>
#include <string.h>

void mmd_image_finish(mmd_image *image)
{
    assert(image);
    mmd_free(image->pixels);
    *image = (mmd_image){0};
}

/* Allocates zeroed pixels of `size` bytes each. */
static mmd_status make_pixels(uint32_t width, uint32_t height, size_t size, void **pixels, mmd_error *error)
{
    *pixels = NULL;
    if (width > MMD_IMAGE_SIZE_MAX || height > MMD_IMAGE_SIZE_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "a picture of %u by %u pixels; the limit is %d a side", width, height,
                             MMD_IMAGE_SIZE_MAX);
    size *= (size_t)width * height;
    *pixels = mmd_alloc_zeroed(size);
    if (!*pixels)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET,
                             "no memory for a picture of %u by %u", width, height);
    return MMD_OK;
}

mmd_status mmd_image_init(mmd_image *image, uint32_t width, uint32_t height, mmd_error *error)
{
    assert(image);
    void *pixels;
    *image = (mmd_image){0};
    mmd_status status = make_pixels(width, height, 4, &pixels, error);
    if (status == MMD_OK)
        *image =
            (mmd_image){.width = width, .height = height, .pixels = pixels, .has_alpha = width && height};
    return status;
}

void mmd_image16_finish(mmd_image16 *image)
{
    assert(image);
    mmd_free(image->pixels);
    *image = (mmd_image16){0};
}

mmd_status mmd_image16_init(mmd_image16 *image, uint32_t width, uint32_t height, mmd_error *error)
{
    assert(image);
    void *pixels;
    *image = (mmd_image16){0};
    mmd_status status = make_pixels(width, height, 8, &pixels, error);
    if (status == MMD_OK)
        *image = (mmd_image16){.width = width, .height = height, .pixels = pixels};
    return status;
}

mmd_status mmd_image_check_claim(int64_t width, int64_t height, size_t file_size, mmd_error *error)
{
    static const uint64_t always_allowed = 64 << 20, per_byte = 2000;
    if (width <= 0 || height <= 0)
        return mmd_error_set(error, MMD_ERROR_VALUE, "header", MMD_NO_OFFSET,
                             "a picture of %lld by %lld pixels", (long long)width, (long long)height);
    if (width > MMD_IMAGE_SIZE_MAX || height > MMD_IMAGE_SIZE_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "header", MMD_NO_OFFSET,
                             "a picture of %lld by %lld pixels; the limit is %d a side", (long long)width,
                             (long long)height, MMD_IMAGE_SIZE_MAX);
    uint64_t bytes = (uint64_t)width * (uint64_t)height * 4;
    if (bytes > always_allowed && bytes / per_byte > file_size)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "header", MMD_NO_OFFSET,
                             "a picture of %lld by %lld pixels cannot come from %zu bytes", (long long)width,
                             (long long)height, file_size);
    return MMD_OK;
}

mmd_image_channel mmd_image_channel_make(uint32_t mask)
{
    uint32_t shift = 0;
    while (mask && !(mask >> shift & 1))
        shift++;
    return (mmd_image_channel){mask, shift, mask >> shift};
}

bool mmd_image_has_alpha(const mmd_image *image)
{
    assert(image);
    const uint8_t *row = image->pixels;
    for (uint32_t y = 0; y < image->height; y++, row += 4 * (size_t)image->width) {
        uint8_t all = 255;
        for (size_t x = 0; x < image->width; x++)
            all &= row[4 * x + 3];
        if (all != 255)
            return true;
    }
    return false;
}

/* Returns whether name ends in .tga, in upper or lower case. */
static bool is_tga_name(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    if (length < 4 || name[length - 4] != '.')
        return false;
    const char *ending = name + length - 3;
    return (ending[0] | 32) == 't' && (ending[1] | 32) == 'g' && (ending[2] | 32) == 'a';
}

static bool is_png(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, "\x89PNG", 4) == 0;
}

/* --- What a picture takes --- */

/* Returns the bytes of a JPEG's planes by the header of its frame: each component has its own size in whole
 * blocks of 8 x 8, and in a progressive picture two more bytes for each pixel. */
static uint64_t frame_planes(const uint8_t *frame, const mmd_image_info *info)
{
    enum { COUNT_AT = 9, COMPONENTS_AT = 10, EACH = 3 };
    uint64_t across = 1, down = 1, bytes = 0, each = frame[1] == 0xC2 ? 3 : 1;
    const uint8_t *components = frame + COMPONENTS_AT;
    for (size_t i = 0; i < frame[COUNT_AT]; i++) {
        uint64_t h = components[EACH * i + 1] >> 4, v = components[EACH * i + 1] & 15;
        across = h > across ? h : across;
        down = v > down ? v : down;
    }
    uint64_t columns = (info->width + 8 * across - 1) / (8 * across),
             rows = (info->height + 8 * down - 1) / (8 * down);
    for (size_t i = 0; i < frame[COUNT_AT]; i++) {
        uint64_t h = components[EACH * i + 1] >> 4, v = components[EACH * i + 1] & 15;
        bytes += each * columns * h * 8 * rows * v * 8;
    }
    return bytes;
}

/* Returns the bytes of a JPEG's planes, which are in memory together with the picture. */
static uint64_t jpeg_planes(const uint8_t *data, size_t size, const mmd_image_info *info)
{
    enum { HEADER = 10, MOST = 12 };
    size_t at = 2;
    while (at + HEADER <= size && data[at] == 0xFF) {
        uint8_t marker = data[at + 1];
        if (marker >= 0xC0 && marker <= 0xC2 && size - at - HEADER >= 3 * (size_t)data[at + 9])
            return frame_planes(data + at, info);
        at += marker == 0xFF ? 1 : 2 + ((size_t)data[at + 2] << 8 | data[at + 3]);
    }
    return (uint64_t)MOST * info->width * info->height; /* not found: a progressive one of four components */
}

/* Returns whether a file without signature is a TGA whose pixels cannot be damaged: they are not indexed, and
 * all there or run-length encoded. */
static bool is_plain_tga(const uint8_t *data, size_t size, const mmd_image_info *info)
{
    enum { HEADER = 18, RGB = 2, GREY = 3, RUNS = 8 };
    if (size < HEADER || data[1] != 0)
        return false;
    uint32_t bits = data[16], kind = data[2] & ~RUNS;
    bool known = kind == RGB ? bits == 8 || bits == 24 || bits == 32 : kind == GREY && bits == 8;
    bool same = info->width == (data[12] | (uint32_t)data[13] << 8) &&
                info->height == (data[14] | (uint32_t)data[15] << 8);
    return known && same &&
           (data[2] & RUNS || size - HEADER >= data[0] + (uint64_t)info->width * info->height * (bits / 8));
}

/* Sets what stb_image takes for a picture besides its pixels, by the buffers in its source code. */
static void describe_stb(const uint8_t *data, size_t size, mmd_image_info *info)
{
    enum { TGA_HEADER = 18 };
    uint64_t pixels = (uint64_t)info->width * info->height;
    if (size < 4)
        return;
    if (memcmp(data, "\xFF\xD8", 2) == 0) {
        info->working = jpeg_planes(data, size, info);
    } else if (memcmp(data, "GIF8", 4) == 0) {
        info->working = 5 * pixels;    /* the background, and which pixels were drawn */
        info->unpacking = 36 * pixels; /* with the pixels, ten times as long as a plain picture */
    } else if (memcmp(data, "8BPS", 4) == 0 || memcmp(data, "\x53\x80\xF6\x34", 4) == 0) {
        info->working = 0; /* PSD, PIC: decoded in place */
    } else if (size >= TGA_HEADER && data[0] != 'P' && (data[1] ? data[7] : data[16]) == 32) {
        info->working = 0;
    } else {
        info->working = 3 * pixels; /* a copy without alpha */
    }
    info->plain = is_plain_tga(data, size, info);
}

mmd_status mmd_image_read_info(const void *data, size_t size, const char *name, mmd_image_info *info,
                               mmd_error *error)
{
    assert(info);
    assert(data || size == 0);
    *info = (mmd_image_info){0};
    mmd_status status;
    if (size >= 2 && memcmp(data, "BM", 2) == 0) {
        status = mmd_image_info_bmp(data, size, info, error);
    } else if (size >= 4 && memcmp(data, "DDS ", 4) == 0) {
        status = mmd_image_info_dds(data, size, info, error);
    } else if (is_png(data, size)) {
        status = mmd_image_info_png(data, size, info, error);
    } else {
        status = mmd_image_info_stb(data, size, is_tga_name(name), info, error);
        if (status == MMD_OK)
            describe_stb(data, size, info);
    }
    info->file = size;
    if (status != MMD_OK)
        mmd_error_set_file(error, name);
    return status;
}

uint64_t mmd_image_cost(const mmd_image_info *info)
{
    assert(info);
    enum { PIXEL = 4 };
    uint64_t pixels = (uint64_t)PIXEL * info->width * info->height;
    return pixels + (info->unpacking > info->working ? info->unpacking : info->working);
}

uint64_t mmd_image_memory(const mmd_image_info *info, uint32_t halvings)
{
    assert(info);
    enum { PIXEL = 4, SUMS = 32 };
    uint64_t side = UINT64_C(1) << halvings, width = (info->width + side - 1) / side;
    uint64_t height = (info->height + side - 1) / side, whole = (uint64_t)PIXEL * info->width * info->height;
    if (halvings == 0)
        return info->file + whole + info->working + info->joining;
    uint64_t small = info->file + PIXEL * width * height + SUMS * width * (info->interlaced ? height : 1);
    if (info->by_rows)
        return small + info->working;
    uint64_t first = info->file + whole + info->working; /* freed before the picture is reduced */
    return first > small + whole ? first : small + whole;
}

/* --- Decoding --- */

mmd_status mmd_image_decode_whole(const void *data, size_t size, const char *name, mmd_image *image,
                                  mmd_error *error)
{
    assert(image);
    assert(data || size == 0);
    *image = (mmd_image){0};
    mmd_status status;
    if (size >= 2 && memcmp(data, "BM", 2) == 0)
        status = mmd_image_decode_bmp(data, size, image, error);
    else if (size >= 4 && memcmp(data, "DDS ", 4) == 0)
        status = mmd_image_decode_dds(data, size, image, error);
    else if (is_png(data, size))
        status = mmd_image_decode_png(data, size, false, image, error);
    else
        status = mmd_image_decode_stb(data, size, is_tga_name(name), image, error);
    if (status != MMD_OK) {
        mmd_image_finish(image);
        mmd_error_set_file(error, name);
        return status;
    }
    image->has_alpha = mmd_image_has_alpha(image);
    return MMD_OK;
}

mmd_status mmd_image_decode(const void *data, size_t size, const char *name, mmd_image *image,
                            mmd_error *error)
{
    assert(image);
    mmd_image_info info;
    *image = (mmd_image){0};
    mmd_status status = mmd_image_read_info(data, size, name, &info, error);
    if (status != MMD_OK)
        return status;
    if (mmd_image_memory(&info, 0) - info.file <= MMD_IMAGE_WHOLE_MAX)
        return mmd_image_decode_whole(data, size, name, image, error);
    status = mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                           "decoding %u x %u pixels in this format takes more than %d MiB", info.width,
                           info.height, MMD_IMAGE_WHOLE_MAX >> 20);
    mmd_error_set_file(error, name);
    return status;
}

mmd_status mmd_image_read(const char *path, mmd_image *image, mmd_error *error)
{
    assert(path && image);
    mmd_bytes file = {0};
    mmd_image_finish(image);
    mmd_status status = mmd_file_read(path, &file, error);
    if (status == MMD_OK)
        status = mmd_image_decode(file.data, file.size, path, image, error);
    mmd_bytes_finish(&file);
    if (status != MMD_OK)
        mmd_error_set_file(error, path);
    return status;
}

mmd_status mmd_image_write(const char *path, const mmd_image *image, mmd_error *error)
{
    assert(path && image);
    mmd_buffer png = {0};
    const mmd_png_options options = {.alpha = image->has_alpha};
    mmd_status status = mmd_png_write(image, &options, &png, error);
    if (status == MMD_OK)
        status = mmd_file_write(path, png.data, png.size, error);
    mmd_buffer_finish(&png);
    if (status != MMD_OK)
        mmd_error_set_file(error, path);
    return status;
}
