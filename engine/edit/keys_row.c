/*
 * Operations on whole keyframes: moving, copying, removing, and setting curves, for bones, morphs, camera,
 * light, self shadow and a model's switches alike. A command changes the keyframes at one or two frames. It
 * determines the change each time it is done, so that an earlier command of the same step may be set to
 * another value in between: undo the later ones, set it, redo.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "keys_internal.h"
#include "mmd/memory.h"

/* --- Finding the keyframes --- */

/* Returns the kind of row that holds the keyframes of an item. */
static mmd_key_kind row_kind_of(mmd_item item)
{
    static const mmd_key_kind kinds[MMD_ITEM_KINDS] = {
        [MMD_ITEM_BONE] = MMD_KEY_BONE,         [MMD_ITEM_MORPH] = MMD_KEY_MORPH,
        [MMD_ITEM_CAMERA] = MMD_KEY_CAMERA,     [MMD_ITEM_LIGHT] = MMD_KEY_LIGHT,
        [MMD_ITEM_SWITCHES] = MMD_KEY_PROPERTY, [MMD_ITEM_SHADOW] = MMD_KEY_SELF_SHADOW};
    return kinds[item.kind];
}

/* Tests whether a model plays the keyframes of an item, and so shifts them by its delay. */
static bool is_of_model(mmd_item item)
{
    return item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_MORPH || item.kind == MMD_ITEM_SWITCHES;
}

/* Returns the motion for keyframes of an item; NULL if there is none. */
static mmd_motion *motion_of(mmd_edit *edit, mmd_item item)
{
    const mmd_edit_keying *keying = &edit->keying;
    switch (item.kind) {
    case MMD_ITEM_BONE:
        return keying->motion ? keying->motion(keying->context, item.model, item.index) : NULL;
    case MMD_ITEM_MORPH:
        return keying->morph_motion ? keying->morph_motion(keying->context, item.model, item.index) : NULL;
    case MMD_ITEM_SWITCHES:
        return keying->switches_motion ? keying->switches_motion(keying->context, item.model) : NULL;
    default:
        return keying->scene_motion ? keying->scene_motion(keying->context, row_kind_of(item)) : NULL;
    }
}

/* Returns the row of an item, identified by the name that motions use for its bone or morph. */
static mmd_key_row row_of(const mmd_edit *edit, mmd_item item)
{
    const mmd_model *model = item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_MORPH
                                 ? mmd_actor_model(mmd_stage_actor(edit->stage, item.model))
                                 : NULL;
    if (item.kind == MMD_ITEM_BONE)
        return mmd_key_row_of(MMD_KEY_BONE, model->bone_key[item.index]);
    if (item.kind == MMD_ITEM_MORPH)
        return mmd_key_row_of(MMD_KEY_MORPH, model->morph_key[item.index]);
    return mmd_key_row_of(row_kind_of(item), NULL);
}

/* --- Picking one of the motions that may be modified --- */

/* Returns a motion if it may be modified, otherwise NULL. */
static mmd_motion *modifiable(const mmd_edit *edit, const mmd_motion *motion)
{
    for (size_t i = 0; i < edit->key_motion_count; i++)
        if (edit->key_motions[i] == motion)
            return edit->key_motions[i];
    return NULL;
}

static mmd_motion *pick(mmd_edit *edit, mmd_item item)
{
    const mmd_key_row row = row_of(edit, item);
    const mmd_actor_motion *of_actor = NULL;
    const mmd_motion *const *of_stage = NULL;
    const mmd_motion *keyed = NULL;
    mmd_motion *last = NULL;
    size_t count;
    if (is_of_model(item))
        of_actor = mmd_actor_motions(mmd_stage_actor(edit->stage, item.model), &count);
    else
        of_stage = mmd_stage_scene_motions(edit->stage, &count);
    for (size_t i = 0; i < count; i++) {
        const mmd_motion *motion = of_actor ? of_actor[i].motion : of_stage[i];
        if (of_actor && (of_actor[i].fades_out || of_actor[i].weight == 0.0f))
            continue;
        mmd_motion *found = modifiable(edit, motion);
        last = found ? found : last;
        keyed = mmd_motion_count_keys(motion, &row) ? motion : keyed;
    }
    return keyed ? modifiable(edit, keyed) : last;
}

