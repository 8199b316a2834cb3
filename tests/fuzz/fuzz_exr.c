/* libFuzzer target for planes in OpenEXR files: ids, and masks. */
#include "files/exr.h"
#include "fuzz.h"

/* Ids are read for a picture of the seeds' size. Larger blocks are refused, as if out of memory: a small file
 * may claim a large picture, which only costs time. */
enum { SIDE = 4, BLOCK_MAX = 1 << 20 };

void *__real_mmd_alloc(size_t size);
void *__wrap_mmd_alloc(size_t size);

void *__wrap_mmd_alloc(size_t size)
{
    return size <= BLOCK_MAX ? __real_mmd_alloc(size) : NULL;
}

static void check_ids(const mmd_ids *ids)
{
    for (size_t i = 0; i < (size_t)ids->width * ids->height; i++) {
        REQUIRE(ids->ids[i][0] <= ids->model_count);
        REQUIRE(ids->ids[i][1] <= ids->material_count);
        REQUIRE(ids->ids[i][2] <= ids->bone_count);
    }
}

static void check_mask(const mmd_image *mask)
{
    REQUIRE(mask->width && mask->width <= MMD_IMAGE_SIZE_MAX && mask->height <= MMD_IMAGE_SIZE_MAX);
    for (size_t i = 0; i < (size_t)mask->width * mask->height; i++) {
        const uint8_t *p = mask->pixels + 4 * i;
        REQUIRE((p[0] == 0 || p[0] == 255) && p[0] == p[1] && p[1] == p[2] && p[3] == 255);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_ids ids;
    mmd_image mask;
    mmd_error error = {0};
    if (exr_read_ids(data, size, SIDE, SIDE, &ids, &error) == MMD_OK)
        check_ids(&ids);
    else
        REQUIRE(error.message[0]);
    mmd_ids_finish(&ids);
    error = (mmd_error){0};
    if (exr_read_mask(data, size, &mask, &error) == MMD_OK)
        check_mask(&mask);
    else
        REQUIRE(error.message[0]);
    mmd_image_finish(&mask);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
