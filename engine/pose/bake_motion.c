/* Creates the baked motion: tracks of bones and morphs, and the keys that switch IK off. */
#include <assert.h>

#include "bake_internal.h"

#include "mmd/text.h"

static bool is_identity(const mmd_bone_key *key)
{
    static const mmd_transform identity = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    return memcmp(key->translation, identity.translation, sizeof key->translation) == 0 &&
           memcmp(key->rotation, identity.rotation, sizeof key->rotation) == 0;
}

/* Returns how many keys a bone needs: one if it never moves, and none if it also stays at rest. */
static uint32_t keys_needed(const mmd_bake *bake, uint32_t b)
{
    const bake_keys *list = &bake->bone_keys[b];
    for (uint32_t i = 1; i < list->count; i++)
        if (memcmp(list->keys[i].translation, list->keys[0].translation, sizeof list->keys[0].translation) !=
                0 ||
            memcmp(list->keys[i].rotation, list->keys[0].rotation, sizeof list->keys[0].rotation) != 0 ||
            list->keys[i].physics_off != list->keys[0].physics_off)
            return list->count;
    if (list->count &&
        (!is_identity(&list->keys[0]) || list->keys[0].physics_off || bake_source_track(bake, b)))
        return 1;
    return 0;
}

/* Moves the bone's keys into the motion. A bone that follows its motion takes the keys from there. */
static bool make_bone_track(mmd_bake *bake, uint32_t b, mmd_motion *motion)
{
    bake_keys *list = &bake->bone_keys[b];
    if (bake->follows[b]) {
        list->count = 0;
        if (!bake_add_motion_keys(bake, b, bake->options.first_frame + bake->frame_count - 1))
            return false;
    }
    uint32_t count = keys_needed(bake, b);
    if (count) {
        mmd_bone_track *track = &motion->bone_tracks[motion->bone_track_count++];
        memcpy(track->name, bake->model->bone_key[b], sizeof track->name);
        track->count = count;
        track->frames = mmd_arena_alloc(&motion->arena, count, sizeof *track->frames);
        track->keys = mmd_arena_alloc(&motion->arena, count, sizeof *track->keys);
        if (!track->frames || !track->keys)
            return false;
        memcpy(track->frames, list->frames, count * sizeof *track->frames);
        memcpy(track->keys, list->keys, count * sizeof *track->keys);
        motion->bone_key_count += count;
    }
    mmd_free(list->frames);
    mmd_free(list->keys);
    *list = (bake_keys){.count = 0};
    return true;
}

static bool make_bone_tracks(mmd_bake *bake, mmd_motion *motion)
{
    const mmd_model *model = bake->model;
    motion->bone_tracks = mmd_arena_alloc(&motion->arena, model->bone_count, sizeof *motion->bone_tracks);
    for (uint32_t b = 0; motion->bone_tracks && b < model->bone_count; b++)
        if (!make_bone_track(bake, b, motion))
            return false;
    return motion->bone_tracks != NULL;
}

static const mmd_morph_track *source_track(const mmd_bake *bake, uint32_t m)
{
    const mmd_morph_track *found = NULL;
    for (size_t i = bake->motion_count; i-- > 0 && !found;)
        found = mmd_motion_find_morph(bake->motions[i], bake->model->morph_key[m]);
    return found && found->count ? found : NULL;
}

static bool allocate_morph_track(mmd_motion *motion, mmd_morph_track *track, size_t count)
{
    track->frames = mmd_arena_alloc(&motion->arena, count, sizeof *track->frames);
    track->weights = mmd_arena_alloc(&motion->arena, count, sizeof *track->weights);
    return track->frames && track->weights;
}

static void add_morph_key(mmd_morph_track *track, uint32_t frame, float weight)
{
    track->frames[track->count] = frame;
    track->weights[track->count++] = weight;
}

/* Copies the keys from the first to the last baked frame, and adds one at each end if there are keys beyond
 * it. */
static bool copy_morph_track(mmd_bake *bake, const mmd_morph_track *source, const bake_weights *list,
                             mmd_motion *motion, mmd_morph_track *track)
{
    uint32_t first = bake->options.first_frame, last = first + bake->frame_count - 1;
    if (!allocate_morph_track(motion, track, (size_t)source->count + 2))
        return false;
    uint32_t i = 0;
    while (i < source->count && source->frames[i] < first)
        i++;
    if (i > 0 && (i == source->count || source->frames[i] > first))
        add_morph_key(track, first, list->weights[0]);
    for (; i < source->count && source->frames[i] <= last; i++)
        add_morph_key(track, source->frames[i], source->weights[i]);
    if (i < source->count && (track->count == 0 || track->frames[track->count - 1] < last))
        add_morph_key(track, last, list->weights[list->count - 1]);
    return true;
}

