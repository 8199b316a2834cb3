#include "textures.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mmd/image.h"
#include "locate.h"

enum { LEVELS_ABOVE = 2 };

/* The folder that the model is in, links followed: ".." in a texture's name means what is above that one. */
static void true_folder(const char *model_path, char folder[PATH_MAX])
{
    char resolved[PATH_MAX];
    mmd_path_folder(realpath(model_path, resolved) ? resolved : model_path, folder, PATH_MAX);
}

/* Whether names are looked up in it part by part: that takes reading its entries. */
static bool can_be_listed(const char *folder)
{
    return access(folder, R_OK | X_OK) == 0;
}

/*
 * Moves the last part of root to the front of below; false, and nothing moved,
 * where the folder above cannot be looked into, or the part not be said in a
 * texture's name: too long, or with a backslash, which separates there.
 */
static bool go_up(char root[PATH_MAX], char below[MMD_PATH_MAX])
{
    char longer[PATH_MAX + MMD_PATH_MAX], above[PATH_MAX];
    const char *part = mmd_path_name(root);
    if (root[0] != '/' || !part[0] || strchr(part, '\\'))
        return false;
    mmd_path_folder(root, above, sizeof above);
    snprintf(longer, sizeof longer, "%s%s%s", part, below[0] ? "/" : "", below);
    if (strlen(longer) >= MMD_PATH_MAX / 2 || !can_be_listed(above))
        return false;
    strcpy(below, longer);
    strcpy(root, above);
    return true;
}

/* All of an archive is the source of those in it. One that is gone by now is like an empty one. */
static bool is_in_archive(const char *model_path, texture_place *place)
{
    mmd_error error = {0};
    if (locate_open_source(model_path, &place->source, place->folder, &error) == MMD_OK)
        return place->source != NULL;
    if (error.code != MMD_ERROR_MEMORY)
        place->source = mmd_source_memory(NULL, 0);
    return true;
}

texture_place textures_beside(const char *model_path)
{
    texture_place place = {0};
    char root[PATH_MAX];
    int level = 0;
    if (is_in_archive(model_path, &place))
        return place;
    true_folder(model_path, root);
    while (level < LEVELS_ABOVE && go_up(root, place.folder))
        level++;
    place.source = mmd_source_folder(root);
    return place;
}

bool textures_root(const texture_place *place, const char *model_path, char root[PATH_MAX])
{
    char resolved[PATH_MAX];
    if (!realpath(model_path, resolved))
        return false; /* behind an archive's name */
    true_folder(model_path, root);
    size_t length = strlen(root), below = strlen(place->folder);
    if (below == 0)
        return true;
    if (length <= below || strcmp(root + length - below, place->folder) != 0)
        return false;
    root[length - below - 1] = '\0';
    return true;
}

bool textures_find(const texture_place *place, const char *name, char path[MMD_PATH_MAX])
{
    return mmd_source_find_from(place->source, place->folder, name, path);
}

bool textures_decode(const texture_place *place, const char *path, mmd_error *error)
{
    mmd_bytes bytes = {0};
    mmd_image image = {0};
    bool ok = mmd_source_read(place->source, path, &bytes, error) == MMD_OK &&
              mmd_image_decode(bytes.data, bytes.size, path, &image, error) == MMD_OK;
    mmd_bytes_finish(&bytes);
    mmd_image_finish(&image);
    return ok;
}
