#include "places.h"

#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "mmd/assemble.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "preferences.h"

/* Returns whether a path is that of a folder, also in an archive. */
static bool is_there(const char *path)
{
    struct stat about;
    char archive[MMD_FILE_PATH_MAX];
    return stat(path, &about) == 0 ? S_ISDIR(about.st_mode) || mmd_locate_archive(path, archive)
                                   : mmd_locate_archive(path, archive);
}

static bool has_path(const places *found, const char *path)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->items[i].path, path) == 0)
            return true;
    return false;
}

/* Adds a place if it exists and there is room. */
static void add(places *found, place_kind kind, const char *path)
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

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

void places_add_disks(places *found, const char *folder)
{
    struct dirent **names;
    int count = scandir(folder, &names, NULL, compare_names);
    for (int i = 0; i < count; i++) {
        char path[MMD_FILE_PATH_MAX];
        if (names[i]->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name) < MMD_FILE_PATH_MAX)
            add(found, PLACE_MEDIUM, path);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

/* Adds the disks of the user. */
static void add_disks(places *found)
{
    static const char *const mounts[] = {"/media", "/run/media"};
    char text[4096], path[MMD_FILE_PATH_MAX];
    struct passwd entry, *account = NULL;
    const char *user = getenv("USER");
    if ((!user || !*user) && getpwuid_r(getuid(), &entry, text, sizeof text, &account) == 0 && account)
        user = account->pw_name;
    for (size_t i = 0; user && *user && i < sizeof mounts / sizeof *mounts; i++)
        if (snprintf(path, sizeof path, "%s/%s", mounts[i], user) < MMD_FILE_PATH_MAX)
            places_add_disks(found, path);
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
        add(found, PLACE_HOME, path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (mmd_user_folder_find(known[i].name, path))
            add(found, known[i].kind, path);
}

/* Adds the folders of recent files that are not among the places yet. */
static void add_recent(places *found)
{
    char path[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    for (size_t i = 0; recent_get(i, path); i++)
        if (folder_parent(path, folder) && !has_path(found, folder))
            add(found, PLACE_RECENT, folder);
}

void places_find(const char *model, bool recent, places *found)
{
    char folder[MMD_FILE_PATH_MAX];
    *found = (places){.count = 0};
    if (model && folder_parent(model, folder))
        add(found, PLACE_MODEL, folder);
    add_own(found);
    add(found, PLACE_ROOT, "/");
    add_disks(found);
    if (recent)
        add_recent(found);
}

void places_finish(places *found)
{
    mmd_arena_finish(&found->arena);
    *found = (places){.count = 0};
}
