/* The root, and disks where desktops mount those of the user (places.h). */
#include "places.h"

#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mmd/source.h"

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
            places_add(found, PLACE_MEDIUM, path);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

void places_add_system(places *found)
{
    static const char *const mounts[] = {"/media", "/run/media"};
    char text[4096], path[MMD_FILE_PATH_MAX];
    struct passwd entry, *account = NULL;
    const char *user = getenv("USER");
    places_add(found, PLACE_ROOT, "/");
    if ((!user || !*user) && getpwuid_r(getuid(), &entry, text, sizeof text, &account) == 0 && account)
        user = account->pw_name;
    for (size_t i = 0; user && *user && i < sizeof mounts / sizeof *mounts; i++)
        if (snprintf(path, sizeof path, "%s/%s", mounts[i], user) < MMD_FILE_PATH_MAX)
            places_add_disks(found, path);
}