static bool sample_morph_track(const bake_weights *list, mmd_motion *motion, mmd_morph_track *track)
{
    if (!allocate_morph_track(motion, track, list->count))
        return false;
    for (uint32_t i = 0; i < list->count; i++)
        add_morph_key(track, list->frames[i], list->weights[i]);
    return true;
}

static bool make_morph_track(mmd_bake *bake, uint32_t m, mmd_motion *motion)
{
    const bake_weights *list = &bake->morph_weights[m];
    const mmd_morph_track *source = source_track(bake, m);
    mmd_morph_track *track = &motion->morph_tracks[motion->morph_track_count];
    if (!source && !list->by_hand)
        return true;
    if (list->by_hand ? !sample_morph_track(list, motion, track)
                      : !copy_morph_track(bake, source, list, motion, track))
        return false;
    memcpy(track->name, bake->model->morph_key[m], sizeof track->name);
    motion->morph_key_count += track->count;
    motion->morph_track_count += track->count > 0;
    return true;
}

/* Creates the tracks of morphs. Of several morphs with one name only the first needs a track, because a track
 * drives them all. */
static bool make_morph_tracks(mmd_bake *bake, mmd_motion *motion)
{
    const mmd_model *model = bake->model;
    uint8_t *skip = mmd_arena_alloc(&bake->arena, model->morph_count, 1);
    motion->morph_tracks = mmd_arena_alloc(&motion->arena, model->morph_count, sizeof *motion->morph_tracks);
    if (!skip || !motion->morph_tracks ||
        !bake_mark_names((const uint8_t(*)[15])model->morph_key, model->morph_count, NULL, 1, 1, skip))
        return false;
    for (uint32_t m = 0; m < model->morph_count; m++)
        if (!skip[m] && !make_morph_track(bake, m, motion))
            return false;
    return true;
}

static bool make_switches(const mmd_bake *bake, mmd_motion *motion, mmd_property_key *key)
{
    const mmd_model *model = bake->model;
    uint32_t count = 0;
    for (uint32_t b = 0; b < model->bone_count; b++)
        count += (model->bones[b].flags & MMD_BONE_IK) != 0;
    key->switches = mmd_arena_alloc(&motion->arena, count, sizeof *key->switches);
    for (uint32_t b = 0; key->switches && b < model->bone_count; b++) {
        const char *name = model->bones[b].name;
        mmd_ik_switch *s = &key->switches[key->switch_count];
        if (!(model->bones[b].flags & MMD_BONE_IK) || bake->obstacles[b] > MMD_BAKE_FIXED_AXIS)
            continue;
        mmd_cp932_from_utf8(name, strlen(name), s->name, sizeof s->name, NULL);
        key->switch_count++;
    }
    return key->switches != NULL;
}

static bool make_property_keys(mmd_bake *bake, mmd_motion *motion)
{
    mmd_property_key first = {.record = MMD_NO_RECORD};
    motion->property_keys =
        mmd_arena_alloc(&motion->arena, bake->visible_count, sizeof *motion->property_keys);
    if (!motion->property_keys || !make_switches(bake, motion, &first))
        return false;
    for (uint32_t i = 0; i < bake->visible_count; i++) {
        mmd_property_key *key = &motion->property_keys[motion->property_key_count++];
        *key = first;
        key->frame = bake->visible[i].frame;
        key->visible = bake->visible[i].visible;
    }
    return true;
}

static uint32_t last_frame(const mmd_motion *motion)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < motion->bone_track_count; i++) {
        uint32_t frame = motion->bone_tracks[i].frames[motion->bone_tracks[i].count - 1];
        last = frame > last ? frame : last;
    }
    for (uint32_t i = 0; i < motion->morph_track_count; i++) {
        uint32_t frame = motion->morph_tracks[i].frames[motion->morph_tracks[i].count - 1];
        last = frame > last ? frame : last;
    }
    if (motion->property_key_count && motion->property_keys[motion->property_key_count - 1].frame > last)
        last = motion->property_keys[motion->property_key_count - 1].frame;
    return last;
}

mmd_motion *bake_make_motion(mmd_bake *bake)
{
    assert(bake);
    mmd_arena arena = {0};
    mmd_motion *motion = mmd_arena_alloc(&arena, 1, sizeof *motion);
    if (!motion)
        return NULL;
    motion->arena = arena;
    motion->model_name_size = sizeof motion->model_name;
    mmd_cp932_from_utf8(bake->model->name, strlen(bake->model->name), motion->model_name,
                        sizeof motion->model_name, NULL);
    if (!make_bone_tracks(bake, motion) || !make_morph_tracks(bake, motion) ||
        !make_property_keys(bake, motion)) {
        mmd_motion_destroy(motion);
        return NULL;
    }
    motion->last_frame = last_frame(motion);
    return motion;
}
