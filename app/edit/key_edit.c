#include "key_edit.h"

#include <math.h>
#include <string.h>

#include "scene/edited_motion.h"
#include "mmd/memory.h"
#include "base/message.h"
#include "selection.h"
#include "base/tokenize.h"

bool key_edit_is_on(const odori_session *s)
{
    return s->history.edit && mmd_edit_is_keying(s->history.edit);
}

static bool refuse(const mmd_edit *edit, char *error)
{
    const char *why = mmd_edit_refusal(edit);
    return refuse_with(error, "%s", *why ? why : "out of memory");
}

/* Marks the stage as changed. It is evaluated when it is next needed, not for each of a thousand lines. */
static void show(odori_session *s)
{
    s->selection.trouble[0] = '\0';
    session_touch(s);
    s->arrived = false;
    s->changed = true;
}

/* Tests whether keyframes of an item can be written: keyframes belong to the visible frame, and to motions
 * as their files have them. */
static bool can_key(const odori_session *s, mmd_item item, char *error)
{
    bool is_part =
        item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_MORPH || item.kind == MMD_ITEM_SWITCHES;
    if (is_part ? s->scene->models[item.model].is_mirrored : s->scene->is_mirrored)
        return refuse_with(error, "keyframes cannot be set while mirrored; `%s off` first",
                           is_part && !s->scene->is_mirrored ? "model.mirror" : "play.mirror");
    float offset[3];
    if (item.kind == MMD_ITEM_CAMERA && mmd_stage_camera_follows(s->scene->stage, offset))
        return refuse_with(error,
                           "no keyframe can be set: the camera of the project follows a bone at this frame");
    double at = mmd_stage_frame(s->scene->stage);
    return (at >= s->frame && at <= s->frame) ||
           refuse_with(error, "frame %.9g is not reached yet; try again when it is", s->frame);
}

/* --- Commands of the engine --- */

/* Returns the channels of a name as bits; 0 if keyframes of this item have no such channel. */
static uint32_t channels_of(mmd_item item, const char *name)
{
    static const char *const names[] = {"x", "y", "z", "rotation", "distance", "angle"};
    enum { COUNT = sizeof names / sizeof *names };
    uint32_t count = item.kind == MMD_ITEM_BONE ? 4 : item.kind == MMD_ITEM_CAMERA ? MMD_CAMERA_CHANNELS : 0;
    if (strcmp(name, "all") == 0)
        return (1u << count) - 1;
    size_t i = token_find(names, COUNT, name);
    return i < count ? 1u << i : 0;
}

/* Makes the command of an edit for one item. NULL: refused. */
static mmd_command *make(mmd_edit *edit, mmd_item item, const key_edit *e)
{
    uint32_t from, to;
    if (e->kind == KEY_EDIT_SET)
        return mmd_edit_key_command(edit, item);
    if (e->kind == KEY_EDIT_WEIGHT)
        return mmd_edit_morph_key_command(edit, item, e->weight);
    if (!mmd_edit_key_frame(edit, item, e->from, &from))
        return NULL;
    switch (e->kind) {
    case KEY_EDIT_MOVE:
    case KEY_EDIT_COPY:
        if (!mmd_edit_key_frame(edit, item, e->to, &to))
            return NULL;
        return e->kind == KEY_EDIT_MOVE ? mmd_edit_move_key_command(edit, item, from, to)
                                        : mmd_edit_copy_key_command(edit, item, from, to);
    case KEY_EDIT_CURVE:
        return mmd_edit_curve_command(edit, item, from, channels_of(item, e->channel), e->curve);
    default:
        return mmd_edit_remove_key_command(edit, item, from);
    }
}

/* Computes the values for setting an existing command again: of a move, a curve or a weight. */
static bool values_of(mmd_edit *edit, mmd_item item, const key_edit *e, double values[4])
{
    uint32_t to;
    switch (e->kind) {
    case KEY_EDIT_MOVE:
        if (!mmd_edit_key_frame(edit, item, e->to, &to))
            return false;
        values[0] = to;
        return true;
    case KEY_EDIT_CURVE:
        values[0] = e->curve.x1;
        values[1] = e->curve.y1;
        values[2] = e->curve.x2;
        values[3] = e->curve.y2;
        return true;
    default:
        values[0] = (double)e->weight;
        return true;
    }
}

