/* What kind of file it is, by its first bytes. */
#include "mmd/format.h"

#include <assert.h>
#include <string.h>

static bool starts_with(const void *data, size_t size, const char *magic)
{
    size_t length = strlen(magic);
    return size >= length && memcmp(data, magic, length) == 0;
}

mmd_file_kind mmd_file_detect(const void *data, size_t size)
{
    assert(data || size == 0);
    /* PMX 1.0 ("Pmx ") counts as PMX, so that its reader can name the version it does not know. */
    if (starts_with(data, size, "PMX") || starts_with(data, size, "Pmx "))
        return MMD_FILE_PMX;
    if (starts_with(data, size, "Pmd"))
        return MMD_FILE_PMD;
    if (starts_with(data, size, "Vocaloid Motion Data"))
        return MMD_FILE_VMD;
    if (starts_with(data, size, "Vocaloid Pose Data"))
        return MMD_FILE_VPD;
    if (starts_with(data, size, "Polygon Movie maker "))
        return MMD_FILE_PMM;
    return MMD_FILE_UNKNOWN;
}