static mmd_motion *pick_for_bone(void *context, uint32_t actor, uint32_t bone)
{
    return pick(context, (mmd_item){MMD_ITEM_BONE, actor, bone});
}

static mmd_motion *pick_for_morph(void *context, uint32_t actor, uint32_t morph)
{
    return pick(context, (mmd_item){MMD_ITEM_MORPH, actor, morph});
}

static mmd_motion *pick_for_switches(void *context, uint32_t actor)
{
    return pick(context, (mmd_item){MMD_ITEM_SWITCHES, actor, 0});
}

static mmd_motion *pick_for_scene(void *context, mmd_key_kind kind)
{
    const mmd_item_kind item = kind == MMD_KEY_CAMERA  ? MMD_ITEM_CAMERA
                               : kind == MMD_KEY_LIGHT ? MMD_ITEM_LIGHT
                                                       : MMD_ITEM_SHADOW;
    return pick(context, (mmd_item){.kind = item});
}

bool mmd_edit_key_motions(mmd_edit *edit, mmd_motion *const *motions, size_t count)
{
    assert(edit && (motions || !count));
    mmd_motion **copy = mmd_alloc((count + 1) * sizeof *copy);
    if (!copy)
        return false;
    if (count)
        memcpy(copy, motions, count * sizeof *copy);
    mmd_free(edit->key_motions);
    edit->key_motions = copy;
    edit->key_motion_count = count;
    mmd_edit_set_keying(edit, &(mmd_edit_keying){.motion = pick_for_bone,
                                                 .context = edit,
                                                 .morph_motion = pick_for_morph,
                                                 .scene_motion = pick_for_scene,
                                                 .switches_motion = pick_for_switches});
    return true;
}

/* Clears the last refusal, and refuses if the item can have no keyframes. */
static bool has_keys(mmd_edit *edit, mmd_item item)
{
    edit->refusal[0] = '\0';
    bool is_any = is_of_model(item) || item.kind == MMD_ITEM_CAMERA || item.kind == MMD_ITEM_LIGHT ||
                  item.kind == MMD_ITEM_SHADOW;
    if (is_any && mmd_edit_has(edit, item))
        return true;
    mmd_edit_refuse_as(edit, MMD_REFUSAL_KEY_ITEM, NULL, NULL);
    return false;
}

bool edit_keys_find(mmd_edit *edit, mmd_item item, key_track *track)
{
    assert(edit && track);
    if (!has_keys(edit, item))
        return false;
    track->motion = motion_of(edit, item);
    track->row = row_of(edit, item);
    if (!track->motion && !*edit->refusal)
        mmd_edit_refuse_item(edit, MMD_REFUSAL_KEY_MOTION, item, NULL, NULL);
    return track->motion != NULL;
}

bool mmd_edit_key_frame(mmd_edit *edit, mmd_item item, double at, uint32_t *frame)
{
    assert(edit && frame);
    if (is_of_model(item) && edit->stage && item.model < mmd_stage_actor_count(edit->stage))
        at -= mmd_actor_delay(mmd_stage_actor(edit->stage, item.model));
    *frame = at >= 0.0 && at < 4294967295.0 ? (uint32_t)at : 0;
    if (at == (double)*frame)
        return true;
    char number[32];
    snprintf(number, sizeof number, "%.9g", at);
    mmd_edit_refuse_as(edit, MMD_REFUSAL_KEY_PART_OF_FRAME, number, NULL);
    return false;
}

