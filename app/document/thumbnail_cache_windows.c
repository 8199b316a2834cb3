/* The names of odori's own cache of small pictures, because Windows has none that programs share
 * (thumbnail_cache.h). */
#include "thumbnail_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "base/system.h"

void thumbnail_name(const char *uri, char name[THUMBNAIL_NAME_MAX])
{
    XXH128_hash_t hash = XXH3_128bits(uri, strlen(uri));
    snprintf(name, THUMBNAIL_NAME_MAX, "%016" PRIx64 "%016" PRIx64 ".png", (uint64_t)hash.high64,
             (uint64_t)hash.low64);
}

bool thumbnail_cache_find(char folder[MMD_FILE_PATH_MAX])
{
    char cache[MMD_FILE_PATH_MAX];
    return system_find_folder(SYSTEM_CACHE, cache) &&
           snprintf(folder, MMD_FILE_PATH_MAX, "%s/odori/thumbnails", cache) < MMD_FILE_PATH_MAX;
}