/* --- Steps of undo --- */

/* Records an edit whose value may be replaced. Returns false when out of memory; then it is just not
 * replaced. */
static bool note(odori_history *h, const history_dragged *dragged)
{
    if (h->dragged_count == h->dragged_room) {
        size_t room = h->dragged_room ? 2 * h->dragged_room : 16;
        history_dragged *grown = mmd_realloc(h->dragged, room * sizeof *grown);
        if (!grown)
            return false;
        h->dragged = grown;
        h->dragged_room = room;
    }
    h->dragged[h->dragged_count++] = *dragged;
    return true;
}

/* Takes a command as part of the step. Returns false if it is refused or NULL. */
static bool perform(odori_session *s, mmd_command *made, const history_dragged *as)
{
    history_dragged dragged = *as;
    dragged.command = made;
    if (!history_take(&s->history, made))
        return false;
    if (s->history.joins || as->is_camera_work)
        note(&s->history, &dragged);
    return true;
}

/* Tests whether two edits concern the same keyframe. by_place: a moved keyframe is compared by its current
 * frame, not by its original one. */
static bool is_same_key(const key_edit *a, const key_edit *b, bool by_place)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case KEY_EDIT_MOVE:
        return by_place ? a->to == b->from : a->from == b->from;
    case KEY_EDIT_CURVE:
        return a->from == b->from && strcmp(a->channel, b->channel) == 0;
    case KEY_EDIT_WEIGHT:
        return a->from == b->from;
    default:
        return false;
    }
}

/* Finds the edit of the same keyframe in the current step; dragged_count if there is none. A moved
 * keyframe is identified by its original frame, or else by its current one. */
static size_t find_dragged(const odori_history *h, mmd_item item, const key_edit *e)
{
    for (int by_place = 0; by_place < 2; by_place++)
        for (size_t i = 0; h->joins && i < h->dragged_count; i++) {
            const history_dragged *d = &h->dragged[i];
            if (!d->is_camera_work && mmd_item_equal(d->item, item) && is_same_key(&d->edit, e, by_place) &&
                mmd_edit_is_of_last_step(h->edit, d->command))
                return i;
        }
    return h->dragged_count;
}

/* Replaces the value of an edit. Later edits of the step may build on it, so they are undone before and
 * redone after. */
static bool set_dragged(odori_history *h, mmd_edit *edit, size_t at, const key_edit *e)
{
    double values[4];
    history_dragged *d = &h->dragged[at];
    if (!values_of(edit, d->item, e, values))
        return false;
    for (size_t i = h->dragged_count; i-- > at + 1;)
        mmd_command_undo(edit, h->dragged[i].command);
    bool done = mmd_command_set(edit, d->command, values);
    for (size_t i = at + 1; i < h->dragged_count; i++)
        mmd_command_redo(edit, h->dragged[i].command);
    if (done) {
        double origin = d->edit.from;
        d->edit = *e;
        d->edit.from = origin;
    }
    return done;
}

/* Performs the edit for one item. */
static bool edit_item(odori_session *s, mmd_edit *edit, mmd_item item, const key_edit *e)
{
    size_t at = find_dragged(&s->history, item, e);
    if (at < s->history.dragged_count)
        return set_dragged(&s->history, edit, at, e);
    const history_dragged as = {.item = item, .edit = *e};
    return perform(s, make(edit, item, e), &as);
}

/* Undoes what was done before one item refused, unless it joined an earlier step. */
static void give_up(odori_session *s, bool began)
{
    if (s->history.continues && !began)
        history_undo(&s->history);
}

bool key_edit_has_keys(mmd_item item)
{
    return item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_MORPH || item.kind == MMD_ITEM_CAMERA ||
           item.kind == MMD_ITEM_LIGHT || item.kind == MMD_ITEM_SWITCHES || item.kind == MMD_ITEM_SHADOW;
}

/* Tests whether an item has no keyframe, or no curve, that the edit could change. Such items are skipped
 * where others have one. */
