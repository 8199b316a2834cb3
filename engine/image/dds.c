/*
 * Decodes DDS as in Microsoft's "Programming Guide for DDS": the largest level of the first surface, in the
 * formats that models for Direct3D 9 use.
 */
#include "decode.h"

#include <assert.h>
#include <string.h>

enum {
    PIXEL_HAS_ALPHA = 0x1,
    PIXEL_ALPHA_ONLY = 0x2,
    PIXEL_FOURCC = 0x4,
    PIXEL_RGB = 0x40,
    PIXEL_LUMINANCE = 0x20000
};

/* The pixel format of the file: compressed blocks or packed by masks. */
typedef struct dds_layout {
    bool is_block;
    mmd_image_block block;
    uint32_t bits; /* bits of a packed pixel */
    uint32_t red, green, blue, alpha;
} dds_layout;

/* Sets the layout of a DXGI_FORMAT number of the DX10 header. Returns false if it is not supported. */
static bool layout_from_dxgi(uint32_t format, dds_layout *layout)
{
    if (format >= 70 && format <= 78) {
        layout->is_block = true;
        layout->block = format <= 72 ? MMD_IMAGE_DXT1 : format <= 75 ? MMD_IMAGE_DXT3 : MMD_IMAGE_DXT5;
        return true;
    }
    bool rgba = format >= 27 && format <= 29;
    bool bgra = format == 87 || format == 90 || format == 91;
    bool bgrx = format == 88 || format == 92 || format == 93;
    *layout = (dds_layout){.bits = 32,
                           .red = rgba ? 0xFF : 0xFF0000,
                           .green = 0xFF00,
                           .blue = rgba ? 0xFF0000 : 0xFF,
                           .alpha = bgrx ? 0 : 0xFF000000};
    return rgba || bgra || bgrx;
}

/* Reads the DX10 header, which replaces the pixel format. */
static mmd_status read_dx10(mmd_cursor *cursor, dds_layout *layout)
{
    uint32_t format = mmd_read_u32(cursor);
    mmd_read_bytes(cursor, 16);
    if (mmd_cursor_ok(cursor) && !layout_from_dxgi(format, layout))
        mmd_cursor_fail(cursor, MMD_ERROR_UNSUPPORTED, "a DDS of DXGI format %u", format);
    return cursor->status;
}

/* Sets the layout of a FourCC code. */
static mmd_status layout_from_fourcc(mmd_cursor *cursor, const uint8_t *code, dds_layout *layout)
{
    static const char names[3][5] = {"DXT1", "DXT3", "DXT5"};
    for (int i = 0; i < 3; i++) {
        if (memcmp(code, names[i], 4) == 0) {
            layout->is_block = true;
            layout->block = (mmd_image_block)i;
            return MMD_OK;
        }
    }
    return mmd_cursor_fail(cursor, MMD_ERROR_UNSUPPORTED, "a DDS of code %02x %02x %02x %02x", code[0],
                           code[1], code[2], code[3]);
}

/* Reads the pixel format from its flags on. Sets *is_dx10 if another header follows. */
static mmd_status read_format(mmd_cursor *cursor, dds_layout *layout, bool *is_dx10)
{
    uint32_t flags = mmd_read_u32(cursor);
    const uint8_t *code = mmd_read_bytes(cursor, 4);
    *layout = (dds_layout){0};
    layout->bits = mmd_read_u32(cursor);
    layout->red = mmd_read_u32(cursor);
    layout->green = mmd_read_u32(cursor);
    layout->blue = mmd_read_u32(cursor);
    layout->alpha = mmd_read_u32(cursor);
    if (!mmd_cursor_ok(cursor))
        return cursor->status;
    *is_dx10 = flags & PIXEL_FOURCC && memcmp(code, "DX10", 4) == 0;
    if (flags & PIXEL_FOURCC)
        return *is_dx10 ? MMD_OK : layout_from_fourcc(cursor, code, layout);
    bool whole_bytes = layout->bits == 8 || layout->bits == 16 || layout->bits == 24 || layout->bits == 32;
    if (!(flags & (PIXEL_RGB | PIXEL_LUMINANCE | PIXEL_ALPHA_ONLY)) || !whole_bytes)
        return mmd_cursor_fail(cursor, MMD_ERROR_UNSUPPORTED, "a DDS of pixel flags %x and %u bits", flags,
                               layout->bits);
    if (flags & PIXEL_LUMINANCE)
        layout->green = layout->blue = layout->red;
    if (flags & PIXEL_ALPHA_ONLY)
        layout->red = layout->green = layout->blue = 0;
    if (!(flags & (PIXEL_HAS_ALPHA | PIXEL_ALPHA_ONLY)))
        layout->alpha = 0;
    return MMD_OK;
}

