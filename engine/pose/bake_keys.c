/* Storage of baked frames: keys of bones, weights of morphs, visibility, each as short as possible. */
#include "bake_internal.h"

#include <assert.h>
#include <stdlib.h>

#include "mmd/reduce.h"

static bool grow(uint32_t count, uint32_t *capacity, void **a, size_t a_size, void **b, size_t b_size)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * (size_t)*capacity : 4;
    if (wanted > UINT32_MAX)
        return false;
    void *grown = mmd_realloc(*a, wanted * a_size);
    if (!grown)
        return false;
    *a = grown;
    grown = b ? mmd_realloc(*b, wanted * b_size) : *a;
    if (!grown)
        return false;
    if (b)
        *b = grown;
    *capacity = (uint32_t)wanted;
    return true;
}

bool bake_keys_add(bake_keys *list, uint32_t frame, const mmd_bone_key *key)
{
    assert(list);
    void *frames = list->frames, *keys = list->keys;
    bool done = grow(list->count, &list->capacity, &frames, sizeof *list->frames, &keys, sizeof *list->keys);
    list->frames = frames;
    list->keys = keys;
    if (!done)
        return false;
    list->frames[list->count] = frame;
    list->keys[list->count++] = *key;
    return true;
}

static bool same_value(const mmd_bone_key *a, const mmd_bone_key *b)
{
    return memcmp(a->translation, b->translation, sizeof a->translation) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0 && a->physics_off == b->physics_off;
}

/* Removes keys between the first and the last of a constant value. */
void bake_keys_settle(bake_keys *list)
{
    assert(list);
    uint32_t kept = list->settled;
    for (uint32_t i = list->settled; i < list->count; i++) {
        bool stays = kept >= 2 && same_value(&list->keys[kept - 1], &list->keys[i]) &&
                     same_value(&list->keys[kept - 2], &list->keys[i]);
        if (stays)
            kept--;
        list->frames[kept] = list->frames[i];
        list->keys[kept++] = list->keys[i];
    }
    list->count = list->settled = kept;
}

static bool add_weight(bake_weights *list, uint32_t frame, float weight)
{
    void *frames = list->frames, *weights = list->weights;
    bool done =
        grow(list->count, &list->capacity, &frames, sizeof *list->frames, &weights, sizeof *list->weights);
    list->frames = frames;
    list->weights = weights;
    if (!done)
        return false;
    list->frames[list->count] = frame;
    list->weights[list->count++] = weight;
    return true;
}

/* Records a weight. A change needs a key with the last old value and one with the new value. */
static bool record_weight(bake_weights *list, uint32_t frame, float weight)
{
    uint32_t last = list->count - 1;
    if (list->count && list->weights[last] == weight)
        return true;
    if (list->count && list->frames[last] + 1 < frame && !add_weight(list, frame - 1, list->weights[last]))
        return false;
    return add_weight(list, frame, weight);
}

static bool record_visible(mmd_bake *bake, uint32_t frame, bool visible)
{
    if (bake->visible_count && bake->visible[bake->visible_count - 1].visible == visible)
        return true;
    void *list = bake->visible;
    bool done = grow(bake->visible_count, &bake->visible_capacity, &list, sizeof *bake->visible, NULL, 0);
    bake->visible = list;
    if (!done)
        return false;
    bake->visible[bake->visible_count] = (bake_visible){bake->visible_count ? frame : 0, visible};
    bake->visible_count++;
    return true;
}

bool bake_record_frame(mmd_bake *bake, uint32_t frame, const mmd_pose_values *values)
{
    assert(bake && values);
    mmd_clip_sample(bake->clip, (double)frame, &bake->said);
    for (uint32_t b = 0; b < bake->model->bone_count; b++)
        bake->foreign[b] |= memcmp(&values->bones[b], &bake->said.bones[b], sizeof *values->bones) != 0;
    for (uint32_t m = 0; m < bake->model->morph_count; m++) {
        bake->morph_weights[m].by_hand |= values->weights[m] != bake->said.weights[m];
        if (!record_weight(&bake->morph_weights[m], frame, values->weights[m]))
            return false;
    }
    return record_visible(bake, frame, values->visible);
}

mmd_bone_key bake_linear_key(const mmd_transform *value)
{
    assert(value);
    mmd_bone_key key = {.physics_off = false};
    memcpy(key.translation, value->translation, sizeof key.translation);
    quat_copy(value->rotation, key.rotation);
    for (int c = 0; c < 4; c++)
        key.curve[c] = mmd_curve_linear();
    return key;
}