static bool lacks_key(const odori_session *s, mmd_edit *edit, mmd_item item, const key_edit *e)
{
    mmd_key_row row;
    mmd_stored_key key;
    uint32_t frame;
    if (e->kind == KEY_EDIT_SET || e->kind == KEY_EDIT_WEIGHT ||
        find_dragged(&s->history, item, e) < s->history.dragged_count)
        return false;
    if (e->kind == KEY_EDIT_CURVE && !channels_of(item, e->channel))
        return true;
    const mmd_motion *motion = edited_motion_of(s->scene, item, &row);
    return mmd_edit_key_frame(edit, item, e->from, &frame) &&
           (!motion || !mmd_motion_get_key(motion, &row, frame, &key));
}

/* Tests whether the target frame exists for an item: the motion of a delayed model begins later. */
static bool reaches(mmd_edit *edit, mmd_item item, const key_edit *e)
{
    uint32_t frame;
    return (e->kind != KEY_EDIT_MOVE && e->kind != KEY_EDIT_COPY) ||
           mmd_edit_key_frame(edit, item, e->to, &frame);
}

/* Checks all items first, so that nothing is done if one of them refuses. *keyed: number of items with
 * keyframes; *lacking: how many of these have none at the frame. */
static bool check_items(const odori_session *s, mmd_edit *edit, const mmd_item *items, size_t count,
                        const key_edit *e, size_t *keyed, size_t *lacking, char *error)
{
    *keyed = *lacking = 0;
    for (size_t i = 0; i < count; i++) {
        if (!key_edit_has_keys(items[i]))
            continue;
        if (!can_key(s, items[i], error))
            return false;
        bool lacks = lacks_key(s, edit, items[i], e);
        if (!lacks && !reaches(edit, items[i], e))
            return refuse(edit, error);
        ++*keyed;
        *lacking += lacks;
    }
    return true;
}

/* Edits all items. Items without a keyframe are skipped, unless none has one. */
static bool edit_items(odori_session *s, mmd_edit *edit, const mmd_item *items, size_t count,
                       const key_edit *e, char *error)
{
    size_t lacking, keyed;
    if (!check_items(s, edit, items, count, e, &keyed, &lacking, error))
        return false;
    history_begin(&s->history);
    bool began = s->history.continues, all = true;
    for (size_t i = 0; all && i < count; i++)
        if (key_edit_has_keys(items[i]) && (lacking == keyed || !lacks_key(s, edit, items[i], e)))
            all = edit_item(s, edit, items[i], e);
    if (!all) {
        refuse(edit, error);
        give_up(s, began);
    }
    return all;
}

/* Finds the item of a path, which must be able to have keyframes. */
static bool find_path(odori_session *s, mmd_edit *edit, const char *path, mmd_item *item, char *error)
{
    *item = mmd_edit_find(edit, path);
    if (!item->kind)
        return refuse_with(error, "there is no \"%.120s\"", path);
    if (key_edit_has_keys(*item))
        return true;
    char named[SESSION_NAME_MAX];
    session_item_name(s, *item, named);
    return refuse_with(
        error, "%s has no keyframes; bones, morphs, camera, light, self shadow and display and IK have",
        named);
}

bool key_edit_do(odori_session *s, const key_edit *e, const char *path, char *error)
{
    mmd_edit *edit = selection_edit(s);
    mmd_item item;
    size_t keyed = 0;
    if (!edit)
        return refuse_with(error, "out of memory");
    if (path && !find_path(s, edit, path, &item, error))
        return false;
    for (size_t i = 0; i < s->selection.count; i++)
        keyed += key_edit_has_keys(s->selection.items[i]);
    if (!path && !keyed)
        return refuse_with(error, "nothing that has keyframes is selected; select a bone, morph, camera or "
                                  "light (`edit.select PATH`)");
    bool was_keying = mmd_edit_is_keying(edit);
    edited_motion_begin(edit, true);
    bool all =
        edit_items(s, edit, path ? &item : s->selection.items, path ? 1 : s->selection.count, e, error);
    edited_motion_begin(edit, was_keying);
    show(s);
    return all;
}

static bool is_edited(const mmd_pose *pose, uint32_t bone)
{
    float t[3], r[4];
    mmd_pose_get_user(pose, bone, t, r);
    return t[0] != 0.0f || t[1] != 0.0f || t[2] != 0.0f || r[0] != 0.0f || r[1] != 0.0f || r[2] != 0.0f ||
           r[3] != 1.0f;
}

