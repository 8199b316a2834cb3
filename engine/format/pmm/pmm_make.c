/* Creates projects from models and motions, with MMD's defaults and names as MMD truncates them, and converts
 * keys of projects back to motions. */
#include "load.h"
#include "mmd_math.h"
#include "pmm_io.h"
#include "vmd_records.h"
#include "mmd/format.h"
#include "mmd/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PMM_MADE_NAME_MAX = 19, PMM_MADE_MODEL_NAME_MAX = 49 };

/* The default curve, which is linear. */
#define PMM_LINEAR ((mmd_curve){.x1 = 20, .y1 = 20, .x2 = 107, .y2 = 107})

/* Selects keys of a motion for a list: of several keys at one frame the last, and always one at frame 0.
 * frames points to the first key's frame, with stride bytes to the next. */
typedef struct pmm_pick {
    const void *frames;
    size_t stride;
    uint32_t count;
    uint32_t next; /* index of the next key */
    bool begun;    /* the key at frame 0 was returned */
} pmm_pick;

enum { PMM_PICK_REST = -1, PMM_PICK_END = -2 };

/* Returns the common head of new keys. */
static mmd_project_key pmm_made_key(uint32_t frame)
{
    return (mmd_project_key){.frame = frame, .number = MMD_PROJECT_NO_NUMBER, .record = MMD_NO_RECORD};
}

/* What Windows writes for U+00A0 to U+00FF: "" for the characters that CP932 has, and invalid UTF-8 for those
 * for which it has nothing. */
static const char latin[][4] = {
    "\xFF", "!", "￠", "￡", "\xFF", "\\", "|", "",   "",   "c", "a", "≪", "￢",   "-",    "R",    "￣",
    "",     "",  "2",  "3",  "",     "μ",  "",  "・", "，", "1", "o", "≫", "\xFF", "\xFF", "\xFF", "\xFF",
    "A",    "A", "A",  "A",  "A",    "A",  "A", "C",  "E",  "E", "E", "E", "I",    "I",    "I",    "I",
    "D",    "N", "O",  "O",  "O",    "O",  "O", "",   "O",  "U", "U", "U", "U",    "Y",    "T",    "s",
    "a",    "a", "a",  "a",  "a",    "a",  "a", "c",  "e",  "e", "e", "e", "i",    "i",    "i",    "i",
    "d",    "n", "o",  "o",  "o",    "o",  "o", "",   "o",  "u", "u", "u", "u",    "y",    "t",    "y"};

/* Writes the CP932 code of the character at the start of a text, as Windows converts it. *length receives the
 * bytes that the character takes in the text. Returns the size of the code, or 0 if CP932 has none. */
static size_t pmm_code(const char *text, size_t *length, uint8_t code[2])
{
    uint8_t first = (uint8_t)text[0], second = (uint8_t)text[1];
    bool lost, is_latin = first == 0xC3 || (first == 0xC2 && second >= 0xA0);
    *length = 1;
    while (first >= 0xC0 && ((uint8_t)text[*length] & 0xC0) == 0x80)
        ++*length;
    const char *as = is_latin && *length == 2 ? latin[second - (first == 0xC3 ? 0x60 : 0xA0)] : "";
    if (*length == 3 && memcmp(text, "ゔ", 3) == 0)
        as = "ヴ";
    size_t size = *as ? mmd_cp932_from_utf8(as, strlen(as), code, 2, &lost)
                      : mmd_cp932_from_utf8(text, *length, code, 2, &lost);
    return lost ? 0 : size;
}

/* Stores a name as MMD does (docs/mmd.md 1.5): in CP932, cut to limit bytes, empty if a character of it is
 * lost, and Null_00, Null_01 ... where the model has none; *null_count counts those. Returns false if out of
 * memory. */
