/*
 * Camera and light while edits write keyframes: an edit of either writes a keyframe, at the stage's frame, of
 * everything visible of it. The values by hand are then cleared, so that the keyframe is what is seen.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "keys_internal.h"
#include "mmd/elementary.h"

void keys_see(mmd_edit *edit, key_view *view)
{
    assert(edit && view);
    edit_refresh(edit);
    *view = (key_view){.camera_by_hand = mmd_stage_camera_by_hand(edit->stage) != NULL,
                       .color_by_hand = mmd_stage_light_color_by_hand(edit->stage) != NULL,
                       .direction_by_hand = mmd_stage_light_direction_by_hand(edit->stage) != NULL,
                       .camera = *mmd_stage_camera(edit->stage),
                       .light = *mmd_stage_light(edit->stage)};
}

void keys_show(mmd_edit *edit, const key_view *view)
{
    assert(edit && view);
    if (view->camera_by_hand)
        mmd_stage_set_camera(edit->stage, &view->camera);
    if (view->color_by_hand)
        mmd_stage_set_light_color(edit->stage, view->light.color);
    if (view->direction_by_hand)
        mmd_stage_set_light_direction(edit->stage, view->light.direction);
}

void keys_release(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    if (item.kind == MMD_ITEM_CAMERA) {
        mmd_stage_set_camera(edit->stage, NULL);
        return;
    }
    mmd_stage_set_light_color(edit->stage, NULL);
    mmd_stage_set_light_direction(edit->stage, NULL);
}

/* --- Values of the keyframe --- */

static bool is_zero(const float v[3])
{
    return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f;
}

/* Reads all values of a keyframe at once. */
static void read_values(const key_edit *k, key_view *view)
{
    const double *v = k->values;
    if (k->item.kind == MMD_ITEM_CAMERA) {
        view->camera = (mmd_camera){.distance = (float)v[0], .fov = (float)v[7], .perspective = v[8] != 0.0};
        for (int i = 0; i < 3; i++) {
            view->camera.position[i] = (float)v[1 + i];
            view->camera.rotation[i] = (float)v[4 + i];
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        view->light.color[i] = (float)v[i];
        view->light.direction[i] = (float)v[3 + i];
    }
}

/* Reads one component, or a matrix, by way of the ops of camera and light. */
static bool read_ops(const key_edit *k, key_view *view)
{
    mmd_op ops[MMD_OPS_MAX];
    double m[16];
    bool is_camera = k->item.kind == MMD_ITEM_CAMERA, done = true;
    size_t count = is_camera ? edit_camera_ops(&view->camera, ops) : edit_light_ops(&view->light, ops);
    if (k->component == MMD_COMPONENTS)
        done = edit_solve(ops, count, &edit_common_layout, k->values);
    else if (k->component == MMD_TRANSLATION || (k->component == MMD_ROTATION && is_camera))
        edit_encode(&ops[k->component], (mmd_component)k->component, k->values, ops[k->component].value);
    else
        done = false;
    edit_product(ops, 0, count, m);
    if (!done || !edit_sound(m, 16))
        return false;
    for (size_t i = 0; i < count; i++)
        if (is_camera)
            edit_set_camera_op(&view->camera, ops[i].name, ops[i].value);
    for (int i = 0; !is_camera && i < 3; i++)
        view->light.direction[i] = (float)ops[0].value[i];
    return true;
}

bool keys_compute_scene(mmd_edit *edit, const key_edit *k, mmd_stored_key *key)
{
    assert(edit && k && key);
    key_view view = k->view;
    bool done = true;
    if (k->component == SCENE_VALUES)
        read_values(k, &view);
    else
        done = read_ops(k, &view);
    if (!done) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_MATRIX, k->item, NULL, NULL);
        return false;
    }
    if (k->item.kind == MMD_ITEM_CAMERA) {
        view.camera.fov =
            mmd_minf(mmd_maxf(roundf(view.camera.fov), 1.0f), 179.0f); /* whole degrees, as in files */
        key->as.camera.value = view.camera;
        return true;
    }
    if (is_zero(view.light.direction)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_DARK, NULL, NULL);
        return false;
    }
    key->as.light.value = view.light;
    return true;
}

