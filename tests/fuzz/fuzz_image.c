/* libFuzzer target for pictures: every decoder, chosen by content as the program does. A picture without a
 * signature is read as a TGA. */
#define _GNU_SOURCE /* memmem */
#include <string.h>

#include "fuzz.h"
#include "mmd/image.h"
#include "mmd/memory.h"
#include "png_mutator.h"

/* Larger pictures are decoded once only. Larger blocks are refused, as if out of memory: the largest picture
 * has about 128 x 128 pixels. */
enum { TWICE_MAX = 4096, BLOCK_MAX = 1 << 16 };

void *__real_mmd_alloc(size_t size);
void *__wrap_mmd_alloc(size_t size);
void *__real_mmd_realloc(void *memory, size_t size);
void *__wrap_mmd_realloc(void *memory, size_t size);

void *__wrap_mmd_alloc(size_t size)
{
    return size <= BLOCK_MAX ? __real_mmd_alloc(size) : NULL;
}

void *__wrap_mmd_realloc(void *memory, size_t size)
{
    return size <= BLOCK_MAX ? __real_mmd_realloc(memory, size) : NULL;
}

/* Returns whether a file begins like a PNG that is read without libpng, whose pixels it has to have. */
static bool is_unpacked_at_once(const uint8_t *data, size_t size)
{
    enum { DEPTH = 24, COLOR = 25, RGB = 2, RGBA = 6 };
    return size > COLOR && data[DEPTH] == 8 &&
           (data[COLOR] == RGBA || (data[COLOR] == RGB && !memmem(data, size, "tRNS", 4)));
}

static void check(const mmd_image *image, const uint8_t *data, size_t size, const char *name)
{
    mmd_image again;
    size_t count = (size_t)image->width * image->height;
    bool has_alpha = false;
    REQUIRE(count && image->width <= MMD_IMAGE_SIZE_MAX && image->height <= MMD_IMAGE_SIZE_MAX);
    for (size_t i = 0; i < count; i++)
        has_alpha |= image->pixels[4 * i + 3] != 255;
    REQUIRE(has_alpha == image->has_alpha);
    if (count > TWICE_MAX)
        return;
    /* Equal files give equal pictures, also where the data are incomplete. */
    REQUIRE(mmd_image_decode(data, size, name, &again, NULL) == MMD_OK);
    REQUIRE(again.width == image->width && again.height == image->height &&
            memcmp(again.pixels, image->pixels, 4 * count) == 0);
    mmd_image_finish(&again);
    if (is_unpacked_at_once(data, size) &&
        mmd_png_decode_strictly(data, size, name, 0, &again, NULL) == MMD_OK) {
        REQUIRE(memcmp(again.pixels, image->pixels, 4 * count) == 0);
        mmd_image_finish(&again);
    }
}

/* Decodes a picture smaller. Returns whether it can be read; one that needs blocks over BLOCK_MAX is left
 * out. */
static bool reduce(const mmd_image *image, const uint8_t *data, size_t size, const char *name)
{
    mmd_image reduced = {0};
    mmd_error error = {0};
    uint32_t halvings = 1 + (uint32_t)size % 3, side = 1u << halvings;
    mmd_status status = mmd_image_decode_reduced(data, size, name, halvings, &reduced, &error);
    if (status == MMD_OK && image->pixels) {
        REQUIRE(reduced.width == (image->width + side - 1) / side);
        REQUIRE(reduced.height == (image->height + side - 1) / side);
    } else if (status != MMD_OK) {
        REQUIRE(error.message[0] && !reduced.pixels);
    }
    mmd_image_finish(&reduced);
    return status == MMD_OK || (status == MMD_ERROR_MEMORY && image->pixels);
}

/* A picture that can be decoded has a header and can be verified and reduced, and no other can be. */
static void check_ways(const mmd_image *image, const uint8_t *data, size_t size, const char *name)
{
    mmd_image_info info;
    bool is_read = image->pixels != NULL;
    REQUIRE(reduce(image, data, size, name) == is_read);
    REQUIRE((mmd_image_verify(data, size, name, NULL) == MMD_OK) == is_read);
    if (!is_read)
        return;
    REQUIRE(mmd_image_read_info(data, size, name, &info, NULL) == MMD_OK);
    REQUIRE(info.width == image->width && info.height == image->height && info.file == size);
}

static mmd_status decode(const uint8_t *data, size_t size, const char *name)
{
    mmd_image image;
    mmd_error error = {0};
    mmd_status status = mmd_image_decode(data, size, name, &image, &error);
    if (status == MMD_OK)
        check(&image, data, size, name);
    else
        REQUIRE(!image.pixels && error.message[0]);
    if (status != MMD_ERROR_MEMORY)
        check_ways(&image, data, size, name);
    mmd_image_finish(&image);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_image_is_picture(data, size, "a.png", &(uint64_t){BLOCK_MAX});
    if (decode(data, size, NULL) == MMD_ERROR_MAGIC)
        decode(data, size, "a.tga");
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return png_mutate(data, size, capacity, seed);
}