static bool pmm_made_name(mmd_arena *arena, const char *text, size_t limit, uint32_t *null_count,
                          mmd_project_text *name)
{
    uint8_t code[PMM_MADE_MODEL_NAME_MAX + 3]; /* MMD looks at two bytes more than it keeps */
    char decoded[3 * (PMM_MADE_MODEL_NAME_MAX + 1)], null[16];
    size_t size = 0, length;
    *name = (mmd_project_text){.text = ""};
    if (!*text) {
        snprintf(null, sizeof null, "Null_%02u", (unsigned)(*null_count)++);
        text = null;
    }
    for (; *text && size < limit + 2; text += length) {
        size_t added = pmm_code(text, &length, code + size);
        if (added == 0)
            return true;
        size += added;
    }
    size = size < limit ? size : limit;
    length = mmd_utf8_from_cp932(code, size, decoded, sizeof decoded, NULL);
    assert(length <= sizeof decoded);
    uint8_t *raw = mmd_arena_alloc(arena, size, 1);
    name->text = mmd_arena_text(arena, decoded, length);
    if (!raw || !name->text)
        return false;
    name->raw = memcpy(raw, code, size);
    name->raw_size = (uint32_t)size;
    return true;
}

/* Stores a path with backslashes. Returns false if out of memory. */
static bool pmm_made_path(mmd_arena *arena, const char *text, mmd_project_text *path)
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

/* Returns the index of the next key, PMM_PICK_REST for a key at frame 0 that the motion does not have, or
 * PMM_PICK_END. */
static int64_t pmm_pick_next(pmm_pick *pick)
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

/* Returns how many keys pmm_pick_next will select. */
static uint32_t pmm_pick_count(pmm_pick pick)
{
    uint32_t count = 0;
    while (pmm_pick_next(&pick) != PMM_PICK_END)
        count++;
    return count;
}

static mmd_status pmm_no_memory(mmd_error *error, const char *section)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, section, MMD_NO_OFFSET, "no memory for the project");
}

/* Returns MMD_ERROR_LIMIT if a motion has frames that MMD cannot store. */
static mmd_status pmm_check_frames(const mmd_motion *motion, const char *section, mmd_error *error)
{
    if (!motion || motion->last_frame <= INT32_MAX)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_LIMIT, section, MMD_NO_OFFSET, "a key at frame %lu",
                         (unsigned long)motion->last_frame);
}

/* ---- keys as a VMD: reading it sorts and repairs them ---- */

/* Start a VMD in memory by writing its header. */
static void pmm_vmd_start(mmd_buffer *vmd, const char *model_name)
{
    uint8_t header[50] = "Vocaloid Motion Data 0002";
    mmd_cp932_from_utf8(model_name, strlen(model_name), header + VMD_MAGIC_SIZE, 20, NULL);
    mmd_write_bytes(vmd, header, sizeof header);
}

/* Reads the VMD that was written, which sorts and repairs the keys, and frees its bytes. NULL if out of
 * memory. */
static mmd_motion *pmm_vmd_end(mmd_buffer *vmd)
{
    mmd_motion *motion = NULL;
    if (!vmd->failed)
        mmd_vmd_read(vmd->data, vmd->size, &motion, NULL);
    mmd_buffer_finish(vmd);
    return motion;
}

/* ---- camera, light and self shadow of a motion into a project ---- */

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
    memcpy(state->target, key->position, sizeof state->target);
    memcpy(state->eye, (const float[3]){0.0f, 0.0f, key->distance}, sizeof state->eye);
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

/* Stores camera, light and self shadow of a motion, each if it has keys, or all. Returns false if out of
 * memory. */
static bool pmm_set_scene(mmd_project *project, const mmd_motion *motion, bool all)
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

/* ---- camera, light and self shadow of a project as a motion ---- */

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
    assert(project);
    const mmd_project_text none = {.text = ""};
    project->view_width = project->view_height = 1024;
    project->pane_width = 250;
    project->editing_camera = 1;
    memset(project->panels_open, 1, sizeof project->panels_open);
    project->frame_thumb = 500;
    project->bone_operation = 2; /* with 0 MMD draws neither edges nor ground shadows */
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

