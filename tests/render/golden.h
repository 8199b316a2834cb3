/*
 * Compares images with reference images under tests/golden, which lie in a folder named after the GL driver
 * that made them.
 *
 * golden_start(&g, gpu)                  finds the reference images
 * golden_compare(&g, name, &image, 2)    compares with NAME.png, or stores it with ODORI_ACCEPT=1
 *
 * A reference image records what made it: the renderer, its version, the compiler and the processor. If all
 * of these are the same now, the images must be identical. Another processor or compiler rounds differently,
 * so one pixel of a thousand may differ by more than a few levels. Another version of Mesa, or another driver
 * of it, also decides differently which pixels an edge covers. It is compared with the reference images that
 * exist, with more tolerance. So are all images where textures are so small that the self-shadow map is
 * coarser. Look at new reference images before committing them.
 */
#ifndef ODORI_GOLDEN_H
#define ODORI_GOLDEN_H

#include "pictures.h"
#include "render_support.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>

enum { GOLDEN_WIDTH = 320, GOLDEN_HEIGHT = 240 };

#define GOLDEN_ROOT ODORI_SOURCE "/tests/golden"

typedef struct golden {
    char folder[512];
    char made[1024]; /* renderer, version, compiler and processor, as recorded in images */
    bool other_driver;
    bool coarse;  /* self-shadow maps are smaller than those of the references */
    bool samples; /* there are several per pixel */
} golden;

/* Writes the folder name of a driver: the first word of the renderer and the version, letters and digits only
 * ("llvmpipe-4-5-core-profile-mesa-22-3-6"). */
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

/* Reads the name of the processor on Linux. Gives an empty text elsewhere. */
static inline void golden_processor(char *name, size_t capacity)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    name[0] = '\0';
    while (file && !name[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon)
            snprintf(name, capacity, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (file)
        fclose(file);
}

static inline bool golden_has_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Finds the first folder of reference images in alphabetical order. Returns false if there is none. */
static inline bool golden_any_folder(char *folder, size_t capacity)
{
    char first[256] = "";
    DIR *dir = opendir(GOLDEN_ROOT);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && (!first[0] || strcmp(entry->d_name, first) < 0))
            snprintf(first, sizeof first, "%s", entry->d_name);
    if (dir)
        closedir(dir);
    snprintf(folder, capacity, "%s/%s", GOLDEN_ROOT, first);
    return first[0] != '\0';
}

/* Finds the reference images. Returns false and reports that the comparison is skipped if the renderer is not
 * Mesa, because Mesa's images cannot be compared with those of other drivers. */
static inline bool golden_start(golden *g, const mmd_gpu *gpu)
{
    char driver[128], processor[256];
    const mmd_gpu_info *info = mmd_gpu_get_info(gpu);
    golden_driver(info, driver, sizeof driver);
    golden_processor(processor, sizeof processor);
    snprintf(g->folder, sizeof g->folder, "%s/%s", GOLDEN_ROOT, driver);
    snprintf(g->made, sizeof g->made, "%s; %s; %s; %s", info->renderer, info->version, __VERSION__,
             processor);
    g->coarse = info->max_texture_size < 2048;
    g->samples = info->max_samples > 1;
    g->other_driver = !getenv("ODORI_ACCEPT") && !golden_has_folder(g->folder);
    if (!g->other_driver || (strstr(info->version, "Mesa") && golden_any_folder(g->folder, sizeof g->folder)))
        return true;
    test_skip_part("no golden pictures of the driver %s", driver);
    return false;
}

/* Stores an image together with the description of what made it. */
static inline void golden_accept(const golden *g, const char *path, const mmd_image *image)
{
    const mmd_image_text text = {"Made with", g->made};
    mmd_buffer png = {0};
    mkdir(GOLDEN_ROOT, 0777);
    mkdir(g->folder, 0777);
    ASSERT_OK(mmd_png_write(image, &(mmd_png_options){.texts = &text, .text_count = 1}, &png, error));
    ASSERT_OK(mmd_file_write(path, png.data, png.size, error));
    mmd_buffer_finish(&png);
}

/* Returns whether a reference image was made by the present renderer. Searches the bytes of the file for the
 * description. */
static inline bool golden_made_here(const golden *g, const char *path)
{
    mmd_bytes file = {0};
    size_t size = strlen(g->made);
    bool found = false;
    assert_int_equal(mmd_file_read(path, &file, NULL), MMD_OK);
    for (size_t i = 0; !found && i + size <= file.size; i++)
        found = memcmp(file.data + i, g->made, size) == 0;
    mmd_bytes_finish(&file);
    return found;
}

/* Compares an image with the reference NAME.png. levels is the allowed difference of a channel on another
 * processor or with another compiler. */
static inline void golden_compare(const golden *g, const char *name, const mmd_image *image, int levels)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s.png", g->folder, name);
    if (getenv("ODORI_ACCEPT")) {
        golden_accept(g, path, image);
        return;
    }
    const bool alike = g->other_driver || g->coarse, exactly = !alike && golden_made_here(g, path);
    levels = exactly ? 0 : alike ? 24 : levels;
    size_t pixels = (size_t)image->width * image->height, off = 0;
    size_t allowed = exactly ? 0 : alike ? pixels / 100 : pixels / 1000;
    mmd_image kept = picture_read(path);
    assert_int_equal(kept.width, image->width);
    assert_int_equal(kept.height, image->height);
    int largest = 0;
    double mean = 0;
    for (size_t i = 0; i < pixels; i++) {
        int worst = 0;
        for (int k = 0; k < 3; k++) {
            int d = abs(kept.pixels[4 * i + k] - image->pixels[4 * i + k]);
            worst = d > worst ? d : worst;
            mean += d / (3.0 * (double)pixels);
        }
        off += worst > levels;
        largest = worst > largest ? worst : largest;
    }
    mmd_image_finish(&kept);
    print_message("%s: %zu pixels off by more than %d levels, the largest by %d, mean %.4f%s\n", name, off,
                  levels, largest, mean, exactly ? " (made by this driver, compiler and processor)" : "");
    if (off > allowed || (alike && mean > 0.5))
        fail_msg("%s is not as it was", name);
}

/* Returns whether the driver draws several samples per pixel. Reports that pictures with samples are skipped
 * if not, as with softpipe. */
static inline bool golden_has_samples(const golden *g)
{
    if (!g->samples)
        test_skip_part("this driver draws one sample per pixel");
    return g->samples;
}

/* Draws the stage at 320 x 240 and compares. */
static inline void golden_check(const golden *g, test_scene *scene, const mmd_view_options *options,
                                const char *name)
{
    mmd_image image = {0};
    if (options->samples > 1 && !golden_has_samples(g))
        return;
    ASSERT_OK(
        mmd_view_picture(scene->view, scene->stage, options, GOLDEN_WIDTH, GOLDEN_HEIGHT, &image, error));
    golden_compare(g, name, &image, 2);
    mmd_image_finish(&image);
}

#endif
