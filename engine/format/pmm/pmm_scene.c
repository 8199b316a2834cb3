/* A motion's camera, light and self shadow into a project, and back. */
#include "mmd_math.h"
#include "pmm_made.h"
#include "vmd_records.h"

#include <assert.h>
#include <string.h>

/* ---- into the project ---- */

#define FOV_MAX 10000.0f

static mmd_project_camera_key camera_key(uint32_t frame, const mmd_camera *camera)
{
    mmd_project_camera_key key = {.at = pmm_made_key(frame),
                                  .distance = camera->distance,
                                  .follow = {-1, 0},
                                  .orthographic = !camera->perspective,
                                  .fov = (int32_t)lrintf(clampf(camera->fov, 0.0f, FOV_MAX))};
    memcpy(key.position, camera->position, sizeof key.position);
    memcpy(key.rotation, camera->rotation, sizeof key.rotation);
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        key.curves[i] = PMM_LINEAR;
    return key;
}

static bool set_camera(mmd_project *project, const mmd_motion *motion)
{
    pmm_pick pick = {motion->camera_keys ? &motion->camera_keys->frame : NULL, sizeof *motion->camera_keys,
                     motion->camera_key_count, 0, false};
    uint32_t count = pmm_pick_count(pick);
    mmd_project_camera_key *keys = mmd_arena_alloc(&project->arena, count, sizeof *keys);
    if (!keys)
        return false;
    const mmd_camera rest = mmd_default_camera();
    for (uint32_t i = 0; i < count; i++) {
        int64_t from = pmm_pick_next(&pick);
        const mmd_camera_key *key = from >= 0 ? &motion->camera_keys[from] : NULL;
        keys[i] = camera_key(key ? key->frame : 0, key ? &key->value : &rest);
        if (key)
            memcpy(keys[i].curves, key->curve, sizeof keys[i].curves);
    }
    project->camera_keys = keys;
    project->camera_count = count;
    return true;
}

static void set_camera_state(mmd_project *project)
{
    const mmd_project_camera_key *key = &project->camera_keys[0];
    mmd_project_camera_state *state = &project->camera;
    mmd_camera camera = {.distance = key->distance, .fov = (float)key->fov, .perspective = true};
    memcpy(camera.position, key->position, sizeof camera.position);
    memcpy(camera.rotation, key->rotation, sizeof camera.rotation);
    mmd_camera_matrices(&camera, 1.0f, NULL, NULL, state->eye);
    memcpy(state->target, key->position, sizeof state->target);
    memcpy(state->rotation, key->rotation, sizeof state->rotation);
    state->orthographic = key->orthographic;
    project->edit_fov = (float)key->fov;
}

static bool set_light(mmd_project *project, const mmd_motion *motion)
{
    pmm_pick pick = {motion->light_keys ? &motion->light_keys->frame : NULL, sizeof *motion->light_keys,
                     motion->light_key_count, 0, false};
    uint32_t count = pmm_pick_count(pick);
    mmd_project_light_key *keys = mmd_arena_alloc(&project->arena, count, sizeof *keys);
    if (!keys)
        return false;
    const mmd_light rest = mmd_default_light();
    for (uint32_t i = 0; i < count; i++) {
        int64_t from = pmm_pick_next(&pick);
        const mmd_light *light = from >= 0 ? &motion->light_keys[from].value : &rest;
        keys[i].at = pmm_made_key(from >= 0 ? motion->light_keys[from].frame : 0);
        memcpy(keys[i].color, light->color, sizeof keys[i].color);
        memcpy(keys[i].direction, light->direction, sizeof keys[i].direction);
    }
    memcpy(project->light.color, keys[0].color, sizeof keys[0].color);
    memcpy(project->light.direction, keys[0].direction, sizeof keys[0].direction);
    project->light_keys = keys;
    project->light_count = count;
    return true;
}

