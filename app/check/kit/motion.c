/*
 * Merges several motions as one: what a project holds of a model, and of the stage.
 * The player's rules decide what counts (mmd/pose.h, mmd/actor.h), so that MMD
 * moves what the project says as the player moves what the files say.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"
#include "mmd/text.h"

/* --- Models --- */

/* A model's place in the scene: who is moved. */
typedef struct dancer {
    const odori_scene *scene;
    const mmd_model *model;
    size_t index;
} dancer;

static bool moves(const dancer *d, size_t motion)
{
    const scene_motion *m = &d->scene->motions[motion];
    return m->moves_models || m->target == (int64_t)d->index;
}

static const mmd_bone_track *find_bone(const dancer *d, const uint8_t key[MMD_NAME_KEY_SIZE])
{
    const mmd_bone_track *found = NULL;
    for (size_t i = d->scene->motion_count; i-- > 0 && !found;)
        if (moves(d, i))
            found = mmd_motion_find_bone(d->scene->motions[i].motion, key);
    return found;
}

static const mmd_morph_track *find_morph(const dancer *d, const uint8_t key[MMD_NAME_KEY_SIZE])
{
    const mmd_morph_track *found = NULL;
    for (size_t i = d->scene->motion_count; i-- > 0 && !found;)
        if (moves(d, i))
            found = mmd_motion_find_morph(d->scene->motions[i].motion, key);
    return found;
}

/* Names that CP932 cannot hold are empty in a VMD: those mean nobody. */
static bool add_tracks(mmd_arena *arena, const dancer *d, mmd_motion *motion)
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

/* Finds the last motion with a switch of this IK bone; NULL: none has one. */
static const mmd_motion *find_switch(const dancer *d, const uint8_t key[MMD_NAME_KEY_SIZE])
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

/* Lists the frames of all property keys, rising, each once, as keys that say nothing yet. */
static bool collect_properties(mmd_arena *arena, const dancer *d, mmd_motion *motion)
{
    size_t total = 0, kept = 0, next = 0;
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
        if (kept == 0 || keys[i].frame != keys[kept - 1].frame)
            keys[kept++] = keys[i];
    motion->property_keys = keys;
    motion->property_key_count = (uint32_t)kept;
    return true;
}

/* Tells whether the model is seen: the last motion with any property key says so. */
static const mmd_motion *find_visibility(const dancer *d)
{
    for (size_t i = d->scene->motion_count; i-- > 0;)
        if (moves(d, i) && d->scene->motions[i].motion->property_key_count)
            return d->scene->motions[i].motion;
    return NULL;
}

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

static bool add_properties(mmd_arena *arena, const dancer *d, mmd_motion *motion)
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

/*
 * Applies a delay by whole frames, which makes all keys later. Keys of a motion that has begun
 * already, or begins between two frames, cannot be moved: they stay (KIT_DELAY).
 */
static bool make_later(mmd_arena *arena, uint32_t by, mmd_motion *motion)
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
    const dancer d = {scene, scene->models[index].model, index};
    double delay = mmd_actor_delay(scene->models[index].actor);
    *motion = (mmd_motion){0};
    for (size_t i = 0; i < scene->motion_count; i++)
        if (moves(&d, i) && scene->motions[i].motion->last_frame > motion->last_frame)
            motion->last_frame = scene->motions[i].motion->last_frame;
    return add_tracks(arena, &d, motion) && add_properties(arena, &d, motion) &&
           (!kit_can_delay(delay) || make_later(arena, (uint32_t)delay, motion));
}

bool kit_can_delay(double delay)
{
    return delay >= 0 && delay == floor(delay);
}

/* --- Camera, light, self shadow --- */

/* Keys of one kind, however they look. */
typedef struct key_list {
    const void *keys;
    uint32_t count;
    size_t size, frame_at; /* of a key, and where in it its frame is */
} key_list;

/* Adds a key at frame 0 that says what the first does: the player holds it, MMD would go there from
 * its own. NULL: out of memory. */
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

/* Tells whether two lists of numbers say the same to the eye. */
static bool same(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fabsf(a[i] - b[i]) > 1e-4f * fmaxf(1.0f, fabsf(a[i])))
            return false;
    return true;
}

static bool same_camera(const mmd_camera *a, const mmd_camera *b)
{
    return same(&a->distance, &b->distance, 1) && same(a->position, b->position, 3) &&
           same(a->rotation, b->rotation, 3) && same(&a->fov, &b->fov, 1) && a->perspective == b->perspective;
}

/* Adds a camera by hand, which stands still. */
static bool hold_camera(mmd_arena *arena, const mmd_stage *stage, mmd_motion *motion)
{
    mmd_camera moved = mmd_default_camera();
    const mmd_camera *seen = mmd_stage_camera(stage);
    mmd_motion_camera(motion, mmd_stage_frame(stage), &moved);
    if (same_camera(&moved, seen))
        return true;
    mmd_camera_key *key = mmd_arena_alloc(arena, 1, sizeof *key);
    if (!key)
        return false;
    *key = (mmd_camera_key){.record = MMD_NO_RECORD, .value = *seen};
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        key->curve[i] = (mmd_curve){.x1 = 20, .y1 = 20, .x2 = 107, .y2 = 107};
    motion->camera_keys = key;
    motion->camera_key_count = 1;
    return true;
}

/* Adds the light; colour and direction are set by hand one without the other. */
static bool hold_light(mmd_arena *arena, const mmd_stage *stage, mmd_motion *motion)
{
    mmd_light moved = mmd_default_light();
    const mmd_light *seen = mmd_stage_light(stage);
    mmd_motion_light(motion, mmd_stage_frame(stage), &moved);
    bool color = !same(moved.color, seen->color, 3), direction = !same(moved.direction, seen->direction, 3);
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
            memcpy(motion->light_keys[k].value.color, seen->color, sizeof seen->color);
        if (direction)
            memcpy(motion->light_keys[k].value.direction, seen->direction, sizeof seen->direction);
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
        if (!hold_camera(arena, stage->scene.stage, motion) || !hold_light(arena, stage->scene.stage, motion))
            return false;
    }
    return true;
}
