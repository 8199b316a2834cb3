/* A plug-in that edits by hand what handlers do not reach: a rotation of 右腕 also turns the bone of the
 * other side, mirrored, and makes the model smile, the more the farther it turns. All of it is one step of
 * undo. */
#include <math.h>
#include <string.h>

#include "mmd/edit.h"

typedef struct both_sides {
    mmd_transform3d *inner;
    mmd_item arm;
} both_sides;

enum { ARM, TWIN, SMILE, PARTS };

typedef struct both_command {
    mmd_item arm;
    mmd_command *parts[PARTS];
} both_command;

static void matrix_of(void *self, mmd_edit *edit, double matrix[16])
{
    mmd_transform3d_matrix(edit, ((both_sides *)self)->inner, matrix);
}

static void exclusive_of(void *self, mmd_edit *edit, double matrix[16])
{
    mmd_transform3d_exclusive(edit, ((both_sides *)self)->inner, matrix);
}

static bool get(void *self, mmd_edit *edit, mmd_component component, double values[3])
{
    return mmd_transform3d_get(edit, ((both_sides *)self)->inner, component, values);
}

static void undo(void *self, mmd_edit *edit)
{
    both_command *c = self;
    for (int i = PARTS; i-- > 0;)
        mmd_command_undo(edit, c->parts[i]);
}

/* The arm is set first, because handlers may hold it to something else than what was asked for. */
static bool set(void *self, mmd_edit *edit, const double *values)
{
    both_command *c = self;
    double pose[MMD_BONE_NUMBERS];
    if (!mmd_command_set(edit, c->parts[ARM], values))
        return false;
    mmd_edit_bone_values(edit, c->arm, pose);
    pose[0] = -pose[0]; /* mirrored in the plane of Y and Z */
    pose[4] = -pose[4];
    pose[5] = -pose[5];
    const double weight = fmin(acos(fmin(fabs(pose[6]), 1)) * 4 / 3.14159265358979323846, 1);
    if (mmd_command_set(edit, c->parts[TWIN], pose) && mmd_command_set(edit, c->parts[SMILE], &weight))
        return true;
    undo(self, edit);
    return false;
}

static bool redo(void *self, mmd_edit *edit)
{
    both_command *c = self;
    bool all = true;
    for (int i = 0; i < PARTS && all; i++)
        all = mmd_command_redo(edit, c->parts[i]);
    if (!all)
        undo(self, edit);
    return all;
}

static bool remap(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    both_command *c = self;
    bool all = mmd_edit_map_item(map, &c->arm);
    for (int i = 0; i < PARTS && all; i++)
        all = mmd_command_remap(edit, c->parts[i], map);
    return all;
}

static void destroy_command(void *self)
{
    both_command *c = self;
    for (int i = 0; i < PARTS; i++)
        mmd_command_destroy(c->parts[i]);
}

static mmd_item find_smile(mmd_edit *edit, uint32_t model)
{
    const mmd_model *m = mmd_actor_model(mmd_stage_actor(mmd_edit_stage(edit), model));
    for (uint32_t i = 0; i < m->morph_count; i++)
        if (!strcmp(m->morphs[i].name, "笑い"))
            return (mmd_item){MMD_ITEM_MORPH, model, i};
    return (mmd_item){0};
}

static mmd_command *command(void *self, mmd_edit *edit, mmd_component component, const double values[3])
{
    static const mmd_command_table table = {.label = "turn both arms",
                                            .set = set,
                                            .undo = undo,
                                            .redo = redo,
                                            .destroy = destroy_command,
                                            .remap = remap};
    const both_sides *b = self;
    mmd_command *arm = mmd_transform3d_command(edit, b->inner, component, values);
    const mmd_item twin = mmd_edit_mirrored(edit, b->arm), smile = find_smile(edit, b->arm.model);
    if (!arm || component != MMD_ROTATION || !twin.kind || !smile.kind)
        return arm;
    double pose[MMD_BONE_NUMBERS];
    mmd_edit_bone_values(edit, twin, pose);
    both_command parts = {
        b->arm, {arm, mmd_edit_bone_command(edit, twin, pose), mmd_edit_morph_command(edit, smile, 0)}};
    mmd_command *made =
        parts.parts[TWIN] && parts.parts[SMILE] ? mmd_command_create(&table, sizeof parts) : NULL;
    if (made)
        *(both_command *)mmd_command_self(made) = parts;
    else
        destroy_command(&parts);
    return made;
}

static void destroy(void *self)
{
    mmd_transform3d_destroy(((both_sides *)self)->inner);
}

static bool is_its_bone(mmd_edit *edit, mmd_item item)
{
    if (item.kind != MMD_ITEM_BONE)
        return false;
    const mmd_model *model = mmd_actor_model(mmd_stage_actor(mmd_edit_stage(edit), item.model));
    return !strcmp(model->bones[item.index].name, "右腕");
}

static mmd_transform3d *edit_transform3d(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                         mmd_item item, mmd_edit_hint hint)
{
    static const mmd_transform3d_table table = {
        .matrix = matrix_of, .exclusive = exclusive_of, .get = get, .command = command, .destroy = destroy};
    (void)context;
    mmd_transform3d *inner = mmd_edit_next_edit_transform3d(edit, link, item, hint);
    if (!inner || !is_its_bone(edit, item))
        return inner;
    mmd_transform3d *object = mmd_transform3d_create(&table, sizeof(both_sides), item);
    if (object)
        *(both_sides *)mmd_transform3d_self(object) = (both_sides){inner, item};
    else
        mmd_transform3d_destroy(inner);
    return object;
}

static bool attach(mmd_edit *edit)
{
    static const mmd_handler handler = {.name = "both_sides", .edit_transform3d = edit_transform3d};
    return mmd_edit_add_handler(edit, NULL, &handler, NULL);
}

const mmd_edit_plugin mmd_edit_plugin_entry;
const mmd_edit_plugin mmd_edit_plugin_entry = {.abi = MMD_EDIT_ABI, .name = "both_sides", .attach = attach};
