#include "file_kind.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "mmd/source.h"

static const struct {
    const char *ending;
    file_kind kind;
} known[] = {
    {"pmx", FILE_MODEL},       {"pmd", FILE_MODEL},       {"vac", FILE_ACCESSORY},
    {"x", FILE_ACCESSORY},     {"glb", FILE_INTERCHANGE}, {"gltf", FILE_INTERCHANGE},
    {"pmm", FILE_PROJECT},     {"vmd", FILE_MOTION},      {"vpd", FILE_POSE},
    {"wav", FILE_SOUND},       {"ogg", FILE_SOUND},       {"flac", FILE_SOUND},
    {"mp3", FILE_SOUND},       {"png", FILE_PICTURE},     {"playlist", FILE_PLAYLIST},
    {"bmp", FILE_TEXTURE},     {"jpg", FILE_TEXTURE},     {"jpeg", FILE_TEXTURE},
    {"tga", FILE_TEXTURE},     {"dds", FILE_TEXTURE},     {"gif", FILE_TEXTURE},
    {"zip", FILE_ARCHIVE},     {"7z", FILE_ARCHIVE},      {"rar", FILE_ARCHIVE},
    {"tar", FILE_ARCHIVE},     {"tgz", FILE_ARCHIVE},     {"tbz2", FILE_ARCHIVE},
    {"txz", FILE_ARCHIVE},     {"tzst", FILE_ARCHIVE},    {"tar.gz", FILE_ARCHIVE},
    {"tar.bz2", FILE_ARCHIVE}, {"tar.xz", FILE_ARCHIVE},  {"tar.zst", FILE_ARCHIVE},
};

enum { KNOWN = sizeof known / sizeof *known };

file_kind file_kind_of(const char *name)
{
    const char *base = mmd_path_name(name);
    size_t length = strlen(base);
    for (size_t i = 0; i < KNOWN; i++) {
        size_t ending = strlen(known[i].ending);
        if (length > ending && base[length - ending - 1] == '.' &&
            strcasecmp(base + length - ending, known[i].ending) == 0)
            return known[i].kind;
    }
    return FILE_OTHER;
}

const char *file_kind_ending(file_kind kind, unsigned i)
{
    for (size_t k = 0; k < KNOWN; k++)
        if (known[k].kind == kind && i-- == 0)
            return known[k].ending;
    return NULL;
}
