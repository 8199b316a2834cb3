/* Commands for the selection: selecting items, editing them by numbers, and the settings of the gizmo. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command_group.h"
#include "base/emit.h"
#include "base/parse.h"
#include "edit/controller.h"
#include "edit/selection.h"

/* Limit of numbers, within which a float still resolves steps of a tenth of a unit. */
#define NUMBER_MAX 1e6

/* Finds the item of a path. Returns false with the reason in error. */
static bool find_item(odori_session *s, const char *path, mmd_item *item, char *error)
{
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        return refuse_with(error, "out of memory");
    *item = mmd_edit_find(edit, path);
    if (!item->kind)
        return refuse_with(error,
                           "there is no \"%.120s\"; paths are /models/NAME/bones/NAME, bodies, joints, "
                           "morphs, switches, /camera, /light, /shadow",
                           path);
    return item->kind != MMD_ITEM_STAGE ||
           refuse_with(error, "the stage itself cannot be edited; select a model or one of its parts");
}

/* Adds an item to the selection. Its model becomes the one that bone and morph commands act on. */
static bool add(odori_session *s, mmd_item item, char *error)
{
    s->changed = true;
    s->selection.trouble[0] = '\0';
    bool is_of_model =
        (item.kind >= MMD_ITEM_MODEL && item.kind <= MMD_ITEM_JOINT) || item.kind == MMD_ITEM_SWITCHES;
    if (is_of_model && scene_is_present(s->scene, item.model)) {
        s->selected = item.model;
        s->has_chosen = true;
    }
    return selection_add(&s->selection, item) || refuse_with(error, "out of memory");
}

static bool edit_select(odori_session *s, const command_arguments *a, char *error)
{
    mmd_item item;
    if (!find_item(s, a->word[0], &item, error))
        return false;
    selection_clear(&s->selection);
    return add(s, item, error);
}

static bool edit_add(odori_session *s, const command_arguments *a, char *error)
{
    mmd_item item;
    return find_item(s, a->word[0], &item, error) && add(s, item, error);
}

static bool edit_remove(odori_session *s, const command_arguments *a, char *error)
{
    mmd_item item;
    if (!find_item(s, a->word[0], &item, error))
        return false;
    selection_remove(&s->selection, item);
    s->changed = true;
    return true;
}

static bool edit_clear(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    selection_clear(&s->selection);
    s->has_chosen = false;
    s->changed = true;
    return true;
}

/* Returns the item that was selected last. Returns false with the reason in error if nothing is selected. */
static bool find_last(odori_session *s, mmd_item *item, char *error)
{
    if (!selection_edit(s))
        return refuse_with(error, "out of memory");
    if (!s->selection.count)
        return refuse_with(error, "nothing is selected; select an item first (`edit.select PATH`)");
    *item = s->selection.items[s->selection.count - 1];
    return true;
}

/* Selects the bone one level above the one that was selected last. */
static bool edit_up(odori_session *s, const command_arguments *a, char *error)
{
    char name[SESSION_NAME_MAX];
    mmd_item item;
    (void)a;
    if (!find_last(s, &item, error))
        return false;
    session_item_name(s, item, name);
    if (!controller_raise(s, &item))
        return refuse_with(error, "nothing is above %.120s", name);
    selection_clear(&s->selection);
    return add(s, item, error);
}

/* Selects what moves the item that was selected last: an IK goal, what carries a bone that physics moves, an
 * outside parent, or the bone that it appends. */
static bool edit_controller(odori_session *s, const command_arguments *a, char *error)
{
    char name[SESSION_NAME_MAX];
    mmd_item item, by;
    (void)a;
    if (!find_last(s, &item, error))
        return false;
    session_item_name(s, item, name);
    if (controller_find(s, item, &by) == CONTROLLER_NONE)
        return refuse_with(error, "nothing else moves %.120s; edit it itself", name);
    selection_clear(&s->selection);
    return add(s, by, error);
}

/* Sets a translation, rotation or scale of all selected items. */
static bool set_values(odori_session *s, gizmo_mode mode, const command_arguments *a, char *error)
{
    for (int k = 0; k < 3; k++)
        if (fabs(a->number[k]) > NUMBER_MAX)
            return refuse_with(error, "%g is out of range: the limit is a million", a->number[k]);
    if (mode == GIZMO_TRANSLATE && selection_has(&s->selection, (mmd_item){.kind = MMD_ITEM_CAMERA}))
        s->follow.on = false; /* a camera moved by the user no longer follows */
    return selection_set(s, mode, a->number, error);
}

static bool edit_translate(odori_session *s, const command_arguments *a, char *error)
{
    return set_values(s, GIZMO_TRANSLATE, a, error);
}

static bool edit_rotate(odori_session *s, const command_arguments *a, char *error)
{
    return set_values(s, GIZMO_ROTATE, a, error);
}

