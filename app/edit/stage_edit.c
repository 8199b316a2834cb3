/* Edits that place a model, and that return camera and light to their motions. */
#include "stage_edit.h"

#include <string.h>

#include "base/parse.h"
#include "mmd/actor.h"

/* --- Placement of a model --- */

static bool is_there(const mmd_staging *now, const mmd_staging *wanted, mmd_component component)
{
    switch (component) {
    case MMD_TRANSLATION:
        return memcmp(now->position, wanted->position, sizeof now->position) == 0;
    case MMD_ROTATION:
        return memcmp(now->rotation, wanted->rotation, sizeof now->rotation) == 0;
    default:
        return memcmp(&now->scale, &wanted->scale, sizeof now->scale) == 0;
    }
}

/* Edits one component. Returns false if refused. */
static bool perform(odori_session *s, mmd_edit *edit, mmd_item item, mmd_component component,
                    const double values[3])
{
    static const mmd_edit_hint hints[] = {MMD_HINT_TRANSLATE, MMD_HINT_ROTATE, MMD_HINT_SCALE};
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, hints[component]);
    mmd_command *made = object ? mmd_transform3d_command(edit, object, component, values) : NULL;
    mmd_transform3d_destroy(object);
    return history_take(&s->history, made);
}

void stage_edit_place_model(odori_session *s, size_t model, const double placement[7])
{
    const mmd_item item = {.kind = MMD_ITEM_MODEL, .model = (uint32_t)model};
    double values[3][3];
    mmd_staging wanted = *mmd_stage_staging(s->scene->stage, model);
    mmd_edit *edit = history_edit(&s->history);
    for (int k = 0; k < 3; k++) {
        values[MMD_TRANSLATION][k] = placement[k];
        values[MMD_ROTATION][k] = placement[3 + k];
        values[MMD_SCALE][k] = placement[6];
        wanted.position[k] = (float)placement[k];
        wanted.rotation[k] = (float)(placement[3 + k] * DEGREE);
    }
    wanted.scale = (float)placement[6];
    history_begin(&s->history);
    bool all = edit != NULL;
    for (mmd_component c = MMD_TRANSLATION; c <= MMD_SCALE && all; c++)
        all = is_there(mmd_stage_staging(s->scene->stage, model), &wanted, c) ||
              perform(s, edit, item, c, values[c]);
    if (!all)
        mmd_stage_set_staging(s->scene->stage, model, &wanted);
    session_touch(s);
    session_go(s, s->frame);
}

/* --- Returning camera and light to their motions --- */

/* State of a command that returns camera or light to the motions: the values by hand before. */
typedef struct view_reset {
    mmd_item item;
    bool camera_by_hand, color_by_hand, direction_by_hand;
    mmd_camera camera;
    mmd_light light;
} view_reset;

/* Stores the values by hand. If there are none, the stored values stay, because another stage may have got
 * the camera without a hand-set value. */
static void store_by_hand(view_reset *r, const mmd_stage *stage)
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
    store_by_hand(r, stage);
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

/* Moves the command to another stage; every stage has the same one camera and light. */
static bool remap(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    (void)self, (void)edit, (void)map;
    return true;
}

mmd_command *stage_edit_reset_command(mmd_item item)
{
    static const mmd_command_table table = {
        .label = "reset", .set = reset, .undo = undo, .redo = redo, .remap = remap};
    mmd_command *made = mmd_command_create(&table, sizeof(view_reset));
    if (made)
        *(view_reset *)mmd_command_self(made) = (view_reset){.item = item};
    return made;
}