/* ---- a model and its motion ---- */

/* Adds a model and its motion to a project, like MMD when it loads a model and then a motion for it
 * (docs/mmd.md 1.5 names, 3.2 the key at frame 0, 3.4 fixed axes). */

typedef struct adding {
    mmd_arena *arena; /* the project's arena */
    const mmd_model *from;
    const mmd_motion *motion; /* never NULL */
    /* bone tracks that a bone already uses: of several bones with one name the first gets the track */
    bool *taken;
    uint32_t null_count; /* names that the model does not have */
    mmd_project_model *to;
} adding;

/* Stores the name of a bone or morph, and counts an English name that is missing. Returns false if out of
 * memory. */
static bool add_name(adding *a, const char *name, const char *name_en, size_t limit, mmd_project_text *to)
{
    bool ok = pmm_made_name(a->arena, name, limit, &a->null_count, to);
    a->null_count += !*name_en;
    return ok;
}

/* ---- bones ---- */

static const mmd_bone_track *take_track(adding *a, uint32_t bone)
{
    const mmd_bone_track *track = mmd_motion_find_bone(a->motion, a->from->bone_key[bone]);
    if (!track || a->taken[track - a->motion->bone_tracks])
        return NULL;
    a->taken[track - a->motion->bone_tracks] = true;
    return track;
}

/* Replaces a rotation by one of the same angle about the bone's axis, as MMD does when it registers keys of
 * such bones. */
static void turn_about(const mmd_bone *bone, float q[4])
{
    float axis[3] = {bone->fixed_axis[0], bone->fixed_axis[1], bone->fixed_axis[2]};
    float length = length3(axis);
    if (!(length > 0.0f) || !isfinite(length))
        return;
    scale3(axis, 1.0f / length, axis);
    float scale = length3(q);
    if (dot3(axis, q) < 0.0f)
        scale = -scale;
    for (int i = 0; i < 3; i++)
        q[i] = axis[i] * scale;
}

static mmd_project_bone_key bone_key(uint32_t frame, const mmd_bone_key *from, const mmd_bone *bone)
{
    mmd_project_bone_key key = {.at = pmm_made_key(frame), .physics_off = from->physics_off};
    memcpy(key.curves, from->curve, sizeof key.curves);
    memcpy(key.translation, from->translation, sizeof key.translation);
    memcpy(key.rotation, from->rotation, sizeof key.rotation);
    if (bone->flags & MMD_BONE_FIXED_AXIS)
        turn_about(bone, key.rotation);
    return key;
}

static void rest_state(mmd_project_bone *bone)
{
    const mmd_project_bone_key *key = &bone->keys[0];
    memcpy(bone->translation, key->translation, sizeof bone->translation);
    memcpy(bone->rotation, key->rotation, sizeof bone->rotation);
    bone->physics_off = key->physics_off;
}

static bool add_bone(adding *a, uint32_t number)
{
    const mmd_bone_key rest = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                               .curve = {PMM_LINEAR, PMM_LINEAR, PMM_LINEAR, PMM_LINEAR}};
    const mmd_bone *from = &a->from->bones[number];
    mmd_project_bone *bone = &a->to->bones[number];
    const mmd_bone_track *track = take_track(a, number);
    pmm_pick pick = {track ? track->frames : NULL, sizeof(uint32_t), track ? track->count : 0, 0, false};
    bone->key_count = pmm_pick_count(pick);
    bone->keys = mmd_arena_alloc(a->arena, bone->key_count, sizeof *bone->keys);
    if (!bone->keys || !add_name(a, from->name, from->name_en, PMM_MADE_NAME_MAX, &bone->name))
        return false;
    for (uint32_t i = 0; i < bone->key_count; i++) {
        int64_t k = pmm_pick_next(&pick);
        bone->keys[i] = bone_key(k >= 0 ? track->frames[k] : 0, k >= 0 ? &track->keys[k] : &rest, from);
    }
    rest_state(bone);
    return true;
}

