/*
 * Edits that write keyframes of motions. The keyframe of a bone is one unit, but its translation and rotation
 * are two ops: a command for either writes the whole keyframe, and undo removes it or restores the previous
 * one.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "keys_internal.h"
#include "mmd/memory.h"
#include "mmd/text.h"

/* -------------------------------------------------- objects that write keyframes */

/* Objects of bones, camera and light while edits write keyframes. They read from another object of the
 * same stack. */

void keys_object_matrix(void *self, mmd_edit *edit, double matrix[16])
{
    mmd_transform3d_matrix(edit, ((key_object *)self)->shown, matrix);
}

void keys_object_exclusive(void *self, mmd_edit *edit, double matrix[16])
{
    mmd_transform3d_exclusive(edit, ((key_object *)self)->shown, matrix);
}

bool keys_object_get(void *self, mmd_edit *edit, mmd_component component, double values[3])
{
    return mmd_transform3d_get(edit, ((key_object *)self)->shown, component, values);
}

void keys_object_destroy(void *self)
{
    mmd_transform3d_destroy(((key_object *)self)->shown);
}

mmd_transform3d *keys_object(const mmd_transform3d_table *table, const key_object *made)
{
    assert(made);
    mmd_transform3d *object = made->shown ? mmd_transform3d_create(table, sizeof *made, made->item) : NULL;
    if (object)
        *(key_object *)mmd_transform3d_self(object) = *made;
    else
        mmd_transform3d_destroy(made->shown);
    return object;
}

/* --------------------------------------------------------- keyframes of switches */

/*
 * Keyframes of a model's visibility and IK switches, and of self shadow. A motion has the former in one row,
 * with all switches of a model in each keyframe (docs/mmd.md 1.3), so a command for one switch writes a
 * keyframe with the current values of all others.
 */

/* Tests whether a bone is the goal of an IK chain. */
static bool is_ik(const mmd_model *model, uint32_t bone)
{
    return (model->bones[bone].flags & MMD_BONE_IK) != 0;
}

/* The switches of the keyframe at a frame, with room for all IK bones of the model behind them. */
typedef struct switch_list {
    mmd_property_key key;
    mmd_ik_switch *own;
    bool had; /* there was a keyframe */
} switch_list;

/* Counts the IK bones of a model. */
static uint32_t count_iks(const mmd_model *model)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < model->bone_count; b++)
        count += is_ik(model, b);
    return count;
}

/* Reads the switches of the keyframe at a frame. Returns false when out of memory. */
static bool open_list(switch_list *list, const key_track *track, uint32_t frame, const mmd_model *model)
{
    mmd_stored_key kept;
    *list = (switch_list){.had = mmd_motion_get_key(track->motion, &track->row, frame, &kept)};
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

/* Sets all switches of the bone's name, or adds one. */
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

/* Sets all switches to the values at the current frame. */
static void take_values(switch_list *list, const mmd_model *model, const mmd_pose_values *values)
{
    list->key.visible = values->visible;
    for (uint32_t b = 0; b < model->bone_count; b++)
        if (is_ik(model, b))
            set_switch(list, model, b, values->ik_on[b]);
}

enum { NO_BONE = -2 };

/* Makes a command that sets a keyframe of switches. bone: an IK bone; -1: visibility; NO_BONE: all current
 * values. */
static mmd_command *make(mmd_edit *edit, mmd_item item, int32_t bone, bool on)
{
    key_track track;
    uint32_t frame;
    switch_list list;
    if (!edit_keys_find(edit, item, &track) ||
        !mmd_edit_key_frame(edit, item, mmd_stage_frame(edit->stage), &frame))
        return NULL;
    edit_refresh(edit);
    const mmd_actor *actor = mmd_stage_actor(edit->stage, item.model);
    const mmd_model *model = mmd_actor_model(actor);
    if (!open_list(&list, &track, frame, model)) {
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
        mmd_edit_put_key_command(edit, item, frame, &(mmd_stored_key){.as.property = list.key});
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
            const mmd_item named = {.kind = MMD_ITEM_BONE, .model = model, .index = (uint32_t)bone};
            mmd_edit_refuse_item(edit, MMD_REFUSAL_KEY_SWITCH, named, NULL, NULL);
            return NULL;
        }
    }
    return make(edit, item, bone < 0 ? -1 : bone, on);
}

