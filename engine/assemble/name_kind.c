/* Kinds of files by the endings of their names. */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "mmd/assemble.h"

static const struct {
    const char *ending;
    mmd_name_kind kind;
} known[] = {
    {"pmx", MMD_NAME_MODEL},       {"pmd", MMD_NAME_MODEL},       {"vac", MMD_NAME_ACCESSORY},
    {"x", MMD_NAME_ACCESSORY},     {"glb", MMD_NAME_INTERCHANGE}, {"gltf", MMD_NAME_INTERCHANGE},
    {"pmm", MMD_NAME_PROJECT},     {"vmd", MMD_NAME_MOTION},      {"vpd", MMD_NAME_POSE},
    {"wav", MMD_NAME_SOUND},       {"ogg", MMD_NAME_SOUND},       {"flac", MMD_NAME_SOUND},
    {"mp3", MMD_NAME_SOUND},       {"png", MMD_NAME_PICTURE},     {"playlist", MMD_NAME_PLAYLIST},
    {"bmp", MMD_NAME_TEXTURE},     {"jpg", MMD_NAME_TEXTURE},     {"jpeg", MMD_NAME_TEXTURE},
    {"tga", MMD_NAME_TEXTURE},     {"dds", MMD_NAME_TEXTURE},     {"gif", MMD_NAME_TEXTURE},
    {"zip", MMD_NAME_ARCHIVE},     {"7z", MMD_NAME_ARCHIVE},      {"rar", MMD_NAME_ARCHIVE},
    {"tar", MMD_NAME_ARCHIVE},     {"tgz", MMD_NAME_ARCHIVE},     {"tbz2", MMD_NAME_ARCHIVE},
    {"txz", MMD_NAME_ARCHIVE},     {"tzst", MMD_NAME_ARCHIVE},    {"tar.gz", MMD_NAME_ARCHIVE},
    {"tar.bz2", MMD_NAME_ARCHIVE}, {"tar.xz", MMD_NAME_ARCHIVE},  {"tar.zst", MMD_NAME_ARCHIVE},
};

enum { KNOWN = sizeof known / sizeof *known };

mmd_name_kind mmd_name_kind_of(const char *name)
{
    const char *base = mmd_path_name(name);
    size_t length = strlen(base);
    for (size_t i = 0; i < KNOWN; i++) {
        size_t ending = strlen(known[i].ending);
        if (length > ending && base[length - ending - 1] == '.' &&
            strcasecmp(base + length - ending, known[i].ending) == 0)
            return known[i].kind;
    }
    return MMD_NAME_OTHER;
}

const char *mmd_name_kind_ending(mmd_name_kind kind, unsigned i)
{
    for (size_t k = 0; k < KNOWN; k++)
        if (known[k].kind == kind && i-- == 0)
            return known[k].ending;
    return NULL;
}
