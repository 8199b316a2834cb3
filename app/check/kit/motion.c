/*
 * Merges several motions to one, for a model or the scene of a project. It follows the rules of the player
 * (mmd/pose.h, mmd/actor.h), so that MMD plays the project as the player plays the files.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"
#include "mmd/elementary.h"
#include "mmd/text.h"

/* --- Models --- */

/* The model whose motions are merged. */
typedef struct merged_model {
    const odori_scene *scene;
    const mmd_model *model;
    size_t index;
} merged_model;

/* Returns whether a motion moves the model. */
static bool moves(const merged_model *d, size_t motion)
{
    return scene_moves(d->scene, &d->scene->motions[motion], d->index);
}

/* Returns the track of a bone in the last motion that has one, or NULL. */
static const mmd_bone_track *find_bone(const merged_model *d, const uint8_t key[MMD_NAME_KEY_SIZE])
{
    const mmd_bone_track *found = NULL;
    for (size_t i = d->scene->motion_count; i-- > 0 && !found;)
        if (moves(d, i))
            found = mmd_motion_find_bone(d->scene->motions[i].motion, key);
    return found;
}

/* Returns the track of a morph in the last motion that has one, or NULL. */
static const mmd_morph_track *find_morph(const merged_model *d, const uint8_t key[MMD_NAME_KEY_SIZE])
{
    const mmd_morph_track *found = NULL;
    for (size_t i = d->scene->motion_count; i-- > 0 && !found;)
        if (moves(d, i))
            found = mmd_motion_find_morph(d->scene->motions[i].motion, key);
    return found;
}

/* Adds the tracks of bones and morphs. Names that CP932 cannot represent are empty in a VMD and match
 * nothing. */
static bool add_tracks(mmd_arena *arena, const merged_model *d, mmd_motion *motion)
{
    const mmd_model *model = d->model;
    motion->bone_tracks = mmd_arena_alloc(arena, model->bone_count, sizeof *motion->bone_tracks);
    motion->morph_tracks = mmd_arena_alloc(arena, model->morph_count, sizeof *motion->morph_tracks);
    if (!motion->bone_tracks || !motion->morph_tracks)
        return false;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const mmd_bone_track *track = model->bone_key[i][0] ? find_bone(d, model->bone_key[i]) : NULL;
        if (track && track->count)
            motion->bone_tracks[motion->bone_track_count++] = *track;
    }
    for (uint32_t i = 0; i < model->morph_count; i++) {
        const mmd_morph_track *track = model->morph_key[i][0] ? find_morph(d, model->morph_key[i]) : NULL;
        if (track && track->count)
            motion->morph_tracks[motion->morph_track_count++] = *track;
    }
    return true;
}

/* Returns the last motion with a switch of this IK bone, or NULL. */
static const mmd_motion *find_switch(const merged_model *d, const uint8_t key[MMD_NAME_KEY_SIZE])
{
    for (size_t i = d->scene->motion_count; i-- > 0;) {
        const mmd_motion *m = d->scene->motions[i].motion;
        for (uint32_t k = 0; moves(d, i) && k < m->property_key_count; k++) {
            for (uint32_t s = 0; s < m->property_keys[k].switch_count; s++) {
                uint8_t name[MMD_NAME_KEY_SIZE];
                mmd_name_key_from_field(m->property_keys[k].switches[s].name,
                                        sizeof m->property_keys[k].switches[s].name, name);
                if (memcmp(name, key, sizeof name) == 0)
                    return m;
            }
        }
    }
    return NULL;
}

static int by_frame(const void *a, const void *b)
{
    uint32_t x = ((const mmd_property_key *)a)->frame, y = ((const mmd_property_key *)b)->frame;
    return (x > y) - (x < y);
}

/* Adds an empty property keyframe for each frame that has one in any motion, ascending. */
static bool collect_properties(mmd_arena *arena, const merged_model *d, mmd_motion *motion)
{
    size_t total = 0, unique = 0, next = 0;
    for (size_t i = 0; i < d->scene->motion_count; i++)
        if (moves(d, i))
            total += d->scene->motions[i].motion->property_key_count;
    mmd_property_key *keys = mmd_arena_alloc(arena, total, sizeof *keys);
    if (!keys)
        return false;
    for (size_t i = 0; i < d->scene->motion_count; i++)
        for (uint32_t k = 0; moves(d, i) && k < d->scene->motions[i].motion->property_key_count; k++)
            keys[next++] = (mmd_property_key){.frame = d->scene->motions[i].motion->property_keys[k].frame,
                                              .record = MMD_NO_RECORD};
    if (total)
        qsort(keys, total, sizeof *keys, by_frame);
    for (size_t i = 0; i < total; i++)
        if (unique == 0 || keys[i].frame != keys[unique - 1].frame)
            keys[unique++] = keys[i];
    motion->property_keys = keys;
    motion->property_key_count = (uint32_t)unique;
    return true;
}