static bool set_self_shadow(mmd_project *project, const mmd_motion *motion)
{
    pmm_pick pick = {motion->self_shadow_keys ? &motion->self_shadow_keys->frame : NULL,
                     sizeof *motion->self_shadow_keys, motion->self_shadow_key_count, 0, false};
    uint32_t count = pmm_pick_count(pick);
    mmd_project_shadow_key *keys = mmd_arena_alloc(&project->arena, count, sizeof *keys);
    if (!keys)
        return false;
    const mmd_self_shadow rest = mmd_default_self_shadow();
    for (uint32_t i = 0; i < count; i++) {
        int64_t from = pmm_pick_next(&pick);
        const mmd_self_shadow *shadow = from >= 0 ? &motion->self_shadow_keys[from].value : &rest;
        keys[i] =
            (mmd_project_shadow_key){.at = pmm_made_key(from >= 0 ? motion->self_shadow_keys[from].frame : 0),
                                     .mode = shadow->mode,
                                     .distance = shadow->distance};
    }
    project->self_shadow_distance = keys[0].distance;
    project->shadow_keys = keys;
    project->shadow_count = count;
    return true;
}

bool pmm_set_scene(mmd_project *project, const mmd_motion *motion, bool all)
{
    bool camera = all || motion->camera_key_count;
    if ((camera && !set_camera(project, motion)) ||
        ((all || motion->light_key_count) && !set_light(project, motion)) ||
        ((all || motion->self_shadow_key_count) && !set_self_shadow(project, motion)))
        return false;
    if (camera)
        set_camera_state(project);
    return true;
}

mmd_status mmd_project_set_scene(mmd_project *project, const mmd_motion *motion, mmd_error *error)
{
    assert(project && motion);
    mmd_status status = pmm_check_frames(motion, "scene", error);
    if (status != MMD_OK)
        return status;
    mmd_project changed = *project;
    if (pmm_set_scene(&changed, motion, false))
        *project = changed;
    else
        status = pmm_no_memory(error, "scene");
    project->arena = changed.arena;
    return status;
}

/* ---- and back ---- */

static void write_camera(mmd_buffer *out, const mmd_project_camera_key *key)
{
    uint8_t record[61] = {0};
    mmd_camera_key as = {.frame = key->at.frame,
                         .value = {.distance = key->distance,
                                   .fov = (float)(key->fov > 0 ? key->fov : 0),
                                   .perspective = key->orthographic == 0}};
    memcpy(as.value.position, key->position, sizeof as.value.position);
    memcpy(as.value.rotation, key->rotation, sizeof as.value.rotation);
    memcpy(as.curve, key->curves, sizeof as.curve);
    vmd_camera_patch(record, &as);
    mmd_write_bytes(out, record, sizeof record);
}

static void write_light(mmd_buffer *out, const mmd_project_light_key *key)
{
    uint8_t record[28] = {0};
    mmd_light_key as = {.frame = key->at.frame};
    memcpy(as.value.color, key->color, sizeof as.value.color);
    memcpy(as.value.direction, key->direction, sizeof as.value.direction);
    vmd_light_patch(record, &as);
    mmd_write_bytes(out, record, sizeof record);
}

static void write_self_shadow(mmd_buffer *out, const mmd_project_shadow_key *key)
{
    uint8_t record[9] = {0};
    mmd_self_shadow_key as = {.frame = key->at.frame,
                              .value = {.mode = key->mode, .distance = key->distance}};
    vmd_self_shadow_patch(record, &as);
    mmd_write_bytes(out, record, sizeof record);
}

mmd_motion *mmd_project_scene_motion(const mmd_project *project)
{
    assert(project);
    mmd_buffer vmd = {0};
    pmm_vmd_start(&vmd, "カメラ・照明");
    mmd_write_u32(&vmd, 0);
    mmd_write_u32(&vmd, 0);
    mmd_write_u32(&vmd, project->camera_count);
    for (uint32_t i = 0; i < project->camera_count; i++)
        write_camera(&vmd, &project->camera_keys[i]);
    mmd_write_u32(&vmd, project->light_count);
    for (uint32_t i = 0; i < project->light_count; i++)
        write_light(&vmd, &project->light_keys[i]);
    mmd_write_u32(&vmd, project->shadow_count);
    for (uint32_t i = 0; i < project->shadow_count; i++)
        write_self_shadow(&vmd, &project->shadow_keys[i]);
    return pmm_vmd_end(&vmd);
}
