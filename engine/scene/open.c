/* Opens files of all kinds. An archive is held open meanwhile, so that it is listed and unpacked once. */
#include "scene_internal.h"

#include <assert.h>

#include "mmd/archive.h"
#include "mmd/memory.h"

/* --- Motions --- */

/* Gives a motion to the actors that it moves, and to the stage. */
static mmd_status give(mmd_scene *scene, const scene_motion *m, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; m->moves_models && status == MMD_OK && i < scene->model_count; i++)
        if (m->model == MMD_ALL_DANCERS ? scene_is_dancer(&scene->models[i]) : m->model == i)
            status = mmd_actor_add_motion(scene->models[i].actor, m->motion, error);
    if (status == MMD_OK && mmd_motion_is_for_stage(m->motion))
        status = mmd_stage_add_scene_motion(scene->stage, m->motion, error);
    return status;
}

mmd_status scene_add_motion(mmd_scene *scene, const scene_motion *m, mmd_error *error)
{
    const bool is_there = m->model == MMD_ALL_DANCERS || m->model < scene->model_count;
    if (!is_there || !scene_make_room((void **)&scene->motions, scene->motion_count, &scene->motion_room,
                                      sizeof *scene->motions)) {
        mmd_motion_destroy(m->own);
        return is_there ? mmd_error_memory(error)
                        : mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                                        "there is no model %zu for the motion; the first is 0", m->model);
    }
    scene->motions[scene->motion_count++] = *m;
    scene->stale = scene->stale_physics = true;
    return give(scene, m, error);
}

mmd_status mmd_scene_add_motion(mmd_scene *scene, const mmd_motion *motion, size_t model, mmd_error *error)
{
    assert(scene && motion);
    return scene_add_motion(
        scene,
        &(scene_motion){.motion = motion, .moves_models = mmd_motion_is_for_models(motion), .model = model},
        error);
}

/* Adds a motion that was read from a file. */
static mmd_status add_read(mmd_scene *scene, const char *path, mmd_motion *motion, size_t model,
                           bool only_camera, mmd_error *error)
{
    if (motion->cut)
        mmd_log_message(&scene->log, MMD_LOG_WARNING,
                        "%s: the file is truncated; its complete keyframes are used", path);
    if (only_camera && !mmd_motion_is_for_stage(motion))
        mmd_log_message(&scene->log, MMD_LOG_WARNING, "%s: it has no camera, light or self shadow keyframes",
                        path);
    if (!only_camera && !mmd_motion_is_for_models(motion) && !mmd_motion_is_for_stage(motion))
        mmd_log_message(&scene->log, MMD_LOG_WARNING, "%s: it has no keyframes", path);
    return scene_add_motion(scene,
                            &(scene_motion){.motion = motion,
                                            .own = motion,
                                            .moves_models = !only_camera && mmd_motion_is_for_models(motion),
                                            .model = model},
                            error);
}

/* Opens a motion file. */
static mmd_status open_motion(mmd_scene *scene, const char *path, mmd_locate_role role, size_t model,
                              mmd_error *error)
{
    char chosen[MMD_FILE_PATH_MAX];
    mmd_motion *motion;
    mmd_archives_hold();
    mmd_status status = mmd_locate_choose(path, role, &scene->log, chosen, error);
    if (status == MMD_OK)
        status = mmd_motion_file_read(chosen, &motion, error);
    mmd_archives_release();
    return status != MMD_OK ? status
                            : add_read(scene, chosen, motion, model, role == MMD_LOCATE_CAMERA, error);
}

mmd_status mmd_scene_open_motion(mmd_scene *scene, const char *path, size_t model, mmd_error *error)
{
    assert(scene && path);
    return open_motion(scene, path, MMD_LOCATE_MOTION, model, error);
}

mmd_status mmd_scene_open_camera(mmd_scene *scene, const char *path, mmd_error *error)
{
    assert(scene && path);
    return open_motion(scene, path, MMD_LOCATE_CAMERA, MMD_ALL_DANCERS, error);
}

/* --- Models --- */

/* Opens a model file. */
static mmd_status open_model(mmd_scene *scene, const char *path, scene_role role, size_t *model,
                             mmd_error *error)
{
    char chosen[MMD_FILE_PATH_MAX];
    mmd_model_file file;
    mmd_archives_hold();
    mmd_status status = mmd_locate_choose(path, MMD_LOCATE_MODEL, &scene->log, chosen, error);
    if (status == MMD_OK)
        status = mmd_model_file_read(chosen, &file, error);
    mmd_archives_release();
    return status != MMD_OK ? status : scene_add_file(scene, chosen, &file, role, model, error);
}

mmd_status mmd_scene_open_model(mmd_scene *scene, const char *path, size_t *model, mmd_error *error)
{
    assert(scene && path);
    return open_model(scene, path, ROLE_MODEL, model, error);
}

mmd_status mmd_scene_open_backdrop(mmd_scene *scene, const char *path, size_t *model, mmd_error *error)
{
    assert(scene && path);
    for (size_t i = 0; i < scene->model_count; i++)
        if (scene->models[i].is_backdrop) {
            mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET, "there is a backdrop already");
            mmd_error_set_file(error, path);
            return MMD_ERROR_ARGUMENT;
        }
    return open_model(scene, path, ROLE_BACKDROP, model, error);
}

/* --- Any file --- */

/* Adds what was read from a file, by its contents. */
static mmd_status add_bytes(mmd_scene *scene, const char *path, const mmd_bytes *bytes, mmd_error *error)
{
    mmd_motion *motion;
    mmd_model_file file;
    mmd_status status;
    const mmd_file_kind kind = mmd_file_detect(bytes->data, bytes->size);
    switch (kind) {
    case MMD_FILE_VMD:
    case MMD_FILE_VPD:
        status = mmd_motion_file_parse(bytes, &motion, error);
        mmd_error_set_file(error, path);
        return status != MMD_OK ? status : add_read(scene, path, motion, MMD_ALL_DANCERS, false, error);
    case MMD_FILE_PMM:
        return scene_open_project(scene, path, bytes, error);
    default:
        status = mmd_model_file_parse(path, bytes, &file, error);
        if (status == MMD_ERROR_MAGIC && kind == MMD_FILE_UNKNOWN) {
            mmd_error_set(
                error, status, "", MMD_NO_OFFSET,
                "neither a model (PMX, PMD, glTF, Ragdoll) nor an accessory (X, VAC) nor a motion, pose "
                "or project of MMD (VMD, VPD, PMM)");
            mmd_error_set_file(error, path);
        }
        return status != MMD_OK ? status : scene_add_file(scene, path, &file, ROLE_MODEL, NULL, error);
    }
}

mmd_status mmd_scene_open(mmd_scene *scene, const char *path, mmd_error *error)
{
    char chosen[MMD_FILE_PATH_MAX];
    mmd_bytes bytes = {0};
    assert(scene && path);
    mmd_archives_hold();
    mmd_status status = mmd_locate_choose(path, MMD_LOCATE_SCENE, &scene->log, chosen, error);
    if (status == MMD_OK)
        status = mmd_locate_read(chosen, &bytes, error);
    if (status == MMD_OK)
        status = add_bytes(scene, chosen, &bytes, error);
    mmd_archives_release();
    mmd_bytes_finish(&bytes);
    return status;
}
