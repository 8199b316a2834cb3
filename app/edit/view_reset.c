#include "view_reset.h"

#include "mmd/actor.h"

/* What was by hand before. */
typedef struct view_reset {
    mmd_item item;
    bool camera_by_hand, color_by_hand, direction_by_hand;
    mmd_camera camera;
    mmd_light light;
} view_reset;

/* What an earlier time saw stays where nothing is by hand: another stage may have been given the camera as it
 * is. */
static void see(view_reset *r, const mmd_stage *stage)
{
    const bool camera = mmd_stage_camera_by_hand(stage) != NULL,
               color = mmd_stage_light_color_by_hand(stage) != NULL,
               direction = mmd_stage_light_direction_by_hand(stage) != NULL;
    if (r->item.kind == MMD_ITEM_CAMERA ? !camera : !color && !direction)
        return;
    r->camera_by_hand = camera;
    r->color_by_hand = color;
    r->direction_by_hand = direction;
    r->camera = *mmd_stage_camera(stage);
    r->light = *mmd_stage_light(stage);
}

static bool reset(void *self, mmd_edit *edit, const double *values)
{
    view_reset *r = self;
    mmd_stage *stage = mmd_edit_stage(edit);
    (void)values;
    see(r, stage);
    if (r->item.kind == MMD_ITEM_CAMERA) {
        mmd_stage_set_camera(stage, NULL);
    } else {
        mmd_stage_set_light_color(stage, NULL);
        mmd_stage_set_light_direction(stage, NULL);
    }
    mmd_edit_changed(edit, r->item);
    return true;
}

static void undo(void *self, mmd_edit *edit)
{
    const view_reset *r = self;
    mmd_stage *stage = mmd_edit_stage(edit);
    bool is_camera = r->item.kind == MMD_ITEM_CAMERA;
    if (is_camera && r->camera_by_hand)
        mmd_stage_set_camera(stage, &r->camera);
    if (!is_camera && r->color_by_hand)
        mmd_stage_set_light_color(stage, r->light.color);
    if (!is_camera && r->direction_by_hand)
        mmd_stage_set_light_direction(stage, r->light.direction);
    mmd_edit_changed(edit, r->item);
}

static bool redo(void *self, mmd_edit *edit)
{
    return reset(self, edit, NULL);
}

/* Every stage has the one camera and the one light. */
static bool remap(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    (void)self, (void)edit, (void)map;
    return true;
}

mmd_command *view_reset_command(mmd_item item)
{
    static const mmd_command_table table = {
        .label = "reset", .set = reset, .undo = undo, .redo = redo, .remap = remap};
    mmd_command *made = mmd_command_create(&table, sizeof(view_reset));
    if (made)
        *(view_reset *)mmd_command_self(made) = (view_reset){.item = item};
    return made;
}