/* Notifies the players of a motion that its keyframes changed and may have moved in memory. */
static bool keys_written(mmd_edit *edit, mmd_item item, const key_track *track)
{
    assert(edit && track);
    bool done = true;
    if (is_of_model(item))
        done = mmd_actor_rebind(mmd_stage_actor(edit->stage, item.model), NULL) == MMD_OK;
    else /* the stage samples a motion again when it is replaced, even by itself */
        mmd_stage_replace_scene_motion(edit->stage, track->motion, track->motion);
    if (!done)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    mmd_edit_changed(edit, item);
    return done;
}

/* --- Plans: computing the changes --- */

/* Reads an existing keyframe, or refuses. */
static bool need_key(mmd_edit *edit, const key_edit *k, uint32_t frame, mmd_stored_key *key)
{
    if (mmd_motion_get_key(k->track.motion, &k->track.row, frame, key))
        return true;
    char number[32];
    snprintf(number, sizeof number, "%u", frame);
    mmd_edit_refuse_item(edit, MMD_REFUSAL_KEY_NONE, k->item, number, NULL);
    return false;
}

/* Adds a change of a frame, with the keyframe that is there now. */
static key_change *add_change(key_edit *k, uint32_t frame)
{
    key_change *c = &k->changes[k->change_count++];
    memset(c, 0, sizeof *c);
    c->frame = frame;
    c->had = mmd_motion_get_key(k->track.motion, &k->track.row, frame, &c->before);
    return c;
}

/* Plans the removal of a keyframe. */
static bool plan_remove(mmd_edit *edit, key_edit *k)
{
    mmd_stored_key key;
    return need_key(edit, k, k->from, &key) && add_change(k, k->from)->had;
}

/* Plans to move a keyframe. A keyframe at the target is replaced. */
static bool plan_move(mmd_edit *edit, key_edit *k)
{
    mmd_stored_key key;
    if (!need_key(edit, k, k->from, &key))
        return false;
    if (k->to == k->from)
        return true;
    add_change(k, k->from);
    key_change *there = add_change(k, k->to);
    there->has = true;
    there->after = key;
    return true;
}

/* Copies a keyframe. The file's record of the overwritten keyframe is kept for it. */
static bool plan_copy(mmd_edit *edit, key_edit *k)
{
    mmd_stored_key key;
    if (!need_key(edit, k, k->from, &key))
        return false;
    if (k->to == k->from)
        return true;
    key_change *there = add_change(k, k->to);
    there->has = true;
    there->after = key;
    there->after.record = there->had ? there->before.record : MMD_NO_RECORD;
    return true;
}

/* Plans to set the curve of channels of a keyframe. */
static bool plan_curve(mmd_edit *edit, key_edit *k)
{
    mmd_stored_key key;
    uint32_t count;
    if (!need_key(edit, k, k->from, &key))
        return false;
    mmd_curve *curves = mmd_key_curves(k->track.row.kind, &key, &count);
    for (uint32_t i = 0; i < count; i++)
        if (k->channels & (1u << i))
            curves[i] = (mmd_curve){(uint8_t)k->values[0], (uint8_t)k->values[1], (uint8_t)k->values[2],
                                    (uint8_t)k->values[3]};
    key_change *here = add_change(k, k->from);
    here->has = true;
    here->after = key;
    return true;
}

/* Plans to set a keyframe of a morph. */
static bool plan_weight(mmd_edit *edit, key_edit *k)
{
    (void)edit;
    key_change *here = add_change(k, k->from);
    here->has = true;
    here->after.record = here->had ? here->before.record : MMD_NO_RECORD;
    here->after.as.weight = (float)k->values[0];
    return true;
}

/* Plans to set a keyframe of camera or light, with default curves if it is new. */
static bool plan_scene(mmd_edit *edit, key_edit *k)
{
    key_change *here = add_change(k, k->from);
    here->has = true;
    here->after = here->before;
    if (!here->had)
        here->after.record = MMD_NO_RECORD;
    for (int i = 0; !here->had && i < MMD_CAMERA_CHANNELS && k->track.row.kind == MMD_KEY_CAMERA; i++)
        here->after.as.camera.curve[i] = mmd_default_curve();
    return keys_compute_scene(edit, k, &here->after);
}

