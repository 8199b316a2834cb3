/* What the watches of all systems share (folder_watch.h). */
#include "folder_watch_system.h"

#include "mmd/platform.h"
#include "mmd/source.h"

static void add_folder_of(folder_watch *w, const char *path)
{
    char folder[MMD_FILE_PATH_MAX];
    mmd_path_folder(path, folder, sizeof folder);
    if (!folder_watch_add_folder(w, folder))
        atomic_store(&w->misses, true);
}

void folder_watch_add_file(folder_watch *w, const char *path)
{
    char target[MMD_FILE_PATH_MAX];
    add_folder_of(w, path);
    if (platform_path_resolve(path, target))
        add_folder_of(w, target);
}

void folder_watch_stir(folder_watch *w)
{
    if (!atomic_exchange(&w->stirs, true))
        w->wake(w->user);
}

bool folder_watch_is_complete(folder_watch *w)
{
    return !atomic_load(&w->misses);
}

bool folder_watch_take(folder_watch *w)
{
    return atomic_exchange(&w->stirs, false);
}

bool folder_watch_is_stirred(folder_watch *w)
{
    return atomic_load(&w->stirs);
}
