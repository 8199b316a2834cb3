#include "bundled.h"

#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "mmd/platform.h"
#include "mmd/source.h"

/* Folders relative to the program's, in search order. */
static const char *const places[] = {"dancer", "../share/odori/dancer"};
enum { PLACES = sizeof places / sizeof *places };

static bool join(char path[MMD_FILE_PATH_MAX], const char *folder, const char *name)
{
    int length = snprintf(path, MMD_FILE_PATH_MAX, "%s/%s", folder, name);
    return length > 0 && length < MMD_FILE_PATH_MAX;
}

/* Fills in the four paths, from the first folder that has the model. */
mmd_status bundled_find(bundled *b, mmd_error *error)
{
    char program[MMD_FILE_PATH_MAX] = ".", folder[MMD_FILE_PATH_MAX];
    if (system_program_path(folder))
        mmd_path_folder(folder, program, sizeof program);
    for (int i = 0; i < PLACES; i++)
        if (join(folder, program, places[i]) && join(b->model, folder, "dancer.pmx") &&
            join(b->dance, folder, "dance.vmd") && join(b->camera, folder, "camera.vmd") &&
            join(b->music, folder, "music.wav") && platform_may_read(b->model))
            return MMD_OK;
    return mmd_error_set(
        error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET,
        "the bundled dancer is neither in %.800s/%s nor in %.800s/%s; give a model, or build all of odori",
        program, places[0], program, places[1]);
}

bool bundled_is_meant(const char *path)
{
    bundled own;
    platform_info given, bundled_model;
    if (strcmp(path, BUNDLED_NAME) != 0)
        return false;
    if (!platform_exists(path))
        return true;
    return bundled_find(&own, NULL) == MMD_OK && platform_stat(BUNDLED_NAME "/dancer.pmx", &given) &&
           platform_stat(own.model, &bundled_model) && platform_is_same(&given, &bundled_model);
}