/* Plans to set a whole keyframe. */
static bool plan_put(mmd_edit *edit, key_edit *k)
{
    (void)edit;
    key_change *here = add_change(k, k->from);
    here->has = true;
    here->after = k->key;
    here->after.record = here->had ? here->before.record : MMD_NO_RECORD;
    return true;
}

/* Computes the changes of an operation from the present keyframes. Returns false if it is refused. */
static bool plan(mmd_edit *edit, key_edit *k)
{
    static bool (*const plans[KEY_DEEDS])(mmd_edit * edit, key_edit * k) = {
        [KEY_MOVE] = plan_move,   [KEY_COPY] = plan_copy,     [KEY_REMOVE] = plan_remove,
        [KEY_CURVE] = plan_curve, [KEY_WEIGHT] = plan_weight, [KEY_SCENE] = plan_scene,
        [KEY_PUT] = plan_put};
    k->change_count = 0;
    return plans[k->deed](edit, k);
}

/* --- Applying the changes --- */

/* Changes the keyframe of one frame. Returns false when out of memory. */
static bool put(const key_edit *k, uint32_t frame, bool had, bool has, const mmd_stored_key *key)
{
    const key_track *p = &k->track;
    if (has && had)
        return mmd_motion_set_key(p->motion, &p->row, frame, key, NULL, NULL) == MMD_OK;
    if (has)
        return mmd_motion_add_key(p->motion, &p->row, frame, key, NULL, NULL) == MMD_OK;
    if (had)
        mmd_motion_remove_key(p->motion, &p->row, frame, NULL);
    return true;
}

/* Restores the previous keyframes, and the values by hand of camera and light. */
static void revert(mmd_edit *edit, key_edit *k)
{
    edit_before_write(edit);
    for (int i = k->change_count; i-- > 0;)
        put(k, k->changes[i].frame, k->changes[i].has, k->changes[i].had, &k->changes[i].before);
    if (k->deed == KEY_SCENE)
        keys_show(edit, &k->view);
    keys_written(edit, k->item, &k->track);
    k->applied = false;
}

/* Applies all changes, the new keyframe first, so that nothing is lost if there is no memory for it. */
static bool put_all(const key_edit *k)
{
    for (int i = k->change_count; i-- > 0;) {
        const key_change *c = &k->changes[i];
        if (!put(k, c->frame, c->had, c->has, &c->after))
            return false;
    }
    return true;
}

/* Performs the planned changes. Returns false when out of memory, and nothing has changed. */
static bool apply(mmd_edit *edit, key_edit *k)
{
    edit_before_write(edit);
    if (!put_all(k)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return false;
    }
    if (k->deed == KEY_SCENE)
        keys_release(edit, k->item);
    if (keys_written(edit, k->item, &k->track)) {
        k->applied = true;
        return true;
    }
    revert(edit, k); /* out of memory; the previous keyframes need none */
    return false;
}

/* Applies the changes of a moment ago again, which needs no memory. If notifying fails, players learn of
 * it later. */
static void apply_again(mmd_edit *edit, key_edit *k)
{
    edit_before_write(edit);
    put_all(k);
    if (k->deed == KEY_SCENE)
        keys_release(edit, k->item);
    keys_written(edit, k->item, &k->track);
}

/* Returns the number of values that a command takes. */
static int number_count(const key_edit *k)
{
    static const int counts[KEY_DEEDS] = {[KEY_MOVE] = 1, [KEY_COPY] = 1, [KEY_CURVE] = 4, [KEY_WEIGHT] = 1};
    if (k->deed != KEY_SCENE)
        return counts[k->deed];
    if (k->component == SCENE_VALUES)
        return k->item.kind == MMD_ITEM_CAMERA ? CAMERA_NUMBERS : LIGHT_NUMBERS;
    return k->component == MMD_COMPONENTS ? 16 : 3;
}

