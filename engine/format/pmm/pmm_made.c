/* Projects made from nothing: MMD's defaults, names as MMD cuts them, accessories. */
#include "pmm_made.h"

#include "load.h"
#include "mmd/text.h"

#include <assert.h>
#include <string.h>

mmd_project_key pmm_made_key(uint32_t frame)
{
    return (mmd_project_key){.frame = frame, .number = MMD_PROJECT_NO_NUMBER, .record = MMD_NO_RECORD};
}

bool pmm_made_name(mmd_arena *arena, const char *text, size_t limit, mmd_project_text *name)
{
    char decoded[3 * (PMM_MADE_MODEL_NAME_MAX + 1)];
    size_t length = strlen(text);
    *name = (mmd_project_text){.text = ""};
    if (mmd_cp932_from_utf8(text, length, NULL, 0, NULL) > limit) {
        uint8_t *raw = mmd_arena_alloc(arena, limit, 1);
        if (!raw)
            return false;
        mmd_cp932_from_utf8(text, length, raw, limit, NULL);
        name->raw = raw;
        name->raw_size = (uint32_t)limit;
        length = mmd_utf8_from_cp932(raw, limit, decoded, sizeof decoded, NULL);
        assert(length <= sizeof decoded);
        text = decoded;
    }
    name->text = mmd_arena_text(arena, text, length);
    return name->text != NULL;
}

bool pmm_made_path(mmd_arena *arena, const char *text, mmd_project_text *path)
{
    char *copy = mmd_arena_text(arena, text, strlen(text));
    *path = (mmd_project_text){.text = copy};
    for (char *c = copy; c && *c; c++)
        if (*c == '/')
            *c = '\\';
    return copy != NULL;
}

/* ---- keys of a motion ---- */

static uint32_t pick_frame(const pmm_pick *pick, uint32_t i)
{
    return load_u32((const uint8_t *)pick->frames + i * pick->stride);
}

int64_t pmm_pick_next(pmm_pick *pick)
{
    while (pick->next + 1 < pick->count && pick_frame(pick, pick->next) == pick_frame(pick, pick->next + 1))
        pick->next++;
    bool more = pick->next < pick->count;
    if (!pick->begun) {
        pick->begun = true;
        if (!more || pick_frame(pick, pick->next) != 0)
            return PMM_PICK_REST;
    }
    return more ? (int64_t)pick->next++ : PMM_PICK_END;
}

uint32_t pmm_pick_count(pmm_pick pick)
{
    uint32_t count = 0;
    while (pmm_pick_next(&pick) != PMM_PICK_END)
        count++;
    return count;
}

mmd_status pmm_no_memory(mmd_error *error, const char *section)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, section, MMD_NO_OFFSET, "no memory for the project");
}

mmd_status pmm_check_frames(const mmd_motion *motion, const char *section, mmd_error *error)
{
    if (!motion || motion->last_frame <= INT32_MAX)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_LIMIT, section, MMD_NO_OFFSET, "a key at frame %lu",
                         (unsigned long)motion->last_frame);
}

/* ---- an empty project ---- */

static bool set_gravity(mmd_project *project)
{
    mmd_project_gravity_key *key = mmd_arena_alloc(&project->arena, 1, sizeof *key);
    if (!key)
        return false;
    *key = (mmd_project_gravity_key){
        .at = pmm_made_key(0), .noise = 10, .acceleration = 9.8f, .direction = {0.0f, -1.0f, 0.0f}};
    project->gravity_keys = key;
    project->gravity_count = 1;
    project->gravity =
        (mmd_project_gravity_state){.acceleration = 9.8f, .noise = 10, .direction = {0.0f, -1.0f, 0.0f}};
    return true;
}

bool pmm_fill_defaults(mmd_project *project)
{
    const mmd_project_text none = {.text = ""};
    project->view_width = project->view_height = 1024;
    project->pane_width = 250;
    project->editing_camera = 1;
    memset(project->panels_open, 1, sizeof project->panels_open);
    project->frame_thumb = 500;
    project->wave = none;
    project->avi = project->image = (mmd_project_background){.scale = 1.0f, .path = none};
    project->show_axis = project->show_ground_shadow = 1;
    project->fps_limit = 60.0f;
    project->capture_mode = 1;
    project->ground_shadow_brightness = 1.0f;
    project->physics_mode = MMD_PROJECT_PHYSICS_SWITCHED;
    project->self_shadow_on = 1;
    project->camera_follow = (mmd_project_parent){-1, 0};
    for (int i = 0; i < 4; i++)
        project->unknown_matrix[5 * i] = 1.0f;
    project->physics_ground = 1;
    project->has_selectors = true;
    project->selectors_on = 1;
    return set_gravity(project) && pmm_set_scene(project, &(mmd_motion){.last_frame = 0}, true);
}

mmd_project *mmd_project_create(void)
{
    mmd_arena arena = {0};
    mmd_project *project = mmd_arena_alloc(&arena, 1, sizeof *project);
    if (!project)
        return NULL;
    project->arena = arena;
    memcpy(project->magic, "Polygon Movie maker 0002", 24);
    if (pmm_fill_defaults(project))
        return project;
    mmd_project_destroy(project);
    return NULL;
}

/* ---- accessories ---- */

static bool name_accessory(mmd_project *project, mmd_project_accessory *accessory, const char *name,
                           const char *path)
{
    mmd_arena *arena = &project->arena;
    if (!pmm_made_path(arena, path, &accessory->path))
        return false;
    const char *copy = mmd_arena_text(arena, name, strlen(name));
    accessory->name = accessory->list_name = (mmd_project_text){.text = copy};
    return copy != NULL;
}

static void set_accessory_state(mmd_project_accessory *accessory)
{
    const mmd_project_accessory_key *key = &accessory->keys[0];
    mmd_project_accessory_state *state = &accessory->state;
    state->visibility = key->visibility;
    state->parent = key->parent;
    memcpy(state->rotation, key->rotation, sizeof state->rotation);
    state->scale = key->scale;
    memcpy(state->position, key->position, sizeof state->position);
    state->shadow = key->shadow;
}

mmd_status mmd_project_add_accessory(mmd_project *project, const char *name, const char *path,
                                     const mmd_project_accessory_key *keys, uint32_t key_count,
                                     mmd_error *error)
{
    assert(project && name && path && keys && key_count > 0 && keys[0].at.frame == 0);
    uint32_t count = project->accessory_count;
    if (count >= MMD_PROJECT_MODEL_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "accessory", MMD_NO_OFFSET,
                             "a project holds no more than %d accessories", MMD_PROJECT_MODEL_MAX);
    mmd_project_accessory *all = mmd_arena_alloc(&project->arena, (size_t)count + 1, sizeof *all);
    mmd_project_accessory_key *copy = mmd_arena_alloc(&project->arena, key_count, sizeof *copy);
    if (!all || !copy || !name_accessory(project, &all[count], name, path))
        return pmm_no_memory(error, "accessory");
    for (uint32_t i = 0; i < key_count; i++) {
        assert(keys[i].at.frame <= INT32_MAX && (i == 0 || keys[i - 1].at.frame < keys[i].at.frame));
        copy[i] = keys[i];
        copy[i].at = pmm_made_key(keys[i].at.frame);
    }
    if (count)
        memcpy(all, project->accessories, count * sizeof *all);
    all[count].number = all[count].draw_order = (uint8_t)count;
    all[count].keys = copy;
    all[count].key_count = key_count;
    set_accessory_state(&all[count]);
    project->accessories = all;
    project->accessory_count = count + 1;
    return MMD_OK;
}
