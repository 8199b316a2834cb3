/*
 * How much memory textures take, and how small they have to be so that they fit into a limit. Everything is
 * decided from the headers of the pictures before any of them is decoded, so that it depends on the files and
 * the limit alone.
 */
#include <assert.h>

#include "view_internal.h"

enum { BYTES = 4 }; /* of a pixel */

mmd_texture_memory mmd_texture_memory_of(uint64_t limit)
{
    return (mmd_texture_memory){.limit = limit};
}

static uint64_t reduced(uint32_t side, uint32_t halvings)
{
    return ((uint64_t)side + (UINT64_C(1) << halvings) - 1) >> halvings;
}

static uint64_t power_of_two(uint64_t side)
{
    uint64_t power = 1;
    while (power < side)
        power *= 2;
    return power;
}

uint32_t texture_halvings(const mmd_image_info *info, uint32_t size)
{
    assert(info && size < MMD_TEXTURE_SIZES);
    uint32_t longer = info->width > info->height ? info->width : info->height, halvings = 0;
    while (reduced(longer, halvings) > (uint32_t)MMD_IMAGE_SIZE_MAX >> size)
        halvings++;
    return halvings;
}

/* Returns the bytes in use besides the textures while a picture is decoded and reduced, and then while it is
 * brought to the sizes of a texture and uploaded: drivers have its first level twice while they make the
 * others. */
static uint64_t working_bytes(const mmd_image_info *info, uint32_t halvings)
{
    uint64_t width = reduced(info->width, halvings), height = reduced(info->height, halvings);
    uint64_t wide = power_of_two(width), high = power_of_two(height), level = BYTES * wide * high;
    uint64_t uploading = BYTES * width * height + (wide == width && high == height ? level : 2 * level);
    uint64_t decoding = mmd_image_memory(info, halvings);
    return decoding > uploading ? decoding : uploading;
}

bool texture_is_too_large(const mmd_image_info *info, uint64_t limit)
{
    assert(info);
    return !info->by_rows && working_bytes(info, texture_halvings(info, MMD_TEXTURE_SIZES - 1)) > limit;
}

void texture_memory_add(mmd_texture_memory *memory, const mmd_image_info *info)
{
    assert(memory && info);
    for (uint32_t i = 0; i < MMD_TEXTURE_SIZES; i++) {
        uint32_t halvings = texture_halvings(info, i);
        uint64_t wide = power_of_two(reduced(info->width, halvings));
        uint64_t high = power_of_two(reduced(info->height, halvings));
        uint64_t working = working_bytes(info, halvings);
        memory->held[i] += BYTES * wide * high / 3 * 4 + BYTES; /* its levels take a third */
        memory->working[i] = working > memory->working[i] ? working : memory->working[i];
        memory->smaller[i] += halvings > 0;
    }
}

void texture_memory_sum(mmd_texture_memory *memory, const mmd_texture_memory *of)
{
    assert(memory && of);
    for (uint32_t i = 0; i < MMD_TEXTURE_SIZES; i++) {
        memory->held[i] += of->held[i];
        memory->working[i] = of->working[i] > memory->working[i] ? of->working[i] : memory->working[i];
        memory->smaller[i] += of->smaller[i];
    }
}

bool texture_memory_same(const mmd_texture_memory *memory, uint32_t a, uint32_t b)
{
    assert(memory && a < MMD_TEXTURE_SIZES && b < MMD_TEXTURE_SIZES);
    return memory->held[a] == memory->held[b];
}

uint32_t mmd_texture_memory_size(const mmd_texture_memory *memory)
{
    assert(memory);
    uint32_t i = 0;
    while (i + 1 < MMD_TEXTURE_SIZES && memory->held[i] + memory->working[i] > memory->limit)
        i++;
    return i;
}
