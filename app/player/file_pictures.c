#include "file_pictures.h"
#include "mmd/gpu_objects.h"

#include <string.h>

void file_pictures_finish(file_pictures *p, mmd_gpu *gpu)
{
    for (size_t i = 0; i < p->count; i++)
        mmd_gpu_texture_destroy(gpu, p->textures[i].texture);
    p->count = 0;
}

/* Uploads a picture. What cannot be uploaded is as if there were no picture. */
static void put(file_pictures *p, file_page *page, mmd_gpu *gpu, uint32_t entry, const mmd_image *image)
{
    uint32_t texture = 0;
    const mmd_gpu_texture_desc desc = {.width = image->width,
                                       .height = image->height,
                                       .format = MMD_GPU_RGBA8,
                                       .data = image->pixels,
                                       .mipmaps = true,
                                       .label = "picture of a file"};
    if (mmd_gpu_texture_create(gpu, &desc, &texture, NULL) != MMD_OK) {
        file_page_set_picture(page, entry, FILE_PAGE_NO_PICTURE);
        return;
    }
    if (p->count == FILE_PICTURES_MAX) {
        file_page_set_picture(page, p->textures[0].entry, 0);
        mmd_gpu_texture_destroy(gpu, p->textures[0].texture);
        memmove(p->textures, p->textures + 1, --p->count * sizeof *p->textures);
    }
    p->textures[p->count++] = (file_texture){entry, texture};
    file_page_set_picture(page, entry, texture);
}

bool file_pictures_follow(file_pictures *p, file_page *page, mmd_gpu *gpu)
{
    uint32_t entry;
    mmd_image image;
    bool any = false;
    if (page && page->pictures_of != p->of) {
        file_pictures_finish(p, gpu);
        p->of = page->pictures_of;
    }
    while (file_page_take_picture(page, &entry, &image)) {
        if (image.width) {
            put(p, page, gpu, entry, &image);
            any = true;
        }
        mmd_image_finish(&image);
    }
    return any;
}
