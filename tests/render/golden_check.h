/* A picture against the one that is kept, or kept itself with ODORI_ACCEPT=1; for 320 x 240 pixels. */
#ifndef ODORI_GOLDEN_CHECK_H
#define ODORI_GOLDEN_CHECK_H

#include "golden.h"
#include "pictures.h"

enum { GOLDEN_WIDTH = 320, GOLDEN_HEIGHT = 240 };

/* At most one pixel of a thousand may be more than 2 levels off: processors round differently. */
static inline void golden_expect(const char *path, const mmd_image *image)
{
    mmd_image golden = picture_read(path);
    int off = 0;
    assert_int_equal(golden.width, image->width);
    assert_int_equal(golden.height, image->height);
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        bool differs = false;
        for (int k = 0; k < 3; k++)
            differs |= abs(golden.pixels[4 * i + k] - image->pixels[4 * i + k]) > 2;
        off += differs;
    }
    print_message("%s: %d pixels off\n", mmd_path_name(path), off);
    assert_true(off * 1000 <= GOLDEN_WIDTH * GOLDEN_HEIGHT);
    mmd_image_finish(&golden);
}

static inline void golden_check(test_scene *scene, const mmd_view_options *options, const char *name)
{
    mmd_image image = {0};
    char folder[1024], path[1200];
    if (!golden_folder(scene->gpu, folder, sizeof folder))
        return;
    ASSERT_OK(
        mmd_view_picture(scene->view, scene->stage, options, GOLDEN_WIDTH, GOLDEN_HEIGHT, &image, error));
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    if (getenv("ODORI_ACCEPT"))
        golden_accept(folder, path, &image);
    else
        golden_expect(path, &image);
    mmd_image_finish(&image);
}

#endif
