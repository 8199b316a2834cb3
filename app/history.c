#include "history.h"

#include <math.h>
#include <string.h>

#include "mmd/memory.h"

void history_init(odori_history *h, odori_scene *s)
{
    *h = (odori_history){.scene = s};
}

void history_finish(odori_history *h)
{
    for (size_t i = 0; i < h->weight_count; i++)
        mmd_free(h->weights_by_hand[i]);
    mmd_free(h->weights_by_hand);
    mmd_free(h->records);
    *h = (odori_history){0};
}

void history_begin(odori_history *h)
{
    if (!h->joins)
        h->step++;
}

/* What could hang there when it was edited may make a ring with what was placed since: it hangs on nothing
 * then. */
static void hang(odori_history *h, const edit_record *record, const edit_value *value)
{
    mmd_stage *stage = h->scene->stage;
    int32_t bone = (int32_t)record->index;
    if (!value->key_count ||
        mmd_stage_set_outside_keys(stage, record->model, bone, value->keys, value->key_count, NULL) != MMD_OK)
        mmd_stage_set_outside_parent(stage, record->model, bone, NULL, -1, NULL);
}

static void apply(odori_history *h, const edit_record *record, const edit_value *value)
{
    mmd_actor *actor = h->scene->models[record->model].actor;
    switch (record->kind) {
    case EDIT_BONE:
        mmd_pose_set_user(mmd_actor_pose(actor), (uint32_t)record->index, value->translation,
                          value->rotation);
        break;
    case EDIT_MORPH:
        h->weights_by_hand[record->model][record->index] = value->weight;
        mmd_actor_set_morph(actor, (uint32_t)record->index, value->weight);
        break;
    case EDIT_PARENT:
        hang(h, record, value);
        break;
    }
}

/* Forgets the oldest step whole; a step as long as the history forgets itself. */
static void forget_oldest(odori_history *h)
{
    size_t gone = 1;
    while (gone < h->count && h->records[gone].step == h->records[0].step)
        gone++;
    h->count -= gone;
    memmove(h->records, h->records + gone, h->count * sizeof *h->records);
}

/* Another value of what the same step has just set takes its place. */
static bool replace_last(odori_history *h, const edit_record *record)
{
    edit_record *last = h->done ? &h->records[h->done - 1] : NULL;
    if (!last || last->step != record->step || last->model != record->model || last->index != record->index ||
        last->kind != record->kind)
        return false;
    h->count = h->done;
    last->after = record->after;
    apply(h, last, &last->after);
    return true;
}

static bool perform(odori_history *h, const edit_record *record)
{
    if (replace_last(h, record))
        return true;
    if (!h->records)
        h->records = mmd_alloc(HISTORY_MAX * sizeof *h->records);
    if (!h->records)
        return false;
    h->count = h->done; /* what was undone cannot be redone any more */
    if (h->count == HISTORY_MAX)
        forget_oldest(h);
    h->records[h->count++] = *record;
    h->done = h->count;
    apply(h, record, &record->after);
    return true;
}

bool history_bone(odori_history *h, size_t model, uint32_t bone, const float translation[3],
                  const float rotation[4])
{
    edit_record record = {.model = model, .kind = EDIT_BONE, .index = bone, .step = h->step};
    mmd_pose_get_user(mmd_actor_pose(h->scene->models[model].actor), bone, record.before.translation,
                      record.before.rotation);
    memcpy(record.after.translation, translation, 3 * sizeof(float));
    memcpy(record.after.rotation, rotation, sizeof record.after.rotation);
    return perform(h, &record);
}

/* What a bone hangs on, kept for as long as the scene is. */
static bool keep_keys(const odori_history *h, size_t model, int32_t bone, edit_value *value)
{
    const mmd_outside_key *keys = mmd_stage_outside_keys(h->scene->stage, model, bone, &value->key_count);
    mmd_outside_key *kept = mmd_arena_alloc(&h->scene->arena, value->key_count, sizeof *kept);
    if (kept && value->key_count)
        memcpy(kept, keys, value->key_count * sizeof *kept);
    value->keys = kept;
    return kept != NULL;
}

bool history_hang(odori_history *h, size_t model, int32_t bone, const history_parent *parent,
                  mmd_error *error)
{
    edit_record record = {.model = model, .kind = EDIT_PARENT, .index = bone, .step = h->step};
    mmd_actor *actor = parent->bone >= 0 ? h->scene->models[parent->model].actor : NULL;
    if (!keep_keys(h, model, bone, &record.before) ||
        mmd_stage_set_outside_parent(h->scene->stage, model, bone, actor, parent->bone, error) != MMD_OK)
        return false;
    return keep_keys(h, model, bone, &record.after) && perform(h, &record);
}

bool history_has_hung(const odori_history *h, size_t model, int32_t bone)
{
    for (size_t i = 0; i < h->done; i++)
        if (h->records[i].kind == EDIT_PARENT && h->records[i].model == model && h->records[i].index == bone)
            return true;
    return false;
}

static bool prepare_weights(odori_history *h, size_t model)
{
    if (model >= h->weight_count) {
        size_t count = h->scene->model_count;
        float **grown = mmd_realloc(h->weights_by_hand, count * sizeof *grown);
        if (!grown)
            return false;
        h->weights_by_hand = grown;
        while (h->weight_count < count)
            grown[h->weight_count++] = NULL;
    }
    if (!h->weights_by_hand[model]) {
        uint32_t count = h->scene->models[model].model->morph_count;
        float *weights = mmd_alloc(count * sizeof *weights);
        if (!weights)
            return false;
        for (uint32_t i = 0; i < count; i++)
            weights[i] = NAN;
        h->weights_by_hand[model] = weights;
    }
    return true;
}

float history_weight(const odori_history *h, size_t model, uint32_t morph)
{
    return model < h->weight_count && h->weights_by_hand[model] ? h->weights_by_hand[model][morph] : NAN;
}

bool history_morph(odori_history *h, size_t model, uint32_t morph, float weight)
{
    if (!prepare_weights(h, model))
        return false;
    edit_record record = {.model = model, .kind = EDIT_MORPH, .index = morph, .step = h->step};
    record.before.weight = h->weights_by_hand[model][morph];
    record.after.weight = weight;
    return perform(h, &record);
}

bool history_undo(odori_history *h)
{
    if (h->done == 0)
        return false;
    uint32_t step = h->records[h->done - 1].step;
    while (h->done > 0 && h->records[h->done - 1].step == step) {
        h->done--;
        apply(h, &h->records[h->done], &h->records[h->done].before);
    }
    return true;
}

bool history_redo(odori_history *h)
{
    if (h->done == h->count)
        return false;
    uint32_t step = h->records[h->done].step;
    while (h->done < h->count && h->records[h->done].step == step) {
        apply(h, &h->records[h->done], &h->records[h->done].after);
        h->done++;
    }
    return true;
}
