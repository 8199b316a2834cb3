/* What baking keeps of the frames gone by: keys of bones, weights of morphs, visibility; all as short as can
 * be. */
#include "bake_internal.h"

#include <stdlib.h>

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

/* Of a value that stays, its first and last key say everything. */
void bake_keys_settle(bake_keys *list)
{
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

/* A weight that changes has a key where it still was what it was, and one where it is new. */
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
    mmd_clip_sample(bake->clip, (double)frame, &bake->said);
    for (uint32_t m = 0; m < bake->model->morph_count; m++) {
        bake->morph_weights[m].by_hand |= values->weights[m] != bake->said.weights[m];
        if (!record_weight(&bake->morph_weights[m], frame, values->weights[m]))
            return false;
    }
    return record_visible(bake, frame, values->visible);
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
