/*
 * Computes the values derived from a model: the order in which bones are evaluated (docs/mmd.md 4.1: after
 * physics, then layer, then index) and the keys by which motions name bones and morphs (docs/mmd.md 1.5).
 */
#include "mmd/model.h"
#include "mmd/text.h"

#include <assert.h>
#include <stdlib.h>

int32_t mmd_model_parent_cycle(const mmd_model *model, uint32_t bone, uint32_t *marks)
{
    assert(model && marks && bone < model->bone_count);
    if (marks[bone])
        return -1;
    /* Each walk marks bones with its own number. Meeting that number again means a cycle. */
    uint32_t walk = bone + 1;
    int32_t at = (int32_t)bone;
    while (at >= 0 && marks[at] == 0) {
        marks[at] = walk;
        at = model->bones[at].parent;
    }
    return at >= 0 && marks[at] == walk ? at : -1;
}

/* Fails if a bone is its own ancestor. marks is zeroed. */
static mmd_status check_circles(const mmd_model *model, uint32_t *marks, mmd_error *error)
{
    for (uint32_t i = 0; i < model->bone_count; i++) {
        int32_t bone = mmd_model_parent_cycle(model, i, marks);
        if (bone >= 0)
            return mmd_error_set(error, MMD_ERROR_VALUE, "bone", MMD_NO_OFFSET, "bone %d is its own ancestor",
                                 bone);
    }
    return MMD_OK;
}

/* Returns a number that sorts by (after physics, layer, index): 1, 32 and 31 bits. Flipping the sign bit
 * makes the signed layer sort as unsigned. */
static uint64_t order_key(const mmd_bone *bone, uint32_t index)
{
    uint64_t after = (bone->flags & MMD_BONE_AFTER_PHYSICS) != 0;
    uint64_t layer = (uint32_t)bone->layer ^ UINT32_C(0x80000000);
    return after << 63 | layer << 31 | index;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Fills bone_order, bone_rank and bone_order_before. Most models are sorted already. */
static void sort_bones(mmd_model *model, uint64_t *keys)
{
    uint32_t count = model->bone_count;
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = order_key(&model->bones[i], i);
        sorted = sorted && (i == 0 || keys[i - 1] < keys[i]);
    }
    if (!sorted)
        qsort(keys, count, sizeof *keys, compare_keys);
    model->bone_order_before = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bone = (uint32_t)(keys[i] & 0x7fffffff);
        model->bone_order[i] = bone;
        model->bone_rank[bone] = i;
        model->bone_order_before += keys[i] >> 63 == 0;
    }
}

mmd_status mmd_model_prepare(mmd_model *model, mmd_error *error)
{
    assert(model && model->bone_count <= INT32_MAX && model->morph_count <= INT32_MAX);
    mmd_arena *arena = &model->arena;
    uint64_t *keys = mmd_arena_alloc(arena, model->bone_count, sizeof *keys);
    model->bone_order = mmd_arena_alloc(arena, model->bone_count, sizeof *model->bone_order);
    model->bone_rank = mmd_arena_alloc(arena, model->bone_count, sizeof *model->bone_rank);
    model->bone_key = mmd_arena_alloc(arena, model->bone_count, sizeof *model->bone_key);
    model->morph_key = mmd_arena_alloc(arena, model->morph_count, sizeof *model->morph_key);
    if (!keys || !model->bone_order || !model->bone_rank || !model->bone_key || !model->morph_key)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "model", MMD_NO_OFFSET,
                             "no memory for the order and the names of %u bones and %u morphs",
                             model->bone_count, model->morph_count);
    /* The array of ranks is used for marks first. */
    mmd_status status = check_circles(model, model->bone_rank, error);
    if (status != MMD_OK)
        return status;
    sort_bones(model, keys);
    for (uint32_t i = 0; i < model->bone_count; i++)
        mmd_name_key_from_utf8(model->bones[i].name, model->bone_key[i], NULL, NULL);
    for (uint32_t i = 0; i < model->morph_count; i++)
        mmd_name_key_from_utf8(model->morphs[i].name, model->morph_key[i], NULL, NULL);
    return MMD_OK;
}
