/* An example of a plug-in, built with only the public headers: it restricts the bone 右腕 to rotations about
 * Y. It wraps the next handler's object and passes on only the Y part of requested rotations. */
#include <math.h>
#include <string.h>

#include "mmd/edit.h"

typedef struct only_y {
    mmd_transform3d *inner;
} only_y;

static void matrix_of(void *self, mmd_edit *edit, double matrix[16])
{
    mmd_transform3d_matrix(edit, ((only_y *)self)->inner, matrix);
}

static void exclusive_of(void *self, mmd_edit *edit, double matrix[16])
{
    mmd_transform3d_exclusive(edit, ((only_y *)self)->inner, matrix);
}

static bool get(void *self, mmd_edit *edit, mmd_component component, double values[3])
{
    return mmd_transform3d_get(edit, ((only_y *)self)->inner, component, values);
}

/* The command wraps the inner command and sets it again while dragging. */
typedef struct y_command {
    mmd_command *inner;
    double y; /* current angle in degrees */
} y_command;

/* Returns whether a rotation is only about the other axes, so that nothing of it remains. The user is then
 * told the reason. */
static bool has_nothing(const y_command *c, const double values[3])
{
    return fabs(values[1] - c->y) < 1e-6 && (fabs(values[0]) > 1e-3 || fabs(values[2]) > 1e-3);
}

static bool set(void *self, mmd_edit *edit, const double *values)
{
    y_command *c = self;
    const double turned[3] = {0, values ? values[1] : 0, 0};
    if (values && has_nothing(c, values)) {
        mmd_edit_refuse(edit, "only_y lets it turn about Y, and nothing else");
        return false;
    }
    if (!mmd_command_set(edit, c->inner, values ? turned : NULL))
        return false;
    c->y = values ? turned[1] : c->y;
    return true;
}

static void undo(void *self, mmd_edit *edit)
{
    mmd_command_undo(edit, ((y_command *)self)->inner);
}

static bool redo(void *self, mmd_edit *edit)
{
    return mmd_command_redo(edit, ((y_command *)self)->inner);
}

/* After files were reloaded, the inner command looks for its object again. */
static bool remap(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    return mmd_command_remap(edit, ((y_command *)self)->inner, map);
}

static void destroy_command(void *self)
{
    mmd_command_destroy(((y_command *)self)->inner);
}

static const mmd_command_table command_table = {.label = "turn about Y",
                                                .set = set,
                                                .undo = undo,
                                                .redo = redo,
                                                .destroy = destroy_command,
                                                .remap = remap};

static mmd_command *command(void *self, mmd_edit *edit, mmd_component component, const double values[3])
{
    const double turned[3] = {0, values[1], 0};
    if (component != MMD_ROTATION) {
        mmd_edit_refuse(edit, "only_y lets it turn about Y, and nothing else");
        return NULL;
    }
    mmd_command *inner = mmd_transform3d_command(edit, ((only_y *)self)->inner, component, turned);
    mmd_command *made = inner ? mmd_command_create(&command_table, sizeof(y_command)) : NULL;
    if (made)
        *(y_command *)mmd_command_self(made) = (y_command){.inner = inner, .y = turned[1]};
    else
        mmd_command_destroy(inner);
    return made;
}

static void destroy(void *self)
{
    mmd_transform3d_destroy(((only_y *)self)->inner);
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
    mmd_transform3d *object = mmd_transform3d_create(&table, sizeof(only_y), item);
    if (object)
        ((only_y *)mmd_transform3d_self(object))->inner = inner;
    else
        mmd_transform3d_destroy(inner);
    return object;
}

static bool attach(mmd_edit *edit)
{
    static const mmd_handler handler = {.name = "only_y", .edit_transform3d = edit_transform3d};
    return mmd_edit_add_handler(edit, NULL, &handler, NULL);
}

const mmd_edit_plugin mmd_edit_plugin_entry;
const mmd_edit_plugin mmd_edit_plugin_entry = {.abi = MMD_EDIT_ABI, .name = "only_y", .attach = attach};