static bool add_bones(adding *a)
{
    a->taken = mmd_arena_alloc(a->arena, a->motion->bone_track_count, sizeof *a->taken);
    a->to->bones = mmd_arena_alloc(a->arena, a->from->bone_count, sizeof *a->to->bones);
    if (!a->taken || !a->to->bones)
        return false;
    for (uint32_t i = 0; i < a->from->bone_count; i++)
        if (!a->from->bones[i].internal) {
            if (!add_bone(a, i))
                return false;
            a->to->bone_count = i + 1;
        }
    return true;
}

/* ---- morphs ---- */

static bool add_morph(adding *a, const char *name, const char *name_en, const mmd_morph_track *track)
{
    mmd_project_morph *morph = &a->to->morphs[a->to->morph_count++];
    pmm_pick pick = {track ? track->frames : NULL, sizeof(uint32_t), track ? track->count : 0, 0, false};
    morph->key_count = pmm_pick_count(pick);
    morph->keys = mmd_arena_alloc(a->arena, morph->key_count, sizeof *morph->keys);
    if (!morph->keys || !add_name(a, name, name_en, PMM_MADE_NAME_MAX, &morph->name))
        return false;
    for (uint32_t i = 0; i < morph->key_count; i++) {
        int64_t k = pmm_pick_next(&pick);
        morph->keys[i] = (mmd_project_morph_key){.at = pmm_made_key(k >= 0 ? track->frames[k] : 0),
                                                 .weight = k >= 0 ? track->weights[k] : 0.0f};
    }
    morph->weight = morph->keys[0].weight;
    return true;
}

static bool add_morphs(adding *a)
{
    const mmd_model *from = a->from;
    bool base = from->origin == MMD_ORIGIN_PMD && from->morph_count > 0;
    a->to->morphs = mmd_arena_alloc(a->arena, (size_t)from->morph_count + base, sizeof *a->to->morphs);
    if (!a->to->morphs || (base && !add_morph(a, "base", "base", NULL)))
        return false;
    for (uint32_t i = 0; i < from->morph_count; i++)
        if (!add_morph(a, from->morphs[i].name, from->morphs[i].name_en,
                       mmd_motion_find_morph(a->motion, from->morph_key[i])))
            return false;
    return true;
}

/* ---- visibility, IK, outside parents ---- */

/* Marks the bones that IK moves: links and targets. */
static void mark_ik_moved(const mmd_model *model, bool *moved)
{
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const mmd_bone *ik = &model->bones[i];
        if (!(ik->flags & MMD_BONE_IK))
            continue;
        if (ik->ik_target >= 0)
            moved[ik->ik_target] = true;
        for (uint32_t k = 0; k < ik->ik_link_count; k++)
            if (ik->ik_links[k].bone >= 0)
                moved[ik->ik_links[k].bone] = true;
    }
}

/* Tests whether a bone that IK does not move can have an outside parent in MMD. */
static bool can_have_parent(const mmd_bone *bone)
{
    enum { SEEN = MMD_BONE_MOVABLE | MMD_BONE_VISIBLE };
    return bone->flags & MMD_BONE_IK || (bone->flags & (SEEN | MMD_BONE_FIXED_AXIS)) == SEEN;
}

/* Adds the rows of the frame pane, all closed: the first is for visibility, IK and outside parents; the
 * special frame of morphs has one if it is not empty. */
static bool add_rows(adding *a)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < a->from->frame_count; i++) {
        const mmd_display_frame *frame = &a->from->frames[i];
        count += i == 0 || !frame->special || frame->count > 0;
    }
    a->to->row_count = a->to->frame_count = (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
    a->to->frame_open = mmd_arena_alloc(a->arena, a->to->frame_count, 1);
    return a->to->frame_open != NULL;
}

