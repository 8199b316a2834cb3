/* Opens projects as scenes. */
#include "project_scene.h"

#include <assert.h>
#include <string.h>

#include "background.h"
#include "base/message.h"
#include "mmd/memory.h"
#include "mmd/project_stage.h"

/* A project that is being opened: the owner of what is put on the stage. */
typedef struct opening {
    odori_scene *scene;
    const char *path, *given; /* paths of the project; they belong to the scene */
    const scene_options *options;
} opening;

static mmd_status add_model(void *user, const char *path, mmd_model_file *file, size_t *index,
                            mmd_error *error)
{
    opening *o = user;
    scene_model what = scene_model_of(path, file);
    what.project = o->path;
    what.project_given = o->given;
    *index = o->scene->model_count;
    return scene_add_model(o->scene, &what) ? MMD_OK : mmd_error_memory(error);
}

/* Adds a motion of the project file. It does not apply to models that are added later. */
static mmd_status add_motion(void *user, mmd_motion *motion, size_t index, mmd_error *error)
{
    opening *o = user;
    const scene_motion what = {.path = o->path, .motion = motion, .is_of_project = true};
    const int64_t whom = index == MMD_PROJECT_STAGE ? 0 : (int64_t)index;
    return scene_add_motion(o->scene, &what, whom) ? MMD_OK : mmd_error_memory(error);
}

/* Takes settings, the sound and the background. Returns false if out of memory. */
static bool take_settings(opening *o, const mmd_project *project, mmd_project_folders *folders,
                          const mmd_log *log)
{
    char sound[MMD_FILE_PATH_MAX];
    mmd_project_settings from;
    const mmd_log told = stderr_log(MMD_LOG_INFO);
    const bool has_sound = mmd_project_find_sound(folders, project, o->path, &told, sound);
    if (!mmd_project_get_settings(project, &o->scene->arena, &from))
        return false;
    o->scene->settings = (scene_settings){
        .given = true,
        .project = from,
        .sound = has_sound ? mmd_arena_text(&o->scene->arena, sound, strlen(sound)) : NULL,
    };
    return background_open(o->scene, folders, project, o->path, log);
}

/* Tests whether a file is in the folders that the options allow (mmd_project_folders.permit). */
static bool is_in_scope(const void *scope, const char *path, char why[MMD_PROJECT_WHY_MAX])
{
    _Static_assert((int)MMD_PROJECT_WHY_MAX >= (int)PATH_WHY_MAX, "path_scope_has writes as many bytes");
    return path_scope_has(scope, path, why);
}

/* Puts a project that was read on the stage. */
static mmd_status put(opening *o, mmd_project *project, const mmd_log *log, mmd_error *error)
{
    mmd_project_folders folders = {0};
    const mmd_project_owner owner = {o, add_model, add_motion};
    if (!mmd_project_folders_init(&folders, o->path)) {
        mmd_project_folders_finish(&folders);
        return mmd_error_memory(error);
    }
    folders.permit = o->options->scope ? is_in_scope : NULL;
    folders.permit_user = o->options->scope;
    mmd_status status = mmd_project_put_on_stage(project, o->path, &folders, o->scene->stage, &owner,
                                                 &o->scene->arena, log, error);
    if (status == MMD_OK && !take_settings(o, project, &folders, log))
        status = mmd_error_memory(error);
    mmd_project_folders_finish(&folders);
    return status;
}

mmd_status project_open(odori_scene *s, const char *path, const char *given, const mmd_bytes *bytes,
                        const scene_options *options, const mmd_log *log, mmd_error *error)
{
    mmd_project *project;
    mmd_status status = mmd_pmm_read(bytes->data, bytes->size, &project, error);
    if (status != MMD_OK) {
        mmd_error_set_file(error, path);
        return status;
    }
    opening o = {.scene = s,
                 .path = mmd_arena_text(&s->arena, path, strlen(path)),
                 .given = mmd_arena_text(&s->arena, given, strlen(given)),
                 .options = options};
    status = o.path && o.given ? put(&o, project, log, error) : mmd_error_memory(error);
    mmd_project_destroy(project);
    return status;
}
