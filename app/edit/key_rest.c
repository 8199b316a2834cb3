#include "key_rest.h"

#include <string.h>

#include "base/message.h"
#include "mmd/keying.h"
#include "scene/edited_motion.h"

static bool is_at_rest(const mmd_bone_key *key)
{
    for (int k = 0; k < 3; k++)
        if (key->translation[k] != 0 || key->rotation[k] != 0)
            return false;
    return true;
}

uint32_t key_rest_count(const mmd_motion *motion, const mmd_model *model, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const mmd_bone_track *t =
            model->bone_key[i][0] ? mmd_motion_find_bone(motion, model->bone_key[i]) : NULL;
        if (!t || !t->count || !t->frames[0] || is_at_rest(&t->keys[0]))
            continue;
        if (!count++ || t->frames[0] < *first)
            *first = t->frames[0];
    }
    return count;
}

bool key_rest_is_late(const key_row *row)
{
    if (!row->count || !row->frames[0])
        return false;
    return (row->bones && !is_at_rest(&row->bones[0])) || (row->weights && row->weights[0] != 0);
}

/* Returns a key at rest of a kind of row. */
static mmd_stored_key rest_of(mmd_key_kind kind)
{
    static const mmd_curve straight = {20, 20, 107, 107};
    mmd_stored_key key = {.as.weight = 0};
    if (kind == MMD_KEY_BONE) {
        key.as.bone = (mmd_bone_key){.rotation = {0, 0, 0, 1}};
        for (int k = 0; k < 4; k++)
            key.as.bone.curve[k] = straight;
    }
    return key;
}

/* Tests whether an item has keyframes, but none at frame 0. */
static bool lacks_first(const odori_session *s, mmd_item item, mmd_key_row *row)
{
    mmd_stored_key key;
    const mmd_motion *motion = edited_motion_of(s->scene, item, row);
    return motion && !mmd_motion_get_key(motion, row, 0, &key);
}

/* Adds the keyframes of bones or morphs to the step. Only the first part of a name is edited. Returns false
 * if one is refused. */
static bool add_all(odori_session *s, mmd_edit *edit, mmd_item_kind kind, size_t *added)
{
    const mmd_model *m = s->scene->models[s->selected].model;
    uint32_t count = kind == MMD_ITEM_BONE ? m->bone_count : m->morph_count;
    for (uint32_t i = 0; i < count; i++) {
        const mmd_item item = {.kind = kind, .model = (uint32_t)s->selected, .index = i};
        int32_t first = kind == MMD_ITEM_BONE ? mmd_model_find_bone(m, m->bones[i].name)
                                              : mmd_model_find_morph(m, m->morphs[i].name);
        mmd_key_row row;
        if (first != (int32_t)i || !lacks_first(s, item, &row))
            continue;
        const mmd_stored_key key = rest_of(row.kind);
        if (!history_take(&s->history, mmd_edit_put_key_command(edit, item, 0, &key)))
            return false;
        ++*added;
    }
    return true;
}

bool key_rest(odori_session *s, char *error)
{
    size_t added = 0;
    mmd_edit *edit = selection_edit(s);
    if (!session_selected_model(s, error))
        return false;
    if (!edit)
        return refuse_with(error, "out of memory");
    bool was_keying = mmd_edit_is_keying(edit);
    history_begin(&s->history);
    bool began = s->history.continues;
    edited_motion_begin(edit, true);
    bool all = add_all(s, edit, MMD_ITEM_BONE, &added) && add_all(s, edit, MMD_ITEM_MORPH, &added);
    if (!all)
        refuse_with(error, "%s", *mmd_edit_refusal(edit) ? mmd_edit_refusal(edit) : "out of memory");
    else if (!added)
        refuse_with(error, "all bones and morphs that have keyframes have one at frame 0 already");
    edited_motion_begin(edit, was_keying);
    if (!all && added && !began)
        history_undo(&s->history);
    if (added) {
        session_touch(s);
        session_go(s, s->frame);
    }
    return all && added;
}
