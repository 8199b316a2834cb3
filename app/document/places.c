#include "places.h"

#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "mmd/assemble.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "preferences.h"

/* Returns whether a path is that of a folder, also in an archive. */
static bool is_there(const char *path)
{
    platform_info about;
    char archive[MMD_FILE_PATH_MAX];
    return (platform_stat(path, &about) && about.kind == PLATFORM_FOLDER) ||
           mmd_locate_archive(path, archive);
}

static bool has_path(const places *found, const char *path)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->items[i].path, path) == 0)
            return true;
    return false;
}

void places_add(places *found, place_kind kind, const char *path)
{
    char label[MMD_FILE_PATH_MAX];
    if (found->count == PLACES_MAX || !is_there(path))
        return;
    const char *name = mmd_path_name(path);
    mmd_text_clean(*name ? name : path, true, label, sizeof label);
    place p = {.kind = kind,
               .path = mmd_arena_text(&found->arena, path, strlen(path)),
               .label = mmd_arena_text(&found->arena, label, strlen(label))};
    if (p.path && p.label)
        found->items[found->count++] = p;
}

/* Adds the folders of the user. */
static void add_own(places *found)
{
    static const struct {
        place_kind kind;
        const char *name;
    } known[] = {{PLACE_DESKTOP, "DESKTOP"}, {PLACE_DOCUMENTS, "DOCUMENTS"}, {PLACE_DOWNLOADS, "DOWNLOAD"},
                 {PLACE_MUSIC, "MUSIC"},     {PLACE_PICTURES, "PICTURES"},   {PLACE_VIDEOS, "VIDEOS"}};
    char path[MMD_FILE_PATH_MAX];
    if (mmd_user_folders_home(path))
        places_add(found, PLACE_HOME, path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (mmd_user_folder_find(known[i].name, path))
            places_add(found, known[i].kind, path);
}

/* Adds the folders of recent files that are not among the places yet. */
static void add_recent(places *found)
{
    char path[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    for (size_t i = 0; recent_get(i, path); i++)
        if (folder_parent(path, folder) && !has_path(found, folder))
            places_add(found, PLACE_RECENT, folder);
}

void places_find(const char *model, bool recent, places *found)
{
    char folder[MMD_FILE_PATH_MAX];
    *found = (places){.count = 0};
    if (model && folder_parent(model, folder))
        places_add(found, PLACE_MODEL, folder);
    add_own(found);
    places_add_system(found);
    if (recent)
        add_recent(found);
}

void places_finish(places *found)
{
    mmd_arena_finish(&found->arena);
    *found = (places){.count = 0};
}
