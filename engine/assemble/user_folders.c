/* The folders in which a user gathers files: a set of them. */
#include "user_folders.h"

#include "mmd/platform.h"

static bool read_id(const char *path, mmd_user_folder *id)
{
    platform_info about;
    if (!platform_stat(path, &about))
        return false;
    *id = (mmd_user_folder){about.device, about.node};
    return true;
}

void user_folders_add(mmd_user_folders *folders, const char *path)
{
    if (folders->count < MMD_USER_FOLDERS_MAX && read_id(path, &folders->items[folders->count]))
        folders->count++;
}

bool mmd_user_folders_has(const mmd_user_folders *folders, const char *path)
{
    mmd_user_folder id;
    bool there = read_id(path, &id);
    for (size_t i = 0; there && i < folders->count; i++)
        if (folders->items[i].device == id.device && folders->items[i].node == id.node)
            return true;
    return false;
}

bool mmd_user_folders_home(char path[MMD_FILE_PATH_MAX])
{
    return platform_home(path);
}
