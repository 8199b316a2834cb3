#include "pictures.h"
#include "support.h"

mmd_image picture_plain(uint32_t width, uint32_t height, color c)
{
    mmd_image image;
    assert_int_equal(mmd_image_init(&image, width, height, NULL), MMD_OK);
    for (size_t i = 0; i < (size_t)width * height; i++)
        memcpy(image.pixels + 4 * i, &c, 4);
    image.has_alpha = c.a < 255;
    return image;
}

mmd_image picture_read(const char *path)
{
    mmd_bytes bytes = {0};
    mmd_image image = {0};
    mmd_error error = {0};
    char sentence[1024];
    if (mmd_file_read(path, &bytes, &error) != MMD_OK ||
        mmd_image_decode(bytes.data, bytes.size, path, &image, &error) != MMD_OK)
        fail_msg("%s", mmd_error_sentence(&error, sentence, sizeof sentence));
    mmd_bytes_finish(&bytes);
    return image;
}

uint8_t *picture_at(const mmd_image *image, uint32_t x, uint32_t y)
{
    assert_true(x < image->width && y < image->height);
    return image->pixels + 4 * ((size_t)y * image->width + x);
}

void picture_put(mmd_image *image, uint32_t x, uint32_t y, color c)
{
    memcpy(picture_at(image, x, y), &c, 4);
}

mmd_image picture_noise(uint32_t width, uint32_t height, uint64_t seed)
{
    mmd_image image = picture_plain(width, height, black);
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        if (i % 4 < 3)
            image.pixels[i] = (uint8_t)test_random(&seed);
    return image;
}

mmd_image picture_cut(const mmd_image *from, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    mmd_image image = picture_plain(width, height, black);
    for (uint32_t row = 0; row < height; row++)
        memcpy(picture_at(&image, 0, row), picture_at(from, x, y + row), (size_t)width * 4);
    image.has_alpha = from->has_alpha;
    return image;
}

mmd_image picture_copy(const mmd_image *from)
{
    return picture_cut(from, 0, 0, from->width, from->height);
}

static void draw_disc(mmd_image *image, double x, double y, double radius, const uint8_t *rgb)
{
    for (uint32_t py = 0; py < image->height; py++)
        for (uint32_t px = 0; px < image->width; px++) {
            double cover = radius - hypot(px - x, py - y);
            cover = cover < 0 ? 0 : cover > 1 ? 1 : cover;
            uint8_t *p = picture_at(image, px, py);
            for (int i = 0; cover > 0 && i < 3; i++)
                p[i] = (uint8_t)(p[i] + (rgb[i] - p[i]) * cover);
        }
}

mmd_image picture_discs(uint32_t width, uint32_t height, uint64_t seed)
{
    mmd_image image = picture_plain(width, height, white);
    for (int i = 0; i < 40; i++) {
        double x = (double)(test_random(&seed) % width), y = (double)(test_random(&seed) % height);
        double radius = 4 + (double)(test_random(&seed) % 40);
        uint64_t bits = test_random(&seed);
        draw_disc(&image, x, y, radius,
                  (uint8_t[]){(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16)});
    }
    return image;
}

mmd_image picture_transpose(const mmd_image *from)
{
    mmd_image image = picture_plain(from->height, from->width, black);
    for (uint32_t y = 0; y < from->height; y++)
        for (uint32_t x = 0; x < from->width; x++)
            memcpy(picture_at(&image, y, x), picture_at(from, x, y), 4);
    return image;
}
