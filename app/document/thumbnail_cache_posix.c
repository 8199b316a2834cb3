/* The names of freedesktop.org's cache of small pictures (thumbnail_cache.h). */
#include "thumbnail_cache.h"

#include <md5.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "mmd/assemble.h"

void thumbnail_name(const char *uri, char name[THUMBNAIL_NAME_MAX])
{
    char digits[MD5_DIGEST_STRING_LENGTH];
    MD5Data((const uint8_t *)uri, strlen(uri), digits);
    snprintf(name, THUMBNAIL_NAME_MAX, "%s.png", digits);
}

bool thumbnail_cache_find(char folder[MMD_FILE_PATH_MAX])
{
    char at[MMD_FILE_PATH_MAX];
    if (system_find_folder(SYSTEM_CACHE, at))
        return snprintf(folder, MMD_FILE_PATH_MAX, "%s/thumbnails", at) < MMD_FILE_PATH_MAX;
    return mmd_user_folders_home(at) &&
           snprintf(folder, MMD_FILE_PATH_MAX, "%s/.cache/thumbnails", at) < MMD_FILE_PATH_MAX;
}