static bool add_bone_lists(adding *a)
{
    mmd_project_model *to = a->to;
    bool *moved = mmd_arena_alloc(a->arena, a->from->bone_count, sizeof *moved);
    to->ik_bones = mmd_arena_alloc(a->arena, a->from->bone_count, sizeof *to->ik_bones);
    to->parent_bones = mmd_arena_alloc(a->arena, (size_t)a->from->bone_count + 1, sizeof *to->parent_bones);
    if (!moved || !to->ik_bones || !to->parent_bones)
        return false;
    mark_ik_moved(a->from, moved);
    to->parent_bones[to->parent_count++] = -1;
    for (uint32_t i = 0; i < to->bone_count; i++) {
        if (a->from->bones[i].flags & MMD_BONE_IK)
            to->ik_bones[to->ik_count++] = (int32_t)i;
        if (!moved[i] && can_have_parent(&a->from->bones[i]))
            to->parent_bones[to->parent_count++] = (int32_t)i;
    }
    return true;
}

static bool add_config(adding *a, mmd_project_config_key *key, int64_t from)
{
    const mmd_project_model *to = a->to;
    key->ik = mmd_arena_alloc(a->arena, to->ik_count, sizeof *key->ik);
    key->parents = mmd_arena_alloc(a->arena, to->parent_count, sizeof *key->parents);
    if (!key->ik || !key->parents)
        return false;
    key->at = pmm_made_key(from >= 0 ? a->motion->property_keys[from].frame : 0);
    key->visible = from >= 0 ? a->motion->property_keys[from].visible : 1;
    for (uint32_t i = 0; i < to->ik_count; i++)
        key->ik[i] =
            from < 0 || mmd_motion_ik_on(a->motion, a->from->bone_key[to->ik_bones[i]], key->at.frame);
    for (uint32_t i = 0; i < to->parent_count; i++)
        key->parents[i] = (mmd_project_parent){-1, i == 0 ? -1 : 0};
    return true;
}

static bool add_configs(adding *a)
{
    const mmd_motion *motion = a->motion;
    mmd_project_model *to = a->to;
    pmm_pick pick = {motion->property_keys ? &motion->property_keys->frame : NULL,
                     sizeof *motion->property_keys, motion->property_key_count, 0, false};
    to->config_count = pmm_pick_count(pick);
    to->configs = mmd_arena_alloc(a->arena, to->config_count, sizeof *to->configs);
    to->ik = mmd_arena_alloc(a->arena, to->ik_count, sizeof *to->ik);
    to->parents = mmd_arena_alloc(a->arena, to->parent_count, sizeof *to->parents);
    if (!to->configs || !to->ik || !to->parents)
        return false;
    for (uint32_t i = 0; i < to->config_count; i++)
        if (!add_config(a, &to->configs[i], pmm_pick_next(&pick)))
            return false;
    to->visible = to->configs[0].visible;
    memcpy(to->ik, to->configs[0].ik, to->ik_count * sizeof *to->ik);
    for (uint32_t i = 0; i < to->parent_count; i++)
        to->parents[i].parent = to->configs[0].parents[i];
    return true;
}

/* ---- the whole model ---- */

/* Returns the last frame of the keys that belong to an existing bone or morph. */
static int32_t last_frame(const mmd_project_model *model)
{
    uint32_t last = model->configs[model->config_count - 1].at.frame;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const mmd_project_bone *bone = &model->bones[i];
        if (bone->keys[bone->key_count - 1].at.frame > last)
            last = bone->keys[bone->key_count - 1].at.frame;
    }
    for (uint32_t i = 0; i < model->morph_count; i++) {
        const mmd_project_morph *morph = &model->morphs[i];
        if (morph->keys[morph->key_count - 1].at.frame > last)
            last = morph->keys[morph->key_count - 1].at.frame;
    }
    return (int32_t)last;
}

static void fill_rest(mmd_project_model *to, uint8_t number)
{
    to->number = to->selector_number = number;
    to->draw_order = to->calc_order = (uint8_t)(number + 1);
    to->selected_bone = -1;
    for (int i = 0; i < 4; i++)
        to->selected_morphs[i] = -1;
    to->edge_width = 1.0f;
    to->self_shadow = 1;
    to->last_frame = last_frame(to);
}