const mmd_bone_track *bake_source_track(const mmd_bake *bake, uint32_t b)
{
    assert(bake);
    assert(b < bake->pose->model->bone_count);
    const mmd_bone_track *found = NULL;
    if (bake->obstacles[b] > MMD_BAKE_FIXED_AXIS)
        return NULL;
    for (size_t i = bake->motion_count; i-- > 0 && !found;)
        found = mmd_motion_find_bone(bake->motions[i], bake->model->bone_key[b]);
    return found && found->count ? found : NULL;
}

/* Adds the track's value as a key for each of the frames first..last, which lie in one interval or outside of
 * the keys. */
static bool add_frames(mmd_bake *bake, uint32_t b, const mmd_bone_track *track, uint32_t first, uint32_t last)
{
    for (uint32_t frame = first; frame <= last; frame++) {
        int32_t at = mmd_key_search(track->frames, track->count, (double)frame, NULL);
        uint32_t i = at < 0 ? 0 : (uint32_t)at;
        mmd_bone_key key = track->keys[i];
        if (at >= 0 && i + 1 < track->count && track->frames[i] < frame) {
            mmd_transform value;
            double length = (double)track->frames[i + 1] - (double)track->frames[i];
            mmd_bone_key_between(&track->keys[i], &track->keys[i + 1],
                                 (float)(((double)frame - (double)track->frames[i]) / length), &value);
            key = bake_linear_key(&value);
        }
        key.physics_off = bake_switched_off(bake, b, track->keys[i].physics_off);
        if (!bake_keys_add(&bake->bone_keys[b], frame, &key))
            return false;
    }
    return true;
}

bool bake_add_motion_keys(mmd_bake *bake, uint32_t b, uint32_t last)
{
    assert(bake);
    assert(b < bake->pose->model->bone_count);
    const mmd_bone_track *track = bake_source_track(bake, b);
    uint32_t first = bake->options.first_frame, i = 0;
    if (!track) {
        mmd_bone_key rest = bake_linear_key(&(mmd_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}});
        rest.physics_off = bake_switched_off(bake, b, false);
        return bake_keys_add(&bake->bone_keys[b], first, &rest);
    }
    while (i < track->count && track->frames[i] < first)
        i++;
    uint32_t next = i < track->count ? track->frames[i] : first + 1, end = next - 1 < last ? next - 1 : last;
    if (next > first && !add_frames(bake, b, track, first, i == 0 || i == track->count ? first : end))
        return false;
    for (; i < track->count && track->frames[i] <= last; i++) {
        mmd_bone_key key = track->keys[i];
        key.physics_off = bake_switched_off(bake, b, key.physics_off);
        if (!bake_keys_add(&bake->bone_keys[b], track->frames[i], &key))
            return false;
    }
    const bake_keys *list = &bake->bone_keys[b];
    uint32_t said = list->frames[list->count - 1];
    return i == track->count || said >= last || add_frames(bake, b, track, said + 1, last);
}

typedef struct numbered_name {
    uint8_t name[15];
    uint32_t number;
} numbered_name;

static int by_name_and_number(const void *a, const void *b)
{
    const numbered_name *first = a, *second = b;
    int order = memcmp(first->name, second->name, sizeof first->name);
    return order ? order : (first->number > second->number) - (first->number < second->number);
}

bool bake_mark_names(const uint8_t (*names)[15], uint32_t count, const uint8_t *skip, uint8_t taken_value,
                     uint8_t empty_value, uint8_t *marks)
{
    numbered_name *sorted = mmd_alloc(count * sizeof *sorted);
    uint32_t n = 0;
    if (!sorted)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (skip && skip[i])
            continue;
        sorted[n].number = i;
        memcpy(sorted[n++].name, names[i], sizeof names[i]);
    }
    qsort(sorted, n, sizeof *sorted, by_name_and_number);
    for (uint32_t i = 0; i < n; i++) {
        if (!sorted[i].name[0])
            marks[sorted[i].number] = empty_value;
        else if (i && memcmp(sorted[i].name, sorted[i - 1].name, sizeof sorted[i].name) == 0)
            marks[sorted[i].number] = taken_value;
    }
    mmd_free(sorted);
    return true;
}
