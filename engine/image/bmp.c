/*
 * Decodes BMP as described by Microsoft (BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPINFOHEADER to
 * BITMAPV5HEADER): 1, 2, 4, 8, 16, 24 and 32 bits, bit fields, RLE4 and RLE8.
 */
#include "decode.h"
#include "mmd/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BMP_RGB = 0, BMP_RLE8 = 1, BMP_RLE4 = 2, BMP_BITFIELDS = 3, BMP_ALPHABITFIELDS = 6 };
enum {
    BMP_FILE_HEADER = 14,
    BMP_CORE_HEADER = 12,
    BMP_INFO_HEADER = 40,
    BMP_V2_HEADER = 52,
    BMP_V3_HEADER = 56
};

typedef struct bmp_header {
    uint32_t pixels_at; /* offset of the pixels */
    uint32_t size;      /* size of the header after the file header */
    int64_t width, height;
    bool top_down;
    uint32_t bits, compression, color_count;
    uint32_t red, green, blue, alpha; /* masks; 0: none */
} bmp_header;

/* Reads the OS/2 header of 12 bytes. */
static void read_core(mmd_cursor *cursor, bmp_header *header)
{
    header->width = mmd_read_u16(cursor);
    header->height = mmd_read_u16(cursor);
    mmd_read_u16(cursor); /* planes */
    header->bits = mmd_read_u16(cursor);
}

/* Reads the common part of the Windows headers. A negative height means that the top row comes first. */
static void read_info(mmd_cursor *cursor, bmp_header *header)
{
    header->width = mmd_read_i32(cursor);
    header->height = mmd_read_i32(cursor);
    header->top_down = header->height < 0;
    header->height = llabs(header->height);
    mmd_read_u16(cursor); /* planes */
    header->bits = mmd_read_u16(cursor);
    header->compression = mmd_read_u32(cursor);
    mmd_read_bytes(cursor, 12); /* size of the pixels, resolution */
    header->color_count = mmd_read_u32(cursor);
    mmd_read_u32(cursor); /* important colours */
}

/* Reads the channel masks of files with bit fields (part of the longer headers, after the short one), or sets
 * the fixed masks. */
static void read_masks(mmd_cursor *cursor, bmp_header *header)
{
    bool is_fields = header->compression == BMP_BITFIELDS || header->compression == BMP_ALPHABITFIELDS;
    if (!is_fields) {
        bool is_16 = header->bits == 16;
        header->red = is_16 ? 0x7C00 : 0xFF0000;
        header->green = is_16 ? 0x03E0 : 0x00FF00;
        header->blue = is_16 ? 0x001F : 0x0000FF;
        header->alpha = header->bits == 32 ? 0xFF000000 : 0;
        return;
    }
    header->red = mmd_read_u32(cursor);
    header->green = mmd_read_u32(cursor);
    header->blue = mmd_read_u32(cursor);
    if (header->size >= BMP_V3_HEADER || header->compression == BMP_ALPHABITFIELDS)
        header->alpha = mmd_read_u32(cursor);
    else if ((header->red | header->green | header->blue) == 0xFFFFFF)
        header->alpha = 0xFF000000; /* the fourth byte is unspecified; drop_unused_alpha decides */
}

/* Checks that the compression fits the depth. */
static mmd_status check_layout(mmd_cursor *cursor, const bmp_header *header)
{
    uint32_t bits = header->bits;
    bool is_indexed = bits == 1 || bits == 2 || bits == 4 || bits == 8;
    bool is_packed = bits == 16 || bits == 32;
    bool ok;
    switch (header->compression) {
    case BMP_RGB:
        ok = is_indexed || is_packed || bits == 24;
        break;
    case BMP_RLE8:
        ok = bits == 8;
        break;
    case BMP_RLE4:
        ok = bits == 4;
        break;
    case BMP_BITFIELDS:
    case BMP_ALPHABITFIELDS:
        ok = is_packed;
        break;
    default:
        ok = false;
    }
    if (!ok)
        return mmd_cursor_fail(cursor, MMD_ERROR_UNSUPPORTED, "a BMP of %u bits with compression %u", bits,
                               header->compression);
    return MMD_OK;
}

/* Reads the headers and masks. The cursor then is where the palette may start. */
static mmd_status read_header(mmd_cursor *cursor, bmp_header *header)
{
    *header = (bmp_header){0};
    mmd_cursor_section(cursor, "header", -1);
    mmd_read_bytes(cursor, 10);
    header->pixels_at = mmd_read_u32(cursor);
    header->size = mmd_read_u32(cursor);
    if (header->size == BMP_CORE_HEADER)
        read_core(cursor, header);
    else if (header->size >= BMP_INFO_HEADER && header->size <= 1024)
        read_info(cursor, header);
    else
        return mmd_cursor_fail(cursor, MMD_ERROR_UNSUPPORTED, "a BMP with a header of %u bytes",
                               header->size);
    read_masks(cursor, header);
    size_t end = BMP_FILE_HEADER + (size_t)header->size;
    if (mmd_cursor_ok(cursor) && cursor->at < end)
        mmd_read_bytes(cursor, end - cursor->at);
    return mmd_cursor_ok(cursor) ? check_layout(cursor, header) : cursor->status;
}