/* Decodes 4 x 4 blocks. Those at the right and bottom may extend beyond the picture. */
static void decode_blocks(mmd_image_block kind, const uint8_t *from, mmd_image *image)
{
    size_t block_size = kind == MMD_IMAGE_DXT1 ? 8 : 16;
    for (uint32_t top = 0; top < image->height; top += 4) {
        for (uint32_t left = 0; left < image->width; left += 4, from += block_size) {
            uint8_t pixels[16][4];
            mmd_image_decode_block(kind, from, pixels);
            uint32_t columns = image->width - left < 4 ? image->width - left : 4;
            uint32_t rows = image->height - top < 4 ? image->height - top : 4;
            for (uint32_t row = 0; row < rows; row++)
                memcpy(image->pixels + ((size_t)(top + row) * image->width + left) * 4, pixels[4 * row],
                       (size_t)columns * 4);
        }
    }
}

/* Decodes packed pixels of 1 to 4 bytes. */
static void decode_packed(const dds_layout *layout, const uint8_t *from, mmd_image *image)
{
    const mmd_image_channel red = mmd_image_channel_make(layout->red);
    const mmd_image_channel green = mmd_image_channel_make(layout->green);
    const mmd_image_channel blue = mmd_image_channel_make(layout->blue);
    const mmd_image_channel alpha = mmd_image_channel_make(layout->alpha);
    size_t count = (size_t)image->width * image->height, bytes = layout->bits / 8;
    for (size_t i = 0; i < count; i++, from += bytes) {
        uint32_t pixel = 0;
        for (size_t k = 0; k < bytes; k++)
            pixel |= (uint32_t)from[k] << (8 * k);
        uint8_t *to = image->pixels + 4 * i;
        to[0] = mmd_image_channel_get(&red, pixel);
        to[1] = mmd_image_channel_get(&green, pixel);
        to[2] = mmd_image_channel_get(&blue, pixel);
        to[3] = alpha.top ? mmd_image_channel_get(&alpha, pixel) : 255;
    }
}

/* Returns the size of the largest level in bytes. */
static size_t level_size(const dds_layout *layout, uint32_t width, uint32_t height)
{
    if (!layout->is_block)
        return (size_t)width * height * (layout->bits / 8);
    size_t blocks = (size_t)((width + 3) / 4) * ((height + 3) / 4);
    return blocks * (layout->block == MMD_IMAGE_DXT1 ? 8 : 16);
}

/* Reads the headers, and finds the pixels. */
static mmd_status read_to_pixels(mmd_cursor *cursor, dds_layout *layout, mmd_image_info *info,
                                 const uint8_t **pixels)
{
    bool is_dx10 = false;
    mmd_cursor_section(cursor, "header", -1);
    mmd_read_bytes(cursor, 12); /* signature, size of the header, flags */
    uint32_t height = mmd_read_u32(cursor);
    uint32_t width = mmd_read_u32(cursor);
    mmd_read_bytes(cursor, 60); /* pitch, depth, levels, reserved, size of the pixel format */
    read_format(cursor, layout, &is_dx10);
    mmd_read_bytes(cursor, 20); /* capabilities */
    if (is_dx10)
        read_dx10(cursor, layout);
    if (!mmd_cursor_ok(cursor))
        return cursor->status;
    mmd_status status = mmd_image_check_claim(width, height, cursor->size, cursor->error);
    if (status != MMD_OK)
        return status;
    mmd_cursor_section(cursor, "pixels", -1);
    *pixels = mmd_read_bytes(cursor, level_size(layout, width, height));
    *info = (mmd_image_info){.width = width, .height = height, .plain = *pixels != NULL};
    return cursor->status;
}

mmd_status mmd_image_info_dds(const uint8_t *data, size_t size, mmd_image_info *info, mmd_error *error)
{
    assert(info);
    assert(data || size == 0);
    mmd_cursor cursor = mmd_cursor_make(data, size, error);
    dds_layout layout;
    const uint8_t *pixels;
    return read_to_pixels(&cursor, &layout, info, &pixels);
}

mmd_status mmd_image_decode_dds(const uint8_t *data, size_t size, mmd_image *image, mmd_error *error)
{
    assert(image);
    assert(data || size == 0);
    mmd_cursor cursor = mmd_cursor_make(data, size, error);
    dds_layout layout;
    mmd_image_info info;
    const uint8_t *from;
    mmd_status status = read_to_pixels(&cursor, &layout, &info, &from);
    if (status == MMD_OK)
        status = mmd_image_init(image, info.width, info.height, error);
    if (status == MMD_OK && layout.is_block)
        decode_blocks(layout.block, from, image);
    else if (status == MMD_OK)
        decode_packed(&layout, from, image);
    return status;
}
