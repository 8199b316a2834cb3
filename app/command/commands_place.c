/* Where bodies and joints are, told exactly: what pictures say of those that were placed by hand
 * (state_lines.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands_internal.h"
#include "mmd/simulation.h"
#include "edit/selection.h"

/* As of edits by numbers. */
#define FAR        1e6
#define LENGTH_OFF 1e-3

/* A place and the one before it. A joint has no scale. */
typedef struct placing {
    mmd_item item;
    bool was_by_hand;
    mmd_body_place before, after;
} placing;

/* place NULL: the file's. */
static bool put(mmd_edit *edit, mmd_item item, const mmd_body_place *place)
{
    mmd_stage *stage = mmd_edit_stage(edit);
    mmd_status status =
        item.kind == MMD_ITEM_BODY
            ? mmd_stage_place_body(stage, item.model, item.index, place, NULL)
            : mmd_stage_place_joint(stage, item.model, item.index, place ? &place->rest : NULL, NULL);
    if (status != MMD_OK)
        mmd_edit_refuse_as(edit, status == MMD_ERROR_MEMORY ? MMD_REFUSAL_MEMORY : MMD_REFUSAL_PHYSICS_PLACE,
                           NULL, NULL);
    mmd_edit_changed(edit, item);
    return status == MMD_OK;
}

static bool set_place(void *self, mmd_edit *edit, const double *values)
{
    placing *p = self;
    mmd_stage *stage = mmd_edit_stage(edit);
    (void)values;
    if (!mmd_edit_has(edit, p->item))
        return false;
    p->was_by_hand = p->item.kind == MMD_ITEM_BODY
                         ? mmd_stage_body_place(stage, p->item.model, p->item.index, &p->before)
                         : mmd_stage_joint_place(stage, p->item.model, p->item.index, &p->before.rest);
    return put(edit, p->item, &p->after);
}

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

static bool remap_place(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    placing *p = self;
    return mmd_edit_map_item(map, &p->item) && mmd_edit_has(edit, p->item);
}

static bool perform(odori_session *s, const placing *wanted, char *error)
{
    static const mmd_command_table table = {
        .label = "place", .set = set_place, .undo = undo_place, .redo = redo_place, .remap = remap_place};
    mmd_edit *edit = selection_edit(s);
    mmd_command *made = edit ? mmd_command_create(&table, sizeof *wanted) : NULL;
    if (!made)
        return refuse_with(error, "out of memory");
    memcpy(mmd_command_self(made), wanted, sizeof *wanted);
    history_begin(&s->history);
    if (!history_take(&s->history, made))
        return refuse_with(error, "%s",
                              *mmd_edit_refusal(edit) ? mmd_edit_refusal(edit) : "out of memory");
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* A position and a unit quaternion. */
static bool read_rest(const double *numbers, mmd_transform *rest, char *error)
{
    double length = 0;
    for (int k = 0; k < 4; k++)
        length += numbers[3 + k] * numbers[3 + k];
    for (int k = 0; k < 3; k++)
        if (fabs(numbers[k]) > FAR)
            return refuse_with(error, "%g is further than a million", numbers[k]);
    if (!(fabs(length - 1) < LENGTH_OFF))
        return refuse_with(error, "the rotation is no quaternion of length 1");
    for (int k = 0; k < 3; k++)
        rest->translation[k] = (float)numbers[k];
    for (int k = 0; k < 4; k++)
        rest->rotation[k] = (float)numbers[3 + k];
    return true;
}

static bool read_place(const double *numbers, bool has_scale, mmd_body_place *place, char *error)
{
    for (int k = 0; k < 3; k++) {
        double scale = has_scale ? numbers[7 + k] : 1;
        if (!(scale >= 1e-3 && scale <= 1e3))
            return refuse_with(error, "a scale of %g is not from 0.001 to 1000", scale);
        place->scale[k] = (float)scale;
    }
    return read_rest(numbers, &place->rest, error);
}

static bool place_item(odori_session *s, const command_arguments *a, uint32_t kind, char *error)
{
    placing p = {.item = {.kind = kind, .model = (uint32_t)s->selected}};
    mmd_edit *edit = selection_edit(s);
    if (!session_selected_model(s, error) ||
        !read_place(a->number + 1, kind == MMD_ITEM_BODY, &p.after, error))
        return false;
    bool is_index = a->number[0] >= 0 && a->number[0] < FAR && a->number[0] == floor(a->number[0]);
    p.item.index = is_index ? (uint32_t)a->number[0] : 0;
    if (!is_index || !edit || !mmd_edit_has(edit, p.item))
        return refuse_with(error, "the model has no %s %g, the first is 0",
                              kind == MMD_ITEM_BODY ? "body" : "joint", a->number[0]);
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

/* "#12" is a number. */
static bool find_bone(const odori_session *s, const char *name, uint32_t *bone, char *error)
{
    char *end;
    const scene_model *m = session_selected_model(s, error);
    if (!m || *name != '#')
        return m && session_find_bone(s, name, bone, error);
    unsigned long number = strtoul(name + 1, &end, 10);
    *bone = (uint32_t)number;
    return (name[1] >= '0' && name[1] <= '9' && !*end && number < m->model->bone_count) ||
           refuse_with(error, "the model has no bone %.40s, the first is #0", name);
}

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

static const command commands[] = {
    {"bone.place", "wrrrrrrr", "NAME|\"#NUMBER\" X Y Z QX QY QZ QW",
     "moves and turns a bone by units and a quaternion; replaces the last move and turn", place_bone},
    {"body.place", "rrrrrrrrrrr", "NUMBER X Y Z QX QY QZ QW SX SY SZ",
     "where a body of the model is at rest: units, a quaternion, times its size", place_body},
    {"joint.place", "rrrrrrrr", "NUMBER X Y Z QX QY QZ QW", "the same of a joint", place_joint},
};

const command_group commands_of_place = {commands, sizeof commands / sizeof *commands};
