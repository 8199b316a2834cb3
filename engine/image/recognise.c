/* Tells pictures from other files: by the ending of a name, and by a file's contents. */
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "decode.h"

bool mmd_image_has_ending(const char *name)
{
    static const char *const endings[] = {"png", "bmp", "jpg", "jpeg", "tga", "dds", "gif",
                                          "psd", "sph", "spa", "pic",  "pnm", "ppm", "pgm"};
    assert(name);
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot + 1, endings[i]) == 0)
            return true;
    return false;
}

/* Returns whether all chunks of a PNG, or all segments of a JPEG, are there. */
static bool is_complete(const uint8_t *data, size_t size)
{
    mmd_error found = {0}; /* names the part at which the file is damaged, if it is */
    return mmd_image_fail_broken(data, size, NULL, &found) != MMD_ERROR_TRUNCATED && !found.section[0];
}

/* Returns whether a PNG begins with the header of a picture that may be decoded, and has all its chunks. */
static bool is_whole_png(const uint8_t *data, size_t size)
{
    static const uint8_t head[16] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n',
                                     0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    if (size < sizeof head + 8 || memcmp(data, head, sizeof head) != 0)
        return false;
    int64_t sides[2] = {0};
    for (size_t i = 0; i < 8; i++)
        sides[i / 4] = sides[i / 4] << 8 | data[sizeof head + i];
    return is_complete(data, size) && mmd_image_check_claim(sides[0], sides[1], size, NULL) == MMD_OK;
}

/* Returns whether a JPEG has the header of a frame (ITU T.81, annex B) that may be decoded. */
static bool has_jpeg_frame(const uint8_t *data, size_t size)
{
    if (size < 4 || memcmp(data, "\xFF\xD8\xFF", 3) != 0)
        return false;
    for (size_t at = 2; at + 9 <= size && data[at] == 0xFF;) {
        uint8_t marker = data[at + 1];
        bool is_frame = marker >= 0xC0 && marker <= 0xC2;
        if (is_frame)
            return is_complete(data, size) &&
                   mmd_image_check_claim(data[at + 7] << 8 | data[at + 8], data[at + 5] << 8 | data[at + 6],
                                         size, NULL) == MMD_OK;
        at += marker == 0xFF ? 1 : 2 + ((size_t)data[at + 2] << 8 | data[at + 3]);
    }
    return false;
}

bool mmd_image_is_picture(const void *data, size_t size, const char *name, uint64_t *budget)
{
    assert((data || size == 0) && budget);
    mmd_image_info info;
    if (is_whole_png(data, size) || has_jpeg_frame(data, size))
        return true;
    if (mmd_image_read_info(data, size, name, &info, NULL) != MMD_OK)
        return false;
    uint64_t cost = info.plain ? 0 : mmd_image_cost(&info);
    if (cost > *budget)
        return false;
    *budget -= cost;
    return mmd_image_verify(data, size, name, NULL) == MMD_OK;
}
