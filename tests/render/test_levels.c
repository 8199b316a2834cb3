/* The smaller levels of textures: those that the engine makes are the ones that llvmpipe makes, and near
 * those of other drivers. */
#include <glad/gl.h>

#include "render_support.h"

enum { SIDE_MAX = 256 };

/* Reads a level of the bound texture, and returns whether it exists. */
static bool read_level(GLint level, uint8_t *pixels, size_t *size)
{
    GLint width = 0, height = 0;
    glGetTexLevelParameteriv(GL_TEXTURE_2D, level, GL_TEXTURE_WIDTH, &width);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, level, GL_TEXTURE_HEIGHT, &height);
    *size = 4 * (size_t)width * (size_t)height;
    if (*size == 0)
        return false;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    return true;
}

/* Fills pixels with numbers that a small generator of random numbers makes. */
static void fill_random(uint8_t *pixels, size_t size)
{
    uint32_t seed = 1;
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[i] = (uint8_t)(seed >> 24);
    }
}

/* Compares all levels of a texture with those of a second one that the driver makes from the same pixels. */
static void compare_levels(mmd_gpu *gpu, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    static uint8_t ours[4 * SIDE_MAX * SIDE_MAX], theirs[4 * SIDE_MAX * SIDE_MAX];
    mmd_gpu_texture_desc desc = {.width = width,
                                 .height = height,
                                 .format = MMD_GPU_RGBA8,
                                 .data = pixels,
                                 .mipmaps = true,
                                 .label = "levels"};
    const bool is_llvmpipe = strncmp(mmd_gpu_get_info(gpu)->renderer, "llvmpipe", 8) == 0;
    uint32_t texture;
    ASSERT_OK(mmd_gpu_texture_create(gpu, &desc, &texture, error));
    GLuint reference;
    glGenTextures(1, &reference);
    glBindTexture(GL_TEXTURE_2D, reference);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    uint32_t side = width > height ? width : height;
    GLint levels = 0;
    for (;; levels++) {
        size_t our_size, their_size;
        glBindTexture(GL_TEXTURE_2D, texture);
        bool exists = read_level(levels, ours, &our_size);
        glBindTexture(GL_TEXTURE_2D, reference);
        assert_int_equal(read_level(levels, theirs, &their_size), exists);
        assert_int_equal(our_size, their_size);
        if (!exists)
            break;
        /* Other drivers may round otherwise, at each level. */
        int largest = 0;
        for (size_t i = 0; i < our_size; i++)
            largest = abs(ours[i] - theirs[i]) > largest ? abs(ours[i] - theirs[i]) : largest;
        if (largest > (is_llvmpipe ? 0 : 2 * levels))
            fail_msg("level %d of %u x %u differs from the driver's by %d", levels, width, height, largest);
    }
    assert_int_equal(1u << (levels - 1), side);
    mmd_gpu_texture_destroy(gpu, texture);
    glDeleteTextures(1, &reference);
    ASSERT_OK(mmd_gpu_check(gpu, "comparing levels", error));
}

static void smaller_levels_are_those_of_the_driver(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{256, 256}, {256, 128}, {64, 256}, {2, 2},  {4, 1},
                                        {1, 32},    {128, 1},   {1, 1},    {8, 256}};
    static uint8_t pixels[4 * SIDE_MAX * SIDE_MAX];
    mmd_gpu *gpu;
    ASSERT_OK(mmd_gpu_create_headless(NULL, &gpu, error));
    fill_random(pixels, sizeof pixels);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        compare_levels(gpu, pixels, sizes[i][0], sizes[i][1]);
    memset(pixels, 255, sizeof pixels);
    compare_levels(gpu, pixels, 64, 64);
    mmd_gpu_destroy(gpu);
}

/* A picture whose rows are asked for. */
typedef struct asked {
    const uint8_t *pixels;
    uint32_t width, next;
} asked;

static void copy_rows(void *user, uint32_t first, uint32_t count, uint8_t *to)
{
    asked *from = user;
    const size_t row = 4 * (size_t)from->width;
    assert_int_equal(first, from->next);
    from->next += count;
    memcpy(to, from->pixels + first * row, count * row);
}

/* A texture that is uploaded in pieces has the same levels as one whose pixels are there at once. */
static void rows_make_the_same_texture(void **state)
{
    (void)state;
    enum { AREA = 1 << 20 };
    static const uint32_t sizes[][2] = {{1024, 1024}, {8192, 128}, {64, 8192}, {1, 4096}, {8192, 1}, {1, 1}};
    static uint8_t pixels[4 * AREA], levels[2][4 * AREA];
    mmd_gpu *gpu;
    ASSERT_OK(mmd_gpu_create_headless(NULL, &gpu, error));
    fill_random(pixels, sizeof pixels);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        asked from = {pixels, sizes[i][0], 0};
        mmd_gpu_texture_desc desc = {.width = sizes[i][0],
                                     .height = sizes[i][1],
                                     .format = MMD_GPU_RGBA8,
                                     .data = pixels,
                                     .mipmaps = true,
                                     .label = "whole"};
        uint32_t textures[2];
        ASSERT_OK(mmd_gpu_texture_create(gpu, &desc, &textures[0], error));
        desc.data = NULL;
        desc.rows = copy_rows;
        desc.rows_user = &from;
        ASSERT_OK(mmd_gpu_texture_create(gpu, &desc, &textures[1], error));
        assert_int_equal(from.next, desc.height);
        for (GLint level = 0, exists = 1; exists; level++) {
            size_t size[2];
            for (int k = 0; k < 2; k++) {
                glBindTexture(GL_TEXTURE_2D, textures[k]);
                exists = read_level(level, levels[k], &size[k]);
            }
            assert_int_equal(size[0], size[1]);
            assert_memory_equal(levels[0], levels[1], size[0]);
            if (level == 0)
                assert_memory_equal(levels[0], pixels, size[0]);
        }
        mmd_gpu_texture_destroy(gpu, textures[0]);
        mmd_gpu_texture_destroy(gpu, textures[1]);
    }
    ASSERT_OK(mmd_gpu_check(gpu, "comparing levels", error));
    mmd_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(smaller_levels_are_those_of_the_driver),
                                       cmocka_unit_test(rows_make_the_same_texture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