/* Returns the last motion with a property keyframe, which decides the visibility of the model, or NULL. */
static const mmd_motion *find_visibility(const merged_model *d)
{
    for (size_t i = d->scene->motion_count; i-- > 0;)
        if (moves(d, i) && d->scene->motions[i].motion->property_key_count)
            return d->scene->motions[i].motion;
    return NULL;
}

/* Adds the state of an IK bone to each property keyframe. */
static bool add_switch(mmd_arena *arena, mmd_motion *motion, const mmd_motion *from,
                       const uint8_t key[MMD_NAME_KEY_SIZE])
{
    for (uint32_t k = 0; k < motion->property_key_count; k++) {
        mmd_property_key *property = &motion->property_keys[k];
        mmd_ik_switch *grown =
            mmd_arena_alloc(arena, (size_t)property->switch_count + 1, sizeof *property->switches);
        if (!grown)
            return false;
        if (property->switch_count)
            memcpy(grown, property->switches, property->switch_count * sizeof *grown);
        mmd_ik_switch *added = &grown[property->switch_count++];
        memcpy(added->name, key, MMD_NAME_KEY_SIZE);
        added->on = mmd_motion_ik_on(from, key, property->frame);
        property->switches = grown;
    }
    return true;
}

/* Adds property keyframes with visibility and IK switches. */
static bool add_properties(mmd_arena *arena, const merged_model *d, mmd_motion *motion)
{
    const mmd_model *model = d->model;
    const mmd_motion *visibility = find_visibility(d);
    if (!collect_properties(arena, d, motion))
        return false;
    for (uint32_t k = 0; k < motion->property_key_count; k++)
        motion->property_keys[k].visible = mmd_motion_visible(visibility, motion->property_keys[k].frame);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        bool has_ik = (model->bones[i].flags & MMD_BONE_IK) && !model->bones[i].internal;
        const mmd_motion *from = has_ik ? find_switch(d, model->bone_key[i]) : NULL;
        if (from && !add_switch(arena, motion, from, model->bone_key[i]))
            return false;
    }
    return true;
}

/* Delays all keyframes by whole frames. Other delays cannot be stored in a project (KIT_DELAY). */
static bool delay_keys(mmd_arena *arena, uint32_t by, mmd_motion *motion)
{
    for (uint32_t i = 0; i < motion->bone_track_count + motion->morph_track_count; i++) {
        bool is_bone = i < motion->bone_track_count;
        mmd_bone_track *bone = &motion->bone_tracks[is_bone ? i : 0];
        mmd_morph_track *morph = &motion->morph_tracks[is_bone ? 0 : i - motion->bone_track_count];
        uint32_t count = is_bone ? bone->count : morph->count,
                 **frames = is_bone ? &bone->frames : &morph->frames;
        uint32_t *later = mmd_arena_alloc(arena, count, sizeof *later);
        if (!later)
            return false;
        for (uint32_t k = 0; k < count; k++)
            later[k] = (*frames)[k] + by;
        *frames = later;
    }
    for (uint32_t k = 0; k < motion->property_key_count; k++)
        motion->property_keys[k].frame += by;
    motion->last_frame += by;
    return true;
}

bool kit_model_motion(mmd_arena *arena, const odori_scene *scene, size_t index, mmd_motion *motion)
{
    const merged_model d = {scene, scene->models[index].model, index};
    double delay = mmd_actor_delay(scene->models[index].actor);
    *motion = (mmd_motion){0};
    for (size_t i = 0; i < scene->motion_count; i++)
        if (moves(&d, i) && scene->motions[i].motion->last_frame > motion->last_frame)
            motion->last_frame = scene->motions[i].motion->last_frame;
    return add_tracks(arena, &d, motion) && add_properties(arena, &d, motion) &&
           (!kit_can_delay(delay) || delay_keys(arena, (uint32_t)delay, motion));
}

bool kit_can_delay(double delay)
{
    return delay >= 0 && delay == floor(delay);
}

/* --- Camera, light, self shadow --- */

/* Keyframes of any type. */
typedef struct key_list {
    const void *keys;
    uint32_t count;
    size_t size, frame_at; /* size of a keyframe, and offset of its frame, in bytes */
} key_list;

/* Copies keyframes and adds one at frame 0 with the values of the first. Before the first keyframe the player
 * holds its values, but MMD interpolates from its own keyframe at frame 0. NULL: out of memory. */
static void *add_lead(mmd_arena *arena, const key_list *from, uint32_t *count)
{
    const uint32_t zero = 0;
    uint32_t first;
    memcpy(&first, (const char *)from->keys + from->frame_at, sizeof first);
    uint32_t lead = first > 0;
    char *keys = mmd_arena_alloc(arena, (size_t)from->count + lead, from->size);
    if (!keys)
        return NULL;
    memcpy(keys, from->keys, from->size);
    memcpy(keys + from->frame_at, &zero, sizeof zero);
    memcpy(keys + lead * from->size, from->keys, from->count * from->size);
    *count = from->count + lead;
    return keys;
}