/* --- Commands --- */

/* Creates a command that sets a keyframe of camera or light at the stage's frame. */
static mmd_command *make(mmd_edit *edit, key_edit *made)
{
    made->deed = KEY_SCENE;
    if (!edit_keys_find(edit, made->item, &made->track) ||
        !mmd_edit_key_frame(edit, made->item, mmd_stage_frame(edit->stage), &made->from))
        return NULL;
    return keys_command(edit, made);
}

mmd_command *mmd_edit_camera_key_command(mmd_edit *edit, const mmd_camera *camera)
{
    assert(edit && camera);
    key_edit made = {.item.kind = MMD_ITEM_CAMERA,
                     .component = SCENE_VALUES,
                     .values = {(double)camera->distance, (double)camera->position[0],
                                (double)camera->position[1], (double)camera->position[2],
                                (double)camera->rotation[0], (double)camera->rotation[1],
                                (double)camera->rotation[2], (double)camera->fov, camera->perspective}};
    return make(edit, &made);
}

mmd_command *mmd_edit_light_key_command(mmd_edit *edit, const mmd_light *light)
{
    assert(edit && light);
    key_edit made = {.item.kind = MMD_ITEM_LIGHT,
                     .component = SCENE_VALUES,
                     .values = {(double)light->color[0], (double)light->color[1], (double)light->color[2],
                                (double)light->direction[0], (double)light->direction[1],
                                (double)light->direction[2]}};
    return make(edit, &made);
}

mmd_command *keys_scene_command(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    edit->refusal[0] = '\0';
    edit_refresh(edit);
    return item.kind == MMD_ITEM_CAMERA ? mmd_edit_camera_key_command(edit, mmd_stage_camera(edit->stage))
                                        : mmd_edit_light_key_command(edit, mmd_stage_light(edit->stage));
}

/* --- Objects --- */

/* Makes a command for a translation or rotation of camera or light. */
static mmd_command *command_of(void *self, mmd_edit *edit, mmd_component component, const double values[3])
{
    double ignored[3];
    key_edit made = {.item = ((key_object *)self)->item, .component = (int)component};
    if (component > MMD_ROTATION || !keys_object_get(self, edit, component, ignored)) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_KEY_KIND, made.item, NULL, NULL);
        return NULL;
    }
    memcpy(made.values, values, 3 * sizeof *values);
    return make(edit, &made);
}

/* Makes a command for the whole matrix of camera or light. */
static mmd_command *matrix_command_of(void *self, mmd_edit *edit, const double matrix[16])
{
    key_edit made = {.item = ((key_object *)self)->item, .component = MMD_COMPONENTS};
    memcpy(made.values, matrix, 16 * sizeof *matrix);
    return make(edit, &made);
}

bool edit_keys_scene(const mmd_edit *edit, mmd_item item)
{
    assert(edit);
    return edit->keying.scene_motion && (item.kind == MMD_ITEM_CAMERA || item.kind == MMD_ITEM_LIGHT);
}

mmd_transform3d *edit_key_scene_object(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    static const stack_object common = {
        .layout = &edit_common_layout, .mode = OBJECT_FACE, .read_only = true};
    static const mmd_transform3d_table table = {.matrix = keys_object_matrix,
                                                .exclusive = keys_object_exclusive,
                                                .get = keys_object_get,
                                                .command = command_of,
                                                .set_matrix = matrix_command_of,
                                                .destroy = keys_object_destroy};
    key_track track;
    uint32_t frame;
    if (!edit_keys_find(edit, item, &track) ||
        !mmd_edit_key_frame(edit, item, mmd_stage_frame(edit->stage), &frame))
        return NULL;
    const key_object made = {.item = item, .shown = edit_object_create(edit, item, &common)};
    return keys_object(&table, &made);
}
