#include "picture.h"

#include <string.h>

#include "exr.h"
#include "mmd/memory.h"
#include "mmd/source.h"

mmd_status picture_read(const char *path, mmd_image *image, mmd_error *error)
{
    mmd_bytes file = {0};
    mmd_image_finish(image);
    mmd_status status = mmd_file_read(path, &file, error);
    if (status == MMD_OK)
        status = mmd_image_decode(file.data, file.size, path, image, error);
    mmd_bytes_finish(&file);
    if (status != MMD_OK)
        mmd_error_set_file(error, path);
    return status;
}

mmd_status picture_read_mask(const char *path, mmd_image *image, mmd_error *error)
{
    uint8_t head[4];
    size_t size = 0;
    mmd_bytes file = {0};
    if (mmd_file_read_head(path, head, sizeof head, &size, NULL) != MMD_OK || !exr_is(head, size))
        return picture_read(path, image, error);
    mmd_image_finish(image);
    mmd_status status = mmd_file_read(path, &file, error);
    if (status == MMD_OK)
        status = exr_read_mask(file.data, file.size, image, error);
    mmd_bytes_finish(&file);
    if (status != MMD_OK)
        mmd_error_set_file(error, path);
    return status;
}

bool mask_start(mmd_mask *mask, uint32_t width, uint32_t height)
{
    size_t size = (size_t)width * height;
    if (!mask->pixels || mask->width != width || mask->height != height) {
        mask_finish(mask);
        *mask = (mmd_mask){width, height, mmd_alloc(size)};
    }
    if (mask->pixels)
        memset(mask->pixels, 255, size);
    return mask->pixels != NULL;
}

void mask_finish(mmd_mask *mask)
{
    mmd_free(mask->pixels);
    *mask = (mmd_mask){0};
}

mmd_status mask_near_edges(mmd_mask *mask, const mmd_label_plane *labels, const mmd_image *picture,
                           uint8_t levels, uint32_t distance, mmd_mask_action action, mmd_error *error)
{
    if (labels)
        return mmd_mask_edges(mask, labels, MMD_LABEL_MODEL | MMD_LABEL_MATERIAL, distance, action, error);
    return mmd_mask_steps(mask, picture, levels, distance, action, error);
}
