/* Opens projects. */
#include "scene_internal.h"

#include <assert.h>
#include <string.h>

#include "mmd/memory.h"

static mmd_status add_model(void *user, const char *path, mmd_model_file *file, size_t *index,
                            mmd_error *error)
{
    return scene_add_file(user, path, file, ROLE_OF_PROJECT, index, error);
}

static mmd_status add_motion(void *user, mmd_motion *motion, size_t index, mmd_error *error)
{
    const bool is_of_stage = index == MMD_PROJECT_STAGE;
    return scene_add_motion(user,
                            &(scene_motion){.motion = motion,
                                            .own = motion,
                                            .moves_models = !is_of_stage && mmd_motion_is_for_models(motion),
                                            .model = is_of_stage ? MMD_ALL_DANCERS : index},
                            error);
}

/* Puts a project on the stage, and takes its settings. */
static mmd_status put(mmd_scene *scene, const char *path, mmd_project *project, mmd_error *error)
{
    mmd_project_folders folders = {0};
    const mmd_project_owner owner = {scene, add_model, add_motion};
    mmd_status status = mmd_project_folders_init(&folders, path)
                            ? mmd_project_put_on_stage(project, path, &folders, scene->stage, &owner,
                                                       &scene->arena, &scene->log, error)
                            : mmd_error_memory(error);
    mmd_project_folders_finish(&folders);
    if (status == MMD_OK && !mmd_project_get_settings(project, &scene->arena, &scene->project))
        status = mmd_error_memory(error);
    if (status != MMD_OK)
        return status;
    scene->has_project = scene->stale = scene->stale_physics = true;
    scene->frame = scene->project.frame;
    return MMD_OK;
}

mmd_status scene_open_project(mmd_scene *scene, const char *path, const mmd_bytes *bytes, mmd_error *error)
{
    mmd_project *project;
    mmd_status status = mmd_pmm_read(bytes->data, bytes->size, &project, error);
    mmd_error_set_file(error, path);
    if (status != MMD_OK)
        return status;
    status = put(scene, path, project, error);
    mmd_project_destroy(project);
    return status;
}