/* Lists the edited bones of the selected model; items has room for all bones. Returns the count. */
static size_t list_edited_bones(const odori_session *s, mmd_item *items)
{
    const scene_model *m = &s->scene->models[s->selected];
    size_t count = 0;
    for (uint32_t b = 0; b < m->model->bone_count; b++)
        if (is_edited(mmd_actor_pose(m->actor), b))
            items[count++] = (mmd_item){.kind = MMD_ITEM_BONE, .model = (uint32_t)s->selected, .index = b};
    return count;
}

bool key_edit_bones(odori_session *s, char *error)
{
    const key_edit e = {.kind = KEY_EDIT_SET, .from = s->frame};
    mmd_edit *edit = selection_edit(s);
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    mmd_item *items = edit ? mmd_alloc((m->model->bone_count + (size_t)1) * sizeof *items) : NULL;
    if (!items)
        return refuse_with(error, "out of memory");
    size_t count = list_edited_bones(s, items);
    bool was_keying = mmd_edit_is_keying(edit);
    edited_motion_begin(edit, true);
    bool all =
        count ? edit_items(s, edit, items, count, &e, error)
              : refuse_with(error,
                            "nothing that has keyframes is selected, and no bone of the model was edited");
    edited_motion_begin(edit, was_keying);
    mmd_free(items);
    show(s);
    return all;
}

/* --- Morphs --- */

static bool find_morph(const odori_session *s, const char *name, mmd_item *item, char *error)
{
    const scene_model *m = session_selected_model(s, error);
    int32_t index = m ? mmd_model_find_morph(m->model, name) : -1;
    if (m && index < 0)
        session_refuse_name(s, s->selected, "morph", name, error);
    *item = (mmd_item){.kind = MMD_ITEM_MORPH, .model = (uint32_t)s->selected, .index = (uint32_t)index};
    return index >= 0;
}

/* Clears the weights set by hand for all morphs of a name, since they would hide the keyframe. */
static bool release_morphs(odori_session *s, const char *name)
{
    const scene_model *m = &s->scene->models[s->selected];
    const float *weights = mmd_actor_morphs_by_hand(m->actor);
    for (uint32_t i = 0; i < m->model->morph_count; i++)
        if (strcmp(m->model->morphs[i].name, name) == 0 && !isnan(weights[i]) &&
            !history_morph(&s->history, s->selected, i, NAN))
            return false;
    return true;
}

bool key_edit_morph(odori_session *s, const char *name, const double *weight, char *error)
{
    mmd_item item;
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        return refuse_with(error, "out of memory");
    if (!find_morph(s, name, &item, error) || !can_key(s, item, error))
        return false;
    const key_edit e = {.kind = weight ? KEY_EDIT_WEIGHT : KEY_EDIT_SET,
                        .from = s->frame,
                        .weight = weight ? (float)*weight : 0};
    bool was_keying = mmd_edit_is_keying(edit);
    edited_motion_begin(edit, true);
    history_begin(&s->history);
    bool began = s->history.continues, done = edit_item(s, edit, item, &e);
    if (!done)
        refuse(edit, error);
    else if (!release_morphs(s, name)) {
        done = refuse_with(error, "out of memory");
        give_up(s, began);
    }
    edited_motion_begin(edit, was_keying);
    show(s);
    return done;
}

bool key_edit_remove_morph(odori_session *s, const char *name, char *error)
{
    mmd_item item;
    const key_edit e = {.kind = KEY_EDIT_REMOVE, .from = s->frame};
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        return refuse_with(error, "out of memory");
    if (!find_morph(s, name, &item, error))
        return false;
    bool was_keying = mmd_edit_is_keying(edit);
    edited_motion_begin(edit, true);
    bool done = edit_items(s, edit, &item, 1, &e, error);
    edited_motion_begin(edit, was_keying);
    show(s);
    return done;
}

/* --- Switches and self shadow --- */

bool key_edit_make(odori_session *s, mmd_item item, key_builder *build, const void *request, char *error)
{
    mmd_edit *edit = selection_edit(s);
    const history_dragged as = {.item = item, .edit.kind = KEY_EDIT_SET, .edit.from = s->frame};
    if (!edit)
        return refuse_with(error, "out of memory");
    if (!can_key(s, item, error))
        return false;
    bool was_keying = mmd_edit_is_keying(edit);
    edited_motion_begin(edit, true);
    history_begin(&s->history);
    bool done = perform(s, build(edit, request), &as);
    if (!done)
        refuse(edit, error);
    edited_motion_begin(edit, was_keying);
    show(s);
    return done;
}