mmd_command *mmd_edit_shadow_key_command(mmd_edit *edit, const mmd_self_shadow *shadow)
{
    assert(edit && shadow);
    const mmd_item item = {.kind = MMD_ITEM_SHADOW};
    const mmd_stored_key key = {.as.self_shadow.value = *shadow};
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

/* Makes a command that sets a keyframe of the current switches, or of the current self shadow. */
static mmd_command *keys_switches_command(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    if (item.kind == MMD_ITEM_SWITCHES)
        return make(edit, item, NO_BONE, false);
    if (!edit->stage)
        return mmd_edit_shadow_key_command(edit, &(mmd_self_shadow){0});
    edit_refresh(edit);
    return mmd_edit_shadow_key_command(edit, mmd_stage_self_shadow(edit->stage));
}

/* ------------------------------------------------- keyframes of bones and morphs */

void mmd_edit_set_keying(mmd_edit *edit, const mmd_edit_keying *keying)
{
    assert(edit);
    edit->keying = keying ? *keying : (mmd_edit_keying){0};
}

bool mmd_edit_is_keying(const mmd_edit *edit)
{
    assert(edit);
    return edit->keying.motion != NULL;
}

static const uint8_t *name_of(const mmd_edit *edit, mmd_item item)
{
    return mmd_actor_model(mmd_stage_actor(edit->stage, item.model))->bone_key[item.index];
}

/* Returns the motion for keyframes of a bone, and the frame in it. NULL, with a refusal, if there is none. */
static mmd_motion *motion_of(mmd_edit *edit, mmd_item item, uint32_t *frame)
{
    key_track track;
    return edit_keys_find(edit, item, &track) &&
                   mmd_edit_key_frame(edit, item, mmd_stage_frame(edit->stage), frame)
               ? track.motion
               : NULL;
}

/* --- Commands --- */

typedef enum bone_deed { BONE_COMPONENT, BONE_MATRIX, BONE_REGISTER, BONE_DEEDS } bone_deed;

typedef struct key_command {
    mmd_item item;
    bone_deed deed;
    mmd_component component;
    double values[MMD_OP_NUMBERS_MAX];
    bool begun, had; /* had: there was a keyframe */
    uint32_t frame;
    mmd_motion *motion;
    mmd_stored_bone_key before, after;
    float user_translation[3], user_rotation[4]; /* before BONE_REGISTER */
} key_command;

/* Sets the user's transform of a bone. */
static void set_user(mmd_edit *edit, mmd_item item, const float translation[3], const float rotation[4])
{
    mmd_pose_set_user(mmd_actor_pose(mmd_stage_actor(edit->stage, item.model)), item.index, translation,
                      rotation);
}

/* Notifies the players of a motion that its keyframes changed and may have moved in memory. */
static bool finish_write(mmd_edit *edit, mmd_item item)
{
    bool done = mmd_actor_rebind(mmd_stage_actor(edit->stage, item.model), NULL) == MMD_OK;
    if (!done)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    mmd_edit_changed(edit, item);
    return done;
}

/* Restores the previous keyframe. There is always memory for it; if notifying fails, players learn of it
 * later. */
static void restore_key(mmd_edit *edit, const key_command *c, bool had, const mmd_stored_bone_key *before)
{
    edit_before_write(edit);
    if (had)
        mmd_motion_set_bone_key(c->motion, name_of(edit, c->item), c->frame, before, NULL, NULL);
    else
        mmd_motion_remove_bone_key(c->motion, name_of(edit, c->item), c->frame, NULL);
    finish_write(edit, c->item);
}

/* Writes a keyframe. Out of memory, the previous one is restored and false is returned. */
static bool write_key(mmd_edit *edit, const key_command *c, const mmd_stored_bone_key *key)
{
    const uint8_t *name = name_of(edit, c->item);
    mmd_stored_bone_key before;
    bool had = mmd_motion_get_bone_key(c->motion, name, c->frame, &before);
    edit_before_write(edit);
    if (mmd_motion_set_bone_key(c->motion, name, c->frame, key, NULL, NULL) != MMD_OK) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return false;
    }
    if (finish_write(edit, c->item))
        return true;
    restore_key(edit, c, had, &before);
    return false;
}

/* Reads the keyframe at the current frame, or makes one of the motion's value there. */
static bool begin(mmd_edit *edit, key_command *c)
{
    c->motion = motion_of(edit, c->item, &c->frame);
    if (!c->motion)
        return false;
    edit_refresh(edit);
    mmd_actor *actor = mmd_stage_actor(edit->stage, c->item.model);
    const mmd_pose_values *values = mmd_actor_values(actor);
    const mmd_transform *now = &values->bones[c->item.index];
    c->had = mmd_motion_get_bone_key(c->motion, name_of(edit, c->item), c->frame, &c->before);
    if (!c->had) {
        c->before = (mmd_stored_bone_key){.record = MMD_NO_RECORD,
                                          .key.physics_off = values->physics_off[c->item.index] != 0};
        memcpy(c->before.key.translation, now->translation, 3 * sizeof(float));
        memcpy(c->before.key.rotation, now->rotation, 4 * sizeof(float));
        for (int k = 0; k < 4; k++)
            c->before.key.curve[k] = mmd_default_curve();
    }
    mmd_pose_get_user(mmd_actor_pose(actor), c->item.index, c->user_translation, c->user_rotation);
    return true;
}

