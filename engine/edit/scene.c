/*
 * Camera and light as stacks of ops. A motion sets them until an edit does; undoing that edit returns them to
 * the motion.
 */
#include <assert.h>
#include <string.h>

#include "edit_internal.h"

#define DEGREE (3.14159265358979323846 / 180.0)

/* Computes the exclusive matrix: the identity, because camera and light have no parent. */
static void frame_in_world(mmd_edit *edit, mmd_item item, double matrix[16])
{
    (void)item;
    edit_refresh(edit);
    edit_identity(matrix);
}

/* Lists the ops of the camera: translate (its target), rotate, and a read-only distance. */
static size_t read_camera(mmd_edit *edit, mmd_item item, mmd_op *ops)
{
    (void)item;
    edit_refresh(edit);
    return edit_camera_ops(mmd_stage_camera(edit->stage), ops);
}

size_t edit_camera_ops(const mmd_camera *camera, mmd_op *ops)
{
    assert(camera && ops);
    ops[0] = mmd_op_make(MMD_OP_TRANSLATE, "translate");
    ops[1] = mmd_op_make(MMD_OP_CAMERA_ROTATION, "rotate");
    ops[2] = mmd_op_make(MMD_OP_TRANSLATE, "distance");
    for (int k = 0; k < 3; k++) {
        ops[0].value[k] = (double)camera->position[k];
        ops[1].value[k] = (double)camera->rotation[k] / DEGREE;
    }
    ops[2].value[2] = (double)camera->distance;
    ops[2].read_only = true;
    return 3;
}

void edit_set_camera_op(mmd_camera *camera, const char *name, const double *value)
{
    assert(camera);
    for (int k = 0; k < 3; k++) {
        if (!strcmp(name, "translate"))
            camera->position[k] = (float)value[k];
        else if (!strcmp(name, "rotate"))
            camera->rotation[k] = (float)(value[k] * DEGREE);
    }
}

/* Sets one op of the camera by hand. */
static bool write_camera(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    edit_refresh(edit);
    mmd_camera camera = *mmd_stage_camera(edit->stage);
    edit_set_camera_op(&camera, name, value);
    mmd_stage_set_camera(edit->stage, &camera);
    mmd_edit_changed(edit, item);
    return true;
}

/* Tests whether the camera was set by hand. */
static bool owns_camera(mmd_edit *edit, mmd_item item)
{
    (void)item;
    return mmd_stage_camera_by_hand(edit->stage) != NULL;
}

/* Returns the camera to its motion. */
static void disown_camera(mmd_edit *edit, mmd_item item)
{
    mmd_stage_set_camera(edit->stage, NULL);
    mmd_edit_changed(edit, item);
}

const edit_source edit_camera_source = {.read = read_camera,
                                        .write = write_camera,
                                        .frame = frame_in_world,
                                        .is_owned = owns_camera,
                                        .disown = disown_camera};

/* Lists the only op of the light: its direction, as a translation. */
static size_t read_light(mmd_edit *edit, mmd_item item, mmd_op *ops)
{
    (void)item;
    edit_refresh(edit);
    return edit_light_ops(mmd_stage_light(edit->stage), ops);
}

size_t edit_light_ops(const mmd_light *light, mmd_op *ops)
{
    assert(light && ops);
    ops[0] = mmd_op_make(MMD_OP_TRANSLATE, "translate");
    for (int k = 0; k < 3; k++)
        ops[0].value[k] = (double)light->direction[k];
    return 1;
}

/* Sets the direction of the light, which must not be zero. */
static bool write_light(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    (void)name;
    const float direction[3] = {(float)value[0], (float)value[1], (float)value[2]};
    if (direction[0] == 0.0f && direction[1] == 0.0f && direction[2] == 0.0f)
        return false;
    mmd_stage_set_light_direction(edit->stage, direction);
    mmd_edit_changed(edit, item);
    return true;
}

/* Tests whether the light's direction was set by hand. */
static bool owns_light(mmd_edit *edit, mmd_item item)
{
    (void)item;
    return mmd_stage_light_direction_by_hand(edit->stage) != NULL;
}

/* Returns the light's direction to its motion. */
static void disown_light(mmd_edit *edit, mmd_item item)
{
    mmd_stage_set_light_direction(edit->stage, NULL);
    mmd_edit_changed(edit, item);
}

const edit_source edit_light_source = {.read = read_light,
                                       .write = write_light,
                                       .frame = frame_in_world,
                                       .is_owned = owns_light,
                                       .disown = disown_light};
