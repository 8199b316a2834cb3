/*
 * Keys of a model's visibility and IK switches, and of self shadow. A motion
 * has the first in one row, all of a model in each key (MMD.md 1.3): a command
 * of one switch makes a key of what holds of all the others.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "keys_internal.h"
#include "mmd/memory.h"
#include "mmd/text.h"

static bool is_ik(const mmd_model *model, uint32_t bone)
{
    return (model->bones[bone].flags & MMD_BONE_IK) != 0;
}

/* Switches of the key at the frame, or none, with room for all of the model's behind them. */
typedef struct switch_list {
    mmd_property_key key;
    mmd_ik_switch *own;
    bool had; /* a key */
} switch_list;

static uint32_t count_iks(const mmd_model *model)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < model->bone_count; b++)
        count += is_ik(model, b);
    return count;
}

/* False: out of memory. */
static bool open_list(switch_list *list, const key_place *place, uint32_t frame, const mmd_model *model)
{
    mmd_kept_key kept;
    *list = (switch_list){.had = mmd_motion_get_key(place->motion, &place->row, frame, &kept)};
    uint32_t count = list->had ? kept.as.property.switch_count : 0;
    list->own = mmd_alloc(((size_t)count + count_iks(model)) * sizeof *list->own);
    if (!list->own)
        return false;
    if (count)
        memcpy(list->own, kept.as.property.switches, count * sizeof *list->own);
    list->key = (mmd_property_key){
        .visible = list->had ? kept.as.property.visible : 1, .switch_count = count, .switches = list->own};
    return true;
}

/* Every one of the bone's name; a name that no switch has is added. */
static void set_switch(switch_list *list, const mmd_model *model, uint32_t bone, bool on)
{
    bool found = false;
    for (uint32_t i = 0; i < list->key.switch_count; i++) {
        uint8_t name[MMD_NAME_KEY_SIZE];
        mmd_name_key_from_field(list->own[i].name, sizeof list->own[i].name, name);
        if (memcmp(name, model->bone_key[bone], sizeof name) != 0)
            continue;
        list->own[i].on = on;
        found = true;
    }
    if (found)
        return;
    mmd_ik_switch *added = &list->own[list->key.switch_count++];
    *added = (mmd_ik_switch){.on = on};
    const char *text = model->bones[bone].name;
    mmd_cp932_from_utf8(text, strlen(text), added->name, sizeof added->name, NULL);
}

/* What holds at the frame. */
static void take_values(switch_list *list, const mmd_model *model, const mmd_pose_values *values)
{
    list->key.visible = values->visible;
    for (uint32_t b = 0; b < model->bone_count; b++)
        if (is_ik(model, b))
            set_switch(list, model, b, values->ik_on[b]);
}

/* bone: an IK bone; -1: visibility; NO_BONE: all as it holds. */
enum { NO_BONE = -2 };

static mmd_command *make(mmd_edit *edit, mmd_item item, int32_t bone, bool on)
{
    key_place place;
    uint32_t frame;
    switch_list list;
    if (!edit_keys_find(edit, item, &place) ||
        !mmd_edit_key_frame(edit, item, mmd_stage_frame(edit->stage), &frame))
        return NULL;
    edit_refresh(edit);
    const mmd_actor *actor = mmd_stage_actor(edit->stage, item.model);
    const mmd_model *model = mmd_actor_model(actor);
    if (!open_list(&list, &place, frame, model)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return NULL;
    }
    if (!list.had)
        take_values(&list, model, mmd_actor_values(actor));
    if (bone == -1)
        list.key.visible = on;
    else if (bone >= 0)
        set_switch(&list, model, (uint32_t)bone, on);
    mmd_command *command =
        mmd_edit_put_key_command(edit, item, frame, &(mmd_kept_key){.as.property = list.key});
    mmd_free(list.own);
    return command;
}

mmd_command *mmd_edit_switch_key_command(mmd_edit *edit, uint32_t model, int32_t bone, bool on)
{
    assert(edit);
    const mmd_item item = {.kind = MMD_ITEM_SWITCHES, .model = model};
    if (bone >= 0 && mmd_edit_has(edit, item)) {
        const mmd_model *m = mmd_actor_model(mmd_stage_actor(edit->stage, model));
        bool is_bone = (uint32_t)bone < m->bone_count;
        if (!is_bone || !is_ik(m, (uint32_t)bone)) {
            mmd_edit_refuse_as(edit, MMD_REFUSAL_KEY_SWITCH, is_bone ? m->bones[bone].name : "", NULL);
            return NULL;
        }
    }
    return make(edit, item, bone < 0 ? -1 : bone, on);
}

mmd_command *mmd_edit_shadow_key_command(mmd_edit *edit, const mmd_self_shadow *shadow)
{
    assert(edit && shadow);
    const mmd_item item = {.kind = MMD_ITEM_SHADOW};
    const mmd_kept_key key = {.as.self_shadow.value = *shadow};
    uint32_t frame;
    if (shadow->mode > 2 || !isfinite(shadow->distance)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_KEY_SHADOW, NULL, NULL);
        return NULL;
    }
    if (!edit->stage) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_NO_ITEM, NULL, NULL);
        return NULL;
    }
    return mmd_edit_key_frame(edit, item, mmd_stage_frame(edit->stage), &frame)
               ? mmd_edit_put_key_command(edit, item, frame, &key)
               : NULL;
}

mmd_command *keys_switches_command(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    if (item.kind == MMD_ITEM_SWITCHES)
        return make(edit, item, NO_BONE, false);
    if (!edit->stage)
        return mmd_edit_shadow_key_command(edit, &(mmd_self_shadow){0});
    edit_refresh(edit);
    return mmd_edit_shadow_key_command(edit, mmd_stage_self_shadow(edit->stage));
}
