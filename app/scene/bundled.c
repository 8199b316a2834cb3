#include "bundled.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/paths.h"

/* Folders from the one the program is in, in the order they are looked for. */
static const char *const places[] = {"dancer", "../share/odori/dancer"};
enum { PLACES = sizeof places / sizeof *places };

static bool join(char path[PATH_MAX], const char *folder, const char *name)
{
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return length > 0 && length < PATH_MAX;
}

static int not_found(const char *program)
{
    message(
        "the bundled dancer is neither in %.800s/%s nor in %.800s/%s (give a model, or build odori whole)",
        program, places[0], program, places[1]);
    return EXIT_INPUT;
}

bool bundled_is_meant(const char *path)
{
    return strcmp(path, BUNDLED_NAME) == 0 && access(path, F_OK) != 0;
}

/* Fills the four paths with the first place that has the model. */
int bundled_find(bundled *b)
{
    char program[PATH_MAX] = ".", folder[PATH_MAX];
    if (path_of_program(folder))
        mmd_path_folder(folder, program, sizeof program);
    for (int i = 0; i < PLACES; i++)
        if (join(folder, program, places[i]) && join(b->model, folder, "dancer.pmx") &&
            join(b->dance, folder, "dance.vmd") && join(b->camera, folder, "camera.vmd") &&
            join(b->music, folder, "music.wav") && access(b->model, R_OK) == 0)
            return EXIT_DONE;
    return not_found(program);
}

static bool moves_models(const odori_scene *s)
{
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].moves_models)
            return true;
    return false;
}

static bool moves_camera(const odori_scene *s)
{
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].motion->camera_key_count)
            return true;
    return false;
}

int bundled_add(bundled *b, odori_scene *s, const mmd_pose_options *options, const mmd_log *log)
{
    int result = bundled_find(b);
    if (result == EXIT_DONE)
        result = scene_add_file(s, b->model, options, log);
    if (result != EXIT_DONE || moves_models(s)) {
        b->music[0] = '\0';
        return result;
    }
    bool has_camera = moves_camera(s);
    result = scene_add_file(s, b->dance, options, log);
    if (result == EXIT_DONE && !has_camera)
        result = scene_add_file(s, b->camera, options, log);
    return result;
}