static bool add(adding *a, const char *path)
{
    return pmm_made_name(a->arena, a->from->name, PMM_MADE_MODEL_NAME_MAX, &a->null_count, &a->to->name) &&
           pmm_made_name(a->arena, a->from->name_en, PMM_MADE_MODEL_NAME_MAX, &a->null_count,
                         &a->to->name_en) &&
           pmm_made_path(a->arena, path, &a->to->path) && add_bones(a) && add_morphs(a) && add_rows(a) &&
           add_bone_lists(a) && add_configs(a);
}

mmd_status mmd_project_add_model(mmd_project *project, const mmd_model *model, const mmd_motion *motion,
                                 const char *path, mmd_error *error)
{
    static const mmd_motion nothing = {.last_frame = 0};
    assert(project && model && path);
    assert((model->bone_key || model->bone_count == 0) && (model->morph_key || model->morph_count == 0));
    uint32_t count = project->model_count;
    if (count >= MMD_PROJECT_MODEL_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "model", MMD_NO_OFFSET,
                             "a project holds no more than %d models", MMD_PROJECT_MODEL_MAX);
    mmd_status status = pmm_check_frames(motion, "model", error);
    if (status != MMD_OK)
        return status;
    mmd_project_model *all = mmd_arena_alloc(&project->arena, (size_t)count + 1, sizeof *all);
    if (!all)
        return pmm_no_memory(error, "model");
    adding a = {
        .arena = &project->arena, .from = model, .motion = motion ? motion : &nothing, .to = &all[count]};
    if (!add(&a, path))
        return pmm_no_memory(error, "model");
    if (count)
        memcpy(all, project->models, count * sizeof *all);
    fill_rest(&all[count], (uint8_t)count);
    project->models = all;
    project->model_count = count + 1;
    return MMD_OK;
}

/* ---- a model's keys as a motion ---- */

/* A set of names. Of several bones with one name only the first is used. */
typedef struct name_set {
    vmd_names names;
    mmd_arena arena;
} name_set;

static bool set_init(name_set *set, uint32_t count)
{
    *set = (name_set){0};
    set->names.names = mmd_arena_alloc(&set->arena, count, sizeof *set->names.names);
    set->names.nodes = mmd_arena_alloc(&set->arena, count, sizeof *set->names.nodes);
    return set->names.names && set->names.nodes;
}

static bool first_of_name(name_set *set, const uint8_t key[VMD_NAME_SIZE])
{
    uint32_t before = set->names.count;
    return vmd_names_add(&set->names, vmd_name_load(key)) == before;
}

/* Reserves the count of a section, which is known once its records are written. */
static size_t begin_section(mmd_buffer *vmd)
{
    mmd_write_u32(vmd, 0);
    return vmd->size;
}

static void end_section(mmd_buffer *vmd, size_t start, uint32_t count)
{
    if (!vmd->failed)
        memcpy(vmd->data + start - sizeof count, &count, sizeof count);
}

/* Tests for a name that version 0001 does not store and that could not be taken from the model's file. */
static bool is_nameless(const mmd_project_text *name)
{
    return !name->raw && !*name->text;
}

static bool bone_rests(const mmd_project_bone *bone)
{
    const mmd_project_bone_key *key = &bone->keys[0];
    if (bone->key_count > 1 || key->physics_off)
        return false;
    for (int i = 0; i < 3; i++)
        if (key->translation[i] != 0.0f || key->rotation[i] != 0.0f)
            return false;
    return true;
}

static void write_bone_key(mmd_buffer *vmd, const uint8_t name[VMD_NAME_SIZE],
                           const mmd_project_bone_key *key)
{
    uint8_t record[111];
    mmd_bone_key as = {.physics_off = key->physics_off != 0};
    memcpy(as.translation, key->translation, sizeof as.translation);
    memcpy(as.rotation, key->rotation, sizeof as.rotation);
    memcpy(as.curve, key->curves, sizeof as.curve);
    vmd_bone_blank(record);
    vmd_bone_patch(record, name, key->at.frame, &as);
    mmd_write_bytes(vmd, record, sizeof record);
}

