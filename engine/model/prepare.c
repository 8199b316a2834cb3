/*
 * Computes the values derived from a model: the levels of bones and the order in which they are evaluated
 * (docs/mmd.md 4.1), and the keys by which motions name bones and morphs (docs/mmd.md 1.5).
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

enum { IK_LINK = 1, IK_TARGET = 2, FOLLOWS_IK = 4, LEVEL_KNOWN = 8 };

/* Marks links and targets of IK, and the bones that follow it on their own level: those that append from a
 * link. */
static void mark_ik(const mmd_model *model, uint8_t *marks)
{
    for (uint32_t b = 0; b < model->bone_count; b++) {
        const mmd_bone *bone = &model->bones[b];
        if (!(bone->flags & MMD_BONE_IK) || bone->ik_target < 0)
            continue;
        marks[bone->ik_target] |= IK_TARGET;
        for (uint32_t j = 0; j < bone->ik_link_count; j++)
            if (bone->ik_links[j].bone >= 0)
                marks[bone->ik_links[j].bone] |= IK_LINK;
    }
    for (uint32_t b = 0; b < model->bone_count; b++) {
        const mmd_bone *bone = &model->bones[b];
        if (mmd_bone_appends(bone) && (marks[bone->append_source] & IK_LINK))
            marks[b] |= FOLLOWS_IK;
    }
}

/* Computes the level of a bone whose parent's level is known: its layer, one more if its parent is moved by
 * IK that it is no part of, and not below its parent's. */
static int32_t level_of(const mmd_model *model, const uint8_t *marks, uint32_t b)
{
    const mmd_bone *bone = &model->bones[b];
    if (bone->parent < 0)
        return bone->layer;
    bool left_out =
        (marks[bone->parent] & (IK_LINK | IK_TARGET)) && !(marks[b] & (IK_LINK | IK_TARGET | FOLLOWS_IK));
    int32_t level = left_out && bone->layer < INT32_MAX ? bone->layer + 1 : bone->layer;
    return level > model->bone_level[bone->parent] ? level : model->bone_level[bone->parent];
}

/* Computes bone_level. stack has room for all bones. */
static void find_levels(mmd_model *model, uint8_t *marks, uint32_t *stack)
{
    mark_ik(model, marks);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        uint32_t depth = 0;
        for (int32_t b = (int32_t)i; b >= 0 && !(marks[b] & LEVEL_KNOWN); b = model->bones[b].parent)
            stack[depth++] = (uint32_t)b;
        while (depth) {
            uint32_t b = stack[--depth];
            model->bone_level[b] = level_of(model, marks, b);
            marks[b] |= LEVEL_KNOWN;
        }
    }
}

/* Returns a number that sorts by (after physics, level, index): 1, 32 and 31 bits. Flipping the sign bit
 * makes the signed level sort as unsigned. */
static uint64_t order_key(const mmd_model *model, uint32_t index)
{
    uint64_t after = (model->bones[index].flags & MMD_BONE_AFTER_PHYSICS) != 0;
    uint64_t level = (uint32_t)model->bone_level[index] ^ UINT32_C(0x80000000);
    return after << 63 | level << 31 | index;
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
        keys[i] = order_key(model, i);
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
    uint8_t *marks = mmd_arena_alloc(arena, model->bone_count, sizeof *marks);
    model->bone_level = mmd_arena_alloc(arena, model->bone_count, sizeof *model->bone_level);
    model->bone_order = mmd_arena_alloc(arena, model->bone_count, sizeof *model->bone_order);
    model->bone_rank = mmd_arena_alloc(arena, model->bone_count, sizeof *model->bone_rank);
    model->bone_key = mmd_arena_alloc(arena, model->bone_count, sizeof *model->bone_key);
    model->morph_key = mmd_arena_alloc(arena, model->morph_count, sizeof *model->morph_key);
    if (!keys || !marks || !model->bone_level || !model->bone_order || !model->bone_rank ||
        !model->bone_key || !model->morph_key)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "model", MMD_NO_OFFSET,
                             "no memory for the order and the names of %u bones and %u morphs",
                             model->bone_count, model->morph_count);
    /* The array of ranks is used for marks first. */
    mmd_status status = check_circles(model, model->bone_rank, error);
    if (status != MMD_OK)
        return status;
    find_levels(model, marks, model->bone_order);
    sort_bones(model, keys);
    for (uint32_t i = 0; i < model->bone_count; i++)
        mmd_name_key_from_utf8(model->bones[i].name, model->bone_key[i], NULL, NULL);
    for (uint32_t i = 0; i < model->morph_count; i++)
        mmd_name_key_from_utf8(model->morphs[i].name, model->morph_key[i], NULL, NULL);
    return MMD_OK;
}