/* --- Camera and light --- */

bool key_edit_view_begin(odori_session *s, uint32_t kind, bool looks, key_edit_view *view, char *error)
{
    mmd_stage *stage = s->scene->stage;
    uint32_t frame;
    *view = (key_edit_view){.item.kind = kind, .is_camera_work = looks};
    if (!key_edit_is_on(s) || (looks && !selection_has(&s->selection, view->item)))
        return true;
    mmd_edit *edit = selection_edit(s);
    if (!can_key(s, view->item, error))
        return false;
    if (!mmd_edit_key_frame(edit, view->item, s->frame, &frame))
        return refuse(edit, error);
    view->on = true;
    view->follows = s->follow.on;
    view->camera_by_hand = mmd_stage_camera_by_hand(stage) != NULL;
    view->color_by_hand = mmd_stage_light_color_by_hand(stage) != NULL;
    view->direction_by_hand = mmd_stage_light_direction_by_hand(stage) != NULL;
    view->camera = *mmd_stage_camera(stage);
    view->light = *mmd_stage_light(stage);
    return true;
}

/* Restores camera and light as they were before the command. */
static void restore_view(const odori_session *s, const key_edit_view *view)
{
    mmd_stage *stage = s->scene->stage;
    mmd_stage_set_camera(stage, view->camera_by_hand ? &view->camera : NULL);
    mmd_stage_set_light_color(stage, view->color_by_hand ? view->light.color : NULL);
    mmd_stage_set_light_direction(stage, view->direction_by_hand ? view->light.direction : NULL);
}

/* Collects all values of a keyframe of camera or light, as its command takes them. */
static void numbers_of(const odori_session *s, bool is_camera, double values[9])
{
    const mmd_camera *camera = mmd_stage_camera(s->scene->stage);
    const mmd_light *light = mmd_stage_light(s->scene->stage);
    values[0] = (double)camera->distance;
    values[7] = (double)camera->fov;
    values[8] = camera->perspective;
    for (int k = 0; k < 3; k++) {
        values[is_camera ? 1 + k : k] = (double)(is_camera ? camera->position[k] : light->color[k]);
        values[is_camera ? 4 + k : 3 + k] = (double)(is_camera ? camera->rotation[k] : light->direction[k]);
    }
}

/* Replaces the last keyframe of the step if a drag or camera work continues at the same frame. */
static bool continue_last(odori_session *s, mmd_edit *edit, const key_edit_view *view, const double values[9])
{
    const odori_history *h = &s->history;
    const history_dragged *d = h->dragged_count ? &h->dragged[h->dragged_count - 1] : NULL;
    bool goes = h->joins || (view->is_camera_work && h->dragged_count == 1 && d->is_camera_work);
    return goes && d && mmd_item_equal(d->item, view->item) && d->edit.kind == KEY_EDIT_SET &&
           d->edit.from == s->frame && mmd_edit_is_of_last_step(edit, d->command) &&
           mmd_command_set(edit, d->command, values);
}

bool key_edit_view_end(odori_session *s, const key_edit_view *view, char *error)
{
    if (!view->on)
        return true;
    mmd_edit *edit = selection_edit(s);
    const mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    const mmd_light light = *mmd_stage_light(s->scene->stage);
    bool is_camera = view->item.kind == MMD_ITEM_CAMERA;
    const history_dragged as = {.item = view->item,
                                .edit.kind = KEY_EDIT_SET,
                                .edit.from = s->frame,
                                .is_camera_work = view->is_camera_work};
    double values[9];
    numbers_of(s, is_camera, values);
    restore_view(s, view);
    bool done = continue_last(s, edit, view, values);
    if (!done) {
        history_begin(&s->history);
        done = perform(s,
                       is_camera ? mmd_edit_camera_key_command(edit, &camera)
                                 : mmd_edit_light_key_command(edit, &light),
                       &as);
    }
    if (!done)
        refuse(edit, error);
    session_go(s, s->frame);
    return done;
}
