/* libFuzzer target for pictures of ids. */
#include <string.h>

#include "mmd/ids.h"
#include "fuzz.h"
#include "png_mutator.h"

/* Larger pictures take time and find nothing. */
enum { SIDE_MAX = 64 };

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void check(const mmd_ids *ids)
{
    for (size_t i = 0; i < (size_t)ids->width * ids->height; i++) {
        REQUIRE(ids->ids[i][0] <= ids->model_count);
        REQUIRE(ids->ids[i][1] <= ids->material_count);
        REQUIRE(ids->ids[i][2] <= ids->bone_count);
    }
    for (size_t i = 0; i < ids->material_count; i++)
        REQUIRE(ids->materials[i].name && ids->materials[i].model < ids->model_count);
    for (size_t i = 0; i < ids->bone_count; i++)
        REQUIRE(ids->bones[i].name && ids->bones[i].model < ids->model_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_ids ids;
    mmd_error error = {0};
    /* The size of the picture that these ids belong to. */
    uint32_t width = size >= 24 ? get_u32(data + 16) : 1, height = size >= 24 ? get_u32(data + 20) / 3 : 1;
    if (width > SIDE_MAX || height > SIDE_MAX)
        return 0;
    if (mmd_ids_decode(data, size, width, height, &ids, &error) == MMD_OK)
        check(&ids);
    else
        REQUIRE(error.message[0]);
    mmd_ids_finish(&ids);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return png_mutate(data, size, capacity, seed);
}