static bool edit_scale(odori_session *s, const command_arguments *a, char *error)
{
    return set_values(s, GIZMO_SCALE, a, error);
}

/* Sets the whole matrix of all selected items. Its last row must be 0 0 0 1. */
static bool edit_matrix(odori_session *s, const command_arguments *a, char *error)
{
    for (int k = 0; k < 16; k++)
        if (fabs(a->number[k]) > NUMBER_MAX)
            return refuse_with(error, "%g is out of range: the limit is a million", a->number[k]);
    if (a->number[3] != 0 || a->number[7] != 0 || a->number[11] != 0 || a->number[15] != 1)
        return refuse_with(
            error, "the last row of the matrix is not 0 0 0 1; the numbers are read column by column");
    return selection_set_matrix(s, a->number, error);
}

static bool edit_reset(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return selection_reset(s, error);
}

static bool edit_mirror(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->selection.mirrors = a->on[0];
    s->changed = true;
    return true;
}

/* Selects whether several items rotate and scale about their own or their common centre. */
static bool set_pivot(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const names[] = {"own", "common"};
    size_t pivot = token_find(names, 2, a->word[0]);
    if (pivot == 2)
        return refuse_with(error, "\"%.40s\" is not own or common", a->word[0]);
    s->selection.common = pivot == 1;
    s->changed = true;
    return true;
}

/* Selects what the handles of the gizmo do. */
static bool set_mode(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const names[GIZMO_MODES] = {[GIZMO_NONE] = "none",
                                                   [GIZMO_TRANSLATE] = "translate",
                                                   [GIZMO_ROTATE] = "rotate",
                                                   [GIZMO_SCALE] = "scale"};
    size_t mode = token_find(names, GIZMO_MODES, a->word[0]);
    if (mode == GIZMO_MODES)
        return refuse_with(error, "\"%.40s\" is not translate, rotate, scale or none", a->word[0]);
    s->selection.mode = (gizmo_mode)mode;
    s->changed = true;
    return true;
}

/* Selects the axes of the handles; `next` goes through all in turn. */
static bool set_space(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const names[GIZMO_SPACES] = {
        [GIZMO_LOCAL] = "local", [GIZMO_PARENT] = "parent", [GIZMO_WORLD] = "world", [GIZMO_AXES] = "axes"};
    size_t space = token_find(names, GIZMO_SPACES, a->word[0]);
    if (strcmp(a->word[0], "next") == 0)
        space = ((size_t)s->selection.space + 1) % GIZMO_SPACES;
    if (space == GIZMO_SPACES)
        return refuse_with(error, "\"%.40s\" is not local, parent, world, axes or next", a->word[0]);
    s->selection.space = (gizmo_space)space;
    s->changed = true;
    return true;
}

/* Sets the snap steps of drags. A step that is not given stays. */
static bool set_snap(odori_session *s, const command_arguments *a, char *error)
{
    double steps[2] = {s->selection.snap.units, s->selection.snap.degrees};
    bool on = strcmp(a->word[0], "off") != 0;
    for (size_t i = 0; on && i < a->count; i++) {
        bool stays = i == 0 && strcmp(a->word[0], "on") == 0;
        if (!stays && !parse_real(a->word[i], &steps[i]))
            return refuse_with(error, "\"%.40s\" is not a number, on or off", a->word[i]);
        if (!(steps[i] > 0 && steps[i] <= 1000))
            return refuse_with(error, "a step of %g is out of range: above 0, up to 1000", steps[i]);
    }
    s->selection.snaps = on;
    s->selection.snap.units = steps[0];
    s->selection.snap.degrees = steps[1];
    s->changed = true;
    return true;
}

/* --- Printing the selection --- */

/* Prints a matrix as a member of an object, column by column. */
static void print_matrix(emitter *e, const char *name, const double matrix[16])
{
    emit_key(e, name);
    emit_open(e, '[');
    for (int k = 0; k < 16; k++)
        emit_real(e, matrix[k]);
    emit_close(e, ']');
}

/* Prints the ops of an item, in order, with the values they have at the current frame. */
static void print_ops(emitter *e, mmd_edit *edit, mmd_item item)
{
    mmd_op ops[MMD_OPS_MAX];
    size_t count = mmd_edit_ops(edit, item, ops);
    emit_key(e, "ops");
    emit_open(e, '[');
    for (size_t i = 0; i < count; i++) {
        emit_open(e, '{');
        emit_member_text(e, "name", ops[i].name);
        emit_member_bool(e, "read_only", ops[i].read_only);
        if (ops[i].inverse) /* the op applies the inverse of its value */
            emit_member_bool(e, "inverse", true);
        emit_key(e, "value");
        emit_open(e, '[');
        for (int k = 0; k < mmd_op_numbers((mmd_op_kind)ops[i].kind); k++)
            emit_real(e, ops[i].value[k]);
        emit_close(e, ']');
        emit_close(e, '}');
    }
    emit_close(e, ']');
}

