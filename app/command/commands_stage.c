/*
 * Commands for physics, for exact placements of bones, bodies and joints, which pictures use to store
 * placements by hand (state_lines.h), and for plug-ins that handle edits.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/emit.h"
#include "base/message.h"
#include "command_group.h"
#include "edit/plugins.h"
#include "edit/selection.h"
#include "mmd/simulation.h"

/* --- Physics --- */

bool command_start_physics(odori_session *s, bool on, char *error)
{
    mmd_error why = {0};
    if (physics_switch(s->scene, on ? &s->scene->physics_now : NULL, &why) != MMD_OK)
        return refuse_with(error, "%.200s", why.message);
    session_restart(s);
    session_go(s, s->frame);
    return true;
}

static bool physics(odori_session *s, const command_arguments *a, char *error)
{
    return command_start_physics(s, a->on[0], error);
}

/* Simulates from the first frame again, if physics is on. */
static bool physics_reset(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return command_start_physics(s, mmd_stage_physics(s->scene->stage) != NULL, error);
}

/* Sets gravity from the current frame on; it replaces keyframes of gravity. */
static bool physics_gravity(odori_session *s, const command_arguments *a, char *error)
{
    float *gravity = s->scene->physics_now.gravity;
    for (int k = 0; k < 3; k++)
        if (fabs(a->number[k]) > STAGING_FAR)
            return refuse_with(error, "%g is out of range: the limit is a million", a->number[k]);
    for (int k = 0; k < 3; k++)
        gravity[k] = (float)a->number[k];
    mmd_stage_set_gravity(s->scene->stage, gravity);
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* Adds or removes the ground from the current frame on. */
static bool physics_ground(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->scene->physics_now.ground = a->on[0];
    mmd_stage_set_ground(s->scene->stage, a->on[0]);
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

static const command physics_commands[] = {
    {"physics", "s", "on|off", "simulates bodies, or keeps them at their bones", physics,
     .replay = REPLAY_RUNS},
    {"physics.gravity", "rrr", "X Y Z", "sets gravity from this frame on, units/s²; MMD's is 0 -98 0",
     physics_gravity, .replay = REPLAY_RUNS},
    {"physics.ground", "s", "on|off", "adds a floor at height 0 for bodies from this frame on",
     physics_ground, .replay = REPLAY_RUNS},
    {"physics.reset", "", "", "simulates from the first frame again, without the effects of edits on the way",
     physics_reset, .replay = REPLAY_RUNS},
};

const command_group commands_of_physics = {physics_commands,
                                           sizeof physics_commands / sizeof *physics_commands};

/* --- Exact placements of bones, bodies and joints --- */

/* Limits of positions, and of the difference of a quaternion's squared length from 1. */
#define FAR        1e6
#define LENGTH_OFF 1e-3

/* State of a command that places a body or a joint (which has no scale): the placement before and after. */
typedef struct placing {
    mmd_item item;
    bool was_by_hand;
    mmd_body_transform before, after;
} placing;

/* Places a body or a joint; NULL restores the placement of its file. */
static bool put(mmd_edit *edit, mmd_item item, const mmd_body_transform *transform)
{
    mmd_stage *stage = mmd_edit_stage(edit);
    mmd_status status =
        item.kind == MMD_ITEM_BODY
            ? mmd_stage_place_body(stage, item.model, item.index, transform, NULL)
            : mmd_stage_place_joint(stage, item.model, item.index, transform ? &transform->rest : NULL, NULL);
    if (status != MMD_OK)
        mmd_edit_refuse_item(edit,
                             status == MMD_ERROR_MEMORY ? MMD_REFUSAL_MEMORY : MMD_REFUSAL_PHYSICS_PLACE,
                             item, NULL, NULL);
    mmd_edit_changed(edit, item);
    return status == MMD_OK;
}

/* Places the item and stores its placement before. */
static bool set_place(void *self, mmd_edit *edit, const double *values)
{
    placing *p = self;
    mmd_stage *stage = mmd_edit_stage(edit);
    (void)values;
    if (!mmd_edit_has(edit, p->item))
        return false;
    p->was_by_hand = p->item.kind == MMD_ITEM_BODY
                         ? mmd_stage_body_transform(stage, p->item.model, p->item.index, &p->before)
                         : mmd_stage_joint_transform(stage, p->item.model, p->item.index, &p->before.rest);
    return put(edit, p->item, &p->after);
}

/* Restores the placement before, or that of the file. */
static void undo_place(void *self, mmd_edit *edit)
{
    const placing *p = self;
    if (mmd_edit_has(edit, p->item))
        put(edit, p->item, p->was_by_hand ? &p->before : NULL);
}

static bool redo_place(void *self, mmd_edit *edit)
{
    const placing *p = self;
    return mmd_edit_has(edit, p->item) && put(edit, p->item, &p->after);
}

/* Moves the command to the same item on another stage. */
static bool remap_placing(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    placing *p = self;
    return mmd_edit_map_item(map, &p->item) && mmd_edit_has(edit, p->item);
}

/* Creates the command and takes it as part of the current step of undo. Returns false with the reason in
 * error. */
static bool perform(odori_session *s, const placing *wanted, char *error)
{
    static const mmd_command_table table = {
        .label = "place", .set = set_place, .undo = undo_place, .redo = redo_place, .remap = remap_placing};
    mmd_edit *edit = selection_edit(s);
    mmd_command *made = edit ? mmd_command_create(&table, sizeof *wanted) : NULL;
    if (!made)
        return refuse_with(error, "out of memory");
    memcpy(mmd_command_self(made), wanted, sizeof *wanted);
    history_begin(&s->history);
    if (!history_take(&s->history, made))
        return refuse_with(error, "%s", *mmd_edit_refusal(edit) ? mmd_edit_refusal(edit) : "out of memory");
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* Reads a position and a unit quaternion. */
static bool read_rest(const double *numbers, mmd_transform *rest, char *error)
{
    double length = 0;
    for (int k = 0; k < 4; k++)
        length += numbers[3 + k] * numbers[3 + k];
    for (int k = 0; k < 3; k++)
        if (fabs(numbers[k]) > FAR)
            return refuse_with(error, "%g is out of range: the limit is a million", numbers[k]);
    if (!(fabs(length - 1) < LENGTH_OFF))
        return refuse_with(error, "the rotation is not a quaternion of length 1");
    for (int k = 0; k < 3; k++)
        rest->translation[k] = (float)numbers[k];
    for (int k = 0; k < 4; k++)
        rest->rotation[k] = (float)numbers[3 + k];
    return true;
}

/* Reads a position, a quaternion, and a scale where has_scale is set. */
static bool read_placement(const double *numbers, bool has_scale, mmd_body_transform *transform, char *error)
{
    for (int k = 0; k < 3; k++) {
        double scale = has_scale ? numbers[7 + k] : 1;
        if (!(scale >= 1e-3 && scale <= 1e3))
            return refuse_with(error, "a scale of %g is not from 0.001 to 1000", scale);
        transform->scale[k] = (float)scale;
    }
    return read_rest(numbers, &transform->rest, error);
}

/* Places a body or a joint of the selected model, given by its index. */
static bool place_item(odori_session *s, const command_arguments *a, uint32_t kind, char *error)
{
    placing p = {.item = {.kind = kind, .model = (uint32_t)s->selected}};
    mmd_edit *edit = selection_edit(s);
    if (!session_selected_model(s, error) ||
        !read_placement(a->number + 1, kind == MMD_ITEM_BODY, &p.after, error))
        return false;
    char whose[SESSION_NAME_MAX];
    bool is_index = a->number[0] >= 0 && a->number[0] < FAR && a->number[0] == floor(a->number[0]);
    p.item.index = is_index ? (uint32_t)a->number[0] : 0;
    if (!is_index || !edit || !mmd_edit_has(edit, p.item)) {
        session_model_name(s, s->selected, whose);
        return refuse_with(error, "%s has no %s %g; the first is 0", whose,
                           kind == MMD_ITEM_BODY ? "body" : "joint", a->number[0]);
    }
    return perform(s, &p, error);
}

static bool place_body(odori_session *s, const command_arguments *a, char *error)
{
    return place_item(s, a, MMD_ITEM_BODY, error);
}

static bool place_joint(odori_session *s, const command_arguments *a, char *error)
{
    return place_item(s, a, MMD_ITEM_JOINT, error);
}

/* Finds a bone by its name, or by its index as "#12". */
static bool find_bone(const odori_session *s, const char *name, uint32_t *bone, char *error)
{
    char *end;
    const scene_model *m = session_selected_model(s, error);
    if (!m || *name != '#')
        return m && session_find_bone(s, name, bone, error);
    unsigned long number = strtoul(name + 1, &end, 10);
    *bone = (uint32_t)number;
    return (name[1] >= '0' && name[1] <= '9' && !*end && number < m->model->bone_count) ||
           session_refuse_name(s, s->selected, "bone", name, error);
}

/* Sets the user's translation and rotation of a bone exactly, as a quaternion. */
static bool place_bone(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone = 0;
    mmd_transform user = {.translation = {0}};
    if (!find_bone(s, a->word[0], &bone, error) || !read_rest(a->number + 1, &user, error))
        return false;
    history_begin(&s->history);
    if (!history_bone(&s->history, s->selected, bone, user.translation, user.rotation))
        return refuse_with(error, "out of memory");
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

static const command place_commands[] = {
    {"bone.place", "wrrrrrrr", "NAME|\"#NUMBER\" X Y Z QX QY QZ QW",
     "moves and rotates a bone: units, a quaternion; replaces the last move and rotation", place_bone,
     .replay = REPLAY_RUNS},
    {"body.place", "rrrrrrrrrrr", "NUMBER X Y Z QX QY QZ QW SX SY SZ",
     "places a body of the model at rest: units, a quaternion, scale factors", place_body,
     .replay = REPLAY_RUNS},
    {"joint.place", "rrrrrrrr", "NUMBER X Y Z QX QY QZ QW", "places a joint likewise", place_joint,
     .replay = REPLAY_RUNS},
};

const command_group commands_of_place = {place_commands, sizeof place_commands / sizeof *place_commands};

/* --- Plug-ins: handlers of edits that are loaded and unloaded while the program runs --- */

/* Loads a plug-in and reports it. */
static bool plugin_load(odori_session *s, const command_arguments *a, char *error)
{
    if (!plugins_load(&s->history, a->word[0], error))
        return false;
    const odori_plugins *p = s->history.plugins;
    if (s->messages)
        panel_log_tell(s->messages, "plug-in %s: loaded; its handlers take part in edits",
                       plugins_get(p, plugins_count(p) - 1).name);
    s->changed = true;
    return true;
}

/* Unloads a plug-in and reports it. */
static bool plugin_unload(odori_session *s, const command_arguments *a, char *error)
{
    if (!plugins_unload(&s->history, a->word[0], error))
        return false;
    if (s->messages)
        panel_log_tell(s->messages, "plug-in %s: unloaded; its edits can still be undone", a->word[0]);
    s->changed = true;
    return true;
}

/* Prints the names of all handlers, in the order in which they are asked, as a line of JSON. */
static void print_chain(const mmd_edit *edit)
{
    emitter e = {.out = stdout};
    const char *name;
    emit_open(&e, '{');
    emit_key(&e, "chain");
    emit_open(&e, '[');
    for (size_t i = 0; (name = mmd_edit_handler_name(edit, i)) != NULL; i++)
        emit_text(&e, name);
    emit_close(&e, ']');
    emit_close(&e, '}');
    putchar('\n');
}

/* Prints the plug-ins and the chain of handlers as lines of JSON. */
static bool plugin_list(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    const mmd_edit *edit = history_edit(&s->history);
    if (!edit)
        return refuse_with(error, "out of memory");
    for (size_t i = 0; i < plugins_count(s->history.plugins); i++) {
        emitter e = {.out = stdout};
        const plugin_info told = plugins_get(s->history.plugins, i);
        emit_open(&e, '{');
        emit_member_text(&e, "plugin", told.name);
        emit_member_text(&e, "file", told.path);
        emit_member_text(&e, "hash", told.hash.text);
        emit_close(&e, '}');
        putchar('\n');
    }
    print_chain(edit);
    fflush(stdout);
    return true;
}

static const command plugin_commands[] = {
    {"plugin.load", "i", "FILE.so", "loads a plug-in; its handlers are asked before the present ones",
     plugin_load, .replay = REPLAY_SKIPS},
    {"plugin.unload", "w", "NAME", "unloads a plug-in; its edits can still be undone", plugin_unload,
     .replay = REPLAY_SKIPS},
    {"plugin.list", "", "", "prints plug-ins and all handlers in their order, as lines of JSON on stdout",
     plugin_list, .replay = REPLAY_SKIPS},
};

const command_group commands_of_plugin = {plugin_commands, sizeof plugin_commands / sizeof *plugin_commands};