/* Reads the ops of the bone as they are with the previous keyframe. */
static size_t base_ops(mmd_edit *edit, const key_command *c, mmd_op *ops)
{
    size_t count = mmd_edit_ops(edit, c->item, ops);
    mmd_op *move = &ops[edit_op_index(ops, count, "motion:translate")];
    mmd_op *turn = &ops[edit_op_index(ops, count, "motion:rotate")];
    for (int k = 0; k < 3; k++)
        move->value[k] = (double)c->before.key.translation[k];
    for (int k = 0; k < 4; k++)
        turn->value[k] = (double)c->before.key.rotation[k];
    return count;
}

/* Adds the user's ops to the motion's. They follow the motion's ops, and commute with those in between. */
static void add_user(mmd_op *ops, size_t count)
{
    double motion[16], user[16];
    mmd_op *move = &ops[edit_op_index(ops, count, "motion:translate")];
    mmd_op *turn = &ops[edit_op_index(ops, count, "motion:rotate")];
    const mmd_op *user_move = &ops[edit_op_index(ops, count, "user:translate")];
    for (int k = 0; k < 3; k++)
        move->value[k] += user_move->value[k];
    mmd_op_matrix(turn, motion);
    mmd_op_matrix(&ops[edit_op_index(ops, count, "user:rotate")], user);
    edit_multiply(motion, user, motion);
    edit_matrix_quat(motion, turn->value);
}

/* Computes the new keyframe, or refuses. */
static bool compute(mmd_edit *edit, key_command *c)
{
    mmd_op ops[MMD_OPS_MAX];
    double m[16];
    size_t count = base_ops(edit, c, ops);
    size_t move = edit_op_index(ops, count, "motion:translate"),
           turn = edit_op_index(ops, count, "motion:rotate");
    bool done = true;
    if (c->deed == BONE_REGISTER) {
        add_user(ops, count);
    } else if (c->deed == BONE_MATRIX && c->component < MMD_COMPONENTS) {
        edit_product(ops, 0, count, m);
        done = edit_replace_component(m, c->component, c->values, m) &&
               edit_solve(ops, count, &edit_motion_layout, m);
    } else if (c->deed == BONE_MATRIX) {
        done = edit_solve(ops, count, &edit_motion_layout, c->values);
    } else {
        mmd_op *op = &ops[c->component == MMD_TRANSLATION ? move : turn];
        edit_encode(op, c->component, c->values, op->value);
    }
    done = done && edit_sound(ops[move].value, 3) && edit_sound(ops[turn].value, 4);
    if (!done) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_MATRIX, c->item, NULL, NULL);
        return false;
    }
    if (!edit_hold_to_axis(edit, c->item, "motion:rotate", ops[turn].value))
        return false;
    c->after = c->before;
    for (int k = 0; k < 3; k++)
        c->after.key.translation[k] = (float)ops[move].value[k];
    for (int k = 0; k < 4; k++)
        c->after.key.rotation[k] = (float)ops[turn].value[k];
    return true;
}

/* Writes the new keyframe. Registering also clears the user's transform, which is part of the keyframe
 * then. */
static bool apply(mmd_edit *edit, const key_command *c)
{
    static const float nowhere[3] = {0}, no_turn[4] = {0, 0, 0, 1};
    if (!write_key(edit, c, &c->after))
        return false;
    if (c->deed == BONE_REGISTER)
        set_user(edit, c->item, nowhere, no_turn);
    return true;
}

/* Sets the command. After a refusal its values are those of the last set that succeeded. */
static bool set_key(void *self, mmd_edit *edit, const double *values)
{
    key_command *c = self;
    const mmd_stored_bone_key after = c->after;
    double old[MMD_OP_NUMBERS_MAX];
    int numbers = c->component == MMD_COMPONENTS ? 16 : 3;
    memcpy(old, c->values, sizeof old);
    if (values && c->deed <= BONE_MATRIX)
        memcpy(c->values, values, (size_t)numbers * sizeof *values);
    bool done = edit_sound(c->values, numbers) && mmd_edit_has(edit, c->item) &&
                (c->begun || begin(edit, c)) && compute(edit, c) && apply(edit, c);
    if (!done) { /* redo repeats the last set that succeeded */
        memcpy(c->values, old, sizeof old);
        c->after = after;
    }
    c->begun = c->begun || done;
    return done;
}