/* Checks and stores the values of a command. Those of frames and curves must be whole numbers. */
static bool set_numbers(mmd_edit *edit, key_edit *k, const double *values)
{
    int count = number_count(k);
    double most = k->deed == KEY_CURVE ? 127.0 : 4294967295.0;
    bool is_whole = k->deed == KEY_CURVE || k->deed == KEY_MOVE || k->deed == KEY_COPY;
    bool sound = edit_sound(values, count);
    for (int i = 0; sound && is_whole && i < count; i++)
        sound = values[i] >= 0.0 && values[i] <= most && values[i] == floor(values[i]);
    if (!sound) {
        mmd_edit_refuse_as(edit,
                           k->deed == KEY_CURVE ? MMD_REFUSAL_CURVE_NUMBER
                           : is_whole           ? MMD_REFUSAL_KEY_FRAME
                                                : MMD_REFUSAL_NUMBER,
                           NULL, NULL);
        return false;
    }
    memcpy(k->values, values, (size_t)count * sizeof *values);
    if (k->deed == KEY_MOVE || k->deed == KEY_COPY)
        k->to = (uint32_t)values[0];
    return true;
}

/* Sets the command again from its initial state. After a refusal the last state is restored. */
static bool set_keys(void *self, mmd_edit *edit, const double *values)
{
    key_edit *k = self, was = *k;
    if (!mmd_edit_has(edit, k->item) || !set_numbers(edit, k, values ? values : was.values))
        return false;
    if (!k->begun && k->deed == KEY_SCENE)
        keys_see(edit, &k->view);
    k->begun = true;
    if (k->applied)
        revert(edit, k);
    if (plan(edit, k) && apply(edit, k))
        return true;
    *k = was;
    if (k->applied)
        apply_again(edit, k);
    return false;
}

static void undo_keys(void *self, mmd_edit *edit)
{
    revert(edit, self);
}

static bool redo_keys(void *self, mmd_edit *edit)
{
    key_edit *k = self;
    return mmd_edit_has(edit, k->item) && plan(edit, k) && apply(edit, k);
}

/* Moves the command to another stage. The motion is kept alive by its owner. */
static bool remap_keys(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    key_edit *k = self;
    if (!mmd_edit_map_item(map, &k->item) || !mmd_edit_has(edit, k->item))
        return false;
    k->track.row = row_of(edit, k->item);
    return true;
}

mmd_command *keys_command(mmd_edit *edit, const key_edit *made)
{
    assert(edit && made);
#define TABLE(text)                                                                                          \
    {                                                                                                        \
        .label = text, .set = set_keys, .undo = undo_keys, .redo = redo_keys, .remap = remap_keys            \
    }
    static const mmd_command_table tables[KEY_DEEDS] = {
        [KEY_MOVE] = TABLE("move key"),   [KEY_COPY] = TABLE("copy key"), [KEY_REMOVE] = TABLE("remove key"),
        [KEY_CURVE] = TABLE("key curve"), [KEY_WEIGHT] = TABLE("key"),    [KEY_SCENE] = TABLE("key"),
        [KEY_PUT] = TABLE("key")};
#undef TABLE
    return edit_command_of(edit, &tables[made->deed], made, sizeof *made);
}

/* --- Creating commands --- */

/* Makes a command for an existing keyframe. Its values are checked at once, so that every command has
 * valid ones. */
static mmd_command *make(mmd_edit *edit, key_edit *made, const double *values)
{
    mmd_stored_key key;
    if (!edit_keys_find(edit, made->item, &made->track) || !set_numbers(edit, made, values) ||
        !need_key(edit, made, made->from, &key))
        return NULL;
    return keys_command(edit, made);
}

mmd_command *mmd_edit_move_key_command(mmd_edit *edit, mmd_item item, uint32_t from, uint32_t to)
{
    assert(edit);
    const double values[1] = {to};
    key_edit made = {.item = item, .deed = KEY_MOVE, .from = from};
    return make(edit, &made, values);
}