/* Reads the palette. Colours that the file lacks are black. */
static void read_palette(mmd_cursor *cursor, const bmp_header *header, uint8_t palette[256][4])
{
    size_t entry = header->size == BMP_CORE_HEADER ? 3 : 4, most = (size_t)1 << header->bits;
    size_t count = header->color_count && header->color_count < most ? header->color_count : most;
    size_t room = mmd_cursor_left(cursor);
    if (header->pixels_at > cursor->at && header->pixels_at - cursor->at < room)
        room = header->pixels_at - cursor->at;
    count = count < room / entry ? count : room / entry;
    const uint8_t *from = mmd_read_bytes(cursor, count * entry);
    for (size_t i = 0; i < 256; i++) {
        bool given = from && i < count;
        for (size_t k = 0; k < 3; k++)
            palette[i][k] = given ? from[i * entry + 2 - k] : 0;
        palette[i][3] = 255;
    }
}

/* Returns the picture's row for a row of the file. */
static uint8_t *row_of(const bmp_header *header, mmd_image *image, uint32_t row)
{
    uint32_t y = header->top_down ? row : image->height - 1 - row;
    return image->pixels + (size_t)y * image->width * 4;
}

/* Converts a row of palette indices to RGBA; the highest bits of a byte come first. */
static void unpack_indexed(const uint8_t *from, uint32_t bits, uint8_t palette[256][4], uint32_t width,
                           uint8_t *to)
{
    uint32_t per_byte = 8 / bits, mask = (1U << bits) - 1;
    for (uint32_t x = 0; x < width; x++) {
        uint32_t shift = 8 - bits * (x % per_byte + 1);
        memcpy(to + 4 * (size_t)x, palette[from[x / per_byte] >> shift & mask], 4);
    }
}

static void unpack_24(const uint8_t *from, uint32_t width, uint8_t *to)
{
    for (uint32_t x = 0; x < width; x++, from += 3, to += 4) {
        to[0] = from[2];
        to[1] = from[1];
        to[2] = from[0];
        to[3] = 255;
    }
}

/* The bit fields of 16- and 32-bit pixels. */
typedef struct bmp_channels {
    mmd_image_channel red, green, blue, alpha;
} bmp_channels;

/* Converts a row of 16- or 32-bit pixels to RGBA. */
static void unpack_masked(const uint8_t *from, uint32_t bits, const bmp_channels *channels, uint32_t width,
                          uint8_t *to)
{
    for (uint32_t x = 0; x < width; x++, to += 4) {
        uint32_t pixel = (uint32_t)from[0] | (uint32_t)from[1] << 8;
        if (bits == 32)
            pixel |= (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
        from += bits / 8;
        to[0] = mmd_image_channel_get(&channels->red, pixel);
        to[1] = mmd_image_channel_get(&channels->green, pixel);
        to[2] = mmd_image_channel_get(&channels->blue, pixel);
        to[3] = channels->alpha.top ? mmd_image_channel_get(&channels->alpha, pixel) : 255;
    }
}

/* Makes the picture opaque if alpha is zero everywhere: most 32-bit files do not use the byte. */
static void drop_unused_alpha(mmd_image *image)
{
    size_t size = (size_t)image->width * image->height * 4;
    for (size_t i = 3; i < size; i += 4)
        if (image->pixels[i])
            return;
    for (size_t i = 3; i < size; i += 4)
        image->pixels[i] = 255;
}

/* Decodes uncompressed pixels. Rows are padded to four bytes. */
static mmd_status decode_plain(mmd_cursor *cursor, const bmp_header *header, uint8_t palette[256][4],
                               mmd_image *image)
{
    const bmp_channels channels = {mmd_image_channel_make(header->red), mmd_image_channel_make(header->green),
                                   mmd_image_channel_make(header->blue),
                                   mmd_image_channel_make(header->alpha)};
    size_t used = ((size_t)image->width * header->bits + 7) / 8, stride = (used + 3) & ~(size_t)3;
    for (uint32_t row = 0; row < image->height; row++) {
        /* The padding of the last row is often missing. */
        size_t want = row + 1 < image->height ? stride : used;
        const uint8_t *from = mmd_read_bytes(cursor, want);
        if (!from)
            return cursor->status;
        uint8_t *to = row_of(header, image, row);
        if (header->bits <= 8)
            unpack_indexed(from, header->bits, palette, image->width, to);
        else if (header->bits == 24)
            unpack_24(from, image->width, to);
        else
            unpack_masked(from, header->bits, &channels, image->width, to);
    }
    if (channels.alpha.top)
        drop_unused_alpha(image);
    return MMD_OK;
}

/* The position in a run-length encoded picture. Pixels outside of the picture are dropped. */
typedef struct rle_pen {
    const bmp_header *header;
    uint8_t (*palette)[4];
    mmd_image *image;
    uint32_t x, y;
} rle_pen;

/* Writes a pixel and moves right. */
static void pen_put(rle_pen *pen, uint32_t index)
{
    if (pen->x < pen->image->width && pen->y < pen->image->height)
        memcpy(row_of(pen->header, pen->image, pen->y) + 4 * (size_t)pen->x, pen->palette[index], 4);
    pen->x += pen->x < pen->image->width;
}

/* Writes count pixels from packed indices, or with repeat the first index again and again. */
static void pen_run(rle_pen *pen, const uint8_t *from, uint32_t count, bool repeat)
{
    for (uint32_t i = 0; i < count; i++) {
        if (pen->header->bits == 8)
            pen_put(pen, from[repeat ? 0 : i]);
        else
            pen_put(pen, from[repeat ? 0 : i / 2] >> (i % 2 ? 0 : 4) & 15);
    }
}

/* Handles an escape (after a 0): end of line, end of picture (returns false), move, or a run of literal
 * indices. */
static bool rle_escape(mmd_cursor *cursor, rle_pen *pen, uint32_t code)
{
    if (code == 1)
        return false;
    if (code == 0) {
        pen->x = 0;
        pen->y++;
    } else if (code == 2) {
        pen->x += mmd_read_u8(cursor);
        pen->y += mmd_read_u8(cursor);
        pen->x = pen->x < pen->image->width ? pen->x : pen->image->width;
    } else {
        uint32_t bytes = pen->header->bits == 8 ? code : (code + 1) / 2;
        const uint8_t *from = mmd_read_bytes(cursor, bytes);
        if (from)
            pen_run(pen, from, code, false);
        if (bytes & 1 && mmd_cursor_left(cursor))
            mmd_read_u8(cursor);
    }
    return mmd_cursor_ok(cursor);
}

/* Decodes RLE4 or RLE8. Pixels that are skipped have colour 0. */
static mmd_status decode_rle(mmd_cursor *cursor, const bmp_header *header, uint8_t palette[256][4],
                             mmd_image *image)
{
    rle_pen pen = {header, palette, image, 0, 0};
    size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++)
        memcpy(image->pixels + 4 * i, palette[0], 4);
    bool more = true;
    while (more && pen.y < image->height) {
        uint32_t length = mmd_read_u8(cursor);
        const uint8_t *value = mmd_read_bytes(cursor, 1);
        if (!value)
            return cursor->status;
        if (length == 0)
            more = rle_escape(cursor, &pen, *value);
        else
            pen_run(&pen, value, length, true);
    }
    return cursor->status;
}