static bool add_camera(mmd_arena *arena, const mmd_motion *from, mmd_motion *to)
{
    const key_list list = {from->camera_keys, from->camera_key_count, sizeof *to->camera_keys,
                           offsetof(mmd_camera_key, frame)};
    return (to->camera_keys = add_lead(arena, &list, &to->camera_key_count)) != NULL;
}

static bool add_light(mmd_arena *arena, const mmd_motion *from, mmd_motion *to)
{
    const key_list list = {from->light_keys, from->light_key_count, sizeof *to->light_keys,
                           offsetof(mmd_light_key, frame)};
    return (to->light_keys = add_lead(arena, &list, &to->light_key_count)) != NULL;
}

static bool add_self_shadow(mmd_arena *arena, const mmd_motion *from, mmd_motion *to)
{
    const key_list list = {from->self_shadow_keys, from->self_shadow_key_count, sizeof *to->self_shadow_keys,
                           offsetof(mmd_self_shadow_key, frame)};
    return (to->self_shadow_keys = add_lead(arena, &list, &to->self_shadow_key_count)) != NULL;
}

/* Adds camera, light and self shadow, each from the last motion that has it. */
static bool add_last(mmd_arena *arena, const odori_scene *scene, mmd_motion *motion)
{
    const mmd_motion *camera = NULL, *light = NULL, *shadow = NULL;
    for (size_t i = 0; i < scene->motion_count; i++) {
        const mmd_motion *m = scene->motions[i].motion;
        camera = m->camera_key_count ? m : camera;
        light = m->light_key_count ? m : light;
        shadow = m->self_shadow_key_count ? m : shadow;
        motion->last_frame = m->last_frame > motion->last_frame ? m->last_frame : motion->last_frame;
    }
    return (!camera || add_camera(arena, camera, motion)) && (!light || add_light(arena, light, motion)) &&
           (!shadow || add_self_shadow(arena, shadow, motion));
}

/* Returns whether two lists of numbers are equal within 0.01 %. */
static bool same(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fabsf(a[i] - b[i]) > 1e-4f * mmd_maxf(1.0f, fabsf(a[i])))
            return false;
    return true;
}

static bool same_camera(const mmd_camera *a, const mmd_camera *b)
{
    return same(&a->distance, &b->distance, 1) && same(a->position, b->position, 3) &&
           same(a->rotation, b->rotation, 3) && same(&a->fov, &b->fov, 1) && a->perspective == b->perspective;
}

/* Replaces the camera by a fixed one when the camera of the stage is not that of the motion. */
static bool fix_camera(mmd_arena *arena, const mmd_stage *stage, mmd_motion *motion)
{
    mmd_camera moved = mmd_default_camera();
    const mmd_camera *current = mmd_stage_camera(stage);
    mmd_motion_camera(motion, mmd_stage_frame(stage), &moved);
    if (same_camera(&moved, current))
        return true;
    mmd_camera_key *key = mmd_arena_alloc(arena, 1, sizeof *key);
    if (!key)
        return false;
    *key = (mmd_camera_key){.record = MMD_NO_RECORD, .value = *current};
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        key->curve[i] = (mmd_curve){.x1 = 20, .y1 = 20, .x2 = 107, .y2 = 107};
    motion->camera_keys = key;
    motion->camera_key_count = 1;
    return true;
}

/* Sets colour and direction of the light in all keyframes, each when that of the stage is not that of the
 * motion. */
static bool fix_light(mmd_arena *arena, const mmd_stage *stage, mmd_motion *motion)
{
    mmd_light moved = mmd_default_light();
    const mmd_light *current = mmd_stage_light(stage);
    mmd_motion_light(motion, mmd_stage_frame(stage), &moved);
    bool color = !same(moved.color, current->color, 3),
         direction = !same(moved.direction, current->direction, 3);
    if (!color && !direction)
        return true;
    if (motion->light_key_count == 0) {
        motion->light_keys = mmd_arena_alloc(arena, 1, sizeof *motion->light_keys);
        if (!motion->light_keys)
            return false;
        *motion->light_keys = (mmd_light_key){.record = MMD_NO_RECORD, .value = mmd_default_light()};
        motion->light_key_count = 1;
    }
    for (uint32_t k = 0; k < motion->light_key_count; k++) {
        if (color)
            memcpy(motion->light_keys[k].value.color, current->color, sizeof current->color);
        if (direction)
            memcpy(motion->light_keys[k].value.direction, current->direction, sizeof current->direction);
    }
    return true;
}

bool kit_stage_motion(mmd_arena *arena, recipe_stage *stage, const kit_scene *scene, mmd_motion *motion)
{
    *motion = (mmd_motion){0};
    if (!add_last(arena, &stage->scene, motion))
        return false;
    for (size_t i = 0; i < scene->frame_count; i++) {
        session_go(&stage->session, scene->frames[i]);
        if (!fix_camera(arena, stage->scene.stage, motion) || !fix_light(arena, stage->scene.stage, motion))
            return false;
    }
    return true;
}