static bool write_bones(mmd_buffer *vmd, const mmd_project_model *model)
{
    name_set names;
    bool room = set_init(&names, model->bone_count);
    size_t start = begin_section(vmd);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->bone_count && room; i++) {
        const mmd_project_bone *bone = &model->bones[i];
        uint8_t name[VMD_NAME_SIZE];
        mmd_name_key_from_utf8(bone->name.text, name, NULL, NULL);
        if (is_nameless(&bone->name) || !first_of_name(&names, name) || bone_rests(bone))
            continue;
        for (uint32_t k = 0; k < bone->key_count; k++)
            write_bone_key(vmd, name, &bone->keys[k]);
        count += bone->key_count;
    }
    end_section(vmd, start, count);
    mmd_arena_finish(&names.arena);
    return room;
}

static bool write_morphs(mmd_buffer *vmd, const mmd_project_model *model)
{
    name_set names;
    bool room = set_init(&names, model->morph_count);
    size_t start = begin_section(vmd);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->morph_count && room; i++) {
        const mmd_project_morph *morph = &model->morphs[i];
        uint8_t name[VMD_NAME_SIZE], record[23];
        mmd_name_key_from_utf8(morph->name.text, name, NULL, NULL);
        if (is_nameless(&morph->name) || !first_of_name(&names, name) ||
            (morph->key_count == 1 && morph->keys[0].weight == 0.0f))
            continue;
        for (uint32_t k = 0; k < morph->key_count; k++) {
            memset(record, 0, sizeof record);
            vmd_morph_patch(record, name, morph->keys[k].at.frame, morph->keys[k].weight);
            mmd_write_bytes(vmd, record, sizeof record);
        }
        count += morph->key_count;
    }
    end_section(vmd, start, count);
    mmd_arena_finish(&names.arena);
    return room;
}

static bool always_on(const mmd_project_model *model)
{
    const mmd_project_config_key *key = &model->configs[0];
    bool on = model->config_count == 1 && key->visible;
    for (uint32_t i = 0; i < model->ik_count; i++)
        on = on && key->ik[i];
    return on;
}

static void write_config(mmd_buffer *vmd, const mmd_project_model *model, const mmd_project_config_key *key)
{
    mmd_write_u32(vmd, key->at.frame);
    mmd_write_u8(vmd, key->visible);
    size_t start = begin_section(vmd);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->ik_count; i++) {
        if (model->ik_bones[i] < 0 || (uint32_t)model->ik_bones[i] >= model->bone_count)
            continue;
        const char *bone = model->bones[model->ik_bones[i]].name.text;
        uint8_t name[20] = {0};
        mmd_cp932_from_utf8(bone, strlen(bone), name, sizeof name, NULL);
        mmd_write_bytes(vmd, name, sizeof name);
        mmd_write_u8(vmd, key->ik[i]);
        count++;
    }
    end_section(vmd, start, count);
}

static void write_configs(mmd_buffer *vmd, const mmd_project_model *model)
{
    uint32_t count = always_on(model) ? 0 : model->config_count;
    mmd_write_u32(vmd, count);
    for (uint32_t i = 0; i < count; i++)
        write_config(vmd, model, &model->configs[i]);
}

mmd_motion *mmd_project_model_motion(const mmd_project_model *model)
{
    assert(model);
    mmd_buffer vmd = {0};
    pmm_vmd_start(&vmd, model->name.text);
    if (write_bones(&vmd, model) && write_morphs(&vmd, model)) {
        mmd_write_zeros(&vmd, 3 * sizeof(uint32_t)); /* no camera, light, self shadow */
        write_configs(&vmd, model);
        return pmm_vmd_end(&vmd);
    }
    mmd_buffer_finish(&vmd);
    return NULL;
}