/* Restores the previous keyframe, and the user's transform if the command had cleared it. */
static void undo_key(void *self, mmd_edit *edit)
{
    const key_command *c = self;
    restore_key(edit, c, c->had, &c->before);
    if (c->deed == BONE_REGISTER)
        set_user(edit, c->item, c->user_translation, c->user_rotation);
}

static bool redo_key(void *self, mmd_edit *edit)
{
    return apply(edit, self);
}

/* Moves the command to another stage. The motion is kept alive by its owner. */
static bool remap_key(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    key_command *c = self;
    return mmd_edit_map_item(map, &c->item) && mmd_edit_has(edit, c->item);
}

/* Creates a command, with the label of its operation. */
static mmd_command *make_command(mmd_edit *edit, const key_command *made)
{
#define TABLE(text)                                                                                          \
    {                                                                                                        \
        .label = text, .set = set_key, .undo = undo_key, .redo = redo_key, .remap = remap_key                \
    }
    static const mmd_command_table tables[BONE_DEEDS] = {[BONE_COMPONENT] = TABLE("key"),
                                                         [BONE_MATRIX] = TABLE("key"),
                                                         [BONE_REGISTER] = TABLE("register key")};
#undef TABLE
    return edit_command_of(edit, &tables[made->deed], made, sizeof *made);
}

mmd_command *mmd_edit_key_command(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    uint32_t frame;
    if (item.kind == MMD_ITEM_CAMERA || item.kind == MMD_ITEM_LIGHT)
        return keys_scene_command(edit, item);
    if (item.kind == MMD_ITEM_SWITCHES || item.kind == MMD_ITEM_SHADOW)
        return keys_switches_command(edit, item);
    if (!motion_of(edit, item, &frame))
        return NULL;
    if (item.kind == MMD_ITEM_MORPH) {
        edit_refresh(edit);
        return mmd_edit_morph_key_command(
            edit, item, mmd_actor_values(mmd_stage_actor(edit->stage, item.model))->weights[item.index]);
    }
    const key_command made = {.item = item, .deed = BONE_REGISTER, .component = MMD_TRANSLATION};
    return make_command(edit, &made);
}

/* --- Objects --- */

/* Makes a command for a translation or rotation. Keyframes have no other components. */
static mmd_command *command_of(void *self, mmd_edit *edit, mmd_component component, const double values[3])
{
    const key_object *o = self;
    double ignored[3];
    if (component > MMD_ROTATION || !keys_object_get(self, edit, component, ignored)) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_KEY_KIND, o->item, NULL, NULL);
        return NULL;
    }
    key_command made = {
        .item = o->item, .deed = o->whole ? BONE_MATRIX : BONE_COMPONENT, .component = component};
    memcpy(made.values, values, 3 * sizeof *values);
    return make_command(edit, &made);
}

/* Makes a command for the whole matrix of a bone. */
static mmd_command *matrix_command_of(void *self, mmd_edit *edit, const double matrix[16])
{
    const key_object *o = self;
    if (!o->whole) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_KEY_MATRIX, NULL, NULL);
        return NULL;
    }
    key_command made = {.item = o->item, .deed = BONE_MATRIX, .component = MMD_COMPONENTS};
    memcpy(made.values, matrix, 16 * sizeof *matrix);
    return make_command(edit, &made);
}

/* Creates an object that reads from another one and writes keyframes. */
static mmd_transform3d *make_object(mmd_item item, mmd_transform3d *shown, bool whole)
{
    static const mmd_transform3d_table table = {.matrix = keys_object_matrix,
                                                .exclusive = keys_object_exclusive,
                                                .get = keys_object_get,
                                                .command = command_of,
                                                .set_matrix = matrix_command_of,
                                                .destroy = keys_object_destroy};
    return keys_object(&table, &(key_object){.item = item, .whole = whole, .shown = shown});
}

mmd_transform3d *edit_key_object(mmd_edit *edit, mmd_item item, mmd_edit_hint hint)
{
    assert(edit);
    static const stack_object both = {.layout = &edit_motion_layout, .mode = OBJECT_FACE, .read_only = true};
    uint32_t frame;
    if (!motion_of(edit, item, &frame))
        return NULL;
    mmd_transform3d *shown =
        hint == MMD_HINT_NONE
            ? edit_object_create(edit, item, &both)
            : mmd_edit_op_transform3d(edit, item,
                                      hint == MMD_HINT_TRANSLATE ? "motion:translate" : "motion:rotate");
    return make_object(item, shown, false);
}

mmd_transform3d *edit_key_whole_object(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    uint32_t frame;
    if (!motion_of(edit, item, &frame))
        return NULL;
    return make_object(item, mmd_edit_read_transform3d(edit, item), true);
}