static bool is_rle(const bmp_header *header)
{
    return header->compression == BMP_RLE4 || header->compression == BMP_RLE8;
}

/* Reads all before the pixels, and checks that pixels which are not compressed are there. */
static mmd_status read_to_pixels(mmd_cursor *cursor, bmp_header *header, uint8_t palette[256][4])
{
    mmd_status status = read_header(cursor, header);
    if (status == MMD_OK)
        status = mmd_image_check_claim(header->width, header->height, cursor->size, cursor->error);
    if (status != MMD_OK)
        return status;
    mmd_cursor_section(cursor, "pixels", -1);
    if (header->bits <= 8)
        read_palette(cursor, header, palette);
    if (header->pixels_at > cursor->at)
        mmd_read_bytes(cursor, header->pixels_at - cursor->at);
    uint64_t used = ((uint64_t)header->width * header->bits + 7) / 8, stride = (used + 3) & ~(uint64_t)3;
    uint64_t least =
        ((uint64_t)header->height - 1) * stride + used; /* the last row's padding may be missing */
    if (mmd_cursor_ok(cursor) && !is_rle(header) && least > mmd_cursor_left(cursor))
        mmd_cursor_fail(cursor, MMD_ERROR_TRUNCATED, "the picture has %zu of %llu bytes of pixels",
                        mmd_cursor_left(cursor), (unsigned long long)least);
    return cursor->status;
}

mmd_status mmd_image_info_bmp(const uint8_t *data, size_t size, mmd_image_info *info, mmd_error *error)
{
    assert(info);
    assert(data || size == 0);
    mmd_cursor cursor = mmd_cursor_make(data, size, error);
    bmp_header header;
    uint8_t palette[256][4];
    mmd_status status = read_to_pixels(&cursor, &header, palette);
    if (status == MMD_OK)
        *info = (mmd_image_info){
            .width = (uint32_t)header.width, .height = (uint32_t)header.height, .plain = !is_rle(&header)};
    return status;
}

mmd_status mmd_image_decode_bmp(const uint8_t *data, size_t size, mmd_image *image, mmd_error *error)
{
    assert(image);
    assert(data || size == 0);
    mmd_cursor cursor = mmd_cursor_make(data, size, error);
    bmp_header header;
    uint8_t palette[256][4] = {{0}};
    mmd_status status = read_to_pixels(&cursor, &header, palette);
    if (status == MMD_OK)
        status = mmd_image_init(image, (uint32_t)header.width, (uint32_t)header.height, error);
    if (status != MMD_OK)
        return status;
    return is_rle(&header) ? decode_rle(&cursor, &header, palette, image)
                           : decode_plain(&cursor, &header, palette, image);
}