/* Prints an item as one line of JSON: its path, ops, and local and world matrices. */
static void print_item(mmd_edit *edit, mmd_item item)
{
    emitter e = {.out = stdout};
    char path[COMMAND_LINE_MAX];
    double matrix[16];
    mmd_edit_path(edit, item, path, sizeof path);
    emit_open(&e, '{');
    emit_member_text(&e, "path", path);
    print_ops(&e, edit, item);
    mmd_edit_local(edit, item, matrix);
    print_matrix(&e, "local", matrix);
    mmd_edit_inclusive(edit, item, matrix);
    print_matrix(&e, "world", matrix);
    emit_close(&e, '}');
    putchar('\n');
    fflush(stdout);
}

/* Prints the selected items as lines of JSON. */
static bool edit_tell(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        return refuse_with(error, "out of memory");
    for (size_t i = 0; i < s->selection.count; i++)
        print_item(edit, s->selection.items[i]);
    return true;
}

/* Selects all bones of the selected model. */
static bool select_all_bones(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    selection_clear(&s->selection);
    for (uint32_t b = 0; b < m->model->bone_count; b++) {
        const mmd_item bone = {.kind = MMD_ITEM_BONE, .model = (uint32_t)s->selected, .index = b};
        if (!selection_add(&s->selection, bone))
            return refuse_with(error, "out of memory");
    }
    s->changed = true;
    return true;
}

static const command commands[] = {
    {"edit.select", "w", "PATH",
     "selects what edits act on: /models/NAME/bones/NAME, bodies, joints, /camera, /light; for keyframes "
     "also morphs, /models/NAME/switches, /shadow; #0 in place of a name is an index",
     edit_select, .replay = REPLAY_RUNS},
    {"edit.add", "w", "PATH", "adds an item to the selection", edit_add, .replay = REPLAY_RUNS},
    {"edit.remove", "w", "PATH", "removes an item from the selection", edit_remove, .replay = REPLAY_RUNS},
    {"edit.up", "", "", "selects what is one level above the selection, as Alt and a click do", edit_up,
     .replay = REPLAY_RUNS},
    {"edit.controller", "", "",
     "selects what moves the selection: an IK goal, what carries a bone moved by physics, an outside parent, "
     "or the bone that it appends",
     edit_controller, .replay = REPLAY_RUNS},
    {"edit.clear", "", "", "clears the selection", edit_clear, .replay = REPLAY_RUNS},
    {"edit.translate", "rrr", "X Y Z",
     "moves the selection: units, in its parent's space; replaces the last move", edit_translate,
     .replay = REPLAY_RUNS},
    {"edit.rotate", "rrr", "X Y Z",
     "rotates it: degrees about X, then Y, then Z (of the camera: its angles); replaces the last rotation",
     edit_rotate, .replay = REPLAY_RUNS},
    {"edit.scale", "rrr", "X Y Z",
     "scales it; models have one factor, bodies and nodes of a glTF three, bones none", edit_scale,
     .replay = REPLAY_RUNS},
    {"edit.matrix", "rrrrrrrrrrrrrrrr", "M11 M21 … M44",
     "sets its whole matrix in its parent's space, column by column", edit_matrix, .replay = REPLAY_RUNS},
    {"edit.reset", "", "", "resets all edits of it", edit_reset, .replay = REPLAY_RUNS},
    {"edit.mirror", "s", "on|off",
     "applies edits of a bone mirrored to the bone of the other side (左, 右; L, R; Left, Right), too",
     edit_mirror, .replay = REPLAY_RUNS},
    {"edit.all", "", "", "selects all bones of the model", select_all_bones, .replay = REPLAY_RUNS},
    {"edit.tell", "", "", "prints the ops and matrices of the selection as lines of JSON on stdout",
     edit_tell, .replay = REPLAY_SKIPS},
    {"gizmo.mode", "w", "translate|rotate|scale|none", "what the handles of the gizmo do (play)", set_mode,
     .replay = REPLAY_RUNS},
    {"gizmo.space", "w", "local|parent|world|axes|next",
     "the axes of the handles; axes: those that the bone's file gives it", set_space, .replay = REPLAY_RUNS},
    {"gizmo.pivot", "w", "own|common",
     "rotates and scales several items each about itself, or all about their common centre", set_pivot,
     .replay = REPLAY_RUNS},
    {"gizmo.snap", "w?r", "UNITS|on|off [DEGREES]", "snaps drags to steps", set_snap, .replay = REPLAY_RUNS},
};

const command_group commands_of_edit = {commands, sizeof commands / sizeof *commands};
