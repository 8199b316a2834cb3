/*
 * Decodes JPEG, TGA, GIF, PSD, PIC and PNM with stb_image (nothings.org/stb). PNG is read by libpng
 * (png_read.c), which takes no memory besides the picture. BMP has its own decoder (bmp.c), because stb_image
 * leaves colours outside of a palette undefined, does not read RLE or the masks of all headers, and rejects
 * files with slightly wrong offsets.
 */
#include "decode.h"
#include "mmd/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/*
 * The largest block that stb_image may allocate in this thread's current decode, 0 outside of one. Compressed
 * data can expand to a thousand times the size in the header, and stb_image offers no other way to limit
 * that.
 */
static _Thread_local size_t block_max;

/* Whether a block within block_max could not be allocated. stb_image then tries other formats, whose complaints about
 * the data mean nothing. */
static _Thread_local bool lacks_memory;

/* Allocates zeroed memory. stb_image does not fill what a truncated file lacks, and equal files must give
 * equal pictures. */
static void *alloc_block(size_t size)
{
    void *memory = size <= block_max ? mmd_alloc(size) : NULL;
    lacks_memory |= !memory && size <= block_max;
    if (memory)
        memset(memory, 0, size);
    return memory;
}

/* Reallocates within block_max, with zeroed new memory. */
static void *grow_block(void *memory, size_t old_size, size_t size)
{
    uint8_t *grown = size <= block_max ? mmd_realloc(memory, size) : NULL;
    lacks_memory |= !grown && size <= block_max;
    if (grown && size > old_size)
        memset(grown + old_size, 0, size - old_size);
    return grown;
}

#define STBI_MALLOC(size)                              alloc_block(size)
#define STBI_REALLOC_SIZED(memory, old_size, new_size) grow_block(memory, old_size, new_size)
#define STBI_REALLOC(memory, size)                     grow_block(memory, size, size)
#define STBI_FREE(memory)                              mmd_free(memory)
#define STBI_NO_STDIO
#define STBI_NO_PNG
#define STBI_NO_BMP
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
/* Not restored after the include, because the unused static function is reported at the end of the file. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#ifdef __clang__
/* Damaged JPEG coefficients overflow. Addresses are still checked. */
#pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#include <stb_image.h>
#pragma clang attribute pop
#else
#include <stb_image.h>
#endif
#pragma GCC diagnostic pop

static bool starts_with(const uint8_t *data, size_t size, const char *magic, size_t length)
{
    return size >= length && memcmp(data, magic, length) == 0;
}

/* Returns whether the file starts with a known signature. TGA has none. */
static bool has_magic(const uint8_t *data, size_t size)
{
    return starts_with(data, size, "\xFF\xD8", 2) || starts_with(data, size, "GIF8", 4) ||
           starts_with(data, size, "8BPS", 4) || starts_with(data, size, "\x53\x80\xF6\x34", 4) ||
           starts_with(data, size, "P5", 2) || starts_with(data, size, "P6", 2);
}

/* Reports stb_image's failure. Its reasons are short fixed texts, two of which concern size. */
static mmd_status fail_damaged(const uint8_t *data, size_t size, mmd_error *error)
{
    const char *reason = stbi_failure_reason();
    bool lacked = lacks_memory;
    lacks_memory = false;
    if (lacked)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the picture");
    if (reason && strcmp(reason, "too large") == 0)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "header", MMD_NO_OFFSET, "the picture is too large");
    if (reason && strcmp(reason, "outofmem") == 0)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "decoding needs far more memory than a picture of its size should");
    return mmd_image_fail_broken(data, size, reason, error);
}

/* Decodes within block_max. The pixels are allocated by stb_image. */
static mmd_status load(const uint8_t *data, int size, mmd_image *image, mmd_error *error)
{
    int width, height, channels;
    uint8_t *pixels = stbi_load_from_memory(data, size, &width, &height, &channels, 4);
    if (!pixels)
        return fail_damaged(data, (size_t)size, error);
    image->pixels = pixels;
    if ((uint32_t)width != image->width || (uint32_t)height != image->height)
        return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                             "the picture's header and data have different sizes");
    return MMD_OK;
}

/* Reports why a header cannot be read. stbi_info leaves the reason of the last format it tried; loading
 * leaves that of the right one. */
static mmd_status fail_header(const uint8_t *data, int size, bool is_tga, mmd_error *error)
{
    if (!is_tga && !has_magic(data, (size_t)size))
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "the file is not a picture in a known format");
    int width, height, channels;
    stbi__g_failure_reason = "its header cannot be read";
    if (data[0] != 'P')
        stbi_image_free(stbi_load_from_memory(data, size, &width, &height, &channels, 4));
    return fail_damaged(data, (size_t)size, error);
}

/* Reads and checks the header. The caller has set block_max. */
static mmd_status read_header(const uint8_t *data, int size, bool is_tga, mmd_image_info *info,
                              mmd_error *error)
{
    int width, height, channels;
    if (!stbi_info_from_memory(data, size, &width, &height, &channels))
        return fail_header(data, size, is_tga, error);
    mmd_status status = mmd_image_check_claim(width, height, (size_t)size, error);
    if (status != MMD_OK)
        return status;
    /* stb_image 2.27 reads out of bounds when it converts those (CVE-2021-42716). */
    if (data[0] == 'P' && stbi_is_16_bit_from_memory(data, size))
        return mmd_error_set(error, MMD_ERROR_UNSUPPORTED, "", MMD_NO_OFFSET, "a PNM of 16 bits a channel");
    *info = (mmd_image_info){.width = (uint32_t)width, .height = (uint32_t)height};
    return MMD_OK;
}

mmd_status mmd_image_info_stb(const uint8_t *data, size_t size, bool is_tga, mmd_image_info *info,
                              mmd_error *error)
{
    assert(info);
    assert(data || size == 0);
    if (size > INT_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "a picture of more than 2 GiB");
    if (size == 0)
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET, "the picture is an empty file");
    /* The file's data, doubled while growing, plus stb_image's state and whole JPEG blocks. */
    block_max = 2 * size + (1 << 20);
    mmd_status status = read_header(data, (int)size, is_tga, info, error);
    block_max = 0;
    return status;
}

mmd_status mmd_image_decode_stb(const uint8_t *data, size_t size, bool is_tga, mmd_image *image,
                                mmd_error *error)
{
    assert(image);
    assert(data || size == 0);
    mmd_image_info info;
    mmd_status status = mmd_image_info_stb(data, size, is_tga, &info, error);
    if (status != MMD_OK)
        return status;
    image->width = info.width;
    image->height = info.height;
    /* 16-bit RGBA, doubled while growing, in addition to the header's memory. */
    block_max = 2 * size + (1 << 20) + (size_t)info.width * info.height * 16;
    status = load(data, (int)size, image, error);
    block_max = 0;
    return status;
}