mmd_command *mmd_edit_copy_key_command(mmd_edit *edit, mmd_item item, uint32_t from, uint32_t to)
{
    assert(edit);
    const double values[1] = {to};
    key_edit made = {.item = item, .deed = KEY_COPY, .from = from};
    return make(edit, &made, values);
}

mmd_command *mmd_edit_remove_key_command(mmd_edit *edit, mmd_item item, uint32_t frame)
{
    assert(edit);
    const double values[1] = {0};
    key_edit made = {.item = item, .deed = KEY_REMOVE, .from = frame};
    return make(edit, &made, values);
}

mmd_command *mmd_edit_curve_command(mmd_edit *edit, mmd_item item, uint32_t frame, uint32_t channels,
                                    mmd_curve curve)
{
    assert(edit);
    const double values[4] = {curve.x1, curve.y1, curve.x2, curve.y2};
    key_edit made = {.item = item, .deed = KEY_CURVE, .from = frame, .channels = channels};
    mmd_stored_key key = {0};
    uint32_t count;
    if (!edit_keys_find(edit, item, &made.track))
        return NULL;
    mmd_key_curves(made.track.row.kind, &key, &count);
    if (!count)
        mmd_edit_refuse_as(edit,
                           item.kind == MMD_ITEM_LIGHT   ? MMD_REFUSAL_CURVE_LIGHT
                           : item.kind == MMD_ITEM_MORPH ? MMD_REFUSAL_CURVE_MORPH
                                                         : MMD_REFUSAL_CURVE_SWITCHES,
                           NULL, NULL);
    else if (!channels || channels >> count)
        mmd_edit_refuse_as(
            edit, item.kind == MMD_ITEM_BONE ? MMD_REFUSAL_CURVE_BONE : MMD_REFUSAL_CURVE_CAMERA, NULL, NULL);
    return count && channels && !(channels >> count) ? make(edit, &made, values) : NULL;
}

mmd_command *mmd_edit_morph_key_command(mmd_edit *edit, mmd_item morph, float weight)
{
    assert(edit);
    const double values[1] = {(double)weight};
    key_edit made = {.item = morph, .deed = KEY_WEIGHT};
    if (!edit_keys_find(edit, morph, &made.track) || !set_numbers(edit, &made, values) ||
        !mmd_edit_key_frame(edit, morph, mmd_stage_frame(edit->stage), &made.from))
        return NULL;
    if (made.track.row.kind == MMD_KEY_MORPH)
        return keys_command(edit, &made);
    mmd_edit_refuse_item(edit, MMD_REFUSAL_KEY_WEIGHT, morph, NULL, NULL);
    return NULL;
}

/* Copies the switches of a keyframe to the motion's memory, which lives as long as any command. */
static bool copy_switches(mmd_edit *edit, key_edit *made)
{
    mmd_property_key *key = &made->key.as.property;
    if (made->track.row.kind != MMD_KEY_PROPERTY || !key->switch_count)
        return true;
    mmd_ik_switch *own = mmd_arena_alloc(&made->track.motion->arena, key->switch_count, sizeof *own);
    if (!own) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        return false;
    }
    memcpy(own, key->switches, key->switch_count * sizeof *own);
    key->switches = own;
    return true;
}

mmd_command *mmd_edit_put_key_command(mmd_edit *edit, mmd_item item, uint32_t frame,
                                      const mmd_stored_key *key)
{
    assert(edit && key);
    key_edit made = {.item = item, .deed = KEY_PUT, .from = frame, .key = *key};
    return edit_keys_find(edit, item, &made.track) && copy_switches(edit, &made) ? keys_command(edit, &made)
                                                                                 : NULL;
}

mmd_command *mmd_edit_unkey_command(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    uint32_t frame;
    if (!has_keys(edit, item) || !mmd_edit_key_frame(edit, item, mmd_stage_frame(edit->stage), &frame))
        return NULL;
    return mmd_edit_remove_key_command(edit, item, frame);
}
