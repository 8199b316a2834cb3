#include "thumbnail_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file_uri.h"
#include "base/system.h"
#include "files/png_text.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "preferences.h"

enum { FILE_SIZE_MAX = 1 << 20 }; /* bytes of a picture in the cache */

/* Folders of the cache. Each version of a program has a folder of its own for what it cannot make. */
static const char normal[] = "normal", large[] = "large", failed[] = "fail/odori-" ODORI_VERSION;

/* Writes the path of a picture of a URI. Returns false when there is no cache. */
static bool find_picture(const char *uri, const char *part, char path[MMD_FILE_PATH_MAX])
{
    char folder[MMD_FILE_PATH_MAX], name[THUMBNAIL_NAME_MAX];
    thumbnail_name(uri, name);
    return thumbnail_cache_find(folder) &&
           snprintf(path, MMD_FILE_PATH_MAX, "%s/%s/%s", folder, part, name) < MMD_FILE_PATH_MAX;
}

/* --- Reading --- */

bool thumbnail_decode(const void *data, size_t size, uint32_t most, mmd_image *image)
{
    mmd_image_info info;
    return png_is(data, size) && mmd_image_read_info(data, size, NULL, &info, NULL) == MMD_OK &&
           info.width <= most && info.height <= most &&
           mmd_image_decode(data, size, NULL, image, NULL) == MMD_OK;
}

/* Returns whether a picture has a text. */
static bool has_text(const mmd_bytes *picture, const char *key, const char *wanted)
{
    char *text = png_text_read(picture->data, picture->size, key);
    bool same = text && strcmp(text, wanted) == 0;
    mmd_free(text);
    return same;
}

/* Reads a picture if it is that of the file since its last change. */
static bool read_picture(const char *uri, const char *part, int64_t modified, mmd_image *image)
{
    char path[MMD_FILE_PATH_MAX], time[32];
    platform_info about;
    mmd_bytes bytes = {0};
    snprintf(time, sizeof time, "%" PRId64, modified);
    bool read = find_picture(uri, part, path) && platform_stat(path, &about) && about.size <= FILE_SIZE_MAX &&
                mmd_file_read(path, &bytes, NULL) == MMD_OK && has_text(&bytes, "Thumb::URI", uri) &&
                has_text(&bytes, "Thumb::MTime", time) &&
                thumbnail_decode(bytes.data, bytes.size, 2 * THUMBNAIL_SIZE, image);
    mmd_bytes_finish(&bytes);
    return read;
}

thumbnail_found thumbnail_cache_read(const char *path, int64_t modified, mmd_image *image)
{
    char uri[FILE_URI_MAX];
    mmd_image nothing = {0};
    *image = (mmd_image){0};
    if (!file_uri_of(path, uri))
        return THUMBNAIL_MISSING;
    if (read_picture(uri, normal, modified, image) || read_picture(uri, large, modified, image))
        return THUMBNAIL_FOUND;
    bool is_impossible = read_picture(uri, failed, modified, &nothing);
    mmd_image_finish(&nothing);
    return is_impossible ? THUMBNAIL_IMPOSSIBLE : THUMBNAIL_MISSING;
}

/* --- Writing --- */

/* Writes a file for the user alone, under another name until it is complete. */
static bool write_whole(const char *path, const mmd_buffer *bytes)
{
    char draft[MMD_FILE_PATH_MAX];
    uint64_t number;
    if (!platform_random(&number, sizeof number) ||
        snprintf(draft, sizeof draft, "%s.%016" PRIx64, path, number) >= (int)sizeof draft)
        return false;
    int file = platform_open(draft, PLATFORM_WRITE | PLATFORM_NEW | PLATFORM_WAIT, 0600);
    if (file < 0)
        return false;
    bool written = system_write(file, bytes->data, bytes->size);
    written = close(file) == 0 && written && platform_replace(draft, path);
    if (!written)
        platform_remove(draft);
    return written;
}

bool thumbnail_cache_write(const char *path, int64_t modified, const mmd_image *image)
{
    char uri[FILE_URI_MAX], picture[MMD_FILE_PATH_MAX], time[32];
    uint8_t clear[4] = {0};
    const mmd_image none = {.width = 1, .height = 1, .pixels = clear, .has_alpha = true};
    const mmd_image_text texts[] = {{"Thumb::URI", uri}, {"Thumb::MTime", time}, {"Software", "odori"}};
    const mmd_png_options options = {
        .alpha = true, .texts = texts, .text_count = sizeof texts / sizeof *texts};
    mmd_buffer bytes = {0};
    snprintf(time, sizeof time, "%" PRId64, modified);
    bool written = file_uri_of(path, uri) && find_picture(uri, image->width ? normal : failed, picture) &&
                   mmd_png_write(image->width ? image : &none, &options, &bytes, NULL) == MMD_OK &&
                   !bytes.failed && preferences_make_folders(picture) && write_whole(picture, &bytes);
    mmd_buffer_finish(&bytes);
    return written;
}
