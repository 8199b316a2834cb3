/*
 * Decodes DXT1, DXT3 and DXT5 blocks (BC1..BC3) as in Microsoft's "Texture Block Compression in Direct3D 11".
 */
#include "decode.h"

#include <string.h>

/* Expands 5:6:5 to eight bits per channel by repeating the high bits. */
static void unpack_565(uint32_t packed, uint8_t color[4])
{
    uint32_t r = packed >> 11 & 31, g = packed >> 5 & 63, b = packed & 31;
    color[0] = (uint8_t)(r << 3 | r >> 2);
    color[1] = (uint8_t)(g << 2 | g >> 4);
    color[2] = (uint8_t)(b << 3 | b >> 2);
    color[3] = 255;
}

/* Computes the four colours of a block. If the first colour of a DXT1 block is not the larger one, there are
 * three colours and transparent black. */
static void make_colors(const uint8_t *block, bool may_have_three, uint8_t colors[4][4])
{
    uint32_t first = (uint32_t)block[0] | (uint32_t)block[1] << 8;
    uint32_t second = (uint32_t)block[2] | (uint32_t)block[3] << 8;
    unpack_565(first, colors[0]);
    unpack_565(second, colors[1]);
    bool three = may_have_three && first <= second;
    for (int i = 0; i < 3; i++) {
        uint32_t a = colors[0][i], b = colors[1][i];
        colors[2][i] = (uint8_t)(three ? (a + b) / 2 : (2 * a + b + 1) / 3);
        colors[3][i] = (uint8_t)(three ? 0 : (a + 2 * b + 1) / 3);
    }
    colors[2][3] = 255;
    colors[3][3] = three ? 0 : 255;
}

/* Computes the eight alphas of a DXT5 block: six or four between the two ends, in the latter case with 0 and
 * 255. */
static void make_alphas(uint32_t a, uint32_t b, uint8_t alphas[8])
{
    alphas[0] = (uint8_t)a;
    alphas[1] = (uint8_t)b;
    uint32_t steps = a > b ? 7 : 5;
    for (uint32_t i = 1; i < steps; i++)
        alphas[1 + i] = (uint8_t)(((steps - i) * a + i * b + steps / 2) / steps);
    if (steps == 5) {
        alphas[6] = 0;
        alphas[7] = 255;
    }
}

/* Decodes the alpha of a DXT5 block: two end values, then 16 indices of 3 bits. */
static void decode_alpha_dxt5(const uint8_t *block, uint8_t pixels[16][4])
{
    uint8_t alphas[8];
    make_alphas(block[0], block[1], alphas);
    uint64_t bits = 0;
    for (int i = 0; i < 6; i++)
        bits |= (uint64_t)block[2 + i] << (8 * i);
    for (int i = 0; i < 16; i++)
        pixels[i][3] = alphas[bits >> (3 * i) & 7];
}

void mmd_image_decode_block(mmd_image_block kind, const uint8_t *block, uint8_t pixels[16][4])
{
    const uint8_t *color_block = kind == MMD_IMAGE_DXT1 ? block : block + 8;
    uint8_t colors[4][4];
    make_colors(color_block, kind == MMD_IMAGE_DXT1, colors);
    for (int i = 0; i < 16; i++)
        memcpy(pixels[i], colors[color_block[4 + i / 4] >> (2 * (i % 4)) & 3], 4);
    if (kind == MMD_IMAGE_DXT5)
        decode_alpha_dxt5(block, pixels);
    for (int i = 0; kind == MMD_IMAGE_DXT3 && i < 16; i++)
        pixels[i][3] = (uint8_t)((block[i / 2] >> (4 * (i % 2)) & 15) * 17);
}
