/* Where pictures that are kept lie, in a folder named after the GL driver that made them; and keeping them.
 */
#ifndef ODORI_GOLDEN_H
#define ODORI_GOLDEN_H

#include "render_support.h"

#include <ctype.h>
#include <sys/stat.h>

/* "llvmpipe-4-5-core-profile-mesa-22-3-6": the renderer's first word and the version, letters and digits
 * only. */
static inline void golden_driver(const mmd_gpu_info *info, char *name, size_t capacity)
{
    char raw[256];
    size_t word = strcspn(info->renderer, " ("), length = 0;
    snprintf(raw, sizeof raw, "%.*s %s", (int)word, info->renderer, info->version);
    for (const char *c = raw; *c && length + 1 < capacity; c++) {
        if (isalnum((unsigned char)*c))
            name[length++] = (char)tolower((unsigned char)*c);
        else if (length && name[length - 1] != '-')
            name[length++] = '-';
    }
    name[length] = '\0';
}

static inline void golden_accept(const char *folder, const char *path, const mmd_image *image)
{
    mmd_buffer png = {0};
    mkdir(ODORI_SOURCE "/tests/golden", 0777);
    mkdir(folder, 0777);
    ASSERT_OK(mmd_png_write(image, &(mmd_png_options){0}, &png, error));
    ASSERT_OK(mmd_file_write(path, png.data, png.size, error));
    mmd_buffer_finish(&png);
}

/* Where pictures of this driver are kept; false where there are none and none are to be made. */
static inline bool golden_folder(const mmd_gpu *gpu, char *folder, size_t capacity)
{
    char driver[128];
    struct stat status;
    golden_driver(mmd_gpu_get_info(gpu), driver, sizeof driver);
    snprintf(folder, capacity, "%s/tests/golden/%s", ODORI_SOURCE, driver);
    if (getenv("ODORI_ACCEPT") || stat(folder, &status) == 0)
        return true;
    print_message("skipped: no golden pictures of the driver %s\n", driver);
    return false;
}

#endif
