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

/* Returns whether a picture takes too much memory because it cannot be reduced while it is decoded. */
static bool is_too_large(const mmd_image_info *info, uint64_t limit)
{
    return !info->by_rows && working_bytes(info, texture_halvings(info, MMD_TEXTURE_SIZES - 1)) > limit;
}

/* Returns whether a picture has at most (MMD_IMAGE_SIZE_MAX >> i) squared pixels. */
static bool is_within(const mmd_image_info *info, uint32_t i)
{
    uint64_t side = (uint64_t)MMD_IMAGE_SIZE_MAX >> i;
    return (uint64_t)info->width * info->height <= side * side;
}

mmd_status texture_check(const mmd_image_info *info, uint64_t limit, uint32_t opened, mmd_error *error)
{
    assert(info);
    if (is_too_large(info, limit))
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "%u x %u pixels in a format that is decoded as a whole take more than the "
                             "texture memory of %llu MiB",
                             info->width, info->height, (unsigned long long)limit >> 20);
    if (!is_within(info, opened))
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "not decoded, because all pictures together take too long, and it is one of the "
                             "largest (%u x %u pixels); make it smaller",
                             info->width, info->height);
    return MMD_OK;
}

mmd_status mmd_texture_memory_check(const mmd_texture_memory *memory, const mmd_image_info *info,
                                    mmd_error *error)
{
    assert(memory && info);
    return texture_check(info, memory->limit, texture_memory_opened(memory), error);
}

/* Returns what decoding a picture costs beyond what its file is worth. */
static uint64_t excess_cost(const mmd_image_info *info)
{
    uint64_t cost = mmd_image_cost(info), worth = MMD_TEXTURE_WORTH * info->file;
    return cost > worth ? cost - worth : 0;
}

void mmd_texture_memory_add(mmd_texture_memory *memory, const mmd_image_info *info)
{
    assert(memory && info);
    if (is_too_large(info, memory->limit)) {
        memory->refused++;
        return;
    }
    for (uint32_t i = 0; i < MMD_TEXTURE_SIZES; i++) {
        uint32_t halvings = texture_halvings(info, i);
        uint64_t wide = power_of_two(reduced(info->width, halvings));
        uint64_t high = power_of_two(reduced(info->height, halvings));
        uint64_t working = working_bytes(info, halvings);
        memory->held[i] += BYTES * wide * high / 3 * 4 + BYTES; /* its levels take a third */
        memory->working[i] = working > memory->working[i] ? working : memory->working[i];
        memory->smaller[i] += halvings > 0;
        memory->decoded[i] += is_within(info, i) ? excess_cost(info) : 0;
    }
}

void texture_memory_sum(mmd_texture_memory *memory, const mmd_texture_memory *of)
{
    assert(memory && of);
    for (uint32_t i = 0; i < MMD_TEXTURE_SIZES; i++) {
        memory->held[i] += of->held[i];
        memory->working[i] = of->working[i] > memory->working[i] ? of->working[i] : memory->working[i];
        memory->smaller[i] += of->smaller[i];
        memory->decoded[i] += of->decoded[i];
    }
    memory->refused += of->refused;
}

bool texture_set_fits(const texture_set *set, const mmd_texture_memory *scene)
{
    assert(set && scene);
    const mmd_texture_memory *own = &set->memory;
    return own->held[set->size] == own->held[mmd_texture_memory_size(scene)] &&
           own->decoded[set->opened] == own->decoded[texture_memory_opened(scene)];
}

uint32_t texture_memory_opened(const mmd_texture_memory *memory)
{
    assert(memory);
    const uint64_t least = (uint64_t)MMD_TEXTURE_MEMORY_MIB << 20;
    const uint64_t most = MMD_TEXTURE_DECODED * (memory->limit > least ? memory->limit : least);
    uint32_t i = 0;
    while (i + 1 < MMD_TEXTURE_SIZES && memory->decoded[i] > most)
        i++;
    return i;
}

bool mmd_texture_memory_alike(const mmd_texture_memory *a, const mmd_texture_memory *b)
{
    return mmd_texture_memory_size(a) == mmd_texture_memory_size(b) &&
           texture_memory_opened(a) == texture_memory_opened(b);
}

bool mmd_texture_memory_leaves_out(const mmd_texture_memory *memory)
{
    assert(memory);
    return memory->refused || memory->decoded[0] > memory->decoded[texture_memory_opened(memory)];
}

uint32_t mmd_texture_memory_size(const mmd_texture_memory *memory)
{
    assert(memory);
    uint32_t i = 0;
    while (i + 1 < MMD_TEXTURE_SIZES && memory->held[i] + memory->working[i] > memory->limit)
        i++;
    return i;
}
